"""Surprise: difficulty, degrees, duration and recovery (CS-048 to CS-071)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.formulas import (
    D100,
    Part,
    Sum,
    Surprise,
    ambush_surprise,
    blunder_surprise,
    duration,
    halve,
    overwhelming_surprise,
    recovery_dv,
    rhu,
    surprise_av,
    surprise_dv,
    under_penalties,
    waning_segments,
)

NONE = Surprise("none")
CHECKS = st.builds(D100, st.integers(0, 120), st.integers(1, 100))


def by(margin: int) -> D100:
    """A check that succeeds by so much, or fails by it when it is below 0."""
    return D100(50, 50 - margin)


def test_g_16_the_difficulty_of_seeing_an_ambush() -> None:
    """G-16."""
    made = surprise_dv(18, chm=(2, 0, -1, 1), hrt=(0, 3, 1, 1), mstas=(25, 20, 17, 18))
    assert made.total == 29
    assert [part.value for part in made.parts] == [18, 2, 3, 4, 5, -3]
    assert {part.rule for part in made.parts} == {"CS-050"}


def test_g_17_small_plotters_are_harder_to_fear() -> None:
    """G-17."""
    assert surprise_dv(18, chm=(2, 0, 0, 0), hrt=(3, 0, 0, 0), mstas=(19, 14, 16, 16)).total == 21


def test_cs_050_plotters_of_neutral_size_change_nothing_by_it() -> None:
    """CS-050."""
    assert [part.value for part in surprise_dv(18, (0, 0), (0, 0), (20, 20)).parts] == [18, 0, 0, 2, 0, 0]


@given(st.integers(0, 60), st.lists(st.integers(1, 60), min_size=1, max_size=6))
def test_cs_050_one_more_plotter_of_neutral_size_adds_one(base: int, mstas: list[int]) -> None:
    """CS-050."""
    before = surprise_dv(base, (0,), (0,), mstas).total
    assert surprise_dv(base, (0,), (0,), [*mstas, 20]).total == before + 1


def test_cs_050_somebody_must_plot() -> None:
    """CS-050."""
    with pytest.raises(ValueError, match="at least one plotter"):
        surprise_dv(18, (), (), ())


def test_g_22_practitioners_and_the_wary_notice_more() -> None:
    """G-22."""
    assert surprise_av(30, spirit_sl=12).total == 42
    made = surprise_av(30, spirit_sl=12, wary_trade_sl=9)
    assert made.total == 51
    assert [part.rule for part in made.parts] == ["CS-041", "CS-049", "CS-054"]
    assert len(surprise_av(30).parts) == 1


@pytest.mark.parametrize(
    ("name", "aggressor", "victim", "expected"),
    [
        ("G-09", D100(50, 40), D100(40, 45), Surprise("overwhelmed", 2, 15)),
        ("G-10", by(2), by(-1), Surprise("overwhelmed", 1, 3)),
        ("G-12", by(20), by(12), Surprise("checked", 1, 0)),
        ("G-13", by(-2), by(-30), NONE),
        ("G-14", by(-5), by(10), NONE),
        ("G-126 P1", by(22), by(-13), Surprise("overwhelmed", 4, 35)),
        ("G-126 P2", by(22), by(5), Surprise("checked", 1, 0)),
        ("CS-057", by(12), by(20), Surprise("ready", 0, 0)),
    ],
)
def test_cs_055_every_victim_has_his_own_degree(name: str, aggressor: D100, victim: D100, expected: Surprise) -> None:
    """CS-055."""
    assert ambush_surprise(aggressor, victim) == expected, name


def test_cs_071_equal_margins_by_reading_a_17() -> None:
    """CS-071, A-17."""
    assert ambush_surprise(by(10), by(10)) == Surprise("ready")
    assert ambush_surprise(by(10), by(10), tie="attacker") == Surprise("checked", 1)
    assert ambush_surprise(by(10), by(10), tie="reroll") is None


def test_a_19_checked_carries_no_penalty() -> None:
    """A-19."""
    outcome = ambush_surprise(by(30), by(1))
    assert outcome is not None
    assert outcome.penalty == 0


def test_cs_045_a_concealed_trap_is_a_simple_roll_a_18() -> None:
    """CS-045, A-18."""
    assert blunder_surprise(by(0)) == NONE
    assert blunder_surprise(by(-4)) == Surprise("overwhelmed", 1, 4)
    assert blunder_surprise(by(-25)) == Surprise("overwhelmed", 3, 25)


def test_cs_043_a_sprung_mechanism_surprises_without_a_roll_a_18() -> None:
    """CS-043, A-18."""
    assert overwhelming_surprise(0) == Surprise("overwhelmed", 1, 0)
    assert overwhelming_surprise(25) == Surprise("overwhelmed", 3, 25)


def test_cs_048_mutual_surprise_counts_each_ones_own_margin_a_21() -> None:
    """CS-048, A-21."""
    assert [blunder_surprise(one).penalty for one in (by(-7), by(3), by(-16))] == [7, 0, 16]


@pytest.mark.parametrize(("total", "segments"), [(1, 1), (4, 1), (5, 1), (14, 1), (15, 2), (24, 2), (25, 3), (35, 4)])
def test_cs_060_a_tenth_of_the_sum_at_least_one(total: int, segments: int) -> None:
    """CS-060."""
    assert duration(total) == segments


@given(CHECKS, CHECKS)
def test_cs_059_only_failing_alone_overwhelms(aggressor: D100, victim: D100) -> None:
    """CS-059."""
    outcome = ambush_surprise(aggressor, victim)
    assert outcome is not None
    assert (outcome.degree == "overwhelmed") == (aggressor.succeeded and not victim.succeeded)
    assert (outcome.segments > 0) == (outcome.degree in ("checked", "overwhelmed"))
    assert outcome.penalty >= 0


@given(CHECKS, CHECKS)
def test_cs_060_a_worse_failure_never_lasts_shorter(aggressor: D100, victim: D100) -> None:
    """CS-060."""
    now, worse = ambush_surprise(aggressor, victim), ambush_surprise(aggressor, D100(victim.chance - 1, victim.roll))
    assert now is not None
    assert worse is not None
    assert worse.segments >= now.segments
    assert worse.penalty >= now.penalty


def test_g_126_the_timeline_of_an_ambush() -> None:
    """G-126."""
    first, second = ambush_surprise(by(22), by(-13)), ambush_surprise(by(22), by(5))
    assert first is not None
    assert second is not None
    assert (first.segments, second.segments) == (4, 1)
    assert (recovery_dv(29), waning_segments(29), first.penalty) == (15, 3, 35)


def test_g_18_recovery_and_the_second_stage() -> None:
    """G-18."""
    assert recovery_dv(29) == 15
    assert waning_segments(29) == 3


def test_cs_069_a_small_difficulty_leaves_no_second_stage_a_20() -> None:
    """CS-069, A-20."""
    assert [waning_segments(failed_dv) for failed_dv in (4, 5, 60)] == [0, 1, 6]


@pytest.mark.parametrize(("av", "penalty", "left"), [(40, 15, 25), (22, 15, 7), (18, 15, 3), (9, 15, 0)])
def test_g_20_what_is_left_of_a_defence(av: int, penalty: int, left: int) -> None:
    """G-20."""
    assert under_penalties(Sum((Part("AV", av, "CS-410"),)), Part("Surprise", penalty, "CS-061")).total == left


def test_g_20_the_penalty_comes_before_the_halving_a_56() -> None:
    """G-20, A-56."""
    parry = under_penalties(Sum((Part("Parry", 40, "CS-410"),)), Part("Surprise", 15, "CS-061"))
    assert rhu(halve(parry.total)) == 13
