"""Wounds, their level, STR that is left, the tenth wound and what comes after it (CS-600 to CS-632)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from fightcall_engine.model.state import FightState

from ..once import played_once
from .hits import BLADE, answered, asked, due, duel, hit, struck
from .table import Play

SMALL = {"msta": 14, "cnd": 13, "posture": "prone"}
"""Of the Wound Threshold 27/8, 3 by the usual reading; who lies keeps no feet."""

BP = {"body_points": True}


def hurt(play: Play, who: str = "orc", **given: object) -> Play:
    return play.do("blow", **{"who": who, "struck": "edge", **given})


def wounds_of(settings: Mapping[str, object], pot: int, struck_with: str, **sheet: object) -> int:
    play = hurt(duel(settings, orc={**SMALL, **sheet}), pot=pot, struck=struck_with)
    return int(play.see("orc")["wounds"])  # type: ignore[call-overload]


# The threshold


@pytest.mark.parametrize(("pot", "made"), [(3, 0), (4, 1), (6, 1), (7, 2), (9, 2), (10, 3), (12, 3), (13, 4)])
def test_g_105_a_blunt_blow(pot: int, made: int):
    """G-105, CS-600, CS-601, CS-602."""
    assert wounds_of({}, pot, "blunt") == made


@pytest.mark.parametrize(("pot", "made"), [(1, 1), (6, 1), (7, 2)])
def test_g_105_an_edge_on_bare_flesh(pot: int, made: int):
    """G-105, CS-603, A-13: 1 wound from the first point."""
    assert wounds_of({}, pot, "edge") == made
    assert wounds_of({}, pot, "point") == made


def test_g_105_a_12_the_exact_threshold():
    """G-105, CS-600, A-12: 10 is 2 wounds at 3.375."""
    assert wounds_of({"wt_rounding": "exact"}, 10, "blunt") == 2
    assert duel({"wt_rounding": "exact"}, orc=SMALL).see("orc")["wound_threshold"] == 3.375


def test_g_106_cs_603_armour_that_is_not_breached():
    """G-106, CS-603: edge, 2 left of 12 at mail 10: no wound; pierced by a point it is one."""
    play = hurt(duel(orc={**SMALL, "armour": [{"type": "singlemail"}]}), pot=12)
    assert play.got("ArmourApplied", out=2)
    assert play.see("orc")["wounds"] == 0
    hurt(play, pot=2, struck="point", passage="thrust")
    assert play.see("orc")["wounds"] == 1


def test_cs_600_the_threshold_is_1_at_the_least_and_explained():
    """CS-600, CS-602: with its multiples."""
    assert duel(orc={"msta": 1, "cnd": 1}).see("orc")["wound_threshold"] == 1
    trail = duel(orc=SMALL).fight.explain("orc", "threshold")
    assert trail.total == "3"
    assert [(part.label, part.value) for part in trail.parts] == [
        ("modified STA", "14"), ("CND", "13"), ("both ÷ 8", "3.375"), ("1, 2, 3 wounds above", "3, 6, 9"),
    ]  # fmt: skip


# Levels


@pytest.mark.parametrize(
    ("count", "level"),
    [(1, "light"), (2, "serious"), (3, "serious"), (4, "grievous"), (6, "grievous"), (7, "mortal"), (9, "mortal")],
)
def test_g_109_cs_620_levels(count: int, level: str):
    """G-109, CS-620: by a blow's wounds or by the GM's hand alike."""
    play = duel().do("damage", who="orc", amount=count)
    assert play.got("WoundsInflicted", n=count, total=count, level=level)
    assert play.see("orc")["wound_level"] == level
    assert play.one("orc").pool("hp").now == 10 - count


def test_wounds_of_a_blow_and_healing_keep_the_boxes():
    """CS-601, CS-620: boxes left and wounds go together."""
    play = hurt(duel(orc=SMALL), pot=10)
    assert (play.see("orc")["wounds"], play.one("orc").pool("hp").now) == (3, 7)
    play.do("heal", who="orc", amount=2)
    assert (play.see("orc")["wounds"], play.one("orc").pool("hp").now) == (1, 9)
    assert play.see("orc")["wound_track"] == {"taken": 1, "of": 10}


def test_the_blow_is_undone_with_all_it_did():
    """CS-601: wounds, place and questions are as before."""
    play = due(duel(orc={"msta": 16, "pres": 5}))
    before = play.state
    hit(play, pot=25).undo()
    assert play.state.combatants == before.combatants
    assert play.state.prompts == before.prompts


# STR


def strength(play: Play, who: str = "ash") -> object:
    return play.see(who)["str_now"]


@pytest.mark.parametrize(("count", "left"), [(3, 15), (4, 7.5), (6, 7.5), (7, 3.75), (9, 3.75)])
def test_cs_621_cs_623_a_14_str_in_the_fight(count: int, left: float):
    """CS-621, CS-623, CS-626, A-14: half when Grievous, a quarter when Mortal, nothing before."""
    assert strength(duel(ash={"str": 15, "wounds": count})) == left
    assert strength(duel({"adrenaline": "masks_all"}, ash={"str": 15, "wounds": count})) == 15


def test_g_94_cs_622_rally():
    """G-94, CS-622: HRT against 1 + 2 + 3 + 4 + 5; full STR for that one Action."""
    play = due(duel(ash={"str": 14, "wounds": 5, "hrt": 12}))
    assert play.offers() == ["rally"]
    assert play.option("ash", "rally").legal
    assert play.option("ash", "rally").inputs[0].default == "47"
    play.do("rally", who="ash", chance=40, rolls={"check": [40]})
    assert play.got("CheckRequested", kind="HRT", av=12, dv=15)
    assert play.got("Rallied", ok=True)
    assert play.refused("CS-622", "rally", who="ash").accepts == ("the next Action",)
    assert strength(play) == 14
    assert hit(play).got("BlowLanded", pot=19)
    assert strength(play) == 7


def test_cs_622_only_an_attack_is_rallied_for():
    """CS-622: full STR is for a blow; who does anything else is not asked."""
    play = duel(ash={"str": 14, "wounds": 5, "hrt": 12}).begin().do("declare", who="ash", text="lifts the gate")
    assert play.to("resolve", "ash").offers() == []


def test_cs_094_nobody_rallies_before_the_action_is_settled():
    """CS-094, CS-622, L188: not as it is declared, nor in another's Resolution; nor is it offered. The GM may."""
    play = duel(ash={"wounds": 5, "str": 14}).begin()
    while play.state.step.kind != "resolve" or play.state.step.actor != "ash":
        assert not play.option("ash", "rally").legal
        assert "Resolution" in play.refused("CS-094", "rally", who="ash", hit=True).accepts[0]
        if play.state.step.kind == "declare":
            foe = "orc" if play.state.step.actor == "ash" else "ash"
            play.do("declare", who=play.state.step.actor, target=foe)
        play.do("advance")
    assert play.option("ash", "rally").legal
    play.do("rally", who="ash", hit=True).undo()
    assert not play.undo().option("ash", "rally").legal
    assert play.do("rally", who="ash", hit=True, force=True).got("Overridden", rule="CS-094")


