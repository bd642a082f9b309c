"""Moments, phases, halves and the clock (SB-04..10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.model.errors import BadInput

from .table import PHASES, Play, big_board, table


def halves(play: Play) -> list[tuple[str, str]]:
    """The halves of everything heard, begun or skipped, in order."""
    return [(one.phase, one.side) for one in play.heard if one.type in ("HalfBegan", "HalfSkipped")]


TWELVE = [(phase, side) for phase in PHASES for side in ("party", "foe")]


def test_a_moment_has_six_phases_in_order_party_first() -> None:
    """SB-05, SB-06: six phases, in each the lead side's half and then the other's, the party leading."""
    play = table().start().end_moment()
    assert halves(play) == TWELVE
    assert [one.phase for one in play.heard if one.type == "PhaseBegan"] == list(PHASES)
    assert [one.phase for one in play.heard if one.type == "PhaseEnded"] == list(PHASES)


def test_each_half_is_open_for_its_side_only() -> None:
    """SB-06: nobody acts in the other side's half, whichever side it is."""
    play = table().start()
    play.refused("SB-06", "talk", who="orc")
    play.to("missile", "foe").refused("SB-06", "shoot", who="ash", target="orc", hit=True, damage=1)
    play.to("move").refused("SB-06", "move", who="orc", hexes=1)
    play.to("move", "foe").refused("SB-06", "move", who="ash", hexes=1)
    play.to("magic").refused("SB-06", "cast", who="gob", note="hex")
    play.to("management", "foe").refused("SB-06", "business", who="col", name="drink")


def test_the_clock_moves_by_a_minute_for_each_moment_that_closes() -> None:
    """SB-04: 60 s when a Moment closes, none before."""
    play = table().start().to("management", "foe")
    assert play.state.clock_s == 0
    play.end_moment()
    assert play.state.clock_s == 60
    play.next_moment().end_moment()
    assert play.state.clock_s == 120


def test_the_span_of_a_moment_is_the_gms() -> None:
    """SB-04: the span is elastic; it may be set before the fight, in its midst, and the clock itself put right."""
    play = table("ash", "orc", settings={"moment_seconds": 45}).start().end_moment()
    assert play.state.clock_s == 45
    play.next_moment().do("configure", setting="moment_seconds", value=90).end_moment()
    assert play.state.clock_s == 135
    play.do("adjust", what="clock_s", value=600)
    assert play.state.clock_s == 600
    play.do("configure", setting="moment_seconds", value=0).next_moment().end_moment()
    assert play.state.clock_s == 600
    with pytest.raises(BadInput, match="moment_seconds"):
        play.do("configure", setting="moment_seconds", value="long")


def test_the_next_moment_opens_when_six_is_closed() -> None:
    """SB-07: Moment ends, next opens, counter + 1; nobody begins one in the midst of another."""
    play = table().start()
    play.refused("SB-07", "start")
    play.to("magic").refused("SB-07", "begin_moment")
    play.end_moment()
    assert (play.state.round, play.half()) == (1, "")
    play.do("start").got("MomentBegan", number=2)
    assert play.half() == "meeting.party"
    assert play.asks() == []


def test_nobody_there_no_moment() -> None:
    """SB-05: a Moment needs somebody."""
    from fightcall_engine.play.fight import Fight

    play = Play(Fight.new("stage"))
    play.refused("SB-05", "start")


@pytest.mark.parametrize("phase", PHASES)
def test_a_phase_is_left_only_when_both_sides_had_their_opportunity(phase: str) -> None:
    """SB-08: next_phase waits for both sides; waiving is having had it."""
    play = table("ash", "orc")
    play.do("contact", who="ash", enemy="orc").start().to(phase)
    said = play.refused("SB-08", "next_phase")
    assert "Ash" in said.message
    assert "Orc" in said.message
    play.do("waive", who="ash")
    assert play.half() == f"{phase}.foe"
    assert "Ash" not in play.refused("SB-08", "next_phase").message
    play.do("waive", who="orc")
    assert play.half() != f"{phase}.foe"


