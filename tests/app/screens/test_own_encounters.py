"""Encounters in the library: changed, copied, renamed, tried out; those that are shipped are copied first."""

import difflib

import pytest
from driver import home, play, press, running, screen_name, seen, write

from fightcall.screens.setup import SetupScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters

SHIPPED = next(file.path for file in shipped_encounters() if file.path.stem == "ambush-at-the-ford")
MILL = """# By night: fightcall play mill
name = "A mill"   # of the miller
system = "stage"

# The scout.
[[combatant]]
name = "Wren"
side = "party"

[[combatant]]
name = "Imp x2"
side = "foe"
sheet = { hp = 4 }   # each
"""


@pytest.fixture
def paths(tmp_path):
    return home(tmp_path)


@pytest.fixture
def mill(paths):
    path = paths.encounters / "mill.toml"
    path.parent.mkdir(parents=True)
    path.write_text(MILL)
    return path


def setting_up(paths, path):
    """The app in the set-up of an encounter of one's own."""
    return running(paths, first=lambda: SetupScreen(Shelf(paths), load_encounter(path), path))


def gone_and_come(before, after):
    lines = difflib.ndiff(before.split("\n"), after.split("\n"))
    return [line for line in lines if line[0] in "+-" and line[1:].strip()]


async def test_ones_own_is_changed_in_its_file(paths, mill):
    async with running(paths) as pilot:
        await press(pilot, "tab", "s", "tab", "h", "w")
        assert "Saved as" in seen(pilot, "foot")
        assert gone_and_come(MILL, mill.read_text()) == ["+ hidden = true"]
        await press(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
        assert "hidden" in seen(pilot, "details"), "note for the log is read again"


async def test_a_file_that_changed_meanwhile_is_asked_about(paths, mill):
    async with setting_up(paths, mill) as pilot:
        await press(pilot, "tab", "h")
        other = MILL.replace("hp = 4", "hp = 5")
        mill.write_text(other)
        await press(pilot, "w")
        assert "mill.toml was changed by another program" in seen(pilot, "foot")
        await press(pilot, "escape")
        assert mill.read_text() == other
        await press(pilot, "w", "y")
        assert load_encounter(mill).joins[0].hidden
        assert load_encounter(mill).joins[1].sheet == {"hp": 4}


async def test_a_shipped_one_is_copied_with_its_comments(paths):
    async with running(paths) as pilot:
        library = pilot.app.screen
        await press(pilot, "tab")
        library.go(library.browse.on(str(SHIPPED)))
        await press(pilot, "d")
        copy = paths.encounters / "ambush-at-the-ford-copy.toml"
        assert "Copied as" in seen(pilot, "foot")
        assert library.browse.item.path == copy.resolve()
        assert gone_and_come(SHIPPED.read_text(), copy.read_text()) == [
            '- name = "Ambush at the Ford"',
            '+ name = "Ambush at the Ford (copy)"',
        ]
        await press(pilot, "d", "home", "d")
        assert (paths.encounters / "ambush-at-the-ford-copy-copy.toml").exists()
        assert len(list(paths.encounters.glob("*.toml"))) == 3


async def test_saving_a_shipped_one_makes_a_file_of_ones_own_that_is_saved_over_from_then_on(paths):
    async with setting_up(paths, SHIPPED) as pilot:
        await press(pilot, "tab", "h", "w", "enter")
        mine = paths.encounters / "ambush-at-the-ford.toml"
        assert gone_and_come(SHIPPED.read_text(), mine.read_text()) == ["+ hidden = true"]
        await press(pilot, "t", "w")
        assert "Saved as" in seen(pilot, "foot")
        assert load_encounter(mine).joins[0].side == "foe"


async def test_a_name_is_changed_with_its_file_and_of_a_shipped_one_in_a_copy(paths, mill):
    """A name whose file is there already is refused."""
    pond = mill.with_name("the-pond.toml")
    pond.write_text(MILL.replace("A mill", "Pond"))
    async with running(paths) as pilot:
        await press(pilot, "tab", "R", "ctrl+u")
        await write(pilot, "The pond")
        await press(pilot, "enter")
        assert "the-pond.toml already exists" in seen(pilot, "foot")
        await press(pilot, "ctrl+u")
        await write(pilot, "Mill")
        await press(pilot, "enter")
        assert mill.read_text() == MILL.replace("A mill", "Mill"), "its file has that name already"
        await press(pilot, "R", "ctrl+u")
        await write(pilot, "The Old Mill")
        await press(pilot, "enter")
        assert "The Old Mill" in seen(pilot, "list")
        old_mill = mill.with_name("the-old-mill.toml")
        assert not mill.exists()
        assert old_mill.read_text() == MILL.replace("A mill", "The Old Mill").replace("play mill", "play the-old-mill")
        library = pilot.app.screen
        assert library.browse.item.path == old_mill.resolve()
        library.go(library.browse.on(str(SHIPPED)))
        await press(pilot, "R", "ctrl+u")
        await write(pilot, "My ford")
        await press(pilot, "enter")
        assert (paths.encounters / "my-ford.toml").exists()
        assert library.browse.item.name == "My ford"
        assert 'name = "Ambush at the Ford"' in SHIPPED.read_text()
        assert old_mill.exists()
    assert 'name = "Pond"' in pond.read_text()


async def test_a_name_that_is_changed_in_the_set_up_is_that_of_the_file_too(paths, mill):
    other = mill.with_name("the-pond.toml")
    other.write_text(MILL)
    async with setting_up(paths, mill) as pilot:
        await press(pilot, "down", "down", "enter", "ctrl+u")
        await write(pilot, "The pond")
        await press(pilot, "enter", "w")
        assert "Saved as mill.toml, which keeps its name: the-pond.toml already exists" in seen(pilot, "foot")
        other.unlink()
        await press(pilot, "enter", "ctrl+u")
        await write(pilot, "Weir")
        await press(pilot, "enter", "w")
        assert "Saved as weir.toml, until now mill.toml" in seen(pilot, "foot")
        assert not mill.exists()
        await press(pilot, "tab", "h", "w")
        assert "Saved as weir.toml" in seen(pilot, "foot")
    weir = load_encounter(mill.with_name("weir.toml"))
    assert (weir.name, weir.joins[0].hidden) == ("Weir", True)
    assert 'name = "Weir"' in mill.with_name("weir.toml.bak").read_text()


async def test_ones_own_is_thrown_away_and_brought_back(paths, mill):
    """Ambush at the Ford is shipped, and stays."""
    async with running(paths) as pilot:
        await press(pilot, "tab", "x")
        assert "A mill is in the trash. u restores it" in seen(pilot, "foot")
        assert "Trash 1" in seen(pilot, "head")
        assert "A mill" not in seen(pilot, "list")
        assert not mill.exists()
        await press(pilot, "u")
        assert mill.read_text() == MILL
        assert "Trash 0" in seen(pilot, "head")
        await press(pilot, "home", "x", "tab")
        assert "Wren" in seen(pilot, "details"), "what is in it is told in the trash, too"
        mill.write_text(MILL.replace("A mill", "Another"))
        await press(pilot, "enter")
        assert (mill.with_name("mill-2.toml")).read_text() == MILL
        await press(pilot, "shift+tab", "end", "x")
        assert "Trash 0" in seen(pilot, "head")
    assert SHIPPED.exists()


async def test_emptying_the_trash_says_what_is_lost(paths, mill):
    play(paths)
    async with running(paths) as pilot:
        await press(pilot, "x", "tab", "x", "e")
        assert "Delete 1 fight and 1 encounter in the trash permanently?" in seen(pilot, "foot")
        await press(pilot, "y")
        assert "2 deleted" in seen(pilot, "foot")
        assert "Trash 0" in seen(pilot, "head")
    assert not list(paths.encounters.rglob("*.toml"))


async def test_a_try_out_leaves_nothing_behind(paths, mill):
    async with running(paths) as pilot:
        await press(pilot, "tab", "y")
        assert screen_name(pilot) == "FightScreen"
        assert pilot.app.screen.table.state.name == "A mill (try-out)"
        folder = pilot.app.screen.table.fight.path.parent
        assert folder.exists()
        await press(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
        assert not folder.exists()
        assert "Fights 0" in seen(pilot, "head")
        assert not list(paths.library.glob("fights/*"))


async def test_a_set_up_is_tried_out_and_gone_on_with(paths, mill):
    async with setting_up(paths, mill) as pilot:
        await press(pilot, "tab", "x", "y")
        assert screen_name(pilot) == "FightScreen"
        assert len(pilot.app.screen.table.state.combatants) == 2
        folder = pilot.app.screen.table.fight.path.parent
        await press(pilot, "q")
        assert screen_name(pilot) == "SetupScreen"
        assert not folder.exists()
        await press(pilot, "u")
        assert len(pilot.app.screen.draft.joins) == 3
    assert mill.read_text() == MILL


async def test_what_cannot_be_saved_is_said_and_nothing_is_lost(paths, mill):
    async with setting_up(paths, mill) as pilot:
        await press(pilot, "tab", "h")
        mill.unlink()
        mill.mkdir()
        await press(pilot, "w")
        assert screen_name(pilot) == "SetupScreen"
        assert "Saved" not in seen(pilot, "foot")
        assert pilot.app.screen.draft.joins[0].hidden
