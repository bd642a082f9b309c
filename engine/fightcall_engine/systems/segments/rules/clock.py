"""Tactical time, Initiative, and who goes before whom inside a segment (CS-005 to CS-034, CS-149)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import ceil, floor
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum

SECONDS_A_SEGMENT = 10
"""Seconds of one Combat Segment (CS-005)."""

PULSES_A_SEGMENT = 10
"""One-second Pulses of a segment (CS-008)."""

QA_AN_ACTION = 4
"""Quarter-actions of one Action, and so of one slot (R-6, CS-128)."""


def quarters(qa: int) -> str:
    """Return quarter-actions in words: ``4 quarters``."""
    return f"{qa} quarter{'s' if qa != 1 else ''}"


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A place in time at which an Action may be resolved.

    Attributes:
        segment: the number of the segment, counted as for the rate.
        pass_number: the pass of that segment, from 1.
    """

    segment: int
    pass_number: int


def game_time(segments: int) -> str:
    """Return the clock after so many whole segments as mm:ss; 6 segments are a minute (CS-005)."""
    minutes, seconds = divmod(segments * SECONDS_A_SEGMENT, 60)
    return f"{minutes:02}:{seconds:02}"


def segments_of(seconds: Number) -> int:
    """Return the segments of a time in seconds, rounded up; at least 1 (CS-142)."""
    return max(1, ceil(Fraction(seconds) / SECONDS_A_SEGMENT))


def slots(segment: int, rate: Fraction | int = 1) -> int:
    """Return the number of Actions owed in a segment (CS-006, CS-007).

    Args:
        segment: counted from the combatant's first segment in the contest, from 1.
        rate: Rate of Action, in Actions per segment, above 0.

    Raises:
        ValueError: a value is out of its range.
    """
    _check_rate(rate)
    if segment < 1:
        raise ValueError(f"unknown segment: {segment}; the first is 1")
    return owed_until(segment, rate) - owed_until(segment - 1, rate)


def owed_until(segment: int, rate: Fraction | int = 1) -> int:
    """Return the number of Actions owed up to the end of a segment (CS-007)."""
    return floor(segment * Fraction(rate))


def slots_needed(qa: Number) -> int:
    """Return the slots of an act of so many quarter-actions, rounded up (CS-149)."""
    return max(1, ceil(Fraction(qa) / QA_AN_ACTION))


def slot_at(number: int, rate: Fraction | int = 1) -> Slot:
    """Return the slot of the Action with this number, counted over the contest from 1 (CS-007, CS-149).

    Raises:
        ValueError: a value is out of its range.
    """
    _check_rate(rate)
    if number < 1:
        raise ValueError(f"unknown Action number: {number}; the first is 1")
    segment = ceil(number / Fraction(rate))
    return Slot(segment, number - owed_until(segment - 1, rate))


def due(qa: Number, rate: Fraction | int = 1, first: int = 1) -> Slot:
    """Return the slot whose Resolution resolves an act (CS-133, CS-149).

    Args:
        qa: its length in quarter-actions.
        rate: the Rate of Action while it lasts.
        first: the number of the first Action spent on it, counted over the contest.
    """
    return slot_at(first + slots_needed(qa) - 1, rate)


def due_among(qa: Number, counts: Iterable[int], slots_spent: int = 0) -> Slot | None:
    """Return the slot that resolves an act, given the number of slots of each coming segment (CS-133).

    For segments whose number of Actions the GM has changed (CS-007), or whose rate changes on the way (CS-110).

    Args:
        qa: what is still to do, in quarter-actions.
        counts: the Actions of this segment and of each later one.
        slots_spent: the Actions of this segment that are used.

    Returns:
        The slot, with its segment counted from 1 for the first of `counts`; None if they are not enough.
    """
    slots_to_come = slots_needed(qa) + slots_spent
    for segment, count in enumerate(counts, 1):
        if slots_to_come <= count:
            return Slot(segment, slots_to_come)
        slots_to_come -= count
    return None


def progress(qa: int, segment: int, rate: Fraction | int = 1, first: int = 1) -> int:
    """Return the quarter-actions of an act that are done at the end of a segment (CS-102).

    A slow combatant works all the time: half an Action may be done although no slot has come.

    Args:
        qa: its whole length.
        segment: the segment that ends, counted from the combatant's first.
        rate: the Rate of Action.
        first: the number of the first Action spent on it, counted over the contest.
    """
    qa_so_far = floor(QA_AN_ACTION * segment * Fraction(rate)) - QA_AN_ACTION * (first - 1)
    return max(0, min(qa, qa_so_far))


def _check_rate(rate: Fraction | int) -> None:
    if rate <= 0:
        raise ValueError(f"a Rate of Action must be above 0, not {rate}")


MultiActionOrder: TypeAlias = Literal["tiered_passes", "plain_passes", "countdown"]
"""The readings of the order of combatants with several Actions (A-01)."""

TieBreak: TypeAlias = Literal["AGL", "HRT", "GM"]


