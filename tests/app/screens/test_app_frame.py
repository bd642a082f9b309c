"""The frame: themes, keys, files that will not do, and faults that must not end a fight."""

import subprocess
import sys

import pytest
from driver import SMALL, home, play, press, running, screen_name, seen, settle
from textual.widgets._toast import Toast

from fightcall.app import FightCallApp
from fightcall.screens.base import OpeningScreen
from fightcall.screens.library import LibraryScreen

FIRST_FRAME = """
import asyncio, sys
from fightcall.app import FightCallApp

LATE = ("pydantic", "tinydb", "filelock")

class Watched(FightCallApp):
    at_first = None
    def post_display_hook(self):
        if self.at_first is None and self.screen_stack and self.screen.size.width:
            self.at_first = [name for name in LATE if name in sys.modules]

async def main():
    app = Watched()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
    print(app.at_first)

asyncio.run(main())
"""


@pytest.fixture
def paths(tmp_path):
    return home(tmp_path)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_the_first_frame_waits_for_none_of_the_slow_imports(tmp_path, monkeypatch):
    monkeypatch.setenv("FIGHTCALL_HOME", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", FIRST_FRAME], capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr[-2000:]


async def test_a_theme_is_changed_on_all_rooms_and_remembered(paths):
    async with running(paths, SMALL) as pilot:
        before = pilot.app.book
        await press(pilot, "?", "ctrl+t")
        assert pilot.app.book is not before
        name = pilot.app.book.theme.name
        assert pilot.app.theme == name
        for one in pilot.app.screen_stack:
            assert one.foot.book is pilot.app.book
    assert FightCallApp(paths=paths).book.theme.name == name


def test_an_app_can_be_made_with_a_theme_for_once(paths):
    assert FightCallApp(paths=paths, theme="parchment").book.theme.name == "parchment"
    assert FightCallApp(paths=paths, theme="none such").problems != []


def test_without_colours_the_mono_theme_is_used(paths, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert FightCallApp(paths=paths).book.theme.name == "mono"


async def test_glyphs_keys_of_options_and_a_theme_of_ones_own_are_the_users_choice(paths):
    write(paths.themes / "mine.toml", 'name = "mine"\nbased_on = "parchment"\n[ui]\nprimary = "#123456"\n')
    write(paths.settings, 'theme = "mine"\nglyphs = "ascii"\n')
    write(paths.keys, '[keys]\noption.ambush = "Q"\n')
    play(paths)
    async with running(paths, SMALL) as pilot:
        assert pilot.app.problems == []
        assert pilot.app.theme == "mine"
        assert pilot.app.book.theme.ui["primary"] == "#123456"
        assert seen(pilot).isascii()
        assert pilot.app.keys.label("replay.event") == "right"
        assert pilot.app.keys.option("ambush", "A") == "Q"


async def test_all_that_is_wrong_in_the_users_files_is_said_once_and_the_rest_is_used(paths):
    write(paths.settings, 'theme = "lanten"\nglyfs = "ascii"\n')
    write(paths.keys, '[keys]\nlibrary.filter = "F"\nlibrary.quit = "nokey"\nlibrary.trash = "d"\n')
    write(paths.themes / "mine.toml", 'name = "mine"\nbased_on = "lantern"\n[ui]\nprimary = "notacolour"\n')
    async with running(paths) as pilot:
        assert screen_name(pilot) == "NoticeScreen"
        text = " ".join(seen(pilot).split())
        for part in ("5 problems", "lanten", "glyfs", "nokey", "library.trash", "notacolour"):
            assert part in text
        assert pilot.app.theme == "lantern"
        await press(pilot, "space")
        assert screen_name(pilot) == "LibraryScreen"
        await press(pilot, "F")
        assert "a combatant" in seen(pilot, "foot")
        await press(pilot, "escape", "slash")
        assert "words of a name" not in seen(pilot, "foot")
        assert "F filter" in seen(pilot, "foot")
        await press(pilot, "?", "q")
        assert screen_name(pilot) == "LibraryScreen"


async def test_a_fault_in_an_action_is_shown_written_down_and_survived(paths, monkeypatch):
    """So is one in a key handler, a callback or a pane."""

    def broken(*_args):
        raise RuntimeError("[b]boom[/b]")

    plain = LibraryScreen.actions
    monkeypatch.setattr(LibraryScreen, "actions", lambda screen: {**plain(screen), "down": broken})
    async with running(paths, faults=4) as pilot:
        library = pilot.app.screen
        await press(pilot, "down")
        assert screen_name(pilot) == "NoticeScreen"
        text = seen(pilot)
        assert "RuntimeError: [b]boom[/b]" in text
        assert "is saved" in text
        assert str(paths.data / "faults.log")[-20:] in "".join(text.split())
        assert "boom" in (paths.data / "faults.log").read_text()
        await press(pilot, "escape", "tab")
        assert screen_name(pilot) == "LibraryScreen"
        assert library.browse.section == "encounters"
        with monkeypatch.context() as patch:
            patch.setattr(LibraryScreen, "take_key", broken)
            await press(pilot, "x")
        assert screen_name(pilot) == "NoticeScreen"
        await press(pilot, "x")
        library.call_next(broken)
        await settle(pilot)
        assert screen_name(pilot) == "NoticeScreen"
        await press(pilot, "x", "tab")
        assert library.browse.section == "trash"
        library.list.call_next(broken)
        await settle(pilot)
        assert screen_name(pilot) == "NoticeScreen"
        await press(pilot, "x", "tab")
        assert library.browse.section == "fights"


async def test_what_goes_wrong_over_and_over_ends_the_program_with_a_message(paths, monkeypatch):
    def broken(*_args):
        raise ValueError("[b]again")

    plain = LibraryScreen.actions
    monkeypatch.setattr(LibraryScreen, "actions", lambda screen: {**plain(screen), "down": broken})
    async with running(paths, faults=20) as pilot:
        pilot.app.faults += [ValueError("before")] * 20
        pilot.app.screen.call_next(broken)
        await settle(pilot)
        assert pilot.app.return_code == 1
        assert "again" in (paths.data / "faults.log").read_text()


async def test_a_fault_while_details_are_read_is_shown_too(paths, monkeypatch):
    def broken(*_args):
        raise ZeroDivisionError("no details")

    monkeypatch.setattr("fightcall.shelf.Shelf.details", broken)
    play(paths)
    async with running(paths, faults=1) as pilot:
        assert screen_name(pilot) == "NoticeScreen"
        assert "ZeroDivisionError: no details" in seen(pilot)
        await press(pilot, "x")
        assert "ZeroDivisionError: no details" in seen(pilot, "details")


async def test_a_key_without_meaning_says_so_on_every_screen(paths):
    """It names the key that lists the keys as the user has it."""
    write(paths.keys, '[keys]\neverywhere.help = "f9"\n')
    async with running(paths) as pilot:
        await press(pilot, "€")
        assert "€ does nothing here; f9 lists the keys" in seen(pilot, "foot")
        await press(pilot, "f9", "€")
        assert "€ does nothing here; f9 lists the keys" in seen(pilot, "foot")


async def test_messages_are_never_markup(paths):
    async with running(paths, SMALL, notifications=True) as pilot:
        pilot.app.notify("[/nothing] [red]x", title="[/]", markup=True)
        await settle(pilot)
        (toast,) = pilot.app.screen.query("Toast")
        assert "[/nothing] [red]x" in str(toast.render())


async def test_ctrl_q_leaves_from_anywhere_at_once(paths):
    async with running(paths, SMALL) as pilot:
        await press(pilot, "slash", "a", "ctrl+q")
        assert not pilot.app.is_running or pilot.app.return_code == 0


async def test_what_pops_up_covers_neither_question_nor_keys(paths):
    """Found in play 14."""
    path = play(paths, advances=2)
    async with running(paths, SMALL, lambda: OpeningScreen(path, "play"), notifications=True) as pilot:
        pilot.app.notify("The theme is another one")
        for size in (SMALL, (140, 40)):
            await pilot.resize_terminal(*size)
            await settle(pilot)
            (toast,) = pilot.app.screen.query(Toast)
            assert toast.region.bottom < pilot.app.screen.query_one("#call").region.y
            assert toast.region.area
