"""What is asked beside a flow's own question for a moment: a detail of the act, or somebody else to aim at."""

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
    """A flow beside another one: it is left with its last answer, or by Escape, which leaves nothing else.

    Attributes:
        flow: what is being asked; None where nothing is.
    """

    def __init__(self) -> None:
        self.flow: AskFlow | None = None

    def ask(self, asks: Sequence[Ask], done: Callable[[Answers], Reply]) -> Reply:
        """Ask for something; `done` is called with the answers when it is over."""

        def close(answers: Answers) -> Reply:
            self.flow = None
            return done(answers)

        self.flow = AskFlow(asks, close)
        return STAY

    def ask_detail(
        self,
        question: str,
        details: Sequence[Input],
        field_of: Callable[[Input], Field],
        keep: Callable[[str, Json], Reply],
    ) -> Reply:
        """Ask which of the details is to be said, where there are several, and then what it is.

        Args:
            question: what the choice is called.
            details: what may be said besides.
            field_of: the field that reads one of them.
            keep: what becomes of it: its name and its value, None or empty where it is left open.
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
        """A key for what is asked; None where nothing is."""
        if self.flow is None:
            return None
        reply = self.flow.press(key)
        if reply is CANCELLED:
            self.flow = None
            return STAY
        return reply

    def point(self, place: Location) -> Reply | None:
        """A click on the board; None where nothing is asked."""
        return self.flow.point(place) if self.flow is not None else None

    def pick(self, combatant_id: str) -> Reply | None:
        """A click on a combatant; None where nothing is asked."""
        return self.flow.pick(combatant_id) if self.flow is not None else None
