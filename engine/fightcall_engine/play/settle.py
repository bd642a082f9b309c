"""Events, and all that follows from them, until quiet."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import takewhile

from fightcall_engine.kit import effects as lasting
from fightcall_engine.kit import standing
from fightcall_engine.kit.prompts import assign_id
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import Runaway
from fightcall_engine.model.events import AgendaChanged, Event, Events, FactChanged, StepBegan, StepUnseen
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.state import FightState

LONGEST_CHAIN = 5000
"""Events that one command may cause; more are a chain that does not end."""


def settle(system: BaseSystem, state: FightState, events: Iterable[Event]) -> tuple[Events, list[FightState]]:
    """Apply events and all that follows from them, until quiet. Returns the events and the state after each.

    Raises:
        Runaway: a chain that does not end.
    """
    done: list[Event] = []
    states: list[FightState] = []
    queue = tuple(events)
    while True:
        state = _follow(system, state, queue, done, states)
        queue = system.settle(state)
        if not queue:
            return tuple(done), states


def follow(system: BaseSystem, state: FightState, events: Iterable[Event]) -> tuple[Events, list[FightState]]:
    """Apply events and what they bring about, while the agenda stands still.

    Raises:
        Runaway: a chain that does not end.
    """
    done: list[Event] = []
    states: list[FightState] = []
    _follow(system, state, events, done, states)
    return tuple(done), states


def _follow(
    system: BaseSystem, state: FightState, events: Iterable[Event], done: list[Event], states: list[FightState]
) -> FightState:
    queue = deque(events)
    while queue:
        cause = assign_id(state, queue.popleft())
        if not state.sight.unseen and _is_unseen(system, state, cause, queue):
            queue.appendleft(cause)
            cause = StepUnseen()
        state = evolve(state, cause)
        done.append(cause)
        states.append(state)
        if len(done) > LONGEST_CHAIN:
            raise Runaway(tuple(event.type for event in done))
        brought = (*standing.react(state, cause), *system.react(state, cause), *lasting.react(system, state, cause))
        queue.extendleft(reversed(brought))
    return state


def _is_unseen(system: BaseSystem, state: FightState, event: Event, next_events: Iterable[Event]) -> bool:
    """True where a step begins with an event in which players would see nobody act, or learn of a secret."""
    if not isinstance(event, StepBegan | AgendaChanged):
        return False
    after = evolve(state, event)
    if after.step is None or after.sight.step != after.step or after.step == state.sight.step:
        return False
    if system.is_secret(after):
        return True
    people = after.combatants
    if not any(combatant.hidden for combatant in people.values()):
        return False
    # Facts that are settled with the step come right after it, such as who is close enough for Melee.
    waiting = system.waiting(fold_all(after, takewhile(lambda later: isinstance(later, FactChanged), next_events)))
    return bool(waiting) and all(people[combatant_id].hidden for combatant_id in waiting)
