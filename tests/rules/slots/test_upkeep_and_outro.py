"""Upkeep, winding down and Slow Burn: AP-10, AP-42..53, Q-A5, Q-A17..A19."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.kinds import HexBoard
from fightcall_engine.systems.slots import views

from ..once import played_once
from .table import Play, table

POISON = {"name": "poison", "kind": "damage"}


@played_once
def upkeep_with(hp: int, now: int, *effects: tuple[str, int], **settings: object) -> Play:
    """Mara at `now` of `hp`, with damage and healing of these sizes, as Upkeep begins."""
    play = table(sheets={"mara": {"hp": hp}}, settings=settings).locked()
    play.do("adjust", who="mara", what="hp", value=now)
    for index, (kind, amount) in enumerate(effects):
        play.do("affect", who="mara", name=f"e{index}", kind=kind, amount=amount)
    return play.to_upkeep()


# Pulses and countdown


def test_a_condition_with_an_amount_harms_at_each_upkeep():
    """AP-45: what the short way of the screen gives is the same as by Affect."""
    play = table(sheets={"mara": {"hp": 8}}).locked()
    play.do("condition", who="mara", name="poison", rounds=2, amount=3).to_upkeep().do("advance")
    assert play.see("mara")["hp"] == 5


def poisoned(how: str, amount: str) -> Play:
    """Mara at 9 of 20 with a poison of these dice, given in one of the ways there are."""
    lasting = {"name": "poison", "kind": "damage", "amount": amount, "rounds": 2}
    sheet = {"hp": 9, "hp_max": 20, "effects": [lasting] if how == "sheet" else []}
    play = table(sheets={"mara": sheet}, board=HexBoard(cols=4, rows=4), at={"mara": (1, 1)}).locked()
    match how:
        case "condition":
            play.do("condition", who="mara", name="poison", rounds=2, amount=amount)
        case "affect":
            play.do("affect", who="mara", **lasting)
        case "zone":
            play.do("mark_zone", at=[1, 1], name="poison", kind="damage", amount=amount, rounds=2)
    return play.to_upkeep()


@pytest.mark.parametrize("how", ["condition", "affect", "sheet", "zone"])
def test_harm_in_dice_is_rolled_anew_at_each_upkeep(how):
    """AP-44, AP-45; put right 15."""
    play = poisoned(how, "d6+1")
    assert "d6+1 damage" in play.prompt("upkeep").question
    play.do("advance", rolls={"pulse": [4]})
    assert (play.got("DiceRolled").faces, play.got("DamagePulsed").amount) == ((4,), 5)
    play.to_upkeep().do("advance", rolls={"pulse": [1]})
    assert (play.got("DamagePulsed").amount, play.see("mara")["hp"]) == (2, 2)
    play.to_upkeep().do("advance")
    assert play.see("mara")["hp"] == 2, "its two rounds are over"


def test_dice_of_healing_are_set_against_dice_of_harm():
    """AP-45, Q-A17; put right 15: each is told with its roll, and what is waived is not rolled."""
    play = poisoned("affect", "2d4").do("condition", who="mara", name="balm", amount="d6", heals=True)
    waived = play.copy().do("answer", prompt="upkeep", choice="none")
    waived.do("answer", prompt="upkeep_effect", choice="waive", note="an antidote")
    waived.do("answer", prompt="upkeep_effect", choice="apply", rolls={"pulse": [5]})
    assert (waived.all("DamagePulsed"), waived.see("mara")["hp"]) == ([], 14)
    play.do("answer", prompt="upkeep", choice="all", rolls={"pulse": [3, 4, 5]})
    harm, balm = play.got("DamagePulsed"), play.got("HealPulsed")
    assert (harm.amount, balm.amount, harm.offset, play.see("mara")["hp"]) == (7, 5, 5, 7)


@pytest.mark.parametrize("amount", ["0", "2d", "poison", "d4-4", 0, -2])
def test_harm_that_is_neither_a_number_nor_dice_is_refused(amount):
    """AP-45; put right 15."""
    play = table().locked()
    accepts = play.refused("AP-45", "condition", who="mara", name="x", amount=amount).accepts if amount else ()
    assert not amount or "dice such as d4" in accepts
    play.refused("AP-45", "affect", who="mara", name="x", kind="damage", amount=amount)
    play.refused("AP-44", "affect", who="mara", name="x", kind="slots", amount="d4")


def test_healing_in_dice_is_added_up_by_rolling_all_of_it():
    """AP-52; put right 15."""
    sheet = {"hp": 20, "effects": [{"name": "balm", "kind": "heal", "amount": "d4", "rounds": 3}]}
    play = table(sheets={"mara": sheet}).locked().do("adjust", who="mara", what="hp", value=2)
    assert "up to 12" in str(play.fight.explain("mara", "effects"))
    play.do("threats_over").do("slow_burn").do("answer", prompt="issue", amount=9)
    play.do("rule", what="add_up", who="mara", rolls={"pulse": [1, 2, 4]})
    assert play.see("mara")["hp"] == 9


@given(
    st.integers(1, 12),
    st.lists(st.tuples(st.sampled_from(("damage", "heal")), st.integers(1, 6)), max_size=4),
    st.integers(1, 12),
)
def test_damage_and_healing_of_one_upkeep_are_set_against_each_other(hp, effects, now):
    """Q-A17: the order in which they stand changes nothing, and only what is left over counts."""
    now = min(now, hp)
    play = upkeep_with(hp, now, *effects).do("advance")
    net = sum(amount if kind == "heal" else -amount for kind, amount in effects)
    assert play.see("mara")["hp"] == min(hp, max(0, now + net))
    assert ("zero" in play.asks()) == (now + net <= 0 and net < 0)


@given(st.integers(1, 8), st.integers(1, 5), st.integers(1, 5))
def test_with_damage_first_healing_comes_too_late_for_the_question(now, harm, cure):
    """Q-A17: the other reading."""
    play = upkeep_with(8, now, ("heal", cure), ("damage", harm), hp_net="damage_first").do("advance")
    assert ("zero" in play.asks()) == (harm >= now)
    if harm >= now:
        play.do("answer", prompt="zero", choice="down")
    assert play.see("mara")["hp"] == min(8, max(0, now - harm) + cure)
    assert play.see("mara")["able"]


def test_no_healing_reaches_the_dead():
    """AP-45, Q-A17."""
    play = upkeep_with(8, 2, ("heal", 3), ("damage", 4), hp_net="damage_first").do("advance")
    play.do("answer", prompt="zero", choice="dead")
    assert play.see("mara")["hp"] == 0
    assert play.see("mara")["dead"]


def walked(play):
    """The question of Upkeep that is open, in words."""
    (prompt,) = play.state.prompts
    return prompt.question


def test_upkeep_is_gone_through_effect_by_effect_and_nothing_happens_before_all_are_judged():
    """AP-42..45: each is applied or waived."""
    play = upkeep_with(10, 10, ("damage", 3), ("damage", 2))
    play.do("affect", who="ivo", name="dazzled", kind="debuff", rounds=1).do("answer", prompt="upkeep", choice="none")
    assert walked(play) == "Upkeep 1 of 3: dazzled on Ivo: then it ends?"
    play.do("answer", choice="apply")
    assert walked(play) == "Upkeep 2 of 3: e0 on Mara: 3 damage?"
    play.do("answer", choice="apply")
    assert play.see("mara")["hp"] == 10
    play.do("answer", choice="apply")
    assert play.see("mara")["hp"] == 5
    assert play.one("ivo").effects == ()
    assert play.state.round == 2


def test_what_is_waived_in_upkeep_neither_works_nor_counts_and_has_a_reason():
    """AP-44, AP-45: for this time only."""
    play = table(sheets={"mara": {"hp": 9}}).locked()
    play.do("affect", who="mara", name="frost", kind="damage", amount=2, rounds=3).to_upkeep()
    play.do("answer", prompt="upkeep", choice="none").do("answer", choice="waive")
    assert walked(play) == "Why skip frost on Mara?"
    play.do("answer", choice="she stands by the fire")
    assert (play.see("mara")["hp"], play.one("mara").effects[0].left) == (9, 3)
    assert play.state.round == 2
    play.to_upkeep().do("answer", prompt="upkeep", choice="none").do("answer", choice="apply")
    assert (play.see("mara")["hp"], play.one("mara").effects[0].left) == (7, 2)
    play.to_upkeep().do("answer", prompt="upkeep", choice="none").do("answer", choice="waive", note="out of the wind")
    assert (play.see("mara")["hp"], play.one("mara").effects[0].left) == (7, 2)


@pytest.mark.parametrize(("choice", "hp", "asked"), [("", 7, None), ("none", 10, "waive")])
def test_a_single_item_of_upkeep_is_asked_about_once(choice, hp, asked):
    """AP-42..45: it is named in the first question, and applied; who wants to waive it says so first."""
    play = upkeep_with(10, 10, ("damage", 3))
    assert "on Mara: 3 damage" in play.prompt("upkeep").question
    play.do("answer", prompt="upkeep", choice=choice)
    if asked:
        play.do("answer", prompt="upkeep_effect", choice=asked, note="an antidote")
    assert (play.asks(), play.state.round, play.see("mara")["hp"]) == ([], 2, hp)


@pytest.mark.parametrize(
    ("command", "question"),
    [
        ({"do": "leave", "who": "mara"}, "does anything resolve?"),
        ({"do": "endeffect", "who": "mara", "effect": "e0"}, "does anything resolve?"),
        (
            {"do": "affect", "who": "teo", "name": "dazed", "kind": "debuff", "rounds": 1},
            "e0 on Mara: 3 damage; dazed on Teo: then it ends. Does anything else resolve?",
        ),
    ],
)
def test_what_upkeep_names_may_change_before_it(command, question):
    """AP-43: the question is asked anew; several items, or none, are gone through one by one."""
    play = upkeep_with(10, 10, ("damage", 3))
    play.do(str(command["do"]), **{name: value for name, value in command.items() if name != "do"})
    prompt = play.prompt("upkeep")
    assert (prompt.question, prompt.default) == (f"Upkeep of round 1: {question}", "none")


def test_the_rest_of_upkeep_can_take_its_course_at_any_item():
    """AP-42."""
    play = upkeep_with(10, 10, ("damage", 3), ("damage", 2)).do("answer", prompt="upkeep")
    play.do("answer", choice="waive", note="shielded").do("advance")
    assert play.see("mara")["hp"] == 8
    play = upkeep_with(10, 10, ("damage", 3), ("damage", 2)).do("answer", prompt="upkeep", choice="all")
    assert play.see("mara")["hp"] == 5


def test_an_effect_of_n_rounds_pulses_n_times():
    """Q-A5."""
    play = table(sheets={"mara": {"hp": 9}}).locked().do("affect", who="mara", amount=1, rounds=3, **POISON)
    for _ in range(5):
        play.through_upkeep()
    assert play.see("mara")["hp"] == 6


def test_with_the_countdown_first_the_last_round_has_no_pulse():
    """Q-A5: the other reading."""
    play = table(sheets={"mara": {"hp": 9}}, settings={"upkeep_order": "countdown_first"}).locked()
    play.do("affect", who="mara", amount=1, rounds=3, **POISON)
    for _ in range(5):
        play.through_upkeep()
    assert play.see("mara")["hp"] == 7


def test_upkeep_lets_some_durations_be_and_counts_shared_effects_too():
    """AP-44: what the GM types with a shared command follows the same clock."""
    play = table().locked().do("affect", who="mara", name="oath", rounds=2, counts=False)
    play.do("add_effect", who="mara", name="stunned", rounds=1).through_upkeep()
    assert play.see("mara")["effects"] == {"oath": 2}


def test_harm_without_hit_points_is_recorded_and_asks_nothing():
    """AP-45."""
    play = table().locked().do("affect", who="mara", amount=9, **POISON).to_upkeep().do("advance")
    assert play.got("DamagePulsed").tracked is False
    assert play.asks() == []


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        ({"name": " "}, "AP-44"),
        ({"name": "x", "kind": "odd"}, "AP-44"),
        ({"name": "x", "rounds": 0}, "AP-44"),
        ({"name": "x", "kind": "damage"}, "AP-45"),
        ({"name": "x", "kind": "heal", "amount": -1}, "AP-45"),
    ],
)
def test_an_effect_must_make_sense(data, rule):
    table().locked().refused(rule, "affect", who="mara", **data)


def test_the_sheets_effects_begin_with_the_encounter():
    """AP-44: and with whoever comes late."""
    sheet = {"hp": 5, "effects": [{"name": "old wound", "kind": "damage", "amount": 1}]}
    play = table(sheets={"mara": sheet}).locked()
    assert play.see("mara")["effects"] == {"old wound": None}
    play.do("join", name="Wolf", id="wolf", side="foe", sheet=sheet)
    assert play.see("wolf")["effects"] == {"old wound": None}


@pytest.mark.parametrize(
    ("now", "effects", "is_asked"),
    [
        (5, [], False),
        (5, [{"name": "balm", "kind": "heal", "amount": 1}], False),
        (4, [{"name": "balm", "kind": "heal", "amount": 1}], True),
        (5, [{"name": "balm", "kind": "heal", "amount": 1, "rounds": 2}], True),
        (5, [{"name": "old wound", "kind": "damage", "amount": 1}], True),
    ],
)
def test_upkeep_asks_only_if_something_is_due(now, effects, is_asked):
    """AP-43: without anything to decide it is an offer, which going on declines."""
    play = table(sheets={"mara": {"hp": 5, "effects": effects}}).locked()
    play.do("adjust", who="mara", what="hp", value=now).to_upkeep()
    assert ("upkeep" in play.asks()) is is_asked
    assert ("upkeep" in play.offers()) is not is_asked
    play.do("advance")
    assert play.state.round == 2


def test_something_else_of_upkeep_puts_the_question_again():
    """AP-43: whether it is said in the note at once, or asked for."""
    play = table().locked().to_upkeep().do("answer", prompt="upkeep", choice="more", note="the tide rises")
    assert play.offers() == ["upkeep"]
    assert play.got("RulingRecorded").note == "the tide rises"
    play.do("answer", prompt="upkeep", choice="more").do("answer", prompt="upkeep_item", choice="the fire spreads")
    assert play.offers() == ["upkeep"]
    play.do("answer", prompt="upkeep", choice="none")
    assert play.state.round == 2


# Zero


def test_harm_outside_upkeep_fells_at_once_and_healing_brings_back():
    """AP-45: the question is for pulses; a blow needs none."""
    play = table(sheets={"mara": {"hp": 5}}).locked().do("damage", who="mara", amount=7)
    assert play.see("mara")["able"] is False
    play.do("heal", who="mara", amount=2)
    assert play.see("mara")["able"] is True
    play.do("rule", what="fate", who="mara", value="dead").do("damage", who="mara", amount=9)
    play.do("heal", who="mara", amount=2)
    assert play.see("mara")["able"] is False, "the dead are not healed"
    play.do("rule", what="fate", who="mara", value="back")
    assert (play.see("mara")["able"], play.see("mara")["dead"]) == (True, False)
    play.refused("AP-51", "rule", what="fate", who="mara", value="asleep")


@pytest.mark.parametrize(
    ("choice", "able", "dead"), [("down", False, False), ("dead", False, True), ("other", True, False)]
)
def test_at_zero_the_gm_judges(choice, able, dead):
    """AP-45, AP-51."""
    play = upkeep_with(5, 1, ("damage", 2)).do("advance").do("answer", prompt="zero", choice=choice)
    assert (play.see("mara")["able"], play.see("mara")["dead"]) == (able, dead)


def test_who_lies_bleeding_may_still_die():
    """AP-51: asked again at every Upkeep."""
    play = upkeep_with(5, 1, ("damage", 2)).do("advance").do("answer", prompt="zero", choice="down")
    play.to_upkeep().do("advance")
    assert "already down" in play.prompt("zero").question
    play.do("advance").to_round(3)


# The course of Upkeep


def test_upkeep_comes_when_everybody_has_had_an_active_phase():
    """AP-26, AP-28, AP-42: or by the GM's word."""
    play = table().locked()
    play.refused("AP-26", "upkeep")
    play.do("upkeep", force=True)
    assert play.state.round == 2
    table().do("start").refused("AP-42", "upkeep")


