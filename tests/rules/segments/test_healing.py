"""After the fight: STR, END, the plan of healing, days, setbacks (CS-627, CS-660..672)."""

from __future__ import annotations

import pytest

from ..once import played_once
from .table import Play, table

SHEET = {"str": 16, "cnd": 13, "sta": 20, "mod": {"str": 2, "cnd": 1}}


@played_once
def over(wounds: int, settings: dict[str, object] | None = None, **sheet: object) -> Play:
    play = table(settings=settings, ash={**SHEET, **sheet, "wounds": wounds}, orc={"side": "foe"}).begin()
    return play.do("close")


@pytest.mark.parametrize(
    ("wounds", "level", "strength", "factor"),
    [(1, "light", 12, 2), (3, "serious", 8, 4), (5, "grievous", 4, 8), (8, "mortal", 0, 16)],
    ids=["G-112 CS-627 CS-660 light", "G-112 serious", "G-112 grievous", "G-112 mortal"],
)
def test_the_aftermath_by_level(wounds: int, level: str, strength: int, factor: int) -> None:
    """G-112, CS-627, CS-660, CS-626: when the contest is over wounds tell, on STR and on how END comes back."""
    play = over(wounds)
    play.got("AftermathApplied", who="ash", level=level, strength=strength, end_factor=factor)
    assert play.see("ash")["str_now"] == strength
    trail = play.fight.explain("ash", "recovery")
    assert (trail.total, trail.parts[0].rule) == (f"{factor} times", "CS-660")


def test_the_dead_have_no_aftermath() -> None:
    """CS-627, CS-664: STR and END of the living alone are told."""
    play = table(ash={**SHEET, "wounds": 8}, orc={"side": "foe"}).begin()
    play.do("life", who="ash", life="dead").do("close")
    assert "AftermathApplied" not in play.names()
    assert "HealingScheduled" not in play.names()


def test_the_unhurt_have_no_aftermath() -> None:
    play = over(0)
    assert "AftermathApplied" not in play.names()
    assert "HealingScheduled" not in play.names()


def test_the_plan_of_a_healer() -> None:
    """G-121, CS-663, CS-664, CS-665, A-41: weeks, then days one less for each wound."""
    play = over(5).do("heal_plan", who="ash", healer_sl=8, fought="2026-05-01")
    plan = play.got("HealingScheduled", who="ash", met=True)
    assert plan.days == (21, 14, 7, 6, 5)  # type: ignore[attr-defined]
    assert plan.dates[:2] == ("2026-05-22", "2026-06-05")  # type: ignore[attr-defined]
    assert [(part.value, part.rule) for part in play.fight.explain("ash", "healing").parts][:2] == [
        ("+35", "CS-663"),
        ("-14", "CS-663"),
    ]


def test_a_wound_takes_a_day_at_least() -> None:
    """CS-665: however good the healer."""
    play = over(1).do("heal_plan", who="ash", healer_sl=100)
    assert play.got("HealingScheduled").days == (1,)  # type: ignore[attr-defined]
    assert "CS-665" in {part.rule for part in play.fight.explain("ash", "healing").parts}


def test_cs_664_who_survived_the_tenth_wound_gets_well_from_nothing():
    """CS-664: health goes from 0 to 1 of 10."""
    play = over(10)
    play.do("heal_plan", who="ash", healer_sl=100, skilled=True).do("heal_day", days=200)
    healed = play.all("WoundHealed")
    assert [(one.before, one.left) for one in healed][:2] == [(0, 1), (1, 2)]  # type: ignore[attr-defined]


def test_body_points_heal_by_the_day() -> None:
    """G-122, CS-666: damage less CND modifier less a quarter of the healer's level."""
    settings: dict[str, object] = {"body_points": True}
    play = over(0, settings, bp={"max": 40, "damage": 14}, mod={"cnd": 2})
    play.do("heal_plan", who="ash", healer_sl=12)
    assert play.got("HealingScheduled").days[:2] == (9, 8)  # type: ignore[attr-defined]
    assert [part.value for part in play.fight.explain("ash", "healing").parts][:3] == ["+14", "-2", "-3"]
    play.do("heal_day", days=9)
    play.got("WoundHealed", who="ash", day=9, total=13)
    assert play.see("ash")["bp"] == {"max": 40, "damage": 13}


