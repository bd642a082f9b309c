"""More worked examples of Active Phase Encounters: order, slots, prices, the end of a round, in every reading."""

from __future__ import annotations

import pytest

from fightcall_engine.play.fight import Fight

from .talking import ends, locked, ordered, round_over, slots, table

# Awareness, order, Stay, Initialization


def test_an_awareness_roll_is_the_die_and_the_sheets_number() -> None:
    """AP-01, Q-A1."""
    talk = table("ivo", "mara", sheets={"ivo": {"awareness": 3}}).do("start")
    talk.do("awareness", who="ivo", rolls={"awareness": [12]})
    talk.expect("AwarenessRolled", who="ivo", die=12, modifier=3).expect_combatant("ivo", awareness=15)


def test_an_awareness_result_may_be_less_than_nothing() -> None:
    """AP-02: only the ranking matters (Q-A1)."""
    talk = ordered(table(), ivo=-2, mara=0, teo=1)
    assert talk.state["cycle"] == [["teo"], ["mara"], ["ivo"]]


def test_awareness_is_rolled_again_before_the_lock_but_not_after() -> None:
    """Q-A22, AP-07."""
    talk = ordered(table())
    talk.do("awareness", who="mara", result=20)
    assert talk.state["cycle"] == [["mara"], ["ivo"], ["teo"]]
    talk.do("lock")
    talk.refused("AP-07", "awareness", who="teo", result=30)


def test_a_tie_in_the_middle_holds_the_next_band_until_both_are_done() -> None:
    """AP-03, AP-18."""
    talk = locked(table("ivo", "mara", "teo", "zed"), teo=14)
    assert talk.state["cycle"] == [["ivo"], ["mara", "teo"], ["zed"]]
    ends(talk, "ivo", "mara")
    assert slots(talk, "mara") == (0, 5)
    talk.expect_combatant("teo", ap_state="active", active_slots=4).expect_combatant("zed", ap_state="waiting")
    talk.do("end_ap", who="teo").expect("FinalPhaseBegan")


def test_those_of_one_band_act_by_turns_as_they_like() -> None:
    """AP-03; who is done first may use its reserve while the other acts (AP-17, AP-20)."""
    talk = locked(table(), mara=18)
    talk.do("act", who="ivo", ability="c1").do("act", who="mara", ability="c1").do("act", who="ivo", ability="c1")
    assert (slots(talk, "ivo"), slots(talk, "mara")) == ((5, 0), (4, 0))
    talk.do("end_ap", who="mara").do("react", who="mara", ability="r1")
    assert slots(talk, "mara") == (0, 3)
    talk.expect_combatant("teo", ap_state="waiting")


def test_an_npc_has_no_place_and_no_slots_however_aware() -> None:
    """AP-04."""
    talk = locked(table(sheets={"wolf": {"awareness": 30, "agility": 5}}))
    assert talk.state["cycle"] == [["ivo"], ["mara"], ["teo"]]
    talk.expect_combatant("wolf", active_slots=0, reserved_slots=0, slots_per_round=0)
    talk.refused("AP-04", "act", who="wolf", ability="bite", cost=1)
    talk.refused("AP-04", "end_ap", who="wolf")


def test_an_npc_acts_at_any_time_and_closes_nothing() -> None:
    """AP-05, Q-A12."""
    talk = ordered(table()).do("npc", who="wolf", what="howls")
    talk.expect("NpcActed", who="wolf", what="howls")
    talk.do("lock").do("npc", who="wolf", what="bites", target="ivo", damage=2, hit=True)
    talk.expect_combatant("ivo", active_slots=7, ap_state="active")
    assert talk.pool("ivo", "hp") == 8
    talk.expect_combatant("wolf", acted_round=1)


def test_a_pc_is_no_npc() -> None:
    """AP-04, AP-05: only those outside the Cycle act by the GM's own rules."""
    talk = locked(table())
    talk.refused("AP-04", "npc", who="ivo", what="bites")


def test_stay_to_the_very_end_makes_one_the_final_one() -> None:
    """AP-06, AP-22, AP-23."""
    talk = ordered(table()).do("stay", who="ivo", after="teo")
    assert talk.state["cycle"] == [["mara"], ["teo"], ["ivo"]]
    ends(talk.do("lock"), "mara", "teo")
    talk.expect("FinalPhaseBegan", figures=["ivo"])
    talk.do("act", who="ivo", ability="c1")
    assert slots(talk, "ivo") == (3, 0)


