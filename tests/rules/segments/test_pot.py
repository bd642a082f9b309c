"""How hard a blow lands, through the public door (CS-530 to CS-555)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fightcall_engine.board.kinds import SquareBoard, any_board

from ..once import played_once
from .hits import BLADE, FIGHTER, due, duel, hit, landed, struck
from .table import Play, table

BASTARD = {"name": "bastard", "size": 5, "weight_class": "M-H", "grip": "1.5", "av": 40}
POLEAXE = {"name": "poleaxe", "size": 6, "weight_class": "Hvy", "grip": "2", "hand": "2", "av": 40}
BOW = {"name": "bow", "kind": "missile", "family": "bow", "grip": "missile", "size": 5, "weight_class": "Hvy", "av": 40}
BP = {"body_points": True, "damage_multipliers": True}


def pot(settings: Mapping[str, object] | None = None, **given: object) -> int:
    return landed(struck(settings, **given))[0]  # type: ignore[arg-type]


def armed(weapon: Mapping[str, object], **sheet: object) -> dict[str, object]:
    return {"weapons": [weapon], **sheet}


# By grip


def test_cs_530_531_535_the_sum_is_told_with_its_parts():
    """CS-530, CS-531, CS-535, CS-536: (15 + 14) / 2 = 14.5, rounded up before the bonus of table 6-5 is added."""
    play = struck()
    assert landed(play) == (
        19, [("(modified STA 15 + STR 14) ÷ 2", "+15", "CS-531"), ("Damage Bonus", "+4", "CS-535")]
    )  # fmt: skip
    assert play.got("BlowLanded", attacker="ash", who="orc", struck="edge", passage="common", bonus=4)


def test_g_88_cs_533_hand_and_a_half():
    """G-88."""
    play = struck(ash=armed(BASTARD))
    assert landed(play)[0] == 28
    assert landed(play)[1][0] == ("(modified STA 15 + STR 14) x 3/4", "+22", "CS-533")


def test_cs_534_two_handed():
    """G-89, first half: 29 + 7."""
    assert pot(ash=armed(POLEAXE)) == 36
    assert pot(ash=armed({**POLEAXE, "grip": "1", "two_handed": True})) == 36


def test_cs_532_whatever_is_hurled_counts_as_one_handed():
    """CS-532, CS-535: with its Damage Bonus, without a charge."""
    spear = {**POLEAXE, "name": "spear", "hurlable": True, "hurl_av": 30}
    play = due(duel(ash=armed(spear)), action="hurl")
    assert landed(hit(play, distance=20, charge=14))[0] == 15 + 7


def test_m_22_a_body_that_nobody_has_entered_is_a_neutral_one():
    """M-22: (20 + 13) / 2 = 16.5; the parts say what was assumed."""
    play = struck(ash={"msta": None, "str": 13})
    assert landed(play) == (
        21,
        [
            ("(modified STA 20 + STR 13) ÷ 2", "+17", "CS-531"),
            ("Damage Bonus", "+4", "CS-535"),
            ("no modified STA on the sheet: 20 is used", "+0", "M-22"),
        ],
    )


@pytest.mark.parametrize(("reading", "bonus"), [("lt_first", 4), ("lt_second", 5)])
def test_a_11_which_column_is_light(reading: str, bonus: int):
    """A-11: Size 4, Med; a column by its number is the same in both readings."""
    assert pot({"weight_class_columns": reading}) == 15 + bonus
    assert pot({"weight_class_columns": reading}, ash=armed({**BLADE, "weight_class": 5})) == 15 + 7
    assert pot({"weight_class_columns": reading}, ash=armed({**BLADE, "weight_class": 0})) == 15 + 2


def test_cs_348_g_93_brawling():
    """G-93: a tenth of a base of 15, no bonus; blunt."""
    play = struck(ash={"weapons": [], "str": 15, "skills": {"brawling": 30}}, orc={"weapons": []})
    assert landed(play)[0] == 2
    assert play.got("BlowLanded", struck="blunt", bonus=0)


def test_cs_347_a_pommel_is_the_plain_base():
    """CS-347: no Damage Bonus, and blunt, inside the guard."""
    play = due(duel(ash=armed(POLEAXE)).do("approach", who="ash", foe="orc", field="F", mode="close"), attack="pommel")
    assert landed(hit(play))[0] == 29
    assert play.got("BlowLanded", struck="blunt")


def test_cs_538_a_slash_takes_crd_for_str():
    """CS-538: (15 + 17) / 2 + 4."""
    on = {"special_attacks": True, "slash": True, "armour_wear": True}
    play = struck(on, ash={"crd": 17}, declared={"attack": "slash"})
    assert landed(play)[0] == 20
    assert landed(play)[1][0][2] == "CS-538"


@pytest.mark.parametrize(
    ("effects", "attack", "expected"),
    [
        (["point", "edge"], "common_strike", "point"),
        (["edge", "point"], "common_strike", "edge"),
        (["edge", "point"], "thrust", "point"),
        (["point", "edge"], "slash", "edge"),
        (["edge"], "thrust", "edge"),
    ],
)
def test_cs_603_a_weapon_strikes_with_what_it_is_first_unless_the_attack_asks_for_another(effects, attack, expected):
    """CS-574, CS-590, CS-603."""
    known = {"special_attacks": ["thrust", "slash"]}
    on = {"special_attacks": True, "thrust": True, "slash": True, "armour_wear": True}
    play = struck(on, ash=armed({**BLADE, "effects": effects}, **known), declared={"attack": attack})
    assert play.got("BlowLanded", struck=expected)


def test_the_gm_may_say_the_pot_and_what_it_strikes_with():
    """CS-530, CS-603."""
    play = struck(pot=31, struck="blunt")
    assert landed(play) == (31, [("POT set by the GM", "+31", "CS-530")])
    assert play.got("BlowLanded", struck="blunt", bonus=4)
    play = due(duel())
    assert play.refused("CS-603", "resolve", who="ash", hit=True, struck="wet").accepts == ("edge", "point", "blunt")
    play.refused("CS-530", "resolve", who="ash", hit=True, pot=-1)
    play.refused("CS-530", "resolve", who="ash", hit=True, barrier=-3)


def test_some_attacks_are_no_blow():
    """CS-321: a Bind is settled by the GM."""
    play = struck({"special_attacks": True}, declared={"attack": "bind"})
    assert "BlowLanded" not in play.names()


# STR that is left


@pytest.mark.parametrize(
    ("wounds", "base"), [(3, 15), (4, 11), (6, 11), (7, 9)], ids=["serious", "grievous", "six", "mortal"]
)
def test_g_94_cs_537_effective_str(wounds: int, base: int):
    """G-94, CS-537, CS-621, CS-623: (15 + 14), (15 + 7), (15 + 3.5), halved."""
    assert pot(ash={"wounds": wounds}) == base + 4


def test_a_14_adrenaline_may_mask_all():
    """CS-621, A-14."""
    assert pot({"adrenaline": "masks_all"}, ash={"wounds": 8}) == 19


# Movement


def test_cs_539_a_charge_in_pulses_takes_five_of_them_without_a_break():
    """G-89, CS-539: 14 mph is added after 5 Pulses at full speed right before the blow, not after 4."""
    assert landed(_charged(5))[0] == 50
    assert landed(_charged(4))[0] == 36


@played_once
def _charged(pulses: int) -> Play:
    sheet = {"weapons": [POLEAXE], "move": {"full": 14}}
    play = duel({"pulse_movement": True}, ash=sheet)
    play.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("pulse")
    while play.state.remembered["pulse"] < 10 - pulses:  # type: ignore[operator]
        play.do("advance")
    play.do("plan", who="ash", feet=2000).to("resolve", "ash")
    return hit(play)


@played_once
def _run_at_the_orc(feet: int, board: bool = True) -> Play:
    """Ash has declared a charge on the orc, who stands so far away, and runs until he is there."""
    place = feet // 5
    ash = {"weapons": [POLEAXE], "move": {"full": 14}, **({"at": (0, 2), "facing": 0} if board else {})}
    orc = {"at": (place, 2), "facing": 4} if board else {}
    grid = any_board(SquareBoard(60, 5)) if board else None
    play = duel({"pulse_movement": True}, board=grid, ash=ash, orc=orc)
    play.to("declare", "ash").do("declare", who="ash", action="charge", target="orc").to("pulse")
    way: dict[str, object] = {"to": [place - 1, 2]} if board else {"feet": feet}
    return play.do("plan", who="ash", **way).to("resolve", "ash")


@pytest.mark.parametrize("board", [True, False])
@pytest.mark.parametrize(("feet", "total"), [(125, 50), (85, 36)])
def test_cs_539_who_has_reached_his_target_has_still_run_right_before_the_blow(
    feet: int, total: int, *, board: bool
) -> None:
    """CS-539: 5 Pulses at full speed end at the foe in the seventh; he strikes when the Pulses are over. 3 do not."""
    assert landed(hit(_run_at_the_orc(feet, board)))[0] == total


@pytest.mark.parametrize(("short", "size", "total"), [(1, 4, 33), (2, 4, 33), (3, 4, 33), (4, 4, 19), (4, 6, 34)])
def test_cs_539_a_charge_ends_where_melee_begins_or_the_weapon_reaches(short: int, size: int, total: int) -> None:
    """CS-250, CS-539: 3 yd off less than 5 ft lie between the Zones; over 6 ft only the longer weapon reaches."""
    ash = {"weapons": [{**BLADE, "size": size}], "move": {"full": 14}, "at": (0, 2)}
    board = any_board(SquareBoard(50, 5, scale=1, unit="yd"))
    play = duel({"pulse_movement": True}, board=board, ash=ash, orc={"at": (42, 2)})
    play.to("declare", "ash").do("declare", who="ash", action="charge", target="orc").to("pulse")
    play.do("plan", who="ash", to=[42 - short, 2]).to("resolve", "ash")
    assert landed(hit(play, force=True))[0] == total


def test_cs_539_a_run_that_ended_in_the_segment_before_is_no_charge() -> None:
    """CS-539: the next attack is struck standing."""
    play = _run_at_the_orc(125)
    play.do("resolve", who="ash", hit=False, defence="none").do("advance").begin()
    play.to("declare", "ash").do("declare", who="ash", action="strike", target="orc").to("resolve", "ash")
    assert landed(hit(play))[0] == 36


@pytest.mark.parametrize("pulses", [True, False])
def test_cs_539_the_second_action_after_a_run_is_struck_standing(*, pulses: bool) -> None:
    """CS-539: both weapons of the first charge; what is struck in the next pass does not come right after the run."""
    axe = {"name": "axe", "hand": "L", "size": 4, "av": 40}
    play = duel({"pulse_movement": pulses}, ash={"roa": "2", "weapons": [BLADE, axe], "move": {"full": 12}})
    play.to("declare", "ash").do("declare", who="ash", action="strike", weapon="sword", second="axe", target="orc")
    play.do("plan", who="ash", feet=150) if pulses else play.do("move", who="ash", feet=176)
    play.to("resolve", "ash")
    assert [landed(hit(play))[0] for _ in range(2)] == [31, 31]
    play.to("declare", "ash").do("declare", who="ash", action="strike", weapon="sword", target="orc")
    assert play.state.round == 1
    assert landed(hit(play.to("resolve", "ash")))[0] == 19


def test_a_48_without_pulses_a_charge_takes_the_whole_segment():
    """CS-539, A-48: all the feet there are, at full speed."""
    for feet, total in ((206, 50), (150, 36)):
        play = duel(ash={"weapons": [POLEAXE], "move": {"full": 14}})
        play.to("declare", "ash").do("declare", who="ash", action="charge", target="orc")
        left = int(play.see("ash")["feet_left"])  # type: ignore[call-overload]
        play.do("move", who="ash", feet=left if feet == 206 else feet).to("resolve", "ash")
        assert landed(hit(play))[0] == total


def test_the_gm_may_grant_or_deny_a_charge():
    """CS-539."""
    assert pot(charge=12) == 31


def test_cs_541_dropping_on_the_target():
    """CS-541: 2 for each 3 ft."""
    play = struck(drop=9)
    assert landed(play)[0] == 25
    assert ("2 for each 3 ft dropped", "+6", "CS-541") in landed(play)[1]


def test_cs_540_cs_444_g_80_who_runs_onto_it_adds_his_speed():
    """G-80, CS-444, CS-540: 19 + 12."""
    board = any_board(SquareBoard(12, 5))
    runner = {"at": (0, 2), "facing": 0, "move": {"full": 12}}
    play = duel(
        {"pulse_movement": True}, board=board,
        ash={"at": (6, 1), "facing": 4}, orc={**runner},
    )  # fmt: skip
    play.to("pulse").do("plan", who="orc", path=[(col, 2) for col in range(1, 12)])
    while not play.offers():
        play.do("advance")
    play.do("opportunity", who="ash", target="orc", hit=True, defence="none")
    assert ("target's speed in mph", "+12", "CS-444") in landed(play)[1]
    assert landed(play)[0] == 31


# Shots


@played_once
def shot(weapon: Mapping[str, object], settings: Mapping[str, object] | None = None, **sheet: object) -> Play:
    play = due(duel(settings, ash={"weapons": [weapon], "str": 15, **sheet}), action="shoot")
    return play.do("resolve", who="ash", hit=True, distance=60, charge=9)


def test_g_90_cs_542_a_bow():
    """G-90, CS-542: 15 + 3, nothing of STA, the class Light whatever the sheet says; the head adds to it."""
    assert landed(shot(BOW))[0] == 18
    assert landed(shot({**BOW, "db_extra": 4})) == (
        22, [("STR", "+15", "CS-542"), ("Damage Bonus of the bow", "+3", "CS-542"), ("arrow head", "+4", "CS-542")]
    )  # fmt: skip
    assert shot(BOW).got("BlowLanded", struck="point", bonus=3)


def test_cs_543_a_sling_is_as_a_short_bow():
    """CS-543: STR and the bonus of its Size, class Light; blunt."""
    play = shot({**BOW, "name": "sling", "family": "sling", "size": 2})
    assert landed(play)[0] == 16
    assert play.got("BlowLanded", struck="blunt")


def test_cs_545_a_crossbow_has_a_number_of_its_own():
    """CS-395, CS-545: less 1 for each day it was kept cocked."""
    crossbow = {**BOW, "name": "crossbow", "family": "crossbow-light", "fixed_pot": 30}
    assert landed(shot(crossbow))[0] == 30
    play = shot(crossbow, crossbow={"cocked": True, "loaded": True, "cocked_days": 3})
    assert landed(play)[0] == 27


def test_cs_545_a_crossbow_without_a_number_is_asked_for():
    """CS-545, M-09: the answer goes through the same chain."""
    play = shot({**BOW, "name": "crossbow", "family": "crossbow-heavy"})
    assert play.asks() == ["pot"]
    assert play.refused("CS-545", "advance").accepts == ("none", "a number (POT)")
    play.refused("CS-530", "answer", prompt="pot", amount="2d6")
    play.do("answer", prompt="pot", amount=33)
    assert play.got("BlowLanded", pot=33, struck="point", passage="piercing_missile")
    play = shot({**BOW, "name": "crossbow", "family": "crossbow-heavy"}).do("answer", prompt="pot", choice="none")
    assert "BlowLanded" not in play.names()


def test_cs_544_no_hearty_blow_with_a_crossbow():
    """CS-544: but as a club it brawls."""
    crossbow = {**BOW, "name": "crossbow", "family": "crossbow-light", "fixed_pot": 30}
    play = duel({"special_attacks": True}, ash={"weapons": [crossbow], "skills": {"brawling": 20}}, orc={"weapons": []})
    play.to("declare", "ash")
    play.refused("CS-544", "declare", who="ash", action="shoot", target="orc", attack="hearty_blow")
    play.do("declare", who="ash", action="strike", target="orc", weapon="crossbow", attack="brawl")
    assert landed(hit(play.to("resolve", "ash")))[0] == 1


def test_cs_442_cs_544_what_shoots_is_a_club_out_of_turn_too():
    """CS-442, CS-506, CS-544: within arm's reach a bow strikes with Brawling, is parried, and does a tenth."""
    play = duel(ash={"weapons": [BOW], "skills": {"brawling": 20}}, orc={"weapons": [BLADE]})
    play.to("declare", "orc").do("move", who="orc", feet=30)
    play.do("opportunity", who="ash", target="orc", kind="sidelong_shot", weapon="bow", distance=3, hit=True)
    assert play.got("CheckRequested", av=20, dv=40)
    assert play.got("BlowLanded", struck="blunt", pot=1 + 3)


