"""Drawing the painting screen: the legend, and a floor plan in letters. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import Drawing, pad, stack, wrap
from fightcall.paint.runs import Row, Run, clean, fit
from fightcall.paint.scenes import zone_keys

if TYPE_CHECKING:
    from fightcall.flows.easel import LegendLine
    from fightcall_engine.board.zones import ZoneBoard

_KEY = 6


def legend_rows(lines: Iterable[LegendLine], cells: int, height: int, glyphs: Glyphs) -> Drawing:
    """The legend with a key on each row; the selected one is marked."""
    rows: list[Row] = []
    for line in lines:
        style = "list.selected" if line.marked else "list"
        mark = glyphs.selected if line.marked else " "
        for number, text in enumerate(wrap(clean(line.text), max(8, cells - _KEY - 2))):
            head = f"{mark} {fit(line.key, _KEY)}" if not number else " " * (_KEY + 2)
            rows.append(pad((Run(head, style), Run(text, style)), cells, style))
    return Drawing(stack(rows, cells, height, "list"))


def plan_rows(
    board: ZoneBoard, at: tuple[int, int], corner: tuple[int, int] | None, cells: int, height: int
) -> Drawing:
    """A floor plan with each zone in its letter, two cells for each of the plan; below, the letters with their zones.

    Args:
        board: the plan.
        at: column and row of the cursor.
        corner: the marked corner of a zone that is being drawn.
        cells: cells across.
        height: rows down.
    """
    keys = zone_keys(tuple(zone.name for zone in board.zones))
    letters = {
        (col, row): keys[zone.name] or "#"
        for zone in board.zones
        for col in range(zone.col, zone.col + zone.cols)
        for row in range(zone.row, zone.row + zone.rows)
    }
    marked_cells = _box(at, corner or at)
    names = [Run(f"{keys[zone.name] or '#'} {clean(zone.name)}  ", "list.note") for zone in board.zones]
    room = max(1, height - 1)
    left, top = max(0, at[0] - cells // 2 + 1), max(0, at[1] - room + 1)
    rows: list[Row] = []
    for row in range(top, top + room):
        line = []
        for col in range(left, left + cells // 2):
            here = "prompt.cursor" if (col, row) == at else "list.selected" if (col, row) in marked_cells else "text"
            line.append(
                Run(letters.get((col, row), ".") * 2, here if (col, row) in letters or here != "text" else "dim")
            )
        rows.append(tuple(line))
    rows.append(pad(tuple(names), cells, "list"))
    return Drawing(stack(rows, cells, height, "text"))


def _box(first: tuple[int, int], last: tuple[int, int]) -> set[tuple[int, int]]:
    (left, right), (top, bottom) = sorted((first[0], last[0])), sorted((first[1], last[1]))
    return {(col, row) for col in range(left, right + 1) for row in range(top, bottom + 1)}
