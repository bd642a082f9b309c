"""A fight as a timeline: a lane for each combatant, time to the right, one column for each stretch of the agenda.

It is made of the agenda and the events alone, whatever the system. For players it is made of what `public_forms` tells
and `player_frame` shows, so that somebody hidden, and a step of theirs, does not exist in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeGuard, cast, runtime_checkable

from fightcall_engine.kit.effects import owner_of
from fightcall_engine.model.cues import AllOf, ClockReached, Condition, PhaseReached, RoundReached
from fightcall_engine.model.events import (
    DamageApplied,
    Detected,
    Downed,
    EffectBegan,
    EffectEnded,
    Event,
    Healed,
    Joined,
    LeftFight,
    Moved,
    Overridden,
    PoolAdjusted,
    Restored,
    StepBegan,
    StepSkipped,
    Waived,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.sight import has_anybody_in_sight, known_by
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Step
from fightcall_engine.model.values import frozen
from fightcall_engine.play.frames import Figure, common_length, gm_frame, player_frame
from fightcall_engine.play.player_view import declared_in_secret, public_forms

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.play.fight import Fight
    from fightcall_engine.play.timeline import Entry


@runtime_checkable
class Attempt(Protocol):
    """An event that is somebody's attack, and says whether it hit."""

    who: str
    hit: bool


def is_attempt(event: Event) -> TypeGuard[Attempt]:
    """Whether an event is an attack of its own, hit or miss."""
    return isinstance(event, Attempt) and not event.OF_ATTACK


Kind = Literal[
    "acts", "moves", "hit", "miss", "hurt", "heals", "down", "rises", "declares", "waits", "joins", "leaves", "ruled"
]
"""What somebody did or suffered. ``acts`` is whatever has no word of its own; ``ruled`` is the GM's doing."""

DEEDS: frozenset[Kind] = frozenset(("acts", "moves", "hit", "miss", "declares", "waits"))
"""What is somebody's own doing, at the table the turn of whoever plays them."""

AMOUNTS: Mapping[str, str] = {"moves": "hexes", "hurt": "amount", "heals": "amount"}
"""The field of an event that says how much."""


@frozen
class Act:
    """Something that somebody did or suffered.

    Attributes:
        who: whose lane it is in.
        amount: places moved, harm taken or undone; 0 for all else.
        entry: the number of its journal entry.
        secret: players know nothing of it.
        by: whose doing some harm was, for the GM; empty for nobody's but their own.
    """

    who: str
    kind: Kind
    amount: int
    entry: int
    secret: bool = False
    by: str = ""


@frozen
class Column:
    """A stretch of the agenda: a half, a band, somebody's turn, a pulse.

    Attributes:
        round: its number, 0 before the first.
        title: the round as it is called.
        phase: the part of the round, in words; empty where it has several.
        side: whose it is, if it is a side's.
        actor: whose it is, if it is one combatant's.
        number: which it is of those that are alike in its phase, from 1 on, such as the pulses.
        entry: the number of the entry that it began with.
        secret: players know nothing of it.
    """

    round: int
    title: str
    phase: str = ""
    side: str = ""
    actor: str = ""
    number: int = 1
    entry: int = 0
    secret: bool = False
    acts: tuple[Act, ...] = ()


@frozen
class Span:
    """How long an effect lasted: the first and the last of its columns, the last None where it goes on."""

    who: str
    name: str
    first: int
    last: int | None = None
    secret: bool = False


@frozen
class Due:
    """Something that will come about.

    Attributes:
        words: what it is.
        round: in which round.
        who: in whose lane; empty for nobody's.
        actor: in whose turn, by id; empty for the end of the round.
        left: how often it still counts, None where it does not count.
        phase: in which part of the round, in words; empty where that is not said.
        number: in which of the steps that the part is made of; 0 where that is not said.
    """

    words: str
    round: int
    who: str = ""
    actor: str = ""
    left: int | None = None
    phase: str = ""
    number: int = 0


@frozen
class Lane:
    """Somebody's lane.

    Attributes:
        figure: as they are shown now; of those who have left, as they were last known.
        kept: what they have put by for later, in words.
        here: false for those who have left, or are out of sight.
    """

    figure: Figure
    kept: str = ""
    here: bool = True


@frozen
class Chart:
    """The whole timeline at one moment.

    Attributes:
        columns: what has begun, oldest first; the last of them runs.
        ahead: the rest of this round, then each round in which something is due.
        dues: what will come about; for players the ends of effects that they see, no more.
    """

    lanes: tuple[Lane, ...]
    columns: tuple[Column, ...]
    spans: tuple[Span, ...]
    ahead: tuple[Column, ...]
    dues: tuple[Due, ...] = ()


