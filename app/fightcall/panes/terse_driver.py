"""A terminal driver that writes the same screens in fewer bytes."""

from __future__ import annotations

from typing import Any, cast

from textual.app import App
from textual.driver import Driver

from fightcall.paint.terminal_screen import TerminalScreen


class TerseDriver(Driver):
    """What a driver of the platform is made terse with: it writes only cells that the terminal does not show already.

    Attributes:
        shown: what the terminal shows.
    """

    def __init__(
        self, app: App[object], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self.shown = TerminalScreen()

    def write(self, data: str) -> None:
        """Write what of a frame is not on the terminal already; whatever else is written, as it is."""
        written = self.shown.update(data)
        if written:
            cast("Any", super()).write(written)


def terse(kind: type[Driver]) -> type[Driver]:
    """The same driver, writing less."""
    return type(f"Terse{kind.__name__}", (TerseDriver, kind), {})
