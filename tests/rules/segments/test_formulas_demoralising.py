"""Demoralising attacks (CS-510 to CS-520)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import (
    Effect,
    FallenFloor,
    breakdown_dv,
    doubt_loss,
    effect,
    presence_av,
    resistance_dv,
    works,
)


@pytest.mark.parametrize(
    ("hit", "through", "noteworthy", "carries"),
    [(True, 1, True, True), (True, 0, True, False), (True, 6, False, False), (False, 6, True, False)],
)
def test_g_120_cs_511_cs_512_a_blow_must_get_a_point_through(
    hit: bool, through: int, noteworthy: bool, carries: bool
) -> None:
    """G-120, CS-511, CS-512."""
    assert works(hit, through, noteworthy) is carries


def test_g_118_cs_513_cs_515_both_values() -> None:
    """G-118, CS-513, CS-515."""
    assert presence_av(25, 6).total == 31
    made = resistance_dv(18, 9, 3, 1)
    assert made.total == 29
    assert [part.value for part in made.parts] == [18, 9, 2]


def test_cs_514_in_a_reprisal_it_is_progressive() -> None:
    """CS-514."""
    made = presence_av(25, 6, reprisal=True)
    assert (made.total, made.parts[-1].rule) == (46, "CS-514")
    assert presence_av(25, 6, reprisal=True, scale="linear").total == 31


@pytest.mark.parametrize(("floor", "dv"), [("none", 24), ("zero", 27)])
def test_cs_515_more_fallen_than_standing_by_reading_a_35(floor: FallenFloor, dv: int) -> None:
    """CS-515, A-35."""
    assert resistance_dv(18, 9, 1, 4, floor).total == dv
    assert resistance_dv(18, 9, 4, 1, floor).total == 30
    assert len(resistance_dv(18, 9, 2, 2, floor).parts) == 3


@pytest.mark.parametrize(
    ("succeeded", "av", "dv", "expected"),
    [
        (True, 29, 31, "shaken"), (True, 31, 29, "broken"), (False, 29, 31, "unmoved"), (False, 31, 29, "doubt"),
        (True, 30, 30, "continues"), (False, 30, 30, "continues"),
    ],
)  # fmt: skip
def test_g_118_cs_516_to_cs_520_effects_a_35(succeeded: bool, av: int, dv: int, expected: Effect) -> None:
    """G-118, CS-516, CS-520, A-35."""
    assert effect(succeeded, av, dv) == expected


def test_g_118_cs_517_cs_519_what_follows() -> None:
    """G-118, CS-517, CS-519."""
    assert breakdown_dv(6).total == 6
    assert doubt_loss(20, 3) == 17
    assert doubt_loss(2, 5) == 0


@given(st.integers(0, 60), st.integers(1, 40))
def test_cs_514_a_reprisal_is_never_weaker(av: int, through: int) -> None:
    """CS-514."""
    assert presence_av(av, through, reprisal=True).total >= presence_av(av, through).total


@given(st.integers(0, 60), st.integers(0, 30), st.integers(0, 20), st.integers(0, 20))
def test_cs_515_each_fallen_friend_counts(dv: int, level: int, standing: int, fallen: int) -> None:
    """CS-515."""
    now, then = resistance_dv(dv, level, standing, fallen).total, resistance_dv(dv, level, standing, fallen + 1).total
    assert now - then == 1
    assert resistance_dv(dv, level, standing, fallen, "zero").total >= max(now, dv + level)
