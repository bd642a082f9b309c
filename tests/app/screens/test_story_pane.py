"""The story of the encounter, somebody's note and the kinds of ground: one key away, in the fight and in its replay."""

import pytest
from driver import home, press, running, seen
from stagehand import ford, playing

from fightcall.screens.replay import ReplayScreen
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view

STORY = "The road drops out of the birches to the only ford in a day's walk."


def words(text):
    """A pane's words without its frame, its scroll bar and its line breaks."""
    return " ".join(text.replace("│", " ").replace("┃", " ").split())


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40), (200, 55)], ids=str)
async def test_one_key_opens_the_story_over_the_log_and_escape_closes_it(size, tmp_path):
    async with playing(ford(), tmp_path, size=size) as play:
        before = {pane.id for pane in play.panes()}
        await play.nothing("i")
        await play.drawn()
        assert STORY in words(play.text("story"))
        assert play.pane("story") in play.panes()
        assert play.pane("feed") not in play.panes()
        assert (play.pane("board") in play.panes()) == (size[0] >= 110)
        await play.nothing("escape")
        await play.drawn()
        assert {pane.id for pane in play.panes()} == before


async def test_whoever_is_selected_has_their_note_first_and_the_ground_its_price(tmp_path):
    fight = start_fight(load_encounter("the-watchtower"), id="tower", seed="7")
    noted = next(one for one in fight.state.combatants.values() if one.sheet.get("note"))
    async with playing(fight, tmp_path, size=(140, 80)) as play:
        await play.press("i", "'", *noted.label)
        await play.drawn()
        shown = words(play.text("story"))
        assert noted.sheet["note"] in shown
        assert shown.index(noted.sheet["note"]) < shown.index("Terrain")
        legend = shown[shown.index("Terrain") :]
        used = {fight.state.board.legend[name] for name in fight.state.board.terrain.values()}
        for terrain in used:
            said = "no one can enter" if terrain.blocks else f"{terrain.cost} to enter"
            assert f"{terrain.name}: {said}" in legend
            assert not terrain.blocks_sight or "blocks sight" in legend


async def test_a_list_takes_the_storys_place_and_gives_it_back(tmp_path):
    async with playing(ford(), tmp_path) as play:
        await play.press("i", "a")
        await play.drawn()
        assert {"feed"} == {"feed", "story"} & {pane.id for pane in play.panes()}
        await play.press("escape")
        await play.drawn()
        assert {"story"} == {"feed", "story"} & {pane.id for pane in play.panes()}


async def test_a_replay_has_the_story_of_the_file(tmp_path):
    paths = home(tmp_path)
    path = tmp_path / "ford.jsonl"
    fight = ford(path=path)
    fight.give("start")
    fight.close()
    async with running(paths, first=lambda: ReplayScreen(Fight.watch(path), path)) as pilot:
        await press(pilot, "i")
        assert STORY in words(seen(pilot, "story"))
        await press(pilot, "escape")
        assert not pilot.app.screen.query_one("#story").display, "the first step back is out of the story"


def test_a_fight_keeps_its_story_on_disk_and_from_players(tmp_path):
    path = tmp_path / "ford.jsonl"
    fight = ford(path=path)
    story = fight.start.story
    assert STORY in " ".join(story.split())
    fight.give("start")
    assert "birches" not in repr(player_view(fight.state, fight.system))
    fight.save_as(tmp_path / "other.jsonl")
    fight.close()
    assert [Fight.watch(tmp_path / name).start.story for name in ("ford.jsonl", "other.jsonl")] == [story, story]


async def test_a_fight_without_a_story_says_so(tmp_path):
    async with playing(Fight.new("stage"), tmp_path) as play:
        await play.nothing("i")
        assert "This encounter has no story" in words(play.text("story"))
