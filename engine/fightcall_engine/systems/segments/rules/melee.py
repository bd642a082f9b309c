"""Fields of Approach, Zones, and keeping foes away with long weapons (CS-300 to CS-324)."""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import atan2, ceil, degrees, sqrt
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import tables
from fightcall_engine.systems.segments.rules.numbers import Number

Field: TypeAlias = Literal["F", "RF", "RS", "RR", "R", "LR", "LS", "LF"]
"""Front, Right Front Flank, Right Side, Right Rear Flank, Rear, and the same on the left (CS-300)."""

Hand: TypeAlias = Literal["R", "L"]

FIELDS: tuple[Field, ...] = get_args(Field)
"""Clockwise from the front."""

OCTANTS = 8

OCTANT_DEGREES = 45


@frozen
class FieldUse:
    """The possible attacks and defences in a field: a row of section 6.15.

    Attributes:
        key: the field.
        label: its name.
        attack: the hands whose weapon or shield can attack there without a Turn.
        defend: the hands whose weapon or shield can defend there.
        dodge: whether a Dodge is possible.
        needs: what a defence depends on: nothing, being aware of the foe, or being warned of it.
        rule: its rule.
    """

    key: Field
    label: str
    attack: tuple[Hand, ...]
    defend: tuple[Hand, ...]
    dodge: bool
    needs: Literal["", "aware", "warned"]
    rule: str


@frozen
class Defence:
    """The defences against a foe in a field: the hands that reach it, and whether a Dodge is possible."""

    hands: tuple[Hand, ...]
    dodge: bool


NO_DEFENCE = Defence((), False)


def field_by_octant(facing: int, bearing: int) -> Field:
    """Return a foe's field on a board of eight directions (CS-300).

    Args:
        facing: the octant faced, 0 to 7, counter-clockwise from east.
        bearing: the octant towards the foe.
    """
    return FIELDS[(facing - bearing) % OCTANTS]


def field_by_degrees(facing: float, bearing: float) -> Field:
    """Return a foe's field by angles; exactly between two fields, the one nearer to the front (CS-300).

    Args:
        facing: the direction faced, in degrees counter-clockwise from east.
        bearing: the direction towards the foe, likewise.
    """
    clockwise = (facing - bearing) % 360
    deviation = clockwise if clockwise <= 180 else clockwise - 360
    octants = max(0, ceil((abs(deviation) - OCTANT_DEGREES / 2) / OCTANT_DEGREES))
    return FIELDS[octants if deviation >= 0 else -octants]


def degrees_on_hexes(dq: int, dr: int) -> float | None:
    """Return the angle from one hex to another, counter-clockwise from east; None for the same hex.

    Args:
        dq: the difference of the first axial coordinates, which grow to the east.
        dr: the difference of the second, which grow down the map.
    """
    if not dq and not dr:
        return None
    return degrees(atan2(-dr * sqrt(3) / 2, dq + dr / 2)) % 360


def octants_between(item: int, other: int) -> int:
    """Return the octants between two directions, 0 to 4."""
    difference = (item - other) % OCTANTS
    return min(difference, OCTANTS - difference)


def turn_qa(octants: int) -> int:
    """Return the quarter-actions of turning by so many octants: 1 for up to a quarter circle, 2 for half (CS-306).

    Raises:
        ValueError: it is not 0 to 4 octants.
    """
    if not 0 <= octants <= OCTANTS // 2:
        raise ValueError(f"can't turn {octants} octants; use 0 to 4, as the other direction is shorter")
    return -(-octants // 2)


@cache
def uses() -> Mapping[Field, FieldUse]:
    """Return the rows of all fields, clockwise from the front (section 6.15)."""
    read = tuple(_use(row) for row in tables.rows("fields"))
    return {field_use.key: field_use for field_use in read}


def _use(row: Mapping[str, object]) -> FieldUse:
    key, needs = tables.text_of(row, "key"), tables.text_of(row, "needs")
    if key not in FIELDS or needs not in ("", "aware", "warned"):
        raise ValueError(f"tables/fields.toml: no field {key!r} that needs {needs!r}")
    return FieldUse(
        key=key,
        label=tables.text_of(row, "label"),
        attack=_hands(tables.texts_of(row, "attack")),
        defend=_hands(tables.texts_of(row, "defend")),
        dodge=tables.flag_of(row, "dodge"),
        needs=cast('Literal["", "aware", "warned"]', needs),
        rule=tables.text_of(row, "rule"),
    )


def _hands(hands: Iterable[str]) -> tuple[Hand, ...]:
    return tuple("R" if hand == "R" else "L" for hand in hands)


def attack_hands(field: Field) -> tuple[Hand, ...]:
    """Return the hands that can attack in a field without a Turn (CS-301, CS-302, CS-306)."""
    return uses()[field].attack


def defence(field: Field, *, aware: bool = True, warned: bool = False) -> Defence:
    """Return the defences against a foe in a field (CS-301 to CS-305, A-46).

    Args:
        field: the foe's field.
        aware: whether one is aware of the foe; else there is no defence at the rear flanks.
        warned: whether a friend warned, a check was made or a blow from there survived; else there is none at
            the rear.
    """
    use = uses()[field]
    if (use.needs == "aware" and not aware) or (use.needs == "warned" and not warned):
        return NO_DEFENCE
    return Defence(use.defend, use.dodge)


MeleeMode: TypeAlias = Literal["close", "common"]

OUTREACHED_BY = 2
"""Points of Size by which a longer weapon keeps an attacker away from the body (CS-318)."""

_FRONT: tuple[Field, ...] = ("F", "RF", "LF")


def zone_gap(distance: Number, height: Number, other_height: Number) -> Fraction:
    """Return the feet between the edges of two Zones, below 0 if they overlap (CS-251, CS-682).

    Args:
        distance: feet between their middles.
        height: the first figure's height in feet, which is the width of its Zone.
        other_height: the second figure's height.
    """
    return distance - Fraction(height + other_height) / 2


def kept_off(size: Number, height: Number) -> Fraction:
    """Return the gap in feet that a weapon keeps: its Size less half its bearer's height (CS-317).

    Args:
        size: the weapon's Size.
        height: the bearer's height in feet.
    """
    return max(Fraction(0), size - Fraction(height) / 2)


def melee_mode(size: Number, height: Number, *, reach_counts: bool = True) -> MeleeMode:
    """Return the mode of melee in which a defender is attacked (CS-315, CS-317, CS-324).

    Args:
        size: Size of the defender's weapon; 0 for bare hands. Exactly half the height is close (A-45).
        height: the defender's height in feet.
        reach_counts: whether the weapon reaches the attacker's field.
    """
    return "common" if reach_counts and kept_off(size, height) > 0 else "close"


def is_outreached(size: Number, foe_size: Number) -> bool:
    """Return whether a foe's longer weapon keeps an attacker away until it gets inside (CS-318).

    Args:
        size: Size of the attacker's weapon; 0 for bare hands.
        foe_size: Size of the foe's.
    """
    return foe_size >= size + OUTREACHED_BY


def reach_counts(field: Field, armed_hands: Collection[Hand]) -> bool:
    """Return whether a defender's weapon keeps away a foe in a field (CS-324).

    Args:
        field: the defender's field in which the foe is.
        armed_hands: the defender's hands with a weapon.
    """
    if field in _FRONT:
        return bool(armed_hands)
    return (field == "RS" and "R" in armed_hands) or (field == "LS" and "L" in armed_hands)
