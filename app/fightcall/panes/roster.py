"""The roster pane: who fights and what they have left."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from fightcall.paint.layout import Drawing
from fightcall.paint.roster import Roster, roster_rows
from fightcall.panes.messages import Clicked
from fightcall.panes.rows_pane import RowsPane

if TYPE_CHECKING:
    from fightcall_engine.state import FightState
    from fightcall_engine.system import System


class RosterPane(RowsPane):
    """The combatants, two lines each where all of them fit, else one."""

    _fight: tuple[FightState, System] | None = None
    _selected = ""
    _targets: frozenset[str] = frozenset()
    _keys: Mapping[str, str] = {}
    _top = 0
    _drawn: Roster | None = None

    def update_from(
        self,
        state: FightState,
        system: System,
        *,
        selected: str = "",
        targets: Collection[str] = (),
        keys: Mapping[str, str] | None = None,
    ) -> None:
        """Show these combatants; a newly selected one is scrolled into view. `keys` as `roster_rows` has them."""
        moved = selected != self._selected
        same = self._fight is not None and self._fight[0] is state
        if same and not moved and self._targets == frozenset(targets):
            return
        self._fight = state, system
        self._selected, self._targets, self._keys = selected, frozenset(targets), keys or {}
        self.repaint()
        if moved:
            self.reveal(selected)

    def reveal(self, who: str) -> None:
        """Scroll just far enough that a combatant is seen whole."""
        span = self._drawn.spans.get(who) if self._drawn else None
        height = self.inner[1]
        if span is None or not height:
            return
        # The heading above the first of a group comes along.
        top = min(self._top, span.start - 1 if span.start == 1 else span.start)
        self._show_from(max(top, span.stop - height))

    def resized(self) -> None:
        """Keep the selected combatant in view."""
        self.reveal(self._selected)

    def scroll_rows(self, rows: int) -> None:
        """Scroll by so many lines."""
        self._show_from(self._top + rows)

    def _show_from(self, top: int) -> None:
        if top != self._top:
            self._top = top
            self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """The lines in view."""
        if self._fight is None:
            return Drawing(())
        state, system = self._fight
        drawn = roster_rows(
            state,
            system,
            selected=self._selected,
            targets=self._targets,
            width=width,
            height=height,
            top=self._top,
            glyphs=self.glyphs,
            keys=self._keys,
        )
        self._drawn, self._top = drawn, drawn.top
        return drawn.drawing

    def clicked(self, what: str, twice: bool) -> None:
        """A combatant was clicked."""
        self.post_message(Clicked(what, twice))
