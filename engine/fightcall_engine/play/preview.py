"""Previewing a command: running `decide` without rolling, and without a change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall_engine.kit.cues import Proposed
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.preview import Preview, text_field, together
from fightcall_engine.kit.reactions import SystemReactions
from fightcall_engine.kit.squads import who_act_together
from fightcall_engine.model.commands import Advance, Answer, Command
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import NeedsDice, Refused
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import copy_with
from fightcall_engine.play import core_commands
from fightcall_engine.play.proposals import accepted_proposals, can_go_on, proposed_command
from fightcall_engine.play.trials import try_command

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def preview_command(system: BaseSystem, state: FightState, command: Command) -> Preview:
    """What a command needs and what stands against it, without doing it or rolling.

    Names in it are resolved first, and places as the board knows them.

    Raises:
        BadInput: a field cannot be read.
    """
    command = core_commands.resolve_command(state, command)
    actor_id = text_field(command, "who")
    is_known = command.alike and actor_id in state.combatants
    members = who_act_together(system, state, actor_id, command) if is_known else ()
    if len(members) < 2:
        return _preview_one(system, state, copy_with(command, alike=False))
    commands = [copy_with(command, who=member_id, alike=False) for member_id in members]
    return together(state, [_preview_one(system, state, member_command) for member_command in commands])


def _preview_one(system: BaseSystem, state: FightState, command: Command) -> Preview:
    if isinstance(command, Answer | Advance) and any(isinstance(each.resume, Proposed) for each in state.prompts):
        proposed = _preview_proposal(system, state, command)
        if proposed is not None:
            return proposed
    return system.preview(state, command, try_command(system, state, command))


def _preview_proposal(system: BaseSystem, state: FightState, answer: Command) -> Preview | None:
    """The preview of the first command that an answer accepts; None if it accepts none."""
    decision = Decision(state, Dice(state.seed, 0, answer.rolls), None, SystemReactions(system))
    try:
        core_commands.decide_command(system, decision, answer)
        events, answered = decision.events, decision.state
    except (Refused, NeedsDice):
        return None
    for _, proposal in accepted_proposals(state, events):
        if can_go_on(answered, proposal):
            command = proposed_command(system, answered, proposal)
            command = copy_with(command, rolls=answer.rolls, force=command.force or answer.force)
            trial = try_command(system, answered, command, out_of_turn=proposal.held)
            return _as_answer(system.preview(answered, command, trial))
    return None


def _as_answer(preview: Preview) -> Preview:
    """The preview of a proposed command as that of the answer, which has none of the command's fields."""
    rows = tuple(
        replace(row, field="", number="", remedies=tuple(each for each in row.remedies if not each.field))
        for row in preview.rows
    )
    return replace(preview, rows=rows)
