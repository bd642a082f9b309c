"""Combinations as they are played: who may, in concert, separate, with a defence, and when (CS-362 to CS-373)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.systems.segments.state.records import Piece

from ..once import played_once
from .table import SWORD, Play, table

SECOND: Mapping[str, object] = {"name": "axe", "hand": "L", "av": 22, "size": 3}
FIRST: Mapping[str, object] = {**SWORD, "av": 30}
WARRIOR = [{"name": "Warrior", "sl": 12}]


def learned(kind: str, sl: int = 12) -> list[Mapping[str, object]]:
    return [{"name": "two-handed style", "kind": kind, "sl": sl, "first": "sword", "second": "axe"}]


def fighter(*combos: Mapping[str, object], **more: object) -> Mapping[str, object]:
    return {"weapons": [FIRST, SECOND], "trades": WARRIOR, "combos": list(combos), **more}


@played_once
def duel(ash: Mapping[str, object], orc: Mapping[str, object] | None = None, **others: Mapping[str, object]) -> Play:
    return table(None, None, ash=ash, orc={"side": "foe", "weapons": [SWORD], **(orc or {})}, **others).begin()


def declared(play: Play, who: str = "ash", target: str = "orc", **given: object) -> Play:
    play.to("declare", who)
    usual = {"action": "combination", "weapon": "sword", "second": "axe"}
    return play.do("declare", **{"who": who, "target": target, **usual, **given})


def struck(play: Play, roll: int = 99, **given: object) -> Play:
    who = play.state.step.actor  # type: ignore[union-attr]
    return play.do("resolve", **{"who": who, "chance": 50, "rolls": {"check": [roll]}, **given})


def numbers(play: Play) -> tuple[object, object]:
    check = play.all("CheckRequested")[-1]
    return check.av, check.dv  # type: ignore[attr-defined]


# Who may


def test_a_combination_is_learned():
    """CS-362: refused without its skill; the GM may overrule. CS-363: one attack with each hand is for everybody."""
    play = duel(fighter())
    play.to("declare", "ash")
    given = {"who": "ash", "action": "combination", "weapon": "sword", "second": "axe", "target": "orc"}
    no = play.refused("CS-362", "declare", **given, mode="concert")
    assert no.accepts == ("one attack with each hand (CS-363)",)
    play.do("declare", **given, mode="concert", force=True)
    play = duel({"weapons": [FIRST, SECOND], "trades": [{"name": "Miller", "sl": 3}]})
    play.to("declare", "ash")
    assert "master" in play.refused("CS-362", "declare", **given, mode="separate").message
    play.do("declare", who="ash", action="strike", weapon="sword", second="axe", target="orc").to("resolve", "ash")
    assert [numbers(struck(play))[0] for _ in range(2)] == [30, 22]


def test_each_combination_is_learned_by_itself():
    """CS-362: for its own two weapons, and of its own kind."""
    other = [{"name": "other", "kind": "att+att", "sl": 9, "first": "sword", "second": "shield"}]
    for combos in (other, learned("def+def")):
        play = duel(fighter(*combos)).to("declare", "ash")
        play.refused(
            "CS-362", "declare", who="ash", action="combination", weapon="sword", second="axe", target="orc",
            mode="concert",
        )  # fmt: skip
    anything = [{"name": "any two", "kind": "att+att", "sl": 9}]
    declared(duel(fighter(*anything)), mode="concert")


def test_it_takes_something_in_each_hand():
    """CS-364."""
    play = duel(fighter(*learned("att+att")))
    declared(play, second="").to("resolve", "ash")
    play.refused("CS-364", "resolve", who="ash", chance=50, mode="concert")


def test_g_70_the_mode_comes_before_the_dice():
    """G-70, CS-365: a roll is refused until it is chosen."""
    play = declared(duel(fighter(*learned("att+att")))).to("resolve", "ash")
    no = play.refused("CS-365", "resolve", who="ash", chance=50)
    assert no.message == "choose concert or separate before the dice"
    assert no.accepts == ("concert", "separate")
    assert numbers(struck(play, mode="separate"))[0] == 42
    assert numbers(struck(play, mode="separate"))[0] == 34
    play.to("initiative").begin().to("declare", "ash")
    play.refused(
        "CS-365", "declare", who="ash", action="combination", weapon="sword", second="axe", target="orc", mode="both"
    )


# In concert and separate


@pytest.mark.parametrize(("sl", "av"), [(12, 42), (30, 52), (0, 30)])
def test_g_68_in_concert_one_roll(sl: int, av: int):
    """G-68, CS-366: the lead and the level, at most both together; both weapons are used by it."""
    play = declared(duel(fighter(*learned("att+att", sl))), mode="concert").to("resolve", "ash")
    struck(play, 1, harm=0, defence="none")
    assert numbers(play)[0] == av
    assert len(play.all("CheckResolved")) == len(play.all("Hit")) == 1
    assert [(one.skill, one.n) for one in play.all("UseCounted")] == [("sword/R", 1), ("axe/L", 1)]  # type: ignore[attr-defined]
    assert [one.type for one in play.last if one.type == "Resolved"]


def test_the_higher_value_leads():
    """CS-366: whichever hand it is in."""
    weak, strong = {**FIRST, "av": 22}, {**SECOND, "av": 30}
    play = duel({"weapons": [weak, strong], "trades": WARRIOR, "combos": learned("att+att")})
    declared(play, mode="concert").to("resolve", "ash")
    assert numbers(struck(play))[0] == 42


def test_in_concert_it_is_one_defence():
    """CS-366, CS-479: one roll, against one defence, for one point of END."""
    play = table(
        None, {"end": True}, ash=fighter(*learned("att+att"), end={"max": 5}),
        orc={"side": "foe", "weapons": [SWORD], "end": {"max": 5}},
    ).begin()  # fmt: skip
    struck(declared(play, mode="concert").to("resolve", "ash"))
    assert (play.one("ash").pool("end").now, play.one("orc").pool("end").now) == (4, 4)


def parries(play: Play, who: str) -> set[str]:
    """What may parry somebody's Reprisal, with its DV."""
    listed = next(one for one in play.option(who, "reprise").inputs if one.name == "defence").choices
    return {one for one in listed if one.startswith("parry") and "+" not in one}


