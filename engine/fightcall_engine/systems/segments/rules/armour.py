"""Blows against armour: what each layer takes, and its wear (CS-570 to CS-597)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import tables
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, rhu

Family: TypeAlias = Literal["padded", "mail", "plate", "cuerbully", "other", "shield"]

Grade: TypeAlias = Literal["strong", "proof"]


@frozen
class Layer:
    """A layer of armour as it is now, or a shield in the way.

    Attributes:
        name: its type, as it is shown.
        family: its kind, which decides about Thrusts and piercing missiles.
        dr: what comes off the POT of a blow; the first figure of a type such as 10/40.
        wear: the second figure, from which wear comes off first; None for a type of one figure (CS-582).
        slash: the share of a Slash that it takes (CS-591).
        grade: Strong or Proof, with the option `armour_grades`; one without a grade counts as Strong (M-17).
    """

    name: str
    family: Family
    dr: int
    wear: int | None = None
    slash: Fraction = Fraction(1)
    grade: Grade | None = None

    def worth(self, wearing: bool) -> int:
        """Return the present DR (CS-570, CS-582); `wearing` is the option `armour_wear`."""
        return self.dr if self.wear is None or not wearing else min(self.dr, self.wear)

    def less(self, points: int, wearing: bool) -> "Layer":
        """Return the layer after losing points of its second figure if that is in use, else of its DR."""
        if self.wear is None or not wearing:
            return replace(self, dr=max(0, self.dr - points))
        return replace(self, wear=max(0, self.wear - points))


@frozen
class Worn:
    """What a blow did to a layer.

    Attributes:
        place: the index of the layer, from 0 for the outermost.
        name: its type.
        lost: points of DR, or of the second figure.
        left: the DR left; at 0 the layer is destroyed (CS-584).
    """

    place: int
    name: str
    lost: int
    left: int


@frozen
class Met:
    """A blow that has met armour.

    Attributes:
        sum: POT that got through, with what each layer took; at least 0.
        layers: all layers after the blow, outermost first, including destroyed ones.
        worn: their wear.
        met: whether any layer was left to meet it.
        breached: whether it met none or pierced all of them; otherwise the Wound Threshold counts (CS-603, A-13).
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
    """Return a common blow after all layers have taken their DR (CS-570, CS-571, CS-580, CS-581, CS-585).

    Args:
        layers: outermost first.
        pot: POT, or Body Points of damage.
        wear: Damage Bonus or multiplied share of the weapon, which wears the outermost layer left, after the blow
            met it; any excess is lost (A-31). None without the option `armour_wear`.
    """
    return _meet(layers, pot, _never, wear)


def thrust(layers: Sequence[Layer], pot: int, wear: int | None = None) -> Met:
    """Return a Thrust after all layers: it pierces padded and mail, others take their DR (CS-574, CS-575, A-29).

    A pierced layer takes 1 from the POT and loses 1; with wear that comes off the second figure, as for a Slash. The
    weapon's own wear only affects the outermost layer if that was not pierced.

    Args:
        layers: outermost first.
        pot: POT, or Body Points of damage.
        wear: as for `common_strike`.
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
    """Return the hit of a bodkin arrow or a heavy crossbow bolt after all layers (CS-576 to CS-578).

    Within Short range it pierces every layer that is not Proof, as a Thrust pierces mail; padding has no grade. Beyond
    it, and against Proof, it is a common blow. A shield in the way always takes its DR, as it is not worn armour.

    Args:
        layers: outermost first.
        pot: POT, or Body Points of damage.
        in_short: whether the target is at point-blank or in short range.
        graded: whether the option `armour_grades` is on; without it nothing is Proof (M-17).
        wear: as for `common_strike`.
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
    """Return a Slash after all layers: it only wears the outermost one left (CS-590 to CS-592).

    It needs the option `armour_wear`. Field plate loses nothing, cuerbully half. Any excess over the layer is
    lost, even if it was the last (A-30).

    Args:
        layers: outermost first.
        pot: POT with CRD for STR, or Body Points of damage.
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
    """Return the shield as an outer layer if it is in the way of a blow, else nothing (CS-597, A-52, M-25).

    Args:
        shield: the shield, or None.
        failed_block: whether the shield failed to Block the blow; then it is in the way.
        in_way_by_gm: a GM ruling; None for the default.
    """
    if shield is None or not (failed_block if in_way_by_gm is None else in_way_by_gm):
        return ()
    return (shield,)


@cache
def armour_types() -> Mapping[str, Layer]:
    """Return the types of armour and shields that the text has numbers for, by key, new and whole (CS-572)."""
    shields = [row for row in tables.rows("shields") if not tables.flag_of(row, "sample")]
    rows = (*tables.rows("armour"), *({**row, "family": "shield"} for row in shields))
    return {tables.text_of(row, "key"): layer_from(row) for row in rows}


def layer_from(row: Mapping[str, object]) -> Layer:
    """Return a type of armour from its row.

    Raises:
        ValueError: a cell is invalid.
    """
    family = tables.text_of(row, "family") or "other"
    if family not in get_args(Family):
        raise ValueError(f"unknown family of armour: {family!r}; accepted: {', '.join(get_args(Family))}")
    return Layer(
        tables.text_of(row, "label") or tables.text_of(row, "key"),
        cast(Family, family),
        tables.whole_of(row, "dr"),
        tables.whole_of(row, "wear") if "wear" in row else None,
        tables.number_of(row.get("slash", 1), "slash"),
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
