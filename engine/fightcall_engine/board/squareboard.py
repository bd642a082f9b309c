"""A rectangular map of squares."""

from math import hypot
from typing import ClassVar

from fightcall_engine.board import squares
from fightcall_engine.board.grid import GridBoard
from fightcall_engine.board.squares import Square
from fightcall_engine.model.values import frozen


@frozen
class SquareBoard(GridBoard[Square]):
    """A map of `cols` x `rows` squares that touch along edges and at corners."""

    kind: ClassVar[str] = "square"
    cell: ClassVar[type[Square]] = Square
    words: ClassVar[tuple[str, str]] = ("square", "squares")
    directions: ClassVar[tuple[str, ...]] = squares.DIRECTION_NAMES
    shift: ClassVar[int] = 0

    def at(self, col: int, row: int) -> Square:
        """Return the square at a column and row, on the map or not."""
        return Square(col, row)

    def offset_of(self, place: Square) -> tuple[int, int]:
        """Return the column and row of a square."""
        return place.col, place.row

    @classmethod
    def place_called(cls, text: str) -> Square:
        """Return the square of this name, on a map or not."""
        return squares.parse_place(text)

    def name_of(self, place: Square) -> str:
        """Return the name of a square, such as `F5`."""
        return squares.place_name(place)

    def step(self, place: Square, direction: int) -> Square:
        """Return the square one step away in a direction."""
        return squares.step(place, direction)

    def contains(self, place: Square) -> bool:
        """Return whether a square is on the map."""
        col, row = place
        return 0 <= col < self.cols and 0 <= row < self.rows

    def neighbours(self, place: Square) -> tuple[Square, ...]:
        """Return the squares on the map that touch `place`, corners too, counter-clockwise from east."""
        near = self._near.get(place)
        if near is None:
            near = self._near[place] = tuple(filter(self.contains, squares.neighbours(place)))
        return near

    def distance(self, a: Square, b: Square) -> int:
        """Return the distance in whole squares; a diagonal step is one."""
        return squares.distance(a, b)

    def length(self, a: Square, b: Square) -> float:
        """Return the straight distance in `unit` from middle to middle, for ranged attacks."""
        return hypot(b.col - a.col, b.row - a.row) * self.scale

    def line(self, a: Square, b: Square) -> tuple[Square, ...]:
        """Return the straight line from `a` to `b`, both included; it leaves the map only if they do."""
        return squares.line(a, b)

    def corridor(self, a: Square, b: Square) -> tuple[tuple[Square, ...], ...]:
        """Return every square that line passes through; two abreast where it goes exactly through a corner."""
        return squares.corridor(a, b)

    def bearing(self, a: Square, b: Square) -> int | None:
        """Return the octant, 0 (E) to 7 (SE), that leads from `a` to `b`; None for the same square."""
        return squares.bearing(a, b)
