"""Speeds, distances and table 7-2 (CS-097, CS-183 to CS-187, CS-231 to CS-242, section 6.2)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules import formulas as tabled
from fightcall_engine.systems.segments.rules.ranges import (
    Pace,
    PulseReach,
    Rate,
    by_formula,
    centimetres,
    pace,
    printed_rows,
    pulse_reach,
    rate_mph,
    rate_of,
    segment_feet,
    streak_after,
)

SPEEDS = st.fractions(min_value=0, max_value=200, max_denominator=4)


@pytest.mark.parametrize(
    ("rate", "mph"), [("still", 0), ("quarter", 3), ("half", 6), ("three_quarter", 9), ("full", 12)]
)
def test_cs_183_rates_are_shares_of_full_speed(rate: Rate, mph: int) -> None:
    """CS-183."""
    assert rate_mph(12, rate) == mph


@pytest.mark.parametrize(
    ("mph", "rate"), [(0, "still"), (1, "quarter"), (3, "quarter"), (4, "half"), (7, "three_quarter"), (12, "full")]
)
def test_cs_184_the_rate_on_record_is_the_lowest_that_reaches(mph: int, rate: Rate) -> None:
    """CS-184."""
    assert rate_of(mph, 12) == rate


@pytest.mark.parametrize("mph", [-1, 13])
def test_cs_184_nobody_goes_faster_than_he_can(mph: int) -> None:
    """CS-184."""
    with pytest.raises(ValueError, match="accepted: 0 to 12"):
        rate_of(mph, 12)


def test_g_29_cs_186_twelve_miles_an_hour_are_176_feet_a_segment() -> None:
    """G-29, CS-186."""
    assert segment_feet(12) == 176
    assert segment_feet(12, pulses=True) == 180
    assert segment_feet(12, pulses=True, distance="exact") == 176


@pytest.mark.parametrize(
    ("mph", "row"),
    [
        (1, PulseReach(2, 7, 3, 2)),
        (7, PulseReach(10, 51, 21, 10)),
        (16, PulseReach(24, 117, 47, 24)),
        (4, PulseReach(6, 30, 12, 6)),
        (Fraction(1, 4), PulseReach(Fraction(2, 5), 2, 1, None)),
        (10, PulseReach(15, 73, 29, 15)),
        (149, PulseReach(219, 1093, 437, 219)),
    ],
)
def test_g_38_cs_242_table_7_2(mph: Fraction | int, row: PulseReach) -> None:
    """G-38, CS-242."""
    assert pulse_reach(mph) == row


def test_cs_242_the_table_has_every_printed_speed() -> None:
    """CS-242."""
    quarters = [Fraction(quarter, 4) for quarter in (1, 2, 3)]
    assert list(printed_rows()) == [*quarters, *(Fraction(mph) for mph in range(1, 150))]


def test_cs_242_the_table_is_its_formula_but_for_the_irregular_rows() -> None:
    """CS-242."""
    found = set()
    for mph, row in printed_rows().items():
        made = by_formula(mph)
        assert row.feet == made.feet
        found |= {
            (mph, column, getattr(row, column), getattr(made, column))
            for column in ("mm25", "mm10", "mm5")
            if getattr(row, column) != getattr(made, column)
        }
    assert found == {
        (Fraction(1, 4), "mm5", None, 0),
        (Fraction(1, 2), "mm10", 2, 1),
        (Fraction(3, 4), "mm25", 5, 6),
        (4, "mm25", 30, 29),
        (13, "mm25", 96, 95),
    }


def test_cs_242_the_file_lists_its_own_irregular_rows() -> None:
    """CS-242."""
    for row in tabled.rows("pulse_conversions", "irregular"):
        mph, column = Fraction(str(row["mph"])), str(row["column"])
        assert getattr(printed_rows()[mph], column) == row.get("printed")
        assert getattr(by_formula(mph), column) == row.get("formula", 0)


@pytest.mark.parametrize("mph", [1, 16, 31, 46, 61, 76, 91, 106, 121, 136])
def test_cs_242_ten_rows_are_rounded_twice(mph: int) -> None:
    """CS-242."""
    once = pulse_reach(mph, "exact")
    assert once.feet - int(once.feet) == Fraction(7, 15)
    assert pulse_reach(mph).feet == int(once.feet) + 1 == pulse_reach(mph).mm5


def test_cs_242_other_speeds_go_by_the_formula() -> None:
    """CS-242."""
    assert pulse_reach(150) == PulseReach(220, 1100, 440, 220)
    assert pulse_reach(Fraction(5, 2)) == PulseReach(4, 18, 7, 4)
    assert pulse_reach(0) == PulseReach(0, 0, 0, 0)
    with pytest.raises(ValueError, match="use 0 or more"):
        pulse_reach(-1)


def test_a_42_exact_distances_keep_the_fraction() -> None:
    """A-42."""
    assert pulse_reach(10, "exact") == PulseReach(Fraction(44, 3), 73, 29, 15)
    assert pulse_reach(4, "exact").mm25 == 29


@given(SPEEDS, SPEEDS)
def test_cs_231_faster_never_means_less_far(one: Fraction, other: Fraction) -> None:
    """CS-231."""
    slow, fast = sorted((one, other))
    assert pulse_reach(slow).feet <= pulse_reach(fast).feet
    assert segment_feet(slow) <= segment_feet(fast)


@given(SPEEDS)
def test_cs_231_the_table_is_never_a_foot_off(mph: Fraction) -> None:
    """CS-231."""
    assert abs(Fraction(pulse_reach(mph).feet - pulse_reach(mph, "exact").feet)) <= Fraction(11, 20)


def test_g_36_cs_234_the_first_pulse_is_at_half_speed() -> None:
    """G-36, CS-234."""
    asked, streak, feet, capped = 20, 0, [], []
    for moves in (True, True, True, False, True, True):
        allowed = pace(asked, 20, streak) if moves else Pace(0, False)
        feet.append(pulse_reach(allowed.mph).feet)
        capped.append(allowed.capped)
        streak = streak_after(streak, moves)
    assert feet == [15, 29, 29, 0, 15, 29]
    assert capped == [True, False, False, False, True, False]


def test_g_37_cs_234_a_run_goes_on_into_the_next_segment_a_24() -> None:
    """G-37, CS-234, A-24."""
    streak = 0
    for _ in range(10):
        streak = streak_after(streak, True)
    assert pace(20, 20, streak) == Pace(20, False)


def test_cs_235_three_quarters_is_free_from_the_second_pulse_on() -> None:
    """CS-235."""
    assert pace(15, 20, 0) == Pace(10, True)
    assert pace(15, 20, 1) == Pace(15, False)
    assert pace(10, 20, 0) == Pace(10, False)
    assert pace(25, 20, 3) == Pace(20, True)


def test_g_125_feet_of_the_first_four_pulses() -> None:
    """G-125."""
    a = [pulse_reach(pace(12, 12, streak).mph).feet for streak in range(3)]
    b = [pulse_reach(pace(16, 16, streak).mph).feet for streak in range(3)]
    assert (a, b) == ([9, 18, 18], [12, 24, 24])
    assert [sum(a[:n]) + sum(b[:n]) for n in (1, 2, 3)] == [21, 63, 105]


def test_cs_187_display_distances_read_both_ways() -> None:
    """CS-187."""
    assert centimetres(73) == "7.3 cm (7 cm + 3 mm)"
    assert centimetres(7) == "0.7 cm (0 cm + 7 mm)"
