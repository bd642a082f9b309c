"""The panes of a combatant's card, of the story, and of the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.paint.layout import Drawing, Spot, scroll_marks, stack
from fightcall.paint.runs import join
from fightcall.paint.sections import Sections, card_sections, closing_rows, story_sections
from fightcall.panes.messages import Clicked
from fightcall.panes.rows_pane import RowsPane

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Section
    from fightcall_engine.model.state import FightState


class SectionsPane(RowsPane):
    """Scrolled rows about combatants, with the selected one in view."""

    _fight: tuple[FightState, BaseSystem] | None = None
    _selected = ""
    _top = 0
    _sections = Sections((), {})

    def draw_sections(self, state: FightState, system: BaseSystem, cells: int) -> Sections:
        """All rows, for a width in cells."""
        raise NotImplementedError

    def update_from(self, state: FightState, system: BaseSystem, *, selected: str = "") -> None:
        """Show a state; scroll to a newly selected combatant."""
        is_new_selection = selected != self._selected
        if self._fight is not None and self._fight[0] is state and not is_new_selection:
            return
        self._fight, self._selected = (state, system), selected
        self.repaint()
        if is_new_selection:
            self._reveal()

    def _reveal(self) -> None:
        span, height = self._sections.spans.get(self._selected), self.inner[1]
        if span is None or height <= 0:
            return
        # Show its last row, but above all its first.
        self._show_from(min(max(self._top, span.stop - height), span.start))

    def draw(self, width: int, height: int) -> Drawing:
        """The visible rows."""
        if self._fight is None:
            return Drawing(())
        self._sections = sections = self.draw_sections(*self._fight, width - 1)
        self._top = top = max(0, min(self._top, len(sections.rows) - height))
        window = stack(sections.rows[top : top + height], width - 1, height, "text")
        bar = scroll_marks(top, height, len(sections.rows), self.glyphs)
        rows = tuple(join((row, (mark,))) for row, mark in zip(window, bar, strict=True)) if bar else window
        spots = tuple(
            Spot(range(max(span.start - top, 0), min(span.stop - top, height)), range(width), combatant_id)
            for combatant_id, span in sections.spans.items()
            if combatant_id
        )
        return Drawing(rows, spots)

    def scroll_rows(self, rows: int) -> None:
        """Scroll by so many rows."""
        self._show_from(self._top + rows)

    def scroll_pages(self, pages: int) -> None:
        """Scroll by windows, with one row of overlap."""
        self.scroll_rows(pages * max(self.inner[1] - 1, 1))

    def _show_from(self, top: int) -> None:
        if top != self._top:
            self._top = top
            self.repaint()

    def handle_click(self, what: str, twice: bool) -> None:
        """A combatant was clicked."""
        self.post_message(Clicked(what))

    def handle_resize(self) -> None:
        """Keep the selected one in view."""
        self._reveal()


class CardPane(SectionsPane):
    """Everything about the selected combatant."""

    def draw_sections(self, state: FightState, system: BaseSystem, cells: int) -> Sections:
        """The card."""
        return card_sections(state, system, self._selected, cells, self.glyphs)


class StoryPane(SectionsPane):
    """The selected combatant's note, the encounter's story, and the kinds of ground."""

    _story = ""

    def tell(self, story: str) -> None:
        """Set the story."""
        self._story = story

    def draw_sections(self, state: FightState, system: BaseSystem, cells: int) -> Sections:
        """The note, the story and the legend."""
        return story_sections(state, system, self._story, self._selected, cells, self.glyphs)


class AfterPane(SectionsPane):
    """The summary of a fight that is over, and what is left to do."""

    _told: tuple[Section, ...] = ()

    def tell(self, sections: tuple[Section, ...]) -> None:
        """Set the sections."""
        self._told = sections

    def draw_sections(self, state: FightState, system: BaseSystem, cells: int) -> Sections:
        """The sections, one below the other."""
        return closing_rows(state, system, self._told, self._selected, cells, self.glyphs)
