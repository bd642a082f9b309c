"""The steps of a segment by Initiative: ties, passes, who declares first (CS-022 to CS-034)."""

from collections.abc import Sequence

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.systems.segments.rules import clock
from fightcall_engine.systems.segments.rules.clock import PULSES_A_SEGMENT, Entrant, MultiActionOrder, Pass
from fightcall_engine.systems.segments.state import queries
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.records import battle_of, fighter_of
from fightcall_engine.systems.segments.state.settings import settings_of

SIMULTANEOUS = "simultaneous"
"""The last tie-break: all tied act at the same instant (CS-026)."""


def entrant_of(combatant: Combatant) -> Entrant:
    """The combatant as an entrant of the ordering."""
    total = queries.initiative_of(combatant)
    return Entrant(
        combatant.id,
        -1000 if total is None else total,
        profile_of(combatant).scores.agl,
        profile_of(combatant).scores.hrt,
        queries.actions_owed(combatant),
    )


# The roster and the passes


def tie_order(state: FightState) -> tuple[str, ...]:
    """The ids of all in the order in which ties were resolved."""
    return tuple(combatant.id for combatant in sorted(state.roster, key=lambda combatant: fighter_of(combatant).tie))


def build_roster(state: FightState) -> tuple[str, ...]:
    """CS-022: the ids of all, highest Initiative first; those who are down come last."""
    able = clock.roster((entrant_of(combatant) for combatant in queries.all_able(state)), tie_order(state))
    return (*able, *(combatant.id for combatant in state.roster if not combatant.able))


def build_passes(state: FightState) -> tuple[Pass, ...]:
    """Those who are owed an Action in each pass, in order (A-01)."""
    reading: MultiActionOrder = queries.order_reading(state)  # type: ignore[assignment]
    return clock.passes((entrant_of(combatant) for combatant in queries.all_able(state)), reading, tie_order(state))


def build_agenda(state: FightState) -> tuple[Step, ...]:
    """The steps of a segment after Initiative (section 4.1)."""
    rows = build_passes(state)
    has_pulses = settings_of(state).pulse_movement
    impact_steps = _impact_steps(state)
    steps: list[Step] = [] if has_pulses else [*impact_steps]
    if not rows:
        rows = (Pass(1, ()),)
    countdown = queries.order_reading(state) == queries.COUNTDOWN
    ticks = pulse_split(state, 1 if countdown else len(rows)) if has_pulses else ()
    for place, pass_ in enumerate(rows):
        is_first, pass_pulses = place == 0, ticks[place] if place < len(ticks) else range(0)
        people = _first_to_declare(state, rows) if is_first else pass_.who
        if countdown and has_pulses and not is_first:
            people = tuple(
                combatant_id
                for combatant_id in pass_.who
                if queries.actions_owed(state.combatants[combatant_id]) > pass_.number
            )
        steps += _declare_steps(state, pass_.number, people) if people or is_first else []
        steps += [*(impact_steps if has_pulses and is_first else ()), *_pulse_steps(pass_pulses)]
        steps += _wait_steps(pass_.number) if people or is_first else []
        steps += [_step(state, queries.RESOLVE, pass_.number, combatant_id) for combatant_id in pass_.who]
    return (*steps, Step("close", queries.CLOSE, queries.CLOSE, "Segment end"))


def _first_to_declare(state: FightState, rows: Sequence[Pass]) -> tuple[str, ...]:
    """The order of declarations in the first pass, slow combatants included (CS-102); CS-072 goes first."""
    countdown = queries.order_reading(state) == queries.COUNTDOWN
    declarers = rows[-1].who if countdown and settings_of(state).pulse_movement else rows[0].who
    others = tuple(
        combatant_id
        for combatant_id in build_roster(state)
        if combatant_id not in declarers and state.combatants[combatant_id].able
    )
    slow = tuple(combatant_id for combatant_id in others if queries.actions_owed(state.combatants[combatant_id]) == 0)
    everyone = _with_slow(state, declarers, slow)
    opener = battle_of(state).first
    return (
        (opener, *(combatant_id for combatant_id in everyone if combatant_id != opener))
        if opener in everyone
        else everyone
    )


