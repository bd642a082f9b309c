"""Initiative, ties and the three readings of who goes first (CS-020 to CS-034, A-01)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.formulas import (
    Entrant,
    MultiActionOrder,
    Pass,
    Tie,
    initiative,
    passes,
    roster,
    ties,
)

FAST_AND_SLOW = (
    Entrant("A", 14, slots=1),
    Entrant("B", 6, slots=3),
    Entrant("C", 9, slots=2),
    Entrant("D", 11, slots=2),
)
ENTRANTS = st.lists(
    st.builds(
        Entrant,
        st.text("abcdefgh", min_size=3, max_size=3),
        st.integers(-5, 20),
        st.integers(8, 12),
        st.integers(8, 12),
        st.integers(0, 4),
    ),
    max_size=8,
    unique_by=lambda one: one.who,
)


def test_g_01_initiative_is_the_die_and_two_modifiers() -> None:
    """G-01."""
    made = initiative(7, 2, 1)
    assert made.total == 10
    assert [(part.value, part.rule) for part in made.parts] == [(7, "CS-020"), (2, "CS-021"), (1, "CS-021")]


def test_g_04_pain_takes_its_penalty_from_initiative() -> None:
    """G-04."""
    made = initiative(8, 2, 1, stun=6)
    assert made.total == 5
    assert (made.parts[-1].value, made.parts[-1].rule) == (-6, "CS-032")


@pytest.mark.parametrize("d10", [0, 11])
def test_cs_020_only_faces_of_a_d10(d10: int) -> None:
    """CS-020."""
    with pytest.raises(ValueError, match="accepted: 1 to 10"):
        initiative(d10, 0, 0)


def test_g_02_agility_breaks_a_tie_then_heart() -> None:
    """G-02."""
    entrants = (Entrant("A", 10, 14), Entrant("B", 10, 16, 15), Entrant("C", 12), Entrant("D", 10, 16, 12))
    assert roster(entrants) == ("C", "B", "D", "A")
    assert ties(entrants) == (Tie(("B", "D", "A"), "AGL"), Tie(("B", "D"), "HRT"))


def test_cs_026_what_is_left_of_a_tie_is_the_gms() -> None:
    """CS-026."""
    entrants = (Entrant("A", 10), Entrant("B", 10), Entrant("C", 10, hrt=14))
    assert ties(entrants) == (Tie(("C", "A", "B"), "HRT"), Tie(("A", "B"), "GM"))
    assert roster(entrants) == ("C", "A", "B")
    assert roster(entrants, tie_order=("B", "A")) == ("C", "B", "A")


def test_cs_026_settling_a_tie_moves_nobody_else() -> None:
    """CS-026."""
    entrants = (Entrant("A", 10), Entrant("B", 10), Entrant("C", 12))
    assert roster(entrants, tie_order=("A", "B", "C")) == ("C", "A", "B")


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        ("tiered_passes", [(1, "BDCA"), (2, "BDC"), (3, "B")]),
        ("plain_passes", [(1, "ADCB"), (2, "DCB"), (3, "B")]),
        ("countdown", [(3, "B"), (2, "DCB"), (1, "ADCB")]),
    ],
)
def test_g_05_three_readings_of_extra_actions(reading: MultiActionOrder, expected: list[tuple[int, str]]) -> None:
    """G-05."""
    assert passes(FAST_AND_SLOW, reading) == tuple(Pass(number, tuple(who)) for number, who in expected)


def test_g_128_three_tiers_in_passes() -> None:
    """G-128."""
    entrants = (Entrant("A", 14, slots=1), Entrant("B", 6, slots=3), Entrant("C", 9, slots=2))
    assert passes(entrants) == (Pass(1, ("B", "C", "A")), Pass(2, ("B", "C")), Pass(3, ("B",)))


def test_cs_029_equal_slots_go_by_initiative() -> None:
    """CS-029."""
    entrants = (Entrant("A", 5, slots=2), Entrant("B", 9, slots=2))
    for one in passes(entrants):
        assert one.who == ("B", "A")


def test_cs_007_those_owed_nothing_are_in_no_pass() -> None:
    """CS-007."""
    assert passes((Entrant("A", 5, slots=0), Entrant("B", 1))) == (Pass(1, ("B",)),)
    assert passes(()) == ()


@given(ENTRANTS, st.sampled_from(["tiered_passes", "plain_passes", "countdown"]))
def test_cs_028_everybody_acts_as_often_as_he_is_owed(entrants: list[Entrant], reading: MultiActionOrder) -> None:
    """CS-028."""
    run = passes(entrants, reading)
    for one in entrants:
        assert sum(one.who in each.who for each in run) == one.slots


@given(ENTRANTS)
def test_cs_028_nobody_with_fewer_actions_goes_before_one_with_more(entrants: list[Entrant]) -> None:
    """CS-028."""
    owed = {one.who: one.slots for one in entrants}
    for each in passes(entrants):
        counts = [owed[who] for who in each.who]
        assert counts == sorted(counts, reverse=True)


@given(ENTRANTS)
def test_cs_022_the_roster_goes_from_the_highest_down(entrants: list[Entrant]) -> None:
    """CS-022."""
    keys = {one.who: (one.total, one.agl, one.hrt) for one in entrants}
    ordered = [keys[who] for who in roster(entrants)]
    assert ordered == sorted(ordered, reverse=True)


@given(ENTRANTS)
def test_cs_024_a_tie_is_named_only_where_totals_are_equal(entrants: list[Entrant]) -> None:
    """CS-024."""
    by_who = {one.who: one for one in entrants}
    for tie in ties(entrants):
        tied = [by_who[who] for who in tie.who]
        assert len(tied) > 1
        assert len({one.total for one in tied}) == 1
        assert (len({one.agl for one in tied}) == 1) == (tie.by != "AGL")
        assert (len({(one.agl, one.hrt) for one in tied}) == 1) == (tie.by == "GM")
