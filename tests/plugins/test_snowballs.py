"""A rule system that the kit has to stretch for: acts aimed at places, harm counted upward, questions in the middle."""

import sys
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from fightcall.flows import toolbox
from fightcall.paint.happening import sentence
from fightcall.paint.roster import roster_rows
from fightcall.paint.runs import UNICODE, row_text
from fightcall_engine import kit
from fightcall_engine.archive.chronicle import chronicle
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.headless import Session
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.errors import Refused, SystemFault
from fightcall_engine.model.events import DamageApplied, Recorded
from fightcall_engine.play.amendments import compare_states
from fightcall_engine.play.chart import gm_frame, kind_of, player_frame
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import player_view, public_lines
from fightcall_engine.testkit.machine import FightMachine
from fightcall_engine.testkit.perft import perft
from fightcall_engine.testkit.plays import Plays
from protocol_schema import check_reply

PLAYS = Plays(Path(__file__).parent / "snowballs")


@pytest.fixture
def fight(snowballs):
    """Ada against Bert and Cleo, who stand side by side."""
    running = start_fight(load_encounter("the-playground"), seed="3", id="fight")
    running.give("start")
    return running


def said(fight, entry):
    """What the log says of an entry."""
    phrases = [phrase(fight.system, event, fight.state) for event in entry.events]
    return [each.text.strip() for each in phrases if each is not None]


def test_a_ball_wets_everybody_near_who_does_not_duck(fight):
    entry = fight.give("throw", who="ada", at="E2")
    assert entry.events[0].at == fight.state.board.parse("E2")
    fight.give("answer", rolls={"duck": [3]})
    fight.give("answer", rolls={"duck": [4]})
    assert [fight.state.combatants[who].pool("wet").now for who in ("ada", "bert", "cleo")] == [3, 2, 3]
    assert fight.state.step.side == "foe"


def test_the_next_is_asked_when_the_one_who_is_asked_leaves(fight):
    """SN-02; put right 6: a chain of questions goes on without the leaver."""
    fight.give("throw", who="ada", at="E2")
    first = fight.state.prompts[0]
    assert first.who == "bert"
    fight.give("leave", who="bert")
    (asked,) = fight.state.prompts
    assert (asked.who, asked.side, asked.question) == ("cleo", first.side, "Cleo ducks")
    fight.give("answer", rolls={"duck": [3]})
    assert fight.state.combatants["cleo"].pool("wet").now == 2
    assert fight.state.prompts == ()
    fight.undo()
    fight.give("leave", who="cleo")
    assert fight.state.prompts == ()


def test_a_place_is_called_by_its_name(fight):
    before = fight.state
    entry = fight.give("throw", who="ada", at="E2")
    assert said(fight, entry)[0] == "Ada throws a ball at E2"
    seen = [words.text for _, words in public_lines(entry.events, before) if words.text]
    assert seen == ["Ada throws a ball at E2"], "and so players hear it"


def test_harm_is_counted_upward_where_the_game_does_so(fight):
    assert said(fight, fight.give("damage", who="bert", amount=2)) == ["Bert takes 2 damage (2/3 wet)"]
    card = fight.system.card(fight.state, "bert")
    assert (card.track.taken, card.track.levels, card.track.name) == (2, (("wet", 3),), "wet")
    assert fight.system.words({}).pool("wet") == "wet left"
    assert said(fight, fight.give("heal", who="bert", amount=1)) == ["Bert heals 1 (1/3 wet)"]
    fight.give("damage", who="bert", amount=2)
    assert not fight.state.combatants["bert"].able


def test_the_bar_names_whoever_is_harmed_once(fight):
    module = sys.modules["fightcall_snowballs"]
    events = (
        module.Thrown(who="ada", at=fight.state.board.parse("E2")),
        module.Ducked(who="bert", die=2, is_dry=False),
        DamageApplied(who="bert", pool="wet", before=3, left=2, max=3, amount=1),
    )
    said = sentence(fight.system, fight.state, events).text
    assert said == "Ada throws a ball at E2: Bert takes 1 damage (1/3 wet); 2, needed 4 or more"


def test_what_somebody_does_is_in_their_lane_though_they_may_act_again():
    class Thrown(Recorded):
        DEED = True

    assert kind_of(Thrown()) == "acts"


