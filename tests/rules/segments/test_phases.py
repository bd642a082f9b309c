"""Declaration and Resolution: turns, commitment, secrecy, passes, movement, and who goes down (CS-080..111)."""

from __future__ import annotations

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.story import player_view, public_events

from .table import SWORD, Play, table


def two(**settings):
    return table(settings=settings, a={}, b={"side": "foe"}).begin(a=12, b=9)


def kinds(play):
    return [step.kind for step in play.state.agenda.steps]


def test_cs_080_cs_081_each_pass_declares_from_the_top_and_then_resolves():
    """CS-080, CS-081."""
    play = two()
    assert kinds(play) == ["initiative", "declare", "declare", "waits", "resolve", "resolve", "close"]
    assert play.state.step.actor == "a"
    play.do("declare", who="a", text="shout").do("advance")
    assert (play.state.phase, play.state.step.actor) == ("declare", "b")
    play.do("declare", who="b", text="listen").do("advance")
    assert (play.state.phase, play.state.step.actor) == ("resolve", "a")


def test_cs_072_who_creates_the_surprise_declares_first():
    """CS-072."""
    play = table(a={}, b={"side": "foe"}, c={}).do("start")
    play.do("rule", what="first", who="c")
    play.begin(a=12, b=9, c=5)
    assert [step.actor for step in play.state.agenda.steps if step.kind == "declare"] == ["c", "a", "b"]
    assert [step.actor for step in play.state.agenda.steps if step.kind == "resolve"] == ["a", "b", "c"]


def test_cs_082_cs_083_an_intention_is_announced_and_nothing_is_rolled():
    """CS-082, CS-083."""
    play = two().do("declare", who="a", text="climb the wall", qa=12)
    assert play.names() == ["Declared"]
    assert play.see("a")["declared"]["start_cs"] == 1
    assert play.see("a")["declared"]["state"] == "draft"


def test_cs_082_none_is_a_wait():
    """CS-082."""
    play = two().do("advance")
    assert play.got("Waited").who == "a"
    assert play.state.step.actor == "b"


def test_cs_084_a_draft_can_be_changed_and_what_is_committed_only_given_up():
    """CS-084."""
    play = two().do("declare", who="a", text="shout").do("declare", who="a", text="whisper")
    assert play.see("a")["declared"]["text"] == "whisper"
    play.do("confirm", who="a")
    play.refused("CS-084", "declare", who="a", text="shout")
    play.refused("CS-084", "confirm", who="a")
    play.do("abort", who="a")
    assert play.see("a")["declared"]["state"] == "aborted"


def test_cs_084_to_go_on_is_to_confirm():
    """CS-084."""
    play = two().do("declare", who="a", text="shout").do("advance")
    play.got("Confirmed", who="a")
    assert play.state.step.actor == "b"


def test_cs_085_cs_087_cs_088_g_26_public_by_default_and_a_secret_shows_nothing():
    """CS-085, CS-087, CS-088, G-26."""
    play = two().do("declare", who="a", text="shout")
    assert play.got("Declared").visibility == "public"
    before = play.state
    play.do("declare", who="a", text="cantrip", secret=True)
    told = play.got("Declared")
    assert (told.visibility, told.shown) == ("secret", "appears to do nothing")
    seen = play.fight.system.declarations(play.state)[0]
    assert (seen.words, seen.public) == ("cantrip", "appears to do nothing")
    shown = repr(player_view(play.state, play.fight.system)) + repr(public_events((told,), before))
    assert "cantrip" not in shown
    assert "appears to do nothing" in shown


def test_cs_088_a_secret_stays_one_when_it_is_over_and_another_action_follows():
    """CS-088."""
    play = table(a={"roa": "2"}, b={"side": "foe"}).begin()
    play.do("declare", who="a", text="cantrip", secret=True).to("declare", "b").do("declare", who="b", text="shout")
    play.to("resolve", "a").do("resolve", who="a", outcome="a\tspell").to("declare", "a")
    play.do("declare", who="a", text="run away")
    earlier, now = [one for one in play.fight.system.declarations(play.state) if one.who == "a"]
    assert (earlier.words, earlier.public, earlier.done) == ("cantrip", "appears to do nothing", "a spell")
    assert (now.words, now.public) == ("run away", "")
    assert "cantrip" not in repr(player_view(play.state, play.fight.system))


