"""What everybody declared, on the roster and in its own table."""

from dataclasses import replace
from itertools import product

import pytest
from ford import check_golden, check_size, ford, nasty, texts
from hypothesis import given
from hypothesis import strategies as st
from saying import EVERY_KIND, every_kind, saying

from fightcall.paint.roster import HEAD, declared_by, declared_rows, present, roster_rows, split_ranks, table_lines
from fightcall.paint.runs import ASCII, UNICODE
from fightcall_engine.kit.views import DECLARED, Declaration, Progress

FORD, NASTY_FIGHT = ford(), nasty()
SYSTEM = saying(FORD.system)


def roster(state=FORD.state, system=SYSTEM, width=38, height=24, glyphs=UNICODE, **more):
    declared = declared_by(state, system)
    return roster_rows(state, system, width=width, height=height, glyphs=glyphs, declarations=declared, **more)


def table(state=FORD.state, system=SYSTEM, width=150, height=14, glyphs=UNICODE, **more):
    return declared_rows(state, system, width=width, height=height, glyphs=glyphs, **more)


def loud(state):
    """What the nasty declare: their own names."""
    names = [one.name or "…" for one in state.combatants.values()]
    return tuple(
        Declaration(who, name * 2, name, name, name, name, DECLARED[at % 10], name, Progress(name, at, 9 - at))
        for at, (who, name) in enumerate(zip(state.combatants, names, strict=True))
    )


@pytest.mark.parametrize(("name", "width", "height", "glyphs"), [
    ("roomy", 38, 20, UNICODE), ("compact", 32, 10, UNICODE), ("tab", 80, 20, UNICODE), ("wide", 120, 20, ASCII),
])  # fmt: skip
def test_golden_roster(name, width, height, glyphs):
    drawn = roster(width=width, height=height, glyphs=glyphs, selected="brand", targets=("goblin-1",))
    check_golden(f"declared-{name}", drawn.drawing.rows)


@pytest.mark.parametrize(("name", "width", "height", "glyphs"), [
    ("150", 150, 12, UNICODE), ("78", 78, 12, UNICODE), ("ascii", 100, 10, ASCII),
])  # fmt: skip
def test_golden_table(name, width, height, glyphs):
    drawn = table(width=width, height=height, glyphs=glyphs, selected="brand", targets=("goblin-1",))
    check_golden(f"declared-table-{name}", drawn.drawing.rows)


@given(st.integers(1, 130), st.integers(1, 30), st.integers(-5, 40), st.booleans(), st.booleans())
def test_rows_have_their_width_whatever_is_said(width, height, top, compact, ascii):
    state, glyphs = NASTY_FIGHT.state, ASCII if ascii else UNICODE
    system, who = saying(NASTY_FIGHT.system, loud), list(state.combatants)
    drawn = roster(state, system, width, height, glyphs, top=top, compact=compact, selected=who[3], targets=who[5:])
    check_size(drawn.drawing.rows, width, height)
    drawn = table(state, system, width, height, glyphs, top=top, selected=who[3], targets=who[5:])
    check_size(drawn.drawing.rows, width, height)


@pytest.mark.parametrize("width", [150, 60])
def test_everybody_is_in_the_table_in_the_systems_order_and_found_by_a_click(width):
    drawn = table(width=width, height=40)
    assert list(drawn.spans) == [*FORD.state.combatants]
    assert set(drawn.spans) == set(FORD.state.combatants)
    shown = {drawn.drawing.at(9, y) for y in range(HEAD, HEAD + drawn.lines)}
    assert shown == set(FORD.state.combatants)
    assert drawn.drawing.at(9, 0) is None
    assert drawn.drawing.at(9, HEAD + drawn.lines) is None


def test_who_declared_nothing_comes_last_and_twice_is_two_lines():
    lines = table_lines(FORD.state, SYSTEM)
    assert [one if isinstance(one, str) else one.who for one in lines] == [
        "ysolde", "brand", "paul", "paul", "goblin-1", "goblin-2", "goblin-3", "archer",
    ]  # fmt: skip
    assert lines[-1] == "archer"


@given(st.integers(-10, 60), st.integers(2, 20), st.sampled_from((150, 60)))
def test_scrolling_stays_within_the_table(top, height, width):
    drawn = table(width=width, height=height, top=top)
    room = height - HEAD
    assert 0 <= drawn.top <= max(drawn.lines - room, 0)
    everything = texts(table(width=width, height=drawn.lines + HEAD).drawing.rows)[HEAD:]
    shown = texts(table(width=width, height=height, top=top).drawing.rows)[HEAD:]
    wanted = everything[drawn.top : drawn.top + room]
    assert [row[:-1] for row in shown[: len(wanted)]] == [row[:-1] for row in wanted]


def test_a_status_is_a_mark_and_a_word():
    for status, glyphs in product(DECLARED, [UNICODE, ASCII]):
        aims = (Declaration("paul", "aims", status=status),)
        system = saying(FORD.system, lambda state, aims=aims: aims)
        row = next(row for row in texts(table(system=system, glyphs=glyphs).drawing.rows) if "aims" in row)
        assert f"{glyphs.declared[status]} {status}".rstrip() in row, (status, glyphs)


def test_what_is_secret_is_marked_and_says_what_players_see():
    """Found in play 15."""
    row = next(row for row in texts(table().drawing.rows) if "fire" in row)
    assert "◌ calls down fire on the far bank  appears to do nothing" in row


def test_the_present_declaration_is_the_first_that_is_not_over():
    over, due, later = (Declaration("x", word, status=word) for word in ("done", "declared", "draft"))
    assert present((over, due, later)) is due
    assert present((over, replace(over, status="lost"))).status == "lost"
    assert present(()) is None


def test_the_roster_shows_the_present_one_and_how_many_more_there_are():
    rows = texts(roster().drawing.rows)
    paul = next(row for row in rows if "Paul" in row)
    assert "draft +1" in paul
    assert "draws another arrow" in rows[rows.index(paul) + 1]
    assert "draft +1" in next(row for row in texts(roster(width=150).drawing.rows) if "Paul" in row)


def test_on_one_line_what_came_of_it_is_told():
    rows = texts(roster(width=32, height=9).drawing.rows)
    assert any("Goblin 1" in row and "− out of sight" in row for row in rows)


def test_those_who_are_alike_share_a_line_while_they_declare_alike():
    declared = {who: (Declaration(who, words),) for who, words in (("a", "runs"), ("b", "runs"), ("c", "stays"))}
    assert split_ranks([("a", "b", "c"), ("d", "e")], declared) == (("a", "b"), ("c",), ("d", "e"))


def test_columns_nobody_needs_are_left_out():
    system = saying(FORD.system, lambda state: (Declaration("paul", "aims", status="declared"),))
    assert texts(table(system=system).drawing.rows)[0].split() == ["who", "declared", "status"]
    everything = ["who", "declared", "limbs", "cost", "due", "status", "came", "of", "it"]
    assert texts(table().drawing.rows)[0].split() == everything


def test_the_roster_has_groups_and_people_as_ever():
    drawn = roster()
    assert set(drawn.spans) == set(FORD.state.combatants)
    assert texts(drawn.drawing.rows)[0].split() == ["PARTY", "HP", "acting"]
    assert len(every_kind(FORD.state)) == len(EVERY_KIND) + 1
