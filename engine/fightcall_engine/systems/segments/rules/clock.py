"""Tactical time, Initiative, order in a segment, times of tasks, Surprise (CS-005 to CS-149, CS-390 to CS-392)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby
from math import ceil, floor
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.rules.numbers import (
    D100,
    ContestedTie,
    Number,
    Part,
    Progressive,
    Sum,
    halve,
    prog,
    rhu,
)

SECONDS_A_SEGMENT = 10
"""Seconds of one Combat Segment (CS-005)."""

PULSES_A_SEGMENT = 10
"""One-second Pulses of a segment (CS-008)."""

QA_AN_ACTION = 4
"""Quarter-actions of one Action, and so of one slot (R-6, CS-128)."""

PartialMovesCost: TypeAlias = Literal["free", "table_fraction"]
"""Whether a turn, a rise or a draw in passing costs distance (A-22)."""

STRING_BOW_QA = 2
Degree: TypeAlias = Literal["none", "ready", "checked", "overwhelmed"]
"""The degrees of Surprise (CS-056 to CS-059)."""

NEUTRAL_STA = 20
"""The modified STA that does not affect an ambush (CS-050)."""


def quarters(qa: int) -> str:
    """Quarter-actions in words: ``4 quarters``."""
    return f"{qa} quarter{'s' if qa != 1 else ''}"


@frozen
class Slot:
    """A place in time at which an Action may be resolved: a segment, counted as for the rate, and its pass, from 1."""

    segment: int
    pass_number: int


def game_time(segments: int) -> str:
    """The clock after so many whole segments as mm:ss; 6 segments are a minute (CS-005)."""
    minutes, seconds = divmod(segments * SECONDS_A_SEGMENT, 60)
    return f"{minutes:02}:{seconds:02}"


def segments_of(seconds: Number) -> int:
    """The segments of a time in seconds, rounded up; at least 1 (CS-142)."""
    return max(1, ceil(Fraction(seconds) / SECONDS_A_SEGMENT))


def slots(segment: int, rate: Fraction | int = 1) -> int:
    """The number of Actions owed in a segment, counted from the combatant's first, from 1 (CS-006, CS-007)."""
    _check_rate(rate)
    if segment < 1:
        raise ValueError(f"unknown segment: {segment}; the first is 1")
    return owed_until(segment, rate) - owed_until(segment - 1, rate)


def owed_until(segment: int, rate: Fraction | int = 1) -> int:
    """The number of Actions owed up to the end of a segment (CS-007)."""
    return floor(segment * Fraction(rate))


def slots_needed(qa: Number) -> int:
    """The slots of an act of so many quarter-actions, rounded up (CS-149)."""
    return max(1, ceil(Fraction(qa) / QA_AN_ACTION))


def due_among(qa: Number, counts: Iterable[int], slots_spent: int = 0) -> Slot | None:
    """The slot that resolves an act, given the number of slots of each coming segment; None if not enough (CS-133).

    For segments whose number of Actions the GM has changed (CS-007), or whose rate changes on the way (CS-110).
    """
    slots_to_come = slots_needed(qa) + slots_spent
    for segment, count in enumerate(counts, 1):
        if slots_to_come <= count:
            return Slot(segment, slots_to_come)
        slots_to_come -= count
    return None


def _check_rate(rate: Fraction | int) -> None:
    if rate <= 0:
        raise ValueError(f"a Rate of Action must be above 0, not {rate}")


MultiActionOrder: TypeAlias = Literal["tiered_passes", "plain_passes", "countdown"]
"""The readings of the order of combatants with several Actions (A-01)."""

TieBreak: TypeAlias = Literal["AGL", "HRT", "GM"]


@frozen
class Entrant:
    """A combatant in the order of a segment; ties are broken by AGL, then HRT (CS-021, CS-024, CS-025, CS-007)."""

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
    """The Initiative of one segment, by the d10 and the modifiers (CS-020, CS-021, CS-032)."""
    if not 1 <= d10 <= 10:
        raise ValueError(f"not a d10 roll: {d10}; accepted: 1 to 10")
    parts = [Part("d10", d10, "CS-020"), Part("AWA modifier", awa, "CS-021"), Part("HRT modifier", hrt, "CS-021")]
    if stun:
        parts.append(Part("stunned by pain", -stun, "CS-032"))
    return Sum(tuple(parts))


