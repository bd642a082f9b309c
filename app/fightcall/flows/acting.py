"""Doing what an option offers: ask for each input it needs, then give its command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall_engine.board.hexes import Hex
from fightcall_engine.state import FightState, Json

from fightcall.flows.base import CANCELLED, IGNORED, STAY, Give, Overlay, Turn
from fightcall.flows.fields import (
    AmountField,
    ChoiceField,
    Field,
    Filled,
    NumberField,
    OutcomeField,
    TargetField,
    TextField,
)
from fightcall.flows.walking import HexesField, PathField, PlaceField
from fightcall.paint.promptbar import PromptView

if TYPE_CHECKING:
    from fightcall_engine.system import Input, Option, System


def field_for(state: FightState, system: System, who: str, wanted: Input, title: str) -> Field:
    """The field that reads an input."""
    question = f"{title}: {wanted.label}" if wanted.label else title
    one = state.combatants.get(who)
    placed = state.board is not None and one is not None and one.at is not None
    if wanted.kind == "target":
        return TargetField(state, question, wanted.choices, start=wanted.default, optional=wanted.optional)
    if wanted.kind == "path":
        made = PathField if placed else HexesField
        return made(state, system, who, wanted.mode, question)
    if wanted.kind == "place":
        start = one.at if one is not None and one.at is not None else Hex(0, 0)
        return PlaceField(state, start, question, near=True)
    if wanted.kind == "number":
        return NumberField(question, default=wanted.default, optional=wanted.optional, decimals=True)
    if wanted.kind == "choice":
        return ChoiceField(question, wanted.choices, default=wanted.default)
    if wanted.kind == "outcome":
        return OutcomeField(question, dice=wanted.dice, purpose=wanted.purpose)
    if wanted.kind == "amount":
        return AmountField(question, default=wanted.default, optional=wanted.optional)
    return TextField(question, default=wanted.default, optional=wanted.optional, known=wanted.choices)


class OptionFlow:
    """One option of one combatant, from the key that starts it to its command."""

    def __init__(self, state: FightState, system: System, option: Option, who: str) -> None:
        self._state = state
        self._system = system
        self._option = option
        self._who = who
        self._data: dict[str, Json] = dict(option.fixed)
        if option.command not in ("Rule", "Ambush", "Waive"):
            self._data["who"] = who
        self._rolls: dict[str, list[int]] = {}
        self._left = [wanted for wanted in option.inputs if not self._obvious(wanted)]
        name = state.combatants[who].name if who in state.combatants else ""
        self._title = f"{name}: {option.label}" if name and option.command != "Rule" else option.label
        self._field = self._next_field()

    def _obvious(self, wanted: Input) -> bool:
        """Law of the house: never a question that has an obvious answer."""
        placed = self._state.board is not None and self._state.combatants[self._who].at is not None if self._who else False
        if wanted.kind == "place" and not placed:
            return True
        if wanted.kind == "target" and len(wanted.choices) == 1 and not wanted.optional:
            self._data[wanted.name] = wanted.choices[0]
            return True
        return False

    def start(self) -> Turn:
        """What to do at once: give the command where nothing needs to be asked."""
        return STAY if self._field is not None else self._done()

    def _next_field(self) -> Field | None:
        if not self._left:
            return None
        return field_for(self._state, self._system, self._who, self._left[0], self._title)

    def _done(self) -> Give:
        data: dict[str, Json] = dict(self._data)
        if self._rolls:
            data["rolls"] = self._rolls
        return Give(self._option.command, data)

    def view(self) -> PromptView:
        """What is asked now."""
        return self._field.view() if self._field else PromptView(question=self._title)

    def overlay(self) -> Overlay:
        """What the board shows while it is asked."""
        return self._field.overlay() if self._field else Overlay()

    def press(self, key: str) -> Turn:
        """A key for the field; Escape ends it."""
        if key == "escape":
            return CANCELLED
        return self._took(self._field.press(key) if self._field else False)

    def point(self, place: Hex) -> Turn:
        """A click on the board."""
        return self._took(self._field.point(place) if self._field else False)

    def pick(self, who: str) -> Turn:
        """A click on a combatant."""
        return self._took(self._field.pick(who) if self._field else False)

    def _took(self, answer: Filled | bool) -> Turn:
        if not isinstance(answer, Filled):
            return STAY if answer else IGNORED
        wanted = self._left.pop(0)
        if isinstance(answer.value, Mapping):
            self._data.update({key: value for key, value in answer.value.items() if value})
        elif answer.value is not None:
            self._data[wanted.name] = answer.value
        self._rolls.update(answer.rolls)
        if answer.skip_rest:
            self._left.clear()
        self._field = self._next_field()
        return STAY if self._field is not None else self._done()
