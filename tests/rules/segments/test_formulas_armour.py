"""Armour by layers: blows, Thrusts, Slashes, piercing missiles, wear and shields (CS-570 to CS-597, section 6.6)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.wounds import (
    Layer,
    Met,
    Worn,
    armour_types,
    common_strike,
    piercing_missile,
    shield_layer,
    slash,
    thrust,
)

PRINTED = {
    "padded_simple": (10, None), "padded_studded": (12, None), "padded_trellised": (14, None),
    "padded_bezainted": (15, None), "padded_ringed": (16, None), "singlemail": (10, 40), "singlemail_banded": (14, 40),
    "doublemail": (20, 40), "doublemail_banded": (24, 40), "jazeraint": (28, 40), "laminated": (32, 40),
    "brigandine": (36, 40), "field_plate": (40, None), "cuerbully": (30, None), "shield_wood": (25, None),
    "shield_steel_bound": (30, None), "shield_steel": (40, None),
}  # fmt: skip

PADDED, STUDDED = armour_types()["padded_simple"], armour_types()["padded_studded"]
MAIL, DOUBLEMAIL = armour_types()["singlemail"], armour_types()["doublemail"]
BRIGANDINE, PLATE = armour_types()["brigandine"], armour_types()["field_plate"]
CUERBULLY, SHIELD = armour_types()["cuerbully"], armour_types()["shield_wood"]

LAYERS = st.lists(st.builds(replace, st.sampled_from(list(armour_types().values())), dr=st.integers(0, 40)), max_size=4)


def test_cs_572_every_printed_type() -> None:
    """CS-572."""
    assert {key: (layer.dr, layer.wear) for key, layer in armour_types().items()} == PRINTED
    assert {layer.family for key, layer in armour_types().items() if key.startswith("padded")} == {"padded"}
    assert {layer.name for layer in armour_types().values() if layer.family == "mail"} == {
        "Singlemail", "Banded singlemail", "Doublemail", "Banded doublemail"
    }  # fmt: skip
    assert {layer.name: layer.slash for layer in armour_types().values() if layer.slash != 1} == {
        "Field plate": 0, "Cuerbully plate": Fraction(1, 2)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("layers", "pot", "through"),
    [([PADDED, MAIL], 28, 8), ([DOUBLEMAIL], 18, 0), ([DOUBLEMAIL], 9, 0), ([DOUBLEMAIL], 27, 7), ([], 12, 12)],
)
def test_g_68_g_69_g_98_cs_570_cs_571_all_layers_take_their_dr(layers: list[Layer], pot: int, through: int) -> None:
    """G-68, G-69, G-98, CS-570, CS-571."""
    made = common_strike(layers, pot)
    assert made.through == through
    assert made.layers == tuple(layers)
    assert made.worn == ()


def test_cs_571_the_sum_says_what_each_layer_took() -> None:
    """CS-571."""
    made = common_strike([PADDED, MAIL], 15)
    assert [(part.label, part.value) for part in made.sum.parts] == [
        ("POT", 15), ("Padded, simple, DR 10", -10), ("Singlemail, DR 10", -5)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("made", "met", "breached"),
    [
        (common_strike([], 12), False, True), (common_strike([MAIL], 12), True, False),
        (thrust([MAIL, PADDED], 12), True, True), (thrust([BRIGANDINE, PADDED], 45), True, False),
        (slash([MAIL], 12), True, False), (slash([], 12), False, True),
        (common_strike([replace(MAIL, dr=0)], 12), False, True),
    ],
)  # fmt: skip
def test_cs_603_a_13_whether_armour_was_met_and_breached(made: Met, met: bool, breached: bool) -> None:
    """CS-603, A-13."""
    assert (made.met, made.breached) == (met, breached)


def test_cs_574_a_thrust_passes_padding_and_mail() -> None:
    """CS-574."""
    made = thrust([MAIL, PADDED], 19)
    assert made.through == 17
    assert [layer.dr for layer in made.layers] == [9, 9]
    assert made.worn == (Worn(0, "Singlemail", 1, 9), Worn(1, "Padded, simple", 1, 9))


@pytest.mark.parametrize(("pot", "through", "padding"), [(28, 0, 10), (36, 0, 10), (45, 8, 9)])
def test_g_100_cs_575_a_thrust_through_mixed_layers_a_29(pot: int, through: int, padding: int) -> None:
    """G-100, CS-575, A-29."""
    made = thrust([BRIGANDINE, PADDED], pot)
    assert made.through == through
    assert made.layers == (BRIGANDINE, replace(PADDED, dr=padding))


def test_cs_574_a_thrust_spent_in_the_outer_layer_leaves_the_inner_one_whole() -> None:
    """CS-574."""
    made = thrust([PADDED, MAIL], 1)
    assert made.through == 0
    assert made.layers == (replace(PADDED, dr=9), MAIL)


@pytest.mark.parametrize(
    ("layer", "in_short", "graded", "through", "left"),
    [
        (replace(PLATE, grade="strong"), True, True, 29, 39), (replace(PLATE, grade="proof"), True, True, 0, 40),
        (replace(PLATE, grade="proof"), True, False, 29, 39), (PLATE, True, True, 29, 39), (PLATE, False, True, 0, 40),
        (MAIL, True, False, 29, 9), (MAIL, False, False, 20, 10), (CUERBULLY, True, False, 29, 29),
        (replace(PADDED, grade="proof"), True, True, 29, 9), (PADDED, False, False, 20, 10),
        (SHIELD, True, False, 5, 25),
    ],
)  # fmt: skip
def test_g_104_cs_576_to_cs_578_bodkins_and_heavy_bolts(
    layer: Layer, in_short: bool, graded: bool, through: int, left: int
) -> None:
    """G-104, CS-576, CS-578."""
    made = piercing_missile([layer], 30, in_short=in_short, graded=graded)
    assert (made.through, made.layers[0].dr) == (through, left)


def test_g_104_an_ordinary_arrow_does_not_pierce() -> None:
    """G-104."""
    assert common_strike([MAIL], 18).through == 8


def test_g_101_cs_582_the_second_figure_wears_first() -> None:
    """G-101, CS-582."""
    layers: tuple[Layer, ...] = (DOUBLEMAIL,)
    seen = []
    for _ in range(4):
        made = common_strike(layers, 30, wear=7)
        seen.append((30 - made.through, made.layers[0].wear, made.worn[0].left))
        layers = made.layers
    assert seen == [(20, 33, 20), (20, 26, 20), (20, 19, 19), (19, 12, 12)]


def test_cs_582_without_the_option_nothing_wears_and_the_first_figure_counts() -> None:
    """CS-582."""
    assert common_strike([replace(DOUBLEMAIL, wear=5)], 30).through == 10
    assert common_strike([replace(DOUBLEMAIL, wear=5)], 30, wear=0).through == 25


def test_cs_583_one_figure_falls_from_the_first_strike() -> None:
    """CS-583."""
    made = common_strike([STUDDED], 20, wear=5)
    assert (made.through, made.layers[0].dr) == (8, 7)


def test_g_102_cs_584_cs_585_a_ruined_layer_and_no_carry_over_a_31() -> None:
    """G-102, CS-584, CS-585, A-31."""
    made = common_strike([replace(PADDED, dr=3), MAIL], 28, wear=5)
    assert made.through == 15
    assert made.worn == (Worn(0, "Padded, simple", 3, 0),)
    assert made.layers[1] == MAIL


def test_cs_581_wear_comes_off_the_outermost_layer_that_is_left() -> None:
    """CS-581."""
    made = common_strike([replace(PADDED, dr=0), MAIL], 28, wear=5)
    assert made.worn == (Worn(1, "Singlemail", 5, 10),)
    assert made.layers[1].wear == 35


def test_cs_580_a_blow_that_armour_stops_wears_it_all_the_same() -> None:
    """CS-580."""
    assert common_strike([PADDED], 4, wear=3).layers[0].dr == 7


def test_cs_578_beyond_short_range_only_the_bonus_wears() -> None:
    """CS-578."""
    made = piercing_missile([DOUBLEMAIL], 30, in_short=False, wear=3)
    assert (made.through, made.layers[0].wear) == (10, 37)


def test_cs_574_a_pierced_layer_wears_by_one_and_not_by_the_bonus() -> None:
    """CS-574."""
    made = thrust([DOUBLEMAIL, PADDED], 30, wear=4)
    assert made.through == 28
    assert made.layers == (replace(DOUBLEMAIL, wear=39), replace(PADDED, dr=9))


def test_cs_575_a_thrust_that_an_outer_layer_stops_wears_it_by_the_bonus() -> None:
    """CS-575."""
    assert thrust([BRIGANDINE, PADDED], 20, wear=4).layers == (replace(BRIGANDINE, wear=36), PADDED)


def test_cs_590_a_slash_takes_it_all_from_the_outer_layer() -> None:
    """CS-590."""
    made = slash([PADDED, MAIL], 8)
    assert (made.through, made.layers) == (0, (replace(PADDED, dr=2), MAIL))


def test_cs_592_a_slash_comes_off_the_second_figure_a_30() -> None:
    """CS-592, A-30."""
    made = slash([DOUBLEMAIL], 25)
    assert (made.through, made.worn) == (0, (Worn(0, "Doublemail", 25, 15),))


def test_cs_592_destroying_the_last_layer_wounds_nobody_a_30() -> None:
    """CS-592, A-30."""
    made = slash([replace(PADDED, dr=3)], 30)
    assert (made.through, made.worn) == (0, (Worn(0, "Padded, simple", 3, 0),))
    assert slash(made.layers, 30).through == 30


@pytest.mark.parametrize(("layer", "left"), [(PLATE, 40), (CUERBULLY, 17), (Layer("Hides", "other", 30), 5)])
def test_cs_591_plate_cuerbully_and_others_against_a_slash(layer: Layer, left: int) -> None:
    """Half of 25 is 12.5, and so 13."""
    made = slash([layer], 25)
    assert (made.through, made.layers[0].dr) == (0, left)


@pytest.mark.parametrize(
    ("failed_block", "chosen", "counts"),
    [(True, None, True), (False, None, False), (True, False, False), (False, True, True)],
)
def test_cs_597_a_shield_in_the_way_a_52(failed_block: bool, chosen: bool | None, counts: bool) -> None:
    """CS-597, A-52."""
    assert shield_layer(SHIELD, failed_block=failed_block, in_way_by_gm=chosen) == ((SHIELD,) if counts else ())
    assert shield_layer(None, failed_block=failed_block, in_way_by_gm=chosen) == ()


@given(LAYERS, st.integers(-5, 120), st.none() | st.integers(0, 20))
def test_cs_570_a_common_strike_is_the_sum_of_all_layers(layers: list[Layer], pot: int, wear: int | None) -> None:
    """CS-570."""
    made = common_strike(layers, pot, wear)
    assert made.through == max(0, pot - sum(layer.worth(wear is not None) for layer in layers))
    assert len(made.worn) <= 1


@given(LAYERS, st.integers(0, 120), st.none() | st.integers(0, 20), st.booleans())
def test_armour_never_grows_and_never_adds_to_a_blow(
    layers: list[Layer], pot: int, wear: int | None, in_short: bool
) -> None:
    plain = common_strike(layers, pot, wear)
    for made in (plain, thrust(layers, pot, wear), piercing_missile(layers, pot, in_short=in_short, wear=wear)):
        assert plain.through <= made.through <= pot
        for before, after in zip(layers, made.layers, strict=True):
            assert 0 <= after.dr <= before.dr
            assert (before.wear is None) == (after.wear is None)
        again = common_strike(made.layers, pot, wear)
        assert again.through >= plain.through


@given(LAYERS, st.integers(1, 120))
def test_cs_590_nobody_in_armour_is_wounded_by_a_slash(layers: list[Layer], pot: int) -> None:
    """CS-590."""
    made = slash(layers, pot)
    assert made.through == (0 if made.met else pot)
    assert len(made.worn) <= 1
