"""Counted things are marks that differ in shape, and numbers where they are many; works show how far they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from palettes import unknown_keys

from fightcall.paint.combatants import effect_in_full, effect_parts, pip_row, pip_words, work_row
from fightcall.paint.runs import ASCII, UNICODE, row_text
from fightcall_engine.kit.views import Pips, Progress
from fightcall_engine.model.state import Effect
from fightcall_engine.play.fight import Fight

SETS = pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])


def said(pips, glyphs=UNICODE, word=""):
    return row_text(pip_row(pips, glyphs, word=word))


def test_each_state_of_a_slot_has_a_mark_of_its_own():
    assert said(Pips("slots", ready=3, kept=1, spent=2, lost=1)) == "●●●◆○○×"
    assert said(Pips("slots", coming=5)) == "·····"
    assert said(Pips("slots", ready=3, kept=1, spent=2, lost=1, coming=1), ASCII) == "***+oox."


@SETS
def test_marks_are_told_apart_without_colours(glyphs):
    marks = (glyphs.pip_ready, glyphs.pip_kept, glyphs.pip_spent, glyphs.pip_lost, glyphs.pip_coming)
    assert len(set(marks)) == len(marks)
    assert glyphs.work_done != glyphs.work_left


def test_many_are_told_in_numbers():
    assert said(Pips("slots", ready=12, spent=3)) == "12● 3○"


def test_none_at_all_is_said():
    assert said(Pips("actions"), word="A") == "A−"


def test_only_several_rows_are_named():
    words = {"actions": "actions", "reactions": "reactions"}
    assert pip_words((Pips("slots"),), words) == ("",)
    assert pip_words((Pips("actions"), Pips("reactions")), words) == ("A", "R")


@SETS
@given(st.tuples(*[st.integers(-2, 30)] * 5))
def test_any_numbers_can_be_drawn(glyphs, counts):
    row = pip_row(Pips("slots", *counts), glyphs)
    assert row_text(row)
    assert unknown_keys((row,)) == ()


def test_a_work_shows_its_parts_and_its_numbers():
    assert row_text(work_row(Progress("Ritual", 2, 3), UNICODE)) == "Ritual ▰▰▱ 2/3"
    assert row_text(work_row(Progress("Ward", 5, 8), UNICODE)) == "Ward ▰▰▰▱▱ 5/8"
    assert row_text(work_row(Progress("Ward", 5, 8), ASCII)) == "Ward ===-- 5/8"


@given(st.integers(0, 60), st.integers(1, 60))
def test_a_work_is_full_when_done_and_bare_when_not_begun(done, needed):
    bar = row_text(work_row(Progress("x", done, needed), UNICODE)).split()[1]
    assert ("▱" not in bar) == (done >= needed)
    assert ("▰" not in bar) == (done == 0)


def fight():
    made = Fight.new("turns", seed="1")
    for name in ("Milli", "Pau"):
        made.give("join", name=name, side="party", sheet={"speed": 1})
    return made


def in_full(effect, system="turns"):
    made = fight()
    one = made.state.combatants["milli"]
    return effect_in_full(effect, one, made.state, made.system)


def test_an_effect_says_what_is_left_and_whose_clock_it_follows():
    assert in_full(Effect("e1", "curse", magnitude=-2)) == "curse -2, until ended"
    mine = Effect("e1", "poison", 3, "turn_start", "milli", -1)
    assert in_full(mine) == "poison -1, 3 left (start of Milli's turn)"
    makers = Effect("e1", "bless", 2, "turn_end", "pau", 1)
    assert in_full(makers) == "bless +1, 2 left (end of Pau's turn)"
    assert in_full(Effect("e1", "haste", 1, "round_end")) == "haste, 1 left (end of the Round)"


def test_a_tick_that_has_no_words_is_said_as_it_is():
    assert in_full(Effect("e1", "fog", 1, "next_dawn")) == "fog, 1 left (next dawn)"


def test_another_ones_clock_is_named_in_short_as_well():
    assert "".join(effect_parts(Effect("e1", "bless", 2), UNICODE, "P")) == "bless 2@P"
    assert "".join(effect_parts(Effect("e1", "bless"), UNICODE, "P")) == "bless"
