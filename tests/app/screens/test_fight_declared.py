"""What everybody declared: on the roster and in place of the board, live and in the replay, by keys and the mouse."""

import re

import pytest
from desk import at_desk
from driver import LARGE, home, press, running, seen
from driver import SMALL as NARROW
from segments_fights import on_one_line
from stagehand import SMALL, WIDE, advance_to, ford, playing
from test_fight_sizes import click_text

from fightcall.screens.replay import ReplayScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.views import Declaration
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view


@pytest.fixture
def declared(monkeypatch):
    """A system that declares: everybody's name, and what came of it once a round is over."""

    def said(self, state):
        done = f"over {state.round}" if state.round > 1 else ""
        return tuple(
            Declaration(who, f"says {one.name}", parts="R", cost="4 qa", due="now", status="declared", done=done)
            for who, one in state.combatants.items()
        )

    monkeypatch.setattr(type(ford().system), "declarations", said)


def ids(play):
    """The panes that can be seen."""
    return {pane.id for pane in play.panes()}


async def test_the_roster_or_a_table_in_place_of_the_board_says_what_was_declared(tmp_path, declared):
    async with playing(advance_to(ford(), "missile"), tmp_path) as play:
        for size, ways_back in ((WIDE, ("L", "escape")), (SMALL, ("escape", "f2"))):
            await play.pilot.resize_terminal(*size)
            await play.drawn()
            await play.nothing("l")
            assert "Roster: declared" in play.text("roster")
            assert "says Ysolde" in play.text("roster")
            await play.nothing("l")
            assert "says" not in play.text("roster")
            assert "14/14" in play.text("roster")
            before = ids(play)
            for back in ways_back:
                await play.nothing("L")
                await play.drawn()
                assert ids(play) == {"ribbon", "declared", "call"}
                assert "says Goblin 1" in play.text("declared")
                play.check()
                await play.nothing(back)
                await play.drawn()
                assert ids(play) == before
        names = [action.name for action in play.screen.shown_actions()]
        assert {"declared", "declarations"} <= set(names)
        await play.nothing("?", "/", *"decl")
        help_text = "\n".join("".join(run.text for run in row) for row in play.app.screen.text.rows)
        assert "Show all declarations" in help_text
        await play.press("enter", "q")


async def test_arrows_and_clicks_select_on_the_table_and_play_goes_on_before_it(tmp_path, declared):
    async with playing(advance_to(ford(), "missile"), tmp_path) as play:
        order = list(play.screen.table.roster_order())
        table = play.screen.table
        table.selected = order[0]
        for key, wanted in (("down", 1), ("down", 2), ("up", 1), ("up", 0), ("up", 0)):
            await play.nothing(key)
            assert table.selected == order[wanted]
        await play.press("L")
        await play.drawn()
        await play.press("down")
        assert table.selected == list(play.state.combatants)[1]
        await click_text(play, "declared", "says Goblin 3")
        assert table.selected == "goblin-3"
        assert "▌" in next(row for row in play.text("declared").split("\n") if "Goblin 3" in row)
        table.selected = order[0]
        await play.press("s")
        assert "[1]" in play.text("declared"), "who may be a target"
        await play.press("escape")
        assert "declared" in ids(play), "the first Escape leaves the question"
        fight = play.fight
        while fight.state.round < 2:
            fight.give("advance")
        await play.settle()
        assert "over 2" in play.text("declared")


async def test_a_long_table_scrolls_to_who_is_selected_and_by_pages(tmp_path, declared):
    fight = ford()
    fight.give("join", name="Wolf", side="foe", count=20)
    async with playing(advance_to(fight, "missile"), tmp_path, size=SMALL) as play:
        await play.press("L")
        await play.drawn()
        assert "Wolf 20" not in play.text("declared")
        await play.press(*["pagedown"] * 4)
        assert "Wolf 20" in play.text("declared")
        await play.press(*["pageup"] * 4)
        assert "Ysolde" in play.text("declared")
        await play.press("'", fight.state.combatants["wolf-19"].label[0], *fight.state.combatants["wolf-19"].label[1:])
        assert "Wolf 19" in play.text("declared")


