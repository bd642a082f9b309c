"""Objects that fall: who reaches them, the catch, the impact, what breaks (CS-216 to CS-227, G-40)."""

from __future__ import annotations

import pytest

from fightcall_engine.systems.segments.state import items

from ..once import played_once
from .table import Play, table

CATCHER = {"msta": 14, "cnd": 12, "pres": 40, "mod": {"str": 2, "crd": 1}, "move": {"full": 12, "leap": 8}}


@played_once
def play(sheet: dict[str, object] | None = None, **settings: object) -> Play:
    return table(settings=settings, ash={**CATCHER, **(sheet or {})}, bo={}).begin()


def catch(at: Play, feet: float, pounds: float = 30, near: float = 0, **more: object) -> Play:
    given = {"to_landing": near, **more}
    return at.do("catch_falling", who="ash", thing="vase", feet=feet, pounds=pounds, **given)


# Who reaches it


def test_cs_217_a_short_fall_is_for_those_next_to_it_alone() -> None:
    """CS-217."""
    at = play()
    at.refused("CS-217", "catch_falling", who="ash", thing="vase", feet=15, pounds=1, to_landing=6)
    catch(at, 15, near=5)
    assert at.got("CheckRequested", kind="CRD")


def test_cs_216_from_16_ft_a_leap_reaches_it() -> None:
    """CS-216, L391: within the distance of a Leap; a Running Leap is for what lies there (CS-202)."""
    at = play({"move": {"full": 12, "leap": 8, "running_leap": 14}})
    at.refused("CS-216", "catch_falling", who="ash", thing="vase", feet=16, pounds=1, to_landing=9)
    catch(at, 16, near=8)
    other = play().do("catch_falling", who="ash", thing="vase", feet=16, pounds=1, to_start=8)
    assert other.got("CheckRequested", kind="CRD")


def test_cs_216_a_leap_that_the_sheet_does_not_know_is_asked_for() -> None:
    """CS-216."""
    at = play({"move": {"full": 12}})
    catch(at, 20, near=9)
    assert at.prompt("object").amount == "leap"
    at.do("answer", amount=10)
    assert at.got("CheckRequested", kind="CRD")


@pytest.mark.parametrize(
    ("feet", "pulses", "reach"), [(64, 2, 9 + 18), (144, 3, 9 + 36), (256, 4, 9 + 54), (1300, 10, 9 + 9 * 18)]
)
def test_cs_219_with_pulses_one_may_run_to_where_it_lands(feet: int, pulses: int, reach: int) -> None:
    """CS-219."""
    at = play(pulse_movement=True)
    no = at.refused("CS-216", "catch_falling", who="ash", thing="vase", feet=feet, pounds=1, to_landing=reach + 1)
    assert f"in {pulses} Pulses a run of {reach} ft" in no.message
    catch(at, feet, near=reach)
    assert at.got("CheckRequested", kind="CRD")
    without = play()
    without.refused("CS-216", "catch_falling", who="ash", thing="vase", feet=feet, pounds=1, to_landing=reach)


@pytest.mark.parametrize("feet", [16, 40, 63])
def test_cs_216_g_39_up_to_63_ft_there_is_time_for_a_leap_alone(feet: int) -> None:
    """CS-216, CS-219, G-39: also with Pulses, and for who runs already."""
    for streak in (0, 3):
        at = play(pulse_movement=True).do("adjust", who="ash", what="streak", value=streak)
        no = at.refused("CS-216", "catch_falling", who="ash", thing="vase", feet=feet, pounds=1, to_landing=9)
        assert "Pulses" not in no.message
        assert no.accepts == ("8 ft or nearer",)
        catch(at, feet, near=8)
        assert at.got("CheckRequested", kind="CRD")


