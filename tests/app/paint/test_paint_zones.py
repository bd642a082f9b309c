"""The board of zones drawn: boxes after the floor plan, doors, those who are there, and what the GM is about to do."""

import re

import pytest
from ford import check_golden
from hypothesis import given
from hypothesis import strategies as st
from palettes import unknown_keys

from fightcall.paint.board import paint_zones
from fightcall.paint.geometry import LEAST_CELLS, LEAST_ROWS, ZOOM_STEPS, floor_plan
from fightcall.paint.runs import UNICODE, glyphs_for, row_text, row_width
from fightcall.paint.scenes import Token, ZoneFigure, ZoneScene, picture_of, zone_keys
from fightcall_engine.board.base import OPEN, Terrain
from fightcall_engine.board.kinds import any_board
from fightcall_engine.board.maps import Passage, read_plan
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

PLAN = """
HHHHGGGGK
HHHHGGGGK
HHHHYYYYY
CC
"""
ZONES = {
    "H": ("Taproom", Terrain("Taproom", cost=2, cover="partial")),
    "G": ("Gallery", OPEN),
    "K": ("Kitchen", OPEN),
    "Y": ("Stable Yard", OPEN),
    "C": ("Crypt", OPEN),
}
PASSAGES = (
    Passage("Kitchen", "Stable Yard", blocks_sight=True),
    Passage("Taproom", "Stable Yard", joined=False),
    Passage("Crypt", "Gallery"),
)
INN = read_plan(PLAN, ZONES, PASSAGES)
PLAIN = glyphs_for("ascii", "plain")
SHAPES = pytest.mark.parametrize("glyphs", [UNICODE, PLAIN], ids=["hex", "plain"])


def fight(goblins=3):
    joins = [
        Join(name="Ash", side="party", sheet={"hp": 9}, at="Taproom"),
        Join(name="Brand", side="party", sheet={"hp": 9}, at="Taproom"),
        *(Join(name=f"Goblin {n}", side="foe", sheet={"hp": 4}, at="Kitchen") for n in range(1, goblins + 1)),
        Join(name="Wolf", side="foe", sheet={"hp": 4}, at="Taproom"),
    ]
    return Fight.new("turns", board=any_board(INN), joins=joins, seed="1")


def scene(played=None, **shown):
    played = played or fight()
    return picture_of(played.state, played.system, selected="ash", **shown)


def drawn(picture, cells=44, rows=12, glyphs=UNICODE, corner=(0, 0), zoom=0):
    plan = floor_plan(picture.board, cells, rows, zoom)
    drawing = paint_zones(picture, plan, *corner, cells, rows, glyphs)
    assert len(drawing.rows) == rows
    assert {row_width(row) for row in drawing.rows} == {cells}
    assert unknown_keys(drawing.rows) == ()
    return drawing


def text(picture, **how):
    return "\n".join(row_text(row) for row in drawn(picture, **how).rows)


def busy():
    played = fight(goblins=7)
    played.give("contact", who="ash", enemy="wolf", on=True)
    return scene(
        played,
        reach={"Gallery": 1, "Kitchen": 2},
        path=(("Gallery", 1), ("Kitchen", 2)),
        warnings=("Kitchen",),
        cursor="Kitchen",
        targets=("wolf",),
        chosen_id="wolf",
    )


@SHAPES
@pytest.mark.parametrize(("cells", "rows"), [(44, 12), (70, 24)])
def test_golden(cells, rows, glyphs):
    check_golden(f"zones-{cells}x{rows}-{glyphs.shape}", drawn(busy(), cells, rows, glyphs).rows)


def test_every_zone_has_its_letter_and_its_name():
    shown = text(scene())
    for words in ("t Taproom", "g Gallery", "k Kitchen", "s Stable Yard", "c Crypt"):
        assert words in shown


def test_what_the_ground_asks_and_what_is_joined_from_afar_are_said():
    shown = text(scene(), cells=80, rows=24)
    assert "2 to enter · partial cover" in shown
    assert "⇄ Gallery" in shown
    assert "⇄ Crypt" in shown


