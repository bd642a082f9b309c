"""Building the timeline of a fight: a lane for each combatant, and a column for each stretch of the agenda.

It is built from the agenda and the events alone, whatever the system. For players it is built from `public_forms` and
`player_frame`, so that it contains neither hidden combatants nor their steps.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias, cast

from fightcall_engine.model.events import (
    DamageApplied,
    EffectBegan,
    EffectEnded,
    Event,
    LeftFight,
    PoolChanged,
    Returned,
    StepSkipped,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.sight import has_anybody_in_sight, known_by
from fightcall_engine.model.state import Combatant, FightState, Json, Step
from fightcall_engine.model.values import frozen
from fightcall_engine.play.chart import (
    AMOUNTS,
    Act,
    Chart,
    Column,
    Due,
    Lane,
    Span,
    find_dues,
    find_public_dues,
    kind_of,
)
from fightcall_engine.play.frames import Figure, common_length, gm_frame, known_actor, player_frame, stretch_of
from fightcall_engine.play.player_view import is_declared_in_secret, public_forms

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.play.fight import Fight
    from fightcall_engine.play.timeline import Entry


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


@frozen
class _Gone:
    """A combatant left; their lane is kept."""

    figure: Figure


_Fact: TypeAlias = Act | _Begun | _Lasting | _Gone


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
        self._start = tuple(_lasting_of(fight.seek(0), for_gm=for_gm))

    def chart(self) -> Chart:
        """The timeline at the present moment."""
        fight = self._fight if self._for_gm else self._fight.for_players()
        state = fight.state
        if self._chart is None or self._chart[0] is not state:
            self._update(fight)
            self._chart = (state, self._make_chart(state))
        return self._chart[1]

    def entry_of(self, act: Act) -> int:
        """The number of the journal entry of an act in the chart."""
        return self._entries[bisect_left(self._told, act.entry) - 1]

    def _update(self, fight: Fight) -> None:
        line = fight.line.entries
        same = common_length(self._entries, [entry.number for entry in line])
        del self._entries[same:], self._facts[same:], self._told[same + 1 :]
        state = fight.seek(0 if same == 0 else fight.line.span(same - 1)[1])
        tell = self._tell_gm if self._for_gm else self._tell_players
        for entry in line[same:]:
            facts: list[_Fact] = []
            self._told.append(tell(entry, state, facts))
            state = reduce(evolve, entry.events, state)
            self._entries.append(entry.number)
            self._facts.append(tuple(facts))

    def _make_chart(self, state: FightState) -> Chart:
        system = self._fight.system
        facts = (fact for facts in (self._start, *self._facts) for fact in facts)
        columns, spans, leavers = _assemble(facts, by_entry=self._for_gm)
        frame = gm_frame(state, system) if self._for_gm else player_frame(state, system)
        here = {figure.id for figure in frame.figures}
        dues = tuple(find_dues(state, system) if self._for_gm else find_public_dues(state, system))
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
                facts.append(_Gone(_plain_figure(before.combatants[who])))
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
        if kind is None or not who or kind == "ruled" or (kind in ("hit", "miss") and not _tells_hit(event, form)):
            return
        if isinstance(event, LeftFight) and event.who in before.combatants:
            yield _Gone(_known_figure(before, before.combatants[event.who]))
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


def _tells_hit(event: Event, form: Mapping[str, Json]) -> bool:
    """Whether players are told that an attack hit: by the event itself, or in its public form."""
    return "hit" in form or "hit" in vars(type(event))


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
    """A combatant as players know them."""
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
        if isinstance(fact, _Gone):
            leavers[fact.figure.id] = fact.figure
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
