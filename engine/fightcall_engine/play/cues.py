"""Making cues from the plain JSON of commands, reading what they propose, and checking that they can fire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TYPE_CHECKING, cast

from fightcall_engine.board.base import Location
from fightcall_engine.kit.cues import (
    DO,
    PEOPLE,
    condition_words,
    is_at,
    members,
    proposal_of,
    read_then,
    read_when,
    resolve_names,
    selector_of,
)
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.records import ids_called
from fightcall_engine.model.commands import Command, Join, SetCue
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.fold import slug, unique_id
from fightcall_engine.model.state import (
    ANYBODY,
    WHOEVER,
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
    Interruption,
    Json,
    Leaves,
    NoneOf,
    Outcome,
    PhaseReached,
    PoolAtMost,
    Propose,
    RoundReached,
    Sees,
    ShareAtMost,
)
from fightcall_engine.model.values import field_names, replace
from fightcall_engine.play.codec import codec_of

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def command_named(state: FightState, name: str, fields: Mapping[str, Json]) -> Command:
    """The command that a cue proposes. Raises Refused: there is none of this name; BadInput: a field is wrong."""
    return codec_of(system_of(state)).command(name, fields)


def command_of(state: FightState, data: Mapping[str, Json]) -> Command:
    """The command that a cue proposes, from plain JSON with its name under `DO`."""
    return command_named(state, str(data[DO]), {key: value for key, value in data.items() if key != DO})


def cue_of(system: BaseSystem, state: FightState, command: SetCue) -> Cue:
    """The cue that a command sets, with its people and places resolved. Raises BadInput: what is wrong with it."""
    when = resolve_names(system, state, read_when(command.when))
    outcome = _filled_in(state, read_then(command.then))
    name = command.name or condition_words(system, state, when)
    cue_id = command.id or unique_id(name, {cue.id for cue in state.cues})
    return Cue(id=cue_id, name=name, when=when, then=outcome, each_time=command.each_time)


def _filled_in(state: FightState, then: Outcome) -> Outcome:
    """An outcome with its command checked. A join `like` another combatant gets its sheet."""
    if not isinstance(then, Propose | Interruption):
        return then
    data = dict(proposal_of(then))
    model = data.pop("like", None)
    if model is not None:
        like = state.combatants.get(selector_of(state, str(model)))
        if like is None:
            raise BadInput("then", (f"like: no one is named {model!r}; accepted: {', '.join(state.combatants)}",))
        stem, _, number = like.name.rpartition(" ")
        plain = stem if like.squad and number.isdecimal() else like.name
        data = {"name": f"Late {plain}", "side": like.side, "sheet": like.sheet, **data}
    try:
        command_of(state, data)
    except Refused as no:
        raise BadInput("then", (f"do: {no.message}",)) from no
    except BadInput as bad:
        raise BadInput("then", bad.problems) from bad
    return replace(then, propose=data) if isinstance(then, Propose) else replace(then, hold=data)


# Checking that a cue can ever fire


class Fate(Enum):
    """Whether a condition can change from false to true."""

    MAY = "may"
    NEVER = "never"
    ALWAYS = "always"


Verdict = tuple[Fate, str]
"""Whether a condition can come true, and if not, why."""
_MAY: Verdict = (Fate.MAY, "")
_NAMED = ("who", "target", "enemy", "targets", "halved", "along")


def names_of_joiners(waiting: Iterable[Cue]) -> frozenset[str]:
    """The ids, names and squads of those whom cues may bring into the fight."""
    names: set[str] = set()
    for cue in waiting:
        if isinstance(cue.then, Propose | Interruption):
            data = proposal_of(cue.then)
            name, count = str(data.get("name", "")), data.get("count", 1)
            joiner_id = str(data.get("id") or slug(name))
            if name and isinstance(count, int):
                numbered_names = {f"{joiner_id}-{number}" for number in range(1, count + 1)} if count > 1 else set()
                names |= {joiner_id, name, str(data.get("squad") or joiner_id), *numbered_names}
    return frozenset(names)


def problems_of(
    system: BaseSystem, state: FightState, cue: Cue, coming: frozenset[str] = frozenset()
) -> tuple[str, ...]:
    """Why a cue can never fire, or its proposal never be carried out; empty if both are possible.

    The names in the cue are resolved. `coming` are those who will join; see `names_of_joiners`.
    """
    fate, why = _Judge(system, state, coming).judge(cue.when)
    problems = [] if fate is Fate.MAY else [f"it can never come true: {why}"]
    if isinstance(cue.then, Propose | Interruption):
        problems += _strangers(state, proposal_of(cue.then), coming)
        problems += _missing_triggers(state, cue, proposal_of(cue.then))
    return tuple(problems)


def _strangers(state: FightState, data: Mapping[str, Json], coming: frozenset[str]) -> Iterator[str]:
    if isinstance(command_of(state, data), Join):
        return
    for field in _NAMED:
        value = data.get(field)
        for name in value if isinstance(value, list | tuple) else (value,):
            is_known = name in (None, "", WHOEVER) or name in coming
            if isinstance(name, str) and not is_known and not ids_called(state, name):
                accepts = ", ".join(state.combatants) or "no one"
                yield f"{data[DO]}: {field}: no one is named {name!r}; accepted: {accepts}"


def _missing_triggers(state: FightState, cue: Cue, data: Mapping[str, Json]) -> Iterator[str]:
    """Why a proposed command has no `WHOEVER`: nobody makes the condition come true, or only the actor does."""
    fields = [field for field, value in data.items() if value == WHOEVER]
    people = _triggers(state, cue.when)
    if fields and people is not None and not people - {str(data.get("who", ""))}:
        who = f"only {', '.join(sorted(people))}" if people else "no one"
        yield f"{data[DO]}: {fields[0]}: {who} triggers this cue, so {WHOEVER!r} can't be used; accepted: a name"


def _triggers(state: FightState, condition: Condition) -> frozenset[str] | None:
    """The ids of those who can make a condition come true; None if it can be anybody, such as somebody of a side."""
    parts: list[frozenset[str] | None]
    match condition:
        case AllOf():
            parts = [_triggers(state, item) for item in condition.all]
        case AnyOf():
            parts = [_triggers(state, item) for item in condition.any]
        case RoundReached() | PhaseReached() | ClockReached():
            parts = []
        case NoneOf() | After():
            parts = [None]
        case _:
            names = [cast(str, getattr(condition, field)) for field in PEOPLE if field in field_names(type(condition))]
            parts = [frozenset({name}) if name in state.combatants else None for name in names]
    known = [part for part in parts if part is not None]
    return frozenset[str]().union(*known) if len(known) == len(parts) else None


class _Judge:
    def __init__(self, system: BaseSystem, state: FightState, coming: frozenset[str]) -> None:
        self._system = system
        self._state = state
        self._coming = coming

    def judge(self, condition: Condition) -> Verdict:
        """Whether a condition can change from false to true; if not, why."""
        match condition:
            case AllOf():
                return self._judge_all(condition.all, Fate.NEVER, Fate.ALWAYS)
            case AnyOf():
                return self._judge_all(condition.any, Fate.ALWAYS, Fate.NEVER)
            case NoneOf():
                verdicts = [self.judge(item) for item in condition.none]
                always = next((why for fate, why in verdicts if fate is Fate.ALWAYS), None)
                if always is not None:
                    return Fate.NEVER, always
                if all(fate is Fate.NEVER for fate, _ in verdicts):
                    return Fate.ALWAYS, f"it lists something that can never happen: {verdicts[0][1]}"
                if all(map(_is_momentary, condition.none)):
                    return Fate.ALWAYS, "momentary conditions can't be combined this way"
                return _MAY
        stranger = self._stranger(condition)
        if stranger:
            return Fate.NEVER, stranger
        match condition:
            case RoundReached():
                is_past = self._state.round >= condition.round
                return (Fate.ALWAYS, f"round {condition.round} has already begun") if is_past else _MAY
            case ClockReached():
                is_past = self._state.clock_s >= condition.clock_s
                return (Fate.ALWAYS, f"second {condition.clock_s} has already passed") if is_past else _MAY
            case PhaseReached():
                names = self._system.words(self._state.settings).phases
                phases = {*names, *names.values(), *self._system.phases}
                phases |= {text for step in self._state.agenda.steps for text in (step.id, step.phase, step.title)}
                substep, phase = self._system.substep, condition.phase.casefold()
                if phase in map(str.casefold, phases) or (substep and phase.startswith(substep)):
                    return _MAY
                return Fate.NEVER, f"there is no phase {condition.phase!r}; accepted: {', '.join(names) or 'none'}"
            case Enters():
                return self._place(condition.enters)
            case Leaves():
                return self._place(condition.leaves)
            case ComesWithin():
                return self._distance(condition)
            case Sees():
                return _MAY if self._state.board is not None else (Fate.NEVER, "without a board, no one can be seen")
            case PoolAtMost():
                return self._pool(condition.who, condition.pool, condition.at_most)
            case ShareAtMost():
                if not 0 <= condition.share < 1:
                    accepted = "accepted: 0 up to (not including) 1, such as 0.5 for half"
                    return Fate.NEVER, f"a share of {condition.share:g}; {accepted}"
                return self._pool(condition.who, condition.pool, 0)
            case Down():
                people, count = members(self._state, condition.down), condition.count
                if count is not None and (count < 1 or (count > len(people) and condition.down not in self._coming)):
                    return Fate.NEVER, f"{count} of {len(people)}; accepted: 1 to {len(people)}"
                return _MAY
            case EffectEnds():
                return _MAY if condition.effect_ends.strip() else (Fate.NEVER, "an effect without a name")
            case After():
                cue_ids = [cue.id for cue in self._state.cues]
                unknown = f"no pending cue is named {condition.after!r}; accepted: {', '.join(cue_ids) or 'none yet'}"
                return _MAY if condition.after in cue_ids else (Fate.NEVER, unknown)
            case _:
                return _MAY

    # Several conditions

    def _judge_all(self, conditions: tuple[Condition, ...], decisive: Fate, other: Fate) -> Verdict:
        """That of the first with the `decisive` fate; else that of the first if all have the `other` one."""
        verdicts = [self.judge(item) for item in conditions]
        first = next((verdict for verdict in verdicts if verdict[0] is decisive), None)
        return first or (verdicts[0] if all(fate is other for fate, _ in verdicts) else _MAY)

    # People and places

    def _stranger(self, condition: Condition) -> str:
        for field in PEOPLE:
            if field in field_names(type(condition)):
                name = cast(str, getattr(condition, field))
                if name == ANYBODY or members(self._state, name) or name in self._coming:
                    continue
                squads = {combatant.squad for combatant in self._state.combatants.values()} - {""}
                names = (*self._state.combatants, *sorted(squads), *self._system.sides, ANYBODY)
                empty = f"no one is on the side {name}" if name in self._system.sides else f"no one is named {name!r}"
                return f"{field}: {empty}; accepted: {', '.join(names)}"
        return ""

    def _place(self, region: str | tuple[Location, ...]) -> Verdict:
        board = self._state.board
        if board is None:
            return Fate.NEVER, "there is no board"
        if not isinstance(region, str):
            off_board = Fate.NEVER, f"none of its places is on the board, which has {board.extent()}"
            return _MAY if frozenset(board.places()).intersection(region) else off_board
        if any(is_at(self._state, place, region) for place in board.places()):
            return _MAY
        return Fate.NEVER, f"the board has no place or terrain named {region!r}"

    def _distance(self, condition: ComesWithin) -> Verdict:
        if condition.within < 0:
            return Fate.NEVER, f"within {condition.within:g}"
        pairs = {
            (who, of)
            for who in members(self._state, condition.who)
            for of in members(self._state, condition.of)
            if who != of
        }
        alone = not pairs and not {condition.who, condition.of} & self._coming and condition.who != ANYBODY
        return (Fate.NEVER, "a combatant can't approach itself") if alone else _MAY

    # Numbers

    def _pool(self, who: str, pool: str, most: int) -> Verdict:
        people = [self._state.combatants[combatant_id] for combatant_id in members(self._state, who)]
        if self._coming:
            return _MAY
        having = [combatant.pools[pool] for combatant in people if pool in combatant.pools]
        if people and not having:
            pools = sorted({name for combatant in people for name in combatant.pools})
            return Fate.NEVER, f"pool: {who} has no {pool!r}; accepted: {', '.join(pools) or 'none'}"
        if most < 0:
            return Fate.NEVER, f"at most {most}; accepted: 0 or more"
        if having and all(pool_now.max <= most for pool_now in having):
            return Fate.ALWAYS, f"{who} never has more than {most} of {pool}"
        return _MAY


def _is_momentary(condition: Condition) -> bool:
    match condition:
        case Acts() | Leaves() | EffectEnds():
            return True
        case AllOf():
            return any(map(_is_momentary, condition.all))
        case AnyOf():
            return all(map(_is_momentary, condition.any))
    return False
