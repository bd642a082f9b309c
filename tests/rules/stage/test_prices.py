"""Pools of beats and what they buy (SB-28..32, SB-71..78)."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex, Terrain
from fightcall_engine.model.errors import BadInput

from ..once import played_once
from .table import Play, Sitting, big_board, east, home, table


@played_once
def moving(**more: Unpack[Sitting]) -> Play:
    return table(**more).start().to("move")


@played_once
def with_beats(total: int, **more: Unpack[Sitting]) -> Play:
    """Ash with this total, Bram beside so that the half stays open."""
    more["sheets"] = {"ash": {"base_beats": total}}
    return moving(**more)


@pytest.mark.parametrize("who", ["ash", "orc"])
def test_base_beats_are_fourteen(who: str) -> None:
    """SB-28, SB-32: for the party, and for foes too (Q-S4), unless the sheet says otherwise."""
    assert table().see(who)["total_beats"] == 14
    other = table(sheets={who: {"base_beats": 20}}).start()
    assert (other.see(who)["total_beats"], other.beats(who)) == (20, 20)


@pytest.mark.parametrize(("loss", "total"), [(0, 14), (1, 13), (3, 11), (14, 0), (16, 0)])
@pytest.mark.parametrize("key", ["armor_beat_loss", "armour_beat_loss", "armour_loss"])
def test_armour_lowers_the_total(key: str, loss: int, total: int) -> None:
    """SB-29: by a number of its own, never below nothing; it is entered under either spelling."""
    assert table("ash", sheets={"ash": {key: loss}}).see("ash")["total_beats"] == total


def test_armour_may_take_its_dar() -> None:
    """SB-29, Q-S3: by the setting, before the fight or in its midst."""
    play = table(settings={"armor_beats": "dar"})
    assert [play.see(who)["total_beats"] for who in ("ash", "bram", "col")] == [14, 11, 12]
    late = table().start().do("configure", setting="armor_beats", value="dar")
    late.got("PoolAdjusted", who="col", max=12, left=12)
    assert late.see("bram")["total_beats"] == 11


def test_a_sheet_that_will_not_do() -> None:
    """SB-28, SB-29: is refused with the field."""
    for sheet, field in (
        ({"base_beats": -1}, "base_beats"),
        ({"armor_beat_loss": -1}, "armor"),
        ({"agility": 21}, "agility"),
    ):
        with pytest.raises(BadInput, match=field):
            table("ash", sheets={"ash": sheet})


@pytest.mark.parametrize("number", ["agility", "perception", "skullduggery"])
@pytest.mark.parametrize(("value", "will_do"), [(0, False), (1, True), (20, True), (21, False)])
def test_what_a_d20_is_thrown_under_is_1_to_20(number: str, value: int, will_do: bool) -> None:
    """SB-11, SB-59, SB-63."""
    if will_do:
        table("ash", sheets={"ash": {number: value}})
        return
    with pytest.raises(BadInput, match=number):
        table("ash", sheets={"ash": {number: value}})


@given(st.integers(0, 14))
@settings(max_examples=15)
def test_beats_are_refilled_and_do_not_carry_over(spent: int) -> None:
    """SB-30"""
    play = moving()
    if spent:
        play.do("move", who="ash", hexes=spent)
    play.end_moment().do("advance").got("BeatsRefilled", who="ash", before=14 - spent, left=14, max=14)
    assert play.beats("ash") == 14


def test_the_gm_may_change_beats() -> None:
    """SB-30, SB-24: now, or their total; never above the total."""
    play = moving().do("adjust", who="ash", what="beats", value=3)
    play.refused("SB-46", "move", who="ash", hexes=4)
    play.refused("value", "adjust", who="ash", what="beats", value=15)
    play.do("adjust", who="ash", what="max:beats", value=20).next_moment()
    assert play.beats("ash") == 20


@given(st.integers(0, 30), st.integers(1, 40))
def test_walking_costs_one_a_hex(total: int, hexes: int) -> None:
    """SB-71, SB-46: affordable or refused, nothing between."""
    play = with_beats(total)
    if hexes > total:
        play.refused("SB-46", "move", who="ash", hexes=hexes)
    else:
        play.do("move", who="ash", hexes=hexes).got("BeatsSpent", amount=hexes, left=total - hexes)


@given(st.integers(0, 30), st.integers(1, 20))
def test_sneaking_costs_two_in_place_of_one(total: int, hexes: int) -> None:
    """SB-72"""
    play = with_beats(total, out_of_sight=["ash"])
    if 2 * hexes > total:
        play.refused("SB-72", "sneak", who="ash", hexes=hexes)
    else:
        play.do("sneak", who="ash", hexes=hexes).got("BeatsSpent", amount=2 * hexes, left=total - 2 * hexes)


@pytest.mark.parametrize(("command", "price", "rule"), [("vault", 4, "SB-73"), ("clamber", 6, "SB-74")])
@pytest.mark.parametrize("hexes", [False, True])
def test_an_obstacle_costs_its_price_with_the_hex(command: str, price: int, rule: str, hexes: bool) -> None:
    """SB-73, SB-74: the hex gained is included; exactly enough is enough."""
    for total in (price - 1, price):
        play = with_beats(total, board=big_board() if hexes else None)
        data = {"to": east(home("ash"), 1)[0]} if hexes else {}
        if total < price:
            play.refused(rule, command, who="ash", **data)
        else:
            play.do(command, who="ash", **data).got("BeatsSpent", amount=price, left=0)
            assert play.got({"vault": "Vaulted", "clamber": "Clambered"}[command]).hexes == 1
            if hexes:
                assert play.one("ash").at == Hex(home("ash").q + 1, home("ash").r)


@pytest.mark.parametrize(
    ("command", "height", "rule"),
    [
        ("vault", 2.0, ""), ("vault", 3.0, ""), ("vault", 3.5, "SB-73"),
        ("clamber", 3.5, ""), ("clamber", 8.0, ""), ("clamber", 8.5, "SB-74"),
    ],
)  # fmt: skip
def test_what_is_too_high(command: str, height: float, rule: str) -> None:
    """SB-73, SB-74: half one's height to vault, arm's reach to clamber; higher needs a ruling."""
    play = moving(sheets={"ash": {"height_ft": 6, "reach_ft": 8}})
    if rule:
        play.refused(rule, command, who="ash", height_ft=height)
        play.do(command, who="ash", height_ft=height, force=True).got("Overridden", rule=rule)
    else:
        play.do(command, who="ash", height_ft=height)


@pytest.mark.parametrize("command", ["vault", "clamber"])
def test_unknown_heights_are_the_gms_word(command: str) -> None:
    """SB-73, SB-74: without the figure's numbers any height goes."""
    moving().do(command, who="ash", height_ft=50)


