"""A rectangular map of hexes."""

from typing import ClassVar

from fightcall_engine.board import hexes
from fightcall_engine.board.grid import GridBoard
from fightcall_engine.board.hexes import Hex
from fightcall_engine.model.values import frozen


@frozen
class HexBoard(GridBoard[Hex]):
    """A map of `cols` x `rows` pointy-top hexes, odd rows pushed half a hex to the right."""

    kind: ClassVar[str] = "hex"
    cell: ClassVar[type[Hex]] = Hex
    words: ClassVar[tuple[str, str]] = ("hex", "hexes")
    directions: ClassVar[tuple[str, ...]] = hexes.DIRECTION_NAMES
    shift: ClassVar[int] = 1

    def at(self, col: int, row: int) -> Hex:
        """Return the hex at a column and row, on the map or not."""
        return hexes.from_offset(col, row)

    def offset_of(self, place: Hex) -> tuple[int, int]:
        """Return the column and row of a hex."""
        return hexes.to_offset(place)

    @classmethod
    def place_called(cls, text: str) -> Hex:
        """Return the hex of this name, on a map or not."""
        return hexes.parse_place(text)

    def name_of(self, place: Hex) -> str:
        """Return the name of a hex, such as `F5`."""
        return hexes.place_name(place)

    def step(self, place: Hex, direction: int) -> Hex:
        """Return the hex one step away in a direction."""
        return hexes.step(place, direction)

    def contains(self, place: Hex) -> bool:
        """Return whether a hex is on the map."""
        q, r = place
        return 0 <= r < self.rows and 0 <= q + r // 2 < self.cols

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
        """Return the distance in whole hexes."""
        return hexes.distance(a, b)

    def length(self, a: Hex, b: Hex) -> float:
        """Return the distance in `unit`: hexes times their scale."""
        return hexes.distance(a, b) * self.scale

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