def ties(entrants: Iterable[Entrant]) -> tuple[Tie, ...]:
    """The ties and what broke each, from the top: AGL, then HRT, then the GM (CS-024 to CS-026)."""
    ties: list[Tie] = []
    for level in _group_equals(entrants, lambda entrant: entrant.total):
        equal_agl = _group_equals(level, lambda entrant: entrant.agl)
        if len(equal_agl) > 1:
            ties.append(Tie(tuple(entrant.who for entrant in sorted(level, key=_before)), "AGL"))
        for alike in equal_agl:
            equal_hrt = _group_equals(alike, lambda entrant: entrant.hrt)
            if len(equal_hrt) > 1:
                ties.append(Tie(tuple(entrant.who for entrant in sorted(alike, key=_before)), "HRT"))
            ties.extend(Tie(tuple(entrant.who for entrant in same), "GM") for same in equal_hrt if len(same) > 1)
    return tuple(ties)


def roster(entrants: Iterable[Entrant], tie_order: Sequence[str] = ()) -> tuple[str, ...]:
    """All combatants, friends and foes, highest Initiative first, with the GM's order in ties (CS-022 to CS-027)."""
    places = {combatant_id: place for place, combatant_id in enumerate(tie_order)}
    in_order = sorted(entrants, key=lambda entrant: (*_before(entrant), places.get(entrant.who, len(places))))
    return tuple(entrant.who for entrant in in_order)


def passes(
    entrants: Iterable[Entrant], reading: MultiActionOrder = "tiered_passes", tie_order: Sequence[str] = ()
) -> tuple[Pass, ...]:
    """The passes of a segment with their combatants, in order (CS-028, CS-029, CS-095, CS-096).

    `tiered_passes` lets those with more Actions go first in each pass; `plain_passes` only uses Initiative; `countdown`
    runs the tiers from the most Actions down to 1 (A-01).
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


def _before(entrant: Entrant) -> tuple[int, int, int]:
    return (-entrant.total, -entrant.agl, -entrant.hrt)


def _group_equals(entrants: Iterable[Entrant], by: Callable[[Entrant], int]) -> list[list[Entrant]]:
    """Group equal entrants, highest first; within a group the order is kept."""
    return [list(same) for _, same in groupby(sorted(entrants, key=by, reverse=True), by)]


# Times of tasks, table 4-1, and pairs of acts that are one Action (CS-125 to CS-149, CS-390 to CS-392)


@frozen
class Component:
    """A line of table 4-1 (CS-130).

    `qa` is None if computed; `per` is the unit of that time, such as `limb`. `helper`: another person must do it.
    `in_passing`: it costs no distance while moving (CS-104, CS-105).
    """

    key: str
    label: str
    qa: int | None
    per: str = ""
    helper: bool = False
    in_passing: bool = False
    rule: str = "CS-130"


@frozen
class Effort:
    """One try at something: the DV of its check, 0 for none, and its length in quarter-actions."""

    dv: int
    qa: int


@frozen
class Small:
    """A smaller act combined with movement; it may be free: a turn, a rise, a drop, a draw, a grab (CS-104, CS-105)."""

    qa: int
    in_passing: bool = False


@frozen
class Tier:
    """Who tied a knot: STR score, and trade level as Huntsman, Woodsman, Guide or Mariner (else 0)."""

    strength: int
    trade_sl: int = 0

    def __str__(self) -> str:
        return f"{self.strength}/{self.trade_sl}" if self.trade_sl else str(self.strength)


@cache
def components() -> Mapping[str, Component]:
    """Table 4-1 by key, in the order printed (CS-130)."""
    return {
        numbers.text_of(row, "key"): Component(
            key=numbers.text_of(row, "key"),
            label=numbers.text_of(row, "label"),
            qa=None if numbers.flag_of(row, "formula") else numbers.whole_of(row, "qa"),
            per=numbers.text_of(row, "per"),
            helper=numbers.flag_of(row, "helper"),
            in_passing=numbers.flag_of(row, "in_passing"),
            rule=numbers.text_of(row, "rule") or "CS-130",
        )
        for row in numbers.rows("tasks")
    }


def whole_task(steps: Sequence[tuple[str, int]]) -> Sum:
    """The quarter-actions of a task by its steps (CS-125, CS-130)."""
    own_words = {name: Component(name, name, None, rule="CS-131") for name, _ in steps}
    parts_by_name = {**own_words, **components()}
    return Sum(tuple(Part(parts_by_name[name].label, qa, parts_by_name[name].rule) for name, qa in steps))


def doff(don_qa: int) -> int:
    """The quarter-actions of taking off: half of those of putting on, at least 1 (CS-134)."""
    return max(1, rhu(halve(don_qa)))


def taking_time(dv: Number, qa: int) -> Effort:
    """A task with double its time and half its DV (CS-129)."""
    return Effort(dv=rhu(halve(dv)), qa=2 * qa)


def halved_by_time(dv: Sum) -> Sum:
    """A DV with the part that double time subtracts (CS-129)."""
    return Sum((*dv.parts, Part("double time: halved", halve(dv.total) - dv.total, "CS-129")))


def rummage(others: int) -> int:
    """The quarter-actions of finding an object in a container: an Action for each other one, and one (CS-138, A-27)."""
    return QA_AN_ACTION * (others + 1)


def stringing(rating: int, strength: int, scale: Progressive = "triangular") -> Effort:
    """The work of stringing a bow; no check for STR at or above its rating (CS-139)."""
    if rating <= strength:
        return Effort(dv=0, qa=STRING_BOW_QA)
    return Effort(dv=prog(rating - strength, scale), qa=QA_AN_ACTION)


def untying(tier: Tier, *, strength: Number, crd: int) -> Sum:
    """The exact segments of untying a knot, perhaps 0 or below (CS-140)."""
    by_trade = tier.trade_sl > tier.strength
    tie_strength = Fraction(max(tier.strength, tier.trade_sl), 10)
    return Sum(
        (
            Part(f"tied by {'trade level' if by_trade else 'STR'} ÷ 10", tie_strength, "CS-140"),
            Part("untier's CRD modifier", -crd, "CS-140"),
            Part("untier's STR above the tier's", -max(0, strength - tier.strength), "CS-140"),
        )
    )


def untying_segments(exact: Sum) -> int:
    """The same as whole segments, at least 1 (A-26)."""
    return max(1, rhu(exact.total))


def distance_share(acts: Iterable[Small], partial: PartialMovesCost = "free") -> Fraction:
    """The share of the segment's distance left beside small acts, 0 to 1 (CS-144, CS-393, A-22, A-23)."""
    return max(Fraction(0), 1 - Fraction(distance_qa(acts, partial), QA_AN_ACTION))


