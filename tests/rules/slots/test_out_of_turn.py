"""What the GM rules about turns: gains out of turn, a change of kind, Stay after the lock. Nobody has two Active
Phases in a round, or loses one, and no round closes over those who wait: AP-04, AP-07, AP-12, AP-15, AP-18, AP-27.
"""

from __future__ import annotations

import pytest

from ..talk import Talk
from .talking import ends, locked, ordered, round_over, slots, table


def heard(talk: Talk, kind: str) -> list[object]:
    return [one["who"] for one in talk.events(kind)]


def phases(talk: Talk) -> list[str]:
    """Who gains slots until the next Full Round has begun, all defaults taken."""
    number, found = talk.state["full_round"], []
    for _ in range(40):
        talk.do("advance")
        if talk.state["full_round"] != number:
            return found
        found += [str(who) for who in heard(talk, "SlotsGained")]
    raise AssertionError(talk.state)


# A gain out of turn


def test_who_gains_out_of_turn_has_no_second_active_phase() -> None:
    """AP-14, AP-15: the place that was ahead is passed by."""
    talk = locked(table()).do("rule", what="gain", who="teo")
    assert slots(talk, "teo") == (4, 0)
    assert phases(ends(talk, "teo", "ivo")) == []
    talk = locked(table()).do("rule", what="gain", who="mara")
    ends(talk, "mara", "ivo").expect("BandSkipped").expect("SlotsGained", who="teo")
    assert slots(talk, "mara") == (0, 5)


def test_who_still_spends_what_was_gained_out_of_turn_keeps_the_band_open() -> None:
    """AP-18: and is not passed over."""
    talk = ends(locked(table()).do("rule", what="gain", who="teo"), "ivo")
    talk.expect_combatant("mara", ap_state="waiting").expect_combatant("teo", ap_state="active")
    ends(talk, "teo").expect_combatant("mara", ap_state="active")


def test_the_last_who_has_an_active_phase_to_come_is_the_final_one() -> None:
    """AP-22: Teo had his before."""
    talk = ends(locked(table()).do("rule", what="gain", who="teo"), "teo", "ivo")
    talk.expect("FinalPhaseBegan", figures=["mara"])
    talk.do("act", who="mara", ability="c1").expect("SlotsSpent", who="mara", amount=4)


def test_a_gain_comes_once_a_round() -> None:
    """AP-14, AP-15."""
    talk = locked(table()).do("rule", what="gain", who="teo")
    talk.refused("AP-14", "rule", what="gain", who="teo")
    ends(talk, "teo").refused("AP-14", "rule", what="gain", who="teo", force=True)
    talk.refused("AP-14", "rule", what="gain", who="ivo")
    round_over(talk).do("rule", what="gain", who="teo").expect("SlotsGained", who="teo", total=4)


def test_what_counts_by_an_active_phase_counts_by_one_out_of_turn_too() -> None:
    """AP-44: at its beginning, once."""
    talk = locked(table()).do("addeffect", who="ivo", name="mark", rounds=2, clock="maker", by="teo", ticks="start")
    talk.do("rule", what="gain", who="teo")
    assert talk.effects("ivo") == {"mark": 1}
    ends(talk, "teo", "ivo", "mara")
    assert talk.effects("ivo") == {"mark": 1}


def test_slots_that_the_gm_types_in_are_lost_with_the_round_too() -> None:
    """AP-15, AP-27: nobody takes any into Upkeep, by whatever way they came."""
    talk = ends(locked(table()), "ivo").do("adjust", who="ivo", what="slots", value=3)
    ends(talk, "mara", "teo").do("answer", prompt="last_call", choice="close").do("answer", prompt="npc", choice="none")
    talk.expect("HesitationLost", who="ivo", pool="slots", amount=3)
    talk.expect("HesitationLost", who="ivo", pool="reserved", amount=7)
    assert slots(talk, "ivo") == (0, 0)


# A change of kind