def test_a_question_that_nothing_answers_is_a_fault_of_the_system(snowballs, monkeypatch):
    find_system("snowballs")

    def offer_to_duck(self, decision, child_id, thrower_id):
        child = decision.state.combatants[child_id]
        decision.offer(kit.prompt_for(child, kind="duck", question="?", rule="SN-02", choices=kit.choices("roll")))

    monkeypatch.setattr(sys.modules["fightcall_snowballs"].Snowballs, "duck", offer_to_duck)
    fight = start_fight(load_encounter("the-playground"), seed="3", id="fight")
    fight.give("start")
    before = fight.state
    with pytest.raises(SystemFault, match="asks a question of the kind 'duck', which nothing of it answers"):
        fight.give("throw", who="ada", at="E2")
    assert fight.state is before


def test_an_answer_without_a_question_is_told_so(fight):
    with pytest.raises(Refused, match="no question is open"):
        fight.give("answer", choice="roll")


def wet_bert(fight):
    """Ada's ball wets Bert, and the party gains a spirit (SN-05)."""
    fight.give("throw", who="ada", at="E2")
    fight.give("answer", rolls={"duck": [3]})
    fight.give("answer", rolls={"duck": [4]})


def spirits(fight):
    return {path: (pool.now, pool.max) for path, pool in fight.state.side_pool_paths.items()}


def test_a_side_shares_a_pool_that_is_gained_and_spent_within_its_bounds(fight):
    assert spirits(fight) == {"party.spirit": (0, 3), "foe.spirit": (1, 3)}
    decision = kit.Decision(fight.state)
    decision.gain_for_side("party", 2, "spirit", "ada", "a hit")
    decision.gain_for_side("party", 2, "spirit")
    decision.gain_for_side("party", 2, "spirit")
    decision.spend_for_side("foe", 5, "spirit", "bert")
    assert [(event.side, event.before, event.left) for event in decision.events] == [
        ("party", 0, 2), ("party", 2, 3), ("foe", 1, 0),
    ]  # fmt: skip
    assert (decision.state.side_pool("party", "spirit"), decision.state.side_pool("foe", "luck")) == (
        kit.Pool(3, 3), kit.Pool(0, 0),
    )  # fmt: skip
    with pytest.raises(ValueError, match="the side 'foe' has no pool 'luck'; accepted: spirit"):
        decision.gain_for_side("foe", 1, "luck")
    words = [phrase(fight.system, event, fight.state).text for event in decision.events]
    assert words == ["Ada gains 2 spirit for a hit (2/3)", "Party spirit +1 (3/3)", "Bert spends 1 spirit (0/3)"]


def test_what_a_side_shares_follows_undo_and_is_saved(snowballs, tmp_path):
    path = tmp_path / "fight.jsonl"
    fight = start_fight(load_encounter("the-playground"), seed="3", id="fight", path=path)
    fight.give("start")
    wet_bert(fight)
    fight.give("adjust", what="max:party.spirit", value=5, reason="a good day")
    fight.give("adjust", what="party.spirit", value=4)
    assert spirits(fight)["party.spirit"] == (4, 5)
    fight.undo()
    assert spirits(fight)["party.spirit"] == (1, 5)
    before, after = fight.line.seek(0), fight.state
    fight.close()
    again = Fight.watch(path)
    assert again.state == after
    (difference,) = (each for each in compare_states(before, after) if "spirit" in each.what)
    assert (difference.what, difference.then, difference.now) == ("Party spirit", "0/3", "1/5")
    story = [line.text for each in chronicle(again).rounds for phase in each.phases for line in phase.lines]
    assert any("Party spirit 1 → 1 of 5 (a good day)" in line for line in story)


LIMITS = "0 to 3; max:party.spirit changes the maximum"


@pytest.mark.parametrize(
    ("what", "value", "accepted"),
    [("party.spirit", 4, LIMITS), ("party.spirit", -1, LIMITS), ("party.luck", 1, "foe.spirit")],
)
def test_the_gm_is_told_what_a_shared_pool_accepts(fight, what, value, accepted):
    with pytest.raises(Refused) as no:
        fight.give("adjust", what=what, value=value)
    assert no.value.accepts[-1] == accepted


