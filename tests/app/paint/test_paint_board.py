"""The painted board: what is there can be read, and only what changed is different."""

import os
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from ford import golden
from hypothesis import assume, given
from hypothesis import strategies as st
from palettes import unknown_keys

from fightcall.paint.board import Looks, paint_board, repaint_places
from fightcall.paint.geometry import HUGE, LARGE, MEDIUM, MIDDLE, OVERVIEW, SMALL, SQUARE_ZOOMS, ZOOMS, board_size
from fightcall.paint.palette import GROUNDS, TONES
from fightcall.paint.runs import ASCII, SIDE_ROLES, UNICODE, glyphs_for, row_text, row_width, window
from fightcall.paint.scenes import BoardScene, GroundCell, Sign, Token

SHAPES = (UNICODE, glyphs_for("unicode", "plain"), ASCII)
GOLDENS = Path(__file__).parent / "goldens"

hexes = st.tuples(st.integers(-3, 8), st.integers(0, 6))
tokens = st.builds(
    Token,
    label=st.sampled_from(["A", "G2", "漢", "Z"]),
    name=st.sampled_from(["Goblin 12", "Ysolde", "漢字漢字漢字", "", "[b]x", "e\u0301lan"]),
    side=st.sampled_from(SIDE_ROLES),
    facing=st.sampled_from(("", *UNICODE.arrows)),
    selected=st.booleans(),
    hidden=st.booleans(),
    down=st.booleans(),
    acting=st.booleans(),
)
costs = st.sampled_from(["0", "1", "12", "1.5", "∞"])
scenes = st.builds(
    BoardScene,
    cols=st.integers(1, 7),
    rows=st.integers(1, 7),
    ground=st.dictionaries(hexes, st.sampled_from([*GROUNDS, "lava"]).map(GroundCell), max_size=20),
    tokens=st.dictionaries(hexes, tokens, max_size=5),
    costs=st.dictionaries(hexes, costs, max_size=10),
    path=st.lists(st.tuples(hexes, costs), max_size=4).map(tuple),
    warnings=st.frozensets(hexes, max_size=3),
    cursor=st.none() | hexes,
    fire=st.frozensets(hexes, max_size=5),
    marks=st.dictionaries(hexes, st.builds(Sign, st.sampled_from(["F", "RR", "漢"]), st.sampled_from([*TONES, "odd"]))),
    shift=st.integers(0, 1),
)
EVERY_ZOOM = (*ZOOMS, *SQUARE_ZOOMS)
zooms = st.sampled_from(EVERY_ZOOM)
shapes = st.sampled_from(SHAPES)


def text_of(scene, zoom, glyphs=UNICODE):
    width, height = board_size(zoom, scene.cols, scene.rows)
    return "\n".join(map(row_text, paint_board(scene, zoom, 0, 0, width, height, glyphs)))


def inside(text, zoom):
    """The text of the hex (0, 0) of a one-hex board: its text rows without the space around."""
    return [line.strip() for line in text.splitlines() if line.strip(" ▄▀▘▝▖▗▛▜▙▟█▌▐")]


@given(scenes, zooms, shapes, st.integers(-9, 30), st.integers(-9, 20), st.integers(1, 40), st.integers(1, 15))
def test_a_window_has_its_size_and_known_styles(scene, zoom, glyphs, x0, y0, width, height):
    rows = paint_board(scene, zoom, x0, y0, width, height, glyphs)
    assert [row_width(row) for row in rows] == [width] * height
    assert unknown_keys(rows) == ()


@given(scenes, zooms, shapes, st.integers(-9, 30), st.integers(-9, 20), st.integers(1, 40))
def test_one_row_is_the_row_of_the_whole(scene, zoom, glyphs, x0, y0, width):
    whole = paint_board(scene, zoom, x0, y0, width, 4, glyphs)
    rows = [paint_board(scene, zoom, x0, y, width, 1, glyphs) for y in range(y0, y0 + 4)]
    assert [row for (row,) in rows] == list(whole)


@given(scenes, zooms, shapes, st.integers(0, 12), st.integers(0, 6), st.integers(1, 20))
def test_scrolling_moves_the_picture_and_changes_nothing(scene, zoom, glyphs, right, down, width):
    # At the smallest zoom a label of two letters touches the next one: at the edge both would be left out as one word.
    assume(zoom.width > 2 or all(len(token.label) < 2 for token in scene.tokens.values()))
    whole = paint_board(scene, zoom, -4, -2, 40, 12, glyphs)
    part = paint_board(scene, zoom, -4 + right, -2 + down, width, 12 - down, glyphs)
    seen = [window(row, right, width) for row in whole[down:]]
    assert [whole_words(row_text(row)) for row in part] == [whole_words(row_text(row)) for row in seen]
    assert [per_cell(row) for row in part] == [per_cell(row) for row in seen]


