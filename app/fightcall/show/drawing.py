"""Drawing a board as SVG, and the positions of combatants on it. One unit is a pixel at the original size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from math import ceil, cos, pi, sin, sqrt
from typing import TypeAlias

from fightcall.paint.scenes import ground_role
from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.kinds import AnyGrid, HexBoard, grid_board, zone_board
from fightcall_engine.board.zones import Zone, ZoneBoard
from fightcall_engine.model.values import frozen
from fightcall_engine.play.frames import Figure

Point: TypeAlias = tuple[float, float]

CELL = 40.0
"""The width of a cell."""
ZONE = (34.0, 58.0)
"""The width and height of a floor plan's cell."""
MARGIN = 22.0
"""The margin for the names of columns and rows."""
TOKEN = 15.0
"""The radius of a token."""


@frozen
class Drawing:
    """A drawn board.

    Attributes:
        width, height: the size of the drawing.
        ground: SVG elements with classes for colours, such as ``g-water``; names of places have the class ``place``.
    """

    width: float
    height: float
    ground: str


@lru_cache(maxsize=8)
def draw_board(board: AnyBoard) -> Drawing:
    """The ground of a board and the names of its places."""
    grid = grid_board(board)
    if grid is not None:
        return _draw_grid(grid)
    zones = zone_board(board)
    return Drawing(0.0, 0.0, "") if zones is None else _draw_zones(zones)


def place_figures(board: AnyBoard, figures: Iterable[Figure]) -> Mapping[str, Point]:
    """The positions of combatants on the board by id, side by side if they share a place."""
    by_place: dict[Location, list[Figure]] = {}
    for figure in figures:
        if figure.at is not None:
            by_place.setdefault(figure.at, []).append(figure)
    points: dict[str, Point] = {}
    for place, figures_there in by_place.items():
        for figure, point in zip(figures_there, _points(board, place, len(figures_there)), strict=True):
            points[figure.id] = _round_point(point)
    return points


def centre_of(board: AnyBoard, place: Location) -> Point:
    """The middle of a place."""
    grid = grid_board(board)
    if grid is not None:
        return _round_point(_cell_centre(grid, place))
    zone = _zone_called(board, place)
    return (0.0, 0.0) if zone is None else _round_point(_zone_centre(zone))


def facing_angle(board: AnyBoard, facing: int | None) -> float | None:
    """The direction of a facing in degrees, clockwise from the right; None if the board has no directions."""
    count = len(board.directions)
    return None if facing is None or not count else -360.0 * facing / count


# Grids


def _draw_grid(grid: AnyGrid) -> Drawing:
    roles = {name: ground_role(terrain) for name, terrain in grid.legend.items()}
    cells: dict[str, list[str]] = {}
    names = []
    for place in grid.places():
        role = roles.get(grid.terrain.get(place, ""), "grass")
        cells.setdefault(role, []).append(_outline(grid, place))
        column, row = grid.offset_of(place)
        if row == 0 or column == 0:
            names.append((place, column, row))
    paths = [f'<path class="ground g-{escape(role)}" d="{"".join(outlines)}"/>' for role, outlines in cells.items()]
    labels = [*_edge_names(grid, names)]
    width = (grid.cols + (0.5 if grid.shift and grid.rows > 1 else 0)) * CELL + 2 * MARGIN
    height = _top(grid, grid.rows - 1) + _half(grid) + MARGIN
    return Drawing(round(width, 1), round(height, 1), "".join((*paths, *labels)))


def _edge_names(grid: AnyGrid, edge: Iterable[tuple[Location, int, int]]) -> Iterator[str]:
    for place, column, row in edge:
        x, y = _cell_centre(grid, place)
        name = grid.name_of(place)
        letters = name.rstrip("0123456789")
        if row == 0:
            yield f'<text class="place" x="{x:.1f}" y="{y - _half(grid) - 6:.1f}">{escape(letters)}</text>'
        if column == 0:
            x, y, number = x - CELL / 2 - 9, y + 4, escape(name[len(letters) :])
            yield f'<text class="place" x="{x:.1f}" y="{y:.1f}">{number}</text>'


def _is_hexes(grid: AnyGrid) -> bool:
    return grid.kind == HexBoard.kind


def _half(grid: AnyGrid) -> float:
    """The distance from the centre of a cell to its top."""
    return CELL / sqrt(3) if _is_hexes(grid) else CELL / 2


def _top(grid: AnyGrid, row: int) -> float:
    """The vertical centre of a row."""
    step = 1.5 * _half(grid) if _is_hexes(grid) else CELL
    return MARGIN + _half(grid) + row * step


def _cell_centre(grid: AnyGrid, place: Location) -> Point:
    column, row = grid.offset_of(place)
    row_shift = 0.5 * (row % 2) if grid.shift else 0.0
    return MARGIN + (column + 0.5 + row_shift) * CELL, _top(grid, row)


def _outline(grid: AnyGrid, place: Location) -> str:
    x, y = _cell_centre(grid, place)
    half = _half(grid)
    if not _is_hexes(grid):
        return f"M{x - half:.1f} {y - half:.1f}h{CELL:.1f}v{CELL:.1f}h{-CELL:.1f}z"
    corners = ((x + half * sin(turn * pi / 3), y - half * cos(turn * pi / 3)) for turn in range(6))
    return "M" + "L".join(f"{cx:.1f} {cy:.1f}" for cx, cy in corners) + "z"


# Zones


def _draw_zones(board: ZoneBoard) -> Drawing:
    parts, right, bottom = [], 0.0, 0.0
    for zone in board.zones:
        x, y, width, height = _zone_box(zone)
        right, bottom = max(right, x + width), max(bottom, y + height)
        role = "floor" if zone.ground.name == "open" else ground_role(zone.ground)
        parts.append(
            f'<rect class="zone g-{escape(role)}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
            f'<text class="place zone" x="{x + 7:.1f}" y="{y + 16:.1f}">{escape(zone.name)}</text>'
        )
    return Drawing(round(right + MARGIN, 1), round(bottom + MARGIN, 1), "".join(parts))


def _zone_box(zone: Zone) -> tuple[float, float, float, float]:
    across, down = ZONE
    return MARGIN + zone.col * across, MARGIN + zone.row * down, zone.cols * across, zone.rows * down


def _zone_centre(zone: Zone) -> Point:
    x, y, width, height = _zone_box(zone)
    return x + width / 2, y + height / 2


def _zone_called(board: AnyBoard, place: Location) -> Zone | None:
    zones = zone_board(board)
    return None if zones is None else next((zone for zone in zones.zones if zone.name == place), None)


def _points(board: AnyBoard, place: Location, count: int) -> Iterator[Point]:
    """Positions for several combatants in a place: its centre, or rows of points."""
    zone = _zone_called(board, place)
    if zone is None:
        x, y = centre_of(board, place)
        spread = TOKEN * 0.6
        for index in range(count):
            yield x + (index - (count - 1) / 2) * spread, y
        return
    x, y, width, height = _zone_box(zone)
    across = max(1, min(count, int((width - 12) // (2 * TOKEN + 4)) or 1))
    rows = ceil(count / across)
    for index in range(count):
        column, row = index % across, index // across
        in_row = min(across, count - row * across)
        yield (
            x + width / 2 + (column - (in_row - 1) / 2) * (2 * TOKEN + 4),
            y + 19 + (height - 21) * (row + 0.5) / rows,
        )


def _round_point(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)
