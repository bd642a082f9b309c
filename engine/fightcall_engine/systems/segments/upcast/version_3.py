"""Upcasts journals of version 3, in which steps had their number only in the id, and stuns a fraction as text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import cast

from fightcall_engine.model.state import Json

Event = Mapping[str, Json]
Fields = Mapping[str, Json]


def from_version_3(event: Event) -> Event:
    """An event of version 3 in the form of version 4; any other event unchanged."""
    if "steps" in event:
        return {**event, "steps": [_step(step) for step in cast(list[Fields], event["steps"])]}
    if isinstance(event.get("effect"), Mapping):
        return {**event, "effect": _effect(cast(Fields, event["effect"]))}
    if event["type"] == "Joined":
        combatant = cast(Fields, event["combatant"])
        effects = [_effect(effect) for effect in cast(list[Fields], combatant.get("effects") or [])]
        return {**event, "combatant": {**combatant, "effects": effects}}
    return event


def _step(step: Fields) -> Fields:
    """A step with the number of its pass or Pulse, which follows the kind in its id: ``resolve.2.ash``, ``pulse.7``."""
    _, _, rest = str(step["id"]).partition(".")
    number = rest.partition(".")[0]
    return step if "number" in step or not number.isdecimal() else {**step, "number": int(number)}


def _effect(effect: Fields) -> Fields:
    data = cast(Fields, effect.get("data") or {})
    if effect.get("kind") != "stun" or "base" not in data:
        return effect
    others = {name: value for name, value in data.items() if name != "base"}
    return {**effect, "data": {"half_points": _half_points(data["base"]), **others}}


def _half_points(base: Json) -> int:
    try:
        return int(2 * Fraction(str(base or 0)))
    except (ValueError, ZeroDivisionError):
        return 0
