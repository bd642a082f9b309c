"""Combos and actions of several rounds, falling and coming back: AP-32..41, Q-A7, Q-A9, Q-A14, Q-A15, Q-A29."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import HexBoard

from ..once import played_once
from .table import Play, table

# Combos


def test_a_combo_is_refused_as_a_whole():
    """AP-32, AP-33."""
    play = table(has={"mara": ["combo"]}).locked()
    play.refused("AP-33", "combo", who="mara", partner="ivo", ability="combo")
    play.to("mara")
    play.refused("AP-32", "combo", who="mara", ability="combo")
    play.refused("AP-32", "combo", who="mara", partner="mara", ability="combo")
    play.refused("AP-32", "combo", who="mara", partner="teo", ability="combo")
    play.refused("AP-32", "combo", who="mara", partner="ivo", ability="combo", in_range=False)
    play.refused("AP-32", "combo", who="mara", partner="ivo", cost=1, partner_cost=-1)
    assert play.slots("mara") == (5, 0)


def test_on_a_board_nearness_is_measured():
    """AP-32: the sheet gives the range, so nobody is asked."""
    ground = HexBoard(cols=12, rows=4)
    near = table(has={"mara": ["near"]}, board=ground, at={"ivo": (0, 0), "mara": (2, 0)}).locked().to("mara")
    near.do("combo", who="mara", partner="ivo", ability="near")
    assert near.got("ComboFinished").partners == ("ivo",)
    far = table(has={"mara": ["near"]}, board=ground, at={"ivo": (0, 0), "mara": (3, 0)}).locked().to("mara")
    far.refused("AP-32", "combo", who="mara", partner="ivo", ability="near")


def test_a_combo_may_take_several_and_be_priced_at_the_table():
    """AP-32, AP-33."""
    play = table("ivo", "mara", "teo", "zed").locked().to("teo")
    play.do("combo", who="teo", partner="ivo, mara", cost=1, partner_cost=1, in_range=True)
    assert play.got("ComboStarted").slots == {"teo": 4, "ivo": 4, "mara": 4}, "each share x4 (Q-A29)"


def test_no_means_that_nothing_is_spent():
    """AP-32."""
    play = table(has={"mara": ["combo"]}).locked().to("mara")
    play.do("combo", who="mara", partner="ivo", ability="combo").do("answer", prompt="range", choice="no")
    assert not play.all("SlotsSpent")


def test_a_combo_that_has_become_impossible_does_not_hold_up_play():
    """AP-32: Enter says yes, and what cannot be done any more is said instead of refused."""
    play = table(has={"mara": ["combo"]}).locked().to("mara")
    play.do("combo", who="mara", partner="ivo", ability="combo").do("adjust", who="ivo", what="able", value=False)
    play.do("answer", prompt="range", choice="yes")
    assert play.all("RulingRecorded")[-1].rule == "AP-32"
    assert play.slots("mara") == (5, 0)


def test_a_combo_does_not_go_alone():
    """AP-32: not in one's Active Phase, not from reserve, not over several rounds, nor at a price that is typed in."""
    play = table(has={"ivo": ["combo"], "mara": ["combo"]}).locked()
    why = play.refused("AP-32", "act", who="ivo", ability="combo")
    assert why.accepts == ("combo with a partner",)
    play.refused("AP-32", "act", who="ivo", ability="combo", cost=1)
    play.refused("AP-32", "begin", who="ivo", ability="combo", needed=9)
    play.do("end_ap", who="ivo").refused("AP-32", "react", who="ivo", ability="combo")
    play.do("act", who="mara", ability="combo", force=True)


def test_what_is_no_combo_is_not_done_by_several():
    """AP-32, AP-08: what its text does not say needs the GM's word."""
    play = table(has={"mara": ["c1", "stance"]}).locked().to("mara")
    play.refused("AP-32", "combo", who="mara", partner="ivo", ability="c1", in_range=True)
    play.refused("AP-08", "combo", who="mara", partner="ivo", ability="opening stance", in_range=True)
    play.do("combo", who="mara", partner="ivo", ability="c1", in_range=True, force=True)


def test_a_combos_typed_price_outlives_the_question_of_range():
    """AP-32, AP-33."""
    play = table(has={"mara": ["combo"]}).locked().to("mara")
    play.do("combo", who="mara", partner="ivo", ability="combo", cost=4, partner_cost=3)
    play.do("answer", prompt="range", choice="yes")
    assert play.got("ComboStarted").slots == {"mara": 4, "ivo": 3}


# Several rounds


