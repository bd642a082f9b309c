"""Shooting and hurling as far as the dice: ranges, the DV of a shot by its cases, late impacts (CS-251.., CS-500..)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.board.base import Terrain
from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.model.errors import Refused

from ..once import played_once
from .table import SWORD, Play, table

BOW: Mapping[str, object] = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "size": 5}
SPEAR: Mapping[str, object] = {
    "name": "spear", "av": 30, "hurlable": True, "hurl_av": 25, "family": "hafted", "size": 6,
}  # fmt: skip
YARD = 3


@played_once
def aimed(
    weapon: Mapping[str, object] = BOW,
    settings: Mapping[str, object] | None = None,
    *,
    ash: Mapping[str, object] | None = None,
    orc: Mapping[str, object] | None = None,
    board: object = None,
    action: str = "",
    force: bool = False,
) -> Play:
    """Ash is about to shoot, or hurl, at an orc with a Dodge of 20."""
    play = table(
        board,  # type: ignore[arg-type]
        settings,
        ash={"weapons": [weapon], **(ash or {})},
        orc={"side": "foe", "dodge": 20, **(orc or {})},
    ).begin()
    hurled = weapon.get("kind") != "missile"
    play.do("declare", who="ash", action=action or ("hurl" if hurled else "shoot"), target="orc", force=force)
    return play.to("resolve", "ash")


def shot(play: Play, yards: float | None, roll: int = 99, **given: object) -> Play:
    feet = {} if yards is None else {"distance": yards * YARD}
    return play.do("resolve", **{"who": "ash", "chance": 50, "rolls": {"check": [roll]}, **feet, **given})


_ZONES = (Zone("Hall", 0, 0), Zone("Yard", 1, 0))


@pytest.mark.parametrize(
    ("board", "ash", "orc", "line"),
    [
        (SquareBoard(9, 9), [1, 1], None, "Orc is not on the board: the table judges it"),
        (ZoneBoard(_ZONES, touching(_ZONES)), "Hall", "Yard", "1 zone"),
    ],
    ids=["off the board", "in zones"],
)
def test_where_no_board_can_tell_the_table_says_how_far_it_is(
    board: object, ash: object, orc: object, line: str
) -> None:
    """CS-251: and the shot is made all the same."""
    play = aimed(ash={"at": ash}, orc={"at": orc} if orc else None, board=any_board(board))
    rows = play.fight.preview(play.fight.codec.command("resolve", {"who": "ash"})).rows
    assert next(row.text for row in rows if row.name == "line") == line
    assert shot(play, 20).got("Missed")


def dv(play: Play) -> object:
    return play.all("CheckRequested")[0].dv  # type: ignore[attr-defined]


def parts(play: Play) -> list[tuple[str, str, str]]:
    return list(play.got("CheckRequested").parts)  # type: ignore[attr-defined]


# Range


@pytest.mark.parametrize(
    ("weapon", "strength", "yards", "more"),
    [
        (BOW, 16, 85, 16),
        ({**BOW, "family": "shortbow"}, 10, 60, 18),
        (BOW, 13, 110, 56),
        (BOW, 13, 100, 36),
        (BOW, 13, 101, 38),
        (BOW, 13, 60, 9),
        (BOW, 13, 15, 0),
        (BOW, 13, 17, 0),
        (BOW, 13, 18, 1),
        ({**BOW, "family": "crossbow-light"}, 18, 150, 28),
        ({**BOW, "family": "sling"}, 13, 85, 21),
        ({**BOW, "family": "fustibal"}, 13, 85, 21),
    ],
)
def test_range_adds_to_the_dodge_of_who_is_aware(weapon: Mapping[str, object], strength: int, yards: int, more: int):
    """G-44, G-45, G-46, G-49, CS-259, CS-261, CS-267, CS-268, CS-270 to CS-275, CS-282, A-09, A-10."""
    play = shot(aimed(weapon, ash={"str": strength}), yards)
    assert dv(play) == 20 + more
    assert play.got("CheckRequested").av == 40  # type: ignore[attr-defined]


@pytest.mark.parametrize(("weapon", "values"), [(SPEAR, [30, 25]), (BOW, [20, 40])])
def test_cs_238_a_blow_in_hand_and_a_throw_or_a_shot_are_of_two_skills(
    weapon: Mapping[str, object], values: list[int]
) -> None:
    """CS-238, CS-252, CS-402: what one was used for takes nothing from the other."""
    ash = {"weapons": [weapon], "skills": {"brawling": 20}}
    play = table(ash=ash, imp={"side": "foe"}, orc={"side": "foe", "dodge": 20}).begin()
    play.do("declare", who="ash", action="hurl" if weapon is SPEAR else "shoot", target="orc")
    play.do("opportunity", who="ash", target="imp", weapon=weapon["name"], defence="none", hit=False)
    found = [play.got("CheckRequested").av]  # type: ignore[attr-defined]
    shot(play.to("resolve", "ash"), 10)
    assert [*found, play.all("CheckRequested")[0].av] == values  # type: ignore[attr-defined]


def test_g_48_uphill_every_limit_drops():
    """G-48, CS-281, A-08: the target 12 yd higher, at 85 yd: +31."""
    play = aimed()
    play.do("adjust", who="orc", what="elev", value=36.0)
    assert dv(shot(play, 85)) == 20 + 31


def test_a_limit_is_never_below_nothing():
    """CS-275, CS-281: 50 yd up, a short bow of 42, 56 and 70 yd has 0, 6 and 20; at 30 yd that is 2 + 14 + 20."""
    play = shot(aimed({**BOW, "family": "shortbow"}), 30, rise=150)
    assert dv(play) == 20 + 36
    assert [part[0] for part in parts(play) if part[2] == "CS-282"][1:] == [
        "medium range", "long range", "extreme range",
    ]  # fmt: skip


def test_who_has_turned_his_back_on_an_archer_does_not_dodge():
    """CS-304, CS-501 to CS-503: nor is anything else in the way of the shot but its range; facing her, he does."""
    spots = {"ash": {"at": "A3", "facing": 0}, "board": any_board(SquareBoard(20, 5))}
    seen = [dv(shot(aimed(orc={"at": "M3", "facing": facing}, **spots), None)) for facing in (0, 4)]
    assert seen == [1, 21]


def test_the_ground_counts_for_height():
    """CS-281: as the board has it."""
    hill = Terrain("hill", glyph="^", height_ft=36)
    board = any_board(HexBoard(80, 9, legend={"hill": hill}, terrain={HexBoard.place_called("BD3"): "hill"}))
    play = aimed(board=board, ash={"at": "E3"}, orc={"at": "BD3"})
    assert dv(shot(play, None)) == 20 + 31


def test_cs_129_an_aim_of_double_the_time_is_half_as_difficult():
    """CS-129: two Actions for a shot at half of its whole DV, with the reason."""
    play = table(ash={"weapons": [BOW]}, orc={"side": "foe", "dodge": 20}).begin()
    play.do("declare", who="ash", action="shoot", target="orc", double_time=True)
    assert play.see("ash")["declared"]["due"] == "CS 2"
    play.to("initiative").begin().to("resolve", "ash")
    assert dv(shot(play, 60, dv_modifier=2)) == 16
    assert ("double time: halved", "-15.5", "CS-129") in parts(play)


def test_the_board_knows_the_distance():
    """CS-282: 51 hexes of 5 ft are 85 yd."""
    board = any_board(HexBoard(80, 9))
    play = shot(aimed(board=board, ash={"at": "E3"}, orc={"at": "BD3"}), None)
    assert dv(play) == 20 + 21
    assert parts(play)[1:] == [
        ("Dodge", "+20", "CS-419"), ("point-blank", "+0", "CS-282"), ("short range", "+9", "CS-282"),
        ("medium range", "+7", "CS-282"), ("long range", "+5", "CS-282"),
    ]  # fmt: skip


def test_a_distance_that_nobody_knows_is_asked_for_with_the_chance():
    """M-01: never guessed; neither is the range of a weapon of no known family."""
    play = aimed().do("resolve", who="ash")
    assert dv(play) is None
    assert "DV ?" in play.prompt("check").question
    assert dv(shot(aimed({**BOW, "family": ""}), 85)) is None
    assert dv(shot(aimed(orc={"dodge": None}), 85)) is None
    assert dv(shot(aimed(orc={"dodge": None}), 85, dv=33)) == 33


def test_the_band_is_told_with_the_question():
    """CS-267."""
    play = aimed().do("resolve", who="ash", distance=255)
    assert "long range, 85 yd" in play.prompt("check").question


def test_a_crossbow_has_a_greatest_range():
    """CS-273: 200 yd for a light one."""
    light = {**BOW, "family": "crossbow-light"}
    aimed(light).refused("CS-273", "resolve", who="ash", chance=50, distance=201 * YARD)
    assert dv(shot(aimed(light), 200))


@pytest.mark.parametrize(
    ("unit", "family", "feet", "more"),
    [("yards", "hafted", 67, 4), ("feet", "hafted", 67, 13), ("yards", "hilted", 48, 3), ("yards", "hafted", 84, 10)],
)
def test_hurled_weapons(unit: str, family: str, feet: int, more: int):
    """CS-252, CS-262, CS-269, CS-272, A-07: with a skill of its own; the steps of the DV are yards, or feet."""
    play = aimed({**SPEAR, "family": family}, {"hurled_dv_unit": unit})
    shot(play, feet / YARD)
    assert play.got("CheckRequested").av == 25  # type: ignore[attr-defined]
    assert dv(play) == 20 + more


def test_what_is_not_made_for_it_is_not_hurled():
    """CS-252: nor does it shoot (CS-251); the GM may say otherwise."""
    play = aimed(SWORD, action="hurl", force=True)
    assert play.one("ash").record.action.overruled == ("CS-252",)
    assert "Missed" in shot(play, 10).names()
    with pytest.raises(Refused, match="CS-251"):
        aimed(SWORD, action="shoot")


def test_without_the_skill_to_hurl_there_is_a_slight_chance():
    """CS-252: which the GM enters."""
    play = aimed({**SPEAR, "hurl_av": None})
    shot(play, 20, chance=5)
    assert play.got("CheckRequested").av is None  # type: ignore[attr-defined]


def test_any_object_can_be_thrown():
    """CS-277, CS-279, CS-280: as far as its size and weight allow; without a weight the GM says."""
    jug = {"name": "jug", "kind": "object", "hurl_av": 18, "size": 1, "weight_lb": 2}
    play = aimed(jug, ash={"light_enc": 80})
    shot(play, 50 / YARD)
    assert dv(play) == 20 + 3, "three quarters of 50, 67 and 84 are 38, 50 and 63: 28 ft / 15 -> 2, 12 ft / 9 -> 1"


def test_a_hurled_weapon_may_be_a_contested_roll():
    """CS-262, A-05: on switch the target rolls too."""
    play = aimed(SPEAR, {"hurled_roll": "contested"})
    shot(play, 10, 20, dv_chance=50, rolls={"check": [20], "defence": [10]})
    assert "Missed" in play.names()
    play = shot(aimed(SPEAR), 10, 20)
    assert "Hit" in play.names()
    play = shot(aimed(settings={"melee_roll": "contested"}), 10, 20)
    assert "Hit" in play.names(), "CS-261, CS-500: missiles never"


def test_thrown_only_to_get_it_there():
    """CS-278: what is hilted flies as far as what is hafted, and wounds nobody."""
    knife = {**SPEAR, "family": "hilted"}
    assert dv(shot(aimed(knife), 67 / YARD)) == 20 + 12
    play = shot(aimed(knife), 67 / YARD, 1, attack="plain throw")
    assert dv(play) == 20 + 4
    assert play.offers() == []


def test_a_crossbow_in_melee_is_a_club():
    """CS-402: wielded as what it is like, or with Brawling; it costs what it is too heavy (CS-382)."""
    for more, av in (({"skills": {"brawling": 21}}, 21), ({}, None)):
        play = table(None, None, ash={"weapons": [BOW], **more}, orc={"side": "foe"}).begin()
        play.do("declare", who="ash", action="strike", weapon="bow", target="orc").to("resolve", "ash")
        play.do("resolve", who="ash", chance=50, defence="none", rolls={"check": [99]})
        assert play.got("CheckRequested").av == av  # type: ignore[attr-defined]
    crossbow = {**BOW, "name": "crossbow", "family": "crossbow-heavy", "weapon_like": "mace", "weight_lb": 6}
    mace = {"name": "mace", "av": 33, "hand": "L"}
    play = table(None, None, ash={"weapons": [crossbow, mace]}, orc={"side": "foe"}).begin()
    play.do("declare", who="ash", action="strike", weapon="crossbow", target="orc").to("resolve", "ash")
    play.do("resolve", who="ash", chance=50, defence="none", rolls={"check": [99]})
    assert play.got("CheckRequested").av == 33 - 6, "3 lb over 3.25"  # type: ignore[attr-defined]


def test_shots_follow_the_roster():
    """CS-254, CS-257, CS-258: each in its turn, one for an Action."""
    play = table(None, None, ash={"weapons": [BOW]}, orc={"side": "foe", "weapons": [BOW]}).begin(orc=20, ash=10)
    for who, target in (("orc", "ash"), ("ash", "orc")):
        play.to("declare", who).do("declare", who=who, action="shoot", target=target)
        assert play.got("Declared").qa_need == 4  # type: ignore[attr-defined]
    for who in ("orc", "ash"):
        assert play.to("resolve").state.step.actor == who  # type: ignore[union-attr]
        play.do("resolve", who=who, chance=50, distance=90, rolls={"check": [99]})


# Whether


@pytest.mark.parametrize(("feet", "allowed"), [(10, False), (11, True)])
def test_g_56_five_feet_between_the_zones(feet: int, allowed: bool):
    """G-56, CS-251: Zones of 6 ft each: 4 ft between them are too few."""
    play = aimed()
    if allowed:
        assert "Missed" in shot(play, feet / YARD).names()
    else:
        play.refused("CS-251", "resolve", who="ash", chance=50, distance=feet)
        assert "Missed" in shot(play, feet / YARD, force=True).names()


def test_the_line_must_be_clear_unless_the_weapon_lobs():
    """CS-251, CS-266."""
    wall = Terrain("wall", glyph="#", blocks=True, blocks_sight=True)
    board = any_board(HexBoard(30, 9, legend={"wall": wall}, terrain={HexBoard.place_called("H3"): "wall"}))
    placed = {"ash": {"at": "E3"}, "orc": {"at": "P3"}}
    with pytest.raises(Refused, match="CS-251"):
        aimed(board=board, **placed)  # type: ignore[arg-type]
    play = aimed({**BOW, "lob": True}, board=board, **placed)  # type: ignore[arg-type]
    assert "Missed" in shot(play, None).names()


# Cases


def test_g_52_aware_the_sum_of_all():
    """G-52, CS-259, CS-260, CS-501, CS-504, CS-505: Dodge 24, 4 mph, shield 3, 40 yd: 36."""
    shield = {"name": "shield", "kind": "shield", "hand": "L", "av": 20, "coverage_mod": 3}
    play = table(
        None, None, orc={"side": "foe", "dodge": 24, "weapons": [shield]}, ash={"weapons": [BOW]}
    ).begin()  # fmt: skip
    play.to("declare", "orc").do("declare", who="orc", action="move").do("move", who="orc", feet=20, speed=4)
    play.to("declare", "ash").do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
    shot(play, 40)
    assert dv(play) == 36
    assert [rule for _, _, rule in parts(play)[1:4]] == ["CS-419", "CS-504", "CS-504"]


def test_what_is_acting_in_a_dodge_does_not_count():
    """CS-501: the bonus of Player or Game Face."""
    play = shot(aimed(orc={"dodge": 29, "skills": {"acting in dodge": 5}}), 15)
    assert dv(play) == 24


@pytest.mark.parametrize(
    ("defence", "yards", "total"),
    [("still", 10, 1), ("still", 85, 21), ("active", 10, 2), ("active", 85, 23), ("aware", 10, 20), ("none", 10, 1)],
)
def test_g_50_the_unaware_do_not_dodge(defence: str, yards: int, total: int):
    """G-50, CS-283, CS-502, CS-503, CS-505, A-06: AGL modifier while busy; about still, the range alone, 1 at least."""
    play = shot(aimed(orc={"mod": {"agl": 2}}), yards, defence=defence)
    assert dv(play) == total
    assert len([one for one in play.all("UseCounted") if one.skill == "dodge"]) == (defence == "aware")  # type: ignore[attr-defined]


def test_a_shooter_in_hiding_is_not_expected():
    """CS-502, CS-503: busy or still, as the target is; CS-305: nor is one behind, before any warning."""
    for busy, total in ((True, 2), (False, 1)):
        play = table(None, None, orc={"side": "foe", "mod": {"agl": 2}}, ash={"weapons": [BOW]}).begin()
        if busy:
            play.do("declare", who="orc", action="act", text="hauls a rope")
        play.to("declare", "ash").do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
        play.do("adjust", who="ash", what="hidden", value=True)
        assert dv(shot(play, 15)) == total
    board = any_board(HexBoard(30, 9))
    play = shot(aimed(board=board, ash={"at": "E3"}, orc={"at": "H3", "facing": 0}), None)
    assert dv(play) == 1


def test_no_weapon_turns_what_flies():
    """CS-506: only the three cases are offered."""
    play = aimed(orc={"weapons": [SWORD]})
    inputs = {one.name: one for one in play.option("ash", "strike").inputs}
    assert [one.split()[0] for one in inputs["defence"].choices] == ["aware", "active", "still"]
    play.refused("CS-506", "resolve", who="ash", chance=50, distance=60, defence="parry sword")


def test_each_shot_is_dodged_anew():
    """CS-419, CS-501: the second Dodge of an Action is worth half, and costs END like any."""
    archers = {f"a{number}": {"weapons": [BOW]} for number in range(2)}
    play = table(None, {"end": True}, **archers, orc={"side": "foe", "dodge": 20, "end": {"max": 9}}).begin()
    for who in archers:
        play.to("declare", who).do("declare", who=who, action="shoot", target="orc")
    for who, total in (("a0", 20), ("a1", 10)):
        play.to("resolve", who).do("resolve", who=who, chance=50, distance=45, rolls={"check": [99]})
        assert dv(play) == total
    assert play.one("orc").pool("end").now == 7


# Late impacts


@played_once
def far(feet: float, weapon: Mapping[str, object] = BOW, settings: Mapping[str, object] | None = None) -> Play:
    return aimed(weapon, settings).do("resolve", who="ash", hit=True, distance=feet, harm=2)


@pytest.mark.parametrize(
    ("weapon", "feet", "late"), [(BOW, 2100, True), (BOW, 1900, False), (SPEAR, 501, True), (SPEAR, 500, False)]
)
def test_g_54_what_flies_far_lands_in_the_next_segment(weapon: Mapping[str, object], feet: float, late: bool):
    """G-54, CS-284, CS-285: over 2000 ft for arrows, over 500 ft for what is hurled; nearer, at once."""
    play = far(feet, weapon)
    assert ("ImpactScheduled" in play.names()) is late
    assert ("Hit" in play.names()) is not late
    assert play.see("orc")["wounds"] == (0 if late else 2)
    if late:
        assert play.got("ImpactScheduled").due == 2  # type: ignore[attr-defined]


def order_of(play: Play, *kinds: str) -> list[str]:
    """The types of what has happened since the second segment began, as far as they are asked for."""
    types = [one.type for one in play.heard]
    begun = len(types) - types[::-1].index("SegmentBegan")
    return [one for one in types[begun:] if one in kinds]


def test_g_54_it_lands_after_the_roster_and_before_the_first_declaration():
    """G-54, CS-285."""
    play = far(2100).begin()
    assert order_of(play, "RosterSet", "ImpactDue", "Hit", "WoundsInflicted", "PassBegan") == [
        "RosterSet", "ImpactDue", "Hit", "WoundsInflicted", "PassBegan",
    ]  # fmt: skip
    assert play.see("orc")["wounds"] == 2
    assert play.state.step.kind == "declare"  # type: ignore[union-attr]
    assert play.state.remembered["impacts"] == ()


def test_g_54_with_pulses_it_lands_after_the_last_declaration_and_before_the_first_pulse():
    """G-54, CS-285."""
    play = far(2100, settings={"pulse_movement": True}).begin().to("pulse")
    assert order_of(play, "Waited", "ImpactDue", "PulseTicked") == ["Waited", "Waited", "ImpactDue", "PulseTicked"]


def test_what_a_late_hit_does_may_be_asked_for_then():
    """CS-285: play waits at the impact as at any blow."""
    play = aimed().do("resolve", who="ash", hit=True, distance=2100).begin()
    assert play.state.step.kind == "impacts"  # type: ignore[union-attr]
    assert play.asks() == ["pres"]
    assert play.see("orc")["wounds"] == 3
    play.do("answer", prompt="pres", choice="none")
    assert play.state.step.kind == "declare"  # type: ignore[union-attr]
    play = aimed().do("resolve", who="ash", hit=True, distance=2100, harm="1d6").begin()
    play.do("answer", prompt="harm", choice="roll", rolls={"harm": [3]})
    assert play.see("orc")["wounds"] == 3


def test_an_arrow_in_the_air_lands_whatever_becomes_of_the_archer():
    """CS-285, CS-111: it was loosed with his arm, and that it hits is settled."""
    play = aimed(orc={"pres": 40}).do("resolve", who="ash", hit=True, distance=2001).do("life", who="ash", life="dead")
    play.until(lambda: play.state.round == 2).do("initiative", who="orc", total=9)
    assert play.got("ImpactDue")
    assert play.see("orc")["wounds"] == 3


def test_cs_501_who_has_dodged_an_archer_is_aware_of_him() -> None:
    """CS-501, L2672: with his back to him too; until the archer hides, and not of another behind him."""
    archer, orc = {"weapons": [{**BOW, "hand": "2"}], "at": (1, 4)}, {"side": "foe", "dodge": 30, "at": (20, 4)}
    people = {"ash": archer, "bo": archer | {"at": (1, 2)}, "orc": {**orc, "facing": 4}}
    play = table(SquareBoard(30, 9), None, **people).begin()
    play.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash").do("resolve", who="ash", hit=False)
    assert play.one("orc").record.aware_of == ("ash",)
    assert play.do("leave", who="ash").one("orc").record.aware_of == ()
    play.undo()
    play.to("initiative").begin(orc=30, bo=20, ash=10).do("move", who="orc", to=[22, 4])
    assert play.one("orc").facing == 0, "he has turned his back"
    for who in ("bo", "ash"):
        play.to("declare", who).do("declare", who=who, action="shoot", target="orc")
    for who, dodges in (("bo", False), ("ash", True)):
        play.to("resolve", who).do("resolve", who=who, chance=99, hit=False)
        parts = [label for label, _, _ in play.got("CheckRequested").parts]  # type: ignore[attr-defined]
        assert ("Dodge" in parts) is dodges
        play.undo()
        play.do("abort", who=who)
    play.do("adjust", who="ash", what="hidden", value=True)
    assert play.one("orc").record.aware_of == ()


def test_who_is_gone_is_not_hit():
    """CS-285."""
    play = far(2100).do("leave", who="orc").begin()
    assert "ImpactDue" in [one.type for one in play.heard]
    assert "Hit" not in [one.type for one in play.heard]


@pytest.mark.parametrize("said", [{}, {"pot": 33}, {"harm": 2}, {"struck": "blunt"}, {"drop": 30}, {"barrier": 2}])
def test_a_late_impact_is_worth_what_it_would_have_been_at_once(said: Mapping[str, object]):
    """CS-285, CS-542, CS-577: POT, what strikes and how, whatever has become of the shooter's arm meanwhile."""
    bow = {**BOW, "size": 6, "db_extra": 4, "effects": ["point", "blunt"], "str_rating": 13}
    at_once = aimed(bow).do("resolve", who="ash", hit=True, distance=1900, **said)
    later = aimed(bow).do("resolve", who="ash", hit=True, distance=2100, **said)
    later.do("damage", who="ash", amount=5).begin()
    blows = [[one for one in play.heard if one.type == "BlowLanded"] for play in (at_once, later)]
    assert blows[0] == blows[1]
    assert len(blows[0]) == ("harm" not in said)
    assert at_once.see("orc")["wounds"] == later.see("orc")["wounds"]


