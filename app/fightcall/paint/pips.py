"""Counted things as marks, and works in progress as small bars, readable without colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.runs import Row, Run, clean, fit, merge, shorten_name

if TYPE_CHECKING:
    from fightcall_engine.kit.views import Pips, Progress

MOST = 9
"""The most marks that can be taken in at a glance; for more, numbers are shown."""
LONGEST_WORK = 14


def pip_row(pips: Pips, glyphs: Glyphs, *, word: str = "") -> Row:
    """A mark for each pip: ready, kept, spent, lost, coming, in this order; numbers if there are too many.

    Args:
        pips: the counts.
        glyphs: marks to draw with.
        word: a word before the marks; empty for none.
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
    """The word before each row of marks: a capital, or none for a single row."""
    if len(several) == 1:
        return ("",)
    return tuple(clean(words.get(pips.pool, pips.pool))[:1].upper() for pips in several)


def work_row(work: Progress, glyphs: Glyphs) -> Row:
    """A work in progress: its name and its progress."""
    name = clean(work.name)
    name = shorten_name(name, LONGEST_WORK) or fit(name, LONGEST_WORK, ellipsis=glyphs.ellipsis)
    return (Run(name, "roster.declared"), Run(" ", "roster"), *work_marks(work, glyphs))


def work_marks(work: Progress, glyphs: Glyphs) -> Row:
    """The progress of a work: a mark for each part, or five for all of it, and the numbers."""
    needed_units, done_units = max(work.needed, 1), max(min(work.done, work.needed), 0)
    cells = needed_units if needed_units <= 5 else 5
    # Full only when everything is done, and not empty once anything is.
    full = done_units * cells // needed_units or (1 if done_units else 0)
    return (
        Run(glyphs.work_done * full, "bar.progress"),
        Run(glyphs.work_left * (cells - full), "pip.spent"),
        Run(f" {work.done}/{work.needed}", "roster.declared"),
    )
