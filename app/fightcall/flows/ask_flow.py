"""Asking for a few values, one after the other, with a way back to each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from fightcall.flows.base import (
    CANCELLED,
    IGNORED,
    OVERRULE,
    STAY,
    TYPES_A_SPACE,
    UNANSWERED,
    WHY,
    Overlay,
    Reply,
    accepted_words,
    rule_words,
)
from fightcall.flows.fields import Field, Filled
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Json

Answers = list[Json]
"""What has been answered so far, in order."""
Ask = Field | Callable[[Answers], Field | None]
"""A field, or what makes it from the answers before it: None where nothing is left to ask, Refused where they will not
do."""
Done = Callable[[Answers], Reply]
"""What to do with the answers; those that were skipped are missing at the end."""

ZOOM = "+-="
"""The keys that are left to the screen where they are not typed: a GM looks closer while walking or aiming."""


class AskFlow:
    """A few fields, one after the other. Backspace on an empty one goes back to the one before.

    Args:
        asks: the fields; one that depends on earlier answers is made when its turn comes.
        done: what the answers come to.
        whose: the combatant whose command it will be; empty where the first field asks who, None where it is nobody's.
        why: the rule that it is about, as `?` tells it; empty where none is.
    """

    def __init__(self, asks: Sequence[Ask], done: Done, whose: str | None = None, why: str = "") -> None:
        if not asks:
            raise ValueError("a flow that asks nothing has no place in the call bar; accepted: one field or more")
        self._asks = tuple(asks)
        self._done = done
        self._whose, self._why = whose, why
        self._answers: Answers = []
        first = self._make_field([])
        if first is None:
            raise ValueError("the first question of a flow is always asked; accepted: one that does not hang on others")
        self._fields: list[Field | None] = [first]
        self._complaint = ""
        self._refusal: Refused | None = None
        self._refused = self._overruled = self._is_warned = False

    @property
    def whom(self) -> str | None:
        """The combatant whose command it will be, as far as can be said now; None where it is nobody's."""
        if self._whose != "":
            return self._whose
        return self._field.overlay().chosen if self.asks_whom else str(self._answers[0])

    @property
    def asks_whom(self) -> bool:
        """True while it asks whose command it will be."""
        return self._whose == "" and not self._answers

    @property
    def is_typing(self) -> bool:
        """True while the field reads words."""
        return self._field.is_typing

    @property
    def reads_text(self) -> bool:
        """True while the field takes any sign as part of a text."""
        return self._field.reads_text

    @property
    def call_words(self) -> str:
        """What the space bar does."""
        return TYPES_A_SPACE if self._field.types_spaces else self._field.view().enter_words or UNANSWERED

    def view(self) -> PromptView:
        """The field that is being filled."""
        view = self._field.view()
        if self._complaint:
            return replace(view, error=self._complaint)
        return replace(view, hint=f"by the GM's word   {view.hint}".rstrip()) if self._overruled else view

    def overlay(self) -> Overlay:
        """What it shows on the board."""
        return self._field.overlay()

    def press(self, key: str) -> Reply:
        """A key for the field; Escape leaves, `!` is Enter by the GM's word, also where the answer has been refused."""
        had_refusal, self._refused, self._refusal, self._complaint = self._refused, False, None, ""
        if key == "escape":
            return CANCELLED
        if key == OVERRULE and self._is_warned and self._awaits_answer():
            return self._let_stand()
        name, key = key, "enter" if key == "space" and not self._field.types_spaces else key
        reply = self._took(self._field.press(key))
        if reply is not IGNORED:
            return reply
        if key == "backspace":
            return self._back()
        if key == OVERRULE:
            self._overruled = self._overruled or had_refusal
            return force_command(self._took(self._field.press("enter")))
        if key == WHY and self._why:
            self._complaint = self._why
            return STAY
        slip = len(key) == 1 and (self.is_typing or key not in ZOOM)
        if slip or key in ("space", "enter"):
            self._complaint = f"{name} means nothing here; Esc leaves"
            return STAY
        return IGNORED

    def point(self, place: Location) -> Reply:
        """A click on the board."""
        self._complaint = ""
        return self._took(self._field.point(place))

    def pick(self, combatant_id: str) -> Reply:
        """A click on a combatant."""
        self._complaint = ""
        return self._took(self._field.pick(combatant_id))

    def warn(self) -> None:
        """What stands against all of it has been said: `!` lets it stand, whatever is answered after it."""
        self._is_warned = True

    def _awaits_answer(self) -> bool:
        """Whether there is nothing yet that `!` could give by the GM's word."""
        view = self._field.view()
        return not view.typed and (self.reads_text or not view.default)

    def _let_stand(self) -> Reply:
        """By the GM's word, before there is an answer to give by it."""
        self._overruled, self._is_warned = True, False
        return STAY

    def complain(self, what: str) -> None:
        """Show what was wrong with the answers; the last of them can be given anew."""
        self._complaint = what

    @property
    def _field(self) -> Field:
        """The one that is being filled: what is not asked has none."""
        field = self._fields[-1]
        assert field is not None
        return field

    def _back(self) -> Reply:
        if len(self._fields) > 1:
            at = max(place for place, field in enumerate(self._fields[:-1]) if field is not None)
            self._back_to(at)
        return STAY

    def _back_to(self, at: int) -> None:
        """The question of this number stands again, and all after it are still to be asked."""
        del self._fields[at + 1 :], self._answers[at:]
        self._overruled = False

    def _took(self, answer: Filled | bool) -> Reply:
        if not isinstance(answer, Filled):
            return STAY if answer else IGNORED
        answers = [*self._answers, answer.value]
        try:
            if not answer.skip_rest and self._onward(answers):
                return STAY
        except Refused as no:
            self._refuse(no)
            return STAY
        # The answers are kept as they were: where the command is refused, its last question stands again.
        reply = self._done(answers)
        return force_command(reply) if self._overruled else reply

    def _onward(self, answers: Answers) -> bool:
        """Put the next question after these answers that is to be asked; False where none is left."""
        fields = self._fields[: len(answers)]
        while len(answers) < len(self._asks):
            fields = [*fields, self._make_field(answers)]
            if fields[-1] is not None:
                self._answers, self._fields = answers, fields
                return True
            answers = [*answers, None]
        return False

    def _refuse(self, no: Refused) -> None:
        """The question stands; its answer can be changed, or given by the GM's word."""
        self._refused, self._refusal, self._complaint = not no.final, no, _describe_refusal(no)

    def name_keys(self, name_key: Callable[[str], str]) -> None:
        """Say what would be accepted in place of what was just refused with the keys that do it."""
        if self._refusal is not None:
            self._complaint = _describe_refusal(self._refusal, name_key)

    def _make_field(self, answers: Answers) -> Field | None:
        ask = self._asks[len(answers)]
        return ask(answers) if callable(ask) else ask


def _describe_refusal(no: Refused, name_key: Callable[[str], str] = str) -> str:
    accepts = tuple(dict.fromkeys(map(name_key, no.accepts)))
    more = f"accepted: {accepted_words(accepts)}" if accepts else ""
    onward = "" if no.final else f"{OVERRULE} overrules it"
    return "; ".join(filter(None, (f"{rule_words(no.rule)}{no.message}", more, onward)))


def force_command(reply: Reply) -> Reply:
    """The same, by the GM's word where it is a command."""
    return replace(reply, force=True) if isinstance(reply, Give) else reply
