"""Putting a turn off, stepping in, and the last place: ST-17..21, Q-T4, Q-T5, Q-T9, Q-T13..15, Q-T22."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from fightcall_engine.model.errors import Refused

from ..once import played_once
from .table import ORDER, Play, table


def delaying(play: Play) -> list[str]:
    return list(play.fight.system.facts(play.state)["delaying"])  # type: ignore[arg-type]


def roster(play: Play) -> dict[str, tuple[str, ...]]:
    return {group.title: group.members for group in play.fight.system.groups(play.state)}


# Delay


def test_a_delay_costs_the_moment_and_nothing_else():
    """ST-17, Q-T13, Q-T20: the steps at the start of the turn do not run, and nothing comes back."""
    play = table("lea", "pip", "w2").roll().do("react", who="lea")
    play.do("poison", who="lea", amount=2).do("delay", who="lea")
    assert play.see("lea")["hp"] == 10
    assert (play.see("lea")["actions_left"], play.see("lea")["reactions_left"]) == (0, 2)
    assert play.see("lea")["turn_state"] == "delayed"
    assert delaying(play) == ["lea"]
    assert play.state.order == ("lea", "pip", "w2"), "the order changes as one steps in"
    assert roster(play) == {"Initiative": ("pip", "w2"), "Delaying": ("lea",)}


def test_who_has_just_delayed_is_not_asked_at_once():
    """ST-18: nothing is new until somebody has had a turn; the key that steps in works all the same."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea")
    assert (play.offered(), play.offers()) == ("pip", [])
    assert play.option("lea", "release").legal
    play.do("delay", who="pip")
    assert [choice.id for choice in play.state.prompts[0].choices] == ["nobody", "lea"]
    play.turns("ron")
    assert [choice.id for choice in play.state.prompts[0].choices] == ["nobody", "lea", "pip"]


def test_only_at_ones_own_offer():
    """ST-17: not in another's place, nor in a turn that has begun."""
    play = table("lea", "pip", "w2").roll()
    assert play.refused("ST-13", "delay", who="pip").accepts == ("lea",)
    play.do("take", who="lea")
    play.refused("ST-22", "delay", who="lea")
    play.refused("ST-13", "delay", who="pip")
    play.do("end_turn")
    play.refused("ST-13", "delay", who="lea")


def test_the_last_has_nobody_to_let_ahead():
    """ST-17: a lower place must be there to come back to (Q-T14)."""
    play = table("lea", "w2").roll().turns("lea")
    assert play.refused("ST-17", "delay", who="w2").accepts == ("take",)
    assert not play.option("w2", "delay").legal
    assert "no turn comes later" in play.option("w2", "delay").why
    assert table("lea").roll().refused("ST-17", "delay", who="lea")


def test_those_who_delay_are_nobody_to_let_ahead():
    """ST-17: or two could wait for each other for ever."""
    play = table("lea", "pip").roll().do("delay", who="lea")
    play.refused("ST-17", "delay", who="pip")
    play.turns("pip")
    assert play.asks() == ["last_offer"]
    play.refused("ST-17", "delay", who="lea")


def test_those_who_are_down_are_nobody_to_let_ahead():
    """ST-17."""
    play = table("lea", "w2").roll().do("damage", who="w2", amount=10)
    play.refused("ST-17", "delay", who="lea")


def test_the_only_other_one_falls_while_one_delays():
    """ST-21: the round goes on with the delayer's last place."""
    play = table("lea", "w2").roll().do("delay", who="lea").do("damage", who="w2", amount=10)
    assert (play.offered(), play.asks()) == ("lea", ["last_offer"])
    play.do("take", who="lea").do("end_turn")
    assert (play.state.round, play.offered()) == (2, "lea")


# Stepping in


def test_only_at_an_offer_and_only_who_delays():
    """ST-18: not during a running turn (Q-T15)."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea")
    play.refused("ST-18", "step_in", who="w2")
    play.refused("ST-18", "step_in", who="pip")
    play.do("take", who="pip")
    assert play.refused("ST-18", "step_in", who="lea").accepts == ("the next offer",)
    play.do("end_turn").do("step_in", who="lea")
    play.refused("ST-18", "step_in", who="lea")


def test_the_turn_begins_at_once_and_whole():
    """ST-18, ST-19, ST-22: with all five steps, the dice back, before the one that was offered."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").turns("pip").do("step_in", who="lea")
    told = [one.type for one in play.last if one.type not in ("RulingRecorded", "AgendaChanged")]
    assert told == [
        "SteppedIn", "OrderChanged", "TurnBegan", "ActionDiceRecovered", "ReactionsRecovered", *["StepBegan"] * 5
    ]  # fmt: skip
    assert play.got("SteppedIn").ahead_of == "w2"
    assert play.state.order == ("pip", "lea", "w2")
    play.do("end_turn")
    assert play.offered() == "w2"


