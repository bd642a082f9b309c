"""Asking for several values one after the other, with a way back to each, and with optional details.

A side question is one beside a flow's own: a detail of the act, or another target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial

from fightcall.flows.base import (
    CANCELLED,
    IGNORED,
    MORE,
    OVERRULE,
    STAY,
    TYPES_A_SPACE,
    UNANSWERED,
    WHY,
    ChoiceField,
    Field,
    Filled,
    Flow,
    Overlay,
    Reply,
    accepted_words,
    with_rule,
)
from fightcall.paint.prompt_bar import PromptView
from fightcall.table import Give
from fightcall_engine.board.base import Location
from fightcall_engine.kit.views import Input
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import replace

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

Given = Mapping[str, Json]
"""The answers so far, by the command's fields."""


class AskFlow(Flow):
    """Several fields, one after the other. Backspace on an empty one goes back to the one before.

    Args:
        asks: the fields; one that depends on earlier answers is made when its turn comes.
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
        self._reason = ""
        self._refusal: Refused | None = None
        self._refused = self._overruled = self._is_warned = False

    @property
    def whom(self) -> str | None:
        """The combatant whose command it will be, as far as is known; None for nobody's."""
        if self._whose != "":
            return self._whose
        return self._field.overlay().chosen if self.asks_whom else str(self._answers[0])

    @property
    def request(self) -> Give | None:
        """The combatant's command that Enter gives; None if it asks for something first.

        Enter is tried on a copy. Like it, the field has to change only by what its own attributes are set to.
        """
        if self._whose is None:
            return None
        trial = copy(self)
        trial._fields = [*self._fields[:-1], copy(self._field)]
        reply = trial.press("enter")
        return reply if isinstance(reply, Give) else None

    @property
    def asks_whom(self) -> bool:
        return self._whose == "" and not self._answers

    @property
    def is_typing(self) -> bool:
        return self._field.is_typing

    @property
    def reads_text(self) -> bool:
        return self._field.reads_text

    @property
    def call_words(self) -> str:
        return TYPES_A_SPACE if self._field.types_spaces else self._field.view().enter_words or UNANSWERED

    def view(self) -> PromptView:
        view = self._field.view()
        if self._error or self._reason:
            return replace(view, error=self._error, reason=self._reason)
        return replace(view, hint=f"GM override   {view.hint}".rstrip()) if self._overruled else view

    def overlay(self) -> Overlay:
        return self._field.overlay()

    def press(self, key: str) -> Reply:
        """Handle a key: Escape leaves, `!` is Enter with force, even after a refusal; others are for the field."""
        had_refusal, self._refused, self._refusal, self._error = self._refused, False, None, ""
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
            return self.complain(f"{name} does nothing here; Esc leaves")
        return IGNORED

    def _explain(self) -> Reply:
        self._reason = " ".join(filter(None, (self._why, f"Accepted: {self._field.accepts}; Esc leaves")))
        return STAY

    def point(self, place: Location) -> Reply:
        self._error = self._reason = ""
        return self._took(self._field.point(place))

    def pick(self, combatant_id: str) -> Reply:
        self._error = self._reason = ""
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
        self._overruled, self._is_warned = True, False
        if self._field.is_way:
            self._field.press(OVERRULE)
        return STAY

    @property
    def _field(self) -> Field:
        field = self._fields[-1]
        assert field is not None
        return field

    def _back(self) -> Reply:
        if len(self._fields) > 1:
            at = max(place for place, field in enumerate(self._fields[:-1]) if field is not None)
            self._back_to(at)
        return STAY

    def _back_to(self, at: int) -> None:
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
        fields = self._fields[: len(answers)]
        while len(answers) < len(self._asks):
            fields = [*fields, self._make_field(answers)]
            if fields[-1] is not None:
                self._answers, self._fields = answers, fields
                return True
            answers = [*answers, None]
        return False

    def _refuse(self, no: Refused) -> None:
        self._refused, self._refusal, self._error = not no.final, no, _describe_refusal(no)

    def name_keys(self, name_key: Callable[[str], str], rule_words: Callable[[str], str]) -> None:
        """Name the rule of the last refusal, and the keys for its alternatives."""
        if self._refusal is not None:
            self._error = _describe_refusal(self._refusal, name_key, rule_words)

    def _make_field(self, answers: Answers) -> Field | None:
        ask = self._asks[len(answers)]
        return ask(answers) if callable(ask) else ask


