"""What is done in one's own turn and outside it: ST-03..05, ST-07, ST-28..32, Q-T1..3, Q-T18, Q-T21."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import HexBoard

from ..once import played_once
from .table import Play, table


@played_once
def acting(**more: object) -> Play:
    """Lea acts; w2 comes after her."""
    return table("lea", "w2", **more).roll().do("take", who="lea")  # type: ignore[arg-type]


def counts(play: Play, who: str) -> tuple[object, object]:
    return play.see(who)["actions_left"], play.see(who)["reactions_left"]


# Actions


def test_actions_run_out_and_the_turn_is_over():
    """ST-04, ST-29: with the last one, and not before."""
    play = acting().do("act", who="lea").do("act", who="lea")
    assert (play.offered(), play.see("lea")["turn_state"]) == ("", "acting")
    play.do("act", who="lea")
    ended = play.got("TurnEnded")
    assert (ended.cause, ended.unused, play.offered()) == ("no Actions", 0, "w2")
    assert play.see("lea")["turn_state"] == "done"


def test_one_may_stop_before():
    """ST-04, ST-29: at any time, even without a single Action."""
    play = acting().do("end_turn")
    ended = play.got("TurnEnded")
    assert (ended.cause, ended.unused) == ("voluntary", 3)
    assert (ended.seconds_min, ended.seconds_max) == (5, 10), "ST-05"
    assert play.state.clock_s == 0


def test_nobody_else_ends_a_turn():
    """ST-04: but the GM may."""
    play = acting()
    assert play.refused("ST-04", "end_turn", who="w2").accepts == ("lea",)
    play.do("end_turn", who="w2", force=True)
    assert play.got("TurnEnded", who="lea").cause == "gm"


@pytest.mark.parametrize(("price", "left"), [(1, 2), (2, 1), (3, 0)])
def test_an_act_may_take_several_actions(price, left):
    """ST-28."""
    play = acting().do("act", who="lea", what="a great blow", actions=price)
    assert play.got("ActionTaken").left == left


def test_more_actions_than_there_are():
    """ST-29: nothing is spent."""
    play = acting().do("act", who="lea", actions=2)
    no = play.refused("ST-29", "act", who="lea", actions=2)
    assert no.accepts == ("at most 1",)
    for wrong in (0, -1):
        play.refused("ST-28", "act", who="lea", actions=wrong)
    play.do("act", who="lea", actions=2, force=True)
    assert play.got("ActionTaken").left == 0


def test_unused_actions_do_not_pile_up():
    """ST-07: all of them come back, and no more than all."""
    play = acting().do("end_turn").turns("w2").do("take", who="lea")
    assert counts(play, "lea") == (3, 3)
    recovered = play.got("ActionDiceRecovered", who="lea")
    assert (recovered.before, recovered.left) == (3, 3)


def test_they_come_back_at_ones_own_turn_and_no_other_time():
    """ST-07: neither at the round's start nor in another's turn."""
    play = table("lea", "ron", "w2").roll()
    play.do("take", who="lea").do("act", who="lea", actions=3).turns("ron", "w2")
    assert (play.state.round, counts(play, "lea")[0]) == (2, 0)
    play.do("delay", who="lea").do("take", who="ron")
    assert counts(play, "lea")[0] == 0
    play.do("end_turn").do("step_in", who="lea")
    assert counts(play, "lea")[0] == 3


def test_a_turn_is_one_characters():
    """ST-03: nobody else acts in it."""
    play = acting()
    play.refused("ST-13", "act", who="w2")
    play.refused("ST-13", "strike", who="w2", target="lea")
    play.refused("ST-13", "move", who="w2", hexes=1)


def test_dice_of_an_act_are_kept():
    """ST-28: what they mean is the GM's to say."""
    play = acting().do("act", who="lea", what="picks the lock", dice="2d6+1", rolls={"act": [3, 4]})
    assert play.got("DiceRolled").total == 8


