"""The fights that drawings are tested with, for panes too."""

import sys
from pathlib import Path

import pytest

from fightcall.panes.base import StyleBook
from fightcall.themes import load_shipped

sys.path.insert(0, str(Path(__file__).parents[1] / "paint"))


@pytest.fixture(scope="session")
def book():
    return StyleBook(load_shipped("lantern"))


@pytest.fixture(scope="session")
def mono():
    return StyleBook(load_shipped("mono"))
