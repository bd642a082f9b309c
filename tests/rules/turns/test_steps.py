"""The steps of a turn, always in one order: ST-22, ST-23, ST-26, ST-27, ST-33, Q-T10, Q-T17, Q-T23."""

from __future__ import annotations

import pytest

from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view

from ..once import played_once
from .table import Play, table


@played_once
def lea(*effects: dict[str, object], rolled: bool = True, **sheet: object) -> Play:
    """Lea and a foe under Initiative, with effects on Lea; hers is the first turn."""
    play = table("lea", "w2", sheets={"lea": sheet})
    for effect in effects:
        play.do("affect", who="lea", **effect)
    return play.roll() if rolled else play


def harm(amount: int | str, name: str = "poison", **more: object) -> dict[str, object]:
    return {"name": name, "polarity": "negative", "amount": amount, **more}


def good(amount: int | str, name: str = "mending", **more: object) -> dict[str, object]:
    return {"name": name, "polarity": "positive", "amount": amount, **more}


def told(play: Play) -> list[str]:
    """The steps, and what was done in them, of everything since the turn began."""
    first = max(index for index, one in enumerate(play.heard) if one.type == "TurnBegan")
    worth = ("NegativeApplied", "PositiveApplied", "UpkeepPaid", "UpkeepUnpaid", "EffectEnded", "ActionTaken")
    found = []
    for one in play.heard[first:]:
        if one.type == "StepBegan":
            found.append(one.phase)  # type: ignore[attr-defined]
        elif one.type in worth:
            found.append(one.type)
    return found


# The order


def test_the_five_steps_come_in_order_whatever_order_the_effects_came_in():
    """ST-22, ST-33: effects are listed the wrong way round here."""
    play = lea(good(1), {"name": "bless", "ends_at_turn_start": True}, {"name": "ward", "upkeep": 1}, harm(2), mana=4)
    play.do("take", who="lea").do("pay").do("act", who="lea").do("end_turn")
    assert told(play) == [
        "negative", "NegativeApplied", "costs", "UpkeepPaid", "expiries", "EffectEnded", "positive", "PositiveApplied",
        "acting", "ActionTaken", "end",
    ]  # fmt: skip


def test_who_acts_out_of_turn_reads_whose_turn_is_offered_or_runs():
    """ST-13."""
    play = lea()
    assert "Lea's turn is offered" in str(play.refused("ST-13", "act", who="w2"))
    play.do("take", who="lea")
    assert "Lea's turn runs" in str(play.refused("ST-13", "act", who="w2"))


def test_steps_with_nothing_in_them_come_too():
    """ST-22: always."""
    play = lea().do("take", who="lea").do("end_turn")
    assert told(play) == ["negative", "costs", "expiries", "positive", "acting", "end"]


@pytest.mark.parametrize("name", ["act", "free", "end_turn", "delay", "take", "move", "strike"])
def test_nothing_is_done_before_the_steps_have_run(name):
    """ST-22: the ward's price is being asked for."""
    play = lea({"name": "ward", "upkeep": 1}, mana=4).do("take", who="lea")
    assert play.state.phase == "costs"
    data = {"hexes": 1} if name == "move" else {"target": "w2"} if name == "strike" else {}
    play.refused("ST-22", name, who="lea", **data)


def test_others_may_react_to_the_steps():
    """ST-30, ST-32: a reaction answers anything."""
    play = lea({"name": "ward", "upkeep": 1}, mana=4).do("take", who="lea")
    play.do("react", who="w2", what="dispels").do("free", who="w2")
    assert play.see("w2")["reactions_left"] == 2


def test_dice_are_back_before_the_first_step():
    """ST-07, Q-T17."""
    play = lea(harm(1, pool="actions")).do("take", who="lea")
    assert play.see("lea")["actions_left"] == 2
    assert play.names().index("ActionDiceRecovered") < play.names().index("NegativeApplied")


# Step 1 and step 4


@pytest.mark.parametrize(("hp", "amount", "after"), [(10, 3, 7), (3, 3, 0), (2, 3, 0), (10, 0, 10)])
def test_harm_goes_down_to_nothing(hp, amount, after):
    """ST-23."""
    play = lea(harm(amount), hp_now=hp).do("take", who="lea")
    assert play.see("lea")["hp"] == after
    assert bool(play.all("Downed")) is (after == 0)


