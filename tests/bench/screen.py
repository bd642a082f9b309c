"""What the screen costs, each figure beside an empty Textual app measured in the same run, turn and turn about.

    python tests/bench/screen.py [--starts 11] [--rounds 12]

Start: from starting the program in a pseudo-terminal to the first text of the fight. Keys: from the byte of the key
to the last byte that it causes, as a terminal sees it; commands among them are on disk first. Bytes: what a key has
written. Ratios are what counts: milliseconds are those of the machine, and on a busy one those computed say more.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

_ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(_ROOT / "tests" / "app"), str(_ROOT / "app"), str(_ROOT / "engine")]

from terminal import Terminal, environment, program

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

EMPTY = [sys.executable, str(Path(__file__).parent / "empty_app.py")]
PANES = [*EMPTY, "5"]
"""The empty app with as many panes as change where a key changes the fight: roster, board, ribbon, log and call bar."""
SIZE = (140, 40)
ROUND = (
    *("tab", "m", "l", "l", "u", "backspace", "l", "enter", "u", "U"),
    *("d", "enter", "2", "enter", ".", "u", "w", "u"),
    *("c", "enter", "s", "t", "3", "enter", "u", "u", "u"),
)
"""A GM's minute: a move walked and given, taken back and given again, harm, more harm, waiting, a condition."""
PATIENCE = 0.12
"""Silence after which a key's last byte has come."""


