"""Journals of version 2 of this system, which 0.2.0 wrote, are read."""

from __future__ import annotations

import shutil
from pathlib import Path

from fightcall_engine.play.fight import Fight


def test_a_question_of_version_2_is_closed_and_its_act_can_be_given_again(tmp_path):
    """ST-02, ST-10: 0.2.0 worded the question otherwise, so the function that asks now can't go on from it."""
    shutil.copyfile(Path(__file__).parent / "closing-0.2.jsonl", tmp_path / "old.jsonl")
    old = Fight.open(tmp_path / "old.jsonl")
    assert old.state.prompts == ()
    old.give("close_scene", elapsed="20 min")
    old.give("answer", choice="waive")
    assert (old.state.clock_s, old.state.agenda.steps) == (1200, ())
    old.close()
