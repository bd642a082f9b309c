"""Objects in play: snatching, handing over, throwing, struggling, catching (CS-200 to CS-227, CS-700)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import tables
from fightcall_engine.systems.segments.rules.checks import Progressive, prog
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum, simplify

MOST_HANDS = 8
"""The most who can struggle for one object; the GM may allow fewer for a small one (CS-205)."""

SHORTEST_FALL = 16
"""Feet below which only those adjacent can reach a falling object (CS-216, CS-217)."""


@frozen
class Struggle:
    """The result of a segment of struggling (CS-206, CS-207).

    Attributes:
        holding: those who still have hands on it.
        flies_off: whether all failed, so that it flies off in a random direction.
    """

    holding: tuple[str, ...]
    flies_off: bool

    @property
    def winner(self) -> str | None:
        """The only one who still holds it, or None."""
        return self.holding[0] if len(self.holding) == 1 else None


def snatch_dv(mph: Number, size: Number) -> Sum:
    """Return the DV of the CRD check to grab an object on the run (CS-201).

    Args:
        mph: the runner's speed.
        size: the object's Size.
    """
    return Sum((Part("speed in mph", mph, "CS-201"), Part("Size of the object", size, "CS-201")))


def leap_dv(feet: Number) -> Sum:
    """Return the DV of the AGL check to leap for an object so many feet away (CS-202)."""
    return Sum((Part("feet to the object", feet, "CS-202"),))


def container_dv(others: int, mph: Number = 0, scale: Progressive = "triangular") -> Sum:
    """Return the DV of the CRD check to find the right object in a container (CS-209).

    Args:
        others: other items in it.
        mph: the searcher's speed. Standing still with nothing in the way needs no check.
        scale: the Progressive scale in use (R-4).
    """
    items = Part(f"{others} other items", prog(others, scale), "CS-209")
    return Sum((items, Part("speed in mph", mph, "CS-209")) if mph else (items,))


def hand_over_dv(giver: Number, receiver: Number) -> Sum | None:
    """Return the DV of the receiver's CRD check; None if both stand still and need none (CS-211, CS-212).

    Args:
        giver: speed of the one who hands it over, in mph.
        receiver: speed of the one who takes it.
    """
    if not giver and not receiver:
        return None
    return Sum((Part("giver's speed in mph", giver, "CS-212"), Part("receiver's speed in mph", receiver, "CS-212")))


def throw_and_catch_dv(distance: Sum, weather: int = 0) -> Sum:
    """Return the DV of both the thrower's AGL check and the catcher's CRD check (CS-213, CS-214).

    Args:
        distance: the DV of the range, as for a hurled weapon.
        weather: what the GM adds for wind and rain; the text gives no number (M-20).
    """
    return Sum((*distance.parts, Part("wind and rain", weather, "CS-214"))) if weather else distance


def struggle(results: Mapping[str, bool]) -> Struggle:
    """Return who still holds an object after a segment of struggling: those whose check succeeded (CS-206, CS-207)."""
    holding = tuple(combatant_id for combatant_id, holds in results.items() if holds)
    return Struggle(holding, flies_off=bool(results) and not holding)


def flies_to(d8: int) -> int:
    """Return the octant into which an object flies off, 0 (east) to 7 counter-clockwise, by a d8 (CS-207).

    Raises:
        ValueError: the roll is not a d8's.
    """
    if not 1 <= d8 <= 8:
        raise ValueError(f"not a d8 roll: {d8}; accepted: 1 to 8")
    return d8 - 1


def struggle_ends(segment: int, joined_late: bool) -> int:
    """Return the last segment of a running struggle, one later if a combatant joined in this one (CS-204)."""
    return segment + 1 if joined_late else segment


def strains(str_modifiers: Iterable[int], stp: int) -> bool:
    """Return whether a struggle may break its object: the hands' STR reaches its structure (CS-208, M-14)."""
    return sum(str_modifiers) >= stp