def test_whoever_is_no_pc_any_more_has_no_slots() -> None:
    """AP-04: Action Slots and reserves are lost, and its Active Phase is over."""
    talk = locked(table()).do("act", who="ivo", cost=2).do("adjust", who="ivo", what="kind", value="npc")
    talk.expect("HesitationLost", who="ivo", amount=5).expect("SlotsGained", who="mara")
    assert slots(talk, "ivo") == (0, 0)
    talk = ends(locked(table()), "ivo").do("adjust", who="ivo", what="kind", value="npc")
    talk.expect("HesitationLost", who="ivo", amount=7).expect_combatant("mara", ap_state="active")


def test_there_and_back_gives_no_slots_twice() -> None:
    """AP-15: whoever has had its Active Phase has had it."""
    talk = locked(table()).do("adjust", who="ivo", what="kind", value="npc")
    talk.do("adjust", who="ivo", what="kind", value="pc")
    assert slots(talk, "ivo") == (0, 0)
    assert phases(talk) == ["teo"]
    talk.expect_combatant("ivo", active_slots=7, ap_state="active")


@pytest.mark.parametrize("later", [0, 1])
def test_there_and_back_loses_no_active_phase(later: int) -> None:
    """AP-18: who waits still waits, though the place has been reached meanwhile."""
    talk = locked(table()).do("adjust", who="mara", what="kind", value="npc")
    if later:
        ends(talk, "ivo").expect("SlotsGained", who="teo")
    talk.do("adjust", who="mara", what="kind", value="pc")
    assert sorted(phases(talk)) == (["mara"] if later else ["mara", "teo"])


def test_an_npc_that_becomes_a_pc_owes_its_check_and_is_placed() -> None:
    """AP-01, Q-A26: as a newcomer."""
    talk = locked(table()).do("adjust", who="wolf", what="kind", value="pc")
    assert talk.question_kinds() == ["awareness"]
    talk.do("awareness", who="wolf", result=16)
    assert "late" in talk.question_kinds()
    talk.do("answer", prompt="late", choice="this_round")
    assert talk.state["cycle"] == [["ivo"], ["wolf"], ["mara"], ["teo"]]
    ends(talk, "ivo").expect("SlotsGained", who="wolf", total=5)


def test_a_newcomer_whose_place_is_over_comes_next_if_the_gm_lets_it_act_in_this_round() -> None:
    """Q-A26; put right 14: the answer holds, and in later rounds the place is that of its result."""
    talk = ends(locked(table()), "ivo").do("adjust", who="wolf", what="kind", value="pc")
    talk.do("awareness", who="wolf", result=16).do("answer", prompt="late", choice="this_round")
    assert phases(talk) == ["wolf", "teo"]
    assert phases(talk)[:2] == ["wolf", "mara"]


def test_before_the_lock_the_order_is_made_of_pcs() -> None:
    """AP-04: whoever is asked and is no PC any more need not answer; whoever becomes one must."""
    talk = table().do("start").do("adjust", who="teo", what="kind", value="npc")
    assert [one["who"] for one in talk.ask("prompts")] == ["ivo", "mara"]  # type: ignore[union-attr]
    talk.do("awareness", who="ivo", result=18).do("awareness", who="mara", result=14)
    assert talk.state["cycle"] == [["ivo"], ["mara"]]
    talk.do("adjust", who="teo", what="kind", value="pc")
    assert "awareness" in talk.question_kinds()
    talk.do("awareness", who="teo", result=16)
    assert talk.state["cycle"] == [["ivo"], ["teo"], ["mara"]]


def test_work_is_lost_with_the_slots_that_would_pay_for_it() -> None:
    """AP-36."""
    talk = ends(locked(table()), "ivo").do("begin", who="mara", ability="ritual", pay=2)
    talk.do("adjust", who="mara", what="kind", value="npc").expect("MultiRoundLost", who="mara", lost=2)


