"""What was being set up when the program ended is offered again, until it is saved, begun or given up."""

from driver import home, press, running, screen_name, seen, write

from fightcall.screens.setup import SetupScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter


def drafts(paths):
    return sorted(paths.drafts.glob("*.toml"))


def setting_up(paths):
    """The app in the set-up of a new fight."""
    return running(paths, first=lambda: SetupScreen(Shelf(paths), system="stage"))


async def add(pilot, words="Ash x2"):
    """Add combatants."""
    await press(pilot, "a")
    await write(pilot, words)
    await press(pilot, "enter")
    assert screen_name(pilot) == "SetupScreen"


async def test_what_was_set_up_when_the_program_ended_is_offered_again(tmp_path):
    paths = home(tmp_path)
    async with setting_up(paths) as pilot:
        await add(pilot)
    async with running(paths) as pilot:
        assert "The setup of A fight is not saved. s continues it, x discards it" in seen(pilot, "foot")
        assert "not saved" in seen(pilot, "details")
        await press(pilot, "s")
        assert [join.name for join in pilot.app.screen.draft.joins] == ["Ash 1", "Ash 2"]
        await press(pilot, "q")
        assert "Quit without saving this setup?" in seen(pilot, "foot")
        await press(pilot, "y")
        assert screen_name(pilot) == "LibraryScreen"
    assert not drafts(paths)
    async with running(paths) as pilot:
        assert "not saved" not in seen(pilot, "foot")


async def test_each_stroke_on_the_map_and_each_who_is_placed_is_kept(tmp_path):
    paths = home(tmp_path)
    async with setting_up(paths) as pilot:
        await add(pilot, "Ash x3")
        await press(pilot, "m")
        assert screen_name(pilot) == "PaintingScreen"
        await press(pilot, "2", "space")
        (file,) = drafts(paths)
        assert load_encounter(file).board == pilot.app.screen.easel.draft.board
        await press(pilot, "escape", "p", "enter")
        assert screen_name(pilot) == "PlacingScreen"
    (file,) = drafts(paths)
    assert [join.at is not None for join in load_encounter(file).joins] == [True, False, False]


async def test_nothing_is_kept_of_a_set_up_that_was_saved_begun_or_taken_back(tmp_path):
    paths = home(tmp_path)
    async with setting_up(paths) as pilot:
        await add(pilot)
        assert drafts(paths)
        await press(pilot, "u")
        assert not drafts(paths), "all was taken back"
        await press(pilot, "U")
        assert drafts(paths)
        await press(pilot, "w", "enter")
        assert not drafts(paths), "it is an encounter now"
        await press(pilot, "d")
        assert drafts(paths)
        await press(pilot, "S")
        assert screen_name(pilot) == "FightScreen"
        assert not drafts(paths), "it is a fight now"


async def test_a_draft_begun_or_thrown_away_in_the_library_is_offered_no_more(tmp_path):
    paths = home(tmp_path)
    async with setting_up(paths) as pilot:
        await add(pilot)
    (file,) = drafts(paths)
    kept = file.read_bytes()
    async with running(paths) as pilot:
        await press(pilot, "enter")
        assert screen_name(pilot) == "FightScreen"
    assert not drafts(paths)
    file.write_bytes(kept)
    async with running(paths) as pilot:
        await press(pilot, "x")
        assert not drafts(paths)
        await press(pilot, "tab", "enter", "shift+tab")
        assert pilot.app.screen.browse.section == "encounters"
        assert "A fight" in seen(pilot, "list"), "out of the trash it is one of the user's own"


async def test_a_draft_of_an_encounter_of_ones_own_is_saved_over_it_after_asking(tmp_path):
    paths = home(tmp_path)
    async with setting_up(paths) as pilot:
        await add(pilot)
        await press(pilot, "w", "enter", "d")
        assert len(drafts(paths)) == 1
    async with running(paths) as pilot:
        await press(pilot, "s", "w", "enter")
        assert "a-fight.toml already exists" in seen(pilot, "foot")
        await press(pilot, "y")
        assert not drafts(paths)
    assert len(load_encounter(paths.encounters / "a-fight.toml").joins) == 3


async def test_a_disk_that_takes_nothing_is_said_and_stops_nobody(tmp_path):
    paths = home(tmp_path)
    paths.drafts.parent.mkdir(parents=True, exist_ok=True)
    paths.drafts.write_text("in the way of the folder")
    async with setting_up(paths) as pilot:
        await add(pilot)
        assert "until you save it" in seen(pilot, "foot")
        await press(pilot, "w", "enter")
        assert "Saved as" in seen(pilot, "foot")
