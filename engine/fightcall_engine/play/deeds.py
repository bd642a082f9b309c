"""How the timeline classifies an event: as something done, something suffered, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeGuard, runtime_checkable

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
from fightcall_engine.play.chart import Kind

AMOUNTS: Mapping[str, str] = {"moves": "hexes", "hurt": "amount", "heals": "amount"}
"""The field of an event that holds its amount."""


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
