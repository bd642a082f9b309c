"""The data of a timeline: lanes, columns, acts, how long effects last, and what is due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Protocol, TypeGuard, runtime_checkable

from fightcall_engine.kit.effects import owner_of
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
    Waived,
)
from fightcall_engine.model.sight import known_by
from fightcall_engine.model.state import (
    AllOf,
    ClockReached,
    Combatant,
    Condition,
    Effect,
    FightState,
    PhaseReached,
    RoundReached,
)
from fightcall_engine.model.values import frozen
from fightcall_engine.play.frames import Figure

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

Kind = Literal[
    "acts", "moves", "hit", "miss", "hurt", "heals", "down", "rises", "declares", "waits", "joins", "leaves", "ruled"
]
"""Kinds of acts. ``acts`` is for acts without a more specific kind, ``ruled`` for acts of the GM."""

DEEDS: frozenset[Kind] = frozenset(("acts", "moves", "hit", "miss", "declares", "waits"))
"""The kinds of acts that combatants do themselves, so that their player had the turn."""

AMOUNTS: Mapping[str, str] = {"moves": "hexes", "hurt": "amount", "heals": "amount"}
"""The field of an event that holds its amount."""


@frozen
class Act:
    """Something that a combatant did or suffered.

    Attributes:
        who: the id of the combatant of its lane.
        amount: places moved, harm taken or healed; 0 for other kinds.
        entry: the number of its journal entry; for players, of its public event (see `Shot`).
        secret: hidden from players.
        by: the id of the combatant who caused harm, for the GM only; empty for none or the same.
    """

    who: str
    kind: Kind
    amount: int
    entry: int
    secret: bool = False
    by: str = ""


@frozen
class Column:
    """A stretch of the agenda: a half, a band, a turn, a pulse.

    Attributes:
        round: the number of its round; 0 before the first.
        title: the title of the round.
        phase: the part of the round, in words; empty for several.
        side: the acting side, if it belongs to one.
        actor: the acting combatant, if it belongs to one.
        number: its number among equal ones in its phase, such as pulses, from 1.
        entry: the number of the journal entry, or for players of the public event, with which it began.
        secret: hidden from players.
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
    """How long an effect lasted: its first and last column; the last is None while it continues."""

    who: str
    name: str
    first: int
    last: int | None = None
    secret: bool = False


@frozen
class Due:
    """Something that is due at a later time.

    Attributes:
        words: what is due.
        round: the round.
        who: the id of the combatant of its lane; empty for none.
        actor: the id of the combatant in whose turn it is due; empty for the end of the round.
        left: the remaining count; None if it does not count down.
        phase: the part of the round, in words; empty for any.
        number: the number of the step in that part; 0 for any.
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
    """The lane of a combatant.

    Attributes:
        figure: how the combatant is shown; the last known look of leavers.
        kept: what the combatant has reserved for later, in words.
        here: false for leavers, and for combatants out of sight.
    """

    figure: Figure
    kept: str = ""
    here: bool = True


@frozen
class Chart:
    """The whole timeline at one moment.

    Attributes:
        columns: the columns that have begun, oldest first; the last one is running.
        ahead: the rest of this round, then each round in which something is due.
        dues: what is due; for players only the ends of effects that they see.
    """

    lanes: tuple[Lane, ...]
    columns: tuple[Column, ...]
    spans: tuple[Span, ...]
    ahead: tuple[Column, ...]
    dues: tuple[Due, ...] = ()


def due_of(span: Span, chart: Chart) -> Due | None:
    """When a running effect will end, if known."""
    if span.last is not None:
        return None
    return next((due for due in chart.dues if (due.who, due.words) == (span.who, span.name)), None)


def end_of(due: Due | None, chart: Chart) -> int:
    """The index of the column, past or ahead, in which something is due; else of the last column."""
    run = len(chart.columns)
    if due is None:
        return run + len(chart.ahead)
    places = [run + index for index, column in enumerate(chart.ahead) if column.round <= due.round]
    in_round = [place for place in places if _is_due_in(due, chart.ahead[place - run])]
    return in_round[0] if in_round else places[-1] if places else run - 1


def _is_due_in(due: Due, column: Column) -> bool:
    """Whether something is due in exactly the turn or phase of a column."""
    its_turn = bool(due.actor) and column.actor == due.actor
    its_phase = bool(due.phase) and column.phase == due.phase and due.number in (0, column.number)
    return column.round == due.round and (its_turn or its_phase)


def end_words(due: Due, chart: Chart) -> str:
    """When something ends: ``ends in Moment 3``, ``ends in Round 2, Ash's turn``."""
    columns = (*chart.ahead, *chart.columns[::-1])
    title = next((column.title for column in columns if column.round == due.round), "")
    name = next((lane.figure.name for lane in chart.lanes if due.actor and lane.figure.id == due.actor), "")
    return f"ends in {title}{f', turn of {name}' if name else ''}" if title else ""


