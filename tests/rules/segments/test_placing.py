"""Fields of Approach, Zones and the modes of melee on the board and by the GM's word (CS-250, CS-300 to CS-326)."""

import pytest

from fightcall_engine.board.kinds import HexBoard, any_board
from fightcall_engine.systems.segments.combat import attack_values
from fightcall_engine.systems.segments.state import places
from fightcall_engine.systems.segments.state.records import Blow

from ..once import played_once
from .table import DAGGER, POLEARM, SWORD, Play, table

SHOT = Blow("ash", "orc", kind="missile", weapon="bow")

HEXES = any_board(HexBoard(20, 15))


@played_once
def faced(field: str = "", mode: str = "", **sheet: object) -> Play:
    """Ash, and an orc that the GM says is somewhere about him."""
    play = table(ash=sheet, orc={"side": "foe", "weapons": [SWORD]})
    return play.do("approach", who="ash", foe="orc", field=field, mode=mode) if field else play


@pytest.mark.parametrize(
    ("facing", "place", "field"),
    [
        (0, "F3", "F"), (1, "F3", "RF"), (5, "F3", "LF"), (2, "F3", "RR"), (4, "F3", "LR"), (3, "F3", "R"),
        (0, "C8", "RS"),
    ],
)  # fmt: skip
def test_cs_300_a_hex_lies_in_the_field_its_bearing_tells(facing: int, place: str, field: str) -> None:
    play = table(HEXES, ash={"at": "E3", "facing": facing}, orc={"side": "foe", "at": place})
    state, one, foe = play.state, play.one("ash"), play.one("orc")
    assert places.field_of(state, one, foe) == field


def test_cs_300_without_a_facing_or_a_board_the_gm_says_which_field() -> None:
    play = table(HEXES, ash={"at": "E3"}, orc={"side": "foe", "at": "F3"})
    assert places.field_of(play.state, play.one("ash"), play.one("orc")) is None
    play.do("approach", who="ash", foe="orc", field="LS")
    assert places.field_of(play.state, play.one("ash"), play.one("orc")) == "LS"


@pytest.mark.parametrize(
    ("field", "hidden", "warned", "hands", "dodge"),
    [
        ("F", False, False, ("R", "L"), True),
        ("LS", False, False, ("L",), True),
        ("RR", False, False, ("R",), True),
        ("RR", True, False, (), False),
        ("R", False, False, (), False),
        ("R", False, True, (), True),
    ],
)
def test_g_60_which_hands_defend_a_field(
    field: str, hidden: bool, warned: bool, hands: tuple[str, ...], dodge: bool
) -> None:
    """G-60, CS-301 to CS-305: sides and rear flanks by the hand there, rear flanks if aware, the rear once warned."""
    play = faced(field, weapons=[SWORD])
    play.do("adjust", who="orc", what="hidden", value=hidden)
    play.do("adjust", who="ash", what="warned", value=warned)
    found = places.defence_of(play.state, play.one("ash"), play.one("orc"))
    assert (found.hands, found.dodge) == (hands, dodge)


@pytest.mark.parametrize(("field", "hands"), [("F", ("R", "L")), ("LS", ("L",)), ("RS", ("R",)), ("LR", ()), ("R", ())])
def test_cs_301_cs_302_which_hands_attack_into_a_field(field: str, hands: tuple[str, ...]) -> None:
    play = faced(field)
    assert places.attack_hands(play.state, play.one("ash"), play.one("orc")) == hands


@pytest.mark.parametrize(
    ("weapon", "field", "mode", "gap"),
    [
        (POLEARM, "F", "common", 4),
        (DAGGER, "F", "close", 0),
        ({**SWORD, "size": 3}, "F", "close", 0),
        (POLEARM, "R", "close", 0),
        (POLEARM, "", "common", 4),
    ],
)
def test_g_57_g_61_length_makes_the_mode_where_it_reaches(
    weapon: dict[str, object], field: str, mode: str, gap: int
) -> None:
    """G-57, G-61, CS-315, CS-317, CS-324: a polearm of Size 7 keeps foes 4 ft off, but not from behind; A-45."""
    play = faced(field if field else "", weapons=[weapon])
    state, one, foe = play.state, play.one("ash"), play.one("orc")
    assert places.melee_mode(state, foe, one) == mode
    assert places.keep_off_feet(state, one, foe) == gap


