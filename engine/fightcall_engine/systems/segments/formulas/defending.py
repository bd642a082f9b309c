"""What a defence is worth beside another, and what it costs (CS-165, CS-168, CS-343, CS-417)."""

from dataclasses import dataclass

from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.sums import Part, Sum


@dataclass(frozen=True, slots=True)
class EndSpent:
    """Points of Endurance that an exchange costs, hit or miss (CS-168, A-36)."""

    attacker: int
    defender: int


def combined_defence(weapon: Number, dodge: Number) -> Sum:
    """Return the DV of a Block or Parry and a Dodge together: their sum, unless the GM says otherwise (CS-417, A-59).

    Args:
        weapon: what the weapon or shield provides.
        dodge: what the Dodge provides.
    """
    return Sum((Part("Block or Parry", weapon, "CS-410"), Part("Dodge with it", dodge, "CS-417")))


def end_spent(defences: int) -> EndSpent:
    """Return the END of one exchange: 1 for the attack, 1 for each defence offered (CS-168, A-36).

    Args:
        defences: how many the target offers, 0 or more; a Parry and a Dodge together are two.
    """
    return EndSpent(attacker=1, defender=defences)


def allowance_spent(attacks: int, defences: int) -> int:
    """Return what a segment costs of the CND Action allowance: 1 with any attack or defence in it (CS-343, A-37)."""
    return 1 if attacks or defences else 0
