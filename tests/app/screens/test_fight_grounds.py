"""The fight screen of every system on every kind of board: a walk that a cue stops, and keys pressed at random."""

import os
import random

import pytest
from desk import at_desk
from stagehand import SMALL, WIDE, advance_to, ford, playing

from fightcall.actions import actions_of
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.perft import GROUNDS

SYSTEMS = ("stage", "slots", "turns", "segments")
SCREENS = {"stage": "square", "slots": "zone", "turns": "hex", "segments": "square"}
"""Each system on a screen, each kind of board under one of them."""
SHEETS = {
    "stage": {"agility": 13, "hp": 9, "strikes": [{"name": "bow", "kind": "missile", "needs": 12, "damage": "d6"}]},
    "slots": {"agility": 2, "hp": 9, "abilities": [{"name": "jab", "cost": 1}]},
    "turns": {"speed": 2, "hp": 9, "strikes": [{"name": "sword", "needs": 10, "damage": "d6"}]},
    "segments": {"weapons": [{"name": "sword", "size": 4, "av": 40, "sl": 8}]},
}


def fight_on(ground, system):
    """Ash and an orc two places apart, and a cue that asks whenever Ash walks."""
    board = GROUNDS[ground]
    first, *others = board.places()
    far = next(place for place in others if board.distance(first, place) == 2)
    fight = Fight.new(system, seed="7", board=board)
    fight.give("join", name="Ash", side="party", at=first, sheet=SHEETS[system])
    fight.give("join", name="Orc", side="foe", at=far, sheet=SHEETS[system])
    near = [board.name_of(place) for place in board.neighbours(first)]
    fight.give(
        "cue", when={"enters": near, "who": "ash"}, then={"ask": "Does the floor hold?", "answers": ["yes", "no"]}
    )
    return fight


def to_walk(fight):
    """Go on, questions answered as proposed, until Ash may move. Returns the place to walk to."""
    fight.give("start")
    for _ in range(60):
        blocking = next((one for one in fight.state.prompts if one.blocking), None)
        if blocking is not None:
            choice = blocking.default or (blocking.choices[0].id if blocking.choices else "")
            fight.give("answer", prompt=blocking.id, choice=choice, amount=None if choice else 10)
        elif any(one.command == "Move" and one.legal for one in fight.options("ash")):
            board, ash = fight.state.board, fight.state.combatants["ash"]
            orc = fight.state.combatants["orc"].at
            return next(place for place in board.neighbours(ash.at) if place != orc)
        else:
            fight.give("advance")
    raise AssertionError(f"Ash never moves; at {fight.state.step}")


def asked_of(fight):
    """The questions that have to be answered now."""
    return [prompt.question for prompt in fight.state.prompts if prompt.blocking]


async def answer_on_the_way(play, ground, system):
    """Walk, answer what the cue asks by keys, and take both back."""
    fight = play.fight
    there = to_walk(fight)
    feet = {"feet": 10} if (ground, system) == ("zone", "segments") else {}
    fight.give("move", who="ash", path=[there], **feet)
    assert asked_of(fight) == ["Does the floor hold?"]
    await play.settle()
    assert "Does the floor hold?" in play.said + play.text("exchange")
    await play.press("e", "escape", "enter")
    assert fight.state.prompts == ()
    assert fight.state.combatants["ash"].at == there
    await play.press("u")
    assert asked_of(fight) == ["Does the floor hold?"]
    await play.press("u")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("ground", GROUNDS)
async def test_a_walk_with_a_question_on_any_board(ground, system):
    """Put right 4: what asked is read with the board it was done on; in squares it ended in the red error screen."""
    async with at_desk(fight_on(ground, system), SMALL) as play:
        await answer_on_the_way(play, ground, system)


@pytest.mark.parametrize(("system", "ground"), SCREENS.items())
async def test_a_walk_and_keys_at_random_on_the_screen_of_each_system(system, ground, tmp_path):
    async with playing(fight_on(ground, system), tmp_path, size=SMALL) as play:
        await answer_on_the_way(play, ground, system)
        await press_at_random(play, f"{ground} {system}")


async def test_keys_at_random_in_an_encounter(tmp_path):
    async with playing(advance_to(ford(), "missile"), tmp_path, size=SMALL) as play:
        await press_at_random(play, "ford")


KEYS = [key for action in actions_of("fight") + actions_of("flow") for key in action.keys if key not in ("q", "?")]
LETTERS = [*"abcdefghijklmnoprstuvwxyz0123456789!YBP' .", "enter", "space", "escape", "m", "m", "s", "w", "r"]
MOST = int(os.environ.get("FIGHTCALL_RANDOM_KEYS", "12"))


async def press_at_random(play, seed):
    """Whatever is pressed, half of it on a larger screen: no fault, panes filled, the fight is what its log says."""
    dice = random.Random(seed)
    for number in range(MOST):
        if number == MOST // 2:
            await play.pilot.resize_terminal(*WIDE)
        key = dice.choice(KEYS if number % 3 else LETTERS)
        await play.press(key)
        assert play.app.faults == [], f"{seed}: key {number}, {key}"
    await play.press("escape")
    play.check()
    assert play.fight.line.seek(len(play.fight.line)) == play.state
