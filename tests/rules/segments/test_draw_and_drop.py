"""A declared draw draws and a declared drop drops, whatever it is declared with (CS-121, CS-123, CS-147, CS-390)."""

from __future__ import annotations

import pytest

from .table import DAGGER, POLEARM, SWORD, Play, table

CLUB = {"name": "club", "size": 3, "av": 45, "hand": "R"}
SHIELD = {"name": "shield", "kind": "shield", "hand": "L", "size": 3, "av": 30}


def play(*weapons: object, right: str = "", left: str = "", **sheet: object) -> Play:
    mine = {"weapons": list(weapons or (SWORD,)), "hands": {"R": right, "L": left}, **sheet}
    return table(settings={"resolution": "linear"}, orc={"side": "foe", "weapons": [CLUB]}, ash=mine).begin(
        ash=30, orc=10
    )


def hands(at: Play) -> tuple[str, str]:
    in_hand = at.state.combatants["ash"].record  # type: ignore[attr-defined]
    return in_hand.right_hand, in_hand.left_hand


def declare(at: Play, *components: str, **more: object) -> Play:
    return (
        at.to("declare", "ash").do("declare", who="ash", components=list(components), **more).do("confirm", who="ash")
    )


def end(at: Play) -> Play:
    """Play on to the next segment; the orc waits."""
    return at.to("declare", "orc").do("wait", who="orc").to("initiative")


@pytest.mark.parametrize(
    "order",
    [
        {"components": ["draw"]},
        {"components": ["draw"], "weapon": "sword"},
        {"components": ["draw", "move"]},
        {"components": ["move", "draw"]},
        {"components": ["draw", "turn"]},
        {"components": ["turn", "draw"]},
        {"components": ["draw", "pass"]},
        {"components": ["turn_half", "draw"]},
        {"components": ["draw"], "action": "task"},
        {"components": ["draw"], "action": "move"},
        {"components": ["draw"], "action": "act", "text": "look about"},
        {"components": ["draw"], "action": "defend"},
        {"components": ["draw"], "against": "orc"},
        {"components": ["draw", "parry"], "weapon": "sword"},
    ],
    ids=lambda order: " ".join(map(str, order.values())),
)
def test_cs_123_a_declared_draw_puts_the_weapon_in_hand_and_it_parries(order: dict[str, object]) -> None:
    """CS-123, CS-390; put right 24: drawn with a move, a Turn, a Pass, a task, a full defence or alone, it parries."""
    at = play().to("declare", "ash").do("declare", who="ash", **order).do("confirm", who="ash")
    assert hands(at)[0] == "sword"
    at.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "orc")
    at.do("resolve", who="orc", defence="parry sword", hit=True)
    assert at.state.combatants["ash"].record.uses  # type: ignore[attr-defined]


def test_cs_123_a_draw_alone_is_no_strike() -> None:
    """CS-123; put right 24: `components: "draw"` with a weapon attacks nobody; with a target, it is a strike."""
    at = declare(play(), "draw", weapon="sword")
    assert at.one("ash").record.action.kind == "task"
    at = declare(play(), "draw", weapon="sword", target="orc")
    assert at.one("ash").record.action.kind == "strike"


def test_cs_123_a_draw_with_no_hand_free_is_refused_with_what_helps() -> None:
    """CS-123, CS-147; put right 24: two full hands draw nothing until one drops what it holds."""
    at = play(DAGGER, SHIELD, SWORD, right="dagger", left="shield").to("declare", "ash")
    for order in (["draw"], ["draw", "move"], ["turn_half", "draw"]):
        at.refused("CS-340", "declare", who="ash", components=order, weapon="sword")
    at.do("declare", who="ash", components=["drop", "draw"], weapon="sword").do("confirm", who="ash")
    assert hands(at)[0] == "sword"
    assert at.got("ObjectMoved", thing="dagger", how="is dropped")


@pytest.mark.parametrize("order", [["drop", "draw"], ["drop_or_grab", "draw"]], ids=" ".join)
def test_cs_390_a_drop_makes_room_for_the_draw(order: list[str]) -> None:
    """CS-147, CS-390; put right 24: drop the polearm, draw the sword; nobody goes to the ground."""
    at = declare(play(POLEARM, SWORD, right="polearm"), *order)
    assert hands(at)[0] == "sword"
    assert at.one("ash").record.posture != "prone"


@pytest.mark.parametrize("order", [["drop"], ["drop_or_grab"], ["turn", "drop"], ["drop", "move"]], ids=" ".join)
def test_cs_390_a_named_thing_in_hand_is_what_is_dropped(order: list[str]) -> None:
    """CS-147, CS-390; put right 24: with `weapon`, the drop lets go of it, and it cannot parry any more."""
    at = declare(play(SWORD, SHIELD, right="sword", left="shield"), *order, weapon="shield")
    assert hands(at)[1] == ""
    assert at.got("ObjectMoved", thing="shield", how="is dropped")
    assert end(at).one("ash").record.posture == "standing"


@pytest.mark.parametrize(
    ("order", "posture_before_resolution"),
    [
        (["drop"], "prone"),
        (["drop", "turn"], "prone"),
        (["drop", "crawl"], "prone"),
        (["drop", "move"], "prone"),
        (["move", "drop"], "standing"),
        (["turn", "drop"], "standing"),
        (["parry", "drop"], "standing"),
        (["dodge", "drop"], "standing"),
        (["turn_half", "drop"], "standing"),
    ],
    ids=lambda each: each if isinstance(each, str) else " ".join(each),
)
def test_cs_104_cs_390_a_declared_drop_goes_to_the_ground(order: list[str], posture_before_resolution: str) -> None:
    """CS-104, CS-390 (L210, L238); put right 24: at once, or at the end of the Action, in the printed order."""
    at = declare(play(SWORD, right="sword"), *order)
    assert at.one("ash").record.posture == posture_before_resolution
    assert hands(at)[0] is None  # Nothing has left the hand.
    assert end(at).one("ash").record.posture == "prone"


def test_cs_121_a_rise_alone_stands_up() -> None:
    """CS-121 (L238); put right 24: getting up may be the whole Action."""
    at = play().to("declare", "ash").do("posture", who="ash", posture="prone")
    at = end(at).begin(ash=30, orc=10)
    assert declare(at, "rise").one("ash").record.posture == "standing"
