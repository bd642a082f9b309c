"""How often one may attack, and what an improvised weapon costs (CS-340 to CS-342, CS-380 to CS-382)."""

from collections.abc import Collection
from fractions import Fraction
from math import ceil
from typing import Literal

from fightcall_engine.systems.segments.formulas.checks import Progressive, prog
from fightcall_engine.systems.segments.formulas.fields import Field, Hand, attack_hands
from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.sums import Part, Sum

LONGEST_ONE_HANDED = Fraction(3, 4)
"""The share of the bearer's height from which an object needs two hands (CS-380, CS-381)."""


def attacks_left(held: Collection[Hand], used: Collection[Hand]) -> tuple[Hand, ...]:
    """Return the hands that may still attack in this Action: each item once, two attacks at most (CS-340, CS-341).

    Args:
        held: the hands with a weapon, shield or sturdy object; something in both hands counts for one of them.
        used: the hands that have attacked in this Action; Reprisals and Opportunity Actions do not count.
    """
    hands: tuple[Hand, ...] = ("R", "L")
    return tuple(hand for hand in hands if hand in held and hand not in used)


def may_attack(field: Field, hand: Hand, *, turns: bool = False) -> bool:
    """Tell whether an item may attack a foe in a field, as one of two targets too (CS-301, CS-302, CS-342).

    Args:
        field: where the foe is.
        hand: the hand that holds it.
        turns: a Turn before or after the attack brings him into view.
    """
    return turns or hand in attack_hands(field)


def improvised_hands(length: Number, height: Number) -> tuple[Literal[1, 2], ...]:
    """Return in how many hands an object may be wielded (CS-380, CS-381).

    Args:
        length: of the object, in feet. At exactly three quarters of the height either will do (A-47).
        height: the bearer's, in feet.
    """
    limit = height * LONGEST_ONE_HANDED
    if length == limit:
        return (1, 2)
    return (1,) if length < limit else (2,)


def improvised_limit(strength: Number, hands: Literal[1, 2]) -> Fraction:
    """Return the pounds up to which an object is no burden: STR / 4 in one hand, STR / 2 in two (CS-380, CS-381)."""
    return Fraction(strength) / (4 if hands == 1 else 2)


def improvised_av(
    av: int, pounds: Number, strength: Number, hands: Literal[1, 2], scale: Progressive = "triangular"
) -> Sum:
    """Return the AV with an improvised weapon (CS-382).

    Args:
        av: the skill used.
        pounds: its weight; what is over the limit counts in whole pounds, fractions up.
        strength: the bearer's effective STR.
        hands: how many hold it.
        scale: the Progressive scale in use (R-4).
    """
    over = max(0, ceil(pounds - improvised_limit(strength, hands)))
    skill = Part("skill", av, "CS-383")
    if not over:
        return Sum((skill,))
    return Sum((skill, Part(f"{over} lb too heavy, Progressive", -prog(over, scale), "CS-382")))
