"""Who comes late and who leaves: Q-T12, and what of it touches ST-06, ST-12..15, ST-21."""

from __future__ import annotations

import pytest

from fightcall_engine.model.errors import NeedsDice

from ..once import played_once
from .table import ORDER, Play, table


def newt(play: Play, die: int | None = None, speed: int = 0, **more: object) -> Play:
    """Newt comes, and rolls if a die is given."""
    play.do("join", name="Newt", id="newt", side="foe", sheet={"speed": speed, "actions": 2, "hp": 6}, **more)
    if die is not None:
        play.do("initiative", who="newt", die=die)
    return play


def in_round(play: Play) -> list[str]:
    """Who still has a place in this round."""
    seen = [step.actor for step in play.state.agenda.steps if step.phase == "offer"]
    return [who for who in seen if play.see(who)["turn_state"] in ("waiting", "offered", "delayed")]


# Coming


def test_who_comes_too_late_for_the_round_is_told_when_it_acts():
    """Q-T12: its place has gone by."""
    play = newt(table().roll().to("a2").do("take", who="a2"), die=20)
    assert play.got("TurnPassed").cause == "first turn in round 2"
    play = newt(table().roll().to("a2").do("take", who="a2"), die=1)
    assert not [event for event in play.last if event.type == "TurnPassed"]


@pytest.mark.parametrize(("reading", "left"), [("full", 2), ("none", 0)])
def test_a_newcomer_reacts_before_its_first_turn_as_others_did(reading, left):
    """Q-T2, Q-T3: from the pool that Reactions are paid from."""
    settings = {"reaction_pool": "shared", "reactions_at_scene_start": reading}
    play = newt(table("lea", "w2", settings=settings).roll().do("take", who="lea"), die=1)
    assert play.see("newt")["reactions_left"] == left


def test_the_newcomer_is_asked_for_and_play_waits():
    """Q-T12, ST-12."""
    play = newt(table().roll())
    assert (play.asks(), play.prompt("arrival").dice) == (["arrival"], "d20")
    play.refused("Q-T12", "take", who="lea")
    play.do("advance")
    assert play.got("InitiativeRolled").who == "newt"
    assert play.asks() == []


@pytest.mark.parametrize("how", ["initiative", "answer", "amount"])
def test_its_die_may_be_typed_in_every_way(how):
    """ST-12."""
    play = newt(table().roll())
    match how:
        case "initiative":
            play.do("initiative", who="newt", rolls={"initiative": [17]})
        case "answer":
            play.do("answer", choice="roll", rolls={"initiative": [17]})
        case _:
            play.do("answer", amount=17)
    assert play.see("newt")["initiative"] == 17
    assert play.state.order == ("lea", "pip", "a1", "newt", "w1", "a2", "ron", "w2")


@pytest.mark.parametrize(
    ("die", "before", "acts"),
    [(20, "pip", False), (16, "w1", False), (13, "a2", False), (11, "ron", True), (6, "w2", True), (1, "", True)],
)
def test_by_the_roll_it_acts_if_its_place_is_ahead(die, before, acts):
    """Q-T12: A2 (12) is acting."""
    play = newt(table().roll().to("a2").do("take", who="a2"), die)
    place = play.state.order.index("newt")
    assert play.state.order[place + 1 : place + 2] == ((before,) if before else ())
    assert ("newt" in in_round(play)) is acts
    play.do("end_turn").to_round(2)
    turns = [one.who for one in play.heard if one.type == "TurnBegan"]  # type: ignore[attr-defined]
    assert turns.count("newt") == acts
    assert tuple(who for who in play.state.order if who != "newt") == ORDER


def test_now_or_in_the_next_round_as_the_gm_says():
    """Q-T12: whatever was rolled."""
    play = newt(table().roll().to("a2").do("take", who="a2"))
    play.do("answer", choice="now", rolls={"initiative": [20]}).do("end_turn")
    assert play.offered() == "newt"
    play = newt(table().roll().to("a2").do("take", who="a2"))
    play.do("answer", choice="later", rolls={"initiative": [1]}).do("end_turn").turns("ron", "w2")
    assert (play.state.round, play.offered()) == (2, "lea")
    play.to("newt")
    assert play.state.round == 2


def test_equal_to_another_the_higher_speed_is_ahead():
    """ST-14, Q-T12: Ron has 9 with Speed 1."""
    play = newt(table().roll(), die=7, speed=2)
    assert play.state.order[5:] == ("newt", "ron", "w2")
    play = newt(table().roll(), die=9, speed=0)
    assert play.state.order[5:] == ("ron", "newt", "w2")
    assert not play.all("TieDieRolled")


