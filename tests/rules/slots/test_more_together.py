"""More worked examples of Active Phase Encounters: interrupts, Combos, long actions, newcomers."""

from __future__ import annotations

import pytest

from fightcall_engine.board.base import Hex
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

from ..talk import Talk
from .talking import ends, locked, ordered, round_over, slots, table


def vulnerable(talk: Talk, who: str) -> Talk:
    return talk.do("rule", what="vulnerable", who=who, value=True)


# Interrupts


def test_an_interrupt_text_breaks_what_an_npc_does() -> None:
    """AP-29: for reserve, at the Reserved price; the entry of the NPC is marked."""
    talk = ends(locked(table()), "ivo").do("npc", who="wolf", what="bites", target="mara")
    talk.do("react", who="ivo", ability="breaks", target="wolf", interrupt=True)
    talk.expect("Interrupted", by="ivo", target="wolf").expect("SlotsSpent", who="ivo", amount=1)
    talk.expect_combatant("wolf", interrupted=True)


def test_an_interrupt_text_for_interjections_breaks_no_action() -> None:
    """AP-29: the text says what it can interrupt."""
    talk = ends(locked(table()), "ivo").do("act", who="mara", ability="c1")
    talk.refused("AP-29", "react", who="ivo", ability="parry", target="mara", interrupt=True)
    talk.do("react", who="ivo", ability="breaks", target="mara", interrupt=True).expect("Interrupted")


def test_an_interjection_is_broken_by_what_says_so() -> None:
    """AP-29: an act with Reserved Slots is an Interjection."""
    talk = ends(locked(table("ivo", "mara", "teo", "zed"), mara=18), "ivo", "mara")
    talk.do("react", who="ivo", ability="r1")
    talk.refused("AP-29", "react", who="mara", ability="breaks", target="ivo", interrupt=True)
    talk.do("react", who="mara", ability="parry", target="ivo", interrupt=True)
    talk.expect("Interrupted", by="mara", target="ivo")


def test_the_gm_lets_an_interrupt_pass_without_a_text() -> None:
    """AP-29, GM override."""
    talk = ends(locked(table()), "ivo").do("npc", who="wolf", what="bites", target="mara")
    talk.refused("AP-29", "react", who="ivo", ability="r1", target="wolf", interrupt=True)
    talk.do("react", who="ivo", ability="r1", target="wolf", interrupt=True, force=True)
    talk.expect("Overridden", rule="AP-29").expect("Interrupted", target="wolf")


def test_an_execution_of_a_vulnerable_npc_from_reserve() -> None:
    """AP-30: no interrupt text needed, and the Reserved price is paid."""
    talk = vulnerable(ends(locked(table()), "ivo"), "wolf").do("npc", who="wolf", what="crawls off")
    talk.do("react", who="ivo", ability="execution", target="wolf")
    talk.expect("Interrupted", target="wolf", rule="AP-30")
    assert slots(talk, "ivo") == (0, 6)


def test_a_knockout_in_the_final_phase_interrupts_too() -> None:
    """AP-30: Final Phase slots; AP-23: 4 for 1."""
    talk = vulnerable(ends(locked(table("ivo", "mara")), "ivo"), "wolf").do("npc", who="wolf", what="bites")
    talk.do("act", who="mara", ability="knockout", target="wolf")
    talk.expect("Interrupted", by="mara", target="wolf", rule="AP-30")
    assert slots(talk, "mara") == (1, 0)


def test_a_knockout_in_an_ordinary_active_phase_is_no_interrupt() -> None:
    """AP-30 speaks of Reserved and Final Phase slots only."""
    talk = vulnerable(locked(table()), "wolf").do("npc", who="wolf", what="bites")
    talk.do("act", who="ivo", ability="knockout", target="wolf").expect_none("Interrupted")
    talk.expect_combatant("wolf", interrupted=False)


def test_whoever_is_no_longer_vulnerable_is_not_finished() -> None:
    """AP-30."""
    talk = vulnerable(ends(locked(table()), "ivo"), "wolf").do("npc", who="wolf", what="bites")
    talk.do("rule", what="vulnerable", who="wolf", value=False)
    talk.refused("AP-30", "react", who="ivo", ability="execution", target="wolf")


