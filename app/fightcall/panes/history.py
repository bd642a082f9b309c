"""The panes of what has happened: the log, and everyone's timeline."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from fightcall.paint.feed import FeedModel, FeedPlace, FeedView, FightLike
from fightcall.paint.happening import entry_words
from fightcall.paint.layout import Drawing
from fightcall.paint.prompt_bar import ListView, list_rows
from fightcall.panes.base import ChoiceClicked, Clicked, EntryClicked, RowsPane, StyleBook

if TYPE_CHECKING:
    from fightcall_engine.play.fight import Fight
    from fightcall_engine.play.lanes import Lanes

LOG = "Log"
"""The title of the pane."""

OF_LANE = "who "
"""The prefix of spots of lanes."""


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


class LanesPane(RowsPane):
    """The timeline of a fight for the GM, updated while it is visible.

    Attributes:
        marked: the number of the marked entry, 0 for the beginning; None for the present.
    """

    marked: int | None = None
    _fight: Fight | None = None
    _lanes: Lanes | None = None
    _head: int = 0
    _selected = ""
    _top = 0
    _is_told = False

    def update_from(self, fight: Fight, *, selected: str = "", entry: int | None = None) -> None:
        """Show a fight at the present, or at an entry. A mark is dropped when the fight goes on.

        Args:
            fight: the fight, read again whenever it has changed.
            selected: the combatant whose lane is marked.
            entry: the entry that a replay shows; None to use the pane's own mark.
        """
        if self._lanes is None or self._fight is not fight:
            from fightcall_engine.play.lanes import Lanes

            self._fight, self._lanes = fight, Lanes(fight, for_gm=True)
        if entry is not None or fight.head_number != self._head:
            self.marked = entry
        self._is_told = entry is not None
        has_moved = selected != self._selected
        self._head, self._selected = fight.head_number, selected
        self.set_frame(note=f"#{self.marked} of {self._head}" if self.marked is not None else "")
        if has_moved:
            self.handle_resize()
        self.repaint()

    def move(self, by: int) -> None:
        """Move the mark by entries, back if negative; after the last one is the present."""
        if self._fight is None:
            return
        numbers = [0, *(entry.number for entry in self._fight.line.entries)]
        here = numbers.index(self.marked) if self.marked in numbers else len(numbers) - 1
        self._mark(numbers, here + by)

    def scroll_pages(self, pages: int) -> None:
        """Move the mark by rounds; in a replay, which has keys for that, scroll the lanes."""
        if self._fight is None or self._lanes is None or self._is_told:
            self.scroll_rows(pages * max(self.inner[1] - 6, 1))
            return
        from fightcall.paint.lanes import column_of

        columns = self._lanes.chart().columns
        at = column_of(self._lanes.chart(), self.marked)
        starts = [
            index for index, column in enumerate(columns) if not index or column.round != columns[index - 1].round
        ]
        starts_beyond = [place for place in starts if (place < at if pages < 0 else place > at)]
        if not starts_beyond:
            self.move(-len(columns) if pages < 0 else self._fight.line.entry_count())
            return
        numbers = [0, *(entry.number for entry in self._fight.line.entries)]
        entry = columns[starts_beyond[-1] if pages < 0 else starts_beyond[0]].entry
        self._mark(numbers, numbers.index(entry) if entry in numbers else 0)

    def _mark(self, numbers: list[int], place: int) -> None:
        place = max(0, place)
        self.marked = numbers[place] if place < len(numbers) - 1 else None
        self.set_frame(note=f"#{self.marked} of {self._head}" if self.marked is not None else "")
        self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """The lanes around the marked moment."""
        fight = self._fight
        if fight is None or self._lanes is None:
            return Drawing(())
        from fightcall.paint.lanes import LanesView, lanes_rows

        lanes = lanes_rows(
            self._lanes.chart(),
            LanesView(self._selected, self.marked, self._top),
            fight.system,
            fight.system.words(fight.state.settings).sides,
            width=width,
            height=height,
            words_of=lambda number: entry_words(fight, number),
            glyphs=self.glyphs,
        )
        self._top = lanes.top
        return lanes.drawing

    def scroll_rows(self, rows: int) -> None:
        """Scroll by rows of lanes."""
        self._top = max(0, self._top + rows)
        self.repaint()

    def handle_resize(self) -> None:
        """Keep the selected lane in view."""
        if self._lanes is not None:
            from fightcall.paint.lanes import top_for

            self._top = top_for(self._lanes.chart(), self._selected, self.inner[1], self._top)

    def handle_click(self, what: str, twice: bool) -> None:
        """A lane or a moment was clicked."""
        if what.startswith(OF_LANE):
            self.post_message(Clicked(what.removeprefix(OF_LANE)))
        elif self._is_told:
            self.post_message(EntryClicked(int(what)))
        elif self._fight is not None:
            numbers = [0, *(entry.number for entry in self._fight.line.entries)]
            self._mark(numbers, numbers.index(int(what)) if int(what) in numbers else len(numbers))
