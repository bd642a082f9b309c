"""Heroic Effects, Bumbles, declared deeds and tokens; fire (CS-635..655, CS-547, CS-700..707)."""

from __future__ import annotations

import pytest

from fightcall_engine.board.base import Square
from fightcall_engine.board.kinds import SquareBoard, any_board

from ..once import played_once
from .table import SWORD, Play, table

ON = {"heroic_effects": True, "bumbles": True, "heroic_scope": "always"}


@played_once
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


def test_cs_622_a_heroic_blow_has_the_str_that_was_rallied_for_it() -> None:
    """CS-547, CS-622: Grievous, rallied to STR 14: (20 + 14) / 2 and 4 of the sword, doubled after the pick, too."""
    at = play().do("adjust", who="ash", what="wounds", value=4)
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    at.do("rally", who="ash", hit=True).do("resolve", who="ash", chance=50, defence="none", rolls={"check": [1]})
    at.do("answer", prompt=at.prompt("heroic_blow").id, choice="double")
    assert at.got("BlowLanded").pot == 2 * (17 + 4)  # type: ignore[attr-defined]


def test_cs_547_what_is_doubled_is_a_whole_number() -> None:
    """CS-547, CS-551: (20 + 14) / 2 x 2.25 is 38.25 with the sword, which is 38 and makes 76."""
    at = strike(play(body_points=True, damage_multipliers=True), defence="none")
    at.do("answer", prompt=at.prompt("heroic_blow").id, choice="double")
    assert at.got("BlowLanded").pot == 2 * 38  # type: ignore[attr-defined]


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


def test_a_token_is_passed_as_often_as_the_setting_says() -> None:
    """CS-654: each time is counted on the token."""
    at = play(fate_tokens=True, fate_pass_limit=2).do("token_give", who="ash", colour="fate")
    at.do("token_pass", who="ash", to="bo", colour="fate").do("token_pass", who="bo", to="orc", colour="fate")
    assert at.got("TokenPassed", who="bo", to="orc", passes=2)
    at.refused("CS-654", "token_pass", who="orc", to="ash", colour="fate")


def test_a_token_is_given_and_passed_on_a_board() -> None:
    """CS-651, CS-654: who gets it is somebody, not a place of the map."""
    board = any_board(SquareBoard(20, 5, scale=5))
    ash, bo = ({"kind": "pc", "at": Square(column, 2)} for column in (1, 3))
    at = table(board, {"fate_tokens": True}, ash=ash, bo=bo)
    at.do("token_give", who="ash").got("TokenGiven", colour="white")
    at.do("token_pass", who="ash", to="bo").got("TokenPassed", to="bo")
    at.do("token_spend", who="bo", on="the leap").got("TokenSpent")


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


def test_tokens_of_the_sheet() -> None:
    """CS-651: somebody may bring some."""
    at = table(settings={"fate_tokens": True}, ash={"tokens": {"white": 2, "black": 1}}).begin()
    assert at.see("ash")["tokens"] == {"white": 2, "black": 1, "fate": 0, "passes": [0, 0, 0]}


# A task


def menu(at: Play, choice: str, kind: str = "heroic", **more: object) -> Play:
    return at.do("answer", prompt=at.prompt(kind).id, choice=choice, **more)


def test_half_the_time_of_what_is_still_at_work() -> None:
    """CS-640: a check that is called for in the midst of a long task."""
    at = play().to("declare", "ash")
    at.do("declare", who="ash", action="task", qa=16, text="pick the lock", dv=10, skill=9)
    menu(check(at, 50, 1), "time").got("FeatChosen", before="16", after="8", unit="qa")
    assert at.see("ash")["declared"]["qa_need"] == 8  # type: ignore[index]
    assert at.see("ash")["declared"]["due"] == "CS 2"  # type: ignore[index]


def test_half_the_time_of_what_is_done() -> None:
    """CS-640: a task that is rolled when it is due was done in half its time."""
    at = play().to("declare", "ash").do("declare", who="ash", action="task", qa=4, text="a knot", dv=10, skill=9)
    at.to("resolve", "ash").do("resolve", who="ash", chance=50, rolls={"check": [1]})
    assert menu(at, "time").got("FeatChosen", before="4", after="2", due=False)


