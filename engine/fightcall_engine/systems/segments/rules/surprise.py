"""Surprise: its difficulty, degrees, duration and recovery (CS-048 to CS-071)."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules.numbers import Check, ContestedTie, Part, Sum, halve, rhu

Degree: TypeAlias = Literal["none", "ready", "checked", "overwhelmed"]
"""The degrees of Surprise (CS-056 to CS-059)."""

NEUTRAL_STA = 20
"""The modified STA that does not affect an ambush (CS-050)."""


@frozen
class Surprise:
    """The effect of a Surprise on one victim.

    Attributes:
        degree: the degree of the Surprise.
        segments: its segments after the launch, 0 or more (CS-058, CS-060).
        penalty: what defences and Perception lose, 0 or more (CS-061, CS-062).
    """

    degree: Degree
    segments: int = 0
    penalty: int = 0


UNSURPRISED = Surprise("none")


def surprise_dv(base: int, chm: Sequence[int], hrt: Sequence[int], mstas: Sequence[int]) -> Sum:
    """Return the difficulty of the victims' check against plotters (CS-050).

    Args:
        base: DV of the earlier AWA check, from the plotters' Stealth (M-21).
        chm: Charisma modifier of each plotter; the best counts.
        hrt: Heart modifier of each; the best counts.
        mstas: modified STA of each; its length is the number of plotters.

    Raises:
        ValueError: nobody plots.
    """
    if not (chm and hrt and mstas):
        raise ValueError("a Surprise needs at least one plotter with CHM, HRT and modified STA")
    parts = (
        Part("awareness check before", base, "CS-050"),
        Part("best CHM modifier among the plotters", max(chm), "CS-050"),
        Part("best HRT modifier among the plotters", max(hrt), "CS-050"),
        Part("plotters", len(mstas), "CS-050"),
        Part(f"largest above STA {NEUTRAL_STA}", max(0, max(mstas) - NEUTRAL_STA), "CS-050"),
        Part(f"smallest below STA {NEUTRAL_STA}", -max(0, NEUTRAL_STA - min(mstas)), "CS-050"),
    )
    return Sum(parts)


def surprise_av(av: int, *, spirit_sl: int = 0, wary_trade_sl: int = 0) -> Sum:
    """Return the value with which a victim checks against Surprise (CS-049, CS-054).

    Args:
        av: Perception skill or AWA.
        spirit_sl: a practitioner's best Spirit skill level; 0 for others.
        wary_trade_sl: the level of the victim's trade if it voiced suspicion or openly agreed; else 0.
    """
    parts = [Part("Perception or AWA", av, "CS-041")]
    if spirit_sl:
        parts.append(Part("best Spirit skill", spirit_sl, "CS-049"))
    if wary_trade_sl:
        parts.append(Part("stated suspicion: trade level", wary_trade_sl, "CS-054"))
    return Sum(tuple(parts))


def ambush_surprise(aggressor: Check, victim: Check, tie: ContestedTie = "defender") -> Surprise | None:
    """Return the effect of an ambush on one victim (CS-055 to CS-060).

    Args:
        aggressor: the plotters' check.
        victim: the victim's check.
        tie: who wins with equal margins if both succeed (A-17).

    Returns:
        The effect; None if both succeed equally and the reading is to roll again.
    """
    if not aggressor.succeeded:
        return UNSURPRISED
    if not victim.succeeded:
        return _overwhelming_surprise(aggressor.margin + victim.fail_margin)
    if victim.margin == aggressor.margin and tie == "reroll":
        return None
    if victim.margin > aggressor.margin or (victim.margin == aggressor.margin and tie == "defender"):
        return Surprise("ready")
    return Surprise("checked", segments=1)


def blunder_surprise(victim: Check) -> Surprise:
    """Return the effect of a simple roll against Surprise: a concealed trap, or a chance meeting.

    No other margin is added to the victim's (CS-045, CS-048, CS-059, A-18, A-21).
    """
    return UNSURPRISED if victim.succeeded else _overwhelming_surprise(victim.fail_margin)


def trap_surprise(fail_margin: int = 0) -> Surprise:
    """Return the effect of a mechanism that surprises without a roll (CS-043, reading `assumed` of A-18).

    Args:
        fail_margin: the margin by GM ruling; at 0 it lasts one segment without a penalty.
    """
    return _overwhelming_surprise(fail_margin)


def duration(total: int) -> int:
    """Return the segments of being overwhelmed after the launch: a tenth of the total, at least 1 (CS-060)."""
    return max(1, rhu(halve(total) / 5))


def under_penalties(plain: Sum, *penalties: Part) -> Sum:
    """Return a value less flat penalties, at least 0; halving comes later (CS-061, CS-062, CS-613, A-56).

    Args:
        plain: the value with all its bonuses.
        penalties: the penalties, each 0 or more; those after the value has reached 0 are left out.
    """
    total = plain
    for penalty in penalties:
        loss = min(penalty.value, max(0, total.total))
        if loss:
            total = Sum((*total.parts, Part(penalty.label, -loss, penalty.rule)))
    return total


def recovery_dv(failed_dv: int) -> int:
    """Return the DV of the HRT check at the end of the first stage: half the failed DV (CS-066)."""
    return rhu(halve(failed_dv))


def waning_segments(failed_dv: int) -> int:
    """Return the segments of the second stage: a tenth of the DV failed at first (CS-068, A-20)."""
    return rhu(halve(failed_dv) / 5)


def _overwhelming_surprise(total: int) -> Surprise:
    return Surprise("overwhelmed", duration(total), total)