def _describe_refusal(
    no: Refused,
    name_key: Callable[[str], str] = str,
    rule_words: Callable[[str], str] = lambda rule: "" if rule.islower() else rule,
) -> str:
    accepts = tuple(dict.fromkeys(map(name_key, no.accepts)))
    more = f"accepted: {accepted_words(accepts)}" if accepts else ""
    onward = "" if no.final else f"{OVERRULE} overrides it"
    return "; ".join(filter(None, (with_rule(no.message, rule_words(no.rule)), more, onward)))


def force_command(reply: Reply) -> Reply:
    """The reply, with force if it gives a command."""
    return replace(reply, force=True) if isinstance(reply, Give) else reply


# Side questions


class SideQuestion:
    """A flow beside another one. It ends with its last answer, or by Escape, which leaves the other one open."""

    def __init__(self) -> None:
        self.flow: AskFlow | None = None

    def ask(self, questions: Sequence[Ask], done: Callable[[Answers], Reply]) -> Reply:
        """Ask for something. `done` is called with the answers."""

        def close(answers: Answers) -> Reply:
            self.flow = None
            return done(answers)

        self.flow = AskFlow(questions, close)
        return STAY

    def ask_detail(
        self,
        question: str,
        details: Sequence[Input],
        field_of: Callable[[Input], Field],
        keep: Callable[[str, Json], Reply],
    ) -> Reply:
        """Ask which detail to give, if there are several, and `keep` its value, which is None or empty if left open."""
        by_name = {field.name: field for field in details}
        which = ChoiceField(question, [(field.name, field.label) for field in details])

        def chosen(answers: Answers) -> str:
            return str(answers[0]) if len(details) > 1 else details[0].name

        asks: list[Ask] = [which] if len(details) > 1 else []
        return self.ask(
            [*asks, lambda answers: field_of(by_name[chosen(answers)])],
            lambda answers: keep(chosen(answers), answers[-1]),
        )

    def press(self, key: str) -> Reply | None:
        """Handle a key; None if nothing is asked."""
        if self.flow is None:
            return None
        reply = self.flow.press(key)
        if reply is CANCELLED:
            self.flow = None
            return STAY
        return reply

    def point(self, place: Location) -> Reply | None:
        """Handle a click on the board; None if nothing is asked."""
        return self.flow.point(place) if self.flow is not None else None

    def pick(self, combatant_id: str) -> Reply | None:
        """Handle a click on a combatant; None if nothing is asked."""
        return self.flow.pick(combatant_id) if self.flow is not None else None


# The questions of an option


