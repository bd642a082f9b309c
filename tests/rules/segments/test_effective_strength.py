"""STR as wounds, a rally or a heroic deed leave it counts wherever STR does (CS-537, CS-621 to CS-627, L2992)."""

from __future__ import annotations

import pytest

from ..once import played_once
from .table import Play, table

BOW: dict[str, object] = {"name": "bow", "kind": "missile", "family": "bow", "av": 45, "hand": "2", "str_rating": 18}
PLANK: dict[str, object] = {"name": "plank", "kind": "object", "av": 30, "size": 4, "weight_lb": 3.5, "grip": "1"}
HOW = ("whole", "grievous", "mortal", "rallied", "deed")


@played_once
def play(how: str, **ash: object) -> Play:
    """Ash is unhurt, or has four wounds, or seven; or rallies; or does a deed of STR +4."""
    at = table(None, {"progressive": "linear"}, ash=ash, orc={"side": "foe", "dodge": 20}).begin()
    if how in ("grievous", "rallied"):
        at.do("adjust", who="ash", what="wounds", value=4)
    if how == "mortal":
        at.do("adjust", who="ash", what="wounds", value=7)
    if how == "rallied":
        at.do("adjust", who="ash", what="rally", value="rallied")
    if how == "deed":
        at.do("rule", who="ash", what="deed", value="str 4")
    return at


@pytest.mark.parametrize(("how", "dv"), tuple(zip(HOW, (16, 29, 39, 16, 15), strict=True)))
def test_cs_271_a_bow_carries_as_far_as_the_arm_draws(how: str, dv: int) -> None:
    """CS-271, CS-282, G-44: STR 16 has 66/86/106 yd, 8 has 50/70/90, 4 has 42/62/82, 20 has 74/94/114."""
    at = play(how, str=16, weapons=[BOW]).do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
    check = at.do("resolve", who="ash", distance=255, hit=False).got("CheckRequested")
    assert check.dv == 20 + dv  # type: ignore[attr-defined]


@pytest.mark.parametrize(("how", "av"), tuple(zip(HOW, (30, 28, 27, 30, 30), strict=True)))
def test_cs_382_a_plank_is_heavier_in_a_weak_arm(how: str, av: int) -> None:
    """CS-380, CS-382: a quarter of STR 14, 7, 3.5 and 18 in pounds; 3.5 lb are 2 and 3 over (2.625 up)."""
    at = play(how, str=14, weapons=[PLANK]).do("declare", who="ash", target="orc").to("resolve", "ash")
    check = at.do("resolve", who="ash", defence="none", hit=False).got("CheckRequested")
    assert check.av == av  # type: ignore[attr-defined]


@pytest.mark.parametrize(("how", "dv"), tuple(zip(HOW, (8, 10, 13, 8, 7), strict=True)))
def test_cs_213_a_throw_too(how: str, dv: int) -> None:
    """CS-213, CS-277: at 80 ft with STR 17, 8.5, 4.25 and 21."""
    at = play(how, str=17).to_object("ash")
    at.do("throw", who="ash", other="orc", thing="bag", feet=80, pounds=1, size=0.2, hit=False)
    assert at.got("CheckRequested").dv == dv  # type: ignore[attr-defined]


@pytest.mark.parametrize(("how", "dv", "qa"), tuple(zip(HOW, (None, 8, 13, None, None), (2, 4, 4, 2, 2), strict=True)))
def test_cs_139_a_bow_is_too_strong_for_who_was_strong_enough(how: str, dv: int | None, qa: int) -> None:
    """CS-139: a bow of 18 for STR 20, 10, 5, 20 and 24; the scale of these fights has a point for a point."""
    at = play(how, str=20, weapons=[BOW]).do("declare", who="ash", components=["string_bow"])
    assert (at.one("ash").record.action.dv, at.got("Declared").qa_need) == (dv, qa)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("wounds", "rallies", "av"), [(0, False, 16), (4, False, 8), (4, True, 16), (7, False, 4)])
