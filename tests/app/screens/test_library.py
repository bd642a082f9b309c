"""The library room: what there is, how it is begun, kept, thrown away and brought back."""

import json
import re
from contextlib import closing

import pytest
from driver import LARGE, SMALL, home, play, press, resize, running, screen_name, seen, settle, write

from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.archive.lines import encode_journal
from fightcall_engine.board.kinds import zone_board
from fightcall_engine.play.fight import Fight


@pytest.fixture
def paths(tmp_path):
    return home(tmp_path)


async def test_an_empty_library_is_a_welcome_and_writes_nothing(paths, tmp_path):
    """At the table 4.1: what the program is, and the encounters, the plainest first: map, who fights, how long."""
    async with running(paths, LARGE) as pilot:
        for size in (LARGE, SMALL):
            await resize(pilot, size)
            head = seen(pilot, "head").splitlines()
            assert "Fight Call keeps track of turn order, dice, damage and conditions in a fight." in head[1]
            assert "You make the rulings. Enter starts the first fight, which shows you the keys." in head[2]
            assert "Fights 0" in head[3]
            lines = [line.strip("│▌ ") for line in seen(pilot, "list").splitlines() if "Start one" not in line]
            assert [line.split("  ")[0] for line in lines[:3]] == ["A First Turn", "The Toll Bridge", "The Rooftops"]
            details = seen(pilot, "details")
            for told in ("Plain d20", "about 5 minutes", "Hale", "Iris", "before two robbers"):
                assert told in details
            assert has_picture(pilot, {"H", "I", "1", "2"})
        await press(pilot, "down", "down")
        assert "the ledger" in seen(pilot, "details").lower()
        await press(pilot, "tab", "tab")
        await press(pilot, "n", "n")
        assert screen_name(pilot) == "PickScreen", "no fight is begun unasked: a new encounter is (found in play 31)"
        await press(pilot, "escape", "q")
        assert screen_name(pilot) == "LibraryScreen"
    assert list(tmp_path.iterdir()) == []


async def test_every_encounter_shows_its_map_who_fights_and_how_long(paths):
    """At the table 4.1. Screens take turns, the small one with every other encounter."""
    async with running(paths, SMALL) as pilot:
        await press(pilot, "down", "up")
        library = pilot.app.screen
        items = library.browse.contents.encounters
        sizes = {SMALL: items[::2], (140, 40): items[1::4], (200, 55): items[3::4]}
        for size, item in ((size, item) for size, some in sizes.items() for item in some):
            await resize(pilot, size)
            library.go(library.browse.on(item.id))
            await settle(pilot)
            encounter = load_encounter(item.path)
            details = seen(pilot, "details")
            assert f"about {encounter.minutes} minutes" in details
            fight = start_fight(encounter, id="any", seed="1")
            people = fight.state.combatants.values()
            is_small = pilot.app.size == SMALL
            if not is_small or zone_board(encounter.board) is None:
                assert has_picture(pilot, {one.label for one in people if one.at is not None}), item.name
            else:
                assert all(f" {name[:7]}" in details for name in encounter.board.places()), item.name
            assert is_small or all(one.name.split()[0] in details for one in people), item.name


async def test_the_newest_fight_shows_its_board_and_whose_turn_it_is(paths):
    """At the table 4.1: with fights, the newest as it stands; Enter goes on."""
    path = play(paths, advances=4)
    older = Shelf(paths).begin(load_encounter("tavern-parley"))
    with closing(Fight.open(older, clock=lambda: "2020-02-02T20:20:20+00:00")) as fight:
        fight.give("start")
    async with running(paths, SMALL) as pilot:
        pilot.app.screen.go(pilot.app.screen.browse.on(path.stem))
        await press(pilot, "enter")
        pilot.app.screen.table.fight.give("place", who="ysolde", at="A1")
        await press(pilot, "q")
    async with running(paths, SMALL) as pilot:
        for size in (SMALL, (140, 40), (200, 55)):
            await resize(pilot, size)
            assert "Fight Call keeps" not in seen(pilot, "head")
            assert pilot.app.screen.browse.item.path == path
            details = seen(pilot, "details")
            assert "Now: " in details
            assert "Enter continues" in details
            assert has_picture(pilot, {"Y", "B", "P", "1", "2", "3", "4"})
            picture = [row for row in details.splitlines() if "Y" in row.split()]
            assert any(row.strip("│| ").startswith("Y") for row in picture), "Ysolde stands in the first hex"
        await press(pilot, "enter")
        assert screen_name(pilot) == "FightScreen"
        assert pilot.app.screen.table.fight.path == path


