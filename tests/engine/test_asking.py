"""Rules that ask in the middle: a function that ends at its question, and runs again with the answer."""

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import RulingRecorded
from fightcall_engine.play.fight import Fight


@pytest.fixture
def saved(snowballs, tmp_path):
    """A snowball in the air, saved: Bert has to duck, then Cleo."""
    fight = start_fight(load_encounter("the-playground"), seed="3", id="fight", path=tmp_path / "fight.jsonl")
    fight.give("start")
    fight.give("throw", who="ada", at="E2")
    yield fight
    fight.close()


def reopened(fight: Fight) -> Fight:
    """The same fight in a program that has just been started."""
    fight.close()
    return Fight.open(fight.path)


def test_a_question_outlives_the_program(saved):
    """Put back where it was left: the one who is asked, the dice, and whoever is asked next."""
    copy = saved.copy()
    copy.give("answer")
    copy.give("answer")
    again = reopened(saved)
    assert [prompt.who for prompt in again.state.prompts] == ["bert"]
    again.give("answer")
    again = reopened(again)
    again.give("answer")
    assert again.state == copy.state
    assert [entry.events for entry in again.line.entries] == [entry.events for entry in copy.line.entries]
    again.close()


def test_undo_asks_again_and_redo_has_answered(saved):
    asked = saved.state
    saved.give("answer", rolls={"duck": [3]})
    answered = saved.state
    saved.undo()
    assert saved.state == asked
    saved.give("answer", rolls={"duck": [6]})
    assert saved.state.combatants["bert"].pool("wet").now == 3
    saved.undo()
    saved.jump(saved.branches()[0].tip)
    saved.give("answer", rolls={"duck": [6]})
    assert answered.combatants["bert"].pool("wet").now == 2


def test_an_update_between_question_and_answer_closes_the_question(saved, monkeypatch):
    """What the new rules would have asked otherwise is lost, with a word to the GM; nothing else is touched."""
    before, system = saved.state, type(saved.system)
    ask = Decision.ask

    def ask_in_other_words(self, prompt):
        self.roll("d4", "luck")
        return ask(self, prompt)

    monkeypatch.setattr(Decision, "ask", ask_in_other_words)
    again = reopened(saved)
    assert not again.state.prompts
    (closed,) = again.head.events
    assert isinstance(closed, RulingRecorded)
    assert "since Throw asked this" in closed.note
    assert (again.state.combatants, again.state.agenda) == (before.combatants, before.agenda)
    assert isinstance(again.system, system)
    again.close()


def test_the_next_is_asked_although_nobody_answers(saved):
    saved.give("leave", who="bert")
    assert [prompt.who for prompt in saved.state.prompts] == ["cleo"]
    again = reopened(saved)
    again.give("answer", rolls={"duck": [2]})
    assert again.state.combatants["cleo"].pool("wet").now == 2
    assert not again.state.prompts
    again.close()


def test_dice_typed_with_the_act_count_after_its_questions(snowballs):
    fight = start_fight(load_encounter("the-playground"), seed="3", id="fight")
    fight.give("start")
    entry = fight.give("throw", who="ada", at="E2", rolls={"duck": [1, 6]})
    assert entry.unused == ()
    fight.give("answer")
    fight.give("answer")
    assert [fight.state.combatants[who].pool("wet").now for who in ("bert", "cleo")] == [2, 3]
