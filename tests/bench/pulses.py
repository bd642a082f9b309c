"""What a Pulse of movement costs from the key to the painted rows, with a whole crowd on its way.

    python tests/bench/pulses.py [--rounds 8]

Everybody on a map of 100 x 100 squares has planned a way that crosses those of the other side. A Pulse is decided, with
its checks for ways that cross, folded and written as a journal would have it; the scene is made, compared with the one
before, and what changed is painted in a window of 200 x 60 cells. Where ways cross play stops and the rest of the Pulse
waits, so that only Pulses in which the whole crowd moves count here. The floor is the same window painted whole. The
exit status is 1 where a Pulse of a hundred takes 100 ms or more.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

_ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(_ROOT / "app"), str(_ROOT / "engine")]

from fightcall.paint.board import FAMILIES, paint_board, paint_looks, rows_of_place
from fightcall.paint.boardview import board_scene, changed_places
from fightcall.paint.glyphs import UNICODE
from fightcall.paint.looks import Looks
from fightcall_engine.board.squareboard import SquareBoard
from fightcall_engine.commands import Advance, Join
from fightcall_engine.fight import Fight

SIDE, WINDOW, CROWDS, AIM_MS = 100, (200, 60), (12, 40, 100), 100.0


def crowd(count):
    """A fight of so many in the first Pulse: one side goes east, the other west, on rows beside each other."""
    board = SquareBoard(SIDE, SIDE)
    joins = [
        Join(
            name=f"Mover {number}",
            side=("party", "foe")[number % 2],
            at=board.at(30 if number % 2 == 0 else 60, number % SIDE),
            facing=0 if number % 2 == 0 else 4,
        )
        for number in range(count)
    ]
    fight = Fight.new("segments", seed="7", board=board, joins=joins, settings={"pulse_movement": True})
    fight.give("start")
    fight.give("advance")
    while fight.state.step.kind == "declare":
        one = fight.state.combatants[fight.state.step.actor]
        east = one.side == "party"
        way = [[one.at.col + (step if east else -step), one.at.row] for step in range(1, 36)]
        fight.give("declare", who=one.id, action="move")
        fight.give("plan", who=one.id, path=way)
        fight.give("advance")
    return fight


def painted(scene, shown, looks, zoom):
    """Paint what differs from the scene shown before; returns the looks to go on from."""
    changed = changed_places(shown, scene) if shown is not None else None
    if changed is None:
        looks = Looks(scene, zoom, UNICODE)
        paint_looks(looks, zoom, 0, 0, *WINDOW)
        return looks
    looks.move_on(scene, changed)
    rows = sorted({row for place in changed for row in rows_of_place(zoom, *place)})
    for row in (row for row in rows if row < WINDOW[1]):
        paint_looks(looks, zoom, 0, row, WINDOW[0], 1)
    return looks


def pulses(count, rounds):
    """Milliseconds of each Pulse in which the whole crowd moves: in the engine, and painting it."""
    zoom = FAMILIES[SquareBoard.shift][1]
    engine, painting = [], []
    for _ in range(rounds):
        fight = crowd(count)
        shown = board_scene(fight.state, fight.system)
        looks = painted(shown, None, None, zoom)
        while fight.state.step is not None and fight.state.step.kind == "pulse":
            began = time.perf_counter()
            fight.do(Advance())
            decided = time.perf_counter()
            scene = board_scene(fight.state, fight.system)
            looks = painted(scene, shown, looks, zoom)
            ended = time.perf_counter()
            shown = scene
            if sum(one.type == "PulseMoved" for one in fight.head.events) == count:
                engine.append((decided - began) * 1e3)
                painting.append((ended - decided) * 1e3)
    return engine, painting


def floor(count):
    """Milliseconds of painting the whole window."""
    fight = crowd(count)
    scene, zoom = board_scene(fight.state, fight.system), FAMILIES[SquareBoard.shift][1]
    took = []
    for _ in range(5):
        began = time.perf_counter()
        paint_board(scene, zoom, 0, 0, *WINDOW, UNICODE)
        took.append((time.perf_counter() - began) * 1e3)
    return min(took)


def main():
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=4)
    rounds = parser.parse_args().rounds
    missed = False
    for count in CROWDS:
        engine, painting = pulses(count, rounds)
        both = [one + other for one, other in zip(engine, painting, strict=True)]
        least = floor(count)
        middle = statistics.median(both)
        late = count == CROWDS[-1] and middle >= AIM_MS
        missed = missed or late
        print(
            f"a Pulse of {count:3} movers: engine {statistics.median(engine):6.1f} ms, painted "
            f"{statistics.median(painting):5.1f} ms, both {middle:6.1f} ms (worst {max(both):.1f}), "
            f"{middle / least:5.2f} x the window painted whole ({least:.1f} ms)"
            f"{f'  aim {AIM_MS:g} ms MISSED' if late else ''}",
            flush=True,
        )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
