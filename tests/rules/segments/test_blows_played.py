"""Blows played from hit to wounds with figures of their own: typical ones, borders, odd ones (CS-530 to CS-632)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from .hits import BLADE, FIGHTER, due, duel, landed, struck
from .table import Play, table

WEAR = {"armour_wear": True}
THRUST = {"special_attacks": True, "thrust": True}
SLASH = {"special_attacks": True, "slash": True, **WEAR}
POINTS = {"body_points": True}
MULTIPLIED = {**POINTS, "damage_multipliers": True}
MACE: Mapping[str, object] = {"name": "mace", "size": 3, "av": 40, "effects": ["blunt"]}


def weapon(**given: object) -> Mapping[str, object]:
    """Ash with one weapon."""
    return {"weapons": [{"name": "iron", "av": 40, "effects": ["edge"], **given}]}


def wearing(*layers: object, **sheet: object) -> Mapping[str, object]:
    """The orc in layers, outermost first."""
    return {"armour": [{"type": one} if isinstance(one, str) else one for one in layers], **sheet}


# POT

POTS = [
    pytest.param({}, {"msta": 18, "str": 17}, {"size": 3, "weight_class": "Lt"}, 20, id="CS-531 17.5 is 18"),
    pytest.param({}, {"msta": 17}, {"size": 6, "weight_class": 5, "grip": "1.5"}, 31, id="CS-533 23.25 is 23"),
    pytest.param({}, {"msta": 17}, {"size": 20, "weight_class": "Hvy", "grip": "2"}, 45, id="CS-534 last row"),
    pytest.param({}, {}, {"size": 22, "weight_class": "Lt", "grip": "2"}, 40, id="CS-535 beyond the table"),
    pytest.param({}, {}, {"size": 2.5}, 19, id="CS-535 a Size between two"),
    pytest.param({"weight_class_columns": "lt_second"}, {}, {"size": 4, "weight_class": "Hvy"}, 22, id="A-11 Hvy"),
    pytest.param({"weight_class_columns": "lt_second"}, {}, {"size": 4, "weight_class": 0}, 17, id="A-11 column 0"),
    pytest.param(MULTIPLIED, {}, {"size": 4}, 33, id="CS-551 14.5 x 2.25"),
    pytest.param(MULTIPLIED, {}, {"size": 7, "weight_class": "M-H", "grip": "2"}, 80, id="CS-551 29 x 2.75"),
    pytest.param(MULTIPLIED, {}, {"size": 14, "weight_class": "Hvy", "grip": "2"}, 116, id="CS-552 beyond the table"),
    pytest.param(MULTIPLIED, {}, {"kind": "object", "effects": ["blunt"]}, 15, id="CS-553 an object without a Size"),
    pytest.param({"damage_multipliers": True}, {}, {"size": 4}, 19, id="CS-551 needs Body Points"),
]


@pytest.mark.parametrize(("settings", "ash", "iron", "total"), POTS)
def test_the_pot_of_a_blow(
    settings: Mapping[str, object], ash: Mapping[str, object], iron: Mapping[str, object], total: int
) -> None:
    """CS-531 to CS-536, CS-551 to CS-553, A-11."""
    play = struck(settings, ash={**ash, **weapon(**iron)}, orc={"msta": 199, "bp": {"max": 500}, "weapons": []})
    assert landed(play)[0] == total


def notes(play: Play) -> list[tuple[str, str]]:
    """What a POT rests on beside its numbers: parts of 0, and their rules."""
    return [(label, rule) for label, value, rule in landed(play)[1] if value == "+0"]


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ({"wounds": 4}, [("Grievous wounds: STR 7 of 14", "CS-621")]),
        ({"wounds": 7}, [("Mortal wounds: STR 3.5 of 14", "CS-623")]),
        ({"wounds": 3}, []),
        (weapon(size=21, grip="2"), [("Size beyond the printed table: computed by formula", "CS-535")]),
        (weapon(size=20, grip="2"), []),
    ],
)
def test_a_pot_says_what_its_numbers_rest_on(sheet: Mapping[str, object], said: list[tuple[str, str]]) -> None:
    """CS-537, CS-535: STR lost to wounds, a Size that the printed table does not have."""
    assert notes(struck(ash=sheet, orc={"msta": 199})) == said


def test_cs_543_a_sling_counts_as_a_short_bow() -> None:
    """CS-543: STR and the Damage Bonus of its Size, class Light."""
    sling = {"name": "sling", "kind": "missile", "family": "sling", "av": 40, "size": 2}
    play = struck(ash={"weapons": [sling]}, declared={"action": "shoot"}, distance=30)
    assert landed(play) == (15, [("STR", "+14", "CS-543"), ("Damage Bonus of the sling", "+1", "CS-543")])


def test_cs_546_the_parts_of_a_concert_name_their_weapons() -> None:
    """CS-546."""
    dagger = {"name": "dagger", "av": 30, "size": 1, "weight_class": "Lt", "hand": "L", "effects": ["point"]}
    ash = {
        "weapons": [BLADE, dagger], "trades": [{"name": "Warrior", "sl": 5}],
        "combos": [{"name": "both", "sl": 9, "first": "sword", "second": "dagger"}],
    }  # fmt: skip
    declared = {"action": "combination", "weapon": "sword", "second": "dagger", "mode": "concert"}
    total, parts = landed(struck(ash=ash, declared=declared))
    assert total == 35
    assert [label.partition(":")[0] for label, _, _ in parts] == ["sword", "sword", "dagger", "dagger"]


# Types of attack that need an edge or a point


@pytest.mark.parametrize(("attack", "settings", "rule"), [("thrust", THRUST, "CS-574"), ("slash", SLASH, "CS-590")])
def test_what_is_blunt_neither_thrusts_nor_slashes(attack: str, settings: Mapping[str, object], rule: str) -> None:
    """CS-574, CS-590, CS-593: refused, unless the weapon itself names it; the GM may override."""
    play = duel(settings, ash={"weapons": [MACE]}).to("declare", "ash")
    wrong = play.refused(rule, "declare", who="ash", action="strike", target="orc", attack=attack)
    assert "mace is blunt" in str(wrong)
    assert attack not in wrong.accepts
    spiked = {**MACE, "attack_types": ["common strike", attack]}
    play = duel(settings, ash={"weapons": [spiked]}).to("declare", "ash")
    assert play.do("declare", who="ash", action="strike", target="orc", attack=attack).got("Declared")


# Armour

SLASHED = [
    pytest.param("singlemail", 40 - 22, "Singlemail takes it", "CS-590", id="CS-592 comes off the second figure"),
    pytest.param("cuerbully_plate", 30 - 11, "Cuerbully plate takes half of it", "CS-591", id="CS-591 half"),
    pytest.param("field_plate", 40, "Field plate is immune", "CS-591", id="CS-591 immune"),
    pytest.param("padded_simple", 0, "Padded, simple takes it", "CS-590", id="A-30 what is too much is lost"),
]


@pytest.mark.parametrize(("layer", "left", "said", "rule"), SLASHED)
def test_a_slash_says_what_each_layer_makes_of_it(layer: str, left: int, said: str, rule: str) -> None:
    """CS-590 to CS-592: POT (15 + CRD 20) / 2 + 4 = 22; nobody in armour is wounded, nor feels P-RES 1."""
    play = struck(SLASH, ash={"crd": 20}, orc=wearing(layer, pres=1), declared={"attack": "slash"})
    assert play.got("ArmourApplied", out=0).parts[-1] == (f"a Slash: {said}", "-22", rule)  # type: ignore[attr-defined]
    assert play.see("orc")["armour"][0]["left"] == left  # type: ignore[index]
    assert play.see("orc")["wounds"] == 0
    assert not play.asks()


ARROW = {"name": "bow", "kind": "missile", "family": "bow", "av": 40, "size": 5, "hand": "2", "bodkin": True}
PLATE = {"type": "field_plate"}
STOPPED = [
    pytest.param({}, {**PLATE, "grade": "proof"}, 20, 16, "CS-574", id="M-17 no grades without the option"),
    pytest.param({"armour_grades": True}, PLATE, 20, 16, "CS-574", id="CS-577 Strong"),
    pytest.param({"armour_grades": True}, {**PLATE, "grade": "proof"}, 20, 0, "CS-578", id="CS-578 Proof"),
    pytest.param({}, {"type": "padded_simple"}, 900, 7, "CS-578", id="CS-578 beyond Short range"),
]


@pytest.mark.parametrize(("settings", "layer", "feet", "out", "rule"), STOPPED)
def test_a_bodkin_says_why_a_layer_stops_it(
    settings: Mapping[str, object], layer: Mapping[str, object], feet: int, out: int, rule: str
) -> None:
    """CS-576 to CS-578: POT 14 + 3 = 17."""
    play = struck(settings, ash={"weapons": [ARROW]}, orc=wearing(layer), declared={"action": "shoot"}, distance=feet)
    armour = play.got("ArmourApplied", out=out)
    assert armour.parts[-1][2] == rule  # type: ignore[attr-defined]


# The sums of the chain


def test_each_step_of_a_blow_has_its_sum() -> None:
    """CS-560, CS-563, CS-570, CS-600 to CS-602: 24 of 19 + 5 against a wall; 24 - 14 = 10, Threshold 23 / 8 is 3."""
    play = struck(orc=wearing("trellised_padding", msta=10, cnd=13), ash=FIGHTER, barrier=4)
    assert play.got("KnockedBack", feet=9, moved=4, barrier=5).parts == (  # type: ignore[attr-defined]
        ("POT", "+19", "CS-561"), ("modified STA", "-10", "CS-560"),
    )  # fmt: skip
    assert play.got("ArmourApplied", pot_in=24, dr=14, out=10)
    assert play.got("WoundsReckoned", through=10, threshold=3.0, counts=True, wounds=3).parts == (  # type: ignore[attr-defined]
        ("POT through", "10", "CS-601"),
        ("Wound Threshold, (modified STA 10 + CND 13) ÷ 8", "3", "CS-600"),
        ("times exceeded", "3", "CS-602"),
    )
    assert play.got("WoundsInflicted", n=3, total=3, level="serious")


def test_a_blow_that_makes_no_wound_says_why() -> None:
    """CS-600, CS-601: 3 of a mace at Threshold 3.375, which is 3; exact the next is 6.75."""
    play = struck(ash={"weapons": [MACE]}, orc={"msta": 15, "cnd": 12}, pot=3)
    told = play.got("WoundsReckoned", wounds=0)
    assert play.got("ArmourApplied", dr=0, out=3)
    assert "WoundsInflicted" not in play.names()
    line = play.fight.system.phrase(told, play.state)
    assert line is not None
    assert line.text.strip() == "Orc: 3 through, Wound Threshold 3: no wound"


def test_an_edge_in_flesh_wounds_from_its_first_point_and_says_so() -> None:
    """CS-603, A-13."""
    told = struck(orc={"msta": 15, "cnd": 12}, pot=1).got("WoundsReckoned", counts=False, wounds=1)
    assert told.parts[-1] == ("an edge or point in flesh: a wound at least", "1", "CS-603")  # type: ignore[attr-defined]


def test_with_body_points_no_threshold_is_told() -> None:
    """CS-604."""
    assert "WoundsReckoned" not in struck(POINTS, orc={"bp": {"max": 40}}).names()


def test_cs_111_who_fells_his_target_is_not_asked_for_another() -> None:
    """CS-111, CS-624: the check of life is asked, and nothing of the Action that has just been settled."""
    play = struck(orc={"wounds": 9, "msta": 40})
    assert [prompt.kind for prompt in play.state.prompts] == ["check"]
    assert play.asks() == ["check"]


@pytest.mark.parametrize("hits", [True, False])
def test_cs_622_a_rally_is_for_that_one_attack(*, hits: bool) -> None:
    """CS-622: full STR for a Reprisal, whether it hits or not; the next Action has half of it again, and a new try."""
    play = due(duel(orc={"wounds": 4, "str": 14, "msta": 15}, ash={"msta": 60, "pres": 99}))
    play.do("resolve", who="ash", hit=False, defence="none").do("rally", who="orc", hit=True)
    assert play.see("orc")["str_now"] == 14
    play.do("reprisal", who="orc", choice="take", hit=hits, defence="none")
    assert play.see("orc")["str_now"] == 7
    play.refused("CS-094", "rally", who="orc", hit=False)
    play.begin().to("declare", "orc").do("declare", who="orc", target="ash").to("resolve", "orc")
    assert play.do("rally", who="orc", hit=False).got("Rallied", ok=False)


def test_a_blow_by_the_gms_word_has_no_bonus_but_what_is_said():
    """CS-555: the bonus part, which is the wear of the strike, is typed with it."""
    for data, bonus in (({}, 0), ({"bonus": 2}, 2), ({"bonus": -3}, 0)):
        play = table(ash={}).begin().do("land_blow", who="ash", pot=5, **data)
        assert play.got("BlowLanded", bonus=bonus)