def test_upkeep_at_one_go_says_what_else_resolved():
    """AP-43."""
    play = table().locked().to("teo").do("upkeep", outside="the tide rises")
    assert play.got("RulingRecorded", rule="AP-43").choice == "the tide rises"
    assert play.state.round == 2
    play.to_upkeep().do("upkeep", outside="the tide falls")
    assert play.got("RulingRecorded", rule="AP-43").choice == "the tide falls"
    assert play.state.round == 3
    play.to_upkeep().do("upkeep")
    assert play.state.round == 4


def test_five_seconds_a_round_by_the_clock():
    """AP-10."""
    play = table().locked().to_round(4)
    assert play.state.clock_s == 15


# Winding down


def test_threats_are_over_once_and_not_before_the_lock():
    """AP-46."""
    table().ordered().refused("AP-46", "threats_over")
    play = table().locked().do("threats_over")
    play.refused("AP-46", "threats_over")
    play.refused("AP-46", "outro", choice=" ")


def test_upkeep_is_a_good_moment_to_say_so():
    """AP-46: all resolve ends it without the pulses to come (AP-47)."""
    play = table(sheets={"mara": {"hp": 5}}).locked().do("affect", who="mara", amount=1, **POISON).to_upkeep()
    play.do("answer", prompt="upkeep", choice="over")
    assert "Mara: poison" in play.prompt("outro").question
    play.do("answer", prompt="outro", choice="all_resolve")
    assert play.state.status == "closed"
    assert play.see("mara")["hp"] == 5
    assert play.see("mara")["effects"] == {}


