"""A blow from its Potence to the checks it asks, in the order in which a GM is shown it (CS-530 to CS-567)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.rules import numbers
from fightcall_engine.systems.segments.rules.gear import (
    Layer,
    Met,
    common_strike,
    piercing_missile,
    slash,
    stale_spring,
    thrust,
)
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Progressive, Sum, prog, rhu
from fightcall_engine.systems.segments.rules.wounds import (
    Level,
    Striking,
    WtRounding,
    collapse_checks,
    collapse_checks_by_points,
    excess,
    level_of,
    level_of_points,
    threshold_counts,
    wound_threshold,
    wounds,
)

Grip: TypeAlias = Literal["one_handed", "hand_and_a_half", "two_handed"]
"""How a weapon is held; hurled ones count as one-handed (CS-531 to CS-534)."""

Power: TypeAlias = Literal["STR", "CRD"]
"""The score behind a blow: CRD for a Slash (CS-538)."""

CHARGE_PULSES = 5
"""Unbroken Pulses at full speed that make a Charge (CS-539)."""

_SHARES: Mapping[Grip, Fraction] = {
    "one_handed": Fraction(1, 2),
    "hand_and_a_half": Fraction(3, 4),
    "two_handed": Fraction(1),
}

_SAID: Mapping[Grip, tuple[str, str]] = {
    "one_handed": (" ÷ 2", "CS-531"),
    "hand_and_a_half": (" x 3/4", "CS-533"),
    "two_handed": ("", "CS-534"),
}


def base_pot(msta: int, power: Number, grip: Grip = "one_handed") -> Fraction:
    """The exact POT of a body alone, by effective STR, or CRD for a Slash (CS-531 to CS-534, CS-537, CS-538)."""
    return (msta + Fraction(power)) * _SHARES[grip]


def base_part(msta: int, power: Number, grip: Grip = "one_handed", using: Power = "STR") -> Part:
    """The body's part of a blow, rounded before anything is added (CS-536)."""
    grip_label, rule = _SAID[grip]
    label = f"(modified STA {msta} + {using} {_format_number(power)}){grip_label}"
    return Part(label, rhu(base_pot(msta, power, grip)), "CS-538" if using == "CRD" else rule)


def pot(base: Part, bonus: Number = 0, *, charge_mph: Number = 0, target_mph: Number = 0, drop_ft: Number = 0) -> Sum:
    """The POT of a melee or hurled blow, not yet rounded (CS-535).

    With the speeds of a charge (CS-539) and of a mover who runs into an Opportunity Action (CS-444, CS-540), and the
    feet from which the attacker drops on the target (CS-541). A pommel or the weapon hand has no bonus (CS-347).
    """
    parts = [base]
    if bonus:
        parts.append(Part("Damage Bonus", bonus, "CS-535"))
    return Sum((*parts, *speed_parts(charge_mph=charge_mph, target_mph=target_mph, drop_ft=drop_ft)))


def speed_parts(*, charge_mph: Number = 0, target_mph: Number = 0, drop_ft: Number = 0) -> tuple[Part, ...]:
    """What movement adds to a blow: 1 for each mph, 2 for each 3 ft of a drop. For arguments see `pot`."""
    parts = (
        Part("Charge in mph", charge_mph, "CS-539"),
        Part("target's speed in mph", target_mph, "CS-444"),
        Part("2 for each 3 ft dropped", Fraction(2 * drop_ft) / 3, "CS-541"),
    )
    return tuple(part for part in parts if part.value)


def charges(full_pulses: int | None, whole_segment: bool = False) -> bool:
    """Whether an attacker charges: by Pulses in a row at full speed, or a whole segment (CS-539, A-48)."""
    return whole_segment if full_pulses is None else full_pulses >= CHARGE_PULSES


def missile_pot(strength: Number, bonus: Number, head: Number = 0, *, sling: bool = False, head_name: str = "") -> Sum:
    """The POT of an arrow or a slung stone: all of STR, nothing of STA (CS-542, CS-543, M-09)."""
    device, rule = ("sling", "CS-543") if sling else ("bow", "CS-542")
    parts = [Part("STR", rhu(strength), rule), Part(f"Damage Bonus of the {device}", bonus, rule)]
    if head or head_name:
        parts.append(Part(f"arrow head: {head_name}" if head_name else "arrow head", head, "CS-542"))
    return Sum(tuple(parts))


def crossbow_pot(stated_pot: int, days_cocked: int = 0) -> Sum:
    """The POT of a crossbow's bolt, less 1 for each full day of being cocked, at least 0 (CS-395, CS-545, M-09)."""
    machine = Part("crossbow", stated_pot, "CS-545")
    return Sum((machine, *stale_spring(min(stated_pot, days_cocked)).parts) if days_cocked > 0 else (machine,))


