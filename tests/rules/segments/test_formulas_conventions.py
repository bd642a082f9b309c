"""Rounding, halving, percentages, the Progressive scale and chance tables (R-1 to R-5, M-01 to M-03)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.formulas import (
    D100,
    ChanceTable,
    ContestedTie,
    Part,
    Sum,
    contest,
    halve,
    linear_chance,
    ordinal,
    prog,
    read_chances,
    rhu,
)

EXACT = st.fractions(min_value=-10_000, max_value=10_000)


@pytest.mark.parametrize(
    ("number", "expected"),
    [("1.5", 2), ("5.5", 6), ("4.5", 5), ("10.5", 11), ("12.5", 13), ("6.66", 7), ("0.49", 0), ("-0.5", 0), ("7", 7)],
)
def test_r_1_halves_go_up(number: str, expected: int) -> None:
    """R-1."""
    assert rhu(Fraction(number)) == expected


@given(EXACT)
def test_r_1_never_moves_a_number_by_more_than_a_half(number: Fraction) -> None:
    """R-1."""
    assert number - Fraction(1, 2) < rhu(number) <= number + Fraction(1, 2)


@given(st.integers(0, 5000), st.integers(0, 12), st.integers(0, 12))
def test_r_2_halving_in_two_goes_is_halving_in_one(base: int, first: int, second: int) -> None:
    """R-2."""
    assert halve(halve(base, first), second) == halve(base, first + second)
    assert halve(base, first) * 2**first == base


@given(st.integers(0, 5000))
def test_r_2_repeated_halves_reach_zero(base: int) -> None:
    """R-2."""
    shown = [rhu(halve(base, times)) for times in range(15)]
    assert shown == sorted(shown, reverse=True)
    assert shown[-1] == 0


def test_r_2_rounding_each_time_would_never_reach_zero() -> None:
    """R-2."""
    assert [rhu(halve(13, times)) for times in range(6)] == [13, 7, 3, 2, 1, 0]
    with pytest.raises(ValueError, match="0 or more"):
        halve(13, -1)


@pytest.mark.parametrize(
    ("chance", "roll", "succeeded", "margin", "fail_margin"),
    [(55, 55, True, 0, 0), (55, 56, False, 0, 1), (55, 1, True, 54, 0), (99, 100, False, 0, 1), (40, 45, False, 0, 5)],
)
def test_r_3_a_roll_up_to_the_chance_succeeds(
    chance: int, roll: int, succeeded: bool, margin: int, fail_margin: int
) -> None:
    """R-3."""
    check = D100(chance, roll)
    assert (check.succeeded, check.margin, check.fail_margin) == (succeeded, margin, fail_margin)


@pytest.mark.parametrize("roll", [0, 101, -5])
def test_r_3_only_faces_of_a_d100_are_rolls(roll: int) -> None:
    """R-3."""
    with pytest.raises(ValueError, match="accepted: 1 to 100, 00 for 100"):
        D100(50, roll)


@given(st.integers(-20, 150), st.integers(1, 100))
def test_r_3_one_margin_at_most(chance: int, roll: int) -> None:
    """R-3."""
    check = D100(chance, roll)
    assert check.margin - check.fail_margin == chance - roll
    assert 0 in (check.margin, check.fail_margin)
    assert check.succeeded == (check.fail_margin == 0)


def test_r_4_progressive_is_triangular_as_the_tenth_wound_shows() -> None:
    """R-4."""
    assert [prog(count) for count in (-1, 0, 1, 2, 3, 4, 10)] == [0, 0, 1, 3, 6, 10, 55]


def test_r_4_the_scale_may_be_replaced_m_03() -> None:
    """R-4, M-03."""
    assert [prog(count, "linear") for count in (-2, 0, 1, 4)] == [0, 0, 1, 4]
    assert [prog(count, (1, 2, 5)) for count in (0, 1, 2, 3)] == [0, 1, 2, 5]
    with pytest.raises(ValueError, match="has 3 values; this needs value 4"):
        prog(4, (1, 2, 5))


@given(st.integers(0, 500))
def test_r_4_each_point_costs_one_more_than_the_last(count: int) -> None:
    """R-4."""
    assert prog(count + 1) - prog(count) == count + 1


def test_r_5_the_linear_reading_of_m_01() -> None:
    """R-5, M-01."""
    assert linear_chance(30, 25) == 55
    assert linear_chance(10, 90) == 1
    assert linear_chance(90, 10) == 99
    assert linear_chance(30, 25, base=40, step=3, lowest=5, highest=95) == 55
    with pytest.raises(ValueError, match="the lowest chance, 9, is above the highest, 5"):
        linear_chance(1, 1, lowest=9, highest=5)


@given(st.integers(-50, 200), st.integers(-50, 200))
def test_r_5_linear_chances_rise_with_av_and_stay_in_bounds(av: int, dv: int) -> None:
    """R-5."""
    assert 1 <= linear_chance(av, dv) <= linear_chance(av + 1, dv) <= 99
    assert linear_chance(av, dv + 1) <= linear_chance(av, dv)


def test_r_5_a_table_by_av_and_dv_and_one_by_difference() -> None:
    """R-5."""
    both = read_chances("AV, DV, chance\n30,25,61\n\n30,26,59\n")
    assert (both.chance(30, 25), both.chance(30, 26), both.chance(31, 26)) == (61, 59, None)
    difference = read_chances("difference,chance\n-1,48\n0,50\n5,61\n")
    assert (difference.chance(30, 25), difference.chance(7, 7), difference.chance(7, 3)) == (61, 50, None)
    ends = read_chances("difference,chance\n-90,0\n90,100\n")
    assert (ends.chance(0, 90), ends.chance(90, 0)) == (0, 100)
    assert ChanceTable().chance(1, 1) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: use the heading"),
        ("dv,av,chance\n1,1,1", "line 1: use the heading"),
        ("AV,DV,chance\n1,x,3", "line 2: expected whole numbers for av, dv, chance"),
        ("AV,DV,chance\n1,3", "line 2: expected whole numbers"),
        ("difference,chance\n1,101", "line 2: 101 is not a percentage; use 0 to 100"),
        ("difference,chance\n1,50\n1,60", "line 3: 1 already has a chance"),
    ],
)
def test_r_5_a_table_that_will_not_do_says_where(text: str, message: str) -> None:
    """R-5."""
    with pytest.raises(ValueError, match=message):
        read_chances(text)


@pytest.mark.parametrize(
    ("attacker", "defender", "winner"),
    [
        (D100(50, 40), D100(50, 60), "attacker"),
        (D100(50, 60), D100(50, 40), "defender"),
        (D100(50, 60), D100(50, 70), "nobody"),
        (D100(50, 20), D100(50, 40), "attacker"),
        (D100(50, 40), D100(50, 20), "defender"),
    ],
)
def test_m_02_a_contested_roll(attacker: D100, defender: D100, winner: str) -> None:
    """M-02."""
    assert contest(attacker, defender) == winner


@pytest.mark.parametrize("tie", ["defender", "attacker", "reroll"])
def test_a_17_equal_margins_go_as_the_reading_says(tie: ContestedTie) -> None:
    """A-17."""
    assert contest(D100(50, 40), D100(30, 20), tie) == tie
    assert contest(D100(50, 40), D100(30, 20)) == "defender"


def test_a_sum_keeps_what_it_is_made_of() -> None:
    made = Sum((Part("skill", 30, "CS-001"), Part("half of it", Fraction(-25, 2), "CS-002")))
    assert made.total == Fraction(35, 2)
    assert Sum(()).total == 0


def test_counts_as_they_are_said() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip
