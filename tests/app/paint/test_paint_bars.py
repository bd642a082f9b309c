"""Bars say what is left, and never all or nothing when it is neither."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.combatants import bar, health_style
from fightcall.paint.runs import ASCII, UNICODE, row_text, row_width

glyph_sets = st.sampled_from([UNICODE, ASCII])


@pytest.mark.parametrize(
    ("now", "most", "unicode", "ascii_bar"),
    [
        (4, 4, "████", "####"),
        (2, 4, "██  ", "##--"),
        (0, 4, "    ", "----"),
        (-3, 4, "    ", "----"),
        (9, 4, "████", "####"),
        (5, 0, "    ", "----"),
        (5, 8, "██▌ ", "##--"),
        (1, 1000, "▏   ", "#---"),
        (999, 1000, "███▉", "###-"),
    ],
)
def test_bars(now, most, unicode, ascii_bar):
    assert row_text(bar(now, most, 4, "bar.pool", UNICODE)) == unicode
    assert row_text(bar(now, most, 4, "bar.pool", ASCII)) == ascii_bar


@given(st.integers(-5, 50), st.integers(0, 40), st.integers(1, 12), glyph_sets)
def test_a_bar_has_its_size_and_is_honest(now, most, cells, glyphs):
    row = bar(now, most, cells, "bar.pool", glyphs)
    assert row_width(row) == cells
    full = row_text(row) == glyphs.bar_full * cells
    if cells > 1 and most > 0:
        assert full == (now >= most)
        assert (row_text(row) == row_text(bar(0, most, cells, "bar.pool", glyphs))) == (now <= 0)


@given(st.integers(0, 39), st.integers(1, 40), st.integers(2, 12), glyph_sets)
def test_more_never_looks_like_less(now, most, cells, glyphs):
    def length(left):
        text = row_text(bar(left, most, cells, "x", glyphs)).rstrip(" -")
        part = (*glyphs.bar_steps, glyphs.bar_full).index(text[-1]) if text else 0
        return len(text), part

    assert length(now) <= length(now + 1)


@pytest.mark.parametrize(
    ("now", "style"), [(20, "high"), (11, "high"), (10, "mid"), (6, "mid"), (5, "low"), (0, "low"), (-4, "low")]
)
def test_health(now, style):
    assert health_style(now, 20) == f"bar.hp.{style}"
