"""Every setting in every reading (digest, sections 2.3 and 6)."""

from __future__ import annotations

import pytest

from fightcall_engine.model.errors import BadInput
from fightcall_engine.systems.turns.records import SETTINGS

from .table import table


def test_the_settings_of_the_digest_are_there():
    wanted = {
        "actions_default", "reaction_pool", "reactions_at_scene_start", "delay_persists", "unreturned_delay", "d6_tie",
        "dice_recovered", "down_in_start_steps", "rest_broken",
    }  # fmt: skip
    assert wanted <= {one.key for one in SETTINGS}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.key)
def test_a_setting_takes_its_readings_and_nothing_else(setting):
    for choice in setting.choices:
        assert table("lea", settings={setting.key: choice}).state.settings[setting.key] == choice
    with pytest.raises(BadInput, match=setting.key):
        table("lea", settings={setting.key: "as you like it"})


# How a Scene opens


@pytest.mark.parametrize(("mode", "found", "asks"), [("free", "free", []), ("initiative", "initiative", [])])
def test_a_scene_opens_as_the_setting_says(mode, found, asks):
    """ST-11."""
    play = table("lea", settings={"scene_mode": mode}).do("advance")
    assert play.fight.system.facts(play.state)["mode"] == found
    assert play.asks() == asks


def test_a_scene_opens_with_a_question():
    """ST-11: free order unless the GM says otherwise."""
    play = table("lea").do("advance")
    assert play.asks() == ["mode"]
    play.do("advance")
    assert play.fight.system.facts(play.state)["mode"] == "free"


# Actions and Reactions


def test_actions_where_the_sheet_gives_none():
    """Q-T1: 3, or the setting's number, or the GM's."""
    play = table("lea", "pip", sheets={"lea": {"actions": None}}, settings={"actions_default": 2})
    assert play.see("lea")["actions_max"] == 2
    assert play.see("pip")["actions_max"] == 3
    play.do("open_scene", mode="initiative")
    assert play.prompt("actions").question.startswith("How many Actions per turn for Lea?")
    play.do("answer", prompt="actions", amount=4)
    assert (play.see("lea")["actions_max"], play.see("lea")["reactions_left"]) == (4, 4)


def test_the_usual_number_of_actions_can_change_in_mid_fight():
    play = table("lea", "pip", sheets={"lea": {"actions": None}}).do("configure", setting="actions_default", value=5)
    assert play.see("lea")["actions_max"] == 5
    assert play.see("pip")["actions_max"] == 3


def test_reactions_as_a_pool_of_their_own():
    """Q-T2: what is spent in one's own turn leaves them alone."""
    play = table("lea", "w2").roll()
    play.do("take", who="lea").do("act", who="lea", actions=2).do("end_turn")
    play.do("react", who="lea")
    assert (play.see("lea")["reactions_left"], play.see("lea")["actions_left"]) == (2, 1)


def test_reactions_shared_with_actions():
    """Q-T2: the Actions that were not used, and no more."""
    play = table("lea", "w2", settings={"reaction_pool": "shared"}).roll()
    assert play.see("w2")["reactions_left"] == 3
    play.do("take", who="lea").do("act", who="lea", actions=2).do("end_turn")
    play.do("react", who="lea")
    assert play.got("ReactionTaken", who="lea", pool="actions", left=0)
    play.refused("ST-30", "react", who="lea")


@pytest.mark.parametrize(("reading", "left"), [("full", 3), ("none", 0)])
def test_reactions_before_the_first_turn(reading, left):
    """Q-T3."""
    play = table("lea", "w2", settings={"reactions_at_scene_start": reading}).roll()
    assert play.see("w2")["reactions_left"] == left
    if not left:
        play.refused("ST-30", "react", who="w2")
    play.turns("lea").do("take", who="w2")
    assert play.see("w2")["reactions_left"] == 3


def test_none_at_the_start_holds_in_a_second_scene_too():
    play = table("lea", "w2", settings={"reactions_at_scene_start": "none"}).roll().turns("lea", "w2")
    play.do("close_scene").do("open_scene", mode="initiative")
    assert play.see("w2")["reactions_left"] == 0


