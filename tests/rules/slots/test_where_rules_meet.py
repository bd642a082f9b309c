"""Where two rules meet: ties, reserves, the Final Phase, Upkeep, long actions and Slow Burn at one another's bounds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from .table import ABILITIES, Play, spent_and_lost, table

LIFT = {"name": "lift", "cost": 1, "combo": {"partners": 1, "partner_cost": 1}}
GIFT = {"name": "gift", "cost": 3, "cost_reserved": 0}
CROWN = {"name": "crown", "cost": 2, "cost_final": 1}
BLUNT = {"name": "blunt", "cost": 1, "finisher": "knockout"}


def sheet(*abilities: str | Mapping[str, object], hp: int = 10) -> Mapping[str, object]:
    """A sheet with hit points and these abilities, by name where the table knows them."""
    listed = [ABILITIES[entry] if isinstance(entry, str) else entry for entry in abilities]
    return {"hp": hp, "abilities": listed}


def slow_burn(play: Play) -> Play:
    """Into the next round, the threats being over."""
    number = play.state.round
    play.do("threats_over").do("outro", choice="slow_burn").do("answer", prompt="issue", amount=20)
    return play.to_round(number + 1)


# Ties and Combos


def test_a_band_mate_whose_last_slot_finishes_a_combo_is_done_and_the_other_is_not():
    """AP-03, AP-33, AP-18: the next in the Cycle still has no slots."""
    play = table(sheets={"ivo": sheet(LIFT)}).locked({"mara": 18}).do("act", who="mara", cost=4)
    play.do("combo", who="ivo", partner="mara", ability="lift", in_range=True)
    play.got("ActivePhaseEnded", who="mara", cause="spent")
    assert (play.slots("ivo"), play.slots("teo")) == ((6, 0), (0, 0))


def test_who_has_discarded_in_a_tied_final_phase_finishes_no_combo():
    """AP-25, AP-32: what is lost to Hesitation is neither active nor in reserve; who waits has none yet (AP-14)."""
    play = table(sheets={"ivo": sheet(LIFT), "mara": sheet(LIFT)}).locked({"teo": 14})
    play.refused("AP-32", "combo", who="ivo", partner="mara", ability="lift", in_range=True)
    play.do("end_ap", who="ivo").do("end_ap", who="teo")
    play.refused("AP-32", "combo", who="mara", partner="teo", ability="lift", in_range=True)


def test_a_combo_may_take_the_last_slots_of_the_round_but_not_begin_in_the_last_call():
    """AP-33, AP-23, AP-26: only who is active initiates it."""
    play = table(sheets={"ivo": sheet(LIFT), "teo": sheet(LIFT)}).locked().do("act", who="ivo", cost=3)
    play.do("end_ap", who="ivo").do("act", who="mara", cost=5)
    late = play.copy().do("end_ap", who="teo")
    assert late.asks() == ["last_call"]
    late.refused("AP-33", "combo", who="ivo", partner="mara", ability="lift", in_range=True)
    play.do("combo", who="teo", partner="ivo", ability="lift", in_range=True).got("FullRoundEnded", number=1)


def test_a_combo_is_no_use_for_a_reserve_in_the_last_call():
    """AP-33, AP-26: though its Final price is at hand, for only who is active initiates it."""
    lift = {**LIFT, "cost_final": 1, "reserved_ok": True}
    play = table("ivo", "mara", sheets={"ivo": {"abilities": [lift]}}).locked()
    play.do("act", who="ivo", ability="a leap", cost=5).do("end_ap", who="ivo").do("end_ap", who="mara")
    play.got("HesitationLost", who="ivo", amount=2)


@pytest.mark.parametrize("answered", [False, True])
def test_a_last_call_is_over_where_somebody_has_an_active_phase_to_come_after_all(answered: bool):
    """AP-18, AP-26: the Full Round ends with the last of the Cycle, and before that end reserves have their call."""
    play = table("ivo", "mara", "teo", sheets={"ivo": sheet(), "teo": sheet()}).locked()
    play.do("damage", who="teo", amount=10).do("end_ap", who="ivo").do("end_ap", who="mara")
    assert play.asks() == ["last_call"]
    if answered:
        play.do("answer", prompt="last_call", choice="spend")
    play.do("heal", who="teo", amount=3)
    assert (play.slots("ivo"), play.slots("teo"), play.asks()) == ((0, 7), (4, 0), [])
    play.do("end_ap", who="teo")
    assert (play.slots("ivo"), play.asks()) == ((0, 7), ["last_call"])


def test_a_last_call_is_over_where_somebody_arrives_last_and_acts_in_this_round():
    """AP-26, Q-A26: the round goes on with the newcomer, and the call comes again after its Active Phase."""
    play = table("ivo", "mara", sheets={"ivo": sheet()}).locked({"mara": 18}).do("end_ap", who="ivo")
    play.do("end_ap", who="mara")
    assert play.asks() == ["last_call"]
    play.do("join", name="Zed", id="zed", side="party").do("awareness", who="zed", result=3)
    play.do("answer", prompt="late", choice="this_round")
    assert (play.slots("ivo"), play.slots("zed"), play.asks()) == ((0, 7), (5, 0), [])
    play.do("end_ap", who="zed")
    assert (play.slots("ivo"), play.asks()) == ((0, 7), ["last_call"])


@pytest.mark.parametrize(("result", "place"), [(18, "with Ivo"), (9, "with Teo"), (10, "before Teo"), (8, "last")])
def test_a_newcomer_is_told_its_place_in_the_cycle(result: int, place: str):
    """Q-A26: with whom, or before whom."""
    play = table("ivo", "teo", sheets={"ivo": sheet(), "teo": sheet()}).locked()
    play.do("join", name="Zed", id="zed", side="party").do("awareness", who="zed", result=result)
    assert place in next(prompt.question for prompt in play.state.prompts if prompt.kind == "late")


# Reserves


def test_a_price_of_nothing_still_needs_a_reserved_slot():
    """AP-19, AP-31: without one nobody moves or reacts off-turn, not even for free."""
    play = table(sheets={"ivo": sheet(GIFT)}).locked()
    play.refused("AP-19", "handle", who="teo", what="open the door", shared=False)
    spent = play.copy().do("act", who="ivo", cost=7)
    spent.refused("AP-19", "react", who="ivo", ability="gift")
    spent.refused("AP-19", "handle", who="ivo", what="open the door", shared=False)
    play.do("act", who="ivo", cost=6).do("end_ap", who="ivo")
    play.do("react", who="ivo", ability="gift").do("handle", who="ivo", what="open the door", shared=False)
    assert play.slots("ivo") == (0, 1)


def test_neither_a_final_price_nor_a_finisher_permits_reserved_slots():
    """AP-20, AP-21, AP-30: only a text that clearly says so does."""
    play = table("ivo", "mara", "teo", "wolf", sheets={"ivo": sheet(CROWN, BLUNT), "wolf": {"vulnerable": True}})
    play.locked().do("end_ap", who="ivo").do("npc", who="wolf", what="bites", target="mara")
    play.refused("AP-20", "react", who="ivo", ability="blunt", target="wolf")
    play.to("teo").refused("AP-20", "react", who="ivo", ability="crown")


def test_who_is_active_breaks_an_interjection_with_action_slots():
    """AP-29: by a text that says Interjections; one for Active Phase Actions does not, and who waits cannot (AP-19)."""
    play = table(has={"ivo": ["r1"], "mara": ["parry", "breaks"], "teo": ["parry"]}).locked()
    play.do("end_ap", who="ivo").do("react", who="ivo", ability="r1")
    play.refused("AP-29", "act", who="mara", ability="breaks", target="ivo", interrupt=True)
    play.refused("AP-19", "react", who="teo", ability="parry", target="ivo", interrupt=True)
    play.do("act", who="mara", ability="parry", target="ivo", interrupt=True).got("Interrupted", rule="AP-29")
    assert (play.slots("ivo"), play.slots("mara")) == ((0, 6), (4, 0))


def test_a_finisher_whose_text_interrupts_does_so_by_that_text_with_action_slots():
    """AP-29, AP-30: being a finisher helps with Reserved or Final Phase Slots only, and the log says which it was."""
    grab = {**ABILITIES["breaks"], "finisher": "knockout"}
    play = table("ivo", "mara", "teo", "wolf", sheets={"ivo": sheet(grab), "wolf": {"vulnerable": True}}).locked()
    play.do("npc", who="wolf", what="bites", target="mara")
    kept = play.copy().do("end_ap", who="ivo")
    play.do("act", who="ivo", ability="breaks", target="wolf", interrupt=True).got("Interrupted", rule="AP-29")
    kept.do("react", who="ivo", ability="breaks", target="wolf").got("Interrupted", rule="AP-30")


def test_a_reserve_is_lost_with_the_round_and_not_with_a_fall():
    """AP-27: whoever is up again in the same round reacts with it; whoever is not loses it to Hesitation."""
    play = table(sheets={"ivo": sheet("r1")}).locked().do("end_ap", who="ivo").do("damage", who="ivo", amount=10)
    play.refused("AP-16", "react", who="ivo", ability="r1")
    assert "Ivo has 7 reserved slots" in play.fight.system.reminders(play.state)
    up = play.copy().do("heal", who="ivo", amount=3).do("react", who="ivo", ability="r1")
    assert up.slots("ivo") == (0, 6)
    play.to_upkeep()
    assert ("ivo", 7) in [(one.who, one.amount) for one in play.heard if one.type == "HesitationLost"]  # type: ignore[attr-defined]


# Falling and the Final Phase


def test_who_falls_in_the_final_phase_loses_its_slots_and_the_others_have_their_last_call():
    """AP-25, AP-26, Q-A7."""
    play = table(sheets={"teo": sheet()}).locked().to("teo").do("damage", who="teo", amount=10)
    play.got("HesitationLost", who="teo", amount=4)
    assert play.asks() == ["last_call"]


def test_the_last_has_a_final_phase_though_the_first_fell_in_its_own():
    """AP-22, Q-A2: two had slots in this round. Whoever lies there has no last call."""
    play = table("ivo", "mara", has={"mara": ["c1"]}, sheets={"ivo": sheet()}).locked()
    play.do("damage", who="ivo", amount=10).got("FinalPhaseBegan", figures=("mara",))
    play.do("act", who="mara", ability="c1").got("SlotsSpent", amount=4)
    play.do("end_ap", who="mara").got("HesitationLost", who="ivo", amount=7)


def test_the_last_has_a_final_phase_though_the_first_left_in_its_own():
    """AP-22, Q-A2: as where the first falls, two had slots in this round."""
    play = table("ivo", "mara", has={"mara": ["c1"]}).locked().do("leave", who="ivo")
    play.got("FinalPhaseBegan", figures=("mara",))
    play.do("act", who="mara", ability="c1").got("SlotsSpent", amount=4)


def test_the_last_has_a_final_phase_though_another_was_the_last_who_could_act():
    """AP-22, AP-23, AP-25, Q-A7: what Teo, who is up again, does last costs four times, and the rest is lost."""
    play = table(has={"mara": ["c1"]}, sheets={"teo": sheet("c1")}).locked()
    play.do("damage", who="teo", amount=10).to("mara").got("FinalPhaseBegan", figures=("mara",))
    play.do("act", who="mara", ability="c1").got("SlotsSpent", amount=4)
    play.do("heal", who="teo", amount=3).do("end_ap", who="mara").got("HesitationLost", who="mara", amount=1)
    play.got("FinalPhaseBegan", figures=("teo",))
    assert play.fight.explain("teo", "final").parts[0].value == "Teo"
    play.do("act", who="teo", ability="c1").got("SlotsSpent", amount=4, left=0)


def test_a_late_arrival_behind_the_last_takes_the_final_phase_over():
    """AP-22, Q-A26, AP-17: what Teo does then costs the usual, and what he has left is kept."""
    play = table(has={"teo": ["c1"]}).locked().to("mara").do("join", name="New", id="new")
    play.do("awareness", who="new", result=3).do("answer", prompt="late", choice="this_round")
    play.do("end_ap", who="mara").do("act", who="teo", ability="c1").got("SlotsSpent", amount=1, left=3)
    play.do("end_ap", who="teo").got("SlotsReserved", amount=3)
    play.got("FinalPhaseBegan", figures=("new",))


def test_a_combo_that_finishes_in_the_final_phase_interrupts():
    """AP-30, AP-33: with Final Phase Slots, whoever pays the rest."""
    grab = {**LIFT, "name": "grab", "finisher": "knockout"}
    play = table("ivo", "mara", "teo", "wolf", sheets={"teo": sheet(grab), "wolf": {"vulnerable": True}}).locked()
    play.to("teo").do("npc", who="wolf", what="bites", target="mara")
    play.do("combo", who="teo", partner="ivo", ability="grab", target="wolf", in_range=True)
    play.got("Interrupted", target="wolf", rule="AP-30")


@pytest.mark.parametrize(("who", "price"), [(("ivo", "mara", "teo"), 4), (("ivo", "mara"), 1)])
def test_whose_last_pulse_kills_leaves_the_final_phase_to_the_one_before(who, price):
    """AP-22, AP-44, AP-45, Q-A2: where that one is alone there is none."""
    *_, last_but_one, last = who
    play = table(*who, has={last_but_one: ["c1"]}, sheets={last: sheet(hp=2)}).locked()
    play.do("affect", who=last, name="poison", kind="damage", amount=2, rounds=1).to_upkeep().do("advance")
    play.do("answer", prompt="zero", choice="dead").got("EffectExpired", who=last, name="poison")
    play.to_round(2).to(last_but_one).do("act", who=last_but_one, ability="c1").got("SlotsSpent", amount=price)


def test_upkeep_comes_and_heals_where_nobody_can_act():
    """AP-42, AP-45, AP-10: the round closes by itself, and five seconds are over."""
    play = table("ivo", "mara", sheets={"ivo": sheet(), "mara": sheet()}).locked().to_upkeep()
    play.do("damage", who="ivo", amount=10).do("damage", who="mara", amount=10)
    play.do("affect", who="mara", name="salve", kind="heal", amount=1, rounds=2)
    play.do("answer", prompt="upkeep", choice="all")
    assert play.slots("mara") == (5, 0)
    play.do("damage", who="mara", amount=1).to_round(3)
    assert (play.state.clock_s, play.see("mara")["hp"], play.see("ivo")["able"]) == (10, 1, False)


# Actions of several rounds


def test_who_gains_no_slots_cannot_finish_and_loses_what_was_paid():
    """AP-36, AP-13: an Effect leaves Mara nothing to go on with."""
    play = table(has={"mara": ["long"]}).locked().to("mara").do("begin", who="mara", ability="long", result=16)
    play.do("affect", who="mara", name="dazed", kind="slots", amount=-5, rounds=2)
    play.do("answer", prompt="finish", choice="yes").to_round(2).do("end_ap", who="ivo")
    play.got("MultiRoundLost", who="mara", lost=5)


def test_a_pulse_that_fells_at_upkeep_ends_what_was_begun():
    """AP-36, AP-45: not before the GM has judged."""
    play = table(sheets={"mara": sheet("long", hp=3)}).locked().to("mara")
    play.do("affect", who="mara", name="poison", kind="damage", amount=3)
    play.do("begin", who="mara", ability="long", result=16).to_upkeep().do("advance")
    assert play.see("mara")["action_in_progress"]
    play.do("answer", prompt="zero", choice="down").got("MultiRoundLost", who="mara", lost=5)


def test_what_is_begun_in_part_in_the_final_phase_goes_on_and_the_rest_is_lost():
    """AP-25, AP-34, Q-A14: 2 of 8 paid, 2 lost to Hesitation, 4 paid one for one in the next Final Phase."""
    play = table(has={"teo": ["slow"]}).locked().to("teo").do("begin", who="teo", ability="slow", pay=2, result=9)
    play.do("end_ap", who="teo").got("HesitationLost", who="teo", amount=2)
    play.to_round(2).to("teo").do("continue", who="teo").got("MultiRoundPaid", paid=6, needed=8)


def test_what_is_broken_as_it_begins_takes_its_slots_and_no_more():
    """AP-29, AP-36: 3 of 8 are gone; Mara acts on with her other 2, and may begin anew."""
    play = table(has={"ivo": ["breaks"], "mara": ["long"]}).locked().do("end_ap", who="ivo")
    play.do("begin", who="mara", ability="long", pay=3, result=16)
    play.do("react", who="ivo", ability="breaks", target="mara", interrupt=True)
    play.got("MultiRoundLost", who="mara", lost=3)
    play.do("begin", who="mara", ability="long", pay=1, result=3)
    assert play.slots("mara") == (1, 0)


def test_what_was_begun_is_paid_one_for_one_where_its_owner_stays_into_the_final_phase():
    """AP-06, AP-35, Q-A3, Q-A14: 5 of 8 are due, and the 2 that are left buy nothing at four times the price."""
    play = table(settings={"stay_mode": "per_round"}, has={"ivo": ["long", "c1"]}).locked()
    play.do("begin", who="ivo", ability="long", pay=3, result=3).to_upkeep().do("stay", who="ivo", after="teo")
    play.to_round(2).to("ivo").do("continue", who="ivo").got("MultiRoundCompleted", done=8)
    play.refused("AP-23", "act", who="ivo", ability="c1")
    assert play.slots("ivo") == (2, 0)


@pytest.mark.parametrize(("command", "outcome"), [("continue", "MultiRoundCompleted"), ("end_ap", "MultiRoundLost")])
def test_a_slow_burn_goes_on_with_what_was_begun_in_the_fight(command, outcome):
    """AP-35, AP-48, Q-A15: its rounds are rounds; what nothing is paid for in one is lost."""
    play = table(has={"mara": ["long"]}).locked().to("mara").do("begin", who="mara", ability="long", result=16)
    slow_burn(play).do(command, who="mara").got(outcome, who="mara")


# Upkeep, sums and undo


def test_a_countdown_that_is_waived_still_counts_in_the_next_gain():
    """AP-13, AP-44: the slow of one round is there for another."""
    play = table().locked().do("affect", who="ivo", name="slow", kind="slots", amount=-2, rounds=1).to_upkeep()
    play.do("answer", prompt="upkeep", choice="none")
    play.do("answer", prompt="upkeep_effect", choice="waive", note="the mud is deep").got("SlotsGained", total=5)
    play.undo().do("answer", prompt="upkeep_effect", choice="apply").got("SlotsGained", total=7)


def test_healing_is_not_set_against_harm_that_is_waived():
    """AP-45, Q-A17: Mara at 5 is healed for 2, and the cut of 3 stays as it was."""
    play = table(sheets={"mara": sheet()}).locked().do("adjust", who="mara", what="hp", value=5)
    play.do("affect", who="mara", name="cut", kind="damage", amount=3, rounds=1)
    play.do("affect", who="mara", name="salve", kind="heal", amount=2, rounds=1).to_upkeep()
    play.do("answer", prompt="upkeep", choice="none")
    play.do("answer", prompt="upkeep_effect", choice="waive", note="bound up")
    play.do("answer", prompt="upkeep_effect", choice="apply")
    assert (play.see("mara")["hp"], play.see("mara")["effects"]) == (7, {"cut": 1})


@pytest.mark.parametrize("burns", [True, False])
def test_an_upkeep_in_which_the_threats_are_over_still_resolves(burns):
    """AP-46, AP-48, AP-45: the Upkeeps keep coming, unless All Resolve ends them."""
    play = table(sheets={"mara": sheet()}).locked().do("affect", who="mara", name="cut", kind="damage", amount=3)
    play.to_upkeep().do("answer", prompt="upkeep", choice="over")
    if burns:
        play.do("outro", choice="slow_burn").do("answer", prompt="issue", amount=9)
    else:
        play.do("threats_back")
    assert play.to_round(2).see("mara")["hp"] == 7


def test_in_slow_burn_who_gets_up_gains_slots_with_the_next_round_and_who_dies_gains_none():
    """AP-14, AP-48, AP-51."""
    play = table(sheets={"ivo": sheet(hp=2), "mara": sheet()}).locked().do("damage", who="mara", amount=10)
    play.do("affect", who="ivo", name="bleeding", kind="damage", amount=1)
    slow_burn(play).do("heal", who="mara", amount=1)
    assert play.slots("mara") == (0, 0)
    play.do("upkeep").do("answer", prompt="zero", choice="dead")
    assert (play.slots("mara"), play.slots("ivo"), play.state.round) == ((5, 0), (0, 0), 3)


def test_what_begins_in_the_final_phase_for_one_round_ends_in_the_upkeep_right_after():
    """AP-44: a round is counted at its end, however much of it was left."""
    play = table().locked().to("teo").do("affect", who="ivo", name="blessed", kind="buff", rounds=1).to_round(2)
    assert play.see("ivo")["effects"] == {}


def test_slots_gained_are_spent_or_lost_whatever_is_broken_shared_and_dear():
    """AP-15, AP-27: in a round with a Combo, an action that is broken, a Final Phase Action and Hesitation."""
    play = table(has={"ivo": ["breaks"], "mara": ["long", "combo"], "teo": ["c1"]}).ordered().do("lock")
    play.do("act", who="ivo", cost=1).do("end_ap", who="ivo")
    play.do("combo", who="mara", partner="ivo", ability="combo", in_range=True)
    play.do("begin", who="mara", ability="long", pay=2, result=4)
    play.do("react", who="ivo", ability="breaks", target="mara", interrupt=True)
    play.do("end_ap", who="mara").do("act", who="teo", ability="c1").to_upkeep()
    assert spent_and_lost(play.heard) == (16, 11, 5)


def test_undo_goes_back_over_the_last_call_and_over_the_begin_of_the_final_phase():
    """AP-22, AP-26: slots, reserves and the four-fold price are as they were."""
    play = table().locked().do("end_ap", who="ivo").do("end_ap", who="mara").do("end_ap", who="teo")
    play.do("answer", prompt="last_call", choice="close").undo()
    assert (play.asks(), play.slots("ivo"), play.slots("teo")) == (["last_call"], (0, 7), (0, 0))
    assert (play.undo().slots("teo"), play.see_fight()["final"]) == ((4, 0), True)
    assert (play.undo().slots("mara"), play.slots("teo"), play.see_fight()["final"]) == ((5, 0), (0, 0), False)


def test_undo_goes_back_over_a_death_at_upkeep_and_into_the_round():
    """AP-45, AP-51, AP-27: the judgement, the pulse, and the reserves that were lost."""
    play = table(sheets={"mara": sheet(hp=2)}).locked().do("affect", who="mara", name="cut", kind="damage", amount=3)
    play.to_upkeep().do("advance").do("answer", prompt="zero", choice="dead")
    assert (play.state.round, play.undo().asks(), play.see("mara")["able"]) == (2, ["zero"], True)
    assert (play.undo().asks(), play.see("mara")["hp"]) == (["upkeep"], 2)
    assert (play.undo().asks(), play.slots("ivo")) == (["last_call"], (0, 7))
