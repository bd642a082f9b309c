"""What rooms draw fits exactly, whatever people call things; and every style it uses is a style of the themes."""

import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from palettes import unknown_keys

from fightcall.actions import KeyNames, bar_of
from fightcall.flows.drafts import SetupEditor, setup_lines
from fightcall.flows.lists import Browse, Choice, Contents, LibraryItem, Picker
from fightcall.paint.prompt_bar import Answer, Entry, Foot, Question, TextLine, foot_rows
from fightcall.paint.runs import ASCII, UNICODE, row_text, row_width, when_text
from fightcall.screens.help import picker_rows
from fightcall.screens.library import detail_rows, head_rows, list_rows
from fightcall.screens.maps import line_text, setup_rows
from fightcall.shelf import Details
from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.kit.plugins import find_system, system_names
from fightcall_engine.kit.records import choice_words, setting_title
from fightcall_engine.model.commands import Join

STAGE = find_system("stage")
NASTY = (
    "",
    "[b]bold[/b]",
    "\x1b[31mred\x1b[0m",
    "漢字 漢字 漢字",
    "e\u0301" * 30,
    "x" * 200,
    "a\nb\tc",
    "\u202eevil",
    "👾" * 9,
)
TEXTS = st.sampled_from(NASTY) | st.text(max_size=40)
CELLS, HEIGHTS = st.integers(20, 170), st.integers(3, 45)
GLYPHS = st.sampled_from([UNICODE, ASCII])
ITEMS = st.builds(
    LibraryItem,
    st.just("fights"),
    TEXTS,
    TEXTS,
    system=TEXTS,
    status=st.sampled_from(["setup", "running", "ended", "damaged", "yours", ""]),
    round=st.sampled_from(["", "Moment 3", "Round 1000000"]),
    clock_s=st.integers(0, 10**7),
    updated=st.sampled_from(["", "2024-05-01T18:00:00+00:00", "nonsense"]),
    who=st.lists(TEXTS, max_size=4).map(tuple),
    entries=st.integers(0, 9),
    problem=st.sampled_from(["", "line 4: bad\nworse"]),
    story=TEXTS,
)
DETAILS = st.builds(
    Details,
    who=st.lists(st.tuples(st.sampled_from(["party", "foe", "weather"]), TEXTS, TEXTS), max_size=6).map(tuple),
    lines=st.lists(st.tuples(TEXTS, st.sampled_from(["plain", "bad", "dice", "odd"])), max_size=6).map(tuple),
    facts=st.lists(st.tuples(st.just("seed"), TEXTS), max_size=3).map(tuple),
    problem=TEXTS,
)


def check(rows, cells, height):
    """Exactly so many rows of exactly so many cells, in styles that themes know."""
    assert len(rows) == height
    assert {row_width(row) for row in rows} <= {cells}
    assert unknown_keys(rows) == ()
    written = {char for row in rows for char in row_text(row)}
    assert {char for char in written if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")} == set()


def editor_on(draft, cursor=0, source=""):
    editor = SetupEditor(draft, source)
    editor.go(cursor)
    return editor


@settings(deadline=None)
@given(st.lists(ITEMS, max_size=6), st.integers(0, 6), CELLS, HEIGHTS, GLYPHS, TEXTS)
def test_the_librarys_head_and_list(items, index, cells, height, glyphs, words):
    browse = Browse(Contents(fights=tuple(items)), filter=words).at(index)
    drawing, top = list_rows(browse, cells, height, 3, glyphs, {"new": "n", "setup": "s", "open": "enter"})
    check(drawing.rows, cells, height)
    if browse.item is not None:
        assert top <= browse.index < top + height
        assert drawing.at(3, browse.index - top) == f"line:{browse.index}"
    check(head_rows(browse, cells, glyphs).rows, cells, 2)
    unread = head_rows(browse, cells, glyphs, is_read=False).rows
    check(unread, cells, 2)
    assert not any(letter.isdigit() for letter in row_text(unread[1]))


@settings(deadline=None)
@given(ITEMS, st.none() | DETAILS, CELLS, HEIGHTS, GLYPHS, st.sampled_from(["fights", "encounters"]))
def test_the_librarys_details(item, details, cells, height, glyphs, section):
    check(detail_rows(replace(item, section=section), details, cells, height, glyphs, "Enter"), cells, height)


def test_nothing_is_told_of_nothing():
    check(detail_rows(None, None, 40, 5, UNICODE, "Enter"), 40, 5)


@settings(deadline=None)
@given(TEXTS, TEXTS, CELLS, GLYPHS, st.sampled_from(["info", "warn", "error"]))
def test_the_foot(text, other, cells, glyphs, tone):
    keys = [("enter", text), ("x", other), ("ctrl+p", "palette")]
    line = TextLine().insert(other)
    for foot in (
        Foot(text, tone),
        Foot(question=Question(text, (Answer("y", other, lambda: None),))),
        Foot(question=Question(text, (Answer("y", other, lambda: None, is_proposed=True),), error=other)),
        Foot(entry=Entry(text[:60], line, lambda typed: None, hint=other)),
        Foot(entry=Entry("name", line, lambda typed: None, error=text)),
    ):
        check(foot_rows(foot, keys, cells, glyphs), cells, 2)


JOINS = st.builds(
    Join,
    name=TEXTS,
    side=st.sampled_from(["", "party", "foe"]),
    hidden=st.booleans(),
    sheet=st.fixed_dictionaries({"hp": st.integers(0, 99), "strikes": st.just([{"name": "longbow"}]), "note": TEXTS}),
)


@settings(deadline=None)
@given(st.lists(JOINS, max_size=5), TEXTS, st.booleans(), st.integers(0, 60), CELLS, HEIGHTS, GLYPHS)
def test_the_draft(joins, name, board, cursor, cells, height, glyphs):
    draft = Encounter(name, "stage", joins=tuple(joins), board=HexBoard(5, 5) if board else None, story=name)
    lines = setup_lines(draft, STAGE)
    cursor = min(cursor, len(lines) - 1)
    drawing, _ = setup_rows(editor_on(draft, cursor, name), cells, height, 0, glyphs)
    check(drawing.rows, cells, height)
    assert any(spot.what == str(cursor) for spot in drawing.spots)
    for line in lines:
        assert isinstance(line_text(draft, line), str)


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        (("party", "party"), "all on one side: Party"),
        (("foe", "foe", "foe"), "all on one side: Foe"),
        ((), ""),
        (("party",), ""),
        (("party", "foe"), ""),
    ],
)
def test_combatants_who_are_all_on_one_side_are_said_to_be(sides, said):
    """put right 39: a list imported without sides is seen to be nobody's enemy."""
    joins = tuple(Join(name=f"N{number}", side=side) for number, side in enumerate(sides))
    drawing, _ = setup_rows(editor_on(Encounter("A fight", "stage", joins=joins)), 80, 40, 0, UNICODE)
    shown = "\n".join(map(row_text, drawing.rows))
    assert ("all on one side" in shown) is bool(said)
    assert said in shown


