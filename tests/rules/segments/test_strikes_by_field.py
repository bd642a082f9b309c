"""From which side a blow comes, and with what it is met: fields, reach and Turns (CS-301 to CS-306, CS-342)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.board.kinds import HexBoard, SquareBoard, any_board
from fightcall_engine.model.errors import Refused

from ..once import played_once
from .table import DAGGER, POLEARM, SWORD, Play, table

AXE: Mapping[str, object] = {"name": "axe", "hand": "L", "av": 22, "size": 4}
HEXES = any_board(HexBoard(20, 15))


@played_once
def meeting(
    *,
    ash: Mapping[str, object] | None = None,
    orc: Mapping[str, object] | None = None,
    at: str = "F3",
    adjacent: str = "",
    **declared: object,
) -> Play:
    """Ash at E3, facing east, is about to strike at an orc who looks at him; `adjacent` says the orc's field of Ash."""
    board = None if adjacent else HEXES
    place = {} if adjacent else {"at": "E3", "facing": 0}
    there = {} if adjacent else {"at": at, "facing": 3}
    play = table(
        board,
        None,
        ash={"weapons": [SWORD], **place, **(ash or {})},
        orc={"side": "foe", "weapons": [{**SWORD, "av": 35}], "dodge": 13, **there, **(orc or {})},
    )
    if adjacent:
        field, _, mode = adjacent.partition(" ")
        play.do("approach", who="orc", foe="ash", field=field, mode=mode)
    return ordered(play.begin(), **declared)


def ordered(play: Play, **given: object) -> Play:
    """Ash orders a strike at the orc, and it is due."""
    return play.do("declare", **{"who": "ash", "action": "strike", "target": "orc", **given}).to("resolve", "ash")


def refused(rule: str, **given: object) -> tuple[str, ...]:
    """What is accepted instead of such an order, which a rule refuses."""
    with pytest.raises(Refused) as caught:
        meeting(**given)  # type: ignore[arg-type]
    assert caught.value.rule == rule
    return caught.value.accepts


def struck(play: Play, **given: object) -> Play:
    return play.do("resolve", **{"who": "ash", "chance": 50, "rolls": {"check": [99]}, **given})


def dv(play: Play) -> object:
    return play.got("CheckRequested").dv  # type: ignore[attr-defined]


def defences(play: Play) -> list[str]:
    """What the orc may do against the blow, by the options."""
    return list(next(one for one in play.option("ash", "strike").inputs if one.name == "defence").choices)


# Striking into a field


@pytest.mark.parametrize(("facing", "rule"), [(0, ""), (1, ""), (5, ""), (2, "CS-306"), (3, "CS-306"), (4, "CS-306")])
def test_a_blow_goes_where_the_hand_reaches(facing: int, rule: str):
    """CS-301, CS-302, CS-306: to the front and its flanks; behind only after a Turn."""
    turn: dict[str, object] = {}
    if rule:
        assert "components: turn_half" in refused(rule, ash={"facing": facing})
        turn = {"components": ["turn_half"], "qa": 4}
    assert "Missed" in struck(meeting(ash={"facing": facing}, **turn)).names()


@pytest.mark.parametrize(
    ("weapon", "field", "reaches"), [("sword", "RS", True), ("axe", "RS", False), ("axe", "LS", True)]
)
def test_to_the_side_with_the_hand_on_that_side(weapon: str, field: str, reaches: bool):
    """CS-302, CS-342: each of two targets must be in a field that the hand answers."""
    play = table(None, None, ash={"weapons": [SWORD, AXE]}, orc={"side": "foe", "weapons": [SWORD]})
    play.do("approach", who="ash", foe="orc", field=field).begin()
    if reaches:
        assert "Missed" in struck(ordered(play, weapon=weapon)).names()
    else:
        play.refused("CS-302", "declare", who="ash", action="strike", target="orc", weapon=weapon)


def test_two_foes_on_two_sides():
    """CS-342: the second out of reach of its hand, unless a Turn comes before or after."""
    for components in ((), ("turn_quarter",)):
        play = table(
            None, None, ash={"weapons": [SWORD, AXE]}, orc={"side": "foe", "weapons": [SWORD]},
            imp={"side": "foe", "weapons": [SWORD]},
        )  # fmt: skip
        play.do("approach", who="ash", foe="orc", field="F")
        play.do("approach", who="ash", foe="imp", field="RS").begin()
        given = {"weapon": "sword", "second": "axe", "other": "imp", "components": components, "qa": 4}
        if not components:
            play.refused("CS-302", "declare", who="ash", action="strike", target="orc", **given)
            continue
        ordered(play, **given)
        assert play.one("ash").record.action.text == "strike Orc and Imp with sword and axe"
        assert struck(struck(play)).got("Missed").target == "imp"  # type: ignore[attr-defined]


