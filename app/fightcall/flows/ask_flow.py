"""Asking for several values one after the other, with a way back to each of them."""

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
    with_rule,
)
from fightcall.flows.fields import Field, Filled
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Json

Answers = list[Json]
"""The answers so far, in order."""
Ask = Field | Callable[[Answers], Field | None]
"""A field, or a function that makes it from the answers before it.

The function returns None to skip the question, and raises Refused if those answers are not acceptable.
"""
Done = Callable[[Answers], Reply]
"""Makes the reply from the answers. Skipped ones at the end are missing."""

ZOOM = "+-="
"""Zoom keys, which are left to the screen unless text is typed, for a closer look while walking or aiming."""


class AskFlow:
    """Several fields, one after the other. Backspace on an empty one goes back to the one before.

    Args:
        asks: the fields; one that depends on earlier answers is made when its turn comes.
        done: makes the reply from the answers.
        whose: whose command it will be; empty if the first field asks who, None for nobody's.
        why: the rule behind it, for `?`; empty for none.
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
        self._complaint = self._reason = ""
        self._refusal: Refused | None = None
        self._refused = self._overruled = self._is_warned = False

    @property
    def whom(self) -> str | None:
        """The combatant whose command it will be, as far as is known; None for nobody's."""
        if self._whose != "":
            return self._whose
        return self._field.overlay().chosen if self.asks_whom else str(self._answers[0])

    @property
    def asks_whom(self) -> bool:
        """True while it asks for the actor."""
        return self._whose == "" and not self._answers

    @property
    def is_typing(self) -> bool:
        """True while the field reads text."""
        return self._field.is_typing

    @property
    def reads_text(self) -> bool:
        """True while the field takes any character as text."""
        return self._field.reads_text

    @property
    def call_words(self) -> str:
        """What the space bar does."""
        return TYPES_A_SPACE if self._field.types_spaces else self._field.view().enter_words or UNANSWERED

    def view(self) -> PromptView:
        """The field that is being filled."""
        view = self._field.view()
        if self._complaint or self._reason:
            return replace(view, error=self._complaint, reason=self._reason)
        return replace(view, hint=f"GM override   {view.hint}".rstrip()) if self._overruled else view

    def overlay(self) -> Overlay:
        """What it shows on the board."""
        return self._field.overlay()

    def press(self, key: str) -> Reply:
        """Handle a key: Escape leaves, `!` is Enter with force, even after a refusal; others are for the field."""
        had_refusal, self._refused, self._refusal, self._complaint = self._refused, False, None, ""
        self._reason = ""
        if key == "escape":
            return CANCELLED
        if key == OVERRULE and self._is_warned and self._awaits_answer():
            return self._let_stand()
        if key == WHY and not (self._field.view().typed or "").strip():
            return self._explain()
        name, key = key, "enter" if key == "space" and not self._field.types_spaces else key
        reply = self._took(self._field.press(key))
        if reply is not IGNORED:
            return reply
        if key == "backspace":
            return self._back()
        if key == OVERRULE:
            self._overruled = self._overruled or had_refusal
            return force_command(self._took(self._field.press("enter")))
        if key == WHY:
            return self._explain()
        slip = len(key) == 1 and (self.is_typing or key not in ZOOM)
        if slip or key in ("space", "enter"):
            self._complaint = f"{name} does nothing here; Esc leaves"
            return STAY
        return IGNORED

    def _explain(self) -> Reply:
        """Say the rule behind the question, and what is accepted."""
        self._reason = " ".join(filter(None, (self._why, f"Accepted: {self._field.accepts}; Esc leaves")))
        return STAY

    def point(self, place: Location) -> Reply:
        """A click on the board."""
        self._complaint = self._reason = ""
        return self._took(self._field.point(place))

    def pick(self, combatant_id: str) -> Reply:
        """A click on a combatant."""
        self._complaint = self._reason = ""
        return self._took(self._field.pick(combatant_id))

    def warn(self) -> None:
        """Note that an obstacle has been shown, so that `!` can overrule it before the last answer."""
        self._is_warned = True

    def _awaits_answer(self) -> bool:
        """Whether `!` has no command to force yet."""
        view = self._field.view()
        is_planned = view.default and not (self._field.is_way and not self._field.overlay().path)
        return not view.typed and (self.reads_text or not is_planned)

    def _let_stand(self) -> Reply:
        """Overrule the obstacle in advance, and go on asking."""
        self._overruled, self._is_warned = True, False
        if self._field.is_way:
            self._field.press(OVERRULE)
        return STAY

    def complain(self, what: str) -> None:
        """Show what is wrong with the answers. The last one can be changed."""
        self._complaint = what

    @property
    def _field(self) -> Field:
        """The current field."""
        field = self._fields[-1]
        assert field is not None
        return field

    def _back(self) -> Reply:
        if len(self._fields) > 1:
            at = max(place for place, field in enumerate(self._fields[:-1]) if field is not None)
            self._back_to(at)
        return STAY

    def _back_to(self, at: int) -> None:
        """Go back to the question at an index, and drop the answers after it."""
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
        # The answers are kept: if the command is refused, the last question is asked again.
        reply = self._done(answers)
        return force_command(reply) if self._overruled else reply

    def _onward(self, answers: Answers) -> bool:
        """Go to the next question after these answers; False if none is left."""
        fields = self._fields[: len(answers)]
        while len(answers) < len(self._asks):
            fields = [*fields, self._make_field(answers)]
            if fields[-1] is not None:
                self._answers, self._fields = answers, fields
                return True
            answers = [*answers, None]
        return False

    def _refuse(self, no: Refused) -> None:
        """Show a refusal. The answer can be changed, or forced."""
        self._refused, self._refusal, self._complaint = not no.final, no, _describe_refusal(no)

    def name_keys(self, name_key: Callable[[str], str], rule_words: Callable[[str], str]) -> None:
        """Name the rule of the last refusal, and the keys for its alternatives."""
        if self._refusal is not None:
            self._complaint = _describe_refusal(self._refusal, name_key, rule_words)

    def _make_field(self, answers: Answers) -> Field | None:
        ask = self._asks[len(answers)]
        return ask(answers) if callable(ask) else ask


def _id_alone(rule: str) -> str:
    return "" if rule.islower() else rule


def _describe_refusal(
    no: Refused, name_key: Callable[[str], str] = str, rule_words: Callable[[str], str] = _id_alone
) -> str:
    accepts = tuple(dict.fromkeys(map(name_key, no.accepts)))
    more = f"accepted: {accepted_words(accepts)}" if accepts else ""
    onward = "" if no.final else f"{OVERRULE} overrides it"
    return "; ".join(filter(None, (with_rule(no.message, rule_words(no.rule)), more, onward)))


def force_command(reply: Reply) -> Reply:
    """The reply, with force if it gives a command."""
    return replace(reply, force=True) if isinstance(reply, Give) else reply
