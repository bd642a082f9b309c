"""Events, and all that follows from them, until quiet."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import takewhile

from fightcall_engine.kit import effects, standing
from fightcall_engine.kit.cue_watch import watch
from fightcall_engine.kit.decision import Decision, Fold
from fightcall_engine.kit.prompts import assign_id
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Runaway
from fightcall_engine.model.events import AgendaChanged, Event, Events, FactChanged, StepBegan, StepUnseen
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import copy_with

_BEGINNINGS = (StepBegan, AgendaChanged)
"""The events with which a step may begin."""
LONGEST_CHAIN = 5000
"""Events that one command may cause; more are a chain that does not end."""


def settle(
    system: BaseSystem, state: FightState, events: Iterable[Event], dice: Dice, folds: Iterable[Fold] = ()
) -> tuple[Events, list[FightState]]:
    """Apply events and all that follows from them, until quiet. Returns the events and the state after each.

    Args:
        system: the rules.
        state: the fight.
        events: what happens.
        dice: those of the command, for what the agenda throws.
        folds: what deciding these events has found out already, see `Decision`: as long as nothing else comes between
            them, none of them is folded twice.

    Raises:
        Runaway: a chain that does not end.
        NeedsDice: the table owes a throw of the agenda's.
    """
    caused_events: list[Event] = []
    states: list[FightState] = []
    queue = tuple(events)
    while True:
        if queue:
            state = _follow(system, state, queue, caused_events, states, folds)
        by_itself = Decision(state, dice)
        system.settle_step(by_itself)
        queue, folds = by_itself.events, by_itself.folds
        if not queue:
            return tuple(caused_events), states


def follow(
    system: BaseSystem, state: FightState, events: Iterable[Event], folds: Iterable[Fold] = ()
) -> tuple[Events, list[FightState]]:
    """Apply events and what they bring about, while the agenda stands still; `folds` as in `settle`.

    Raises:
        Runaway: a chain that does not end.
    """
    caused_events: list[Event] = []
    states: list[FightState] = []
    _follow(system, state, events, caused_events, states, folds)
    return tuple(caused_events), states


def _follow(
    system: BaseSystem,
    state: FightState,
    events: Iterable[Event],
    caused_events: list[Event],
    states: list[FightState],
    folds: Iterable[Fold] = (),
) -> FightState:
    queue, ready_folds = deque(events), deque(folds)
    while queue:
        cause = assign_id(state, queue.popleft())
        if isinstance(cause, _BEGINNINGS) and not state.sight.unseen and _is_unseen(system, state, cause, queue):
            queue.appendleft(cause)
            cause = StepUnseen()
        is_known = bool(ready_folds) and ready_folds[0][0] is state and ready_folds[0][1] is cause
        before, state = state, ready_folds.popleft()[2] if is_known else evolve(state, cause)
        caused_events.append(cause)
        states.append(state)
        if len(caused_events) > LONGEST_CHAIN:
            raise Runaway(tuple(event.type for event in caused_events))
        reactions = (
            *watch(before, cause, state),
            *standing.react(state, cause),
            *system.react(state, cause),
            *effects.react(system, state, cause),
        )
        if reactions:
            queue.extendleft(reversed(reactions))
    return state


def _is_unseen(system: BaseSystem, state: FightState, event: Event, next_events: Iterable[Event]) -> bool:
    """True where a step begins with an event in which, but for the hidden, nobody would act, or a secret is told."""
    after = evolve(state, event)
    if after.step is None or after.sight.step != after.step or after.step == state.sight.step:
        return False
    if system.is_secret(after):
        return True
    if not any(combatant.hidden for combatant in after.combatants.values()):
        return False
    # Facts that are settled with the step come right after it, such as who is close enough for Melee.
    later_state = fold_all(after, takewhile(lambda later: isinstance(later, FactChanged), next_events))
    return bool(system.waiting(later_state)) and not system.waiting(_without_the_hidden(later_state))


def _without_the_hidden(state: FightState) -> FightState:
    """The state as if the hidden could do nothing, nor be met by anybody."""
    people = {
        combatant.id: copy_with(combatant, able=combatant.able and not combatant.hidden)
        for combatant in state.combatants.values()
    }
    return copy_with(state, combatants=people)
