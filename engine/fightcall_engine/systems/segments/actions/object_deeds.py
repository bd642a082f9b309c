"""The command for objects in play; throwing, catching and dropping them; falling ones (CS-200, CS-213 to CS-227)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction

from fightcall_engine.kit.decision import Decision, question_check
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.views import Check, enforce
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import replace
from fightcall_engine.systems.segments.actions import handling, moves
from fightcall_engine.systems.segments.combat import attack_values, wound_effects
from fightcall_engine.systems.segments.rules import attacks, ranges
from fightcall_engine.systems.segments.rules.formulas import Part, Sum, rhu, simplify
from fightcall_engine.systems.segments.rules.wounds import wounds
from fightcall_engine.systems.segments.state import commands, condition, items, places, queries, rolls, small_acts
from fightcall_engine.systems.segments.state.events import ImpactTaken
from fightcall_engine.systems.segments.state.records import Action, battle_of, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

REACTIONS = frozenset({"catch", "catch_falling", "falls", "keep_whole"})
"""Reactions, which can be done at any time (CS-413)."""

WHOLE_ACTIONS = frozenset({"leap", "throw"})
"""Actions of their own, whose dice wait for the Resolution (CS-094, L254).

Snatching, finding and handing over in passing are part of the movement (L210), with their checks (CS-145).
"""

TAKING = frozenset({"take", "snatch", "leap", "find", "catch", "catch_falling"})
"""What ends with the object in hand."""

GRAB_QA = 1
"""Quarter-actions of using a hand (table 4-1: drop or grab)."""

ADJACENT_FT = 5
"""Feet within which a point is at close or common melee distance (CS-217)."""


def handle_checks(
    state: FightState, combatant: Combatant, hand: str = "", what: str = "", thing: str = ""
) -> tuple[Check, ...]:
    """CS-010, CS-094, CS-200: the combatant is up with a free hand, in its own time; for dice, in its Resolution."""
    checks = (
        queries.able_check(combatant, "CS-111"),
        question_check(state),
        *handling.hand_checks(combatant, hand, thing if what in TAKING else ""),
    )
    if what in REACTIONS or not queries.kind_of(state):
        return checks
    surprised = () if what == "drop" else condition.surprise_checks(combatant, Action(kind=queries.OBJECT))
    all_checks = (*small_acts.time_checks(state, combatant), *surprised, *checks)
    if what in WHOLE_ACTIONS:
        # Dice wait for the Resolution of their Action, or are once part of a listed pair (CS-127, CS-390).
        action, whose = queries.action_of(combatant), queries.actor_of(state)
        is_own_turn = queries.kind_of(state) == queries.RESOLVE and whose is not None and whose.id == combatant.id
        is_paired = is_own_turn and queries.is_due(combatant) and what in (small_acts.pair_of(action) or ())
        is_first_use = not small_acts.spent_qa(combatant)[small_acts.GRAB]
        problem = "declare this as an Action first; you roll in the Resolution phase"
        can_roll = handling.is_resolution_of_deed(state, combatant) or (is_paired and is_first_use)
        roll_check = Check(can_roll, "CS-094", problem, ("declare with action object", "the GM's ruling"))
        return (*queries.turn_last(*all_checks), roll_check)
    if handling.is_resolution_of_deed(state, combatant):
        return queries.turn_last(*all_checks)
    small = small_acts.small_act_checks(state, combatant, small_acts.GRAB, GRAB_QA, "CS-200")
    return queries.turn_last(*all_checks, *small)


@handles(commands.Handle)
def decide_handle(decision: Decision, command: commands.Handle) -> None:
    """Handle an object, with the due Action or a small act (CS-006, CS-144); being asked for a number is free."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    deed = DEEDS.get(command.what)
    if deed is None:
        raise Refused("CS-200", f"unknown act with an object: {command.what!r}", tuple(DEEDS), final=True)
    if not items.clean_name(command.thing):
        raise Refused("CS-200", "which object?", ("thing: any name", *object_names(state)), final=True)
    if command.hand and command.hand not in items.HANDS:
        raise Refused("CS-120", f"unknown hand: {command.hand!r}", items.HANDS, final=True)
    going_on = items.struggle_for(state, command.thing)
    contest = command.what == "struggle" and going_on is not None and combatant.id in going_on.all_hands
    what, thing = ("catch", "") if contest else (command.what, command.thing)
    enforce(handle_checks(state, combatant, command.hand, what, thing), referee)
    is_free = contest or command.what in REACTIONS or not queries.kind_of(state)
    is_own_action = handling.is_resolution_of_deed(state, combatant)
    try:
        verdict = deed(decision, replace(command, who=combatant.id), combatant)
    except handling.NeverMind:
        return
    here = decision.state.combatants.get(combatant.id)
    if is_free or here is None:
        return
    if is_own_action:
        how = queries.FAILED if verdict is not None and not verdict.ok else queries.DONE
        name = f"{command.what.replace('_', ' ')} {command.thing}"
        decision.emit(*small_acts.settle_action(decision.state, here, how, name))
    else:
        decision.emit(*small_acts.spend_small_act(here, small_acts.GRAB, GRAB_QA))


