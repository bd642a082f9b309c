"""The command for everything that is done with objects in play (CS-200 to CS-227)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.offers import offer
from fightcall_engine.kit.referee import Referee
from fightcall_engine.kit.views import Input, Option
from fightcall_engine.model import commands as cm
from fightcall_engine.model import events as ev
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.action import Action
from fightcall_engine.systems.segments.declaration import pairs
from fightcall_engine.systems.segments.objects import (
    falling,
    handling,
    hands,
    holding,
    objects,
    struggling,
    things,
    throwing,
)
from fightcall_engine.systems.segments.objects.handling import Missing
from fightcall_engine.systems.segments.sequence import own_time, resolving
from fightcall_engine.systems.segments.surprise import surprise

Deed = Callable[[Decision, scm.Handle, Combatant], ev.Events]

DEEDS: Mapping[str, Deed] = {
    "take": objects.take,
    "snatch": objects.snatch,
    "leap": objects.leap,
    "find": objects.find,
    "hand_over": objects.hand_over,
    "throw": throwing.throw,
    "catch": throwing.catch,
    "catch_falling": falling.catch_falling,
    "drop": falling.drop,
    "falls": falling.falls,
    "keep_whole": falling.keep_whole,
    "struggle": struggling.struggle,
}
"""What can be done with an object, by the name in the command."""

REACTIONS = frozenset({"catch", "catch_falling", "falls", "keep_whole"})
"""What is done when it happens, whosever turn it is (CS-413)."""
WHOLE_ACTIONS = frozenset({"leap", "throw"})
"""What is an Action of its own, so that its dice wait for the Resolution (CS-094, L254).

What is snatched, found or handed on in passing is part of the movement (L210), and its check with it (CS-145).
"""
GRAB_QA = 1
"""What a hand put to something takes of an Action (table 4-1: drop or grab)."""


def handle_checks(state: FightState, combatant: Combatant, hand: str = "", what: str = "") -> tuple[Check, ...]:
    """CS-010, CS-094, CS-200: who is up and has a hand free, in his own time; what takes dice, in his Resolution."""
    checks = (fg.able_check(combatant, "CS-111"), fg.open_question(state), *hands.hand_checks(combatant, hand))
    if what in REACTIONS or not fg.kind_of(state):
        return checks
    timely = (*own_time.time_checks(state, combatant), *_surprise_checks(combatant, what), *checks)
    if what in WHOLE_ACTIONS:
        return (*timely, *rolling_checks(state, combatant, what))
    if is_deed_of(state, combatant):
        return timely
    return (*timely, *own_time.small_act_checks(state, combatant, own_time.GRAB, GRAB_QA, "CS-200"))


def _surprise_checks(combatant: Combatant, what: str) -> tuple[Check, ...]:
    """CS-057, CS-065: the surprised begin nothing with objects; they may drop what they hold."""
    return () if what == "drop" else surprise.allowed_checks(combatant, Action(kind=act.OBJECT))


def is_deed_of(state: FightState, combatant: Combatant) -> bool:
    """True in the Resolution of somebody whose due Action is to do something with an object, or whatever he said."""
    action, whose = act.action_of(combatant), fg.actor(state)
    mine = fg.kind_of(state) == fg.RESOLVE and whose is not None and whose.id == combatant.id
    return mine and action.kind in (act.OBJECT, act.ACT) and act.is_due(combatant)


def rolling_checks(state: FightState, combatant: Combatant, what: str) -> tuple[Check, ...]:
    """CS-094, CS-127: no dice before one's own Resolution, and there for the Action that was declared for it.

    Beside an attack it is one of the two acts of a listed pair, done once (CS-390).
    """
    action, whose = act.action_of(combatant), fg.actor(state)
    mine = fg.kind_of(state) == fg.RESOLVE and whose is not None and whose.id == combatant.id
    paired = mine and act.is_due(combatant) and what in (pairs.pair_of(action) or ())
    once = not own_time.spent_qa(combatant, own_time.GRAB)
    said = f"{combatant.name} declares it as an Action, and the dice wait for the Resolution"
    return (
        Check(
            is_deed_of(state, combatant) or (paired and once),
            "CS-094",
            said,
            ("declare with action object", "the GM's word"),
        ),
    )


def decide_handle(decision: Decision, command: scm.Handle) -> ev.Events:
    """Do something with an object (CS-200 to CS-227)."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    deed = DEEDS.get(command.what)
    if deed is None:
        raise Refused("CS-200", f"{command.what!r} is nothing to do with an object", tuple(DEEDS), final=True)
    if not things.clean(command.thing):
        raise Refused("CS-200", "which object?", ("thing: any name", *_object_names(state)), final=True)
    if command.hand and command.hand not in holding.HANDS:
        raise Refused("CS-120", f"{command.hand!r} is no hand", holding.HANDS, final=True)
    going_on = struggling.struggle_for(state, command.thing)
    contest = command.what == "struggle" and going_on is not None and combatant.id in going_on.all_hands
    enforce(handle_checks(state, combatant, command.hand, "catch" if contest else command.what), referee)
    caused = _do_deed(decision, command, combatant)
    return caused if contest else _with_price(state, command, combatant, caused)


