"""Speeds, distances, Fields of Approach, Zones, the DV of shots, stray shots (CS-183 to CS-324, CS-500 to CS-528)."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import atan2, ceil, degrees, hypot, sqrt
from types import MappingProxyType
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.formulas import PULSES_A_SEGMENT, Number, Part, Progressive, Sum, prog, rhu

Rate: TypeAlias = Literal["still", "quarter", "half", "three_quarter", "full"]
"""A recorded rate; `still` for no movement (CS-183, CS-184)."""

SHARES: Mapping[Rate, Fraction] = {rate: Fraction(quarters, 4) for quarters, rate in enumerate(get_args(Rate))}
"""The share of full speed that each rate is (CS-183)."""

FEET_A_SECOND = Fraction(22, 15)
"""Feet a second at 1 mph."""

Field: TypeAlias = Literal["F", "RF", "RS", "RR", "R", "LR", "LS", "LF"]
"""Front, Right Front Flank, Right Side, Right Rear Flank, Rear, and the same on the left (CS-300)."""

Hand: TypeAlias = Literal["R", "L"]
FIELDS: tuple[Field, ...] = get_args(Field)
"""Clockwise from the front."""

OCTANTS = 8
OCTANT_DEGREES = 45
Band: TypeAlias = Literal["point_blank", "short", "medium", "long", "extreme"]
Unit: TypeAlias = Literal["yd", "ft"]
Flight: TypeAlias = Literal["hurled", "arrow"]
"""The types of flight; magick is of either type, by its description (CS-284)."""

# Readings of the text, as the settings with these names say

PulseDistance: TypeAlias = Literal["printed", "exact"]
HurledDvUnit: TypeAlias = Literal["yards", "feet"]

AVERAGE_STR = 13
FEET_A_YARD = 3
LEAST_THROWN_LB = Fraction(1, 4)
"""Pounds below which the GM sets the range of a thrown object (CS-280)."""

LEAST_GAP_FT = 5
"""Feet between two Zones from which they may shoot at each other (CS-251)."""

FLIGHT_FEET_A_SECOND: Mapping[Flight, int] = {"hurled": 50, "arrow": 200}
LATE_BEYOND_FT: Mapping[Flight, int] = {"hurled": 500, "arrow": 2000}


@frozen
class PulseReach:
    """The distance of a speed in one Pulse: a row of table 7-2, with mm at 5, 2 and 1 a foot (CS-231, CS-242)."""

    feet: Number
    mm25: int
    mm10: int
    mm5: int | None


@frozen
class Pace:
    """The speed that a Pulse allows; `capped` if more was wanted (CS-234, CS-235)."""

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


def pulse_reach(mph: Number, distance: PulseDistance = "printed") -> PulseReach:
    """The distance of a speed in one Pulse (CS-231, CS-242).

    `printed` uses table 7-2 with its irregular rows if it has the speed, else the formula behind it; `exact` keeps the
    fraction of a foot and rounds the millimetres once (A-42).
    """
    if mph < 0:
        raise ValueError(f"a speed can't be {mph} mph; use 0 or more")
    if distance == "exact":
        feet = mph * FEET_A_SECOND
        return PulseReach(formulas.simplify(feet), rhu(feet * 5), rhu(feet * 2), rhu(feet))
    return printed_rows().get(Fraction(mph)) or by_formula(mph)


def by_formula(mph: Number) -> PulseReach:
    """The row of a speed by the formula behind table 7-2, with feet rounded twice (section 6.2).

    First to a decimal, then, from 1 ft on, to a whole foot. So 16 mph, 23.47 ft, becomes 23.5 and then 24.
    """
    tenths = Fraction(rhu(mph * FEET_A_SECOND * 10), 10)
    feet = tenths if tenths < 1 else rhu(tenths)
    return PulseReach(formulas.simplify(feet), rhu(mph * FEET_A_SECOND * 5), rhu(mph * FEET_A_SECOND * 2), rhu(tenths))


@cache
def printed_rows() -> Mapping[Fraction, PulseReach]:
    """Table 7-2 as printed, by speed in mph (CS-242)."""
    reaches = {}
    for row in cast("list[list[Number]]", formulas.table("pulse_conversions")["rows"]):
        mph, feet = map(Fraction, row[:2])
        mm25, mm10, *rest = map(int, row[2:])
        reaches[mph] = PulseReach(formulas.simplify(feet), mm25, mm10, rest[0] if rest else None)
    return reaches


def pace(speed: Number, full: Number, streak: int, half: Number | None = None) -> Pace:
    """The speed allowed in a Pulse: at most half in the first of a movement (CS-234, CS-235, A-24)."""
    first = rate_mph(full, "half") if half is None else Fraction(half)
    limit = min(first, Fraction(full)) if streak == 0 else Fraction(full)
    return Pace(formulas.simplify(min(Fraction(speed), limit)), capped=speed > limit)


def streak_after(streak: int, has_moved: bool) -> int:
    """The consecutive Pulses of movement after one more Pulse; standing still ends them (A-24)."""
    return streak + 1 if has_moved else 0


def centimetres(millimetres: int) -> str:
    """A display distance in both forms, such as `7.3 cm (7 cm + 3 mm)` (CS-187)."""
    whole, rest = divmod(millimetres, 10)
    return f"{whole}.{rest} cm ({whole} cm + {rest} mm)"


Scale: TypeAlias = Literal["skirmishing", "half", "fifth"]
"""25 mm for 5 ft, 10 ft or 25 ft (section 6.14)."""

MM_A_FOOT: Mapping[Scale, Fraction] = {"skirmishing": Fraction(5), "half": Fraction(5, 2), "fifth": Fraction(1)}
"""Millimetres of a foot (CS-680)."""

BASE_MM = 25
"""Millimetres of a square of the grid, and the most between those who share a marker (CS-684)."""


@frozen
class PaceOnDisplay:
    """A speed on a movement card: feet a Pulse, and millimetres at 25 mm for 5, 10 and 25 ft (CS-686, A-42)."""

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


def needs_own_marker(feet: Number, scale: Scale) -> bool:
    """Whether a combatant is too far from the group to share its marker: more than 25 mm (CS-684)."""
    return feet * MM_A_FOOT[scale] > BASE_MM


def card(mph: Number, distance: PulseDistance = "printed") -> PaceOnDisplay:
    """A speed on a movement card (CS-686, A-42)."""
    reach = pulse_reach(mph, distance)
    exact = pulse_reach(mph, "exact").feet
    fifth = on_display(exact, "fifth") if reach.mm5 is None else reach.mm5
    return PaceOnDisplay(mph, reach.feet, reach.mm25, on_display(exact, "half"), fifth)


# Fields of Approach, Zones, range bands, the DV of shots, stray shots (CS-251 to CS-324, CS-500 to CS-528)


@frozen
class FieldUse:
    """The hands that can attack without a Turn and defend in a field: a row of section 6.15."""

    key: Field
    label: str
    rule: str
    attack: tuple[Hand, ...] = ()
    defend: tuple[Hand, ...] = ()
    dodge: bool = False
    needs: Literal["", "aware", "warned"] = ""


@frozen
class Defence:
    """The defences against a foe in a field: the hands that reach it, and whether a Dodge is possible."""

    hands: tuple[Hand, ...]
    dodge: bool


NO_DEFENCE = Defence((), False)


def field_by_octant(facing: int, bearing: int) -> Field:
    """A foe's field on a board of eight directions, 0 to 7 counter-clockwise from east (CS-300)."""
    return FIELDS[(facing - bearing) % OCTANTS]


