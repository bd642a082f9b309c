"""Ambush: laid, foiled, sprung, and the free Moment (SB-14..21)."""

from __future__ import annotations

from typing import Unpack

import pytest

from ..once import played_once
from .table import PHASES, Play, Sitting, table


@played_once
def sprung(by: str = "foe", *who: str, **more: Unpack[Sitting]) -> Play:
    """An ambush sprung before the first Moment."""
    play = table(*who, **more)
    play.do("ambush", by=by)
    if by == "foe":
        play.do("perception", passed=False)
    return play


def test_a_foes_ambush_is_the_exception_to_the_party_leading() -> None:
    """SB-14: the foe leads its ambush; without one the party does, and also in an ambush of its own."""
    assert table().start().half() == "meeting.party"
    assert sprung("party").start().half() == "meeting.party"
    play = sprung("foe").start()
    assert play.half() == "meeting.foe"
    assert play.got("LeadSet").value == "foe"


def test_a_laid_ambush_asks_for_perception_and_waits() -> None:
    """SB-15: the question has no default; no Moment begins before it is answered."""
    play = table(sheets={"ash": {"perception": 12}}).do("ambush", by="foe")
    prompt = play.prompt("perception")
    assert (prompt.rule, prompt.default, prompt.blocking) == ("SB-15", "", True)
    assert "Ash 12" in prompt.question
    for command in ("start", "advance"):
        play.refused("SB-15", command)
    play.refused("SB-15", "answer", prompt="perception")
    play.refused("SB-21", "ambush", by="foe")
    assert play.state.round == 0


@pytest.mark.parametrize(
    ("command", "data", "sprung"),
    [
        ("perception", {"passed": True}, False),
        ("perception", {"passed": False}, True),
        ("perception", {"who": "ash", "rolls": {"perception": [12]}}, False),
        ("perception", {"who": "ash", "rolls": {"perception": [13]}}, True),
        ("perception", {"needs": 9, "rolls": {"perception": [9]}}, False),
        ("perception", {"needs": 9, "rolls": {"perception": [10]}}, True),
        ("answer", {"prompt": "perception", "choice": "foiled"}, False),
        ("answer", {"prompt": "perception", "choice": "failed"}, True),
        ("rule", {"what": "perception", "value": "failed", "note": "Ash looked the other way"}, True),
    ],
)
def test_perception_foils_an_ambush_or_not(command: str, data: dict[str, object], sprung: bool) -> None:
    """SB-15, SB-16, SB-17: failed, the ambush is sprung and the foe leads; passed, it is foiled and all is as usual."""
    play = table(sheets={"ash": {"perception": 12}}).do("ambush", by="foe").do(command, **data)
    play.got("RulingRecorded", rule="SB-15")
    play.got("PerceptionChecked", side="party", passed=not sprung)
    play.got("AmbushSprung" if sprung else "AmbushFoiled")
    play.never("AmbushFoiled" if sprung else "AmbushSprung")
    play.start()
    assert play.half() == ("meeting.foe" if sprung else "meeting.party")
    play.end_moment()
    reasons = [one.reason for one in play.heard if one.type == "HalfSkipped"]
    assert reasons.count("ambushed") == (6 if sprung else 0)


@pytest.mark.parametrize("by", ["party", "foe"])
@pytest.mark.parametrize("when", ["before", "meeting"])
def test_a_foiled_ambush_is_not_laid_again_in_the_same_moment(by: str, when: str) -> None:
    """SB-17; put right 13: neither offered nor accepted, before the Moment it was for and in its Meeting."""
    play = table("ash", "orc")
    if when == "meeting":
        play.start().to("meeting", by)
    play.do("ambush", by=by).do("perception", passed=True).got("AmbushFoiled", side=by)
    for _ in range(2):
        play.refused("SB-17", "ambush", by=by)
        for who in ("ash", "orc"):
            (offered,) = [each for each in play.fight.options(who) if each.action == "ambush" and each.legal]
            assert by not in offered.inputs[0].choices
        if play.state.step is None:
            play.start().to("meeting", by)
    play.end_moment().do("ambush", by=by)


