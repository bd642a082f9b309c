"""Answering an open prompt: Enter takes the default, a letter picks, digits are the die or the amount."""

from __future__ import annotations

from fightcall_engine.board.hexes import Hex
from fightcall_engine.dice import bounds
from fightcall_engine.state import Json, Prompt

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Give, Overlay, Turn
from fightcall.paint.promptbar import PromptView


class AnswerFlow:
    """One prompt of the fight. Keys that answer nothing are left to the screen, so that undo and help still work."""

    def __init__(self, prompt: Prompt, at: Hex | None = None, queue: int = 0) -> None:
        self.prompt = prompt
        self._at = at
        self._queue = queue
        self._typed = ""
        self._error = ""

    def view(self) -> PromptView:
        """The question as the prompt bar shows it."""
        default = next((one.label for one in self.prompt.choices if one.id == self.prompt.default), self.prompt.default)
        hint = f"{self.prompt.dice} as thrown" if self.prompt.dice else ""
        hint = f"{self.prompt.amount}: a number or dice" if self.prompt.amount else hint
        if not self.prompt.choices:
            hint = "any words"
        return PromptView(
            question=self.prompt.question,
            choices=tuple((one.key, one.label) for one in self.prompt.choices),
            typed=self._typed,
            hint=hint,
            rule=self.prompt.rule,
            error=self._error,
            default=default,
            queue=self._queue,
        )

    def overlay(self) -> Overlay:
        """Where the one stands whom it is about."""
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Turn:
        """Answer, type, or leave the key to the screen."""
        self._error = ""
        if key == "escape":
            return CANCELLED
        if key == "backspace" and self._typed:
            self._typed = self._typed[:-1]
            return STAY
        if key == "enter":
            return self._enter()
        if not self.prompt.choices and (key == "space" or len(key) == 1):
            self._typed += " " if key == "space" else key
            return STAY
        if self._types(key):
            self._typed += key
            return STAY
        picked = next((one for one in self.prompt.choices if one.key == key), None)
        if picked is None or self._typed:
            return IGNORED
        return self._give(choice=picked.id)

    def _types(self, key: str) -> bool:
        if not (self.prompt.dice or self.prompt.amount) or len(key) != 1:
            return False
        dice_letters = bool(self.prompt.amount) and bool(self._typed) and key in "dkhl+-"
        return key.isdigit() or dice_letters or (key == "d" and bool(self.prompt.amount) and not self._typed)

    def _enter(self) -> Turn:
        if not self._typed:
            if not self.prompt.default:
                self._error = "this one needs an answer"
                return STAY
            return self._give(choice=self.prompt.default)
        if not self.prompt.choices:
            return self._give(choice=self._typed.strip())
        if self.prompt.amount:
            return self._give(amount=int(self._typed) if self._typed.isdigit() else self._typed)
        low, high = bounds(self.prompt.dice) if self.prompt.dice else (0, 0)
        if not low <= int(self._typed) <= high:
            self._error, self._typed = f"{self.prompt.dice} cannot show {self._typed}", ""
            return STAY
        return self._give(choice=self.prompt.default, rolls={self.prompt.purpose: [int(self._typed)]})

    def _give(self, **data: Json) -> Give:
        return Give("Answer", {"prompt": self.prompt.id, **data})

    def point(self, place: Hex) -> Turn:
        """A click on the board answers nothing."""
        return IGNORED

    def pick(self, who: str) -> Turn:
        """A click on a combatant answers nothing."""
        return IGNORED
