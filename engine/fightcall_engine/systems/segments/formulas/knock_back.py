"""Being knocked back, what stops it, and what street clothes save (CS-560 to CS-567)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.systems.segments.formulas import tabled
from fightcall_engine.systems.segments.formulas.checks import Progressive, prog
from fightcall_engine.systems.segments.formulas.rounding import rhu
from fightcall_engine.systems.segments.formulas.sums import Part, Sum

Standing: TypeAlias = Literal["landbound", "free_commoner", "wealthy_or_noble", "great_noble_or_royal"]
Season: TypeAlias = Literal["summer", "winter"]


@dataclass(frozen=True, slots=True)
class KnockBack:
    """How far a blow drives somebody.

    Attributes:
        feet: what the blow is worth.
        moved: how far he goes, up to a barrier.
        stopped: feet that a barrier keeps him from; 0 without one.
    """

    feet: int
    moved: int
    stopped: int


def knock_back(pot: int, msta: int, barrier: int | None = None, room: int | None = None) -> KnockBack | None:
    """Return the knock-back of a blow; None where it has none (CS-560, CS-561, CS-563).

    Args:
        pot: the whole POT or Body Points, before clothing and armour; of two blows in concert their sum (A-51).
        msta: modified STA of the one who is hit.
        barrier: feet to something solid behind him; None for open ground.
        room: feet to somebody who yields, but stops him; what is left of the way then adds nothing.
    """
    feet = pot - msta
    if feet <= 0:
        return None
    if barrier is None:
        return KnockBack(feet, feet if room is None else min(feet, max(0, room)), 0)
    moved = min(feet, max(0, barrier))
    return KnockBack(feet, moved, feet - moved)


def keep_feet_dv(moved: int, scale: Progressive = "triangular") -> Sum:
    """Return the DV of the AGL check to keep one's feet; on a failure he falls where he ends (CS-562).

    Args:
        moved: feet that he has been driven.
        scale: the Progressive scale in use (R-4).
    """
    return Sum((Part(f"{moved} ft, Progressive", prog(moved, scale), "CS-562"),))


def pot_for_effect(pot: int, driven: KnockBack | None) -> Sum:
    """Return the POT that clothing, armour, wounds and pain are reckoned from: a barrier adds to it (CS-563)."""
    parts = [Part("POT", pot, "CS-560")]
    if driven is not None and driven.stopped:
        parts.append(Part("feet left at the barrier", driven.stopped, "CS-563"))
    return Sum(tuple(parts))


def clothing_part(layers: int, *, armoured: bool, edged: bool, first: bool) -> Part | None:
    """Return what street clothes take from a blow; None where they take nothing (CS-566).

    Args:
        layers: layers of clothing.
        armoured: whether he wears armour.
        edged: whether the blow is struck with an edge.
        first: whether it is the first such blow.
    """
    if armoured or not edged or not first or layers <= 0:
        return None
    return Part(f"{layers} layers of clothing ÷ 2", -rhu(Fraction(layers, 2)), "CS-566")


def clothing_layers(standing: Standing, season: Season) -> int:
    """Return how many layers people of a standing wear (CS-567)."""
    return _wardrobe()[standing][season]


@cache
def _wardrobe() -> Mapping[Standing, Mapping[Season, int]]:
    found: dict[Standing, Mapping[Season, int]] = {}
    for standing in get_args(Standing):
        row = cast("Mapping[str, object]", tabled.table("clothing").get(standing, {}))
        found[standing] = {season: tabled.whole_of(row, season) for season in get_args(Season)}
    return found
