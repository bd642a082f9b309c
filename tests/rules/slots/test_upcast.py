"""Journals of version 1 come to what the same commands come to today: work, harm, problems and marks of zones."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from fightcall_engine.headless.session import Session
from fightcall_engine.model.state import FightState
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.slots.records import Fighter, fighter_of
from fightcall_engine.testkit.plays import Plays

JOURNALS = sorted((Path(__file__).parent / "journals-1").glob("*.jsonl"), key=lambda path: path.stem)
PLAYS = Plays(Path(__file__).parent).plays


def records(state: FightState) -> list[Fighter]:
    """The records of all, without what was spent on an act (AP-29), which journals of version 1 do not say."""
    return [replace(fighter_of(combatant), spent=0) for combatant in state.combatants.values()]


@pytest.mark.parametrize("journal", JOURNALS, ids=lambda path: path.stem)
def test_a_journal_of_version_1_is_read_as_todays_rules_remember_it(journal, tmp_path):
    shutil.copyfile(journal, tmp_path / "fight.jsonl")
    session = Session()
    for request in PLAYS[journal.stem].requests:
        session.answer(dict(request))
    today, old = session.fight, Fight.open(tmp_path / "fight.jsonl")
    assert old.line.entry_count() == today.line.entry_count()
    for entry in range(old.line.entry_count()):
        now, then = (fight.seek(fight.line.span(entry)[1]) for fight in (today, old))
        assert then.record == now.record
        assert records(then) == records(now)
        assert [prompt.resume for prompt in then.prompts] == [prompt.resume for prompt in now.prompts]
        assert [step.members for step in then.agenda.steps] == [step.members for step in now.agenda.steps]
    old.close()
