"""The round and its clock: ST-05..08, ST-13."""

from __future__ import annotations

import pytest

from fightcall_engine.kit.decision import open_kinds
from fightcall_engine.model.errors import BadInput

from .table import ORDER, Play, table


def clock(play: Play) -> tuple[object, object]:
    facts = play.fight.system.facts(play.state)
    return facts["clock_min_s"], facts["clock_max_s"]


def test_a_round_is_everybodys_turn_once():
    """ST-06, ST-13."""
    play = table().roll()
    for number in (1, 2, 3):
        for place, who in enumerate(ORDER):
            assert (play.state.round, play.offered()) == (number, who)
            facts = play.fight.system.facts(play.state)
            assert (facts["pointer"], facts["actor"]) == (place, who)
            play.turns(who)
    assert [one.number for one in play.heard if one.type == "RoundEnded"] == [1, 2, 3]  # type: ignore[attr-defined]


def test_the_next_round_begins_with_the_last_turns_end():
    """ST-06, ST-08: in this order."""
    play = table("lea", "w2").roll().turns("lea").do("take", who="w2").do("end_turn")
    told = [one for one in play.names() if one not in ("FactChanged", "TraitsReset", "StepBegan", "ReactionsRecovered")]
    assert told == ["TurnEnded", "RoundEnded", "ClockAdvanced", "ClockRangeAdvanced", "RoundBegan", "TurnOffered"]
    assert "ActionDiceRecovered" not in told, "ST-07"


@pytest.mark.parametrize("people", [("lea",), ("lea", "w2"), tuple(ORDER)])
def test_the_clock_counts_rounds_whoever_takes_part(people):
    """ST-08: turns are not summed (Q-T8)."""
    play = table(*people).roll()
    for number in (1, 2, 3, 4):
        assert clock(play) == (30 * (number - 1), 60 * (number - 1))
        play.to_round(number + 1)


def test_only_closed_rounds_count():
    """ST-08: nor does a delay, a newcomer, or a turn brought forward."""
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").turns("pip").do("step_in", who="lea")
    assert clock(play) == (0, 0)
    play.do("end_turn").do("take", who="w2")
    assert clock(play) == (0, 0)
    play.do("end_turn")
    assert clock(play) == (30, 60)


def test_a_forfeited_turn_closes_the_round():
    """ST-06, ST-21."""
    play = table("lea", "w2").roll().do("delay", who="lea").turns("w2").do("forfeit", who="lea")
    assert (play.state.round, clock(play)) == (2, (30, 60))
    assert play.offered() == "w2"


def test_time_in_free_scenes_and_rests_is_added_to_both_ends():
    """ST-02, ST-08, ST-36."""
    play = table("lea", "w2").roll().turns("lea", "w2").do("close_scene").do("short_rest").do("complete_rest")
    assert clock(play) == (930, 960)
    play.do("open_scene", mode="free").do("act", who="lea").do("act", who="w2").do("close_scene", elapsed="1 h")
    assert clock(play) == (4530, 4560)


def test_nobody_can_act_any_more():
    """ST-06: rounds without anybody would go on for ever, so the GM is asked."""
    play = table("lea", "w2").roll().do("damage", who="w2", amount=10).do("damage", who="lea", amount=10)
    assert play.asks() == ["stalled"]
    assert play.fight.system.reminders(play.state) == ("No one can act",)
    play.do("answer", choice="stay")
    assert not play.asks()
    play.do("advance")
    assert play.asks() == ["stalled"]
    play.do("heal", who="lea", amount=1)
    assert not play.asks(), "the Scene is not closed over a combatant who can act again"
    play.do("advance")
    assert play.offered() == "lea"
    play.do("damage", who="lea", amount=10).do("advance")
    assert play.fight.system.facts(play.state)["mode"] == ""


def test_the_gm_gives_somebody_a_turn():
    """ST-13: by a ruling: who was passed over, and who has had one."""
    play = table("lea", "pip", "w2").roll().do("damage", who="pip", amount=10).turns("lea")
    assert play.offered() == "w2"
    play.do("heal", who="pip", amount=3).do("rule", what="turn", who="pip").turns("w2")
    assert (play.offered(), play.state.round) == ("pip", 1)
    play.refused("ST-13", "rule", what="turn", who="pip")
    play.do("take", who="pip")
    play.refused("ST-13", "rule", what="turn", who="pip")
    play.do("rule", what="turn", who="lea").do("end_turn")
    assert (play.offered(), play.state.round) == ("lea", 1)


def test_the_gm_sets_another_order():
    """ST-13; put right 19: for this round, the offered turn included, and from then on; who has acted has acted."""
    play = table("lea", "pip", "ron", "w2").roll().turns("lea")
    play.refused("ST-13", "rule", what="order", value="lea pip")
    assert play.offered() == "pip"
    play.do("rule", what="order", value="w2, ron, pip, lea")
    assert play.state.order == ("w2", "ron", "pip", "lea")
    assert play.offered() == "w2"
    play.turns("w2", "ron", "pip")
    assert (play.state.round, play.offered()) == (2, "w2")
    play.turns("w2", "ron", "pip", "lea")


