"""What slots buy, when, and at which price: AP-12..31, Q-A2, Q-A6..A8, Q-A10, Q-A11, Q-A16, Q-A21, Q-A27..A29."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.board.kinds import HexBoard

from ..once import played_once
from .table import ABILITIES, Play, table


@played_once
def in_reserve(*abilities: str, kept: int = 4, **more: object) -> Play:
    """Ivo has kept slots, and it is Mara's Active Phase."""
    play = table(has={"ivo": abilities}, **more).locked()  # type: ignore[arg-type]
    return play.do("act", who="ivo", cost=7 - kept).do("end_ap", who="ivo")


# Slots


@given(st.integers(-9, 5), st.lists(st.integers(-4, 4), max_size=3), st.sampled_from((0, 1)))
def test_slots_are_five_and_agility_and_modifiers_never_below_the_floor(agility, mods, floor):
    """AP-12, AP-13, Q-A6."""
    sheet = {"agility": agility, "slot_mods": [{"source": f"m{i}", "amount": one} for i, one in enumerate(mods)]}
    play = table("ivo", "teo", sheets={"ivo": sheet}, settings={"slot_floor": floor}).locked()
    gained = next(one for one in play.heard if one.type == "SlotsGained" and one.who == "ivo")
    assert gained.total == max(floor, 5 + agility + sum(mods))


def test_gear_and_effects_are_named_in_the_sum():
    """AP-13: explained part by part."""
    play = table("ivo", "teo", sheets={"ivo": {"slot_mods": [{"source": "boots", "amount": 1}]}}).locked()
    play.do("affect", who="ivo", name="slow", kind="slots", amount=-2)
    parts = {part.label: (part.value, part.rule) for part in play.fight.explain("ivo", "slots").parts}
    assert parts["Agility"] == ("+2", "AP-12")
    assert parts["boots"] == ("+1", "AP-13")
    assert parts["slow"] == ("-2", "AP-13")


MAIL = {"slot_mods": [{"source": "Mail", "amount": -1}, {"source": "swift boots", "amount": 2}]}


@pytest.mark.parametrize(
    "what", ["sheet.slot_mods.1.amount", "sheet.slot_mods.Swift Boots.amount", "slot_mods.swift boots.amount"]
)
def test_gear_that_is_taken_off_counts_no_more(what):
    """AP-13, AP-14, L20; put right 18: by the number or the name of its entry; what was gained stays."""
    play = table(sheets={"ivo": MAIL}).locked().do("adjust", who="ivo", what=what, value=0)
    assert (play.slots("ivo"), play.see("ivo")["slots_per_round"]) == ((8, 0), 6)
    play.do("end_ap", who="ivo").to_round(2)
    assert play.got("SlotsGained", who="ivo").modifiers == {"Mail": -1, "swift boots": 0}
    assert (play.slots("ivo"), play.one("ivo").pool("reserved").max) == ((6, 0), 6)


def test_gear_that_is_unknown_is_refused_with_what_there_is():
    """AP-13; put right 18."""
    play = table(sheets={"ivo": MAIL}).locked()
    for what in ("slot_mods.shield.amount", "slot_mods.9.amount", "slot_mods", "sheet.slot_mods.mail"):
        assert "slot_mods.0.amount" in play.refused("what", "adjust", who="ivo", what=what, value=0).accepts


@pytest.mark.parametrize(
    ("command", "data", "most"),
    [
        ("rule", {"what": "agility", "value": 4}, 9),
        ("adjust", {"what": "agility", "value": 0}, 5),
        ("adjust", {"what": "sheet.agility", "value": 1}, 6),
        ("affect", {"name": "slow", "kind": "slots", "amount": -3}, 4),
        ("affect", {"name": "slow", "kind": "debuff"}, 7),
    ],
)
def test_pools_follow_what_changes_the_slots_of_a_round(command, data, most):
    """AP-12..14; put right 18: a maximum follows Agility and effects, but never below what a PC has."""
    play = table().locked().do("act", who="ivo", cost=1).do(command, who="ivo", **data)
    pools = play.one("ivo").pools
    assert (pools["slots"].now, pools["slots"].max, pools["reserved"].max) == (6, max(6, most), most)
    if command == "affect":
        play.do("end_effect", who="ivo", effect="slow")
        assert play.one("ivo").pools["reserved"].max == 7