def test_after_a_forced_creep_nobody_acts_before_perception() -> None:
    """SB-15; put right 13: a creep by the GM's word may end Meeting while the ambush still waits for its check."""
    play = table("ash", "bram", "orc", hidden=["bram"], out_of_sight=["bram"]).do("contact", who="ash", enemy="orc")
    play.start().to("meeting", "foe").do("ambush", by="foe")
    play.do("creep", who="bram", hexes=1, force=True, rolls={"sneak": [20]}).got("Detected", who="bram")
    assert (play.half(), play.asks()) == ("missile.party", ["perception", "noticed"])
    play.refused("SB-15", "shoot", who="ash", target="orc", hit=False)
    assert not any(each.legal for each in play.fight.options("ash") if each.command == "Strike")
    play.do("perception", passed=True).do("shoot", who="ash", target="orc", hit=False)


def test_perception_needs_a_result_or_a_number() -> None:
    """SB-15: who checks against what is not guessed; without an ambush there is nothing to check."""
    table().refused("SB-15", "perception", passed=True)
    play = table().do("ambush", by="foe")
    play.refused("SB-15", "perception")
    play.refused("SB-15", "perception", who="ash")


def test_a_foiled_ambush_leaves_the_usual_order_and_no_free_moment() -> None:
    """SB-17: and another may be laid later."""
    play = table().do("ambush", by="foe").do("perception", passed=True).start()
    play.got("LeadSet", value="party")
    play.to("missile", "foe").do("shoot", who="orc", target="ash", hit=True, damage=1)
    play.to("move").do("move", who="ash", hexes=1)
    play.end_moment().do("ambush", by="foe").do("perception", passed=False).do("advance")
    play.got("LeadSet", value="foe")


@pytest.mark.parametrize("by", ["party", "foe"])
def test_the_ambushers_have_one_whole_moment_without_an_answer(by: str) -> None:
    """SB-18, SB-19: all six halves of the victims pass; the next Moment is as usual, the party leading."""
    other = "foe" if by == "party" else "party"
    play = sprung(by).start().end_moment()
    skipped = [(one.phase, one.side) for one in play.heard if one.type == "HalfSkipped" and one.reason == "ambushed"]
    assert skipped == [(phase, other) for phase in PHASES]
    begun = {one.side for one in play.heard if one.type == "HalfBegan"}
    assert begun == {by}
    play.heard.clear()
    play.do("advance").got("LeadSet", value="party")
    play.end_moment()
    assert {one.side for one in play.heard if one.type == "HalfBegan"} == {"party", "foe"}
    assert not [one for one in play.heard if one.type == "HalfSkipped" and one.reason == "ambushed"]


VICTIMS = [
    ("talk", {}),
    ("creep", {"hexes": 1}),
    ("shoot", {"target": "orc", "hit": True, "damage": 1}),
    ("move", {"hexes": 1}),
    ("sneak", {"hexes": 1}),
    ("vault", {}),
    ("clamber", {}),
    ("climb", {"feet": 10}),
    ("stunt", {"name": "swing", "beats": 1}),
    ("drop_prone", {}),
    ("rise", {}),
    ("set_cover", {"cover": "full"}),
    ("strike", {"target": "orc", "hit": True, "damage": 1}),
    ("cast", {"note": "light"}),
    ("business", {"name": "run"}),
]


@pytest.mark.parametrize(("command", "data"), VICTIMS, ids=[command for command, _ in VICTIMS])
def test_nothing_a_victim_tries_is_an_answer(command: str, data: dict[str, object]) -> None:
    """SB-18: every act of the ambushed is refused in every phase, and the GM may still allow it."""
    play = sprung("foe").start()
    for phase in PHASES:
        if phase != "melee":
            play.to(phase, "foe")
            play.refused("SB-18", command, who="ash", **data)
    play.next_moment()
    if command == "talk":
        play.do("talk", who="ash")


def test_the_gm_may_let_a_victim_answer() -> None:
    """SB-18: forced, the answer happens and the override is on record."""
    play = sprung("foe").start().to("missile", "foe")
    play.do("shoot", who="ash", target="orc", hit=True, damage=2, force=True)
    assert {one.rule for one in play.all("Overridden")} >= {"SB-18"}
    assert play.see("ash")["strike"] == "missile"