@frozen
class _Begun:
    """A step began. `key` tells apart what takes a column of its own."""

    column: Column
    key: tuple[int, str, str]


@frozen
class _Lasting:
    """An effect begins, or is over. `key` is its id, or what players know it by."""

    who: str
    key: str
    name: str
    begins: bool
    secret: bool = False


@frozen
class _Gone:
    """Somebody has left; their lane stays."""

    figure: Figure


_Fact: TypeAlias = Act | _Begun | _Lasting | _Gone


class Lanes:
    """The timeline along a fight's line of play, kept up to date as the fight goes on, back or another way."""

    def __init__(self, fight: Fight, *, for_gm: bool = False) -> None:
        self._fight = fight
        self._for_gm = for_gm
        self._entries: list[int] = []
        self._facts: list[tuple[_Fact, ...]] = []
        self._chart: tuple[FightState, Chart] | None = None
        self._start = tuple(_lasting_of(fight.seek(0), for_gm=for_gm))

    def chart(self) -> Chart:
        """The timeline as the fight stands now."""
        state = self._fight.state
        if self._chart is None or self._chart[0] is not state:
            self._update()
            self._chart = (state, self._make_chart(state))
        return self._chart[1]

    def _update(self) -> None:
        line = self._fight.line.entries
        same = common_length(self._entries, [entry.number for entry in line])
        del self._entries[same:], self._facts[same:]
        state = self._fight.seek(0 if same == 0 else self._fight.line.span(same - 1)[1])
        tell = self._tell_gm if self._for_gm else self._tell_players
        for entry in line[same:]:
            facts: list[_Fact] = []
            state = tell(entry, state, facts)
            self._entries.append(entry.number)
            self._facts.append(tuple(facts))

    def _make_chart(self, state: FightState) -> Chart:
        system = self._fight.system
        columns, spans, leavers = _assemble(fact for facts in (self._start, *self._facts) for fact in facts)
        frame = gm_frame(state, system) if self._for_gm else player_frame(state, system)
        here = {figure.id for figure in frame.figures}
        dues = tuple(find_dues(state, system) if self._for_gm else _public_dues(state, system))
        lanes = [
            Lane(figure, _kept_words(state, system, figure.id) if self._for_gm else "") for figure in frame.figures
        ]
        actors = {act.who for column in columns for act in column.acts} | {span.who for span in spans}
        if not self._for_gm:
            leavers = (
                *leavers,
                *(_known_figure(state, combatant) for combatant in state.combatants.values() if combatant.hidden),
            )
        lanes += [Lane(figure, here=False) for figure in leavers if figure.id not in here and figure.id in actors]
        ahead = tuple(self._ahead(state, columns, dues))
        return Chart(tuple(lanes), columns, spans, ahead, dues)

    # What happened

    def _tell_gm(self, entry: Entry, state: FightState, facts: list[_Fact]) -> FightState:
        """Add all facts of an entry; answers with the state after it."""
        for event in entry.events:
            before, state = state, evolve(state, event)
            is_skip = isinstance(event, StepSkipped)
            if not is_skip and state.step is not None and (state.step, state.round) != (before.step, before.round):
                unseen = state.step != state.sight.step
                facts.append(self._begun(state, state.step, state.step.actor, entry, secret=unseen))
            who = _subject(event)
            secret = _is_hidden(before, who) and _is_hidden(state, who)
            if isinstance(event, EffectBegan):
                facts.append(_Lasting(event.who, event.effect.id, event.effect.name, True, secret))
            elif isinstance(event, EffectEnded):
                facts.append(_Lasting(event.who, event.effect, event.name, False, secret))
            kind = kind_of(event)
            if kind is None or not who:
                continue
            if kind == "leaves" and who in before.combatants:
                facts.append(_Gone(_plain_figure(before.combatants[who])))
            amount = getattr(event, AMOUNTS[kind]) if kind in AMOUNTS else 0
            secret = secret or (kind == "declares" and declared_in_secret(who, state)) or kind == "ruled"
            by = event.by if isinstance(event, DamageApplied) and event.by != who else ""
            facts.append(Act(who, kind, amount, entry.number, secret, by))
        return state

    def _tell_players(self, entry: Entry, state: FightState, facts: list[_Fact]) -> FightState:
        """Add the facts of an entry that players are told; answers with the state after it."""
        for event, form, after in public_forms(entry.events, state):
            step = after.sight.step
            if form["type"] == StepBegan.type or isinstance(event, StepBegan):
                if step is not None:
                    facts.append(self._begun(after, step, _known_actor(after, step), entry, secret=False))
            elif event is not None:
                facts += self._public_facts(event, form, state, entry.number)
        for event in entry.events:
            state = evolve(state, event)
        return state

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
        if kind is None or not who or kind == "ruled" or (kind in ("hit", "miss") and not _tells_hit(event, form)):
            return
        if isinstance(event, LeftFight) and event.who in before.combatants:
            yield _Gone(_known_figure(before, before.combatants[event.who]))
        amount = form.get(AMOUNTS.get(kind, ""), 0)
        yield Act(who, kind, amount if isinstance(amount, int) else 0, number)

    def _begun(self, state: FightState, step: Step, actor: str, entry: Entry, *, secret: bool) -> _Begun:
        column = self._column(state, step, actor)
        # All steps of one turn are one column; two that are nobody's, such as pulses, are two.
        key = (state.round, actor, step.kind) if actor else (state.round, step.id, step.kind)
        return _Begun(replace(column, entry=entry.number, secret=secret), key)

    def _column(self, state: FightState, step: Step, actor: str) -> Column:
        words = self._fight.system.words(state.settings)
        title = f"{words.round} {state.round}" if state.round else ""
        phase = words.phases.get(step.phase, step.phase.title())
        return Column(state.round, title, phase, "" if actor else step.side, actor)

    # What is to come

    def _ahead(self, state: FightState, begun: Sequence[Column], dues: Sequence[Due]) -> Iterator[Column]:
        """The steps of this round that are still to come, then the rounds in which something is due."""
        running = state.step if self._for_gm else state.sight.step
        steps = state.agenda.steps
        coming = steps[steps.index(running) + 1 :] if running in steps else ()
        columns = list(begun)
        key: tuple[int, str, str] | None = None
        if running is not None:
            key = (state.round, self._actor(state, running), running.kind)
        for step in coming:
            actor = self._actor(state, step)
            is_out = bool(step.actor) and (step.actor not in state.combatants or not state.combatants[step.actor].able)
            if is_out or not (self._for_gm or has_anybody_in_sight(state, step, step.members)):
                continue
            new_key = (state.round, actor, step.kind) if actor else (state.round, step.id, step.kind)
            if new_key != key:
                key = new_key
                columns.append(_number_column(self._column(state, step, actor), columns))
        yield from columns[len(begun) :]
        word = self._fight.system.words(state.settings).round
        for number in sorted({due.round for due in dues if due.round > state.round}):
            yield Column(number, f"{word} {number}")

    def _actor(self, state: FightState, step: Step) -> str:
        return step.actor if self._for_gm else _known_actor(state, step)


