"""Meeting: talk, capabilities, talks, stalling (SB-39..41, SB-44)."""

from __future__ import annotations

import pytest

from .table import PHASES, Play, table


@pytest.mark.parametrize(("side", "who"), [("party", "ash"), ("foe", "orc")])
def test_dialogue_may_be_tried_in_ones_half(side: str, who: str) -> None:
    """SB-39: in character, warning or threat; it costs nothing and is no strike."""
    play = table().start().to("meeting", side).do("talk", who=who, note="drop it!")
    play.got("TalkAttempted", who=who, note="drop it!")
    assert play.see(who)["strike"] == "none"
    assert play.beats(who) == 14
    assert play.fight.system.facts(play.state)["talk"] == "attempted"


@pytest.mark.parametrize("phase", PHASES[1:])
def test_talk_belongs_to_meeting(phase: str) -> None:
    """SB-39"""
    play = table("ash", "orc").do("contact", who="ash", enemy="orc").start().to(phase)
    play.refused("SB-39", "talk", who="ash")
    play.do("talk", who="ash", force=True).got("Overridden", rule="SB-39")


@pytest.mark.parametrize(
    ("data", "passed"),
    [
        ({"passed": True}, True),
        ({"passed": False}, False),
        ({"needs": 12, "rolls": {"check": [12]}}, True),
        ({"needs": 12, "rolls": {"check": [13]}}, False),
    ],
)
def test_a_capability_of_speech_is_tried_and_recorded(data: dict[str, object], passed: bool) -> None:
    """SB-40, SB-27"""
    play = table().start().do("talk", who="ash", capability="oratory", **data)
    play.got("CheckResolved", who="ash", capability="oratory", passed=passed)


def test_a_capability_without_a_check() -> None:
    """SB-40: only if a check is wanted."""
    play = table().start().do("talk", who="ash", capability="oratory")
    play.got("TalkAttempted", capability="oratory")
    play.never("CheckResolved")


@pytest.mark.parametrize(("choice", "event"), [("granted", "ParleyGranted"), ("denied", "ParleyDenied")])
def test_an_offer_is_not_yet_talks(choice: str, event: str) -> None:
    """SB-41: the GM says whether there will be any, by the prompt, by a ruling on it or unasked."""
    play = table().start().do("talk", who="ash")
    prompt = play.prompt("talks")
    assert (prompt.rule, prompt.blocking) == ("SB-41", False)
    play.do("answer", prompt="talks", choice=choice).got(event)
    assert play.fight.system.facts(play.state)["talk"] == choice
    play.undo().do("rule", what="talks", value=choice).got(event)
    assert play.asks() == []
    play.undo().do("rule", what=choice).got(event)
    unasked = table().start().do("rule", what="talks", value=choice)
    unasked.got("RulingRecorded", rule="SB-41", choice=choice)
    unasked.got(event)


def test_no_answer_is_no_talks_yet() -> None:
    """SB-41: the question lapses when play moves on, and is asked again with the next offer, once at a time."""
    play = table().start().do("talk", who="ash").do("talk", who="bram")
    assert play.asks() == ["talks"]
    play.do("advance").got("RulingRecorded", rule="SB-41", choice="later", default_taken=True)
    assert play.fight.system.facts(play.state)["talk"] == "attempted"
    play.do("talk", who="orc")
    assert play.asks() == ["talks"]
    play.refused("SB-41", "answer", prompt="talks", choice="perhaps")


def test_granted_talks_are_not_asked_for_again() -> None:
    """SB-41: and the next Meeting starts afresh."""
    play = table().start().do("talk", who="ash").do("rule", what="granted").do("talk", who="bram")
    assert play.asks() == []
    play.next_moment()
    assert play.fight.system.facts(play.state)["talk"] == "none"
    play.do("talk", who="ash")
    assert play.asks() == ["talks"]


@pytest.mark.parametrize(
    ("value", "gained"), [("3 hexes", "3 hexes"), (2, "2"), (None, "time to move to better positions")]
)
def test_fast_talk_stalls(value: object, gained: str) -> None:
    """SB-44: the GM says how far; a text, a number, or nothing more."""
    play = table().start().do("talk", who="bram", fast_talk=True)
    assert play.asks() == ["talks", "stall"]
    assert play.prompt("stall").rule == "SB-44"
    play.do("rule", what="stall", value=value).got("StallUsed", who="bram", gained=gained)
    play.got("RulingRecorded", rule="SB-44", choice=gained)
    assert play.asks() == ["talks"]


def test_stalling_by_a_ruling() -> None:
    """SB-44: unasked, by whom or by nobody in particular."""
    play = table().start().do("rule", what="stall", who="ash", value="a Moment")
    play.got("StallUsed", who="ash", gained="a Moment")
    play.got("RulingRecorded", rule="SB-44")


def test_a_half_of_meeting_goes_on_until_all_have_spoken_or_waived() -> None:
    """SB-39, SB-06: one may speak more than once while it lasts."""
    play = table("ash", "bram", "orc").start()
    play.do("talk", who="ash").do("talk", who="ash").do("answer", prompt="talks", choice="later")
    assert play.half() == "meeting.party"
    play.do("waive", who="bram")
    assert play.half() == "meeting.foe"


def test_who_speaks_may_still_do_everything_else() -> None:
    """SB-39: talk is no strike and spends no beats."""
    play: Play = table().start().do("talk", who="ash").to("missile").do("shoot", who="ash", target="orc", hit=False)
    play.to("move").do("move", who="ash", hexes=14)


@pytest.mark.parametrize(("choice", "talk"), [("granted", "granted"), ("denied", "denied"), ("later", "attempted")])
def test_a_lone_speaker_does_not_close_meeting_before_the_gm_has_answered(choice: str, talk: str) -> None:
    """SB-08, SB-41: the half waits for the word on talks, then it closes by itself."""
    play = table("ash", "orc").start().do("talk", who="ash", note="parley!")
    assert play.half() == "meeting.party"
    play.do("answer", prompt="talks", choice=choice)
    assert (play.half(), play.fight.system.facts(play.state)["talk"]) == ("meeting.foe", talk)


def test_a_lone_staller_waits_for_what_is_gained() -> None:
    """SB-08, SB-44: for the talks and for the stalling; the next step takes both as proposed."""
    play = table("ash", "orc").start().do("talk", who="ash", fast_talk=True).do("answer", prompt="talks")
    assert play.half() == "meeting.party"
    play.undo().do("answer", prompt="stall", choice="3 hexes")
    assert play.half() == "meeting.party"
    play.undo().do("advance")
    assert (play.half(), play.asks()) == ("meeting.foe", [])


def test_the_last_speaker_of_the_foe_is_waited_for_too() -> None:
    """SB-08, SB-41"""
    play = table("ash", "orc").start().to("meeting", "foe").do("talk", who="orc")
    assert play.half() == "meeting.foe"
    assert play.do("answer", prompt="talks", choice="denied").half() == "missile.party"
