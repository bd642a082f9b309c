"""Somebody's whole card, and what is left after the fight: every line in exactly the cells there are."""

import pytest
from ford import NASTY, check_golden, check_size, ford, nasty
from hypothesis import given
from hypothesis import strategies as st
from palettes import unknown_keys

from fightcall.paint.combatants import card_sections, section_rows, sheet_sections, told_rows
from fightcall.paint.lanes import closing_sections
from fightcall.paint.runs import ASCII, UNICODE, row_text, row_width
from fightcall.themes import find_shipped_themes, load_shipped
from fightcall_engine.archive.chronicle import closing_of
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.events import TraitsChanged
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Pool
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.lanes import summary_of
from fightcall_engine.systems.segments.state import items, settings

SETS = pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
WAT = {
    "pres": 14,
    "armour": [{"type": "doublemail"}, {"type": "padded_simple"}],
    "weapons": [{"name": "kite", "kind": "shield", "hand": "L", "dr": 8}, {"name": "sword", "av": 30}],
    "tokens": {"white": 2, "fate": 1},
}


def battered(**settings):
    """Wat after blows, in the third segment: wounds, worn layers, pain that wears off."""
    fight = Fight.new("segments", seed="1", settings={"armour_wear": True, "fate_tokens": True, **settings})
    fight.give("join", name="Wat", side="party", sheet=WAT)
    fight.give("join", name="Hob", side="foe", sheet={"trades": [{"name": "Healer", "sl": 9}]})
    fight.give("join", name="Tib", side="foe")
    fight.give("start")
    fight.give("damage", who="wat", amount=5)
    fight.give("damage", who="tib", amount=2)
    fight.give("setstun", who="wat", penalty=6)
    fight.give("rule", who="wat", what="armour", value="doublemail:20/13; padded_simple:0")
    return fight


@SETS
@pytest.mark.parametrize("cells", [78, 44], ids=["wide", "narrow"])
def test_golden_card(glyphs, cells):
    """CS-571, CS-582, CS-602, CS-616, CS-651."""
    fight = battered()
    kite = items.parse_layer("kite:5", settings.armoury_of_fight(fight.state))
    state = evolve(fight.state, TraitsChanged(who="wat", traits={"shields": (kite,)}))
    sections = card_sections(state, fight.system, "wat", cells, glyphs)
    check_size(sections.rows, cells, len(sections.rows))
    check_golden(f"card-{cells}-{glyphs.name}", sections.rows)


@SETS
@pytest.mark.parametrize("cells", [78, 44], ids=["wide", "narrow"])
def test_golden_after_the_fight(glyphs, cells):
    """CS-660 to CS-669: the plan of each of the wounded, who tends them, and what they lack."""
    fight = battered()
    fight.give("close")
    fight.give("planhealing", who="tib", healer="hob", fought="2026-05-01")
    told = closing_sections(fight.state, fight.system, closing_of(fight), summary_of(fight, for_gm=True))
    sections = told_rows(fight.state, fight.system, told, "tib", cells, glyphs)
    check_size(sections.rows, cells, len(sections.rows))
    assert set(sections.spans) == {"", "wat", "tib"}
    check_golden(f"after-{cells}-{glyphs.name}", sections.rows)


def test_every_system_has_a_card():
    fight = ford()
    rows = card_sections(fight.state, fight.system, "ysolde", 60, UNICODE).rows
    said = "\n".join(map(row_text, rows))
    assert "Ysolde" in said
    assert "14 of 14" in said


def test_a_fight_that_is_over_is_summed_up():
    """Who stands, who is down, how long it took, and what everybody did; who did nothing is named together."""
    fight = ford()
    fight.give("damage", who="goblin-1", amount=9)
    fight.give("close", reason="the rest run")
    told = closing_sections(fight.state, fight.system, closing_of(fight), summary_of(fight, for_gm=True))
    rows = told_rows(fight.state, fight.system, told, "", 90, UNICODE).rows
    said = [row_text(row).strip() for row in rows]
    assert said[0] == "The fight is over  the rest run"
    assert "Goblin 1 down" in said[3]
    assert any(line.startswith("Goblin 1") and "dealt 0, took" in line for line in said)
    assert any(line.startswith("the others") and "no hits, no damage" in line for line in said)