def movers_of(state: FightState) -> tuple[str, ...]:
    """The order of movement in each Pulse: that of the first pass, with those who have no Action in it.

    CS-232 and section 4.2: the same order is used for Declaration, Pulses and Resolution.
    """
    rows = build_passes(state)
    if not rows:
        return state.order
    first = rows[-1 if queries.order_reading(state) == queries.COUNTDOWN else 0].who
    others = tuple(combatant_id for combatant_id in build_roster(state) if combatant_id not in first)
    return _with_slow(state, first, others)


def _with_slow(state: FightState, people: Sequence[str], slow: Sequence[str]) -> tuple[str, ...]:
    """Those with an Action, then those without; by Initiative alone, all in their places (A-01)."""
    everyone = (*people, *slow)
    if queries.order_reading(state) != queries.PLAIN:
        return everyone
    return tuple(combatant_id for combatant_id in build_roster(state) if combatant_id in everyone)


def _step(state: FightState, kind: str, number: int, combatant_id: str) -> Step:
    combatant = state.combatants[combatant_id]
    title = "declares" if kind == queries.DECLARE else "resolves"
    step_id, phase = f"{kind}.{number}.{combatant_id}", queries.PHASE_OF[kind]
    return Step(step_id, kind, phase, title, combatant.side, combatant_id, number=number)


def _declare_steps(state: FightState, number: int, people: Sequence[str]) -> list[Step]:
    return [_step(state, queries.DECLARE, number, combatant_id) for combatant_id in people]


def _wait_steps(number: int) -> list[Step]:
    """CS-161: the last chance to declare for those who wait, after any Pulses."""
    return [Step(f"waits.{number}", queries.WAITS, queries.DECLARE, "Late declarations", number=number)]


def _pulse_steps(numbers: range) -> tuple[Step, ...]:
    """CS-230: the steps of these Pulses."""
    return tuple(
        Step(f"pulse.{number}", queries.PULSE, queries.MOVEMENT, f"Pulse {number}", number=number) for number in numbers
    )


def pulse_split(state: FightState, passes: int) -> tuple[range, ...]:
    """The Pulses of each pass: all ten in the first, or as the GM has split them (CS-241, A-25).

    Pulses of passes that this segment does not have run in its last one.
    """
    counts = battle_of(state).split if settings_of(state).pulse_scope == "gm_split" else ()
    counts = counts or (PULSES_A_SEGMENT,)
    if len(counts) > passes:
        counts = (*counts[: passes - 1], sum(counts[passes - 1 :]))
    ends = [sum(counts[: place + 1]) for place in range(len(counts))]
    return tuple(range(end - count + 1, end + 1) for end, count in zip(ends, counts, strict=True))


def split_pulses(state: FightState, counts: Sequence[int]) -> Events:
    """CS-241: the event that sets how many Pulses run in each pass."""
    return queries.set_fact(state, "split", tuple(counts))


def parse_split(text: str) -> tuple[int, ...]:
    """A split of the Pulses such as ``6 4``; empty if it is not one."""
    words = text.replace("/", " ").replace("+", " ").replace(",", " ").split()
    if not words or not all(word.isdecimal() for word in words):
        return ()
    counts = tuple(int(word) for word in words)
    return counts if sum(counts) <= PULSES_A_SEGMENT else ()


def _impact_steps(state: FightState) -> tuple[Step, ...]:
    """CS-285: shots in the air land before declarations, or, with Pulses, before the first of them."""
    flying = bool(battle_of(state).impacts)
    return (Step("impacts", queries.IMPACTS, queries.IMPACTS, "Impacts"),) if flying else ()
