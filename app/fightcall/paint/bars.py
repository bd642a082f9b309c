"""Bars: how much of something is left, in a few cells."""

from __future__ import annotations

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.runs import Row, Run


def bar(now: int, most: int, cells: int, style: str, glyphs: Glyphs) -> Row:
    """A bar of exactly `cells` cells.

    It is full only when nothing is missing and empty only when nothing is left, however little that is.

    Args:
        now: What is left; less than nothing is nothing, more than `most` is all.
        most: What there can be; nothing makes an empty bar.
        cells: Cells across.
        style: Style key, ink for the full part on ground for the track.
        glyphs: Marks to draw with; on a plain board's set the track is drawn as well, for it may have no
            colour.
    """
    steps = len(glyphs.bar_steps) + 1
    total_steps = cells * steps
    full_steps = 0 if most <= 0 else max(0, min(total_steps, now * total_steps // most))
    if 0 < now < most:
        full_steps = max(1, min(full_steps, total_steps - 1))
    full, part = divmod(full_steps, steps)
    track = glyphs.bar_empty if glyphs.shape == "plain" else " "
    edge = glyphs.bar_steps[part - 1] if part else ""
    return (Run(f"{glyphs.bar_full * full}{edge}".ljust(cells, track), style),)


def pool_bar(now: int, most: int, cells: int, style: str, glyphs: Glyphs) -> Row:
    """A bar of a pool that is not health, of exactly `cells` cells: a line, told from `bar` without colours, too."""
    full = 0 if most <= 0 else max(0, min(cells, now * cells // most))
    if 0 < now < most:
        full = max(1, min(full, cells - 1))
    return (Run(glyphs.pool_full * full + glyphs.pool_empty * (cells - full), style),)


def health_style(now: int, most: int) -> str:
    """The style key of a hit point bar: high above a half, low up to a quarter."""
    if now * 2 > most:
        return "bar.hp.high"
    return "bar.hp.mid" if now * 4 > most else "bar.hp.low"