def test_a_finisher_breaks_an_action_of_several_rounds() -> None:
    """AP-30, AP-36, Q-A28: what the target was doing is lost with its slots."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="ritual")
    vulnerable(talk, "mara").do("react", who="ivo", ability="execution", target="mara")
    talk.expect("MultiRoundLost", who="mara", lost=5).expect_combatant("mara", action_in_progress=None)


# Acts that several must handle


@pytest.mark.parametrize(("shared", "left"), [(True, 6), (False, 7)])
def test_a_minor_act_costs_one_only_if_shared(shared: bool, left: int) -> None:
    """AP-31, Q-A8."""
    talk = locked(table()).do("handle", who="ivo", what="the lid", shared=shared)
    assert slots(talk, "ivo") == (left, 0)


@pytest.mark.parametrize(("choice", "left"), [("yes", 6), ("no", 7), ("", 7)])
def test_a_minor_act_is_asked_about(choice: str, left: int) -> None:
    """AP-31: free where the GM says nothing."""
    talk = locked(table()).do("handle", who="ivo", what="the lid")
    talk.do("answer", prompt="shared", choice=choice)
    assert slots(talk, "ivo") == (left, 0)


def test_a_shared_act_in_the_final_phase_costs_four() -> None:
    """AP-31, Q-A29."""
    talk = ends(locked(table("ivo", "mara")), "ivo").do("handle", who="mara", what="the lid", shared=True)
    assert slots(talk, "mara") == (1, 0)


def test_who_waits_cannot_handle_a_shared_thing() -> None:
    """AP-31, AP-19: there is no slot to pay with."""
    talk = locked(table())
    talk.refused("AP-19", "handle", who="mara", what="the lid", shared=True)


# Combos


def test_a_combo_of_three_needs_all_of_them() -> None:
    """AP-32, AP-33: refused as a whole."""
    talk = ends(locked(table("ivo", "mara", "zed", "teo")), "ivo")
    fields = {"who": "mara", "ability": "pyramid", "cost": 2, "partner_cost": 1, "in_range": True}
    talk.refused("AP-32", "combo", partners=["ivo", "teo"], **fields)
    assert (slots(talk, "mara"), slots(talk, "ivo")) == ((5, 0), (0, 7))


def test_a_partner_with_too_few_slots_stops_the_combo() -> None:
    """AP-32: 5 + 3 = 8 is dear, and 7 reserved slots are not 8."""
    talk = ends(locked(table()), "ivo")
    fields = {"who": "mara", "partner": "ivo", "ability": "throw", "cost": 1, "in_range": True}
    assert talk.say(do="combo", partner_cost=8, **fields)["ok"] is False
    talk.do("combo", partner_cost=7, **fields)
    assert (slots(talk, "mara"), slots(talk, "ivo")) == ((4, 0), (0, 0))


def test_a_combo_out_of_range_spends_nothing() -> None:
    """AP-32; asked, and near enough where the GM says nothing."""
    talk = ends(locked(table()), "ivo")
    fields = {"who": "mara", "partner": "ivo", "ability": "throw", "cost": 2, "partner_cost": 1}
    talk.refused("AP-32", "combo", in_range=False, **fields)
    talk.do("combo", **fields).do("answer", prompt="range", choice="no")
    assert (slots(talk, "mara"), slots(talk, "ivo")) == ((5, 0), (0, 7))
    talk.do("combo", **fields).do("answer", prompt="range")
    assert (slots(talk, "mara"), slots(talk, "ivo")) == ((3, 0), (0, 6))


def test_only_partners_who_are_near_enough_are_offered() -> None:
    """AP-32: as far as the board says."""
    heave = {"name": "heave", "cost_active": 1, "combo": {"partners": 1, "partner_cost": 1, "range": 2}}
    sheet = {"kind": "pc", "agility": 0, "abilities": [heave]}
    places = {"ivo": Hex(1, 1), "mara": Hex(2, 1), "teo": Hex(6, 1)}
    joins = [Join(name=name.title(), id=name, sheet=sheet, at=at) for name, at in places.items()]
    fight = Fight.new("slots", board=HexBoard(cols=9, rows=3), joins=joins)
    fight.give("start")
    for who in places:
        fight.give("awareness", who=who, result=9)
    fight.give("lock")
    option = next(one for one in fight.options("ivo") if one.command == "Combo")
    assert option.inputs[0].choices == ("mara",)
    option = next(one for one in fight.options("teo") if one.command == "Combo")
    assert not option.legal


def test_whoever_was_struck_and_leaves_is_no_ones_last_blow() -> None:
    """AP-30: there is nobody to give the harm back to."""
    talk = ends(locked(table()), "ivo").do("act", who="mara", ability="c1", target="wolf", hit=True, damage=2)
    fight = talk.session.fight
    assert fight is not None
    assert fight.state.combatants["mara"].record.last_harm.target == "wolf"
    talk.do("leave", who="wolf")
    assert fight.state.combatants["mara"].record.last_harm is None


def test_a_stay_with_one_who_leaves_is_declared_no_more() -> None:
    """AP-06: he may stay with another, or with nobody."""
    talk = ordered(table(), ivo=18, mara=14, teo=9).do("stay", who="ivo", after="teo")
    assert talk.combatant("ivo")["stay"] == "teo"
    assert talk.do("leave", who="teo").combatant("ivo")["stay"] is None


def test_an_npc_is_no_partner() -> None:
    """AP-32: it holds no slots."""
    talk = locked(table())
    talk.refused("AP-32", "combo", who="ivo", partner="wolf", ability="throw", cost=1, in_range=True)
    talk.refused("AP-32", "combo", who="ivo", partner="ivo", ability="throw", cost=1, in_range=True)


def test_each_share_of_a_combo_is_taken_four_times_in_the_final_phase() -> None:
    """Q-A29."""
    talk = ends(locked(table("ivo", "mara")), "ivo")
    fields = {"who": "mara", "partner": "ivo", "ability": "throw", "partner_cost": 1, "in_range": True}
    assert talk.say(do="combo", cost=2, **fields)["ok"] is False
    talk.do("combo", cost=1, **fields)
    assert (slots(talk, "mara"), slots(talk, "ivo")) == ((1, 0), (0, 3))


# Actions of several rounds


def test_an_action_may_begin_with_a_single_slot() -> None:
    """AP-34: what is not paid stays, and becomes a reserve (AP-17)."""
    talk = ends(locked(table()), "ivo")
    assert talk.say(do="begin", who="mara", ability="ritual", pay=0)["ok"] is False
    talk.do("begin", who="mara", ability="ritual", pay=1).expect("MultiRoundPaid", who="mara", paid=1, needed=8)
    assert slots(talk, "mara") == (4, 0)
    talk.do("end_ap", who="mara")
    assert slots(talk, "mara") == (0, 4)


def test_three_rounds_for_twelve_slots() -> None:
    """AP-35, AP-40: 5 + 5 + 2; nothing happens before the last."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="epic").expect_none("MultiRoundCompleted")
    round_over(talk)
    ends(talk, "ivo").do("continue", who="mara").expect("MultiRoundPaid", paid=10, needed=12)
    talk.expect_none("MultiRoundCompleted")
    (declared,) = talk.ask("state")["declarations"]
    assert (declared["who"], declared["cost"], declared["status"]) == ("mara", "12 slots", "busy")
    assert (declared["progress"]["done"], declared["progress"]["needed"]) == (10, 12)
    round_over(talk)
    ends(talk, "ivo").do("continue", who="mara").expect("MultiRoundCompleted", who="mara", done=12, needed=12)
    assert slots(talk, "mara") == (3, 0)
    assert talk.ask("state")["declarations"] == []