@pytest.mark.parametrize("count", [0, 1, 5])
def test_as_many_reactions_as_actions(count):
    """ST-31."""
    play = table("lea", "w2", sheets={"w2": {"actions": count}}).roll()
    assert play.see("w2")["reactions_left"] == count
    for _ in range(count):
        play.do("react", who="w2")
    play.refused("ST-30", "react", who="w2")


def test_no_actions_at_all():
    """ST-29, ST-31: the steps run, and the turn is over."""
    play = table("lea", "w2", sheets={"lea": {"actions": 0}}).do("poison", who="lea", amount=2).roll()
    play.do("take", who="lea")
    assert (play.see("lea")["hp"], play.offered()) == (8, "w2")
    play.refused("ST-30", "react", who="lea")


def test_another_number_of_actions_by_ruling():
    """ST-31, Q-T1: the Reactions follow it, up and down, and pools stay in bounds."""
    play = acting().do("rule", what="actions", who="w2", value=5)
    assert play.see("w2")["actions_max"] == play.see("w2")["reactions_left"] == 5
    play.do("rule", what="actions", who="lea", value=1)
    assert counts(play, "lea") == (1, 1)
    play.refused("Q-T1", "rule", what="actions", who="lea", value=-1)
    play.do("rule", what="actions", who="lea", value=0)
    assert play.offered() == "w2", "ST-29: none left"


# Reactions


def test_a_reaction_is_for_others_turns():
    """ST-30: what one does in one's own is an Action."""
    play = acting()
    assert play.refused("ST-30", "react", who="lea").accepts == ("act",)
    play.do("react", who="w2", what="parries", target="lea")
    taken = play.got("ReactionTaken")
    assert (taken.left, taken.what, taken.target) == (2, "parries", "lea")
    play.do("end_turn").do("take", who="w2").do("react", who="lea")
    assert counts(play, "lea") == (3, 2)


def test_at_an_offer_anybody_may_react():
    """ST-30: a turn that is only offered has not begun, its owner's neither."""
    play = table("lea", "w2").roll().do("react", who="lea").do("react", who="w2")
    assert (play.see("lea")["reactions_left"], play.see("w2")["reactions_left"]) == (2, 2)


def test_reactions_come_back_with_the_dice():
    """ST-31, Q-T3: at the start of one's own turn."""
    play = acting()
    for _ in range(3):
        play.do("react", who="w2")
    play.refused("ST-30", "react", who="w2")
    play.do("end_turn").do("take", who="w2")
    assert play.see("w2")["reactions_left"] == 3


def test_reactions_do_not_touch_actions():
    """Q-T2: two pools."""
    play = acting().do("end_turn").do("take", who="w2").do("act", who="w2", actions=2).do("react", who="lea")
    assert (counts(play, "lea"), counts(play, "w2")) == ((3, 2), (1, 3))


def test_a_delayer_may_react():
    """ST-30, Q-T20: with what it had before."""
    play = table("lea", "ron", "w2").roll().do("delay", who="lea").do("take", who="ron").do("react", who="lea")
    assert play.see("lea")["reactions_left"] == 2
    play.do("end_turn").do("step_in", who="lea")
    assert play.see("lea")["reactions_left"] == 3


def test_who_is_down_does_not_react():
    """ST-30."""
    play = acting().do("damage", who="w2", amount=10)
    play.refused("ST-30", "react", who="w2")


def test_shared_with_actions_what_is_spent_is_gone():
    """Q-T2: the other reading; a reaction eats nothing of the next turn."""
    play = table("lea", "w2", settings={"reaction_pool": "shared"}).roll()
    play.do("take", who="lea").do("act", who="lea", actions=1).do("end_turn").do("take", who="w2")
    play.do("react", who="lea").do("react", who="lea")
    assert counts(play, "lea") == (0, 0)
    play.refused("ST-30", "react", who="lea")
    play.do("act", who="w2", actions=3).do("take", who="lea")
    assert counts(play, "lea") == (3, 3)
    play.do("act", who="lea", actions=3)
    play.do("take", who="w2")
    play.refused("ST-30", "react", who="lea")


