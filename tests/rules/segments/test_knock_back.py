"""Being knocked back, on a board and without one; barriers; keeping one's feet (CS-560 to CS-565, CS-619)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.base import AnyBoard, Square
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import find_system

from ..once import played_once
from .hits import BLADE, answered, asked, due, duel, hit, struck
from .table import Play

SYSTEM = find_system("segments")


def squares(wall: str = "") -> AnyBoard:
    """Squares of 5 ft, some of them wall."""
    data: dict[str, object] = {"kind": "square", "cols": 12, "rows": 7}
    if wall:
        data |= {"legend": {"wall": {"blocks": True}}, "cells": {"wall": wall.split()}}
    return any_board(SquareBoard.from_json(data))


@played_once
def pushed(pot: int, board: AnyBoard | None = None, *, orc: tuple[int, int] = (4, 3)) -> Play:
    """Ash on square 3,3 hits the orc in front of him."""
    ground = board or squares()
    play = duel(board=ground, ash={"at": (3, 3), "facing": 0}, orc={"at": orc, "facing": 4, "msta": 16})
    return hit(due(play), pot=pot)


# Feet


@pytest.mark.parametrize(("pot", "feet"), [(16, None), (17, 1), (26, 10)])
def test_cs_560_feet_by_pot_above_modified_sta(pot: int, feet: int | None):
    """CS-560: at POT 16 against 16 there is none."""
    play = struck(orc={"msta": 16}, pot=pot)
    assert [one.feet for one in play.all("KnockedBack")] == ([] if feet is None else [feet])  # type: ignore[attr-defined]


def test_cs_560_cs_561_even_if_armour_stops_all_of_it():
    """CS-560, CS-561: of the POT before armour."""
    play = struck(orc={"msta": 16, "armour": [{"type": "field_plate"}]}, pot=20)
    assert play.got("KnockedBack", feet=4)
    assert play.got("ArmourApplied", out=0)
    assert play.names().index("KnockedBack") < play.names().index("ArmourApplied")


def test_cs_560_a_pc_is_knocked_back_like_anybody():
    """CS-560."""
    assert struck(orc={"msta": 16, "kind": "pc"}, pot=20).got("KnockedBack", feet=4)


@pytest.mark.parametrize(
    ("to", "sign"),
    [((8, 3), ">"), ((8, 5), ">"), ((8, 1), ">"), ((0, 3), "<"), ((0, 5), "<"), ((5, 5), "v"), ((4, 6), "v"),
     ((5, 1), "^"), ((3, 1), "^"), ((6, 5), "\\"), ((2, 1), "\\"), ((6, 1), "/"), ((2, 5), "/")],
)  # fmt: skip
def test_cs_560_the_board_shows_which_way_somebody_was_driven(to: tuple[int, int], sign: str):
    """CS-560: from where he stood to where he is now, until it is known whether he keeps his feet."""
    play = pushed(20).do("place", who="orc", at=list(to))
    ways = [mark for mark in SYSTEM.marks(play.state, "") if "driven back" in mark.label]
    assert (ways[0].at, ways[0].text) == (Square(4, 3), sign)
    assert Square(*to) not in [mark.at for mark in ways]
    answered(play, "made")
    assert not [mark for mark in SYSTEM.marks(play.state, "") if "driven back" in mark.label]


def test_cs_560_the_log_says_where_somebody_is_driven_to() -> None:
    """CS-560: by the name of the place, where a board has one; without a board only how far."""
    for play, where in ((pushed(21), " to F4"), (struck(orc={"msta": 16}, pot=21), "")):
        event = play.got("KnockedBack")
        words = phrase(SYSTEM, event, play.state)
        assert words is not None
        assert words.text.split(" (")[0].endswith(f"5 ft{where}"), words.text


# Keeping one's feet


def test_cs_562_the_agl_check():
    """CS-562: DV Progressive by feet; failing it he falls, else he stands."""
    play = struck(orc={"msta": 16, "agl": 14}, pot=20)
    assert asked(play) == [("AGL", 10)]
    assert ("4 ft, Progressive", "+10", "CS-562") in play.all("CheckRequested")[-1].parts  # type: ignore[attr-defined]
    answered(play, "failed")
    assert play.got("Fell", who="orc")
    assert play.see("orc")["posture"] == "prone"
    play = answered(struck(orc={"msta": 16}, pot=20), "made")
    assert play.see("orc")["posture"] == "standing"


def test_cs_562_who_lies_already_needs_none():
    """CS-562."""
    assert asked(struck(orc={"msta": 16, "posture": "prone"}, pot=20)) == []


def test_cs_562_with_the_typed_percentage():
    """CS-562, M-01: where no reading gives a chance it is asked for."""
    play = struck({"resolution": "gm_percent"}, orc={"msta": 16}, pot=20)
    assert play.refused("CS-562", "advance").accepts == ("made", "failed", "line", "a number (chance)")
    play.do("answer", prompt="check", amount=30, rolls={"check": [31]})
    assert play.see("orc")["posture"] == "prone"


def test_cs_562_a_scale_that_ends_before_leaves_the_dv_open():
    """CS-562, M-03: the chance is asked for instead."""
    play = struck({"progressive": "custom table", "progressive_values": "1 2 4"}, orc={"msta": 16}, pot=20)
    assert asked(play) == [("AGL", None)]
    play.do("answer", prompt="check", amount=99, rolls={"check": [1]})
    assert play.see("orc")["posture"] == "standing"


# On the board


@pytest.mark.parametrize(
    ("pot", "at"),
    [(18, (4, 3)), (19, (5, 3)), (23, (5, 3)), (24, (6, 3)), (31, (7, 3))],
    ids=["2 ft", "3 ft", "7 ft", "8 ft", "15 ft"],
)
def test_cs_564_straight_away_from_the_blow(pot: int, at: tuple[int, int]):
    """CS-564: to the nearest whole square of 5 ft."""
    play = pushed(pot)
    assert play.one("orc").at == Square(*at)
    assert play.one("orc").facing == 4


def test_cs_564_also_aslant_and_on_hexes():
    """CS-564, L357; put right 27: across a square's corner it is 7.07 ft, so 10 ft are one, and 11 are two."""
    assert pushed(26, orc=(4, 2)).one("orc").at == Square(5, 1)
    assert pushed(27, orc=(4, 2)).one("orc").at == Square(6, 0)
    board = any_board(HexBoard(12, 9, scale=5, unit="ft"))
    play = duel(board=board, ash={"at": (2, 3), "facing": 0}, orc={"at": (3, 3), "facing": 3, "msta": 16})
    hit(due(play), pot=26)
    assert play.one("orc").at == board.line(play.one("ash").at, play.one("orc").at)[-1] != (3, 3)  # type: ignore[arg-type]
    assert board.distance((3, 3), play.one("orc").at) == 2  # type: ignore[arg-type]


