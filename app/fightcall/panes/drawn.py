"""A pane that a room draws: whenever it has another size, or the room says so, it asks the room for its rows."""

from __future__ import annotations

from collections.abc import Callable

from fightcall.paint.layout import Drawing
from fightcall.panes.rows_pane import RowsPane
from fightcall.panes.styles import StyleBook


class DrawnPane(RowsPane):
    """Rows drawn by somebody else.

    Args:
        book: the styles to draw with.
        drawer: what to show in so many cells across and rows down.
        clicked: told what was clicked, and whether twice.
        wheel: told by how many lines to scroll, down where above zero.
        title: the title of the frame.
        frame: whether there is one.
    """

    def __init__(
        self,
        book: StyleBook,
        drawer: Callable[[int, int], Drawing],
        *,
        clicked: Callable[[str, bool], None] | None = None,
        wheel: Callable[[int], None] | None = None,
        title: str = "",
        frame: bool = False,
        id: str | None = None,
    ) -> None:
        super().__init__(book, title=title, frame=frame, id=id)
        self._drawer = drawer
        self._clicked = clicked
        self._wheel = wheel

    def draw(self, width: int, height: int) -> Drawing:
        """What the screen says."""
        return self._drawer(width, height)

    def handle_click(self, what: str, twice: bool) -> None:
        """Tell the screen."""
        if self._clicked is not None:
            self._clicked(what, twice)

    def scroll_rows(self, rows: int) -> None:
        """Tell the screen."""
        if self._wheel is not None:
            self._wheel(rows)
