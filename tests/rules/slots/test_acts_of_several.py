"""Combos, Multi-Round Actions, long acts of NPCs: what they do to targets, how they break. AP-05, AP-32..41."""

from __future__ import annotations

import pytest

from ..once import played_once
from .table import Play, table

PINCER = {"name": "pincer", "cost": 2, "roll": "d20+2", "damage": "d6", "combo": {"partners": 1, "partner_cost": 1}}
TACKLE = {"name": "tackle", "cost": 2, "finisher": "knockout", "combo": {"partners": 1}}
METEOR = {"name": "meteor", "cost": 8, "multi_round": True, "roll": "d20+4", "damage": "2d6"}
HAMMER = {"name": "hammer", "cost": 8, "multi_round": True, "damage": 1, "finisher": "knockout"}
VAULT = {"name": "vault", "cost": 8, "multi_round": True, "damage": 3}
RITUAL = {"name": "ritual", "cost": 0, "damage": 4}
SHEETS = {
    "mara": {"hp": 9, "abilities": [PINCER, TACKLE, METEOR, VAULT, HAMMER]},
    "wolf": {"hp": 12, "kind": "npc", "abilities": [RITUAL]},
}


@played_once
def ring(**settings: object) -> Play:
    """Mara (5 slots) acts, Ivo has 7 in reserve and an ability that interrupts; Teo comes last, the wolf is an NPC."""
    has = {"ivo": ["breaks", "knockout"], "teo": ["breaks"]}
    return table("ivo", "mara", "teo", "wolf", has=has, sheets=SHEETS, settings=settings).locked().to("mara")


# Combos


def test_a_combo_rolls_hits_and_harms():
    """AP-32, AP-33: what its text says is done when both have paid; the outcome is asked where it is not told."""
    data = {"who": "mara", "partner": "ivo", "ability": "pincer", "target": "wolf", "in_range": True}
    play = ring().do("combo", rolls={"roll": [14]}, **data)
    assert (play.got("ComboStarted").roll, play.got("ComboStarted").target) == (16, "wolf")
    assert play.names().index("ComboFinished") < play.names().index("RulingAsked")
    play.do("answer", prompt="outcome", choice="hit", rolls={"damage": [5]})
    assert play.see("wolf")["hp"] == 7
    told = ring().do("combo", damage=3, **data)
    assert told.see("wolf")["hp"] == 9
    missed = ring().do("combo", hit=False, **data)
    assert missed.see("wolf")["hp"] == 12
    assert missed.slots("mara") == (3, 0), "and paid for"


def test_the_question_of_range_loses_neither_target_nor_harm():
    """AP-32."""
    play = ring().do("combo", who="mara", partner="ivo", ability="pincer", target="wolf", damage=4, note="from behind")
    assert play.asks() == ["range"]
    assert play.refused("AP-32", "act", who="mara", cost=1).accepts == ("yes", "no")
    play.do("answer", prompt="range", choice="yes")
    assert play.got("ComboStarted").note == "from behind"
    assert play.see("wolf")["hp"] == 8


def test_a_combo_without_a_sheet_takes_them_too():
    """AP-21, AP-32."""
    play = ring().do("combo", who="mara", partner="ivo", cost=1, partner_cost=1, target="wolf", damage=2, in_range=True)
    assert play.see("wolf")["hp"] == 10
    play.refused("target", "combo", who="mara", partner="ivo", cost=1, damage=2, in_range=True)


def test_a_combo_is_interrupted_like_any_act():
    """AP-29: the question what came of it falls away, and the harm it did is undone."""
    play = ring().do("combo", who="mara", partner="ivo", ability="pincer", target="wolf", in_range=True)
    assert play.asks() == ["outcome"]
    play.do("react", who="ivo", ability="breaks", target="mara", interrupt=True)
    assert play.got("ActionInterrupted").what == "pincer"
    assert play.asks() == []
    assert play.see("wolf")["hp"] == 12
    done = ring().do("combo", who="mara", partner="ivo", ability="pincer", target="wolf", in_range=True, damage=5)
    done.do("react", who="ivo", ability="breaks", target="mara", interrupt=True)
    assert done.see("wolf")["hp"] == 12


def test_a_combo_is_not_finished_where_a_partner_is_interrupted():
    """AP-29, AP-33: whoever finishes it does so from reserve, which is an Interjection."""
    has = {"zed": ["parry", "breaks"]}
    play = table("zed", "ivo", "mara", "teo", "wolf", has=has, sheets=SHEETS).locked({"zed": 20}).to("mara")
    data = {"who": "mara", "partner": "ivo", "ability": "pincer", "target": "wolf", "in_range": True}
    play.do("combo", damage=5, **data)
    play.refused("AP-29", "react", who="zed", ability="breaks", target="ivo", interrupt=True)
    play.do("react", who="zed", ability="parry", target="ivo", interrupt=True)
    assert [one.who for one in play.all("ActionInterrupted")] == ["ivo", "mara"]
    assert play.see("wolf")["hp"] == 12
    play.do("combo", **data).do("react", who="ivo", cost=1, ability="a step", allowed=True)
    play.refused("AP-29", "react", who="zed", ability="breaks", target="ivo", interrupt=True)
    assert play.asks() == ["outcome"], "Ivo does something else by now"


