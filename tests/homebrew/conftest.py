"""The games of these tests are found as a user's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fightcall_engine.files import source_of_games, use_games


@pytest.fixture(autouse=True)
def own_games() -> Iterator[None]:
    """Find the games in this folder."""
    before = source_of_games().folder
    use_games(Path(__file__).parent)
    yield
    use_games(before)
