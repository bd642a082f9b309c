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

from fightcall.paint.pens import PLAIN, Pen, change_pen
from fightcall.paint.runs import clusters, width

Cell = tuple[str, Pen]
"""A character with the marks on it, and how it is written; the right half of a wide one is empty."""

_NO_CELLS = re.compile(r"\x1b\[\?2026[hl]|\x07|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|(\x1b\[\d+;\d+H)")
"""The ends of a synchronized frame, the bell, what is said to the terminal (clipboard, title, pointer), and a move."""
_text_of = itemgetter(0)


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
        written = "".join(self._sequences())
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

    def _sequences(self) -> Iterator[str]:
        """The sequences that write the changed cells, pen by pen: a jump takes fewer bytes than a colour."""
        groups = self._by_pen()
        before = PLAIN
        for pen in sorted(groups, key=_ground_first):
            yield change_pen(before, pen)
            before, at = pen, (-1, -1)
            for y, x, text in groups[pen]:
                if at != (y, x):
                    yield self._way(pen, at, (y, x))
                yield text
                # After other than plain characters terminals differ in where they are.
                at = (y, x + 1) if text.isascii() or (len(text) == 1 and width(text) == 1) else (-1, -1)
        yield change_pen(before, PLAIN)

    def _way(self, pen: Pen, start: tuple[int, int], end: tuple[int, int]) -> str:
        """What brings the cursor from one cell to another: over a blank, such as between words, by writing it again."""
        (row, start_column), (y, x) = start, end
        if row != y:
            return f"\x1b[{y + 1};{x + 1}H"
        text, own = self._rows[y][start_column] or ("", PLAIN)
        return " " if x - start_column == 1 and text == " " and _suits(pen, own) else f"\x1b[{x - start_column}C"

    def _by_pen(self) -> dict[Pen, list[tuple[int, int, str]]]:
        """The changed cells by pen: row, column and character. A blank goes with the pen before it, if it may."""
        groups: dict[Pen, list[tuple[int, int, str]]] = {}
        for y in sorted(self._changed):
            row, columns = self._rows[y], self._changed[y]
            if y in self._with_halves:
                _make_whole(row, columns)
            pen = PLAIN
            for x in sorted(columns):
                cell = row[x]
                if cell is None or not cell[0]:
                    continue
                text, own = cell
                if own is not pen and not (text == " " and _suits(pen, own)):
                    pen = own
                if pen in groups:
                    groups[pen].append((y, x, text))
                else:
                    groups[pen] = [(y, x, text)]
        return groups


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


def _suits(pen: Pen, own: Pen) -> bool:
    """Whether a blank may be written with a pen instead of its own, and looks the same."""
    return pen == own or (not own.attributes and pen.ground == own.ground and pen.hides_ink)


def _ground_first(pen: Pen) -> tuple[str, str, tuple[str, ...]]:
    return pen.ground, pen.ink, pen.attributes