@pytest.mark.parametrize("phase", PHASES[:-1])
def test_the_gm_may_go_on_at_once(phase: str) -> None:
    """SB-08: forced, the next phase opens, the other's half is passed through, and the override is on record."""
    play = table("ash", "orc")
    play.do("contact", who="ash", enemy="orc").start().to(phase)
    play.do("next_phase", force=True)
    assert play.half() == f"{PHASES[PHASES.index(phase) + 1]}.party"
    play.got("Overridden", rule="SB-08", command="NextPhase")
    play.got("HalfEnded", side="party", reason="gm")
    play.got("HalfEnded", side="foe", reason="gm")
    play.got("PhaseEnded", phase=phase, cause="gm")


def test_next_phase_waits_for_an_open_question_first() -> None:
    """SB-08, SB-15: what it then names as a way on is one."""
    play = table().start().do("ambush", by="foe")
    assert play.refused("SB-15", "next_phase").accepts == ("foiled", "failed")
    play.do("answer", prompt="perception", choice="foiled").refused("SB-08", "next_phase")
    play.do("next_half")


def test_next_phase_goes_one_phase_even_where_the_next_passes_by_itself() -> None:
    """SB-08: from Move with nobody in contact, Melee passes and Magic opens; nothing runs on from there."""
    play = table("ash", "orc", board=big_board()).start().to("move")
    play.do("next_phase", force=True)
    assert play.half() == "magic.party"
    play.do("waive", who="ash")
    assert play.half() == "magic.foe"


def test_next_phase_from_the_last_ends_the_moment() -> None:
    """SB-08: after Management the Moment ends, both halves closed."""
    play = table().start().to("management")
    play.do("next_phase", force=True)
    assert play.half() == ""
    assert play.asks() == ["continue"]
    play.do("next_phase")
    assert (play.state.round, play.half()) == (2, "meeting.party")


def test_a_goal_that_passes_by_itself_is_not_carried_into_the_next_moment() -> None:
    """SB-10: on to Administration, though all have struck: the Moment ends there and the next one starts as ever."""
    play = table("ash", "orc").start().to("missile")
    play.do("shoot", who="ash", target="orc", hit=False)
    play.do("shoot", who="orc", target="ash", hit=False)
    play.do("next_half", until="Administration")
    assert (play.half(), play.asks()) == ("", ["continue"])
    play.do("advance")
    assert play.half() == "meeting.party"
    assert play.state.round == 2


def test_the_gm_may_close_a_half_early() -> None:
    """SB-06, SB-08: advance and next_half close the running half by the GM's word, and the other side's opens."""
    play = table().start().to("missile")
    play.do("advance").got("HalfEnded", side="party", reason="gm")
    assert play.half() == "missile.foe"
    play.do("next_half").got("HalfEnded", side="foe", reason="gm")
    assert play.half() == "move.party"


def test_a_half_closes_when_all_have_acted_or_waived() -> None:
    """SB-06: the last of the side to act or waive closes it; the downed are not waited for."""
    play = table("ash", "bram", "orc").start().to("missile")
    play.do("shoot", who="ash", target="orc", hit=False)
    assert play.half() == "missile.party"
    play.do("waive", who="bram")
    assert play.half() == "missile.foe"
    play.to("magic").do("adjust", who="ash", what="able", value=False)
    assert play.half() == "magic.party"
    play.do("cast", who="bram", note="light")
    assert play.half() == "magic.foe"


def test_a_half_closes_when_its_last_figure_goes_down_or_leaves() -> None:
    """SB-06: a half with nobody able is passed."""
    play = table("ash", "bram", "orc").start().to("move")
    play.do("waive", who="bram")
    play.do("adjust", who="ash", what="able", value=False)
    assert play.half() == "move.foe"
    play.do("leave", who="orc", reason="fled")
    assert play.half() == "magic.party"


