"""Setting a fight up: who, where, under which readings of the rules. Keyboard first; every change can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Horizontal

from fightcall.flows import drafting
from fightcall.flows.drafting import Desk
from fightcall.flows.forms import Form, error_places, make_form
from fightcall.flows.picking import Choice, Picker
from fightcall.paint.boardview import board_scene
from fightcall.paint.layout import Drawing, stacked, wrap
from fightcall.paint.runs import Run
from fightcall.panes.board import BoardPane
from fightcall.panes.messages import HexClicked
from fightcall.panes.roster import RosterPane
from fightcall.screens.drawn import DrawnPane
from fightcall.screens.foot import Answer, Foot
from fightcall.screens.room import Room
from fightcall.screens.setup_rows import PARTS, SetupLine, setup_lines, setup_rows, told_of
from fightcall_engine.archive.encounters import Encounter, encounter_to_toml, start_fight
from fightcall_engine.errors import BadInput, FightCallError, Refused
from fightcall_engine.labels import slug
from fightcall_engine.system import System, find_system, system_names

if TYPE_CHECKING:
    from fightcall.shelf import Shelf
    from fightcall_engine.commands import Join
    from fightcall_engine.state import FightState

_EMPTY_NAME = "A fight"


class SetupRoom(Room):
    """A fight on the drawing board.

    Args:
        shelf: where it will be kept.
        draft: what to begin with; nothing at all where it is left out.
    """

    SCOPE = "setup"
    DEFAULT_CSS = """
    SetupRoom > #body { height: 1fr; }
    SetupRoom #list { width: 1fr; }
    SetupRoom #board, SetupRoom #roster { width: 1fr; }
    SetupRoom.-no-board #board { display: none; }
    SetupRoom.-has-board #roster { display: none; }
    SetupRoom.-narrow #board, SetupRoom.-narrow #roster { display: none; }
    """

    def __init__(self, shelf: Shelf, draft: Encounter | None = None) -> None:
        super().__init__()
        first = draft or Encounter(_EMPTY_NAME, system_names()[0])
        book = self.host.book
        self.shelf = shelf
        self.desk = Desk(first)
        self.cursor = 0
        self._begun = first
        self._source = draft.name if draft else ""
        self._top = 0
        self._preview: tuple[Encounter, FightState] | None = None
        self._seen_board = False
        self.list = DrawnPane(
            book, self._draw_list, clicked=self._clicked, wheel=self._wheel, title="Set-up", frame=True, id="list"
        )
        self.board = BoardPane(book, title="Board", frame=True, id="board")
        self.roster = RosterPane(book, title="Roster", frame=True, id="roster")
        self._choose_pane()

    def compose(self) -> ComposeResult:
        """The list, beside it the board or the roster; the foot."""
        with Horizontal(id="body"):
            yield self.list
            yield self.board
            yield self.roster
        yield self.foot

    def on_mount(self) -> None:
        """Ask for the system where there is more than one, and nothing to begin with."""
        if not self._source and len(system_names()) > 1:
            self.call_after_refresh(self._choose_system)

    @property
    def draft(self) -> Encounter:
        """The fight as it is so far."""
        return self.desk.draft

    @property
    def system(self) -> System:
        """Its rules."""
        return find_system(self.draft.system)

    @property
    def line(self) -> SetupLine:
        """The line one is on."""
        lines = setup_lines(self.draft, self.system)
        return lines[min(self.cursor, len(lines) - 1)]

    @property
    def index(self) -> int | None:
        """The combatant one is on."""
        line = self.line
        return int(line.key) if line.part == "combatants" and line.key != "add" else None

    # Drawing

    def paint(self) -> None:
        """Everything."""
        self._choose_pane()
        super().paint()
        self._paint_preview()

    def _choose_pane(self) -> None:
        """Beside the list stands the board, or the roster of a fight without one."""
        self.set_class(self.draft.board is None, "-no-board")
        self.set_class(self.draft.board is not None, "-has-board")

    def _draw_list(self, cells: int, height: int) -> Drawing:
        drawing, self._top = setup_rows(
            self.draft, self.system, self.cursor, cells, height, self._top, self.list.glyphs, self._source
        )
        return drawing

    def _clicked(self, what: str, twice: bool) -> None:
        self.go(int(what))
        if twice:
            self.action_edit()

    def _wheel(self, rows: int) -> None:
        self.go(self.cursor + (1 if rows > 0 else -1))

    def _paint_preview(self) -> None:
        try:
            state = self.preview()
        except (BadInput, Refused) as error:
            cells, height = (self.board if self.draft.board else self.roster).inner
            words = Drawing(stacked([(Run(line, "bad"),) for line in wrap(str(error), cells)], cells, height, "text"))
            self.board.update_from(None, words)
            self.roster.show(words)
            return
        index = self.index
        chosen = state.order[index] if index is not None else ""
        if state.board is None:
            self.roster.update_from(state, self.system, selected=chosen)
            return
        self.board.update_from(board_scene(state, self.system, selected=chosen))
        if self.board.inner[0] and not self._seen_board:
            self._seen_board = True
            self.board.fit(state.board.places())

    def preview(self) -> FightState:
        """The state in which the fight would begin.

        Raises:
            BadInput, Refused: it could not, and why.
        """
        if self._preview is None or self._preview[0] is not self.draft:
            self._preview = self.draft, start_fight(self.draft, id="preview", seed="1").state
        return self._preview[1]

    def shown_foot(self) -> Foot:
        """What the line one is on says in full, where nothing else is to be said."""
        idle = not (self.said.message or self.busy)
        return Foot(told_of(self.draft, self.system, self.line)) if idle else self.said

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

    def _try(self, work: Callable[[], Encounter]) -> bool:
        """Change the draft, or say why that will not do."""
        try:
            self.desk = self.desk.change(work())
        except (BadInput, Refused) as error:
            self.say("; ".join(error.problems) if isinstance(error, BadInput) else error.message, "error")
            return False
        self.paint()
        return True

    # The list

    def go(self, cursor: int) -> None:
        """On to another line."""
        self.cursor = max(0, min(cursor, len(setup_lines(self.draft, self.system)) - 1))
        self.paint()

    def action_up(self) -> None:
        """A line up."""
        self.go(self.cursor - 1)

    def action_down(self) -> None:
        """A line down."""
        self.go(self.cursor + 1)

    def action_page_up(self) -> None:
        """A page up."""
        self.go(self.cursor - max(1, self.list.inner[1] - 1))

    def action_page_down(self) -> None:
        """A page down."""
        self.go(self.cursor + max(1, self.list.inner[1] - 1))

    def action_first(self) -> None:
        """The first line."""
        self.go(0)

    def action_last(self) -> None:
        """The last line."""
        self.go(10**6)

    def action_section_next(self) -> None:
        """The next section."""
        self._to_part(1)

    def action_section_previous(self) -> None:
        """The section before."""
        self._to_part(-1)

    def _to_part(self, by: int) -> None:
        part = PARTS[(PARTS.index(self.line.part) + by) % len(PARTS)]
        lines = setup_lines(self.draft, self.system)
        self.go(next(index for index, line in enumerate(lines) if line.part == part))

    def action_undo(self) -> None:
        """Take back the last change."""
        self.desk = self.desk.undo()
        self.go(self.cursor)

    def action_redo(self) -> None:
        """Do it again."""
        self.desk = self.desk.redo()
        self.go(self.cursor)

    # Changing what one is on

    def action_edit(self) -> None:
        """Change what the cursor is on."""
        line = self.line
        if line.part == "settings":
            self._edit_setting(line.key)
        elif line.key == "add":
            self.action_add()
        elif line.part == "combatants":
            self._open_form(int(line.key))
        else:
            self._edit_fight(line.key)

    def _edit_fight(self, key: str) -> None:
        if key == "encounter":
            self._choose_encounter()
        elif key == "system":
            self._choose_system()
        elif key == "board":
            self._enter(
                "board", drafting.board_text(self.draft.board), self._typed_board, "none, 16 x 12, or 16 x 12, 5 ft"
            )
        elif key == "seed":
            self._enter("seed", self.draft.seed or "", self._typed_seed, "any text; empty: a new one for each fight")
        elif key == "name":
            self._enter("name", self.draft.name, self._typed_name, "1 to 200 letters")
        else:
            self._enter(
                "story", self.draft.story, lambda text: replace(self.draft, story=text.strip()), "for the library"
            )

    def _enter(self, prompt: str, text: str, make: Callable[[str], Encounter], hint: str) -> None:
        """Have something typed, and change the draft with it."""

        def done(typed: str) -> str | None:
            try:
                self.desk = self.desk.change(make(typed))
            except BadInput as bad:
                return "; ".join(bad.problems)
            self.paint()
            return None

        self.enter(prompt, done, text=text, hint=hint)

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
        setting = next(one for one in self.system.settings if one.key == key)
        value = drafting.setting_value(self.draft, setting)
        if setting.choices or isinstance(value, bool):
            self.action_value_next()
            return

        def typed(text: str) -> Encounter:
            return drafting.with_setting(self.draft, self.system, key, drafting.typed_value(setting, text))

        self._enter(key.replace("_", " "), str(value), typed, f"{setting.default} where nothing else is said")

    def action_value_next(self) -> None:
        """The next value."""
        self._cycle(1)

    def action_value_previous(self) -> None:
        """The value before."""
        self._cycle(-1)

    def _cycle(self, by: int) -> None:
        line = self.line
        if line.part == "settings":
            setting = next(one for one in self.system.settings if one.key == line.key)
            value = drafting.next_value(setting, drafting.setting_value(self.draft, setting), by)
            self._try(lambda: drafting.with_setting(self.draft, self.system, line.key, value))
        elif line.key == "board":
            self._seen_board = False
            board = drafting.cycled_board(self.draft.board, by)
            self._try(lambda: drafting.with_board(self.draft, board))
            self.call_after_refresh(self.paint)
        elif self.index is not None:
            self.action_side()

    # Picking

    def _pick(self, title: str, choices: tuple[Choice, ...], picked: Callable[[Choice], None]) -> None:
        from fightcall.screens.pick import PickRoom

        self.app.push_screen(PickRoom(Picker(title, choices), picked))

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
                self._begin_with(lambda: replace(self.draft, system=choice.id, joins=(), settings={}))

        self._pick("System", choices, chosen)

    def _choose_encounter(self) -> None:
        items = self.shelf.read().encounters
        paths = {item.id: item for item in items if item.path is not None and not item.problem}
        blank = Choice("", "begin from nothing", "no board, nobody")
        choices = (blank, *(Choice(item.id, item.name, " ".join(item.story.split())) for item in paths.values()))

        def chosen(choice: Choice) -> None:
            if not choice.id:
                self._source = ""
                self._begin_with(lambda: Encounter(_EMPTY_NAME, self.draft.system))
                return
            path = paths[choice.id].path
            assert path is not None
            self._seen_board = False
            if self._begin_with(lambda: self.shelf.load(path)):
                self._source = choice.text
                self.paint()
                self.call_after_refresh(self.paint)

        self._pick("Encounter", choices, chosen)

    # Combatants

    def action_add(self) -> None:
        """Add a combatant, from a template where there are any."""
        try:
            templates = self.shelf.library.templates(self.draft.system)
        except (FightCallError, OSError) as error:
            self.say(str(error), "error")
            templates = []
        if not templates:
            self._open_form(None)
            return
        by_name = {template.name: template for template in templates}
        new = Choice("", "a new one", "from nothing")
        known = (Choice(one.name, one.name, f"{one.side}  {one.notes}".strip()) for one in templates)

        def chosen(choice: Choice) -> None:
            template = by_name.get(choice.id)
            if template is None:
                self._open_form(None)
            else:
                self._open_form(None, {"name": template.name, "side": template.side, "sheet": dict(template.sheet)})

        self._pick("Add a combatant", (new, *known), chosen)

    def _open_form(self, index: int | None, data: dict[str, object] | None = None) -> None:
        schema = drafting.join_schema(self.system)
        if index is not None:
            properties = cast("dict[str, object]", schema["properties"])
            schema["properties"] = {key: value for key, value in properties.items() if key != "count"}
            data = drafting.join_data(self.draft.joins[index])
        from fightcall.screens.form import FormRoom

        title = self.draft.joins[index].name if index is not None else "A new combatant"
        take = partial(self._take_form, index)
        self.app.push_screen(FormRoom(title, make_form(schema, data or {}), take))

    def _take_form(self, index: int | None, form: Form) -> Form | None:
        """Take what the form says, or give it back with what is wrong by the fields."""
        data, errors = form.data()
        base = self.draft.joins[index] if index is not None else None
        draft = self.draft
        try:
            join, count = drafting.join_of(data, self.system, base)
            draft = drafting.add(draft, join, count) if index is None else drafting.put(draft, index, join)
            start_fight(draft, id="preview", seed="1")
        except BadInput as bad:
            errors = error_places(bad.problems) | errors
        except Refused as refused:
            errors = {(refused.rule,): refused.message} | errors
        if errors:
            return form.with_errors(errors)
        first_new = len(self.draft.joins)
        self.desk = self.desk.change(draft)
        key = str(first_new if index is None else index)
        self.cursor = setup_lines(draft, self.system).index(SetupLine("combatants", key))
        return None

    def on_screen_resume(self) -> None:
        """Back from a form, a list or the board."""
        self.call_after_refresh(self.paint)

    def _on_one(self, change: Callable[[int], Encounter]) -> None:
        index = self.index
        if index is not None:
            self._try(lambda: change(index))
            self.go(self.cursor)

    def action_remove(self) -> None:
        """Take the combatant out."""
        self._on_one(lambda index: drafting.remove(self.draft, index))

    def action_copy(self) -> None:
        """One more of the same."""
        self._on_one(lambda index: drafting.copy(self.draft, index))

    def action_hide(self) -> None:
        """Begin hidden, or no longer."""
        self._on_one(lambda index: drafting.put(self.draft, index, self._turned(self.draft.joins[index])))

    def _turned(self, join: Join) -> Join:
        return replace(join, hidden=not join.hidden)

    def action_side(self) -> None:
        """Over to the next side."""
        self._on_one(lambda index: drafting.next_side(self.draft, index, self.system.sides))

    def action_save_template(self) -> None:
        """Keep the combatant for other fights."""
        from fightcall_engine.archive.cards import CombatantTemplate

        if self.index is None:
            return
        one = self.draft.joins[self.index]
        try:
            template = CombatantTemplate.model_validate(
                {"name": one.name, "system": self.draft.system, "side": one.side, "sheet": dict(one.sheet)}
            )
            self.shelf.library.save_template(template)
        except (FightCallError, OSError, ValueError) as error:
            self.say(str(error), "error")
            return
        self.say(f"{one.name} is kept as a template.")

    # The board

    def action_place(self) -> None:
        """Place the combatants one after the other, beginning with the one under the cursor."""
        from fightcall.screens.placing import PlacingRoom

        waiting = drafting.unplaced(self.draft)
        index = self.index if self.index is not None else waiting[0] if waiting else 0
        self.app.push_screen(PlacingRoom(self.draft, index, self._placed))

    def _placed(self, draft: Encounter) -> None:
        self.desk = self.desk.change(draft)

    def on_hex_clicked(self, message: HexClicked) -> None:
        """A click on the board goes to whoever stands there."""
        found = next((number for number, join in enumerate(self.draft.joins) if join.at == message.hex), None)
        if found is not None:
            self.go(setup_lines(self.draft, self.system).index(SetupLine("combatants", str(found))))

    def action_auto_place(self) -> None:
        """Place everybody who stands nowhere."""
        self._try(lambda: drafting.auto_place(self.draft, self.system.sides))

    def action_unplace(self) -> None:
        """Take the combatant off the board."""
        self._on_one(lambda index: drafting.place(self.draft, index, None))

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
