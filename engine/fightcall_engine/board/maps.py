"""Boards drawn as text: maps with one symbol for each cell, and floor plans of zones.

    . . ~ . T
     . . ~ . .

White space is ignored on a map, so symbols may be spaced and the odd rows of hexes indented to look like it.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from itertools import product
from typing import Generic

from fightcall_engine.board.base import OPEN, P, Terrain, is_symbol
from fightcall_engine.board.kinds import MAX_SIDE, GridBoard
from fightcall_engine.board.zones import MAX_PLAN, Border, Zone, ZoneBoard, touching
from fightcall_engine.model.values import frozen, replace

NOTHING = (" ", ".")
"""Cells of a plan that belong to no zone."""
SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@frozen
class MapProblem:
    """A fault of a map and its line and column, from 1; line 0 is the legend."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}" if self.line else "legend"
        return f"{where}: {self.message}"


class MapError(ValueError):
    """A drawn map that cannot be read; `problems` has all its faults."""

    def __init__(self, problems: tuple[MapProblem, ...]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems


@frozen
class MapReading(Generic[P]):
    """A map that was read.

    Attributes:
        board: the board; its legend holds every terrain of the symbols, drawn or not.
        places: the cells of each place symbol, row by row; perhaps none.
    """

    board: GridBoard[P]
    places: dict[str, tuple[P, ...]]


@frozen
class _Row:
    """One line of the drawing that has symbols on it."""

    line: int
    marks: tuple[tuple[int, str], ...]
    """Column (from 1) and symbol of each cell."""


def read_map(
    kind: type[GridBoard[P]],
    text: str,
    symbols: Mapping[str, Terrain | None],
    places: Collection[str] = (),
    *,
    scale: float = 5.0,
    unit: str = "ft",
) -> MapReading[P]:
    """Read a drawn map.

    Args:
        kind: the class of the board, by the shape of its cells.
        text: the drawing; blank lines are ignored.
        symbols: the ground each symbol stands for, None for open ground. `.` is always open ground.
        places: symbols that mark where combatants start, on open ground.

    Raises:
        MapError: with all faults at once: in the legend, unknown symbols, ragged rows, an empty map.
        ValueError: `scale` or `unit` is invalid.
    """
    rows = _rows_of(text)
    problems = [*_legend_problems(symbols, places), *_shape_problems(rows, kind.words[1])]
    problems += _unknown_symbols(rows, symbols, places)
    if problems:
        raise MapError(tuple(sorted(problems, key=lambda problem: (problem.line, problem.column))))
    bare = kind(len(rows[0].marks), len(rows), scale=scale, unit=unit)
    terrain: dict[P, str] = {}
    cells_of: dict[str, list[P]] = {symbol: [] for symbol in places}
    for y, row in enumerate(rows):
        for x, (_, symbol) in enumerate(row.marks):
            ground = symbols.get(symbol)
            if ground is not None:
                terrain[bare.at(x, y)] = ground.name
            elif symbol in cells_of:
                cells_of[symbol].append(bare.at(x, y))
    legend = {ground.name: ground for ground in symbols.values() if ground is not None and ground != OPEN}
    board = replace(bare, terrain=terrain, legend=legend)
    return MapReading(board, {symbol: tuple(cells) for symbol, cells in cells_of.items()})


def draw_map(
    board: GridBoard[P],
    symbols: Mapping[str, Terrain | None] | None = None,
    places: Mapping[str, Collection[P]] | None = None,
) -> str:
    """Draw a board as text that `read_map` reads back with the same symbols.

    Without `symbols` each terrain is drawn by its own glyph. `places` are symbols to put on open ground. Raises
    MapError: two terrains share a symbol, one has none, or a place is off the map or not on open ground.
    """
    places = places or {}
    problems: list[MapProblem] = []
    if symbols is None:
        name_of = {OPEN.glyph: OPEN.name}
        for name, ground in board.legend.items():
            if (other := name_of.setdefault(ground.glyph, name)) != name:
                problems.append(_in_legend(f"{name!r} and {other!r} share the symbol {ground.glyph!r}"))
        symbols = {ground.glyph: ground for ground in board.legend.values()}
    problems += _legend_problems(symbols, places)
    symbol_of = {ground: symbol for symbol, ground in symbols.items()}
    nameless = sorted({name for name in board.terrain.values() if board.legend[name] not in symbol_of})
    problems += (_in_legend(f"terrain {name!r} has no symbol") for name in nameless)
    if problems:
        raise MapError(tuple(problems))
    symbol_at = {place: symbol_of[board.legend[name]] for place, name in board.terrain.items()}
    for symbol, cells in places.items():
        for place in cells:
            if place in symbol_at or not board.contains(place):
                problems.append(_in_legend(f"{symbol!r} at {board.name_of(place)} must be on open ground on the map"))
            symbol_at[place] = symbol
    if problems:
        raise MapError(tuple(problems))
    lines = []
    for row in range(board.rows):
        marks = (symbol_at.get(board.at(col, row), OPEN.glyph) for col in range(board.cols))
        lines.append(" " * (board.shift * (row % 2)) + " ".join(marks))
    return "\n".join(lines)


def redraw_map(text: str, changes: Mapping[tuple[int, int], str]) -> str:
    """Return a drawing with changed symbols, each given by its column and row from 0."""
    lines = text.split("\n")
    for number, row in enumerate(_rows_of(text)):
        line = list(lines[row.line - 1])
        for col, (column, _) in enumerate(row.marks):
            line[column - 1] = changes.get((col, number), line[column - 1])
        lines[row.line - 1] = "".join(line)
    return "\n".join(lines)


def _rows_of(text: str) -> list[_Row]:
    rows = []
    for line, content in enumerate(text.split("\n"), start=1):
        marks = tuple((column, mark) for column, mark in enumerate(content, start=1) if not mark.isspace())
        if marks:
            rows.append(_Row(line, marks))
    return rows


def _in_legend(message: str) -> MapProblem:
    return MapProblem(0, 0, message)


def _legend_problems(symbols: Mapping[str, Terrain | None], places: Collection[str]) -> list[MapProblem]:
    problems = [
        _in_legend(f"{symbol!r} isn't a symbol; a symbol is one visible character")
        for symbol in [*symbols, *places]
        if not is_symbol(symbol)
    ]
    if OPEN.glyph in places or symbols.get(OPEN.glyph) not in (None, OPEN):
        problems.append(_in_legend(f"{OPEN.glyph!r} always means open ground; use another symbol"))
    problems += [
        _in_legend(f"{symbol!r} means both terrain and a place; use another symbol for one")
        for symbol in places
        if symbol in symbols and symbol != OPEN.glyph
    ]
    by_name: dict[str, Terrain] = {OPEN.name: OPEN}
    for symbol, ground in symbols.items():
        if ground is not None and by_name.setdefault(ground.name, ground) != ground:
            problems.append(_in_legend(f"{symbol!r} defines {ground.name!r} again with other values; use another name"))
    return problems


def _shape_problems(rows: list[_Row], cells: str) -> list[MapProblem]:
    if not rows:
        return [MapProblem(1, 1, "the map is empty; draw at least one row, such as '. . .'")]
    width = Counter(len(row.marks) for row in rows).most_common(1)[0][0]
    problems = []
    for row in rows:
        count = len(row.marks)
        if count != width:
            column = row.marks[width][0] if count > width else row.marks[-1][0] + 1
            problems.append(MapProblem(row.line, column, f"row of {count} {cells}; the other rows have {width}"))
    if width > MAX_SIDE:
        problems.append(MapProblem(rows[0].line, 1, f"rows of {width} {cells}; at most {MAX_SIDE} fit"))
    if len(rows) > MAX_SIDE:
        problems.append(MapProblem(rows[MAX_SIDE].line, 1, f"{len(rows)} rows; at most {MAX_SIDE} fit"))
    return problems


def _unknown_symbols(
    rows: list[_Row], symbols: Mapping[str, Terrain | None], places: Collection[str]
) -> list[MapProblem]:
    accepts = dict.fromkeys([OPEN.glyph, *symbols, *places])
    found_at: dict[str, list[tuple[int, int]]] = {}
    for row in rows:
        for column, mark in row.marks:
            if mark not in accepts:
                found_at.setdefault(mark, []).append((row.line, column))
    problems = []
    for mark, [(line, column), *others] in found_at.items():
        times = f" ({1 + len(others)} times)" if others else ""
        problems.append(MapProblem(line, column, f"{mark!r}{times} means nothing; accepted: {' '.join(accepts)}"))
    return problems


# Floor plans drawn as text


@frozen
class Passage:
    """A passage or wall between two zones that differs from what the plan shows.

    Attributes:
        joined: whether one can pass; false for a wall between two that touch.
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
        drawn, rows, cols = set(places), [row for row, _ in places], [col for _, col in places]
        box = product(range(min(rows), max(rows) + 1), range(min(cols), max(cols) + 1))
        hole = next((cell for cell in box if cell not in drawn), None)
        if hole is not None:
            where = f"{zones[symbol][0]} isn't a filled rectangle: {symbol!r} is missing here"
            problems.append(MapProblem(blank_lines + hole[0] + 1, hole[1] + 1, where))
    missing = [f"{zones[symbol][0]} ({symbol})" for symbol in zones if symbol not in cells]
    if missing:
        problems.append(MapProblem(0, 0, f"not on the plan: {', '.join(missing)}; draw it, or leave the zone out"))
    return tuple(problems)


def _borders(zones: tuple[Zone, ...], passages: tuple[Passage, ...]) -> tuple[Border, ...]:
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
            is_door = border_between is not None and border_between.blocks_sight
            crossings.append(replace(border, blocks_sight=is_door))
    crossings += [Border(each.a, each.b, each.blocks_sight) for each in borders.values() if each.joined]
    return tuple(crossings)


def draw_plan(
    board: ZoneBoard, letters: Mapping[str, str] | None = None
) -> tuple[str, dict[str, Zone], tuple[Passage, ...]]:
    """Draw a board as text that `read_plan` reads back: the plan, each symbol's zone, and what the plan cannot show.

    `letters` are existing symbols of zones, by name.
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
    walls = (border for border in touching(board.zones) if frozenset(border) not in border_of)
    passages = [Passage(wall.a, wall.b, joined=False) for wall in walls]
    passages += [
        Passage(border.a, border.b, blocks_sight=border.blocks_sight)
        for pair, border in border_of.items()
        if border.blocks_sight or pair not in touching_pairs
    ]
    return "\n".join("".join(row).rstrip() for row in grid), symbols, tuple(passages)
