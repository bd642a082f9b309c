"""The plain d20 game by keys: a round of four against four, walks, and areas."""

import pytest
from counting import Journey
from desk import at_desk

from fightcall_engine.archive.encounters import load_encounter, start_fight

ATTACKS = {"iris": "b", "wick": "v", "cora": "v", "slinger": "b"}
SIZES = pytest.mark.parametrize("size", [(80, 24), (140, 40)])


def bridge():
    """The toll bridge, in its first round."""
    fight = start_fight(load_encounter("the-toll-bridge"), id="bridge", seed="7")
    fight.give("start", rolls={"initiative": [12, 9, 14, 5, 11, 7, 6, 10]})
    return fight


async def turn(journey):
    """Whoever's turn it is attacks the nearest, after going there if it must, and ends the turn."""
    play = journey.play
    actor = play.state.step.actor
    await journey.press(ATTACKS.get(actor, "s"))
    for _ in range(2):
        if play.state.step is None or play.state.step.actor != actor:
            return
        await journey.press(">")


@SIZES
async def test_a_round_of_four_against_four(size):
    """All eight attack, three of them after a walk: at most 20 keys, as `>` in a panel ends the turn, too."""
    async with at_desk(bridge(), size=size) as play:
        journey = Journey(play)
        while play.state.round == 1 and journey.keys < 40:
            await turn(journey)
        given = [entry.command["type"] for entry in play.fight.line.entries]
        assert given.count("Perform") == 8
        assert given.count("Move") == 3
        assert journey.keys <= 20


async def test_the_act_and_the_end_of_the_turn_are_taken_back_together():
    async with at_desk(bridge(), size=(140, 40)) as play:
        before = play.state
        await play.press("v", ">")
        assert play.state.step.actor == "iris"
        await play.press("u")
        assert play.state == before


async def test_going_there_first_shows_the_act_again():
    async with at_desk(bridge(), size=(140, 40)) as play:
        await play.press("w", "w", "w", "s", ">")
        assert "Robber Chief strikes Hale" in play.text("exchange")
        assert "needs  16 or more with d20+5 (50 %)" in play.text("exchange")
        assert play.state.step.actor == "robber-chief"
        await play.press(">")
        assert play.state.step.actor == "hale"


@SIZES
async def test_the_first_turn_explains_the_keys_as_they_are_needed(size):
    fight = start_fight(load_encounter("a-first-turn"), id="first")
    async with at_desk(fight, size=size) as play:
        for keys, words in (
            (("space",), "Hale's turn: one action, and 6 steps"),
            (("s", ">"), "> rolls and ends the turn"),
            ((">",), "Iris has a bow: b shoots"),
            (("b", ">"), "The robbers are yours to play"),
        ):
            await play.press(*keys)
            assert words in " ".join(play.said.split())


async def test_an_area_is_aimed_where_it_hits_most_enemies_and_tab_goes_to_the_next():
    async with at_desk(bridge(), size=(140, 40)) as play:
        await play.press("x")
        assert "⏎ J5" in play.said
        assert "hits " in play.said
        await play.press("tab")
        assert "⏎ J3" in play.said
        assert "Robber 1" in play.said
        entry = await play.give("enter")
        assert {event.who for event in entry.events if event.type == "Saved"} >= {"robber-1"}
        assert len([event for event in entry.events if event.type == "DiceRolled" and event.purpose == "damage"]) == 1


async def test_the_ribbon_names_no_one_who_is_down_or_has_left_as_next():
    """It agrees with the call bar, and calls those who have left by their names."""
    async with at_desk(bridge(), size=(80, 24)) as play:
        play.fight.give("damage", who="slinger", amount=99)
        await play.settle()
        assert "then ○ Slinger" not in play.text("ribbon")
        assert "Slinger" not in play.text("ribbon")
        following = play.text("ribbon").split("then ○ ")[1].split("  ")[0].strip()
        assert f"Next: {following}'s turn" in play.said
        actor = play.state.step.actor
        name = play.one(actor).name
        play.fight.give("advance", force=True)
        play.fight.give("leave", who=actor)
        await play.settle()
        assert actor not in play.text("ribbon")
        assert name in play.text("ribbon")


async def test_a_walk_that_nobody_hinders_is_told_after_the_answer():
    """The long question, which has been read, leaves room for what the answer led to."""
    fight = start_fight(load_encounter("a-first-turn"), id="walk", seed="4")
    while fight.state.step is None or fight.state.step.actor != "hale":
        fight.do(fight.next_call().command)
    fight.give("place", who="hale", at="E5")
    fight.give("place", who="robber-1", at="F5")
    async with at_desk(fight, size=(80, 24)) as play:
        await play.press("m", "left", "left", "enter")
        assert "Robber 1: strike as Hale leaves their reach?" in play.said
        await play.press("n")
        assert "✓ Robber 1: no; Hale moves 2 squares to C5" in play.said


async def test_the_field_of_a_die_names_it_without_what_is_added():
    async with at_desk(bridge(), size=(80, 24)) as play:
        await play.press("w", "w", "w", "s", ">")
        panel = play.text("exchange")
        assert "with d20+5" in panel
        assert "___ d20 " in panel
        assert "digits d20 " in panel