def test_shared_before_ones_first_turn():
    """Q-T2, Q-T3: all of them, or none."""
    for reading, left in (("full", 3), ("none", 0)):
        settings = {"reaction_pool": "shared", "reactions_at_scene_start": reading}
        assert table("lea", "w2", settings=settings).roll().see("w2")["reactions_left"] == left


# Free Actions


def test_free_actions_cost_nothing_in_ones_own_turn():
    """ST-32: and nobody is asked."""
    play = acting()
    for _ in range(4):
        play.do("free", who="lea", what="shouts")
    assert (counts(play, "lea"), play.state.prompts) == ((3, 3), ())


def test_nobody_is_asked_about_a_free_action_at_ones_own_offer():
    """ST-32, ST-13: the turn is one's own, whether it has begun or not."""
    play = table("lea", "w2").roll()
    offered = play.state.step.actor
    other = "w2" if offered == "lea" else "lea"
    assert play.do("free", who=offered, what="shouts").offers() == []
    assert play.do("free", who=other, what="shouts").offers() == ["free_action"]


def test_free_actions_out_of_turn_are_the_gms_to_allow():
    """ST-32, Q-T18: as many as one likes; by default they are allowed."""
    play = acting().do("free", who="w2", what="drops the lamp").do("free", who="w2", what="shouts")
    assert (play.offers(), counts(play, "w2")) == (["free_action", "free_action"], (0, 3))
    play.do("answer", prompt=play.state.prompts[0].id, choice="no")
    assert play.got("FreeActionForbidden").what == "drops the lamp"
    play.do("act", who="lea").do("end_turn")
    assert not play.state.prompts


def test_the_gm_may_forbid_them_beforehand():
    """ST-32."""
    play = acting().do("rule", what="free", who="w2", value="no")
    assert play.refused("ST-32", "free", who="w2").accepts == ("a ruling: free",)
    play.do("rule", what="free", who="w2", value=True).do("free", who="w2")
    play.refused("ST-32", "rule", what="free", who="w2", value="perhaps")


def test_there_is_nothing_to_be_free_of_between_scenes():
    """ST-32."""
    table("lea").refused("ST-32", "free", who="lea")
    play = acting().do("damage", who="w2", amount=10)
    play.refused("ST-32", "free", who="w2")


# Attacks, walking, spending


def test_an_attack_is_an_action_and_what_comes_of_it_is_said():
    """ST-28: the text has no rules for hitting."""
    play = acting().do("strike", who="lea", target="w2", hit=True, damage=4)
    assert (play.see("w2")["hp"], counts(play, "lea")) == (6, (2, 3))
    play.do("strike", who="lea", target="w2", hit=False, damage=4)
    assert play.see("w2")["hp"] == 6
    play.do("strike", who="lea", target="w2")
    assert (play.asks(), play.prompt("outcome").rule) == (["outcome"], "ST-28")
    play.do("answer", choice="hit", amount=6)
    assert play.got("Downed").who == "w2"
    assert play.names().index("Downed") < play.names().index("TurnEnded"), "ST-29: the third was the last"


def test_a_hit_without_a_number_asks_for_the_damage():
    """ST-28."""
    play = acting().do("strike", who="lea", target="w2", hit=True)
    assert play.asks() == ["damage"]
    play.do("answer", amount="2d6", rolls={"damage": [1, 2]})
    assert play.see("w2")["hp"] == 7
    play.do("strike", who="lea", target="w2").do("answer", choice="hit").do("answer", choice="none")
    assert play.see("w2")["hp"] == 7
    play.do("strike", who="lea", target="w2").do("answer", choice="miss")
    assert (play.see("w2")["hp"], play.offered()) == (7, "w2")


