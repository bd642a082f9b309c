"""Objects in play and what falls (CS-200 to CS-227, section 6.8)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import (
    Struggle,
    absorption,
    catch_dv,
    catch_dv_by_size,
    container_dv,
    flies_to,
    hand_over_dv,
    impact,
    keep_whole_av,
    leap_dv,
    may_reach,
    pulses_to_catch,
    snatch_dv,
    strains,
    struggle,
    struggle_ends,
    throw_and_catch_dv,
    wounding,
)
from fightcall_engine.systems.segments.rules.ranges import limits, range_dv, weapons

FEET = st.integers(0, 2000)


def test_g_41_cs_201_snatching_on_the_run() -> None:
    """G-41, CS-201."""
    made = snatch_dv(9, 2)
    assert made.total == 11
    assert {part.rule for part in made.parts} == {"CS-201"}


def test_cs_202_leaping_for_an_object() -> None:
    """CS-202."""
    assert leap_dv(7).total == 7


def test_g_41_cs_212_handing_over_on_the_move() -> None:
    """G-41, CS-212."""
    moving = hand_over_dv(6, 4)
    assert moving is not None
    assert moving.total == 10
    one_moves = hand_over_dv(0, 4)
    assert one_moves is not None
    assert one_moves.total == 4


def test_g_41_cs_211_between_two_who_stand_still_no_check_is_asked() -> None:
    """G-41, CS-211."""
    assert hand_over_dv(0, 0) is None


def test_g_41_cs_209_pulling_the_right_thing_from_a_pouch() -> None:
    """G-41, CS-209."""
    assert container_dv(3, 5).total == 11
    assert container_dv(3).total == 6
    assert container_dv(3, scale="linear").total == 3
    assert container_dv(0).total == 0
    assert [part.rule for part in container_dv(3, 5).parts] == ["CS-209", "CS-209"]


def test_cs_213_throw_and_catch_share_the_difficulty_of_the_range() -> None:
    """CS-213."""
    thrown = range_dv(30, limits(weapons()["hurled_hafted"]))
    assert thrown is not None
    assert throw_and_catch_dv(thrown).total == thrown.total == 1
    windy = throw_and_catch_dv(thrown, weather=4)
    assert windy.total == 5
    assert windy.parts[-1].rule == "CS-214"


def test_g_42_cs_208_three_pairs_of_hands_strain_a_chest() -> None:
    """G-42, CS-208."""
    assert strains((2, 3, 3), 8)
    assert strains((4, 5), 8)
    assert not strains((2, 3, 2), 8)


def test_g_42_cs_207_when_all_fail_it_flies_off() -> None:
    """G-42, CS-207."""
    assert struggle({"A": False, "B": False, "C": False}) == Struggle((), flies_off=True)


def test_cs_207_it_flies_into_one_of_eight_directions() -> None:
    """CS-207."""
    assert [flies_to(d8) for d8 in range(1, 9)] == list(range(8))
    for d8 in (0, 9):
        with pytest.raises(ValueError, match="accepted: 1 to 8"):
            flies_to(d8)


def test_cs_206_failures_drop_out_until_one_is_left() -> None:
    """CS-206."""
    first = struggle({"A": True, "B": False, "C": True})
    assert (first.holding, first.winner, first.flies_off) == (("A", "C"), None, False)
    assert struggle({"A": False, "C": True}).winner == "C"


def test_g_42_cs_204_who_joins_late_prolongs_it() -> None:
    """G-42, CS-204."""
    assert (struggle_ends(4, joined_late=False), struggle_ends(4, joined_late=True)) == (4, 5)


@pytest.mark.parametrize(
    ("feet", "pulses"),
    [(15, 0), (16, 1), (63, 1), (64, 2), (143, 2), (144, 3), (256, 4), (400, 5), (579, 5), (580, 6), (760, 7), (940, 8),
     (1120, 9), (1299, 9), (1300, 10), (5000, 10)],
)  # fmt: skip
def test_cs_219_pulses_to_get_under_it(feet: int, pulses: int) -> None:
    """CS-219."""
    assert pulses_to_catch(feet) == pulses


def test_cs_219_the_table_follows_its_pattern() -> None:
    """CS-219."""
    for pulses in range(1, 11):
        feet = 16 * pulses**2 if pulses <= 5 else 400 + 180 * (pulses - 5)
        assert (pulses_to_catch(feet), pulses_to_catch(feet - 1)) == (pulses, pulses - 1)


@pytest.mark.parametrize(
    ("fall", "to_start", "to_landing", "adjacent", "reached"),
    [
        (16, 9, 40, False, True), (16, 40, 10, False, True), (16, 40, 11, False, False), (15, 9, 9, False, False),
        (15, 3, 18, True, True), (30, 3, 40, True, True),
    ],
)  # fmt: skip
def test_cs_216_and_217_who_has_a_chance_at_it(
    fall: int, to_start: int, to_landing: int, adjacent: bool, reached: bool
) -> None:
    """CS-216."""
    assert may_reach(fall, to_start=to_start, to_landing=to_landing, leap=10, adjacent=adjacent) == reached


def test_g_40_catching_thirty_pounds() -> None:
    """G-40."""
    assert impact(24, 30).total == catch_dv(24, 30).total == 19
    taken = absorption(14, 2, 1).total
    assert taken == 17
    assert wounding(impact(24, 30).total, taken) == 2
    assert impact(60, 30).total == 43
    assert wounding(impact(60, 30).total, taken) == 26
    assert wounding(10, taken) == 0


def test_cs_222_armour_helps_to_absorb() -> None:
    """CS-222."""
    made = absorption(14, 2, 1, armour=20)
    assert made.total == 37
    assert {part.rule for part in made.parts} == {"CS-222"}


def test_cs_221_feet_between_are_not_lost() -> None:
    """CS-221."""
    assert impact(10, 5).total == Fraction(20, 3) + Fraction(1, 2)


def test_cs_218_the_other_statement_of_a_catch_a_28() -> None:
    """CS-218, A-28."""
    made = catch_dv_by_size(12, 3)
    assert made.total == 3 + 78
    assert [part.rule for part in made.parts] == ["CS-218", "CS-218"]
    assert catch_dv_by_size(12, 3, scale="linear").total == 15
    assert {part.rule for part in catch_dv(24, 30).parts} == {"CS-224"}


def test_cs_226_a_fragile_thing_helps_with_its_structure() -> None:
    """CS-226."""
    assert keep_whole_av(14, 6).total == 20


@given(FEET, FEET, st.integers(0, 500))
def test_cs_221_a_longer_fall_never_hits_softer(one: int, other: int, pounds: int) -> None:
    """CS-221."""
    low, high = sorted((one, other))
    assert impact(low, pounds).total <= impact(high, pounds).total
    assert pulses_to_catch(low) <= pulses_to_catch(high)