@pytest.mark.parametrize(("mode", "axe", "counted"), [("concert", 11, ["orc"]), ("separate", 22, ["orc", "ash"])])
def test_cs_486_both_weapons_of_an_attack_in_concert_have_missed(mode: str, axe: int, counted: list[str]):
    """CS-486, CS-487: each is worth half against the Reprisal, uncounted; of separate ones only that which missed."""
    play = declared(duel(fighter(*learned("att+att"))), mode=mode).to("resolve", "ash")
    struck(play, weapon="sword")
    assert parries(play, "orc") == {"parry sword 15", f"parry axe {axe}"}
    play.do("reprise", who="orc", chance=50, rolls={"check": [99]}, defence="parry axe")
    assert [one.who for one in play.all("UseCounted")] == counted  # type: ignore[attr-defined]


def test_cs_486_a_reprisal_put_off_knows_both():
    """CS-486, CS-371: the orc's own attack is still to come, so that his Reprisal waits for it."""
    play = declared(duel(fighter(*learned("att+att")), fighter(*learned("att+def"))), mode="concert")
    declared(play, "orc", "ash", mode="mixed").to("resolve", "ash")
    struck(play)
    assert not play.offers()
    struck(play.to("resolve", "orc"), defence="none")
    assert parries(play, "orc") == {"parry sword 15", "parry axe 11"}


def test_g_69_separate_but_simultaneous_two_rolls():
    """G-69, CS-368: 42 and 34, each at most 52; each meets a defence of its own."""
    play = declared(duel(fighter(*learned("att+att"))), mode="separate").to("resolve", "ash")
    assert numbers(struck(play)) == (42, 40)
    assert numbers(struck(play)) == (34, 20)
    capped = declared(duel(fighter(*learned("att+att", 30))), mode="separate").to("resolve", "ash")
    assert [numbers(struck(capped))[0] for _ in range(2)] == [52, 52]


def test_footwork_may_be_added():
    """CS-373, CS-421: a Turn, an Advance, a step."""
    play = duel(fighter(*learned("att+att")))
    declared(play, mode="concert", components=["turn_quarter"], qa=4)
    assert play.one("ash").record.action.components == (Piece("turn_quarter", 1),)


