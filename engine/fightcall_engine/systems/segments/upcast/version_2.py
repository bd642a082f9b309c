"""Upcasts journals of version 2, in which records still had texts of several parts, to version 3.

Unreadable parts are dropped; values that are not texts become the default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import cast

from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import Json
from fightcall_engine.systems.segments.state import worn_armour
from fightcall_engine.systems.segments.state.action import PARTS
from fightcall_engine.systems.segments.upcast.questions_2 import upcast_blow, upcast_prompt

Event = Mapping[str, Json]
Fields = Mapping[str, Json]


def from_version_2(event: Event) -> Event:
    """An event of version 2 in the form of version 3; any other event unchanged."""
    if event["type"] == "Joined":
        return {**event, "combatant": _combatant(cast(Fields, event["combatant"]))}
    if isinstance(event.get("prompt"), Mapping):
        return {**event, "prompt": upcast_prompt(cast(Fields, event["prompt"]))}
    if event.get("part"):
        name = f"{event['field']}.{event['part']}"
        return {**event, **{key: _value(name, event[key]) for key in ("before", "value") if key in event}}
    if event.get("fact") == "impacts":
        return {**event, **{key: _flights(event[key]) for key in ("before", "value") if key in event}}
    if "traits" in event:
        return {**event, "traits": _changes(cast(Fields, event["traits"]))}
    if "trait" in event:
        name = str(event["trait"])
        values = {key: _value(name, event[key]) for key in ("before", "value") if key in event}
        return {**event, "trait": _RENAMED.get(name, name), **values}
    return event


def _flights(flights: Json) -> Json:
    """Shots in the air, each with its blow."""
    flight_list = cast(list[Fields], flights or [])
    return [{**flight, "blow": upcast_blow(cast(Fields, flight["blow"]))} for flight in flight_list]


def _combatant(combatant: Fields) -> Fields:
    record = combatant.get("record")
    return {**combatant, "record": _changes(cast(Fields, record))} if isinstance(record, Mapping) else combatant


def _changes(fields: Fields) -> Fields:
    """Fields of a combatant's record, by name or path."""
    new_fields = {_RENAMED.get(name, name): _value(name, value) for name, value in fields.items()}
    struck_text = fields.get("action.struck")
    if isinstance(struck_text, str) and "action.outcome" in fields:
        new_fields["action.has_hit"] = _has_hit(struck_text, fields["action.outcome"])
    return new_fields


_RENAMED = {"hands_R": "right_hand", "hands_L": "left_hand"}


def _value(name: str, value: Json) -> Json:
    if name == "action":
        return _action(cast(Fields, value)) if isinstance(value, Mapping) else value
    parse = _TEXTS.get(name)
    if parse is None or isinstance(value, list | tuple | Mapping):
        return value
    return parse(value if isinstance(value, str) else "")


def _action(action: Fields) -> Fields:
    new_action = {name: _value(f"action.{name}", value) for name, value in action.items()}
    struck_text = action.get("struck")
    return (
        {**new_action, "has_hit": _has_hit(struck_text, action.get("outcome"))}
        if isinstance(struck_text, str)
        else new_action
    )


def _has_hit(struck_text: str, outcome: Json) -> bool:
    """Whether a declared attack has hit with one of the hands that have struck."""
    return bool(struck_text) and any(part.startswith("hit") for part in str(outcome or "").split("; "))


# Texts of several parts


def _pieces(text: str) -> Json:
    """``draw=1 don_boot:2=4``: keys of table 4-1 or own words, with argument and quarter-actions."""
    pieces = []
    for word in text.split():
        name, _, qa = word.rpartition("=")
        key, _, argument = name.partition(":")
        if key and qa.isascii() and qa.isdigit() and len(qa) < _MOST_DIGITS:
            pieces.append({"key": key, "argument": argument, "qa": int(qa)})
    return pieces


_MOST_DIGITS = 10


def _parts(text: str) -> Json:
    return [word for word in text.split() if word in PARTS]


def _layers(text: str) -> Json:
    """``doublemail:20/40; padded_simple:10``: as they are still typed."""
    layers = (worn_armour.layer_of(entry) for entry in text.split(";"))
    return to_json([layer for layer in layers if layer is not None])


def _rate(text: str) -> Json:
    try:
        return str(Fraction(text)) if text else None
    except (ValueError, ZeroDivisionError):
        return None


def _moment(text: str) -> Json:
    """``3.1``: a segment and a pass."""
    segment, _, number = text.partition(".")
    return [int(segment), int(number)] if segment.isdecimal() and number.isdecimal() else None


def _full_defence(text: str) -> Json:
    """The id of a foe, or ``all``."""
    return {"against": "" if text == "all" else text} if text else None


def _hand(text: str) -> Json:
    """The item's name; a sign for nothing, and no text for what the sheet says."""
    return None if not text else "" if text == "-" else text


_TEXTS: Mapping[str, Callable[[str], Json]] = {
    "action.components": _pieces,
    "action.targets": str.split,
    "action.parts": _parts,
    "action.struck": str.split,
    "action.overruled": str.split,
    "armour": _layers,
    "shields": _layers,
    "plan": str.split,
    "held_at": str.split,
    "roa_ruled": _rate,
    "turned": _moment,
    "full_defence": _full_defence,
    "hands_R": _hand,
    "hands_L": _hand,
}
"""Readers of texts of several parts."""