def whole_words(text):
    """The text without the numbers and words that touch its edges: half of one is not shown."""
    return re.sub(r"^[\w.]+|[\w.]+$", lambda found: " " * len(found[0]), text)


def test_half_a_number_is_never_seen():
    """A price of 11 at the edge of the window is not one of 1."""
    scene = BoardScene(6, 3, costs=dict.fromkeys(product(range(-3, 8), range(6)), "11"))
    for zoom, x0, width in product(EVERY_ZOOM, range(20), (8, 9)):
        for row in paint_board(scene, zoom, x0, 0, width, 6, UNICODE):
            assert not re.search(r"(?<!1)1(?!1)", row_text(row)), (zoom, x0)


def test_half_a_name_is_never_seen():
    """Found in play 1: a token at the edge of the window has all of its name, or none of it."""
    scene = BoardScene(3, 1, tokens={(1, 0): Token("G1", "Goblin", "foe", "W")})
    shown = set()
    for x0 in range(30):
        rows = paint_board(scene, MEDIUM, x0, 0, 12, 8, UNICODE)
        shown |= {word for row in rows for word in re.findall(r"\w{2,}", row_text(row))}
    assert shown == {"Goblin", "G1"}


def per_cell(row):
    """The ground and attributes of each cell; the ink of a blank says nothing."""
    return [run.style.partition("/")[2] for run in row for _ in range(row_width((run,)))]


corners = st.tuples(st.integers(-4, 12), st.integers(-4, 12))


@pytest.mark.slow
@given(scenes, zooms, shapes, hexes, tokens, corners)
def test_what_a_token_changes_is_seen_in_its_hex_alone(scene, zoom, glyphs, at, token, corner):
    moved = replace(scene, tokens={**scene.tokens, at: token})
    before, after = (paint_board(each, zoom, *corner, 60, 40, glyphs) for each in (scene, moved))
    assert repaint_places(Looks(moved, zoom, glyphs), zoom, before, *corner, 60, [at]) == after


@given(scenes, zooms)
def test_ascii_is_ascii(scene, zoom):
    tokens = {at: replace(token, label="G2", name="Goblin 12 the Second") for at, token in scene.tokens.items()}
    path = tuple((at, "12.75") for at, _ in scene.path)
    marks = dict.fromkeys(scene.marks, Sign("RF"))
    said = replace(scene, tokens=tokens, costs=dict.fromkeys(scene.costs, "12.75"), path=path, marks=marks)
    assert text_of(said, zoom, ASCII).isascii()


def test_a_label_is_always_visible():
    for zoom, glyphs in product(ZOOMS, SHAPES):
        for cursor, selected, down in product([None, (0, 0)], [False, True], [False, True]):
            token = Token("G2", "Goblin 2", "foe", "W", selected=selected, down=down, hidden=True)
            scene = BoardScene(1, 1, tokens={(0, 0): token}, cursor=cursor, warnings={(0, 0)})
            assert "G2" in text_of(scene, zoom, glyphs), (zoom, glyphs)


def test_facings_look_different():
    for zoom, glyphs in product([SMALL, MIDDLE, MEDIUM, LARGE, HUGE, *SQUARE_ZOOMS[1:]], SHAPES):
        pictures = {
            text_of(BoardScene(1, 1, tokens={(0, 0): Token("A", "Ash", "party", facing)}), zoom, glyphs)
            for facing in ("", *glyphs.arrows)
        }
        assert len(pictures) == 9, (zoom, glyphs)


