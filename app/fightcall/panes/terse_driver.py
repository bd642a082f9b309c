"""A terminal driver that writes the same screens in fewer bytes."""

from __future__ import annotations

from typing import cast

from textual.driver import Driver

from fightcall.paint.sequences import shorten


def terse(kind: type[Driver]) -> type[Driver]:
    """The same driver, with every frame's sequences shortened."""

    def write(self: Driver, data: str) -> None:
        kind.write(self, shorten(data))

    return cast("type[Driver]", type(f"Terse{kind.__name__}", (kind,), {"write": write}))