def test_light_wounds_heal_during_ordinary_days() -> None:
    """CS-661, CS-664: no healer is needed, the wound is gone when its week is over."""
    play = over(1)
    play.got("HealingScheduled", care="ordinary_days", met=True, days=(7,))
    assert "WoundHealed" not in play.do("heal_day", days=6).names()
    play.do("heal_day").got("WoundHealed", who="ash", day=7, total=0)
    assert (play.see("ash")["wounds"], play.one("ash").pool("hp").now) == (0, 10)


def test_a_41_each_wound_may_take_a_day_less_than_the_one_before() -> None:
    """A-41, CS-664: 4 wounds, healer SL 4: 21 days, then 20, 19, 18; a better healer changes only what begins anew."""
    play = over(4, {"healing_pace": "day_less"}).do("heal_plan", who="ash", healer_sl=4)
    assert play.got("HealingScheduled").days == (21, 20, 19, 18)  # type: ignore[attr-defined]
    play.do("heal_day", days=21).got("WoundHealed", day=21, total=3)
    assert play.see("ash")["healing"]["days"] == [20, 19, 18]  # type: ignore[call-overload,index]
    assert [part.value for part in play.fight.explain("ash", "healing").parts][:2] == ["+21", "-1"]
    play.do("heal_day", days=39)
    assert [one.day for one in play.all("WoundHealed")] == [41, 60]  # type: ignore[attr-defined]


def test_a_41_the_pace_may_be_chosen_when_the_fight_is_over() -> None:
    """A-41: a plan made afterwards goes by the pace as it is then; one undo takes the choice back."""
    play = over(4).do("configure", setting="healing_pace", value="day_less").do("heal_plan", who="ash", healer_sl=4)
    assert play.got("HealingScheduled").days == (21, 20, 19, 18)  # type: ignore[attr-defined]
    play = over(4).do("heal_plan", who="ash", healer_sl=4)
    assert play.got("HealingScheduled").days == (21, 14, 7, 6)  # type: ignore[attr-defined]


def test_a_41_new_wounds_are_reckoned_anew() -> None:
    """A-41, CS-668: 6 wounds, one healed in 5 weeks, one more by a setback: 5 weeks again, and not 34 days."""
    play = over(6, {"healing_pace": "day_less"}).do("heal_plan", who="ash", healer_sl=4).do("heal_day", days=35)
    assert play.see("ash")["healing"]["days"][0] == 34  # type: ignore[call-overload,index]
    play.do("setback", who="ash").do("answer", choice="wound")
    assert play.see("ash")["healing"]["days"][:2] == [35, 34]  # type: ignore[call-overload,index]


def test_days_without_care_heal_nothing_afterwards_either() -> None:
    """CS-662: 3 wounds lie untended for 30 days; the first takes three weeks from the day the healer comes."""
    play = over(3).do("heal_day", days=30).do("heal_plan", who="ash", healer_sl=0)
    assert play.got("HealingScheduled").on_days == (51, 65, 72)  # type: ignore[attr-defined]
    assert "WoundHealed" not in play.do("heal_day", days=20).names()
    play.do("heal_day").got("WoundHealed", day=51, total=2)


def test_a_better_healer_does_not_begin_anew() -> None:
    """CS-663: who has been tended for a week keeps it: 3 weeks become 2, of which one is left."""
    play = over(3).do("heal_plan", who="ash", healer_sl=0).do("heal_day", days=7)
    play.do("heal_plan", who="ash", healer_sl=4).do("heal_day", days=7).got("WoundHealed", day=14, total=2)


def test_care_that_was_given_up_begins_anew() -> None:
    """CS-662: a week of rest, a week without, rest again: three weeks from then."""
    play = over(3).do("heal_plan", who="ash", healer_sl=0).do("heal_day", days=7)
    play.do("heal_plan", who="ash", healer_sl=0, rest=False).do("heal_day", days=7)
    play.do("heal_plan", who="ash", healer_sl=0).do("heal_day", days=20)
    assert "WoundHealed" not in play.names()
    play.do("heal_day").got("WoundHealed", day=35)