def brawling_pot(msta: int, strength: Number) -> Sum:
    """The POT of fists, feet and knees: a tenth of the one-handed base, no bonus (CS-348, M-23)."""
    label = f"a tenth of (modified STA {msta} + STR {_format_number(strength)}) ÷ 2"
    return Sum((Part(label, rhu(base_pot(msta, strength) / 10), "CS-348"),))


def double_blow(blow: Sum) -> Sum:
    """A blow doubled by a Heroic Effect (CS-547)."""
    return Sum((*blow.parts, Part("Heroic Effect: doubled", blow.total, "CS-547")))


def _format_number(number: Number) -> str:
    return str(number) if Fraction(number).denominator == 1 else f"{float(number):g}"


def multiplied_damage(
    msta: int,
    power: Number,
    multiplier: Number,
    grip: Grip = "one_handed",
    using: Power = "STR",
    *,
    charge_mph: Number = 0,
    target_mph: Number = 0,
    drop_ft: Number = 0,
) -> Sum:
    """The damage of a blow under the option `damage_multipliers`, not yet rounded (CS-551); compare `pot`.

    The Damage Bonus is not added. A multiplier of 0, of an object that has none, leaves the full base (CS-553).
    """
    base = base_pot(msta, power, grip)
    parts = [Part(f"modified STA and {using}", base, "CS-551")]
    if multiplier:
        parts.append(Part(f"x {float(multiplier):g}", base * Fraction(multiplier), "CS-551"))
    return Sum((*parts, *speed_parts(charge_mph=charge_mph, target_mph=target_mph, drop_ft=drop_ft)))


def strike_wear(msta: int, power: Number, multiplier: Number, grip: Grip = "one_handed") -> int:
    """The wear of armour by a blow if damage is multiplied: the weapon's own share (CS-555)."""
    return rhu(base_pot(msta, power, grip) * Fraction(multiplier))


Standing: TypeAlias = Literal["landbound", "free_commoner", "wealthy_or_noble", "great_noble_or_royal"]

Season: TypeAlias = Literal["summer", "winter"]


@frozen
class KnockBack:
    """A knock-back.

    Attributes:
        feet: the feet by the blow's POT.
        moved: the feet up to a barrier.
        stopped: the feet cut short by a barrier; 0 without one.
    """

    feet: int
    moved: int
    stopped: int


def knock_back_of(pot: int, msta: int, barrier: int | None = None, room: int | None = None) -> KnockBack | None:
    """The knock-back of a whole POT, before armour; None for none (CS-560, CS-561, CS-563, A-51).

    `barrier` is feet to something solid, `room` to a combatant who stops the victim; the rest of the way then adds
    nothing.
    """
    feet = pot - msta
    if feet <= 0:
        return None
    if barrier is None:
        return KnockBack(feet, feet if room is None else min(feet, max(0, room)), 0)
    moved_ft = min(feet, max(0, barrier))
    return KnockBack(feet, moved_ft, feet - moved_ft)


def keep_feet_dv(moved_ft: int, scale: Progressive = "triangular") -> Sum:
    """The DV of the AGL check to stay upright after being driven so far; on a failure the victim falls (CS-562)."""
    return Sum((Part(f"{moved_ft} ft, Progressive", prog(moved_ft, scale), "CS-562"),))


def pot_for_effect(pot: int, driven: KnockBack | None) -> Sum:
    """The POT for clothing, armour, wounds and pain, to which a barrier adds (CS-563)."""
    parts = [Part("POT", pot, "CS-560")]
    if driven is not None and driven.stopped:
        parts.append(Part("feet left at the barrier", driven.stopped, "CS-563"))
    return Sum(tuple(parts))


def clothing_part(layers: int, *, armoured: bool, edged: bool, first: bool) -> Part | None:
    """What street clothes take from a blow, or None (CS-566)."""
    if armoured or not edged or not first or layers <= 0:
        return None
    return Part(f"{layers} layers of clothing ÷ 2", -rhu(Fraction(layers, 2)), "CS-566")


def clothing_layers(standing: Standing, season: Season) -> int:
    """The usual layers of clothing for a standing (CS-567)."""
    return _wardrobe()[standing][season]


@cache
def _wardrobe() -> Mapping[Standing, Mapping[Season, int]]:
    wardrobe: dict[Standing, Mapping[Season, int]] = {}
    for standing in get_args(Standing):
        row = cast("Mapping[str, object]", numbers.table("clothing").get(standing, {}))
        wardrobe[standing] = {season: numbers.whole_of(row, season) for season in get_args(Season)}
    return wardrobe


Passage: TypeAlias = Literal["common", "thrust", "slash", "piercing_missile"]
"""The ways in which a blow meets armour."""


