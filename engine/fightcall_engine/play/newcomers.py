"""Combatants: making those who join, squads of identical ones, and adjusting by hand what a combatant has.

Nothing is recorded when a combatant splits off from its squad: it follows from the state. Members that differ from the
others in what matters are apart, until they are alike again.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from types import NoneType
from typing import TYPE_CHECKING

from fightcall_engine.kit.decision import Situation
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.records import change_side_pool, combatant_of, plain_types, words_of_fields
from fightcall_engine.kit.views import Referee
from fightcall_engine.model.commands import Adjust, Command, Join
from fightcall_engine.model.errors import BadInput, FieldValue, Refused
from fightcall_engine.model.events import (
    ClockAdvanced,
    Detected,
    Downed,
    EntryChanged,
    Event,
    Events,
    FactChanged,
    Hid,
    PoolAdjusted,
    Renamed,
    Restored,
    Returned,
    SheetChanged,
    SidePoolAdjusted,
    TraitAdjusted,
    TraitChanged,
)
from fightcall_engine.model.fold import free_label, slug, unique_id
from fightcall_engine.model.state import (
    BOLD,
    PROTECTS,
    STYLE_WORDS,
    Combatant,
    Effect,
    FightState,
    Json,
    Pool,
    Scalar,
    Style,
    fields_of_record,
)
from fightcall_engine.model.values import field_names, replace

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


LONGEST_NAME = 200
_ID = re.compile(r"[\w-]{1,60}")


def new_combatants(system: BaseSystem, state: FightState, join: Join) -> tuple[Combatant, ...]:
    """The combatants a `Join` brings, with ids, labels, pools and records.

    Raises Refused: a side, a place or an id is not accepted; BadInput: a sheet is wrong.
    """
    _check_join(system, state, join)
    side = join.side or system.sides[0]
    try:
        style = style_called(join.fights)
    except ValueError as error:
        raise Refused("fights", str(error), STYLE_WORDS, final=True) from None
    sheet = system.check_sheet(join.sheet, join.name or join.id or "combatant", state.settings)
    pools = system.starting_pools(state.settings, join, sheet)
    health = pools.get(system.health)
    record = system.starting_record(state.settings, join, sheet)
    squad = join.squad or squad_of(join.id or join.name, join.count, state.combatants.values())
    ids, labels = {*state.combatants, *state.gone}, {combatant.label for combatant in state.combatants.values()}
    combatants: list[Combatant] = []
    names = itertools.islice(free_names(state, join.name), join.count) if join.count > 1 else (join.name,)
    for number, name in enumerate((name[:LONGEST_NAME] for name in names), 1):
        own_id = join.id if join.count == 1 else ""
        combatant_id = own_id or unique_id(f"{join.id}-{number}" if join.id else name, ids)
        label = join.label.upper() if join.label and join.count == 1 else ""
        if not label or any(label.startswith(other) or other.startswith(label) for other in labels):
            label = free_label(name, labels, numbers_first=side != system.sides[0])
        ids.add(combatant_id)
        labels.add(label)
        first = join.at if number == 1 or state.shares_places else None
        at = join.places[number - 1] if join.places else first
        combatants.append(
            Combatant(
                combatant_id,
                label,
                name,
                side,
                sheet,
                pools,
                at=at,
                facing=join.facing,
                able=health is None or health.now > 0,
                hidden=join.hidden,
                squad=squad,
                record=record,
                fights=style,
            )
        )
    return tuple(combatants)


def style_called(text: str) -> Style:
    """How a combatant fights: a word, and after ``protects`` the id or name of whom. Raises ValueError: it is none."""
    typed, _, name = text.strip().partition(" ")
    word, ward = next((each for each in STYLE_WORDS if each == typed.casefold()), None), name.strip()
    if not typed:
        return BOLD
    if word is None or (word == PROTECTS) is not bool(ward):
        accepts = ", ".join(f"{each} and a name" if each == PROTECTS else each for each in STYLE_WORDS)
        raise ValueError(f"{text!r} isn't understood; accepted: {accepts}")
    return Style(word, slug(ward) if ward else "")


def who_returns(system: BaseSystem, state: FightState, join: Join) -> Returned | None:
    """The event of a combatant coming back, if a `Join` means one who has left; see `Join`.

    What belonged to its place, its turn and its questions is as for a newcomer.
    """
    if join.anew or join.count != 1:
        return None
    matches = (each for each in state.departed.values() if _means(system, state, join, each.combatant))
    away = max(matches, key=lambda each: each.round, default=None)
    if away is None:
        return None
    old = away.combatant
    labels = {combatant.label for combatant in state.combatants.values()}
    label = (join.label or old.label).upper()
    if any(label.startswith(other) or other.startswith(label) for other in labels):
        label = free_label(old.name, labels, numbers_first=old.side != system.sides[0])
    new = replace(old, label=label, at=join.at, facing=join.facing, hidden=join.hidden)
    return Returned(who=old.id, combatant=system.as_returning(state, new, away.round), left_in=away.round)


def _means(system: BaseSystem, state: FightState, join: Join, combatant: Combatant) -> bool:
    """Whether a `Join` means a combatant who has left: by its id or name, with nothing given that is not theirs."""
    names = (combatant.name.casefold(), "") if join.id else (combatant.name.casefold(),)
    if join.id not in ("", combatant.id) or join.name.strip().casefold() not in names:
        return False
    if join.side not in ("", combatant.side):
        return False
    return not join.sheet or system.check_sheet(join.sheet, combatant.name, state.settings) == combatant.sheet


def free_names(state: FightState, name: str, least: int = 1) -> Iterator[str]:
    """A name with each number that nobody has with it: ``Goblin 3``, ``Goblin 4``."""
    used_names = _used_names(state)
    numbered_names = (f"{name} {number}" for number in itertools.count(least))
    return (each for each in numbered_names if each.casefold() not in used_names)


def free_name(state: FightState, name: str) -> str:
    """Return the name if nobody has it, else the same with the next free number."""
    if name.casefold() not in _used_names(state):
        return name
    stem, _, number = name.rpartition(" ")
    return next(free_names(state, stem if stem and number.isdecimal() else name, 2))


def require_words(name: str) -> None:
    """Check that a combatant's name is not blank. Raises Refused: it is; not even the GM can override that."""
    if not name.strip():
        raise Refused("name", "a combatant needs a name", ("any text",), final=True)


