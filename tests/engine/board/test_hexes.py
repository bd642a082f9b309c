"""Hexes: neighbours, distance, lines, bearings, rings and names."""

from itertools import pairwise
from math import atan2, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard, from_offset, parse_place, place_name, to_offset

NUMBERS = st.integers(-60, 60)
HEXES = st.builds(Hex, NUMBERS, NUMBERS)
CENTRE = Hex(0, 0)
BOARD = HexBoard(500, 500)
ON_BOARD = st.builds(Hex, st.integers(100, 220), st.integers(100, 220))


def turned(here: Hex) -> Hex:
    """The same hex after turning the map by 60 degrees counter-clockwise about the centre."""
    return Hex(here.q + here.r, -here.q)


@pytest.mark.parametrize(
    ("direction", "name", "col", "row"),
    [(0, "E", 3, 2), (1, "NE", 2, 1), (2, "NW", 1, 1), (3, "W", 1, 2), (4, "SW", 1, 3), (5, "SE", 2, 3)],
)
def test_six_neighbours_of_an_even_row(direction: int, name: str, col: int, row: int) -> None:
    here = from_offset(2, 2)
    assert to_offset(HexBoard.step(here, direction)) == (col, row)
    assert HexBoard.directions[direction] == name


@pytest.mark.parametrize(
    ("direction", "col", "row"), [(0, 3, 3), (1, 3, 2), (2, 2, 2), (3, 1, 3), (4, 2, 4), (5, 3, 4)]
)
def test_six_neighbours_of_an_odd_row_which_is_pushed_right(direction: int, col: int, row: int) -> None:
    assert to_offset(HexBoard.step(from_offset(2, 3), direction)) == (col, row)


@pytest.mark.parametrize("direction", [-1, 6])
def test_only_six_directions_exist(direction: int) -> None:
    with pytest.raises(ValueError, match=r"0 \(E\) to 5 \(SE\)"):
        HexBoard.step(CENTRE, direction)


@given(ON_BOARD)
def test_neighbours_are_the_six_hexes_at_distance_one_in_the_order_of_the_directions(here: Hex) -> None:
    near = BOARD.neighbours(here)
    assert near == tuple(HexBoard.step(here, direction) for direction in range(6))
    assert len(set(near)) == 6
    assert {HexBoard.distance(here, place) for place in near} == {1}


def test_distance_counts_whole_hexes_sb_01() -> None:
    assert HexBoard.distance(CENTRE, CENTRE) == 0
    assert HexBoard.distance(from_offset(0, 0), from_offset(4, 0)) == 4
    assert HexBoard.distance(from_offset(0, 0), from_offset(0, 4)) == 4
    assert HexBoard.distance(from_offset(0, 0), from_offset(4, 4)) == 6


@given(HEXES, HEXES, HEXES)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert HexBoard.distance(a, b) == HexBoard.distance(b, a)
    assert (HexBoard.distance(a, b) == 0) == (a == b)
    assert HexBoard.distance(a, c) <= HexBoard.distance(a, b) + HexBoard.distance(b, c)


@given(ON_BOARD, ON_BOARD)
def test_a_line_is_a_shortest_walk_and_the_way_back_is_the_same(a: Hex, b: Hex) -> None:
    line = [abreast[0] for abreast in BOARD.corridor(a, b)]
    assert line[0] == a
    assert line[-1] == b
    assert len(line) == HexBoard.distance(a, b) + 1
    assert all(HexBoard.distance(here, there) == 1 for here, there in pairwise(line))
    assert [abreast[0] for abreast in BOARD.corridor(b, a)] == line[::-1]


@given(ON_BOARD, ON_BOARD)
def test_a_corridor_holds_exactly_the_hexes_nearest_to_the_straight_line(a: Hex, b: Hex) -> None:
    steps = HexBoard.distance(a, b)

    def off(here: Hex, i: int) -> int:
        """Squared distance, times steps squared, from a hex to the i-th sample of the line."""
        dq = here.q * steps - (a.q * (steps - i) + b.q * i)
        dr = here.r * steps - (a.r * (steps - i) + b.r * i)
        return dq * dq + dr * dr + dq * dr

    for i, abreast in enumerate(BOARD.corridor(a, b)):
        around = (abreast[0], *BOARD.neighbours(abreast[0])) if steps else (a,)
        least = min(off(here, i) for here in around)
        assert set(abreast) == {here for here in around if off(here, i) == least}
        assert len(set(abreast)) == len(abreast)


@pytest.mark.parametrize(
    ("to", "between"),
    [(Hex(2, -1), (Hex(1, 0), Hex(1, -1))), (Hex(1, 1), (Hex(0, 1), Hex(1, 0))), (Hex(-1, 2), (Hex(0, 1), Hex(-1, 1)))],
)
def test_a_line_along_an_edge_takes_the_lower_hex_then_the_one_further_east(to: Hex, between: tuple[Hex, Hex]) -> None:
    start = Hex(100, 100)
    _, *middle, _ = BOARD.corridor(start, Hex(100 + to.q, 100 + to.r))
    assert middle == [tuple(Hex(100 + here.q, 100 + here.r) for here in between)]


def test_there_is_no_bearing_to_oneself() -> None:
    assert HexBoard.bearing(CENTRE, CENTRE) is None


@pytest.mark.parametrize("direction", range(6))
def test_bearing_along_each_direction_and_clockwise_on_each_tie(direction: int) -> None:
    ahead = HexBoard.step(CENTRE, direction)
    assert HexBoard.bearing(CENTRE, ahead) == direction
    assert HexBoard.bearing(CENTRE, HexBoard.step(ahead, direction)) == direction
    assert HexBoard.bearing(CENTRE, HexBoard.step(ahead, (direction + 1) % 6)) == direction


@given(HEXES, HEXES)
def test_bearing_is_within_30_degrees_opposite_on_the_way_back_and_turns_with_the_map(a: Hex, b: Hex) -> None:
    bearing = HexBoard.bearing(a, b)
    if bearing is None:
        assert a == b
        return
    dq, dr = b.q - a.q, b.r - a.r
    error = atan2(-1.5 * dr, sqrt(3) * (dq + dr / 2)) - bearing * pi / 3
    assert abs((error + pi) % (2 * pi) - pi) <= pi / 6 + 1e-9
    assert HexBoard.bearing(b, a) == (bearing + 3) % 6
    assert HexBoard.bearing(turned(a), turned(b)) == (bearing + 1) % 6


@given(HEXES)
def test_offset_and_place_name_lead_back(here: Hex) -> None:
    assert from_offset(*to_offset(here)) == here
    assert parse_place(place_name(here)) == here
    assert parse_place(f" {place_name(here).lower()}\t") == here


@pytest.mark.parametrize(
    ("col", "row", "name"),
    [
        (0, 0, "A1"),
        (5, 4, "F5"),
        (25, 0, "Z1"),
        (26, 0, "AA1"),
        (701, 11, "ZZ12"),
        (702, 0, "AAA1"),
        (-1, 4, "-A5"),
        (-2, 2, "-B3"),
        (5, -1, "F-1"),
        (-1, -2, "-A-2"),
    ],
)
def test_place_names(col: int, row: int, name: str) -> None:
    assert place_name(from_offset(col, row)) == name


@pytest.mark.parametrize("text", ["", "5", "F", "F0", "F-0", "5F", "F5G", "F 5", "F5.", "--A1", "Ä1", "F٥", "\u212a1"])
def test_what_is_no_place_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="such as F5"):
        parse_place(text)