@frozen
class Blow:
    """A blow that has landed.

    Attributes:
        pot: its whole POT, or Body Points of damage, rounded.
        striking: edge, point or blunt.
        passage: how it meets armour.
        bonus: Damage Bonus or multiplied share of the weapon, which wears armour (CS-580).
        in_short: whether it is a missile at point-blank or short range (CS-577).
        first: whether it is the target's first blow with an edge (CS-566).
        barrier: feet to something solid behind the target; None for open ground (CS-563).
        room: feet to a combatant in the way, or None.
        thrown: feet that it throws the target by a rule of its own (CS-457); None for those by POT.
    """

    pot: int
    striking: Striking = "edge"
    passage: Passage = "common"
    bonus: int = 0
    in_short: bool = False
    first: bool = True
    barrier: int | None = None
    room: int | None = None
    thrown: int | None = None


@frozen
class Target:
    """The values of the target of a blow.

    Attributes:
        msta: modified STA.
        cnd: CND score.
        pres: P-RES, or None if unknown.
        layers: armour, outermost first, with a shield in the way before it (CS-597).
        clothing: layers of street clothes.
        wounds: wounds so far.
        damage: Body Points lost so far.
        body_points: the maximum of Body Points, with the option `body_points`; None to count wounds.
    """

    msta: int
    cnd: int
    pres: int | None = None
    layers: tuple[Layer, ...] = ()
    clothing: int = 0
    wounds: int = 0
    damage: int = 0
    body_points: int | None = None


@frozen
class Options:
    """The options and readings that affect a blow.

    Attributes:
        armour_wear: whether layers wear (CS-580).
        armour_grades: whether Proof armour is not pierced (CS-577).
        wt_rounding: whether the Wound Threshold is rounded (A-12).
    """

    armour_wear: bool = False
    armour_grades: bool = False
    wt_rounding: WtRounding = "rhu"


@frozen
class Harm:
    """The effects of a blow, step by step.

    Attributes:
        driven: the knock-back, or None.
        effect: POT plus the barrier, less clothing.
        met: what armour took, and its wear.
        threshold: the Wound Threshold.
        threshold_counts: whether the threshold counted.
        wounds: wounds made; 0 with Body Points.
        lost: Body Points lost; 0 without them.
        level: the level of wounding after it.
        beyond: POT through in excess of P-RES; None if that is unknown.
        collapse: the number of P-RES checks against death (CS-624).
    """

    driven: KnockBack | None
    effect: Sum
    met: Met
    threshold: Number
    threshold_counts: bool
    wounds: int
    lost: int
    level: Level
    beyond: int | None
    collapse: int


def harm(blow: Blow, target: Target, options: Options | None = None) -> Harm:
    """The effects of a blow on its target (CS-560 to CS-632); ValueError for a Slash without `armour_wear` (CS-590)."""
    readings = options or Options()
    if blow.thrown is None:
        driven = knock_back_of(blow.pot, target.msta, blow.barrier, blow.room)
    else:
        driven = knock_back_of(blow.thrown, 0, blow.barrier, blow.room)
    effect = _after_clothing(blow, target, pot_for_effect(blow.pot, driven))
    at_armour = _at_armour(blow, target.layers, int(effect.total), readings)
    threshold = wound_threshold(target.msta, target.cnd, readings.wt_rounding)
    counts = threshold_counts(blow.striking, at_armour.breached)
    wounds, points_lost, level, collapse = _count_harm(target, at_armour.through, threshold, counts)
    beyond = None if target.pres is None else excess(at_armour.through, target.pres)
    return Harm(driven, effect, at_armour, threshold, counts, wounds, points_lost, level, beyond, collapse)


def _after_clothing(blow: Blow, target: Target, effect: Sum) -> Sum:
    armoured = any(layer.family != "shield" for layer in target.layers)
    clothing = clothing_part(target.clothing, armoured=armoured, edged=blow.striking == "edge", first=blow.first)
    if clothing is None:
        return effect
    return Sum((*effect.parts, Part(clothing.label, max(clothing.value, -effect.total), clothing.rule)))


def _at_armour(blow: Blow, layers: Sequence[Layer], pot: int, options: Options) -> Met:
    wear = blow.bonus if options.armour_wear else None
    if blow.passage == "slash":
        if not options.armour_wear:
            raise ValueError("a Slash needs the option armour_wear (CS-590); a common strike is always possible")
        return slash(layers, pot)
    if blow.passage == "piercing_missile":
        return piercing_missile(layers, pot, in_short=blow.in_short, graded=options.armour_grades, wear=wear)
    through = thrust if blow.passage == "thrust" else common_strike
    return through(layers, pot, wear)


def _count_harm(target: Target, through: int, threshold: Number, counts: bool) -> tuple[int, int, Level, int]:
    if target.body_points is not None:
        damage = target.damage + through
        checks = collapse_checks_by_points(target.damage, damage, target.body_points)
        return 0, through, level_of_points(damage, target.body_points), checks
    new_wounds = wounds(through, threshold, counts)
    total = target.wounds + new_wounds
    return new_wounds, 0, level_of(total), collapse_checks(target.wounds, total)