@given(st.integers(0, 41), st.sampled_from(["up", "down"]))
def test_dropping_prone_costs_half_the_total(total: int, rounding: str) -> None:
    """SB-75, Q-S16: half of the total, not of what is left; an odd half goes up, or down by the setting."""
    price = total // 2 + (total % 2 if rounding == "up" else 0)
    play = with_beats(total, settings={"prone_round": rounding})
    if total == 0:
        play.refused("SB-75", "drop_prone", who="ash")
        return
    if total - price > 0:
        play.do("move", who="ash", hexes=total - price)
    play.do("drop_prone", who="ash").got("BeatsSpent", amount=price, left=0)
    play.got("DroppedProne", price=price)
    assert play.see("ash")["posture"] == "prone"


def test_dropping_prone_needs_its_price() -> None:
    """SB-75: one beat short is too few; who lies lies."""
    play = moving().do("move", who="ash", hexes=8)
    assert play.refused("SB-75", "drop_prone", who="ash").message == "needs 7 beats; you have 6"
    play.do("drop_prone", who="bram").refused("SB-75", "drop_prone", who="bram")


@pytest.mark.parametrize("spent", [0, 1, 13])
def test_rising_costs_everything(spent: int) -> None:
    """SB-76, Q-S17: the full pool is needed, so it is the only movement; with part of it gone it is impossible."""
    play = moving(sheets={"ash": {"posture": "prone"}})
    if spent:
        play.do("climb", who="bram", feet=10).do("adjust", who="ash", what="beats", value=14 - spent)
        play.refused("SB-76", "rise", who="ash")
        return
    play.do("rise", who="ash").got("Rose", price=14)
    assert (play.beats("ash"), play.see("ash")["posture"]) == (0, "standing")
    for command, data in (("move", {"hexes": 1}), ("drop_prone", {}), ("climb", {"feet": 5}), ("vault", {})):
        play.refused(
            {"move": "SB-46", "drop_prone": "SB-75", "climb": "SB-77", "vault": "SB-73"}[command],
            command,
            who="ash",
            **data,
        )


