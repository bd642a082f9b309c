"""The lines of an entry in the log: closed, what happened in words; opened, its command and events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import wrap
from fightcall.paint.runs import Row, Run, clean, row_text, row_width, width
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.model.events import Event
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.values import frozen
from fightcall_engine.play.story import SECRET, Part, Remark

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.timeline import Entry

HANG, INDENT = 2, 2
RULES = 6
"""Cells of the horizontal rules beside a heading."""
_STYLES = {"dim": "feed.dim", "ruling": "feed.ruling", "fallen": "feed.hit"}
"""Styles of tones; other tones are plain text."""


@frozen
class FeedLine:
    """A line of the log. `mark` goes before it, and `asides` at its right edge."""

    row: Row
    mark: str = ""
    asides: Row = ()

    @property
    def text(self) -> str:
        """Its characters."""
        return row_text(self.row)


def closed_lines(remarks: Sequence[Remark], before: Part | None, cells: int, glyphs: Glyphs) -> tuple[FeedLine, ...]:
    """The lines of a closed entry, with a heading wherever another part of the fight begins.

    Args:
        remarks: The remarks of the entry.
        before: The part of the last line before; None for none.
        cells: Cells across.
        glyphs: Marks to draw with.
    """
    lines: list[FeedLine] = []
    for remark in remarks:
        if remark.tone == "heading":
            lines += [FeedLine(row) for row in _heading_rows(remark.text, cells, glyphs, strong=False)]
            continue
        part = remark.part
        if part != before and part.heading:
            is_new_round = before is None or part.round != before.round
            # The round is known from above, so it is dropped first if there is little room.
            is_long = width(clean(part.heading)) > cells - RULES
            heading = part.name if is_long and part.name and not is_new_round else part.heading
            lines += [FeedLine(row) for row in _heading_rows(heading, cells, glyphs, is_new_round)]
        before = part
        if not (remark.is_minor and remark.follows and _is_beside(lines, remark.sentence, cells)):
            lines += _wrap_remark(remark, cells, glyphs)
    return tuple(_at_edge(line, cells) for line in lines)


def _heading_rows(text: str, cells: int, glyphs: Glyphs, strong: bool) -> list[Row]:
    """A heading between two horizontal rules, continued below if it does not fit, broken between its parts."""
    style = "feed.name" if strong else "feed.heading"
    room = max(cells - RULES, 1)
    head, _, tail = text.rpartition(" · ")
    is_parted = head and width(text) > room >= width(head)
    words, *more = (head, *wrap(tail, room)) if is_parted else wrap(text, room)
    words = words.removesuffix(" ·")
    line = glyphs.rule * max(cells - width(words) - 4, 0)
    first: Row = (Run(f"{glyphs.rule * 2} ", "frame"), Run(words, style), Run(f" {line}", "frame"))
    return [first, *((Run("   ", "frame"), Run(rest, style)) for rest in more)]


def _is_beside(lines: list[FeedLine], text: str, cells: int) -> bool:
    """Put words at the right edge of the last line. False if there is no room."""
    if not lines or lines[-1].row[0].style == "frame":
        return False
    before = lines[-1]
    aside = Run(clean(text), "feed.dim")
    asides = (*before.asides, Run("   ", "feed"), aside) if before.asides else (aside,)
    if cells - row_width(before.row) - row_width(asides) < 3:
        return False
    lines[-1] = replace(before, asides=asides)
    return True


def _at_edge(line: FeedLine, cells: int) -> FeedLine:
    """The line with its asides at the right edge."""
    if not line.asides:
        return line
    gap = Run(" " * (cells - row_width(line.row) - row_width(line.asides)), "feed")
    return FeedLine((*line.row, gap, *line.asides), line.mark)


def _wrap_remark(remark: Remark, cells: int, glyphs: Glyphs) -> list[FeedLine]:
    """A remark's sentence, with its dice at the end of the last line if they fit, else on their own line."""
    indent = min(INDENT, cells // 2) if remark.follows else 0
    style = _STYLES.get(remark.tone, "feed.text")
    mark = glyphs.warning if remark.tone == "ruling" else ""
    feed_lines = []
    for at, line in enumerate(wrap(clean(remark.sentence), cells - indent, HANG)):
        feed_lines.append(FeedLine((Run(" " * indent + line, style),), mark if at == 0 else ""))
    for edge in (remark.edge, SECRET if remark.is_secret else ""):
        if edge and not _is_beside(feed_lines, edge, cells):
            room = cells - indent - HANG
            feed_lines += [
                FeedLine((Run(" " * (indent + HANG) + line, "feed.dim"),)) for line in wrap(clean(edge), room, 0)
            ]
    return feed_lines


# Opened


def opened_lines(
    system: BaseSystem, state: FightState, entry: Entry, cells: int, glyphs: Glyphs
) -> tuple[FeedLine, ...]:
    """The lines of an opened entry: the command, each event with its fields, and the rules behind it."""
    lines: list[FeedLine] = []
    fields_text = ", ".join(f"{name} {_value(value)}" for name, value in entry.command.items() if name != "type")
    lines += _detail(
        f"{glyphs.branch} {entry.number} {entry.command.get('type', '')}: {fields_text}", "feed.name", cells
    )
    lines += _detail(f"{glyphs.branch} {entry.at} by {entry.by}", "feed.dim", cells)
    rules: dict[str, None] = {}
    for event in entry.events:
        sentence = phrase(system, event, state)
        if sentence is not None and sentence.rule:
            rules[sentence.rule] = None
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
    """An event as its name and its fields, without empty ones."""
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
    # Whole combatants and steps would fill the pane; their names are enough.
    return str(getattr(value, "id", "") or getattr(value, "name", "") or type(value).__name__)
