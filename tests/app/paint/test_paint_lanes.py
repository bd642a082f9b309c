"""The timeline of everybody is drawn in any size, with nothing of another width and no style that no theme knows."""

import pytest
from ford import check_golden, check_size, ford, texts
from hypothesis import given
from hypothesis import strategies as st
from palettes import unknown_keys

from fightcall.paint.combatants import SHORT_FORMS
from fightcall.paint.lanes import DETAIL, HEAD, LanesView, column_of, lanes_rows
from fightcall.paint.runs import ASCII, UNICODE
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.play.lanes import Lanes

FORD = ford()
CHART = Lanes(FORD, for_gm=True).chart()
NUMBERS = [0, *(entry.number for entry in FORD.line.entries)]
PEOPLE = list(FORD.state.combatants)


def drawn(entry=None, width=110, height=24, glyphs=UNICODE, selected="brand", top=0, fight=FORD, chart=CHART):
    sides = fight.system.words(fight.state.settings).sides
    drawing, _ = lanes_rows(
        chart,
        LanesView(selected, entry, top),
        fight.system,
        sides,
        width=width,
        height=height,
        words_of=lambda number: f"what entry {number} did",
        glyphs=glyphs,
    )
    return drawing


def test_golden():
    check_golden("lanes", drawn().rows)


@given(
    st.sampled_from([None, *NUMBERS]), st.integers(1, 160), st.integers(1, 30), st.sampled_from([*PEOPLE, ""]),
    st.integers(0, 20), st.booleans(),
)  # fmt: skip
def test_rows_have_their_width(entry, width, height, selected, top, ascii):
    drawing = drawn(entry, width, height, ASCII if ascii else UNICODE, selected, top)
    check_size(drawing.rows, width, height)
    assert unknown_keys(drawing.rows) == ()
    if ascii:
        names = {letter for one in FORD.state.combatants.values() for letter in one.name}
        assert all(letter.isascii() or letter in names for text in texts(drawing.rows) for letter in text)


@given(st.sampled_from(NUMBERS), st.integers(40, 160))
def test_the_moment_looked_at_is_in_view(entry, width):
    drawing = drawn(entry, width)
    column = CHART.columns[column_of(CHART, entry)]
    assert "timeline.cursor" in {run.style for row in drawing.rows for run in row} or not column.phase


@given(st.integers(40, 160), st.sampled_from([None, *NUMBERS]))
def test_a_click_on_a_column_means_its_newest_entry(width, entry):
    for spot in drawn(entry, width).spots:
        if not spot.what.startswith("who "):
            assert int(spot.what) in NUMBERS


def test_what_is_to_come_is_right_of_the_present_and_what_was_put_by_is_told():
    rows = texts(drawn().rows)
    assert rows[0].index("Moment 1") < rows[0].index("Moment 2")
    assert any("Brand: " in row for row in rows[-2:])


def test_lanes_out_of_view_are_shown_by_a_scroll_bar():
    rows = texts(drawn(height=HEAD + 3 + DETAIL).rows)
    assert {row[-1] for row in rows[HEAD:-DETAIL]} <= {UNICODE.scroll_thumb, UNICODE.scroll_track}
    assert not any(row[-1] in (UNICODE.scroll_thumb, UNICODE.scroll_track) for row in texts(drawn(height=40).rows))


def test_where_there_is_no_room_it_says_so():
    said = " ".join(" ".join(texts(drawn(width=20, height=5).rows)).split())
    assert "The timeline needs more room" in said


@pytest.mark.parametrize("width", [60, 80, 110, 140])
def test_phases_are_named_by_whole_words_or_by_short_forms(width):
    """Found in play 1: ``Meeti Missi``, ``Manageme``."""
    phases = FORD.system.words(FORD.state.settings).phases.values()
    known = {*phases, *(SHORT_FORMS.get(phase, phase) for phase in phases), *(phase[0] for phase in phases)}
    assert set(texts(drawn(width=width).rows)[1].split()) <= known


def test_every_system_has_its_timeline():
    encounters = {file.system: file.path.stem for file in shipped_encounters()}
    for encounter in encounters.values():
        fight = start_fight(load_encounter(encounter), id="fight", seed="2")
        fight.give("start")
        if fight.state.asked_first is not None and not fight.state.round:
            fight.give("answer")
        rows = texts(drawn(width=66, height=30, fight=fight, chart=Lanes(fight, for_gm=True).chart()).rows)
        assert fight.state.step is None or sum(1 for row in rows if row.strip()) > 5, encounter
        labels = [one.label for one in fight.state.combatants.values()]
        assert [label for label in labels if label not in "\n".join(rows)] == [], encounter


def test_those_who_are_down_have_nothing_to_come_and_only_declarations_are_told():
    fight = start_fight(load_encounter("a-first-fight"), id="down", seed="7")
    fight.give("start")
    fight.give("damage", who="brand", amount=99)
    chart = Lanes(fight, for_gm=True).chart()
    rows = texts(drawn(fight=fight, chart=chart, selected="ysolde").rows)
    ysolde, brand = (next(row for row in rows if name in row) for name in ("Ysolde", "Brand"))
    assert UNICODE.pip_coming in ysolde
    assert UNICODE.pip_coming not in brand
    assert not any("declaration" in row for row in rows)
