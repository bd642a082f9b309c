"""How hard a blow lands: its Potence (CS-530 to CS-547, CS-347, CS-348, CS-395)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.crossbows import stale_spring
from fightcall_engine.systems.segments.formulas.rounding import Number, rhu
from fightcall_engine.systems.segments.formulas.sums import Part, Sum

Grip: TypeAlias = Literal["one_handed", "hand_and_a_half", "two_handed"]
"""How a weapon is held; whatever is hurled counts as one-handed (CS-531 to CS-534)."""

Power: TypeAlias = Literal["STR", "CRD"]
"""The score behind a blow: CRD for a Slash (CS-538)."""

CHARGE_PULSES = 5
"""Unbroken Pulses at full speed that make a Charge (CS-539)."""

_SHARES: Mapping[Grip, Fraction] = {
    "one_handed": Fraction(1, 2),
    "hand_and_a_half": Fraction(3, 4),
    "two_handed": Fraction(1),
}
_SAID: Mapping[Grip, tuple[str, str]] = {
    "one_handed": (" ÷ 2", "CS-531"),
    "hand_and_a_half": (" x 3/4", "CS-533"),
    "two_handed": ("", "CS-534"),
}


def base_pot(msta: int, power: Number, grip: Grip = "one_handed") -> Fraction:
    """Return the POT of a body alone, exact (CS-531 to CS-534).

    Args:
        msta: modified STA.
        power: effective STR; CRD for a Slash (CS-537, CS-538).
        grip: how the weapon is held.
    """
    return (msta + Fraction(power)) * _SHARES[grip]


def base_part(msta: int, power: Number, grip: Grip = "one_handed", using: Power = "STR") -> Part:
    """Return the body's share of a blow, rounded before anything is added (CS-536).

    Args:
        msta: modified STA.
        power: effective STR, or CRD.
        grip: how the weapon is held.
        using: which score `power` is.
    """
    said, rule = _SAID[grip]
    label = f"(modified STA {msta} + {using} {_format_number(power)}){said}"
    return Part(label, rhu(base_pot(msta, power, grip)), "CS-538" if using == "CRD" else rule)


def pot(base: Part, bonus: Number = 0, *, charge_mph: Number = 0, target_mph: Number = 0, dropped: Number = 0) -> Sum:
    """Return the POT of a melee or hurled blow (CS-535); `rhu` of the total is what lands.

    Args:
        base: the body's share, from `base_part`.
        bonus: the weapon's Damage Bonus; 0 for a pommel or the weapon hand (CS-347).
        charge_mph: the attacker's speed when he charges; 0 otherwise, and for what is hurled (CS-539).
        target_mph: the speed of a mover who runs onto an Opportunity Action; 0 otherwise (CS-444, CS-540).
        dropped: feet from which the attacker drops on his target; 0 otherwise (CS-541).
    """
    parts = [base]
    if bonus:
        parts.append(Part("Damage Bonus", bonus, "CS-535"))
    return Sum((*parts, *speed_parts(charge_mph=charge_mph, target_mph=target_mph, dropped=dropped)))


def speed_parts(*, charge_mph: Number = 0, target_mph: Number = 0, dropped: Number = 0) -> tuple[Part, ...]:
    """Return what movement adds to a blow, with the arguments of `pot`: 1 for each mph, 2 for each 3 ft of a drop."""
    found = (
        Part("Charge in mph", charge_mph, "CS-539"),
        Part("target's speed in mph", target_mph, "CS-444"),
        Part("2 for each 3 ft dropped", Fraction(2 * dropped) / 3, "CS-541"),
    )
    return tuple(part for part in found if part.value)


def charges(full_pulses: int | None, whole_segment: bool = False) -> bool:
    """Tell whether an attacker charges (CS-539, A-48).

    Args:
        full_pulses: with Pulses, how many in a row up to the blow he moved at his own full speed; None without them.
        whole_segment: without Pulses, whether he moved at full speed through the segment.
    """
    return whole_segment if full_pulses is None else full_pulses >= CHARGE_PULSES


def missile_pot(strength: Number, bonus: Number, head: Number = 0, *, sling: bool = False, head_name: str = "") -> Sum:
    """Return the POT of an arrow or a slung stone: all of STR, nothing of STA (CS-542, CS-543).

    Args:
        strength: effective STR of the shooter.
        bonus: Damage Bonus of the bow by its Size, class Light; of a sling as of a short bow.
        head: what the arrow head adds (M-09).
        sling: it is a sling, which counts as a short bow (CS-543).
        head_name: what the head is called, where that is known.
    """
    device, rule = ("sling", "CS-543") if sling else ("bow", "CS-542")
    parts = [Part("STR", rhu(strength), rule), Part(f"Damage Bonus of the {device}", bonus, rule)]
    if head or head_name:
        parts.append(Part(f"arrow head: {head_name}" if head_name else "arrow head", head, "CS-542"))
    return Sum(tuple(parts))


def crossbow_pot(fixed: int, days_cocked: int = 0) -> Sum:
    """Return the POT of a crossbow's bolt, never below 0 (CS-395, CS-545).

    Args:
        fixed: the number in the weapon's notes, which the GM types (M-09).
        days_cocked: full days it has been kept cocked; each costs 1.
    """
    machine = Part("crossbow", fixed, "CS-545")
    return Sum((machine, *stale_spring(min(fixed, days_cocked)).parts) if days_cocked > 0 else (machine,))


def brawling_pot(msta: int, strength: Number) -> Sum:
    """Return the POT of fists, feet and knees: a tenth of the one-handed base, no bonus (CS-348, M-23)."""
    label = f"a tenth of (modified STA {msta} + STR {_format_number(strength)}) ÷ 2"
    return Sum((Part(label, rhu(base_pot(msta, strength) / 10), "CS-348"),))


def double_blow(blow: Sum) -> Sum:
    """Return a blow that a Heroic Effect doubles (CS-547)."""
    return Sum((*blow.parts, Part("Heroic Effect: doubled", blow.total, "CS-547")))


def _format_number(number: Number) -> str:
    return str(number) if Fraction(number).denominator == 1 else f"{float(number):g}"
