"""What a command came to, in one sentence for the call bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fightcall.paint.call_bar import Happened
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.model.events import Event, FightClosed, RoundBegan, RulingAsked, RulingRecorded, StepBegan
from fightcall_engine.model.fold import evolve
from fightcall_engine.play.calls import step_words

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.fight import Change, Fight

_UNSAID = frozenset({"heading"})


def sentence(system: BaseSystem, before: FightState, events: Sequence[Event]) -> str:
    """What these events say, the act first and what came of it after it; the step they lead to where they say nothing.

    Args:
        system: the rules, for their words.
        before: the state before the first event.
        events: all that a command caused, in order.
    """
    said: list[str] = []
    answered: list[str] = []
    thrown: list[str] = []
    state, begun, asked = before, "", ""
    for event in events:
        words = phrase(system, event, state)
        state = evolve(state, event)
        if isinstance(event, StepBegan) and event.index < len(state.agenda.steps):
            begun = step_words(system, state, state.agenda.steps[event.index])
        elif isinstance(event, RulingAsked):
            asked = asked or event.prompt.question
        elif isinstance(event, RoundBegan):
            said, answered = said[:1], answered
        elif isinstance(event, FightClosed):
            said.append("The fight is over")
        if words is not None and words.tone not in _UNSAID and words.text.strip():
            kept = answered if isinstance(event, RulingRecorded) else thrown if words.tone == "dice" else said
            kept.append(", ".join(words.text.strip().split("  ")))
    # A throw is told by what came of it; where nothing tells of it, by itself.
    first, *rest = said or thrown or answered or [f"Now: {begun}" if begun else asked]
    return f"{first}: {'; '.join(rest)}" if rest and ":" not in first else "; ".join((first, *rest))


def happened_in(change: Change, system: BaseSystem, undo: str, redo: str) -> Happened:
    """The first line of the bar after something was done in a fight, taken back, done again, or gone to.

    Args:
        change: what the fight told.
        system: its rules.
        undo: the key that takes back.
        redo: the key that does it again.
    """
    entry = change.entry
    if change.kind == "jump":
        return Happened("Gone to another moment", "undone")
    if entry is None:
        return Happened()
    if change.kind == "undo":
        said = sentence(system, change.after, entry.events) or str(entry.command.get("type", ""))
        return Happened(f"Taken back: {said}", "undone", f"{redo} does it again" if redo else "")
    said = sentence(system, change.before, entry.events) or str(entry.command.get("type", ""))
    said = f"Done again: {said}" if change.kind == "redo" else said
    return Happened(said, "done", f"{undo} takes it back" if undo else "")


def entry_words(fight: Fight, number: int) -> str:
    """What an entry of the line of play did, in a sentence."""
    index = fight.line.index_of(number)
    if index is None:
        return ""
    entry = fight.line.entry(index)
    said = sentence(fight.system, fight.line.seek(fight.line.span(index)[0]), entry.events)
    return said or str(entry.command.get("type", ""))


def happened_last(fight: Fight, undo: str) -> Happened:
    """The first line of the bar of a fight that was just opened: its newest entry."""
    count = fight.line.entry_count()
    if not count or fight.head is None:
        return Happened()
    before = fight.line.seek(fight.line.span(count - 1)[0])
    return Happened(sentence(fight.system, before, fight.head.events), "done", f"{undo} takes it back" if undo else "")
