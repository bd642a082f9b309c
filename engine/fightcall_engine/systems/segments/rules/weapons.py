"""Damage Bonus and Multiplier, arrow heads, the cycle of a crossbow (CS-395 to CS-401, CS-535 to CS-576)."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Literal, TypeAlias, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import tables
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum

WeightClass: TypeAlias = Literal[
    "below_light", "light", "medium_light", "medium", "medium_heavy", "heavy", "beyond_heavy"
]
"""Weight classes of weapons, from the lightest. Each reading of the columns leaves out one at the ends."""

WeightClassColumns: TypeAlias = Literal["lt_first", "lt_second"]
"""Which of the six columns is Light, as only five names are printed (A-11)."""

_CLASSES: tuple[WeightClass, ...] = get_args(WeightClass)


@frozen
class Looked:
    """A number from a table.

    Attributes:
        value: the number.
        printed: whether it is in the table, and not continued by its formula.
    """

    value: Number
    printed: bool = True


def column(weight: WeightClass, reading: WeightClassColumns = "lt_first") -> int:
    """Return the number of a weight class's column, from 0 (A-11).

    Args:
        weight: the weight class.
        reading: `lt_first` names the columns from the first and leaves the last without a name;
            `lt_second` leaves the first without.

    Raises:
        ValueError: the class has no column in this reading.
    """
    classes = _CLASSES[1:] if reading == "lt_first" else _CLASSES[:-1]
    if weight not in classes:
        raise ValueError(f"{weight} has no column with the reading {reading}; accepted: {', '.join(classes)}")
    return classes.index(weight)


def damage_bonus(size: Number, weight: WeightClass, reading: WeightClassColumns = "lt_first") -> Looked:
    """Return the Damage Bonus of a weapon (CS-535).

    Args:
        size: its Size in feet, 0 or more; above 20 the table is continued by its formula.
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
    """Return the Damage Multiplier of a weapon, whose product is added to the bearer's damage (option, CS-552).

    Args:
        size: its Size in feet, 0 or more; above 13 the table is continued by its formula.
        weight: its weight class.
        reading: which column is Light (A-11).

    Raises:
        ValueError: the Size is below 0, or the class has no column.
    """
    place = column(weight, reading)
    _check_size(size)
    if floor(size) > tables.whole_of(tables.table("damage_multiplier"), "last"):
        return Looked(multiplier_by_formula(size, place), printed=False)
    return Looked(next(row[place] for least, row in reversed(_multipliers()) if size >= least))


def bonus_by_formula(size: Number, place: int) -> int:
    """Return the Damage Bonus by the formula of the printed cells: Size ÷ 2, rounded up, plus the column from 0."""
    return ceil(Fraction(size) / 2) + place


def multiplier_by_formula(size: Number, place: int) -> Fraction:
    """Return the Damage Multiplier by the formula of the printed cells: (Size ÷ 2, rounded down, + column + 1) / 4."""
    return Fraction(floor(Fraction(size) / 2) + place + 1, 4)


def _check_size(size: Number) -> None:
    if size < 0:
        raise ValueError(f"a weapon can't have Size {size}; use 0 or more")


@cache
def _bonuses() -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple((int(size), tuple(map(int, row))) for size, row in _rows("damage_bonus", "bonus"))


@cache
def _multipliers() -> tuple[tuple[int, tuple[Fraction, ...]], ...]:
    return tuple((int(size), row) for size, row in _rows("damage_multiplier", "multiplier"))


def _rows(name: str, key: str) -> list[tuple[int, tuple[Fraction, ...]]]:
    weapons = []
    for row in tables.rows(name, "rows"):
        cells = row.get(key)
        if not isinstance(cells, list):
            raise ValueError(f"tables/{name}.toml: {key} must be a list of numbers, not {cells!r}")
        weapons.append((tables.whole_of(row, "size"), tuple(tables.number_of(cell, key) for cell in cells)))
    return weapons


@frozen
class ArrowHead:
    """A kind of arrow head.

    Attributes:
        key: its id.
        label: its name.
        db: what it adds to the POT of a shot (CS-542).
        pierces: whether it pierces armour within short range (CS-576, CS-577).
        sample: whether its numbers are samples that are not in the text.
        rule: its rule.
    """

    key: str
    label: str
    db: int = 0
    pierces: bool = False
    sample: bool = False
    rule: str = "CS-542"

    @property
    def called(self) -> str:
        """Its key in words, with a remark if it is a sample."""
        name = self.key.replace("_", " ")
        return f"{name} (a sample)" if self.sample else name


@cache
def arrow_heads() -> Mapping[str, ArrowHead]:
    """Return the engine's arrow heads, by key."""
    read = tuple(head_from(row) for row in tables.rows("arrow_heads"))
    return {arrow_head.key: arrow_head for arrow_head in read}


def head_from(row: Mapping[str, object]) -> ArrowHead:
    """Return an arrow head from its row.

    Raises:
        ValueError: a cell is invalid.
    """
    key = tables.text_of(row, "key")
    return ArrowHead(
        key,
        tables.text_of(row, "label") or key.replace("_", " "),
        tables.whole_of(row, "db") if "db" in row else 0,
        tables.flag_of(row, "pierces"),
        tables.flag_of(row, "sample"),
        tables.text_of(row, "rule") or "CS-542",
    )


@frozen
class Cycle:
    """The steps between two shots of a crossbow, in order, in quarter-actions (CS-396 to CS-401).

    Attributes:
        key: its id.
        label: the crossbow and what cocks it.
        attach: hooking up a tool within reach.
        cock: one try.
        disengage: taking a windlass off.
        drop_tool: dropping the tool, if that is not part of disengaging.
        take_bolt: taking a bolt from a quiver within reach.
        place_and_ready: placing the bolt; the shot is part of it.
        check: DV of the STR check to cock it; 0 for none.
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

    @property
    def cocking_qa(self) -> int:
        """Quarter-actions until it is cocked and the tool off."""
        return self.attach + self.cock + self.disengage

    @property
    def loading_qa(self) -> int:
        """Quarter-actions from there to the shot (CS-401)."""
        return self.drop_tool + self.take_bolt + self.place_and_ready

    @property
    def total_qa(self) -> int:
        """Quarter-actions of the whole cycle."""
        return self.cocking_qa + self.loading_qa


@cache
def cycles() -> Mapping[str, Cycle]:
    """Return every cycle by its key (section 6.13)."""
    loading = tables.table("crossbows").get("loading")
    if not isinstance(loading, dict):
        raise ValueError("tables/crossbows.toml: loading must be a table")
    read = tuple(_cycle(row, loading) for row in tables.rows("crossbows"))
    return {cycle.key: cycle for cycle in read}


def _cycle(row: Mapping[str, object], loading: Mapping[str, object]) -> Cycle:
    return Cycle(
        key=tables.text_of(row, "key"),
        label=tables.text_of(row, "label"),
        attach=tables.whole_of(row, "attach"),
        cock=tables.whole_of(row, "cock"),
        disengage=tables.whole_of(row, "disengage"),
        drop_tool=tables.whole_of(row, "drop_tool"),
        take_bolt=tables.whole_of(loading, "take_bolt"),
        place_and_ready=tables.whole_of(loading, "place_and_ready"),
        check=tables.whole_of(row, "check"),
    )


def stale_spring(days_cocked: int) -> Sum:
    """Return the loss of damage of a crossbow kept cocked: 1 a full day (CS-395)."""
    return Sum((Part("full days kept cocked", -max(0, days_cocked), "CS-395"),))
