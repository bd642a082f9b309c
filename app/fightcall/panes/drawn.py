"""A pane whose rows are drawn by its screen."""

from __future__ import annotations

from collections.abc import Callable

from fightcall.paint.layout import Drawing
from fightcall.panes.rows_pane import RowsPane
from fightcall.panes.styles import StyleBook


class DrawnPane(RowsPane):
    """A pane that asks a function for its rows.

    Args:
        book: the styles to draw with.
        drawer: draws the rows for a width and height in cells.
        clicked: called with what was clicked, and whether it was a double click.
        wheel: called with the lines to scroll, positive for down.
        title: the title of the frame.
        frame: whether there is a frame.
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
        """The rows of the drawer."""
        return self._drawer(width, height)

    def handle_click(self, what: str, twice: bool) -> None:
        """Tell the screen."""
        if self._clicked is not None:
            self._clicked(what, twice)

    def scroll_rows(self, rows: int) -> None:
        """Tell the screen."""
        if self._wheel is not None:
            self._wheel(rows)
