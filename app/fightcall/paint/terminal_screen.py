"""What a terminal shows, and the least that has to be written to it for a frame.

Textual writes every stretch of a frame with all its colours, whether or not the terminal shows it already, and Rich
ends each with a reset. Over a slow line, and in the terminal that has to read it, those bytes are most of what a key
costs. Here frames are put together of cells; only those that look different are written, those of one pen together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import compress
from operator import itemgetter, ne

from fightcall.paint.pens import EDGES, PLAIN, Pen, change_pen, turn_edges, turn_pen
from fightcall.paint.runs import clusters, width

Cell = tuple[str, Pen]
"""A character with the marks on it, and how it is written; the right half of a wide one is empty."""
Stretch = tuple[int, int, tuple[str, ...]]
"""Row, column, and characters to be written in one pen; empty ones are right halves."""

_NO_CELLS = re.compile(r"\x1b\[\?2026[hl]|\x07|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|(\x1b\[\d+;\d+H)")
"""The ends of a synchronized frame, the bell, what is said to the terminal (clipboard, title, pointer), and a move."""
_text_of = itemgetter(0)
_NEAR = 4
"""Cells that are written again, or by a later pen, rather than jumped: the jump would take as many bytes."""


class TerminalScreen:
    """The cells of a terminal, as far as they are known from what was put on it."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Nothing is known any more of what the terminal shows: it has another size, or others have written to it."""
        self._rows: dict[int, list[Cell | None]] = {}
        self._with_halves: set[int] = set()
        self._changed: dict[int, set[int]] = {}
        self._cursor = ""

    def put(self, y: int, x: int, cells: Sequence[Cell]) -> None:
        """Show cells in a row from a column on; they are written with the next update."""
        row, end = self._rows.setdefault(y, []), x + len(cells)
        if len(row) < end:
            row += [None] * (end - len(row))
        before = row[x:end]
        if before == cells:
            return
        self._changed.setdefault(y, set()).update(compress(range(x, end), map(ne, before, cells)))
        # Of a wide character written over in part, nothing is left on the terminal.
        if x and _is_half(row[x]):
            row[x - 1] = None
        if end < len(row) and _is_half(row[end]):
            row[end] = None
        row[x:end] = cells
        if not all(map(_text_of, cells)):
            self._with_halves.add(y)

    def update(self, data: str) -> str:
        """What to write: the cells that look different since the last update, then what else is to be written.

        Where that may write over cells, all that is known of them is forgotten.
        """
        written = "".join(self._sequences(self._changed))
        self._changed = {}
        harmless = _NO_CELLS.fullmatch(data)
        if harmless is None:
            self.forget()
        elif harmless.group(1) is not None:
            if not written and data == self._cursor:
                return ""
            self._cursor = data
        return written + data

    # Writing what has changed

    def _sequences(self, changed_cells: dict[int, set[int]]) -> Iterator[str]:
        """The sequences that write these cells, pen by pen: jumps within a row take fewer bytes than colours."""
        groups = self._by_pen(changed_cells)
        before = PLAIN
        for pen in sorted(groups, key=lambda pen: (pen.ground, pen.ink, pen.attributes)):
            yield change_pen(before, pen)
            yield from self._strokes(pen, groups[pen], changed_cells)
            before = pen
        yield change_pen(before, PLAIN)

    def _by_pen(self, changed_cells: dict[int, set[int]]) -> dict[Pen, list[Stretch]]:
        """The stretches to write, by pen. A blank goes with a pen of the same ground, whatever its ink."""
        groups: dict[Pen, list[Stretch]] = {}
        blanks: list[tuple[Pen, Stretch]] = []
        for y in sorted(changed_cells):
            for pen, stretch in self._stretches(y, changed_cells[y]):
                if _is_blank(pen, stretch):
                    blanks.append((pen, stretch))
                else:
                    groups.setdefault(pen, []).append(stretch)
        _turn_edges(groups)
        grounds = {pen.ground: pen for pen in groups if pen.hides_ink}
        for pen, stretch in blanks:
            groups.setdefault(grounds.get(pen.ground, pen), []).append(stretch)
        for stretches in groups.values():
            stretches.sort()
        return groups

    def _stretches(self, y: int, changed_columns: set[int]) -> Iterator[tuple[Pen, Stretch]]:
        """The cells of a row that change, as stretches of one pen."""
        row = self._rows[y]
        if y in self._with_halves:
            _make_whole(row, changed_columns)
        start, pen = -1, PLAIN
        texts: list[str] = []
        for x in sorted(changed_columns):
            cell = row[x]
            if cell is None:
                continue
            text, own = cell
            if start + len(texts) == x and _suits(pen, text, own):
                texts.append(text)
                continue
            if start + len(texts) == x and _suits(own, " ", pen) and not any(map(str.strip, texts)):
                pen = own
                texts.append(text)
                continue
            if start >= 0:
                yield pen, (y, start, tuple(texts))
            start, pen, texts = x, own, [text]
        if start >= 0:
            yield pen, (y, start, tuple(texts))

    def _strokes(self, pen: Pen, stretches: list[Stretch], changed_cells: dict[int, set[int]]) -> Iterator[str]:
        """The moves and characters that write stretches of one pen; what is written is taken off what has changed."""
        at = (-1, -1)
        for y, x, texts in stretches:
            if at[0] != y or at[1] > x:
                yield f"\x1b[{y + 1};{x + 1}H"
            elif at[1] < x:
                yield self._way(pen, y, at[1], x, changed_cells[y])
            text = "".join(texts)
            yield text
            changed_cells[y].difference_update(range(x, x + len(texts)))
            # After other than plain characters terminals differ in where they are.
            at = (y, x + len(texts)) if text.isascii() or all(len(each) == 1 for each in texts) else (-1, -1)

    def _way(self, pen: Pen, y: int, start: int, stop: int, waiting: set[int]) -> str:
        """From one cell of a row to another: by a jump, or over cells that look the same or are written later."""
        jump = f"\x1b[{stop - start}C" if stop - start > 1 else "\x1b[C"
        if stop - start > _NEAR:
            return jump
        over = ""
        for x in range(start, stop):
            text, own = self._rows[y][x] or ("", PLAIN)
            if len(text) != 1 or width(text) != 1:
                return jump
            if x in waiting:
                text = " "
            elif not _suits(pen, text, own):
                return jump
            over += text
        return over if len(over.encode()) <= len(jump) else jump


