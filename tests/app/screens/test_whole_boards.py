"""Boards are shown whole, and the rest of the screen takes what they leave: at the table 4.2."""

from functools import partial

import pytest
from driver import home, running, settle
from stagehand import playing

from fightcall.app import make_screen
from fightcall.paint.geometry import board_size, floor_plan
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.play.fight import Fight

SIZES = [(80, 24), (100, 30), (140, 40), (200, 55)]
BOARDS = [file.path for file in shipped_encounters() if load_encounter(file.path).board is not None]
GRIDS = [path for path in BOARDS if grid_board(load_encounter(path).board) is not None]


def unseen(pane, board):
    """The places that no click on a pane can mean."""
    cells = [(x, y) for y in range(pane.size.height) for x in range(pane.size.width)]
    return set(board.places()) - {pane.place_at(x, y) for x, y in cells}


def is_whole(pane, board):
    """Whether the last row and column are not cut either."""
    grid, zones = grid_board(board), zone_board(board)
    (width, height), corner = pane.window, pane.corner
    across, down = board_size(pane.zoom, grid.cols, grid.rows) if grid else floor_plan(zones, width, height).size
    return max(corner) <= 0 and across <= width and down <= height


def begun(path, journal=None):
    fight = start_fight(load_encounter(path), id="map", seed="7", path=journal)
    fight.give("start")
    return fight


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
async def test_every_board_is_whole_at_the_zoom_that_is_chosen(path, size, tmp_path):
    """At the table 4.2: all columns and rows of all shipped encounters, for the GM and in a replay."""
    fight = begun(path, tmp_path / "map.jsonl")
    async with playing(fight, tmp_path, size=size) as play:
        pane = play.pane("board")
        assert unseen(pane, fight.state.board) == set()
        assert is_whole(pane, fight.state.board)
    watched = Fight.watch(tmp_path / "map.jsonl")
    screen = partial(make_screen, "replay", fight=watched, path=tmp_path / "map.jsonl")
    async with running(home(tmp_path), size, screen) as pilot:
        await settle(pilot)
        pane = pilot.app.screen.panes.board
        assert unseen(pane, fight.state.board) == set()
        assert is_whole(pane, fight.state.board)


@pytest.mark.parametrize("size", [size for size in SIZES if size >= (140, 40)], ids=str)
@pytest.mark.parametrize("path", GRIDS, ids=lambda path: path.stem)
async def test_a_large_screen_has_the_number_of_every_row(path, size, tmp_path):
    """At the table 4.2: the log made the board of The Withy Ford too narrow for them at 140x40."""
    fight = begun(path)
    async with playing(fight, tmp_path, size=size) as play:
        first_words = [line.strip("│ ").partition(" ")[0] for line in play.text("board").splitlines()]
        rows = grid_board(fight.state.board).rows
        assert [word for word in first_words if word.isdecimal()] == [str(row) for row in range(1, rows + 1)]


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
async def test_players_see_the_whole_board(path, size, tmp_path):
    """At the table 4.2: the players' screen cut it at 100x30."""
    fight = begun(path, tmp_path / "map.jsonl")
    async with running(home(tmp_path), size, partial(make_screen, "players", path=tmp_path / "map.jsonl")) as pilot:
        await settle(pilot)
        pane = pilot.app.screen.board
        assert unseen(pane, fight.state.board) == set()
        assert is_whole(pane, fight.state.board)


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
async def test_the_timeline_stands_under_a_board_that_is_whole(path, tmp_path):
    """At the table 4.2: at 200x55 it stood beside the board, which had half of the width and its smallest zoom."""
    fight = begun(path)
    if fight.state.asked_first is not None and not fight.state.round:
        fight.give("answer")
    async with playing(fight, tmp_path, size=(200, 55)) as play:
        await play.press("f5")
        await play.drawn()
        board, lanes = play.pane("board"), play.pane("lanes")
        assert lanes.region.y == board.region.bottom
        assert lanes.region.width == board.region.width
        assert lanes.region.height >= 12
        assert unseen(board, fight.state.board) == set()
        assert is_whole(board, fight.state.board)
        labels = {one.label for one in fight.state.combatants.values()}
        assert any(label in play.text("lanes") for label in labels)


async def test_the_next_map_is_fitted_anew(tmp_path):
    """At the table 4.2: a fight that moves to a larger map shows that whole, too."""
    fight = begun(next(path for path in BOARDS if path.stem == "a-first-fight"))
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        ford = load_encounter("ambush-at-the-ford").board
        before = play.pane("board").size.width
        fight.give("changemap", board=ford.to_json(), along=[*fight.state.combatants])
        await play.drawn()
        assert unseen(play.pane("board"), ford) == set()
        assert play.pane("board").size.width > before
