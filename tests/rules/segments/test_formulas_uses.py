"""Repeated use of weapons and Dodges, defences together and their cost (CS-165 to CS-169, CS-238, CS-415 to CS-420)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import (
    EndSpent,
    combined_defence,
    counters_restart,
    dodges_left,
    end_spent,
    next_use,
    uses_left,
    value_of_dodge,
    value_of_use,
)
from fightcall_engine.systems.segments.rules.formulas import rhu

VALUES = st.integers(0, 120)


def dodges(av: int, count: int, trade_sl: int = 0) -> list[int]:
    return [rhu(value_of_dodge(av, k, trade_sl=trade_sl).total) for k in range(1, count + 1)]


def test_g_62_cs_238_four_parries_and_an_attack_per_role_a_02() -> None:
    """G-62, CS-238, A-02."""
    parries = [rhu(value_of_use(40, next_use("defence", 0, made)).total) for made in range(4)]
    assert parries == [40, 20, 10, 5]
    assert value_of_use(40, next_use("attack", 0, 4)).total == 40


def test_g_62_cs_238_two_parries_and_an_attack_pooled_a_02() -> None:
    """G-62, CS-238, A-02."""
    parries = [rhu(value_of_use(40, next_use("defence", 0, made, "pooled")).total) for made in range(2)]
    assert parries == [40, 20]
    assert value_of_use(40, next_use("attack", 0, 2, "pooled")).total == 10


def test_cs_416_having_attacked_costs_a_defence_nothing_unless_pooled() -> None:
    """CS-416."""
    assert next_use("defence", 1, 0) == 1
    assert next_use("defence", 1, 0, "pooled") == 2


def test_g_20_a_penalty_comes_off_before_the_halving_a_56() -> None:
    """G-20, A-56."""
    made = value_of_use(25, 2)
    assert made.total == Fraction(25, 2)
    assert rhu(made.total) == 13
    assert [part.value for part in made.parts] == [25, Fraction(-25, 2)]
    assert [part.rule for part in made.parts] == ["CS-238", "CS-238"]


def test_g_125_the_uses_of_a_fought_segment() -> None:
    """G-125."""
    assert rhu(value_of_use(35, 2).total) == 18
    assert rhu(value_of_use(35, 3).total) == 9
    assert rhu(value_of_use(40, 2).total) == 20


def test_g_64_cs_419_dodges_halve_until_nothing_is_left() -> None:
    """G-64, CS-419."""
    assert dodges(13, 6) == [13, 7, 3, 2, 1, 0]
    assert dodges_left(13, 0) == (13, 7, 3, 2, 1)
    assert dodges_left(13, 3) == (2, 1)
    assert dodges_left(0, 0) == dodges_left(-4, 0) == ()


@pytest.mark.parametrize(
    ("trade_sl", "expected"), [(27, [13, 13, 7, 3]), (8, [13, 7]), (30, [13, 13, 13, 7]), (10, [13, 7, 3])]
)
def test_g_65_cs_420_trained_dodgers_a_38(trade_sl: int, expected: list[int]) -> None:
    """G-65, CS-420, A-38."""
    assert dodges(13, len(expected), trade_sl) == expected


def test_cs_419_the_sum_says_which_dodge_it_is() -> None:
    """CS-419."""
    made = value_of_dodge(13, 3)
    assert [(part.label, part.rule) for part in made.parts] == [
        ("Dodge", "CS-419"),
        ("3rd Dodge: halved 2 times", "CS-419"),
    ]
    assert value_of_dodge(13, 4, trade_sl=27).parts[-1].rule == "CS-420"


def test_cs_167_a_full_defence_forgets_earlier_uses_a_53() -> None:
    """CS-167, A-53."""
    made = value_of_use(40, 4, fresh=True)
    assert made.total == 40
    assert made.parts[-1].rule == "CS-167"
    assert value_of_dodge(13, 5, fresh=True).total == 13
    assert len(value_of_use(40, 1, fresh=True).parts) == 1


def test_cs_169_a_massed_strike_uses_defences_up() -> None:
    """CS-169."""
    assert uses_left(20, 1) == (20, 10, 5, 3, 1, 1)
    assert uses_left(20, 3) == (5, 3, 1, 1)
    assert uses_left(2, 1) == (2, 1, 1)


@pytest.mark.parametrize(
    ("window", "pass_number", "owed", "restarts"),
    [
        ("action", 1, 1, True), ("action", 2, 2, True), ("action", 2, 1, False), ("action", 3, 2, False),
        ("cs", 1, 3, True), ("cs", 2, 3, False),
    ],
)  # fmt: skip
def test_g_66_counters_restart_by_reading_a_03(window: str, pass_number: int, owed: int, restarts: bool) -> None:
    """G-66, A-03."""
    assert window in ("action", "cs")
    assert counters_restart("cs" if window == "cs" else "action", pass_number, owed) == restarts


@given(VALUES, st.integers(1, 10))
def test_cs_238_each_use_is_worth_exactly_half_of_the_last(av: int, use: int) -> None:
    """CS-238."""
    now, then = value_of_use(av, use).total, value_of_use(av, use + 1).total
    assert then * 2 == now
    assert 0 <= rhu(then) <= rhu(now) <= av


@given(VALUES, st.integers(1, 12), st.integers(0, 60))
def test_cs_420_training_never_makes_a_dodge_worse(av: int, count: int, trade_sl: int) -> None:
    """CS-420."""
    trained = value_of_dodge(av, count, trade_sl=trade_sl).total
    assert value_of_dodge(av, count).total <= trained <= av
    assert value_of_dodge(av, count + 1, trade_sl=trade_sl).total <= trained


@given(st.integers(1, 120))
def test_cs_419_everybody_runs_out_of_dodges(av: int) -> None:
    """CS-419."""
    left = dodges_left(av, 0)
    assert left[0] == av
    assert left[-1] == 1
    assert rhu(value_of_dodge(av, len(left) + 1).total) == 0


def test_cs_417_dodge_and_parry_together_add_a_59() -> None:
    """CS-417, A-59."""
    made = combined_defence(35, 13)
    assert made.total == 48
    assert [part.rule for part in made.parts] == ["CS-410", "CS-417"]


@pytest.mark.parametrize(("defences", "expected"), [(0, EndSpent(1, 0)), (1, EndSpent(1, 1)), (2, EndSpent(1, 2))])
def test_g_74_cs_168_every_defence_offered_costs_end_a_36(defences: int, expected: EndSpent) -> None:
    """G-74, CS-168, A-36."""
    assert end_spent(defences) == expected