@pytest.mark.parametrize(("die", "hit"), [(9, False), (10, True), (20, True)])
def test_a_weapon_on_the_sheet_is_thrown_for(die, hit):
    """ST-28: to reach its number is to hit."""
    arm = {"name": "sword", "needs": 12, "damage": "d6"}
    play = acting(sheets={"lea": {"strikes": [arm]}})
    play.do("strike", who="lea", target="w2", modifier=2, rolls={"attack": [die], **({"damage": [3]} if hit else {})})
    assert play.got("StrikeResolved").hit is hit
    assert play.see("w2")["hp"] == (7 if hit else 10)


def test_whom_one_cannot_strike():
    """ST-28."""
    play = acting()
    play.refused("ST-28", "strike", who="lea", target="lea", hit=True)
    play.refused("target", "strike", who="lea")
    play.do("damage", who="w2", amount=10)
    play.refused("ST-28", "strike", who="lea", target="w2", hit=True)
    play.refused("weapon", "strike", who="lea", target="w2", weapon="spoon", force=True)


def test_walking_is_an_action_like_any_other():
    """ST-28: with a board or without."""
    play = acting().do("move", who="lea", hexes=4)
    assert counts(play, "lea") == (2, 3)
    play.refused("hexes", "move", who="lea", hexes=0)
    ground = HexBoard(cols=6, rows=3)
    play = acting(board=ground, at={"lea": (0, 0), "w2": (3, 0)})
    play.do("move", who="lea", path=[[1, 0], [2, 0]])
    assert play.one("lea").at == (2, 0)
    assert play.got("ContactMade").enemy == "w2"
    play.refused("path", "move", who="lea", path=[[3, 0]])
    play.refused("path", "move", who="lea", path=[[5, 0]])


def test_pools_and_the_uses_of_a_day_are_spent():
    """ST-42: until they are gone."""
    play = acting(sheets={"lea": {"mana": 3, "dailies": [{"name": "Second wind", "max": 1}]}})
    play.do("spend", who="lea", pool="mana", amount=2).do("spend", who="lea", pool="second wind")
    assert play.see("lea")["mana"] == 1
    assert play.refused("pool", "spend", who="lea", pool="mana", amount=2).accepts == ("at most 1",)
    play.refused("ST-42", "spend", who="lea", pool="second wind")
    play.refused("amount", "spend", who="lea", pool="mana", amount=0)
    assert "Second wind" in play.refused("pool", "spend", who="lea", pool="luck").accepts
    assert counts(play, "lea") == (3, 3)


def test_actions_are_spent_in_ones_own_turn_and_reactions_outside_it():
    """ST-28, ST-30: by whatever command; mana goes at any time."""
    play = table("lea", "w2", sheets={"w2": {"mana": 1}}).roll()
    play.refused("ST-22", "spend", who="lea", pool="actions")
    play.do("take", who="lea")
    play.refused("ST-30", "spend", who="lea", pool="reactions")
    play.do("spend", who="lea", pool="actions", amount=2).do("spend", who="w2", pool="reactions")
    assert (counts(play, "lea"), counts(play, "w2")) == ((1, 3), (0, 2))
    play.refused("ST-29", "spend", who="lea", pool="actions", amount=2)
    play.do("spend", who="lea", pool="actions")
    assert play.offered() == "w2", "none are left, so the turn is over"
    play.do("take", who="w2").do("end_turn").do("take", who="lea")
    play.refused("ST-13", "spend", who="w2", pool="actions")
    play.do("spend", who="w2", pool="mana")


def test_an_attack_throws_the_dice_of_its_weapon_or_those_that_are_said():
    """ST-28: the sheet says with which dice a weapon hits; the GM may say others."""
    play = table("lea", "w2", sheets={"lea": {"strikes": [{"name": "club", "needs": 7, "dice": "2d6", "damage": 1}]}})
    play.roll().do("take", who="lea")
    play.do("strike", who="lea", target="w2", rolls={"attack": [3, 4]})
    assert play.got("DiceRolled", purpose="attack").dice == "2d6"
    assert play.got("StrikeResolved", who="lea").total == 7
    play.do("strike", who="lea", target="w2", dice="3d6", rolls={"attack": [1, 1, 1]})
    assert play.got("DiceRolled", purpose="attack").dice == "3d6"
    assert play.got("StrikeResolved", who="lea").hit is False