def test_cs_622_in_vain():
    """CS-622: one try for an Action, then the next."""
    play = due(duel(ash={"str": 14, "wounds": 5})).do("rally", who="ash", hit=False)
    assert play.refused("CS-622", "rally", who="ash").message.endswith("in vain")
    assert hit(play).got("BlowLanded", pot=15)
    play.begin().to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    play.do("answer", prompt="rally", choice="rally")
    assert play.got("CheckRequested", kind="HRT", dv=15)
    assert play.got("Rallied")


def test_cs_622_the_chance_may_be_asked_for():
    """CS-622, M-01."""
    play = due(duel({"resolution": "gm_percent"}, ash={"str": 14, "wounds": 4})).do("rally", who="ash")
    play.do("answer", prompt="check", amount=50, rolls={"check": [50]})
    assert play.got("Rallied", ok=True)


def test_cs_622_the_offer_lapses():
    """CS-622: play goes on without it."""
    play = due(duel(ash={"wounds": 4}))
    assert hit(play).state.prompts == ()


@pytest.mark.parametrize(("count", "settings"), [(3, {}), (7, {}), (4, {"adrenaline": "masks_all"})])
def test_cs_622_only_who_is_grievously_wounded_rallies(count: int, settings: Mapping[str, object]):
    """CS-622, CS-626."""
    play = due(duel(settings, ash={"wounds": count}))
    assert play.offers() == []
    play.refused("CS-626" if settings else "CS-622", "rally", who="ash")