def test_cs_089_the_physical_half_of_a_secret_is_seen():
    """CS-089."""
    play = two().do("declare", who="a", text="cantrip while drawing", secret=True, public="draws a knife")
    assert play.got("Declared").shown == "draws a knife"


def test_cs_090_cs_091_movement_follows_ones_own_declaration_at_once():
    """CS-090, CS-091."""
    play = two()
    play.refused("CS-091", "move", who="b", feet=10)
    play.do("declare", who="a", text="run").do("move", who="a", feet=100)
    assert play.names() == ["Confirmed", "SegmentMoved", "Footed"]
    assert play.see("a")["feet_left"] == 76
    play.do("move", who="a", feet=76)
    no = play.refused("CS-097", "move", who="a", feet=1)
    assert no.accepts == ("at most 0 ft",)


def test_cs_092_resolution_is_in_roster_order_and_each_is_settled_at_once():
    """CS-092."""
    play = two()
    for who in "ab":
        play.do("declare", who=who, text="act").do("advance")
    assert play.state.step.actor == "a"
    play.do("advance")
    play.got("Resolved", who="a")
    assert play.see("a")["slots_left"] == 0
    assert play.state.step.actor == "b"


def test_cs_093_cs_102_g_08_a_slow_combatant_is_at_work_until_it_is_due():
    """CS-093, CS-102, G-08."""
    play = table(a={"roa": "1/2"}, b={"side": "foe"}).begin(a=12, b=9)
    play.to("declare", "a").do("declare", who="a", text="aim")
    assert play.see("a")["declared"]["due"] == "CS 2"
    play.do("advance")
    assert "a" not in [step.actor for step in play.state.agenda.steps if step.kind == "resolve"]
    while play.state.round == 1:
        play.do("advance")
    progress = play.got("ActionProgressed", who="a")
    assert (progress.done, progress.need) == (2, 4)
    play.begin(a=12, b=9)
    assert play.state.step.actor == "b", "a is at work and declares nothing"
    play.to("resolve", "a").do("advance")
    play.got("Resolved", who="a")


def test_cs_095_cs_096_second_and_third_passes():
    """CS-095, CS-096."""
    play = table(a={"roa": "3"}, b={"side": "foe", "roa": "2"}, c={}).begin(a=5, b=9, c=12)
    for number, people in ((1, "abc"), (2, "ab"), (3, "a")):
        for who in people:
            assert (play.state.step.id, play.see(who)["slots_left"]) == (
                f"declare.{number}.{who}",
                play.see(who)["slots"] - number + 1,
            )
            play.do("declare", who=who, text=f"act {number}").do("advance")
        for who in people:
            assert play.state.step.id == f"resolve.{number}.{who}"
            play.do("advance")
            play.got("Resolved", who=who)
    assert play.state.round == 2


def test_cs_097_one_budget_of_movement_for_all_passes():
    """CS-097."""
    play = table(a={"roa": "2"}, b={"side": "foe"}).begin()
    play.do("declare", who="a", text="run").do("move", who="a", feet=100).to("declare", "a")
    while play.state.step.id != "declare.2.a":
        play.do("advance")
    play.do("declare", who="a", text="run on")
    play.refused("CS-097", "move", who="a", feet=77)
    play.do("move", who="a", feet=76)


def test_cs_098_an_extra_action_that_is_not_used_lapses_with_its_pass():
    """CS-098."""
    play = table(a={"roa": "2"}, b={"side": "foe"}).begin()
    play.do("declare", who="a", text="act").to("resolve", "a").do("advance")
    while play.state.round == 1:
        play.do("advance")
    assert [one.purpose for one in play.heard if one.type == "SlotUsed" and one.who == "a"] == ["act", "not used"]
    assert [one.number for one in play.all("PassEnded")] == [2]


