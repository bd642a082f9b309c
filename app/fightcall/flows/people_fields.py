"""Fields for combatants, for damage with who caused it, and for places and facing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from fightcall.flows.base import (
    BACKWARD,
    LONGEST_NUMBER,
    ONWARD,
    OVERRULE,
    PERSON,
    AtPlace,
    Field,
    Filled,
    Overlay,
    Plain,
    cycle_index,
    is_digit,
    is_letter,
    letter_under_marks,
)
from fightcall.flows.command_line import as_data
from fightcall.flows.path_fields import PlaceName, ZoneField, towards
from fightcall.flows.text_fields import AmountField, TextField, read_amount
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.records import ids_called
from fightcall_engine.kit.system import FAR, BaseSystem
from fightcall_engine.model.fold import players_name
from fightcall_engine.model.state import FightState, Json

NOBODY_KEY = "-"

_BY = re.compile(r"(?P<amount>\S+)(?:\s+by\s+(?P<by>.+))?", re.DOTALL | re.IGNORECASE)


class TargetField(Plain):
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

    def __init__(
        self,
        state: FightState,
        question: str,
        choices: Sequence[str],
        *,
        start: str = "",
        optional: bool = False,
        shooter: str = "",
        takes_anybody: bool = False,
        may_be_open: bool = False,
    ) -> None:
        self._state = state
        self._question = question
        self._takes_anybody = takes_anybody
        candidates = tuple(choices) or tuple(
            combatant_id for combatant_id in state.combatants if combatant_id != shooter
        )
        self._candidates = (*(("",) if optional else ()), *candidates)
        self._typed = ""
        self._error = ""
        self._insisted = ""
        self._optional = optional
        self._shooter = shooter
        is_open = (takes_anybody or may_be_open) and not optional
        self._at = self._candidates.index(start) if start in self._candidates else -1 if is_open else 0
        self._has_stepped = False
        self._is_by_players = False

    @property
    def chosen(self) -> str:
        """The highlighted combatant; empty for nobody."""
        return self._candidates[self._at] if self._candidates and self._at >= 0 else ""

    def view(self) -> PromptView:
        people = self._state.combatants
        labels = {combatant_id: label for label, combatant_id in self._labels().items()}
        pairs = [(labels.get(each, ""), people[each].name) for each in self._candidates if each]
        if self._optional:
            pairs.append((NOBODY_KEY, "nobody"))
        default_name = people[self.chosen].name if self.chosen else ("nobody" if self._optional else "")
        others = "your own" if self._is_by_players else "the players'"
        hint = f"{PERSON} takes {others} labels" if self._differs() else ""
        return PromptView(
            question=f"{self._question} (players' labels)" if self._is_by_players else self._question,
            choices=tuple(pairs),
            typed=self._typed,
            hint=hint,
            error=self._error,
            default=default_name,
            remarks=tuple(self._remark(combatant_id) for combatant_id in self._candidates if combatant_id),
        )

    def _remark(self, combatant_id: str) -> str:
        """What players call a candidate, if it is something else, and the distance."""
        alias = players_name(self._state, self._state.combatants[combatant_id])
        return ", ".join(filter(None, (f"players: {alias}" if alias else "", self._distance(combatant_id))))

    def _distance(self, combatant_id: str) -> str:
        people, board = self._state.combatants, self._state.board
        at = people[combatant_id].at
        origin = people[self._shooter].at if self._shooter in people else None
        if board is None or at is None or origin is None or combatant_id == self._shooter:
            return ""
        return board.apart(origin, at)

    def overlay(self) -> Overlay:
        people = self._state.combatants
        at = people[self.chosen].at if self.chosen else None
        origin = people[self._shooter].at if self._shooter in people and self._shooter != self.chosen else None
        board = self._state.board
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
        if key == NOBODY_KEY and self._optional:
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
        if self.chosen or self._optional:
            return Filled(self.chosen or None)
        self._error = "no suggestion: type a label" if self._candidates else "there is no combatant to choose"
        return True

    def _differs(self) -> bool:
        return any(players_name(self._state, combatant) for combatant in self._state.combatants.values())

    def _labels(self) -> Mapping[str, str]:
        people = self._state.combatants.values()
        if self._is_by_players:
            seen = self._state.sight.names
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
        accepts = " ".join(
            self._state.combatants[combatant_id].label for combatant_id in self._candidates if combatant_id
        )
        self._typed, self._error = "", f"no combatant has the label {text}; here: {accepts}"
        return True

    def pick(self, combatant_id: str) -> Filled | bool:
        """Pick a combatant; anybody who is not a candidate must be clicked twice."""
        if combatant_id not in self._state.combatants:
            return False
        if self._takes_anybody or combatant_id in self._candidates or combatant_id == self._insisted:
            self._at = self._candidates.index(combatant_id) if combatant_id in self._candidates else self._at
            return Filled(combatant_id)
        self._insisted = combatant_id
        name = self._state.combatants[combatant_id].name
        self._error = f"{name} is not a legal target; press again to choose {name} by ruling"
        return True


class PeopleField(TargetField):
    """Several combatants. A label or a click removes one of them, or adds another.

    Args:
        optional: nobody is an answer, too.
    """

    accepts = "labels or clicks to add or remove combatants, then Enter"

    def __init__(
        self,
        state: FightState,
        question: str,
        choices: Sequence[str],
        *,
        proposed: Sequence[str] = (),
        optional: bool = False,
    ) -> None:
        super().__init__(state, question, choices, optional=optional)
        self._choices, self._people = tuple(choices), frozenset(proposed)

    def _ids(self) -> tuple[str, ...]:
        return tuple(combatant_id for combatant_id in self._choices if combatant_id in self._people)

    def view(self) -> PromptView:
        people_by_id = {combatant_id: self._state.combatants[combatant_id] for combatant_id in self._choices}
        pairs = [
            (combatant.label, f"without {combatant.name}" if combatant_id in self._people else combatant.name)
            for combatant_id, combatant in people_by_id.items()
        ]
        if self._optional:
            pairs.append((NOBODY_KEY, "nobody"))
        people = ", ".join(people_by_id[combatant_id].name for combatant_id in self._ids())
        return PromptView(
            question=self._question,
            choices=tuple(pairs),
            typed=self._typed,
            error=self._error,
            default=people or ("nobody" if self._optional else ""),
        )

    def overlay(self) -> Overlay:
        return Overlay(targets=self._ids())

    def press(self, key: str) -> Filled | bool:
        self._error = ""
        return False if key in (*ONWARD, *BACKWARD) else super().press(key)

    def _enter(self) -> Filled | bool:
        if self._people or self._optional:
            return Filled(" ".join(self._ids()) or None)
        labels = " ".join(self._state.combatants[combatant_id].label for combatant_id in self._choices)
        self._error = f"choose someone; here: {labels}"
        return True

    def pick(self, combatant_id: str) -> Filled | bool:
        if combatant_id not in self._choices:
            self._error = f"{self._state.combatants[combatant_id].name} can't be chosen here"
            return True
        self._people ^= {combatant_id}
        return True


# Damage with who caused it


class ReadField(TextField):
    """A text that has to be understood before the flow goes on. `read` raises ValueError for one that isn't."""

    def __init__(
        self,
        question: str,
        read: Callable[[str], Json],
        *,
        default: str = "",
        suggestions: Sequence[str] = (),
        optional: bool = False,
        left_open: str = "leave it open",
    ) -> None:
        super().__init__(question, default=default, suggestions=suggestions, optional=optional, left_open=left_open)
        self._read = read

    def press(self, key: str) -> Filled | bool:
        """Handle a key as text; Enter ends if the text is understood."""
        filled = super().press(key)
        if not isinstance(filled, Filled) or filled.value is None:
            return filled
        try:
            return Filled(self._read(str(filled.value)))
        except ValueError as error:
            self._error = str(error)
            return True


