"""The difficulty of hitting somebody at range (CS-500 to CS-506)."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.sums import Part, Sum

Awareness: TypeAlias = Literal["aware", "active", "still"]
"""How the target is: aware of its danger; unaware but in motion; unaware and about still (CS-501 to CS-503)."""

LEAST_DV = 1
"""The DV of one who neither knows nor moves, and the least there is for him at any range (CS-503, A-06)."""


def target_dv(
    state: Awareness,
    distance: Sum,
    *,
    dodge: Number = 0,
    acting: Number = 0,
    agl: int = 0,
    mph: Number = 0,
    shield: int = 0,
    modifiers: Sequence[Part] = (),
) -> Sum:
    """Return the DV of a ranged attack (CS-505, A-06). No melee defence has a part in it (CS-506).

    Args:
        state: how the target is; what does not count in its case is left out.
        distance: the DV of the range.
        dodge: Dodge with Acrobat bonus, for the aware.
        acting: how much of `dodge` comes from the Player or Game Face skill, and does not count (CS-501).
        agl: AGL modifier, for the unaware who move.
        mph: speed of a target that moves from point to point (CS-504).
        shield: modifier of shield or cover; the GM types it (CS-260, M-06).
        modifiers: what else the GM adds (CS-276).
    """
    parts: list[Part] = []
    if state == "aware":
        parts.append(Part("Dodge", dodge, "CS-501"))
        if acting:
            parts.append(Part("Player or Game Face does not count", -acting, "CS-501"))
    elif state == "active":
        parts.append(Part("AGL modifier", agl, "CS-502"))
    if state != "still":
        parts += [part for part in _moving(mph, shield) if part.value]
    made = Sum((*parts, *distance.parts, *modifiers))
    return at_least(made) if state == "still" else made


def at_least(made: Sum) -> Sum:
    """Return the DV against somebody unaware and still, which is never below 1 (CS-503, A-06)."""
    if made.total >= LEAST_DV:
        return made
    return Sum((*made.parts, Part(_FLOOR, LEAST_DV - made.total, "CS-503")))


def without_floor(made: Sum) -> Sum:
    """Return that DV as it is before its least value, for what else is to be added to it."""
    return Sum(tuple(part for part in made.parts if part.label != _FLOOR))


_FLOOR = "unaware and still: 1 at least"


def _moving(mph: Number, shield: int) -> tuple[Part, Part]:
    return Part("target's speed in mph", mph, "CS-504"), Part("shield or cover", shield, "CS-504")