def find_dues(state: FightState, system: BaseSystem) -> Iterator[Due]:
    """All that will come about at a time that is known: the ends of effects, and the cues that wait for a time."""
    if state.status == "closed":
        return
    for combatant in state.combatants.values():
        yield from _ends_of(state, system, combatant)
    for cue in state.cues:
        due = _due_at(state, system, cue.when)
        has_come = isinstance(cue.when, RoundReached) and cue.when.round <= state.round
        if due is not None and not has_come:
            yield Due(cue.name or cue.id, due[0], phase=due[1])


def _ends_of(state: FightState, system: BaseSystem, bearer: Combatant) -> Iterator[Due]:
    return (_due_of(state, system, bearer, effect) for effect in bearer.effects if effect.left is not None)


def _public_dues(state: FightState, system: BaseSystem) -> Iterator[Due]:
    """The ends of effects on whom players see, unless somebody they do not see keeps the clock."""
    people = {} if state.status == "closed" else state.combatants
    for combatant in people.values():
        for due in () if combatant.hidden else _ends_of(state, system, combatant):
            keeper = people.get(due.actor)
            if keeper is None or not keeper.hidden:
                actor = "" if keeper is None else known_by(state, keeper).id
                yield replace(due, who=known_by(state, combatant).id, actor=actor)


def due_of(span: Span, chart: Chart) -> Due | None:
    """When an effect that goes on is over, where that is known."""
    if span.last is not None:
        return None
    return next((due for due in chart.dues if (due.who, due.words) == (span.who, span.name)), None)


