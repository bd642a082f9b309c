"""How long the engine takes, as ratios to floors measured in the same run.

    python tests/bench/engine.py [--quick] [FOLDER]

The floors:

* fold: what any immutable state pays for one number: a copy of the dict of combatants with one exchanged, its pools
  likewise, and `dataclasses.replace` of the combatant and the state.
* disk: `write` and `fdatasync` of a line of the same length in the same folder (FOLDER, or that of temporary files).
* json: `json.loads` and CRC-32 of the same lines; for loading a whole fight also the floor of folding each event.

Every figure is taken in turn with its floor and with its rivals, because shared machines drift; the least of several
rounds counts, in CPU time, and for the disk the median by the clock. The program's exit status is 1 where an aim is
missed.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from zlib import crc32

from fightcall_engine.archive.journal import Journal, read_journal
from fightcall_engine.model.commands import Damage, Heal, Join, Start
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import FightState, Pool
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.history import EVERY

CROWDS = (12, 100)
MORE_CROWDS = {"segments": (12, 40, 100)}
SYSTEMS = ("stage", "slots", "turns", "segments")
LENGTHS = (100, 1_000, 10_000, 100_000)
ROUNDS = 7
Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report. `floor` and `aim` are empty where the figure stands for itself."""

    name: str
    value: float
    unit: str
    floor: float | None = None
    aim: float | None = None

    @property
    def ratio(self) -> float | None:
        """The value in floors."""
        return self.value / self.floor if self.floor else None

    @property
    def missed(self) -> bool:
        """True where the aim is."""
        compared = self.ratio if self.floor else self.value
        return self.aim is not None and compared is not None and compared > self.aim