@pytest.mark.parametrize(
    "change",
    [
        {"costs": {(0, 0): "3"}},
        {"path": (((0, 0), "3"),)},
        {"warnings": {(0, 0)}},
        {"cursor": (0, 0)},
        {"fire": {(0, 0)}},
        {"ground": {(0, 0): GroundCell("water")}},
        {"tokens": {(0, 0): Token("A", "Ash", "party")}},
        {"marks": {(0, 0): Sign("RF", "good")}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_everything_said_is_seen_without_colour(change):
    """On a plain board, text and attributes alone tell it from a bare hex."""

    def seen(scene, zoom):
        rows = paint_board(scene, zoom, 0, 0, *board_size(zoom, 1, 1), ASCII)
        return [(run.text, run.style.partition("+")[2]) for row in rows for run in row]

    for zoom in EVERY_ZOOM:
        assert seen(BoardScene(1, 1, **change), zoom) != seen(BoardScene(1, 1), zoom), zoom


def test_cost_and_ground_share_a_hex():
    for zoom in [MEDIUM, LARGE, HUGE]:
        scene = BoardScene(1, 1, ground={(0, 0): GroundCell("tree")}, costs={(0, 0): "2"}, warnings={(0, 0)})
        assert inside(text_of(scene, zoom), zoom) == ["2!", "♣"], zoom


def test_a_warning_is_not_cut_off_with_a_long_cost():
    for zoom in EVERY_ZOOM:
        scene = BoardScene(1, 1, costs={(0, 0): "1234567890123"}, warnings={(0, 0)})
        assert "!" in text_of(scene, zoom, ASCII), zoom


def test_the_line_of_fire_is_seen_on_any_ground():
    for zoom, kind in product(EVERY_ZOOM, ["grass", "tree"]):
        scene = BoardScene(1, 1, ground={(0, 0): GroundCell(kind)}, fire={(0, 0)})
        for glyphs in SHAPES:
            assert glyphs.fire in text_of(scene, zoom, glyphs), (zoom, kind)


def test_a_name_is_shortened_to_its_hex():
    scene = BoardScene(1, 1, tokens={(0, 0): Token("G1", "Goblin 12", "foe", "W")})
    assert inside(text_of(scene, MEDIUM), MEDIUM) == ["Goblin", "G1 ←"]
    assert inside(text_of(scene, LARGE), LARGE) == ["Goblin", "G1", "←"]
    assert inside(text_of(scene, MIDDLE), MIDDLE) == ["G1 ←"]
    assert inside(text_of(scene, SMALL), SMALL) == ["G1 ←"]
    assert inside(text_of(scene, OVERVIEW), OVERVIEW) == ["G1"]


def test_sides_differ_without_colour():
    pictures = {
        text_of(BoardScene(1, 1, tokens={(0, 0): Token("A", "Ash", role)}), MEDIUM, ASCII)
        for role in ("party", "foe", "other")
    }
    assert len(pictures) == 3


def test_neighbours_of_one_ground_have_different_shades():
    for zoom in ZOOMS:
        rows = paint_board(BoardScene(6, 6), zoom, 0, 0, *board_size(zoom, 6, 6), UNICODE)
        grounds = {run.style for row in rows for run in row if "void" not in run.style}
        inside_one = {style for style in grounds if style.partition("/")[0] == style.partition("/")[2]}
        assert inside_one == {"floor.0/floor.0", "floor.1/floor.1", "floor.2/floor.2"}, zoom
    shades = {(q - r) % 3 for q, r in ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))}
    assert 0 not in shades


def test_outside_the_map_is_void():
    rows = paint_board(BoardScene(1, 1), MEDIUM, 20, 20, 10, 2, UNICODE)
    assert {run.style for row in rows for run in row} == {"void/void"}


def test_who_has_left_the_map_is_still_seen():
    scene = BoardScene(1, 1, tokens={(2, 0): Token("G2", "Goblin 2", "foe")})
    assert "G2" in "".join(map(row_text, paint_board(scene, MEDIUM, 0, 0, 30, 4, UNICODE)))


SCENE = BoardScene(
    4,
    3,
    ground={(0, 0): GroundCell("tree"), (2, 0): GroundCell("water"), (1, 0): GroundCell("grass")},
    tokens={
        (0, 1): Token("Y", "Ysolde", "party", "E", selected=True, acting=True),
        (2, 1): Token("G1", "Goblin 1", "foe", "W", hidden=True),
    },
    costs={(1, 1): "1", (0, 2): "2", (1, 0): "1"},
    path=(((1, 1), "1"),),
    warnings=frozenset({(1, 1)}),
    cursor=(1, 0),
)


@pytest.mark.parametrize(
    ("name", "zoom", "glyphs"),
    [
        ("hex-small", SMALL, UNICODE),
        ("hex-middle", MIDDLE, UNICODE),
        ("hex-medium", MEDIUM, UNICODE),
        ("hex-large", LARGE, UNICODE),
        ("plain-medium", MEDIUM, glyphs_for("unicode", "plain")),
        ("ascii-overview", OVERVIEW, ASCII),
        ("ascii-small", SMALL, ASCII),
    ],
)
def test_the_board_looks_as_it_did(name, zoom, glyphs):
    width, height = board_size(zoom, SCENE.cols, SCENE.rows)
    picture = golden(paint_board(SCENE, zoom, 0, 0, width, height, glyphs))
    if os.environ.get("FIGHTCALL_UPDATE_GOLDENS"):
        (GOLDENS / f"board-{name}.txt").write_text(picture, encoding="utf-8")
    assert picture == (GOLDENS / f"board-{name}.txt").read_text(encoding="utf-8")


def test_a_bare_row_is_one_run_for_each_hex_it_shows():
    """Bytes and segments are the cost of a repaint, so edges share a run with the hex before them."""
    for zoom in [SMALL, MIDDLE, MEDIUM, LARGE, HUGE]:
        for y in range(2 * zoom.rows, 6 * zoom.rows):
            (row,) = paint_board(BoardScene(40, 40), zoom, 4 * zoom.width, y, 10 * zoom.width, 1, UNICODE)
            two_rows_of_hexes = 2 * 10 + 2
            assert len(row) <= two_rows_of_hexes, zoom
