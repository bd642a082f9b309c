"""The square board: directions, lines, sight, contact, ground and the JSON form."""

import copy
import json
import pickle
from collections.abc import Collection
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import OPEN, Board, Square, Terrain, find_path, reach
from fightcall_engine.board.kinds import SquareBoard

WATER = Terrain("water", glyph="~", cost=2)
WALL = Terrain("wall", glyph="#", blocks=True, blocks_sight=True)
LEGEND = {"water": WATER, "wall": WALL}
NEAR = st.builds(Square, st.integers(-6, 6), st.integers(-6, 6))
SOME = st.frozensets(NEAR, max_size=40)
CENTRE = Square(7, 7)


def walled(walls: Collection[Square]) -> SquareBoard:
    """A board with walls at these offsets from its centre, wide enough for all of `NEAR`."""
    return SquareBoard(15, 15, terrain={from_centre(wall): "wall" for wall in walls}, legend=LEGEND)


def from_centre(offset: Square) -> Square:
    return Square(CENTRE.col + offset.col, CENTRE.row + offset.row)


def turned(here: Square) -> Square:
    return Square(here.row, -here.col)


def mirrored(here: Square) -> Square:
    return Square(-here.col, here.row)


@st.composite
def boards(draw: st.DrawFn) -> SquareBoard:
    cols, rows = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    places = st.builds(Square, st.integers(0, cols - 1), st.integers(0, rows - 1))
    terrain = draw(st.dictionaries(places, st.sampled_from([OPEN.name, *LEGEND]), max_size=20))
    return SquareBoard(cols, rows, scale=draw(st.floats(0.001, 1e6)), terrain=terrain, legend=LEGEND)


def test_a_square_board_answers_what_every_board_answers() -> None:
    board: Board[Square] = SquareBoard(4, 3)
    assert (board.kind, board.scale, board.unit) == ("square", 5.0, "ft")
    assert len(list(board.places())) == 12
    assert board.extent() == "A1 to D3"
    assert board.name_of(board.parse("d3")) == "D3"
    assert board.parse("D3") == Square(3, 2)


def test_eight_directions_counter_clockwise_from_east() -> None:
    here = Square(4, 4)
    assert [SquareBoard.bearing(here, SquareBoard.step(here, direction)) for direction in range(8)] == list(range(8))
    around = tuple(SquareBoard.step(here, direction) for direction in range(8))
    assert SquareBoard(9, 9).neighbours(here) == around
    assert SquareBoard.step(here, SquareBoard.directions.index("N")) == Square(4, 3)
    for direction in (-1, 8):
        with pytest.raises(ValueError, match=r"0 \(E\) to 7 \(SE\)"):
            SquareBoard.step(here, direction)


@pytest.mark.parametrize(
    ("east", "north", "octant"),
    [(5, 2, 0), (5, 3, 1), (2, 5, 2), (3, 5, 1), (-2, 5, 2), (-3, 5, 3), (-5, 2, 4), (-5, -3, 5), (0, -9, 6),
     (7, -7, 7)],
)  # fmt: skip
def test_bearings_go_to_the_nearest_octant(east: int, north: int, octant: int) -> None:
    assert SquareBoard.bearing(Square(10, 10), Square(10 + east, 10 - north)) == octant


@given(NEAR, NEAR)
def test_the_bearing_back_is_the_opposite_one(a: Square, b: Square) -> None:
    there, back = SquareBoard.bearing(a, b), SquareBoard.bearing(b, a)
    if there is None or back is None:
        assert a == b
    else:
        assert (there - back) % 8 == 4


@given(NEAR)
def test_turning_the_map_turns_the_bearing(there: Square) -> None:
    here = Square(0, 0)
    before, after = SquareBoard.bearing(here, there), SquareBoard.bearing(here, turned(there))
    if before is not None:
        assert after == (before + 2) % 8


