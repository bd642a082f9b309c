"""The key bar: which keys do what now, in one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fightcall.paint.layout import Drawing, Spot, pad
from fightcall.paint.runs import Row, Run, clean, row_width


class KeyHint(NamedTuple):
    """A key and what it does.

    Attributes:
        key: As shown: `space`, `^p`.
        label: In a word or two.
        action: What a click on it means.
        on: Whether it can be done now.
    """

    key: str
    label: str
    action: str = ""
    on: bool = True


def keybar_rows(hints: Sequence[KeyHint], *, width: int) -> Drawing:
    """One row of keys: as many whole ones as fit, the most useful first; spots are actions."""
    row: Row = (Run(" ", "keybar"),)
    spots: list[Spot] = []
    for hint in hints:
        label = Run(f" {clean(hint.label)}", "keybar.text" if hint.on else "keybar.off")
        piece = (Run(clean(hint.key), "keybar.key" if hint.on else "keybar.off"), label)
        start, size = row_width(row), row_width(piece)
        if start + size > width:
            continue
        if hint.action:
            spots.append(Spot(range(1), range(start, start + size), hint.action))
        row = (*row, *piece, Run("  ", "keybar"))
    return Drawing((pad(row, width, "keybar"),), tuple(spots))
