"""Rows of an exact width: padding, wrapping, frames, and clickable spots.

Painters return a `Drawing`: the rows, and the spots on them that can be clicked. A spot names what it stands for in the
painter's own terms (a combatant's id, an action, an entry's number), so that panes need not know the layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from fightcall.paint.runs import DANGLING, Glyphs, Row, Run, clean, crop, cut, fit, join, merge, row_width, width
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Badge


class Spot(NamedTuple):
    """Cells that can be clicked.

    Attributes:
        rows: Rows of the drawing, from 0.
        cells: Cells of those rows, from 0.
        what: What it is, in the painter's terms.
    """

    rows: range
    cells: range
    what: str


@frozen
class Drawing:
    """Rows, and the spots on them."""

    rows: tuple[Row, ...]
    spots: tuple[Spot, ...] = ()

    def at(self, x: int, y: int) -> str | None:
        """What the cell in column `x` of row `y` belongs to; None for nothing."""
        return next((spot.what for spot in self.spots if y in spot.rows and x in spot.cells), None)


def pad(row: Row, cells: int, style: str) -> Row:
    """The row in exactly `cells` cells: cut if it is too long, padded with `style` if it is too short."""
    size = row_width(row)
    if size == cells:
        return merge(row)
    if size > cells:
        return crop(row, cells)
    return merge((*row, Run(" " * (cells - size), style)))


def blank(cells: int, style: str) -> Row:
    """An empty row."""
    return (Run(" " * cells, style),) if cells > 0 else ()


def apart(left: Row, right: Row, cells: int, style: str) -> Row:
    """A row with text at both ends. If it does not fit, the left one is cut first, then the right one."""
    right = crop(right, cells)
    room = cells - row_width(right)
    if row_width(left) >= room:
        left = crop(left, max(room - 1, 0) if right else room)
    return merge((*left, Run(" " * (room - row_width(left)), style), *right))


def stack(rows: Iterable[Row], cells: int, height: int, style: str) -> tuple[Row, ...]:
    """Exactly `height` rows of `cells` cells: the first of the given rows, then empty ones."""
    shown_rows = [pad(row, cells, style) for row in list(rows)[:height]]
    return (*shown_rows, *(blank(cells, style) for _ in range(height - len(shown_rows))))


_TIE = "\N{NO-BREAK SPACE}"
_KEY = re.compile(r"(?<![^ ])([!?*>&]|(?<=   )[^ ]{1,3}) (?=[^ ])")
"""A key before its description: a mark, or a few letters after spaces."""


def wrap(text: str, cells: int, hang: int = 0) -> tuple[str, ...]:
    """Wrap text into lines of at most `cells` cells. Lines after the first are indented by `hang`.

    Only words longer than a line are broken, and a key is kept with the word after it. There is always at least one
    line.
    """
    cells, hang = max(cells, 1), max(min(hang, cells - 2), 0)
    lines: list[str] = []
    line = ""
    for word in _KEY.sub(rf"\1{_TIE}", clean(text)).split(" "):
        word = word.replace(_TIE, " ")
        trial = f"{line} {word}" if line.strip() else line + word
        if width(trial) <= cells:
            line = trial
            continue
        if line.strip():
            lines.append(line)
            line = " " * hang + word
        else:
            line = trial
        while width(line) > cells:
            head = cut(line, cells)
            if not head.strip():
                # Not even one character of the word fits beside the indentation.
                line = line.lstrip() if line != line.lstrip() else ""
                continue
            lines.append(head)
            line = " " * hang + line[len(head) :]
    return (*lines, line) if line.strip() or not lines else tuple(lines)


def shorten(text: str, cells: int, glyphs: Glyphs) -> str:
    """A text in at most `cells` cells: in full, without its last clauses or sentences, or cut between words."""
    text = clean(text)
    if width(text) <= cells:
        return text
    for between, end in (("; ", ""), (". ", ".")):
        parts = text.split(between)
        while len(parts) > 1:
            parts.pop()
            if width(between.join(parts) + end) <= cells:
                return between.join(parts) + end
        text = parts[0] if between == "; " else text
    return break_off(text, cells, glyphs)


def break_off(text: str, cells: int, glyphs: Glyphs) -> str:
    """A text in at most `cells` cells: in full, or cut between words."""
    if width(text) <= cells:
        return text
    words = text.split(" ")
    while len(words) > 1 and width(" ".join(words)) + 2 > cells:
        words.pop()
    return f"{' '.join(words).rstrip(DANGLING)} {glyphs.ellipsis}"


def scroll_marks(top: int, visible: int, total: int, glyphs: Glyphs) -> tuple[Run, ...]:
    """A scroll bar with a cell for each of `visible` rows, of `total` with `top` above; empty if all fit."""
    if total <= visible or visible <= 0:
        return ()
    size = max(1, visible * visible // total)
    start = min(visible - size, round(top * (visible - size) / max(1, total - visible)))
    return tuple(
        Run(glyphs.scroll_thumb, "scroll.thumb")
        if start <= y < start + size
        else Run(glyphs.scroll_track, "scroll.track")
        for y in range(visible)
    )


def frame_drawing(drawing: Drawing, title: str, note: str, lit: bool, cells: int, glyphs: Glyphs) -> Drawing:
    """A drawing in a frame of `cells` cells across with a title above and a note below, `lit` if keys apply to it."""
    corners = "++++" if glyphs.rule.isascii() else "╭╮╰╯"
    line = "frame.focus" if lit else "frame"
    edge = Run(glyphs.divider, line)
    inner = cells - 2
    above = _edge(title, "frame.title.focus" if lit else "frame.title", corners[:2], line, cells, glyphs, False)
    below = _edge(note, "frame.note", corners[2:], line, cells, glyphs, True)
    inside = tuple(_between(edge, row, inner) for row in drawing.rows)
    spots = tuple(
        Spot(
            range(spot.rows.start + 1, spot.rows.stop + 1),
            range(spot.cells.start + 1, spot.cells.stop + 1),
            spot.what,
        )
        for spot in drawing.spots
    )
    return Drawing((above, *inside, below), spots)


@lru_cache(maxsize=1024)
def _between(edge: Run, row: Row, cells: int) -> Row:
    """A row between the sides of a frame, cached because most rows stay the same."""
    return join(((edge,), pad(row, cells, "text"), (edge,)))


def _edge(text: str, style: str, corners: str, line: str, cells: int, glyphs: Glyphs, at_end: bool) -> Row:
    room = cells - 6
    text = clean(text)
    text = fit(text, room, ellipsis=glyphs.ellipsis) if width(text) > room > 0 else text
    if room <= 0 or not text:
        row: Row = (Run(corners[0] + glyphs.rule * (cells - 2) + corners[1], line),)
        return pad(row, cells, line)
    near, far = Run(glyphs.rule, line), Run(glyphs.rule * (cells - width(text) - 5), line)
    words = Run(f" {text} ", style)
    middle = (far, words, near) if at_end else (near, words, far)
    return pad((Run(corners[0], line), *middle, Run(corners[1], line)), cells, line)


def side_role(system: BaseSystem, side: str) -> str:
    """The colour role of a side: `party`, `foe` or `other`."""
    if side in SIDE_ROLES:
        return side
    place = system.sides.index(side) if side in system.sides else len(SIDE_ROLES)
    return SIDE_ROLES[min(place, 2)]


SIDE_ROLES = ("party", "foe", "other")
"""The colour roles of sides, as themes name them."""


def label_box(label: str, role: str, glyphs: Glyphs, ends: str = "  ", acting: bool = False) -> Run:
    """A combatant's label in the colours of its token on the board."""
    token = f"{role}-acting" if acting else role
    style = f"ink.token/{token}.1+bold" if glyphs.shape == "hex" else f"{token}/plain+reverse"
    return Run(f"{ends[0]}{clean(label)}{ends[1]}", style)


def flag_run(flag: Badge) -> Run:
    """A warning in its conspicuous colours."""
    return Run(f" {clean(flag.text)} ", f"banner.{tone_of(flag)}")


def tone_of(badge: Badge) -> str:
    """The tone of a badge; plain for an unknown one."""
    return badge.tone if badge.tone in _TONES else "plain"


_TONES = frozenset({"plain", "good", "bad", "warn", "info"})