def test_newcomers_to_the_victims_are_ambushed_too() -> None:
    """SB-18: the side cannot answer, whoever comes to it; newcomers to the ambushers may act."""
    play = sprung("foe").start().to("missile", "foe")
    play.do("join", name="Dov", id="dov", side="party").do("join", name="Ugh", id="ugh", side="foe")
    play.refused("SB-18", "shoot", who="dov", target="orc", hit=True, damage=1)
    play.do("shoot", who="ugh", target="dov", hit=True, damage=1)


@pytest.mark.parametrize(("by", "shooter", "target"), [("party", "ash", "orc"), ("foe", "orc", "ash")])
def test_ambushers_keep_their_own_limits(by: str, shooter: str, target: str) -> None:
    """SB-20: one strike, their beats, no Management after a strike; who did not strike has it (Q-S5)."""
    play = sprung(by).start().to("missile", by)
    play.do("shoot", who=shooter, target=target, hit=True, damage=1)
    play.refused("SB-34", "shoot", who=shooter, target=target, hit=True, damage=1)
    play.to("move", by).refused("SB-46", "move", who=shooter, hexes=15)
    play.do("move", who=shooter, hexes=14)
    play.to("magic", by).refused("SB-34", "cast", who=shooter, note="light")
    play.to("management", by).refused("SB-36", "business", who=shooter, name="search")
    other = "bram" if by == "party" else "gob"
    play.do("business", who=other, name="search").got("BusinessCompleted")


@pytest.mark.parametrize(("side", "speaker", "free"), [("party", "ash", "foe"), ("foe", "orc", "party")])
def test_who_has_talked_cannot_ambush_in_this_meeting(side: str, speaker: str, free: str) -> None:
    """SB-21: that side's communication, not the other's; the GM may allow it; the next Meeting is open again."""
    play = table().start().to("meeting", side).do("talk", who=speaker)
    play.refused("SB-21", "ambush", by=side)
    forced = play.do("ambush", by=side, force=True)
    forced.got("Overridden", rule="SB-21")
    play.undo().do("ambush", by=free).got("AmbushDeclared", by=free)
    play.undo().next_moment().do("ambush", by=side).got("AmbushDeclared", by=side)


@pytest.mark.parametrize("phase", PHASES[1:])
def test_an_ambush_belongs_to_meeting_or_before_a_moment(phase: str) -> None:
    """SB-21"""
    play = table("ash", "orc").do("contact", who="ash", enemy="orc").start().to(phase)
    play.refused("SB-21", "ambush", by="party")
    play.refused("SB-21", "ambush", by="foe")


def test_surprise_is_the_same_thing() -> None:
    """SB-21: under either name."""
    table().do("surprise", by="party").got("AmbushSprung", side="party")
    table().start().do("talk", who="ash").refused("SB-21", "surprise", by="party")


def test_nobody_ambushes_without_able_figures() -> None:
    """SB-21: and nobody at all by an unknown side."""
    play = table("ash", "orc").do("adjust", who="orc", what="able", value=False)
    play.refused("SB-21", "ambush", by="foe")
    play.refused("by", "ambush", by="orcs")


def test_an_ambush_in_meeting_makes_the_running_moment_the_free_one() -> None:
    """SB-18, SB-21, Q-S30: the party's own, in its half of Meeting; the foe's half is skipped at once after it."""
    play = table().start().do("ambush", by="party")
    play.got("AmbushSprung", side="party", free_moment=1)
    play.do("waive", side="party")
    play.got("HalfSkipped", phase="meeting", side="foe", reason="ambushed")
    assert play.half() == "missile.party"
    play.do("shoot", who="ash", target="orc", hit=False)
    play.end_moment()
    assert {one.side for one in play.heard if one.type == "HalfBegan"} == {"party"}
    assert play.next_moment("meeting", "foe").half() == "meeting.foe"


def test_a_foes_ambush_in_the_partys_half_of_meeting_closes_it() -> None:
    """SB-16, SB-18, Q-S30: Perception is asked at that point; sprung, the party's half is over; foiled, it goes on."""
    play = table().start().do("ambush", by="foe")
    assert play.asks() == ["perception"]
    play.refused("SB-15", "advance")
    play.do("perception", passed=False)
    play.got("AmbushSprung", side="foe", free_moment=1)
    play.got("HalfEnded", phase="meeting", side="party", reason="ambushed")
    assert play.half() == "meeting.foe"
    play.undo().do("perception", passed=True)
    assert play.half() == "meeting.party"
    play.do("talk", who="ash")


