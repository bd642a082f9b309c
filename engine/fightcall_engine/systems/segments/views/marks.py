"""Marks on the board: Fields of Approach, paths, lines of fire; and the display's scale (CS-230, CS-680 to CS-686)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import hypot

from fightcall_engine.board.base import Location
from fightcall_engine.kit.views import Mark, Trail, TrailPart, Trails
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.actions import moves
from fightcall_engine.systems.segments.combat import attack_values, blow_effects, shooting
from fightcall_engine.systems.segments.round import steps
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.clock import PULSES_A_SEGMENT
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.rules.ranges import Field, Hand, Limits, PulseDistance, Rate
from fightcall_engine.systems.segments.state import items, paths, places, queries, rolls
from fightcall_engine.systems.segments.state.paths import Ground, in_thousandths
from fightcall_engine.systems.segments.state.queries import RANGED, SHOOT, action_of, targets_of
from fightcall_engine.systems.segments.state.records import HURLED, MISSILE, Blow, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.weapon_uses import item_of

RATES: tuple[Rate, ...] = ("quarter", "half", "three_quarter", "full")


# Fields of Approach


def marks_of(state: FightState, combatant_id: str) -> tuple[Mark, ...]:
    """The planned paths of all, and over them the selected combatant's lines of fire and fields."""
    if state.status == "closed":
        return ()
    marks = (*_planned_path_marks(state, combatant_id), *_knock_back_marks(state))
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return marks
    # Those in the line of fire are marked over all else, as they may be neighbours.
    return (
        *marks,
        *(mark for blow in _shots_of(state, combatant) for mark in _line(state, combatant, blow)),
        *_fields_about(state, combatant),
        *_endangered_marks(state, combatant),
    )


def _knock_back_marks(state: FightState) -> tuple[Mark, ...]:
    """CS-560: the way that a blow has driven a combatant, while the check of footing is open."""
    marks = []
    for combatant, way in blow_effects.knocked_back_paths(state):
        to = state.board.name_of(combatant.at) if state.board is not None and combatant.at is not None else ""
        for place in way:
            label = f"{combatant.name} was driven back to {to}"
            marks.append(Mark(place, _arrow(state, place, combatant), "warn", label, aloud=place == way[0]))
    return tuple(marks)


def _arrow(state: FightState, start: Location, combatant: Combatant) -> str:
    assert combatant.at is not None
    x, y = shooting.middle_of(state, start)
    to_x, to_y = shooting.middle_of(state, combatant.at)
    east, south = to_x - x, to_y - y
    if abs(south) * 2 <= abs(east):
        return ">" if east > 0 else "<"
    if abs(east) * 2 <= abs(south):
        return "v" if south > 0 else "^"
    return "\\" if (east > 0) == (south > 0) else "/"


def _fields_about(state: FightState, combatant: Combatant) -> tuple[Mark, ...]:
    """CS-683: the field of each neighbouring place, and what can be done there."""
    if state.board is None or combatant.at is None or not combatant.able or not places.can_measure(state, combatant):
        return ()
    marks = []
    for place in state.board.neighbours(combatant.at):
        field = places.field_at(state, combatant, place)
        if field is not None:
            tone, label = field_use(combatant, field)
            marks.append(Mark(place, field, tone, label, who=combatant.id, kind="side"))
    return tuple(marks)


def field_use(combatant: Combatant, field: Field) -> tuple[str, str]:
    """What a combatant can do in a field without a Turn, as a tone and in words (section 6.15)."""
    use = ranges.uses()[field]
    if field in places.shut_fields(combatant):
        return "plain", f"{use.label}: closed by the formation (CS-308)"
    in_hand = items.items_in_hand(combatant)
    free: tuple[Hand, ...] = tuple(in_hand) or items.HANDS
    strikes = [hand for hand in use.attack if hand in free]
    guards = [hand for hand in use.defend if hand in in_hand]
    attack = f"attack with {_weapon_names(combatant, strikes)}" if strikes else "no attack without a Turn"
    defences = [*([_weapon_names(combatant, guards)] if guards else []), *(["Dodge"] if use.dodge else [])]
    needs = {"aware": ", if aware of the attack", "warned": ", if warned"}.get(use.needs, "")
    defend = f"defend with {' or '.join(defences)}{needs}" if defences else "no defence"
    tone = "good" if strikes else "warn" if guards or (use.dodge and use.needs != "warned") else "bad"
    return tone, f"{use.label}: {attack}; {defend} ({use.rule})"


def _weapon_names(combatant: Combatant, hands: list[Hand]) -> str:
    items_by_hand = items.items_in_hand(combatant)
    names = dict.fromkeys(items.name_of(items_by_hand[hand]) if hand in items_by_hand else items.BARE for hand in hands)
    return " or ".join(names)


