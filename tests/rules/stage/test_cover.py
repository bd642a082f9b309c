"""Cover, full and partial (SB-65..70)."""

from __future__ import annotations

from typing import Unpack

import pytest

from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.terrain import Terrain

from .table import Play, Sitting, table

HIT = {"hit": True, "damage": 1}


def behind(cover: str, *who: str, **more: Unpack[Sitting]) -> Play:
    """These figures start in this cover."""
    more["sheets"] = {one: {"cover": cover} for one in who}
    return table(**more).start()


def test_full_cover_keeps_missiles_off() -> None:
    """SB-65: nobody shoots at a figure in full cover, from either side; the GM may allow it."""
    play = behind("full", "orc", "bram").to("missile")
    said = play.refused("SB-65", "shoot", who="ash", target="orc", **HIT)
    assert said.accepts == ("another target",)
    play.do("shoot", who="ash", target="orc", force=True, **HIT).got("Overridden", rule="SB-65")
    play.to("missile", "foe").refused("SB-65", "shoot", who="gob", target="bram", **HIT)
    play.do("shoot", who="gob", target="ash", **HIT)


def test_full_cover_is_no_help_against_blade_or_spell() -> None:
    """SB-65: missiles only."""
    play = table(sheets={"orc": {"cover": "full"}}).do("contact", who="ash", enemy="orc").start().to("melee")
    play.do("strike", who="ash", target="orc", **HIT).to("magic").do("cast", who="bram", target="orc", **HIT)


@pytest.mark.parametrize(("who", "side", "target"), [("ash", "party", "gob"), ("orc", "foe", "bram")])
def test_who_starts_in_full_cover_does_not_shoot_in_this_moment(who: str, side: str, target: str) -> None:
    """SB-67: not even after leaving it, for Missile comes before Move; next Moment it may."""
    play = behind("full", who).to("missile", side)
    play.refused("SB-67", "shoot", who=who, target=target, **HIT)
    play.to("move", side).do("move", who=who, hexes=1, cover="open").got("CoverChanged", before="full", value="open")
    assert play.see(who)["cover_at_start"] == "full"
    play.refused("SB-67", "shoot", who=who, target=target, **HIT)
    play.next_moment("missile", side).do("shoot", who=who, target=target, **HIT)


def test_who_has_gone_into_full_cover_does_not_shoot() -> None:
    """SB-66: cover taken in Move bars the next Moment's shot too, until a Move leads into the open."""
    play = table().start().to("move").do("set_cover", who="ash", cover="full")
    play.next_moment("missile").refused("SB-67", "shoot", who="ash", target="orc", **HIT)
    play.to("move").next_moment("missile").refused("SB-67", "shoot", who="ash", target="orc", **HIT)
    play.to("move").do("set_cover", who="ash", cover="open").next_moment("missile")
    play.do("shoot", who="ash", target="orc", **HIT)


def test_cover_taken_by_a_ruling_before_the_shot() -> None:
    """SB-66: in the open at the start, in full cover by the GM's word now: no shot until it is in the open again."""
    play = table().start().to("missile").do("set_cover", who="ash", cover="full")
    play.got("RulingRecorded", rule="SB-66", choice="full")
    play.refused("SB-66", "shoot", who="ash", target="orc", **HIT)
    play.do("set_cover", who="ash", cover="open").do("shoot", who="ash", target="orc", **HIT)


def test_partial_cover_is_stepping_into_the_open() -> None:
    """SB-66, SB-68, Q-S27: from full to partial in Move, and next Moment it may shoot."""
    play = behind("full", "ash").to("move").do("set_cover", who="ash", cover="partial")
    play.never("RulingRecorded")
    play.next_moment("missile").do("shoot", who="ash", target="orc", **HIT)


def test_partial_cover_lets_shoot_and_be_shot() -> None:
    """SB-68: starting in it bars nothing."""
    play = behind("partial", "ash", "orc").to("missile").do("shoot", who="ash", target="orc", **HIT)
    play.to("missile", "foe").do("shoot", who="orc", target="ash", **HIT)


@pytest.mark.parametrize(("die", "hit"), [(1, True), (10, True), (11, True), (12, False), (20, False)])
def test_partial_cover_adds_one_to_the_missile_die(die: int, hit: bool) -> None:
    """SB-69: 12 or less is wanted, so 11 is the last that hits."""
    play = behind("partial", "orc").to("missile")
    play.do("shoot", who="ash", target="orc", needs=12, damage=1, rolls={"attack": [die]})
    play.got("StrikeResolved", die=die, modifier=1, total=die + 1, hit=hit)


def test_partial_cover_hinders_also_where_high_is_good() -> None:
    """SB-69: against the shooter, whichever way the die counts."""
    play = behind("partial", "orc", settings={"strike_roll": "high"}).to("missile")
    play.do("shoot", who="ash", target="orc", needs=12, damage=1, rolls={"attack": [12]})
    play.got("StrikeResolved", modifier=-1, total=11, hit=False)