def test_another_way_is_asked_for_in_words():
    """Q-A19."""
    play = table().locked().do("threats_over").do("answer", prompt="outro", choice="other")
    play.do("answer", prompt="outro_words", choice="fade to black")
    assert play.got("EncounterEnded").reason == "fade to black"


def test_the_board_is_cleared():
    """AP-47."""
    play = table("ivo", "teo", board=HexBoard(cols=5, rows=5), at={"ivo": (1, 1)}).locked().do("threats_over")
    play.do("all_resolve")
    assert play.got("BoardCleared").figures == ("ivo",)
    assert play.one("ivo").at is None


LEFT_OVER = {
    "slots_per_round", "kind", "agility", "slot_mods", "hp", "hp_max", "awareness", "dead", "able", "effects",
    "last_act", "acted_round",
}  # fmt: skip
"""What may still be said of somebody when the Cycle is left."""


@pytest.mark.parametrize("how", ["all_resolve", "They run."])
def test_nothing_of_slots_state_and_work_is_left_over(how):
    """AP-47, L42: reserves, Action Slots, work in progress, Vulnerable, places, what was being done."""
    sheets = {"teo": {"vulnerable": True}}
    play = table("ivo", "mara", "teo", "wolf", has={"mara": ["long"]}, sheets=sheets).locked()
    play.do("npc", who="wolf", what="howls").do("end_ap", who="ivo")
    play.do("begin", who="mara", ability="long", pay=3, result=12).do("contact", who="mara", enemy="wolf")
    assert play.slots("ivo") == (0, 7)
    assert play.slots("mara") == (2, 0)
    play.do("threats_over").do("outro", choice=how)
    assert play.got("MultiRoundLost").lost == 3
    for who in ("ivo", "mara", "teo", "wolf"):
        left = {key: value for key, value in play.see(who).items() if key not in LEFT_OVER and value}
        assert left == ({"ap_state": "waiting"} if who != "wolf" else {}), who
        assert play.slots(who) == (0, 0)
        card = play.fight.system.card(play.state, who)
        assert not card.badges
        assert not card.progress
        assert not card.pips
    told = views.facts(play.state)
    assert (told["cycle"], told["locked"], told["stage"]) == ([], False, "ended")
    assert not play.state.contacts or how != "all_resolve"
    assert play.fight.system.declarations(play.state) == ()


