"""Sneaking in Move and creeping in Meeting (SB-42, SB-43, SB-56..64)."""

from __future__ import annotations

from typing import Unpack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex
from fightcall_engine.model.errors import NeedsDice, Refused

from ..once import played_once
from .table import PHASES, Play, Sitting, beside, big_board, east, home, table


@played_once
def sneaked(who: str, hexes: int = 2, **more: Unpack[Sitting]) -> Play:
    """A figure has sneaked out of sight, and the sneak rolls are asked for."""
    more["out_of_sight"] = [who]
    play = table(**more)
    play.start().to("move", play.one(who).side).do("sneak", who=who, hexes=hexes)
    while "sneak" not in play.asks():
        play.do("advance")
    return play


# Who may, and where


@pytest.mark.parametrize(("who", "side"), [("ash", "party"), ("bram", "party"), ("col", "party"), ("orc", "foe")])
def test_anyone_may_sneak(who: str, side: str) -> None:
    """SB-56: no skill needed, either side."""
    play = table(out_of_sight=[who]).start().to("move", side).do("sneak", who=who, hexes=3)
    play.got("BeatsSpent", who=who, amount=6)
    assert play.see(who)["sneaking"] is True


def test_nobody_sneaks_in_plain_view() -> None:
    """SB-57: until the GM says nobody looks; forced, it is on record and no one is revealed by it."""
    play = table(hidden=["col"]).start().to("move")
    play.refused("SB-57", "sneak", who="ash", hexes=1)
    play.do("rule", what="plain_view", who="ash", value=False).got("RulingRecorded", rule="SB-57")
    play.do("sneak", who="ash", hexes=1)
    play.do("rule", what="plain_view", who="col").refused("SB-57", "sneak", who="col", hexes=1)
    play.do("sneak", who="col", hexes=1, force=True).got("Overridden", rule="SB-57")
    play.never("Detected")
    assert play.see("col")["sneaking"] is True


# The roll


def test_the_gm_is_asked_at_the_end_of_move() -> None:
    """SB-58: after both halves, once for each figure that sneaked, and play waits; rolling is the default."""
    play = table(out_of_sight=["ash", "bram", "orc"]).start().to("move")
    play.do("sneak", who="bram", hexes=1).do("sneak", who="ash", hexes=1).do("sneak", who="ash", hexes=1)
    play.to("move", "foe")
    assert play.asks() == []
    play.do("sneak", who="orc", hexes=1).do("advance")
    assert [(prompt.kind, prompt.who) for prompt in play.state.prompts] == [
        ("sneak", "ash"), ("sneak", "bram"), ("sneak", "orc"),
    ]  # fmt: skip
    prompt = play.state.prompts[0]
    assert (prompt.rule, prompt.default, prompt.dice, prompt.purpose, prompt.blocking) == (
        "SB-58", "yes", "d20", "sneak", True,
    )  # fmt: skip
    for left in (2, 1, 0):
        assert play.state.phase == "move"
        play.do("answer", choice="no")
        assert play.asks() == ["sneak"] * left
    assert play.state.phase == "melee"


def test_no_roll_means_it_stays_hidden() -> None:
    """SB-58: on record, without a die."""
    play = sneaked("ash").do("answer", prompt="sneak", choice="no")
    play.got("RulingRecorded", rule="SB-58", choice="no")
    play.never("DiceRolled")
    assert (play.see("ash")["detected"], play.see("ash")["sneaking"]) == (False, False)


def test_only_who_sneaked_in_this_move_is_asked_for() -> None:
    """SB-58, Q-S25: not who walked, nor who lay still hidden."""
    play = table("ash", "col", "orc", hidden=["col"], out_of_sight=["ash"]).start().to("move")
    play.do("move", who="ash", hexes=2).to("magic")
    assert "SneakRollsBegan" not in [one.type for one in play.heard]
    play.next_moment("magic")
    assert "SneakRollsBegan" not in [one.type for one in play.heard]


