"""Squares that touch along edges and at corners: neighbours, distance, lines, bearings and names.

`col` grows to the east, `row` down the map. A step may be diagonal and counts as one, so that all eight squares around
a figure are next to it, one in each of its Fields of Approach. Everything is exact integer arithmetic.
"""

from typing import NamedTuple

from fightcall_engine.board import hexes


class Square(NamedTuple):
    """One square by column and row, both from 0.

    As a pair of numbers it equals a hex of the same numbers; the board decides which of both a pair is.
    """

    col: int
    row: int


DIRECTIONS: tuple[Square, ...] = (
    Square(1, 0),
    Square(1, -1),
    Square(0, -1),
    Square(-1, -1),
    Square(-1, 0),
    Square(-1, 1),
    Square(0, 1),
    Square(1, 1),
)
"""The step to each neighbour, counter-clockwise from east: the octants 0 to 7."""

DIRECTION_NAMES: tuple[str, ...] = ("E", "NE", "N", "NW", "W", "SW", "S", "SE")
"""Compass names of `DIRECTIONS`, by index."""


def step(place: Square, direction: int) -> Square:
    """Return the square next to `place` in `direction` (0 = east, counter-clockwise to 7 = south-east).

    Raises:
        ValueError: `direction` is not 0 to 7.
    """
    if not 0 <= direction < len(DIRECTIONS):
        raise ValueError(f"{direction} isn't a direction; accepted: 0 (E) to 7 (SE)")
    delta = DIRECTIONS[direction]
    return Square(place.col + delta.col, place.row + delta.row)


def neighbours(here: Square) -> tuple[Square, ...]:
    """Return the eight squares around `here`, in the order of `DIRECTIONS`."""
    return tuple(Square(here.col + east, here.row + down) for east, down in DIRECTIONS)


def distance(a: Square, b: Square) -> int:
    """Return the distance of two squares in steps; a diagonal step is one."""
    return max(abs(b.col - a.col), abs(b.row - a.row))


def line(a: Square, b: Square) -> tuple[Square, ...]:
    """Return the squares of the straight line from `a` to `b`, both included; each is a step from the one before.

    Where it runs exactly between two it takes the one further south or, within a row, further east. The rule looks
    only at the point, so `line(b, a)` is the same line reversed.
    """
    steps = distance(a, b)
    if steps == 0:
        return (a,)
    return tuple(Square(_nearest(a.col, b.col, i, steps), _nearest(a.row, b.row, i, steps)) for i in range(steps + 1))


def _nearest(start: int, end: int, i: int, steps: int) -> int:
    """Return the whole number nearest to a point of the way; halves go up."""
    return (2 * (start * steps + (end - start) * i) + steps) // (2 * steps)


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


def bearing(a: Square, b: Square) -> int | None:
    """Return the octant (0 to 7) that the way from `a` to `b` lies in, or None when they are the same square.

    A way is never exactly between two octants: the tangent of 22.5 degrees is no fraction.
    """
    east, north = b.col - a.col, a.row - b.row
    if east == 0 and north == 0:
        return None
    most = max(abs(east), abs(north))
    if (abs(east) + abs(north)) ** 2 > 2 * most**2:
        return DIRECTIONS.index(Square(1 if east > 0 else -1, -1 if north > 0 else 1))
    if abs(east) == most:
        return 0 if east > 0 else 4
    return 2 if north > 0 else 6


def place_name(place: Square) -> str:
    """Return the name a GM reads and types, by column and row as on a map of hexes: `F5`, `AB12`."""
    return hexes.place_name(hexes.from_offset(*place))


def parse_place(text: str) -> Square:
    """Return the square that `place_name` would call `text`; case and space around it do not matter.

    Raises:
        ValueError: the text is no place name; says what one looks like.
    """
    return Square(*hexes.to_offset(hexes.parse_place(text)))