@pytest.mark.parametrize(("mine", "other", "order"), [(5, 2, ("newt", "ron")), (2, 5, ("ron", "newt"))])
def test_equal_in_all_they_throw_a_d6(mine, other, order):
    """ST-15, Q-T12."""
    play = newt(table().roll(), speed=1)
    play.do("initiative", who="newt", rolls={"initiative": [8], "tie.newt": [mine], "tie.ron": [other]})
    assert play.state.order[5:7] == order
    assert (play.see("newt")["tie_d6"], play.see("ron")["tie_d6"]) == ([mine], [other])


def test_equal_to_two_who_have_thrown_already():
    """ST-15, ST-16, Q-T12: they keep what they threw; only who equals the newcomer throws on."""
    same = {who: {"speed": 0} for who in ("x", "y", "w2")}
    play = table("x", "y", "w2", sheets=same).do("open_scene", mode="initiative")
    play.do("initiative", rolls={"x": [9], "y": [9], "w2": [1], "tie.x": [5], "tie.y": [2]})
    newt(play)
    play.do("initiative", who="newt", rolls={"initiative": [9], "tie.newt": [5, 1], "tie.x": [3]})
    assert play.state.order == ("x", "newt", "y", "w2")
    assert [play.see(who)["tie_d6"] for who in ("x", "newt", "y")] == [[5, 3], [5, 1], [2]]


def test_after_a_delay_it_comes_before_the_first_who_is_lower():
    """Q-T12, ST-20: the order is not sorted any more, and is not sorted again."""
    play = table().roll().do("delay", who="lea").to("ron").do("step_in", who="lea").do("end_turn")
    assert play.state.order == ("pip", "a1", "w1", "a2", "lea", "ron", "w2")
    newt(play, die=14)
    assert play.state.order == ("pip", "a1", "w1", "newt", "a2", "lea", "ron", "w2")
    assert play.offered() == "ron"


def test_it_comes_before_those_who_delay_to_the_end():
    """Q-T12, ST-21: the last places stay last."""
    play = newt(table("lea", "ron", "w2").roll().do("delay", who="lea"), die=1)
    assert play.state.order == ("lea", "ron", "w2", "newt")
    play.turns("ron", "w2", "newt")
    assert (play.offered(), play.asks()) == ("lea", ["last_offer"])


def test_it_comes_at_a_delayers_last_place():
    """Q-T12: all places but that one have passed."""
    play = newt(table("lea", "w2").roll().do("delay", who="lea").turns("w2"))
    play.do("initiative", who="newt", die=1)
    play.do("take", who="lea").do("end_turn")
    assert play.state.round == 2
    assert set(play.state.order) == {"lea", "w2", "newt"}


def test_two_come_at_once():
    """Q-T12: each is asked for, and may delay like anybody else."""
    play = table("lea", "w2").roll()
    play.do("join", name="Rat", id="rat", side="foe", count=2, sheet={"actions": 1})
    assert play.asks() == ["arrival", "arrival"]
    play.do("advance")
    assert play.asks() == []
    assert len(play.state.order) == 4
    play.to_round(2)
    assert len([one for one in play.heard if one.type == "TurnBegan"]) <= 4


def test_it_can_react_before_its_first_turn():
    """Q-T3, ST-30."""
    play = newt(table("lea", "w2").roll(), die=1).do("take", who="lea").do("react", who="newt")
    assert play.see("newt")["reactions_left"] == 1


def test_between_scenes_and_at_rest_nobody_rolls():
    """ST-12."""
    play = newt(table("lea"))
    assert not play.asks()
    play = newt(table("lea").do("short_rest"))
    assert not play.asks()
    assert play.see("newt")["resting"] == "none"


# Leaving


@pytest.mark.parametrize("when", ["offered", "acting"])
def test_who_leaves_in_its_own_turn(when):
    """Q-T12, ST-06: the round goes on with the next, and loses nobody else."""
    play = table("lea", "pip", "w2").roll().turns("lea")
    if when == "acting":
        play.do("take", who="pip").do("act", who="pip")
    play.do("leave", who="pip")
    assert (play.offered(), play.state.order) == ("w2", ("lea", "w2"))
    play.turns("w2")
    assert (play.state.round, play.offered()) == (2, "lea")


def test_who_leaves_while_its_price_is_asked_for():
    """Q-T12: the question goes with it."""
    play = table("lea", "w2", sheets={"lea": {"mana": 2}}).do("affect", who="lea", name="ward", upkeep=1)
    play.roll().do("take", who="lea").do("leave", who="lea")
    assert (play.asks(), play.offered()) == ([], "w2")


def test_the_first_leaves_at_the_first_offer():
    """Q-T12."""
    play = table("lea", "pip", "w2").roll().do("leave", who="lea")
    assert (play.offered(), play.state.round) == ("pip", 1)


