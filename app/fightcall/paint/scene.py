"""What a board pane asks to have painted: values only, no fight and no widget."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import TypeVar

from fightcall.paint.geometry import Coords
from fightcall_engine.board.base import Cell
from fightcall_engine.board.hexes import Hex
from fightcall_engine.model.values import frozen

K = TypeVar("K")
V = TypeVar("V")


def _empty() -> Mapping[K, V]:
    return MappingProxyType({})


@frozen
class GroundCell:
    """The ground of one place.

    Attributes:
        role: Kind of ground, one of `palette.GROUNDS`; any other is painted as `floor`.
        glyph: A mark to draw on it; empty for the glyph set's own.
    """

    role: str
    glyph: str = ""


@frozen
class Token:
    """A combatant on the board.

    Attributes:
        label: One or two letters that never change during the fight; always shown.
        name: Full name; shown abbreviated where there is room.
        side: Which of the colours of sides it has: `party`, `foe` or `other`.
        facing: The direction by its name, such as NE; empty where it does not matter.
        selected: It is the one the GM has picked.
        hidden: The other side does not know of it.
        down: It is out of the fight.
        acting: It is its turn.
    """

    label: str
    name: str
    side: str
    facing: str = ""
    selected: bool = False
    hidden: bool = False
    down: bool = False
    acting: bool = False

    @property
    def role(self) -> str:
        """Its colour as themes name it, one of `palette.TOKENS`."""
        return f"{self.side}-acting" if self.acting else self.side


@frozen
class Sign:
    """Something written on a place, beneath the combatant there.

    Attributes:
        text: One or two letters.
        tone: One of `palette.TONES`; any other is painted as `plain`.
        role: Whose it is, one of `palette.TOKENS`; empty for nobody's.
        moment: It is the number of a moment to come.
        arrow: The direction of an arrow in place of a text, by its name.
    """

    text: str
    tone: str = "plain"
    role: str = ""
    moment: bool = False
    arrow: str = ""


@frozen
class BoardScene:
    """Everything on a board of hexes or squares that can be seen.

    Places are pairs: hexes axial `(q, r)`, odd rows shifted right, squares `(column, row)`.

    Attributes:
        cols: Columns of the map.
        rows: Rows of the map; places outside are void.
        shift: As in `stencil.Zoom`: 1 for hexes, 0 for squares.
        cell: What a place of the map is to the fight.
        ground: Ground by place; `floor` where nothing is said.
        tokens: Combatants by place.
        marks: What is written on places for the selected combatant.
        costs: What it costs to get to the places within reach, as text.
        path: The planned path with the cost so far at each place, as text.
        warnings: Places where stepping has a consequence (contact, reaction).
        cursor: The place the keys act on.
        fire: The line of fire.
    """

    cols: int
    rows: int
    ground: Mapping[Coords, GroundCell] = field(default_factory=_empty)
    tokens: Mapping[Coords, Token] = field(default_factory=_empty)
    costs: Mapping[Coords, str] = field(default_factory=_empty)
    path: tuple[tuple[Coords, str], ...] = ()
    warnings: Collection[Coords] = frozenset()
    cursor: Coords | None = None
    fire: Collection[Coords] = frozenset()
    marks: Mapping[Coords, Sign] = field(default_factory=_empty)
    shift: int = 1
    cell: Cell = Hex

    @property
    def is_reach_tinted(self) -> bool:
        """Whether places within reach are tinted; where they are most of the map their costs say it."""
        return 2 * len(self.costs) <= self.cols * self.rows

    def holds(self, at: Coords) -> bool:
        """Whether a place lies on the map."""
        q, r = at
        return 0 <= r < self.rows and 0 <= q + self.shift * (r // 2) < self.cols
