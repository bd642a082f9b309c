"""A fight on zones on the screen: boxes with who is in them, walked by a letter, clicked, in each system."""

import re

from desk import at_desk
from driver import home, running, seen
from driver import press as keys
from stagehand import SMALL, WIDE, event, playing

from fightcall.paint.runs import row_width
from fightcall.paint.scenes import zone_keys
from fightcall.panes.board import BoardPane
from fightcall.screens.replay import ReplayScreen
from fightcall.shelf import Shelf
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.zones import Border, Zone, ZoneBoard
from fightcall_engine.play.fight import Fight


def playhouse():
    """Fire at the playhouse, Perdita's Active Phase first."""
    fight = start_fight(load_encounter("fire-at-the-playhouse"), id="playhouse", seed="7")
    fight.give("start")
    for who, result in (("perdita-lark", 20), ("hob-the-stagehand", 12), ("sister-amaranth", 5)):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    return fight


async def test_every_zone_and_everybody_is_seen_and_moves_by_letter_with_a_price_and_somebody_met(tmp_path):
    """m, the zone's letter, Enter; digits are the GM's price, x and a label the enemy who is met; u takes it back."""
    fight = playhouse()
    async with playing(fight, tmp_path) as play:
        for size in (SMALL, WIDE):
            await play.pilot.resize_terminal(*size)
            await play.drawn()
            shown = play.text("board")
            for zone in ("Catwalk", "Wings", "Stage", "Cellar", "Pit", "Gallery", "Foyer"):
                assert zone in shown
            rows = play.pane("board").rows
            assert {row_width(row) for row in rows} == {play.pane("board").size.width}
            for one in fight.state.combatants.values():
                assert re.search(rf"\b{one.label}\b", shown), one.label
    async with at_desk(fight) as play:
        assert play.screen.table.selected == "perdita-lark"
        entry = await play.give("m", "w", "enter")
        assert event(entry, "Moved").path == ("Wings",)
        assert "Perdita Lark moves to Wings" in play.text("feed")
        await play.press("u")
        assert play.one("perdita-lark").at == "Stage"
        before = play.one("perdita-lark").pools["slots"].now
        label = play.one("usher-1").label
        entry = await play.give("m", "p", "6", "x", label, "enter")
        assert event(entry, "ContactMade").enemy == "usher-1"
        assert play.one("perdita-lark").pools["slots"].now == before - 3
        assert fight.state.contacts_of("perdita-lark") == ("usher-1",)


async def test_a_zone_is_marked_and_cleared_among_the_rulings(tmp_path):
    """The stage burns: said on the card of who stands there and beneath the board, felt at Upkeep, and put out."""
    fight = playhouse()
    for cue in fight.state.cues:
        fight.give("uncue", cue=cue.id)
    async with at_desk(fight) as play:
        keys = ("s", *"fire", "enter", "2", "enter", "d", "3", "enter", "enter")
        entry = await play.give("!", "/", *"mark a z", "enter", *keys)
        assert event(entry, "ZoneMarked").amount == 3
        async with playing(fight, tmp_path) as shown:
            assert "Stage: fire: 2 slots to enter, 3 damage at Upkeep" in shown.text("board")
        assert "fire" in play.text("roster")
        while play.state.phase != "upkeep":
            fight.do(fight.next_call().command)
        await play.settle()
        assert "fire in Stage on Perdita Lark: 3 damage." in play.said
        await play.press("escape")
        await play.give("!", "/", *"clear a m", "enter", "s")
        assert "fire" not in play.text("roster")


async def test_a_click_on_a_zone_and_on_somebody(tmp_path):
    fight = playhouse()
    async with playing(fight, tmp_path) as play:
        pane = play.pane("board")
        y, x = next((y, row.find("Wings")) for y, row in enumerate(play.text("board").splitlines()) if "Wings" in row)
        await play.press("m")
        await play.pilot.click(type(pane), offset=(x, y))
        assert "go to Wings" in play.text("call")
        await play.press("escape")
        rows = play.text("board").splitlines()
        y, x = next((y, row.find("Usher 2")) for y, row in enumerate(rows) if "Usher 2" in row)
        await play.pilot.click(type(pane), offset=(x - 2, y))
        assert play.screen.table.selected == "usher-2"


