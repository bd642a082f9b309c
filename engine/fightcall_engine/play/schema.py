"""The JSON Schema of the headless protocol: every line that ``fightcall run`` reads or prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import cast, get_args

from fightcall_engine.kit.movement import Preview
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Declaration, Option, Trail
from fightcall_engine.model.commands import Command, Rule
from fightcall_engine.model.dice import UnusedDice
from fightcall_engine.model.errors import RollNeeded
from fightcall_engine.model.events import Event
from fightcall_engine.model.state import Cue, Json, Prompt, Step
from fightcall_engine.play.amendments import Difference, Fate
from fightcall_engine.play.codec import OUTCOMES, Codec, word_lists
from fightcall_engine.play.forecast import Forecast
from fightcall_engine.play.history import Branch, Mark

Schema = dict[str, Json]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DEFS = "$defs"
_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_BOOLEAN: Schema = {"type": "boolean"}
_SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
_PLACE: Schema = {"anyOf": [_TEXT, {"type": "array", "items": _WHOLE, "minItems": 2, "maxItems": 2}]}

_OPENING: Schema = {
    "system": _TEXT,
    "name": _TEXT,
    "seed": {"type": ["string", "number"]},
    "settings": {"type": "object", "additionalProperties": _SCALAR},
    "board": {"type": ["object", "null"], "description": "as `[board]` in an encounter file, or in numbers"},
    "encounter": _TEXT,
    "journal": _TEXT,
    "resume": _TEXT,
    "watch": {"type": "string", "description": "a file open in another program: ask about it read-only"},
}
_BRANCH: Schema = {**_WHOLE, "description": "the id of a branch (default: the one in play)"}
_COMMAND: Schema = {"type": "object", "properties": {"do": _TEXT}, "required": ["do"]}
_COMMANDS: Schema = {"anyOf": [_COMMAND, {"type": "array", "items": _COMMAND}]}
_EDITS: Schema = {
    "type": "array",
    "minItems": 1,
    "items": {
        "type": "object",
        "properties": {
            "entry": {**_WHOLE, "description": "the number of an entry on the current branch"},
            "change": {"type": "object", "description": "new values for fields of its command"},
            "instead": {**_COMMANDS, "description": "the command or commands that replace it"},
            "before": {**_COMMANDS, "description": "the command or commands to insert before it"},
            "strike": {**_BOOLEAN, "description": "it is left out"},
            "force": {**_BOOLEAN, "description": "force it (GM override)"},
        },
        "required": ["entry"],
        "additionalProperties": False,
    },
}
_MOVES_IN_HISTORY: Mapping[str, tuple[Schema, tuple[str, ...]]] = {
    "undo": ({"steps": {"type": "integer", "minimum": 1}}, ()),
    "redo": ({}, ()),
    "jump": ({"to": {"anyOf": [_WHOLE, _TEXT], "description": "the number of an entry, or a bookmark's name"}}, ()),
    "present": ({}, ()),
    "mark": ({"name": _TEXT}, ()),
    "fork": ({"name": _TEXT, "dice": {"enum": ["same", "new"]}}, ()),
    "take_branch": ({"branch": _BRANCH}, ()),
    "drop_branch": ({"branch": _BRANCH}, ()),
    "restore_branch": ({"branch": _BRANCH}, ("branch",)),
    "name_branch": ({"branch": _BRANCH, "name": _TEXT}, ()),
    "amend": ({"edits": _EDITS}, ("edits",)),
}
"""The requests that move in a fight's history, with their fields and those that are required."""

_QUESTIONS: Mapping[str, Schema] = {
    **{
        key: {} for key in ("prompts", "cues", "history", "events", "marks", "branches", "branch", "settings", "schema")
    },
    "state": {"at": _WHOLE},
    "options": {"who": _TEXT},
    "rulings": {"who": _TEXT},
    "explain": {"who": _TEXT, "what": _TEXT},
    "preview": {"do": {**_TEXT, "description": "a command, with its fields as they are given with `do`"}},
    "compare": {"branch": _BRANCH},
    "forecast": {"fights": _WHOLE, "rounds": _WHOLE, "seed": {"type": ["string", "number"]}},
    "suggest": {"who": _TEXT},
    "amend": {"edits": _EDITS},
    "view": {"at": _WHOLE},
    "rules": {"phase": _TEXT},
    "contacts": {"who": _TEXT},
    "help": {"about": _TEXT},
}


