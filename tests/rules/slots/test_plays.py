"""Short fights go as they were written down; see `fightcall_engine.testkit.plays`."""

from __future__ import annotations

from pathlib import Path

import pytest

from fightcall_engine.testkit.plays import Plays

PLAYS = Plays(Path(__file__).parent)


@pytest.mark.parametrize("name", PLAYS.names)
def test_a_play_goes_as_it_was_written_down(name: str) -> None:
    PLAYS.check(name)
