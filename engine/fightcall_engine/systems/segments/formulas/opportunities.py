"""Opportunity Actions: who may take one, when, and over what distance (CS-430 to CS-449)."""

from fractions import Fraction
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.rounding import Number

Reach: TypeAlias = Literal["weapon", "step", "gm", "out"]
"""With what somebody reaches a passing foe; `gm` where it depends on the length of an arm (CS-442)."""

Phase: TypeAlias = Literal["declare", "movement", "resolve"]


def reach(feet: Number, size: Number, height: Number) -> Reach:
    """Return with what somebody reaches a foe who passes (CS-442).

    Args:
        feet: from him to the foe.
        size: Size of his weapon in feet; 0 with bare hands.
        height: his own height in feet.

    Returns:
        `weapon` within its Size; `step` within a Step of half his height; `gm` where a Step and then the weapon or the
        arm may do, for no length of an arm is given: none is longer than another half of his height; otherwise `out`.
    """
    step = Fraction(height) / 2
    if feet <= size:
        return "weapon"
    if feet <= step:
        return "step"
    return "gm" if feet <= step + max(size, step) else "out"


def may_interrupt(own: int, cursor: int, phase: Phase) -> bool:
    """Tell whether it is time for somebody's Opportunity Action (CS-433, A-49).

    Args:
        own: his Initiative.
        cursor: the Initiative that play has come down to.
        phase: what is played; in `resolve` it is too late.
    """
    return phase != "resolve" and cursor <= own


def may_spring(placed: int, foe: int) -> bool:
    """Tell whether somebody lies in wait in time to surprise a foe (CS-436).

    Args:
        placed: the Initiative on which he was in his place, unseen.
        foe: the foe's Initiative.
    """
    return placed > foe


def reaches_spot_in_time(own: int, passed: int) -> bool:
    """Tell whether an act that needs one spot may be done there (CS-435).

    Args:
        own: the Initiative on which he acts.
        passed: the Initiative on which he reaches or passes the spot.
    """
    return passed <= own


def converges(feet: Number, segment_feet: Number) -> bool:
    """Tell whether a mover is brought to the point of contact at once (CS-438).

    Args:
        feet: from him to the point.
        segment_feet: how far he gets in one segment.
    """
    return feet <= segment_feet