# Delays


def delayed(**settings):
    """Lea delays and steps in before the last of three."""
    play = table("lea", "ron", "w2", settings=settings).roll().do("delay", who="lea").turns("ron")
    return play.do("step_in", who="lea").do("end_turn")


def test_a_delay_changes_the_order_for_good():
    """Q-T4, ST-20."""
    play = delayed().turns("w2")
    assert play.state.order == ("ron", "lea", "w2")
    assert play.offered() == "ron"


def test_a_delay_changes_the_order_for_one_round():
    """Q-T4."""
    play = delayed(delay_persists=False)
    assert play.state.order == ("ron", "lea", "w2")
    play.turns("w2")
    assert play.got("OrderChanged", order=("lea", "ron", "w2"))
    assert play.offered() == "lea"


def test_a_delay_for_one_round_gives_back_the_place_that_a_d6_gave():
    """Q-T4, ST-15."""
    play = table("x", "y", "z", settings={"delay_persists": False}).do("open_scene", mode="initiative")
    play.do("initiative", rolls={"x": [12], "y": [12], "z": [12], "tie.x": [6], "tie.y": [5], "tie.z": [1]})
    play.do("delay", who="x").turns("y").do("step_in", who="x").do("end_turn").do("take", who="z")
    before = play.state
    play.do("end_turn")
    assert (before.order, play.state.order, play.offered()) == (("y", "x", "z"), ("x", "y", "z"), "x")
    play.undo()
    assert play.state == before


def test_a_delay_for_one_round_and_a_newcomer():
    """Q-T4, Q-T12: who came in between keeps its neighbours."""
    play = delayed(delay_persists=False)
    play.do("add", name="Newt", id="newt", sheet={"actions": 1}).do("answer", rolls={"initiative": [7]})
    assert play.state.order == ("ron", "lea", "newt", "w2")
    play.turns("w2")
    assert play.state.order == ("lea", "ron", "newt", "w2")


def unreturned(reading):
    play = table("lea", "pip", "ron", settings={"unreturned_delay": reading}).roll()
    return play.do("delay", who="lea").turns("pip").do("take", who="ron").do("end_turn")


def test_an_unreturned_delayer_has_the_last_turn():
    """Q-T5, ST-21."""
    play = unreturned("turn_at_end")
    assert (play.offered(), play.state.round) == ("lea", 1)


def test_an_unreturned_delayer_loses_the_turn():
    """Q-T5."""
    play = unreturned("lost")
    play.got("TurnForfeited", who="lea")
    assert (play.offered(), play.state.round) == ("pip", 2)
    assert play.state.order == ("pip", "ron", "lea")


def test_an_unreturned_delay_carries_over():
    """Q-T5: the next round begins with it; there is one turn for it, not two."""
    play = unreturned("carries")
    assert (play.offered(), play.state.round) == ("pip", 2)
    assert play.see("lea")["turn_state"] == "delayed"
    assert play.offers() == ["step_in"]
    play.turns("pip").do("step_in", who="lea").do("end_turn")
    assert play.offered() == "ron"
    play.turns("ron")
    assert (play.state.round, play.offered()) == (3, "pip")
    assert play.state.order == ("pip", "lea", "ron")


def test_nobody_carries_a_delay_alone():
    """Q-T5: where no one else is left, the delayer is offered its turn."""
    play = unreturned("carries").do("leave", who="pip").turns("ron")
    assert play.state.round == 3
    play.do("leave", who="ron")
    assert play.offered() == "lea"


# Ties


def test_a_tie_on_the_d6_is_thrown_again():
    """Q-T7, ST-16."""
    same = {"x": {"speed": 1}, "y": {"speed": 1}}
    play = table("x", "y", sheets=same).do("open_scene", mode="initiative")
    play.do("initiative", rolls={"initiative": [9, 9], "tie": [2, 2, 3, 5]})
    assert play.state.order == ("y", "x")