@lru_cache(maxsize=16384)
def text_cells(text: str, pen: Pen) -> tuple[Cell, ...]:
    """The cells of a cleaned text. Of a blank's pen only what is seen of it is kept."""
    blank = Pen(ground=pen.ground) if pen.hides_ink else pen
    if text.isascii():
        return tuple([(character, blank if character == " " else pen) for character in text])
    cells: list[Cell] = []
    for cluster in clusters(text):
        cells.append((cluster, blank if cluster == " " else pen))
        cells += [("", pen)] * (width(cluster) - 1)
    return tuple(cells)


def cut_cells(cells: list[Cell], start: int, stop: int) -> list[Cell]:
    """Cells of a row from a column up to another; what is inside of a wide character cut in two is a space."""
    part = cells[start:stop]
    if part and _is_half(part[0]):
        part[0] = (" ", part[0][1])
    if stop < len(cells) and part and _is_half(cells[stop]):
        part[-1] = (" ", part[-1][1])
    return part


def _is_half(cell: Cell | None) -> bool:
    return cell is not None and not cell[0]


def _make_whole(row: list[Cell | None], changed_columns: set[int]) -> None:
    """Wide characters are written as a whole, whichever half has changed."""
    for x in tuple(changed_columns):
        if _is_half(row[x]):
            changed_columns.add(x - 1)
        elif x + 1 < len(row) and _is_half(row[x + 1]):
            changed_columns.add(x + 1)


def _suits(pen: Pen, text: str, own: Pen) -> bool:
    """Whether a character may be written with a pen instead of its own, and looks the same."""
    return pen == own or (text == " " and not own.attributes and pen.ground == own.ground and pen.hides_ink)


def _turn_edges(groups: dict[Pen, list[Stretch]]) -> None:
    """Have the edges between two colours written in one pen, whichever of the two is the ink."""
    for pen in sorted(groups):
        other = turn_pen(pen)
        if other is None or other not in groups or pen not in groups:
            continue
        first, second = _others(groups[pen]), _others(groups[other])
        source, target, rest = (pen, other, first) if len(first) <= len(second) else (other, pen, second)
        edges = [stretch for stretch in groups[source] if EDGES.issuperset(stretch[2])]
        groups[target] += [(y, x, tuple(map(turn_edges, texts))) for y, x, texts in edges]
        groups[source] = rest
        if not rest:
            del groups[source]


def _others(stretches: list[Stretch]) -> list[Stretch]:
    """Those that are not edges alone."""
    return [stretch for stretch in stretches if not EDGES.issuperset(stretch[2])]


def _is_blank(pen: Pen, stretch: Stretch) -> bool:
    return not pen.attributes and set(stretch[2]) == {" "}
