"""The forecast of a screen: in a pane that follows what is on the screen, with numbers from other processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from textual.worker import Worker

from fightcall.paint.combatants import SHARE
from fightcall.panes.base import StyleBook
from fightcall.panes.rows import ToldPane
from fightcall.processes import ForecastFailed, play_fights, spare_processes
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import copy_with
from fightcall_engine.play.forecast import Forecast, Job, Results, forecast_sections, forecast_words

if TYPE_CHECKING:
    from fightcall.screens.base import BaseScreen

FIGHTS = 200
"""How many fights are played."""
PAUSE_S = 0.5
"""How many seconds nothing changes before a forecast begins."""
REFRESH_S = 0.3
"""The least time between two paintings of the numbers."""
WORTH_COMPARING = 20
"""The fewest fights of a forecast that is shown beside the next one."""


class Forecaster:
    """Shows a forecast in a pane, and begins another one whenever the fight on the screen has changed.

    At most one forecast runs. It ends with the screen.

    Attributes:
        pane: the pane.
    """

    def __init__(self, screen: BaseScreen, book: StyleBook) -> None:
        self.pane = ToldPane(book, title="Forecast", frame=True, id="forecast")
        self.pane.gauge_style = SHARE
        self._screen = screen
        self._worker: Worker[None] | None = None
        self._subject: object = None
        self._name = ""
        self._result = Forecast()
        self._before: tuple[Detail, ...] = ()

    def follow(
        self, subject: object, name: str, state: FightState, system: BaseSystem, make_job: Callable[[], Job]
    ) -> None:
        """Forecast a fight, unless it is the one that was forecast last.

        Args:
            subject: what it depends on; equal for equal fights.
            name: what it is called beside the next one, such as ``at entry 12``; empty to forget it then.
            state: the fight, to be drawn with.
            system: its rules.
            make_job: makes the job.
        """
        if subject == self._subject:
            return
        self.stop()
        self._subject = subject
        words = system.words(state.settings)
        if self._name and self._result.fights >= WORTH_COMPARING:
            self._before = (Detail(self._name, forecast_words(self._result, words)),)
        self._name, self._result = name, Forecast()
        self.pane.update_from(state, system)
        self.pane.tell((Section("Playing the first fights", self._before),))
        # A coroutine would complain if it were cancelled before it begins.
        work = partial(self._play, make_job, state, system)
        self._worker = self._screen.run_worker(work, exclusive=True, group="forecast", exit_on_error=False)

    def stop(self, why: str = "") -> None:
        """End the forecast, with a reason to show in its place."""
        self._subject = None
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        if why:
            self.pane.tell((Section(why, ()),))

    async def _play(self, make_job: Callable[[], Job], state: FightState, system: BaseSystem) -> None:
        await asyncio.sleep(PAUSE_S)
        job, results, shown_at = copy_with(make_job(), fights=FIGHTS), Results(), 0.0
        try:
            async with aclosing(play_fights(job, spare_processes())) as played:
                async for outcome in played:
                    results.add(outcome)
                    if results.fights == job.fights or monotonic() - shown_at > REFRESH_S:
                        shown_at = monotonic()
                        self._show(results.forecast(), state, system, job.fights)
        except ForecastFailed as failed:
            self.pane.tell((Section("The forecast failed", (Detail("", str(failed), tone="bad"),)),))

    def _show(self, result: Forecast, state: FightState, system: BaseSystem, asked: int) -> None:
        self._result = result
        first, *rest = forecast_sections(result, system.words(state.settings), system.health, asked)
        before = (Section("Before", self._before),) if self._before else ()
        self.pane.tell((first, *before, *rest))
