"""Following up an exchange in its panel: what happened so far, and the questions that are still open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall.flows.answer_flow import AnswerFlow
from fightcall.paint.exchange import Keys, PanelView
from fightcall.paint.prompt_bar import number_words
from fightcall.table import Give, Outcome
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.preview import Row, question_row
from fightcall_engine.model.events import CueFired, DiceRolled, RulingAsked, RulingRecorded
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import CUE
from fightcall_engine.model.values import frozen
from fightcall_engine.play.decide import preview_command

if TYPE_CHECKING:
    from fightcall.table import Table
    from fightcall_engine.model.state import FightState, Prompt
    from fightcall_engine.play.timeline import Entry

GOING_ON = ("Answer", "Advance")
"""Commands that only go on: the act and its actor are found in their events."""
NUMBERS = re.compile(r"\d+")
MOST_ANSWERS = 40
"""The most questions that one key answers."""


@frozen
class Exchange:
    """An act against another combatant, which is not over while questions of it are open.

    Attributes:
        title: who did what to whom.
        start: the number of entries before it.
    """

    title: str
    start: int


def find_exchange(table: Table) -> Exchange | None:
    """The exchange that the open questions belong to; None for none."""
    if not table.state.is_blocked():
        return None
    line = table.fight.line
    for index in range(line.entry_count() - 1, -1, -1):
        before = line.seek(line.span(index)[0])
        if not before.is_blocked():
            title = _title_of(table, before, line.entry(index))
            return Exchange(title, index) if title else None
    return None


def _title_of(table: Table, before: FightState, entry: Entry) -> str:
    """The title of an entry's exchange: who did what to whom; empty if it has none."""
    system, name = table.system, str(entry.command["type"])
    is_attack = any(system.follows_attack(prompt) for prompt in table.state.prompts if prompt.blocking)
    if name not in GOING_ON:
        data = {key: value for key, value in entry.command.items() if key != "type"}
        preview = preview_command(system, before, table.fight.codec.command(name, data))
        if preview.target_id:
            return preview.title
    if not is_attack:
        return ""
    state = before
    for event in entry.events:
        words = phrase(system, event, state)
        if words is not None and words.tone not in ("heading", "aside", "dim"):
            return words.words
        state = evolve(state, event)
    return ""


def open_questions(table: Table) -> tuple[Prompt, ...]:
    """The blocking questions; those of the exchange if there is one."""
    return tuple(prompt for prompt in table.state.prompts if prompt.blocking)


def answer_rest(table: Table) -> Outcome:
    """Answer the remaining questions of an exchange by their defaults, each in an entry of its own.

    It stops at a question without a default, at one whose roll the table types, and at a cue, which may have a panel.
    """
    outcome = Outcome(True)
    for _ in range(MOST_ANSWERS):
        prompt = next(iter(open_questions(table)), None)
        if prompt is None or prompt.kind == CUE or not prompt.default or not outcome.done or table.owed_die(prompt):
            break
        outcome = table.give(Give("Answer", {"prompt": prompt.id}))
    return outcome


def follow_up_panel(table: Table, exchange: Exchange, flow: AnswerFlow) -> PanelView:
    """The panel of an exchange whose questions are being answered, with the first one marked."""
    story_rows = tuple(_rows_so_far(table, exchange))
    prompts = open_questions(table)
    rows = (*story_rows, *(_untitled(question_row(prompt), exchange.title) for prompt in prompts))
    marked_row = next((at for at, row in enumerate(rows) if row.prompt == flow.prompt.id), -1)
    view = flow.view()
    typed_by_row = {marked_row: view.typed} if view.typed and marked_row >= 0 else {}
    hints: dict[int, Keys] = {marked_row: view.choices} if marked_row >= 0 else {}
    if marked_row >= 0:
        proposed_row = replace(rows[marked_row], detail=f"⏎ {view.default}" if view.default else "")
        rows = (*rows[:marked_row], proposed_row, *rows[marked_row + 1 :])
    # A question without a default says so when Enter is pressed.
    enter = "" if flow.waits_for_die else view.default or ("accept" if view.enter_words else "")
    rest = " and everything left" if len(prompts) > 1 and not view.typed else ""
    number = number_words(flow.prompt)
    keys: list[tuple[str, str]] = [("enter", f"{enter}{rest}")] if enter else []
    keys += [("digits", number)] if number else []
    return PanelView(
        exchange.title,
        rows=rows,
        marked=marked_row,
        typed=typed_by_row,
        hints=hints,
        keys=(*keys, ("!", "GM override"), ("esc", "later")),
        complaint=view.error,
    )


def _rows_so_far(table: Table, exchange: Exchange) -> Iterator[Row]:
    """What has happened so far, in the words of the log."""
    line, fallen = table.fight.line, set[str]()
    for index in range(exchange.start, line.entry_count()):
        state = line.seek(line.span(index)[0])
        for event in line.entry(index).events:
            is_asked = isinstance(event, CueFired | RulingAsked | RulingRecorded)
            words = None if is_asked else phrase(table.system, event, state)
            sentence = words.words if words is not None and words.tone not in ("heading", "aside") else ""
            row = _untitled(Row("", sentence, rule=words.rule if words is not None else ""), exchange.title)
            numbers = set(NUMBERS.findall(row.text))
            if isinstance(event, DiceRolled):
                fallen |= numbers
            # A total alone says no more than its dice.
            elif words is not None and row.text == f"({words.edge})" and numbers and numbers <= fallen:
                continue
            if row.text:
                yield row
            state = evolve(state, event)


def _untitled(row: Row, title: str) -> Row:
    """A row without words that repeat the panel's title."""
    return replace(row, text=row.text.removeprefix(title).lstrip(" :."))
