"""Damage Bonus, arrow heads, crossbows, what armour takes and its wear (CS-395 to CS-401, CS-535 to CS-597)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum, rhu

WeightClass: TypeAlias = Literal[
    "below_light", "light", "medium_light", "medium", "medium_heavy", "heavy", "beyond_heavy"
]
"""Weight classes of weapons, from the lightest. Each reading of the columns leaves out one at the ends."""

WeightClassColumns: TypeAlias = Literal["lt_first", "lt_second"]
"""Which of the six columns is Light, as only five names are printed (A-11)."""

_CLASSES: tuple[WeightClass, ...] = get_args(WeightClass)
Family: TypeAlias = Literal["padded", "mail", "plate", "cuerbully", "other", "shield"]
Grade: TypeAlias = Literal["strong", "proof"]


@frozen
class Looked:
    """A number from a table; not `printed` if it is continued by its formula."""

    value: Number
    printed: bool = True


def column(weight: WeightClass, reading: WeightClassColumns = "lt_first") -> int:
    """The number of a weight class's column, from 0; ValueError if this reading has none for it (A-11)."""
    classes = _CLASSES[1:] if reading == "lt_first" else _CLASSES[:-1]
    if weight not in classes:
        raise ValueError(f"{weight} has no column with the reading {reading}; accepted: {', '.join(classes)}")
    return classes.index(weight)


def damage_bonus(size: Number, weight: WeightClass, reading: WeightClassColumns = "lt_first") -> Looked:
    """The Damage Bonus of a weapon; for a Size above 20 ft the table is continued by its formula (CS-535, A-11)."""
    place = column(weight, reading)
    _check_size(size)
    for most, bonus in _bonuses():
        if size <= most:
            return Looked(bonus[place])
    return Looked(bonus_by_formula(size, place), printed=False)


def damage_multiplier(size: Number, weight: WeightClass, reading: WeightClassColumns = "lt_first") -> Looked:
    """The Damage Multiplier of a weapon; above Size 13 ft the table is continued by its formula (CS-552, A-11)."""
    place = column(weight, reading)
    _check_size(size)
    if floor(size) > numbers.whole_of(numbers.table("damage_multiplier"), "last"):
        return Looked(multiplier_by_formula(size, place), printed=False)
    return Looked(next(row[place] for least, row in reversed(_multipliers()) if size >= least))


def bonus_by_formula(size: Number, place: int) -> int:
    """The Damage Bonus by the formula of the printed cells: Size ÷ 2, rounded up, plus the column from 0."""
    return ceil(Fraction(size) / 2) + place


def multiplier_by_formula(size: Number, place: int) -> Fraction:
    """The Damage Multiplier by the formula of the printed cells: (Size ÷ 2, rounded down, + column + 1) / 4."""
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
    for row in numbers.rows(name, "rows"):
        cells = row.get(key)
        if not isinstance(cells, list):
            raise ValueError(f"tables/{name}.toml: {key} must be a list of numbers, not {cells!r}")
        weapons.append((numbers.whole_of(row, "size"), tuple(numbers.number_of(cell, key) for cell in cells)))
    return weapons


@frozen
class ArrowHead:
    """A kind of arrow head: what it adds to the POT, and whether it pierces in short range (CS-542, CS-576, CS-577)."""

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
    """The engine's arrow heads, by key."""
    read = tuple(head_from(row) for row in numbers.rows("arrow_heads"))
    return {arrow_head.key: arrow_head for arrow_head in read}


def head_from(row: Mapping[str, object]) -> ArrowHead:
    """An arrow head from its row; ValueError for an invalid cell."""
    key = numbers.text_of(row, "key")
    return ArrowHead(
        key,
        numbers.text_of(row, "label") or key.replace("_", " "),
        numbers.whole_of(row, "db") if "db" in row else 0,
        numbers.flag_of(row, "pierces"),
        numbers.flag_of(row, "sample"),
        numbers.text_of(row, "rule") or "CS-542",
    )