def test_a_turn_may_follow_the_blows_too():
    """CS-373, CS-342: before or after, and nobody is asked; with a single weapon that is no listed pair (CS-392)."""
    play = declared(duel(fighter(*learned("att+att"))), mode="concert", components=["strike", "turn"])
    assert play.got("Declared", qa_need=4)
    alone = duel(fighter()).to("declare", "ash")
    alone.do("declare", who="ash", target="orc", weapon="sword", components=["strike", "turn"])
    assert alone.prompt("pair").rule == "CS-392"


@pytest.mark.parametrize(("mode", "swords"), [("concert", 1), ("separate", 2)])
def test_the_first_weapon_opens_the_way_for_a_short_second_one(mode: str, swords: int):
    """CS-364, CS-318: a dagger is kept off by a polearm, but not beside a sword that keeps it busy."""
    dagger = {"name": "axe", "hand": "L", "av": 22, "size": 1}
    orc = {"weapons": [{"name": "polearm", "size": 6, "av": 35, "grip": "2", "hand": "2"}], "pres": 99, "msta": 90}
    sword = {**FIRST, "size": 5}
    ash = {**fighter(*learned("att+att")), "weapons": [sword, dagger], "msta": 15}
    play = declared(duel(ash, orc), mode=mode).to("resolve", "ash")
    for _ in range(swords):
        assert struck(play, roll=1, defence="none").got("Hit", attacker="ash")
    alone = duel(ash, orc).to("declare", "ash")
    alone.refused("CS-318", "declare", who="ash", action="strike", weapon="sword", second="axe", target="orc")


def test_in_concert_is_for_one_foe():
    """CS-366, CS-342: two foes are struck separately; refused as it is declared, or as the mode is stated."""
    play = duel(fighter(*learned("att+att")), bo={"side": "foe", "weapons": [SWORD]}).to("declare", "ash")
    given = {"who": "ash", "action": "combination", "weapon": "sword", "second": "axe", "target": "orc", "other": "bo"}
    assert "separate" in play.refused("CS-366", "declare", **given, mode="concert").accepts
    play.do("declare", **given).to("resolve", "ash")
    play.refused("CS-366", "resolve", who="ash", mode="concert", chance=50)
    struck(play, mode="separate")
    assert play.got("Missed", target="orc")


def test_with_more_foes_about_the_second_weapon_is_missed_elsewhere():
    """CS-372: a reminder, when it is declared and before the dice."""
    play = table(None, None, ash=fighter(*learned("att+att")), orc={"side": "foe"}, imp={"side": "foe"})
    play.do("contact", who="ash", enemy="orc").begin()
    declared(play, mode="concert")
    assert not [line for line in play.fight.system.reminders(play.state) if "2 foes" in line]
    play.do("contact", who="ash", enemy="imp")
    assert [line for line in play.fight.system.reminders(play.state) if "2 foes" in line]


# Defences


def defence_offered(play: Play, item: str) -> str:
    """What an item is offered to parry the attack with that is due."""
    who = play.state.step.actor  # type: ignore[union-attr]
    choices = next(one for one in play.option(who, "strike").inputs if one.name == "defence").choices
    return next(one for one in choices if one.startswith(f"parry {item} "))


@pytest.mark.parametrize(("sl", "total"), [(12, 42), (30, 52)])
def test_a_combination_defence_against_one_attack(sl: int, total: int):
    """CS-367, CS-411: crossed weapons: the lead and the level, at most both together; it uses both."""
    play = duel({"weapons": [SWORD], "trades": []}, fighter(*learned("def+def", sl)))
    play.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    inputs = {one.name: one for one in play.option("ash", "strike").inputs}
    assert f"parry sword+axe {total}" in inputs["defence"].choices
    assert inputs["defence"].default == "parry sword 30"
    struck(play, defence="parry sword+axe")
    assert numbers(play)[1] == total
    assert [(one.skill, one.role) for one in play.all("UseCounted")][1:] == [  # type: ignore[attr-defined]
        ("sword/R", "defence"), ("axe/L", "defence"),
    ]  # fmt: skip


