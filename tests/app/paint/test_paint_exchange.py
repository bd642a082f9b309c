"""The exchange panel as text: rows that fit, rows that do not, what stands against the act, and the die."""

import pytest
from ford import check_golden, check_size
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.feed import PanelView, exchange_rows, wanted_height
from fightcall.paint.runs import ASCII, UNICODE, row_text
from fightcall_engine.kit.movement import BROKEN, OK, Remedy, Row

ROWS = (
    Row("reach", "billhook 8 ft, Wat at 5 ft", "in reach", OK),
    Row("field", "Wat's cudgel covers 4 ft: Hobb must get inside first", "", BROKEN, "CS-318", (Remedy("get inside"),)),
    Row("line", "clear", "facing front"),
    Row("defence", "parry with cudgel (second this segment, halved)", field="defence"),
    Row("AV 57", "skill 44, +8 from above, +5 long weapon"),
    Row("DV 24", "dodge 30, -6 second defence"),
    Row("chance", "58 % by linear", dice="d100", purpose="attack"),
    Row("then", "potence 17 against leather 6/20; at 9 wounds or more a faint check"),
)
VIEW = PanelView(
    "Hobb strikes Wat with the billhook",
    "declared, due at 14",
    ROWS,
    6,
    {6: "4"},
    {1: (("g", "get inside"),), 3: (("d", "another"),)},
    (("enter", "roll d100"), ("digits", "the die"), ("h", "hit"), ("m", "miss"), ("*", "more"), ("esc", "back")),
)


def drawn(view=VIEW, width=100, height=None, glyphs=UNICODE):
    return exchange_rows(
        view, width=width, height=height or wanted_height(view, width=width, glyphs=glyphs), glyphs=glyphs
    )


@pytest.mark.parametrize(("width", "glyphs"), [(102, UNICODE), (62, UNICODE), (44, ASCII)])
def test_golden(width, glyphs):
    check_golden(f"exchange-{width}", drawn(width=width, glyphs=glyphs).rows)


def test_what_stands_against_the_act_says_by_which_rule_and_which_key_removes_it():
    lines = [row_text(row) for row in drawn().rows]
    (line,) = (line for line in lines if "CS-318" in line)
    assert line.rstrip().endswith("CS-318   g get inside")


def test_where_not_all_rows_fit_the_marked_one_is_seen():
    for marked in range(len(ROWS)):
        view = PanelView("A strike", rows=ROWS, marked=marked, keys=VIEW.keys)
        lines = [row_text(row) for row in drawn(view, width=60, height=4).rows]
        assert any(ROWS[marked].name in line for line in lines), ROWS[marked].name


def test_the_keys_at_the_foot_can_be_clicked():
    drawing = drawn()
    assert {spot.what for spot in drawing.spots if spot.what.startswith("key")} >= {"key enter", "key h", "key m"}


@given(
    st.lists(st.builds(Row, st.text(max_size=14), st.text(max_size=90), st.text(max_size=50)), max_size=7),
    st.integers(20, 130),
    st.integers(2, 14),
    st.text(max_size=60),
)
def test_whatever_is_told_every_row_has_the_width_of_the_panel(rows, width, height, complaint):
    view = PanelView("x", rows=tuple(rows), marked=0, typed={0: "12"}, keys=VIEW.keys, complaint=complaint)
    check_size(drawn(view, width=width, height=height).rows, width, height)
