"""Line of sight: what blocks it, fairly and the same from both ends."""

from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex, Terrain
from fightcall_engine.board.kinds import HexBoard, from_offset, parse_place

LEGEND = {
    "wall": Terrain("wall", glyph="#", blocks=True, blocks_sight=True),
    "water": Terrain("water", glyph="~", blocks=True),
}
CENTRE = from_offset(7, 7)
_AROUND = [Hex(q, r) for q in range(-6, 7) for r in range(-6, 7)]
NEAR = st.sampled_from([here for here in _AROUND if HexBoard.distance(Hex(0, 0), here) <= 6])
SOME = st.frozensets(NEAR, max_size=40)


def walled(walls: Collection[Hex]) -> HexBoard:
    """A board with walls at these offsets from its centre, wide enough for all of `NEAR`."""
    return HexBoard(15, 15, terrain={from_centre(wall): "wall" for wall in walls}, legend=LEGEND)


def from_centre(offset: Hex) -> Hex:
    return Hex(CENTRE.q + offset.q, CENTRE.r + offset.r)


def turned(here: Hex) -> Hex:
    return Hex(here.q + here.r, -here.q)


def mirrored(here: Hex) -> Hex:
    return Hex(here.r, here.q)


@given(SOME, NEAR, NEAR)
def test_whoever_can_be_seen_can_see(walls: frozenset[Hex], a: Hex, b: Hex) -> None:
    board = walled(walls)
    there = board.sight(from_centre(a), from_centre(b))
    back = board.sight(from_centre(b), from_centre(a))
    assert there.clear == back.clear
    assert sorted(there.cells) == sorted(back.cells)


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_sight_is_the_same_both_ways_at_the_edges_of_the_map(cols: int, rows: int, data: st.DataObject) -> None:
    places = st.sampled_from(HexBoard(cols, rows).places())
    walls = data.draw(st.frozensets(places))
    board = HexBoard(cols, rows, terrain=dict.fromkeys(walls, "wall"), legend=LEGEND)
    a, b = data.draw(places), data.draw(places)
    assert board.sight(a, b).clear == board.sight(b, a).clear
    assert all(map(board.contains, board.sight(a, b).cells))


@given(SOME, NEAR, NEAR)
def test_sight_is_fair_turning_or_mirroring_the_map_changes_nothing(walls: frozenset[Hex], a: Hex, b: Hex) -> None:
    clear = walled(walls).sight(from_centre(a), from_centre(b)).clear
    for change in (turned, mirrored):
        board = walled([change(wall) for wall in walls])
        assert board.sight(from_centre(change(a)), from_centre(change(b))).clear == clear


@given(SOME, NEAR, NEAR)
def test_a_blocked_line_names_the_first_thing_in_the_way(walls: frozenset[Hex], a: Hex, b: Hex) -> None:
    board = walled(walls)
    here, there = from_centre(a), from_centre(b)
    sight = board.sight(here, there)
    assert sight.cells[0] == here
    assert sight.cells[-1] == there
    assert sight.clear == board.sees(here, there) == (sight.blocked_by is None)
    if sight.blocked_by is not None:
        assert board.terrain_at(sight.blocked_by).blocks_sight
        assert sight.blocked_by in sight.cells
        assert sight.blocked_by not in (here, there)
        for abreast in board.corridor(here, there)[1 : board.distance(here, sight.blocked_by)]:
            assert not all(board.terrain_at(place).blocks_sight for place in abreast)


def test_a_wall_between_blocks_and_walls_at_the_ends_do_not() -> None:
    a, b = from_centre(Hex(-3, 0)), from_centre(Hex(3, 0))
    assert walled([Hex(-3, 0), Hex(3, 0)]).sight(a, b).clear
    assert walled([Hex(1, 0), Hex(2, 0)]).sight(a, b).blocked_by == from_centre(Hex(1, 0))
    assert walled([Hex(1, 0), Hex(2, 0)]).sight(b, a).blocked_by == from_centre(Hex(2, 0))


def test_along_an_edge_only_walls_on_both_sides_block() -> None:
    a, b = from_centre(Hex(0, 0)), from_centre(Hex(2, -1))
    lower, upper = Hex(1, 0), Hex(1, -1)
    assert walled([lower]).sight(a, b).clear
    assert walled([upper]).sight(a, b).clear
    between = walled([lower, upper]).sight(a, b)
    assert between.blocked_by == from_centre(lower)
    assert between.cells == (a, from_centre(lower), from_centre(upper), b)


def test_nobody_looks_round_a_wall_over_the_edge_of_the_map() -> None:
    board = HexBoard(3, 3, terrain={parse_place("C2"): "wall"}, legend=LEGEND)
    corner = HexBoard(3, 3, terrain={parse_place("A2"): "wall"}, legend=LEGEND)
    assert board.sight(board.parse("C1"), board.parse("C3")).clear
    assert corner.sight(corner.parse("A1"), corner.parse("A3")).blocked_by == corner.parse("A2")


def test_what_stops_feet_need_not_stop_eyes() -> None:
    board = HexBoard(3, 1, terrain={Hex(1, 0): "water"}, legend=LEGEND)
    assert board.sight(Hex(0, 0), Hex(2, 0)).clear


def test_one_sees_where_one_stands() -> None:
    sight = HexBoard(3, 1).sight(Hex(1, 0), Hex(1, 0))
    assert (sight.clear, sight.blocked_by, sight.cells) == (True, None, (Hex(1, 0),))