def test_the_way_is_drawn_until_he_has_kept_his_feet():
    """CS-560: from where he stood."""
    play = pushed(31)
    marks = [mark for mark in SYSTEM.marks(play.state, "imp") if mark.label.startswith("Orc was driven")]
    drawn = [mark.at for mark in marks]
    assert drawn == [Square(4, 3), Square(5, 3), Square(6, 3)]
    assert ([mark.text for mark in marks], [mark.aloud for mark in marks]) == ([">"] * 3, [True, False, False])
    answered(play, "made")
    assert not [mark for mark in SYSTEM.marks(play.state, "") if mark.label.startswith("Orc was driven")]


def test_who_is_driven_off_no_longer_touches_and_goes_no_planned_way():
    """CS-560: contacts follow the board."""
    play = pushed(36)
    assert play.all("ContactLeft")
    assert play.state.contacts == ()


def test_cs_564_the_gm_may_place_him_otherwise():
    """CS-564: it is his to pick the line."""
    assert pushed(26).do("place", who="orc", at=(6, 5)).one("orc").at == Square(6, 5)


def test_cs_563_a_wall_behind_adds_what_is_left():
    """CS-563: wall 1 square off: 5 of 9 ft, and 4 more POT."""
    play = pushed(25, squares("G4"))
    assert play.got("KnockedBack", feet=9, moved=5, barrier=4, stopped_at="wall")
    assert play.one("orc").at == Square(5, 3)
    assert asked(play) == [("AGL", 15)]
    play = pushed(25, squares("F4"))
    assert play.got("KnockedBack", feet=9, moved=0, barrier=9)
    assert play.one("orc").at == Square(4, 3)
    assert asked(play) == []


def test_a_figure_behind_stops_him_and_is_no_barrier():
    """CS-562, CS-563: only what does not yield adds to the POT; he keeps his feet over the one square that he went."""
    play = duel(
        board=squares(), ash={"at": (3, 3), "facing": 0}, orc={"at": (4, 3), "facing": 4, "msta": 16},
        imp={"side": "foe", "at": (6, 3)},
    )  # fmt: skip
    hit(due(play), pot=31)
    assert play.one("orc").at == Square(5, 3)
    assert play.got("KnockedBack", feet=15, moved=5, barrier=0, stopped_at="Imp")
    assert asked(play) == [("AGL", 15)]


def test_the_edge_of_the_map_is_no_barrier():
    """CS-563."""
    play = duel(board=squares(), ash={"at": (10, 3), "facing": 0}, orc={"at": (11, 3), "facing": 4, "msta": 16})
    hit(due(play), pot=31)
    assert play.got("KnockedBack", barrier=0, stopped_at="the edge of the map")
    assert play.one("orc").at == Square(11, 3)


# Barriers by the GM's word


def test_g_96_cs_563_the_barrier_counts_for_wounds_and_pain():
    """G-96, CS-563: POT 19, mSTA 15, wall after 1 ft: 22, DR 10: 12, P-RES 11: DV 1. Without the wall no check."""
    orc = {"msta": 15, "pres": 11, "armour": [{"type": "padded_simple"}]}
    play = struck(orc=orc, barrier=1)
    assert play.got("BlowLanded", pot=19)
    assert play.got("KnockedBack", feet=4, moved=1, barrier=3)
    assert play.got("ArmourApplied", pot_in=22, dr=10, out=12)
    assert ("feet left at the barrier", "+3", "CS-563") in play.got("ArmourApplied").parts  # type: ignore[attr-defined]
    assert asked(play) == [("AGL", 1), ("P-RES", 1)]
    play = struck(orc=orc)
    assert play.got("ArmourApplied", out=9)
    assert asked(play) == [("AGL", 10)]


