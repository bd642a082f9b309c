"""Maps of equal cells: hexes or squares; and a fight's board of any kind."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import field
from math import hypot
from typing import ClassVar, Generic, Self, TypeAlias, cast

from fightcall_engine.board.base import (
    OPEN,
    AnyBoard,
    Cell,
    Hex,
    Location,
    P,
    Sight,
    Square,
    Terrain,
    as_mapping,
    as_number,
    as_object,
    as_text,
    as_whole,
)
from fightcall_engine.board.zones import ZoneBoard
from fightcall_engine.model.values import frozen, replace

MAX_SIDE = 500
"""The most columns or rows a map may have."""


@frozen
class GridBoard(ABC, Generic[P]):
    """A map of `cols` x `rows` cells.

    Attributes:
        directions: their names, by number, counter-clockwise from east.
        shift: the half cells by which every other row is shifted to the right.
        cols: cells in a row, 1 to `MAX_SIDE`.
        rows: rows of cells, 1 to `MAX_SIDE`.
        scale: units one cell stands for; 5 ft unless the GM says otherwise.
        terrain: the name of the ground of each cell that is not open.
        legend: the ground behind each name; `open` is known without it.

    Raises:
        ValueError: a size or the scale is out of range, terrain lies off the map or is not in the legend.
    """

    kind: ClassVar[str]
    cell: ClassVar[Cell]
    words: ClassVar[tuple[str, str]]
    directions: ClassVar[tuple[str, ...]]
    shift: ClassVar[int]
    holds_several: ClassVar[bool] = False

    cols: int
    rows: int
    scale: float = 5.0
    unit: str = "ft"
    terrain: Mapping[P, str] = field(default_factory=dict, hash=False)
    legend: Mapping[str, Terrain] = field(default_factory=dict, hash=False)
    _near: dict[P, tuple[P, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        as_whole(self.cols, "cols", 1, MAX_SIDE)
        as_whole(self.rows, "rows", 1, MAX_SIDE)
        as_text(self.unit, "unit")
        scale = as_number(self.scale, "scale")
        if scale <= 0:
            raise ValueError(f"scale must be more than 0, not {self.scale!r}")
        for key, ground in self.legend.items():
            if ground.name != key:
                raise ValueError(
                    f"legend key {key!r} holds terrain {ground.name!r}; the key must be the terrain's name"
                )
        if OPEN.name in self.legend:
            raise ValueError(f"the legend can't hold {OPEN.name!r}: it always means open ground; use another name")
        for place, name in self.terrain.items():
            if not self.contains(place):
                raise ValueError(f"terrain {name!r} at {self._off_map(place)}")
            if name != OPEN.name and name not in self.legend:
                accepts = ", ".join([OPEN.name, *self.legend])
                raise ValueError(f"{self.name_of(place)}: terrain {name!r} is not in the legend; accepted: {accepts}")
        terrain = {place: name for place, name in self.terrain.items() if name != OPEN.name}
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "legend", dict(self.legend))
        object.__setattr__(self, "terrain", terrain)

    # By the shape of the cells

    @abstractmethod
    def at(self, col: int, row: int) -> P:
        """Return the cell at a column and row, on the map or not."""

    @abstractmethod
    def offset_of(self, place: P) -> tuple[int, int]:
        """Return the column and row of a cell."""

    @classmethod
    @abstractmethod
    def place_called(cls, text: str) -> P:
        """Return the cell of this name, on a map or not; a ValueError says what a name looks like."""

    @abstractmethod
    def name_of(self, place: P) -> str:
        """Return the name of a cell, such as `F5`."""

    @abstractmethod
    def step(self, place: P, direction: int) -> P:
        """Return the cell one step away in a direction, on the map or not; ValueError for no such direction."""

    @abstractmethod
    def neighbours(self, place: P) -> tuple[P, ...]:
        """Return the cells on the map one step away, counter-clockwise from east."""

    @abstractmethod
    def distance(self, a: P, b: P) -> int:
        """Return the steps between two cells, whatever is between them."""

    @abstractmethod
    def length(self, a: P, b: P) -> float:
        """Return the distance of two cells in `unit`."""

    @abstractmethod
    def line(self, a: P, b: P) -> tuple[P, ...]:
        """Return the straight line from `a` to `b`, both included; it leaves the map only if they do."""

    @abstractmethod
    def corridor(self, a: P, b: P) -> tuple[tuple[P, ...], ...]:
        """Return the cells on that line, with both where it runs between two."""

    @abstractmethod
    def bearing(self, a: P, b: P) -> int | None:
        """Return the number of the direction from `a` to `b`; None for the same cell."""

    # For all shapes

    def extent(self) -> str:
        """Return the first and the last cell in words, such as `A1 to T15`."""
        return f"A1 to {self.name_of(self.at(self.cols - 1, self.rows - 1))}"

    def contains(self, place: P) -> bool:
        col, row = self.offset_of(place)
        return 0 <= col < self.cols and 0 <= row < self.rows

    def _off_map(self, place: P) -> str:
        return f"{self.name_of(place)} is not on the map, which has {self.extent()}"

    def places(self) -> tuple[P, ...]:
        return tuple(self.at(col, row) for row in range(self.rows) for col in range(self.cols))

    def apart(self, a: P, b: P) -> str:
        count = self.distance(a, b)
        return f"{count} {self.words[count != 1]}"

    def contact(self, a: P, b: P) -> bool:
        return self.distance(a, b) == 1

    def cost_of(self, place: P) -> int | None:
        name = self.terrain.get(place)
        if name is not None:
            ground = self.legend[name]
            return None if ground.blocks else ground.cost
        return OPEN.cost if self.contains(place) else None

    def terrain_at(self, place: P) -> Terrain:
        name = self.terrain.get(place)
        return OPEN if name is None else self.legend[name]

    def ground_called(self, name: str) -> Terrain | None:
        return OPEN if name == OPEN.name else self.legend.get(name)

    def with_ground(self, grounds: Mapping[P, Terrain]) -> Self:
        """Return the board with other ground on some places: one of a known name everywhere. ValueError off the map."""
        legend = {**self.legend, **{ground.name: ground for ground in grounds.values() if ground.name != OPEN.name}}
        terrain = {**self.terrain, **{place: ground.name for place, ground in grounds.items()}}
        # What was painted over everywhere goes from the legend; what never lay anywhere stays.
        gone = set(self.terrain.values()) - set(terrain.values())
        legend = {name: ground for name, ground in legend.items() if name not in gone}
        return replace(self, terrain=terrain, legend=legend)

    def sight(self, a: P, b: P) -> Sight[P]:
        """Return the line of sight from `a` to `b`, which any place in between can block.

        The two ends never block. Where the line runs exactly between two places it is blocked only if both block.
        It is symmetric: whoever can be seen can see.
        """
        corridor = self.corridor(a, b)
        blocking = (ways for ways in corridor[1:-1] if all(self.terrain_at(place).blocks_sight for place in ways))
        blocked_by = next((ways[0] for ways in blocking), None)
        cells = tuple(place for abreast in corridor for place in abreast)
        return Sight(clear=blocked_by is None, blocked_by=blocked_by, cells=cells)

    def sees(self, a: P, b: P) -> bool:
        return not any(ground.blocks_sight for ground in self.legend.values()) or self.sight(a, b).clear

    def parse(self, text: str) -> P:
        """Return the cell on this map that a GM typed; a ValueError says what would be accepted."""
        place = self.place_called(text)
        if not self.contains(place):
            raise ValueError(self._off_map(place))
        return place

    def to_json(self) -> dict[str, object]:
        """Return the board as plain JSON values; cells are listed by name under their terrain, row by row."""
        data: dict[str, object] = {"kind": self.kind, "cols": self.cols, "rows": self.rows}
        data |= {"scale": self.scale, "unit": self.unit}
        if self.legend:
            data["legend"] = {name: ground.to_json() for name, ground in self.legend.items()}
        if self.terrain:
            cells: dict[str, list[str]] = {}
            for place in sorted(self.terrain, key=lambda place: self.offset_of(place)[::-1]):
                cells.setdefault(self.terrain[place], []).append(self.name_of(place))
            data["cells"] = cells
        return data

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Return the board that `to_json` wrote: at least `kind`, `cols`, `rows`. ValueError for what is wrong."""
        optional = ("scale", "unit", "legend", "cells")
        data = as_object(value, f"{cls.kind} board", required=("kind", "cols", "rows"), optional=optional)
        if data["kind"] != cls.kind:
            raise ValueError(f"kind must be {cls.kind!r}, not {data['kind']!r}")
        terrains = as_mapping(data.get("legend", {}), "legend")
        legend = {key: Terrain.from_json(key, ground) for key, ground in terrains.items()}
        cells = cls._read_cells(data.get("cells", {}))
        if len({ground.name for ground in legend.values()}) < len(legend):
            raise ValueError("legend: two entries have the same name; each kind of ground needs its own")
        return cls(
            cols=as_whole(data["cols"], "cols", 1, MAX_SIDE),
            rows=as_whole(data["rows"], "rows", 1, MAX_SIDE),
            scale=as_number(data.get("scale", 5.0), "scale"),
            unit=as_text(data.get("unit", "ft"), "unit"),
            terrain={place: legend[key].name if key in legend else key for place, key in cells.items()},
            legend={ground.name: ground for ground in legend.values()},
        )

    @classmethod
    def _read_cells(cls, value: object) -> dict[P, str]:
        terrain: dict[P, str] = {}
        for name, places in as_mapping(value, "cells").items():
            if not isinstance(places, list):
                raise ValueError(f"cells of {name!r} must be a list of places such as F5, not {places!r}")
            for item in places:
                place = cls._place_of(item, f"a place of {name!r}")
                if place in terrain:
                    where = f"under {terrain[place]!r} and again under {name!r}"
                    raise ValueError(f"{item} is listed {where}; once is enough")
                terrain[place] = name
        return terrain

    @classmethod
    def _place_of(cls, value: object, what: str) -> P:
        if isinstance(value, list | tuple) and len(value) == 2 and all(type(number) is int for number in value):
            return cast(P, cls.cell(*value))
        return cls.place_called(as_text(value, what))


