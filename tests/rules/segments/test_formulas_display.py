"""Scales of the tactical display (CS-680 to CS-686, section 6.14)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.formulas.display import (
    PaceOnDisplay,
    Scale,
    card,
    from_display,
    needs_own_marker,
    on_display,
    square_feet,
    zone_mm,
)

SCALES = st.sampled_from(["skirmishing", "half", "fifth"])


@pytest.mark.parametrize(("scale", "feet"), [("skirmishing", 5), ("half", 10), ("fifth", 25)])
def test_cs_680_what_25_millimetres_stand_for(scale: Scale, feet: int) -> None:
    assert square_feet(scale) == feet
    assert on_display(feet, scale) == 25


@pytest.mark.parametrize(
    ("feet", "scale", "millimetres"),
    [(400, "half", 1000), (1000, "fifth", 1000), (100, "skirmishing", 500), (5, "skirmishing", 25)],
)
def test_g_124_distances_on_paper_a_44(feet: int, scale: Scale, millimetres: int) -> None:
    assert on_display(feet, scale) == millimetres


def test_g_124_cs_682_the_base_of_a_character() -> None:
    assert zone_mm(Fraction(70, 12)) == 29
    assert zone_mm(6) == 30


def test_cs_682_a_millimetre_is_two_inches_and_four_tenths() -> None:
    assert from_display(1) * 12 == Fraction(24, 10)


@given(st.integers(0, 2000), SCALES)
def test_cs_685_there_and_back_is_at_most_half_a_millimetre_off(feet: int, scale: Scale) -> None:
    shown = on_display(feet, scale)
    assert abs(from_display(shown, scale) - feet) <= from_display(Fraction(1, 2), scale)


@pytest.mark.parametrize(
    ("feet", "scale", "own"), [(10, "half", False), (11, "half", True), (25, "fifth", False), (26, "fifth", True)]
)
def test_cs_684_a_marker_of_ones_own_beyond_25_millimetres(feet: int, scale: Scale, own: bool) -> None:
    assert needs_own_marker(feet, scale) == own


def test_cs_686_the_card_of_a_speed_a_42() -> None:
    assert card(10) == PaceOnDisplay(10, 15, 73, 37, 15)
    assert card(4) == PaceOnDisplay(4, 6, 30, 15, 6)
    assert card(4, "exact") == PaceOnDisplay(4, Fraction(88, 15), 29, 15, 6)
    assert card(Fraction(1, 4)).fifth == 0
