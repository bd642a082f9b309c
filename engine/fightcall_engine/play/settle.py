"""Applying events with all their reactions, and letting the agenda move, until nothing more happens."""

from __future__ import annotations

from collections.abc import Iterable

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.reactions import SystemReactions
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import FightState
from fightcall_engine.play.hazards import harm_by_ground

Happened = tuple[Events, list[FightState]]
"""Events in order, and the state after each of them."""


def settle(
    system: BaseSystem, state: FightState, events: Iterable[Event], dice: Dice, earlier: Iterable[Event] = ()
) -> Happened:
    """Apply events and their reactions, and let the agenda move. Returns the events and the state after each.

    Args:
        system: the rules.
        state: the fight.
        events: what happens.
        dice: the command's dice, for rolls of the agenda.
        earlier: what the command has caused before, already applied.

    Raises:
        Runaway: a chain that does not end.
        NeedsDice: the table owes a roll of the agenda's.
    """
    new_events, states = follow(system, state, events)
    happened = (*earlier, *new_events)
    while True:
        by_itself = Decision(states[-1] if states else state, dice, None, SystemReactions(system))
        harm_by_ground(system, by_itself, happened)
        if not by_itself.events:
            by_itself.spawn(system.settle_step)
        happened, more_states = happened_in(by_itself)
        if not happened:
            return new_events, states
        new_events, states = (*new_events, *happened), [*states, *more_states]


def follow(system: BaseSystem, state: FightState, events: Iterable[Event]) -> Happened:
    """Apply events and their reactions, without moving the agenda.

    Raises:
        Runaway: a chain that does not end.
    """
    decision = Decision(state, None, None, SystemReactions(system))
    decision.emit(*events)
    return happened_in(decision)


def happened_in(decision: Decision) -> Happened:
    """The events of a decision and the state after each of them; first the GM's overrides of its checks."""
    folds = decision.folds
    overrides = tuple(decision.referee.overrides)
    states = [*(decision.start for _ in overrides), *(after for *_, after in folds)]
    return (*overrides, *(event for _, event, _ in folds)), states
