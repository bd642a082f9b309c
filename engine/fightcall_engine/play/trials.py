"""Trying out a command: running it up to its first roll, without a change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.preview import CollectingReferee, Trial, text_field
from fightcall_engine.kit.reactions import SystemReactions
from fightcall_engine.model.commands import Command
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import NeedsDice, Refused
from fightcall_engine.model.events import RulingAsked
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import copy_with
from fightcall_engine.play import core_commands

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def try_command(system: BaseSystem, state: FightState, command: Command, *, out_of_turn: bool = False) -> Trial:
    """Run a command up to its first roll, and collect every check that does not hold on the way.

    The checks are those of `decide`, in its order. After a broken one, the trial goes on as it would with the GM's
    force. `out_of_turn` leaves out the checks on whose turn it is.
    """
    referee = CollectingReferee(command.type, text_field(command, "who"), out_of_turn=out_of_turn)
    dice = Dice(state.seed, 0, command.rolls, is_typed=lambda roll: True)
    decision = Decision(state, dice, referee, SystemReactions(system))
    try:
        core_commands.decide_command(system, decision, command)
        events = decision.events
    except Refused as no:
        referee.refuse(no)
        return Trial(tuple(referee.broken), final=no.final)
    except NeedsDice as need:
        first = need.rolls[0]
        return Trial(tuple(referee.broken), owed=replace(first, who=first.who or text_field(command, "who")))
    prompts = tuple(copy_with(event.prompt, id="") for event in events if isinstance(event, RulingAsked))
    return Trial(tuple(referee.broken), asked=prompts)