@pytest.mark.parametrize("who", ["ash", "bram", "col", "orc"])
@given(die=st.integers(1, 20))
@settings(max_examples=20)
def test_the_die_and_the_armour_against_the_skill(who: str, die: int) -> None:
    """SB-59, SB-63: d20 + DAR no higher than Agility, or Skullduggery in its place."""
    target, dar = {"ash": (13, 0), "bram": (10, 3), "col": (15, 2), "orc": (10, 0)}[who]
    play = sneaked(who).do("answer", prompt="sneak", rolls={"sneak": [die]})
    passed = die + dar <= target
    play.got("SneakChecked", who=who, die=die, dar=dar, target=target, passed=passed, bonus=0)
    assert bool(play.all("Detected")) is not passed
    assert play.see(who)["detected"] is not passed
    assert play.see(who)["sneaking"] is False


@pytest.mark.parametrize("given", [{"amount": 13}, {"rolls": {"sneak": 13}}, {"rolls": {"sneak": [13]}}])
def test_the_die_may_be_typed_as_a_number(given: dict[str, object]) -> None:
    """SB-59: however it is typed, it is the die; a face that a d20 has not is refused, a die without a roll told."""
    play = sneaked("ash").do("answer", prompt="sneak", **given)
    play.got("SneakChecked", die=13, passed=True)
    play.undo()
    play.refused("dice", "answer", prompt="sneak", amount=21)
    play.refused("dice", "answer", prompt="sneak", choice="no", amount=5)
    play.do("answer", prompt="sneak", choice="no", rolls={"sneak": [5]})
    assert [dice.faces for dice in play.fight.line.entries[-1].unused] == [(5,)]


def test_skullduggery_replaces_agility_even_where_it_is_lower() -> None:
    """SB-63, Q-S15: or the better of the two, by the setting."""
    sheets = {"ash": {"skullduggery": 8}}
    for mode, target in (("replace", 8), ("best", 13)):
        play = sneaked("ash", sheets=sheets, settings={"skullduggery_mode": mode})
        play.do("answer", prompt="sneak", rolls={"sneak": [10]}).got("SneakChecked", target=target, passed=target == 13)


def test_a_success_is_unnoticed_not_invisible() -> None:
    """SB-60: it stays hidden over the Moments until it walks into view."""
    play = sneaked("ash").do("answer", prompt="sneak", rolls={"sneak": [1]}).next_moment("move")
    play.do("move", who="ash", hexes=3).never("Detected")
    assert play.see("ash")["detected"] is False
    play.do("rule", what="plain_view", who="ash").do("move", who="ash", hexes=1).got("Detected", cause="seen")
    assert play.see("ash")["detected"] is True


@pytest.mark.parametrize("command", ["move", "vault", "clamber", "stunt"])
def test_stepping_into_view_by_any_change_of_hex_reveals(command: str) -> None:
    """SB-60"""
    needs: dict[str, dict[str, object]] = {"move": {"hexes": 1}, "stunt": {"name": "swing", "beats": 1, "hexes": 2}}
    data = needs.get(command, {})
    play = table(hidden=["col"]).start().to("move").do(command, who="col", **data)
    play.never("Detected")
    play.do("rule", what="plain_view", who="col").do(command, who="col", **data).got(
        "Detected", who="col", cause="seen"
    )


@pytest.mark.parametrize("cause", ["noise", "scent", "instinct", "other"])
def test_the_gm_names_how_and_by_whom(cause: str) -> None:
    """SB-61: noise is the default; nothing waits for the answer."""
    play = sneaked("bram").do("answer", prompt="sneak", rolls={"sneak": [20]})
    prompt = play.prompt("noticed")
    assert (prompt.rule, prompt.default, prompt.blocking) == ("SB-61", "noise", False)
    assert play.state.phase == "melee"
    play.do("answer", prompt="noticed", choice=cause, note="Orc")
    play.got("RulingRecorded", rule="SB-61", choice=cause, note="Orc")
    play.undo().do("advance").got("RulingRecorded", rule="SB-61", choice="noise", default_taken=True)


def test_two_that_are_noticed_are_two_questions() -> None:
    """SB-61: also when both rolls are taken by default at once."""
    play = table(out_of_sight=["bram", "gob"], sheets={"bram": {"dar": 30}, "gob": {"dar": 30}}).start().to("move")
    play.do("sneak", who="bram", hexes=1).to("move", "foe").do("sneak", who="gob", hexes=1).do("advance")
    play.do("advance")
    assert [(prompt.kind, prompt.who) for prompt in play.state.prompts] == [("noticed", "bram"), ("noticed", "gob")]


