"""Floor plans drawn as text: each zone a rectangle of its symbol, those that touch joined."""

from collections.abc import Mapping

from fightcall_engine.board.base import Terrain
from fightcall_engine.board.maps import MapError, MapProblem
from fightcall_engine.board.zones import MAX_PLAN, Border, Zone, ZoneBoard, touching
from fightcall_engine.model.values import frozen

NOTHING = (" ", ".")
"""Cells of a plan that belong to no zone."""
SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@frozen
class Passage:
    """A passage or wall between two zones that differs from what the plan shows.

    Attributes:
        a: one of the zones, by name.
        b: the other one.
        joined: whether one can pass; false for a wall between two that touch.
        blocks_sight: whether it blocks sight.
    """

    a: str
    b: str
    joined: bool = True
    blocks_sight: bool = False


def read_plan(
    text: str,
    zones: Mapping[str, tuple[str, Terrain]],
    passages: tuple[Passage, ...] = (),
    *,
    scale: float = 30.0,
    unit: str = "ft",
) -> ZoneBoard:
    """Read a floor plan.

    Args:
        text: the drawing: each zone is a filled rectangle of its symbol; spaces and dots belong to none.
        zones: symbol -> the zone's name and its ground.
        passages: walls between zones that touch, doors, and passages between zones that do not.
        scale: units from one zone to the next.
        unit: the unit of `scale`.

    Raises:
        MapError: faults of the drawing, each with its line and column.
        ValueError: zones or passages that clash.
    """
    cells: dict[str, list[tuple[int, int]]] = {}
    lines = text.rstrip().split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    blank_lines = text.rstrip().count("\n") + 1 - len(lines)
    for row, line in enumerate(lines):
        for col, mark in enumerate(line.rstrip("\r")):
            if mark not in NOTHING:
                cells.setdefault(mark, []).append((row, col))
    problems = _plan_problems(lines, cells, zones, blank_lines)
    if problems:
        raise MapError(problems)
    left = min(col for places in cells.values() for _, col in places)
    zone_list = tuple(_zone(*zones[symbol], cells[symbol], left) for symbol in zones)
    return ZoneBoard(zone_list, _borders(zone_list, passages), scale, unit)


def _zone(name: str, ground: Terrain, cells: list[tuple[int, int]], left: int) -> Zone:
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    across, down = max(cols) - min(cols) + 1, max(rows) - min(rows) + 1
    return Zone(name, min(cols) - left, min(rows), across, down, ground)


def _plan_problems(
    lines: list[str],
    cells: Mapping[str, list[tuple[int, int]]],
    zones: Mapping[str, tuple[str, Terrain]],
    blank_lines: int,
) -> tuple[MapProblem, ...]:
    if not cells:
        return (MapProblem(1, 1, "the plan is empty; draw each zone as a rectangle of its symbol, such as 'HHH'"),)
    problems = []
    if len(lines) > MAX_PLAN or max(map(len, lines)) > MAX_PLAN:
        problems.append(
            MapProblem(blank_lines + 1, 1, f"the plan is too large; at most {MAX_PLAN} cells across and down")
        )
    for symbol, places in cells.items():
        row, col = places[0]
        if symbol not in zones:
            accepts = " ".join(zones) or "none yet: name them under [board.zones]"
            where = f"{symbol!r} isn't a zone; accepted: {accepts}"
            problems.append(MapProblem(blank_lines + row + 1, col + 1, where))
            continue
        hole = _first_gap(places)
        if hole is not None:
            where = f"{zones[symbol][0]} isn't a filled rectangle: {symbol!r} is missing here"
            problems.append(MapProblem(blank_lines + hole[0] + 1, hole[1] + 1, where))
    missing = [f"{zones[symbol][0]} ({symbol})" for symbol in zones if symbol not in cells]
    if missing:
        problems.append(MapProblem(0, 0, f"not on the plan: {', '.join(missing)}; draw it, or leave the zone out"))
    return tuple(problems)


def _first_gap(cells: list[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the first cell of the rectangle around these cells that is not one of them."""
    there = set(cells)
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    for row in range(min(rows), max(rows) + 1):
        for col in range(min(cols), max(cols) + 1):
            if (row, col) not in there:
                return row, col
    return None


def _borders(zones: tuple[Zone, ...], passages: tuple[Passage, ...]) -> tuple[Border, ...]:
    """Return the borders of zones that touch, without walls and with doors, then the other passages."""
    borders: dict[frozenset[str], Passage] = {}
    for passage in passages:
        pair = frozenset((passage.a, passage.b))
        if pair in borders:
            raise ValueError(f"{passage.a!r} and {passage.b!r} are joined twice; once is enough")
        borders[pair] = passage
    crossings = []
    for border in touching(zones):
        border_between = borders.pop(frozenset(border), None)
        if border_between is None or border_between.joined:
            crossings.append(
                border if border_between is None else Border(border.a, border.b, border_between.blocks_sight)
            )
    return (
        *crossings,
        *(Border(passage.a, passage.b, passage.blocks_sight) for passage in borders.values() if passage.joined),
    )


def draw_plan(
    board: ZoneBoard, letters: Mapping[str, str] | None = None
) -> tuple[str, dict[str, Zone], tuple[Passage, ...]]:
    """Draw a board as text that `read_plan` reads back: the plan, each symbol's zone, and what the plan cannot show.

    Args:
        board: the board to draw.
        letters: existing symbols of zones, by name.
    """
    symbols: dict[str, Zone] = {}
    used_symbols = {(letters or {}).get(zone.name, "") for zone in board.zones}
    for zone in board.zones:
        first = zone.name[0].upper()
        symbol = first if first in SYMBOLS and first not in {*symbols, *used_symbols} else ""
        symbol = (letters or {}).get(zone.name, symbol)
        symbols[symbol or next(mark for mark in SYMBOLS if mark not in {*symbols, *used_symbols})] = zone
    across = max(zone.col + zone.cols for zone in board.zones)
    down = max(zone.row + zone.rows for zone in board.zones)
    grid = [[" "] * across for _ in range(down)]
    for symbol, zone in symbols.items():
        for row in range(zone.row, zone.row + zone.rows):
            grid[row][zone.col : zone.col + zone.cols] = [symbol] * zone.cols
    touching_pairs = {frozenset(border) for border in touching(board.zones)}
    border_of = {frozenset(border): border for border in board.borders}
    passages = [
        Passage(border.a, border.b, joined=False)
        for border in touching(board.zones)
        if frozenset(border) not in border_of
    ]
    passages += [
        Passage(border.a, border.b, blocks_sight=border.blocks_sight)
        for pair, border in border_of.items()
        if border.blocks_sight or pair not in touching_pairs
    ]
    return "\n".join("".join(row).rstrip() for row in grid), symbols, tuple(passages)