def test_a_late_impact_keeps_by_how_much_it_hit():
    """CS-285, CS-477."""
    play = aimed().do("resolve", who="ash", chance=60, distance=2100, rolls={"check": [20]}).begin()
    assert next(one for one in play.heard if one.type == "Hit").margin == 40  # type: ignore[attr-defined]


def test_a_late_heroic_effect_is_picked_when_it_lands():
    """CS-285, CS-547, CS-639."""
    settings = {"heroic_effects": True, "heroic_scope": "always", "heroic_for": "all"}
    play = aimed(settings=settings).do("resolve", who="ash", chance=60, distance=2100, rolls={"check": [2]}).begin()
    assert play.state.step.kind == "impacts"  # type: ignore[union-attr]
    assert len(play.asks()) == 1
    play.do("answer", prompt=play.asks()[0], choice="double")
    assert any("doubled" in label or "double" in label for label, *_ in play.got("BlowLanded").parts)  # type: ignore[attr-defined]


# What the GM adds to the difficulty


@pytest.mark.parametrize(
    ("case", "yards", "more", "total"),
    [("aware", 85, 4, 20 + 21 + 4), ("aware", 85, -4, 20 + 21 - 4), ("still", 85, 4, 25), ("still", 10, 4, 4),
     ("still", 10, 0, 1), ("still", 10, -9, 1), ("still", 20, -1, 1), ("active", 10, 2, 3 + 2)],
)  # fmt: skip
def test_the_gm_makes_a_shot_harder(case: str, yards: int, more: int, total: int) -> None:
    """CS-276, CS-505, A-06: case and range and the GM's number, with its reason; at least 1 for the still."""
    play = shot(aimed(orc={"mod": {"agl": 3}}), yards, defence=case, dv_modifier=more, reason="mist")
    assert dv(play) == total
    assert (("mist", f"{more:+d}", "CS-276") in parts(play)) is bool(more)


