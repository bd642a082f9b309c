"""No word is cut: what has no room is said by whole words, by a short form of the table, or not at all."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stagehand import playing

from fightcall.paint.combatants import SHORT_FORMS
from fightcall.paint.roster import roster_rows
from fightcall.paint.runs import GLYPH_SETS, row_text
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.kinds import zone_board
from fightcall_engine.play.fight import Fight

FIGHTS = {
    "the-last-tram": (100, 30),
    "fire-at-the-playhouse": (60, 18),
    "surrounded-by-goblins": (200, 55),
    "the-tiltyard": (60, 18),
    "ambush-at-the-ford": (140, 40),
    "the-drowned-vault": (80, 24),
}
"""Sizes take turns: zones have least room on the narrowest, tokens most words on the widest."""
KEYS = (*["space"] * 6, "tab", "I", "tab", "escape", "L", "escape", "H", "escape", "d", "escape", "f3", "f4", "f2")
BROKEN = re.compile(r"\w…")
"""The end of a word that was cut off; after whole words an ellipsis stands by itself."""


REAL = {"stage", "meet"}
"""Beginnings of names that are words, too."""


def beginnings(fight):
    """Those of the words of names and phases that are no words themselves, such as ``Gobli`` and ``stagehan``."""
    names = (combatant.name for combatant in fight.state.combatants.values())
    phases = fight.system.words(fight.state.settings).phases.values()
    board = zone_board(fight.state.board)
    zones = (zone.name for zone in board.zones) if board is not None else ()
    whole = {word for text in (*names, *phases, *zones) for word in re.findall(r"[A-Za-z]{4,}", text)}
    whole |= {word.upper() for word in whole}
    forms = {word for form in SHORT_FORMS.values() for word in form.split()}
    parts = {word[:end] for word in whole for end in range(4, len(word))}
    return parts - whole - forms - REAL - {form.upper() for form in forms} - {form.capitalize() for form in forms}


def broken_rows(play, parts):
    """Rows that show a word's beginning, one of the parts, without its end, with or without an ellipsis."""
    rows = [row for pane in play.panes() for row in play.text(pane.id).split("\n")]
    return {row for row in rows if BROKEN.search(row) or parts.intersection(re.findall(r"[A-Za-z]+", row))}


@pytest.mark.parametrize(("name", "size"), FIGHTS.items(), ids=str)
async def test_no_pane_cuts_a_word(name, size, tmp_path):
    """Found in play 1 and 2: ``Gobli1``, ``Hob the stagehan``, ``FINAL: HOB THE ST…``, a note cut at "will not bu…"."""
    fight = start_fight(load_encounter(name), id="words", seed="7")
    broken, parts = set(), beginnings(fight)
    async with playing(fight, tmp_path, size=size) as play:
        for key in KEYS:
            await play.press(key)
            await play.drawn()
            broken |= broken_rows(play, parts)
    assert broken == set()


async def test_a_squad_has_a_whole_name_where_somebody_else_has_more_figures(tmp_path):
    """The Thing's pips are many: the wardens' line has room beside theirs."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="words", seed="7")
    async with playing(fight, tmp_path, size=(60, 18)) as play:
        assert "1-4  Warden  9/9" in play.text("roster")


async def test_the_history_names_each_phase_by_whose_it_is(tmp_path):
    """A phase of several by the first of them, one with a title before its name without it."""
    for name, advances, heads in (("the-last-tram", 30, "Marsh +1"), ("fire-at-the-playhouse", 30, "Amaranth")):
        fight = start_fight(load_encounter(name), id="words", seed="7")
        fight.give("start")
        for _ in range(advances):
            asked = [prompt for prompt in fight.state.prompts if prompt.blocking]
            if asked:
                fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id)
            else:
                fight.give("advance")
        async with playing(fight, tmp_path / name, size=(60, 18)) as play:
            await play.press("H")
            assert heads in play.text("feed")
            assert not BROKEN.search(play.text("feed"))


async def test_a_name_comes_before_what_else_can_be_spent(tmp_path):
    """Wide numbers, a mark for who is hidden and two rows of pips leave no name whole: the last pips make way."""
    fight = start_fight(load_encounter("the-drowned-vault"), id="words", seed="7")
    fight.give("start")
    fight.give("advance")
    async with playing(fight, tmp_path, size=(60, 18)) as play:
        assert re.search(r"5  Thing . 34/34 A", play.text("roster"))


async def test_a_token_has_whole_words_at_every_zoom(tmp_path):
    """Found in play 1: whoever is selected."""
    fight = start_fight(load_encounter("surrounded-by-goblins"), id="words", seed="7")
    for place in ("H6", "I6"):
        fight.give("join", name="Halberdier", side="foe", at=place, force=True)
    shown, parts = "", beginnings(fight)
    async with playing(fight, tmp_path, size=(140, 40)) as play:
        for keys in ("+", "+", "+", "'6"):
            await play.press(*keys)
            await play.drawn()
            assert broken_rows(play, parts) == set()
            shown += play.text("board")
    assert "Milli" in shown


@pytest.mark.parametrize(("name", "size"), [("surrounded-by-goblins", (140, 40)), ("the-tiltyard", (80, 24))])
async def test_the_commands_stand_whole_with_what_they_do(name, size, tmp_path):
    """Found in play 1: a word that is typed is never cut, nor left out for its explanation."""
    fight = start_fight(load_encounter(name), id="words", seed="7")
    fight.give("start")
    names = {command.__name__.lower() for command in fight.system.commands}
    async with playing(fight, tmp_path, size=size) as play:
        for letter in "ace":
            await play.press(":", letter)
            await play.drawn()
            shown = {word for row in play.text("feed").split("\n")[2:-1] for word in row.strip("│┃ ").split()}
            assert {command for command in names if command.startswith(letter)} <= shown
            await play.press("escape")


WORDS = st.sampled_from(("Hob", "the", "Gilt", "Mask", "Warrior", "Passenger", "of", "Oskar", "Goblin", "Bowman"))
NAMES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
CONDITIONS = (*SHORT_FORMS, "under the eye of the Gilt Mask", "prone")


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(NAMES, st.integers(1, 4), st.lists(st.sampled_from(CONDITIONS), max_size=3)), min_size=1, max_size=6
    ),
    st.integers(32, 80),
    st.sampled_from((True, False, None)),
)
def test_the_roster_says_names_and_conditions_by_whole_words(people, width, compact):
    fight = Fight.new("stage")
    for name, count, conditions in people:
        join = {"name": name, "count": count, "side": "foe", "sheet": {"hp": 12, "agility": 14}}
        entry = fight.give("join", **join, force=True)
        joined = next(event for event in entry.events if event.type == "Joined")
        for condition in conditions:
            fight.give("addeffect", who=joined.who, name=condition, rounds=12)
    names = {word for combatant in fight.state.combatants.values() for word in combatant.name.split()}
    said = {word for words in (*CONDITIONS, *SHORT_FORMS.values()) for word in words.split()}
    drawn = roster_rows(
        fight.state, fight.system, width=width, height=60, glyphs=GLYPH_SETS["unicode"], compact=compact
    )
    for row in drawn.drawing.rows:
        for run in row:
            if run.style.startswith("roster.name"):
                assert set(run.text.split()) <= {*names, "…"}, row_text(row)
            elif run.style.startswith("badge.plain"):
                assert {word for word in run.text.split() if word.isalpha()} <= said, row_text(row)
