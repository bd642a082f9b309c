"""Contacts made and left when somebody stands elsewhere (SB-03: contact is distance 1)."""

from fightcall_engine.board.hexes import Hex
from fightcall_engine.events import ContactLeft, ContactMade, Event
from fightcall_engine.state import FightState


def enemies_near(state: FightState, who: str, place: Hex, *, seen_only: bool = False) -> tuple[str, ...]:
    """The able enemies whose zone a place lies in, in roster order."""
    if state.board is None:
        return ()
    side = state.combatants[who].side
    found = []
    for other in state.combatants.values():
        if other.side == side or not other.able or other.at is None or (seen_only and other.hidden):
            continue
        if state.board.contact(place, other.at):
            found.append(other.id)
    return tuple(found)


def contact_events(state: FightState, who: str, place: Hex | None) -> tuple[Event, ...]:
    """What changes between `who` and the enemies when `who` comes to stand on `place`."""
    if state.board is None:
        return ()
    before = set(state.contacts_of(who))
    after = enemies_near(state, who, place) if place is not None and state.combatants[who].able else ()
    left = [ContactLeft(who=who, enemy=enemy) for enemy in state.combatants if enemy in before and enemy not in after]
    made = [ContactMade(who=who, enemy=enemy) for enemy in after if enemy not in before]
    return (*left, *made)
