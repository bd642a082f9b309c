"""How long things take, table 4-1, and two acts that make one Action (CS-125 to CS-149, CS-390 to CS-392)."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import tables
from fightcall_engine.systems.segments.rules.checks import Progressive, prog
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum, halve, rhu

PartialMovesCost: TypeAlias = Literal["free", "table_fraction"]
"""Whether a turn, a rise or a draw in passing takes from the distance of the segment (A-22)."""

STRING_BOW_QA = 2


@frozen
class Component:
    """A line of table 4-1 (CS-130).

    Attributes:
        key: its id.
        label: what is done.
        qa: quarter-actions; None where a formula gives them.
        per: of what that is the time, such as `limb`; empty for the whole act.
        helper: another person must do it.
        in_passing: it costs no distance when done on the move (CS-104, CS-105).
        rule: the rule that says more.
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
        dv: the difficulty of its check; 0 where none is asked.
        qa: how long the try takes, in quarter-actions.
    """

    dv: int
    qa: int


@frozen
class Small:
    """A smaller act combined with movement.

    Attributes:
        qa: its length in quarter-actions.
        in_passing: one of those that may be free: a turn, a rise, a drop, a draw, a grab (CS-104, CS-105).
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
    read = tuple(_component(row) for row in tables.rows("tasks"))
    return {component.key: component for component in read}


def _component(row: Mapping[str, object]) -> Component:
    return Component(
        key=tables.text_of(row, "key"),
        label=tables.text_of(row, "label"),
        qa=None if tables.flag_of(row, "formula") else tables.whole_of(row, "qa"),
        per=tables.text_of(row, "per"),
        helper=tables.flag_of(row, "helper"),
        in_passing=tables.flag_of(row, "in_passing"),
        rule=tables.text_of(row, "rule") or "CS-130",
    )


def whole_task(steps: Sequence[tuple[str, int]]) -> Sum:
    """Return the quarter-actions of a goal that is broken down into steps, one after the other (CS-125, CS-130).

    Args:
        steps: what is done, as a key of table 4-1 or in the GM's own words, and its quarter-actions (CS-131).
    """
    own_words = {name: Component(name, name, None, rule="CS-131") for name, _ in steps}
    parts_by_name = {**own_words, **components()}
    return Sum(tuple(Part(parts_by_name[name].label, qa, parts_by_name[name].rule) for name, qa in steps))


def doff(don_qa: int) -> int:
    """Return the quarter-actions of taking off what takes `don_qa` to put on: half, at least 1 (CS-134)."""
    return max(1, rhu(halve(don_qa)))


def taking_time(dv: Number, qa: int) -> Effort:
    """Return what a task becomes when it is given double its time: half as difficult (CS-129)."""
    return Effort(dv=rhu(halve(dv)), qa=2 * qa)


def halved_by_time(dv: Sum) -> Sum:
    """Return a difficulty together with what twice the time takes off it (CS-129)."""
    return Sum((*dv.parts, Part("double time: halved", halve(dv.total) - dv.total, "CS-129")))


def rummage(others: int) -> int:
    """Return the quarter-actions of finding something in a container: an Action each object, and one (CS-138, A-27).

    Args:
        others: objects in the container; 0 when what is wanted lies on top alone.
    """
    return QA_AN_ACTION * (others + 1)


def stringing(rating: int, strength: int, scale: Progressive = "triangular") -> Effort:
    """Return what stringing a bow takes (CS-139).

    Args:
        rating: the bow's STR rating.
        strength: the archer's own STR; at or above the rating no check is asked.
        scale: the Progressive scale in use (R-4).
    """
    if rating <= strength:
        return Effort(dv=0, qa=STRING_BOW_QA)
    return Effort(dv=prog(rating - strength, scale), qa=QA_AN_ACTION)


def untying(tier: Tier, *, strength: Number, crd: int) -> Sum:
    """Return the segments that untying a knot takes, exact; it may come out at 0 or below (CS-140).

    Args:
        tier: who tied it.
        strength: effective STR of the one who unties it.
        crd: his Coordination modifier.
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
    """Return that as whole segments, at least 1 (A-26)."""
    return max(1, rhu(exact.total))


def distance_share(acts: Iterable[Small], partial: PartialMovesCost = "free") -> Fraction:
    """Return how much of the segment's distance is left beside smaller acts, 0 to 1 (CS-144, CS-393, A-23).

    Args:
        acts: what is done on the way; a quarter-action takes a quarter, and they add.
        partial: `free` lets those done in passing cost nothing; `table_fraction` charges them too (A-22).
    """
    return max(Fraction(0), 1 - Fraction(distance_qa(acts, partial), QA_AN_ACTION))


def distance_qa(acts: Iterable[Small], partial: PartialMovesCost = "free") -> int:
    """Return the quarters of the segment's distance that smaller acts take; the arguments as for `distance_share`."""
    return sum(act.qa for act in acts if partial == "table_fraction" or not act.in_passing)


def distance_beside(feet: Number, acts: Iterable[Small], partial: PartialMovesCost = "free") -> int:
    """Return the feet somebody may still cover in a segment beside smaller acts (CS-144).

    Args:
        feet: the distance of the whole segment.
        acts: what is done on the way.
        partial: as for `distance_share`.
    """
    return rhu(feet * distance_share(acts, partial))


@frozen
class ActionPair:
    """A listed pair.

    Attributes:
        first: what comes first, as printed, such as `turn`.
        second: what follows.
        reversible: it may go the other way round too.
        half_rise: it allows only half a rise: prone to kneeling, or kneeling to standing (CS-391).
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
            first=tables.text_of(row, "first"),
            second=tables.text_of(row, "second"),
            reversible=tables.flag_of(row, "reversible"),
            half_rise=tables.flag_of(row, "half_rise"),
        )
        for row in tables.rows("action_pairs")
    )


def find_pair(first: str, second: str) -> ActionPair | None:
    """Return the listed pair that lets two acts be one Action in this order; None leaves it to the GM (CS-390, CS-392).

    Args:
        first: what comes first, in any case.
        second: what follows.
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