@given(NEAR, NEAR, NEAR)
def test_distance_is_a_distance(a: Square, b: Square, c: Square) -> None:
    assert SquareBoard.distance(a, b) == SquareBoard.distance(b, a) >= 0
    assert (SquareBoard.distance(a, b) == 0) == (a == b)
    assert SquareBoard.distance(a, c) <= SquareBoard.distance(a, b) + SquareBoard.distance(b, c)


@given(NEAR, NEAR)
def test_distance_counts_steps(a: Square, b: Square) -> None:
    board = walled(())
    assert reach(board, from_centre(a), None)[from_centre(b)] == SquareBoard.distance(a, b)


def test_cs_251_a_ruler_follows_no_lines() -> None:
    board = SquareBoard(20, 20)
    assert board.length(Square(0, 0), Square(3, 4)) == 25.0
    assert board.distance(Square(0, 0), Square(3, 4)) == 4
    assert replace(board, scale=2.0).length(Square(0, 0), Square(0, 9)) == 18.0


@given(boards(), st.integers(-3, 12), st.integers(-3, 12))
def test_the_map_is_a_rectangle_of_columns_and_rows(board: SquareBoard, col: int, row: int) -> None:
    place = Square(col, row)
    assert board.contains(place) == (0 <= col < board.cols and 0 <= row < board.rows)
    assert board.contains(place) == (place in board.places())


@given(boards())
def test_neighbours_stay_on_the_map_and_lead_both_ways(board: SquareBoard) -> None:
    for place in board.places():
        around = (SquareBoard.step(place, direction) for direction in range(8))
        assert board.neighbours(place) == tuple(filter(board.contains, around))
        assert all(place in board.neighbours(near) for near in board.neighbours(place))


@given(boards(), st.data())
def test_lines_between_squares_of_the_map_stay_on_it_both_ways(board: SquareBoard, data: st.DataObject) -> None:
    a, b = (data.draw(st.sampled_from(board.places())) for _ in range(2))
    line = board.line(a, b)
    assert (line[0], line[-1], len(line)) == (a, b, board.distance(a, b) + 1)
    assert all(map(board.contains, line))
    assert all(board.contains(place) for abreast in board.corridor(a, b) for place in abreast)
    assert all(board.contact(here, there) for here, there in pairwise(line))
    assert board.line(b, a) == line[::-1]
    assert board.corridor(b, a) == board.corridor(a, b)[::-1]


def passed_through(a: Square, b: Square) -> set[Square]:
    """The squares whose inside the line from middle to middle crosses, found by clipping it against each."""
    found = set()
    for col in range(min(a.col, b.col), max(a.col, b.col) + 1):
        for row in range(min(a.row, b.row), max(a.row, b.row) + 1):
            begins, ends = Fraction(0), Fraction(1)
            for start, end, middle in ((a.col, b.col, col), (a.row, b.row, row)):
                if start == end:
                    continue
                cuts = sorted(Fraction(2 * (middle - start) + side, 2 * (end - start)) for side in (-1, 1))
                begins, ends = max(begins, cuts[0]), min(ends, cuts[1])
            if begins < ends or a == b:
                found.add(Square(col, row))
    return found


@given(NEAR, NEAR)
def test_a_corridor_is_every_square_the_line_passes_through(a: Square, b: Square) -> None:
    corridor = SquareBoard.corridor(a, b)
    entered = [abreast[0] for abreast in corridor if len(abreast) == 1]
    assert len(entered) == len(set(entered))
    assert set(entered) == passed_through(a, b)
    for before, abreast, after in zip(corridor, corridor[1:], corridor[2:], strict=False):
        if len(abreast) == 2:
            assert SquareBoard.distance(before[0], after[0]) == 1
            assert all(SquareBoard.distance(beside, end) == 1 for beside in abreast for end in (before[0], after[0]))


@given(NEAR, NEAR)
def test_a_line_runs_inside_its_corridor(a: Square, b: Square) -> None:
    touched = {place for abreast in SquareBoard.corridor(a, b) for place in abreast}
    assert set(SquareBoard.line(a, b)) <= touched