def test_a_strike_may_be_harder_too_and_out_of_turn() -> None:
    """CS-276, M-07: in a melee, as an Opportunity Action, by the DV that the GM has said."""
    play = table(ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD]}).begin()
    play.do("opportunity", who="ash", target="orc", defence="parry sword", dv_modifier=5, chance=50)
    assert dv(play) == 45
    play.undo().do("opportunity", who="ash", target="orc", dv=30, dv_modifier=-3, chance=50)
    assert dv(play) == 27
    play.undo().do("opportunity", who="ash", target="orc", kind="overbear", dv_modifier=6, hit=True)
    assert parts(play)[-1] == ("GM modifier", "+6", "CS-276")


# What is in hand


DAGGER: Mapping[str, object] = {"name": "dagger", "av": 30, "hurlable": True, "hurl_av": 20, "size": 1}


def test_hurling_with_the_other_hand_is_a_skill_of_its_own() -> None:
    """CS-252: without it there is a slight chance, which the GM enters."""
    hands = {"weapons": [SWORD, DAGGER], "hands": {"R": "sword", "L": "dagger"}}
    left = table(ash=hands, orc={"side": "foe", "dodge": 20}).begin()
    left.do("declare", who="ash", action="hurl", weapon="dagger", target="orc").to("resolve", "ash")
    assert shot(left, 10, chance=5).got("CheckRequested").av is None  # type: ignore[attr-defined]
    trained = {**hands, "weapons": [SWORD, {**DAGGER, "hand": "L"}]}
    both = table(ash=trained, orc={"side": "foe", "dodge": 20}).begin()
    both.do("declare", who="ash", action="hurl", weapon="dagger", target="orc").to("resolve", "ash")
    assert shot(both, 10).got("CheckRequested").av == 20  # type: ignore[attr-defined]