def object_names(state: FightState) -> tuple[str, ...]:
    """Names of all objects in play."""
    return tuple(thing.name for thing in battle_of(state).things)


# Throwing and catching


def _throw_object(decision: Decision, command: commands.Handle, combatant: Combatant) -> rolls.Verdict | None:
    """CS-213: throw an object: AGL of the thrower, then CRD of the catcher, both against the distance."""
    command, other = handling.with_partner(decision, command, combatant, "CS-213")
    decision.require(*handling.giving_checks(decision.state, command, combatant, other, "CS-213"))
    command, dv = handling.with_difficulty(
        decision, command, combatant, lambda command: _distance_dv(decision.state, command, combatant, other)
    )
    av = handling.value_of(decision.state, decision.combatant(command.who), "agl", "CS-213", command)
    verdict = handling.make_trial(decision, command, combatant.id, "AGL", "CS-213", av, dv)
    if verdict is None:
        return None
    combatant = decision.combatant(command.who)
    decision.emit(*items.drop_events(combatant, command.thing))
    if not verdict.ok:
        _land(decision, combatant, command, "is thrown wide", other.id)
        return verdict
    decision.emit(items.move_object(decision.state, combatant.id, command.thing, "is thrown", other=other.id))
    later = replace(command, chance=command.other_chance, hit=None)
    decision.spawn(_try_catch, later, combatant.id, other.id)
    return verdict