def test_a_place_between_two_never_moves_the_others():
    """ST-19: the relative order of all others stays, wherever the delayer steps in."""
    for place, offered in enumerate(ORDER[2:], 2):
        play = table().roll().turns("lea").do("delay", who="pip").to(offered).do("step_in", who="pip")
        rest = tuple(who for who in ORDER if who != "pip")
        assert play.state.order == (*rest[: place - 1], "pip", *rest[place - 1 :])
        assert bool(play.all("OrderChanged")) is (offered != "a1")


def test_the_order_holds_from_then_on():
    """ST-20: round after round, without the numbers being looked at again."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").turns("pip").do("step_in", who="lea")
    play.do("end_turn").turns("w2")
    for number in (2, 3, 4):
        assert play.state.round == number
        play.turns("pip", "lea", "w2")
    assert play.see("lea")["initiative"] == 22


def test_by_the_answer_to_the_question_as_well():
    """ST-18: whoever is offered a turn, the delayers are asked for."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").do("delay", who="pip").turns("ron")
    assert [one.id for one in play.prompt("step_in").choices] == ["nobody", "lea", "pip"]
    play.do("answer", prompt="step_in", choice="pip")
    assert play.got("SteppedIn", who="pip", ahead_of="w2")
    play.do("end_turn").do("answer", prompt="step_in", choice="nobody")
    assert (play.offered(), delaying(play)) == ("w2", ["lea"])


def test_two_at_one_offer_go_by_the_better_roll():
    """Q-T9: whoever says so first; and the order takes both in directly ahead of the one offered."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").do("delay", who="pip").turns("ron")
    play.do("step_in", who="pip", together=["lea"])
    assert (play.asks(), play.prompt("together").default) == (["together"], "roll")
    play.do("advance")
    assert play.state.order == ("ron", "lea", "pip", "w2")
    assert play.see("lea")["turn_state"] == "acting"
    assert play.see("pip")["turn_state"] == "waiting"
    assert delaying(play) == []
    play.do("end_turn", who="lea")
    assert play.got("TurnBegan").who == "pip", "without an offer in between"
    play.do("end_turn", who="pip")
    assert play.offered() == "w2"


def test_two_at_one_offer_go_the_other_way_if_the_gm_says_so():
    """Q-T9."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").do("delay", who="pip").turns("ron")
    play.do("step_in", who="lea", together=["pip"]).do("answer", choice="swap")
    assert play.state.order == ("ron", "pip", "lea", "w2")
    assert play.see("pip")["turn_state"] == "acting"


def test_two_at_one_offer_one_after_the_other():
    """ST-18, ST-19: each is directly ahead of the one offered, so the second is behind the first."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").do("delay", who="pip").turns("ron")
    play.do("step_in", who="pip").do("end_turn")
    assert (play.offered(), play.offers()) == ("w2", ["step_in"])
    play.do("step_in", who="lea").do("end_turn")
    assert play.state.order == ("ron", "pip", "lea", "w2")
    assert (play.offered(), play.state.round) == ("w2", 1)


def test_the_second_of_two_falls_before_its_turn():
    """ST-18: nobody waits for it."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").do("delay", who="pip")
    play.do("step_in", who="lea", together=["pip"]).do("advance").do("damage", who="pip", amount=10).do("end_turn")
    assert play.offered() == "w2"
    assert play.see("pip")["turn_state"] == "passed"


