"""The tactical display: scales, and how large Zones and moves are on it (CS-680 to CS-686)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.movement import PulseDistance, pulse_reach
from fightcall_engine.systems.segments.formulas.rounding import Number, rhu

Scale: TypeAlias = Literal["skirmishing", "half", "fifth"]
"""25 mm for 5 ft, 10 ft or 25 ft (section 6.14)."""

MM_A_FOOT: Mapping[Scale, Fraction] = {"skirmishing": Fraction(5), "half": Fraction(5, 2), "fifth": Fraction(1)}
"""Millimetres of a foot (CS-680)."""

BASE_MM = 25
"""Millimetres of one square inch of a grid, and how far someone is from a group that shares a marker (CS-684)."""


@dataclass(frozen=True, slots=True)
class PaceOnDisplay:
    """What a movement card says of one speed (CS-686).

    Attributes:
        mph: the speed.
        feet: feet a Pulse.
        skirmishing: millimetres a Pulse at 25 mm : 5 ft.
        half: at 25 mm : 10 ft, reckoned at 2.5 mm a foot; the printed table has 2 mm a foot instead (A-42).
        fifth: at 25 mm : 25 ft.
    """

    mph: Number
    feet: Number
    skirmishing: int
    half: int
    fifth: int


def on_display(feet: Number, scale: Scale = "skirmishing") -> int:
    """Return how many millimetres a distance is on the display (CS-680)."""
    return rhu(feet * MM_A_FOOT[scale])


def from_display(millimetres: Number, scale: Scale = "skirmishing") -> Fraction:
    """Return how many feet a distance on the display stands for (CS-680, CS-685)."""
    return millimetres / MM_A_FOOT[scale]


def square_feet(scale: Scale = "skirmishing") -> Fraction:
    """Return how many feet an inch or 25 mm of the display stands for (CS-680, CS-681)."""
    return from_display(BASE_MM, scale)


def zone_mm(height: Number, scale: Scale = "skirmishing") -> int:
    """Return how wide somebody's Zone is on the display: his height in feet (CS-682)."""
    return on_display(height, scale)


def needs_own_marker(feet: Number, scale: Scale) -> bool:
    """Tell whether somebody is too far from his group to share its marker: more than 25 mm (CS-684)."""
    return feet * MM_A_FOOT[scale] > BASE_MM


def card(mph: Number, distance: PulseDistance = "printed") -> PaceOnDisplay:
    """Return what a movement card says of one speed (CS-686, A-42).

    Args:
        mph: the speed.
        distance: as table 7-2 prints it, or exact.
    """
    reach = pulse_reach(mph, distance)
    exact = pulse_reach(mph, "exact").feet
    fifth = on_display(exact, "fifth") if reach.mm5 is None else reach.mm5
    return PaceOnDisplay(mph, reach.feet, reach.mm25, on_display(exact, "half"), fifth)
