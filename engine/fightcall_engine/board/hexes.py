"""Hexagons as pairs of whole numbers: neighbours, distance, lines, bearings and names.

Hexes stand on a corner (pointy top) and carry axial coordinates: `q` grows to the east, `r` grows down the
map, and the third cube coordinate is `-q - r`. On a rectangular map odd rows are pushed half a hex to the
right (odd-r offset). The definitions are those of Amit Patel's hexagonal grid guide (Red Blob Games).
Everything is exact integer arithmetic, so a line or a bearing comes out the same on every machine.
"""

import re
from typing import NamedTuple


class Hex(NamedTuple):
    """One hex in axial coordinates; takes up one figure's space."""

    q: int
    r: int


DIRECTIONS: tuple[Hex, ...] = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))
"""The step to each neighbour, counter-clockwise from east: E, NE, NW, W, SW, SE."""

DIRECTION_NAMES: tuple[str, ...] = ("E", "NE", "NW", "W", "SW", "SE")
"""Compass names of `DIRECTIONS`, by index."""

_LETTERS = 26
_PLACE = re.compile(r"(-?)([A-Za-z]{1,6})(-?)([0-9]{1,9})")


def step(place: Hex, direction: int) -> Hex:
    """Return the hex next to `place` in `direction` (0 = east, counter-clockwise to 5 = south-east).

    Raises:
        ValueError: `direction` is not 0 to 5.
    """
    if not 0 <= direction < len(DIRECTIONS):
        raise ValueError(f"{direction} isn't a direction; accepted: 0 (E) to 5 (SE)")
    delta = DIRECTIONS[direction]
    return Hex(place.q + delta.q, place.r + delta.r)


def neighbours(here: Hex) -> tuple[Hex, ...]:
    """Return the six hexes that touch `here`, in the order of `DIRECTIONS`."""
    q, r = here
    return tuple(Hex(q + dq, r + dr) for dq, dr in DIRECTIONS)


def distance(a: Hex, b: Hex) -> int:
    """Return the distance of two hexes in steps."""
    dq, dr = b[0] - a[0], b[1] - a[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def corridor(a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
    """Return the straight line from `a` to `b`, one entry a step: two hexes where it runs between them.

    Sampled once per step, one cube coordinate moves by exactly one, so a sample can only fall inside a hex or
    on the middle of the edge between two. In that case the entry holds both, first the one lower on the map
    or, within a row, the one further east. The rule looks only at the point, so the way back is the same way
    reversed.
    """
    steps = distance(a, b)
    dq, dr = b.q - a.q, b.r - a.r
    if steps == 0:
        return ((a,),)
    ways: list[tuple[Hex, ...]] = []
    for i in range(steps + 1):
        if abs(dr) == steps:
            # It changes its row at each step: a tie lies between two hexes of one row.
            sideways, tie = _round_half_up(i * dq, steps)
            here, east, down = Hex(a.q + sideways, a.r + i * dr // steps), -1, 0
        else:
            # It crosses columns at each step: a tie lies between an upper and a lower hex.
            lower, tie = _round_half_up(i * dr, steps)
            is_level = abs(dq) == steps
            here = Hex(a.q + (i * dq // steps if is_level else i * (dq + dr) // steps - lower), a.r + lower)
            east, down = (0, -1) if is_level else (1, -1)
        ways.append((here, Hex(here.q + east, here.r + down)) if tie else (here,))
    return tuple(ways)


def _round_half_up(numerator: int, denominator: int) -> tuple[int, bool]:
    """Return the nearest whole number of a fraction (halves go up) and whether it was exactly a half."""
    whole, rest = divmod(2 * numerator + denominator, 2 * denominator)
    return whole, rest == 0


def bearing(a: Hex, b: Hex) -> int | None:
    """Return the direction (0 to 5) nearest to the way from `a` to `b`, or None when they are the same hex.

    Exactly between two directions the clockwise one wins, so that the bearing back is always the opposite one
    and turning the map turns the bearing.
    """
    dq, dr = b.q - a.q, b.r - a.r
    if dq == 0 and dr == 0:
        return None
    ds = -dq - dr
    nearness = [dq * e.q + dr * e.r + ds * (-e.q - e.r) for e in DIRECTIONS]
    best = max(nearness)
    return next(d for d in range(6) if nearness[d] == best and nearness[d - 1] != best)


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
    """Return the hex that `place_name` would call `text`; case and space around it do not matter.

    Raises:
        ValueError: the text is no place name; says what one looks like.
    """
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
    """Return the letters of a column, from 0 = A; after Z comes AA, as in a spreadsheet."""
    letters, count = "", index + 1
    while count:
        count, digit = divmod(count - 1, _LETTERS)
        letters = chr(ord("A") + digit) + letters
    return letters
