"""A screen with text to read, such as problems in the user's files or a fault. Any key leaves it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult

from fightcall.paint.layout import Drawing, stack, wrap
from fightcall.paint.runs import Row, Run, clean
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import BaseScreen

_SCROLLS = {"up": -1, "k": -1, "down": 1, "j": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}


class NoticeScreen(BaseScreen):
    """A title, and paragraphs that are wrapped and scrolled.

    Args:
        title: the title.
        paragraphs: the text; the first paragraph says what to do.
    """

    SCOPE = "help"
    USES_ACTIONS = False

    def __init__(self, title: str, paragraphs: Sequence[str]) -> None:
        super().__init__()
        self._paragraphs = tuple(paragraphs)
        self._top = 0
        self.text = DrawnPane(self.host.book, self._draw, wheel=self._scroll, title=clean(title), frame=True, id="text")

    def compose(self) -> ComposeResult:
        """The text and the foot."""
        yield self.text
        yield self.foot

    def key_pairs(self) -> list[tuple[str, str]]:
        """Scrolling and going on."""
        return [(self.names.label("help.down"), "down"), ("any other key", "continue")]

    def _draw(self, cells: int, height: int) -> Drawing:
        rows = notice_rows(self._paragraphs, cells)
        self._top = max(0, min(self._top, len(rows) - height))
        return Drawing(stack(rows[self._top :], cells, height, "text"))

    def _scroll(self, rows: int) -> None:
        self._top += rows
        self.text.repaint()

    def take_key(self, key: str, character: str | None) -> bool:
        """Scroll, or leave."""
        if key in _SCROLLS:
            self._scroll(_SCROLLS[key])
        elif key.startswith("ctrl+"):
            return False
        else:
            self.host.leave_screen()
        return True

    def on_click(self, event: events.Click) -> None:
        """A click leaves it, too."""
        self.host.leave_screen()


def notice_rows(paragraphs: Sequence[str], cells: int) -> tuple[Row, ...]:
    """Paragraphs with an empty row between them, two cells in from the left."""
    rows: list[Row] = [()]
    for number, paragraph in enumerate(paragraphs):
        style = "strong" if number == 0 else "text"
        lines = [line for part in paragraph.split("\n") for line in wrap(part, cells - 4, 2)]
        rows += [(Run("  ", "text"), Run(line, style)) for line in lines]
        rows.append(())
    return tuple(rows)
