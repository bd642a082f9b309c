"""A rule system that the kit has to stretch for: acts aimed at places, harm counted upward, questions in the middle."""

import sys
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from fightcall.paint.happening import sentence
from fightcall_engine import kit
from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.model.errors import Refused, SystemFault
from fightcall_engine.model.events import DamageApplied, Recorded
from fightcall_engine.play.chart import kind_of
from fightcall_engine.play.player_view import public_lines
from fightcall_engine.testkit.machine import FightMachine
from fightcall_engine.testkit.perft import perft
from fightcall_engine.testkit.plays import Plays

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
    seen = [words.text for _, words, _ in public_lines(entry.events, before) if words.text]
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


@pytest.mark.parametrize("name", PLAYS.names)
def test_a_play_goes_as_it_was_written_down(snowballs, name):
    PLAYS.check(name)


def test_whatever_is_offered_can_be_done(fight):
    assert perft(fight, 3).refused == []


class SnowballMachine(FightMachine):
    """A snowball fight, and everything a GM can do to it."""

    SYSTEM = "snowballs"


@pytest.mark.slow
def test_the_laws_hold_under_any_command(snowballs):
    phases = [Phase.explicit, Phase.reuse, Phase.generate]
    few = settings(deadline=None, max_examples=15, stateful_step_count=20, phases=phases)
    run_state_machine_as_test(SnowballMachine, settings=few)
