"""A field for damage with who caused it, and for any other text that has to be understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall.flows.fields import Filled
from fightcall.flows.text_fields import AmountField, TextField, read_amount
from fightcall.paint.prompt_bar import PromptView
from fightcall_engine.kit.combatants import ids_called

if TYPE_CHECKING:
    from fightcall_engine.model.state import FightState, Json

_BY = re.compile(r"(?P<amount>\S+)(?:\s+by\s+(?P<by>.+))?", re.DOTALL | re.IGNORECASE)


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
