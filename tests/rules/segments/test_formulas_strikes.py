"""Resolving a strike, Reprisals and their trades (CS-449, CS-475 to CS-488)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import (
    Attack,
    Trade,
    may_reprise_with,
    next_use,
    offers_reprisal,
    reprisal_defence,
    roll_kind,
    trade,
    value_of_use,
)
from fightcall_engine.systems.segments.rules.formulas import D100, Part, rhu


@pytest.mark.parametrize(("roll", "hit"), [(1, True), (55, True), (56, False), (100, False)])
def test_g_73_cs_477_cs_478_a_roll_up_to_the_chance_hits(roll: int, hit: bool) -> None:
    """G-73, CS-477, CS-478."""
    assert D100(55, roll).succeeded is hit


@pytest.mark.parametrize(
    ("attack", "by_default", "contested"),
    [
        ("melee", "attacker", "contested"), ("hurled", "attacker", "contested"), ("missile", "attacker", "attacker"),
        ("opportunity", "attacker", "attacker"), ("reprisal", "attacker", "attacker"),
        ("body_check", "contested", "contested"), ("tackle", "contested", "contested"),
    ],
)  # fmt: skip
def test_cs_261_cs_262_cs_443_cs_476_cs_480_cs_500_who_rolls_a_04_a_05(
    attack: Attack, by_default: str, contested: str
) -> None:
    """CS-261, CS-262, CS-443, CS-476, CS-480, CS-500, A-04, A-05."""
    assert roll_kind(attack) == by_default
    assert roll_kind(attack, melee="contested", hurled_roll="contested") == contested


@pytest.mark.parametrize(
    ("missed", "off", "on"),
    [
        ("melee", True, True), ("body_check", True, True), ("tackle", True, True), ("opportunity", False, True),
        ("reprisal", False, True), ("hurled", False, False), ("missile", False, False),
    ],
)  # fmt: skip
def test_g_78_cs_449_cs_481_what_a_miss_offers_a_32(missed: Attack, off: bool, on: bool) -> None:
    """G-78, CS-449, CS-481, A-32."""
    assert offers_reprisal(missed) is off
    assert offers_reprisal(missed, "on") is on


@pytest.mark.parametrize(
    ("kind", "owned", "allowed"),
    [
        ("common_strike", (), True), ("thrust", (), False), ("thrust", ("thrust",), True),
        ("aimed_strike", ("aimed_strike",), False),
    ],
)  # fmt: skip
def test_g_78_cs_483_never_an_aimed_strike(kind: str, owned: tuple[str, ...], allowed: bool) -> None:
    """G-78, CS-483."""
    assert may_reprise_with(kind, frozenset(owned)) is allowed


def test_g_77_cs_484_cs_485_what_a_reprisal_is_traded_for() -> None:
    """G-77, CS-484, CS-485."""
    assert trade(40, 6) == Trade("move", 40)
    assert trade(0, 6) == Trade("step", 6)


@pytest.mark.parametrize(
    ("av", "before", "shown", "ordinary"), [(30, 0, 15, 30), (30, 1, 8, 15), (40, 1, 10, 20), (35, 1, 9, 18)]
)
def test_g_75_g_76_g_125_cs_486_cs_487_the_weapon_that_missed(av: int, before: int, shown: int, ordinary: int) -> None:
    """And the next ordinary defence is what it would have been."""
    assert rhu(reprisal_defence(av, next_use("defence", 1, before)).total) == shown
    assert rhu(value_of_use(av, next_use("defence", 1, before)).total) == ordinary


def test_cs_486_pooled_uses_count_the_attack_a_02() -> None:
    """CS-486, A-02."""
    assert reprisal_defence(30, next_use("defence", 1, 0, "pooled")).total == Fraction(15, 2)


def test_cs_486_the_sum_says_why() -> None:
    """CS-486."""
    assert reprisal_defence(30, 1).parts[-1] == Part("it has just missed: halved", -15, "CS-486")


@given(st.integers(0, 120), st.integers(1, 8))
def test_cs_486_is_exactly_half_of_what_it_would_be(av: int, use: int) -> None:
    """CS-486."""
    assert reprisal_defence(av, use).total * 2 == value_of_use(av, use).total