# Reach


def test_g_58_a_longer_weapon_keeps_blows_off_the_body():
    """G-58, CS-318: Size 6 against Size 4; CS-321: the weapon itself can be struck at."""
    orc = {"weapons": [{**POLEARM, "size": 6}]}
    assert refused("CS-318", orc=orc)[0] == "inside: true"
    assert "Missed" in struck(meeting(orc=orc, attack="seize")).names()
    meeting(orc=orc, inside=True).refused("CS-318", "resolve", who="ash", chance=50)
    assert "Missed" in struck(meeting(orc=orc, force=True)).names()
    assert "Missed" in struck(meeting(orc={"weapons": [{**POLEARM, "size": 5}]})).names()


def test_inside_the_guard_a_long_weapon_only_serves_as_a_club():
    """CS-322, CS-347: the pommel, the butt or the haft."""
    play = meeting(ash={"weapons": [POLEARM]}, orc={"weapons": [DAGGER]}, adjacent="F close")
    play.do("approach", who="ash", foe="orc", field="F", mode="close")
    play.refused("CS-322", "resolve", who="ash", chance=50)
    assert "Missed" in struck(play, attack="pommel").names()


def test_melee_is_not_fought_from_afar():
    """CS-250: two hexes are near enough for lunging, three are not."""
    assert "Missed" in struck(meeting(at="G3")).names()
    play = meeting(at="H3")
    assert play.refused("CS-250", "resolve", who="ash", chance=50).accepts == ("another target", "abort")


# Being struck from a field


@pytest.mark.parametrize(
    ("field", "listed"),
    [
        ("F", ["parry sword 35", "dodge 13", "parry sword+dodge 48", "none"]),
        ("RS", ["parry sword 35", "dodge 13", "parry sword+dodge 48", "none"]),
        ("LS", ["dodge 13", "none"]),
        ("RR", ["parry sword 35", "dodge 13", "parry sword+dodge 48", "none"]),
        ("LR", ["dodge 13", "none"]),
        ("R", ["none"]),
    ],
)
def test_g_60_what_is_held_on_a_side_defends_it(field: str, listed: list[str]):
    """G-60, CS-301 to CS-305: a sword in the right hand alone."""
    assert defences(meeting(adjacent=field)) == listed


def test_g_60_who_is_not_aware_of_a_foe_behind_has_no_defence():
    """G-60, CS-303: at the rear flanks."""
    play = meeting(adjacent="RR").do("adjust", who="ash", what="hidden", value=True)
    assert defences(play) == ["none"]
    play.refused("CS-303", "resolve", who="ash", chance=50, defence="parry sword")
    play.refused("CS-303", "resolve", who="ash", chance=50, defence="dodge")
    assert dv(struck(play)) == 0


def test_g_60_after_a_warning_the_rear_may_be_dodged():
    """G-60, CS-304, CS-305, A-46: and only that, until he Turns."""
    play = meeting(adjacent="R")
    play.refused("CS-305", "resolve", who="ash", chance=50, defence="dodge")
    play.do("rule", what="warned", who="orc", value=True)
    assert defences(play) == ["dodge 13", "none"]
    play.refused("CS-305", "resolve", who="ash", chance=50, defence="parry sword")
    assert dv(struck(play)) == 13


def test_who_survives_a_blow_from_behind_is_warned():
    """CS-305: hit or miss."""
    play = struck(meeting(adjacent="R"))
    assert play.one("orc").record.warned is True


@pytest.mark.parametrize("hit", [True, False])
def test_cs_305_so_is_who_is_run_into_from_behind(*, hit: bool):
    """CS-305, CS-455: by a Body Check as by a blow."""
    play = meeting(adjacent="R", attack="body_check").do("resolve", who="ash", defence="stand", hit=hit)
    assert play.one("orc").record.warned is True


def test_the_gm_may_let_anything_defend():
    """CS-302: by force, with the number it has."""
    play = meeting(adjacent="LS")
    play.refused("CS-302", "resolve", who="ash", chance=50, defence="parry sword")
    assert dv(struck(play, defence="parry sword", force=True)) == 35
    assert play.got("Overridden", rule="CS-302")


# A third


@played_once
def beside(at: str = "F2") -> Play:
    """Ash strikes at an orc who has an imp, with a shield, somewhere about him; an elf is far away."""
    shield = {"name": "shield", "kind": "shield", "av": 28, "hand": "L"}
    play = table(
        HEXES, {"end": True}, ash={"weapons": [SWORD], "at": "E3", "facing": 0},
        orc={"side": "foe", "weapons": [{**SWORD, "av": 35}], "at": "F3", "facing": 3, "end": {"max": 5}},
        imp={"side": "foe", "weapons": [shield], "at": at, "facing": 3, "end": {"max": 5}},
        elf={"side": "foe", "at": "A9"},
    ).begin()  # fmt: skip
    return play.do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")


