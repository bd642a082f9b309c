"""What keeps an effect up is paid in step 2, or it ends at once: ST-24, ST-25, ST-27."""

from __future__ import annotations

import pytest

from ..once import played_once
from .table import Play, table


@played_once
def ward(*, mana: int = 5, **more: object) -> Play:
    """Lea with a ward of 2 Mana a turn; her turn has begun."""
    play = table("lea", "w2", sheets={"lea": {"mana": 5, "mana_now": mana}})
    play.do("affect", who="lea", **{"name": "ward", "upkeep": 2, **more})
    return play.roll().do("take", who="lea")


def names(play: Play, who: str = "lea") -> list[str]:
    return [effect.name for effect in play.one(who).effects]


@pytest.mark.parametrize(("mana", "left"), [(5, 3), (3, 1), (2, 0)])
def test_a_price_that_is_paid(mana, left):
    """ST-24: to the last of it."""
    play = ward(mana=mana)
    assert play.prompt("upkeep").rule == "ST-24"
    play.do("pay")
    assert play.got("UpkeepPaid").left == left
    assert (play.see("lea")["mana"], names(play), play.state.phase) == (left, ["ward"], "acting")


@pytest.mark.parametrize("mana", [0, 1])
def test_a_price_that_is_more_than_there_is(mana):
    """ST-25: nobody is asked, nothing is taken, and the effect ends in step 2."""
    play = ward(mana=mana)
    assert not play.asks()
    assert play.got("UpkeepUnpaid").cause == "more than is left"
    assert play.names().index("EffectEnded") > play.names().index("UpkeepAsked")
    assert (play.see("lea")["mana"], names(play)) == (mana, [])


def test_a_price_that_is_declined():
    """ST-25: at once, before step 3; why is said once."""
    play = ward().do("decline")
    assert (play.got("UpkeepUnpaid").cause, play.got("EffectEnded").reason) == ("declined", "")
    first_step = play.names().index("StepBegan")
    assert play.names().index("EffectEnded") < first_step
    assert (play.see("lea")["mana"], names(play)) == (5, [])


@pytest.mark.parametrize("choice", ["pay", "decline"])
def test_the_question_may_be_answered_as_any_other(choice):
    """ST-24, ST-25."""
    play = ward().do("answer", prompt="upkeep", choice=choice)
    assert names(play) == (["ward"] if choice == "pay" else [])


def test_paying_is_what_happens_if_nothing_is_said():
    """ST-24: the default."""
    assert ward().do("advance").see("lea")["mana"] == 3


def test_it_is_paid_again_in_every_turn():
    """ST-24."""
    play = ward().do("pay").do("end_turn").turns("w2").do("take", who="lea").do("pay").do("end_turn").turns("w2")
    assert play.see("lea")["mana"] == 1
    play.do("take", who="lea")
    assert (names(play), play.state.phase) == ([], "acting")


def test_several_prices_are_asked_one_by_one_and_the_purse_is_one():
    """ST-24, ST-25: what the first leaves is what the second can have."""
    play = table("lea", "w2", sheets={"lea": {"mana": 3}})
    play.do("affect", who="lea", name="ward", upkeep=2).do("affect", who="lea", name="light", upkeep=2)
    play.roll().do("take", who="lea")
    assert ["ward" in prompt.question for prompt in play.state.prompts] == [True]
    play.do("pay")
    assert (play.see("lea")["mana"], names(play)) == (1, ["ward"])
    play.fight.undo()
    play.do("decline").do("pay")
    assert (play.see("lea")["mana"], names(play)) == (1, ["light"])


def test_a_named_effect_must_be_the_one_that_is_asked_for():
    """ST-24."""
    play = ward()
    play.refused("ST-24", "pay", effect="light")
    play.refused("ST-24", "pay", who="w2")
    play.do("pay", who="lea", effect="ward")
    play.refused("ST-24", "pay")
    play.refused("ST-24", "decline")


def test_good_that_is_not_paid_for_does_not_come():
    """ST-25, ST-27."""
    play = table("lea", "w2", sheets={"lea": {"mana": 5, "hp_now": 5}})
    play.do("affect", who="lea", name="mending", polarity="positive", amount=2, upkeep=1).roll()
    play.do("take", who="lea").do("decline")
    assert (play.see("lea")["hp"], play.all("PositiveApplied")) == (5, [])