@played_once
def burning(**more: object) -> Play:
    play = table(**more).locked().do("threats_over").do("slow_burn")  # type: ignore[arg-type]
    return play.do("answer", prompt="issue", amount=20)


def test_slow_burn_closes_the_round_and_goes_on_together():
    """AP-48, Q-A18: everybody gains at once, nothing is kept, nothing costs four times."""
    play = burning(has={"teo": ["c1"]}).to_round(2)
    assert play.fight.system.waiting(play.state) == ("ivo", "mara", "teo")
    play.do("act", who="teo", ability="c1")
    assert play.slots("teo") == (3, 0)
    play.do("end_ap", who="ivo")
    assert play.slots("ivo") == (0, 0)
    play.refused("AP-48", "outro", choice="slow_burn")


def test_slow_burn_may_keep_the_cycle():
    """Q-A18: the other reading."""
    play = burning(settings={"slow_burn_order": "as_in_combat"})
    assert play.state.round == 1, "the running round is played on"
    play.do("volunteer", who="ivo", slots=2)
    assert play.slots("ivo") == (5, 0)
    play.do("end_ap", who="ivo").do("volunteer", who="ivo", slots=1)
    assert play.slots("ivo") == (0, 4), "from reserve as well"
    play.to("teo")
    assert play.state.phase == "final"


