"""Asking for a few values, one after the other, with a way back to each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from fightcall.flows.base import CANCELLED, IGNORED, OVERRULE, STAY, Give, Overlay, Turn
from fightcall.flows.fields import Field, Filled
from fightcall.paint.promptbar import PromptView
from fightcall_engine.board.base import Location
from fightcall_engine.state import Json

Answers = list[Json]
"""What has been answered so far, in order."""
Ask = Field | Callable[[Answers], Field]
"""A field, or what makes it from the answers before it."""
Done = Callable[[Answers], Turn]
"""What to do with the answers; those that were skipped are missing at the end."""

ZOOM = "+-="
"""The keys that are left to the screen where they are not typed: a GM looks closer while walking or aiming."""


class AskFlow:
    """A few fields, one after the other. Backspace on an empty one goes back to the one before.

    Args:
        asks: the fields; one that depends on earlier answers is made when its turn comes.
        done: what the answers come to.
        whose: the combatant whose command it will be; empty where the first field asks who, None where it is nobody's.
    """

    def __init__(self, asks: Sequence[Ask], done: Done, whose: str | None = None) -> None:
        if not asks:
            raise ValueError("a flow that asks nothing has no place in the prompt bar; accepted: one field or more")
        self._asks = tuple(asks)
        self._done = done
        self._whose = whose
        self._answers: Answers = []
        self._fields = [self._field()]
        self._complaint = ""

    @property
    def whom(self) -> str | None:
        """The combatant whose command it will be, as far as can be said now; None where it is nobody's."""
        if self._whose != "":
            return self._whose
        return self._fields[0].overlay().chosen if self.asks_whom else str(self._answers[0])

    @property
    def asks_whom(self) -> bool:
        """True while it asks whose command it will be."""
        return self._whose == "" and not self._answers

    @property
    def typing(self) -> bool:
        """True while the field reads words."""
        return self._fields[-1].typing

    def view(self) -> PromptView:
        """The field that is being filled."""
        view = self._fields[-1].view()
        return replace(view, error=self._complaint) if self._complaint else view

    def overlay(self) -> Overlay:
        """What it shows on the board."""
        return self._fields[-1].overlay()

    def press(self, key: str) -> Turn:
        """A key for the field; Escape leaves, `!` is Enter by the GM's word."""
        self._complaint = ""
        if key == "escape":
            return CANCELLED
        turn = self._took(self._fields[-1].press(key))
        if turn is not IGNORED:
            return turn
        if key == "backspace":
            return self._back()
        if key == OVERRULE:
            return forced(self._took(self._fields[-1].press("enter")))
        slip = len(key) == 1 and (self.typing or key not in ZOOM)
        if slip or key == "space":
            self._complaint = f"{'a blank' if key == 'space' else key} means nothing here; Esc leaves"
            return STAY
        return IGNORED

    def point(self, place: Location) -> Turn:
        """A click on the board."""
        self._complaint = ""
        return self._took(self._fields[-1].point(place))

    def pick(self, who: str) -> Turn:
        """A click on a combatant."""
        self._complaint = ""
        return self._took(self._fields[-1].pick(who))

    def complain(self, what: str) -> None:
        """Show what was wrong with the answers; the last of them can be given anew."""
        self._complaint = what

    def _back(self) -> Turn:
        if len(self._fields) > 1:
            self._fields.pop()
            self._answers.pop()
        return STAY

    def _took(self, answer: Filled | bool) -> Turn:
        if not isinstance(answer, Filled):
            return STAY if answer else IGNORED
        answers = [*self._answers, answer.value]
        if answer.skip_rest or len(answers) == len(self._asks):
            # The answers are kept as they were: where the command is refused, its last question stands again.
            return self._done(answers)
        self._answers = answers
        self._fields.append(self._field())
        return STAY

    def _field(self) -> Field:
        ask = self._asks[len(self._answers)]
        return ask(self._answers) if callable(ask) else ask


def forced(turn: Turn) -> Turn:
    """The same, by the GM's word where it is a command."""
    return replace(turn, force=True) if isinstance(turn, Give) else turn
