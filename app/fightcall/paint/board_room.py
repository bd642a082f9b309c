"""How much room a map needs to be seen whole, and what the panes beside it leave to it."""

from __future__ import annotations

from typing import NamedTuple

from fightcall.paint.floor_plan import floor_plan
from fightcall.paint.stencil import FAMILIES, HUGE, Zoom, board_size
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import grid_board, zone_board

LEFT, TOP = 3, 1
"""The margins for the names of rows and columns."""
EDGES = ((LEFT, TOP), (0, TOP), (LEFT, 0), (0, 0))
"""The names at the edges give way before the map does, those of the columns last: they take one row."""
LEAST_WIDE, LEAST_HIGH = 30, 12
"""The smallest window with these margins."""
LEGIBLE = 6
"""The width of places from which labels, facings and costs have room side by side."""
FRAME = 2
LEAST_LANES = 12
"""The fewest rows of a timeline under the board, frame included."""


class Beside(NamedTuple):
    """The widths of the panes at both sides of the board; 0 for none."""

    roster: int
    feed: int


class WholeMap(NamedTuple):
    """A way to show a map whole.

    Attributes:
        zoom: The zoom.
        edges: The margins for the names of rows and columns.
        size: The cells across and rows down of the map with its margins.
    """

    zoom: Zoom
    edges: tuple[int, int]
    size: tuple[int, int]


def whole_map(cols: int, rows: int, shift: int, cells: int, height: int, most: int = HUGE.width) -> WholeMap | None:
    """Find the largest zoom at which a whole map fits; None if it fits at none.

    Names at the edges matter more than a larger zoom, except that all of them are worth less than labels.

    Args:
        cols: Columns of places.
        rows: Rows of places.
        shift: See `Zoom.shift`.
        cells: The room across.
        height: The room down.
        most: The largest width of a place.
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
    """Return the widths beside the board. The log gives way first, as far as the map needs room to be legible.

    Args:
        board: The board; None for none.
        cells: The room across for the board and both panes.
        height: The room down.
        usual: The widths if that leaves room enough.
        least: The least widths.
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
