"""The little that is arithmetic in the advice on fighting with one's surroundings (CS-700)."""

from typing import Literal, TypeAlias

Flame: TypeAlias = Literal["near", "contact"]
"""How close cloth is to an open flame."""


def catches_fire_in(flame: Flame) -> int:
    """Return after how many segments cloth catches fire: one close to a flame, at once in it (CS-700)."""
    return 1 if flame == "near" else 0
