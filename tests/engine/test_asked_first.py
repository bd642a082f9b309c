"""Which of several open questions an answer without a name is for: what play waits for comes before an offer."""

from dataclasses import replace

from fightcall_engine import Fight
from fightcall_engine.kit.decision import Decision, choices
from fightcall_engine.kit.plugins import find_system
from fightcall_engine.kit.views import Referee
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.events import RulingRecorded
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.play.core_commands import decide_command


def prompt(id: str, *, blocking: bool) -> Prompt:
    return Prompt(id=id, kind="noticed", question=f"{id}?", rule="", choices=choices("yes", "no"), blocking=blocking)


def asking(*prompts: Prompt) -> FightState:
    return replace(Fight.new("stage").state, prompts=prompts)


def test_what_play_waits_for_comes_before_an_older_offer() -> None:
    offer, question, later = prompt("p1", blocking=False), prompt("p2", blocking=True), prompt("p3", blocking=True)
    assert asking(offer, question, later).asked_first is question
    assert asking(offer).asked_first is offer
    assert asking().asked_first is None


def test_an_answer_without_a_name_is_for_that_one() -> None:
    state = asking(prompt("p1", blocking=False), prompt("p2", blocking=True))
    system, answer = find_system("stage"), Answer(choice="yes")
    decision = Decision(state, Dice("7", 0), Referee("Answer", "", force=False))
    decide_command(system, decision, answer)
    assert [one.prompt for one in decision.events if isinstance(one, RulingRecorded)] == ["p2"]
