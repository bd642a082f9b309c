"""Acts of a plug-in that are aimed at a place, or at a friend, played with keys alone."""

import pytest
from desk import at_desk
from stagehand import event, playing

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight


@pytest.fixture
def playground(snowballs):
    """Ada at B2 against Bert and Cleo at E2 and F2, whose side goes second."""
    fight = start_fight(load_encounter("the-playground"), id="playground", seed="3")
    fight.give("start")
    return fight


async def test_what_stands_against_a_place_is_said_as_the_cursor_gets_there_and_another_can_be_chosen(playground):
    async with at_desk(playground) as play:
        said = await play.nothing("t", "right", "right", "right")
        assert "E2  3 hexes" in said
        assert "SN-02" not in said
        assert "F2  4 hexes  That is 4 hexes away (SN-02)" in await play.nothing("right")
        said = await play.nothing("enter")
        assert "That is 4 hexes away (SN-02)" in said
        assert "! overrides it" in said
        entry = await play.give("left", "enter")
        assert event(entry, "Thrown").at == playground.state.board.parse("E2")


async def test_without_a_board_an_act_at_a_place_says_why_it_cannot_be_done(snowballs):
    fight = Fight.new("snowballs", seed="3")
    fight.give("join", name="Ada", side="party")
    fight.give("join", name="Bert", side="foe")
    fight.give("start")
    async with at_desk(fight) as play:
        said = await play.nothing("t")
        assert "Ada stands nowhere (SN-02)" in said
        assert "missing" not in said


async def test_an_act_that_nobody_is_proposed_for_asks_whom_first(playground, tmp_path):
    playground.give("damage", who="ada", amount=1)
    async with at_desk(playground) as play:
        said = await play.nothing("g")
        assert "cheer: choose the target" in said
        assert "A Ada" in said
        assert "missing" not in play.text("exchange")
        assert "' whom" in await play.nothing("escape", "enter")
        entry = await play.give("'", "A", "enter")
        assert event(entry, "Healed").left == 3
    playground.give("damage", who="ada", amount=2)
    async with playing(playground, tmp_path) as play:
        await play.press("'", "A", "I")
        await play.drawn()
        assert "2 of 3" in play.text("card"), "the sheet counts harm that has no word"


async def test_the_only_answer_to_a_question_is_not_told(playground):
    async with at_desk(playground) as play:
        await play.press("t", *["right"] * 3, "enter", "2")
        await play.give("enter")
        assert "✓ Bert: 2, needed 4 or more (d6: 2); takes 1 damage (1/3 wet)" in play.said