def test_waiving_is_for_ones_own_half() -> None:
    """SB-06, SB-08: a figure waives in its side's half, and only while one runs."""
    play = table()
    play.refused("SB-08", "waive", side="party")
    play.start().refused("SB-06", "waive", who="orc")
    play.refused("SB-06", "waive", side="foe")
    play.do("waive", who="orc", force=True).got("Overridden", rule="SB-06")


def test_waiving_is_done_once_and_by_the_able() -> None:
    """SB-08: what has been waived stays waived; a whole side waives what is left."""
    play = table().start().do("waive", who="ash")
    play.refused("SB-08", "waive", who="ash")
    play.do("adjust", who="bram", what="able", value=False).refused("SB-37", "waive", who="bram")
    play.do("waive", side="party")
    assert [one.who for one in play.all("Waived")] == ["col"]
    assert play.half() == "meeting.foe"


def test_only_the_gm_ends_the_scene() -> None:
    """SB-09: after each Moment the GM is asked; going on is the default, and curtain may come at any time."""
    play = table().start().end_moment()
    prompt = play.prompt("continue")
    assert (prompt.rule, prompt.default, prompt.blocking) == ("SB-09", "go_on", True)
    play.do("answer", prompt="continue", choice="close").got("SceneEnded")
    assert play.state.status == "closed"
    assert play.asks() == []
    play.refused("closed", "advance")
    play.undo().do("advance").got("RulingRecorded", rule="SB-09", choice="go_on", default_taken=True)
    assert play.state.round == 2
    play.to("move").do("close", reason="the roof falls in").got("SceneEnded", reason="the roof falls in")


def test_a_scene_that_has_not_begun_cannot_end() -> None:
    """SB-09"""
    table("ash").refused("SB-09", "close")


def test_time_keeps_running_after_the_fighting() -> None:
    """SB-09: with all foes down their halves pass and Moments go on counting."""
    play = table("ash", "orc").start()
    play.do("adjust", who="orc", what="able", value=False)
    for number in (1, 2, 3):
        play.end_moment()
        assert (play.state.round, play.state.clock_s) == (number, 60 * number)
        assert "One side is down" in play.prompt("continue").question
        play.do("advance")
    skipped = [one.reason for one in play.heard if one.type == "HalfSkipped" and one.side == "foe"]
    assert set(skipped) == {"no one able to act"}


def test_a_moment_in_which_nobody_is_able_passes_to_its_end() -> None:
    """SB-09: both sides down: twelve halves pass and the GM is asked."""
    play = table("ash", "orc")
    for who in ("ash", "orc"):
        play.do("adjust", who=who, what="able", value=False)
    play.start()
    assert halves(play) == TWELVE
    assert play.asks() == ["continue"]


@pytest.mark.parametrize("labels", ["set1", "set2"])
@pytest.mark.parametrize(
    ("name", "phase"),
    [
        ("Management", "management"),
        ("ADMINISTRATION", "management"),
        (" administration ", "management"),
        ("Magic", "magic"),
        ("missile", "missile"),
    ],
)
def test_both_sets_of_phase_names_are_understood(labels: str, name: str, phase: str) -> None:
    """SB-10: whatever the labels shown, a phase may be called by either of its names; the ids never change."""
    play = table("ash", "orc", settings={"phase_labels": labels}).start()
    play.do("next_half", until=name)
    assert play.half() == f"{phase}.party"


@pytest.mark.parametrize("name", ["Contact", "Meeting", "Parley", "lunch", "melée"])
def test_only_a_phase_still_to_come_can_be_gone_to(name: str) -> None:
    """SB-10: the running phase, an earlier one or none at all is refused, with those that would do."""
    play = table("ash", "orc").start()
    said = play.refused("SB-10", "next_half", until=name)
    assert "management" in said.accepts
    assert "meeting" not in said.accepts
    play.to("move").refused("SB-10", "next_phase", until="missile", force=True)


