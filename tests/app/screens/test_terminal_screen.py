"""Frames written in few bytes make the same screen: both are played to a terminal of ours, cell by cell."""

import pytest
from counted import counted
from emulator import SPOILT, Emulator, colours_of
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.style import Style
from stagehand import SMALL, WIDE, advance_to, ford

from fightcall.paint.terminal_screen import TerminalScreen

COLOURS = [None, "default", "red", "bright_blue", "color(77)", "#102030", "#0a141e"]
WANTED = [None, None, True]
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
stretches = st.builds(lambda style, text: style.render(text, color_system=ColorSystem.TRUECOLOR), styles, words)
moves = st.builds("\x1b[{};{}H".format, st.integers(1, 3), st.integers(1, 9))
rows = st.builds(lambda move, parts: move + "".join(parts), moves, st.lists(st.one_of(stretches, words), max_size=4))
OTHER = ("\x1b[?2026h", "\x07", "\x1b]52;c;YWJj\x07", "\x1b[?1049h", "\x1b[2 q", "text", "\x1b[1;1H\x1b[1mtext")
frames = st.one_of(
    st.lists(rows, min_size=1, max_size=4).map("".join),
    st.lists(rows, min_size=1, max_size=4).map("\n".join),
    st.sampled_from(OTHER),
)


@given(st.lists(frames, max_size=8))
def test_every_frame_makes_the_same_screen(data):
    screen, terse, full = TerminalScreen(), Emulator(), Emulator()
    for frame in data:
        # Where a frame begins with no move, it begins where the one before has ended.
        start = "" if frame.startswith("\x1b") else "\x1b[1;1H"
        full.write(start + frame)
        terse.write(start + screen.update(frame))
        assert different(terse, full) == {}
        assert terse.is_plain == full.is_plain
        for emulator in (full, terse):
            emulator.write("\x1b[0m")


def different(terse, full):
    """The cells that look different, but those of which only half was written over."""
    cells = {at: (cell, terse.cells.get(at)) for at, cell in full.cells.items() if cell[0] != SPOILT}
    return {at: pair for at, pair in cells.items() if pair[1] is None or colours_of(pair[0]) != colours_of(pair[1])}


def styled(text, **style):
    return Style(**style).render(text, color_system=ColorSystem.TRUECOLOR)


def test_what_is_shown_already_is_not_written_again():
    screen = TerminalScreen()
    frame = f"\x1b[2;3H{styled('Hob', color='#102030')}\x1b[1;1H"
    assert screen.update(frame) == "\x1b[38;2;16;32;48m\x1b[2;3HHob\x1b[0m\x1b[1;1H"
    assert screen.update(frame) == ""
    assert screen.update(frame.replace("Hob", "Hop")) == "\x1b[38;2;16;32;48m\x1b[2;5Hp\x1b[0m\x1b[1;1H"
    # Of a blank only the ground is seen.
    screen.update(f"\x1b[3;1H{styled(' ', color='#102030')}")
    assert screen.update(f"\x1b[3;1H{styled(' ', color='#405060')}") == ""


def test_cells_of_one_pen_are_written_together():
    frame = "\x1b[1;1H" + "".join(styled(text, color="red" if text == "a" else "blue") for text in "ababab")
    assert TerminalScreen().update(frame) == "\x1b[31m\x1b[1;1Ha a a\x1b[34m\x1b[1;2Hb\x1b[Cb\x1b[Cb\x1b[0m"


def test_edges_between_two_colours_are_written_in_one_pen():
    up, down = (styled(glyph, color=ink, bgcolor=ground) for glyph, ink, ground in EDGES)
    red, blue = "1;0;0", "0;0;1"
    frame = f"\x1b[1;1H{up}\x1b[2;1H{down}"
    assert TerminalScreen().update(frame) == f"\x1b[38;2;{red};48;2;{blue}m\x1b[1;1H▀\x1b[2;1H▀\x1b[0m"


EDGES = ("▄", "#000001", "#010000"), ("▀", "#010000", "#000001")


def test_half_a_wide_character_is_never_written():
    screen = TerminalScreen()
    screen.update("\x1b[1;1Ha漢b")
    assert screen.update("\x1b[1;1Ha字b") == "\x1b[1;2H字"


@pytest.mark.parametrize(
    "data", ["\x1b[?25l", "plain", "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\x1b[1;1Ha\tb", "\x1b[1;1H\u0301"]
)
def test_what_is_no_frame_is_passed_on(data):
    assert TerminalScreen().update(data) == data


def test_after_what_is_not_understood_everything_is_written_again():
    """Leaving for the shell and coming back switches the terminal's screens: nothing is left of what was there."""
    screen = TerminalScreen()
    frame = "\x1b[1;1HHob"
    screen.update(frame)
    for pause in ("\x1b[?1049l", "\x1b[?1049h"):
        assert screen.update(pause) == pause
    assert screen.update(frame) == frame
    assert screen.update("\x07") == "\x07"
    assert screen.update(frame) == ""


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
        frames, full, terse = await _redraw(play), Emulator(), Emulator()
        _play(frames, full, terse, play)
        for key in KEYS:
            await play.count(key)
            _play(frames, full, terse, play)
        play.app._driver.written.clear()
        await play.pilot.resize_terminal(*OTHER_SIZE)
        await play.quiet()
        full, terse = Emulator(), Emulator()
        _play(frames, full, terse, play)
        assert len(terse.cells) == OTHER_SIZE[0] * OTHER_SIZE[1]


async def _redraw(play):
    """Draw everything anew; gives the list that takes in what Textual makes of each frame from here on."""
    shown, frames = play.app._driver.shown, []
    plain = shown.update
    shown.update = lambda data: frames.append(data) or plain(data)
    shown.forget()
    play.app._driver.written.clear()
    play.app.screen.refresh()
    await play.quiet()
    return frames


def _play(frames, full, terse, play):
    full.write("".join(frames))
    terse.write("".join(play.app._driver.written))
    frames.clear()
    assert different(terse, full) == {}
