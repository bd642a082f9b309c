"""Each reading of what the text leaves open about harm changes what a blow does, also in mid-fight (A-13 to A-31)."""

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

READINGS = [
    pytest.param("edge_threshold", {}, SMALL, {"pot": 2, **EDGE}, wounds, {"first_point": 1, "always": 0}, id="A-13 2"),
    pytest.param("edge_threshold", {}, SMALL, {"pot": 4, **EDGE}, wounds, {"first_point": 1, "always": 1}, id="A-13 4"),
    pytest.param(
        "beyond_tenth", {}, {**SMALL, "wounds": 11}, {"pot": 2, **EDGE}, asked, {"each": 1, "once": 0}, id="A-15"
    ),
    pytest.param(
        "bp_boundary", {"body_points": True}, {**SMALL, "bp": {"max": 40}}, {"pot": 10, **EDGE}, level,
        {"lower": "light", "higher": "serious"}, id="A-16 a quarter",
    ),
    pytest.param(
        "bp_boundary", {"body_points": True}, {**SMALL, "bp": {"max": 40}}, {"pot": 30, **EDGE}, level,
        {"lower": "grievous", "higher": "mortal"}, id="A-16 three quarters",
    ),
    pytest.param(
        "thrust_mixed", {}, worn("brigandine", "padded_simple"), {"pot": 50, "struck": "point", "passage": "thrust"},
        out_and_left, {"in_turn": (13, [36, 9]), "plain_blow": (4, [36, 10])}, id="A-29",
    ),
    pytest.param(
        "thrust_mixed", {}, worn("singlemail", "padded_simple"), {"pot": 30, "struck": "point", "passage": "thrust"},
        out_and_left, {"in_turn": (28, [9, 9]), "plain_blow": (28, [9, 9])}, id="A-29 none stops it",
    ),
    pytest.param(
        "slash_rest", WEAR, worn(OLD_COAT, "cuerbully_plate"), {"pot": 23, **EDGE, "passage": "slash"},
        out_and_left, {"lost": (0, [0, 30]), "goes_on": (0, [0, 20])}, id="A-30 to the next layer",
    ),
    pytest.param(
        "slash_rest", WEAR, worn(OLD_COAT), {"pot": 23, **EDGE, "passage": "slash"},
        out_and_left, {"lost": (0, [0]), "goes_on": (20, [0])}, id="A-30 to the body",
    ),
    pytest.param(
        "slash_rest", WEAR, worn("field_plate", OLD_COAT), {"pot": 23, **EDGE, "passage": "slash"},
        out_and_left, {"lost": (0, [40, 3]), "goes_on": (0, [40, 3])}, id="A-30 field plate takes all",
    ),
    pytest.param(
        "wear_order", WEAR, worn("padded_simple"), {"pot": 15, **EDGE, "bonus": 4},
        out_and_left, {"after": (5, [6]), "before": (9, [6])}, id="A-31 the order",
    ),
    pytest.param(
        "wear_rest", WEAR, worn(OLD_COAT, "singlemail"), {"pot": 20, **EDGE, "bonus": 5},
        out_and_left, {"lost": (7, [0, 40]), "next_layer": (7, [0, 38])}, id="A-31 what is too much",
    ),
    pytest.param("wt_rounding", {}, SMALL, {"pot": 10, "struck": "blunt"}, wounds, {"rhu": 3, "exact": 2}, id="A-12"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "settings", "orc", "blow", "read", "readings"), READINGS)
def test_a_reading_changes_what_a_blow_does(
    key: str,
    settings: Mapping[str, object],
    orc: Mapping[str, object],
    blow: Mapping[str, object],
    read: Callable[[Play], object],
    readings: Mapping[str, object],
) -> None:
    """A-12, A-13, A-15, A-16, A-29, A-30, A-31: from the start, and as a ruling in mid-fight."""
    for value, found in readings.items():
        sheet = {"pres": 99, "weapons": [], **orc}
        assert read(duel({**settings, key: value}, orc=sheet).do("blow", who="orc", **blow)) == found
        other = next(one for one in readings if one != value)
        play = duel({**settings, key: other}, orc=sheet).do("configure", setting=key, value=value)
        assert read(play.do("blow", who="orc", **blow)) == found


@pytest.mark.parametrize(
    ("hurt", "linear", "compound"),
    [(0, 16, 16), (1, 12, 12), (3, 8, 9), (6, 4, 6.75), (9, 0, 5.0625)],
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
