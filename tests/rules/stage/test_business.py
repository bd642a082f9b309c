"""Business, its price in beats and phases, and what lasts (SB-22..27, SB-33, SB-36, SB-53..55)."""

from __future__ import annotations

from typing import Unpack

import pytest

from fightcall_engine.kit.views import Progress
from fightcall_engine.systems.stage import views

from ..once import played_once
from .table import Play, Sitting, table


@played_once
def managing(*who: str, **more: Unpack[Sitting]) -> Play:
    """Management of Moment 1, the party's half."""
    return table(*who, **more).start().to("management")


def test_a_figure_may_move_and_do_business_or_either() -> None:
    """SB-22: movement is no bar to business, nor the other way round."""
    play = table().start().to("move").do("move", who="ash", hexes=14).do("drop_prone", who="col")
    play.to("management")
    for who in ("ash", "bram", "col"):
        play.do("business", who=who, name="drink").got("BusinessCompleted", who=who)


@pytest.mark.parametrize("phase", ["meeting", "missile", "move", "magic"])
def test_business_belongs_to_management(phase: str) -> None:
    """SB-53: in any other phase it is refused."""
    table().start().to(phase).refused("SB-53", "business", who="ash", name="drink")


def test_business_needs_a_moment_and_a_name() -> None:
    """SB-53"""
    play = table()
    play.refused("SB-53", "business", who="ash", name="drink")
    play.start().to("management").refused("SB-53", "business", who="ash")
    play.refused("SB-53", "business", who="ash", name="   ")


@pytest.mark.parametrize(
    ("phase", "kind", "data"),
    [
        ("missile", "shoot", {"target": "orc", "hit": True, "damage": 1}),
        ("missile", "shoot", {"target": "orc", "hit": False}),
        ("melee", "strike", {"target": "orc", "hit": False}),
        ("magic", "cast", {"note": "heal"}),
    ],
)
def test_no_management_after_a_strike(phase: str, kind: str, data: dict[str, object]) -> None:
    """SB-36, SB-53: whatever the kind and whatever came of it; the GM may allow it; next Moment it is over."""
    play = table().do("contact", who="ash", enemy="orc").start().to(phase).do(kind, who="ash", **data)
    play.to("management")
    said = play.refused("SB-36", "business", who="ash", name="drink")
    assert (data.get("note") == "heal") == ("magic" in said.message)
    play.do("business", who="bram", name="drink")
    play.do("business", who="ash", name="drink", force=True).got("Overridden", rule="SB-36")
    play.next_moment("management").do("business", who="ash", name="drink")


def test_a_foe_that_struck_does_no_business_either() -> None:
    """SB-36"""
    play = table().start().to("missile", "foe").do("shoot", who="orc", target="ash", hit=False)
    play.to("management", "foe").refused("SB-36", "business", who="orc", name="drink")
    play.do("business", who="gob", name="loot")


def test_the_gms_price_must_be_affordable_before_any_check() -> None:
    """SB-23, SB-27: no beats, no check; enough beats are spent whatever comes of the check."""
    play = table().start().to("move").do("move", who="ash", hexes=12)
    play.refused("SB-23", "business", who="ash", name="tip the table", beats=3, needs=20)
    play.do("business", who="ash", name="tip the table", beats=2, needs=10, rolls={"check": [11]})
    play.got("BeatsSpent", amount=2, left=0)
    play.got("CheckResolved", capability="tip the table", die=11, target=10, passed=False)
    assert play.beats("ash") == 0


@pytest.mark.parametrize(("die", "passed"), [(10, True), (11, False), (1, True), (20, False)])
def test_being_allowed_and_succeeding_are_separate(die: int, passed: bool) -> None:
    """SB-27: a check is a d20 at or under the number, and only where one is wanted."""
    play = managing().do(
        "business", who="ash", name="pick the lock", capability="locks", needs=10, rolls={"check": [die]}
    )
    play.got("BusinessCompleted", name="pick the lock")
    play.got("CheckResolved", capability="locks", die=die, passed=passed)
    play.do("business", who="bram", name="drink").never("CheckResolved")


