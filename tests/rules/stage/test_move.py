"""Move: hexes, contact, and where it stops (SB-01..03, SB-12, SB-31, SB-46..48)."""

from __future__ import annotations

from typing import Unpack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.base import Hex, Terrain
from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.board.zones import Zone, ZoneBoard, touching
from fightcall_engine.play.fight import Fight

from ..once import played_once
from .table import PHASES, Play, Sitting, beside, big_board, east, home, table


@played_once
def moving(*who: str, **more: Unpack[Sitting]) -> Play:
    """The party's half of Move on a big board."""
    more["board"] = big_board()
    return table(*who, **more).start().to("move")


def at(play: Play, who: str) -> Hex:
    place = play.one(who).at
    assert place is not None
    return place


def test_a_figure_takes_up_one_hex() -> None:
    """SB-01: no two on one hex, by a walk, by the GM's hand or on joining; the GM may allow the first two."""
    play = moving()
    spot = home("ash")
    play.refused("place", "place", who="bram", at=list(spot))
    play.refused("place", "join", name="Eve", at=list(spot))
    play.do("place", who="bram", at=[spot.q + 2, spot.r])
    play.refused("SB-01", "move", who="ash", path=east(spot, 2))
    play.do("move", who="ash", path=east(spot, 3)).got("Moved", hexes=3)
    play.undo().do("move", who="ash", path=east(spot, 2), force=True).got("Overridden", rule="SB-01")


def test_nobody_walks_through_an_enemy() -> None:
    """SB-01: neither ending in its hex nor passing it; a downed one is no hindrance."""
    play = moving()
    spot = home("ash")
    play.do("place", who="orc", at=[spot.q + 1, spot.r])
    play.refused("SB-01", "move", who="ash", path=east(spot, 1))
    play.refused("SB-01", "move", who="ash", path=east(spot, 4))
    play.do("adjust", who="orc", what="able", value=False)
    play.do("move", who="ash", path=east(spot, 4)).got("Moved", hexes=4)


def test_distances_are_whole_hexes() -> None:
    """SB-01: each step of a path leads to a hex next to the one before."""
    play = moving()
    spot = home("ash")
    play.refused("path", "move", who="ash", path=[[spot.q + 2, spot.r]])
    play.refused("path", "move", who="ash", path=[list(spot)])
    play.refused("path", "move", who="ash", path=[[spot.q - 1, spot.r], [spot.q - 50, spot.r]])
    play.refused("path", "move", who="ash")
    play.refused("path", "move", who="ash", to=[500, 500])
    assert at(play, "ash") == spot


def test_the_scale_is_the_gms() -> None:
    """SB-02: 5 ft a hex by default; the board's own; a setting without a board; a ruling at any time, on record."""
    play = moving().do("move", who="ash", path=east(home("ash"), 3))
    assert play.got("Moved").feet == 15
    play.do("rule", what="scale", value=10).got("RulingRecorded", rule="SB-02")
    play.do("move", who="ash", path=east(at(play, "ash"), 2))
    assert play.got("Moved").feet == 20
    words = table("ash", settings={"hex_ft": 6.0}).start().to("move").do("move", who="ash", hexes=2)
    assert words.got("Moved").feet == 12
    words.do("rule", what="scale", value=2.5).do("move", who="ash", hexes=2)
    assert words.got("Moved").feet == 5
    scaled = table("ash", board=HexBoard(cols=30, rows=9, scale=3.0), at={"ash": Hex(3, 3)}).start().to("move")
    assert scaled.do("move", who="ash", path=east(Hex(3, 3), 2)).got("Moved").feet == 6


@pytest.mark.parametrize("value", [0, -5, "wide", True, None])
def test_a_scale_is_more_than_nothing(value: object) -> None:
    """SB-02"""
    table("ash").refused("SB-02", "rule", what="scale", value=value)