def field_by_degrees(facing: float, bearing: float) -> Field:
    """A foe's field by angles in degrees; exactly between two fields, the one nearer to the front (CS-300)."""
    clockwise = (facing - bearing) % 360
    deviation = clockwise if clockwise <= 180 else clockwise - 360
    octants = max(0, ceil((abs(deviation) - OCTANT_DEGREES / 2) / OCTANT_DEGREES))
    return FIELDS[octants if deviation >= 0 else -octants]


def degrees_on_hexes(dq: int, dr: int) -> float | None:
    """The angle of an axial step between hexes, counter-clockwise from east; None for the same hex."""
    if not dq and not dr:
        return None
    return degrees(atan2(-dr * sqrt(3) / 2, dq + dr / 2)) % 360


def octants_between(item: int, other: int) -> int:
    """The octants between two directions, 0 to 4."""
    difference = (item - other) % OCTANTS
    return min(difference, OCTANTS - difference)


@cache
def uses() -> Mapping[str, FieldUse]:
    """The rows of all fields, clockwise from the front (section 6.15)."""
    return formulas.records(FieldUse, "fields")


def attack_hands(field: Field) -> tuple[Hand, ...]:
    """The hands that can attack in a field without a Turn (CS-301, CS-302, CS-306)."""
    return uses()[field].attack