def test_the_problem_takes_no_more_than_it_needs():
    """AP-49, AP-50."""
    play = burning().to_round(2).do("rule", what="issue", value=3)
    play.do("volunteer", who="ivo", slots=7)
    assert play.slots("ivo") == (4, 0)
    assert play.got("IssueResolved").name == "the problem"
    play.refused("AP-50", "volunteer", who="mara", slots=1)


def test_what_was_given_stays_where_a_problem_needs_more_than_was_thought():
    """AP-50: or less, and then it may be solved by what it has."""
    play = burning().to_round(2).do("volunteer", who="ivo", slots=7).do("rule", what="issue", value=30)
    assert play.see_fight()["issue"] == {"name": "the problem", "needed": 30, "done": 7}
    play.do("rule", what="issue", value=7)
    assert play.got("IssueResolved").name == "the problem"


def test_several_problems_are_worked_on_side_by_side():
    """AP-49, AP-50: a name that is new is one more; slots go where they are said to, or else to the oldest."""
    play = burning().to_round(2)
    play.do("rule", what="issue", value=6, note="the fire").do("rule", what="issue", note="Teo's wound")
    assert [one["name"] for one in play.see_fight()["issues"]] == ["the problem", "the fire", "Teo's wound"]
    play.do("volunteer", who="ivo", slots=2, problem="The Fire").do("volunteer", who="ivo", slots=3)
    play.do("volunteer", who="mara", slots=5, problem="Teo's wound")
    assert [(one["needed"], one["done"]) for one in play.see_fight()["issues"]] == [(20, 3), (6, 2), (None, 5)]
    refused = play.refused("AP-50", "volunteer", who="ivo", slots=1, problem="the flood")
    assert refused.accepts == ("the problem", "the fire", "Teo's wound")
    play.do("volunteer", who="teo", slots=4, problem="the fire")
    assert play.got("IssueResolved").name == "the fire"
    play.do("rule", what="issue", value=2, note="the gate").do("rule", what="solved", value="Teo's wound")
    assert [one["name"] for one in play.see_fight()["issues"]] == ["the problem", "the gate"]
    assert "the problem 3/20 · the gate 0/2" in play.fight.system.banner(play.state).text
    play.do("rule", what="solved").do("upkeep")
    assert "outro" not in play.asks(), "one is left"
    play.do("volunteer", who="mara", slots=2).do("upkeep")
    assert "outro" in play.asks()