def protocol_schema(systems: Iterable[BaseSystem]) -> Schema:
    """The schema of what ``fightcall run`` reads and prints in fights of these systems.

    Each part is a schema of its own that refers to ``$defs``: ``requests`` and ``replies`` are whole lines, ``events``
    and ``commands`` are contained in some of them.
    """
    defs = _Definitions()
    names: Schema = {}
    requests, commands, events = _opening_requests(defs), list[str](), list[str]()
    for system in systems:
        codec = Codec(system)
        names |= {alias: kind.__name__ for alias, kind in codec.command_kinds.items()}
        for kind in dict.fromkeys(codec.command_kinds.values()):
            commands.append(defs.add(kind.__name__, _type_schema(kind, defs)))
            requests += [
                defs.add(f"{kind.__name__}.request{number or ''}", item)
                for number, item in enumerate(_command_requests(codec, kind, defs))
            ]
        events += [defs.add(kind.__name__, _public_schema(kind, defs)) for kind in codec.event_kinds]
    defs.add("Stamp", _STAMP)
    defs.add("Event", _one_of(events))
    defs.add("Command", _one_of(commands))
    return {
        "$schema": _DIALECT,
        "title": "Fight Call: what run reads and prints, a JSON object a line",
        "requests": {"anyOf": [_reference(name) for name in dict.fromkeys(requests)]},
        "replies": {"anyOf": [_reference(name) for name in _replies(defs)]},
        "commands": _one_of(commands),
        "events": _one_of(events),
        "names": dict(sorted(names.items())),
        _DEFS: defs.found,
    }


class _Definitions:
    """The ``$defs`` of the schema. Two systems may each define the same name."""

    def __init__(self) -> None:
        self.found: Schema = {}

    def add(self, name: str, schema: Schema) -> str:
        """Add a schema under a name, next to those of other systems."""
        existing = cast(Schema | None, self.found.get(name))
        if existing is None or existing == schema:
            self.found[name] = schema
        elif schema not in (variants := cast(list[Json], existing.get("anyOf", [existing]))):
            self.found[name] = {"anyOf": [*variants, schema]}
        return name

    def add_told(self, kind: type[object]) -> Schema:
        """Add the schema of a value that the protocol prints, with everything that it refers to."""
        from pydantic import TypeAdapter

        schema = _whole(TypeAdapter(kind).json_schema())
        for inner, rest in cast(dict[str, Schema], schema.pop(_DEFS, {})).items():
            self.add(inner, rest)
        return schema


def _reference(name: str) -> Schema:
    return {"$ref": f"#/{_DEFS}/{name}"}


def _one_of(names: Iterable[str]) -> Schema:
    return {"oneOf": [_reference(name) for name in dict.fromkeys(names)]}


def _record(properties: Schema, required: Iterable[str] | None = None, **more: Json) -> Schema:
    """The schema of an object with these fields and no others; all are required unless `required` says which."""
    keys = list(properties if required is None else required)
    return {"type": "object", "properties": properties, "required": keys, "additionalProperties": False, **more}


def _list(items: Json) -> Schema:
    return {"type": "array", "items": items}


def _mapping(values: Json) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _whole(schema: Schema) -> Schema:
    """The schema of a value that is always written with all its fields, and with no others."""
    if "properties" in schema:
        if schema.get("title") == "Prompt":
            cast(Schema, schema["properties"]).pop("waiting", None)
        schema |= {"required": list(cast(Schema, schema["properties"])), "additionalProperties": False}
    for inner in cast(dict[str, Schema], schema.get(_DEFS, {})).values():
        _whole(inner)
    return schema


# Requests

_ANY_ID: Schema = {"description": "repeated in the answer"}


def _opening_requests(defs: _Definitions) -> list[str]:
    opening = {"do": {"enum": ["open", "open_scene"]}, **_OPENING, "id": _ANY_ID}
    names = [defs.add("Open.request", _record(opening, ["do"]))]
    for name, (properties, required) in _MOVES_IN_HISTORY.items():
        request = {"do": {"const": name}, **properties, "id": _ANY_ID, "expect": _WHOLE}
        names.append(defs.add(f"{name.title()}.request", _record(request, ["do", *required])))
    for what, properties in _QUESTIONS.items():
        request = {"ask": {"const": what}, **properties, "id": _ANY_ID}
        names.append(defs.add(f"{what}.question", {"type": "object", "properties": request, "required": ["ask"]}))
    return names


