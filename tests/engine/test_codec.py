"""To JSON and back, and every way a name or a field may be written."""

from __future__ import annotations

import json
import math
from dataclasses import MISSING, fields
from functools import partial
from typing import get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wild_commands import BOARD, BOARDS
from wild_values import any_of, in_dozens

from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard, parse_place, place_name
from fightcall_engine.kit.movement import with_places
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import CORE_COMMANDS, squeeze
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import CORE_EVENTS, BoardChanged
from fightcall_engine.model.json_data import check_numbers, command_json, to_json
from fightcall_engine.model.state import FightState
from fightcall_engine.play.codec import Codec, state_from_json

STAGE = find_system("stage")
CODEC = Codec(STAGE)
COMMANDS = (*CORE_COMMANDS, *STAGE.commands)
EVENTS = (*CORE_EVENTS, *STAGE.events)


def through_json(value):
    return json.loads(json.dumps(to_json(value), allow_nan=False))


@in_dozens(EVENTS)
@settings(max_examples=5)
@given(data=st.data())
def test_every_event_survives_json(kinds, data):
    for kind in kinds:
        known = {"board": BOARDS} if kind is BoardChanged else {}
        happened = data.draw(any_of(kind, **known))
        assert CODEC.event(through_json(happened)) == happened


@in_dozens(COMMANDS)
@settings(max_examples=5)
@given(data=st.data())
def test_every_command_survives_json_whole_and_as_the_journal_keeps_it(kinds, data):
    for kind in kinds:
        given_by_gm = data.draw(any_of(kind, rolls=st.just({"attack": (3, 4)})))
        for written in (to_json(given_by_gm), command_json(given_by_gm)):
            made = json.loads(json.dumps(written))
            assert CODEC.command(made.pop("type"), made) == given_by_gm


@given(any_of(FightState, board=st.none() | st.just(BOARD), plan=st.none() | st.just(BOARD), rules_text=st.just("")))
def test_every_state_survives_json(state):
    assert state_from_json(through_json(state)) == state


# Names


@pytest.mark.parametrize(
    "name", ["DropProne", "drop_prone", "drop prone", "DROP-PRONE", "dropprone", "prone", " Drop_Prone "]
)
def test_a_command_may_be_written_in_any_way(name):
    assert CODEC.command(name, {"who": "ash"}) == CODEC.command("DropProne", {"who": "ash"})


def test_every_name_is_squeezed_and_stands_for_a_command():
    assert CODEC.command_names == tuple(sorted({squeeze(name) for name in CODEC.command_names}))
    assert set(CODEC.command_kinds.values()) == set(COMMANDS)
    for kind in COMMANDS:
        assert CODEC.command_kinds[squeeze(kind.__name__)] is kind


def test_an_alias_may_fill_in_fields_that_stay_open_to_change():
    shot = CODEC.command("shoot", {"who": "ash", "target": "orc"})
    assert shot == CODEC.command("strike", {"who": "ash", "target": "orc", "kind": "missile"})
    assert CODEC.fixed_fields("Shoot") == {"kind": "missile"}
    assert CODEC.fixed_fields("strike") == {}


def test_an_unknown_command_lists_those_there_are():
    with pytest.raises(Refused) as no:
        CODEC.command("dance", {})
    assert (no.value.rule, no.value.final) == ("command", True)
    assert no.value.accepts == CODEC.command_names


@given(st.text())
def test_any_name_is_read_or_refused(name):
    if squeeze(name) not in CODEC.command_names:
        with pytest.raises(Refused):
            CODEC.command(name, {})


# Fields


