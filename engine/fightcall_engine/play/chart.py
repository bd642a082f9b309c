"""The data of a timeline: lanes, columns, the acts in them, how long effects last, and what is due."""

from __future__ import annotations

from typing import Literal

from fightcall_engine.model.values import frozen
from fightcall_engine.play.frames import Figure

Kind = Literal[
    "acts", "moves", "hit", "miss", "hurt", "heals", "down", "rises", "declares", "waits", "joins", "leaves", "ruled"
]
"""What somebody did or suffered. ``acts`` is whatever has no word of its own; ``ruled`` is the GM's doing."""

DEEDS: frozenset[Kind] = frozenset(("acts", "moves", "hit", "miss", "declares", "waits"))
"""The kinds of acts that somebody does themselves, so that their player had the turn."""


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


def due_of(span: Span, chart: Chart) -> Due | None:
    """When an effect that still lasts will be over, if that is known."""
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