def test_together_must_be_others_who_delay():
    """ST-18."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea")
    play.refused("together", "step_in", who="lea", together=["lea"])
    play.refused("ST-18", "step_in", who="lea", together=["w2"])


def test_nobody_steps_in_ahead_of_itself_not_even_with_others():
    """ST-18, Q-T9: refused at once and for good, and play goes on."""
    play = table("lea", "pip", "w2").roll().do("take", who="lea")
    for together in (["pip"], []):
        assert play.refused("ST-18", "step_in", who="lea", together=together, force=True).final
    play.refused("ST-18", "step_in", who="pip", together=["lea"], force=True)
    assert not play.asks()


@pytest.mark.parametrize("choice", ["roll", "swap"])
def test_two_are_brought_forward_and_one_cannot_come_any_more(choice):
    """ST-18, Q-T9: whoever has left, fallen or begun meanwhile is left out, and the other comes."""
    for how in ("leave", "damage"):
        play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").do("delay", who="pip")
        play.do("step_in", who="lea", together=["pip"])
        play.do(how, who="lea", **({"amount": 10} if how == "damage" else {})).do("answer", choice=choice)
        assert play.see("pip")["turn_state"] == "acting"
        assert not play.asks()


def test_once_a_round_and_again_in_the_next():
    """Q-T22: stepping in takes the turn; from the new place one may delay anew."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").turns("pip").do("step_in", who="lea")
    play.refused("ST-22", "delay", who="lea")
    play.do("end_turn")
    play.refused("ST-13", "delay", who="lea")
    play.turns("w2", "pip").do("delay", who="lea").turns("w2")
    assert play.asks() == ["last_offer"]


def test_who_falls_while_delaying_is_not_asked_for():
    """ST-18: and has no turn in this round."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").do("damage", who="lea", amount=10)
    assert delaying(play) == []
    play.refused("ST-18", "step_in", who="lea")
    play.turns("pip", "ron", "w2")
    assert (play.state.round, play.offered()) == (2, "pip")


@pytest.mark.parametrize(("others", "left"), [((), None), (("pip",), ["nobody", "pip"])])
def test_who_falls_is_not_offered_to_step_in(others, left):
    """ST-18: the others are, and where there are none nobody is asked for."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea")
    play = play.do("delay", who="pip").turns("ron") if others else play.turns("pip", "ron")
    play.do("damage", who="lea", amount=10)
    found = play.state.prompt("step_in")
    assert (found and [choice.id for choice in found.choices], play.offered()) == (left, "w2")


# The last place


@played_once
def last() -> Play:
    """Lea and Pip have both let everybody ahead; it is the end of the round."""
    return table("lea", "pip", "ron").roll().do("delay", who="lea").do("delay", who="pip").turns("ron")


def test_unreturned_delayers_are_offered_the_last_places_by_their_rolls():
    """ST-21: the better one first; their places in the order are the last."""
    play = last()
    assert (play.offered(), play.asks()) == ("lea", ["last_offer"])
    assert play.got("TurnOffered").last is True
    play.do("take", who="lea").do("end_turn")
    assert (play.offered(), play.asks()) == ("pip", ["last_offer"])
    play.do("take", who="pip").do("end_turn")
    assert play.state.order == ("ron", "lea", "pip")
    assert (play.state.round, play.offered()) == (2, "ron")


def test_the_better_roll_goes_first_whatever_the_order_has_become():
    """ST-21, Q-T9: Lea (22) has come to stand behind Ron (9), and both delay."""
    play = table("lea", "ron", "w2").roll().do("delay", who="lea").turns("ron").do("step_in", who="lea")
    play.do("end_turn").turns("w2").do("delay", who="ron").do("delay", who="lea")
    assert [one.id for one in play.prompt("step_in").choices] == ["nobody", "ron"], "Lea has only just delayed"
    assert delaying(play) == ["lea", "ron"]
    play.turns("w2")
    assert (play.offered(), play.asks()) == ("lea", ["last_offer"])
    play.do("take", who="lea").do("end_turn")
    assert play.offered() == "ron"


@pytest.mark.parametrize("how", ["forfeit", "answer"])
def test_the_last_place_can_be_let_go(how):
    """ST-21, ST-06: no turn, and the place is the last all the same."""
    play = last()
    if how == "forfeit":
        play.do("forfeit", who="lea")
    else:
        play.do("answer", choice="forfeit")
    assert play.got("TurnForfeited").who == "lea"
    assert play.see("lea")["turn_state"] == "forfeited"
    assert play.see("lea")["actions_left"] == 0
    play.do("advance").do("end_turn", who="pip")
    assert play.state.order == ("ron", "lea", "pip")
    assert play.state.round == 2


