"""Demoralising attacks (CS-510 to CS-520)."""

from __future__ import annotations

import pytest

from .table import SWORD, Play, table


def facing(**settings: object) -> Play:
    """Ash with a sharp tongue, and a goblin with three fellows standing and one down."""
    foe = {"side": "foe", "weapons": [SWORD]}
    play = table(
        None, settings, ash={"skills": {"intimidate": 20}, "weapons": [SWORD]},
        orc={**foe, "skills": {"presence": 9}, "mod": {"hrt": 3}}, gob=foe, hob=foe, kob=foe, lob=foe,
    ).begin(ash=40)  # fmt: skip
    return play.do("set_life", who="lob", life="unconscious")


def said(play: Play, **given: object) -> Play:
    words = {"who": "ash", "target": "orc", "line": "Is that all?", "through": 6, "av": 25, "dv": 18}
    return play.do("demoralise", **{**words, **given})


def test_g_118_presence_against_resistance_and_what_comes_of_either() -> None:
    """G-118, CS-513, CS-515, CS-517, CS-519: AV 31 against 29."""
    play = said(facing(), hit=True)
    asked = play.got("CheckRequested", kind="presence")
    assert (asked.av, asked.dv) == (31, 29)  # type: ignore[attr-defined]
    assert play.got("Demoralised", who="orc", outcome="broken")
    assert play.got("CheckRequested", kind="HRT", who="orc").dv == 6  # type: ignore[attr-defined]
    play.do("answer", prompt=play.prompt("check").id, choice="failed")
    assert play.one("orc").traits["morale"] == "broken down"
    assert said(facing(), hit=False).got("Demoralised", outcome="doubt", loss=17)


def test_cs_519_doubt_lowers_the_defence_against_that_attacker_in_the_next_segment() -> None:
    """CS-519."""
    play = said(facing(), hit=False).to("initiative").begin(ash=40)
    play.do("opportunity", who="ash", target="orc", defence="parry sword", hit=False)
    assert play.got("CheckRequested", kind="opportunity").dv == 40 - 17  # type: ignore[attr-defined]
    assert said(play, hit=True).got("CheckRequested", kind="presence").dv == 29 - 17  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("dv", "hit", "outcome", "offered"),
    [(40, True, "shaken", 0), (40, False, "unmoved", 1), (20, True, "continues", 0), (20, False, "continues", 0)],
)
def test_cs_516_to_cs_520_the_other_outcomes(dv: int, hit: bool, outcome: str, offered: int) -> None:
    """CS-516, CS-518, CS-520, A-35, A-60: the unmoved may disengage instead of striking back."""
    play = said(facing(), dv=dv, hit=hit)
    assert play.got("Demoralised", outcome=outcome)
    assert play.offers().count("reprisal") == offered


@pytest.mark.parametrize(("through", "rule"), [(0, "CS-511")])
def test_g_120_a_blow_that_armour_stops_carries_nothing(through: int, rule: str) -> None:
    """G-120, CS-511: whatever it knocked back."""
    facing().refused(rule, "demoralise", who="ash", target="orc", line="Ha!", through=through, hit=True)


def test_cs_510_a_skill_and_fitting_words_are_needed() -> None:
    """CS-510."""
    play = facing()
    play.refused("CS-510", "demoralise", who="ash", target="orc", line=" ", through=6)
    play.refused("CS-510", "demoralise", who="gob", target="ash", line="Ha!", through=6)


def test_cs_514_in_a_reprisal_what_got_through_is_progressive() -> None:
    """CS-514."""
    assert said(facing(), reprisal=True, hit=True).got("CheckRequested", kind="presence").av == 25 + 21  # type: ignore[attr-defined]


@pytest.mark.parametrize(("floor", "dv"), [("none", 15 + 0 - 1), ("zero", 15)])
def test_a_35_more_fallen_than_standing(floor: str, dv: int) -> None:
    """A-35, CS-515."""
    foe = {"side": "foe"}
    play = table(None, {"fallen_modifier_floor": floor}, ash={}, orc=foe, gob=foe).begin()
    play.do("set_life", who="gob", life="unconscious")
    assert said(play, dv=15, hit=True).got("CheckRequested", kind="presence").dv == dv  # type: ignore[attr-defined]