def test_the_last_one_cannot_stay() -> None:
    """AP-06: there is no later place."""
    talk = ordered(table())
    talk.refused("AP-06", "stay", who="teo", after="teo")
    talk.refused("AP-06", "stay", who="teo", after="mara")
    talk.refused("AP-04", "stay", who="wolf", after="teo")


def test_a_stay_is_undone_and_done_otherwise() -> None:
    """AP-06 before the lock."""
    talk = ordered(table()).do("stay", who="ivo", after="mara").do("undo")
    assert talk.state["cycle"] == [["ivo"], ["mara"], ["teo"]]
    talk.do("stay", who="mara", after="teo", together=True)
    assert talk.state["cycle"] == [["ivo"], ["teo", "mara"]] or talk.state["cycle"] == [["ivo"], ["mara", "teo"]]


def test_stay_after_the_lock_is_the_gms_word() -> None:
    """AP-07, GM override."""
    talk = locked(table())
    talk.refused("AP-07", "stay", who="mara", after="teo")
    talk.do("stay", who="mara", after="teo", force=True).expect("Overridden", rule="AP-07")
    assert talk.state["cycle"] == [["ivo"], ["teo"], ["mara"]]


def test_stay_in_each_round_holds_for_that_round() -> None:
    """Q-A3, `stay_mode = per_round`."""
    talk = locked(table(settings={"stay_mode": "per_round"}))
    talk.do("stay", who="mara", after="teo").do("end_ap", who="ivo")
    talk.expect_combatant("teo", ap_state="active").expect_combatant("mara", ap_state="waiting")
    round_over(talk)
    assert talk.state["cycle"] == [["ivo"], ["mara"], ["teo"]]
    ends(talk, "ivo")
    message = talk.refused("AP-07", "stay", who="mara", after="teo")
    assert "Mara" in message


def test_what_is_for_initialization_only_is_used_then() -> None:
    """AP-08, AP-09, GM override."""
    talk = ordered(table()).do("answer", prompt="stay")
    talk.do("init", who="ivo", effect="stance").expect("InitEffectResolved", who="ivo", effect="stance")
    talk.do("lock")
    talk.refused("AP-08", "act", who="ivo", ability="stance")
    talk.refused("AP-08", "init", who="ivo", effect="stance")
    talk.do("act", who="ivo", ability="stance", force=True).expect("Overridden", rule="AP-08")


def test_what_is_not_for_initialization_waits_for_slots() -> None:
    """AP-14: before the first Cycle nobody has any."""
    talk = ordered(table())
    assert slots(talk, "ivo") == (0, 0)
    assert talk.say(do="act", who="ivo", ability="c1")["ok"] is False


# Slots


@pytest.mark.parametrize(
    ("agility", "floor", "slots_gained"), [(6, 0, 11), (-4, 0, 1), (-6, 0, 0), (-5, 1, 1), (-9, 1, 1), (-4, 1, 1)]
)
def test_base_five_and_agility(agility: int, floor: int, slots_gained: int) -> None:
    """AP-12, Q-A6 in both settings."""
    talk = ordered(table("ivo", "mara", settings={"slot_floor": floor}, sheets={"ivo": {"agility": agility}}))
    talk.do("lock").expect("SlotsGained", who="ivo", base=5, agility=agility, total=slots_gained)


def test_every_change_of_slots_is_named_and_ends_in_its_time() -> None:
    """AP-13, AP-44."""
    mods = [{"source": "boots", "amount": 1}, {"source": "wound", "amount": -3, "rounds_left": 2}]
    talk = ordered(table(sheets={"ivo": {"slot_mods": mods}})).do("lock")
    talk.expect("SlotsGained", who="ivo", modifiers={"boots": 1, "wound": -3}, total=5)
    round_over(talk)
    talk.expect_combatant("ivo", active_slots=5)
    round_over(talk)
    talk.expect_combatant("ivo", active_slots=8)