def _command_requests(codec: Codec, kind: type[Command], defs: _Definitions) -> Iterable[Schema]:
    """The requests for a command: one for its plain names, and others for aliases that set required fields."""
    schema, implied = _adapt(kind, defs), codec.implies_who(kind)
    required = [text for text in cast(list[str], schema.get("required", [])) if text != "who" or not implied]
    own_properties = _as_requested(kind, cast(Schema, schema["properties"]))
    by_missing: dict[tuple[str, ...], list[str]] = {}
    for name, other in codec.command_kinds.items():
        if other is kind:
            missing = tuple(text for text in required if text not in codec.fixed_fields(name))
            by_missing.setdefault(missing, []).extend(codec.spellings(name))
    for missing, names in by_missing.items():
        properties = {"do": {"enum": sorted(dict.fromkeys(names))}, "id": _ANY_ID, "expect": _WHOLE, **own_properties}
        yield _record(properties, ["do", *missing], description=_description(kind))


def _as_requested(kind: type[Command], properties: Schema) -> Schema:
    fields = dict(properties)
    fields["rolls"] = _mapping({"anyOf": [_WHOLE, _list(_WHOLE)]})
    if "hit" in fields:
        fields["hit"] = {"anyOf": [fields["hit"], {"enum": list(OUTCOMES)}]}
    fields.setdefault("who", {**_TEXT, "description": "the combatant whose option it was; the command names none"})
    fields |= {name: {"anyOf": [fields[name], _TEXT]} for name in word_lists(kind)}
    if kind is Rule:
        fields["value"] = {"anyOf": [fields["value"], _list(_TEXT)]}
    return fields


def _description(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split())


def _adapt(kind: type, defs: _Definitions) -> Schema:
    """Pydantic's schema of a command or an event; the schemas of nested types go to the definitions."""
    schema = _known_to_pydantic(kind)
    for inner, rest in cast(dict[str, Schema], schema.get(_DEFS, {})).items():
        defs.add(inner, _whole(rest))
    return {key: value for key, value in schema.items() if key != _DEFS}


@cache
def _known_to_pydantic(kind: type) -> Schema:
    """Pydantic's schema of a class, cached: most commands are needed twice, and by several systems."""
    from pydantic import TypeAdapter

    return cast(Schema, TypeAdapter(kind).json_schema())


def _type_schema(kind: type[Command] | type[Event], defs: _Definitions) -> Schema:
    schema = _adapt(kind, defs)
    properties = {"type": {"const": kind.__name__}, **cast(Schema, schema.get("properties", {}))}
    keys = ["type", *cast(list[str], schema.get("required", []))]
    return _record(properties, keys, title=kind.__name__, description=_description(kind))


# Replies

_STAMP = _record(
    {
        "seq": {"type": "integer", "minimum": 1, "description": "the number of the event in the fight"},
        "round": {"type": "integer", "minimum": 0, "description": "0 before the first round"},
        "phase": {"type": ["string", "null"]},
        "side": {"type": ["string", "null"]},
        "clock_s": {"type": "integer", "description": "seconds of game time"},
    },
    description="When an event happened: what was running once it had.",
)


def _public_schema(kind: type[Event], defs: _Definitions) -> Schema:
    """The schema of an event as ``fightcall run`` prints it, with every field, and its stamp."""
    type_schema = _type_schema(kind, defs)
    properties = {**cast(Schema, type_schema["properties"]), "stamp": _reference("Stamp")}
    return {**type_schema, "properties": properties, "required": list(properties)}


def _replies(defs: _Definitions) -> Iterable[str]:
    yes, no, number = {"const": True}, {"const": False}, {"type": "integer", "minimum": 0}
    prompt = _record(dict.fromkeys(("id", "kind", "question"), _TEXT))
    success = {"ok": yes, "n": number, "events": _list(_reference("Event")), "prompts": _list(prompt), "id": {}}
    success["branch"] = defs.add_told(Branch)
    success["unused"] = _list(defs.add_told(UnusedDice))
    yield defs.add("Done", _record(success, ["ok", "n", "events"]))
    for what, answer in _answers(defs).items():
        yield defs.add(f"{what}.answer", _record({"ok": yes, "n": number, what: answer, "id": {}}, ["ok", "n", what]))
    accepts = {"type": "array", "items": _TEXT, "minItems": 1}
    refusal = _record({"rule": _TEXT, "message": _TEXT, "accepts": accepts})
    yield defs.add("Refused", _record({"ok": no, "refused": refusal, "id": {}}, ["ok", "refused"]))
    needs = {**_list(defs.add_told(RollNeeded)), "minItems": 1}
    yield defs.add("NeedsDice", _record({"ok": no, "needs": needs, "id": {}}, ["ok", "needs"]))
    error = _record({"where": _TEXT, "problems": {**_list(_TEXT), "minItems": 1}})
    yield defs.add("Error", _record({"ok": no, "error": error, "id": {}}, ["ok", "error"]))


