"""Fields of flows, which read one value key by key: the interface, and choosing one of a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from fightcall.flows.base import BACKWARD, ONWARD, Overlay
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import Location
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

LONGEST_NUMBER = 9
"""The most digits of a typed number."""


@frozen
class Filled:
    """The result of a field that is done.

    Attributes:
        value: the value read. None leaves the command's field out; a mapping sets several fields by name.
        skip_rest: no more questions are needed.
    """

    value: Json = None
    skip_rest: bool = False


class Field(Protocol):
    """Reads one value. `press` returns Filled when done, else whether it used the key.

    A field that is done keeps its state, so that the GM can come back to it.
    """

    @property
    def is_typing(self) -> bool:
        """True if letters are typed as text."""

    @property
    def reads_text(self) -> bool:
        """True if any character is text, even the key for a whole squad."""

    @property
    def types_spaces(self) -> bool:
        """True if the space bar types a space; otherwise it is the same as Enter."""

    @property
    def is_way(self) -> bool:
        """True for a path to walk, of which `!` walks more than there is movement for."""

    @property
    def accepts(self) -> str:
        """What it accepts, in words, for `?`."""

    def view(self) -> PromptView:
        """What the call bar shows."""

    def overlay(self) -> Overlay:
        """What the board shows."""

    def press(self, key: str) -> Filled | bool:
        """Handle a key."""

    def point(self, place: Location) -> Filled | bool:
        """Handle a click on the board."""

    def pick(self, combatant_id: str) -> Filled | bool:
        """Handle a click on a combatant."""


class Plain:
    """Defaults for most fields: no text, nothing on the board, no clicks."""

    is_typing: ClassVar[bool] = False
    is_way: ClassVar[bool] = False
    reads_text: ClassVar[bool] = False
    types_spaces: bool = False

    def overlay(self) -> Overlay:
        """Nothing to show on the board."""
        return Overlay()

    def point(self, place: Location) -> Filled | bool:
        """A click does nothing here."""
        return False

    def pick(self, combatant_id: str) -> Filled | bool:
        """A click does nothing here."""
        return False


def is_digit(key: str) -> bool:
    """True for the ASCII digits, and no others."""
    return len(key) == 1 and key in "0123456789"


def is_letter(key: str) -> bool:
    """True for characters of labels."""
    return len(key) == 1 and key.isascii() and key.isalnum()


def cycle_index(at: int, key: str, count: int) -> int:
    """The next index in a ring of `count` after a key that goes on or back."""
    return (at + (1 if key in ONWARD else -1)) % count


class ChoiceField(Plain):
    """One of a few words, each by its letter, or with the arrows and Enter.

    Args:
        choices: what can be answered; as (value, words) where they differ.
        default: the value that Enter takes.
    """

    accepts = "the letter before an answer, or the arrows and Enter"

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
            self._error = "there is nothing to choose"
            return key == "enter"
        if key and key.lower() in self._keys:
            self._at = self._keys.index(key.lower())
            return Filled(self._values[self._at])
        if key in (*ONWARD, *BACKWARD):
            self._at = cycle_index(self._at, key, len(self._values))
            return True
        return Filled(self._values[self._at]) if key == "enter" else False


def plain_value(text: str) -> Json:
    """The value of a word: a boolean for yes and no, else the word."""
    return {"true": True, "false": False}.get(text, text)


MEANINGS = {"y": "yes", "n": "no", "h": "hit", "m": "miss"}
"""Letters that mean the same everywhere, and so are not used for other words."""


def letters_for(choices: Sequence[str]) -> tuple[str, ...]:
    """A key for each word: its first letter that is still free, else a digit, else none."""
    used_letters: list[str] = []
    for choice in choices:
        word = choice.lower()
        free = (name for name in word if MEANINGS.get(name, word) == word)
        own = (name for name in free if is_letter(name) and name not in used_letters)
        spare = (name for name in "123456789" if name not in used_letters)
        used_letters.append(next(own, next(spare, "")))
    return tuple(used_letters)