@given(SOME, NEAR, NEAR)
def test_whoever_can_be_seen_can_see(walls: frozenset[Square], a: Square, b: Square) -> None:
    board = walled(walls)
    there = board.sight(from_centre(a), from_centre(b))
    back = board.sight(from_centre(b), from_centre(a))
    assert there.clear == back.clear
    assert there.cells[0] == from_centre(a)
    assert there.cells[-1] == from_centre(b)
    assert sorted(there.cells) == sorted(back.cells)


@given(SOME, NEAR, NEAR)
def test_sight_is_fair_turning_or_mirroring_the_map_changes_nothing(
    walls: frozenset[Square], a: Square, b: Square
) -> None:
    clear = walled(walls).sight(from_centre(a), from_centre(b)).clear
    for change in (turned, mirrored):
        board = walled([change(wall) for wall in walls])
        assert board.sight(from_centre(change(a)), from_centre(change(b))).clear == clear


def test_a_wall_between_blocks_and_walls_at_the_ends_do_not() -> None:
    a, b = from_centre(Square(-3, 0)), from_centre(Square(3, 0))
    assert walled([Square(-3, 0), Square(3, 0)]).sight(a, b).clear
    assert walled([Square(1, 0), Square(2, 0)]).sight(a, b).blocked_by == from_centre(Square(1, 0))
    assert walled([Square(1, 0), Square(2, 0)]).sight(b, a).blocked_by == from_centre(Square(2, 0))


def test_through_a_corner_only_walls_on_both_sides_block() -> None:
    a, b = from_centre(Square(0, 0)), from_centre(Square(1, 1))
    east, south = Square(1, 0), Square(0, 1)
    assert walled([east]).sight(a, b).clear
    assert walled([south]).sight(a, b).clear
    between = walled([east, south]).sight(a, b)
    assert between.blocked_by == from_centre(south)
    assert between.cells == (a, from_centre(south), from_centre(east), b)


def test_nobody_looks_through_a_wall_built_aslant() -> None:
    board = walled([Square(col, 1 - col) for col in range(-5, 7)])
    behind = [Square(1, 1), Square(3, 2), Square(2, 3), Square(4, 4)]
    assert not any(board.sight(CENTRE, from_centre(there)).clear for there in behind)


def test_what_can_be_seen_around_a_pillar() -> None:
    board = walled([Square(1, 0)])
    near = [place for place in board.places() if board.distance(CENTRE, place) <= 3]
    hidden = {place for place in near if not board.sight(CENTRE, place).clear}
    aside = ((2, 0), (3, 0), (2, 1), (3, 1), (3, 2))
    assert hidden == {from_centre(Square(col, side * row)) for col, row in aside for side in (-1, 1)}


def test_contact_is_all_eight_squares_around_cs_300() -> None:
    board = SquareBoard(9, 9)
    orc = board.parse("E5")
    touching = {board.name_of(place) for place in board.places() if board.contact(orc, place)}
    assert touching == {"D4", "E4", "F4", "D5", "F5", "D6", "E6", "F6"}
    assert not board.contact(orc, orc)


def test_walking_round_a_wall_and_through_water() -> None:
    wall = {Square(2, row): "wall" for row in range(4)}
    board = SquareBoard(5, 5, terrain={**wall, Square(2, 4): "water"}, legend=LEGEND)
    way = find_path(board, Square(1, 2), Square(3, 2))
    assert way == (Square(1, 3), Square(2, 4), Square(3, 3), Square(3, 2))
    assert reach(board, Square(1, 2), 4)[Square(3, 3)] == 4
    assert Square(3, 2) not in reach(board, Square(1, 2), 4)


