"""Answering a miss: Reprisals, moving away instead, the missed weapon (CS-422, CS-478, CS-481 to CS-487)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.board.kinds import HexBoard, any_board
from fightcall_engine.model.errors import NeedsDice

from ..once import played_once
from .table import DAGGER, SWORD, Play, table, uses_of

MISS, HIT = [99], [1]


@played_once
def missed(
    settings: Mapping[str, object] | None = None,
    *,
    ash: Mapping[str, object] | None = None,
    orc: Mapping[str, object] | None = None,
    defence: str = "",
    **more: object,
) -> Play:
    """Ash has missed an orc with a sword of 30."""
    play = table(
        more.pop("board", None),  # type: ignore[arg-type]
        settings,
        ash={"weapons": [{**SWORD, "av": 30}], **(ash or {})},
        orc={"side": "foe", "weapons": [SWORD], **(orc or {})},
        **more,  # type: ignore[arg-type]
    ).begin()
    play.do("declare", who="ash", action="strike", target="orc")
    # With something of his own to settle after, the segment does not end with the answer.
    play.to("declare", "orc").do("declare", who="orc", action="act", text="shouts").to("resolve", "ash")
    return play.do("resolve", who="ash", chance=50, defence=defence, rolls={"check": MISS})


def reprised(play: Play, roll: list[int] = MISS, **given: object) -> Play:
    return play.do("reprise", **{"who": "orc", "chance": 50, "rolls": {"check": roll}, **given})


def dv(play: Play) -> object:
    return play.all("CheckRequested")[-1].dv  # type: ignore[attr-defined]


# Whether


def test_a_miss_in_melee_offers_a_reprisal_to_its_target():
    """CS-478, CS-481: an offer that does nothing by itself and lapses when play goes on."""
    play = missed()
    prompt = play.prompt("reprisal")
    assert (prompt.who, prompt.default, prompt.blocking, prompt.rule) == ("orc", "decline", False, "CS-481")
    assert "ReprisalOffered" in play.names()
    play.do("advance")
    assert play.offers() == []
    assert "ReprisalTaken" not in [one.type for one in play.heard]


def test_it_is_for_the_one_who_was_missed_only():
    """CS-441, CS-481."""
    play = missed(imp={"side": "foe", "weapons": [SWORD]})
    for who in ("imp", "ash"):
        play.refused("CS-481", "reprise", who=who)
    play.do("advance")
    play.refused("CS-481", "reprise", who="orc")
    play.refused("CS-481", "reprise", who="orc", choice="gloat")


def test_who_is_down_answers_nothing():
    """CS-111, CS-481."""
    play = missed().do("set_life", who="orc", life="unconscious")
    play.refused("CS-111", "reprise", who="orc")


def test_a_miss_of_a_shot_offers_none():
    """CS-506, CS-263: a ranged miss has its own text."""
    bow = {"name": "bow", "kind": "missile", "family": "bow", "av": 30}
    play = table(None, None, ash={"weapons": [bow]}, orc={"side": "foe", "weapons": [SWORD], "dodge": 10}).begin()
    play.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
    play.do("resolve", who="ash", chance=50, distance=90, rolls={"check": MISS})
    assert "Missed" in play.names()
    assert play.offers() == []


# Striking back


def test_a_reprisal_is_an_attack_at_once():
    """CS-482, A-33: out of turn, a simple roll, counted as a use; CS-340 does not stand against it."""
    play = reprised(missed(), HIT, harm=2)
    assert play.names()[:3] == ["RulingRecorded", "ReprisalTaken", "CheckRequested"]
    assert play.got("Hit", attacker="orc", target="ash")
    assert uses_of(play, "orc") == {"sword/R": (1, 1)}
    assert play.see("ash")["wounds"] == 2
    play = missed().to("initiative").begin()
    play.do("declare", who="ash", action="strike", target="orc")
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    play.do("resolve", who="ash", chance=50, rolls={"check": MISS})
    reprised(play)
    play.to("resolve", "orc").do("resolve", who="orc", chance=50, rolls={"check": MISS})
    assert play.got("CheckRequested", who="orc", av=20), "the second attack of this Action with the sword"


def test_the_offer_can_be_answered_as_a_question():
    """CS-481: with the best weapon, a common strike; the chance is asked for where none is known."""
    play = missed(orc={"weapons": [{**SWORD, "av": 22}, {**SWORD, "name": "axe", "hand": "L", "av": 33}]})
    play.do("answer", prompt="reprisal", choice="take")
    assert play.got("CheckRequested", who="orc", av=33)
    play.do("answer", prompt="check", amount=70, rolls={"check": [70]})
    assert play.got("Hit").weapon == "axe"  # type: ignore[attr-defined]
    play = missed().do("answer", prompt="reprisal", choice="decline")
    assert play.got("ReprisalDeclined", who="orc", target="ash")


def test_the_best_weapon_of_an_answer_is_one_that_reaches():
    """CS-318, CS-482: a dagger of Size 1 does not get past a sword of 4, however well it is wielded; an axe does."""
    dagger, axe = {**DAGGER, "av": 50}, {**SWORD, "name": "axe", "hand": "L", "av": 22}
    play = missed(orc={"weapons": [dagger, axe]})
    assert play.option("orc", "reprise").label == "Reprisal (axe)"
    play.do("answer", prompt="reprisal", choice="take")
    assert play.got("CheckRequested", who="orc", av=22)
    play = missed(orc={"weapons": [dagger]})
    assert "dagger" in play.option("orc", "reprise").label, "where nothing reaches it is what he holds that does not"
    assert "keeps a weapon of Size 1 away" in play.refused("CS-318", "answer", prompt="reprisal", choice="take").message


POLE: Mapping[str, object] = {"name": "pole", "size": 5, "av": 35, "grip": "2", "hand": "2"}


@pytest.mark.parametrize(
    ("weapons", "busy", "left"),
    [
        ([SWORD, {**SWORD, "name": "axe", "hand": "L"}], ["R"], ["axe"]),
        ([SWORD, {**SWORD, "name": "axe", "hand": "L"}], ["R", "L"], []),
        ([POLE], ["L"], []),
        ([POLE], ["legs"], ["pole"]),
        ([SWORD], ["body"], []),
    ],
)
def test_cs_146_a_hand_at_work_neither_parries_nor_strikes_out_of_turn(
    weapons: list[Mapping[str, object]], busy: list[str], left: list[str]
) -> None:
    """CS-146, CS-147: nor does a weapon for two hands with one of them, in a Reprisal or any Opportunity Action."""
    foe = {"side": "foe", "weapons": [{**SWORD, "size": 5}]}
    play = table(ash={"weapons": weapons}, orc=foe).begin(ash=30, orc=20)
    play.do("declare", who="ash", action="task", components=["rummage:2"], parts=busy)
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash")
    names = [str(weapon["name"]) for weapon in weapons]
    for name in set(names) - set(left):
        play.refused("CS-146", "opportunity", who="ash", target="orc", weapon=name, hit=False)
    inputs = {one.name: one for one in play.to("resolve", "orc").option("orc", "strike").inputs}
    assert [name for name in names if any(f"parry {name}" in one for one in inputs["defence"].choices)] == left
    play.do("resolve", who="orc", hit=False, defence="none")
    for name in names:
        if name in left:
            play.copy().do("reprise", who="ash", weapon=name, hit=False, defence="none")
        else:
            play.refused("CS-146", "reprise", who="ash", weapon=name, hit=False, defence="none")


def test_each_of_two_misses_is_answered_and_the_second_answer_is_a_second_use():
    """CS-238, CS-341, CS-481, CS-486: the foe's sword that missed is at half; the axe that missed is another weapon."""
    axe = {**SWORD, "name": "axe", "hand": "L", "av": 22}
    play = table(ash={"weapons": [SWORD, axe]}, orc={"side": "foe", "weapons": [SWORD]}).begin()
    play.do("declare", who="ash", action="strike", weapon="sword", second="axe", target="orc").to("resolve", "ash")
    for weapon in ("sword", "axe"):
        play.do("resolve", who="ash", weapon=weapon, chance=50, defence="none", rolls={"check": MISS})
    assert play.offers() == ["reprisal", "reprisal"]
    found = []
    for _ in range(2):
        reprised(play, defence="parry sword")
        found.append((play.got("CheckRequested").av, dv(play)))  # type: ignore[attr-defined]
    assert found == [(40, 20), (20, 40)]


