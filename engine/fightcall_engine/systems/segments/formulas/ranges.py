"""Range bands, how far each weapon carries, and the difficulty of distance (CS-251, CS-267 to CS-285)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias, cast

from fightcall_engine.systems.segments.formulas import tabled
from fightcall_engine.systems.segments.formulas.rounding import Number, rhu
from fightcall_engine.systems.segments.formulas.sums import Part, Sum

Band: TypeAlias = Literal["point_blank", "short", "medium", "long", "extreme"]
Unit: TypeAlias = Literal["yd", "ft"]
Flight: TypeAlias = Literal["hurled", "arrow"]
"""How something flies; magick is rated as one or the other by its own description (CS-284)."""

HurledDvUnit: TypeAlias = Literal["yards", "feet"]
"""In what the steps of the range DV are counted for hurled weapons (A-07)."""

AVERAGE_STR = 13
FEET_A_YARD = 3
LEAST_THROWN_LB = Fraction(1, 4)
"""Pounds below which the GM sets the range of a thrown object (CS-280)."""

LEAST_GAP_FT = 5
"""Feet between two Zones from which they may shoot at each other (CS-251)."""

FEET_A_SECOND: Mapping[Flight, int] = {"hurled": 50, "arrow": 200}
LATE_BEYOND_FT: Mapping[Flight, int] = {"hurled": 500, "arrow": 2000}


@dataclass(frozen=True, slots=True)
class Weapon:
    """A row of the base limits, at STR 13 (CS-268).

    Attributes:
        key: its id.
        label: its name.
        unit: yards or feet.
        short: the limit of short range.
        medium: that of medium range.
        long: that of long range.
        step: what each point of STR adds to all three.
        extreme: whether it reaches beyond long range.
        rule: the rule for its STR.
    """

    key: str
    label: str
    unit: Unit
    short: int
    medium: int
    long: int
    step: int
    extreme: bool
    rule: str


@dataclass(frozen=True, slots=True)
class Limits:
    """How far somebody shoots or throws, each band's limit in `unit` (CS-267).

    Attributes:
        unit: yards or feet.
        point_blank: a quarter of short (CS-274).
        short: the limit of short range.
        medium: that of medium range.
        long: that of long range.
        extreme: whether there is a band beyond; without one `long` is the greatest range.
    """

    unit: Unit
    point_blank: int
    short: int
    medium: int
    long: int
    extreme: bool


@cache
def weapons() -> Mapping[str, Weapon]:
    """Return the base limits by key (CS-268)."""
    read = tuple(_weapon(row) for row in tabled.rows("ranges"))
    return {weapon.key: weapon for weapon in read}


def _weapon(row: Mapping[str, object]) -> Weapon:
    unit = tabled.text_of(row, "unit")
    if unit not in ("yd", "ft"):
        raise ValueError(f"unit must be yd or ft, not {unit!r}")
    return Weapon(
        key=tabled.text_of(row, "key"),
        label=tabled.text_of(row, "label"),
        unit=cast(Unit, unit),
        short=tabled.whole_of(row, "short"),
        medium=tabled.whole_of(row, "medium"),
        long=tabled.whole_of(row, "long"),
        step=tabled.whole_of(row, "step"),
        extreme=tabled.flag_of(row, "extreme"),
        rule=tabled.text_of(row, "rule"),
    )


def hurled_row(hafted: bool, *, to_wound: bool = True) -> str:
    """Return the key of the limits of a thrown weapon (CS-272, CS-278).

    Args:
        hafted: a spear, light lance, hurlable polearm, trident, spade or the like; axes and other hafted melee weapons
            are not.
        to_wound: it is thrown to wound, and not just to get it there, which any weapon does as far as a hafted one.
    """
    return "hurled_hafted" if hafted or not to_wound else "hurled_hilted"


def limits(weapon: Weapon, strength: Number = AVERAGE_STR, *, rise: int = 0, factor: Number = 1) -> Limits:
    """Return the limits of one shooter with one weapon (CS-269 to CS-274, CS-279, CS-281, A-08).

    Args:
        weapon: its row.
        strength: the shooter's effective STR.
        rise: how much higher the target is, in the weapon's unit; a lower target changes nothing.
        factor: the share of the range for an awkward object (CS-279), taken after STR and before the rise.
    """
    stronger = weapon.step * (strength - AVERAGE_STR)
    short, medium, long = (
        max(0, rhu((base + stronger) * factor) - max(0, rise)) for base in (weapon.short, weapon.medium, weapon.long)
    )
    return Limits(weapon.unit, rhu(Fraction(short, 4)), short, medium, long, weapon.extreme)


def band(distance: Number, reach: Limits) -> Band | None:
    """Return the band a target is in; None beyond the greatest range of a crossbow (CS-267, CS-273, CS-275).

    Args:
        distance: to the target, in the unit of `reach`.
        reach: the shooter's limits.
    """
    if distance <= reach.point_blank:
        return "point_blank"
    if distance <= reach.short:
        return "short"
    if distance <= reach.medium:
        return "medium"
    if distance <= reach.long:
        return "long"
    return "extreme" if reach.extreme else None


def range_dv(distance: Number, reach: Limits, hurled: HurledDvUnit = "yards") -> Sum | None:
    """Return what distance adds to the difficulty, band by band, each rounded on its own (CS-282).

    The distance inside the short band costs 1 for each 5 yards, in the medium one 1 for each 3, in the long one 1 a
    yard, beyond it 2 a yard.

    Args:
        distance: to the target, in the unit of `reach`.
        reach: the shooter's limits.
        hurled: for limits in feet, whether those steps are still yards or feet (A-07).

    Returns:
        The sum; None beyond the greatest range.
    """
    found = band(distance, reach)
    if found is None:
        return None
    per_yard = FEET_A_YARD if reach.unit == "ft" and hurled == "yards" else 1
    parts = [Part("point-blank", 0, "CS-282")]
    bands = (
        ("short", reach.point_blank, reach.short, Fraction(1, 5)),
        ("medium", reach.short, reach.medium, Fraction(1, 3)),
        ("long", reach.medium, reach.long, Fraction(1)),
        ("extreme", reach.long, None, Fraction(2)),
    )
    for label, begins, ends, each in bands:
        covered = (distance if ends is None else min(distance, ends)) - begins
        if covered > 0:
            parts.append(Part(f"{label} range", rhu(covered * each / per_yard), "CS-282"))
    return Sum(tuple(parts))


def in_unit(feet: Number, unit: Unit) -> Number:
    """Return a distance in feet as the unit of a weapon's limits."""
    return feet if unit == "ft" else Fraction(feet) / FEET_A_YARD


