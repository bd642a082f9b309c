"""The fields that flows are made of: each reads one value, key by key. Here: what all have, and which of a few."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from fightcall.flows.base import BACKWARD, ONWARD, Overlay
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import Location
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

LONGEST_NUMBER = 9
"""Digits: more would be a book on the keyboard."""


@frozen
class Filled:
    """A field is done.

    Attributes:
        value: what was read. None leaves the command's field out; a mapping holds several of its fields by name.
        skip_rest: nothing more needs to be asked.
    """

    value: Json = None
    skip_rest: bool = False


class Field(Protocol):
    """Reads one value. `press` answers Filled when done, True when the key was used, False when it was not.

    A field that is done stays as it is, so that one can come back to it.
    """

    @property
    def is_typing(self) -> bool:
        """True where letters are typed as they are."""

    @property
    def reads_text(self) -> bool:
        """True where any sign is part of what is written, the key for a whole squad too."""

    @property
    def types_spaces(self) -> bool:
        """True where the space bar types a space; elsewhere it is the same as Enter."""

    def view(self) -> PromptView:
        """What the call bar shows."""

    def overlay(self) -> Overlay:
        """What the board shows."""

    def press(self, key: str) -> Filled | bool:
        """Take one key."""

    def point(self, place: Location) -> Filled | bool:
        """Take a click on the board."""

    def pick(self, combatant_id: str) -> Filled | bool:
        """Take a click on a combatant."""


class Plain:
    """What most fields have in common: they read no words, show nothing on the board, and a click means nothing."""

    is_typing: ClassVar[bool] = False
    reads_text: ClassVar[bool] = False
    types_spaces: bool = False

    def overlay(self) -> Overlay:
        """Nothing to show on the board."""
        return Overlay()

    def point(self, place: Location) -> Filled | bool:
        """A click means nothing here."""
        return False

    def pick(self, combatant_id: str) -> Filled | bool:
        """A click means nothing here."""
        return False


def is_digit(key: str) -> bool:
    """True for the ten digits, and not for what else Unicode calls one."""
    return len(key) == 1 and key in "0123456789"


def is_letter(key: str) -> bool:
    """True for what a label may be made of."""
    return len(key) == 1 and key.isascii() and key.isalnum()


def cycle_index(at: int, key: str, count: int) -> int:
    """The next place in a ring of `count` after a key that goes on or back."""
    return (at + (1 if key in ONWARD else -1)) % count


class ChoiceField(Plain):
    """One of a few words, each by its letter, or with the arrows and Enter.

    Args:
        choices: what can be answered; as (value, words) where they differ.
        default: the value that Enter takes.
    """

    def __init__(self, question: str, choices: Sequence[str | tuple[Json, str]], *, default: Json = None) -> None:
        self._question = question
        pairs = [item if isinstance(item, tuple) else (plain_value(item), item) for item in choices]
        self._values = tuple(value for value, _ in pairs)
        self._words = tuple(words for _, words in pairs)
        self._keys = letters_for(self._words)
        start = plain_value(default) if isinstance(default, str) else default
        self._at = self._values.index(start) if start in self._values else 0
        self._error = ""

    def view(self) -> PromptView:
        """The question with a letter for each answer."""
        pairs = tuple(zip(self._keys, self._words, strict=True))
        default = self._words[self._at] if self._words else ""
        return PromptView(question=self._question, choices=pairs, default=default, error=self._error)

    def press(self, key: str) -> Filled | bool:
        """A letter answers at once."""
        self._error = ""
        if not self._values:
            self._error = "there is nothing to choose from"
            return key == "enter"
        if key and key.lower() in self._keys:
            self._at = self._keys.index(key.lower())
            return Filled(self._values[self._at])
        if key in (*ONWARD, *BACKWARD):
            self._at = cycle_index(self._at, key, len(self._values))
            return True
        return Filled(self._values[self._at]) if key == "enter" else False


def plain_value(text: str) -> Json:
    """Words that stand for truth values become them."""
    return {"true": True, "false": False}.get(text, text)


MEANINGS = {"y": "yes", "n": "no", "h": "hit", "m": "miss"}
"""Letters that mean the same everywhere, and so stand for no other word."""


def letters_for(choices: Sequence[str]) -> tuple[str, ...]:
    """A key for each of some words: its first letter that is still free, else a digit, else none."""
    used_letters: list[str] = []
    for choice in choices:
        word = choice.lower()
        free = (name for name in word if MEANINGS.get(name, word) == word)
        own = (name for name in free if is_letter(name) and name not in used_letters)
        spare = (name for name in "123456789" if name not in used_letters)
        used_letters.append(next(own, next(spare, "")))
    return tuple(used_letters)
