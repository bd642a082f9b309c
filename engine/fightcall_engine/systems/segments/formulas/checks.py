"""Percentages, margins and the Progressive scale (R-3 to R-5, M-01 to M-03)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Progressive: TypeAlias = Literal["triangular", "linear"] | tuple[int, ...]
"""The Progressive scale: by a formula, or the values for 1, 2, 3... one by one (M-03)."""

ContestedTie: TypeAlias = Literal["defender", "attacker", "reroll"]
"""Who wins when both succeed by the same margin (A-17)."""

Winner: TypeAlias = Literal["attacker", "defender", "nobody", "reroll"]


@dataclass(frozen=True, slots=True)
class Check:
    """One d100 against a chance (R-3).

    Attributes:
        chance: the percentage; it may lie outside 1 to 100.
        roll: 1 to 100, where 00 is 100.

    Raises:
        ValueError: the roll is none of a d100.
    """

    chance: int
    roll: int

    def __post_init__(self) -> None:
        if not 1 <= self.roll <= 100:
            raise ValueError(f"{self.roll} is no roll of a d100; 1 to 100 are, 00 is 100")

    @property
    def succeeded(self) -> bool:
        """True when the roll is at most the chance."""
        return self.roll <= self.chance

    @property
    def margin(self) -> int:
        """By how much it succeeded, 0 or more; 0 for a failure too."""
        return max(0, self.chance - self.roll)

    @property
    def fail_margin(self) -> int:
        """By how much it failed, 1 or more; 0 for a success."""
        return max(0, self.roll - self.chance)


def prog(count: int, scale: Progressive = "triangular") -> int:
    """Return the Progressive value of a count: 1, 3, 6, 10... unless the GM uses another scale (R-4).

    Args:
        count: points, feet, items or pounds, whole; 0 and below are worth nothing.
        scale: `linear` is the count itself; a tuple holds the values for 1, 2, 3...

    Raises:
        ValueError: the GM's own scale ends before the count.
    """
    if count <= 0:
        return 0
    if scale == "triangular":
        return count * (count + 1) // 2
    if scale == "linear":
        return count
    if count > len(scale):
        raise ValueError(f"the Progressive scale ends at {len(scale)}; it needs a value for {count}")
    return scale[count - 1]


def read_scale(text: str) -> tuple[int, ...]:
    """Return the GM's own Progressive scale: whole numbers for 1, 2, 3..., parted by blanks or commas (M-03).

    Raises:
        ValueError: it is something else.
    """
    try:
        return tuple(int(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise ValueError(f"{text!r} is no Progressive scale; whole numbers such as 1 2 4 7 are") from None


def linear_chance(av: int, dv: int, *, base: int = 50, step: int = 1, lowest: int = 1, highest: int = 99) -> int:
    """Return a percentage in proportion to AV - DV, where a table plays no part (reading `linear` of M-01).

    Args:
        av: the acting side's value, in points.
        dv: the difficulty, in points.
        base: the percentage at AV = DV.
        step: percent for a point of difference.
        lowest: the least percentage.
        highest: the greatest percentage.

    Raises:
        ValueError: `lowest` is above `highest`.
    """
    if lowest > highest:
        raise ValueError(f"the lowest chance, {lowest}, is above the highest, {highest}")
    return max(lowest, min(highest, base + step * (av - dv)))


def contest(attacker: Check, defender: Check, tie: ContestedTie = "defender") -> Winner:
    """Return who wins a Contested Roll (M-02).

    The only one to succeed wins; of two who succeed the one with the larger margin, on a tie as `tie` says (A-17).
    Where both fail nobody wins, unless the rule that asked says otherwise.
    """
    if not attacker.succeeded and not defender.succeeded:
        return "nobody"
    if attacker.succeeded != defender.succeeded:
        return "attacker" if attacker.succeeded else "defender"
    if attacker.margin == defender.margin:
        return tie
    return "attacker" if attacker.margin > defender.margin else "defender"
