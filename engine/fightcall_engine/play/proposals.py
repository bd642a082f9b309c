"""The commands that cues propose: which ones an answer accepts, and why a held one is impossible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fightcall_engine.kit.cues import DO, Proposed
from fightcall_engine.model.commands import Command, Join
from fightcall_engine.model.events import Event, RulingRecorded
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.model.values import copy_with
from fightcall_engine.play.core_commands import resolve_command
from fightcall_engine.play.cues import command_named
from fightcall_engine.play.newcomers import free_name
from fightcall_engine.play.trials import try_command

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def accepted_proposals(state: FightState, events: Iterable[Event]) -> Iterator[tuple[Prompt, Proposed]]:
    """Yield the proposals that these events accept, each with its question."""
    for event in events if state.prompts else ():
        if isinstance(event, RulingRecorded) and event.prompt and event.choice == DO:
            prompt = state.prompt(event.prompt)
            if prompt is not None and isinstance(prompt.resume, Proposed):
                yield prompt, prompt.resume


def can_go_on(state: FightState, proposal: Proposed) -> bool:
    """Return False for a proposal to resume a walk if the walker is down, or no longer where they stopped."""
    walker = state.combatants.get(proposal.walker)
    return not proposal.walker or (walker is not None and walker.able and walker.at == proposal.here)


def proposed_command(system: BaseSystem, state: FightState, proposal: Proposed) -> Command:
    """Return the proposed command, with people and places resolved, and with a free name for a newcomer."""
    command = resolve_command(state, command_named(state, proposal.command, proposal.fields))
    if isinstance(command, Join) and command.count == 1:
        command = copy_with(command, name=free_name(state, command.name))
    return system.out_of_turn(state, command) if proposal.held else command


def why_impossible(system: BaseSystem, state: FightState, prompt: Prompt) -> str:
    """Return why the act of a held cue cannot be done now; empty if it can, and for every other question."""
    proposal = prompt.resume
    if not isinstance(proposal, Proposed) or not proposal.held:
        return ""
    command = proposed_command(system, state, proposal)
    if command.force:
        return ""
    broken = try_command(system, state, command, out_of_turn=True).broken
    return broken[0].message if broken else ""