def defence(field: Field, *, aware: bool = True, warned: bool = False) -> Defence:
    """The defences against a foe in a field (CS-301 to CS-305, A-46).

    The unaware have none at the rear flanks. At the rear there is one only if a friend warned, a check was made or a
    blow from there survived.
    """
    use = uses()[field]
    if (use.needs == "aware" and not aware) or (use.needs == "warned" and not warned):
        return NO_DEFENCE
    return Defence(use.defend, use.dodge)


MeleeMode: TypeAlias = Literal["close", "common"]
OUTREACHED_BY = 2
"""Points of Size by which a longer weapon keeps an attacker away from the body (CS-318)."""

_FRONT: tuple[Field, ...] = ("F", "RF", "LF")


def zone_gap(distance: Number, height: Number, other_height: Number) -> Fraction:
    """The feet between the edges of two Zones, below 0 if they overlap (CS-251, CS-682)."""
    return distance - Fraction(height + other_height) / 2


def kept_off(size: Number, height: Number) -> Fraction:
    """The gap in feet that a weapon keeps: its Size less half its bearer's height (CS-317)."""
    return max(Fraction(0), size - Fraction(height) / 2)


def melee_mode(size: Number, height: Number) -> MeleeMode:
    """The mode of melee in which a defender is attacked; Size 0 for bare hands (CS-315, CS-317, CS-324, A-45)."""
    return "common" if kept_off(size, height) > 0 else "close"


def is_outreached(size: Number, foe_size: Number) -> bool:
    """Whether a foe's longer weapon keeps an attacker away until it gets inside (CS-318)."""
    return foe_size >= size + OUTREACHED_BY


def reach_counts(field: Field, armed_hands: Collection[Hand]) -> bool:
    """Whether a defender's weapon keeps away a foe in a field, by the hands with a weapon (CS-324)."""
    if field in _FRONT:
        return bool(armed_hands)
    return (field == "RS" and "R" in armed_hands) or (field == "LS" and "L" in armed_hands)


# Range bands, the DV of a shot, and the targets of stray shots (CS-251 to CS-285, CS-500 to CS-528)


@frozen
class Weapon:
    """A row of the base limits, at STR 13; `step` is added to all three for each point of STR (CS-268)."""

    key: str
    label: str
    unit: Unit
    short: int
    medium: int
    long: int
    step: int
    rule: str
    extreme: bool = False


@frozen
class Limits:
    """The range limits of a shooter with a weapon, in `unit`; if not `extreme`, none beyond `long` (CS-267, CS-274)."""

    unit: Unit
    point_blank: int
    short: int
    medium: int
    long: int
    extreme: bool

    @property
    def ends(self) -> Mapping[Band, int]:
        """The ends of the bands before extreme range."""
        return {"point_blank": self.point_blank, "short": self.short, "medium": self.medium, "long": self.long}


@cache
def weapons() -> Mapping[str, Weapon]:
    """The base limits by key (CS-268)."""
    return formulas.records(Weapon, "ranges")


def hurled_row(hafted: bool, *, to_wound: bool = True) -> str:
    """The key of the limits of a thrown weapon; not `to_wound`, any has those of a hafted one (CS-272, CS-278)."""
    return "hurled_hafted" if hafted or not to_wound else "hurled_hilted"