def test_who_falls_at_the_last_offer_has_no_turn_any_more():
    """ST-06, ST-13, ST-21: the question falls with them, and the round ends; undo asks it again."""
    play = table("lea", "pip").roll().do("delay", who="lea").turns("pip")
    before = play.state
    play.do("damage", who="lea", amount=10)
    assert play.got("TurnPassed", before="delayed").who == "lea"
    assert (play.state.round, play.offered(), play.asks(), play.see("lea")["turn_state"]) == (2, "pip", [], "passed")
    play.undo()
    assert (play.state, play.asks()) == (before, ["last_offer"])


def test_one_delayer_steps_in_before_the_other():
    """ST-18, ST-21: the last offer is an offer."""
    play = last().do("step_in", who="pip")
    assert play.see("pip")["turn_state"] == "acting"
    play.do("end_turn")
    assert (play.offered(), play.asks()) == ("lea", ["last_offer"])
    play.do("take", who="lea").do("end_turn")
    assert play.state.order == ("ron", "pip", "lea")


def test_nobody_forfeits_but_at_the_last_place():
    """ST-21."""
    play = table("lea", "pip", "w2").roll()
    play.refused("ST-21", "forfeit", who="lea")
    play.refused("ST-13", "forfeit", who="pip")
    play.do("delay", who="lea")
    play.refused("ST-13", "forfeit", who="lea")


def test_nothing_else_can_be_done_before_the_last_place_is_settled():
    """ST-21: act, or let it go."""
    play = last()
    play.refused("ST-22", "act", who="lea")
    assert play.refused("ST-18", "step_in", who="lea").accepts == ("take", "forfeit")


def test_the_owner_leaves_at_its_last_offer():
    """ST-21, Q-T12: the question is moot, and the next delayer's turn comes."""
    play = last().do("leave", who="lea")
    assert (play.offered(), play.asks()) == ("pip", ["last_offer"])
    play.do("take", who="pip").do("end_turn")
    assert (play.state.round, play.state.order) == (2, ("ron", "pip"))


def test_reactions_come_back_where_the_delayed_turn_begins():
    """ST-07, ST-30, ST-31: used up in the round before, there is none to be had at the place that was let go."""
    play = table("lea", "pip", "w2").roll().turns("lea", "pip").do("take", who="w2")
    play.do("react", who="lea").do("react", who="lea").do("react", who="lea").do("end_turn")
    assert (play.state.round, play.offered()) == (2, "lea")
    play.refused("ST-30", "react", who="lea")
    play.do("delay", who="lea").do("take", who="pip")
    play.refused("ST-30", "react", who="lea")
    play.do("end_turn").do("step_in", who="lea").do("end_turn").do("take", who="w2").do("react", who="lea")
    assert play.see("lea")["reactions_left"] == 2