def test_harm_that_is_not_paid_for_has_been_done():
    """ST-23, ST-25: step 1 comes before step 2."""
    play = table("lea", "w2", sheets={"lea": {"mana": 5}})
    play.do("affect", who="lea", name="pact", polarity="negative", amount=2, upkeep=1).roll()
    play.do("take", who="lea").do("decline")
    assert (play.see("lea")["hp"], names(play)) == (8, [])


def test_harm_in_step_1_may_take_what_the_price_needed():
    """ST-23, ST-25: a curse that drinks Mana."""
    play = table("lea", "w2", sheets={"lea": {"mana": 3}})
    play.do("affect", who="lea", name="curse", polarity="negative", amount=2, pool="mana")
    play.do("affect", who="lea", name="ward", upkeep=2).roll().do("take", who="lea")
    assert (play.see("lea")["mana"], names(play)) == (1, ["curse"])


def test_it_is_paid_from_the_resource_that_is_stated():
    """ST-24: Focus, hit points, Actions, the uses of a day."""
    sheet = {"focus": 4, "mana": 4, "dailies": [{"name": "second wind", "max": 2}]}
    play = table("lea", "w2", sheets={"lea": sheet})
    for name, resource in (("a", "focus"), ("b", "hp"), ("c", "actions"), ("d", "second wind")):
        play.do("affect", who="lea", name=name, upkeep=1, resource=resource)
    play.roll().do("take", who="lea").do("pay").do("pay").do("pay").do("pay")
    seen = play.see("lea")
    assert (seen["focus"], seen["hp"], seen["actions_left"], seen["second wind"], seen["mana"]) == (3, 9, 2, 1, 4)
    play.refused("pool", "affect", who="lea", name="e", upkeep=1, resource="luck")


def three_due(*, mana: int = 5) -> Play:
    """Lea's turn, with three effects on her that cost 2 Mana each."""
    play = table("lea", "w2", sheets={"lea": {"mana": 9, "mana_now": mana}})
    for name in ("Ward", "light", "bless"):
        play.do("affect", who="lea", name=name, upkeep=2)
    return play.roll().do("take", who="lea")


def test_upkeeps_are_paid_by_name_in_any_order():
    """ST-24, L22; put right 21: whatever is asked about first, and it is asked about again with what is left."""
    play = three_due().do("pay", effect="BLESS")
    assert (play.got("UpkeepPaid").name, play.see("lea")["mana"]) == ("bless", 3)
    assert "Pay 2 of Lea's 3 mana for Ward" in play.prompt("upkeep").question
    play.do("decline", who="lea", effect="light").do("pay", effect="ward")
    assert (names(play), play.see("lea")["mana"], play.state.phase) == (["Ward", "bless"], 1, "acting")


def test_what_is_paid_first_may_leave_too_little_for_the_rest():
    """ST-25, L22; put right 21: whoever has Mana for one effect chooses which."""
    play = three_due(mana=3).do("pay", effect="light")
    assert (names(play), play.see("lea")["mana"], play.state.phase) == (["light"], 1, "acting")


def test_an_upkeep_is_paid_by_name_instead_of_saying_which_comes_first():
    """ST-24, Q-T23; put right 21: naming one says the order, too."""
    play = table("lea", "w2", sheets={"lea": {"mana": 9}}, settings={"effect_order": "ask"})
    for name in ("ward", "light", "bless"):
        play.do("affect", who="lea", name=name, upkeep=2)
    play.roll().do("take", who="lea")
    assert play.asks() == ["effect_order"]
    play.refused("ST-24", "pay")
    play.do("pay", effect="light").do("advance").do("pay", effect="bless").do("pay")
    assert (play.see("lea")["mana"], play.state.phase) == (3, "acting")


def test_only_what_is_due_is_paid_by_name():
    """ST-24; put right 21: neither what has been paid, nor what nobody has; what is due is listed."""
    play = three_due().do("pay", effect="bless")
    for name in ("bless", "luck"):
        assert play.refused("ST-24", "pay", effect=name).accepts == ("Ward", "light")
    play.refused("ST-24", "pay", who="w2", effect="light")


# Somebody else pays