@frozen
class Entrant:
    """A combatant in the order of a segment.

    Attributes:
        who: the combatant's id.
        total: Initiative of this segment (CS-021).
        agl: Agility score, the first tie-break (CS-024).
        hrt: Heart score, the second (CS-025).
        slots: Actions owed in this segment (CS-007).
    """

    who: str
    total: int
    agl: int = 13
    hrt: int = 13
    slots: int = 1


@frozen
class Tie:
    """Combatants of equal Initiative, in their order unless the GM decides it, and what broke the tie."""

    who: tuple[str, ...]
    by: TieBreak


@frozen
class Pass:
    """The combatants of a pass, in order. Under `countdown` its number is the tier, which counts down."""

    number: int
    who: tuple[str, ...]


def initiative(d10: int, awa: int, hrt: int, *, stun: int = 0) -> Sum:
    """Return the Initiative of one segment (CS-020, CS-021, CS-032).

    Args:
        d10: the roll, 1 to 10.
        awa: Awareness modifier.
        hrt: Heart modifier.
        stun: the present stun penalty, 0 or more.

    Raises:
        ValueError: the roll is not a d10's.
    """
    if not 1 <= d10 <= 10:
        raise ValueError(f"not a d10 roll: {d10}; accepted: 1 to 10")
    parts = [Part("d10", d10, "CS-020"), Part("AWA modifier", awa, "CS-021"), Part("HRT modifier", hrt, "CS-021")]
    if stun:
        parts.append(Part("stunned by pain", -stun, "CS-032"))
    return Sum(tuple(parts))


def ties(entrants: Iterable[Entrant]) -> tuple[Tie, ...]:
    """Return the ties and what broke each, from the top: AGL, then HRT, then the GM (CS-024 to CS-026)."""
    ties: list[Tie] = []
    for level in _group_equals(entrants, _total):
        equal_agl = _group_equals(level, _agl)
        if len(equal_agl) > 1:
            ties.append(Tie(tuple(entrant.who for entrant in sorted(level, key=_before)), "AGL"))
        for alike in equal_agl:
            equal_hrt = _group_equals(alike, _hrt)
            if len(equal_hrt) > 1:
                ties.append(Tie(tuple(entrant.who for entrant in sorted(alike, key=_before)), "HRT"))
            ties.extend(Tie(tuple(entrant.who for entrant in same), "GM") for same in equal_hrt if len(same) > 1)
    return tuple(ties)


def roster(entrants: Iterable[Entrant], tie_order: Sequence[str] = ()) -> tuple[str, ...]:
    """Return all combatants, friends and foes, highest Initiative first (CS-022, CS-027).

    Args:
        entrants: everyone in the contest.
        tie_order: the GM's order in the last ties; combatants not in it keep the given order (CS-026).
    """
    tie_places = _tie_places(tie_order)
    return tuple(
        entrant.who
        for entrant in sorted(
            entrants, key=lambda entrant: (*_before(entrant), tie_places.get(entrant.who, len(tie_places)))
        )
    )


def passes(
    entrants: Iterable[Entrant], reading: MultiActionOrder = "tiered_passes", tie_order: Sequence[str] = ()
) -> tuple[Pass, ...]:
    """Return the passes of a segment with their combatants, in order (CS-028, CS-029, CS-095, CS-096).

    Args:
        entrants: all who can act; those without Actions are in no pass.
        reading: `tiered_passes` lets those with more Actions go first in each pass; `plain_passes` only uses
            Initiative; `countdown` runs the tiers from the most Actions down to 1 (A-01).
        tie_order: the GM's order in the last ties, as for `roster`.
    """
    everyone = tuple(entrants)
    by_who = {entrant.who: entrant for entrant in everyone}
    in_order = [by_who[combatant_id] for combatant_id in roster(everyone, tie_order)]
    if reading == "tiered_passes":
        in_order.sort(key=lambda entrant: -entrant.slots)
    numbers = range(1, max((entrant.slots for entrant in everyone), default=0) + 1)
    return tuple(
        Pass(number, tuple(entrant.who for entrant in in_order if entrant.slots >= number))
        for number in (reversed(numbers) if reading == "countdown" else numbers)
    )


def _total(entrant: Entrant) -> int:
    return entrant.total


def _agl(entrant: Entrant) -> int:
    return entrant.agl


def _hrt(entrant: Entrant) -> int:
    return entrant.hrt


def _before(entrant: Entrant) -> tuple[int, int, int]:
    return (-entrant.total, -entrant.agl, -entrant.hrt)


def _tie_places(tie_order: Sequence[str]) -> Mapping[str, int]:
    return {combatant_id: place for place, combatant_id in enumerate(tie_order)}


def _group_equals(entrants: Iterable[Entrant], by: Callable[[Entrant], int]) -> list[list[Entrant]]:
    """Group equal entrants, highest first; within a group the order is kept."""
    return [list(same) for _, same in groupby(sorted(entrants, key=by, reverse=True), by)]