@cache
def _falls() -> tuple[tuple[int, int], ...]:
    rows = tables.table("falls").get("rows")
    if not isinstance(rows, list):
        raise ValueError("tables/falls.toml: rows must be a list")
    return tuple((int(feet), int(pulses)) for feet, pulses in rows)


def pulses_to_catch(feet: Number) -> int:
    """Return the Pulses until an object lands; 0 below 16 ft (CS-219)."""
    return max((pulses for least, pulses in _falls() if feet >= least), default=0)


def pulses_to_run(feet: Number) -> int:
    """Return the Pulses of movement towards a falling object; 0 below 64 ft (CS-219, L395).

    From 16 ft on there is time for a leap only (CS-216).
    """
    pulses = pulses_to_catch(feet)
    return pulses if pulses > 1 else 0


def may_reach(fall: Number, *, to_start: Number, to_landing: Number, leap: Number, adjacent: bool) -> bool:
    """Return whether a combatant can reach a falling object (CS-216, CS-217).

    Args:
        fall: the height of the fall in feet.
        to_start: feet to where it falls from.
        to_landing: feet to where it lands.
        leap: the length of the leap in feet.
        adjacent: whether either point is at close or common melee distance.
    """
    if fall < SHORTEST_FALL:
        return adjacent
    return adjacent or min(to_start, to_landing) <= leap


def impact(feet: Number, pounds: Number) -> Sum:
    """Return the exact POT of a falling object: 2 for each 3 ft and a tenth of its weight (CS-221).

    Args:
        feet: the height of the fall.
        pounds: its weight.
    """
    return Sum(
        (
            Part("2 for each 3 ft fallen", simplify(Fraction(2 * feet) / 3), "CS-221"),
            Part("weight ÷ 10", simplify(Fraction(pounds) / 10), "CS-221"),
        )
    )


def absorption(msta: int, str_modifier: int, crd_modifier: int, armour: int = 0) -> Sum:
    """Return the POT that the catcher of a falling object takes without harm (CS-222).

    Args:
        msta: modified STA.
        str_modifier: STR modifier.
        crd_modifier: CRD modifier.
        armour: DR of the armour worn.
    """
    parts = [
        Part("modified STA", msta, "CS-222"),
        Part("STR modifier", str_modifier, "CS-222"),
        Part("CRD modifier", crd_modifier, "CS-222"),
    ]
    if armour:
        parts.append(Part("armour DR", armour, "CS-222"))
    return Sum(tuple(parts))


def wounding(pot: Number, absorbed_pot: Number) -> Number:
    """Return the POT of an impact that wounds, 0 or more (CS-223)."""
    return max(0, pot - absorbed_pot)


def catch_dv(feet: Number, pounds: Number) -> Sum:
    """Return the DV of the CRD check to catch an object that falls 16 ft or more: its impact's POT (CS-224, A-28).

    Args:
        feet: the height of the fall.
        pounds: its weight.
    """
    return Sum(tuple(Part(part.label, part.value, "CS-224") for part in impact(feet, pounds).parts))


def catch_dv_by_size(feet: Number, size: Number, scale: Progressive = "triangular") -> Sum:
    """Return that DV by Size and a Progressive value for the feet, for falls under 16 ft (CS-218, A-28).

    Args:
        feet: the height of the fall.
        size: its Size in feet, or its weight in pounds.
        scale: the Progressive scale in use (R-4).
    """
    fallen = Part(f"{ceil(feet)} ft fallen, Progressive", prog(ceil(feet), scale), "CS-218")
    return Sum((Part("Size or weight", size, "CS-218"), fallen))


def keep_whole_av(crd_av: int, stp: int) -> Sum:
    """Return the value of the CRD check to keep a caught fragile object whole (CS-226)."""
    return Sum((Part("CRD", crd_av, "CS-226"), Part("structure of the object", stp, "CS-226")))


Flame: TypeAlias = Literal["near", "contact"]
"""How close cloth is to an open flame."""


def catches_fire_in(flame: Flame) -> int:
    """Return the segments until cloth catches fire: one close to a flame, 0 in it (CS-700)."""
    return 1 if flame == "near" else 0
