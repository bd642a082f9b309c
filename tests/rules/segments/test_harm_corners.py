"""Corners of the text on harm where two rules meet: pain across Segments, the tenth wound, armour, bodies, healing."""

from __future__ import annotations

import pytest

from fightcall_engine.play.fight import Fight

from .hits import BLADE, answered, asked, due, duel, hit, landed, through
from .table import Play, table

HEAVY = {"msta": 90, "cnd": 13, "pres": 10}
"""Nothing drives him back; a POT of 11 hurts."""


def hurt(play: Play, who: str = "orc", **given: object) -> Play:
    return play.do("blow", **{"who": who, "struck": "blunt", **given})


def next_segment(play: Play) -> Play:
    now = play.state.round
    return play.until(lambda: play.state.round > now).begin()


def penalty(play: Play) -> object:
    return play.see("orc")["stun_penalty"]


def test_cs_618_two_stuns_wane_each_by_its_own_exact_half():
    """CS-616, CS-618, R-2, L2970: 3 of the first Segment and 6 of the second, whole in the one after their blow."""
    play = answered(answered(hurt(duel(orc=HEAVY), pot=12), "made"), "failed")
    answered(answered(hurt(next_segment(play), pot=13), "made"), "failed")
    shown = [penalty(play)]
    for _ in range(5):
        shown.append(penalty(next_segment(play)))
    assert shown == [9, 8, 4, 2, 1, 0]


def test_cs_616_undo_goes_back_over_the_end_of_the_segments_in_which_pain_waned():
    """CS-613, CS-616: the penalty, the Segment and the turn are as they were."""
    play = answered(answered(hurt(duel(orc=HEAVY), pot=13), "made"), "failed")
    before, entries = play.state, play.fight.line.entry_count()
    assert penalty(next_segment(next_segment(play))) == 3
    assert play.undo(play.fight.line.entry_count() - entries).state == before


def test_cs_613_who_is_stunned_before_his_turn_strikes_with_less_in_the_same_segment():
    """CS-613, A-56, L2968: all AVs from then on; a repeated defence is halved after the penalty."""
    play = due(duel(ash=HEAVY, orc=HEAVY))
    answered(answered(hurt(play, "ash", pot=13), "made"), "failed")
    assert play.see("ash")["defences_left"][:3] == ["parry sword 34", "parry sword 17", "parry sword 9"]  # type: ignore[index]
    assert hit(play).got("CheckRequested", kind="attack").av == 34  # type: ignore[attr-defined]


def test_cs_624_who_lies_unconscious_checks_for_his_life_and_not_for_his_senses():
    """CS-624, CS-625: the tenth wound of a man who has fainted; he lives on, and does not come to by it."""
    play = duel(orc={"wounds": 9, "pres": 40}).do("life", who="orc", life="unconscious")
    assert asked(hurt(play, pot=10)) == [("P-RES", 55)]
    answered(play, "made")
    assert play.got("LivesOn", who="orc")
    assert (play.asks(), play.see("orc")["life"]) == ([], "unconscious")


def test_cs_622_a_rally_holds_for_both_weapons_of_the_action_and_not_for_the_next():
    """CS-341, CS-622, L2992: "that one Action/Attack only"."""
    arms = [BLADE, {**BLADE, "name": "axe", "hand": "L"}]
    play = due(duel(ash={"roa": "2", "wounds": 5, "weapons": arms}), second="axe").do("rally", who="ash", hit=True)
    pots = [landed(hit(play, weapon=name))[0] for name in ("sword", "axe")]
    pots.append(landed(hit(due(play)))[0])
    assert pots == [19, 19, 15]


def test_cs_623_mortal_wounds_weaken_a_bow_and_no_crossbow():
    """CS-537, CS-542, CS-545, L2783: a quarter of STR 15 and the bow's bonus of 3; a machine as it was."""
    bow = {"name": "bow", "kind": "missile", "family": "bow", "size": 5, "weight_class": "Lt", "av": 40}
    crossbow = {"name": "bow", "kind": "missile", "family": "crossbow-light", "fixed_pot": 30, "av": 40}
    ready = {"cocked": True, "loaded": True}
    pots = []
    for weapon in (bow, crossbow):
        play = duel(ash={"str": 15, "wounds": 8, "weapons": [weapon], "crossbow": ready})
        pots.append(landed(hit(due(play, action="shoot"), distance=60))[0])
    assert pots == [7, 30]


