"""Checks that the GM calls for, and those that are owed (CS-094, CS-145)."""

from __future__ import annotations

import pytest

from ..once import played_once
from .hits import struck
from .table import Play, table


@played_once
def play(**settings: object) -> Play:
    return table(settings=settings, ash={"agl": 15, "pres": 18, "dodge": 22, "skills": {"Climbing": 31}}, bo={}).begin()


@pytest.mark.parametrize(
    ("kind", "shown", "av"),
    [
        ("agl", "AGL", 15),
        ("CRD", "CRD", 13),
        ("p-res", "P-RES", 18),
        ("dodge", "dodge", 22),
        ("climbing", "climbing", 31),
    ],
)
def test_a_check_on_the_move_is_asked_with_what_the_sheet_knows(kind: str, shown: str, av: int) -> None:
    """CS-145."""
    at = play().do("check", who="ash", kind=kind, dv=11)
    check = at.all("CheckRequested")[0]
    assert (check.kind, check.av, check.dv) == (shown, av, 11)  # type: ignore[attr-defined]
    at.do("answer", amount=40, rolls={"check": [41]})
    assert at.got("CheckResolved", ok=False, fail_margin=1)


def test_chance_or_outcome_may_be_said_at_once() -> None:
    """CS-145."""
    at = play().do("check", who="ash", kind="agl", chance=60, rolls={"check": [60]})
    assert at.got("CheckResolved", ok=True)
    assert play().do("check", who="ash", kind="agl", hit=False).got("CheckResolved", ok=False)
    linear = play(resolution="linear").do("check", who="ash", kind="agl", dv=10, rolls={"check": [55]})
    assert linear.got("CheckResolved", chance=55, ok=True)


def test_pain_and_a_modifier_take_their_part() -> None:
    """CS-145, CS-613."""
    at = play().do("stun", who="ash", penalty=5).do("check", who="ash", kind="agl", dv=3, modifier=2)
    assert at.got("CheckRequested", av=12)


def test_what_nobody_knows_is_left_to_the_chance() -> None:
    """CS-145."""
    at = play().do("check", who="ash", kind="juggling", dv=3)
    assert at.got("CheckRequested", av=None)
    assert at.asks() == ["check"]
    play().refused("CS-145", "check", who="ash", kind=" ")


def test_a_check_that_is_owed_is_rolled_by_its_name() -> None:
    """CS-094, CS-201."""
    at = play().do("snatch", who="ash", thing="idol", speed=9, size=2)
    at.refused("R-5", "check", who="ash", kind="crd")
    at.refused("CS-201", "check", who="ash", kind="agl")
    at.do("check", who="ash", kind="crd", chance=50, rolls={"check": [50]})
    assert at.got("ObjectMoved", holder="ash")
    assert not at.asks()


def test_the_options_know_checks_and_objects() -> None:
    """CS-145, CS-200."""
    at = play()
    assert at.option("ash", "check").legal
    assert at.option("ash", "handle").legal
    at.do("declare", who="ash", components=["tie_knot"]).do("confirm", who="ash")
    assert at.option("ash", "handle").rule == "CS-146"


def test_while_a_check_is_owed_only_that_one_can_be_picked() -> None:
    """CS-094: it can be rolled by its name where its chance is known."""
    at = struck(orc={"msta": 16}, pot=20)
    option = at.option("orc", "check")
    assert (option.legal, option.inputs[0].choices, option.inputs[0].default) == (True, ("agl",), "agl")
    assert not at.option("ash", "check").legal
    at.do("check", who="orc", kind="agl")
    assert not at.asks()
    unknown = play().do("snatch", who="ash", thing="idol", speed=9, size=2).option("ash", "check")
    assert (unknown.legal, unknown.rule) == (False, "CS-201")
