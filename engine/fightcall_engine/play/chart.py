"""The data of a timeline: lanes, columns, the acts in them, how long effects last, and what is due."""

from __future__ import annotations

from typing import Literal

from fightcall_engine.model.values import frozen
from fightcall_engine.play.frames import Figure

Kind = Literal[
    "acts", "moves", "hit", "miss", "hurt", "heals", "down", "rises", "declares", "waits", "joins", "leaves", "ruled"
]
"""Kinds of acts. ``acts`` is for acts without a more specific kind, ``ruled`` for acts of the GM."""

DEEDS: frozenset[Kind] = frozenset(("acts", "moves", "hit", "miss", "declares", "waits"))
"""The kinds of acts that combatants do themselves, so that their player had the turn."""


@frozen
class Act:
    """Something that a combatant did or suffered.

    Attributes:
        who: the id of the combatant of its lane.
        amount: places moved, harm taken or healed; 0 for other kinds.
        entry: the number of its journal entry.
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
        entry: the number of the entry with which it began.
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