def test_cs_217_without_a_leap_only_who_is_adjacent_reaches_it_below_64_ft() -> None:
    """CS-216, CS-217: a leap of 0 ft, with Pulses; from 64 ft on he runs."""
    at = play({"move": {"full": 12, "leap": 0}}, pulse_movement=True)
    at.refused("CS-216", "catch_falling", who="ash", thing="vase", feet=63, pounds=1, to_landing=6)
    assert catch(at, 63, near=5).got("CheckRequested", kind="CRD")
    other = play({"move": {"full": 12, "leap": 0}}, pulse_movement=True)
    assert catch(other, 64, near=27).got("CheckRequested", kind="CRD")


def test_cs_216_the_gm_may_let_anybody_catch_it() -> None:
    """CS-216."""
    at = catch(play(), 20, near=50, force=True)
    assert at.all("Overridden")
    assert at.asks() == ["check"]


# Catching


def test_cs_221_cs_224_g_40_the_catch_is_as_hard_as_the_impact() -> None:
    """CS-221, CS-224, G-40."""
    at = catch(play(), 24)
    check = at.got("CheckRequested", kind="CRD", av=13, dv=19)
    assert [value for _, value, _ in check.parts] == ["+13", "+16", "+3"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("feet", "given", "dv"),
    [
        (5, {"size": 4, "pounds": 30}, 4 + 15),
        (5, {"pounds": 30}, 30 + 15),
        (15, {"size": 1, "pounds": 3}, 1 + 120),
        (15.5, {"size": 1, "pounds": 3}, 1 + 136),
        (16, {"size": 4, "pounds": 30}, 14),
        (24, {"size": 4, "pounds": 30}, 19),
    ],
)
def test_cs_218_cs_224_the_height_says_what_a_catch_is_rolled_against(
    feet: float, given: dict[str, float], dv: int
) -> None:
    """CS-218, CS-224, A-28 (L393, L421); put right 26: under 16 ft Size or weight and fall, from there the impact."""
    at = catch(play(), feet, **given)
    assert at.got("CheckRequested", kind="CRD", dv=dv)


def test_cs_222_cs_223_g_40_what_is_more_than_he_takes_wounds_him() -> None:
    """CS-222, CS-223, G-40."""
    at = catch(play(), 24, hit=True)
    assert at.got("ImpactTaken", pot=19, taken=17, through=2, wounds=0)
    assert not at.all("WoundsInflicted")
    at = catch(play(), 60, hit=True)
    taken = at.got("ImpactTaken", pot=43, taken=17, through=26, wounds=8, threshold=3.0)
    assert [value for _, value, _ in taken.parts] == ["+40", "+3", "-14", "-2", "-1"]  # type: ignore[attr-defined]
    assert at.got("WoundsInflicted", n=8)


def test_cs_222_armour_takes_its_part_by_sheet_table_or_word() -> None:
    """CS-222."""
    worn = play({"armour": [{"type": "vest", "dr": 6}, {"type": "doublemail"}]})
    assert catch(worn, 60, hit=True).got("ImpactTaken", taken=17 + 6 + 20)
    assert catch(play(), 60, armour=10, hit=True).got("ImpactTaken", taken=27, through=16)


def test_cs_222_of_who_wears_nothing_only_the_body_takes_a_part() -> None:
    """CS-222: by the GM's word, too."""
    bare = catch(play(), 60, hit=True).got("ImpactTaken")
    worn = play({"armour": [{"type": "vest", "dr": 6}]})
    assert catch(worn, 60, armour=0, hit=True).got("ImpactTaken", taken=bare.taken)  # type: ignore[attr-defined]


def test_cs_223_with_body_points_the_rest_is_taken_from_them() -> None:
    """CS-223."""
    at = catch(play({"bp": {"max": 40}}, body_points=True), 60, hit=True)
    assert at.got("BodyPointsLost", amount=26, level="grievous")
    assert at.one("ash").pool("hp").now == 14


