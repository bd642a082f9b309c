"""The layout of a floor plan on the screen: boxes with shared walls, and the gaps and doors in them."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from fightcall.paint.runs import clean, name_forms, width
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.board.zones import Border, Zone, ZoneBoard

LEAST_CELLS, LEAST_ROWS = 10, 2
"""The smallest inside of a box. A plan that is larger than the pane is scrolled."""
ZOOM_STEPS = (100, 150, 225)
"""The zoom levels of a plan, in per cent of the pane."""
_BESIDE_NAME = (7, 6, 4)
"""Cells of a box's first row besides the name: for letter, price and spaces; the last value is without a price."""
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
Cell = tuple[int, int]
Passing = Literal["gap", "door"]


@frozen
class Box:
    """One zone on the screen. Its walls are the cells of its edges.

    Attributes:
        left, top, right, bottom: Cells of its walls, in cells of the whole plan.
    """

    name: str
    left: int
    top: int
    right: int
    bottom: int

    @property
    def cells(self) -> int:
        """Cells across inside."""
        return self.right - self.left - 1

    @property
    def rows(self) -> int:
        """Rows down inside."""
        return self.bottom - self.top - 1

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell lies inside."""
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
    walls: dict[Cell, int]
    passages: dict[Cell, tuple[Passing, frozenset[str]]]
    apart: dict[str, tuple[tuple[str, Border], ...]]

    @property
    def size(self) -> tuple[int, int]:
        """Cells across and rows down, the outer walls included."""
        return max(box.right for box in self.boxes) + 1, max(box.bottom for box in self.boxes) + 1

    def box(self, name: str) -> Box | None:
        """The box of a zone."""
        return next((box for box in self.boxes if box.name == name), None)

    def zone_at(self, x: int, y: int) -> str | None:
        """The zone inside whose walls a cell lies."""
        return next((box.name for box in self.boxes if box.holds(x, y)), None)


def floor_plan(board: ZoneBoard, cells: int, rows: int, zoom: int = 0) -> FloorPlan:
    """A plan that fits a pane, or a larger one if boxes would be too small, or `zoom` asks for it.

    Args:
        board: The zones and their borders.
        cells: Cells across of the pane.
        rows: Rows down of the pane.
        zoom: How far the GM has drawn near, an index of `ZOOM_STEPS`.
    """
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
    passages: dict[Cell, tuple[Passing, frozenset[str]]] = {}
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
    for cells, beside in wishes:
        edges = _scale_edges(
            [
                (zone.col, zone.col + zone.cols, max(LEAST_CELLS, name + beside) + 1)
                for zone, name in zip(zones, cells, strict=True)
            ],
            room,
        )
        if max(edges.values()) <= room:
            return edges
    return _scale_edges([(zone.col, zone.col + zone.cols, LEAST_CELLS + 1) for zone in zones], room)


def _scale_edges(spans: list[tuple[int, int, int]], room: int) -> dict[int, int]:
    """The screen positions of the plan's edges, so that every span has its minimum and all fill the room.

    Args:
        spans: From which edge to which on the plan, and how much that has to be on the screen.
        room: What there is.
    """
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
    new_edges, here = {first: 0}, 0
    for edge, after in pairwise(edges):
        here += sizes[edge]
        new_edges[after] = here
    return new_edges


def _take_back(sizes: dict[int, int], parts: dict[tuple[int, ...], int], too_much: int) -> None:
    """Shrink the largest stretches that can be smaller, until everything fits."""
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


def _shared_wall(a: Box, b: Box) -> tuple[Cell, ...]:
    """The cells of the wall between two boxes without its ends, in order; empty if they do not touch."""
    top, bottom = max(a.top, b.top), min(a.bottom, b.bottom)
    left, right = max(a.left, b.left), min(a.right, b.right)
    if a.right == b.left or b.right == a.left:
        x = a.right if a.right == b.left else b.right
        return tuple((x, y) for y in range(top + 1, bottom))
    if a.bottom == b.top or b.bottom == a.top:
        y = a.bottom if a.bottom == b.top else b.bottom
        return tuple((x, y) for x in range(left + 1, right))
    return ()


def _find_opening(wall: tuple[Cell, ...], *, door: bool) -> tuple[Cell, ...]:
    """The middle of a shared wall: a third of it, or one or two cells for a door."""
    if not wall:
        return ()
    level = wall[0][1] == wall[-1][1]
    most = (2 if level else 1) if door else (9 if level else 3)
    size = max(1, min(most, (len(wall) + 2) // 3))
    start = (len(wall) - size) // 2
    return wall[start : start + size]


def _walls(boxes: tuple[Box, ...]) -> dict[Cell, int]:
    walls: dict[Cell, int] = {}

    def lead(cell: Cell, direction: int) -> None:
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
