"""What a Pulse of Combat Segments costs, from the ways planned for it to the board painted.

    python tests/bench/pulses.py [--rounds 9]

On a map of 100 x 100 squares, 12, 40 and 100 movers of two sides, who walk towards each other and past. Planned: a way
for everybody, found round foes. Run: a second of all ways, in order, every step checked for foes whose ways it
crosses, with all its facts folded and written as JSON for the journal. Painted: the scene made, compared with the one
before, and the rows that changed, in a window of 200 x 60 cells. The whole is all three, for a Pulse's worth of way;
what ways for a whole segment take is told beside it.

The floor of running is what any immutable state pays for as many facts (see engine.py); that of painting the same
window painted from nothing. Each figure is the least of several rounds, in CPU time: other programs do not count.
"""

import argparse
import sys
import time
from pathlib import Path

_ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(_ROOT / "app"), str(_ROOT / "engine"), str(Path(__file__).parent)]

from board import WINDOW

from engine import Figure, fold_floor, report
from fightcall.paint.board import Looks, paint_board, paint_looks, repaint_places
from fightcall.paint.geometry import FAMILIES
from fightcall.paint.runs import UNICODE
from fightcall.paint.scenes import changed_places, picture_of
from fightcall_engine.board.kinds import SquareBoard
from fightcall_engine.model.commands import Advance, Join
from fightcall_engine.play.fight import Fight
from fightcall_engine.systems.segments.state.commands import Plan, RunPulses

SIDE = 100
CROWDS = (12, 40, 100)
ZOOM = FAMILIES[SquareBoard.shift][1]
SWORD = {"name": "sword", "size": 4, "av": 40}


def crowd(count):
    """A contest with Pulses, all declared: rows of two sides who face each other across the map."""
    board = SquareBoard(SIDE, SIDE)
    joins = []
    for number in range(count):
        side = ("party", "foe")[number % 2]
        at = board.at(20 if side == "party" else 60, number % SIDE)
        joins.append(Join(name=f"Mover {number}", side=side, at=at, sheet={"weapons": [SWORD]}))
    settings = {"pulse_movement": True, "resolution": "linear"}
    fight = Fight.new("segments", seed="7", settings=settings, board=board, joins=joins)
    fight.give("start")
    while fight.state.phase != "movement":
        fight.do(Advance())
    return fight


def plan(fight, squares):
    """Everybody means to go so many squares ahead."""
    board = fight.state.board
    for one in tuple(fight.state.combatants.values()):
        ahead = squares if one.side == "party" else -squares
        fight.do(Plan(who=one.id, to=board.at(one.at.col + ahead, one.at.row)))


def timed(work):
    """Milliseconds of CPU time, and what came of the work."""
    began = time.process_time()
    found = work()
    return 1000 * (time.process_time() - began), found


class Screen:
    """A window on the board, painted as a pane does it: only what differs from before."""

    def __init__(self, fight):
        self.fight = fight
        self.shown = picture_of(fight.state, fight.system)
        self.looks = Looks(self.shown, ZOOM, UNICODE)
        self.whole()

    def whole(self):
        self.rows = paint_looks(self.looks, ZOOM, 0, 0, *WINDOW)

    def paint(self):
        scene = picture_of(self.fight.state, self.fight.system)
        changed = changed_places(self.shown, scene)
        self.looks.move_on(scene, changed)
        self.shown = scene
        self.rows = repaint_places(self.looks, ZOOM, self.rows, 0, 0, WINDOW[0], changed)


def pulse(count):
    """Milliseconds of one Pulse's parts, of ways for a segment, and of the floors."""
    fight = crowd(count)
    far, _ = timed(lambda: plan(fight, 35))
    near, _ = timed(lambda: plan(fight, 4))
    screen = Screen(fight)
    run, entry = timed(lambda: fight.do(RunPulses(pulses=1)))
    moved = sum(one.type == "PulseMoved" for one in entry.events)
    assert moved == count, f"{moved} of {count} have moved"
    painted, _ = timed(screen.paint)
    copy = fold_floor(fight.state)
    folds, _ = timed(lambda: [copy() for _ in entry.events])
    bare, _ = timed(lambda: paint_board(picture_of(fight.state, fight.system), ZOOM, 0, 0, *WINDOW, UNICODE))
    return {"far": far, "near": near, "run": run, "painted": painted, "folds": folds, "bare": bare}


def figures(count, rounds):
    """The report of a crowd."""
    pulse(count)
    found = [pulse(count) for _ in range(rounds)]
    best = {name: min(one[name] for one in found) for name in found[0]}
    whole = min(one["near"] + one["run"] + one["painted"] for one in found)
    return [
        Figure(f"ways of a whole segment, {count} movers", best["far"], "ms"),
        Figure(f"ways of a Pulse, {count} movers", best["near"], "ms"),
        Figure(f"a Pulse run, {count} movers", best["run"], "ms", best["folds"]),
        Figure(f"a Pulse painted, {count} movers", best["painted"], "ms", best["bare"]),
        Figure(f"a whole Pulse, {count} movers", whole, "ms", None, 100),
    ]


def main():
    """Measure and print; the exit status is 1 where the aim is missed."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rounds", type=int, default=9)
    given = asked.parse_args()
    rows = [row for count in CROWDS for row in figures(count, given.rounds)]
    report(rows)
    return int(any(row.missed for row in rows))


if __name__ == "__main__":
    sys.exit(main())
