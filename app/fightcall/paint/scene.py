"""What a board pane asks to have painted: values only, no fight and no widget."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

from fightcall.paint.stencil import Coords

V = TypeVar("V")


def _nothing() -> Mapping[Coords, V]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class GroundCell:
    """The ground of one hex.

    Attributes:
        role: Kind of ground, one of `palette.GROUNDS`; any other is painted as `floor`.
        glyph: A mark to draw on it; empty for the glyph set's own.
    """

    role: str
    glyph: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """A combatant on the board.

    Attributes:
        label: One or two letters that never change during the fight; always shown.
        name: Full name; shown abbreviated where there is room.
        role: Whose it is, one of `palette.TOKENS` (`party`, `foe`, `party-acting`, ...).
        facing: 0-5 for E, NE, NW, W, SW, SE, or None where it does not matter.
        selected: It is the one the GM has picked.
        hidden: The other side does not know of it.
        down: It is out of the fight.
    """

    label: str
    name: str
    role: str
    facing: int | None = None
    selected: bool = False
    hidden: bool = False
    down: bool = False


@dataclass(frozen=True, slots=True)
class BoardScene:
    """Everything on a hex board that can be seen. Hexes are axial `(q, r)`, odd rows shifted right.

    Attributes:
        cols: Columns of the map.
        rows: Rows of the map; hexes outside are void.
        ground: Ground by hex; `floor` where nothing is said.
        tokens: Combatants by hex.
        costs: What it costs to get to the hexes within reach, as text.
        path: The planned path with the cost so far at each hex, as text.
        warnings: Hexes where stepping has a consequence (contact, reaction).
        cursor: The hex the keys act on.
        fire: The line of fire.
        bands: Range band 0-3 of hexes.
    """

    cols: int
    rows: int
    ground: Mapping[Coords, GroundCell] = field(default_factory=_nothing)
    tokens: Mapping[Coords, Token] = field(default_factory=_nothing)
    costs: Mapping[Coords, str] = field(default_factory=_nothing)
    path: tuple[tuple[Coords, str], ...] = ()
    warnings: Collection[Coords] = frozenset()
    cursor: Coords | None = None
    fire: Collection[Coords] = frozenset()
    bands: Mapping[Coords, int] = field(default_factory=_nothing)

    def holds(self, at: Coords) -> bool:
        """Whether a hex lies on the map."""
        q, r = at
        return 0 <= r < self.rows and 0 <= q + (r - (r & 1)) // 2 < self.cols