def limits(weapon: Weapon, strength: Number = AVERAGE_STR, *, rise: int = 0, factor: Number = 1) -> Limits:
    """The limits of a shooter with a weapon, by STR, `factor` and the rise to the target (CS-269..281, A-08)."""
    stronger = weapon.step * (strength - AVERAGE_STR)
    short, medium, long = (
        max(0, rhu((base + stronger) * factor) - max(0, rise)) for base in (weapon.short, weapon.medium, weapon.long)
    )
    return Limits(weapon.unit, rhu(Fraction(short, 4)), short, medium, long, weapon.extreme)


def band(distance: Number, reach: Limits) -> Band | None:
    """The band of a target; None beyond the greatest range of a crossbow (CS-267, CS-273, CS-275)."""
    beyond: Band | None = "extreme" if reach.extreme else None
    return next((name for name, end in reach.ends.items() if distance <= end), beyond)


def range_dv(distance: Number, reach: Limits, hurled_unit: HurledDvUnit = "yards") -> Sum | None:
    """The DV of the distance, band by band, each rounded on its own; None beyond the greatest range (CS-282, A-07).

    The distance inside the short band costs 1 for each 5 yards, in the medium one 1 for each 3, in the long one 1 a
    yard, beyond it 2 a yard.
    """
    if band(distance, reach) is None:
        return None
    per_yard = FEET_A_YARD if reach.unit == "ft" and hurled_unit == "yards" else 1
    parts = [Part("point-blank", 0, "CS-282")]
    bands = (
        ("short", reach.point_blank, reach.short, Fraction(1, 5)),
        ("medium", reach.short, reach.medium, Fraction(1, 3)),
        ("long", reach.medium, reach.long, Fraction(1)),
        ("extreme", reach.long, None, Fraction(2)),
    )
    for label, begins, ends, each in bands:
        distance_within = (distance if ends is None else min(distance, ends)) - begins
        if distance_within > 0:
            parts.append(Part(f"{label} range", rhu(distance_within * each / per_yard), "CS-282"))
    return Sum(tuple(parts))


def in_unit(feet: Number, unit: Unit) -> Number:
    """A distance in feet in the unit of a weapon's limits."""
    return feet if unit == "ft" else Fraction(feet) / FEET_A_YARD


def throw_factor(*, size: Number, height: Number, pounds: Number, light_enc: Number | None = None) -> Fraction | None:
    """The factor on hafted ranges for a thrown object, the smaller of those by Size and weight (CS-277..279, M-15).

    None if the GM sets the range: it is lighter than a quarter pound (CS-280) or heavier than the limit.
    """
    if pounds < LEAST_THROWN_LB or (light_enc is not None and pounds > light_enc):
        return None
    by_size = next(row.factor for row in _throws() if row.size is None or size <= row.size * height)
    if light_enc is None:
        return by_size
    return min(by_size, next(row.factor for row in _throws() if pounds <= row.weight * light_enc))


@frozen
class _Throw:
    weight: Fraction
    factor: Fraction
    size: Fraction | None = None


@cache
def _throws() -> tuple[_Throw, ...]:
    return tuple(formulas.record_of(_Throw, row) for row in formulas.rows("ranges", "throw"))


def may_shoot(gap: Number) -> bool:
    """Whether two are far enough apart for ranged combat, by feet between their Zones (CS-251)."""
    return gap >= LEAST_GAP_FT


def flight_seconds(feet: Number, flight: Flight) -> Fraction:
    """The exact time of flight in seconds (CS-284)."""
    return Fraction(feet) / FLIGHT_FEET_A_SECOND[flight]


def lands_late(feet: Number, flight: Flight) -> bool:
    """Whether a shot lands at the start of the next segment (CS-285)."""
    return feet > LATE_BEYOND_FT[flight]


Awareness: TypeAlias = Literal["aware", "active", "still"]
"""The target's awareness: aware; unaware but moving; unaware and about still (CS-501 to CS-503)."""

LEAST_DV = 1
"""The DV of an unaware and still target, and its minimum at any range (CS-503, A-06)."""


