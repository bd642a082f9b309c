"""Slips of a script or a GM at Stage Moments: what cannot be meant is refused, with what would be accepted."""

from __future__ import annotations

import pytest

from .talking import begun, next_moment, on_to, table


def test_an_obstacle_has_a_height() -> None:
    """SB-73, SB-74."""
    talk = begun(table(), "move")
    talk.refused("SB-73", "vault", who="ash", height_ft=-1)
    talk.refused("SB-74", "clamber", who="ash", height_ft=0)


def test_contact_comes_on_the_way() -> None:
    """SB-47: not after more hexes than are walked."""
    talk = begun(table(), "move")
    talk.refused("meets_after", "move", who="ash", hexes=2, meets="orc", meets_after=5)
    talk.do("move", who="ash", hexes=2, meets="orc", meets_after=2).expect_combatant("ash", beats=12, halted_by="orc")


@pytest.mark.parametrize(
    ("what", "value"),
    [("posture", "flying"), ("cover", "lots"), ("cover_at_start", ""), ("strike", "laser"), ("posture", None)],
)
def test_what_is_put_right_by_hand_is_still_something(what: str, value: str | None) -> None:
    """The GM changes anything, to something that there is."""
    talk = begun(table())
    talk.refused("value", "adjust", who="ash", what=what, value=value)
    accepts = talk.say(do="adjust", who="ash", what=what, value=value)["refused"]["accepts"]  # type: ignore[index]
    for one in accepts:
        talk.do("adjust", who="ash", what=what, value=one).expect_combatant("ash", **{what: one})


def test_a_strike_given_back_by_hand_is_one_again() -> None:
    """SB-34: nothing and the word none are alike."""
    talk = begun(table(), "missile").do("shoot", who="ash", target="orc", hit=False)
    talk.do("adjust", who="ash", what="strike", value=None).expect_combatant("ash", strike="none")
    talk.do("shoot", who="ash", target="orc", hit=False)


def test_a_fact_of_the_fight_is_put_right_the_same_way() -> None:
    talk = table().do("ambush", by="foe").do("perception", passed=True).do("start").do("talk", who="ash")
    for what in ("talk", "lead_side", "ambush"):
        talk.refused("value", "adjust", what=what, value="perhaps")


def test_no_refusal_is_without_a_way_on() -> None:
    """A refusal says what would be accepted."""
    talk = begun(table(), "missile").do("shoot", who="ash", target="orc", hit=False)
    asked: list[dict[str, object]] = [
        {"do": "shoot", "who": "ash", "target": "orc", "hit": True},
        {"do": "shoot", "who": "bram", "target": "bram", "hit": True},
        {"do": "shoot", "who": "bram", "hit": True},
        {"do": "frob"},
        {"do": "move", "who": "ash", "hexes": 1},
        {"do": "waive", "who": "orc"},
    ]
    for one in asked:
        answer = talk.say(**one)
        assert answer["ok"] is False, one
        assert answer["refused"]["accepts"], answer  # type: ignore[index]


def test_a_half_put_back_and_then_ambushed_is_no_thirteenth() -> None:
    """SB-05, SB-13, Q-S30: twelve halves begin or are skipped in every Moment."""
    talk = begun(table()).do("rule", what="slow", value="moment")
    talk.do("ambush", by="foe").do("perception", passed=False)
    next_moment(talk)
    events = talk.ask("events")
    halves = [one for one in events if one["type"] in ("HalfBegan", "HalfSkipped") and one["stamp"]["round"] == 1]  # type: ignore[attr-defined]
    assert len(halves) == 12


def test_a_state_has_what_the_rules_speak_of() -> None:
    """Digest 2.1 and 2.2."""
    talk = begun(table(sheets={"ash": {"height_ft": 6, "reach_ft": 8}}))
    talk.expect_combatant("ash", height_ft=6, reach_ft=8, base_beats=14, armor_beat_loss=0, statuses=[])
    talk.do("status", who="ash", name="dazed", rounds=2)
    talk.expect_combatant("ash", statuses=[{"name": "dazed", "moments_left": 2, "note": ""}])
    state = on_to(talk, "move").do("rule", what="slow").state
    assert (state["hex_ft"], state["moment_seconds"], state["phase_labels"]) == (5, 60, "set1")
    assert state["lead_flip"] == "move"
    assert on_to(talk, "magic").state["lead_flip"] is None
    talk = table().do("ambush", by="foe")
    assert talk.state["ambush"] == {"by": "foe", "outcome": "pending", "free_moment": 0}


def test_the_protocol_explains_its_commands() -> None:
    """Names, fields and words of every command, or of one by any of its names."""
    talk = table()
    every = talk.ask("help")
    assert {"Move", "Vault", "Join"} <= set(every)  # type: ignore[call-overload]
    about = talk.ask("help", about="melee")
    assert list(about) == ["Strike"]  # type: ignore[call-overload]
    assert {"who", "target", "needs", "rolls"} <= set(about["Strike"]["fields"])  # type: ignore[index]
    assert {"shoot", "melee", "cast"} <= set(about["Strike"]["names"])  # type: ignore[index]
    no = talk.session.answer({"ask": "help", "about": "frob"})["refused"]
    assert "vault" in no["accepts"]  # type: ignore[index,operator,call-overload]
