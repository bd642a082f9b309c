"""Objects in play: taken, snatched, found, handed over, thrown and caught (CS-200 to CS-215, G-41)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import SquareBoard
from fightcall_engine.systems.segments.state import items
from fightcall_engine.systems.segments.state.events import CheckRequested

from ..once import played_once
from .table import Play, table


@played_once
def play(settings: dict[str, object] | None = None, **more: dict[str, object]) -> Play:
    people: dict[str, dict[str, object]] = {"ash": {}, "bo": {}, "orc": {"side": "foe"}}
    for who, given in more.items():
        people[who] = {**people.get(who, {}), **given}
    return table(settings=settings, **people).begin()


def holder(at: Play, name: str) -> str:
    return items.holder_of(at.state, name)


def asked(at: Play) -> CheckRequested:
    found = at.got("CheckRequested")
    assert isinstance(found, CheckRequested)
    return found


LINEAR: dict[str, object] = {"resolution": "linear"}


# Taking


def test_cs_200_what_lies_in_ones_own_zone_is_taken_without_a_check() -> None:
    """CS-200."""
    at = play().do("handle", who="ash", what="take", thing="Silver idol")
    assert at.names() == ["ObjectMoved", "TraitsChanged"], "the hand that was put to it counts"
    assert holder(at, "silver IDOL") == "ash"
    assert at.fight.explain("ash", "things").total == "Silver idol"


def test_cs_200_an_own_weapon_comes_into_the_hand_that_is_free_for_it() -> None:
    """CS-200."""
    at = play(ash={"weapons": [{"name": "club", "size": 2}], "hands": {"R": "", "L": ""}})
    at.do("handle", who="ash", what="take", thing="Club", hand="L")
    assert at.one("ash").record.left_hand == "club"


@pytest.mark.parametrize(
    ("held", "taken", "message"),
    [
        ({"L": "shield"}, {"thing": "pike"}, "no hand free for pike: shield in hand"),
        ({"L": "shield"}, {"thing": "club", "hand": "L"}, "no hand free for club: shield in hand"),
        ({"R": "sword", "L": "shield"}, {"thing": "club"}, "no hand free for club: sword, shield in hand"),
    ],
)
def test_cs_146_a_hand_that_holds_something_takes_nothing_else_before_it_is_dropped(
    held: dict[str, str], taken: dict[str, str], message: str
) -> None:
    """CS-146: the hand with the shield rummages once the shield is dropped; it does not vanish unsaid."""
    weapons = [{"name": "sword"}, {"name": "club"}, {"name": "pike", "grip": "2"}, {"name": "shield", "kind": "shield"}]
    at = play(ash={"weapons": weapons, "hands": {"R": "", "L": "", **held}})
    no = at.refused("CS-146", "take_object", who="ash", **taken)
    assert message in no.message
    assert "drop shield first" in no.accepts
    at.do("drop_object", who="ash", thing="shield").do("take_object", who="ash", **taken)
    assert taken["thing"] in (at.one("ash").record.right_hand, at.one("ash").record.left_hand)


@pytest.mark.parametrize(
    ("command", "dv", "av"),
    [
        ({"what": "snatch", "speed": 9, "size": 2}, 11, 15),
        ({"what": "snatch", "speed": 7.5, "size": 0.5}, 8, 15),
        ({"what": "leap", "feet": 12}, 12, 11),
        ({"what": "find", "others": 3, "speed": 5}, 11, 15),
        ({"what": "find", "others": 3}, 6, 15),
        ({"what": "find", "others": 0, "speed": 4}, 4, 15),
    ],
    ids=["CS-201 G-41", "CS-201", "CS-202", "CS-209 G-41", "CS-209 still", "CS-209 moving"],
)
def test_g_41_difficulties_of_getting_at_an_object(command: dict[str, object], dv: int, av: int) -> None:
    """G-41."""
    at = play(ash={"crd": 15, "agl": 11}).to_object("ash").do("handle", who="ash", thing="idol", **command)
    check = asked(at)
    assert (check.dv, check.av) == (dv, av)
    assert all(rule.startswith("CS-") for _, _, rule in check.parts)
    assert at.asks() == ["check"]
    at.do("answer", amount=60, rolls={"check": [60]})
    assert at.got("CheckResolved", ok=True, chance=60)
    assert holder(at, "idol") == "ash"


@pytest.mark.parametrize(("given", "leaps"), [({}, 14), ({"leap": 6}, 6)])
def test_cs_202_nobody_leaps_farther_for_it_than_a_running_leap(given: dict[str, object], leaps: int) -> None:
    """CS-202, L369: a Leap or Running Leap is launched, as far as the sheet or the GM says that it goes."""
    at = play(LINEAR, ash={"move": {"leap": 8, "running_leap": 14}}).to_object("ash")
    no = at.refused("CS-202", "leap_for", who="ash", thing="idol", feet=leaps + 1, **given)
    assert no.message == f"Ash leaps {leaps} ft, idol is {leaps + 1} ft away"
    assert at.do("leap_for", who="ash", thing="idol", feet=leaps, **given).got("CheckRequested", kind="AGL", dv=leaps)


def test_cs_201_speed_and_size_that_nobody_has_said_are_asked_for_one_by_one() -> None:
    """CS-201."""
    at = play().do("snatch", who="ash", thing="idol")
    assert at.prompt("object").amount == "speed"
    at.do("answer", amount=9)
    assert at.prompt("object").amount == "size"
    at.do("answer", value=1.5)
    assert asked(at).dv == 11, "10.5 is rounded up"
    at.do("answer", choice="failed")
    assert at.got("ObjectMoved", how="is missed")
    assert holder(at, "idol") == ""


@pytest.mark.parametrize(("choice", "outcome"), [("made", "done"), ("failed", "failed")])
def test_cs_127_an_action_ends_as_the_check_that_the_gm_was_asked_for(choice: str, outcome: str) -> None:
    """CS-127, CS-202: the Action with an object is over when its check is made, and as it ended."""
    at = play().to_object("ash").do("leap_for", who="ash", thing="rope", feet=3)
    assert "Resolved" not in at.names()
    at.do("answer", choice=choice)
    assert at.got("Resolved", who="ash").within["action"]["state"] == outcome  # type: ignore[attr-defined]


def test_cs_201_who_has_moved_in_this_segment_is_as_fast_as_that() -> None:
    """CS-201."""
    at = play(LINEAR, ash={"move": {"full": 12}}).to("declare", "ash")
    at.do("move", who="ash", feet=30, speed="half")
    at.do("snatch", who="ash", thing="idol", size=1, rolls={"check": [1]})
    assert asked(at).dv == 7


def test_a_number_that_is_none_is_refused_and_asked_for_again() -> None:
    at = play().to_object("ash").do("leap_for", who="ash", thing="rope")
    at.refused("CS-202", "answer", value="far")
    at.refused("CS-202", "answer", amount=-3)
    assert at.prompt("object").amount == "feet"


def test_cs_201_a_stunned_hand_is_less_sure() -> None:
    """CS-201."""
    at = play().do("stun", who="ash", penalty=4)
    at.do("snatch", who="ash", thing="idol", speed=3, size=1, modifier=-2)
    assert asked(at).av == 13 - 4 - 2
    assert ("stunned", "-4", "CS-613") in asked(at).parts


def test_the_gm_may_say_the_chance_or_the_outcome_at_once() -> None:
    at = play().do("snatch", who="ash", thing="idol", chance=30, rolls={"check": [31]})
    assert at.got("CheckResolved", ok=False, fail_margin=1)
    at.to("declare", "bo").do("snatch", who="bo", thing="idol", hit=True)
    assert holder(at, "idol") == "bo"
    assert not at.asks()


def test_cs_146_hands_that_are_busy_take_nothing_until_it_is_given_up() -> None:
    """CS-146."""
    at = play().to("declare", "ash")
    at.do("declare", who="ash", components=["tie_knot"]).do("confirm", who="ash")
    no = at.refused("CS-146", "handle", who="ash", what="take", thing="idol")
    assert "abort" in no.accepts
    at.do("abort", who="ash").do("handle", who="ash", what="take", thing="idol")
    assert holder(at, "idol") == "ash"


def test_cs_120_the_other_hand_is_free_while_one_strikes() -> None:
    """CS-120."""
    at = play(ash={"weapons": [{"name": "sword"}]}).to("declare", "ash")
    at.do("declare", who="ash", target="orc").do("confirm", who="ash")
    at.refused("CS-146", "handle", who="ash", what="take", thing="idol", hand="R")
    at.do("handle", who="ash", what="take", thing="idol", hand="L")


def test_nonsense_about_objects_is_refused_with_what_would_do() -> None:
    at = play()
    assert "snatch" in at.refused("CS-200", "handle", who="ash", what="eat", thing="idol").accepts
    at.refused("CS-200", "handle", who="ash", what="take", thing=" = ")
    at.refused("CS-120", "handle", who="ash", what="take", thing="idol", hand="foot")
    at.refused("CS-209", "handle", who="ash", what="find", thing="idol", others=-1)


@pytest.mark.parametrize("life", ["unconscious", "dead"])
def test_cs_203_who_is_down_holds_nothing_against_anybody(life: str) -> None:
    """CS-111, CS-200, CS-203, L371: he lays no hands on it, and has it still if he rises."""
    at = play().do("take_object", who="ash", thing="idol").do("life", who="ash", life=life)
    at.refused("CS-203", "struggle", who="bo", thing="idol")
    assert holder(at.do("take_object", who="bo", thing="idol"), "idol") == "bo"
    assert holder(at.undo().do("life", who="ash", life="up"), "idol") == "ash"


# From a container


def test_cs_209_what_another_has_in_hand_is_in_no_container() -> None:
    """CS-203, CS-209: it is struggled for, not found."""
    at = play().do("take_object", who="ash", thing="idol").to("declare", "bo").do("advance").to("declare", "bo")
    assert at.state.round == 2
    assert "struggle" in at.refused("CS-203", "find", who="bo", thing="idol", others=0).accepts


def test_cs_209_still_and_with_nothing_in_the_way_no_check_is_asked() -> None:
    """CS-209."""
    at = play().do("find", who="ash", thing="key", others=0)
    assert not at.all("CheckRequested")
    assert holder(at, "key") == "ash"


def test_cs_209_how_many_are_in_the_way_is_asked_for() -> None:
    """CS-209."""
    at = play(LINEAR).do("find", who="ash", thing="key")
    at.do("answer", amount=2, rolls={"check": [99]})
    assert asked(at).dv == 3


def test_cs_209_the_progressive_scale_is_the_fights_own() -> None:
    """CS-209."""
    at = play({"progressive": "linear"}).do("find", who="ash", thing="key", others=4)
    assert asked(at).dv == 4
    short = play({"progressive": "custom table", "progressive_values": "2 5"})
    short.refused("M-03", "find", who="ash", thing="key", others=3)


def test_cs_210_after_a_failure_something_else_may_come_out() -> None:
    """CS-210."""
    at = play().do("find", who="ash", thing="key", others=5, hit=False)
    assert at.asks() == ["wrong_item"]
    at.do("answer", choice="something", note="a dead mouse")
    assert at.got("ObjectMoved", thing="a dead mouse", holder="ash")
    assert holder(at, "key") == ""
    at.do("find", who="ash", thing="key", others=5, hit=False).do("advance")
    assert at.got("ObjectMoved", how="is not found")


# From hand to hand


def test_cs_211_g_41_both_still_hands_over_without_a_roll() -> None:
    """CS-211, G-41."""
    at = play().do("take_object", who="ash", thing="key").do("hand_over", who="ash", other="bo", thing="key")
    assert not at.all("CheckRequested")
    assert holder(at, "key") == "bo"
    at.refused("CS-211", "hand_over", who="ash", other="bo", thing="key")


def test_cs_212_who_has_stopped_in_an_earlier_pulse_is_still() -> None:
    """CS-209, CS-211, CS-212: what counts is how he moves at the time, not how he moved in this segment."""
    at = play({"pulse_movement": True}).do("plan", who="ash", feet=60).to("pulse").do("pulse").do("pulse")
    running = at.copy().do("find", who="ash", thing="ring", others=3)
    assert asked(running).dv == 6 + 12
    for _ in range(4):
        at.do("pulse")
    assert at.see("ash")["move_used"] == 60
    assert asked(at.copy().do("find", who="ash", thing="ring", others=3)).dv == 6
    assert at.do("hand_over", who="ash", other="bo", thing="ring").all("CheckRequested") == []


def test_cs_212_g_41_the_receiver_checks_against_both_speeds() -> None:
    """CS-212, G-41."""
    at = play(bo={"crd": 16}).do("hand_over", who="ash", other="bo", thing="key", speed=6, other_speed=4)
    check = asked(at)
    assert (check.who, check.kind, check.dv, check.av) == ("bo", "CRD", 10, 16)
    at.do("answer", choice="failed")
    assert at.got("ObjectMoved", who="bo", how="is fumbled")
    assert holder(at, "key") == ""


def test_cs_211_a_board_tells_who_is_within_reach() -> None:
    """CS-211."""
    board = SquareBoard(10, 4)
    at = table(board, ash={"at": [0, 0]}, bo={"at": [1, 1]}, cy={"at": [6, 0]}).begin()
    at.do("hand_over", who="ash", other="bo", thing="key").to("declare", "bo")
    assert "throw it" in at.refused("CS-211", "hand_over", who="bo", other="cy", thing="key").accepts


def test_cs_147_what_is_handed_over_or_let_go_is_in_no_hand_any_more() -> None:
    """CS-147."""
    shield = {"name": "shield", "kind": "shield", "hand": "L"}
    at = play(ash={"weapons": [{"name": "sword"}, shield]})
    at.do("drop_object", who="ash", thing="Shield")
    assert at.one("ash").record.left_hand == ""
    assert at.got("ObjectMoved", how="is dropped")
    at.to("declare", "orc").do("declare", who="orc", target="ash").to("resolve", "orc")
    at.refused("CS-415", "resolve", who="orc", chance=50, defence="block shield")


def test_cs_211_who_is_to_take_it_is_asked_for() -> None:
    """CS-211, CS-213."""
    at = play().do("hand_over", who="ash", thing="key")
    assert [choice.id for choice in at.prompt("object").choices] == ["bo", "orc", "skip"]
    at.do("answer", choice="bo")
    assert holder(at, "key") == "bo"
    at.to_object("bo").do("throw", who="bo", thing="key", chance=50).do("answer", choice="skip")
    assert not at.asks()
    at.refused("CS-211", "hand_over", who="bo", other="bo", thing="key")


# Thrown


def test_cs_213_thrower_and_catcher_check_against_the_same_distance() -> None:
    """CS-213."""
    at = play(ash={"agl": 14}, bo={"crd": 12}).to_object("ash")
    at.do("throw", who="ash", other="bo", thing="flask", feet=50, pounds=1, size=1)
    thrown = asked(at)
    assert (thrown.who, thrown.kind, thrown.av) == ("ash", "AGL", 14)
    at.do("answer", choice="made")
    caught = asked(at)
    assert (caught.who, caught.kind, caught.av, caught.dv) == ("bo", "CRD", 12, thrown.dv)
    assert thrown.dv == caught.dv
    assert thrown.dv
    at.do("answer", choice="made")
    assert holder(at, "flask") == "bo"


def test_cs_213_a_longer_throw_is_harder_and_a_board_knows_how_long_it_is() -> None:
    """CS-213."""
    board = SquareBoard(40, 4)
    at = table(board, ash={"at": [0, 0]}, bo={"at": [6, 0]}, cy={"at": [30, 0]}).begin()
    at.to_object("ash").do("throw", who="ash", other="bo", thing="flask", pounds=1, size=1)
    near = asked(at).dv
    at.undo().do("throw", who="ash", other="cy", thing="flask", pounds=1, size=1)
    far = asked(at).dv
    assert near is not None
    assert far is not None
    assert near < far


def test_cs_214_wind_and_rain_are_added_to_both_as_typed_or_as_ruled() -> None:
    """CS-214."""
    at = play().to_object("ash").do("throw", who="ash", other="bo", thing="flask", feet=20, pounds=1, size=1)
    plain = asked(at).dv
    at.undo().do("rule", what="weather", value=6)
    at.do("throw", who="ash", other="bo", thing="flask", feet=20, pounds=1, size=1)
    assert plain is not None
    assert asked(at).dv == plain + 6
    at.do("answer", choice="made")
    assert asked(at).dv == plain + 6
    assert ("wind and rain", "+6", "CS-214") in asked(at).parts
    at.do("answer", choice="failed").do("advance")
    at.do("catch", who="bo", other="ash", thing="flask", feet=20, pounds=1, size=1, weather=1)
    assert asked(at).dv == plain + 1


def test_cs_214_wind_and_rain_trouble_a_shot_too() -> None:
    """CS-214, M-20."""
    bow = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "hand": "2"}
    at = play(ash={"weapons": [bow]}, orc={"dodge": 20}).do("rule", what="weather", value=6)
    at.refused("CS-214", "rule", what="weather", value="storm")
    at.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
    at.do("resolve", who="ash", distance=120)
    assert ("wind and rain", "+6", "CS-214") in asked(at).parts


def test_cs_215_what_is_missed_lands_as_fast_as_it_flew_and_the_gm_says_if_it_breaks() -> None:
    """CS-215."""
    at = play().to_object("ash")
    at.do("throw", who="ash", other="bo", thing="flask", chance=40, other_chance=40, rolls={"check": [90]})
    assert at.asks() == ["breakage"]
    assert "50 ft" in at.prompt("breakage").question
    at.do("answer", choice="broken")
    assert at.got("ObjectMoved", how="breaks")
    at = play().to_object("ash")
    at.do("throw", who="ash", other="bo", thing="cup", chance=40, other_chance=40, rolls={"check": [40, 41]})
    assert at.got("ObjectMoved", how="is fumbled")
    at.do("advance")
    assert not at.asks(), "whole unless the GM says so"


def test_cs_213_an_object_too_heavy_for_the_thrower_asks_the_gm_for_the_chance() -> None:
    """CS-213."""
    at = play(ash={"light_enc": 20}).to_object("ash")
    at.do("throw", who="ash", other="bo", thing="anvil", feet=10, pounds=80, size=2)
    assert asked(at).dv is None
    assert at.asks() == ["check"]


# The journal


def test_undo_gives_an_object_back_and_takes_the_question_away() -> None:
    at = play().do("take_object", who="ash", thing="key").do("snatch", who="ash", thing="ring")
    at.undo()
    assert not at.asks()
    at.undo()
    assert holder(at, "key") == ""
