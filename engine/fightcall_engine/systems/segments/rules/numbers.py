"""Rounding and halving (R-1, R-2), and sums with labelled parts."""

from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from fightcall_engine.model.values import frozen

Number: TypeAlias = Fraction | int
"""An exact number; never a float, as a half must stay exact until it is rounded."""


@lru_cache(4096)
def exact(value: float) -> Fraction:
    """Return a typed measure as a fraction, exact to a thousandth: 0.1 is a tenth, not the nearest binary number."""
    return Fraction(str(round(value, 3)))


def rhu(number: Number) -> int:
    """Return the nearest whole number; exact halves are rounded up (R-1)."""
    top, bottom = number.numerator, number.denominator
    return (2 * top + bottom) // (2 * bottom)


def simplify(number: Fraction) -> Number:
    """Return a whole number as an int, and any other unchanged."""
    return int(number) if number.denominator == 1 else number


def halve(number: Number, times: int = 1) -> Fraction:
    """Return a number halved `times` times, exact: rounding comes last and once (R-2).

    Args:
        number: what is halved.
        times: how often, 0 or more.

    Raises:
        ValueError: `times` is below zero.
    """
    if times < 0:
        raise ValueError(f"can't halve {times} times; use 0 or more")
    return Fraction(number) / (1 << times)


def ordinal(number: int) -> str:
    """Return an ordinal such as 2nd or 11th."""
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    return str(number) + {1: "st", 2: "nd", 3: "rd"}.get(last, "th")


@frozen
class Part:
    """One term of a sum.

    Attributes:
        label: its meaning, for the GM.
        value: what it adds.
        rule: the id of the rule it comes from.
    """

    label: str
    value: Fraction | int
    rule: str


@frozen
class Sum:
    """A number as the sum of its parts, in the order in which they are shown."""

    parts: tuple[Part, ...]

    @property
    def total(self) -> Fraction | int:
        """The exact total; it is rounded only where it is shown or rolled (R-2)."""
        return sum((part.value for part in self.parts), 0)
