"""Fainting, stuns and their decay (CS-610 to CS-618)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.wounds import (
    MultiStun,
    Stun,
    excess,
    pain_dv,
    slowed_dv,
    stun,
    stun_penalty,
)

STUNS = st.builds(Stun, st.integers(0, 400).map(lambda base: Fraction(base, 2)), st.integers(1, 20))


@pytest.mark.parametrize(
    ("through", "pres", "beyond", "dv"), [(18, 15, 3, 6), (12, 11, 1, 1), (15, 15, 0, 0), (4, 15, 0, 0)]
)
def test_g_96_g_108_g_125_cs_610_pain_beyond_bearing(through: int, pres: int, beyond: int, dv: int) -> None:
    """G-96, G-108, G-125, CS-610."""
    assert excess(through, pres) == beyond
    assert pain_dv(beyond).total == dv


def test_g_125_cs_613_cs_614_a_stun_and_one_that_is_managed() -> None:
    """G-125, CS-613, CS-614."""
    assert stun(3, 1, managed=False) == Stun(6, 1)
    assert stun(3, 1, managed=True) == Stun(3, 1)
    assert stun(2, 1, managed=True).base == Fraction(3, 2)
    assert stun(2, 1, managed=True).penalty(1) == 2


@pytest.mark.parametrize(
    ("base", "seen"), [(6, [6, 6, 3, 2, 1, 0]), (15, [15, 15, 8, 4, 2, 1, 0]), (1, [1, 1, 1, 0]), (0, [0, 0])]
)
def test_cs_616_it_halves_at_the_end_of_each_segment_after_that_of_the_blow(base: int, seen: list[int]) -> None:
    """CS-616."""
    hurt = Stun(base, 4)
    assert [hurt.penalty(4 + later) for later in range(len(seen))] == seen
    assert hurt.penalty(3) == 0


def test_cs_616_halves_are_kept_exact() -> None:
    """13 goes 13, 7, 3, 2, 1, 0; halving what is shown would never end."""
    assert [Stun(13, 1).penalty(segment) for segment in range(2, 8)] == [13, 7, 3, 2, 1, 0]


def test_cs_616_the_last_segment_in_which_it_tells() -> None:
    """CS-616."""
    assert Stun(6, 4).last_segment == 8
    assert Stun(1, 1).last_segment == 3
    assert Stun(0, 4).last_segment == 3


@pytest.mark.parametrize(("reading", "now"), [("sum", 9), ("highest", 6)])
def test_cs_618_several_stuns_by_reading_a_50(reading: MultiStun, now: int) -> None:
    """CS-618, A-50."""
    made = stun_penalty([Stun(6, 1), Stun(6, 2)], 3, reading)
    assert made.total == now
    assert made.parts[0].label == "stun of segment 2"


def test_cs_618_a_stun_worn_off_is_not_named() -> None:
    """CS-618."""
    assert stun_penalty([Stun(1, 1)], 9).parts == ()


def test_cs_613_the_time_of_tasks() -> None:
    """CS-613."""
    assert slowed_dv(20, 6).total == 26


@given(STUNS)
def test_cs_616_every_stun_ends_and_never_grows(hurt: Stun) -> None:
    """CS-616."""
    assert hurt.penalty(hurt.last_segment + 1) == 0
    assert all(hurt.penalty(later) > 0 for later in range(hurt.segment, hurt.last_segment + 1))
    shown = [hurt.penalty(later) for later in range(hurt.segment, hurt.last_segment + 2)]
    assert shown == sorted(shown, reverse=True)


@given(st.lists(STUNS, max_size=5), st.integers(1, 30))
def test_cs_618_the_sum_is_never_less_than_the_highest(stuns: list[Stun], segment: int) -> None:
    """CS-618."""
    total, highest = stun_penalty(stuns, segment).total, stun_penalty(stuns, segment, "highest").total
    assert highest == max((one.penalty(segment) for one in stuns), default=0)
    assert total == sum(one.penalty(segment) for one in stuns)


@given(st.integers(1, 40), st.integers(1, 9))
def test_cs_614_managing_it_halves_it_exactly(beyond: int, segment: int) -> None:
    """CS-614."""
    assert stun(beyond, segment, managed=True).base * 2 == stun(beyond, segment, managed=False).base
