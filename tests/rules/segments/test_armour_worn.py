"""Clothing and armour between a blow and the body, and what becomes of them (CS-566 to CS-597)."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import pytest

from fightcall_engine.model.errors import BadInput, Refused

from ..once import played_once
from .hits import BLADE, MACE, Sheet, due, duel, hit, struck, through
from .table import Play, table

WEAR = {"armour_wear": True}
THRUST = {"special_attacks": True, "thrust": True}
SLASH = {"special_attacks": True, "slash": True, **WEAR}
SHIELD = {"name": "shield", "kind": "shield", "av": 25, "hand": "L", "size": 3, "dr": 25}


def wearing(*layers: str | Mapping[str, object], **more: object) -> dict[str, object]:
    """A sheet with these layers, outermost first."""
    return {"armour": [{"type": one} if isinstance(one, str) else one for one in layers], **more}


@played_once
def blow(settings: Mapping[str, object] | None, *layers: str | Mapping[str, object], **given: object) -> Play:
    """A blow of a given POT on the orc in these layers, by the GM's word."""
    play = duel(settings, orc=wearing(*layers))
    return play.do("blow", **{"who": "orc", "struck": "edge", **given})


def left(play: Play, who: str = "orc") -> list[int]:
    """What is left of each layer."""
    return [one["left"] for one in play.see(who)["armour"]]  # type: ignore[attr-defined]


# What it takes


def test_g_98_cs_570_cs_571_all_layers_are_subtracted():
    """G-98, CS-570, CS-571, CS-573: 10 and 10 from 28."""
    play = blow(None, "padded_simple", "singlemail", pot=28)
    assert play.got("ArmourApplied", pot_in=28, dr=20, out=8)
    assert [part[:2] for part in play.got("ArmourApplied").parts] == [  # type: ignore[attr-defined]
        ("POT", "+28"), ("Padded, simple, DR 10", "-10"), ("Singlemail, DR 10", "-10"),
    ]  # fmt: skip


def test_cs_570_never_below_0_and_no_wound_then():
    """CS-570, CS-573."""
    play = blow(None, "field_plate", pot=30)
    assert through(play) == 0
    assert play.see("orc")["wounds"] == 0


@pytest.mark.parametrize(
    ("name", "dr"),
    [
        ("Padded Simple", 10),
        ("Studded Padding", 12),
        ("banded singlemail", 14),
        ("Cuerbully Plate", 30),
        ("jazeraint", 28),
    ],
)
def test_cs_572_types_of_the_table(name: str, dr: int):
    """CS-572: by key or by name."""
    assert duel(orc=wearing(name)).fight.explain("orc", "armour").total == str(dr)


def test_cs_572_a_type_of_the_gms_own_has_its_figure():
    """CS-572, M-09: without one the sheet is refused, which lists the types there are."""
    play = duel(orc=wearing({"type": "scale coat", "dr": 18, "wear_total": 33}))
    assert play.fight.explain("orc", "armour").parts[0].value == "18/33"
    with pytest.raises(BadInput, match=r"scale coat.*padded_simple"):
        table(None, None, orc=wearing("scale coat"))


def test_the_step_of_armour_is_told_also_where_there_is_none():
    """CS-570, section 4.1: a fact of the chain, and no line of the feed."""
    play = struck()
    bare = play.got("ArmourApplied", pot_in=19, dr=0, out=19)
    line = play.fight.system.phrase(bare, play.state)
    assert line is not None
    assert line.text == ""


# Clothing


def test_g_97_cs_566_street_clothes_save_from_the_first_edged_blow():
    """G-97, CS-561, CS-566: 3 layers, POT 12: 10, then 12; blunt 12 and no first one of it; knock-back from 12."""
    play = duel(orc={"msta": 9, "clothing_layers": 3, "posture": "prone"})
    play.do("blow", who="orc", pot=12, struck="blunt")
    assert play.got("ArmourApplied", out=12)
    play.do("blow", who="orc", pot=12, struck="edge")
    assert play.got("ArmourApplied", pot_in=12, out=10)
    assert play.got("KnockedBack", feet=3)
    play.do("blow", who="orc", pot=12, struck="edge")
    assert play.got("ArmourApplied", out=12)


def test_cs_566_not_over_armour():
    """CS-566."""
    play = duel(orc=wearing("padded_simple", clothing_layers=4)).do("blow", who="orc", pot=12, struck="edge")
    assert through(play) == 2


@pytest.mark.parametrize(
    ("standing", "season", "layers"),
    [("landbound", "summer", 1), ("landbound", "winter", 2), ("great_noble_or_royal", "winter", 5)],
)
def test_cs_567_layers_by_standing_and_season(standing: str, season: str, layers: int):
    """CS-567: where the sheet says no number."""
    play = duel({"season": season}, orc={"standing": standing})
    assert play.see("orc")["clothing_layers"] == layers
    play = duel({"season": season}, orc={"standing": standing, "clothing_layers": 0})
    assert play.see("orc")["clothing_layers"] == 0