@played_once
def begun(**data: object) -> Play:
    """Mara has begun an action of 8 slots with all of her 5."""
    play = table("ivo", "mara", "teo", "wolf", has={"ivo": ["breaks"], "mara": ["long"]}).locked().to("mara")
    return play.do("begin", who="mara", **{"ability": "long", **data})


@pytest.mark.parametrize(
    ("command", "rule", "data"), [("begin", "AP-34", {"ability": "long"}), ("continue", "AP-35", {})]
)
def test_without_slots_nothing_is_begun_nor_gone_on_with(command, rule, data):
    """AP-34, AP-35: where the last are spent, and a question about another keeps the Active Phase from ending."""
    play = table("ivo", "mara", "teo", has={"ivo": ["long"], "mara": ["long"]}).locked()
    if command == "continue":
        play.do("begin", who="ivo", ability="long", pay=2).do("end_ap", who="ivo")
    play.to("mara").do("begin", who="mara", ability="long").to_round(2).to("ivo")
    play.do("affect", who="mara", name="dazed", kind="debuff").do("act", who="ivo", cost=7)
    refused = play.refused(rule, command, who="ivo", **data)
    assert (refused.message, refused.accepts) == ("Ivo has no Action Slots left", ("the next Active Phase",))


@pytest.mark.parametrize("data", [{}, {"pay": 6}, {"result": 15}])
def test_what_can_be_paid_at_once_is_paid_and_done(data):
    """AP-34, AP-40; put right 16: `begin` pays what is needed, and no more than there is."""
    play = table(has={"ivo": ["meteor"]}).locked().do("begin", who="ivo", ability="meteor", target="mara", **data)
    play.got("MultiRoundPaid", who="ivo", paid=6, needed=6)
    play.got("MultiRoundCompleted", who="ivo")
    assert (play.slots("ivo"), play.asks()) == ((1, 0), ["sealed"])
    play.do("answer", prompt="sealed", choice="success")
    assert play.got("DamageApplied", who="mara").amount == 2
    assert play.see("ivo")["action_in_progress"] is None
    part = table(has={"mara": ["meteor"]}).locked().to("mara").do("begin", who="mara", ability="meteor")
    assert part.got("MultiRoundPaid").paid == 5
    assert not part.all("MultiRoundCompleted")


def test_what_is_done_at_once_can_be_interrupted_like_any_payment():
    """AP-38, AP-39; put right 16: its outcome is void, and all that was paid is lost. Unset, it is the GM's to say."""
    play = table(has={"ivo": ["breaks"]}).locked().to("mara")
    known = play.copy().do("begin", who="mara", ability="dig", needed=4, target="ivo", result=9, interruptible=True)
    attempt = {"who": "ivo", "ability": "breaks", "target": "mara", "interrupt": True}
    play.do("begin", who="mara", ability="dig", needed=4, target="ivo", result=9).do("react", **attempt)
    assert play.prompt("interrupt").rule == "AP-39"
    no = play.copy().do("answer", prompt="interrupt", choice="no")
    assert no.asks() == ["sealed"]
    for broken in (play.do("answer", prompt="interrupt", choice="yes"), known.do("react", **attempt)):
        assert broken.got("ActionInterrupted", who="mara").slots_lost == 4
        assert "sealed" not in broken.asks()
    no.do("answer", prompt="sealed", choice="success").do("act", who="mara", cost=1)
    assert no.do("react", **attempt).got("ActionInterrupted", who="mara")


def test_an_unset_interruptible_is_the_gms_to_say():
    """AP-39, L34; put right 16: of a listed action, too, and `breakable` settles it beforehand."""
    play = table("ivo", "mara", has={"ivo": ["breaks"], "mara": ["meteor"]}).locked().do("end_ap", who="ivo")
    play.do("begin", who="mara", ability="meteor", pay=3, result=9)
    assert play.see("mara")["action_in_progress"]["interruptible"] is None
    attempt = {"who": "ivo", "ability": "breaks", "target": "mara", "interrupt": True}
    yes = play.copy().do("react", **attempt).do("answer", prompt="interrupt", choice="yes")
    assert yes.got("MultiRoundLost").lost == 3
    no = play.copy().do("react", **attempt).do("answer", prompt="interrupt", choice="no")
    assert no.see("mara")["action_in_progress"]["paid"] == 3
    play.do("rule", what="breakable", who="mara", value=True).do("react", **attempt).got("MultiRoundLost")


def test_whoever_leaves_loses_its_work_in_the_log():
    """AP-36; put right 16: what is gone is told as it is of those who fall."""
    play = begun().do("leave", who="mara", reason="flees")
    assert play.got("MultiRoundLost", who="mara").lost == 5
    assert play.got("LeftFight", who="mara").reason == "flees"


