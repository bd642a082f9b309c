"""Upcasts journals of version 1, in which the state was flat names, to version 2.

A declared Action was some thirty names with the prefix ``act_``. Values of several parts were texts with separators;
unreadable parts are dropped (`_PARTS`, `_FACTS`). Values of a wrong type, such as a number set by hand instead of a
word, become the default.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import cast

from fightcall_engine.kit.records import plain_types, words_of_fields
from fightcall_engine.model.state import Json, fields_of_record
from fightcall_engine.model.values import field_names
from fightcall_engine.systems.segments.rules.melee import FIELDS
from fightcall_engine.systems.segments.state.battle import RANGED, Battle, Blow
from fightcall_engine.systems.segments.state.fighter import Action, Fighter, Limbs, ShutFields
from fightcall_engine.systems.segments.state.roster import parse_split
from fightcall_engine.systems.segments.state.scores import SCORES
from fightcall_engine.systems.segments.state.tokens import COLOURS

Event = Mapping[str, Json]

_ACTION = "act_"


def from_version_1(event: Event) -> Event:
    """An event of version 1 in the form of version 2; any other event unchanged."""
    if event["type"] == "Joined":
        return {**event, "combatant": _combatant(cast("Mapping[str, Json]", event["combatant"]))}
    if "traits" in event:
        return {**event, "traits": _changes(cast("Mapping[str, Json]", event["traits"]))}
    if "fact" in event:
        name = str(event["fact"])
        values = {key: _battle_value(name, event[key]) for key in ("before", "value") if key in event}
        return {**event, "fact": "pass_number" if name == "pass" else name, **values}
    if "trait" in event:
        name = str(event["trait"])
        values = {key: _value(name, event[key]) for key in ("before", "value") if key in event}
        return {**event, "trait": _path(name), **values}
    return event


def _combatant(combatant: Mapping[str, Json]) -> Mapping[str, Json]:
    """A combatant with its traits as its record."""
    traits = cast("Mapping[str, Json]", combatant.get("traits") or {})
    if not traits:
        return combatant
    action = {name.removeprefix(_ACTION): _value(name, traits[name]) for name in traits if name.startswith(_ACTION)}
    others = {name: _value(name, value) for name, value in traits.items() if not name.startswith(_ACTION)}
    return {**combatant, "record": {**others, "action": action}}


def _changes(traits: Mapping[str, Json]) -> dict[str, Json]:
    return {_path(name): _value(name, value) for name, value in traits.items()}


def _path(name: str) -> str:
    return f"action.{name.removeprefix(_ACTION)}" if name.startswith(_ACTION) else name


def _value(name: str, value: Json) -> Json:
    """The value of a name of version 1, as the field that replaces it has it."""
    record, field = (Action, name.removeprefix(_ACTION)) if name.startswith(_ACTION) else (Fighter, name)
    if name in _PARTS and (value is None or isinstance(value, str)):
        return _PARTS[name](value or "")
    return _fitting(record, field, value)


def _fitting(record: type[object], field: str, value: Json) -> Json:
    """The value, or the field's default if it has the wrong type."""
    types, words, first = _accepted()[record].get(field, ((), (), None))
    if (words and value not in words) or (types and type(value) not in types and type(value) is not int):
        return first
    return value


# Texts of several parts


def _past(text: str) -> Json:
    """A line for each Action: ``climb: done``, after what others saw of a secret one and a tab."""
    deeds = []
    for line in text.splitlines():
        public, _, words = line.rpartition("\t")
        deed, _, outcome = words.rpartition(": ")
        deeds.append({"text": deed or words, "outcome": outcome, "public": public})
    return deeds


def _uses(text: str) -> Json:
    """``sword/R:1,2; shield/L:0,1``: attacks and defences with a skill and hand."""
    uses = {}
    for entry in text.split(";"):
        skill, _, counts = entry.strip().rpartition(":")
        attacks, _, defences = counts.partition(",")
        if skill:
            uses[skill] = {"attacks": _count(attacks), "defences": _count(defences)}
    return uses


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < _MOST_DIGITS else 0


_MOST_DIGITS = 10


def _reprisal_due(text: str) -> Json:
    """``ash=long_sword|axe orc=!``: who missed with which weapons; the sign is an attack with the whole body."""
    reprisals = []
    for word in text.split():
        attacker, _, names = word.partition("=")
        weapons = [] if names in ("", "!") else [name.replace("_", " ") for name in names.split("|")]
        reprisals.append({"attacker": attacker, "weapons": weapons, "whole_body": names == "!"})
    return reprisals


def _adjacent(text: str) -> Json:
    """``orc:RS:close``: the field or the mode of a foe, or both."""
    adjacent: dict[str, Json] = {}
    for word in text.split():
        foe, field, mode, *_ = (*word.split(":"), "", "")
        pair = {"field": field.upper() if field.upper() in FIELDS else None, "mode": mode if mode in _MODES else None}
        if foe and any(pair.values()):
            adjacent[foe] = pair
    return adjacent


_MODES = ("close", "common")


def _doubts(text: str) -> Json:
    """``ash=17@3``: the foe, the loss, and the segment."""
    doubts = []
    for word in text.split():
        by, _, rest = word.rpartition("=")
        loss, _, segment = rest.partition("@")
        if by and loss.isdecimal() and segment.isdecimal():
            doubts.append({"by": by, "loss": _count(loss), "segment": _count(segment)})
    return doubts


def _tokens(text: str) -> Json:
    """``white:0 black:1``: colours, and how often each has been handed on."""
    words = (word.partition(":") for word in text.split())
    return [[colour, _count(passes)] for colour, _, passes in words if colour in COLOURS]


