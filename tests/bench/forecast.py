"""How many fights of a forecast are played in a second, by system, and where the time goes.

    python tests/bench/forecast.py [--fights 10] [ENCOUNTER...]

Without names, every shipped encounter, and how long one among a hundred takes to choose an act: a frame at most. Times
are CPU time of this process, so other programs do not count. The aims are for two idle cores: 200 fights of
ambush-at-the-ford in a minute, of first-segment in three. Where the time goes is the share of each part of the engine
in its own functions; what those call in Python's library counts as `python`.
"""

import argparse
import cProfile
import pstats
import sys
import time
from collections import Counter
from pathlib import Path
from statistics import median

_ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(_ROOT / "app"), str(_ROOT / "engine"), str(Path(__file__).parent)]

from crowds import PHASES, crowd

from engine import Figure, report
from fightcall_engine.archive.encounters import load_encounter, shipped_encounters, start_fight
from fightcall_engine.model.values import replace
from fightcall_engine.play.foes import acting_ids, suggest
from fightcall_engine.play.forecast import count_outcomes, play_out

CORES, FIGHTS = 2, 200
FRAME_MS = 16.7
AIMS = {"ambush-at-the-ford": 60, "first-segment": 180}
"""Seconds for a forecast, by encounter."""
PARTS = ("play/foe", "play", "kit", "model", "board", "systems", "homebrew")


def part_of(filename):
    """The part of the engine that a file belongs to."""
    inside = Path(filename).as_posix().rpartition("fightcall_engine/")[2] if "fightcall_engine" in filename else ""
    return next((part for part in PARTS if inside.startswith(part)), "python")


def shares(fight, numbers):
    """How much of the time is spent in the functions of each part, from 0 to 1."""
    profile = cProfile.Profile()
    profile.enable()
    for number in numbers:
        play_out(fight.system, fight.state, number)
    profile.disable()
    spent = Counter()
    for (filename, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():
        spent[part_of(filename)] += own
    return {part: seconds / spent.total() for part, seconds in spent.most_common()}


def measure(path, fights):
    """Measure an encounter: its fights, their time, and where that goes."""
    fight = start_fight(load_encounter(path), id="bench", seed="1")
    play_out(fight.system, fight.state, fights)
    start = time.process_time()
    outcomes = [play_out(fight.system, fight.state, number) for number in range(fights)]
    seconds = (time.process_time() - start) / fights
    limit = AIMS.get(path.stem)
    aim = None if limit is None else limit * CORES / FIGHTS * 1000
    rounds = sum(outcome.rounds for outcome in outcomes) / fights
    rows = [
        Figure(f"{fight.state.system}: {path.stem}, a fight", seconds * 1000, "ms", None, aim),
        Figure("  fights a second on two cores", CORES / seconds, ""),
        Figure("  rounds of a fight", rounds, ""),
    ]
    report(rows)
    print(*(f"    {part} {share:.0%}" for part, share in shares(fight, range(min(fights, 2))).items()), sep="")
    faults = count_outcomes(outcomes).faults
    for fault, count in faults.items():
        print(f"    refused {count} times: {fault}")
    return rows[0].missed or bool(faults)


def choosing(system, times=9):
    """How long it takes to choose an act for one among a hundred, the usual time of several; nothing is remembered."""
    fight = crowd(system, 100)
    who = acting_ids(fight.system, fight.state)[0]
    took = []
    for _ in range(times):
        state = replace(fight.state)
        start = time.process_time()
        suggest(fight.system, state, who)
        took.append(time.process_time() - start)
    row = Figure(f"{system}: an act of one among 100", median(took) * 1000, "ms", None, FRAME_MS)
    report([row])
    return row.missed


def main():
    """Measure everything; the exit code is 1 if an aim is missed, or a suggestion was refused."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("encounters", nargs="*")
    parser.add_argument("--fights", type=int, default=10)
    arguments = parser.parse_args()
    paths = [file.path for file in shipped_encounters()]
    wanted = [path for path in paths if not arguments.encounters or path.stem in arguments.encounters]
    missed = [measure(path, arguments.fights) for path in wanted]
    missed += [] if arguments.encounters else [choosing(system) for system in PHASES]
    return int(any(missed))


if __name__ == "__main__":
    sys.exit(main())