def test_a_zero_slot_final_phase_waits_only_while_reserves_can_be_used():
    """Q-A16."""
    zero = {"teo": {"agility": -5}}
    waits = table(has={"ivo": ["r1"]}, sheets=zero).locked().do("end_ap", who="ivo").do("end_ap", who="mara")
    assert waits.asks() == ["last_call"]
    assert waits.state.phase == "final"
    closes = table(sheets=zero).locked().do("act", who="ivo", cost=4).do("end_ap", who="ivo")
    closes.do("act", who="mara", cost=2).do("end_ap", who="mara")
    assert closes.offers() == ["upkeep"]


@pytest.mark.parametrize(
    ("kept", "ability", "asked"),
    [(4, "c1", True), (3, "c1", False), (3, "rf", True), (2, "rf", False), (4, "", True), (3, "", False)],
)
def test_who_could_do_anything_with_reserves_keeps_the_round_open(kept, ability, asked):
    """Q-A16, AP-23: a slot's worth of moving or of an improvised act, 4 in the Final Phase, or what the sheet lists."""
    play = table(has={"ivo": [ability] if ability else []}).locked().do("act", who="ivo", cost=7 - kept)
    play.do("end_ap", who="ivo").do("act", who="mara", cost=5).do("end_ap", who="teo")
    assert ("last_call" in play.asks()) is asked


def test_without_a_final_phase_a_single_slot_is_enough():
    """Q-A16, Q-A2: one band, usual prices."""
    play = table("ivo", "mara").locked({"ivo": 12, "mara": 12}).do("act", who="ivo", cost=6).do("end_ap", who="ivo")
    play.do("act", who="mara", cost=5)
    assert play.asks() == ["last_call"]
    assert "Ivo 1" in play.prompt("last_call").question


def test_whoever_closes_the_round_is_not_called():
    """AP-25, AP-26, L11-12, L16; put right 17: of a single band the last to end closes the round in the same step."""
    play = table().locked(dict.fromkeys(("ivo", "mara", "teo"), 12)).do("end_ap", who="mara")
    play.do("end_ap", who="teo").do("end_ap", who="ivo")
    assert "reserves: Mara 5, Teo 4." in play.prompt("last_call").question
    alone = table("ivo").locked().do("end_ap", who="ivo")
    assert alone.offers() == ["upkeep"]
    fallen = table("ivo", "mara").locked().do("damage", who="mara", amount=1).do("rule", what="fate", who="mara")
    assert fallen.do("end_ap", who="ivo").offers() == ["upkeep"], "all later places fall out"


def test_the_last_call_follows_the_reserves_as_they_change():
    """AP-26; put right 17."""
    play = table(sheets={"ivo": {"agility": 5}}).locked().to("teo").do("end_ap", who="teo")
    assert "Ivo 10, Mara 5." in play.prompt("last_call").question
    play.do("move", who="mara", hexes=1)
    assert "reserves (prices x4): Ivo 10." in play.prompt("last_call").question
    play.do("adjust", who="ivo", what="reserved", value=6)
    assert "Ivo 6." in play.prompt("last_call").question
    play.do("adjust", who="mara", what="reserved", value=5)
    assert "Ivo 6, Mara 5." in play.prompt("last_call").question
    play.do("adjust", who="ivo", what="able", value=False)
    assert "x4): Mara 5." in play.prompt("last_call").question
    play.do("adjust", who="mara", what="reserved", value=3)
    assert play.offers() == ["upkeep"]


