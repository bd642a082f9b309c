"""A rectangular map of equal cells: its size, its ground and the names of its places. Subclasses define their shape.

Columns and rows count from 0. Drawing, sizing and serialising a map need no more than this.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import field, replace
from typing import ClassVar, Generic, Self, cast

from fightcall_engine.board.base import (
    OPEN,
    Cell,
    P,
    Sight,
    Terrain,
    as_mapping,
    as_number,
    as_object,
    as_text,
    as_whole,
)
from fightcall_engine.board.sight import line_of_sight
from fightcall_engine.model.values import frozen

MAX_SIDE = 500
"""The most columns or rows a map may have."""


@frozen
class GridBoard(ABC, Generic[P]):
    """A map of `cols` x `rows` cells.

    Attributes:
        kind: as in the JSON form.
        cell: the type of its places: pairs of whole numbers.
        words: the words for one cell and for several.
        directions: the names of the directions, by number, counter-clockwise from east.
        shift: the half cells by which every other row is shifted to the right.
        cols: cells in a row, 1 to `MAX_SIDE`.
        rows: rows of cells, 1 to `MAX_SIDE`.
        scale: units one cell stands for; 5 ft unless the GM says otherwise.
        unit: the unit of `scale`.
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
        _check_legend(self.legend)
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "legend", dict(self.legend))
        object.__setattr__(self, "terrain", self._checked_terrain())

    def _checked_terrain(self) -> dict[P, str]:
        """Return a copy of the terrain without open cells."""
        for place, name in self.terrain.items():
            if not self.contains(place):
                raise ValueError(f"terrain {name!r} at {self._off_map(place)}")
            if name != OPEN.name and name not in self.legend:
                accepts = ", ".join([OPEN.name, *self.legend])
                raise ValueError(f"{self.name_of(place)}: terrain {name!r} is not in the legend; accepted: {accepts}")
        return {place: name for place, name in self.terrain.items() if name != OPEN.name}

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
        """Return the cell of this name, on a map or not.

        Raises:
            ValueError: the text is no place name; says what one looks like.
        """

    @abstractmethod
    def name_of(self, place: P) -> str:
        """Return the name of a cell, such as `F5`."""

    @abstractmethod
    def step(self, place: P, direction: int) -> P:
        """Return the cell one step away in a direction, on the map or not.

        Raises:
            ValueError: there is no such direction.
        """

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
        """Return whether a cell is on the map."""
        col, row = self.offset_of(place)
        return 0 <= col < self.cols and 0 <= row < self.rows

    def _off_map(self, place: P) -> str:
        """Return the message that a cell is not on this map, with those that are."""
        return f"{self.name_of(place)} is not on the map, which has {self.extent()}"

    def places(self) -> tuple[P, ...]:
        """Return every cell of the map, row by row."""
        return tuple(self.at(col, row) for row in range(self.rows) for col in range(self.cols))

    def apart(self, a: P, b: P) -> str:
        """Return in words how many cells apart two places are."""
        count = self.distance(a, b)
        return f"{count} {self.words[count != 1]}"

    def contact(self, a: P, b: P) -> bool:
        """Return whether figures on two cells are in contact: one step apart."""
        return self.distance(a, b) == 1

    def cost_of(self, place: P) -> int | None:
        """Return the ground's cost of entering a cell; None if it blocks, and off the map."""
        name = self.terrain.get(place)
        if name is not None:
            ground = self.legend[name]
            return None if ground.blocks else ground.cost
        return OPEN.cost if self.contains(place) else None

    def terrain_at(self, place: P) -> Terrain:
        """Return the ground of a cell; off the map it is open."""
        name = self.terrain.get(place)
        return OPEN if name is None else self.legend[name]

    def ground_called(self, name: str) -> Terrain | None:
        """Return the ground of this name in the legend; None if there is none."""
        return OPEN if name == OPEN.name else self.legend.get(name)

    def with_ground(self, grounds: Mapping[P, Terrain]) -> Self:
        """Return the board with other ground on some places. A ground of a known name changes wherever it lies.

        Raises:
            ValueError: a place is off the map.
        """
        legend = {**self.legend, **{ground.name: ground for ground in grounds.values() if ground.name != OPEN.name}}
        terrain = {**self.terrain, **{place: ground.name for place, ground in grounds.items()}}
        # What was painted over everywhere goes from the legend; what never lay anywhere stays.
        gone = set(self.terrain.values()) - set(terrain.values())
        legend = {name: ground for name, ground in legend.items() if name not in gone}
        return replace(self, terrain=terrain, legend=legend)

    def sight(self, a: P, b: P) -> Sight[P]:
        """Return the line of sight from `a` to `b`."""
        return line_of_sight(self, a, b)

    def parse(self, text: str) -> P:
        """Return the cell on this map that a GM typed.

        Raises:
            ValueError: it is no place name or not on the map; says what is.
        """
        place = self.place_called(text)
        if not self.contains(place):
            raise ValueError(self._off_map(place))
        return place

    def to_json(self) -> dict[str, object]:
        """Return the board as plain JSON values; cells are listed by name under their terrain, row by row."""
        data: dict[str, object] = {
            "kind": self.kind,
            "cols": self.cols,
            "rows": self.rows,
            "scale": self.scale,
            "unit": self.unit,
        }
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
        """Return the board that `to_json` wrote; `kind`, `cols` and `rows` are enough for an open one.

        Raises:
            ValueError: a key is unknown or missing or a value is wrong; says what would be accepted.
        """
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
        """Read place names listed under terrain names; a cell has one terrain."""
        terrain: dict[P, str] = {}
        for name, places in as_mapping(value, "cells").items():
            if not isinstance(places, list):
                raise ValueError(f"cells of {name!r} must be a list of places such as F5, not {places!r}")
            for item in places:
                place = cls._place_of(item, f"a place of {name!r}")
                if place in terrain:
                    twice = f"{item} is listed under {terrain[place]!r} and again under {name!r}"
                    raise ValueError(f"{twice}; once is enough")
                terrain[place] = name
        return terrain

    @classmethod
    def _place_of(cls, value: object, what: str) -> P:
        """Return a place given by its name or as a pair of numbers, as in commands."""
        if isinstance(value, list | tuple) and len(value) == 2 and all(type(number) is int for number in value):
            return cast(P, cls.cell(*value))
        return cls.place_called(as_text(value, what))


def _check_legend(legend: Mapping[str, Terrain]) -> None:
    """Refuse a legend whose keys are not the names of its terrains, or that redefines open ground."""
    for name, ground in legend.items():
        if ground.name != name:
            raise ValueError(f"legend key {name!r} holds terrain {ground.name!r}; the key must be the terrain's name")
    if OPEN.name in legend:
        raise ValueError(f"the legend cannot hold {OPEN.name!r}: it always means open ground; use another name")
