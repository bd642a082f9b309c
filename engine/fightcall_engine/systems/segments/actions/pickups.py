"""Taking, snatching, leaping for, finding and handing over objects (CS-200 to CS-212)."""

from __future__ import annotations

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import trials
from fightcall_engine.systems.segments.actions.struggles import reach_object, taking_checks
from fightcall_engine.systems.segments.actions.trials import Trial, measure_of, value_of
from fightcall_engine.systems.segments.rules import objects
from fightcall_engine.systems.segments.rules.numbers import Sum, simplify
from fightcall_engine.systems.segments.state import commands, items, queries, rolls, things
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedHandling, without_dice
from fightcall_engine.systems.segments.state.rolls import Verdict

WRONG_ITEM = "wrong_item"
"""The kind of the question what comes out of a container instead (CS-210)."""

# Loose objects


def take_item(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-200: take a loose object within the combatant's Zone, without a check."""
    state, referee = decision.state, decision.referee
    enforce(taking_checks(state, combatant, command), referee)
    reach_object(decision, combatant, command, "is taken")


def snatch_item(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-201: snatch an object on the run, with a CRD check against speed and Size."""
    state, referee = decision.state, decision.referee
    enforce(taking_checks(state, combatant, command), referee)
    dv = trials.known_difficulty(command, lambda: _snatch_dv(state, command, combatant))
    av = value_of(state, combatant, "crd", "CS-201", command)
    trial = Trial(combatant, "CRD", "CS-201", "snatched", av, dv, command.chance, command.hit)
    trials.call_check(decision, command, trial)


def _snatch_dv(state: FightState, command: commands.Handle, combatant: Combatant) -> Sum:
    speed = measure_of(
        command,
        "speed",
        f"How fast does {combatant.name} move, in mph?",
        "CS-201",
        trials.moving_at(state, combatant) or None,
    )
    size = measure_of(command, "size", f"What is the Size of {command.thing}, in feet?", "CS-201")
    return objects.snatch_dv(simplify(speed), simplify(size))


def leap_for_item(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-202: leap for an object, with an AGL check against the distance."""
    state, referee = decision.state, decision.referee
    enforce((*taking_checks(state, combatant, command), _leap_check(command, combatant)), referee)
    question = f"How far is {command.thing} from {combatant.name}, in feet?"
    dv = trials.known_difficulty(
        command, lambda: objects.leap_dv(simplify(measure_of(command, "feet", question, "CS-202")))
    )
    av = value_of(state, combatant, "agl", "CS-202", command)
    trial = Trial(combatant, "AGL", "CS-202", "snatched", av, dv, command.chance, command.hit)
    trials.call_check(decision, command, trial)


def _leap_check(command: commands.Handle, combatant: Combatant) -> Check:
    """CS-202: the check that the object is within the leap, if that is known."""
    leap = float(profile_of(combatant).leap_feet) if command.leap is None else command.leap
    feet = command.feet or 0
    message = f"{combatant.name} leaps {leap:g} ft, {command.thing} is {feet:g} ft away"
    return Check(not leap or feet <= leap, "CS-202", message, (f"feet {leap:g}",))


@rolls.on_check_result("snatched")
def _on_snatch_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    command, combatant = trials.command_of(prompt), state.combatants[prompt.who]
    if verdict.ok:
        reach_object(decision, combatant, command, "is snatched")
        return
    decision.emit(
        things.move_object(state, combatant.id, command.thing, "is missed", things.holder_of(state, command.thing))
    )


# Containers


def find_item(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-209: find an object, with a CRD check if other things are in the way or one moves."""
    state = decision.state
    enforce(taking_checks(state, combatant, command), decision.referee)
    dv = trials.known_difficulty(command, lambda: _container_dv(state, command, combatant))
    if dv is not None and not any(part.value for part in dv.parts):
        reach_object(decision, combatant, command, "is found")
        return
    av = value_of(state, combatant, "crd", "CS-209", command)
    trial = Trial(combatant, "CRD", "CS-209", "found", av, dv, command.chance, command.hit)
    trials.call_check(decision, command, trial)


def _container_dv(state: FightState, command: commands.Handle, combatant: Combatant) -> Sum:
    question = f"How many other things are with {command.thing} in the container?"
    others = trials.whole_number_of(command, "others", question, "CS-209")
    speed = measure_of(command, "speed", "", "CS-209", trials.moving_at(state, combatant))
    return objects.container_dv(others, simplify(speed), rolls.scale_of(state))


@rolls.on_check_result("found")
def _on_search_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    command, combatant = trials.command_of(prompt), state.combatants[prompt.who]
    if verdict.ok:
        reach_object(decision, combatant, command, "is found")
        return
    decision.offer(
        prompt_for(
            combatant,
            kind=WRONG_ITEM,
            question=f"{combatant.name} doesn't find {command.thing}. Does something else come out? (type its name)",
            rule="CS-210",
            choices=choices("nothing", "something:something else"),
            default="nothing",
            resume=AskedHandling(command=without_dice(command)),
        )
    )


@answers(WRONG_ITEM)
def answer_wrong(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-210: nothing comes out, or something else, named by the answer's value or note."""
    state = decision.state
    combatant, command = state.combatants[prompt.who], trials.command_of(prompt)
    if answer.choice == "nothing":
        decision.emit(
            things.move_object(
                state, combatant.id, command.thing, "is not found", things.holder_of(state, command.thing)
            )
        )
        return
    name_text = answer.value if isinstance(answer.value, str) else answer.note
    name = things.clean_name(name_text or "") or "something else"
    decision.emit(
        things.move_object(
            state, combatant.id, name, f"comes out instead of {things.clean_name(command.thing)}", combatant.id
        )
    )


# Handing over


def hand_over(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-211, CS-212: hand over an object; if either moves, the receiver makes a CRD check."""
    state, referee = decision.state, decision.referee
    other = trials.find_partner(state, command, combatant, "CS-211")
    holder = things.holder_of(state, command.thing)
    is_free_to_give = holder in ("", combatant.id)
    name = state.combatants[holder].name if holder else ""
    enforce(
        (
            Check(is_free_to_give, "CS-211", f"{name} has {command.thing}", (name,)),
            queries.able_check(other, "CS-111"),
            *trials.hand_checks(other, taken=command.thing),
            trials.reach_check(state, combatant, other),
        ),
        referee,
    )
    own_speed = measure_of(command, "speed", "", "CS-212", trials.moving_at(state, combatant))
    theirs = measure_of(command, "other_speed", "", "CS-212", trials.moving_at(state, other))
    dv = objects.hand_over_dv(simplify(own_speed), simplify(theirs))
    if dv is None:
        trials.pass_object(decision, combatant, other, command, "is handed over")
        return
    av = value_of(state, other, "crd", "CS-212", command)
    trial = Trial(other, "CRD", "CS-212", "handed_over", av, dv, command.chance, command.hit)
    trials.call_check(decision, command, trial)


@rolls.on_check_result("handed_over")
def _on_handed_over(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    command = trials.command_of(prompt)
    combatant, other = decision.combatant(command.who), state.combatants[prompt.who]
    if verdict.ok:
        trials.pass_object(decision, combatant, other, command, "is handed over")
        return
    decision.emit(*items.drop_events(combatant, command.thing))
    decision.emit(things.move_object(decision.state, other.id, command.thing, "is fumbled", "", other=combatant.id))