@played_once
def kept_by_lea() -> Play:
    """Ron bears a ward that Lea pays for; Ron's turn comes first."""
    play = table("lea", "ron", "w2", sheets={"lea": {"mana": 5}, "ron": {"speed": 9}})
    return play.do("affect", who="ron", name="ward", upkeep=2, payer="lea").roll({"ron": 20})


def test_the_payer_pays_in_its_own_turn():
    """ST-24: whose costs they are; not in the bearer's turn."""
    play = kept_by_lea().turns("ron").do("take", who="lea")
    prompt = play.prompt("upkeep")
    assert (prompt.who, *prompt.about) == ("lea", "ron")
    play.do("pay")
    assert (play.see("lea")["mana"], names(play, "ron")) == (3, ["ward"])


def test_good_comes_too_late_for_the_price():
    """ST-24, ST-27: step 2 is before step 4."""
    play = table("lea", "w2", sheets={"lea": {"mana": 4, "mana_now": 0}}).do("affect", who="lea", name="ward", upkeep=1)
    play.do("affect", who="lea", name="spring", polarity="positive", amount=2, pool="mana").roll().do("take", who="lea")
    assert (names(play), play.see("lea")["mana"]) == (["spring"], 2)


def test_what_ends_in_this_turn_has_its_price_all_the_same():
    """ST-24, ST-26: step 2 is before step 3, and good that has ended does nothing in step 4."""
    play = ward(polarity="positive", amount=3, ends_at_turn_start=True)
    play.do("damage", who="lea", amount=5).do("pay")
    assert (names(play), play.see("lea")["mana"], play.see("lea")["hp"]) == ([], 3, 5)


@pytest.mark.parametrize(
    "effect", [{"upkeep": 3, "resource": "actions"}, {"polarity": "negative", "amount": 9, "pool": "actions"}]
)
def test_a_turn_without_actions_left_has_its_steps_and_is_over(effect):
    """ST-22, ST-24, ST-29: paid or lost, they have run out; the Reactions have not."""
    play = table("lea", "w2", sheets={"lea": {"hp_now": 5}}).do("affect", who="lea", name="torpor", **effect)
    play.do("regeneration", who="lea", amount=1).roll().do("take", who="lea")
    if play.asks():
        play.do("pay")
    assert (play.got("TurnEnded").cause, play.offered()) == ("no Actions", "w2")
    assert (play.see("lea")["hp"], play.see("lea")["reactions_left"]) == (6, 3)


def test_a_curse_that_a_foe_keeps_up_harms_before_the_foe_pays():
    """ST-23, ST-24, ST-25: each in its own turn."""
    play = table("lea", "w2", sheets={"w2": {"mana": 1}}).roll()
    play.do("curse", who="lea", amount=2, upkeep=1, payer="w2").turns("lea").do("take", who="w2").do("pay")
    play.do("end_turn").turns("lea")
    assert (play.see("lea")["hp"], names(play)) == (6, ["curse"])
    play.do("take", who="w2")
    assert (play.got("UpkeepUnpaid").cause, names(play)) == ("more than is left", [])


def test_what_the_payer_declines_ends_on_the_bearer():
    """ST-25."""
    play = kept_by_lea().turns("ron").do("take", who="lea").do("decline")
    assert play.got("EffectEnded").who == "ron"
    assert names(play, "ron") == []


def test_the_gm_says_what_becomes_of_an_effect_whose_payer_leaves():
    """ST-24, ST-25: it ends as proposed, its bearer pays from now on, or it goes on without a price."""
    play = kept_by_lea().do("leave", who="lea")
    assert (play.asks(), [choice.id for choice in play.prompt("gone_payer").choices]) == (
        ["gone_payer"],
        ["end", "free"],
    )
    play.do("advance")
    assert play.got("EffectEnded", who="ron").reason == "no one is left to pay for it"
    play = kept_by_lea().do("leave", who="lea").do("answer", choice="free").turns("ron", "w2").do("take", who="ron")
    assert (names(play, "ron"), play.asks(), play.all("UpkeepAsked")) == (["ward"], [], [])