def test_a_wall_is_solid_a_way_through_is_open_and_a_door_is_one():
    plan = floor_plan(INN, 44, 12)
    between = {names: mark for mark, names in plan.passages.values()}
    assert between[frozenset(("Taproom", "Gallery"))] == "gap"
    assert between[frozenset(("Kitchen", "Stable Yard"))] == "door"
    assert frozenset(("Taproom", "Stable Yard")) not in between
    assert frozenset(("Crypt", "Gallery")) not in between


@SHAPES
def test_those_who_find_no_room_are_counted(glyphs):
    shown = text(scene(fight(goblins=14)), glyphs=glyphs)
    (more,) = re.findall(r"\+(\d+)", shown)
    assert 1 <= int(more) <= 13


def test_whom_somebody_touches_is_told_on_one_of_the_two():
    assert text(busy()).count("vs ") == 1


@SHAPES
def test_the_prices_of_the_way_and_of_what_is_in_reach_are_told(glyphs):
    shown = text(busy(), glyphs=glyphs)
    assert "Gallery 1" in shown
    assert re.search(r"k +2!", shown), "a name that has no room beside its price is left out whole"


def test_a_cell_of_a_token_is_the_combatants_and_any_other_the_zones():
    drawing = drawn(scene(), 80, 24)
    plan = floor_plan(INN, 80, 24)
    spot = next(spot for spot in drawing.spots if spot.what == "brand")
    assert drawing.at(spot.cells.start, spot.rows.start) == "brand"
    assert plan.zone_at(spot.cells.start, spot.rows.start) == "Taproom"
    assert plan.zone_at(0, 0) is None


def test_a_window_shows_part_of_a_plan():
    """The walls as they stand, and what is said in a box whole in the part of it that is seen."""
    whole = [row_text(row) for row in drawn(scene(), 44, 12).rows]
    plan = floor_plan(INN, 44, 12)
    part = [row_text(row) for row in paint_zones(scene(), plan, 5, 3, 20, 4, UNICODE).rows]
    assert [row[10] for row in part] == [row[15] for row in whole[3:7]]
    assert part[1].startswith("  B  Brand│")
    assert part[3].rstrip().endswith("│ s Yard")


def test_a_name_without_room_beside_its_letter_stands_below_it():
    board = any_board(read_plan("GS", {"G": ("Gate room", OPEN), "S": ("Strongroom", OPEN)}))
    shown = [row_text(row) for row in drawn(ZoneScene(board, zone_keys(("Gate room", "Strongroom"))), 24, 6).rows]
    assert shown[1] == "│ g Gate   │ s         │"
    assert shown[2] == "│          · Strongroom│"


def test_letters_are_of_the_name_where_they_can_be_and_never_x():
    assert list(zone_keys(("Hall", "Hut", "Hx", "Xa", "É")).values()) == ["h", "u", "a", "b", "c"]
    many = zone_keys(tuple(f"Room {n}" for n in range(40)))
    letters = [letter for letter in many.values() if letter]
    assert len(letters) == len(set(letters)) == 25


@given(
    cells=st.integers(1, 120),
    rows=st.integers(1, 50),
    zoom=st.integers(0, len(ZOOM_STEPS) - 1),
    cuts=st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4)), min_size=1, max_size=6),
)
def test_boxes_have_room_and_do_not_overlap_at_any_size(cells, rows, zoom, cuts):
    zones, col = [], 0
    for number, (wide, high) in enumerate(cuts):
        zones += [Zone(f"Upper {number}", col, 0, wide, high), Zone(f"Lower {number}", col, high, wide, 1)]
        col += wide
    board = ZoneBoard(tuple(zones), tuple(touching(tuple(zones))))
    plan = floor_plan(board, cells, rows, zoom)
    inside = [
        (x, y) for box in plan.boxes for x in range(box.left + 1, box.right) for y in range(box.top + 1, box.bottom)
    ]
    assert len(inside) == len(set(inside))
    assert all(box.cells >= LEAST_CELLS and box.rows >= LEAST_ROWS for box in plan.boxes)
    assert set(plan.passages) <= set(plan.walls)
    figure = ZoneFigure("a", Token("A", "Ash", "party"))
    drawn(ZoneScene(board, zone_keys(board.places()), {"Upper 0": (figure,)}), cells, rows, zoom=zoom)
