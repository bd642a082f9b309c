"""Percentages, margins, the Progressive scale, and the tables of chances that a GM loads (R-3 to R-5, M-01 to M-03)."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen

Progressive: TypeAlias = Literal["triangular", "linear"] | tuple[int, ...]
"""The Progressive scale: by a formula, or the values for 1, 2, 3... one by one (M-03)."""

ContestedTie: TypeAlias = Literal["defender", "attacker", "reroll"]
"""Who wins when both succeed by the same margin (A-17)."""

Winner: TypeAlias = Literal["attacker", "defender", "nobody", "reroll"]


@frozen
class Check:
    """One d100 against a chance (R-3).

    Attributes:
        chance: the percentage, which may be outside 1 to 100.
        roll: 1 to 100, where 00 is 100.

    Raises:
        ValueError: the roll is not a d100's.
    """

    chance: int
    roll: int

    def __post_init__(self) -> None:
        if not 1 <= self.roll <= 100:
            raise ValueError(f"not a d100 roll: {self.roll}; accepted: 1 to 100, 00 for 100")

    @property
    def succeeded(self) -> bool:
        """Whether the roll is at most the chance."""
        return self.roll <= self.chance

    @property
    def margin(self) -> int:
        """The margin of success, 0 or more; 0 for a failure."""
        return max(0, self.chance - self.roll)

    @property
    def fail_margin(self) -> int:
        """The margin of failure, 1 or more; 0 for a success."""
        return max(0, self.roll - self.chance)


def prog(count: int, scale: Progressive = "triangular") -> int:
    """Return the Progressive value of a count: 1, 3, 6, 10... unless the GM uses another scale (R-4).

    Args:
        count: whole points, feet, items or pounds; 0 and below have the value 0.
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
        raise ValueError(f"the Progressive scale has {len(scale)} values; this needs value {count}")
    return scale[count - 1]


def read_scale(text: str) -> tuple[int, ...]:
    """Return the GM's own Progressive scale: whole numbers for 1, 2, 3..., separated by blanks or commas (M-03).

    Raises:
        ValueError: it is not one.
    """
    try:
        return tuple(int(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise ValueError(f"{text!r} is not a Progressive scale; use whole numbers such as 1 2 4 7") from None


def linear_chance(av: int, dv: int, *, base: int = 50, step: int = 1, lowest: int = 1, highest: int = 99) -> int:
    """Return a percentage in proportion to AV - DV, without a table (reading `linear` of M-01).

    Args:
        av: the acting side's value, in points.
        dv: the difficulty, in points.
        base: the percentage at AV = DV.
        step: percent for each point of difference.
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

    The only one to succeed wins; of two, the one with the larger margin, or by `tie` if equal (A-17).
    If both fail nobody wins, unless the rule of the contest says otherwise.
    """
    if not attacker.succeeded and not defender.succeeded:
        return "nobody"
    if attacker.succeeded != defender.succeeded:
        return "attacker" if attacker.succeeded else "defender"
    if attacker.margin == defender.margin:
        return tie
    return "attacker" if attacker.margin > defender.margin else "defender"


_BY_BOTH = ("av", "dv", "chance")

_BY_DIFFERENCE = ("difference", "chance")


@frozen
class ChanceTable:
    """Percentages by AV and DV, or by their difference.

    Attributes:
        by_both: the percentage of each (AV, DV).
        by_difference: the percentage of each AV - DV.
    """

    by_both: Mapping[tuple[int, int], int] = field(default_factory=dict)
    by_difference: Mapping[int, int] = field(default_factory=dict)

    def chance(self, av: int, dv: int) -> int | None:
        """Return the percentage; None if the table has none, so that the GM is asked."""
        number = self.by_both.get((av, dv))
        return self.by_difference.get(av - dv) if number is None else number


def read_chances(text: str) -> ChanceTable:
    """Return the table in a CSV text headed `AV,DV,chance` or `difference,chance`.

    Raises:
        ValueError: another heading, or an invalid line; the message has its number and what is accepted.
    """
    try:
        rows = list(enumerate(csv.reader(text.splitlines()), 1))
    except csv.Error as error:
        raise ValueError(f"not CSV: {error}") from error
    lines = [(number, row) for number, row in rows if any(map(str.strip, row))]
    heading = tuple(cell.strip().lower() for cell in lines[0][1]) if lines else ()
    if heading not in (_BY_BOTH, _BY_DIFFERENCE):
        raise ValueError("line 1: use the heading AV,DV,chance or difference,chance")
    chances: dict[tuple[int, ...], int] = {}
    for number, row in lines[1:]:
        *key, chance = _numbers(number, row, heading)
        if tuple(key) in chances:
            raise ValueError(f"line {number}: {','.join(map(str, key))} already has a chance; use one line each")
        if not 0 <= chance <= 100:
            raise ValueError(f"line {number}: {chance} is not a percentage; use 0 to 100")
        chances[tuple(key)] = chance
    if heading == _BY_BOTH:
        return ChanceTable(by_both={(key[0], key[1]): chance for key, chance in chances.items()})
    return ChanceTable(by_difference={key[0]: chance for key, chance in chances.items()})


def _numbers(number: int, row: Iterable[str], heading: tuple[str, ...]) -> list[int]:
    cells = [cell.strip() for cell in row]
    try:
        numbers = [int(cell) for cell in cells]
    except ValueError:
        numbers = []
    if len(numbers) != len(heading):
        raise ValueError(f"line {number}: expected whole numbers for {', '.join(heading)}")
    return numbers
