"""Painting maps and floor plans: what each key does to the board, and that all of it can be taken back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.flows.painting import MapPainter, PlanPainter, read_ground, way_between
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import encounter_to_toml
from fightcall_engine.board.base import Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput

ROOMS = (Zone("Hall", 0, 0, 6, 4), Zone("Yard", 6, 0, 6, 4), Zone("Cellar", 0, 4, 6, 3))


def painter(board, at, *joins):
    return MapPainter.begin(Encounter("A", "stage", board=board, joins=joins), board.parse(at))


def plan(*joins):
    board = ZoneBoard(ROOMS, touching(ROOMS))
    return PlanPainter.begin(Encounter("A", "slots", board=board, joins=joins))


def after(easel, *keys):
    for key in keys:
        arrow = {"right": "E", "left": "W", "up": "N", "down": "S"}.get(key)
        easel = easel.move(arrow, key) if arrow else easel.press(key)
    return easel


def painted(easel):
    return {easel.board.name_of(place): name for place, name in easel.board.terrain.items()}


def brush(easel, name):
    return str(next(index for index, ground in enumerate(easel.brushes) if ground.name == name))


def test_a_digit_takes_a_brush_and_paints():
    easel = painter(HexBoard(6, 4), "B2")
    easel = after(easel, brush(easel, "wall"), "right", "enter", "right", brush(easel, "water"))
    assert painted(easel) == {"B2": "wall", "C2": "wall", "D2": "water"}
    assert easel.board.cost_of(easel.board.parse("B2")) is None
    assert painted(after(easel, "0")) == {"B2": "wall", "C2": "wall"}


def test_with_the_pen_down_moving_paints():
    easel = painter(SquareBoard(6, 4), "B2")
    easel = after(easel, brush(easel, "wall"), "space", "right", "down", "space", "right")
    assert painted(easel) == {"B2": "wall", "C2": "wall", "C3": "wall"}


def test_a_box_is_filled_from_corner_to_corner():
    easel = painter(SquareBoard(6, 4), "E4")
    easel = after(replace(easel, brush=int(brush(easel, "water"))), "x", "left", "up", "x")
    assert painted(easel) == dict.fromkeys(("D3", "E3", "D4", "E4"), "water")


def test_a_new_ground_is_described_in_words():
    assert read_ground("thick hedge 3 hides cover partial") == Terrain(
        "thick hedge", "T", cost=3, blocks_sight=True, cover="partial"
    )
    assert read_ground("ledge blocks height -2.5") == Terrain("ledge", "L", blocks=True, height_ft=-2.5)
    for wrong in ("", "open", "hedge 0"):
        with pytest.raises(BadInput, match="accepted: a name, then"):
            read_ground(wrong)
    easel = painter(HexBoard(4, 4), "A1")
    asked = easel.press("+")
    easel = asked.take("bog 3").press("enter")
    assert painted(easel) == {"A1": "bog"}
    with pytest.raises(BadInput, match="there is already a bog"):
        easel.press("+").take("bog 2")


def test_nobody_is_walled_in():
    board = HexBoard(4, 4)
    easel = painter(board, "B2", Join(name="Ash", at=board.parse("B2")))
    with pytest.raises(BadInput, match="Ash stands on B2"):
        easel.press(brush(easel, "wall"))
    assert painted(easel.press(brush(easel, "water"))) == {"B2": "water"}


def test_the_cursor_stays_on_the_map():
    easel = painter(HexBoard(3, 3), "A1")
    assert after(easel, "left", "up").at == easel.board.parse("A1")


@given(st.lists(st.sampled_from(["0", "1", "2", "3", "enter", "space", "x", "tab", "right", "left", "up", "down"])))
def test_every_stroke_is_taken_back_and_the_map_can_be_saved(keys):
    begun = painter(HexBoard(5, 5), "C3")
    easel = after(begun, *keys)
    draft = easel.draft
    assert read_encounter(encounter_to_toml(draft), "x").board.terrain == draft.board.terrain
    for _ in range(len(keys) + 2):
        easel = easel.undo()
    assert easel.board == begun.board


def test_a_zone_is_drawn_as_a_box_and_named():
    easel = after(plan(), *("right",) * 6, *("down",) * 4, "x", "right", "right", "down")
    easel = easel.press("x").take("Well house")
    zone = easel.board.zone("Well house")
    assert (zone.col, zone.row, zone.cols, zone.rows) == (6, 4, 3, 2)
    assert set(easel.board.neighbours("Well house")) == {"Yard", "Cellar"}
    with pytest.raises(BadInput, match="Hall"):
        after(easel, "x").press("x").take("Hall of mirrors" * 9)
    assert easel.undo().board == plan().board


def test_a_zone_of_that_name_is_drawn_anew():
    easel = after(plan(), *("down",) * 8, "x", "right", "down").press("x").take("Cellar")
    assert len(easel.board.zones) == 3
    assert (easel.board.zone("Cellar").row, easel.board.zone("Cellar").rows) == (8, 2)
    assert "Cellar" not in easel.board.neighbours("Hall")


def test_two_zones_cannot_lie_over_each_other():
    with pytest.raises(BadInput, match="overlap on the plan"):
        after(plan(), "x", "right").press("x").take("Closet")


def test_a_way_is_open_then_a_door_then_a_wall():
    easel = plan()
    said = []
    for _ in range(4):
        said.append(way_between(easel.board, "Hall", "Yard"))
        easel = after(easel, "w", "right")
    assert said == ["open", "a door", "a wall", "open"]
    with pytest.raises(BadInput, match="there is no zone in that direction"):
        after(plan(), "w", "up")


def test_a_zone_is_renamed_with_whoever_stands_in_it_and_taken_away():
    easel = plan(Join(name="Ash", at="Hall"))
    easel = easel.press("enter").take("Great hall")
    assert easel.draft.joins[0].at == "Great hall"
    assert "Great hall" in easel.board.neighbours("Yard")
    gone = easel.press("-")
    assert gone.draft.joins[0].at is None
    assert [zone.name for zone in gone.board.zones] == ["Yard", "Cellar"]
    assert gone.undo().draft == easel.draft


def test_a_zone_gets_a_ground_of_its_own_name():
    easel = plan(Join(name="Ash", at="Hall"))
    with pytest.raises(BadInput, match="Ash stands in Hall"):
        easel.press("1")
    water = easel.press("2")
    assert water.board.zone("Hall").ground == Terrain("Hall", "~", cost=2)
    draft = replace(water.draft, joins=())
    assert read_encounter(encounter_to_toml(draft), "x").board.zone("Hall").ground.cost == 2


ZONE_KEYS = ["-", "0", "1", "2", "x", "w", "right", "left", "up", "down", "enter"]


@given(st.lists(st.sampled_from(ZONE_KEYS), max_size=30), st.lists(st.sampled_from(["Attic", "Hall", ""]), min_size=30))
def test_whatever_is_done_to_a_plan_can_be_taken_back_and_saved(keys, names):
    easel = begun = plan()
    for key, name in zip(keys, names, strict=False):
        try:
            reached = after(easel, key)
            easel = reached.take(name) if hasattr(reached, "take") else reached
        except BadInput:
            continue
    again = read_encounter(encounter_to_toml(easel.draft), "x").board
    assert {zone.name for zone in again.zones} == {zone.name for zone in easel.board.zones}
    assert {frozenset(border) for border in again.borders} == {frozenset(border) for border in easel.board.borders}
    for _ in range(len(keys) + 2):
        easel = easel.undo()
    assert easel.draft == begun.draft
