"""The summary of a fight: harm by phase, hits and luck, unused pools, waiting at the table, and rulings.

Harm, hits and waiting come from the timeline (`fightcall_engine.play.lanes`), so that players' copies contain nothing
that they were not told. Everything else comes from the events, and is for the GM alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fightcall_engine.kit.views import Detail, Section, Words
from fightcall_engine.model.events import Event, Overridden, PoolAdjusted, PoolChanged, Refilled, RulingRecorded
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.play.chart import DEEDS, Attempt, Chart, is_attempt
from fightcall_engine.play.lanes import Lanes

if TYPE_CHECKING:
    from fightcall_engine.play.fight import Fight

BREAK_S = 600
"""A pause of this many seconds counts as a break, in which nobody waits."""

WORTH_S = 60
"""The shortest wait in seconds that is worth mentioning."""


@runtime_checkable
class Check(Protocol):
    """An event with the fields of a roll against a chance in percent (None if unknown), and whether it succeeded."""

    who: str
    target: str
    chance: float | None
    ok: bool


@runtime_checkable
class Chanced(Protocol):
    """An event with its chance in percent; None if it is unknown."""

    chance: float | None


@runtime_checkable
class Aimed(Protocol):
    """An event with a target."""

    target: str


@frozen
class Harm:
    """Harm in one part of the fight, by side: dealt to others, and taken from any cause."""

    part: str
    dealt: Mapping[str, int]
    taken: Mapping[str, int]


@frozen
class Tally:
    """The numbers of one combatant's fight.

    Attributes:
        attempts: the attacks; `hits` of them hit.
        weighed: the attacks with a recorded chance, with the `expected` number of hits and the number they `got`.
        unused: what was left of each pool when it was refilled or lost.
        longest_s: the longest wait from one own act to the next, in seconds at the table, of `waits` with `waited_s` in
            all.
    """

    id: str
    name: str
    side: str
    attempts: int = 0
    hits: int = 0
    weighed: int = 0
    expected: float = 0.0
    got: int = 0
    unused: Mapping[str, int] = field(default_factory=dict)
    longest_s: int = 0
    waits: int = 0
    waited_s: int = 0


@frozen
class Summary:
    """The numbers of a fight.

    Attributes:
        phases: harm by phase, in order of appearance; just one if rounds have no phases.
        rounds: harm by round.
        breaks: the number of breaks.
        overruled: how often each rule was overridden.
        ruled: how often the GM ruled by each rule without being asked.
        answers: how many questions the GM answered other than by default.
        changed: how many numbers the GM changed by hand.
        for_gm: false for players, who see neither chances nor leftovers nor rulings.
    """

    phases: tuple[Harm, ...]
    rounds: tuple[Harm, ...]
    tallies: tuple[Tally, ...]
    breaks: int = 0
    overruled: Mapping[str, int] = field(default_factory=dict)
    ruled: Mapping[str, int] = field(default_factory=dict)
    answers: int = 0
    changed: int = 0
    for_gm: bool = False


def summary_of(fight: Fight, *, for_gm: bool = False) -> Summary:
    """The summary of a fight, up to the present.

    Args:
        fight: the fight.
        for_gm: include what players must not see.
    """
    fight = fight if for_gm else fight.for_players()
    lanes = Lanes(fight, for_gm=for_gm)
    chart = lanes.chart()
    gm = _Ledger(fight.seek(0)) if for_gm else None
    if gm is not None:
        for entry in fight.line.entries:
            for event in entry.events:
                gm.hear(event)
    waits, breaks = _waits(fight, lanes)
    sides = {lane.figure.id: lane.figure.side for lane in chart.lanes}
    return Summary(
        phases=tuple(_harm(chart, sides, by_round=False)),
        rounds=tuple(_harm(chart, sides, by_round=True)),
        tallies=tuple(_tallies(chart, gm, waits)),
        breaks=breaks,
        overruled=dict(gm.overruled) if gm else {},
        ruled=dict(gm.ruled) if gm else {},
        answers=gm.answers if gm else 0,
        changed=gm.changed if gm else 0,
        for_gm=for_gm,
    )


class _Ledger:
    """Counts what only the GM may know, event by event."""

    def __init__(self, start: FightState) -> None:
        self._state = start
        self._checks: dict[tuple[str, str], Check] = {}
        self.weighed: Counter[str] = Counter()
        self.expected: defaultdict[str, float] = defaultdict(float)
        self.got: Counter[str] = Counter()
        self.unused: dict[str, Counter[str]] = {}
        self.overruled: Counter[str] = Counter()
        self.ruled: Counter[str] = Counter()
        self.answers = 0
        self.changed = 0

    def hear(self, event: Event) -> None:
        """Count an event."""
        before = self._state
        self._state = evolve(before, event)
        if isinstance(event, Overridden):
            self.overruled[event.rule] += 1
        elif isinstance(event, RulingRecorded):
            if event.prompt:
                self.answers += not event.default_taken
            else:
                self.ruled[event.rule] += 1
        elif isinstance(event, PoolAdjusted):
            self.changed += 1
        elif isinstance(event, Check):
            self._checks[event.who, event.target] = event
        elif is_attempt(event):
            self._weigh(event)
        # What is filled for the first round could not be used before.
        is_first = isinstance(event, Refilled) and before.round <= 1
        if isinstance(event, PoolChanged) and event.unused > 0 and not is_first and before.combatants[event.who].able:
            self.unused.setdefault(event.who, Counter())[event.pool] += event.unused

    def _weigh(self, event: Attempt) -> None:
        """Compare an attack with its chance: its own, or that of the roll before it."""
        chance, got = event.chance if isinstance(event, Chanced) else None, event.hit
        target_id = event.target if isinstance(event, Aimed) else ""
        check = self._checks.pop((event.who, target_id), None)
        if chance is None and check is not None:
            chance, got = check.chance, check.ok
        if chance is not None:
            self.weighed[event.who] += 1
            self.expected[event.who] += chance
            self.got[event.who] += got


def _harm(chart: Chart, sides: Mapping[str, str], *, by_round: bool) -> Iterator[Harm]:
    """Harm by phase or by round."""
    dealt: dict[str, Counter[str]] = {}
    harm_taken: dict[str, Counter[str]] = {}
    for column in chart.columns:
        part = column.title if by_round else column.phase
        for act in column.acts:
            if act.kind == "hurt":
                harm_taken.setdefault(part, Counter())[sides.get(act.who, "")] += act.amount
                if act.by in sides:
                    dealt.setdefault(part, Counter())[sides[act.by]] += act.amount
    for part, counts in harm_taken.items():
        yield Harm(part, dict(dealt.get(part, {})), dict(counts))


def _tallies(chart: Chart, gm: _Ledger | None, waits: Mapping[str, Sequence[int]]) -> Iterator[Tally]:
    acts = [act for column in chart.columns for act in column.acts]
    for lane in chart.lanes:
        who = lane.figure.id
        outcomes = [act.kind for act in acts if act.who == who and act.kind in ("hit", "miss")]
        wait_times = waits.get(who, ())
        yield Tally(
            id=who,
            name=lane.figure.name,
            side=lane.figure.side,
            attempts=len(outcomes),
            hits=outcomes.count("hit"),
            weighed=gm.weighed[who] if gm else 0,
            expected=round(gm.expected[who] / 100, 2) if gm else 0.0,
            got=gm.got[who] if gm else 0,
            unused=dict(gm.unused.get(who, {})) if gm else {},
            longest_s=max(wait_times, default=0),
            waits=len(wait_times),
            waited_s=sum(wait_times),
        )


def _waits(fight: Fight, lanes: Lanes) -> tuple[Mapping[str, Sequence[int]], int]:
    """Everybody's waits in seconds from one own act to the next, without breaks, and the number of breaks.

    Only entries in which a combatant acts count; for players, only those they were told of.
    """
    actors: dict[int, set[str]] = {}
    for column in lanes.chart().columns:
        for act in column.acts:
            if act.kind in DEEDS:
                actors.setdefault(lanes.entry_of(act), set()).add(act.who)
    times = {entry.number: datetime.fromisoformat(entry.at) for entry in fight.line.entries if entry.number in actors}
    numbers = sorted(times)
    gaps = {later: (times[later] - times[earlier]).total_seconds() for earlier, later in pairwise(numbers)}
    waits: dict[str, list[int]] = {}
    since: dict[str, float] = {}
    waited_s, breaks = 0.0, 0
    for number in numbers:
        gap = gaps.get(number, 0.0)
        breaks += gap >= BREAK_S
        waited_s += gap if 0 < gap < BREAK_S else 0.0
        for who in actors[number]:
            if who in since:
                waits.setdefault(who, []).append(round(waited_s - since[who]))
            since[who] = waited_s
    return waits, breaks


# In words


def summary_sections(summary: Summary, words: Words) -> tuple[Section, ...]:
    """A summary in words, for screen, chronicle and browser alike, without empty parts."""
    return tuple(section for section in _sections(summary, words) if section.details)


def _sections(summary: Summary, words: Words) -> Iterator[Section]:
    sides = tuple(dict.fromkeys(tally.side for tally in summary.tallies))
    parts = [harm for harm in summary.phases if harm.part]
    total = sum(sum(harm.taken.values()) for harm in summary.phases)
    if len(parts) > 1:
        yield Section("Damage by phase", tuple(_harm_line(harm, sides, words) for harm in summary.phases))
    note = f"{total} total" if total else ""
    yield Section(
        f"Damage by {words.round}", tuple(_harm_line(harm, sides, words) for harm in summary.rounds), note=note
    )
    yield Section("Hits and luck", tuple(_luck_lines(summary, words)))
    unused_pools = ((tally, _pools(tally.unused, words)) for tally in summary.tallies if tally.unused)
    yield Section("Unused", tuple(Detail(tally.name, names) for tally, names in unused_pools))
    breaks = (
        ""
        if not summary.breaks
        else "1 break not counted"
        if summary.breaks == 1
        else f"{summary.breaks} breaks not counted"
    )
    yield Section("Waiting at the table", tuple(_wait_lines(summary.tallies)), note=breaks)
    yield Section("Rulings", tuple(_ruling_lines(summary)))


def _harm_line(harm: Harm, sides: Iterable[str], words: Words) -> Detail:
    losses = []
    for side in sides:
        dealt, taken = harm.dealt.get(side, 0), harm.taken.get(side, 0)
        parts = [f"dealt {dealt}"] if dealt else []
        parts += [f"took {taken}"] if taken else []
        if parts:
            losses.append(f"{words.sides.get(side, side)} {', '.join(parts)}")
    return Detail(harm.part or "everyone else", "; ".join(losses) or "none")


def _luck_lines(summary: Summary, words: Words) -> Iterator[Detail]:
    tallies = tuple(tally for tally in summary.tallies if tally.attempts)
    for side in dict.fromkeys(tally.side for tally in tallies):
        ours = [tally for tally in tallies if tally.side == side]
        if len(ours) > 1:
            yield Detail(words.sides.get(side, side), _luck_words(ours, for_gm=summary.for_gm), tone="info")
        for tally in ours:
            yield Detail(tally.name, _luck_words([tally], for_gm=summary.for_gm))


def _luck_words(tallies: Sequence[Tally], *, for_gm: bool) -> str:
    attempts, hits, with_chance = (
        sum(counts) for counts in zip(*((each.attempts, each.hits, each.weighed) for each in tallies), strict=True)
    )
    words = f"hit {hits} of {attempts}"
    if not with_chance:
        return f"{words}, chances unknown" if for_gm else words
    expected, got = sum(tally.expected for tally in tallies), sum(tally.got for tally in tallies)
    if with_chance == attempts:
        return f"{words} ({expected:.1f} expected)"
    return f"{words}; {got} of {with_chance} rolls with a known chance ({expected:.1f} expected)"


def _pools(amounts: Mapping[str, int], words: Words) -> str:
    return ", ".join(f"{amount} {words.pools.get(pool, pool)}" for pool, amount in amounts.items())


def _wait_lines(tallies: Iterable[Tally]) -> Iterator[Detail]:
    for tally in sorted(tallies, key=lambda tally: -tally.longest_s):
        if tally.longest_s >= WORTH_S:
            mean = _minutes(round(tally.waited_s / tally.waits))
            yield Detail(tally.name, f"longest {_minutes(tally.longest_s)}, average {mean}")


def _minutes(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"


def _ruling_lines(summary: Summary) -> Iterator[Detail]:
    for name, counts in (("overruled", summary.overruled), ("ruled", summary.ruled)):
        if counts:
            times = (f"{rule} {count} times" if count > 1 else rule for rule, count in counts.items())
            yield Detail(name, ", ".join(times))
    if summary.answers:
        yield Detail("answered", "1 question" if summary.answers == 1 else f"{summary.answers} questions")
    if summary.changed:
        yield Detail("changed by hand", "1 number" if summary.changed == 1 else f"{summary.changed} numbers")
