"""Fields for combatants, for damage with who caused it, and for places and facing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

from fightcall.flows.base import (
    BACKWARD,
    ONWARD,
    PERSON,
    AtPlace,
    Field,
    Filled,
    Overlay,
    cycle_index,
    is_letter,
    letter_under_marks,
)
from fightcall.flows.command_line import as_data
from fightcall.flows.path_fields import CursorField, PlaceName, ZoneField, towards
from fightcall.flows.text_fields import AmountField, TextField
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import AnyBoard, Hex, Location
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.records import ids_called
from fightcall_engine.model.fold import players_name
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.model.values import replace

NOBODY_KEY = "-"


@dataclass(eq=False)
class TargetField(Field):
    """A combatant, picked by label, with Tab or the arrows, by a click, or by Enter.

    A combatant who is not among the candidates can be picked by choosing them twice. The engine then names the rule
    against it, and the GM may overrule it.

    Args:
        optional: nobody is an answer, too.
        shooter: the combatant from whom the line to the highlighted one is drawn.
        takes_anybody: anybody can be picked at once: the caller shows the obstacles to it.
        may_be_open: nobody is highlighted unless `start` is; else the first one is.
    """

    accepts = "the label of a combatant, a click, or the arrows and Enter"

    state: FightState
    question: str
    choices: Sequence[str]
    _: KW_ONLY
    start: str = ""
    optional: bool = False
    shooter: str = ""
    takes_anybody: bool = False
    may_be_open: bool = False

    def __post_init__(self) -> None:
        candidates = self.choices or [each for each in self.state.combatants if each != self.shooter]
        self._candidates = (*(("",) if self.optional else ()), *candidates)
        is_open = (self.takes_anybody or self.may_be_open) and not self.optional
        self._at = self._candidates.index(self.start) if self.start in self._candidates else -1 if is_open else 0
        self._typed = self._insisted = ""
        self._has_stepped = self._is_by_players = False

    @property
    def chosen(self) -> str:
        """The highlighted combatant; empty for nobody."""
        return self._candidates[self._at] if self._candidates and self._at >= 0 else ""

    def view(self) -> PromptView:
        people = self.state.combatants
        labels = {combatant_id: label for label, combatant_id in self._labels().items()}
        pairs = [(labels.get(each, ""), people[each].name) for each in self._candidates if each]
        pairs += [(NOBODY_KEY, "nobody")] if self.optional else []
        default_name = people[self.chosen].name if self.chosen else ("nobody" if self.optional else "")
        others = "your own" if self._is_by_players else "the players'"
        hint = f"{PERSON} takes {others} labels" if self._differs() else ""
        return PromptView(
            question=f"{self.question} (players' labels)" if self._is_by_players else self.question,
            choices=tuple(pairs),
            typed=self._typed,
            hint=hint,
            error=self._error,
            default=default_name,
            remarks=tuple(self._remark(combatant_id) for combatant_id in self._candidates if combatant_id),
        )

    def _remark(self, combatant_id: str) -> str:
        alias = players_name(self.state, self.state.combatants[combatant_id])
        return ", ".join(filter(None, (f"players: {alias}" if alias else "", self._distance(combatant_id))))

    def _distance(self, combatant_id: str) -> str:
        people, board = self.state.combatants, self.state.board
        at = people[combatant_id].at
        origin = people[self.shooter].at if self.shooter in people else None
        if board is None or at is None or origin is None or combatant_id == self.shooter:
            return ""
        return board.apart(origin, at)

    def overlay(self) -> Overlay:
        people = self.state.combatants
        at = people[self.chosen].at if self.chosen else None
        origin = people[self.shooter].at if self.shooter in people and self.shooter != self.chosen else None
        board = self.state.board
        targets = tuple(combatant_id for combatant_id in self._candidates if combatant_id)
        # If anybody is possible, marking everybody would mean nothing.
        targets = () if len(targets) == len(people) else targets
        overlay = Overlay(targets=targets, chosen=self.chosen, cursor=at, is_followed=self._has_stepped)
        if board is None or origin is None or at is None:
            return overlay
        shut = board.sight(origin, at).blocked_by
        note = board.apart(origin, at) + (f", sight blocked at {board.name_of(shut)}" if shut is not None else "")
        return replace(overlay, line=board.line(origin, at) if origin != at else (), note=note)

    def press(self, key: str) -> Filled | bool:
        """Handle a key: a label picks at once, arrows and Tab step through the candidates."""
        if key in (*ONWARD, *BACKWARD) and self._candidates:
            self._at, self._typed, self._error = cycle_index(self._at, key, len(self._candidates)), "", ""
            self._has_stepped = True
            return True
        if key == "backspace" and self._typed:
            self._typed, self._error = self._typed[:-1], ""
            return True
        if key == NOBODY_KEY and self.optional:
            return Filled(None)
        if key == PERSON and self._differs():
            self._is_by_players, self._typed, self._error = not self._is_by_players, "", ""
            return True
        if key == "enter":
            return self._enter()
        # A click in the call bar sends a whole label.
        if len(key) > 1 and key in self._labels():
            return self.pick(self._labels()[key])
        # A dead key before the letter, such as the `'` that begins this, accents it.
        letter = letter_under_marks(key) or key
        return self._label(self._typed + letter.upper()) if is_letter(letter) else False

    def _enter(self) -> Filled | bool:
        if self.chosen or self.optional:
            return Filled(self.chosen or None)
        return self.complain("no suggestion: type a label" if self._candidates else "there is no combatant to choose")

    def _differs(self) -> bool:
        return any(players_name(self.state, combatant) for combatant in self.state.combatants.values())

    def _labels(self) -> Mapping[str, str]:
        people = self.state.combatants.values()
        if self._is_by_players:
            seen = self.state.sight.names
            return {seen[combatant.id].label: combatant.id for combatant in people if combatant.id in seen}
        return {combatant.label: combatant.id for combatant in people}

    def _label(self, text: str) -> Filled | bool:
        labels = self._labels()
        if text in labels:
            self._typed = ""
            return self.pick(labels[text])
        if any(label.startswith(text) for label in labels):
            self._typed, self._error = text, ""
            return True
        self._typed, accepts = "", " ".join(self.state.combatants[each].label for each in self._candidates if each)
        return self.complain(f"no combatant has the label {text}; here: {accepts}")

    def pick(self, combatant_id: str) -> Filled | bool:
        """Pick a combatant; anybody who is not a candidate must be clicked twice."""
        if combatant_id not in self.state.combatants:
            return False
        if self.takes_anybody or combatant_id in self._candidates or combatant_id == self._insisted:
            self._at = self._candidates.index(combatant_id) if combatant_id in self._candidates else self._at
            return Filled(combatant_id)
        self._insisted = combatant_id
        name = self.state.combatants[combatant_id].name
        return self.complain(f"{name} is not a legal target; press again to choose {name} by ruling")


@dataclass(eq=False)
class PeopleField(TargetField):
    """Several combatants. A label or a click removes one of them, or adds another."""

    accepts = "labels or clicks to add or remove combatants, then Enter"

    _: KW_ONLY
    proposed: Sequence[str] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self._people = frozenset(self.proposed)

    def _ids(self) -> tuple[str, ...]:
        return tuple(combatant_id for combatant_id in self.choices if combatant_id in self._people)

    def view(self) -> PromptView:
        people_by_id = {combatant_id: self.state.combatants[combatant_id] for combatant_id in self.choices}
        pairs = [
            (combatant.label, f"without {combatant.name}" if combatant_id in self._people else combatant.name)
            for combatant_id, combatant in people_by_id.items()
        ]
        pairs += [(NOBODY_KEY, "nobody")] if self.optional else []
        people = ", ".join(people_by_id[combatant_id].name for combatant_id in self._ids())
        return PromptView(
            question=self.question,
            choices=tuple(pairs),
            typed=self._typed,
            error=self._error,
            default=people or ("nobody" if self.optional else ""),
        )

    def overlay(self) -> Overlay:
        return Overlay(targets=self._ids())

    def press(self, key: str) -> Filled | bool:
        self._error = ""
        return False if key in (*ONWARD, *BACKWARD) else super().press(key)

    def _enter(self) -> Filled | bool:
        if self._people or self.optional:
            return Filled(" ".join(self._ids()) or None)
        labels = " ".join(self.state.combatants[combatant_id].label for combatant_id in self.choices)
        return self.complain(f"choose someone; here: {labels}")

    def pick(self, combatant_id: str) -> Filled | bool:
        if combatant_id not in self.choices:
            return self.complain(f"{self.state.combatants[combatant_id].name} can't be chosen here")
        self._people ^= {combatant_id}
        return True


# Damage with who caused it


@dataclass(eq=False)
class ReadField(TextField):
    """A text that has to be understood before the flow goes on. `read` raises ValueError for one that isn't."""

    read: Callable[[str], Json]

    def press(self, key: str) -> Filled | bool:
        """Handle a key as text; Enter ends if the text is understood."""
        filled = super().press(key)
        if not isinstance(filled, Filled) or filled.value is None:
            return filled
        try:
            return Filled(self.read(str(filled.value)))
        except ValueError as error:
            return self.complain(str(error))


