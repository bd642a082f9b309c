"""The feed pane: the log of the fight, or a list that something is picked from."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from fightcall.paint.feed import FeedModel, FeedPlace, FeedView, FightLike
from fightcall.paint.layout import Drawing
from fightcall.paint.prompt_bar import ListView, list_rows
from fightcall.panes.messages import ChoiceClicked, EntryClicked
from fightcall.panes.rows_pane import RowsPane
from fightcall.panes.styles import StyleBook

LOG = "Log"
"""The title of the pane."""


class FeedPane(RowsPane):
    """The newest lines of the log, or those scrolled to. It keeps only the lines shown."""

    _model: FeedModel | None = None
    _view = FeedView()
    _list: ListView | None = None

    @property
    def view(self) -> FeedView:
        """The visible part of the log."""
        return self._view

    @property
    def has_list(self) -> bool:
        """Whether a list is shown in place of the log."""
        return self._list is not None

    def update_from(
        self,
        fight: FightLike,
        *,
        cursor: int | None = None,
        marked: Collection[int] = (),
        dim_after_cursor: bool = False,
    ) -> None:
        """Show the log of a fight, and scroll to a cursor that has moved.

        Args:
            fight: The fight; it is read again at each drawing.
            cursor: The number of the entry under the cursor.
            marked: Numbers of bookmarked entries.
            dim_after_cursor: What comes after the cursor has not happened yet.
        """
        if self._model is None or self._model.fight is not fight:
            self._model, self._view = FeedModel(fight, self.glyphs), FeedView()
        has_moved = cursor is not None and cursor != self._view.cursor
        self._view = replace(self._view, cursor=cursor, marked=frozenset(marked), dim_after_cursor=dim_after_cursor)
        if has_moved and cursor is not None:
            self._view = self._model.reveal(cursor, self._view, *self.inner)
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """The visible lines, or the list."""
        if self._list is not None:
            return list_rows(self._list, width=width, height=height, glyphs=self.glyphs)
        return self._model.visible(width, height, self._view) if self._model else Drawing(())

    def show_list(self, view: ListView | None) -> None:
        """Show a list in place of the log, or the log again."""
        if view is None and self._list is None:
            return
        self._list = view
        # Draw the frame and its content only once.
        self._title, self._note = (LOG, "") if view is None else (view.title, view.place)
        self.repaint()

    def dress(self, book: StyleBook) -> None:
        """Change the styles and glyphs."""
        if self._model is not None:
            self._model.dress(book.glyphs)
        super().dress(book)

    def toggle_entry(self, number: int) -> None:
        """Open or close an entry, to show its events, dice and rules."""
        if self._model is None:
            return
        width, height = self.inner
        view = replace(self._view, opened=self._view.opened ^ {number})
        self._view = self._model.reveal(number, view, width, height, height)
        self.repaint()

    def handle_resize(self) -> None:
        """Keep the entry under the cursor in view."""
        if self._model is not None and self._view.cursor is not None:
            view = self._model.reveal(self._view.cursor, self._view, *self.inner)
            if view != self._view:
                self._view = view
                self.repaint()

    # Scrolling

    def scroll_rows(self, rows: int) -> None:
        """Scroll by lines."""
        if self._model is not None:
            width, height = self.inner
            self._show_from(self._model.scroll(self._view, rows, width, height))

    def scroll_pages(self, pages: int) -> None:
        """Scroll by windows, with one line of overlap."""
        self.scroll_rows(pages * max(self.inner[1] - 1, 1))

    def to_top(self) -> None:
        """Show the beginning of the fight."""
        if self._model is not None and self._model.count:
            self._show_from(FeedPlace(0, 0))
            self._show_from(self._model.scroll(self._view, 0, *self.inner))

    def to_tail(self) -> None:
        """Show the newest lines, and follow them."""
        self._show_from(None)

    def find(self, text: str, way: int = -1) -> int | None:
        """The number of the next entry, from the cursor or the newest, that contains a text; None if there is none."""
        if self._model is None:
            return None
        start = self._view.cursor if self._view.cursor is not None else -1
        return self._model.find(text, start, way)

    def _show_from(self, bottom: FeedPlace | None) -> None:
        if bottom != self._view.bottom:
            self._view = replace(self._view, bottom=bottom)
            self.repaint()

    def handle_click(self, what: str, twice: bool) -> None:
        """An entry was clicked, or a row of the list."""
        if self._list is not None:
            self.post_message(ChoiceClicked(what))
            return
        self.post_message(EntryClicked(int(what)))
