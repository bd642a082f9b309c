"""Frames written in few bytes make the same screen: both are played to a terminal of ours, cell by cell."""

import pytest
from counted import counted
from emulator import SPOILT, Emulator, colours_of
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.style import Style
from stagehand import SMALL, WIDE, advance_to, ford
from textual._compositor import Compositor
from textual.strip import Strip

from fightcall.paint.pens import read_pen
from fightcall.paint.terminal_screen import TerminalScreen, cut_cells, text_cells

COLOURS = [None, "default", "red", "bright_blue", "color(77)", "#102030", "#0a141e"]
WANTED = [None, None, True]
HOME = "\x1b[1;1H"
styles = st.builds(
    Style,
    color=st.sampled_from(COLOURS),
    bgcolor=st.sampled_from(COLOURS),
    bold=st.sampled_from(WANTED),
    dim=st.sampled_from(WANTED),
    underline=st.sampled_from(WANTED),
    reverse=st.sampled_from(WANTED),
)
words = st.builds(str.__add__, st.sampled_from("ab 漢"), st.text("ab   ▄▀▟漢\u0301", max_size=12))
parts = st.lists(st.tuples(words, styles), min_size=1, max_size=4)
stretches = st.tuples(st.integers(0, 2), st.integers(0, 8), parts)
OTHER = ("\x1b[?2026h", "\x07", "\x1b]52;c;YWJj\x07", "\x1b[?1049h", "\x1b[2 q", "\x1b[2;2Htext", "\x1b[3;1Ha漢\tb")


def cells_of(pieces):
    return [
        cell
        for text, style in pieces
        for cell in text_cells(text, read_pen(Strip.render_ansi(style, ColorSystem.TRUECOLOR)))
    ]


def put(screen, *stretches):
    """What is written for these stretches of styled text."""
    for y, x, pieces in stretches:
        screen.put(y, x, cells_of(pieces))
    return screen.update(HOME)


def written_out(y, x, pieces):
    """The same stretch with all its colours."""
    return f"\x1b[{y + 1};{x + 1}H" + "".join(
        style.render(text, color_system=ColorSystem.TRUECOLOR) for text, style in pieces
    )


@given(st.lists(st.tuples(st.lists(stretches, max_size=4), st.sampled_from((HOME, HOME, *OTHER))), max_size=8))
def test_every_frame_makes_the_same_screen(frames):
    screen, terse, full = TerminalScreen(), Emulator(), Emulator()
    for stretches, after in frames:
        for stretch in stretches:
            full.write(written_out(*stretch))
            y, x, pieces = stretch
            screen.put(y, x, cells_of(pieces))
        full.write(after)
        terse.write(screen.update(after))
        assert different(terse, full) == {}
        assert terse.is_plain


def different(terse, full):
    """The cells that look different, but those of which only half was written over."""
    cells = {at: (cell, terse.cells.get(at)) for at, cell in full.cells.items() if cell[0] != SPOILT}
    return {at: pair for at, pair in cells.items() if pair[1] is None or colours_of(pair[0]) != colours_of(pair[1])}


def ink(colour, ground=None):
    return Style(color=colour, bgcolor=ground)


def test_what_is_shown_already_is_not_written_again():
    screen = TerminalScreen()
    assert put(screen, (1, 2, [("Hob", ink("#102030"))])) == f"\x1b[38;2;16;32;48m\x1b[2;3HHob\x1b[0m{HOME}"
    assert put(screen, (1, 2, [("Hob", ink("#102030"))])) == ""
    assert put(screen, (1, 2, [("Hop", ink("#102030"))])) == f"\x1b[38;2;16;32;48m\x1b[2;5Hp\x1b[0m{HOME}"
    # Of a blank only the ground is seen.
    put(screen, (2, 0, [(" ", ink("#102030"))]))
    assert put(screen, (2, 0, [(" ", ink("#405060"))])) == ""


def test_a_move_of_the_cursor_is_written_once():
    screen = TerminalScreen()
    assert [screen.update(move) for move in (HOME, HOME, "\x1b[2;3H", HOME)] == [HOME, "", "\x1b[2;3H", HOME]


