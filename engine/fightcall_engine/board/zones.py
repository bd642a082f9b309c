"""Zones: named areas joined by borders, without places inside them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from itertools import combinations, pairwise
from typing import Any, ClassVar, cast

from fightcall_engine.board.base import (
    OPEN,
    Sight,
    Terrain,
    as_flag,
    as_mapping,
    as_number,
    as_object,
    as_text,
    as_whole,
)
from fightcall_engine.model.values import frozen, replace

MOST_ZONES = 52
"""The number of letters, upper and lower case, to draw them with."""
LONGEST_NAME = 40
MAX_PLAN = 200
"""The most cells across or down that a floor plan may have."""


@frozen
class Zone:
    """One named area and its rectangle on the floor plan, in cells of the plan.

    Attributes:
        name: its name, unique on its board without regard to case.
        col: the column of its left edge, from 0.
        row: the row of its upper edge, from 0.
        cols: cells across, 1 or more.
        rows: cells down, 1 or more.
        ground: its terrain; open by default.

    Raises:
        ValueError: a value is out of its range.
    """

    name: str
    col: int
    row: int
    cols: int = 1
    rows: int = 1
    ground: Terrain = OPEN

    def __post_init__(self) -> None:
        what = f"zone {as_text(self.name, 'zone name')!r}"
        if len(self.name) > LONGEST_NAME or not self.name.isprintable() or self.name != self.name.strip():
            raise ValueError(f"{what}: a name is at most {LONGEST_NAME} visible characters without spaces at its ends")
        as_whole(self.col, f"{what}: col", 0, MAX_PLAN - 1)
        as_whole(self.row, f"{what}: row", 0, MAX_PLAN - 1)
        as_whole(self.cols, f"{what}: cols", 1, MAX_PLAN - self.col)
        as_whole(self.rows, f"{what}: rows", 1, MAX_PLAN - self.row)
        if not self.ground.to_json():
            object.__setattr__(self, "ground", OPEN)

    def overlaps(self, other: "Zone") -> bool:
        """Return whether two rectangles share a cell."""
        return self._is_level(other) and self._is_plumb(other)

    def _is_level(self, other: "Zone") -> bool:
        return self.row < other.row + other.rows and other.row < self.row + self.rows

    def _is_plumb(self, other: "Zone") -> bool:
        return self.col < other.col + other.cols and other.col < self.col + self.cols

    def touches(self, other: "Zone") -> bool:
        """Return whether two rectangles share part of an edge; a corner is not enough."""
        is_horizontal = self.col + self.cols == other.col or other.col + other.cols == self.col
        above = self.row + self.rows == other.row or other.row + other.rows == self.row
        return (is_horizontal and self._is_level(other)) or (above and self._is_plumb(other))

    def to_json(self) -> dict[str, object]:
        """Return the zone as plain JSON values; open ground is left out."""
        data: dict[str, object] = {"name": self.name, "col": self.col, "row": self.row}
        data |= {"cols": self.cols, "rows": self.rows}
        ground = self.ground.to_json()
        if ground and self.ground.name != self.name:
            ground["name"] = self.ground.name
        return {**data, "ground": ground} if ground else data

    @classmethod
    def from_json(cls, value: object) -> "Zone":
        """Return the zone that `to_json` wrote; a ValueError says what would be accepted."""
        data = as_object(value, "zone", required=("name", "col", "row"), optional=("cols", "rows", "ground"))
        name = as_text(data["name"], "zone name")
        ground = as_mapping(data.get("ground", {}), f"ground of zone {name!r}")
        ground_name = as_text(ground.pop("name", name), f"name of the ground of zone {name!r}")
        sizes = {key: data[key] for key in ("col", "row", "cols", "rows") if key in data}
        terrain = Terrain.from_json(ground_name, ground) if ground else OPEN
        return cls(name, **cast("dict[str, Any]", sizes), ground=terrain)


@frozen
class Border:
    """A passage between two zones, in both directions."""

    a: str
    b: str
    blocks_sight: bool = False

    def __iter__(self) -> Iterator[str]:
        """The names of the two zones."""
        return iter((self.a, self.b))

    def to_json(self) -> dict[str, object]:
        """Return the border as plain JSON values."""
        data: dict[str, object] = {"between": [self.a, self.b]}
        return {**data, "blocks_sight": True} if self.blocks_sight else data

    @classmethod
    def from_json(cls, value: object) -> "Border":
        """Return the border that `to_json` wrote; a ValueError says what would be accepted."""
        data = as_object(value, "border", required=("between",), optional=("blocks_sight",))
        ends = data["between"]
        if not isinstance(ends, list) or len(ends) != 2:
            raise ValueError(f"border: between must be two zones' names, not {ends!r}")
        first, second = (as_text(end, "a zone of a border") for end in ends)
        return cls(first, second, as_flag(data.get("blocks_sight", False), "border: blocks_sight"))


@frozen
class ZoneBoard:
    """A floor plan of zones. A place is a zone's name; several may stand in one.

    Attributes:
        zones: the areas, in the order in which they are listed and drawn.
        borders: the passages between them.
        scale: units from one zone to the next; 30 ft by default.

    Raises:
        ValueError: no zone or too many, clashing names or rectangles, or an invalid border.
    """

    kind: ClassVar[str] = "zone"
    cell: ClassVar[None] = None
    words: ClassVar[tuple[str, str]] = ("zone", "zones")
    directions: ClassVar[tuple[str, ...]] = ()
    holds_several: ClassVar[bool] = True

    zones: tuple[Zone, ...]
    borders: tuple[Border, ...] = ()
    scale: float = 30.0
    unit: str = "ft"
    _named: dict[str, Zone] = field(default_factory=dict, init=False, repr=False, compare=False)
    _near: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _known_routes: dict[tuple[str, bool], dict[str, tuple[str, ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        scale = as_number(self.scale, "scale")
        if scale <= 0:
            raise ValueError(f"scale must be more than 0, not {self.scale!r}")
        object.__setattr__(self, "scale", scale)
        as_text(self.unit, "unit")
        object.__setattr__(self, "zones", tuple(self.zones))
        object.__setattr__(self, "borders", tuple(self.borders))
        if not 1 <= len(self.zones) <= MOST_ZONES:
            raise ValueError(f"{len(self.zones)} zones; a board has 1 to {MOST_ZONES}")
        for place, zone in enumerate(self.zones):
            for before in self.zones[:place]:
                if zone.name.casefold() == before.name.casefold():
                    raise ValueError(f"two zones are named {zone.name!r}; each needs its own name")
                if zone.overlaps(before):
                    raise ValueError(f"zones {before.name!r} and {zone.name!r} overlap on the plan")
        self._named.update((zone.name, zone) for zone in self.zones)
        _check_borders(self.borders, self._named)
        neighbours = {end: {other for ends in self.borders if end in ends for other in ends} for end in self._named}
        for zone in self.zones:
            self._near[zone.name] = tuple(
                other.name for other in self.zones if other is not zone and other.name in neighbours[zone.name]
            )

    def zone(self, place: str) -> Zone:
        """Return the zone of this name. KeyError if it is not on the board."""
        return self._named[place]

    def border(self, a: str, b: str) -> Border | None:
        """Return the border between two zones, if there is one."""
        return next((border for border in self.borders if {border.a, border.b} == {a, b}), None)

    def extent(self) -> str:
        return ", ".join(self._named)

    def contains(self, place: str) -> bool:
        return place in self._named

    def places(self) -> tuple[str, ...]:
        return tuple(self._named)

    def neighbours(self, place: str) -> tuple[str, ...]:
        return self._near.get(place, ())

    def distance(self, a: str, b: str) -> int:
        """Return the borders between two zones; more than the board has if they are not connected."""
        return len(self._routes(a).get(b, ())) or (0 if a == b else MOST_ZONES)

    def length(self, a: str, b: str) -> float:
        return self.distance(a, b) * self.scale

    def apart(self, a: str, b: str) -> str:
        """Return in words how many zones away another is, or that it is the same or nothing leads there."""
        count = self.distance(a, b)
        if count == 0:
            return "the same zone"
        return f"{count} {self.words[count != 1]}" if count < MOST_ZONES else "not connected"

    def line(self, a: str, b: str) -> tuple[str, ...]:
        """Return the zones on a shortest path, both ends included; only the ends if they are not connected."""
        if a == b:
            return (a,)
        return (a, *(self._routes(a).get(b) or (b,)))

    def corridor(self, a: str, b: str) -> tuple[tuple[str, ...], ...]:
        """Return that path, with one entry a step; symmetric."""
        first, second = sorted((a, b), key=self.places().index)
        way = tuple((place,) for place in self.line(first, second))
        return way if first == a else way[::-1]

    def bearing(self, a: str, b: str) -> int | None:
        """Return None: zones have no directions."""
        return None

    def contact(self, a: str, b: str) -> bool | None:
        """Return False between zones; within one the GM declares it."""
        return None if a == b else False

    def cost_of(self, place: str) -> int | None:
        zone = self._named.get(place)
        return None if zone is None or zone.ground.blocks else zone.ground.cost

    def terrain_at(self, place: str) -> Terrain:
        zone = self._named.get(place)
        return OPEN if zone is None else zone.ground

    def ground_called(self, name: str) -> Terrain | None:
        if name == OPEN.name:
            return OPEN
        return next((zone.ground for zone in self.zones if zone.ground.name == name), None)

    def with_ground(self, grounds: Mapping[str, Terrain]) -> "ZoneBoard":
        """Return the board with other ground in some zones: one of a known name everywhere. ValueError for no zone."""
        if unknown := next((name for name in grounds if name not in self._named), None):
            raise ValueError(f"{unknown!r} isn't a zone; the zones are {self.extent()}")
        changed = {ground.name: ground for ground in grounds.values()}
        zones = tuple(
            replace(zone, ground=grounds.get(zone.name, changed.get(zone.ground.name, zone.ground)))
            for zone in self.zones
        )
        return replace(self, zones=zones)

    def with_passage(self, a: str, b: str, border: Border | None) -> "ZoneBoard":
        """Return the board with another border between two zones, or none."""
        borders = tuple(other for other in self.borders if {other.a, other.b} != {a, b})
        return replace(self, borders=(*borders, *([border] if border is not None else [])))

    def sight(self, a: str, b: str) -> Sight[str]:
        """Return the line of sight between two zones, which is clear if it is on any shortest path."""
        cells = tuple(place for abreast in self.corridor(a, b) for place in abreast)
        if a == b or len(self._routes(a, seeing=True).get(b, ())) == self.distance(a, b):
            return Sight(clear=True, blocked_by=None, cells=cells)
        for here, there in pairwise(cells):
            border = self.border(here, there)
            is_behind = there not in (a, b) and self.terrain_at(there).blocks_sight
            if border is None or border.blocks_sight or is_behind:
                return Sight(clear=False, blocked_by=there, cells=cells)
        return Sight(clear=False, blocked_by=b, cells=cells)

    def sees(self, a: str, b: str) -> bool:
        return self.sight(a, b).clear

    def _routes(self, start: str, *, seeing: bool = False) -> dict[str, tuple[str, ...]]:
        if start not in self._named:
            return {start: ()}
        # Cached, as distances and sight are asked for after every event.
        if (start, seeing) not in self._known_routes:
            routes: dict[str, tuple[str, ...]] = {start: ()}
            ends = [start]
            for here in ends:
                if seeing and here != start and self.terrain_at(here).blocks_sight:
                    continue
                for there in self.neighbours(here):
                    border = self.border(here, there)
                    if there in routes or (seeing and border is not None and border.blocks_sight):
                        continue
                    routes[there] = (*routes[here], there)
                    ends.append(there)
            self._known_routes[start, seeing] = routes
        return self._known_routes[start, seeing]

    def name_of(self, place: str) -> str:
        """Return the name of a zone: the place itself."""
        return place

    def parse(self, text: str) -> str:
        """Return the zone that a GM typed: its name in any case, or the beginning of only one; else a ValueError."""
        word = text.strip().casefold()
        exact = [name for name in self._named if name.casefold() == word]
        matches = exact or [name for name in self._named if word and name.casefold().startswith(word)]
        if len(matches) != 1:
            problem = f"{text!r} isn't a zone" if not matches else f"{text!r} could be {' or '.join(matches)}"
            raise ValueError(f"{problem}; the zones are {self.extent()}")
        return matches[0]

    def to_json(self) -> dict[str, object]:
        """Return the board as plain JSON values."""
        return {
            "kind": self.kind,
            "scale": self.scale,
            "unit": self.unit,
            "zones": [zone.to_json() for zone in self.zones],
            "borders": [border.to_json() for border in self.borders],
        }

    @classmethod
    def from_json(cls, value: object) -> "ZoneBoard":
        """Return the board that `to_json` wrote: at least `kind` and `zones`, which are joined where they touch."""
        optional = ("scale", "unit", "borders")
        data = as_object(value, "zone board", required=("kind", "zones"), optional=optional)
        if data["kind"] != cls.kind:
            raise ValueError(f"kind must be {cls.kind!r}, not {data['kind']!r}")
        zones = tuple(map(Zone.from_json, _as_list(data["zones"], "zones")))
        listed = data.get("borders")
        borders = touching(zones) if listed is None else tuple(map(Border.from_json, _as_list(listed, "borders")))
        scale = as_number(data.get("scale", 30.0), "scale")
        return cls(zones, borders, scale, as_text(data.get("unit", "ft"), "unit"))


def touching(zones: Iterable[Zone]) -> tuple[Border, ...]:
    """Return a border for every two zones that share part of an edge on the floor plan."""
    return tuple(Border(zone.name, other.name) for zone, other in combinations(zones, 2) if zone.touches(other))


def _as_list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{what} must be a list, not {value!r}")
    return value


def _check_borders(borders: tuple[Border, ...], by_name: Mapping[str, Zone]) -> None:
    seen: set[frozenset[str]] = set()
    for border in borders:
        for end in border:
            if end not in by_name:
                raise ValueError(f"a border leads to {end!r}, which isn't a zone; accepted: {', '.join(by_name)}")
        pair = frozenset(border)
        if len(pair) != 2:
            raise ValueError(f"a border joins {border.a!r} to itself; it needs two zones")
        if pair in seen:
            raise ValueError(f"{border.a!r} and {border.b!r} are joined twice; once is enough")
        seen.add(pair)
