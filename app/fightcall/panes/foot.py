"""The foot of a screen: messages, questions and lines to type, else the keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fightcall.actions import short_key
from fightcall.flows.foot import Answer, Entry, Foot, Question, Tone, foot_rows
from fightcall.flows.text_line import TextLine
from fightcall.paint.layout import Drawing
from fightcall.panes.rows_pane import RowsPane
from fightcall.panes.styles import StyleBook


class FootPane(RowsPane):
    """Two rows at the lower edge of a screen.

    Args:
        book: the styles to draw with.
        keys: returns the (key, text) pairs of the key bar, the most useful first.
        idle: returns the text to show without a message.

    Attributes:
        said: the text shown now.
    """

    def __init__(
        self, book: StyleBook, keys: Callable[[], list[tuple[str, str]]], idle: Callable[[], str], *, id: str
    ) -> None:
        super().__init__(book, id=id)
        self.said = Foot()
        self._keys = keys
        self._idle = idle

    @property
    def is_busy(self) -> bool:
        """True while a question is open or a line is being typed."""
        return self.said.question is not None or self.said.entry is not None

    def say(self, message: str, tone: Tone = "info") -> None:
        """Show a message until the next key."""
        self._show(replace(self.said, message=message, tone=tone))

    def ask(self, text: str, *answers: Answer) -> None:
        """Ask a question that one key answers."""
        self._show(Foot(question=Question(text, answers)))

    def enter(self, entry: Entry) -> None:
        """Ask for a line of text."""
        self._show(Foot(entry=entry))

    def press(self, key: str, character: str | None) -> bool:
        """Handle a key for an open question or a line being typed. False if it is for the screen."""
        if self.said.entry is not None:
            return self._type(self.said.entry, key, character)
        if self.said.question is not None:
            return self._answer(self.said.question, key, character)
        if self.said.message:
            self._show(Foot())
        return False

    def paste(self, text: str) -> None:
        """Paste text into the line being typed."""
        if self.said.entry is not None:
            self._take_line(self.said.entry, self.said.entry.line.insert(text))

    def draw(self, width: int, height: int) -> Drawing:
        """The message above the keys, or the question, or the line."""
        foot = self.said if self.said.message or self.is_busy else Foot(self._idle())
        return Drawing(foot_rows(foot, self._keys(), width, self.glyphs)[:height])

    def _show(self, foot: Foot) -> None:
        self.said = foot
        self.repaint()

    def _type(self, entry: Entry, key: str, character: str | None) -> bool:
        if key == "enter":
            # Close first: handling the line may show a message or ask a question.
            self._show(Foot())
            complaint = entry.done(entry.line.text)
            if complaint is not None:
                self._show(Foot(entry=replace(entry, error=complaint)))
            return True
        if key == "escape":
            self._show(Foot())
            if entry.cancelled is not None:
                entry.cancelled()
            return True
        line = entry.line.press(key, character)
        if line is None:
            # Control and function keys keep their meaning; any other key would be a mistake.
            return not (key.startswith(("ctrl+", "f")) and len(key) > 1)
        self._take_line(entry, line)
        return True

    def _take_line(self, entry: Entry, line: TextLine) -> None:
        self._show(Foot(entry=entry.typed(line)))
        if entry.changed is not None:
            entry.changed(line.text)

    def _answer(self, question: Question, key: str, character: str | None) -> bool:
        if key.startswith("ctrl+"):
            return False
        answer = question.find_answer(key, character)
        if answer is not None or key in ("escape", "q") or question.is_denied_by(key):
            self._show(Foot())
        else:
            text = character if character and character.isprintable() and character != " " else key
            self._show(Foot(question=replace(question, error=f"{short_key(text)} isn't an answer here")))
        if answer is not None:
            answer.do()
        return True
