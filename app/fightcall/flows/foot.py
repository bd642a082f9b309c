"""The two lowest rows of a screen: a message and the keys, or a question, or a line being typed. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from fightcall.flows.text_line import TextLine, text_row
from fightcall.paint.layout import apart, break_off, pad
from fightcall.paint.runs import Glyphs, Row, Run, clean, row_width, width
from fightcall_engine.model.values import frozen

Tone = Literal["info", "warn", "error"]
_TONES = {"info": "info", "warn": "warn", "error": "bad"}
HEIGHT = 2


@frozen
class Answer:
    """An answer to a question: its key, and what it does.

    Attributes:
        is_proposed: Enter gives it, too; only for answers that lose nothing.
    """

    key: str
    label: str
    do: Callable[[], None]
    is_proposed: bool = False


@frozen
class Question:
    """A question of the screen. Escape always answers it by doing nothing, and so does n where y is an answer.

    Attributes:
        error: why the last key was no answer.
    """

    text: str
    answers: tuple[Answer, ...]
    error: str = ""

    def find_answer(self, key: str, character: str | None) -> Answer | None:
        """The answer for a key; None for none."""
        given = (answer for answer in self.answers if answer.key in (key, character))
        return next(given, next((each for each in self.answers if each.is_proposed and key == "enter"), None))

    def is_denied_by(self, key: str) -> bool:
        """Whether a key says no."""
        return key == "n" and any(answer.key == "y" for answer in self.answers)


@frozen
class Entry:
    """A line being typed.

    Attributes:
        prompt: what is asked for.
        line: what is there so far.
        done: called with the text at Enter; returns what is wrong with it, or None.
        changed: called at every change, such as for a list that is filtered while typing.
        cancelled: called at Escape.
        hint: what would be accepted.
        error: what is wrong with what was typed last.
    """

    prompt: str
    line: TextLine
    done: Callable[[str], str | None]
    changed: Callable[[str], None] | None = None
    cancelled: Callable[[], None] | None = None
    hint: str = ""
    error: str = ""

    def typed(self, line: TextLine) -> Entry:
        """The entry after a change of its line."""
        return replace(self, line=line, error="")


@frozen
class Foot:
    """What the two rows can show."""

    message: str = ""
    tone: Tone = "info"
    question: Question | None = None
    entry: Entry | None = None


def key_row(keys: Iterable[tuple[str, str]], cells: int, style: str = "keybar") -> Row:
    """As many (key, text) pairs as fit, the most useful first."""
    row: list[Run] = [Run(" ", style)]
    cells_used = 1
    for key, text in keys:
        piece = (Run(clean(key), "keybar.key"), Run(f" {clean(text)}", "keybar.text"), Run("  ", style))
        size = row_width(piece)
        if cells_used + size - 1 > cells:
            break
        row += piece
        cells_used += size
    return pad(tuple(row), cells, style)


def foot_rows(foot: Foot, keys: Iterable[tuple[str, str]], cells: int, glyphs: Glyphs) -> tuple[Row, ...]:
    """The two rows."""
    if foot.entry is not None:
        return _entry_rows(foot.entry, cells, glyphs)
    if foot.question is not None:
        return _question_rows(foot.question, cells, glyphs)
    words = break_off(clean(foot.message), cells - 1, glyphs)
    message = (Run(f" {words}", _TONES[foot.tone]),) if foot.message else ()
    return pad(message, cells, "text"), key_row(keys, cells)


def _mark(glyphs: Glyphs) -> tuple[Run, Run]:
    return Run(f" {glyphs.prompt} ", "prompt.mark"), Run(" ", "prompt")


def _question_rows(question: Question, cells: int, glyphs: Glyphs) -> tuple[Row, Row]:
    question_runs = (*_mark(glyphs), Run(clean(question.text), "prompt.question"))
    pairs = [(f"enter/{each.key}" if each.is_proposed else each.key, each.label) for each in question.answers]
    note: Row = (Run(f" {clean(question.error)} ", "prompt.error"),) if question.error else ()
    keys = key_row((*pairs, ("esc", "cancel")), cells - row_width(note))
    return pad(question_runs, cells, "prompt"), pad((*keys, *note), cells, "keybar")


def _entry_rows(entry: Entry, cells: int, glyphs: Glyphs) -> tuple[Row, Row]:
    head = (*_mark(glyphs), Run(f"{clean(entry.prompt)} ", "prompt.question"))
    room = max(8, cells - row_width(head) - 1)
    above = pad((*head, *text_row(entry.line, room)), cells, "prompt")
    keys = key_row((("enter", "done"), ("esc", "cancel")), min(cells, 28))
    note = entry.error or entry.hint
    style = "prompt.error" if entry.error else "prompt.hint"
    note_run = Run(f"{clean(note)} ", style)
    if width(note) + 1 > cells - row_width(keys):
        return above, pad((note_run,), cells, "keybar")
    return above, apart(keys, (note_run,), cells, "keybar")
