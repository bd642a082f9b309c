"""Asking for the rolls that the table types for a command, in the panel of the act if there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall.flows.answer_flow import AnswerFlow
from fightcall.flows.ask_flow import Answers, AskFlow
from fightcall.flows.base import CANCELLED, Become, Flow, Overlay, Reply
from fightcall.flows.dice_fields import FacesField
from fightcall.flows.exchange_flow import ExchangeFlow
from fightcall.flows.option_inputs import dice_panel
from fightcall.paint.exchange import PanelView
from fightcall.table import Give
from fightcall_engine.kit.preview import Row
from fightcall_engine.model.dice import subject_of

if TYPE_CHECKING:
    from fightcall.table import Outcome, Table
    from fightcall_engine.model.errors import RollNeeded
    from fightcall_engine.model.state import Json


class ThrowFlow(AskFlow):
    """Asks for faces, then gives the command again with them. Escape returns to the flow that gave it.

    Args:
        table: the fight.
        request: the command that needs the rolls.
        owed_rolls: the missing rolls.
        panel: the panel of the act; None to ask in the call bar.
        origin: the flow that gave the command; None for none.
    """

    def __init__(
        self,
        table: Table,
        request: Give,
        owed_rolls: Sequence[RollNeeded],
        panel: PanelView | None = None,
        origin: Flow | None = None,
    ) -> None:
        self._owed, self._panel, self._origin = tuple(owed_rolls), panel, origin
        self._throwers = [_thrower_id(table, request, roll) for roll in self._owed]
        names = [_throw_words(table, request, roll) for roll in self._owed]
        named_rolls = list(zip(names, self._owed, strict=True))
        self._rows = tuple(
            Row(subject_of(roll.purpose), "" if panel is not None else name, dice=roll.dice)
            for name, roll in named_rolls
        )
        fields = [FacesField(roll.purpose, roll.dice, f"{name}: your {roll.dice}") for name, roll in named_rolls]
        super().__init__(fields, lambda answers: _with_rolls(request, self._owed, answers))

    @property
    def has_panel(self) -> bool:
        """Whether the rolls are asked for in a panel."""
        return self._panel is not None

    @property
    def thrower_id(self) -> str:
        """Whose roll is asked for; empty for nobody's."""
        return self._throwers[len(self._answers)]

    @property
    def waits_for_die(self) -> bool:
        """True while nothing is typed, so that no key can do it yet."""
        return not self._field.view().typed

    @property
    def call_words(self) -> str:
        """What the space bar does."""
        dice = self._owed[len(self._answers)].dice
        return f"nothing: type the {dice}" if self.waits_for_die else super().call_words

    def panel(self) -> PanelView | None:
        """The panel of the act, with a row for each roll."""
        if self._panel is None:
            return None
        (rows, places), view = _place_dice(self._panel, self._rows), self._field.view()
        texts = {places[at]: " ".join(map(str, _as_list(faces))) for at, faces in enumerate(self._answers)}
        marked_row = places[len(self._answers)]
        keys = () if self.waits_for_die else (("enter", "accept"),)
        return replace(
            self._panel,
            rows=rows,
            marked=marked_row,
            typed={**self._panel.typed, **texts, marked_row: view.typed or ""},
            hints={},
            keys=(*keys, ("digits", "the die"), ("esc", "back")),
            complaint=view.error,
            reason=super().view().reason,
        )

    def overlay(self) -> Overlay:
        """The overlay of the act."""
        return self._origin.overlay() if self._origin is not None else super().overlay()

    def press(self, key: str) -> Reply:
        """Handle a key as `AskFlow`, except that Escape returns to the origin."""
        reply = super().press(key)
        return Become(self._origin) if reply is CANCELLED and self._origin is not None else reply


def ask_for_throws(
    table: Table, outcome: Outcome, panel: PanelView | None = None, origin: Flow | None = None
) -> ThrowFlow | ExchangeFlow | None:
    """The flow that asks for the rolls a command needs; None if it needs none."""
    request = table.refused
    if request is None or not outcome.owed:
        return None
    if not isinstance(origin, ExchangeFlow) and "rolls" not in request.data:
        preview = table.preview(request)
        if preview.target_id:
            return dice_panel(table, request, preview)
    if panel is not None:
        rows = (_settle(row, at, panel, request, origin) for at, row in enumerate(panel.rows))
        panel = replace(panel, rows=tuple(rows))
    return ThrowFlow(table, request, outcome.owed, panel, None if request.alike else origin)


def _place_dice(panel: PanelView, die_rows: Sequence[Row]) -> tuple[tuple[Row, ...], list[int]]:
    """The panel's rows with each roll in its place: in the row for its purpose, else at the end."""
    rows, places = list(panel.rows), list[int]()
    for die_row in die_rows:
        at = next((at for at, row in enumerate(rows) if row.field == die_row.name and not row.dice), len(rows))
        rows[at : at + 1] = [replace(rows[at], dice=die_row.dice) if at < len(rows) else die_row]
        places.append(at)
    return tuple(rows), places


def _settle(row: Row, at: int, panel: PanelView, request: Give, origin: Flow | None) -> Row:
    """A row that has been settled: it shows the typed roll, or that it is rolled."""
    if isinstance(origin, AnswerFlow) and row.prompt == origin.prompt.id:
        choice_id = request.data.get("choice", origin.prompt.default)
        text = next((choice.label for choice in origin.prompt.choices if choice.id == choice_id), row.text)
        return replace(row, text=text, detail="", dice="", number="")
    return row if panel.typed.get(at) else replace(row, dice="", number="")


def _with_rolls(request: Give, owed_rolls: Sequence[RollNeeded], answers: Answers) -> Give:
    """The command with these rolls added."""
    before = request.data.get("rolls")
    rolls: dict[str, Json] = dict(before) if isinstance(before, Mapping) else {}
    for roll, faces in zip(owed_rolls, answers, strict=True):
        # Several rolls for one purpose follow one another.
        rolls[roll.purpose] = [*_as_list(rolls.get(roll.purpose, [])), *_as_list(faces)]
    return Give(request.command, {**request.data, "rolls": rolls})


def _thrower_id(table: Table, request: Give, roll: RollNeeded) -> str:
    """Whose roll it is: as the roll says, else whose command or question it is for; empty for nobody's."""
    prompt = table.state.prompt(str(request.data.get("prompt", "")))
    known_ids = (roll.who, request.data.get("who"), prompt.who if prompt is not None else "")
    return next((str(each) for each in known_ids if each in table.state.combatants), "")


def _throw_words(table: Table, request: Give, roll: RollNeeded) -> str:
    """Whose roll it is, and what for."""
    thrower_id = _thrower_id(table, request, roll)
    is_theirs = roll.purpose == f"{subject_of(roll.purpose)}.{thrower_id}"
    words = subject_of(roll.purpose) if is_theirs else roll.purpose.replace("_", " ").replace(".", " ")
    return f"{table.state.combatants[thrower_id].name}, {words}" if thrower_id else words


def _as_list(faces: Json) -> list[Json]:
    return list(faces) if isinstance(faces, list | tuple) else [faces]
