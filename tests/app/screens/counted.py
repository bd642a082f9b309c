"""The fight screen with a driver that keeps what is written for the terminal, and counts frames and lines."""

from contextlib import asynccontextmanager
from dataclasses import dataclass

from stagehand import WIDE, Play
from textual.drivers.headless_driver import HeadlessDriver

from fightcall.app import FightCallApp
from fightcall.panes.base import RowsPane
from fightcall.screens.fight import FightScreen
from fightcall.settings import Paths


class KeepingDriver(HeadlessDriver):
    """Draws for nobody, but draws: the frames are put together and encoded as for a terminal."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.written = []

    @property
    def is_headless(self):
        """No: then Textual would not encode its frames."""
        return False

    def write(self, data):
        """Keep it."""
        self.written.append(data)


class CountedApp(FightCallApp):
    """Knows when a frame has been written."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.driver_class = KeepingDriver
        self.frames = 0
        self._seen = 0

    def post_display_hook(self):
        """A frame, where anything was written for it."""
        written = len(self._driver.written) if self._driver else 0
        if written != self._seen:
            self.frames, self._seen = self.frames + 1, written


@dataclass(frozen=True)
class Count:
    """What one action cost the terminal: bytes written, frames, and rows of panes that were rendered."""

    bytes: int
    frames: int
    lines: int


class CountedPlay(Play):
    """A fight on the screen whose frames are counted."""

    async def count(self, *keys):
        """What the frames after these keys came to."""
        driver, frames = self.app._driver, self.app.frames
        driver.written.clear()
        self.app._seen = 0
        lines = []

        def rendered(pane, row, plain=RowsPane.render_row):
            lines.append(row)
            return plain(pane, row)

        plain, RowsPane.render_row = RowsPane.render_row, rendered
        try:
            await self.press(*keys)
        finally:
            RowsPane.render_row = plain
        return Count(len("".join(driver.written).encode()), self.app.frames - frames, len(lines))


@asynccontextmanager
async def counted(fight, home, size=WIDE, theme=""):
    """The fight on a screen whose frames are counted."""
    app = CountedApp(lambda: FightScreen(fight), paths=Paths(home / "data", home / "config"), theme=theme)
    async with app.run_test(size=size, headless=False) as pilot:
        play = CountedPlay(app, pilot, fight)
        await play.settle()
        yield play
        assert app.faults == []
