"""Help: the keys in force in a room, and what the rules say now."""

import pytest
from driver import LARGE, SMALL, home, play, press, running, screen_name, seen, write

from fightcall.actions import KeyNames, actions_of
from fightcall.screens.base import OpeningScreen
from fightcall.screens.help import Line, help_lines, help_rows, search_lines, trail_lines
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.views import Trail, TrailPart

STAGE = find_system("stage")


@pytest.fixture
def paths(tmp_path):
    return home(tmp_path)


def test_every_action_of_a_room_is_in_its_help():
    for scope in ("library", "setup", "replay", "fight"):
        ids = {line.more for line in help_lines(scope, KeyNames(), None)}
        assert {action.id for action in (*actions_of(scope), *actions_of("everywhere"))} <= ids


def test_the_users_own_keys_are_the_ones_shown():
    lines = help_lines("library", KeyNames({"library.trash": "f9"}), None)
    assert next(line.left for line in lines if line.more == "library.trash") == "f9"


def test_the_keys_come_first_and_to_whoever_asks_why_the_reason_and_the_rules_of_the_phase():
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="x")
    fight.give("start")
    lines = help_lines("fight", KeyNames(), (fight.state, STAGE))
    assert lines[0].text == "What you can do now"
    assert lines[1].kind == "key"
    headings = [line.text for line in lines if line.kind == "heading"]
    assert headings.index("Stage Moments: Meeting") == len(headings) - 3
    why = (Line("heading", "", "Why not"), Line("text", "", "too far"))
    lines = help_lines("fight", KeyNames(), (fight.state, STAGE), why)
    assert lines[2].text == "Stage Moments: Meeting"
    rules = [line.left for line in lines[3:12] if line.kind == "rule"]
    assert tuple(rules) == STAGE.phase_rules("meeting")[: len(rules)] != ()
    assert {line.left for line in lines if line.kind == "rule"} == set(STAGE.rules())
    assert any(line.more == "option.talk" and line.left == "t" for line in lines)


def test_a_key_is_shown_as_it_is_offered_to_who_can_use_it():
    fight = start_fight(load_encounter("ambush-at-the-ford"), id="x", seed="7")
    for _ in range(12):
        fight.give("advance")
        options = [option for combatant_id in fight.state.combatants for option in fight.options(combatant_id)]
        legal = {f"option.{option.action}": option for option in options if option.legal}
        for line in help_lines("fight", KeyNames(), (fight.state, STAGE)):
            option = legal.get(line.more)
            assert option is None or line.text.endswith(f"  {option.rule}"), (fight.state.phase, line, option)


def test_lines_are_found_under_their_headings():
    lines = search_lines(help_lines("library", KeyNames(), None), "trash MOVE")
    assert [line.kind for line in lines] == ["heading", "key"]
    assert lines[1].more == "library.trash"
    assert search_lines(lines, "nothing like it") == []


@pytest.mark.parametrize("cells", [30, 78, 150])
def test_lines_are_wrapped_to_the_width(cells):
    rows = help_rows(help_lines("fight", KeyNames(), None), cells)
    assert all(sum(len(run.text) for run in row) <= cells for row in rows)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_it_is_opened_searched_scrolled_and_left(paths, size):
    async with running(paths, size) as pilot:
        await press(pilot, "?")
        assert screen_name(pilot) == "HelpScreen"
        assert "Continue the fight" in " ".join(seen(pilot, "text").split()).replace("│ │", "")
        top = seen(pilot, "text")
        await press(pilot, "end")
        assert seen(pilot, "text") != top or size == LARGE
        await press(pilot, "/")
        await write(pilot, "palette")
        assert "everywhere.palette" in seen(pilot) or "Find an action, combatant" in seen(pilot)
        assert "Continue the fight" not in seen(pilot)
        await press(pilot, "escape", "f1")
        assert screen_name(pilot) == "LibraryScreen"
        await press(pilot, "f1", "?")
        assert screen_name(pilot) == "LibraryScreen"


async def test_in_a_replay_it_speaks_of_the_moment_shown(paths):
    path = play(paths, advances=6)
    async with running(paths, first=lambda: OpeningScreen(path, "replay")) as pilot:
        await press(pilot, ">", ">", "?", "/")
        await write(pilot, "skips Management")
        await press(pilot, "enter")
        assert "Shooting uses your attack for this Moment" in " ".join(seen(pilot, "text").split())


def test_what_has_no_number_of_its_own_is_explained_without_a_colon():
    parts = (TrailPart("Awareness", "23", "AP-01"), TrailPart("the Cycle is locked", "", "AP-07"))
    trail = Trail("place", "1 of 4", parts)
    lines = trail_lines(STAGE, "Ilvane", [trail], "", "")
    assert [line.text for line in lines[2:]] == ["  Awareness: 23", "  the Cycle is locked"]
