"""Help: what the rules say now, and every key. Opaque, scrolled, searched with a slash."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult

from fightcall.actions import Scope
from fightcall.paint.layout import Drawing, scroll_marks, stack
from fightcall.panes.drawn import DrawnPane
from fightcall.screens.base import BaseScreen
from fightcall.screens.help_rows import Line, help_lines, help_rows, search_lines

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState


class HelpScreen(BaseScreen):
    """What can be done in a screen.

    Args:
        scope: the screen's scope.
        fight: its running fight as (state, system), where there is one.
        first: what stands before everything else, such as where a number comes from.
    """

    SCOPE = "help"

    def __init__(
        self, scope: Scope, fight: tuple[FightState, BaseSystem] | None = None, first: Sequence[Line] = ()
    ) -> None:
        super().__init__()
        self._lines = [*first, *help_lines(scope, self.names, fight)]
        self._words = ""
        self._top = 0
        self._length = 0
        self.text = DrawnPane(self.host.book, self._draw, wheel=self.scroll, title="Help", frame=True, id="text")

    def compose(self) -> ComposeResult:
        """The text and the foot."""
        yield self.text
        yield self.foot

    def _draw(self, cells: int, height: int) -> Drawing:
        lines = search_lines(self._lines, self._words) if self._words else self._lines
        rows = help_rows(lines, cells - 1, ids=True)
        self._length = len(rows)
        self._top = max(0, min(self._top, len(rows) - height))
        shown = stack(rows[self._top : self._top + height], cells - 1, height, "text")
        bar = scroll_marks(self._top, height, len(rows), self.text.glyphs)
        return Drawing(tuple((*row, bar[y]) for y, row in enumerate(shown)) if bar else shown)

    def scroll(self, by: int) -> None:
        """So many rows further down."""
        self._top += by
        self.text.repaint()

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
        self.scroll(-self._length)

    def action_last(self) -> None:
        """The end."""
        self.scroll(self._length)

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
        self.text.set_frame(title=f"Help: {words}" if words else "Help")
        self.text.repaint()

    def action_help(self) -> None:
        """The key that opens help closes it."""
        self.host.leave_screen()

    def action_close(self) -> None:
        """Back to where one was."""
        self.host.leave_screen()
