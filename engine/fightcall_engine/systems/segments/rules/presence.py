"""Presence attacks that go with a blow, to demoralise (CS-510 to CS-520)."""

from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.rules.numbers import Number, Part, Progressive, Sum, prog

FallenFloor: TypeAlias = Literal["none", "zero"]
"""Whether more fallen than standing friends lower the DV (A-35)."""

Effect: TypeAlias = Literal["shaken", "broken", "unmoved", "doubt", "continues"]
"""The effects of a Presence attack (CS-516 to CS-520). The unmoved may disengage as after a miss (A-60)."""


def works(hit: bool, through: Number, noteworthy: bool = True) -> bool:
    """Return whether the blow allows the Presence attack (CS-511, CS-512).

    Args:
        hit: whether the blow hit.
        through: POT or Body Points that got through clothing and armour; at least 1 must.
        noteworthy: whether the GM finds it noteworthy.
    """
    return hit and through >= 1 and noteworthy


def presence_av(av: Number, through: int, *, reprisal: bool = False, scale: Progressive = "triangular") -> Sum:
    """Return the AV of the Presence attack (CS-513, CS-514).

    Args:
        av: the Presence skill's value.
        through: POT that got through.
        reprisal: whether the blow was a Reprisal, for which what got through counts Progressively.
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
        dv: the value of the resistance.
        presence_sl: the target's best level in a Presence skill; 0 for none.
        standing: the number of friends standing.
        fallen: the number of friends fallen.
        floor: `zero` if more fallen than standing do not lower it (A-35).
    """
    morale = standing - fallen
    parts = [Part("DV", dv, "CS-515"), Part("best Presence level", presence_sl, "CS-515")]
    parts.append(Part(f"{standing} comrades standing, {fallen} fallen", morale, "CS-515"))
    if floor == "zero" and morale < 0:
        parts.append(Part("minimum 0", -morale, "CS-515"))
    return Sum(tuple(parts))


def effect(has_succeeded: bool, av: Number, dv: Number) -> Effect:
    """Return the effect of a Presence attack (CS-516 to CS-520, A-35).

    Args:
        has_succeeded: whether its roll succeeded.
        av: the attacker's value.
        dv: the target's.
    """
    if av == dv:
        return "continues"
    if has_succeeded:
        return "broken" if av > dv else "shaken"
    return "doubt" if av > dv else "unmoved"


def breakdown_dv(through: Number) -> Sum:
    """Return the DV of the HRT check of a broken target who fears for its life (CS-517)."""
    return Sum((Part("POT that got through", through, "CS-517"),))


def doubt_loss(intimidate_sl: int, hrt: int) -> int:
    """Return what a doubting target's DVs lose against the attacker in the next segment, 0 or more (CS-519).

    Args:
        intimidate_sl: the attacker's level.
        hrt: the target's HRT modifier.
    """
    return max(0, intimidate_sl - hrt)
