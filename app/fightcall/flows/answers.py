"""Answering an open prompt, also in the panel of an exchange with what happened so far.

Enter takes the default, a letter picks, digits type a roll or an amount.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from fightcall.flows.base import (
    BACKWARD,
    CANCELLED,
    IGNORED,
    MEANINGS,
    ONWARD,
    STAY,
    TYPES_A_SPACE,
    UNANSWERED,
    Overlay,
    Reply,
    Select,
    cycle_index,
    dice_of,
    face_error,
    is_digit,
    read_faces,
    table_die_words,
    with_digit,
)
from fightcall.flows.text_fields import is_amount_key, line_text, read_amount, typed_into
from fightcall.paint.feed import Keys, PanelView
from fightcall.paint.prompt_bar import DIGITS, PromptView, TextLine, number_words, takes_dice
from fightcall.table import Give, Outcome, Table
from fightcall_engine.board.base import Location
from fightcall_engine.kit.movement import Row, question_row
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.model.events import CueFired, DiceRolled, RulingAsked, RulingRecorded
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import CUE, Choice, FightState, Json, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.play.decide import preview_command
from fightcall_engine.play.timeline import Entry

GOING_ON = ("Answer", "Advance")
"""Commands that only go on: the act and its actor are found in their events."""
NUMBERS = re.compile(r"\d+")
MOST_ANSWERS = 40
"""The most questions that one key answers."""


class AnswerFlow:
    """A flow that answers one prompt. Other keys are left to the screen, so that undo and help still work.

    The letter of a choice takes precedence over the same letter in dice: type ``1d6`` if ``d`` is an answer.

    Args:
        owed_die: the dice that the table must type for the default answer; empty for none.
    """

    def __init__(self, prompt: Prompt, at: Location | None = None, queue: int = 0, *, owed_die: str = "") -> None:
        self.prompt = prompt
        self._owed_die = owed_die
        self._at = at
        self._queue = queue
        self._keys = answer_keys(prompt.choices, digits=not (prompt.dice or prompt.amount))
        ids = [choice.id for choice in prompt.choices]
        self._chosen = ids.index(prompt.default) if prompt.default in ids else -1
        self._typed = ""
        self._line = TextLine()
        self._error = ""

    @property
    def is_typing(self) -> bool:
        """True if the answer is free text: there are no choices, and no number is asked for."""
        return not self.prompt.choices and not self.prompt.amount

    @property
    def is_as_proposed(self) -> bool:
        """True while nothing was typed, and the default is marked."""
        choice_id = self.prompt.choices[self._chosen].id if self._chosen >= 0 else self.prompt.default
        return not self._typed and not self._line.text and choice_id == self.prompt.default

    @property
    def takes_proposal(self) -> bool:
        """True if Enter gives the default."""
        return self.is_as_proposed and not self._owed_die

    @property
    def waits_for_die(self) -> bool:
        """True while the default needs a roll of the table that was not typed."""
        return bool(self._owed_die) and self.is_as_proposed

    @property
    def call_words(self) -> str:
        if self.is_typing:
            return TYPES_A_SPACE
        return "a space, before the next die" if self.parts_dice else self.view().enter_words or UNANSWERED

    def view(self) -> PromptView:
        prompt = self.prompt
        hint = ", or ".join(filter(None, ("any words" if self.is_typing else "", self._thrown_words())))
        return PromptView(
            question=prompt.question,
            choices=self._other_choices(),
            typed=line_text(self._line) if self.is_typing else self._typed,
            hint=hint,
            rule=prompt.rule,
            error=self._error or face_error(self._typed, self._dice),
            is_impossible=bool(face_error(self._typed, self._dice)),
            default="" if self._typed or self.waits_for_die else self._default_label(),
            queue=self._queue,
        )

    def _other_choices(self) -> tuple[tuple[str, str], ...]:
        """The keys and words of the answers, without the one that Enter gives, which is shown separately."""
        pairs = tuple(zip(self._keys, (choice.label for choice in self.prompt.choices), strict=True))
        return pairs if self._typed else tuple(pair for at, pair in enumerate(pairs) if at != self._chosen)

    def _thrown_words(self) -> str:
        words = number_words(self.prompt)
        if self.prompt.dice:
            return f"{DIGITS}: the {words} rolled at the table"
        return f"{DIGITS}: {words}{', or dice' if takes_dice(self.prompt) else ''}" if words else ""

    def _default_label(self) -> str:
        return self.prompt.choices[self._chosen].label if self._chosen >= 0 else self.prompt.default

    def overlay(self) -> Overlay:
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Reply:
        """Answer, type, or leave the key to the screen; see `Flow.press`."""
        self._error = ""
        if key == "escape":
            return CANCELLED
        if key == "enter":
            return self._enter()
        return self._write(key) if self.is_typing else self._choose(key)

    def _write(self, key: str) -> Reply:
        if key == "backspace" and not self._line.text:
            return STAY
        line = typed_into(self._line, key)
        if line is None:
            return IGNORED
        self._line = line
        return STAY

    def _choose(self, key: str) -> Reply:
        if key == "backspace" and self._typed:
            self._typed = self._typed[:-1]
            return STAY
        if key in self._keys and key and not self._typed:
            return self._take(self.prompt.choices[self._keys.index(key)])
        if self._types(key):
            self._typed = with_digit(self._typed, " " if key == "space" else key.lower(), self._dice)
            return STAY
        if key in (*ONWARD, *BACKWARD) and self.prompt.choices:
            first = self._chosen if self._chosen >= 0 or key in ONWARD else 0
            self._chosen = cycle_index(first, key, len(self.prompt.choices))
            return STAY
        if self._typed and key == "space":
            return self._enter()
        if self._typed and len(key) == 1:
            self._error = f"{key} does nothing here; Enter accepts {self._typed}"
            return STAY
        if key in MEANINGS:
            # Elsewhere this letter may begin an act, which a key pressed too late must not do.
            self._error = f"{MEANINGS[key]} isn't an answer here"
            return STAY
        return IGNORED

    @property
    def _dice(self) -> str:
        return self.prompt.dice

    @property
    def parts_dice(self) -> bool:
        """True if spaces separate the typed faces of several dice."""
        return self._types("space")

    def _types(self, key: str) -> bool:
        if takes_dice(self.prompt):
            return is_amount_key(key, self._typed)
        if not self.prompt.dice:
            return bool(self.prompt.amount) and is_digit(key)
        return is_digit(key) or (key == "space" and bool(self._typed) and len(dice_of(self.prompt.dice)) > 1)

    def _enter(self) -> Reply:
        if self.is_typing:
            return self._enter_words()
        try:
            return self._enter_typed() if self._typed else self._enter_chosen()
        except ValueError as error:
            self._error = str(error)
            return STAY

    def _enter_chosen(self) -> Reply:
        if self.waits_for_die:
            raise ValueError(table_die_words(self._owed_die))
        if self._chosen < 0 and not self.prompt.default:
            raise ValueError("this question needs an answer")
        if self._chosen < 0:
            return self._give(choice=self.prompt.default)
        return self._take(self.prompt.choices[self._chosen])

    def _take(self, choice: Choice) -> Reply:
        """Answer with a choice. If the choice is an act of a combatant, select that one instead."""
        return Select(choice.who, to_act=True) if choice.who else self._give(choice=choice.id)

    def _enter_typed(self) -> Reply:
        if not self.prompt.dice:
            return self._give(amount=read_amount(self._typed))
        faces = read_faces(self._typed, self.prompt.dice)
        if self._chosen < 0 and len(self.prompt.choices) != 1:
            raise ValueError("choose an answer with Tab, besides the die")
        choice_id = self.prompt.choices[max(self._chosen, 0)].id
        return self._give(choice=choice_id, rolls={self.prompt.purpose: list(faces)})

    def _enter_words(self) -> Reply:
        text = self._line.text.strip()
        if not text and not self.prompt.default:
            self._error = "this question needs an answer"
            return STAY
        return self._give(choice=text or self.prompt.default)

    def _give(self, **data: Json) -> Give:
        return Give("Answer", {"prompt": self.prompt.id, **data})

    def point(self, place: Location) -> Reply:
        return IGNORED

    def pick(self, combatant_id: str) -> Reply:
        return IGNORED

    def complain(self, what: str) -> None:
        self._error = what


def answer_keys(choices: Sequence[Choice], *, digits: bool) -> tuple[str, ...]:
    """The key of each choice: its own, else a digit if digits are not an answer themselves."""
    spare = (str(number) for number in range(1, 10))
    return tuple(choice.key or (next(spare, "") if digits else "") for choice in choices)


# Following up an exchange


@frozen
class Exchange:
    """An act against another combatant, which is not over while questions of it are open.

    Attributes:
        start: the number of entries before it.
    """

    title: str
    start: int


def find_exchange(table: Table) -> Exchange | None:
    """The exchange that the open questions belong to; None for none. What a cue holds is an exchange of its own."""
    if all(prompt.kind in table.system.apart for prompt in table.state.prompts if prompt.blocking):
        return None
    line = table.fight.line
    for index in range(line.entry_count() - 1, -1, -1):
        before = line.seek(line.span(index)[0])
        if not any(prompt.blocking and prompt.kind != CUE for prompt in before.prompts):
            title = _title_of(table, before, line.entry(index))
            return Exchange(title, index) if title else None
    return None


def _title_of(table: Table, before: FightState, entry: Entry) -> str:
    system, name = table.system, str(entry.command["type"])
    is_attack = any(system.follows_attack(prompt) for prompt in table.state.prompts if prompt.blocking)
    answered = before.prompt(str(entry.command.get("prompt", "")))
    if name not in GOING_ON or (answered is not None and answered.kind == CUE):
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
    line, fallen = table.fight.line, set[str]()
    for index in range(exchange.start, line.entry_count()):
        state = line.seek(line.span(index)[0])
        for event in line.entry(index).events:
            is_asked = isinstance(event, CueFired | RulingAsked | RulingRecorded)
            words = None if is_asked else phrase(system_of(state), event, state)
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
    return replace(row, text=row.text.removeprefix(title).lstrip(" :."))