def test_it_may_take_more_than_two_rounds():
    """AP-35."""
    play = table("ivo", "mara", "teo").locked().to("mara").do("begin", who="mara", ability="dig", needed=13)
    play.to_round(2).to("mara").do("continue", who="mara")
    assert play.see("mara")["action_in_progress"]["paid"] == 10
    play.to_round(3).to("mara").do("continue", who="mara")
    assert play.got("MultiRoundCompleted").done == 13
    assert play.slots("mara") == (2, 0)


def test_part_of_an_instalment_keeps_it_alive():
    """AP-35, Q-A15."""
    play = begun().to_round(2).to("mara").do("continue", who="mara", pay=1).do("end_ap", who="mara")
    assert play.see("mara")["action_in_progress"]["paid"] == 6


@pytest.mark.parametrize("pay", [0, -1])
@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_no_instalment(pay, force):
    """AP-35, Q-A15: whoever pays nothing loses the action, and is told so instead."""
    play = begun().to_round(2).to("mara")
    assert play.refused("AP-35", "continue", who="mara", pay=pay, force=force).accepts == ("1 to 3",)
    play.do("end_ap", who="mara")
    assert play.got("MultiRoundLost", who="mara").lost == 5


def test_what_is_paid_already_by_a_ruling_is_only_to_be_concluded():
    """AP-35, AP-40: what the list proposes is accepted as it stands."""
    play = begun().to_round(2).to("mara").do("adjust", who="mara", what="work.paid", value=8)
    (pay,) = play.option("mara", "continue").inputs
    play.do("continue", who="mara", pay=int(pay.default))
    assert play.got("MultiRoundCompleted", who="mara").done == 8


def test_it_goes_on_one_full_round_later_and_not_before():
    """AP-35."""
    play = table("ivo", "mara", "teo").locked().to("mara").do("begin", who="mara", ability="dig", needed=9, pay=2)
    play.refused("AP-35", "continue", who="mara")
    play.do("act", who="mara", cost=1).refused("AP-35", "continue", who="mara")
    play.refused("AP-34", "begin", who="mara", ability="sing", needed=9)
    play.to_round(2).to("mara").refused("AP-35", "continue", who="mara", pay=8)
    play.refused("AP-35", "continue", who="mara", pay=6)
    play.refused("AP-35", "continue", who="ivo")


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ({"ability": "dear"}, "AP-34"),
        ({"ability": "dig", "needed": 4, "pay": 5}, "AP-34"),
        ({"ability": "dig", "needed": 9, "pay": 0}, "AP-34"),
        ({"ability": "dig", "needed": 9, "pay": 6}, "AP-34"),
        ({"ability": "opening stance"}, "AP-08"),
        ({"ability": "dig"}, "AP-21"),
    ],
)
def test_not_everything_can_be_begun(data, rule):
    """AP-34."""
    play = table(has={"mara": ["dear", "stance"]}).locked().to("mara")
    play.refused(rule, "begin", who="mara", **data)


def test_the_roll_is_thrown_and_sealed_as_it_begins():
    """AP-37: the log does not show it, the journal has it."""
    play = table(sheets={"mara": {"abilities": [{"name": "ward", "cost": 9, "multi_round": True, "roll": "d20+2"}]}})
    play.locked().to("mara").do("begin", who="mara", ability="ward", rolls={"sealed": [11]})
    assert play.got("MultiRoundBegan").roll == 13
    assert not play.all("DiceRolled")
    play.to_round(2).to("mara").do("continue", who="mara")
    assert "13" in play.prompt("sealed").question
    play.do("answer", prompt="sealed", choice="failure")
    assert play.got("CheckResolved").passed is False


def test_an_interrupt_breaks_it_however_good_the_roll():
    """AP-38, AP-39: the slots are lost."""
    play = begun(result=20).to("teo")
    play.do("adjust", who="ivo", what="reserved", value=7)
    play.do("react", who="ivo", ability="breaks", target="mara", interrupt=True)
    assert play.got("ActionInterrupted").slots_lost == 5
    assert play.got("MultiRoundLost").lost == 5


def test_where_nothing_is_said_the_gm_decides_whether_it_breaks():
    """AP-39."""
    play = table("ivo", "mara", "teo", has={"ivo": ["breaks"]}).locked().to("mara")
    play.do("begin", who="mara", ability="dig", needed=9)
    play.do("adjust", who="ivo", what="reserved", value=7)
    play.do("react", who="ivo", ability="breaks", target="mara", interrupt=True)
    assert play.prompt("interrupt").rule == "AP-39"
    play.do("advance").do("rule", what="breakable", who="mara", value=False)
    play.refused("AP-39", "react", who="ivo", ability="breaks", target="mara", interrupt=True)


