"""Inside a longer weapon and out of it again, and how the GM says that foes stand (CS-300, CS-316 to CS-324)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import SquareBoard, any_board
from fightcall_engine.systems.segments.state import places as placing

from ..once import played_once
from .table import DAGGER, POLEARM, Play, table


@played_once
def due(board: bool = False, kind: str = "strike", **ash: object) -> Play:
    """Ash with a dagger before an orc with a polearm: it is time to settle his Action."""
    spots = ({"at": "C3", "facing": 0}, {"at": "D3", "facing": 4}) if board else ({}, {})
    play = table(
        any_board(SquareBoard(9, 6)) if board else None,
        ash={"weapons": [DAGGER], "dodge": 22, **spots[0], **ash},
        orc={"side": "foe", "weapons": [POLEARM], **spots[1]},
    ).begin(ash=12, orc=9)
    if kind == "strike":
        play.do("declare", who="ash", target="orc", inside=True)
    else:
        play.do("declare", who="ash", text="slip past")
    return play.to("resolve", "ash")


def mode(play: Play) -> str:
    return placing.melee_mode(play.state, play.one("ash"), play.one("orc"))


def test_cs_319_past_the_point_the_mode_is_close() -> None:
    """CS-319, CS-320: Dodge against the weapon's AV, before the attack that goes with it; CS-318 refuses no more."""
    play = due()
    assert mode(play) == "common"
    play.do("get_inside", who="ash", foe="orc", chance=40, rolls={"check": [33]})
    asked = play.got("CheckRequested")
    assert (asked.av, asked.dv) == (22, 35)  # type: ignore[attr-defined]
    assert play.got("CheckResolved", ok=True)
    assert mode(play) == "close"
    assert play.see("ash")["declared"]["state"] == "committed"  # type: ignore[index]
    broken = placing.reach_checks(play.state, play.one("ash"), play.one("orc"), 1)
    assert all(check.holds for check in broken)


@pytest.mark.parametrize(
    ("who", "penalty", "numbers"), [("orc", 10, (22, 25)), ("ash", 6, (16, 35)), ("ash", 30, (0, 35))]
)
def test_cs_319_pain_takes_from_the_step_and_from_the_weapon_that_keeps_it_off(
    who: str, penalty: int, numbers: tuple[int, int]
) -> None:
    """CS-319, CS-613: off the AV of either, and never below 0."""
    play = due().do("stun", who=who, penalty=penalty)
    play.do("get_inside", who="ash", foe="orc", chance=40, rolls={"check": [33]})
    asked = play.got("CheckRequested")
    assert (asked.av, asked.dv) == numbers  # type: ignore[attr-defined]


def test_cs_320_kept_off_the_attack_is_lost() -> None:
    play = due().do("get_inside", who="ash", foe="orc", hit=False)
    assert mode(play) == "common"
    assert play.got("Resolved").outcome == "kept off by Orc"  # type: ignore[attr-defined]


def test_cs_319_nobody_gets_inside_their_own_guard() -> None:
    """CS-319: not even by the GM's word, for there is no pair of somebody with themselves."""
    due().refused("CS-319", "get_inside", who="ash", foe="ash", force=True)


def test_cs_319_without_an_attack_it_is_the_action_itself() -> None:
    play = due(kind="act").do("get_inside", who="ash", foe="orc", hit=True)
    assert mode(play) == "close"
    assert play.got("Resolved")


@pytest.mark.parametrize(
    ("by", "sheet", "av"),
    [
        ("", {"dodge": 22, "skills": {"acrobat": 31}}, 31),
        ("dodge", {"dodge": 22, "skills": {"acrobat": 31}}, 22),
        ("agl", {"dodge": 22, "agl": 15}, 15),
        ("acrobat", {"dodge": 22}, None),
    ],
)
def test_cs_319_by_dodge_acrobat_or_agl(by: str, sheet: dict[str, object], av: int | None) -> None:
    play = due(**sheet).do("get_inside", who="ash", foe="orc", by=by, hit=True)
    assert play.got("CheckRequested").av == av  # type: ignore[attr-defined]


def test_cs_319_cs_646_a_heroic_deed_counts_for_the_step_past_a_weapon() -> None:
    play = due()
    play.do("rule", what="deed", who="ash", value="agl 5").do("get_inside", who="ash", foe="orc", by="agl", hit=True)
    assert play.got("CheckRequested", av=18)


def test_cs_319_what_is_missing_is_asked() -> None:
    play = due().do("get_inside", who="ash", foe="orc")
    assert play.asks() == ["check"]
    play.do("answer", prompt="check", choice="made")
    assert mode(play) == "close"


def test_cs_319_in_ones_own_resolution_and_where_something_keeps_one_off() -> None:
    play = table(ash={"weapons": [DAGGER]}, orc={"side": "foe", "weapons": [DAGGER]}).begin(ash=12, orc=9)
    play.refused("CS-094", "get_inside", who="ash", foe="orc")
    play.do("declare", who="ash", target="orc").to("resolve", "ash")
    assert "no weapon" in play.refused("CS-319", "get_inside", who="ash", foe="orc").message
    play.refused("CS-319", "get_inside", who="ash", foe="orc", by="prayer")
    inside = due().do("get_inside", who="ash", foe="orc", hit=True)
    assert "already" in inside.refused("CS-319", "get_inside", who="ash", foe="orc").message
    far = due(board=True).do("place", who="orc", at="H3")
    far.refused("CS-319", "get_inside", who="ash", foe="orc")


