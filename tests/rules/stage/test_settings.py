"""Every setting in each of its readings, seen from outside (digest, section 2.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from fightcall_engine.model.errors import BadInput, NeedsDice, Refused
from fightcall_engine.model.state import Scalar

from ..once import played_once
from .table import Play, table

SETTINGS = {setting.key: setting for setting in table("ash").fight.system.settings}


def _labels(play: Play) -> object:
    """SB-10"""
    return play.fight.system.words(play.state.settings).phases["management"]


def _dice(play: Play) -> object:
    """Who throws what is not typed in."""
    play.start().to("missile")
    try:
        play.do("shoot", who="ash", target="orc", needs=10, damage=1)
    except NeedsDice as need:
        return [roll.purpose for roll in need.rolls]
    return "thrown"


def _unlisted(play: Play) -> object:
    """SB-08: of the party there is one with a sword alone, touching nobody."""
    for who in [one.id for one in play.state.combatants.values() if one.side == "party"]:
        play.do("leave", who=who)
    play.do("join", name="Fay", side="party", sheet={"strikes": [{"name": "sword", "kind": "melee"}]})
    play.start().end_moment()
    return [one.phase for one in play.heard if one.type == "HalfSkipped" and one.side == "party"]


def _feet(play: Play) -> object:
    """SB-02"""
    play.start().to("move").do("move", who="ash", hexes=2)
    return play.got("Moved").feet


def _clock(play: Play) -> object:
    """SB-04"""
    return play.start().end_moment().state.clock_s


def _slow(play: Play) -> object:
    """SB-13"""
    play.start().to("missile").do("rule", what="slow")
    return play.got("LeadFlipped").scope


def _order(play: Play) -> object:
    """SB-11"""
    play.do("rule", what="order", value="agility", rolls={"agility": [9, 4, 8]})
    return play.state.order[0]


def _ambush(play: Play) -> object:
    """SB-18"""
    play.do("ambush", by="foe").do("perception", passed=False).start().to("missile", "foe").do("advance")
    return play.half()


def _armour(play: Play) -> object:
    """SB-29"""
    return play.see("col")["total_beats"]


def _strike_cost(play: Play) -> object:
    """SB-23"""
    play.start().to("missile").do("shoot", who="ash", target="orc", hit=False)
    return play.beats("ash")


def _shot(play: Play) -> object:
    """SB-69"""
    play.do("set_cover", who="orc", cover="partial").start().to("missile")
    play.do("shoot", who="ash", target="orc", needs=12, damage=1, rolls={"attack": [9]})
    return play.got("StrikeResolved").total, play.got("StrikeResolved").hit


def _stop(play: Play) -> object:
    """SB-47"""
    play.start().to("move").do("move", who="ash", hexes=1, meets="orc")
    return _try(play, "drop_prone", who="ash")


def _creep(play: Play) -> object:
    """SB-42"""
    play.start().do("rule", what="hidden", who="col").do("creep", who="col", hexes=3, rolls={"sneak": [1]})
    return play.beats("col")


def _skill(play: Play) -> object:
    """SB-63"""
    play.start().do("rule", what="hidden", who="eve").do("creep", who="eve", hexes=1, rolls={"sneak": [1]})
    return play.got("SneakChecked").target


def _prone(play: Play) -> object:
    """SB-75"""
    return play.start().to("move").do("drop_prone", who="col").beats("col")


def _rise(play: Play) -> object:
    """SB-76"""
    play.do("adjust", who="ash", what="posture", value="prone").start().do("adjust", who="ash", what="beats", value=9)
    return _try(play.to("move"), "rise", who="ash")


def _business(play: Play) -> object:
    """SB-25"""
    play.start().to("management").do("business", who="ash", name="crank", needed=3)
    return bool(play.next_moment().next_moment().see("ash")["business"])


def _try(play: Play, command: str, **data: object) -> str:
    try:
        play.do(command, **data)
    except Refused as no:
        return no.rule
    return "done"


READINGS: Mapping[str, tuple[Callable[[Play], object], Mapping[Scalar, object]]] = {
    "phase_labels": (_labels, {"set1": "Management", "set2": "Administration"}),
    "dice": (_dice, {"engine": "thrown", "table": ["attack"], "players": ["attack"]}),
    "skip_unlisted": (_unlisted, {False: [], True: ["missile", "melee", "magic"]}),
    "hex_ft": (_feet, {5.0: 10.0, 3.5: 7.0}),
    "moment_seconds": (_clock, {60: 60, 30: 30}),
    "slow_penalty": (_slow, {"phase": "missile", "moment": "moment"}),
    "agility_order": (_order, {"margin": "bram", "high": "ash"}),
    "ambush_free_moment": (_ambush, {True: "move.foe", False: "missile.party"}),
    "armor_beats": (_armour, {"entered": 13, "dar": 12}),
    "strike_beat_cost": (_strike_cost, {0: 14, 3: 11}),
    "strike_roll": (_shot, {"low": (10, True), "high": (8, False)}),
    "partial_cover_mod": (_shot, {1: (10, True), 4: (13, False)}),
    "contact_stop": (_stop, {"hexes_only": "done", "everything": "SB-47"}),
    "meeting_sneak": (_creep, {"pays_from_pool": 7, "free": 13}),
    "skullduggery_mode": (_skill, {"replace": 7, "best": 12}),
    "prone_round": (_prone, {"up": 6, "down": 7}),
    "rise_needs_full": (_rise, {True: "SB-76", False: "done"}),
    "business_break": (_business, {"keep_progress": True, "reset": False}),
}
CASES = [(key, value, wanted) for key, (_, readings) in READINGS.items() for value, wanted in readings.items()]


@played_once
def _table(settings: Mapping[str, Scalar]) -> Play:
    play = table(settings=settings)
    return play.do(
        "join", name="Eve", id="eve", side="party", sheet={"agility": 12, "skullduggery": 7, "base_beats": 99}
    )


@pytest.mark.parametrize(("key", "value", "wanted"), CASES, ids=[f"{key}={value}" for key, value, _ in CASES])
def test_each_reading_from_the_start(key: str, value: Scalar, wanted: object) -> None:
    """SB-02, SB-04, SB-10, SB-11, SB-13, SB-18, SB-23, SB-25, SB-29, SB-42, SB-47, SB-63, SB-69, SB-75, SB-76."""
    play = _order_table(key, value) if key == "agility_order" else _table({key: value})
    assert READINGS[key][0](play) == wanted


@played_once
def _order_table(key: str, value: Scalar) -> Play:
    return table(settings={key: value})


@pytest.mark.parametrize(("key", "value", "wanted"), CASES, ids=[f"{key}={value}" for key, value, _ in CASES])
def test_each_reading_set_later(key: str, value: Scalar, wanted: object) -> None:
    """A setting changed by a command counts from then on, as if it had been so from the start."""
    play = _order_table("dice", "engine") if key == "agility_order" else _table({})
    play.do("configure", setting=key, value=value).got("SettingChanged", setting=key, value=value)
    assert READINGS[key][0](play) == wanted


def test_every_setting_that_changes_a_rule_is_tested_here() -> None:
    """Only the decision clock, which is the screen's, is left out."""
    assert set(SETTINGS) - set(READINGS) == {"decision_seconds"}


def test_the_first_reading_is_the_default() -> None:
    """The digest's proposals are the defaults, and all readings of a choice are covered above."""
    for key, (_, given) in READINGS.items():
        setting, readings = SETTINGS[key], list(given)
        assert setting.default == readings[0], key
        if setting.choices:
            assert set(setting.choices) == set(readings), key


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("prone_round", "sideways"), ("rise_needs_full", "yes"), ("moment_seconds", "a minute"), ("hex_ft", "wide"),
        ("partial_cover_mod", 1.5), ("strike_beat_cost", True), ("gravity", 9.81), ("phase_labels", ""),
    ],
)  # fmt: skip
def test_what_no_setting_takes(key: str, value: Scalar) -> None:
    """Unknown settings and values are refused with what is accepted, at the start and later; nothing changes."""
    with pytest.raises(BadInput, match=key):
        table("ash", settings={key: value})
    play = table("ash")
    before = play.state
    with pytest.raises(BadInput, match=key):
        play.do("configure", setting=key, value=value)
    assert play.state is before
