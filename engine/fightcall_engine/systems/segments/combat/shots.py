"""Shooting and hurling: ranges, DV, when a shot lands, and work on bows (CS-251 to CS-285, CS-395 to CS-403).

A DV with a part that neither sheet nor board gives is asked for, never guessed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fightcall_engine.kit.checks import ANOTHER_TARGET, Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Scalar
from fightcall_engine.systems.segments.combat import wound_effects
from fightcall_engine.systems.segments.rules import ranges
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum, exact
from fightcall_engine.systems.segments.rules.ranges import Awareness, Flight, HurledDvUnit, Limits, target_dv
from fightcall_engine.systems.segments.state import items, pieces, places, queries, weapon_uses
from fightcall_engine.systems.segments.state.condition import strength_of
from fightcall_engine.systems.segments.state.pieces import STRING_BOW, find_component
from fightcall_engine.systems.segments.state.queries import ABORTED, COMMITTED, DONE, FAILED, LOST, SHOOT, action_of
from fightcall_engine.systems.segments.state.records import (
    DODGE,
    HURLED,
    MISSILE,
    NONE,
    Action,
    Blow,
    battle_of,
    fighter_of,
    profile_of,
)
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.weapon_uses import Item, item_of, people_of, type_of

AWARE: Awareness = "aware"
ACTIVE: Awareness = "active"
STILL: Awareness = "still"
CASES: tuple[Awareness, ...] = (AWARE, ACTIVE, STILL)
"""The awareness of a shot's target (CS-501 to CS-503), in place of a defence."""

_ROWS = {
    "bow": "bow",
    "shortbow": "short_bow",
    "sling": "sling",
    "fustibal": "fustibal",
    "crossbow-light": "crossbow_light",
    "crossbow-heavy": "crossbow_heavy",
}

BITTEN_HANDS = "bitten"
"""The kind of the offer to wound hands after a failed cocking."""


# Distance and range


def distance_of(state: FightState, combatant: Combatant, target: Combatant, blow: Blow) -> Fraction | None:
    """Feet to the target: by GM ruling, else by the board, or None."""
    return exact(blow.feet) if blow.feet >= 0 else places.distance_ft(state, combatant, target)


def _gap_between(state: FightState, combatant: Combatant, target: Combatant, blow: Blow) -> Fraction | None:
    """Feet between the two Zones (CS-251, CS-682)."""
    if blow.feet >= 0:
        return ranges.zone_gap(exact(blow.feet), profile_of(combatant).height, profile_of(target).height)
    return places.zone_gap(state, combatant, target)


def _limits_key(thing: Item, kind: str, *, to_wound: bool = True) -> str:
    """The key of a weapon's range limits (CS-268, CS-272, CS-277, CS-278); empty if unknown."""
    if kind != HURLED:
        return _ROWS.get(str(thing.get("family") or ""), "")
    is_hafted = thing.get("family") == "hafted" or weapon_uses.is_improvised(thing)
    return ranges.hurled_row(is_hafted, to_wound=to_wound)


def _limits_of(
    combatant: Combatant,
    thing: Item,
    kind: str,
    strength: Number,
    rise_ft: Fraction = Fraction(0),
    *,
    to_wound: bool = True,
) -> Limits | None:
    """The range limits of an item, with STR and height, or None; not `to_wound`, only to get it there (CS-268..281)."""
    row = ranges.weapons().get(_limits_key(thing, kind, to_wound=to_wound))
    factor = _factor(combatant, thing, kind)
    if row is None or factor is None:
        return None
    rise = int(ranges.in_unit(max(Fraction(0), rise_ft), row.unit))
    return ranges.limits(row, strength, rise=rise, factor=factor)


