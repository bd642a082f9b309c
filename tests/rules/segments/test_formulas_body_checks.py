"""Body Checks and tackles (CS-455 to CS-470, CS-702)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import (
    Body,
    Footing,
    Tackler,
    attack_av,
    balance_dv,
    base_av,
    damage_pot,
    evade_av,
    footing_av,
    footing_dv,
    may_tackle,
    tackle,
    thrown_feet,
    who_keeps_footing,
)
from fightcall_engine.systems.segments.rules.formulas import Part

ATTACKER = Body(agl=1, msta=18, str_modifier=2, strength=16)
TARGET = Body(agl=0, msta=14, str_modifier=1, strength=13)
BODIES = st.builds(
    Body, agl=st.integers(-5, 8), msta=st.integers(1, 60), str_modifier=st.integers(-5, 8), strength=st.integers(1, 40)
)


def weighing(total: int) -> Body:
    return Body(agl=0, msta=15, str_modifier=0, strength=total - 15)


def test_g_82_cs_455_the_attackers_value_with_its_parts() -> None:
    """G-82, CS-455."""
    made = attack_av(ATTACKER, 10, shield_size=3, layers=2)
    assert made.total == 37
    assert [part.value for part in made.parts] == [1, 18, 2, 3, 3, 10]
    assert {part.rule for part in made.parts} == {"CS-455"}


def test_cs_455_without_shield_and_armour_they_are_not_named() -> None:
    """CS-455."""
    assert [part.value for part in attack_av(ATTACKER, 10).parts] == [1, 18, 2, 10]


def test_g_82_cs_456_stand_or_evade() -> None:
    """G-82, CS-456."""
    assert base_av(TARGET).total == 15
    assert evade_av(20, 14, 18).total == 24


def test_cs_456_the_larger_dodge_no_better() -> None:
    """CS-456."""
    assert evade_av(20, 18, 14).total == 20


def test_g_82_cs_457_the_target_is_thrown_fourteen_feet() -> None:
    """G-82, CS-457."""
    assert thrown_feet(10, 18, 14).total == 14
    assert thrown_feet(10, 14, 18).total == 10


def test_cs_458_both_speeds_count_for_the_distance() -> None:
    """CS-458."""
    made = thrown_feet(10, 18, 14, other_mph=6)
    assert made.total == 20
    assert Part("target's speed in mph", 6, "CS-458") in made.parts


def test_g_130_cs_459_the_attacker_rebounds_by_the_mirrored_sum_a_34() -> None:
    """G-130, CS-459, A-34."""
    assert thrown_feet(5, 18, 14).total == 9


@pytest.mark.parametrize(
    ("attacker", "target", "who"),
    [
        (31, 30, "both"), (30, 31, "both"), (30, 30, "both"), (31, 28, "target"), (28, 31, "attacker"),
        (32, 30, "target"),
    ],
)  # fmt: skip
def test_g_129_cs_464_who_must_keep_his_feet_a_34(attacker: int, target: int, who: Footing) -> None:
    """G-129, CS-464, A-34."""
    assert who_keeps_footing(weighing(attacker), weighing(target)) == who


def test_g_82_cs_463_cs_465_footing_and_harm() -> None:
    """G-82, CS-463, CS-465."""
    made = footing_dv(10, TARGET, ATTACKER)
    assert made.total == 38
    assert [part.value for part in made.parts] == [10, 28]
    assert damage_pot(10, ATTACKER, TARGET).total == 17


def test_cs_463_a_smaller_attacker_has_only_his_speed() -> None:
    """CS-463."""
    assert footing_dv(10, ATTACKER, TARGET).total == 10
    assert damage_pot(10, TARGET, ATTACKER).total == 10


def test_cs_463_half_points_of_a_weakened_strength_do_not_count() -> None:
    """CS-463."""
    weakened = Body(agl=0, msta=14, str_modifier=1, strength=Fraction(13, 2))
    assert damage_pot(10, ATTACKER, weakened).total == 10 + 13


def test_cs_463_acrobats_and_dancers_keep_their_feet_better() -> None:
    """CS-463."""
    assert footing_av(14).total == 14
    assert footing_av(14, acrobat=6, dancer=3).total == 23
    assert [part.label for part in footing_av(14, dancer=3).parts] == ["AGL", "Dancer"]


def test_cs_461_the_dodged_attacker_checks_against_his_own_speed_m_24() -> None:
    """CS-461, M-24."""
    assert balance_dv(10).total == 10


def test_g_84_cs_468_tackled_by_one_man() -> None:
    """G-84, CS-468."""
    made = tackle([Tackler(21, 10)], Tackler(18, 5))
    assert (made.attackers.total, made.target.total) == (26, 18)
    made = tackle([Tackler(21, 5)], Tackler(18, 10))
    assert (made.attackers.total, made.target.total) == (21, 23)


def test_cs_468_equal_speeds_are_not_named() -> None:
    """CS-468."""
    made = tackle([Tackler(21, 8)], Tackler(18, 8))
    assert {part.rule for part in made.attackers.parts} == {"CS-468"}
    assert [part.value for part in (*made.attackers.parts, *made.target.parts)] == [21, 18]


def test_g_84_cs_469_a_gang_adds_its_values() -> None:
    """G-84, CS-469."""
    made = tackle([Tackler(21, 10, "Ash"), Tackler(19, 10, "Bo")], Tackler(18, 5, "Cy"))
    assert (made.attackers.total, made.target.total) == (50, 18)
    assert made.attackers.parts[0] == Part("Ash: body", 21, "CS-469")


def test_cs_469_a_fast_target_gains_over_the_fastest_of_a_gang() -> None:
    """CS-469."""
    made = tackle([Tackler(21, 10), Tackler(19, 4)], Tackler(18, 12))
    assert (made.attackers.total, made.target.total) == (40, 20)


@pytest.mark.parametrize(
    ("ran", "height", "allowed"), [(True, False, True), (False, True, True), (False, False, False)]
)
def test_g_84_cs_467_cs_702_a_tackle_needs_a_run_or_a_height(ran: bool, height: bool, allowed: bool) -> None:
    """G-84, CS-467, CS-702."""
    assert may_tackle(ran, height) is allowed


def test_cs_468_nobody_is_tackled_by_nobody() -> None:
    """CS-468."""
    with pytest.raises(ValueError, match="at least one attacker"):
        tackle([], Tackler(18))


@given(BODIES, BODIES, st.integers(0, 30))
def test_one_of_two_at_most_is_heavier(one: Body, other: Body, mph: int) -> None:
    assert mph in (damage_pot(mph, one, other).total, damage_pot(mph, other, one).total)
    mirror: dict[Footing, Footing] = {"both": "both", "attacker": "target", "target": "attacker"}
    assert who_keeps_footing(one, other) == mirror[who_keeps_footing(other, one)]
    assert footing_dv(mph, other, one).total >= damage_pot(mph, one, other).total
    assert base_av(one).total == attack_av(one, 0).total