@given(st.integers(0, 59), st.integers(0, 23), st.integers(0, 59), st.integers(0, 23))
def test_contact_is_distance_one(col: int, row: int, other_col: int, other_row: int) -> None:
    """SB-03: the six hexes around a figure and no others; both ways; only enemies, only the able."""
    from fightcall_engine.board.kinds import from_offset

    one, other = from_offset(col, row), from_offset(other_col, other_row)
    if one == other:
        return
    play = table("ash", "orc", board=big_board(), at={"ash": one, "orc": other})
    touching = HexBoard.distance(one, other) == 1
    assert play.state.in_contact("ash", "orc") is touching
    assert play.see("ash")["contacts"] == (["orc"] if touching else [])
    assert play.see("orc")["contacts"] == (["ash"] if touching else [])
    play.do("adjust", who="orc", what="able", value=False)
    assert play.see("ash")["contacts"] == []


def test_without_a_board_the_gm_declares_contact() -> None:
    """SB-03: between enemies only; on a board the board decides."""
    play = table().do("contact", who="ash", enemy="orc")
    assert play.see("orc")["contacts"] == ["ash"]
    play.refused("SB-03", "contact", who="ash", enemy="bram")
    play.do("contact", who="orc", enemy="ash", on=False)
    assert play.see("ash")["contacts"] == []
    table("ash", "orc", board=big_board()).refused("SB-03", "contact", who="ash", enemy="orc")


@pytest.mark.parametrize("phase", [phase for phase in PHASES if phase != "move"])
def test_beats_are_spent_in_move(phase: str) -> None:
    """SB-31: no walking, vaulting, climbing, lying down or rising in any other phase; the GM may allow it."""
    play = table("ash", "orc").do("contact", who="ash", enemy="orc").start().to(phase)
    for command, data in (
        ("move", {"hexes": 1}), ("sneak", {"hexes": 1}), ("vault", {}), ("clamber", {}), ("climb", {"feet": 10}),
        ("drop_prone", {}), ("rise", {}), ("stunt", {"name": "swing", "beats": 1}),
    ):  # fmt: skip
        play.refused("SB-31", command, who="ash", **data)
    play.do("move", who="ash", hexes=2, force=True).got("Overridden", rule="SB-31")
    assert play.beats("ash") == 12


@pytest.mark.parametrize(("who", "side", "total"), [("ash", "party", 14), ("bram", "party", 11), ("orc", "foe", 14)])
@pytest.mark.parametrize("hexes", [False, True])
def test_each_goes_as_far_as_its_beats(who: str, side: str, total: int, hexes: bool) -> None:
    """SB-46: to the last beat and not one hex more; or not at all."""
    play = table(board=big_board() if hexes else None).start().to("move", side)

    def way(steps: int) -> dict[str, object]:
        return {"path": east(home(who), steps)} if hexes else {"hexes": steps}

    said = play.refused("SB-46", "move", who=who, **way(total + 1))
    assert said.message == f"needs {total + 1} beats; you have {total}"
    assert said.accepts == (f"at most {total} beats",)
    play.do("move", who=who, **way(total)).got("BeatsSpent", who=who, amount=total, left=0)


def test_a_forced_walk_takes_what_beats_there_are() -> None:
    """SB-46: the GM may let a figure go farther; the pool never goes below nothing."""
    play = moving().do("move", who="ash", path=east(home("ash"), 20), force=True)
    play.got("Overridden", rule="SB-46", reason="needs 20 beats; you have 14")
    assert (play.beats("ash"), at(play, "ash")) == (0, Hex(home("ash").q + 20, home("ash").r))


@pytest.mark.parametrize("data", [{"hexes": 0}, {"hexes": -3}, {}, {"hexes": 3, "meets": "orc", "meets_after": -2}])
def test_a_move_is_at_least_a_hex(data: dict[str, object]) -> None:
    """SB-46"""
    table().start().to("move").refused("hexes", "move", who="ash", **data)


