"""Several have their hands on one object (CS-203 to CS-208, G-42)."""

from __future__ import annotations

import pytest

from fightcall_engine.systems.segments.state import items

from ..once import played_once
from .table import Play, table

NAMES = ("ash", "bo", "cy", "dee", "eve", "fen", "gus", "hal", "ivo")


@played_once
def play(count: int = 4, strength: dict[str, int] | None = None, **settings: object) -> Play:
    mods = {"ash": 2, "bo": 3, "cy": 3, **(strength or {})}
    people = {who: {"mod": {"str": mods.get(who, 0)}} for who in NAMES[:count]}
    return table(settings=settings, **people).begin()


def next_segment(at: Play) -> Play:
    now = at.state.round
    while at.state.round == now:
        at.do("advance")
    return at.begin()


def hands(at: Play, thing: str = "chest") -> tuple[str, ...]:
    found = items.struggle_for(at.state, thing)
    return found.all_hands if found is not None else ()


def struggle(at: Play, who: str, **more: object) -> Play:
    return at.do("struggle", who=who, thing="chest", **more)


# Beginning


def test_cs_203_two_who_reach_a_thing_in_one_segment_contest_it_in_the_next() -> None:
    """CS-203."""
    at = play().do("take_object", who="ash", thing="chest").to("declare", "bo")
    at.do("snatch", who="bo", thing="chest", hit=True)
    assert hands(at) == ("ash", "bo")
    assert items.holder_of(at.state, "chest") == ""
    at.refused("CS-203", "struggle", who="ash", thing="chest", hit=True)
    struggle(next_segment(at), "ash", hit=True)
    struggle(at, "bo", hit=False)
    assert items.holder_of(at.state, "chest") == "ash"
    assert hands(at) == ()


def test_cs_203_what_somebody_has_had_since_before_is_not_just_taken() -> None:
    """CS-203."""
    at = next_segment(play().do("take_object", who="ash", thing="chest"))
    assert "struggle" in at.to("declare", "bo").refused("CS-203", "take_object", who="bo", thing="chest").accepts
    struggle(at, "bo")
    assert hands(at) == ("ash", "bo")


def test_cs_203_nobody_struggles_alone() -> None:
    """CS-203."""
    play().refused("CS-203", "struggle", who="ash", thing="chest")


def test_cs_205_g_42_a_ninth_pair_of_hands_is_refused() -> None:
    """CS-205, G-42."""
    at = play(9)
    struggle(at, "ash", people=NAMES[1:8])
    assert len(hands(at)) == 8
    at.to("declare", "ivo").refused("CS-205", "struggle", who="ivo", thing="chest")
    at.refused("CS-205", "take_object", who="ivo", thing="chest")
    assert at.do("struggle", who="ivo", thing="chest", force=True).all("Overridden")


def test_cs_205_there_is_room_for_the_eighth_who_takes_hold() -> None:
    """CS-205: eight at most."""
    at = struggle(play(9), "ash", people=NAMES[1:7])
    at.to("declare", "hal").do("take_object", who="hal", thing="chest")
    assert len(hands(at)) == 8


def test_cs_205_whoever_has_it_in_hand_already_counts_as_one_of_them() -> None:
    """CS-205: of a thing that was only held before the struggle, too."""
    at = next_segment(play(9).do("take_object", who="ash", thing="chest"))
    at.to("declare", "bo").refused("CS-205", "struggle", who="bo", thing="chest", people=NAMES[2:9])
    struggle(at, "bo", people=NAMES[2:8])
    assert len(hands(at)) == 8


def test_cs_205_the_gm_lets_fewer_reach_a_small_thing() -> None:
    """CS-205."""
    at = play()
    at.refused("CS-205", "struggle", who="ash", thing="ring", people=["bo", "cy"], most=2)
    at.do("struggle", who="ash", thing="ring", people=["bo"], most=2)
    at.to("declare", "cy").refused("CS-205", "struggle", who="cy", thing="ring", most=2)


# The contest


def test_cs_206_failures_drop_out_until_one_is_left() -> None:
    """CS-206."""
    at = struggle(play(), "ash", people=["bo", "cy"])
    next_segment(at)
    struggle(at, "ash", chance=50, rolls={"check": [50]})
    struggle(at, "bo", chance=50, rolls={"check": [51]})
    at.refused("CS-206", "struggle", who="bo", thing="chest", hit=True)
    struggle(at, "cy", chance=50, rolls={"check": [1]})
    assert hands(at) == ("ash", "cy")
    at.refused("CS-203", "struggle", who="ash", thing="chest", hit=True)
    next_segment(at).to("declare", "bo")
    for what in ("struggle", "take"):
        at.refused("CS-206", "handle", who="bo", what=what, thing="chest")
    assert hands(at.copy().do("take_object", who="bo", thing="chest", force=True)) == ("ash", "cy", "bo")
    struggle(struggle(at, "ash", hit=False), "cy", hit=True)
    assert at.got("ObjectMoved", how="is won", holder="cy")


