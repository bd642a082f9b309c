"""Reach and path: what can be walked to, what it costs, and which way is taken."""

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex, Terrain, find_path, price, reach
from fightcall_engine.board.kinds import HexBoard

LEGEND = {
    "mud": Terrain("mud", glyph="m", cost=2),
    "bog": Terrain("bog", glyph="b", cost=5),
    "wall": Terrain("wall", glyph="#", blocks=True),
}


@dataclass(frozen=True)
class Walk:
    """One question to the path finder."""

    board: HexBoard
    start: Hex
    goal: Hex
    budget: int | None
    closed: frozenset[Hex]
    stops: frozenset[Hex]
    costs: dict[Hex, int | None] | None
    is_uneven: bool = False

    def extra(self, here: Hex, there: Hex) -> int:
        """What a step costs besides, if it depends on where it comes from."""
        return (here.q + 2 * here.r + 3 * there.q + 5 * there.r) % 4 if self.is_uneven else 0

    def cost(self, place: Hex) -> int | None:
        return self.board.cost_of(place) if self.costs is None else self.costs.get(place, 1)


@st.composite
def walks(draw: st.DrawFn) -> Walk:
    cols, rows = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    places = st.sampled_from(HexBoard(cols, rows).places())
    terrain = draw(st.dictionaries(places, st.sampled_from(sorted(LEGEND)), max_size=25))
    some = st.frozensets(places, max_size=8)
    prices = st.none() | st.integers(0, 4)
    return Walk(
        board=HexBoard(cols, rows, terrain=terrain, legend=LEGEND),
        start=draw(places),
        goal=draw(places),
        budget=draw(st.none() | st.integers(-1, 12)),
        closed=draw(some),
        stops=draw(some),
        costs=draw(st.none() | st.dictionaries(places, prices, max_size=25)),
        is_uneven=draw(st.booleans()),
    )


def by_brute_force(walk: Walk) -> dict[Hex, int]:
    """Relax every step of the board until nothing gets cheaper (Bellman and Ford)."""
    best = {walk.start: 0}
    changed = True
    while changed:
        changed = False
        for here, spent in list(best.items()):
            if here in walk.stops and here != walk.start:
                continue
            for there in walk.board.neighbours(here):
                step = walk.cost(there)
                if there in walk.closed or step is None:
                    continue
                total = spent + step + walk.extra(here, there)
                if (walk.budget is None or total <= walk.budget) and total < best.get(there, total + 1):
                    best[there] = total
                    changed = True
    return best


def reach_of(walk: Walk) -> dict[Hex, int]:
    cost = None if walk.costs is None else walk.cost
    extra = walk.extra if walk.is_uneven else None
    return reach(
        walk.board, walk.start, walk.budget, cost=cost, extra=extra, closed_places=walk.closed, stops=walk.stops
    )


def path_of(walk: Walk) -> tuple[Hex, ...] | None:
    cost = None if walk.costs is None else walk.cost
    return find_path(
        walk.board,
        walk.start,
        walk.goal,
        cost=cost,
        extra=walk.extra if walk.is_uneven else None,
        closed_places=walk.closed,
        stops=walk.stops,
        budget=walk.budget,
    )


@given(walks())
def test_reach_finds_what_brute_force_finds(walk: Walk) -> None:
    assert reach_of(walk) == by_brute_force(walk)


@given(walks())
def test_a_path_is_a_walk_that_costs_what_reach_says(walk: Walk) -> None:
    costs = reach_of(walk)
    way = path_of(walk)
    if way is None:
        assert walk.goal not in costs
        return
    whole = (walk.start, *way)
    besides = sum(walk.extra(here, there) for here, there in zip(whole, way, strict=False))
    assert price(walk.board, way, walk.cost) + besides == costs[walk.goal]
    assert whole[-1] == walk.goal
    assert len(set(whole)) == len(whole)
    assert all(walk.board.contact(here, there) for here, there in zip(whole, way, strict=False))
    assert not walk.closed.intersection(way)
    assert not walk.stops.intersection(way[:-1])


@given(walks())
def test_each_place_is_priced_at_most_once(walk: Walk) -> None:
    asked: Counter[Hex] = Counter()

    def cost(place: Hex) -> int | None:
        asked[place] += 1
        return walk.cost(place)

    reach(walk.board, walk.start, walk.budget, cost=cost, closed_places=walk.closed, stops=walk.stops)
    assert set(asked.values()) <= {1}


def test_a_short_path_does_not_search_the_whole_map() -> None:
    board = HexBoard(40, 30)
    asked: set[Hex] = set()

    def cost(place: Hex) -> int:
        asked.add(place)
        return 1

    assert find_path(board, board.parse("T15"), board.parse("V15"), cost=cost) is not None
    assert len(asked) < 20


