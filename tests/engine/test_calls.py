"""What going on does now, in every system: the words come from the command that would be given."""

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.play.calls import step_words, why_not_now
from fightcall_engine.play.fight import Fight

ENCOUNTERS = (
    "ambush-at-the-ford",
    "surrounded-by-goblins",
    "the-last-tram",
    "the-withy-ford",
    "the-toll-bridge",
    "the-rooftops",
    "the-loading-dock",
    "high-noon",
)


def begun(name, seed="7"):
    return start_fight(load_encounter(name), id="x", seed=seed)


def called(fight, wanted, most=60):
    """Go on until the call is of a kind; returns it."""
    for _ in range(most):
        call = fight.next_call()
        if wanted(call):
            return call
        fight.do(call.command)
    raise AssertionError(f"not within {most} calls; at {fight.state.step}")


@pytest.mark.parametrize("name", ENCOUNTERS)
def test_words_and_deed_are_the_same_step_after_step(name):
    """Where it is said what comes then, that comes; nothing is done before the command is given."""
    fight = begun(name)
    for _ in range(40):
        before = fight.state
        call = fight.next_call()
        assert fight.state is before
        if call.command is None:
            break
        fight.do(call.command)
        _, _, then = call.words.rpartition("Next: ")
        if then.endswith("?"):
            assert any(prompt.question.startswith(then) for prompt in fight.state.prompts)
            assert "? " not in then, "what stands behind the question is read when it is asked"
        elif then.endswith("can still act"):
            assert fight.state.step.id == before.step.id
        elif ". Next: " in call.words:
            if fight.state.step is None:
                assert then.endswith(f"{fight.state.round} ends")
                continue
            assert then.endswith(step_words(fight.system, fight.state, fight.state.step))


@pytest.mark.parametrize("name", ENCOUNTERS)
def test_it_answers_or_advances_never_both(name):
    """An open question is answered, and it alone; the running step is closed only where nothing is asked."""
    fight = begun(name)
    for _ in range(40):
        asked, call = fight.state.asked_first, fight.next_call()
        if call.command is None:
            break
        assert call.command.type == ("Advance" if asked is None else "Answer")
        assert call.prompt == (asked.id if asked is not None else "")
        others = [prompt.id for prompt in fight.state.prompts if prompt.id != call.prompt and prompt.blocking]
        fight.do(call.command)
        assert all(fight.state.prompt(other) is not None for other in others)


def test_who_passes_is_said_and_who_has_acted_is_not():
    fight = begun("ambush-at-the-ford")
    fight.give("start")
    assert fight.next_call().words == "Ysolde, Brand and Paul pass. Next: Meeting, Foe"
    fight.give("waive", who="brand")
    assert fight.next_call().words == "Ysolde and Paul pass. Next: Meeting, Foe"
    fight.give("advance")
    assert fight.next_call().words == "Everyone passes. Next: Missile, Party"


def test_what_the_dice_show_is_not_told_before_they_fall():
    """Only that they are thrown, for what, and how many; a tie that only they bring is not given away."""
    fight = begun("the-withy-ford")
    fight.give("start")
    assert fight.next_call().words == "roll initiative (7 × d10)"
    fight.give("configure", setting="dice", value="table")
    assert fight.next_call().words.startswith("needs a roll: initiative")


def test_reserves_that_would_be_lost_are_named():
    """AP-25, AP-27: slots that nobody spends, and reserves as the round closes."""
    fight = begun("the-last-tram")
    assert called(fight, lambda call: call.loses).loses == "Odile Marchetti loses 6 slots to Hesitation"
    call = called(fight, lambda call: "Marsh" in call.loses)
    assert call.loses == "Slots lost: 4 by Marsh, 3 by Doctor Penhallow"


def test_all_who_keep_slots_are_named():
    """AP-17: also where more than two of a band do."""
    fight = begun("the-last-tram")
    fight.give("start")
    for who in ("odile-marchetti", "marsh", "doctor-penhallow"):
        fight.give("awareness", who=who, result=9)
    call = called(fight, lambda call: fight.state.round)
    assert call.does == "Slots kept in reserve: 6 by Odile Marchetti, 4 by Marsh, 3 by Doctor Penhallow"


def test_work_that_would_be_lost_is_named():
    """AP-36: slots, an action of several rounds for which nothing is paid this time."""
    fight = begun("the-last-tram")
    called(fight, lambda call: fight.state.round)
    fight.give("begin", who="marsh", ability="Open the sluice", needed=10)
    fight.give("endap", who="doctor-penhallow")
    while fight.state.round < 2 or fight.state.prompts:
        fight.do(fight.next_call().command)
    assert "Open the sluice" in called(fight, lambda call: call.loses).loses


