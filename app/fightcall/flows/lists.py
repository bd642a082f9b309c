"""Picking from a list: any action, a ruling, a moment to go back to. Typing narrows it, Enter takes the top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fightcall_engine.board.hexes import Hex

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Overlay, Turn
from fightcall.paint.promptbar import PromptView

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list: its text, a remark shown dim, and what picking it does."""

    text: str
    remark: str
    pick: Callable[[], Turn]


class ListFlow:
    """A list narrowed by typing. The arrows choose, Enter picks, Escape leaves."""

    def __init__(self, question: str, items: Sequence[Item]) -> None:
        self._question = question
        self._items = tuple(items)
        self._typed = ""
        self._at = 0

    def _matches(self) -> list[Item]:
        words = self._typed.lower().split()
        return [one for one in self._items if all(word in one.text.lower() for word in words)]

    def view(self) -> PromptView:
        """The chosen item first, those after it behind."""
        found = self._matches()
        shown = found[self._at : self._at + SHOWN]
        pairs = tuple(
            ("⏎" if number == 0 else "", f"{one.text}{'  ' + one.remark if one.remark else ''}")
            for number, one in enumerate(shown)
        )
        count = f"{self._at + 1} of {len(found)}" if found else "nothing matches"
        return PromptView(question=self._question, choices=pairs, typed=self._typed, hint=f"{count}  ↑ ↓ choose")

    def overlay(self) -> Overlay:
        """Nothing on the board."""
        return Overlay()

    def press(self, key: str) -> Turn:
        """Type to narrow, arrows to choose, Enter to pick."""
        found = self._matches()
        if key == "escape":
            return CANCELLED
        if key in ("down", "tab"):
            self._at = min(self._at + 1, max(0, len(found) - 1))
        elif key in ("up", "shift+tab"):
            self._at = max(0, self._at - 1)
        elif key == "backspace":
            self._typed, self._at = self._typed[:-1], 0
        elif key == "enter":
            return found[self._at].pick() if found else STAY
        elif key == "space" or (len(key) == 1 and key.isprintable()):
            self._typed, self._at = self._typed + (" " if key == "space" else key), 0
        else:
            return IGNORED
        return STAY

    def point(self, place: Hex) -> Turn:
        """A click on the board picks nothing."""
        return IGNORED

    def pick(self, who: str) -> Turn:
        """A click on a combatant picks nothing."""
        return IGNORED
