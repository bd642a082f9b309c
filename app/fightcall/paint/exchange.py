"""Drawing the exchange panel: the rows of a preview, with the roll that is due.

The rows come from the engine. A row of an obstacle shows its rule, with its title if there is room, and the key that
removes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from fightcall.paint.layout import Drawing, Spot, apart, pad, wrap
from fightcall.paint.runs import Glyphs, Run, clean, row_width, width
from fightcall.paint.runs import Row as Cells
from fightcall_engine.kit.preview import BROKEN, OK, Row
from fightcall_engine.model.values import frozen

LONGEST_NAME = 12
"""The width of rows' names; a longer one only shifts its own row."""
ENTRY = 4
"""The width of the field for typing a roll."""

Keys = tuple[tuple[str, str], ...]
"""(key, text) pairs."""


@frozen
class PanelView:
    """The content of the panel.

    Attributes:
        title: who does what to whom.
        due: when it is settled; empty for now.
        rows: the rows of the preview.
        marked: the index of the row that digits and arrows apply to; -1 for none.
        typed: the typed texts, by the index of their row.
        hints: the keys that change a row or remove its obstacle, by the index of the row.
        keys: the keys at the foot, the most useful first.
        complaint: what was wrong with the last key.
        reason: the explanation of the marked row, if it was asked for.
    """

    title: str
    due: str = ""
    rows: tuple[Row, ...] = ()
    marked: int = -1
    typed: Mapping[int, str] = field(default_factory=dict)
    hints: Mapping[int, Keys] = field(default_factory=dict)
    keys: Keys = ()
    complaint: str = ""
    reason: str = ""


def exchange_rows(view: PanelView, *, width: int, height: int, glyphs: Glyphs) -> Drawing:
    """The inside of the panel for a width and height; if not all rows fit, those around the marked one.

    Spots are ``row <index>``, and ``key <key>`` for the keys at the foot.
    """
    blocks = [_row_lines(view, place, width, glyphs) for place in range(len(view.rows))]
    foot, spots = _foot(view, width, glyphs)
    # The keys always stay, and one row above them.
    excess = max(len(foot) - max(height - 1, 1), 0)
    foot = foot[excess:]
    room = max(height - len(foot), 0)
    first = _first_line(blocks, view.marked, room)
    lines = [(place, line) for place, block in enumerate(blocks) for line in block][first : first + room]
    padded_lines = [pad(line, width, "text") for _, line in lines]
    result = [Spot(range(at, at + 1), range(width), f"row {place}") for at, (place, _) in enumerate(lines)]
    blanks = [pad((), width, "text")] * (height - len(padded_lines) - len(foot))
    start = len(padded_lines) + len(blanks)
    start -= excess
    spots_below = [spot._replace(rows=range(start + spot.rows.start, start + spot.rows.stop)) for spot in spots]
    return Drawing((*padded_lines, *blanks, *foot), (*result, *spots_below))


def wanted_height(view: PanelView, *, width: int, glyphs: Glyphs) -> int:
    """The height that shows everything."""
    inside = sum(len(_row_lines(view, place, width, glyphs)) for place in range(len(view.rows)))
    return inside + len(_foot(view, width, glyphs)[0])


def _first_line(blocks: Sequence[Sequence[Cells]], marked_row: int, room: int) -> int:
    """The first visible line with which the marked row is visible."""
    ends = [0]
    for block in blocks:
        ends.append(ends[-1] + len(block))
    if ends[-1] <= room or not 0 <= marked_row < len(blocks):
        return max(ends[-1] - room, 0)
    start, end = list(pairwise(ends))[marked_row]
    return max(0, min(start, end - room if end > room else 0, ends[-1] - room))


# A row


def _row_lines(view: PanelView, place: int, cells: int, glyphs: Glyphs) -> list[Cells]:
    """The lines of a row: name and text at the left, detail and keys at the right, or below if it is long."""
    row = view.rows[place]
    is_marked = place == view.marked
    head = _head(
        row, min(max((width(clean(row.name)) for row in view.rows), default=0), LONGEST_NAME), is_marked, glyphs
    )
    indent = row_width(head)
    style = "title" if is_marked else "text"
    text_cells = indent + width(row.text) + 2
    right = (*_detail(row), *_keys_and_entry(view, place, row, glyphs))
    if text_cells + row_width(right) > cells:
        right = (*_detail(row), *_keys_and_entry(view, place, row, glyphs, in_full=False))
    if text_cells + row_width(right) <= cells or not right:
        texts = wrap(row.text, max(cells - indent - 1, 8))
        left_cells = [(head if at == 0 else _blank(indent), text) for at, text in enumerate(texts)]
        lines = [pad((*start, Run(text, style)), cells, "text") for start, text in left_cells]
        return [apart((*head, Run(texts[0], style)), right, cells, "text")] if right else lines
    return _long_row(view, place, head, style, cells, glyphs)