def test_the_labels_shown_follow_the_setting() -> None:
    """SB-10: Meeting and Management, or Contact and Administration."""
    system = table("ash").fight.system
    assert list(system.words({"phase_labels": "set1"}).phases.values()) == [
        "Meeting", "Missile", "Move", "Melee", "Magic", "Management",
    ]  # fmt: skip
    assert list(system.words({"phase_labels": "set2"}).phases.values()) == [
        "Contact", "Missile", "Move", "Melee", "Magic", "Administration",
    ]  # fmt: skip
    assert tuple(system.words({"phase_labels": "set2"}).phases) == PHASES


def test_a_newcomer_acts_from_the_running_half_on() -> None:
    """SB-06, SB-28: who joins in mid-Moment has beats and a strike, and is waited for if its side's half runs."""
    play = table("ash", "orc").start().to("move")
    play.do("move", who="ash", hexes=14)
    assert play.half() == "move.foe"
    play.do("join", name="Dov", id="dov", side="foe")
    play.do("waive", who="orc")
    assert play.half() == "move.foe"
    play.do("move", who="dov", hexes=14)
    assert play.half() == "melee.party"
    play.to("magic").do("join", name="Eve", id="eve", side="party")
    play.do("waive", who="ash")
    assert play.half() == "magic.party"
    play.do("cast", who="eve", note="light")
    assert play.half() == "magic.foe"


ACTS = st.lists(
    st.sampled_from(
        ["advance", "waive", "down orc", "down ash", "up orc", "up ash", "leave gob", "slow", "ambush foe"]
    ),
    max_size=40,
)


@given(ACTS)
def test_every_moment_has_its_twelve_halves_whatever_happens(acts: list[str]) -> None:
    """SB-05, SB-06: each closed Moment heard of twelve halves, phases in order; the clock counts the Moments."""
    play = table("ash", "bram", "orc", "gob").start()
    for act in acts:
        word, _, who = act.partition(" ")
        if word == "waive":
            data: dict[str, object] = {"side": play.state.step.side} if play.state.step else {}
            name = "waive" if data else "advance"
        elif word in ("down", "up"):
            name, data = "adjust", {"who": who, "what": "able", "value": word == "up"}
        elif word == "leave":
            name, data = ("leave", {"who": who}) if who in play.state.combatants else ("advance", {})
        elif word == "slow":
            name, data = "rule", {"what": "slow", "value": "cancel"}
        elif word == "ambush":
            name, data = "advance", {}
            if play.half() == "" and not play.state.prompt("perception"):
                play.do("ambush", by=who, force=True).do("perception", passed=False)
        else:
            name, data = "advance", {}
        play.do(name, **data)
    play.end_moment()
    heard: list[tuple[str, str]] = []
    moments = 0
    for one in play.heard:
        if one.type == "MomentBegan":
            heard = []
        elif one.type in ("HalfBegan", "HalfSkipped"):
            heard.append((one.phase, one.side))
        elif one.type == "MomentEnded":
            moments += 1
            assert len(heard) == 12
            assert [phase for phase, _ in heard[::2]] == list(PHASES)
            assert all(
                first[0] == second[0] and first[1] != second[1]
                for first, second in zip(heard[::2], heard[1::2], strict=True)
            )
    assert play.state.clock_s == 60 * moments == 60 * play.state.round


def test_beats_are_refilled_for_the_fallen_too() -> None:
    """SB-30: felled in Moment 1 with beats spent, healed in Moment 2, he moves in it as far as anybody."""
    play = table("ash", "bram", "orc", sheets={"ash": {"hp": 5}}).start().to("move").do("move", who="ash", hexes=9)
    play.do("damage", who="ash", amount=5).end_moment().do("advance")
    play.got("BeatsRefilled", who="ash", before=5, left=14)
    play.do("heal", who="ash", amount=3).to("move").do("move", who="ash", hexes=14)
    assert play.beats("ash") == 0


def test_who_comes_round_in_the_same_moment_has_what_was_left() -> None:
    """SB-30: beats are refilled at the start of a Moment and at no other time."""
    play = table("ash", "orc", sheets={"ash": {"hp": 5}}).start().to("move").do("move", who="ash", hexes=9)
    play.do("damage", who="ash", amount=5).do("heal", who="ash", amount=1)
    assert play.beats("ash") == 5
