"""The timeline of a fight, a lane for each combatant and a column for each stretch of the agenda; and the summary.

It is built from the agenda and the events alone, whatever the system. For players it is built from `public_forms` and
`player_frame`, so that it contains neither hidden combatants nor their steps. The summary's harm, hits and waiting come
from the timeline, so that players' copies contain nothing that they were not told. The rest is for the GM alone.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast, runtime_checkable

from fightcall_engine.kit.views import Detail, Section, Words
from fightcall_engine.model.events import (
    DamageApplied,
    EffectBegan,
    EffectEnded,
    Event,
    LeftFight,
    Overridden,
    PoolAdjusted,
    PoolChanged,
    Refilled,
    Returned,
    RulingRecorded,
    StepSkipped,
)
from fightcall_engine.model.fold import evolve, has_anybody_in_sight, known_by
from fightcall_engine.model.state import Combatant, FightState, Json, Step
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.chart import (
    AMOUNTS,
    DEEDS,
    Act,
    Chart,
    Column,
    Due,
    Figure,
    Lane,
    Span,
    drop_undone,
    find_dues,
    find_public_dues,
    gm_frame,
    is_attempt,
    kind_of,
    known_actor,
    player_frame,
    stretch_of,
)
from fightcall_engine.play.story import is_declared_in_secret, public_forms

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.play.fight import Fight
    from fightcall_engine.play.history import Entry


@frozen
class _Begun:
    """A step began. Steps with the same `key` share a column."""

    column: Column
    key: tuple[int, str, str]


@frozen
class _Lasting:
    """An effect began or ended. `key` is its id, or the one that players know."""

    who: str
    key: str
    name: str
    begins: bool
    secret: bool = False


_Fact: TypeAlias = Act | _Begun | _Lasting | Figure
"""A figure is a combatant who left, and whose lane is kept."""


class Lanes:
    """The timeline along a fight's line of play, updated as the fight goes on, back or to another branch."""

    def __init__(self, fight: Fight, *, for_gm: bool = False) -> None:
        self._fight = fight
        self._for_gm = for_gm
        self._entries: list[int] = []
        self._facts: list[tuple[_Fact, ...]] = []
        self._told = [0]
        """The number that the last act could have (`Act.entry`), before the first entry and after each."""
        self._chart: tuple[FightState, Chart] | None = None
        self._start = tuple(_lasting_of(fight.line.seek(0), for_gm=for_gm))

    def chart(self) -> Chart:
        """The timeline at the present moment."""
        fight = self._fight if self._for_gm else self._fight.for_players()
        state = fight.state
        if self._chart is None or self._chart[0] is not state:
            new_entries = drop_undone(self._entries, fight.line)
            same = len(self._entries)
            del self._facts[same:], self._told[same + 1 :]
            tell = self._tell_gm if self._for_gm else self._tell_players
            for entry, before in new_entries:
                facts: list[_Fact] = []
                self._told.append(tell(entry, before, facts))
                self._entries.append(entry.number)
                self._facts.append(tuple(facts))
            self._chart = (state, self._make_chart(state))
        return self._chart[1]

    def entry_of(self, act: Act) -> int:
        """The number of the journal entry of an act in the chart."""
        return self._entries[bisect_left(self._told, act.entry) - 1]

    def _make_chart(self, state: FightState) -> Chart:
        system = self._fight.system
        facts = (fact for facts in (self._start, *self._facts) for fact in facts)
        columns, spans, leavers = _assemble(facts, by_entry=self._for_gm)
        frame = gm_frame(state, system) if self._for_gm else player_frame(state, system)
        here = {figure.id for figure in frame.figures}
        dues = tuple(find_dues(state, system) if self._for_gm else find_public_dues(state, system))
        lanes = [Lane(each, _kept_words(state, system, each.id) if self._for_gm else "") for each in frame.figures]
        actors = {act.who for column in columns for act in column.acts} | {span.who for span in spans}
        if not self._for_gm:
            leavers += tuple(_known_figure(state, each) for each in state.combatants.values() if each.hidden)
        lanes += [Lane(figure, here=False) for figure in leavers if figure.id not in here and figure.id in actors]
        ahead = tuple(self._ahead(state, columns, dues))
        return Chart(tuple(lanes), columns, spans, ahead, dues)

    # What happened

    def _tell_gm(self, entry: Entry, state: FightState, facts: list[_Fact]) -> int:
        """Add all facts of an entry. Returns its number."""
        for event in entry.events:
            before, state = state, evolve(state, event)
            is_skip = isinstance(event, StepSkipped)
            if not is_skip and state.step is not None and (state.step, state.round) != (before.step, before.round):
                unseen = state.step != state.sight.step
                facts.append(self._begun(state, state.step, state.step.actor, entry.number, secret=unseen))
            who = event.subject_id
            secret = _is_hidden(before, who) and _is_hidden(state, who)
            if isinstance(event, EffectBegan):
                facts.append(_Lasting(event.who, event.effect.id, event.effect.name, True, secret))
            elif isinstance(event, EffectEnded):
                facts.append(_Lasting(event.who, event.effect, event.name, False, secret))
            elif isinstance(event, Returned):
                own_effects = event.combatant.effects
                facts += (_Lasting(who, each.id, each.name, True, secret) for each in own_effects)
            kind = kind_of(event)
            if kind is None or not who:
                continue
            if kind == "leaves" and who in before.combatants:
                facts.append(_plain_figure(before.combatants[who]))
            is_counted = not isinstance(event, PoolChanged) or event.pool == self._fight.system.health
            amount = getattr(event, AMOUNTS[kind]) if is_counted and kind in AMOUNTS else 0
            secret = secret or (kind == "declares" and is_declared_in_secret(who, state)) or kind == "ruled"
            causer = event.by if isinstance(event, DamageApplied) and event.by != who else ""
            facts.append(Act(who, kind, amount, entry.number, secret, causer))
        return entry.number

    def _tell_players(self, entry: Entry, state: FightState, facts: list[_Fact]) -> int:
        """Add the facts of an entry that players are told. Returns the number of public events up to its end."""
        last, forms = self._told[-1], tuple(public_forms(entry.events, state))
        for number, seen in enumerate(forms, start=last + 1):
            step = seen.after.sight.step
            if seen.is_step:
                if step is not None:
                    facts.append(self._begun(seen.after, step, known_actor(seen.after, step), number, secret=False))
            elif seen.event is not None:
                facts += self._public_facts(seen.event, seen.form, state, number)
        return last + len(forms)

    def _public_facts(self, event: Event, form: Mapping[str, Json], before: FightState, number: int) -> Iterator[_Fact]:
        who = str(next((form[name] for name in (*event.SUBJECTS, "who") if form.get(name)), ""))
        figure = form.get("figure")
        if isinstance(event, EffectBegan | EffectEnded):
            name = str(form.get("effect" if isinstance(event, EffectBegan) else "name", ""))
            yield _Lasting(who, name, name, isinstance(event, EffectBegan))
        elif isinstance(figure, dict):
            for name in cast("Sequence[str]", figure["effects"]):
                yield _Lasting(who, name, name, True)
        kind = kind_of(event)
        # Players are told that an attack hit by the event itself, or in its public form.
        is_untold = kind in ("hit", "miss") and "hit" not in form and "hit" not in vars(type(event))
        if kind is None or not who or kind == "ruled" or is_untold:
            return
        if isinstance(event, LeftFight) and event.who in before.combatants:
            yield _known_figure(before, before.combatants[event.who])
        amount = form.get(AMOUNTS.get(kind, ""), 0)
        yield Act(who, kind, amount if isinstance(amount, int) else 0, number)

    def _begun(self, state: FightState, step: Step, actor: str, number: int, *, secret: bool) -> _Begun:
        column = self._column(state, step, actor)
        return _Begun(replace(column, entry=number, secret=secret), stretch_of(state, step, actor))

    def _column(self, state: FightState, step: Step, actor: str) -> Column:
        words = self._fight.system.words(state.settings)
        title = self._fight.system.round_title(state)
        phase = words.phases.get(step.phase, step.phase.title())
        return Column(state.round, title, phase, "" if actor else step.side, actor, step.number)

    # What is to come

    def _ahead(self, state: FightState, past_columns: Sequence[Column], dues: Sequence[Due]) -> Iterator[Column]:
        """Columns for the remaining steps of this round, then for the rounds in which something is due."""
        running = state.step if self._for_gm else state.sight.step
        steps = state.agenda.steps
        coming = steps[steps.index(running) + 1 :] if running in steps else ()
        columns = list(past_columns)
        key: tuple[int, str, str] | None = None
        if running is not None:
            key = stretch_of(state, running, self._actor(state, running))
        for step in coming:
            actor = self._actor(state, step)
            is_out = bool(step.actor) and (step.actor not in state.combatants or not state.combatants[step.actor].able)
            if is_out or not (self._for_gm or has_anybody_in_sight(state, step, step.members)):
                continue
            new_key = stretch_of(state, step, actor)
            if new_key != key:
                key = new_key
                columns.append(_number_column(self._column(state, step, actor), columns))
        yield from columns[len(past_columns) :]
        word = self._fight.system.words(state.settings).round
        for number in sorted({due.round for due in dues if due.round > state.round}):
            yield Column(number, f"{word} {number}")

    def _actor(self, state: FightState, step: Step) -> str:
        return step.actor if self._for_gm else known_actor(state, step)


