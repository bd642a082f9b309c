"""Where those may go whom Surprise holds: away from what threatens them (CS-065)."""

from collections.abc import Iterator

from fightcall_engine.board.base import Location
from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.state import awareness, figures, surprise_limits


def retreat_checks(state: FightState, combatant: Combatant, way: tuple[Location, ...]) -> Iterator[Check]:
    """CS-065: a way of who is surprised ends nearer to no foe he knows, and farther from the nearest.

    Without a board the GM sees to it.
    """
    board, here = state.board, combatant.at
    for place, foe in enumerate(threats_near(state, combatant) if way else ()):
        if board is None or here is None or foe.at is None:
            return
        before, after = board.length(here, foe.at), board.length(way[-1], foe.at)
        away = after > before if place == 0 else after >= before
        direction = "does not lead away from" if place == 0 else "leads towards"
        problem = f"{combatant.name} is surprised and only backs away: this way {direction} {foe.name}"
        yield Check(away, "CS-065", problem, (f"away from {foe.name}", "defend"))


def threats_near(state: FightState, combatant: Combatant) -> tuple[Combatant, ...]:
    """The foes whom somebody surprised is confronted with, the nearest first; none for whom Surprise does not hold."""
    if surprise_limits.degree_of(combatant) not in surprise_limits.HELD:
        return ()
    standing = [foe for foe in figures.all_able(state) if state.are_foes(combatant.id, foe.id)]
    foes = [foe for foe in standing if awareness.knows_of(combatant, foe)]
    distances = [(apart, foe) for foe in foes if (apart := places.distance_ft(state, combatant, foe)) is not None]
    return tuple(foe for _, foe in sorted(distances, key=lambda pair: pair[0]))
