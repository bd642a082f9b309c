"""Setting a fight up: who, where, under which settings. Keyboard first; every change can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from fightcall.flows import drafts
from fightcall.flows.drafts import PARAGRAPH, SetupEditor, check_name
from fightcall.flows.lists import Choice, Picker
from fightcall.flows.newcomers import Newcomer, misread_words, newcomer_of, newcomers, quick_numbers, templates_of
from fightcall.flows.table_flows import CueTemplate, Question, cue_data, cue_templates, usual_text, weapons_of
from fightcall.flows.text_fields import make_form
from fightcall.paint.prompt_bar import Answer
from fightcall.panes.base import PlaceClicked
from fightcall.screens.base import Actions, BaseScreen
from fightcall.screens.fight_panes import Forecaster
from fightcall.screens.maps import SetupPanes, line_text
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.files import GameFile
from fightcall_engine.kit.plugins import ease_of, find_system, game_files, game_of, system_names
from fightcall_engine.kit.records import first_line, setting_title
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import SetCue
from fightcall_engine.model.errors import BadInput, FightCallError, Refused
from fightcall_engine.model.state import PROTECTS, FightState, Json
from fightcall_engine.model.values import replace
from fightcall_engine.play.forecast import SEED, job_of_new, sides_left

if TYPE_CHECKING:
    from fightcall.shelf import Shelf

_EMPTY_NAME = "A fight"
_FIGHT_HINTS = {
    "board": "none, 16 x 12, or 16 x 12 squares, 5 ft",
    "seed": "any text; empty: a new one for each fight",
    "name": "1 to 200 letters",
    "story": f"for the GM; {PARAGRAPH.strip()} starts a paragraph",
}


class SetupScreen(BaseScreen):
    """A fight on the drawing board: what the keys change is the `SetupEditor`'s.

    It begins with a draft and the file it was read from, or with a new fight of a system, or asks for that. A file of
    the user's own is saved over; any other is copied; a draft's is gone once it is saved, begun or given up.
    """

    SCOPE = "setup"
    DEFAULT_CSS = """
    SetupScreen > #body { height: 1fr; }
    SetupScreen #list, SetupScreen #beside { width: 1fr; }
    SetupScreen.-no-board #board, SetupScreen.-has-board #roster { display: none; }
    SetupScreen.-narrow #board, SetupScreen.-narrow #roster, SetupScreen.-narrow #beside { display: none; }
    SetupScreen #forecast { display: none; height: 40%; }
    SetupScreen.-forecast #forecast { display: block; }
    SetupScreen.-forecast.-narrow #beside { display: block; width: 100%; height: 40%; }
    SetupScreen.-forecast.-narrow #body { layout: vertical; }
    SetupScreen.-forecast.-narrow #list { width: 100%; height: 1fr; }
    SetupScreen.-forecast.-narrow #forecast { height: 1fr; }
    """

    def __init__(
        self, shelf: Shelf, draft: Encounter | None = None, path: Path | None = None, system: str = ""
    ) -> None:
        super().__init__()
        self.shelf, self._system = shelf, system
        is_draft = shelf.is_draft(path)
        self._draft_file = shelf.draft_file(path)
        self.path = None if is_draft else path
        self._on_disk = None if is_draft else draft
        """What the file says, as far as this screen knows."""
        self._trouble = ""
        """What is wrong with a file of the user's own, said once the screen is there."""
        self.editor = SetupEditor(draft or self._first_draft(), draft.name if draft else "", not is_draft)
        self.panes = SetupPanes(self.host.book, self.editor, self._clicked)
        self.forecaster = Forecaster(self, self.host.book)
        self._choose_pane()

    def compose(self) -> ComposeResult:
        with Horizontal(id="body"):
            yield self.panes.list
            with Vertical(id="beside"):
                yield self.panes.board
                yield self.panes.roster
                yield self.forecaster.pane
        yield self.foot

    def on_mount(self) -> None:
        if self._trouble:
            self.say(self._trouble, "error")
        if not self.editor.source and not self._system and len(self._systems()) > 1:
            self.call_after_refresh(self._pick_system)

    def on_screen_resume(self) -> None:
        self.shelf.end_try_out()
        self.call_after_refresh(self.paint)

    @property
    def draft(self) -> Encounter:
        return self.editor.draft

    def _first_draft(self) -> Encounter:
        system = self._system or min(system_names(), key=ease_of)
        try:
            return self._blank(system)
        except BadInput as bad:
            self._trouble = str(bad)
            return Encounter(_EMPTY_NAME, system)

    def _blank(self, system: str) -> Encounter:
        return Encounter(_EMPTY_NAME, system, user_settings=self.shelf.own_settings(find_system(system)))

    # Drawing

    def paint(self) -> None:
        """Everything; what was changed goes to disk first, as in a fight."""
        self._keep_draft(self.draft)
        self._choose_pane()
        super().paint()
        self.panes.paint_preview()
        if self.has_class("-forecast"):
            self._forecast()

    def action_forecast(self) -> None:
        self.toggle_class("-forecast")
        if not self.has_class("-forecast"):
            self.forecaster.stop()
        # The other panes have their new sizes only after the next layout.
        self.call_after_refresh(self.paint)

    def _forecast(self) -> None:
        draft, system = self.draft, self.editor.system
        try:
            state = self.editor.preview()
        except (BadInput, Refused):
            self.forecaster.stop("The fight can't begin like this")
            return
        if len(sides_left(system, state)) < 2:
            self.forecaster.stop("Two sides must have combatants")
            return
        subject = replace(draft, name="", story="", seed=None, minutes=None)
        begin = partial(start_fight, draft, id="forecast", seed=SEED)
        self.forecaster.follow(subject, "", state, system, lambda: job_of_new(begin()))

    def _keep_draft(self, draft: Encounter) -> None:
        """Have a draft on disk as long as leaving would lose it. Where it cannot be, that is said, and one goes on."""
        try:
            if draft == self.draft and self.editor.is_kept:
                self._draft_file.remove()
            else:
                self._draft_file.write(draft)
        except (BadInput, OSError) as error:
            self.say(f"This setup can't be kept on disk until you save it: {error}", "warn")

    def _choose_pane(self) -> None:
        self.set_class(self.draft.board is None, "-no-board")
        self.set_class(self.draft.board is not None, "-has-board")

    def idle_text(self) -> str:
        index = self.editor.cue_index
        return line_text(self.draft, self.editor.line) if index is None else self.editor.cue_words()[index]

    def _show(self, complaint: str = "") -> None:
        if complaint:
            self.say(complaint, "error")
        else:
            self.paint()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        index = self.editor.index
        if action == "remove" and self.editor.cue_index is not None:
            return True
        if action in ("remove", "copy", "hide", "side", "save_template"):
            return index is not None
        if action == "unplace":
            return index is not None and self.draft.joins[index].at is not None
        if action in ("place", "auto_place"):
            return self.draft.board is not None and bool(self.draft.joins)
        if action == "try_out":
            return bool(self.draft.joins)
        if action == "undo":
            return bool(self.editor.desk.before)
        if action == "redo":
            return bool(self.editor.desk.after)
        return True

    # The list

    def _go(self, cursor: int) -> None:
        self._do(partial(self.editor.go, cursor))

    def _do(self, work: Callable[[], None]) -> None:
        work()
        self.paint()

    def _clicked(self, line: str, twice: bool) -> None:
        self._go(int(line))
        if twice:
            self.action_edit()

    def actions(self) -> Actions:
        change = self.editor.change_combatant
        return {
            "up": lambda: self._go(self.editor.cursor - 1),
            "down": lambda: self._go(self.editor.cursor + 1),
            "page_up": lambda: self._go(self.editor.cursor - self.panes.page),
            "page_down": lambda: self._go(self.editor.cursor + self.panes.page),
            "first": partial(self._go, 0),
            "last": lambda: self._go(len(self.editor.lines)),
            "section_next": partial(self._do, partial(self.editor.go_to_part, 1)),
            "section_previous": partial(self._do, partial(self.editor.go_to_part, -1)),
            "undo": partial(self._do, self.editor.undo),
            "redo": partial(self._do, self.editor.redo),
            "value_next": partial(self._cycle, 1),
            "value_previous": partial(self._cycle, -1),
            "auto_place": self._auto_place,
            "copy": lambda: self._show(change(drafts.copy)),
            "hide": lambda: self._show(change(drafts.toggle_hidden)),
            "unplace": lambda: self._show(change(lambda draft, index: drafts.place(draft, index, None))),
        }

    # Changing what one is on

    def action_edit(self) -> None:
        line = self.editor.line
        if line.part == "settings":
            setting = self.editor.setting
            value = drafts.setting_value(self.draft, setting)
            if setting.choices or isinstance(value, bool):
                self._cycle(1)
                return
            hint = f"a {setting.file} file, or its text" if setting.file else f"{setting.default} by default"
            title = setting_title(self.editor.system, setting.key)
            self._type(title, first_line(str(value)), self.editor.type_setting, hint)
        elif line.part == "cues":
            self.action_cues()
        elif line.key == "add":
            self.action_add()
        elif line.part == "combatants":
            self._open_form(int(line.key))
        elif line.key == "encounter":
            self._pick_encounter()
        elif line.key == "system":
            self._pick_system()
        elif line.key == "cells":
            self._cycle(1)
        else:
            self._type_fight(line.key)

    def _type(self, prompt: str, text: str, change: Callable[[str], str], hint: str) -> None:
        def done(entry: str) -> str | None:
            complaint = change(entry)
            if not complaint:
                self.paint()
            return complaint or None

        self.enter(prompt, done, text=text, hint=hint)

    def _type_fight(self, key: str) -> None:
        draft = self.draft
        texts = {
            # What was only proposed, or is not there, is typed over.
            "board": drafts.board_text(draft.board) if draft.board is not None else "",
            "seed": draft.seed or "",
            "name": "" if draft.name == _EMPTY_NAME else draft.name,
            "story": draft.story.replace("\n\n", PARAGRAPH),
        }
        self._type(key, texts[key], partial(self.editor.type_fight, key), _FIGHT_HINTS[key])

    def _cycle(self, by: int) -> None:
        line = self.editor.line
        if line.part == "settings":
            self._show(self.editor.cycle_setting(by))
        elif line.key in ("board", "cells"):
            warning = self.editor.board_warning(by)
            if warning:
                self.say(warning, "warn")
                return
            self._show(self.editor.change_board(by))
            # Another pane may stand beside the list now; it has its size only after the next layout.
            self.call_after_refresh(self.paint)
        elif self.editor.index is not None:
            self.action_side()

    # What it is begun from

    def _pick_system(self) -> None:
        choices = self._systems()
        if len(choices) < 2:
            self.say(f"{self.editor.system.title} is the only installed system.")
            return

        def picked(choice: Choice) -> None:
            game = game_of(choice.id)
            if game is not None and game.problems:
                title = f"{game.path.name}: {_count_mistakes(game)}"
                self.host.open_screen("notice", title=title, paragraphs=game.problems)
            elif choice.id != self.draft.system:
                self._show(self.editor.begin_with(lambda: self._under(choice.id)))

        _pick(self, "System", choices, picked)

    def _systems(self) -> tuple[Choice, ...]:
        """The systems to choose from, with the games that can't be played until their mistakes are mended."""
        playable = (Choice(name, find_system(name).title, name) for name in sorted(system_names(), key=ease_of))
        games = (game for game in game_files().values() if game.problems)
        broken = (Choice(game.name, game.path.name, f"{_count_mistakes(game)}; enter lists them") for game in games)
        return (*playable, *broken)

    def _under(self, system: str) -> Encounter:
        """The draft under another system, without what is a system's own: sheets and settings."""
        user_settings = self.shelf.own_settings(find_system(system))
        return replace(self.draft, system=system, joins=(), settings={}, user_settings=user_settings)

    def _pick_encounter(self) -> None:
        items = [item for item in self.shelf.read().encounters if not self.shelf.is_draft(item.path)]
        paths = {item.id: item.path for item in items if item.path is not None and not item.problem}
        blank = Choice("", "start from scratch", "no board, no combatants")
        choices_of_files = (
            Choice(item.id, item.name, " ".join(item.story.split())) for item in items if item.id in paths
        )

        def picked(choice: Choice) -> None:
            if not choice.id:
                self.editor.source, self.path, self._on_disk = "", None, None
                self._show(self.editor.begin_with(lambda: self._blank(self.draft.system)))
                return
            complaint = self.editor.begin_with(lambda: self.shelf.load(paths[choice.id]))
            if not complaint:
                self.editor.source = choice.text
                self.path, self._on_disk = paths[choice.id], self.draft
                self.call_after_refresh(self.paint)
            self._show(complaint)

        _pick(self, "Encounter", (blank, *choices_of_files), picked)

    # Who fights

    def action_add(self) -> None:
        draft, system, shelf = self.draft, self.editor.system, self.shelf
        sources = self.attempt(lambda: (shelf.library.templates(draft.system), shelf.shipped(draft.system)))
        templates = templates_of((), *sources) if sources is not None else ()
        numbers = quick_numbers(system, {**draft.user_settings, **draft.settings})

        def offer(text: str) -> tuple[Choice, ...]:
            return newcomers(text, templates, system, numbers)

        def misread(text: str) -> str:
            return misread_words(text, system.sides, numbers)

        def picked(choice: Choice, text: str) -> None:
            self._add(newcomer_of(choice, text, templates, system.sides, numbers))

        words = ", ".join(number.replace("_", " ") for number in numbers)
        hint = f"such as Imp x3 {system.sides[1 % len(system.sides)]} 5: name, how many, side, {words}"
        picker = Picker("Add combatants", (), offer=offer, hint=hint, misread=misread)
        self.host.open_screen("pick", picker=picker, picked=picked)

    def _add(self, newcomer: Newcomer) -> None:
        form = make_form(self._join_schema(), newcomer.data())
        after = form if newcomer.form else self.editor.take_form(None, form)
        if after is None:
            self.paint()
        else:
            take = partial(self.editor.take_form, None)
            self.host.open_screen("form", title="A new combatant", form=after, take=take)

    def _join_schema(self) -> dict[str, Json]:
        draft = self.draft
        return drafts.join_schema(self.editor.system, draft.board, {**draft.user_settings, **draft.settings})

    def _open_form(self, index: int) -> None:
        draft, schema = self.draft, self._join_schema()
        properties = cast("dict[str, Json]", schema["properties"])
        schema["properties"] = {key: value for key, value in properties.items() if key != "count"}
        form = make_form(schema, drafts.join_data(draft.joins[index], draft.board))
        take = partial(self.editor.take_form, index)
        self.host.open_screen("form", title=draft.joins[index].name, form=form, take=take)

    def action_remove(self) -> None:
        if self.editor.cue_index is not None:
            self._show(self.editor.remove_cue())
        else:
            self._show(self.editor.change_combatant(drafts.remove))

    def action_cues(self) -> None:
        state = self.attempt(self.editor.preview)
        if state is None:
            return
        if not state.combatants:
            self.say(f"No combatants yet; {self.names.label('setup.add')} adds combatants.", "warn")
            return
        CueDialog(self, state, self.editor.system, lambda cue: self._show(self.editor.add_cue(cue))).begin()

    def action_side(self) -> None:
        sides = self.editor.system.sides
        self._show(self.editor.change_combatant(lambda draft, index: drafts.next_side(draft, index, sides)))

    def action_save_template(self) -> None:
        from fightcall_engine.archive.library import CombatantTemplate

        index = self.editor.index
        if index is None:
            return
        join = self.draft.joins[index]
        try:
            template = CombatantTemplate.model_validate(
                {
                    "name": join.name,
                    "system": self.draft.system,
                    "side": join.side,
                    "sheet": dict(join.sheet),
                    # Whom one protects is of this fight alone.
                    "fights": "" if join.fights.startswith(PROTECTS) else join.fights,
                }
            )
            self.shelf.library.save_template(template)
        except (FightCallError, OSError, ValueError) as error:
            self.say(str(error), "error")
            return
        self.say(f"{join.name} is saved as a template.")

    # The board

    def action_paint_board(self) -> None:
        draft = self.draft
        if draft.board is None:
            draft = drafts.with_board(draft, drafts.cycled_board(None, 1))
        self.host.open_screen("painting", draft=draft, changed=self._keep_draft, done=self._take)

    def action_place(self) -> None:
        waiting, index = drafts.list_unplaced(self.draft), self.editor.index
        if index is None:
            index = waiting[0] if waiting else 0
        self.host.open_screen("placing", draft=self.draft, index=index, changed=self._keep_draft, done=self._take)

    def _take(self, draft: Encounter) -> None:
        self.editor.desk = self.editor.desk.change(draft)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        at_number = next((number for number, join in enumerate(self.draft.joins) if join.at == message.place), None)
        if at_number is not None:
            self.editor.go_to_combatant(at_number)
            self.paint()

    # Out of here

    def action_start(self) -> None:
        nowhere = len(drafts.list_unplaced(self.draft))
        if not self.draft.joins:
            self.say(f"No combatants yet; {self.names.label('setup.add')} adds a combatant.", "warn")
        elif nowhere:
            self.ask(
                f"{nowhere} of {len(self.draft.joins)} have no place on the board.",
                Answer("y", "start anyway", self._start),
                Answer("P", "place them and start", self._place_and_start, is_proposed=True),
            )
        else:
            self._start()

    def _auto_place(self) -> None:
        self._show(self.editor.change(lambda: drafts.auto_place(self.draft, self.editor.system.sides)))

    def _place_and_start(self) -> None:
        self._auto_place()
        self._start()

    def _start(self) -> None:
        try:
            path = self.shelf.begin(self.draft)
        except (FightCallError, OSError) as error:
            self._complain(error)
            return
        self._draft_file.remove()
        self.host.replace_screen("opening", path=path)

    def _complain(self, error: Exception) -> None:
        if isinstance(error, BadInput) and len(error.problems) > 1:
            self.host.open_screen("notice", title=Path(error.where).name, paragraphs=error.problems)
        else:
            self.say(error.problems[0] if isinstance(error, BadInput) else str(error), "error")

    def action_try_out(self) -> None:
        try:
            path = self.shelf.try_out(self.draft)
        except (FightCallError, OSError) as error:
            self._complain(error)
            return
        self.host.open_screen("opening", path=path)

    def action_save_encounter(self) -> None:
        """Save all this: over the user's own file that it was read from, else as a new one under a name."""
        if self.path is not None and self.shelf.owns(self.path):
            self._save_over(self.path, self._on_disk)
            return

        def done(text: str) -> str | None:
            try:
                draft = replace(self.draft, name=check_name(text))
            except BadInput as bad:
                return "; ".join(bad.problems)
            self._save_as(draft)
            return None

        self.enter("save as", done, text=self.draft.name, hint=f"a file in {self.host.paths.encounters}")

    def _save_as(self, draft: Encounter, overwrite: bool = False) -> None:
        try:
            path = self.shelf.save_as(draft, self.path, overwrite)
        except FileExistsError as there:
            name = Path(str(there.filename)).name
            answer = Answer("y", "overwrite it", lambda: self._save_as(draft, overwrite=True))
            self.ask(f"{name} already exists.", answer)
        except (FightCallError, OSError) as error:
            self.say(str(error), "error")
        else:
            self._note_saved(draft, path)

    def _save_over(self, path: Path, before: Encounter | None) -> None:
        from fightcall_engine.archive.encounter_writing import EncounterChanged

        is_renamed = self._on_disk is not None and self._on_disk.name != self.draft.name
        try:
            self.shelf.save_over(self.draft, path, before)
        except EncounterChanged as changed:
            self.ask(f"{changed}.", Answer("y", "overwrite", lambda: self._save_over(path, None)))
        except (FightCallError, OSError) as error:
            self.say(str(error), "error")
        else:
            self._note_saved(self.draft, path)
            if is_renamed:
                self._rename_file(path)

    def _rename_file(self, path: Path) -> None:
        try:
            self.path = self.shelf.rename_encounter(path, self.draft.name)
        except FileExistsError as there:
            other = Path(str(there.filename)).name
            self.say(f"Saved as {path.name}, which keeps its name: {other} already exists.", "warn")
        except (FightCallError, OSError) as error:
            self.say(f"Saved as {path.name}, which keeps its name: {error}", "warn")
        else:
            self.say(f"Saved as {self.path.name}, until now {path.name}.")

    def _note_saved(self, draft: Encounter, path: Path) -> None:
        self.path, self._on_disk = path, draft
        self.editor.keep(draft)
        self.editor.source = draft.name
        self.paint()
        self.say(f"Saved as {path.name} in {path.parent}.")

    def _give_up(self) -> None:
        self._draft_file.remove()
        self.host.leave_screen()

    def action_leave(self) -> None:
        if self.editor.is_kept:
            self.host.leave_screen()
            return
        self.ask(
            "Quit without saving this setup?",
            Answer("y", "quit without saving", self._give_up),
            Answer("w", "save it first", self.action_save_encounter, is_proposed=True),
        )