def test_in_the_last_call_one_moves_and_improvises_until_nothing_more_can_be_done():
    """Q-A16, AP-19, AP-20, Q-A21: then the round closes by itself."""
    play = table(sheets={"ivo": {"agility": 4}}).locked().do("end_ap", who="ivo").do("act", who="mara", cost=5)
    play.do("end_ap", who="teo").do("answer", prompt="last_call", choice="spend")
    play.do("move", who="ivo", hexes=2)
    assert play.slots("ivo") == (0, 5)
    assert play.state.phase == "final"
    play.do("react", who="ivo", ability="duck", cost=1)
    assert play.asks() == ["reserved"], "whether its text allows it is asked, and the round waits"
    play.do("answer", prompt="reserved", choice="yes")
    assert play.got("SlotsSpent", who="ivo").left == 1
    assert play.got("HesitationLost", who="ivo").amount == 1
    assert play.offers() == ["upkeep"]


def test_who_is_down_keeps_no_round_open():
    """Q-A16."""
    play = in_reserve("r1", kept=7).do("act", who="mara", cost=5).do("adjust", who="ivo", what="able", value=False)
    play.do("end_ap", who="teo")
    assert play.offers() == ["upkeep"]


def test_the_last_call_can_be_left_open_until_the_gm_steps_on():
    """AP-26, AP-27."""
    play = in_reserve("r1", kept=7).to("teo").do("end_ap", who="teo")
    play.do("answer", prompt="last_call", choice="spend")
    assert play.state.phase == "final"
    assert play.asks() == []
    play.do("advance")
    assert play.got("HesitationLost", who="ivo").amount == 7
    play.to_round(2).to("teo").do("end_ap", who="teo")
    assert play.asks() == ["last_call"], "asked anew in every round"


def test_leftovers_of_a_lone_band_are_kept_until_its_last_member_is_done():
    """Q-A25, Q-A2: no Final Phase, so whoever is done first can still react."""
    play = table(has={"ivo": ["r1"]}).locked({"ivo": 12, "mara": 12, "teo": 12})
    play.do("end_ap", who="ivo")
    assert play.slots("ivo") == (0, 7)
    play.do("react", who="ivo", ability="r1")
    assert play.slots("ivo") == (0, 6)


def test_stepping_on_ends_every_active_phase_of_the_band():
    """AP-17, AP-18."""
    play = table().locked({"ivo": 14}).do("advance")
    assert [one.who for one in play.all("ActivePhaseEnded")] == ["ivo", "mara"]
    assert {one.cause for one in play.all("ActivePhaseEnded")} == {"closed"}


def test_to_waive_is_to_end_the_active_phase():
    """AP-17: the shared words mean the same."""
    play = table().locked({"ivo": 14})
    play.do("waive", who="ivo").do("waive", side="party")
    assert play.state.phase == "final"
    play.refused("AP-17", "waive", who="ivo")
    play.refused("AP-17", "waive", side="foe")


# Off one's turn


@pytest.mark.parametrize("command", ["act", "begin"])
def test_nobody_acts_before_its_slots_have_come(command):
    """AP-14."""
    rule = {"act": "AP-14", "begin": "AP-34"}[command]
    data = {"cost": 1} if command == "act" else {"ability": "dig", "needed": 9}
    refusal = table().locked().refused(rule, command, who="mara", **data)
    assert refusal.accepts == ("its own Active Phase",)


@pytest.mark.parametrize(("spent", "accepted"), [(1, "another act from reserve"), (7, "the next Full Round")])
def test_whose_active_phase_is_over_has_reserves_or_waits(spent, accepted):
    """AP-14, AP-19."""
    play = table().locked()
    play.do("act", who="ivo", cost=spent)
    if play.one("ivo").pools["slots"].now:
        play.do("end_ap", who="ivo")
    play.refused("AP-14", "act", who="ivo", cost=1)
    rows = play.fight.preview(play.fight.codec.command("act", {"who": "ivo", "cost": 1})).rows
    assert [remedy.label for row in rows if row.rule == "AP-14" for remedy in row.remedies] == [accepted]


