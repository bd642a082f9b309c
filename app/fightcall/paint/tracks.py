"""Harm as a track of boxes. Filled boxes show the letter of their level, to be readable without colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.runs import Row, Run, clean, fit, merge

if TYPE_CHECKING:
    from fightcall_engine.kit.views import Track

SHADES = 3
"""The number of levels with a colour of their own; worse ones share the last."""


def track_row(track: Track, glyphs: Glyphs, *, parted: bool = False) -> Row:
    """The boxes of a track, and the number of wounds beyond them.

    Args:
        track: the track.
        glyphs: marks to draw with.
        parted: draw lines between the levels, which are visible while boxes are empty.
    """
    runs: list[Run] = []
    left = max(0, track.taken)
    for number, (name, size) in enumerate(track.levels, 1):
        if parted and number > 1:
            runs.append(Run(glyphs.divider, "pool.spent"))
        full = min(left, size)
        left -= full
        runs.append(Run(_letter(track, name) * full, _style(number)))
        runs.append(Run(glyphs.box_free * (size - full), "track.free"))
    if left:
        runs.append(Run(f"+{left}", "pool.over"))
    return merge(run for run in runs if run.text)


def track_short(track: Track, glyphs: Glyphs) -> Row:
    """The level's letter and the number of wounds, in `SHORT` cells."""
    if track.taken <= 0:
        return (Run(glyphs.box_free.ljust(SHORT), "pool.spent"),)
    number, name = _level_reached(track)
    text = f"{_letter(track, name)}{min(track.taken, MOST)}"
    return merge((Run(text, _style(number)), Run(" " * (SHORT - len(text)), "roster")))


SHORT = 3
MOST = 99


def track_cells(track: Track) -> int:
    """The width of the boxes without lines between levels and without wounds beyond them."""
    return sum(size for _, size in track.levels)


def _level_reached(track: Track) -> tuple[int, str]:
    """The number and the name of the level of the last wound."""
    boxes = 0
    for number, (name, size) in enumerate(track.levels, 1):
        boxes += size
        if track.taken <= boxes:
            return number, name
    return len(track.levels), track.levels[-1][0] if track.levels else ""


def _letter(track: Track, name: str) -> str:
    """The letter of a box: the level's first letter; a cross for the last box of all."""
    return LAST if track.levels and name == track.levels[-1][0] else fit(clean(name).upper(), 1, ellipsis="")


LAST = "X"


def _style(number: int) -> str:
    return f"track.{number}" if 0 < number <= SHADES else "track"
