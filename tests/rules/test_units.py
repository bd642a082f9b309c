"""Numbers say what they count: what a way costs, and what a pool is called."""

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.phrases import phrase


def opened(name):
    """A shipped encounter that has begun, and somebody in it."""
    fight = start_fight(load_encounter(name), id="units", seed="7")
    fight.give("start")
    return fight, fight.state.order[0]


@pytest.mark.parametrize(
    ("encounter", "words"),
    [
        ("ambush-at-the-ford", "3 beats, "),
        ("surrounded-by-goblins", "3 hexes"),
        ("the-candle-auction", "3 steps"),
        ("the-tiltyard", "3 ft, "),
        ("the-bell-tower", "3 hexes for "),
        ("fire-at-the-playhouse", "3 steps for "),
    ],
)
def test_a_way_is_counted_in_the_unit_of_its_system(encounter, words):
    """Found in play 9: "2 spent, 12 left" beside 7 slots, "2 spent, 97 left" where nothing bounds a way."""
    fight, who = opened(encounter)
    budget, _ = fight.system.travel(fight.state, who, "walk")
    said = fight.system.travel_words(fight.state, who, 3, max(budget, 12))
    assert said.startswith(words)
    assert "left" in said or said == words
    if "left" in said:
        assert fight.system.travel_words(fight.state, who, 13, 12).startswith("needs 13 ")


@pytest.mark.parametrize(
    ("encounter", "pool", "words"),
    [
        ("the-bell-tower", "reserved", "reserve 0 → 0 of "),
        ("ambush-at-the-ford", "beats", "beats "),
        ("surrounded-by-goblins", "reactions", "reactions "),
    ],
)
def test_a_pool_set_by_the_gm_goes_by_its_word(encounter, pool, words):
    fight, who = opened(encounter)
    before = fight.state
    entry = fight.give("adjust", who=who, what=pool, value=0, reason="ruling")
    said = [phrase(fight.system, event, before) for event in entry.events if event.type == "PoolAdjusted"]
    assert [f": {words}" in one.text for one in said] == [True], said


def test_where_wounds_are_counted_their_boxes_are_no_wounds():
    """CS-620: the pool holds the wounds still to come; after healing their count alone tells it."""
    fight, who = opened("the-tiltyard")
    before = fight.state
    entry = fight.give("adjust", who=who, what="hp", value=7, reason="ruling")
    said = [phrase(fight.system, event, before).text for event in entry.events if event.type == "PoolAdjusted"]
    assert [one.endswith(": 7 of 10 wounds left before collapse (ruling)") for one in said] == [True], said