def test_who_is_active_acts_and_does_not_react():
    """AP-19."""
    assert (
        "own Active Phase"
        in table(has={"ivo": ["r1"]}).locked().refused("AP-19", "react", who="ivo", ability="r1").message
    )


def test_npcs_have_no_slots_and_pcs_are_no_npcs():
    """AP-04."""
    play = table("ivo", "teo", "wolf").locked()
    play.refused("AP-04", "act", who="wolf", cost=1)
    play.refused("AP-04", "npc", who="ivo", what="waves")
    play.refused("AP-05", "npc", who="wolf")


def test_who_is_down_spends_nothing():
    """AP-16."""
    play = in_reserve("r1").do("adjust", who="ivo", what="able", value=False)
    play.refused("AP-16", "react", who="ivo", ability="r1")


def test_an_act_off_the_sheet_may_be_allowed_or_refused_with_the_command():
    """AP-20."""
    play = in_reserve()
    play.refused("AP-20", "react", who="ivo", ability="duck", cost=1, allowed=False)
    play.do("react", who="ivo", ability="duck", cost=1, allowed=True)
    assert play.slots("ivo") == (0, 3)
    play.do("react", who="ivo", ability="roll", cost=1, force=True)
    assert play.slots("ivo") == (0, 2)


def test_one_act_waits_for_the_answer_about_another():
    """AP-20: what the GM has still to say comes first, and the refusal says so."""
    play = in_reserve().do("react", who="ivo", ability="duck", cost=1)
    assert "answer first" in play.refused("AP-20", "react", who="ivo", ability="roll", cost=1).message
    play.refused("AP-20", "act", who="mara", cost=1)
    play.do("answer", prompt="reserved", choice="no").do("act", who="mara", cost=1)


def test_an_ability_may_be_priced_for_once():
    """AP-21: the GM's price stands in for the sheet's."""
    play = table(has={"ivo": ["dear"]}).locked()
    play.do("act", who="ivo", ability="dear", cost=2)
    assert play.slots("ivo") == (5, 0)
    assert "no ability 'fly'" in play.refused("AP-21", "act", who="ivo", ability="fly").message
    assert play.refused("AP-21", "act", who="ivo").message == "choose an ability"
    play.refused("AP-21", "act", who="ivo", cost=-1)


# Prices


PRICES = [
    ({}, "active", "r2", 1), ({}, "reserved", "r2", 2), ({}, "final", "r2", 4), ({}, "late", "r2", 8),
    ({}, "late", "rf", 3), ({}, "final", "rf", 3), ({}, "late", "r1", 4),
    ({"final_scope": "reserved_only"}, "final", "r2", 1), ({"final_scope": "reserved_only"}, "late", "r2", 8),
    ({"final_base": "active_price"}, "late", "r2", 4), ({"final_base": "active_price"}, "final", "r2", 4),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "time", "ability", "price"), PRICES)
def test_each_time_has_its_price(settings, time, ability, price):
    """AP-21, AP-23, AP-24, Q-A2, Q-A10, Q-A11: Active, Reserved, Final by the last PC, Final from reserve (late)."""
    who = "teo" if time == "final" else "ivo"
    play = table(
        has={who: [ability]}, sheets={"ivo": {"agility": 9}, "teo": {"agility": 9}}, settings=settings
    ).locked()
    if time in ("reserved", "late"):
        play.do("end_ap", who="ivo")
    if time in ("final", "late"):
        play.to("teo")
    option = next(one for one in play.fight.options(who) if one.label == ability)
    assert option.legal
    assert option.cost.split()[0] == str(price)
    play.do("react" if time in ("reserved", "late") else "act", who=who, ability=ability)
    assert play.got("SlotsSpent").amount == price