def _factor(combatant: Combatant, thing: Item, kind: str) -> Fraction | None:
    """CS-279: the factor on the range of an object that is not a weapon; None if the GM must give it (CS-280)."""
    if kind != HURLED or not weapon_uses.is_improvised(thing):
        return Fraction(1)
    pounds, size = thing.get("weight_lb"), thing.get("size")
    if not isinstance(pounds, int | float) or not isinstance(size, int | float):
        return None
    return ranges.throw_factor(
        size=exact(size),
        height=profile_of(combatant).height,
        pounds=exact(pounds),
        light_enc=profile_of(combatant).light_enc,
    )


def reach_of(state: FightState, blow: Blow) -> Limits | None:
    """The range limits of a shot."""
    combatant = state.combatants[blow.attacker]
    to_wound = type_of(state, blow).pot != "none"
    strength = strength_of(state, combatant).total if blow.power is None else exact(blow.power)
    return _limits_of(
        combatant, item_of(combatant, blow.weapon), blow.kind, strength, rise_of(state, blow), to_wound=to_wound
    )


def rise_of(state: FightState, blow: Blow) -> Fraction:
    """Feet by which the target is higher: by GM ruling, else by board and sheets (CS-281)."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    return elevation(state, target) - elevation(state, combatant) if blow.rise is None else exact(blow.rise)


def elevation(state: FightState, combatant: Combatant) -> Fraction:
    """A combatant's height above the board's base in feet: by GM ruling plus that of the ground (CS-281)."""
    ground = (
        state.board.terrain_at(combatant.at).height_ft if state.board is not None and combatant.at is not None else None
    )
    return exact(fighter_of(combatant).elev + (ground or 0))


def range_sum(state: FightState, blow: Blow) -> Sum | None:
    """The DV of the distance, band by band (CS-282); None if unknown or out of range."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    feet, reach = distance_of(state, combatant, target, blow), reach_of(state, blow)
    if feet is None or reach is None:
        return None
    unit: HurledDvUnit = settings_of(state).hurled_dv_unit
    range_dv, weather = ranges.range_dv(ranges.in_unit(feet, reach.unit), reach, unit), weather_of(state)
    return (
        Sum((*range_dv.parts, Part("wind and rain", weather, "CS-214")))
        if range_dv is not None and weather
        else range_dv
    )


def weather_of(state: FightState) -> int:
    """What wind and rain add to the DV of whatever flies, by GM ruling (CS-214, M-20)."""
    return battle_of(state).weather


def band_of(state: FightState, blow: Blow) -> str:
    """The range band in words, such as ``medium range, 85 yd`` (CS-267); empty if unknown."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    feet, reach = distance_of(state, combatant, target, blow), reach_of(state, blow)
    if feet is None or reach is None:
        return ""
    distance = ranges.in_unit(feet, reach.unit)
    band = ranges.band(distance, reach)
    return f"{(band or 'out of').replace('_', '-')} range, {round(float(distance), 1):g} {reach.unit}"


def describe_flight(state: FightState, blow: Blow) -> str:
    """Range and flight in words, such as ``medium range, 85 yd, 1.3 s`` (CS-267, CS-284), or that they are unknown."""
    band, feet = band_of(state, blow), distance_of(state, *people_of(state, blow), blow)
    if feet is None:
        return "distance not known"
    return f"{band or 'range not known'}, {float(ranges.flight_seconds(feet, flight_of(blow))):.1f} s"


def is_short(state: FightState, blow: Blow) -> bool:
    """CS-577: whether the target is at point-blank or short range; false if the distance is unknown."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    feet, reach = distance_of(state, combatant, target, blow), reach_of(state, blow)
    if feet is None or reach is None:
        return False
    return ranges.band(ranges.in_unit(feet, reach.unit), reach) in ("point_blank", "short")


# Checks


