"""Short fights go as they were written down; see `plays`."""

from __future__ import annotations

import pytest

from ..plays import outcomes_of, scripts_of, written

SCRIPTS = scripts_of("turns")
OUTCOMES = outcomes_of("turns")


@pytest.mark.parametrize("play", SCRIPTS)
def test_a_play_goes_as_it_was_written_down(play: str) -> None:
    """What differs: ``python -m tests.rules.plays --show turns PLAY``."""
    assert list(written(SCRIPTS[play])) == OUTCOMES[play]