async def test_who_acts_against_whom_is_seen_above_the_panel(tmp_path):
    """On a floor plan, too, the board goes up while the panel covers its lower rows, and back."""
    zones = (Zone("Yard", 0, 0, 3, 2), Zone("Cellar", 0, 2, 3, 2))
    fight = Fight.new("turns", seed="7", board=ZoneBoard(zones, (Border("Yard", "Cellar"),)))
    for name, side in (("Ash", "party"), ("Orc", "foe")):
        fight.give("join", name=name, side=side, at="Cellar", sheet={"hp": 9})
    fight.give("open_scene", mode="initiative")
    for who in ("ash", "orc"):
        fight.give("initiative", who=who, die=16 if who == "ash" else 1)
    async with playing(fight, tmp_path, size=SMALL) as play:
        board, panel = play.pane("board"), play.pane("exchange")
        before = play.text("board")

        def seen_above_panel():
            rows = play.text("board").splitlines()[: panel.region.y - board.region.y if panel.rows_over_board else None]
            return all(any(name in row for row in rows) for name in ("Ash", "Orc"))

        await play.press("t", "s")
        assert panel.rows_over_board
        assert seen_above_panel()
        await play.press("escape")
        assert play.text("board") == before


async def test_stage_moments_on_zones(tmp_path):
    """The price list of the system, and contact that the GM declares, which stops the way (SB-46, SB-47)."""
    zones = (Zone("Yard", 0, 0, 3, 2), Zone("Stable", 3, 0, 3, 2))
    fight = Fight.new("stage", seed="7", board=ZoneBoard(zones, (Border("Yard", "Stable"),)))
    fight.give("join", name="Ash", side="party", at="Yard", sheet={"agility": 13, "hp": 9})
    fight.give("join", name="Orc", side="foe", at="Stable", sheet={"hp": 9})
    fight.give("start")
    fight.give("next_half", until="move")
    while fight.state.step.side != "party":
        fight.give("advance")
    async with playing(fight, tmp_path) as play:
        label = play.one("orc").label
        entry = await play.give("m", "s", "x", label, "enter")
        assert event(entry, "MovementHalted").enemy == "orc"
        assert play.one("ash").pools["beats"].now == 13
        assert "Orc" in play.text("board")


async def test_a_full_round_with_a_move_in_every_active_phase():
    """Everybody in the cycle runs to a neighbouring zone by letter, on into the next round, and all comes back."""
    fight = playhouse()
    async with at_desk(fight) as play:
        moved, sought = [], 0
        while len(moved) < 4:
            sought += 1
            assert sought < 120, f"round {fight.state.round} does not end: {play.said}"
            actor = fight.state.step.actor if fight.state.step else ""
            if actor and (fight.state.round, actor) not in moved and movable(fight, actor):
                entry = await move_on(play, actor)
                place = event(entry, "Moved").path[-1]
                assert play.one(actor).at == place
                assert f"moves to {place}" in play.text("feed")
                moved.append((fight.state.round, actor))
            elif any(one.blocking for one in fight.state.prompts):
                await play.press("enter")
            else:
                await play.press("space")
        assert {number for number, _ in moved} == {1, 2}
        assert fight.line.seek(len(fight.line)) == fight.state
        for _ in range(3):
            await play.press("u")
        await play.press("U", "U", "U")
        assert fight.line.seek(len(fight.line)) == fight.state


def movable(fight, who):
    return any(one.action == "move" and one.legal for one in fight.options(who))


async def move_on(play, who):
    """To the first zone next to where somebody is, by its letter."""
    board = play.state.board
    there = board.neighbours(play.one(who).at)[0]
    play.screen.table.selected = who
    return await play.give("m", zone_keys(board.places())[there], "enter")


async def test_the_replay_shows_the_zones_of_each_moment(tmp_path):
    paths = home(tmp_path)
    path = Shelf(paths).begin(load_encounter("the-drowned-vault"))
    fight = Fight.open(path)
    fight.give("start")
    fight.give("place", who="wren", at="Gate room")
    label = fight.state.combatants["wren"].label
    fight.close()
    async with running(paths, WIDE, lambda: ReplayScreen(Fight.watch(path), path)) as pilot:
        board = pilot.app.screen.query_one("#board", BoardPane)

        def lines():
            return [y for y, line in enumerate(seen(pilot, "board").splitlines()) if re.search(rf"\b{label}\b", line)]

        for size in (WIDE, SMALL):
            await pilot.resize_terminal(*size)
            await keys(pilot, "end")
            assert "Gate room" in seen(pilot, "board")
            ends = lines()
            assert len(ends) == 1
            await keys(pilot, "left")
            assert len(lines()) == 1
            assert lines() != ends
            assert {row_width(row) for row in board.rows} == {board.size.width}
