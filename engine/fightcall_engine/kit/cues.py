"""Cues and reactions: what follows from each event at once.

Cues are read as people write them, with the names in them resolved, and said in words. They fire with an event; then
come the rules' reactions, the questions of leavers, and effects that end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias, cast

from fightcall_engine.board.base import AnyBoard, Location, places_around
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit import agenda
from fightcall_engine.kit.decision import Decision, choices, fold_first
from fightcall_engine.kit.movement import contact_events
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.records import ids_called
from fightcall_engine.model import events
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.fold import evolve, fold_all, unique_id, with_combatant
from fightcall_engine.model.json_data import place_on_board, read, to_json
from fightcall_engine.model.state import (
    ANYBODY,
    CONDITIONS,
    CUE,
    OUTCOMES,
    WHOEVER,
    Acts,
    After,
    AllOf,
    AnyOf,
    Ask,
    Choice,
    ClockReached,
    ComesWithin,
    Condition,
    Cue,
    CuePart,
    Down,
    EffectEnds,
    Enters,
    FightState,
    Interruption,
    Json,
    Leaves,
    NoneOf,
    Outcome,
    PhaseReached,
    PoolAtMost,
    Prompt,
    Propose,
    Proposed,
    RoundReached,
    Say,
    Sees,
    ShareAtMost,
)
from fightcall_engine.model.values import field_names, frozen, replace, with_fields

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

DO = "do"
"""The answer that carries out a proposed command, and the key that names the command in plain JSON."""
_NEST = (AllOf, AnyOf, NoneOf)
PEOPLE = ("who", "of", "sees", "down", "acts")
"""The fields of conditions that name combatants, squads or sides."""
_PLACES = ("enters", "leaves")


# Reading


def read_when(data: object, where: str = "when") -> Condition:
    """Read a condition from plain JSON. BadInput names `where`, and what would be accepted."""
    kind, fields = _kind_of(data, CONDITIONS, where)
    if kind in _NEST:
        name = field_names(kind)[0]
        inner, others = fields[name], tuple(key for key in fields if key != name)
        if others:
            raise BadInput(where, (f"{others[0]}: can't be combined with {name}",))
        if not isinstance(inner, list | tuple) or not inner:
            raise BadInput(where, (f"{name}: expected a list of conditions (got {inner!r})",))
        read_inner = tuple(read_when(item, f"{where}.{name}") for item in inner)
        return cast(Condition, kind(**{name: read_inner}))
    return cast(Condition, read(kind, fields, where))


def read_then(data: object, where: str = "then") -> Outcome:
    """Read an outcome from plain JSON. BadInput names `where`, and what would be accepted."""
    kind, fields = _kind_of(data, OUTCOMES, where)
    outcome = cast(Outcome, read(kind, fields, where))
    if isinstance(outcome, Ask) and len(outcome.answers) < 2:
        raise BadInput(where, ("answers: a question needs at least two",))
    if isinstance(outcome, Propose | Interruption) and not isinstance(proposal_of(outcome).get(DO), str):
        raise BadInput(where, (f'{field_names(kind)[0]}: expected a command such as {{"do": "advance"}}',))
    return outcome


def proposal_of(outcome: Propose | Interruption) -> Mapping[str, Json]:
    """The command that an outcome proposes in plain JSON, with its name under `DO`."""
    return outcome.propose if isinstance(outcome, Propose) else outcome.hold


def _kind_of(data: object, kinds: Iterable[type[CuePart]], where: str) -> tuple[type[CuePart], dict[str, Json]]:
    by_key = {field_names(kind)[0]: kind for kind in kinds}
    accepts = f"one of {', '.join(by_key)}"
    if not isinstance(data, Mapping):
        raise BadInput(where, (f"expected an object with {accepts} (got {data!r})",))
    keys = [key for key in by_key if key in data]
    if len(keys) != 1:
        problem = f"{' and '.join(keys)} together" if keys else f"has {', '.join(map(str, data)) or 'nothing'}"
        raise BadInput(where, (f"{problem}; expected {accepts}",))
    return by_key[keys[0]], {str(key): value for key, value in data.items()}


def write_part(part: CuePart) -> dict[str, Json]:
    """A condition or an outcome as plain JSON, without fields that have their default."""
    defaults = {item.name: item.default for item in fields(part)}
    changes = {name: getattr(part, name) for name in defaults if getattr(part, name) != defaults[name]}
    return {name: _write_value(value) for name, value in changes.items()}


def _write_value(value: object) -> Json:
    if isinstance(value, CuePart):
        return write_part(value)
    if isinstance(value, tuple) and value and all(isinstance(item, CuePart) for item in value):
        return [write_part(item) for item in value]
    return _without_none(to_json(value))


def _without_none(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list) else value


# Naming


def resolve_names(system: BaseSystem, state: FightState, condition: Condition) -> Condition:
    """A condition with people by id, places as the board knows them, and the pool that is meant."""
    if isinstance(condition, _NEST):
        (name,) = field_names(type(condition))
        inner = cast("tuple[Condition, ...]", getattr(condition, name))
        return with_fields(condition, {name: tuple(resolve_names(system, state, item) for item in inner)})
    names = field_names(type(condition))
    changes: dict[str, object] = {
        name: selector_of(state, getattr(condition, name)) for name in PEOPLE if name in names
    }
    changes |= {name: _places(state, getattr(condition, name)) for name in _PLACES if name in names}
    if "pool" in names and not getattr(condition, "pool", ""):
        changes["pool"] = system.health
    return with_fields(condition, changes)


def selector_of(state: FightState, name: str) -> str:
    """Whom a condition names: an id, squad, side or `ANYBODY` as it is; a label or a name as the id."""
    squads = {combatant.squad for combatant in state.combatants.values()}
    if name in state.combatants or name in squads or name == ANYBODY:
        return name
    matches = ids_called(state, name)
    return matches[0] if len(matches) == 1 else name


def _places(state: FightState, region: str | tuple[Location, ...]) -> str | tuple[Location, ...]:
    board = state.board
    if isinstance(region, str) or board is None:
        return region
    return tuple(_place(board, place) for place in place_on_board(region, board))


def _place(board: AnyBoard, place: Location) -> Location:
    try:
        return resolve_place(board, place)
    except ValueError:
        return place


def members(state: FightState, selector: str) -> tuple[str, ...]:
    """The ids of those whom a condition names, in roster order."""
    if selector in state.combatants:
        return (selector,)
    people = state.combatants.values()
    return tuple(each.id for each in people if selector in (ANYBODY, each.squad, each.side))


def is_at(state: FightState, place: Location | None, region: str | tuple[Location, ...]) -> bool:
    """True if a place is one of those meant: by itself, by the name of a zone or place, or by its ground."""
    if place is None or state.board is None:
        return False
    if not isinstance(region, str):
        return place in region
    word = region.casefold()
    return word in (state.board.name_of(place).casefold(), state.board.terrain_at(place).name.casefold())


# Saying


def condition_words(system: BaseSystem, state: FightState, condition: Condition) -> str:
    """A condition in a few words: ``round 3``, ``Goblin 1 at hp 3 or less``."""
    match condition:
        case RoundReached():
            return f"{system.words(state.settings).round} {condition.round}"
        case PhaseReached():
            phase = system.words(state.settings).phases.get(condition.phase, condition.phase)
            return phase if condition.who == ANYBODY else f"{phase} of {_name(state, condition.who)}"
        case ClockReached():
            return f"{condition.clock_s} s of game time"
        case Enters():
            return f"{_name(state, condition.who)} enters {_place_words(state, condition.enters)}"
        case Leaves():
            return f"{_name(state, condition.who)} leaves {_place_words(state, condition.leaves)}"
        case ComesWithin():
            unit = state.board.unit if state.board is not None else ""
            return f"{_name(state, condition.who)} within {condition.within:g} {unit} of {_name(state, condition.of)}"
        case Sees():
            return f"{_name(state, condition.who)} sees {_name(state, condition.sees)}"
        case PoolAtMost():
            return f"{_name(state, condition.who)} at {condition.at_most} {condition.pool} or less"
        case ShareAtMost():
            return f"{_name(state, condition.who)} at {condition.share:.0%} {condition.pool} or less"
        case Down():
            return f"{_group_name(state, condition.down, condition.count)} down"
        case Acts():
            return f"{_name(state, condition.acts)} acts"
        case EffectEnds():
            return f"{condition.effect_ends} ends on {_name(state, condition.who)}"
        case After():
            return f"after {next((cue.name for cue in state.cues if cue.id == condition.after), condition.after)}"
        case AllOf():
            return " and ".join(condition_words(system, state, item) for item in condition.all)
        case AnyOf():
            return " or ".join(condition_words(system, state, item) for item in condition.any)
        case NoneOf():
            return f"not {' nor '.join(condition_words(system, state, item) for item in condition.none)}"


def outcome_words(state: FightState, outcome: Outcome, people: Sequence[str] = ()) -> str:
    """A cue's outcome in a few words; `people` are those through whom it has come true."""
    match outcome:
        case Say():
            return outcome.say
        case Ask():
            return outcome.ask
        case Propose() | Interruption():
            return outcome.text or _command_words(state, _filled_in(proposal_of(outcome), people))


