"""A field for several places of a board: the cursor moves, a point marks, Enter ends."""

from __future__ import annotations

from dataclasses import replace

from fightcall.flows.base import Overlay
from fightcall.flows.command_words import as_data
from fightcall.flows.fields import Field, Filled, Plain
from fightcall.flows.place_fields import place_field
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import Location
from fightcall_engine.model.state import FightState

MARKS = (".", ",")
"""The keys that mark the place of the cursor, or unmark it."""


class BrushField(Plain):
    """Several places: a key or a click marks each of them. Enter ends; if none is marked, it takes the cursor's."""

    accepts = "places, by name, arrows or click; a period marks one; then Enter"
    is_typing = True

    def __init__(self, state: FightState, start: Location, question: str) -> None:
        self._state = state
        self._cursor: Field = place_field(state, start, question)
        self._places: dict[Location, None] = {}

    def _here(self) -> Location | None:
        return self._cursor.overlay().cursor

    def view(self) -> PromptView:
        """The question, with the marked places."""
        view, board = self._cursor.view(), self._state.board
        if not self._places or board is None:
            return view
        return replace(view, default=", ".join(board.name_of(place) for place in self._places))

    def overlay(self) -> Overlay:
        """The cursor and the marked places."""
        return replace(self._cursor.overlay(), line=tuple(self._places))

    def press(self, key: str) -> Filled | bool:
        """Handle a key: mark the place of the cursor, move it, or end."""
        if key in MARKS:
            self._toggle()
            return True
        if key == "backspace" and self._places:
            self._places.popitem()
            return True
        if key == "enter":
            if not self._places:
                self._toggle()
            return Filled([as_data(place) for place in self._places]) if self._places else True
        filled = self._cursor.press(key)
        # A zone's letter picks it at once; here it only moves the cursor.
        return True if isinstance(filled, Filled) else filled

    def _toggle(self) -> None:
        here = self._here()
        if here is None:
            return
        if here in self._places:
            del self._places[here]
        else:
            self._places[here] = None

    def point(self, place: Location) -> Filled | bool:
        """Mark a place, or unmark it."""
        self._cursor.point(place)
        self._toggle()
        return True

    def pick(self, combatant_id: str) -> Filled | bool:
        """A click on a combatant counts as one on its place."""
        at = self._state.combatants[combatant_id].at
        return self.point(at) if at is not None else False
