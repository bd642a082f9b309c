"""Where the places of a map are on the screen: hexes and squares, floor plans, and the room they need.

A cell has 2x2 quadrants and a block glyph for each way of giving them two colours. Every quadrant belongs to the hex
whose centre is nearest (pointy-top hexes, axial `q, r`, odd rows shifted right by half a hex). The pattern repeats
every `width` cells across and two hex rows down, so it is computed once per zoom and painting is a look-up.

Widths are even: then all corners fall between cells, no cell touches a third hex, and text sits in the middle of the
hexes of odd and even rows alike. The centre's height is chosen per zoom so that the slanted edges fall in equal
steps.

Squares (`column, row`) are the simple case: no row is shifted, no cell is shared, and the pattern is one square.
Everything that differs between the two follows from `Zoom.shift`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate, groupby, pairwise
from typing import Literal, NamedTuple

from fightcall.paint.runs import clean, name_forms, width
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.board.zones import Border, Zone, ZoneBoard
from fightcall_engine.model.values import frozen

Coords = tuple[int, int]
ZOOM_STEPS = (100, 150, 225)
"""The zoom levels of a plan, in per cent of the pane."""
_BESIDE_NAME = (7, 6, 4)
"""Cells of a box's first row besides the name: for letter, price and spaces; the last value is without a price."""
Point = tuple[int, int]
Passing = Literal["gap", "door"]
LEGIBLE = 6
"""The width of places from which labels, facings and costs have room side by side."""
FRAME = 2
LEAST_LANES = 12
"""The fewest rows of a timeline under the board, frame included."""


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
    """One cell of the pattern: the block glyph (a space where one place has it all), its place and that behind it.

    Places are offsets from that of the pattern's tile; a click on the cell means its `owner`, who has the larger part.
    """

    glyph: str
    ink: Coords
    ground: Coords
    owner: Coords


class Piece(NamedTuple):
    """Cells of one row with one ground and ink, places given as offsets.

    Attributes:
        clear: Cells that belong wholly to the ground's place.
        edge: Block glyphs after them, where the ink's place cuts into the ground's.
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
    """The pattern of one zoom, of `cells[y][x]`, which repeats after its width and height.

    Attributes:
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
    by_colour = groupby(around, key=lambda cell: (None if cell.glyph == " " else cell.ink, cell.ground))
    for (ink, ground), group in by_colour:
        glyphs = "".join(cell.glyph for cell in group)
        if ink is None:
            inside = y - ground[1] * zoom.rows
            slot = zoom.text_rows.index(inside) if inside in zoom.text_rows else -1
            pieces.append(Piece(len(glyphs), "", ground, ground, slot))
        elif pieces and not pieces[-1].edge and pieces[-1].ground == ground:
            pieces[-1] = pieces[-1]._replace(edge=glyphs, ink=ink)
        else:
            pieces.append(Piece(0, glyphs, ink, ground, -1))
    return start, tuple(pieces)


def _shift_left(cell: Cell) -> Cell:
    ink, ground, owner = ((q - 1, r) for q, r in cell[1:])
    return Cell(cell.glyph, ink, ground, owner)


@lru_cache(maxsize=sum(map(len, FAMILIES)))
def stencil(zoom: Zoom) -> Stencil:
    """The pattern of a zoom, worked out on first use."""
    width, height = zoom.width, (1 + zoom.shift) * zoom.rows
    make_cell = _plain if zoom == OVERVIEW or not zoom.shift else _cell
    cells = tuple(tuple(make_cell(zoom, x, y) for x in range(width)) for y in range(height))
    rows = [_row_pieces(zoom, row, y) for y, row in enumerate(cells)]
    starts, pieces = zip(*rows, strict=True)
    return Stencil(width, height, cells, starts, pieces, _slots(zoom, cells))