@pytest.mark.parametrize(("mover", "side", "enemy"), [("ash", "party", "orc"), ("orc", "foe", "ash")])
@pytest.mark.parametrize("unwalked", [0, 1, 6])
def test_contact_stops_the_walk(mover: str, side: str, enemy: str, unwalked: int) -> None:
    """SB-47: both sides (Q-S8e); the rest of the way is not walked and its beats stay; no further hex this phase."""
    play = table("ash", "orc", board=big_board()).start().to("move", side)
    spot = home(mover)
    play.do("place", who=enemy, at=list(beside(Hex(spot.q + 5, spot.r))))
    play.do("move", who=mover, path=east(spot, 5 + unwalked))
    play.got("ContactMade", who=mover, enemy=enemy)
    play.got("MovementHalted", who=mover, enemy=enemy, unwalked=unwalked)
    assert (play.beats(mover), at(play, mover)) == (9, Hex(spot.q + 5, spot.r))
    for command, data in (
        ("move", {"path": east(at(play, mover), 1)}),
        ("vault", {"to": east(at(play, mover), 1)[0]}),
        ("clamber", {"to": east(at(play, mover), 1)[0]}),
        ("stunt", {"name": "swing", "beats": 1, "to": east(at(play, mover), 1)[0]}),
    ):
        play.refused("SB-47", command, who=mover, **data)
    play.do("move", who=mover, path=[[at(play, mover).q, at(play, mover).r + 1]], force=True)
    play.got("Overridden", rule="SB-47")


def test_a_walk_priced_beyond_the_stop_is_still_a_walk_to_the_stop() -> None:
    """SB-46, SB-47: a way longer than the beats is fine where contact ends it in time."""
    play = moving()
    play.do("place", who="orc", at=list(beside(Hex(home("ash").q + 14, home("ash").r))))
    play.do("move", who="ash", path=east(home("ash"), 30)).got("MovementHalted", unwalked=16)
    assert play.beats("ash") == 0


def test_a_halt_lasts_for_the_moment_only() -> None:
    """SB-47: next Moment the figure walks again."""
    play = moving()
    spot = home("ash")
    play.do("place", who="orc", at=list(beside(Hex(spot.q + 1, spot.r)))).do("move", who="ash", path=east(spot, 2))
    assert play.see("ash")["halted_by"] == "orc"
    play.next_moment("move")
    assert play.see("ash")["halted"] is False
    play.do("move", who="ash", path=[[spot.q, spot.r], [spot.q - 1, spot.r]]).got("ContactLeft", enemy="orc")


def test_other_vaults_into_contact_stop_too() -> None:
    """SB-47, SB-73: any change of hex does, also at the table without a board."""
    play = moving()
    spot = home("ash")
    play.do("place", who="orc", at=list(beside(Hex(spot.q + 1, spot.r))))
    play.do("vault", who="ash", to=east(spot, 1)[0]).got("MovementHalted", enemy="orc", unwalked=0)
    words = table().start().to("move").do("vault", who="ash", meets="orc")
    words.got("ContactMade", enemy="orc")
    words.got("MovementHalted", enemy="orc", unwalked=0)


def test_a_vault_within_a_zone_is_one_hex_that_may_end_in_contact() -> None:
    """SB-47, SB-73: where several stand in one place the GM says who is met."""
    zones = (Zone("Hall", 0, 0), Zone("Yard", 1, 0))
    play = Play(Fight.new("stage", board=ZoneBoard(zones, touching(zones))))
    for who, side in (("ash", "party"), ("orc", "foe")):
        play.do("join", name=who.title(), id=who, side=side, at="Hall", sheet={})
    play.start().to("move").do("vault", who="ash", meets="orc").got("Vaulted", hexes=1, path=())
    play.got("MovementHalted", enemy="orc", unwalked=0)


def test_downed_enemies_have_no_zone() -> None:
    """SB-47, Q-S8d"""
    play = moving().do("place", who="orc", at=list(beside(Hex(home("ash").q + 2, home("ash").r))))
    play.do("adjust", who="orc", what="able", value=False).do("move", who="ash", path=east(home("ash"), 9))
    play.got("Moved", hexes=9)
    play.never("MovementHalted")


def test_friends_have_no_zone() -> None:
    """SB-47"""
    play = moving().do("place", who="bram", at=list(beside(Hex(home("ash").q + 2, home("ash").r))))
    play.do("move", who="ash", path=east(home("ash"), 9)).never("MovementHalted")


