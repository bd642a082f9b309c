"""Help: what the rules say now, and every key. Opaque, scrolled, searched with a slash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult

from fightcall.actions import Scope
from fightcall.paint.layout import scroll_marks, stacked
from fightcall.paint.runs import Row
from fightcall.panes.rows_pane import RowsPane
from fightcall.screens.help_rows import Line, found, help_lines, help_rows
from fightcall.screens.room import Room

if TYPE_CHECKING:
    from fightcall_engine.state import FightState
    from fightcall_engine.system import System


class HelpPane(RowsPane):
    """The text."""

    def scroll_rows(self, rows: int) -> None:
        """The wheel."""
        room = self.screen
        if isinstance(room, HelpRoom):
            room.scroll(rows)


class HelpRoom(Room):
    """What can be done in a room.

    Args:
        scope: the room's scope.
        fight: its running fight as (state, system), where there is one.
        first: what stands before everything else, such as where a number comes from.
    """

    SCOPE = "help"

    def __init__(self, scope: Scope, fight: object | None = None, first: Sequence[Line] = ()) -> None:
        super().__init__()
        self._lines = [*first, *help_lines(scope, self.names, cast("tuple[FightState, System] | None", fight))]
        self._words = ""
        self._top = 0
        self._rows: tuple[Row, ...] = ()
        self.text = HelpPane(self.host.book, title="Help", frame=True, id="text")

    def compose(self) -> ComposeResult:
        """The text and the foot."""
        yield self.text
        yield self.foot

    def paint(self) -> None:
        """Wrap and draw."""
        cells, height = self.text.inner
        if cells > 12 and height > 0:
            lines = found(self._lines, self._words) if self._words else self._lines
            self._rows = help_rows(lines, cells - 1, ids=True)
            self._draw()
        super().paint()

    def _draw(self) -> None:
        cells, height = self.text.inner
        self._top = max(0, min(self._top, len(self._rows) - height))
        shown = stacked(self._rows[self._top : self._top + height], cells - 1, height, "text")
        bar = scroll_marks(self._top, height, len(self._rows), self.text.glyphs)
        self.text.show(tuple((*row, bar[y]) for y, row in enumerate(shown)) if bar else shown)
        self.text.set_frame(title="Help" + (f": {self._words}" if self._words else ""))

    def scroll(self, by: int) -> None:
        """So many rows further down."""
        self._top += by
        self._draw()

    def action_up(self) -> None:
        """A line up."""
        self.scroll(-1)

    def action_down(self) -> None:
        """A line down."""
        self.scroll(1)

    def action_page_up(self) -> None:
        """A page up."""
        self.scroll(1 - self.text.inner[1])

    def action_page_down(self) -> None:
        """A page down."""
        self.scroll(self.text.inner[1] - 1)

    def action_first(self) -> None:
        """The beginning."""
        self.scroll(-len(self._rows))

    def action_last(self) -> None:
        """The end."""
        self.scroll(len(self._rows))

    def action_search(self) -> None:
        """Narrow to the lines with some words in them, while one types."""
        self.enter(
            "search",
            lambda text: None,
            text=self._words,
            hint="words of a key, an action, a rule",
            changed=self._search,
            cancelled=lambda: self._search(""),
        )

    def _search(self, words: str) -> None:
        self._words, self._top = words, 0
        self.paint()

    def action_close(self) -> None:
        """Back to where one was."""
        self.host.leave_room()
