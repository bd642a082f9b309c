"""Potence of blows, shots and brawling, and damage by multipliers (CS-347, CS-348, CS-395, CS-530 to CS-555)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import damage_bonus, damage_multiplier
from fightcall_engine.systems.segments.rules.formulas import Part, Sum, rhu
from fightcall_engine.systems.segments.rules.wounds import (
    Grip,
    base_part,
    base_pot,
    brawling_pot,
    charges,
    crossbow_pot,
    double_blow,
    missile_pot,
    multiplied_damage,
    pot,
    strength_in_fight,
    strike_wear,
)

SCORES = st.integers(1, 60)
GRIPS: st.SearchStrategy[Grip] = st.sampled_from(["one_handed", "hand_and_a_half", "two_handed"])


@pytest.mark.parametrize(("grip", "base"), [("one_handed", "29/2"), ("hand_and_a_half", "87/4"), ("two_handed", "29")])
def test_cs_531_cs_533_cs_534_base_by_grip(grip: Grip, base: str) -> None:
    """CS-531, CS-533, CS-534."""
    assert base_pot(15, 14, grip) == Fraction(base)


@pytest.mark.parametrize(
    ("grip", "size", "weight", "expected"),
    [("one_handed", 4, "medium", 19), ("hand_and_a_half", 5, "medium_heavy", 28), ("two_handed", 6, "heavy", 36)],
)
def test_g_88_g_89_cs_535_base_and_bonus(grip: Grip, size: int, weight, expected: int) -> None:
    """G-88, G-89, CS-535."""
    assert pot(base_part(15, 14, grip), damage_bonus(size, weight).value).total == expected


def test_g_125_b_hits_for_twenty() -> None:
    """G-125."""
    assert pot(base_part(16, 15), damage_bonus(4, "medium").value).total == 20


def test_cs_536_the_base_is_rounded_before_the_bonus() -> None:
    """14.5 becomes 15 on its own; the parts say how."""
    made = pot(base_part(15, 14), 4)
    assert made.parts == (Part("(modified STA 15 + STR 14) ÷ 2", 15, "CS-531"), Part("Damage Bonus", 4, "CS-535"))


def test_g_89_cs_539_a_charge_adds_its_speed() -> None:
    """G-89, CS-539."""
    bonus = damage_bonus(6, "heavy").value
    assert charges(5)
    assert pot(base_part(15, 14, "two_handed"), bonus, charge_mph=14).total == 50
    assert not charges(4)


@pytest.mark.parametrize(
    ("pulses", "whole", "charge"), [(None, True, True), (None, False, False), (4, True, False), (9, False, True)]
)
def test_cs_539_a_48_what_makes_a_charge(pulses: int | None, whole: bool, charge: bool) -> None:
    """CS-539, A-48."""
    assert charges(pulses, whole) is charge


def test_g_80_cs_540_running_onto_a_blow() -> None:
    """G-80, CS-540."""
    made = pot(base_part(15, 14), 4, target_mph=12)
    assert made.total == 31
    assert made.parts[-1] == Part("target's speed in mph", 12, "CS-444")


def test_cs_541_a_drop_of_nine_feet_adds_six() -> None:
    """CS-541."""
    assert pot(base_part(15, 14), drop_ft=9).total == 21
    assert rhu(pot(base_part(15, 14), drop_ft=10).total) == 22


def test_cs_347_the_pommel_has_no_bonus() -> None:
    """CS-347."""
    assert pot(base_part(15, 14)).total == 15


@pytest.mark.parametrize("pot_of", [pot(base_part(15, 11, using="CRD"), 4), pot(base_part(15, 11), 4)])
def test_cs_538_a_slash_is_reckoned_alike_with_crd(pot_of: Sum) -> None:
    """CS-538."""
    assert pot_of.total == 17


def test_cs_538_a_slash_names_crd() -> None:
    """CS-538."""
    assert base_part(15, 11, using="CRD") == Part("(modified STA 15 + CRD 11) ÷ 2", 13, "CS-538")


def test_g_90_cs_542_a_bow_has_no_sta() -> None:
    """G-90, CS-542."""
    assert missile_pot(15, damage_bonus(5, "light").value).total == 18
    assert missile_pot(15, damage_bonus(5, "light").value, head=2).parts[-1] == Part("arrow head", 2, "CS-542")


def test_cs_543_a_sling_is_reckoned_as_a_short_bow() -> None:
    """CS-543."""
    assert missile_pot(Fraction(15, 2), 1).total == 9


@pytest.mark.parametrize(("days", "expected"), [(0, 30), (1, 29), (40, 0)])
def test_cs_395_cs_545_a_cocked_crossbow_goes_stale(days: int, expected: int) -> None:
    """CS-395, CS-545."""
    assert crossbow_pot(30, days).total == expected


def test_g_93_cs_348_a_tenth_of_brawling_is_real() -> None:
    """G-93, CS-348."""
    assert brawling_pot(15, 15).total == 2


def test_cs_348_brawling_is_rounded_once() -> None:
    """14.5 is 1.45 and so 1; rounded to 15 before it would be 2."""
    assert brawling_pot(15, 14).total == 1


def test_g_94_cs_537_grievous_wounds_weaken_a_blow() -> None:
    """G-94, CS-537."""
    weak = strength_in_fight(14, "grievous").total
    assert base_part(15, weak).value == 11
    assert base_part(15, Fraction(15, 2)).label == "(modified STA 15 + STR 7.5) ÷ 2"
    rallied = strength_in_fight(14, "grievous", rallied=True).total
    assert base_part(15, rallied).value == 15


def test_cs_547_a_heroic_blow_is_doubled() -> None:
    """CS-547."""
    assert double_blow(pot(base_part(15, 14), 4)).total == 38


def test_g_92_cs_551_cs_555_damage_by_multiplier() -> None:
    """G-92, CS-551, CS-555."""
    multiplier = damage_multiplier(4, "medium").value
    assert rhu(multiplied_damage(15, 15, multiplier).total) == 34
    assert strike_wear(15, 15, multiplier) == 19


def test_cs_553_without_a_multiplier_the_full_base_is_left() -> None:
    """CS-553."""
    made = multiplied_damage(15, 15, 0)
    assert [part.value for part in made.parts] == [15]
    assert strike_wear(15, 15, 0) == 0


def test_cs_551_charge_and_speed_are_not_multiplied() -> None:
    """CS-551."""
    made = multiplied_damage(15, 15, 1, charge_mph=10, target_mph=2)
    assert made.total == 42


@given(SCORES, SCORES, GRIPS, st.integers(0, 15), st.integers(0, 40))
def test_pot_grows_with_everything_and_is_the_sum_of_its_parts(
    msta: int, strength: int, grip: Grip, bonus: int, mph: int
) -> None:
    made = pot(base_part(msta, strength, grip), bonus, charge_mph=mph)
    assert made.total == rhu(base_pot(msta, strength, grip)) + bonus + mph
    stronger = pot(base_part(msta, strength + 1, grip), bonus, charge_mph=mph)
    assert stronger.total >= made.total


@given(SCORES, SCORES, st.integers(0, 12))
def test_cs_551_damage_is_rounded_once(msta: int, strength: int, quarters: int) -> None:
    """CS-551."""
    whole = rhu(multiplied_damage(msta, strength, Fraction(quarters, 4)).total)
    assert whole == rhu(Fraction(msta + strength, 2) * (1 + Fraction(quarters, 4)))