def test_rising_with_what_is_left() -> None:
    """SB-76, Q-S17: the other reading takes all that are left."""
    play = moving(sheets={"ash": {"posture": "prone"}}, settings={"rise_needs_full": False})
    play.do("adjust", who="ash", what="beats", value=5).do("rise", who="ash").got("BeatsSpent", amount=5, left=0)
    play.got("Rose", price=5)
    alone = table("ash", "orc", sheets={"ash": {"posture": "prone"}}, settings={"rise_needs_full": False}).start()
    alone.to("missile").do("adjust", who="ash", what="beats", value=5).to("move").do("rise", who="ash")
    assert alone.state.round == 1


def test_one_cannot_rise_while_standing_nor_without_beats() -> None:
    """SB-76, Q-S24"""
    moving().refused("SB-76", "rise", who="ash")
    moving(sheets={"ash": {"posture": "prone", "base_beats": 0}}).refused("SB-76", "rise", who="ash")


def test_down_and_up_again_takes_two_moments() -> None:
    """SB-75, SB-76"""
    play = moving().do("drop_prone", who="ash")
    play.refused("SB-76", "rise", who="ash")
    play.next_moment("move").do("rise", who="ash")


@pytest.mark.parametrize(
    ("feet", "price"), [(1, 1), (9.5, 1), (10, 1), (10.5, 2), (25, 3), (30, 3), (101, 11), (140, 14)]
)
def test_rope_and_ladder(feet: float, price: int) -> None:
    """SB-77: 1 beat for each 10 ft begun, up or down."""
    moving().do("climb", who="ash", feet=feet).got("BeatsSpent", amount=price, left=14 - price)


def test_a_climb_that_is_too_long_or_none() -> None:
    """SB-77"""
    play = moving(sheets={"bram": {"posture": "prone"}})
    play.refused("SB-77", "climb", who="ash", feet=141)
    for feet in (0, -10):
        play.refused("SB-77", "climb", who="ash", feet=feet)
    play.refused("SB-76", "climb", who="bram", feet=10)
    moving(sheets={"ash": {"base_beats": 0}}).refused("SB-77", "climb", who="ash", feet=10)


def test_whatever_else_moves_has_the_gms_price() -> None:
    """SB-78: asked for when unknown, remembered by its name, for anybody, whatever its letters' size."""
    play = moving().do("stunt", who="ash", name="swing on the chandelier", hexes=3)
    prompt = play.prompt("price")
    assert (prompt.rule, prompt.default, prompt.amount) == ("SB-78", "cancel", "beats")
    play.do("answer", prompt="price", amount=5).got("Stunted", who="ash", hexes=3, price=5)
    play.got("BeatsSpent", amount=5, left=9)
    play.do("stunt", who="bram", name="Swing on the Chandelier", hexes=1).got("BeatsSpent", amount=5)
    play.do("stunt", who="col", name="roll", beats=2).got("BeatsSpent", amount=2)
    play.refused("SB-78", "stunt", who="col", name="fly", beats=12)


def test_an_unpriced_stunt_may_be_called_off() -> None:
    """SB-78: the default; nothing is spent and nothing remembered."""
    play = moving().do("stunt", who="ash", name="fly").do("advance")
    play.got("RulingRecorded", rule="SB-78", choice="cancel", default_taken=True)
    assert play.beats("ash") == 14
    assert play.half() == "move.party"
    play.do("stunt", who="ash", name="fly")
    play.refused("SB-78", "answer", prompt="price", amount="d6")
    play.refused("SB-78", "answer", prompt="price", amount=-1)
    play.refused("SB-78", "answer", prompt="price", amount=15)
    play.do("answer", prompt="price", choice="cancel").never("Stunted")


def test_sb_78_nobody_who_is_down_is_asked_the_price_of_a_stunt() -> None:
    """SB-78; put right 6: the question closes when the figure falls, and not those of others."""
    play = moving().do("stunt", who="ash", name="fly").do("adjust", who="bram", what="able", value=False)
    assert play.prompt("price").who == "ash"
    play.do("adjust", who="ash", what="able", value=False)
    play.got("RulingRecorded", rule="SB-78", choice="moot")
    assert play.state.prompt("price") is None


def test_a_price_ruled_beforehand() -> None:
    """SB-78: a ruling saved as a named price."""
    play = moving().do("rule", what="price", value=3, note="Swing")
    play.got("RulingRecorded", rule="SB-78")
    play.do("stunt", who="ash", name="swing")
    play.got("BeatsSpent", amount=3)
    play.refused("SB-78", "rule", what="price", value=3)
    play.refused("SB-78", "rule", what="price", value=-3, note="fall")


