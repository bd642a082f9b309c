"""The pane of the exchange panel, which covers the lower part of the board."""

from __future__ import annotations

from textual.widget import Widget

from fightcall.paint.exchange import PanelView, exchange_rows, wanted_height
from fightcall.paint.layout import Drawing
from fightcall.panes.messages import ChoiceClicked
from fightcall.panes.rows_pane import RowsPane
from fightcall.panes.styles import StyleBook

EDGES = 2
"""The rows and cells that the frame takes."""
LEAST = 6
"""The height that a panel may always have, whatever the size of the screen."""


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