def _answers(defs: _Definitions) -> Mapping[str, Schema]:
    options = _list(defs.add_told(Option))
    prompts = _list(defs.add_told(Prompt))
    texts = _list(_TEXT)
    entry = _record({"n": _WHOLE, "on": _WHOLE, "at": _TEXT, "command": _reference("Command")})
    setting: Schema = dict.fromkeys(("key", "text", "rule", "file", "title"), _TEXT)
    setting |= {"default": _SCALAR, "choices": _list(_SCALAR), "least": {"type": ["number", "null"]}, "words": texts}
    differences = _list(defs.add_told(Difference))
    replay: Schema = {"entry": _WHOLE, "fate": {"enum": list(get_args(Fate))}, "command": _reference("Command")}
    replay |= {"rule": _TEXT, "why": _TEXT, "accepts": texts, "dice": differences}
    texts_of_idea = dict.fromkeys(("who", "action", "words", "reason", "target"), _TEXT)
    numbers: Schema = {"harm": {"type": "number"}, "chance": {"type": ["number", "null"]}}
    more: Schema = {"command": _reference("Command"), "values": {"type": "object"}}
    suggestion: Schema = {"anyOf": [_record({**texts_of_idea, **numbers, **more}), {"type": "null"}]}
    return {
        "state": _state(defs, prompts),
        "options": {"anyOf": [options, _mapping(options)]},
        "rulings": options,
        "explain": defs.add_told(Trail),
        "preview": defs.add_told(Preview),
        "prompts": prompts,
        "cues": _list(defs.add_told(Cue)),
        "history": _list(entry),
        "events": _list(_reference("Event")),
        "marks": _list(defs.add_told(Mark)),
        "branches": _list(defs.add_told(Branch)),
        "branch": defs.add_told(Branch),
        "compare": differences,
        "forecast": defs.add_told(Forecast),
        "suggest": {"anyOf": [suggestion, _mapping(suggestion)]},
        "amend": _record({"entries": _list(_record(replay)), "differences": differences}),
        "view": _view(),
        "rules": _mapping(_TEXT),
        "contacts": _mapping(texts),
        "settings": _list(_record(setting)),
        "schema": {"type": "object"},
        "help": _mapping(_record({"names": texts, "fields": texts, "text": _TEXT})),
    }


def _open_record(properties: Schema, optional: Schema | None = None) -> Schema:
    """The schema of an object with these fields, to which a system may add its own."""
    return {"type": "object", "properties": {**properties, **(optional or {})}, "required": list(properties)}


_POOLS = _mapping(_record({"now": _WHOLE, "max": _WHOLE}))
_SEEN: Schema = {
    **dict.fromkeys(("id", "label", "name", "side"), _TEXT),
    "able": _BOOLEAN,
    "at": {"anyOf": [_PLACE, {"type": "null"}]},
    "facing": {"type": ["integer", "null"]},
}


def _state(defs: _Definitions, prompts: Schema) -> Schema:
    word: Schema = {"type": ["string", "null"]}
    texts = _list(_TEXT)
    effect = _open_record({"id": _TEXT, "name": _TEXT, "left": {"type": ["integer", "null"]}, "magnitude": _WHOLE})
    combatant = {**_SEEN, **dict.fromkeys(("hidden", "able"), _BOOLEAN)}
    combatant |= {"squad": _TEXT, "pools": _POOLS, "effects": _list(effect), "flags": texts}
    agenda = _record({"steps": _list(defs.add_told(Step)), "cursor": _WHOLE, "acted": texts, "waived": texts})
    return _open_record(
        {
            **dict.fromkeys(("name", "system", "status"), _TEXT),
            "round": _WHOLE,
            **dict.fromkeys(("phase", "pulse", "step", "side"), word),
            "clock_s": _WHOLE,
            "order": texts,
            "prompts": prompts,
            "declarations": _list(defs.add_told(Declaration)),
            "agenda": agenda,
            "settings": _mapping(_SCALAR),
            "combatants": _mapping(_open_record(combatant)),
        },
        {"side_pools": _mapping(_POOLS)},
    )


def _view() -> Schema:
    texts = _list(_TEXT)
    combatant = {**_SEEN, "hp": {"enum": ["unhurt", "hurt", "badly hurt", "down", None]}, "effects": texts}
    declaration = _record(dict.fromkeys(("who", "words", "parts", "cost", "due", "status"), _TEXT))
    fields = {
        **dict.fromkeys(("status", "phase", "side"), _TEXT),
        "round": _WHOLE,
        "clock_s": _WHOLE,
        "order": texts,
        "combatants": _list(_record(combatant)),
        "declarations": _list(declaration),
    }
    return _record({**fields, "side_pools": _mapping(_POOLS)}, fields)
