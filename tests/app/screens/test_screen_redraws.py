"""Frames of changed rows make the same screen as drawing everything anew: both are played to a small terminal."""

import re

import pytest
from counted import counted
from driver import resize
from stagehand import SMALL, WIDE, advance_to, ford

from fightcall.paint.runs import char_width
from fightcall.panes.base import RowsPane

PART = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|\x1b\[[^a-zA-Z]*[a-zA-Z]|\x1b\].*?\x07|([^\x07\n])", re.S)
KEYS = ("m", "l", "l", "enter", "I", "I", "d", "2", "enter", "c", "s", "t", "enter", "space")
KEYS_OF_LISTS = ("u", "m", "l", "escape", "a", "escape", "ctrl+p", "t", "h", "down", "escape", "f1", "f1", "ctrl+t")
"""Some of them on a small screen, and what takes the whole screen: the palette, help, another theme."""


class Terminal:
    """What is seen in each cell that was written to: a character with its marks, and its colours."""

    def __init__(self):
        self.cells = {}

    def write(self, data):
        """Take in text and sequences."""
        row = column = 1
        colours = ""
        for at_row, at_column, codes, character in PART.findall(data):
            if at_row:
                row, column = int(at_row), int(at_column)
            elif character and not char_width(character):
                before = max(x for y, x in self.cells if y == row and x < column and self.cells[y, x][0])
                self.cells[row, before] = (self.cells[row, before][0] + character, colours)
            elif character:
                for x in range(column, column + char_width(character)):
                    self.cells[row, x] = (character if x == column else "", colours)
                column += char_width(character)
            else:
                colours = "" if codes == "0" else codes or colours


@pytest.fixture(autouse=True)
def _many_colours(monkeypatch):
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


async def test_a_fight_looks_the_same_with_every_key(tmp_path):
    """Wide letters among it; and what is written after another size, or in another theme, makes the whole screen."""
    fight = advance_to(ford(), "move")
    for number in range(9):
        fight.give("note", text=f"漢字 {number} e\u0301")
    async with counted(fight, tmp_path, size=WIDE) as play:
        terminal = await _drawn_anew(play)
        for key in KEYS:
            await _compare(play, terminal, key)
        await resize(play.pilot, SMALL)
        await play.settle()
        terminal = Terminal()
        await _compare(play, terminal)
        assert len(terminal.cells) == SMALL[0] * SMALL[1]
        for key in KEYS_OF_LISTS:
            await _compare(play, terminal, key)


def _taken(play):
    written = "".join(play.app._driver.written)
    play.app._driver.written.clear()
    return written


async def _drawn_anew(play):
    """A terminal on which everything is drawn anew."""
    _taken(play)
    for pane in play.app.screen.query(RowsPane):
        pane.dress(pane.book)
    play.app.screen.refresh()
    await play.settle()
    terminal = Terminal()
    terminal.write(_taken(play))
    return terminal


async def _compare(play, terminal, *keys):
    """Press keys: what they write makes the screen that is also seen when everything is drawn anew."""
    await play.press(*keys)
    terminal.write(_taken(play))
    anew = await _drawn_anew(play)
    seen = {at: (cell, terminal.cells.get(at)) for at, cell in anew.cells.items()}
    assert {at: pair for at, pair in seen.items() if pair[0] != pair[1]} == {}, keys
