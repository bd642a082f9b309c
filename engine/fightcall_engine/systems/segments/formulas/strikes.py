"""Who rolls for an attack, and the Reprisal that a miss allows (CS-449, CS-475 to CS-488)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.rounding import Number, halve
from fightcall_engine.systems.segments.formulas.sums import Part, Sum
from fightcall_engine.systems.segments.formulas.uses import value_of_use

Attack: TypeAlias = Literal["melee", "hurled", "missile", "opportunity", "reprisal", "body_check", "tackle"]
Roll: TypeAlias = Literal["attacker", "contested"]

MeleeRoll: TypeAlias = Literal["attacker", "contested"]
"""Whether only the attacker rolls in melee (A-04)."""

HurledRoll: TypeAlias = Literal["simple", "contested"]
"""Whether only the attacker rolls for what is hurled (A-05)."""

ReprisalChain: TypeAlias = Literal["off", "on"]
"""Whether a Reprisal or an Opportunity Action that misses allows a Reprisal in turn (A-32)."""

COMMON_STRIKE = "common_strike"
AIMED_STRIKE = "aimed_strike"


@dataclass(frozen=True, slots=True)
class Trade:
    """What a Reprisal may be traded for; no Opportunity Action of that foe follows (CS-484, CS-485).

    Attributes:
        kind: `move` with what movement is left; `step` for a Back-step, a Side-step or through the foe's Zone.
        feet: how far at most.
    """

    kind: Literal["move", "step"]
    feet: Number


def roll_kind(attack: Attack, melee: MeleeRoll = "attacker", hurled: HurledRoll = "simple") -> Roll:
    """Return who rolls for an attack (CS-261, CS-262, CS-443, CS-455, CS-468, CS-480, CS-500).

    Args:
        attack: its kind. Body Checks and tackles are always contested; Opportunity Actions, Reprisals and missiles
            never are.
        melee: the reading for melee (A-04).
        hurled: the reading for what is hurled (A-05).
    """
    if attack in ("body_check", "tackle"):
        return "contested"
    if attack == "melee":
        return melee
    return "contested" if attack == "hurled" and hurled == "contested" else "attacker"


def offers_reprisal(missed: Attack, chain: ReprisalChain = "off") -> bool:
    """Tell whether an attack that missed gives its target a Reprisal (CS-449, CS-478, CS-481, A-32).

    Args:
        missed: the attack's kind. What flies past never does; it may hit somebody else instead.
        chain: the reading for Reprisals and Opportunity Actions.
    """
    if missed in ("opportunity", "reprisal"):
        return chain == "on"
    return missed not in ("hurled", "missile")


def may_reprise_with(attack_type: str, owned: frozenset[str] = frozenset()) -> bool:
    """Tell whether a Reprisal may be of this type: a Common Strike or an owned one, never an Aimed Strike (CS-483).

    Args:
        attack_type: the id of the type.
        owned: ids of the special attacks that the defender has learned.
    """
    return attack_type != AIMED_STRIKE and (attack_type == COMMON_STRIKE or attack_type in owned)


def trade(feet_left: Number, height: Number) -> Trade:
    """Return what a Reprisal may be traded for (CS-484, CS-485).

    Args:
        feet_left: movement that he has left in this segment.
        height: his height in feet, the width of his own Zone.
    """
    return Trade("move", feet_left) if feet_left > 0 else Trade("step", height)


def reprisal_defence(av: Number, use: int, *, penalty: int = 0) -> Sum:
    """Return the DV of the weapon that just missed, against the Reprisal, exact (CS-486).

    It is half of what the weapon would give as a defence now, and does not count as a use (CS-487).

    Args:
        av: the skill's value.
        use: which use an ordinary defence with it would be now, from 1; see `uses.next_use`.
        penalty: what comes off before halving (A-56).
    """
    now = value_of_use(av, use, penalty=penalty)
    half = halve(now.total) - now.total
    return Sum((*now.parts, Part("it has just missed: halved", half, "CS-486")))
