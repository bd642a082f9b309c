"""Setting a fight up with the keyboard alone, from nothing or from an encounter."""

import re
from dataclasses import replace

import pytest
from driver import LARGE, SMALL, home, press, running, screen_name, seen, write
from textual import events
from textual.widgets import Static

from fightcall.paint.runs import name_forms
from fightcall.screens.help import FieldRow
from fightcall.screens.setup import SetupScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.archive.library import CombatantTemplate
from fightcall_engine.board.kinds import parse_place
from fightcall_engine.files import use_games
from fightcall_engine.kit.plugins import system_names
from fightcall_engine.model.commands import Join
from game_texts import BRAWL, BROKEN, HARD, write_game


@pytest.fixture
def paths(tmp_path):
    return home(tmp_path)


def setting_up(paths, encounter="", system="stage", size=LARGE):
    """The app in the set-up of an encounter, or of a new fight."""
    draft = load_encounter(encounter) if encounter else None
    return running(paths, size, lambda: SetupScreen(Shelf(paths), draft, system=system))


def draft(pilot):
    return next(one for one in pilot.app.screen_stack if type(one).__name__ == "SetupScreen").draft


async def test_a_fight_from_nothing_to_its_first_frame(paths):
    """The form is filled in by keys that are pressed in quick succession: each goes into the field it is for."""
    async with running(paths) as pilot:
        await press(pilot, "s")
        await press(pilot, "enter", "S")
        assert "No combatants yet; a adds a combatant" in seen(pilot, "foot")
        await press(pilot, "down", "down", "enter", "ctrl+u")
        await write(pilot, "At the mill")
        await press(pilot, "enter", "a")
        await write(pilot, "Ash")
        await press(pilot, "enter", "a", "enter")
        assert screen_name(pilot) == "FormScreen"
        for key in ("R", "a", "x", "backspace", "t", "left", "!", "tab", "3", "tab", "right", "enter"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await press(pilot)
        assert [join.name for join in draft(pilot).joins] == ["Ash", "Ra!t 1", "Ra!t 2", "Ra!t 3"]
        assert [join.side for join in draft(pilot).joins] == ["party", "foe", "foe", "foe"]
        await press(pilot, "S")
        assert screen_name(pilot) == "FightScreen"
        state = pilot.app.screen.table.state
        assert state.name == "At the mill"
        assert len(state.combatants) == 4
        await press(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
        assert pilot.app.screen.browse.item.name == "At the mill"


async def test_an_encounter_is_changed_taken_back_and_saved_as_another(paths):
    async with running(paths) as pilot:
        await press(pilot, "tab", *("down",) * 9, "s", "tab")
        assert len(draft(pilot).joins) == 7
        await press(pilot, "x", "d", "h", "t")
        changed = draft(pilot)
        assert [join.name for join in changed.joins[:2]] == ["Brand", "Brand 2"]
        assert changed.joins[0].hidden
        assert changed.joins[0].side == "foe"
        await press(pilot, "u", "u", "u", "u")
        assert draft(pilot) == load_encounter("ambush-at-the-ford")
        await press(pilot, "U", "U", "U", "U")
        assert draft(pilot) == changed
        await press(pilot, "w", "ctrl+u")
        await write(pilot, "Other ford")
        await press(pilot, "enter")
        saved = load_encounter(paths.encounters / "other-ford.toml")
        assert saved.name == "Other ford"
        assert saved.joins == draft(pilot).joins
        await press(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
        assert "Other ford" in seen(pilot, "list")


def errors(pilot):
    """The errors that are seen, by the labels of their fields."""
    rows = [row for row in pilot.app.screen.query(FieldRow) if row.has_class("-wrong")]
    return {row.slot.label: str(row.query_one(".wrong", Static).content) for row in rows}


def go_to(pilot, *path):
    """Give the focus to a field."""
    next(row for row in pilot.app.screen.query(FieldRow) if row.slot.path == path).editor.focus()


async def test_leaving_the_map_as_it_was_makes_no_board(paths):
    async with setting_up(paths, system="plain") as pilot:
        await press(pilot, "a")
        await write(pilot, "Ash 9")
        await press(pilot, "enter", "m")
        assert screen_name(pilot) == "PaintingScreen"
        await press(pilot, "escape")
        assert draft(pilot).board is None
        await press(pilot, "m", "2", "escape")
        assert draft(pilot).board is not None


async def test_a_form_says_what_is_wrong_by_its_field_until_it_is_corrected(paths):
    """Texts, choices and lists of them: what is typed, gone through, picked, added and removed."""
    async with setting_up(paths) as pilot:
        await press(pilot, "a")
        await write(pilot, "Ash 90 99")
        await press(pilot, "enter")
        assert screen_name(pilot) == "FormScreen", "what will not do is corrected in the form"
        assert "less than or equal to 20" in errors(pilot)["agility"]
        go_to(pilot, "name")
        await press(pilot, "ctrl+u", "enter")
        colours = {row.slot.label: row.styles.color for row in pilot.app.screen.query(FieldRow)}
        assert [label for label in colours if colours[label] != colours["side"]] == ["name"], "the field with the focus"
        assert errors(pilot)["name"] == "is required"
        assert "2 errors to correct" in seen(pilot, "foot")
        await press(pilot, "O")
        assert errors(pilot).keys() == {"agility"}
        go_to(pilot, "sheet", "strikes")
        await press(pilot, "right", *"bow", "ctrl+n")
        assert errors(pilot) == {}, "what stays of the form says nothing of it any more"
        await press(pilot, "enter")
        assert "2 errors to correct" in seen(pilot, "foot"), "the agility, and the name of the second strike"
        assert draft(pilot).joins == ()
        go_to(pilot, "sheet", "strikes", 1, "name")
        await press(pilot, *"axe", "tab", "backspace")
        assert "bksp does nothing here" in seen(pilot, "foot"), "one of these choices has to be made"
        go_to(pilot, "sheet", "strikes", 0, "name")
        await press(pilot, "ctrl+d")
        go_to(pilot, "sheet", "agility")
        await press(pilot, "ctrl+u", "1", "2")
        go_to(pilot, "sheet", "cover")
        await press(pilot, "right")
        assert pilot.app.screen.focused.value == "partial"
        await press(pilot, "left", "left")
        assert pilot.app.screen.focused.value == "full"
        await press(pilot, "space")
        await press(pilot, "up")
        await press(pilot, "enter")
        assert screen_name(pilot) == "FormScreen"
        await press(pilot, "enter")
        assert screen_name(pilot) == "SetupScreen"
        (join,) = draft(pilot).joins
        assert join.name == "O"
        assert [strike["name"] for strike in join.sheet["strikes"]] == ["axe"]
        assert join.sheet | {"strikes": []} == {"hp": 90, "agility": 12, "cover": "partial", "strikes": []}
        await press(pilot, "enter")
        go_to(pilot, "sheet", "cover")
        await press(pilot, "backspace")
        go_to(pilot, "sheet", "strikes", 0, "name")
        await press(pilot, "ctrl+d", "enter")
        assert draft(pilot).joins[0].sheet == {"hp": 90, "agility": 12}


async def test_combatants_are_placed_one_after_the_other(paths):
    async with setting_up(paths, size=SMALL) as pilot:
        await press(pilot, "down", "down", "down", "down", "right", "right")
        assert draft(pilot).board.cols == 16
        await press(pilot, "a")
        await write(pilot, "Rat x3")
        await press(pilot, "enter", "p")
        assert screen_name(pilot) == "PlacingScreen"
        assert "3 to place" in seen(pilot, "board")
        # After each of them the cursor stands on a free place beside the last one.
        await press(pilot, "enter", "enter", "down", "left", "up", "up", "enter")
        assert screen_name(pilot) == "SetupScreen"
        places = [join.at for join in draft(pilot).joins]
        assert len(set(places)) == 3
        assert None not in places
        assert places[0] == parse_place("I7")
        await press(pilot, "end", "tab", "tab", "tab", "p", "tab", "backspace", "escape")
        assert [join.at is None for join in draft(pilot).joins] == [False, True, False]
        await press(pilot, "P")
        assert None not in [join.at for join in draft(pilot).joins]


async def test_a_place_can_be_named_while_combatants_are_placed(paths):
    """At the table 1.8: ``D5`` moves the cursor there; Enter takes it.

    Whoever types where the fight has no board meant `none` to go (found in play 30).
    """
    async with setting_up(paths) as pilot:
        await press(pilot, "down", "down", "down", "down", "enter")
        await write(pilot, "12 x 10")
        await press(pilot, "enter")
        assert (draft(pilot).board.cols, draft(pilot).board.rows) == (12, 10)
        await press(pilot, "a")
        await write(pilot, "Rat x2")
        await press(pilot, "enter", "p", "D", "5", "enter", "f", "1", "0", "enter")
        assert [join.at for join in draft(pilot).joins] == [parse_place("D5"), parse_place("F10")]


async def test_who_stands_nowhere_is_asked_about_before_the_fight_begins(paths):
    """The fight takes the place of the set-up also where that was the first screen: it could not begin."""
    async with setting_up(paths, "ambush-at-the-ford") as pilot:
        await press(pilot, "tab", "backspace", "S")
        assert "1 of 7 have no place" in seen(pilot, "foot")
        await press(pilot, "escape")
        assert screen_name(pilot) == "SetupScreen"
        await press(pilot, "S", "P")
        assert screen_name(pilot) == "FightScreen"
        assert all(one.at is not None for one in pilot.app.screen.table.state.combatants.values())
        await press(pilot, "q")
        assert not pilot.app.is_running


async def test_settings_are_gone_through_with_the_arrows_and_typed(paths):
    async with setting_up(paths) as pilot:
        await press(pilot, "shift+tab", "right")
        assert draft(pilot).settings == {"phase_labels": "set2"}
        await press(pilot, "left")
        assert draft(pilot).settings == {}
        await press(pilot, "down", "down", "enter", "ctrl+u", "x", "enter")
        assert "isn't a number" in seen(pilot, "foot")
        await press(pilot, "ctrl+u", "1", "0", "enter")
        assert draft(pilot).settings == {"hex_ft": 10.0}
        assert "SB-02: " in seen(pilot, "list"), "what it means stands below it"


async def test_leaving_asks_only_where_something_would_be_lost(paths):
    async with running(paths) as pilot:
        await press(pilot, "s")
        await press(pilot, "enter")
        assert screen_name(pilot) == "SetupScreen"
        await press(pilot, "q")
        assert screen_name(pilot) == "LibraryScreen"
        await press(pilot, "tab", "down", "s", "tab", "x", "escape")
        assert "without saving this setup" in seen(pilot, "foot")
        await press(pilot, "escape")
        assert screen_name(pilot) == "SetupScreen"
        await press(pilot, "q", "u")
        assert "u isn't an answer here" in seen(pilot, "foot")
        await press(pilot, "y")
        assert screen_name(pilot) == "LibraryScreen"


async def test_templates_are_kept_and_used_again(paths):
    async with setting_up(paths, "ambush-at-the-ford") as pilot:
        await press(pilot, "tab", "T")
        assert "Ysolde is saved as a template" in seen(pilot, "foot")
        Shelf(paths).library.save_template(CombatantTemplate(name="Bog rat", system="stage", sheet={"hp": 2}))
        await press(pilot, "home", "enter")
        assert screen_name(pilot) == "PickScreen"
        await write(pilot, "scratch")
        await press(pilot, "enter", "a")
        assert screen_name(pilot) == "PickScreen"
        assert "Bog rat" in seen(pilot, "choices")
        await write(pilot, "bog")
        await press(pilot, "enter")
        assert draft(pilot).joins[-1].name == "Bog rat"
        assert draft(pilot).joins[-1].sheet["hp"] == 2


async def test_the_system_is_asked_for_the_easiest_first_and_a_proposed_name_is_typed_over(paths):
    """Found in play 30 and 31: ``A fightThe Mill Bridge``, and the hardest system proposed."""
    assert len(system_names()) > 1
    async with running(paths) as pilot:
        await press(pilot, "s")
        assert screen_name(pilot) == "PickScreen"
        await press(pilot, "enter")
        assert draft(pilot).system == "plain"
        await press(pilot, "down", "enter")
        await write(pilot, "active phase")
        await press(pilot, "enter")
        assert draft(pilot).system == "slots"
        await press(pilot, "down", "enter")
        await write(pilot, "The Mill Bridge")
        await press(pilot, "enter")
        assert draft(pilot).name == "The Mill Bridge"
        await press(pilot, "enter")
        await write(pilot, " at dawn")
        await press(pilot, "enter")
        assert draft(pilot).name == "The Mill Bridge at dawn"
        await press(pilot, "a", "A", "s", "h", "enter")
        assert [join.name for join in draft(pilot).joins] == ["Ash"]
        assert "Ash" in seen(pilot, "roster")
        await press(pilot, "home", "down", "enter")
        await write(pilot, "stage")
        await press(pilot, "enter")
        assert draft(pilot).system == "stage"
        assert draft(pilot).joins == ()


@pytest.fixture
def own_games(paths):
    write_game(paths.systems, BRAWL)
    write_game(paths.systems, BROKEN, "broken")
    use_games(paths.systems)
    yield paths.systems
    use_games(None)


async def test_a_broken_game_is_shown_with_its_mistake_and_another_is_set_up(paths, own_games):
    async with running(paths) as pilot:
        await press(pilot, "s")
        await write(pilot, "broken")
        assert "1 mistake; enter lists them" in seen(pilot)
        await press(pilot, "enter")
        assert screen_name(pilot) == "NoticeScreen"
        assert "TOML" in seen(pilot)
        await press(pilot, "escape")
        assert draft(pilot).system == "plain"
        write_game(own_games, BRAWL.replace('"brawl"', '"broken"').replace('"Brawl"', '"Mended"'), "broken")
        await press(pilot, "escape", "s")
        await write(pilot, "mended")
        await press(pilot, "enter")
        assert draft(pilot).system == "broken"


async def test_a_game_that_breaks_while_it_is_set_up_begins_no_fight_and_can_be_mended(paths, own_games):
    async with setting_up(paths, system="brawl") as pilot:
        assert draft(pilot).system == "brawl", "the system was given: it is not asked for"
        await press(pilot, "a", "A", "s", "h", "enter")
        write_game(own_games, BROKEN)
        await press(pilot, "S")
        assert screen_name(pilot) == "SetupScreen"
        assert "TOML" in seen(pilot, "foot")
        assert "Ash" in seen(pilot, "roster")
        write_game(own_games, BRAWL.replace("cost = ", "price = ").replace("damage", "damge"))
        await press(pilot, "S")
        assert screen_name(pilot) == "NoticeScreen"
        assert "did you mean 'damage'" in seen(pilot)
        await press(pilot, "escape")
        write_game(own_games, HARD)
        await press(pilot, "S")
        assert screen_name(pilot) != "SetupScreen"


async def test_what_keeps_a_draft_from_beginning_is_shown_beside_it(paths):
    joins = (Join(name="Ash", label="A"), Join(name="Orc", side="nobody"))
    spoiled = replace(load_encounter("ambush-at-the-ford"), joins=joins, board=None)
    async with running(paths, first=lambda: SetupScreen(Shelf(paths), spoiled)) as pilot:
        assert "there is no side 'nobody'" in " ".join(seen(pilot, "roster").split())
        await press(pilot, "S")
        assert screen_name(pilot) == "SetupScreen"
        assert "no side 'nobody'" in seen(pilot, "foot")


async def test_a_click_goes_where_a_key_would(paths):
    async with setting_up(paths, "a-first-turn") as pilot:
        await pilot.click("#list", offset=(10, 12), times=2)
        await press(pilot)
        assert screen_name(pilot) == "FormScreen"
        await pilot.click("#fields", offset=(10, 3))
        await press(pilot, "Z", "enter")
        assert any("Z" in join.label for join in draft(pilot).joins)


async def test_a_fight_on_zones_is_set_up_with_the_keyboard(paths):
    """Zones are named in a row; the arrows go from one to the next, and several may stand in one.

    The arrows that choose a board take a floor plan away at the second press only.
    """
    async with setting_up(paths) as pilot:
        await press(pilot, "down", "down", "down", "down", "enter", "ctrl+u")
        await write(pilot, "Hall, Yard, Cellar")
        await press(pilot, "enter")
        plan = draft(pilot).board
        assert plan.neighbours("Yard") == ("Hall", "Cellar")
        for keys in (("right",), ("left",), ("up", "down", "right")):
            await press(pilot, *keys)
            assert draft(pilot).board == plan, keys
            assert "The floor plan would be lost; press again to confirm" in seen(pilot, "foot")
        await press(pilot, "right")
        assert draft(pilot).board.kind == "hex"
        await press(pilot, "right", "u", "u")
        assert draft(pilot).board == plan
        await press(pilot, "a")
        await write(pilot, "Rat x3")
        await press(pilot, "enter", "p")
        assert screen_name(pilot) == "PlacingScreen"
        await press(pilot, "enter", "right", "enter", "enter")
        assert screen_name(pilot) == "SetupScreen"
        assert [join.at for join in draft(pilot).joins] == ["Hall", "Yard", "Yard"]
        await press(pilot, "S")
        assert screen_name(pilot) == "FightScreen"
        assert pilot.app.screen.table.state.standing_in("Yard") == ("rat-2", "rat-3")


async def test_a_fight_on_squares_is_set_up_with_the_keyboard(paths):
    """A map is sized by the arrows, its hexes become squares on the line below; eight keys lead over it."""
    async with setting_up(paths) as pilot:
        await press(pilot, "down", "down", "down", "down", "right", "down", "right")
        assert (draft(pilot).board.kind, draft(pilot).board.cols) == ("square", 12)
        assert "squares" in seen(pilot, "list")
        await press(pilot, "left")
        assert draft(pilot).board.kind == "hex"
        await press(pilot, "enter", "up", "enter", "ctrl+u")
        await write(pilot, "9 x 7")
        await press(pilot, "enter")
        assert (draft(pilot).board.kind, draft(pilot).board.cols) == ("square", 9)
        await press(pilot, "a")
        await write(pilot, "Rat x2")
        await press(pilot, "enter", "p")
        assert screen_name(pilot) == "PlacingScreen"
        await press(pilot, "enter", "k", "u", "enter")
        assert screen_name(pilot) == "SetupScreen"
        board = draft(pilot).board
        assert [board.name_of(join.at) for join in draft(pilot).joins] == ["E4", "G2"]
        await press(pilot, "S")
        assert screen_name(pilot) == "FightScreen"
        state = pilot.app.screen.table.state
        assert state.board.name_of(state.combatants["rat-2"].at) == "G2"


ARMS = '[[weapon]]\nkey = "glaive"\nsize = 7\n'


async def test_the_users_own_file_is_shown_and_can_be_left_out_or_replaced(paths, tmp_path):
    mine = paths.setting_files / "segments" / "armoury.toml"
    mine.parent.mkdir(parents=True)
    mine.write_text(ARMS)
    other = tmp_path / "other.toml"
    other.write_text(ARMS.replace("7", "5"))
    async with setting_up(paths, system="segments") as pilot:
        await press(pilot, "shift+tab")
        while pilot.app.screen.editor.line.key != "armoury":
            await press(pilot, "down")
        assert "your own file" in seen(pilot, "list")
        assert draft(pilot).settings == {}
        await press(pilot, "enter", "ctrl+u", "enter")
        assert draft(pilot).settings == {"armoury": ""}
        await press(pilot, "enter")
        await write(pilot, str(other))
        await press(pilot, "enter")
        assert draft(pilot).settings == {"armoury": other.read_text()}
        assert "3 lines" in seen(pilot, "list")
        await press(pilot, "enter", "enter")
        assert draft(pilot).settings == {"armoury": other.read_text()}


async def test_what_is_wrong_with_the_users_own_file_is_said(paths):
    mine = paths.setting_files / "segments" / "armoury.toml"
    mine.parent.mkdir(parents=True)
    mine.write_text(ARMS.replace("7", "70"))
    async with setting_up(paths) as pilot:
        await press(pilot, "down", "enter")
        await write(pilot, "Combat Segments")
        await press(pilot, "enter")
        assert draft(pilot).system == "stage"
        assert "weapon.size" in seen(pilot, "foot")


async def test_combatants_are_added_by_a_name_and_numbers(paths):
    """How many, a side and the numbers that matter most; from a template what is typed takes the place of its own.

    Those of the shipped encounters are added with all that they have.
    """
    Shelf(paths).library.save_template(
        CombatantTemplate(name="Bog rat", system="stage", side="foe", sheet={"hp": 2, "agility": 9})
    )
    async with setting_up(paths) as pilot:
        await press(pilot, "@")
        assert "No combatants yet" in seen(pilot, "foot"), "no cue is set for nobody"
        await press(pilot, "a")
        assert "such as Imp x3 foe 5: name, how many, side, hp, agility, perception" in seen(pilot, "choices")
        await write(pilot, "Imp x3 fo 5 xyz")
        await press(pilot, "enter")
        assert screen_name(pilot) == "PickScreen"
        assert "not understood: fo, xyz; accepted after the count: a side (party, foe)" in seen(pilot, "foot")
        await press(pilot, "escape")
        assert not draft(pilot).joins
        await press(pilot, "a")
        await write(pilot, "Ash 14 12 11")
        assert "hp 14, agility 12, perception 11" in seen(pilot, "choices")
        await press(pilot, "enter", "a")
        await write(pilot, "Big wolf x2 foe 5")
        await press(pilot, "enter", "a")
        await write(pilot, "bog x2 4")
        await press(pilot, "enter", "a")
        await write(pilot, "goblin x2")
        shown = seen(pilot, "choices").splitlines()
        assert "A First Fight" in next(line for line in shown if "Goblin" in line)
        await press(pilot, "down", "down", "enter")
        joins = draft(pilot).joins
        assert [(join.name, join.side) for join in joins] == [
            ("Ash", "party"),
            ("Big wolf 1", "foe"),
            ("Big wolf 2", "foe"),
            ("Bog rat 1", "foe"),
            ("Bog rat 2", "foe"),
            ("Goblin 1", "foe"),
            ("Goblin 2", "foe"),
        ]
        assert joins[0].sheet == {"hp": 14, "agility": 12, "perception": 11}
        assert [join.sheet for join in joins[2:4]] == [{"hp": 5}, {"hp": 4, "agility": 9}]
        shipped = load_encounter("a-first-fight").joins
        assert joins[5].sheet == next(join.sheet for join in shipped if join.name == "Goblin 1")


async def test_notes_have_paragraphs(paths):
    """And an encounter that is saved already is not written over unasked."""
    paths.encounters.mkdir(parents=True)
    mine = paths.encounters / "ambush-at-the-ford.toml"
    mine.write_text("mine")
    async with setting_up(paths, "ambush-at-the-ford") as pilot:
        await press(pilot, "down", "down", "down", "down", "down", "down")
        before = draft(pilot).story
        await press(pilot, "enter")
        assert " // " in seen(pilot, "foot")
        await press(pilot, "enter")
        assert draft(pilot).story.strip() == before.strip()
        await press(pilot, "enter", "ctrl+u")
        await write(pilot, "Fog. // Nobody has a lamp.")
        await press(pilot, "enter")
        assert draft(pilot).story == "Fog.\n\nNobody has a lamp."
        await press(pilot, "w", "enter")
        assert "already exists" in seen(pilot, "foot")
        await press(pilot, "escape")
        assert mine.read_text() == "mine"


async def test_cues_are_set_from_templates_and_taken_out(paths):
    """A line at a round, and somebody who shoots at whoever comes near: as the file would have them."""
    async with setting_up(paths, "ambush-at-the-ford") as pilot:
        await press(pilot, "@")
        await write(pilot, "round: a line")
        await press(pilot, "enter")
        assert "Which round" in seen(pilot, "foot")
        await press(pilot, "ctrl+u", "x", "enter")
        assert "a whole number from 1" in seen(pilot, "foot")
        await press(pilot, "ctrl+u", "3", "enter", "ctrl+u")
        await write(pilot, "The mist lifts")
        await press(pilot, "enter")
        assert draft(pilot).cues[-1].when == {"round": 3}
        assert "Moment 3: The mist lifts" in seen(pilot, "list")
        await press(pilot, "@")
        await write(pilot, "enters hold")
        await press(pilot, "enter")
        await write(pilot, "Archer")
        await press(pilot, "enter")
        await write(pilot, "Z99")
        await press(pilot, "enter")
        assert "is not on the map" in seen(pilot, "foot")
        await press(pilot, "ctrl+u", "f", "5", "enter")
        assert screen_name(pilot) == "PickScreen", pilot.app.faults
        await press(pilot, "enter")
        assert draft(pilot).cues[-1].when == {"enters": ["F5"], "who": "party"}
        await press(pilot, "w", "enter")
        saved = load_encounter(paths.encounters / "ambush-at-the-ford.toml")
        assert saved.cues == draft(pilot).cues
        setup = pilot.app.screen
        while setup.editor.cue_index is None:
            await press(pilot, "down")
        await press(pilot, "x")
        assert len(draft(pilot).cues) == len(saved.cues) - 1
        await press(pilot, "u")
        assert draft(pilot).cues == saved.cues


@pytest.mark.parametrize("name", ["ambush-at-the-ford", "the-drowned-vault", "the-last-tram"])
async def test_whoever_is_selected_is_seen_with_a_whole_name_on_a_small_screen(name, paths):
    """By whole words of name and place, in the list and where they are placed."""
    encounter = load_encounter(name)
    async with running(paths, (60, 18), lambda: SetupScreen(Shelf(paths), encounter)) as pilot:
        await press(pilot, "tab")
        for join in encounter.joins:
            marked = next(row for row in seen(pilot, "list").split("\n") if row.startswith("│▌"))
            assert any(form in marked for form in name_forms(join.name))
            assert not re.search(r"\w…", marked)
            if encounter.board is not None:
                await press(pilot, "p")
                assert f"{join.name} here" in seen(pilot, "foot")
                await press(pilot, "escape")
            await press(pilot, "down")


async def test_what_a_setting_means_is_cut_nowhere(paths):
    async with running(paths, (60, 18), lambda: SetupScreen(Shelf(paths), load_encounter("the-withy-ford"))) as pilot:
        await press(pilot, "end")
        said = " ".join(re.sub("[│┃█]", " ", seen(pilot, "list")).split())
        assert "A-35: Standing minus fallen in the DV against Presence can be negative, or is at least 0" in said
        await press(pilot, "up")
        assert "…" not in seen(pilot, "list")


async def test_what_the_foot_says_is_broken_off_between_two_words(paths):
    story = replace(load_encounter("the-withy-ford"), story="They come at dusk, before the ferry has gone over twice")
    async with running(paths, (40, 18), lambda: SetupScreen(Shelf(paths), story)) as pilot:
        await press(pilot, *["down"] * 6)
        assert seen(pilot, "foot").split("\n")[0].rstrip().endswith("ferry …")