def test_changes_below_nothing_leave_nothing() -> None:
    """AP-13, Q-A6: the floor is under the whole sum."""
    talk = ordered(table(sheets={"ivo": {"slot_mods": [{"source": "stun", "amount": -9}]}})).do("lock")
    talk.expect("SlotsGained", who="ivo", total=0).expect("SlotsGained", who="mara", total=5)


def test_a_change_of_slots_counts_from_the_next_gain() -> None:
    """AP-13, AP-14."""
    talk = locked(table())
    talk.do("affect", who="ivo", name="slow", kind="slots", amount=-2, rounds=2)
    talk.do("affect", who="mara", name="slow", kind="slots", amount=-2, rounds=1)
    assert slots(talk, "ivo") == (7, 0)
    talk.do("end_ap", who="ivo").expect("SlotsGained", who="mara", total=3)
    round_over(talk)
    talk.expect_combatant("ivo", active_slots=5).do("end_ap", who="ivo").expect("SlotsGained", who="mara", total=5)


def test_an_initialization_effect_may_raise_the_first_gain() -> None:
    """AP-09, AP-13."""
    talk = ordered(table()).do("answer", prompt="stay")
    talk.do("affect", who="ivo", name="haste", kind="slots", amount=2, rounds=1).do("lock")
    talk.expect_combatant("ivo", active_slots=9)
    round_over(talk)
    talk.expect_combatant("ivo", active_slots=7)


def test_a_price_of_all_there_is_ends_the_active_phase() -> None:
    """AP-16, AP-18, AP-19: nothing is left to react with."""
    talk = locked(table()).do("act", who="ivo", ability="feat", cost=7)
    talk.expect("SlotsSpent", who="ivo", amount=7, left=0).expect("ActivePhaseEnded", who="ivo", cause="spent")
    talk.expect("SlotsGained", who="mara", total=5).expect_none("SlotsReserved")
    talk.refused("AP-19", "react", who="ivo", ability="r1")
    talk.refused("AP-19", "react", who="ivo", ability="gift")


def test_one_slot_too_many_changes_nothing_until_the_gm_says_so() -> None:
    """AP-16, GM override: pools stay in bounds."""
    talk = locked(table())
    talk.refused("AP-16", "act", who="ivo", ability="feat", cost=8)
    talk.do("act", who="ivo", ability="feat", cost=8, force=True).expect("Overridden", rule="AP-16")
    assert slots(talk, "ivo") == (0, 0)


def test_nobody_acts_before_the_own_phase_or_after_it() -> None:
    """AP-14, AP-16, AP-19."""
    talk = locked(table())
    assert "Mara" in talk.refused("AP-14", "act", who="mara", ability="c1")
    talk.refused("AP-19", "react", who="mara", ability="r1")
    ends(talk, "ivo")
    assert talk.say(do="act", who="ivo", ability="c1")["ok"] is False
    assert talk.say(do="end_ap", who="ivo")["ok"] is False


def test_in_the_own_phase_there_is_no_reserve_yet() -> None:
    """AP-16, AP-17: slots are kept at its end only (Q-A20)."""
    talk = locked(table())
    talk.refused("AP-19", "react", who="ivo", ability="r1")


def test_slots_are_no_fractions_and_no_debts() -> None:
    talk = locked(table())
    for cost in (-1, 1.5, "many"):
        assert talk.say(do="act", who="ivo", ability="feat", cost=cost)["ok"] is False
        assert slots(talk, "ivo") == (7, 0)


# Reserved use and prices


def test_a_reserved_price_of_nothing_is_nothing_even_four_times() -> None:
    """AP-20, AP-21, AP-23."""
    talk = ends(locked(table()), "ivo").do("react", who="ivo", ability="gift")
    assert slots(talk, "ivo") == (0, 7)
    ends(talk, "mara").do("react", who="ivo", ability="gift")
    assert slots(talk, "ivo") == (0, 7)


def test_an_act_off_the_sheet_is_paid_from_reserve_on_the_gms_word() -> None:
    """AP-20: asked, and no where nothing is said."""
    talk = ends(locked(table()), "ivo")
    talk.refused("AP-20", "react", who="ivo", ability="duck", cost=1, allowed=False)
    talk.do("react", who="ivo", ability="duck", cost=1, allowed=True)
    assert slots(talk, "ivo") == (0, 6)
    talk.do("react", who="ivo", ability="duck", cost=1)
    assert slots(talk, "ivo") == (0, 6)
    talk.do("answer", prompt="reserved", choice="no")
    assert slots(talk, "ivo") == (0, 6)
    talk.do("react", who="ivo", ability="duck", cost=1).do("answer", prompt="reserved", choice="yes")
    assert slots(talk, "ivo") == (0, 5)


