"""Times of tasks, table 4-1, and pairs of acts that are one Action (CS-125 to CS-149, CS-390 to CS-392)."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Progressive, Sum, halve, prog, rhu

PartialMovesCost: TypeAlias = Literal["free", "table_fraction"]
"""Whether a turn, a rise or a draw in passing costs distance (A-22)."""

STRING_BOW_QA = 2


@frozen
class Component:
    """A line of table 4-1 (CS-130).

    Attributes:
        key: its id.
        label: its name.
        qa: quarter-actions; None if computed.
        per: the unit of that time, such as `limb`; empty for the whole act.
        helper: whether another person must do it.
        in_passing: whether it costs no distance while moving (CS-104, CS-105).
        rule: its rule.
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
    """One try at something.

    Attributes:
        dv: the DV of its check; 0 for none.
        qa: its length in quarter-actions.
    """

    dv: int
    qa: int


@frozen
class Small:
    """A smaller act combined with movement.

    Attributes:
        qa: its length in quarter-actions.
        in_passing: whether it may be free: a turn, a rise, a drop, a draw, a grab (CS-104, CS-105).
    """

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
    """Return table 4-1 by key, in the order printed (CS-130)."""
    read = tuple(_component(row) for row in numbers.rows("tasks"))
    return {component.key: component for component in read}


def _component(row: Mapping[str, object]) -> Component:
    return Component(
        key=numbers.text_of(row, "key"),
        label=numbers.text_of(row, "label"),
        qa=None if numbers.flag_of(row, "formula") else numbers.whole_of(row, "qa"),
        per=numbers.text_of(row, "per"),
        helper=numbers.flag_of(row, "helper"),
        in_passing=numbers.flag_of(row, "in_passing"),
        rule=numbers.text_of(row, "rule") or "CS-130",
    )


def whole_task(steps: Sequence[tuple[str, int]]) -> Sum:
    """Return the quarter-actions of a task by its steps (CS-125, CS-130).

    Args:
        steps: keys of table 4-1 or the GM's own words, with their quarter-actions (CS-131).
    """
    own_words = {name: Component(name, name, None, rule="CS-131") for name, _ in steps}
    parts_by_name = {**own_words, **components()}
    return Sum(tuple(Part(parts_by_name[name].label, qa, parts_by_name[name].rule) for name, qa in steps))


def doff(don_qa: int) -> int:
    """Return the quarter-actions of taking off: half of those of putting on, at least 1 (CS-134)."""
    return max(1, rhu(halve(don_qa)))


def taking_time(dv: Number, qa: int) -> Effort:
    """Return a task with double its time and half its DV (CS-129)."""
    return Effort(dv=rhu(halve(dv)), qa=2 * qa)


def halved_by_time(dv: Sum) -> Sum:
    """Return a DV with the part that double time subtracts (CS-129)."""
    return Sum((*dv.parts, Part("double time: halved", halve(dv.total) - dv.total, "CS-129")))


def rummage(others: int) -> int:
    """Return the quarter-actions of finding an object in a container: an Action each, and one (CS-138, A-27).

    Args:
        others: objects in the container; 0 if the wanted one is on top alone.
    """
    return QA_AN_ACTION * (others + 1)


def stringing(rating: int, strength: int, scale: Progressive = "triangular") -> Effort:
    """Return the work of stringing a bow (CS-139).

    Args:
        rating: the bow's STR rating.
        strength: the archer's STR; at or above the rating there is no check.
        scale: the Progressive scale in use (R-4).
    """
    if rating <= strength:
        return Effort(dv=0, qa=STRING_BOW_QA)
    return Effort(dv=prog(rating - strength, scale), qa=QA_AN_ACTION)


def untying(tier: Tier, *, strength: Number, crd: int) -> Sum:
    """Return the exact segments of untying a knot, perhaps 0 or below (CS-140).

    Args:
        tier: who tied it.
        strength: effective STR of the one who unties it.
        crd: Coordination modifier of the one who unties it.
    """
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
    """Return the same as whole segments, at least 1 (A-26)."""
    return max(1, rhu(exact.total))


def distance_share(acts: Iterable[Small], partial: PartialMovesCost = "free") -> Fraction:
    """Return the share of the segment's distance left beside small acts, 0 to 1 (CS-144, CS-393, A-23).

    Args:
        acts: the acts beside moving; each quarter-action costs a quarter.
        partial: whether those in passing are `free`, or cost their `table_fraction` (A-22).
    """
    return max(Fraction(0), 1 - Fraction(distance_qa(acts, partial), QA_AN_ACTION))


def distance_qa(acts: Iterable[Small], partial: PartialMovesCost = "free") -> int:
    """Return the quarters of the segment's distance that small acts cost; for arguments see `distance_share`."""
    return sum(act.qa for act in acts if partial == "table_fraction" or not act.in_passing)


def distance_beside(feet: Number, acts: Iterable[Small], partial: PartialMovesCost = "free") -> int:
    """Return the feet left in a segment beside small acts (CS-144).

    Args:
        feet: the distance of the whole segment.
        acts: the acts beside moving.
        partial: as for `distance_share`.
    """
    return rhu(feet * distance_share(acts, partial))


@frozen
class ActionPair:
    """A listed pair.

    Attributes:
        first: the first act, as printed, such as `turn`.
        second: the second act.
        reversible: whether the order may be reversed.
        half_rise: whether it allows only half a rise: prone to kneeling, or kneeling to standing (CS-391).
    """

    first: str
    second: str
    reversible: bool
    half_rise: bool


@cache
def listed_pairs() -> tuple[ActionPair, ...]:
    """Return all listed pairs, in alphabetical order (section 6.7)."""
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
    """Return the listed pair of two acts in this order; None if the GM decides (CS-390, CS-392).

    Args:
        first: the first act, in upper or lower case.
        second: the second act.
    """
    return _by_order().get((first.casefold(), second.casefold()))


@cache
def _by_order() -> Mapping[tuple[str, str], ActionPair]:
    pairs: dict[tuple[str, str], ActionPair] = {}
    for pair in listed_pairs():
        pairs[pair.first, pair.second] = pair
        if pair.reversible:
            pairs[pair.second, pair.first] = pair
    return pairs