def _command_words(state: FightState, data: Mapping[str, Json]) -> str:
    """``Ysolde: strike, target Goblin 1``, ``Late goblin × 2: join``: values that are too long are left out."""
    first = "who" if "who" in data else "name"
    several = f" × {data['count']}" if data.get("count", 1) != 1 else ""
    doer = f"{_name(state, str(data[first]))}{several}: " if first in data else ""
    left_out = (DO, first, "count", "side", "rolls", "force")
    short = {key: str(value) for key, value in data.items() if isinstance(value, str | int | float) and value != ""}
    details = [f"{key} {_name(state, value)}" for key, value in short.items() if key not in left_out]
    return doer + ", ".join((str(data.get(DO)), *details))


def _name(state: FightState, selector: str) -> str:
    combatant = state.combatants.get(selector)
    return combatant.name if combatant is not None else selector


def _group_name(state: FightState, selector: str, count: int | None) -> str:
    """``2 of the goblin squad``; with no count, as any other selector."""
    if not count:
        return _name(state, selector)
    is_squad = any(combatant.squad == selector for combatant in state.combatants.values())
    return f"{count} of the {selector}{' squad' if is_squad else ''}"


def _place_words(state: FightState, region: str | tuple[Location, ...]) -> str:
    if isinstance(region, str) or state.board is None:
        return str(region)
    board = state.board
    return ", ".join(place if isinstance(place, str) else board.name_of(place) for place in region)


