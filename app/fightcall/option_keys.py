"""The options of the installed systems with their default keys, for the key map and the list of keys."""

from __future__ import annotations

from typing import NamedTuple

from fightcall_engine.kit.registry import find_system, system_names


class OfferedKey(NamedTuple):
    """An option of fights, its default key, and the systems that offer it with that key."""

    action: str
    key: str
    systems: tuple[str, ...]


def option_keys() -> tuple[OfferedKey, ...]:
    """All options of the installed systems, once for each key."""
    keys: dict[tuple[str, str], OfferedKey] = {}
    for name in system_names():
        for action, key in find_system(name).option_keys.items():
            before = keys.get((action, key))
            keys[action, key] = OfferedKey(action, key, (*before.systems, name) if before else (name,))
    return tuple(keys.values())