# Two weapons as one


def test_cs_546_in_concert_both_add():
    """CS-546, CS-366: 19 + (15 + 2) before armour; both wear it."""
    axe = {"name": "axe", "size": 2, "weight_class": "M-Lt", "av": 30, "hand": "L", "effects": ["blunt"]}
    sheet = {
        "weapons": [{**BLADE, "hand": "R"}, axe],
        "trades": [{"name": "Warrior", "sl": 9, "flags": ["warrior"]}],
        "combos": [{"name": "sword and axe", "kind": "att+att", "sl": 12, "first": "sword", "second": "axe"}],
    }
    play = due(duel(ash=sheet), action="combination", weapon="sword", second="axe", mode="concert")
    hit(play)
    assert landed(play)[0] == 19 + 17
    assert play.got("BlowLanded", bonus=6, struck="edge")


# Damage multipliers


def test_cs_551_in_concert_the_damage_of_each_blow_is_a_whole_number():
    """CS-546, CS-551: 15 x 1.5 is 22.5, which is 23, of the sword and of the axe."""
    light = {"size": 2, "weight_class": "Lt", "av": 30, "effects": ["edge"]}
    sheet = {
        "msta": 15, "str": 15,
        "weapons": [{**light, "name": "sword"}, {**light, "name": "axe", "hand": "L"}],
        "trades": [{"name": "Warrior", "sl": 9}],
        "combos": [{"name": "style", "kind": "att+att", "sl": 12, "first": "sword", "second": "axe"}],
    }  # fmt: skip
    orc = {"bp": {"max": 90}, "weapons": [{**light, "name": "club"}]}
    play = due(duel(BP, ash=sheet, orc=orc), action="combination", weapon="sword", second="axe", mode="concert")
    assert landed(hit(play))[0] == 46