@pytest.mark.parametrize("passed", [True, False])
def test_a_result_from_the_gm_needs_no_capability(passed: bool) -> None:
    """SB-27: a check is recorded under the name of the business, with the GM's word and no die."""
    play = managing().do("business", who="ash", name="pick the lock", passed=passed)
    play.got("CheckResolved", who="ash", capability="pick the lock", passed=passed, die=None, target=None)


def test_a_check_stands_alone_too() -> None:
    """SB-27: at any time, with its result or its number, never with neither."""
    play = table().start().to("missile", "foe")
    play.do("check", who="ash", capability="balance", passed=True).got("CheckResolved", who="ash", passed=True)
    play.do("cc", who="ash", capability="balance", needs=5, rolls={"check": [6]}).got("CheckResolved", passed=False)
    play.refused("SB-27", "check", who="ash", capability="balance")


def test_priced_business_stands_in_move_too() -> None:
    """SB-23, SB-31, SB-33: the GM's price buys it with the beats of Move, even after a shot; other phases stay shut."""
    play = table().start().to("missile").do("shoot", who="ash", target="orc", hit=False)
    play.refused("SB-53", "business", who="bram", name="kick the door", beats=4)
    play.to("move").do("business", who="ash", name="kick the door", beats=4).got("BeatsSpent", amount=4, left=10)
    play.to("management").refused("SB-36", "business", who="ash", name="look", beats=1)
    play.do("business", who="bram", name="haul", beats=11).got("BeatsSpent", amount=11, left=0)


@pytest.mark.parametrize("needed", [2, 3, 5])
def test_long_business_takes_its_number_of_management_phases(needed: int) -> None:
    """SB-25: one step a Management phase; done at N."""
    play = managing("ash", "orc").do("business", who="ash", name="lower the drawbridge", needed=needed)
    play.got("RulingRecorded", rule="SB-25", choice=f"takes {needed} phases")
    for done in range(1, needed):
        assert play.see("ash")["business"] == {"name": "lower the drawbridge", "done": done, "needed": needed}
        (declared,) = views.declarations(play.state)
        assert (declared.who, declared.words, declared.status) == ("ash", "lower the drawbridge", "busy")
        assert declared.progress == Progress("lower the drawbridge", done, needed)
        play.never("BusinessCompleted")
        play.next_moment("management").do("business", who="ash")
    play.got("BusinessCompleted", done=needed, needed=needed)
    assert play.see("ash")["business"] is None


def test_a_moment_with_a_strike_adds_nothing_and_takes_nothing() -> None:
    """SB-25, Q-S13: progress is kept."""
    play = managing("ash", "orc").do("business", who="ash", name="crank", needed=3)
    play.next_moment("missile").do("shoot", who="ash", target="orc", hit=False)
    play.to("management", "foe").refused("SB-36", "business", who="ash", name="crank")
    assert play.see("ash")["business"] == {"name": "crank", "done": 1, "needed": 3}
    play.next_moment("management").do("business", who="ash", name="crank")
    assert play.see("ash")["business"] == {"name": "crank", "done": 2, "needed": 3}


def test_a_moment_without_work_may_lose_it() -> None:
    """SB-25, Q-S13: the other reading; a Moment with work keeps it."""
    play = managing("ash", "orc", settings={"business_break": "reset"}).do(
        "business", who="ash", name="crank", needed=4
    )
    play.next_moment("management").do("business", who="ash").next_moment("management").do("business", who="ash")
    assert play.see("ash")["business"] == {"name": "crank", "done": 3, "needed": 4}
    play.next_moment().next_moment()
    assert [one.name for one in play.heard if one.type == "BusinessBroken"] == ["crank"]
    assert play.see("ash")["business"] is None
    play.to("management").do("business", who="ash", name="crank", needed=4)
    assert play.see("ash")["business"] == {"name": "crank", "done": 1, "needed": 4}


