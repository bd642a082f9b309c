"""Opportunity Actions: reach and timing (CS-430 to CS-449)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import Phase, Reach, converges, may_interrupt, may_spring, reach


@pytest.mark.parametrize(
    ("feet", "size", "found"),
    [
        ("3.5", 4, "weapon"), ("4", 4, "weapon"), ("6.5", 4, "gm"), ("7", 4, "gm"), ("7.5", 4, "out"),
        ("3", 0, "step"), ("3.5", 0, "gm"), ("6", 0, "gm"), ("6.5", 0, "out"), ("3", 1, "step"),
    ],
)  # fmt: skip
def test_g_81_cs_442_reach_of_a_man_of_six_feet(feet: str, size: int, found: Reach) -> None:
    """G-81, CS-442."""
    assert reach(Fraction(feet), size, 6) == found


@pytest.mark.parametrize(
    ("own", "cursor", "phase", "allowed"),
    [
        (9, 12, "declare", False), (9, 8, "declare", True), (9, 9, "movement", True), (9, 10, "movement", False),
        (9, 8, "resolve", False),
    ],
)  # fmt: skip
def test_g_85_cs_433_from_ones_own_initiative_to_the_end_of_movement_a_49(
    own: int, cursor: int, phase: Phase, allowed: bool
) -> None:
    """G-85, CS-433, A-49."""
    assert may_interrupt(own, cursor, phase) is allowed


@pytest.mark.parametrize(("placed", "foe", "ready"), [(12, 9, True), (9, 9, False), (8, 9, False)])
def test_cs_436_in_ambush_before_the_foes_initiative(placed: int, foe: int, ready: bool) -> None:
    """CS-436."""
    assert may_spring(placed, foe) is ready


def test_cs_438_all_within_a_segments_movement_converge() -> None:
    """CS-438."""
    assert converges(176, 176)
    assert not converges(177, 176)


@given(st.integers(0, 40), st.integers(0, 20), st.integers(1, 12))
def test_cs_442_a_longer_weapon_never_reaches_less(feet: int, size: int, height: int) -> None:
    """CS-442."""
    order: list[Reach] = ["out", "gm", "step", "weapon"]
    assert order.index(reach(feet, size, height)) <= order.index(reach(feet, size + 1, height))
    assert order.index(reach(feet + 1, size, height)) <= order.index(reach(feet, size, height))