@pytest.mark.parametrize("noticed", ["yes", "no"])
def test_an_unseen_enemy_stops_nobody_but_the_gm_is_asked(noticed: str) -> None:
    """SB-47, Q-S8d: whether the walker notices."""
    play = moving(hidden=["orc"]).do("place", who="orc", at=list(beside(Hex(home("ash").q + 2, home("ash").r))))
    play.do("move", who="ash", path=east(home("ash"), 9)).got("Moved", hexes=9)
    prompt = play.prompt("passed_hidden")
    assert (prompt.rule, prompt.default, prompt.blocking, prompt.who) == ("SB-47", "no", False, "orc")
    play.do("answer", prompt="passed_hidden", choice=noticed)
    assert play.one("orc").hidden is (noticed == "no")


def test_the_way_to_a_hex_keeps_clear_of_zones() -> None:
    """SB-47: a way found by itself goes round where it can."""
    play = moving()
    spot = home("ash")
    play.do("place", who="orc", at=[spot.q + 3, spot.r])
    play.do("move", who="ash", to=[spot.q + 6, spot.r]).never("MovementHalted")
    assert at(play, "ash") == Hex(spot.q + 6, spot.r)
    assert play.beats("ash") < 14 - 6


def test_dropping_prone_is_open_after_a_stop() -> None:
    """SB-47, Q-S8a: contact stops hexes only; or everything, by the setting."""
    for reading, stopped in (("hexes_only", False), ("everything", True)):
        play = table("ash", "bram", "orc", settings={"contact_stop": reading}).start().to("move")
        play.do("move", who="ash", hexes=2, meets="orc")
        for command, data in (("climb", {"feet": 10}), ("drop_prone", {})):
            if stopped:
                play.refused("SB-47", command, who="ash", **data)
            else:
                play.do(command, who="ash", **data)


@pytest.mark.parametrize(("reading", "half"), [("hexes_only", "move.party"), ("everything", "move.foe")])
def test_a_half_ends_when_the_last_who_could_move_is_stopped(reading: str, half: str) -> None:
    """SB-47, SB-77, Q-S8a: whoever has beats left is waited for, if only to climb; who can do nothing is not."""
    play = table("ash", "orc", settings={"contact_stop": reading}).start().to("move")
    play.do("move", who="ash", hexes=2, meets="orc")
    assert play.half() == half
    short = table("ash", "orc", settings={"contact_stop": reading}).start().to("move")
    short.do("move", who="ash", hexes=13, meets="orc")
    assert short.half() == half
    if reading == "hexes_only":
        assert short.do("climb", who="ash", feet=10).half() == "move.foe"


def test_who_is_prone_and_cannot_rise_may_still_do_priced_business() -> None:
    """SB-23, SB-76: the half waits for them as long as a beat is left."""
    play = table("ash", "orc").start().to("move").do("move", who="ash", hexes=4).do("drop_prone", who="ash")
    assert (play.beats("ash"), play.half()) == (3, "move.party")
    assert play.do("business", who="ash", name="kick the lamp over", beats=3).half() == "move.foe"


@pytest.mark.parametrize("hexes", [False, True])
def test_leaving_contact_is_free_and_unpunished(hexes: bool) -> None:
    """SB-48: only the beats of the walk; nobody gets a strike, nobody is asked."""
    play = table("ash", "orc", "gob", board=big_board() if hexes else None)
    spot = home("ash")
    for enemy, place in (("orc", Hex(spot.q - 1, spot.r)), ("gob", Hex(spot.q - 1, spot.r + 1))):
        if hexes:
            play.do("place", who=enemy, at=list(place))
        else:
            play.do("contact", who="ash", enemy=enemy)
    assert play.see("ash")["contacts"] == ["orc", "gob"]
    play.start().to("move")
    play.do("move", who="ash", **({"path": east(spot, 2)} if hexes else {"hexes": 2}))
    assert {one.enemy for one in play.all("ContactLeft")} == {"orc", "gob"}
    play.got("BeatsSpent", amount=2, left=12)
    assert {one.type for one in play.last} <= {"Moved", "BeatsSpent", "ContactLeft", "HalfEnded", "HalfBegan"}
    assert play.asks() == []