def distance_qa(acts: Iterable[Small], partial: PartialMovesCost = "free") -> int:
    """The quarters of the segment's distance that small acts cost; for arguments see `distance_share`."""
    return sum(act.qa for act in acts if partial == "table_fraction" or not act.in_passing)


def distance_beside(feet: Number, acts: Iterable[Small], partial: PartialMovesCost = "free") -> int:
    """The feet left in a segment beside small acts (CS-144)."""
    return rhu(feet * distance_share(acts, partial))


@frozen
class ActionPair:
    """A listed pair, as printed; `half_rise`: only prone to kneeling, or kneeling to standing (CS-391)."""

    first: str
    second: str
    reversible: bool
    half_rise: bool


@cache
def listed_pairs() -> tuple[ActionPair, ...]:
    """All listed pairs, in alphabetical order (section 6.7)."""
    return tuple(
        ActionPair(
            first=numbers.text_of(row, "first"),
            second=numbers.text_of(row, "second"),
            reversible=numbers.flag_of(row, "reversible"),
            half_rise=numbers.flag_of(row, "half_rise"),
        )
        for row in numbers.rows("action_pairs")
    )


def find_pair(first: str, second: str) -> ActionPair | None:
    """The listed pair of two acts in this order, in any case; None if the GM decides (CS-390, CS-392)."""
    return _by_order().get((first.casefold(), second.casefold()))


@cache
def _by_order() -> Mapping[tuple[str, str], ActionPair]:
    pairs: dict[tuple[str, str], ActionPair] = {}
    for pair in listed_pairs():
        pairs[pair.first, pair.second] = pair
        if pair.reversible:
            pairs[pair.second, pair.first] = pair
    return pairs


# Surprise


@frozen
class Surprise:
    """The effect of a Surprise on one victim, in segments after the launch (CS-058, CS-060, CS-061, CS-062)."""

    degree: Degree
    segments: int = 0
    penalty: int = 0


UNSURPRISED = Surprise("none")


