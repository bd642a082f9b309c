"""The painted board of squares: no cell is shared, the grid is seen by shades, and marks lie beneath the tokens."""

from dataclasses import replace
from itertools import product

import pytest
from ford import check_golden
from hypothesis import given
from hypothesis import strategies as st
from palettes import unknown_keys

from fightcall.paint.board import paint_board
from fightcall.paint.geometry import FAMILIES, SQUARE_ZOOMS, board_size, cell_to_place, place_origin, stencil
from fightcall.paint.runs import ASCII, UNICODE, glyphs_for, row_text, row_width
from fightcall.paint.scenes import BoardScene, GroundCell, Sign, Token, changed_places, picture_of
from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import SquareBoard
from fightcall_engine.kit.views import Mark
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

OVERVIEW, NARROW, SMALL, MEDIUM, LARGE, HUGE = SQUARE_ZOOMS
EVERY_ZOOM = [zoom for family in FAMILIES for zoom in family]
BOARD = SquareBoard(
    6, 4, terrain={Square(4, 0): "wall", Square(4, 1): "mud"}, legend={"wall": Terrain("wall", "#", blocks=True),
    "mud": Terrain("mud", "~", cost=2)},
)  # fmt: skip
ALL_AROUND = ("LS", "LF", "F", "RF", "RS", "RR", "R", "LR")
"""The fields of approach of somebody who faces north, from the west on (CS-300)."""


def fields_of(at):
    """Marks around a figure that faces north."""
    around = (Square(at.col + east, at.row + down) for east, down in
              ((-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1)))  # fmt: skip
    tones = {"F": "good", "LF": "good", "RF": "good", "R": "bad", "RR": "warn", "LR": "warn"}
    return tuple(Mark(place, name, tones.get(name, "plain")) for place, name in zip(around, ALL_AROUND, strict=True))


def fight():
    """Ash faces north with an orc before her left, who faces south-east; a cat lies behind her."""
    made = Fight.new("turns", seed="7", board=BOARD)
    for name, side, at, facing in (("Ash", "party", "C3", 2), ("Orc", "foe", "B2", 7), ("Cat", "foe", "C4", None)):
        made.do(Join(name=name, side=side, at=BOARD.parse(at), facing=facing))
    made.give("adjust", who="cat", what="able", value=False)
    return made


def scene(**more):
    made = fight()
    return picture_of(made.state, made.system, selected="ash", marks=fields_of(Square(2, 2)), **more)


@pytest.mark.parametrize(
    ("name", "zoom", "glyphs"),
    [
        ("unicode-small", SMALL, UNICODE),
        ("unicode-large", LARGE, UNICODE),
        ("plain-small", SMALL, glyphs_for("unicode", "plain")),
        ("ascii-small", SMALL, ASCII),
        ("ascii-large", LARGE, ASCII),
    ],
)
def test_a_board_of_squares_looks_as_it_did(name, zoom, glyphs):
    planned = scene(reach={Square(3, 2): 1, Square(4, 1): 3}, path=[(Square(3, 1), 1)], cursor=Square(3, 1))
    size = board_size(zoom, BOARD.cols, BOARD.rows)
    rows = paint_board(planned, zoom, 0, 0, *size, glyphs)
    assert unknown_keys(rows) == ()
    check_golden(f"squares-{name}", rows)


def test_the_scene_is_the_board_of_the_fight():
    found = scene()
    assert (found.cols, found.rows, found.shift, found.cell) == (6, 4, 0, Square)
    assert found.ground[4, 0] == GroundCell("wall")
    assert found.tokens[2, 2] == Token("A", "Ash", "party", "N", selected=True)
    assert (found.tokens[1, 1].facing, found.tokens[2, 3].facing) == ("SE", "")
    assert found.marks[2, 1] == Sign("F", "good")
    assert all(found.holds(place) == BOARD.contains(Square(*place)) for place in product(range(-1, 8), repeat=2))


def test_a_square_is_a_rectangle_of_whole_cells():
    for zoom in SQUARE_ZOOMS:
        for place in product(range(-2, 3), repeat=2):
            x, y = place_origin(zoom, *place)
            box = product(range(x, x + zoom.width), range(y, y + zoom.tall))
            assert {cell_to_place(zoom, *cell) for cell in box} == {place}, zoom
            assert zoom.tall == zoom.rows, zoom
        assert {cell.glyph for row in stencil(zoom).cells for cell in row} == {" "}, zoom


