"""Rolling for Initiative and its ties: ST-12..16, Q-T7, Q-T19."""

from __future__ import annotations

import pytest

from ..once import played_once
from .table import D20, ORDER, Play, table


@played_once
def tied(*sheets: tuple[str, int], **settings: object) -> Play:
    """Participants by id and Speed, asked for Initiative."""
    who = [name for name, _ in sheets]
    play = table(*who, sheets={name: {"speed": speed} for name, speed in sheets}, settings=settings)
    return play.do("open_scene", mode="initiative")


def test_one_by_one_in_any_order_is_the_same_as_all_at_once():
    """ST-12, ST-13."""
    play = table().do("open_scene", mode="initiative")
    for who in ("w2", "ron", "lea", "a2", "a1", "pip"):
        play.do("initiative", who=who, die=D20[who])
        assert play.state.round == 0
        assert not play.all("OrderSet"), "not before the last result is in"
    assert play.fight.system.facts(play.state)["waiting"] == ["w1"]
    play.do("initiative", who="w1", die=D20["w1"])
    assert play.got("OrderSet").order == ORDER
    assert play.offered() == "lea"


def test_those_without_a_result_roll_together():
    """ST-12: who has rolled keeps the result."""
    play = table("lea", "pip", "w2").do("open_scene", mode="initiative").do("initiative", who="w2", die=20)
    play.do("initiative", rolls={"lea": [1], "pip": [1]})
    assert {one.who for one in play.all("InitiativeRolled")} == {"lea", "pip"}
    assert play.state.order == ("w2", "lea", "pip")


@pytest.mark.parametrize("die", [0, 21, -1])
def test_a_d20_has_faces_from_1_to_20(die):
    """ST-12."""
    play = table("lea", "w2").do("open_scene", mode="initiative")
    assert "lea" in play.refused("dice", "initiative", who="lea", die=die).message


@pytest.mark.parametrize(("die", "speed", "total"), [(1, -999, -998), (20, 999, 1019), (1, 0, 1), (20, 0, 20)])
def test_a_result_is_the_die_and_speed_whatever_they_are(die, speed, total):
    """ST-12."""
    play = tied(("x", speed)).do("initiative", who="x", die=die)
    assert play.got("InitiativeRolled").total == total
    assert play.see("x")["initiative"] == total


def test_no_result_is_asked_for_outside_initiative():
    """ST-12."""
    play = table("lea", "w2")
    assert play.refused("ST-12", "initiative").accepts == ("open_scene",)
    play.do("open_scene", mode="free")
    assert play.refused("ST-12", "initiative", who="lea").accepts == ("set_mode initiative",)
    play.do("close_scene").do("answer", choice="waive").do("advance").roll()
    assert play.refused("ST-12", "initiative", who="lea").accepts == ()
    assert play.refused("ST-11", "set_mode", mode="initiative").accepts == ("free",)
    play.do("set_mode", mode="free")


def test_what_is_to_come_before_a_turn_is_named_by_what_brings_it():
    """ST-12: a Scene, Initiative, or the end of a rest."""
    play = table("lea", "w2")
    assert play.refused("ST-12", "delay", who="lea").accepts == ("open_scene",)
    play.do("open_scene", mode="free")
    assert play.refused("ST-12", "delay", who="lea").accepts == ("set_mode initiative",)
    play.do("set_mode", mode="initiative")
    assert play.refused("ST-12", "delay", who="lea").accepts == ("initiative",)
    play.do("initiative")


def test_turns_need_an_order():
    """ST-12: not while results are missing."""
    play = table("lea", "w2").do("open_scene", mode="initiative").do("initiative", who="lea", die=3)
    for name in ("take", "delay", "step_in", "react", "act", "forfeit"):
        play.refused("ST-12", name, who="lea")


def test_a_leaver_is_not_waited_for():
    """ST-12; put right 20: the others have all rolled, and the order is made at once."""
    play = table("lea", "pip", "w2").do("open_scene", mode="initiative")
    play.do("initiative", who="lea", die=3).do("initiative", who="w2", die=9).do("leave", who="pip")
    assert play.state.order == ("w2", "lea")
    assert play.offered() == "w2"


