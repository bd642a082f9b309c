"""What every board answers, whatever its places are: hexes, squares or named zones."""

from collections.abc import Callable, Hashable, Iterable
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
"""Where somebody is: a hex, a square, or a zone by its name."""

Cell: TypeAlias = type[Hex] | type[Square]
"""What the places of a board are where they are pairs of numbers."""

Cost: TypeAlias = Callable[[P], int | None]
"""What entering a place costs, 0 or more; None where it cannot be entered."""


@frozen
class Sight(Generic[P]):
    """What lies on the line between two places.

    Attributes:
        clear: nothing on the way blocks the line.
        blocked_by: the first place that blocks it, seen from the first end; None when clear.
        cells: every place the line touches, both ends included, in order; where it runs between two, both.
    """

    clear: bool
    blocked_by: P | None
    cells: tuple[P, ...]


class Board(Protocol[P]):
    """Where a fight stands. Boards are immutable values; the same question always gets the same answer."""

    def __hash__(self) -> int:
        """As of any value, so that what a board alone tells can be kept by it."""

    @property
    def kind(self) -> str:
        """The board's kind, as `kind` in its JSON form: `hex`, `square` or `zone`."""

    @property
    def scale(self) -> float:
        """How many units one step of distance stands for."""

    @property
    def unit(self) -> str:
        """The unit of `scale`, such as `ft`."""

    @property
    def cell(self) -> Cell | None:
        """The type of its places where they are pairs of numbers, None where they are names."""

    @property
    def words(self) -> tuple[str, str]:
        """What one place is called, and several."""

    @property
    def directions(self) -> tuple[str, ...]:
        """The names of the directions a figure can face, by their numbers; none where there are no directions."""

    @property
    def holds_several(self) -> bool:
        """True where one place has room for several figures."""

    def contains(self, place: P) -> bool:
        """Tell whether a place is on the board."""

    def extent(self) -> str:
        """Say in a few words which places the board has, for a refusal that lists what is accepted."""

    def places(self) -> Iterable[P]:
        """Return every place of the board, always in the same order."""

    def neighbours(self, place: P) -> tuple[P, ...]:
        """Return the places on the board one step away, always in the same order; steps lead both ways."""

    def distance(self, a: P, b: P) -> int:
        """Return how many steps apart two places are, whatever stands between them."""

    def length(self, a: P, b: P) -> float:
        """Return how far apart two places are in `unit`, whatever stands between them."""

    def apart(self, a: P, b: P) -> str:
        """Say in words how far apart two places are, such as `3 hexes`."""

    def line(self, a: P, b: P) -> tuple[P, ...]:
        """Return a straight line of neighbouring places from `a` to `b`, both included."""

    def corridor(self, a: P, b: P) -> tuple[tuple[P, ...], ...]:
        """Return every place on that line in order, those it runs between abreast; reversed, the way back."""

    def bearing(self, a: P, b: P) -> int | None:
        """Return the direction from `a` to `b` as the board numbers them, None where there is none."""

    def contact(self, a: P, b: P) -> bool | None:
        """Tell whether figures on two places touch; None where the board cannot tell and the GM declares it."""

    def cost_of(self, place: P) -> int | None:
        """Return what the ground asks for entering a place; None where nobody can."""

    def terrain_at(self, place: P) -> Terrain:
        """Return the ground at a place; off the board it is open."""

    def sight(self, a: P, b: P) -> Sight[P]:
        """Return what lies on the line from `a` to `b`."""

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
