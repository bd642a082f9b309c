"""Showing a fight that is being set up, going through it, and changing it so that it can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal

from fightcall.flows.drafting import Desk
from fightcall.flows.picking import Choice, Picker
from fightcall.paint.layout import Drawing, stacked, wrap
from fightcall.paint.runs import Run
from fightcall.paint.zoneview import picture_of
from fightcall.panes.board import BoardPane
from fightcall.panes.roster import RosterPane
from fightcall.screens.drawn import DrawnPane
from fightcall.screens.foot import Foot
from fightcall.screens.room import Room
from fightcall.screens.setup_rows import PARTS, SetupLine, setup_lines, setup_rows, told_of
from fightcall_engine.archive.encounters import Encounter, start_fight
from fightcall_engine.kit.registry import find_system
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput, Refused

if TYPE_CHECKING:
    from fightcall_engine.model.state import FightState


class DraftRoom(Room):
    """A draft as a list, with its board or its roster beside it.

    Args:
        draft: what to begin with.
        source: the encounter it comes from, empty where it comes from none.
    """

    SCOPE = "setup"
    DEFAULT_CSS = """
    DraftRoom > #body { height: 1fr; }
    DraftRoom #list { width: 1fr; }
    DraftRoom #board, DraftRoom #roster { width: 1fr; }
    DraftRoom.-no-board #board { display: none; }
    DraftRoom.-has-board #roster { display: none; }
    DraftRoom.-narrow #board, DraftRoom.-narrow #roster { display: none; }
    """

    def __init__(self, draft: Encounter, source: str = "") -> None:
        super().__init__()
        book = self.host.book
        self.desk = Desk(draft)
        self.cursor = 0
        self.source = source
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

    @property
    def draft(self) -> Encounter:
        """The fight as it is so far."""
        return self.desk.draft

    @property
    def system(self) -> BaseSystem:
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
            self.draft, self.system, self.cursor, cells, height, self._top, self.list.glyphs, self.source
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
            self.board.update_from(None, lambda cells, height: Drawing(stacked(words.rows, cells, height, "text")))
            self.roster.show(words)
            return
        index = self.index
        chosen = state.order[index] if index is not None else ""
        if state.board is None:
            self.roster.update_from(state, self.system, selected=chosen)
            return
        marks = self.system.marks(state, chosen)
        self.board.update_from(picture_of(state, self.system, selected=chosen, marks=marks))
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

    # Having something typed or picked

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

    def _pick(self, title: str, choices: tuple[Choice, ...], picked: Callable[[Choice], None]) -> None:
        from fightcall.screens.pick import PickRoom

        self.app.push_screen(PickRoom(Picker(title, choices), picked))

    def on_screen_resume(self) -> None:
        """Back from a form, a list or the board."""
        self.call_after_refresh(self.paint)

    def action_edit(self) -> None:
        """Change what the cursor is on."""
