"""The fights of a forecast, played in a process of their own: a job in, and a line for each fight out.

``python -m fightcall_engine.forecasts`` reads a `Job` as a line of JSON from standard input. It writes nothing
to disk, and ends when nobody reads its lines any more.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from fightcall_engine.model.json_data import json_object, read
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen, utc_now
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.forecast import FIGHTS, ROUNDS, SEED, Outcome, play_out
from fightcall_engine.play.timeline import Start

POLITENESS = 10
"""How much less urgent these processes are than others, so that the screen gets a core at once when it needs one."""


@frozen
class Job:
    """What to play.

    Attributes:
        start: the start of a new fight, as the first line of a journal; empty if the fight is saved.
        journal: the path of a saved fight's journal; empty for a new fight.
        entry: the number of the entry of the saved fight to play on from, on any branch; 0 for its beginning.
        fights: how many fights to play.
        rounds: the most rounds of each.
        seed: the seed of the dice.
        first: the number of the first fight to play.
        step: how many fights further the next one is: with two processes, each plays every second fight.
    """

    start: Mapping[str, Json] | None = None
    journal: str = ""
    entry: int = 0
    fights: int = FIGHTS
    rounds: int = ROUNDS
    seed: str = SEED
    first: int = 0
    step: int = 1


def job_of_new(fight: Fight, *, fights: int = FIGHTS, rounds: int = ROUNDS, seed: str = SEED) -> Job:
    """The job of a fight that has not begun and is not saved."""
    start = fight.start.header(utc_now())
    return Job(start=start, fights=fights, rounds=rounds, seed=seed)


def job_from_here(fight: Fight, *, fights: int = FIGHTS, rounds: int = ROUNDS, seed: str = SEED) -> Job:
    """The job of a saved fight from where it stands, in the branch that is played."""
    assert fight.path is not None
    return Job(journal=str(fight.path), entry=fight.head_number, fights=fights, rounds=rounds, seed=seed)


def play_job(job: Job) -> Iterator[Outcome]:
    """Play the fights of a job, one after the other.

    Raises:
        FightCallError, OSError: the fight cannot be opened.
    """
    fight = _open(job)
    for number in range(job.first, job.fights, job.step):
        yield play_out(fight.system, fight.state, number, seed=job.seed, rounds=job.rounds)


def _open(job: Job) -> Fight:
    if job.start is not None:
        return Fight(Start.from_header(job.start))
    fight = Fight.watch(Path(job.journal)).copy()
    fight.jump(job.entry)
    return fight


def main() -> None:
    """Play the job that comes in by standard input."""
    if hasattr(os, "nice"):
        os.nice(POLITENESS)
    job = read(Job, json.loads(sys.stdin.readline()), "job")
    for outcome in play_job(job):
        print(json.dumps(json_object(outcome)), flush=True)


if __name__ == "__main__":
    main()
