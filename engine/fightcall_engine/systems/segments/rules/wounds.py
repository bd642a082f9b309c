"""Wounds, pain and collapse, and how they heal (CS-600 to CS-632, CS-660 to CS-670)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from math import ceil, floor
from typing import Literal, TypeAlias, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import tables
from fightcall_engine.systems.segments.rules.checks import Progressive, prog
from fightcall_engine.systems.segments.rules.clock import SECONDS_A_SEGMENT
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum, halve, rhu

Level: TypeAlias = Literal["none", "light", "serious", "grievous", "mortal"]
"""Levels of wounding; `none` for the unhurt."""

Striking: TypeAlias = Literal["edge", "point", "blunt"]
"""With what a blow strikes."""

WtRounding: TypeAlias = Literal["rhu", "exact"]
"""Whether the Wound Threshold is a whole number (A-12)."""

Adrenaline: TypeAlias = Literal["str_loss_applies", "masks_all"]
"""Whether Grievous and Mortal wounds cost STR while the contest runs (A-14)."""

AfterLoss: TypeAlias = Literal["linear", "compound"]
"""Whether each level costs a quarter of STR, or a quarter of what is left (A-14)."""

COLLAPSE_WOUNDS = 10

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
    """Return the POT that somebody takes without a wound: (modified STA + CND) ÷ 8, 1 at least (CS-600).

    Args:
        msta: modified STA.
        cnd: CND score.
        rounding: `rhu` for a whole number, `exact` for the fraction (A-12).
    """
    exact = Fraction(msta + cnd, 8)
    return max(1, rhu(exact) if rounding == "rhu" else exact)


def threshold_counts(struck_with: Striking, breached: bool) -> bool:
    """Tell whether a blow must pass the Wound Threshold to wound: not an edge or a point in flesh (CS-603, A-13).

    Args:
        struck_with: edge, point or blunt.
        breached: it met no armour, or pierced all it met; see `armour.Met`.
    """
    return struck_with == "blunt" or not breached


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


@cache
def level_of(count: int) -> Level:
    """Return the level of so many wounds (CS-620)."""
    return next((level for level in reversed(_LEVELS) if count >= _rows()[level].first), "none")


def boxes() -> tuple[tuple[str, int], ...]:
    """Return each level with the wounds that it has room for, and last the tenth wound by itself (CS-620, CS-624)."""
    firsts = [*(_rows()[level].first for level in _LEVELS), COLLAPSE_WOUNDS]
    sizes = ((level, after - first) for level, first, after in zip(_LEVELS, firsts, firsts[1:], strict=False))
    return (*sizes, ("tenth wound", 1))


def level_of_points(damage: int, most: int) -> Level:
    """Return the level of damage in Body Points; a boundary of two belongs to the lower (CS-632, A-16).

    Args:
        damage: Body Points lost.
        most: all that he has when unhurt, 1 or more.

    Raises:
        ValueError: `most` is below 1.
    """
    if most < 1:
        raise ValueError(f"{most} Body Points in all; 1 or more would do")
    if damage <= 0:
        return "none"
    share = Fraction(damage, most)
    ends = ((level, _rows()[level].bp_to) for level in _LEVELS)
    return next((level for level, end in ends if share <= end), "mortal")


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
        loss = strength * (1 - (1 - _A_LEVEL) ** rank(level))
        parts.append(Part(f"{level.capitalize()}: a quarter of what is left, each level", -loss, "CS-627"))
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


def collapse_checks(before: int, after: int) -> int:
    """Return how many P-RES checks against death a blow asks (CS-624, CS-628, A-15).

    One for reaching or passing the tenth wound, and one for each wound after that.

    Args:
        before: wounds before the blow.
        after: wounds after it.
    """
    if after <= before or after < COLLAPSE_WOUNDS:
        return 0
    if before < COLLAPSE_WOUNDS:
        return 1
    return after - before


def collapse_checks_by_points(before: int, after: int, most: int) -> int:
    """Return how many such checks a blow asks with Body Points: one where it spends the last or comes after (A-15).

    Args:
        before: damage before the blow.
        after: damage after it.
        most: all Body Points that he has when unhurt.
    """
    return int(after > before and after >= most)


def segments_to_live(cnd: int) -> int:
    """Return how many segments one lives who survives the tenth wound: CND minutes (CS-625)."""
    return cnd * _SEGMENTS_A_MINUTE


_LEVELS: tuple[Level, ...] = get_args(Level)[1:]


@cache
def _rows() -> Mapping[Level, _Row]:
    rows: dict[Level, _Row] = {}
    for row in tables.rows("wound_levels"):
        key = tables.text_of(row, "key")
        if key not in _LEVELS:
            raise ValueError(f"tables/wound_levels.toml: {key!r}; {', '.join(_LEVELS)} are accepted")
        shares = [tables.number_of(row.get(name), name) for name in ("bp_to", "in_fight", "after")]
        rows[key] = _Row(tables.whole_of(row, "rank"), tables.whole_of(row, "first"), *shares)
    return rows


MultiStun: TypeAlias = Literal["sum", "highest"]
"""Whether several stuns add or only the worst tells (A-50)."""


@frozen
class Stun:
    """A stun by pain.

    Attributes:
        base: its penalty at first, exact.
        segment: the segment of the blow.
    """

    base: Number
    segment: int

    def penalty(self, segment: int) -> int:
        """Return what AVs and Initiative lose in a segment, rounded; 0 before the blow (CS-613, CS-616).

        It halves at the end of each segment after that of the blow, so that the next one has it in full.
        """
        if segment < self.segment:
            return 0
        return rhu(halve(self.base, max(0, segment - self.segment - 1)))

    @property
    def last_segment(self) -> int:
        """The last segment in which it tells; the one before the blow for a stun of nothing."""
        last = self.segment - 1
        while self.penalty(last + 1) > 0:
            last += 1
        return last


def excess(through: int, pres: int) -> int:
    """Return by how much a blow hurts more than somebody can bear, 0 or more (CS-610).

    Args:
        through: POT after clothing and armour, with what a barrier added (CS-563).
        pres: his P-RES.
    """
    return max(0, through - pres)


def pain_dv(beyond: int, scale: Progressive = "triangular") -> Sum:
    """Return the DV of the P-RES check against fainting and of the HRT check after it (CS-610, CS-612).

    Args:
        beyond: from `excess`; at 0 no check is asked.
        scale: the Progressive scale in use (R-4).
    """
    return Sum((Part(f"{beyond} POT above P-RES, Progressive", prog(beyond, scale), "CS-610"),))


def stun(beyond: int, segment: int, *, managed: bool, scale: Progressive = "triangular") -> Stun:
    """Return the stun of a blow that he did not faint from (CS-613, CS-614).

    Args:
        beyond: from `excess`.
        segment: the segment of the blow.
        managed: his HRT check succeeded, which halves it.
        scale: the Progressive scale in use (R-4).
    """
    full = prog(beyond, scale)
    return Stun(halve(full) if managed else full, segment)


def stun_penalty(stuns: Iterable[Stun], segment: int, reading: MultiStun = "sum") -> Sum:
    """Return what AVs and Initiative lose in a segment, each stun wearing off on its own (CS-618, A-50).

    Args:
        stuns: all that he has taken.
        segment: the segment asked for.
        reading: `sum` of all, or the `highest` alone.
    """
    parts = [Part(f"stun of segment {stun.segment}", stun.penalty(segment), "CS-613") for stun in stuns]
    telling = sorted((part for part in parts if part.value), key=lambda part: part.value, reverse=True)
    return Sum(tuple(telling[:1] if reading == "highest" else telling))


def slowed_dv(dv: Number, penalty: int) -> Sum:
    """Return the DV from which the time of a task is taken by one who is stunned (CS-613)."""
    return Sum((Part("DV of the task", dv, "CS-613"), Part("stun", penalty, "CS-613")))


Care: TypeAlias = Literal["none", "ordinary_days", "rest_and_healer", "very_skilled_healer"]
"""What somebody needs to heal at all."""

HealingPace: TypeAlias = Literal["weeks", "day_less"]
"""Whether the time of each wound is reckoned anew, or is a day less than that of the wound before (A-41)."""

DAYS_A_WEEK = 7


@frozen
class Step:
    """One wound, or one Body Point, that heals.

    Attributes:
        before: wounds or points of damage until then.
        days: how long it takes.
        day: the day on which it is healed, counted from the fight as day 0.
    """

    before: int
    days: int
    day: int

    def on(self, fought: date) -> date:
        """Return the date on which it is healed, after a fight on a date."""
        return fought + timedelta(days=self.day)


def care(level: Level) -> Care:
    """Return without what somebody does not heal, and of Mortal wounds dies (CS-661, CS-662, CS-669)."""
    if level == "none":
        return "none"
    if level == "light":
        return "ordinary_days"
    return "very_skilled_healer" if level == "mortal" else "rest_and_healer"


def days_for_wound(total: int, healer_sl: int = 0, before: int | None = None) -> int:
    """Return how long the next wound takes to heal, in days (CS-663, CS-665, A-41).

    As many weeks as there are wounds, less 1 for each 4 levels of the healer. From one week down it goes by the day:
    7, 6, 5..., 1 at least.

    Args:
        total: all wounds that he has, 1 or more.
        healer_sl: the healer's level in his trade; 0 without one.
        before: by the reading `day_less`, how long the wound before took; None for the first.

    Raises:
        ValueError: there is no wound.
    """
    if total < 1:
        raise ValueError(f"{total} wounds; there is nothing to heal")
    if before is not None:
        return max(1, before - 1)
    weeks = total - healer_sl // 4
    return max(weeks * DAYS_A_WEEK, DAYS_A_WEEK - 1 + weeks, 1)


def days_for_point(damage: int, cnd: int, healer_sl: int = 0) -> int:
    """Return how long the next Body Point takes to heal, in days, 1 at least (CS-666).

    Args:
        damage: all Body Points lost, 1 or more.
        cnd: CND modifier.
        healer_sl: the healer's level in his trade; 0 without one.

    Raises:
        ValueError: there is no damage.
    """
    if damage < 1:
        raise ValueError(f"{damage} points of damage; there is nothing to heal")
    return max(1, damage - cnd - healer_sl // 4)


def wound_plan(
    total: int, healer_sl: int = 0, from_day: int = 0, pace: HealingPace = "weeks", before: int | None = None
) -> tuple[Step, ...]:
    """Return when each wound is healed (CS-664).

    Args:
        total: all wounds that he has, 0 or more.
        healer_sl: the healer's level in his trade.
        from_day: the day from which the time of the next wound counts: 0 for the fight, or the day of a strenuous act,
            which sets the clock back to nothing (CS-667).
        pace: how the time of the next wound follows (A-41).
        before: by the reading `day_less`, how long the wound before these took; None for none.
    """
    each, last = [], before if pace == "day_less" else None
    for wounds_left in range(total, 0, -1):
        days = days_for_wound(wounds_left, healer_sl, last)
        each.append((wounds_left, days))
        last = days if pace == "day_less" else None
    return tuple(_steps(iter(each), from_day))


def point_plan(damage: int, cnd: int, healer_sl: int = 0, from_day: int = 0) -> tuple[Step, ...]:
    """Return when each Body Point is healed, with arguments as for `days_for_point` and `wound_plan` (CS-666)."""
    return tuple(_steps(((left, days_for_point(left, cnd, healer_sl)) for left in range(damage, 0, -1)), from_day))


def recovery_factor(level: Level) -> int:
    """Return how many times longer END takes to come back: doubled for each level (CS-660, M-26)."""
    return 1 << rank(level)


def wounds_from_moving(feet: Number, str_modifier: int, cnd_modifier: int) -> int:
    """Return the wounds that one Mortally wounded adds by moving on his own (CS-670).

    Args:
        feet: how far he has moved since he was so wounded.
        str_modifier: his STR modifier.
        cnd_modifier: his CND modifier; with both together he pays for each so many feet, 1 at least.
    """
    return max(0, floor(feet / max(1, str_modifier + cnd_modifier)))


def _steps(each: Iterator[tuple[int, int]], day: int) -> Iterator[Step]:
    for before, days in each:
        day += days
        yield Step(before, days, day)
