"""The hex board and its terrain: shape, contact, ground and the JSON form."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import OPEN, Board, Hex, Terrain
from fightcall_engine.board.kinds import HexBoard, from_offset

WATER = Terrain("water", glyph="~", cost=2)
WALL = Terrain("wall", glyph="#", blocks=True, blocks_sight=True, cover="full", height_ft=10)
LEGEND = {"water": WATER, "wall": WALL}

NAMES = st.text(min_size=1, max_size=8).filter(lambda name: bool(name.strip()) and name != OPEN.name)
GLYPHS = st.characters(categories=("L", "N", "P", "S"))
HEIGHTS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def boards(draw: st.DrawFn) -> HexBoard:
    cols, rows = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    names = draw(st.lists(NAMES, max_size=3, unique=True))
    flags = st.booleans()
    legend = {
        name: Terrain(
            name,
            glyph=draw(GLYPHS),
            cost=draw(st.integers(1, 20)),
            blocks=draw(flags),
            blocks_sight=draw(flags),
            cover=draw(st.none() | NAMES),
            height_ft=draw(HEIGHTS),
        )
        for name in names
    }
    places = st.builds(from_offset, st.integers(0, cols - 1), st.integers(0, rows - 1))
    terrain = draw(st.dictionaries(places, st.sampled_from([OPEN.name, *names]), max_size=20))
    scale = draw(st.floats(0.001, 1e6))
    return HexBoard(cols, rows, scale=scale, unit=draw(NAMES), terrain=terrain, legend=legend)


def test_a_hex_board_answers_what_every_board_answers() -> None:
    board: Board[Hex] = HexBoard(4, 3)
    assert (board.kind, board.scale, board.unit) == ("hex", 5.0, "ft")
    assert len(list(board.places())) == 12
    assert board.extent() == "A1 to D3"
    assert board.name_of(board.parse("d3")) == "D3"


@given(boards(), st.integers(-3, 12), st.integers(-3, 12))
def test_the_map_is_a_rectangle_of_columns_and_rows(board: HexBoard, col: int, row: int) -> None:
    place = from_offset(col, row)
    assert board.contains(place) == (0 <= col < board.cols and 0 <= row < board.rows)
    assert board.contains(place) == (place in board.places())


@given(boards())
def test_neighbours_stay_on_the_map_and_lead_both_ways(board: HexBoard) -> None:
    for place in board.places():
        around = (board.step(place, direction) for direction in range(6))
        assert board.neighbours(place) == tuple(filter(board.contains, around))
        assert all(place in board.neighbours(near) for near in board.neighbours(place))


@given(boards(), st.data())
def test_lines_between_hexes_of_the_map_stay_on_it_both_ways(board: HexBoard, data: st.DataObject) -> None:
    a, b = (data.draw(st.sampled_from(board.places())) for _ in range(2))
    line = board.line(a, b)
    assert (line[0], line[-1], len(line)) == (a, b, board.distance(a, b) + 1)
    assert all(map(board.contains, line))
    assert all(board.contains(place) for abreast in board.corridor(a, b) for place in abreast)
    assert all(board.contact(here, there) for here, there in pairwise(line))
    assert board.line(b, a) == line[::-1]


def test_contact_is_distance_one_sb_03() -> None:
    board = HexBoard(9, 9)
    orc = board.parse("E5")
    touching = {board.name_of(place) for place in board.places() if board.contact(orc, place)}
    assert touching == {"F5", "E4", "D4", "D5", "D6", "E6"}
    assert not board.contact(orc, orc)
    assert not any(board.contact(orc, place) for place in board.places() if board.distance(orc, place) == 2)


def test_bearing_on_the_board() -> None:
    board = HexBoard(9, 9)
    assert board.bearing(board.parse("A1"), board.parse("I1")) == 0
    assert board.bearing(board.parse("A1"), board.parse("A1")) is None


def test_the_ground_tells_what_entering_costs() -> None:
    board = HexBoard(4, 3, terrain={Hex(1, 0): "water", Hex(2, 0): "wall"}, legend=LEGEND)
    assert board.cost_of(Hex(0, 0)) == 1
    assert board.cost_of(Hex(1, 0)) == 2
    assert board.cost_of(Hex(2, 0)) is None
    assert board.cost_of(Hex(-1, 0)) is None
    assert board.terrain_at(Hex(1, 0)) is WATER
    assert board.terrain_at(Hex(0, 0)) == board.terrain_at(Hex(-1, 0)) == OPEN


def test_a_typed_place_must_be_on_the_map() -> None:
    with pytest.raises(ValueError, match="E1 is not on the map, which has A1 to D3"):
        HexBoard(4, 3).parse("e1")
    with pytest.raises(ValueError, match="such as F5"):
        HexBoard(4, 3).parse("middle")


@given(boards())
def test_boards_are_values(board: HexBoard) -> None:
    assert copy.deepcopy(board) == pickle.loads(pickle.dumps(board)) == replace(board) == board
    assert hash(replace(board)) == hash(board)
    assert replace(board, cols=board.cols + 1) != board
    spelt_out = {place: board.terrain.get(place, OPEN.name) for place in board.places()}
    assert replace(board, terrain=spelt_out) == board


def test_a_board_does_not_follow_what_it_was_made_from() -> None:
    terrain, legend = {Hex(1, 0): "water"}, dict(LEGEND)
    board = HexBoard(4, 3, terrain=terrain, legend=legend)
    terrain[Hex(0, 0)] = "wall"
    legend.clear()
    assert board == HexBoard(4, 3, terrain={Hex(1, 0): "water"}, legend=LEGEND)
    with pytest.raises(FrozenInstanceError):
        board.cols = 5  # type: ignore[misc]


@given(boards())
def test_json_leads_back_exactly(board: HexBoard) -> None:
    text = json.dumps(board.to_json(), allow_nan=False)
    assert HexBoard.from_json(json.loads(text)) == board
    assert json.dumps(HexBoard.from_json(json.loads(text)).to_json(), allow_nan=False) == text


def test_json_says_no_more_than_it_must() -> None:
    assert HexBoard(20, 15).to_json() == {"kind": "hex", "cols": 20, "rows": 15, "scale": 5.0, "unit": "ft"}
    board = HexBoard(4, 3, terrain={Hex(1, 0): "water", Hex(0, 1): "water"}, legend={"water": WATER})
    data = board.to_json()
    assert data["legend"] == {"water": {"glyph": "~", "cost": 2}}
    assert data["cells"] == {"water": ["B1", "A2"]}


def test_size_alone_makes_an_open_board() -> None:
    assert HexBoard.from_json({"kind": "hex", "cols": 20, "rows": 15}) == HexBoard(20, 15)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "square"}, "kind must be 'hex', not 'square'"),
        ({"colour": 1}, "does not know colour; accepted keys: kind, cols, rows, scale"),
        ({"cols": 0}, "cols must be a whole number from 1 to 500, not 0"),
        ({"rows": 501}, "rows must be a whole number from 1 to 500, not 501"),
        ({"cols": True}, "cols must be a whole number"),
        ({"cols": 2.0}, "cols must be a whole number"),
        ({"cols": "2"}, "cols must be a whole number"),
        ({"scale": 0}, "scale must be more than 0"),
        ({"scale": "5"}, "scale must be a number"),
        ({"scale": float("nan")}, "scale must be a finite number"),
        ({"scale": 10**400}, "scale must be a finite number"),
        ({"unit": " "}, "unit must be text"),
        ({"legend": []}, "legend must be an object"),
        ({"legend": {1: {}}}, "legend must have text for keys, not 1"),
        ({"legend": {"open": {}}}, "always means open ground"),
        ({"legend": {"mud": {"price": 2}}}, "terrain 'mud' does not know price; accepted keys: glyph, cost"),
        ({"legend": {"mud": {"cost": 0}}}, "terrain 'mud': cost must be a whole number of at least 1, not 0"),
        ({"legend": {"mud": {"blocks": 1}}}, "terrain 'mud': blocks must be true or false, not 1"),
        ({"legend": {"mud": {"glyph": "ab"}}}, "terrain 'mud': glyph must be one visible character"),
        ({"legend": {"mud": {"cover": 3}}}, "terrain 'mud': cover must be text"),
        ({"legend": {"mud": {"height_ft": "3"}}}, "terrain 'mud': height_ft must be a number"),
        ({"cells": {"mud": ["A1"]}}, "A1: terrain 'mud' is not in the legend; accepted: open, water"),
        ({"cells": {"water": ["E1"]}}, "terrain 'water' at E1 is not on the map, which has A1 to D3"),
        ({"cells": {"water": ["0"]}}, "such as F5"),
        ({"cells": {"water": [7]}}, "a place of 'water' must be text"),
        ({"cells": {"water": "A1"}}, "cells of 'water' must be a list"),
        ({"cells": {"water": ["A1"], "open": ["a1"]}}, "a1 is listed under 'water' and again under 'open'"),
    ],
)
def test_json_that_is_no_board_is_refused_with_what_would_be(change: dict[str, object], message: str) -> None:
    good: dict[str, object] = {"kind": "hex", "cols": 4, "rows": 3, "legend": {"water": {"cost": 2}}}
    assert HexBoard.from_json(good).cols == 4
    with pytest.raises(ValueError, match=message):
        HexBoard.from_json(good | change)


@pytest.mark.parametrize("key", ["kind", "cols", "rows"])
def test_json_without_a_size_or_kind_is_refused(key: str) -> None:
    data: dict[str, object] = {"kind": "hex", "cols": 4, "rows": 3}
    del data[key]
    with pytest.raises(ValueError, match=f"lacks {key}; accepted keys: kind, cols, rows, scale"):
        HexBoard.from_json(data)


@pytest.mark.parametrize("value", [None, [], "hex", 3])
def test_json_that_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="hex board must be an object"):
        HexBoard.from_json(value)


def test_a_legend_key_is_the_name_of_its_terrain() -> None:
    with pytest.raises(ValueError, match="legend key 'lake' holds terrain 'water'"):
        HexBoard(4, 3, legend={"lake": WATER})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": " "}, "terrain name must be text"),
        ({"glyph": " "}, "glyph must be one visible character"),
        ({"glyph": "\x1b"}, "glyph must be one visible character"),
        ({"glyph": ""}, "glyph must be one visible character"),
        ({"cost": 0}, "cost must be a whole number of at least 1"),
        ({"cover": ""}, "cover must be text"),
        ({"height_ft": float("inf")}, "height_ft must be a finite number"),
    ],
)
def test_terrain_out_of_range_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        replace(WATER, **change)  # type: ignore[arg-type]
