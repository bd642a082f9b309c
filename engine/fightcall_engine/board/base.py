"""The protocol of boards, whose places are hexes, squares or named zones."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.squares import Square
from fightcall_engine.board.terrain import Terrain
from fightcall_engine.model.values import frozen

P = TypeVar("P", bound=Hashable)
"""A place: any hashable value that the board of its kind understands."""

if TYPE_CHECKING:
    Location: TypeAlias = Hex | Square | str
    Facing: TypeAlias = int
else:
    # Written down, a hex and a square are both a pair of numbers. To a reader of annotations a pair is a hex, until
    # the board it is read for makes it one of its own (`kinds.resolve_place`).
    Location = Hex | str
    # A direction may be written by its name, such as NE, until the board gives it its number (`kinds.direction`).
    Facing = int | str
"""A place: a hex, a square, or the name of a zone."""

Cell: TypeAlias = type[Hex] | type[Square]
"""The type of a board's places, if they are pairs of numbers."""

Cost: TypeAlias = Callable[[P], int | None]
"""The cost of entering a place, 0 or more; None if it cannot be entered."""


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
        """Return the board with other ground on some places. A ground of a known name changes wherever it lies.

        Raises:
            ValueError: a place is not on the board.
        """

    def sight(self, a: P, b: P) -> Sight[P]:
        """Return the line of sight from `a` to `b`."""

    def name_of(self, place: P) -> str:
        """Return the name a GM reads and types for a place."""

    def parse(self, text: str) -> P:
        """Return the place on this board that a GM typed.

        Raises:
            ValueError: no such place; says what is accepted.
        """

    def to_json(self) -> dict[str, object]:
        """Return the whole board as plain JSON values, `kind` among them."""


if TYPE_CHECKING:
    AnyBoard: TypeAlias = Board[Location]
else:
    # Boards are read by hand; to a reader of annotations they are any value.
    AnyBoard = object