def harm_field(state: FightState) -> ReadField:
    """The amount, and who caused it: ``2d6 by O``."""
    return ReadField("How much (2d6, or 2d6 by O for who caused it)", lambda text: read_harm(state, text))


def read_harm(state: FightState, text: str) -> Mapping[str, Json]:
    """Read ``7``, ``2d6`` or ``2d6 by O`` as fields of a command.

    Raises:
        ValueError: it isn't understood, or nobody has this label or name; says what is accepted.
    """
    match = _BY.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text!r} isn't understood; accepted: 7, 2d6, 2d6 by O")
    amount = read_amount(match["amount"])
    if match["by"] is None:
        return {"amount": amount}
    people = ids_called(state, match["by"].strip())
    if len(people) != 1:
        labels = ", ".join(each.label for each in state.roster)
        raise ValueError(f"no one is named {match['by'].strip()!r}; accepted: {labels}")
    return {"amount": amount, "by": people[0]}


class HarmField(AmountField):
    """A number or dice, and after a space the label of whoever caused it: ``7 by O``."""

    def __init__(self, state: FightState, question: str) -> None:
        super().__init__(question)
        self._state = state
        self._by: str | None = None

    @property
    def accepts(self) -> str:
        return f"{super().accepts}; then by O for who caused it"

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
        super()._read()
        by = f" by {self._by}" if self._by else ""
        return Filled(read_harm(self._state, f"{self._typed}{by}"))


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


class PlaceField(AtPlace):
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
        return Overlay(cursor=self._at)

    def press(self, key: str) -> Filled | bool:
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
        return Overlay(targets=self._foes(), chosen=self._met)

    def _foes(self) -> tuple[str, ...]:
        people = self._state.combatants.values()
        return tuple(
            combatant.id for combatant in people if combatant.able and self._state.are_foes(self._who, combatant.id)
        )

    def press(self, key: str) -> Filled | bool:
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
        self._error = ""
        if combatant_id in self._foes():
            self._met, self._label = combatant_id, self._state.combatants[combatant_id].label
        else:
            self._error = f"{self._state.combatants[combatant_id].name} is not an enemy who could stop the path"
        return True


# Several places


class BrushField(AtPlace):
    """Several places: a key or a click marks each of them. Enter ends; if none is marked, it takes the cursor's."""

    accepts = "places, by name, arrows or click; a period marks one; then Enter"
    is_typing = True

    def __init__(self, state: FightState, start: Location, question: str) -> None:
        self._state = state
        self._cursor: Field = place_field(state, start, question)
        self._places: dict[Location, None] = {}

    def view(self) -> PromptView:
        view, board = self._cursor.view(), self._state.board
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
        ids = [each.id for each in self._state.combatants.values() if each.label == key]
        if ids:
            return self.pick(ids[0])
        labels = " ".join(each.label for each in self._state.combatants.values())
        self._error = f"no combatant has the label {key}; here: {labels}"
        return True

    def point(self, place: Location) -> Filled | bool:
        facing = self._board.bearing(self._at, place)
        if facing is None:
            self._error = "not a direction; use the arrows, or the label of someone to face"
            return True
        return Filled(facing)
