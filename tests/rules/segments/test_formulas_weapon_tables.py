"""Damage Bonus and Damage Multiplier against table 6-5 as printed (CS-535, CS-552, A-11)."""

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules import formulas as tabled
from fightcall_engine.systems.segments.rules.attacks import (
    Looked,
    WeightClass,
    bonus_by_formula,
    column,
    damage_bonus,
    damage_multiplier,
    multiplier_by_formula,
)

CLASSES: tuple[WeightClass, ...] = get_args(WeightClass)
PRINTED: tuple[WeightClass, ...] = ("light", "medium_light", "medium", "medium_heavy", "heavy", "beyond_heavy")


def test_cs_535_all_66_printed_bonuses_follow_the_formula() -> None:
    """CS-535."""
    found = tabled.rows("damage_bonus", "rows")
    assert [row["size"] for row in found] == list(range(0, 21, 2))
    cells = [(row["size"], place, cell) for row in found for place, cell in enumerate(row["bonus"])]  # type: ignore[arg-type]
    assert len(cells) == 66
    for size, place, cell in cells:
        assert cell == bonus_by_formula(size, place), (size, place)  # type: ignore[arg-type]


def test_cs_552_all_42_printed_multipliers_follow_the_formula() -> None:
    """CS-552."""
    found = tabled.rows("damage_multiplier", "rows")
    assert [row["size"] for row in found] == list(range(0, 13, 2))
    cells = [(row["size"], place, cell) for row in found for place, cell in enumerate(row["multiplier"])]  # type: ignore[arg-type]
    assert len(cells) == 42
    for size, place, cell in cells:
        assert cell == multiplier_by_formula(size, place), (size, place)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("size", "weight", "bonus"),
    [
        (0, "light", 0), (0, "beyond_heavy", 5), (1, "light", 1), (2, "heavy", 5), (4, "medium", 4),
        (5, "light", 3), (5, "medium_heavy", 6), (6, "heavy", 7), (19, "light", 10), (20, "beyond_heavy", 15),
    ],
)  # fmt: skip
def test_cs_535_bonuses_by_size_and_class(size: int, weight: WeightClass, bonus: int) -> None:
    """CS-535."""
    assert damage_bonus(size, weight) == Looked(bonus)


@pytest.mark.parametrize(
    ("size", "weight", "multiplier"),
    [
        (0, "light", "1/4"), (1, "light", "1/4"), (2, "light", "1/2"), (4, "medium", "5/4"),
        (7, "heavy", 2), (13, "beyond_heavy", 3),
    ],
)  # fmt: skip
def test_cs_552_multipliers_by_size_and_class(size: int, weight: WeightClass, multiplier: str) -> None:
    """CS-552."""
    assert damage_multiplier(size, weight) == Looked(Fraction(multiplier))


def test_a_11_the_second_reading_moves_every_name_one_column_right() -> None:
    """A-11."""
    assert [column(one) for one in PRINTED] == [0, 1, 2, 3, 4, 5]
    assert [column(one, "lt_second") for one in CLASSES[:-1]] == [0, 1, 2, 3, 4, 5]
    for weight in PRINTED[:-1]:
        assert damage_bonus(4, weight, "lt_second").value - damage_bonus(4, weight).value == 1
        assert damage_multiplier(4, weight, "lt_second").value - damage_multiplier(4, weight).value == Fraction(1, 4)


@pytest.mark.parametrize(("weight", "reading"), [("below_light", "lt_first"), ("beyond_heavy", "lt_second")])
def test_a_11_a_class_without_a_column_says_which_have_one(weight: WeightClass, reading: str) -> None:
    """A-11."""
    with pytest.raises(ValueError, match=rf"{weight} has no column with the reading {reading}; accepted: .*medium.*"):
        damage_bonus(4, weight, "lt_first" if reading == "lt_first" else "lt_second")


def test_sizes_that_are_not_printed_are_marked() -> None:
    assert damage_bonus(20, "light").printed
    assert damage_bonus(21, "light") == Looked(11, printed=False)
    assert damage_multiplier(13, "light").printed
    assert damage_multiplier(14, "light") == Looked(Fraction(2), printed=False)


@pytest.mark.parametrize("look_up", [damage_bonus, damage_multiplier])
def test_no_weapon_is_smaller_than_nothing(look_up) -> None:
    with pytest.raises(ValueError, match="Size -1; use 0 or more"):
        look_up(-1, "light")


@given(st.fractions(0, 30, max_denominator=4), st.sampled_from(PRINTED))
def test_a_longer_or_heavier_weapon_is_never_worth_less(size: Fraction, weight: WeightClass) -> None:
    assert damage_bonus(size, weight).value <= damage_bonus(size + 1, weight).value
    assert damage_multiplier(size, weight).value <= damage_multiplier(size + 1, weight).value
    heavier = PRINTED[min(5, PRINTED.index(weight) + 1)]
    assert damage_bonus(size, weight).value <= damage_bonus(size, heavier).value
    assert damage_bonus(size, weight).value == bonus_by_formula(size, column(weight))
    assert damage_multiplier(size, weight).value == multiplier_by_formula(size, column(weight))
