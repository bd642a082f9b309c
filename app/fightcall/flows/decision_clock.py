"""The decision clock: how long the players may dither before the GM may say that they are too slow."""

from __future__ import annotations

from fightcall_engine.model.state import FightState

USUAL_SECONDS = 60


class DecisionClock:
    """Counts down the seconds of a decision.

    It is a matter of the table, not of the fight: nothing of it is recorded.
    """

    def __init__(self) -> None:
        self.running = False
        self._left = 0
        self._step = ""

    def toggle(self, state: FightState) -> None:
        """Start from the full time, or stop."""
        self.running = not self.running
        self._reset(state)

    def restart(self, state: FightState) -> None:
        """A new step gives the full time again."""
        if self.running and state.step is not None and state.step.id != self._step:
            self._reset(state)

    def _reset(self, state: FightState) -> None:
        seconds = state.settings.get("decision_seconds", USUAL_SECONDS)
        self._left = max(1, int(seconds)) if isinstance(seconds, int | float) else USUAL_SECONDS
        self._step = state.step.id if state.step else ""

    def second(self) -> bool:
        """A second passes; True at the one in which time runs out."""
        self._left -= 1
        return self._left == 0

    def text(self) -> str:
        """What the ribbon shows."""
        if not self.running:
            return ""
        if self._left <= 0:
            return "time is up"
        return f"{self._left // 60}:{self._left % 60:02d}"
