"""What all boards share: checks of plain values, ground, the protocol of a board, and paths with their costs."""

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from fightcall_engine.model.dice import parse
from fightcall_engine.model.values import frozen

_FIELDS = ("glyph", "cost", "blocks", "blocks_sight", "cover", "height_ft", "harm", "harm_at")
HarmMoment = Literal["enter", "round"]
HARM_MOMENTS: tuple[HarmMoment, ...] = ("enter", "round")


class Hex(NamedTuple):
    """One hex in axial coordinates: `q` grows to the east, `r` down the map, and the third is `-q - r`."""

    q: int
    r: int


class Square(NamedTuple):
    """One square by column (to the east) and row (down the map), both from 0.

    As a pair of numbers it equals a hex of the same numbers; the board decides which of both a pair is.
    """

    col: int
    row: int


P = TypeVar("P", bound=Hashable)
"""A place: any hashable value that the board of its kind understands."""

if TYPE_CHECKING:
    Location: TypeAlias = Hex | Square | str
    Facing: TypeAlias = int
else:
    # Written down, a hex and a square are both a pair of numbers. To a reader of annotations a pair is a hex, until
    # the board it is read for makes it one of its own (`kinds.resolve_place`).
    Location = Hex | str
    # A direction may be written by its name, such as NE, until the board numbers it (`kinds.direction_called`).
    Facing = int | str

Cell: TypeAlias = type[Hex] | type[Square]
"""The type of a board's places, if they are pairs of numbers."""

Cost: TypeAlias = Callable[[P], int | None]
"""The cost of entering a place, 0 or more; None if it cannot be entered."""


# Checks of plain values. Each returns the value, or raises a ValueError that says what would be accepted


def as_object(value: object, what: str, *, required: Collection[str], optional: Collection[str]) -> dict[str, object]:
    """Return `value` as a JSON object that has all required keys and no unknown ones."""
    data = as_mapping(value, what)
    accepts = ", ".join([*required, *optional])
    missing = [key for key in required if key not in data]
    if missing:
        raise ValueError(f"{what} lacks {', '.join(missing)}; accepted keys: {accepts}")
    unknown = [key for key in data if key not in required and key not in optional]
    if unknown:
        raise ValueError(f"{what} does not know {', '.join(unknown)}; accepted keys: {accepts}")
    return data


def as_mapping(value: object, what: str) -> dict[str, object]:
    """Return `value` as a JSON object with any keys."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be an object, not {value!r}")
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"{what} must have text for keys, not {key!r}")
    return dict(value)


def as_text(value: object, what: str) -> str:
    """Return `value` as text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{what} must be text that is not blank, not {value!r}")
    return value


def is_symbol(text: str) -> bool:
    """Return whether a text is one visible character, for use on a drawn map."""
    return len(text) == 1 and text.isprintable() and not text.isspace()


def as_flag(value: object, what: str) -> bool:
    """Return `value` as true or false; 0 and 1 are not flags."""
    if not isinstance(value, bool):
        raise ValueError(f"{what} must be true or false, not {value!r}")
    return value


def as_whole(value: object, what: str, lowest: int, highest: int | None = None) -> int:
    """Return `value` as a whole number from `lowest` to `highest` (None: no upper end)."""
    reach = f"from {lowest} to {highest}" if highest is not None else f"of at least {lowest}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{what} must be a whole number {reach}, not {value!r}")
    if value < lowest or (highest is not None and value > highest):
        raise ValueError(f"{what} must be a whole number {reach}, not {value}")
    return value


