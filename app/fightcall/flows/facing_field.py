"""The field for facing: a direction key, or the label of a combatant to look at."""

from __future__ import annotations

from fightcall.flows.base import Overlay
from fightcall.flows.fields import Filled, Plain, is_letter
from fightcall.flows.path_field import towards
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import Location
from fightcall_engine.model.state import FightState


class FacingField(Plain):
    """A direction of the board by its number, as `Face` takes it.

    Direction keys are lower case; labels are typed in digits or capital letters, as in a path.
    """

    accepts = "arrows or h j k l, y u b n; the label of someone to face; a click"

    def __init__(self, state: FightState, combatant_id: str) -> None:
        combatant = state.combatants[combatant_id]
        if combatant.at is None or not state.board or not state.board.directions:
            raise ValueError(f"{combatant.name} is not on a board of hexes or squares, so there are no directions")
        self._state, self._who = state, combatant_id
        self._board, self._at = state.board, combatant.at
        self._name = combatant.name
        self._error = ""

    def view(self) -> PromptView:
        """The question, with the keys that answer it."""
        return PromptView(question=f"{self._name} turns to face", hint=self.accepts, error=self._error)

    def overlay(self) -> Overlay:
        """The place of the combatant."""
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Filled | bool:
        """Handle a key: a direction or a label answers at once."""
        self._error = ""
        there = towards(self._board, self._at, key)
        if there is not None:
            return self.point(there)
        if not is_letter(key) or key.islower():
            return False
        ids = [each.id for each in self._state.combatants.values() if each.label == key]
        if ids:
            return self.pick(ids[0])
        labels = " ".join(each.label for each in self._state.combatants.values())
        self._error = f"no combatant has the label {key}; here: {labels}"
        return True

    def point(self, place: Location) -> Filled | bool:
        """Face a place."""
        facing = self._board.bearing(self._at, place)
        if facing is None:
            self._error = "not a direction; use the arrows, or the label of someone to face"
            return True
        return Filled(facing)

    def pick(self, combatant_id: str) -> Filled | bool:
        """Face a combatant."""
        at = self._state.combatants[combatant_id].at
        return self.point(at) if at is not None else False
