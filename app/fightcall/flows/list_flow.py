"""Picking from a list: any action, a ruling, a moment to go back to. Typing narrows it, Enter takes the top."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fightcall.flows.ask_flow import force_command
from fightcall.flows.base import CANCELLED, IGNORED, OVERRULE, STAY, Overlay, Turn
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import Location

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list: its text, a remark shown after it, and what picking it does."""

    text: str
    remark: str
    pick: Callable[[], Turn]

    @property
    def shown(self) -> str:
        """The text with the remark."""
        return f"{self.text}  {self.remark}" if self.remark else self.text


class ListFlow:
    """A list narrowed by typing. The arrows choose, Enter picks, `!` picks by the GM's word, Escape leaves."""

    is_typing = True

    def __init__(self, question: str, items: Sequence[Item], *, empty: str = "nothing is here") -> None:
        self._question = question
        self._items = tuple(items)
        self._empty = empty
        self._typed = ""
        self._at = 0
        self._error = ""

    def _matches(self) -> list[Item]:
        words = self._typed.lower().split()
        return [item for item in self._items if all(word in item.shown.lower() for word in words)]

    def view(self) -> PromptView:
        """The chosen item as what Enter does, those after it behind."""
        found = self._matches()
        chosen = found[self._at].shown if found else ""
        after = tuple(("", item.shown) for item in found[self._at + 1 : self._at + SHOWN])
        if found:
            hint = f"{self._at + 1} of {len(found)}: up and down choose, letters narrow"
        else:
            hint = "nothing matches; Backspace widens" if self._items else self._empty
        return PromptView(
            question=self._question, choices=after, typed=self._typed, hint=hint, error=self._error, default=chosen
        )

    def overlay(self) -> Overlay:
        """Nothing on the board."""
        return Overlay()

    def press(self, key: str) -> Turn:
        """Type to narrow, arrows to choose, Enter to pick."""
        self._error = ""
        if key == "escape":
            return CANCELLED
        found = self._matches()
        if key in ("enter", OVERRULE):
            turn = found[self._at].pick() if found else STAY
            return force_command(turn) if key == OVERRULE else turn
        steps = {"down": 1, "tab": 1, "up": -1, "shift+tab": -1, "pagedown": SHOWN, "pageup": -SHOWN}
        if key in steps:
            self._at = max(0, min(self._at + steps[key], len(found) - 1))
        elif key in ("home", "end"):
            self._at = 0 if key == "home" else max(0, len(found) - 1)
        elif key == "backspace":
            self._typed, self._at = self._typed[:-1], 0
        elif key == "space" or (len(key) == 1 and key.isprintable()):
            self._typed, self._at = self._typed + (" " if key == "space" else key), 0
        else:
            return IGNORED
        return STAY

    def point(self, place: Location) -> Turn:
        """A click on the board picks nothing."""
        return IGNORED

    def pick(self, combatant_id: str) -> Turn:
        """A click on a combatant picks nothing."""
        return IGNORED

    def complain(self, what: str) -> None:
        """Show why what was picked could not be done; something else can be picked."""
        self._error = what
