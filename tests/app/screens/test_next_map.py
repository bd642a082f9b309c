"""A fight that moves to another map or whose ground is painted, on every screen that shows it."""

from contextlib import closing
from functools import partial

import pytest
from driver import LARGE, SMALL, home, play, press, running, seen, settle
from stagehand import advance_to, ford, playing

from fightcall.app import make_screen
from fightcall.paint.runs import row_text
from fightcall.screens.replay import ReplayScreen
from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.board.zones import Border, Zone, ZoneBoard
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.fight import Fight

WIDE = (140, 40)
MAPS: dict[str, AnyBoard] = {
    "square": SquareBoard(8, 6, scale=10),
    "hex": HexBoard(40, 30),
    "zone": ZoneBoard((Zone("Hall", 0, 0), Zone("Yard", 1, 0)), (Border("Hall", "Yard"),)),
}
FIRST = {"square": "B2", "hex": "AM28", "zone": "Yard"}
BOARD_TITLES = {"square": "Board · square · 10 ft", "hex": "Board · hex · 5 ft", "zone": "Board · zone · 30 ft"}


def move_on(fight: Fight, kind: str) -> None:
    """Two of the party go on to another map, far from its upper left corner."""
    board = MAPS.get(kind)
    places = {"paul": FIRST[kind]} if board is not None else {}
    fields = to_json(board) if board is not None else {}
    fight.give("change_map", board=fields, name="the crypt", along=["paul", "brand"], places=places)


def words(pane) -> str:
    return "\n".join(row_text(row) for row in pane.draw(*pane.inner).rows)


def title(pane) -> str:
    return row_text(pane.rows[0])


def is_seen(pane, at) -> bool:
    """Whether the place is in the window of a board."""
    x, y = pane._middle(at)[:2]
    x0, y0 = pane.corner
    width, height = pane.window
    return x0 <= x < x0 + width and y0 <= y < y0 + height


@pytest.mark.parametrize("size", [SMALL, WIDE])
async def test_the_fight_screen_shows_the_new_map_and_after_undo_the_old_one(tmp_path, size):
    """At the table 3: `! n`: the title and the zoom of the board follow, also backwards."""
    async with playing(advance_to(ford(), "move"), tmp_path, size=size) as stage:
        board = stage.screen.panes.board
        before, zoom = title(board), board.zoom
        for kind in MAPS:
            move_on(stage.fight, kind)
            await stage.settle()
            assert BOARD_TITLES[kind] in title(board)
            assert is_seen(board, stage.one("paul").at)
            await stage.press("u")
            await stage.drawn()
            assert (title(board), board.zoom) == (before, zoom)
            assert all(is_seen(board, each.at) for each in stage.state.roster if each.at is not None)
            stage.check()


async def test_without_a_map_the_board_lists_contacts(tmp_path):
    """At the table 3: the chase leads where no map is."""
    async with playing(advance_to(ford(), "move"), tmp_path, size=WIDE) as stage:
        move_on(stage.fight, "")
        await stage.settle()
        assert "Contacts" in stage.text("board")
        await stage.press("u")
        assert "Board · hex" in stage.text("board")


async def test_painting_keeps_the_window_where_it_is(tmp_path):
    """At the table 3: a brush on the board in play moves nobody's view."""
    async with playing(advance_to(ford(), "move"), tmp_path, size=WIDE) as stage:
        await stage.press("z")
        board = stage.screen.panes.board
        before = board.zoom, board.corner
        stage.fight.give("paint", places=["C3"], terrain="lava", glyph="V", blocks=True)
        await stage.settle()
        assert (board.zoom, board.corner) == before
        assert title(board).count("Board · hex") == 1


async def test_a_replay_shows_each_moment_on_its_map(tmp_path):
    """At the table 3: one replay of the same fight, forwards and backwards."""
    path = play(home(tmp_path), advances=2)
    with closing(Fight.open(path)) as fight:
        for kind in MAPS:
            move_on(fight, kind)
    async with running(home(tmp_path), LARGE, lambda: ReplayScreen(Fight.watch(path), path)) as pilot:
        board = pilot.app.screen.panes.board
        assert "Board · hex · 5 ft" in title(board)
        assert "Goblin" in seen(pilot, "roster")
        await press(pilot, "end")
        for kind in reversed(MAPS):
            assert "Goblin" not in seen(pilot, "roster")
            assert BOARD_TITLES[kind] in title(board)
            assert is_seen(board, pilot.app.screen.state.combatants["paul"].at)
            await press(pilot, "u")
        assert "Board · hex · 5 ft" in title(board)
        assert "Goblin" in seen(pilot, "roster")


async def test_players_follow_to_the_next_map(tmp_path):
    """At the table 3: the players' screen shows where the fight is, and the painted ground."""
    paths = home(tmp_path)
    path = play(paths, advances=2)
    with closing(Fight.open(path)) as fight:
        async with running(paths, LARGE, partial(make_screen, "players", path=path)) as pilot:
            screen = pilot.app.screen
            before = words(screen.board)
            fight.give("paint", places=["C3", "D3"], terrain="lava", glyph="V", blocks=True)
            screen.follow()
            await settle(pilot)
            painted = words(screen.board)
            assert painted != before
            assert "C3, D3: lava" in words(screen.story)
            for kind in MAPS:
                move_on(fight, kind)
                screen.follow()
                await settle(pilot)
                assert is_seen(screen.board, fight.state.combatants["paul"].at)
                assert words(screen.board) != painted
                assert "The fight moves to the crypt" in " ".join(words(screen.story).split())
                assert "Goblin" not in words(screen.people)
                fight.undo()
                screen.follow()
                await settle(pilot)
                assert words(screen.board) == painted
            move_on(fight, "")
            screen.follow()
            await settle(pilot)
            assert screen.has_class("-mapless")
