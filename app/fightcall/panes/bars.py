"""The panes across the screen: ribbon, call bar, exchange panel, and the timeline of a replay."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from textual.widget import Widget

from fightcall.paint.call_bar import ANSWER, OPTION, CallView, call_rows, wanted_rows
from fightcall.paint.exchange import PanelView, exchange_rows, wanted_height
from fightcall.paint.layout import Drawing
from fightcall.paint.ribbon import ReplayMark, TimelineModel, ribbon_rows, timeline_rows
from fightcall.panes.base import ChoiceClicked, KeyClicked, OptionClicked, RowsPane, Sought, StyleBook

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.timeline import Timeline

EDGES = 2
"""The rows and cells that the frame takes."""
LEAST = 6
"""The height that a panel may always have, whatever the size of the screen."""


class Mark(NamedTuple):
    """The arguments of `ribbon_rows` besides the fight."""

    saved: bool = True
    clock_text: str = ""
    watching: bool = False
    notice: str = ""
    replay: ReplayMark | None = None


class RibbonPane(RowsPane):
    """The fight, the agenda, and whose turn it is."""

    DEFAULT_CSS = "RibbonPane { height: 3; }"

    _fight: tuple[FightState, BaseSystem] | None = None
    _mark = Mark()

    def update_from(
        self,
        state: FightState,
        system: BaseSystem,
        *,
        saved: bool = True,
        clock_text: str = "",
        watching: bool = False,
        notice: str = "",
        replay: ReplayMark | None = None,
    ) -> None:
        """Show a state; the other arguments are those of `ribbon_rows`."""
        mark = Mark(saved, clock_text, watching, notice, replay)
        if self._fight is not None and self._fight[0] is state and mark == self._mark:
            return
        self._fight, self._mark = (state, system), mark
        self.repaint()

    def tick(self, clock_text: str) -> None:
        """Update the time of the decision clock."""
        if clock_text != self._mark.clock_text:
            self._mark = self._mark._replace(clock_text=clock_text)
            self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """The three rows."""
        if self._fight is None:
            return Drawing(())
        state, system = self._fight
        return Drawing(ribbon_rows(state, system, width=width, glyphs=self.glyphs, **self._mark._asdict()))


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


class ExchangePane(RowsPane):
    """Shows a panel in as many rows as it needs.

    Without a panel it has no rows. It is not removed, as adding a widget would redraw all others.
    """

    DEFAULT_CSS = "ExchangePane { height: 0; width: 100%; }"

    def __init__(self, book: StyleBook, *, id: str | None = None) -> None:
        super().__init__(book, frame=True, id=id)
        self._view: PanelView | None = None
        self._rows = 0
        self._drawing = Drawing(((),))

    @property
    def is_open(self) -> bool:
        """True while a panel is shown."""
        return self._view is not None

    @property
    def rows_over_board(self) -> int:
        """How many inner rows of the board it covers. The board's inside ends a row above the panel's lower edge."""
        return max(self._rows - 1, 0)

    def update_from(self, view: PanelView | None) -> None:
        """Show a panel, or none."""
        self._view = view
        if view is not None:
            self.set_frame(title=view.title, note=view.due)
        self._fit()
        if view is not None:
            self.repaint()

    def _fit(self) -> None:
        """Set the height that the panel needs, at most three fifths of the screen; 0 without a panel."""
        rows = 0
        if self._view is not None:
            full_height = wanted_height(self._view, width=max(self._across(), 1), glyphs=self.glyphs) + EDGES
            rows = min(full_height, max(self.app.size.height * 3 // 5, LEAST))
        # Setting the height lays out the whole screen again, so it is only set if it changes.
        if rows != self._rows:
            self._rows, self.styles.height = rows, rows

    def _across(self) -> int:
        """The inner width, known even before the pane is first shown."""
        if self.inner[0]:
            return self.inner[0]
        return self.parent.size.width - self.styles.margin.width - EDGES if isinstance(self.parent, Widget) else 0

    def handle_resize(self) -> None:
        """Adapt the height to another width."""
        if self._view is not None:
            self._fit()

    def draw(self, width: int, height: int) -> Drawing:
        """The visible rows."""
        if self._view is None:
            return Drawing(())
        return exchange_rows(self._view, width=width, height=height, glyphs=self.glyphs)

    def handle_click(self, what: str, twice: bool) -> None:
        """A key at the foot was clicked."""
        kind, _, key = what.partition(" ")
        if kind == "key":
            self.post_message(ChoiceClicked(key))