@pytest.mark.parametrize("called", ["imp", "Imp", "2"])
def test_a_friend_beside_them_may_step_in_with_a_defence(called: str):
    """CS-414, CS-412: with what he holds; it is his use and his END. He is listed by name."""
    play = beside()
    assert "Imp: parry shield 28" in defences(play)
    assert dv(struck(play, defence=f"{called}: block shield")) == 28
    assert [one.who for one in play.all("UseCounted")] == ["ash", "imp"]  # type: ignore[attr-defined]
    assert (play.one("orc").pool("end").now, play.one("imp").pool("end").now) == (5, 4)


def test_cs_414_of_a_contested_roll_the_friend_rolls_the_defence():
    """CS-414, CS-480: it is his skill that is tried, 50 + 28 - 40; the target's own is not."""
    shield = {"name": "shield", "kind": "shield", "av": 28, "hand": "L"}
    cast = {"ash": {"weapons": [SWORD]}, "orc": {"side": "foe", "weapons": [SWORD]}}
    for settings in ({"resolution": "linear"}, {}):
        play = table(None, {"melee_roll": "contested", **settings}, **cast, imp={"side": "foe", "weapons": [shield]})
        given = {"defence": "imp: parry shield", "rolls": {"check": [20], "defence": [70]}}
        ordered(play.begin()).do("resolve", who="ash", chance=62, **given)
        if not settings:
            assert play.prompt("check").question.startswith("Imp defends against Ash")
            play.do("answer", prompt="check", amount=38)
        rolled = play.got("CheckResolved", kind="defence")
        assert (rolled.who, rolled.chance, rolled.roll) == ("imp", 38, 70)  # type: ignore[attr-defined]
        assert play.got("Hit", target="orc")


def test_a_friend_who_leaves_before_the_dice_defends_no_more():
    """CS-414: the target does what he can himself."""
    play = beside().do("resolve", who="ash", defence="imp: block shield").do("leave", who="imp")
    play.do("answer", prompt="check", choice="failed")
    assert [one.who for one in play.all("UseCounted")] == ["ash", "orc"]  # type: ignore[attr-defined]


def test_a_friend_still_defends_when_somebody_else_leaves_before_the_dice():
    """CS-414."""
    play = beside().do("resolve", who="ash", defence="imp: block shield").do("leave", who="elf")
    play.do("answer", prompt="check", choice="failed")
    assert [one.who for one in play.all("UseCounted")] == ["ash", "imp"]  # type: ignore[attr-defined]


def test_of_two_by_one_name_the_label_tells_who_steps_in():
    """CS-414."""
    play = beside().do("adjust", who="ash", what="name", value="Imp", force=True)
    assert "2: parry shield 28" in defences(play)
    assert dv(struck(play, defence="2: parry shield 28")) == 28


@pytest.mark.parametrize("who", ["ash", "orc"])
def test_only_a_friend_steps_in(who: str):
    """CS-414."""
    beside().refused("CS-414", "resolve", who="ash", chance=50, defence=f"{who}: parry sword")


def test_a_friend_steps_in_from_beside_them_and_with_what_he_holds():
    """CS-414: not from afar, and nobody Dodges for another."""
    play = beside("M9")
    assert not [one for one in defences(play) if one.startswith("Imp")]
    play.refused("CS-414", "resolve", who="ash", chance=50, defence="imp: parry shield")
    beside().refused("CS-414", "resolve", who="ash", chance=50, defence="imp: none")


@pytest.mark.parametrize(("row", "listed"), [(4, ["Imp: parry sword 40"]), (5, [])])
def test_cs_414_beside_them_is_where_the_zones_meet(row: int, listed: list[str]):
    """CS-414, CS-682: two who are 6 ft tall, 2 yd apart on a board of yards."""
    board = any_board(SquareBoard(9, 9, scale=1, unit="yd"))
    orc, imp = {"side": "foe", "at": (4, 2)}, {"side": "foe", "at": (4, row), "weapons": [SWORD]}
    play = table(board, None, ash={"at": (2, 2), "weapons": [SWORD]}, orc=orc, imp=imp).begin()
    play.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    assert [one for one in defences(play) if one.startswith("Imp")] == listed


def test_a_dodge_stays_where_it_is():
    """CS-418: in the own Zone; footwork moves the figure by itself (CS-421)."""
    play = meeting()
    before = play.one("orc").at
    struck(play, defence="dodge")
    assert play.one("orc").at == before
