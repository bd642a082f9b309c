"""Applying events with all their reactions, and letting the agenda move, until nothing more happens."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import takewhile

from fightcall_engine.kit import effects, standing
from fightcall_engine.kit.cue_watch import watch
from fightcall_engine.kit.decision import Decision, Fold
from fightcall_engine.kit.prompts import ask_next_in_chains, assign_id
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Runaway
from fightcall_engine.model.events import AgendaChanged, Event, Events, FactChanged, LeftFight, StepBegan, StepUnseen
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import copy_with
from fightcall_engine.play.hazards import harm_by_ground

_BEGINNINGS = (StepBegan, AgendaChanged)
"""The events that can begin a step."""
LONGEST_CHAIN = 5000
"""The most events of one command: more are taken for an endless chain."""


def settle(
    system: BaseSystem,
    state: FightState,
    events: Iterable[Event],
    dice: Dice,
    folds: Iterable[Fold] = (),
    earlier: Iterable[Event] = (),
) -> tuple[Events, list[FightState]]:
    """Apply events and their reactions, and let the agenda move. Returns the events and the state after each.

    Args:
        system: the rules.
        state: the fight.
        events: what happens.
        dice: the command's dice, for rolls of the agenda.
        folds: the states around these events from deciding them (`Decision.folds`), so that they need not be folded
            again as long as no reaction comes between.
        earlier: what the command has caused before, already applied.

    Raises:
        Runaway: a chain that does not end.
        NeedsDice: the table owes a roll of the agenda's.
    """
    caused_events: list[Event] = []
    states: list[FightState] = []
    queue, happened = tuple(events), tuple(earlier)
    while True:
        if queue:
            place = len(caused_events)
            state = _follow(system, state, queue, caused_events, states, folds)
            happened = (*happened, *caused_events[place:])
        by_itself = Decision(state, dice)
        harm_by_ground(system, by_itself, happened)
        happened = ()
        if not by_itself.events:
            system.settle_step(by_itself)
        queue, folds = by_itself.events, by_itself.folds
        if not queue:
            return tuple(caused_events), states


def follow(
    system: BaseSystem, state: FightState, events: Iterable[Event], folds: Iterable[Fold] = ()
) -> tuple[Events, list[FightState]]:
    """Apply events and their reactions, without moving the agenda; `folds` as in `settle`.

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
        if isinstance(cause, LeftFight) and cause.who not in state.combatants:
            continue
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
            *ask_next_in_chains(before, cause, state),
            *effects.react(system, before, state, cause),
            *effects.end_bearing(system, before, cause, state),
        )
        if reactions:
            queue.extendleft(reversed(reactions))
    return state


def _is_unseen(system: BaseSystem, state: FightState, event: Event, next_events: Iterable[Event]) -> bool:
    """Whether an event begins a step that players do not see: only the hidden act in it, or it is secret."""
    after = evolve(state, event)
    if after.step is None or after.sight.step != after.step or after.step == state.sight.step:
        return False
    if system.is_secret(after):
        return True
    if not any(combatant.hidden for combatant in after.combatants.values()):
        return False
    # Facts that belong to the step come right after it, such as who is close enough for Melee.
    later_state = fold_all(after, takewhile(lambda later: isinstance(later, FactChanged), next_events))
    return bool(system.waiting(later_state)) and not system.waiting(_without_the_hidden(later_state))


def _without_the_hidden(state: FightState) -> FightState:
    """The state in which the hidden are down, so that they neither act nor are met."""
    people = {
        combatant.id: copy_with(combatant, able=combatant.able and not combatant.hidden)
        for combatant in state.combatants.values()
    }
    return copy_with(state, combatants=people)