def test_squares_that_share_an_edge_have_different_shades():
    for zoom in SQUARE_ZOOMS:
        rows = paint_board(BoardScene(5, 5, shift=0), zoom, 0, 0, *board_size(zoom, 5, 5), UNICODE)
        shade = {}
        for col, row in product(range(5), repeat=2):
            x, y = place_origin(zoom, col, row)
            cells = [run.style for run in rows[y] for _ in run.text]
            shade[col, row] = cells[x]
        assert len(set(shade.values())) == 2, zoom
        assert all(shade[col, row] != shade[col + 1, row] for col, row in shade if col < 4), zoom
        assert all(shade[col, row] != shade[col, row + 1] for col, row in shade if row < 4), zoom


def painted(board, zoom, glyphs=UNICODE):
    return paint_board(board, zoom, 0, 0, *board_size(zoom, board.cols, board.rows), glyphs)


def test_marks_are_text_where_there_is_room_and_a_tint_of_their_tone_everywhere():
    for zoom in EVERY_ZOOM:
        bare = BoardScene(2, 2, shift=zoom.shift)
        pictures = {}
        for tone in ("plain", "good", "bad", "warn", "info"):
            rows = painted(replace(bare, marks={(0, 0): Sign("RF", tone)}), zoom)
            text = "".join(map(row_text, rows))
            assert ("RF" in text) == has_room(zoom), zoom
            assert any(f"~mark.{tone}" in run.style for row in rows for run in row), zoom
            pictures[tone] = rows
        assert len({repr(rows) for rows in pictures.values()}) == 5, zoom
        for glyphs in (ASCII, glyphs_for("unicode", "plain")):
            text = "".join(map(row_text, painted(replace(bare, marks={(0, 0): Sign("RF", "bad")}), zoom, glyphs)))
            assert ("RF" if has_room(zoom) else glyphs.tones[2]) in text, zoom


def has_room(zoom):
    """Whether two letters do not run into those of the next place."""
    return stencil(zoom).slots[1 if len(stencil(zoom).slots) == 3 else 0].cells > 2


def test_a_mark_of_one_sign_is_read_at_any_size():
    """A line of fire: a letter does not run into the next one."""
    for zoom, glyphs in product(EVERY_ZOOM, [UNICODE, ASCII]):
        marked = BoardScene(2, 2, shift=zoom.shift, marks={(0, 0): Sign("M", "warn")})
        assert "M" in "".join(map(row_text, painted(marked, zoom, glyphs))), (zoom, glyphs)


def test_who_stands_in_danger_is_marked():
    """Beside the label where there is room for both; the label itself always stays."""
    for zoom, glyphs in product(EVERY_ZOOM, [UNICODE, ASCII]):
        scene = BoardScene(1, 1, shift=zoom.shift, tokens={(0, 0): Token("A", "Ash", "party")})
        text = "".join(map(row_text, painted(replace(scene, marks={(0, 0): Sign("!", "warn")}), zoom, glyphs)))
        assert "A" in text, (zoom, glyphs)
        assert "!" in text, (zoom, glyphs)
        assert "!" not in "".join(map(row_text, painted(scene, zoom, glyphs))), (zoom, glyphs)


def test_a_mark_lies_beneath_who_stands_there():
    for zoom in SQUARE_ZOOMS:
        token = {(0, 0): Token("A", "Ash", "party", "N")}
        with_mark = BoardScene(1, 1, shift=0, tokens=token, marks={(0, 0): Sign("RF", "bad")})
        assert painted(with_mark, zoom) == painted(replace(with_mark, marks={}), zoom), zoom


def test_a_price_comes_before_a_mark():
    marked = BoardScene(1, 1, shift=0, marks={(0, 0): Sign("RF")}, costs={(0, 0): "3"})
    words = [line.strip() for line in map(row_text, painted(marked, LARGE)) if line.strip()]
    assert words == ["3", "RF"]


def test_only_squares_whose_marks_differ_are_painted_anew():
    board = scene()
    moved = replace(board, marks={place: sign for place, sign in board.marks.items() if sign.text != "RS"})
    assert changed_places(board, moved) == {(3, 2)}
    other = replace(board, marks={**board.marks, (3, 2): Sign("RS", "bad")})
    assert changed_places(board, other) == {(3, 2)}
    assert changed_places(board, replace(board, shift=1)) is None


@given(st.integers(-9, 30), st.integers(-9, 20), st.integers(1, 40), st.integers(1, 15), st.sampled_from(SQUARE_ZOOMS))
def test_a_window_has_its_size(x0, y0, width, height, zoom):
    rows = paint_board(_SCENE, zoom, x0, y0, width, height, UNICODE)
    assert [row_width(row) for row in rows] == [width] * height


_SCENE = scene()


def test_marks_off_the_map_and_in_zones_are_nobody_s():
    made = fight()
    marks = (Mark("Hall", "H"), Mark(Square(1, 1), "a"), Mark(Square(1, 1), "b"))
    assert picture_of(made.state, made.system, marks=marks).marks == {(1, 1): Sign("b")}
