"""Upcasts journals of version 4, in which the defence against a blow, and numbers of pieces of work, were as typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from fightcall_engine.model.state import Json

Event = Mapping[str, Json]
Fields = Mapping[str, Json]


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
    """A value with every piece of work in it, at any depth, with its argument as numbers."""
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
    """A value with every blow in it, at any depth, with its `Guard`."""
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
    """``parry sword``, ``block shield+dodge``, ``eve: parry axe``, ``none``, ``aware``, ``dodge 13`` or nothing.

    Args:
        text: what was typed.
        names: what the target uses, once chosen; names may have any characters.
    """
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