def target_dv(
    state: Awareness,
    distance: Sum,
    *,
    dodge: Number = 0,
    acting: Number = 0,
    agl: int = 0,
    mph: Number = 0,
    shield: int = 0,
    modifiers: Sequence[Part] = (),
) -> Sum:
    """The DV of a ranged attack (CS-505, A-06). Melee defences do not count (CS-506).

    By the target's awareness the other arguments count or not: the Dodge for the aware, without the part that is
    `acting` (CS-501); AGL modifier for the unaware who move; mph if from point to point (CS-504).
    """
    parts: list[Part] = []
    if state == "aware":
        parts.append(Part("Dodge", dodge, "CS-501"))
        if acting:
            parts.append(Part("Player or Game Face does not count", -acting, "CS-501"))
    elif state == "active":
        parts.append(Part("AGL modifier", agl, "CS-502"))
    if state != "still":
        parts += Sum(()).add("target's speed in mph", mph, "CS-504").add("shield or cover", shield, "CS-504").parts
    total = Sum((*parts, *distance.parts, *modifiers))
    return at_least(total) if state == "still" else total


def at_least(dv: Sum) -> Sum:
    """The DV against an unaware and still target, at least 1 (CS-503, A-06)."""
    return dv.add(_FLOOR, max(0, LEAST_DV - dv.total), "CS-503")


def without_floor(dv: Sum) -> Sum:
    """That DV without its minimum, to add something to it."""
    return Sum(tuple(part for part in dv.parts if part.label != _FLOOR))


_FLOOR = "unaware and still: 1 at least"


@frozen
class Zone:
    """A Zone as a circle on the ground: its middle in feet, and its diameter, the height (CS-682)."""

    who: str
    x: float
    y: float
    height: float


@frozen
class InLine:
    """A combatant on the line of fire beyond the target, so far from the shooter in the unit of the weapon's limits."""

    who: str
    distance: Number


def line_of_fire(shooter: Zone, target: Zone, others: Sequence[Zone]) -> tuple[InLine, ...]:
    """Those beyond the target whose Zones the prolonged line crosses, nearest first, in feet (CS-525).

    The line does not end: `stray_targets` cuts it at the end of the target's band. Two at the same distance keep the
    given order. A shooter at the target's place has no line.
    """
    east, north = target.x - shooter.x, target.y - shooter.y
    length = hypot(east, north)
    if not length:
        return ()
    figures: list[InLine] = []
    for zone in others:
        along = ((zone.x - shooter.x) * east + (zone.y - shooter.y) * north) / length
        deviation = abs((zone.x - shooter.x) * north - (zone.y - shooter.y) * east) / length
        if deviation <= zone.height / 2 and along > length and zone.who not in (shooter.who, target.who):
            figures.append(InLine(zone.who, Fraction(along).limit_denominator(10)))
    return tuple(sorted(figures, key=lambda each: each.distance))


def band_end(target: Number, reach: Limits) -> Number | None:
    """The end of a target's range band, in the unit of `reach`; None in extreme range (CS-527)."""
    return next((end for end in reach.ends.values() if target <= end), None)


def stray_targets(line: Sequence[InLine], target: Number, end: Number | None) -> tuple[InLine, ...]:
    """Those in line who are checked, nearest first, until one is hit; with no end the GM decides (CS-527, CS-528)."""
    beyond = [in_line for in_line in line if in_line.distance >= target and (end is None or in_line.distance <= end)]
    return tuple(sorted(beyond, key=lambda each: each.distance))


def size_part(original: int, candidate: int, scale: Progressive = "triangular") -> Part:
    """The DV for the modified STA of a combatant in line: more for the smaller, less for the larger (CS-526)."""
    smaller = original - candidate
    if smaller >= 0:
        return Part(f"{smaller} points of STA smaller, Progressive", prog(smaller, scale), "CS-526")
    return Part(f"{-smaller} points of STA larger, Progressive", -prog(-smaller, scale), "CS-526")


def stray_dv(own: Sum, original: int, candidate: int, scale: Progressive = "triangular") -> Sum:
    """The DV to hit a combatant in line, from that as if it were the target (CS-526, A-58)."""
    return Sum((*own.parts, size_part(original, candidate, scale)))
