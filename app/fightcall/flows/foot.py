"""The two lowest rows of a screen: a message and the keys, or a question, or a line being typed. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from fightcall.paint.layout import apart, break_off, pad
from fightcall.paint.runs import Glyphs, Row, Run, clean, row_width, width
from fightcall_engine.model.values import frozen

LONGEST = 4000

Tone = Literal["info", "warn", "error"]
_TONES = {"info": "info", "warn": "warn", "error": "bad"}
HEIGHT = 2


@frozen
class TextLine:
    """Text with a cursor in it.

    Attributes:
        text: what has been typed; one line.
        cursor: how many of its characters are before the cursor.
    """

    text: str = ""
    cursor: int = 0

    @classmethod
    def of(cls, text: str) -> TextLine:
        """A text with the cursor at its end."""
        return cls(text, len(text))

    def insert(self, text: str) -> TextLine:
        """Type or paste: what breaks or hides in a line becomes visible or a blank."""
        text = clean(text)[: max(0, LONGEST - len(self.text))]
        return TextLine(self.text[: self.cursor] + text + self.text[self.cursor :], self.cursor + len(text))

    def press(self, key: str, character: str | None) -> TextLine | None:
        """The line after a key, None where the key is none for typing.

        Args:
            key: its name.
            character: what it types, None where it types nothing.
        """
        new_line = self._move(key)
        if new_line is not None:
            return new_line
        if character is not None and character.isprintable() and "ctrl+" not in key:
            return self.insert(character)
        return None

    def _move(self, key: str) -> TextLine | None:
        text, at = self.text, self.cursor
        match key:
            case "left":
                return TextLine(text, max(0, at - 1))
            case "right":
                return TextLine(text, min(len(text), at + 1))
            case "home" | "ctrl+a":
                return TextLine(text, 0)
            case "end" | "ctrl+e":
                return TextLine.of(text)
            case "backspace":
                return TextLine(text[: max(0, at - 1)] + text[at:], max(0, at - 1))
            case "delete":
                return TextLine(text[:at] + text[at + 1 :], at)
            case "ctrl+u":
                return TextLine(text[at:], 0)
            case "ctrl+w":
                start = len(text[:at].rstrip().rpartition(" ")[0])
                start += 1 if start else 0
                return TextLine(text[:start] + text[at:], start)
        return None


def text_row(line: TextLine, cells: int, style: str = "prompt.input", cursor: str = "prompt.cursor") -> Row:
    """The line in at most `cells` cells with its cursor, scrolled so that the cursor is seen."""
    if cells <= 0:
        return ()
    # What was not typed here, but comes from a file, may hold anything.
    text, before = clean(line.text), clean(line.text[: line.cursor])
    # Cleaned whole: a mark at the beginning of a part would be taken for one without a letter to stand on.
    after = text[len(before) :]
    under = after[:1] or " "
    room = cells - max(width(under), 1)
    while width(before) > room:
        before = before[1:]
    rest = after[1:]
    while width(before) + width(under) + width(rest) > cells:
        rest = rest[:-1]
    return (Run(before, style), Run(under, cursor), Run(rest, style))


# The two lowest rows of a screen


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