@pytest.mark.parametrize("modifier", [1, 2, -1])
def test_nothing_betters_a_sneak_roll(modifier: int) -> None:
    """SB-62: claimed with the walk, the creep or the roll."""
    play = table(out_of_sight=["ash"], hidden=["col"]).start()
    play.refused("SB-62", "creep", who="col", hexes=1, modifier=modifier)
    play.to("move").refused("SB-62", "sneak", who="ash", hexes=1, modifier=modifier)
    sneaked("ash").refused("SB-62", "answer", prompt="sneak", modifier=modifier)


def test_a_bonus_the_gm_insists_on_counts() -> None:
    """SB-62: for the roll of a creep too; and it is gone with the Moment."""
    play = table("col", "orc", hidden=["col"]).start()
    play.do("creep", who="col", hexes=1, modifier=3, force=True, rolls={"sneak": [16]})
    play.got("SneakChecked", die=16, dar=2, bonus=3, target=15, passed=True)
    play.undo().do("creep", who="col", hexes=1, modifier=3, force=True)
    play.do("answer", prompt="sneak", rolls={"sneak": [16]}).got("SneakChecked", bonus=3, passed=True)
    play.next_moment().do("creep", who="col", hexes=1, rolls={"sneak": [14]}).got("SneakChecked", bonus=0, passed=False)


def test_relief_from_the_armour_is_the_gms() -> None:
    """SB-64: full by default, half or none; only with Skullduggery and armour."""
    assert [choice.id for choice in sneaked("col").prompt("sneak").choices] == ["yes", "half", "bare", "no"]
    assert [choice.id for choice in sneaked("bram").prompt("sneak").choices] == ["yes", "no"]
    bare = sneaked("col", sheets={"col": {"dar": 0}})
    assert [choice.id for choice in bare.prompt("sneak").choices] == ["yes", "no"]
    for choice, dar in (("half", 1), ("bare", 0)):
        play = sneaked("col").do("answer", prompt="sneak", choice=choice, rolls={"sneak": [14]})
        play.got("RulingRecorded", rule="SB-64")
        play.got("SneakChecked", dar=dar, passed=14 + dar <= 15)


def test_relief_ruled_unasked_lasts() -> None:
    """SB-64: for a figure with Skullduggery; any number of the DAR; others by force only."""
    play = table(out_of_sight=["col", "bram"]).start().to("move")
    play.refused("SB-64", "rule", what="dar", who="bram", value=0)
    play.refused("SB-64", "rule", what="dar", who="col", value=-1)
    play.do("rule", what="dar", who="bram", value=1, force=True).got("Overridden", rule="SB-64")
    play.do("rule", what="dar", who="col", value=1).do("sneak", who="col", hexes=1).to("move", "foe").do("advance")
    play.do("answer", prompt="sneak", rolls={"sneak": [14]}).got("SneakChecked", dar=1, passed=True)


def test_dice_of_the_table_are_waited_for() -> None:
    """SB-59: where the table throws, a roll without its die changes nothing."""
    play = sneaked("ash", settings={"dice": "table"})
    before = play.state
    with pytest.raises(NeedsDice) as owed:
        play.do("answer", prompt="sneak", choice="yes")
    assert [(roll.purpose, roll.dice, roll.who) for roll in owed.value.rolls] == [("sneak", "d20", "ash")]
    assert play.state is before
    play.do("answer", prompt="sneak", choice="yes", rolls={"sneak": [3]})


# Creeping in Meeting


def test_an_undetected_party_figure_creeps() -> None:
    """SB-42: 2 beats a hex from this Moment's pool, tested at once; talks need not be on (Q-S28)."""
    play = table(hidden=["col"]).start().do("creep", who="col", hexes=2, rolls={"sneak": [13]})
    play.got("Moved", who="col", hexes=2, quiet=True)
    play.got("BeatsSpent", amount=4, left=9)
    play.got("SneakChecked", passed=True)
    assert play.half() == "meeting.party"
    play.to("move").refused("SB-46", "move", who="col", hexes=10)
    play.do("move", who="col", hexes=9)


def test_the_roll_of_a_creep_is_asked_for() -> None:
    """SB-42, SB-58: without a die on the table; a second creep waits for the first one's test."""
    play = table(hidden=["col"]).start().do("creep", who="col", hexes=1)
    assert play.asks() == ["sneak"]
    play.refused("SB-42", "creep", who="col", hexes=1)
    play.do("answer", prompt="sneak", choice="no")
    play.do("creep", who="col", hexes=1).do("answer", prompt="sneak", rolls={"sneak": [13]})
    assert (play.beats("col"), play.half()) == (9, "meeting.party")


