"""Fields for a place of the board, for several places, for a number of places, and for facing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from fightcall.flows.base import LONGEST_NUMBER, OVERRULE, Field, Filled, Overlay, Plain, is_digit, is_letter
from fightcall.flows.command_line import as_data
from fightcall.flows.path_fields import PlaceName, ZoneField, towards
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.system import FAR, BaseSystem
from fightcall_engine.model.state import FightState

MARKS = (".", ",")
"""The keys that mark the place of the cursor, or unmark it."""


def first_place(board: AnyBoard) -> Location:
    """The first place of a cursor: the middle of a grid, or the first zone."""
    grid = grid_board(board)
    return grid.at(grid.cols // 2, grid.rows // 2) if grid is not None else next(iter(board.places()))


def place_field(
    state: FightState,
    start: Location,
    question: str,
    *,
    near: bool = False,
    optional: bool = False,
    judge: Callable[[Location], str] | None = None,
    off_key: str = "",
    likely: Sequence[Location] = (),
) -> Field:
    """The field for a place on any kind of board; the arguments are those of `PlaceField`."""
    if isinstance(start, str):
        first = next((place for place in likely if isinstance(place, str)), start)
        return ZoneField(state, first, question, near=near, optional=optional, off_key=off_key)
    return PlaceField(state, start, question, near=near, optional=optional, judge=judge, off_key=off_key, likely=likely)


class PlaceField(Plain):
    """A place of a grid: direction keys move the cursor, Enter ends.

    Args:
        near: only places next to `start`, chosen by a direction key.
        optional: no place is an answer, too, while the cursor has not been moved.
        judge: the obstacle to a place, or whom it concerns, in words; empty for neither.
        off_key: the key for no place at all, off the board; empty if there has to be one.
        likely: places that Tab goes through, the most likely first, which Enter proposes.
    """

    accepts = "a place, by name (H7), click, arrows or h j k l, y u b n; then Enter"

    def __init__(
        self,
        state: FightState,
        start: Location,
        question: str,
        *,
        near: bool = False,
        optional: bool = False,
        judge: Callable[[Location], str] | None = None,
        off_key: str = "",
        likely: Sequence[Location] = (),
    ) -> None:
        self._state = state
        self._off_key = off_key
        self._start = start
        self._likely = tuple(likely)
        self._at = self._likely[0] if likely else start
        self._near = near
        self._optional = optional
        self._judge = judge
        self._question = question
        self._name = PlaceName(state.board)
        self._error = ""

    def view(self) -> PromptView:
        """The question, with the place under the cursor."""
        board = self._state.board
        has_moved = self._at != self._start
        where = board.name_of(self._at) if board is not None else ""
        default = "" if self._near and not has_moved else where
        if self._optional and not has_moved:
            default = "no place yet"
        off = f"; {self._off_key} is off the board" if self._off_key else ""
        tab = "tab next target, " if len(self._likely) > 1 else ""
        hint = f"{where}  {tab}arrows or h j k l, y u b n, or a name such as {where}{off}"
        if has_moved and self._judge is not None and board is not None:
            words = (where, board.apart(self._start, self._at), self._judge(self._at))
            hint = "  ".join(filter(None, (*words, tab.rstrip(", "))))
        return PromptView(question=self._question, hint=hint, error=self._error, default=default)

    def overlay(self) -> Overlay:
        """The cursor."""
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Filled | bool:
        """Handle a key: move the cursor, or take its place."""
        here = self._start if self._near else self._at
        named = self._name.press(key)
        if named is not None:
            return self._go(named)
        there = towards(self._state.board, here, key)
        if there is not None:
            return self._go(there)
        if len(key) == 1 and key.isascii() and key.isalpha():
            return True
        if self._off_key and key == self._off_key:
            return Filled(None)
        if key in ("tab", "shift+tab") and self._likely:
            step = 1 if key == "tab" else -1
            at = self._likely.index(self._at) + step if self._at in self._likely else 0
            return self._go(self._likely[at % len(self._likely)])
        if key == "backspace" and self._at != self._start:
            self._at, self._error = self._start, ""
            return True
        if key != "enter":
            return False
        if self._at == self._start and self._optional:
            return Filled(None)
        if self._at == self._start and self._near:
            self._error = "which way? Arrows or h j k l, y u b n"
            return True
        return Filled(as_data(self._at))

    def _go(self, there: Location) -> bool:
        board = self._state.board
        self._error = ""
        if board is None or not board.contains(there):
            self._error = "the board ends here"
        elif self._near and there != self._start and there not in board.neighbours(self._start):
            self._error = f"{board.name_of(there)} is not next to {board.name_of(self._start)}"
        else:
            self._at = there
        return True

    def point(self, place: Location) -> Filled | bool:
        """Move the cursor to a place; a click on the cursor is Enter."""
        if place == self._at and place != self._start:
            return self.press("enter")
        return self._go(place)

    def pick(self, combatant_id: str) -> Filled | bool:
        """A click on a combatant counts as one on their place."""
        at = self._state.combatants[combatant_id].at
        return self.point(at) if at is not None else False


class HexesField(Plain):
    """A number of hexes for a fight without a board, and after a space the label of the enemy who is met.

    Labels are often digits, so a space separates them from the number: ``3 2`` is three hexes to meet ``2``. Tab goes
    through the enemies instead.
    """

    is_way = True
    accepts = "a number, then a space and the label of an enemy to meet, then Enter"
    is_typing = True
    types_spaces = True

    def __init__(self, state: FightState, system: BaseSystem, combatant_id: str, mode: str, question: str) -> None:
        self._state = state
        self._who = combatant_id
        self._question = question
        self._cost_words = partial(system.travel_words, state, combatant_id)
        self._price = system.step_price(state, combatant_id, mode)
        self._budget, _ = system.travel(state, combatant_id, mode)
        self._typed = ""
        self._label: str | None = None
        self._met = ""
        self._error = ""
        self._insists = False

    def view(self) -> PromptView:
        """The cost so far, and the enemy who is met."""
        entry, default = self._typed if self._label is None else f"{self._typed} {self._label}", ""
        most = f"at most {self._budget // max(1, self._price)} steps" if self._budget < FAR else "a number of steps"
        hint = f"{most}, then a space and the label of an enemy to meet, or tab"
        if self._typed:
            cost = int(self._typed) * self._price
            hint = self._cost_words(cost, self._budget) + (": ! overrides it" if cost > self._budget else "")
            most_steps = self._budget // max(1, self._price)
            if cost > self._budget and most_steps and not self._insists:
                default = f"as far as it goes: {most_steps}"
        if self._met:
            hint += f"  meets {self._state.combatants[self._met].name}"
        return PromptView(question=self._question, typed=entry, hint=hint, error=self._error, default=default)

    def overlay(self) -> Overlay:
        """The enemies who can be met."""
        return Overlay(targets=self._foes(), chosen=self._met)

    def _foes(self) -> tuple[str, ...]:
        people = self._state.combatants.values()
        return tuple(
            combatant.id for combatant in people if combatant.able and self._state.are_foes(self._who, combatant.id)
        )

    def press(self, key: str) -> Filled | bool:
        """Handle a key: digits are the number of hexes, a label after a space names the enemy, Enter ends."""
        self._error = ""
        if key == OVERRULE:
            # From now on the path is walked whole.
            self._insists = True
            return False
        if key == "enter":
            return self._enter()
        if key == "backspace":
            return self._back()
        if key in ("tab", "shift+tab"):
            ring = ("", *self._foes())
            self._met = ring[(ring.index(self._met) + (1 if key == "tab" else -1)) % len(ring)]
            self._label = self._state.combatants[self._met].label if self._met else None
        elif key == "space" and self._typed:
            self._label = self._label or ""
        elif is_letter(key) and self._label is not None:
            self._name(self._label + key.upper() if not self._met else key.upper())
        elif is_digit(key):
            self._typed = (self._typed + key)[:LONGEST_NUMBER]
        elif is_letter(key) and self._typed:
            self._name(key.upper())
        else:
            return False
        return True

    def _name(self, text: str) -> None:
        labels = {self._state.combatants[combatant_id].label: combatant_id for combatant_id in self._foes()}
        self._met = labels.get(text, "")
        self._label = text
        if not any(label.startswith(text) for label in labels):
            self._label = ""
            self._error = f"no enemy has the label {text}; here: {' '.join(labels)}"

    def _back(self) -> bool:
        if self._label is not None:
            self._label, self._met = (None if not self._label or self._met else self._label[:-1]), ""
        elif self._typed:
            self._typed = self._typed[:-1]
        else:
            return False
        return True

    def _enter(self) -> Filled | bool:
        if int(self._typed or "0") < 1:
            self._error = "how many steps? 1 or more"
            return True
        if self._label and not self._met:
            self._error = f"no enemy has the label {self._label}"
            return True
        steps, most_steps = int(self._typed), self._budget // max(1, self._price)
        if not self._insists and 0 < most_steps < steps:
            # As far as it goes, which is not up to whoever would have been met.
            return Filled({"hexes": most_steps, "meets": ""})
        return Filled({"hexes": steps, "meets": self._met})

    def pick(self, combatant_id: str) -> Filled | bool:
        """A click on an enemy names them as the one who is met."""
        self._error = ""
        if combatant_id in self._foes():
            self._met, self._label = combatant_id, self._state.combatants[combatant_id].label
        else:
            self._error = f"{self._state.combatants[combatant_id].name} is not an enemy who could stop the path"
        return True


# Several places


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


# Facing


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
