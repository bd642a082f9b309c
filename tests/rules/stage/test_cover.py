"""Cover, full and partial (SB-65..70)."""

from __future__ import annotations

from typing import Unpack

import pytest

from fightcall_engine.board.base import Hex, Terrain
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.model.commands import Join
from fightcall_engine.play.fight import Fight

from ..once import played_once
from .table import Play, Sitting, table

HIT = {"hit": True, "damage": 1}


@played_once
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
    """SB-66: in the open at the start, in full cover by the GM's word now: no shot before the next Move."""
    play = table().start().to("missile").do("set_cover", who="ash", cover="full")
    play.got("RulingRecorded", rule="SB-66", choice="full")
    play.refused("SB-66", "shoot", who="ash", target="orc", **HIT)
    play.refused("SB-66", "set_cover", who="ash", cover="open")
    play.to("move").do("set_cover", who="ash", cover="open").next_moment("missile")
    play.do("shoot", who="ash", target="orc", **HIT)


@pytest.mark.parametrize("cover", ["open", "partial"])
@pytest.mark.parametrize("half", ["meeting", "missile", "melee", "magic", "management", "move foe"])
def test_full_cover_is_left_only_in_ones_own_move(half: str, cover: str) -> None:
    """SB-66; put right 11: nobody shoots, ducks and shoots in every Moment; the GM may still allow it."""
    phase, _, side = half.partition(" ")
    play = table(settings={"strike_beat_cost": 0}).do("contact", who="ash", enemy="orc").start()
    play.do("set_cover", who="ash", cover="full").to(phase, side or "party")
    said = play.refused("SB-66", "set_cover", who="ash", cover=cover)
    assert said.accepts == ("the party's half of Move",)
    option = next((each for each in play.fight.system.options(play.state, "ash") if each.action == "cover"), None)
    assert option is None or not option.legal
    play.do("set_cover", who="ash", cover="full").do("set_cover", who="bram", cover=cover)
    play.do("set_cover", who="ash", cover=cover, force=True).got("Overridden", rule="SB-66")


def test_full_cover_is_not_left_between_moments() -> None:
    """SB-66; put right 11: only before the first Moment is cover free to choose; later it waits for the next Move."""
    play = table("ash", "orc", sheets={"ash": {"cover": "full"}}).do("set_cover", who="ash", cover="open")
    play.do("set_cover", who="ash", cover="full").start().end_moment()
    play.refused("SB-66", "set_cover", who="ash", cover="open")
    play.next_moment("move").do("set_cover", who="ash", cover="open").never("RulingRecorded")


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
    assert passed == [("missile", "no one can use it")]


HEDGES = HexBoard(
    cols=20, rows=9,
    terrain={Hex(4, 3): "hedge", Hex(5, 3): "hedge", Hex(6, 3): "tower"},
    legend={"hedge": Terrain("hedge", cover="partial"), "tower": Terrain("tower", cover="full")},
)  # fmt: skip


def test_cover_is_given_where_the_way_ends_without_a_board() -> None:
    """SB-47, SB-65: stopped after 2 hexes of 5 he is in the open; walked whole, he is behind it."""
    play = table("ash", "orc", sheets={"ash": {"cover": "full"}}).start().to("move")
    play.do("move", who="ash", hexes=5, meets="orc", meets_after=2, cover="full").got("MovementHalted", unwalked=3)
    assert play.see("ash")["cover"] == "open"
    for data in ({"hexes": 5, "meets": "orc"}, {"hexes": 5}):
        play.undo().do("move", who="ash", cover="partial", **data)
        assert play.see("ash")["cover"] == "partial"


def test_cover_is_given_where_the_way_ends_on_a_board() -> None:
    """SB-47, SB-65: contact stops him in the open before the tower, or in a hedge whose cover he then has."""
    play = table("ash", "orc", board=HEDGES, at={"ash": Hex(1, 3), "orc": Hex(4, 2)}).start().to("move")
    play.do("move", who="ash", path=[[2, 3], [3, 3], [4, 3], [5, 3], [6, 3]], cover="full")
    play.got("MovementHalted", enemy="orc", unwalked=3)
    assert play.see("ash")["cover"] == "open"
    play.undo().do("place", who="orc", at=[6, 2]).do("place", who="ash", at=[2, 3])
    play.do("move", who="ash", path=[[3, 3], [4, 3], [5, 3], [6, 3]], cover="full").got("MovementHalted", unwalked=1)
    assert play.see("ash")["cover"] == "partial"