def _is_hidden(state: FightState, combatant_id: str) -> bool:
    return combatant_id not in state.combatants or state.combatants[combatant_id].hidden


def _lasting_of(state: FightState, *, for_gm: bool) -> Iterator[_Lasting]:
    """The effects with which a fight begins."""
    for combatant in state.combatants.values():
        if for_gm or not combatant.hidden:
            who = combatant.id if for_gm else known_by(state, combatant).id
            for effect in combatant.effects:
                yield _Lasting(who, effect.id if for_gm else effect.name, effect.name, True, combatant.hidden)


def _plain_figure(combatant: Combatant) -> Figure:
    return Figure(
        combatant.id, combatant.label, combatant.name, combatant.side, None, None, able=False, hidden=combatant.hidden
    )


def _known_figure(state: FightState, combatant: Combatant) -> Figure:
    alias = known_by(state, combatant)
    return replace(_plain_figure(combatant), id=alias.id, label=alias.label, name=alias.name, hidden=False)


def _kept_words(state: FightState, system: BaseSystem, combatant_id: str) -> str:
    words = system.words(state.settings).pools
    pips = (pips for pips in system.card(state, combatant_id).pips if pips.kept)
    return ", ".join(f"{each.kept} {words.get(each.pool, each.pool)} kept" for each in pips)