# Thrusts


@played_once
def thrust(settings: Mapping[str, object], *layers: str | Mapping[str, object], pot: int) -> Play:
    return struck({**THRUST, **settings}, orc=wearing(*layers), declared={"attack": "thrust"}, pot=pot)


def test_cs_574_a_thrust_pierces_padded_and_mail():
    """CS-574: POT - 1 for each layer, which loses 1 for good; no DR comes off."""
    play = thrust({}, "singlemail", "padded_simple", pot=20)
    assert through(play) == 18
    assert play.got("BlowLanded", struck="point", passage="thrust")
    # Of singlemail the second figure, from which wear comes off, is what there is to lose.
    assert [(one.layer, one.lost) for one in play.all("ArmourWorn")] == [("Singlemail", 1), ("Padded, simple", 1)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("pot", "out"), [(28, 0), (45, 8)])
def test_g_100_a_29_cs_575_mixed_layers_against_a_thrust(pot: int, out: int):
    """G-100, CS-575, A-29: brigandine takes its 36, padding lets it through for 1."""
    play = thrust({}, "brigandine", "padded_simple", pot=pot)
    assert through(play) == out
    assert left(play)[1] == (10 if out == 0 else 9)


def test_cs_593_who_may_thrust_or_slash_is_on_the_weapon():
    """CS-593, CS-590: and a Slash needs armour that wears."""
    play = duel({"special_attacks": True, "slash": True}).to("declare", "ash")
    refused = play.refused("CS-350", "declare", who="ash", action="strike", target="orc", attack="slash")
    assert "armour_wear" in refused.message
    play.refused("CS-590", "blow", who="orc", pot=10, passage="slash")


# Piercing missiles


@played_once
def arrow(settings: Mapping[str, object], *layers: Mapping[str, object] | str, distance: float, **bow: object) -> Play:
    weapon = {"name": "bow", "kind": "missile", "family": "bow", "grip": "missile", "size": 5, "av": 40, **bow}
    play = due(duel(settings, ash={"weapons": [weapon]}, orc=wearing(*layers)), action="shoot")
    return play.do("resolve", who="ash", hit=True, distance=distance, pot=30)


STRONG = {"type": "field_plate", "grade": "strong"}
PROOF = {"type": "field_plate", "grade": "proof"}
GRADED = {"armour_grades": True}


@pytest.mark.parametrize(
    ("settings", "layer", "distance", "out"),
    [
        (GRADED, STRONG, 100, 29),
        (GRADED, PROOF, 100, 0),
        ({}, PROOF, 100, 29),
        (GRADED, "field_plate", 100, 29),
        (GRADED, STRONG, 400, 0),
    ],
    ids=["strong", "proof", "no grades", "ungraded", "medium range"],
)
def test_g_104_bodkins(settings: Mapping[str, object], layer: Mapping[str, object] | str, distance: float, out: int):
    """G-104, CS-576, CS-577, CS-578, M-17."""
    play = arrow(settings, layer, distance=distance, bodkin=True)
    assert through(play) == out
    assert left(play) == [39 if out else 40]


def test_g_104_an_ordinary_arrow_does_not_pierce():
    """G-104, CS-576: 30 - 10."""
    assert through(arrow({}, "singlemail", distance=100)) == 20


def test_cs_576_a_heavy_bolt_pierces_too():
    """CS-576."""
    bolt = {"name": "crossbow", "family": "crossbow-heavy", "fixed_pot": 30}
    assert through(arrow({}, "field_plate", distance=60, **bolt)) == 29
    assert through(arrow({}, "field_plate", distance=60, **{**bolt, "family": "crossbow-light"})) == 0


def test_cs_577_at_a_distance_that_nobody_knows_it_is_a_plain_blow():
    """CS-577, CS-578: checks with missing numbers are not guessed; the GM may say how far it is."""
    weapon = {"name": "bow", "kind": "missile", "family": "bow", "size": 5, "av": 40, "bodkin": True}
    play = due(duel(ash={"weapons": [weapon]}, orc=wearing("field_plate")), action="shoot")
    assert through(play.do("resolve", who="ash", hit=True, pot=30)) == 0


def test_cs_578_with_wear_only_the_bonus_comes_off():
    """CS-578, CS-580: Size 5 gives 3."""
    play = arrow({**GRADED, **WEAR}, PROOF, distance=100, bodkin=True)
    assert play.got("ArmourWorn", layer="Field plate", lost=3, left=37)


# Wear