@pytest.mark.parametrize(("hp", "amount", "after"), [(5, 2, 7), (9, 2, 10), (10, 2, 10), (5, 0, 5)])
def test_good_goes_up_to_the_maximum(hp, amount, after):
    """ST-27."""
    play = lea(good(amount), hp_now=hp).do("take", who="lea")
    assert play.see("lea")["hp"] == after


def test_harm_and_good_may_be_to_any_pool():
    """ST-23, ST-27: a curse may drink Mana."""
    play = lea(harm(2, "curse", pool="mana"), good(1, "song", pool="focus"), mana=5, focus=4, focus_now=1)
    play.do("take", who="lea")
    assert (play.see("lea")["mana"], play.see("lea")["focus"], play.see("lea")["hp"]) == (3, 2, 10)
    play.refused("pool", "affect", who="lea", **harm(1, pool="luck"))


def test_harm_is_told_where_hit_points_are_not_counted():
    """ST-23: the table keeps them itself."""
    play = lea(harm(3), hp=None).do("take", who="lea")
    assert play.got("NegativeApplied").amount == 3
    assert not play.all("Downed")
    play.refused("ST-27", "affect", who="lea", **good(1))


def test_several_effects_in_a_step_run_as_listed():
    """ST-23, Q-T23."""
    play = lea(harm(1, "a"), harm(2, "b"), harm(3, "c")).do("take", who="lea")
    assert [one.name for one in play.all("NegativeApplied")] == ["a", "b", "c"]
    assert [(one.before, one.left) for one in play.all("NegativeApplied")] == [(10, 9), (9, 7), (7, 4)]


def test_the_gm_changes_their_order():
    """ST-23, Q-T23: by a ruling, which holds for later turns too."""
    play = lea(harm(1, "a"), harm(2, "b"), harm(3, "c")).do("rule", what="effects", who="lea", value="c, a")
    play.do("take", who="lea")
    assert [one.name for one in play.all("NegativeApplied")] == ["c", "a", "b"]
    play.do("end_turn").turns("w2").do("take", who="lea")
    assert [one.name for one in play.all("NegativeApplied")] == ["c", "a", "b"]
    assert "a" in play.refused("Q-T23", "rule", what="effects", who="lea", value="d").accepts


def test_the_same_effect_twice_works_twice():
    """ST-23."""
    play = lea(harm(2), harm(2)).do("take", who="lea")
    assert play.see("lea")["hp"] == 6


def test_strength_may_be_thrown():
    """ST-23, ST-27: one die at a time, in the order of the steps."""
    play = lea(harm("d6"), good("d4"), hp_now=8).do("take", who="lea")
    assert (play.asks(), play.prompt("pulse").rule, play.state.phase) == (["pulse"], "ST-23", "negative")
    play.do("answer", choice="roll", rolls={"pulse": [5]})
    assert (play.see("lea")["hp"], play.prompt("pulse").rule, play.state.phase) == (3, "ST-27", "positive")
    play.do("answer", amount=4)
    assert (play.see("lea")["hp"], play.state.phase) == (7, "acting")
    play.do("end_turn").turns("w2").do("take", who="lea").do("answer", choice="none")
    assert play.see("lea")["hp"] == 7


def test_thrown_strength_is_thrown_by_the_next_step_if_nobody_types_it():
    """ST-23."""
    play = lea(harm("2d1+1")).do("take", who="lea").do("advance")
    assert play.see("lea")["hp"] == 7


# Falling in one's own steps


def test_falling_in_step_1_and_staying_down():
    """Q-T10: the steps go on; acting is the GM's to say, and is not proposed."""
    play = lea(harm(5), {"name": "ward", "upkeep": 1}, {"name": "bless", "ends_at_turn_start": True}, hp_now=3, mana=2)
    play.do("take", who="lea").do("pay")
    assert (play.asks(), play.prompt("down").default) == (["down"], "end")
    assert [effect.name for effect in play.one("lea").effects] == ["poison", "ward"]
    play.do("advance")
    assert play.got("TurnEnded").cause == "down"
    assert play.offered() == "w2"


def test_falling_by_the_first_of_several():
    """Q-T10, ST-23: all of them work, and the fall is not forgotten over the second."""
    play = lea(harm(5, "curse"), harm(1), good(3), hp_now=3).do("take", who="lea")
    assert [(one.name, one.left) for one in play.all("NegativeApplied")] == [("curse", 0), ("poison", 0)]
    assert len(play.all("Downed")) == 1
    assert (play.asks(), play.see("lea")["hp"]) == (["down"], 3)


