"""A terminal driver that writes the same screens in fewer bytes."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from textual.driver import Driver

from fightcall.paint.terminal_screen import TerminalScreen


class TerseDriver(Driver):
    """What a driver of the platform is made terse with: it writes only cells that the terminal does not show already.

    Attributes:
        shown: what the terminal shows.
    """

    shown: ClassVar[TerminalScreen]

    def write(self, data: str) -> None:
        """Write what of the cells put since is not on the terminal already, then whatever else is written."""
        written = self.shown.update(data)
        if written:
            cast("Any", super()).write(written)


def terse(kind: type[Driver], screen: TerminalScreen) -> type[Driver]:
    """The same driver, writing less: what of a screen the terminal does not show already."""
    return type(f"Terse{kind.__name__}", (TerseDriver, kind), {"shown": screen})
