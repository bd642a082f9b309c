"""A forecast: a fight is played to its end many times, both sides by the suggestion, and the results are counted.

Nothing is written to disk. The dice of a fight depend only on the seed and the number of the fight, so the numbers are
the same no matter how many processes play. ``python -m fightcall_engine.play.forecast`` is such a process: it reads a
`Job` as a line of JSON from standard input, writes a line for each fight, and ends when nobody reads them any more.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from fightcall_engine.kit.views import Detail, Section
from fightcall_engine.model.commands import Advance, Answer, Command, Start
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.json_data import json_object, read
from fightcall_engine.model.state import Json, Pool
from fightcall_engine.model.values import frozen, utc_now
from fightcall_engine.play import history
from fightcall_engine.play.core_commands import resolve_command
from fightcall_engine.play.decide import decide
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.foes import acting_ids, answer_for, suggest

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Words
    from fightcall_engine.model.state import Combatant, FightState, Prompt


ROUNDS = 20
"""How many rounds a fight is played by default."""
FIGHTS = 200
"""How many fights are played by default."""
SEED = "1"
"""The default seed: without another one, the same fight gives the same numbers."""
LEAVES_OUT = (
    "Combatants fight as simply as foes run by the program, without clever players. Rulings take their defaults, "
    "or are left to chance, such as whether an attack hits if only the GM can say."
)
"""What the numbers leave out, in words for the GM."""
ERROR = "In 19 of 20 forecasts, the true share is within ± (Wilson interval, 95 %)."

_MOST_ACTS = 40  # for each combatant in a round; a round with more doesn't end
_MOST_STEPS = 200  # in a round besides
_Z = 1.96
"""Standard errors on each side of a share in an interval of 95 %."""


@frozen
class Fate:
    """How a combatant fared in one fight.

    Attributes:
        falls: whether it is down at the end.
        leaves: whether it has left the fight.
        health: what it has left of its health.
        most: the most that it can have; 0 if it has no such pool.
    """

    id: str
    name: str
    side: str
    falls: bool = False
    leaves: bool = False
    health: int = 0
    most: int = 0


@frozen
class Outcome:
    """How one fight ended.

    Attributes:
        number: the number of the fight, from 0.
        winner: the side that is the only one with combatants who can act; empty for none.
        rounds: how many rounds were played, the last one included.
        fates: everyone who was in it at the end, or had left.
        why: why nobody won, in words; empty if somebody did.
        faults: suggestions that were refused, and questions whose answers were.
    """

    number: int
    winner: str
    rounds: int
    fates: tuple[Fate, ...] = ()
    why: str = ""
    faults: tuple[str, ...] = ()


# Playing one fight


def play_out(system: BaseSystem, state: FightState, number: int, *, seed: str = SEED, rounds: int = ROUNDS) -> Outcome:
    """Play a fight to its end, from a state that stays as it is.

    Open questions are answered first. With the seed, the number of the fight determines all dice.
    """
    return _Playing(system, state, f"{seed}\0{number}", rounds).play(number)


class _Playing:
    def __init__(self, system: BaseSystem, state: FightState, seed: str, rounds: int) -> None:
        self._system = system
        self._state = state
        self._seed = seed
        self._first = max(1, state.round)
        self._last = self._first + rounds - 1
        self._commands = 0
        self._faults: list[str] = []

    def play(self, number: int) -> Outcome:
        """Play to the end."""
        why = ""
        round_begins, at = 0, -1
        while len(sides_left(self._system, self._state)) > 1 and not why:
            state = self._state
            if state.round != at:
                round_begins, at = self._commands, state.round
            if state.status == "closed":
                why = "the fight was closed"
            elif state.round > self._last:
                count, name = self._last - self._first + 1, self._system.words(self._state.settings).round
                why = f"{count} {name}{' was' if count == 1 else 's were'} not enough"
            elif self._commands - round_begins > _MOST_STEPS + _MOST_ACTS * len(state.combatants):
                why = f"round {state.round} did not end"
            else:
                why = self._go_on()
        left = sides_left(self._system, self._state)
        winner = next(iter(left)) if len(left) == 1 else ""
        if not left:
            why = "no one is left standing"
        rounds = max(0, min(self._state.round, self._last) - self._first + 1)
        fates = [self._fate(each, leaves=False) for each in self._state.combatants.values()]
        fates += [self._fate(each.combatant, leaves=True) for each in self._state.departed.values()]
        return Outcome(number, winner, rounds, tuple(fates), "" if winner else why, tuple(self._faults))

    def _fate(self, combatant: Combatant, *, leaves: bool) -> Fate:
        pool = combatant.pool(self._system.health)
        falls, now = not combatant.able, max(0, pool.now)
        return Fate(combatant.id, combatant.name, combatant.side, falls, leaves, now, pool.max)

    def _go_on(self) -> str:
        """Give the next command. Returns why nothing goes on; empty if it does."""
        state = self._state
        if state.status == "setup":
            return self._do(Start())
        for prompt in (each for each in state.prompts if each.blocking):
            answer = answer_for(self._system, state, prompt) or self._any_answer(prompt)
            if answer is not None and not self._try(answer):
                return ""
        for combatant_id in acting_ids(self._system, state):
            suggestion = suggest(self._system, state, combatant_id, in_words=False)
            if suggestion is not None and not self._try(suggestion.command):
                return ""
        # An offer that nobody takes up lapses.
        return self._try(Advance()) and self._do(Advance(force=True))

    def _any_answer(self, prompt: Prompt) -> Answer | None:
        """An answer by chance to a question without an obvious one; None if only an act answers it."""
        ids = [choice.id for choice in prompt.choices if not choice.who]
        if ids:
            place = Dice(self._seed, self._commands).roll(f"d{len(ids)}", "answer").total
            return Answer(prompt=prompt.id, choice=ids[place - 1])
        return Answer(prompt=prompt.id, amount=1) if prompt.amount else None

    def _try(self, command: Command) -> str:
        why = self._do(command)
        if why:
            self._faults.append(f"{command.type}: {why}")
        return why

    def _do(self, command: Command) -> str:
        """Give a command. Returns why it is refused; empty if it is not."""
        self._commands += 1
        try:
            command = resolve_command(self._state, command)
            _, states = decide(self._system, self._state, command, Dice(self._seed, self._commands))
        except FightCallError as no:
            return str(no) or type(no).__name__
        self._state = states[-1] if states else self._state
        return ""


def sides_left(system: BaseSystem, state: FightState) -> frozenset[str]:
    """The sides that still fight: those with a combatant who can act.

    Where both of the system's usual sides take part, others are bystanders, who win nothing.
    """
    usual = frozenset(system.sides[:2])
    everyone = (*state.combatants.values(), *(departed.combatant for departed in state.departed.values()))
    standing = frozenset(combatant.side for combatant in state.combatants.values() if combatant.able)
    return standing & usual if usual <= {combatant.side for combatant in everyone} else standing


# Counting many


@frozen
class SideOdds:
    """How a side fares.

    Attributes:
        wins: how many fights it wins.
        percent: the same in percent of all fights.
        error: half the width of the interval of that, in percent; see `Forecast.error`.
        people: how many combatants it has, on average.
        standing: how many of them are standing at the end, on average.
        health: the share of its health that is left, from 0 to 1; None if it has no health.
    """

    side: str
    wins: int
    percent: float
    error: float
    people: float
    standing: float
    health: float | None


@frozen
class PersonOdds:
    """How often a combatant falls: in how many fights, in percent, and its error, as for `SideOdds`."""

    id: str
    name: str
    side: str
    falls: int
    percent: float
    error: float
    health: float | None


@frozen
class Forecast:
    """What came of the fights played so far.

    Attributes:
        fights: how many were played.
        sides: the sides that took part, in the order of their first combatants.
        people: the combatants, in the order of the roster.
        rounds: how many fights took each number of rounds.
        undecided: how many fights nobody won, by the reason.
        faults: how often a suggestion was refused, or a question asked in vain, by what was wrong.
    """

    fights: int = 0
    sides: tuple[SideOdds, ...] = ()
    people: tuple[PersonOdds, ...] = ()
    rounds: Mapping[int, int] = field(default_factory=dict)
    undecided: Mapping[str, int] = field(default_factory=dict)
    faults: Mapping[str, int] = field(default_factory=dict)

    def percent(self, count: int) -> str:
        """A count of fights in percent of all: ``64 %``, or ``<1 %`` if it is not none."""
        share = 100 * count / self.fights if self.fights else 0.0
        if 0 < count < self.fights and not 0.5 < share < 99.5:
            return "<1 %" if share < 1 else ">99 %"
        return f"{share:.0f} %"

    def odds(self, count: int) -> str:
        """The same with its error: ``64 % ±6``."""
        return f"{self.percent(count)} ±{100 * self.error(count):.0f}"

    def rounds_at(self, share: float) -> int:
        """The number of rounds that this share of the fights does not exceed; 0.5 is the median."""
        seen = 0
        for number in sorted(self.rounds):
            seen += self.rounds[number]
            if seen >= share * self.fights:
                return number
        return 0

    def error(self, count: int) -> float:
        """Half the width of the interval of a count's share, from 0 to 1: see `wilson_error`."""
        return wilson_error(count, self.fights)


