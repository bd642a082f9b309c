"""Lines of play from small fixed fights, counted: the numbers change only when a rule does."""

from __future__ import annotations

import pytest

from fightcall_engine.testkit.perft import Count, perft

from .table import Play, table

pytestmark = pytest.mark.slow

DUEL = ("ash", "orc")


def opening() -> Play:
    """Before the first Moment: who ambushes, who looks out, or straight on."""
    return table(*DUEL)


def meeting() -> Play:
    return table(*DUEL).start()


def missile() -> Play:
    return table(*DUEL).start().to("missile")


def moving() -> Play:
    """On no board: a move is one hex, and meets nobody."""
    return table(*DUEL).start().to("move")


def melee() -> Play:
    return table(*DUEL).do("contact", who="ash", enemy="orc").start().to("melee")


def management() -> Play:
    return table(*DUEL).start().to("management")


LINES = [
    (opening, [7, 48, 318]),
    (meeting, [6, 39, 265]),
    (missile, [8, 56, 465]),
    (moving, [12, 138]),
    (melee, [8, 60, 444]),
    (management, [7, 45, 289]),
]
"""After one and two commands, and three where there are few lines; the first numbers were counted by hand."""


@pytest.mark.parametrize(("begin", "lines"), LINES, ids=[begin.__name__ for begin, _ in LINES])
def test_the_lines_of_play_are_as_many_as_ever(begin, lines):
    count: Count = perft(begin().fight, len(lines))
    assert not count.refused, count.refused[:5]
    assert count.lines[1:] == lines