@given(st.integers(0, 90), st.integers(0, 90))
def test_places_may_be_written_as_on_the_map(col, row):
    place = Hex(col - row // 2, row)
    name = place_name(place)
    assert parse_place(name) == place
    there = FightState("f", "F", "stage", "7", board=HexBoard(91, 91))
    for written in (name, name.lower(), list(place)):
        read = partial(_read_at, there)
        assert read("place", {"who": "ash", "at": written}).at == place
        assert read("move", {"who": "ash", "to": written}).to == place
        assert read("move", {"who": "ash", "path": [written, name]}).path == (place, place)


def _read_at(state, name, data):
    """A command as a fight takes it: read, and its places looked up on the board."""
    return with_places(state, CODEC.command(name, data))


def test_a_place_that_is_none_is_refused_with_those_there_are():
    there = FightState("f", "F", "stage", "7", board=HexBoard(9, 9))
    for bad in ("nowhere", "Z90"):
        with pytest.raises(BadInput, match=bad):
            _read_at(there, "place", {"who": "ash", "at": bad})


@pytest.mark.parametrize("written", ["ash brand", "ash,brand", "ash, brand", ["ash", "brand"]])
def test_several_words_may_be_one_text(written):
    segments = Codec(find_system("segments"))
    assert segments.command("spring", {"aggressors": written}).aggressors == ("ash", "brand")


def test_one_face_needs_no_list():
    assert CODEC.command("advance", {"rolls": {"attack": 7}}).rolls == {"attack": (7,)}


@pytest.mark.parametrize(
    ("name", "data", "fields_named"),
    [
        ("move", {}, ["who: missing"]),
        ("move", {"who": "ash", "path": [[1, "x"]]}, ["path.0.1"]),
        ("move", {"who": "ash", "hexes": "many", "cover": 3}, ["hexes", "cover"]),
        ("move", {"who": "ash", "haste": 3}, ["haste: unknown", "hexes"]),
        ("place", {"who": "ash", "at": 3}, ["at: "]),
        ("advance", {"rolls": {"attack": ["x"]}}, ["rolls.attack.0"]),
        ("advance", {"force": "perhaps"}, ["force"]),
        ("note", {"text": None}, ["text"]),
        ("note", {"text": "x", "type": "Close"}, ["type"]),
        ("join", {"name": "Ash", "sheet": ["agility"]}, ["sheet"]),
    ],
)
def test_a_bad_field_is_named(name, data, fields_named):
    with pytest.raises(BadInput) as bad:
        CODEC.command(name, data)
    told = str(bad.value)
    assert all(word in told for word in fields_named), told


def test_an_unknown_or_crippled_event_is_named():
    with pytest.raises(BadInput, match="unknown 'Danced'"):
        CODEC.event({"type": "Danced"})
    with pytest.raises(BadInput, match="unknown None"):
        CODEC.event({})
    with pytest.raises(BadInput, match=r"event Waived.*who: missing"):
        CODEC.event({"type": "Waived"})
    with pytest.raises(BadInput, match="colour"):
        CODEC.event({"type": "Waived", "who": "ash", "colour": "red"})


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 10**400, -(10**16), 1e300])
def test_numbers_that_no_journal_holds_are_named(number):
    for value in (number, [1, number], {"a": {"b": number}}):
        with pytest.raises(BadInput, match="out of range"):
            check_numbers(value, "x")
    check_numbers({"a": [1, 2.5, -(10**15), "1e999", None, True]}, "x")


# True and false are no numbers


def _numeric(kind):
    """The fields of a command that take a number and neither true nor false."""
    told = {name: str(hint) for name, hint in get_type_hints(kind).items()}
    return [name for name, hint in told.items() if ("int" in hint or "float" in hint) and "bool" not in hint]


def _shaped(hint):
    """True, where a field of this type would have a number."""
    text = str(hint)
    if "Mapping" in text:
        return {"attack": [True] if "tuple" in text else True}
    if "Hex" in text:
        return [[True, 1]] if "tuple" in text else [True, 1]
    return [True] if "tuple" in text else True


NUMERIC = [
    (system_id, kind, name)
    for system_id in ("stage", "slots", "turns", "segments")
    for kind in (*CORE_COMMANDS, *find_system(system_id).commands)
    for name in _numeric(kind)
]


def test_no_number_of_a_command_takes_true_or_false():
    for system_id, kind, name in NUMERIC:
        hints = get_type_hints(kind)
        needed = [one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING]
        others = {one: 1 if hints[one] in (int, float) else "ash" for one in needed}
        given_by_gm = {**others, name: _shaped(hints[name])}
        with pytest.raises(BadInput, match=rf"{name}[^;]*: expected a number \(got True\)"):
            Codec(find_system(system_id)).command(kind.__name__, given_by_gm)


def test_no_number_of_a_sheet_takes_true_or_false():
    """By its other names, and in the lists of it, too."""
    slots = find_system("slots")
    with pytest.raises(BadInput, match="agility: expected a number"):
        slots.check_sheet({"agility": True}, "Ash")
    with pytest.raises(BadInput, match=r"abilities\.0\.cost_active: expected a number \(got False\)"):
        slots.check_sheet({"abilities": [{"name": "cut", "cost_active": False, "reserved_ok": True}]}, "Ash")


def test_what_may_be_true_or_a_number_stays_what_it_is():
    assert CODEC.command("adjust", {"what": "able", "value": True, "who": "ash"}).value is True
    assert CODEC.command("adjust", {"what": "beats", "value": 1, "who": "ash"}).value == 1


def test_what_is_no_value_is_not_written():
    with pytest.raises(TypeError, match="object can't be written"):
        to_json({"x": object()})
