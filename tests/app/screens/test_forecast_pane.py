"""The forecast on the screen: in set-up and in a fight, with numbers from other processes, for the GM alone."""

from contextlib import asynccontextmanager

import pytest
from driver import LARGE, SMALL, home, press, running, screen_name, seen, settle, write
from stagehand import playing
from textual import events
from waiting import work_off
from workers import workers_of

from fightcall.paint.runs import row_width
from fightcall.processes import SPARE_PROCESSES
from fightcall.screens import fight_panes
from fightcall.screens.setup import SetupScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.story import player_view

SIZES = (SMALL, (140, 40), (200, 55))
ENDLESS = 100_000
"""More fights than any test waits for."""


@pytest.fixture
def paths(tmp_path, monkeypatch):
    """A home, by which the processes of a test are known, and short forecasts that begin at once."""
    monkeypatch.setenv("FIGHTCALL_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(fight_panes, "PAUSE_S", 0)
    monkeypatch.setattr(fight_panes, "FIGHTS", 2)
    return home(tmp_path)


@pytest.fixture
def endless(monkeypatch):
    monkeypatch.setattr(fight_panes, "FIGHTS", ENDLESS)


async def until(pilot, is_so, what):
    """Let the program run until something has come of it."""
    for _ in range(1200):
        if is_so():
            return
        await pilot.pause(0.05)
    raise AssertionError(f"{what} never happened")


async def send(pilot, *keys):
    """Press keys, and wait only for what they do at once."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await work_off(pilot)


@asynccontextmanager
async def setting_up(paths, size=LARGE):
    """The ambush at the ford in set-up, with the cursor on Goblin 1."""
    async with running(paths, size, lambda: SetupScreen(Shelf(paths), load_encounter("ambush-at-the-ford"))) as pilot:
        await press(pilot, "tab", "down", "down", "down")
        yield pilot


async def test_in_set_up_a_pane_shows_how_the_fight_would_go(paths):
    """From its first row on, at a new size, too."""
    async with setting_up(paths, SIZES[0]) as pilot:
        await press(pilot, "percent_sign")
        for size in SIZES:
            await pilot.resize_terminal(*size)
            await settle(pilot)
            text = seen(pilot, "forecast")
            assert "2 fights" in text
            assert "Party wins" in text
            for pane in (pilot.app.screen.query_one("#list"), pilot.app.screen.query_one("#forecast")):
                assert [row_width(row) for row in pane.rows] == [pane.size.width] * pane.size.height
                assert pane.size.height >= 7
        await press(pilot, "percent_sign")
        assert not pilot.app.screen.query_one("#forecast").display
    assert workers_of(paths.data.parent) == []


async def test_the_pane_follows_the_changes(paths):
    """Without the foes but one, the party can't lose; one side alone is no fight, and undone it is one again."""
    async with setting_up(paths) as pilot:
        await press(pilot, "percent_sign")
        before = seen(pilot, "forecast")
        await send(pilot, "x", "x")
        await press(pilot, "x")
        after = seen(pilot, "forecast")
        assert "Goblin 1" in before
        assert "Goblin" not in after
        assert "100 %" in after
        await press(pilot, "x")
        assert "Two sides must have combatants" in seen(pilot, "forecast")
        await send(pilot, "u", "u", "u")
        await press(pilot, "u")
        assert seen(pilot, "forecast") == before, "the same encounter gives the same numbers"


async def test_keys_are_done_while_it_computes_and_changes_that_matter_replace_the_processes(paths, endless):
    """From the library and back, which ends them; how they end with the program is in `test_cli_forecast`."""
    async with running(paths) as pilot:
        await press(pilot, "tab", "/")
        await write(pilot, "Ambush")
        await press(pilot, "enter", "s", "tab", "down", "down", "down")
        assert screen_name(pilot) == "SetupScreen"
        await send(pilot, "percent_sign")
        await until(pilot, lambda: "of 100000 fights" in seen(pilot, "forecast"), "the first numbers")
        first = workers_of(paths.data.parent)
        assert 1 <= len(first) <= SPARE_PROCESSES
        await send(pilot, "x")
        assert len(pilot.app.screen.draft.joins) == 6
        assert "Playing the first fights" in seen(pilot, "forecast")
        await until(pilot, lambda: "of 100000 fights" in seen(pilot, "forecast"), "the next numbers")
        second = workers_of(paths.data.parent)
        assert not {*first} & {*second}
        assert len(second) <= SPARE_PROCESSES
        await send(pilot, "up", "down", "home")
        assert workers_of(paths.data.parent) == second, "nothing has changed in the fight"
        await send(pilot, "percent_sign")
        await until(pilot, lambda: not workers_of(paths.data.parent), "their end")
        await send(pilot, "u", "percent_sign")
        await until(pilot, lambda: workers_of(paths.data.parent), "a process")
        await send(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
        await until(pilot, lambda: not workers_of(paths.data.parent), "their end")
    assert workers_of(paths.data.parent) == []


async def test_a_process_that_fails_is_reported_in_the_pane(paths, monkeypatch):
    monkeypatch.setattr("fightcall.processes.WORKER", ("-c", "raise SystemExit('out of luck')"))
    async with setting_up(paths) as pilot:
        await press(pilot, "percent_sign")
        assert "out of luck" in seen(pilot, "forecast")


# In a fight


def ford(tmp_path):
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="ford", seed="7", path=tmp_path / "ford.jsonl")
    fight.give("start")
    return fight


async def numbers(play):
    """Wait for a whole forecast."""
    await settle(play.pilot)
    return play.words("forecast")


async def test_from_here_for_the_gm_alone(paths, tmp_path):
    """The pane stands in place of the board. Neither the file nor what players see knows of it."""
    fight = ford(tmp_path)
    content, view = fight.path.read_bytes(), player_view(fight.state, fight.system)

    def files():
        return sorted(path.name for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".lock")

    before = files()
    async with playing(fight, tmp_path / "home", SIZES[0]) as play:
        await play.press("%")
        for size in SIZES:
            await play.pilot.resize_terminal(*size)
            assert "Odds 2 fights" in await numbers(play)
            assert "at entry 1" in play.text("forecast")
            play.check()
            assert not play.pane("board").display
        assert fight.path.read_bytes() == content
        assert player_view(fight.state, fight.system) == view
        assert files() == before
        await play.press("%")
        assert play.pane("board").display
    fight.close()


async def test_it_follows_the_fight_and_keeps_what_it_was_before(paths, tmp_path, monkeypatch):
    """With Brand down the party's chance is another one; in a what-if the pane says so; the end is no forecast."""
    monkeypatch.setattr(fight_panes, "WORTH_COMPARING", 2)
    fight = ford(tmp_path)
    async with playing(fight, tmp_path / "home") as play:
        await play.press("%")
        first = await numbers(play)
        fight.fork("if he falls")
        fight.give("damage", who="brand", amount=15)
        second = await numbers(play)
        assert "Before at entry 1 Party wins" in second
        assert first.split("Party wins")[1].split("Foe")[0].split("%")[0].split()[-1] in second.split("Before")[1]
        assert f"what-if, at entry {fight.head_number}" in play.text("forecast")
        for foe in ("goblin-1", "goblin-2", "goblin-3", "archer"):
            fight.give("damage", who=foe, amount=20)
        assert "The fight is decided" in await numbers(play)
    assert workers_of(tmp_path / "home") == []
    fight.close()


async def test_keys_are_done_while_a_fight_is_forecast(paths, tmp_path, endless):
    fight = ford(tmp_path)
    async with playing(fight, tmp_path / "home") as play:
        await play.press("%")
        await until(play.pilot, lambda: "of 100000 fights" in play.text("forecast"), "the first numbers")
        entry = await play.give("space")
        assert entry.command["type"] == "Advance"
        await play.press("escape")
        assert play.pane("board").display
        await until(play.pilot, lambda: not workers_of(tmp_path / "home"), "the end of the processes")
    fight.close()