def _long_row(view: PanelView, place: int, head: Cells, style: str, cells: int, glyphs: Glyphs) -> list[Cells]:
    """The lines of a long row: the text, then the detail, with the keys at the end of the last one."""
    row, indent = view.rows[place], row_width(head)
    room = max(cells - indent - 1, 8)
    rows = [(text, style) for text in wrap(row.text, room)]
    rows += [(text, _detail_style(row)) for text in wrap(row.detail, room)] if row.detail else []
    lines: list[Cells] = [
        (*(head if at == 0 else _blank(indent)), Run(text, kind)) for at, (text, kind) in enumerate(rows)
    ]
    right = _keys_and_entry(view, place, row, glyphs)
    if row_width(lines[-1]) + row_width(right) + 2 > cells:
        right = _keys_and_entry(view, place, row, glyphs, in_full=False, room=cells)
    if row_width(lines[-1]) + row_width(right) + 2 <= cells:
        lines[-1] = apart(lines[-1], right, cells, "text")
    else:
        lines.append(apart((), right, cells, "text"))
    return [pad(line, cells, "text") for line in lines]


def _blank(cells: int) -> Cells:
    return (Run(" " * cells, "text"),)


def _head(row: Row, name_cells: int, is_marked: bool, glyphs: Glyphs) -> Cells:
    name = clean(row.name)
    mark = Run(glyphs.selected if is_marked else " ", "roster.mark")
    padded_name = name + " " * max(name_cells - width(name), 0)
    return (mark, Run(f"{padded_name}  ", _name_style(row, is_marked)))


def _name_style(row: Row, is_marked: bool) -> str:
    if row.status == BROKEN:
        return "bad"
    return "heading" if is_marked else "dim"


def _detail_style(row: Row) -> str:
    return {BROKEN: "bad", OK: "good"}.get(row.status, "dim")


def _detail(row: Row) -> Cells:
    return (Run(f"{clean(row.detail)} ", _detail_style(row)),) if row.detail else ()


def _keys_and_entry(
    view: PanelView, place: int, row: Row, glyphs: Glyphs, *, in_full: bool = True, room: int | None = None
) -> Cells:
    """The broken rule, with its title if `in_full`, the row's keys, and the field for its roll.

    With `room`, only the keys, followed by words without a key, that fit into so many cells.
    """
    cells: list[Run] = []
    if row.status == BROKEN:
        cells.append(Run(f" {glyphs.refused} {row.rule if in_full else row.rule.rpartition(', ')[2]}".rstrip(), "bad"))
    for key, label in sorted(view.hints.get(place, ()), key=lambda pair: not pair[0]):
        piece = [Run("   ", "text"), *([Run(f"{clean(key)} ", "heading")] if key else []), Run(clean(label), "text")]
        if room is None or row_width((*cells, *piece)) < room:
            cells += piece
    if row.dice or row.number or place in view.typed:
        cells.append(Run("  ", "text"))
        cells += _entry(view, place, row)
    return (*cells, Run(" ", "text")) if cells else ()


def _entry(view: PanelView, place: int, row: Row) -> list[Run]:
    text = clean(view.typed.get(place, ""))
    fill = "_" * max(ENTRY - width(text), 0)
    unit = row.dice or row.number
    cursor = [Run(" ", "prompt.cursor"), Run(fill[1:], "prompt.input")] if place == view.marked else []
    return [Run(text, "prompt.input"), *(cursor or [Run(fill, "prompt.input")]), Run(f" {clean(unit)}", "dim")]


# The foot


def _foot(view: PanelView, cells: int, glyphs: Glyphs) -> tuple[list[Cells], list[Spot]]:
    """The complaint, and as many keys as fit."""
    rows: list[Cells] = []
    marks = ((glyphs.refused, view.complaint, "prompt.error"), (glyphs.bullet, view.reason, "prompt.hint"))
    for mark, text, style in marks:
        lines = wrap(text, max(cells - width(mark) - 3, 8)) if text else ()
        rows += [
            pad((Run(f" {mark if at == 0 else ' ' * width(mark)} ", style), Run(line, style)), cells, "text")
            for at, line in enumerate(lines)
        ]
    row: Cells = (Run(" ", "text"),)
    spots: list[Spot] = []
    for key, label in view.keys:
        key_text = glyphs.enter if key == "enter" else key
        piece = (Run(f"{clean(key_text)} ", "heading"), Run(clean(label), "text"))
        start, size = row_width(row), row_width(piece)
        if start + size > cells:
            continue
        spots.append(Spot(range(len(rows), len(rows) + 1), range(start, start + size), f"key {key}"))
        row = (*row, *piece, Run("   ", "text"))
    return [*rows, pad(row, cells, "text")], spots
