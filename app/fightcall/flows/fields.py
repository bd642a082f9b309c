"""The fields that flows are made of: each reads one value, key by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fightcall_engine.board.hexes import Hex
from fightcall_engine.dice import parse
from fightcall_engine.state import FightState, Json

from fightcall.flows.base import Overlay
from fightcall.paint.promptbar import PromptView


@dataclass(frozen=True, slots=True)
class Filled:
    """A field is done. `rolls` are faces typed for it; no value leaves the command's field out."""

    value: Json = None
    rolls: dict[str, list[int]] = field(default_factory=dict)
    skip_rest: bool = False


class Field(Protocol):
    """Reads one value. `press` answers Filled when done, True when the key was used, False when it was not."""

    def view(self) -> PromptView:
        """What the prompt bar shows."""

    def overlay(self) -> Overlay:
        """What the board shows."""

    def press(self, key: str) -> Filled | bool:
        """Take one key."""

    def point(self, place: Hex) -> Filled | bool:
        """Take a click on the board."""

    def pick(self, who: str) -> Filled | bool:
        """Take a click on a combatant."""


class Plain:
    """A field that only keys fill."""

    def overlay(self) -> Overlay:
        """Nothing to show on the board."""
        return Overlay()

    def point(self, place: Hex) -> Filled | bool:
        """A click means nothing here."""
        return False

    def pick(self, who: str) -> Filled | bool:
        """A click means nothing here."""
        return False


class TargetField(Plain):
    """Pick a combatant by label, with tab or the arrows, or by Enter where one is highlighted."""

    def __init__(
        self, state: FightState, question: str, choices: Sequence[str], *, start: str = "", optional: bool = False
    ) -> None:
        self._state = state
        self._question = question
        self._choices = tuple(choices)
        self._typed = ""
        self._error = ""
        self._optional = optional
        self._at = self._choices.index(start) if start in self._choices else (-1 if optional else 0)

    def view(self) -> PromptView:
        """The question, with the labels that would answer it."""
        pairs = tuple((self._state.combatants[who].label, self._state.combatants[who].name) for who in self._choices)
        chosen = self._current()
        default = self._state.combatants[chosen].name if chosen else ("nobody" if self._optional else "")
        return PromptView(
            question=self._question, choices=pairs, typed=self._typed, error=self._error, default=default
        )

    def overlay(self) -> Overlay:
        """The candidates, and the one that Enter takes."""
        chosen = self._current()
        cursor = self._state.combatants[chosen].at if chosen else None
        return Overlay(targets=self._choices, cursor=cursor)

    def _current(self) -> str:
        return self._choices[self._at] if 0 <= self._at < len(self._choices) else ""

    def press(self, key: str) -> Filled | bool:
        """A label picks at once; arrows and tab step through the candidates."""
        if key in ("tab", "right", "down", "shift+tab", "left", "up") and self._choices:
            step = 1 if key in ("tab", "right", "down") else -1
            self._at = (self._at + step) % len(self._choices)
            return True
        if key == "enter":
            chosen = self._current()
            if chosen or self._optional:
                return Filled(chosen or None)
            self._error = "nobody can be picked"
            return True
        if key == "backspace":
            self._typed = self._typed[:-1]
            return True
        if len(key) != 1 or not key.isalnum():
            return False
        return self._label(self._typed + key.upper())

    def _label(self, typed: str) -> Filled | bool:
        labels = {self._state.combatants[who].label: who for who in self._choices}
        if typed in labels:
            return Filled(labels[typed])
        if any(label.startswith(typed) for label in labels):
            self._typed, self._error = typed, ""
            return True
        self._typed = ""
        everybody = {one.label: one.name for one in self._state.combatants.values()}
        self._error = f"{everybody.get(typed, typed)} cannot be picked" if typed in everybody else f"no label {typed}"
        return True

    def pick(self, who: str) -> Filled | bool:
        """A click on a candidate picks it."""
        return Filled(who) if who in self._choices else False


