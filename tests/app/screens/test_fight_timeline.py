"""The timeline by keys and the mouse: in place of the board, beside it on large screens, and in the replay."""

import pytest
from driver import home, press, running, seen
from stagehand import SMALL, WIDE, advance_to, ford, playing

from fightcall.screens.replay import ReplayScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.play.fight import Fight


def ids(play):
    """The panes that can be seen."""
    return {pane.id for pane in play.panes()}


def struck():
    """A fight in Missile with some harm done."""
    fight = advance_to(ford(), "missile")
    fight.give("damage", who="brand", amount=3)
    fight.give("damage", who="goblin-1", amount=2)
    return fight


async def test_the_timeline_takes_the_place_of_the_board(tmp_path):
    async with playing(struck(), tmp_path) as play:
        for size, shut in ((WIDE, "f5"), (WIDE, "escape"), (SMALL, "escape"), (SMALL, "f2")):
            await play.pilot.resize_terminal(*size)
            await play.drawn()
            before = ids(play)
            await play.nothing("f5")
            await play.drawn()
            assert "lanes" in ids(play)
            assert "board" not in ids(play)
            assert "Moment 1" in play.text("lanes")
            assert "−3" in play.text("lanes")
            play.check()
            await play.nothing(shut)
            await play.drawn()
            assert ids(play) == before


@pytest.mark.parametrize("size", [(60, 20), WIDE])
async def test_it_opens_at_the_first_lane_if_the_selected_one_is_near(tmp_path, size):
    async with playing(struck(), tmp_path, size=size) as play:
        await play.press("shift+tab", "f5")
        await play.drawn()
        table = play.screen.table
        first, selected = (play.one(who).label for who in (table.roster_order()[0], table.selected))
        rows = play.text("lanes").split("\n")
        lane = next(at for at, row in enumerate(rows) if f" {first} " in row.partition("│")[2][:5])
        assert any(f"▌ {selected} " in row for row in rows[lane + 1 :])


async def test_on_a_smaller_screen_the_selected_still_has_their_lane(tmp_path):
    fight = struck()
    for number in range(20):
        fight.give("join", name=f"Guard {number}", side="foe", sheet={"hp": 5})
    async with playing(fight, tmp_path) as play:
        play.screen.table.selected = "guard-19"
        await play.press("f5")
        await play.drawn()
        for size in (WIDE, (152, 30), SMALL, (200, 55), SMALL):
            await play.pilot.resize_terminal(*size)
            await play.drawn()
            assert "Guard 19" in play.text("lanes"), size


async def test_from_200_columns_it_stands_beside_the_board_and_says_when_what_lasts_ends_and_cues_are_due(tmp_path):
    """The end on the bar, and below of whoever is selected."""
    fight = struck()
    fight.give("add_effect", who="brand", name="dazed", rounds=3)
    fight.give("set_cue", name="The bridge burns", when={"round": 3}, then={"say": "It burns"})
    async with playing(fight, tmp_path, size=(200, 55)) as play:
        await play.press("f5", "'", "B")
        await play.drawn()
        assert {"lanes", "board", "roster", "feed"} <= ids(play)
        shown = play.text("lanes")
        assert "dazed, ends in Moment 3" in shown
        assert "dazed 3 left, ends in Moment 3" in shown
        rows = shown.split("\n")
        cue = next(row for row in rows if "cues" in row)
        assert "The bridge burns" in cue
        assert cue.index("⚑") >= rows[1].rindex(" M")


async def test_a_moment_is_marked_and_gone_to_and_that_can_be_undone(tmp_path):
    """At the table 1.1: Enter does nothing while nothing is marked; without a timeline, arrows say what shows it."""
    fight = struck()
    last = fight.head_number
    async with playing(fight, tmp_path) as play:
        assert "f5 opens the timeline" in await play.nothing("left")
        await play.nothing("f5")
        assert "Done. " in await play.nothing("enter")
        assert play.screen.runner.flow is None
        await play.nothing("left")
        assert f"#{last - 1} Brand takes 3" in play.text("lanes")
        await play.press("enter")
        assert fight.head_number == last - 1
        assert fight.state.combatants["goblin-1"].pools["hp"].now == 7
        assert "−2" not in play.text("lanes")
        assert play.pane("lanes").marked is None
        await play.press("U")
        assert fight.head_number == last
        assert "−2" in play.text("lanes")


async def test_pages_are_rounds_and_the_present_is_the_last_moment(tmp_path):
    fight = struck()
    while fight.state.round < 3:
        fight.give("advance")
    async with playing(fight, tmp_path) as play:
        await play.nothing("f5", "pageup")
        lanes = play.pane("lanes")
        assert fight.line.seek(fight.line.span(fight.line.index_of(lanes.marked))[1]).round == 2
        await play.nothing("pageup", "pageup", "left")
        assert lanes.marked == 0
        assert "the beginning" in play.text("lanes")
        await play.nothing("pagedown", "pagedown", "pagedown", "pagedown")
        assert lanes.marked is None
        await play.nothing("left", "right", "right")
        assert lanes.marked is None


async def test_a_click_marks_a_moment_and_selects_a_lane(tmp_path):
    fight = struck()
    async with playing(fight, tmp_path) as play:
        await play.nothing("f5")
        await play.drawn()
        pane = play.pane("lanes")
        rows = play.text("lanes").split("\n")
        y = next(number for number, row in enumerate(rows) if "Brand" in row)
        await play.pilot.click("#lanes", offset=(rows[y].index("Brand"), y))
        assert play.screen.table.selected == "brand"
        await play.pilot.click("#lanes", offset=(rows[y].index("−3"), y))
        assert pane.marked == fight.head_number or pane.marked is None
        y = rows.index(next(row for row in rows if "Moment 1" in row))
        await play.pilot.click("#lanes", offset=(rows[y].index("Moment 1"), y))
        assert pane.marked is not None


async def test_the_replay_has_it_and_its_moment_is_marked(tmp_path):
    paths = home(tmp_path)
    path = Shelf(paths).begin(load_encounter("ambush-at-the-ford"), None)
    fight = Fight.open(path)
    advance_to(fight, "missile")
    fight.give("damage", who="brand", amount=3)
    fight.close()
    async with running(paths, first=lambda: ReplayScreen(Fight.watch(path), path)) as pilot:
        await press(pilot, "f5", "end")
        assert "#" in seen(pilot, "lanes")
        assert "Brand takes 3" in seen(pilot, "lanes")
        await press(pilot, "home")
        assert "the beginning" in seen(pilot, "lanes")
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, ReplayScreen)
        assert not pilot.app.screen.query_one("#lanes").display
