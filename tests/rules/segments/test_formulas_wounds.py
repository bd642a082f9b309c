"""Wounds, levels of wounding, effective STR and collapse (CS-600 to CS-604, CS-620 to CS-632, section 6.10)."""

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules import formulas as tabled
from fightcall_engine.systems.segments.rules.formulas import rhu
from fightcall_engine.systems.segments.rules.wounds import (
    Level,
    Striking,
    armour_types,
    collapse_checks,
    collapse_checks_by_points,
    common_strike,
    level_of,
    level_of_points,
    rally_dv,
    rank,
    segments_to_live,
    strength_after,
    strength_in_fight,
    threshold_counts,
    wound_marks,
    wound_threshold,
    wounds,
)

LEVELS: tuple[Level, ...] = get_args(Level)


@pytest.mark.parametrize(
    ("msta", "cnd", "rounded", "exact"), [(14, 13, 3, "27/8"), (16, 14, 4, "15/4"), (1, 1, 1, "1")]
)
def test_g_105_g_125_cs_600_threshold_by_reading_a_12(msta: int, cnd: int, rounded: int, exact: str) -> None:
    """G-105, G-125, CS-600, A-12."""
    assert wound_threshold(msta, cnd) == rounded
    assert wound_threshold(msta, cnd, "exact") == Fraction(exact)


@pytest.mark.parametrize(
    ("through", "made"), [(0, 0), (3, 0), (4, 1), (6, 1), (7, 2), (9, 2), (10, 3), (12, 3), (13, 4)]
)
def test_g_105_cs_601_cs_602_blunt_blows(through: int, made: int) -> None:
    """G-105, CS-601, CS-602."""
    assert wounds(through, 3, counts=True) == made


def test_g_105_the_exact_threshold_a_12() -> None:
    """G-105, A-12."""
    assert wounds(10, Fraction(27, 8), counts=True) == 2


@pytest.mark.parametrize(("through", "made"), [(0, 0), (1, 1), (6, 1), (7, 2)])
def test_g_105_cs_603_an_edge_on_bare_flesh(through: int, made: int) -> None:
    """G-105, CS-603."""
    assert wounds(through, 3, counts=False) == made


@pytest.mark.parametrize(
    ("striking", "breached", "counts"),
    [
        ("blunt", True, True), ("blunt", False, True), ("edge", True, False), ("edge", False, True),
        ("point", True, False), ("point", False, True),
    ],
)  # fmt: skip
def test_cs_603_when_the_threshold_counts_a_13(striking: Striking, breached: bool, counts: bool) -> None:
    """CS-603, A-13."""
    assert threshold_counts(striking, breached) is counts


def test_g_106_an_edge_that_mail_turned() -> None:
    """G-106."""
    met = common_strike([armour_types()["singlemail"]], 12)
    assert met.through == 2
    assert wounds(met.through, 3, threshold_counts("edge", met.breached)) == 0


def test_cs_602_the_marks_a_gm_sees() -> None:
    """CS-602."""
    assert wound_marks(3) == (3, 6, 9, 12)


def test_g_109_cs_620_levels() -> None:
    """G-109, CS-620."""
    assert [level_of(count) for count in range(12)] == [
        "none", "light", "serious", "serious", "grievous", "grievous", "grievous",
        "mortal", "mortal", "mortal", "mortal", "mortal",
    ]  # fmt: skip


def test_cs_620_the_table_leaves_no_gap_and_follows_its_formulas() -> None:
    """CS-620."""
    found = tabled.rows("wound_levels")
    assert [row["key"] for row in found] == list(LEVELS[1:])
    assert [(row["first"], row["last"]) for row in found] == [(1, 1), (2, 3), (4, 6), (7, 10)]
    for row in found:
        quarters = Fraction(str(row["rank"])) / 4
        assert Fraction(str(row["bp_to"])) == quarters
        assert Fraction(str(row["after"])) == 1 - quarters


@pytest.mark.parametrize(
    ("damage", "level"),
    [
        (0, "none"), (1, "light"), (10, "light"), (11, "serious"), (20, "serious"), (21, "grievous"), (30, "grievous"),
        (31, "mortal"), (40, "mortal"), (55, "mortal"),
    ],
)  # fmt: skip
def test_g_113_cs_632_levels_by_body_points_a_16(damage: int, level: Level) -> None:
    """G-113, CS-632, A-16."""
    assert level_of_points(damage, 40) == level


def test_cs_632_without_body_points_there_is_no_level() -> None:
    """CS-632."""
    with pytest.raises(ValueError, match="1 or more"):
        level_of_points(3, 0)


