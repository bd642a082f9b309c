"""Weapons that are struck from the hand, bound or seized, and the step inside (CS-321, CS-345)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from ..once import played_once
from .table import DAGGER, POLEARM, SWORD, Play, table

AXE: Mapping[str, object] = {"name": "axe", "size": 3, "av": 30, "hand": "L"}
ON = {"special_attacks": True, "aimed_strike": True}


@played_once
def met(attack: str, weapon: str = "", orc: Mapping[str, object] | None = None, **ash: object) -> Play:
    """Ash is about to strike at an orc, or at the sword in its hand, in this way."""
    play = table(
        None, ON,
        ash={"weapons": [SWORD, DAGGER], "hands": {"R": "sword"}, "skills": {"brawling": 30}, **ash},
        orc={"side": "foe", "weapons": [SWORD], **(orc or {})},
    ).begin(ash=12, orc=9)  # fmt: skip
    play.do("declare", who="ash", action="strike", target="orc", attack=attack, weapon=weapon)
    return play.to("resolve", "ash")


def hit(play: Play) -> Play:
    return play.do("resolve", who="ash", hit=True)


def in_hands(play: Play, who: str) -> object:
    return play.see(who)["in_hands"]


def test_cs_321_a_disarmed_weapon_is_dropped() -> None:
    """CS-321, L2317; put right 30: out of the hand, on the ground, and not drawn again but picked up."""
    play = hit(met("disarm"))
    assert in_hands(play, "orc") == {"R": "", "L": ""}
    assert play.got("ObjectMoved", thing="sword", how="is dropped")
    play.to("initiative").begin(ash=9, orc=12).to("declare", "orc")
    play.refused("CS-321", "declare", who="orc", action="strike", target="ash", weapon="sword", components=["draw"])
    play.do("handle", who="orc", what="take", thing="sword")
    assert in_hands(play, "orc") == {"R": "sword", "L": ""}


def test_cs_321_of_two_weapons_the_gm_says_which() -> None:
    """CS-321; put right 30: the longest first."""
    play = hit(met("disarm", orc={"weapons": [SWORD, AXE]}))
    prompt = play.prompt("weapon_hit")
    assert [choice.label for choice in prompt.choices] == ["drops the sword", "drops the axe"]
    assert prompt.default == "drop_R"
    play.do("answer", prompt=prompt.id, choice="drop_L")
    assert in_hands(play, "orc") == {"R": "sword", "L": ""}


@pytest.mark.parametrize("attack", ["disarm", "bind", "seize"])
def test_cs_321_an_empty_hand_has_nothing_to_lose(attack: str) -> None:
    """CS-321, CS-345; put right 30: it is refused."""
    play = met(attack, "bare hands" if attack == "seize" else "", {"weapons": []})
    rule = "CS-345" if attack == "seize" else "CS-321"
    assert "no weapon" in play.refused(rule, "resolve", who="ash", hit=True).message


def test_cs_321_a_bound_weapon_neither_strikes_nor_parries() -> None:
    """CS-321, L2317; put right 30: while it stays pinned; whoever pins it needs the weapon that does it."""
    play = hit(met("bind", orc={"dodge": 10}))
    assert play.got("WeaponPinned", who="orc", weapon="sword", by="ash")
    play.to("initiative").begin(ash=12, orc=9).to("declare", "ash")
    play.do("declare", who="ash", action="strike", target="orc", weapon="bare hands").to("declare", "orc")
    play.do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    play.refused("CS-321", "resolve", who="ash", chance=50, defence="parry sword")
    play.do("resolve", who="ash", hit=False, defence="none")
    play.do("reprise", who="orc", choice="decline").to("resolve", "orc")
    play.refused("CS-321", "resolve", who="orc", hit=True)
    assert play.do("resolve", who="orc", hit=True, weapon="bare hands", harm=0)


@pytest.mark.parametrize("how", ["parries", "question", "ruling", "falls", "leaves"])
def test_cs_321_a_bound_weapon_comes_free(how: str) -> None:
    """CS-321; put right 30: the binding weapon is used, the GM says so, or one of the two is out of it."""
    play = hit(met("bind"))
    if how == "question":
        while play.state.prompt("still_pinned") is None:
            play.do("advance")
        play.do("answer", prompt="still_pinned", choice="free")
    elif how == "ruling":
        assert "rule-pinned" in [ruling.action for ruling in play.fight.system.rulings(play.state, "orc")]
        play.do("rule", what="pinned", who="orc", value="none")
        play.refused("CS-321", "rule", what="pinned", who="orc", value="none")
    elif how == "falls":
        play.do("life", who="ash", life="unconscious")
    elif how == "leaves":
        play.do("leave", who="ash")
    else:
        play.to("initiative").begin(ash=9, orc=12).to("declare", "orc")
        play.do("declare", who="orc", action="strike", target="ash", weapon="bare hands").to("resolve", "orc")
        play.do("resolve", who="orc", hit=False, defence="parry sword")
    assert play.one("orc").record.pinned == ()


@pytest.mark.parametrize("choice", ["inside", "stay"])
def test_cs_321_a_bind_opens_the_step_inside(choice: str) -> None:
    """CS-319, CS-321, L2317; put right 30: without the manoeuvre, at once or with a later Action."""
    play = hit(met("bind", orc={"weapons": [POLEARM]}))
    play.do("answer", prompt="bound", choice=choice)
    assert ("ash" in play.one("orc").record.adjacent) is (choice == "inside")
    if choice == "stay":
        play.to("initiative").begin(ash=12, orc=9).to("declare", "ash")
        play.do("declare", who="ash", action="strike", target="orc", weapon="bare hands").to("resolve", "ash")
        play.do("get_inside", who="ash", foe="orc")
        assert not play.all("CheckRequested")
    assert play.one("orc").record.adjacent["ash"].mode == "close"
    play.do("rule", what="pinned", who="orc", value="none")
    assert play.one("orc").record.adjacent["ash"].mode == "close"


@pytest.mark.parametrize("choice", ["take_R", "pin_R", "nothing"])
def test_cs_345_a_seized_weapon_is_taken_or_pinned_as_the_gm_says(choice: str) -> None:
    """CS-345, L2348; put right 30: the winner has it in hand, with no known skill; or holds it fast, or nothing."""
    play = hit(met("seize", "bare hands"))
    assert "gauntlet" in play.prompt("weapon_hit").question
    play.do("answer", prompt="weapon_hit", choice=choice)
    if choice == "take_R":
        assert in_hands(play, "orc") == {"R": "", "L": ""}
        assert in_hands(play, "ash") == {"R": "sword", "L": "the other sword"}
        assert play.got("ObjectMoved", how="is wrested away", holder="ash")
    else:
        assert in_hands(play, "orc") == {"R": "sword", "L": ""}
        assert bool(play.one("orc").record.pinned) is (choice == "pin_R")


def test_cs_345_what_was_seized_may_be_seized_back() -> None:
    """CS-345; put right 30: it is the owner's own again, skill and all."""
    play = hit(met("seize", "bare hands")).do("answer", prompt="weapon_hit", choice="take_R")
    play.to("initiative").begin(ash=9, orc=12).to("declare", "orc")
    play.do("declare", who="orc", action="strike", target="ash", attack="seize", weapon="bare hands")
    play.to("resolve", "orc").do("resolve", who="orc", hit=True)
    play.do("answer", prompt="weapon_hit", choice="take_L")
    assert (in_hands(play, "orc"), in_hands(play, "ash")) == ({"R": "sword", "L": ""}, {"R": "sword", "L": ""})
    assert play.one("orc").record.lost == ()