class TextField(Plain):
    """A line of text. `known` completes a beginning with tab, and with Enter where it is the only one."""

    def __init__(self, question: str, *, default: str = "", optional: bool = False, known: Sequence[str] = ()) -> None:
        self._question = question
        self._default = default
        self._optional = optional
        self._known = tuple(known)
        self.typed = ""
        self._error = ""

    def view(self) -> PromptView:
        """The question, what is typed, and what would complete it."""
        hint = ", ".join(self._matches()[:6]) if self.typed or not self._default else ""
        return PromptView(
            question=self._question, typed=self.typed, hint=hint, error=self._error, default=self._default
        )

    def _matches(self) -> list[str]:
        start = self.typed.lower()
        return [one for one in self._known if one.lower().startswith(start)]

    def press(self, key: str) -> Filled | bool:
        """Printable keys are typed; tab completes; Enter is done."""
        self._error = ""
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "space":
            self.typed += " "
        elif key == "tab":
            matches = self._matches()
            self.typed = matches[0] if matches else self.typed
        elif key == "enter":
            return self._enter()
        elif len(key) == 1 and key.isprintable():
            self.typed += key
        else:
            return False
        return True

    def _enter(self) -> Filled | bool:
        text = self.typed.strip() or self._default
        if text or self._optional:
            return Filled(text or None)
        self._error = "something must be written"
        return True


class NumberField(Plain):
    """A whole number, or one with decimals."""

    def __init__(self, question: str, *, default: str = "", optional: bool = False, decimals: bool = False) -> None:
        self._question = question
        self._default = default
        self._optional = optional
        self._decimals = decimals
        self._typed = ""
        self._error = ""

    def view(self) -> PromptView:
        """The question and what is typed."""
        return PromptView(
            question=self._question, typed=self._typed, error=self._error, default=self._default, hint="a number"
        )

    def press(self, key: str) -> Filled | bool:
        """Digits are typed; Enter is done."""
        self._error = ""
        if key.isdigit() or (key in "-." and len(key) == 1):
            self._typed += key
            return True
        if key == "backspace":
            self._typed = self._typed[:-1]
            return True
        if key != "enter":
            return False
        text = self._typed or self._default
        if not text and self._optional:
            return Filled(None)
        try:
            return Filled(float(text) if "." in text and self._decimals else int(text))
        except ValueError:
            self._error = f"{text or 'nothing'} is not a number"
            return True


class ChoiceField(Plain):
    """One of a few words, each by its letter, or with the arrows and Enter."""

    def __init__(self, question: str, choices: Sequence[str], *, default: str = "") -> None:
        self._question = question
        self._choices = tuple(choices)
        self._at = self._choices.index(default) if default in self._choices else 0
        self._keys = _letters(self._choices)

    def view(self) -> PromptView:
        """The question with a letter for each answer."""
        pairs = tuple((letter, choice) for letter, choice in zip(self._keys, self._choices, strict=True))
        return PromptView(question=self._question, choices=pairs, default=self._choices[self._at])

    def press(self, key: str) -> Filled | bool:
        """A letter answers at once."""
        if key in self._keys:
            return Filled(_plain(self._choices[self._keys.index(key)]))
        if key in ("tab", "right", "down", "shift+tab", "left", "up"):
            step = 1 if key in ("tab", "right", "down") else -1
            self._at = (self._at + step) % len(self._choices)
            return True
        return Filled(_plain(self._choices[self._at])) if key == "enter" else False


def _plain(text: str) -> Json:
    """Words that stand for truth values become them."""
    return {"true": True, "false": False}.get(text, text)


def _letters(choices: Sequence[str]) -> tuple[str, ...]:
    taken: list[str] = []
    for number, choice in enumerate(choices, 1):
        letter = next((one for one in choice.lower() if one.isalpha() and one not in taken), str(number))
        taken.append(letter)
    return tuple(taken)


