"""Lists stand upright: a key before each row, columns, headings, and the marked row in view."""

import pytest
from ford import check_golden, check_size, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.prompt_bar import ListRow, ListView, PromptView, list_rows, upright_answers
from fightcall.paint.runs import ASCII, UNICODE

HISTORY = ListView(
    "History",
    (
        ListRow("the beginning", "a"),
        ListRow("Brand strikes Goblin 1: 8 v 11, hit; Goblin 1 takes 5", "b", "#7", "", "plain", "Moment 2", "Melee"),
        ListRow("Goblin 2 waits", "c", "#8", "", "plain", "Moment 2", "Melee"),
        ListRow("branch, 1 entry, from #8", "d", "", "", "aside", "Moment 2", "Melee"),
        ListRow("* before the bridge", "e", "", "", "named", "Moment 2", "Magic"),
        ListRow("Ysolde moves 3 to F7", "f", "#9", "", "plain", "Moment 3", "Move"),
    ),
    marked=5,
    keys=(("enter", "choose"), ("n", "names it"), ("/", "finds")),
)
ACTIONS = ListView(
    "Ysolde",
    (
        ListRow("move", "m", "1/hex", "SB-71"),
        ListRow("sneak: Ysolde is in plain view", "n", "2/hex", "SB-57", "quiet", "Not possible now"),
    ),
    marked=0,
    typed="s",
    keys=(("enter", "choose"),),
    note="SB-71: A hex costs a beat.",
)


def shown(view, width=60, height=14, glyphs=UNICODE):
    return texts(list_rows(view, width=width, height=height, glyphs=glyphs).rows)


@pytest.mark.parametrize(("name", "width"), [("78", 78), ("44", 44), ("34", 34)])
def test_golden(name, width):
    rows = (*list_rows(HISTORY, width=width, height=14, glyphs=UNICODE).rows,)
    rows += list_rows(ACTIONS, width=width, height=9, glyphs=UNICODE).rows
    check_golden(f"list-{name}", rows)


def test_each_round_and_phase_is_named_once():
    rows = "\n".join(shown(HISTORY))
    assert [rows.count(word) for word in ("Moment 2", "Melee", "Magic", "Moment 3")] == [1, 1, 1, 1]


def test_the_marked_row_is_in_view_and_a_click_means_its_key():
    rows = tuple(ListRow(f"entry {number}", f"z{number}") for number in range(100))
    for marked in (0, 1, 50, 98, 99):
        drawing = list_rows(ListView("Long", rows, marked), width=40, height=10, glyphs=UNICODE)
        assert any(f"entry {marked} " in row for row in texts(drawing.rows))
        y = next(y for y, row in enumerate(texts(drawing.rows)) if f"entry {marked} " in row)
        assert drawing.at(5, y) == f"z{marked}"


def test_all_that_is_typed_is_shown():
    line = "addeffect brand poisoned rounds=3 reason=stung by the wasp of the third act"
    rows = shown(ListView(":", (ListRow("by="),), typed=line), width=30)
    assert " ".join(row.strip(" ?") for row in rows[:4]).startswith(line)


def test_answers_stand_upright_only_where_they_have_no_room():
    view = PromptView("Whom", tuple((str(number), f"Goblin {number}") for number in range(9)), default="Goblin 3")
    assert upright_answers(view, width=150, glyphs=UNICODE) is None
    upright = upright_answers(view, width=78, glyphs=UNICODE)
    assert upright.marked == 3
    assert [row.key for row in upright.rows] == [str(number) for number in range(9)]


def test_an_empty_list_says_so():
    assert "no match" in shown(ListView("Any", (), empty="no match; Backspace shows more"))[0]


@given(
    st.integers(1, 90), st.integers(1, 30), st.lists(st.text(max_size=30), max_size=20), st.integers(-1, 25),
    st.one_of(st.none(), st.text(max_size=200)), st.text(max_size=80),
)  # fmt: skip
def test_rows_have_their_width_whatever_is_in_them(width, height, words, marked, typed, note):
    rows = tuple(ListRow(word, word[:2], word[:9], word[:6], "quiet", word[:4], word[2:6]) for word in words)
    view = ListView("x", rows, min(marked, len(rows) - 1), typed=typed, keys=(("enter", "takes"),), note=note)
    check_size(list_rows(view, width=width, height=height, glyphs=ASCII).rows, width, height)
