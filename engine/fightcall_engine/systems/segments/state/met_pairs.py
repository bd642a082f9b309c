"""Foes who have come upon each other and not parted since: the fact ``met``, such as ``ash~orc bo~orc`` (CS-236)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.state import figures as fg

MetPair: TypeAlias = tuple[str, str]
"""The ids of two foes, in the order of the alphabet."""


def sorted_pair(name: str, other: str) -> MetPair:
    """Two foes as a pair."""
    return (name, other) if name < other else (other, name)


def pairs_met(state: FightState) -> tuple[MetPair, ...]:
    """Pairs of foes who have come upon each other and not parted since: the fact ``met``, such as ``ash~orc``."""
    pairs = (word.partition("~") for word in fg.text_fact(state, "met").split())
    return tuple((first, second) for first, _, second in pairs if first and second)


def format_pairs(pairs: Iterable[MetPair]) -> str:
    """Pairs as the fact keeps them."""
    return " ".join("~".join(pair) for pair in pairs)


def keep_pairs(state: FightState, pairs: Iterable[MetPair]) -> ev.Events:
    """Only these have come upon each other and not parted."""
    return fg.set_fact(state, "met", format_pairs(pairs))


def forget_pairs(state: FightState, combatant_id: str) -> ev.Events:
    """Somebody has left, and has come upon nobody."""
    return keep_pairs(state, (pair for pair in pairs_met(state) if combatant_id not in pair))


def known_to(state: FightState, combatant: Combatant) -> frozenset[str]:
    """The foes whom somebody has come upon and not parted from."""
    met = (pair for pair in pairs_met(state) if combatant.id in pair)
    return frozenset(second if first == combatant.id else first for first, second in met)
