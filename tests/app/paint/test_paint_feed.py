"""The log tells what happened, opens, scrolls and searches, and looks only at what is seen."""

from types import SimpleNamespace

import pytest
from ford import advance_to, check_golden, check_size, ford, nasty, started, texts
from hypothesis import given
from hypothesis import strategies as st

from fightcall.paint.feed import FeedModel, FeedPlace, FeedView
from fightcall.paint.runs import ASCII, UNICODE
from fightcall_engine.archive.encounters import load_encounter, start_fight

FORD, NASTY_FIGHT = ford(), nasty()
MODEL, NASTY_MODEL = FeedModel(FORD, UNICODE), FeedModel(NASTY_FIGHT, ASCII)
WHOLE = 200
"""Rows enough for all of the ford's log."""
QUIET = {"feed", "frame", "feed.heading", "feed.name", "feed.text", "feed.dim"}


def shown(model=MODEL, width=50, height=20, **view):
    return texts(model.visible(width, height, FeedView(**view)).rows)


def last_row(model, **view):
    return [row for row in shown(model, **view) if row.strip()][-1]


def number_of(fight, text):
    return FeedModel(fight, UNICODE).find(text, -1)


@pytest.mark.parametrize(("name", "width", "height"), [("tall", 46, 30), ("small", 80, 12)])
def test_golden(name, width, height):
    view = FeedView(FeedPlace(6, 0), 4, frozenset(), frozenset({5}))
    check_golden(f"feed-{name}", MODEL.visible(width, height, view).rows)


def test_golden_opened():
    view = FeedView(opened=frozenset({number_of(FORD, "paul shoots")}), bottom=FeedPlace(5, 0))
    check_golden("feed-opened", MODEL.visible(60, 30, view).rows)


@given(
    st.integers(1, 90), st.integers(1, 30), st.integers(-3, 40), st.integers(-3, 9), st.sets(st.integers(0, 30)),
    st.booleans(),
)  # fmt: skip
def test_rows_have_their_width_whatever_the_names(width, height, entry, line, opened, dim):
    view = FeedView(FeedPlace(entry, line), 4, frozenset(opened), frozenset({2}), dim)
    check_size(NASTY_MODEL.visible(width, height, view).rows, width, height)


def test_headings_stand_only_above_what_happened():
    rows = [row.strip(" ─┃│") for row in shown(height=WHOLE)]
    heads = [row for row in rows if row.startswith("Moment ")]
    assert heads == ["Moment 1 · Missile", "Moment 2 · Move"], "each on one line, none for a phase without an act"
    places = [rows.index(said) for said in ("Ambush at the Ford", *heads)]
    assert places == sorted(places)
    assert rows[rows.index("Moment 1 · Missile") + 1].startswith("Paul shoots at Goblin 1")


def test_questions_steps_and_answers_by_default_are_not_said():
    text = "\n".join(shown(height=WHOLE))
    for silent in ("Go on?", "next", "passed"):
        assert silent not in text


def test_only_rulings_notes_and_the_fallen_stand_out():
    fight = advance_to(started(), "missile", "party")
    fight.give("note", text="The bridge creaks")
    fight.give("strike", who="paul", target="archer", rolls={"attack": [5], "damage": [6]})
    rows = FeedModel(fight, UNICODE).visible(60, WHOLE, FeedView()).rows
    loud = {run.style: run.text.strip() for row in rows for run in row[1:] if run.style not in QUIET}
    assert loud == {"feed.ruling": "Note: The bridge creaks", "feed.hit": "Archer is down"}


def test_minor_lines_stand_beside_theirs_where_there_is_room():
    wide, narrow = shown(width=60, height=WHOLE), shown(width=26, height=WHOLE)
    assert any("Ysolde moves" in row and "beats" in row for row in wide)
    assert not any("Ysolde moves" in row and "beats" in row for row in narrow)


def test_dice_stand_at_the_right_edge_of_the_act():
    rows = [row[:-1].rstrip() for row in shown(width=66, height=WHOLE)]
    act = next(row for row in rows if "Paul shoots" in row)
    assert act.startswith("  Paul shoots at Goblin 1 with bow   ")
    assert act.endswith("5 ≤ 12 hit")
    assert len(act) == 64


def test_the_dice_of_a_broken_sentence_stand_beside_its_end():
    rows = [row[:-1].strip() for row in shown(width=32, height=WHOLE)]
    end = rows[rows.index("Paul shoots at Goblin 1 with") + 1]
    assert end.startswith("bow  ")
    assert end.endswith("  5 ≤ 12 hit")


def test_cursor_and_bookmark_of_an_entry_that_says_nothing_stand_at_the_last_that_did():
    line = FORD.line
    index = line.index_of(number_of(FORD, "paul shoots"))
    silent = line.entry(index + 1).number
    assert MODEL.lines(index + 1, 60) == ()
    assert any(row.startswith("▸") for row in shown(cursor=silent, width=60, height=WHOLE))
    assert any(row.startswith("⚑") for row in shown(marked=frozenset({silent}), width=60, height=WHOLE))


