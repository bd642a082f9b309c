"""Editing the draft of a fight: its undo history, the cursor, and every change. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fightcall.flows import drafts
from fightcall.flows.drafts import Desk
from fightcall.flows.form import Form, error_places
from fightcall_engine.archive.encounter import Encounter, value_from
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.kit.cues import condition_words, outcome_words
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.records import first_line
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Setting
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.board.base import AnyBoard
    from fightcall_engine.model.commands import SetCue
    from fightcall_engine.model.state import FightState

Part = Literal["fight", "combatants", "cues", "settings"]
PARTS: tuple[Part, ...] = ("fight", "combatants", "cues", "settings")
LONGEST_NAME = 200
PARAGRAPH = " // "
"""The sign for a new paragraph in a single line."""


@frozen
class SetupLine:
    """A line of the list.

    Attributes:
        part: its section.
        key: a property of the fight, the index of a combatant or cue, or the key of a setting; ``add`` for the last
            line of combatants and cues.
    """

    part: Part
    key: str


def setup_lines(draft: Encounter, system: BaseSystem) -> tuple[SetupLine, ...]:
    """The lines of everything that can be changed."""
    board = ("board", "cells") if drafts.cells_text(draft.board) else ("board",)
    fight = tuple(SetupLine("fight", key) for key in ("encounter", "system", "name", "seed", *board, "story"))
    combatants = tuple(SetupLine("combatants", str(index)) for index in range(len(draft.joins)))
    settings = tuple(SetupLine("settings", setting.key) for setting in system.settings)
    cues = tuple(SetupLine("cues", str(index)) for index in range(len(draft.cues)))
    return (*fight, *combatants, SetupLine("combatants", "add"), *cues, SetupLine("cues", "add"), *settings)


def check_name(text: str) -> str:
    """Check a name, and return it stripped.

    Raises:
        BadInput: it is empty or too long.
    """
    if not 1 <= len(text.strip()) <= LONGEST_NAME:
        raise BadInput("name", (f"a name needs 1 to {LONGEST_NAME} letters",))
    return text.strip()


class SetupEditor:
    """Changes a draft, and takes changes back.

    Args:
        draft: the first draft.
        source: the name of the encounter it comes from; empty for none.
        is_saved: it is saved as it is, or contains nothing to save.

    Attributes:
        desk: the draft with its undo history.
        cursor: the index of the current line.
        source: the name of the encounter that the draft comes from.
    """

    def __init__(self, draft: Encounter, source: str = "", is_saved: bool = True) -> None:
        self.desk = Desk(draft)
        self.cursor = 0
        self.source = source
        self._kept = draft if is_saved else None
        self._warned: tuple[int, Encounter] | None = None
        """A change of board that was warned of because it would lose something drawn."""
        self._preview: tuple[Encounter, FightState] | None = None

    @property
    def draft(self) -> Encounter:
        """The present draft."""
        return self.desk.draft

    @property
    def system(self) -> BaseSystem:
        """The draft's rule system."""
        return find_system(self.draft.system)

    @property
    def is_kept(self) -> bool:
        """True if leaving loses nothing: the draft is as at first, or as saved last."""
        return self.draft == self._kept

    def preview(self) -> FightState:
        """The state in which the fight would begin.

        Raises:
            BadInput, Refused: it could not begin.
        """
        if self._preview is None or self._preview[0] is not self.draft:
            self._preview = self.draft, start_fight(self.draft, id="preview", seed="1").state
        return self._preview[1]

    # The list

    @property
    def lines(self) -> tuple[SetupLine, ...]:
        """The lines of the list."""
        return setup_lines(self.draft, self.system)

    @property
    def line(self) -> SetupLine:
        """The current line."""
        lines = self.lines
        return lines[min(self.cursor, len(lines) - 1)]

    @property
    def index(self) -> int | None:
        """The index of the current combatant; None on other lines."""
        line = self.line
        return int(line.key) if line.part == "combatants" and line.key != "add" else None

    @property
    def cue_index(self) -> int | None:
        """The index of the current cue; None on other lines."""
        line = self.line
        return int(line.key) if line.part == "cues" and line.key != "add" else None

    def cue_words(self) -> tuple[str, ...]:
        """Each cue's condition and outcome in words; just its name if they cannot be resolved yet."""
        try:
            state = self.preview()
        except (BadInput, Refused):
            return tuple(cue.name or "a cue" for cue in self.draft.cues)
        words = (
            f"{condition_words(self.system, state, cue.when)}: {outcome_words(state, cue.then)}" for cue in state.cues
        )
        return tuple(words)

    @property
    def setting(self) -> Setting:
        """The current setting; None on other lines."""
        return next(setting for setting in self.system.settings if setting.key == self.line.key)

    def go(self, cursor: int) -> None:
        """Move the cursor to a line."""
        self.cursor = max(0, min(cursor, len(self.lines) - 1))

    def go_to_part(self, by: int) -> None:
        """Move the cursor to the first line of another section."""
        part = PARTS[(PARTS.index(self.line.part) + by) % len(PARTS)]
        self.go(next(index for index, line in enumerate(self.lines) if line.part == part))

    def go_to_combatant(self, index: int) -> None:
        """Move the cursor to a combatant's line."""
        self.go(self.lines.index(SetupLine("combatants", str(index))))

    # Changes; each returns what is wrong with it, or ""

    def change(self, work: Callable[[], Encounter]) -> str:
        """Change the draft."""
        try:
            self.desk = self.desk.change(work())
        except BadInput as bad:
            return "; ".join(bad.problems)
        except Refused as refused:
            return refused.message
        self.go(self.cursor)
        return ""

    def begin_with(self, work: Callable[[], Encounter]) -> str:
        """Begin with another draft. It counts as saved if nothing had been changed before."""
        was_kept = self.is_kept
        complaint = self.change(work)
        if was_kept and not complaint:
            self._kept = self.draft
        return complaint

    def keep(self, draft: Encounter) -> None:
        """Note that a draft has been saved."""
        self.desk = self.desk.change(draft)
        self._kept = draft

    def undo(self) -> None:
        """Undo the last change."""
        self.desk = self.desk.undo()
        self.go(self.cursor)

    def redo(self) -> None:
        """Redo the last undone change."""
        self.desk = self.desk.redo()
        self.go(self.cursor)

    def change_combatant(self, change: Callable[[Encounter, int], Encounter]) -> str:
        """Change the current combatant, if there is one."""
        index = self.index
        return self.change(lambda: change(self.draft, index)) if index is not None else ""

    def add_cue(self, cue: SetCue) -> str:
        """Add a cue."""

        def with_cue() -> Encounter:
            draft = replace(self.draft, cues=(*self.draft.cues, cue))
            start_fight(draft, id="preview", seed="1")
            return draft

        return self.change(with_cue)

    def remove_cue(self) -> str:
        """Remove the current cue, if there is one."""
        index, cues = self.cue_index, self.draft.cues
        if index is None:
            return ""
        return self.change(lambda: replace(self.draft, cues=(*cues[:index], *cues[index + 1 :])))

    def board_warning(self, by: int) -> str:
        """The warning of what another board would lose; empty if nothing, or the second time."""
        loss, last_warning = drafts.given_up(self.draft.board, self._next_board(by)), self._warned
        self._warned = None
        if not loss or last_warning == (by, self.draft):
            return ""
        self._warned = by, self.draft
        return f"{loss.capitalize()} would be lost; press again to confirm"

    def change_board(self, by: int) -> str:
        """Switch to the next size of the board, or the next kind of its cells."""
        return self.change(lambda: drafts.with_board(self.draft, self._next_board(by)))

    def _next_board(self, by: int) -> AnyBoard | None:
        cycle = drafts.cycled_board if self.line.key == "board" else drafts.cycled_cells
        return cycle(self.draft.board, by)

    def cycle_setting(self, by: int) -> str:
        """Switch the current setting to its next value."""
        setting = self.setting
        value = drafts.next_value(setting, drafts.setting_value(self.draft, setting), by)
        return self.change(lambda: drafts.with_setting(self.draft, self.system, setting.key, value))

    def type_setting(self, text: str) -> str:
        """Set the current setting from typed text: a value, or the path of a file with it."""
        setting = self.setting
        if text == first_line(str(drafts.setting_value(self.draft, setting))):
            return ""

        def with_value() -> Encounter:
            value = value_from(setting, drafts.parse_value(setting, text), Path())
            return drafts.with_setting(self.draft, self.system, setting.key, value)

        return self.change(with_value)

    def type_fight(self, key: str, text: str) -> str:
        """Set a property of the fight from typed text: ``name``, ``seed``, ``board`` or ``story``."""

        def with_text() -> Encounter:
            if key == "name":
                return replace(self.draft, name=check_name(text))
            if key == "seed":
                if len(text.strip()) > LONGEST_NAME:
                    raise BadInput("seed", (f"a seed has at most {LONGEST_NAME} letters",))
                return replace(self.draft, seed=text.strip() or None)
            if key == "board":
                return drafts.with_board(self.draft, drafts.read_board(text, self.draft.board))
            return replace(self.draft, story=text.strip().replace(PARAGRAPH, "\n\n"))

        return self.change(with_text)

    def take_form(self, index: int | None, form: Form) -> Form | None:
        """Apply the form of a combatant, or with None a new one. Returns the form with its errors; None if applied."""
        data, errors = form.data()
        draft = self.draft
        base = draft.joins[index] if index is not None else None
        try:
            settings = {**draft.user_settings, **draft.settings}
            join, count = drafts.join_of(data, self.system, base, draft.board, settings)
            draft = drafts.add(draft, join, count) if index is None else drafts.replace_join(draft, index, join)
            start_fight(draft, id="preview", seed="1")
        except BadInput as bad:
            errors = error_places(bad.problems) | errors
        except Refused as refused:
            errors = {(refused.rule,): refused.message} | errors
        if errors:
            return form.with_errors(errors)
        first_new = len(self.draft.joins)
        self.desk = self.desk.change(draft)
        self.go_to_combatant(first_new if index is None else index)
        return None
