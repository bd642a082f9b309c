"""Lines of sight over ground that may block them."""

from fightcall_engine.board.base import Board, P, Sight

__all__ = ["Sight", "line_of_sight", "visible"]


def line_of_sight(board: Board[P], a: P, b: P) -> Sight[P]:
    """Return the line of sight between two places, which any place in between can block.

    The two ends never block. Where the line runs exactly between two places it is blocked only if both block.
    It is symmetric: whoever can be seen can see.
    """
    corridor = board.corridor(a, b)
    blocked_by = None
    for abreast in corridor[1:-1]:
        if all(board.terrain_at(place).blocks_sight for place in abreast):
            blocked_by = abreast[0]
            break
    cells = tuple(place for abreast in corridor for place in abreast)
    return Sight(clear=blocked_by is None, blocked_by=blocked_by, cells=cells)


def visible(board: Board[P], a: P, radius: int) -> frozenset[P]:
    """Return the places at most `radius` steps from `a` that can be seen from it, itself included."""
    return frozenset(
        place for place in board.places() if board.distance(a, place) <= radius and line_of_sight(board, a, place).clear
    )
