"""The functions that open questions wait in, after a fight has been read from its journal.

A journal keeps commands, dice and events, but no function that was left at a question. The entry that asked is decided
again, from the state before it and with its dice. If that gives the same events, the question goes on as if the program
had never been closed. If the rules have changed since, it does not: the question is lost, and can only be closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall_engine.kit.prompts import record_moot
from fightcall_engine.model.dice import Dice, seed_of
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.events import RulingAsked, RulingRecorded
from fightcall_engine.model.json_data import to_json
from fightcall_engine.model.state import CUE, FightState
from fightcall_engine.model.values import copy_with
from fightcall_engine.play.core_commands import resolve_command
from fightcall_engine.play.decide import decide

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.play.codec import Codec
    from fightcall_engine.play.timeline import Timeline


Waiting = Mapping[str, object]
"""The functions that wait in the questions after an entry, by question; None in an offer."""


def with_waiting(
    system: BaseSystem,
    codec: Codec,
    line: Timeline,
    state: FightState,
    entry_count: int,
    known: dict[int, Waiting] | None = None,
) -> FightState:
    """A state of a line, after so many of its entries, in which functions wait for the answers to its questions.

    `known` keeps what waited after each entry that has been decided again, by its number.
    """
    missing = {prompt.id for prompt in state.prompts if prompt.waiting is None and prompt.kind != CUE}
    known = {} if known is None else known
    waiting: dict[str, object] = {}
    for index in reversed(range(entry_count)):
        if not missing:
            break
        entry = line.entry(index)
        asked = {event.prompt.id for event in entry.events if isinstance(event, RulingAsked)} & missing
        missing -= asked
        if asked and entry.is_read:
            if entry.number not in known:
                known[entry.number] = _waiting_after(system, codec, line, index, known)
            waiting |= known[entry.number]
    if not waiting:
        return state
    prompts = [copy_with(each, waiting=each.waiting or waiting.get(each.id)) for each in state.prompts]
    return copy_with(state, prompts=tuple(prompts))


def close_lost(system: BaseSystem, line: Timeline, state: FightState) -> tuple[RulingRecorded, ...]:
    """The events that close the questions of a line whose rules have changed, each with the act to give again."""
    closed: list[RulingRecorded] = []
    for prompt in (each for each in state.prompts if not system.can_follow(each)):
        asking = (
            entry
            for entry in reversed(line.entries)
            if any(isinstance(event, RulingAsked) and event.prompt.id == prompt.id for event in entry.events)
        )
        act = str(next(asking).command["type"])
        note = f"the rules have changed since {act} asked this: u goes back to before it, to give it again"
        closed += record_moot((prompt,), note)
    return tuple(closed)


def _waiting_after(
    system: BaseSystem, codec: Codec, line: Timeline, index: int, known: dict[int, Waiting]
) -> Waiting:
    """The functions that wait after an entry, by question; none if it would go otherwise now."""
    entry = line.entry(index)
    before = with_waiting(system, codec, line, line.seek(line.span(index)[0]), index, known)
    try:
        fields = {name: value for name, value in entry.command.items() if name != "type"}
        command = resolve_command(before, codec.command(str(entry.command["type"]), fields))
        dice = Dice(seed_of(before.seed, entry.dice), line.place_of(index), command.rolls)
        events, states = decide(system, before, command, dice)
    except FightCallError:
        return {}
    if [to_json(event) for event in events] != [to_json(event) for event in entry.events]:
        return {}
    return {prompt.id: prompt.waiting for prompt in states[-1].prompts}