def wilson_error(count: int, fights: int) -> float:
    """Half the width of the Wilson score interval of 95 % of a share, from 0 to 1.

    The usual interval is of no width after a few fights that all end alike; this one is not.
    """
    if not fights:
        return 1.0
    share = count / fights
    spread = share * (1 - share) / fights + _Z * _Z / (4 * fights * fights)
    return _Z / (1 + _Z * _Z / fights) * sqrt(spread)


class Results:
    """The outcomes of so many `fights` as they come in, counted. Their order does not matter."""

    def __init__(self) -> None:
        self.fights = 0
        self._wins: Counter[str] = Counter()
        self._rounds: Counter[int] = Counter()
        self._undecided: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._people: dict[str, _Sum] = {}
        self._sides: dict[str, _Sum] = {}

    def add(self, outcome: Outcome) -> None:
        """Count another fight."""
        self.fights += 1
        self._wins[outcome.winner] += 1
        self._rounds[outcome.rounds] += 1
        self._undecided.update([outcome.why] if outcome.why else ())
        self._faults.update(outcome.faults)
        for index, fate in enumerate(outcome.fates):
            place = (index, outcome.number)
            for sums, key in ((self._people, fate.id), (self._sides, fate.side)):
                sums.setdefault(key, _Sum(place, fate)).add(place, fate)

    def forecast(self) -> Forecast:
        """The numbers so far."""
        n = self.fights
        sides = sorted(self._sides.items(), key=lambda each: each[1].place)
        people = sorted(self._people.values(), key=lambda each: each.place)
        return Forecast(
            fights=n,
            sides=tuple(
                SideOdds(side, *self._shares(self._wins[side]), each.count / n, each.standing / n, each.health_left)
                for side, each in sides
            ),
            people=tuple(
                PersonOdds(each.fate.id, each.fate.name, each.fate.side, *self._shares(each.falls), each.health_left)
                for each in people
            ),
            rounds=dict(sorted(self._rounds.items())),
            undecided=_most_common(self._undecided),
            faults=_most_common(self._faults),
        )

    def _shares(self, count: int) -> tuple[int, float, float]:
        n = self.fights
        return count, round(100 * count / n, 1), round(100 * wilson_error(count, n), 1)