def require_free_name(state: FightState, name: str, referee: Referee, own_id: str = "") -> None:
    """Check that no other combatant has a name. Raises Refused: by the check ``name``, with a free name."""
    is_free = name.casefold() not in _used_names(state, own_id)
    referee.require(is_free, "name", f"{name} is already in the fight", FieldValue("name", free_name(state, name)))


def _used_names(state: FightState, besides: str = "") -> set[str]:
    return {combatant.name.casefold() for combatant in state.combatants.values() if combatant.id != besides}


def _check_join(system: BaseSystem, state: FightState, join: Join) -> None:
    sides = system.sides_of(state)
    if join.side and join.side not in sides and not join.force:
        raise Refused("side", f"there is no side {join.side!r}", sides)
    if not 1 <= join.count <= 100:
        raise Refused("count", f"can't add {join.count} combatants at once", ("1 to 100",), final=True)
    if join.places and len(join.places) != join.count:
        text = f"{len(join.places)} places given for {join.count} {join.name}"
        raise Refused("places", text, (f"{join.count} places", "one place"), final=True)
    if join.id and not _ID.fullmatch(join.id):
        raise Refused("id", f"{join.id!r} can't be an id", (slug(join.id), "letters, digits, - and _"), final=True)
    ids = {*state.combatants, *state.gone}
    if join.id in ids:
        text = "is already used" if join.id in state.combatants else "belongs to a combatant who has left"
        raise Refused("id", f"{join.id!r} {text}", (unique_id(join.id, ids),), final=True)
    if join.squad and not _ID.fullmatch(join.squad):
        accepts = (slug(join.squad), "letters, digits, - and _")
        raise Refused("squad", f"{join.squad!r} can't be a squad name", accepts, final=True)


