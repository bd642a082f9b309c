"""The tactical display: its scale, the size of Zones and moves on it, and shared markers (CS-680 to CS-686)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from fightcall_engine.kit.views import Trail, TrailPart, Trails
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.actions import moves
from fightcall_engine.systems.segments.positions import places, ways
from fightcall_engine.systems.segments.rules import movement
from fightcall_engine.systems.segments.rules.movement import PulseDistance, Rate
from fightcall_engine.systems.segments.state import queries
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

RATES: tuple[Rate, ...] = ("quarter", "half", "three_quarter", "full")


def reminders(state: FightState) -> tuple[str, ...]:
    """CS-685: a reminder of an unusual scale."""
    scale = queries.scale_of(state)
    if scale == "skirmishing":
        return ()
    return (f"Display: 25 mm = {_plain(movement.square_feet(scale))} ft ({scale})",)


# Markers


def markers(state: FightState) -> tuple[tuple[str, ...], ...]:
    """CS-684: groups that share a marker at a small scale: those of a side within 25 mm of another of the group.

    At the usual scale, or without a place on the board, everybody has their own.
    """
    if queries.scale_of(state) == "skirmishing":
        return tuple((combatant.id,) for combatant in state.roster)
    groups: list[list[Combatant]] = []
    for combatant in state.roster:
        near = [group for group in groups if any(not _are_apart(state, combatant, other) for other in group)]
        members = [other for group in near for other in group]
        groups = [group for group in groups if group not in near]
        groups.append([*members, combatant])
    return tuple(tuple(combatant.id for combatant in group) for group in groups)


def _are_apart(state: FightState, combatant: Combatant, other: Combatant) -> bool:
    if combatant.side != other.side:
        return True
    feet = places.distance_ft(state, combatant, other)
    return feet is None or movement.needs_own_marker(feet, queries.scale_of(state))


# Movement cards


def _plain(number: Fraction | int) -> str:
    return f"{float(number):g}"


def pace_words(mph: Fraction | int, distance: PulseDistance) -> str:
    """CS-242, CS-686: a speed in feet a Pulse and on all scales, with the printed row if the table has it."""
    card, reach = movement.card(mph, distance), movement.pulse_reach(mph, distance)
    table_text = f"{reach.mm25}/{reach.mm10}/{'-' if reach.mm5 is None else reach.mm5} mm"
    scales = f"{card.skirmishing} mm skirmishing, {card.half} mm half, {card.fifth} mm fifth"
    return f"{_plain(reach.feet)} ft a Pulse; {scales}; table 7-2: {table_text}"


def leaps(combatant: Combatant) -> Mapping[str, float]:
    """Leap and Running Leap in feet, if the sheet has them."""
    profile = profile_of(combatant)
    lengths = {"leap": profile.leap, "running_leap": profile.running_leap}
    return {name: float(feet) for name, feet in lengths.items() if feet is not None}


def fields(state: FightState, combatant: Combatant) -> Mapping[str, Json]:
    """CS-682, CS-686: Zone and speeds on the display, in the protocol."""
    distance = ways.distance_reading(state)
    paces = {}
    for rate in RATES:
        mph = moves.speed_of(combatant, rate)
        card, reach = movement.card(mph, distance), movement.pulse_reach(mph, distance)
        paces[rate] = {
            "mph": float(mph),
            "feet": float(reach.feet),
            "mm": {"skirmishing": card.skirmishing, "half": card.half, "fifth": card.fifth},
            "table": [reach.mm25, reach.mm10, reach.mm5],
        }
    return {
        "zone_mm": movement.zone_mm(profile_of(combatant).height, queries.scale_of(state)),
        "pace": paces,
        **leaps(combatant),
    }


# Explanations


def _scale(state: FightState, combatant: Combatant) -> Trail:
    scale = queries.scale_of(state)
    parts = []
    for other in queries.SCALES:
        feet, each = _plain(movement.square_feet(other)), _plain(movement.MM_A_FOOT[other])
        use_text = ", in use" if other == scale else ""
        parts.append(TrailPart(f"{other}{use_text}", f"25 mm = {feet} ft, 1 ft = {each} mm", "CS-680"))
    if settings_of(state).grid:
        parts.append(TrailPart("grid", "squares of 1 inch, 5 ft each", "CS-681"))
    return Trail("scale", scale, tuple(parts))


def _zone(state: FightState, combatant: Combatant) -> Trail:
    scale = queries.scale_of(state)
    height, wide = profile_of(combatant).height, movement.zone_mm(profile_of(combatant).height, scale)
    parts = (
        TrailPart("height", f"{_plain(height)} ft", "CS-682"),
        TrailPart(f"at {_plain(movement.MM_A_FOOT[scale])} mm a foot", movement.centimetres(wide), "CS-187"),
        TrailPart("fields, clockwise from the front", "F RF RS RR R LR LS LF", "CS-683"),
        TrailPart("reach and shuffling space: free to move inside it", "", "CS-688"),
    )
    return Trail("zone", f"{wide} mm across", parts)


def _pace(state: FightState, combatant: Combatant) -> Trail:
    distance = ways.distance_reading(state)
    parts = []
    for rate in RATES:
        mph = moves.speed_of(combatant, rate)
        parts.append(TrailPart(f"{rate.replace('_', '-')}, {_plain(mph)} mph", pace_words(mph, distance), "CS-686"))
    parts += [TrailPart(name.replace("_", " "), f"{feet:g} ft", "CS-686") for name, feet in leaps(combatant).items()]
    return Trail("pace", f"{_plain(profile_of(combatant).full_speed)} mph", tuple(parts))


def _marker(state: FightState, combatant: Combatant) -> Trail:
    group = next((group for group in markers(state) if combatant.id in group), (combatant.id,))
    names = ", ".join(state.combatants[combatant_id].name for combatant_id in group)
    return Trail(
        "marker", "its own" if len(group) == 1 else "shared", (TrailPart(queries.scale_of(state), names, "CS-684"),)
    )


TRAILS: Trails = {"scale": _scale, "zone": _zone, "pace": _pace, "marker": _marker}
"""The explanations about the display."""


def pace_of(state: FightState, combatant: Combatant, text: str) -> Trail:
    """A speed on all scales, for ``pace 7`` (CS-242, CS-686).

    Raises:
        Refused: it is not a speed.
    """
    mph = _number(text, "CS-242", "speed in mph")
    words = pace_words(mph, ways.distance_reading(state))
    return Trail("pace", f"{_plain(mph)} mph", (TrailPart(f"{_plain(mph)} mph", words, "CS-242"),))


def feet_on_display(state: FightState, combatant: Combatant, distance_text: str) -> Trail:
    """A distance on all scales, for ``on_display 400`` (CS-680, CS-187).

    Raises:
        Refused: it is not a distance.
    """
    feet = _number(distance_text, "CS-680", "distance in feet")
    parts = tuple(
        TrailPart(scale, f"{wide} mm = {movement.centimetres(wide)}", "CS-680")
        for scale in queries.SCALES
        for wide in (movement.on_display(feet, scale),)
    )
    return Trail("on_display", f"{movement.on_display(feet, queries.scale_of(state))} mm", parts)


def _number(text: str, rule: str, what: str) -> Fraction:
    try:
        number = Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not 0 <= number <= 1_000_000:
        raise Refused(rule, f"{text!r} is not a {what}", ("0 or more",), final=True)
    return number


ARGUMENT_TRAILS = {"pace": pace_of, "on_display": feet_on_display}
"""The explanations that need a number, such as ``pace 7`` and ``on_display 400``."""