@pytest.mark.slow
@pytest.mark.parametrize("system", system_names())
def test_a_setting_is_named_before_its_whole_value(system):
    """At 80 columns too no value of a setting is clipped, whichever the cursor is on (found in play 30)."""
    rules = find_system(system)
    draft = Encounter("A fight", system)
    lines = setup_lines(draft, rules)
    for at, line in enumerate(lines):
        if line.part == "settings":
            setting = next(setting for setting in rules.settings if setting.key == line.key)
            for value in setting.choices or (setting.default,):
                editor = editor_on(replace(draft, settings={line.key: value}), at)
                drawing, _ = setup_rows(editor, 80, 60, 0, UNICODE)
                shown = next(row_text(row) for row in drawing.rows if row_text(row).startswith(UNICODE.selected))
                assert shown[2:].startswith(setting_title(rules, line.key))
                assert f"< {choice_words(rules, line.key, value)} >" in shown


@pytest.mark.parametrize("system", system_names())
def test_settings_are_said_in_plain_words(system):
    """No key of a file, and none of its parts that are no words, in a title, a choice or what it means."""
    rules = find_system(system)
    raw = re.compile(r"_|\b(set\d|hp|dv|wt|rhu|cs|lt|gm|str|dar|cnd|mod|ft|pc)\b")
    for each in rules.settings:
        said = (setting_title(rules, each.key), *(choice_words(rules, each.key, value) for value in each.choices))
        assert not [text for text in said if raw.search(text)], each.key
        assert not re.search(r"\w_\w", each.text), each.key
        assert len(each.words) in (0, len(each.choices)), each.key


@settings(deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=9), st.integers(0, 9), CELLS, HEIGHTS, GLYPHS, TEXTS)
def test_the_list_to_pick_from(pairs, index, cells, height, glyphs, typed):
    choices = tuple(Choice(str(number), text, remark) for number, (text, remark) in enumerate(pairs))
    picker = Picker("title", choices, TextLine().insert(typed), index)
    drawing, _ = picker_rows(picker, cells, height, 0, glyphs)
    check(drawing.rows, cells, height)


def test_moments_are_told_to_the_minute_and_nonsense_as_it_is():
    from datetime import UTC

    assert when_text("2024-05-01T18:03:59+02:00", UTC) == "2024-05-01 16:03"
    assert when_text("yesterday") == "yesterday"


@pytest.mark.parametrize("scope", ["library", "setup", "replay", "form", "flow", "help"])
def test_the_most_useful_keys_fit_on_a_small_screen(scope):
    names = KeyNames()
    pairs = [(names.label(action.id), action.text) for action in bar_of(scope)]
    shown = row_text(foot_rows(Foot(), pairs, 80, UNICODE)[1])
    assert pairs[0][1] in shown
    assert "help" in shown or scope in ("form", "flow", "help")


def test_a_damaged_encounter_is_listed_with_its_problem():
    item = LibraryItem("encounters", "x", "x", status="damaged", path=Path("x.toml"), problem="line 3: unknown key")
    browse = Browse(Contents(encounters=(item,)), section="encounters")
    drawing, _ = list_rows(browse, 120, 3, 0, UNICODE, {"new": "n", "setup": "s"})
    assert "line 3: unknown key" in row_text(drawing.rows[0])


def test_fights_played_in_the_same_minute_are_told_apart_by_the_second():
    """Found in play: several fights of one encounter in a row could not be told apart."""
    items = [
        LibraryItem("fights", second, "The ford", "stage", "running", "Moment 1", updated=f"2026-11-27T13:55:{second}")
        for second in ("10", "48")
    ]
    other = LibraryItem("fights", "bridge", "The bridge", "stage", "running", "Moment 1", updated="2026-11-27T13:55:48")
    drawing, _ = list_rows(Browse(Contents(fights=(*items, other))), 78, 10, 0, UNICODE, {})
    rows = [row_text(row).rstrip() for row in drawing.rows]
    assert [row[-8:] for row in rows[:2]] == ["13:55:10", "13:55:48"]
    assert rows[2].endswith("2026-11-27 13:55")