def test_what_a_problem_needs_is_recorded_by_its_name():
    """AP-50: the name of one that is open, or of a new one."""
    play = burning().to_round(2)
    for note, name in (("", "the problem"), (" the fire ", "the fire"), ("The Fire", "the fire")):
        play.do("rule", what="issue", value=6, note=note)
        assert play.got("RulingRecorded").question == f"Slots {name} needs"
    play.do("rule", what="solved").do("rule", what="solved").do("rule", what="issue", value=6)
    assert play.got("RulingRecorded").question == "Slots the problem needs"


def test_where_none_is_named_slots_go_to_the_oldest_problem():
    """AP-49: a problem that comes up after another was solved comes after those that are left."""
    play = table().locked().do("threats_over").do("slow_burn").do("answer", prompt="issue", amount=2, note="the fire")
    play.do("rule", what="issue", value=9, note="the dam").do("rule", what="solved", value="the fire")
    play.do("rule", what="issue", value=9, note="the bridge").to_round(2).do("volunteer", who="ivo", slots=3)
    play.got("IssueProgressed", name="the dam", done=3)


def test_the_screen_asks_which_problem():
    """AP-49: only where there are several."""
    play = burning().to_round(2)
    assert [one.name for one in play.option("ivo", "volunteer").inputs] == ["slots"]
    play.do("rule", what="issue", value=6, note="the fire")
    which, _ = play.option("ivo", "volunteer").inputs
    assert (which.choices, which.default) == (("the problem", "the fire"), "the problem")
    rulings = {one.action: one for one in play.fight.system.rulings(play.state, "ivo")}
    assert rulings["rule-solved"].inputs[0].choices == ("the problem", "the fire")


