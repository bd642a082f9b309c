"""Turning, rising and putting a hand to things in one's own time, and what it takes of an Action (CS-010, CS-104)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import SquareBoard

from ..once import played_once
from .table import SWORD, Play, table

ARMED: dict[str, object] = {"weapons": [SWORD], "dodge": 20}


@played_once
def play(settings: dict[str, object] | None = None, **ash: object) -> Play:
    """Ash faces the orc to the east, and declares first."""
    orc = {"side": "foe", **ARMED, "at": "E4", "facing": 4}
    return table(SquareBoard(12, 9), settings, ash={**ARMED, "at": "D4", "facing": 0, **ash}, orc=orc).begin()


@played_once
def risen(posture: str, **settings: object) -> Play:
    return play(settings or None).do("adjust", who="ash", what="posture", value=posture)


def can(at: Play, who: str, action: str) -> bool:
    return at.option(who, action).legal


# When


def test_cs_306_nobody_turns_as_the_blow_falls() -> None:
    """CS-010, CS-306, L35: not in another's Resolution, nor in another's Declaration; in his own, he does."""
    at = play().do("wait", who="ash").do("declare", who="orc", target="ash").to("resolve", "orc")
    assert at.refused("CS-010", "face", who="ash", facing=4).accepts
    at.do("face", who="ash", facing=4, force=True)
    assert at.got("Overridden", rule="CS-010")
    other = play()
    other.refused("CS-010", "face", who="orc", facing=0)
    assert other.do("face", who="ash", facing=4).one("ash").facing == 4


def test_cs_104_nobody_rises_as_the_blow_falls_and_it_is_not_offered() -> None:
    """CS-010, CS-104, L35."""
    at = risen("prone").do("declare", who="ash", action="defend").to("declare", "orc")
    at.do("declare", who="orc", target="ash")
    assert not can(at, "ash", "posture")
    at.to("resolve", "orc").refused("CS-010", "posture", who="ash", posture="standing")
    assert not can(at, "ash", "posture")


def test_cs_010_nothing_is_done_before_initiative() -> None:
    """CS-010, L35: before the order is known nobody makes any move."""
    at = table(SquareBoard(5, 5), None, ash={**ARMED, "at": "B2", "facing": 0}).do("start")
    for name, given in (("face", {"facing": 4}), ("posture", {"posture": "prone"}), ("take_object", {"thing": "cup"})):
        at.refused("CS-010", name, who="ash", **given)


def test_cs_182_who_waits_turns_while_others_declare() -> None:
    """CS-161, CS-182."""
    at = play().do("wait", who="ash")
    assert at.do("face", who="ash", facing=4).do("posture", who="ash", posture="kneeling").see("ash")["posture"]


def test_cs_103_who_is_at_work_turns_and_moves_while_others_declare() -> None:
    """CS-103, CS-181, L210, L347: a long Action has no Declaration of its own in later segments."""
    at = play(move={"full": 12}).do("declare", who="ash", components=["don_boot:2"], parts=["R"])
    at.to("initiative").begin(orc=30, ash=20)
    assert at.do("face", who="ash", facing=4).one("ash").facing == 4
    at.do("move", who="ash", to="C4")
    at.do("declare", who="orc", text="look about").to("resolve", "orc").refused("CS-010", "face", who="ash", facing=0)


def test_cs_233_in_pulses_everybody_adjusts_how_he_stands() -> None:
    """CS-233, L455: and not before they run."""
    at = play({"pulse_movement": True}).do("declare", who="ash", target="orc", force=True).to("declare", "orc")
    at.refused("CS-010", "face", who="ash", facing=4)
    assert at.to("pulse").do("face", who="ash", facing=4).one("ash").facing == 4


def test_cs_306_before_a_contest_and_between_segments_the_gm_turns_whom_he_likes() -> None:
    """CS-004: there is no order of play to keep to yet; and where somebody faced nowhere it is only said."""
    at = table(SquareBoard(5, 5), None, ash={**ARMED, "at": "B2", "facing": 0}, bo={"at": "C2"})
    for facing in (4, 0, 4, 0):
        at.do("face", who="ash", facing=facing).do("posture", who="ash", posture="prone")
        at.do("posture", who="ash", posture="standing")
    assert at.begin().do("face", who="bo", facing=3).one("bo").facing == 3


def test_cs_057_who_is_ready_for_a_surprise_only_defends() -> None:
    """CS-057, CS-058: he does not turn about in the segment of the launch; the checked may, to back away."""
    at = play().do("adjust", who="ash", what="surprise", value="ready")
    at.refused("CS-057", "face", who="ash", facing=4)
    at.refused("CS-057", "posture", who="ash", posture="prone")
    at.refused("CS-057", "take_object", who="ash", thing="cup")
    at.do("adjust", who="ash", what="surprise", value="checked").do("face", who="ash", facing=4)
    at.refused("CS-058", "take_object", who="ash", thing="cup")


def test_cs_146_legs_at_work_neither_turn_nor_rise() -> None:
    """CS-146."""
    at = play().do("declare", who="ash", components=["climb=4"], parts=["legs"])
    at.refused("CS-146", "face", who="ash", facing=4)
    at.refused("CS-146", "posture", who="ash", posture="prone")


# What it takes


def test_cs_306_turns_take_quarter_actions_and_so_have_an_end() -> None:
    """CS-306, L277: a quarter-action to a quarter of a circle, two to half of one; an Action has four."""
    at = play().do("face", who="ash", facing=2).do("face", who="ash", facing=6).do("face", who="ash", facing=0)
    at.refused("CS-306", "face", who="ash", facing=1)
    assert at.one("ash").record.turn_qa == 1 + 2 + 1
    two = play(roa="2").do("face", who="ash", facing=4).do("face", who="ash", facing=0)
    two.do("declare", who="ash", text="look").to("declare", "orc").to("declare", "ash")
    assert two.do("face", who="ash", facing=4).one("ash").record.turn_qa == 2


def test_cs_306_beside_an_attack_one_turn_before_or_after() -> None:
    """CS-306, CS-392, L2342, L2346: half a circle at most, and nothing else of the kind."""
    at = play().do("declare", who="ash", target="orc", force=True).do("face", who="ash", facing=4)
    at.refused("CS-306", "face", who="ash", facing=3)
    at.refused("CS-392", "posture", who="ash", posture="kneeling")
    after = play(weapons=[SWORD, {**SWORD, "name": "dirk", "hand": "L"}])
    after.do("declare", who="ash", target="orc", second="dirk", force=True).to("resolve", "ash")
    after.do("resolve", who="ash", weapon="sword", hit=False, force=True).do("face", who="ash", facing=4)
    assert after.one("ash").facing == 4
    before = play().do("face", who="ash", facing=4).do("face", who="ash", facing=5)
    before.refused("CS-306", "declare", who="ash", target="orc")
    assert not can(before, "ash", "declare-strike")


def test_cs_306_a_turn_that_was_declared_is_not_made_twice() -> None:
    """CS-306: the GM has turned him himself."""
    at = play().do("face", who="ash", facing=2)
    at.do("declare", who="ash", target="orc", components=["turn_quarter"], force=True)
    assert at.do("confirm", who="ash").one("ash").facing == 2


@pytest.mark.parametrize(("reading", "feet"), [("free", 176), ("table_fraction", 88)])
def test_a_22_a_turn_takes_of_the_distance_only_by_the_other_reading(reading: str, feet: int) -> None:
    """CS-104, CS-144, A-22."""
    at = play({"partial_moves_cost": reading}, move={"full": 12}).do("declare", who="ash", action="move")
    at.do("face", who="ash", facing=4)
    assert at.option("ash", "move").cost == f"{feet} ft"


def test_cs_391_a_full_rise_and_a_strike_are_no_one_action() -> None:
    """CS-391, L2433: before the strike is declared or after it, by command or as a pair."""
    at = risen("prone").do("posture", who="ash", posture="standing")
    at.refused("CS-391", "declare", who="ash", target="orc")
    assert at.option("ash", "declare-strike").rule == "CS-391"
    at.do("declare", who="ash", action="move")
    other = risen("prone").do("declare", who="ash", target="orc", force=True)
    other.refused("CS-391", "posture", who="ash", posture="standing")
    other.do("posture", who="ash", posture="kneeling").refused("CS-391", "posture", who="ash", posture="standing")
    assert other.option("ash", "posture").rule == "CS-391"
    paired = risen("prone").do("declare", who="ash", target="orc", components=["rise", "strike"], force=True)
    paired.do("confirm", who="ash").refused("CS-391", "posture", who="ash", posture="standing")


def test_cs_391_half_a_rise_goes_with_a_strike_and_is_made_once() -> None:
    """CS-391."""
    at = risen("prone").do("posture", who="ash", posture="kneeling").do("declare", who="ash", target="orc", force=True)
    assert at.do("confirm", who="ash").see("ash")["posture"] == "kneeling"
    paired = risen("prone").do("posture", who="ash", posture="kneeling")
    paired.do("declare", who="ash", target="orc", components=["rise", "strike"], force=True).do("confirm", who="ash")
    assert paired.see("ash")["posture"] == "kneeling"


def test_cs_391_a_rise_and_a_turn_without_a_move_are_half_a_rise_too() -> None:
    """CS-391, L2433; CS-104, L210: a move begins with a rise and ends with a turn."""
    at = risen("prone").do("posture", who="ash", posture="standing")
    at.refused("CS-391", "face", who="ash", facing=4)
    at.do("declare", who="ash", action="move").do("face", who="ash", facing=4)


def test_cs_390_an_archer_rises_altogether() -> None:
    """CS-390: Fire/Rise is listed without the mark for half a rise."""
    at = play(weapons=[BOW]).do("place", who="orc", at="L4").do("adjust", who="ash", what="posture", value="prone")
    at.do("posture", who="ash", posture="standing").do("declare", who="ash", action="shoot", target="orc")


BOW = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "hand": "2"}


@played_once
def archer(posture: str, *acts: str) -> Play:
    """An archer who lies or kneels and has declared such a pair."""
    at = play(weapons=[BOW]).do("place", who="orc", at="L4").do("adjust", who="ash", what="posture", value=posture)
    return at.do("declare", who="ash", components=list(acts), target="orc")


@pytest.mark.parametrize("posture", ["prone", "kneeling"])
def test_cs_390_a_rise_is_made_where_the_pair_has_it(posture: str) -> None:
    """CS-390, L2419: Fire/Rise up after the shot; reversed, the archer stands as he looses. It is no half rise."""
    after, before = archer(posture, "fire", "rise"), archer(posture, "rise", "fire")
    assert after.to("resolve", "ash").see("ash")["posture"] == posture
    after.do("resolve", who="ash", hit=False, defence="none")
    assert after.got("PostureChanged", posture="standing")
    assert before.to("resolve", "ash").see("ash")["posture"] == "standing"
    assert not before.do("resolve", who="ash", hit=False, defence="none").all("PostureChanged")


@pytest.mark.parametrize("pulses", [False, True])
def test_cs_390_who_drops_and_crawls_moves_without_a_rise(pulses: bool) -> None:
    """CS-390, CS-104, L2420: it is a listed pair; how fast, the GM says."""
    play = table(settings={"pulse_movement": pulses}, ash={}, orc={"side": "foe"}).begin()
    play.do("posture", who="ash", posture="prone").refused("CS-104", "move", who="ash", feet=10)
    play.do("declare", who="ash", components=["drop", "crawl"]).do("move", who="ash", feet=10, speed=1)
    assert play.until(lambda: play.see("ash")["move_used"] == 10).see("ash")["posture"] == "prone"


def test_cs_390_who_has_risen_already_does_not_rise_again_with_the_pair() -> None:
    """CS-390, CS-391: nor does who stands; and of a shot that is called off nothing comes."""
    at = archer("prone", "fire", "rise").do("posture", who="ash", posture="kneeling").to("resolve", "ash")
    assert at.do("resolve", who="ash", hit=False, defence="none").see("ash")["posture"] == "kneeling"
    called_off = archer("prone", "fire", "rise").do("abort", who="ash")
    assert called_off.to("declare", "orc").see("ash")["posture"] == "prone"
    standing = play(weapons=[BOW]).do("place", who="orc", at="L4")
    pair = {"components": ["fire", "rise"], "target": "orc"}
    assert standing.refused("CS-391", "declare", who="ash", **pair).accepts == ("fire alone",)


# Objects


@pytest.mark.parametrize("what", ["take", "snatch", "find", "drop", "hand_over", "leap", "throw"])
def test_cs_010_objects_are_handled_in_ones_own_time(what: str) -> None:
    """CS-010, L35: not in another's Declaration, nor in another's Resolution."""
    given = {"who": "orc", "what": what, "thing": "cup", "other": "ash", "hit": True}
    at = play()
    at.refused("CS-010", "handle", **given)
    at.do("declare", who="ash", text="look about").to("resolve", "ash").refused("CS-010", "handle", **given)


@pytest.mark.parametrize("what", ["leap", "throw"])
def test_cs_094_a_throw_and_a_leap_are_actions_whose_dice_wait(what: str) -> None:
    """CS-094, CS-127, L254: not as it is declared; in his own Resolution, once, and that was his Action."""
    given = {"who": "ash", "what": what, "thing": "cup", "other": "orc", "feet": 10, "hit": False}
    at = play()
    at.refused("CS-094", "handle", **given)
    at.do("declare", who="ash", target="orc", force=True).to("resolve", "ash").refused("CS-094", "handle", **given)
    at = play().to_object("ash").do("handle", **given)
    assert at.got("Resolved", who="ash")
    at.refused("CS-010" if what == "leap" else "CS-215", "handle", **given)


def test_cs_390_a_leap_goes_before_the_strike_it_was_declared_with() -> None:
    """CS-390: Leap/Strike is listed; once."""
    at = play().do("declare", who="ash", target="orc", components=["leap", "strike"], force=True).to("resolve", "ash")
    at.do("leap_for", who="ash", thing="rope", feet=5, hit=True)
    at.refused("CS-094", "leap_for", who="ash", thing="cup", feet=5, hit=True)
    at.do("resolve", who="ash", hit=False, force=True)


def test_cs_200_a_hand_put_to_something_takes_a_quarter_of_an_action() -> None:
    """CS-200, L267: four times beside moving, once beside an attack (L238)."""
    at = play()
    for thing in ("cup", "key", "rope", "coin"):
        at.do("take_object", who="ash", thing=thing)
    at.refused("CS-200", "take_object", who="ash", thing="ring")
    striking = play().do("declare", who="ash", target="orc", force=True)
    striking.do("take_object", who="ash", thing="cup", hand="L")
    striking.refused("CS-392", "face", who="ash", facing=4)


@pytest.mark.parametrize("what", ["catch", "catch_falling"])
def test_cs_213_nobody_catches_what_another_has_in_hand(what: str) -> None:
    """CS-213, CS-216: a catch out of turn is no way to take it; once it is thrown or dropped, it is one."""
    at = play().do("take_object", who="ash", thing="cup")
    given = {"who": "orc", "what": what, "thing": "cup", "other": "ash", "feet": 3, "to_start": 3, "to_landing": 3}
    given |= {"pounds": 1, "size": 1, "hit": True}
    assert at.refused("CS-216" if what == "catch_falling" else "CS-213", "handle", **given).accepts
    at.do("handle", who="ash", what="drop", thing="cup").do("handle", **given)
    assert at.got("ObjectMoved", how="is caught", holder="orc")


def test_cs_413_what_falls_or_is_thrown_is_caught_at_any_time() -> None:
    """CS-413: a reaction; and no more than that is offered out of turn."""
    at = play().do("catch", who="orc", other="ash", thing="cup", feet=10, pounds=1, size=1, hit=True)
    assert at.got("ObjectMoved", how="is caught")
    what = next(one for one in at.option("orc", "handle").inputs if one.name == "what")
    assert set(what.choices) == {"catch", "catch_falling", "falls"}
    mine = next(one for one in at.option("ash", "handle").inputs if one.name == "what")
    assert {"take", "snatch", "drop"} <= set(mine.choices)
    assert not {"throw", "leap"} & set(mine.choices)
    due = next(one for one in at.to_object("ash").option("ash", "handle").inputs if one.name == "what")
    assert {"throw", "leap"} <= set(due.choices)
