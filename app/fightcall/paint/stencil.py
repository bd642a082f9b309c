"""Hexagons and squares on a terminal: which place each quarter of each cell belongs to.

A cell has 2x2 quadrants and a block glyph for each way of giving them two colours. Every quadrant goes to the
hex whose centre is nearest (pointy-top hexes, axial `q, r`, odd rows shifted right by half a hex). The
pattern repeats every `width` cells across and two hex rows down, so it is worked out once per zoom and
painting is a look-up.

Widths are even: then all corners fall between cells, no cell touches a third hex, and text sits in the middle
of the hexes of odd and even rows alike. The centre's height is chosen per zoom so that the slanted edges fall
in equal steps.

Squares (`column, row`) are the simple case: no row is shifted, no cell is shared, and the pattern is one square. All
that differs between the two follows from `Zoom.shift`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

Coords = tuple[int, int]


class Zoom(NamedTuple):
    """How large a place is drawn.

    Attributes:
        width: Cells from one place to its neighbour across; even for hexes.
        rows: Cells from one row of places to the next.
        centre: Height of a place's centre under its first row, in quarters of a cell.
        tall: Rows a place touches, the shared ones at both ends included.
        text_rows: The rows of a place, counted from its first, that have room for text.
        shift: How many half places each row lies further right than the one above: 1 for hexes, 0 for squares.
    """

    width: int
    rows: int
    centre: int
    tall: int
    text_rows: tuple[int, ...]
    shift: int = 1


OVERVIEW = Zoom(2, 1, 2, 1, (0,))
SMALL = Zoom(4, 2, 7, 3, (1, 2))
MIDDLE = Zoom(6, 3, 7, 4, (1, 2))
MEDIUM = Zoom(8, 3, 8, 4, (1, 2))
LARGE = Zoom(10, 4, 10, 5, (1, 2, 3))
HUGE = Zoom(12, 5, 13, 7, (2, 3, 4))
ZOOMS = (OVERVIEW, SMALL, MIDDLE, MEDIUM, LARGE, HUGE)
SQUARE_ZOOMS = (
    Zoom(2, 1, 2, 1, (0,), 0),
    Zoom(3, 2, 4, 2, (0, 1), 0),
    Zoom(4, 2, 4, 2, (0, 1), 0),
    Zoom(6, 3, 6, 3, (0, 1, 2), 0),
    Zoom(8, 4, 8, 4, (1, 2), 0),
    Zoom(10, 5, 10, 5, (1, 2, 3), 0),
)
FAMILIES = (SQUARE_ZOOMS, ZOOMS)
"""The zooms by `Zoom.shift`, from the farthest to the nearest."""

# Index: bits of the quadrants that show the ink: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"


class Cell(NamedTuple):
    """One cell of the pattern; hexes are offsets from the place of the pattern's tile.

    Attributes:
        glyph: The block glyph; a space where one place has the whole cell.
        ink: The place the glyph draws.
        ground: The place behind the glyph.
        owner: The place with the larger part: what a click on the cell means.
    """

    glyph: str
    ink: Coords
    ground: Coords
    owner: Coords


class Piece(NamedTuple):
    """Cells of one row with one ground and ink: a clear stretch of the ground's place, then edge glyphs.

    Attributes:
        clear: Cells that belong wholly to the ground's place.
        edge: Block glyphs after them, where the ink's place cuts into the ground's.
        ink: The ink's place, as an offset.
        ground: The ground's place, as an offset.
        slot: Which text row of the ground's place the clear cells are, or -1.
    """

    clear: int
    edge: str
    ink: Coords
    ground: Coords
    slot: int


class Slot(NamedTuple):
    """Room for text inside a place, from the top left of its box."""

    x: int
    y: int
    cells: int


class Stencil(NamedTuple):
    """The repeating pattern of one zoom.

    Attributes:
        width: Cells across until it repeats.
        height: Cells down until it repeats.
        cells: `cells[y][x]`.
        start: Where each row's first piece begins, at or left of the tile.
        pieces: Each row as pieces, together exactly `width` cells.
        slots: The text rows of a place.
    """

    width: int
    height: int
    cells: tuple[tuple[Cell, ...], ...]
    start: tuple[int, ...]
    pieces: tuple[tuple[Piece, ...], ...]
    slots: tuple[Slot, ...]


def _nearest(zoom: Zoom, x: int, y: int) -> Coords:
    """The hex nearest to a point given in quarters of a cell; on a tie the upper one.

    Distances are whole numbers: squared, times 4 (width * rows)², with hex rows √3/2 of a hex width apart.
    """
    row, column = (y - zoom.centre) // (4 * zoom.rows), x // (4 * zoom.width)
    candidates = []
    for r in range(row - 1, row + 3):
        down = y - (r * 4 * zoom.rows + zoom.centre)
        for q in range(column - (r + 1) // 2 - 1, column - r // 2 + 2):
            across = x - (4 * q + 2 * r + 2) * zoom.width
            distance = 4 * (across * zoom.rows) ** 2 + 3 * (down * zoom.width) ** 2
            candidates.append((distance, r, q))
    _, r, q = min(candidates)
    return q, r


def _cell(zoom: Zoom, x: int, y: int) -> Cell:
    quadrants = [_nearest(zoom, 4 * x + right, 4 * y + low) for low, right in ((1, 1), (1, 3), (3, 1), (3, 3))]
    by_share = sorted(set(quadrants), key=lambda coords: (-quadrants.count(coords), coords))
    if len(by_share) == 1:
        return Cell(" ", by_share[0], by_share[0], by_share[0])
    ground, ink = by_share[0], by_share[1]
    bits = sum(1 << index for index, coords in enumerate(quadrants) if coords == ink)
    return Cell(QUADRANTS[bits], ink, ground, ground)


def _swap_grounds(cell: Cell, ground: Coords) -> Cell:
    """The same cell upon the given ground, where that is one of its two places: fewer changes of colour."""
    if cell.glyph == " " or cell.ground == ground or cell.ink != ground:
        return cell
    opposite = QUADRANTS[15 - QUADRANTS.index(cell.glyph)]
    return Cell(opposite, cell.ground, ground, cell.owner)


def _row_pieces(zoom: Zoom, row: tuple[Cell, ...], y: int) -> tuple[int, tuple[Piece, ...]]:
    """One row as pieces, rotated so that it starts with a clear stretch."""
    size = len(row)
    before = (_shift_left(row[-1]), *row[:-1])
    start = next(x for x in range(size) if row[x].glyph == " " and before[x] != row[x])
    start = start if start == 0 else start - size
    around: list[Cell] = []
    for x in range(start, start + size):
        cell = _shift_left(row[x]) if x < 0 else row[x]
        around.append(_swap_grounds(cell, around[-1].ground) if around else cell)
    q, r = around[0].ground
    after = (q + 1, r)
    for at in range(size - 1, 0, -1):
        # What cannot go on the ground before goes on the one after: then the ink before mostly stays.
        if around[at].ground != around[at - 1].ground:
            around[at] = _swap_grounds(around[at], after)
        after = around[at].ground
    pieces: list[Piece] = []
    for (ink, ground), group in groupby(around, key=_colours):
        glyphs = "".join(cell.glyph for cell in group)
        if ink is None:
            pieces.append(Piece(len(glyphs), "", ground, ground, _slot_at(zoom, ground, y)))
        elif pieces and not pieces[-1].edge and pieces[-1].ground == ground:
            pieces[-1] = pieces[-1]._replace(edge=glyphs, ink=ink)
        else:
            pieces.append(Piece(0, glyphs, ink, ground, -1))
    return start, tuple(pieces)


def _colours(cell: Cell) -> tuple[Coords | None, Coords]:
    """What a run of cells has in common; a clear cell has no ink."""
    return (None if cell.glyph == " " else cell.ink), cell.ground


def _shift_left(cell: Cell) -> Cell:
    """The same cell one tile to the left."""
    ink, ground, owner = ((q - 1, r) for q, r in cell[1:])
    return Cell(cell.glyph, ink, ground, owner)


def _slot_at(zoom: Zoom, coords: Coords, y: int) -> int:
    inside = y - coords[1] * zoom.rows
    return zoom.text_rows.index(inside) if inside in zoom.text_rows else -1


@lru_cache(maxsize=sum(map(len, FAMILIES)))
def stencil(zoom: Zoom) -> Stencil:
    """The pattern of a zoom, worked out on first use."""
    width, height = zoom.width, (1 + zoom.shift) * zoom.rows
    if zoom == OVERVIEW or not zoom.shift:
        cells = tuple(tuple(_plain(zoom, x, y) for x in range(width)) for y in range(height))
    else:
        cells = tuple(tuple(_cell(zoom, x, y) for x in range(width)) for y in range(height))
    rows = [_row_pieces(zoom, row, y) for y, row in enumerate(cells)]
    return Stencil(
        width,
        height,
        cells,
        tuple(start for start, _ in rows),
        tuple(pieces for _, pieces in rows),
        _slots(zoom, cells),
    )


def _plain(zoom: Zoom, x: int, y: int) -> Cell:
    """A cell that one place has to itself: of a square, or of the overview, where a hex is two cells side by side."""
    row = y // zoom.rows
    coords = ((2 * x - zoom.shift * row * zoom.width) // (2 * zoom.width), row)
    return Cell(" ", coords, coords, coords)


def _slots(zoom: Zoom, cells: tuple[tuple[Cell, ...], ...]) -> tuple[Slot, ...]:
    """The clear cells of each text row of the place (0, 0)."""
    slots = []
    for y in zoom.text_rows:
        clear = [x for x in range(zoom.width) if cells[y][x].glyph == " " and cells[y][x].owner == (0, 0)]
        slots.append(Slot(clear[0], y, len(clear)))
    return tuple(slots)


def cell_to_place(zoom: Zoom, x: int, y: int) -> Coords:
    """The place a cell of the board shows most of: what a click there means.

    Args:
        zoom: The zoom the board is drawn at.
        x: Cells from the board's left edge (place (0, 0) starts at 0); may be negative.
        y: Cells from the board's top edge.
    """
    pattern = stencil(zoom)
    across, down = x // pattern.width, y // pattern.height
    owner = pattern.cells[y - down * pattern.height][x - across * pattern.width].owner
    return across - zoom.shift * down + owner[0], (1 + zoom.shift) * down + owner[1]


def place_origin(zoom: Zoom, q: int, r: int) -> tuple[int, int]:
    """The top left cell (x, y) of the box around a place; the box is `zoom.width` by `zoom.tall` cells."""
    return (2 * q + zoom.shift * r) * zoom.width // 2, r * zoom.rows


def place_centre(zoom: Zoom, q: int, r: int) -> tuple[int, int]:
    """The cell (x, y) right and below of a place's centre: what to scroll to."""
    x, y = place_origin(zoom, q, r)
    return x + zoom.width // 2, y + zoom.centre // 4