@pytest.mark.parametrize(("pres", "asked"), [(26, []), (25, [("P-RES", 1)]), (23, [("P-RES", 6)])])
def test_cs_610_what_he_does_not_absorb_hurts_like_any_blow(pres: int, asked: list[tuple[str, int]]) -> None:
    """CS-223, CS-610, L415: the impact is a blow; what is beyond body and armour is borne by P-RES or faints him."""
    at = catch(play({"pres": pres}), 60, hit=True)
    assert at.got("ImpactTaken").through == 26  # type: ignore[attr-defined]
    assert [(one.kind, one.dv) for one in at.all("CheckRequested")[1:]] == asked  # type: ignore[attr-defined]


def test_weight_and_fall_that_nobody_has_said_are_asked_for() -> None:
    at = play().do("catch_falling", who="ash", thing="vase", to_landing=0)
    assert at.prompt("object").amount == "feet"
    at.do("answer", amount=24)
    assert at.prompt("object").amount == "pounds"
    at.do("answer", amount=30)
    assert at.got("CheckRequested", dv=19)


# What breaks


def test_cs_220_after_a_longer_fall_it_may_break_although_it_was_caught() -> None:
    """CS-220."""
    at = catch(play(), 24, hit=True)
    assert at.offers() == ["breakage"]
    at.do("answer", choice="broken")
    assert at.got("ObjectMoved", how="breaks", holder="ash")
    assert not catch(play(), 9, hit=True).offers()


def test_cs_226_a_fragile_thing_needs_a_second_check_with_its_structure() -> None:
    """CS-226."""
    at = catch(play(), 24, fragile=True, stp=5, chance=90, other_chance=20, rolls={"check": [90, 21]})
    requested = at.all("CheckRequested")
    assert [(one.kind, one.av, one.dv) for one in requested] == [("CRD", 13, 19), ("CRD", 18, 19)]  # type: ignore[attr-defined]
    assert at.got("ObjectMoved", how="breaks")
    at = catch(play(), 24, fragile=True, stp=5, hit=True).do("answer", choice="made")
    assert items.holder_of(at.state, "vase") == "ash"


def test_cs_225_cs_227_what_is_dropped_checks_its_structure_and_the_margin_tells_how_it_breaks() -> None:
    """CS-225, CS-227."""
    at = catch(play(), 24, stp=7, chance=30, other_chance=40, rolls={"check": [31, 65]})
    assert at.got("ObjectMoved", how="is dropped")
    assert at.got("CheckRequested", kind="STP", av=7, dv=19)
    assert at.got("ObjectMoved", how="breaks, failed by 25")
    whole = catch(play(), 24, stp=7, chance=30, other_chance=40, rolls={"check": [31, 40]})
    assert [one.how for one in whole.all("ObjectMoved")] == ["is dropped"]  # type: ignore[attr-defined]


def test_cs_227_a_structure_that_nobody_has_said_is_asked_for_when_it_is_needed() -> None:
    """CS-227."""
    at = catch(play(), 24, hit=False)
    assert at.prompt("object").amount == "stp"
    at.do("answer", amount=7)
    assert at.asks() == ["check"]
    at.do("answer", choice="failed")
    assert at.got("ObjectMoved", how="breaks")
    other = catch(play(), 24, hit=False).do("answer", choice="skip")
    assert not other.asks()


def test_cs_227_what_is_let_fall_or_falls_of_itself_checks_too() -> None:
    """CS-227."""
    at = play().do("drop_object", who="ash", thing="vase", feet=24, pounds=30, stp=7)
    assert at.got("CheckRequested", kind="STP", dv=19)
    at = play().do("handle", who="bo", what="falls", thing="vase", feet=24, pounds=30, stp=7, hit=False)
    assert at.got("ObjectMoved", how="breaks")


def test_undo_goes_back_between_the_catch_and_what_follows() -> None:
    at = catch(play(), 60, fragile=True, stp=5).do("answer", choice="made")
    assert at.one("ash").record.wounds == 8
    at.undo()
    assert at.one("ash").record.wounds == 0
    assert at.asks() == ["check"]
