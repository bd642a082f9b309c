"""Journals of version 2 of this system, which 0.2.0 wrote, are read."""

from __future__ import annotations

import shutil
from pathlib import Path

from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.turns.resumes import AboutClosing


def test_how_long_a_scene_took_was_kept_as_typed_in_version_2(tmp_path):
    """ST-02, ST-10: the Scene is closed over who was left out, and the clock goes on by what was said."""
    shutil.copyfile(Path(__file__).parent / "closing-0.2.jsonl", tmp_path / "old.jsonl")
    old = Fight.open(tmp_path / "old.jsonl")
    assert old.state.prompts[0].resume == AboutClosing(elapsed_s=1200, reason="all is said")
    old.give("answer", choice="waive")
    assert old.state.clock_s == 1200
    old.close()