# The command `Adjust`


def adjust(system: BaseSystem, situation: Situation, command: Adjust) -> Events:
    """Set something by the GM's word. Raises Refused: there is no such thing, or it cannot have this value."""
    state = situation.state
    if command.who:
        return _adjust_combatant(system, situation, command)
    value = command.value
    if command.what == "clock_s":
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise Refused("value", f"{value!r} isn't allowed for clock_s", ("whole seconds, 0 or more",), final=True)
        return (ClockAdvanced(seconds=value - state.clock_s, total=value),)
    path = command.what.removeprefix("max:")
    if path in state.side_pool_paths:
        side, _, pool = path.rpartition(".")
        after = _adjusted_pool(state.side_pool(side, pool), path, value, whole=command.what != path)
        change = change_side_pool(SidePoolAdjusted, state, side, pool, after.now, purpose=command.reason or "ruling")
        return (replace(change, max=after.max),)
    if command.what in state.remembered:
        before = state.remembered[command.what]
        word = _checked_value(system.accepted.get(command.what), state.record, command.what, command.value, before)
        return (FactChanged(fact=command.what, before=before, value=word),)
    if command.what in state.values:
        return (_adjust_part(state.record, command.what, command.value),)
    raise Refused(
        "what", f"the fight has no {command.what!r}", ("clock_s", *state.side_pool_paths, *state.values), final=True
    )


def _adjust_combatant(system: BaseSystem, situation: Situation, command: Adjust) -> Events:
    state = situation.state
    combatant = combatant_of(state, command.who)
    what, value, reason = command.what, command.value, command.reason
    if what in ("name", "side"):
        sides = system.sides_of(state)
        if not isinstance(value, str) or (what == "side" and value not in sides):
            raise Refused(what, f"{value!r} isn't allowed", sides if what == "side" else ("a text",), final=True)
        name, side = (value[:LONGEST_NAME], combatant.side) if what == "name" else (combatant.name, value)
        if what == "name":
            require_words(name)
            require_free_name(state, name, situation.referee, combatant.id)
        return (Renamed(who=combatant.id, name=name, side=side),)
    if what in ("able", "hidden"):
        _check_kind(what, value, like=True)
    if what == "able":
        how = reason or "down"
        return (Restored(who=combatant.id) if value else Downed(who=combatant.id, how=how),)
    if what == "hidden":
        return (
            Hid(who=combatant.id, reason=reason) if value else Detected(who=combatant.id, cause=reason or "ruling"),
        )
    if what.startswith(SHEET):
        return change_sheet(system, state, combatant, what.removeprefix(SHEET), value, reason)
    pool = what.removeprefix("max:")
    if pool in combatant.pools:
        before_pool = combatant.pools[pool]
        after = _adjusted_pool(before_pool, pool, value, whole=what.startswith("max:"))
        numbers = {"before": before_pool.now, "left": after.now, "max": after.max}
        return (PoolAdjusted(who=combatant.id, pool=pool, **numbers, reason=reason or "ruling"),)
    if what in combatant.remembered:
        before = combatant.remembered[what]
        value = _checked_value(system.accepted.get(what), combatant.record, what, value, before)
        return (TraitAdjusted(who=combatant.id, trait=what, before=before, value=value),)
    if what in combatant.values:
        return (_adjust_part(combatant.record, what, value, combatant.id),)
    if what.partition(".")[0] in combatant.sheet:
        return change_sheet(system, state, combatant, what, value, reason)
    pools = (*combatant.pools, *(f"max:{pool}" for pool in combatant.pools))
    adjustable = ("name", "side", "able", "hidden", *pools, *combatant.values)
    raise Refused("what", f"{combatant.name} has no {what!r}", adjustable, final=True)


def _kind(value: Json) -> str:
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, tuple | Mapping) or is_dataclass(value):
        return "its own ruling"
    return "a number" if isinstance(value, int | float) else "a text"


