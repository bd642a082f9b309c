"""What is drawn on the board: the Fields of Approach about a figure, and where planned ways lead (CS-230, CS-683)."""

from __future__ import annotations

from collections.abc import Iterator

from fightcall_engine.board.base import Location
from fightcall_engine.kit.views import Mark
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.actions import moves, plans
from fightcall_engine.systems.segments.combat import stray_fire
from fightcall_engine.systems.segments.injury import knock_back
from fightcall_engine.systems.segments.positions import places, ways
from fightcall_engine.systems.segments.positions.ways import Ground, in_thousandths
from fightcall_engine.systems.segments.round import pulses
from fightcall_engine.systems.segments.rules import melee
from fightcall_engine.systems.segments.rules.clock import PULSES_A_SEGMENT
from fightcall_engine.systems.segments.rules.melee import Field, Hand
from fightcall_engine.systems.segments.state import figures, items, relations
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.views import fire_lines

# Fields of Approach


def marks_of(state: FightState, combatant_id: str) -> tuple[Mark, ...]:
    """Planned ways of everybody, and over them for whoever is selected the line of fire and the fields about him."""
    if state.status == "closed":
        return ()
    marks = (*ways_planned(state, combatant_id), *driven_back(state))
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return marks
    # Who stands in the line of fire is marked over all else: it may be a neighbour.
    return (
        *marks,
        *fire_lines.lines(state, combatant),
        *fields_about(state, combatant),
        *fire_lines.in_danger(state, combatant),
    )


def driven_back(state: FightState) -> tuple[Mark, ...]:
    """CS-560: the way that a blow has driven somebody, until he has kept his feet or not."""
    marks = []
    for combatant, way in knock_back.driven_over(state):
        to = state.board.name_of(combatant.at) if state.board is not None and combatant.at is not None else ""
        for place in way:
            label = f"{combatant.name} was driven back to {to}"
            marks.append(Mark(place, _arrow(state, place, combatant), "warn", label, aloud=place == way[0]))
    return tuple(marks)


def _arrow(state: FightState, start: Location, combatant: Combatant) -> str:
    """Which way somebody went from a place, as one sign: level, upright or aslant."""
    assert combatant.at is not None
    x, y = stray_fire.middle_of(state, start)
    to_x, to_y = stray_fire.middle_of(state, combatant.at)
    east, south = to_x - x, to_y - y
    if abs(south) * 2 <= abs(east):
        return ">" if east > 0 else "<"
    if abs(east) * 2 <= abs(south):
        return "v" if south > 0 else "^"
    return "\\" if (east > 0) == (south > 0) else "/"


def fields_about(state: FightState, combatant: Combatant) -> tuple[Mark, ...]:
    """CS-683: the field that each neighbouring place lies in, and what can be done there."""
    if state.board is None or combatant.at is None or not combatant.able or not places.can_measure(state, combatant):
        return ()
    marks = []
    for place in state.board.neighbours(combatant.at):
        field = places.field_at(state, combatant, place)
        if field is not None:
            tone, label = use_of(combatant, field)
            marks.append(Mark(place, field, tone, label, who=combatant.id, kind="side"))
    return tuple(marks)


def use_of(combatant: Combatant, field: Field) -> tuple[str, str]:
    """What somebody can do into one of his fields without a Turn, as a tone and in words (section 6.15)."""
    use = melee.uses()[field]
    if field in relations.shut_fields(combatant):
        return "plain", f"{use.label}: closed by the formation (CS-308)"
    in_hand = items.items_in_hand(combatant)
    free: tuple[Hand, ...] = tuple(in_hand) or items.HANDS
    strikes = [hand for hand in use.attack if hand in free]
    guards = [hand for hand in use.defend if hand in in_hand]
    attack = f"attack with {_weapon_names(combatant, strikes)}" if strikes else "no attack without a Turn"
    defences = [*([_weapon_names(combatant, guards)] if guards else []), *(["Dodge"] if use.dodge else [])]
    needs = {"aware": ", if aware of it", "warned": ", once warned"}.get(use.needs, "")
    defend = f"defend with {' or '.join(defences)}{needs}" if defences else "no defence"
    tone = "good" if strikes else "warn" if guards or (use.dodge and use.needs != "warned") else "bad"
    return tone, f"{use.label}: {attack}; {defend} ({use.rule})"


def _weapon_names(combatant: Combatant, hands: list[Hand]) -> str:
    items_by_hand = items.items_in_hand(combatant)
    names = dict.fromkeys(items.name_of(items_by_hand[hand]) if hand in items_by_hand else items.BARE for hand in hands)
    return " or ".join(names)


# Planned ways


def ways_planned(state: FightState, combatant_id: str) -> tuple[Mark, ...]:
    """CS-230: where each Pulse to come will end for everybody with a way planned, numbered by the Pulses.

    Nobody else is in their way here; the hidden are not shown, unless one of them is selected.
    """
    planners = [
        combatant
        for combatant in figures.all_able(state)
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
        for number, place in ends(state, combatant, ground)
    )


def ends(state: FightState, combatant: Combatant, ground: Ground) -> Iterator[tuple[int, Location]]:
    """The place where each coming Pulse of a planned way ends, with the Pulse's number."""
    speed, limits = (
        plans.planned_speed(combatant),
        (profile_of(combatant).full_speed, moves.speed_of(combatant, "half")),
    )
    reading, streak = ways.distance_reading(state), fighter_of(combatant).streak
    running = figures.kind_of(state) == figures.PULSE
    ran = pulses.has_run(state, combatant)
    number = battle_of(state).pulse + (1 if ran or not running else 0)
    budget, left = in_thousandths(fighter_of(combatant).carry), in_thousandths(ways.feet_left(state, combatant))
    way = ways.places_of_way(state, fighter_of(combatant).plan)
    ahead = next(way, None)
    while ahead is not None and number <= PULSES_A_SEGMENT and left > 0:
        feet = min(in_thousandths(pulses.full_stride(speed, limits, streak > 0, reading).feet), left)
        streak, budget, left, here = streak + 1, budget + feet, left - feet, None
        while ahead is not None and ground.price(ahead) <= budget:
            budget -= ground.price(ahead)
            here, ahead = ahead, next(way, None)
        if here is not None:
            yield number, here
        number += 1
