"""What the installed systems offer in a fight, with the keys they give it: for the key map and the list of keys."""

from __future__ import annotations

from typing import NamedTuple

from fightcall_engine.kit.registry import find_system, system_names


class OfferedKey(NamedTuple):
    """Something that can be done in a fight, the key it is given, and the systems that offer it by that key."""

    action: str
    key: str
    systems: tuple[str, ...]


def option_keys() -> tuple[OfferedKey, ...]:
    """What the installed systems may ever offer, each key of it once."""
    keys: dict[tuple[str, str], OfferedKey] = {}
    for name in system_names():
        for action, key in find_system(name).option_keys.items():
            before = keys.get((action, key))
            keys[action, key] = OfferedKey(action, key, (*before.systems, name) if before else (name,))
    return tuple(keys.values())