@pytest.mark.parametrize(("base", "price"), [("price_it_would_have", 8), ("active_price", 4)])
def test_what_is_taken_four_times(base: str, price: int) -> None:
    """AP-23, Q-A10: Active 1, Reserved 2, no Final price."""
    talk = ends(locked(table(settings={"final_base": base}, sheets={"ivo": {"agility": 4}})), "ivo", "mara")
    talk.do("react", who="ivo", ability="r2").expect("SlotsSpent", who="ivo", amount=price, left=9 - price)


def test_a_stated_final_price_is_not_taken_four_times() -> None:
    """AP-21, AP-23, Q-A11; a Final price of nothing is one too."""
    talk = ends(locked(table("ivo", "mara")), "ivo").do("react", who="ivo", ability="free end")
    assert slots(talk, "ivo") == (0, 7)
    talk.do("act", who="mara", ability="crown")
    assert slots(talk, "mara") == (0, 0)


def test_the_letter_of_the_final_price_for_holders_of_reserves_only() -> None:
    """Q-A2, `final_scope = reserved_only`."""
    talk = ends(locked(table(settings={"final_scope": "reserved_only"})), "ivo", "mara")
    talk.do("act", who="teo", ability="c1")
    assert slots(talk, "teo") == (3, 0)
    talk.do("react", who="ivo", ability="r1")
    assert slots(talk, "ivo") == (0, 3)


# Final Phase and the end of the round


def test_a_lone_pc_has_no_final_phase_and_keeps_slots_to_the_close() -> None:
    """Q-A2, AP-25..27; put right 17: it closes the round with its own end, and there is nobody else to call."""
    talk = locked(table("ivo")).do("act", who="ivo", ability="c1")
    assert slots(talk, "ivo") == (6, 0)
    talk.do("npc", who="wolf", what="howls").do("end_ap", who="ivo")
    talk.expect_none("FinalPhaseBegan").expect_none("SlotsDiscarded")
    talk.expect("SlotsReserved", who="ivo", amount=6).expect("HesitationLost", who="ivo", amount=6)
    talk.expect("FullRoundEnded", number=1)


def test_a_lone_pc_under_the_letter() -> None:
    """Q-A2, `final_single_band = on`."""
    talk = locked(table("ivo", settings={"final_single_band": "on"}))
    talk.refused("AP-23", "act", who="ivo", ability="feat", cost=2)
    talk.do("act", who="ivo", ability="c1").do("end_ap", who="ivo")
    talk.expect_none("SlotsReserved").expect("HesitationLost", who="ivo", amount=3)


def test_the_last_of_the_cycle_who_comes_round_has_the_final_phase() -> None:
    """AP-22, Q-A2, Q-A7: a lone PC's Final Phase has begun; one who can act again is the last before Upkeep."""
    fight = Fight.new("slots", seed="1", settings={"final_single_band": "on"})
    for name in ("Mara", "Ivo"):
        fight.give("join", name=name, side="party", sheet={"agility": 1, "hp": 10})
    fight.give("start")
    fight.give("awareness", who="mara", result=20)
    fight.give("awareness", who="ivo", result=5)
    fight.give("damage", who="ivo", amount=10)
    fight.give("lock")
    assert [step.phase for step in fight.state.agenda.steps[:2]] == ["final", "active"]
    fight.give("heal", who="ivo", amount=5)
    assert [step.phase for step in fight.state.agenda.steps[:2]] == ["final", "final"]


def test_in_a_single_band_the_first_to_finish_keeps_a_reserve() -> None:
    """Q-A25, default settings; the price is not taken four times."""
    talk = locked(table("ivo", "mara"), mara=18)
    talk.do("end_ap", who="ivo").expect("SlotsReserved", who="ivo", amount=7)
    talk.do("react", who="ivo", ability="r2")
    assert slots(talk, "ivo") == (0, 5)
    talk.do("end_ap", who="mara").expect("SlotsReserved", who="mara", amount=5)
    talk.do("answer", prompt="last_call", choice="close")
    talk.expect("HesitationLost", who="ivo", amount=5).expect("HesitationLost", who="mara", amount=5)