@pytest.mark.parametrize(
    "order",
    ["w2, Big Lea, pip", "2 L P", "w2 lea pip", ["w2", "lea", "pip"], ["W2", "Big Lea", "P"], ["2, lea", "pip"]],
)
def test_an_order_may_be_a_list(order):
    """ST-13; put right 19: of ids, labels or names, which may have blanks where commas part them."""
    play = table("lea", "pip", "w2").do("adjust", who="lea", what="name", value="Big Lea").roll()
    play.do("rule", what="order", value=order)
    assert (play.state.order, play.offered()) == (("w2", "lea", "pip"), "w2")
    play.refused("who", "rule", what="order", value=["w2", "nobody", "pip"])


def test_a_new_order_that_keeps_the_offer_keeps_its_questions():
    """ST-13, ST-18; put right 19: whoever delays is asked about at the turn that is offered now."""
    play = table("lea", "pip", "ron", "w2").roll().do("delay", who="lea").turns("pip")
    before = play.state.prompts
    assert (play.offered(), open_kinds(play.state)) == ("ron", ("step_in",))
    play.do("rule", what="order", value="lea pip ron w2")
    assert (play.offered(), play.state.prompts) == ("ron", before)
    play.do("rule", what="order", value="w2 lea pip ron")
    assert (play.offered(), open_kinds(play.state)) == ("w2", ("step_in",))
    play.do("step_in", who="lea").do("end_turn").turns("w2", "ron")
    assert (play.state.round, play.state.order) == (2, ("lea", "w2", "pip", "ron"))


def test_a_new_order_leaves_a_running_turn_alone():
    """ST-13; put right 19"""
    play = table("lea", "pip", "w2").roll().do("take", who="lea").do("rule", what="order", value="w2 pip lea")
    play.do("act", who="lea").do("end_turn")
    assert play.offered() == "w2"


@pytest.mark.parametrize("word", ["done", "passed", "waiting", "delayed"])
@pytest.mark.parametrize("asked", [False, True])
def test_a_turn_that_the_gm_has_taken_back_holds_up_nobody(word, asked):
    """ST-06: whatever is written in its place, the next step is the next turn."""
    play = table("lea", "w2", sheets={"lea": {"mana": 3}})
    if asked:
        play.do("affect", who="lea", name="ward", upkeep=1)
    play.roll().do("take", who="lea").do("adjust", who="lea", what="turn", value=word)
    while play.asks():
        play.do("advance")
    assert play.offered() == "w2"


def test_who_can_act_again_before_the_first_round_rolls_for_it():
    """ST-06, ST-12: Initiative that nobody could roll for waits for the first who can."""
    play = table("lea", "w2").do("damage", who="lea", amount=10).do("damage", who="w2", amount=10)
    play.do("open_scene", mode="initiative").do("advance")
    assert play.asks() == ["stalled"]
    play.do("heal", who="lea", amount=1).do("initiative", who="lea", die=7)
    assert (play.state.round, play.offered()) == (1, "lea")


def test_who_joins_when_nobody_could_act_goes_on_with_the_scene():
    """ST-06, Q-T12."""
    play = table("lea", "w2").roll().do("damage", who="w2", amount=10).do("damage", who="lea", amount=10)
    play.do("add", name="Nob", side="foe", sheet={"speed": 1, "hp": 3, "actions": 3})
    assert play.asks() == ["arrival"]
    play.do("initiative", who="nob", die=7).do("advance")
    assert play.offered() == "nob"


def test_who_is_left_out_where_only_one_can_be_meant():
    """ST-13, ST-18, ST-21, ST-28; put right 22: whoever is offered the turn or has it, or the only one who delays."""
    play = table("lea", "pip", "w2").roll()
    given = [("delay", {}), ("take", {}), ("act", {"what": "climbs"}), ("move", {"hexes": 1})]
    for name, data in (*given, ("strike", {"target": "w2", "hit": False})):
        play.fight.give(name, **data)
    assert [entry.command["who"] for entry in play.fight.line.entries[-5:]] == ["lea", "pip", "pip", "pip", "pip"]
    assert play.offered() == "w2"
    play.fight.give("step_in")
    assert play.fight.line.entries[-1].command["who"] == "lea"
    play.do("end_turn").turns("w2")
    play.fight.give("delay")
    play.turns("lea", "w2")
    play.fight.give("forfeit")
    assert (play.state.round, play.fight.line.entries[-1].command["who"]) == (3, "pip")


def test_who_is_missing_where_several_can_be_meant():
    """ST-09, ST-18; put right 22: in free order, and of two who delay."""
    play = table("lea", "pip", "w2").do("open_scene", mode="free")
    with pytest.raises(BadInput, match="who"):
        play.fight.give("act")
    play = table("lea", "pip", "w2").roll().do("delay", who="lea").do("delay", who="pip")
    with pytest.raises(BadInput, match="who"):
        play.fight.give("step_in")
