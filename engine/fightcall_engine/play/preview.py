"""Previewing a command: running `decide` without rolling, and without a change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.preview import CollectingReferee, Preview, Trial, text_field, together
from fightcall_engine.kit.squads import who_act_together
from fightcall_engine.model.commands import Command
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import NeedsDice, Refused
from fightcall_engine.model.events import RulingAsked
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import copy_with
from fightcall_engine.play import core_commands

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def preview_command(system: BaseSystem, state: FightState, command: Command) -> Preview:
    """What a command needs and what stands against it, without doing it or rolling.

    Raises:
        BadInput: a field cannot be read.
    """
    actor_id = text_field(command, "who")
    is_known = command.alike and actor_id in state.combatants
    members = who_act_together(system, state, actor_id, command) if is_known else ()
    if len(members) < 2:
        return _preview_one(system, state, copy_with(command, alike=False))
    commands = [copy_with(command, who=member_id, alike=False) for member_id in members]
    return together(state, [_preview_one(system, state, member_command) for member_command in commands])


def _preview_one(system: BaseSystem, state: FightState, command: Command) -> Preview:
    return system.preview(state, command, try_command(system, state, command))


def try_command(system: BaseSystem, state: FightState, command: Command) -> Trial:
    """Run a command up to its first roll, and collect every check that does not hold on the way.

    The checks are those of `decide`, in its order. After a broken one, the trial goes on as it would with the GM's
    force.
    """
    referee = CollectingReferee(command.type, text_field(command, "who"))
    decision = Decision(state, Dice(state.seed, 0, command.rolls, is_typed=lambda roll: True), referee)
    try:
        events = core_commands.decide_command(system, decision, command)
    except Refused as no:
        referee.refuse(no)
        return Trial(tuple(referee.broken), final=no.final)
    except NeedsDice as need:
        first = need.rolls[0]
        return Trial(tuple(referee.broken), owed=replace(first, who=first.who or text_field(command, "who")))
    prompts = tuple(event.prompt for event in events if isinstance(event, RulingAsked))
    return Trial(tuple(referee.broken), asked=prompts)