def _adjust_part(record: object, path: str, value: Scalar, combatant_id: str = "") -> EntryChanged:
    """Set a field of a nested record: ``work.paid``, or in a mapping with its key ``problems.1.done``."""
    place, _, part = path.rpartition(".")
    name, _, key = place.partition(".")
    entries = fields_of_record(record)[name]
    entry = entries.get(key) if isinstance(entries, Mapping) else entries
    before = fields_of_record(entry)[part]
    new = _checked_value(words_of_fields(type(entry)).get(part), entry, part, value, before)
    return EntryChanged(who=combatant_id, field=name, key=key, part=part, before=before, value=new)


def _checked_value(words: tuple[str, ...] | None, record: object, what: str, value: Scalar, like: Json) -> Scalar:
    """The GM's value for a field of a record, converted to the field's type.

    It must be one of `words` if there are any; no value then stands for the word ``none``.
    """
    if words is not None:
        word = "none" if value is None and "none" in words else value
        if word not in words:
            raise Refused("value", f"{value!r} isn't allowed for {what}, which is {like!r}", words, final=True)
        return word
    if record is None or what not in field_names(type(record)):
        _check_kind(what, value, like)
        return value
    types = plain_types(type(record), what)
    if not types:
        raise Refused("value", f"{value!r} isn't allowed for {what}", ("its own ruling",), final=True)
    if value is None and NoneType not in types and str in types:
        return ""
    if type(value) not in types and not (type(value) is int and float in types):
        accepts = tuple(dict.fromkeys(_TYPE_NAMES[kind] for kind in types))
        raise Refused("value", f"{value!r} isn't allowed for {what}, which is {like!r}", accepts, final=True)
    return value


_TYPE_NAMES: Mapping[type, str] = {
    str: "a text", bool: "true or false", int: "a whole number", float: "a number", NoneType: "no value",
}  # fmt: skip


def _check_kind(what: str, value: Scalar, like: Json) -> None:
    """Check that a new value has the type of the old one. None empties a string, and may take any type."""
    is_emptied = value is None and _kind(like) == "a text"
    if like is not None and not is_emptied and (value is None or _kind(value) != _kind(like)):
        raise Refused("value", f"{value!r} isn't allowed for {what}, which is {like!r}", (_kind(like),), final=True)


