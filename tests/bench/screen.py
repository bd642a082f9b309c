"""What the screen costs, each figure beside an empty Textual app measured in the same run, turn and turn about.

    python tests/bench/screen.py [--starts 11] [--rounds 12]

Start: from starting the program in a pseudo-terminal to the first text of the fight. Keys: from the byte of the key
to the last byte that it causes, as a terminal sees it, in fights of all four systems (`crowds.py`); commands among them
are on disk first. After each key the program has a pause, in which it works out what the next key may need; what it
computes then counts as computed, not as the key's time. Bytes: what a key has written. Ratios are what counts:
milliseconds are those of the machine.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path

_ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(_ROOT / "tests" / "app"), str(_ROOT / "app"), str(_ROOT / "engine")]

from crowds import KEYS, crowd
from terminal import Terminal, environment, program

from fightcall_engine.archive.encounters import load_encounter, start_fight

EMPTY = [sys.executable, str(Path(__file__).parent / "empty_app.py")]
PANES = [*EMPTY, "5"]
"""The empty app with as many panes as change where a key changes the fight: roster, board, ribbon, log and call bar."""
SIZE = (140, 40)
PATIENCE = 0.06
"""Silence, and a program that computes nothing, for so long: a key's last byte has come."""


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
    last, is_busy = sent, True
    while is_busy:
        begun = terminal.cpu()
        last = terminal.quiet(PATIENCE)
        is_busy = terminal.cpu() - begun > 0.001
    return 1000 * (last - sent), len(terminal.output) - before, 1000 * (terminal.cpu() - computed)


FIGHTS = {"stage, 12": ("stage", 12), **{f"{system}, 100": (system, 100) for system in KEYS}}
"""System and number of combatants of the fights in which keys are measured."""


def keys(home, rounds):
    """(key, milliseconds, bytes, milliseconds computed) of each key in both empty apps and in all fights, in turns."""
    env = as_installed(home)
    programs = {"empty app": (EMPTY, "Hello", KEYS["stage"]), "empty app of 5 panes": (PANES, "Hello", KEYS["stage"])}
    for name, (system, count) in FIGHTS.items():
        path = home / f"{system}-{count}.jsonl"
        crowd(system, count, path).close()
        programs[name] = program("play", str(path)), "space", KEYS[system]
    found = {name: [] for name in programs}
    with ExitStack() as opened:
        terminals = {name: opened.enter_context(Terminal(each[0], env, SIZE)) for name, each in programs.items()}
        for name, terminal in terminals.items():
            terminal.wait_for(programs[name][1])
            terminal.quiet(0.6)
        for number in range(rounds + 1):
            for row_of_keys in zip_longest(*(each[2] for each in programs.values())):
                for (name, terminal), key in zip(terminals.items(), row_of_keys, strict=True):
                    cost = key_cost(terminal, key) if key else (0, 0, 0)
                    if number and cost[1]:
                        found[name].append((key, *cost))
        return found


def p95(values):
    """The value that one in twenty is above."""
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def row(name, values, floor, aim):
    """One line of the table: median, p95 and worst, in units and in floors."""
    found = statistics.median(values), p95(values), max(values)
    print(f"{name:34}", *(f"{each:8.1f}" for each in found), *(f"{each / floor:7.2f}" for each in found), f"  {aim}")


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
    print(f"{'':34} {'median':>8} {'p95':>8} {'worst':>8} {'in floors: median, p95, worst':>23}   aim")
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
        floor = statistics.median(one[place] for one in found["empty app"])
        for name, costs in found.items():
            aim = "p95 <= 16.7 ms, worst <= 33 ms" if what == "key" and name.endswith(" 100") else ""
            row(f"{what}: {name}, ms", [one[place] for one in costs], floor, aim)
    for name in FIGHTS:
        sizes = [one[2] for one in found[name]]
        floor = statistics.median(one[2] for one in found["empty app"])
        row(f"bytes: {name}", sizes, floor, "<= 45056 each")
    if each:
        floor = [statistics.median(cost[place] for cost in found["empty app"]) for place in (1, 3)]
        for name in ("empty app", *FIGHTS):
            print(f"\n{name:13} {'ms':>7} {'ratio':>6} {'worst':>7} {'bytes':>7} {'computed':>9} {'ratio':>6}")
            for key in dict.fromkeys(cost[0] for cost in found[name]):
                show_key(key, [cost[1:] for cost in found[name] if cost[0] == key], *floor)


def show_key(key, costs, floor, floor_computed):
    """One line for a key; its bytes are the most that it has written."""
    took, computed = (statistics.median(cost[place] for cost in costs) for place in (0, 2))
    worst, size = (max(cost[place] for cost in costs) for place in (0, 1))
    ratios = took / floor, computed / floor_computed
    print(f"{key:13} {took:7.1f} {ratios[0]:6.2f} {worst:7.1f} {size:7} {computed:9.1f} {ratios[1]:6.2f}")


if __name__ == "__main__":
    main()
