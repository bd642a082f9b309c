"""Knock-back, barriers and street clothes (CS-560 to CS-567, section 6.9)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.formulas import Part
from fightcall_engine.systems.segments.rules.wounds import (
    KnockBack,
    Season,
    Standing,
    armour_types,
    clothing_layers,
    clothing_part,
    common_strike,
    excess,
    keep_feet_dv,
    knock_back_of,
    pain_dv,
    pot_for_effect,
)


@pytest.mark.parametrize(
    ("pot", "msta", "driven"),
    [(19, 16, KnockBack(3, 3, 0)), (16, 16, None), (9, 16, None), (17, 16, KnockBack(1, 1, 0))],
)
def test_g_125_cs_560_more_pot_than_sta_drives_back(pot: int, msta: int, driven: KnockBack | None) -> None:
    """G-125, CS-560."""
    assert knock_back_of(pot, msta) == driven


def test_g_125_cs_562_keeping_ones_feet_is_progressive() -> None:
    """G-125, CS-562."""
    assert keep_feet_dv(3).total == 6
    assert keep_feet_dv(3, "linear").total == 3


@pytest.mark.parametrize(
    ("barrier", "driven"),
    [
        (None, KnockBack(4, 4, 0)), (0, KnockBack(4, 0, 4)), (1, KnockBack(4, 1, 3)), (4, KnockBack(4, 4, 0)),
        (9, KnockBack(4, 4, 0)),
    ],
)  # fmt: skip
def test_cs_563_what_a_barrier_stops(barrier: int | None, driven: KnockBack) -> None:
    """CS-563."""
    assert knock_back_of(19, 15, barrier) == driven


def test_g_96_cs_563_the_wall_makes_the_difference() -> None:
    """A blow of 19 leaves 9 behind DR 10 and asks nothing of P-RES 11; the wall makes it 12."""
    mail = [armour_types()["singlemail"]]
    at_wall = pot_for_effect(19, knock_back_of(19, 15, 1))
    assert (at_wall.total, at_wall.parts[-1]) == (22, Part("feet left at the barrier", 3, "CS-563"))
    beyond = excess(common_strike(mail, int(at_wall.total)).through, 11)
    assert pain_dv(beyond).total == 1
    in_the_open = pot_for_effect(19, knock_back_of(19, 15))
    assert in_the_open.parts == (Part("POT", 19, "CS-560"),)
    assert common_strike(mail, int(in_the_open.total)).through == 9
    assert excess(9, 11) == 0


@pytest.mark.parametrize(
    ("edged", "first", "armoured", "left"),
    [(True, True, False, 10), (True, False, False, 12), (False, True, False, 12), (True, True, True, 12)],
)
def test_g_97_cs_566_three_layers_of_clothes(edged: bool, first: bool, armoured: bool, left: int) -> None:
    """G-97, CS-566."""
    saved = clothing_part(3, armoured=armoured, edged=edged, first=first)
    assert 12 + (saved.value if saved else 0) == left


def test_g_97_cs_561_knock_back_is_from_the_full_blow() -> None:
    """G-97, CS-561."""
    assert knock_back_of(12, 10) == KnockBack(2, 2, 0)


@pytest.mark.parametrize(("layers", "saved"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_cs_566_half_the_layers_halves_up(layers: int, saved: int) -> None:
    """CS-566."""
    part = clothing_part(layers, armoured=False, edged=True, first=True)
    assert (0 if part is None else -part.value) == saved
    assert (part is None) == (layers == 0)


@pytest.mark.parametrize(
    ("standing", "season", "layers"),
    [
        ("landbound", "summer", 1), ("landbound", "winter", 2), ("free_commoner", "summer", 2),
        ("free_commoner", "winter", 3), ("wealthy_or_noble", "summer", 3), ("wealthy_or_noble", "winter", 4),
        ("great_noble_or_royal", "summer", 4), ("great_noble_or_royal", "winter", 5),
    ],
)  # fmt: skip
def test_cs_567_layers_by_standing_and_season(standing: Standing, season: Season, layers: int) -> None:
    """CS-567."""
    assert clothing_layers(standing, season) == layers


@given(st.integers(0, 90), st.integers(1, 60), st.none() | st.integers(0, 60))
def test_cs_560_cs_563_every_foot_is_gone_or_felt(pot: int, msta: int, barrier: int | None) -> None:
    """CS-560, CS-563."""
    driven = knock_back_of(pot, msta, barrier)
    assert (driven is None) == (pot <= msta)
    if driven is not None:
        assert driven.moved + driven.stopped == driven.feet == pot - msta
        assert barrier is None or driven.moved <= barrier
        assert pot_for_effect(pot, driven).total == pot + driven.stopped