@pytest.mark.parametrize("asked", [False, True])
def test_a_creeper_that_is_noticed_ends_meeting(asked: bool) -> None:
    """SB-43: on the spot: the foe's half is skipped and Missile opens; nobody's beats are touched."""
    play = table(hidden=["col"]).start().do("talk", who="ash")
    if asked:
        play.do("creep", who="col", hexes=1).do("answer", prompt="sneak", rolls={"sneak": [14]})
    else:
        play.do("creep", who="col", hexes=1, rolls={"sneak": [14]})
    order = [one.type for one in play.last]
    assert order.index("Detected") < order.index("HalfEnded") < order.index("HalfSkipped") < order.index("PhaseEnded")
    play.got("HalfEnded", phase="meeting", side="party", reason="detection")
    play.got("HalfSkipped", phase="meeting", side="foe", reason="detection")
    play.got("PhaseEnded", phase="meeting", cause="detection")
    assert play.half() == "missile.party"
    assert set(play.asks()) == {"talks", "noticed"}
    play.to("move")
    assert (play.beats("col"), play.beats("ash")) == (11, 14)


def test_a_creeper_noticed_in_the_trailing_half() -> None:
    """SB-43: with the foe leading there is no half left to skip."""
    play = table("col", "orc", hidden=["col"], settings={"ambush_free_moment": False})
    play.do("ambush", by="foe").do("perception", passed=False).start().to("meeting", "party")
    play.do("creep", who="col", hexes=1, rolls={"sneak": [20]}).never("HalfSkipped")
    assert play.half() == "missile.foe"


def test_rolls_taken_by_default_end_meeting_too() -> None:
    """SB-43: next_half over an untested creep tests it; noticed, Meeting ends there."""
    play = table("ash", "col", "orc", hidden=["col"], sheets={"col": {"dar": 40}}).start()
    play.do("creep", who="col", hexes=1).do("advance")
    play.got("PhaseEnded", phase="meeting", cause="detection")
    play.undo().do("next_half", until="move").got("Detected", who="col")
    assert play.half() == "move.party"


def test_two_creepers_noticed_at_once_end_meeting_once() -> None:
    """SB-43: both untested rolls are taken by default in one step; Meeting's halves pass once."""
    clumsy = {"dar": 40}
    play = table("ash", "col", "orc", hidden=["ash", "col"], sheets={"ash": clumsy, "col": clumsy}).start()
    play.do("creep", who="ash", hexes=1).do("creep", who="col", hexes=1).do("advance")
    assert [one.who for one in play.all("Detected")] == ["ash", "col"]
    play.got("PhaseEnded", phase="meeting", cause="detection")
    play.got("HalfSkipped", side="foe", reason="detection")
    assert play.half() == "missile.party"


def test_creeping_is_for_the_undetected_party() -> None:
    """SB-42: foes by the GM's word only; neither the seen nor those in plain view, prone or halted."""
    play = table(hidden=["col", "orc"], sheets={"bram": {"plain_view": False}}).start()
    play.refused("SB-42", "creep", who="ash", hexes=1)
    play.refused("SB-42", "creep", who="bram", hexes=1)
    play.refused("SB-42", "creep", who="orc", hexes=1)
    play.to("meeting", "foe").refused("SB-42", "creep", who="orc", hexes=1)
    play.do("creep", who="orc", hexes=1, force=True, rolls={"sneak": [2]}).got("Overridden", rule="SB-42")
    seen = table(hidden=["col"]).start().do("rule", what="plain_view", who="col")
    seen.refused("SB-57", "creep", who="col", hexes=1)
    prone = table(hidden=["col"], sheets={"col": {"posture": "prone"}}).start()
    prone.refused("SB-76", "creep", who="col", hexes=1)


@pytest.mark.parametrize("phase", PHASES[1:])
def test_creeping_belongs_to_meeting(phase: str) -> None:
    """SB-42"""
    play = table("ash", "col", "orc", hidden=["col"]).do("contact", who="ash", enemy="orc").start().to(phase)
    play.refused("SB-42", "creep", who="col", hexes=1)