def test_a_forced_price_takes_what_there_is():
    """AP-16: an override never makes slots of nothing."""
    play = table().locked().do("act", who="ivo", cost=99, force=True)
    assert play.got("SlotsSpent").amount == 7
    assert play.got("Overridden").rule == "AP-16"


# Harm


def test_what_came_of_an_act_is_asked_where_the_sheet_has_damage():
    """AP-16: the roll is thrown, the GM says hit or miss."""
    play = table("ivo", "teo", "wolf", has={"ivo": ["slash"]}, sheets={"wolf": {"hp": 9}}).locked()
    play.do("act", who="ivo", ability="slash", target="wolf", rolls={"roll": [14]})
    assert play.got("ActionActivated").roll == 17
    play.do("answer", prompt="outcome", amount=4)
    assert play.see("wolf")["hp"] == 5
    play.do("act", who="ivo", ability="slash", target="wolf", hit=False)
    assert not play.all("DiceRolled"), "whoever says what came of it has thrown already"
    assert play.got("ActResolved").hit is False
    assert play.see("wolf")["hp"] == 5
    play.do("act", who="ivo", ability="slash", target="wolf", damage=6, rolls={"roll": [20]})
    assert play.see("wolf")["able"] is False


def test_an_npc_hits_with_what_its_sheet_says():
    """AP-05."""
    play = table("ivo", "teo", "wolf", has={"wolf": ["slash"]}, sheets={"ivo": {"hp": 9}}).locked()
    play.do("npc", who="wolf", what="slash", target="ivo").do("answer", prompt="outcome", choice="miss")
    assert play.see("ivo")["hp"] == 9
    play.do("npc", who="wolf", what="slash", target="ivo")
    play.do("answer", prompt="outcome", choice="hit", rolls={"damage": [6]})
    assert play.see("ivo")["hp"] == 3
    play.do("npc", who="wolf", what="drags them off", target="ivo", damage=2)
    assert play.see("ivo")["hp"] == 1


def test_a_target_that_leaves_settles_the_question_about_it():
    play = table("ivo", "teo", "wolf", has={"ivo": ["slash"]}).locked()
    play.do("act", who="ivo", ability="slash", target="wolf").do("leave", who="wolf")
    assert play.asks() == []


# NPCs


def test_between_bands_the_gm_is_reminded_of_npcs_that_have_not_acted():
    """AP-05: an offer, not a question that holds up play; what they do may be said."""
    play = table("ivo", "mara", "teo", "wolf").locked()
    assert play.offers() == []
    play.do("end_ap", who="ivo")
    assert play.offers() == ["npc"]
    play.do("answer", prompt="npc", choice="wolf", note="prowls")
    assert play.see("wolf")["last_act"] == "prowls"
    play.do("end_ap", who="mara")
    assert play.offers() == [], "it has acted in this round"


def test_a_round_in_which_all_later_phases_fall_out_asks_whether_an_npc_acts_before_it_closes():
    """AP-05: no band begins between whose begin and the close it would be asked."""
    play = table("ivo", "mara", "wolf").locked().do("rule", what="fate", who="mara", value="down")
    play.do("end_ap", who="ivo")
    assert play.asks() == []
    assert "npc" in play.offers()
    assert play.state.phase != "upkeep"
    play.do("answer", prompt="npc", choice="none")
    assert play.state.phase == "upkeep", "it is asked once"


def test_an_npc_that_is_reminded_of_acts_and_the_others_are_still_named():
    """AP-05: with a target and damage, as whenever it acts; a name alone is no deed."""
    play = table("ivo", "mara", "teo", "wolf", "wolfess").locked().do("end_ap", who="ivo")
    assert {choice.who for choice in play.prompt("npc").choices} == {"", "wolf", "wolfess"}
    play.refused("AP-05", "answer", prompt="npc", choice="wolf")
    play.do("npc", who="wolf", what="bites", target="teo", damage=2)
    assert play.got("DamageApplied").who == "teo"
    assert play.offers() == ["npc"]
    assert [choice.id for choice in play.prompt("npc").choices] == ["none", "wolfess"]
    play.do("answer", prompt="npc", choice="wolfess", note="roars")
    assert play.offers() == []
    assert play.see("wolfess")["last_act"] == "roars"