def test_what_was_moved_is_counted_in_places_of_the_board():
    """Also where ways are measured in feet: a square is not one of them."""
    fight = start_fight(load_encounter("first-segment"), id="yard", seed="7")
    fight.give("start")
    here = fight.state.combatants["berit"].at
    fight.give("move", who="berit", path=[[here.col + 1, here.row]], force=True)
    fight.give("close")
    told = closing_sections(fight.state, fight.system, closing_of(fight), summary_of(fight, for_gm=True))
    rows = told_rows(fight.state, fight.system, told, "", 90, UNICODE).rows
    assert any("moved 1 square" in row_text(row) for row in rows)


def test_nobody_selected_is_said():
    fight = ford()
    assert "No one is selected" in row_text(card_sections(fight.state, fight.system, "", 40, UNICODE).rows[0])


@SETS
@pytest.mark.parametrize("cells", [4, 20, 46, 120])
def test_any_names_fit(glyphs, cells):
    fight = nasty()
    for who in fight.state.combatants:
        rows = card_sections(fight.state, fight.system, who, cells, glyphs).rows
        check_size(rows, cells, len(rows))


WORDS = st.one_of(st.sampled_from(NASTY), st.text(max_size=30))
DETAILS = st.builds(
    Detail, WORDS, WORDS, st.one_of(st.none(), st.builds(Pool, st.integers(-3, 99), st.integers(0, 99))), WORDS, WORDS
)


@SETS
@given(st.builds(Section, WORDS, st.lists(DETAILS, max_size=4).map(tuple)), st.integers(30, 90))
def test_any_section_can_be_drawn(glyphs, section, cells):
    rows = section_rows(section, cells, glyphs)
    assert unknown_keys(rows) == ()
    assert all(row_width(row) <= cells for row in rows[1:])


@pytest.mark.parametrize("theme", sorted(path.stem for path in find_shipped_themes().glob("*.toml")))
def test_boxes_that_are_filled_look_unlike_free_ones_in_every_theme(theme):
    palette = load_shipped(theme).palette
    free = palette.style("track.free")
    for key in ("track", "track.1", "track.2", "track.3"):
        filled = palette.style(key)
        assert (filled.fg, filled.bg, filled.reverse) != (free.fg, free.bg, free.reverse)


ENCOUNTERS = {
    "ambush-at-the-ford": (
        "ysolde",
        ("longbow", "needs 12 or less on d20", "damage d6", "agility 13", "height 5.5 ft"),
    ),
    "surrounded-by-goblins": (
        "milli",
        ("longsword", "needs 11 or more on d20", "damage d8+2", "Second breath", "speed 4"),
    ),
    "fire-at-the-playhouse": ("hob-the-stagehand", ("Abilities", "cost", "hp")),
    "the-withy-ford": ("alys", ("longbow", "AV 40", "STR 14", "Archer", "sl 20")),
}


@pytest.mark.parametrize("name", sorted(ENCOUNTERS))
def test_the_card_tells_weapons_abilities_and_numbers_of_every_system(name):
    who, words = ENCOUNTERS[name]
    fight = start_fight(load_encounter(name), id="card", seed="7")
    rows = card_sections(fight.state, fight.system, who, 90, UNICODE).rows
    said = " ".join(" ".join(map(row_text, rows)).split())
    assert [word for word in words if word not in said] == []


def test_the_card_tells_the_note_and_marks_what_is_secret():
    note = {"note": "will not burn the mill", "strikes": [{"name": "knife", "needs": 9, "secret": True}]}
    note_section, weapons, *_ = sheet_sections(note)
    assert note_section.details[0].text == "will not burn the mill"
    assert weapons.details[0].text == "SECRET, needs 9"
    assert weapons.details[0].tone == "warn"
