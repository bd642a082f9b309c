"""Wounds, pain and collapse, and how they heal (CS-600 to CS-632, CS-660 to CS-670)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Literal, TypeAlias, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.rules.clock import SECONDS_A_SEGMENT
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Progressive, Sum, halve, prog, rhu

Level: TypeAlias = Literal["none", "light", "serious", "grievous", "mortal"]
"""Levels of wounding; `none` for the unhurt."""

Striking: TypeAlias = Literal["edge", "point", "blunt"]
"""What a blow strikes with."""

WtRounding: TypeAlias = Literal["rhu", "exact"]
"""Whether the Wound Threshold is a whole number (A-12)."""

Adrenaline: TypeAlias = Literal["str_loss_applies", "masks_all"]
"""Whether Grievous and Mortal wounds cost STR while the contest runs (A-14)."""

AfterLoss: TypeAlias = Literal["linear", "compound"]
"""Whether each level costs a quarter of STR, or a quarter of what is left (A-14)."""

COLLAPSE_WOUNDS = 10

_COLLAPSED_STRENGTH = Fraction(1, 2)

COLLAPSE_DV = 55
"""DV of the P-RES checks at the tenth wound (CS-624, CS-625)."""

_A_LEVEL = Fraction(1, 4)

_SEGMENTS_A_MINUTE = 60 // SECONDS_A_SEGMENT


@frozen
class _Row:
    rank: int
    first: int
    bp_to: Fraction
    in_fight: Fraction
    after: Fraction


def wound_threshold(msta: int, cnd: int, rounding: WtRounding = "rhu") -> Number:
    """The Wound Threshold, (modified STA + CND) ÷ 8, at least 1 (CS-600, A-12)."""
    exact = Fraction(msta + cnd, 8)
    return max(1, rhu(exact) if rounding == "rhu" else exact)


def threshold_counts(struck_with: Striking, breached: bool) -> bool:
    """Whether only a blow above the Wound Threshold wounds: not an edge or point in flesh (CS-603, A-13)."""
    return struck_with == "blunt" or not breached


def wounds(through: Number, threshold: Number, counts: bool) -> int:
    """The number of wounds of a blow: one for each whole Wound Threshold that it exceeds (CS-601 to CS-603).

    At least one if the threshold does not count.
    """
    if through <= 0:
        return 0
    many = ceil(Fraction(through) / Fraction(threshold)) - 1
    return many if counts else max(1, many)


def wound_marks(threshold: Number, last: int = 4) -> tuple[Number, ...]:
    """The POT to exceed for 1, 2, 3... wounds: the multiples of the threshold (CS-601, CS-602)."""
    return tuple(threshold * count for count in range(1, last + 1))


@cache
def level_of(count: int) -> Level:
    """The level of so many wounds (CS-620)."""
    return next((level for level in reversed(_LEVELS) if count >= _rows()[level].first), "none")


def boxes() -> tuple[tuple[str, int], ...]:
    """The levels with their numbers of boxes, and last the tenth wound by itself (CS-620, CS-624)."""
    first_boxes = [*(_rows()[level].first for level in _LEVELS), COLLAPSE_WOUNDS]
    sizes = ((level, after - first) for level, first, after in zip(_LEVELS, first_boxes, first_boxes[1:], strict=False))
    return (*sizes, ("tenth wound", 1))


def level_of_points(damage: int, most: int) -> Level:
    """The level of damage in Body Points; a boundary belongs to the lower level (CS-632, A-16)."""
    if most < 1:
        raise ValueError(f"can't have {most} Body Points; use 1 or more")
    if damage <= 0:
        return "none"
    share = Fraction(damage, most)
    ends = ((level, _rows()[level].bp_to) for level in _LEVELS)
    return next((level for level, end in ends if share <= end), "mortal")


def rank(level: Level) -> int:
    """The number of a level: 0 for none, Light 1 to Mortal 4."""
    return 0 if level == "none" else _rows()[level].rank


def strength_in_fight(
    strength: int, level: Level, *, rallied: bool = False, reading: Adrenaline = "str_loss_applies"
) -> Sum:
    """The exact STR left in the contest; rallying only helps the Grievous (CS-537, CS-621..623, CS-626, A-14)."""
    parts = [Part("STR", strength, "CS-537")]
    if level not in ("grievous", "mortal") or reading == "masks_all":
        return Sum(tuple(parts))
    if level == "grievous" and rallied:
        return Sum((*parts, Part("Grievous: rallied", 0, "CS-622")))
    rule = "CS-621" if level == "grievous" else "CS-623"
    return Sum((*parts, Part(f"{level.capitalize()} wounds", strength * (_rows()[level].in_fight - 1), rule)))


def strength_after(strength: int, level: Level, reading: AfterLoss = "linear") -> Sum:
    """The exact STR left after the contest, or at once when knocked out and roused (CS-627, A-14)."""
    parts = [Part("STR", strength, "CS-627")]
    if level != "none" and reading == "compound":
        loss = strength * (1 - (1 - _A_LEVEL) ** rank(level))
        parts.append(Part(f"{level.capitalize()}: a quarter of what is left, each level", -loss, "CS-627"))
    elif level != "none":
        parts.append(Part(f"{level.capitalize()}: a quarter a level", strength * (_rows()[level].after - 1), "CS-627"))
    return Sum(tuple(parts))


def strength_of_collapsed(total: Sum) -> Sum:
    """The exact STR of a combatant who has collapsed: between 1 and 0; a lower one stays (CS-624)."""
    excess_strength = total.total - _COLLAPSED_STRENGTH
    return Sum((*total.parts, Part("collapsed", -excess_strength, "CS-624"))) if excess_strength > 0 else total


def rally_dv(count: int, scale: Progressive = "triangular") -> Sum:
    """The DV of the HRT check for full STR in one Action, when Grievous (CS-622)."""
    return Sum((Part(f"{count} wounds, Progressive", prog(count, scale), "CS-622"),))


def collapse_checks(before: int, after: int) -> int:
    """The number of P-RES checks against death after a blow (CS-624, CS-628, A-15).

    One for reaching or passing the tenth wound, and one for each wound after that.
    """
    if after <= before or after < COLLAPSE_WOUNDS:
        return 0
    if before < COLLAPSE_WOUNDS:
        return 1
    return after - before


def collapse_checks_by_points(before: int, after: int, most: int) -> int:
    """That number with Body Points: one if the blow spends the last or comes after that (A-15)."""
    return int(after > before and after >= most)


def segments_to_live(cnd: int) -> int:
    """The segments to live after surviving the tenth wound: CND minutes (CS-625)."""
    return cnd * _SEGMENTS_A_MINUTE


_LEVELS: tuple[Level, ...] = get_args(Level)[1:]


@cache
def _rows() -> Mapping[Level, _Row]:
    rows: dict[Level, _Row] = {}
    for row in numbers.rows("wound_levels"):
        key = numbers.text_of(row, "key")
        if key not in _LEVELS:
            raise ValueError(f"tables/wound_levels.toml: unknown level {key!r}; accepted: {', '.join(_LEVELS)}")
        shares = [numbers.number_of(row.get(name), name) for name in ("bp_to", "in_fight", "after")]
        rows[key] = _Row(numbers.whole_of(row, "rank"), numbers.whole_of(row, "first"), *shares)
    return rows


MultiStun: TypeAlias = Literal["sum", "highest"]
"""Whether several stuns add up, or only the worst counts (A-50)."""


@frozen
class Stun:
    """A stun by pain.

    Attributes:
        base: its exact penalty at first.
        segment: the segment of the blow.
    """

    base: Number
    segment: int

    def penalty(self, segment: int) -> int:
        """The rounded penalty on AVs and Initiative in a segment; 0 before the blow (CS-613, CS-616).

        It is halved at the end of each segment after that of the blow, so the next one has it in full.
        """
        if segment < self.segment:
            return 0
        return rhu(halve(self.base, max(0, segment - self.segment - 1)))

    @property
    def last_segment(self) -> int:
        """The last segment with a penalty; the one before the blow for a stun of 0."""
        last = self.segment - 1
        while self.penalty(last + 1) > 0:
            last += 1
        return last


def excess(through: int, pres: int) -> int:
    """By how much a blow exceeds P-RES, 0 or more, after clothing and armour, barrier included (CS-563, CS-610)."""
    return max(0, through - pres)


def pain_dv(beyond: int, scale: Progressive = "triangular") -> Sum:
    """The DV of the P-RES check against fainting and of the HRT check after it; none at 0 (CS-610, CS-612)."""
    return Sum((Part(f"{beyond} POT above P-RES, Progressive", prog(beyond, scale), "CS-610"),))


def stun(beyond: int, segment: int, *, managed: bool, scale: Progressive = "triangular") -> Stun:
    """The stun of a blow without fainting, halved if it is managed (CS-613, CS-614)."""
    full = prog(beyond, scale)
    return Stun(halve(full) if managed else full, segment)


def stun_penalty(stuns: Iterable[Stun], segment: int, reading: MultiStun = "sum") -> Sum:
    """The penalty of several stuns in a segment, each with its own decay (CS-618, A-50)."""
    parts = [Part(f"stun of segment {stun.segment}", stun.penalty(segment), "CS-613") for stun in stuns]
    penalties = sorted((part for part in parts if part.value), key=lambda part: part.value, reverse=True)
    return Sum(tuple(penalties[:1] if reading == "highest" else penalties))


def slowed_dv(dv: Number, penalty: int) -> Sum:
    """The DV from which the time of a task is taken when stunned (CS-613)."""
    return Sum((Part("DV of the task", dv, "CS-613"), Part("stun", penalty, "CS-613")))


Care: TypeAlias = Literal["none", "ordinary_days", "rest_and_healer", "very_skilled_healer"]
"""The care needed to heal at all."""

HealingPace: TypeAlias = Literal["weeks", "day_less"]
"""Whether the time of each wound is computed again, or is a day less than that before (A-41)."""

DAYS_A_WEEK = 7


@frozen
class Step:
    """The healing of one wound or Body Point.

    Attributes:
        before: the wounds or points of damage before it.
        days: the days it takes.
        day: the day on which it heals, with that of the fight as 0.
    """

    before: int
    days: int
    day: int

    def on(self, fought: date) -> date:
        """The date on which it heals, by the date of the fight."""
        return fought + timedelta(days=self.day)


def care(level: Level) -> Care:
    """The care without which wounds do not heal, and Mortal ones kill (CS-661, CS-662, CS-669)."""
    if level == "none":
        return "none"
    if level == "light":
        return "ordinary_days"
    return "very_skilled_healer" if level == "mortal" else "rest_and_healer"


def days_for_wound(total: int, healer_sl: int = 0, before: int | None = None) -> int:
    """The days until the next wound heals, at least 1 (CS-663, CS-665, A-41).

    As many weeks as there are wounds, less 1 for each 4 levels of the healer. Below one week it is counted in days: 7,
    6, 5... By the reading `day_less`, a day less than for the wound before.
    """
    if total < 1:
        raise ValueError(f"no wounds to heal: {total}")
    if before is not None:
        return max(1, before - 1)
    weeks = total - healer_sl // 4
    return max(weeks * DAYS_A_WEEK, DAYS_A_WEEK - 1 + weeks, 1)


def days_for_point(damage: int, cnd: int, healer_sl: int = 0) -> int:
    """The days until the next Body Point heals, at least 1 (CS-666)."""
    if damage < 1:
        raise ValueError(f"no damage to heal: {damage}")
    return max(1, damage - cnd - healer_sl // 4)


def wound_plan(
    total: int, healer_sl: int = 0, from_day: int = 0, pace: HealingPace = "weeks", before: int | None = None
) -> tuple[Step, ...]:
    """The healing of each wound, from the fight on, or from the day of a strenuous act (CS-664, CS-667, A-41)."""
    each, last = [], before if pace == "day_less" else None
    for wounds_left in range(total, 0, -1):
        days = days_for_wound(wounds_left, healer_sl, last)
        each.append((wounds_left, days))
        last = days if pace == "day_less" else None
    return tuple(_steps(iter(each), from_day))


def point_plan(damage: int, cnd: int, healer_sl: int = 0, from_day: int = 0) -> tuple[Step, ...]:
    """The healing of each Body Point; for arguments see `days_for_point` and `wound_plan` (CS-666)."""
    return tuple(_steps(((left, days_for_point(left, cnd, healer_sl)) for left in range(damage, 0, -1)), from_day))


def recovery_factor(level: Level) -> int:
    """The factor on the time in which END returns: doubled for each level (CS-660, M-26)."""
    return 1 << rank(level)


def wounds_from_moving(feet: Number, str_modifier: int, cnd_modifier: int) -> int:
    """The wounds that the Mortally wounded add by moving so far without help (CS-670)."""
    return max(0, floor(feet / max(1, str_modifier + cnd_modifier)))


def _steps(each: Iterator[tuple[int, int]], day: int) -> Iterator[Step]:
    for before, days in each:
        day += days
        yield Step(before, days, day)