def test_closing_the_round_waits_for_who_outside_the_cycle_has_not_acted():
    """AP-05, AP-26: the last call answers for the reserves; whether an NPC acts is asked before the round closes."""
    play = table("ivo", "mara", "wolf").locked().do("end_ap", who="ivo").do("end_ap", who="mara")
    assert (play.asks(), play.offers()) == (["last_call"], ["npc"])
    play.do("answer", prompt="last_call", choice="close")
    assert (play.asks(), play.offers()) == ([], ["npc"])
    call = play.fight.next_call()
    assert (call.prompt, "Ivo loses" in call.loses) == (play.prompt("npc").id, True)
    play.do("npc", who="wolf", what="bites", target="mara", damage=1)
    assert play.got("FullRoundEnded").number == 1


def test_an_npcs_act_closes_no_band():
    """Q-A12."""
    play = table("ivo", "teo", "wolf").locked().do("npc", who="wolf", what="howls")
    assert play.fight.system.waiting(play.state) == ("ivo",)


# Interrupts


def test_an_interrupt_with_a_clause_stops_an_active_action():
    """AP-29, Q-A27."""
    play = in_reserve("breaks").do("act", who="mara", ability="spell", cost=2)
    play.do("react", who="ivo", ability="breaks", target="mara", interrupt=True)
    assert play.got("ActionInterrupted").what == "spell"
    assert play.got("Interrupted").rule == "AP-29"
    play.refused("AP-29", "react", who="ivo", ability="breaks", target="mara", interrupt=True)


def test_an_interjection_needs_a_clause_for_interjections():
    """AP-29: what is done from reserve is another sort of act than what is done in one's Active Phase."""
    play = in_reserve("r1").do("act", who="mara", cost=1)
    play.do("react", who="ivo", ability="r1")
    play.do("adjust", who="mara", what="name", value="Mara")
    mara = {"abilities": [ABILITIES["breaks"], ABILITIES["parry"]]}
    other = table(has={"ivo": ["r1"]}, sheets={"mara": mara}).locked().do("end_ap", who="ivo")
    other.do("react", who="ivo", ability="r1")
    other.refused("AP-29", "act", who="mara", ability="breaks", target="ivo", interrupt=True)
    other.do("act", who="mara", ability="parry", target="ivo", interrupt=True)
    assert other.got("ActionInterrupted", who="ivo").what == "r1"


def test_nobody_can_be_interrupted_in_doing_nothing():
    """AP-29."""
    in_reserve("breaks").refused("AP-29", "react", who="ivo", ability="breaks", target="mara", interrupt=True)
    in_reserve("breaks").refused("AP-29", "react", who="ivo", ability="breaks", interrupt=True)


def test_the_gm_decides_where_nothing_is_written():
    """AP-29: an act that is not on the sheet; no is what Enter says."""
    play = in_reserve().do("act", who="mara", ability="spell", cost=2)
    data = {"who": "ivo", "ability": "shove", "cost": 1, "target": "mara", "interrupt": True, "allowed": True}
    play.do("react", **data)
    assert play.prompt("interrupt").rule == "AP-29"
    play.do("advance")
    assert play.slots("ivo") == (0, 4)
    play.do("react", **data).do("answer", prompt="interrupt", choice="yes")
    assert play.got("ActionInterrupted").who == "mara"
    assert play.slots("ivo") == (0, 3)


def test_both_questions_are_asked_one_after_the_other():
    """AP-20, AP-29."""
    play = in_reserve().do("act", who="mara", ability="spell", cost=2)
    play.do("react", who="ivo", ability="shove", cost=1, target="mara", interrupt=True)
    play.do("answer", prompt="reserved", choice="yes")
    assert play.asks() == ["interrupt"]
    play.do("answer", prompt="interrupt", choice="yes")
    assert play.got("SlotsSpent").amount == 1


