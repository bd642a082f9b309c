"""Demoralising attacks: a Presence attack that rides on a blow (CS-510 to CS-520)."""

from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.rules.checks import Progressive, prog
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum

FallenFloor: TypeAlias = Literal["none", "zero"]
"""Whether more fallen than standing friends take from the DV (A-35)."""

Effect: TypeAlias = Literal["shaken", "broken", "unmoved", "doubt", "continues"]
"""What a Presence attack does (CS-516 to CS-520). The unmoved may disengage as after a miss (A-60)."""


def works(hit: bool, through: Number, noteworthy: bool = True) -> bool:
    """Tell whether the blow carries the Presence attack (CS-511, CS-512).

    Args:
        hit: the physical half hit.
        through: POT or Body Points that got through clothing and armour; at least 1 must, knock-back or not.
        noteworthy: what the GM thinks of the blow.
    """
    return hit and through >= 1 and noteworthy


def presence_av(av: Number, through: int, *, reprisal: bool = False, scale: Progressive = "triangular") -> Sum:
    """Return the AV of the Presence attack (CS-513, CS-514).

    Args:
        av: the Presence skill's value.
        through: POT that got through.
        reprisal: the blow was a Reprisal, and what got through counts Progressively.
        scale: the Progressive scale in use (R-4).
    """
    if reprisal:
        bonus = Part(f"{through} POT through in a Reprisal, Progressive", prog(through, scale), "CS-514")
    else:
        bonus = Part("POT through", through, "CS-513")
    return Sum((Part("Presence", av, "CS-513"), bonus))


def resistance_dv(dv: Number, presence_sl: int, standing: int, fallen: int, floor: FallenFloor = "none") -> Sum:
    """Return the DV of the target (CS-515).

    Args:
        dv: what he resists with.
        presence_sl: his best level in a Presence skill; 0 for none.
        standing: his fellows who stand.
        fallen: those who have fallen.
        floor: `zero` keeps more fallen than standing from taking anything away (A-35).
    """
    morale = standing - fallen
    parts = [Part("DV", dv, "CS-515"), Part("best Presence level", presence_sl, "CS-515")]
    parts.append(Part(f"{standing} fellows stand, {fallen} have fallen", morale, "CS-515"))
    if floor == "zero" and morale < 0:
        parts.append(Part("no less than 0 for the fallen", -morale, "CS-515"))
    return Sum(tuple(parts))


def effect(has_succeeded: bool, av: Number, dv: Number) -> Effect:
    """Return what a Presence attack does (CS-516 to CS-520, A-35).

    Args:
        has_succeeded: whether its roll did.
        av: the attacker's value.
        dv: the target's.
    """
    if av == dv:
        return "continues"
    if has_succeeded:
        return "broken" if av > dv else "shaken"
    return "doubt" if av > dv else "unmoved"


def breakdown_dv(through: Number) -> Sum:
    """Return the DV of the HRT check of one who is broken and fears for his life (CS-517)."""
    return Sum((Part("POT that got through", through, "CS-517"),))


def doubt_loss(intimidate_sl: int, hrt: int) -> int:
    """Return what the doubting target's DVs lose against this attacker in the next segment, 0 or more (CS-519).

    Args:
        intimidate_sl: the attacker's level.
        hrt: the target's HRT modifier.
    """
    return max(0, intimidate_sl - hrt)
