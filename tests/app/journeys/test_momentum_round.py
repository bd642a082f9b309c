"""Elective order by keys: a round of four against four, and who goes next."""

import pytest
from counting import Journey
from desk import at_desk

from fightcall_engine.archive.encounters import load_encounter, start_fight

SIZES = pytest.mark.parametrize("size", [(80, 24), (140, 40)])
ATTACKS = {"edda": "b", "crossbow": "b"}


def rooftops():
    """The rooftops, where it is asked who begins."""
    fight = start_fight(load_encounter("the-rooftops"), id="roofs", seed="3")
    fight.give("start")
    return fight


def next_by_default(play):
    """Who goes next unless the GM names another; else whose turn it is."""
    return play.state.prompts[0].default if play.state.prompts else play.state.step.actor


@SIZES
async def test_a_round_of_four_against_four(size):
    """Each of eight attacks the nearest: the key of an act takes whoever is proposed to be next; at most 20 keys."""
    async with at_desk(rooftops(), size=size) as play:
        journey, acted = Journey(play), []
        while len(acted) < 8:
            actor = next_by_default(play)
            acted.append(actor)
            await journey.press(ATTACKS.get(actor, "s"))
            assert play.state.step.actor == actor
            for _ in range(2):
                if play.screen.runner.flow is not None and not play.state.prompts:
                    await journey.press(">")
            assert play.screen.runner.flow is None or play.state.prompts
        assert sorted(acted) == sorted(play.state.combatants)
        given = [entry.command["type"] for entry in play.fight.line.entries]
        assert given.count("Perform") == 8
        assert given.count("Move") == 4
        assert journey.keys <= 20


async def test_a_label_names_who_goes_next():
    async with at_desk(rooftops(), size=(140, 40)) as play:
        await play.press("d")
        assert play.state.step.actor == "dace"
        await play.press("g", ">")
        assert "Who goes next?" in play.said
        await play.press("3")
        assert play.state.step.actor == "sergeant"
        assert "✓ Now: Sergeant's turn" in play.said
        assert "Who goes next" not in play.text("feed")


async def test_who_goes_next_is_asked_in_the_bar_and_not_in_the_panel_of_the_act_before():
    async with at_desk(rooftops(), size=(140, 40)) as play:
        await play.press("v", "o", ">")
        assert play.state.prompts[0].kind == "next"
        assert play.screen.runner.panel() is None
        assert "spent" not in play.text("feed")


async def test_the_pool_of_the_party_stands_in_its_heading():
    async with at_desk(rooftops(), size=(140, 40)) as play:
        assert "momentum 1/6" in play.text("roster")


@SIZES
async def test_the_first_round_explains_the_keys_as_they_are_needed(size):
    fight = start_fight(load_encounter("who-goes-next"), id="first")
    async with at_desk(fight, size=size) as play:
        for keys, words in (
            (("space", "v"), "Vesna's turn: one action and one move"),
            (("s", ">"), "Who goes next? Space takes the proposed combatant"),
            ((">", "space"), "The Watch is yours to play, too"),
        ):
            await play.press(*keys)
            assert words in " ".join(play.said.split())