@pytest.mark.parametrize("order", ["together", "as_in_combat"])
def test_a_slow_burn_can_turn_hot_again(order):
    """AP-46, AP-48: the round closes with its Upkeep, and the next is fought in the Cycle as it was locked."""
    play = burning(settings={"slow_burn_order": order}, sheets={"mara": {"hp": 9}}).to_round(2)
    play.do("affect", who="mara", amount=1, **POISON).do("volunteer", who="ivo", slots=2)
    play.do("threats_back")
    assert play.got("ThreatsReturned").value == ""
    assert ("upkeep" in play.asks()) == (order == "together")
    play.refused("AP-49", "volunteer", who="mara", slots=1)
    play.to_round(3)
    assert play.see("mara")["hp"] == 8, "the Upkeep was gone through"
    assert play.fight.system.waiting(play.state) == ("ivo",)
    assert (play.state.phase, play.see_fight()["stage"]) == ("active", "round")
    assert play.fight.system.banner(play.state) is None
    play.to("teo")
    assert play.state.phase == "final", "with its fourfold prices"
    play.do("threats_over").do("slow_burn")
    assert "issue" not in play.asks(), "the problem is still the same"
    assert play.see_fight()["issue"]["done"] == 2


def test_the_threats_may_be_back_before_a_way_to_end_is_chosen():
    """AP-46: the question falls away, and the round goes on."""
    play = table().locked()
    play.refused("AP-46", "threats_back")
    play.do("threats_over").do("threats_back")
    assert play.asks() == []
    play.do("end_ap", who="ivo").do("threats_over")
    assert play.asks() == ["outro"]
    play.refused("AP-46", "rule", what="threats_over", value=False)


