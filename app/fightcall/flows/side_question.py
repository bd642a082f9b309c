"""A question beside a flow's own: a detail of the act, or another target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from fightcall.flows.ask_flow import Answers, Ask, AskFlow
from fightcall.flows.base import CANCELLED, STAY, Reply
from fightcall.flows.fields import ChoiceField, Field
from fightcall_engine.board.base import Location
from fightcall_engine.model.state import Json

if TYPE_CHECKING:
    from fightcall_engine.kit.views import Input


class SideQuestion:
    """A flow beside another one. It ends with its last answer, or by Escape, which leaves the other one open.

    Attributes:
        flow: the flow; None while nothing is asked.
    """

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
        """Ask which detail to give, if there are several, and then for its value.

        Args:
            question: the question for the choice.
            details: the optional details.
            field_of: makes the field for a detail.
            keep: called with the detail's name and value, which is None or empty if it was left open.
        """
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
