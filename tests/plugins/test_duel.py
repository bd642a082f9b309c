"""The example of a fifth rule system, found through its entry point and played through the headless protocol."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import find_system, system_names
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.story import public_lines
from fightcall_engine.testkit.machine import FightMachine
from fightcall_engine.testkit.perft import perft
from fightcall_engine.testkit.plays import Conversation, Plays
from fightcall_engine.testkit.random_player import RandomPlayer

DUEL = """
{"do":"open","encounter":"at-dawn","seed":"3"}
{"do":"start","rolls":{"initiative.alma":[6],"initiative.baron":[4],"initiative.second":[1]}}
{"do":"attack","who":"alma","target":"baron"}
{"do":"advance"}
{"do":"guard","who":"baron"}
{"do":"advance"}
{"do":"attack","who":"alma","target":"baron","rolls":{"attack":[4]}}
{"ask":"explain","who":"baron","what":"needed"}
{"do":"attack","who":"baron","target":"alma","rolls":{"attack":[4]}}
{"do":"undo"}
{"do":"attack","who":"baron","target":"alma","rolls":{"attack":[3]}}
{"do":"attack","who":"second","target":"alma","rolls":{"attack":[6]}}
{"ask":"state"}
"""

PLAYS = Plays(Path(__file__).parent / "duel")


def run(lines, home):
    """Run lines in a process of their own; returns its answers."""
    done = subprocess.run(
        [sys.executable, "-m", "fightcall", "run"],
        input=lines.strip(),
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_a_round_by_the_protocol(duel, tmp_path, monkeypatch):
    monkeypatch.setenv("FIGHTCALL_HOME", str(tmp_path / "home"))
    answers = run(DUEL, tmp_path)
    assert [answer["ok"] for answer in answers] == [True, True, False, *[True] * 10]
    assert answers[2]["refused"]["rule"] == "DU-03"
    assert answers[7]["explain"]["total"] == "5"
    hits = [event["hit"] for answer in answers for event in answer.get("events", []) if event["type"] == "Attacked"]
    assert hits == [False, True, False, True], "4 does not get through a guard; undone, the Baron's 4 is thrown as 3"
    state = answers[-1]["state"]
    assert state["combatants"]["alma"]["pools"]["lives"] == {"now": 2, "max": 3}
    assert state["combatants"]["baron"]["guarded"] is True
    assert (state["round"], state["phase"]) == (1, None)


def test_it_is_one_of_the_systems_with_all_the_defaults(duel):
    assert "duel" in system_names()
    assert set(find_system("duel").rules()) == {"DU-01", "DU-02", "DU-03", "DU-04"}


def test_a_saved_duel_opens_where_it_was(duel, tmp_path):
    fight = Fight.new("duel", seed="3", path=tmp_path / "duel.jsonl")
    fight.give("join", name="Alma", side="party")
    fight.give("join", name="Baron", side="foe")
    fight.give("start")
    fight.give("guard", who=fight.system.waiting(fight.state)[0])
    fight.close()
    again = Fight.open(tmp_path / "duel.jsonl")
    assert again.state == fight.state
    assert [one.record.guarded for one in again.state.combatants.values()].count(True) == 1
    again.close()


def test_who_has_no_life_left_is_down_and_is_passed_over(duel):
    fight = Fight.new("duel", seed="3")
    fight.give("join", name="Alma", side="party")
    fight.give("join", name="Baron", side="foe", sheet={"lives": 1})
    fight.give("start", rolls={"initiative.alma": [6], "initiative.baron": [1]})
    fight.give("waive", who="alma")
    fight.give("waive", who="baron")
    entry = fight.give("attack", who="alma", target="baron", rolls={"attack": [6]})
    assert not fight.state.combatants["baron"].able
    assert [one.type for one in entry.events][-4:] == ["Downed", "StepEnded", "StepSkipped", "RoundEnded"]
    attacked = next(one for one in entry.events if one.type == "Attacked")
    assert phrase(fight.system, attacked, fight.state).text == "Alma attacks Baron: 6, needed 4 or more"
    assert "Alma attacks Baron: a hit" in [words.text for _, words in public_lines(entry.events, fight.state)]


def test_a_held_attack_is_out_of_turn_and_within_the_other_rules(duel):
    """DU-03, DU-04; put right 1: the shared checks hold for plug-ins, too, except whose turn it is."""
    talk = Conversation("duel", seed="3")
    for name, side in (("Alma", "party"), ("Baron", "foe")):
        talk.do("join", name=name, side=side)
    attack = {"do": "attack", "who": "baron", "target": "alma"}
    talk.do("cue", when={"at_most": 2, "who": "alma"}, then={"hold": attack, "text": "The Baron attacks"})
    talk.do("cue", when={"at_most": 1, "who": "alma"}, then={"hold": attack, "text": "The Baron attacks again"})
    talk.do("start", rolls={"initiative.alma": [6], "initiative.baron": [1]})
    talk.do("damage", who="alma", amount=1).do("answer", rolls={"attack": [3]}).expect("Attacked", who="baron")
    talk.do("damage", who="alma", amount=1)
    talk.expect("RulingRecorded", choice="not_possible", note="Baron has already acted in this step")
    assert talk.question_kinds() == []


def test_what_the_gm_sets_by_hand_is_told(duel):
    fight = Fight.new("duel", seed="3")
    fight.give("join", name="Alma", side="party")
    (event,) = fight.give("adjust", who="alma", what="guarded", value=True).events
    assert fight.state.combatants["alma"].record.guarded
    assert phrase(fight.system, event, fight.state).text == "Alma: guarded yes"


def test_du_03_an_attack_belongs_to_blades(duel):
    talk = Conversation("duel", seed="3").do("join", name="Alma", side="party").do("join", name="Baron", side="foe")
    talk.do("start", rolls={"initiative.alma": [6], "initiative.baron": [1]}).expect("RoundBegan", number=1)
    assert "belongs to Blades" in talk.refused("DU-03", "attack", who="alma", target="baron")
    assert talk.pool("baron", "lives") == 3
    assert talk.ask("explain", who="baron", what="needed")["total"] == "4"


@pytest.mark.parametrize("name", PLAYS.names)
def test_a_play_goes_as_it_was_written_down(duel, name):
    PLAYS.check(name)


def test_whatever_is_offered_can_be_done(duel):
    fight = Fight.new("duel", seed="3")
    fight.give("join", name="Alma", side="party")
    fight.give("join", name="Baron", side="foe")
    fight.give("start")
    count = perft(fight, 4)
    assert count.refused == []
    assert count.lines[1:] == [3, 9, 27, 81], "in each of four steps: the act, to let it go by, or to go on"


@pytest.mark.slow
def test_the_laws_hold_in_random_play(duel):
    player = RandomPlayer("at-dawn", 1)
    player.play(150)
    assert {"Attack", "Guard", "Advance"} <= set(player.accepted)


class DuelMachine(FightMachine):
    """A duel, and everything a GM can do to it."""

    SYSTEM = "duel"


@pytest.mark.slow
def test_the_laws_hold_under_any_command(duel):
    phases = [Phase.explicit, Phase.reuse, Phase.generate]
    few = settings(deadline=None, max_examples=10, stateful_step_count=20, phases=phases)
    run_state_machine_as_test(DuelMachine, settings=few)
