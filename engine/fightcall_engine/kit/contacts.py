"""Contacts made and left when a combatant moves. On a grid, contact is distance 1."""

from fightcall_engine.board.base import Location
from fightcall_engine.model.events import ContactLeft, ContactMade, Event
from fightcall_engine.model.state import FightState


def enemies_near(state: FightState, combatant_id: str, place: Location, *, seen_only: bool = False) -> tuple[str, ...]:
    """The able enemies who are in contact with a place as far as the board can tell, in roster order."""
    if state.board is None:
        return ()
    side = state.combatants[combatant_id].side
    enemies = []
    for other in state.combatants.values():
        if other.side == side or not other.able or other.at is None or (seen_only and other.hidden):
            continue
        if state.board.contact(place, other.at):
            enemies.append(other.id)
    return tuple(enemies)


def contact_events(state: FightState, combatant_id: str, place: Location | None) -> tuple[Event, ...]:
    """The contacts that a combatant makes and leaves by standing on `place`.

    Where the board cannot tell who is in contact, a declared contact continues.
    """
    if state.board is None:
        return ()
    before = _partners(state, combatant_id)
    after: tuple[str, ...] = ()
    if place is not None and state.combatants[combatant_id].able:
        after = (*enemies_near(state, combatant_id, place), *_going_on(state, before, place))
    endings = [
        ContactLeft(who=combatant_id, enemy=enemy)
        for enemy in state.combatants
        if enemy in before and enemy not in after
    ]
    beginnings = [ContactMade(who=combatant_id, enemy=enemy) for enemy in after if enemy not in before]
    return (*endings, *beginnings)


def _partners(state: FightState, combatant_id: str) -> set[str]:
    """Those in contact. Declared contacts include the fallen, who are left behind like anybody else."""
    if not state.shares_places:
        return set(state.contacts_of(combatant_id))
    return {other for pair in state.contacts if combatant_id in pair for other in pair} - {combatant_id}


def _going_on(state: FightState, before: set[str], place: Location) -> tuple[str, ...]:
    """Those in declared contact who can still be in contact from a place."""
    board = state.board
    spots = {enemy: state.combatants[enemy].at for enemy in state.combatants if enemy in before}
    return tuple(
        enemy
        for enemy, at in spots.items()
        if at is not None and board is not None and board.contact(place, at) is None
    )
