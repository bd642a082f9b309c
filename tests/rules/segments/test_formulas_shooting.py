"""Ranged difficulty by the target's state, and stray fire (CS-500 to CS-506, CS-525 to CS-528)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.formulas import Part, Sum
from fightcall_engine.systems.segments.rules.ranges import (
    InLine,
    Zone,
    band_end,
    limits,
    line_of_fire,
    range_dv,
    size_part,
    stray_dv,
    stray_targets,
    target_dv,
    weapons,
)

STATES = ("aware", "active", "still")


def far(points: int) -> Sum:
    return Sum((Part("short range", points, "CS-282"),))


def test_g_52_cs_501_cs_504_an_aware_target() -> None:
    """G-52, CS-501, CS-504."""
    made = target_dv("aware", far(5), dodge=24, mph=4, shield=3)
    assert made.total == 36
    assert [part.value for part in made.parts] == [24, 4, 3, 5]


def test_g_52_cs_501_the_players_skill_does_not_count() -> None:
    """G-52, CS-501."""
    made = target_dv("aware", far(5), dodge=29, acting=5, mph=4, shield=3)
    assert made.total == 36
    assert made.parts[1] == Part("Player or Game Face does not count", -5, "CS-501")


def test_cs_502_one_who_moves_unaware_has_his_agility() -> None:
    """CS-502."""
    assert target_dv("active", far(5), dodge=24, agl=2, mph=4, shield=3).total == 14


def test_cs_505_what_is_left_out_counts_nothing() -> None:
    """CS-505."""
    assert [target_dv(state, far(5)).total for state in ("aware", "active", "still")] == [5, 5, 5]  # type: ignore[arg-type]


@pytest.mark.parametrize(("distance", "dv"), [(0, 1), (1, 1), (2, 2), (21, 21)])
def test_g_50_cs_503_unaware_and_still_a_06(distance: int, dv: int) -> None:
    """G-50, CS-503, A-06."""
    made = target_dv("still", far(distance), dodge=24, agl=2, mph=4, shield=3)
    assert made.total == dv
    assert (made.parts[-1].rule == "CS-503") == (distance < 1)


def test_cs_505_the_gms_modifier_counts_in_every_case() -> None:
    """CS-505."""
    wind = Part("gusts", 4, "CS-276")
    assert target_dv("still", far(0), modifiers=[wind]).total == 4
    assert target_dv("still", far(0), modifiers=[Part("bright light", -9, "CS-276")]).total == 1
    assert target_dv("aware", far(5), dodge=24, modifiers=[wind]).parts[-1] == wind


@given(st.integers(0, 60), st.integers(-5, 9), st.integers(0, 40), st.integers(0, 9), st.integers(0, 60))
def test_cs_505_farther_is_never_easier(dodge: int, agl: int, mph: int, shield: int, distance: int) -> None:
    """CS-505."""
    for state in STATES:
        near, farther = (
            target_dv(state, far(there), dodge=dodge, agl=agl, mph=mph, shield=shield)  # type: ignore[arg-type]
            for there in (distance, distance + 1)
        )
        assert near.total <= farther.total
    assert target_dv("still", far(distance), dodge=dodge, agl=agl, mph=mph, shield=shield).total >= 1


@pytest.mark.parametrize(
    ("original", "candidate", "change"), [(18, 15, 6), (18, 20, -3), (18, 18, 0), (18, 17, 1), (18, 19, -1)]
)
def test_g_53_cs_526_smaller_is_harder(original: int, candidate: int, change: int) -> None:
    """G-53, CS-526."""
    part = size_part(original, candidate)
    assert (part.value, part.rule) == (change, "CS-526")


def test_g_53_cs_526_as_if_he_were_the_target_a_58() -> None:
    """At 76 yd the range is worth 9 + 5, at 79 yd 9 + 6."""
    bow = limits(weapons()["bow"])
    dvs = []
    for yards, msta in ((76, 15), (79, 20)):
        distance = range_dv(yards, bow)
        assert distance is not None
        dvs.append(stray_dv(target_dv("still", distance), 18, msta).total)
    assert dvs == [20, 12]


@pytest.mark.parametrize(
    ("yards", "end"), [(10, 15), (15, 15), (16, 60), (60, 60), (70, 80), (81, 100), (100, 100), (101, None)]
)
def test_g_53_cs_527_where_the_band_ends(yards: int, end: int | None) -> None:
    """G-53, CS-527."""
    assert band_end(yards, limits(weapons()["bow"])) == end


def test_g_53_cs_527_cs_528_nobody_beyond_the_band_is_checked() -> None:
    """G-53, CS-527, CS-528."""
    line = [InLine("far", 85), InLine("big", 79), InLine("small", 76)]
    assert [one.who for one in stray_targets(line, 70, 80)] == ["small", "big"]


def test_cs_527_the_band_ends_after_its_limit() -> None:
    """CS-527."""
    line = [InLine("at", 80), InLine("after", Fraction(401, 5)), InLine("before", 69)]
    assert [one.who for one in stray_targets(line, 70, 80)] == ["at"]


def test_cs_275_extreme_range_has_no_end_of_its_own() -> None:
    """CS-275."""
    assert [one.who for one in stray_targets([InLine("far", 900)], 110, None)] == ["far"]


ARCHER, MARK = Zone("archer", 0, 0, 6), Zone("mark", 30, 40, 6)


def beyond(*others: Zone) -> list[tuple[str, object]]:
    return [(one.who, one.distance) for one in line_of_fire(ARCHER, MARK, others)]


def test_cs_525_nearest_first_beyond_the_target() -> None:
    """CS-525."""
    assert beyond(Zone("later", 60, 80, 6), Zone("first", 36, 48, 6)) == [("first", 60), ("later", 100)]


@pytest.mark.parametrize(
    ("x", "y"), [(15, 20), (-30, -40), (60, 60), (0, 0)], ids=["before", "behind", "aside", "at the archer"]
)
def test_cs_525_others_are_not_in_line(x: int, y: int) -> None:
    """CS-525."""
    assert beyond(Zone("other", x, y, 6)) == []


def test_cs_525_the_edge_of_a_zone_is_enough() -> None:
    """Three feet aside of the line at 100 ft touch the Zone of one who is six feet tall."""
    assert beyond(Zone("touched", 60 - 2.4, 80 + 1.8, 6)) == [("touched", 100)]
    assert beyond(Zone("missed", 60 - 2.5, 80 + 1.9, 6)) == []


def test_cs_525_the_line_begins_where_the_shooter_stands() -> None:
    """CS-525."""
    archer, mark = Zone("archer", 100, -20, 6), Zone("mark", 130, 20, 6)
    found = line_of_fire(archer, mark, [Zone("other", 160, 60, 6), Zone("aside", 60, 80, 6)])
    assert found == (InLine("other", 100),)


def test_cs_525_shooter_and_target_are_never_in_line() -> None:
    """CS-525."""
    assert beyond(ARCHER, MARK, Zone("mark", 60, 80, 6)) == []
    assert line_of_fire(ARCHER, Zone("mark", 0, 0, 6), [Zone("other", 5, 5, 6)]) == ()


@given(
    st.lists(st.builds(InLine, st.text("abc", max_size=3), st.integers(0, 200))),
    st.integers(0, 200),
    st.none() | st.integers(0, 200),
)
def test_cs_527_checked_are_in_order_and_in_the_band(line: list[InLine], target: int, end: int | None) -> None:
    """CS-527."""
    found = stray_targets(line, target, end)
    assert [one.distance for one in found] == sorted(
        one.distance for one in line if one.distance >= target and (end is None or one.distance <= end)
    )


@given(st.integers(1, 80), st.integers(1, 80))
def test_cs_526_sizes_mirror(one: int, other: int) -> None:
    """CS-526."""
    assert size_part(one, other).value == -size_part(other, one).value
