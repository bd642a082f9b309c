"""Throwing and catching objects (CS-213 to CS-215)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Events, RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import trials
from fightcall_engine.systems.segments.actions.trials import Trial, measure_of, value_of
from fightcall_engine.systems.segments.combat import shots
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules import objects, ranges
from fightcall_engine.systems.segments.rules.numbers import Sum, rhu, simplify
from fightcall_engine.systems.segments.state import commands, items, queries, rolls, things
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedHandling, without_dice
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.scores import strength_of
from fightcall_engine.systems.segments.state.settings import settings_of

BREAKAGE = "breakage"
"""The kind of the question whether an object breaks, if no number decides it (CS-215, CS-220)."""


def throw_object(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-213: throw an object: AGL of the thrower, then CRD of the catcher, both against the distance."""
    state, referee = decision.state, decision.referee
    other = trials.find_partner(state, command, combatant, "CS-213")
    holder = things.holder_of(state, command.thing)
    name = state.combatants[holder].name if holder else ""
    enforce(
        (
            Check(holder in ("", combatant.id), "CS-213", f"{name} has {command.thing}", (name,)),
            queries.able_check(other, "CS-111"),
            *trials.hand_checks(other, taken=command.thing),
        ),
        referee,
    )
    dv = trials.known_difficulty(command, lambda: _distance_dv(state, command, combatant, other))
    av = value_of(state, combatant, "agl", "CS-213", command)
    trial = Trial(combatant, "AGL", "CS-213", "thrown", av, dv, command.chance, command.hit)
    trials.call_check(decision, command, trial)


@rolls.on_check_result("thrown")
def _on_throw_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    command, combatant = trials.command_of(prompt), state.combatants[prompt.who]
    other = decision.combatant(command.other)
    decision.emit(*items.drop_events(combatant, command.thing))
    if not verdict.ok:
        decision.emit(*_missed_events(decision.state, combatant, command, "is thrown wide", other.id))
        return
    decision.emit(things.move_object(decision.state, combatant.id, command.thing, "is thrown", other=other.id))
    _settle_catch(decision, command, combatant, other, command.other_chance, None)


def decide_catch(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-213: catch what `other` has thrown, with a CRD check."""
    state = decision.state
    thrower = trials.find_partner(state, command, combatant, "CS-213")
    enforce((things.in_the_air_check(state, command.thing, "CS-213"),), decision.referee)
    _settle_catch(decision, command, thrower, combatant, command.chance, command.hit)


def _settle_catch(
    decision: Decision,
    command: commands.Handle,
    thrower: Combatant,
    catcher: Combatant,
    chance: int | None,
    hit: bool | None,
) -> None:
    state = decision.state
    full_command = replace(command, chance=chance, hit=hit)
    dv = trials.known_difficulty(full_command, lambda: _distance_dv(state, command, thrower, catcher))
    av = trials.attribute_sum(state, catcher, "crd", "CS-213")
    trial = Trial(catcher, "CRD", "CS-213", "caught", av, dv, chance, hit)
    trials.call_check(decision, command, trial)


@rolls.on_check_result("caught")
def _on_catch_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    command, combatant = trials.command_of(prompt), state.combatants[prompt.who]
    if not verdict.ok:
        decision.emit(*_missed_events(state, combatant, command, "is fumbled", ""))
        return
    decision.emit(things.move_object(state, combatant.id, command.thing, "is caught", combatant.id))
    decision.emit(*items.pick_up_events(decision.state, combatant.id, things.clean_name(command.thing), command.hand))


# Distance


def _distance_dv(state: FightState, command: commands.Handle, thrower: Combatant, catcher: Combatant) -> Sum | None:
    """CS-213, CS-214: the DV by range, as for a hurled weapon; None if the GM sets it (CS-280).

    Raises:
        MissingNumber: it needs a number that is unknown.
    """
    distance_feet = places.distance_ft(state, thrower, catcher)
    feet_apart = None if distance_feet is None else float(distance_feet)
    feet = measure_of(command, "feet", f"How far is {catcher.name} from {thrower.name}, in feet?", "CS-213", feet_apart)
    pounds = measure_of(command, "pounds", f"How heavy is {command.thing}, in pounds?", "CS-279")
    size = measure_of(command, "size", f"What is the Size of {command.thing}, in feet?", "CS-279")
    limit = profile_of(thrower).light_enc
    factor = ranges.throw_factor(size=size, height=profile_of(thrower).height, pounds=pounds, light_enc=limit)
    if factor is None:
        return None
    rise = rhu(shots.elevation(state, catcher) - shots.elevation(state, thrower))
    row = ranges.weapons()[ranges.hurled_row(hafted=False, to_wound=False)]
    reach = ranges.limits(row, strength_of(state, thrower).total, rise=max(0, rise), factor=factor)
    unit: ranges.HurledDvUnit = settings_of(state).hurled_dv_unit
    distance = ranges.range_dv(ranges.in_unit(simplify(feet), row.unit), reach, unit)
    if distance is None:
        raise Refused("CS-273", f"{float(feet):g} ft is out of range", (f"up to {reach.long} {row.unit}",), final=True)
    return objects.throw_and_catch_dv(distance, weather_of(state, command))


def weather_of(state: FightState, command: commands.Handle) -> int:
    """What wind and rain add: as the command gives it, else by the GM's ruling (CS-214)."""
    return shots.weather_of(state) if command.weather is None else command.weather


# Missed throws


def _missed_events(state: FightState, combatant: Combatant, command: commands.Handle, how: str, other: str) -> Events:
    """CS-215: the object lands as fast as it flew; ask whether it breaks."""
    event = things.move_object(state, combatant.id, command.thing, how, other=other)
    speed = ranges.FEET_A_SECOND["hurled"]
    mph = rhu(Fraction(speed * 15, 22))
    question = f"{things.clean_name(command.thing)} hits the ground at {speed} ft a second ({mph} mph). Does it break?"
    return (event, RulingAsked(prompt=breakage_prompt(combatant, command, question, "CS-215")))


def breakage_prompt(
    combatant: Combatant, command: commands.Handle, question: str, rule: str, *, blocking: bool = True
) -> Prompt:
    """The question whether an object breaks; by default it does not."""
    return prompt_for(
        combatant,
        kind=BREAKAGE,
        question=question,
        rule=rule,
        choices=choices("whole:it stays whole", "broken:it breaks"),
        default="whole",
        blocking=blocking,
        resume=AskedHandling(command=without_dice(command)),
    )


@answers(BREAKAGE)
def answer_breakage(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-215, CS-220: break the object, or not."""
    state = decision.state
    if answer.choice == "broken":
        decision.emit(*things.break_object(state, prompt.who, trials.command_of(prompt).thing))
