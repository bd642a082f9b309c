"""One evening in one fight, by keys: two maps, a third party, time that passes, who comes and goes; and then killed."""

import json
import shutil

from counting import Journey
from driver import running
from stagehand import advance_to, ford, playing

from fightcall.cli import main
from fightcall.screens.replay import ReplayScreen
from fightcall_engine.archive.encounters import load_encounter
from fightcall_engine.play.chart import Reel
from fightcall_engine.play.fight import Fight

SIZE = (140, 40)
TOLD = (
    "Goblin 2 changes sides: river folk",
    "Wolf joins (party)",
    "C3: darkness",
    "Paul leaves",
    "10 minutes later",
    "Wolf leaves: time is up",
    "Paul comes back",
    "The fight moves to",
)
"""What the log says of the evening."""


async def write(play, text):
    """Type a name, a label, a place or a number."""
    for letter in text:
        await play.press("space" if letter == " " else letter)


async def tool(play, letter, *typed):
    """Use the toolbox: a letter, then texts with Enter after each, or keys on their own as tuples."""
    await play.press("escape", "!", letter)
    for each in typed:
        if isinstance(each, tuple):
            await play.press(*each)
        else:
            await write(play, each)
            await play.press("enter")


def label(play, who):
    return tuple(play.one(who).label.lower())


async def test_an_evening_in_one_fight_that_is_killed_and_goes_on(tmp_path, monkeypatch):
    """At the table proof 1: saved, killed, resumed, replayed and exported: one fight, one log, one file."""
    path = tmp_path / "fights" / "ford.jsonl"
    path.parent.mkdir()
    killed = tmp_path / "killed" / "ford.jsonl"
    killed.parent.mkdir()
    async with playing(advance_to(ford(path), "move"), tmp_path, size=SIZE) as play:
        evening = Journey(play)
        await evening.press("d", *label(play, "paul"), "3", "enter")
        hurt = play.one("paul").pools
        # A third party comes, a wolf for three rounds, and the torch goes out.
        await tool(play, "s", label(play, "goblin-2"), "river folk")
        await play.press("J")
        await write(play, "Wolf party 5 for 3")
        await play.press("enter")
        await write(play, "c4")
        await play.press("enter")
        await tool(play, "t", "darkness", "c3")
        assert play.state.board.terrain_at(play.state.board.parse("C3")).blocks_sight
        # Paul flees; ten minutes pass; the wolf goes, Paul comes back.
        await tool(play, "l", label(play, "paul"))
        assert {"wolf"} <= set(play.state.combatants)
        await tool(play, "k", "10 min")
        assert not {"wolf", "paul"} & set(play.state.combatants)
        await tool(play, "b", ("p",), "d4")
        assert play.one("paul").pools == hurt
        # They follow the goblins into the tower.
        await tool(play, "n", ("/",), "watchtower", "")
        assert play.state.board == load_encounter("the-watchtower").board
        assert play.one("paul").pools == hurt
        assert "goblin-1" not in play.state.combatants
        play.check()
        # Killed: what is on the disk at this moment is all that is left.
        shutil.copy(path, killed)
        live = play.state
    fight = Fight.open(killed)
    assert fight.state == live
    async with playing(fight, tmp_path, size=SIZE) as play:
        assert f"Board · {live.board.kind}" in play.text("board")
        for _ in range(4):
            await play.press("escape", "space")
        await play.press("escape", "d", *label(play, "paul"), "1", "enter")
        assert play.one("paul").pools["hp"].now == hurt["hp"].now - 1
        play.check()
        while "goblin-1" not in play.state.combatants:
            await play.press("escape", "u")
        assert play.state.board.terrain_at(play.state.board.parse("C3")).name == "darkness"
        while play.state != live:
            await play.press("U")
        live = play.state
    again = Fight.watch(killed)
    assert again.state == live
    story = "\n".join(line.text for shot in Reel(again, for_gm=True).shots for line in shot.lines)
    assert [words for words in TOLD if words not in story] == []
    async with running(play.app.paths, SIZE, lambda: ReplayScreen(Fight.watch(killed), killed)) as pilot:
        screen, kinds = pilot.app.screen, []
        for key in ("home", "end", "home"):
            await pilot.press(key)
            await pilot.pause()
            kinds.append(screen.state.board)
        assert kinds == [again.line.seek(0).board, live.board, again.line.seek(0).board]
    for form in ("json", "md", "html", "replay"):
        target = tmp_path / f"evening.{form}"
        assert main(["export", str(killed), "--gm", "--to", form, "-o", str(target)]) == 0
        told = target.read_text(encoding="utf-8")
        missing = [words for words in TOLD if words not in told and json.dumps(words)[1:-1] not in told]
        assert missing == [], form
