"""What a board costs to paint when everybody on it moves at once, hexes beside squares in the same run.

    python tests/bench/board.py [--rounds 30]

A hundred movers on a map of 100 x 100, each a step further: the scene is made from the fight, compared with the one
before, and what changed is painted in a window of 200 x 60 cells. The floor is the same window painted whole, of hexes.
"""

import argparse
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

_ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(_ROOT / "app"), str(_ROOT / "engine")]

from fightcall.paint.board import Looks, paint_board, paint_looks, repaint_places
from fightcall.paint.geometry import FAMILIES
from fightcall.paint.runs import UNICODE
from fightcall.paint.scenes import changed_places, picture_of
from fightcall_engine.board.kinds import HexBoard, SquareBoard
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

SIDE, MOVERS, WINDOW = 100, 100, (200, 60)


def pulses(kind, count):
    """States of a fight on a map of this kind, everybody one place further east in each."""
    board = kind(SIDE, SIDE)
    joins = [
        Join(name=f"Mover {number}", side=("party", "foe")[number % 2], at=board.at(1, number % SIDE))
        for number in range(MOVERS)
    ]
    fight = Fight.new("turns", board=board, joins=joins)
    state = fight.state
    for step in range(count):
        people = {
            who: replace(one, at=board.at(1 + step, number), facing=0)
            for number, (who, one) in enumerate(state.combatants.items())
        }
        yield replace(state, combatants=people), fight.system


def painting(kind, rounds):
    """Milliseconds of each pulse: the scene, what differs, and the rows that show it."""
    zoom = FAMILIES[kind.shift][1]
    shown, looks, rows, took = None, None, (), []
    for state, system in pulses(kind, rounds):
        began = time.perf_counter()
        scene = picture_of(state, system)
        changed = changed_places(shown, scene) if shown is not None else None
        if changed is None:
            looks = Looks(scene, zoom, UNICODE)
            rows = paint_looks(looks, zoom, 0, 0, *WINDOW)
        else:
            looks.move_on(scene, changed)
            rows = repaint_places(looks, zoom, rows, 0, 0, WINDOW[0], changed)
            took.append(1000 * (time.perf_counter() - began))
        shown = scene
    return took


def whole(rounds):
    """Milliseconds to paint the window of hexes from nothing."""
    took = []
    for state, system in pulses(HexBoard, rounds):
        scene = picture_of(state, system)
        began = time.perf_counter()
        paint_board(scene, FAMILIES[1][1], 0, 0, *WINDOW, UNICODE)
        took.append(1000 * (time.perf_counter() - began))
    return took


def main():
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rounds", type=int, default=30)
    given = asked.parse_args()
    floor = statistics.median(whole(given.rounds))
    print(f"{'':40} {'median':>8} {'worst':>8} {'ratio':>8}   aim")
    print(f"{'a window of hexes from nothing, ms':40} {floor:8.1f} {'':8} {1:8.2f}")
    for kind in (HexBoard, SquareBoard):
        took = painting(kind, given.rounds)
        middle = statistics.median(took)
        name = f"{MOVERS} movers on {kind.words[1]}, ms"
        print(f"{name:40} {middle:8.1f} {max(took):8.1f} {middle / floor:8.2f}   <= 50 ms")


if __name__ == "__main__":
    main()
