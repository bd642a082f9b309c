"""Shortened sequences make the same screen: both are played to a small terminal of ours, cell by cell."""

import re

from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.style import Style

from fightcall.paint.sequences import Pen, read_pen, shorten

PARTS = re.compile(r"\x1b\[([\d;]*)([mH])|([^\x1b])")
COLOURS = [None, "default", "red", "bright_blue", "color(77)", "#102030", "#0a141e"]
styles = st.builds(
    Style,
    color=st.sampled_from(COLOURS),
    bgcolor=st.sampled_from(COLOURS),
    bold=st.sampled_from([None, True]),
    dim=st.sampled_from([None, True]),
    underline=st.sampled_from([None, True]),
    reverse=st.sampled_from([None, True]),
)
words = st.text("ab ▞", min_size=1, max_size=5)
stretches = st.builds(lambda style, text: style.render(text, color_system=ColorSystem.TRUECOLOR), styles, words)
moves = st.builds("\x1b[{};{}H".format, st.integers(1, 4), st.integers(1, 20))
frames = st.lists(st.one_of(stretches, stretches, stretches, moves, words), max_size=12).map("".join)


def screen(data):
    """The cells after some output: character and look at each place, blanks by what is seen of them."""
    cells, row, column, pen = {}, 1, 1, Pen()
    for codes, what, character in PARTS.findall(data):
        if what == "H":
            row, column = (int(part) for part in codes.split(";"))
        elif what == "m":
            pen = Pen() if codes in ("", "0") else painted(pen, codes)
        else:
            cells[row, column] = (character, *seen(pen, character))
            column += 1
    return cells, pen


def painted(pen, codes):
    """The pen after a sequence."""
    if codes.startswith("0;"):
        pen, codes = Pen(), codes[2:]
    off = {"22": {"1", "2"}, "23": {"3"}, "24": {"4", "21"}, "27": {"7"}, "29": {"9"}, "55": {"53"}}
    new = read_pen(codes)
    gone = set().union(*(off[code] for code in new.attributes if code in off))
    kept = {name for name in pen.attributes if name not in gone}
    ink = "" if codes.endswith("39") or ";39;" in f";{codes};" else new.ink or pen.ink
    ground = "" if ";49;" in f";{codes};" else new.ground or pen.ground
    return Pen(tuple(sorted(kept | {code for code in new.attributes if code not in off})), ink, ground)


def seen(pen, character):
    """What of a pen is seen in a cell: the ink of a blank is not, unless something is drawn with it."""
    attributes = tuple(sorted(pen.attributes))
    hidden = character == " " and not {"4", "7"} & set(attributes)
    return pen.ground, "" if hidden else pen.ink, attributes


@given(frames)
def test_the_same_cells_in_no_more_bytes(data):
    short = shorten(data)
    # A reset names the ink again, though only blanks may follow that do not show it.
    assert len(short) <= len(data) + len(";38;2;255;255;255")
    assert screen(short) == screen(data)


def test_what_stays_the_same_is_said_once():
    style = Style(color="#102030", bgcolor="#405060")
    data = "".join(style.render(text, color_system=ColorSystem.TRUECOLOR) for text in ("ab", "cd", "ef"))
    assert shorten(data) == "\x1b[38;2;16;32;48;48;2;64;80;96mabcdef\x1b[0m"


def test_other_sequences_are_passed_on():
    for data in ("\x1b[?25l", "plain", "\x1b]0;title\x07", "\x1b[2J\x1b[H"):
        assert shorten(data) == data
    linked = "\x1b[1mab\x1b[0m\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\"
    assert shorten(linked) == linked


def test_codes_are_read():
    assert read_pen("1;38;2;1;2;3;44") == Pen(("1",), "38;2;1;2;3", "44")
    assert read_pen("38;5;77;4") == Pen(("4",), "38;5;77", "")
    assert read_pen("39;49") == Pen()