def _count_mistakes(game: GameFile) -> str:
    count = len(game.problems)
    return f"{count} mistake{'s' if count != 1 else ''}"


def _pick(screen: BaseScreen, title: str, choices: tuple[Choice, ...], picked: Callable[[Choice], None]) -> None:
    picker = Picker(title, choices)
    screen.host.open_screen("pick", picker=picker, picked=lambda choice, text: picked(choice))


class CueDialog:
    """Asks the questions for a cue."""

    def __init__(
        self, screen: BaseScreen, state: FightState, system: BaseSystem, done: Callable[[SetCue], None]
    ) -> None:
        self._screen, self._state, self._system, self._done = screen, state, system, done

    def begin(self) -> None:
        has_board = self._state.board is not None
        templates = [template for template in cue_templates() if has_board or not template.needs_board]
        choices = tuple(Choice(str(index), template.name) for index, template in enumerate(templates))
        _pick(self._screen, "Set a cue", choices, lambda choice: self._ask(templates[int(choice.id)], []))

    def _ask(self, template: CueTemplate, answers: list[Json]) -> None:
        if len(answers) == len(template.ask):
            data = cue_data(self._state, self._system, template, answers)
            when, then = data["when"], data["then"]
            assert isinstance(when, dict)
            assert isinstance(then, dict)
            self._done(SetCue(when=when, then=then, each_time=template.each_time))
            return
        question = template.ask[len(answers)]

        def answered(value: Json) -> None:
            self._ask(template, [*answers, value])

        match question.kind:
            case "person":
                people = self._state.combatants.values()
                choices = tuple(Choice(combatant.id, combatant.name, combatant.side) for combatant in people)
                _pick(self._screen, question.question, choices, lambda choice: answered(choice.id))
            case "weapon" if weapons := weapons_of(self._state, template, answers):
                choices = tuple(Choice(weapon, weapon) for weapon in weapons)
                _pick(self._screen, question.question, choices, lambda choice: answered(choice.id))
            case "weapon":
                answered(None)
            case _:
                self._type(template, question, answers, answered)

    def _type(
        self, template: CueTemplate, question: Question, answers: list[Json], answered: Callable[[Json], None]
    ) -> None:
        board = self._state.board
        texts = {"round": "2", "number": "1", "place": ""}
        text = texts.get(question.kind, usual_text(self._state, self._system, template, answers))

        def done(entry: str) -> str | None:
            entry = entry.strip()
            if question.kind in ("round", "number"):
                if not (entry.isascii() and entry.isdecimal() and 0 < int(entry) < 1000):
                    return "a whole number from 1"
                answered(int(entry))
            elif question.kind == "place" and board is not None:
                try:
                    place = board.parse(entry)
                except ValueError as error:
                    return str(error)
                answered(place if isinstance(place, str) else [*place])
            else:
                answered(entry or text)
            return None

        hint = f"{board.extent()}" if question.kind == "place" and board is not None else ""
        self._screen.enter(question.question, done, text=text, hint=hint)
