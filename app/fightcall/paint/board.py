"""The board of hexes or squares as rows of runs.

Each screen row is put together from the stencil's pieces: one look-up for the place behind, one for the place
that cuts into it, one run. A place is seen in its box alone, so a pane repaints the boxes of those that look different.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from fightcall.paint.geometry import (
    FAMILIES,
    HUGE,
    LARGE,
    MEDIUM,
    MIDDLE,
    OVERVIEW,
    SMALL,
    SQUARE_ZOOMS,
    ZOOMS,
    Coords,
    Stencil,
    Zoom,
    board_size,
    cell_to_place,
    pattern_size,
    place_centre,
    place_origin,
    spans_of_places,
    stencil,
)
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.looks import Looks
from fightcall.paint.runs import Row, Run, join, merge, width, window
from fightcall.paint.scenes import BoardScene, GroundCell, Token
from fightcall_engine.board.hexes import from_offset, place_name

__all__ = [
    "FAMILIES",
    "HUGE",
    "LARGE",
    "MEDIUM",
    "MIDDLE",
    "OVERVIEW",
    "SMALL",
    "SQUARE_ZOOMS",
    "ZOOMS",
    "BoardScene",
    "GroundCell",
    "Token",
    "Zoom",
    "board_size",
    "cell_to_place",
    "column_names",
    "paint_board",
    "paint_looks",
    "pattern_size",
    "place_centre",
    "place_origin",
    "repaint_places",
    "row_names",
]


def paint_board(
    scene: BoardScene, zoom: Zoom, x0: int, y0: int, width: int, height: int, glyphs: Glyphs
) -> tuple[Row, ...]:
    """A window of the board.

    Args:
        scene: What is on the board.
        zoom: How large places are drawn; of the family that the scene has.
        x0: Board column of the window's left edge, in cells; the map begins at 0, less is void.
        y0: Board row of the window's top edge, in cells.
        width: Cells across.
        height: Cells down.
        glyphs: Marks to draw with; their shape says whether places are filled or plain.

    Returns:
        `height` rows of exactly `width` cells, with style keys `ink/ground[+attribute...]`.
    """
    return paint_looks(Looks(scene, zoom, glyphs), zoom, x0, y0, width, height)


def paint_looks(looks: Looks, zoom: Zoom, x0: int, y0: int, width: int, height: int) -> tuple[Row, ...]:
    """The same from looks that are kept from one painting to the next."""
    pattern = stencil(zoom)
    return tuple(_row(looks, pattern, y, x0, width) for y in range(y0, y0 + height))


def repaint_places(
    looks: Looks, zoom: Zoom, rows: Sequence[Row], x0: int, y0: int, width: int, places: Iterable[Coords]
) -> tuple[Row, ...]:
    """The rows of a window with what shows some of these places painted anew."""
    pattern = stencil(zoom)
    new_rows = list(rows)
    for y, (left, right) in spans_of_places(zoom, places).items():
        if not 0 <= y - y0 < len(rows):
            continue
        # From the edge of one tile of the pattern to that of another, so that no word is cut.
        start = pattern.start[y % pattern.height]
        left = max(left - (left - start) % pattern.width, x0)
        right = min(right + (start - right) % pattern.width, x0 + width)
        if left < right:
            row, part = rows[y - y0], _row(looks, pattern, y, left, right - left)
            new_rows[y - y0] = join((window(row, 0, left - x0), part, window(row, right - x0, x0 + width - right)))
    return tuple(new_rows)


@lru_cache(maxsize=64)
def column_names(cols: int, rows: int, zoom: Zoom, x0: int, y0: int, width: int, height: int) -> str:
    """The letters of the columns over a window of a map, where the topmost row seen has them; not one too many."""
    rows_in_view = [r for r in range(rows) if y0 <= place_centre(zoom, 0, r)[1] < y0 + height]
    if not rows_in_view:
        return " " * width
    line, end = "", -1
    for col in range(cols):
        q, r = col - zoom.shift * (rows_in_view[0] // 2), rows_in_view[0]
        name = place_name(from_offset(col, 0)).rstrip("1")
        at = place_centre(zoom, q, r)[0] - x0 - 1
        if at > end and 0 <= at <= width - len(name):
            line = line.ljust(at) + name
            end = at + len(name)
    return line.ljust(width)


@lru_cache(maxsize=64)
def row_names(rows: int, zoom: Zoom, y0: int, height: int) -> tuple[str, ...]:
    """The number of the row of places whose middle each row of a window shows; empty where it is none's.

    Of squares it is the row in which labels stand.
    """
    text = zoom.text_rows[(len(zoom.text_rows) - 1) // 2]
    ys = (r * zoom.rows + text if not zoom.shift else place_centre(zoom, 0, r)[1] for r in range(rows))
    middles = {y - y0: str(r + 1) for r, y in enumerate(ys)}
    return tuple(middles.get(y, "") for y in range(height))


def _row(looks: Looks, pattern: Stencil, y: int, x0: int, width: int) -> Row:
    down = y // pattern.height
    line = y - down * pattern.height
    first = (x0 - pattern.start[line]) // pattern.width
    begins = first * pattern.width + pattern.start[line]
    last = first + (x0 + width - 1 - begins) // pattern.width
    runs: list[Run] = []
    shift = looks.zoom.shift
    across, r = -shift * down, (1 + shift) * down
    for tile in range(first, last + 1):
        if first < tile < last:
            _paint_tile(looks, pattern, line, tile + across, r, runs)
            continue
        edge: list[Run] = []
        _paint_tile(looks, pattern, line, tile + across, r, edge)
        at = tile * pattern.width + pattern.start[line]
        start, end = max(x0 - at, 0), min(x0 + width - at, pattern.width)
        runs += window(_without_halves(edge, (start, end)), start, end - start)
    return merge(runs)


_WORD = re.compile(r"[\w.]+")


def _without_halves(runs: Sequence[Run], cuts: tuple[int, int]) -> Row:
    """The runs, without numbers and words through which the edge of the window goes: half of one would be another."""
    row: list[Run] = []
    at = 0
    for run in runs:
        cells = width(run.text)
        # Marks of two cells hold no word.
        inside = [cut - at for cut in cuts if at < cut < at + cells] if cells == len(run.text) else []
        text = run.text
        for word in _WORD.finditer(run.text) if inside else ():
            if any(word.start() < cut < word.end() for cut in inside):
                text = f"{text[: word.start()]}{' ' * len(word[0])}{text[word.end() :]}"
        row.append(run._replace(text=text))
        at += cells
    return tuple(row)


def _paint_tile(looks: Looks, pattern: Stencil, line: int, q: int, r: int, runs: list[Run]) -> None:
    """Add one width of the pattern on one of its lines; (q, r) is the place its offsets count from."""
    for clear, edge, (ink_q, ink_r), (ground_q, ground_r), slot in pattern.pieces[line]:
        ground, lines = looks[q + ground_q, r + ground_r]
        text = lines[slot] if slot >= 0 else None
        if text is not None:
            runs += text
            clear = 0
            if not edge:
                continue
        if edge:
            ink = looks[q + ink_q, r + ink_r].fill
            cell_text = " " * clear + (edge if ink != ground else " " * len(edge))
            runs.append(Run(cell_text, f"{ink}/{ground}"))
        else:
            runs.append(Run(" " * clear, f"{ground}/{ground}"))
