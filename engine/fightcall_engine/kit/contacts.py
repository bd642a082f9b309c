"""What is between two combatants: the line of an act, and contacts made and left by moving.

On a grid, contact is distance 1.
"""

from fightcall_engine.board.base import Location
from fightcall_engine.model.events import ContactLeft, ContactMade, Event
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import frozen


@frozen
class Line:
    """The line from one combatant to another, on a board of any kind.

    Attributes:
        distance: the places from one to the other; None if there is no board, or one of them is not on it.
        apart: the distance in words; empty if it is unknown.
        is_clear: whether nothing blocks sight. Without a distance, the table judges it, so it is true.
        blocked_by: the name of the first place that blocks it; empty if it is clear.
        cover: the cover of the target's place, a word of the system; empty for none.
        cover_between: the covers of the places between, from the target back.
    """

    distance: int | None = None
    apart: str = ""
    is_clear: bool = True
    blocked_by: str = ""
    cover: str = ""
    cover_between: tuple[str, ...] = ()

    def best_cover(self, *ranked: str) -> str:
        """Return the best cover at the target or between, of those in `ranked`, the best last; empty for none."""
        present = {self.cover, *self.cover_between}
        return next((cover for cover in reversed(ranked) if cover in present), "")


def line_to(state: FightState, combatant_id: str, target_id: str) -> Line:
    """Return the line from a combatant to a target."""
    board, here, there = state.board, state.combatants[combatant_id].at, state.combatants[target_id].at
    if board is None or here is None or there is None:
        return Line()
    sight = board.sight(here, there)
    between = (board.terrain_at(place).cover for place in reversed(sight.cells) if place not in (here, there))
    return Line(
        distance=board.distance(here, there),
        apart=board.apart(here, there),
        is_clear=sight.clear,
        blocked_by="" if sight.blocked_by is None else board.name_of(sight.blocked_by),
        cover=board.terrain_at(there).cover or "",
        cover_between=tuple(cover for cover in between if cover),
    )


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
