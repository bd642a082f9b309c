"""Pain: fainting, fighting through it, stuns and how they wear off (CS-610 to CS-618, CS-032)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.systems.segments.views import cards as showing

from ..once import played_once
from .hits import answered, asked, due, duel, hit, struck
from .table import Play


@played_once
def hurt(beyond: int, settings: Mapping[str, object] | None = None, **orc: object) -> Play:
    """A blow that is so much more than the orc can bear."""
    play = duel(settings, orc={"pres": 10, "hrt": 14, **orc})
    return play.do("blow", who="orc", pot=10 + beyond, struck="blunt")


@played_once
def stunned(beyond: int, choice: str = "failed", **orc: object) -> Play:
    """The same, and he did not faint."""
    return answered(answered(hurt(beyond, **orc), "made"), choice)  # type: ignore[arg-type]


def penalty(play: Play, who: str = "orc") -> object:
    return play.see(who)["stun_penalty"]


# The checks


@pytest.mark.parametrize(("beyond", "dv"), [(1, 1), (3, 6), (4, 10)])
def test_cs_610_more_than_p_res(beyond: int, dv: int):
    """CS-610: DV Progressive by what is more."""
    play = hurt(beyond)
    assert asked(play) == [("P-RES", dv)]
    assert play.got("CheckRequested", kind="P-RES", av=10)


def test_g_108_equal_to_p_res_asks_nothing():
    """G-108, CS-610."""
    assert asked(hurt(0)) == []


def test_cs_610_by_what_comes_through_armour():
    """CS-610."""
    assert asked(hurt(3, armour=[{"type": "padded_simple"}])) == []


def test_cs_610_the_scale_of_the_fight():
    """CS-610, CS-613, M-03: linear."""
    play = hurt(4, {"progressive": "linear"})
    assert asked(play) == [("P-RES", 4)]
    assert penalty(answered(answered(play, "made"), "failed")) == 4


def test_cs_611_he_faints():
    """CS-611."""
    play = answered(hurt(3), "failed")
    assert play.got("FellUnconscious", who="orc")
    assert play.got("Downed", who="orc")
    assert play.see("orc")["life"] == "unconscious"


def test_cs_612_he_fights_through_it():
    """CS-612: HRT against the same DV."""
    play = answered(hurt(3), "made")
    assert asked(play) == [("HRT", 6)]
    assert play.got("CheckRequested", kind="HRT", av=14)


def test_cs_613_stunned_by_all_of_it():
    """CS-613: every AV, Initiative, and the DV from which the time of tasks is taken."""
    play = stunned(3)
    assert play.got("StunApplied", penalty=6)
    assert penalty(play) == 6
    assert play.see("orc")["defences_left"][0].startswith("parry sword 34")  # type: ignore[index]
    assert play.fight.explain("orc", "task_time").total == "6"


def test_cs_614_managed_is_half_kept_exact():
    """CS-614: 15 halved is 7.5, shown 8, then 3.75, shown 4."""
    play = stunned(5, "made")
    assert play.got("StunApplied", penalty=8)
    stun = play.see("orc")["stuns"][0]  # type: ignore[index]
    assert (stun["base"], stun["managed"], stun["penalty"]) == (7.5, True, 8)


def test_cs_613_cs_032_the_penalty_lowers_initiative():
    """CS-032, CS-613: in the segment after the blow it is whole."""
    play = stunned(3).to("initiative").do("initiative", who="orc", d10=8)
    assert play.got("InitiativeRolled", penalty=6, total=2)


def test_a_stunned_man_checks_with_less():
    """CS-613: every AV, that of the next check too."""
    play = stunned(3).do("blow", who="orc", pot=12, struck="blunt")
    assert play.got("CheckRequested", kind="P-RES", av=4, dv=3)
    assert ("stunned", "-6", "CS-613") in play.got("CheckRequested").parts  # type: ignore[attr-defined]


# Unknown P-RES


def test_cs_610_p_res_that_nobody_entered_is_asked_for_and_kept():
    """CS-610: once for all of a squad."""
    play = duel(imp={"side": "foe", "count": 3, "msta": 50, "pres": None})
    first, second = [who for who in play.state.combatants if who.startswith("imp")][:2]
    play.do("blow", who=first, pot=13, struck="blunt")
    assert play.asks() == ["pres"]
    assert "13 POT comes through" in play.prompt("pres").question
    play.refused("CS-610", "answer", prompt="pres", amount=200)
    play.do("answer", prompt="pres", amount=11)
    assert asked(play) == [("P-RES", 3)]
    answered(play, "made")
    answered(play, "made")
    play.do("blow", who=second, pot=12, struck="blunt")
    assert asked(play) == [("P-RES", 1)]


@pytest.mark.parametrize(("choice", "life"), [("none", "up"), ("faints", "unconscious")])
def test_cs_610_or_the_outcome_is_stated(choice: str, life: str):
    """CS-610."""
    play = hurt(3, pres=None).do("answer", prompt="pres", choice=choice)
    assert play.see("orc")["life"] == life
    assert play.asks() == []


def test_cs_610_the_gm_may_rule_on_p_res():
    """CS-610."""
    play = duel(orc={"pres": 30}).do("rule", what="pres", who="orc", value=12)
    assert asked(play.do("blow", who="orc", pot=13)) == [("P-RES", 1)]


def test_no_check_where_nothing_comes_through():
    """CS-610."""
    assert hurt(3, pres=None, armour=[{"type": "field_plate"}]).asks() == []


# Decay


def test_cs_616_it_halves_at_the_end_of_each_segment_after_that_of_the_blow():
    """CS-616, R-2: 10, 10 in the next segment, then 5, 2.5, 1.25, 0.625, gone."""
    play = stunned(4)
    shown = [penalty(play)]
    while penalty(play):
        play.to("initiative").begin()
        shown.append(penalty(play))
        play.do("advance").to("initiative")
    assert shown[:6] == [10, 10, 5, 3, 1, 1]
    assert "StunCleared" in [one.type for one in play.heard]


def test_cs_618_a_50_several_stuns():
    """CS-618, A-50: they add, or the highest alone counts; each wears off on its own."""
    for reading, total in (("sum", 9), ("highest", 6)):
        play = duel({"multi_stun": reading}, orc={"pres": 10})
        for pot in (13, 12):
            answered(answered(play.do("blow", who="orc", pot=pot, struck="blunt"), "made"), "failed")
        assert penalty(play) == total


def test_cs_617_relief_ends_it():
    """CS-617."""
    assert penalty(stunned(3).do("stun", who="orc", penalty=0)) == 0


# Behaviour


def test_cs_615_a_reminder_on_declaring():
    """CS-615: of who was overwhelmed by pain, not of who manages."""
    play = stunned(3).to("declare", "orc")
    said = " ".join(showing.reminders_of(play.state))
    assert "CS-615" in said
    assert "pain adds 6" in said
    play = stunned(3, "made").to("declare", "orc")
    assert "CS-615" not in " ".join(showing.reminders_of(play.state))


# A crowd, and who is down already


def test_one_key_takes_the_defaults_of_a_crowd():
    """CS-562, CS-610, CS-612: the checks of all are rolled one after the other, then those that follow."""
    play = duel(**{f"imp{number}": {"side": "foe", "msta": 12, "pres": 9} for number in range(3)})
    for number in range(3):
        play.do("blow", who=f"imp{number}", pot=14, struck="blunt")
    assert len(play.asks()) == 6
    play.do("advance")
    assert len(play.all("DiceRolled")) >= 5
    before = len(play.asks())
    assert all(prompt.resume.what == "HRT" for prompt in play.state.prompts)
    play.do("advance")
    assert len(play.asks()) == 0 or before == 0


def test_the_questions_that_have_no_default_wait_for_the_gm():
    """CS-610: those that have one are taken first."""
    play = duel(orc={"msta": 12, "pres": None}).do("blow", who="orc", pot=14, struck="blunt").do("advance")
    assert play.asks() == ["pres"]
    play.refused("CS-610", "advance")


def test_who_faints_owes_no_other_check():
    """CS-611: the AGL check is moot."""
    play = duel(orc={"msta": 12, "pres": 9}).do("blow", who="orc", pot=14, struck="blunt")
    pain = next(prompt for prompt in play.state.prompts if prompt.resume.what == "P-RES")
    play.do("answer", prompt=pain.id, choice="failed")
    assert play.state.prompts == ()


def test_who_is_down_feels_nothing_more():
    """CS-610, CS-611."""
    play = answered(hurt(3), "failed").do("blow", who="orc", pot=40, struck="blunt")
    assert asked(play) == []
    assert play.got("BlowLanded", pot=40)


def test_g_125_steps_11_to_13():
    """G-125: 3 ft back, AGL DV 6; clothes 1; 4 wounds, Grievous; P-RES and HRT DV 6; stun 3; the segment ends."""
    sword = {"name": "sword", "size": 4, "weight_class": "Med", "av": 40, "effects": ["edge"]}
    play = duel(
        ash={"msta": 15, "str": 14, "weapons": [sword]},
        orc={"msta": 16, "str": 15, "cnd": 14, "pres": 15, "clothing_layers": 2, "weapons": [sword]},
    )
    hit(due(play))
    assert play.got("BlowLanded", pot=19)
    assert play.got("KnockedBack", feet=3)
    assert play.got("ArmourApplied", pot_in=19, out=18)
    assert play.got("WoundsInflicted", n=4, total=4, level="grievous")
    assert play.see("orc")["str_now"] == 7.5
    assert asked(play) == [("AGL", 6), ("P-RES", 6)]
    answered(play, "made")
    answered(play, "made")
    assert asked(play) == [("HRT", 6)]
    answered(play, "made")
    assert play.got("StunApplied", penalty=3)
    assert [one.type for one in play.heard].count("SegmentEnded") == 1
    assert play.see("orc")["stun_penalty"] == 3


def test_the_chain_is_told_in_its_order():
    """CS-530, CS-560, CS-570, CS-580, CS-601, CS-610: section 4.1."""
    play = struck(
        {"armour_wear": True}, orc={"msta": 12, "pres": 4, "cnd": 13, "armour": [{"type": "padded_simple"}]}
    )  # fmt: skip
    wanted = [
        "Hit", "BlowLanded", "KnockedBack", "ArmourApplied", "ArmourWorn", "DamageApplied", "WoundsInflicted",
        "CheckRequested", "RulingAsked", "CheckRequested", "RulingAsked",
    ]  # fmt: skip
    told = play.names()
    assert [name for name in told[told.index("Hit") :] if name in wanted] == wanted
