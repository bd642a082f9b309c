"""How a blow goes where the text leaves open what harm it does (A-12 to A-31, A-50)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from .hits import answered, duel
from .table import Play

WEAR = {"armour_wear": True}
SMALL = {"msta": 14, "cnd": 13, "posture": "prone"}
"""Of the Wound Threshold 3; who lies keeps no feet."""


def worn(*layers: Mapping[str, object] | str) -> Mapping[str, object]:
    """In layers, outermost first."""
    return {**SMALL, "armour": [{"type": one} if isinstance(one, str) else one for one in layers]}


def wounds(play: Play) -> object:
    return play.see("orc")["wounds"]


def level(play: Play) -> object:
    return play.see("orc")["wound_level"]


def asked(play: Play) -> object:
    return len(play.all("CheckRequested"))


def out_and_left(play: Play) -> object:
    """What comes through, and what is left of each layer."""
    armour = play.see("orc")["armour"]
    return play.got("ArmourApplied").out, [layer["left"] for layer in armour]  # type: ignore[attr-defined]


OLD_COAT = {"type": "padded_simple", "dr": 3}
EDGE: Mapping[str, object] = {"struck": "edge"}

DOUBTS = [
    pytest.param({}, SMALL, {"pot": 2, **EDGE}, wounds, 1, id="A-13 an edge wounds from its first point"),
    pytest.param({}, {**SMALL, "wounds": 11}, {"pot": 2, **EDGE}, asked, 1, id="A-15 each wound beyond the tenth"),
    pytest.param(
        {"body_points": True}, {**SMALL, "bp": {"max": 40}}, {"pot": 10, **EDGE}, level, "light", id="A-16 a quarter"
    ),
    pytest.param(
        {"body_points": True}, {**SMALL, "bp": {"max": 40}}, {"pot": 30, **EDGE}, level, "grievous",
        id="A-16 three quarters",
    ),
    pytest.param(
        {}, worn("brigandine", "padded_simple"), {"pot": 50, "struck": "point", "passage": "thrust"},
        out_and_left, (13, [36, 9]), id="A-29 each layer in its turn",
    ),
    pytest.param(
        {}, worn("singlemail", "padded_simple"), {"pot": 30, "struck": "point", "passage": "thrust"},
        out_and_left, (28, [9, 9]), id="A-29 none stops it",
    ),
    pytest.param(
        WEAR, worn(OLD_COAT, "cuerbully_plate"), {"pot": 23, **EDGE, "passage": "slash"},
        out_and_left, (0, [0, 30]), id="A-30 what is too much is lost",
    ),
    pytest.param(
        WEAR, worn(OLD_COAT), {"pot": 23, **EDGE, "passage": "slash"}, out_and_left, (0, [0]), id="A-30 the last layer"
    ),
    pytest.param(
        WEAR, worn("field_plate", OLD_COAT), {"pot": 23, **EDGE, "passage": "slash"},
        out_and_left, (0, [40, 3]), id="A-30 field plate takes all",
    ),
    pytest.param(
        WEAR, worn("padded_simple"), {"pot": 15, **EDGE, "bonus": 4}, out_and_left, (5, [6]), id="A-31 wear comes after"
    ),
    pytest.param(
        WEAR, worn(OLD_COAT, "singlemail"), {"pot": 20, **EDGE, "bonus": 5},
        out_and_left, (7, [0, 40]), id="A-31 what is too much is lost",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "orc", "blow", "read", "found"), DOUBTS)
def test_what_the_text_leaves_open_goes_the_usual_way(
    settings: Mapping[str, object],
    orc: Mapping[str, object],
    blow: Mapping[str, object],
    read: Callable[[Play], object],
    found: object,
) -> None:
    """A-13, A-15, A-16, A-29, A-30, A-31: no setting says otherwise; the GM may, at the table."""
    play = duel(settings, orc={"pres": 99, "weapons": [], **orc})
    assert read(play.do("blow", who="orc", **blow)) == found


@pytest.mark.parametrize(("reading", "made"), [("rhu", 3), ("exact", 2)])
def test_a_12_the_wound_threshold_is_rounded_or_exact(reading: str, made: int) -> None:
    """A-12: from the start, and as a ruling in mid-fight."""
    orc = {"pres": 99, "weapons": [], **SMALL}
    assert wounds(duel({"wt_rounding": reading}, orc=orc).do("blow", who="orc", pot=10, struck="blunt")) == made
    play = duel({"wt_rounding": "exact" if reading == "rhu" else "rhu"}, orc=orc)
    play.do("configure", setting="wt_rounding", value=reading)
    assert wounds(play.do("blow", who="orc", pot=10, struck="blunt")) == made


@pytest.mark.parametrize(
    ("hurt", "linear", "compound"), [(0, 16, 16), (1, 12, 12), (3, 8, 9), (6, 4, 6.75), (9, 0, 5.0625)]
)
def test_a_14_str_after_the_contest(hurt: int, linear: float, compound: float) -> None:
    """A-14, CS-627: STR 16, a quarter of it for each level, or of what is left."""
    for reading, left in (("linear", linear), ("compound", compound)):
        play = duel(orc={"wounds": hurt, "str": 16}).do("configure", setting="after_loss", value=reading)
        assert play.do("close").see("orc")["str_now"] == left


def test_a_50_of_two_stuns_the_highest_or_their_sum() -> None:
    """A-50, CS-618: 6 of one blow and 3 of another."""
    play = duel(orc={"msta": 60, "cnd": 60, "pres": 15})
    for pot in (18, 17):
        play.do("blow", who="orc", pot=pot)
        answered(answered(play, "made"), "failed")
    assert play.see("orc")["stun_penalty"] == 9
    assert play.do("configure", setting="multi_stun", value="highest").see("orc")["stun_penalty"] == 6
