"""What is read without pydantic is what pydantic would have read; what we write ourselves is read without it."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from wild_values import any_of, in_dozens

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.commands import CORE_COMMANDS
from fightcall_engine.model.events import CORE_EVENTS
from fightcall_engine.model.json_data import LARGEST_NUMBER, NotPlain, read, reader_of, to_json
from fightcall_engine.model.state import Combatant, Cue
from fightcall_engine.model.values import field_types, required_fields


def _shape(kind):
    """What decides how a class is read: the types of its fields, and which of them have a default."""
    return frozenset((str(hint), name in required_fields(kind)) for name, hint in field_types(kind).items())


KINDS = tuple(
    {
        _shape(kind): kind
        for system in map(find_system, ("stage", "turns", "slots", "segments"))
        for kind in (*CORE_EVENTS, *system.events, *CORE_COMMANDS, *system.commands, Combatant)
    }.values()
)
"""One class of each shape."""
adapter_of = cache(TypeAdapter)
ODD = (*(True, False, None, 0, 1, 1.0, -7, 10**40), *("", "1", "\ud800", "ä", "hp"), *([], [1, 2], [1.0, 2], ["a"], {}))
"""What may stand somewhere instead, whatever stood there before."""


def _in_decimals(value):
    """How a value is shown, with every number as a decimal."""
    return re.sub(r"\d+(\.\d+)?(e[+-]\d+)?", lambda number: repr(float(number[0])), repr(value))


def as_written(value):
    made = json.loads(json.dumps(to_json(value)))
    made.pop("type", None)
    return made


def places(data, here=()):
    """Where something stands in plain data."""
    yield here
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, item in items:
        yield from places(item, (*here, key))


def changed(data, place, odd):
    """The data with something else at a place."""
    if not place:
        return odd
    copy = dict(data) if isinstance(data, dict) else list(data)
    copy[place[0]] = changed(copy[place[0]], place[1:], odd)
    return copy


def agree(kind, data):
    """See that pydantic reads the same. False where the data is left to it.

    Pydantic makes 12.0 of a whole number where a decimal may stand; without it 12 stays 12.
    """
    try:
        made = reader_of(kind)(data)
    except NotPlain:
        return False
    try:
        expected = adapter_of(kind).validate_python(data)
    except ValidationError as error:
        raise AssertionError(f"{data} was read as {made!r}") from error
    assert _in_decimals(made) == _in_decimals(expected)
    assert made == expected
    return True


def with_whole_numbers(data):
    """Plain data with each decimal that is a whole number written as one."""
    if isinstance(data, dict):
        return {name: with_whole_numbers(item) for name, item in data.items()}
    if isinstance(data, list):
        return list(map(with_whole_numbers, data))
    is_whole = isinstance(data, float) and data.is_integer() and abs(data) <= LARGEST_NUMBER
    return int(data) if is_whole else data


@pytest.mark.slow
@in_dozens(KINDS)
@settings(max_examples=4)
@given(data=st.data())
def test_what_we_write_is_read_without_pydantic_and_what_is_not_as_we_write_it_as_pydantic_would(kinds, data):
    """Put right 5: what is read is written again as it was; a 12 that was given does not come back as 12.0."""
    for kind in kinds:
        written = as_written(data.draw(any_of(kind)))
        assert agree(kind, written), written
        whole = with_whole_numbers(written)
        assert json.dumps(as_written(read(kind, whole, "value"))) == json.dumps(whole), kind
        where = data.draw(st.sampled_from(list(places(written))))
        agree(kind, changed(written, where, data.draw(st.sampled_from(ODD))))
        agree(kind, {**written, "more": 1})
        for name in written:
            agree(kind, {key: item for key, item in written.items() if key != name})


@pytest.mark.parametrize(
    "text", ["1", "29/2", "-3/4", "6/4", "0", "1/0", " 1/2", "1/2 ", "0.5", "1e3", "1_0", "٣", "", 3, 0.5]
)
def test_fractions_are_read_as_pydantic_reads_them(text):
    assert agree(Fraction, text) is (text in ("1", "29/2", "-3/4", "6/4", "0"))


@given(value=any_of(Cue), data=st.data())
def test_cues_are_read_as_pydantic_reads_them(value, data):
    written = as_written(value)
    agree(Cue, written)
    agree(Cue, changed(written, data.draw(st.sampled_from(list(places(written)))), data.draw(st.sampled_from(ODD))))


@pytest.mark.parametrize(
    "encounter",
    [
        "ambush-at-the-ford",
        "surrounded-by-goblins",
        "fire-at-the-playhouse",
        "the-tiltyard",
        "the-toll-bridge",
        "the-rooftops",
        "the-loading-dock",
        "high-noon",
    ],
)
def test_what_systems_remember_is_read_as_pydantic_reads_it(encounter):
    fight = start_fight(load_encounter(encounter), id="fight", seed="1")
    fight.give("start")
    record = fight.system.record
    first, *others = [as_written(combatant.record) for combatant in fight.state.combatants.values()]
    assert all(agree(record, written) for written in (first, *others))
    for place in places(first):
        for odd in ODD:
            agree(record, changed(first, place, odd))
    assert agree(fight.system.fight_record, as_written(fight.state.record))
