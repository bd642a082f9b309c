"""Fields of Approach on squares and hexes, what may be done there, Turns (CS-064, CS-300 to CS-306, section 6.15)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import may_attack
from fightcall_engine.systems.segments.rules.ranges import (
    FIELDS,
    Defence,
    Field,
    attack_hands,
    defence,
    degrees_on_hexes,
    field_by_degrees,
    field_by_octant,
    octants_between,
    uses,
)

OCTANTS = st.integers(0, 7)
NORTH, EAST = 2, 0


@pytest.mark.parametrize(
    ("bearing", "field"), [(2, "F"), (1, "RF"), (0, "RS"), (7, "RR"), (6, "R"), (5, "LR"), (4, "LS"), (3, "LF")]
)
def test_cs_300_eight_fields_clockwise_from_the_front(bearing: int, field: Field) -> None:
    """CS-300."""
    assert field_by_octant(NORTH, bearing) == field


@given(OCTANTS, OCTANTS)
def test_cs_300_octants_and_angles_agree(facing: int, bearing: int) -> None:
    """CS-300."""
    found = field_by_octant(facing, bearing)
    assert field_by_degrees(facing * 45, bearing * 45) == found
    assert field_by_octant((facing + 3) % 8, (bearing + 3) % 8) == found


@given(st.integers(-720, 720), st.integers(-720, 720))
def test_cs_300_left_is_right_in_a_mirror(facing: int, bearing: int) -> None:
    """CS-300."""
    here, mirrored = field_by_degrees(facing, bearing), field_by_degrees(-facing, -bearing)
    sides = {"L": "R", "R": "L"}
    assert mirrored == (here if here in ("F", "R") else sides[here[0]] + here[1])


@pytest.mark.parametrize(
    ("bearing", "field"),
    [(0, "F"), (22.5, "F"), (22.6, "LF"), (-22.5, "F"), (-22.6, "RF"), (-67.5, "RF"), (-67.6, "RS"), (112.5, "LS"),
     (157.5, "LR"), (157.6, "R"), (180, "R"), (-157.6, "R"), (-157.5, "RR"), (337.5, "F")],
)  # fmt: skip
def test_cs_300_between_two_fields_the_nearer_to_the_front(bearing: float, field: Field) -> None:
    """CS-300."""
    assert field_by_degrees(0, bearing) == field


@pytest.mark.parametrize(
    ("dq", "dr", "angle"),
    [(1, 0, 0), (1, -1, 60), (0, -1, 120), (-1, 0, 180), (-1, 1, 240), (0, 1, 300), (3, 0, 0), (1, -2, 90),
     (2, -1, 30)],
)  # fmt: skip
def test_bearings_on_hexes_are_angles(dq: int, dr: int, angle: int) -> None:
    found = degrees_on_hexes(dq, dr)
    assert found is not None
    assert 0 <= found < 360
    assert abs((found - angle + 180) % 360 - 180) < 1e-9


def test_a_hex_has_no_bearing_to_itself() -> None:
    assert degrees_on_hexes(0, 0) is None


@pytest.mark.parametrize(
    ("facing", "expected"), [(0, ["F", "LF", "LR", "R", "RR", "RF"]), (2, ["RS", "RF", "LF", "LS", "LR", "RR"])]
)
def test_cs_300_the_six_neighbours_of_a_figure_on_hexes(facing: int, expected: list[Field]) -> None:
    """CS-300."""
    found = []
    for step in ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)):
        angle = degrees_on_hexes(*step)
        assert angle is not None
        found.append(field_by_degrees(facing * 45, angle))
    assert found == expected


def test_section_6_15_is_whole_and_in_order() -> None:
    assert tuple(uses()) == FIELDS
    assert all(use.label and use.rule.startswith("CS-30") for use in uses().values())


@pytest.mark.parametrize(
    ("field", "attack", "defend"),
    [
        ("F", "RL", "RL"), ("RF", "RL", "RL"), ("LF", "RL", "RL"), ("RS", "R", "R"), ("LS", "L", "L"), ("RR", "", "R"),
        ("LR", "", "L"), ("R", "", ""),
    ],
)  # fmt: skip
def test_cs_301_to_305_what_each_hand_may_do(field: Field, attack: str, defend: str) -> None:
    """CS-301, CS-302, CS-303, CS-304, CS-305."""
    assert attack_hands(field) == tuple(attack)
    assert defence(field, aware=True, warned=True) == Defence(tuple(defend), True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "aware", "warned", "hands", "dodge"),
    [
        ("LS", True, False, "L", True),
        ("RR", True, False, "R", True),
        ("RR", False, False, "", False),
        ("R", False, False, "", False),
        ("R", True, False, "", False),
        ("R", True, True, "", True),
    ],
)
def test_g_60_defences_by_field_a_46(field: Field, aware: bool, warned: bool, hands: str, dodge: bool) -> None:
    """G-60, A-46."""
    found = defence(field, aware=aware, warned=warned)
    assert (found.hands, found.dodge) == (tuple(hands), dodge)


def test_g_60_a_sword_in_the_right_hand_does_not_reach_the_left_side() -> None:
    """G-60."""
    assert "R" not in defence("LS").hands
    assert "R" in defence("RR", aware=True).hands


@pytest.mark.parametrize(("one", "other", "apart"), [(0, 0, 0), (0, 7, 1), (1, 5, 4), (6, 1, 3)])
def test_octants_apart_the_short_way_round(one: int, other: int, apart: int) -> None:
    assert octants_between(one, other) == octants_between(other, one) == apart


def test_cs_342_a_second_target_must_be_in_view_unless_one_turns() -> None:
    """CS-342."""
    assert may_attack("LS", "L")
    assert not may_attack("LS", "R")
    assert not may_attack("RR", "R")
    assert may_attack("RR", "R", turns=True)