def test_cs_619_the_gm_may_stun_who_hits_a_barrier():
    """CS-619: an offer that lapses."""
    play = answered(struck(orc={"msta": 15}, barrier=1), "made")
    assert "barrier_stun" in play.offers()
    assert play.refused("CS-619", "answer", prompt="barrier_stun", amount=-4).accepts
    play.do("answer", prompt="barrier_stun", amount=6)
    assert play.got("StunApplied", who="orc", penalty=6)
    play = answered(struck(orc={"msta": 15}, barrier=1), "made").do("advance")
    assert play.see("orc")["stun_penalty"] == 0


def test_a_planned_way_is_dropped():
    """CS-560: who is driven elsewhere goes on by another way."""
    play = duel(
        {"pulse_movement": True}, board=squares(),
        ash={"at": (3, 3), "facing": 0}, orc={"at": (4, 3), "facing": 4, "msta": 16, "weapons": [BLADE]},
    )  # fmt: skip
    play.to("declare", "ash").do("plan", who="orc", path=[(5, 3), (6, 3), (7, 3)])
    play.do("blow", who="orc", by="ash", pot=24)
    assert play.got("WayPlanned", who="orc", feet=0.0)
    assert play.see("orc")["move_used"] == 0


@pytest.mark.parametrize("where", ["off the map", "in zones"])
def test_cs_564_where_no_way_back_is_known_somebody_is_driven_all_the_same(where: str):
    """CS-560, CS-564: by whom the board does not show, or on a board without distances; the GM sees to the place."""
    if where == "in zones":
        zones = (Zone("Hall", 0, 0), Zone("Yard", 1, 0))
        board = any_board(ZoneBoard(zones, touching(zones)))
        play = duel(board=board, ash={"at": "Hall"}, orc={"at": "Yard", "msta": 16})
    else:
        play = duel(board=squares(), orc={"at": (4, 3), "msta": 16})
    before = play.one("orc").at
    play.do("blow", who="orc", by="ash", pot=30)
    assert play.got("KnockedBack", feet=14, moved=14, barrier=0, stopped_at="")
    assert play.one("orc").at == before
    assert asked(play) == [("AGL", 105)]


def test_a_blow_from_nowhere_drives_somebody_as_the_gm_says():
    """CS-564: without an attacker the board does not know where to."""
    play = duel(board=squares(), orc={"at": (4, 3), "msta": 16}).do("blow", who="orc", pot=30, barrier=2)
    assert play.got("KnockedBack", feet=14, moved=2, barrier=12)
    assert play.one("orc").at == Square(4, 3)


# Into somebody


def crowded(gap: int, pot: int = 26, hexes: bool = False) -> Play:
    """Ash drives the orc towards Bea, who stands so many places behind it."""
    ground = any_board(HexBoard(16, 7)) if hexes else squares()
    play = duel(
        board=ground,
        ash={"at": (3, 3), "facing": 0},
        orc={"at": (4, 3), "facing": 4, "msta": 16},
        bea={"at": (5 + gap, 3), "facing": 0, "side": "party"},
    )
    return hit(due(play), pot=pot)


@pytest.mark.parametrize("hexes", [False, True])
@pytest.mark.parametrize(("gap", "people"), [(0, ["orc", "bea"]), (1, ["bea"])])
def test_cs_562_driven_into_somebody_they_must_keep_their_feet(gap: int, people: list[str], hexes: bool) -> None:
    """CS-560, CS-562, L2821-2833; put right 33: what is left of the way is not lost, the GM says what comes of it."""
    play = crowded(gap, hexes=hexes)
    prompt = play.prompt("run_into")
    assert (prompt.who, prompt.default) == ("orc", "check")
    assert f"{10 - 5 * gap} ft left" in prompt.question
    play.do("answer", prompt=prompt.id, choice="check")
    assert [one.who for one in play.all("CheckRequested")] == people  # type: ignore[attr-defined]
    for who in people:
        open_check = next(each for each in play.state.prompts if each.who == who and each.kind == "check")
        play.do("answer", prompt=open_check.id, choice="failed")
        assert play.one(who).record.posture == "prone"


@pytest.mark.parametrize(("choice", "posture"), [("fall", "prone"), ("nothing", "standing")])
def test_cs_562_both_fall_or_nothing_comes_of_it(choice: str, posture: str) -> None:
    """CS-562; put right 33: as the GM says."""
    play = crowded(0)
    play.do("answer", prompt="run_into", choice=choice)
    assert [play.one(who).record.posture for who in ("orc", "bea")] == [posture, posture]


def test_cs_562_whoever_does_not_get_that_far_runs_into_nobody() -> None:
    """CS-560; put right 33: 5 ft of way for 5 ft."""
    assert crowded(1, pot=21).state.prompt("run_into") is None
