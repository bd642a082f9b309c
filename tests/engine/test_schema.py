"""The JSON Schema of the protocol: of every system alone, and of all together."""

import json
from dataclasses import fields

import jsonschema_rs
import pytest

from fightcall_engine.headless import Session
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import Command
from fightcall_engine.play.codec import Codec
from fightcall_engine.play.schema import protocol_schema
from protocol_schema import schema_of, validator

SYSTEMS = ("stage", "slots", "turns", "segments")
KINDS = [
    (name, kind)
    for name in SYSTEMS
    for codec in (Codec(find_system(name)),)
    for kind in (*dict.fromkeys(codec.command_kinds.values()), *codec.event_kinds)
]
EVENT = {"type": "Waived", "who": "ash", "stamp": {"seq": 1, "round": 0, "phase": None, "side": None, "clock_s": 0}}


@pytest.mark.slow
@pytest.mark.parametrize("systems", [("stage", "turns"), ("slots", "segments")], ids=" ".join)
def test_it_is_a_schema_and_every_reference_leads_somewhere(systems):
    schema = json.loads(json.dumps(protocol_schema(map(find_system, systems)), allow_nan=False))
    jsonschema_rs.meta.validate(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    for reference in _references(schema):
        assert reference.removeprefix("#/$defs/") in schema["$defs"], reference


def _references(node):
    if isinstance(node, dict):
        yield from ([node["$ref"]] if isinstance(node.get("$ref"), str) else [])
        node = list(node.values())
    if isinstance(node, list):
        for inner in node:
            yield from _references(inner)


def test_every_field_of_a_command_or_an_event_is_told():
    for system, kind in KINDS:
        told = schema_of(system)["$defs"][kind.__name__]
        extra = set() if issubclass(kind, Command) else {"stamp"}
        assert set(told["properties"]) == {"type", *(field.name for field in fields(kind)), *extra}
        assert told["properties"]["type"] == {"const": kind.__name__}
        assert told["additionalProperties"] is False
        assert told["description"] == " ".join(kind.__doc__.split())
        if extra:
            assert set(told["required"]) == set(told["properties"])


def test_all_names_are_told():
    schema = schema_of("stage")
    assert set(schema["names"]) == set(Codec(find_system("stage")).command_names)
    assert schema["names"]["shoot"] == "Strike"


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_protocol_tells_its_own_schema(system):
    session = Session()
    session.answer({"do": "open", "system": system})
    reply = json.loads(json.dumps(session.answer({"ask": "schema"})))
    assert reply["schema"] == schema_of(system)


@pytest.mark.parametrize(
    ("part", "value", "valid"),
    [
        ("events", EVENT, True),
        ("events", {**EVENT, "round": 1}, False),
        ("events", {name: EVENT[name] for name in ("type", "who")}, False),
        ("events", {**EVENT, "stamp": {**EVENT["stamp"], "seq": 0}}, False),
        ("requests", {"do": "move", "who": "ash", "path": [[1, 2], "F5"], "expect": 3, "id": "x"}, True),
        ("requests", {"do": "move", "path": [[1, 2]]}, False),
        ("requests", {"do": "drop_prone", "who": "ash"}, True),
        ("requests", {"do": "dance", "who": "ash"}, False),
        ("requests", {"do": "open", "watch": "fight.jsonl"}, True),
        ("requests", {"do": "open", "watch": 1}, False),
        ("requests", {"do": "shoot", "who": "ash", "rolls": {"attack": 11}}, True),
        ("requests", {"do": "shoot", "who": "ash", "rolls": {"attack": "11"}}, False),
        ("requests", {"do": "shoot", "who": "ash", "hit": "roll"}, True),
        ("requests", {"do": "shoot", "who": "ash", "hit": "perhaps"}, False),
        ("requests", {"do": "advance", "who": "ash"}, True),
        ("requests", {"do": "face", "who": "ash", "facing": "NE"}, True),
        ("requests", {"do": "jump", "to": 3}, True),
        ("requests", {"do": "jump", "to": "a bookmark"}, True),
        ("requests", {"do": "rule", "what": "order", "value": ["ash", "bo"]}, True),
        ("requests", {"ask": "explain", "who": "ash", "what": "beats"}, True),
        ("requests", {"ask": "weather"}, False),
        ("replies", {"ok": True, "n": 1, "events": [EVENT]}, True),
        ("replies", {"ok": True, "n": 1}, False),
        ("replies", {"ok": False, "refused": {"rule": "SB-46", "message": "no", "accepts": []}}, False),
        ("replies", {"ok": False, "refused": {"rule": "SB-46", "message": "no", "accepts": ["yes"]}}, True),
        ("replies", {"ok": False, "needs": [{"purpose": "attack", "dice": "d20", "who": None}]}, True),
        ("replies", {"ok": False, "error": {"where": "line", "problems": ["not JSON"]}, "id": 7}, True),
    ],
    ids=lambda value: json.dumps(value)[:60] if type(value) is dict else str(value),
)
def test_what_is_and_what_is_not_a_line_of_it(part, value, valid):
    assert validator("stage", part).is_valid(value) is valid


@pytest.mark.slow
def test_two_systems_may_mean_different_things_by_a_name():
    """`CheckResolved` of Active Phase Encounters is not that of Combat Segments; together, either will do."""
    both = json.loads(json.dumps(protocol_schema(map(find_system, ("slots", "segments")))))
    alone = [schema_of(system)["$defs"]["CheckResolved"] for system in ("slots", "segments")]
    assert both["$defs"]["CheckResolved"]["anyOf"] == alone
