"""The screen for painting the board of a draft; every stroke can be undone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal

from fightcall.flows.easel import Asked, Easel
from fightcall.flows.map_painter import MapPainter
from fightcall.flows.place_fields import first_place
from fightcall.flows.plan_painter import PlanPainter
from fightcall.paint.layout import Drawing
from fightcall.paint.scenes import picture_of
from fightcall.panes.base import DrawnPane, PlaceClicked
from fightcall.panes.board import BoardPane
from fightcall.screens.base import BaseScreen
from fightcall.screens.painting_rows import legend_rows, plan_rows
from fightcall_engine.archive.encounters import start_fight
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.registry import find_system
from fightcall_engine.model.errors import BadInput

if TYPE_CHECKING:
    from fightcall_engine.archive.encounter import Encounter

_TAKEN_KEYS = ("space", "enter", "tab", "shift+tab", "x", "w", "+", "-")


class PaintingScreen(BaseScreen):
    """Paints the board of a draft.

    Args:
        draft: the draft, which has a board.
        changed: called with the draft after every stroke.
        done: called with the draft when the screen is left.
    """

    SCOPE = "flow"
    DEFAULT_CSS = """
    PaintingScreen > #body { height: 1fr; }
    PaintingScreen #board, PaintingScreen #plan { width: 1fr; }
    PaintingScreen #legend { width: 30; }
    """

    def __init__(
        self, draft: Encounter, changed: Callable[[Encounter], None], done: Callable[[Encounter], None]
    ) -> None:
        super().__init__()
        self.easel: Easel = (
            MapPainter.begin(draft, first_place(draft.board))
            if draft.board is not None and grid_board(draft.board) is not None
            else PlanPainter.begin(draft)
        )
        self._changed = changed
        self._done = done
        book = self.host.book
        self.board = BoardPane(book, title="Map", frame=True, id="board")
        self.plan = DrawnPane(book, self._draw_plan, title="Floor plan", frame=True, id="plan")
        self.legend = DrawnPane(book, self._draw_legend, title="Brush", frame=True, id="legend")

    def compose(self) -> ComposeResult:
        """The board, the brushes, the foot."""
        with Horizontal(id="body"):
            yield self.board if isinstance(self.easel, MapPainter) else self.plan
            yield self.legend
        yield self.foot

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable actions that make no sense here."""
        return action not in ("rule", "more")

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys that are not in the legend: painting, undoing, leaving."""
        label = self.names.label
        paint = "paint" if isinstance(self.easel, MapPainter) else "name, or a corner"
        return [
            (label("flow.accept"), paint),
            ("arrows", "move"),
            (label("flow.back"), "undo"),
            (label("flow.cancel"), "done"),
        ]

    # Drawing

    def _draw_legend(self, cells: int, height: int) -> Drawing:
        return legend_rows(self.easel.legend(), cells, height, self.legend.glyphs)

    def _draw_plan(self, cells: int, height: int) -> Drawing:
        painter = self.easel
        if not isinstance(painter, PlanPainter):
            return Drawing(())
        return plan_rows(painter.board, painter.at, painter.corner, cells, height)

    def paint(self) -> None:
        """Redraw the board and the legend."""
        painter = self.easel
        if isinstance(painter, MapPainter):
            state = start_fight(painter.draft, id="preview", seed="1").state
            self.board.update_from(picture_of(state, find_system(painter.draft.system), cursor=painter.at))
            self.board.reveal(painter.at)
            self.board.set_frame(note=painter.board.name_of(painter.at))
        super().paint()

    # Keys

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key of the easel. Other keys move the cursor, or leave."""
        if super().take_key(key, character):
            return True
        key_text = character if character in ("+", "-") else key
        if key_text in _TAKEN_KEYS or (character or "").isdecimal():
            return self._do(lambda: self.easel.press(key_text))
        return False

    def _do(self, work: Callable[[], Easel | Asked | None]) -> bool:
        try:
            after = work()
        except BadInput as bad:
            self.say("; ".join(bad.problems), "error")
            return True
        if isinstance(after, Asked):
            self._ask_for(after)
        elif after is not None:
            self._take(after)
        return after is not None

    def _take(self, easel: Easel) -> None:
        if easel.draft != self.easel.draft:
            self._changed(easel.draft)
        self.easel = easel
        self.paint()

    def _ask_for(self, question: Asked) -> None:
        def done(text: str) -> str | None:
            try:
                after = question.take(text)
            except BadInput as bad:
                return "; ".join(bad.problems)
            self._take(after)
            return None

        self.enter(question.prompt, done, text=question.text, hint=question.hint)

    def walk(self, direction: str, arrow: str = "") -> None:
        """Move the cursor."""
        self._do(lambda: self.easel.move(direction, arrow))

    def action_back(self) -> None:
        """Undo the last stroke."""
        self._do(self.easel.undo)

    def action_cancel(self) -> None:
        """Leave, keeping what was painted."""
        self.host.leave_screen()
        self._done(self.easel.draft)

    def on_place_clicked(self, message: PlaceClicked) -> None:
        """Paint the clicked place."""
        painter = self.easel
        if isinstance(painter, MapPainter):
            self._do(lambda: painter.paint((message.place,)))