class AmountField(Plain):
    """A number, or dice; Enter takes the default dice."""

    def __init__(self, question: str, *, default: str = "", optional: bool = False) -> None:
        self._question = question
        self._default = default
        self._optional = optional
        self._typed = ""
        self._error = ""

    def view(self) -> PromptView:
        """The question and what is typed."""
        hint = f"a number, or dice such as {self._default or '2d6+1'}"
        return PromptView(
            question=self._question, typed=self._typed, hint=hint, error=self._error, default=self._default
        )

    def press(self, key: str) -> Filled | bool:
        """Digits, d, k, h, l, + and - are typed; Enter is done."""
        self._error = ""
        if key == "backspace":
            self._typed = self._typed[:-1]
            return True
        if len(key) == 1 and (key.isdigit() or (key in "dkhl+-" and (self._typed or key == "d"))):
            self._typed += key
            return True
        return self._enter() if key == "enter" else False

    def _enter(self) -> Filled | bool:
        text = self._typed or self._default
        if not text and self._optional:
            return Filled(None)
        if text.isdigit():
            return Filled(int(text))
        try:
            parse(text)
        except ValueError as error:
            self._error = str(error)
            return True
        return Filled(text)


class OutcomeField(Plain):
    """Hit, miss, a die typed from the table, or Enter to have it thrown."""

    def __init__(self, question: str, *, dice: str, purpose: str) -> None:
        self._question = question
        self._dice = dice
        self._purpose = purpose
        self._typed = ""
        self._error = ""
        terms = parse(dice) if dice else ()
        # Only one die has a face that is its total, so only one die can be typed as a number.
        self._typeable = sum(term.count for term in terms if term.faces) == 1

    def view(self) -> PromptView:
        """The question with what may be typed."""
        pairs = (("h", "hit"), ("m", "miss"))
        hint = f"or the {self._dice} as thrown" if self._typeable else ""
        return PromptView(
            question=self._question,
            choices=pairs,
            typed=self._typed,
            hint=hint,
            error=self._error,
            default=f"roll {self._dice}" if self._dice else "",
        )

    def press(self, key: str) -> Filled | bool:
        """h and m decide; digits are the die."""
        self._error = ""
        if key in ("h", "m"):
            return Filled(key == "h", skip_rest=key == "m")
        if key == "backspace":
            self._typed = self._typed[:-1]
            return True
        if key.isdigit() and self._typeable:
            self._typed += key
            return True
        if key != "enter":
            return False
        if self._typed:
            return self._thrown(int(self._typed))
        if self._dice:
            return Filled(None, skip_rest=True)
        self._error = "h for a hit, m for a miss"
        return True

    def _thrown(self, face: int) -> Filled | bool:
        faces = next(term.faces for term in parse(self._dice) if term.faces)
        if not 1 <= face <= faces:
            self._error, self._typed = f"a d{faces} cannot show {face}", ""
            return True
        return Filled(None, {self._purpose: [face]}, skip_rest=True)


class FacesField(Plain):
    """The faces of dice thrown at the table, in the order of the expression, with blanks between them."""

    def __init__(self, purpose: str, dice: str) -> None:
        self._purpose = purpose
        self._dice = dice
        self._wanted = [term.faces for term in parse(dice) if term.faces for _ in range(term.count)]
        self._typed = ""
        self._error = ""

    def view(self) -> PromptView:
        """Which dice are owed."""
        hint = "the face" if len(self._wanted) == 1 else f"{len(self._wanted)} faces with blanks between"
        return PromptView(question=f"{self._purpose}: {self._dice}", typed=self._typed, hint=hint, error=self._error)

    def press(self, key: str) -> Filled | bool:
        """Digits and blanks are typed; Enter is done."""
        self._error = ""
        if key.isdigit() or key == "space":
            self._typed += " " if key == "space" else key
            return True
        if key == "backspace":
            self._typed = self._typed[:-1]
            return True
        if key != "enter":
            return False
        faces = [int(word) for word in self._typed.split()]
        fits = len(faces) == len(self._wanted) and all(
            1 <= face <= most for face, most in zip(faces, self._wanted, strict=True)
        )
        if fits:
            return Filled(faces)
        self._error, self._typed = f"{self._dice} shows {' '.join(f'1-{most}' for most in self._wanted)}", ""
        return True