def line_checks(
    state: FightState, combatant: Combatant, target: Combatant, blow: Blow, *, walk: Fraction = Fraction(0)
) -> tuple[Check, ...]:
    """CS-251, CS-266, CS-273: there is room, a clear line, and a crossbow is within its greatest range.

    `walk` are the feet that the shooter can still come nearer before the shot.
    """
    gap = _gap_between(state, combatant, target, blow)
    is_due = queries.kind_of(state) == queries.RESOLVE
    remedies = (ANOTHER_TARGET, "abort") if is_due else ("move", ANOTHER_TARGET)
    feet_text = "" if gap is None else f"{float(max(Fraction(0), gap)):g}"
    feet, reach = distance_of(state, combatant, target, blow), reach_of(state, blow)
    nearest = None if feet is None else max(Fraction(0), feet - walk)
    within = nearest is None or reach is None or ranges.band(ranges.in_unit(nearest, reach.unit), reach) is not None
    return (
        Check(
            gap is None or ranges.may_shoot(gap),
            "CS-251",
            f"only {feet_text} ft between {combatant.name}'s and {target.name}'s Zones",
            remedies if is_due else (f"{ranges.LEAST_GAP_FT} ft or more", "strike"),
        ),
        Check(
            has_clear_line(state, combatant, target, blow.weapon), "CS-251", f"no clear line to {target.name}", remedies
        ),
        Check(within, "CS-273", f"{target.name} is beyond the maximum range of {blow.weapon}", (ANOTHER_TARGET,)),
    )


def has_clear_line(state: FightState, combatant: Combatant, target: Combatant, weapon: str) -> bool:
    """CS-251, CS-266: whether the line to a target is clear or the weapon lobs; true without places."""
    return item_of(combatant, weapon).get("lob") is True or _is_clear(state, combatant, target)


def _is_clear(state: FightState, combatant: Combatant, target: Combatant) -> bool:
    if (
        state.board is None
        or combatant.at is None
        or target.at is None
        or not places.can_measure(state, combatant, target)
    ):
        return True
    return state.board.sees(combatant.at, target.at)


# Difficulty


def _usual_case(state: FightState, blow: Blow) -> Awareness:
    """The usual awareness of a target: of a foe it sees; else busy or still (CS-501 to CS-503)."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    if not target.able:
        return STILL
    if places.has_noticed(target, combatant) and places.defence_of(state, target, combatant).dodge:
        return AWARE
    busy = fighter_of(target).moved > 0 or action_of(target).state in (COMMITTED, DONE, FAILED)
    return ACTIVE if busy else STILL


def case_of(state: FightState, blow: Blow) -> Awareness:
    """The awareness of this shot's target."""
    case_of_way: dict[str, Awareness] = {DODGE: AWARE, NONE: STILL, **{case: case for case in CASES}}
    return (case_of_way.get(blow.guard.way) if blow.guard is not None else None) or _usual_case(state, blow)


def shot_dv(state: FightState, blow: Blow, case: Awareness, dodge: Sum | None) -> Sum | None:
    """The DV of a shot with all its parts, and a Dodge of the aware (CS-500 to CS-506); None if unknown."""
    target = state.combatants[blow.target]
    distance_sum = range_sum(state, blow)
    if distance_sum is None or (case == AWARE and dodge is None):
        return None
    total = target_dv(
        case,
        distance_sum,
        dodge=dodge.total if dodge is not None else 0,
        acting=profile_of(target).skill("acting in dodge") or 0,
        agl=profile_of(target).mods.agl,
        mph=exact(fighter_of(target).speed) if fighter_of(target).moved > 0 else 0,
        shield=cover_of(target),
    )
    if case == AWARE and dodge is not None:
        total = Sum((*dodge.parts, *total.parts[1:]))
    return Sum((*total.parts, *_unknown_cover_note(target))) if case != STILL else total


def _unknown_cover_note(combatant: Combatant) -> tuple[Part, ...]:
    """M-06: a note that a shield's cover is not entered and counts nothing."""
    shields = [thing for thing in items.items_in_hand(combatant).values() if items.is_shield(thing)]
    is_unknown = bool(shields) and all(thing.get("coverage_mod") is None for thing in shields)
    return (Part("no cover value for the shield on the sheet: 0 is used", 0, "CS-260"),) if is_unknown else ()


