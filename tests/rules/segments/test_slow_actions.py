"""Those owed less than an Action in a segment: what is counted over the Action goes on (CS-238, CS-412, CS-419)."""

from __future__ import annotations

import pytest

from .table import SWORD, Play, table, uses_of

CLUB = {"name": "club", "size": 3, "av": 45, "hand": "R"}


def defend(at: Play, defence: str) -> int:
    """The next segment: the orc strikes, and Ash defends so; the value that the defence then has."""
    at = at.begin(orc=30, ash=10).to("declare", "orc")
    at.do("declare", who="orc", action="strike", target="ash").to("resolve", "orc")
    at.do("resolve", who="orc", defence=defence, hit=False)
    worth = at.got("UseCounted", who="ash").worth  # type: ignore[attr-defined]
    at.to("initiative")
    return int(worth)


def play(roa: str, **settings: object) -> Play:
    return table(
        settings={"resolution": "linear", **settings},
        ash={"roa": roa, "dodge": 20, "weapons": [SWORD], "msta": 90},
        orc={"side": "foe", "weapons": [CLUB]},
    )


@pytest.mark.parametrize(
    ("roa", "dodges"),
    [("1", [20, 20, 20, 20]), ("1/2", [20, 10, 20, 10]), ("1/3", [20, 10, 5, 20]), ("2/3", [20, 10, 20, 20])],
)
@pytest.mark.parametrize(("defence", "base"), [("dodge", 20), ("parry sword", 40)])
def test_cs_412_defences_are_counted_over_the_action_and_not_the_segment(
    roa: str, dodges: list[int], defence: str, base: int
) -> None:
    """CS-412, CS-419, A-03 (L205-208, L2487); put right 31: until the Action is due, each one halves the next."""
    at = play(roa)
    assert [defend(at, defence) for _ in dodges] == [base // 20 * worth for worth in dodges]


def test_a_03_by_the_other_reading_each_segment_counts_anew() -> None:
    """A-03; put right 31: `reuse_window = cs` begins again with each segment."""
    at = play("1/2", reuse_window="cs")
    assert [defend(at, "dodge") for _ in range(3)] == [20, 20, 20]


def test_cs_238_attacks_out_of_turn_are_counted_over_the_action_too() -> None:
    """CS-238; put right 31: a Reprisal in the segment before halves the blow that is due in this one."""
    at = play("1/2").begin(orc=30, ash=10).to("declare", "orc")
    at.do("declare", who="orc", action="strike", target="ash").to("declare", "ash")
    at.do("declare", who="ash", action="strike", target="orc").to("resolve", "orc")
    at.do("resolve", who="orc", defence="none", hit=False).do("reprise", who="ash", hit=False)
    assert uses_of(at, "ash")["sword/R"] == (1, 0)
    at.to("initiative").begin(orc=30, ash=10).to("resolve", "ash")
    assert uses_of(at, "ash")["sword/R"] == (1, 0)
    assert uses_of(at.to("initiative").begin(), "ash") == {}
