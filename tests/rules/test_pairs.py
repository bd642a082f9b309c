"""What players are told and see, of pairs of fights that differ only in what they may not know, in all four systems."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fightcall_engine.archive.encounters import shipped_encounters

from .pairs import Pair

ENCOUNTERS = [found.path.stem for found in shipped_encounters()]


@pytest.mark.slow
@pytest.mark.parametrize("encounter", ENCOUNTERS)
@settings(max_examples=5)
@given(seed=st.integers(0, 10_000))
def test_players_cannot_tell_a_fight_from_one_with_secrets(encounter: str, seed: int) -> None:
    """Whatever is done in sight and in secret."""
    pair = Pair(encounter, Random(seed))
    pair.play(25)
    assert pair.done
