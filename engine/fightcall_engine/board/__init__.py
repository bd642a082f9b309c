"""Where they stand: boards of hexes, squares and zones, paths over them, what can be seen, and maps drawn as text."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fightcall_engine.board.base import AnyBoard, Board, Cost, Location, Sight
    from fightcall_engine.board.grid import GridBoard
    from fightcall_engine.board.hexboard import HexBoard
    from fightcall_engine.board.hexes import Hex, parse_place, place_name
    from fightcall_engine.board.kinds import (
        any_board,
        board_from_json,
        directions_of,
        grid_board,
        resolve_place,
        zone_board,
    )
    from fightcall_engine.board.maps import MapError, MapProblem, MapReading, draw_map, read_map
    from fightcall_engine.board.paths import path, price, reach
    from fightcall_engine.board.sight import line_of_sight, visible
    from fightcall_engine.board.squareboard import SquareBoard
    from fightcall_engine.board.squares import Square
    from fightcall_engine.board.terrain import OPEN, Terrain
    from fightcall_engine.board.zones import Border, Zone, ZoneBoard

_HOMES = {
    "base": ("AnyBoard", "Board", "Cost", "Location", "Sight"),
    "grid": ("GridBoard",),
    "hexboard": ("HexBoard",),
    "hexes": ("Hex", "parse_place", "place_name"),
    "kinds": ("any_board", "board_from_json", "directions_of", "grid_board", "resolve_place", "zone_board"),
    "maps": ("MapError", "MapProblem", "MapReading", "draw_map", "read_map"),
    "paths": ("path", "price", "reach"),
    "sight": ("line_of_sight", "visible"),
    "squareboard": ("SquareBoard",),
    "squares": ("Square",),
    "terrain": ("OPEN", "Terrain"),
    "zones": ("Border", "Zone", "ZoneBoard"),
}

__all__ = [
    "OPEN",
    "AnyBoard",
    "Board",
    "Border",
    "Cost",
    "GridBoard",
    "Hex",
    "HexBoard",
    "Location",
    "MapError",
    "MapProblem",
    "MapReading",
    "Sight",
    "Square",
    "SquareBoard",
    "Terrain",
    "Zone",
    "ZoneBoard",
    "any_board",
    "board_from_json",
    "directions_of",
    "draw_map",
    "grid_board",
    "line_of_sight",
    "parse_place",
    "path",
    "place_name",
    "price",
    "reach",
    "read_map",
    "resolve_place",
    "visible",
    "zone_board",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for, so that a fight without a map reads no map reader."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
