"""Feet are feet: a run across squares' corners covers what the scale says, as a shot does (CS-097, CS-180, L357)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.base import AnyBoard, Square
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.kit.system import ways_of
from fightcall_engine.systems.segments.state import places

from .table import Play, table


def play(board: AnyBoard, at: tuple[int, int] = (0, 0), **settings: object) -> Play:
    ash = {"move": {"full": 12}, "at": at}
    return table(board, settings=settings, ash=ash, orc={"side": "foe", "at": (39, 0)}).begin(ash=20, orc=10)


def far(at: Play) -> float:
    return float(places.distance_ft(at.state, at.one("ash"), at.one("orc")) or 0)


@pytest.mark.parametrize("scale", [5, 10])
@pytest.mark.parametrize(("to", "squares"), [((10, 0), 10.0), ((10, 10), 14.142), ((7, 3), 8.243)])
def test_cs_097_a_walk_takes_the_feet_of_its_steps(to: tuple[int, int], squares: float, scale: int) -> None:
    """CS-097, L357; put right 27: straight, across ten corners, and both."""
    at = play(SquareBoard(40, 40, scale=scale)).to("declare", "ash").do("move", who="ash", to=list(to))
    assert at.see("ash")["move_used"] == pytest.approx(squares * scale, abs=0.02)


def test_cs_097_a_walk_straight_at_a_foe_takes_what_a_shot_would() -> None:
    """CS-097, CS-250; put right 27: 25 corners are 176.8 ft, beyond 12 mph in a segment; 24 are within."""
    at = play(SquareBoard(40, 40, scale=5)).to("declare", "ash")
    at.refused("CS-097", "move", who="ash", to=[25, 25])
    at.do("move", who="ash", to=[24, 24])
    assert at.see("ash")["move_used"] == pytest.approx(24 * 5 * 2**0.5, abs=0.02)


def test_cs_230_so_does_a_run_in_the_pulses() -> None:
    """CS-230, CS-231, L357; put right 27: no Pulse carries anybody farther across corners than along edges."""
    ran = {}
    for to in ((36, 0), (30, 30)):
        at = play(SquareBoard(40, 40, scale=5), pulse_movement=True).to("declare", "ash")
        at.do("plan", who="ash", to=list(to)).to("waits")
        col, row = at.one("ash").at  # type: ignore[misc]
        ran[to] = (col**2 + row**2) ** 0.5 * 5
    assert ran[30, 30] == pytest.approx(ran[36, 0], abs=8)
    assert ran[30, 30] <= 176


def test_cs_097_hexes_have_no_corners() -> None:
    """CS-097; put right 27."""
    at = play(HexBoard(40, 40, scale=5)).to("declare", "ash").do("move", who="ash", to=[7, 7])
    assert at.see("ash")["move_used"] % 5 == 0  # type: ignore[operator]


def test_cs_097_the_screen_offers_what_can_be_walked_and_no_more() -> None:
    """CS-097; put right 27: 24 corners are in reach and 25 are not, and the price is that of the walk."""
    at = play(SquareBoard(40, 40, scale=5)).to("declare", "ash")
    ways = ways_of(at.fight.system, at.state, "ash", "walk", frozenset())
    assert ways is not None
    near = ways.in_reach()
    assert near[Square(24, 24)] == 170
    assert Square(25, 25) not in near
    assert near[Square(34, 0)] == 170
    way = ways.way_to(Square(10, 4))
    assert way is not None
    assert ways.costs_along(way)[-1] == near[Square(10, 4)] == 59
    assert max(near.values()) <= ways.budget
