"""Picking one of many from a list that typing narrows. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace

from fightcall.flows.text_line import TextLine
from fightcall_engine.model.values import frozen


@frozen
class Choice:
    """One line of the list: what it is called, and a remark."""

    id: str
    text: str
    remark: str = ""


@frozen
class Picker:
    """A list with a filter and a cursor.

    Attributes:
        title: what is to be picked.
        choices: all there are.
        line: what has been typed to narrow them.
        index: the cursor, among the shown choices.
        offer: the choices for a typed text, if they are not only a part of `choices`.
        hint: what else can be typed.
        misread: says what of the typed text cannot be understood; empty for nothing.
    """

    title: str
    choices: tuple[Choice, ...]
    line: TextLine = field(default_factory=TextLine)
    index: int = 0
    offer: Callable[[str], tuple[Choice, ...]] | None = None
    hint: str = ""
    misread: Callable[[str], str] = lambda text: ""

    def matches(self) -> tuple[Choice, ...]:
        """The choices that contain all the words, or that are offered for them."""
        if self.offer is not None:
            return self.offer(self.line.text)
        words = self.line.text.casefold().split()
        return tuple(
            choice
            for choice in self.choices
            if all(word in f"{choice.text} {choice.remark}".casefold() for word in words)
        )

    @property
    def picked(self) -> Choice | None:
        """What the cursor is on."""
        choices = self.matches()
        return choices[min(self.index, len(choices) - 1)] if choices else None

    def press(self, key: str, character: str | None) -> Picker | None:
        """The list after a key, None where it means nothing to it."""
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "tab": 1, "shift+tab": -1}
        if key in steps:
            index = self.index + steps[key]
            return replace(self, index=max(0, min(index, len(self.matches()) - 1)))
        line = self.line.press(key, character)
        return None if line is None else replace(self, line=line, index=0)
