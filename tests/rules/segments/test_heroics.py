"""Heroic Effects, Bumbles, declared deeds and tokens; fire (CS-635..655, CS-547, CS-700..707)."""

from __future__ import annotations

import pytest

from .table import SWORD, Play, table

ON = {"heroic_effects": True, "bumbles": True, "heroic_scope": "always"}


def play(**settings: object) -> Play:
    hero = {"kind": "pc", "hrt": 12, "str": 14, "sta": 20, "weapons": [SWORD], "hands": {"R": "sword"}}
    return table(settings={**ON, **settings}, ash=hero, bo={"kind": "pc"}, orc={"side": "foe", "pres": 20}).begin()


def check(at: Play, chance: int, roll: int, who: str = "ash") -> Play:
    return at.do("check", who=who, kind="agl", dv=10, chance=chance, rolls={"check": [roll]})


@pytest.mark.parametrize(
    ("chance", "roll", "what"),
    [
        (32, 3, "HeroicEffect"), (32, 4, ""), (32, 92, ""), (32, 93, "Bumble"),
        (4, 1, ""), (4, 89, ""), (4, 90, "Bumble"),
        (96, 10, "HeroicEffect"), (96, 11, ""), (96, 99, ""), (96, 100, "Bumble"), (100, 100, ""),
    ],
    ids=["G-114 CS-635", "G-114", "G-114 CS-637", "G-114 CS-637 Bumble", "G-116", "G-116 no", "G-116 from 90",
         "G-116 to 10", "G-116 11", "G-116 99", "G-116 00", "G-116 A-40"],
)  # fmt: skip
def test_the_thresholds(chance: int, roll: int, what: str) -> None:
    """G-114, G-116, CS-635, CS-637: a tenth of the chance, a tenth of the failures."""
    names = check(play(), chance, roll).names()
    assert [name for name in names if name in ("HeroicEffect", "Bumble")] == ([what] if what else [])


@pytest.mark.parametrize(
    ("settings", "who", "many"),
    [({}, "ash", 1), ({}, "orc", 0), ({"heroic_for": "all"}, "orc", 1), ({"heroic_effects": False}, "ash", 0),
     ({"heroic_scope": "pivotal"}, "ash", 0)],
    ids=["CS-636 PC", "CS-636 NPC", "CS-636 all", "CS-635 off", "CS-638 not pivotal"],
)  # fmt: skip
def test_for_whom_and_when(settings: dict[str, object], who: str, many: int) -> None:
    """CS-636, CS-638: PCs and their like in pivotal scenes, or as the settings say."""
    assert len(check(play(**settings), 50, 1, who).all("HeroicEffect")) == many


def test_a_pivotal_scene_by_ruling_and_switching_off() -> None:
    """CS-638, CS-655: the GM's word; and an option ends in mid-fight."""
    at = play(heroic_scope="pivotal").do("rule", what="pivotal", value=True)
    assert check(at, 50, 1).all("HeroicEffect")
    at.do("advance")
    at.do("configure", setting="heroic_effects", value=False)
    assert not check(at, 50, 1).all("HeroicEffect")


def test_the_menus_are_offers() -> None:
    """CS-640, CS-641: of a task and of a Bumble; nothing by default, a wound to himself where the GM says so."""
    at = check(play(), 50, 1)
    assert (at.prompt("heroic").rule, at.prompt("heroic").default) == ("CS-640", "plain")
    at.do("answer", prompt=at.prompt("heroic").id, choice="time")
    check(at, 50, 100)
    assert at.prompt("bumble").rule == "CS-641"
    at.do("answer", prompt=at.prompt("bumble").id, choice="wound").got("WoundsInflicted", who="ash", n=1)


def strike(at: Play, **more: object) -> Play:
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc")
    at.to("resolve", "ash")
    return at.do("resolve", who="ash", chance=50, rolls={"check": [1]}, **more)


def test_a_heroic_hit_doubles_its_pot() -> None:
    """CS-547, CS-639: the GM picks before the blow lands; POT doubled by default."""
    at = strike(play(), pot=7)
    assert "BlowLanded" not in at.names()
    assert at.prompt("heroic_blow").default == "double"
    at.do("answer", prompt=at.prompt("heroic_blow").id, choice="double")
    landed = at.got("BlowLanded", who="orc", pot=14)
    assert ("Heroic Effect: doubled", "+7", "CS-547") in landed.parts  # type: ignore[attr-defined]


def test_a_foe_out_of_it() -> None:
    """CS-639: incapacitated, whatever the blow did."""
    at = strike(play(), pot=1)
    at.do("answer", prompt=at.prompt("heroic_blow").id, choice="incapacitated")
    at.got("BlowLanded", pot=1)
    assert not at.one("orc").able


def test_declared_heroics() -> None:
    """CS-645, CS-646, CS-647, CS-648: up to HRT, as long as the GM says; the body pays after the fight."""
    at = play()
    at.refused("CS-646", "rule", what="deed", who="ash", value="str 13")
    at.refused("CS-645", "rule", what="deed", who="ash", value="luck 3")
    at.do("rule", what="deed", who="ash", value="str 12").got("HeroicsDeclared", score="str", bonus=12)
    assert at.see("ash")["str_now"] == 26
    at.do("rule", what="deed", who="ash", value="none")
    assert at.see("ash")["str_now"] == 14
    at.do("close")
    prompt = at.prompt("heroic_cost")
    assert (prompt.rule, prompt.default) == ("CS-648", "none")
    at.refused("CS-648", "answer", prompt=prompt.id, amount=-1)
    at.do("answer", prompt=prompt.id, choice="coma").got("FellUnconscious", who="ash")