def test_cs_092_out_of_ones_resolution_whose_it_is_is_named() -> None:
    """CS-092: the command is accepted from the one who resolves an Action now."""
    play = table(ash={"weapons": [POLEARM]}, orc={"side": "foe", "weapons": [DAGGER]}).begin(ash=12, orc=9)
    play.do("declare", who="ash", target="orc").to("declare", "orc")
    play.do("declare", who="orc", target="ash", inside=True).to("resolve", "ash")
    assert play.refused("CS-092", "get_inside", who="orc", foe="ash").accepts == ("Ash",)


def test_cs_321_by_the_gms_word_one_is_inside_without_the_manoeuvre() -> None:
    """CS-321: the weapon is bound, or its hand struck: he steps in while it stays so."""
    play = due().do("approach", who="orc", foe="ash", mode="close")
    assert mode(play) == "close"
    play.do("approach", who="orc", foe="ash", mode="common")
    assert mode(play) == "common"
    play.do("approach", who="orc", foe="ash")
    assert play.one("orc").record.adjacent == {}


def test_cs_322_a_step_back_restores_the_space() -> None:
    """CS-316, CS-323: until then the foe inside fights as he likes, in close melee."""
    play = due(board=True).do("get_inside", who="ash", foe="orc", hit=True)
    assert mode(play) == "close"
    play.to("initiative").begin(ash=9, orc=12).do("declare", who="orc", text="step back")
    play.do("move", who="orc", path=["E3"])
    assert mode(play) == "common"


@pytest.mark.parametrize(
    ("data", "rule"),
    [({"field": "X"}, "CS-300"), ({"mode": "far"}, "CS-250"), ({"foe": "ash"}, "CS-300"), ({"foe": "nobody"}, "who")],
)
def test_cs_300_the_gms_word_names_a_field_and_a_mode_there_is(data: dict[str, object], rule: str) -> None:
    assert due().refused(rule, "approach", **{"who": "ash", "foe": "orc", **data}).accepts


def test_cs_300_fields_without_a_board() -> None:
    play = due().do("approach", who="ash", foe="orc", field="ls")
    assert placing.field_of(play.state, play.one("ash"), play.one("orc")) == "LS"
    assert placing.attack_hands(play.state, play.one("ash"), play.one("orc")) == ("L",)


@pytest.mark.parametrize(("inside", "left"), [(False, ["parry polearm 35", "none"]), (True, ["none"])])
def test_cs_322_nor_does_a_long_weapon_defend_against_who_is_inside_it(inside: bool, left: list[str]) -> None:
    """CS-322: what is short enough does, and so does the polearm after a step back."""
    play = due()
    if inside:
        play.do("get_inside", who="ash", foe="orc", hit=True)
        play.refused("CS-322", "resolve", who="ash", defence="parry polearm", hit=False)
    choices = next(one for one in play.option("ash", "strike").inputs if one.name == "defence").choices
    assert [choice for choice in choices if choice.split()[0] in ("parry", "none")] == left


@pytest.mark.parametrize("board", [False, True])
def test_cs_322_a_reprisal_traded_for_a_step_restores_the_space(board: bool) -> None:
    """CS-322, CS-484: the one inside has missed, the bearer steps back and strikes with the polearm again."""
    play = due(board)
    play.do("get_inside", who="ash", foe="orc", hit=True).do("resolve", who="ash", defence="none", hit=False)
    play.do("reprise", who="orc", choice="trade", **({"to": "E3"} if board else {"feet": 5}))
    assert (mode(play), play.one("orc").record.adjacent) == ("common", {})


def test_cs_322_who_is_inside_and_trades_his_reprisal_is_out_again() -> None:
    """CS-322, CS-484."""
    play = table(ash={"weapons": [DAGGER]}, orc={"side": "foe", "weapons": [POLEARM]}).begin(orc=12, ash=9)
    play.do("approach", who="orc", foe="ash", field="F", mode="close")
    play.do("declare", who="orc", attack="pommel", target="ash").to("resolve", "orc")
    play.do("resolve", who="orc", defence="none", hit=False).do("reprise", who="ash", choice="trade", feet=20)
    assert play.one("orc").record.adjacent == {}


def test_cs_322_so_does_a_move_of_his_own() -> None:
    """CS-180, CS-322: without a board too."""
    play = table(ash={"weapons": [DAGGER]}, orc={"side": "foe", "weapons": [POLEARM]}).begin(orc=12, ash=9)
    play.do("approach", who="orc", foe="ash", field="RF", mode="close")
    play.do("declare", who="orc", attack="pommel", target="ash")
    play.do("move", who="orc", feet=5)
    assert play.one("orc").record.adjacent["ash"].field == "RF"
