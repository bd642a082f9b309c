"""Counted things as marks, one each, and works in progress as small bars: read without colours, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.runs import Row, Run, clean, fit, merge, shorten_name

if TYPE_CHECKING:
    from fightcall_engine.kit.views import Pips, Progress

MOST = 9
"""So many marks are taken in at a glance; of more the numbers are told."""
LONGEST_WORK = 14


def pip_row(pips: Pips, glyphs: Glyphs, *, word: str = "") -> Row:
    """A mark for each: ready, kept, spent, lost, to come, in this order; numbers where they are too many to see.

    Args:
        pips: how many of each.
        glyphs: marks to draw with.
        word: what they are, before the marks; left out where it is plain.
    """
    before = (Run(word, "pool.spent"),) if word else ()
    parts = (
        (pips.ready, glyphs.pip_ready, "pip.ready"),
        (pips.kept, glyphs.pip_kept, "pip.kept"),
        (pips.spent, glyphs.pip_spent, "pip.spent"),
        (pips.lost, glyphs.pip_lost, "pip.lost"),
        (pips.coming, glyphs.pip_coming, "pip.coming"),
    )
    total = sum(count for count, _, _ in parts)
    if total <= 0:
        return merge((*before, Run(glyphs.minus, "pip.spent")))
    if total <= MOST:
        return merge((*before, *(Run(mark * count, style) for count, mark, style in parts if count > 0)))
    marks = [Run(f"{count}{mark}", style) for count, mark, style in parts if count > 0]
    spaced_marks = [run for at, item in enumerate(marks) for run in ((Run(" ", "pip.spent"), item) if at else (item,))]
    return merge((*before, *spaced_marks))


def pip_words(several: tuple[Pips, ...], words: Mapping[str, str]) -> tuple[str, ...]:
    """The word before each row of marks: none where there is one row only, else a capital."""
    if len(several) == 1:
        return ("",)
    return tuple(clean(words.get(pips.pool, pips.pool))[:1].upper() for pips in several)


def work_row(work: Progress, glyphs: Glyphs) -> Row:
    """A work in progress: its name, and how far it is."""
    name = clean(work.name)
    name = shorten_name(name, LONGEST_WORK) or fit(name, LONGEST_WORK, ellipsis=glyphs.ellipsis)
    return (Run(name, "roster.declared"), Run(" ", "roster"), *work_marks(work, glyphs))


def work_marks(work: Progress, glyphs: Glyphs) -> Row:
    """How far a work is: a mark for each part of it or five for all, and the numbers."""
    needed_units, done_units = max(work.needed, 1), max(min(work.done, work.needed), 0)
    cells = needed_units if needed_units <= 5 else 5
    # Full only when all is done, and something as soon as anything is.
    full = done_units * cells // needed_units or (1 if done_units else 0)
    return (
        Run(glyphs.work_done * full, "bar.progress"),
        Run(glyphs.work_left * (cells - full), "pip.spent"),
        Run(f" {work.done}/{work.needed}", "roster.declared"),
    )