def test_cs_099_new_initiative_and_again():
    """CS-099."""
    play = two()
    while play.state.round == 1:
        play.do("advance")
    assert play.state.phase == "initiative"
    play.do("advance")
    assert play.state.phase == "declare"


def test_cs_099_what_is_taken_back_over_the_end_of_a_segment_stands_as_it_was():
    """CS-031, CS-099: uses, the offered Reprisal, movement and the old roster."""
    cast = {"a": {"weapons": [SWORD]}, "b": {"side": "foe", "weapons": [SWORD]}}
    play = table(**cast).begin(a=12, b=9).do("declare", who="a", target="b").do("move", who="a", feet=30)
    play.to("resolve", "a").do("resolve", who="a", chance=50, rolls={"check": [99]})
    before, entries = play.state, play.fight.line.entry_count()
    play.do("reprise", who="b", choice="decline").to("initiative").begin(a=3, b=4).do("declare", who="b", target="a")
    assert play.state.round == 2
    assert play.undo(play.fight.line.entry_count() - entries).state == before
    assert play.offers() == ["reprisal"]


def test_cs_101_the_gm_ends_the_contest():
    """CS-101."""
    play = two().do("close", reason="the goal is reached")
    assert play.got("FightClosed").reason == "the goal is reached"
    assert play.state.status == "closed"


def test_cs_104_a_rise_costs_no_distance():
    """CS-104."""
    play = table(a={"posture": "prone"}, b={"side": "foe"}).begin()
    play.do("declare", who="a", text="up and run").do("posture", who="a", posture="standing")
    assert play.see("a")["feet_left"] == 176
    assert play.see("a")["posture"] == "standing"
    play.refused("CS-104", "posture", who="a", posture="floating")


def test_cs_111_a_61_who_goes_down_gives_up_what_was_meant_and_the_attackers_are_asked():
    """CS-111, A-61."""
    play = table(a={"roa": "2"}, b={"side": "foe", "weapons": [{"name": "axe", "av": 30}]}, c={"side": "foe"})
    play.begin(a=12, b=9, c=3)
    play.do("declare", who="a", text="pick the lock", qa=8).do("advance")
    play.do("declare", who="b", target="a").do("advance")
    play.do("life", who="a", life="unconscious")
    play.got("ActionAborted", who="a")
    assert play.see("a")["slots_left"] == 0
    assert play.offers() == ["lost_target"]
    assert play.prompt("lost_target").who == "b"
    play.do("answer", prompt="lost_target", choice="abort")
    play.got("ActionAborted", who="b")
    play.do("adjust", who="a", what="able", value=True)
    assert play.see("a")["life"] == "up"


@pytest.mark.parametrize("choice", ["keep", "abort"])
def test_cs_111_who_leaves_is_nobodys_target(choice):
    """CS-111: a charge goes on without the one it was meant for, or is given up; the segment comes to its end."""
    fight = start_fight(load_encounter("the-tiltyard"), id="fight", seed="7")
    play = Play(fight)
    play.do("start").do("advance")
    play.do("declare", who="aldous-bray", action="charge", target="oskar-the-axe", force=True)
    play.do("leave", who="oskar-the-axe")
    assert play.one("aldous-bray").record.action.targets == ()
    play.do("answer", prompt="lost_target", choice=choice)
    for _ in range(60):
        if play.state.round == 2:
            break
        play.do("advance")
    assert play.state.round == 2


@pytest.mark.parametrize("life", ["unconscious", "collapsed", "dead"])
def test_cs_111_waits_are_closed(life):
    """CS-111."""
    play = two().do("wait", who="a").do("life", who="a", life=life)
    assert play.see("a")["waiting"] is False
    assert not play.one("a").able
    play.refused("CS-111", "declare", who="a", text="shout")