def test_g_78_never_an_aimed_strike():
    """G-78, CS-483: a Common Strike, or a special attack that the defender owns."""
    play = missed({"special_attacks": True, "aimed_strike": True}, orc={"special_attacks": ["hearty_blow"]})
    assert "common_strike" in play.refused("CS-483", "reprise", who="orc", attack="aimed_strike").accepts
    play.refused("CS-483", "reprise", who="orc", attack="entangle")
    reprised(play, attack="hearty blow")
    assert play.got("ReprisalTaken", attack="hearty_blow")


def test_g_78_a_reprisal_that_misses_offers_nothing():
    """G-78, CS-449, A-32: unless the fight reads it so; then it goes to and fro."""
    play = reprised(missed())
    assert "Missed" in play.names()
    assert play.offers() == []
    play = reprised(missed({"reprisal_chain": "on"}))
    assert play.prompt("reprisal").who == "ash"
    play.do("reprise", who="ash", chance=50, rolls={"check": MISS})
    assert play.prompt("reprisal").who == "orc"


def test_surprise_lets_nobody_strike_back():
    """CS-065: whoever is overwhelmed may move away but not begin anything."""
    play = missed()
    for what, value in (("surprise", "overwhelmed"), ("surprise_until", 9), ("surprise_sum", 5)):
        play.do("adjust", who="orc", what=what, value=value)
    play.refused("CS-065", "reprise", who="orc", chance=50)
    play.do("reprise", who="orc", choice="trade", feet=10)