@pytest.mark.parametrize("items", ["sword+axe", "axe+sword"])
def test_the_higher_value_leads_a_combination_defence_in_whatever_order_they_are_named(items: str):
    """CS-367: the SL goes to the greater of both, and the whole is at most their sum."""
    play = duel({"weapons": [SWORD]}, fighter(*learned("def+def")))
    play.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    assert numbers(struck(play, defence=f"parry {items}"))[1] == 42


def test_cs_486_the_missed_weapon_is_at_half_in_a_combination_defence_too():
    """CS-486, CS-367: the sword of 30 gives 15 against the Reprisal, so that the axe of 22 leads with the level."""
    play = duel(fighter(*learned("def+def")))
    play.to("declare", "ash").do("declare", who="ash", action="strike", weapon="sword", target="orc")
    struck(play.to("resolve", "ash"))
    play.do("reprise", who="orc", chance=50, rolls={"check": [99]}, defence="parry sword+axe")
    assert numbers(play)[1] == 34
    counted = [one.skill for one in play.all("UseCounted") if one.who == "ash"]  # type: ignore[attr-defined]
    assert counted == ["axe/L"], "CS-487"


@pytest.mark.parametrize(("defence", "dv"), [("parry sword+axe", 42), ("parry sword", 42), ("parry axe", 34)])
def test_cs_167_a_full_defence_forgets_earlier_uses_of_a_combination_too(defence: str, dv: int):
    """CS-167, CS-367, CS-369: whatever was spent on another foe before."""
    goblin = {"side": "foe", "weapons": [SWORD]}
    play = table(ash=fighter(*learned("def+def")), bo=goblin, orc=goblin).begin(ash=30, bo=29, orc=28)
    play.to("declare", "ash").do("declare", who="ash", action="defend", against="orc")
    for who in ("bo", "orc"):
        play.to("declare", who).do("declare", who=who, action="strike", target="ash")
    struck(play.to("resolve", "bo"), defence="parry sword+axe")
    struck(play.to("resolve", "orc"), defence=defence)
    assert numbers(play)[1] == dv


def test_without_the_skill_two_weapons_are_no_one_defence():
    """CS-367."""
    play = duel({"weapons": [SWORD]}, fighter())
    play.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    play.refused("CS-367", "resolve", who="ash", chance=50, defence="parry sword+axe")


def test_against_two_attacks_each_half_defends_with_the_level():
    """CS-369: of two foes, or a pair struck separately."""
    play = duel({"weapons": [SWORD]}, fighter(*learned("def+def")), eve={"weapons": [SWORD]})
    for who in ("ash", "eve"):
        play.to("declare", who).do("declare", who=who, action="strike", target="orc")
    play.to("resolve", "ash")
    assert numbers(struck(play, defence="parry sword"))[1] == 42
    play.to("resolve", "eve")
    assert numbers(struck(play, defence="parry axe"))[1] == 34
    play = duel(fighter(*learned("att+att")), fighter(*learned("def+def")))
    declared(play, mode="separate").to("resolve", "ash")
    assert numbers(struck(play, defence="parry sword"))[1] == 42


@pytest.mark.parametrize(
    ("given", "said", "dv"),
    [
        ({"mode": "separate"}, {}, 42),
        ({}, {"mode": "separate"}, 42),
        ({}, {"mode": "concert"}, 30),
        ({"mode": "separate", "other": "imp"}, {}, 30),
        ({"action": "strike"}, {}, 42),
        ({"action": "strike", "other": "imp"}, {}, 30),
    ],
)
def test_cs_369_two_attacks_of_one_foe_are_two_where_both_are_meant_for_the_defender(
    given: dict[str, object], said: dict[str, object], dv: int
) -> None:
    """CS-369: struck separately, whenever that is said, or with each hand; the second at somebody else is his."""
    play = duel(fighter(*learned("att+att")), fighter(*learned("def+def")), imp={"side": "foe"})
    declared(play, **given).to("resolve", "ash")
    assert numbers(struck(play, defence="parry sword", **said))[1] == dv


