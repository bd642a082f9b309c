"""The way back to now, by keys: out of the past, of another branch and of a what-if."""

import pytest
from desk import at_desk
from segments_fights import landed_in_concert
from stagehand import advance_to, ford

from fightcall.flows.history import history
from fightcall.paint.runs import time_text
from fightcall.table import Table
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.fight import Fight

ENCOUNTERS = ["ambush-at-the-ford", "surrounded-by-goblins", "fire-at-the-playhouse", "the-tiltyard"]


def hurt(fight, amount, who="brand"):
    return fight.give("damage", who=who, amount=amount).number


def hp(fight, who="brand"):
    return fight.state.combatants[who].pools["hp"].now


def header(play):
    return play.text("ribbon").split("\n")[0]


def played(encounter, entries=30):
    """A fight of an encounter that has gone through some steps, questions answered as proposed."""
    fight = start_fight(load_encounter(encounter), id="far", seed="7")
    fight.give("start")
    for _ in range(entries):
        asked = [prompt for prompt in fight.state.prompts if prompt.blocking]
        fight.give("answer", prompt=asked[0].id, choice=asked[0].default or asked[0].choices[0].id) if asked else (
            fight.give("advance")
        )
    return fight


@pytest.mark.parametrize("encounter", ENCOUNTERS)
async def test_a_letter_marks_enter_goes_and_one_key_returns(encounter):
    """At the table 2: nothing jumps by itself; from every eighth moment, each fight's own, one key leads back."""
    fight = played(encounter)
    now, state = fight.head_number, fight.state
    async with at_desk(fight, size=(140, 40)) as play:
        assert "f7 returns" not in header(play)
        for number in range(2 * ENCOUNTERS.index(encounter), fight.head_number, 8):
            await play.press("H", "home")
            rows = play.screen.runner.flow.list_view().rows
            row = next(each for each in rows if each.number == (f"#{number}" if number else ""))
            await play.press("end", *row.key)
            assert fight.head_number == now, "a letter only marks"
            await play.press("enter")
            assert fight.head_number == number
            assert "In the past: f7 returns to " in header(play)
            await play.press("f7")
            assert (fight.head_number, fight.state) == (now, state)
            assert "f7 returns" not in header(play)
            assert "Back in the present" in play.said


@pytest.mark.parametrize("size", [(80, 24), (140, 40), (200, 55)])
async def test_the_header_says_how_to_return_until_one_is_back(size, tmp_path):
    """At the table 2: after undo, after the timeline, after the program was left."""
    fight = advance_to(ford(tmp_path / "ford.jsonl"), "missile")
    first = fight.line.entry(1).number
    hurt(fight, 1)
    async with at_desk(fight, size=size) as play:
        await play.press("u")
        assert "In the past: f7 returns to the present" in header(play)
        await play.press("U")
        assert "In the past" not in header(play)
        fight.jump(first)
        await play.settle()
        assert "In the past: f7 returns to Missile" in header(play)
        await play.press("space")
        assert "In the past" not in header(play), "what is done in the past begins a new present"
        await play.press("u", "u")
    fight.close()
    async with at_desk(Fight.open(tmp_path / "ford.jsonl"), size=size) as play:
        assert "In the past: f7 returns to " in header(play)
        play.fight.close()


async def test_the_key_returns_where_a_question_or_a_panel_is_open():
    """At the table 2: an old moment may be in the middle of something, which answers to letters."""
    fight = landed_in_concert(start_fight(load_encounter("the-last-touch"), id="duel", seed="1602"))
    now, asked = fight.head_number, 0
    async with at_desk(fight, size=(140, 40)) as play:
        for number in range(1, now):
            fight.jump(number)
            await play.settle()
            asked += play.screen.runner.flow is not None
            await play.press("f7")
            assert fight.head_number == now, number
    assert asked, "nothing was open in any of them"


async def test_another_branch_is_left_by_the_same_key_and_is_the_present_once_something_is_done_in_it():
    """At the table 2: a look at a branch commits to nothing."""
    fight = advance_to(ford(), "missile")
    hurt(fight, 1)
    hurt(fight, 2)
    fight.undo()
    hurt(fight, 5)
    async with at_desk(fight, size=(140, 40)) as play:
        await play.press("H", "up", "enter")
        assert hp(fight) == 12
        assert "On another branch: f7 returns to the present" in header(play)
        await play.press("f7")
        assert hp(fight) == 9
        assert "f7 returns" not in header(play)
        assert "This is the present" in await play.nothing("f7")


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_a_what_if_is_kept_and_dropped_by_a_key_each_which_the_header_names(size):
    """At the table 2: and undo right after dropping goes back into it."""
    fight = advance_to(ford(), "missile")
    async with at_desk(fight, size=size) as play:
        for key in ("ctrl+k", "ctrl+d"):
            assert "This is not a what-if" in await play.nothing(key)
        await play.press("F")
        assert "WHAT IF: ^k keeps, ^d drops" in header(play)
        hurt(fight, 4)
        await play.press("ctrl+d")
        assert (hp(fight), fight.branch.is_trial) == (15, False)
        assert "WHAT IF" not in header(play)
        await play.press("u")
        assert (hp(fight), fight.branch.is_trial) == (11, True)
        assert "WHAT IF: ^k keeps, ^d drops" in header(play)
        assert "returns" not in header(play)
        await play.press("ctrl+k")
        assert (hp(fight), fight.branch.is_real, fight.branch.is_trial) == (11, True, False)
        assert "WHAT IF" not in header(play)


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_a_what_if_in_the_past_names_all_three_keys(size):
    """At the table 2: the header has room for them."""
    fight = advance_to(ford(), "missile")
    fight.fork()
    hurt(fight, 4)
    async with at_desk(fight, size=size) as play:
        await play.press("u")
        assert "WHAT IF: ^k keeps, ^d drops. In the past: f7 returns" in header(play)


def test_a_branch_is_listed_by_when_it_was_left_and_its_last_line():
    """At the table 2: not by how many entries it has."""
    fight = advance_to(ford(), "missile")
    hurt(fight, 1)
    hurt(fight, 2)
    fight.undo(2)
    hurt(fight, 5)
    fight.fork("daring")
    hurt(fight, 1, "paul")
    words = [row.what for row in history(Table(fight)).list_view().rows if row.depth >= 0]
    assert len(words) == 3
    when = time_text(fight.line.entry(0).at)
    assert words == [
        f"branch: left in Moment 1 · Missile at {when}. Last: Brand takes 2 damage (12/15 HP)",
        f"branch, players see it: left in Moment 1 · Missile at {when}. Last: Brand takes 5 damage (10/15 HP)",
        "daring, you are here: now in Moment 1 · Missile. Last: Paul takes 1 damage (9/10 HP)",
    ]