def test_a_creep_is_bounded_by_the_pool() -> None:
    """SB-42, Q-S7: 13 beats are 6 hexes; free creeping has a setting."""
    play = table(hidden=["col"]).start()
    play.refused("SB-42", "creep", who="col", hexes=7)
    play.do("creep", who="col", hexes=6, rolls={"sneak": [1]})
    free = table(hidden=["col"], settings={"meeting_sneak": "free"}).start()
    free.do("creep", who="col", hexes=9, rolls={"sneak": [1]})
    assert free.beats("col") == 13


@pytest.mark.parametrize(("mode", "cost", "offered"), [("free", "0/step", True), ("pays_from_pool", "2/step", False)])
def test_a_creep_is_offered_at_the_price_it_is_done_for(mode: str, cost: str, offered: bool) -> None:
    """SB-42, Q-S7: who has a single beat left creeps where that is free, else not."""
    play = table("col", "orc", hidden=["col"], settings={"meeting_sneak": mode}).start()
    play.do("adjust", who="col", what="beats", value=1)
    option = next(one for one in play.fight.options("col") if one.action == "creep")
    assert (option.cost, option.legal) == (cost, offered)
    assert play.fight.system.step_price(play.state, "col", "quiet") == int(cost[0])
    if offered:
        play.do("creep", who="col", hexes=1).got("BeatsSpent", amount=0, left=1)
    else:
        play.refused("SB-42", "creep", who="col", hexes=1)


@pytest.mark.parametrize(("mode", "half"), [("free", "meeting.party"), ("pays_from_pool", "meeting.foe")])
def test_a_half_waits_for_who_could_still_creep(mode: str, half: str) -> None:
    """SB-08, SB-42: all others have acted, and one beat buys no hex."""
    play = table("col", "orc", hidden=["col"], settings={"meeting_sneak": mode}).start()
    play.do("adjust", who="col", what="beats", value=1).do("talk", who="col").do("answer", prompt="talks")
    assert play.half() == half


def test_a_creeper_is_stopped_by_contact() -> None:
    """SB-42, SB-47: it stops in a zone, for as long as Meeting lasts; in Move it may go on."""
    play = table(hidden=["col"], board=big_board()).start()
    spot = home("col")
    play.do("place", who="orc", at=list(beside(Hex(spot.q + 2, spot.r))))
    play.do("creep", who="col", path=east(spot, 4), rolls={"sneak": [1]}).got("MovementHalted", enemy="orc", unwalked=2)
    assert play.beats("col") == 9
    play.refused("SB-47", "creep", who="col", path=east(Hex(spot.q + 2, spot.r), 1))
    assert play.see("col")["halted_by"] == "orc"
    play.to("move").do("move", who="col", path=east(Hex(spot.q + 2, spot.r), 1))
    assert play.beats("col") == 8


def test_hiding_by_the_gms_word() -> None:
    """SB-60, SB-42: hidden by a ruling a figure is out of sight and may creep; noticed by a ruling it may not."""
    play = table().start().do("rule", what="hidden", who="ash")
    play.got("RulingRecorded", rule="SB-60")
    play.do("creep", who="ash", hexes=1, rolls={"sneak": [2]})
    play.do("rule", what="hidden", who="ash", value=False, note="the cat meows").got("Detected", cause="the cat meows")
    play.refused("SB-42", "creep", who="ash", hexes=1)


def test_undo_in_the_midst_of_a_creep() -> None:
    """SB-42: the untested creep, the test and the end of Meeting, each taken back and brought again."""
    play = table(hidden=["col"]).start()
    start = play.state
    play.do("creep", who="col", hexes=2)
    asked = play.state
    play.do("answer", prompt="sneak", rolls={"sneak": [20]})
    end = play.state
    play.undo()
    assert play.state == asked
    play.undo()
    assert play.state == start
    play.fight.redo()
    play.fight.redo()
    assert play.state == end
    with pytest.raises(Refused):
        play.fight.redo()


def test_a_creeper_that_leaves_or_falls_holds_nothing_up() -> None:
    """SB-42, SB-58: gone, its question is gone; downed, the question can still be answered."""
    play = table(hidden=["col"]).start().do("creep", who="col", hexes=1)
    play.do("leave", who="col")
    assert play.asks() == []
    play.undo().do("adjust", who="col", what="able", value=False).do("answer", prompt="sneak", choice="no")
    assert play.half() == "meeting.party"
