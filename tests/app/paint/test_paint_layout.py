"""Rows of an exact width."""

from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.runs import (
    ASCII,
    UNICODE,
    Drawing,
    Run,
    Spot,
    apart,
    break_off,
    clean,
    fit,
    fit_ends,
    frame_drawing,
    pad,
    row_text,
    row_width,
    scroll_marks,
    stack,
    width,
    wrap,
)

texts = st.text(st.characters(codec="utf-8"), max_size=40)
rows = st.lists(st.builds(Run, texts.map(clean), st.sampled_from(["text", "dim"])), max_size=5).map(tuple)
sizes = st.integers(0, 60)


@given(rows, sizes)
def test_a_padded_row_has_its_width(row, cells):
    assert row_width(pad(row, cells, "text")) == cells


@given(rows, rows, sizes)
def test_a_row_with_two_ends_has_its_width(left, right, cells):
    assert row_width(apart(left, right, cells, "text")) == cells


def test_ends_stay_at_the_ends():
    row = apart((Run("name", "text"),), (Run("9/9", "dim"),), 12, "text")
    assert row_text(row) == "name     9/9"


@given(st.lists(rows, max_size=6), sizes, st.integers(0, 8))
def test_stacked_rows_fill_the_window(given_rows, cells, height):
    assert [row_width(row) for row in stack(given_rows, cells, height, "text")] == [cells] * height


@given(texts, st.integers(2, 40), st.integers(0, 6))
def test_wrapped_lines_fit_and_lose_no_word(text, cells, hang):
    lines = wrap(text, cells, hang)
    assert lines
    assert all(width(line) <= cells for line in lines)
    assert "".join("".join(lines).split()) == "".join(clean(text).split())


def test_words_are_broken_only_where_they_must():
    assert wrap("the long way round", 9) == ("the long", "way round")
    assert wrap("the long way round", 9, 2) == ("the long", "  way", "  round")
    assert wrap("incomprehensible", 6) == ("incomp", "rehens", "ible")
    assert wrap("", 6) == ("",)


def test_what_goes_no_further_ends_in_no_comma():
    assert break_off("Not yet: Usher 1, Usher 2", 19, UNICODE) == "Not yet: Usher 1 …"
    assert fit("Pit, Gallery, Cellar", 15) == "Pit, Gallery … "
    assert fit_ends("Pit, Gallery, Cellar, 12 of 14", 16) == "Pit … 12 of 14  "


def test_a_key_is_parted_from_no_word_after_it():
    assert wrap("2 spent, 3 left: ! overrides it", 18) == ("2 spent, 3 left:", "! overrides it")
    assert wrap("Out of reach   F1 keys", 16) == ("Out of reach  ", "F1 keys")
    assert wrap("hit! and run", 6) == ("hit!", "and", "run")


@given(st.integers(0, 200), st.integers(0, 30), st.integers(0, 200))
def test_a_scroll_bar_is_there_when_not_everything_is(top, shown, total):
    marks = scroll_marks(top, shown, total, UNICODE)
    assert len(marks) == (shown if total > shown > 0 else 0)
    if marks:
        assert any(mark.style == "scroll.thumb" for mark in marks)


def test_a_scroll_bar_reaches_both_ends():
    above, below = scroll_marks(0, 5, 50, UNICODE), scroll_marks(45, 5, 50, UNICODE)
    assert above[0].style == "scroll.thumb"
    assert below[-1].style == "scroll.thumb"


@given(texts, texts, st.integers(2, 60), st.sampled_from([UNICODE, ASCII]))
def test_a_frame_has_its_size_whatever_it_says(title, note, cells, glyphs):
    inside = Drawing(stack([], cells - 2, 3, "text"))
    drawn = frame_drawing(inside, title, note, cells, glyphs)
    assert [row_width(row) for row in drawn.rows] == [cells] * 5


def test_spots_move_with_the_frame():
    inside = Drawing(stack([], 8, 2, "text"), (Spot(range(1, 2), range(3), "ash"),))
    drawn = frame_drawing(inside, "T", "", 10, UNICODE)
    assert drawn.at(1, 2) == "ash"
    assert drawn.at(0, 2) is None
    assert drawn.at(1, 1) is None