# The names of cells


_LETTERS = 26
_PLACE = re.compile(r"(-?)([A-Za-z]{1,6})(-?)([0-9]{1,9})")


def to_offset(place: Hex) -> tuple[int, int]:
    """Return (column, row) on a rectangular map, both from 0, odd rows pushed half a hex to the right."""
    return place.q + place.r // 2, place.r


def from_offset(col: int, row: int) -> Hex:
    """Return the hex at a column and row, both from 0."""
    return Hex(col - row // 2, row)


def place_name(place: Hex) -> str:
    """Return the name a GM reads and types: column letters, then the row from 1, as in `F5` or `AB12`.

    Left of column A the columns count away from the map as -A, -B...; above row 1 the rows count as -1,
    -2...: `-B3` is two columns left of the map, `F-1` one row above it.
    """
    col, row = to_offset(place)
    letters = _column_letters(col) if col >= 0 else f"-{_column_letters(-col - 1)}"
    return f"{letters}{row + 1 if row >= 0 else row}"


def parse_place(text: str) -> Hex:
    """Return the hex of this name, in any case; a ValueError says what a name looks like."""
    match = _PLACE.fullmatch(text.strip())
    number = int(match[4]) if match else 0
    if match is None or number == 0:
        raise ValueError(
            f"{text!r} isn't a place; a place is column letters and a row number from 1, such as F5 "
            "(-A5 is one column left of the map, F-1 one row above it)"
        )
    count = 0
    for letter in match[2].upper():
        count = count * _LETTERS + ord(letter) - ord("A") + 1
    return from_offset(-count if match[1] else count - 1, -number if match[3] else number - 1)


def _column_letters(index: int) -> str:
    letters, count = "", index + 1
    while count:
        count, digit = divmod(count - 1, _LETTERS)
        letters = chr(ord("A") + digit) + letters
    return letters


# Hexes


_HEX_STEPS: tuple[Hex, ...] = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))
"""The step to each neighbour, counter-clockwise from east."""


