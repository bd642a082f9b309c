"""Falling objects: reaching them, catching them, and the impact (CS-216 to CS-227)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import moves, trials
from fightcall_engine.systems.segments.actions.throws import breakage_prompt
from fightcall_engine.systems.segments.actions.trials import MissingNumber, Trial, measure_of, value_of
from fightcall_engine.systems.segments.injury import pain, wound_effects
from fightcall_engine.systems.segments.positions import ways
from fightcall_engine.systems.segments.rules import movement, objects
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, simplify
from fightcall_engine.systems.segments.rules.wounds import wounds
from fightcall_engine.systems.segments.state import commands, events, health, items, rolls, things, worn_armour
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

ADJACENT_FT = 5
"""Feet within which a point is at close or common melee distance (CS-217)."""

# Reaching it


def fall_height(command: commands.Handle) -> Fraction:
    """The height of the fall, in feet."""
    return measure_of(command, "feet", f"How far does {command.thing} fall, in feet?", "CS-216")


def reach_check(state: FightState, command: commands.Handle, combatant: Combatant) -> Check:
    """CS-216, CS-217, CS-219: the catcher must be near enough, with a leap, or a run in the Pulses.

    Raises:
        MissingNumber: the distance or the leap is needed and unknown.
    """
    fall = fall_height(command)
    near, landing = _fall_distances(command, combatant)
    adjacent = near <= ADJACENT_FT
    if fall < objects.SHORTEST_FALL:
        problem = f"{combatant.name} is {float(near):g} ft away: only those adjacent reach a fall of {float(fall):g} ft"
        return Check(adjacent, "CS-217", problem, (f"{ADJACENT_FT} ft or nearer",))
    pulses = objects.pulses_to_run(fall) if ways.uses_pulses(state) else 0
    run = feet_run(state, combatant, pulses)
    if adjacent or (landing is not None and landing <= run):
        return Check(True, "CS-216", "")
    leap = leap_length(command, combatant)
    holds = objects.may_reach(fall, to_start=near, to_landing=near, leap=leap, adjacent=adjacent)
    problem = f"{combatant.name} leaps {float(leap):g} ft and is {float(near):g} ft away"
    if pulses:
        problem += f"; in {pulses} Pulses a run of {float(run):g} ft"
    return Check(holds, "CS-216", problem, (f"{float(max(leap, run)):g} ft or nearer",))


def _fall_distances(command: commands.Handle, combatant: Combatant) -> tuple[Fraction, Fraction | None]:
    """Feet to the nearer of both points, and to the landing point, which one may run to."""
    question = f"How far is {combatant.name} from where {command.thing} lands, in feet? (to_start: from where it falls)"
    if command.to_landing is None and command.to_start is not None:
        return measure_of(command, "to_start", "", "CS-216"), None
    landing = measure_of(command, "to_landing", question, "CS-216")
    start = landing if command.to_start is None else measure_of(command, "to_start", "", "CS-216")
    return min(start, landing), landing


def leap_length(command: commands.Handle, combatant: Combatant) -> Fraction:
    """The length of a standing leap, in feet (CS-216, M-11).

    Raises:
        MissingNumber: neither the command nor the sheet gives it.
    """
    leap = profile_of(combatant).leap
    default = None if leap is None else float(leap)
    return measure_of(command, "leap", f"How far does {combatant.name} leap, in feet?", "CS-216", default)


def feet_run(state: FightState, combatant: Combatant, pulses: int) -> Fraction:
    """CS-219, CS-234: feet run in so many Pulses; the first of a movement is at half speed."""
    full, streak, feet = profile_of(combatant).full_speed, fighter_of(combatant).streak, Fraction(0)
    for _ in range(pulses):
        pace = movement.pace(full, full, streak, moves.speed_of(combatant, "half"))
        feet += Fraction(movement.pulse_reach(pace.mph, ways.distance_reading(state)).feet)
        streak = movement.streak_after(streak, has_moved=True)
    return feet


# Catching it


def catch_falling(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-216 to CS-224: catch it with a CRD check against Size and fall, or from 16 ft on against the impact (A-28)."""
    state, referee = decision.state, decision.referee
    enforce((things.in_the_air_check(state, command.thing, "CS-216"), reach_check(state, command, combatant)), referee)
    impact_of(command)  # The numbers of the impact are needed whether or not the check succeeds.
    dv = trials.known_difficulty(command, lambda: _catch_dv(state, command))
    av = value_of(state, combatant, "crd", "CS-224", command)
    trial = Trial(combatant, "CRD", "CS-224", "fall_caught", av, dv, command.chance, command.hit)
    trials.call_check(decision, command, trial)


