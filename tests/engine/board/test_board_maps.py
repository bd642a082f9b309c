"""Drawn maps: read, refused with everything that is wrong, and drawn again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import OPEN, Hex, Terrain
from fightcall_engine.board.kinds import HexBoard, parse_place
from fightcall_engine.board.maps import MapError, draw_map, read_map

WATER = Terrain("water", glyph="≈", cost=2)
TREE = Terrain("tree", glyph="T", blocks_sight=True, cover="half")
SYMBOLS: dict[str, Terrain | None] = {"~": WATER, "T": TREE, "_": None}

DRAWING = """
    . . ~ . T
     a . ~ _ .
    . . ~ b a
"""


def problems_of(text: str, symbols: dict[str, Terrain | None] | None = None, places: str = "ab") -> list[str]:
    with pytest.raises(MapError) as caught:
        read_map(HexBoard, text, SYMBOLS if symbols is None else symbols, places)
    assert all(problem.message in str(caught.value) for problem in caught.value.problems)
    return [str(problem) for problem in caught.value.problems]


@st.composite
def drawings(draw: st.DrawFn) -> tuple[HexBoard, dict[str, list[Hex]]]:
    cols, rows = draw(st.integers(1, 8)), draw(st.integers(1, 8))
    marks = st.sampled_from([".", "~", "T", "a", "b"])
    terrain: dict[Hex, str] = {}
    places: dict[str, list[Hex]] = {"a": [], "b": []}
    for place in HexBoard(cols, rows).places():
        mark = draw(marks)
        if mark in places:
            places[mark].append(place)
        elif mark != ".":
            terrain[place] = {"~": "water", "T": "tree"}[mark]
    board = HexBoard(cols, rows, terrain=terrain, legend={"water": WATER, "tree": TREE})
    return board, places


def test_a_drawing_is_read_row_by_row_without_its_white_space() -> None:
    reading = read_map(HexBoard, DRAWING, SYMBOLS, "abc", scale=2, unit="m")
    board = reading.board
    assert (board.cols, board.rows, board.scale, board.unit) == (5, 3, 2.0, "m")
    assert {board.name_of(place): name for place, name in board.terrain.items()} == {
        "C1": "water",
        "C2": "water",
        "C3": "water",
        "E1": "tree",
    }
    named = {symbol: [board.name_of(place) for place in places] for symbol, places in reading.places.items()}
    assert named == {"a": ["A2", "E3"], "b": ["D3"], "c": []}
    assert all(board.terrain_at(place) == OPEN for places in reading.places.values() for place in places)
    assert read_map(HexBoard, "..~.T\r\n\n\ta.~_.\r\n..~ba", SYMBOLS, "abc", scale=2, unit="m") == reading


def test_the_legend_keeps_terrain_that_was_not_drawn() -> None:
    assert read_map(HexBoard, ".", SYMBOLS).board.legend == {"water": WATER, "tree": TREE}


def test_a_board_is_drawn_with_odd_rows_indented() -> None:
    board = HexBoard(3, 3, terrain={Hex(1, 0): "tree"}, legend={"tree": TREE})
    assert draw_map(board) == ". T .\n . . .\n. . ."


@given(drawings())
def test_drawing_and_reading_lead_back(drawing: tuple[HexBoard, dict[str, list[Hex]]]) -> None:
    board, places = drawing
    text = draw_map(board, SYMBOLS, places)
    reading = read_map(HexBoard, text, SYMBOLS, "ab")
    assert reading.board == board
    assert reading.places == {symbol: tuple(where) for symbol, where in places.items()}
    assert draw_map(reading.board, SYMBOLS, reading.places) == text
    by_glyph = {ground.glyph: ground for ground in board.legend.values()}
    assert read_map(HexBoard, draw_map(board), by_glyph).board == board


def test_everything_wrong_with_a_drawing_is_told_at_once() -> None:
    assert problems_of(". . ?\n . ? . .\n\n. x .\n. .") == [
        "line 1, column 5: '?' (2 times) means nothing; accepted: . ~ T _ a b",
        "line 2, column 8: row of 4 hexes; the other rows have 3",
        "line 4, column 3: 'x' means nothing; accepted: . ~ T _ a b",
        "line 5, column 4: row of 2 hexes; the other rows have 3",
    ]


@pytest.mark.parametrize("text", ["", "\n \n\t\n"])
def test_an_empty_map_is_refused(text: str) -> None:
    assert problems_of(text) == ["line 1, column 1: the map is empty; draw at least one row, such as '. . .'"]


def test_a_map_too_large_is_refused() -> None:
    assert problems_of("." * 501) == ["line 1, column 1: rows of 501 hexes; at most 500 fit"]
    assert problems_of(".\n" * 502) == ["line 501, column 1: 502 rows; at most 500 fit"]


@pytest.mark.parametrize(
    ("symbols", "places", "message"),
    [
        ({".": WATER}, "", "'.' always means open ground"),
        ({}, ".", "'.' always means open ground"),
        ({"~": WATER}, "~", "'~' means both terrain and a place"),
        ({"~": WATER, "w": Terrain("water")}, "", "'w' defines 'water' again"),
        ({"o": Terrain("open", cost=2)}, "", "'o' defines 'open' again"),
        ({"~~": WATER}, "", "'~~' isn't a symbol"),
        ({" ": WATER}, "", "' ' isn't a symbol"),
        ({"": WATER}, "", "'' isn't a symbol"),
    ],
)
def test_a_legend_that_contradicts_itself_is_refused(
    symbols: dict[str, Terrain | None], places: str, message: str
) -> None:
    (problem,) = problems_of(". .", symbols, places)
    assert problem.startswith(f"legend: {message}")


def test_legend_and_drawing_are_refused_together() -> None:
    assert len(problems_of("? .", {".": WATER})) == 2


def test_two_symbols_may_mean_the_same_ground() -> None:
    board = read_map(HexBoard, ". o", {".": None, "o": OPEN}).board
    assert board == HexBoard(2, 1)
    assert read_map(HexBoard, "~ w", {"~": WATER, "w": WATER}).board.terrain == {Hex(0, 0): "water", Hex(1, 0): "water"}


def test_terrain_that_cannot_be_told_apart_is_not_drawn() -> None:
    pond = Terrain("pond", glyph="≈")
    floor = Terrain("floor", cost=3)
    board = HexBoard(2, 1, terrain={Hex(0, 0): "pond"}, legend={"water": WATER, "pond": pond, "floor": floor})
    with pytest.raises(MapError, match=r"'pond' and 'water' share the symbol '≈'.*'floor' and 'open' share"):
        draw_map(board)
    with pytest.raises(MapError, match="terrain 'pond' has no symbol"):
        draw_map(board, {"~": WATER})
    assert draw_map(board, {"o": pond}) == "o ."


@pytest.mark.parametrize("name", ["A1", "C1", "-A1"])
def test_combatants_are_drawn_on_open_ground_of_the_map_only(name: str) -> None:
    board = HexBoard(2, 1, terrain={Hex(0, 0): "tree"}, legend={"tree": TREE})
    with pytest.raises(MapError, match=f"'a' at {name} must be on open ground on the map"):
        draw_map(board, SYMBOLS, {"a": [parse_place(name)]})