def test_a_finisher_of_several_needs_somebody_vulnerable():
    """AP-30."""
    data = {"who": "mara", "partner": "ivo", "ability": "tackle", "target": "wolf", "in_range": True}
    play = ring()
    play.refused("AP-30", "combo", **data)
    play.do("rule", what="vulnerable", who="wolf").do("combo", hit=True, **data)
    assert play.see("wolf")["able"] is False


def test_a_combo_interrupts_only_where_its_text_says_so():
    """AP-29."""
    play = ring().do("npc", who="wolf", what="howls")
    data = {"who": "mara", "partner": "ivo", "ability": "pincer", "target": "wolf", "in_range": True}
    play.refused("AP-29", "combo", interrupt=True, **data)
    play.do("combo", interrupt=True, force=True, damage=1, **data)
    assert play.got("ActionInterrupted").what == "howls"


# Multi-Round Actions


def paid(play: Play, **data: object) -> Play:
    """Mara has begun her action in the first round, and pays its last slot in the second."""
    play.do("begin", who="mara", **data)
    return play.to_round(2).to("mara").do("continue", who="mara")


def test_its_effect_comes_with_the_last_slot():
    """AP-37, AP-40, AP-41: the roll is sealed at the start, the harm is done at the end."""
    play = ring().do("begin", who="mara", ability="meteor", target="wolf", rolls={"sealed": [11]})
    assert play.got("MultiRoundBegan").target == "wolf"
    assert play.see("mara")["action_in_progress"]["target"] == "wolf"
    assert play.see("wolf")["hp"] == 12
    play.to_round(2).to("mara").do("continue", who="mara")
    assert "15" in play.prompt("sealed").question
    play.do("answer", prompt="sealed", choice="success", rolls={"damage": [3, 4]})
    assert (play.got("CheckResolved").passed, play.see("wolf")["hp"]) == (True, 5)


@pytest.mark.parametrize("is_vulnerable", [True, False])
def test_a_finisher_of_several_rounds_finishes_whoever_is_vulnerable_at_its_end(is_vulnerable):
    """AP-30, AP-40: whoever is not takes its harm alone."""
    play = ring().do("begin", who="mara", ability="hammer", target="wolf").to_round(2).to("mara")
    if is_vulnerable:
        play.do("rule", what="vulnerable", who="wolf")
    play.do("continue", who="mara", success=True)
    assert play.see("wolf")["able"] is not is_vulnerable


@pytest.mark.parametrize(
    ("last", "hp"),
    [
        ({"success": True}, 9), ({"success": False}, 12), ({"damage": 6}, 6), ({"success": False, "damage": 6}, 12),
    ],
)  # fmt: skip
def test_what_came_of_it_may_be_told_with_the_last_slot(last, hp):
    """AP-41."""
    play = ring().do("begin", who="mara", ability="vault", target="wolf").to_round(2).to("mara")
    play.do("continue", who="mara", **last)
    assert play.see("wolf")["hp"] == hp
    assert play.asks() == []


def test_without_a_roll_it_is_asked_whether_it_hits():
    """AP-40: with the sheet's harm, or what is typed."""
    play = paid(ring(), ability="vault", target="wolf")
    play.do("answer", prompt="outcome", choice="hit")
    assert play.see("wolf")["hp"] == 9
    typed = paid(ring(), ability="dig under", needed=7, target="wolf", damage=2)
    typed.do("answer", prompt="outcome", amount=5)
    assert typed.see("wolf")["hp"] == 7


def test_whom_it_is_at_may_be_known_only_at_the_end():
    """AP-40: and whoever has left is hit by nothing."""
    play = ring().do("begin", who="mara", ability="vault").to_round(2).to("mara")
    play.do("continue", who="mara", target="wolf", success=True)
    assert play.see("wolf")["hp"] == 9
    gone = ring().do("begin", who="mara", ability="vault", target="wolf").do("leave", who="wolf")
    assert "target" not in gone.see("mara")["action_in_progress"]
    gone.to_round(2).to("mara").do("continue", who="mara", success=True)
    assert gone.got("MultiRoundCompleted").name == "vault"


