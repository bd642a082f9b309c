"""Scales of the tactical display (CS-680 to CS-686, section 6.14)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.ranges import (
    PaceOnDisplay,
    Scale,
    card,
    from_display,
    limits,
    needs_own_marker,
    on_display,
    square_feet,
    weapons,
)

DEVIATING = {
    "bow": [],
    "short_bow": [165, 630, 840],
    "hurled_hilted": [45, 180, 240],
    "hurled_hafted": [65, 250, 335, 420],
}
"""Millimetres at 5 mm a foot where print has another figure."""

SCALES = st.sampled_from(["skirmishing", "half", "fifth"])


@pytest.mark.parametrize(("scale", "feet"), [("skirmishing", 5), ("half", 10), ("fifth", 25)])
def test_cs_680_what_25_millimetres_stand_for(scale: Scale, feet: int) -> None:
    """CS-680."""
    assert square_feet(scale) == feet
    assert on_display(feet, scale) == 25


@pytest.mark.parametrize(
    ("feet", "scale", "millimetres"),
    [(400, "half", 1000), (1000, "fifth", 1000), (100, "skirmishing", 500), (5, "skirmishing", 25)],
)
def test_g_124_distances_on_paper_a_44(feet: int, scale: Scale, millimetres: int) -> None:
    """G-124, A-44."""
    assert on_display(feet, scale) == millimetres


def test_g_124_cs_682_the_base_of_a_character() -> None:
    """G-124, CS-682."""
    assert on_display(Fraction(70, 12)) == 29
    assert on_display(6) == 30


def test_cs_682_a_millimetre_is_two_inches_and_four_tenths() -> None:
    """CS-682."""
    assert from_display(1) * 12 == Fraction(24, 10)


@pytest.mark.parametrize(
    ("key", "printed"),
    [
        ("bow", (225, 900, 1200, 1500)),
        ("short_bow", (150, 600, 825, 1050)),
        ("hurled_hilted", (50, 100, 200, 300)),
        ("hurled_hafted", (190, 750, 1005, 1260)),
    ],
)
def test_section_6_3_distances_printed_beside_the_ranges_are_made_anew_a_43(key: str, printed: tuple[int, ...]) -> None:
    """A-43."""
    reach = limits(weapons()[key])
    feet_each = 3 if reach.unit == "yd" else 1
    made = [on_display(limit * feet_each) for limit in (reach.point_blank, reach.short, reach.medium, reach.long)]
    off = [shown for shown, figure in zip(made, printed, strict=True) if shown != figure]
    assert off == DEVIATING[key]


@given(st.integers(0, 2000), SCALES)
def test_cs_685_there_and_back_is_at_most_half_a_millimetre_off(feet: int, scale: Scale) -> None:
    """CS-685."""
    shown = on_display(feet, scale)
    assert abs(from_display(shown, scale) - feet) <= from_display(Fraction(1, 2), scale)


@pytest.mark.parametrize(
    ("feet", "scale", "own"), [(10, "half", False), (11, "half", True), (25, "fifth", False), (26, "fifth", True)]
)
def test_cs_684_a_marker_of_ones_own_beyond_25_millimetres(feet: int, scale: Scale, own: bool) -> None:
    """CS-684."""
    assert needs_own_marker(feet, scale) == own


def test_cs_686_the_card_of_a_speed_a_42() -> None:
    """CS-686, A-42."""
    assert card(10) == PaceOnDisplay(10, 15, 73, 37, 15)
    assert card(4) == PaceOnDisplay(4, 6, 30, 15, 6)
    assert card(4, "exact") == PaceOnDisplay(4, Fraction(88, 15), 29, 15, 6)
    assert card(Fraction(1, 4)).fifth == 0
