"""The questions of an option, with its optional details, which a key opens. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fightcall.flows.ask_flow import Answers, AskFlow
from fightcall.flows.base import MORE, STAY, Overlay, Reply
from fightcall.flows.fields import Field
from fightcall.flows.side_question import SideQuestion
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import Location
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Json

if TYPE_CHECKING:
    from fightcall_engine.kit.views import Input

Given = Mapping[str, Json]
"""The answers so far, by the command's fields."""


class OptionFlow(AskFlow):
    """Asks for the inputs of an option one after the other. Optional details can be given at any of them.

    A question whose numbers depend on a detail is asked again when the detail changes. One that is not needed after the
    earlier answers is skipped.

    Args:
        needed_inputs: the inputs, in order.
        details: the optional details.
        inputs_for: the inputs after some answers; raises Refused if these cannot work.
        ask: makes the field for an input, after the answers before it.
        done: makes the reply from all answers.
        whose: as for `AskFlow`.
        why: as for `AskFlow`.
    """

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
        """True if there are optional details."""
        return bool(self._details)

    @property
    def is_typing(self) -> bool:
        """True while the field reads text."""
        return self._beside.flow.is_typing if self._beside.flow is not None else super().is_typing

    @property
    def reads_text(self) -> bool:
        """True while text is typed."""
        return self._beside.flow.reads_text if self._beside.flow is not None else super().reads_text

    @property
    def call_words(self) -> str:
        """What the space bar does."""
        return self._beside.flow.call_words if self._beside.flow is not None else super().call_words

    def view(self) -> PromptView:
        """The question, with the details given so far, and those that could be given."""
        if self._beside.flow is not None:
            return self._beside.flow.view()
        view = super().view()
        return replace(view, hint="   ".join(filter(None, (view.hint, self._hint())))) if self._details else view

    def _hint(self) -> str:
        words = [
            f"{field.label} {_format_value(self._said[field.name])}"
            for field in self._details
            if field.name in self._said
        ]
        labels_left = [field.label for field in self._details if field.name not in self._said]
        more = f"{MORE} more: {', '.join(labels_left)}" if labels_left else f"{MORE} other"
        return "   ".join(filter(None, (f"with {', '.join(words)}" if words else "", more)))

    def overlay(self) -> Overlay:
        """What it shows on the board."""
        return self._beside.flow.overlay() if self._beside.flow is not None else super().overlay()

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
        """A click on the board."""
        reply = self._beside.point(place)
        return super().point(place) if reply is None else reply

    def pick(self, combatant_id: str) -> Reply:
        """A click on a combatant."""
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


def _format_value(value: Json) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


def filled_in(data: Given, needed_inputs: Sequence[Input], answers: Sequence[Json]) -> dict[str, Json]:
    """A command's data with the answers to its inputs, without skipped ones."""
    full = dict(data)
    for field, answer in zip(needed_inputs, answers, strict=False):
        if isinstance(answer, Mapping):
            full |= {name: value for name, value in answer.items() if value not in ("", None)}
        elif answer is not None:
            full[field.name] = answer
    return full
