"""Speeds, the distance of a segment and of a Pulse, their measure on the display (CS-183..242, CS-680..686)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.rules.clock import PULSES_A_SEGMENT
from fightcall_engine.systems.segments.rules.numbers import Number, rhu

Rate: TypeAlias = Literal["still", "quarter", "half", "three_quarter", "full"]
"""A recorded rate; `still` for no movement (CS-183, CS-184)."""

PulseDistance: TypeAlias = Literal["printed", "exact"]
"""Whether feet and millimetres are those printed in table 7-2, or computed from the speed (A-42)."""

SHARES: Mapping[Rate, Fraction] = {
    "still": Fraction(0),
    "quarter": Fraction(1, 4),
    "half": Fraction(1, 2),
    "three_quarter": Fraction(3, 4),
    "full": Fraction(1),
}
"""The share of full speed that each rate is (CS-183)."""

FEET_A_SECOND = Fraction(22, 15)
"""Feet a second at 1 mph."""


@frozen
class PulseReach:
    """The distance of a speed in one Pulse: a row of table 7-2 (CS-231, CS-242).

    Attributes:
        feet: feet; a fraction only below 1 mph, or with exact distances.
        mm25: millimetres where 25 mm are 5 ft (5 mm a foot).
        mm10: millimetres at 2 mm a foot.
        mm5: millimetres at 1 mm a foot; None if not printed.
    """

    feet: Number
    mm25: int
    mm10: int
    mm5: int | None


@frozen
class Pace:
    """The speed that a Pulse allows (CS-234, CS-235).

    Attributes:
        mph: the allowed speed.
        capped: whether more was wanted.
    """

    mph: Number
    capped: bool


def rate_mph(full: Number, rate: Rate) -> Fraction:
    """The speed of a rate in mph, exact (CS-183)."""
    return Fraction(full) * SHARES[rate]


def rate_of(mph: Number, full: Number, speeds: Mapping[Rate, Number] = MappingProxyType({})) -> Rate:
    """The rate to record for a speed up to the full one: the lowest that reaches it (CS-184).

    `speeds` has the rates that are not exact shares of full speed (CS-183).
    """
    if not 0 <= mph <= full:
        raise ValueError(f"{mph} mph is out of range; accepted: 0 to {full}")
    return next(rate for rate, share in SHARES.items() if rate == "full" or mph <= speeds.get(rate, full * share))


def segment_feet(mph: Number, *, pulses: bool = False, distance: PulseDistance = "printed") -> int:
    """The distance of a speed in one segment, in whole feet; with Pulses, ten times that of one (CS-186, A-42)."""
    if pulses:
        return rhu(PULSES_A_SEGMENT * pulse_reach(mph, distance).feet)
    return rhu(mph * FEET_A_SECOND * PULSES_A_SEGMENT)


def feet_left(limit: int, feet_used: int) -> int:
    """What is left of a segment's movement, shared by all its passes (CS-097)."""
    return max(0, limit - feet_used)


def pulse_reach(mph: Number, distance: PulseDistance = "printed") -> PulseReach:
    """The distance of a speed in one Pulse (CS-231, CS-242).

    `printed` uses table 7-2 with its irregular rows if it has the speed, else the formula behind it; `exact` keeps the
    fraction of a foot and rounds the millimetres once (A-42).
    """
    if mph < 0:
        raise ValueError(f"a speed can't be {mph} mph; use 0 or more")
    if distance == "exact":
        feet = mph * FEET_A_SECOND
        return PulseReach(_plain(feet), rhu(feet * 5), rhu(feet * 2), rhu(feet))
    return printed_rows().get(Fraction(mph)) or by_formula(mph)


def by_formula(mph: Number) -> PulseReach:
    """The row of a speed by the formula behind table 7-2, with feet rounded twice (section 6.2).

    First to a decimal, then, from 1 ft on, to a whole foot. So 16 mph, 23.47 ft, becomes 23.5 and then 24.
    """
    tenths = Fraction(rhu(mph * FEET_A_SECOND * 10), 10)
    feet = tenths if tenths < 1 else rhu(tenths)
    return PulseReach(_plain(feet), rhu(mph * FEET_A_SECOND * 5), rhu(mph * FEET_A_SECOND * 2), rhu(tenths))