def surprise_dv(base: int, chm: Sequence[int], hrt: Sequence[int], mstas: Sequence[int]) -> Sum:
    """The difficulty of the victims' check against one or more plotters, by the best modifiers (CS-050, M-21)."""
    if not (chm and hrt and mstas):
        raise ValueError("a Surprise needs at least one plotter with CHM, HRT and modified STA")
    parts = (
        Part("awareness check before", base, "CS-050"),
        Part("best CHM modifier among the plotters", max(chm), "CS-050"),
        Part("best HRT modifier among the plotters", max(hrt), "CS-050"),
        Part("plotters", len(mstas), "CS-050"),
        Part(f"largest above STA {NEUTRAL_STA}", max(0, max(mstas) - NEUTRAL_STA), "CS-050"),
        Part(f"smallest below STA {NEUTRAL_STA}", -max(0, NEUTRAL_STA - min(mstas)), "CS-050"),
    )
    return Sum(parts)


def surprise_av(av: int, *, spirit_sl: int = 0, wary_trade_sl: int = 0) -> Sum:
    """The value with which a victim checks against Surprise; a trade counts for the wary (CS-049, CS-054)."""
    parts = [Part("Perception or AWA", av, "CS-041")]
    if spirit_sl:
        parts.append(Part("best Spirit skill", spirit_sl, "CS-049"))
    if wary_trade_sl:
        parts.append(Part("stated suspicion: trade level", wary_trade_sl, "CS-054"))
    return Sum(tuple(parts))


def ambush_surprise(aggressor: D100, victim: D100, tie: ContestedTie = "defender") -> Surprise | None:
    """The effect of an ambush on one victim; None if both rolls are to be made again (CS-055 to CS-060, A-17)."""
    if not aggressor.succeeded:
        return UNSURPRISED
    if not victim.succeeded:
        return overwhelming_surprise(aggressor.margin + victim.fail_margin)
    if victim.margin == aggressor.margin and tie == "reroll":
        return None
    if victim.margin > aggressor.margin or (victim.margin == aggressor.margin and tie == "defender"):
        return Surprise("ready")
    return Surprise("checked", segments=1)


def blunder_surprise(victim: D100) -> Surprise:
    """The effect of a simple roll against Surprise: a concealed trap, or a chance meeting.

    No other margin is added to the victim's (CS-045, CS-048, CS-059, A-18, A-21).
    """
    return UNSURPRISED if victim.succeeded else overwhelming_surprise(victim.fail_margin)


def duration(total: int) -> int:
    """The segments of being overwhelmed after the launch: a tenth of the total, at least 1 (CS-060)."""
    return max(1, rhu(halve(total) / 5))


def under_penalties(plain: Sum, *penalties: Part) -> Sum:
    """A value less flat penalties, at least 0; halving comes later (CS-061, CS-062, CS-613, A-56)."""
    total = plain
    for penalty in penalties:
        loss = min(penalty.value, max(0, total.total))
        if loss:
            total = Sum((*total.parts, Part(penalty.label, -loss, penalty.rule)))
    return total


def recovery_dv(failed_dv: int) -> int:
    """The DV of the HRT check at the end of the first stage: half the failed DV (CS-066)."""
    return rhu(halve(failed_dv))


def waning_segments(failed_dv: int) -> int:
    """The segments of the second stage: a tenth of the DV failed at first (CS-068, A-20)."""
    return rhu(halve(failed_dv) / 5)


def overwhelming_surprise(total: int) -> Surprise:
    """Being overwhelmed by a total of margins; at 0, as by a mechanism without a roll, one segment (CS-043, A-18)."""
    return Surprise("overwhelmed", duration(total), total)


@frozen
class Cycle:
    """The steps between two shots of a crossbow, in order, in quarter-actions (CS-396 to CS-401).

    `attach` is hooking up a tool within reach, `cock` one try, `disengage` taking a windlass off. `check` is the DV of
    the STR check to cock it; 0 for none.
    """

    key: str
    label: str
    attach: int
    cock: int
    disengage: int
    drop_tool: int
    take_bolt: int
    place_and_ready: int
    check: int


@cache
def cycles() -> Mapping[str, Cycle]:
    """Every cycle by its key (section 6.13)."""
    loading = numbers.table("crossbows").get("loading")
    if not isinstance(loading, dict):
        raise ValueError("tables/crossbows.toml: loading must be a table")
    steps = ("attach", "cock", "disengage", "drop_tool", "check")
    after = {name: numbers.whole_of(loading, name) for name in ("take_bolt", "place_and_ready")}
    return {
        key: Cycle(key, numbers.text_of(row, "label"), **after, **{name: numbers.whole_of(row, name) for name in steps})
        for row in numbers.rows("crossbows")
        for key in (numbers.text_of(row, "key"),)
    }
