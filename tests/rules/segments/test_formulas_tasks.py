"""Table 4-1, time taken, knots, bowstrings and acts on the move (CS-128 to CS-144)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.formulas import (
    Effort,
    Small,
    Tier,
    components,
    distance_beside,
    distance_share,
    doff,
    rummage,
    slots_needed,
    stringing,
    taking_time,
    untying,
    untying_segments,
    whole_task,
)

ACTS = st.lists(st.builds(Small, st.integers(0, 6), st.booleans()), max_size=5)


def qa_of(key: str) -> int:
    qa = components()[key].qa
    assert qa is not None
    return qa


@pytest.mark.parametrize(
    ("key", "actions"),
    [
        ("cut_purse", 1), ("dismount", 0.25), ("don_coat", 3), ("don_plate_limb", 8), ("don_boot", 1),
        ("don_cloak", 0.5), ("don_hat", 0.25), ("don_gaskins", 3), ("don_hose", 2), ("don_glove", 1), ("don_robe", 2),
        ("don_sleeve", 2), ("don_slippers", 1), ("draw_missile", 0.5), ("drop_or_grab", 0.25), ("torch_flame", 0.25),
        ("torch_flint", 3), ("mount_own", 0.5), ("mount_strange", 1), ("nock_draw", 0.5), ("saddle_own_own", 10),
        ("saddle_own_strange", 14), ("saddle_other_own", 12), ("saddle_other_strange", 16), ("string_bow", 0.5),
        ("tie_knot", 1), ("turn_quarter", 0.25), ("turn_half", 0.5),
    ],
)  # fmt: skip
def test_cs_130_table_4_1_as_printed_in_actions(key: str, actions: float) -> None:
    """CS-130."""
    assert qa_of(key) == actions * 4


def test_cs_130_the_table_is_whole() -> None:
    """CS-130."""
    table = components()
    assert len(table) == 30
    assert [key for key, one in table.items() if one.qa is None] == ["rummage", "untie_knot"]
    assert all(one.label and one.rule.startswith("CS-") for one in table.values())
    assert [key for key, one in table.items() if one.helper] == ["don_plate_limb"]


def test_cs_128_an_ordinary_action_fills_one_slot() -> None:
    """CS-128."""
    assert slots_needed(qa_of("cut_purse")) == 1


def test_cs_258_a_bow_shoots_once_an_action() -> None:
    """CS-258."""
    assert qa_of("draw_missile") + qa_of("nock_draw") == 4


def test_cs_125_a_goal_is_the_sum_of_its_steps() -> None:
    """CS-125."""
    made = whole_task([("drop_or_grab", 1), ("draw_missile", 2), ("bar the door", 6)])
    assert made.total == 9
    assert slots_needed(made.total) == 3
    assert [(part.label, part.rule) for part in made.parts] == [
        (components()["drop_or_grab"].label, "CS-130"),
        (components()["draw_missile"].label, "CS-130"),
        ("bar the door", "CS-131"),
    ]


@pytest.mark.parametrize(("key", "expected"), [("don_coat", 6), ("don_hat", 1), ("don_robe", 4), ("don_cloak", 1)])
def test_g_30_cs_134_taking_off_takes_half_and_at_least_a_quarter(key: str, expected: int) -> None:
    """G-30, CS-134."""
    assert doff(qa_of(key)) == expected


@given(st.integers(1, 400))
def test_cs_134_taking_off_never_takes_longer_than_putting_on(qa: int) -> None:
    """CS-134."""
    assert 1 <= doff(qa) <= qa


def test_g_28_cs_129_double_time_halves_the_difficulty() -> None:
    """G-28, CS-129."""
    assert taking_time(27, 4) == Effort(dv=14, qa=8)


def test_g_34_cs_137_plate_is_eight_actions_a_limb() -> None:
    """G-34, CS-137."""
    assert 4 * slots_needed(qa_of("don_plate_limb")) == 32


@pytest.mark.parametrize(("others", "qa"), [(0, 4), (1, 8), (3, 16)])
def test_cs_138_rummaging_takes_an_action_each_object_and_one_a_27(others: int, qa: int) -> None:
    """CS-138, A-27."""
    assert rummage(others) == qa


def test_g_33_cs_139_a_bow_too_strong() -> None:
    """G-33, CS-139."""
    assert stringing(18, 14) == Effort(dv=10, qa=4)
    assert stringing(18, 14, "linear") == Effort(dv=4, qa=4)
    assert stringing(14, 14) == stringing(13, 18) == Effort(dv=0, qa=2)


@pytest.mark.parametrize(
    ("tier", "strength", "crd", "exact", "segments"),
    [
        (Tier(18, 35), 20, 1, "1/2", 1),
        (Tier(24), 15, 0, "12/5", 2),
        (Tier(20), 25, 3, "-6", 1),
        (Tier(18, 35), 10, -2, "11/2", 6),
    ],
)
def test_g_32_cs_140_untying_a_knot_a_26(tier: Tier, strength: int, crd: int, exact: str, segments: int) -> None:
    """G-32, CS-140, A-26."""
    made = untying(tier, strength=strength, crd=crd)
    assert made.total == Fraction(exact)
    assert {part.rule for part in made.parts} == {"CS-140"}
    assert untying_segments(made) == segments


def test_cs_140_the_sum_says_whether_strength_or_trade_tied_it() -> None:
    """CS-140."""

    def label(tier: Tier) -> str:
        return untying(tier, strength=10, crd=0).parts[0].label

    assert label(Tier(18, 35)) == "tied by trade level ÷ 10"
    assert label(Tier(18, 18)) == label(Tier(18)) == "tied by STR ÷ 10"


@given(st.integers(1, 40), st.integers(0, 60), st.integers(1, 40), st.integers(-5, 5))
def test_cs_140_more_strength_never_unties_slower(tier: int, trade: int, own: int, crd: int) -> None:
    """CS-140."""

    def segments(strength: int) -> int:
        return untying_segments(untying(Tier(tier, trade), strength=strength, crd=crd))

    assert 1 <= segments(own + 1) <= segments(own)


@pytest.mark.parametrize(("qas", "feet"), [((), 176), ((1,), 132), ((2,), 88), ((1, 2), 44), ((2, 3), 0)])
def test_g_29_cs_144_acts_on_the_move_cut_the_distance_a_23(qas: tuple[int, ...], feet: int) -> None:
    """G-29, CS-144, A-23."""
    assert distance_beside(176, [Small(qa) for qa in qas]) == feet


def test_cs_104_acts_done_in_passing_are_free_or_not_by_reading_a_22() -> None:
    """CS-104, A-22."""
    turn, grab = Small(1, in_passing=True), Small(1)
    assert distance_beside(176, [turn]) == 176
    assert distance_beside(176, [turn], "table_fraction") == 132
    assert distance_beside(176, [turn, grab], "table_fraction") == 88
    assert [key for key, one in components().items() if one.in_passing] == [
        "drop_or_grab", "rummage", "turn_quarter", "turn_half",
    ]  # fmt: skip


@given(ACTS, st.integers(0, 6), st.booleans())
def test_cs_144_one_more_act_never_leaves_more_distance(acts: list[Small], qa: int, in_passing: bool) -> None:
    """CS-144."""
    more = [*acts, Small(qa, in_passing)]
    assert 0 <= distance_share(more) <= distance_share(acts) <= 1
    assert distance_share(acts, "table_fraction") <= distance_share(acts)