@frozen
class Cycle:
    """The steps between two shots of a crossbow, in order, in quarter-actions (CS-396 to CS-401).

    `attach` is hooking up a tool within reach, `cock` one try, `disengage` taking a windlass off. `check` is the DV of
    the STR check to cock it; 0 for none.
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
    """Every cycle by its key (section 6.13)."""
    loading = numbers.table("crossbows").get("loading")
    if not isinstance(loading, dict):
        raise ValueError("tables/crossbows.toml: loading must be a table")
    read = tuple(_cycle(row, loading) for row in numbers.rows("crossbows"))
    return {cycle.key: cycle for cycle in read}


def _cycle(row: Mapping[str, object], loading: Mapping[str, object]) -> Cycle:
    return Cycle(
        key=numbers.text_of(row, "key"),
        label=numbers.text_of(row, "label"),
        attach=numbers.whole_of(row, "attach"),
        cock=numbers.whole_of(row, "cock"),
        disengage=numbers.whole_of(row, "disengage"),
        drop_tool=numbers.whole_of(row, "drop_tool"),
        take_bolt=numbers.whole_of(loading, "take_bolt"),
        place_and_ready=numbers.whole_of(loading, "place_and_ready"),
        check=numbers.whole_of(row, "check"),
    )


def stale_spring(days_cocked: int) -> Sum:
    """The loss of damage of a crossbow kept cocked: 1 a full day (CS-395)."""
    return Sum((Part("full days kept cocked", -max(0, days_cocked), "CS-395"),))


# Blows against armour


@frozen
class Layer:
    """A layer of armour as it is now, or a shield in the way.

    `family` decides about Thrusts and piercing missiles. `dr` is the first figure of a type such as 10/40, `wear` the
    second, from which wear comes off first (CS-582). `slash` is the share of a Slash that it takes (CS-591). One
    without a grade counts as Strong (M-17).
    """

    name: str
    family: Family
    dr: int
    wear: int | None = None
    slash: Fraction = Fraction(1)
    grade: Grade | None = None

    def worth(self, wearing: bool) -> int:
        """The present DR (CS-570, CS-582); `wearing` is the option `armour_wear`."""
        return self.dr if self.wear is None or not wearing else min(self.dr, self.wear)

    def less(self, points: int, wearing: bool) -> "Layer":
        """The layer after losing points of its second figure if that is in use, else of its DR."""
        if self.wear is None or not wearing:
            return replace(self, dr=max(0, self.dr - points))
        return replace(self, wear=max(0, self.wear - points))


@frozen
class Worn:
    """What a blow did to a layer, counted from 0 for the outermost: points lost and left; at 0 it is gone (CS-584)."""

    place: int
    name: str
    lost: int
    left: int


@frozen
class Met:
    """A blow that has met armour: POT through, all layers after it, outermost first, and their wear.

    `breached`: it met no layer or pierced all; otherwise the Wound Threshold counts (CS-603, A-13).
    """

    sum: Sum
    layers: tuple[Layer, ...]
    worn: tuple[Worn, ...]
    met: bool
    breached: bool

    @property
    def through(self) -> int:
        """POT that got through, 0 or more."""
        return int(self.sum.total)


def common_strike(layers: Sequence[Layer], pot: int, wear: int | None = None) -> Met:
    """A common blow after all layers, outermost first, have taken their DR (CS-570, CS-571, CS-580, CS-581, CS-585).

    `wear` comes off the outermost layer left after the blow met it; any excess is lost (A-31).
    """
    return _meet(layers, pot, _never, wear)


def thrust(layers: Sequence[Layer], pot: int, wear: int | None = None) -> Met:
    """A Thrust after all layers: it pierces padded and mail, others take their DR (CS-574, CS-575, A-29).

    A pierced layer takes 1 from the POT and loses 1; with wear that comes off the second figure, as for a Slash. The
    weapon's own wear only affects the outermost layer if that was not pierced.
    """
    return _meet(layers, pot, _is_soft, wear, lambda layer: ("a Thrust doesn't pass it", "CS-575"))


def piercing_missile(
    layers: Sequence[Layer],
    pot: int,
    *,
    in_short: bool,
    graded: bool = False,
    wear: int | None = None,
) -> Met:
    """The hit of a bodkin arrow or a heavy crossbow bolt after all layers (CS-576 to CS-578, M-17).

    Within Short range it pierces every layer that is not Proof, as a Thrust pierces mail; padding has no grade. Beyond
    it, and against Proof, it is a common blow. A shield in the way always takes its DR, as it is not worn armour.
    """

    def pierces(layer: Layer) -> bool:
        if not in_short or layer.family == "shield":
            return False
        return layer.family == "padded" or not (graded and layer.grade == "proof")

    def because(layer: Layer) -> tuple[str, str]:
        if layer.family == "shield":
            return "", "CS-597"
        return ("Proof" if in_short else "not in Short range"), "CS-578"

    return _meet(layers, pot, pierces, wear, because)


def slash(layers: Sequence[Layer], pot: int) -> Met:
    """A Slash after all layers: it only wears the outermost one left (CS-590 to CS-592).

    It needs the option `armour_wear`. Field plate loses nothing, cuerbully half. Any excess over the layer is lost,
    even if it was the last (A-30).
    """
    parts = [Part("POT", pot, "CS-530")]
    after: dict[int, Layer] = {}
    place = _outermost(layers, wearing=True)
    if place is not None and pot > 0:
        layer = layers[place]
        after[place] = layer.less(rhu(pot * layer.slash), wearing=True)
        how, rule = _SLASHED.get(layer.slash, ("takes a part of it", "CS-591"))
        parts.append(Part(f"a Slash: {layer.name} {how}", -pot, rule))
    now = tuple(after.get(place, layer) for place, layer in enumerate(layers))
    return Met(Sum(tuple(parts)), now, _wear_of_layers(layers, after, wearing=True), bool(after), not after)


_SLASHED: Mapping[Fraction, tuple[str, str]] = {
    Fraction(1): ("takes it", "CS-590"),
    Fraction(1, 2): ("takes half of it", "CS-591"),
    Fraction(0): ("is immune", "CS-591"),
}
"""The words for a Slash and the rule, by the share of it that a layer takes."""


def shield_layer(shield: Layer | None, *, failed_block: bool, in_way_by_gm: bool | None = None) -> tuple[Layer, ...]:
    """The shield as an outer layer if it is in the way of a blow, else nothing (CS-597, A-52, M-25)."""
    if shield is None or not (failed_block if in_way_by_gm is None else in_way_by_gm):
        return ()
    return (shield,)


@cache
def armour_types() -> Mapping[str, Layer]:
    """The types of armour and shields that the text has numbers for, by key, new and whole (CS-572)."""
    shields = [row for row in numbers.rows("shields") if not numbers.flag_of(row, "sample")]
    rows = (*numbers.rows("armour"), *({**row, "family": "shield"} for row in shields))
    return {numbers.text_of(row, "key"): layer_from(row) for row in rows}


def layer_from(row: Mapping[str, object]) -> Layer:
    """A type of armour from its row; ValueError for an invalid cell."""
    family = numbers.text_of(row, "family") or "other"
    if family not in get_args(Family):
        raise ValueError(f"unknown family of armour: {family!r}; accepted: {', '.join(get_args(Family))}")
    return Layer(
        numbers.text_of(row, "label") or numbers.text_of(row, "key"),
        cast(Family, family),
        numbers.whole_of(row, "dr"),
        numbers.whole_of(row, "wear") if "wear" in row else None,
        numbers.number_of(row.get("slash", 1), "slash"),
    )


def _plainly(layer: Layer) -> tuple[str, str]:
    return "", "CS-571"


def _meet(
    layers: Sequence[Layer],
    pot: int,
    pierces: Callable[[Layer], bool],
    wear: int | None,
    because: Callable[[Layer], tuple[str, str]] = _plainly,
) -> Met:
    """Take the blow through all layers; `because` gives the reason and rule for one that takes its DR."""
    wearing = wear is not None
    outermost = _outermost(layers, wearing)
    wears = outermost is not None and pot > 0 and not pierces(layers[outermost])
    after: dict[int, Layer] = {}
    if wears and wear and outermost is not None:
        after[outermost] = layers[outermost].less(wear, wearing=True)
    left = max(0, pot)
    parts = [Part("POT", left, "CS-530")]
    breached = True
    for place, layer in enumerate(layers):
        worth = layer.worth(wearing)
        if left <= 0 or worth <= 0:
            continue
        if pierces(layer):
            parts.append(Part(f"{layer.name}, pierced", -1, "CS-574"))
            after[place] = after.get(place, layer).less(1, wearing)
            left -= 1
        else:
            breached = False
            why, rule = because(layer)
            label = f"{layer.name}, DR {worth}" + (f", {why}" if why else "")
            parts.append(Part(label, -min(worth, left), rule))
            left -= min(worth, left)
    now = tuple(after.get(place, layer) for place, layer in enumerate(layers))
    return Met(Sum(tuple(parts)), now, _wear_of_layers(layers, after, wearing), outermost is not None, breached)


def _wear_of_layers(layers: Sequence[Layer], after: Mapping[int, Layer], wearing: bool) -> tuple[Worn, ...]:
    losses = []
    for place, layer in sorted(after.items()):
        loss = _figure(layers[place], wearing) - _figure(layer, wearing)
        if loss:
            losses.append(Worn(place, layer.name, loss, layer.worth(wearing)))
    return tuple(losses)


def _figure(layer: Layer, wearing: bool) -> int:
    return layer.dr if layer.wear is None or not wearing else layer.wear


def _outermost(layers: Sequence[Layer], wearing: bool) -> int | None:
    return next((place for place, layer in enumerate(layers) if layer.worth(wearing) > 0), None)


def _never(layer: Layer) -> bool:
    return False


def _is_soft(layer: Layer) -> bool:
    return layer.family in ("padded", "mail")