def test_a_deed_adds_to_pot() -> None:
    """CS-646: and it is shown among the parts."""
    at = play().do("rule", what="deed", who="ash", value="pot 5")
    strike(at, pot=7)
    at.do("answer", prompt=at.prompt("heroic_blow").id, choice="plain").got("BlowLanded", pot=12)


def test_a_token_is_passed_once() -> None:
    """G-117, CS-654: from A to B, and no further, unless the GM says so."""
    at = play(fate_tokens=True).do("token_give", who="ash", colour="fate")
    at.do("token_pass", who="ash", to="bo", colour="fate").got("TokenPassed", to="bo", passes=1)
    assert (at.see("ash")["tokens"], at.see("bo")["tokens"]) == (
        {"white": 0, "black": 0, "fate": 0, "passes": []},
        {"white": 0, "black": 0, "fate": 1, "passes": [1]},
    )
    at.refused("CS-654", "token_pass", who="bo", to="orc", colour="fate")
    at.refused("CS-654", "token_pass", who="bo", colour="fate")
    at.do("token_pass", who="bo", to="orc", colour="fate", force=True).got("TokenPassed", passes=2)


def test_a_token_is_spent() -> None:
    """CS-653, CS-651: it is gone; who has none cannot; without the option there are none."""
    at = play(fate_tokens=True).do("token_give", who="ash")
    at.do("token_spend", who="ash", on="the leap").got("TokenSpent", colour="white", on="the leap")
    at.refused("CS-653", "token_spend", who="ash")
    at.refused("CS-651", "token_give", who="ash", colour="green")
    play().refused("CS-651", "token_give", who="ash")


@pytest.mark.parametrize(
    ("mode", "roll", "colour", "asked"),
    [("token", 1, "white", False), ("both", 1, "white", True), ("token", 100, "black", False)],
    ids=["CS-651 white", "CS-652 both", "CS-651 black"],
)
def test_tokens_for_feats(mode: str, roll: int, colour: str, asked: bool) -> None:
    """CS-651, CS-652: white for a Heroic Effect, black for a Bumble, in place of the effect or with it."""
    at = check(play(fate_tokens=True, token_mode=mode), 50, roll)
    at.got("TokenGiven", who="ash", colour=colour)
    assert bool(at.offers()) is asked


def test_a_token_instead_of_the_effect() -> None:
    """CS-652: the GM's offer, where effects are the rule."""
    at = check(play(fate_tokens=True), 50, 1)
    at.do("answer", prompt=at.prompt("heroic").id, choice="token").got("TokenGiven", who="ash", colour="white")


def test_tokens_of_the_sheet_and_odd_ones() -> None:
    """CS-651: somebody may bring some; what is no token counts for nothing."""
    at = table(settings={"fate_tokens": True}, ash={"tokens": {"white": 2, "black": 1}}).begin()
    assert at.see("ash")["tokens"] == {"white": 2, "black": 1, "fate": 0, "passes": [0, 0, 0]}
    at.do("adjust", who="ash", what="tokens", value="white:x green:1 ::")
    assert at.see("ash")["tokens"] == {"white": 1, "black": 0, "fate": 0, "passes": [0]}


# The advice


def end_segment(at: Play) -> Play:
    here = at.state.round
    while at.state.round == here:
        at.do("advance") if at.state.phase != "initiative" else at.begin()
    return at


def burning(at: Play) -> list[str]:
    return [one.name for one in at.one("ash").effects if one.kind == "fire"]


def test_cloth_near_a_flame() -> None:
    """CS-700: it catches in one segment; until then it can be taken away."""
    at = play().do("rule", what="fire", who="ash", value="near")
    assert burning(at) == ["close to a flame"]
    assert burning(end_segment(at)) == ["burning"]
    at.do("rule", what="fire", who="ash", value="out")
    assert burning(at) == []
    at = play().do("rule", what="fire", who="ash", value="near").do("rule", what="fire", who="ash", value="out")
    assert burning(end_segment(at)) == []


def test_cloth_in_a_flame() -> None:
    """CS-700: at once on contact."""
    at = play().do("rule", what="fire", who="ash", value="contact")
    assert burning(at) == ["burning"]
    at.refused("CS-700", "rule", what="fire", who="ash", value="icy")


def test_what_only_the_gm_can_rule() -> None:
    """CS-701, CS-702, CS-703, CS-704, CS-705, CS-706, CS-707: offered in the menu of rulings, and recorded."""
    at = play()
    offered = {one.rule: one for one in at.fight.system.rulings(at.state, "ash")}
    for rule in ("CS-702", "CS-703", "CS-704", "CS-705", "CS-706", "CS-707"):
        at.do("rule", **offered[rule].fixed).got("RulingRecorded", rule=rule)
    at.do("rule", what="splash", who="ash", value="eyes")
    assert "blinded" in [one.name for one in at.one("ash").effects]
    at.refused("CS-701", "rule", what="splash", who="ash", value="tea")