def test_what_an_npc_has_begun_is_no_work_of_slots() -> None:
    """AP-05, AP-34: its rounds are no slots that a PC could pay on."""
    talk = locked(table()).do("npc", who="wolf", what="digs", rounds=3)
    talk.do("adjust", who="wolf", what="kind", value="pc").expect("MultiRoundLost", who="wolf")
    talk.expect_combatant("wolf", action_in_progress=None)


def test_a_place_that_others_were_given_meanwhile_is_not_shared() -> None:
    """AP-02, AP-07: then the result says where."""
    talk = locked(table()).do("adjust", who="mara", what="kind", value="npc")
    talk.do("stay", who="ivo", after="teo", force=True)
    talk.do("adjust", who="mara", what="kind", value="pc")
    assert all(len(band) == 1 for band in talk.state["cycle"])  # type: ignore[union-attr]


# Stay after the lock


def test_who_waits_loses_no_active_phase_by_a_place_that_is_over() -> None:
    """AP-06, AP-18: Teo is ruled to stand before Ivo, whose Active Phase runs."""
    talk = locked(table()).do("stay", who="teo", before="ivo", force=True)
    assert talk.state["cycle"] == [["teo"], ["ivo"], ["mara"]]
    assert phases(talk) == ["teo", "mara"]


def test_who_joins_a_band_that_is_done_or_running_still_has_its_own() -> None:
    """AP-06, AP-18: and nobody of that band gains again."""
    talk = locked(table()).do("stay", who="mara", after="ivo", together=True, force=True)
    assert talk.state["cycle"] == [["ivo", "mara"], ["teo"]]
    assert phases(talk) == ["mara", "teo"]
    talk = ends(locked(table()), "ivo").do("stay", who="ivo", after="teo", together=True, force=True)
    assert phases(talk) == ["teo"]


def test_who_has_had_its_active_phase_has_no_second_one_in_a_later_place() -> None:
    """AP-15."""
    talk = ends(locked(table()), "ivo").do("stay", who="ivo", after="teo", force=True)
    assert slots(talk, "ivo") == (0, 7)
    assert phases(talk) == ["teo"]
    talk.expect_combatant("mara", ap_state="active")


def test_who_stays_in_its_own_active_phase_goes_on_with_it() -> None:
    """AP-15, AP-18."""
    talk = locked(table()).do("act", who="ivo", cost=2).do("stay", who="ivo", after="teo", force=True)
    assert slots(talk, "ivo") == (5, 0)
    assert phases(talk) == ["mara", "teo"]


def test_a_place_that_is_ruled_after_the_lock_holds() -> None:
    """AP-07: until it is ruled otherwise, where Stay is no choice of each round."""
    talk = locked(table()).do("stay", who="ivo", after="teo", force=True)
    round_over(talk)
    assert talk.state["cycle"] == [["mara"], ["teo"], ["ivo"]]
    each = locked(table(settings={"stay_mode": "per_round"})).do("stay", who="mara", after="teo")
    round_over(each)
    assert each.state["cycle"] == [["ivo"], ["mara"], ["teo"]]


def test_a_stay_before_the_lock_and_a_change_of_kind_go_together() -> None:
    """AP-06, AP-04: the question is put anew to those who stand in the Cycle."""
    talk = ordered(table()).do("adjust", who="mara", what="kind", value="npc")
    (asked,) = [one for one in talk.ask("prompts") if one["kind"] == "stay"]  # type: ignore[union-attr]
    assert [one["id"] for one in asked["choices"]] == ["no", "ivo"]


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("act", {"ability": "howls", "cost": 2}),
        ("react", {"ability": "howls", "cost": 2}),
        ("handle", {"what": "the lid", "shared": True}),
        ("combo", {"ability": "howls", "cost": 1, "partner": "ivo"}),
    ],
)
def test_by_the_gms_word_somebody_without_slots_acts_like_a_pc(command: str, fields: dict[str, object]) -> None:
    """AP-04: and nothing is spent, for there is nothing."""
    talk = locked(table()).do(command, who="wolf", force=True, **fields)
    talk.expect_none("SlotsSpent", who="wolf").expect_combatant("wolf", active_slots=0, reserved_slots=0)