@pytest.mark.parametrize("where", ["nowhere", "board"])
def test_who_leaves_a_hex_leaves_its_cover(where: str) -> None:
    """SB-65, SB-66: cover taken behind a table stays with the table, on foot, by vaulting and by a stunt alike."""
    board = HEDGES if where == "board" else None
    play = table("ash", "orc", board=board, at={"ash": Hex(1, 5), "orc": Hex(15, 0)}).start().to("move")
    play.do("set_cover", who="ash", cover="full")
    walk = {"path": [[2, 5]]} if board else {"hexes": 1}
    over = {"to": [2, 5]} if board else {}
    swing = {"to": [8, 5]} if board else {"hexes": 7}
    play.do("move", who="ash", **walk).got("CoverChanged", before="full", value="open")
    play.undo().do("vault", who="ash", **over).got("CoverChanged", value="open")
    play.undo().do("stunt", who="ash", name="swing", beats=3, **swing).got("CoverChanged", value="open")
    play.undo().do("stunt", who="ash", name="duck", beats=1).never("CoverChanged")


@pytest.mark.parametrize(("place", "cover"), [(Hex(5, 3), "partial"), (Hex(6, 3), "full"), (Hex(7, 3), "open")])
def test_the_ground_gives_cover_from_the_start_and_to_who_joins(place: Hex, cover: str) -> None:
    """SB-65..68: as walking there does; full cover at the start bars this Moment's shot."""
    there = {"side": "party", "sheet": {}, "at": place}
    fight = Fight.new("stage", board=HEDGES, joins=[Join(name="Fay", id="fay", **there)])  # type: ignore[arg-type]
    play = Play(fight).start()
    assert (play.see("fay")["cover"], play.see("fay")["cover_at_start"]) == (cover, cover)
    play.do("leave", who="fay").do("join", name="Gil", id="gil", side="party", at=list(place))
    assert play.see("gil")["cover"] == cover


def test_the_sheets_cover_goes_before_the_grounds() -> None:
    """SB-65: who lies flat behind a hedge has said so."""
    play = table("ash", board=HEDGES, at={"ash": Hex(5, 3)}, sheets={"ash": {"cover": "full"}}).start()
    assert play.see("ash")["cover"] == "full"


def test_who_is_put_somewhere_has_the_cover_of_that_place() -> None:
    """SB-66: put into the tower and out of it again; the GM's word on cover stays where no ground has any."""
    play = table("ash", "orc", board=HEDGES, at={"ash": Hex(1, 5), "orc": Hex(15, 0)}).start()
    play.do("place", who="ash", at=[6, 3]).got("CoverChanged", value="full")
    play.do("place", who="ash", at=[9, 3]).got("CoverChanged", value="open")
    play.do("set_cover", who="ash", cover="partial").do("place", who="ash", at=[10, 3]).never("CoverChanged")


def test_the_ruling_on_the_next_targets_cover_waits_for_a_target_that_has_cover() -> None:
    """SB-70: a shot at somebody in the open does not use it up; one whose outcome the GM says does."""
    play = behind("partial", "orc").do("rule", what="cover", value=3).to("missile")
    shot = {"needs": 12, "damage": 1, "rolls": {"attack": [10]}}
    play.do("shoot", who="ash", target="gob", **shot).got("StrikeResolved", modifier=0, hit=True)
    play.do("shoot", who="bram", target="orc", **shot).got("StrikeResolved", modifier=3, hit=False)
    play.undo().do("shoot", who="bram", target="orc", hit=False)
    play.do("shoot", who="col", target="orc", **shot).got("StrikeResolved", modifier=1)


def test_what_cover_adds_is_named_only_where_it_adds_something() -> None:
    """SB-69: the trail says whose the number is; of nothing there is no source."""
    for cover, words in (("", "added to a shooter's die"), ("partial", "added to a shooter's die: partial cover")):
        play = table("ash", "orc", sheets={"orc": {"cover": cover} if cover else {}}).start()
        assert play.fight.explain("orc", "cover").parts[-1].label == words