def _deed(text: str) -> Json:
    """``str=5`` as long as the GM says, ``av=3@act`` for one Action, ``pot=2@foe:orc`` until a foe is down."""
    bonuses = []
    for word in text.split():
        bonus, _, end = word.partition("@")
        score, _, amount = bonus.partition("=")
        until, _, foe = end.partition(":")
        if score in SCORES and _count(amount):
            until = until if until in ("act", "foe") else "scene"
            bonuses.append({"score": score, "amount": _count(amount), "until": until, "foe": foe})
    return bonuses


def _feat(text: str) -> Json:
    """``label@3``: the label and the segment."""
    label, _, segment = text.rpartition("@")
    return {"label": label, "segment": _count(segment)} if label else None


def _flags(kind: type[Limbs | ShutFields]) -> Callable[[str], Json]:
    """Words such as ``R, legs``, as a record with a field for each possible word."""
    names = {name.lower(): name for name in field_names(kind)}

    def read(text: str) -> Json:
        words = text.lower().replace(",", " ").split()
        return {names[word]: True for word in words if word in names}

    return read


_PARTS: Mapping[str, Callable[[str], Json]] = {
    "past": _past,
    "uses": _uses,
    "reprisal_due": _reprisal_due,
    "adjacent": _adjacent,
    "doubts": _doubts,
    "tokens": _tokens,
    "deed": _deed,
    "feat": _feat,
    "aware_of": str.split,
    "broken": str.splitlines,
    "bound": _flags(Limbs),
    "shut_fields": _flags(ShutFields),
}


_Accepted = Mapping[str, tuple[tuple[type, ...], tuple[str, ...], Json]]
"""The types and the words that each field of a record accepts, and its default."""


def _accepted_of(record: type[object]) -> _Accepted:
    words = words_of_fields(record)
    first = fields_of_record(record())
    return {name: (plain_types(record, name), words.get(name, ()), value) for name, value in first.items()}


@cache
def _accepted() -> Mapping[type[object], _Accepted]:
    """The accepted values of each record; cached and lazy, as computing them takes a fifth of a second."""
    return {record: _accepted_of(record) for record in (Action, Battle, Fighter)}


# The fight


def _battle_value(name: str, value: Json) -> Json:
    """The value of a fact of version 1, as the field that replaces it has it."""
    parse = _FACTS.get(name)
    if parse is None:
        return _fitting(Battle, "pass_number" if name == "pass" else name, value)
    return parse(value) if isinstance(value, str) else ({} if name == "tasks" else []) if value is None else value


def _flights(text: str) -> list[Json]:
    return [flight for flight in map(_flight, text.splitlines()) if flight is not None]


def _flight(line: str) -> Json:
    try:
        read = json.loads(line)
    except ValueError:
        return None
    if not isinstance(read, dict):
        return None
    blow = {name: value for name, value in read.items() if name in _BLOW and _is_like(name, value)}
    due, margin = (read.get(name) if type(read.get(name)) is int else 0 for name in ("due", "margin"))
    whole = bool(due and blow.get("kind") in RANGED and blow.get("attacker") and blow.get("target"))
    return {"due": due, "margin": margin, "blow": blow} if whole else None


_BLOW: Mapping[str, Json] = {**fields_of_record(Blow("", "")), "missed": "", "people": "", "defence": ""}

_MOST = 1_000_000
"""An upper limit for numbers of a blow."""


def _is_like(name: str, value: Json) -> bool:
    """Whether a value has the type of this part of a blow."""
    usual = _BLOW[name]
    if isinstance(usual, bool) or name == "shield":
        return isinstance(value, bool)
    if isinstance(usual, str):
        return isinstance(value, str)
    whole = name in ("pot", "barrier")
    number = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
    return number and abs(cast(float, value)) < _MOST


def _struggles(text: str) -> list[Json]:
    return [_struggle(line.split("|")) for line in text.splitlines() if line.count("|") == 7 and line.split("|")[0]]


def _struggle(parts: list[str]) -> Json:
    thing, due, *people, stp, strained = parts
    hands, late, made, lost = ([name for name in text.split("+") if name] for text in people)
    whole = int(stp) if _is_whole(stp) else None
    return {
        "thing": thing, "due": int(due) if _is_whole(due) else 0, "hands": hands, "late": late, "made": made,
        "lost": lost, "stp": whole, "strained": bool(strained),
    }  # fmt: skip


def _things(text: str) -> list[Json]:
    things: list[Json] = []
    for line in text.splitlines():
        name, _, rest = line.partition("=")
        holder, _, since = (part.strip() for part in rest.partition("@"))
        if name.strip():
            things.append({"name": name.strip(), "holder": holder, "since": int(since) if _is_whole(since) else 0})
    return things


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _pairs(sign: str) -> Callable[[str], Json]:
    """Reads words with a separator between two names: ``ash~orc bo~orc``."""

    def read(text: str) -> Json:
        parts = (word.partition(sign) for word in text.split())
        return [[first, second] for first, _, second in parts if first and second]

    return read


def _tasks(text: str) -> Json:
    words = (word.rpartition("=") for word in text.split())
    return {name: int(qa) for name, _, qa in words if name and _is_whole(qa)}


def _groups(text: str) -> Json:
    return [group.split() for group in text.split("/") if group.strip()]


def _split(text: str) -> Json:
    return list(parse_split(text))


_FACTS: Mapping[str, Callable[[str], Json]] = {
    "impacts": _flights,
    "struggles": _struggles,
    "things": _things,
    "met": _pairs("~"),
    "pairs": _pairs("/"),
    "tasks": _tasks,
    "at_once": _groups,
    "split": _split,
}
"""Readers of texts that held more than one value."""