# Planned paths


def _planned_path_marks(state: FightState, combatant_id: str) -> tuple[Mark, ...]:
    """CS-230: where each coming Pulse ends for all with planned paths, numbered by the Pulses.

    Others are not in the way here. Hidden combatants are only shown if selected.
    """
    planners = [
        combatant
        for combatant in queries.all_able(state)
        if fighter_of(combatant).plan and (not combatant.hidden or combatant.id == combatant_id)
    ]
    if not planners or state.board is None:
        return ()
    ground = Ground(state)
    last = {combatant.id: combatant for combatant in planners if combatant.id == combatant_id}
    in_order = [*(combatant for combatant in planners if combatant.id != combatant_id), *last.values()]
    return tuple(
        Mark(
            place,
            str(number),
            "info" if combatant.id == combatant_id else "plain",
            f"{combatant.name}, Pulse {number}",
            who=combatant.id,
            kind="moment",
        )
        for combatant in in_order
        if places.can_measure(state, combatant)
        for number, place in _pulse_ends(state, combatant, ground)
    )


def _pulse_ends(state: FightState, combatant: Combatant, ground: Ground) -> Iterator[tuple[int, Location]]:
    speed, limits = (
        moves.planned_speed(combatant),
        (profile_of(combatant).full_speed, moves.speed_of(combatant, "half")),
    )
    reading, streak = paths.distance_reading(state), fighter_of(combatant).streak
    running = queries.kind_of(state) == queries.PULSE
    has_moved = steps.has_moved_in_pulse(state, combatant)
    number = battle_of(state).pulse + (1 if has_moved or not running else 0)
    budget, left = in_thousandths(fighter_of(combatant).carry), in_thousandths(paths.feet_left(state, combatant))
    way = paths.places_of_way(state, fighter_of(combatant).plan)
    ahead, last = next(way, None), combatant.at
    while ahead is not None and number <= PULSES_A_SEGMENT and left > 0:
        feet = min(in_thousandths(steps.full_stride(speed, limits, streak > 0, reading).feet), left)
        streak, budget, left, here = streak + 1, budget + feet, left - feet, None
        while ahead is not None and ground.price(last, ahead) <= budget:
            budget -= ground.price(last, ahead)
            here, last, ahead = ahead, ahead, next(way, None)
        if here is not None:
            yield number, here
        number += 1


ON_THE_LINE, BEYOND, IN_DANGER = "*", "-", "!"
"""The marks of places up to the target, of those where a miss flies on, and of combatants there."""


# The line of a declared shot


def _shots_of(state: FightState, combatant: Combatant) -> Iterator[Blow]:
    action = action_of(combatant)
    if not action.is_open or action.kind not in RANGED or state.board is None or combatant.at is None:
        return
    kind = MISSILE if action.kind == SHOOT else HURLED
    for target in targets_of(state, action):
        if target.at is not None and target.at != combatant.at and places.can_measure(state, combatant, target):
            yield Blow(combatant.id, target.id, kind, action.weapon, attack=action.attack)


def _endangered_marks(state: FightState, combatant: Combatant) -> tuple[Mark, ...]:
    """CS-525: the combatants where a miss flies on."""
    marks = []
    for blow in _shots_of(state, combatant):
        target = state.combatants[blow.target]
        for each in shooting.combatants_in_line(state, blow):
            other = state.combatants[each.who]
            if other.at is not None:
                marks.append(Mark(other.at, IN_DANGER, "warn", f"{other.name}: in line behind {target.name}"))
    return tuple(marks)


def _short_text(state: FightState, combatant: Combatant, blow: Blow) -> str:
    """A shot in few words: ``Raider 2: short, 20 yd; behind: Raider 3``."""
    target = state.combatants[blow.target]
    others = ", ".join(state.combatants[each.who].name for each in shooting.combatants_in_line(state, blow))
    feet, reach = attack_values.distance_of(state, combatant, target, blow), attack_values.reach_of(state, blow)
    range_text = "range not known"
    if feet is not None and reach is not None:
        range_text = f"{_band(feet, reach)}, {float(ranges.in_unit(feet, reach.unit)):.0f} {reach.unit}"
    clear = "" if attack_values.has_clear_line(state, combatant, target, blow.weapon) else ", no clear line"
    return f"{target.name}: {range_text}{clear}" + (f"; behind: {others}" if others else "")


