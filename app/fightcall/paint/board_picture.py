"""A small picture of a whole board, without names at its edges."""

from __future__ import annotations

from fightcall.paint.board import paint_board
from fightcall.paint.geometry import FAMILIES, board_size, floor_plan
from fightcall.paint.glyphs import Glyphs
from fightcall.paint.runs import Row
from fightcall.paint.scenes import BoardScene, ZoneScene
from fightcall.paint.zones import paint_zones


def board_picture(scene: BoardScene | ZoneScene, cells: int, most_rows: int, glyphs: Glyphs) -> tuple[Row, ...]:
    """Return the board at the largest zoom at which it is seen whole; no rows if it has no room.

    Args:
        scene: What is on the board.
        cells: Cells across; a board that is narrower is centred.
        most_rows: The most rows it may have.
        glyphs: Marks to draw with.
    """
    if isinstance(scene, ZoneScene):
        plan = floor_plan(scene.board, cells, min(most_rows, cells // 3))
        across, down = plan.size
        fits = across <= cells and down <= most_rows
        return paint_zones(scene, plan, 0, 0, cells, down, glyphs).rows if fits else ()
    for zoom in reversed(FAMILIES[scene.shift]):
        across, down = board_size(zoom, scene.cols, scene.rows)
        if across <= cells and down <= most_rows:
            return paint_board(scene, zoom, -((cells - across) // 2), 0, cells, down, glyphs)
    return ()
