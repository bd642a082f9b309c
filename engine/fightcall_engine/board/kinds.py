"""The boards there are, told apart by their kind; and a fight's board, whose places are whatever its kind has."""

from typing import cast

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.zones import ZoneBoard

_KINDS: dict[object, type[HexBoard] | type[ZoneBoard]] = {one.kind: one for one in (HexBoard, ZoneBoard)}


def any_board(board: HexBoard | ZoneBoard) -> AnyBoard:
    """A board as a fight holds it: it answers for its own places only, and `resolved` lets no others in."""
    return cast(AnyBoard, board)


def hex_board(board: AnyBoard | None) -> HexBoard | None:
    """The board, where it is one of hexes."""
    held: object = board
    return held if isinstance(held, HexBoard) else None


def zone_board(board: AnyBoard | None) -> ZoneBoard | None:
    """The board, where it is one of zones."""
    held: object = board
    return held if isinstance(held, ZoneBoard) else None


def board_from_json(value: object) -> AnyBoard:
    """The board that `to_json` wrote, whatever its kind.

    Raises:
        ValueError: an unknown kind, or values that will not do; says what would be accepted.
    """
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"kind: there is no board of kind {kind!r}; accepted: {', '.join(map(str, _KINDS))}")
    return any_board(_KINDS[kind].from_json(value))


def resolved(board: AnyBoard | None, place: Location) -> Location:
    """A place as the board knows it: names that a GM typed are looked up, and places of another kind refused.

    Raises:
        ValueError: no such place; says what is accepted.
    """
    if board is None:
        return place
    if isinstance(place, str):
        return board.parse(place)
    if hex_board(board) is None:
        raise ValueError(f"{list(place)} is no zone; the zones are {board.extent()}")
    return Hex(*place)
