"""Awareness, order, Stay, Initialization, late arrivals: AP-01..09, Q-A1, Q-A3, Q-A22, Q-A26."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.model.errors import NeedsDice

from .table import table


def test_without_a_pc_there_is_no_awareness_check():
    """AP-01, AP-04."""
    table("wolf").refused("AP-01", "start")


def test_enter_rolls_where_the_engine_throws_the_dice():
    """AP-01, Q-A1: the die and the sheet's number."""
    play = table(sheets={"ivo": {"awareness": 4}}).do("start").do("advance")
    rolled = next(one for one in play.heard if one.type == "AwarenessRolled" and one.who == "ivo")
    assert rolled.value == rolled.die + 4
    assert rolled.modifier == 4
    assert not [one for one in play.state.prompts if one.kind == "awareness"]


def test_the_tables_own_dice_are_asked_for_and_nothing_is_assumed():
    """AP-01: typed in, where the table throws its dice."""
    play = table("ivo", settings={"dice": "table"}).do("start")
    play.refused("AP-01", "advance")
    with pytest.raises(NeedsDice):
        play.do("answer", prompt="awareness", choice="roll")
    play.do("answer", prompt="awareness", choice="roll", rolls={"awareness.ivo": [12]})
    assert play.one("ivo").record.awareness == 12


def test_a_result_is_a_number_or_other_dice():
    """Q-A1."""
    play = table().do("start").do("answer", prompt="awareness", amount="2d6", rolls={"awareness": [3, 4]})
    assert play.one("ivo").record.awareness == 7
    play.refused("dice", "answer", prompt="awareness", amount="many")
    play.refused("AP-01", "answer", prompt="awareness", choice="result")


def test_the_die_is_a_setting():
    """Q-A1: any die will do, only the ranking matters."""
    play = table("ivo", settings={"awareness_die": "3d6"}).do("start").do("advance")
    assert next(one.dice for one in play.heard if one.type == "DiceRolled") == "3d6"


def test_until_the_lock_a_check_may_be_made_again():
    """Q-A22: and the order follows it."""
    play = table().ordered()
    play.do("awareness", who="teo", result=20)
    assert play.got("CycleOrdered").bands == (("teo",), ("ivo",), ("mara",))
    assert play.asks() == ["stay"]
    play.do("lock").refused("AP-07", "awareness", who="teo", result=1)


def test_npcs_make_no_check():
    """AP-04."""
    table("ivo", "wolf").ordered().refused("AP-04", "awareness", who="wolf", result=3)


@given(st.lists(st.integers(1, 25), min_size=1, max_size=6))
def test_the_cycle_runs_from_high_to_low_and_equals_share_a_place(results):
    """AP-02, AP-03: whatever is rolled."""
    names = [f"p{index}" for index in range(len(results))]
    rolled = dict(zip(names, results, strict=True))
    play = table(*names).ordered(rolled)
    bands = play.got("CycleOrdered").bands
    assert [sorted({rolled[who] for who in band}) for band in bands] == [
        [one] for one in sorted(set(results), reverse=True)
    ]
    assert play.state.order == tuple(who for band in bands for who in band)


def test_stay_asks_for_a_place_and_can_be_thought_better_of():
    """AP-06."""
    play = table().ordered()
    play.do("answer", prompt="stay", choice="ivo")
    asked = play.prompt("stay_place")
    assert ([choice.id for choice in asked.choices], asked.default) == (["mara", "teo", "no"], "mara")
    play.do("answer", prompt="stay_place", choice="no")
    assert play.asks() == ["stay"]
    play.do("advance")
    assert play.state.phase == "initialization"


def test_a_single_later_place_is_taken_without_a_question():
    """AP-06."""
    play = table().ordered().do("answer", prompt="stay", choice="mara")
    assert (play.got("StayDeclared").value, play.asks()) == ("teo", ["stay"])


