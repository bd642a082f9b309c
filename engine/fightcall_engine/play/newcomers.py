"""Making the combatants who join: ids, labels, pools and records; and adjusting by hand what they have."""

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from types import NoneType
from typing import TYPE_CHECKING

from fightcall_engine.kit.checks import Referee
from fightcall_engine.kit.combatants import change_side_pool, combatant_of
from fightcall_engine.kit.decision import Situation
from fightcall_engine.kit.records import plain_types, words_of_fields
from fightcall_engine.kit.sheets import SHEET, change_sheet
from fightcall_engine.kit.squads import squad_of
from fightcall_engine.model.commands import Adjust, Join
from fightcall_engine.model.errors import FieldValue, Refused
from fightcall_engine.model.events import (
    ClockAdvanced,
    Detected,
    Downed,
    EntryChanged,
    Events,
    FactChanged,
    Hid,
    PoolAdjusted,
    Renamed,
    Restored,
    Returned,
    SidePoolAdjusted,
    TraitAdjusted,
)
from fightcall_engine.model.sight import free_label, slug, unique_id
from fightcall_engine.model.state import (
    BOLD,
    PROTECTS,
    STYLE_WORDS,
    Combatant,
    FightState,
    Json,
    Pool,
    Scalar,
    Style,
    fields_of_record,
)
from fightcall_engine.model.values import copy_with, field_names

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

LONGEST_NAME = 200
_ID = re.compile(r"[\w-]{1,60}")