def test_what_is_hurled_is_gone_from_the_hand_and_the_next_is_grabbed() -> None:
    """CS-257, CS-415: it defends nobody any more; to grab and hurl is one Action."""
    play = table(ash={"weapons": [DAGGER]}, orc={"side": "foe", "dodge": 20, "weapons": [SWORD]}).begin()
    for number in (1, 2):
        play.to("declare", "ash").do("declare", who="ash", action="hurl", target="orc")
        assert play.see("ash")["declared"]["qa_need"] == 4  # type: ignore[index]
        shot(play.to("resolve", "ash"), 10)
        assert play.got("Missed", weapon="dagger"), number
        if number == 1:
            assert play.see("ash")["defences_left"] == []
            play.to("initiative").begin()


def test_a_weapon_in_its_sheath_is_drawn_where_that_is_said() -> None:
    """CS-123, CS-340, CS-390: Draw and Throw are one Action; unsaid it is not in hand."""
    ash = {"weapons": [SWORD, DAGGER], "hands": {"R": "sword"}}
    play = table(ash=ash, orc={"side": "foe", "dodge": 20}).begin()
    given = {"who": "ash", "weapon": "dagger", "target": "orc"}
    assert play.refused("CS-340", "declare", **given).accepts == ("components: draw", "sword", "bare hands")
    play.do("declare", **given, components=["draw"]).to("resolve", "ash")
    assert play.do("resolve", who="ash", chance=50, rolls={"check": [99]}).got("Missed", weapon="dagger")
    full = table(ash={**ash, "hands": {"R": "sword", "L": "sword"}}, orc={"side": "foe", "dodge": 20}).begin()
    assert full.refused("CS-340", "declare", **given, components=["draw"]).accepts[0] == "components: drop_or_grab draw"
    again = table(ash=ash, orc={"side": "foe", "dodge": 20}).begin()
    again.do("declare", **given, components=["draw", "strike"]).to("resolve", "ash")
    assert again.do("resolve", who="ash", chance=50, rolls={"check": [99]}).got("Missed", weapon="dagger")


