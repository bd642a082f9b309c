"""Initiative, its ties, and who goes before whom inside a segment (CS-020 to CS-034, section 4.2)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.sums import Part, Sum

MultiActionOrder: TypeAlias = Literal["tiered_passes", "plain_passes", "countdown"]
"""How those with more Actions go first (A-01)."""

TieBreak: TypeAlias = Literal["AGL", "HRT", "GM"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """What the order of a segment is made from.

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


@dataclass(frozen=True, slots=True)
class Tie:
    """Combatants of equal Initiative and what told them apart; in their order, unless it is left to the GM."""

    who: tuple[str, ...]
    by: TieBreak


@dataclass(frozen=True, slots=True)
class Pass:
    """Who acts in one pass, in order. Under `countdown` the number is the tier and counts down."""

    number: int
    who: tuple[str, ...]


def initiative(d10: int, awa: int, hrt: int, *, stun: int = 0) -> Sum:
    """Return the Initiative of one segment (CS-020, CS-021, CS-032).

    Args:
        d10: the roll, 1 to 10.
        awa: Awareness modifier.
        hrt: Heart modifier.
        stun: the penalty of being stunned by pain now, 0 or more.

    Raises:
        ValueError: the roll is none of a d10.
    """
    if not 1 <= d10 <= 10:
        raise ValueError(f"{d10} is no roll of a d10; 1 to 10 are")
    parts = [Part("d10", d10, "CS-020"), Part("AWA modifier", awa, "CS-021"), Part("HRT modifier", hrt, "CS-021")]
    if stun:
        parts.append(Part("stunned by pain", -stun, "CS-032"))
    return Sum(tuple(parts))


def ties(entrants: Iterable[Entrant]) -> tuple[Tie, ...]:
    """Return each tie and what broke it, from the top: AGL first, then HRT, then the GM (CS-024 to CS-026)."""
    found: list[Tie] = []
    for level in _group_equals(entrants, _total):
        agile = _group_equals(level, _agl)
        if len(agile) > 1:
            found.append(Tie(tuple(entrant.who for entrant in sorted(level, key=_before)), "AGL"))
        for alike in agile:
            hearty = _group_equals(alike, _hrt)
            if len(hearty) > 1:
                found.append(Tie(tuple(entrant.who for entrant in sorted(alike, key=_before)), "HRT"))
            found.extend(Tie(tuple(entrant.who for entrant in same), "GM") for same in hearty if len(same) > 1)
    return tuple(found)


def roster(entrants: Iterable[Entrant], settled: Sequence[str] = ()) -> tuple[str, ...]:
    """Return all in one list, friend and foe alike, highest Initiative first (CS-022, CS-027).

    Args:
        entrants: everyone in the contest.
        settled: how the GM settled the last ties, first to act first; those left out keep the order given (CS-026).
    """
    drawn = _tie_places(settled)
    return tuple(
        entrant.who
        for entrant in sorted(entrants, key=lambda entrant: (*_before(entrant), drawn.get(entrant.who, len(drawn))))
    )


def passes(
    entrants: Iterable[Entrant], reading: MultiActionOrder = "tiered_passes", settled: Sequence[str] = ()
) -> tuple[Pass, ...]:
    """Return the passes of a segment and who acts in each, in order (CS-028, CS-029, CS-095, CS-096).

    Args:
        entrants: everyone able to act; those owed nothing appear in no pass.
        reading: `tiered_passes` lets those with more Actions go first inside each pass; `plain_passes` knows only
            Initiative; `countdown` runs the tiers from the most Actions down to 1 (A-01).
        settled: how the GM settled the last ties, as for `roster`.
    """
    everyone = tuple(entrants)
    by_who = {entrant.who: entrant for entrant in everyone}
    ordered = [by_who[combatant_id] for combatant_id in roster(everyone, settled)]
    if reading == "tiered_passes":
        ordered.sort(key=lambda entrant: -entrant.slots)
    numbers = range(1, max((entrant.slots for entrant in everyone), default=0) + 1)
    return tuple(
        Pass(number, tuple(entrant.who for entrant in ordered if entrant.slots >= number))
        for number in (reversed(numbers) if reading == "countdown" else numbers)
    )


def arrival(order: Sequence[Entrant], newcomer: Entrant, reached: int) -> int:
    """Return where a late arrival joins the roster (CS-034, A-57).

    Args:
        order: those on the roster, in their order.
        newcomer: who comes, his Initiative rolled.
        reached: the index of the one whose turn it is.

    Returns:
        The index to insert him at: his place by Initiative, or just after the cursor where that has passed.
    """
    place = sum(_before(entrant) <= _before(newcomer) for entrant in order)
    return max(place, min(reached + 1, len(order)))


def _total(entrant: Entrant) -> int:
    return entrant.total


def _agl(entrant: Entrant) -> int:
    return entrant.agl


def _hrt(entrant: Entrant) -> int:
    return entrant.hrt


def _before(entrant: Entrant) -> tuple[int, int, int]:
    return (-entrant.total, -entrant.agl, -entrant.hrt)


def _tie_places(settled: Sequence[str]) -> Mapping[str, int]:
    return {combatant_id: place for place, combatant_id in enumerate(settled)}


def _group_equals(entrants: Iterable[Entrant], by: Callable[[Entrant], int]) -> list[list[Entrant]]:
    """Those who are equal, the highest first; within a group the order given."""
    return [list(same) for _, same in groupby(sorted(entrants, key=by, reverse=True), by)]
