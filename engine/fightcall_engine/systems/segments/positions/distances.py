"""How far somebody gets in a segment, and what of it is left (CS-097, CS-144, CS-186)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules import movement, tasks
from fightcall_engine.systems.segments.rules.movement import PulseDistance
from fightcall_engine.systems.segments.rules.tasks import PartialMovesCost
from fightcall_engine.systems.segments.state import figures, small_acts
from fightcall_engine.systems.segments.state.action import action_of
from fightcall_engine.systems.segments.state.fighter import fighter_of


def uses_pulses(state: FightState) -> bool:
    """True with the option of ten Pulses (CS-008)."""
    return state.settings.get("pulse_movement") is True


def distance_reading(state: FightState) -> PulseDistance:
    """How far a Pulse carries (A-42)."""
    return "exact" if state.settings.get("pulse_distance") == "exact" else "printed"


def feet_allowed(state: FightState, combatant: Combatant, mph: Fraction | None = None) -> int:
    """Feet somebody covers in a whole segment at a speed, beside the smaller acts declared (CS-186, CS-144)."""
    feet = whole_segment(state, combatant, mph)
    small = (*small_acts.small_acts(action_of(combatant)), *small_acts.smalls_done(combatant))
    return tasks.distance_beside(feet, small, partial_moves(state)) if small else feet


def whole_segment(state: FightState, combatant: Combatant, mph: Fraction | None = None) -> int:
    """Feet somebody covers in a segment in which he does nothing else (CS-186)."""
    speed = figures.full_speed(combatant) if mph is None else mph
    return _segment_feet(speed, uses_pulses(state), distance_reading(state))


def partial_moves(state: FightState) -> PartialMovesCost:
    """Whether a Turn and the like cost distance (A-22)."""
    return "table_fraction" if state.settings.get("partial_moves_cost") == "table_fraction" else "free"


@lru_cache
def _segment_feet(mph: Fraction, pulses: bool, distance: PulseDistance) -> int:
    return movement.segment_feet(mph, pulses=pulses, distance=distance)


def pulses_to_come(state: FightState) -> bool:
    """True while Pulses of this segment run or are still to run: until then a way is planned (CS-230, CS-241)."""
    agenda = state.agenda
    return any(step.kind == figures.PULSE for step in agenda.steps[max(0, agenda.cursor) :])


def are_pulses_over(state: FightState) -> bool:
    """CS-240: true once the last Pulse of this segment has run: nobody comes nearer by walking."""
    return not pulses_to_come(state) and any(step.kind == figures.PULSE for step in state.agenda.steps)


def feet_left(state: FightState, combatant: Combatant, mph: Fraction | None = None) -> float:
    """What is left of the segment's movement (CS-097)."""
    return max(0.0, round_measure(feet_allowed(state, combatant, mph) - fighter_of(combatant).moved))


def round_measure(value: Fraction | float) -> float:
    """A measure as it is told and kept: to a thousandth."""
    return round(float(value), 3)