def test_partial_cover_is_for_missiles_only() -> None:
    """SB-69, Q-S9: not for the covered figure's own shots, nor in melee or magic."""
    play = table(sheets={"orc": {"cover": "partial"}, "ash": {"cover": "partial"}})
    play.do("contact", who="ash", enemy="orc").start().to("missile")
    play.do("shoot", who="ash", target="gob", needs=12, damage=1, rolls={"attack": [12]}).got(
        "StrikeResolved", modifier=0
    )
    play.undo().to("melee").do("strike", who="ash", target="orc", needs=12, damage=1, rolls={"attack": [12]})
    play.got("StrikeResolved", modifier=0, hit=True)
    play.to("magic").do("cast", who="bram", target="orc", needs=12, damage=1, rolls={"attack": [12]})
    play.got("StrikeResolved", modifier=0, hit=True)


def test_the_covers_number_is_a_setting() -> None:
    """SB-69, SB-70"""
    play = behind("partial", "orc", settings={"partial_cover_mod": 4}).to("missile")
    play.do("shoot", who="ash", target="orc", needs=12, damage=1, rolls={"attack": [9]})
    play.got("StrikeResolved", modifier=4, total=13, hit=False)


def test_the_gm_may_use_another_modifier() -> None:
    """SB-70: for one shot, for the next target, for this cover as long as it stands; each on record."""
    play = behind("partial", "orc", "gob").to("missile")
    shot = {"needs": 12, "damage": 1, "rolls": {"attack": [10]}}
    play.do("shoot", who="ash", target="orc", cover=3, **shot).got("RulingRecorded", rule="SB-70", choice="+3")
    play.got("StrikeResolved", modifier=3, hit=False)
    play.undo().do("rule", what="cover", value=3).do("shoot", who="ash", target="orc", **shot)
    play.got("StrikeResolved", modifier=3, hit=False)
    play.do("shoot", who="bram", target="orc", **shot).got("StrikeResolved", modifier=1, hit=True)
    play.do("rule", what="cover", who="gob", value=0).do("shoot", who="col", target="gob", **shot)
    play.got("StrikeResolved", modifier=0, hit=True)
    play.next_moment("missile").do("shoot", who="ash", target="gob", **shot).got("StrikeResolved", modifier=0)


@pytest.mark.parametrize("value", ["thick", True, 1.5, None])
def test_a_modifier_is_a_number(value: object) -> None:
    """SB-70"""
    table().start().refused("SB-70", "rule", what="cover", value=value)


def test_the_ruling_for_the_next_shot_waits_for_a_shot() -> None:
    """SB-70: a blow does not use it up."""
    play = table(sheets={"gob": {"cover": "partial"}}).do("contact", who="ash", enemy="orc")
    play.do("rule", what="cover", value=2).start().to("melee")
    play.do("strike", who="ash", target="orc", needs=12, damage=1, rolls={"attack": [12]}).got(
        "StrikeResolved", modifier=0
    )
    play.next_moment("missile").do("shoot", who="ash", target="gob", needs=12, damage=1, rolls={"attack": [11]})
    play.got("StrikeResolved", modifier=2, hit=False)


def test_other_modifiers_add_to_the_covers() -> None:
    """SB-69: the GM's own for range or light."""
    play = behind("partial", "orc").to("missile")
    play.do("shoot", who="ash", target="orc", needs=12, modifier=-2, damage=1, rolls={"attack": [13]})
    play.got("StrikeResolved", modifier=-1, total=12, hit=True)


@pytest.mark.parametrize("cover", ["none", "waist-high", ""])
def test_only_three_covers_are_known(cover: str) -> None:
    """SB-65"""
    play = table().start().to("move")
    said = play.refused("cover", "set_cover", who="ash", cover=cover)
    assert said.accepts == ("open", "partial", "full")
    if cover:
        play.refused("cover", "move", who="ash", hexes=1, cover=cover)


def test_the_downed_take_no_cover() -> None:
    """SB-37: neither in Move nor by a ruling without force."""
    play = table("ash", "bram", "orc").do("adjust", who="ash", what="able", value=False).start().to("move")
    play.refused("SB-37", "set_cover", who="ash", cover="full")
    play.do("set_cover", who="ash", cover="full", force=True).got("Overridden", rule="SB-37")


def test_the_ground_gives_cover() -> None:
    """SB-66, SB-68: walking into it and out of it on a board; the GM's word goes before."""
    board = HexBoard(
        cols=20, rows=9,
        terrain={Hex(5, 3): "hedge", Hex(6, 3): "tower"},
        legend={"hedge": Terrain("hedge", cover="partial"), "tower": Terrain("tower", cover="full")},
    )  # fmt: skip
    play = table("ash", "orc", board=board, at={"ash": Hex(3, 3), "orc": Hex(15, 0)}).start().to("move")
    for place, cover in ((4, "open"), (5, "partial"), (6, "full"), (7, "open")):
        play.do("move", who="ash", path=[[place, 3]])
        assert play.see("ash")["cover"] == cover
    play.do("move", who="ash", path=[[6, 3]], cover="open")
    assert play.see("ash")["cover"] == "open"


def test_shooters_behind_full_cover_are_not_waited_for() -> None:
    """SB-67: a half of Missile in which all are barred passes by itself."""
    play = behind("full", "ash", "bram", "col").to("missile", "foe")
    passed = [(one.phase, one.reason) for one in play.heard if one.type == "HalfSkipped"]
    assert passed == [("missile", "none eligible")]