class OptionFlow(AskFlow):
    """Asks for the inputs of an option, again where a detail changes them, and for none that others make needless."""

    def __init__(
        self,
        needed_inputs: Sequence[Input],
        details: Sequence[Input],
        inputs_for: Callable[[Given], Sequence[Input]],
        ask: Callable[[Input, Sequence[Json]], Field],
        done: Callable[[Given], Reply],
        whose: str | None = None,
        why: str = "",
    ) -> None:
        self._needed_inputs, self._details = tuple(needed_inputs), tuple(details)
        self._inputs_for, self._ask = inputs_for, ask
        self._beside = SideQuestion()
        self._said: dict[str, Json] = {}
        asks = [partial(self._ask_input, field) for field in self._needed_inputs]
        super().__init__(asks, lambda answers: done(self._merge_answers(answers)), whose, why)

    @property
    def request(self) -> Give | None:
        return super().request if self._beside.flow is None else None

    def _merge_answers(self, answers: Sequence[Json]) -> Given:
        # The first question is never refused, nor is anything with force.
        by_word = {"force": True} if self._answers and self._overruled else {}
        return {**self._said, **filled_in({}, self._needed_inputs, answers), **by_word}

    def _inputs(self, answers: Sequence[Json]) -> Sequence[Input]:
        try:
            return self._inputs_for(self._merge_answers(answers))
        except Refused:
            if answers and not self._overruled:
                raise
            return self._needed_inputs

    def _ask_input(self, field: Input, answers: Answers) -> Field | None:
        now = next((each for each in self._inputs(answers) if each.name == field.name), None)
        return None if now is None else self._ask(now, answers)

    # Optional details

    @property
    def has_more(self) -> bool:
        return bool(self._details)

    @property
    def _field(self) -> Field:
        return self._beside.flow._field if self._beside.flow is not None else super()._field

    def view(self) -> PromptView:
        if self._beside.flow is not None:
            return self._beside.flow.view()
        view = super().view()
        return replace(view, hint="   ".join(filter(None, (view.hint, self._hint())))) if self._details else view

    def _hint(self) -> str:
        shown = {True: "yes", False: "no"}
        words = [
            f"{field.label} {shown[value] if isinstance(value, bool) else str(value).replace('_', ' ')}"
            for field in self._details
            if (value := self._said.get(field.name)) is not None
        ]
        labels_left = [field.label for field in self._details if field.name not in self._said]
        more = f"{MORE} more: {', '.join(labels_left)}" if labels_left else f"{MORE} other"
        return "   ".join(filter(None, (f"with {', '.join(words)}" if words else "", more)))

    def press(self, key: str) -> Reply:
        """Handle a key for a detail being asked, else for the question. Escape leaves the detail first."""
        reply = self._beside.press(key)
        if reply is not None:
            return reply
        if key == MORE and self._details and not super().view().typed:
            question = f"{super().view().question}, and"
            return self._beside.ask_detail(
                question, self._details, lambda field: self._ask(field, self._answers), self._keep
            )
        return super().press(key)

    def point(self, place: Location) -> Reply:
        reply = self._beside.point(place)
        return super().point(place) if reply is None else reply

    def pick(self, combatant_id: str) -> Reply:
        reply = self._beside.pick(combatant_id)
        return super().pick(combatant_id) if reply is None else reply

    def _keep(self, name: str, value: Json) -> Reply:
        """Set a detail, or remove it if it was left empty, and ask again what depends on it."""
        before = self._at_each()
        self._said.pop(name, None)
        if value not in (None, ""):
            self._said[name] = value
        pairs = zip(before, self._at_each(), strict=True)
        changed_at = next((at for at, (then, now) in enumerate(pairs) if then != now), None)
        return STAY if changed_at is None else self._again(changed_at)

    def _again(self, at: int) -> Reply:
        """Ask again from a question on; if that is refused, return to the question before."""
        self._back_to(at)
        try:
            if self._onward(self._answers):
                return STAY
        except Refused as no:
            self._back()
            self._refuse(no)
            return STAY
        return self._done(self._answers)

    def _at_each(self) -> list[Input | None]:
        """The questions up to this one after the present answers; None for one that is skipped or refused."""
        fields: list[Input | None] = []
        for at, field in enumerate(self._needed_inputs[: len(self._answers) + 1]):
            try:
                now = self._inputs(self._answers[:at])
            except Refused:
                now = ()
            fields.append(next((each for each in now if each.name == field.name), None))
        return fields


def filled_in(data: Given, needed_inputs: Sequence[Input], answers: Sequence[Json]) -> dict[str, Json]:
    """A command's data with the answers to its inputs, without skipped ones."""
    full = dict(data)
    for field, answer in zip(needed_inputs, answers, strict=False):
        if isinstance(answer, Mapping):
            full |= {name: value for name, value in answer.items() if value not in ("", None)}
        elif answer is not None:
            full[field.name] = answer
    return full
