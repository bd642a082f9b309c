"""Undo gives everything back, in the middle of anything: order, pools, effects, dice, questions, rounds, rests."""

from __future__ import annotations

from random import Random

import pytest

from fightcall_engine.testkit.perft import moves

from ..once import played_once
from .table import Play, check_line, table


@played_once
def battle() -> Play:
    """The seven with a bit of everything lasting on them."""
    sheets = {
        "lea": {"mana": 4, "effects": [{"name": "poison", "polarity": "negative", "amount": "d4"}]},
        "pip": {"mana": 3, "focus": 2, "resolve": 2, "dailies": [{"name": "wind", "max": 1}]},
        "ron": {"actions": 1, "hp": 4, "effects": [{"name": "curse", "polarity": "negative", "amount": 2}]},
    }
    play = table(sheets=sheets)
    play.do("affect", who="ron", name="ward", polarity="positive", amount=1, upkeep=1, resource="mana", payer="pip")
    return play.do("affect", who="a1", name="mark", rounds=2, anchor="lea").roll()


@pytest.mark.parametrize("seed", range(6))
def test_every_step_of_a_fight_can_be_taken_back_and_done_again(seed):
    """Law 6: each state comes back, newest first; each redo leads where the deed did, with the same dice (law 7)."""
    play, chance = battle(), Random(seed)
    states = [play.state]
    while len(states) < 60 and play.state.status == "running":
        name, data = chance.choice(moves(play.fight))
        if name in ("CloseScene", "SetMode") and chance.random() < 0.9:
            continue
        play.do(name, **data)
        states.append(play.state)
    check_line(play.fight.line)
    for expected in reversed(states[:-1]):
        play.fight.undo()
        assert play.state == expected
    for expected in states[1:]:
        play.fight.redo()
        assert play.state == expected


def test_over_the_end_of_a_round():
    """ST-06, ST-08: the clock goes back with it."""
    play = table("lea", "w2").roll().turns("lea").do("take", who="w2")
    before = play.state
    play.do("end_turn")
    assert (play.state.round, play.state.clock_s) == (2, 30)
    play.fight.undo()
    assert play.state == before


def test_over_a_step_in():
    """ST-19: the order as it was; then another choice is another line of play."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").turns("pip")
    before = play.state
    play.do("step_in", who="lea")
    play.fight.undo()
    assert play.state == before
    play.turns("ron").do("step_in", who="lea")
    assert play.state.order == ("pip", "ron", "lea", "w2")
    assert len(play.fight.branches()) == 1


def test_over_a_last_place_at_the_end_of_a_round():
    """ST-06, ST-18, ST-21: back in the round, the delayer may step in after all."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").turns("pip")
    states = [play.state]
    for name, who in (("take", "w2"), ("end_turn", "w2"), ("take", "lea"), ("end_turn", "lea")):
        states.append(play.do(name, who=who).state)
    assert (play.state.round, play.state.order, play.offered()) == (2, ("pip", "w2", "lea"), "pip")
    for expected in reversed(states[:-1]):
        play.fight.undo()
        assert play.state == expected
    play.do("step_in", who="lea").do("end_turn").turns("w2")
    assert (play.state.round, play.state.order, play.offered()) == (2, ("pip", "lea", "w2"), "pip")


def test_over_the_end_of_a_scene_in_mid_turn():
    """ST-12, ST-39: who delayed or acted in it does neither in the next Scene; undo gives both back."""
    play = table("lea", "pip", "w2", sheets={"lea": {"focus": 4, "focus_now": 1}}).roll().do("delay", who="lea")
    before = play.do("take", who="pip").do("act", who="pip").state
    play.do("close_scene").do("short_rest").do("complete_rest").do("open_scene", mode="initiative")
    play.do("initiative", rolls={"lea": [1], "pip": [20], "w2": [19]})
    assert play.state.order == ("pip", "w2", "lea")
    seen = play.see("lea")
    assert (seen["turn_state"], seen["focus"], play.see("pip")["actions_left"]) == ("waiting", 4, 2)
    play.undo(5)
    assert play.state == before
    seen = play.see("lea")
    assert (seen["turn_state"], seen["focus"]) == ("delayed", 1)


def test_over_the_last_action():
    """Q-T21: the turn that ended by itself is taken back for a Free Action."""
    play = table("lea", "w2", sheets={"lea": {"actions": 1}}).roll().do("take", who="lea").do("act", who="lea")
    assert play.offered() == "w2"
    play.fight.undo()
    play.do("free", who="lea", what="shouts")
    assert play.see("lea")["turn_state"] == "acting"


def test_over_a_rest():
    """ST-41."""
    play = table("lea", sheets={"lea": {"focus": 3, "focus_now": 1, "hp_now": 4}}).do("full_rest")
    before = play.state
    play.do("complete_rest")
    assert play.state.clock_s == 6 * 3600
    play.fight.undo()
    assert (play.state, play.see("lea")["hp"]) == (before, 4)


def test_a_throw_taken_back_is_the_same_throw():
    """Law 7: Initiative, ties and the strength of a poison."""
    play = table("lea", "w2", seed="19").do("poison", who="lea", amount="d4").do("open_scene", mode="initiative")
    seen = []
    for _ in range(2):
        play.do("initiative").to("lea").do("take", who="lea").do("answer", choice="roll")
        seen.append((play.state.order, play.see("lea")["hp"]))
        while play.state.order != ("lea", "w2") or play.see("lea")["initiative"] is not None:
            play.fight.undo()
    assert seen[0] == seen[1]