def test_half_the_loss_exactly() -> None:
    """CS-640: of a percentage that the GM says, or told as it is."""
    at = menu(check(play(), 50, 1), "loss")
    asked = at.prompt("heroic_number")
    at.refused("CS-640", "answer", prompt=asked.id, amount=101)
    at.do("answer", prompt=asked.id, amount=35).got("FeatChosen", before="35", after="17.5", unit="% lost")
    at = menu(check(play(), 50, 1), "loss")
    menu(at, "untold", "heroic_number").got("FeatChosen", label="half the loss", due=True)


@pytest.mark.parametrize(("pot", "mga", "raised"), [(10, 6, 16), (5, 8, 10)], ids=["by MGA", "doubled"])
def test_magick_is_raised(pot: int, mga: int, raised: int) -> None:
    """CS-640: by MGA, or doubled, whichever is less; both as the GM says, MGA also as a skill of the sheet."""
    at = menu(check(play(), 50, 1), "magick")
    at.do("answer", prompt=at.prompt("heroic_number").id, amount=pot)
    at.do("answer", prompt=at.prompt("heroic_number").id, amount=mga)
    at.got("FeatChosen", before=str(pot), after=str(raised), unit="POT")
    at = table(settings=ON, ash={"kind": "pc", "skills": {"mga": mga}}).begin()
    menu(check(at, 50, 1), "magick")
    at.do("answer", prompt=at.prompt("heroic_number").id, amount=pot).got("FeatChosen", after=str(raised))


def test_what_only_the_gm_can_tell_is_called_to_mind() -> None:
    """CS-640: in this segment, and no longer."""
    at = menu(check(play(), 50, 1), "yield")
    assert "Ash, more yield: decide how" in at.fight.system.reminders(at.state)
    at.to("initiative")
    assert not [line for line in at.fight.system.reminders(at.state) if "more comes" in line]


# Bumbles


@pytest.mark.parametrize(("roll", "label"), [(99, "a self-inflicted wound"), (100, "a self-inflicted wound, as on 00")])
def test_a_bumble_may_be_a_wound(roll: int, label: str) -> None:
    """CS-641: on 00 the choice says that this is what the roll stands for."""
    labels = {choice.id: choice.label for choice in check(play(), 50, roll).prompt("bumble").choices}
    assert labels["wound"] == label


def test_a_bumble_breaks_what_is_in_hand() -> None:
    """CS-641: the sword is gone; with bare hands nothing can break."""
    at = menu(check(play(), 50, 100), "breaks", "bumble")
    at.got("ToolBroken", who="ash", tool="sword")
    at.to("declare", "ash").refused("weapon", "declare", who="ash", action="strike", target="orc", weapon="sword")
    menu(check(at, 50, 100), "breaks", "bumble").got("FeatChosen", due=True)


@pytest.mark.parametrize(("choice", "label"), [("jammed", "jams the work"), ("spoiled", "spoils the material")])
def test_other_bumbles_are_told(choice: str, label: str) -> None:
    """CS-641."""
    menu(check(play(), 50, 100), choice, "bumble").got("FeatChosen", label=label, rule="CS-641", due=True)


# Battle


@played_once
def fight(ash: int, orc: int, settings: dict[str, object] | None = None, **given: object) -> Play:
    """Ash strikes at an orc who rolls too: their dice, at 60 % for both."""
    hero = {"kind": "pc", "weapons": [SWORD]}
    both = {"melee_roll": "contested", **ON, **(settings or {})}
    at = table(settings=both, ash=hero, orc={**hero, "side": "foe", "pres": 99, "msta": 60}).begin()
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    rolls = {"check": [ash], "defence": [orc]}
    return at.do("resolve", who="ash", chance=60, dv_chance=60, rolls=rolls, pot=7, **given)