def test_falling_in_step_1_and_acting_all_the_same():
    """Q-T10: a ruling that makes able again."""
    play = lea(harm(5), hp_now=3).do("take", who="lea").do("answer", choice="act")
    assert (play.state.phase, play.see("lea")["able"], play.see("lea")["hp"]) == ("acting", True, 0)
    play.do("act", who="lea")


def test_good_in_step_4_lifts_who_fell_in_step_1():
    """Q-T10, ST-27: and the GM is asked with that as the proposal."""
    play = lea(harm(5), good(2), hp_now=3).do("take", who="lea")
    assert (play.see("lea")["hp"], play.see("lea")["able"], play.prompt("down").default) == (2, True, "act")
    play.do("advance")
    assert play.state.phase == "acting"


def test_who_is_down_has_no_turn_and_the_round_goes_on():
    """ST-13, ST-06."""
    play = lea(harm(5), hp_now=3).do("take", who="lea").do("advance").turns("w2")
    assert (play.state.round, play.offered()) == (2, "w2")
    assert play.see("lea")["turn_state"] == "passed"
    play.turns("w2").do("heal", who="lea", amount=5)
    play.turns("w2")
    assert (play.state.round, play.offered()) == (4, "lea")


def test_paying_with_the_last_hit_points_fells():
    """ST-24, Q-T10: in step 2 as in step 1."""
    play = lea({"name": "blood ward", "upkeep": 3, "resource": "hp"}, hp_now=3).do("take", who="lea").do("pay")
    assert play.got("Downed").who == "lea"
    assert play.asks() == ["down"]


def test_falling_by_anothers_hand_in_ones_own_steps():
    """Q-T10: a reaction while the ward is being paid for."""
    play = lea({"name": "ward", "upkeep": 1}, mana=2).do("take", who="lea")
    play.do("react", who="w2").do("damage", who="lea", amount=10).do("pay")
    assert play.asks() == ["down"]


def test_falling_while_acting_leaves_the_turn_to_be_ended():
    """ST-04: nothing more can be done in it but by a ruling."""
    play = lea().do("take", who="lea").do("damage", who="lea", amount=10)
    play.refused("ST-28", "act", who="lea")
    play.do("advance")
    assert play.offered() == "w2"


def test_who_falls_while_acting_and_is_healed_acts_on():
    """ST-04, ST-29: neither have the Actions run out, nor has the owner ended the turn."""
    play = lea().do("take", who="lea").do("act", who="lea").do("damage", who="lea", amount=10)
    play.do("heal", who="lea", amount=1).do("act", who="lea")
    assert (play.see("lea")["actions_left"], play.state.phase) == (1, "acting")


def test_falling_at_ones_offer_passes_the_place():
    """ST-13: nobody waits for who cannot act."""
    play = lea().do("damage", who="lea", amount=10)
    assert play.got("TurnPassed").who == "lea"
    assert play.offered() == "w2"


# The end


def test_what_falls_at_the_end_of_a_turn_falls_after_acting():
    """ST-33: the text lists nothing; the GM may."""
    play = lea({"name": "stun", "rounds": 1, "ticks": "turn_end"}).do("take", who="lea").do("act", who="lea")
    assert [effect.name for effect in play.one("lea").effects] == ["stun"]
    play.do("end_turn")
    names = play.names()
    assert names.index("StepBegan") < names.index("EffectEnded") < names.index("TurnEnded")


def test_the_turn_that_ends_by_itself_has_its_end_step_too():
    """ST-33, ST-04."""
    play = lea({"name": "stun", "rounds": 1, "ticks": "turn_end"}, actions=1).do("take", who="lea")
    play.do("act", who="lea")
    assert told(play)[-2:] == ["end", "EffectEnded"]
    assert play.got("TurnEnded").cause == "no Actions"


def test_players_do_not_see_the_end_of_a_turn_while_a_hidden_one_has_the_next() -> None:
    """ST-33; put right 3: play never waits there, so that it would give the hidden one away."""
    fight = Fight.new("turns", seed="3")
    for name, hidden in (("Ash", False), ("Lurker", True)):
        fight.give("join", name=name, hidden=hidden, sheet={"hp": 9})
    fight.give("openscene", mode="initiative")
    fight.give("initiative", rolls={"ash": [18], "lurker": [3]})
    seen, acting = [], []
    for _ in range(8):
        view = player_view(fight.state, fight.system)
        seen.append(view["phase"])
        acting.append(fight.state.step.actor if fight.state.step else "")
        fight.give("advance")
    assert "lurker" in acting
    assert set(seen) <= {"offer", "acting"}
