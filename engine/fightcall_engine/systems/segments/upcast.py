"""Upcasts journals of version 3, which 0.2.0 wrote, and of version 4.

In version 3 steps had their number only in the id, and stuns a fraction as text. In version 4 the defence against a
blow, and numbers of pieces of work, were as typed.
"""

from __future__ import annotations

import re
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


def from_version_4(event: Event) -> Event:
    """An event of version 4 in the form of version 5; any other event unchanged."""
    if isinstance(event.get("prompt"), Mapping):
        return {**event, "prompt": _with_guards(event["prompt"])}
    for name in ("combatant", "traits"):
        if name in event:
            return {**event, name: _with_pieces(event[name])}
    if event.get("fact") == "impacts":
        return {**event, **{key: _with_guards(event[key]) for key in ("before", "value") if key in event}}
    return event


def _with_pieces(value: Json) -> Json:
    if isinstance(value, list):
        return [_with_pieces(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    if not {"key", "argument", "qa"} <= value.keys():
        return {name: _with_pieces(item) for name, item in value.items()}
    strength, _, level = str(value["argument"]).partition("/")
    knot = value["key"] == "untie_knot" and strength.isdecimal()
    tier = {"strength": int(strength), "trade_sl": int(level) if level.strip().isdecimal() else 0} if knot else None
    count = int(strength) if strength.isdecimal() and not knot else None
    return {"key": value["key"], "qa": value["qa"], "count": count, "tied_by": tier}


def _with_guards(value: Json) -> Json:
    if isinstance(value, list):
        return [_with_guards(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    new_value = {name: _with_guards(item) for name, item in value.items()}
    if "attacker" not in new_value or "defence" not in new_value:
        return new_value
    text, names = str(new_value.pop("defence") or ""), cast(list[str], new_value.get("guard") or [])
    return {**new_value, "guard": _guard(text.strip(), names)}


def _guard(text: str, names: list[str]) -> Json:
    """``parry sword``, ``block shield+dodge``, ``eve: parry axe``, ``none``, ``aware``, ``dodge 13`` or nothing."""
    if not text:
        return None
    friend, colon, what = text.partition(":")
    if colon and not names:
        return _own(what.strip() or "parry", []) | {"by": friend.strip()}
    return _own(text, names)


def _own(text: str, names: list[str]) -> dict[str, Json]:
    plain = text if names else _TRAILING_WORTH.sub("", text)
    if plain.lower() in _WAYS:
        return {"way": plain.lower(), "dodges": plain.lower() == "dodge"}
    pieces = [piece.strip() for piece in plain.split("+")]
    verbs = [word for word in (piece.partition(" ")[0].lower() for piece in pieces) if word in _VERBS]
    bare = [re.sub("^(parry|block) *", "", piece, flags=re.IGNORECASE) for piece in pieces if piece.lower() != "dodge"]
    usual = ["parry"] if names or pieces[0].lower() == "dodge" else [""]
    return {"way": (verbs or usual)[0], "items": names or bare, "dodges": len(bare) < len(pieces)}


_TRAILING_WORTH = re.compile(r"\s+(?:-?\d+|\?)$")
_VERBS = ("parry", "block")
_WAYS = ("dodge", "none", "stand", "aware", "active", "still")