def test_a_heroic_attack_that_lost_the_contest_prevails() -> None:
    """CS-635, CS-639, M-02: the number says it is a success, whatever the margins."""
    hero = {"kind": "pc", "weapons": [SWORD]}
    foe = {"side": "foe", "msta": 60, "pres": 99, "weapons": [SWORD]}
    at = table(settings={**ON, "melee_roll": "contested"}, ash=hero, orc=foe).begin()
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    at.do("resolve", who="ash", chance=40, dv_chance=95, rolls={"check": [4], "defence": [9]}, pot=7)
    assert "Missed" not in at.names()
    assert at.prompt("heroic_lost").default == "achieved"
    for choice, pot in (("achieved", 7), ("double", 14)):
        menu(at, choice, "heroic_lost").got("BlowLanded", pot=pot)
        at.undo()
    menu(at, "plain", "heroic_lost").got("Missed")


def test_a_heroic_defence_that_held_earns_a_reprisal() -> None:
    """CS-639: whether the dice otherwise indicate one or not; of a Reprisal that misses they do not (A-32)."""
    at = fight(60, 2)
    assert at.offers().count("reprisal") == 1
    assert (at.prompt("heroic_defence").blocking, at.prompt("heroic_defence").default) == (False, "plain")
    at = fight(90, 50)
    assert "heroic_defence" not in (*at.asks(), *at.offers())


@pytest.mark.parametrize(("choice", "offered"), [("reprisal", (1, 0)), ("plain", (0, 1))])
def test_a_heroic_defence_has_the_reprisal_that_waits_at_once(choice: str, offered: tuple[int, int]) -> None:
    """CS-639, CS-371, CS-481: one miss gives one Reprisal, now or after the own attack."""
    pair = {"weapons": [SWORD, {**SWORD, "name": "axe", "hand": "L"}], "trades": [{"name": "Warrior", "sl": 12}],
            "combos": [{"name": "both", "kind": "att+def", "first": "sword", "second": "axe"}]}  # fmt: skip
    hero = {"kind": "pc", "weapons": [SWORD]}
    at = table(settings={**ON, "melee_roll": "contested"}, ash=hero, orc={**hero, **pair, "side": "foe"}).begin()
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("declare", "orc")
    at.do("declare", who="orc", action="combination", weapon="sword", second="axe", target="ash").to("resolve", "ash")
    at.do("resolve", who="ash", chance=60, dv_chance=60, rolls={"check": [90], "defence": [2]})
    assert at.offers() == []
    assert (at.prompt("heroic_defence").blocking, at.prompt("heroic_defence").default) == (True, "reprisal")
    now = menu(at, choice, "heroic_defence").offers().count("reprisal")
    at.to("resolve", "orc").do("resolve", who="orc", hit=True, harm=1)
    assert (now, at.offers().count("reprisal")) == offered


def test_a_heroic_defence_that_lost_holds_all_the_same() -> None:
    """CS-635, CS-639: and earns its Reprisal."""
    hero = {"kind": "pc", "weapons": [SWORD]}
    foe = {**hero, "side": "foe"}
    at = table(settings={**ON, "melee_roll": "contested"}, ash={"weapons": [SWORD]}, orc=foe).begin()
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    at.do("resolve", who="ash", chance=95, dv_chance=40, rolls={"check": [9], "defence": [4]}, pot=7)
    assert at.prompt("heroic_lost").who == "orc"
    menu(at, "achieved", "heroic_lost").got("Missed")
    assert at.offers().count("reprisal") == 1


@pytest.mark.parametrize(
    ("answer", "event"),
    [
        ({"amount": 60, "rolls": {"defence": [50]}}, "BlowLanded"),
        ({"amount": 60, "rolls": {"defence": [20]}}, "Missed"),
        ({"choice": "made"}, "Missed"),
        ({"choice": "failed"}, "BlowLanded"),
    ],
)
def test_a_defender_who_is_asked_for_his_chance_is_held_against_the_attackers_margin(
    answer: dict[str, object], event: str
) -> None:
    """M-02: the larger margin wins; where only the outcome is said, a defence that was made holds."""
    hero = {"kind": "pc", "weapons": [SWORD]}
    at = table(settings={"melee_roll": "contested"}, ash=hero, orc={**hero, "side": "foe"}).begin()
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    at.do("resolve", who="ash", chance=60, rolls={"check": [30]}, pot=7)
    at.do("answer", prompt=at.prompt("check").id, **answer)
    assert at.got(event)