def end_of(due: Due | None, chart: Chart) -> int:
    """The index of the column, of those begun and then those ahead, in which something is due; else of the last."""
    run = len(chart.columns)
    if due is None:
        return run + len(chart.ahead)
    places = [run + index for index, column in enumerate(chart.ahead) if column.round <= due.round]
    in_round = [place for place in places if _is_due_in(due, chart.ahead[place - run])]
    return in_round[0] if in_round else places[-1] if places else run - 1


def _is_due_in(due: Due, column: Column) -> bool:
    """Whether something is due in the very turn or phase of a column."""
    its_turn = bool(due.actor) and column.actor == due.actor
    its_phase = bool(due.phase) and column.phase == due.phase and due.number in (0, column.number)
    return column.round == due.round and (its_turn or its_phase)


def end_words(due: Due, chart: Chart) -> str:
    """When something ends: ``ends in Moment 3``, ``ends in Round 2, Ash's turn``."""
    columns = (*chart.ahead, *chart.columns[::-1])
    title = next((column.title for column in columns if column.round == due.round), "")
    name = next((lane.figure.name for lane in chart.lanes if due.actor and lane.figure.id == due.actor), "")
    return f"ends in {title}{f', turn of {name}' if name else ''}" if title else ""


def _due_at(state: FightState, system: BaseSystem, condition: Condition) -> tuple[int, str] | None:
    """The round and the part of it in which a condition comes true, if that hangs on time alone."""
    if isinstance(condition, RoundReached):
        return max(condition.round, state.round), ""
    if isinstance(condition, ClockReached):
        seconds = system.seconds_of_round(state)
        seconds_left = condition.clock_s - state.clock_s
        # Time counts as a round ends.
        rounds = -(-seconds_left // seconds) - (state.step is not None) if seconds else 0
        return (state.round + rounds, "") if seconds_left > 0 and seconds else None
    if isinstance(condition, PhaseReached):
        phases = system.words(state.settings).phases
        folded_phase = condition.phase.lower()
        phase = next((name for name, words in phases.items() if folded_phase in (name.lower(), words.lower())), "")
        coming = state.agenda.steps[max(state.agenda.cursor, 0) + 1 :]
        return (state.round + all(step.phase != phase for step in coming), phases[phase]) if phase else None
    if isinstance(condition, AllOf):
        dues = [_due_at(state, system, part) for part in condition.all]
        certain = [due for due in dues if due is not None]
        if len(certain) < len(dues) or not certain:
            return None
        return max(number for number, _ in certain), next((phase for _, phase in certain if phase), "")
    return None


def _due_of(state: FightState, system: BaseSystem, bearer: Combatant, effect: Effect) -> Due:
    """When an effect ends: in this round, where its moment is still to come in it, or so many rounds on."""
    if effect.ticks == system.substep:
        return _due_by_substeps(state, system, bearer, effect)
    own = {moment: end for end, moment in system.clocks.get("own", {}).items()}
    actor, turns_left = "", effect.left or 1
    steps, cursor = state.agenda.steps, max(state.agenda.cursor, 0)
    if effect.ticks in own:
        actor = owner_of(state, bearer, effect)
        coming = steps[cursor + (own[effect.ticks] == "start") :]
        counts_now = any(actor in (step.actor, *step.members) for step in coming)
    else:
        counts_now = bool(steps) and effect.ticks != system.clocks.get("round", {}).get("start")
    return Due(effect.name, state.round + turns_left - counts_now, bearer.id, actor, effect.left)


def _due_by_substeps(state: FightState, system: BaseSystem, bearer: Combatant, effect: Effect) -> Due:
    """When an effect ends that counts the steps of a phase, such as ticks: as if all rounds had as many as this one."""
    all_of_round = [index for index, step in enumerate(state.agenda.steps) if step.kind == system.substep]
    gone = sum(index <= state.agenda.cursor for index in all_of_round)
    rounds, place = divmod(gone + (effect.left or 1) - 1, len(all_of_round) or 1)
    phase = state.agenda.steps[all_of_round[place]].phase if all_of_round else ""
    words = system.words(state.settings).phases.get(phase, phase.title())
    return Due(effect.name, state.round + rounds, bearer.id, left=effect.left, phase=words, number=place + 1)


def _kind_of_class(event: type[Event]) -> Kind | None:
    if event not in _KNOWN_KINDS:
        _KNOWN_KINDS[event] = _find_kind(event)
    return _KNOWN_KINDS[event]


_KNOWN_KINDS: dict[type[Event], Kind | None] = {}


def _find_kind(event: type[Event]) -> Kind | None:
    for kind, types in _KINDS.items():
        if issubclass(event, types):
            return kind
    if event.DECLARES:
        return "declares"
    spoken = event.SEEN and not event.SEEN.startswith(" ") and not issubclass(event, EffectBegan | EffectEnded)
    return "acts" if event.ACTS or spoken else None


_KINDS: Mapping[Kind, tuple[type[Event], ...]] = {
    "hurt": (DamageApplied,),
    "heals": (Healed,),
    "down": (Downed,),
    "rises": (Restored,),
    "moves": (Moved,),
    "waits": (Waived,),
    "joins": (Joined, Detected),
    "leaves": (LeftFight,),
    "ruled": (PoolAdjusted, Overridden),
}


def kind_of(event: Event) -> Kind | None:
    """What an event is in somebody's lane, None where nothing."""
    if is_attempt(event):
        return "hit" if event.hit else "miss"
    return _kind_of_class(type(event))


def _tells_hit(event: Event, form: Mapping[str, Json]) -> bool:
    """Whether players are told that it hit: by the event itself, or in its form."""
    return "hit" in form or "hit" in vars(type(event))


def _subject(event: Event) -> str:
    value = getattr(event, "who", "")
    return value if isinstance(value, str) else ""


def _is_hidden(state: FightState, combatant_id: str) -> bool:
    return combatant_id not in state.combatants or state.combatants[combatant_id].hidden


def _known_actor(state: FightState, step: Step) -> str:
    """Whose step it is, by the id that players know them by; empty for nobody they see."""
    actor = state.combatants.get(step.actor)
    return known_by(state, actor).id if actor is not None and not actor.hidden else ""


def _lasting_of(state: FightState, *, for_gm: bool) -> Iterator[_Lasting]:
    """The effects with which a fight begins."""
    for combatant in state.combatants.values():
        if for_gm or not combatant.hidden:
            who = combatant.id if for_gm else known_by(state, combatant).id
            for effect in combatant.effects:
                yield _Lasting(who, effect.id if for_gm else effect.name, effect.name, True, combatant.hidden)


def _plain_figure(combatant: Combatant) -> Figure:
    return Figure(
        id=combatant.id,
        label=combatant.label,
        name=combatant.name,
        side=combatant.side,
        at=None,
        facing=None,
        able=False,
        hidden=combatant.hidden,
        health="",
        pools={},
        effects=(),
        turn=None,
        declared="",
    )


def _known_figure(state: FightState, combatant: Combatant) -> Figure:
    """Somebody as players know them."""
    alias = known_by(state, combatant)
    return replace(_plain_figure(combatant), id=alias.id, label=alias.label, name=alias.name, hidden=False)


def _kept_words(state: FightState, system: BaseSystem, combatant_id: str) -> str:
    words = system.words(state.settings).pools
    pips = (pips for pips in system.card(state, combatant_id).pips if pips.kept)
    return ", ".join(f"{each.kept} {words.get(each.pool, each.pool)} kept" for each in pips)


# Putting it together


def _assemble(facts: Iterable[_Fact]) -> tuple[tuple[Column, ...], tuple[Span, ...], tuple[Figure, ...]]:
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
        if isinstance(fact, _Gone):
            leavers[fact.figure.id] = fact.figure
            continue
        if not columns:
            columns.append(Column(0, ""))
            acts.append([])
        if isinstance(fact, Act):
            _put(acts[-1], fact)
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
    made = tuple(
        replace(column, acts=tuple(acts_of_column)) for column, acts_of_column in zip(columns, acts, strict=True)
    )
    return made, tuple(spans), tuple(leavers.values())


_OWN_WORDS = ("moves", "hit", "miss", "declares", "waits")


def _put(acts: list[Act], act: Act) -> None:
    """Add an act. What has a word of its own stands for the bare ``acts`` of the same entry."""
    same = [place for place, other in enumerate(acts) if (other.who, other.entry) == (act.who, act.entry)]
    if act.kind == "acts" and same:
        return
    if act.kind in _OWN_WORDS:
        for place in same:
            if acts[place].kind == "acts":
                del acts[place]
                break
    acts.append(act)


def _number_column(column: Column, before: Sequence[Column]) -> Column:
    """A column with its number among those like it."""
    alike = (column.round, column.phase, column.side, column.actor)
    number = 1
    for other in reversed(before):
        if other.round != column.round:
            break
        number += (other.round, other.phase, other.side, other.actor) == alike
    return replace(column, number=number)