def test_who_collapses_after_the_fight_is_nobodys_target() -> None:
    """CS-624, CS-670, CS-111: P-RES is asked of him, and nothing of those who would have struck him."""
    play = table(ash={**SHEET, "wounds": 9}, orc={"side": "foe"}).begin().to("declare", "orc")
    play.do("declare", who="orc", action="strike", target="ash").do("confirm", who="orc")
    play.do("close").do("strain", who="ash", feet=3)
    assert [prompt.kind for prompt in play.state.prompts] == ["check"]


def test_serious_wounds_need_rest_and_a_healer() -> None:
    """CS-662: without either nothing heals."""
    play = over(2)
    play.got("HealingScheduled", care="rest_and_healer", met=False)
    assert "WoundHealed" not in play.do("heal_day", days=100).names()
    play.do("heal_plan", who="ash", healer_sl=0, rest=False).got("HealingScheduled", met=False)
    play.do("heal_plan", who="ash", healer_sl=0).got("HealingScheduled", met=True)
    assert len(play.do("heal_day", days=21).all("WoundHealed")) == 2


def test_wounds_heal_one_after_the_other_in_many_days() -> None:
    """CS-664: after each the time of the next is reckoned anew, and Light ones are left to ordinary days."""
    play = over(3).do("heal_plan", who="ash", healer_sl=4).do("heal_day", days=21)
    assert [(one.day, one.total) for one in play.all("WoundHealed")] == [(14, 2), (21, 1)]  # type: ignore[attr-defined]
    assert play.see("ash")["wounds"] == 1
    assert (play.undo().see("ash")["wounds"], play.one("ash").pool("hp").now) == (3, 7)


def test_a_strenuous_act_sets_the_clock_back() -> None:
    """CS-667: the time of the next wound begins anew."""
    play = over(1).do("heal_day", days=6)
    play.do("setback", who="ash").got("HealingClockReset", who="ash", day=6)
    assert "WoundHealed" not in play.do("heal_day", days=6).names()
    play.do("heal_day").got("WoundHealed", day=13)


def test_a_setback_with_grievous_wounds_may_cost_another() -> None:
    """CS-668: the GM is asked, none by default."""
    play = over(4).do("setback", who="ash")
    prompt = play.prompt("setback")
    assert (prompt.rule, prompt.default) == ("CS-668", "none")
    play.refused("CS-668", "heal_day")
    play.do("answer", prompt=prompt.id, choice="wound").got("WoundsInflicted", total=5)
    assert "setback" not in play.do("setback", who="orc", force=True).asks()


def test_mortal_wounds_need_a_very_skilled_healer() -> None:
    """CS-669: another healer does not help, nor magick alone; untended he dies."""
    play = over(7)
    play.got("HealingScheduled", care="very_skilled_healer", met=False)
    play.do("heal_plan", who="ash", healer_sl=20).got("HealingScheduled", met=False)
    play.refused("CS-669", "mend_wounds", who="ash", wounds=2)
    play.do("heal_day")
    assert play.prompt("untended").default == "dies"
    play.do("answer", prompt=play.prompt("untended").id, choice="dies").got("Died", who="ash")
    assert "untended" not in play.do("heal_day").asks()
    play.refused("CS-664", "heal_plan", who="ash", healer_sl=20)


def test_a_very_skilled_healer_saves_him() -> None:
    """CS-669, CS-664: and no question of dying comes up."""
    play = over(7).do("heal_plan", who="ash", healer_sl=20, skilled=True).do("heal_day", days=14)
    play.got("WoundHealed", day=14, total=6)
    assert play.asks() == []


def test_the_mortally_wounded_pays_for_each_step() -> None:
    """CS-670: a wound for each STR + CND modifiers feet, counted on; a Heroic Effect spares him."""
    play = over(7)
    play.do("strain", who="ash", feet=4).got("WoundsInflicted", n=1, total=8)
    assert "WoundsInflicted" not in play.do("strain", who="ash", feet=1).names()
    play.do("strain", who="ash", feet=1).got("WoundsInflicted", n=1, total=9)
    assert "WoundsInflicted" not in play.do("strain", who="ash", feet=30, heroic=True).names()