def test_of_two_heroic_rolls_the_margins_count() -> None:
    """CS-635: nobody is asked twice."""
    at = fight(2, 5)
    assert at.prompt("heroic_blow")
    assert "heroic_lost" not in at.asks()


def test_the_last_throws_of_a_tie_say_what_is_heroic() -> None:
    """CS-635, A-17: a first throw that was rolled again counts for nothing."""
    hero = {"kind": "pc", "weapons": [SWORD]}
    at = table(settings={**ON, "melee_roll": "contested", "contested_tie": "reroll"}, ash=hero,
               orc={"side": "foe", "weapons": [SWORD]}).begin()  # fmt: skip
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    rolls = {"check": [5, 20], "defence": [5, 30]}
    at.do("resolve", who="ash", chance=60, dv_chance=60, rolls=rolls, pot=7)
    assert at.got("BlowLanded", pot=7)
    assert "heroic_blow" not in at.asks()


def test_a_shot_that_lands_late_asks_when_it_lands() -> None:
    """CS-285, CS-547, CS-639."""
    bow = {"name": "bow", "kind": "missile", "family": "bow", "size": 6, "av": 40, "hand": "2", "str_rating": 13}
    at = table(settings=ON, ash={"kind": "pc", "weapons": [bow], "skills": {"intimidate": 9}},
               orc={"side": "foe", "msta": 60, "pres": 99}).begin()  # fmt: skip
    at.to("declare", "ash").do("declare", who="ash", action="shoot", target="orc", line="Duck!").to("resolve", "ash")
    at.do("resolve", who="ash", chance=50, rolls={"check": [1]}, pot=7, distance=2100, force=True)
    at.got("ImpactScheduled")
    at.to("initiative").begin()
    for _ in range(5):
        if at.asks():
            break
        at.do("advance")
    menu(at, "double", "heroic_blow").got("BlowLanded", pot=14)
    assert "Duck!" in at.prompt("noteworthy").question


def test_a_foe_out_of_it_may_be_up_again() -> None:
    """CS-639: long enough for a clean escape; asked at the end of the segment after."""
    at = menu(strike(play(), pot=1), "incapacitated", "heroic_blow")
    at.to("initiative").begin()
    assert "back_up" not in at.offers()
    at.to("initiative")
    menu(at, "up", "back_up")
    assert at.one("orc").able


def test_a_body_check_is_won_by_a_heroic_effect() -> None:
    """CS-455, CS-639: the purpose achieved settles the contest."""
    at = table(settings={**ON, "special_attacks": True}, ash={"kind": "pc"}, orc={"side": "foe", "pres": 99}).begin()
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc", attack="body_check")
    at.to("resolve", "ash")
    at.do("resolve", who="ash", chance=40, dv_chance=95, rolls={"check": [4], "defence": [9]}, charge=12)
    menu(at, "achieved", "heroic_contest").got("BodiesMet", outcome="thrown")
    at.undo()
    menu(at, "plain", "heroic_contest").got("BodiesMet", outcome="rebound")


@pytest.mark.parametrize(
    ("rolls", "who", "outcome"),
    [((4, 96), "ash", "thrown"), ((90, 5), "orc", "rebound"), ((4, 5), "orc", "rebound"), ((20, 96), "", "thrown")],
)
def test_cs_639_who_wins_a_body_check_by_a_heroic_effect_may_get_more_of_it(
    rolls: tuple[int, int], who: str, outcome: str
) -> None:
    """CS-639, CS-652: the attacker or who stands against it; of two Heroic Effects the one with the larger margin."""
    hero = {"kind": "pc", "pres": 99, "msta": 60}
    at = table(settings={**ON, "fate_tokens": True}, ash=hero, orc={**hero, "side": "foe"}).begin()
    at.do("opportunity", who="ash", target="orc", kind="body_check", charge=1, defence="stand", chance=40, dv_chance=95,
          rolls={"check": [rolls[0]], "defence": [rolls[1]]})  # fmt: skip
    at.got("BodiesMet", outcome=outcome)
    offers = [prompt for prompt in at.state.prompts if prompt.kind == "heroic"]
    assert [prompt.who for prompt in offers] == ([who] if who else [])
    for prompt in offers:
        at.do("answer", prompt=prompt.id, choice="token")
        assert at.see(who)["tokens"]["white"] == 1  # type: ignore[index]