# Deeds: how the timeline classifies an event


@runtime_checkable
class Attempt(Protocol):
    """An event with the fields of an attack: who, and whether it hit."""

    who: str
    hit: bool


def is_attempt(event: Event) -> TypeGuard[Attempt]:
    """Whether an event is an attack of its own, whether it hit or not."""
    return isinstance(event, Attempt) and not event.OF_ATTACK


def kind_of(event: Event) -> Kind | None:
    """The kind of act that an event is in a lane; None for none."""
    if is_attempt(event):
        return "hit" if event.hit else "miss"
    return _kind_of_class(type(event))


_KNOWN_KINDS: dict[type[Event], Kind | None] = {}
"""A cache of kinds by the class of events."""


def _kind_of_class(event: type[Event]) -> Kind | None:
    if event not in _KNOWN_KINDS:
        _KNOWN_KINDS[event] = _find_kind(event)
    return _KNOWN_KINDS[event]


def _find_kind(event: type[Event]) -> Kind | None:
    for kind, types in _KINDS.items():
        if issubclass(event, types):
            return kind
    if event.DECLARES:
        return "declares"
    spoken = event.SEEN and not event.SEEN.startswith(" ") and not issubclass(event, EffectBegan | EffectEnded)
    return "acts" if event.ACTS or event.is_deed() or spoken else None


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


# What is due


def find_dues(state: FightState, system: BaseSystem) -> Iterator[Due]:
    """Everything due at a known time: the ends of effects, and cues that wait for a time."""
    if state.status == "closed":
        return
    for combatant in state.combatants.values():
        yield from _ends_of(state, system, combatant)
    for cue in state.cues:
        due = _due_at(state, system, cue.when)
        has_come = isinstance(cue.when, RoundReached) and cue.when.round <= state.round
        if due is not None and not has_come:
            yield Due(cue.name or cue.id, due[0], phase=due[1])


def find_public_dues(state: FightState, system: BaseSystem) -> Iterator[Due]:
    """The ends of effects on combatants in sight, except those on the clock of a hidden combatant."""
    people = {} if state.status == "closed" else state.combatants
    for combatant in people.values():
        for due in () if combatant.hidden else _ends_of(state, system, combatant):
            keeper = people.get(due.actor)
            if keeper is None or not keeper.hidden:
                actor = "" if keeper is None else known_by(state, keeper).id
                yield replace(due, who=known_by(state, combatant).id, actor=actor)


def _ends_of(state: FightState, system: BaseSystem, bearer: Combatant) -> Iterator[Due]:
    return (_due_of(state, system, bearer, effect) for effect in bearer.effects if effect.left is not None)


def _due_at(state: FightState, system: BaseSystem, condition: Condition) -> tuple[int, str] | None:
    """The round, and the part of it, in which a condition comes true, if it depends only on time."""
    if isinstance(condition, RoundReached):
        return max(condition.round, state.round), ""
    if isinstance(condition, ClockReached):
        seconds = system.seconds_of_round(state)
        seconds_left = condition.clock_s - state.clock_s
        # Game time advances at the end of a round.
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
    """When an effect ends: in this round if its moment is still to come in it, else so many rounds later."""
    if effect.ticks == system.substep:
        return _due_by_substeps(state, system, bearer, effect)
    own_moments = {moment: end for end, moment in system.clocks.get("own", {}).items()}
    actor, turns_left = "", effect.left or 1
    steps, cursor = state.agenda.steps, max(state.agenda.cursor, 0)
    if effect.ticks in own_moments:
        actor = owner_of(state, bearer, effect)
        coming = steps[cursor + (own_moments[effect.ticks] == "start") :]
        counts_now = any(actor in (step.actor, *step.members) for step in coming)
    else:
        counts_now = bool(steps) and effect.ticks != system.clocks.get("round", {}).get("start")
    return Due(effect.name, state.round + turns_left - counts_now, bearer.id, actor, effect.left)


def _due_by_substeps(state: FightState, system: BaseSystem, bearer: Combatant, effect: Effect) -> Due:
    """When an effect that counts substeps ends, on the assumption that all rounds have as many as this one."""
    all_of_round = [index for index, step in enumerate(state.agenda.steps) if step.kind == system.substep]
    past_count = sum(index <= state.agenda.cursor for index in all_of_round)
    rounds, place = divmod(past_count + (effect.left or 1) - 1, len(all_of_round) or 1)
    phase = state.agenda.steps[all_of_round[place]].phase if all_of_round else ""
    words = system.words(state.settings).phases.get(phase, phase.title())
    return Due(effect.name, state.round + rounds, bearer.id, left=effect.left, phase=words, number=place + 1)