def test_a_finisher_needs_no_clause_from_reserve_or_in_the_final_phase():
    """AP-30, Q-A28: and does nothing of the kind in another's own Active Phase."""
    sheets = {"wolf": {"vulnerable": True}, "teo": {"agility": 9}}
    play = table("ivo", "teo", "wolf", has={"ivo": ["knockout"], "teo": ["knockout"]}, sheets=sheets).locked()
    play.do("npc", who="wolf", what="bites").do("act", who="ivo", ability="knockout", target="wolf")
    assert not play.all("ActionInterrupted")
    play.do("answer", prompt="finished", choice="other")
    play.to("teo").do("npc", who="wolf", what="bites").do("act", who="teo", ability="knockout", target="wolf")
    assert play.got("ActionInterrupted").what == "bites"


def test_who_is_vulnerable_is_the_gms_to_say():
    """AP-30."""
    play = table("ivo", "teo", "wolf", has={"ivo": ["knockout"]}).locked()
    assert play.option("ivo", "ability-1").rule == "AP-30"
    play.refused("AP-30", "act", who="ivo", ability="knockout", target="wolf")
    play.do("rule", what="vulnerable", who="wolf")
    assert play.option("ivo", "ability-1").legal
    play.do("act", who="ivo", ability="knockout", target="wolf")
    play.do("rule", what="vulnerable", who="wolf", value="no")
    assert play.see("wolf")["vulnerable"] is False
    play.refused("AP-30", "rule", what="vulnerable", who="wolf", value=7)


# Minor acts


def test_a_shared_object_costs_each_handler_a_slot_from_reserve_too():
    """AP-31, Q-A8."""
    play = in_reserve().do("shared", who="ivo", what="lid")
    assert play.slots("ivo") == (0, 3)
    play.refused("AP-19", "shared", who="teo", what="lid")


def test_a_shared_act_costs_four_in_the_final_phase():
    """Q-A29."""
    play = table().locked().to("teo").do("shared", who="teo")
    assert play.got("SlotsSpent").amount == 4


def test_who_cannot_pay_the_slot_cannot_handle_it():
    """AP-31: the question offers what is possible."""
    play = in_reserve(kept=3).to("teo").do("handle", who="ivo", what="lid")
    assert [one.id for one in play.prompt("shared").choices] == ["cannot", "no"]
    play.do("answer", prompt="shared", choice="cannot")
    assert not play.all("MinorActDone")
    play.refused("AP-31", "shared", who="ivo", what="lid")


# Moving


def board() -> HexBoard:
    return HexBoard(cols=12, rows=4)


def test_a_slot_buys_a_few_places():
    """Q-A21: the number is a setting, or the sheet's."""
    play = table(settings={"places_per_slot": 3}).locked().do("move", who="ivo", hexes=4)
    assert play.slots("ivo") == (5, 0)
    own = table(sheets={"ivo": {"stride": 5}}).locked().do("move", who="ivo", hexes=4)
    assert own.slots("ivo") == (6, 0)


def test_moving_from_reserve_is_allowed_unless_a_setting_says_no():
    """AP-19, Q-A21."""
    play = in_reserve().do("move", who="ivo", hexes=2)
    assert play.slots("ivo") == (0, 3)
    in_reserve(settings={"reserved_moves": "no"}).refused("AP-20", "move", who="ivo", hexes=2)
    table().locked().refused("AP-19", "move", who="mara", hexes=1)


def test_moving_in_the_final_phase_costs_four_times():
    """AP-23."""
    play = table().locked().to("teo")
    assert play.fight.system.travel(play.state, "teo", "walk") == (2, frozenset())
    play.refused("AP-23", "move", who="teo", hexes=3)
    play.do("move", who="teo", hexes=2)
    assert play.got("SlotsSpent").amount == 4