def test_the_last_instalment_can_be_interrupted_too():
    """AP-38: then it asks no outcome, and does no harm."""
    play = ring().do("begin", who="mara", ability="meteor", target="wolf", interruptible=True)
    play.to_round(2).do("end_ap", who="ivo").do("continue", who="mara")
    assert play.asks() == ["sealed"]
    play.do("react", who="ivo", ability="breaks", target="mara", interrupt=True)
    assert play.asks() == []
    assert play.see("wolf")["hp"] == 12


# NPCs


def test_an_npc_may_act_over_several_rounds():
    """AP-05, AP-44: one round is over at each Upkeep, and with the last it takes effect."""
    play = ring().do("npc", who="wolf", what="ritual", target="mara", rounds=2)
    assert (play.got("MultiRoundBegan").needed, play.see("wolf")["acted_round"]) == (2, 1)
    assert play.fight.system.card(play.state, "wolf").progress[0].needed == 2
    (declared,) = play.fight.system.declarations(play.state)
    assert (declared.who, declared.cost) == ("wolf", "2 rounds")
    play.to_round(2)
    assert play.see("wolf")["action_in_progress"]["paid"] == 1
    play.do("npc", who="wolf", what="growls")
    play.until(lambda: "outcome" in play.asks())
    assert (play.state.phase, play.got("MultiRoundCompleted").done) == ("upkeep", 2)
    play.do("answer", prompt="outcome", choice="hit")
    assert play.see("mara")["hp"] == 5
    play.to_round(3)
    assert play.see("wolf")["action_in_progress"] is None


def test_its_roll_is_sealed_as_it_begins():
    """AP-37, AP-41."""
    gaze = {"name": "gaze", "cost": 0, "roll": "d20", "damage": 2, "interruptible": False}
    play = table("ivo", "wolf", sheets={"ivo": {"hp": 5}, "wolf": {"abilities": [gaze]}}).locked()
    play.do("npc", who="wolf", what="Gaze", target="ivo", rounds=1, rolls={"sealed": [17]})
    play.until(lambda: "sealed" in play.asks())
    assert "17" in play.prompt("sealed").question
    play.do("answer", prompt="sealed", choice="failure")
    assert play.see("ivo")["hp"] == 5


def test_a_long_act_of_an_npc_can_be_interrupted():
    """AP-29, AP-39: what has gone into it is lost; where nobody has said whether it can be, the GM is asked."""
    play = ring().do("npc", who="wolf", what="ritual", target="mara", rounds=3, interruptible=True)
    play.to_round(2).do("end_ap", who="ivo").do("react", who="ivo", ability="breaks", target="wolf", interrupt=True)
    assert (play.got("MultiRoundLost").lost, play.got("ActionInterrupted").slots_lost) == (1, 0)
    play.to_round(3)
    assert play.see("wolf")["action_in_progress"] is None
    unsaid = ring().do("npc", who="wolf", what="ritual", rounds=3)
    unsaid.do("react", who="ivo", ability="breaks", target="wolf", interrupt=True)
    assert unsaid.prompt("interrupt").rule == "AP-39"
    sturdy = ring().do("npc", who="wolf", what="ritual", rounds=3, interruptible=False)
    sturdy.refused("AP-39", "react", who="ivo", ability="breaks", target="wolf", interrupt=True)


def test_it_is_lost_with_its_owner_and_by_the_gms_word():
    """AP-36."""
    fallen = ring().do("npc", who="wolf", what="ritual", rounds=2).do("damage", who="wolf", amount=99)
    assert fallen.got("MultiRoundLost").name == "ritual"
    offered = ring().do("npc", who="wolf", what="ritual", rounds=2)
    rulings = {one.action for one in offered.fight.system.rulings(offered.state, "wolf")}
    assert {"rule-finish", "rule-drop", "rule-breakable"} <= rulings
    offered.do("rule", what="drop", who="wolf")
    assert offered.got("MultiRoundLost").reason == "given up"


def test_one_long_act_at_a_time():
    """AP-05."""
    play = ring().do("npc", who="wolf", what="ritual", rounds=2)
    play.refused("AP-05", "npc", who="wolf", what="dig", rounds=2)
    ring().refused("AP-05", "npc", who="wolf", what="dig", rounds=0)
    ring().refused("AP-04", "npc", who="mara", what="dig", rounds=2)
    assert not play.option("wolf", "begin").legal


# On the screen


def test_the_screen_asks_for_targets_and_outcomes():
    """AP-32, AP-34, AP-05."""
    play = ring()
    asked = {one.action: [wanted.name for wanted in one.inputs] for one in play.fight.options("mara")}
    assert asked["combo"] == ["partner", "target", "hit", "damage"]
    assert asked["begin"] == ["ability", "pay", "target"]
    npc = {one.action: [wanted.name for wanted in one.inputs] for one in play.fight.options("wolf")}
    assert npc["begin"] == ["what", "rounds", "target"]
