"""Pens are read from sequences, and changed in few bytes."""

from fightcall.paint.pens import PLAIN, Pen, change_pen, read_pen


def test_codes_are_read():
    assert read_pen("1;38;2;1;2;3;44") == Pen(("1",), "38;2;1;2;3", "44")
    assert read_pen("38;5;77;4") == Pen(("4",), "38;5;77", "")
    assert read_pen("39;49") == PLAIN


def test_only_what_is_different_is_changed():
    bold = Pen(("1",), "31", "48;2;1;2;3")
    assert change_pen(bold, bold) == ""
    assert change_pen(PLAIN, bold) == "\x1b[1;31;48;2;1;2;3m"
    assert change_pen(bold, bold._replace(ink="32")) == "\x1b[32m"
    assert change_pen(bold, bold._replace(attributes=())) == "\x1b[22m"
    assert change_pen(bold, PLAIN) == "\x1b[0m"
    # What takes bold away takes dim away, too.
    assert change_pen(bold._replace(attributes=("1", "2")), bold._replace(attributes=("2",))) == "\x1b[22;2m"
