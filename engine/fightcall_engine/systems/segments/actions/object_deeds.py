"""The command for objects in play (CS-200 to CS-227)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import question_check
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import falling_objects, pickups, struggles, throws, trials
from fightcall_engine.systems.segments.actions.trials import MissingNumber
from fightcall_engine.systems.segments.state import (
    commands,
    events,
    items,
    progress,
    queries,
    small_acts,
    surprise_limits,
    things,
)
from fightcall_engine.systems.segments.state.action import DONE, FAILED, OBJECT, action_of, is_due
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import Action

Deed = Callable[[Decision, commands.Handle, Combatant], None]

DEEDS: Mapping[str, Deed] = {
    "take": pickups.take_item,
    "snatch": pickups.snatch_item,
    "leap": pickups.leap_for_item,
    "find": pickups.find_item,
    "hand_over": pickups.hand_over,
    "throw": throws.throw_object,
    "catch": throws.decide_catch,
    "catch_falling": falling_objects.catch_falling,
    "drop": falling_objects.drop_object,
    "falls": falling_objects.release_object,
    "keep_whole": falling_objects.keep_whole,
    "struggle": struggles.decide_struggle,
}
"""What can be done with an object, by name."""

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


def handle_checks(
    state: FightState, combatant: Combatant, hand: str = "", what: str = "", thing: str = ""
) -> tuple[Check, ...]:
    """CS-010, CS-094, CS-200: the combatant is up with a free hand, in its own time; for dice, in its Resolution."""
    checks = (
        queries.able_check(combatant, "CS-111"),
        question_check(state),
        *trials.hand_checks(combatant, hand, thing if what in TAKING else ""),
    )
    if what in REACTIONS or not queries.kind_of(state):
        return checks
    all_checks = (*small_acts.time_checks(state, combatant), *_surprise_checks(combatant, what), *checks)
    if what in WHOLE_ACTIONS:
        return (*queries.turn_last(*all_checks), *rolling_checks(state, combatant, what))
    if trials.is_resolution_of_deed(state, combatant):
        return queries.turn_last(*all_checks)
    small = small_acts.small_act_checks(state, combatant, small_acts.GRAB, GRAB_QA, "CS-200")
    return queries.turn_last(*all_checks, *small)


def _surprise_checks(combatant: Combatant, what: str) -> tuple[Check, ...]:
    """CS-057, CS-065: the surprised begin nothing with objects; they may drop what they hold."""
    return () if what == "drop" else surprise_limits.allowed_checks(combatant, Action(kind=OBJECT))


def rolling_checks(state: FightState, combatant: Combatant, what: str) -> tuple[Check, ...]:
    """CS-094, CS-127: dice wait for the combatant's Resolution, with an Action declared for them.

    Beside an attack it must be an act of a listed pair, done once (CS-390).
    """
    action, whose = action_of(combatant), queries.actor_of(state)
    is_own_turn = queries.kind_of(state) == queries.RESOLVE and whose is not None and whose.id == combatant.id
    is_paired = is_own_turn and is_due(combatant) and what in (small_acts.pair_of(action) or ())
    is_first_use = not small_acts.spent_qa(combatant, small_acts.GRAB)
    problem = "declare this as an Action first; you roll in the Resolution phase"
    return (
        Check(
            trials.is_resolution_of_deed(state, combatant) or (is_paired and is_first_use),
            "CS-094",
            problem,
            ("declare with action object", "the GM's ruling"),
        ),
    )


@handles(commands.Handle)
def decide_handle(decision: Decision, command: commands.Handle) -> None:
    """Do something with an object (CS-200 to CS-227)."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    deed = DEEDS.get(command.what)
    if deed is None:
        raise Refused("CS-200", f"unknown act with an object: {command.what!r}", tuple(DEEDS), final=True)
    if not things.clean_name(command.thing):
        raise Refused("CS-200", "which object?", ("thing: any name", *object_names(state)), final=True)
    if command.hand and command.hand not in items.HANDS:
        raise Refused("CS-120", f"unknown hand: {command.hand!r}", items.HANDS, final=True)
    going_on = things.struggle_for(state, command.thing)
    contest = command.what == "struggle" and going_on is not None and combatant.id in going_on.all_hands
    what, thing = ("catch", "") if contest else (command.what, command.thing)
    enforce(handle_checks(state, combatant, command.hand, what, thing), referee)
    if contest:
        _do_deed(decision, command, combatant)
    else:
        _do_and_pay(decision, command, combatant)


def _do_and_pay(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-006, CS-144: do it, and pay with the due Action, or as a small act beside it; asking a question is free."""
    state, start = decision.state, len(decision.events)
    _do_deed(decision, command, combatant)
    new_events = decision.events[start:]
    is_question = (
        bool(new_events)
        and isinstance(new_events[-1], RulingAsked)
        and new_events[-1].prompt.kind == trials.NUMBER_PROMPT
    )
    if is_question or command.what in REACTIONS or not queries.kind_of(state):
        return
    here = decision.state.combatants[combatant.id]
    if trials.is_resolution_of_deed(state, combatant):
        verdict = next((event for event in new_events if isinstance(event, events.CheckResolved)), None)
        how = FAILED if verdict is not None and not verdict.ok else DONE
        decision.emit(
            *progress.settle_action(decision.state, here, how, f"{command.what.replace('_', ' ')} {command.thing}")
        )
    else:
        decision.emit(*small_acts.spend_small_act(here, small_acts.GRAB, GRAB_QA))


def object_names(state: FightState) -> tuple[str, ...]:
    """Names of all objects in play."""
    return tuple(thing.name for thing in battle_of(state).things)


def _do_deed(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """Do it, or ask for a number that it needs.

    Raises:
        Refused: a rule forbids it, or the GM's Progressive scale is too short for it.
    """
    try:
        DEEDS[command.what](decision, command, combatant)
    except MissingNumber as missing:
        decision.emit(*trials.ask_missing(command, combatant, missing))
    except ValueError as error:
        raise Refused("M-03", str(error), ("a longer scale (progressive_values)",), final=True) from error


@answers(trials.NUMBER_PROMPT)
def answer_number(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Go on after the answer with a missing number."""
    command = trials.fill_number(prompt, answer)
    combatant = decision.state.combatants.get(prompt.who)
    if command is None or combatant is None:
        return
    own_referee = Referee(command.type, combatant.id, command.force or answer.force)
    deed = Decision(decision.state, decision.dice, own_referee)
    _do_and_pay(deed, command, combatant)
    decision.emit(*own_referee.overrides, *deed.events)