def test_the_gm_may_change_the_length_or_give_it_up() -> None:
    """SB-24, SB-25: longer than that is an answer; so is shorter, and starting over."""
    play = managing("ash", "orc").do("business", who="ash", name="crank", needed=3)
    play.do("rule", what="needed", who="ash", value=5)
    assert play.see("ash")["business"] == {"name": "crank", "done": 1, "needed": 5}
    play.do("rule", what="needed", who="ash", value=1).got("BusinessCompleted", name="crank")
    play.next_moment("management").do("business", who="ash", name="crank", needed=3)
    play.do("rule", what="drop", who="ash").got("BusinessBroken", name="crank")
    assert play.see("ash")["business"] is None
    play.refused("SB-25", "rule", what="drop", who="ash")


def test_a_ruling_on_business_is_about_who_worked_last() -> None:
    """SB-25: where nobody is named; of several who are busy and have not worked, one must be."""
    play = managing("ash", "bram", "orc")
    for who in ("ash", "bram"):
        play.do("business", who=who, name=f"crank of {who}", needed=3)
    play.next_moment("management")
    play.refused("who", "rule", what="needed", value=5)
    play.do("business", who="ash", name="crank of ash")
    play.do("rule", what="needed", value=5)
    assert (play.see("ash")["business"]["needed"], play.see("bram")["business"]["needed"]) == (5, 3)


def test_of_several_at_work_a_ruling_is_about_the_last() -> None:
    """SB-25: where nobody is named and the half still runs; once it is over, one must be named."""
    play = managing("ash", "bram", "col", "orc")
    for who in ("bram", "ash"):
        play.do("business", who=who, name=f"crank of {who}", needed=3)
    play.do("rule", what="needed", value=5)
    assert (play.see("ash")["business"]["needed"], play.see("bram")["business"]["needed"]) == (5, 3)
    play.to("management", "foe")
    assert play.refused("who", "rule", what="needed", value=4).accepts == ("ash", "bram")


@pytest.mark.parametrize("value", [0, -1, "long", True, 2.5, None])
def test_a_length_is_a_number_of_phases(value: object) -> None:
    """SB-25: nothing else is taken."""
    play = managing().do("business", who="ash", name="crank")
    play.refused("SB-25", "rule", what="needed", who="ash", value=value)


def test_a_length_for_nobody_or_nothing() -> None:
    """SB-25: refused, naming who is busy."""
    play = managing()
    play.refused("SB-25", "rule", what="needed", who="ash", value=2)
    assert play.refused("who", "rule", what="needed", value=2).accepts == play.state.order
    play.refused("SB-25", "business", who="ash", name="crank", needed=0)
    play.refused("SB-25", "business", who="ash", name="crank", beats=-1)
    play.do("business", who="ash", name="crank", needed=2).do("leave", who="ash")
    play.refused("who", "rule", what="needed", value=2)


def test_a_length_for_one_of_several() -> None:
    """SB-25: those who are busy are named, where none of them has worked yet."""
    play = managing().do("business", who="ash", name="crank", needed=3)
    play.do("business", who="bram", name="dig", needed=3)
    play.next_moment("management")
    assert play.refused("who", "rule", what="needed", value=2).accepts == ("ash", "bram")


def test_two_long_businesses_go_side_by_side() -> None:
    """SB-25: each has its own count; an empty name carries on with the first."""
    play = managing("ash", "orc").do("business", who="ash", name="crank", needed=2)
    play.next_moment("management").do("business", who="ash", name="dig", needed=2)
    play.next_moment("management").do("business", who="ash").got("BusinessCompleted", name="crank")
    play.next_moment("management").do("business", who="ash").got("BusinessCompleted", name="dig")


