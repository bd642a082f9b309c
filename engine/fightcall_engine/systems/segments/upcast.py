"""Journals of version 1, in which all that was remembered was a flat name, as version 2 writes them.

A declared Action was some thirty names that began with ``act_``. What was of another kind than it is now, such as a
number put there by hand where there is a word, is what it was at first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import cast

from fightcall_engine.kit.records import plain_types, words_of_fields
from fightcall_engine.model.state import Json, fields_of_record
from fightcall_engine.systems.segments.state.fighter import NO_ACTION, Action, Fighter

Event = Mapping[str, Json]

_ACTION = "act_"


def from_version_1(event: Event) -> Event:
    """An event as version 1 wrote it, in the form of version 2; one in that form already is left as it is."""
    if event["type"] == "Joined":
        return {**event, "combatant": _combatant(cast("Mapping[str, Json]", event["combatant"]))}
    if "traits" in event:
        return {**event, "traits": _changes(cast("Mapping[str, Json]", event["traits"]))}
    if "trait" in event:
        name = str(event["trait"])
        values = {key: _value(name, event[key]) for key in ("before", "value") if key in event}
        return {**event, "trait": _path(name), **values}
    return event


def _combatant(combatant: Mapping[str, Json]) -> Mapping[str, Json]:
    """With its traits as its record."""
    traits = cast("Mapping[str, Json]", combatant.get("traits") or {})
    if not traits:
        return combatant
    action = {name.removeprefix(_ACTION): _value(name, traits[name]) for name in traits if name.startswith(_ACTION)}
    others = {name: _value(name, value) for name, value in traits.items() if not name.startswith(_ACTION)}
    return {**combatant, "traits": {}, "record": {**others, "action": action}}


def _changes(traits: Mapping[str, Json]) -> dict[str, Json]:
    return {_path(name): _value(name, value) for name, value in traits.items()}


def _path(name: str) -> str:
    return f"action.{name.removeprefix(_ACTION)}" if name.startswith(_ACTION) else name


def _value(name: str, value: Json) -> Json:
    """What a name of version 1 held, as the field that takes its place holds it."""
    record, field = (Action, name.removeprefix(_ACTION)) if name.startswith(_ACTION) else (Fighter, name)
    types, words, first = _accepted(record).get(field, ((), (), None))
    if (words and value not in words) or (types and type(value) not in types and type(value) is not int):
        return first
    return value


@cache
def _accepted(record: type[Action | Fighter]) -> Mapping[str, tuple[tuple[type, ...], tuple[str, ...], Json]]:
    """The types and the words that each field of a record may be, and what it is at first."""
    words = words_of_fields(record)
    first = fields_of_record(NO_ACTION if record is Action else Fighter())
    return {name: (plain_types(record, name), words.get(name, ()), value) for name, value in first.items()}