# Deeds


def test_a_deed_raises_what_it_names() -> None:
    """CS-645, CS-646: AV of attacks, P-RES, attributes, several at once; each among the parts."""
    at = play()
    for value in ("av 4", "hrt 3", "p-res 5", "agl 2"):
        at.do("rule", what="deed", who="ash", value=value)
    assert at.see("ash")["deed"] == ["AV +4", "HRT +3", "P-RES +5", "AGL +2"]
    part = ("heroic deed", "+2", "CS-646")
    at.do("check", who="ash", kind="agl", dv=10, chance=50, rolls={"check": [40]})
    assert part in at.got("CheckRequested").parts  # type: ignore[attr-defined]
    strike(at, pot=7)
    assert ("heroic deed", "+4", "CS-646") in at.got("CheckRequested").parts  # type: ignore[attr-defined]


@pytest.mark.parametrize(("skills", "deed", "total"), [({}, "awa 6", "19"), ({"sentry": 20}, "av 4", "24")])
def test_cs_646_a_deed_sharpens_the_senses_too(skills: dict[str, int], deed: str, total: str) -> None:
    """CS-646, CS-047: of AWA, or of the skill that is noticed with."""
    at = table(settings=ON, ash={"kind": "pc", "skills": skills}).begin()
    at.do("rule", what="deed", who="ash", value=deed)
    assert at.fight.explain("ash", "noticing").total == total


def test_p_res_by_a_deed_bears_more() -> None:
    """CS-610, CS-646: the pain begins later."""
    at = table(settings=ON, ash={"kind": "pc", "pres": 5, "msta": 60}).begin()
    at.do("land_blow", who="ash", pot=8)
    assert at.got("CheckRequested", kind="P-RES")
    at.undo().do("rule", what="deed", who="ash", value="p-res 5").do("land_blow", who="ash", pot=8)
    assert "CheckRequested" not in at.names()


def test_how_long_a_deed_lasts() -> None:
    """CS-647: one Action, until a foe is down, or as long as the GM says."""
    at = play()
    at.refused("CS-647", "rule", what="deed", who="ash", value="str 5 forever")
    for value in ("str 5 act", "av 4 until orc", "pot 3"):
        at.do("rule", what="deed", who="ash", value=value)
    strike(at, pot=7)
    menu(at, "plain", "heroic_blow").got("BlowLanded", pot=10)
    at.do("advance")
    assert at.see("ash")["deed"] == ["AV +4 until Orc is down", "POT +3"]
    at.do("set_life", who="orc", life="unconscious").got("HeroicsEnded", who="ash")
    assert at.see("ash")["deed"] == ["POT +3"]


def test_a_bonus_until_a_foe_is_down_is_against_him() -> None:
    """CS-646, CS-647: in battle with the one who provoked it."""
    foe = {"side": "foe", "weapons": [SWORD]}
    at = table(settings=ON, ash={"kind": "pc", "hrt": 12, "weapons": [SWORD]}, orc=foe, gob=foe).begin()
    at.do("rule", what="deed", who="ash", value="av 4 until orc").to("declare", "ash")
    for who, there in (("orc", True), ("gob", False)):
        at.do("opportunity", who="ash", target=who, hit=False)
        parts = at.got("CheckRequested", kind="opportunity").parts  # type: ignore[attr-defined]
        assert any(part[0] == "heroic deed" for part in parts) is there
        at.undo()


def test_a_token_buys_a_greater_effect_at_once() -> None:
    """CS-652: offered with the effect; a deed by the same limits, and the token that came with it is gone."""
    at = check(play(fate_tokens=True, token_mode="both"), 50, 1)
    menu(at, "deed").got("TokenSpent", colour="white")
    at.refused("CS-646", "answer", prompt=at.prompt("heroic_deed").id, amount="str 40")
    at.do("answer", prompt=at.prompt("heroic_deed").id, amount="str 5 act").got("HeroicsDeclared", score="str", bonus=5)