class HarmField(AmountField):
    """A number or dice, and after a space the label of whoever caused it: ``7 by O``."""

    def __init__(self, state: FightState, question: str) -> None:
        super().__init__(question)
        self._state = state
        self._by: str | None = None

    @property
    def accepts(self) -> str:
        label = self._state.roster[0].label if self._state.roster else "O"
        return f"{super().accepts}; then by {label} for who caused it"

    def view(self) -> PromptView:
        view = super().view()
        return view if self._by is None else replace(view, typed=f"{self._typed} by {self._by}")

    def press(self, key: str) -> Filled | bool:
        """Handle a key: the amount, then a space (and ``by``, if you like) and a label or a name, then Enter."""
        if key == "enter" or (self._by is None and key != "space"):
            filled = super().press(key)
            # Only after an amount does a space begin a name; before it, a space is Enter.
            self.types_spaces = bool(self._typed)
            return filled
        self._error = ""
        if key == "space":
            self._by = "" if self._by is None or self._by.strip() in ("", "b", "by") else f"{self._by} "
        elif key == "backspace":
            self._by = (self._by or "")[:-1] if self._by else None
        elif len(key) == 1 and key.isprintable():
            self._by = f"{self._by}{key}"
        else:
            return False
        return True

    def _read(self) -> Filled:
        amount, name = super()._read().value, (self._by or "").strip()
        if not name:
            return Filled({"amount": amount})
        people = ids_called(self._state, name)
        if len(people) != 1:
            labels = ", ".join(each.label for each in self._state.roster)
            raise ValueError(f"no one is named {name!r}; accepted: {labels}")
        return Filled({"amount": amount, "by": people[0]})