# Asking


def prompt_of(cue: Cue, state: FightState, text: str, people: Sequence[str]) -> Prompt:
    """The prompt of a cue that fires through some people. One that only says something is open until it is noted."""
    outcome = cue.then
    command: Mapping[str, Json] = {}
    match outcome:
        case Say():
            answers = choices("noted")
        case Ask():
            ids: list[str] = []
            for answer in outcome.answers:
                ids.append(unique_id(answer, ids))
            answers = choices(*map(Choice, ids, outcome.answers))
        case Propose() | Interruption():
            answers, command = choices(f"{DO}:do it:y", "no:not now"), _filled_in(proposal_of(outcome), people)
    doer = str(command.get("who", ""))
    fields = {key: value for key, value in command.items() if key != DO}
    held = isinstance(outcome, Interruption)
    resume = Proposed(command=str(command[DO]), fields=fields, held=held) if command else None
    return Prompt(
        id="", kind=CUE, question=text, rule=CUE, choices=answers, default=answers[0].id,
        who=doer if doer in state.combatants else "", blocking=not isinstance(outcome, Say), resume=resume,
    )  # fmt: skip


def _filled_in(proposal: Mapping[str, Json], people: Sequence[str]) -> dict[str, Json]:
    """A proposal with `WHOEVER` replaced by those through whom the cue came true, except as their own target."""
    other = next((combatant_id for combatant_id in people if combatant_id != proposal.get("who")), "")
    return {key: other if other and value == WHOEVER else value for key, value in proposal.items()}


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
    if after.status != "running" or idle or isinstance(event, _OWN):
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


def _moments(before: FightState, event: events.Event, after: FightState) -> Iterator[Moment]:
    here = before
    walker = before.combatants.get(event.who) if isinstance(event, events.Moved) else None
    if walker is not None and isinstance(event, events.Moved):
        for place in event.path[:-1]:
            there = with_combatant(before, replace(walker, at=place))
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


class SystemReactions:
    """The reactions of a system and of the kit; see `kit.decision.Reactions`."""

    __slots__ = ("_system",)

    def __init__(self, system: BaseSystem) -> None:
        self._system = system

    def fold_next(self, state: FightState, upcoming: deque[events.Event]) -> tuple[events.Event, FightState] | None:
        """The next event: nobody leaves twice, and before a step that players do not see comes `StepUnseen`."""
        event, after = fold_first(state, upcoming)
        if isinstance(event, events.LeftFight) and event.who not in state.combatants:
            return None
        if isinstance(event, _BEGINNINGS) and not state.sight.unseen and self._is_unseen(state, after, upcoming):
            upcoming.appendleft(event)
            event = events.StepUnseen()
            return event, evolve(state, event)
        return event, after

    def react(self, decision: Decision, before: FightState, event: events.Event) -> None:
        """Emit what follows from an event, in this order."""
        state = decision.state
        if state.cues:
            decision.emit(*watch(before, event, state))
        if isinstance(event, events.Restored):
            decision.emit(*_make_room(state, event))
        self._system.react(decision, event)
        if isinstance(event, events.LeftFight):
            # A leaver's own questions went with them.
            for prompt in (each for each in before.prompts if each.who == event.who):
                decision.go_on_without(prompt)
            decision.emit(*agenda.hand_over_effects(self._system, before, decision.state, event))
        elif isinstance(event, events.EffectEnded):
            decision.emit(*agenda.end_bearing(self._system, before, event, decision.state))

    def _is_unseen(self, state: FightState, after: FightState, next_events: Iterable[events.Event]) -> bool:
        """Whether a step has begun that players do not see: only the hidden act in it, or it is secret."""
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
    if state.board is None or state.shares_places:
        return False
    return any(other.at == place and other.able and other.id != combatant_id for other in state.combatants.values())


def _without_the_hidden(state: FightState) -> FightState:
    """The state in which the hidden are down, so that they neither act nor are met."""
    people = {
        combatant.id: replace(combatant, able=combatant.able and not combatant.hidden)
        for combatant in state.combatants.values()
    }
    return replace(state, combatants=people)