def test_cs_575_a_shield_in_the_way_stops_a_thrust_that_passes_the_mail_behind():
    """CS-574, CS-575, CS-597: 40 less 25 of the shield, less 1 for the mail, which loses 1; clothes are under it."""
    shield = {"name": "shield", "kind": "shield", "hand": "L", "dr": 25}
    orc = {**HEAVY, "pres": 99, "armour": [{"type": "singlemail"}], "weapons": [shield], "clothing_layers": 4}
    play = duel({"special_attacks": True, "thrust": True}, orc=orc)
    assert through(hurt(play, pot=40, struck="point", passage="thrust", shield=True)) == 14
    assert through(hurt(play, pot=40, struck="edge", shield=True)) == 6


def test_cs_566_clothes_save_once_from_an_edge_and_a_blunt_blow_before_spends_nothing():
    """CS-566, L2834: 5 layers are 3; behind a shield, too, where nothing else is worn."""
    shield = {"name": "shield", "kind": "shield", "hand": "L", "dr": 5}
    play = duel(orc={**HEAVY, "pres": 99, "weapons": [shield], "clothing_layers": 5})
    outs = [through(hurt(play, pot=9, struck=struck, shield=True)) for struck in ("blunt", "point", "edge", "edge")]
    assert outs == [4, 4, 1, 4]


def test_cs_603_armour_that_is_ruined_is_breached():
    """CS-584, CS-603: an edge of 1 POT wounds through ribbons, as in bare flesh; before they held all of it."""
    play = duel({"armour_wear": True}, orc={**HEAVY, "pres": 99, "armour": [{"type": "padded simple"}]})
    hurt(play, pot=11, bonus=10, struck="edge")
    assert (play.see("orc")["wounds"], play.got("ArmourDestroyed").left) == (0, 0)  # type: ignore[attr-defined]
    assert hurt(play, pot=1, struck="edge").see("orc")["wounds"] == 1


@pytest.mark.parametrize(("damage", "level"), [(7, "light"), (8, "serious"), (22, "grievous"), (23, "mortal")])
def test_cs_632_quarters_of_body_points_that_are_no_whole_numbers(damage: int, level: str):
    """CS-632, A-16: of 30 they end at 7.5, 15 and 22.5."""
    play = duel({"body_points": True}, orc={"msta": 60, "pres": 99, "bp": {"max": 30}})
    assert hurt(play, pot=damage).see("orc")["wound_level"] == level


def test_cs_464_the_lesser_of_two_keeps_his_feet_also_where_he_has_won():
    """CS-463 to CS-465, L2613-2617: STR and STA 3 less: the bigger man is thrown by speed alone, the smaller reels."""
    big, small = {"str": 13, "sta": 15}, {"str": 13, "sta": 12, "agl": 14}
    play = table(None, None, ash={**small, "hands": {}}, orc={"side": "foe", **big}).begin(ash=12, orc=9)
    play.do("opportunity", who="ash", target="orc", kind="body_check", charge=10, defence="stand", hit=True)
    assert play.got("BodiesMet", outcome="thrown", feet=10)
    assert play.got("BlowLanded", who="orc", pot=10)
    assert [(one.who, one.av, one.dv) for one in play.all("CheckRequested") if one.kind == "AGL"] == [  # type: ignore[attr-defined]
        ("ash", 14, 16)
    ]


def test_cs_668_a_setback_that_makes_wounds_mortal_needs_a_better_healer_from_then_on():
    """CS-663, CS-668, CS-669: 7 wounds, SL 12: four weeks, from the day on which a very skilled one comes."""
    play = table(ash={"wounds": 6}, orc={"side": "foe"}).begin().do("close")
    play.do("heal_plan", who="ash", healer_sl=12).do("heal_day", days=5)
    play.do("setback", who="ash").do("answer", choice="wound")
    assert play.see("ash")["healing"]["met"] is False  # type: ignore[call-overload,index]
    play.do("heal_day").do("answer", choice="lives").do("heal_plan", who="ash", healer_sl=12, skilled=True)
    assert play.got("HealingScheduled").on_days[:3] == (6 + 28, 6 + 49, 6 + 63)  # type: ignore[attr-defined]


def test_cs_622_a_fight_is_not_begun_before_a_rally_is_answered():
    """A chance that only the GM knows is asked for; beginning is not offered as long as it is open."""
    fight = Fight.new("segments", seed="7")
    fight.give("join", name="Ash", id="ash", side="party", sheet={})
    fight.give("rally", who="ash", force=True)
    begin = next(option for option in fight.options("ash") if option.command == "Start")
    assert (begin.legal, begin.rule) == (False, "CS-622")
    fight.give("answer", amount=50)
    assert next(option for option in fight.options("ash") if option.command == "Start").legal