async def test_a_work_over_several_rounds_is_a_declaration(tmp_path):
    """In a system that has such works: what it is, and how far. Where nothing is declared nothing is offered."""
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    fight.give("start")
    for who, result in (("sabet", 23), ("brother-aum", 21), ("ilvane", 17), ("tamsin-roe", 7)):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    async with playing(fight, tmp_path) as play:
        assert "declared" not in play.text("call")
        for key in ("l", "L"):
            assert "No declarations now" in await play.nothing(key)
        assert {"roster", "board"} <= ids(play)
        fight.give("begin", who="sabet", ability="Ward of glass")
        await play.settle()
        await play.press("l")
        assert "» busy" in play.text("roster")
        await play.press("L")
        await play.drawn()
        assert "Ward of glass" in play.text("declared")
        await play.press("u")
        assert "Ward of glass" not in play.text("declared"), "and with it the declaration is taken back"


async def test_the_replay_shows_the_same(tmp_path, declared):
    paths = home(tmp_path)
    path = Shelf(paths).begin(load_encounter("ambush-at-the-ford"), None)
    fight = Fight.open(path)
    fight.give("start")
    while fight.state.round < 2:
        fight.give("advance")
    fight.close()
    async with running(paths, NARROW, lambda: ReplayScreen(Fight.watch(path), path)) as pilot:
        screen = pilot.app.screen
        await press(pilot, "f3", "l")
        assert "says Ysolde" in seen(pilot, "roster")
        for size in (NARROW, LARGE):
            await pilot.resize_terminal(*size)
            await press(pilot, "home", "L")
            assert screen.panes.declared.display
            assert "over" not in seen(pilot, "declared")
            await press(pilot, "end")
            assert "over 2" in seen(pilot, "declared")
            await press(pilot, "escape")
            assert screen is pilot.app.screen
            assert screen.panes.board.display
            assert not screen.panes.declared.display
        assert "says Ysolde" in seen(pilot, "roster")


async def test_a_segment_from_declarations_to_what_came_of_them():
    """CS-082, CS-087, CS-102: a task of several segments, a secret, a wait, a blow; declared against done."""
    fight = on_one_line()
    fight.give("place", who="oskar-the-axe", at="N4")
    async with at_desk(fight) as play:
        await play.press("L")
        await play.drawn()
        assert play.text("declared").count("not yet") == len(fight.state.combatants)
        await play.give("s", "O", "enter")
        assert "· draft" in line_of(play, "Aldous Bray")
        await play.give("space")
        fight.give("wait", who="oskar-the-axe")
        fight.give("declare", who="pell", text="palms the key", secret=True)
        fight.give("advance")
        fight.give("declare", who="berit", text="unlock the stores", qa=12)
        fight.give("advance")
        await play.settle()
        assert "▸ declared" in line_of(play, "Aldous Bray")
        assert "◆ waits" in line_of(play, "Oskar the Axe")
        assert "◌ palms the key  appears to do nothing" in line_of(play, "Pell")
        assert "12 quarters CS 3" in line_of(play, "Berit")
        while fight.state.step.kind != "resolve":
            fight.give("advance")
        fight.give("resolve", who="aldous-bray", hit=False)
        await play.settle()
        assert "came of it" in play.text("declared")
        assert "✗ failed" in line_of(play, "Aldous Bray")
        assert "miss" in line_of(play, "Aldous Bray").lower()
        view = player_view(fight.state, fight.system)["declarations"]
        assert {one["words"] for one in view if one["who"] == "pell"} == {"appears to do nothing"}


async def test_a_secret_is_marked_wherever_it_stands():
    """CS-087, found in play 15: in the roster, in the log and in the call bar."""
    fight = on_one_line()
    async with at_desk(fight) as play:
        fight.give("declare", who="aldous-bray", text="palms a knife", secret=True)
        await play.settle()
        for pane in ("roster", "feed", "call"):
            said = " ".join(play.text(pane).replace("│", " ").split())
            assert re.search(r"secret: palms a knife|palms a knife \(secret", said), said
        fight.give("join", name="Lurker", side="foe", hidden=True)
        await play.settle()
        assert re.search(r"(?s)Lurker joins.* secret\b", play.text("feed"))
        assert "Lurker joins (foe), not on the board yet (secret)" in play.said


def line_of(play, name):
    """The line of the table with a name on it."""
    return next(row for row in play.text("declared").split("\n") if name in row[:24])