# Tokens that change a roll


@played_once
def fated(ash: dict[str, object] | None = None, orc: dict[str, object] | None = None, **settings: object) -> Play:
    """Ash's due attack on the orc, with tokens in play."""
    hero = {"kind": "pc", "weapons": [SWORD], **(ash or {})}
    foe = {"side": "foe", "msta": 60, "pres": 99, "weapons": [SWORD], **(orc or {})}
    at = table(settings={"fate_tokens": True, **settings}, ash=hero, bo={}, orc=foe).begin()
    at.to("declare", "ash").do("declare", who="ash", action="strike", target="orc")
    return at.to("resolve", "ash")


WHITE = {"tokens": {"white": 1}}
ROLLED = {"chance": 50, "pot": 7}


def test_a_token_turns_a_miss_into_a_hit() -> None:
    """CS-653: asked before anything comes of the roll; with it one entry, undone as one."""
    at = fated(WHITE).do("resolve", who="ash", rolls={"check": [87]}, **ROLLED)
    assert at.names() == ["CheckRequested", "RulingAsked"]
    assert (at.prompt("fate").default, at.prompt("fate").rule) == ("stands", "CS-653")
    before = at.state
    menu(at, "spend", "fate").got("TokenSpent", who="ash", colour="white", on="attack, 87 becomes 6")
    assert at.got("CheckResolved").ok  # type: ignore[attr-defined]
    at.got("BlowLanded", pot=7)
    assert at.see("ash")["tokens"]["white"] == 0  # type: ignore[index]
    assert at.undo().state == before


def test_a_roll_that_stands_is_what_it_was() -> None:
    """CS-653: as if nobody had been asked, dice of the engine included."""
    at = menu(fated(WHITE).do("resolve", who="ash", rolls={"check": [87]}, **ROLLED), "stands", "fate")
    at.got("Missed")
    assert at.see("ash")["tokens"]["white"] == 1  # type: ignore[index]
    thrown = fated(WHITE).do("resolve", who="ash", chance=1, pot=7)
    roll = menu(thrown, "stands", "fate").got("DiceRolled")
    assert (roll.source, roll.total > 1) == ("seed", True)  # type: ignore[attr-defined]


def test_a_token_may_make_it_any_number() -> None:
    """CS-653: a shift, by the number that it becomes; no number is refused."""
    at = fated(WHITE).do("resolve", who="ash", rolls={"check": [87]}, **ROLLED)
    at.refused("CS-653", "answer", prompt=at.prompt("fate").id, amount=101)
    at.do("answer", prompt=at.prompt("fate").id, amount=50).got("CheckResolved", roll=50, ok=True)


def test_nothing_comes_of_a_roll_whose_author_leaves_or_falls() -> None:
    """CS-653, CS-111: the question goes with who left; who fell does nothing, and play goes on."""
    at = fated(orc=WHITE).do("resolve", who="ash", rolls={"check": [20]}, **ROLLED).do("leave", who="ash")
    assert at.state.prompt("fate") is None
    at = fated(orc=WHITE).do("resolve", who="ash", rolls={"check": [20]}, **ROLLED)
    at.do("adjust", who="ash", what="able", value=False)
    menu(at, "stands", "fate")
    assert at.state.prompt("fate") is None
    assert not at.all("BlowLanded")
    at.do("advance")


def test_who_is_asked() -> None:
    """CS-653: the target of a roll too; black ones turn a roll to their holder's harm; nobody for a roll that suits."""
    at = fated(orc=WHITE).do("resolve", who="ash", rolls={"check": [20]}, **ROLLED)
    assert at.prompt("fate").who == "orc"
    menu(at, "spend", "fate").got("Missed")
    at = fated({"tokens": {"black": 1}}).do("resolve", who="ash", rolls={"check": [20]}, **ROLLED)
    menu(at, "spend", "fate").got("TokenSpent", colour="black")
    assert at.all("Missed")
    at = fated(WHITE).do("resolve", who="ash", rolls={"check": [20]}, **ROLLED)
    assert at.all("BlowLanded")
    at = fated(WHITE).do("rule", what="fate", value=False)
    at.do("resolve", who="ash", rolls={"check": [87]}, **ROLLED)
    assert at.all("Missed")


