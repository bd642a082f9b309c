"""Combinations, listed pairs and crossbows (CS-365 to CS-369, CS-390 to CS-401, sections 6.7 and 6.13)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import CombinationRule, combination_value, lead
from fightcall_engine.systems.segments.rules.formulas import components, cycles, find_pair, listed_pairs
from fightcall_engine.systems.segments.rules.wounds import stale_spring

VALUES = st.integers(0, 120)
KINDS: dict[CombinationRule, str] = {
    "in_concert": "CS-366",
    "defence": "CS-367",
    "separate": "CS-368",
    "mixed": "CS-369",
}


def test_g_68_cs_366_in_concert() -> None:
    """G-68, CS-366."""
    assert combination_value(*lead(22, 30), 12, "in_concert").total == 42
    capped = combination_value(30, 22, 30, "in_concert")
    assert capped.total == 52
    assert [part.value for part in capped.parts] == [30, 30, -8]
    assert combination_value(30, 22, 23, "in_concert").total == 52
    assert len(combination_value(30, 22, 22, "in_concert").parts) == 2


def test_g_69_cs_368_separate() -> None:
    """G-69, CS-368."""
    assert combination_value(30, 22, 12, "separate").total == 42
    assert combination_value(22, 30, 12, "separate").total == 34
    assert combination_value(22, 30, 40, "separate").total == 52


@pytest.mark.parametrize("kind", list(KINDS))
def test_cs_366_to_369_each_names_its_rule(kind: CombinationRule) -> None:
    """CS-366, CS-367, CS-368, CS-369."""
    made = combination_value(30, 22, 25, kind)
    assert made.total == 52
    assert {part.rule for part in made.parts} == {KINDS[kind]}


@given(VALUES, VALUES, st.integers(0, 60), st.sampled_from(list(KINDS)))
def test_cs_366_never_more_than_both_together(av: int, other: int, level: int, kind: CombinationRule) -> None:
    """CS-366."""
    made = combination_value(av, other, level, kind).total
    assert made == min(av + level, av + other)
    assert av <= made <= combination_value(av, other, level + 1, kind).total


def test_section_6_7_has_39_pairs() -> None:
    pairs = listed_pairs()
    assert len(pairs) == len({(pair.first, pair.second) for pair in pairs}) == 39
    assert sum(pair.reversible for pair in pairs) == 16
    assert [(pair.first, pair.second) for pair in pairs if pair.half_rise] == [("rise", "strike"), ("rise", "turn")]
    assert [(pair.first, pair.second) for pair in pairs] == sorted((pair.first, pair.second) for pair in pairs)


@pytest.mark.parametrize(
    ("first", "second", "listed"),
    [
        ("Turn", "Fire", True), ("Fire", "Turn", True), ("Turn", "Draw", True), ("Draw", "Turn", True),
        ("Strike", "Move", False), ("Move", "Strike", True), ("Rise", "Strike", True), ("Strike", "Rise", False),
        ("Turn", "Rise", False), ("Swim", "Turn", False), ("Turn", "Strike", True), ("Strike", "Turn", False),
    ],
)  # fmt: skip
def test_g_72_cs_390_pairs_in_their_order_and_some_reversed(first: str, second: str, listed: bool) -> None:
    """G-72, CS-390."""
    assert (find_pair(first, second) is not None) == listed


def test_cs_391_only_half_a_rise_goes_with_a_blow() -> None:
    """CS-391."""
    strike, move = find_pair("rise", "strike"), find_pair("rise", "move")
    assert strike is not None
    assert move is not None
    assert (strike.half_rise, move.half_rise) == (True, False)


@pytest.mark.parametrize(
    ("key", "cocking", "loading", "check"),
    [
        ("light_tool", 8, 5, 13),
        ("light_builtin", 4, 4, 13),
        ("light_bare", 4, 4, 20),
        ("heavy_windlass", 12, 4, 0),
        ("heavy_builtin", 8, 4, 0),
        ("heavy_bare", 4, 4, 30),
    ],
)
def test_cs_396_to_401_the_crossbow_cycle(key: str, cocking: int, loading: int, check: int) -> None:
    """CS-396, CS-397, CS-398, CS-399, CS-400, CS-401."""
    cycle = cycles()[key]
    assert cycle.attach + cycle.cock + cycle.disengage == cocking
    assert cycle.drop_tool + cycle.take_bolt + cycle.place_and_ready == loading
    assert cycle.check == check


def test_cs_401_loading_takes_the_times_of_table_4_1() -> None:
    """CS-401."""
    cycle = cycles()["light_tool"]
    for key, qa in (
        ("drop_or_grab", cycle.drop_tool),
        ("draw_missile", cycle.take_bolt),
        ("nock_draw", cycle.place_and_ready),
    ):
        assert components()[key].qa == qa


@pytest.mark.parametrize(("days", "lost"), [(0, 0), (1, -1), (5, -5)])
def test_cs_395_a_stale_spring_loses_one_a_day(days: int, lost: int) -> None:
    """CS-395."""
    made = stale_spring(days)
    assert (made.total, made.parts[0].rule) == (lost, "CS-395")