def _line(state: FightState, combatant: Combatant, blow: Blow) -> Iterator[Mark]:
    board, target = state.board, state.combatants[blow.target]
    if board is None or combatant.at is None or target.at is None:
        return
    yield Mark(target.at, "", label=_short_text(state, combatant, blow), aloud=True)
    tone = "info" if attack_values.has_clear_line(state, combatant, target, blow.weapon) else "bad"
    reach, before = attack_values.reach_of(state, blow), ""
    up_to = [place for place in board.sight(combatant.at, target.at).cells if place not in (combatant.at, target.at)]
    beyond = _places_beyond(state, combatant, target, blow) if tone == "info" else ()
    for place in (*up_to, *beyond):
        band = _band(_feet(state, combatant.at, place), reach)
        plain, mark_tone = (BEYOND, "warn") if place in beyond else (ON_THE_LINE, tone)
        words = f"line of fire to {target.name}" if plain == ON_THE_LINE else f"where a miss of {target.name} flies on"
        label = ", ".join(filter(None, (words, band and f"{band} range")))
        yield Mark(place, band[:1].upper() if band != before else plain, mark_tone, label)
        before = band or before


def _feet(state: FightState, here: Location, there: Location) -> Fraction:
    assert state.board is not None
    return exact(state.board.length(here, there) / state.board.scale) * places.feet_per_place(state.board)


def _band(feet: Fraction, reach: Limits | None) -> str:
    """The band of a distance in words; empty without the weapon's limits."""
    if reach is None:
        return ""
    band = ranges.band(ranges.in_unit(feet, reach.unit), reach)
    return (band or "out of").replace("_", "-")


def _places_beyond(state: FightState, combatant: Combatant, target: Combatant, blow: Blow) -> tuple[Location, ...]:
    """CS-525, CS-527: the places behind the target on the same line, within its range band and in sight."""
    board = state.board
    if board is None or combatant.at is None or target.at is None:
        return ()
    x, y = shooting.middle_of(state, combatant.at)
    to_x, to_y = shooting.middle_of(state, target.at)
    length = hypot(to_x - x, to_y - y)
    east, south = (to_x - x) / length, (to_y - y) / length
    end = shooting.band_end_ft(state, blow, _feet(state, combatant.at, target.at))
    half = float(places.feet_per_place(state.board)) / 2
    candidates: list[tuple[float, Location]] = []
    for place in board.places():
        off_x, off_y = (there - here for there, here in zip(shooting.middle_of(state, place), (x, y), strict=True))
        along, deviation = off_x * east + off_y * south, abs(off_x * south - off_y * east)
        if along > length + half and deviation <= half and (end is None or along <= end):
            candidates.append((along, place))
    is_lobbed = item_of(combatant, blow.weapon).get("lob") is True
    return tuple(place for _, place in sorted(candidates) if is_lobbed or board.sees(combatant.at, place))


# Explanations


def _range(state: FightState, combatant: Combatant) -> Trail:
    """CS-268 to CS-282: the limits of the bands, the DV of the distance, and those in line behind."""
    blow = next(_shots_of(state, combatant), None)
    reach = attack_values.reach_of(state, blow) if blow is not None else None
    if blow is None or reach is None:
        return Trail("range", "no shot on the board is declared", ())
    limits = (
        ("point-blank", reach.point_blank, "CS-274"), ("short", reach.short, "CS-268"),
        ("medium", reach.medium, "CS-268"), ("long", reach.long, "CS-268"),
    )  # fmt: skip
    parts = [TrailPart(f"{name} to", f"{limit} {reach.unit}", rule) for name, limit, rule in limits]
    distance_sum = attack_values.range_sum(state, blow)
    parts += [TrailPart(*part) for part in rolls.parts_of(distance_sum)] if distance_sum is not None else []
    for each in shooting.combatants_in_line(state, blow):
        feet = "" if each.feet is None else f"{float(each.feet):g} ft"
        parts.append(TrailPart(f"in line behind: {state.combatants[each.who].name}", feet, "CS-525"))
    return Trail("range", _short_text(state, combatant, blow), tuple(parts))


RANGE_TRAILS: Trails = {"range": _range}
"""The explanations about a declared shot."""


# The tactical display


def reminders(state: FightState) -> tuple[str, ...]:
    """CS-685: a reminder of an unusual scale."""
    scale = queries.scale_of(state)
    if scale == "skirmishing":
        return ()
    return (f"Display: 25 mm = {_plain(ranges.square_feet(scale))} ft ({scale})",)


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
    return feet is None or ranges.needs_own_marker(feet, queries.scale_of(state))


# Movement cards


def _plain(number: Fraction | int) -> str:
    return f"{float(number):g}"


