"""Kicks, grips and the like are done with the body, whatever is in hand (CS-315, CS-345, CS-348, CS-447)."""

from __future__ import annotations

import pytest

from fightcall_engine.systems.segments.rules.attacks import attack_types

from .table import POLEARM, SWORD, Play, table, uses_of

SHIELD = {"name": "shield", "kind": "shield", "hand": "L", "size": 3, "av": 30}
AXE = {"name": "axe", "size": 3, "av": 40, "hand": "L"}
SKILLS = {"brawling": 33, "wrestling": 25, "grappling": 28}
UNARMED = [("brawl", 33), ("kick", 33), ("stomp", 33), ("knee", 33), ("grab", 33), ("wrestle", 25), ("grapple", 28)]


def play(*weapons: object, skills: object = SKILLS) -> Play:
    ash = {"weapons": list(weapons), "skills": skills}
    orc = {"side": "foe", "dodge": 9, "weapons": [{"name": "knife", "size": 3, "av": 30}]}
    at = table(settings={"resolution": "linear", "special_attacks": True}, ash=ash, orc=orc)
    return at.begin(ash=30, orc=10).to("declare", "ash")


def test_the_types_that_need_nothing_in_hand() -> None:
    """CS-315; put right 29: the list is complete."""
    assert {name for name, _ in UNARMED} | {"seize"} == {key for key, kind in attack_types().items() if kind.bare}


@pytest.mark.parametrize("weapon", ["", "sword"])
@pytest.mark.parametrize(("attack", "av"), UNARMED)
def test_cs_315_cs_348_the_body_strikes_with_its_own_skill(attack: str, av: int, weapon: str) -> None:
    """CS-315, CS-348 (L2301-2303, L2585); put right 29: not with the sword's skill, and no use of the sword."""
    at = play(SWORD).do("declare", who="ash", action="strike", target="orc", attack=attack, weapon=weapon)
    at.to("resolve", "ash").do("resolve", who="ash", hit=False, defence="none")
    assert at.got("CheckRequested", who="ash").av == av  # type: ignore[attr-defined]
    assert "sword/R" not in uses_of(at, "ash")
    assert uses_of(at, "ash")


@pytest.mark.parametrize(("attack", "av"), UNARMED)
def test_cs_348_nor_when_it_is_chosen_as_the_blow_is_rolled(attack: str, av: int) -> None:
    """CS-348; put right 29: a declared strike that becomes a kick in the Resolution."""
    at = play(SWORD).do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    at.do("resolve", who="ash", attack=attack, hit=False, defence="none")
    assert at.got("CheckRequested", who="ash").av == av  # type: ignore[attr-defined]
    assert "sword/R" not in uses_of(at, "ash")


def test_cs_430_nor_out_of_turn() -> None:
    """CS-430, CS-483; put right 29: an Opportunity Action and a Reprisal kick with Brawling, too."""
    at = play(SWORD).do("wait", who="ash").to("declare", "orc")
    at.do("opportunity", who="ash", target="orc", kind="strike", attack="kick", hit=False, defence="none")
    assert at.got("CheckRequested", who="ash").av == 33  # type: ignore[attr-defined]
    at = play(SWORD).do("wait", who="ash").to("declare", "orc")
    at.do("declare", who="orc", action="strike", target="ash").to("resolve", "orc")
    at.do("resolve", who="orc", hit=False, defence="none").do("reprise", who="ash", attack="kick", hit=False)
    assert at.got("CheckRequested", who="ash").av == 33  # type: ignore[attr-defined]
    assert "sword/R" not in uses_of(at, "ash")


def test_cs_447_a_grapple_says_which_skill_it_uses() -> None:
    """CS-315, CS-447; put right 29: of Grappling and Wrestling the better one, by name."""
    for skills, named in ((SKILLS, "grappling"), ({"grappling": 10, "wrestling": 25}, "wrestling")):
        at = play(SWORD, skills=skills).do("declare", who="ash", action="strike", target="orc", attack="grapple")
        at.to("resolve", "ash").do("resolve", who="ash", hit=False, defence="none")
        parts = at.got("CheckRequested", who="ash").parts  # type: ignore[attr-defined]
        assert any(named in label for label, _, _ in parts)


@pytest.mark.parametrize(
    ("attack", "rule"), [("grab", "CS-350"), ("grapple", "CS-315"), ("wrestle", "CS-315"), ("seize", "CS-345")]
)
def test_cs_315_a_grip_without_a_free_hand_is_said_to_be_that(attack: str, rule: str) -> None:
    """CS-315, CS-345 (L2303); put right 29: both hands are full, unless one holds a long weapon to the side."""
    order = {"who": "ash", "action": "strike", "target": "orc", "attack": attack}
    at = play(SWORD, AXE)
    assert "no free hand" in at.refused(rule, "declare", **order).message
    at.do("declare", **order, components=["drop_or_grab"])
    play(SWORD).do("declare", **order)
    play(POLEARM).do("declare", **order)


@pytest.mark.parametrize("attack", ["kick", "knee", "stomp", "brawl"])
def test_cs_370_a_foot_or_an_elbow_needs_no_hand(attack: str) -> None:
    """CS-370; put right 29."""
    at = play(SWORD, SHIELD).do("declare", who="ash", action="strike", target="orc", attack=attack)
    at.to("resolve", "ash").do("resolve", who="ash", hit=False, defence="none")
    assert at.got("Missed")