@pytest.mark.parametrize(("size", "refused"), [(6, True), (5, False)])
def test_g_58_out_reached_by_two_points_of_size(size: int, refused: bool) -> None:
    """G-58, CS-318: a sword of Size 4 does not reach the body behind one of Size 6; behind one of Size 5 it does."""
    play = faced("F", weapons=[{**POLEARM, "size": size}])
    state, ash, orc = play.state, play.one("ash"), play.one("orc")
    broken = [one.rule for one in places.reach_checks(state, orc, ash, 4) if not one.holds]
    assert broken == (["CS-318"] if refused else [])


@pytest.mark.parametrize(("size", "refused"), [(2, False), (3, False), (4, True)])
@pytest.mark.parametrize("attack", ["", "kick", "trip", "knee"])
def test_cs_315_bare_hands_are_free_to_attack_whoever_keeps_nobody_off(size: int, refused: bool, attack: str) -> None:
    """CS-315, L2301 to L2305: a weapon of up to half its bearer's height does not separate the bodies (A-45)."""
    club = {"name": "club", "size": size, "av": 30}
    play = table(ash={"weapons": []}, orc={"side": "foe", "weapons": [club]}).begin(ash=20, orc=10)
    blow: dict[str, object] = {"who": "ash", "target": "orc", "attack": attack}
    if refused:
        assert "inside: true" in play.refused("CS-318", "declare", **blow).accepts
    else:
        play.do("declare", **blow).to("resolve", "ash").do("resolve", who="ash", hit=False, defence="none")
        assert play.got("Missed", target="orc")


def test_cs_319_inside_the_guard_the_mode_is_close_and_the_long_weapon_of_no_use() -> None:
    """CS-322, CS-323: the mode is that of the moment."""
    play = faced("F", "close", weapons=[POLEARM])
    state, ash, orc = play.state, play.one("ash"), play.one("orc")
    assert places.melee_mode(state, orc, ash) == "close"
    assert all(one.holds for one in places.reach_checks(state, orc, ash, 1))
    assert [one.rule for one in places.reach_checks(state, ash, orc, 7) if not one.holds] == ["CS-322"]
    assert all(one.holds for one in places.reach_checks(state, ash, orc, 1))


def test_cs_308_a_formation_closes_fields() -> None:
    play = faced("RS", weapons=[SWORD])
    for field in ("RS", "RR"):
        play.do("adjust", who="ash", what=f"shut_fields.{field}", value=True)
    broken = [one for one in places.field_checks(play.state, play.one("orc"), play.one("ash")) if not one.holds]
    assert [one.rule for one in broken] == ["CS-308"]
    assert "RS" not in broken[0].accepts
    play.do("adjust", who="ash", what="adjacent.orc.field", value="F")
    assert all(one.holds for one in places.field_checks(play.state, play.one("orc"), play.one("ash")))


@pytest.mark.parametrize(("place", "gap", "allowed"), [("F3", -1, False), ("G3", 4, False), ("H3", 9, True)])
def test_g_56_cs_251_ranged_from_5_ft_between_the_zones(place: str, gap: int, allowed: bool) -> None:
    """G-56, CS-682: Zones are as wide as their bearers are tall, 6 ft here, on hexes of 5 ft."""
    play = table(HEXES, ash={"at": "E3"}, orc={"side": "foe", "at": place})
    state, ash, orc = play.state, play.one("ash"), play.one("orc")
    assert places.zone_gap(state, ash, orc) == gap
    assert attack_values.line_checks(state, ash, orc, SHOT)[0].holds is allowed


def test_cs_250_without_a_board_the_gm_says_who_meets() -> None:
    play = faced()
    state, ash, orc = play.state, play.one("ash"), play.one("orc")
    assert places.zone_gap(state, ash, orc) is None
    assert attack_values.line_checks(state, ash, orc, SHOT)[0].holds
    assert not places.is_engaged(state, ash, orc)
    play.do("contact", who="ash", enemy="orc")
    state, ash, orc = play.state, play.one("ash"), play.one("orc")
    assert places.is_engaged(state, ash, orc)
    near = attack_values.line_checks(state, ash, orc, SHOT)[0]
    assert (near.rule, near.holds) == ("CS-251", False)


def test_cs_323_who_parts_is_no_longer_inside_a_guard() -> None:
    play = table(HEXES, ash={"at": "E3", "facing": 0}, orc={"side": "foe", "at": "F3"})
    play.do("approach", who="ash", foe="orc", mode="close")
    assert places.drop_lost_pairs(play.state) == ()
    play.do("place", who="orc", at="H3")
    assert play.got("TraitsChanged", who="ash").traits == {"adjacent": {}}  # type: ignore[attr-defined]
