"""The screen that starts and stops the players' screen for browsers, and shows its address."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from textual.app import ComposeResult

from fightcall.paint.layout import Drawing, stack, wrap
from fightcall.paint.runs import Row, Run
from fightcall.panes.base import DrawnPane
from fightcall.screens.base import BaseScreen
from fightcall.show.process import PlayersServer

HERE, NETWORK, STOP = "h", "n", "x"


class SharingScreen(BaseScreen):
    """Starts and stops the players' screen.

    Args:
        server: the fight's server, which keeps running when this screen is left.
    """

    SCOPE = "help"
    USES_ACTIONS = False

    def __init__(self, server: PlayersServer) -> None:
        super().__init__()
        self._server = server
        self._problem = ""
        self.text = DrawnPane(self.host.book, self._draw, title="Players' screen", frame=True, id="text")

    def compose(self) -> ComposeResult:
        """The address, and the foot."""
        yield self.text
        yield self.foot

    def key_pairs(self) -> list[tuple[str, str]]:
        """The keys of this screen."""
        running = [(STOP, "stop")] if self._server.address else []
        return [(HERE, "this computer only"), (NETWORK, "whole network"), *running, ("any other key", "back")]

    def take_key(self, key: str, character: str | None) -> bool:
        """Handle a key: start the server, stop it, or go back."""
        if key in (HERE, NETWORK):
            self.run_worker(self._start(lan=key == NETWORK), exclusive=True)
        elif key == STOP and self._server.address:
            self._server.stop()
            self.paint()
        elif key.startswith("ctrl+"):
            return False
        else:
            self.host.leave_screen()
        return True

    async def _start(self, *, lan: bool) -> None:
        self._problem = await self._server.start(lan=lan)
        self.paint()

    def _draw(self, cells: int, height: int) -> Drawing:
        rows = sharing_rows(self._server.address, self._problem, cells, height, dark=self.host.book.theme.dark)
        return Drawing(stack(rows, cells, height, "text"))


def sharing_rows(address: str, problem: str, cells: int, height: int, *, dark: bool) -> tuple[Row, ...]:
    """The address, with its QR code if there is room; or how to start."""
    lines: Sequence[str]
    if problem:
        lines = [line for part in problem.splitlines() for line in wrap(part.strip(), cells - 4)]
    elif address:
        lines = ("Players can watch at", address)
    else:
        text = f"{HERE}: this computer only, for a second screen. {NETWORK}: the whole network, for phones."
        lines = wrap(text, cells - 4)
    rows: list[Row] = [(), *((Run(f"  {line}", "bad" if problem else "strong"),) for line in lines), ()]
    code = draw_code(address, dark=dark) if address else ()
    if code and len(rows) + len(code) <= height and len(code[0]) + 2 <= cells:
        rows += [(Run(f"  {line}", "text"),) for line in code]
    return tuple(rows)


def draw_code(text: str, *, dark: bool) -> Sequence[str]:
    """A QR code with two of its rows in each line; empty if its library is missing.

    Args:
        text: the content.
        dark: on a dark background, the light cells of the code are drawn.
    """
    if importlib.util.find_spec("segno") is None:
        return ()
    import segno

    rows = [[bool(module) != dark for module in row] for row in segno.make(text, micro=False).matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([dark] * len(rows[0]))
    marks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return [
        "".join(marks[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    ]