def _decide_catch(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    command, thrower = handling.with_partner(decision, command, combatant, "CS-213")
    decision.require(items.in_the_air_check(decision.state, command.thing, "CS-213"))
    _try_catch(decision, command, thrower.id, combatant.id)


def _try_catch(decision: Decision, command: commands.Handle, thrower_id: str, catcher_id: str) -> None:
    thrower, catcher = decision.combatant(thrower_id), decision.combatant(catcher_id)
    try:
        command, dv = handling.with_difficulty(
            decision, command, catcher, lambda command: _distance_dv(decision.state, command, thrower, catcher)
        )
    except handling.NeverMind:
        return
    av = handling.attribute_sum(decision.state, decision.combatant(catcher_id), "crd", "CS-213")
    verdict = handling.make_trial(decision, command, catcher_id, "CRD", "CS-213", av, dv)
    if verdict is None:
        return
    if not verdict.ok:
        _land(decision, decision.combatant(catcher_id), command, "is fumbled", "")
        return
    decision.emit(items.move_object(decision.state, catcher_id, command.thing, "is caught", catcher_id))
    decision.emit(*items.pick_up_events(decision.state, catcher_id, items.clean_name(command.thing), command.hand))


def _distance_dv(state: FightState, command: commands.Handle, thrower: Combatant, catcher: Combatant) -> Sum | None:
    """CS-213, CS-214: the DV by range, as for a hurled weapon; None if the GM sets it (CS-280)."""
    distance_feet = places.distance_ft(state, thrower, catcher)
    feet_apart = None if distance_feet is None else float(distance_feet)
    question = f"How far is {catcher.name} from {thrower.name}, in feet?"
    feet = handling.measure_of(command, "feet", question, "CS-213", feet_apart)
    pounds = handling.measure_of(command, "pounds", f"How heavy is {command.thing}, in pounds?", "CS-279")
    size = handling.measure_of(command, "size", f"What is the Size of {command.thing}, in feet?", "CS-279")
    limit = profile_of(thrower).light_enc
    factor = ranges.throw_factor(size=size, height=profile_of(thrower).height, pounds=pounds, light_enc=limit)
    if factor is None:
        return None
    rise = rhu(attack_values.elevation(state, catcher) - attack_values.elevation(state, thrower))
    row = ranges.weapons()[ranges.hurled_row(hafted=False, to_wound=False)]
    reach = ranges.limits(row, condition.strength_of(state, thrower).total, rise=max(0, rise), factor=factor)
    unit: ranges.HurledDvUnit = settings_of(state).hurled_dv_unit
    distance = ranges.range_dv(ranges.in_unit(simplify(feet), row.unit), reach, unit)
    if distance is None:
        raise Refused("CS-273", f"{float(feet):g} ft is out of range", (f"up to {reach.long} {row.unit}",), final=True)
    weather = battle_of(state).weather if command.weather is None else command.weather
    return attacks.throw_and_catch_dv(distance, weather)


def _land(decision: Decision, combatant: Combatant, command: commands.Handle, how: str, other_id: str) -> None:
    decision.emit(items.move_object(decision.state, combatant.id, command.thing, how, other=other_id))
    speed = ranges.FLIGHT_FEET_A_SECOND["hurled"]
    mph = rhu(Fraction(speed * 15, 22))
    name = items.clean_name(command.thing)
    question = f"{name} hits the ground at {speed} ft a second ({mph} mph). Does it break?"
    decision.spawn(_ask_whether_it_breaks, combatant, command.thing, question, "CS-215")


def _ask_whether_it_breaks(
    decision: Decision, combatant: Combatant, thing: str, question: str, rule: str, *, blocking: bool = True
) -> None:
    answer = decision.ask_about(
        combatant, "breakage", rule, question, "whole:it stays whole", "broken:it breaks", default="whole",
        blocking=blocking,
    )  # fmt: skip
    if answer.choice == "broken":
        decision.emit(*items.break_object(decision.state, combatant.id, thing))


# Reaching a falling object


def _fall_height(command: commands.Handle) -> Fraction:
    return handling.measure_of(command, "feet", f"How far does {command.thing} fall, in feet?", "CS-216")


def reach_check(state: FightState, command: commands.Handle, combatant: Combatant) -> Check:
    """CS-216, CS-217, CS-219: the catcher must be near enough, with a leap, or a run in the Pulses."""
    fall = _fall_height(command)
    # Feet to the nearer of both points, and to the landing point, which one may run to.
    question = f"How far is {combatant.name} from where {command.thing} lands, in feet? (to_start: from where it falls)"
    start = None if command.to_start is None else handling.measure_of(command, "to_start", "", "CS-216")
    is_unneeded = command.to_landing is None and start is not None
    landing = None if is_unneeded else handling.measure_of(command, "to_landing", question, "CS-216")
    near = min(feet for feet in (start, landing) if feet is not None)
    adjacent = near <= ADJACENT_FT
    if fall < attacks.SHORTEST_FALL:
        problem = f"{combatant.name} is {float(near):g} ft away: only those adjacent reach a fall of {float(fall):g} ft"
        return Check(adjacent, "CS-217", problem, (f"{ADJACENT_FT} ft or nearer",))
    pulses = attacks.pulses_to_catch(fall) if settings_of(state).pulse_movement else 0
    if pulses == 1:  # Below 64 ft there is time for a leap only (CS-216, L395).
        pulses = 0
    # The first Pulse of a movement is at half speed (CS-234).
    full, streak, run = profile_of(combatant).full_speed, fighter_of(combatant).streak, Fraction(0)
    for _ in range(pulses):
        pace = ranges.pace(full, full, streak, moves.speed_of(combatant, "half"))
        run += Fraction(ranges.pulse_reach(pace.mph, settings_of(state).pulse_distance).feet)
        streak = ranges.streak_after(streak, has_moved=True)
    if adjacent or (landing is not None and landing <= run):
        return Check(True, "CS-216", "")
    default = profile_of(combatant).leap
    question = f"How far does {combatant.name} leap, in feet?"
    leap = handling.measure_of(command, "leap", question, "CS-216", None if default is None else float(default))
    holds = attacks.may_reach(fall, to_start=near, to_landing=near, leap=leap, adjacent=adjacent)
    problem = f"{combatant.name} leaps {float(leap):g} ft and is {float(near):g} ft away"
    if pulses:
        problem += f"; in {pulses} Pulses a run of {float(run):g} ft"
    return Check(holds, "CS-216", problem, (f"{float(max(leap, run)):g} ft or nearer",))


def catch_falling(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-216 to CS-224: catch it with a CRD check against Size and fall, or from 16 ft on against the impact (A-28)."""
    command, reach = handling.with_numbers(
        decision, command, combatant, lambda command: reach_check(decision.state, command, combatant)
    )
    decision.require(items.in_the_air_check(decision.state, command.thing, "CS-216"), reach)
    # The numbers of the impact are needed whether or not the check succeeds.
    command, _ = handling.with_numbers(decision, command, combatant, _impact_of)
    command, dv = handling.with_difficulty(decision, command, combatant, lambda each: _catch_dv(decision.state, each))
    av = handling.value_of(decision.state, decision.combatant(command.who), "crd", "CS-224", command)
    verdict = handling.make_trial(decision, command, combatant.id, "CRD", "CS-224", av, dv)
    if verdict is None:
        return
    combatant = decision.combatant(command.who)
    later = replace(command, chance=command.other_chance, other_chance=None, hit=None)
    if not verdict.ok:
        decision.emit(items.move_object(decision.state, combatant.id, command.thing, "is dropped"))
        _release_object(decision, replace(later, what="falls"), combatant)
        return
    decision.emit(items.move_object(decision.state, combatant.id, command.thing, "is caught", combatant.id))
    name = items.clean_name(command.thing)
    decision.emit(*items.pick_up_events(decision.state, combatant.id, name, command.hand))
    _apply_impact(decision, combatant, command)
    if command.fragile:
        keep_whole(decision, replace(later, what="keep_whole"), decision.combatant(command.who))
    elif _fall_height(command) >= attacks.SHORTEST_FALL:
        question = f"{name} fell {float(_fall_height(command)):g} ft and was caught. Does it still break?"
        _ask_whether_it_breaks(decision, combatant, command.thing, question, "CS-220", blocking=False)


def _catch_dv(state: FightState, command: commands.Handle) -> Sum:
    """CS-218, CS-224: below 16 ft the DV of its Size (or weight) and fall; from there on that of the impact (A-28)."""
    feet = simplify(_fall_height(command))
    if feet >= attacks.SHORTEST_FALL:
        return attacks.catch_dv(feet, simplify(_weight_of(command)))
    size = _weight_of(command) if command.size is None else handling.measure_of(command, "size", "", "CS-218")
    return attacks.catch_dv_by_size(feet, simplify(size), rolls.scale_of(state))


def _weight_of(command: commands.Handle) -> Fraction:
    return handling.measure_of(command, "pounds", f"How heavy is {command.thing}, in pounds?", "CS-221")


def _impact_of(command: commands.Handle) -> Sum:
    return attacks.impact(simplify(_fall_height(command)), simplify(_weight_of(command)))


def _apply_impact(decision: Decision, combatant: Combatant, command: commands.Handle) -> None:
    """CS-222, CS-223, CS-610: the POT beyond what the catcher can take wounds and stuns, as a blunt blow does."""
    state = decision.state
    impact = _impact_of(command)
    # The DR of all that the catcher wears: as the command gives it, else as worn now (CS-222).
    worn_dr = sum(layer.worth(settings_of(state).armour_wear) for layer in fighter_of(combatant).armour)
    dr = worn_dr if command.armour is None else max(0, command.armour)
    absorbed_sum = attacks.absorption(
        profile_of(combatant).msta, profile_of(combatant).mods.str, profile_of(combatant).mods.crd, dr
    )
    pot, absorption = rolls.rounded(impact), rolls.rounded(absorbed_sum)
    through = int(attacks.wounding(pot, absorption))
    threshold = wound_effects.wound_threshold(state, combatant)
    wound_count = wounds(through, threshold, counts=True) if condition.body_points(state, combatant) is None else 0
    less = Sum(tuple(Part(part.label, -part.value, part.rule) for part in absorbed_sum.parts))
    decision.emit(
        ImpactTaken(
            who=combatant.id, thing=items.clean_name(command.thing), pot=pot, taken=absorption, through=through,
            wounds=wound_count, threshold=float(threshold), parts=rolls.parts_of(impact, less),
        )
    )  # fmt: skip
    wound_effects.emit_harm(decision, combatant.id, wound_count, through, "")
    decision.spawn(wound_effects.suffer_pain, combatant.id, through)


def _release_object(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-227: an object hits the ground: it breaks if its structure fails, the worse the larger the margin."""
    command, stp, dv = _against_ground(decision, command, combatant, "CS-227")
    av = Sum((Part("structure of the object", stp, "CS-227"),))
    question = f"{items.clean_name(command.thing)} hits the ground: STP {stp} against DV {rolls.rounded(dv)}"
    verdict = handling.make_trial(decision, command, combatant.id, "STP", "CS-227", av, dv, question)
    if verdict is None or verdict.ok:
        return
    how = f"breaks, failed by {verdict.fail_margin}" if verdict.fail_margin else "breaks"
    decision.emit(*items.break_object(decision.state, combatant.id, command.thing, how))


def _against_ground(
    decision: Decision, command: commands.Handle, combatant: Combatant, rule: str
) -> tuple[commands.Handle, int, Sum]:
    """The object's STP (M-14), and the DV of the impact; that it cannot break is one of the answers."""
    question = f"How many STP does {items.clean_name(command.thing)} have?"
    command, stp = handling.with_numbers(
        decision, command, combatant, lambda each: handling.whole_number_of(each, "stp", question, rule)
    )
    command, impact = handling.with_numbers(decision, command, combatant, _impact_of)
    return command, stp, Sum(tuple(Part(part.label, part.value, rule) for part in impact.parts))


def keep_whole(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-226: a fragile object that is caught: CRD and structure against the impact, or it breaks."""
    command, stp, dv = _against_ground(decision, command, combatant, "CS-226")
    crd = handling.attribute_sum(decision.state, decision.combatant(command.who), "crd", "CS-226")
    av = Sum((*crd.parts, *attacks.keep_whole_av(0, stp).parts[1:]))
    name = items.clean_name(command.thing)
    question = f"{name} is fragile: CRD + STP {rolls.rounded(av)} against DV {rolls.rounded(dv)}"
    verdict = handling.make_trial(decision, command, combatant.id, "CRD", "CS-226", av, dv, question)
    if verdict is not None and not verdict.ok:
        decision.emit(*items.break_object(decision.state, combatant.id, command.thing))


def drop_object(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-147, CS-227: drop an object; from a height, check its structure against the impact."""
    decision.require(*handling.giving_checks(decision.state, command, combatant, None, "CS-227"))
    decision.emit(*items.drop_events(combatant, command.thing))
    decision.emit(items.move_object(decision.state, combatant.id, command.thing, "is dropped"))
    if command.feet:
        decision.spawn(_fall, replace(command, what="falls", other_chance=None, hit=None))


def _fall(decision: Decision, command: commands.Handle) -> None:
    with suppress(handling.NeverMind):
        _release_object(decision, command, decision.combatant(command.who))


Deed = Callable[[Decision, commands.Handle, Combatant], rolls.Verdict | None]

DEEDS: Mapping[str, Deed] = {
    "take": handling.take_item,
    "snatch": handling.snatch_item,
    "leap": handling.leap_for_item,
    "find": handling.find_item,
    "hand_over": handling.hand_over,
    "throw": _throw_object,
    "catch": _decide_catch,
    "catch_falling": catch_falling,
    "drop": drop_object,
    "falls": _release_object,
    "keep_whole": keep_whole,
    "struggle": handling.decide_struggle,
}
"""What can be done with an object, by name."""