@frozen
class HexBoard(GridBoard[Hex]):
    """A map of `cols` x `rows` hexes that stand on a corner, odd rows pushed half a hex to the right.

    The definitions are those of Amit Patel's hexagonal grid guide (Red Blob Games). Everything is exact integer
    arithmetic, so that a line or a bearing comes out the same on every machine.
    """

    kind: ClassVar[str] = "hex"
    cell: ClassVar[type[Hex]] = Hex
    words: ClassVar[tuple[str, str]] = ("hex", "hexes")
    directions: ClassVar[tuple[str, ...]] = ("E", "NE", "NW", "W", "SW", "SE")
    shift: ClassVar[int] = 1

    at = staticmethod(from_offset)
    offset_of = staticmethod(to_offset)
    place_called = staticmethod(parse_place)
    name_of = staticmethod(place_name)

    def contains(self, place: Hex) -> bool:
        q, r = place
        return 0 <= r < self.rows and 0 <= q + r // 2 < self.cols

    def neighbours(self, place: Hex) -> tuple[Hex, ...]:
        near = self._near.get(place)
        if near is None:
            q, r = place
            # The test of `contains`, spelt out: the first walk over a map asks it of every edge.
            near = self._near[place] = tuple(
                Hex(q + dq, r + dr)
                for dq, dr in _HEX_STEPS
                if 0 <= r + dr < self.rows and 0 <= q + dq + (r + dr) // 2 < self.cols
            )
        return near

    def length(self, a: Hex, b: Hex) -> float:
        return self.distance(a, b) * self.scale

    def line(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        return tuple(abreast[0] for abreast in self.corridor(a, b))

    def corridor(self, a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
        """Return that line, one entry a step: two hexes where it runs exactly between two of the map.

        Sampled once per step, one cube coordinate moves by exactly one, so a sample can only fall inside a hex or on
        the middle of the edge between two. In that case the entry holds both, first the one lower on the map or, within
        a row, the one further east. The rule looks only at the point, so the way back is the same way reversed.
        """
        steps = self.distance(a, b)
        dq, dr = b.q - a.q, b.r - a.r
        if steps == 0:
            return ((a,),)
        ways: list[tuple[Hex, ...]] = []
        for i in range(steps + 1):
            if abs(dr) == steps:
                # It changes its row at each step: a tie lies between two hexes of one row.
                sideways, is_tie = _round_half_up(i * dq, steps)
                here, east, down = Hex(a.q + sideways, a.r + i * dr // steps), -1, 0
            else:
                # It crosses columns at each step: a tie lies between an upper and a lower hex.
                lower, is_tie = _round_half_up(i * dr, steps)
                is_level = abs(dq) == steps
                here = Hex(a.q + (i * dq // steps if is_level else i * (dq + dr) // steps - lower), a.r + lower)
                east, down = (0, -1) if is_level else (1, -1)
            ways_here = (here, Hex(here.q + east, here.r + down)) if is_tie else (here,)
            ways.append(tuple(filter(self.contains, ways_here)) or ways_here if is_tie else ways_here)
        return tuple(ways)

    @staticmethod
    def step(place: Hex, direction: int) -> Hex:
        if not 0 <= direction < len(_HEX_STEPS):
            raise ValueError(f"{direction} isn't a direction; accepted: 0 (E) to 5 (SE)")
        dq, dr = _HEX_STEPS[direction]
        return Hex(place.q + dq, place.r + dr)

    @staticmethod
    def distance(a: Hex, b: Hex) -> int:
        dq, dr = b[0] - a[0], b[1] - a[1]
        return max(abs(dq), abs(dr), abs(dq + dr))

    @staticmethod
    def bearing(a: Hex, b: Hex) -> int | None:
        """Return the direction (0 to 5) nearest to the way from `a` to `b`, or None when they are the same hex.

        Exactly between two directions the clockwise one wins, so that the bearing back is always the opposite one
        and turning the map turns the bearing.
        """
        dq, dr = b.q - a.q, b.r - a.r
        if dq == 0 and dr == 0:
            return None
        ds = -dq - dr
        nearness = [dq * e.q + dr * e.r + ds * (-e.q - e.r) for e in _HEX_STEPS]
        best = max(nearness)
        return next(d for d in range(6) if nearness[d] == best and nearness[d - 1] != best)


def _round_half_up(numerator: int, denominator: int) -> tuple[int, bool]:
    """Return the nearest whole number of a fraction (halves go up) and whether it was exactly a half."""
    whole, rest = divmod(2 * numerator + denominator, 2 * denominator)
    return whole, rest == 0


# Squares


_SQUARE_STEPS = ((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1))
"""The columns and rows to each neighbour, counter-clockwise from east: the octants 0 to 7."""


@frozen
class SquareBoard(GridBoard[Square]):
    """A map of `cols` x `rows` squares that touch along edges and at corners.

    A diagonal step counts as one, so that all eight squares around a figure are next to it, one in each of its Fields
    of Approach. Everything but lengths is exact integer arithmetic.
    """

    kind: ClassVar[str] = "square"
    cell: ClassVar[type[Square]] = Square
    words: ClassVar[tuple[str, str]] = ("square", "squares")
    directions: ClassVar[tuple[str, ...]] = ("E", "NE", "N", "NW", "W", "SW", "S", "SE")
    shift: ClassVar[int] = 0

    at = staticmethod(Square)

    def offset_of(self, place: Square) -> tuple[int, int]:
        return place.col, place.row

    def contains(self, place: Square) -> bool:
        col, row = place
        return 0 <= col < self.cols and 0 <= row < self.rows

    def neighbours(self, place: Square) -> tuple[Square, ...]:
        near = self._near.get(place)
        if near is None:
            around = (Square(place.col + east, place.row + down) for east, down in _SQUARE_STEPS)
            near = self._near[place] = tuple(filter(self.contains, around))
        return near

    def length(self, a: Square, b: Square) -> float:
        """Return the straight distance in `unit` from middle to middle, for ranged attacks."""
        return hypot(b.col - a.col, b.row - a.row) * self.scale

    @staticmethod
    def name_of(place: Square) -> str:
        return place_name(from_offset(*place))

    @staticmethod
    def place_called(text: str) -> Square:
        return Square(*to_offset(parse_place(text)))

    @staticmethod
    def step(place: Square, direction: int) -> Square:
        if not 0 <= direction < len(_SQUARE_STEPS):
            raise ValueError(f"{direction} isn't a direction; accepted: 0 (E) to 7 (SE)")
        east, down = _SQUARE_STEPS[direction]
        return Square(place.col + east, place.row + down)

    @staticmethod
    def distance(a: Square, b: Square) -> int:
        return max(abs(b.col - a.col), abs(b.row - a.row))

    @staticmethod
    def line(a: Square, b: Square) -> tuple[Square, ...]:
        """Return the squares of the straight line from `a` to `b`, both included; each is a step from the one before.

        Where it runs exactly between two it takes the one further south or, within a row, further east. The rule looks
        only at the point, so `line(b, a)` is the same line reversed.
        """
        steps = SquareBoard.distance(a, b)
        if steps == 0:
            return (a,)
        return tuple(
            Square(
                a.col + _round_half_up(i * (b.col - a.col), steps)[0],
                a.row + _round_half_up(i * (b.row - a.row), steps)[0],
            )
            for i in range(steps + 1)
        )

    @staticmethod
    def corridor(a: Square, b: Square) -> tuple[tuple[Square, ...], ...]:
        """Return every square that a line from the middle of `a` to the middle of `b` passes through, in order.

        Where it passes exactly through a corner, an entry of its own has the two squares beside it. It is
        symmetric. It has more entries than steps, as a slanting line crosses another square between rows.
        """
        cols, rows = abs(b.col - a.col), abs(b.row - a.row)
        east, down = (1 if b.col > a.col else -1), (1 if b.row > a.row else -1)
        here, col_steps, row_steps = a, 0, 0
        ways: list[tuple[Square, ...]] = [(a,)]
        while col_steps < cols or row_steps < rows:
            ahead = (1 + 2 * col_steps) * rows - (1 + 2 * row_steps) * cols
            if ahead == 0:
                beside = Square(here.col + east, here.row), Square(here.col, here.row + down)
                ways.append(beside if down < 0 else beside[::-1])
            if ahead <= 0:
                here, col_steps = Square(here.col + east, here.row), col_steps + 1
            if ahead >= 0:
                here, row_steps = Square(here.col, here.row + down), row_steps + 1
            ways.append((here,))
        return tuple(ways)

    @staticmethod
    def bearing(a: Square, b: Square) -> int | None:
        """Return the octant (0 to 7) of the way from `a` to `b`, never between two; None for the same square."""
        east, north = b.col - a.col, a.row - b.row
        if east == 0 and north == 0:
            return None
        most = max(abs(east), abs(north))
        if (abs(east) + abs(north)) ** 2 > 2 * most**2:
            return _SQUARE_STEPS.index((1 if east > 0 else -1, -1 if north > 0 else 1))
        if abs(east) == most:
            return 0 if east > 0 else 4
        return 2 if north > 0 else 6


# Boards of any kind


AnyGrid: TypeAlias = GridBoard[Location]
"""A fight's map of equal cells of any shape."""

GRIDS: Mapping[str, type[AnyGrid]] = {board.kind: cast(type[AnyGrid], board) for board in (HexBoard, SquareBoard)}
"""The maps of equal cells, by kind."""

_KINDS: Mapping[str, type[AnyGrid] | type[ZoneBoard]] = {**GRIDS, ZoneBoard.kind: ZoneBoard}


def any_board(board: GridBoard[Hex] | GridBoard[Square] | AnyGrid | ZoneBoard) -> AnyBoard:
    """A board typed as in a fight; `resolve_place` makes sure that it only gets places of its own."""
    return cast(AnyBoard, board)


def grid_board(board: AnyBoard | None) -> AnyGrid | None:
    """The board if it is a map of equal cells, else None."""
    board_object: object = board
    return board_object if isinstance(board_object, GridBoard) else None


def hex_board(board: AnyBoard | None) -> HexBoard | None:
    """The board if it is a map of hexes, else None."""
    board_object: object = board
    return board_object if isinstance(board_object, HexBoard) else None


def zone_board(board: AnyBoard | None) -> ZoneBoard | None:
    """The board if it has zones, else None."""
    board_object: object = board
    return board_object if isinstance(board_object, ZoneBoard) else None


def directions_of(board: AnyBoard | None) -> tuple[str, ...]:
    """The names of the directions a figure can face, by number; without a board the eight of the compass."""
    return SquareBoard.directions if board is None else board.directions


def direction_called(board: AnyBoard | None, facing: int | str) -> int:
    """The number of a direction, or of its name, such as ``NE``; a ValueError lists those of the board."""
    names = directions_of(board)
    if isinstance(facing, int):
        return facing
    word = facing.strip().upper()
    if word.isascii() and word.isdigit():
        return int(word)
    if word not in names:
        raise ValueError(f"there is no direction {facing!r} here; accepted: {', '.join(names) or 'leave it out'}")
    return names.index(word)


def direction_of(board: AnyBoard | None, facing: int | None) -> str:
    """The name of a facing; empty for none, or one that the board does not have."""
    names = directions_of(board)
    return names[facing] if facing is not None and 0 <= facing < len(names) else ""


def board_from_json(value: object) -> AnyBoard:
    """The board that `to_json` wrote, whatever its kind; a ValueError says what would be accepted."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"kind: there is no board of kind {kind!r}; accepted: {', '.join(_KINDS)}")
    return any_board(_KINDS[kind].from_json(value))


def resolve_place(board: AnyBoard | None, place: Location) -> Location:
    """A place of the board, from a typed name or a pair of numbers; a ValueError lists what is accepted."""
    if board is None:
        return place
    if isinstance(place, str) or board.cell is None:
        # A board whose places have names refuses numbers as it does any other name it does not know.
        return board.parse(place if isinstance(place, str) else str(list(place)))
    return board.cell(*place)