@pytest.mark.parametrize(("count", "left"), [(1, 12), (2, 8), (4, 4), (7, 0)])
def test_g_112_cs_627_after_the_contest(count: int, left: float):
    """G-112, CS-627: STR 16 less a quarter for each level; told for each who is wounded."""
    play = duel(ash={"str": 16, "wounds": count}).do("close")
    assert play.got("AftermathApplied", who="ash", strength=left)
    assert strength(play) == left


def test_cs_626_cs_627_knocked_out_and_roused():
    """CS-626, CS-627: the wounds tell at once."""
    play = duel(ash={"str": 16, "wounds": 2})
    assert strength(play) == 16
    play.do("life", who="ash", life="unconscious").do("life", who="ash", life="up")
    assert strength(play) == 8
    play = duel(ash={"str": 16, "wounds": 4}).do("life", who="ash", life="unconscious")
    play.do("adjust", who="ash", what="able", value=True)
    assert strength(play) == 4


# The tenth wound


@played_once
def tenth(**orc: object) -> Play:
    return duel(orc={"cnd": 13, "pres": 40, "wounds": 9, **orc}).do("damage", who="orc", amount=1)


def test_g_109_cs_624_the_tenth_wound():
    """G-109, CS-624: he collapses; P-RES against 55, and dies if it fails."""
    play = tenth()
    assert play.got("WoundsInflicted", total=10, level="mortal")
    assert play.got("Collapsed", who="orc")
    assert not play.one("orc").able
    assert asked(play) == [("P-RES", 55)]
    answered(play, "failed")
    assert play.got("Died", who="orc")
    assert play.see("orc")["life"] == "dead"
    assert play.state.prompts == ()


def test_g_109_cs_625_who_survives_it():
    """G-109, CS-625: 13 minutes are 78 segments; and another check to stay conscious."""
    play = answered(tenth(), "made")
    assert play.got("LivesOn", segments=78)
    assert play.see("orc")["life_until"] == play.state.round + 78
    assert asked(play) == [("P-RES", 55)]
    answered(play, "failed")
    assert play.got("FellUnconscious", who="orc")
    assert play.see("orc")["life_until"] == play.state.round + 78
    play = answered(answered(tenth(), "made"), "made")
    assert play.see("orc")["life"] == "collapsed"


def test_cs_625_his_time_runs_out():
    """CS-625: with CND 1, after six segments."""
    play = answered(answered(tenth(cnd=1), "made"), "made")
    assert play.see("orc")["life_until"] == 7
    while play.state.round < 7:
        play.begin().do("advance")
    assert play.see("orc")["life"] == "collapsed"
    play.to("initiative")
    while play.state.round < 8:
        play.begin().do("advance")
    assert play.see("orc")["life"] == "dead"


def test_cs_625_the_roster_shows_how_long_who_survived_lives():
    """CS-625: to the first segment, too; nobody is shown to live who is dead."""
    play = tenth(cnd=1)
    answered(answered(play, "made"), "made")
    assert "lives to Segment 7" in [badge.text for badge in play.fight.system.card(play.state, "orc").badges]
    play.do("life", who="orc", life="dead")
    assert not [badge for badge in play.fight.system.card(play.state, "orc").badges if "lives" in badge.text]