@pytest.mark.parametrize("results", [{"ivo": 12}, {"ivo": 12, "mara": 12}])
def test_nobody_is_asked_to_stay_where_no_place_is_later(results):
    """AP-06, AP-08: one PC alone, or all of them in one place: Initialization opens at once."""
    play = table(*results, "wolf").ordered(results)
    assert (play.asks(), play.state.phase) == (["init"], "initialization")
    assert play.do("answer", prompt="init").state.round == 1


def test_a_check_made_again_may_leave_nobody_a_later_place():
    """AP-06, Q-A22: and one that brings back a later place does not ask about what is over."""
    play = table("ivo", "mara").ordered({"ivo": 12, "mara": 9})
    assert play.asks() == ["stay"]
    play.do("awareness", who="mara", result=12)
    assert (play.asks(), play.state.phase) == (["init"], "initialization")
    play.do("awareness", who="mara", result=9).do("stay", who="ivo", after="mara")
    assert (play.asks(), play.state.order) == (["init"], ("mara", "ivo"))


def test_who_shares_the_last_other_place_leaves_nobody_to_ask():
    """AP-06: by the GM's word both have one place now."""
    play = table("ivo", "mara").ordered({"ivo": 12, "mara": 9})
    play.do("stay", who="ivo", after="mara", together=True)
    assert (play.asks(), play.state.phase) == (["init"], "initialization")


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ({"who": "ivo"}, "AP-06"),
        ({"who": "ivo", "after": "ivo"}, "AP-06"),
        ({"who": "mara", "before": "teo"}, "AP-06"),
        ({"who": "mara", "after": "wolf"}, "AP-06"),
        ({"who": "wolf", "after": "teo"}, "AP-04"),
    ],
)
def test_stay_needs_a_later_place(data, rule):
    table("ivo", "mara", "teo", "wolf").ordered().refused(rule, "stay", **data)


def test_before_somebody_is_after_who_comes_before_them():
    """AP-06."""
    play = table().ordered().do("stay", who="ivo", before="teo")
    assert play.see("ivo")["place"] == 2


def test_who_shares_a_place_may_leave_it_for_the_next():
    """AP-06: directly after one's own band is later than with it."""
    play = table().ordered({"mara": 18}).do("stay", who="ivo", after="mara")
    assert play.got("CycleOrdered").bands == (("mara",), ("ivo",), ("teo",))


def test_the_gm_may_put_somebody_earlier_all_the_same():
    """AP-06, AP-07: by an override, which is recorded."""
    play = table().locked()
    play.do("stay", who="teo", before="ivo", force=True)
    assert {one.rule for one in play.all("Overridden")} == {"AP-06", "AP-07"}
    assert play.see("teo")["place"] == 1


def test_stay_in_every_round_is_for_that_round_only():
    """Q-A3: the other reading; the place itself is kept."""
    play = table(settings={"stay_mode": "per_round"}).locked().to_round(2)
    play.refused("AP-07", "stay", who="ivo", after="teo")
    play.do("stay", who="mara", after="teo")
    assert [step.title for step in play.state.agenda.steps][:3] == ["Ivo", "Teo", "Final: Mara"]
    play.to("teo").to("mara")
    assert play.state.phase == "final"
    play.to_round(3)
    assert [step.title for step in play.state.agenda.steps][:3] == ["Ivo", "Mara", "Final: Teo"]


def test_the_first_of_the_cycle_stays_in_the_upkeep_before():
    """AP-06, AP-11, Q-A3: each round begins with its slots, so that it could choose at no other time."""
    play = table(settings={"stay_mode": "per_round"}).locked()
    assert "Upkeep" in str(play.refused("AP-07", "stay", who="ivo", after="teo").accepts)
    play.to_upkeep()
    assert play.option("ivo", "stay").legal
    play.do("stay", who="ivo", after="teo").to_round(2)
    assert [step.title for step in play.state.agenda.steps][:3] == ["Mara", "Teo", "Final: Ivo"]
    play.to_upkeep().to_round(3)
    assert [step.title for step in play.state.agenda.steps][:3] == ["Ivo", "Mara", "Final: Teo"]
    usual = table().locked().to_upkeep()
    usual.refused("AP-07", "stay", who="ivo", after="teo")
    assert usual.fight.options("ivo") == ()


