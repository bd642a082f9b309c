"""Foes who have come upon each other and not parted since (CS-236)."""

from __future__ import annotations

from collections.abc import Iterable

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.state import figures
from fightcall_engine.systems.segments.state.battle import MetPair, battle_of


def sorted_pair(name: str, other: str) -> MetPair:
    """Two foes as a pair."""
    return (name, other) if name < other else (other, name)


def keep_pairs(state: FightState, pairs: Iterable[MetPair]) -> Events:
    """Only these have come upon each other and not parted."""
    return figures.set_fact(state, "met", tuple(pairs))


def forget_pairs(state: FightState, combatant_id: str) -> Events:
    """Somebody has left, and has come upon nobody."""
    return keep_pairs(state, (pair for pair in battle_of(state).met if combatant_id not in pair))


def known_to(state: FightState, combatant: Combatant) -> frozenset[str]:
    """The foes whom somebody has come upon and not parted from."""
    pairs = (pair for pair in battle_of(state).met if combatant.id in pair)
    return frozenset(second if first == combatant.id else first for first, second in pairs)