def test_both_sides_may_be_asked_about_rolls_of_one_contest() -> None:
    """CS-653: one after the other; what was thrown is not thrown again."""
    at = fated(WHITE, WHITE, melee_roll="contested")
    at.do("resolve", who="ash", dv_chance=50, rolls={"check": [87], "defence": [90]}, **ROLLED)
    menu(at, "stands", "fate")
    assert "90 against 50 % fails" in at.prompt("fate").question
    menu(at, "spend", "fate").got("TokenSpent", who="orc")
    at.got("CheckResolved", who="orc", ok=True)
    at.got("Missed")


def test_an_attackers_token_counts_against_a_defence_whose_chance_was_asked_for() -> None:
    """CS-653, M-02; put right 35: the defender rolls against the attacker, whose white token makes it fail."""
    at = fated(WHITE, melee_roll="contested").do("resolve", who="ash", rolls={"check": [20]}, **ROLLED)
    at.do("answer", prompt=at.prompt("check").id, amount=60, rolls={"defence": [10]})
    assert (at.prompt("fate").who, at.asks()) == ("ash", ["fate"])
    menu(at, "spend", "fate").got("TokenSpent", who="ash")
    at.got("CheckResolved", who="orc", target="ash", ok=False)
    at.got("BlowLanded", pot=7)


def test_an_attackers_token_counts_against_a_body_that_stands_firm() -> None:
    """CS-653, CS-455; put right 35: in the contest of a Body Check, too."""
    at = fated({**WHITE, "sta": 60, "str": 30}, {"str": 10})
    at.do("resolve", who="ash", attack="body_check", defence="stand", charge=10, chance=50, rolls={"check": [20]})
    at.do("answer", prompt=at.prompt("check").id, amount=60, rolls={"defence": [10]})
    assert at.prompt("fate").who == "ash"
    menu(at, "spend", "fate").got("CheckResolved", who="orc", target="ash", ok=False)


def test_a_token_changes_a_check_that_was_asked_for() -> None:
    """CS-653, CS-610: an answer is held back like a command."""
    at = table(settings={"fate_tokens": True, "resolution": "linear"}, ash={"pres": 5, "msta": 60, **WHITE}).begin()
    at.do("land_blow", who="ash", pot=9)
    at.do("answer", prompt=at.prompt("check").id, choice="roll", rolls={"check": [99]})
    assert at.one("ash").able
    menu(at, "spend", "fate").got("CheckResolved", kind="P-RES", ok=True)
    assert at.one("ash").able
    at.undo()
    assert not menu(at, "stands", "fate").one("ash").able


def test_a_die_thrown_before_the_chance_was_known_is_changed_too() -> None:
    """CS-653, R-5: the question kept it."""
    at = fated(WHITE).do("resolve", who="ash", rolls={"check": [87]}, pot=7, defence="none")
    at.do("answer", prompt=at.prompt("check").id, amount=50)
    menu(at, "spend", "fate").got("BlowLanded", pot=7)


def test_tokens_in_the_menu_of_rulings() -> None:
    """CS-651, CS-653, CS-654: given to anybody, spent and handed on by who has one."""
    at = fated(WHITE)
    offered = {who: {one.action for one in at.fight.system.rulings(at.state, who)} for who in ("ash", "bo")}
    assert {"rule-token-give", "rule-token-spend", "rule-token-pass"} <= offered["ash"]
    assert "rule-token-give" in offered["bo"]
    assert "rule-token-spend" not in offered["bo"]


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


def test_cs_645_a_deed_takes_p_res_by_the_name_of_the_sheet() -> None:
    """CS-645, CS-646; put right 36: `pres` is P-RES."""
    at = table(ash={"pres": 10, "hrt": 15}, orc={"side": "foe"}).begin()
    at.do("rule", what="deed", who="ash", value="pres 3")
    assert at.got("HeroicsDeclared", score="p-res", bonus=3)
    assert at.see("ash")["deed"] == ["P-RES +3"]