def test_initialization_comes_between_order_and_lock():
    """AP-08, AP-09."""
    play = table().ordered()
    play.refused("AP-08", "init", who="ivo", effect="oil the blade")
    play.do("advance")
    play.refused("AP-08", "init", who="ivo", effect=" ")
    play.do("init", who="ivo", effect="oil the blade", note="two bottles")
    play.do("advance")
    assert play.names().index("InitializationEnded") < play.names().index("FullRoundBegan")


def test_an_npc_uses_what_is_for_initialization_only_then_too():
    """AP-08, AP-05: at any time it acts by the GM's own rules, but an Effect keeps what its text says."""
    howl = {"name": "opening howl", "cost": 0, "init_only": True}
    play = table("ivo", "mara", "wolf", sheets={"wolf": {"abilities": [howl]}}).ordered().do("advance")
    play.copy().do("npc", who="wolf", what="opening howl").got("NpcActed")
    play.do("init", who="wolf", effect="opening howl").do("lock")
    play.refused("AP-08", "npc", who="wolf", what="opening howl")
    play.refused("AP-08", "npc", who="wolf", what="opening howl", rounds=2)
    assert [option.legal for option in play.fight.options("wolf")[:2]] == [False, True]
    play.do("npc", who="wolf", what="opening howl", force=True).got("Overridden", rule="AP-08")
    play.do("npc", who="wolf", what="howls")


def test_the_lock_comes_once_and_after_the_order():
    """AP-07."""
    play = table()
    play.do("start").refused("AP-07", "lock")
    play = table().locked()
    play.refused("AP-07", "lock")
    play.refused("AP-02", "order")
    play.refused("AP-11", "round_start")
    play.refused("AP-11", "start")


def test_a_pc_who_comes_before_the_lock_is_asked_for_a_result_and_listed():
    """AP-01, AP-02."""
    play = table().ordered().do("join", name="New", id="new")
    assert "awareness" in play.asks()
    play.do("awareness", who="new", result=16)
    assert play.got("CycleOrdered").bands == (("ivo",), ("new",), ("mara",), ("teo",))


def test_a_late_arrival_with_an_equal_result_joins_that_band():
    """Q-A26: ties join; first slots in the next Full Round."""
    play = table().locked().to_round(2)
    play.do("join", name="New", id="new").do("awareness", who="new", result=14).do("advance")
    play.to("mara")
    assert play.see("new")["ap_state"] == "waiting"
    play.to_round(3).to("new")
    assert play.fight.system.waiting(play.state) == ("mara", "new")


@pytest.mark.parametrize("result", [18, 16, 14, 11, 9, 3])
@pytest.mark.parametrize("now", ["ivo", "mara", "teo"])
def test_a_newcomer_has_slots_in_the_round_that_the_gm_says(now, result):
    """Q-A26, AP-05; put right 14: with the running place at once (AP-03), at a later place there, else next."""
    play = table().locked().to(now).do("join", name="New", id="new").do("awareness", who="new", result=result)
    label = {choice.id: choice.label for choice in play.prompt("late").choices}["this_round"]
    play.do("answer", prompt="late", choice="this_round")
    assert ("now" in label) == (play.slots("new") == (5, 0))
    number = play.state.round
    if "now" in label:
        assert set(play.fight.system.waiting(play.state)) == {now, "new"}
        assert not any("New" in step.title for step in play.state.agenda.steps), "it needs no step of its own"
    else:
        play.do("end_ap", who=now)
        is_next = play.fight.system.waiting(play.state) == ("new",)
        assert is_next or "at its place" in label
        play.to("new")
    assert play.state.round == number
    play.to_round(number + 1)
    assert not play.all("BandSkipped")