@given(st.integers(1, 12), st.integers(1, 12), st.data())
def test_on_open_ground_the_path_is_the_straight_line(cols: int, rows: int, data: st.DataObject) -> None:
    board = HexBoard(cols, rows)
    start, goal = (data.draw(st.sampled_from(board.places())) for _ in range(2))
    assert find_path(board, start, goal) == board.line(start, goal)[1:]


@given(walks())
def test_a_straight_way_that_is_open_is_the_one_a_search_finds(walk: Walk) -> None:
    """A price list that only repeats the ground's own makes the search go the long way round."""
    where = walk.start, walk.goal
    rest = {"closed_places": walk.closed, "stops": walk.stops, "budget": walk.budget}
    assert find_path(walk.board, *where, **rest) == find_path(walk.board, *where, cost=walk.board.cost_of, **rest)  # type: ignore[arg-type]


def test_an_open_straight_way_is_found_without_a_search() -> None:
    seen: list[Hex] = []

    class Watched(HexBoard):
        def neighbours(self, place: Hex) -> tuple[Hex, ...]:
            seen.append(place)
            return super().neighbours(place)

    board = Watched(100, 100)
    assert find_path(board, board.at(0, 0), board.at(99, 99)) == board.line(board.at(0, 0), board.at(99, 99))[1:]
    assert seen == []


def test_a_path_goes_round_a_wall_and_comes_back_to_the_line() -> None:
    board = HexBoard(9, 5)
    start, goal = board.parse("A3"), board.parse("I3")
    wall = {board.parse(name): "wall" for name in ("E3", "E4", "D5", "E5")}
    walled = HexBoard(9, 5, terrain=wall, legend=LEGEND)
    way = find_path(walled, start, goal)
    assert way is not None
    assert [board.name_of(place) for place in way] == ["B3", "C3", "D3", "D2", "E2", "F3", "G3", "H3", "I3"]


def test_cheap_ground_is_worth_a_detour() -> None:
    board = HexBoard(3, 2, terrain={Hex(1, 0): "bog"}, legend=LEGEND)
    assert find_path(board, Hex(0, 0), Hex(2, 0)) == (Hex(0, 1), Hex(1, 1), Hex(2, 0))


def test_a_cost_of_the_callers_own_replaces_ground_and_walls() -> None:
    board = HexBoard(3, 1, terrain={Hex(1, 0): "wall"}, legend=LEGEND)
    assert find_path(board, Hex(0, 0), Hex(2, 0)) is None
    assert reach(board, Hex(0, 0), 4, cost=lambda _: 2) == {Hex(0, 0): 0, Hex(1, 0): 2, Hex(2, 0): 4}


def test_an_enemys_contact_zone_is_entered_but_not_crossed_sb_47() -> None:
    board = HexBoard(8, 1)
    zone = {board.parse("D1"), board.parse("F1")}
    assert reach(board, board.parse("A1"), 14, closed_places={board.parse("E1")}, stops=zone) == {
        board.parse(name): cost for name, cost in (("A1", 0), ("B1", 1), ("C1", 2), ("D1", 3))
    }


def test_starting_in_contact_does_not_stop_the_first_step_out_sb_47() -> None:
    board = HexBoard(9, 9)
    orc = board.parse("E5")
    zone = board.neighbours(orc)
    start = zone[0]
    found = reach(board, start, 4, closed_places={orc}, stops=zone)
    assert found[zone[1]] == 1
    beyond_the_zone = HexBoard.step(start, 0)
    assert found[beyond_the_zone] == 1
    # Round the orc each hex of its zone stops (Q-S8c), so two hexes on are walked to outside the zone.
    assert found[zone[2]] == 4


def test_the_way_to_where_one_stands_is_empty() -> None:
    board = HexBoard(3, 3)
    assert find_path(board, Hex(1, 1), Hex(1, 1), budget=0) == ()
    assert price(board, ()) == 0


def test_a_path_dearer_than_the_budget_is_none() -> None:
    board = HexBoard(5, 1)
    assert find_path(board, Hex(0, 0), Hex(4, 0), budget=3) is None
    assert find_path(board, Hex(0, 0), Hex(4, 0), budget=4) == tuple(Hex(q, 0) for q in range(1, 5))


def test_questions_about_places_off_the_board_are_refused_by_name() -> None:
    board = HexBoard(3, 3)
    with pytest.raises(ValueError, match="D1 is not on the board, which has A1 to C3"):
        reach(board, Hex(3, 0), 5)
    with pytest.raises(ValueError, match="-A1 is not on the board"):
        find_path(board, Hex(0, 0), Hex(-1, 0))
    with pytest.raises(ValueError, match="D1 can't be entered"):
        price(board, (Hex(2, 0), Hex(3, 0)))


def test_a_cost_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        reach(HexBoard(3, 3), Hex(0, 0), 5, cost=lambda _: -1)
