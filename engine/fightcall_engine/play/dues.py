"""What is due at a known time: the ends of effects, and cues that wait for a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall_engine.kit.effects import owner_of
from fightcall_engine.model.sight import known_by
from fightcall_engine.model.state import (
    AllOf,
    ClockReached,
    Combatant,
    Condition,
    Effect,
    FightState,
    PhaseReached,
    RoundReached,
)
from fightcall_engine.play.chart import Due

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def find_dues(state: FightState, system: BaseSystem) -> Iterator[Due]:
    """Everything due at a known time: the ends of effects, and cues that wait for a time."""
    if state.status == "closed":
        return
    for combatant in state.combatants.values():
        yield from _ends_of(state, system, combatant)
    for cue in state.cues:
        due = _due_at(state, system, cue.when)
        has_come = isinstance(cue.when, RoundReached) and cue.when.round <= state.round
        if due is not None and not has_come:
            yield Due(cue.name or cue.id, due[0], phase=due[1])


def find_public_dues(state: FightState, system: BaseSystem) -> Iterator[Due]:
    """The ends of effects on combatants in sight, except those on the clock of a hidden combatant."""
    people = {} if state.status == "closed" else state.combatants
    for combatant in people.values():
        for due in () if combatant.hidden else _ends_of(state, system, combatant):
            keeper = people.get(due.actor)
            if keeper is None or not keeper.hidden:
                actor = "" if keeper is None else known_by(state, keeper).id
                yield replace(due, who=known_by(state, combatant).id, actor=actor)


def _ends_of(state: FightState, system: BaseSystem, bearer: Combatant) -> Iterator[Due]:
    return (_due_of(state, system, bearer, effect) for effect in bearer.effects if effect.left is not None)


def _due_at(state: FightState, system: BaseSystem, condition: Condition) -> tuple[int, str] | None:
    """The round, and the part of it, in which a condition comes true, if it depends only on time."""
    if isinstance(condition, RoundReached):
        return max(condition.round, state.round), ""
    if isinstance(condition, ClockReached):
        seconds = system.seconds_of_round(state)
        seconds_left = condition.clock_s - state.clock_s
        # Game time advances at the end of a round.
        rounds = -(-seconds_left // seconds) - (state.step is not None) if seconds else 0
        return (state.round + rounds, "") if seconds_left > 0 and seconds else None
    if isinstance(condition, PhaseReached):
        phases = system.words(state.settings).phases
        folded_phase = condition.phase.lower()
        phase = next((name for name, words in phases.items() if folded_phase in (name.lower(), words.lower())), "")
        coming = state.agenda.steps[max(state.agenda.cursor, 0) + 1 :]
        return (state.round + all(step.phase != phase for step in coming), phases[phase]) if phase else None
    if isinstance(condition, AllOf):
        dues = [_due_at(state, system, part) for part in condition.all]
        certain = [due for due in dues if due is not None]
        if len(certain) < len(dues) or not certain:
            return None
        return max(number for number, _ in certain), next((phase for _, phase in certain if phase), "")
    return None


def _due_of(state: FightState, system: BaseSystem, bearer: Combatant, effect: Effect) -> Due:
    """When an effect ends: in this round if its moment is still to come in it, else so many rounds later."""
    if effect.ticks == system.substep:
        return _due_by_substeps(state, system, bearer, effect)
    own_moments = {moment: end for end, moment in system.clocks.get("own", {}).items()}
    actor, turns_left = "", effect.left or 1
    steps, cursor = state.agenda.steps, max(state.agenda.cursor, 0)
    if effect.ticks in own_moments:
        actor = owner_of(state, bearer, effect)
        coming = steps[cursor + (own_moments[effect.ticks] == "start") :]
        counts_now = any(actor in (step.actor, *step.members) for step in coming)
    else:
        counts_now = bool(steps) and effect.ticks != system.clocks.get("round", {}).get("start")
    return Due(effect.name, state.round + turns_left - counts_now, bearer.id, actor, effect.left)


def _due_by_substeps(state: FightState, system: BaseSystem, bearer: Combatant, effect: Effect) -> Due:
    """When an effect that counts substeps ends, on the assumption that all rounds have as many as this one."""
    all_of_round = [index for index, step in enumerate(state.agenda.steps) if step.kind == system.substep]
    past_count = sum(index <= state.agenda.cursor for index in all_of_round)
    rounds, place = divmod(past_count + (effect.left or 1) - 1, len(all_of_round) or 1)
    phase = state.agenda.steps[all_of_round[place]].phase if all_of_round else ""
    words = system.words(state.settings).phases.get(phase, phase.title())
    return Due(effect.name, state.round + rounds, bearer.id, left=effect.left, phase=words, number=place + 1)
