"""The board as the GM finds it: everybody in view, places named at its edges, and marks that are taken for nobody."""

import re

import pytest
from stagehand import advance_to, ford, playing

from fightcall.paint.geometry import board_size, place_centre
from fightcall.paint.runs import row_text
from fightcall_engine.archive.encounters import load_encounter, start_fight

MAPS = {
    "ambush-at-the-ford": (80, 24),
    "surrounded-by-goblins": (100, 30),
    "the-withy-ford": (200, 55),
    "the-tiltyard": (80, 24),
}
"""Boards of all systems that have some, each with another size to look at it."""


def begun(name, steps=3):
    fight = start_fight(load_encounter(name), id="map", seed="7")
    fight.give("start")
    for _ in range(steps):
        fight.give("advance")
    return fight


def unseen(play):
    """Who is on the map and outside the window of the board."""
    pane = play.pane("board")
    (x0, y0), (width, height) = pane.corner, pane.window
    people = [one for one in play.state.combatants.values() if one.at is not None]
    centres = {one.name: place_centre(pane.zoom, *one.at) for one in people}
    return [name for name, (x, y) in centres.items() if not (x0 <= x < x0 + width and y0 <= y < y0 + height)]


@pytest.mark.parametrize("name", MAPS)
async def test_everybody_is_in_view_and_no_map_is_tiny_in_a_large_void(name, tmp_path):
    """Found in play 6: of hexes and squares alike; that all of every map is seen at any size is in `whole_boards`."""
    fight = begun(name)
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        pane, board = play.pane("board"), play.state.board
        assert board_size(pane.zoom, board.cols, board.rows)[0] > pane.window[0] * 3 // 4
        for _ in fight.state.combatants:
            assert unseen(play) == []
            await play.press("tab")
        await play.pilot.resize_terminal(*MAPS[name])
        await play.drawn()
        fight.give("place", who=next(iter(fight.state.combatants)), at="A1")
        await play.drawn()
        assert unseen(play) == []


async def test_questions_do_not_move_the_board_to_and_fro(tmp_path):
    """A question takes a row of the window: the zoom may give way to it once, and does not come back each time."""
    fight = begun("surrounded-by-goblins", 5)
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        zooms = [play.pane("board").zoom]
        await play.press("w")
        while play.state.round == 1:
            await play.press("space")
            if play.pane("board").zoom != zooms[-1]:
                zooms.append(play.pane("board").zoom)
            assert unseen(play) == []
        assert len(zooms) <= 2


async def test_places_are_named_at_the_edges(tmp_path):
    async with playing(begun("ambush-at-the-ford"), tmp_path, size=(140, 40)) as play:
        rows = [row_text(row)[1:-1] for row in play.pane("board").rows]
        letters = next(row for row in rows if row.split()[:3] in (["B", "C", "D"], ["C", "D", "E"], ["A", "B", "C"]))
        assert letters.split()[-1] in "NOPQ"
        numbers = [row[:3].strip() for row in rows]
        assert [number for number in numbers if number.isdecimal()] == [str(row) for row in range(1, 13)]
        # A click on the letters means no place, one under them the place of that name.
        pane = play.pane("board")
        line = next(y for y, row in enumerate(pane.rows) if row_text(row)[1:-1] == letters)
        x = row_text(pane.rows[line]).index("K")
        assert pane.place_at(x, line) is None
        board = play.state.board
        assert board.name_of(pane.place_at(x, line + 3)) == "K1"


async def test_what_is_marked_about_the_selected_is_taken_for_no_label(tmp_path):
    """CS-683, CS-230: a facing is an arrow, a Pulse a number in the colour of whose it is (found in play 6)."""
    fight = begun("the-withy-ford")
    fight.give("configure", setting="pulse_movement", value=True)
    fight.give("plan", who="raider-1", path=["Q4", "R4", "S4"], force=True)
    async with playing(fight, tmp_path, size=(200, 55)) as play:
        rows = play.pane("board").rows
        runs = [run for row in rows for run in row if any(mark in "①②③④⑤⑥⑦⑧⑨⑩" for mark in run.text)]
        assert runs
        assert all(run.style.startswith("foe/") for run in runs)
        await play.press("'", "3")
        await play.drawn()
        told = [row_text(row) for row in play.pane("board").rows[2:]]
        labels = {letter for one in play.state.combatants.values() for letter in one.label}
        columns = set("ABCDEFGHIJKLMNOPQRSTUVWX")
        inside = [row for row in told if not columns <= set(row)]
        assert {letter for row in inside for letter in row if letter.isalpha()} <= labels


