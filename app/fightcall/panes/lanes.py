"""The pane of the timeline: all lanes, the marked moment, and what is due.

Few fights show it at once, so the modules that build and draw lanes are imported when it is first visible.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.paint.happening import entry_words
from fightcall.paint.layout import Drawing
from fightcall.panes.messages import Clicked, EntryClicked
from fightcall.panes.rows_pane import RowsPane

if TYPE_CHECKING:
    from fightcall_engine.play.fight import Fight
    from fightcall_engine.play.lanes import Lanes

OF_LANE = "who "
"""The prefix of spots of lanes."""


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
