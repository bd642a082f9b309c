"""The pane of the exchange panel: over the lower part of the board while somebody's act against somebody is given."""

from __future__ import annotations

from textual.widget import Widget

from fightcall.paint.exchange import PanelView, exchange_rows, wanted_height
from fightcall.paint.layout import Drawing
from fightcall.panes.messages import ChoiceClicked
from fightcall.panes.rows_pane import RowsPane
from fightcall.panes.styles import StyleBook

EDGES = 2
"""The rows of the frame, and the cells of its sides."""
LEAST = 6
"""Rows that are enough for a panel, whatever the screen."""


class ExchangePane(RowsPane):
    """Shows one panel, as high as its rows.

    While there is none it is there without a row: another widget on the screen would have all the others drawn again.
    """

    DEFAULT_CSS = "ExchangePane { height: 0; width: 100%; }"

    def __init__(self, book: StyleBook, *, id: str | None = None) -> None:
        super().__init__(book, frame=True, id=id)
        self._view: PanelView | None = None
        self._rows = 0
        self._drawing = Drawing(((),))

    @property
    def is_open(self) -> bool:
        """True while a panel is seen."""
        return self._view is not None

    @property
    def rows_over_board(self) -> int:
        """How many rows of the board's inside, which ends a row above the panel's lower edge, it is drawn over."""
        return max(self._rows - 1, 0)

    def update_from(self, view: PanelView | None) -> None:
        """Show this panel, or none."""
        self._view = view
        if view is not None:
            self.set_frame(title=view.title, note=view.due)
        self._fit()
        if view is not None:
            self.repaint()

    def _fit(self) -> None:
        """Take the rows that the panel wants, at most three fifths of the screen; none where there is no panel."""
        rows = 0
        if self._view is not None:
            full_height = wanted_height(self._view, width=max(self._across(), 1), glyphs=self.glyphs) + EDGES
            rows = min(full_height, max(self.app.size.height * 3 // 5, LEAST))
        # Another height lays out the screen again, so it is set only where it is another.
        if rows != self._rows:
            self._rows, self.styles.height = rows, rows

    def _across(self) -> int:
        """The cells inside, also before it is seen for the first time."""
        if self.inner[0]:
            return self.inner[0]
        return self.parent.size.width - self.styles.margin.width - EDGES if isinstance(self.parent, Widget) else 0

    def handle_resize(self) -> None:
        """Another width may want other rows."""
        if self._view is not None:
            self._fit()

    def draw(self, width: int, height: int) -> Drawing:
        """The rows in view."""
        if self._view is None:
            return Drawing(())
        return exchange_rows(self._view, width=width, height=height, glyphs=self.glyphs)

    def handle_click(self, what: str, twice: bool) -> None:
        """A key at the foot was clicked."""
        kind, _, key = what.partition(" ")
        if kind == "key":
            self.post_message(ChoiceClicked(key))