def test_one_act_in_a_management_phase() -> None:
    """SB-26, SB-53: a second is refused until the GM calls it quick, by a ruling, by the act itself, or by force."""
    play = managing().do("business", who="col", name="draw a cork")
    play.refused("SB-26", "business", who="col", name="drink")
    play.do("business", who="col", name="drink", quick=True).got("RulingRecorded", rule="SB-26")
    play.undo().do("rule", what="quick", who="col").do("business", who="col", name="drink")
    play.refused("SB-26", "business", who="col", name="sing")
    play.do("business", who="col", name="sing", force=True).got("Overridden", rule="SB-26")


def test_quick_said_beforehand_holds_for_the_next() -> None:
    """SB-26: a ruling before the first act makes room for two; it does not last into the next Moment."""
    play = managing("col", "orc").do("rule", what="quick", who="col")
    play.do("business", who="col", name="draw a cork")
    assert play.half() == "management.party"
    play.do("business", who="col", name="drink")
    assert play.half() == "management.foe"
    play.next_moment("management").do("business", who="col", name="one", quick=True)
    play.next_moment("management").do("business", who="col", name="two")
    assert play.half() == "management.foe"


@pytest.mark.parametrize(
    "name", ["drink a potion", "bind a wound", "rummage the pack", "grab the statue", "rally", "ünïcode ⚔"]
)
def test_any_act_that_is_not_combat_is_finished_in_management(name: str) -> None:
    """SB-54, SB-33: the name is free."""
    managing().do("business", who="ash", name=name).got("BusinessCompleted", name=name, done=1, needed=1)


def test_statuses_count_down_when_management_is_over() -> None:
    """SB-55: by one a Moment, after both halves; those at 0 end; those without an end stay."""
    play = table("ash", "orc").start().to("move")
    play.do("add_effect", who="ash", name="stunned", rounds=2).do("status", who="orc", name="bleeding", rounds=1)
    play.do("condition", who="ash", name="cursed")
    play.to("management", "foe")
    assert [effect.left for effect in play.one("ash").effects] == [2, None]
    play.end_moment()
    order = [one.type for one in play.last]
    assert (
        order.index("HalfEnded") < order.index("TickedDown") < order.index("StatusUpdated") < order.index("MomentEnded")
    )
    play.got("TickedDown", who="ash", name="stunned", left=1)
    play.got("StatusEnded", who="orc", name="bleeding")
    assert [(effect.name, effect.left) for effect in play.one("ash").effects] == [("stunned", 1), ("cursed", None)]
    assert play.one("orc").effects == ()
    play.next_moment().end_moment().got("StatusEnded", who="ash", name="stunned")
    play.do("end_effect", who="ash", effect="cursed")
    assert play.one("ash").effects == ()


def test_statuses_count_down_in_a_free_moment_and_for_the_downed_too() -> None:
    """SB-55: a Moment is a Moment."""
    play = table("ash", "orc").do("ambush", by="party").do("status", who="orc", name="blind", rounds=1)
    play.do("adjust", who="orc", what="able", value=False).start().end_moment()
    assert play.one("orc").effects == ()


def test_undo_gives_a_duration_back() -> None:
    """SB-55"""
    play = table("ash", "orc").start().do("status", who="ash", name="blind", rounds=1).to("management", "foe")
    before = play.state
    play.do("advance").undo()
    assert play.state == before


