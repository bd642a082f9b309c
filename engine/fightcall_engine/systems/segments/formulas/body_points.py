"""Body Points and Damage Multipliers, two options that replace wounds and bonuses (CS-550 to CS-555)."""

from fractions import Fraction

from fightcall_engine.systems.segments.formulas.potence import Grip, Power, base_pot, speed_parts
from fightcall_engine.systems.segments.formulas.rounding import Number, rhu
from fightcall_engine.systems.segments.formulas.sums import Part, Sum


def multiplied_damage(
    msta: int,
    power: Number,
    multiplier: Number,
    grip: Grip = "one_handed",
    using: Power = "STR",
    *,
    charge_mph: Number = 0,
    target_mph: Number = 0,
    dropped: Number = 0,
) -> Sum:
    """Return the damage of a blow under the option `damage_multipliers`; `rhu` of the total is what lands (CS-551).

    The Damage Bonus is not added. A multiplier of 0, of an object that has none, leaves the full base (CS-553).

    Args:
        msta: modified STA.
        power: effective STR; CRD for a Slash.
        multiplier: the weapon's Damage Multiplier.
        grip: how it is held.
        using: which score `power` is.
        charge_mph: as for `potence.pot`.
        target_mph: as for `potence.pot`.
        dropped: as for `potence.pot`.
    """
    base = base_pot(msta, power, grip)
    parts = [Part(f"modified STA and {using}", base, "CS-551")]
    if multiplier:
        parts.append(Part(f"x {float(multiplier):g}", base * Fraction(multiplier), "CS-551"))
    return Sum((*parts, *speed_parts(charge_mph=charge_mph, target_mph=target_mph, dropped=dropped)))


def strike_wear(msta: int, power: Number, multiplier: Number, grip: Grip = "one_handed") -> int:
    """Return what a blow does to armour when damage is multiplied: the weapon's own share (CS-555).

    Args:
        msta: modified STA.
        power: effective STR; CRD for a Slash.
        multiplier: the weapon's Damage Multiplier.
        grip: how it is held.
    """
    return rhu(base_pot(msta, power, grip) * Fraction(multiplier))


def points_lost(through: Number) -> int:
    """Return the Body Points that a blow costs: what came through clothing and armour, 0 or more (CS-550)."""
    return max(0, rhu(through))


def points_left(most: int, damage: int) -> int:
    """Return the Body Points that are left, 0 or more.

    Args:
        most: all that he has when unhurt; the text names no number (M-12).
        damage: what he has lost.
    """
    return max(0, most - damage)
