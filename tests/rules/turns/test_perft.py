"""Lines of play from small fixed fights, counted: the numbers change only when a rule does."""

from __future__ import annotations

import pytest

from fightcall_engine.testkit.perft import Count, perft

from .table import Play, table

pytestmark = pytest.mark.slow


def opening() -> Play:
    """Nothing is open yet: a Scene, a rest."""
    return table("lea", "w2")


def free() -> Play:
    return table("lea", "w2").do("open_scene", mode="free")


def offer() -> Play:
    """Three with 1 Action each; the first is offered her turn."""
    return table("lea", "pip", "w2", sheets={who: {"actions": 1} for who in ("lea", "pip", "w2")}).roll()


def delays() -> Play:
    """Two delay, the third is offered its turn."""
    return offer().do("delay", who="lea").do("delay", who="pip")


def costs() -> Play:
    """A ward and a light are to be paid for, with Mana for one of them; others may react."""
    play = table("lea", "w2", sheets={"lea": {"mana": 1, "actions": 1}, "w2": {"actions": 1}})
    play.do("affect", who="lea", name="ward", upkeep=1).do("affect", who="lea", name="light", upkeep=1)
    return play.roll().do("take", who="lea")


def rest() -> Play:
    return table("lea", "pip", sheets={"lea": {"resolve": 1, "focus": 2, "focus_now": 0}}).do("short_rest")


LINES = [
    (opening, [5, 38, 325]),
    (free, [15, 175]),
    (offer, [17, 251]),
    (delays, [20, 352]),
    (costs, [8, 64, 512]),
    (rest, [8, 50, 348]),
]
"""After one and two commands, and three where there are few lines; the first numbers were counted by hand."""


@pytest.mark.parametrize(("begin", "lines"), LINES, ids=[begin.__name__ for begin, _ in LINES])
def test_the_lines_of_play_are_as_many_as_ever(begin, lines):
    count: Count = perft(begin().fight, len(lines))
    assert not count.refused, count.refused[:5]
    assert count.lines[1:] == lines