def cover_of(combatant: Combatant) -> int:
    """CS-260: what shields in hand add to the DV of a shot, as entered for each (M-06)."""
    modifiers = [
        thing.get("coverage_mod") for thing in items.items_in_hand(combatant).values() if items.is_shield(thing)
    ]
    return max((value for value in modifiers if isinstance(value, int)), default=0)


# Flight


def flight_of(blow: Blow) -> Flight:
    """The type of a shot's flight (CS-284)."""
    return "hurled" if blow.kind == HURLED else "arrow"


def lands_late(state: FightState, blow: Blow) -> bool:
    """CS-285: whether a shot lands in the next segment."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    feet = distance_of(state, combatant, target, blow)
    return feet is not None and ranges.lands_late(feet, flight_of(blow))


# Readiness


def ready_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-255, CS-401: the weapon is strung, cocked and loaded when the shot is due, or in the same Action."""
    thing = items.item_named(combatant, action.weapon)
    if action.kind != SHOOT or thing is None:
        return ()
    if pieces.is_crossbow(thing):
        return _crossbow_checks(combatant, action, thing)
    strung = not fighter_of(combatant).unstrung or STRING_BOW in pieces.keys_of(action.components)
    return (
        Check(strung or not pieces.is_bow(thing), "CS-255", f"{combatant.name}'s bow is not strung", (STRING_BOW,)),
    )


