"""The panes of combatants: the roster, and the table of declarations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from fightcall.paint.layout import Drawing
from fightcall.paint.roster import HEAD, DeclaredTable, Roster, declared_by, declared_rows, roster_rows
from fightcall.paint.roster_line import LineCache
from fightcall.panes.messages import Clicked
from fightcall.panes.rows_pane import RowsPane
from fightcall.panes.styles import StyleBook

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
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