def test_a_tie_on_the_d6_falls_to_the_listing():
    """Q-T7: Speed again is equal again."""
    same = {"x": {"speed": 1}, "y": {"speed": 1}}
    play = table("x", "y", sheets=same, settings={"d6_tie": "speed"}).do("open_scene", mode="initiative")
    play.do("initiative", rolls={"initiative": [9, 9], "tie": [2, 2]})
    assert play.state.order == ("x", "y")


# The turn


def costly(**settings):
    """Lea's ward costs 2 Actions a turn."""
    play = table("lea", "w2", settings=settings).do("affect", who="lea", name="ward", upkeep=2, resource="actions")
    return play.roll().do("take", who="lea")


def test_dice_come_back_before_the_costs():
    """Q-T17: costs may be paid in Actions."""
    play = costly().do("pay")
    assert play.see("lea")["actions_left"] == 1
    assert play.see("lea")["turn_state"] == "acting"


def test_dice_come_back_after_the_steps():
    """Q-T17: then there is nothing to pay with."""
    play = costly(dice_recovered="after_step_4")
    play.got("UpkeepUnpaid", name="ward")
    names = [one.type for one in play.last]
    assert names.index("ActionDiceRecovered") > names.index("EffectEnded")
    assert play.see("lea")["actions_left"] == 3


def fallen(reading):
    sheets = {"lea": {"hp_now": 2, "mana": 5}}
    play = table("lea", "w2", sheets=sheets, settings={"down_in_start_steps": reading})
    play.do("poison", who="lea", amount=5).do("regeneration", who="lea", amount=1, upkeep=1)
    return play.roll().do("take", who="lea")


def test_who_falls_in_step_1_goes_on_to_step_4():
    """Q-T10."""
    play = fallen("finish_steps").do("pay")
    assert (play.asks(), play.see("lea")["hp"]) == (["down"], 1)


def test_who_falls_in_step_1_has_had_the_turn():
    """Q-T10."""
    play = fallen("turn_over")
    play.got("TurnEnded", who="lea", cause="down")
    assert not play.all("UpkeepAsked")
    assert play.offered() == "w2"
    assert play.see("lea")["hp"] == 0


def test_the_gm_is_asked_which_effect_comes_first():
    """Q-T23."""
    play = table("lea", "w2", settings={"effect_order": "ask"}, sheets={"lea": {"hp": 20, "mana": 3}})
    play.do("curse", who="lea", amount=2).do("poison", who="lea", amount=3)
    play.do("affect", who="lea", name="ward", upkeep=2).do("affect", who="lea", name="light", upkeep=2)
    play.roll().do("take", who="lea")
    assert play.asks() == ["effect_order"]
    poison = next(one.id for one in play.one("lea").effects if one.name == "poison")
    play.do("answer", choice=poison)
    assert [one.name for one in play.all("NegativeApplied")] == ["poison", "curse"]  # type: ignore[attr-defined]
    light = next(one.id for one in play.one("lea").effects if one.name == "light")
    play.do("answer", prompt="effect_order", choice=light).do("pay")
    assert [effect.name for effect in play.one("lea").effects] == ["curse", "poison", "light"]


# Rest


@pytest.mark.parametrize(("reading", "focus"), [("nothing", 0), ("short", 4)])
def test_a_broken_rest(reading, focus):
    """Q-T11: the setting is what is proposed; Enter takes it."""
    play = table("lea", settings={"rest_broken": reading}, sheets={"lea": {"focus": 4, "focus_now": 0}})
    play.do("full_rest").do("interrupt", minutes=40).do("advance")
    assert play.see("lea")["focus"] == focus


# Dice


def test_dice_of_the_table_are_asked_for():
    """ST-12: all throws at once."""
    from fightcall_engine.model.errors import NeedsDice

    play = table("lea", "pip", settings={"dice": "table", "scene_mode": "initiative"}).do("advance")
    with pytest.raises(NeedsDice) as owed:
        play.do("advance")
    assert [(one.purpose, one.dice) for one in owed.value.rolls] == [
        ("initiative.lea", "d20"),
        ("initiative.pip", "d20"),
    ]
    play.do("advance", rolls={"lea": [3], "pip": [4]})
    assert play.offered() == "lea"