def test_a_finisher_does_not_stop_what_cannot_be_interrupted():
    """AP-30, AP-39, Q-A27."""
    sheets = {"mara": {"vulnerable": True}}
    play = table(has={"ivo": ["knockout"], "mara": ["sturdy"]}, sheets=sheets).locked().to("mara")
    play.do("begin", who="mara", ability="sturdy").do("adjust", who="ivo", what="reserved", value=7)
    play.do("adjust", who="ivo", what="slots", value=0)
    play.state.phase == "final" or play.to("teo")
    play.do("react", who="ivo", ability="knockout", target="mara", force=True)
    assert not play.all("ActionInterrupted")
    assert play.see("mara")["action_in_progress"]["paid"] == 5


def test_whoever_falls_cannot_finish():
    """AP-36."""
    play = begun().do("adjust", who="mara", what="able", value=False)
    assert play.got("MultiRoundLost").lost == 5


HAMPERS = [
    ("debuff", 0, True), ("slots", -2, True), ("slots", 1, False), ("heal", 2, False), ("damage", 2, False),
    ("buff", 0, False),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "amount", "asked"), HAMPERS)
def test_hampering_effects_ask_whether_it_can_be_finished(kind, amount, asked):
    """AP-36."""
    play = begun().do("affect", who="mara", name="x", kind=kind, amount=amount)
    assert ("finish" in play.asks()) == asked
    if asked:
        play.do("advance")
        assert play.see("mara")["action_in_progress"], "yes is what Enter says"


def test_the_gm_can_say_so_unasked():
    """AP-36, Q-A15."""
    play = begun()
    play.do("rule", what="finish", who="mara", value=True)
    assert play.see("mara")["action_in_progress"]
    play.do("rule", what="finish", who="mara")
    assert play.got("ActionInterrupted").slots_lost == 5
    play.refused("AP-36", "rule", what="finish", who="mara")
    dropped = begun().do("rule", what="drop", who="mara")
    assert dropped.got("MultiRoundLost").reason == "given up"


# Falling and coming back


def test_who_falls_before_its_active_phase_is_skipped_or_keeps_the_place():
    """Q-A7: an offer; skipping is what happens by itself."""
    play = table().locked().do("adjust", who="mara", what="able", value=False)
    assert play.offers() == ["dropout"]
    play.do("end_ap", who="ivo")
    assert play.got("BandSkipped").phase == "active"
    kept = table().locked().do("adjust", who="mara", what="able", value=False)
    kept.do("answer", prompt="dropout", choice="keep").do("end_ap", who="ivo")
    assert kept.got("SlotsGained").who == "mara"
    kept.do("rule", what="keep_place", who="mara", value=False)
    assert kept.got("ActivePhaseEnded").cause == "down"


@pytest.mark.parametrize("passed", [("end_ap", {"who": "mara"}), ("waive", {"who": "mara"}), ("advance", {})])
def test_a_fallen_pc_with_a_kept_place_is_passed_as_everybody_is(passed):
    """Q-A7, AP-17: it acts no more, and its Active Phase ends by the key that ends others."""
    play = table().locked().do("adjust", who="mara", what="able", value=False)
    play.do("answer", prompt="dropout", choice="keep").do("end_ap", who="ivo")
    end = play.option("mara", "end")
    assert (end.key, end.legal) == ("w", True)
    play.refused("AP-16", "act", who="mara", cost=1)
    play.do(passed[0], **passed[1])
    assert play.got("ActivePhaseEnded", who="mara").value == "done"
    assert play.fight.system.waiting(play.state) == ("teo",)


def test_who_falls_in_its_active_phase_is_done():
    """Q-A7, AP-17."""
    play = table().locked().do("adjust", who="ivo", what="able", value=False)
    assert play.got("ActivePhaseEnded").cause == "down"
    assert play.slots("ivo") == (0, 7)


def test_the_final_phase_moves_to_the_last_who_can_act():
    """AP-22, Q-A7: as the GM brings somebody back it moves again."""
    play = table().locked().do("adjust", who="teo", what="able", value=False)
    assert [step.phase for step in play.state.agenda.steps][:3] == ["active", "final", "active"]
    play.do("adjust", who="teo", what="able", value=True)
    assert [step.phase for step in play.state.agenda.steps][:3] == ["active", "active", "final"]
    assert play.offers() == [], "the question is moot"


def test_the_gm_may_give_slots_out_of_turn():
    """AP-14: to somebody who has had none in this round."""
    play = table().locked().refused("AP-14", "rule", what="gain", who="ivo")
    play = table().locked().do("rule", what="gain", who="teo")
    assert play.fight.system.waiting(play.state) == ("ivo", "teo")
    assert play.slots("teo") == (4, 0)