def test_g_92_cs_551_damage_multipliers():
    """G-92, CS-551, CS-552, CS-555: 15 + 18.75; the armour wears by 19."""
    play = struck(BP, ash={"msta": 15, "str": 15}, orc={"bp": {"max": 90}})
    assert landed(play)[0] == 34
    assert [rule for _, _, rule in landed(play)[1]] == ["CS-551", "CS-551"]
    assert play.got("BlowLanded", bonus=19)


def test_cs_553_an_object_in_no_table_leaves_the_full_base():
    """CS-553, while brawling is a tenth."""
    stool = {"name": "stool", "kind": "object", "av": 20}
    orc = {"bp": {"max": 90}, "weapons": []}
    assert pot(BP, ash={**armed(stool), "str": 15}, orc=orc) == 15
    bare = {"weapons": [], "str": 15, "skills": {"brawling": 9}}
    assert pot(BP, ash=bare, orc=orc) == 2


def test_multipliers_work_alongside_body_points_only():
    """CS-551: where wounds are counted, the Damage Bonus is added."""
    assert pot({"damage_multipliers": True}) == 19


def test_the_pot_is_explained():
    """CS-530: of what is declared, else of what is in hand."""
    play = duel()
    assert play.fight.explain("ash", "pot").total == "19"
    assert due(play).fight.explain("ash", "pot").parts[0].value == "+15"
    play = duel(ash={"weapons": [{**BOW, "family": "crossbow-light"}]})
    assert play.fight.explain("ash", "pot").total == "?"
    assert duel(ash={"weapons": []}).fight.explain("ash", "pot").total == "1"


def test_fighters_of_the_examples_are_as_printed():
    """G-125: A 19 with a sword of Size 4, Med."""
    assert FIGHTER["msta"] == 15
    assert pot() == 19


@pytest.mark.parametrize(
    ("weapon", "rule"),
    [({"name": "bow", "kind": "missile", "family": "bow", "hand": "2"}, "CS-542"), ({"name": "sword"}, "CS-531")],
    ids=["a shot", "a blow"],
)
def test_cs_542_what_is_in_hand_is_explained_by_what_is_done_with_it(weapon: dict[str, object], rule: str) -> None:
    """CS-531, CS-542: also before anything is declared."""
    parts = table(ash=armed({"av": 40, **weapon})).begin().fight.explain("ash", "pot").parts
    assert parts[0].rule == rule