def test_cs_624_an_unknown_p_res_asks_the_outcome():
    """CS-624, M-01."""
    play = tenth(pres=None)
    assert "P-RES is not known" in play.prompt("check").question
    assert play.refused("CS-624", "advance").accepts == ("made", "failed", "a number (chance)")


def test_g_110_a_15_cs_628_beyond_the_tenth():
    """G-110, CS-628, A-15: 8 and 3 more asks once; a later wound asks again."""
    play = hurt(duel(orc={**SMALL, "pres": 99, "wounds": 8}), pot=10)
    assert play.see("orc")["wounds"] == 11
    assert asked(play) == [("P-RES", 55)]
    answered(answered(play, "made"), "made").do("damage", who="orc", amount=1)
    assert asked(play) == [("P-RES", 55)]
    answered(play, "made")
    assert "LivesOn" not in play.names()


def test_cs_628_each_wound_beyond_it_asks_once():
    """CS-628: two of them, one check after the other; the first that fails is the last."""
    play = answered(answered(tenth(), "made"), "made").do("damage", who="orc", amount=2)
    assert "2 such checks" in play.prompt("check").question
    answered(play, "made")
    assert asked(play) == [("P-RES", 55)]
    answered(play, "failed")
    assert play.see("orc")["life"] == "dead"
    play.do("damage", who="orc", amount=3)
    assert asked(play) == []


def test_who_collapses_owes_no_other_check():
    """CS-624: neither to keep his feet nor against pain."""
    play = struck(orc={"msta": 16, "pres": 5, "wounds": 9}, pot=30)
    assert asked(play) == [("P-RES", 55)]


def test_healing_beyond_the_tenth_frees_boxes_below_it_only():
    """CS-628."""
    play = duel(orc={"wounds": 12, "pres": 40}).do("heal", who="orc", amount=3)
    assert (play.see("orc")["wounds"], play.one("orc").pool("hp").now) == (9, 1)


# Body Points


@pytest.mark.parametrize(
    ("damage", "level"),
    [(10, "light"), (11, "serious"), (20, "serious"), (21, "grievous"), (30, "grievous"), (31, "mortal")],
)
def test_g_113_cs_632_a_16_levels_of_body_points(damage: int, level: str):
    """G-113, CS-550, CS-604, CS-632, A-16: POT that gets through is points lost."""
    play = hurt(duel(BP, orc={"bp": {"max": 40}}), pot=damage)
    assert play.got("BodyPointsLost", amount=damage, left=40 - damage, level=level)
    assert play.see("orc")["wound_level"] == level
    assert play.see("orc")["wounds"] == 0
    assert play.see("orc")["bp"] == {"max": 40, "damage": damage}


def test_cs_550_armour_counts_before():
    """CS-550, CS-570."""
    play = hurt(duel(BP, orc={"bp": {"max": 40}, "armour": [{"type": "padded_simple"}]}), pot=25)
    assert play.got("BodyPointsLost", amount=15)


def test_cs_560_knock_back_by_body_points():
    """CS-560, CS-550: of the damage before armour."""
    assert hurt(duel(BP, orc={"bp": {"max": 40}, "msta": 20}), pot=25).got("KnockedBack", feet=5)


def test_cs_621_levels_by_points_cost_str_too():
    """CS-621, CS-632."""
    assert strength(duel(BP, ash={"str": 16, "bp": {"max": 40, "damage": 25}})) == 8