def spans_of_places(zoom: Zoom, places: Iterable[Coords]) -> dict[int, tuple[int, int]]:
    """What to repaint when places change: by board row the first cell in their boxes, and one past the last."""
    spans: dict[int, tuple[int, int]] = {}
    for place in places:
        x, top = place_origin(zoom, *place)
        for y in range(top, top + zoom.tall):
            left, right = spans.get(y, (x, x + zoom.width))
            spans[y] = min(left, x), max(right, x + zoom.width)
    return spans


def shade_of(zoom: Zoom, at: Coords) -> int:
    """Which of three shades a place is filled with, so that no neighbour across an edge has the same."""
    return (at[0] - at[1]) % 3 if zoom.shift else (at[0] + at[1]) % 2


def pattern_size(zoom: Zoom) -> tuple[int, int]:
    """Cells (width, height) after which bare ground looks the same again, shades included; see `shade_of`."""
    return (3 if zoom.shift else 2) * zoom.width, 2 * zoom.rows


def board_size(zoom: Zoom, cols: int, rows: int) -> tuple[int, int]:
    """Cells (width, height) that hold a map of so many columns and rows of places."""
    return cols * zoom.width + (zoom.shift * zoom.width // 2 if rows > 1 else 0), (rows - 1) * zoom.rows + zoom.tall
