"""The bars: the call bar of a fight, and the timeline of a replay."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from fightcall.paint.call_bar import ANSWER, OPTION, CallView, call_rows, wanted_rows
from fightcall.paint.layout import Drawing
from fightcall.paint.ribbon import TimelineModel, timeline_rows
from fightcall.panes.messages import ChoiceClicked, KeyClicked, OptionClicked, Sought
from fightcall.panes.rows_pane import RowsPane

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.timeline import Timeline


class CallPane(RowsPane):
    """The call bar: what happened, what is asked or can be done, and what going on does."""

    DEFAULT_CSS = "CallPane { height: 7; }"

    _fight: tuple[FightState, BaseSystem] | None = None
    _who = ""
    _view = CallView()
    _more_rows = 0

    def update_from(self, view: CallView, state: FightState, system: BaseSystem, combatant_id: str) -> None:
        """Show this; see `call_rows`."""
        self._view, self._fight, self._who = view, (state, system), combatant_id
        self.resized()
        self.repaint()

    def resized(self) -> None:
        """Grow for a question or a refusal that would be cut off, as far as the screen has rows to spare."""
        old_height = self.styles.base.height
        if not self.size.width or old_height is None:
            return
        height = int(old_height.value)
        row_count = wanted_rows(self._view, width=self.size.width, height=height, glyphs=self.glyphs)
        rows = min(row_count, max(self.app.size.height // 3, height))
        rows = rows if rows > height else 0
        # Setting the height lays out the whole screen again, so it is only set if it changes.
        if rows != self._more_rows:
            self._more_rows, self.styles.min_height = rows, rows or None

    def draw(self, width: int, height: int) -> Drawing:
        """The bar."""
        if self._fight is None:
            return Drawing(())
        state, system = self._fight
        return call_rows(self._view, state, system, self._who, width=width, height=height, glyphs=self.glyphs)

    def handle_click(self, what: str, twice: bool) -> None:
        """An answer, an option or a key was clicked."""
        kind, _, value = what.partition(" ")
        if kind == ANSWER:
            self.post_message(ChoiceClicked(value))
        elif kind == OPTION:
            self.post_message(OptionClicked(int(value)))
        else:
            self.post_message(KeyClicked(value))


class TimelinePane(RowsPane):
    """Rounds and phases of a whole fight, and the moment shown."""

    DEFAULT_CSS = "TimelinePane { height: 2; }"

    _line: Timeline | None = None
    _system: BaseSystem | None = None
    _model: TimelineModel | None = None
    _position = 0
    _marks: tuple[int, ...] = ()

    def update_from(self, line: Timeline, system: BaseSystem, position: int, marks: Collection[int] = ()) -> None:
        """Show a moment of a line of events, and the positions of bookmarks."""
        if self._model is None or self._system is not system:
            self._model, self._system = TimelineModel(system), system
        self._line, self._position, self._marks = line, position, tuple(marks)
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """Names and track."""
        if self._line is None or self._model is None:
            return Drawing(())
        return timeline_rows(
            self._model.segments(self._line),
            position=self._position,
            total=len(self._line),
            marks=self._marks,
            width=width,
            height=height,
            glyphs=self.glyphs,
        )

    def handle_click(self, what: str, twice: bool) -> None:
        """A moment was clicked."""
        self.post_message(Sought(int(what)))