class _Sum:
    """What became of a combatant, or of a side, in all fights. Its place and name are those of its first fight."""

    def __init__(self, place: tuple[int, int], fate: Fate) -> None:
        self.place, self.fate = place, fate
        self.count = self.falls = self.standing = self._health = self._most = 0

    def add(self, place: tuple[int, int], fate: Fate) -> None:
        """Add a fate, and the place that it has in a fight."""
        if place < self.place:
            self.place, self.fate = place, fate
        self.count += 1
        self.falls += fate.falls
        self.standing += not (fate.falls or fate.leaves)
        self._health += fate.health
        self._most += fate.most

    @property
    def health_left(self) -> float | None:
        """The share of its health that is left, from 0 to 1; None if it has none."""
        return self._health / self._most if self._most else None


def count_outcomes(outcomes: Iterable[Outcome]) -> Forecast:
    """Count the outcomes of fights. Their order does not matter."""
    results = Results()
    for outcome in outcomes:
        results.add(outcome)
    return results.forecast()


def _most_common(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


# In words


def forecast_words(forecast: Forecast, words: Words) -> str:
    """The most important numbers in a sentence: ``Party wins 64 % ±6; 5 Rounds; Brand falls in 30 %``."""
    if not forecast.sides:
        return "no fight has ended yet"
    first, falling = _in_order(forecast, words)[0], _falling_most(forecast, words)
    rounds = forecast.rounds_at(0.5)
    parts = [f"{_side_wins(first.side, words)} {forecast.odds(first.wins)}"]
    parts += [f"{rounds} {words.round}{'' if rounds == 1 else 's'}"]
    if falling is not None:
        parts.append(f"{falling.name} falls in {forecast.percent(falling.falls)}")
    return "; ".join(parts)


def _in_order(forecast: Forecast, words: Words) -> list[SideOdds]:
    known = list(words.sides)
    return sorted(forecast.sides, key=lambda each: known.index(each.side) if each.side in known else len(known))


def _falling_most(forecast: Forecast, words: Words) -> PersonOdds | None:
    first = _in_order(forecast, words)[0].side
    ours = [each for each in forecast.people if each.side == first and each.falls]
    return max(ours, key=lambda each: each.falls, default=None)


def forecast_sections(forecast: Forecast, words: Words, health: str, asked: int) -> tuple[Section, ...]:
    """All numbers in words, the most important first. `asked` is how many fights are to be played."""
    # Bystanders win nothing.
    rivals = [each for index, each in enumerate(_in_order(forecast, words)) if index < 2 or each.wins]
    wins = [_line(forecast, _side_wins(each.side, words), each.wins) for each in rivals]
    wins += [_line(forecast, "no one wins", count, f": {why}") for why, count in forecast.undecided.items()]
    if forecast.fights:
        low, middle, high = (forecast.rounds_at(share) for share in (0.05, 0.5, 0.95))
        wins.append(Detail(f"{words.round}s", f"{middle}, mostly {low} to {high}" if low < high else str(middle)))
        falling = _falling_most(forecast, words)
        wins += [] if falling is None else [Detail("falls most", f"{falling.name}, {forecast.percent(falling.falls)}")]
    done = f"{forecast.fights} fights" if forecast.fights >= asked else f"{forecast.fights} of {asked} fights"
    most = max(forecast.rounds.values(), default=0)
    columns = (Detail(str(n), forecast.percent(count), gauge=Pool(count, most)) for n, count in forecast.rounds.items())
    faults = (Detail("refused", f"{count} times: {fault}", tone="bad") for fault, count in forecast.faults.items())
    sections = (
        Section("Odds", tuple(wins), note=done),
        Section("Falls", tuple(_line(forecast, each.name, each.falls) for each in forecast.people)),
        Section("Left at the end", tuple(_left(each, words, health) for each in _in_order(forecast, words))),
        Section(f"{words.round}s played", tuple(columns)),
        Section("About these numbers", (Detail("", LEAVES_OUT), Detail("", ERROR), *faults)),
    )
    return tuple(section for section in sections if section.details)


def _line(forecast: Forecast, name: str, count: int, more: str = "") -> Detail:
    return Detail(name, f"{forecast.odds(count)}{more}", gauge=Pool(count, forecast.fights))


def _left(side: SideOdds, words: Words, health: str) -> Detail:
    share = "" if side.health is None else f", {100 * side.health:.0f} % of {words.pool(health)}"
    return Detail(_side_title(side.side, words), f"{side.standing:.1f} of {side.people:.0f} standing{share}")


def _side_wins(side: str, words: Words) -> str:
    """A side as the subject of a sentence: ``Party wins``, ``Foes win``."""
    title = _side_title(side, words)
    return f"{title} win" if title.endswith("s") else f"{title} wins"


def _side_title(side: str, words: Words) -> str:
    return words.sides.get(side, side.title())


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
    """Play the fights of a job, one after the other. Raises FightCallError, OSError: the fight cannot be opened."""
    fight = _open(job)
    for number in range(job.first, job.fights, job.step):
        yield play_out(fight.system, fight.state, number, seed=job.seed, rounds=job.rounds)


def _open(job: Job) -> Fight:
    if job.start is not None:
        return Fight(history.Start.from_header(job.start))
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
