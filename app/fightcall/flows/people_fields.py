"""Fields for one or several combatants, and for damage with who caused it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fightcall.flows.base import (
    BACKWARD,
    ONWARD,
    PERSON,
    Filled,
    Overlay,
    Plain,
    cycle_index,
    is_letter,
    letter_under_marks,
)
from fightcall.flows.text_fields import AmountField, TextField, read_amount
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.kit.combatants import ids_called
from fightcall_engine.model.sight import players_name
from fightcall_engine.model.state import FightState, Json

NOBODY_KEY = "-"

_BY = re.compile(r"(?P<amount>\S+)(?:\s+by\s+(?P<by>.+))?", re.DOTALL | re.IGNORECASE)


class TargetField(Plain):
    """A combatant, picked by label, with Tab or the arrows, by a click, or by Enter.

    A combatant who is not among the candidates can be picked by choosing them twice. The engine then names the rule
    against it, and the GM may overrule it.

    Args:
        start: who is highlighted at first.
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
        """The question, with the labels of the candidates."""
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
        """The candidates, the highlighted one, the line to it, the distance, and what blocks the line."""
        people = self._state.combatants
        at = people[self.chosen].at if self.chosen else None
        origin = people[self._shooter].at if self._shooter in people and self._shooter != self.chosen else None
        board = self._state.board
        targets = tuple(combatant_id for combatant_id in self._candidates if combatant_id)
        # If anybody is possible, marking everybody would mean nothing.
        targets = () if len(targets) == len(people) else targets
        if board is None or origin is None or at is None:
            return Overlay(targets=targets, chosen=self.chosen, cursor=at, is_followed=self._has_stepped)
        shut = board.sight(origin, at).blocked_by
        note = board.apart(origin, at) + (f", sight blocked at {board.name_of(shut)}" if shut is not None else "")
        line = board.line(origin, at) if origin != at else ()
        return Overlay(
            targets=targets, chosen=self.chosen, cursor=at, is_followed=self._has_stepped, line=line, note=note
        )

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
        """Whether players call anybody by another name or label."""
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
        choices: the ids of the candidates.
        proposed: the ids chosen at first.
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
        """The question, the chosen combatants, and the labels that change them."""
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
        """The chosen combatants."""
        return Overlay(targets=self._ids())

    def press(self, key: str) -> Filled | bool:
        """Handle a key: a label adds or removes a combatant, Enter ends."""
        self._error = ""
        return False if key in (*ONWARD, *BACKWARD) else super().press(key)

    def _enter(self) -> Filled | bool:
        if self._people or self._optional:
            return Filled(" ".join(self._ids()) or None)
        labels = " ".join(self._state.combatants[combatant_id].label for combatant_id in self._choices)
        self._error = f"choose someone; here: {labels}"
        return True

    def pick(self, combatant_id: str) -> Filled | bool:
        """Add or remove a combatant."""
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
        """A number or dice, and who caused it."""
        return f"{super().accepts}; then by O for who caused it"

    def view(self) -> PromptView:
        """The question and what is typed."""
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

    def _enter(self) -> Filled | bool:
        filled = super()._enter()
        if not isinstance(filled, Filled):
            return filled
        by = f" by {self._by}" if self._by else ""
        try:
            return Filled(read_harm(self._state, f"{self._typed}{by}"))
        except ValueError as error:
            self._error = str(error)
            return True
