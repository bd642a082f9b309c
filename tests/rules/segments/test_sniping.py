"""Shots from hiding, and from behind things, through the public door (CS-264 to CS-266)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.archive.encounters import load_encounter, start_fight
from fightcall_engine.board.base import Square, Terrain
from fightcall_engine.board.kinds import SquareBoard, any_board

from ..once import played_once
from .table import Play, table

BOW: Mapping[str, object] = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "size": 5, "hand": "2"}


@played_once
def hiding() -> Play:
    """Ash hides with a bow; an orc has no idea."""
    play = table(ash={"weapons": [BOW], "hidden": True}, orc={"side": "foe", "dodge": 20, "awa": 14}).begin()
    return play.to("declare", "ash").do("declare", who="ash", action="shoot", target="orc")


def shot(play: Play) -> Play:
    return play.to("resolve", "ash").do("resolve", who="ash", hit=False, distance=90)


def test_cs_264_a_shot_from_hiding_may_be_a_surprise() -> None:
    """CS-264, CS-040: the offer springs it on whoever the shot is meant for; the archer stays where he is."""
    play = hiding().do("confirm", who="ash")
    assert play.prompt("leap").rule == "CS-264"
    play.do("answer", prompt="leap", choice="spring")
    assert play.got("SurpriseTriggered").targets == ("orc",)  # type: ignore[attr-defined]
    assert play.one("ash").hidden
    assert play.see("ash")["declared"]["state"] == "committed"  # type: ignore[index]


def test_cs_264_nobody_hidden_nothing_to_spring() -> None:
    """CS-264."""
    play = table(ash={"weapons": [BOW]}, orc={"side": "foe", "dodge": 20}).begin()
    play.do("declare", who="ash", action="shoot", target="orc").do("confirm", who="ash")
    assert play.offers() == []
    assert shot(play).offers() == []


@pytest.mark.parametrize(("roll", "found"), [(30, ["ash"]), (31, [])])
def test_cs_265_one_check_a_shot_to_find_the_sniper(roll: int, found: list[str]) -> None:
    """CS-265: AWA, only after the shot; whoever is found can be shot at."""
    play = shot(hiding())
    asked = play.got("CheckRequested", kind="AWA")
    assert (asked.who, asked.av) == ("orc", 14)  # type: ignore[attr-defined]
    assert play.prompt("check").rule == "CS-265"
    play.do("answer", prompt="check", amount=30, rolls={"check": [roll]})
    assert play.see("orc")["aware_of"] == found
    assert play.one("ash").hidden, "to all others he is as hidden as before"
    assert play.offers() == []


@pytest.mark.parametrize("found", [True, False])
def test_cs_265_who_has_not_found_the_sniper_does_not_shoot_back(found: bool) -> None:
    """CS-265: refused when the shot is due, unless the GM says otherwise; a friend may be shot at in hiding."""
    cast = {"ash": {"weapons": [BOW], "hidden": True}, "orc": {"side": "foe", "dodge": 20, "weapons": [BOW]}}
    play = table(**cast).begin().do("declare", who="ash", action="shoot", target="orc").to("declare", "orc")
    play.do("declare", who="orc", action="shoot", target="ash")
    shot(play).do("answer", prompt="check", choice="made" if found else "failed").to("resolve", "orc")
    given = {"who": "orc", "chance": 50, "distance": 90, "rolls": {"check": [99]}}
    if not found:
        play.refused("CS-265", "resolve", **given)
        given["force"] = True
    assert play.do("resolve", **given).got("Missed", attacker="orc")


def test_cs_265_what_one_has_found_the_next_has_not() -> None:
    """CS-265, CS-264: only he shoots back, and is not surprised again; until the sniper shows himself."""
    archer = {"side": "foe", "dodge": 20, "weapons": [BOW]}
    play = table(ash={"weapons": [BOW], "hidden": True}, orc=archer, imp=archer).begin()
    play.do("declare", who="ash", action="shoot", target="orc").to("declare", "orc")
    play.do("declare", who="orc", action="shoot", target="ash").to("declare", "imp")
    play.do("declare", who="imp", action="shoot", target="ash")
    shot(play).do("answer", prompt="check", choice="made").to("resolve", "orc")
    play.do("resolve", who="orc", chance=50, distance=90, rolls={"check": [99]}).to("resolve", "imp")
    play.refused("CS-265", "resolve", who="imp", chance=50, distance=90)
    play.to("initiative").begin().to("declare", "ash").do("declare", who="ash", action="shoot", target="orc")
    assert play.do("confirm", who="ash").offers() == [], "no Surprise of whoever knows where he is"
    shot(play)
    assert "check" not in play.offers(), "nor is he searched for again"
    play.do("adjust", who="ash", what="hidden", value=False).do("adjust", who="ash", what="hidden", value=True)
    assert play.see("orc")["aware_of"] == []


def test_cs_265_only_once_the_surprise_is_over() -> None:
    """CS-265."""
    play = hiding().do("adjust", who="orc", what="surprise", value="overwhelmed")
    assert not [one for one in shot(play).all("CheckRequested") if one.kind == "AWA"]  # type: ignore[attr-defined]


def test_cs_265_nobody_need_roll() -> None:
    """CS-265: play goes on, and the next shot gives another chance."""
    play = shot(hiding()).do("advance")
    assert play.one("ash").hidden
    assert play.offers() == []


@pytest.mark.parametrize(("lob", "allowed"), [(False, False), (True, True)])
def test_cs_266_what_lobs_goes_over_a_wall(lob: bool, allowed: bool) -> None:
    """CS-266, CS-251."""
    wall = Terrain("wall", glyph="#", blocks=True, blocks_sight=True)
    board = any_board(SquareBoard(20, 5, legend={"wall": wall}, terrain={Square(5, 2): "wall"}))
    play = table(
        board,
        ash={"weapons": [{**BOW, "lob": lob}], "at": Square(1, 2)},
        orc={"side": "foe", "dodge": 20, "at": Square(9, 2)},
    ).begin()
    if allowed:
        play.do("declare", who="ash", action="shoot", target="orc").to("resolve", "ash")
        assert play.do("resolve", who="ash", hit=False).got("Missed")
    else:
        play.refused("CS-251", "declare", who="ash", action="shoot", target="orc")


def test_the_shipped_skirmish_of_archers_begins() -> None:
    """CS-256, CS-264: the crossbow is loaded and a day old, the last raider hides."""
    play = Play(start_fight(load_encounter("the-withy-ford"), id="ford")).begin()
    assert play.see("benet")["crossbow"] == {"cocked": True, "loaded": True, "tool": "none", "cocked_days": 1}
    assert play.one("rafe").hidden
    assert play.state.phase == "declare"


def test_cs_264_a_surprise_is_offered_as_long_as_one_of_those_aimed_at_is_there() -> None:
    """CS-264: who hurls with both hands may aim at two."""
    knife = {"name": "knife", "av": 30, "hurlable": True, "hurl_av": 25, "size": 1}
    cast = {who: {"side": "foe", "dodge": 20, "awa": 14} for who in ("orc", "imp", "elf")}
    weapons = [knife, {**knife, "name": "dirk", "hand": "L"}]
    play = table(ash={"weapons": weapons, "hidden": True}, **cast).begin().to("declare", "ash")
    play.do("declare", who="ash", action="hurl", weapon="knife", second="dirk", target="orc", other="imp")
    play.do("confirm", who="ash")
    offers = []
    for who in ("elf", "orc", "imp"):
        play.do("leave", who=who)
        offers.append(play.offers())
    assert ["leap" in kinds for kinds in offers] == [True, True, False]


ARMED: Mapping[str, object] = {
    "side": "foe",
    "dodge": 20,
    "awa": 14,
    "weapons": [{"name": "axe", "size": 3, "av": 40, "hurlable": True, "hurl_av": 40}, {**BOW, "hand": "L"}],
}


def after_a_shot(*, found: bool) -> Play:
    """Ash has shot at the orc out of hiding, and the orc's check has found him or not; the next segment begins."""
    people = {"bo": {"dodge": 9}, "orc": ARMED, "ork": ARMED}
    play = table(ash={"weapons": [BOW], "hidden": True}, **people).begin().to("declare", "ash")
    play.do("declare", who="ash", action="shoot", target="orc")
    shot(play).do("answer", prompt="check", amount=30, rolls={"check": [30 if found else 31]})
    return play.to("initiative").begin()


