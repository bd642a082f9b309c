"""Heroic Effects, Bumbles and tokens (CS-635 to CS-654, section 6.12)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.formulas import (
    HeroicFor,
    HeroicScope,
    Thresholds,
    Token,
    TokenMode,
    bonus_allowed,
    feat,
    is_in_scope,
    loss_halved,
    magick_raised,
    may_be_heroic,
    rewards,
    thresholds,
    time_halved,
)


@pytest.mark.parametrize(
    ("chance", "heroic", "bumble"),
    [(32, 3, 93), (55, 6, 95), (4, 0, 90), (5, 1, 90), (50, 5, 95), (95, 10, 99), (96, 10, 100), (0, 0, 90)],
)
def test_g_114_g_116_cs_635_cs_637_printed_thresholds(chance: int, heroic: int, bumble: int) -> None:
    """G-114, G-116, CS-635, CS-637."""
    assert thresholds(chance) == Thresholds(heroic, bumble)


def test_g_114_the_printed_rolls_at_32() -> None:
    """G-114."""
    assert [roll for roll in range(1, 101) if feat(32, roll) == "heroic"] == [1, 2, 3]
    assert [roll for roll in range(1, 101) if feat(32, roll) == "bumble"] == list(range(93, 101))


@pytest.mark.parametrize(
    ("chance", "roll", "found"),
    [
        (4, 1, None), (4, 89, None), (4, 90, "bumble"), (96, 10, "heroic"), (96, 99, None),
        (96, 100, "bumble"), (99, 100, "bumble"),
        (100, 100, None), (120, 100, None), (120, 10, "heroic"), (-20, 1, None), (-20, 90, "bumble"),
    ],
)  # fmt: skip
def test_g_116_at_the_ends_a_40(chance: int, roll: int, found: str | None) -> None:
    """G-116, A-40."""
    assert feat(chance, roll) == found


@pytest.mark.parametrize(
    ("quality", "pivotal", "who", "scope", "may"),
    [
        (True, True, "pc_only", "pivotal", True), (True, False, "pc_only", "pivotal", False),
        (True, False, "pc_only", "always", True), (False, True, "pc_only", "pivotal", False),
        (False, True, "all", "pivotal", True), (False, False, "all", "pivotal", False),
    ],
)  # fmt: skip
def test_cs_636_cs_638_whom_and_when(
    quality: bool, pivotal: bool, who: HeroicFor, scope: HeroicScope, may: bool
) -> None:
    """CS-636, CS-638."""
    assert may_be_heroic(quality, pivotal, who=who, scope=scope) is may


def test_cs_638_bumbles_have_the_same_scope() -> None:
    """CS-638."""
    assert [is_in_scope(False), is_in_scope(True), is_in_scope(False, "always")] == [False, True, True]


@pytest.mark.parametrize(("asked", "allowed"), [(9, 9), (14, 14), (20, 14), (-3, 0)])
def test_cs_646_no_more_than_hrt(asked: int, allowed: int) -> None:
    """CS-646."""
    assert bonus_allowed(asked, 14) == allowed


@pytest.mark.parametrize(("pot", "mga", "raised"), [(20, 12, 32), (10, 12, 20), (10, 0, 10)])
def test_cs_640_magick_is_raised_or_doubled_whichever_is_less(pot: int, mga: int, raised: int) -> None:
    """CS-640."""
    assert magick_raised(pot, mga) == raised


def test_cs_640_tasks_take_half_and_lose_half() -> None:
    """CS-640."""
    assert [time_halved(qa) for qa in (16, 5, 1)] == [8, 3, 1]
    assert loss_halved(25) == Fraction(25, 2)


@pytest.mark.parametrize(
    ("mode", "acts", "token"), [("effect", True, False), ("token", False, True), ("both", True, True)]
)
def test_cs_651_cs_652_white_and_black(mode: TokenMode, acts: bool, token: bool) -> None:
    """CS-651, CS-652."""
    assert rewards("heroic", mode) == (acts, Token("white") if token else None)
    assert rewards("bumble", mode) == (acts, Token("black") if token else None)


@given(st.integers(-20, 130), st.integers(1, 100))
def test_cs_635_cs_637_feats_agree_with_success(chance: int, roll: int) -> None:
    """CS-635, CS-637."""
    found = feat(chance, roll)
    assert found != "heroic" or roll <= chance
    assert found != "bumble" or roll > chance
    better = feat(chance, max(1, roll - 1))
    assert (found == "heroic") <= (better == "heroic")


@given(st.integers(0, 99))
def test_cs_635_cs_637_a_better_chance_brings_no_less(chance: int) -> None:
    """CS-635, CS-637."""
    now, then = thresholds(chance), thresholds(chance + 1)
    assert now.heroic_most <= then.heroic_most
    assert now.bumble_least <= then.bumble_least