def new_fight(path, count, cols, rows):
    """A Stage fight in the first side's Move: so many combatants on a board with some ground to cross."""
    terrain = {Hex(q - r // 2, r): "mud" for q in range(cols) for r in range(rows) if (q * 7 + r * 3) % 11 == 0}
    board = ground(cols, rows, terrain)
    joins = []
    for number in range(count):
        side = "party" if number % 2 == 0 else "foe"
        row, column = number // 2 % rows, number // 2 // rows * 2
        col = 2 + column if side == "party" else cols - 3 - column
        strikes = [{"name": "bow", "kind": "missile", "needs": 12, "damage": "d6"}]
        sheet = {"hp": 20, "agility": 12, "strikes": strikes}
        joins.append(Join(name=f"{side.title()} {number}", side=side, at=Hex(col - row // 2, row), sheet=sheet))
    fight = Fight.new("stage", id=path.stem, name="Bench", seed="7", board=board, joins=joins, path=path)
    fight.give("start")
    while fight.state.phase != "move":
        fight.give("advance")
    fight.close()
    return path


def ground(cols, rows, terrain):
    """A hex board with mud here and there."""
    from fightcall_engine.board.base import Terrain

    return HexBoard(cols=cols, rows=rows, terrain=terrain, legend={"mud": Terrain("mud", '"', cost=2)})


def ford(path):
    """The encounter that comes along, as it begins."""
    start_fight(load_encounter("ambush-at-the-ford"), id=path.stem, seed="7", path=path).close()
    return path


def as_installed(home):
    """The environment of a program whose bytecode is on disk, as pip leaves it, whatever is set for the tests."""
    return environment(home, PYTHONDONTWRITEBYTECODE="", PYTHONPYCACHEPREFIX=str(home / "bytecode"))


def start_times(command, env, *stages):
    """Milliseconds until the words of each stage are there."""
    with Terminal(command, env, SIZE) as terminal:
        return [1000 * (terminal.wait_for(*words) - terminal.began) for words in stages]


def starts(home, times):
    """Milliseconds to the empty app's text, to the first text on the way to a fight, and to all of the fight."""
    env = as_installed(home)
    fight = program("play", str(ford(home / "ford.jsonl")))
    found = {"empty": [], "first": [], "fight": []}
    for number in range(times + 1):
        (empty,) = start_times(EMPTY, env, ["Hello, world"])
        first, whole = start_times(fight, env, ["ford"], ["Ysolde", "Archer", "space"])
        if number:
            found["empty"].append(empty)
            found["first"].append(first)
            found["fight"].append(whole)
    return found


def key_cost(terminal, key):
    """Milliseconds to the last byte after a key, how many bytes there were, and milliseconds computed."""
    before, computed = len(terminal.output), terminal.cpu()
    terminal.last = sent = time.perf_counter()
    terminal.send(key)
    last = terminal.quiet(PATIENCE)
    return 1000 * (last - sent), len(terminal.output) - before, 1000 * (terminal.cpu() - computed)


def keys(home, rounds):
    """(key, milliseconds, bytes, milliseconds computed) of each key in both empty apps and in two fights, in turns."""
    env = as_installed(home)
    fights = {12: new_fight(home / "f12.jsonl", 12, 16, 12), 100: new_fight(home / "f100.jsonl", 100, 40, 30)}
    with (
        Terminal(EMPTY, env, SIZE) as empty,
        Terminal(PANES, env, SIZE) as panes,
        Terminal(program("play", str(fights[12])), env, SIZE) as few,
        Terminal(program("play", str(fights[100])), env, SIZE) as many,
    ):
        empty.wait_for("Hello")
        panes.wait_for("Hello")
        few.wait_for("Party 0", "space")
        many.wait_for("Party 0", "space")
        terminals = {"empty": empty, "panes": panes, "12": few, "100": many}
        found = {name: [] for name in terminals}
        for terminal in terminals.values():
            terminal.quiet(0.6)
        for number in range(rounds + 1):
            for key in ROUND:
                for name, terminal in terminals.items():
                    cost = key_cost(terminal, key)
                    if number and cost[1]:
                        found[name].append((key, *cost))
        return found


def p95(values):
    """The value that one in twenty is above."""
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def row(name, values, floor, aim):
    """One line of the table."""
    middle = statistics.median(values)
    print(f"{name:34} {middle:8.1f} {p95(values):8.1f} {middle / floor:8.2f}   {aim}")


def main():
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--starts", type=int, default=11)
    asked.add_argument("--rounds", type=int, default=6)
    asked.add_argument(
        "--each", action="store_true", help="also what each key costs, and how many times the empty app's"
    )
    given = asked.parse_args()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, terminal {SIZE}")
    print(f"{'':34} {'median':>8} {'p95':>8} {'ratio':>8}   aim")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if given.starts:
            found = starts(home, given.starts)
            floor = statistics.median(found["empty"])
            row("start: empty app, ms", found["empty"], floor, "")
            row("start: first text, ms", found["first"], floor, "ratio <= 1.3")
            row("start: the whole fight, ms", found["fight"], floor, "ratio <= 2")
        if given.rounds:
            show_keys(keys(home, given.rounds), given.each)


def show_keys(found, each):
    """The table of the keys."""
    for what, place in (("key", 1), ("computed", 3)):
        floor = statistics.median(one[place] for one in found["empty"])
        row(f"{what}: empty app, ms", [one[place] for one in found["empty"]], floor, "")
        row(f"{what}: empty app of 5 panes, ms", [one[place] for one in found["panes"]], floor, "")
        row(f"{what}: 12 combatants, ms", [one[place] for one in found["12"]], floor, "ratio <= 2")
        row(f"{what}: 100 combatants, ms", [one[place] for one in found["100"]], floor, "p95 <= 16.7 ms")
    for name in ("12", "100"):
        sizes = [one[2] for one in found[name]]
        floor = statistics.median(one[2] for one in found["empty"])
        row(f"bytes: {name} combatants", sizes, floor, f"<= 45056 each; most {max(sizes)}")
    if each:
        floor = [statistics.median(cost[place] for cost in found["empty"]) for place in (1, 3)]
        for name in ("empty", "12", "100"):
            print(f"\n{name:10} {'ms':>7} {'ratio':>6} {'worst':>7} {'bytes':>7} {'computed':>9} {'ratio':>6}")
            for key in dict.fromkeys(ROUND):
                costs = [cost[1:] for cost in found[name] if cost[0] == key]
                if costs:
                    show_key(key, costs, *floor)


def show_key(key, costs, floor, floor_computed):
    """One line for a key; its bytes are the most that it has written."""
    took, computed = (statistics.median(cost[place] for cost in costs) for place in (0, 2))
    worst, size = (max(cost[place] for cost in costs) for place in (0, 1))
    ratios = took / floor, computed / floor_computed
    print(f"{key:10} {took:7.1f} {ratios[0]:6.2f} {worst:7.1f} {size:7} {computed:9.1f} {ratios[1]:6.2f}")


if __name__ == "__main__":
    main()