def ids_offered(play: Play, who: str) -> set[str]:
    """Everybody whom an option of this combatant lists."""
    options = play.fight.system.options(play.state, who)
    fields = [field for option in options if option.command != "Spring" for field in (*option.inputs, *option.details)]
    return {choice for field in fields for choice in field.choices if choice in play.state.combatants}


@pytest.mark.parametrize(
    "order",
    [
        {"action": "shoot", "weapon": "bow"},
        {"action": "hurl", "weapon": "axe"},
        {"action": "strike", "weapon": "axe"},
        {"action": "charge", "weapon": "axe"},
        {"action": "strike", "weapon": "axe", "attack": "kick"},
        {"action": "shoot", "weapon": "bow", "qa": 8},
    ],
    ids=lambda order: " ".join(map(str, order.values())),
)
def test_cs_265_nobody_attacks_a_hidden_foe_that_was_not_found(order: dict[str, object]) -> None:
    """CS-265 (L2043); put right 25: refused as it is declared, and not offered; who has found the foe may."""
    play = after_a_shot(found=False).to("declare", "orc")
    play.refused("CS-265", "declare", who="orc", target="ash", **order)
    assert "ash" not in ids_offered(play, "orc")
    play = after_a_shot(found=True).to("declare", "orc")
    assert "ash" in ids_offered(play, "orc")
    play.do("declare", who="orc", target="ash", **order)


def test_cs_265_a_hidden_foe_found_by_one_is_unknown_to_the_other() -> None:
    """CS-265; put right 25: as the attack is rolled, too."""
    play = after_a_shot(found=True).to("declare", "orc")
    play.do("declare", who="orc", action="strike", weapon="axe", target="ash").to("declare", "ork")
    play.refused("CS-265", "declare", who="ork", action="strike", weapon="axe", target="ash")
    play.do("declare", who="ork", action="strike", weapon="axe", target="bo").to("resolve", "orc")
    assert "ash" in ids_offered(play, "orc")
    play.do("resolve", who="orc", hit=False).to("resolve", "ork")
    assert "ash" not in ids_offered(play, "ork")
    play.refused("CS-265", "resolve", who="ork", target="ash", hit=True)
    play.do("resolve", who="ork", hit=False)


def test_cs_236_no_opportunity_is_offered_against_the_unknown() -> None:
    """CS-236, CS-430 (L461, L72); put right 25: who passes unseen is not struck at; the one who hides may strike."""
    board = SquareBoard(12, 3)
    ash = {"at": [0, 1], "hidden": True, "weapons": [{"name": "sword", "size": 4, "av": 40}]}
    play = table(board, ash=ash, orc={**ARMED, "at": [6, 1]}).begin(ash=20, orc=30)
    play.to("declare", "orc").do("wait", who="orc").to("declare", "ash").do("move", who="ash", to=[5, 1])
    assert "opportunity" not in play.offers()
    play.refused("CS-265", "opportunity", who="orc", target="ash")
    assert "ash" not in ids_offered(play, "orc")