def test_a_foe_behind_is_not_struck_back_at():
    """CS-302, CS-306: without a Turn no hand reaches there."""
    play = missed(board=any_board(HexBoard(9, 9)), ash={"at": "E3"}, orc={"at": "F3", "facing": 1}, defence="none")
    assert play.refused("CS-306", "reprise", who="orc", chance=50).accepts == ("trade", "decline")


# The missed weapon


def test_g_75_the_missed_weapon_defends_at_half():
    """G-75, CS-486, CS-487: 30 gives 15; later as if it had not been used: 30, then 15."""
    play = reprised(missed())
    assert dv(play) == 15
    assert uses_of(play, "ash") == {"sword/R": (1, 0)}
    assert play.see("ash")["defences_left"][:2] == ["parry sword 30", "parry sword 15"]  # type: ignore[attr-defined]


def test_g_76_half_of_what_it_would_give_now():
    """G-76, CS-486, CS-487: one Parry before: 8 against the Reprisal, 15 as the next ordinary one."""
    play = missed().do("adjust", who="ash", what="uses.sword/R.defences", value=1)
    assert dv(reprised(play)) == 8
    assert play.see("ash")["defences_left"][0] == "parry sword 15"  # type: ignore[index]


def test_other_defences_are_as_ever():
    """CS-486: for the missed weapon alone."""
    other = {**SWORD, "name": "axe", "hand": "L", "av": 20}
    play = missed(ash={"weapons": [{**SWORD, "av": 30}, other], "dodge": 12})
    assert dv(reprised(play, defence="parry axe+dodge")) == 32
    assert uses_of(play, "ash") == {"sword/R": (1, 0), "axe/L": (0, 1)}


def test_cs_414_a_friends_sword_has_not_missed_for_being_called_the_same():
    """CS-414, CS-486: a friend parries the Reprisal with his own sword: at full value, and that counts as its use."""
    play = missed(eve={"weapons": [SWORD]})
    assert dv(reprised(play, defence="eve: parry sword")) == 40
    assert (uses_of(play, "ash"), uses_of(play, "eve")) == ({"sword/R": (1, 0)}, {"sword/R": (0, 1)})


def test_who_threw_in_the_whole_body_does_not_dodge_the_answer():
    """CS-422, CS-462: after a Body Check there is only weapon and shield."""
    play = table(
        None, {"reprisal_chain": "on"}, ash={"weapons": [SWORD], "dodge": 90}, orc={"side": "foe", "weapons": [SWORD]}
    ).begin()
    play.do("declare", who="ash", action="strike", target="orc", attack="body check").to("resolve", "ash")
    play.do("resolve", who="ash", hit=False)
    assert play.got("CheckRequested", kind="body_check", av=20, dv=20)
    play.refused("CS-422", "reprise", who="orc", chance=50, defence="dodge")
    assert dv(reprised(play)) == 40


# Moving away instead


def test_g_77_the_reprisal_can_be_traded_for_moving():
    """G-77, CS-484: with movement left; no Opportunity for the one who missed."""
    play = missed().do("adjust", who="orc", what="moved", value=136.0)
    play.refused("CS-484", "reprise", who="orc", choice="trade", feet=41)
    play.do("reprise", who="orc", choice="trade", feet=40)
    assert play.got("ReprisalTraded", kind="move", feet=40.0)
    assert play.see("orc")["feet_left"] == 0
    assert play.offers() == []
    assert not play.all("CheckRequested")