def test_the_last_of_the_round_leaves_in_its_turn():
    """Q-T12, ST-06: and so the round is over."""
    play = table("lea", "w2").roll().turns("lea").do("take", who="w2").do("leave", who="w2")
    assert (play.state.round, play.offered()) == (2, "lea")


@pytest.mark.parametrize("who", ["lea", "w2"])
def test_who_leaves_out_of_turn(who):
    """Q-T12: before its place and after it."""
    play = table("lea", "pip", "w2").roll().turns("lea").do("take", who="pip").do("leave", who=who)
    assert play.see("pip")["turn_state"] == "acting"
    play.do("end_turn")
    rest = tuple(one for one in ("lea", "pip", "w2") if one != who)
    assert play.state.order == rest
    play.to_round(2)
    assert play.offered() == rest[0]


def test_a_delayer_leaves():
    """Q-T12, ST-18: nobody is asked about it any more."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").do("leave", who="lea")
    assert play.fight.system.facts(play.state)["delaying"] == []
    play.turns("pip", "w2")
    assert play.state.round == 2


def test_one_of_two_delayers_leaves_while_both_are_asked_for():
    """ST-18, Q-T9."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").do("delay", who="pip")
    play.do("step_in", who="lea", together=["pip"]).do("leave", who="lea").do("advance")
    assert play.see("pip")["turn_state"] == "acting"


