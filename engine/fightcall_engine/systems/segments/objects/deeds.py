"""The command for everything that is done with objects in play (CS-200 to CS-227)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fightcall_engine import commands as cm
from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.checks import Check, enforce
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.offering import offer
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState, Prompt
from fightcall_engine.system import Input, Option
from fightcall_engine.systems.segments import commands as scm
from fightcall_engine.systems.segments import figures as fg
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

Deed = Callable[[FightState, scm.Handle, Combatant, Dice, Referee], ev.Events]

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


def handle_checks(state: FightState, one: Combatant, hand: str = "") -> tuple[Check, ...]:
    """CS-200: who is up and has a hand free."""
    return (fg.able_check(one, "CS-111"), fg.open_question(state), *hands.hand_checks(one, hand))


def decide_handle(state: FightState, command: scm.Handle, dice: Dice, referee: Referee) -> ev.Events:
    """Do something with an object (CS-200 to CS-227)."""
    one = combatant_of(state, command.who)
    deed = DEEDS.get(command.what)
    if deed is None:
        raise Refused("CS-200", f"{command.what!r} is nothing to do with an object", tuple(DEEDS), final=True)
    if not things.clean(command.thing):
        raise Refused("CS-200", "which object?", ("thing: any name", *_known(state)), final=True)
    if command.hand and command.hand not in holding.HANDS:
        raise Refused("CS-120", f"{command.hand!r} is no hand", holding.HANDS, final=True)
    enforce(handle_checks(state, one, command.hand), referee)
    return _done(state, command, one, dice, referee)


def handle_option(state: FightState, one: Combatant) -> Option:
    """CS-200: something to do with an object; what else it needs is asked for."""
    known = things.things(state)
    fought = any(things.holder_of(state, each.name) or struggling.struggle_for(state, each.name) for each in known)
    deeds = tuple(name for name in DEEDS if fought or name != "struggle")
    what = Input("what", "choice", "what", choices=deeds, default="take")
    thing = Input("thing", "text", "which object", choices=_known(state))
    checks = handle_checks(state, one)
    return offer(
        "handle", "an object", "Handle", "h", checks, rule="CS-200", fixed={"who": one.id},
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


def _known(state: FightState) -> tuple[str, ...]:
    return tuple(one.name for one in things.things(state))


def _done(state: FightState, command: scm.Handle, one: Combatant, dice: Dice, referee: Referee) -> ev.Events:
    """The deed, or the question for a number that it needs.

    Raises:
        Refused: a rule stands against it, or the GM's own Progressive scale is too short for it.
    """
    try:
        return DEEDS[command.what](state, command, one, dice, referee)
    except Missing as missing:
        return handling.ask(command, one, missing)
    except ValueError as error:
        raise Refused("M-03", str(error), ("progressive_values that go further",), final=True) from error


def answer_number(state: FightState, prompt: Prompt, given: cm.Answer, dice: Dice, referee: Referee) -> ev.Events:
    """A number that was missing: what was begun goes on."""
    command = handling.filled(prompt, given)
    one = state.combatants.get(prompt.who)
    if command is None or one is None:
        return ()
    told = Referee(command.type, one.id, command.force or given.force)
    happened = _done(state, command, one, dice, told)
    return (*told.overrides, *happened)


ANSWERS: Mapping[str, Callable[[FightState, Prompt, cm.Answer, Dice, Referee], ev.Events]] = {
    handling.ASKED: answer_number,
    objects.WRONG_ITEM: objects.answer_wrong,
    struggling.STRUCTURE: struggling.answer_structure,
    throwing.BREAKAGE: throwing.answer_breakage,
}
"""What an answer about an object leads to, by the kind of its prompt."""
