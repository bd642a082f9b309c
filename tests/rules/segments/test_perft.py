"""Lines of play from small fixed fights, counted: the numbers change only when a rule does."""

from __future__ import annotations

import pytest

from fightcall_engine.board.kinds import SquareBoard
from fightcall_engine.testkit.perft import Count, moves, perft, why_refused

from ..once import played_once
from .table import Play, table

pytestmark = pytest.mark.slow

ANN = {"weapons": [{"name": "sword", "av": 40, "size": 4}], "dodge": 20}
ORC = {"side": "foe", "weapons": [{"name": "axe", "av": 30, "size": 3}], "dodge": 15}
SETTINGS = {"resolution": "linear"}


@played_once
def rolling() -> Play:
    """Initiative is to be rolled by two."""
    return table(settings=SETTINGS, ann=ANN, orc=ORC).do("start")


@played_once
def declaring() -> Play:
    """The first of two is to declare."""
    return table(settings=SETTINGS, ann=ANN, orc=ORC).begin()


@played_once
def pulse() -> Play:
    """One has planned a way, one waits; the first Pulse runs."""
    play = table(settings={**SETTINGS, "pulse_movement": True}, ann=ANN, orc=ORC).begin()
    play.do("declare", who="ann", target="orc").do("plan", who="ann", feet=60).do("advance")
    return play.do("wait", who="orc")


@played_once
def resolving() -> Play:
    """A strike is due."""
    play = declaring().do("declare", who="ann", target="orc").do("advance")
    return play.do("declare", who="orc", target="ann").do("advance")


@played_once
def missed() -> Play:
    """It has missed, and the target may answer."""
    return resolving().do("resolve", who="ann", hit=False)


@played_once
def exchange() -> Play:
    """A Combination in concert is due, whose blow wounds and drives back, or is answered by a Reprisal."""
    sword = {"name": "sword", "av": 40, "size": 4, "hand": "R", "effects": ["edge", "point"]}
    dirk = {"name": "dirk", "av": 30, "size": 1, "hand": "L"}
    combo = {"name": "sword and dirk", "first": "sword", "second": "dirk", "sl": 5}
    learned = {"trades": [{"name": "warrior", "sl": 10}], "combos": [combo]}
    ann = {**ANN, "at": (3, 3), "facing": 0, "weapons": [sword, dirk], "str": 14, "msta": 16, **learned}
    armour = [{"type": "aketon", "family": "padded", "dr": 3}]
    orc = {**ORC, "at": (4, 3), "facing": 4, "msta": 16, "pres": 5, "armour": armour}
    play = table(SquareBoard(8, 8, scale=5), SETTINGS, ann=ann, orc=orc).begin()
    play.do("declare", who="ann", action="combination", target="orc", second="dirk", mode="concert").do("advance")
    return play.do("declare", who="orc", target="ann").to("resolve", "ann")


LINES = [
    (rolling, [14, 147]),
    (declaring, [65, 1298]),
    (pulse, [98]),
    (resolving, [38, 461]),
    (missed, [31, 547]),
    (exchange, [30, 408]),
]
"""After one command, and after two where it is not very many.

Counted in two ways: by what is offered, done and undone (`perft`), and by what is not refused, each line played from
its beginning (`count_by_replay`). `exchange` was also added up by hand. Its 30: 8 blows (4 defences, hit or miss), 2
who may give up, 2 postures of Ann's, 14 checks (two people, seven attributes), 3 deeds of the Orc's (what is thrown or
falls is caught out of turn; Ann's hands are busy), the next step. Its 408, by the first:

* a hit, 4 x 9: two checks are owed, each rolled, made or failed, or rolled by its name; the next step.
* a miss, 4 x 41: 12 ways to strike back (6 defences, hit or miss), 7 places to move away to, to let it be, those three
  as answers; of Ann 2 postures, 8 deeds (no throw and no leap), 7 checks; the next step.
* a check, 14 x 3 answers; Ann kneels, 29, for she may lie down then and not rise; she lies down, 28; a deed, 3 x 2.
* Ann gives up: 42, the Orc's attack being due with 12 blows; the Orc gives up: 29; the step: 32, for it asks before the
  Combination is lost, with two answers.
"""

MANY = 450
"""More lines than these are replayed only after one command: `exchange` has such blows, `rolling` such steps."""

ROUND = pytest.mark.parametrize(("begin", "lines"), LINES, ids=[begin.__name__ for begin, _ in LINES])


@ROUND
def test_the_lines_of_play_are_as_many_as_ever(begin, lines):
    count: Count = perft(begin().fight, len(lines))
    # What a GM types in words of his own may fit nothing: a thing that nobody holds, somebody with his hands full.
    refused = [one for one in count.refused if not any(rule in one for rule in ("CS-203", "CS-227", "CS-146"))]
    assert not refused, refused[:5]
    assert count.lines[1:] == lines


def count_by_replay(begin, depth, line=()):
    """Count the same lines independently, by length from 1; `line` is their common beginning.

    Each line is played from its beginning in a new fight, and each time all that is listed is tried, even if
    disabled: what is not refused counts. This depends neither on undo nor on options being marked as legal.
    """
    fight = begin()
    for name, data in line:
        fight.do(fight.codec.command(name, data))
    listed = moves(fight, is_legal=False)
    possible = [(name, data) for name, data in listed if not why_refused(fight, fight.codec.command(name, data))]
    lines = [len(possible)] + [0] * (depth - 1)
    for move in possible if depth > 1 else ():
        for place, count in enumerate(count_by_replay(begin, depth - 1, (*line, move)), 1):
            lines[place] += count
    return lines


@ROUND
def test_as_many_are_accepted_as_are_offered(begin, lines):
    depth = 1 if lines[-1] > MANY else len(lines)
    assert count_by_replay(lambda: begin().fight, depth) == lines[:depth]