def test_a_way_over_the_board_is_walked_step_by_step():
    """AP-16: paid by the ground it crosses."""
    play = table("ivo", "teo", "wolf", board=board(), at={"ivo": (0, 0), "teo": (2, 0), "wolf": (5, 0)}).locked()
    play.do("move", who="ivo", to=[4, 0])
    assert play.one("ivo").at == (4, 0)
    assert play.slots("ivo") == (5, 0)
    assert play.got("ContactMade").enemy == "wolf"
    play.refused("path", "move", who="ivo", path=[[5, 0]])
    play.refused("path", "move", who="ivo", path=[[9, 0]])
    play.refused("path", "move", who="ivo")
    play.refused("path", "move", who="ivo", to=[40, 0])
    play.do("move", who="wolf", path=[[6, 0]])
    assert play.names() == ["Moved", "ContactLeft"], "an NPC pays nothing"


def test_without_a_board_a_move_is_a_number():
    play = table().locked()
    play.refused("hexes", "move", who="ivo")
    play.refused("path", "move", who="ivo", to=[1, 1])


def test_a_strike_is_no_word_of_this_system():
    refused = table("ivo", "wolf").locked().refused("command", "strike", who="ivo", target="wolf")
    assert "act" in refused.accepts


def test_a_question_about_an_act_that_is_too_late_can_still_be_answered():
    """AP-31: the default is taken, nothing is done, and the feed says why."""
    play = table().locked().do("handle", who="ivo", what="lid")
    assert play.asks() == ["shared"]
    play.do("adjust", who="ivo", what="able", value=False)
    play.do("answer", prompt="shared")
    assert play.asks() == []
    assert not play.all("MinorActDone")
    assert "too late" in play.got("NoteAdded").text


# Agility in mid-fight


@pytest.mark.parametrize("how", ["rule", "adjust"])
def test_agility_may_change_in_mid_fight(how):
    """AP-12, AP-14: it counts as the next Active Phase begins; what was gained stays."""
    play = table().locked().do(how, what="agility", who="ivo", value=-1).do(how, what="agility", who="teo", value=3)
    assert play.slots("ivo") == (7, 0), "gained already"
    assert play.see("ivo")["slots_per_round"] == 4
    trail = play.fight.explain("ivo", "slots")
    assert "-1" in [part.value for part in trail.parts]
    play.to("teo")
    gain = play.got("SlotsGained", who="teo")
    assert (gain.agility, gain.total) == (3, 8), "in this round, where one's own phase is still to come"
    play.to_round(2)
    assert play.slots("ivo") == (4, 0)


@pytest.mark.parametrize("value", [21, -21, True, "much", None])
def test_agility_stays_in_its_bounds(value):
    """AP-12."""
    table().locked().refused("AP-12", "rule", what="agility", who="ivo", value=value)


# Prices that are typed in


def test_a_typed_cost_leaves_what_its_text_allows():
    """AP-20: a Reserved price permits Reserved Slots; the cost that is typed is what it costs this time."""
    play = table("ivo", "mara", "teo", has={"ivo": ["r2", "c1"]}).locked().do("end_ap", who="ivo")
    play.do("react", who="ivo", ability="r2", cost=3)
    assert play.got("SlotsSpent").amount == 3
    play.refused("AP-20", "react", who="ivo", ability="c1", cost=1)


def test_a_typed_cost_outlives_a_question_of_the_gm():
    """AP-29, AP-39: an interrupt the GM is asked about costs what was typed."""
    play = table("ivo", "mara", "teo", has={"ivo": ["breaks"]}).locked().to("mara")
    play.do("begin", who="mara", ability="dig", needed=9, pay=2)
    play.do("react", who="ivo", ability="breaks", cost=5, target="mara", interrupt=True)
    play.do("answer", prompt="interrupt", choice="yes")
    assert play.got("SlotsSpent").amount == 5
