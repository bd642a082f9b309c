"""A fight on squares on the screen: walked with eight keys, clicked, marked, set up and replayed, in each system."""

import pytest
from desk import at_desk
from driver import home, running, seen
from driver import press as keys
from stagehand import SMALL, WIDE, event, playing

from fightcall.paint.geometry import FAMILIES
from fightcall.panes.board import BoardPane
from fightcall.screens.replay import ReplayScreen
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import SquareBoard
from fightcall_engine.kit.views import Mark
from fightcall_engine.play.fight import Fight

BOARD = SquareBoard(
    14,
    10,
    terrain={Square(6, 2): "wall", Square(6, 3): "wall", Square(6, 4): "stream"},
    legend={"wall": Terrain("wall", "#", blocks=True), "stream": Terrain("stream", "~", cost=2)},
)


def yard(path=None):
    """Ash's turn to move on a yard of squares, an orc beyond a wall."""
    fight = Fight.new("stage", seed="7", board=BOARD, path=path)
    fight.give("join", name="Ash", side="party", at="D4", facing=0, sheet={"agility": 13, "hp": 9})
    fight.give("join", name="Orc", side="foe", at="K4", facing=4, sheet={"hp": 9})
    fight.give("start")
    fight.give("next_half", until="move")
    while fight.state.step.side != "party":
        fight.give("advance")
    return fight


async def test_the_squares_and_everybody_are_seen_in_every_theme(tmp_path):
    fight, themes = yard(), set()
    async with playing(fight, tmp_path, size=SMALL) as play:
        for number in range(5):
            if number == 3:
                await play.pilot.resize_terminal(*WIDE)
            await play.press("ctrl+t")
            themes.add(play.app.book.theme.name)
            shown = play.text("board")
            for one in fight.state.combatants.values():
                assert one.label in shown, shown
            assert "#" in shown
            assert "Board · square · 5 ft" in shown
            play.check()
    assert themes == {"lantern", "parchment", "mono", "contrast", "ansi"}


async def test_eight_keys_walk_over_squares_and_enter_commits(tmp_path):
    """A place is named on the command line as on the map, and contact stops a walk corner to corner."""
    fight = yard()
    async with at_desk(fight) as play:
        await play.press("m", "l")
        assert "E4  1 beat, 13 left" in play.said
        await play.press("n", "j", "b", "h", "y", "k", "up")
        assert "8 beats" in play.said
        await play.press("backspace")
        entry = await play.give("u", "enter")
        moved = event(entry, "Moved")
        assert "".join(BOARD.name_of(place) + " " for place in moved.path) == "E4 F5 F6 E7 D7 C6 C5 D4 "
        assert BOARD.directions[moved.facing] == "NE"
        assert all(type(place) is Square for place in moved.path)
        await play.press("u")
        assert play.one("ash").at == BOARD.parse("D4")
        await play.press("U")
        assert fight.line.seek(len(fight.line)) == fight.state
        entry = await play.give(":", *"place ash 2,7", "enter")
        assert BOARD.name_of(event(entry, "Placed").at) == "C8"
        entry = await play.give(":", *"place ash h6", "enter")
        assert event(entry, "Placed").at == Square(7, 5)
    async with playing(fight, tmp_path) as play:
        await play.press("m", "l", "u")
        assert "contact stops here" in play.said
        assert "!" in play.text("board")
        entry = await play.give("enter")
        assert event(entry, "ContactMade").enemy == "orc"
        assert play.one("ash").at == BOARD.parse("J5")


def cell_of(pane, place):
    """A cell of the pane that a click on a square may hit."""
    return next((x, y) for y in range(pane.size.height) for x in range(pane.size.width) if pane.place_at(x, y) == place)


