"""Setting a fight up: who, where, under which readings of the rules. Keyboard first; every change can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fightcall.flows import drafting
from fightcall.flows.picking import Choice
from fightcall.screens.draft_people import DraftPeopleRoom
from fightcall.screens.foot import Answer
from fightcall_engine.archive.encounters import Encounter, encounter_to_toml
from fightcall_engine.archive.setting_files import value_from
from fightcall_engine.kit.registry import find_system, system_names
from fightcall_engine.kit.settings import first_line
from fightcall_engine.model.errors import BadInput, FightCallError
from fightcall_engine.model.labels import slug

if TYPE_CHECKING:
    from fightcall.shelf import Shelf
    from fightcall_engine.board.base import AnyBoard
    from fightcall_engine.model.state import Scalar

_EMPTY_NAME = "A fight"


def _blank(shelf: Shelf, system: str) -> Encounter:
    """A fight from nothing.

    Raises:
        BadInput: what is wrong with a file of the user's own for a setting of the system.
    """
    return Encounter(_EMPTY_NAME, system, usual=shelf.own_settings(find_system(system)))


class SetupRoom(DraftPeopleRoom):
    """A fight on the drawing board.

    Args:
        shelf: where it will be kept.
        draft: what to begin with; nothing at all where it is left out.
    """

    def __init__(self, shelf: Shelf, draft: Encounter | None = None) -> None:
        self._trouble = ""
        """What is wrong with a file of the user's own, said once the room is there."""
        first = draft or self._blank_at_first(shelf)
        super().__init__(shelf, first, draft.name if draft else "")
        self._begun = first
        self._warned: tuple[int, Encounter] | None = None
        """The change of board that would lose something drawn, and of what: asked about, and not done yet."""

    def on_mount(self) -> None:
        """Ask for the system where there is more than one, and nothing to begin with."""
        if self._trouble:
            self.say(self._trouble, "error")
        if not self.source and len(system_names()) > 1:
            self.call_after_refresh(self._choose_system)

    def _blank_at_first(self, shelf: Shelf) -> Encounter:
        system = system_names()[0]
        try:
            return _blank(shelf, system)
        except BadInput as bad:
            self._trouble = str(bad)
            return Encounter(_EMPTY_NAME, system)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What makes no sense on the present line is not offered."""
        if action in ("remove", "copy", "hide", "side", "save_template"):
            return self.index is not None
        if action == "unplace":
            return self.index is not None and self.draft.joins[self.index].at is not None
        if action in ("place", "auto_place"):
            return self.draft.board is not None and bool(self.draft.joins)
        if action == "undo":
            return bool(self.desk.before)
        if action == "redo":
            return bool(self.desk.after)
        return True

    # Changing what one is on

    def action_edit(self) -> None:
        """Change what the cursor is on."""
        line = self.line
        if line.part == "settings":
            self._edit_setting(line.key)
        elif line.key == "add":
            self.action_add()
        elif line.part == "combatants":
            self.open_form(int(line.key))
        else:
            self._edit_fight(line.key)

    def _edit_fight(self, key: str) -> None:
        if key == "encounter":
            self._choose_encounter()
        elif key == "system":
            self._choose_system()
        elif key == "board":
            sizes = "none, 16 x 12, or 16 x 12 squares, 5 ft"
            self._enter("board", drafting.board_text(self.draft.board), self._typed_board, sizes)
        elif key == "cells":
            self.action_value_next()
        elif key == "seed":
            self._enter("seed", self.draft.seed or "", self._typed_seed, "any text; empty: a new one for each fight")
        elif key == "name":
            self._enter("name", self.draft.name, self._typed_name, "1 to 200 letters")
        else:
            self._enter(
                "story", self.draft.story, lambda text: replace(self.draft, story=text.strip()), "for the library"
            )

    def _typed_name(self, text: str) -> Encounter:
        if not 1 <= len(text.strip()) <= 200:
            raise BadInput("name", ("a name has 1 to 200 letters",))
        return replace(self.draft, name=text.strip())

    def _typed_seed(self, text: str) -> Encounter:
        if len(text.strip()) > 200:
            raise BadInput("seed", ("a seed has at most 200 letters",))
        return replace(self.draft, seed=text.strip() or None)

    def _typed_board(self, text: str) -> Encounter:
        self._seen_board = False
        return drafting.with_board(self.draft, drafting.read_board(text, self.draft.board))

    def _edit_setting(self, key: str) -> None:
        setting = next(setting for setting in self.system.settings if setting.key == key)
        value = drafting.setting_value(self.draft, setting)
        if setting.choices or isinstance(value, bool):
            self.action_value_next()
            return

        def typed(text: str) -> Encounter:
            if text == first_line(str(value)):
                return self.draft
            return drafting.with_setting(self.draft, self.system, key, _typed(text))

        def _typed(text: str) -> Scalar:
            return value_from(setting, drafting.typed_value(setting, text), Path())

        hint = f"a {setting.file} file, or its text" if setting.file else f"{setting.default} unless said otherwise"
        self._enter(key.replace("_", " "), first_line(str(value)), typed, hint)

    def action_value_next(self) -> None:
        """The next value."""
        self._cycle(1)

    def action_value_previous(self) -> None:
        """The value before."""
        self._cycle(-1)

    def _cycle(self, by: int) -> None:
        line = self.line
        if line.part == "settings":
            setting = next(setting for setting in self.system.settings if setting.key == line.key)
            value = drafting.next_value(setting, drafting.setting_value(self.draft, setting), by)
            self._try(lambda: drafting.with_setting(self.draft, self.system, line.key, value))
        elif line.key in ("board", "cells"):
            cycled = drafting.cycled_board if line.key == "board" else drafting.cycled_cells
            self._change_board(cycled(self.draft.board, by), by)
        elif self.index is not None:
            self.action_side()

    def _change_board(self, board: AnyBoard | None, by: int) -> None:
        """On another board; where something drawn would be lost, at the second press."""
        lost, warned = drafting.given_up(self.draft.board, board), self._warned
        self._warned = None
        if lost and warned != (by, self.draft):
            self._warned = by, self.draft
            self.say(f"{lost.capitalize()} would be gone; once more does it", "warn")
            return
        self._seen_board = False
        self._try(lambda: drafting.with_board(self.draft, board))
        self.call_after_refresh(self.paint)

    # What it is begun from

    def _begin_with(self, work: Callable[[], Encounter]) -> bool:
        """Begin with another draft; nothing is lost by leaving it where nothing had been done before."""
        untouched = self.draft == self._begun
        done = self._try(work)
        if done and untouched:
            self._begun = self.draft
        return done

    def _choose_system(self) -> None:
        choices = tuple(Choice(name, find_system(name).title, name) for name in system_names())
        if len(choices) < 2:
            self.say(f"{self.system.title} is the only system that is installed.")
            return

        def chosen(choice: Choice) -> None:
            if choice.id != self.draft.system:
                # Sheets and settings are a system's own.
                self._begin_with(lambda: self._under(choice.id))

        self._pick("System", choices, chosen)

    def _under(self, system: str) -> Encounter:
        usual = self.shelf.own_settings(find_system(system))
        return replace(self.draft, system=system, joins=(), settings={}, usual=usual)

    def _choose_encounter(self) -> None:
        items = self.shelf.read().encounters
        paths = {item.id: item for item in items if item.path is not None and not item.problem}
        blank = Choice("", "begin from nothing", "no board, nobody")
        choices = (blank, *(Choice(item.id, item.name, " ".join(item.story.split())) for item in paths.values()))

        def chosen(choice: Choice) -> None:
            if not choice.id:
                self.source = ""
                self._begin_with(lambda: _blank(self.shelf, self.draft.system))
                return
            path = paths[choice.id].path
            assert path is not None
            self._seen_board = False
            if self._begin_with(lambda: self.shelf.load(path)):
                self.source = choice.text
                self.paint()
                self.call_after_refresh(self.paint)

        self._pick("Encounter", choices, chosen)

    # Out of here

    def action_start(self) -> None:
        """Begin the fight; ask first where somebody stands nowhere."""
        nowhere = len(drafting.unplaced(self.draft))
        if not self.draft.joins:
            self.say(f"Nobody fights yet; {self.names.shown('setup.add')} adds a combatant.", "warn")
        elif nowhere:
            self.ask(
                f"{nowhere} of {len(self.draft.joins)} stand nowhere on the board.",
                Answer("y", "begin all the same", self._start),
                Answer("P", "place them, then begin", self._place_and_start),
            )
        else:
            self._start()

    def _place_and_start(self) -> None:
        self.action_auto_place()
        self._start()

    def _start(self) -> None:
        try:
            path = self.shelf.begin(self.draft)
        except (FightCallError, OSError) as error:
            self.say("; ".join(error.problems) if isinstance(error, BadInput) else str(error), "error")
            return
        from fightcall.screens.opening import OpeningRoom

        self.app.switch_screen(OpeningRoom(path))

    def action_save_encounter(self) -> None:
        """Save all this as an encounter in the user's folder."""

        def done(text: str) -> str | None:
            name = text.strip()
            if not 1 <= len(name) <= 200:
                return "a name has 1 to 200 letters"
            path = self.host.paths.encounters / f"{slug(name)}.toml"
            if path.exists():
                self.ask(f"There is a {path.name} already.", Answer("y", "write over it", lambda: self._save(name)))
            else:
                self._save(name)
            return None

        self.enter("save as", done, text=self.draft.name, hint=f"a file in {self.host.paths.encounters}")

    def _save(self, name: str) -> None:
        from fightcall_engine.archive.fsutil import write_atomically

        path = self.host.paths.encounters / f"{slug(name)}.toml"
        draft = replace(self.draft, name=name)
        try:
            data = encounter_to_toml(draft).encode()
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, data, keep_previous=True)
        except (FightCallError, OSError) as error:
            self.say(str(error), "error")
            return
        self.desk = self.desk.change(draft)
        self._begun = draft
        self.say(f"Saved as {path}.")

    def action_leave(self) -> None:
        """Back to the library."""
        if self.draft == self._begun:
            self.host.leave_room()
            return
        self.ask(
            "Leave? What you have set up is in no file yet.",
            Answer("y", "leave all the same", self.host.leave_room),
            Answer("w", "save it first", self.action_save_encounter),
        )
