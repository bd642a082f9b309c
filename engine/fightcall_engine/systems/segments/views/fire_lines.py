"""The line of a declared shot on the board: its range bands, where a miss flies on, and who stands there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import hypot

from fightcall_engine.board.base import Location
from fightcall_engine.kit.views import Mark, Trail, TrailPart, Trails
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import shots, stray_fire
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.rules.ranges import Limits
from fightcall_engine.systems.segments.state import rolls
from fightcall_engine.systems.segments.state.action import RANGED, SHOOT, action_of, targets_of
from fightcall_engine.systems.segments.state.battle import HURLED, MISSILE, Blow
from fightcall_engine.systems.segments.state.blows import item_of

ON_THE_LINE, BEYOND, IN_DANGER = "*", "-", "!"
"""What is written on the places up to the target, on those where a miss flies on, and on those who stand there."""


def shots_of(state: FightState, combatant: Combatant) -> Iterator[Blow]:
    """The shots or throws that somebody has declared, one for each target that the board shows."""
    action = action_of(combatant)
    if not action.is_open or action.kind not in RANGED or state.board is None or combatant.at is None:
        return
    kind = MISSILE if action.kind == SHOOT else HURLED
    for target in targets_of(state, action):
        if target.at is not None and target.at != combatant.at and places.can_measure(state, combatant, target):
            yield Blow(combatant.id, target.id, kind, action.weapon, attack=action.attack)


def lines(state: FightState, combatant: Combatant) -> tuple[Mark, ...]:
    """CS-251, CS-267, CS-527: each line up to its target and on from there, with a letter where a band begins."""
    return tuple(mark for blow in shots_of(state, combatant) for mark in _line(state, combatant, blow))


def in_danger(state: FightState, combatant: Combatant) -> tuple[Mark, ...]:
    """CS-525: those who stand where a miss flies on."""
    marks = []
    for blow in shots_of(state, combatant):
        target = state.combatants[blow.target]
        for each in stray_fire.in_line(state, blow):
            other = state.combatants[each.who]
            if other.at is not None:
                marks.append(Mark(other.at, IN_DANGER, "warn", f"{other.name}: in line behind {target.name}"))
    return tuple(marks)


def _short_text(state: FightState, combatant: Combatant, blow: Blow) -> str:
    """The same in few words: ``Raider 2: short, 20 yd; behind: Raider 3``."""
    target = state.combatants[blow.target]
    others = ", ".join(state.combatants[each.who].name for each in stray_fire.in_line(state, blow))
    feet, reach = shots.distance_of(state, combatant, target, blow), shots.reach_of(state, blow)
    far = "range not known"
    if feet is not None and reach is not None:
        far = f"{_band(feet, reach)}, {float(ranges.in_unit(feet, reach.unit)):.0f} {reach.unit}"
    clear = "" if shots.sees_target(state, combatant, target, blow.weapon) else ", no clear line"
    return f"{target.name}: {far}{clear}" + (f"; behind: {others}" if others else "")


def _line(state: FightState, combatant: Combatant, blow: Blow) -> Iterator[Mark]:
    board, target = state.board, state.combatants[blow.target]
    if board is None or combatant.at is None or target.at is None:
        return
    yield Mark(target.at, "", label=_short_text(state, combatant, blow), aloud=True)
    tone = "info" if shots.sees_target(state, combatant, target, blow.weapon) else "bad"
    reach, before = shots.reach_of(state, blow), ""
    up_to = [place for place in board.sight(combatant.at, target.at).cells if place not in (combatant.at, target.at)]
    beyond = _beyond(state, combatant, target, blow) if tone == "info" else ()
    for place in (*up_to, *beyond):
        band = _band(_feet(state, combatant.at, place), reach)
        plain, shade = (BEYOND, "warn") if place in beyond else (ON_THE_LINE, tone)
        words = f"line of fire to {target.name}" if plain == ON_THE_LINE else f"where a miss of {target.name} flies on"
        label = ", ".join(filter(None, (words, band and f"{band} range")))
        yield Mark(place, band[:1].upper() if band != before else plain, shade, label)
        before = band or before


def _feet(state: FightState, here: Location, there: Location) -> Fraction:
    assert state.board is not None
    return exact(state.board.length(here, there) / state.board.scale) * places.feet_a_place(state)


def _band(feet: Fraction, reach: Limits | None) -> str:
    """The band of a distance in words; empty where the weapon's limits are not known."""
    if reach is None:
        return ""
    band = ranges.band(ranges.in_unit(feet, reach.unit), reach)
    return (band or "out of").replace("_", "-")


def _beyond(state: FightState, combatant: Combatant, target: Combatant, blow: Blow) -> tuple[Location, ...]:
    """CS-525, CS-527: the places behind the target on the same line, as far as its range band goes and one can see."""
    board = state.board
    if board is None or combatant.at is None or target.at is None:
        return ()
    x, y = stray_fire.middle_of(state, combatant.at)
    to_x, to_y = stray_fire.middle_of(state, target.at)
    length = hypot(to_x - x, to_y - y)
    east, south = (to_x - x) / length, (to_y - y) / length
    end = stray_fire.band_end_ft(state, blow, _feet(state, combatant.at, target.at))
    half = float(places.feet_a_place(state)) / 2
    candidates: list[tuple[float, Location]] = []
    for place in board.places():
        off_x, off_y = (there - here for there, here in zip(stray_fire.middle_of(state, place), (x, y), strict=True))
        along, aside = off_x * east + off_y * south, abs(off_x * south - off_y * east)
        if along > length + half and aside <= half and (end is None or along <= end):
            candidates.append((along, place))
    is_lobbed = item_of(combatant, blow.weapon).get("lob") is True
    return tuple(place for _, place in sorted(candidates) if is_lobbed or board.sight(combatant.at, place).clear)


# Where it comes from


def _range(state: FightState, combatant: Combatant) -> Trail:
    """CS-268 to CS-282: the limits of the bands, what distance adds to the DV, and who stands in line behind."""
    blow = next(shots_of(state, combatant), None)
    reach = shots.reach_of(state, blow) if blow is not None else None
    if blow is None or reach is None:
        return Trail("range", "no shot on the board is declared", ())
    limits = (
        ("point-blank", reach.point_blank, "CS-274"), ("short", reach.short, "CS-268"),
        ("medium", reach.medium, "CS-268"), ("long", reach.long, "CS-268"),
    )  # fmt: skip
    parts = [TrailPart(f"{name} to", f"{limit} {reach.unit}", rule) for name, limit, rule in limits]
    far = shots.range_sum(state, blow)
    parts += [TrailPart(*part) for part in rolls.parts_of(far)] if far is not None else []
    for each in stray_fire.in_line(state, blow):
        feet = "" if each.feet is None else f"{float(each.feet):g} ft"
        parts.append(TrailPart(f"in line behind: {state.combatants[each.who].name}", feet, "CS-525"))
    return Trail("range", _short_text(state, combatant, blow), tuple(parts))


TRAILS: Trails = {"range": _range}
"""What can be explained of a shot that is declared."""