def test_several_work_on_the_same_business() -> None:
    """SB-25, L18; put right 12: a crank that takes 4 phases advances by one a phase, however many turn it."""
    play = managing("ash", "bram", "orc").do("business", who="ash", name="wind crank", needed=4)
    play.do("business", who="bram", name="Wind Crank").got("BusinessProgressed", who="bram", done=1, helps=True)
    play.never("BusinessStarted")
    for who in ("ash", "bram"):
        assert play.see(who)["business"] == {"name": "wind crank", "done": 1, "needed": 4}
    play.next_moment("management").do("business", who="bram")
    assert play.see("ash")["business"] == {"name": "wind crank", "done": 2, "needed": 4}
    play.do("business", who="ash").got("BusinessProgressed", who="ash", done=2, helps=True)
    play.next_moment("management").do("business", who="ash").next_moment("management")
    play.do("business", who="bram").got("BusinessCompleted", who="bram", done=4)
    for who in ("ash", "bram"):
        assert play.see(who)["business"] is None
    assert views.declarations(play.state) == ()


def test_a_drawbridge_of_three_phases_takes_three_moments_for_three_figures() -> None:
    """SB-25, L18; put right 12: the text's own case; a second quick turn in one phase adds nothing either."""
    play = managing("ash", "bram", "col", "orc").do("business", who="ash", name="lower the drawbridge", needed=3)
    for moment in (1, 2):
        for who in ("ash", "bram", "col"):
            play.do("business", who=who, name="lower the drawbridge", quick=True)
            assert play.see(who)["business"] == {"name": "lower the drawbridge", "done": moment, "needed": 3}
        play.next_moment("management")
    play.do("business", who="col").got("BusinessCompleted", done=3)


def test_each_hand_counts_if_the_gm_rules_so() -> None:
    """SB-25; put right 12: for this business and all who share it, until the GM takes it back."""
    play = managing("ash", "bram", "col", "orc")
    play.refused("SB-25", "rule", what="hands", who="ash")
    play.do("business", who="ash", name="crank", needed=9).do("rule", what="hands", who="ash")
    play.got("RulingRecorded", rule="SB-25", choice="yes")
    play.do("business", who="bram", name="crank").got("BusinessProgressed", done=2, helps=False)
    play.do("business", who="col", name="crank").got("BusinessProgressed", done=3)
    play.next_moment("management").do("rule", what="hands", who="bram", value=False)
    for who in ("ash", "bram", "col"):
        play.do("business", who=who)
        assert play.see(who)["business"] == {"name": "crank", "done": 4, "needed": 9}
    play.refused("SB-25", "rule", what="hands", who="ash", value=3)


def test_the_ruling_on_hands_is_offered_for_unfinished_business() -> None:
    """SB-25; put right 12"""
    play = managing("ash", "orc")
    for business, legal in ((None, False), ({"name": "sip"}, False), ({"name": "crank", "needed": 2}, True)):
        if business:
            play.do("business", who="ash", quick=True, **business)
        offered = {each.action: each.legal for each in play.fight.system.rulings(play.state, "ash")}
        assert offered["rule-hands"] is legal


def test_what_one_has_begun_another_ends_when_the_first_is_down() -> None:
    """SB-25"""
    play = managing("ash", "bram", "orc").do("business", who="ash", name="crank", needed=2)
    play.do("adjust", who="ash", what="able", value=False).next_moment("management")
    play.do("business", who="bram", name="crank").got("BusinessCompleted", done=2, needed=2)


def test_what_one_has_begun_another_ends_when_the_first_has_left() -> None:
    """SB-25: the drawbridge hangs where it hung; to a companion who can act it falls to go on, and to no foe."""
    play = managing("ash", "bram", "col", "orc").do("business", who="ash", name="crank", needed=4)
    play.do("adjust", who="bram", what="able", value=False).do("leave", who="ash")
    assert play.see("col")["business"] == {"name": "crank", "done": 1, "needed": 4}
    play.do("business", who="col", name="Crank").got("BusinessProgressed", done=1, needed=4)
    play.next_moment("management").do("business", who="col", name="Crank").got("BusinessProgressed", done=2, needed=4)
    play.do("leave", who="col")
    assert play.see("bram")["business"] == {"name": "crank", "done": 2, "needed": 4}
    play.do("leave", who="bram")
    assert play.see("orc")["business"] is None


