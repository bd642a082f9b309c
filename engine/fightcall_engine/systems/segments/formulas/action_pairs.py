"""Two acts that make one Action: the listed pairs (CS-390 to CS-392)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from fightcall_engine.systems.segments.formulas import tabled


@dataclass(frozen=True, slots=True)
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
            first=tabled.text_of(row, "first"),
            second=tabled.text_of(row, "second"),
            reversible=tabled.flag_of(row, "reversible"),
            half_rise=tabled.flag_of(row, "half_rise"),
        )
        for row in tabled.rows("action_pairs")
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
    found: dict[tuple[str, str], ActionPair] = {}
    for pair in listed_pairs():
        found[pair.first, pair.second] = pair
        if pair.reversible:
            found[pair.second, pair.first] = pair
    return found