@cache
def printed_rows() -> Mapping[Fraction, PulseReach]:
    """Table 7-2 as printed, by speed in mph (CS-242)."""
    rows = numbers.table("pulse_conversions").get("rows")
    if not isinstance(rows, list):
        raise ValueError("tables/pulse_conversions.toml: rows must be a list")
    return dict(_printed_row(row) for row in rows)


def _printed_row(row: Sequence[object]) -> tuple[Fraction, PulseReach]:
    mph, feet, *cells = (numbers.number_of(cell, "table 7-2") for cell in row)
    mm25, mm10, *rest = map(int, cells)
    return mph, PulseReach(_plain(feet), mm25, mm10, rest[0] if rest else None)


def pace(speed: Number, full: Number, streak: int, half: Number | None = None) -> Pace:
    """The speed allowed in a Pulse: at most half in the first of a movement (CS-234, CS-235, A-24)."""
    first = rate_mph(full, "half") if half is None else Fraction(half)
    limit = min(first, Fraction(full)) if streak == 0 else Fraction(full)
    return Pace(_plain(min(Fraction(speed), limit)), capped=speed > limit)


def streak_after(streak: int, has_moved: bool) -> int:
    """The consecutive Pulses of movement after one more Pulse; standing still ends them (A-24)."""
    return streak + 1 if has_moved else 0


def centimetres(millimetres: int) -> str:
    """A display distance in both forms, such as `7.3 cm (7 cm + 3 mm)` (CS-187)."""
    whole, rest = divmod(millimetres, 10)
    return f"{whole}.{rest} cm ({whole} cm + {rest} mm)"


def _plain(number: Number) -> Number:
    """A whole number as an int, so that it is shown without a denominator."""
    exact = Fraction(number)
    return int(exact) if exact.denominator == 1 else exact


Scale: TypeAlias = Literal["skirmishing", "half", "fifth"]
"""25 mm for 5 ft, 10 ft or 25 ft (section 6.14)."""

MM_A_FOOT: Mapping[Scale, Fraction] = {"skirmishing": Fraction(5), "half": Fraction(5, 2), "fifth": Fraction(1)}
"""Millimetres of a foot (CS-680)."""

BASE_MM = 25
"""Millimetres of a square of the grid, and the most between those who share a marker (CS-684)."""


@frozen
class PaceOnDisplay:
    """A speed on a movement card (CS-686).

    Attributes:
        mph: the speed.
        feet: feet a Pulse.
        skirmishing: millimetres a Pulse at 25 mm : 5 ft.
        half: at 25 mm : 10 ft, at 2.5 mm a foot; the printed table has 2 mm a foot instead (A-42).
        fifth: at 25 mm : 25 ft.
    """

    mph: Number
    feet: Number
    skirmishing: int
    half: int
    fifth: int


def on_display(feet: Number, scale: Scale = "skirmishing") -> int:
    """A distance on the display in millimetres (CS-680)."""
    return rhu(feet * MM_A_FOOT[scale])


def from_display(millimetres: Number, scale: Scale = "skirmishing") -> Fraction:
    """The feet of a distance on the display (CS-680, CS-685)."""
    return millimetres / MM_A_FOOT[scale]


def square_feet(scale: Scale = "skirmishing") -> Fraction:
    """The feet of an inch or 25 mm of the display (CS-680, CS-681)."""
    return from_display(BASE_MM, scale)


def zone_mm(height: Number, scale: Scale = "skirmishing") -> int:
    """The width of a Zone on the display in millimetres: that of the height in feet (CS-682)."""
    return on_display(height, scale)


def needs_own_marker(feet: Number, scale: Scale) -> bool:
    """Whether a combatant is too far from the group to share its marker: more than 25 mm (CS-684)."""
    return feet * MM_A_FOOT[scale] > BASE_MM


def card(mph: Number, distance: PulseDistance = "printed") -> PaceOnDisplay:
    """A speed on a movement card (CS-686, A-42)."""
    reach = pulse_reach(mph, distance)
    exact = pulse_reach(mph, "exact").feet
    fifth = on_display(exact, "fifth") if reach.mm5 is None else reach.mm5
    return PaceOnDisplay(mph, reach.feet, reach.mm25, on_display(exact, "half"), fifth)
