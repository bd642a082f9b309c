"""Tackling and overbearing, alone or together (CS-467 to CS-470, CS-702)."""

from collections.abc import Sequence
from dataclasses import dataclass

from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.sums import Part, Sum


@dataclass(frozen=True, slots=True)
class Tackler:
    """One who tackles or is tackled.

    Attributes:
        av: his value of body against body, from `body_checks.base_av`.
        mph: his speed.
        name: for the parts of the sum.
        parts: what `av` is made of, where that is known.
    """

    av: Number
    mph: Number = 0
    name: str = ""
    parts: tuple[Part, ...] = ()

    def body(self, rule: str) -> tuple[Part, ...]:
        """The value as the parts of a sum."""
        known = self.parts or (Part("body", self.av, rule),)
        return tuple(Part(_of(self, part.label), part.value, part.rule) for part in known)


@dataclass(frozen=True, slots=True)
class Tackle:
    """The two values of the Contested Roll."""

    attackers: Sum
    target: Sum


def may_tackle(full_rate_before: bool, from_height: bool = False) -> bool:
    """Tell whether somebody may tackle: after a movement phase at full rate, or from above (CS-467, CS-702)."""
    return full_rate_before or from_height


def tackle(attackers: Sequence[Tackler], target: Tackler, *, overbearing: bool = False) -> Tackle:
    """Return the values of a tackle by one or several (CS-468, CS-469).

    Each who is faster than the target adds the difference. The target adds what he is faster than all of them by.

    Args:
        attackers: all who tackle together.
        target: whom they would bring down.
        overbearing: the target is still or nearly so, and speed does not count (CS-470).

    Raises:
        ValueError: nobody tackles.
    """
    if not attackers:
        raise ValueError("a tackle needs at least one attacker")
    rule = "CS-469" if len(attackers) > 1 else "CS-468"
    ours: list[Part] = []
    for tackler in attackers:
        ours += tackler.body(rule)
        if tackler.mph > target.mph and not overbearing:
            ours.append(Part(_of(tackler, "mph faster than the target"), tackler.mph - target.mph, "CS-468"))
    theirs = [*target.body("CS-468")]
    fastest = max(tackler.mph for tackler in attackers)
    if target.mph > fastest and not overbearing:
        theirs.append(Part(_of(target, "mph faster than they"), target.mph - fastest, "CS-468"))
    return Tackle(Sum(tuple(ours)), Sum(tuple(theirs)))


def _of(tackler: Tackler, what: str) -> str:
    return f"{tackler.name}: {what}" if tackler.name else what