MARKS = (".", ",")
"""The keys that mark the place of the cursor, or unmark it."""


def first_place(board: AnyBoard) -> Location:
    """The first place of a cursor: the middle of a grid, or the first zone."""
    grid = grid_board(board)
    return grid.at(grid.cols // 2, grid.rows // 2) if grid is not None else next(iter(board.places()))


def start_of(state: FightState, combatant: Combatant | None) -> Location:
    """The first place of a cursor about a combatant: where they stand, else the middle of the board."""
    if combatant is not None and combatant.at is not None:
        return combatant.at
    return first_place(state.board) if state.board is not None else Hex(0, 0)


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
    """The field for a place on any kind of board; the arguments are those of `CursorField`."""
    if isinstance(start, str):
        return ZoneField(state, start, question, near=near, optional=optional, off_key=off_key, likely=likely)
    return PlaceField(state, start, question, near=near, optional=optional, judge=judge, off_key=off_key, likely=likely)


@dataclass(eq=False)
class PlaceField(CursorField):
    """A place of a grid: direction keys move the cursor, Enter ends. If it must be near, a direction key chooses it."""

    accepts = "a place, by name (H7), click, arrows or h j k l, y u b n; then Enter"

    def __post_init__(self) -> None:
        self._at = self.likely[0] if self.likely else self.start
        self._name = PlaceName(self.state.board)

    def view(self) -> PromptView:
        board = self.state.board
        has_moved = self._at != self.start
        where = board.name_of(self._at) if board is not None else ""
        default = "" if self.near and not has_moved else where
        if self.optional and not has_moved:
            default = "no place yet"
        off = f"; {self.off_key} is off the board" if self.off_key else ""
        tab = "tab next target, " if len(self.likely) > 1 else ""
        hint = f"{where}  {tab}arrows or h j k l, y u b n, or a name such as {where}{off}"
        if has_moved and self.judge is not None and board is not None:
            words = (where, board.apart(self.start, self._at), self.judge(self._at))
            hint = "  ".join(filter(None, (*words, tab.rstrip(", "))))
        return PromptView(question=self.question, hint=hint, error=self._error, default=default)

    def overlay(self) -> Overlay:
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Filled | bool:
        here = self.start if self.near else self._at
        named = self._name.press(key)
        if named is not None:
            return self._go(named)
        there = towards(self.state.board, here, key)
        if there is not None:
            return self._go(there)
        if len(key) == 1 and key.isascii() and key.isalpha():
            return True
        if self.off_key and key == self.off_key:
            return Filled(None)
        if key in ("tab", "shift+tab") and self.likely:
            step = 1 if key == "tab" else -1
            at = self.likely.index(self._at) + step if self._at in self.likely else 0
            return self._go(self.likely[at % len(self.likely)])
        if key == "backspace" and self._at != self.start:
            self._at, self._error = self.start, ""
            return True
        if key != "enter":
            return False
        if self._at == self.start and self.optional:
            return Filled(None)
        if self._at == self.start and self.near:
            return self.complain("which way? Arrows or h j k l, y u b n")
        return Filled(as_data(self._at))

    def _go(self, there: Location) -> bool:
        board = self.state.board
        self._error = ""
        if board is None or not board.contains(there):
            return self.complain("the board ends here")
        if self.near and there != self.start and there not in board.neighbours(self.start):
            return self.complain(f"{board.name_of(there)} is not next to {board.name_of(self.start)}")
        self._at = there
        return True

    def point(self, place: Location) -> Filled | bool:
        """Move the cursor to a place; a click on the cursor is Enter."""
        if place == self._at and place != self.start:
            return self.press("enter")
        return self._go(place)


# Several places


class BrushField(AtPlace):
    """Several places: a key or a click marks each of them. Enter ends; if none is marked, it takes the cursor's."""

    accepts = "places, by name, arrows or click; a period marks one; then Enter"
    is_typing = True

    def __init__(self, state: FightState, start: Location, question: str) -> None:
        super().__init__(state)
        self._cursor = place_field(state, start, question)
        self._places: dict[Location, None] = {}

    def view(self) -> PromptView:
        view, board = self._cursor.view(), self.state.board
        if not self._places or board is None:
            return view
        return replace(view, default=", ".join(board.name_of(place) for place in self._places))

    def overlay(self) -> Overlay:
        return replace(self._cursor.overlay(), line=tuple(self._places))

    def press(self, key: str) -> Filled | bool:
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
        here = self._cursor.overlay().cursor
        if here in self._places:
            del self._places[here]
        elif here is not None:
            self._places[here] = None

    def point(self, place: Location) -> Filled | bool:
        self._cursor.point(place)
        self._toggle()
        return True


# Facing


class FacingField(AtPlace):
    """A direction of the board by its number. Direction keys are lower case; labels are digits or capital letters."""

    accepts = "arrows or h j k l, y u b n; the label of someone to face; a click"

    def __init__(self, state: FightState, combatant_id: str) -> None:
        combatant = state.combatants[combatant_id]
        if combatant.at is None or not state.board or not state.board.directions:
            raise ValueError(f"{combatant.name} is not on a board of hexes or squares, so there are no directions")
        super().__init__(state)
        self._board, self._at, self._name = state.board, combatant.at, combatant.name

    def view(self) -> PromptView:
        return PromptView(question=f"{self._name} turns to face", hint=self.accepts, error=self._error)

    def overlay(self) -> Overlay:
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Filled | bool:
        """Handle a key: a direction or a label answers at once."""
        self._error = ""
        there = towards(self._board, self._at, key)
        if there is not None:
            return self.point(there)
        if not is_letter(key) or key.islower():
            return False
        ids = [each.id for each in self.state.combatants.values() if each.label == key]
        if ids:
            return self.pick(ids[0])
        labels = " ".join(each.label for each in self.state.combatants.values())
        return self.complain(f"no combatant has the label {key}; here: {labels}")

    def point(self, place: Location) -> Filled | bool:
        facing = self._board.bearing(self._at, place)
        if facing is None:
            return self.complain("not a direction; use the arrows, or the label of someone to face")
        return Filled(facing)
