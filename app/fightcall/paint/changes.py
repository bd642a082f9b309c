"""Which cells of a row look different from before: what has to be written to the terminal again. Pure."""

from __future__ import annotations

from fightcall.paint.runs import Row, row_text, row_width

GAP = 8
"""Unchanged cells worth writing again rather than moving the cursor over them."""


def changed_stretches(old: Row, new: Row) -> list[tuple[int, int]]:
    """The stretches of cells in which two rows differ, left to right; small gaps between them are taken along."""
    start, before, after = _changed_runs(old, new)
    chars, other_chars = row_text(before), row_text(after)
    size = row_width(after)
    if len(chars) != size or len(other_chars) != size or row_width(before) != size:
        # Wide or combining characters: what is a cell of one may be half of one of the other.
        return [(start, start + max(size, row_width(before), 1))]
    stretches: list[tuple[int, int]] = []
    cells = enumerate(zip(chars, other_chars, _styles(before), _styles(after), strict=True), start)
    for at in [at for at, (char, other, style, another) in cells if char != other or style != another]:
        if stretches and at - stretches[-1][1] <= GAP:
            stretches[-1] = (stretches[-1][0], at + 1)
        else:
            stretches.append((at, at + 1))
    return stretches


def _changed_runs(old: Row, new: Row) -> tuple[int, Row, Row]:
    """The cells before the first run in which two rows differ, and the runs of each from there to the last one."""
    least, start = min(len(old), len(new)), 0
    while start < least and old[start] == new[start]:
        start += 1
    end = 0
    while end < least - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return row_width(new[:start]), old[start : len(old) - end], new[start : len(new) - end]


def _styles(row: Row) -> list[str]:
    """The style of each cell."""
    styles: list[str] = []
    for text, style in row:
        styles += [style] * len(text)
    return styles
