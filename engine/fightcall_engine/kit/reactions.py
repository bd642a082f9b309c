"""What follows from each event at once: cues, the rules' reactions, questions of leavers, and effects that end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from fightcall_engine.board.base import Location, places_around
from fightcall_engine.kit import agenda
from fightcall_engine.kit.cues import is_at, members, outcome_words, prompt_of
from fightcall_engine.kit.decision import Fold
from fightcall_engine.kit.movement import contact_events
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.model import events
from fightcall_engine.model.fold import evolve, fold_all, with_combatant
from fightcall_engine.model.state import (
    ANYBODY,
    Acts,
    After,
    AllOf,
    AnyOf,
    ClockReached,
    ComesWithin,
    Condition,
    Cue,
    Down,
    EffectEnds,
    Enters,
    FightState,
    Leaves,
    NoneOf,
    PhaseReached,
    PoolAtMost,
    RoundReached,
    Sees,
    ShareAtMost,
)
from fightcall_engine.model.values import copy_with, frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.decision import Decision
    from fightcall_engine.kit.system import BaseSystem


Reason: TypeAlias = tuple[str | int, ...]
Reasons: TypeAlias = frozenset[Reason]

_NONE: Reasons = frozenset()
_ITSELF: Reasons = frozenset({()})
"""The reason of a condition that is about nobody, such as a round."""
_OWN = (events.CueSet, events.CueDropped, events.CueFired)


@frozen
class Moment:
    """What a condition is evaluated in: the states before and after an event, and the event.

    Attributes:
        at: the place on the way at which a walker is looked at, while the state has it at the end; None otherwise.
    """

    before: FightState
    now: FightState
    event: events.Event | None = None
    at: Location | None = None


def still(state: FightState) -> Moment:
    """A moment in which nothing happens."""
    return Moment(state, state)


# Conditions


def reasons(condition: Condition, moment: Moment) -> Reasons:
    """For whom, or by what, a condition holds; empty if it does not hold."""
    state, event = moment.now, moment.event
    match condition:
        case RoundReached():
            return _reasons_if(state.round >= condition.round)
        case PhaseReached():
            return _reasons_if(_is_running(state, condition))
        case ClockReached():
            return _reasons_if(state.clock_s >= condition.clock_s)
        case Enters():
            return _for_whom(state, condition.who, lambda who: is_at(state, state.combatants[who].at, condition.enters))
        case Leaves():
            before = moment.before
            were = (who for who in members(before, condition.who) if _stands(before, who, condition.leaves))
            return frozenset((who,) for who in were if not _stands(state, who, condition.leaves))
        case ComesWithin():
            return _pairs(
                state, condition.who, condition.of, lambda who, of: _is_near(state, who, of, condition.within)
            )
        case Sees():
            return _pairs(state, condition.who, condition.sees, lambda who, of: _sees(state, who, of))
        case PoolAtMost():
            return _for_whom(state, condition.who, lambda who: _points(state, who, condition.pool) <= condition.at_most)
        case ShareAtMost():
            share, pool = condition.share, condition.pool
            return _for_whom(state, condition.who, lambda who: _points(state, who, pool, is_share=True) <= share)
        case Down():
            people = members(state, condition.down)
            down_count = sum(not state.combatants[who].able for who in people)
            return _reasons_if(bool(people) and down_count >= (condition.count or len(people)))
        case Acts():
            actor = event.subject_id if event is not None and event.is_deed() else ""
            return frozenset({(actor,)}) if actor in members(state, condition.acts) else _NONE
        case EffectEnds():
            name = condition.effect_ends.casefold()
            bearer = event.who if isinstance(event, events.EffectEnded) and event.name.casefold() == name else ""
            return frozenset({(bearer,)}) if bearer in members(state, condition.who) else _NONE
        case After():
            return _reasons_if(all(cue.id != condition.after for cue in state.cues))
        case AllOf():
            parts = [reasons(item, moment) for item in condition.all]
            return _number_reasons(parts) if all(parts) else _NONE
        case AnyOf():
            return _number_reasons([reasons(item, moment) for item in condition.any])
        case NoneOf():
            return _reasons_if(not any(reasons(item, moment) for item in condition.none))


def _reasons_if(holds: bool) -> Reasons:
    return _ITSELF if holds else _NONE


def _number_reasons(reasons: list[Reasons]) -> Reasons:
    return frozenset((number, *reason) for number, each in enumerate(reasons) for reason in each)


def _for_whom(state: FightState, selector: str, holds: Callable[[str], bool]) -> Reasons:
    return frozenset((who,) for who in members(state, selector) if holds(who))


def _pairs(state: FightState, selector: str, other: str, holds: Callable[[str, str], bool]) -> Reasons:
    return frozenset(
        (who, of)
        for of in members(state, other)
        for who in members(state, selector)
        if who != of and state.combatants[who].able and holds(who, of)
    )


def _is_running(state: FightState, condition: PhaseReached) -> bool:
    step, word, who = state.step, condition.phase.casefold(), condition.who
    if step is None or (who not in (ANYBODY, step.side) and step.actor not in members(state, who)):
        return False
    name = system_of(state).words(state.settings).phases.get(step.phase, "")
    return word in (text.casefold() for text in (step.phase, name, step.id, step.title))


def _stands(state: FightState, combatant_id: str, region: str | tuple[Location, ...]) -> bool:
    combatant = state.combatants.get(combatant_id)
    return combatant is not None and is_at(state, combatant.at, region)


def _is_near(state: FightState, combatant_id: str, other_id: str, most: float) -> bool:
    """Whether two are within a distance: as the board measures it; without a board, only if they are in contact."""
    here, there = state.combatants[combatant_id].at, state.combatants[other_id].at
    if state.board is None or here is None or there is None:
        return state.in_contact(combatant_id, other_id)
    return state.board.length(here, there) <= most


def _sees(state: FightState, combatant_id: str, other_id: str) -> bool:
    here, there = state.combatants[combatant_id].at, state.combatants[other_id].at
    if state.combatants[other_id].hidden or state.board is None or here is None or there is None:
        return False
    return state.board.sees(here, there)


def _points(state: FightState, combatant_id: str, pool: str, *, is_share: bool = False) -> float:
    points = state.combatants[combatant_id].pools.get(pool)
    if points is None or (is_share and points.max == 0):
        return float("inf")
    return points.now / points.max if is_share else points.now


# Watching


def watch(before: FightState, event: events.Event, after: FightState) -> events.Events:
    """The events of the cues that fire with an event, given the states before and after it."""
    idle = after is before and not event.is_deed()
    if not after.cues or after.status != "running" or idle or isinstance(event, _OWN):
        return ()
    new_events: list[events.Event] = []
    fired_ids: set[str] = set()
    for moment in _moments(before, event, after):
        for cue in after.cues:
            if cue.id in fired_ids and not cue.each_time:
                continue
            now = reasons(cue.when, moment)
            new = now - reasons(cue.when, still(moment.before)) if now else now
            if new:
                fired_ids.add(cue.id)
                new_events += _fire(cue, moment, new, event, after)
    return tuple(new_events)


def holds_up(folds: Iterable[Fold]) -> bool:
    """True if a cue has asked something by these events, so that a command that runs on must stop."""
    return any(
        isinstance(event, events.RulingAsked) and event.prompt.blocking
        for before, cause, after in folds
        for event in watch(before, cause, after)
    )


def _moments(before: FightState, event: events.Event, after: FightState) -> Iterator[Moment]:
    """The moments of an event: a walk has one for each place, every other event just one."""
    here = before
    walker = before.combatants.get(event.who) if isinstance(event, events.Moved) else None
    if walker is not None and isinstance(event, events.Moved):
        for place in event.path[:-1]:
            there = with_combatant(before, copy_with(walker, at=place))
            yield Moment(here, there, at=place)
            here = there
    yield Moment(here, after, event)


def _fire(cue: Cue, moment: Moment, new: Reasons, event: events.Event, after: FightState) -> events.Events:
    people = sorted({str(word) for reason in new for word in reason if word in after.combatants})
    cause = event.subject_id
    if cause in people or (not people and cause in after.combatants):
        people = [cause, *(combatant_id for combatant_id in people if combatant_id != cause)]
    outcome = text = outcome_words(after, cue.then, people)
    if moment.at is not None and after.board is not None and people:
        text = f"{outcome} ({after.combatants[people[0]].name} at {after.board.name_of(moment.at)})"
    firing = events.CueFired(cue=cue.id, name=cue.name, text=outcome, by=next(iter(people), ""), at=moment.at)
    return (firing, events.RulingAsked(prompt=prompt_of(cue, after, text, people)))


_BEGINNINGS = (events.StepBegan, events.AgendaChanged)
"""The events that can begin a step."""


class SystemReactions:
    """The reactions of a system and of the kit; see `kit.decision.Reactions`."""

    __slots__ = ("_system",)

    def __init__(self, system: BaseSystem) -> None:
        self._system = system

    def next_event(self, state: FightState, upcoming: deque[events.Event]) -> events.Event | None:
        """The next event: nobody leaves twice, and before a step that players do not see comes `StepUnseen`."""
        event = upcoming.popleft()
        if isinstance(event, events.LeftFight) and event.who not in state.combatants:
            return None
        if isinstance(event, _BEGINNINGS) and not state.sight.unseen and self._is_unseen(state, event, upcoming):
            upcoming.appendleft(event)
            return events.StepUnseen()
        return event

    def react(self, decision: Decision, before: FightState, event: events.Event) -> None:
        """Emit what follows from an event, in this order."""
        state = decision.state
        decision.emit(*watch(before, event, state))
        if isinstance(event, events.Restored):
            decision.emit(*_make_room(state, event))
        self._system.react(decision, event)
        if isinstance(event, events.LeftFight):
            # A leaver's own questions went with them.
            for prompt in (each for each in before.prompts if each.who == event.who):
                decision.go_on_without(prompt)
            decision.emit(*agenda.hand_over_effects(self._system, before, state, event))
        elif isinstance(event, events.EffectEnded):
            decision.emit(*agenda.end_bearing(self._system, before, event, state))

    def _is_unseen(self, state: FightState, event: events.Event, next_events: Iterable[events.Event]) -> bool:
        """Whether an event begins a step that players do not see: only the hidden act in it, or it is secret."""
        after = evolve(state, event)
        if after.step is None or after.sight.step != after.step or after.step == state.sight.step:
            return False
        if self._system.is_secret(after):
            return True
        if not any(combatant.hidden for combatant in after.combatants.values()):
            return False
        # Facts that belong to the step come right after it, such as who is close enough for Melee.
        later_state = fold_all(after, takewhile(lambda later: isinstance(later, events.FactChanged), next_events))
        return bool(self._system.waiting(later_state)) and not self._system.waiting(_without_the_hidden(later_state))


def _make_room(state: FightState, event: events.Restored) -> events.Events:
    """Move a restored combatant to the nearest free place if its own is taken. `state` includes the event."""
    combatant = state.combatants.get(event.who)
    if combatant is None or combatant.at is None or not _is_taken(state, combatant.at, combatant.id):
        return ()
    assert state.board is not None
    places = places_around(state.board, combatant.at)
    at = next((place for place in places if not _is_taken(state, place, combatant.id)), None)
    if at is None:
        return ()
    placement = events.Placed(who=combatant.id, before=combatant.at, at=at, reason="the place is occupied")
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
