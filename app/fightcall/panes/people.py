"""The panes of combatants: roster, declarations, card, story and summary."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from fightcall.paint.layout import Drawing, Spot, scroll_marks, stack
from fightcall.paint.roster import HEAD, DeclaredTable, Roster, declared_by, declared_rows, roster_rows
from fightcall.paint.roster_line import LineCache
from fightcall.paint.runs import join
from fightcall.paint.sections import Sections, card_sections, closing_rows, story_sections
from fightcall.panes.base import Clicked, RowsPane, StyleBook

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Section
    from fightcall_engine.model.state import FightState


class PeoplePane(RowsPane):
    """Lines of combatants to click and scroll, with the selected one in view."""

    _fight: tuple[FightState, BaseSystem] | None = None
    _selected = ""
    _targets: frozenset[str] = frozenset()
    _top = 0
    _drawn: Roster | DeclaredTable | None = None
    _fixed = 0
    """How many rows above the lines do not scroll."""

    @property
    def people(self) -> tuple[str, ...]:
        """The ids in the order of the lines."""
        return tuple(self._drawn.spans) if self._drawn else ()

    def update_from(
        self, state: FightState, system: BaseSystem, *, selected: str = "", targets: Collection[str] = ()
    ) -> None:
        """Show the combatants of a state; scroll to a newly selected one."""
        is_new_selection = selected != self._selected
        same = self._fight is not None and self._fight[0] is state
        if same and not is_new_selection and self._targets == frozenset(targets):
            return
        self._fight = state, system
        self._selected, self._targets = selected, frozenset(targets)
        self.repaint()
        if is_new_selection:
            self.reveal(selected)

    def reveal(self, combatant_id: str) -> None:
        """Scroll just far enough to show all lines of a combatant."""
        span = self._drawn.spans.get(combatant_id) if self._drawn else None
        height = self.inner[1] - self._fixed
        if span is None or height <= 0:
            return
        # Include the heading above the first of a group.
        top = min(self._top, span.start - 1 if span.start == 1 else span.start)
        self._show_from(max(top, span.stop - height))

    def handle_resize(self) -> None:
        """Keep the selected combatant in view."""
        self.reveal(self._selected)

    def scroll_rows(self, rows: int) -> None:
        """Scroll by lines."""
        self._show_from(self._top + rows)

    def scroll_pages(self, pages: int) -> None:
        """Scroll by windows, with one line of overlap."""
        self.scroll_rows(pages * max(self.inner[1] - self._fixed - 1, 1))

    def _show_from(self, top: int) -> None:
        if top != self._top:
            self._top = top
            self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """The visible lines."""
        if self._fight is None:
            return Drawing(())
        roster = self.draw_lines(*self._fight, width, height)
        self._drawn, self._top = roster, roster.top
        return roster.drawing

    def draw_lines(self, state: FightState, system: BaseSystem, width: int, height: int) -> Roster | DeclaredTable:
        """The visible lines, and where all are among all lines."""
        raise NotImplementedError

    def handle_click(self, what: str, twice: bool) -> None:
        """A combatant was clicked."""
        self.post_message(Clicked(what))


class RosterPane(PeoplePane):
    """The combatants with what they have left, or their declarations, in two lines each if all fit, else one."""

    _keys: Mapping[str, str] = {}
    _declared = False

    def __init__(self, book: StyleBook, *, title: str = "", frame: bool = False, id: str | None = None) -> None:
        super().__init__(book, title=title, frame=frame, id=id)
        self._line_cache = LineCache()

    def set_keys(self, keys: Mapping[str, str]) -> None:
        """Set the keys, as for `roster_rows`."""
        self._keys = keys

    @property
    def shows_declared(self) -> bool:
        """Whether the lines show declarations."""
        return self._declared

    def show_declared(self, shows: bool) -> None:
        """Show declarations, or what all have left."""
        self._declared = shows
        self.repaint()
        self.reveal(self._selected)

    def draw_lines(self, state: FightState, system: BaseSystem, width: int, height: int) -> Roster:
        """The roster."""
        declarations = declared_by(state, system) if self._declared else {}
        self.set_frame(title="Roster: declared" if declarations else "Roster")
        return roster_rows(
            state,
            system,
            selected=self._selected,
            targets=self._targets,
            width=width,
            height=height,
            top=self._top,
            glyphs=self.glyphs,
            keys=self._keys,
            declarations=declarations or None,
            line_cache=self._line_cache,
        )


class DeclaredPane(PeoplePane):
    """The table of declarations."""

    _fixed = HEAD

    def draw_lines(self, state: FightState, system: BaseSystem, width: int, height: int) -> DeclaredTable:
        """The table."""
        return declared_rows(
            state,
            system,
            selected=self._selected,
            targets=self._targets,
            width=width,
            height=height,
            top=self._top,
            glyphs=self.glyphs,
        )


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