def test_cs_207_g_42_when_all_fail_it_flies_off_in_a_random_direction() -> None:
    """CS-207, G-42."""
    at = struggle(play(), "ash", people=["bo", "cy"])
    next_segment(at)
    struggle(struggle(at, "ash", hit=False), "bo", hit=False)
    struggle(at, "cy", hit=False, rolls={"direction": [6]})
    assert at.got("ObjectMoved", how="flies off", octant=5, holder="")
    assert hands(at) == ()


def test_cs_203_who_has_not_checked_is_asked_as_the_segment_ends() -> None:
    """CS-203."""
    at = struggle(play(), "ash", people=["bo", "cy"])
    next_segment(at)
    struggle(at, "ash", hit=True)
    while not at.asks():
        at.do("advance")
    assert at.asks() == ["check", "check"]
    assert "STR 13, CRD 13" in at.prompt("check").question
    at.refused("CS-203", "advance")
    at.do("answer", amount=40, rolls={"check": [41]}).do("answer", choice="failed")
    assert items.holder_of(at.state, "chest") == "ash"
    assert at.state.round == 3


def test_cs_204_g_42_who_joins_in_the_segment_of_the_contest_makes_it_last_one_more() -> None:
    """CS-204, G-42."""
    at = struggle(play(), "ash", people=["bo", "cy"])
    assert at.got("StruggleChanged", until=2)
    next_segment(at).to("declare", "dee")
    struggle(at, "dee")
    assert at.got("StruggleChanged", until=3)
    at.refused("CS-204", "struggle", who="dee", thing="chest", hit=True)
    for who, held in (("ash", True), ("bo", False), ("cy", False)):
        struggle(at, who, hit=held)
    assert hands(at) == ("ash", "dee"), "one more segment, although one alone had kept hold"
    next_segment(at)
    struggle(struggle(at, "ash", hit=False), "dee", hit=True)
    assert items.holder_of(at.state, "chest") == "dee"


def test_cs_204_who_joins_before_the_contest_takes_part_in_it() -> None:
    """CS-204."""
    at = struggle(struggle(play(), "ash", people=["bo"]).to("declare", "cy"), "cy")
    struggle(next_segment(at), "cy", hit=False)
    struggle(struggle(at, "ash", hit=False), "bo", hit=True)
    assert items.holder_of(at.state, "chest") == "bo"


def test_cs_111_who_goes_down_lets_go() -> None:
    """CS-111."""
    at = struggle(play(), "ash", people=["bo"])
    at.do("life", who="bo", life="unconscious")
    next_segment(at)
    assert items.holder_of(at.state, "chest") == "ash"


# Strain


def test_cs_208_g_42_hands_as_strong_as_its_structure_may_break_it() -> None:
    """CS-208, G-42."""
    at = struggle(play(), "ash", people=["bo", "cy"], stp=8)
    check = at.got("CheckRequested", kind="STP", av=8)
    assert [value for _, value, _ in check.parts] == ["+2", "+3", "+3"]  # type: ignore[attr-defined]
    assert at.asks() == ["check"]
    at.do("answer", choice="failed")
    assert at.got("ObjectMoved", how="breaks")
    assert hands(at) == ()


def test_cs_208_a_stronger_object_is_in_no_danger_until_more_hands_pull() -> None:
    """CS-208."""
    at = struggle(play(strength={"dee": 1}), "ash", people=["bo", "cy"], stp=9)
    assert not at.asks()
    struggle(at.to("declare", "dee"), "dee")
    assert at.asks() == ["check"]
    at.do("answer", amount=70, rolls={"check": [70]})
    assert hands(at) == ("ash", "bo", "cy", "dee")


def test_cs_208_a_structure_that_nobody_has_said_is_asked_for_without_holding_up_play() -> None:
    """CS-208."""
    at = struggle(play(), "ash", people=["bo", "cy"])
    assert at.offers() == ["structure"]
    at.do("answer", amount=5)
    assert at.asks() == ["check"]
    other = struggle(play(), "ash", people=["bo"]).do("answer", choice="skip")
    assert not other.state.prompts


@pytest.mark.parametrize(("amount", "refused"), [(0, False), (-1, True)])
def test_cs_208_a_structure_is_none_at_the_least(amount: int, refused: bool) -> None:
    """CS-208."""
    at = struggle(play(), "ash", people=["bo", "cy"])
    if refused:
        assert at.refused("CS-208", "answer", amount=amount).accepts == ("a whole number, 0 or more", "skip")
    else:
        assert at.do("answer", amount=amount).offers() == []


# Memory


def test_a_struggle_is_told_where_somebody_asks_and_undone_like_all_else() -> None:
    at = struggle(play(), "ash", people=["bo"], stp=99)
    assert at.fight.explain("bo", "things").parts[0].label == "chest, with Ash"
    assert at.undo().state.remembered["struggles"] == ()