@pytest.mark.parametrize("posture", ["kneeling", "prone"])
def test_cs_104_cs_484_who_is_not_on_his_feet_does_not_move_away_instead(posture: str) -> None:
    """CS-104, CS-484: a rise comes first, as before any move; the GM may have him go."""
    play = table(ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD], "posture": posture}).begin()
    play.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    play.do("resolve", who="ash", hit=False, defence="none")
    assert not play.option("orc", "trade").legal
    play.refused("CS-104", "reprise", who="orc", choice="trade", feet=20)
    play.refused("CS-104", "answer", prompt="reprisal", choice="trade")
    assert play.do("reprise", who="orc", choice="trade", feet=20, force=True).got("ReprisalTraded", feet=20)


def test_g_77_without_movement_a_step_as_wide_as_the_own_zone():
    """G-77, CS-485: at most 6 ft at a height of 6; no AGL check, no Opportunity."""
    play = missed().do("adjust", who="orc", what="moved", value=176.0)
    play.refused("CS-485", "reprise", who="orc", choice="trade", feet=7)
    play.do("reprise", who="orc", choice="trade", feet=6)
    assert play.got("ReprisalTraded", kind="step", feet=6.0)
    assert not play.all("CheckRequested")
    play = missed().do("adjust", who="orc", what="moved", value=176.0)
    play.do("answer", prompt="reprisal", choice="trade")
    assert play.got("ReprisalTraded", kind="step", feet=6.0)


def test_a_trade_moves_the_figure_on_the_board():
    """CS-484: and who has gone is in nobody's way."""
    play = missed(board=any_board(HexBoard(12, 9)), ash={"at": "E3", "facing": 0}, orc={"at": "F3", "facing": 3})
    play.do("reprise", who="orc", choice="trade", to="I3")
    assert play.state.board.name_of(play.one("orc").at) == "I3"  # type: ignore[union-attr, arg-type]
    assert play.got("SegmentMoved", who="orc", feet=15.0)
    assert "ContactLeft" in play.names()


def test_g_77_through_the_foes_zone_to_his_rear():
    """G-77, CS-485: with no movement left, too; he must turn to go on."""
    board = any_board(HexBoard(12, 9))
    for to, may in (("D3", True), ("I3", False)):
        play = missed(board=board, ash={"at": "E3", "facing": 0}, orc={"at": "F3", "facing": 3})
        play.do("adjust", who="orc", what="moved", value=176.0)
        if not may:
            play.refused("CS-485", "reprise", who="orc", choice="trade", to=to)
            continue
        play.do("reprise", who="orc", choice="trade", to=to)
        assert play.state.board.name_of(play.one("orc").at) == to  # type: ignore[union-attr, arg-type]


@pytest.mark.parametrize(("height", "facing"), [(5, 3), (4.9, 0)])
def test_a_trade_no_farther_than_ones_zone_is_footwork(height: float, facing: int):
    """CS-189, CS-682: a Back-step, no longer than one is tall, turns nobody; whoever goes farther faces his way."""
    board = any_board(HexBoard(12, 9))
    spots = {"ash": {"at": "E3", "facing": 0}, "orc": {"at": "F3", "facing": 3, "height": height}}
    play = missed(board=board, **spots).do("reprise", who="orc", choice="trade", to="G3")  # type: ignore[arg-type]
    assert play.got("SegmentMoved", who="orc", feet=5.0)
    assert play.one("orc").facing == facing


def test_without_a_board_who_moves_off_is_in_contact_no_more():
    """CS-484."""
    play = table(None, None, ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD]})
    play.do("contact", who="ash", enemy="orc").begin()
    play.do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    play.do("resolve", who="ash", chance=50, rolls={"check": MISS})
    play.do("reprise", who="orc", choice="trade", feet=30)
    assert play.got("ContactLeft")


def test_nobody_moves_by_less_than_nothing():
    """CS-484."""
    missed().refused("CS-484", "reprise", who="orc", choice="trade", feet=-5)


# What is offered


def test_the_options_show_what_can_be_done():
    """CS-481, CS-484: strike back with its numbers, or move so far, or let it be."""
    play = missed()
    found = {one.action: one for one in play.fight.options("orc") if one.command == "Reprise"}
    assert list(found) == ["reprise", "trade", "let-be"]
    assert all(one.legal for one in found.values())
    inputs = {one.name: one for one in found["reprise"].inputs}
    assert inputs["defence"].default == "parry sword 15"
    assert "AV 40 \N{MINUS SIGN} DV 15" in inputs["chance"].label
    assert found["trade"].cost == "176 ft"
    play.do(found["let-be"].command, who="orc", **found["let-be"].fixed)
    assert play.got("ReprisalDeclined")
    assert not [one for one in play.fight.options("orc") if one.command == "Reprise"]


