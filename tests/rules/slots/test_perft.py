"""Lines of play from small fixed fights, counted: the numbers change only when a rule does."""

from __future__ import annotations

import pytest

from fightcall_engine.testkit.perft import Count, perft

from .table import Play, table

pytestmark = pytest.mark.slow


def duel() -> Play:
    """Two PCs with a few abilities and one NPC, as their first Full Round begins."""
    has = {"ivo": ["breaks"], "teo": ["combo"]}
    return table("ivo", "teo", "wolf", has=has, sheets={"wolf": {"hp": 4}}).locked()


def final() -> Play:
    play = duel()
    play.do("act", who="ivo", cost=3)
    return play.do("end_ap", who="ivo")


def upkeep() -> Play:
    play = duel()
    play.do("affect", who="teo", name="poison", kind="damage", amount=1, rounds=1)
    return play.to_upkeep()


def slow_burn() -> Play:
    play = table("ivo", "teo", has={"ivo": ["long"]}).locked()
    play.do("threats_over")
    play.do("outro", choice="slow_burn")
    play.do("answer", prompt="issue", amount=9)
    return play.to_round(2)


def ordering() -> Play:
    return table(has={"ivo": ["stance"]}).ordered()


LINES = [(ordering, [11, 122]), (duel, [20, 393]), (final, [26, 495]), (upkeep, [12, 143]), (slow_burn, [20, 201])]
"""After one and two commands; the first numbers were counted by hand."""


@pytest.mark.parametrize(("begin", "lines"), LINES, ids=[begin.__name__ for begin, _ in LINES])
def test_the_lines_of_play_are_as_many_as_ever(begin, lines):
    count: Count = perft(begin().fight, len(lines))
    assert not count.refused, count.refused[:5]
    assert count.lines[1:] == lines