def test_an_attack_that_cannot_be_is_refused_as_it_is_declared() -> None:
    """CS-251, CS-252, CS-340."""
    play = table(ash={"weapons": [SWORD, BOW]}, orc={"side": "foe"}).begin()
    play.refused("CS-251", "declare", who="ash", action="shoot", weapon="sword", target="orc")
    play.refused("CS-252", "declare", who="ash", action="hurl", weapon="sword", target="orc")
    play.refused("CS-340", "declare", who="ash", action="strike", target="ash")
    assert play.do("declare", who="ash", action="hurl", weapon="sword", target="orc", force=True).got("Declared")


@pytest.mark.parametrize(
    ("weapon", "feet", "said"),
    [(BOW, None, "(aware), distance not known: AV 40"), ({**BOW, "family": ""}, 300, "range not known, 1.5 s"),
     (BOW, 300, "long range, 100 yd, 1.5 s"), (SPEAR, 60, "medium range, 60 ft, 1.2 s")],
)  # fmt: skip
def test_the_question_tells_what_is_known_of_the_range(
    weapon: Mapping[str, object], feet: float | None, said: str
) -> None:
    """CS-267, CS-284, M-01."""
    play = aimed(weapon).do("resolve", who="ash", **({} if feet is None else {"distance": feet}))
    assert said in play.prompt("check").question


