"""Reachable places, their costs, and the paths there.

Dijkstra's search, with one simplification: usually the cost of a step only depends on the place it enters. The first
time a place is found it is then found at its lowest cost, and no place is ever priced or queued twice.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeAlias

from fightcall_engine.board.base import Board, Cost, P

Extra: TypeAlias = Callable[[P, P], int]
"""The additional cost of a step from one place to a neighbour, 0 or more."""


def reach(
    board: Board[P],
    start: P,
    budget: int | None,
    *,
    cost: Cost[P] | None = None,
    extra: Extra[P] | None = None,
    closed_places: Collection[P] = frozenset(),
    stops: Collection[P] = frozenset(),
) -> dict[P, int]:
    """Return the places that can be reached from `start`, with the lowest cost of each.

    Args:
        board: the board to walk on.
        start: the start of the walk, which is always included at 0, and can always be left.
        budget: the highest cost; None for no limit.
        cost: the cost of entering a place, instead of the ground's (`board.cost_of`).
        extra: what a step costs besides, 0 or more, such as across a square's corner.
        closed_places: places that cannot be entered, such as occupied ones.
        stops: places that can be entered but not left again, such as the contact zones of enemies.

    Raises:
        ValueError: `start` is not on the board, or a cost is below zero.
    """
    _check_on_board(board, start)
    way_on = _ways_on(board, start, stops)
    best, _ = _flood(start, way_on, cost or board.cost_of, set(closed_places), budget, None, extra)
    return best


def find_path(
    board: Board[P],
    start: P,
    goal: P,
    *,
    cost: Cost[P] | None = None,
    extra: Extra[P] | None = None,
    closed_places: Collection[P] = frozenset(),
    stops: Collection[P] = frozenset(),
    budget: int | None = None,
) -> tuple[P, ...] | None:
    """Return the places entered on the cheapest path from `start` to `goal`; None if there is none.

    `start` is not part of it; the path to `start` itself is empty. Among equally cheap paths it is the one
    nearest to the straight line, so on open ground it is that line. For the arguments see
    `reach`.

    Raises:
        ValueError: `start` or `goal` is not on the board, or a cost is below zero.
    """
    _check_on_board(board, start)
    _check_on_board(board, goal)
    price_of = cost or board.cost_of
    straight = board.line(start, goal)
    if (
        cost is None
        and extra is None
        and _is_open(board, straight, closed_places, stops)
        and (budget is None or len(straight) <= budget + 1)
    ):
        return straight[1:]
    way_on = _ways_on(board, start, stops)
    best, _ = _flood(start, way_on, price_of, set(closed_places), budget, goal, extra)
    if goal not in best:
        return None
    no_way_on = set(stops) - {start}

    def cheapest_from(place: P) -> list[P]:
        """Return the places before `place` on the cheapest paths to it."""
        price, near_places = price_of(place) or 0, board.neighbours(place)
        if extra is None:
            return [near for near in near_places if best.get(near) == best[place] - price and near not in no_way_on]
        return [
            near
            for near in near_places
            if best.get(near) == best[place] - price - extra(near, place) and near not in no_way_on
        ]

    _, onward = _flood(goal, cheapest_from, _deviation_from_line(board, start, goal), set(), None, start, None)
    steps: list[P] = []
    here = start
    while here != goal:
        here = onward[here]
        steps.append(here)
    return tuple(steps)


def places_around(board: Board[P], start: P) -> Iterator[P]:
    """Yield the places around `start` over open ground, ring by ring, in the order of the board's directions."""
    found_places, ring = {start}, [start]
    while ring:
        next_places = dict.fromkeys(place for inner in ring for place in board.neighbours(inner))
        ring = [place for place in next_places if place not in found_places and board.cost_of(place) is not None]
        found_places.update(ring)
        yield from ring


def price(board: Board[P], path: Iterable[P], cost: Cost[P] | None = None) -> int:
    """Return the cost of a path: the sum over the places it enters, without the start.

    Raises:
        ValueError: a place cannot be entered; names it.
    """
    price_of = cost or board.cost_of
    total = 0
    for place in path:
        step = price_of(place)
        if step is None:
            raise ValueError(f"{board.name_of(place)} can't be entered")
        total += step
    return total


def _check_on_board(board: Board[P], place: P) -> None:
    if not board.contains(place):
        raise ValueError(f"{board.name_of(place)} is not on the board, which has {board.extent()}")


def _is_open(board: Board[P], straight: tuple[P, ...], closed_places: Collection[P], stops: Collection[P]) -> bool:
    """Return whether a straight line costs the minimum of any ground, so that no other path is better.

    This avoids a search of the neighbourhood, which on a large map takes a hundred times as long.
    """
    for here, there in pairwise(straight):
        if there in closed_places or (here in stops and here != straight[0]):
            return False
        if board.cost_of(there) != 1 or board.distance(here, there) != 1:
            return False
    return True


def _ways_on(board: Board[P], start: P, stops: Collection[P]) -> Callable[[P], tuple[P, ...]]:
    """Return a function for the next places after one: none after a stop, unless the walk begins there."""
    no_way_on = set(stops) - {start}
    if not no_way_on:
        return board.neighbours
    return lambda place: () if place in no_way_on else board.neighbours(place)


def _deviation_from_line(board: Board[P], start: P, goal: P) -> Callable[[P], int]:
    """Return a function for a place's deviation from the straight line: 1 on it, more with each step away."""
    straight = board.line(start, goal)
    last = len(straight) - 1
    return lambda place: 1 + board.distance(place, straight[min(board.distance(start, place), last)])


def _flood(
    start: P,
    way_on: Callable[[P], Iterable[P]],
    weight: Callable[[P], int | None],
    shut: set[P],
    limit: int | None,
    goal: P | None,
    extra: Extra[P] | None,
) -> tuple[dict[P, int], dict[P, P]]:
    """Return the least total weight of each place found and the place it was entered from.

    There is a queue for each total, so that equal ones are taken in the order they were found and the result
    does not depend on comparing places. It ends once nothing cheaper than `goal` is left. `shut` is changed.
    """
    best: dict[P, int] = {start: 0}
    entered_from: dict[P, P] = {}
    waiting: dict[int, list[P]] = {0: [start]}
    totals = [0]
    while totals:
        total = heappop(totals)
        if goal is not None and goal in best and best[goal] <= total:
            break
        # A step of cost 0 joins the queue in this very loop.
        for here in waiting[total]:
            if extra is not None and best[here] < total:
                continue
            for there in way_on(here):
                if there in shut or (there in best and extra is None):
                    continue
                step = weight(there)
                if extra is not None and step is not None:
                    # Another way there may be cheaper, so that a place is not shut for being too far.
                    step += extra(here, there)
                    is_far = limit is not None and total + step > limit
                    if is_far or total + step >= best.get(there, total + step + 1):
                        continue
                if step is None or (limit is not None and total + step > limit):
                    shut.add(there)
                    continue
                if step < 0:
                    raise ValueError(f"entering {there!r} costs {step}; a cost is 0 or more")
                best[there] = then = total + step
                entered_from[there] = here
                if then in waiting:
                    waiting[then].append(there)
                else:
                    waiting[then] = [there]
                    heappush(totals, then)
        del waiting[total]
    return best, entered_from