def as_number(value: object, what: str) -> float:
    """Return `value` as a finite float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{what} must be a number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{what} must be a finite number, not {value!r}")
    return number


# Terrain


@frozen
class Terrain:
    """One kind of ground.

    Attributes:
        name: its name, unique within a board's legend.
        glyph: one visible character for plain-text maps.
        cost: the cost of entering it, as a multiple of a step of open ground (1 or more).
        blocks: whether it cannot be entered.
        blocks_sight: whether a line that crosses it is blocked; at either end it blocks nothing.
        cover: the cover it gives, in the system's terms, or None.
        height_ft: its height in feet (below zero for a pit), or None.
        harm: the damage it does, a number or dice; empty for none.
        harm_at: when: to anyone who enters it, or to everyone who stands in it at the end of a round.

    Raises:
        ValueError: a value is out of its range.
    """

    name: str
    glyph: str = "."
    cost: int = 1
    blocks: bool = False
    blocks_sight: bool = False
    cover: str | None = None
    height_ft: float | None = None
    harm: str = ""
    harm_at: HarmMoment = "enter"

    def __post_init__(self) -> None:
        what = f"terrain {as_text(self.name, 'terrain name')!r}"
        if not isinstance(self.glyph, str) or not is_symbol(self.glyph):
            raise ValueError(f"{what}: glyph must be one visible character, not {self.glyph!r}")
        as_whole(self.cost, f"{what}: cost", 1)
        as_flag(self.blocks, f"{what}: blocks")
        as_flag(self.blocks_sight, f"{what}: blocks_sight")
        if self.cover is not None:
            as_text(self.cover, f"{what}: cover")
        if self.height_ft is not None:
            object.__setattr__(self, "height_ft", as_number(self.height_ft, f"{what}: height_ft"))
        if self.harm:
            parse(as_text(self.harm, f"{what}: harm"))
        if self.harm_at not in HARM_MOMENTS:
            raise ValueError(f"{what}: harm_at must be {' or '.join(HARM_MOMENTS)}, not {self.harm_at!r}")

    def to_json(self) -> dict[str, object]:
        """Return what differs from open ground, without the name, which is the key in a legend."""
        return {name: getattr(self, name) for name in _FIELDS if getattr(self, name) != getattr(OPEN, name)}

    @classmethod
    def from_json(cls, name: str, value: object) -> "Terrain":
        """Return the terrain that `to_json` wrote, or a file has, with a `name` of its own; else a ValueError."""
        what = f"terrain {name!r}"
        data = as_object(value, what, required=(), optional=(*_FIELDS, "name"))
        if "name" in data:
            # As in an encounter file: what stands before it is the symbol it is drawn with.
            name, symbol = as_text(data.pop("name"), f"{what}: name"), name
            data = {**({"glyph": symbol} if is_symbol(symbol) else {}), **data}
        if isinstance(data.get("harm"), int):
            data["harm"] = str(data["harm"])
        return cls(name, **cast("dict[str, Any]", data))


OPEN = Terrain("open")
"""Open ground, the default of every place."""


# The protocol of boards, whose places are hexes, squares or named zones


@frozen
class Sight(Generic[P]):
    """The line of sight between two places.

    Attributes:
        clear: whether nothing blocks it.
        blocked_by: the first place that blocks it, from the first end; None if clear.
        cells: the places on the line in order, both ends included; both, where it runs between two.
    """

    clear: bool
    blocked_by: P | None
    cells: tuple[P, ...]


class Board(Protocol[P]):
    """A board. Boards are immutable values; the same call always has the same result."""

    def __hash__(self) -> int:
        """Boards are hashable, so that results can be cached by board."""

    @property
    def kind(self) -> str:
        """The board's kind, as `kind` in its JSON form: `hex`, `square` or `zone`."""

    @property
    def scale(self) -> float:
        """The length of one step, in `unit`."""

    @property
    def unit(self) -> str:
        """The unit of `scale`, such as `ft`."""

    @property
    def cell(self) -> Cell | None:
        """The type of its places if they are pairs of numbers; None if they are names."""

    @property
    def words(self) -> tuple[str, str]:
        """The words for one place and for several."""

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the directions a figure can face, by number; empty without directions."""

    @property
    def holds_several(self) -> bool:
        """Whether a place has room for several figures."""

    def contains(self, place: P) -> bool:
        """Return whether a place is on the board."""

    def extent(self) -> str:
        """Return the range of the places in words, for refusals that list what is accepted."""

    def places(self) -> Iterable[P]:
        """Return every place of the board, always in the same order."""

    def neighbours(self, place: P) -> tuple[P, ...]:
        """Return the places one step away, always in the same order; neighbourhood is mutual."""

    def distance(self, a: P, b: P) -> int:
        """Return the steps between two places, whatever is between them."""

    def length(self, a: P, b: P) -> float:
        """Return the distance of two places in `unit`, whatever is between them."""

    def apart(self, a: P, b: P) -> str:
        """Return the distance of two places in words, such as `3 hexes`."""

    def line(self, a: P, b: P) -> tuple[P, ...]:
        """Return a straight line of neighbouring places from `a` to `b`, both included."""

    def corridor(self, a: P, b: P) -> tuple[tuple[P, ...], ...]:
        """Return the places on that line in order, with both where it runs between two; symmetric."""

    def bearing(self, a: P, b: P) -> int | None:
        """Return the number of the direction from `a` to `b`, or None."""

    def contact(self, a: P, b: P) -> bool | None:
        """Return whether figures on two places touch; None if the GM has to declare it."""

    def cost_of(self, place: P) -> int | None:
        """Return the ground's cost of entering a place; None if it cannot be entered."""

    def terrain_at(self, place: P) -> Terrain:
        """Return the ground at a place; off the board it is open."""

    def ground_called(self, name: str) -> Terrain | None:
        """Return the ground of this name on the board; None if there is none."""

    def with_ground(self, grounds: Mapping[P, Terrain]) -> "Board[P]":
        """Return the board with other ground on some places: one of a known name everywhere. ValueError off it."""

    def sight(self, a: P, b: P) -> Sight[P]:
        """Return the line of sight from `a` to `b`."""

    def sees(self, a: P, b: P) -> bool:
        """Return whether the line of sight between two places is clear."""

    def name_of(self, place: P) -> str:
        """Return the name a GM reads and types for a place."""

    def parse(self, text: str) -> P:
        """Return the place on this board that a GM typed; a ValueError says what would be accepted."""

    def to_json(self) -> dict[str, object]:
        """Return the whole board as plain JSON values, `kind` among them."""


