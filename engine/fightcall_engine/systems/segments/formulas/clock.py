"""Tactical time: segments, pulses, quarter-actions, and which slot settles an Action (CS-005 to CS-007, CS-149)."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from fightcall_engine.systems.segments.formulas.rounding import Number

SECONDS_A_SEGMENT = 10
"""Seconds of one Combat Segment (CS-005)."""

PULSES_A_SEGMENT = 10
"""One-second Pulses of a segment (CS-008)."""

QA_AN_ACTION = 4
"""Quarter-actions of one Action, and so of one slot (R-6, CS-128)."""


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A place in time at which an Action may be settled.

    Attributes:
        segment: the Combat Segment, counted like the rate it comes from.
        pass_number: the pass of that segment, from 1.
    """

    segment: int
    pass_number: int


def game_time(segments: int) -> str:
    """Return the clock after so many whole segments as mm:ss; 6 segments are a minute (CS-005)."""
    minutes, seconds = divmod(segments * SECONDS_A_SEGMENT, 60)
    return f"{minutes:02}:{seconds:02}"


def segments_of(seconds: Number) -> int:
    """Return the segments a task quoted in seconds lasts, the last one whole; at least 1 (CS-142)."""
    return max(1, ceil(Fraction(seconds) / SECONDS_A_SEGMENT))


def slots(segment: int, rate: Fraction | int = 1) -> int:
    """Return how many Actions somebody is owed in a segment (CS-006, CS-007).

    Args:
        segment: counted from his first segment in the contest, 1 or more.
        rate: his Rate of Action, Actions per segment, above 0.

    Raises:
        ValueError: a value is out of its range.
    """
    _check_rate(rate)
    if segment < 1:
        raise ValueError(f"there is no segment {segment}; the first is 1")
    return owed_until(segment, rate) - owed_until(segment - 1, rate)


def owed_until(segment: int, rate: Fraction | int = 1) -> int:
    """Return how many Actions somebody has been owed by the end of a segment, 0 for none yet (CS-007)."""
    return floor(segment * Fraction(rate))


def slots_needed(qa: Number) -> int:
    """Return how many slots an act of so many quarter-actions takes, the last one whole (CS-149)."""
    return max(1, ceil(Fraction(qa) / QA_AN_ACTION))


def slot_at(number: int, rate: Fraction | int = 1) -> Slot:
    """Return where the Action of this number falls, counted over his whole contest from 1 (CS-007, CS-149).

    Raises:
        ValueError: a value is out of its range.
    """
    _check_rate(rate)
    if number < 1:
        raise ValueError(f"there is no Action number {number}; the first is 1")
    segment = ceil(number / Fraction(rate))
    return Slot(segment, number - owed_until(segment - 1, rate))


def due(qa: Number, rate: Fraction | int = 1, first: int = 1) -> Slot:
    """Return the slot whose Resolution settles an act (CS-133, CS-149).

    Args:
        qa: its length in quarter-actions.
        rate: the Rate of Action while it lasts.
        first: the number of the first Action spent on it, counted over the contest.
    """
    return slot_at(first + slots_needed(qa) - 1, rate)


def due_among(qa: Number, counts: Iterable[int], spent: int = 0) -> Slot | None:
    """Return the slot that settles an act when the slots of the coming segments are known one by one (CS-133).

    For segments whose number of Actions the GM has changed (CS-007), or whose rate changes on the way (CS-110).

    Args:
        qa: what is still to do, in quarter-actions.
        counts: the Actions of this segment and of each one after it.
        spent: the Actions of this segment that are gone already.

    Returns:
        The slot, its segment counted from 1 for the first of `counts`; None where they do not suffice.
    """
    needed = slots_needed(qa) + spent
    for segment, count in enumerate(counts, 1):
        if needed <= count:
            return Slot(segment, needed)
        needed -= count
    return None


def progress(qa: int, segment: int, rate: Fraction | int = 1, first: int = 1) -> int:
    """Return the quarter-actions of an act that are done at the end of a segment (CS-102).

    A slow combatant is at work all the time, so half an Action shows as half done although no slot has come.

    Args:
        qa: its whole length.
        segment: the segment that ends, counted from his first.
        rate: his Rate of Action.
        first: the number of the first Action spent on it, counted over the contest.
    """
    worked = floor(QA_AN_ACTION * segment * Fraction(rate)) - QA_AN_ACTION * (first - 1)
    return max(0, min(qa, worked))


def _check_rate(rate: Fraction | int) -> None:
    if rate <= 0:
        raise ValueError(f"a Rate of Action of {rate} never acts; it must be above 0")