def test_a_newcomer_is_offered_this_round_only_while_slots_can_be_had():
    """Q-A26; put right 14: in Upkeep the round is over; in Slow Burn all gain at once, so it gains now (AP-48)."""
    over = table().locked().to_upkeep().do("join", name="New", id="new").do("awareness", who="new", result=11)
    assert [choice.id for choice in over.prompt("late").choices] == ["next_round"]
    play = table().locked().do("threats_over").do("slow_burn").do("answer", prompt="issue", amount=9).to_round(2)
    play.do("join", name="New", id="new").do("awareness", who="new", result=11)
    assert play.do("answer", prompt="late", choice="this_round").slots("new") == (5, 0)


def test_late_arrivals_keep_their_place_where_stay_is_for_one_round():
    """Q-A3, Q-A26."""
    play = table(settings={"stay_mode": "per_round"}).locked().do("stay", who="mara", after="teo")
    play.do("join", name="New", id="new").do("awareness", who="new", result=11).do("advance")
    play.to_round(2)
    assert [step.title for step in play.state.agenda.steps][:4] == ["Ivo", "Mara", "New", "Final: Teo"]


def test_a_late_npc_is_asked_for_nothing():
    """AP-04, Q-A12."""
    play = table().locked().do("join", name="Wolf", id="wolf", side="foe", sheet={"hp": 4})
    assert play.asks() == []
    play.do("npc", who="wolf", what="howls")


def test_a_band_that_leaves_the_fight_does_not_hold_it_up():
    play = table().locked().do("leave", who="ivo")
    assert play.fight.system.waiting(play.state) == ("mara",)
    play.do("leave", who="teo")
    assert play.state.phase == "active", "it was not Final as it began"


def test_who_has_left_is_not_asked_to_stay():
    play = table().ordered().do("leave", who="ivo")
    play.refused("AP-06", "answer", prompt="stay", choice="ivo")
    assert play.asks() == ["stay"]
    assert "ivo" not in [choice.id for choice in play.prompt("stay").choices]


@pytest.mark.parametrize("leaver", ["mara", "teo"])
def test_who_stays_is_asked_again_when_the_stayer_or_the_last_later_pc_leaves(leaver):
    """AP-06: the others may still Stay."""
    play = table().ordered().do("answer", prompt="stay", choice="mara").do("leave", who=leaver)
    assert play.asks() == ["stay"]
    play.do("answer", prompt="stay", choice="no")
    assert (play.asks(), play.state.phase) == (["init"], "initialization")


def test_the_lock_waits_for_the_result_of_whoever_joins_before_it():
    """AP-01, AP-02: whichever way the Cycle is locked, and in whichever step before it."""
    for step in ("ordering", "initialization"):
        play = table().ordered()
        play.until(lambda play=play, step=step: play.state.phase == step)
        play.do("join", name="Zed", id="zed", side="party", sheet={})
        assert play.refused("AP-01", "lock").accepts == ("awareness",)
        play.refused("AP-01", "round_start")
        assert play.option("ivo", "lock").why, "greyed out too"
        if step == "initialization":
            play.do("answer", prompt="init", choice="none")
        assert not play.state.record.locked
        play.do("awareness", who="zed", result=11)
        assert play.got("CycleOrdered").bands == (("ivo",), ("mara",), ("zed",), ("teo",))
        if step == "ordering":
            play.do("lock")
        assert play.state.round == 1, "in its place from the first round on"


def test_enter_rolls_for_whoever_joined_last_before_it_locks():
    """AP-01."""
    play = table().ordered().do("join", name="Zed", id="zed", side="party", sheet={})
    play.until(lambda: play.state.round == 1)
    assert play.one("zed").record.place
    assert play.one("zed").record.from_round == 0
    table_dice = table(settings={"dice": "table"}).ordered().do("join", name="Zed", id="zed", side="party", sheet={})
    table_dice.refused("AP-01", "advance")


def test_the_gm_may_lock_without_a_result():
    """AP-01, Q-A26: who has none yet comes later."""
    play = table().ordered().do("join", name="Zed", id="zed", side="party", sheet={})
    play.do("lock", force=True).do("answer", prompt="awareness", amount=11)
    assert play.asks() == ["late"]


