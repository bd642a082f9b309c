"""Zones, and how a weapon's length keeps foes off: close and common melee (CS-315 to CS-324)."""

from collections.abc import Collection
from fractions import Fraction
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.fields import Field, Hand
from fightcall_engine.systems.segments.formulas.rounding import Number

MeleeMode: TypeAlias = Literal["close", "common"]

MM_A_FOOT = 5
"""Millimetres of a foot on the display at skirmishing scale."""

OUTREACHED_BY = 2
"""Points of Size by which a longer weapon keeps an attacker from his foe's body (CS-318)."""

_FRONT: tuple[Field, ...] = ("F", "RF", "LF")


def zone_gap(distance: Number, height: Number, other_height: Number) -> Fraction:
    """Return the feet between the edges of two Zones; below 0 they overlap (CS-251, CS-682).

    Args:
        distance: feet between their middles.
        height: of the one, in feet; his Zone is as wide.
        other_height: of the other.
    """
    return distance - Fraction(height + other_height) / 2


def kept_off(size: Number, height: Number) -> Fraction:
    """Return the gap in feet at which a weapon keeps attackers: what it is longer than half its bearer (CS-317).

    Args:
        size: the weapon's Size.
        height: its bearer's height in feet.
    """
    return max(Fraction(0), size - Fraction(height) / 2)


def melee_mode(size: Number, height: Number, *, reach_counts: bool = True) -> MeleeMode:
    """Return in which mode a defender may be attacked (CS-315, CS-317, CS-324).

    Args:
        size: Size of the defender's weapon; 0 for bare hands. Exactly half his height is close (A-45).
        height: his height in feet.
        reach_counts: false where his weapon does not reach the field he is approached from.
    """
    return "common" if reach_counts and kept_off(size, height) > 0 else "close"


def display_gap(size: Number, height: Number) -> Fraction:
    """Return that gap in millimetres on the display at skirmishing scale (CS-317)."""
    return MM_A_FOOT * kept_off(size, height)


def is_outreached(size: Number, foe_size: Number) -> bool:
    """Tell whether a foe's longer weapon keeps an attacker from his body until he gets inside (CS-318).

    Args:
        size: Size of the attacker's weapon; 0 for bare hands.
        foe_size: Size of the foe's.
    """
    return foe_size >= size + OUTREACHED_BY


def reach_counts(field: Field, armed: Collection[Hand]) -> bool:
    """Tell whether a defender's weapon keeps off a foe who comes from a field (CS-324).

    Args:
        field: the defender's field that the foe comes into.
        armed: the hands in which he has a weapon.
    """
    if field in _FRONT:
        return bool(armed)
    return (field == "RS" and "R" in armed) or (field == "LS" and "L" in armed)
