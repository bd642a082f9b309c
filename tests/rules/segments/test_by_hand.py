"""Examples beyond the printed ones, worked out by hand from the text: typical ones, borders and odd ones."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from .table import SWORD, table

LINEAR: Mapping[str, object] = {"resolution": "linear"}
SHIELD: Mapping[str, object] = {"name": "shield", "kind": "shield", "hand": "L", "av": 26, "size": 3}


# Surprise


@pytest.mark.parametrize(
    ("base", "plotters", "dv"),
    [
        (20, [{"mod": {"chm": 4, "hrt": 1}, "msta": 30}, {"mod": {"chm": 1, "hrt": 5}, "msta": 12}], 33),  # +10 and -8
        (28, [{}], 29),
        (0, [{"mod": {"chm": -3, "hrt": -1}, "sta": 20}], -3),  # the best of one is his own, below 0 or not
        (11, [{"msta": 60}], 11 + 1 + 40),
        (11, [{"msta": 8}, {"msta": 20}, {"msta": 14}], 11 + 3 - 12),
        (9, [{"msta": 21}, {"msta": 19}], 9 + 2 + 1 - 1),
    ],
)
def test_cs_050_how_hard_an_ambush_is_to_see(base: int, plotters: list[dict[str, object]], dv: int) -> None:
    """CS-050: the best CHM and HRT need not be one man's, and the largest and the smallest both count."""
    cast = {f"e{place}": {"side": "foe", **sheet} for place, sheet in enumerate(plotters)}
    play = table(None, LINEAR, **cast, v={}).begin()
    play.do("spring", aggressors=list(cast), targets=["v"], base=base)
    assert play.got("SurpriseTriggered").dv == dv  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("aggressor", "victim", "degree", "segments", "penalty"),
    [
        ((60, 48), (40, 53), "overwhelmed", 3, 25),  # 12 + 13; 2.5 goes up
        ((60, 57), (40, 51), "overwhelmed", 1, 14),  # 3 + 11; 1.4
        ((60, 60), (40, 41), "overwhelmed", 1, 1),  # 0 + 1; the minimum
        ((99, 1), (1, 100), "overwhelmed", 20, 197),  # 98 + 99; 19.7
        ((60, 20), (80, 53), "checked", 1, 0),  # 40 against 27
        ((60, 48), (80, 53), "ready", 0, 0),  # 12 against 27
        ((60, 48), (80, 68), "ready", 0, 0),  # 12 against 12, A-17
        ((60, 61), (80, 81), "none", 0, 0),
        ((60, 61), (80, 80), "none", 0, 0),
    ],
)
def test_cs_055_what_two_rolls_come_to(
    aggressor: tuple[int, int], victim: tuple[int, int], degree: str, segments: int, penalty: int
) -> None:
    """CS-056 to CS-060, CS-071."""
    play = table(e={"side": "foe"}, v={}).begin().do("spring", aggressors=["e"], targets=["v"], base=20)
    (chance, roll), (own, thrown) = aggressor, victim
    play.do("surprise_roll", target="v", chance=own, roll=thrown, aggressor_chance=chance, aggressor_roll=roll)
    told = play.got("SurpriseApplied")
    assert (told.degree, told.cs, told.penalty) == (degree, segments, penalty)  # type: ignore[attr-defined]


# Defences and uses


@pytest.mark.parametrize(
    ("settings", "defences", "dvs"),
    [
        ({}, ["parry sword", "parry sword+dodge", "block shield"], [40, 20 + 13, 26]),
        ({}, ["dodge", "dodge", "dodge"], [13, 13, 7]),  # SL 27: two at full value
        ({}, ["block shield+dodge", "parry shield", "block shield"], [26 + 13, 13, 7]),
        ({"weapon_reuse": "pooled"}, ["parry sword", "parry sword", "parry sword"], [40, 20, 10]),
    ],
)
def test_cs_415_what_three_foes_meet(settings: dict[str, object], defences: list[str], dvs: list[int]) -> None:
    """CS-238, CS-239, CS-415, CS-417, CS-419, CS-420: each item and the Dodge are counted apart."""
    trade = [{"name": "Warrior", "sl": 27}]
    foes = {who: {"side": "foe", "weapons": [SWORD]} for who in ("x", "y", "z")}
    play = table(None, settings, **foes, ash={"weapons": [SWORD, SHIELD], "dodge": 13, "trades": trade}).begin()
    for who in foes:
        play.to("declare", who).do("declare", who=who, target="ash")
    found = []
    for who, defence in zip(foes, defences, strict=True):
        play.to("resolve", who).do("resolve", who=who, defence=defence, hit=False)
        found.append(play.got("CheckRequested").dv)  # type: ignore[attr-defined]
    assert found == dvs


# Objects


@pytest.mark.parametrize(
    ("what", "given", "kind", "dv"),
    [
        ("snatch", {"speed": 9.5, "size": 0.5}, "CRD", 10),
        ("leap", {"feet": 6.5}, "AGL", 7),
        ("find", {"others": 4, "speed": 3.4}, "CRD", 13),  # 10 and 3.4
        ("hand_over", {"other": "bo", "speed": 5, "other_speed": 2.5}, "CRD", 8),
        ("throw", {"other": "bo", "feet": 60, "weather": 4, "pounds": 1, "size": 0.2}, "AGL", 0 + 3 + 1 + 4),
        ("catch_falling", {"feet": 16, "to_start": 3, "pounds": 25}, "CRD", 13),  # 10.67 and 2.5
        ("catch_falling", {"feet": 40, "to_landing": 0, "pounds": 4}, "CRD", 27),  # 26.67 and 0.4
    ],
)
def test_cs_201_how_hard_it_is_to_get_hold_of_a_thing(what: str, given: dict[str, object], kind: str, dv: int) -> None:
    """CS-201, CS-202, CS-209, CS-212, CS-213, CS-224: rounded once, at the end."""
    play = table(None, LINEAR, ash={"str": 17}, bo={}).begin().to_object("ash")
    play.do("handle", who="ash", what=what, thing="bag", hit=True, **given)
    assert next(one.dv for one in play.all("CheckRequested") if one.kind == kind) == dv  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("size", "pounds", "hands", "av"),
    [
        (4.4, 3.5, "1", 30),  # a quarter of STR 14
        (4.4, 3.6, "1", 29),  # a tenth of a pound counts as one
        (4.4, 6, "1", 30 - 6),  # 2.5 pounds are three
        (4.5, 7, "2", 30),  # 0.75 of 6 ft: either grip
        (10, 9.2, "2", 30 - 6),
    ],
)
def test_cs_382_a_clumsy_weapon(size: float, pounds: float, hands: str, av: int) -> None:
    """CS-380 to CS-382, A-47."""
    thing = {"name": "plank", "kind": "object", "av": 30, "size": size, "weight_lb": pounds, "grip": hands}
    play = table(ash={"str": 14, "weapons": [thing]}, orc={"side": "foe", "weapons": [SWORD]}).begin()
    play.do("declare", who="ash", target="orc").to("resolve", "ash")
    assert play.do("resolve", who="ash", defence="none", hit=False).got("CheckRequested").av == av  # type: ignore[attr-defined]
