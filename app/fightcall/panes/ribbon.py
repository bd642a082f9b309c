"""The ribbon pane: three rows above everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall.paint.layout import Drawing
from fightcall.paint.ribbon import ReplayMark, ribbon_rows
from fightcall.panes.rows_pane import RowsPane

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState


class RibbonPane(RowsPane):
    """Fight, agenda, and whose part of it runs."""

    DEFAULT_CSS = "RibbonPane { height: 3; }"

    _fight: tuple[FightState, BaseSystem] | None = None
    _saved = True
    _clock_text = ""
    _watching = False
    _trial = False
    _replay: ReplayMark | None = None

    def update_from(
        self,
        state: FightState,
        system: BaseSystem,
        *,
        saved: bool = True,
        clock_text: str = "",
        watching: bool = False,
        trial: bool = False,
        replay: ReplayMark | None = None,
    ) -> None:
        """Show this moment; see `ribbon_rows` for what the words mean."""
        self._fight = state, system
        self._saved, self._clock_text, self._watching, self._replay = saved, clock_text, watching, replay
        self._trial = trial
        self.repaint()

    def tick(self, clock_text: str) -> None:
        """Show another time on the decision clock."""
        if clock_text != self._clock_text:
            self._clock_text = clock_text
            self.repaint()

    def draw(self, width: int, height: int) -> Drawing:
        """The three rows."""
        if self._fight is None:
            return Drawing(())
        state, system = self._fight
        return Drawing(
            ribbon_rows(
                state,
                system,
                width=width,
                glyphs=self.glyphs,
                saved=self._saved,
                clock_text=self._clock_text,
                watching=self._watching,
                trial=self._trial,
                replay=self._replay,
            )
        )
