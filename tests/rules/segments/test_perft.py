"""Lines of play from small fixed fights, counted: the numbers change only when a rule does."""

from __future__ import annotations

import pytest

from ..perft import Count, perft
from .table import Play, table

ANN = {"weapons": [{"name": "sword", "av": 40, "size": 4}], "dodge": 20}
ORC = {"side": "foe", "weapons": [{"name": "axe", "av": 30, "size": 3}], "dodge": 15}
SETTINGS = {"resolution": "linear"}


def rolling() -> Play:
    """Initiative is to be rolled by two."""
    return table(settings=SETTINGS, ann=ANN, orc=ORC).do("start")


def declaring() -> Play:
    """The first of two is to declare."""
    return table(settings=SETTINGS, ann=ANN, orc=ORC).begin()


def pulse() -> Play:
    """One has planned a way, one waits; the first Pulse runs."""
    play = table(settings={**SETTINGS, "pulse_movement": True}, ann=ANN, orc=ORC).begin()
    play.do("declare", who="ann", target="orc").do("plan", who="ann", feet=60).do("advance")
    return play.do("wait", who="orc")


def resolving() -> Play:
    """A strike is due."""
    play = declaring().do("declare", who="ann", target="orc").do("advance")
    return play.do("declare", who="orc", target="ann").do("advance")


def missed() -> Play:
    """It has missed, and the target may answer."""
    return resolving().do("resolve", who="ann", hit=False)


LINES = [
    (rolling, [15, 193]),
    (declaring, [79, 1960]),
    (pulse, [105, 3794]),
    (resolving, [51, 796]),
    (missed, [34, 703]),
]
"""After one and two commands."""


@pytest.mark.parametrize(("begin", "lines"), LINES, ids=[begin.__name__ for begin, _ in LINES])
def test_the_lines_of_play_are_as_many_as_ever(begin, lines):
    count: Count = perft(begin().fight, 2)
    # What a GM types in words of his own may fit nothing: a thing that nobody holds.
    refused = [one for one in count.refused if "CS-203" not in one and "CS-227" not in one]
    assert not refused, refused[:5]
    assert count.lines[1:] == lines
