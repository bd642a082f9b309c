"""Stray fire through the public door: who stands in line, how hard each is to hit, how far it flies (CS-525..)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board
from fightcall_engine.systems.segments.combat.shooting import StrayCheck

from ..once import played_once
from .table import Play, table

BOW: Mapping[str, object] = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "size": 5}
YARDS = any_board(SquareBoard(110, 9, scale=1, unit="yd"))
"""A board of squares of one yard."""


def at(x: int, y: int = 4) -> Square:
    return Square(x, y)


@played_once
def field(board: object = YARDS, settings: Mapping[str, object] | None = None, **others: Mapping[str, object]) -> Play:
    """Ash shoots at an orc 70 yd off on a board of yards; others as they are said. None of the others dodge."""
    placed = board is not None
    cast: dict[str, Mapping[str, object]] = {
        "ash": {"weapons": [BOW], **({"at": at(0)} if placed else {})},
        "orc": {"side": "foe", "dodge": 20, "msta": 18, **({"at": at(70)} if placed else {})},
    }
    rest = {who: {"side": "foe", "dodge": 0, **given} for who, given in others.items()}
    play = table(board, settings, **cast, **rest).begin()  # type: ignore[arg-type]
    play.do("declare", who="ash", action="shoot", target="orc")
    return play.to("resolve", "ash")


def missed(play: Play, **given: object) -> Play:
    return play.do("resolve", **{"who": "ash", "chance": 50, "rolls": {"check": [99]}, **given})


def asked(play: Play) -> tuple[object, object]:
    """Who is asked for next, and against what DV."""
    found = play.all("CheckRequested")[-1]
    return found.target, found.dv  # type: ignore[attr-defined]


@played_once
def example() -> Play:
    """G-53."""
    small = {"at": at(76), "msta": 15}
    return field(bo=small, cid={"at": at(79), "msta": 20}, dan={"at": at(85), "msta": 18})


def test_g_53_each_in_line_is_checked_until_the_band_ends() -> None:
    """G-53, CS-263, CS-525, CS-526, CS-527."""
    play = missed(example())
    assert play.got("StrayFireQueued").line == ("bo", "cid")  # type: ignore[attr-defined]
    assert asked(play) == ("bo", 14 + 6)
    assert [part for part in play.all("CheckRequested")[-1].parts if part[2] == "CS-526"] == [  # type: ignore[attr-defined]
        ("3 points of STA smaller, Progressive", "+6", "CS-526")
    ]
    assert "medium range, 76 yd" in play.prompt("check").question
    play.do("stray", hit=False)
    assert asked(play) == ("cid", 15 - 3)
    play.do("answer", choice="failed")
    assert play.got("StrayFireSpent")
    assert play.asks() == []


def test_cs_526_a_hit_lands_as_any_blow() -> None:
    """CS-526, CS-263."""
    play = missed(example()).do("stray", who="bo", chance=30, rolls={"check": [30]})
    assert play.got("StrayHit", attacker="ash", target="bo")
    assert play.got("StrayFireChecked", candidate="bo", hit=True)
    assert not play.all("StrayFireSpent")
    assert play.got("BlowLanded").who == "bo"  # type: ignore[attr-defined]
    assert play.see("orc")["wounds"] == 0


def test_cs_512_what_was_said_to_the_one_who_was_missed_daunts_nobody_behind_him() -> None:
    """CS-512, CS-526: the words are lost with the miss, whomever the shot hits then."""
    play = table(
        YARDS, None, ash={"weapons": [BOW], "skills": {"intimidate": 9}, "at": at(0)},
        orc={"side": "foe", "dodge": 20, "at": at(70)}, bo={"side": "foe", "pres": 99, "at": at(76)},
    ).begin()  # fmt: skip
    play.do("declare", who="ash", action="shoot", target="orc", line="Duck!").to("resolve", "ash")
    assert missed(play).got("PresenceLost", rule="CS-512")
    assert play.do("stray", hit=True).got("StrayHit", target="bo")
    assert "noteworthy" not in play.asks()


def test_cs_526_it_flies_with_the_value_it_was_shot_with() -> None:
    """CS-526: the same shot, with what the GM gave it."""
    play = missed(example(), av=33, modifier=2, reason="a high wind")
    assert play.all("CheckRequested")[-1].av == 35  # type: ignore[attr-defined]


def test_cs_622_a_shot_flies_on_with_the_str_that_was_rallied_for_it() -> None:
    """CS-526, CS-622: Grievous, but with full STR 13 for this Action, as far and as hard behind the target too."""
    play = field(bo={"at": at(76), "msta": 15, "pres": 99})
    play.do("adjust", who="ash", what="wounds", value=4).do("rally", who="ash", hit=True)
    assert asked(missed(play)) == ("bo", 14 + 6)
    assert play.do("stray", hit=True).got("BlowLanded").pot == 13 + 3  # type: ignore[attr-defined]


def test_cs_526_the_chance_is_reckoned_where_the_fight_says_how() -> None:
    """CS-526, R-5."""
    play = example().do("configure", setting="resolution", value="linear")
    play.do("resolve", who="ash", rolls={"check": [99]})
    assert play.prompt("check").resume.chance == 50 + 40 - 20
    play.do("answer", rolls={"check": [70]})
    assert play.got("StrayHit", target="bo")


def test_cs_526_a_58_by_his_own_state() -> None:
    """CS-526, A-58: aware, he dodges, and that is a use of his Dodge."""
    play = missed(field(bo={"at": at(76), "msta": 18, "dodge": 30}))
    assert asked(play) == ("bo", 30 + 14)
    play.do("stray", hit=False)
    assert play.got("UseCounted", who="bo").skill == "dodge"  # type: ignore[attr-defined]


def test_cs_526_friends_stand_in_line_like_foes() -> None:
    """CS-525."""
    play = missed(field(bo={"at": at(76), "side": "party"}))
    assert asked(play)[0] == "bo"


@pytest.mark.parametrize(
    ("place", "hit"),
    [(at(75), True), (at(75, 5), True), (at(75, 6), False), (at(60), False), (at(81), False), (at(80), True)],
    ids=["behind", "his Zone is touched", "aside", "before the target", "beyond the band", "at its end"],
)
def test_cs_525_cs_527_whose_zone_is_crossed(place: Square, hit: bool) -> None:
    """CS-525, CS-527: within half a height of the line, 3 ft; beyond the target; to the end of its band."""
    play = missed(field(bo={"at": place}))
    assert bool(play.all("StrayFireQueued")) is hit


def test_cs_525_on_hexes_too() -> None:
    """CS-525: 10 hexes of 5 ft, the line slanting down the map."""
    board = any_board(HexBoard(40, 40))
    place = HexBoard.place_called
    play = table(
        board,
        ash={"weapons": [BOW], "at": place("C3")},
        orc={"side": "foe", "dodge": 20, "at": place("H13")},
        bo={"side": "foe", "at": place("I15")},
        cid={"side": "foe", "at": place("L13")},
    ).begin()
    play.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
    assert missed(play).got("StrayFireQueued").line == ("bo",)  # type: ignore[attr-defined]


def test_cs_525_between_two_rows_of_hexes_both_are_touched() -> None:
    """CS-525: a line at 30 degrees runs along the edges of hexes, 2.5 ft from the middles on both sides."""
    play = table(
        any_board(HexBoard(40, 40)),
        ash={"weapons": [BOW], "at": [2, 2]},
        orc={"side": "foe", "dodge": 20, "at": [10, 10]},
        bo={"side": "foe", "at": [12, 11]},
        cid={"side": "foe", "at": [11, 12]},
        dan={"side": "foe", "at": [13, 11]},
    ).begin()
    play.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
    assert set(missed(play).got("StrayFireQueued").line) == {"bo", "cid"}  # type: ignore[attr-defined]


def test_cs_525_a_wall_behind_the_target_stops_it() -> None:
    """CS-525, CS-251: unless the shot comes in an arc (CS-266)."""
    wall = Terrain("wall", glyph="#", blocks=True, blocks_sight=True)
    board = any_board(SquareBoard(110, 9, scale=1, unit="yd", legend={"wall": wall}, terrain={at(73): "wall"}))
    assert not missed(field(board, bo={"at": at(76)})).all("StrayFireQueued")


def test_cs_525_who_is_down_is_not_in_line() -> None:
    """CS-525."""
    play = example().do("life", who="bo", life="dead")
    assert missed(play).got("StrayFireQueued").line == ("cid",)  # type: ignore[attr-defined]


def test_cs_525_a_hit_or_a_blow_flies_on_nowhere() -> None:
    """CS-525."""
    assert not example().do("resolve", who="ash", hit=True, harm=1).all("StrayFireQueued")
    example().refused("CS-525", "stray", hit=True)


def test_cs_525_what_is_hurled_strays_too() -> None:
    """CS-525: a spear of 67 ft medium range, thrown 60 ft."""
    spear = {"name": "spear", "av": 30, "hurlable": True, "hurl_av": 25, "family": "hafted", "size": 6}
    play = table(
        any_board(SquareBoard(40, 9)),
        ash={"weapons": [spear], "at": at(0)},
        orc={"side": "foe", "dodge": 20, "at": at(12)},
        bo={"side": "foe", "at": at(13)},
        cid={"side": "foe", "at": at(14)},
    ).begin()
    play.do("declare", who="ash", action="hurl", target="orc").to("resolve", "ash")
    assert missed(play).got("StrayFireQueued").line == ("bo",)  # type: ignore[attr-defined]


def test_cs_527_who_has_gone_is_passed_over() -> None:
    """CS-527."""
    play = missed(example()).do("life", who="cid", life="dead").do("stray", hit=False)
    assert play.got("StrayFireSpent")


def test_cs_527_the_order_of_the_line_holds() -> None:
    """CS-527."""
    missed(example()).refused("CS-527", "stray", who="cid", hit=True)
    missed(example()).refused("R-5", "stray", who="bo")


def test_cs_528_without_positions_the_gm_lists_who_stands_there() -> None:
    """CS-528, G-53: with distances where they are known."""
    play = missed(field(None, bo={"msta": 15}, cid={"msta": 20}), distance=210)
    assert play.offers() == ["stray_line"]
    play.do("answer", prompt="stray_line", amount="bo=228, cid=237")
    assert asked(play) == ("bo", 20)
    play.do("stray", chance=5, rolls={"check": [50]})
    assert asked(play) == ("cid", 12)


def test_cs_528_listed_with_the_command() -> None:
    """CS-528: a distance that nobody knows leaves the DV to the GM."""
    play = missed(field(None, bo={}), distance=210)
    play.refused("CS-528", "stray", hit=True)
    play.refused("CS-528", "stray", who="orc", hit=True)
    for feet in ("far", "-1", "1/0", "100001"):
        play.refused("CS-528", "stray", who=f"bo={feet}", hit=True)
    assert play.copy().do("stray", who="bo=100000", hit=True).got("StrayFireSpent", target="orc"), "out of range"
    play.do("stray", who="bo", hit=True)
    assert play.got("StrayHit", target="bo")
    assert play.got("CheckRequested").dv is None  # type: ignore[attr-defined]


@pytest.mark.parametrize("given", [{"hit": True}, {"chance": 50, "rolls": {"check": [10]}}, {"hit": False}])
def test_cs_526_one_arrow_meets_each_bystander_once(given: dict[str, object]) -> None:
    """CS-526, CS-527: who is listed and checked in one line is not asked about again; nor is who is listed twice."""
    play = missed(field(None, bo={}, cid={}), distance=210).do("stray", who="bo cid bo", **given)
    assert len(play.all("StrayFireChecked")) == 1
    stray = [prompt for prompt in play.state.prompts if isinstance(prompt.resume, StrayCheck)]
    if given.get("hit") is False:
        assert [prompt.resume.target for prompt in stray] == ["cid"]
        play.do("stray", hit=False)
        assert play.got("StrayFireSpent")
        return
    assert not stray
    assert len(play.all("StrayHit")) == 1
    play.refused("CS-525", "stray", who="bo", hit=True)


def test_cs_528_nobody_is_the_usual_answer() -> None:
    """CS-528: play goes on; with nobody else about, nothing is asked."""
    play = missed(field(None, bo={}), distance=210).do("advance")
    assert play.offers() == []
    assert not play.all("StrayFireQueued")
    assert missed(field(None), distance=210).offers() == []


def test_stray_fire_is_told_in_words() -> None:
    """CS-525, CS-527: the feed has it."""
    play = missed(example())
    system = play.fight.system
    said = [system.phrase(one, play.state) for one in play.last if one.type == "StrayFireQueued"]
    assert "Bo, Cid" in said[0].text  # type: ignore[union-attr]


def test_the_line_of_a_declared_shot_is_drawn_with_who_stands_in_it() -> None:
    """CS-251, CS-267, CS-525: for whoever shoots, while the shot is declared."""
    play = example()
    marks = play.fight.system.marks(play.state, "ash")
    assert {one.at for one in marks if one.text in tuple("*PSM")} == {at(x) for x in range(1, 70)}
    bands = {f"line of fire to Orc, {band} range" for band in ("point-blank", "short", "medium")}
    assert {one.label for one in marks if one.text == "*"} == bands
    assert [one.at for one in marks if one.text == "!"] == [at(76), at(79)]
    play.do("abort", who="ash")
    assert not [one for one in play.fight.system.marks(play.state, "ash") if one.text in "*!"]


@played_once
def listed(line: str, **settings: object) -> Play:
    """Without places, the GM names those in line of a shot at 70 yd."""
    play = field(None, settings, bo={"msta": 15}, cid={"msta": 20}, dan={"msta": 18})
    return missed(play, distance=210).do("stray", who=line)


@pytest.mark.parametrize(
    ("line", "queued"),
    [
        ("bo=228 cid=237 dan=255", ("bo", "cid")),
        ("cid=237 bo=228", ("bo", "cid")),
        ("dan=241", ()),
        ("dan bo=500", ("dan",)),
        ("cid=210", ("cid",)),
        ("dan cid=215 bo", ("dan", "cid", "bo")),
    ],
)
def test_of_those_who_are_listed_the_shot_reaches_none_behind_its_band(line: str, queued: tuple[str, ...]) -> None:
    """G-53, CS-525, CS-527, CS-528: medium range ends at 80 yd; the nearest first where all distances are said."""
    play = listed(line)
    assert play.got("StrayFireQueued").line == queued  # type: ignore[attr-defined]
    assert bool(play.all("StrayFireSpent")) is not bool(queued)
    assert bool(play.asks()) is bool(queued)


def test_where_nobody_knows_how_far_the_target_is_the_shot_reaches_all_who_are_listed() -> None:
    """CS-528: no band ends then, and nobody stands before the target."""
    play = missed(field(None, bo={}, cid={})).do("stray", who="cid=900 bo=3")
    assert play.got("StrayFireQueued").line == ("cid", "bo")  # type: ignore[attr-defined]


@pytest.mark.parametrize(("feet", "late"), [(1999, False), (2001, True)])
def test_a_stray_arrow_lands_late_by_its_own_flight(feet: int, late: bool) -> None:
    """CS-285, CS-526: the target was 1990 ft off, no delay; beyond 2000 one is hit in the next segment."""
    play = missed(field(None, bo={"pres": 40}), distance=1990).do("stray", who=f"bo={feet}", hit=True)
    assert bool(play.all("ImpactScheduled")) is late
    assert bool(play.all("StrayHit")) is not late


def test_nobody_before_the_target_is_in_line() -> None:
    """CS-525."""
    play = missed(field(None, bo={}), distance=210)
    assert play.refused("CS-525", "stray", who="bo=120").accepts == ("210 ft or more",)


def test_a_58_the_gm_says_whether_one_in_line_is_aware() -> None:
    """A-58, CS-503, CS-526: still he has no Dodge; the chance is reckoned anew."""
    cid = {"at": at(79), "msta": 20, "dodge": 30}
    play = missed(field(settings={"resolution": "linear"}, cid=cid))
    assert asked(play) == ("cid", 30 + 15 - 3)
    play.refused("CS-506", "stray", defence="parry")
    play.do("stray", defence="still", rolls={"check": [78]})
    assert asked(play) == ("cid", 15 - 3)
    assert play.got("CheckResolved", chance=50 + 40 - 12, ok=True)


def test_cs_284_the_flight_is_told_with_the_range() -> None:
    """CS-267, CS-284: 245 ft at 200 ft a second; yards to a tenth."""
    play = missed(field(None, bo={}), distance=245.5).do("stray", who="bo=250")
    assert "long range, 83.3 yd, 1.2 s" in play.prompt("check").question
