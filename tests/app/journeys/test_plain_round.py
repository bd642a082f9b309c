"""The plain d20 game by keys: a round of four against four, and a whole encounter with typed dice."""

import pytest
from counting import Journey
from stagehand import playing

from fightcall_engine.archive.encounters import load_encounter, start_fight

ATTACKS = {"iris": "b", "wick": "v", "cora": "v", "slinger": "b"}
SIZES = pytest.mark.parametrize("size", [(80, 24), (140, 40)])


def bridge(dice="engine"):
    """The toll bridge, in its first round."""
    fight = start_fight(load_encounter("the-toll-bridge"), id="bridge", seed="7")
    fight.give("start", rolls={"initiative": [12, 9, 14, 5, 11, 7, 6, 10]})
    fight.give("configure", setting="dice", value=dice)
    return fight


async def turn(journey, dice=()):
    """Whoever's turn it is attacks the nearest, after going there if it must, and ends the turn.

    What is typed of dice isn't counted: it is what the table has rolled.
    """
    play = journey.play
    actor = play.state.step.actor
    is_theirs = bool(dice) and play.one(actor).side == "party"
    await journey.press(ATTACKS.get(actor, "s"))
    for faces in ("", "", *dice):
        if play.state.step is None or play.state.step.actor != actor or play.state.status == "closed":
            return
        if is_theirs and "your d" not in play.said and play.pane("exchange").is_open and faces:
            await play.press(*faces)
        await journey.press(">")


@SIZES
async def test_a_round_of_four_against_four(tmp_path, size):
    """All eight attack, three of them after a walk: at most 20 keys, as `>` in a panel ends the turn, too."""
    async with playing(bridge(), tmp_path, size=size) as play:
        journey = Journey(play)
        while play.state.round == 1 and journey.keys < 40:
            await turn(journey)
        given = [entry.command["type"] for entry in play.fight.line.entries]
        assert given.count("Perform") == 8
        assert given.count("Move") == 3
        assert journey.keys <= 20


async def test_the_act_and_the_end_of_the_turn_are_taken_back_together(tmp_path):
    async with playing(bridge(), tmp_path, size=(140, 40)) as play:
        before = play.state
        await play.press("v", ">")
        assert play.state.step.actor == "iris"
        await play.press("u")
        assert play.state == before


async def test_going_there_first_shows_the_act_again(tmp_path):
    async with playing(bridge(), tmp_path, size=(140, 40)) as play:
        await play.press(">", ">", ">", "s", ">")
        assert "Robber Chief strikes Hale" in play.text("exchange")
        assert "needs  16 or more with d20+5 (50 %)" in play.text("exchange")
        assert play.state.step.actor == "robber-chief"
        await play.press(">")
        assert play.state.step.actor == "hale"


FACES = {"d20": "15", "d10": "6", "d8": "5", "d6": "4", "d4": "2"}


async def type_die(play):
    """Type what the marked roll of the panel needs; the foes have bad luck."""
    panel = play.screen.runner.view.panel()
    if panel is None or "✗" in play.text("exchange"):
        return
    for die in FACES:
        if die in panel.rows[panel.marked].dice:
            is_foe = play.one(play.state.step.actor).side == "foe"
            await play.press(*("9" if die == "d20" and is_foe else FACES[die]))
            return


@SIZES
async def test_an_encounter_to_its_end_with_typed_dice(tmp_path, size):
    """Every number is typed; the fight is over when a side is down, and ends with two keys."""
    async with playing(bridge("table"), tmp_path, size=size) as play:
        for _ in range(120):
            people = play.state.combatants.values()
            if not all(any(each.able for each in people if each.side == side) for side in ("party", "foe")):
                break
            actor = play.state.step.actor
            await play.press("y" if play.state.prompts else ATTACKS.get(actor, "s"))
            for _ in range(8):
                if play.screen.runner.flow is None:
                    break
                await type_die(play)
                await play.press(">")
            if play.state.step.actor == actor and not play.state.prompts:
                await play.press(">")
        assert not any(each.able for each in people if each.side == "foe")
        thrown = [event for event in play.fight.line.events() if event.type == "DiceRolled" and event.purpose != ""]
        assert {event.source for event in thrown[8:]} == {"table"}
        await play.press("K", "enter")
        assert play.state.status == "closed"
        play.check()


@SIZES
async def test_the_first_turn_explains_the_keys_as_they_are_needed(tmp_path, size):
    fight = start_fight(load_encounter("a-first-turn"), id="first")
    async with playing(fight, tmp_path, size=size) as play:
        for keys, words in (
            (("space",), "Hale's turn: one action, and 6 steps"),
            (("s", ">"), "> rolls and ends the turn"),
            ((">",), "Iris has a bow: b shoots"),
            (("b", ">"), "The robbers are yours to play"),
        ):
            await play.press(*keys)
            assert words in " ".join(play.said.split())


async def test_an_area_is_aimed_where_it_hits_most_enemies_and_tab_goes_to_the_next(tmp_path):
    async with playing(bridge(), tmp_path, size=(140, 40)) as play:
        await play.press("x")
        assert "⏎ J5" in play.said
        assert "hits " in play.said
        await play.press("tab")
        assert "⏎ J3" in play.said
        assert "Robber 1" in play.said
        entry = await play.give("enter")
        assert {event.who for event in entry.events if event.type == "Saved"} >= {"robber-1"}
        assert len([event for event in entry.events if event.type == "DiceRolled" and event.purpose == "damage"]) == 1