def test_cs_622_with_body_points_the_gm_says_what_a_rally_is_against():
    """CS-622, CS-632: its difficulty counts wounds, and points are none; there is no DV of 0."""
    play = due(duel(BP, ash={"str": 14, "hrt": 12, "bp": {"max": 40, "damage": 25}})).do("rally", who="ash")
    assert play.got("CheckRequested", kind="HRT", av=12, dv=None)
    assert "in spite of Grievous wounds" in play.prompt("check").question
    play.do("answer", prompt="check", amount=30, rolls={"check": [30]})
    assert hit(play).got("BlowLanded", pot=19)


def test_a_15_the_last_body_point_is_as_the_tenth_wound():
    """CS-628, A-15: also by hand, and each time after it."""
    play = hurt(duel(BP, orc={"bp": {"max": 40, "damage": 30}, "pres": 40}), pot=12)
    assert asked(play) == [("P-RES", 55)]
    assert play.see("orc")["life"] == "collapsed"
    answered(answered(play, "made"), "made").do("damage", who="orc", amount=1)
    assert asked(play) == [("P-RES", 55)]


def test_m_12_without_body_points_wounds_are_counted_and_it_is_said():
    """CS-554, M-12."""
    play = hurt(duel(BP, orc=SMALL), pot=10)
    assert play.see("orc")["wounds"] == 3
    play = duel(BP, orc=SMALL).do("damage", who="ash", amount=1)
    assert play.see("ash")["wounds"] == 1


def test_the_option_may_change_in_mid_fight():
    """CS-550, CS-604: the pool counts what is in force."""
    play = duel(orc={"bp": {"max": 40}}).do("damage", who="orc", amount=3)
    play.do("configure", setting="body_points", value=True)
    assert (play.one("orc").pool("hp").now, play.one("orc").pool("hp").max) == (40, 40)
    assert play.one("ash").pool("hp").max == 10
    play.do("configure", setting="body_points", value=False)
    assert (play.one("orc").pool("hp").now, play.one("orc").pool("hp").max) == (7, 10)


# Odd values typed by hand


@pytest.mark.parametrize(
    ("trait", "value"),
    [
        ("wounds", -7), ("wounds", 10**9), ("life_until", -1), ("life_until", 10**9), ("pres", -7),
        ("rally", "odd"), ("roused", True), ("clothes_cut", True), ("life", "dead"),
    ],
)  # fmt: skip
def test_odd_values_never_hinder_a_blow(trait: str, value: object):
    """CS-601: reading goes on, whatever the GM has typed."""
    play = due(duel(orc=SMALL))
    play.do("adjust", who="orc", what=trait, value=value)
    hit(play, pot=20)
    assert play.got("BlowLanded", pot=20)
    assert isinstance(play.state, FightState)
    assert play.fight.explain("orc", "wounds").subject == "wounds"


def test_a_sword_of_the_examples():
    """G-125: the one both fighters have."""
    assert Fraction(str(BLADE["size"])) == 4


@pytest.mark.parametrize("life", ["unconscious", "collapsed", "dead"])
def test_cs_611_who_is_out_lies_and_rises_when_he_is_up_again(life: str) -> None:
    """CS-104, CS-111, CS-611, CS-624: he lies where he fell; roused he is no nearer to his feet."""
    play = struck().do("life", who="orc", life=life)
    assert play.see("orc")["posture"] == "prone"
    play.do("life", who="orc", life="up")
    assert play.see("orc")["posture"] == "prone"
    assert play.undo().undo().see("orc")["posture"] == "standing"


def test_cs_611_whoever_is_taken_out_by_the_gms_hand_lies_too() -> None:
    """CS-111."""
    assert struck().do("adjust", who="orc", what="able", value=False).see("orc")["posture"] == "prone"


def test_cs_600_who_has_no_cnd_on_the_sheet_is_of_middling_condition() -> None:
    """CS-600, M-04: CND 13, by the threshold and by what explains it."""
    assert duel(orc={"msta": 14}).see("orc")["wound_threshold"] == 3
    values = [part.value for part in duel(orc={"msta": 14}).fight.explain("orc", "threshold").parts]
    assert values[:3] == ["14", "13", "3.375"]
