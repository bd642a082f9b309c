"""Tactical time, slots and the slot that settles an Action (CS-005 to CS-008, CS-102, CS-133, CS-142, CS-149)."""

from fractions import Fraction
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.formulas import (
    Slot,
    due_among,
    game_time,
    owed_until,
    segments_of,
    slots,
    slots_needed,
)

RATES = st.fractions(min_value=Fraction(1, 8), max_value=5, max_denominator=8)


@pytest.mark.parametrize(("segments", "shown"), [(0, "00:00"), (3, "00:30"), (6, "01:00"), (32, "05:20")])
def test_cs_005_six_segments_are_a_minute(segments: int, shown: str) -> None:
    """CS-005."""
    assert game_time(segments) == shown


def test_g_06_three_segments_are_thirty_seconds() -> None:
    """G-06."""
    assert game_time(3) == "00:30"


def test_cs_006_everybody_has_one_action_a_segment() -> None:
    """CS-006."""
    assert [slots(segment) for segment in range(1, 6)] == [1, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (Fraction(1, 2), [0, 1, 0, 1, 0, 1]),
        (Fraction(3, 2), [1, 2, 1, 2, 1, 2]),
        (Fraction(4, 3), [1, 1, 2, 1, 1, 2]),
        (Fraction(1, 3), [0, 0, 1, 0, 0, 1]),
        (2, [2, 2, 2, 2, 2, 2]),
    ],
)
def test_cs_007_the_rate_of_action_spreads_its_actions(rate: Fraction | int, expected: list[int]) -> None:
    """CS-007."""
    assert [slots(segment, rate) for segment in range(1, 7)] == expected


@given(RATES, st.integers(1, 200))
def test_cs_007_nobody_is_owed_more_or_less_than_his_rate(rate: Fraction, segments: int) -> None:
    """CS-007."""
    owed = sum(slots(segment, rate) for segment in range(1, segments + 1))
    assert owed == owed_until(segments, rate)
    assert segments * rate - 1 < owed <= segments * rate


@pytest.mark.parametrize(("segment", "rate"), [(0, 1), (1, 0), (1, Fraction(-1, 2))])
def test_cs_007_impossible_rates_are_refused(segment: int, rate: Fraction | int) -> None:
    """CS-007."""
    with pytest.raises(ValueError, match=r"the first is 1|must be above 0"):
        slots(segment, rate)


@pytest.mark.parametrize(("seconds", "segments"), [(10, 1), (25, 3), (60, 6), (120, 12), (0, 1), (Fraction(21, 2), 2)])
def test_cs_142_seconds_become_segments(seconds: Fraction | int, segments: int) -> None:
    """CS-142."""
    assert segments_of(seconds) == segments


@pytest.mark.parametrize(("qa", "needed"), [(1, 1), (2, 1), (4, 1), (5, 2), (16, 4), (Fraction(9, 2), 2), (128, 32)])
def test_cs_149_a_begun_action_takes_its_whole_slot(qa: Fraction | int, needed: int) -> None:
    """CS-149."""
    assert slots_needed(qa) == needed


def due_at(qa: int, rate: Fraction | int = 1) -> Slot:
    """The slot that resolves an act begun with the first Action, at this rate."""
    slot = due_among(qa, (slots(segment, rate) for segment in range(1, 900)))
    assert slot is not None
    return slot


@given(RATES, st.integers(1, 100))
def test_cs_149_a_slot_lies_in_the_segment_that_owes_it(rate: Fraction, number: int) -> None:
    """CS-149."""
    slot = due_at(4 * number, rate)
    assert owed_until(slot.segment - 1, rate) + slot.pass_number == number
    assert 1 <= slot.pass_number <= slots(slot.segment, rate)


def test_g_08_a_slow_combatant_settles_in_the_second_segment() -> None:
    """G-08."""
    half = Fraction(1, 2)
    assert due_at(4, half) == Slot(2, 1)


def test_g_34_plate_on_four_limbs_takes_32_actions() -> None:
    """G-34."""
    assert slots_needed(4 * 32) == 32
    assert due_at(4 * 32) == Slot(32, 1)
    assert game_time(32) == "05:20"


def test_g_127_a_crossbow_by_windlass_at_two_rates() -> None:
    """G-127."""
    assert due_at(16) == Slot(4, 1)
    assert due_at(16, Fraction(3, 2)) == Slot(3, 1)


def test_cs_133_an_act_begun_later_counts_from_its_first_slot() -> None:
    """CS-133."""
    assert due_at(8 + 2 * 4) == Slot(4, 1)
    assert due_at(8 + 4, 2) == Slot(2, 1)


def test_cs_133_a_forecast_over_slots_the_gm_has_changed() -> None:
    """CS-133."""
    assert due_among(16, [1, 0, 2, 1]) == Slot(4, 1)
    assert due_among(8, [3], slots_spent=1) == Slot(1, 3)
    assert due_among(8, [2, 2], slots_spent=1) == Slot(2, 1)
    assert due_among(16, [1, 1]) is None


def test_cs_133_without_slots_nothing_is_ever_due() -> None:
    """CS-133."""
    assert due_among(4, repeat(0, 50)) is None