# Putting it together


def _assemble(
    facts: Iterable[_Fact], *, by_entry: bool
) -> tuple[tuple[Column, ...], tuple[Span, ...], tuple[Figure, ...]]:
    """Put the facts together. Without `by_entry` it does not matter which of them belong to one entry.

    A hidden combatant's turn divides what would be one entry without it, so players' timelines ignore that.
    """
    columns: list[Column] = []
    acts: list[list[Act]] = []
    spans: list[Span] = []
    open_spans: dict[tuple[str, str], list[int]] = {}
    leavers: dict[str, Figure] = {}
    key: tuple[int, str, str] | None = None
    for fact in facts:
        if isinstance(fact, _Begun):
            if fact.key == key:
                several = columns[-1].phase != fact.column.phase
                columns[-1] = replace(columns[-1], phase="" if several else columns[-1].phase)
            else:
                columns.append(_number_column(fact.column, columns))
                acts.append([])
                key = fact.key
            continue
        if isinstance(fact, Figure):
            leavers[fact.id] = fact
            continue
        if not columns:
            columns.append(Column(0, ""))
            acts.append([])
        if isinstance(fact, Act):
            _add_act(acts[-1], fact, by_entry=by_entry)
            if fact.kind == "leaves":
                for (who, _), places in open_spans.items():
                    for place in places if who == fact.who else ():
                        spans[place] = replace(spans[place], last=len(columns) - 1)
                open_spans = {key: places for key, places in open_spans.items() if key[0] != fact.who}
        elif fact.begins:
            open_spans.setdefault((fact.who, fact.key), []).append(len(spans))
            spans.append(Span(fact.who, fact.name, len(columns) - 1, secret=fact.secret))
        elif open_spans.get((fact.who, fact.key)):
            place = open_spans[fact.who, fact.key].pop(0)
            spans[place] = replace(spans[place], last=len(columns) - 1)
    full_columns = tuple(
        replace(column, acts=tuple(acts_of_column)) for column, acts_of_column in zip(columns, acts, strict=True)
    )
    return full_columns, tuple(spans), tuple(leavers.values())


