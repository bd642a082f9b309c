"""The players' screen for browsers, started and stopped by keys from the fight."""

import sys
import urllib.error
import urllib.request
from functools import partial

from driver import LARGE, SMALL, home, play, press, running, settle

from fightcall.app import make_screen
from fightcall.paint.runs import row_text
from fightcall.screens.replay import draw_code, sharing_rows
from fightcall.subcommands.console import missing_packages
from fightcall_engine.play.fight import Fight


def is_served(address):
    try:
        with urllib.request.urlopen(address, timeout=10) as page:
            return b"Ambush at the Ford" in page.read()
    except urllib.error.URLError:
        return False


def text_of(screen):
    return "\n".join(row_text(row) for row in screen.pane.draw(*screen.pane.inner).rows)


async def test_keys_start_and_stop_it_and_it_goes_when_the_fight_is_left(tmp_path):
    paths = home(tmp_path)
    fight = Fight.open(play(paths))
    async with running(paths, LARGE, partial(make_screen, "fight", fight=fight)) as pilot:
        await press(pilot, "f6")
        await press(pilot, "h")
        screen = pilot.app.screen
        address = screen._server.address
        assert address.startswith("http://127.0.0.1:")
        assert address in text_of(screen)
        assert is_served(address)
        await press(pilot, "x")
        assert not is_served(address)
        await press(pilot, "n")
        address = screen._server.address
        assert address.startswith("http://")
        assert address in text_of(screen)
        await press(pilot, "escape")
        assert is_served(address)
        server = pilot.app.screen._server
        await press(pilot, "q")
        await settle(pilot)
    assert server.address == ""


async def test_what_stands_against_it_is_said(tmp_path, monkeypatch):
    paths = home(tmp_path)
    fight = Fight.open(play(paths))
    monkeypatch.setattr(sys, "executable", "/bin/false")
    async with running(paths, SMALL, partial(make_screen, "fight", fight=fight)) as pilot:
        await press(pilot, "f6")
        await press(pilot, "h")
        assert "starting it failed" in text_of(pilot.app.screen)


def test_a_code_is_drawn_light_on_dark_and_dark_on_light():
    by_night, by_day = (draw_code("http://127.0.0.1:8420/", dark=dark) for dark in (True, False))
    turned = str.maketrans("█▀▄ ", " ▄▀█")
    assert [line.translate(turned) for line in by_night] == list(by_day)
    assert len({len(line) for line in by_night}) == 1


def test_without_room_the_address_stands_alone():
    rows = sharing_rows("http://127.0.0.1:8420/", "", 40, 6, dark=True)
    assert len(rows) == 4


def test_what_is_missing_is_named_with_the_line_that_brings_it():
    """The line is one to be copied: it stands by itself."""
    said = str(missing_packages("the players' screen", ("starlette", "segno"), "web"))
    lines = [row_text(row).strip() for row in sharing_rows("", said, 160, 8, dark=True)]
    assert lines[1].startswith("the players' screen needs starlette, segno")
    assert lines[2].endswith("-m pip install 'fightcall[web]'")