if TYPE_CHECKING:
    AnyBoard: TypeAlias = Board[Location]
else:
    # Boards are read by hand; to a reader of annotations they are any value.
    AnyBoard = object


# Reachable places, their costs, and the paths there


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

    `start` is not part of it; the path to `start` itself is empty. Among equally cheap paths it is the one nearest to
    the straight line, so on open ground it is that line. For the arguments see `reach`, which raises the same.
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
        left = best[place] - (price_of(place) or 0)
        return [
            near
            for near in board.neighbours(place)
            if near not in no_way_on and best.get(near) == left - (0 if extra is None else extra(near, place))
        ]

    last = len(straight) - 1

    def weight(place: P) -> int:
        """Return 1 on the straight line, more with each step away from it."""
        return 1 + board.distance(place, straight[min(board.distance(start, place), last)])

    _, onward = _flood(goal, cheapest_from, weight, set(), None, start, None)
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
    """Return the cost of a path without its start; a ValueError names a place that cannot be entered."""
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
    """Whether no other path is better. A search on a large map takes a hundred times as long."""
    for here, there in pairwise(straight):
        if there in closed_places or (here in stops and here != straight[0]):
            return False
        if board.cost_of(there) != 1 or board.distance(here, there) != 1:
            return False
    return True


def _ways_on(board: Board[P], start: P, stops: Collection[P]) -> Callable[[P], tuple[P, ...]]:
    no_way_on = set(stops) - {start}
    if not no_way_on:
        return board.neighbours
    return lambda place: () if place in no_way_on else board.neighbours(place)


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
                if there in shut or (there in best and (extra is None or best[there] <= total)):
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