def test_a_declared_attack_that_would_be_lost_is_named():
    """CS-092: segments, what nobody has settled."""
    sword = {"name": "sword", "size": 4, "weight_class": "Med", "av": 40, "effects": ["edge", "point"]}
    fight = Fight.new("segments", settings={"resolution": "linear"}, seed="7")
    fight.give("join", name="Ash", side="party", sheet={"weapons": [sword], "msta": 20, "str": 15})
    fight.give("join", name="Gob", side="foe", sheet={"weapons": [sword], "msta": 8, "pres": 6, "dodge": 5})
    fight.give("start")
    for place, who in enumerate(fight.state.combatants):
        fight.give("initiative", who=who, total=20 - place)
    fight.give("declare", who="ash", target="gob")
    call = called(fight, lambda call: call.loses)
    assert call.loses == "Ash loses the Action: strike Gob with sword"
    assert fight.state.asked_first is None, "whoever is told is not asked"
    fight.do(call.command)
    assert fight.state.combatants["ash"].record.action.outcome == "not carried out"
    assert fight.state.step.actor != "ash"


def test_a_question_that_proposes_nothing_waits_for_the_gm():
    fight = begun("ambush-at-the-ford")
    fight.give("ambush", by="foe")
    call = fight.next_call()
    assert call.command is None
    assert call.prompt == fight.state.asked_first.id


def test_an_act_out_of_its_phase_names_the_phase_it_belongs_to():
    """SB-06: nothing is silent."""
    fight = begun("ambush-at-the-ford")
    fight.give("start")
    said = why_not_now(fight.system, fight.state, "brand", ["move"])
    assert said == "move: only in Move; this is Meeting (order of the sides, SB-06)"
    assert why_not_now(fight.system, fight.state, "brand", ["dance"]) == ""
    assert why_not_now(fight.system, fight.state, "nobody", ["move"]) == ""


def test_an_act_before_its_step_of_a_turn_names_the_step():
    """ST-22: to strike, the turn is taken first."""
    fight = begun("surrounded-by-goblins")
    called(fight, lambda call: fight.state.round)
    actor = fight.state.step.actor
    said = why_not_now(fight.system, fight.state, actor, ["strike"])
    assert said.endswith("'s turn, in Acting; this is Offer (steps of a turn, ST-22)")


def test_where_nothing_can_be_done_the_words_are_the_reason_alone():
    fight = begun("ambush-at-the-ford")
    fight.give("start")
    fight.give("close")
    call = fight.next_call()
    assert (call.command, call.words) == (None, "the fight is over")


def test_before_the_first_round_an_act_names_its_step_whoever_throws_the_dice():
    """The steps of a round that has not begun are known all the same."""
    fight = begun("ambush-at-the-ford")
    said = why_not_now(fight.system, fight.state, "brand", ["move"])
    assert said == "move: only in Move; the fight hasn't started (order of the sides, SB-06)"
    fight = begun("surrounded-by-goblins")
    fight.give("configure", setting="dice", value="players")
    fight.give("start")
    said = why_not_now(fight.system, fight.state, "milli", ["strike"])
    assert said == "strike (longsword): only in Acting; this is Initiative (steps of a turn, ST-22)"


def test_in_initiative_an_act_names_the_phase_that_comes_of_it():
    """CS-080: found in play 22; the steps of a segment are known only when Initiative has fallen."""
    fight = begun("the-tiltyard")
    fight.give("start")
    assert [step.kind for step in fight.state.agenda.steps] == ["initiative"]
    for action in ("declare-strike", "move", "wait"):
        said = why_not_now(fight.system, fight.state, "cade", [action])
        assert said.endswith(": only in Declaration; this is Initiative (two phases a pass, CS-080)"), said


def test_an_act_in_somebody_elses_turn_names_ones_own():
    fight = begun("surrounded-by-goblins")
    called(fight, lambda call: fight.state.phase == "acting")
    assert fight.state.step.actor == "milli"
    said = why_not_now(fight.system, fight.state, "pau", ["strike"])
    assert said == "strike (staff): only in Pau's turn; this is Milli's turn (steps of a turn, ST-22)"


def test_a_rest_ends_no_round_and_a_new_scene_begins_without_a_number():
    fight = begun("surrounded-by-goblins")
    called(fight, lambda call: fight.state.round == 2)
    fight.give("closescene")
    assert fight.next_call().words.startswith("Initiative")
    fight.give("shortrest")
    assert fight.next_call().words == "The Short Rest is over"