def test_g_101_cs_580_cs_582_two_figures():
    """G-101, CS-580, CS-582: the second takes the wear; the first counts until it is no more than that."""
    play = duel(WEAR, orc=wearing("doublemail"))
    taken = []
    for _ in range(4):
        play.do("blow", who="orc", pot=30, struck="edge", bonus=7)
        taken.append((play.got("ArmourApplied").dr, left(play)[0]))  # type: ignore[attr-defined]
    assert taken == [(20, 33), (20, 26), (20, 19), (19, 12)]
    assert play.see("orc")["armour"] == [{"type": "Doublemail", "left": 12, "of": 40}]


def test_g_102_cs_581_cs_584_cs_585_a_ruined_layer():
    """G-102, CS-581, CS-584, CS-585, A-31: the blow meets the 3 that are left; nothing is carried over."""
    play = blow(WEAR, {"type": "padded_simple", "dr": 3}, "singlemail", pot=20, bonus=5)
    assert through(play) == 7
    assert play.got("ArmourDestroyed", layer="Padded, simple", lost=3, left=0)
    assert left(play) == [0, 40]
    play.do("blow", who="orc", pot=20, struck="edge", bonus=5)
    assert through(play) == 10
    assert left(play) == [0, 35]


def test_cs_583_one_figure_falls_from_the_first_strike():
    """CS-583."""
    play = blow(WEAR, "padded_simple", pot=12, bonus=4)
    assert through(play) == 2
    play.do("blow", who="orc", pot=12, struck="edge", bonus=4)
    assert through(play) == 6


def test_cs_580_without_the_option_nothing_wears():
    """CS-580."""
    play = struck(orc=wearing("padded_simple"))
    assert "ArmourWorn" not in play.names()
    assert left(play) == [10]


def test_cs_580_a_real_strike_wears_by_its_bonus():
    """CS-580: 4 of a sword of Size 4, Med."""
    assert left(struck(WEAR, orc=wearing("padded_simple"))) == [6]


# Slashes


def slash(*layers: str | Mapping[str, object], pot: int = 18, play: Play | None = None) -> Play:
    played = due(duel(SLASH, orc=wearing(*layers)), attack="slash") if play is None else play
    return hit(played, pot=pot)


def test_cs_590_a_slash_goes_at_the_armour_first():
    """CS-590: all of it comes off the outermost layer, and no wound is made."""
    play = slash("padded_ringed", pot=12)
    assert play.got("ArmourApplied", out=0)
    assert left(play) == [4]
    assert play.see("orc")["wounds"] == 0


def test_cs_590_without_armour_it_wounds():
    """CS-590."""
    assert slash(pot=20).got("WoundsInflicted", n=2)


@pytest.mark.parametrize(("layer", "after"), [("field_plate", 40), ("cuerbully", 20)])
def test_cs_591_plate_against_a_slash(layer: str, after: int):
    """CS-591: field plate loses nothing, cuerbully half of 19, rounded up."""
    play = slash(layer, pot=19)
    assert left(play) == [after]
    assert through(play) == 0


def test_cs_592_a_30_it_comes_off_the_second_figure_and_the_rest_is_lost():
    """CS-592, A-30."""
    assert left(slash("singlemail", pot=18)) == [22]
    play = slash({"type": "singlemail", "wear_total": 5}, pot=18)
    assert play.got("ArmourDestroyed", lost=5)
    assert play.see("orc")["wounds"] == 0


@pytest.mark.parametrize(
    ("layer", "off"),
    [
        ("moonhide:5/40:plate:slash 0", 0), ("moonhide:5/40:plate:slash 1/3", 6), ("moonhide:5/40:plate:slash 1", 18),
        ("moonhide:5/40:plate:slash 3/2", 18), ("moonhide:5/40:plate", 0), ("moonhide:5/40", 18),
        ("cuerbully:5/40", 9), ("cuerbully:5/40:mail", 18), ("singlemail:5/40:plate", 0),
    ],
)  # fmt: skip
def test_cs_591_a_layer_that_is_put_on_takes_its_share_of_a_slash_and_never_more_than_all(layer: str, off: int):
    """CS-591: as its entry says, else as its type has it, else as its family does."""
    play = duel(SLASH).do("rule", who="orc", what="armour", value=layer)
    assert left(slash(pot=18, play=due(play, attack="slash"))) == [40 - off]


@pytest.mark.parametrize(("settings", "shown"), [({}, {"left": 9, "of": 10}), (WEAR, {"left": 39, "of": 40})])
def test_what_is_left_of_a_layer_is_the_figure_that_is_in_use(settings: Sheet, shown: Mapping[str, int]) -> None:
    """CS-574, CS-582: a Thrust has pierced mail 10/40; only where armour wears it is the second figure that counts."""
    play = duel(settings, orc=wearing("singlemail", weapons=[]))
    play.do("blow", who="orc", pot=20, struck="point", passage="thrust")
    assert play.see("orc")["armour"] == [{"type": "Singlemail", **shown}]


