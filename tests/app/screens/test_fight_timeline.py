"""The timeline by keys and the mouse: in place of the board, beside it on large screens, and in the replay."""

import pytest
from driver import home, press, running, seen
from stagehand import SMALL, WIDE, advance_to, ford, playing

from fightcall.screens.replay import ReplayScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.play.fight import Fight

VAST = (200, 55)


def ids(play):
    """The panes that can be seen."""
    return {pane.id for pane in play.panes()}


def struck():
    """A fight in Missile with some harm done."""
    fight = advance_to(ford(), "missile")
    fight.give("damage", who="brand", amount=3)
    fight.give("damage", who="goblin-1", amount=2)
    return fight


@pytest.mark.parametrize(("size", "shut"), [(WIDE, "f5"), (WIDE, "escape"), (SMALL, "escape"), (SMALL, "f2")])
async def test_the_timeline_takes_the_place_of_the_board(tmp_path, size, shut):
    async with playing(struck(), tmp_path, size=size) as play:
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


async def test_what_lasts_says_when_it_ends(tmp_path):
    """On its bar, and below of whoever is selected."""
    fight = struck()
    fight.give("add_effect", who="brand", name="dazed", rounds=3)
    async with playing(fight, tmp_path, size=VAST) as play:
        await play.press("f5", "'", "B")
        await play.drawn()
        shown = play.text("lanes")
        assert "dazed, ends in Moment 3" in shown
        assert "dazed 3 left, ends in Moment 3" in shown


async def test_from_200_columns_it_stands_beside_the_board(tmp_path):
    async with playing(struck(), tmp_path, size=VAST) as play:
        await play.nothing("f5")
        await play.drawn()
        assert {"lanes", "board", "roster", "feed"} <= ids(play)
        play.check()


async def test_a_moment_is_marked_and_gone_to_and_that_can_be_undone(tmp_path):
    fight = struck()
    last = fight.head_number
    async with playing(fight, tmp_path) as play:
        await play.nothing("f5", "left")
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


async def test_arrows_without_a_timeline_say_what_shows_it(tmp_path):
    async with playing(struck(), tmp_path) as play:
        said = await play.nothing("left")
        assert "f5 opens the timeline" in said


async def test_enter_does_nothing_while_nothing_is_marked(tmp_path):
    """At the table 1.1."""
    fight = struck()
    async with playing(fight, tmp_path) as play:
        await play.nothing("f5")
        assert "Done. " in await play.nothing("enter")
        assert play.screen.runner.flow is None


@pytest.mark.parametrize("encounter", [found.path.stem for found in shipped_encounters()])
async def test_every_system_has_its_timeline(tmp_path, encounter):
    fight = start_fight(load_encounter(encounter), id="fight", seed="2")
    fight.give("start")
    if fight.state.asked_first is not None and not fight.state.round:
        fight.give("answer")
    async with playing(fight, tmp_path) as play:
        await play.nothing("f5")
        await play.drawn()
        assert play.state.step is None or play.text("lanes").count("\n") > 5
        for combatant in fight.state.combatants.values():
            assert combatant.label in play.text("lanes")


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


async def test_a_cue_stands_where_it_is_due(tmp_path):
    fight = struck()
    fight.give("set_cue", name="The bridge burns", when={"round": 3}, then={"say": "It burns"})
    async with playing(fight, tmp_path, size=VAST) as play:
        await play.nothing("f5")
        await play.drawn()
        rows = play.text("lanes").split("\n")
        cue = next(row for row in rows if "cues" in row)
        assert "The bridge burns" in cue
        assert cue.index("⚑") >= rows[1].rindex(" M")