@pytest.mark.parametrize("feet", [-1, 100_001])
def test_no_distance_is_refused(feet: float) -> None:
    """CS-251."""
    assert aimed().refused("CS-251", "resolve", who="ash", chance=50, distance=feet).accepts == ("0 to 100000 ft",)


def test_before_the_dice_the_difficulty_is_explained() -> None:
    """CS-475, CS-505, CS-282: of what is declared, part by part; what is not known is named."""
    board = any_board(HexBoard(80, 9))
    play = aimed(board=board, ash={"at": "E3"}, orc={"at": "BD3"})
    trail = play.fight.explain("ash", "difficulty")
    assert trail.total == "41, aware"
    assert [(part.label, part.value) for part in trail.parts] == [
        ("Dodge", "+20"), ("point-blank", "+0"), ("short range", "+9"), ("medium range", "+7"), ("long range", "+5"),
    ]  # fmt: skip
    unknown = aimed().fight.explain("ash", "difficulty")
    assert (unknown.total, unknown.parts[0].label) == ("?", "aware, distance not known")
    alone = table(ash={"weapons": [SWORD]}).begin()
    assert alone.fight.explain("ash", "difficulty").total == "no one to attack"
    melee = table(ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD], "dodge": 15}).begin()
    assert melee.fight.explain("ash", "difficulty").total == "40, parry sword"