def _adjusted_pool(before: Pool, name: str, value: object, whole: bool) -> Pool:
    """The pool with the GM's number for what is left of it, or for its maximum (`whole`)."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0 or (not whole and value > before.max):
        accepts = "0 or more" if whole else f"0 to {before.max}; max:{name} changes the maximum"
        raise Refused("value", f"{value!r} isn't allowed for {name}", (accepts,), final=True)
    return Pool(min(before.now, value), value) if whole else Pool(value, before.max)


def alike(state: FightState, combatant_id: str) -> tuple[str, ...]:
    """The members of a combatant's squad that do not differ from it in what matters, itself included, in roster order.

    What matters: whether they are able and hidden, their sheets, pools, traits and effects. What does not: names,
    labels, places, wounds and the system's `BaseSystem.own_traits`. A combatant without a squad, or unknown, is alone.
    """
    combatant = state.combatants.get(combatant_id)
    if combatant is None or not combatant.squad:
        return (combatant_id,)
    others = (each.id for each in state.combatants.values() if each.squad == combatant.squad)
    return tuple(other for other in others if other == combatant_id or not why_apart(state, combatant_id, other))


def who_act_together(system: BaseSystem, state: FightState, combatant_id: str, command: Command) -> tuple[str, ...]:
    """The members of a squad who do a command given for all alike: of an act of the running step, those still to act.

    What the GM does to them, or forces, applies to all of them.
    """
    members = alike(state, combatant_id)
    waiting = system.waiting(state)
    if command.force or combatant_id not in waiting:
        return members
    is_act = any(option.command == command.type for option in system.options(state, combatant_id))
    return tuple(member for member in members if member in waiting) if is_act else members


def why_apart(state: FightState, combatant_id: str, other: str) -> str:
    """Why a member of a squad does not act together with another; empty if they are alike."""
    two, combatant, system = state.combatants[other], state.combatants[combatant_id], system_of(state)
    if two.able != combatant.able:
        return "up" if two.able else "down"
    if two.hidden != combatant.hidden:
        return "hidden" if two.hidden else "in sight"
    if [effect.name for effect in two.effects] != [effect.name for effect in combatant.effects]:
        return ", ".join(effect.name for effect in two.effects) or f"not {combatant.effects[0].name}"
    if _pools(two, system) != _pools(combatant, system):
        name = _first_difference(_pools(two, system), _pools(combatant, system))
        pool_name = system.words(state.settings).pool(name)
        pool = two.pools.get(name)
        return f"{pool.now} of {pool.max} {pool_name}" if pool is not None else f"no {pool_name}"
    if two.side != combatant.side:
        return f"of the {system.words(state.settings).sides.get(two.side, two.side)}"
    if two.sheet != combatant.sheet:
        return f"other {_first_difference(two.sheet, combatant.sheet).replace('_', ' ')} on the sheet"
    differences = [each for each, like in zip(_impersonal(two), _impersonal(combatant), strict=True) if each != like]
    if differences:
        name, left = differences[0].name, differences[0].left
        return f"{name}, {left} left" if left is not None else f"another {name}"
    traits, others = (
        {name: value for name, value in each.remembered.items() if name not in system.own_traits}
        for each in (two, combatant)
    )
    if traits == others:
        return ""
    name = _first_difference(traits, others)
    value, name = traits.get(name), name.replace("_", " ")
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {value}" if isinstance(value, str | int) and value != "" else f"other {name}"


def _first_difference(values: Mapping[str, object], others: Mapping[str, object]) -> str:
    return next(name for name in (*values, *others) if values.get(name) != others.get(name))


def are_alike(state: FightState, combatant_id: str, other: str) -> bool:
    """True if two belong to one squad and do not differ in what matters; see `alike`."""
    squad, two = state.combatants[combatant_id].squad, state.combatants[other]
    return bool(squad) and squad == two.squad and not why_apart(state, combatant_id, other)


def _pools(combatant: Combatant, system: BaseSystem) -> Mapping[str, Pool]:
    """The pools that matter: all but the one of health, for the hurt still act with the others."""
    return {name: pool for name, pool in combatant.pools.items() if name != system.health}


def _impersonal(combatant: Combatant) -> tuple[Effect, ...]:
    """A combatant's effects without their ids, and without its own id as their clock."""
    return tuple(
        replace(effect, id="", clock="bearer" if effect.clock == combatant.id else effect.clock)
        for effect in combatant.effects
    )


def squad_of(name: str, count: int, others: Iterable[Combatant | Join]) -> str:
    """An unused squad for `count` combatants who join under a name; empty for a single one."""
    return unique_id(name, {other.squad for other in others}) if count > 1 else ""


SHEET = "sheet."
"""The prefix of a sheet's values where anything of a combatant may be named."""


def sheet_values(sheet: Mapping[str, Json]) -> Mapping[str, Scalar]:
    """The numbers and strings of a sheet by path: ``agility``, ``strikes.0.damage``."""
    return dict(_scalars("", sheet))


