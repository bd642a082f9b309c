"""Boards are shown whole, and the rest of the screen takes what they leave: at the table 4.2."""

from contextlib import closing
from functools import partial
from itertools import product

import pytest
from driver import home, press, resize, running
from stagehand import playing

from fightcall.app import make_screen
from fightcall.paint.geometry import board_size, floor_plan
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.board.kinds import grid_board, zone_board
from fightcall_engine.play.fight import Fight

SIZES = [(80, 24), (100, 30), (140, 40), (200, 55)]
BOARDS = [file.path for file in shipped_encounters() if load_encounter(file.path).board is not None]


def shape(path):
    """What a board takes room by: its kind, columns and rows, or its zones."""
    board = load_encounter(path).board
    grid = grid_board(board)
    return (board.kind, grid.cols, grid.rows) if grid is not None else tuple(board.places())


SHAPES = list({shape(path): path for path in BOARDS}.values())
"""A board of each shape: in a replay and for the players, the room that it has depends on nothing else."""


def unseen(pane, board):
    """The places that none of the clicks on a pane means, of which every place gets several."""
    right, down = (4, 2) if zone_board(board) is not None else (pane.zoom.width // 2, pane.zoom.rows)
    cells = product(range(0, pane.size.width, right), range(0, pane.size.height, down))
    return set(board.places()) - {pane.place_at(x, y) for x, y in cells}


def check_is_whole(pane, board):
    """Every place can be clicked on, and the last row and column are not cut either."""
    assert unseen(pane, board) == set()
    grid, zones = grid_board(board), zone_board(board)
    (width, height), corner = pane.window, pane.corner
    across, down = board_size(pane.zoom, grid.cols, grid.rows) if grid else floor_plan(zones, width, height).size
    assert max(corner) <= 0
    assert across <= width
    assert down <= height


def begun(path, journal=None):
    fight = start_fight(load_encounter(path), id="map", seed="7", path=journal)
    fight.give("start")
    return fight


@pytest.mark.parametrize("path", SHAPES, ids=lambda path: path.stem)
async def test_every_board_is_whole_at_the_zoom_that_is_chosen(path, tmp_path):
    """At the table 4.2: all columns and rows of the shipped encounters, and the number of each row at 140x40.

    The other screens take turns. The log made the board of The Withy Ford too narrow for them. At 200x55 the
    timeline stood beside the board, which had half of the width and its smallest zoom: it stands under it.
    """
    fight = begun(path)
    board, grid = fight.state.board, grid_board(fight.state.board)
    async with playing(fight, tmp_path, size=SIZES[SHAPES.index(path) % 3]) as play:
        for size in (play.app.size, SIZES[3]):
            await resize(play.pilot, size)
            check_is_whole(play.pane("board"), board)
            if grid is not None and size >= (140, 40):
                first_words = [line.strip("│ ").partition(" ")[0] for line in play.text("board").splitlines()]
                assert [word for word in first_words if word.isdecimal()] == [str(row + 1) for row in range(grid.rows)]
        if fight.state.asked_first is not None and not fight.state.round:
            fight.give("answer")
        await play.press("f5")
        await play.drawn()
        pane, lanes = play.pane("board"), play.pane("lanes")
        assert lanes.region.y == pane.region.bottom
        assert lanes.region.width == pane.region.width
        assert lanes.region.height >= 12
        check_is_whole(pane, board)
        labels = {one.label for one in fight.state.combatants.values()}
        assert any(label in play.text("lanes") for label in labels)


async def test_players_and_a_replay_show_the_whole_board(tmp_path):
    """At the table 4.2: the players' screen cut it at 100x30. One fight goes over all boards, sizes take turns."""
    journal = tmp_path / "map.jsonl"
    boards = [load_encounter(path).board for path in SHAPES]
    with closing(begun(SHAPES[0], journal)) as fight:
        async with running(home(tmp_path), SIZES[0], partial(make_screen, "players", path=journal)) as pilot:
            for turn, board in enumerate(boards):
                fight.give("changemap", board=board.to_json(), along=[*fight.state.combatants])
                pilot.app.screen.follow()
                assert pilot.app.screen.frame_now.board == board
                await resize(pilot, SIZES[turn % 4])
                check_is_whole(pilot.app.screen.board, board)
    replay = partial(make_screen, "replay", fight=Fight.watch(journal), path=journal)
    async with running(home(tmp_path), SIZES[0], replay) as pilot:
        await press(pilot, "end")
        for turn, board in enumerate(reversed(boards)):
            await resize(pilot, SIZES[turn % 4])
            assert pilot.app.screen.state.board == board
            check_is_whole(pilot.app.screen.panes.board, board)
            await press(pilot, "u")


async def test_the_next_map_is_fitted_anew(tmp_path):
    """At the table 4.2: a fight that moves to a larger map shows that whole, too."""
    fight = begun(next(path for path in BOARDS if path.stem == "a-first-fight"))
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        ford = load_encounter("ambush-at-the-ford").board
        before = play.pane("board").size.width
        fight.give("changemap", board=ford.to_json(), along=[*fight.state.combatants])
        await play.drawn()
        check_is_whole(play.pane("board"), ford)
        assert play.pane("board").size.width > before