PIKE_AND_BOW = [{"name": "pike", "needs": 12, "reach": 2}, {"name": "bow", "needs": 14}]


@played_once
def at_the_gate(lea: tuple[int, int]) -> Play:
    """Lea with a pike that reaches two hexes, and two foes; w1 is near only from the second column."""
    everybody = table(
        "lea", "w1", "w2", board=HexBoard(cols=9, rows=1), sheets={"lea": {"strikes": PIKE_AND_BOW}},
        at={"lea": lea, "w1": (3, 0), "w2": (8, 0)},
    )  # fmt: skip
    return everybody.roll().do("take", who="lea")


def test_an_attack_goes_no_farther_than_the_reach_on_the_sheet():
    """ST-28: what would do instead is named: a walk, another attack, a foe who is near enough."""
    play = at_the_gate(lea=(1, 0))
    no = play.refused("ST-28", "strike", who="lea", target="w2", weapon="pike")
    assert "is 7 hexes away; pike reaches 2" in no.message
    assert no.accepts == ("move with path", "weapon: bow", "w1")
    play.do("strike", who="lea", target="w1", weapon="pike", rolls={"attack": [5]})
    play.do("strike", who="lea", target="w2", weapon="bow", rolls={"attack": [5]})
    play.do("strike", who="lea", target="w2", weapon="pike", force=True, rolls={"attack": [5]})


def test_without_a_board_the_table_judges_how_far_an_attack_goes():
    play = table("lea", "w1", sheets={"lea": {"strikes": PIKE_AND_BOW}}).roll().do("take", who="lea")
    play.do("strike", who="lea", target="w1", weapon="pike", rolls={"attack": [5]})


@pytest.mark.parametrize(("column", "first"), [(0, "bow"), (1, "pike")])
def test_the_attack_that_is_offered_first_reaches_a_foe(column: int, first: str):
    play = at_the_gate(lea=(column, 0))
    offered = [option.label for option in play.fight.options("lea") if option.command == "Strike"]
    assert len(offered) == 2
    assert offered[0] == f"strike ({first})"


def test_an_attack_in_anothers_turn_is_a_reaction():
    """ST-30, ST-28: it hits and harms as any other, and costs a Reaction and no Action."""
    play = table("lea", "w2").roll().do("take", who="lea")
    play.do("reaction_strike", who="w2", target="lea", needs=5, damage=4, rolls={"attack": [12]})
    assert play.got("ReactionTaken").target == "lea"
    assert play.got("StrikeResolved").hit
    assert counts(play, "w2") == (0, 2)
    assert play.see("lea")["hp"] == 6
    play.refused("ST-30", "reaction_strike", who="lea", target="w2", hit=True)
    for _ in range(2):
        play.do("reaction_strike", who="w2", target="lea", hit=False)
    play.refused("ST-30", "reaction_strike", who="w2", target="lea", hit=False)


def test_an_attack_out_of_turn_is_offered_and_never_proposed():
    """ST-30: with each weapon of the sheet, against whoever is in reach; its preview says what it costs."""
    play = table("lea", "w2", sheets={"w2": {"strikes": [{"name": "axe", "needs": 11, "damage": "d8"}]}})
    play.roll().do("take", who="lea")
    option = next(option for option in play.fight.options("w2") if option.command == "ReactionStrike")
    assert (option.label, option.cost, option.legal, option.is_unlikely) == ("strike (axe)", "1 reaction", True, True)
    command = play.fight.codec.command("reaction_strike", {"who": "w2", "target": "lea", "weapon": "axe"})
    rows = {row.name: row.text for row in play.fight.preview(command).rows}
    assert rows["costs"] == "1 Reaction"
    assert not [option for option in play.fight.options("lea") if option.command == "ReactionStrike"]
