"""Only what looks different is written again."""

from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.changes import GAP, changed_stretches
from fightcall.paint.runs import Run, merge, row_width, window

texts = st.text("ab漢 ", max_size=6)
rows = st.lists(st.builds(Run, texts, st.sampled_from(["text", "dim"])), max_size=6).map(merge)


@given(rows, rows)
def test_rows_look_the_same_outside_the_stretches_that_changed(old, new):
    size = max(row_width(old), row_width(new)) + 1
    old = merge((*old, Run(" " * (size - row_width(old)), "text")))
    new = merge((*new, Run(" " * (size - row_width(new)), "text")))
    stretches = changed_stretches(old, new) if old != new else []
    edges = [0, *(edge for stretch in stretches for edge in stretch), size]
    assert edges == sorted(edges)
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        assert window(old, start, stop - start) == window(new, start, stop - start)


def test_two_tokens_far_apart_are_two_stretches():
    plain = (Run("." * 40, "grass"),)
    moved = (Run("A", "token"), Run("." * 38, "grass"), Run("B", "token"))
    assert changed_stretches(plain, moved) == [(0, 1), (39, 40)]


def test_a_gap_too_small_to_jump_is_written_along():
    plain = (Run("." * 40, "grass"),)
    near = (Run("A", "token"), Run("." * GAP, "grass"), Run("B", "token"), Run("." * (38 - GAP), "grass"))
    assert changed_stretches(plain, near) == [(0, GAP + 2)]