def test_who_falls_while_delaying_and_is_healed_delays_on():
    """ST-06, ST-18: the place has not passed, so there is a turn to be had in this round."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").do("take", who="pip")
    play.do("damage", who="lea", amount=10).do("heal", who="lea", amount=1).do("end_turn")
    assert play.option("lea", "release").legal
    play.turns("w2")
    assert (play.state.round, play.offered(), play.asks()) == (1, "lea", ["last_offer"])


def test_the_second_of_two_falls_in_the_last_turn_of_the_first():
    """ST-06, ST-21: then the round is over, unless they are healed before that turn is."""
    play = last().do("take", who="lea").do("damage", who="pip", amount=10)
    before = play.state
    play.do("end_turn")
    assert play.state.round == 2
    play.undo()
    assert play.state == before
    play.do("heal", who="pip", amount=1).do("end_turn")
    assert (play.state.round, play.offered(), play.asks()) == (1, "pip", ["last_offer"])


def test_start_steps_fall_where_the_turn_really_begins():
    """Q-T13: at the last place too, once."""
    play = table("lea", "w2").do("poison", who="lea", amount=3).roll().do("delay", who="lea").turns("w2")
    assert play.see("lea")["hp"] == 10
    play.do("take", who="lea")
    assert play.see("lea")["hp"] == 7
    play.do("end_turn")
    assert (play.state.round, play.see("lea")["hp"]) == (2, 7)


def test_everybody_delays_but_one():
    """ST-21: all of them have their turns, by their rolls, and the round ends."""
    play = table().roll()
    for who in ORDER[:-1]:
        play.do("delay", who=who)
    play.refused("ST-17", "delay", who="w2")
    play.turns("w2")
    for who in ORDER[:-1]:
        assert (play.offered(), play.state.round) == (who, 1)
        play.do("advance").do("end_turn", who=who)
    assert play.state.order == ("w2", *ORDER[:-1])
    assert play.state.round == 2


def test_the_gm_brings_a_turn_forward_and_holds_one_back():
    """Law 1: what is refused can be had by a ruling, and is recorded."""
    play = table("lea", "pip", "w2").roll().do("take", who="w2", force=True)
    assert play.got("Overridden").rule == "ST-13"
    assert play.state.order == ("w2", "lea", "pip")
    play.do("end_turn")
    play.do("delay", who="pip", force=True)
    assert delaying(play) == ["pip"]
    play.turns("lea")
    assert play.asks() == ["last_offer"]


def test_a_chance_that_is_waived_is_that_of_whoever_is_named():
    """ST-13, ST-33: an offer is put off, a turn ends; neither on behalf of somebody else."""
    play = table("lea", "w2").roll()
    assert play.refused("ST-13", "waive", who="w2").accepts == ("lea",)
    play.do("waive")
    assert play.see("lea")["turn_state"] == "delayed"
    play.do("take", who="w2").do("waive", who="w2")
    assert play.got("TurnEnded").who == "w2"


@pytest.mark.parametrize("leaver", ["lea", "pip"])
def test_who_is_left_of_those_who_delay_is_asked_whether_to_step_in(leaver):
    """ST-18: the offer is made anew without whoever leaves, and to nobody where nobody is left."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").do("delay", who="pip").turns("ron")
    other = {"lea": "pip", "pip": "lea"}[leaver]
    play.do("leave", who=leaver)
    assert [choice.id for choice in play.prompt("step_in").choices] == ["nobody", other]
    play.do("leave", who=other)
    assert play.offers() == []


def test_where_whoever_acts_next_leaves_nobody_steps_in_before_them():
    """ST-18: the offer to those who delay is about somebody else then."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").turns("pip")
    before = play.prompt("step_in")
    assert play.offered() == "ron"
    play.do("leave", who="ron")
    assert play.offered() == "w2"
    assert play.prompt("step_in").question != before.question


SITUATIONS: Mapping[str, Callable[[], Play]] = {
    "offered": lambda: table("lea", "pip", "ron", "w2").roll(),
    "running": lambda: table("lea", "pip", "w2").roll().do("take", who="lea"),
    "delayed": lambda: table("lea", "pip", "ron", "w2").roll().do("delay", who="lea"),
    "ahead of a delayer": lambda: table("lea", "pip", "w2").roll().do("delay", who="lea").do("take", who="pip"),
    "last": lambda: table("lea", "pip", "w2").roll().do("delay", who="lea").turns("pip", "w2"),
    "two delay": lambda: table("lea", "pip", "w2").roll().do("delay", who="lea").do("delay", who="pip"),
    "two last": lambda: table("lea", "pip", "w2").roll().do("delay", who="lea").do("delay", who="pip").turns("w2"),
    "costs": lambda: upkeep().roll().do("take", who="lea"),
    "one is done": lambda: table("lea", "pip", "w2").roll().turns("lea"),
}


def upkeep() -> Play:
    """Lea has a ward that costs her mana."""
    play = table("lea", "pip", "w2", sheets={"lea": {"mana": 3}})
    return play.do("affect", who="lea", name="ward", upkeep=1, resource="mana")


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("name", ["forfeit", "step_in", "rule", "end_turn", "delay", "take"])
def test_what_a_refusal_accepts_is_accepted(situation, name):
    """ST-04, ST-13, ST-17, ST-18, ST-21; put right 21: a name takes the place of the one named, a command is theirs."""
    play = SITUATIONS[situation]()
    more = {"what": "turn"} if name == "rule" else {}
    for who in play.state.combatants:
        try:
            play.copy().do(name, who=who, **more)
        except Refused as no:
            for entry in no.accepts:
                if entry in play.state.combatants:
                    play.copy().do(name, who=entry, **more)
                elif " " not in entry:
                    play.copy().do(entry, **({} if entry in ("pay", "decline") else {"who": who}))