def test_an_archer_is_no_second_attack_to_parry():
    """CS-369: one sword and one bow leave the defender one attack that both weapons stand against."""
    bow = {"name": "bow", "kind": "missile", "av": 40, "size": 5, "hand": "2"}
    play = duel({"weapons": [SWORD]}, fighter(*learned("def+def")), eve={"weapons": [bow]})
    play.to("declare", "ash").do("declare", who="ash", action="strike", target="orc")
    play.to("declare", "eve").do("declare", who="eve", action="shoot", target="orc")
    play.to("resolve", "ash")
    assert numbers(struck(play, defence="parry sword"))[1] == 30


def test_who_strikes_somebody_else_is_no_second_attack():
    """CS-369."""
    play = duel({"weapons": [SWORD]}, fighter(*learned("def+def")), eve={"weapons": [SWORD]}, imp={"side": "foe"})
    for who, target in (("ash", "orc"), ("eve", "imp")):
        play.to("declare", who).do("declare", who=who, action="strike", target=target)
    play.to("resolve", "ash")
    assert numbers(struck(play, defence="parry sword"))[1] == 30


def test_cs_369_a_slow_attack_is_one_of_two_in_the_segment_in_which_it_is_due():
    """CS-102, CS-369: Eve's, declared in the first segment, is due in the second, and is faced in that one alone."""
    play = duel({"weapons": [SWORD]}, fighter(*learned("def+def")), eve={"weapons": [SWORD], "roa": "1/2"})
    for who in ("ash", "eve"):
        play.to("declare", who).do("declare", who=who, action="strike", target="orc")
    play.to("resolve", "ash")
    assert defence_offered(play, "sword") == "parry sword 30"
    struck(play, defence="none").to("initiative").begin().to("declare", "ash")
    play.do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    assert defence_offered(play, "sword") == "parry sword 42"
    struck(play, defence="none").to("resolve", "eve")
    assert defence_offered(play, "sword") == "parry sword 42", "though one of the two is over"


@pytest.mark.parametrize("order", [["ash", "eve"], ["eve", "ash"]])
def test_cs_369_an_attack_turned_to_another_foe_is_one_of_two(order: list[str]) -> None:
    """CS-111, CS-369: Eve's imp is down, and she strikes at the orc, as Ash does: first or second, she counts."""
    cast = {"ash": {"weapons": [SWORD]}, "eve": {"weapons": [SWORD]}}
    orc = {"side": "foe", **fighter(*learned("def+def"))}
    play = table(None, None, **{who: cast[who] for who in order}, orc=orc, imp={"side": "foe"}).begin()
    for who in order:
        play.to("declare", who).do("declare", who=who, action="strike", target={"ash": "orc", "eve": "imp"}[who])
    play.do("set_life", who="imp", life="dead")
    worths = []
    for who in order:
        struck(play.to("resolve", who), target="orc", defence="parry sword")
        worths.append(numbers(play)[1])
    assert worths == ([30, 27] if order[0] == "ash" else [42, 27])


# Attack with defence


def test_attack_and_defence_as_one():
    """CS-369: each half its own value and the level; the mode goes without saying."""
    play = duel(fighter(*learned("att+def")), {"weapons": [SWORD]})
    declared(play)
    assert play.one("ash").record.action.mode == "mixed"
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    assert numbers(struck(play))[0] == 42
    play.to("resolve", "orc")
    assert numbers(struck(play, defence="parry axe"))[1] == 34


def test_cs_369_what_is_given_up_defends_no_better():
    """CS-143, CS-369: the Combination is an Action; aborted, the axe is worth its own 22 again."""
    play = declared(duel(fighter(*learned("att+def")), {"weapons": [SWORD]}))
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    before = play.copy().to("resolve", "orc")
    assert defence_offered(before, "axe") == "parry axe 34", "he has only not struck"
    play.do("abort", who="ash").to("resolve", "orc")
    assert defence_offered(play, "axe") == "parry axe 22"


@pytest.mark.parametrize(("rate", "dv"), [("2", 22), ("1", 34)])
def test_cs_369_the_next_action_of_the_segment_begins_without_it(rate: str, dv: int) -> None:
    """CS-369, A-03: who has two Actions has it for the first; who has one keeps it to the end of the segment."""
    play = duel(fighter(*learned("att+def"), roa=rate), {"weapons": [SWORD], "roa": "2"})
    declared(play).to("resolve", "ash")
    struck(play, 1, harm=0, defence="none")
    play.until(lambda: play.state.step.number == 2)  # type: ignore[union-attr]
    play.do("opportunity", who="orc", target="ash", defence="parry axe", hit=False)
    assert numbers(play)[1] == dv


