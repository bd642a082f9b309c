"""Driving the rooms of the program in tests: an app over a home of its own, keys in, rows and faults out."""

from collections.abc import Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from textual import events
from textual.geometry import Size
from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import WorkerCancelled
from waiting import come_to_rest, work_off

from fightcall.app import FightCallApp
from fightcall.paint.runs import row_text
from fightcall.panes.base import RowsPane
from fightcall.settings import Paths, find_paths, key_name
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.play.fight import Fight

SMALL, LARGE = (80, 24), (152, 40)


def home(folder: Path) -> Paths:
    """The user's folders in a folder of a test."""
    return find_paths({"FIGHTCALL_HOME": str(folder / "home")})


def play(paths: Paths, encounter: str = "ambush-at-the-ford", advances: int = 6, name: str | None = None) -> Path:
    """A saved fight that has gone on for a while; its journal."""
    path = Shelf(paths).begin(load_encounter(encounter), name)
    fight = Fight.open(path)
    if advances:
        fight.give("start")
    for _ in range(advances):
        fight.give("advance")
    fight.give("damage", who=fight.state.order[0], amount=2)
    fight.close()
    return path


@asynccontextmanager
async def running(
    paths: Paths,
    size: tuple[int, int] = LARGE,
    first: Callable[[], Screen[None]] | None = None,
    faults: int = 0,
    notifications: bool = False,
):
    """The app, its first room settled. What goes wrong in a handler fails the test, unless it is expected."""
    app = FightCallApp(first, paths=paths)
    async with app.run_test(size=size, notifications=notifications) as pilot:
        await settle(pilot)
        yield pilot
    assert len(app.faults) == faults, app.faults


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything that was begun is done and drawn, and what that began in the background, too."""
    await come_to_rest(pilot)
    while not all(worker.is_finished for worker in pilot.app.workers):
        # Work that something newer has replaced takes a while to end.
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
        await come_to_rest(pilot)


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys one after the other, and wait for what comes of them.

    The pilot's own press sleeps after each key. Here each key is let through the queues of app and room, and only
    after the last one is everything waited for; a key that opens a room later than at once needs a press of its own.
    """
    for key in keys:
        event = events.Key(key_name(key), _character(key))
        event.set_sender(pilot.app)
        pilot.app.post_message(event)
        await work_off(pilot)
    await settle(pilot)


async def resize(pilot: Pilot[None], size: tuple[int, int]) -> None:
    """Give the terminal another size, and wait until all is drawn in it. The pilot's own way waits for a clock."""
    if pilot.app.size != size:
        pilot.app._driver._size = Size(*size)
        pilot.app.post_message(events.Resize(Size(*size), Size(*size)))
        await work_off(pilot)
        # What Textual does after a moment, in case the size goes on changing.
        pilot.app._check_resize()
        await settle(pilot)


def _character(key: str) -> str | None:
    return {"space": " ", "slash": "/"}.get(key, key if len(key) == 1 else None)


async def write(pilot: Pilot[None], text: str) -> None:
    """Type a text."""
    await press(pilot, *({" ": "space"}.get(letter, letter) for letter in text))


def screen_name(pilot: Pilot[None]) -> str:
    """The name of the room one is in."""
    return type(pilot.app.screen).__name__


def seen(pilot: Pilot[None], pane: str = "") -> str:
    """What the room shows, or one pane of it, line by line."""
    panes = pilot.app.screen.query(RowsPane)
    found = [one for one in panes if one.display and one.size.height and (not pane or one.id == pane)]
    return "\n".join(row_text(row) for one in found for row in one.rows)
