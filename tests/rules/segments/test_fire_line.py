"""The line of a declared shot on the board: bands, where a miss flies on, who stands there (CS-251, CS-267, CS-525)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import SquareBoard, any_board

from ..once import played_once
from .table import Play, table

BOW = {"name": "bow", "kind": "missile", "family": "shortbow", "hand": "2", "av": 40, "two_handed": True}
"""In squares of 5 ft, at STR 13: point-blank to 6, short to 25, medium to 33, long to 42 (CS-268, CS-274)."""
ARCHER = {"at": (0, 0), "weapons": [BOW], "hands": {"R": "bow", "L": "bow", "two_handed": True}}
WALL = {"wall": Terrain("wall", blocks=True, blocks_sight=True, glyph="#")}


@played_once
def aimed(at: int = 30, wall: tuple[int, int] | None = None, **others: object) -> Play:
    """Ash aims along the first row at an orc so many squares away."""
    places = {Square(*wall): "wall"} if wall is not None else {}
    board = any_board(SquareBoard(60, 9, scale=5, unit="ft", legend=WALL, terrain=places))
    play = table(board, ash=ARCHER, orc={"side": "foe", "at": (at, 0)}, **others)  # type: ignore[arg-type]
    play.begin().to("declare", "ash")
    return play.do("declare", who="ash", action="shoot", target="orc", force=True)


def shown(play: Play) -> dict[tuple[int, int], tuple[str, str]]:
    marks = play.fight.system.marks(play.state, "ash")
    return {(mark.at[0], mark.at[1]): (mark.text, mark.tone) for mark in marks if mark.text}  # type: ignore[misc]


def aloud(play: Play) -> list[str]:
    return [mark.label for mark in play.fight.system.marks(play.state, "ash") if mark.aloud]


def test_cs_267_a_letter_where_a_band_begins() -> None:
    """CS-267, CS-274: every other place of the line is the line's own."""
    line = shown(aimed())
    letters = {x: text for (x, _), (text, tone) in line.items() if tone == "info" and text != "*"}
    assert letters == {1: "P", 7: "S", 26: "M"}
    assert line[2, 0] == ("*", "info")
    assert aloud(aimed()) == ["Orc: medium, 50 yd"]


@pytest.mark.parametrize(("target", "last"), [(30, 33), (20, 25), (40, 42)], ids=["medium", "short", "long"])
def test_cs_527_a_miss_flies_on_to_the_end_of_the_band(target: int, last: int) -> None:
    """CS-527: behind the target as far as its band goes, and no further."""
    beyond = [x for (x, _), (text, _) in shown(aimed(target)).items() if text == "-"]
    assert beyond == list(range(target + 1, last + 1))


@pytest.mark.parametrize(("at", "mark"), [((32, 0), "!"), ((32, 2), ""), ((35, 0), "")])
def test_cs_525_who_stands_in_line_is_marked(at: tuple[int, int], mark: str) -> None:
    """CS-525, CS-527: whose Zone the line crosses in the band; not who stands aside of it or beyond it."""
    play = aimed(bo={"side": "party", "at": at})
    assert shown(play).get(at, ("",))[0] == mark
    assert aloud(play) == ["Orc: medium, 50 yd" + ("; behind: Bo" if mark else "")]


def test_cs_251_a_line_that_is_not_clear_is_said_to_be() -> None:
    """CS-251: nothing flies on behind a wall."""
    play = aimed(wall=(12, 0))
    assert aloud(play) == ["Orc: medium, 50 yd, no clear line"]
    assert {tone for text, tone in shown(play).values() if text in ("*", "P", "S", "M")} == {"bad"}
    assert "-" not in {text for text, _ in shown(play).values()}


def test_cs_251_a_wall_behind_the_target_stops_what_flies_on() -> None:
    """CS-251, CS-525: those behind it are safe."""
    play = aimed(wall=(31, 0), bo={"side": "party", "at": (33, 0)})
    assert aloud(play) == ["Orc: medium, 50 yd"]
    assert "!" not in {text for text, _ in shown(play).values()}


def test_nobody_who_has_declared_no_shot_has_a_line() -> None:
    play = aimed()
    assert not [mark for mark in play.fight.system.marks(play.state, "orc") if mark.text in ("*", "-", "!")]
    assert not play.fight.system.marks(play.do("abort", who="ash", force=True).state, "ash")


def test_cs_282_where_range_and_its_dv_come_from() -> None:
    """CS-268, CS-274, CS-282, CS-525: limits, what each band adds, who is in line."""
    trail = aimed(bo={"side": "party", "at": (32, 0)}).fight.explain("ash", "range")
    assert trail.total == "Orc: medium, 50 yd; behind: Bo"
    told = [(part.label, part.value) for part in trail.parts]
    assert told[:3] == [("point-blank to", "11 yd"), ("short to", "42 yd"), ("medium to", "56 yd")]
    assert ("in line behind: Bo", "160 ft") in told
    assert {"CS-282"} <= {part.rule for part in trail.parts}
    assert aimed().fight.explain("orc", "range").total == "no shot on the board is declared"
