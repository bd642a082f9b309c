"""A terminal driver that writes the same screens in fewer bytes."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from textual.driver import Driver

from fightcall.paint.terminal_screen import TerminalScreen


class TerseDriver(Driver):
    """A mixin for the platform's driver that writes only cells that have changed.

    Attributes:
        shown: what the terminal shows.
    """

    shown: ClassVar[TerminalScreen]

    def write(self, data: str) -> None:
        """Write the changed cells, then the data."""
        written = self.shown.update(data)
        if written:
            cast("Any", super()).write(written)


def terse(kind: type[Driver], screen: TerminalScreen) -> type[Driver]:
    """A subclass of a driver that writes only what the terminal does not show already."""
    return type(f"Terse{kind.__name__}", (TerseDriver, kind), {"shown": screen})
