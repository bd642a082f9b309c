"""How many wounds a blow makes, how badly they tell, and collapse (CS-600 to CS-604, CS-620 to CS-632)."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil
from typing import Literal, TypeAlias, get_args

from fightcall_engine.systems.segments.formulas import tabled
from fightcall_engine.systems.segments.formulas.checks import Progressive, prog
from fightcall_engine.systems.segments.formulas.clock import SECONDS_A_SEGMENT
from fightcall_engine.systems.segments.formulas.rounding import Number, rhu
from fightcall_engine.systems.segments.formulas.sums import Part, Sum

Level: TypeAlias = Literal["none", "light", "serious", "grievous", "mortal"]
"""Levels of wounding; `none` for the unhurt."""

Striking: TypeAlias = Literal["edge", "point", "blunt"]
"""With what a blow strikes."""

WtRounding: TypeAlias = Literal["rhu", "exact"]
"""Whether the Wound Threshold is a whole number (A-12)."""

Adrenaline: TypeAlias = Literal["str_loss_applies", "masks_all"]
"""Whether Grievous and Mortal wounds cost STR while the contest runs (A-14)."""

EdgeThreshold: TypeAlias = Literal["first_point", "always"]
"""Whether an edge or a point in flesh wounds from its first point, or the Wound Threshold counts always (A-13)."""

BeyondTenth: TypeAlias = Literal["each", "once"]
"""Whether each wound beyond the tenth asks for life again (A-15)."""

Boundary: TypeAlias = Literal["lower", "higher"]
"""Which level damage on the boundary of two levels of Body Points is (A-16)."""

AfterLoss: TypeAlias = Literal["linear", "compound"]
"""Whether each level costs a quarter of STR, or a quarter of what is left (A-14)."""

COLLAPSE_WOUNDS = 10
COLLAPSE_DV = 55
"""DV of the P-RES checks at the tenth wound (CS-624, CS-625)."""

_A_LEVEL = Fraction(1, 4)
_SEGMENTS_A_MINUTE = 60 // SECONDS_A_SEGMENT


@dataclass(frozen=True, slots=True)
class _Row:
    rank: int
    first: int
    bp_to: Fraction
    in_fight: Fraction
    after: Fraction


def wound_threshold(msta: int, cnd: int, rounding: WtRounding = "rhu") -> Number:
    """Return the POT that somebody takes without a wound: (modified STA + CND) ÷ 8, 1 at least (CS-600).

    Args:
        msta: modified STA.
        cnd: CND score.
        rounding: `rhu` for a whole number, `exact` for the fraction (A-12).
    """
    exact = Fraction(msta + cnd, 8)
    return max(1, rhu(exact) if rounding == "rhu" else exact)


def threshold_counts(struck_with: Striking, breached: bool, reading: EdgeThreshold = "first_point") -> bool:
    """Tell whether a blow must pass the Wound Threshold to wound (CS-603, A-13).

    Args:
        struck_with: edge, point or blunt.
        breached: it met no armour, or pierced all it met; see `armour.Met`.
        reading: `always` for an edge or a point in flesh too.
    """
    return reading == "always" or struck_with == "blunt" or not breached


def wounds(through: Number, threshold: Number, counts: bool) -> int:
    """Return how many wounds a blow makes (CS-601 to CS-603).

    One for each whole Wound Threshold that it exceeds; where the threshold does not count, one at least.

    Args:
        through: POT after clothing and armour, with what a barrier added.
        threshold: from `wound_threshold`.
        counts: from `threshold_counts`.
    """
    if through <= 0:
        return 0
    many = ceil(Fraction(through) / Fraction(threshold)) - 1
    return many if counts else max(1, many)


def wound_marks(threshold: Number, last: int = 4) -> tuple[Number, ...]:
    """Return what POT must exceed for 1, 2, 3... wounds: the threshold and its multiples (CS-601, CS-602)."""
    return tuple(threshold * count for count in range(1, last + 1))


def level_of(count: int) -> Level:
    """Return the level of so many wounds (CS-620)."""
    return next((level for level in reversed(_LEVELS) if count >= _rows()[level].first), "none")


def boxes() -> tuple[tuple[str, int], ...]:
    """Return each level with the wounds that it has room for, and last the tenth wound by itself (CS-620, CS-624)."""
    firsts = [*(_rows()[level].first for level in _LEVELS), COLLAPSE_WOUNDS]
    sized = ((level, after - first) for level, first, after in zip(_LEVELS, firsts, firsts[1:], strict=False))
    return (*sized, ("tenth wound", 1))


def level_of_points(damage: int, most: int, boundary: Boundary = "lower") -> Level:
    """Return the level of damage in Body Points (CS-632).

    Args:
        damage: Body Points lost.
        most: all that he has when unhurt, 1 or more.
        boundary: to which level a shared boundary belongs (A-16).

    Raises:
        ValueError: `most` is below 1.
    """
    if most < 1:
        raise ValueError(f"{most} Body Points in all; 1 or more would do")
    if damage <= 0:
        return "none"
    share = Fraction(damage, most)
    ends = ((level, _rows()[level].bp_to) for level in _LEVELS)
    return next((level for level, end in ends if share < end or (share == end and boundary == "lower")), "mortal")


def rank(level: Level) -> int:
    """Return the number of a level: 0 for none, Light 1 to Mortal 4."""
    return 0 if level == "none" else _rows()[level].rank


def strength_in_fight(
    strength: int, level: Level, *, rallied: bool = False, reading: Adrenaline = "str_loss_applies"
) -> Sum:
    """Return the STR that is left while the contest runs, exact (CS-537, CS-621 to CS-623, CS-626).

    Args:
        strength: STR score.
        level: how badly he is wounded.
        rallied: he made the HRT check of `rally_dv` for this Action; it helps at Grievous alone.
        reading: `masks_all` lets him feel nothing until the contest is over (A-14).
    """
    parts = [Part("STR", strength, "CS-537")]
    if level not in ("grievous", "mortal") or reading == "masks_all":
        return Sum(tuple(parts))
    if level == "grievous" and rallied:
        return Sum((*parts, Part("Grievous: rallied", 0, "CS-622")))
    rule = "CS-621" if level == "grievous" else "CS-623"
    return Sum((*parts, Part(f"{level.capitalize()} wounds", strength * (_rows()[level].in_fight - 1), rule)))


def strength_after(strength: int, level: Level, reading: AfterLoss = "linear") -> Sum:
    """Return the STR that is left after the contest, and at once for one knocked out and roused, exact (CS-627).

    Args:
        strength: STR score.
        level: how badly he is wounded.
        reading: whether each level takes a quarter of the score, or of what is left (A-14).
    """
    parts = [Part("STR", strength, "CS-627")]
    if level != "none" and reading == "compound":
        lost = strength * (1 - (1 - _A_LEVEL) ** rank(level))
        parts.append(Part(f"{level.capitalize()}: a quarter of what is left, each level", -lost, "CS-627"))
    elif level != "none":
        parts.append(Part(f"{level.capitalize()}: a quarter a level", strength * (_rows()[level].after - 1), "CS-627"))
    return Sum(tuple(parts))


def rally_dv(count: int, scale: Progressive = "triangular") -> Sum:
    """Return the DV of the HRT check for full STR in one Action, when Grievous (CS-622).

    Args:
        count: wounds taken.
        scale: the Progressive scale in use (R-4).
    """
    return Sum((Part(f"{count} wounds, Progressive", prog(count, scale), "CS-622"),))


def collapse_checks(before: int, after: int, reading: BeyondTenth = "each") -> int:
    """Return how many P-RES checks against death a blow asks (CS-624, CS-628, A-15).

    One for reaching or passing the tenth wound, and one for each wound after that.

    Args:
        before: wounds before the blow.
        after: wounds after it.
        reading: `once` for the tenth alone.
    """
    if after <= before or after < COLLAPSE_WOUNDS:
        return 0
    if before < COLLAPSE_WOUNDS:
        return 1
    return after - before if reading == "each" else 0


def collapse_checks_by_points(before: int, after: int, most: int, reading: BeyondTenth = "each") -> int:
    """Return how many such checks a blow asks with Body Points: one where it spends the last or comes after (A-15).

    Args:
        before: damage before the blow.
        after: damage after it.
        most: all Body Points that he has when unhurt.
        reading: `once` for the blow that spends the last alone.
    """
    if after <= before or after < most:
        return 0
    return 1 if before < most or reading == "each" else 0


def segments_to_live(cnd: int) -> int:
    """Return how many segments one lives who survives the tenth wound: CND minutes (CS-625)."""
    return cnd * _SEGMENTS_A_MINUTE


_LEVELS: tuple[Level, ...] = get_args(Level)[1:]


@cache
def _rows() -> Mapping[Level, _Row]:
    found: dict[Level, _Row] = {}
    for row in tabled.rows("wound_levels"):
        key = tabled.text_of(row, "key")
        if key not in _LEVELS:
            raise ValueError(f"tables/wound_levels.toml: {key!r}; {', '.join(_LEVELS)} are accepted")
        shares = [tabled.number_of(row.get(name), name) for name in ("bp_to", "in_fight", "after")]
        found[key] = _Row(tabled.whole_of(row, "rank"), tabled.whole_of(row, "first"), *shares)
    return found
