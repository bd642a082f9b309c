"""What is said in free words is read by the meaning of its words (CS-057, CS-058, CS-065)."""

from __future__ import annotations

import pytest

from fightcall_engine.systems.segments.state import condition
from fightcall_engine.systems.segments.state.condition import DEFENCE_VERBS, RETREATS
from fightcall_engine.systems.segments.state.records import profile_of

from ..once import played_once
from .table import SWORD, Play, table


@played_once
def surprised(degree: str) -> Play:
    """Ash is surprised, and it is his turn to declare."""
    play = table(ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD]}).begin()
    play.do("adjust", who="ash", what="surprise", value=degree).do("adjust", who="ash", what="surprise_until", value=9)
    return play


@pytest.mark.parametrize(
    "said",
    [
        "flee", "flees", "He flees to the door", "Ash is fleeing", "backs away", "backing slowly away", "I back away",
        "runs away", "seeks an escape", "tries to escape", "withdraws behind the cart", "retreats", "dodges", "Parries",
        "defends himself", "full defence", "blocking with the shield",
    ],
)  # fmt: skip
def test_cs_065_the_overwhelmed_may_say_it_in_any_form(said: str) -> None:
    assert surprised("overwhelmed").do("declare", who="ash", text=said).got("Declared")


@pytest.mark.parametrize(
    "said",
    ["fleece the fallen", "escapement repaired", "backs the orc away", "blockade the door", "does not flee",
     "strikes at the fleeing orc", "withdrawn, he broods", "stands there", "runs at the orc", ""],
)  # fmt: skip
def test_cs_065_and_nothing_that_only_looks_like_it(said: str) -> None:
    assert not condition.begins_with(said, (*DEFENCE_VERBS, *RETREATS), "Ash")
    surprised("overwhelmed").refused("CS-065", "declare", who="ash", text=said, action="act")


def test_cs_057_the_ready_only_defend() -> None:
    surprised("ready").refused("CS-057", "declare", who="ash", text="backs away")
    assert surprised("ready").do("declare", who="ash", text="dodges the blow").got("Declared")


def test_cs_306_a_turnip_is_no_turn() -> None:
    """CS-306: an act in words of the GM's own that begins like a Turn."""
    play = table(ash={"weapons": [SWORD]}, orc={"side": "foe", "weapons": [SWORD]}).begin()
    play.do("approach", who="ash", foe="orc", field="R")
    play.refused("CS-306", "declare", who="ash", action="strike", target="orc", components=["turnip=1"])


def test_cs_362_a_trade_is_known_by_its_word() -> None:
    """CS-049, CS-362: a Switchman is no witch."""
    play = table(ash={"trades": [{"name": "Switchman", "sl": 9}]}, bo={"trades": [{"name": "Hedge-Witch", "sl": 9}]})
    assert not profile_of(play.one("ash")).has_trade("witch")
    assert profile_of(play.one("bo")).has_trade("witch")
    assert profile_of(play.one("bo")).trade_sl("witch") == 9