def test_of_such_a_pair_only_one_weapon_attacks():
    """CS-369: the other is for defence."""
    play = declared(duel(fighter(*learned("att+def")))).to("resolve", "ash")
    struck(play, 1, defence="none")
    assert play.got("Resolved").outcome == "hit Orc"  # type: ignore[attr-defined]


def test_reprisals_wait_until_both_have_attacked():
    """CS-371: the higher Initiative first, against the defence half; then the other's attack; then Reprisals."""
    play = duel(fighter(*learned("att+def")), fighter(*learned("att+def")))
    declared(play)
    declared(play, "orc", "ash").to("resolve", "ash")
    struck(play, defence="parry axe")
    assert numbers(play) == (42, 34)
    assert play.offers() == []
    assert "ReprisalOffered" not in play.names()
    assert play.state.step.actor == "orc"  # type: ignore[union-attr]
    struck(play, defence="parry axe")
    assert sorted(one.who for one in play.state.prompts) == ["ash", "orc"]
    assert [one.resume.blow.missed for one in play.state.prompts] == [("sword",), ("sword",)]
    play.do("reprise", who="orc", chance=50, rolls={"check": [99]})
    play.do("reprise", who="ash", chance=50, rolls={"check": [99]})
    assert play.offers() == []


def test_a_reprisal_put_off_comes_too_where_the_attack_is_given_up():
    """CS-371: or missed no more; and only one side need fight so."""
    play = duel(fighter(*learned("att+def")), {"weapons": [SWORD]})
    declared(play)
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    struck(play)
    assert play.offers() == []
    play.do("abort", who="orc")
    assert play.prompt("reprisal").who == "orc"


def test_cs_371_a_reprisal_does_not_wait_for_an_attack_of_a_later_segment():
    """CS-102, CS-371, CS-481: the slow orc's own attack is due in the next one."""
    play = duel(fighter(*learned("att+def")), {"weapons": [SWORD], "roa": "1/2"})
    declared(play)
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="ash").to("resolve", "ash")
    struck(play)
    assert play.prompt("reprisal").who == "orc"


def test_others_answer_at_once():
    """CS-371, CS-481: an attack on somebody else is no reason to wait."""
    play = duel(fighter(*learned("att+def")), {"weapons": [SWORD]}, eve={"weapons": [SWORD]})
    declared(play)
    play.to("declare", "orc").do("declare", who="orc", action="strike", target="eve").to("resolve", "ash")
    struck(play)
    assert play.prompt("reprisal").who == "orc"


# The Brawler


def test_a_brawler_kicks_besides():
    """CS-370: one kick, stomp or knee beside a Combination in close melee."""
    brawler = fighter(*learned("att+att"), skills={"brawling": 21})
    play = declared(duel(brawler, {"weapons": [], "dodge": 30}), mode="concert").to("resolve", "ash")
    struck(play, defence="none")
    assert [one.label for one in play.fight.options("ash") if one.command == "Resolve"] == ["Combination (bare hands)"]
    struck(play, weapon="bare hands", attack="kick", defence="none")
    assert numbers(play)[0] == 21
    assert play.got("Resolved").outcome == "missed Orc; missed Orc"  # type: ignore[attr-defined]
    play = declared(duel(fighter(*learned("att+att")), {"weapons": []}), mode="concert").to("resolve", "ash")
    play.refused("CS-370", "resolve", who="ash", weapon="bare hands", attack="kick", chance=50)


def test_nobody_kicks_from_afar():
    """CS-370: a longer weapon keeps the Brawler off; his Action is settled with the Combination."""
    brawler = fighter(*learned("att+att"), skills={"brawling": 21})
    play = declared(duel(brawler), mode="concert").to("resolve", "ash")
    play.refused("CS-370", "resolve", who="ash", weapon="bare hands", attack="kick", chance=50)
    struck(play)
    assert play.all("Resolved")