def test_prone_figures_do_not_walk() -> None:
    """SB-76, Q-S26: refused unless the GM allows crawling."""
    play = moving(sheets={"ash": {"posture": "prone"}}, out_of_sight=["ash"])
    step = east(home("ash"), 1)
    for command, data in (("move", {"path": step}), ("sneak", {"path": step}), ("vault", {"to": step[0]})):
        play.refused("SB-76", command, who="ash", **data)
    play.do("move", who="ash", path=step, force=True).got("Overridden", rule="SB-76")


def test_ground_asks_its_own_price() -> None:
    """SB-71, SB-78: difficult ground multiplies it; blocked ground cannot be entered; both by the board."""
    board = HexBoard(
        cols=20, rows=9,
        terrain={Hex(4, 3): "mud", Hex(3, 4): "wall"},
        legend={"mud": Terrain("mud", cost=3), "wall": Terrain("wall", blocks=True)},
    )  # fmt: skip
    play = table("ash", "orc", board=board, at={"ash": Hex(3, 3), "orc": Hex(15, 0)}, out_of_sight=["ash"])
    play.start().to("move").do("move", who="ash", path=east(Hex(3, 3), 2)).got("BeatsSpent", amount=4)
    play.undo().do("sneak", who="ash", path=east(Hex(3, 3), 1)).got("BeatsSpent", amount=6)
    play.undo().refused("SB-78", "move", who="ash", path=[[3, 4]])
    play.do("move", who="ash", path=[[3, 4]], force=True).got("Overridden", rule="SB-78")


def test_a_figure_faces_where_it_walked() -> None:
    """SB-46: on a board the facing follows the last step."""
    play = moving().do("move", who="ash", path=east(home("ash"), 2))
    assert play.one("ash").facing == 0
    play.do("move", who="ash", path=[[at(play, "ash").q, at(play, "ash").r - 1]])
    assert play.one("ash").facing == 2


def test_words_and_hexes_are_not_mixed() -> None:
    """SB-46: a path needs a board, a number of hexes needs none; `meets` names an enemy."""
    words = table().start().to("move")
    words.refused("path", "move", who="ash", path=[[1, 1]])
    words.refused("path", "move", who="ash", to=[1, 1])
    words.refused("to", "vault", who="ash", to=[1, 1])
    words.refused("SB-47", "move", who="ash", hexes=2, meets="bram")
    words.refused("who", "move", who="ash", hexes=2, meets="zed")
    moving().refused("to", "vault", who="ash")


def test_a_figure_off_the_board_moves_in_words() -> None:
    """SB-03: who has no place on the map is the GM's to say."""
    play = moving().do("place", who="ash", at=None).do("move", who="ash", hexes=3, meets="orc")
    assert play.beats("ash") == 11
    assert play.see("ash")["contacts"] == ["orc"]


@given(st.lists(st.tuples(st.sampled_from(["ash", "orc"]), st.integers(1, 15), st.integers(0, 5)), max_size=12))
def test_every_accepted_walk_costs_its_hexes_and_ends_at_the_first_contact(walks: list[tuple[str, int, int]]) -> None:
    """SB-46, SB-47, SB-71: for any walks in any order."""
    from fightcall_engine.model.errors import Refused

    play = table("ash", "orc", board=big_board(), at={"ash": Hex(10, 10), "orc": Hex(18, 10)}).start().to("move")
    for who, steps, direction in walks:
        side = play.one(who).side
        if play.state.phase != "move":
            break
        if play.half() != f"move.{side}":
            continue
        start, left = at(play, who), play.beats(who)
        dq, dr = HexBoard.step(Hex(0, 0), direction)
        path = [[start.q + dq * step, start.r + dr * step] for step in range(1, steps + 1)]
        enemy = at(play, "orc" if who == "ash" else "ash")
        before = play.state
        try:
            play.do("move", who=who, path=path)
        except Refused:
            assert play.state is before
            continue
        end = at(play, who)
        walked = play.got("Moved").hexes
        entered = [Hex(*place) for place in path[:walked]]
        assert end == entered[-1]
        assert left - play.one(who).pools["beats"].now == walked
        assert enemy not in entered
        assert not any(HexBoard.distance(place, enemy) == 1 for place in entered[:-1])
        assert (HexBoard.distance(end, enemy) == 1) is bool(play.all("MovementHalted"))