def test_players_see_what_a_side_shares_unless_it_is_secret(fight):
    before = fight.state
    wet_bert(fight)
    fight.give("cheer", who="cleo", target="bert")
    assert fight.state.side_pool("foe", "spirit").now == 0, "it was spent"
    assert fight.state.combatants["bert"].pool("wet").now == 3
    events = [event for entry in fight.line.entries[1:] for event in entry.events]
    told = [words.text for _, words in public_lines(events, before) if "spirit" in words.text]
    assert told == ["Party spirit 1/3"]
    assert player_view(fight.state, fight.system)["side_pools"] == {"party": {"spirit": {"now": 1, "max": 3}}}
    assert player_frame(fight.state, fight.system).shared == ("Party spirit 1/3",)
    assert gm_frame(fight.state, fight.system).shared == ("Party spirit 1/3", "Foe spirit 0/3")


def test_the_whole_fight_may_share_a_pool(fight, monkeypatch):
    dusk = kit.SidePool("dusk", "", 4)
    monkeypatch.setattr(sys.modules["fightcall_snowballs"].Snowballs, "side_pools", (dusk,))
    fight = start_fight(load_encounter("the-playground"), seed="3", id="fight")
    fight.give("start")
    before, entry = fight.state, fight.give("adjust", what="dusk", value=2, reason="late")
    assert said(fight, entry) == ["Dusk 0 → 2 of 4 (late)"]
    assert [words.text for _, words in public_lines(entry.events, before)] == ["dusk 2/4"]
    decision = kit.Decision(fight.state)
    decision.gain_for_side("", 3, "dusk")
    assert [phrase(fight.system, event, fight.state).text for event in decision.events] == ["Dusk +2 (4/4)"]
    rows = roster_rows(fight.state, fight.system, width=60, height=20, glyphs=UNICODE).drawing.rows
    (heading,) = (line.split() for line in map(row_text, rows) if "Dusk" in line)
    assert heading == ["PARTY", "wet", "Dusk", "2/4", "acting"]
    assert player_frame(fight.state, fight.system).shared == ("Dusk 2/4",)


def test_what_a_side_shares_stands_beside_its_name(fight):
    wet_bert(fight)
    rows = roster_rows(fight.state, fight.system, width=60, height=20, glyphs=UNICODE).drawing.rows
    headings = [line.split() for line in map(row_text, rows) if "spirit" in line]
    assert headings == [["PARTY", "wet", "spirit", "1/3"], ["FOE", "wet", "spirit", "1/3", "acting"]]
    narrow = roster_rows(fight.state, fight.system, width=20, height=20, glyphs=UNICODE).drawing.rows
    assert [line.split() for line in map(row_text, narrow) if "1/3" in line] == [
        ["PARTY", "spirit", "1/3"], ["FOE", "s", "1/3", "acting"],
    ]  # fmt: skip


def test_the_protocol_tells_what_a_side_shares(snowballs):
    session = Session()
    session.answer({"do": "open", "encounter": "the-playground"})
    state, view = (session.answer({"ask": what}) for what in ("state", "view"))
    assert state["state"]["side_pools"]["foe"] == {"spirit": {"now": 1, "max": 3}}
    assert view["view"]["side_pools"] == {"party": {"spirit": {"now": 0, "max": 3}}}
    for reply in (state, view, session.answer({"do": "adjust", "what": "foe.spirit", "value": 3})):
        check_reply("snowballs", reply)


def test_the_gm_sets_what_a_side_shares_where_any_value_is_set(fight):
    flow, outcome = toolbox.adjust(fight.state, "bert"), None
    for key in ("enter", *"Foe", "space", *"spirit", "enter", "3", "enter"):
        outcome = flow.press(key)
    assert (outcome.command, outcome.data) == ("Adjust", {"what": "foe.spirit", "value": 3})


@pytest.mark.parametrize("name", PLAYS.names)
def test_a_play_goes_as_it_was_written_down(snowballs, name):
    PLAYS.check(name)


@pytest.mark.slow
def test_whatever_is_offered_can_be_done(fight):
    assert perft(fight, 3).refused == []


class SnowballMachine(FightMachine):
    """A snowball fight, and everything a GM can do to it."""

    SYSTEM = "snowballs"


@pytest.mark.slow
def test_the_laws_hold_under_any_command(snowballs):
    phases = [Phase.explicit, Phase.reuse, Phase.generate]
    few = settings(deadline=None, max_examples=10, stateful_step_count=20, phases=phases)
    run_state_machine_as_test(SnowballMachine, settings=few)