@pytest.mark.parametrize("asked", [False, True])
def test_a_stunt_on_the_board_lands_in_its_hex(asked: bool) -> None:
    """SB-78: whether its price was known or had to be asked for; a free hex that it names."""
    play = moving(board=big_board())
    spot = home("ash")
    goal = [spot.q + 1, spot.r]
    play.refused("to", "stunt", who="ash", name="leap", beats=2, hexes=3)
    play.refused("to", "stunt", who="ash", name="leap", beats=2, to=[spot.q - 90, spot.r])
    if asked:
        play.do("stunt", who="ash", name="leap", to=goal).do("answer", prompt="price", amount=2)
    else:
        play.do("stunt", who="ash", name="leap", beats=2, to=goal)
    assert play.one("ash").at == Hex(*goal)
    play.do("stunt", who="ash", name="duck", beats=1)
    assert (play.one("ash").at, play.beats("ash")) == (Hex(*goal), 11)


def test_a_stunt_needs_a_name_and_no_negative_way() -> None:
    """SB-78"""
    play = moving()
    play.refused("SB-78", "stunt", who="ash", name=" ", beats=1)
    play.refused("SB-78", "stunt", who="ash", name="x", beats=1, hexes=-1)
    play.refused("SB-78", "stunt", who="ash", name="x", beats=-1)


def test_without_beats_nothing_that_is_priced_is_free() -> None:
    """SB-29, Q-S24: at a total of 0 every act priced in beats is refused, the free-looking ones too."""
    play = moving(sheets={"ash": {"armor_beat_loss": 14}}, out_of_sight=["ash"])
    for command, data, rule in (
        ("move", {"hexes": 1}, "SB-46"), ("sneak", {"hexes": 1}, "SB-72"), ("vault", {}, "SB-73"),
        ("clamber", {}, "SB-74"), ("drop_prone", {}, "SB-75"), ("climb", {"feet": 1}, "SB-77"),
    ):  # fmt: skip
        play.refused(rule, command, who="ash", **data)


@pytest.mark.parametrize("known", [True, False])
def test_a_stunt_reaches_as_far_as_it_leads(known: bool) -> None:
    """SB-78, SB-47: a rope swing of 6 hexes past an orc, stopped by the one it lands beside; the price is the GM's."""
    spot = home("ash")
    there = Hex(spot.q + 6, spot.r)
    near, far = Hex(spot.q + 3, spot.r), Hex(spot.q + 7, spot.r)
    play = moving(board=big_board(), at={"orc": near, "gob": far})
    way = {"who": "ash", "name": "rope swing", "to": list(there)}
    play.refused("SB-78", "stunt", beats=15, **way)
    if known:
        play.do("stunt", beats=5, **way)
    else:
        play.do("stunt", **way).do("answer", prompt="price", amount=5)
    play.got("Stunted", hexes=6, feet=30.0, path=(there,))
    play.got("ContactMade", enemy="gob")
    play.got("MovementHalted", enemy="gob", unwalked=0)
    assert (play.one("ash").at, play.beats("ash"), play.see("ash")["contacts"]) == (there, 9, ["gob"])


def test_a_stunt_lands_on_free_ground() -> None:
    """SB-01, SB-78: not on somebody, off the board or in a wall; and it is said before the price is asked."""
    spot = home("ash")
    walls = {"wall": Terrain("wall", blocks=True)}
    board = replace(big_board(), terrain={Hex(spot.q + 4, spot.r): "wall"}, legend=walls)
    play = moving(board=board, at={"orc": Hex(spot.q + 3, spot.r)})
    play.refused("SB-01", "stunt", who="ash", name="leap", to=[spot.q + 3, spot.r])
    play.refused("SB-78", "stunt", who="ash", name="leap", to=[spot.q + 4, spot.r])
    play.refused("to", "stunt", who="ash", name="leap", to=[spot.q + 900, spot.r])
    play.do("stunt", who="ash", name="flip", beats=1, to=list(spot)).got("Stunted", hexes=0, path=())
    assert play.asks() == []


def test_a_stunt_lands_beside_the_hidden_and_the_gm_is_asked() -> None:
    """SB-47, SB-78, Q-S8d: as on foot."""
    spot = home("ash")
    play = moving(board=big_board(), at={"orc": Hex(spot.q + 5, spot.r)}, hidden=["orc"])
    play.do("stunt", who="ash", name="leap", beats=2, to=[spot.q + 4, spot.r]).never("MovementHalted")
    assert play.asks() == ["passed_hidden"]
    play.do("leave", who="ash")
    assert play.asks() == []