def test_a_talk_half_already_run_stands() -> None:
    """SB-21, Q-S30: the party has talked; the foe, which has not, ambushes in its own half."""
    play = table().start().do("talk", who="ash").to("meeting", "foe")
    play.do("ambush", by="foe").do("perception", passed=False)
    assert play.half() == "meeting.foe"
    play.to("missile", "foe")
    skipped = [one.phase for one in play.heard if one.type == "HalfSkipped" and one.side == "party"]
    assert skipped == ["missile"]


def test_the_foes_may_be_granted_a_check_of_their_own() -> None:
    """SB-15: for the party's ambush the GM may ask it of the foes; no check is the default."""
    play = table().do("ambush", by="party")
    prompt = play.prompt("foe_check")
    assert (prompt.rule, prompt.default, prompt.blocking) == ("SB-15", "no", False)
    play.do("answer", prompt="foe_check", choice="foiled")
    play.got("PerceptionChecked", side="foe", passed=True)
    play.got("AmbushFoiled", side="party")
    play.start().end_moment()
    assert ("HalfBegan", "foe") in {(one.type, getattr(one, "side", "")) for one in play.heard}
    other = table().do("ambush", by="party").do("answer", prompt="foe_check", choice="failed")
    other.got("PerceptionChecked", side="foe", passed=False)
    other.start().end_moment()
    assert ("HalfBegan", "foe") not in {(one.type, getattr(one, "side", "")) for one in other.heard}
    lapsed = table().do("ambush", by="party").start()
    lapsed.got("RulingRecorded", choice="no", default_taken=True)
    assert lapsed.asks() == []


def test_one_ambush_at_a_time() -> None:
    """SB-21: none while one is laid, sprung and to come, or running; when its Moment is over another may be."""
    play = sprung("foe")
    play.refused("SB-21", "ambush", by="party")
    play.start().refused("SB-21", "ambush", by="foe")
    play.end_moment().do("ambush", by="party").got("AmbushSprung", side="party", free_moment=2)
    play.do("advance")
    assert play.half() == "meeting.party"
    play.to("missile").got("HalfSkipped", phase="meeting", side="foe", reason="ambushed")


def test_a_new_group_lies_in_wait_between_moments() -> None:
    """SB-15, SB-19: asked before the question whether to go on; both answers are wanted before the next Moment."""
    play = table().start().end_moment()
    play.do("ambush", by="foe")
    assert play.asks() == ["perception", "continue"]
    play.refused("SB-15", "advance")
    play.refused("SB-15", "answer", prompt="continue", choice="go_on")
    play.do("perception", passed=False).do("advance")
    assert (play.state.round, play.half()) == (2, "meeting.foe")


def test_an_ambush_that_only_gives_the_first_place() -> None:
    """SB-16, Q-S6: the other reading: the foe leads Moment 1, the party answers, Moment 2 is as usual."""
    play = sprung("foe", settings={"ambush_free_moment": False}).start()
    assert play.half() == "meeting.foe"
    play.to("missile", "foe").to("missile", "party").do("shoot", who="ash", target="orc", hit=False)
    assert play.next_moment().half() == "meeting.party"


@pytest.mark.parametrize("side", ["party", "foe"])
def test_an_ambush_in_meeting_that_only_gives_the_first_place(side: str) -> None:
    """SB-16, Q-S6, Q-S30: the foe goes first in the phases still to come of this Moment, and the party answers."""
    play = table(settings={"ambush_free_moment": False}).start().to("meeting", side)
    play.do("ambush", by="foe").do("perception", passed=False)
    assert (play.got("LeadSet").value, play.half()) == ("foe", f"meeting.{side}")
    halves = [f"{phase}.{lead}" for phase in PHASES[1:] for lead in ("foe", "party")]
    assert [step.id for step in play.state.agenda.steps if step.kind == "half"][2:] == halves
    play.to("missile", "foe").do("shoot", who="orc", target="ash", hit=True, damage=1)
    play.to("missile", "party").do("shoot", who="ash", target="orc", hit=False)
    assert play.next_moment().half() == "meeting.party"


