"""Whom a shot hits that missed: the line it flies on, and how hard those on it are to hit (CS-525 to CS-528)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot

from fightcall_engine.systems.segments.formulas.checks import Progressive, prog
from fightcall_engine.systems.segments.formulas.ranges import Limits
from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.sums import Part, Sum


@dataclass(frozen=True, slots=True)
class Zone:
    """Somebody's circle on the ground.

    Attributes:
        who: his id.
        x: east of the origin, in feet.
        y: north or south of it, in feet.
        height: his height in feet, the diameter of his Zone (CS-682).
    """

    who: str
    x: float
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class InLine:
    """Somebody on the line of fire beyond the target.

    Attributes:
        who: his id.
        distance: from the shooter, in the unit of the weapon's limits, along the line.
    """

    who: str
    distance: Number


def line_of_fire(shooter: Zone, target: Zone, others: Sequence[Zone]) -> tuple[InLine, ...]:
    """Return those beyond the target whose Zones the prolonged line crosses, nearest first, in feet (CS-525).

    The line does not end: `checked` cuts it where the band of the target ends. Two at the same distance stay in the
    order given. A shooter who stands where the target stands has no line.
    """
    east, north = target.x - shooter.x, target.y - shooter.y
    length = hypot(east, north)
    if not length:
        return ()
    found: list[InLine] = []
    for zone in others:
        along = ((zone.x - shooter.x) * east + (zone.y - shooter.y) * north) / length
        aside = abs((zone.x - shooter.x) * north - (zone.y - shooter.y) * east) / length
        if aside <= zone.height / 2 and along > length and zone.who not in (shooter.who, target.who):
            found.append(InLine(zone.who, Fraction(along).limit_denominator(10)))
    return tuple(sorted(found, key=_distance))


def band_end(target: Number, reach: Limits) -> Number | None:
    """Return where the range band of a target ends, in the unit of `reach`; None in extreme range (CS-527).

    Args:
        target: distance of the target that was missed.
        reach: the shooter's limits.
    """
    ends = (reach.point_blank, reach.short, reach.medium, reach.long)
    return next((end for end in ends if target <= end), None)


def stray_targets(line: Sequence[InLine], target: Number, end: Number | None) -> tuple[InLine, ...]:
    """Return those of a line who are checked, nearest first, until somebody is hit (CS-527, CS-528).

    Args:
        line: those in line, with coordinates from `line_of_fire`, without them as the GM lists them.
        target: distance of the target that was missed, in the same unit.
        end: where the range band of the target ends, from `band_end`; where that is None the GM says who is last.
    """
    beyond = [in_line for in_line in line if in_line.distance >= target and (end is None or in_line.distance <= end)]
    return tuple(sorted(beyond, key=_distance))


def size_part(original: int, candidate: int, scale: Progressive = "triangular") -> Part:
    """Return what the size of somebody in line changes in the DV: more for the smaller, less for the larger (CS-526).

    Args:
        original: modified STA of the target that was missed.
        candidate: modified STA of the one in line.
        scale: the Progressive scale in use (R-4).
    """
    smaller = original - candidate
    if smaller >= 0:
        return Part(f"{smaller} points of STA smaller, Progressive", prog(smaller, scale), "CS-526")
    return Part(f"{-smaller} points of STA larger, Progressive", -prog(-smaller, scale), "CS-526")


def stray_dv(own: Sum, original: int, candidate: int, scale: Progressive = "triangular") -> Sum:
    """Return the DV to hit somebody in line (CS-526, A-58).

    Args:
        own: his DV as if he were the target, by his own state and distance; see `shooting.target_dv`.
        original: modified STA of the target that was missed.
        candidate: modified STA of the one in line.
        scale: the Progressive scale in use (R-4).
    """
    return Sum((*own.parts, size_part(original, candidate, scale)))


def _distance(in_line: InLine) -> Number:
    return in_line.distance