def least(works: Mapping[str, Work], times: int, rounds: int = ROUNDS) -> dict[str, float]:
    """Microseconds for each work, done `times` in turn with the others; the least of all rounds."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            start = time.process_time()
            for _ in range(times):
                work()
            best[name] = min(best[name], (time.process_time() - start) / times * 1e6)
    return best


def crowd(count: int, path: Path | None = None, system: str = "stage") -> Fight:
    """A fight of so many, begun."""
    sheet = {"move": {"full": 12}} if system == "segments" else {"hp": 9000}
    joins = [
        Join(name=f"Figure {number}", side="party" if number % 2 else "foe", sheet=sheet) for number in range(count)
    ]
    fight = Fight.new(system, seed="7", joins=joins, path=path, clock=lambda: "2024-05-01T18:00:00+00:00")
    fight.give("start")
    return fight


class Hands:
    """A GM who gives one quick command after the other, each of one event, and never runs out."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self._names = tuple(fight.state.combatants)
        self._count = 0

    def __call__(self) -> None:
        self._count += 1
        who = self._names[self._count // 2 % len(self._names)]
        self.fight.do(Damage(who=who, amount=3) if self._count % 2 else Heal(who=who, amount=3))


def long_fight(count: int, length: int) -> Fight:
    """A fight in memory whose line has at least so many events."""
    fight = crowd(count)
    hands = Hands(fight)
    while len(fight.line) < length:
        hands()
    return fight


def fold_floor(state: FightState) -> Work:
    """See the module's docstring."""
    who = next(iter(state.combatants))

    def work() -> FightState:
        one = state.combatants[who]
        hurt = replace(one, pools={**one.pools, "hp": Pool(3, 9)})
        return replace(state, combatants={**state.combatants, who: hurt})

    return work


def commands_and_folds(count: int, system: str = "stage") -> list[Figure]:
    """A command in memory and the fold of one event, in floors of copying."""
    fight = crowd(count, system=system)
    mixed = mixed_fight(count) if system == "stage" else played_fight(system, count)
    start, events = mixed.line.seek(0), tuple(mixed.line.events())
    works: dict[str, Work] = {"do": Hands(fight), "floor": fold_floor(fight.state)}
    found = least(works, 300)
    folded = least({"fold": lambda: fold_all(start, events), "floor": _times(works["floor"], len(events))}, 1)
    each = {name: taken / len(events) for name, taken in folded.items()}
    return [
        Figure(f"command in memory, {count} combatants", found["do"], "us", found["floor"], 12),
        Figure(f"fold of an event, {count} combatants", each["fold"], "us", each["floor"], 2.5),
    ]


def acts(count: int, system: str) -> list[Figure]:
    """What the engine does between two keys of a GM: an act or step as played, and the list of what is possible."""
    fight = played_fight(system, count, 40)
    works: dict[str, Work] = {"floor": fold_floor(fight.state)}
    floor = least(works, 300)["floor"]
    begun = len(fight.line.entries)
    start = time.process_time()
    play_on(fight, 200)
    each = (time.process_time() - start) / (len(fight.line.entries) - begun) * 1e6
    who = (fight.system.waiting(fight.state) or tuple(fight.state.combatants))[0]
    # A copy, because the options of a state that was asked about are known.
    listed = least({"options": lambda: fight.system.options(replace(fight.state), who)}, 50)["options"]
    return [
        Figure(f"an act or step as played, {count} combatants", each, "us", floor),
        Figure(f"the options of one combatant, {count} combatants", listed, "us", floor),
    ]


ARMED = {
    "weapons": [
        {"name": "sword", "av": 40, "size": 4, "effects": ["edge", "point"]},
        {"name": "targe", "kind": "shield", "hand": "L", "av": 30, "dr": 4},
    ],
    "armour": [{"type": "mail", "family": "mail", "dr": 6}, {"type": "aketon", "family": "padded", "dr": 3}],
    "dodge": 20,
    "msta": 16,
    "pres": 5,
}
"""Armed so that a hit is parried, dented, felt: each link of its chain has something to do."""


ANSWERED = 2
"""How many questions of a hit have been answered when the fight is closed. Another one is open."""


def due_strike(count: int, path: Path | None = None) -> Fight:
    """Combat Segments of so many in armour; the strike of the first of them is due, and another after it."""
    joins = [
        Join(name=f"Figure {number}", side="party" if number % 2 else "foe", sheet=ARMED) for number in range(count)
    ]
    settings = {"resolution": "linear", "armour_wear": True}
    clock = "2024-05-01T18:00:00+00:00"
    fight = Fight.new("segments", seed="7", settings=settings, joins=joins, path=path, clock=lambda: clock)
    fight.give("start")
    for number in range(count):
        fight.give("initiative", who=f"figure-{number}", total=count - number)
    for who in ("figure-0", "figure-1"):
        while fight.state.step is None or fight.state.step.actor != who:
            fight.give("advance")
        fight.give("declare", who=who, target="figure-2" if who == "figure-1" else "figure-1")
    while fight.state.step is None or fight.state.step.kind != "resolve":
        fight.give("advance")
    return fight


def is_asked(fight: Fight) -> bool:
    """Return whether a question blocks play."""
    return any(prompt.blocking for prompt in fight.state.prompts)


def hit_chains(count: int) -> list[Figure]:
    """A blow from its roll to the last check that it asks for: POT, knock-back, armour, wounds, feet, pain, stun."""
    fight = due_strike(count)
    before, best, events = len(fight.line.entries), float("inf"), 0
    for _ in range(20 * ROUNDS):
        start = time.process_time()
        fight.give("resolve", who="figure-0", target="figure-1", hit=True)
        while is_asked(fight):
            fight.give("answer", choice="made")
        best = min(best, (time.process_time() - start) * 1e6)
        chain = fight.line.entries[before:]
        events = sum(len(entry.events) for entry in chain)
        fight.undo(len(chain))
    floor = least({"floor": _times(fold_floor(fight.state), events)}, 20)["floor"]
    return [Figure(f"a hit and the {events} facts it leads to, {count} combatants", best, "us", floor, 7)]


def _times(work: Work, times: int) -> Work:
    def repeated() -> None:
        for _ in range(times):
            work()

    return repeated


def mixed_fight(count: int, path: Path | None = None, moments: int = 4) -> Fight:
    """Some Moments as they are played: talk, shots, walks, blows, conditions, and the agenda's own events."""
    fight = crowd(count, path)
    foes = [one.id for one in fight.state.combatants.values() if one.side == "foe"]
    for _ in range(moments):
        fight.give("nexthalf", until="missile")
        for at, who in enumerate(("figure-1", "figure-3", "figure-5")):
            fight.give("shoot", who=who, target=foes[at], needs=11, damage="d6")
        fight.give("nexthalf", until="move")
        for who in ("figure-1", "figure-3", "figure-5"):
            fight.give("move", who=who, hexes=3)
            fight.give("addeffect", who=who, name="slow", rounds=2)
        fight.give("nexthalf", until="management")
        while fight.state.step is not None:
            fight.give("advance")
        fight.give("advance")
    return fight


def durable(folder: Path, count: int, times: int) -> Figure:
    """A command that is on the disk when it returns, beside a bare write and sync of as many bytes."""
    fight = crowd(count, folder / f"durable-{count}.jsonl")
    hands = Hands(fight)
    hands()
    line = (folder / f"durable-{count}.jsonl").read_bytes().splitlines(keepends=True)[-1]
    bare = os.open(folder / f"bare-{count}", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    taken: dict[str, list[float]] = {"do": [], "floor": []}
    for _ in range(times):
        start = time.perf_counter()
        os.write(bare, line)
        os.fdatasync(bare)
        between = time.perf_counter()
        hands()
        taken["floor"].append(between - start)
        taken["do"].append(time.perf_counter() - between)
    os.close(bare)
    fight.close()
    middle = {name: statistics.median(found) * 1e6 for name, found in taken.items()}
    return Figure(f"durable command, {count} combatants", middle["do"], "us", middle["floor"], 1.5)


def played_fight(system: str, count: int, length: int = 400, path: Path | None = None) -> Fight:
    """A fight of any system with so many entries: questions answered as proposed, then the first thing on offer."""
    fight = crowd(count, path, system)
    play_on(fight, length)
    return fight


def play_on(fight: Fight, entries: int) -> None:
    """So many entries more; every third goes on to the next step whoever could still act."""
    end = len(fight.line.entries) + entries
    while len(fight.line.entries) < end:
        state = fight.state
        asked = next((one for one in state.prompts if one.blocking), None)
        waiting = fight.system.waiting(state)
        offered = [one for one in fight.options(waiting[0]) if one.legal and not one.inputs] if waiting else []
        if state.status == "closed":
            fight.undo(len(fight.line.entries) // 2)
        elif asked is not None:
            choice = asked.default or (asked.choices[0].id if asked.choices else "")
            fight.give("answer", prompt=asked.id, choice=choice, amount=None if choice else 10)
        elif offered and len(fight.line.entries) % 3:
            first = offered[len(fight.line.entries) // 3 % len(offered)]
            fight.give(first.command, **{**_whose(fight, first.command, waiting[0]), **first.fixed})
        else:
            fight.give("advance")


def _whose(fight: Fight, command: str, who: str) -> Mapping[str, str]:
    """Whose act a command is, where it is somebody's."""
    kind = next(kind for kind in fight.codec.command_kinds.values() if kind.__name__ == command)
    return {"who": who} if any(one.name == "who" for one in fields(kind)) else {}


def loading(folder: Path, count: int, system: str = "stage") -> list[Figure]:
    """A saved fight read, checked and folded; and the part of it that reads lines."""
    path = folder / f"load-{system}-{count}.jsonl"
    fight = mixed_fight(count, path, moments=20) if system == "stage" else played_fight(system, count, 400, path)
    events = len(fight.line)
    fight.close()
    lines = path.read_bytes().splitlines()

    def floor() -> None:
        for line in lines:
            crc32(line)
            json.loads(line)

    works: dict[str, Work] = {
        "load": lambda: Fight.watch(path),
        "lines": lambda: read_journal(path),
        "fold": _times(fold_floor(fight.state), events),
        "floor": floor,
    }
    found = {name: taken / events for name, taken in least(works, 1, 5).items()}
    both = found["floor"] + found["fold"]
    return [
        Figure(f"load and verify, an event, {count} combatants", found["load"], "us", both, 3),
        Figure("  the same, in floors without the fold", found["load"], "us", found["floor"]),
        Figure("  of it the lines", found["lines"], "us", found["floor"], 2),
    ]


def reopening(folder: Path, count: int, system: str) -> Figure:
    """What an open question adds to reopening a fight, where the act that asked is decided again."""
    asked, unasked = folder / f"asked-{system}-{count}.jsonl", folder / f"unasked-{system}-{count}.jsonl"
    if system == "segments":
        fight = due_strike(count, asked)
        shutil.copyfile(asked, unasked)
        fight.give("resolve", who="figure-0", target="figure-1", hit=True)
        for _ in range(ANSWERED):
            fight.give("answer", choice="made")
    else:
        fight = played_fight(system, count, 400, asked)
        while is_asked(fight):
            play_on(fight, 1)
        while not is_asked(fight):
            shutil.copyfile(asked, unasked)
            play_on(fight, 1)
    if not is_asked(fight):
        raise RuntimeError(f"nothing is asked in {asked.name}")
    fight.close()
    found = least({path.name: lambda path=path: Fight.watch(path).state for path in (asked, unasked)}, 1)
    added = (found[asked.name] - found[unasked.name]) / 1000
    return Figure(f"what a question adds to reopening, {count} combatants", added, "ms", None, 50)


def long_lines(count: int, lengths: tuple[int, ...]) -> list[Figure]:
    """Commands, seeks and undos in fights of all lengths, in turn."""
    fights = {length: long_fight(count, length) for length in lengths}
    picks = random.Random(7)
    places = {length: [picks.randrange(length) for _ in range(200)] for length in lengths}

    def seeks(length: int) -> Work:
        line = fights[length].line
        return lambda: [line.seek(place) for place in places[length]]

    def undo(length: int) -> Work:
        """As many steps back and forth as there are events between two keyframes, so that each distance counts."""
        fight = fights[length]
        return lambda: ([fight.undo() for _ in range(EVERY)], [fight.redo() for _ in range(EVERY)])

    first, last = lengths[0], lengths[-1]
    near = lengths[1] if len(lengths) > 1 else first
    done = least({str(length): Hands(fights[length]) for length in lengths}, 100)
    sought = {name: taken / 200 for name, taken in least({str(one): seeks(one) for one in lengths}, 1).items()}
    undone = {name: taken / EVERY for name, taken in least({str(one): undo(one) for one in lengths}, 2).items()}
    rows = [Figure(f"command after {one} events, {count} combatants", done[str(one)], "us") for one in lengths[:-1]]
    rows += [
        Figure(f"command after {last} events, {count} combatants", done[str(last)], "us", done[str(first)], 1.5),
        Figure(f"seek in {near} events, {count} combatants", sought[str(near)], "us"),
        Figure(f"seek in {last} events, {count} combatants", sought[str(last)], "us", sought[str(near)], 1.5),
        Figure("  the same, in milliseconds", sought[str(last)] / 1000, "ms", None, 1.0),
        Figure(f"undo and redo in {near} events, {count} combatants", undone[str(near)], "us"),
        Figure(f"undo and redo in {last} events, {count} combatants", undone[str(last)], "us", undone[str(near)], 1.5),
    ]
    return rows


def memory(count: int, events: int = 5_000) -> Figure:
    """What an event of a long fight keeps in memory, keyframes included."""
    fight = crowd(count)
    hands = Hands(fight)
    for _ in range(200):
        hands()
    tracemalloc.start()
    before, length = tracemalloc.get_traced_memory()[0], len(fight.line)
    while len(fight.line) < length + events:
        hands()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return Figure(f"memory of an event, {count} combatants", grown / events, "B", None, 2048)


def journal_without_sync(folder: Path, count: int) -> Figure:
    """What writing a command down adds when the disk is not waited for."""
    path = folder / f"unsynced-{count}.jsonl"
    start = crowd(count, path)
    start.close()
    written = Fight(start.start, Journal.open(path, sync="none"))
    written.do(Start())
    found = least({"written": Hands(written), "memory": Hands(crowd(count))}, 200)
    written.close()
    return Figure(f"command written, not synced, {count} combatants", found["written"], "us", found["memory"], 4)


def report(rows: list[Figure]) -> None:
    """Print the figures as a table."""
    for row in rows:
        ratio = f"{row.ratio:7.2f} x {row.floor:9.2f}" if row.ratio is not None else " " * 19
        aim = "" if row.aim is None else f"aim {row.aim:g}{'  MISSED' if row.missed else ''}"
        print(f"{row.name:56} {row.value:10.2f} {row.unit:2}  {ratio}  {aim}".rstrip(), flush=True)


def main(arguments: list[str]) -> int:
    """Measure everything and print it."""
    quick = "--quick" in arguments
    lengths = LENGTHS[:3] if quick else LENGTHS
    rows: list[Figure] = []
    where = next((one for one in arguments if not one.startswith("-")), None)
    with tempfile.TemporaryDirectory(prefix="fightcall-bench-", dir=where) as name:
        folder = Path(name)
        for system in SYSTEMS:
            for count in MORE_CROWDS.get(system, CROWDS):
                print(f"-- {system}, {count} combatants")
                found = [*acts(count, system), reopening(folder, count, system)]
                found += hit_chains(count) if system == "segments" else ()
                if system != "stage":
                    found += [*commands_and_folds(count, system), *loading(folder, count, system)]
                report(found)
                rows += found
        for count in CROWDS:
            print(f"-- stage, {count} combatants")
            found = [
                *commands_and_folds(count),
                journal_without_sync(folder, count),
                durable(folder, count, 200 if quick else 600),
                *loading(folder, count),
                *long_lines(count, lengths),
                memory(count),
            ]
            report(found)
            rows += found
    return int(any(row.missed for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
