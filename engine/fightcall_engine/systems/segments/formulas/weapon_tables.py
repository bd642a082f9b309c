"""Damage Bonus and Damage Multiplier of a weapon, by its Size and weight class (CS-535, CS-552, table 6-5)."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Literal, TypeAlias, get_args

from fightcall_engine.systems.segments.formulas import tabled
from fightcall_engine.systems.segments.formulas.rounding import Number

WeightClass: TypeAlias = Literal[
    "below_light", "light", "medium_light", "medium", "medium_heavy", "heavy", "beyond_heavy"
]
"""How heavy a weapon is for its Size, from the lightest. Either reading of the columns leaves one of the ends out."""

WeightClassColumns: TypeAlias = Literal["lt_first", "lt_second"]
"""Which of the six columns is Light: five names are printed (A-11)."""

_CLASSES: tuple[WeightClass, ...] = get_args(WeightClass)


@dataclass(frozen=True, slots=True)
class Looked:
    """A number from a table.

    Attributes:
        value: the number.
        printed: False where the table ends before it and its formula goes on.
    """

    value: Number
    printed: bool = True


def column(weight: WeightClass, reading: WeightClassColumns = "lt_first") -> int:
    """Return the number of a weight class's column, from 0 (A-11).

    Args:
        weight: how heavy the weapon is for its Size.
        reading: `lt_first` names the columns from the first on and leaves the last without a printed name;
            `lt_second` leaves the first without.

    Raises:
        ValueError: the class has no column in this reading.
    """
    named = _CLASSES[1:] if reading == "lt_first" else _CLASSES[:-1]
    if weight not in named:
        raise ValueError(f"{weight} has no column with the reading {reading}; {', '.join(named)} have")
    return named.index(weight)


def damage_bonus(size: Number, weight: WeightClass, reading: WeightClassColumns = "lt_first") -> Looked:
    """Return what a weapon adds to POT (CS-535).

    Args:
        size: its Size in feet, 0 or more; above 20 the table goes on by its formula.
        weight: its weight class.
        reading: which column is Light (A-11).

    Raises:
        ValueError: the Size is below 0, or the class has no column.
    """
    place = column(weight, reading)
    _check_size(size)
    for most, bonus in _bonuses():
        if size <= most:
            return Looked(bonus[place])
    return Looked(bonus_by_formula(size, place), printed=False)


def damage_multiplier(size: Number, weight: WeightClass, reading: WeightClassColumns = "lt_first") -> Looked:
    """Return by what a weapon multiplies the damage of its bearer, to be added to it (option, CS-552).

    Args:
        size: its Size in feet, 0 or more; above 13 the table goes on by its formula.
        weight: its weight class.
        reading: which column is Light (A-11).

    Raises:
        ValueError: the Size is below 0, or the class has no column.
    """
    place = column(weight, reading)
    _check_size(size)
    if floor(size) > tabled.whole_of(tabled.table("damage_multiplier"), "last"):
        return Looked(multiplier_by_formula(size, place), printed=False)
    return Looked(next(row[place] for least, row in reversed(_multipliers()) if size >= least))


def bonus_by_formula(size: Number, place: int) -> int:
    """Return the Damage Bonus as the printed cells follow it: Size ÷ 2, rounded up, and the column from 0."""
    return ceil(Fraction(size) / 2) + place


def multiplier_by_formula(size: Number, place: int) -> Fraction:
    """Return the Damage Multiplier as the printed cells follow it: 1/4 of (Size ÷ 2, rounded down, the column, 1)."""
    return Fraction(floor(Fraction(size) / 2) + place + 1, 4)


def _check_size(size: Number) -> None:
    if size < 0:
        raise ValueError(f"a weapon of Size {size}; 0 or more would do")


@cache
def _bonuses() -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple((int(size), tuple(map(int, row))) for size, row in _rows("damage_bonus", "bonus"))


@cache
def _multipliers() -> tuple[tuple[int, tuple[Fraction, ...]], ...]:
    return tuple((int(size), row) for size, row in _rows("damage_multiplier", "multiplier"))


def _rows(name: str, key: str) -> list[tuple[int, tuple[Fraction, ...]]]:
    found = []
    for row in tabled.rows(name, "rows"):
        cells = row.get(key)
        if not isinstance(cells, list):
            raise ValueError(f"tables/{name}.toml: {key} must be a list of numbers, not {cells!r}")
        found.append((tabled.whole_of(row, "size"), tuple(tabled.number_of(cell, key) for cell in cells)))
    return found