def test_an_effect_that_was_used_is_offered_no_more():
    """AP-08, AP-09: whether it was picked from the question or named by command."""
    play = table(has={"ivo": ["stance"], "mara": ["stance"]}).ordered().do("answer", prompt="stay", choice="no")
    play.do("init", who="ivo", effect="Opening Stance")
    assert play.got("InitEffectResolved").effect == "opening stance"
    assert [choice.id for choice in play.prompt("init").choices] == ["none", "mara:opening stance"]
    play.do("answer", prompt="init", choice="mara:opening stance")
    assert [choice.id for choice in play.prompt("init").choices] == ["none"]


def test_an_effect_that_was_used_stays_so_when_another_pc_leaves():
    """AP-08: the leaver's are offered no more either."""
    play = table(has={who: ["stance"] for who in ("ivo", "mara", "teo")}).ordered()
    play.do("answer", prompt="stay", choice="no").do("answer", prompt="init", choice="ivo:opening stance")
    play.do("leave", who="mara")
    assert [choice.id for choice in play.prompt("init").choices] == ["none", "teo:opening stance"]


def test_an_effect_that_no_sheet_lists_leaves_the_question_as_it_is():
    """AP-08: any effect may be named."""
    play = table(has={"ivo": ["stance"]}).ordered().do("answer", prompt="stay", choice="no")
    asked = play.prompt("init")
    play.do("init", who="mara", effect="oil the blade")
    assert play.got("InitEffectResolved").effect == "oil the blade"
    assert play.prompt("init") == asked


def test_effects_are_numbered_from_one_and_keep_their_numbers():
    """AP-08: a key means the same effect before and after another one was used."""
    play = table(has={"ivo": ["stance"], "mara": ["stance"]}).ordered().do("answer", prompt="stay", choice="no")
    assert [choice.key for choice in play.prompt("init").choices] == ["-", "1", "2"]
    play.do("init", who="ivo", effect="Opening Stance")
    assert [choice.key for choice in play.prompt("init").choices] == ["-", "2"]


def test_who_leaves_owes_nothing():
    """AP-01: the lock waits no longer."""
    play = table().ordered().do("answer", prompt="stay", choice="no")
    play.do("join", name="Zed", id="zed", side="party", sheet={}).do("answer", prompt="init", choice="none")
    play.do("leave", who="zed")
    assert play.state.round == 1


@pytest.mark.parametrize(
    ("stay", "again", "bands"),
    [
        ({"who": "ivo", "after": "mara"}, ("teo", 11), ["mara", "ivo", "teo"]),
        ({"who": "ivo", "after": "mara"}, ("teo", 16), ["teo", "mara", "ivo"]),
        ({"who": "ivo", "after": "mara"}, ("mara", 5), ["teo", "mara", "ivo"]),
        ({"who": "ivo", "after": "mara"}, ("ivo", 20), ["mara", "ivo", "teo"]),
        ({"who": "ivo", "after": "mara"}, ("ivo", 3), ["mara", "teo", "ivo"]),
        ({"who": "ivo", "after": "teo"}, ("mara", 9), ["mara+teo", "ivo"]),
        ({"who": "ivo", "after": "mara", "together": True}, ("teo", 11), ["mara+ivo", "teo"]),
    ],
)
def test_a_check_made_again_leaves_declared_stays_alone(stay, again, bands):
    """AP-06, Q-A22: who Stays is still directly after, or with, whom it said; and never earlier than its own roll."""
    play = table().ordered().do("stay", **stay)
    play.do("awareness", who=again[0], result=again[1])
    found = [{*band} for band in play.got("CycleOrdered").bands]
    assert found == [{*band.split("+")} for band in bands]


def test_several_stays_stand_in_the_order_they_were_declared():
    """AP-06, Q-A22."""
    play = table("ivo", "mara", "teo", "zed").ordered()
    play.do("stay", who="ivo", after="mara").do("stay", who="mara", after="zed")
    before = play.got("CycleOrdered").bands
    assert before == (("ivo",), ("zed",), ("mara",), ("teo",))
    play.do("awareness", who="teo", result=8)
    assert play.got("CycleOrdered").bands == before
