"""Ids and labels: short, plain, one for each, and no label the beginning of another."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.fold import free_label, slug, unique_id
from fightcall_engine.play.fight import Fight

NAMES = st.text(max_size=20) | st.sampled_from(("Ash", "Goblin 2", "Goblin 0", "Zoë", "Yz"))


def prefix_free(labels):
    return all(not later.startswith(label) for label, later in itertools.pairwise(sorted(labels)))


@pytest.mark.slow
@settings(max_examples=20)
@example([("Goblin ٣", True)])
@given(st.lists(st.tuples(NAMES, st.booleans()), min_size=1, max_size=40))
def test_a_hundred_and_fifty_labels_and_none_begins_another(crowd):
    taken: list[str] = []
    for name, numbers_first in itertools.islice(itertools.cycle(crowd), 150):
        taken.append(free_label(name, taken, numbers_first))
    assert len(set(taken)) == len(taken)
    assert prefix_free(taken)
    assert all(len(label) == 1 for label in taken[:33])
    assert all(label.isascii() and label.isalnum() and label == label.upper() for label in taken)


WISHES = st.sampled_from(("", "a", "Q", "12", "YY", "0", "z"))


@pytest.mark.slow
@example([("?", "12", 1), ("Ash", "", 1)])
@example([("?", "0", 1), ("goblin", "", 60), ("orc", "", 59)])
@example([("?", "", 60), ("?", "0", 1), ("?", "z", 1), ("orc", "", 60), ("orc", "", 60)])
@given(st.lists(st.tuples(NAMES.filter(str.strip), WISHES, st.integers(1, 20)), max_size=5))
def test_labels_a_gm_chooses_keep_the_rest_apart(joins):
    fight = Fight.new("stage")
    for name, label, count in joins:
        fight.do(Join(name=name, label=label, count=count, side="foe" if count % 2 else "party", force=True))
    everybody = fight.state.combatants.values()
    assert len({one.label for one in everybody}) == len(everybody)
    assert prefix_free([one.label for one in everybody])
    for one in everybody:
        (noted,), _ = fight.decide(fight.codec.command("note", {"text": "x", "who": one.label}))
        assert noted.who == one.id


def test_letters_of_the_name_first_for_friends_digits_for_foes():
    assert free_label("Ash", ()) == "A"
    assert free_label("Ash", ("A",)) == "S"
    assert free_label("Ash", ("A", "S", "H")) == "B"
    assert free_label("Goblin 2", (), numbers_first=True) == "2"
    assert free_label("Goblin 2", ("2",), numbers_first=True) == "1"
    assert free_label("Zyx", ()) == "X"


@pytest.mark.slow
def test_when_all_are_taken_it_says_so():
    taken: list[str] = []
    for _ in range(33 + 72 + 36 * 36):
        taken.append(free_label("Ash", taken))
    assert prefix_free(taken)
    with pytest.raises(Refused, match="more combatants than labels"):
        free_label("Ash", taken)


@given(NAMES)
def test_a_slug_is_plain(name):
    made = slug(name)
    assert 1 <= len(made) <= 24
    assert all(letter in "abcdefghijklmnopqrstuvwxyz0123456789-" for letter in made)
    assert not made.startswith("-")
    assert not made.endswith("-")
    assert slug(made) == made


@given(st.lists(NAMES, max_size=12))
def test_ids_are_unique(names):
    taken: list[str] = []
    for name in names:
        taken.append(unique_id(name, taken))
    assert len(set(taken)) == len(taken)


def test_a_second_goblin_is_goblin_2():
    assert unique_id("Goblin", ["goblin"]) == "goblin-2"
    assert unique_id("Goblin", ["goblin", "goblin-2"]) == "goblin-3"


@pytest.mark.parametrize("wanted", ["a b", "a:b", "ash.1", "x" * 61, "\ud800", "a\n"])
def test_an_id_that_would_break_a_list_of_ids_is_refused(wanted):
    fight = Fight.new("stage")
    with pytest.raises(Refused) as no:
        fight.do(Join(name="Ash", id=wanted))
    assert no.value.rule == "id"
    assert fight.do(Join(name="Ash", id=no.value.accepts[0])).events