def test_the_rest_is_paid_a_full_round_later() -> None:
    """AP-35: not in the same Active Phase, and not from reserve."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="ritual", pay=3)
    talk.refused("AP-35", "continue", who="mara")
    ends(talk, "mara")
    talk.refused("AP-35", "continue", who="mara")


def test_one_action_at_a_time() -> None:
    """AP-34: a second one is refused while the first is in progress."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="ritual", pay=2)
    talk.refused("AP-34", "begin", who="mara", ability="epic", pay=1)


def test_being_felled_between_the_rounds_loses_all() -> None:
    """AP-36: no refund."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="ritual")
    talk.do("damage", who="mara", amount=10)
    if "fate" in talk.question_kinds():
        talk.do("answer", prompt="fate", choice="down")
    talk.expect_combatant("mara", action_in_progress=None, able=False)


@pytest.mark.parametrize(("choice", "going"), [("yes", True), ("no", False), ("", True)])
def test_a_hampered_pc_may_or_may_not_finish(choice: str, going: bool) -> None:
    """AP-36: the GM is asked; yes where nothing is said."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="ritual")
    talk.do("affect", who="mara", name="stunned", kind="debuff", rounds=1)
    talk.do("answer", prompt="finish", choice=choice)
    assert (talk.combatant("mara")["action_in_progress"] is not None) is going


def test_what_cannot_be_broken_may_still_become_impossible() -> None:
    """AP-39 and AP-36 are two things (Q-A27)."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="trance")
    talk.refused("AP-39", "react", who="ivo", ability="breaks", target="mara", interrupt=True)
    talk.do("affect", who="mara", name="paralysed", kind="debuff", rounds=1)
    talk.do("answer", prompt="finish", choice="no").expect("MultiRoundLost", who="mara", lost=5)


def test_a_sealed_roll_is_the_same_after_undo_and_seen_by_nobody() -> None:
    """AP-37: made at Activation and kept; law 7, law 8."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="dig", needed=8, dice="d20+2")
    talk.expect("MultiRoundBegan", who="mara", needed=8)
    before = talk.events("MultiRoundBegan")
    assert "roll" not in str(talk.ask("view")).lower() or "roll': None" in str(talk.ask("view"))
    talk.do("undo").do("begin", who="mara", ability="dig", needed=8, dice="d20+2")
    assert talk.events("MultiRoundBegan")[0]["faces"] == before[0]["faces"]