def test_cs_345_seizing_needs_a_free_hand() -> None:
    """CS-345, L2348; put right 30: an unarmed foe does it."""
    play = met("common_strike", "sword", None, weapons=[SWORD, AXE], hands={"R": "sword", "L": "axe"})
    assert "free" in play.refused("CS-345", "resolve", who="ash", attack="seize", hit=True).message


@pytest.mark.parametrize(("choice", "posture"), [("nothing", "standing"), ("drop_R", "standing"), ("fall", "prone")])
def test_cs_350_what_an_aimed_strike_does_is_the_gms(choice: str, posture: str) -> None:
    """CS-350, M-08; put right 30: the text names it and gives it no effect; its blow lands as any other."""
    play = met("aimed_strike").do("resolve", who="ash", hit=True, pot=9)
    assert play.got("BlowLanded", pot=9)
    play.do("answer", prompt="weapon_hit", choice=choice)
    assert play.see("orc")["posture"] == posture
    assert (in_hands(play, "orc") == {"R": "", "L": ""}) is (choice == "drop_R")


@pytest.mark.parametrize("attack", ["grab", "entangle", "wrestle", "grapple"])
def test_cs_350_what_a_grip_does_is_the_gms(attack: str) -> None:
    """CS-315, CS-350, M-08, L2301, L2348, L2372; put right 30: the text names these and gives them no effect."""
    play = hit(met(attack, orc={"weapons": [DAGGER]}, special_attacks=[attack]))
    assert [each.id for each in play.prompt("weapon_hit").choices] == ["nothing", "pin_R", "take_R", "fall"]
    assert play.prompt("weapon_hit").default == "nothing"
    assert play.copy().do("answer", prompt="weapon_hit", choice="pin_R").got("WeaponPinned", who="orc", by="ash")
    taken = play.copy().do("answer", prompt="weapon_hit", choice="take_R")
    assert in_hands(taken, "orc") == {"R": "", "L": ""}
    assert play.do("answer", prompt="weapon_hit", choice="fall").see("orc")["posture"] == "prone"


def test_cs_340_the_state_says_what_each_hand_holds() -> None:
    """CS-340; put right 36: by name; an empty hand is empty, and a two-handed weapon is in both."""
    play = table(ash={"weapons": [SWORD, AXE]}, orc={"side": "foe", "weapons": [POLEARM]}, imp={"weapons": []})
    assert in_hands(play, "ash") == {"R": "sword", "L": "axe"}
    assert in_hands(play, "orc")["R"] == "polearm"  # type: ignore[index]
    assert in_hands(play, "imp") == {"R": "", "L": ""}