def throw_factor(*, size: Number, height: Number, pounds: Number, light_enc: Number | None = None) -> Fraction | None:
    """Return the share of the hafted ranges that a thrown object reaches: the smaller by Size and weight (CS-279).

    Args:
        size: the object's size in feet.
        height: the thrower's height in feet.
        pounds: its weight.
        light_enc: the thrower's Light ENC limit in pounds; None where it is not known and only size counts (M-15).

    Returns:
        1 for an object of the best size and weight (CS-277), less for others; None where the GM sets the range: it is
        lighter than a quarter pound (CS-280) or heavier than the limit.
    """
    if pounds < LEAST_THROWN_LB or (light_enc is not None and pounds > light_enc):
        return None
    by_size = next(factor for most, _, factor in _throws() if most is None or size <= most * height)
    if light_enc is None:
        return by_size
    return min(by_size, next(factor for _, most, factor in _throws() if pounds <= most * light_enc))


@cache
def _throws() -> tuple[tuple[Fraction | None, Fraction, Fraction], ...]:
    return tuple(
        (
            tabled.number_of(row["size"], "size") if "size" in row else None,
            tabled.number_of(row.get("weight"), "weight"),
            tabled.number_of(row.get("factor"), "factor"),
        )
        for row in tabled.rows("ranges", "throw")
    )


def may_shoot(gap: Number) -> bool:
    """Tell whether two are far enough apart for ranged combat (CS-251).

    Args:
        gap: feet between their Zones, edge to edge.
    """
    return gap >= LEAST_GAP_FT


def flight_seconds(feet: Number, flight: Flight) -> Fraction:
    """Return how long something flies, in seconds, exact (CS-284)."""
    return Fraction(feet) / FEET_A_SECOND[flight]


def lands_late(feet: Number, flight: Flight) -> bool:
    """Tell whether it strikes only at the start of the next segment (CS-285)."""
    return feet > LATE_BEYOND_FT[flight]