def test_a_foiled_ambush_in_meeting_gives_no_place() -> None:
    """SB-17: the usual order, in the reading in which an ambush only gives the first place too."""
    play = table(settings={"ambush_free_moment": False}).start().to("meeting", "foe")
    play.do("ambush", by="foe").do("perception", passed=True).never("LeadSet")
    assert play.to("missile").half() == "missile.party"


def test_the_protocol_shows_the_ambush() -> None:
    """SB-18: by whom, how it stands, which Moment is free."""
    play = table()

    def facts() -> object:
        return play.fight.system.facts(play.state)["ambush"]

    assert facts() is None
    play.do("ambush", by="foe")
    assert facts() == {"by": "foe", "outcome": "pending", "free_moment": 0}
    play.do("perception", passed=False)
    assert facts() == {"by": "foe", "outcome": "sprung", "free_moment": 1}


def test_undo_takes_an_ambush_back() -> None:
    """SB-18: every step of it, the waiting question included."""
    play = table()
    start = play.state
    play.do("ambush", by="foe").do("perception", passed=False).start()
    play.undo(2)
    assert play.asks() == ["perception"]
    play.undo()
    assert play.state == start


KEEN = {"perception": 20}


def test_perception_is_for_those_who_are_ambushed() -> None:
    """SB-15: the ambushers' own roll cannot foil it, nor that of somebody who is down; the GM may overrule."""
    play = table(sheets={"orc": KEEN, "bram": KEEN}).do("adjust", who="bram", what="able", value=False)
    play.do("ambush", by="foe")
    for data in ({"passed": True}, {"needs": 19}, {}):
        said = play.refused("SB-15", "perception", who="orc", rolls={"perception": [1]} if not data else {}, **data)
        assert said.accepts == ("ash", "col")
    play.refused("SB-37", "perception", who="bram", passed=True)
    play.do("perception", who="ash", passed=True).got("AmbushFoiled", side="foe")
    play.undo().do("perception", who="orc", passed=True, force=True).got("Overridden", rule="SB-15")


def test_a_check_of_the_foes_against_the_partys_ambush_is_rolled_by_them() -> None:
    """SB-15, SB-17, Q-S6: where the GM grants one, by the same command."""
    play = table(sheets={"orc": {"perception": 9}, "ash": KEEN}).do("ambush", by="party")
    play.refused("SB-15", "perception", who="ash", passed=True)
    play.do("perception", who="orc", rolls={"perception": [10]}).got("PerceptionChecked", side="foe", passed=False)
    assert play.fight.system.facts(play.state)["ambush"] == {"by": "party", "outcome": "sprung", "free_moment": 1}
    play.undo().do("perception", who="orc", rolls={"perception": [9]}).got("AmbushFoiled", side="party")
    assert play.asks() == []


def test_while_perception_is_pending_nobody_talks_or_creeps() -> None:
    """SB-15, SB-39, SB-42: first it must be known whose Moment it is."""
    play = table("ash", "col", "orc", hidden=["col"]).start().do("waive", side="party").do("ambush", by="foe")
    play.refused("SB-15", "talk", who="orc")
    play.do("perception", passed=True).do("talk", who="orc")
    play = table("ash", "col", "orc", hidden=["col"]).start().do("ambush", by="foe")
    play.refused("SB-15", "talk", who="ash")
    play.refused("SB-15", "creep", who="col", hexes=1)
    assert not any(one.legal for one in play.fight.options("col") if one.action in ("talk", "stall", "creep"))
    play.do("perception", passed=True).do("creep", who="col", hexes=1, rolls={"sneak": [1]})


def test_an_ambush_forced_in_the_last_phase_leads_nothing_any_more() -> None:
    """SB-16, Q-S6: the other reading; it crashed where no phase was still to come (found by random play)."""
    play = table(settings={"ambush_free_moment": False}).start().to("management", "foe")
    steps = play.state.agenda.steps
    play.do("ambush", by="party", force=True).got("AmbushSprung", side="party")
    assert play.state.agenda.steps == steps