def _catch_dv(state: FightState, command: commands.Handle) -> Sum:
    """CS-218, CS-224: below 16 ft the DV of its Size (or weight) and fall; from there on that of the impact (A-28)."""
    feet = simplify(fall_height(command))
    if feet >= objects.SHORTEST_FALL:
        return objects.catch_dv(feet, simplify(weight_of(command)))
    size = weight_of(command) if command.size is None else measure_of(command, "size", "", "CS-218")
    return objects.catch_dv_by_size(feet, simplify(size), rolls.scale_of(state))


def weight_of(command: commands.Handle) -> Fraction:
    """The object's weight in pounds."""
    return measure_of(command, "pounds", f"How heavy is {command.thing}, in pounds?", "CS-221")


def impact_of(command: commands.Handle) -> Sum:
    """The POT of the object's impact (CS-221)."""
    return objects.impact(simplify(fall_height(command)), simplify(weight_of(command)))


@rolls.on_check_result("fall_caught")
def _on_fall_caught(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    command, combatant = trials.command_of(prompt), state.combatants[prompt.who]
    if not verdict.ok:
        decision.emit(things.move_object(state, combatant.id, command.thing, "is dropped"))
        _ask_next(decision, command, "falls", combatant)
        return
    decision.emit(things.move_object(state, combatant.id, command.thing, "is caught", combatant.id))
    decision.emit(*items.pick_up_events(decision.state, combatant.id, things.clean_name(command.thing), command.hand))
    apply_impact(decision, combatant, command)
    here = decision.state.combatants[combatant.id]
    if command.fragile:
        _ask_next(decision, command, "keep_whole", here)
    elif fall_height(command) >= objects.SHORTEST_FALL:
        fell = f"{things.clean_name(command.thing)} fell {float(fall_height(command)):g} ft"
        question = f"{fell} and was caught. Does it still break?"
        decision.offer(breakage_prompt(here, command, question, "CS-220", blocking=False))


# The impact on the catcher


def apply_impact(decision: Decision, combatant: Combatant, command: commands.Handle) -> None:
    """CS-222, CS-223, CS-610: the POT beyond what the catcher can take wounds and stuns, as a blunt blow does."""
    state = decision.state
    impact = impact_of(command)
    absorbed_sum = objects.absorption(
        profile_of(combatant).msta,
        profile_of(combatant).mods.str,
        profile_of(combatant).mods.crd,
        armour_of(state, combatant, command),
    )
    pot, absorption = rolls.rounded(impact), rolls.rounded(absorbed_sum)
    through = int(objects.wounding(pot, absorption))
    threshold = wound_effects.wound_threshold(state, combatant)
    wound_count = wounds(through, threshold, counts=True) if health.body_points(state, combatant) is None else 0
    less = Sum(tuple(Part(part.label, -part.value, part.rule) for part in absorbed_sum.parts))
    decision.emit(
        events.ImpactTaken(
            who=combatant.id, thing=things.clean_name(command.thing), pot=pot, taken=absorption, through=through,
            wounds=wound_count, threshold=float(threshold), parts=rolls.parts_of(impact, less),
        )
    )  # fmt: skip
    wound_effects.emit_harm(decision, combatant.id, wound_count, through, "")
    decision.spawn(pain.suffer_pain, combatant.id, through)


def armour_of(state: FightState, combatant: Combatant, command: commands.Handle) -> int:
    """The DR of all that the catcher wears (CS-222): as the command gives it, else as worn now."""
    if command.armour is not None:
        return max(0, command.armour)
    wearing = settings_of(state).armour_wear
    return sum(layer.worth(wearing) for layer in worn_armour.worn_by(combatant))


# The impact on the object


def release_object(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-227: an object hits the ground: its structure is checked against the impact, fragile or not."""
    stp = structure_of(command, "CS-227")
    av, dv = Sum((Part("structure of the object", stp, "CS-227"),)), _ground_dv(command)
    question = f"{things.clean_name(command.thing)} hits the ground: STP {stp} against DV {rolls.rounded(dv)}"
    trial = Trial(combatant, "STP", "CS-227", "fallen", av, dv, command.chance, command.hit, question)
    trials.call_check(decision, command, trial)


def _ground_dv(command: commands.Handle) -> Sum:
    return Sum(tuple(Part(part.label, part.value, "CS-227") for part in impact_of(command).parts))


def keep_whole(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-226: a fragile object that is caught: CRD and structure against the impact, or it breaks."""
    state = decision.state
    stp = structure_of(command, "CS-226")
    crd = trials.attribute_sum(state, combatant, "crd", "CS-226")
    av = Sum((*crd.parts, *objects.keep_whole_av(0, stp).parts[1:]))
    dv = Sum(tuple(Part(part.label, part.value, "CS-226") for part in impact_of(command).parts))
    question = (
        f"{things.clean_name(command.thing)} is fragile: CRD + STP {rolls.rounded(av)} against DV {rolls.rounded(dv)}"
    )
    trial = Trial(combatant, "CRD", "CS-226", "kept_whole", av, dv, command.chance, command.hit, question)
    trials.call_check(decision, command, trial)


def structure_of(command: commands.Handle, rule: str) -> int:
    """The object's STP (M-14).

    Raises:
        MissingNumber: it is unknown; that it cannot break is one of the answers.
    """
    return trials.whole_number_of(command, "stp", f"How many STP does {things.clean_name(command.thing)} have?", rule)


def _ask_next(decision: Decision, command: commands.Handle, what: str, combatant: Combatant) -> None:
    """Call for a second check, with the second chance that was typed."""
    deed = release_object if what == "falls" else keep_whole
    later = replace(command, what=what, chance=command.other_chance, other_chance=None, hit=None)
    try:
        deed(decision, later, combatant)
    except MissingNumber as missing:
        decision.emit(*trials.ask_missing(later, combatant, missing))


@rolls.on_check_result("fallen")
def _on_fall_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-227: the object breaks on failure, the worse the larger the margin."""
    state = decision.state
    if verdict.ok:
        return
    how = f"breaks, failed by {verdict.fail_margin}" if verdict.fail_margin else "breaks"
    decision.emit(*things.break_object(state, prompt.who, trials.command_of(prompt).thing, how))


@rolls.on_check_result("kept_whole")
def _on_kept_whole(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    if not (verdict.ok):
        decision.emit(*things.break_object(state, prompt.who, trials.command_of(prompt).thing))


def drop_object(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-147, CS-227: drop an object; from a height, check its structure against the impact."""
    state, referee = decision.state, decision.referee
    holder = things.holder_of(state, command.thing)
    name = state.combatants[holder].name if holder else ""
    enforce((Check(holder in ("", combatant.id), "CS-227", f"{name} has {command.thing}", (name,)),), referee)
    decision.emit(*items.drop_events(combatant, command.thing))
    decision.emit(things.move_object(decision.state, combatant.id, command.thing, "is dropped"))
    if command.feet:
        later = replace(command, other_chance=command.chance)
        _ask_next(decision, later, "falls", combatant)
