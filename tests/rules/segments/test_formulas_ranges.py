"""Range bands, limits by weapon, strength and elevation, and the difficulty of distance (CS-251, CS-267 to CS-285)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.ranges import (
    Flight,
    HurledDvUnit,
    Limits,
    band,
    flight_seconds,
    hurled_row,
    in_unit,
    lands_late,
    limits,
    may_shoot,
    range_dv,
    throw_factor,
    weapons,
)

KEYS = st.sampled_from(sorted(weapons()))
STRENGTHS = st.integers(5, 30)


def numbers(reach: Limits) -> tuple[int, int, int, int]:
    return reach.point_blank, reach.short, reach.medium, reach.long


def dv(key: str, distance: Fraction | int, strength: int = 13, rise: int = 0, hurled: HurledDvUnit = "yards") -> object:
    made = range_dv(distance, limits(weapons()[key], strength, rise=rise), hurled)
    return None if made is None else made.total


@pytest.mark.parametrize(
    ("key", "unit", "printed"),
    [
        ("bow", "yd", (15, 60, 80, 100)),
        ("sling", "yd", (15, 60, 80, 100)),
        ("fustibal", "yd", (15, 60, 80, 100)),
        ("short_bow", "yd", (11, 42, 56, 70)),
        ("hurled_hilted", "ft", (9, 36, 48, 60)),
        ("hurled_hafted", "ft", (13, 50, 67, 84)),
        ("crossbow_light", "yd", (30, 120, 160, 200)),
        ("crossbow_heavy", "yd", (34, 135, 180, 225)),
    ],
)
def test_cs_268_base_limits_as_printed_cs_274_a_09(key: str, unit: str, printed: tuple[int, int, int, int]) -> None:
    """CS-268, CS-274, A-09."""
    reach = limits(weapons()[key])
    assert (reach.unit, numbers(reach)) == (unit, printed)


def test_cs_268_the_rows_keep_their_proportions() -> None:
    """CS-268."""
    for one in weapons().values():
        assert abs(one.medium - Fraction(4, 3) * one.short) <= Fraction(1, 2)
        assert abs(one.long - Fraction(5, 3) * one.short) <= Fraction(2, 3)
    bow, short_bow = weapons()["bow"], weapons()["short_bow"]
    assert short_bow.short == Fraction(7, 10) * bow.short
    assert short_bow.medium == Fraction(7, 10) * bow.medium
    assert short_bow.long == Fraction(7, 10) * bow.long


@pytest.mark.parametrize(
    ("example", "key", "strength", "printed"),
    [
        ("G-44", "bow", 16, (17, 66, 86, 106)),
        ("G-45", "short_bow", 10, (10, 39, 53, 67)),
        ("CS-269", "hurled_hilted", 16, (10, 39, 51, 63)),
        ("A-10", "sling", 16, (17, 66, 86, 106)),
        ("CS-273", "crossbow_heavy", 20, (34, 135, 180, 225)),
    ],
)
def test_cs_269_to_273_strength(example: str, key: str, strength: int, printed: tuple[int, int, int, int]) -> None:
    """CS-269, CS-270, CS-271, CS-272, CS-273."""
    assert numbers(limits(weapons()[key], strength)) == printed, example


def test_g_48_cs_281_shooting_uphill_a_08() -> None:
    """G-48, CS-281, A-08."""
    bow = weapons()["bow"]
    assert numbers(limits(bow, rise=12)) == (12, 48, 68, 88)
    assert limits(bow, rise=-12) == limits(bow)
    assert numbers(limits(weapons()["hurled_hilted"], rise=50)) == (0, 0, 0, 10)


@pytest.mark.parametrize(
    ("example", "key", "strength", "rise", "distance", "expected"),
    [
        ("L2271", "bow", 13, 0, 85, 21),
        ("G-44", "bow", 16, 0, 85, 16),
        ("G-45", "short_bow", 10, 0, 60, 18),
        ("G-46", "bow", 13, 0, 110, 56),
        ("G-46", "bow", 13, 0, 100, 36),
        ("G-46", "bow", 13, 0, 101, 38),
        ("G-46", "bow", 13, 0, 60, 9),
        ("G-46", "bow", 13, 0, 15, 0),
        ("G-46", "bow", 13, 0, 17, 0),
        ("G-46", "bow", 13, 0, 18, 1),
        ("G-48", "bow", 13, 12, 85, 31),
        ("G-49", "crossbow_light", 13, 0, 150, 28),
        ("G-50", "bow", 13, 0, 10, 0),
        ("G-52", "bow", 13, 0, 40, 5),
        ("G-53", "bow", 13, 0, 76, 14),
        ("G-53", "bow", 13, 0, 79, 15),
    ],
)
def test_cs_282_each_band_is_rounded_on_its_own(
    example: str, key: str, strength: int, rise: int, distance: int, expected: int
) -> None:
    """CS-282."""
    assert dv(key, distance, strength, rise) == expected, example


def test_cs_282_the_sum_shows_its_bands() -> None:
    """CS-282."""
    made = range_dv(85, limits(weapons()["bow"]))
    assert made is not None
    assert [(part.label, part.value) for part in made.parts] == [
        ("point-blank", 0),
        ("short range", 9),
        ("medium range", 7),
        ("long range", 5),
    ]
    assert {part.rule for part in made.parts} == {"CS-282"}


def test_a_07_hurled_steps_are_yards_or_feet() -> None:
    """A-07."""
    assert dv("hurled_hilted", 60) == 2 + 1 + 4
    assert dv("hurled_hilted", 60, hurled="feet") == 5 + 4 + 12
    assert dv("hurled_hilted", 63) == 7 + 2
    assert dv("bow", 85, hurled="feet") == 21


@pytest.mark.parametrize(
    ("distance", "expected"),
    [(0, "point_blank"), (15, "point_blank"), (16, "short"), (60, "short"), (61, "medium"), (80, "medium"),
     (81, "long"), (100, "long"), (101, "extreme"), (4000, "extreme")],
)  # fmt: skip
def test_cs_267_and_275_the_band_of_a_distance(distance: int, expected: str) -> None:
    """CS-267."""
    assert band(distance, limits(weapons()["bow"])) == expected


def test_cs_273_crossbows_end_at_their_greatest_range() -> None:
    """CS-273."""
    reach = limits(weapons()["crossbow_light"])
    assert band(200, reach) == "long"
    assert band(201, reach) is None
    assert range_dv(201, reach) is None


@given(KEYS, STRENGTHS, st.integers(0, 400), st.sampled_from(["yards", "feet"]))
def test_cs_282_farther_is_never_easier(key: str, strength: int, distance: int, hurled: HurledDvUnit) -> None:
    """CS-282."""
    reach = limits(weapons()[key], strength)
    near, far = range_dv(distance, reach, hurled), range_dv(distance + 1, reach, hurled)
    if near is None or far is None:
        assert far is None
        assert not reach.extreme
    else:
        assert 0 <= near.total <= far.total


@given(KEYS, STRENGTHS, st.integers(0, 30))
def test_cs_269_strength_carries_farther_and_height_shortens(key: str, strength: int, rise: int) -> None:
    """CS-269."""
    weapon = weapons()[key]
    here = numbers(limits(weapon, strength, rise=rise))
    assert list(here) == sorted(here)
    assert all(a <= b for a, b in zip(here, numbers(limits(weapon, strength + 1, rise=rise)), strict=True))
    assert all(a >= b for a, b in zip(here, numbers(limits(weapon, strength, rise=rise + 1)), strict=True))


@pytest.mark.parametrize(
    ("hafted", "to_wound", "key"),
    [(True, True, "hurled_hafted"), (False, True, "hurled_hilted"), (False, False, "hurled_hafted")],
)
def test_cs_272_and_278_which_limits_a_thrown_weapon_has(hafted: bool, to_wound: bool, key: str) -> None:
    """CS-272."""
    assert hurled_row(hafted, to_wound=to_wound) == key


@pytest.mark.parametrize(
    ("size", "pounds", "factor"),
    [
        ("0.3", "0.5", "1"), ("0.3", "0.6", "3/4"), ("0.31", "0.5", "3/4"), ("1.26", "0.625", "3/4"),
        ("1.27", "0.5", "2/3"), ("0.3", "1.25", "2/3"), ("2.5", "0.5", "1/2"), ("2.6", "1.875", "1/3"),
        ("0.3", "2.6", "1/4"), ("3.96", "0.5", "1/4"), ("4", "0.5", "1/10"), ("0.3", "6.26", "1/10"),
        ("0.3", "25", "1/10"),
    ],
)  # fmt: skip
def test_cs_277_and_279_the_smaller_share_of_size_and_weight(size: str, pounds: str, factor: str) -> None:
    """CS-277."""
    made = throw_factor(size=Fraction(size), height=6, pounds=Fraction(pounds), light_enc=25)
    assert made == Fraction(factor)


def test_cs_280_the_gm_sets_what_the_table_leaves_out() -> None:
    """CS-280."""
    assert throw_factor(size=Fraction(1, 10), height=6, pounds=Fraction(1, 5), light_enc=25) is None
    assert throw_factor(size=1, height=6, pounds=26, light_enc=25) is None


def test_m_15_without_a_light_limit_only_size_counts() -> None:
    """M-15."""
    assert throw_factor(size=1, height=6, pounds=26) == Fraction(3, 4)


def test_cs_279_limits_after_the_share_are_rounded_once() -> None:
    """CS-279."""
    assert numbers(limits(weapons()["hurled_hafted"], factor=Fraction(3, 4))) == (10, 38, 50, 63)
    assert numbers(limits(weapons()["hurled_hafted"], 16, rise=5, factor=Fraction(1, 2))) == (6, 22, 30, 39)


@pytest.mark.parametrize(
    ("feet", "flight", "late"),
    [(2100, "arrow", True), (2001, "arrow", True), (1900, "arrow", False), (2000, "arrow", False),
     (501, "hurled", True), (500, "hurled", False)],
)  # fmt: skip
def test_g_54_cs_285_far_shots_land_in_the_next_segment(feet: int, flight: Flight, late: bool) -> None:
    """G-54, CS-285."""
    assert lands_late(feet, flight) == late


def test_cs_284_flight_times() -> None:
    """CS-284."""
    assert flight_seconds(100, "hurled") == 2
    assert flight_seconds(500, "arrow") == Fraction(5, 2)


@pytest.mark.parametrize(("gap", "allowed"), [(4, False), (5, True), (Fraction(9, 2), False)])
def test_g_56_cs_251_five_feet_between_zones(gap: Fraction | int, allowed: bool) -> None:
    """G-56, CS-251."""
    assert may_shoot(gap) == allowed


def test_feet_become_the_unit_of_the_limits_r_7() -> None:
    """R-7."""
    assert in_unit(255, "yd") == 85
    assert in_unit(40, "ft") == 40
