"""The kinds of boards, and a fight's board of any kind."""

from collections.abc import Mapping
from typing import TypeAlias, cast

from fightcall_engine.board import squares
from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.grid import GridBoard
from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.squareboard import SquareBoard
from fightcall_engine.board.squares import Square
from fightcall_engine.board.zones import ZoneBoard

AnyGrid: TypeAlias = GridBoard[Location]
"""A fight's map of equal cells of any shape."""

GRIDS: Mapping[str, type[AnyGrid]] = {board.kind: cast(type[AnyGrid], board) for board in (HexBoard, SquareBoard)}
"""The maps of equal cells, by kind."""

_KINDS: Mapping[str, type[AnyGrid] | type[ZoneBoard]] = {**GRIDS, ZoneBoard.kind: ZoneBoard}


def any_board(board: GridBoard[Hex] | GridBoard[Square] | AnyGrid | ZoneBoard) -> AnyBoard:
    """A board typed as in a fight; `resolve_place` makes sure that it only gets places of its own."""
    return cast(AnyBoard, board)


def grid_board(board: AnyBoard | None) -> AnyGrid | None:
    """The board if it is a map of equal cells, else None."""
    board_object: object = board
    return board_object if isinstance(board_object, GridBoard) else None


def hex_board(board: AnyBoard | None) -> HexBoard | None:
    """The board if it is a map of hexes, else None."""
    board_object: object = board
    return board_object if isinstance(board_object, HexBoard) else None


def zone_board(board: AnyBoard | None) -> ZoneBoard | None:
    """The board if it has zones, else None."""
    board_object: object = board
    return board_object if isinstance(board_object, ZoneBoard) else None


def directions_of(board: AnyBoard | None) -> tuple[str, ...]:
    """The names of the directions a figure can face, by number; without a board the eight of the compass."""
    return squares.DIRECTION_NAMES if board is None else board.directions


def direction_called(board: AnyBoard | None, facing: int | str) -> int:
    """The number of a direction, which may be given by its name, such as ``NE``, in any case.

    Raises:
        ValueError: the board has no such direction; lists those it has.
    """
    names = directions_of(board)
    if isinstance(facing, int):
        return facing
    word = facing.strip().upper()
    if word.isascii() and word.isdigit():
        return int(word)
    if word not in names:
        raise ValueError(f"there is no direction {facing!r} here; accepted: {', '.join(names) or 'leave it out'}")
    return names.index(word)


def direction_of(board: AnyBoard | None, facing: int | None) -> str:
    """The name of a facing; empty for none, or one that the board does not have."""
    names = directions_of(board)
    return names[facing] if facing is not None and 0 <= facing < len(names) else ""


def board_from_json(value: object) -> AnyBoard:
    """The board that `to_json` wrote, whatever its kind.

    Raises:
        ValueError: an unknown kind, or values that will not do; says what would be accepted.
    """
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"kind: there is no board of kind {kind!r}; accepted: {', '.join(_KINDS)}")
    return any_board(_KINDS[kind].from_json(value))


def resolve_place(board: AnyBoard | None, place: Location) -> Location:
    """A place of the board, from a name that a GM typed or a pair of numbers.

    Raises:
        ValueError: there is no such place; lists what is accepted.
    """
    if board is None:
        return place
    if isinstance(place, str) or board.cell is None:
        # A board whose places have names refuses numbers as it does any other name it does not know.
        return board.parse(place if isinstance(place, str) else str(list(place)))
    return board.cell(*place)