def test_cs_087_a_secret_is_an_option_and_shows_what_the_others_see():
    """CS-087 to CS-089: the GM need not type the command for it."""
    play = two()
    option = play.option("a", "declare-secret")
    assert (option.key, option.rule, [one.name for one in option.inputs]) == ("S", "CS-087", ["text", "public"])
    play.do(option.command, who="a", **option.fixed, text="whisper a cantrip")
    told = play.got("Declared")
    assert (told.visibility, told.shown) == ("secret", "appears to do nothing")


def test_a_charge_is_an_option_of_who_declares():
    """CS-539: a Charge is an attack with the legs under way."""
    play = two()
    option = play.option("a", "declare-charge")
    play.do(option.command, who="a", **option.fixed, target="b")
    assert play.see("a")["declared"]["action"] == "charge"


@pytest.mark.parametrize(
    "physical",
    [{"parts": ["R"]}, {"components": ["rummage:1"]}, {"action": "strike", "target": "orc"}, {"action": "move"}],
)
def test_cs_089_what_can_be_seen_is_said_out_loud(physical: dict[str, object]) -> None:
    """CS-087, CS-089: only what has no tell-tale is wholly secret; the GM may say that a ruse hides it (CS-085)."""
    play = table(None, None, ash={"weapons": [SWORD]}, orc={"side": "foe"}).begin()
    given: dict[str, object] = {"who": "ash", "text": "cantrip", "secret": True, **physical}
    assert play.refused("CS-089", "declare", **given).accepts == ("public",)
    assert play.do("declare", **given, public="walks up").got("Declared").shown == "walks up"  # type: ignore[attr-defined]
    assert play.do("declare", **given, force=True).got("Overridden", rule="CS-089")


def test_cs_087_a_long_casting_is_secret_and_binds_no_hand() -> None:
    """CS-087, CS-088, CS-141."""
    play = table(None, None, ash={}, orc={"side": "foe"}).begin()
    play.do("declare", who="ash", text="cantrip", segments=3, secret=True).do("confirm", who="ash")
    assert play.see("ash")["committed"] == []
    assert play.see("ash")["declared"]["public"] == "appears to do nothing"  # type: ignore[index]


def charging(*attackers):
    """Some who strike at the same foe, whose attack is still to come."""
    people = {who: {"weapons": [{"name": "axe", "av": 30}]} for who in attackers}
    play = table(foe={"side": "foe"}, other={"side": "foe"}, **people).begin(
        foe=1, other=2, **{who: 20 - place for place, who in enumerate(attackers)}
    )
    for who in attackers:
        play.do("declare", who=who, target="foe").do("advance")
    return play.do("life", who="foe", life="unconscious")


def test_cs_111_one_answer_keeps_the_attacks_of_all_who_have_lost_the_same_target():
    """CS-111: each is named, and each can still give theirs up."""
    play = charging("a", "b", "c")
    assert play.offers() == ["lost_target"] * 3
    asked = play.prompt("lost_target")
    assert asked.question == "A, B and C: their target Foe is down. Does A abort?"
    assert [choice.label for choice in asked.choices] == [
        "all keep it, choose targets when due", "A aborts",
    ]  # fmt: skip
    play.do("answer", prompt=asked.id, choice="keep")
    assert play.offers() == []
    assert all(play.one(who).record.action.is_open for who in "abc")


def test_cs_111_one_of_several_gives_up_and_the_others_are_asked_still():
    play = charging("a", "b", "c")
    play.do("answer", prompt=play.prompt("lost_target").id, choice="abort")
    assert not play.one("a").record.action.is_open
    assert [prompt.who for prompt in play.state.prompts] == ["b", "c"]


def test_the_next_segment_begins_when_somebody_can_act_again():
    """CS-101: whether the contest is over is asked only as long as nobody can act."""
    play = two()
    for who in "ab":
        play.do("adjust", who=who, what="able", value=False)
    assert play.asks() == ["stalled"]
    play.do("adjust", who="a", what="able", value=True)
    assert not play.asks()
    assert (play.state.round, play.state.phase) == (2, "initiative")