def _pace_words(mph: Fraction | int, distance: PulseDistance) -> str:
    """CS-242, CS-686: a speed in feet a Pulse and on all scales, with the printed row if the table has it."""
    card, reach = ranges.card(mph, distance), ranges.pulse_reach(mph, distance)
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
    distance = paths.distance_reading(state)
    paces = {}
    for rate in RATES:
        mph = moves.speed_of(combatant, rate)
        card, reach = ranges.card(mph, distance), ranges.pulse_reach(mph, distance)
        paces[rate] = {
            "mph": float(mph),
            "feet": float(reach.feet),
            "mm": {"skirmishing": card.skirmishing, "half": card.half, "fifth": card.fifth},
            "table": [reach.mm25, reach.mm10, reach.mm5],
        }
    return {
        "zone_mm": ranges.zone_mm(profile_of(combatant).height, queries.scale_of(state)),
        "pace": paces,
        **leaps(combatant),
    }


# Explanations


def _scale(state: FightState, combatant: Combatant) -> Trail:
    scale = queries.scale_of(state)
    parts = []
    for other in queries.SCALES:
        feet, each = _plain(ranges.square_feet(other)), _plain(ranges.MM_A_FOOT[other])
        use_text = ", in use" if other == scale else ""
        parts.append(TrailPart(f"{other}{use_text}", f"25 mm = {feet} ft, 1 ft = {each} mm", "CS-680"))
    if settings_of(state).grid:
        parts.append(TrailPart("grid", "squares of 1 inch, 5 ft each", "CS-681"))
    return Trail("scale", scale, tuple(parts))


def _zone(state: FightState, combatant: Combatant) -> Trail:
    scale = queries.scale_of(state)
    height, wide = profile_of(combatant).height, ranges.zone_mm(profile_of(combatant).height, scale)
    parts = (
        TrailPart("height", f"{_plain(height)} ft", "CS-682"),
        TrailPart(f"at {_plain(ranges.MM_A_FOOT[scale])} mm a foot", ranges.centimetres(wide), "CS-187"),
        TrailPart("fields, clockwise from the front", "F RF RS RR R LR LS LF", "CS-683"),
        TrailPart("reach and shuffling space: free to move inside it", "", "CS-688"),
    )
    return Trail("zone", f"{wide} mm across", parts)


def _pace(state: FightState, combatant: Combatant) -> Trail:
    distance = paths.distance_reading(state)
    parts = []
    for rate in RATES:
        mph = moves.speed_of(combatant, rate)
        parts.append(TrailPart(f"{rate.replace('_', '-')}, {_plain(mph)} mph", _pace_words(mph, distance), "CS-686"))
    parts += [TrailPart(name.replace("_", " "), f"{feet:g} ft", "CS-686") for name, feet in leaps(combatant).items()]
    return Trail("pace", f"{_plain(profile_of(combatant).full_speed)} mph", tuple(parts))


def _marker(state: FightState, combatant: Combatant) -> Trail:
    group = next((group for group in markers(state) if combatant.id in group), (combatant.id,))
    names = ", ".join(state.combatants[combatant_id].name for combatant_id in group)
    return Trail(
        "marker", "its own" if len(group) == 1 else "shared", (TrailPart(queries.scale_of(state), names, "CS-684"),)
    )


SCALE_TRAILS: Trails = {"scale": _scale, "zone": _zone, "pace": _pace, "marker": _marker}
"""The explanations about the display."""


def _pace_of(state: FightState, combatant: Combatant, text: str) -> Trail:
    """A speed on all scales, for ``pace 7`` (CS-242, CS-686)."""
    mph = _number(text, "CS-242", "speed in mph")
    words = _pace_words(mph, paths.distance_reading(state))
    return Trail("pace", f"{_plain(mph)} mph", (TrailPart(f"{_plain(mph)} mph", words, "CS-242"),))


def _feet_on_display(state: FightState, combatant: Combatant, distance_text: str) -> Trail:
    """A distance on all scales, for ``on_display 400`` (CS-680, CS-187)."""
    feet = _number(distance_text, "CS-680", "distance in feet")
    parts = tuple(
        TrailPart(scale, f"{wide} mm = {ranges.centimetres(wide)}", "CS-680")
        for scale in queries.SCALES
        for wide in (ranges.on_display(feet, scale),)
    )
    return Trail("on_display", f"{ranges.on_display(feet, queries.scale_of(state))} mm", parts)


def _number(text: str, rule: str, what: str) -> Fraction:
    try:
        number = Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        number = Fraction(-1)
    if not 0 <= number <= 1_000_000:
        raise Refused(rule, f"{text!r} is not a {what}", ("0 or more",), final=True)
    return number


ARGUMENT_TRAILS = {"pace": _pace_of, "on_display": _feet_on_display}
"""The explanations that need a number, such as ``pace 7`` and ``on_display 400``."""
