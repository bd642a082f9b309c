"""A blow from landing to its checks, and the fought segment of G-125 (sections 4.1 and 8.14)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fightcall_engine.systems.segments.rules.attacks import (
    damage_bonus,
    end_spent,
    next_use,
    offers_reprisal,
    reprisal_defence,
    value_of_use,
)
from fightcall_engine.systems.segments.rules.formulas import rhu
from fightcall_engine.systems.segments.rules.wounds import (
    Blow,
    KnockBack,
    Options,
    Target,
    armour_types,
    base_part,
    harm,
    keep_feet_dv,
    pain_dv,
    pot,
    strength_in_fight,
    stun,
)

MAIL = armour_types()["singlemail"]
PADDED = armour_types()["padded_simple"]
B = Target(msta=16, cnd=14, pres=15, clothing=2)
WEARING = Options(armour_wear=True)

TARGETS = st.builds(
    Target,
    msta=st.integers(1, 60),
    cnd=st.integers(1, 40),
    pres=st.none() | st.integers(0, 60),
    layers=st.lists(st.sampled_from(list(armour_types().values())), max_size=3).map(tuple),
    clothing=st.integers(0, 5),
    wounds=st.integers(0, 12),
    damage=st.integers(0, 60),
    body_points=st.none() | st.integers(1, 60),
)
BLOWS = st.builds(
    Blow,
    pot=st.integers(0, 120),
    striking=st.sampled_from(["edge", "point", "blunt"]),
    passage=st.sampled_from(["common", "thrust", "slash", "piercing_missile"]),
    bonus=st.integers(0, 15),
    in_short=st.booleans(),
    first=st.booleans(),
    barrier=st.none() | st.integers(0, 40),
)


def test_g_125_cs_479_cs_488_steps_5_to_10_what_every_use_is_worth() -> None:
    """A's sword 40, B's 35; END 1 each for attack and defence, five times."""
    opportunity = (value_of_use(35, next_use("attack", 0, 0)), value_of_use(40, next_use("defence", 0, 0)))
    assert [made.total for made in opportunity] == [35, 40]
    assert not offers_reprisal("opportunity")
    first = (value_of_use(40, next_use("attack", 0, 1)), value_of_use(35, next_use("defence", 1, 0)))
    assert [made.total for made in first] == [40, 35]
    assert offers_reprisal("melee")
    reprisal = (value_of_use(35, next_use("attack", 1, 1)), reprisal_defence(40, next_use("defence", 1, 1)))
    assert [rhu(made.total) for made in reprisal] == [18, 10]
    assert not offers_reprisal("reprisal")
    second = (value_of_use(35, next_use("attack", 2, 1)), value_of_use(40, next_use("defence", 1, 1)))
    assert [rhu(made.total) for made in second] == [9, 20]
    last = (value_of_use(40, next_use("attack", 1, 1)), reprisal_defence(35, next_use("defence", 3, 1)))
    assert [rhu(made.total) for made in last] == [20, 9]
    spent = [end_spent(1) for _ in range(5)]
    assert (10 - sum(one.attacker for one in spent), 10 - sum(one.defender for one in spent)) == (5, 5)


def test_g_125_steps_11_and_12_the_blow_that_lands() -> None:
    """G-125."""
    landed = pot(base_part(15, 14), damage_bonus(4, "medium").value)
    assert landed.total == 19
    made = harm(Blow(pot=int(landed.total), bonus=4), B)
    assert made.driven == KnockBack(3, 3, 0)
    assert keep_feet_dv(made.driven.moved).total == 6
    assert [part.value for part in made.effect.parts] == [19, -1]
    assert made.met.through == 18
    assert (made.threshold, made.threshold_counts, made.wounds, made.level) == (4, False, 4, "grievous")
    assert rhu(strength_in_fight(15, made.level).total) == 8
    assert made.beyond == 3
    assert pain_dv(made.beyond).total == 6
    assert made.collapse == 0
    assert stun(made.beyond, 1, managed=True).penalty(1) == 3
    assert stun(made.beyond, 1, managed=True).penalty(2) == 3


def test_g_68_cs_546_a_51_blows_in_concert_drive_and_wound_as_one() -> None:
    """G-68, CS-546, A-51."""
    doublemail = armour_types()["doublemail"]
    made = harm(Blow(pot=18 + 9), replace(B, layers=(doublemail,)))
    assert made.driven == KnockBack(11, 11, 0)
    assert made.met.through == 7


def test_g_96_the_wall_is_felt_through_armour() -> None:
    """G-96."""
    target = Target(msta=15, cnd=13, pres=11, layers=(MAIL,))
    walled = harm(Blow(pot=19, barrier=1), target)
    assert (walled.effect.total, walled.met.through, walled.beyond) == (22, 12, 1)
    assert pain_dv(walled.beyond).total == 1
    free = harm(Blow(pot=19), target)
    assert (free.met.through, free.beyond) == (9, 0)


def test_cs_562_at_a_wall_he_has_not_been_moved() -> None:
    """CS-562."""
    made = harm(Blow(pot=19, barrier=0), Target(msta=15, cnd=13))
    assert made.driven == KnockBack(4, 0, 4)


def test_g_97_clothes_save_nothing_under_armour() -> None:
    """G-97."""
    clad = Target(msta=30, cnd=13, clothing=3)
    assert harm(Blow(pot=12), clad).met.through == 10
    assert harm(Blow(pot=12, first=False), clad).met.through == 12
    assert harm(Blow(pot=12, striking="blunt"), clad).met.through == 12
    assert harm(Blow(pot=12), replace(clad, layers=(MAIL,))).met.through == 2
    assert harm(Blow(pot=27), replace(clad, layers=(armour_types()["shield_wood"],))).met.through == 0
    assert harm(Blow(pot=28), replace(clad, layers=(armour_types()["shield_wood"],))).met.through == 1


def test_cs_566_clothes_take_no_more_than_there_is() -> None:
    """CS-566."""
    made = harm(Blow(pot=1), Target(msta=30, cnd=13, clothing=5))
    assert (made.effect.total, made.effect.parts[-1].value, made.met.through, made.wounds) == (0, -1, 0, 0)


def test_g_106_an_edge_turned_by_mail_must_pass_the_threshold() -> None:
    """G-106."""
    target = Target(msta=14, cnd=13, layers=(MAIL,))
    turned = harm(Blow(pot=12), target)
    assert (turned.met.through, turned.threshold_counts, turned.wounds, turned.level) == (2, True, 0, "none")
    assert harm(Blow(pot=12, striking="point", passage="thrust"), target).wounds == 3


def test_nothing_is_taken_for_granted_of_blow_or_target() -> None:
    """Bare skin, no weapon bonus, no wounds before, open ground."""
    made = harm(Blow(pot=12), Target(msta=30, cnd=10), WEARING)
    assert (made.met.through, made.driven, made.wounds, made.collapse) == (12, None, 2, 0)
    assert harm(Blow(pot=4), Target(msta=30, cnd=10, layers=(PADDED,)), WEARING).met.layers == (PADDED,)


def test_cs_610_without_p_res_the_gm_is_asked() -> None:
    """CS-610."""
    made = harm(Blow(pot=30), replace(B, pres=None))
    assert made.beyond is None


def test_g_110_cs_628_a_blow_past_the_tenth_wound() -> None:
    """G-110, CS-628."""
    made = harm(Blow(pot=16, first=False), replace(B, wounds=8))
    assert (made.wounds, made.level, made.collapse) == (3, "mortal", 1)


def test_cs_604_body_points_take_the_place_of_wounds() -> None:
    """CS-604."""
    made = harm(Blow(pot=12), replace(B, body_points=40))
    assert (made.wounds, made.lost, made.level, made.collapse) == (0, 11, "serious", 0)
    spent = harm(Blow(pot=12), replace(B, body_points=40, damage=30))
    assert (spent.lost, spent.level, spent.collapse) == (11, "mortal", 1)


def test_cs_580_wear_is_an_option() -> None:
    """CS-580."""
    target = Target(msta=14, cnd=13, layers=(PADDED,))
    assert harm(Blow(pot=12, bonus=4), target).met.worn == ()
    assert harm(Blow(pot=12, bonus=4), target, WEARING).met.layers[0].dr == 6


def test_cs_590_a_slash_needs_the_option() -> None:
    """CS-590."""
    target = Target(msta=14, cnd=13, layers=(PADDED,))
    with pytest.raises(ValueError, match="needs the option armour_wear"):
        harm(Blow(pot=12, passage="slash"), target)
    made = harm(Blow(pot=12, passage="slash"), target, WEARING)
    assert (made.met.layers[0].dr, made.wounds) == (0, 0)


def test_g_104_proof_is_an_option() -> None:
    """G-104."""
    proof = Target(msta=40, cnd=13, layers=(replace(armour_types()["field_plate"], grade="proof"),))
    bodkin = Blow(pot=30, striking="point", passage="piercing_missile", in_short=True)
    assert harm(bodkin, proof).met.through == 29
    assert harm(bodkin, proof, Options(armour_grades=True)).met.through == 0


@given(BLOWS, TARGETS)
def test_cs_573_a_blow_harms_by_what_came_through_and_by_nothing_else(blow: Blow, target: Target) -> None:
    """CS-573."""
    made = harm(blow, target, WEARING)
    assert 0 <= made.met.through <= made.effect.total
    assert (made.wounds + made.lost > 0) <= (made.met.through > 0)
    assert made.lost == (made.met.through if target.body_points is not None else 0)
    assert (made.driven is not None) == (blow.pot > target.msta)
    assert made.beyond is None or made.beyond <= made.met.through


@given(BLOWS.filter(lambda blow: blow.passage != "slash"), TARGETS)
def test_a_harder_blow_never_does_less(blow: Blow, target: Target) -> None:
    soft, hard = harm(blow, target, WEARING), harm(replace(blow, pot=blow.pot + 1), target, WEARING)
    assert soft.met.through <= hard.met.through
    assert soft.wounds <= hard.wounds
    assert soft.lost <= hard.lost