def test_slots_are_volunteered_in_slow_burn_only():
    """AP-49."""
    table().locked().refused("AP-49", "volunteer", who="ivo", slots=1)
    burning().to_round(2).refused("AP-49", "volunteer", who="ivo", slots=-1)


def test_when_it_is_solved_the_gm_may_say():
    """AP-50: then Upkeep, and the question how it ends."""
    play = table().locked().do("threats_over").do("slow_burn").do("answer", prompt="issue", choice="unknown")
    play.to_round(2).do("volunteer", who="ivo", slots=3)
    assert play.see_fight()["issue"]["done"] == 3
    play.do("rule", what="solved").do("upkeep")
    assert "solved" in play.prompt("outro").question
    play.do("answer", prompt="outro", choice="slow_burn").do("answer", prompt="issue", amount=2)
    assert play.state.phase == "slow_burn"
    play.do("rule", what="solved").refused("AP-50", "rule", what="solved")
    play.refused("AP-50", "rule", what="issue", value=0)


def test_a_problem_needs_a_slow_burn_and_a_number():
    """AP-50."""
    table().locked().refused("AP-50", "rule", what="issue", value=3)
    table().locked().do("threats_over").do("slow_burn").refused("AP-50", "answer", prompt="issue", amount="many")


def test_healing_over_time_can_be_added_up():
    """AP-52: per round x rounds left, capped at the maximum; untimed healing fills it."""
    play = table(sheets={"mara": {"hp": 10}, "ivo": {"hp": 10}}).locked()
    for who in ("mara", "ivo"):
        play.do("adjust", who=who, what="hp", value=2)
    play.do("affect", who="mara", name="salve", kind="heal", amount=2, rounds=3)
    play.do("affect", who="ivo", name="ring", kind="heal", amount=1)
    play.refused("AP-52", "rule", what="add_up", who="mara")
    play.do("threats_over")
    assert "Mara still heals 6" in play.prompt("outro").question
    play.do("slow_burn").do("answer", prompt="issue", amount=9).to_round(2)
    play.do("rule", what="add_up", who="mara").do("rule", what="add_up", who="ivo")
    assert (play.see("mara")["hp"], play.see("ivo")["hp"]) == (8, 10)
    assert play.see("mara")["effects"] == {}
    play.refused("AP-52", "rule", what="add_up", who="teo")


def test_healing_that_has_nothing_left_to_heal_speaks_for_no_slow_burn():
    """AP-52, AP-53: nor do wounds that nothing heals."""
    play = table(sheets={"mara": {"hp": 10}, "ivo": {"hp": 10}}).locked().do("adjust", who="ivo", what="hp", value=2)
    play.do("affect", who="mara", name="salve", kind="heal", amount=2, rounds=3).do("threats_over")
    assert "still heals" not in play.prompt("outro").question


def test_somebody_down_speaks_for_slow_burn():
    """AP-53."""
    play = table(sheets={"teo": {"hp": 4}}).locked().do("damage", who="teo", amount=9).do("threats_over")
    assert "Teo is down" in play.prompt("outro").question


def test_the_gm_may_close_at_any_time():
    play = table().locked().do("close", reason="supper")
    assert play.got("EncounterEnded").reason == "supper"
    assert play.state.status == "closed"


def test_an_unknown_ruling_lists_those_there_are():
    refused = table().locked().refused("what", "rule", what="luck")
    assert "vulnerable" in refused.accepts