# Shields


def test_cs_597_a_52_the_shield_that_failed_to_block():
    """CS-597, A-52: 19 - 25; a Parry with the sword leaves it out; the GM may have it either way."""
    sheet = {"weapons": [{**BLADE, "hand": "R"}, SHIELD]}

    def strike(**given: object) -> Play:
        return hit(due(duel(orc=sheet)), **given)

    assert strike(defence="block shield").got("ArmourApplied", dr=19, out=0)
    assert strike(defence="block shield+dodge").got("ArmourApplied", out=0)
    assert strike(defence="parry sword").got("ArmourApplied", out=19)
    assert strike(defence="block shield", shield=False).got("ArmourApplied", out=19)
    assert strike(defence="none", shield=True).got("ArmourApplied", out=0)
    assert strike(defence="parry sword", shield=False).got("ArmourApplied", out=19)


def test_cs_597_a_shield_wears_as_the_outermost_layer():
    """CS-580, CS-581, CS-597, M-25."""
    play = duel(WEAR, orc=wearing("padded_simple", weapons=[{**BLADE, "hand": "R"}, SHIELD]))
    play.do("blow", who="orc", pot=40, struck="edge", bonus=10, shield=True)
    assert play.got("ArmourWorn", layer="shield", left=15)
    assert left(play) == [10]
    assert play.see("orc")["shields"] == [{"type": "shield", "left": 15, "of": 25}]
    play.do("blow", who="orc", pot=40, struck="edge", bonus=20, shield=True)
    assert play.got("ArmourDestroyed", layer="shield", lost=15)
    assert through(play) == 15
    play.do("blow", who="orc", pot=40, struck="edge", bonus=4, shield=True)
    assert through(play) == 30


def test_cs_572_a_shield_by_its_name_has_the_dr_of_the_table():
    """CS-572."""
    buckler = {"name": "steel-bound", "kind": "shield", "av": 20, "hand": "L"}
    play = duel(orc={"weapons": [{**BLADE, "hand": "R"}, buckler]}).do("blow", who="orc", pot=31, shield=True)
    assert play.got("ArmourApplied", dr=30, out=1)


@pytest.mark.parametrize(
    ("shield", "said"),
    [(None, "holds no shield"), ({"name": "targe", "kind": "shield", "hand": "L"}, "Orc's targe has no DR entered")],
    ids=["none", "unknown"],
)
def test_cs_597_a_shield_in_the_way_must_be_one(shield: Sheet | None, said: str) -> None:
    """CS-597, M-25: refused before anything is rolled where there is none, or its DR is unknown."""
    play = due(duel(orc={"weapons": [BLADE, *([shield] if shield else [])]}))
    for refused in (
        play.refused("CS-597", "resolve", who="ash", hit=True, defence="none", shield=True),
        play.refused("CS-597", "blow", who="orc", pot=9, shield=True),
    ):
        assert said in str(refused)
        words = ["Shield" in accepted or "shield" in accepted for accepted in refused.accepts]
        assert words == [True] * (3 if shield else 2)


# By the GM's word


def test_cs_584_armour_is_dropped_repaired_and_put_on_by_the_gms_word():
    """CS-584."""
    play = blow(WEAR, {"type": "padded_simple", "dr": 3}, "doublemail", pot=20, bonus=5)
    play.do("armour", who="orc", value="doublemail")
    assert left(play) == [40]
    play.do("rule", what="armour", who="orc", value="coat of plates:18:proof; padded_simple:4")
    assert left(play) == [18, 4]
    assert play.refused("CS-572", "rule", what="armour", who="orc", value="tin").accepts[0] == "padded_simple"
    play.do("rule", what="armour", who="orc", value="none")
    assert left(play) == []


@pytest.mark.parametrize("odd", [";;", ":", "mail:x/y", "a:1:2:3", "plate:99999999999999999999999", "doublemail:3/"])
def test_odd_armour_typed_in_a_ruling_hinders_no_blow(odd: str):
    """CS-584: whatever is typed there is armour, or is refused; by hand it is nothing."""
    play = duel({**WEAR, "armour_grades": True}, orc=wearing("padded_simple", weapons=[SHIELD]))
    for trait in ("armour", "shields"):
        play.refused("value", "adjust", who="orc", what=trait, value=odd)
    with contextlib.suppress(Refused):
        play.do("rule", who="orc", what="armour", value=odd)
    play.do("blow", who="orc", pot=20, struck="edge", bonus=3, shield=True)
    assert play.got("BlowLanded", pot=20)
    assert play.fight.explain("orc", "armour").subject == "armour"


def test_a_mace_is_met_by_armour_like_any_blow():
    """CS-571, CS-574."""
    play = struck(ash={"weapons": [MACE]}, orc=wearing("singlemail"))
    assert play.got("ArmourApplied", pot_in=21, out=11)
