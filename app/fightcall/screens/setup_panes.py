"""The panes of the setup screen: the list, and the board, or the roster if there is no board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fightcall.paint.layout import Drawing, stack, wrap
from fightcall.paint.runs import Run
from fightcall.paint.scenes import picture_of
from fightcall.panes.base import DrawnPane
from fightcall.panes.board import BoardPane
from fightcall.panes.people import RosterPane
from fightcall.screens.setup_rows import setup_rows
from fightcall_engine.model.errors import BadInput, Refused

if TYPE_CHECKING:
    from fightcall.flows.setup_editor import SetupEditor
    from fightcall.panes.base import StyleBook
    from fightcall_engine.model.state import FightState


class SetupPanes:
    """The panes of `SetupScreen`.

    Args:
        book: the styles to draw with.
        editor: the draft.
        clicked: called with the clicked line of the list, and whether it was a double click.
    """

    def __init__(self, book: StyleBook, editor: SetupEditor, clicked: Callable[[str, bool], None]) -> None:
        self._editor = editor
        self._top = 0
        self.list = DrawnPane(
            book,
            self._draw_list,
            clicked=clicked,
            wheel=lambda rows: clicked(str(editor.cursor + (1 if rows > 0 else -1)), False),
            title="Set-up",
            frame=True,
            id="list",
        )
        self.board = BoardPane(book, title="Board", frame=True, id="board")
        self.roster = RosterPane(book, title="Roster", frame=True, id="roster")

    @property
    def page(self) -> int:
        """How many lines a page key moves, with one line of overlap."""
        return max(1, self.list.inner[1] - 1)

    def _draw_list(self, cells: int, height: int) -> Drawing:
        editor = self._editor
        drawing, self._top = setup_rows(
            editor.draft,
            editor.system,
            editor.cursor,
            cells,
            height,
            self._top,
            self.list.glyphs,
            editor.source,
            editor.cue_words() if editor.draft.cues else (),
        )
        return drawing

    def paint_preview(self) -> None:
        """Draw the board or the roster as the fight would begin, or why it cannot."""
        editor = self._editor
        try:
            state = editor.preview()
        except (BadInput, Refused) as error:
            self._show_problem(str(error))
            return
        index = editor.index
        selected = state.order[index] if index is not None else ""
        if state.board is None:
            self.roster.update_from(state, editor.system, selected=selected)
        else:
            self._paint_board(state, selected)

    def _paint_board(self, state: FightState, selected: str) -> None:
        system = self._editor.system
        marks = system.marks(state, selected)
        self.board.update_from(picture_of(state, system, selected=selected, marks=marks))

    def _show_problem(self, problem: str) -> None:
        """Show beside the list why the fight cannot begin."""
        cells, height = (self.board if self._editor.draft.board else self.roster).inner
        rows = stack([(Run(line, "bad"),) for line in wrap(problem, cells)], cells, height, "text")
        self.board.update_from(None, lambda cells, height: Drawing(stack(rows, cells, height, "text")))
        self.roster.show(Drawing(rows))
