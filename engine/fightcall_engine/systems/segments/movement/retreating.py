"""Where those may go whom Surprise holds: away from what threatens them (CS-065)."""

from fightcall_engine.board.base import Location
from fightcall_engine.checks import Check
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.movement import placing
from fightcall_engine.systems.segments.surprise import surprise


def checks(state: FightState, one: Combatant, way: tuple[Location, ...]) -> tuple[Check, ...]:
    """CS-065: a way of who is surprised ends farther from the nearest foe; without a board the GM sees to it."""
    foe = threat(state, one)
    board, here = state.board, one.at
    if not way or board is None or here is None or foe is None or foe.at is None:
        return ()
    away = board.distance(way[-1], foe.at) > board.distance(here, foe.at)
    said = f"{one.name} is surprised and only backs away: this way does not lead away from {foe.name}"
    return (Check(away, "CS-065", said, (f"away from {foe.name}", "defend")),)


def threat(state: FightState, one: Combatant) -> Combatant | None:
    """The nearest foe whom somebody surprised is confronted with; None for whom Surprise does not hold."""
    if surprise.degree_of(one) not in surprise.HELD:
        return None
    foes = [foe for foe in fg.able(state) if state.opposed(one.id, foe.id) and not foe.hidden]
    known = [(apart, foe) for foe in foes if (apart := placing.distance_ft(state, one, foe)) is not None]
    return min(known, key=lambda pair: pair[0], default=(None, None))[1]
