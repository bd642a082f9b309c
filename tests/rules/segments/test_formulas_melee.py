"""Modes of melee, attacks of an Action, improvised weapons (CS-315 to CS-324, CS-340, CS-341, CS-380 to CS-382)."""

from fractions import Fraction
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import (
    attacks_left,
    improvised_av,
    improvised_hands,
    improvised_limit,
    may_attack,
)
from fightcall_engine.systems.segments.rules.ranges import (
    Field,
    is_outreached,
    kept_off,
    may_shoot,
    melee_mode,
    on_display,
    reach_counts,
    zone_gap,
)

SIZES = st.integers(0, 20)
HEIGHTS = st.fractions(min_value=1, max_value=60, max_denominator=12)


@pytest.mark.parametrize(
    ("size", "mode", "gap"), [(7, "common", 4), (1, "close", 0), (3, "close", 0), (4, "common", 1), (0, "close", 0)]
)
def test_g_57_cs_315_to_317_a_man_of_six_feet_a_45(size: int, mode: str, gap: int) -> None:
    """G-57, CS-315, CS-316, CS-317, A-45."""
    assert melee_mode(size, 6) == mode
    assert kept_off(size, 6) == gap


def test_g_57_a_polearm_keeps_twenty_millimetres() -> None:
    """G-57."""
    assert on_display(kept_off(7, 6)) == 20


@pytest.mark.parametrize(
    ("own", "foe", "kept"), [(4, 6, True), (4, 5, False), (4, 4, False), (0, 2, True), (6, 4, False)]
)
def test_g_58_cs_318_two_points_of_size_outreach(own: int, foe: int, kept: bool) -> None:
    """G-58, CS-318."""
    assert is_outreached(own, foe) == kept


@pytest.mark.parametrize(
    ("field", "armed", "counts"),
    [("F", "R", True), ("LF", "R", True), ("RS", "R", True), ("LS", "R", False), ("LS", "L", True), ("RR", "RL", False),
     ("R", "RL", False), ("F", "", False)],
)  # fmt: skip
def test_cs_324_where_reach_counts(field: Field, armed: Literal["R", "L", "RL", ""], counts: bool) -> None:
    """CS-324."""
    hands: list[Literal["R", "L"]] = [hand for hand in ("R", "L") if hand in armed]
    assert reach_counts(field, hands) == counts


def test_g_61_from_the_rear_there_is_no_gap() -> None:
    """G-61."""
    assert not reach_counts("R", ["R"])
    assert reach_counts("F", ["R"])


@given(SIZES, HEIGHTS)
def test_cs_317_the_gap_is_what_is_over_half_the_height(size: int, height: Fraction) -> None:
    """CS-317."""
    assert kept_off(size, height) >= 0
    assert (melee_mode(size, height) == "common") == (2 * size > height)
    assert kept_off(size + 1, height) >= kept_off(size, height)


def test_cs_251_zones_are_as_wide_as_their_figures_are_tall() -> None:
    """CS-251."""
    assert zone_gap(10, 6, 6) == 4
    assert zone_gap(11, 6, 6) == 5
    assert zone_gap(Fraction(21, 2), 6, 5) == 5
    assert may_shoot(zone_gap(11, 6, 6))
    assert not may_shoot(zone_gap(10, 6, 6))


def test_cs_340_and_341_each_item_attacks_once_and_two_at_most() -> None:
    """CS-340."""
    assert attacks_left(["R", "L"], []) == ("R", "L")
    assert attacks_left(["R", "L"], ["R"]) == ("L",)
    assert attacks_left(["R"], ["R"]) == ()
    assert attacks_left([], []) == ()


def test_cs_342_what_a_hand_may_attack_is_that_of_the_field() -> None:
    """CS-342."""
    assert [may_attack("F", "L"), may_attack("RS", "L"), may_attack("RS", "L", turns=True)] == [True, False, True]


@pytest.mark.parametrize(
    ("length", "hands"), [(4, (1,)), (Fraction(9, 2), (1, 2)), (5, (2,)), (10, (2,)), (Fraction(1, 2), (1,))]
)
def test_cs_380_and_381_by_length_a_47(length: Fraction | int, hands: tuple[int, ...]) -> None:
    """CS-380, A-47."""
    assert improvised_hands(length, 6) == hands


@pytest.mark.parametrize(
    ("pounds", "hands", "av", "rule"),
    [
        (4, 1, 30, "CS-383"),
        (Fraction(17, 4), 1, 29, "CS-382"),
        (6, 1, 27, "CS-382"),
        (8, 2, 30, "CS-383"),
        (Fraction(91, 10), 2, 27, "CS-382"),
    ],
)
def test_cs_382_pounds_over_the_limit_count_whole_and_progressively(
    pounds: Fraction | int, hands: Literal[1, 2], av: int, rule: str
) -> None:
    """CS-382."""
    made = improvised_av(30, pounds, 16, hands)
    assert (made.total, made.parts[-1].rule) == (av, rule)


def test_cs_380_the_limits_keep_their_quarters() -> None:
    """CS-380."""
    assert improvised_limit(13, 1) == Fraction(13, 4)
    assert improvised_limit(13, 2) == Fraction(13, 2)
    assert improvised_av(30, Fraction(13, 4), 13, 1).total == 30
    assert improvised_av(30, 7, 16, 1, "linear").total == 27


@given(st.integers(0, 60), st.integers(1, 30))
def test_cs_382_heavier_is_never_easier(pounds: int, strength: int) -> None:
    """CS-382."""
    one, two = improvised_av(40, pounds, strength, 1).total, improvised_av(40, pounds, strength, 2).total
    assert improvised_av(40, pounds + 1, strength, 1).total <= one <= two <= 40
