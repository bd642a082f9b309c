"""The lines of one entry of the log: what happened in words, and opened, how it came about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from fightcall.paint.glyphs import Glyphs
from fightcall.paint.layout import wrap
from fightcall.paint.runs import Row, Run, clean, fit, row_text, row_width, width
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.views import Phrase
from fightcall_engine.model.events import Event, RoundBegan, RulingAsked, StepBegan
from fightcall_engine.model.fold import evolve

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Words
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.timeline import Entry

HANG = 2
_TONES = {
    "plain": "feed.text",
    "good": "feed.heal",
    "bad": "feed.hit",
    "dim": "feed.dim",
    "dice": "feed.dice",
    "warn": "warn",
    "ruling": "feed.ruling",
    "heading": "feed.heading",
}
_ASIDE = frozenset({"dim", "dice", "good"})
"""Tones of minor lines that may stand beside the line they belong to."""


@dataclass(frozen=True, slots=True)
class FeedLine:
    """One line of the log; `mark` is what to put beside it."""

    row: Row
    mark: str = ""

    @property
    def text(self) -> str:
        """Its characters."""
        return row_text(self.row)


def closed_lines(
    system: BaseSystem, state: FightState, entry: Entry, cells: int, glyphs: Glyphs
) -> tuple[FeedLine, ...]:
    """What an entry says of itself.

    Args:
        system: The rules, for their words.
        state: The state before the entry.
        entry: The entry.
        cells: Cells a line may take.
        glyphs: Marks to draw with.
    """
    lines: list[FeedLine] = []
    whole = False
    for round_begins, wording in _list_phrases(system, state, entry):
        if wording.tone == "heading":
            lines.append(FeedLine(_heading_row(wording.text, cells, glyphs, round_begins)))
        elif wording.text.startswith(" ") and wording.tone in _ASIDE and whole and _beside(lines, wording, cells):
            continue
        else:
            added = _wrap_phrase(wording, cells, glyphs)
            # Beside the end of a broken line it would read as a part of that.
            whole = len(added) == 1
            lines += added
    if not lines:
        # Nothing worth a line happened, but whoever wants to undo it must find it.
        lines += _wrap_phrase(Phrase(_silent(system, state, entry, glyphs), "dim"), cells, glyphs)
    return tuple(lines)


def entry_text(system: BaseSystem, state: FightState, entry: Entry) -> tuple[str, FightState]:
    """All that an entry says, for a search, and the state after it."""
    said = []
    for event in entry.events:
        wording = phrase(system, event, state)
        said.append(wording.text if wording is not None else "")
        state = evolve(state, event)
    return "\n".join(said), state


def _silent(system: BaseSystem, state: FightState, entry: Entry, glyphs: Glyphs) -> str:
    """What to call an entry that says nothing: the step it opens, the question it asks, or its command."""
    words = system.words(state.settings)
    said = " ".join(re.findall(r"[A-Z]?[a-z]+", str(entry.command.get("type", "")))) or "command"
    for event in entry.events:
        if isinstance(event, StepBegan):
            said = f"{_whose_step(state, event, words)} next"
        elif isinstance(event, RulingAsked):
            said = event.prompt.question
    return f"{glyphs.then} {said}"


def _whose_step(state: FightState, begun: StepBegan, words: Words) -> str:
    steps = state.agenda.steps
    combatant = state.combatants.get(steps[begun.index].actor) if begun.index < len(steps) else None
    if combatant is not None:
        return combatant.name or combatant.label
    return words.sides.get(begun.side, begun.side) or words.phases.get(begun.phase, begun.phase)


def _list_phrases(system: BaseSystem, state: FightState, entry: Entry) -> list[tuple[bool, Phrase]]:
    """The phrases of an entry, each with whether it opens a round; headings with nothing under them are left out."""
    phrases: list[tuple[bool, Phrase]] = []
    for event in entry.events:
        said = phrase(system, event, state)
        if said is not None:
            opens = isinstance(event, RoundBegan)
            if said.tone == "heading" and phrases and phrases[-1][1].tone == "heading" and not phrases[-1][0]:
                phrases.pop()
            phrases.append((opens, said))
        state = evolve(state, event)
    return phrases


def _heading_row(text: str, cells: int, glyphs: Glyphs, strong: bool) -> Row:
    words = clean(text)
    words = fit(words, min(width(words), max(cells - 6, 1)), ellipsis=glyphs.ellipsis)
    line = glyphs.rule * max(cells - width(words) - 4, 0)
    style = "feed.name" if strong else "feed.heading"
    return (Run(f"{glyphs.rule * 2} ", "frame"), Run(words, style), Run(f" {line}", "frame"))


def _beside(lines: list[FeedLine], wording: Phrase, cells: int) -> bool:
    """Put a minor line beside the one before it if there is room; says whether it did."""
    before = lines[-1]
    text = clean(wording.text).strip()
    heading = before.row[0].style == "frame"
    if heading or row_width(before.row) + 3 + width(text) > cells:
        return False
    gap = Run("   ", "feed")
    lines[-1] = FeedLine((*before.row, gap, Run(text, _TONES.get(wording.tone, "feed.text"))), before.mark)
    return True


def _wrap_phrase(wording: Phrase, cells: int, glyphs: Glyphs) -> list[FeedLine]:
    text = clean(wording.text)
    indent = min(len(text) - len(text.lstrip(" ")), cells // 2)
    style = _TONES.get(wording.tone, "feed.text")
    mark = glyphs.warning if wording.tone == "ruling" else ""
    found = []
    for at, line in enumerate(wrap(text.strip(), cells - indent, HANG)):
        found.append(FeedLine((Run(" " * indent + line, style),), mark if at == 0 else ""))
    return found


# Opened


def opened_lines(
    system: BaseSystem, state: FightState, entry: Entry, cells: int, glyphs: Glyphs
) -> tuple[FeedLine, ...]:
    """How an entry came about: the command, each event with what it carries, and the rules behind it."""
    lines: list[FeedLine] = []
    given = ", ".join(f"{name} {_value(value)}" for name, value in entry.command.items() if name != "type")
    lines += _detail(f"{glyphs.branch} {entry.number} {entry.command.get('type', '')}: {given}", "feed.name", cells)
    lines += _detail(f"{glyphs.branch} {entry.at} by {entry.by}", "feed.dim", cells)
    rules: dict[str, None] = {}
    for event in entry.events:
        said = phrase(system, event, state)
        if said is not None and said.rule:
            rules[said.rule] = None
        tone = "feed.dice" if event.type == "DiceRolled" else "feed.dim"
        lines += _detail(f"{glyphs.branch} {event_text(event)}", tone, cells)
        if own := str(getattr(event, "rule", "") or ""):
            rules[own] = None
        state = evolve(state, event)
    texts = system.rules()
    for rule in rules:
        lines += _detail(f"{glyphs.branch} {rule} {texts.get(rule, '')}".rstrip(), "feed.rule", cells)
    return tuple(lines)


def _detail(text: str, style: str, cells: int) -> list[FeedLine]:
    return [FeedLine((Run(f" {line}", style),)) for line in wrap(text, cells - 1, HANG)]


def event_text(event: Event) -> str:
    """An event as its name and what it carries, without what is empty."""
    parts = []
    for item in fields(event):
        value = getattr(event, item.name)
        if value not in ("", None, ()) and value is not False:
            parts.append(f"{item.name} {_value(value)}")
    return f"{event.type} {', '.join(parts)}".rstrip()


def _value(value: object) -> str:
    if isinstance(value, tuple | list):
        return "(" + " ".join(_value(item) for item in value) + ")"
    if isinstance(value, Mapping):
        return "(" + " ".join(f"{key} {_value(item)}" for key, item in value.items()) + ")"
    if isinstance(value, str | int | float):
        return str(value)
    # Whole figures and steps would fill the pane: their names will do.
    return str(getattr(value, "id", "") or getattr(value, "name", "") or type(value).__name__)
