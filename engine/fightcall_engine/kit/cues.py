"""Reading cues as people write them, resolving the names in them, and saying them in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar, cast

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.kinds import resolve_place
from fightcall_engine.kit.decision import choices
from fightcall_engine.kit.records import ids_called
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.fold import unique_id
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
    Resume,
    RoundReached,
    Say,
    Sees,
    ShareAtMost,
)
from fightcall_engine.model.values import copy_with, field_names

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

P = TypeVar("P", bound=CuePart)

DO = "do"
"""The answer that carries out a proposed command, and the key that names the command in plain JSON."""
_NEST = (AllOf, AnyOf, NoneOf)
PEOPLE = ("who", "of", "sees", "down", "acts")
"""The fields of conditions that name combatants, squads or sides."""
_PLACES = ("enters", "leaves")


class Proposed(Resume):
    """A command that is carried out if the GM accepts a cue's proposal.

    Attributes:
        command: its name.
        fields: its fields, as plain JSON.
        walker: whose walk it resumes; it is dropped if they are no longer at `here`, or cannot act.
        held: whether it was held back for this, so that it is done out of turn. Every other rule applies to it.
    """

    command: str
    fields: Mapping[str, Json]
    walker: str = ""
    here: Location | None = None
    held: bool = False

    @property
    def subjects(self) -> tuple[str, ...]:
        """The walker, if there is one."""
        return (self.walker,) if self.walker else ()


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
    """The class of a condition or outcome in plain JSON, found by the key that only this class has."""
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
    """Plain JSON without null values, as a file would have it."""
    if isinstance(value, Mapping):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list) else value


# Naming


def resolve_names(system: BaseSystem, state: FightState, condition: Condition) -> Condition:
    """A condition with people by id, places as the board knows them, and the pool that is meant."""
    if isinstance(condition, _NEST):
        (name,) = field_names(type(condition))
        inner = cast("tuple[Condition, ...]", getattr(condition, name))
        return copy_with(condition, **{name: tuple(resolve_names(system, state, item) for item in inner)})
    names = field_names(type(condition))
    changes: dict[str, object] = {
        name: selector_of(state, getattr(condition, name)) for name in PEOPLE if name in names
    }
    changes |= {name: _places(state, getattr(condition, name)) for name in _PLACES if name in names}
    if "pool" in names and not getattr(condition, "pool", ""):
        changes["pool"] = system.health
    return copy_with(condition, **changes)


def selector_of(state: FightState, name: str) -> str:
    """Whom a condition names: an id, squad, side or `ANYBODY` as it is; a label or a name as the id."""
    squads = {combatant.squad for combatant in state.combatants.values()}
    if name in state.combatants or name in squads or name == ANYBODY:
        return name
    matches = ids_called(state, name)
    return matches[0] if len(matches) == 1 else name


def _places(state: FightState, region: str | tuple[Location, ...]) -> str | tuple[Location, ...]:
    """Places as the board knows them; unknown ones as they are written."""
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
    return Prompt(
        id="",
        kind=CUE,
        question=text,
        rule=CUE,
        choices=answers,
        default=answers[0].id,
        who=doer if doer in state.combatants else "",
        blocking=not isinstance(outcome, Say),
        resume=Proposed(command=str(command[DO]), fields=fields, held=held) if command else None,
    )


def _filled_in(proposal: Mapping[str, Json], people: Sequence[str]) -> dict[str, Json]:
    """A proposal with `WHOEVER` replaced by those through whom the cue came true, except as their own target."""
    other = next((combatant_id for combatant_id in people if combatant_id != proposal.get("who")), "")
    return {key: other if other and value == WHOEVER else value for key, value in proposal.items()}
