"""The games that ship: the laws of every system hold for each of their encounters."""

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.testkit.perft import GROUNDS, perft
from fightcall_engine.testkit.random_player import RandomPlayer

ENCOUNTERS = (
    "the-toll-bridge",
    "a-first-turn",
    "the-rooftops",
    "who-goes-next",
    "the-loading-dock",
    "first-squads",
    "high-noon",
    "first-hand",
)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_the_laws_hold_in_random_play(encounter, seed):
    player = RandomPlayer(encounter, seed, ground=("", *GROUNDS)[seed % (len(GROUNDS) + 1)])
    player.play(120)
    assert "Perform" in player.accepted


@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_what_is_offered_can_be_done(encounter):
    fight = start_fight(load_encounter(encounter), id="fight", seed="1")
    fight.give("start")
    assert perft(fight, 1).refused == []


@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_no_act_is_offered_before_the_fight_and_after_it(encounter):
    fight = start_fight(load_encounter(encounter), id="fight", seed="1")
    assert [fight.system.options(fight.state, who) for who in fight.state.order] == [()] * len(fight.state.order)
    fight.give("start")
    fight.give("close")
    assert [fight.system.options(fight.state, who) for who in fight.state.order] == [()] * len(fight.state.order)


@pytest.mark.parametrize("name", ["plain", "momentum", "squads", "cards"])
def test_its_page_lists_every_act_and_condition(name):
    system = find_system(name)
    page = system.guide()
    for act in (each for each in system.game.page.act if each.offered):
        assert f"| {system.game.label_of(act.name)} |" in page
    for condition in system.game.page.condition:
        assert f"| {system.game.label_of(condition.name, condition.title)} |" in page
