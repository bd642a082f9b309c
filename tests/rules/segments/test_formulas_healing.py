"""Healing, wound after wound, and recovery (CS-660 to CS-670); fire (CS-700)."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import catches_fire_in
from fightcall_engine.systems.segments.rules.wounds import (
    Care,
    Level,
    Step,
    care,
    days_for_point,
    days_for_wound,
    point_plan,
    recovery_factor,
    wound_plan,
    wounds_from_moving,
)


def test_g_121_cs_663_cs_664_five_wounds_and_a_healer_a_41() -> None:
    """G-121, CS-663, CS-664, A-41."""
    assert [step.days for step in wound_plan(5, 8)] == [21, 14, 7, 6, 5]
    assert [step.day for step in wound_plan(5, 8)] == [21, 35, 42, 48, 53]
    assert [step.before for step in wound_plan(5, 8)] == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("total", "healer", "days"),
    [(1, 0, 7), (1, 3, 7), (1, 4, 6), (1, 24, 1), (1, 80, 1), (2, 0, 14), (10, 0, 70), (10, 36, 7), (3, 8, 7)],
)
def test_cs_663_cs_665_weeks_then_days(total: int, healer: int, days: int) -> None:
    """CS-663, CS-665."""
    assert days_for_wound(total, healer) == days


def test_cs_664_dates_from_the_day_of_the_fight() -> None:
    """CS-664."""
    first, last = wound_plan(2, 4)
    assert (first, last) == (Step(2, 7, 7), Step(1, 6, 13))
    assert last.on(date(1347, 9, 28)) == date(1347, 10, 11)


def test_cs_667_a_strenuous_act_sets_the_clock_back() -> None:
    """CS-667."""
    assert [step.day for step in wound_plan(2, 4, from_day=5)] == [12, 18]
    assert [step.day for step in point_plan(2, 0, from_day=5)] == [7, 8]


def test_g_122_cs_666_days_by_body_points() -> None:
    """G-122, CS-666."""
    assert days_for_point(14, 2, 12) == 9
    assert [step.days for step in point_plan(4, 2)] == [2, 1, 1, 1]
    assert point_plan(4, 2)[-1].day == 5


@pytest.mark.parametrize("ask", [lambda: days_for_wound(0), lambda: days_for_point(0, 0)])
def test_the_unhurt_do_not_heal(ask) -> None:
    with pytest.raises(ValueError, match="to heal: 0"):
        ask()


def test_the_unhurt_have_no_plan() -> None:
    assert wound_plan(0) == point_plan(0, 3) == ()


@pytest.mark.parametrize(
    ("level", "needed"),
    [
        ("none", "none"), ("light", "ordinary_days"), ("serious", "rest_and_healer"), ("grievous", "rest_and_healer"),
        ("mortal", "very_skilled_healer"),
    ],
)  # fmt: skip
def test_cs_661_cs_662_cs_669_what_healing_needs(level: Level, needed: Care) -> None:
    """CS-661, CS-662, CS-669."""
    assert care(level) == needed


@pytest.mark.parametrize(
    ("level", "factor"), [("none", 1), ("light", 2), ("serious", 4), ("grievous", 8), ("mortal", 16)]
)
def test_g_112_cs_660_recovery_doubles_with_each_level(level: Level, factor: int) -> None:
    """G-112, CS-660."""
    assert recovery_factor(level) == factor


@pytest.mark.parametrize(
    ("feet", "strength", "condition", "made"),
    [(4, 2, 3, 0), (5, 2, 3, 1), (14, 2, 3, 2), (3, 0, 0, 3), (3, -4, 1, 3), (0, 2, 3, 0)],
)
def test_cs_670_moving_when_mortally_wounded(feet: int, strength: int, condition: int, made: int) -> None:
    """CS-670."""
    assert wounds_from_moving(feet, strength, condition) == made


def test_cs_700_cloth_and_fire() -> None:
    """CS-700."""
    assert catches_fire_in("contact") == 0
    assert catches_fire_in("near") == 1


@given(st.integers(1, 30), st.integers(0, 60))
def test_cs_663_each_wound_heals_no_slower_than_the_last(total: int, healer: int) -> None:
    """CS-663."""
    days = [step.days for step in wound_plan(total, healer)]
    assert len(days) == total
    assert days == sorted(days, reverse=True)
    assert days[-1] >= 1
    assert days_for_wound(total, healer + 4) <= days[0]


@given(st.integers(1, 60), st.integers(-5, 9), st.integers(0, 60))
def test_cs_666_points_heal_faster_and_faster(damage: int, cnd: int, healer: int) -> None:
    """CS-666."""
    plan = point_plan(damage, cnd, healer)
    days = [step.days for step in plan]
    assert days == sorted(days, reverse=True)
    assert [step.before for step in plan] == list(range(damage, 0, -1))
    assert plan[-1].day == sum(days)