def test_the_fallen_stop_nobody_without_a_board_either() -> None:
    """SB-37, SB-47, Q-S8d: the whole way is walked, and there is no contact; on his feet again he stops it."""
    play = table("ash", "orc").do("adjust", who="orc", what="able", value=False).start().to("move")
    play.do("move", who="ash", hexes=5, meets="orc", meets_after=2).got("Moved", hexes=5)
    play.never("MovementHalted")
    play.never("ContactMade")
    play.undo().do("adjust", who="orc", what="able", value=True)
    play.copy().do("move", who="ash", hexes=5, meets="orc", meets_after=5).got("MovementHalted", unwalked=0)
    play.refused("meets_after", "move", who="ash", hexes=5, meets="orc", meets_after=6)
    play.do("move", who="ash", hexes=5, meets="orc", meets_after=2).got("MovementHalted", enemy="orc", unwalked=3)


@pytest.mark.parametrize(("command", "data"), [("vault", {}), ("stunt", {"name": "slide", "beats": 2, "hexes": 2})])
def test_the_fallen_stop_no_vault_and_no_stunt(command: str, data: dict[str, object]) -> None:
    """SB-47, Q-S8d"""
    play = table("ash", "orc").do("adjust", who="orc", what="able", value=False).start().to("move")
    play.do(command, who="ash", meets="orc", **data).never("MovementHalted")


@pytest.mark.parametrize("reading", ["hexes_only", "everything"])
def test_contact_by_a_creep_stops_the_rest_of_meeting_alone(reading: str) -> None:
    """SB-42, SB-47: no further creep; in Move the unspent beats are his to use, without a board too."""
    play = table("col", "orc", hidden=["col"], settings={"contact_stop": reading}).start()
    play.do("creep", who="col", hexes=3, meets="orc", meets_after=2, rolls={"sneak": [1]}).got("MovementHalted")
    assert play.refused("SB-47", "creep", who="col", hexes=1).accepts == ("the Move phase",)
    play.to("move").do("move", who="col", hexes=9).got("ContactLeft", enemy="orc")
    assert play.beats("col") == 0


def test_contact_by_a_creep_is_made_at_its_end_where_nothing_else_is_said() -> None:
    """SB-42, SB-47"""
    play = table("col", "orc", hidden=["col"]).start()
    play.do("creep", who="col", hexes=3, meets="orc", rolls={"sneak": [1]}).got("Moved", hexes=3)


def test_the_fallen_are_left_behind_without_a_board() -> None:
    """SB-37, SB-48: healed later, he is not in contact with who has walked away from him; who stayed is."""
    play = table("ash", "bram", "orc", sheets={"orc": {"hp": 3}})
    for who in ("ash", "bram"):
        play.do("contact", who=who, enemy="orc")
    play.do("damage", who="orc", amount=3).start().to("move").do("move", who="ash", hexes=5)
    play.do("heal", who="orc", amount=1)
    assert play.see("orc")["contacts"] == ["bram"]


def test_what_a_halted_or_prone_figure_is_offered_it_can_do() -> None:
    """SB-47, SB-75, SB-76: dropping prone and rising are named only where there are the beats for them."""
    play = table("ash", "orc").start().to("move").do("move", who="ash", hexes=7, meets="orc")
    assert play.refused("SB-47", "move", who="ash", hexes=1).accepts == ("drop prone",)
    play.undo().do("move", who="ash", hexes=8, meets="orc")
    assert play.refused("SB-47", "move", who="ash", hexes=1).accepts == ("the next Moment",)
    play.undo().do("move", who="ash", hexes=1).do("drop_prone", who="ash")
    assert "rise" not in play.refused("SB-76", "move", who="ash", hexes=1).accepts