def test_each_foot_counts_where_the_modifiers_give_nothing() -> None:
    """CS-670: minimum 1 ft."""
    over(7, mod={"str": -1, "cnd": -1}).do("strain", who="ash", feet=2).got("WoundsInflicted", n=2)


def test_carrying_the_mortally_wounded() -> None:
    """CS-671: the GM says how many wounds it adds; none at best."""
    play = over(7).do("strain", who="ash", carried=True)
    prompt = play.prompt("carried")
    assert (prompt.rule, prompt.default) == ("CS-671", "none")
    play.refused("CS-671", "answer", prompt=prompt.id, amount=-2)
    play.do("answer", prompt=prompt.id, amount=2).got("WoundsInflicted", n=2, total=9)


def test_who_is_carried_does_nothing_strenuous() -> None:
    """CS-667, CS-671: on a healer's sheet the days of the next wound go on; with lesser wounds nothing is asked."""
    play = over(7).do("heal_plan", who="ash", healer_sl=20, skilled=True).do("heal_day", days=13)
    play.do("strain", who="ash", carried=True).do("answer", choice="none")
    play.do("heal_day").got("WoundHealed", day=14, total=6)
    play.refused("CS-671", "strain", who="ash", carried=True)
    assert not play.option("ash", "carried").legal


def test_as_many_wounds_are_mended_as_there_are() -> None:
    """CS-672: the refusal says how many that can be, and with none left that somebody must be wounded."""
    play = over(4)
    for wounds in (0, 5):
        assert play.refused("CS-672", "mend_wounds", who="ash", wounds=wounds).accepts == ("1 to 4",)
    play.do("mend_wounds", who="ash", wounds=4)
    assert play.refused("CS-672", "mend_wounds", who="ash", wounds=1).accepts == ("someone wounded",)


def test_magick_is_offered_to_the_mortally_wounded_only_beside_a_very_skilled_healer() -> None:
    """CS-669."""
    play = over(7)
    assert not play.option("ash", "mend").legal
    play.do("heal_plan", who="ash", healer_sl=20, skilled=True)
    assert play.option("ash", "mend").legal
    play.do("mend_wounds", who="ash").got("Healed", amount=1)


def test_shifting_wounds_lifts_the_limits() -> None:
    """CS-672: from Mortal to Grievous an ordinary healer is enough."""
    play = over(7).do("shift_wounds", who="ash", wounds=1)
    assert play.see("ash")["wound_level"] == "grievous"
    play.do("heal_plan", who="ash", healer_sl=4).got("HealingScheduled", met=True)
    play.refused("CS-672", "shift_wounds", who="ash", wounds=7)


@pytest.mark.parametrize(
    ("wounds", "care", "mended", "healed"),
    [(7, {"healer_sl": 12}, {"shifting": True}, 31), (2, {}, {}, 17)],
    ids=["Mortal to Grievous", "Serious to Light"],
)
def test_days_before_magick_lifted_the_need_of_better_care_heal_nothing(
    wounds: int, care: dict[str, object], mended: dict[str, object], healed: int
) -> None:
    """CS-662, CS-669, CS-672: three weeks for 6 wounds, one for the last, from the tenth day on."""
    play = over(wounds).do("heal_plan", who="ash", **care).do("heal_day", days=10)
    if "untended" in play.asks():
        play.do("answer", choice="lives")
    play.do("mend_wounds", who="ash", **mended)
    assert play.see("ash")["healing"]["on_days"][0] == healed  # type: ignore[call-overload,index]
    play.do("heal_day", days=healed - 11)
    assert "WoundHealed" not in play.names()
    assert play.do("heal_day").got("WoundHealed", day=healed)


def test_a_healer_of_the_party() -> None:
    """CS-663: the level of his trade counts."""
    play = table(ash={**SHEET, "wounds": 5}, meg={"trades": [{"name": "Healer", "sl": 8}]}).begin().do("close")
    play.do("heal_plan", who="ash", healer="meg").got("HealingScheduled", healer_sl=8)


