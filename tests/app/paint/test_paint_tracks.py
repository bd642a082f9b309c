"""Boxes of harm: letters for those that are filled, so that wounds are read without a colour."""

import pytest
from ford import check_golden, check_size
from hypothesis import given
from hypothesis import strategies as st
from palettes import unknown_keys

from fightcall.paint.call_bar import head_parts
from fightcall.paint.combatants import SHORT, track_row, track_short
from fightcall.paint.palette import STYLES
from fightcall.paint.roster import roster_rows
from fightcall.paint.runs import ASCII, UNICODE, row_text, row_width
from fightcall_engine.kit.views import Track
from fightcall_engine.play.fight import Fight

LEVELS = (("light", 1), ("serious", 2), ("grievous", 3), ("mortal", 3), ("tenth wound", 1))
SETS = pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])


def boxes(taken, glyphs=UNICODE, **more):
    return row_text(track_row(Track(taken, LEVELS), glyphs, **more))


def test_each_filled_box_bears_the_letter_of_its_level():
    """CS-620, CS-624: 1 Light, 2 to 3 Serious, 4 to 6 Grievous, 7 to 9 Mortal, and the tenth."""
    assert boxes(0) == "··········"
    assert boxes(2) == "LS········"
    assert boxes(5) == "LSSGG·····"
    assert boxes(10) == "LSSGGGMMMX"
    assert boxes(12) == "LSSGGGMMMX+2"
    assert boxes(5, ASCII) == "LSSGG....."


def test_lines_part_the_levels_where_there_is_room():
    assert boxes(4, parted=True) == "L│SS│G··│···│·"
    assert boxes(4, ASCII, parted=True) == "L|SS|G..|...|."


def test_where_there_is_little_room_the_level_and_the_number_are_told():
    short = [row_text(track_short(Track(taken, LEVELS), UNICODE)) for taken in (0, 1, 5, 10, 300)]
    assert short == ["·  ", "L1 ", "G5 ", "X10", "X99"]


def test_the_worst_levels_look_worst():
    styles = [run.style for run in track_row(Track(10, LEVELS), UNICODE)]
    assert styles == ["track.1", "track.2", "track.3", "track"]


@SETS
@given(st.integers(-5, 500), st.lists(st.tuples(st.text(max_size=4), st.integers(0, 12)), max_size=6))
def test_any_boxes_can_be_drawn(glyphs, taken, levels):
    track = Track(taken, tuple(levels))
    rows = (track_row(track, glyphs), track_row(track, glyphs, parted=True), track_short(track, glyphs))
    assert unknown_keys(rows) == ()
    assert row_width(rows[2]) == SHORT
    assert {run.style for row in rows for run in row} <= set(STYLES)


def wounded(**settings):
    fight = Fight.new("segments", seed="1", settings=settings)
    for name, side in (("Wat", "party"), ("Hob", "foe"), ("Tib", "foe")):
        fight.give("join", name=name, side=side, sheet={"bp": {"max": 40}} if settings else {})
    fight.give("damage", who="hob", amount=5)
    fight.give("damage", who="tib", amount=1)
    return fight


@SETS
@pytest.mark.parametrize("cells", [38, 32], ids=["wide", "narrow"])
@pytest.mark.parametrize("compact", [False, True], ids=["roomy", "compact"])
def test_the_roster_shows_wounds_as_boxes(glyphs, cells, compact):
    """CS-620: level and boxes, in two lines a combatant and in one."""
    fight = wounded()
    drawn = roster_rows(fight.state, fight.system, width=cells, height=11, glyphs=glyphs, compact=compact)
    check_size(drawn.drawing.rows, cells, 11)
    check_golden(f"wounds-{'compact' if compact else 'roomy'}-{cells}-{glyphs.name}", drawn.drawing.rows)


def test_body_points_stay_a_bar_with_the_level_beside_it():
    """CS-632: quarters of Body Points have no boxes."""
    fight = wounded(body_points=True)
    drawn = roster_rows(fight.state, fight.system, width=38, height=12, glyphs=UNICODE)
    said = "\n".join(map(row_text, drawn.drawing.rows))
    assert "35/40 light" in said


def test_who_is_selected_has_boxes_with_the_level_named():
    fight = wounded()
    for cells, shown in ((70, "wounds L│SS│GG·│···│· grievous"), (40, "LSSGG····· grievous")):
        parts = head_parts(fight.state, fight.system, "hob", cells, UNICODE)
        assert any(shown in row_text(part) for part in parts)
