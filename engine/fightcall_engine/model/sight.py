"""What players know of the course of a fight: the step they believe to run, and what they call whom.

All of it is kept by the fold, in `FightState.sight`, so that a fight with somebody hidden goes for players as it would
without: a step in which only the hidden can act does not exist for them, nor does the time it takes, and ids and
labels are given in the order in which people come into sight, without a gap where somebody hidden has one.
"""

from __future__ import annotations

import re

from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.labels import free_label, slug, unique_id
from fightcall_engine.model.state import Combatant, FightState, Sight, Step
from fightcall_engine.model.values import copy_with


def known_by(state: FightState, combatant: Combatant) -> tuple[str, str]:
    """The id and the label by which players know a combatant."""
    return state.sight.names.get(combatant.id, (combatant.id, combatant.label))


def come_into_sight(state: FightState, combatant: Combatant) -> FightState:
    """The state once players have a name for a combatant: the one they had for it before, or else a new one."""
    names = state.sight.names
    if combatant.hidden or combatant.id in names:
        return state
    given = _own_id(combatant, {name for name, _ in names.values()}), _own_label(state, combatant)
    return copy_with(state, sight=copy_with(state.sight, names={**names, combatant.id: given}))


def forget(state: FightState, combatant_id: str) -> Sight:
    """What players know once somebody has left before the fight, as if he had never come."""
    names = {key: value for key, value in state.sight.names.items() if key != combatant_id}
    return copy_with(state.sight, names=names)


def _own_id(combatant: Combatant, taken: set[str]) -> str:
    """The id as it would be without the hidden: one of a row such as ``goblin``, ``goblin-2`` is numbered anew."""
    row = slug(combatant.name)
    numbered = re.fullmatch(rf"{re.escape(row)}(-\d+)?", combatant.id)
    return unique_id(row, taken) if numbered else _untaken(combatant.id, taken)


def _untaken(wanted: str, taken: set[str]) -> str:
    return unique_id(wanted, taken) if wanted in taken else wanted


def _own_label(state: FightState, combatant: Combatant) -> str:
    """The label as it would be without the hidden; one that the GM chose as he joined stays."""
    others = [other for other in state.combatants.values() if other.id != combatant.id]
    own_side = (combatant, *(other for other in others if other.side == combatant.side))
    numbers_first = any(other.label[:1].isdigit() for other in own_side)
    names = state.sight.names
    taken = {names[other.id][1] for other in others if other.id in names}
    try:
        label = free_label(combatant.name, taken, numbers_first)
        if combatant.label != free_label(combatant.name, {other.label for other in others}, numbers_first):
            begun = any(combatant.label.startswith(name) or name.startswith(combatant.label) for name in taken)
            label = label if begun else combatant.label
    except Refused:
        return combatant.label
    return label


# The step that players believe to run


def begin_step(state: FightState, event: ev.StepBegan) -> FightState:
    """The state once a step has begun: players see it, unless nobody in sight can act in it."""
    step, sight = state.step, state.sight
    listed = tuple(combatant_id for name in event.LISTED for combatant_id in getattr(event, name))
    unseen = step is None or sight.unseen or event.UNSEEN or not _has_anybody_in_sight(state, step, listed)
    return copy_with(state, sight=copy_with(sight, step=sight.step if unseen else step, unseen=False))


def rearrange_steps(state: FightState) -> FightState:
    """The state once another step runs because the steps are others: without the hidden, the next would run."""
    agenda, sight = state.agenda, state.sight
    if agenda.current is None:
        return copy_with(state, sight=copy_with(sight, step=None, unseen=False))
    to_come = agenda.steps[agenda.cursor + sight.unseen :]
    step = next((step for step in to_come if _has_anybody_in_sight(state, step)), sight.step)
    return copy_with(state, sight=copy_with(sight, step=step, unseen=False))


def _has_anybody_in_sight(state: FightState, step: Step, listed: tuple[str, ...] = ()) -> bool:
    """True unless all whose step it is are hidden: its actor, those listed, or all of its side who can act."""
    called = [state.combatants[name] for name in (step.actor, *listed) if name in state.combatants]
    if not called and step.side:
        called = [
            combatant for combatant in state.combatants.values() if combatant.able and combatant.side == step.side
        ]
    return not called or not all(combatant.hidden for combatant in called)


def come_out(state: FightState, combatant: Combatant) -> FightState:
    """The state once somebody hidden is found; where the running step is theirs, players see it from now on."""
    state, step = come_into_sight(state, combatant), state.step
    return show_step(state, combatant.id) if step is not None and (step.actor or step.side) else state


def show_step(state: FightState, combatant_id: str) -> FightState:
    """The state once somebody acts in the running step: players see it, where it is theirs whom they see act."""
    step, combatant = state.step, state.combatants.get(combatant_id)
    if step is None or step == state.sight.step or combatant is None or combatant.hidden:
        return state
    theirs = step.actor in ("", combatant_id) and step.side in ("", combatant.side)
    return copy_with(state, sight=copy_with(state.sight, step=step)) if theirs else state


def runs_unseen(state: FightState) -> bool:
    """True while a step runs of which players know nothing."""
    return state.step is not None and state.step != state.sight.step