def _scalars(path: str, value: Json) -> Iterator[tuple[str, Scalar]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _scalars(f"{path}.{name}" if path else str(name), inner)
    elif isinstance(value, list | tuple):
        for place, inner in enumerate(value):
            yield from _scalars(f"{path}.{place}", inner)
    elif value is None or isinstance(value, str | int | float):
        yield path, value


def change_sheet(
    system: BaseSystem, state: FightState, combatant: Combatant, path: str, value: Scalar, reason: str = ""
) -> Events:
    """Change a value of a combatant's sheet.

    Each pool's maximum, and what is left of it, change by the difference the value would have made when the combatant
    joined. So do fields of its record that come from the sheet, unless the fight has changed them since. A pool that
    begins empty keeps what it has got meanwhile. An entry of a list goes by its number, its name or its source:
    ``slot_mods.0.amount``, ``slot_mods.boots.amount``.

    Raises Refused: the sheet has no such value, or does not accept it.
    """
    values = sheet_values(combatant.sheet)
    path = ".".join(_numbered(combatant.sheet, path.split(".")))
    if path not in values:
        raise Refused("what", f"{combatant.name}'s sheet has no {path!r}", tuple(values), final=True)
    entries = {name: inner for name, inner in combatant.sheet.items() if inner is not None}
    changed_sheet = _with_value(entries, path.split("."), value)
    try:
        sheet = system.check_sheet(changed_sheet, combatant.name, state.settings)
    except BadInput as bad:
        raise Refused("value", f"{value!r} isn't allowed for {path}: {bad.problems[0]}", (), final=True) from bad
    return (
        SheetChanged(who=combatant.id, sheet=sheet),
        *_pool_events(system, state, combatant, sheet, reason or "ruling"),
        *_record_events(system, state, combatant, sheet),
    )


def _numbered(node: Json, path: list[str]) -> list[str]:
    """The parts of a path, with the names of entries of lists replaced by their numbers."""
    name, rest = path[0], path[1:]
    if isinstance(node, list | tuple):
        called = (place for place, entry in enumerate(node) if _is_called(entry, name))
        name = name if name.isdecimal() else str(next(called, name))
        inner = node[int(name)] if name.isdecimal() and int(name) < len(node) else None
    else:
        inner = node.get(name) if isinstance(node, Mapping) else None
    return [name, *(_numbered(inner, rest) if rest else ())]


def _is_called(entry: Json, name: str) -> bool:
    names = (entry.get("name"), entry.get("source")) if isinstance(entry, Mapping) else ()
    return any(isinstance(own, str) and own.casefold() == name.casefold() for own in names)


def _with_value(node: Json, path: list[str], value: Scalar) -> Mapping[str, Json]:
    name, rest = path[0], path[1:]
    if isinstance(node, list | tuple):
        place = int(name)
        inner = _with_value(node[place], rest, value) if rest else value
        return [*node[:place], inner, *node[place + 1 :]]  # type: ignore[return-value]
    entries: Mapping[str, Json] = node if isinstance(node, Mapping) else {}
    return {**entries, name: _with_value(entries.get(name), rest, value) if rest else value}


def _join_of(combatant: Combatant, sheet: Mapping[str, Json]) -> Join:
    return Join(name=combatant.name, id=combatant.id, side=combatant.side, sheet=sheet, hidden=combatant.hidden)


def _pool_events(
    system: BaseSystem, state: FightState, combatant: Combatant, sheet: Mapping[str, Json], reason: str
) -> Iterator[Event]:
    before = system.starting_pools(state.settings, _join_of(combatant, combatant.sheet), combatant.sheet)
    after = system.starting_pools(state.settings, _join_of(combatant, sheet), sheet)
    for name, pool in after.items():
        was, current = before.get(name, Pool(0, 0)), combatant.pools.get(name)
        if current is None or pool == was:
            continue
        most, left = max(0, current.max + pool.max - was.max), max(0, current.now + pool.now - was.now)
        most, left = (most, min(left, most)) if pool.now or was.now else (max(most, left), left)
        yield PoolAdjusted(who=combatant.id, pool=name, before=current.now, left=left, max=most, reason=reason)


def _record_events(
    system: BaseSystem, state: FightState, combatant: Combatant, sheet: Mapping[str, Json]
) -> Iterator[Event]:
    before = system.starting_record(state.settings, _join_of(combatant, combatant.sheet), combatant.sheet)
    after = system.starting_record(state.settings, _join_of(combatant, sheet), sheet)
    was, now, current = (fields_of_record(record) for record in (before, after, combatant.record))
    for name, value in now.items():
        if value != was.get(name) and current.get(name) == was.get(name):
            yield TraitChanged(who=combatant.id, trait=name, before=current.get(name), value=value)