async def test_numbers_of_a_path_do_not_touch_where_places_are_narrow(tmp_path):
    """Found in play 6."""
    fight = advance_to(ford(), "move", "party")
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        await play.press("-", "-", "-", "m", *["l"] * 12)
        text = play.text("board")
        assert "1011" not in text
        assert "…" not in text


async def test_costs_in_feet_do_not_touch_on_narrow_squares(tmp_path):
    """Found in play 6: "252015105" along a path of 5 ft a square."""
    fight = begun("the-tiltyard", 1)
    async with playing(fight, tmp_path, size=(100, 30)) as play:
        await play.press("-", "-", "-", "-", "m", *["left"] * 9)
        rows = [row.strip("│") for row in play.text("board").split("\n")[1:-1]]
        assert play.pane("board").zoom.width == 2
        assert not [row for row in rows if re.search(r"\d{3}", row)]
        assert any("25  15" in row for row in rows), rows


async def test_the_card_stands_beside_the_board_on_a_very_wide_screen(tmp_path):
    async with playing(begun("ambush-at-the-ford"), tmp_path, size=(140, 40)) as play:
        await play.press("I")
        await play.drawn()
        assert not play.pane("board").display
        await play.pilot.resize_terminal(200, 55)
        await play.drawn()
        assert play.pane("card").display
        assert play.pane("board").display
        assert unseen(play) == []


async def test_the_roster_takes_what_it_needs_on_a_very_wide_screen(tmp_path):
    """At 200 cells all that somebody has stands beside the name, with the card open, too."""
    fight = begun("surrounded-by-goblins")
    async with playing(fight, tmp_path, size=(200, 55)) as play:
        assert play.pane("roster").size.width > 50
        assert "ward" in play.text("roster")
        assert unseen(play) == []
        await play.press("I")
        assert unseen(play) == []


async def test_the_chosen_zoom_is_kept_and_the_board_goes_to_nobody_who_is_only_proposed(tmp_path):
    """It goes to who is stepped to."""
    fight = begun("ambush-at-the-ford")

    def marked_name():
        return fight.state.combatants[play.screen.runner.flow.overlay().chosen].name

    async with playing(fight, tmp_path, size=(100, 30)) as play:
        await play.press(*"++++++", "tab")
        board = play.pane("board")
        corner, chosen = board.corner, board.zoom
        await play.press("d")
        assert marked_name() in unseen(play)
        assert board.corner == corner
        await play.press("down")
        assert marked_name() not in unseen(play)
        fight.give("place", who="ysolde", at="A1")
        await play.drawn()
        assert board.zoom == chosen


async def test_who_acts_against_whom_is_seen_above_the_panel(tmp_path):
    """The board goes up for it while the panel is there, and back."""
    fight = begun("surrounded-by-goblins", 1)
    async with playing(fight, tmp_path, size=(100, 30)) as play:
        await play.press("+", "shift+up", "shift+up")
        board, panel = play.pane("board"), play.pane("exchange")
        people = [fight.state.combatants[each].at for each in (play.screen.table.selected, "goblin-warrior-2")]
        corner = board.corner

        def seen_above_panel():
            edge, top = board.region.y + 2, panel.region.y if panel.rows_over_board else board.region.bottom
            rows = [place_centre(board.zoom, *place)[1] - board.corner[1] + edge for place in people]
            return all(edge <= row < top for row in rows)

        assert seen_above_panel()
        await play.press("t", "s")
        assert panel.rows_over_board
        assert seen_above_panel()
        assert board.corner != corner
        await play.press("escape")
        assert board.corner == corner


async def test_the_letters_of_the_columns_stay_where_the_numbers_of_the_rows_have_no_room(tmp_path):
    """Found in play: a board as wide as its pane named its places nowhere."""
    fight = start_fight(load_encounter("the-withy-ford"), id="ford", seed="7")
    async with playing(fight, tmp_path, size=(80, 24)) as play:
        edge = next(row for row in play.text("board").split("\n") if "F G H" in row)
        alys = next(row for row in play.text("board").split("\n") if "A →" in row)
        assert edge.index("B") == alys.index("A"), "Alys stands in column B"