def test_the_bearer_pays_for_an_effect_whose_payer_has_left():
    """ST-24: in the bearer's own turns."""
    play = table("lea", "ron", "w2", sheets={"lea": {"mana": 5}, "ron": {"mana": 3, "speed": 9}})
    play.do("affect", who="ron", name="ward", upkeep=2, payer="lea").roll({"ron": 20}).do("leave", who="lea")
    play.do("answer", choice="bearer").do("take", who="ron").do("pay")
    assert (play.see("ron")["mana"], names(play, "ron")) == (1, ["ward"])


def test_a_payer_who_is_down_is_asked_about_each_round():
    """ST-24, L22: not unpaid for ever; it goes on for the round, is paid for, or ends."""
    play = kept_by_lea().do("damage", who="lea", amount=10).turns("ron")
    prompt = play.prompt("down_payer")
    assert (prompt.who, *prompt.about, prompt.default) == ("lea", "ron", "end")
    play.do("answer", choice="unpaid").turns("w2", "ron")
    assert (names(play, "ron"), play.asks(), play.state.round) == (["ward"], ["down_payer"], 2)
    play.do("answer", choice="pay").turns("w2", "ron")
    assert (play.see("lea")["mana"], play.asks()) == (3, ["down_payer"])
    play.do("advance")
    assert play.got("UpkeepUnpaid").cause == "down"
    assert names(play, "ron") == []


def test_a_payer_who_is_up_again_is_asked_as_anybody():
    """ST-24, ST-25: what was asked of it while it was down is asked no more."""
    play = kept_by_lea().do("damage", who="lea", amount=10).turns("ron")
    assert play.asks() == ["down_payer"]
    play.do("heal", who="lea", amount=4)
    assert [(prompt.kind, prompt.who) for prompt in play.state.prompts] == [("upkeep", "lea")]
    play.do("answer", choice="pay")
    assert (play.see("lea")["mana"], names(play, "ron")) == (3, ["ward"])


@pytest.mark.parametrize("raised", [True, False])
def test_whoever_is_down_keeps_nothing_up_on_itself_unasked(raised):
    """ST-24: the bearer who pays for itself; who is raised before its place pays in its turn as ever."""
    play = table("lea", "w2", sheets={"lea": {"mana": 5}}).do("affect", who="lea", name="ward", upkeep=2)
    play.roll({"lea": 1, "w2": 20}).do("damage", who="lea", amount=10)
    if raised:
        play.do("heal", who="lea", amount=2).turns("w2").do("take", who="lea")
    else:
        play.turns("w2")
    assert play.asks() == (["upkeep"] if raised else ["down_payer"])


def test_a_payer_who_died_in_an_earlier_scene_is_asked_about():
    """ST-24, ST-12: it has no Initiative, and what it kept up is not free."""
    play = kept_by_lea().do("damage", who="lea", amount=10).do("close_scene").do("open_scene", mode="initiative")
    play.do("initiative", rolls={"ron": [9], "w2": [8]}).turns("ron").do("take", who="w2").do("end_turn")
    assert play.asks() == ["down_payer"]


def test_an_unaffordable_price_of_one_who_is_down_is_not_offered():
    """ST-25."""
    play = table("lea", "w2", sheets={"lea": {"mana": 1}}).do("affect", who="lea", name="ward", upkeep=2)
    play.roll({"lea": 1, "w2": 20}).do("damage", who="lea", amount=10).turns("w2")
    assert [choice.id for choice in play.prompt("down_payer").choices] == ["end", "unpaid"]


def test_a_bearer_who_leaves_owes_nothing():
    """ST-24: the open question is moot, and the turn goes on."""
    play = kept_by_lea().turns("ron").do("take", who="lea").do("leave", who="ron")
    assert (play.asks(), play.see("lea")["mana"], play.state.phase) == ([], 5, "acting")


def test_an_effect_that_is_ended_while_its_price_is_asked_for():
    """ST-24: nothing is owed any more."""
    play = ward().do("end_effect", who="lea", effect="ward")
    assert (play.asks(), play.see("lea")["mana"], play.state.phase) == ([], 5, "acting")


def test_an_effect_that_begins_in_the_same_turn_is_paid_for_in_the_next():
    """ST-24: step 2 is over."""
    play = table("lea", "w2", sheets={"lea": {"mana": 5}}).roll().do("take", who="lea")
    play.do("affect", who="lea", name="ward", upkeep=2)
    assert not play.asks()
    play.do("end_turn").turns("w2").do("take", who="lea")
    assert play.asks() == ["upkeep"]