@pytest.mark.parametrize("undone", [1, 2])
def test_undo_gives_everything_back(undone: int):
    """CS-481: uses, the offer and the Action."""
    play = missed()
    before = play.state
    reprised(play, HIT, harm=3)
    play.undo()
    assert play.state == before
    if undone == 2:
        play.undo()
        assert uses_of(play, "ash") == {}


def test_nothing_is_asked_any_more_about_a_foe_who_has_left():
    """CS-481."""
    play = missed().do("leave", who="ash")
    assert play.offers() == []
    assert play.option("orc", "abort").legal


# Moving away, before anything else goes on


@played_once
def on_board(**given: object) -> Play:
    """The orc, east of Ash, may answer his miss; each has 176 ft."""
    board = any_board(HexBoard(20, 9))
    return missed(board=board, ash={"at": "E3", "facing": 0}, orc={"at": "F3", "facing": 3}, defence="none", **given)


def test_cs_484_who_trades_a_reprisal_is_moved_before_the_segment_goes_on():
    """CS-484: answered with the trade alone, it asks where to; nothing else is done until he has moved."""
    play = on_board().do("answer", prompt="reprisal", choice="trade")
    asked = play.prompt("moving_off")
    assert (asked.who, asked.blocking, asked.default) == ("orc", True, "")
    assert play.refused("CS-484", "advance").accepts == ("move to a place", "stay")
    play.refused("CS-484", "reprise", who="orc", choice="trade")
    assert [each.action for each in play.fight.options("orc")] == ["trade", "let-be"]
    play.do("move", who="orc", to="J3")
    assert play.got("ReprisalTraded").feet == 20  # type: ignore[attr-defined]
    assert play.state.board is not None
    assert play.state.board.name_of(play.one("orc").at) == "J3"  # type: ignore[arg-type]
    assert play.asks() == []
    assert "OpportunityOffered" not in play.names()


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("reprise", {"who": "orc", "choice": "trade", "to": "J3"}),
        ("reprise", {"who": "orc", "to": "J3"}),
        ("answer", {"prompt": "moving_off", "choice": "away", "value": "J3"}),
        ("move", {"who": "orc", "path": ["G3", "H3", "I3", "J3"]}),
    ],
)
def test_cs_484_where_to_is_said_in_any_way(name: str, given: dict[str, object]):
    play = on_board().do("reprise", who="orc", choice="trade").do(name, **given)
    assert play.state.board is not None
    assert play.state.board.name_of(play.one("orc").at) == "J3"  # type: ignore[arg-type]
    assert play.asks() == []


@pytest.mark.parametrize(
    ("name", "given"),
    [("answer", {"prompt": "moving_off", "choice": "stay"}), ("reprise", {"who": "orc", "choice": "decline"})],
)
def test_cs_484_he_may_stay_after_all(name: str, given: dict[str, object]):
    play = on_board().do("reprise", who="orc", choice="trade").do(name, **given)
    assert play.got("ReprisalTraded").feet == 0  # type: ignore[attr-defined]
    play.to("initiative")


def test_cs_484_no_farther_than_his_movement_goes():
    """CS-484: 176 ft less what he has gone; the question stays."""
    play = on_board()
    play.do("adjust", who="orc", what="moved", value=160.0).do("reprise", who="orc", choice="trade")
    play.refused("CS-484", "move", who="orc", to="N3")
    assert play.asks() == ["moving_off"]
    play.do("move", who="orc", to="I3")


def test_cs_484_only_he_moves():
    play = on_board().do("reprise", who="orc", choice="trade")
    play.refused("CS-090", "move", who="ash", to="D3")
    assert play.asks() == ["moving_off"]


def test_cs_482_a_reprisal_asks_for_the_die_that_the_table_throws():
    """CS-482: as the answer to the question too; the die is named."""
    play = missed({"dice": "table", "resolution": "linear"}, defence="none")
    with pytest.raises(NeedsDice) as owed:
        play.do("answer", prompt="reprisal", choice="take")
    assert [(roll.purpose, roll.dice) for roll in owed.value.rolls] == [("check.orc", "d100")]
    play.do("answer", prompt="reprisal", choice="take", rolls={"check.orc": [99]})
    assert play.got("Missed", attacker="orc")
