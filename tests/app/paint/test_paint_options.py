"""The options bar shows what can be done, at what price, and why not the rest."""

from dataclasses import replace

import pytest
from ford import check_golden, check_size, ford, nasty, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.glyphs import ASCII, UNICODE
from fightcall.paint.options import option_rows

FORD, NASTY_FIGHT = ford(), nasty()
OPTIONS = FORD.options("brand")


def drawn(who="brand", options=OPTIONS, width=80, height=6, state=FORD.state, **more):
    return option_rows(state, FORD.system, who, options, width=width, height=height, glyphs=UNICODE, **more)


@pytest.mark.parametrize(("width", "height"), [(80, 3), (66, 6)])
def test_golden(width, height):
    check_golden(f"options-{width}x{height}", drawn(width=width, height=height, highlighted=1).rows)


anybody = st.sampled_from(["", *NASTY_FIGHT.state.combatants])


@given(st.integers(1, 120), st.integers(1, 9), st.none() | st.integers(0, 12), anybody)
def test_rows_have_their_width_whatever_the_names(width, height, highlighted, who):
    options = NASTY_FIGHT.options(who) if who else ()
    options = [replace(option, label=option.label + NASTY_FIGHT.state.name, why=option.why * 3) for option in options]
    rows = option_rows(
        NASTY_FIGHT.state, FORD.system, who, options, width=width, height=height, glyphs=ASCII, highlighted=highlighted
    ).rows
    check_size(rows, width, height)


def test_who_it_is_and_what_they_have():
    row = texts(drawn().rows)[0]
    assert "Brand" in row
    assert "hp 9/15" in row
    assert "beats 14/14" in row
    assert "B4 ↗" in row


def test_keys_labels_and_prices():
    rows = "\n".join(texts(drawn().rows))
    assert " m  move 1/hex" in rows
    assert " v  vault 4" in rows
    assert " ^m  move" in "\n".join(texts(drawn(keys={"move": "^m"}).rows))


def test_what_cannot_be_done_looks_different_and_says_why():
    place = next(at for at, option in enumerate(OPTIONS) if not option.legal)
    drawing = drawn(highlighted=place)
    assert f"✗ {OPTIONS[place].label}: {OPTIONS[place].why} ({OPTIONS[place].rule})" in "\n".join(texts(drawing.rows))
    styles = {run.style for row in drawn().rows for run in row if OPTIONS[place].label == run.text}
    assert styles == {"options.off"}


def test_where_nothing_can_be_done_the_reason_comes_unasked():
    options = FORD.options("goblin-1")
    assert not any(option.legal for option in options if option.action == "move")
    off = [option for option in options if not option.legal]
    assert off[0].why in "\n".join(texts(drawn("goblin-1", off).rows))


def test_a_click_finds_its_option():
    drawing = drawn()
    for at, option in enumerate(OPTIONS):
        spot = next(spot for spot in drawing.spots if spot.what == str(at))
        row = texts(drawing.rows)[spot.rows.start]
        assert option.label in row[spot.cells.start : spot.cells.stop]


def test_what_has_no_room_is_counted():
    rows = texts(drawn(width=30, height=2).rows)
    assert "+" in rows[1]
    shown = sum(option.label in rows[1] for option in OPTIONS)
    assert f"+{len(OPTIONS) - shown}" in rows[1]


def test_reminders_fill_what_is_left():
    assert "Contact stops; leaving it is free" in "\n".join(texts(drawn(height=8).rows))
    assert "Contact stops; leaving it is free" in "\n".join(texts(drawn("", height=4).rows))
