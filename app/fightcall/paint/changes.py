"""Which cells of a row look different from before: what has to be written to the terminal again. Pure."""

from __future__ import annotations

from fightcall.paint.runs import Row, row_text, row_width, width

GAP = 8
"""Unchanged cells worth writing again rather than moving the cursor over them."""


def changed_cells(old: Row, new: Row) -> tuple[int, int]:
    """The cells, first and one past the last, in which two rows differ."""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    start = sum(width(run.text) for run in new[:first])
    after = sum(width(run.text) for run in new[len(new) - last :])
    size = max(row_width(old), row_width(new))
    return start, size - after


def changed_stretches(old: Row, new: Row) -> list[tuple[int, int]]:
    """The stretches of cells in which two rows differ, left to right; small gaps between them are taken along."""
    start, stop = changed_cells(old, new)
    size = row_width(new)
    if row_width(old) != size or len(row_text(old)) != size or len(row_text(new)) != size:
        # Wide or combining characters: what is a cell of one may be half of one of the other.
        return [(start, max(stop, start + 1))]
    stretches: list[tuple[int, int]] = []
    for at in (cell for cell, (item, other) in enumerate(zip(_cells(old), _cells(new), strict=True)) if item != other):
        if stretches and at - stretches[-1][1] <= GAP:
            stretches[-1] = (stretches[-1][0], at + 1)
        else:
            stretches.append((at, at + 1))
    return stretches


def _cells(row: Row) -> list[tuple[str, str]]:
    """Character and style of each cell."""
    return [(character, run.style) for run in row for character in run.text]