def declared_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-255, CS-397: the weapon is ready, or made so in the same Action; a check to cock it is another Action."""
    thing = items.item_named(combatant, action.weapon)
    if action.kind != SHOOT or thing is None:
        return ()
    keys = tuple(piece.key for piece in action.components)
    takes_check = pieces.COCK in keys and pieces.cocking_dv(combatant, items.name_of(thing), keys) > 0
    return (
        Check(not takes_check, "CS-397", "cocking it takes a STR check: cock it first", (f"a task: {pieces.COCK}",)),
        *ready_checks(combatant, action),
    )


def shot_checks(combatant: Combatant, action: Action, blow: Blow) -> tuple[Check, ...]:
    """CS-255, CS-401: the checks of a shot now, after the work of its own Action."""
    if blow.kind != MISSILE:
        return ()
    return ready_checks(combatant, replace(action, weapon=blow.weapon))


def _crossbow_checks(combatant: Combatant, action: Action, thing: Item) -> tuple[Check, ...]:
    keys = tuple(piece.key for piece in action.components)
    # The GM's own words may stand for any of the steps (CS-131).
    has_own_words = any(find_component(key) is None and key not in pieces.STEPS for key in keys)
    state, name = pieces.state_of(combatant), items.name_of(thing)
    cocks = pieces.COCK in keys
    has_tool = (
        pieces.has_tool_on(combatant) or pieces.ATTACH in keys or (cocks and _leaves_windlass_on(combatant, thing))
    )
    is_tool_off = not has_tool or pieces.DISENGAGE in keys or pieces.DROP in keys
    is_loaded = pieces.PLACE in keys or (state in (pieces.UNKNOWN, pieces.LOADED) and not cocks)
    accepts = (" ".join(pieces.steps_left(combatant, thing)),)
    return (
        Check(
            cocks or has_own_words or state != pieces.SPENT,
            "CS-255",
            f"{combatant.name}'s {name} is not cocked",
            accepts,
        ),
        Check(
            is_tool_off, "CS-401", f"the tool is still on {combatant.name}'s {name}", (pieces.DISENGAGE, pieces.DROP)
        ),
        Check(is_loaded or has_own_words, "CS-401", f"{combatant.name}'s {name} is not loaded", accepts),
    )


def _leaves_windlass_on(combatant: Combatant, thing: Item) -> bool:
    return pieces.cycle_of(combatant, thing, tool=False).disengage > 0


def empty_crossbow(state: FightState, blow: Blow) -> Events:
    """CS-401: the event that a crossbow is empty and uncocked after a shot."""
    combatant = state.combatants[blow.attacker]
    if blow.kind != MISSILE or not pieces.is_crossbow(item_of(combatant, blow.weapon)):
        return ()
    return queries.set_traits(combatant, crossbow=pieces.SPENT, crossbow_tool=False)


# Work


def finish_crossbow_action(state: FightState, combatant_id: str) -> Events:
    """The events of a finished Action on a weapon: cocked, loaded, strung. A tool stays on if it is aborted (G-127)."""
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return ()
    action = action_of(combatant)
    if action.state == ABORTED:
        return _keep_tool(combatant, action)
    if action.kind == SHOOT and action.state in (DONE, FAILED):
        return _set_strung(combatant, action)
    return (*_set_strung(combatant, action), *_apply_steps(combatant, action))


def _keep_tool(combatant: Combatant, action: Action) -> Events:
    qa_done = action.done
    for piece in action.components:
        qa_done -= piece.qa
        if piece.key == pieces.ATTACH and qa_done >= 0:
            return queries.set_traits(combatant, crossbow_tool=True)
    return ()


def _has_failed(action: Action) -> bool:
    return action.state == FAILED or (action.state == LOST and action.dv is not None)


def _set_strung(combatant: Combatant, action: Action) -> Events:
    keys = pieces.keys_of(action.components)
    is_done = action.kind == SHOOT or not _has_failed(action)
    return queries.set_traits(combatant, unstrung=False) if STRING_BOW in keys and is_done else ()


def _apply_steps(combatant: Combatant, action: Action) -> Events:
    thing = pieces.crossbow_of(combatant, action.weapon)
    if thing is None:
        return ()
    traits: dict[str, Scalar] = {}
    for piece in action.components:
        if piece.key == pieces.COCK and _has_failed(action):
            break
        traits.update(_step(combatant, thing, piece.key, traits))
    return queries.set_traits(combatant, **traits)


def _step(combatant: Combatant, thing: Item, key: str, before: dict[str, Scalar]) -> dict[str, Scalar]:
    if key == pieces.ATTACH:
        return {"crossbow_tool": True}
    if key == pieces.COCK:
        wound = {"crossbow_tool": True} if _leaves_windlass_on(combatant, thing) else {}
        return {"crossbow": pieces.COCKED, "crossbow_days": 0, **wound}
    if key in (pieces.DISENGAGE, pieces.DROP):
        return {"crossbow_tool": False}
    if key == pieces.PLACE and before.get("crossbow", pieces.state_of(combatant)) == pieces.COCKED:
        return {"crossbow": pieces.LOADED}
    return {}


def bite_hands(decision: Decision, combatant_id: str) -> None:
    """CS-400: ask for wounds of the hands after a failed try to cock by hand."""
    combatant = decision.state.combatants.get(combatant_id)
    action = None if combatant is None else action_of(combatant)
    if combatant is None or action is None or action.state != FAILED or action.kind == SHOOT:
        return
    keys = pieces.keys_of(action.components)
    thing = pieces.crossbow_of(combatant, action.weapon)
    by_tool = pieces.ATTACH in keys or pieces.has_tool_on(combatant)
    if pieces.COCK not in keys or thing is None or by_tool or thing.get("builtin") is True:
        return
    prompt = prompt_for(
        combatant, kind=BITTEN_HANDS,
        question=f"{combatant.name} fails to cock it by hand. How many wounds does the string cause?",
        rule="CS-400", choices=choices("none"), default="none", amount="wounds", blocking=False,
    )  # fmt: skip
    answer = decision.ask(prompt)
    if answer is not None and answer.amount not in (None, ""):
        wound_effects.harm_by_gm(decision, decision.state.combatants[combatant_id], answer.amount or 0)