def has_picture(pilot, labels):
    """Whether the details show tokens with these labels on a ground."""
    runs = [run for row in pilot.app.screen.details.rows for run in row]
    return labels <= {
        word for run in runs if run.style.startswith("ink.token") for word in re.findall(r"\w+", run.text)
    }


async def test_a_fight_is_begun_left_and_found_again(paths):
    async with running(paths) as pilot:
        await press(pilot, "enter")
        assert screen_name(pilot) == "FightScreen"
        await press(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
        assert "Fights 1" in seen(pilot, "head")
        assert pilot.app.screen.browse.item.name == "A First Turn"
        (journal,) = (paths.library / "fights").glob("*.jsonl")
        await press(pilot, "enter")
        assert screen_name(pilot) == "FightScreen"
        assert pilot.app.screen.table.fight.path == journal


async def test_a_fight_in_the_list_tells_how_far_it_is_and_who_fights(paths):
    play(paths, advances=14)
    play(paths, "tavern-parley", advances=0)
    async with running(paths) as pilot:
        lines = seen(pilot, "list").splitlines()
        assert "Moment 2" in next(line for line in lines if "Ambush" in line)
        assert "0:01:00" in next(line for line in lines if "Ambush" in line)
        await press(pilot, "end")
        details = seen(pilot, "details")
        assert "Ysolde" in details
        assert "12/14" in details
        assert "Ysolde takes 2" in details


async def test_when_it_was_last_played_is_told_whole(paths):
    """Found in play 1: ``last played 2026-11-22 0``."""
    play(paths)
    async with running(paths, SMALL) as pilot:
        for size in (SMALL, (100, 30), (140, 40)):
            await resize(pilot, size)
            assert re.search(r"last played \d{4}-\d\d-\d\d \d\d:\d\d", seen(pilot, "details")), size


async def test_it_is_renamed_copied_thrown_away_and_brought_back(paths):
    play(paths)
    async with running(paths) as pilot:
        await press(pilot, "R", "ctrl+u")
        await write(pilot, "[b]Ford[/b] x")
        await press(pilot, "enter")
        assert "[b]Ford[/b] x" in seen(pilot, "list")
        await press(pilot, "d")
        assert "Fights 2" in seen(pilot, "head")
        await press(pilot, "home", "x")
        assert "Fights 1" in seen(pilot, "head")
        assert "Trash 1" in seen(pilot, "head")
        await press(pilot, "u")
        assert "Fights 2" in seen(pilot, "head")
        assert "is restored" in seen(pilot, "foot")
        await press(pilot, "x", "end", "x", "shift+tab", "enter")
        assert "Fights 1" in seen(pilot, "head")
        assert len(list((paths.library / "fights").glob("*.jsonl"))) == 1


async def test_a_name_that_will_not_do_is_typed_again(paths):
    play(paths)
    async with running(paths) as pilot:
        await press(pilot, "R", "ctrl+u", "enter")
        assert "a name needs 1 to 200 letters" in seen(pilot, "foot")
        await press(pilot, "q", "escape")
        assert screen_name(pilot) == "LibraryScreen"
        assert "Ambush at the Ford" in seen(pilot, "list")


async def test_the_trash_is_emptied_only_when_that_is_said_twice(paths):
    play(paths)
    async with running(paths) as pilot:
        await press(pilot, "x", "e")
        assert "Delete 1 fight in the trash permanently?" in seen(pilot, "foot")
        await press(pilot, "escape")
        assert "Trash 1" in seen(pilot, "head")
        await press(pilot, "e", "y")
        assert "Trash 0" in seen(pilot, "head")
    assert list(paths.library.rglob("*.jsonl")) == []


async def test_the_list_is_narrowed_while_one_types(paths):
    play(paths, name="The bridge")
    play(paths, "tavern-parley")
    async with running(paths) as pilot:
        await press(pilot, "/")
        await write(pilot, "brid")
        assert "Fights 1" in seen(pilot, "head")
        await press(pilot, "enter")
        assert "The bridge" in seen(pilot, "list")
        await press(pilot, "/", "q", "q")
        assert "No match" in seen(pilot, "list")
        await press(pilot, "escape")
        assert "Fights 2" in seen(pilot, "head")


async def test_a_damaged_library_is_said_and_made_again_with_one_key(paths):
    play(paths)
    async with running(paths) as pilot:
        await press(pilot, "R", "x", "enter")
    (paths.library / "library.json").write_text("{ not json")
    async with running(paths) as pilot:
        assert "f repairs it" in seen(pilot, "foot") or "repairs it" in pilot.app.screen.foot.said.message
        assert "Fights 0" in seen(pilot, "head")
        await press(pilot, "f")
        assert "Fights 1" in seen(pilot, "head")
        assert "was rebuilt from" in seen(pilot, "foot")
    assert list(paths.library.glob("library.json.damaged-*"))


def spoil(path):
    """Change a line in the middle of a journal."""
    lines = path.read_bytes().split(b"\n")
    lines[3] = lines[3].replace(b'"cmd"', b'"cmx"')
    path.write_bytes(b"\n".join(lines))


async def test_a_damaged_fight_names_its_line_and_is_repaired_with_one_key(paths):
    path = play(paths)
    Shelf(paths).read()
    spoil(path)
    async with running(paths) as pilot:
        assert "line 4" in seen(pilot, "details")
        await press(pilot, "enter")
        assert screen_name(pilot) == "OpeningScreen"
        assert "line 4" in seen(pilot)
        await press(pilot, "f")
        assert screen_name(pilot) == "FightScreen"
    assert list(path.parent.glob(f"{path.name}.damaged-*"))


async def test_a_fight_without_a_readable_beginning_is_listed_all_the_same(paths):
    path = play(paths)
    path.write_text("nonsense\n")
    async with running(paths) as pilot:
        assert path.stem in seen(pilot, "list")
        assert "line 1" in seen(pilot, "details")
        await press(pilot, "f")
        assert screen_name(pilot) == "LibraryScreen"
        assert pilot.app.screen.foot.said.tone == "error"


async def test_a_fight_from_before_0_2_says_so_and_offers_no_repair(paths):
    """One function, section 6 step 1."""
    path = play(paths)
    Shelf(paths).read()
    header = path.read_bytes().splitlines()[0]
    old = {key: value for key, value in json.loads(header).items() if key != "crc"} | {"engine": "0.1.0"}
    path.write_bytes(encode_journal(old, []))
    async with running(paths) as pilot:
        assert "too old" in seen(pilot, "details")
        assert "Fight Call 0.1.0 saved this fight" in " ".join(seen(pilot, "details").split())
        assert "repair" not in seen(pilot, "foot")
        await press(pilot, "enter")
        assert screen_name(pilot) == "OpeningScreen"
        assert "run fightcall export with Fight Call 0.1.0." in " ".join(seen(pilot).split())
        assert "try again" not in seen(pilot)
        await press(pilot, "f", "p", "q")
        assert screen_name(pilot) == "LibraryScreen"
    assert path.read_bytes() == encode_journal(old, [])


async def test_a_fight_that_is_being_played_can_be_watched(paths):
    path = play(paths)
    with closing(Fight.open(path)):
        async with running(paths) as pilot:
            await press(pilot, "enter")
            assert "Another program is playing this fight" in seen(pilot)
            await press(pilot, "w")
            assert screen_name(pilot) == "FightScreen"
            assert pilot.app.screen.table.fight.is_watching
            await press(pilot, "q", "w")
            assert screen_name(pilot) == "FightScreen"


async def test_a_torn_last_line_keeps_nobody_from_playing(paths):
    path = play(paths)
    with path.open("ab") as file:
        file.write(b'{"n":9,"t":"cm')
    async with running(paths) as pilot:
        await press(pilot, "enter")
        assert screen_name(pilot) == "FightScreen"


async def test_every_fight_encounter_and_theme_is_in_the_palette(paths):
    from fightcall.screens.help import ScreenCommands

    play(paths, name="[red]Ford[/red] \\[")
    async with running(paths) as pilot:
        provider = ScreenCommands(pilot.app.screen)
        first = [hit.text async for hit in provider.discover()]
        assert "Open [red]Ford[/red] \\[" in first
        assert "New fight: The Watchtower" in first
        assert any(text.startswith("Filter") for text in first)
        hits = {hit.text: hit async for hit in provider.search("parch")}
        hits["Theme: parchment"].command()
        await settle(pilot)
        assert pilot.app.theme == "parchment"
        await press(pilot, "ctrl+p")
        await write(pilot, "[red")
        assert screen_name(pilot) == "CommandPalette"
        await press(pilot, "escape")
        assert screen_name(pilot) == "LibraryScreen"


async def test_other_fights_are_in_the_palette_of_a_fight(paths):
    from fightcall.screens.help import ScreenCommands

    play(paths, name="One")
    play(paths, name="Two")
    async with running(paths) as pilot:
        await press(pilot, "enter")
        name = pilot.app.screen.table.state.name
        provider = ScreenCommands(pilot.app.screen)
        await provider.startup()
        texts = [hit.text async for hit in provider.search("open ")]
        assert [text for text in texts if text in ("Open One", "Open Two")] == [
            "Open Two" if name == "One" else "Open One"
        ]


async def test_leaving_a_fight_notes_how_far_it_has_come_without_reading_it_again(paths, monkeypatch):
    play(paths, name="One")
    async with running(paths) as pilot:
        await press(pilot, "enter")
        pilot.app.screen.table.fight.give("damage", who="brand", amount=3)
        summarised = []
        monkeypatch.setattr("fightcall.shelf.summarise", summarised.append)
        await press(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
        assert summarised == []
        assert pilot.app.screen.browse.item.entries == 9


async def test_clicks_and_the_wheel_do_what_keys_do(paths):
    play(paths, name="One")
    play(paths, name="Two")
    async with running(paths) as pilot:
        await pilot.click("#list", offset=(5, 2))
        first = pilot.app.screen.browse.item.name
        await pilot.click("#list", offset=(5, 1))
        assert pilot.app.screen.browse.item.name != first
        await pilot.click("#head", offset=(14, 1))
        assert pilot.app.screen.browse.section == "encounters"
        await pilot.click("#list", offset=(5, 1), times=2)
        await settle(pilot)
        assert screen_name(pilot) == "FightScreen"


async def test_what_another_program_adds_is_there_when_one_comes_back(paths):
    play(paths, name="One")
    async with running(paths) as pilot:
        await press(pilot, "?")
        play(paths, name="Two")
        await press(pilot, "q")
        assert pilot.app.screen.browse.item.name == "Two"


async def test_a_newer_library_is_left_alone(paths):
    paths.library.mkdir(parents=True)
    kept = json.dumps({"meta": {"1": {"key": "schema", "value": 99}}})
    (paths.library / "library.json").write_text(kept)
    async with running(paths) as pilot:
        assert "newer" in pilot.app.screen.foot.said.message
        await press(pilot, "f")
    assert (paths.library / "library.json").read_text() == kept


async def test_where_there_is_nothing_to_tell_of_no_pane_stands_empty(paths):
    async with running(paths, SMALL) as pilot:
        await press(pilot, "shift+tab")
        assert "The trash is empty" in seen(pilot, "list")
        assert not pilot.app.screen.query_one("#details").display
        await press(pilot, "shift+tab")
        assert pilot.app.screen.query_one("#details").display
        assert "Plain d20" in seen(pilot, "details")


async def test_encounters_and_their_systems_stand_in_columns(paths):
    async with running(paths, (110, 30)) as pilot:
        await press(pilot, "tab")
        for size in ((110, 30), (140, 40), (200, 55)):
            await resize(pilot, size)
            rows = seen(pilot, "list").split("\n")[1:-1]
            systems = ("Stage Moments", "Active Phase Encounters", "Scenes, Rounds, Turns", "Combat Segments")
            starts = {row.index(system) for row in rows for system in systems if system in row}
            assert len(starts) == 1
            assert len({row.index(" min ") for row in rows if " min " in row}) == 1
            assert all(row.rstrip("│┃|").endswith(" ") for row in rows if any(system in row for system in systems))