def test_an_opened_entry_shows_command_events_dice_and_rules():
    number = number_of(FORD, "paul shoots")
    rows = "\n".join(shown(width=70, height=WHOLE, opened=frozenset({number})))
    assert f"{number} Strike: rolls (attack (5) damage (4)), who paul" in rows
    assert "DiceRolled dice d20" in rows
    assert "2025-01-01T00:00:00+00:00 by gm" in rows
    assert "SB-34" in rows


def test_cursor_bookmarks_and_rulings_are_marked():
    fight = ford()
    fight.give("adjust", who="brand", what="hp", value=12)
    model, last = FeedModel(fight, UNICODE), fight.head_number
    assert last_row(model, cursor=last).startswith("▸ Brand: HP")
    assert last_row(model, marked=frozenset({last})).startswith("⚑ Brand: HP")
    assert last_row(model).startswith("! Brand: HP")


def test_in_a_replay_what_is_to_come_is_dim():
    cursor = FORD.line.entry(2).number
    drawing = MODEL.visible(50, WHOLE, FeedView(cursor=cursor, dim_after_cursor=True))
    y = next(y for y, row in enumerate(texts(drawing.rows)) if "Ysolde moves" in row)
    assert {run.style for run in drawing.rows[y] if run.text.strip()} == {"feed.dim"}


@given(st.integers(10, 70), st.integers(2, 25), st.lists(st.integers(-9, 9), max_size=8))
def test_scrolling_moves_by_lines_and_stays_in_the_log(width, height, moves):
    everything = [row[:-1] for row in shown(width=width, height=WHOLE * 3) if row.strip()]
    view = FeedView()
    at = max(len(everything) - height, 0)
    for move in moves:
        view = FeedView(bottom=MODEL.scroll(view, move, width, height))
        at = max(0, min(at + move, len(everything) - height))
        rows = [row[:-1] for row in shown(width=width, height=height, bottom=view.bottom)]
        assert rows[: len(everything)] == everything[at : at + height]


@given(st.sampled_from([entry.number for entry in FORD.line.entries]), st.integers(3, 25))
def test_an_entry_is_brought_into_view(number, height):
    view = MODEL.reveal(number, FeedView(), 50, height)
    spots = MODEL.visible(50, height, view).spots
    index = FORD.line.index_of(number)
    said = [FORD.line.entry(at).number for at in range(index + 1) if MODEL.lines(at, 47)]
    assert str(said[-1]) in [spot.what for spot in spots]


def test_finding_goes_round_both_ways():
    newest = number_of(FORD, "SHOOTS")
    earlier = MODEL.find("shoots", newest)
    assert earlier < newest
    assert MODEL.find("shoots", earlier) == newest
    assert MODEL.find("shoots", earlier, 1) == newest
    assert MODEL.find("shoots", newest, 1) == earlier
    assert MODEL.find("no such words", -1) is None
    assert MODEL.find("", -1) is None


def test_the_log_follows_undo_and_branches():
    fight = ford()
    model = FeedModel(fight, UNICODE)
    assert "Ysolde moves" in last_row(model)
    fight.undo()
    assert "stunned" in last_row(model)
    fight.give("note", text="another way")
    assert "another way" in last_row(model)


def test_an_empty_log_says_so():
    fight = started()
    fight.undo()
    assert "Nothing has happened yet" in shown(FeedModel(fight, UNICODE))[0]
    who = next(iter(fight.state.combatants))
    fight.give("face", who=who, facing=2)
    assert "Nothing has happened yet" in shown(FeedModel(fight, UNICODE))[0], "an entry that tells nothing"


def test_only_entries_in_view_are_read():
    fight = advance_to(started(), "missile", "party")
    for number in range(300):
        fight.give("note", text=f"note {number}")
    read = []

    class WatchedLine:
        def __getattr__(self, name):
            return getattr(fight.line, name)

        def span(self, index):
            read.append(index)
            return fight.line.span(index)

    watched = SimpleNamespace(system=fight.system, line=WatchedLine())
    model = FeedModel(watched, UNICODE)
    assert "note 299" in shown(model, height=20)[-1]
    assert len(read) <= 25
    shown(model, height=20)
    assert len(read) <= 25


def test_a_heading_without_room_says_the_phase_alone():
    """Which round it is stands above already; no name is broken over two lines."""
    fight = start_fight(load_encounter("the-bell-tower"), id="tower", seed="7")
    fight.give("start")
    for who, result in (("ilvane", 23), ("brother-aum", 21), ("sabet", 17), ("tamsin-roe", 7)):
        fight.give("awareness", who=who, result=result)
    fight.give("lock")
    for who in ("ilvane", "brother-aum"):
        fight.give("note", text="remark")
        fight.give("endap", who=who)
    rows = texts(FeedModel(fight, UNICODE).visible(34, 40, FeedView()).rows)
    headings = [row for row in rows if "──" in row]
    assert any("Full Round 1 · Ilvane" in row for row in headings)
    assert any("── Brother Aum ──" in row for row in headings)
    narrow = texts(FeedModel(fight, UNICODE).visible(22, 60, FeedView()).rows)
    at = next(at for at, row in enumerate(narrow) if "── Full Round 1 ─" in row)
    assert narrow[at + 1].strip() == "Ilvane"