@pytest.mark.parametrize(
    ("cover", "case", "value", "note"),
    [(4, "aware", "+4", False), (None, "aware", "", True), (None, "active", "", True), (None, "still", "", False)],
)
def test_a_shield_counts_as_its_cover_was_typed(cover: int | None, case: str, value: str, note: bool) -> None:
    """CS-260, CS-504, M-06: typed once for each shield; where nobody has, the sum says so."""
    shield = {"name": "shield", "kind": "shield", "hand": "L", "coverage_mod": cover}
    told = parts(shot(aimed(orc={"weapons": [shield]}), 40, defence=case))
    assert [one for _, one, rule in told if rule == "CS-504"] == ([value] if value else [])
    assert (("no cover value for the shield on the sheet: 0 is used", "+0", "CS-260") in told) is note


def test_cs_503_somebody_who_is_down_is_shot_at_with_dv_1() -> None:
    """CS-503, A-15, L2678; put right 34: offered without `force`, unaware and still, with no other case to choose."""
    play = table(ash={"weapons": [BOW]}, orc={"side": "foe", "dodge": 20}).begin()
    play.do("life", who="orc", life="unconscious").to("declare", "ash")
    assert play.option("ash", "declare-shoot").inputs[0].choices == ("orc",)
    play.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
    cases = [field.choices for field in play.option("ash", "strike").inputs if field.name == "defence"]
    assert [case.split()[0] for case in cases[0]] == ["still"]
    assert dv(shot(play, 10)) == 1