def test_in_a_tied_last_band_the_first_to_finish_keeps_nothing() -> None:
    """AP-25, Q-A13, Q-A25."""
    talk = ends(locked(table(), teo=14), "ivo", "mara")
    talk.refused("AP-19", "react", who="mara", ability="r1")
    talk.expect_combatant("teo", active_slots=4)


def test_slots_that_buy_nothing_more_are_lost() -> None:
    """AP-23, AP-25: 5 slots are one act of 1, and 1 lost."""
    talk = ends(locked(table("ivo", "mara")), "ivo").do("act", who="mara", ability="c1")
    assert "4" in talk.refused("AP-23", "act", who="mara", ability="c1")
    talk.do("end_ap", who="mara").expect("HesitationLost", who="mara", amount=1)


def test_nobody_left_able_before_the_last_makes_the_last_band_single() -> None:
    """Q-A2, Q-A7: only one band is able to act when it begins, but two had the round."""
    talk = locked(table()).do("rule", what="fate", who="teo", value="down")
    talk.do("rule", what="fate", who="ivo", value="down")
    talk.expect_combatant("mara", active_slots=5, ap_state="active")


def test_last_call_is_taken_until_nobody_can_pay() -> None:
    """AP-26, AP-27."""
    talk = ends(locked(table("ivo", "mara", sheets={"ivo": {"agility": 4}})), "ivo")
    talk.do("act", who="mara", ability="crown")
    assert "last_call" in talk.question_kinds()
    talk.do("react", who="ivo", ability="r1")
    assert slots(talk, "ivo") == (0, 5)
    talk.do("react", who="ivo", ability="r1")
    assert slots(talk, "ivo") == (0, 1)
    talk.do("answer", prompt="last_call", choice="close").do("answer", prompt="npc", choice="none")
    talk.expect("HesitationLost", who="ivo", amount=1).expect("FullRoundEnded", number=1)


@pytest.mark.parametrize("held", [True, False])
def test_a_last_pc_without_slots_waits_only_for_holders_of_reserves(held: bool) -> None:
    """Q-A16."""
    talk = locked(table("ivo", "zed"))
    talk.do("end_ap", who="ivo") if held else talk.do("act", who="ivo", ability="feat", cost=7)
    if held:
        talk.expect_none("FullRoundEnded").expect("FinalPhaseBegan").do("react", who="ivo", ability="r1")
        assert slots(talk, "ivo") == (0, 3)
    else:
        # AP-05: whether an NPC acts is still asked, and the last slot does not answer it (found in play 16).
        talk.expect_none("FullRoundEnded").do("answer", prompt="npc", choice="none")
        talk.expect("FullRoundEnded", number=1)


def test_reserves_do_not_reach_the_next_round() -> None:
    """AP-15, AP-27, AP-10."""
    talk = ends(locked(table()), "ivo", "mara", "teo").do("answer", prompt="last_call").do("answer", prompt="npc")
    for who in ("ivo", "mara", "teo"):
        assert slots(talk, who) == (0, 0)
    assert talk.state["clock_s"] == 5
    round_over(talk)
    assert (slots(talk, "ivo"), slots(talk, "mara")) == ((7, 0), (0, 0))
    talk.refused("AP-19", "react", who="mara", ability="r1")


def test_a_round_does_not_begin_while_another_runs() -> None:
    """AP-11, AP-26."""
    talk = locked(table())
    before = talk.state
    assert talk.say(do="round_start")["ok"] is False
    assert talk.state == before


def test_undo_goes_back_over_the_close_of_a_round() -> None:
    """Reserves, hit points, durations and the clock are as they were."""
    talk = ends(locked(table()), "ivo", "mara")
    talk.do("affect", who="mara", name="poison", kind="damage", amount=2, rounds=3)
    before = talk.state
    talk.do("end_ap", who="teo").do("upkeep")
    assert (talk.pool("mara", "hp"), talk.effects("mara")) == (8, {"poison": 2})
    after = talk.state
    talk.do("undo", steps=2)
    assert talk.state == before
    talk.do("redo").do("redo")
    assert talk.state == after