def test_who_comes_while_results_are_missing_rolls_with_the_others():
    """ST-12, Q-T12."""
    play = table("lea", "w2").do("open_scene", mode="initiative").do("initiative", who="lea", die=3)
    play.do("join", name="Newt", id="newt", side="foe", sheet={"speed": 0})
    assert play.got("InitiativeAsked").who == "newt"
    assert not play.asks()
    play.do("initiative", rolls={"newt": [7], "w2": [6]})
    assert set(play.state.order[:2]) == {"lea", "newt"}
    assert play.state.order[2] == "w2"


# Ties


def test_speed_breaks_a_tie_without_dice():
    """ST-14: and says so once for all who are tied."""
    play = tied(("x", 3), ("y", 5), ("z", -1)).do("initiative", rolls={"x": [12], "y": [10], "z": [16]})
    assert play.state.order == ("y", "x", "z")
    broken = play.got("TieBrokenBySpeed")
    assert dict(zip(broken.figures, broken.speeds, strict=True)) == {"x": 3, "y": 5, "z": -1}
    assert not play.all("TieDieRolled")
    assert play.see("x")["tie_d6"] == []


def test_different_totals_are_no_tie_whatever_the_speed():
    """ST-13: Speed counts only between equals."""
    play = tied(("x", 9), ("y", 0)).do("initiative", rolls={"x": [1], "y": [11]})
    assert play.state.order == ("y", "x")
    assert not play.all("TieBrokenBySpeed")


def test_only_equals_in_total_and_speed_throw_a_d6():
    """ST-14, ST-15: two pairs at one total, each pair throws for itself."""
    play = tied(("a", 5), ("b", 2), ("c", 5), ("d", 2))
    play.do(
        "initiative",
        rolls={"a": [5], "c": [5], "b": [8], "d": [8], "tie.a": [1], "tie.c": [6], "tie.b": [2], "tie.d": [5]},
    )
    assert play.state.order == ("c", "a", "d", "b")
    assert [one.figures for one in play.all("TieBrokenByDie")] == [("c", "a"), ("d", "b")]
    assert [one.figures for one in play.all("TieBrokenBySpeed")] == [("a", "c", "b", "d")]


def test_two_pairs_of_one_total_throw_apart():
    """ST-14, ST-15: a die does not lift anybody over a higher Speed."""
    speeds = {"x": 3, "y": 3, "u": 1, "v": 1}
    play = table(*speeds, sheets={who: {"speed": speed} for who, speed in speeds.items()})
    play.do("open_scene", mode="initiative")
    d20 = {who: [15 - speed] for who, speed in speeds.items()}
    play.do("initiative", rolls={**d20, "tie.x": [1], "tie.y": [2], "tie.u": [6], "tie.v": [5]})
    assert play.state.order == ("y", "x", "u", "v")


def test_three_tied_until_one_falls_out():
    """ST-16: those that part from the others throw no more, and keep their place among them."""
    play = tied(("x", 0), ("y", 0), ("z", 0))
    rolls = {"x": [9], "y": [9], "z": [9], "tie.x": [3, 2, 5], "tie.y": [3, 2, 6], "tie.z": [3, 1]}
    play.do("initiative", rolls=rolls)
    assert play.state.order == ("y", "x", "z")
    assert [play.see(who)["tie_d6"] for who in "xyz"] == [[3, 2, 5], [3, 2, 6], [3, 1]]


def test_the_d6_of_an_earlier_initiative_are_forgotten():
    """ST-15."""
    play = tied(("x", 0), ("y", 0)).do("initiative", rolls={"x": [9], "y": [9], "tie.x": [1], "tie.y": [2]})
    play.do("set_mode", mode="free").do("set_mode", mode="initiative")
    assert play.see("x")["tie_d6"] == []
    play.do("initiative", rolls={"x": [9], "y": [9], "tie.x": [5], "tie.y": [2]})
    assert play.state.order == ("x", "y")


def test_the_same_seed_throws_the_same():
    """ST-12, ST-15: dice come from the fight's seed and the place in its history."""
    orders = set()
    for _ in range(2):
        play = table(seed="same").do("open_scene", mode="initiative").do("initiative")
        play.fight.undo()
        play.do("initiative")
        orders.add(play.state.order)
    assert len(orders) == 1
