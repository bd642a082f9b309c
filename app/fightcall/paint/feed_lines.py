"""The lines of one entry of the log: what happened in words, and opened, how it came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import wrap
from fightcall.paint.runs import Row, Run, clean, row_text, row_width, width
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model.events import (
    Downed,
    Event,
    FightClosed,
    FightOpened,
    RoundBegan,
    RulingRecorded,
    StepSkipped,
)
from fightcall_engine.model.fold import evolve

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.timeline import Entry

HANG = 2
_STYLES = {"dim": "feed.dim", "dice": "feed.dim", "ruling": "feed.ruling", "heading": "feed.heading"}
"""Styles of tones; the others are plain text."""
_ASIDE = frozenset({"dim", "dice", "good"})
"""Tones of minor lines that may stand beside the line they belong to."""


@dataclass(frozen=True, slots=True)
class FeedLine:
    """One line of the log; `mark` is what to put before it, `asides` what is still to stand at its right edge."""

    row: Row
    mark: str = ""
    asides: Row = ()

    @property
    def text(self) -> str:
        """Its characters."""
        return row_text(self.row)


@dataclass(frozen=True, slots=True)
class Remark:
    """What the log says of one event, and the style it is written in.

    Attributes:
        phrase: The words.
        style: A key of the palette.
        is_round: It is the heading of a round.
        waits: It is a heading that is drawn only above what is said next.
    """

    phrase: Phrase
    style: str
    is_round: bool = False
    waits: bool = False


def list_remarks(system: BaseSystem, state: FightState, entry: Entry) -> tuple[tuple[Remark, ...], FightState]:
    """What an entry says, and the state after it; questions, answers by default and passed steps say nothing."""
    remarks: list[Remark] = []
    for event in entry.events:
        wording = None if _is_routine(event) else phrase(system, event, state)
        if wording is not None:
            waits = wording.tone == "heading" and not isinstance(event, FightOpened | FightClosed)
            remarks.append(Remark(wording, _style(event, wording), isinstance(event, RoundBegan), waits))
        state = evolve(state, event)
    return tuple(remarks), state


def _is_routine(event: Event) -> bool:
    return isinstance(event, StepSkipped) or (isinstance(event, RulingRecorded) and event.default_taken)


def _style(event: Event, wording: Phrase) -> str:
    """Only rulings, notes and the fallen stand out."""
    return "feed.hit" if isinstance(event, Downed) else _STYLES.get(wording.tone, "feed.text")


def closed_lines(remarks: Sequence[Remark], cells: int, glyphs: Glyphs) -> tuple[FeedLine, ...]:
    """What an entry says of itself.

    Args:
        remarks: What it says, after the heading that waits for it; of headings in a row the last is drawn.
        cells: Cells a line may take.
        glyphs: Marks to draw with.
    """
    lines: list[FeedLine] = []
    whole = False
    for at, remark in enumerate(remarks):
        wording = remark.phrase
        if remark.waits and (at + 1 == len(remarks) or remarks[at + 1].waits):
            continue
        if wording.tone == "heading":
            rows = _heading_rows(wording.text, cells, glyphs, remark.is_round)
            lines += [FeedLine(row) for row in rows]
        elif wording.text.startswith(" ") and wording.tone in _ASIDE and whole and _beside(lines, remark, cells):
            continue
        else:
            added = _wrap_remark(remark, cells, glyphs)
            # Beside the end of a broken line it would read as a part of that.
            whole = len(added) == 1
            lines += added
    return tuple(_at_edge(line, cells) for line in lines)


def _heading_rows(text: str, cells: int, glyphs: Glyphs, strong: bool) -> list[Row]:
    """A heading between two rules; what has no room between them goes on below."""
    style = "feed.name" if strong else "feed.heading"
    words, *more = wrap(text, max(cells - 6, 1))
    words = words.removesuffix(" ·")
    line = glyphs.rule * max(cells - width(words) - 4, 0)
    first: Row = (Run(f"{glyphs.rule * 2} ", "frame"), Run(words, style), Run(f" {line}", "frame"))
    return [first, *((Run("   ", "frame"), Run(rest, style)) for rest in more)]


def _beside(lines: list[FeedLine], remark: Remark, cells: int) -> bool:
    """Put a minor line at the right edge of the one before it if there is room; says whether it did."""
    before = lines[-1]
    aside = Run(clean(remark.phrase.text).strip(), remark.style)
    if before.row[0].style == "frame":
        return False
    asides = (*before.asides, Run("   ", "feed"), aside) if before.asides else (aside,)
    gap = cells - row_width(before.row) - row_width(asides)
    if gap < 3:
        return False
    lines[-1] = replace(before, asides=asides)
    return True


def _at_edge(line: FeedLine, cells: int) -> FeedLine:
    """The line with what stands beside it at the right edge."""
    if not line.asides:
        return line
    gap = Run(" " * (cells - row_width(line.row) - row_width(line.asides)), "feed")
    return FeedLine((*line.row, gap, *line.asides), line.mark)


def _wrap_remark(remark: Remark, cells: int, glyphs: Glyphs) -> list[FeedLine]:
    text = clean(remark.phrase.text)
    indent = min(len(text) - len(text.lstrip(" ")), cells // 2)
    mark = glyphs.warning if remark.phrase.tone == "ruling" else ""
    found = []
    for at, line in enumerate(wrap(text.strip(), cells - indent, HANG)):
        found.append(FeedLine((Run(" " * indent + line, remark.style),), mark if at == 0 else ""))
    return found


# Opened


def opened_lines(
    system: BaseSystem, state: FightState, entry: Entry, cells: int, glyphs: Glyphs
) -> tuple[FeedLine, ...]:
    """How an entry came about: the command, each event with what it carries, and the rules behind it."""
    lines: list[FeedLine] = []
    given = ", ".join(f"{name} {_value(value)}" for name, value in entry.command.items() if name != "type")
    lines += _detail(f"{glyphs.branch} {entry.number} {entry.command.get('type', '')}: {given}", "feed.name", cells)
    lines += _detail(f"{glyphs.branch} {entry.at} by {entry.by}", "feed.dim", cells)
    rules: dict[str, None] = {}
    for event in entry.events:
        said = phrase(system, event, state)
        if said is not None and said.rule:
            rules[said.rule] = None
        tone = "feed.dice" if event.type == "DiceRolled" else "feed.dim"
        lines += _detail(f"{glyphs.branch} {event_text(event)}", tone, cells)
        if own := str(getattr(event, "rule", "") or ""):
            rules[own] = None
        state = evolve(state, event)
    texts = system.rules()
    for rule in rules:
        lines += _detail(f"{glyphs.branch} {rule} {texts.get(rule, '')}".rstrip(), "feed.rule", cells)
    return tuple(lines)


def _detail(text: str, style: str, cells: int) -> list[FeedLine]:
    return [FeedLine((Run(f" {line}", style),)) for line in wrap(text, cells - 1, HANG)]


def event_text(event: Event) -> str:
    """An event as its name and what it carries, without what is empty."""
    parts = []
    for item in fields(event):
        value = getattr(event, item.name)
        if value not in ("", None, ()) and value is not False:
            parts.append(f"{item.name} {_value(value)}")
    return f"{event.type} {', '.join(parts)}".rstrip()


def _value(value: object) -> str:
    if isinstance(value, tuple | list):
        return "(" + " ".join(_value(item) for item in value) + ")"
    if isinstance(value, Mapping):
        return "(" + " ".join(f"{key} {_value(item)}" for key, item in value.items()) + ")"
    if isinstance(value, str | int | float):
        return str(value)
    # Whole figures and steps would fill the pane: their names will do.
    return str(getattr(value, "id", "") or getattr(value, "name", "") or type(value).__name__)