def _with_price(state: FightState, command: scm.Handle, combatant: Combatant, caused: ev.Events) -> ev.Events:
    """CS-006, CS-144: what was done is the Action that was due, or a small act beside it; a question is nothing yet."""
    asks = bool(caused) and isinstance(caused[-1], ev.RulingAsked) and caused[-1].prompt.kind == handling.ASKED
    if asks or command.what in REACTIONS or not fg.kind_of(state):
        return caused
    course = Decision(state)
    course.emit(*caused)
    here = course.state.combatants[combatant.id]
    if is_deed_of(state, combatant):
        verdict = next((event for event in caused if isinstance(event, sev.CheckResolved)), None)
        how = act.FAILED if verdict is not None and not verdict.ok else act.DONE
        course.emit(
            *resolving.settle_action(course.state, here, how, f"{command.what.replace('_', ' ')} {command.thing}")
        )
    else:
        course.emit(*own_time.spend(here, own_time.GRAB, GRAB_QA))
    return course.events


def deeds_now(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """What somebody may do with an object now: what happens may be met at any time, the rest in his own time."""
    found = []
    for name in DEEDS:
        fought = name != "struggle" or any(
            things.holder_of(state, each.name) or struggling.struggle_for(state, each.name)
            for each in things.things(state)
        )
        if fought and name != "keep_whole" and first_broken(handle_checks(state, combatant, "", name)) is None:
            found.append(name)
    return tuple(found)


def handle_option(state: FightState, combatant: Combatant) -> Option:
    """CS-200: something to do with an object; what else it needs is asked for."""
    deeds = deeds_now(state, combatant) or ("take",)
    what = Input("what", "choice", "what", choices=deeds, default=deeds[0])
    thing = Input("thing", "text", "which object", choices=_object_names(state))
    checks = handle_checks(state, combatant, "", deeds[0])
    return offer(
        "handle", "an object", "Handle", "h", checks, rule="CS-200", fixed={"who": combatant.id},
        inputs=(what, thing), details=_BESIDES,
    )  # fmt: skip


_BESIDES = (
    Input("feet", "number", "feet", optional=True),
    Input("size", "number", "Size in feet", optional=True),
    Input("pounds", "number", "pounds", optional=True),
    Input("modifier", "number", "modifier", optional=True),
    Input("av", "number", "AV", optional=True),
    Input("weather", "number", "wind and rain", optional=True),
    Input("fragile", "choice", "it may break", choices=("", "true")),
)
"""What may be said of it before it is asked for (CS-200 to CS-227)."""


def _object_names(state: FightState) -> tuple[str, ...]:
    return tuple(thing.name for thing in things.things(state))


def _do_deed(decision: Decision, command: scm.Handle, combatant: Combatant) -> ev.Events:
    """The deed, or the question for a number that it needs.

    Raises:
        Refused: a rule stands against it, or the GM's own Progressive scale is too short for it.
    """
    try:
        return DEEDS[command.what](decision, command, combatant)
    except Missing as missing:
        return handling.ask(command, combatant, missing)
    except ValueError as error:
        raise Refused("M-03", str(error), ("progressive_values that go further",), final=True) from error


def answer_number(decision: Decision, prompt: Prompt, given: cm.Answer) -> ev.Events:
    """A number that was missing: what was begun goes on."""
    state, dice = decision.state, decision.dice
    command = handling.fill_number(prompt, given)
    combatant = state.combatants.get(prompt.who)
    if command is None or combatant is None:
        return ()
    own_referee = Referee(command.type, combatant.id, command.force or given.force)
    caused = _with_price(state, command, combatant, _do_deed(Decision(state, dice, own_referee), command, combatant))
    return (*own_referee.overrides, *caused)


ANSWERS: Mapping[str, Callable[[Decision, Prompt, cm.Answer], ev.Events]] = {
    handling.ASKED: answer_number,
    objects.WRONG_ITEM: objects.answer_wrong,
    struggling.STRUCTURE: struggling.answer_structure,
    throwing.BREAKAGE: throwing.answer_breakage,
}
"""What an answer about an object leads to, by the kind of its prompt."""