def new_combatants(system: "BaseSystem", state: FightState, join: Join) -> tuple[Combatant, ...]:
    """The combatants a `Join` brings, with ids, labels, pools and records.

    Raises:
        Refused: a side, a place or an id is not accepted.
        BadInput: a sheet is wrong.
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
    for number, name in enumerate(_new_names(state, join), 1):
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
    """How a combatant fights, as files have it: a word, and after ``protects`` the id or the name of whom.

    Raises:
        ValueError: it is none; says what is accepted.
    """
    typed, _, name = text.strip().partition(" ")
    word, ward = next((each for each in STYLE_WORDS if each == typed.casefold()), None), name.strip()
    if not typed:
        return BOLD
    if word is None or (word == PROTECTS) is not bool(ward):
        accepts = ", ".join(f"{each} and a name" if each == PROTECTS else each for each in STYLE_WORDS)
        raise ValueError(f"{text!r} isn't understood; accepted: {accepts}")
    return Style(word, slug(ward) if ward else "")


def who_returns(system: "BaseSystem", state: FightState, join: Join) -> Returned | None:
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
    new = copy_with(old, label=label, at=join.at, facing=join.facing, hidden=join.hidden)
    return Returned(who=old.id, combatant=system.as_returning(state, new, away.round), left_in=away.round)


def _means(system: "BaseSystem", state: FightState, join: Join, combatant: Combatant) -> bool:
    """Whether a `Join` means a combatant who has left: by its id or name, with nothing given that is not theirs."""
    names = (combatant.name.casefold(), "") if join.id else (combatant.name.casefold(),)
    if join.id not in ("", combatant.id) or join.name.strip().casefold() not in names:
        return False
    if join.side not in ("", combatant.side):
        return False
    return not join.sheet or system.check_sheet(join.sheet, combatant.name, state.settings) == combatant.sheet


def _new_names(state: FightState, join: Join) -> Iterator[str]:
    """The names of those who join: the given one, or for several, the name with free numbers."""
    names = itertools.islice(free_names(state, join.name), join.count) if join.count > 1 else (join.name,)
    return (name[:LONGEST_NAME] for name in names)


def free_names(state: FightState, name: str) -> Iterator[str]:
    """A name with each number that nobody has with it: ``Goblin 3``, ``Goblin 4``."""
    used_names = _used_names(state)
    numbered_names = (f"{name} {number}" for number in itertools.count(1))
    return (each for each in numbered_names if each.casefold() not in used_names)


def free_name(state: FightState, name: str) -> str:
    """Return the name if nobody has it, else the same with the next free number."""
    used_names = _used_names(state)
    if name.casefold() not in used_names:
        return name
    stem, _, number = name.rpartition(" ")
    stem = stem if stem and number.isdecimal() else name
    numbered_names = (f"{stem} {number}" for number in itertools.count(2))
    return next(each for each in numbered_names if each.casefold() not in used_names)


def require_words(name: str) -> None:
    """Check that a combatant's name is not blank.

    Raises:
        Refused: it is; not even the GM can override that.
    """
    if not name.strip():
        raise Refused("name", "a combatant needs a name", ("any text",), final=True)


def require_free_name(state: FightState, name: str, referee: Referee, own_id: str = "") -> None:
    """Check that no other combatant has a name.

    Raises:
        Refused: by the check ``name``, with a free name.
    """
    is_free = name.casefold() not in _used_names(state, own_id)
    referee.require(is_free, "name", f"{name} is already in the fight", FieldValue("name", free_name(state, name)))


def _used_names(state: FightState, besides: str = "") -> set[str]:
    return {combatant.name.casefold() for combatant in state.combatants.values() if combatant.id != besides}


def _check_join(system: "BaseSystem", state: FightState, join: Join) -> None:
    """Check that a join has a side of the system, a free id, and places for all who come by it.

    Raises:
        Refused: one of these is wrong.
    """
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


def adjust(system: "BaseSystem", situation: Situation, command: Adjust) -> Events:
    """Set something of a combatant or of the fight by the GM's word.

    Raises:
        Refused: there is no such thing, or it cannot have this value.
    """
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
        return (copy_with(change, max=after.max),)
    if command.what in state.remembered:
        before = state.remembered[command.what]
        word = _checked_value(system.accepted.get(command.what), state.record, command.what, command.value, before)
        return (FactChanged(fact=command.what, before=before, value=word),)
    if command.what in state.values:
        return (_adjust_part(state.record, command.what, command.value),)
    raise Refused(
        "what", f"the fight has no {command.what!r}", ("clock_s", *state.side_pool_paths, *state.values), final=True
    )


def _adjust_combatant(system: "BaseSystem", situation: Situation, command: Adjust) -> Events:
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
        return (_adjust_pool(combatant, pool, value, reason, whole=what.startswith("max:")),)
    if what in combatant.remembered:
        before = combatant.remembered[what]
        value = _checked_value(system.accepted.get(what), combatant.record, what, value, before)
        return (TraitAdjusted(who=combatant.id, trait=what, before=before, value=value),)
    if what in combatant.values:
        return (_adjust_part(combatant.record, what, value, combatant.id),)
    if what.partition(".")[0] in combatant.sheet:
        return change_sheet(system, state, combatant, what, value, reason)
    adjustable = (
        "name",
        "side",
        "able",
        "hidden",
        *combatant.pools,
        *(f"max:{pool}" for pool in combatant.pools),
        *combatant.values,
    )
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
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    NoneType: "no value",
}


def _check_kind(what: str, value: Scalar, like: Json) -> None:
    """Check that a new value has the type of the old one. None empties a string, and may take any type."""
    is_emptied = value is None and _kind(like) == "a text"
    if like is not None and not is_emptied and (value is None or _kind(value) != _kind(like)):
        raise Refused("value", f"{value!r} isn't allowed for {what}, which is {like!r}", (_kind(like),), final=True)


def _adjust_pool(combatant: Combatant, pool: str, value: object, reason: str, whole: bool) -> PoolAdjusted:
    before = combatant.pools[pool]
    after = _adjusted_pool(before, pool, value, whole)
    return PoolAdjusted(
        who=combatant.id, pool=pool, before=before.now, left=after.now, max=after.max, reason=reason or "ruling"
    )


def _adjusted_pool(before: Pool, name: str, value: object, whole: bool) -> Pool:
    """The pool with the GM's number for what is left of it, or for its maximum (`whole`)."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0 or (not whole and value > before.max):
        accepts = "0 or more" if whole else f"0 to {before.max}; max:{name} changes the maximum"
        raise Refused("value", f"{value!r} isn't allowed for {name}", (accepts,), final=True)
    return Pool(min(before.now, value), value) if whole else Pool(value, before.max)