@pytest.mark.parametrize("success", [True, False])
def test_the_sealed_roll_is_opened_with_the_last_slot(success: bool) -> None:
    """AP-40, AP-41: a failure costs as much."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="dig", needed=6, result=12)
    round_over(talk)
    ends(talk, "ivo").do("continue", who="mara", success=success)
    talk.expect("MultiRoundCompleted", who="mara", needed=6).expect("CheckResolved", who="mara", passed=success)
    assert slots(talk, "mara") == (4, 0)


def test_an_action_begun_before_is_paid_one_for_one_in_the_final_phase() -> None:
    """Q-A14: the need was fixed at Activation, in an ordinary Active Phase."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="ritual")
    talk.do("rule", what="fate", who="teo", value="down")
    round_over(talk)
    ends(talk, "ivo").expect("FinalPhaseBegan", figures=["mara"])
    talk.do("continue", who="mara").expect("MultiRoundCompleted", done=8, needed=8)
    assert slots(talk, "mara") == (2, 0)


def test_a_long_action_that_reserve_cannot_begin() -> None:
    """AP-34, also where the reserve would pay it all."""
    talk = ends(locked(table()), "ivo")
    talk.refused("AP-34", "begin", who="ivo", ability="dig", needed=7)


def test_paying_nothing_in_the_next_phase_drops_it_also_in_the_final_one() -> None:
    """Q-A15."""
    talk = ends(locked(table("ivo", "mara")), "ivo").do("begin", who="mara", ability="dig", needed=2)
    round_over(talk)
    ends(talk, "ivo").do("end_ap", who="mara").expect("MultiRoundLost", who="mara", lost=5)
    talk.expect("HesitationLost", who="mara", amount=5)


# Who drops out, comes back, joins late


@pytest.mark.parametrize(("choice", "place"), [("skip", False), ("keep", True), ("", False)])
def test_a_pc_that_falls_before_its_phase(choice: str, place: bool) -> None:
    """Q-A7: skipped, unless the GM keeps the place."""
    talk = locked(table()).do("rule", what="fate", who="mara", value="down")
    talk.do("answer", prompt="dropout", choice=choice)
    ends(talk, "ivo")
    assert (talk.combatant("mara")["ap_state"] == "active") is place


def test_who_is_back_on_its_feet_has_its_old_place() -> None:
    """AP-07: places do not change."""
    talk = locked(table()).do("rule", what="fate", who="mara", value="down")
    ends(talk, "ivo")
    talk.expect_combatant("teo", ap_state="active")
    talk.do("rule", what="fate", who="mara", value="back")
    round_over(talk)
    assert talk.state["cycle"] == [["ivo"], ["mara"], ["teo"]]
    ends(talk, "ivo").expect_combatant("mara", ap_state="active", active_slots=5)


def test_a_newcomer_with_an_equal_result_joins_the_band() -> None:
    """Q-A26: ties join; first slots in the next Full Round."""
    talk = locked(table()).do("add", id="nia", name="Nia", side="party", sheet={"kind": "pc"})
    talk.do("awareness", who="nia", result=14).do("answer", prompt="late")
    assert talk.state["cycle"] in ([["ivo"], ["mara", "nia"], ["teo"]], [["ivo"], ["nia", "mara"], ["teo"]])
    ends(talk, "ivo").expect_combatant("nia", active_slots=0).expect_combatant("mara", active_slots=5)
    round_over(talk)
    ends(talk, "ivo").expect_combatant("nia", active_slots=5).expect_combatant("mara", active_slots=5)


def test_a_late_npc_needs_no_place() -> None:
    """AP-04."""
    talk = locked(table()).do("add", id="bear", name="Bear", side="foe", sheet={"kind": "npc", "hp": 20})
    assert talk.question_kinds() == []
    talk.do("npc", who="bear", what="roars").expect("NpcActed", who="bear")


# Moving


def test_movement_from_reserve_is_a_setting() -> None:
    """Q-A21, AP-19: allowed by default; never without slots; four times in the Final Phase."""
    talk = locked(table())
    talk.refused("AP-19", "move", who="mara", hexes=1)
    ends(talk, "ivo").do("move", who="ivo", hexes=2)
    assert slots(talk, "ivo") == (0, 6)
    ends(talk, "mara").do("move", who="ivo", hexes=1)
    assert slots(talk, "ivo") == (0, 2)
    talk.do("configure", setting="reserved_moves", value="no")
    talk.refused("AP-20", "move", who="ivo", hexes=1)


def test_a_pc_ordered_but_not_locked_walks_nowhere() -> None:
    """AP-14: no slots before the first Cycle."""
    assert ordered(table()).say(do="move", who="ivo", hexes=1)["ok"] is False