@pytest.mark.parametrize(
    ("level", "left", "rule"),
    [
        ("none", "15", "CS-537"), ("light", "15", "CS-537"), ("serious", "15", "CS-537"),
        ("grievous", "15/2", "CS-621"), ("mortal", "15/4", "CS-623"),
    ],
)  # fmt: skip
def test_g_125_cs_621_cs_623_cs_626_strength_while_the_fight_runs_a_14(level: Level, left: str, rule: str) -> None:
    """G-125, CS-621, CS-623, CS-626, A-14."""
    made = strength_in_fight(15, level)
    assert (made.total, made.parts[-1].rule) == (Fraction(left), rule)
    assert strength_in_fight(15, level, reading="masks_all").total == 15


def test_g_125_cs_621_half_of_fifteen_is_shown_as_eight() -> None:
    """G-125, CS-621."""
    assert rhu(strength_in_fight(15, "grievous").total) == 8


def test_cs_622_a_rally_helps_the_grievously_wounded_alone() -> None:
    """CS-622."""
    assert strength_in_fight(14, "grievous", rallied=True).total == 14
    assert strength_in_fight(14, "mortal", rallied=True).total == Fraction(7, 2)
    assert [rally_dv(count).total for count in (4, 5, 6)] == [10, 15, 21]


@pytest.mark.parametrize(
    ("level", "left"), [("none", 16), ("light", 12), ("serious", 8), ("grievous", 4), ("mortal", 0)]
)
def test_g_112_cs_627_strength_after_the_fight(level: Level, left: int) -> None:
    """G-112, CS-627."""
    assert strength_after(16, level).total == left


@pytest.mark.parametrize(
    ("before", "after", "checks"),
    [(8, 9, 0), (9, 10, 1), (8, 11, 1), (9, 14, 1), (10, 11, 1), (10, 12, 2), (11, 13, 2), (10, 10, 0), (3, 3, 0)],
)
def test_g_109_g_110_cs_624_cs_628_checks_at_the_tenth_wound_a_15(before: int, after: int, checks: int) -> None:
    """G-109, G-110, CS-624, CS-628, A-15."""
    assert collapse_checks(before, after) == checks


@pytest.mark.parametrize(
    ("before", "after", "checks"), [(30, 39, 0), (39, 40, 1), (12, 50, 1), (40, 44, 1), (44, 44, 0)]
)
def test_cs_628_body_points_spent_count_as_the_tenth_wound_a_15(before: int, after: int, checks: int) -> None:
    """CS-628, A-15."""
    assert collapse_checks_by_points(before, after, 40) == checks


def test_g_109_cs_625_thirteen_minutes_are_78_segments() -> None:
    """G-109, CS-625."""
    assert segments_to_live(13) == 78


@given(st.integers(0, 200), st.integers(1, 80), st.integers(1, 80), st.sampled_from(["rhu", "exact"]))
def test_cs_602_wounds_are_the_multiples_exceeded(through: int, msta: int, cnd: int, rounding) -> None:
    """CS-602."""
    threshold = wound_threshold(msta, cnd, rounding)
    assert threshold >= 1
    made = wounds(through, threshold, counts=True)
    assert made == sum(through > mark for mark in wound_marks(threshold, last=200))
    without = wounds(through, threshold, counts=False)
    assert without == (max(1, made) if through else 0)
    assert made <= wounds(through + 1, threshold, counts=True)


@given(st.integers(1, 99), st.sampled_from(LEVELS), st.booleans())
def test_worse_wounds_never_leave_more_strength(strength: int, level: Level, rallied: bool) -> None:
    worse = LEVELS[min(4, rank(level) + 1)]
    assert rank(worse) >= rank(level)
    assert strength_in_fight(strength, worse).total <= strength_in_fight(strength, level).total <= strength
    assert strength_in_fight(strength, level, rallied=rallied).total >= strength_in_fight(strength, level).total
    assert 0 <= strength_after(strength, worse).total <= strength_after(strength, level).total
    assert strength_after(strength, level).total <= strength_in_fight(strength, level).total


@given(st.integers(1, 100), st.integers(0, 150))
def test_cs_632_more_damage_is_never_a_lower_level(most: int, damage: int) -> None:
    """CS-632."""
    assert rank(level_of_points(damage, most)) <= rank(level_of_points(damage + 1, most))


@given(st.integers(0, 20), st.lists(st.integers(0, 4), max_size=8))
def test_cs_628_wounds_one_by_one_ask_no_less_than_at_once(before: int, blows: list[int]) -> None:
    """CS-628."""
    total, asked = before, 0
    for blow in blows:
        asked += collapse_checks(total, total + blow)
        total += blow
    assert asked >= collapse_checks(before, total)
    assert (asked > 0) == (total >= 10 and total > before)