def test_a_healer_has_the_trade_and_lives() -> None:
    """CS-662, L3076: nobody else's attendance will do, unless the GM gives a level."""
    meg = {"trades": [{"name": "Healer", "sl": 8}]}
    play = table(ash={**SHEET, "wounds": 5}, meg=meg, bo={}).begin().do("life", who="meg", life="dead").do("close")
    for healer, why in (("meg", "Meg is dead"), ("bo", "Bo has no healer's trade")):
        no = play.refused("CS-662", "heal_plan", who="ash", healer=healer)
        assert (no.message, no.accepts) == (why, ("another healer", "healer_sl"))
    assert play.do("heal_plan", who="ash", healer="bo", healer_sl=2).got("HealingScheduled", met=True, healer_sl=2)


def test_healing_waits_for_the_end() -> None:
    """CS-660: while the contest runs nothing heals; the rest of what is refused after it stays refused."""
    play = table(ash={**SHEET, "wounds": 2}).begin()
    play.refused("CS-660", "heal_plan", who="ash", healer_sl=4)
    play.refused("CS-660", "heal_day")
    play.do("close").refused("closed", "declare", who="ash", action="act", text="sing")
    play.refused("CS-664", "heal_day", days=0)
    play.refused("CS-663", "heal_plan", who="ash", healer_sl=-1)
    play.refused("CS-664", "heal_plan", who="ash", healer_sl=1, fought="May")
    for feet in (-1, 100_001):
        assert play.refused("CS-670", "strain", who="ash", feet=feet).accepts == ("0 to 100000",)


def test_what_is_left_to_do() -> None:
    """CS-662, CS-664: after the fight the options are those of healing; care ends only where there is any."""
    play = over(2)
    others = ["heal-days", "strain", "carried", "mend", "shift", "fought"]
    assert [one.action for one in play.fight.options("ash")] == ["heal-plan", *others]
    play.do("heal_plan", who="ash", healer_sl=4)
    assert [one.action for one in play.fight.options("ash")] == ["heal-plan", "untended", *others]
    play.do("heal_day", days=300)
    option = play.option("ash", "untended")
    assert (option.legal, option.rule) == (False, "CS-664")
    play.refused("CS-664", option.command, **option.fixed)
    assert not play.option("ash", "carried").legal
    assert play.option("orc", "heal-plan").rule == "CS-664"
    assert not play.option("orc", "heal-plan").legal


def test_what_is_left_after_the_fight_is_told_for_each_of_the_wounded() -> None:
    """CS-627, CS-660, CS-662 to CS-664: nothing before the end; then the day, and a plan for each."""
    play = over(5)
    (head, plan) = play.fight.system.aftermath(play.state)
    assert (head.title, head.note) == ("Day 0 after the fight", "1 to heal")
    assert (plan.who, plan.note) == ("ash", "grievous, 5 of 10")
    told = {one.name: one.text for one in plan.details}
    assert told["needs"] == "rest and a healer: nothing heals without it"
    assert told["heal"] == "with it day 35, day 63, day 84, day 98, day 105"
    play.do("heal_day", days=10)
    told = {one.name: one.text for one in play.fight.system.aftermath(play.state)[1].details}
    assert told["heal"] == "with it day 45, day 73, day 94, day 108, day 115", "counted from when it would begin"
    play.do("heal_plan", who="ash", healer_sl=8)
    told = {one.name: one.text for one in play.fight.system.aftermath(play.state)[1].details}
    assert (told["has"], told["heal"]) == ("healer's SL 8, quiet rest", "day 31, day 45, day 52, day 58, day 63")
    assert not table(ash={**SHEET, "wounds": 5}).begin().fight.system.aftermath(play.fight.line.seek(0))


def test_the_dead_and_the_mortally_wounded_after_the_fight() -> None:
    """CS-669, CS-670: who must lie still is named; who is dead has no plan."""
    play = over(8)
    reminders = play.fight.system.reminders(play.state)
    assert any("Must not move" in one and "(CS-670)" in one for one in reminders)
    play.do("heal_day").do("answer", prompt=play.prompt("untended").id, choice="dies")
    head, plan = play.fight.system.aftermath(play.state)
    assert head.note == "no one has anything to heal"
    assert [one.text for one in plan.details] == ["dead"]
    assert play.option("ash", "heal-plan").rule == "CS-664"