_OWN_WORDS = ("moves", "hit", "miss", "declares", "waits")


def _add_act(acts: list[Act], act: Act, *, by_entry: bool) -> None:
    """Add an act. One of a more specific kind replaces a bare ``acts`` of the same entry, or else the last act."""
    theirs = [place for place, other in enumerate(acts) if other.who == act.who]
    same = [place for place in theirs if acts[place].entry == act.entry] if by_entry else theirs[-1:]
    if act.kind == "acts" and same:
        return
    if act.kind in _OWN_WORDS:
        for place in same:
            if acts[place].kind == "acts":
                del acts[place]
                break
    acts.append(act)


def _number_column(column: Column, before: Sequence[Column]) -> Column:
    """A column with its number among similar ones; skipped steps count if the system numbers them."""
    if column.number:
        return column
    column_key = (column.round, column.phase, column.side, column.actor)
    number = 1
    for other in reversed(before):
        if other.round != column.round:
            break
        number += (other.round, other.phase, other.side, other.actor) == column_key
    return replace(column, number=number)


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
    """The summary of a fight, up to the present."""
    fight = fight if for_gm else fight.for_players()
    lanes = Lanes(fight, for_gm=for_gm)
    chart = lanes.chart()
    gm = _Ledger(fight.line.seek(0)) if for_gm else None
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
            # Compare an attack with its chance: its own, or that of the roll before it.
            chance, got = event.chance if isinstance(event, Chanced) else None, event.hit
            target_id = event.target if isinstance(event, Aimed) else ""
            check = self._checks.pop((event.who, target_id), None)
            if chance is None and check is not None:
                chance, got = check.chance, check.ok
            if chance is not None:
                self.weighed[event.who] += 1
                self.expected[event.who] += chance
                self.got[event.who] += got
        # What is filled for the first round could not be used before.
        is_first = isinstance(event, Refilled) and before.round <= 1
        if isinstance(event, PoolChanged) and event.unused > 0 and not is_first and before.combatants[event.who].able:
            self.unused.setdefault(event.who, Counter())[event.pool] += event.unused


def _harm(chart: Chart, sides: Mapping[str, str], *, by_round: bool) -> Iterator[Harm]:
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
    sides = tuple(dict.fromkeys(tally.side for tally in summary.tallies))
    total = sum(sum(harm.taken.values()) for harm in summary.phases)
    phases = summary.phases if sum(bool(harm.part) for harm in summary.phases) > 1 else ()
    by_phase, by_round = (tuple(_harm_line(each, sides, words) for each in some) for some in (phases, summary.rounds))
    names, rest = words.pools, ((each.name, each.unused.items()) for each in summary.tallies if each.unused)
    unused = (Detail(name, ", ".join(f"{now} {names.get(pool, pool)}" for pool, now in own)) for name, own in rest)
    breaks = f"{summary.breaks} {'break' if summary.breaks == 1 else 'breaks'} not counted" if summary.breaks else ""
    sections = (
        Section("Damage by phase", by_phase),
        Section(f"Damage by {words.round}", by_round, note=f"{total} total" if total else ""),
        Section("Hits and luck", tuple(_luck_lines(summary, words))),
        Section("Unused", tuple(unused)),
        Section("Waiting at the table", tuple(_wait_lines(summary.tallies)), note=breaks),
        Section("Rulings", tuple(_ruling_lines(summary))),
    )
    return tuple(section for section in sections if section.details)


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
