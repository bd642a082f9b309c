"""The command `Adjust`: the GM sets a name, a pool, a value of a sheet, or a field of a record."""

from collections.abc import Mapping
from dataclasses import is_dataclass
from types import NoneType
from typing import TYPE_CHECKING

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Situation
from fightcall_engine.kit.records import plain_types, words_of_fields
from fightcall_engine.kit.sheets import SHEET, change_sheet
from fightcall_engine.model.commands import Adjust
from fightcall_engine.model.errors import Refused
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
    TraitAdjusted,
)
from fightcall_engine.model.state import Combatant, Json, Pool, Scalar, fields_of_record
from fightcall_engine.model.values import field_names
from fightcall_engine.play.newcomers import LONGEST_NAME, require_free_name, require_words

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


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
    if command.what in state.remembered:
        before = state.remembered[command.what]
        word = _checked_value(system.accepted.get(command.what), state.record, command.what, command.value, before)
        return (FactChanged(fact=command.what, before=before, value=word),)
    if command.what in state.values:
        return (_adjust_part(state.record, command.what, command.value),)
    raise Refused("what", f"the fight has no {command.what!r}", ("clock_s", *state.values), final=True)


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
    if not isinstance(value, int) or isinstance(value, bool) or value < 0 or (not whole and value > before.max):
        accepts = "0 or more" if whole else f"0 to {before.max}; max:{pool} changes the maximum"
        raise Refused("value", f"{value!r} isn't allowed for {pool}", (accepts,), final=True)
    after = Pool(min(before.now, value), value) if whole else Pool(value, before.max)
    return PoolAdjusted(
        who=combatant.id, pool=pool, before=before.now, left=after.now, max=after.max, reason=reason or "ruling"
    )
