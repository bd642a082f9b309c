"""How wounds heal, one after the other, with their dates (CS-660 to CS-670)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from math import floor
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.wounds import Level, rank

Care: TypeAlias = Literal["none", "ordinary_days", "rest_and_healer", "very_skilled_healer"]
"""What somebody needs to heal at all."""

HealingPace: TypeAlias = Literal["weeks", "day_less"]
"""Whether the time of each wound is reckoned anew, or is a day less than that of the wound before (A-41)."""

DAYS_A_WEEK = 7


@dataclass(frozen=True, slots=True)
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
    return weeks * DAYS_A_WEEK if weeks > 1 else max(1, DAYS_A_WEEK - 1 + weeks)


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
    for left in range(total, 0, -1):
        days = days_for_wound(left, healer_sl, last)
        each.append((left, days))
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