def _plain(zoom: Zoom, x: int, y: int) -> Cell:
    """A cell that one place has to itself: of a square, or of the overview, where a hex is two cells side by side."""
    row = y // zoom.rows
    coords = ((2 * x - zoom.shift * row * zoom.width) // (2 * zoom.width), row)
    return Cell(" ", coords, coords, coords)


def _slots(zoom: Zoom, cells: tuple[tuple[Cell, ...], ...]) -> tuple[Slot, ...]:
    slots = []
    for y in zoom.text_rows:
        clear = [x for x in range(zoom.width) if cells[y][x].glyph == " " and cells[y][x].owner == (0, 0)]
        slots.append(Slot(clear[0], y, len(clear)))
    return tuple(slots)


def cell_to_place(zoom: Zoom, x: int, y: int) -> Coords:
    """The place a cell of the board shows most of: what a click there means. Place (0, 0) begins at cell (0, 0)."""
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
    ends: dict[int, tuple[int, int]] = {}
    for q, r in places:
        first, last = ends.get(r, (q, q))
        ends[r] = (q if q < first else first, q if q > last else last)
    spans: dict[int, tuple[int, int]] = {}
    for r, (first, last) in ends.items():
        (start, top), stop = place_origin(zoom, first, r), place_origin(zoom, last, r)[0] + zoom.width
        for y in range(top, top + zoom.tall):
            left, right = spans.get(y, (start, stop))
            spans[y] = min(left, start), max(right, stop)
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


# The layout of a floor plan on the screen


LEAST_CELLS, LEAST_ROWS = 10, 2
"""The smallest inside of a box. A plan that is larger than the pane is scrolled."""
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8


@frozen
class Box:
    """One zone on the screen. Its edges are the cells of its walls, counted in the whole plan."""

    name: str
    left: int
    top: int
    right: int
    bottom: int

    @property
    def cells(self) -> int:
        return self.right - self.left - 1

    @property
    def rows(self) -> int:
        return self.bottom - self.top - 1

    def holds(self, x: int, y: int) -> bool:
        return self.left < x < self.right and self.top < y < self.bottom


@frozen
class FloorPlan:
    """A plan drawn at a size.

    Attributes:
        boxes: The zones, in the order of the board.
        walls: Where walls are, with the directions in which they lead on, added up.
        passages: The cells of walls where one can pass, with what is drawn there and between which zones.
        apart: For each zone the zones it is joined to without touching, with the border between them.
    """

    boxes: tuple[Box, ...]
    walls: dict[Point, int]
    passages: dict[Point, tuple[Passing, frozenset[str]]]
    apart: dict[str, tuple[tuple[str, Border], ...]]

    @property
    def size(self) -> tuple[int, int]:
        """Cells across and rows down, the outer walls included."""
        return max(box.right for box in self.boxes) + 1, max(box.bottom for box in self.boxes) + 1

    def box(self, name: str) -> Box | None:
        return next((box for box in self.boxes if box.name == name), None)

    def zone_at(self, x: int, y: int) -> str | None:
        """The zone inside whose walls a cell lies."""
        return next((box.name for box in self.boxes if box.holds(x, y)), None)


def floor_plan(board: ZoneBoard, cells: int, rows: int, zoom: int = 0) -> FloorPlan:
    """A plan that fits a pane, or a larger one if boxes would be too small, or `zoom` (of `ZOOM_STEPS`) asks for it."""
    return _floor_plan(board.zones, board.borders, cells * ZOOM_STEPS[zoom] // 100, rows * ZOOM_STEPS[zoom] // 100)


@lru_cache(maxsize=8)
def _floor_plan(zones: tuple[Zone, ...], borders: tuple[Border, ...], cells: int, rows: int) -> FloorPlan:
    across = _across(zones, cells - 1)
    down = _scale_edges([(zone.row, zone.row + zone.rows, LEAST_ROWS + 1) for zone in zones], rows - 1)
    boxes = tuple(
        Box(zone.name, across[zone.col], down[zone.row], across[zone.col + zone.cols], down[zone.row + zone.rows])
        for zone in zones
    )
    by_name = {box.name: box for box in boxes}
    passages: dict[Point, tuple[Passing, frozenset[str]]] = {}
    separate: dict[str, tuple[tuple[str, Border], ...]] = {}
    for border in borders:
        wall = _shared_wall(by_name[border.a], by_name[border.b])
        for cell in _find_opening(wall, door=border.blocks_sight):
            passages[cell] = ("door" if border.blocks_sight else "gap", frozenset(border))
        if not wall:
            separate[border.a] = (*separate.get(border.a, ()), (border.b, border))
            separate[border.b] = (*separate.get(border.b, ()), (border.a, border))
    return FloorPlan(boxes, _walls(boxes), passages, separate)


def _across(zones: tuple[Zone, ...], room: int) -> dict[int, int]:
    """The vertical edges, with room for every name if possible, else for its shortest form, else for letters."""
    names = [width(clean(zone.name)) for zone in zones]
    shortest = [min(map(width, name_forms(zone.name)), default=0) for zone in zones]
    wishes = [(cells, beside) for cells in (names, shortest) for beside in _BESIDE_NAME]
    for cells, beside in (*wishes, ([0] * len(zones), 0)):
        spans = [
            (zone.col, zone.col + zone.cols, max(LEAST_CELLS, name + beside) + 1)
            for zone, name in zip(zones, cells, strict=True)
        ]
        edges = _scale_edges(spans, room)
        if max(edges.values()) <= room:
            break
    return edges


def _scale_edges(spans: list[tuple[int, int, int]], room: int) -> dict[int, int]:
    """The screen positions of the plan's edges, so that every span has its minimum and all fill the room."""
    edges = sorted({edge for start, end, _ in spans for edge in (start, end)})
    first, whole = edges[0], max(1, edges[-1] - edges[0])
    at = {edge: (edge - first) * max(room, 0) // whole for edge in edges}
    sizes = {edge: at[after] - at[edge] for edge, after in pairwise(edges)}
    parts = {tuple(edge for edge in edges if start <= edge < end): 0 for start, end, _ in spans}
    for start, end, least in spans:
        part = tuple(edge for edge in edges if start <= edge < end)
        parts[part] = max(parts[part], least)
    for part, least in sorted(parts.items(), key=lambda item: len(item[0])):
        while sum(sizes[edge] for edge in part) < least:
            sizes[min(part, key=lambda edge: sizes[edge])] += 1
    _take_back(sizes, parts, sum(sizes.values()) - room)
    return dict(zip(edges, accumulate((sizes[edge] for edge in edges[:-1]), initial=0), strict=True))


def _take_back(sizes: dict[int, int], parts: dict[tuple[int, ...], int], too_much: int) -> None:
    while too_much > 0:
        spare = [
            edge
            for edge in sizes
            if sizes[edge] > 1
            and all(sum(sizes[item] for item in part) > least for part, least in parts.items() if edge in part)
        ]
        if not spare:
            return
        sizes[max(spare, key=lambda edge: sizes[edge])] -= 1
        too_much -= 1


def _shared_wall(a: Box, b: Box) -> tuple[Point, ...]:
    top, bottom = max(a.top, b.top), min(a.bottom, b.bottom)
    left, right = max(a.left, b.left), min(a.right, b.right)
    if a.right == b.left or b.right == a.left:
        x = a.right if a.right == b.left else b.right
        return tuple((x, y) for y in range(top + 1, bottom))
    if a.bottom == b.top or b.bottom == a.top:
        y = a.bottom if a.bottom == b.top else b.bottom
        return tuple((x, y) for x in range(left + 1, right))
    return ()


def _find_opening(wall: tuple[Point, ...], *, door: bool) -> tuple[Point, ...]:
    """The middle of a shared wall: a third of it, or one or two cells for a door."""
    if not wall:
        return ()
    level = wall[0][1] == wall[-1][1]
    most = (2 if level else 1) if door else (9 if level else 3)
    size = max(1, min(most, (len(wall) + 2) // 3))
    start = (len(wall) - size) // 2
    return wall[start : start + size]


def _walls(boxes: tuple[Box, ...]) -> dict[Point, int]:
    walls: dict[Point, int] = {}

    def lead(cell: Point, direction: int) -> None:
        walls[cell] = walls.get(cell, 0) | direction

    for box in boxes:
        for y in (box.top, box.bottom):
            for x in range(box.left, box.right):
                lead((x, y), EAST)
                lead((x + 1, y), WEST)
        for x in (box.left, box.right):
            for y in range(box.top, box.bottom):
                lead((x, y), SOUTH)
                lead((x, y + 1), NORTH)
    return walls


# How much room a map needs to be seen whole, and what the panes beside it leave to it


LEFT, TOP = 3, 1
"""The margins for the names of rows and columns."""
EDGES = ((LEFT, TOP), (0, TOP), (LEFT, 0), (0, 0))
"""The names at the edges give way before the map does, those of the columns last: they take one row."""
LEAST_WIDE, LEAST_HIGH = 30, 12
"""The smallest window with these margins."""


class Beside(NamedTuple):
    """The widths of the panes at both sides of the board; 0 for none."""

    roster: int
    feed: int


class WholeMap(NamedTuple):
    """A way to show a map whole: its margins for the names of rows and columns, and its size with them."""

    zoom: Zoom
    edges: tuple[int, int]
    size: tuple[int, int]


def whole_map(cols: int, rows: int, shift: int, cells: int, height: int, most: int = HUGE.width) -> WholeMap | None:
    """Find the largest zoom, at most `most` cells wide, at which a whole map fits; None if it fits at none.

    Names at the edges matter more than a larger zoom, except that all of them are worth less than labels.
    """
    edges = EDGES if cells >= LEAST_WIDE and height >= LEAST_HIGH else ((0, 0),)
    for zooms in (FAMILIES[shift][:0:-1], FAMILIES[shift][:1]):
        for left, top in edges:
            for zoom in zooms:
                across, down = board_size(zoom, cols, rows)
                if zoom.width <= most and across + left <= cells and down + top <= height:
                    return WholeMap(zoom, (left, top), (across + left, down + top))
    return None


def share_width(board: AnyBoard | None, cells: int, height: int, usual: Beside, least: Beside) -> Beside:
    """Return the widths beside the board, `usual` if that leaves room enough, at least `least`.

    The log gives way first, as far as the map needs room to be legible.
    """
    grid = grid_board(board)
    if grid is None:
        return usual
    room = cells - sum(usual) - FRAME
    whole = whole_map(grid.cols, grid.rows, grid.shift, room, height - FRAME)
    if whole is not None and whole.zoom.width >= LEGIBLE:
        return usual
    best = whole_map(grid.cols, grid.rows, grid.shift, cells - sum(least) - FRAME, height - FRAME, LEGIBLE)
    wanted = max(0, best.size[0] - room) if best is not None else 0
    from_feed = min(wanted, usual.feed - least.feed)
    return Beside(usual.roster - (wanted - from_feed), usual.feed - from_feed)


def legibility(board: AnyBoard | None, cells: int, height: int) -> int:
    """Return the width of places at which a framed board is seen whole; 0 if it has no room. A floor plan counts 1."""
    grid, zones = grid_board(board), zone_board(board)
    if grid is not None:
        whole = whole_map(grid.cols, grid.rows, grid.shift, cells - FRAME, height - FRAME)
        return whole.zoom.width if whole is not None else 0
    if zones is None:
        return 1
    across, down = floor_plan(zones, cells - FRAME, height - FRAME).size
    return int(across <= cells - FRAME and down <= height - FRAME)


def rows_under(board: AnyBoard | None, cells: int, height: int) -> int:
    """Return the rows for a timeline under the board: what a map that is seen whole leaves, at most half."""
    grid = grid_board(board)
    rows = height - FRAME - LEAST_LANES
    whole = whole_map(grid.cols, grid.rows, grid.shift, cells - FRAME, rows) if grid is not None else None
    taken = whole.size[1] if whole is not None else rows
    return min(height - FRAME - taken, height // 2)