def test_the_ground_tells_what_entering_costs() -> None:
    board = SquareBoard(4, 3, terrain={Square(1, 0): "water", Square(2, 0): "wall"}, legend=LEGEND)
    assert [board.cost_of(Square(col, 0)) for col in (0, 1, 2, -1)] == [1, 2, None, None]
    assert board.terrain_at(Square(1, 0)) is WATER
    assert board.terrain_at(Square(0, 0)) == board.terrain_at(Square(-1, 0)) == OPEN


@given(st.integers(-800, 800), st.integers(-800, 800))
def test_names_lead_back(col: int, row: int) -> None:
    place = Square(col, row)
    assert SquareBoard.place_called(SquareBoard.name_of(place).lower()) == place


def test_a_typed_place_must_be_on_the_map() -> None:
    with pytest.raises(ValueError, match="E1 is not on the map, which has A1 to D3"):
        SquareBoard(4, 3).parse("e1")
    with pytest.raises(ValueError, match="such as F5"):
        SquareBoard(4, 3).parse("middle")


@given(boards())
def test_boards_are_values(board: SquareBoard) -> None:
    assert copy.deepcopy(board) == pickle.loads(pickle.dumps(board)) == replace(board) == board
    assert hash(replace(board)) == hash(board)
    assert replace(board, cols=board.cols + 1) != board
    with pytest.raises(FrozenInstanceError):
        board.cols = 5  # type: ignore[misc]


@given(boards())
def test_json_leads_back_exactly(board: SquareBoard) -> None:
    text = json.dumps(board.to_json(), allow_nan=False)
    assert SquareBoard.from_json(json.loads(text)) == board
    assert json.dumps(SquareBoard.from_json(json.loads(text)).to_json(), allow_nan=False) == text


def test_json_says_no_more_than_it_must() -> None:
    assert SquareBoard(20, 15).to_json() == {"kind": "square", "cols": 20, "rows": 15, "scale": 5.0, "unit": "ft"}
    assert SquareBoard.from_json({"kind": "square", "cols": 20, "rows": 15}) == SquareBoard(20, 15)
    board = SquareBoard(4, 3, terrain={Square(1, 0): "water", Square(0, 1): "water"}, legend={"water": WATER})
    data = board.to_json()
    assert data["legend"] == {"water": {"glyph": "~", "cost": 2}}
    assert data["cells"] == {"water": ["B1", "A2"]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "hex"}, "kind must be 'square', not 'hex'"),
        ({"colour": 1}, "square board does not know colour; accepted keys: kind, cols, rows, scale"),
        ({"cols": 0}, "cols must be a whole number from 1 to 500, not 0"),
        ({"rows": 501}, "rows must be a whole number from 1 to 500, not 501"),
        ({"scale": 0}, "scale must be more than 0"),
        ({"unit": " "}, "unit must be text"),
        ({"legend": {"open": {}}}, "always means open ground"),
        ({"cells": {"mud": ["A1"]}}, "A1: terrain 'mud' is not in the legend; accepted: open, water"),
        ({"cells": {"water": ["E1"]}}, "terrain 'water' at E1 is not on the map, which has A1 to D3"),
        ({"cells": {"water": ["A1"], "open": ["a1"]}}, "a1 is listed under 'water' and again under 'open'"),
        ({"cells": {"water": "A1"}}, "cells of 'water' must be a list"),
    ],
)
def test_json_that_is_no_board_is_refused_with_what_would_be(change: dict[str, object], message: str) -> None:
    good: dict[str, object] = {"kind": "square", "cols": 4, "rows": 3, "legend": {"water": {"cost": 2}}}
    assert SquareBoard.from_json(good).cols == 4
    with pytest.raises(ValueError, match=message):
        SquareBoard.from_json(good | change)


@pytest.mark.parametrize("key", ["kind", "cols", "rows"])
def test_json_without_a_size_or_kind_is_refused(key: str) -> None:
    data: dict[str, object] = {"kind": "square", "cols": 4, "rows": 3}
    del data[key]
    with pytest.raises(ValueError, match=f"square board lacks {key}"):
        SquareBoard.from_json(data)