def test_nobody_has_to_take_over_what_another_goes_on_with() -> None:
    """SB-25: who shares a business keeps it when the first leaves, and nobody else is drawn into it."""
    play = managing("col", "ash", "bram", "orc").do("business", who="ash", name="crank", needed=4)
    play.do("business", who="bram", name="crank").do("leave", who="ash")
    assert play.see("col")["business"] is None
    assert play.see("bram")["business"] == {"name": "crank", "done": 1, "needed": 4}


def test_the_other_side_turns_a_crank_of_its_own() -> None:
    """SB-25: nobody helps the enemy by the name of the thing."""
    play = managing("ash", "orc").do("business", who="ash", name="crank", needed=3)
    play.to("management", "foe").do("business", who="orc", name="crank").got("BusinessStarted", needed=1)
    assert play.see("ash")["business"] == {"name": "crank", "done": 1, "needed": 3}


def test_a_ruling_on_a_shared_business_is_for_all_who_share_it() -> None:
    """SB-25: its length, also when it has just been finished; and who gives up leaves the rest to the others."""
    play = managing("ash", "bram", "col", "orc").do("business", who="ash", name="crank", needed=2)
    play.do("rule", what="hands", who="ash")
    play.do("business", who="bram", name="crank").got("BusinessCompleted", done=2)
    play.do("rule", what="needed", who="bram", value=5)
    for who in ("ash", "bram"):
        assert play.see(who)["business"] == {"name": "crank", "done": 2, "needed": 5}
    play.do("rule", what="drop", who="ash")
    assert play.see("ash")["business"] is None
    assert play.see("bram")["business"] == {"name": "crank", "done": 2, "needed": 5}


def test_the_same_thing_done_again_begins_anew() -> None:
    """SB-25, SB-53: a finished search is no part of the next one."""
    play = managing("ash", "bram", "orc").do("business", who="ash", name="search", needed=1)
    play.do("business", who="bram", name="search", needed=2).got("BusinessStarted", needed=2)
    assert play.see("ash")["business"] is None
    play.next_moment("management").do("business", who="ash", name="search").got("BusinessCompleted", done=2)


def test_shared_business_rests_only_when_all_rest() -> None:
    """SB-25, Q-S13: with the setting that rest loses progress, one at the crank keeps it for both."""
    play = managing("ash", "bram", "orc", settings={"business_break": "reset"})
    play.do("business", who="ash", name="crank", needed=5).do("business", who="bram", name="crank")
    play.next_moment("management").do("business", who="bram").next_moment()
    assert play.see("ash")["business"] == {"name": "crank", "done": 2, "needed": 5}
    play.next_moment()
    assert play.see("ash")["business"] is None
    assert play.see("bram")["business"] is None


def test_of_two_long_businesses_of_one_moment_neither_has_rested() -> None:
    """SB-25, SB-26, Q-S13: where rest loses progress, what was worked on beside something quick keeps it."""
    play = managing("ash", "orc", settings={"business_break": "reset"})
    play.do("business", who="ash", name="crank", needed=3, quick=True).do("business", who="ash", name="rope", needed=3)
    play.next_moment().to("management").do("business", who="ash", name="crank")
    assert play.got("BusinessProgressed", name="crank").done == 2
    play.next_moment()
    assert [one.name for one in play.heard if one.type == "BusinessBroken"] == ["rope"]


def test_sb_25_no_length_is_ruled_of_what_nobody_does() -> None:
    """SB-25, SB-64: a ruling that would be refused is not offered as if it would do."""
    play = managing("ash", "orc")
    offered = {each.action: each.legal for each in play.fight.system.rulings(play.state, "ash")}
    assert offered["rule-needed"] is False
    assert offered["rule-dar"] is False
    play.do("business", who="ash", name="crank", needed=3)
    assert {each.action: each.legal for each in play.fight.system.rulings(play.state, "ash")}["rule-needed"] is True