def test_who_is_offered_leaves_while_others_delay():
    """ST-18: the question is asked anew for the next."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").do("leave", who="pip")
    assert (play.offered(), play.offers()) == ("ron", ["step_in"])
    play.do("step_in", who="lea")
    assert play.state.order == ("lea", "ron", "w2")


def test_a_newcomer_leaves_before_it_rolls():
    """Q-T12."""
    play = newt(table("lea", "w2").roll()).do("leave", who="newt")
    assert (play.asks(), play.offered()) == ([], "lea")


def test_everybody_leaves():
    """ST-01: with nobody left the Scene is over."""
    play = table("lea", "w2").roll().do("leave", who="lea").do("leave", who="w2")
    assert play.got("SceneEnded")
    assert play.fight.system.facts(play.state)["scene"] == {"name": "", "mode": None, "open": False}
    newt(play).do("open_scene", mode="initiative").do("initiative", who="newt", die=3)
    assert play.offered() == "newt"


# Several at once, and those for whom nobody waited


def three(play: Play) -> Play:
    return play.do("join", name="Rat", id="rat", side="foe", count=3, sheet={"actions": 1, "speed": 1})


@pytest.mark.parametrize("people", [("rat-3", "rat-1", "rat-2"), ("rat-2", "rat-3", "rat-1")])
def test_several_newcomers_roll_in_any_order(people):
    """ST-12, Q-T12: one by one, each with its own die; who has not rolled is still asked for."""
    play = three(table("lea", "w2").roll())
    dice = {"rat-1": 3, "rat-2": 12, "rat-3": 20}
    for number, who in enumerate(people, 1):
        assert play.option(who, "initiative").legal
        play.do("initiative", who=who, die=dice[who])
        assert play.see(who)["initiative"] == dice[who] + 1
        assert play.asks() == ["arrival"] * (3 - number)
    assert play.state.order == ("lea", "rat-3", "rat-2", "w2", "rat-1")


def test_several_newcomers_roll_together():
    """ST-12, Q-T12: with nobody named, all of them; and some by an answer, the others by a roll."""
    rolls = {"rat-1": [3], "rat-2": [12], "rat-3": [20]}
    play = three(table("lea", "w2").roll()).do("initiative", rolls=rolls)
    assert (play.asks(), play.state.order) == ([], ("lea", "rat-3", "rat-2", "w2", "rat-1"))
    play = three(table("lea", "w2").roll())
    asked = next(prompt for prompt in play.state.prompts if prompt.who == "rat-2")
    play.do("answer", prompt=asked.id, choice="later", amount=12).do("initiative", rolls={"rat-1": [3], "rat-3": [20]})
    assert (play.asks(), play.state.order) == ([], ("lea", "rat-3", "rat-2", "w2", "rat-1"))
    assert in_round(play) == ["lea", "rat-3", "w2", "rat-1"]


def test_equal_newcomers_throw_a_d6_between_them():
    """ST-15, Q-T12."""
    rolls = {"rat-1": [9], "rat-2": [9], "rat-3": [2], "tie.rat-1": [2], "tie.rat-2": [5]}
    play = three(table("lea", "w2").roll()).do("initiative", rolls=rolls)
    assert play.state.order == ("lea", "rat-2", "rat-1", "w2", "rat-3")


def test_the_table_is_asked_for_the_dice_of_newcomers():
    """ST-15: a tie of a typed die is thrown at the table too, where the table throws."""
    play = table("lea", "w2", settings={"dice": "table"})
    newt(play.do("open_scene", mode="initiative").do("initiative", rolls={"lea": [18], "w2": [5]}))
    with pytest.raises(NeedsDice) as owed:
        play.do("initiative", who="newt", die=5)
    assert "tie" in owed.value.rolls[0].purpose
    play.do("initiative", who="newt", die=5, rolls={"tie.newt": [2], "tie.w2": [6]})
    assert play.state.order == ("lea", "w2", "newt")


@played_once
def dead_goblin() -> Play:
    """W1 died in an earlier Scene; in this one the others are asked for Initiative."""
    play = table("lea", "pip", "w1", "w2").roll().do("damage", who="w1", amount=10)
    return play.do("close_scene").do("open_scene", mode="initiative")


def test_the_dead_of_an_earlier_scene_are_not_waited_for():
    """ST-12: neither asked for nor shown as missing; the order stands when the living have rolled."""
    play = dead_goblin()
    assert play.fight.system.waiting(play.state) == ("lea", "pip", "w2")
    for who in ("w2", "lea", "pip"):
        play.do("initiative", who=who, die=7)
    assert (play.state.round, play.offered()) == (1, "lea")
    assert play.state.order == ("lea", "pip", "w2", "w1")
    assert play.see("w1")["initiative"] is None
    play.turns("lea", "pip", "w2")
    assert play.state.round == 2


def test_the_departed_of_an_earlier_scene_are_not_waited_for():
    """ST-12."""
    play = dead_goblin().do("leave", who="w1")
    play.do("initiative", rolls={"lea": [7], "pip": [7], "w2": [7]})
    assert play.state.order == ("lea", "pip", "w2")


def test_who_falls_or_leaves_while_the_others_roll_is_not_waited_for():
    """ST-12; put right 20: the last who was missing is gone, and the first round begins at once, ties broken by d6."""
    for how, given in (("damage", {"amount": 10}), ("leave", {})):
        play = table("lea", "pip", "w2").do("open_scene", mode="initiative")
        play.do("initiative", who="lea", die=9).do("initiative", who="w2", die=3).do(how, who="pip", **given)
        assert (play.state.round, play.offered()) == (1, "lea")


def test_the_dead_throw_no_d6():
    """ST-15: two who have no result are not tied."""
    play = table("lea", "w1", "w2").roll()
    for who in ("w1", "w2"):
        play.do("damage", who=who, amount=10)
    play.do("close_scene").do("open_scene", mode="initiative").do("initiative", rolls={"lea": [3]})
    assert not [event for event in play.heard[-20:] if event.type == "TieDieRolled"]
    assert play.state.order == ("lea", "w1", "w2")


@pytest.mark.parametrize(("die", "acts"), [(20, 0), (1, 1)])
def test_who_is_raised_in_the_fight_rolls_then(die, acts):
    """ST-12, Q-T12: it acts in this round if its place is still ahead; never twice."""
    play = dead_goblin().do("initiative", rolls={"lea": [9], "pip": [8], "w2": [4]})
    play.do("take", who="lea").do("heal", who="w1", amount=5)
    assert (play.asks(), play.prompt("arrival").who) == (["arrival"], "w1")
    play.do("initiative", who="w1", die=die).do("end_turn")
    heard = len(play.heard)
    play.to_round(2)
    turns = [event.who for event in play.heard[heard:] if event.type == "TurnBegan"]
    assert turns.count("w1") == acts
    assert sorted({*turns} - {"w1"}) == ["pip", "w2"]


def test_who_is_raised_while_the_others_roll_rolls_with_them():
    """ST-12."""
    play = dead_goblin().do("initiative", who="lea", die=9).do("heal", who="w1", amount=5)
    assert "w1" in play.fight.system.waiting(play.state)
    play.do("advance")
    assert play.see("w1")["initiative"] is not None


def test_a_tie_is_broken_when_the_last_who_was_missing_leaves():
    """ST-12, ST-15; put right 20: the d6 of the tie may be the table's; with nobody able the GM goes on by hand."""
    play = table("a1", "a2", "w2", settings={"dice": "table"}).do("open_scene", mode="initiative")
    play.do("initiative", who="a1", die=9).do("initiative", who="a2", die=9)
    play.do("leave", who="w2", rolls={"tie.a1": [2], "tie.a2": [5]})
    assert (play.state.order, play.offered()) == (("a2", "a1"), "a2")
    down = table("lea", "w2").do("open_scene", mode="initiative")
    for who in ("lea", "w2"):
        down.do("damage", who=who, amount=10)
    assert (down.state.round, down.asks()) == (0, [])
    down.do("advance")
    assert down.asks() == ["stalled"]
