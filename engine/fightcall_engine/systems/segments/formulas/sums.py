"""A number together with what it is made of, for the GM who asks why."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Part:
    """One term of a sum.

    Attributes:
        label: what it stands for, as a GM reads it.
        value: what it adds; below 0 what it takes away.
        rule: the id of the rule it comes from.
    """

    label: str
    value: Fraction | int
    rule: str


@dataclass(frozen=True, slots=True)
class Sum:
    """The terms of a number, in the order in which they are read out."""

    parts: tuple[Part, ...]

    @property
    def total(self) -> Fraction | int:
        """All parts together, exact; rounded only where it is shown or rolled against (R-2)."""
        return sum((part.value for part in self.parts), 0)
