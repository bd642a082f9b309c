"""A small board of each kind, for tests that must hold on all of them."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board
from fightcall_engine.board.zones import Zone, ZoneBoard, touching

_SIZE = 6
_ZONES = tuple(
    Zone(name, number % 3, number // 3) for number, name in enumerate(("Hall", "Yard", "Loft", "Pit", "Well"))
)

GROUNDS: Mapping[str, AnyBoard] = {
    "hex": any_board(HexBoard(_SIZE, _SIZE)),
    "square": any_board(SquareBoard(_SIZE, _SIZE)),
    "zone": any_board(ZoneBoard(_ZONES, touching(_ZONES))),
}
"""The boards by their kinds."""
