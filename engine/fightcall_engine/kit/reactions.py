"""What follows from each event at once: cues, the rules' reactions, questions of leavers, and effects that end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import takewhile
from typing import TYPE_CHECKING

from fightcall_engine.board.base import Location, places_around
from fightcall_engine.kit import effects
from fightcall_engine.kit.contacts import contact_events
from fightcall_engine.kit.cue_watch import watch
from fightcall_engine.model.events import (
    AgendaChanged,
    Event,
    Events,
    FactChanged,
    LeftFight,
    Placed,
    Restored,
    StepBegan,
    StepUnseen,
)
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import copy_with

if TYPE_CHECKING:
    from fightcall_engine.kit.decision import Decision
    from fightcall_engine.kit.system import BaseSystem

_BEGINNINGS = (StepBegan, AgendaChanged)
"""The events that can begin a step."""


class SystemReactions:
    """The reactions of a system and of the kit; see `kit.decision.Reactions`."""

    __slots__ = ("_system",)

    def __init__(self, system: BaseSystem) -> None:
        self._system = system

    def next_event(self, state: FightState, upcoming: deque[Event]) -> Event | None:
        """The next event: nobody leaves twice, and before a step that players do not see comes `StepUnseen`."""
        event = upcoming.popleft()
        if isinstance(event, LeftFight) and event.who not in state.combatants:
            return None
        if isinstance(event, _BEGINNINGS) and not state.sight.unseen and self._is_unseen(state, event, upcoming):
            upcoming.appendleft(event)
            return StepUnseen()
        return event

    def react(self, decision: Decision, before: FightState, event: Event) -> None:
        """Emit what follows from an event, in this order."""
        state = decision.state
        decision.emit(*watch(before, event, state), *_make_room(state, event))
        self._system.react(decision, event)
        if isinstance(event, LeftFight):
            # A leaver's own questions went with them.
            for prompt in (each for each in before.prompts if each.who == event.who):
                decision.go_on_without(prompt)
        decision.emit(
            *effects.react(self._system, before, state, event),
            *effects.end_bearing(self._system, before, event, state),
        )

    def _is_unseen(self, state: FightState, event: Event, next_events: Iterable[Event]) -> bool:
        """Whether an event begins a step that players do not see: only the hidden act in it, or it is secret."""
        after = evolve(state, event)
        if after.step is None or after.sight.step != after.step or after.step == state.sight.step:
            return False
        if self._system.is_secret(after):
            return True
        if not any(combatant.hidden for combatant in after.combatants.values()):
            return False
        # Facts that belong to the step come right after it, such as who is close enough for Melee.
        later_state = fold_all(after, takewhile(lambda later: isinstance(later, FactChanged), next_events))
        return bool(self._system.waiting(later_state)) and not self._system.waiting(_without_the_hidden(later_state))


def _make_room(state: FightState, event: Event) -> Events:
    """Move a restored combatant to the nearest free place if its own is taken. `state` includes the event."""
    combatant = state.combatants.get(event.who) if isinstance(event, Restored) else None
    if combatant is None or combatant.at is None or not _is_taken(state, combatant.at, combatant.id):
        return ()
    assert state.board is not None
    places = places_around(state.board, combatant.at)
    at = next((place for place in places if not _is_taken(state, place, combatant.id)), None)
    if at is None:
        return ()
    placement = Placed(who=combatant.id, before=combatant.at, at=at, reason="the place is occupied")
    return (placement, *contact_events(state, combatant.id, at))


def _is_taken(state: FightState, place: Location, combatant_id: str) -> bool:
    """True if another able combatant stands on the place."""
    if state.board is None or state.shares_places:
        return False
    return any(other.at == place and other.able and other.id != combatant_id for other in state.combatants.values())


def _without_the_hidden(state: FightState) -> FightState:
    """The state in which the hidden are down, so that they neither act nor are met."""
    people = {
        combatant.id: copy_with(combatant, able=combatant.able and not combatant.hidden)
        for combatant in state.combatants.values()
    }
    return copy_with(state, combatants=people)