async def test_the_board_is_clicked_drawn_again_where_it_changed_and_nearer_and_farther(tmp_path):
    fight = yard()
    async with playing(fight, tmp_path) as play:
        pane = play.pane("board")
        before = pane.rows
        await play.press("m")
        reached = pane.rows
        await play.press("l")
        changed = [y for y, (one, other) in enumerate(zip(reached, pane.rows, strict=True)) if one != other]
        assert 0 < len(changed) <= 2 * pane.zoom.rows + 2
        await play.pilot.click(BoardPane, offset=cell_of(pane, BOARD.parse("F2")))
        assert "go to F2" in play.said
        await play.press("escape")
        assert pane.rows[1:-1] == before[1:-1]
        await play.pilot.click(BoardPane, offset=cell_of(pane, BOARD.parse("K4")))
        assert play.screen.table.selected == "orc"
        await play.press(*"------")
        assert pane.zoom == FAMILIES[0][0]
        seen_at = []
        for _ in FAMILIES[0][1:]:
            await play.press("+")
            seen_at.append(pane.zoom)
            assert play.one("orc").label in play.text("board")
        assert seen_at == list(FAMILIES[0][1:])
        play.check()


async def test_a_wide_yard_is_drawn_as_large_as_its_people_have_room(tmp_path):
    """Seventeen squares apart, between roster and log: three cells each, not two."""
    fight = start_fight(load_encounter("the-tiltyard"), id="tiltyard", seed="3")
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        await play.drawn()
        pane = play.pane("board")
        assert (pane.zoom.width, pane.zoom.rows) == (3, 2)
        assert all(f" {one.label} " in play.text("board") for one in play.state.combatants.values())


async def test_what_the_system_marks_is_drawn_for_the_selected_one_and_asked_once_for_each_state(tmp_path, monkeypatch):
    fight = yard()
    asked = []

    def marks(self, state, who):
        asked.append((id(state), who))
        one = state.combatants.get(who)
        return () if one is None else (Mark(state.board.step(one.at, one.facing), "F", "good", "front"),)

    monkeypatch.setattr(type(fight.system), "marks", marks)
    async with playing(fight, tmp_path, theme="mono") as play:
        assert "F" in play.text("board").replace("Foe", "")
        await play.press("m", "l", "l", "backspace", "escape")
        assert [who for _, who in asked] == ["ash"]
        await play.press("'", play.one("orc").label)
        assert [who for _, who in asked] == ["ash", "orc"]
        play.screen.table.selected = "ash"
        await play.give("m", "j", "enter")
        assert asked[-1] == (id(play.state), play.screen.table.selected)


async def test_the_replay_shows_the_squares_of_each_moment(tmp_path):
    path = tmp_path / "yard.jsonl"
    fight = yard(path)
    fight.give("place", who="ash", at="E4")
    fight.give("move", who="ash", path=[[4, 4], [4, 5]])
    label = fight.state.combatants["ash"].label
    fight.close()
    async with running(home(tmp_path), WIDE, lambda: ReplayScreen(Fight.watch(path), path)) as pilot:

        def where():
            pane = pilot.app.screen.query_one("#board", BoardPane)
            lines = enumerate(seen(pilot, "board").splitlines())
            found = (pane.place_at(line.index(label), y) for y, line in lines if label in line)
            return BOARD.name_of(next(place for place in found if place is not None))

        moved = next(index for index, one in enumerate(Fight.watch(path).line.events()) if one.type == "Moved")
        for size in (WIDE, SMALL):
            await pilot.resize_terminal(*size)
            await keys(pilot, "end")
            assert where() == "E6"
            await keys(pilot, *["left"] * (pilot.app.screen.playback.position - moved))
            assert where() == "E4"


@pytest.mark.parametrize("system", ["slots", "turns"])
async def test_the_other_systems_walk_on_squares_too(system):
    fight = Fight.new(system, seed="7", board=BOARD)
    fight.give("join", name="Ash", side="party", at="D4")
    fight.give("join", name="Orc", side="foe", at="K4")
    fight.give("start")
    for _ in range(40):
        blocking = next((one for one in fight.state.prompts if one.blocking), None)
        if blocking is not None:
            fight.give("answer", prompt=blocking.id, choice=blocking.default or blocking.choices[0].id)
        elif any(one.action == "move" and one.legal for one in fight.options("ash")):
            break
        else:
            fight.give("advance")
    async with at_desk(fight) as play:
        play.screen.table.selected = "ash"
        entry = await play.give("m", "k", "u", "enter")
        assert [BOARD.name_of(place) for place in event(entry, "Moved").path] == ["D3", "E2"]