def test_cs_397_the_strength_of_a_check_is_that_of_its_resolution(wounds: int, rallies: bool, av: int) -> None:
    """CS-397, CS-621 to CS-623: wounds that come after the declaration tell, and so does a rally."""
    crossbow = {"name": "crossbow", "kind": "missile", "family": "crossbow-light", "hand": "2"}
    at = table(ash={"str": 16, "weapons": [crossbow]}, orc={"side": "foe"}).begin()
    at.do("declare", who="ash", action="task", components=["cock_crossbow"], weapon="crossbow")
    if wounds:
        at.do("damage", who="ash", amount=wounds)
    at.to("resolve", "ash")
    if rallies:
        at.do("rally", who="ash", hit=True)
    at.do("resolve", who="ash", hit=True)
    asked = at.got("CheckRequested")
    assert (asked.av, asked.dv) == (av, 20)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("how", "segments"), tuple(zip(HOW, (3, 5, 5, 3, 1), strict=True)))
def test_cs_140_a_knot_holds_longer_against_weak_fingers(how: str, segments: int) -> None:
    """CS-140: tied by STR 50, untied with 52, 26, 13 and 56; at least a segment."""
    at = play(how, str=52).do("declare", who="ash", components=["untie_knot:50"])
    assert at.got("Declared").qa_need == 4 * segments  # type: ignore[attr-defined]


def test_cs_285_a_late_arrow_flies_as_far_as_it_was_loosed() -> None:
    """CS-271, CS-285, L2275: wounds that come while it flies do not shorten its range."""
    at = play("whole", str=16, weapons=[BOW]).do("declare", who="ash", action="shoot", target="orc")
    at.to("resolve", "ash").do("resolve", who="ash", distance=2100, hit=True)
    assert at.all("ImpactScheduled")


def test_cs_627_after_being_roused_the_loss_is_that_of_the_aftermath() -> None:
    """CS-271, CS-627: Serious wounds leave half of STR 16 then, and all of it before."""
    at = play("whole", str=16, weapons=[BOW]).do("adjust", who="ash", what="wounds", value=2)
    at.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
    assert at.do("resolve", who="ash", distance=255, hit=False).got("CheckRequested").dv == 36  # type: ignore[attr-defined]
    at.undo().do("adjust", who="ash", what="roused", value=True)
    assert at.do("resolve", who="ash", distance=255, hit=False).got("CheckRequested").dv == 49  # type: ignore[attr-defined]


@pytest.mark.parametrize("reading", ["str_loss_applies", "masks_all"])
def test_cs_624_the_tenth_wound_leaves_hardly_any_strength(reading: str) -> None:
    """CS-624, L2996; put right 32: between 1 and 0, where the ninth leaves a quarter; adrenaline masks no collapse."""
    at = table(None, {"adrenaline": reading}, ash={"str": 16}, orc={"side": "foe"}).begin()
    at.do("damage", who="ash", amount=9)
    assert at.see("ash")["str_now"] == (4 if reading == "str_loss_applies" else 16)
    at.do("damage", who="ash", amount=1)
    assert 0 < at.see("ash")["str_now"] < 1  # type: ignore[operator]
    assert at.fight.explain("ash", "strength").parts[-1].rule == "CS-624"


def test_cs_624_spent_body_points_are_the_tenth_wound() -> None:
    """CS-624, A-15; put right 32."""
    at = table(None, {"body_points": True}, ash={"str": 16, "bp": {"max": 40}}, orc={"side": "foe"}).begin()
    assert at.do("damage", who="ash", amount=39).see("ash")["str_now"] == 4
    assert 0 < at.do("damage", who="ash", amount=1).see("ash")["str_now"] < 1  # type: ignore[operator]


def test_cs_624_who_was_roused_after_it_is_no_stronger() -> None:
    """CS-624, CS-627; put right 32: nor where the quarters are of what is left."""
    at = table(None, {"after_loss": "compound"}, ash={"str": 16}, orc={"side": "foe"}).begin()
    at.do("damage", who="ash", amount=10).do("adjust", who="ash", what="roused", value=True)
    assert 0 < at.see("ash")["str_now"] < 1  # type: ignore[operator]


@pytest.mark.parametrize("wounds", [4, 10])
def test_cs_624_a_rally_does_not_undo_the_collapse(wounds: int) -> None:
    """CS-622, CS-624; put right 32: it helps the Grievous alone."""
    at = table(ash={"str": 16}, orc={"side": "foe"}).begin().do("damage", who="ash", amount=wounds)
    at.do("adjust", who="ash", what="rally", value="rallied")
    assert at.see("ash")["str_now"] == (16 if wounds == 4 else 0.5)
