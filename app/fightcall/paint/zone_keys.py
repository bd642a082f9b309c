"""The letter of each zone, on the board and on the keyboard."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

MEETS = "x"
"""The letter that is never used for a zone: it names the enemy that a move meets."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=8)
def zone_keys(names: tuple[str, ...]) -> Mapping[str, str]:
    """A letter for each zone: from its name if one is free, else any; empty beyond the alphabet."""
    used_letters: set[str] = {MEETS}
    keys: dict[str, str] = {}
    for name in names:
        candidates = (*(letter for letter in name.lower() if letter in _LETTERS), *_LETTERS)
        keys[name] = next((letter for letter in candidates if letter not in used_letters), "")
        used_letters.add(keys[name])
    return MappingProxyType(keys)