def test_an_edge_between_two_grounds_of_one_colour_is_written():
    assert "▀" in put(TerminalScreen(), (0, 0, [("▀", ink("#102030", "#102030"))]))


def test_cells_of_one_pen_are_written_together():
    frame = (0, 0, [(text, ink("red" if text == "a" else "blue")) for text in "ababab"])
    written = "\x1b[31m\x1b[1;1Ha\x1b[1Ca\x1b[1Ca\x1b[34m\x1b[1;2Hb\x1b[1Cb\x1b[1Cb\x1b[0m"
    assert put(TerminalScreen(), frame) == written + HOME


def test_half_a_wide_character_is_never_written():
    screen, plain = TerminalScreen(), Style()
    put(screen, (0, 0, [("a漢b", plain)]))
    assert put(screen, (0, 0, [("a字b", plain)])) == f"\x1b[1;2H字{HOME}"
    cells = cells_of([("a漢字b", plain)])
    cuts = [cut_cells(cells, start, stop) for start, stop in ((0, 2), (2, 5), (1, 3))]
    assert ["".join(text for text, _ in cut) for cut in cuts] == ["a ", " 字", "漢"]


@pytest.mark.parametrize("data", ["\x1b[?25l", "plain", "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\x1b[1;1Ha\tb"])
def test_what_is_no_frame_is_passed_on_after_the_cells(data):
    screen = TerminalScreen()
    screen.put(0, 0, cells_of([("Hob", Style())]))
    assert screen.update(data) == f"\x1b[1;1HHob{data}"


def test_after_what_may_write_over_cells_everything_is_written_again():
    """Leaving for the shell and coming back switches the terminal's screens: nothing is left of what was there."""
    screen, frame = TerminalScreen(), (0, 0, [("Hob", Style())])
    first = put(screen, frame)
    for pause in ("\x1b[?1049l", "\x1b[?1049h"):
        assert screen.update(pause) == pause
    assert put(screen, frame) == first
    assert screen.update("\x07") == "\x07"
    assert put(screen, frame) == ""


@pytest.fixture
def _many_colours(monkeypatch):
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.delenv("NO_COLOR", raising=False)


OTHER_SIZE = (100, 30)
KEYS = ("m", "l", "l", "enter", "I", "I", "d", "2", "enter", "c", "s", "t", "enter", "space", "u", "a", "escape", "f1")


@pytest.mark.usefixtures("_many_colours")
@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_a_fight_looks_the_same_with_every_key(size, tmp_path):
    """Wide letters among it; and what is written after another size makes the screen from nothing."""
    fight = advance_to(ford(), "move")
    for number in range(9):
        fight.give("note", text=f"漢字 {number} e\u0301")
    async with counted(fight, tmp_path, size=size) as play:
        terse = await _redraw(play)
        for key in KEYS:
            await play.count(key)
            _compare(play, terse)
        play.app._driver.written.clear()
        await play.pilot.resize_terminal(*OTHER_SIZE)
        await play.settle()
        terse = Emulator()
        _compare(play, terse)
        assert len(terse.cells) == OTHER_SIZE[0] * OTHER_SIZE[1]


async def test_the_palette_looks_the_same_as_it_is_typed(tmp_path):
    async with counted(ford(), tmp_path) as play:
        terse = await _redraw(play)
        for key in ("ctrl+p", "t", "h", "down", "escape"):
            await play.count(key)
            _compare(play, terse)


async def _redraw(play):
    """A terminal on which everything is drawn anew."""
    play.app.terminal.forget()
    play.app._driver.written.clear()
    play.app.screen.refresh()
    await play.settle()
    terse = Emulator()
    _compare(play, terse)
    return terse


def _compare(play, terse):
    """Play what was written to a terminal, which then looks as Textual would draw the screen from nothing."""
    app, full = play.app, Emulator()
    terse.write("".join(app._driver.written))
    app._driver.written.clear()
    full.write(Compositor.render_full_update(app.screen._compositor).render_segments(app.console))
    assert different(terse, full) == {}
