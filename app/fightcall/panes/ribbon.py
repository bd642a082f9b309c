"""The ribbon pane: three rows above everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fightcall.paint.layout import Drawing
from fightcall.paint.ribbon import ReplayMark, ribbon_rows
from fightcall.panes.rows_pane import RowsPane

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState


class Mark(NamedTuple):
    """The arguments of `ribbon_rows` besides the fight."""

    saved: bool = True
    clock_text: str = ""
    watching: bool = False
    notice: str = ""
    replay: ReplayMark | None = None


class RibbonPane(RowsPane):
    """The fight, the agenda, and whose turn it is."""

    DEFAULT_CSS = "RibbonPane { height: 3; }"

    _fight: tuple[FightState, BaseSystem] | None = None
    _mark = Mark()

    def update_from(
        self,
        state: FightState,
        system: BaseSystem,
        *,
        saved: bool = True,
        clock_text: str = "",
        watching: bool = False,
        notice: str = "",
        replay: ReplayMark | None = None,
    ) -> None:
        """Show a state; the other arguments are those of `ribbon_rows`."""
        mark = Mark(saved, clock_text, watching, notice, replay)
        if self._fight is not None and self._fight[0] is state and mark == self._mark:
            return
        self._fight, self._mark = (state, system), mark
        self.repaint()

    def tick(self, clock_text: str) -> None:
        """Update the time of the decision clock."""
        if clock_text != self._mark.clock_text:
            self._mark = self._mark._replace(clock_text=clock_text)
            self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """The three rows."""
        if self._fight is None:
            return Drawing(())
        state, system = self._fight
        return Drawing(ribbon_rows(state, system, width=width, glyphs=self.glyphs, **self._mark._asdict()))
