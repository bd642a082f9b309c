"""A rectangular map of hexes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from fightcall_engine.board import hexes, plain
from fightcall_engine.board.base import Sight
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.sight import line_of_sight
from fightcall_engine.board.terrain import OPEN, Terrain

MAX_SIDE = 500
"""The most columns or rows a map may have."""


@dataclass(frozen=True, slots=True)
class HexBoard:
    """A map of `cols` x `rows` pointy-top hexes, odd rows pushed half a hex to the right.

    Attributes:
        cols: hexes in a row, 1 to `MAX_SIDE`.
        rows: rows of hexes, 1 to `MAX_SIDE`.
        scale: units one hex stands for; 5 ft unless the GM says otherwise (SB-02).
        unit: the unit of `scale`.
        terrain: the name of the ground of each hex that is not open.
        legend: the ground behind each name; `open` is known without it.

    Raises:
        ValueError: a size or the scale is out of range, terrain lies off the map or is not in the legend.
    """

    kind: ClassVar[str] = "hex"
    holds_several: ClassVar[bool] = False

    cols: int
    rows: int
    scale: float = 5.0
    unit: str = "ft"
    terrain: Mapping[Hex, str] = field(default_factory=dict, hash=False)
    legend: Mapping[str, Terrain] = field(default_factory=dict, hash=False)
    _near: dict[Hex, tuple[Hex, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        plain.as_whole(self.cols, "cols", 1, MAX_SIDE)
        plain.as_whole(self.rows, "rows", 1, MAX_SIDE)
        plain.as_text(self.unit, "unit")
        scale = plain.as_number(self.scale, "scale")
        if scale <= 0:
            raise ValueError(f"scale must be more than 0, not {self.scale!r}")
        _check_legend(self.legend)
        object.__setattr__(self, "scale", scale)
        object.__setattr__(self, "legend", dict(self.legend))
        object.__setattr__(self, "terrain", self._checked_terrain())

    def _checked_terrain(self) -> dict[Hex, str]:
        """Return our own copy of the terrain, without the hexes that are open anyway."""
        for place, name in self.terrain.items():
            if not self.contains(place):
                raise ValueError(f"terrain {name!r} at {self._off_map(place)}")
            if name != OPEN.name and name not in self.legend:
                accepted = ", ".join([OPEN.name, *self.legend])
                raise ValueError(
                    f"{hexes.place_name(place)}: terrain {name!r} is not in the legend; accepted: {accepted}"
                )
        return {place: name for place, name in self.terrain.items() if name != OPEN.name}

    def _off_map(self, place: Hex) -> str:
        """Say that a hex is not on this map and which ones are."""
        return f"{hexes.place_name(place)} is not on the map; {self.extent()} are"

    def extent(self) -> str:
        """Say which hexes the map has, by its first and last, such as `A1 to T15`."""
        return f"A1 to {hexes.place_name(hexes.from_offset(self.cols - 1, self.rows - 1))}"

    def contains(self, place: Hex) -> bool:
        """Tell whether a hex is on the map."""
        q, r = place
        return 0 <= r < self.rows and 0 <= q + r // 2 < self.cols

    def places(self) -> tuple[Hex, ...]:
        """Return every hex of the map, row by row."""
        return tuple(hexes.from_offset(col, row) for row in range(self.rows) for col in range(self.cols))

    def neighbours(self, place: Hex) -> tuple[Hex, ...]:
        """Return the hexes on the map that touch `place`, counter-clockwise from east."""
        near = self._near.get(place)
        if near is None:
            q, r = place
            # The test of `contains`, spelt out: the first walk over a map asks it of every edge.
            near = self._near[place] = tuple(
                Hex(q + dq, r + dr)
                for dq, dr in hexes.DIRECTIONS
                if 0 <= r + dr < self.rows and 0 <= q + dq + (r + dr) // 2 < self.cols
            )
        return near

    def distance(self, a: Hex, b: Hex) -> int:
        """Return the distance in whole hexes (SB-01)."""
        return hexes.distance(a, b)

    def apart(self, a: Hex, b: Hex) -> str:
        """Say how many hexes apart two places are."""
        count = self.distance(a, b)
        return f"{count} {'hex' if count == 1 else 'hexes'}"

    def line(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """Return the straight line from `a` to `b`, both included; it leaves the map only if they do."""
        return tuple(abreast[0] for abreast in self.corridor(a, b))

    def corridor(self, a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
        """Return that line, one entry a step: two hexes where it runs exactly between two of the map."""
        return tuple(
            tuple(filter(self.contains, abreast)) or abreast if len(abreast) > 1 else abreast
            for abreast in hexes.corridor(a, b)
        )

    def bearing(self, a: Hex, b: Hex) -> int | None:
        """Return the direction, 0 (E) to 5 (SE), that leads from `a` to `b`; None for the same hex."""
        return hexes.bearing(a, b)

    def contact(self, a: Hex, b: Hex) -> bool:
        """Tell whether figures on two hexes are in contact: distance 1 (SB-03)."""
        return hexes.distance(a, b) == 1

    def cost_of(self, place: Hex) -> int | None:
        """Return what the ground asks for entering a hex; None where it blocks and off the map."""
        name = self.terrain.get(place)
        if name is not None:
            ground = self.legend[name]
            return None if ground.blocks else ground.cost
        return OPEN.cost if self.contains(place) else None

    def terrain_at(self, place: Hex) -> Terrain:
        """Return the ground of a hex; off the map it is open."""
        name = self.terrain.get(place)
        return OPEN if name is None else self.legend[name]

    def sight(self, a: Hex, b: Hex) -> Sight[Hex]:
        """Return what lies on the line from `a` to `b`."""
        return line_of_sight(self, a, b)

    def name_of(self, place: Hex) -> str:
        """Return the name of a hex, such as `F5`."""
        return hexes.place_name(place)

    def parse(self, text: str) -> Hex:
        """Return the hex on this map that a GM typed.

        Raises:
            ValueError: it is no place name or not on the map; says what is.
        """
        place = hexes.parse_place(text)
        if not self.contains(place):
            raise ValueError(self._off_map(place))
        return place

    def to_json(self) -> dict[str, object]:
        """Return the board as plain JSON values; hexes are listed by name under their terrain, row by row."""
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
            for place in sorted(self.terrain, key=lambda place: (place.r, place.q)):
                cells.setdefault(self.terrain[place], []).append(hexes.place_name(place))
            data["cells"] = cells
        return data

    @classmethod
    def from_json(cls, value: object) -> "HexBoard":
        """Return the board that `to_json` wrote; `kind`, `cols` and `rows` are enough for an open one.

        Raises:
            ValueError: a key is unknown or missing or a value is wrong; says what would be accepted.
        """
        optional = ("scale", "unit", "legend", "cells")
        data = plain.as_object(value, "hex board", required=("kind", "cols", "rows"), optional=optional)
        if data["kind"] != cls.kind:
            raise ValueError(f"kind must be {cls.kind!r}, not {data['kind']!r}")
        legend = plain.as_mapping(data.get("legend", {}), "legend")
        return cls(
            cols=plain.as_whole(data["cols"], "cols", 1, MAX_SIDE),
            rows=plain.as_whole(data["rows"], "rows", 1, MAX_SIDE),
            scale=plain.as_number(data.get("scale", 5.0), "scale"),
            unit=plain.as_text(data.get("unit", "ft"), "unit"),
            terrain=_read_cells(data.get("cells", {})),
            legend={name: Terrain.from_json(name, ground) for name, ground in legend.items()},
        )


def _check_legend(legend: Mapping[str, Terrain]) -> None:
    """Refuse a legend whose keys are not the names of its terrains, or that redefines open ground."""
    for name, ground in legend.items():
        if ground.name != name:
            raise ValueError(f"legend key {name!r} holds terrain {ground.name!r}; the key must be the terrain's name")
    if OPEN.name in legend:
        raise ValueError(f"the legend cannot hold {OPEN.name!r}: it always means open ground; use another name")


def _read_cells(value: object) -> dict[Hex, str]:
    """Read place names listed under terrain names; a hex has one terrain."""
    terrain: dict[Hex, str] = {}
    for name, listed in plain.as_mapping(value, "cells").items():
        if not isinstance(listed, list):
            raise ValueError(f"cells of {name!r} must be a list of places such as F5, not {listed!r}")
        for text in listed:
            place = hexes.parse_place(plain.as_text(text, f"a place of {name!r}"))
            if place in terrain:
                raise ValueError(f"{text} is listed under {terrain[place]!r} and again under {name!r}; once is enough")
            terrain[place] = name
    return terrain
