"""The letter that stands for each zone, on the board and on the keyboard."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

MEETS = "x"
"""The letter that never stands for a zone: a move uses it for whom it meets."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=8)
def zone_keys(names: tuple[str, ...]) -> Mapping[str, str]:
    """A letter for each zone: of its name as far as there is one free, else any; beyond the alphabet none."""
    used_letters: set[str] = {MEETS}
    keys: dict[str, str] = {}
    for name in names:
        candidates = (*(letter for letter in name.lower() if letter in _LETTERS), *_LETTERS)
        keys[name] = next((letter for letter in candidates if letter not in used_letters), "")
        used_letters.add(keys[name])
    return MappingProxyType(keys)
