"""A blow from its Potence through armour to the wounds it makes; pain and collapse; healing (CS-530 to CS-670)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import ceil, floor
from typing import Literal, TypeAlias, cast, get_args

from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.rules import formulas
from fightcall_engine.systems.segments.rules.formulas import (
    SECONDS_A_SEGMENT,
    Number,
    Part,
    Progressive,
    Sum,
    halve,
    prog,
    rhu,
)

Family: TypeAlias = Literal["padded", "mail", "plate", "cuerbully", "other", "shield"]
Grade: TypeAlias = Literal["strong", "proof"]


# Blows against armour


@frozen
class Layer:
    """A layer of armour as it is now, or a shield in the way.

    `family` decides about Thrusts and piercing missiles. `dr` is the first figure of a type such as 10/40, `wear` the
    second, from which wear comes off first (CS-582). `slash` is the share of a Slash that it takes (CS-591). One
    without a grade counts as Strong (M-17).
    """

    name: str
    family: Family
    dr: int
    wear: int | None = None
    slash: Fraction = Fraction(1)
    grade: Grade | None = None

    def worth(self, wearing: bool) -> int:
        """The present DR (CS-570, CS-582); `wearing` is the option `armour_wear`."""
        return self.dr if self.wear is None or not wearing else min(self.dr, self.wear)

    @property
    def figures(self) -> str:
        """Its figures as printed, such as 10/40."""
        return str(self.dr) if self.wear is None else f"{self.dr}/{self.wear}"

    def less(self, points: int, wearing: bool) -> "Layer":
        """The layer after losing points of its second figure if that is in use, else of its DR."""
        if self.wear is None or not wearing:
            return replace(self, dr=max(0, self.dr - points))
        return replace(self, wear=max(0, self.wear - points))


@frozen
class Worn:
    """What a blow did to a layer, counted from 0 for the outermost: points lost and left; at 0 it is gone (CS-584)."""

    place: int
    name: str
    lost: int
    left: int


@frozen
class Met:
    """A blow that has met armour: POT through, all layers after it, outermost first, and their wear.

    `breached`: it met no layer or pierced all; otherwise the Wound Threshold counts (CS-603, A-13).
    """

    sum: Sum
    layers: tuple[Layer, ...]
    worn: tuple[Worn, ...]
    met: bool
    breached: bool

    @property
    def through(self) -> int:
        """POT that got through, 0 or more."""
        return int(self.sum.total)


def common_strike(layers: Sequence[Layer], pot: int, wear: int | None = None) -> Met:
    """A common blow after all layers, outermost first, have taken their DR (CS-570, CS-571, CS-580, CS-581, CS-585).

    `wear` comes off the outermost layer left after the blow met it; any excess is lost (A-31).
    """
    return _meet(layers, pot, lambda layer: False, wear)


def thrust(layers: Sequence[Layer], pot: int, wear: int | None = None) -> Met:
    """A Thrust after all layers: it pierces padded and mail, others take their DR (CS-574, CS-575, A-29).

    A pierced layer takes 1 from the POT and loses 1; with wear that comes off the second figure, as for a Slash. The
    weapon's own wear only affects the outermost layer if that was not pierced.
    """
    because = ("a Thrust doesn't pass it", "CS-575")
    return _meet(layers, pot, lambda layer: layer.family in ("padded", "mail"), wear, lambda layer: because)


def piercing_missile(
    layers: Sequence[Layer], pot: int, *, in_short: bool, graded: bool = False, wear: int | None = None
) -> Met:
    """The hit of a bodkin arrow or a heavy crossbow bolt after all layers (CS-576 to CS-578, M-17).

    Within Short range it pierces every layer that is not Proof, as a Thrust pierces mail; padding has no grade. Beyond
    it, and against Proof, it is a common blow. A shield in the way always takes its DR, as it is not worn armour.
    """

    def pierces(layer: Layer) -> bool:
        if not in_short or layer.family == "shield":
            return False
        return layer.family == "padded" or not (graded and layer.grade == "proof")

    def because(layer: Layer) -> tuple[str, str]:
        if layer.family == "shield":
            return "", "CS-597"
        return ("Proof" if in_short else "not in Short range"), "CS-578"

    return _meet(layers, pot, pierces, wear, because)


def slash(layers: Sequence[Layer], pot: int) -> Met:
    """A Slash after all layers: it only wears the outermost one left (CS-590 to CS-592).

    It needs the option `armour_wear`. Field plate loses nothing, cuerbully half. Any excess over the layer is lost,
    even if it was the last (A-30).
    """
    parts = [Part("POT", pot, "CS-530")]
    after: dict[int, Layer] = {}
    place = _outermost(layers, wearing=True)
    if place is not None and pot > 0:
        layer = layers[place]
        after[place] = layer.less(rhu(pot * layer.slash), wearing=True)
        how, rule = _SLASHED.get(layer.slash, ("takes a part of it", "CS-591"))
        parts.append(Part(f"a Slash: {layer.name} {how}", -pot, rule))
    now = tuple(after.get(place, layer) for place, layer in enumerate(layers))
    return Met(Sum(tuple(parts)), now, _wear_of_layers(layers, after, wearing=True), bool(after), not after)


_SLASHED: Mapping[Fraction, tuple[str, str]] = {
    Fraction(1): ("takes it", "CS-590"),
    Fraction(1, 2): ("takes half of it", "CS-591"),
    Fraction(0): ("is immune", "CS-591"),
}
"""The words for a Slash and the rule, by the share of it that a layer takes."""


def shield_layer(shield: Layer | None, *, failed_block: bool, in_way_by_gm: bool | None = None) -> tuple[Layer, ...]:
    """The shield as an outer layer if it is in the way of a blow, else nothing (CS-597, A-52, M-25)."""
    if shield is None or not (failed_block if in_way_by_gm is None else in_way_by_gm):
        return ()
    return (shield,)


@cache
def armour_types() -> Mapping[str, Layer]:
    """The types of armour and shields that the text has numbers for, by key, new and whole (CS-572)."""
    shields = [{**row, "family": "shield"} for row in formulas.rows("shields") if not row.get("sample")]
    return {str(row["key"]): layer_from(row) for row in (*formulas.rows("armour"), *shields)}


def layer_from(row: Mapping[str, object]) -> Layer:
    """A type of armour from its row."""
    return formulas.record_of(Layer, {"family": "other", **row, "name": row["label"]})


def _meet(
    layers: Sequence[Layer],
    pot: int,
    pierces: Callable[[Layer], bool],
    wear: int | None,
    because: Callable[[Layer], tuple[str, str]] = lambda layer: ("", "CS-571"),
) -> Met:
    """Take the blow through all layers; `because` gives the reason and rule for one that takes its DR."""
    wearing = wear is not None
    outermost = _outermost(layers, wearing)
    wears = outermost is not None and pot > 0 and not pierces(layers[outermost])
    after: dict[int, Layer] = {}
    if wears and wear and outermost is not None:
        after[outermost] = layers[outermost].less(wear, wearing=True)
    left = max(0, pot)
    parts = [Part("POT", left, "CS-530")]
    breached = True
    for place, layer in enumerate(layers):
        worth = layer.worth(wearing)
        if left <= 0 or worth <= 0:
            continue
        if pierces(layer):
            parts.append(Part(f"{layer.name}, pierced", -1, "CS-574"))
            after[place] = after.get(place, layer).less(1, wearing)
            left -= 1
        else:
            breached = False
            why, rule = because(layer)
            label = f"{layer.name}, DR {worth}" + (f", {why}" if why else "")
            parts.append(Part(label, -min(worth, left), rule))
            left -= min(worth, left)
    now = tuple(after.get(place, layer) for place, layer in enumerate(layers))
    return Met(Sum(tuple(parts)), now, _wear_of_layers(layers, after, wearing), outermost is not None, breached)


def _wear_of_layers(layers: Sequence[Layer], after: Mapping[int, Layer], wearing: bool) -> tuple[Worn, ...]:
    losses = []
    for place, layer in sorted(after.items()):
        loss = _figure(layers[place], wearing) - _figure(layer, wearing)
        if loss:
            losses.append(Worn(place, layer.name, loss, layer.worth(wearing)))
    return tuple(losses)


def _figure(layer: Layer, wearing: bool) -> int:
    return layer.dr if layer.wear is None or not wearing else layer.wear


def _outermost(layers: Sequence[Layer], wearing: bool) -> int | None:
    return next((place for place, layer in enumerate(layers) if layer.worth(wearing) > 0), None)


def stale_spring(days_cocked: int) -> Sum:
    """The loss of damage of a crossbow kept cocked: 1 a full day (CS-395)."""
    return Sum((Part("full days kept cocked", -max(0, days_cocked), "CS-395"),))


Grip: TypeAlias = Literal["one_handed", "hand_and_a_half", "two_handed"]
"""How a weapon is held; hurled ones count as one-handed (CS-531 to CS-534)."""

Power: TypeAlias = Literal["STR", "CRD"]
"""The score behind a blow: CRD for a Slash (CS-538)."""

CHARGE_PULSES = 5
"""Unbroken Pulses at full speed that make a Charge (CS-539)."""

_GRIPS: Mapping[Grip, tuple[Fraction, str, str]] = {
    "one_handed": (Fraction(1, 2), " ÷ 2", "CS-531"),
    "hand_and_a_half": (Fraction(3, 4), " x 3/4", "CS-533"),
    "two_handed": (Fraction(1), "", "CS-534"),
}

Level: TypeAlias = Literal["none", "light", "serious", "grievous", "mortal"]
"""Levels of wounding; `none` for the unhurt."""

Striking: TypeAlias = Literal["edge", "point", "blunt"]
"""What a blow strikes with."""

# Readings of the text, as the settings with these names say

WtRounding: TypeAlias = Literal["rhu", "exact"]
Adrenaline: TypeAlias = Literal["str_loss_applies", "masks_all"]
AfterLoss: TypeAlias = Literal["linear", "compound"]
MultiStun: TypeAlias = Literal["sum", "highest"]
HealingPace: TypeAlias = Literal["weeks", "day_less"]
Season: TypeAlias = Literal["summer", "winter"]

COLLAPSE_WOUNDS = 10
COLLAPSE_DV = 55
"""DV of the P-RES checks at the tenth wound (CS-624, CS-625)."""

_A_LEVEL = Fraction(1, 4)
_SEGMENTS_A_MINUTE = 60 // SECONDS_A_SEGMENT


def base_pot(msta: int, power: Number, grip: Grip = "one_handed") -> Fraction:
    """The exact POT of a body alone, by effective STR, or CRD for a Slash (CS-531 to CS-534, CS-537, CS-538)."""
    return (msta + Fraction(power)) * _GRIPS[grip][0]


def base_part(msta: int, power: Number, grip: Grip = "one_handed", using: Power = "STR") -> Part:
    """The body's part of a blow, rounded before anything is added (CS-536)."""
    _, grip_label, rule = _GRIPS[grip]
    label = f"(modified STA {msta} + {using} {_format_number(power)}){grip_label}"
    return Part(label, rhu(base_pot(msta, power, grip)), "CS-538" if using == "CRD" else rule)


def pot(base: Part, bonus: Number = 0, *, charge_mph: Number = 0, target_mph: Number = 0, drop_ft: Number = 0) -> Sum:
    """The POT of a melee or hurled blow, not yet rounded (CS-535).

    With the speeds of a charge (CS-539) and of a mover who runs into an Opportunity Action (CS-444, CS-540), and the
    feet from which the attacker drops on the target (CS-541). A pommel or the weapon hand has no bonus (CS-347).
    """
    parts = Sum((base,)).add("Damage Bonus", bonus, "CS-535").parts
    return Sum((*parts, *speed_parts(charge_mph=charge_mph, target_mph=target_mph, drop_ft=drop_ft)))


def speed_parts(*, charge_mph: Number = 0, target_mph: Number = 0, drop_ft: Number = 0) -> tuple[Part, ...]:
    """What movement adds to a blow: 1 for each mph, 2 for each 3 ft of a drop. For arguments see `pot`."""
    speeds = Sum(()).add("Charge in mph", charge_mph, "CS-539").add("target's speed in mph", target_mph, "CS-444")
    return speeds.add("2 for each 3 ft dropped", Fraction(2 * drop_ft) / 3, "CS-541").parts


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
    plain = Sum((Part(f"modified STA and {using}", base, "CS-551"),))
    parts = plain.add(f"x {float(multiplier):g}", base * Fraction(multiplier), "CS-551").parts
    return Sum((*parts, *speed_parts(charge_mph=charge_mph, target_mph=target_mph, drop_ft=drop_ft)))


def strike_wear(msta: int, power: Number, multiplier: Number, grip: Grip = "one_handed") -> int:
    """The wear of armour by a blow if damage is multiplied: the weapon's own share (CS-555)."""
    return rhu(base_pot(msta, power, grip) * Fraction(multiplier))


Standing: TypeAlias = Literal["landbound", "free_commoner", "wealthy_or_noble", "great_noble_or_royal"]


@frozen
class KnockBack:
    """A knock-back: feet by POT, feet up to a barrier, and those cut short by it."""

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
    stopped_ft = 0 if driven is None else driven.stopped
    return Sum((Part("POT", pot, "CS-560"),)).add("feet left at the barrier", stopped_ft, "CS-563")


def clothing_part(layers: int, *, armoured: bool, edged: bool, first: bool) -> Part | None:
    """What street clothes take from a blow, or None (CS-566)."""
    if armoured or not edged or not first or layers <= 0:
        return None
    return Part(f"{layers} layers of clothing ÷ 2", -rhu(Fraction(layers, 2)), "CS-566")


def clothing_layers(standing: Standing, season: Season) -> int:
    """The usual layers of clothing for a standing (CS-567)."""
    return cast("Mapping[Season, int]", formulas.table("clothing")[standing])[season]


Passage: TypeAlias = Literal["common", "thrust", "slash", "piercing_missile"]
"""The ways in which a blow meets armour."""


@frozen
class Blow:
    """A blow that has landed.

    `pot` is its whole POT, or Body Points of damage, rounded; `bonus` wears armour (CS-580). `first`: the target's
    first with an edge (CS-566). `barrier` is feet to something solid behind the target (CS-563), `room` to a combatant.
    `thrown` are feet by a rule of its own (CS-457).
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

    `layers` are outermost first, with a shield in the way before them (CS-597). `body_points` is their maximum, with
    that option; None to count wounds.
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
    """The options and readings that affect a blow (CS-577, CS-580, A-12)."""

    armour_wear: bool = False
    armour_grades: bool = False
    wt_rounding: WtRounding = "rhu"


@frozen
class Harm:
    """The effects of a blow, step by step.

    `effect` is POT plus the barrier, less clothing. `beyond` is what got through in excess of P-RES; None if that is
    unknown. `collapse` is the number of P-RES checks against death (CS-624).
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
    effect = pot_for_effect(blow.pot, driven)
    armoured = any(layer.family != "shield" for layer in target.layers)
    clothing = clothing_part(target.clothing, armoured=armoured, edged=blow.striking == "edge", first=blow.first)
    if clothing is not None:
        effect = Sum((*effect.parts, Part(clothing.label, max(clothing.value, -effect.total), clothing.rule)))
    at_armour = _at_armour(blow, target.layers, int(effect.total), readings)
    threshold = wound_threshold(target.msta, target.cnd, readings.wt_rounding)
    counts = threshold_counts(blow.striking, at_armour.breached)
    wounds, points_lost, level, collapse = _count_harm(target, at_armour.through, threshold, counts)
    beyond = None if target.pres is None else excess(at_armour.through, target.pres)
    return Harm(driven, effect, at_armour, threshold, counts, wounds, points_lost, level, beyond, collapse)


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


# Wounds, pain and collapse, and how they heal (CS-600 to CS-632, CS-660 to CS-670)


@frozen
class _Row:
    rank: int
    first: int
    bp_to: Fraction
    in_fight: Fraction
    after: Fraction


def wound_threshold(msta: int, cnd: int, rounding: WtRounding = "rhu") -> Number:
    """The Wound Threshold, (modified STA + CND) ÷ 8, at least 1 (CS-600, A-12)."""
    exact = Fraction(msta + cnd, 8)
    return max(1, rhu(exact) if rounding == "rhu" else exact)


def threshold_counts(struck_with: Striking, breached: bool) -> bool:
    """Whether only a blow above the Wound Threshold wounds: not an edge or point in flesh (CS-603, A-13)."""
    return struck_with == "blunt" or not breached


def wounds(through: Number, threshold: Number, counts: bool) -> int:
    """A blow's wounds: one for each whole Wound Threshold exceeded; 1 at least if that does not count (CS-601..603)."""
    if through <= 0:
        return 0
    many = ceil(Fraction(through) / Fraction(threshold)) - 1
    return many if counts else max(1, many)


def wound_marks(threshold: Number, last: int = 4) -> tuple[Number, ...]:
    """The POT to exceed for 1, 2, 3... wounds: the multiples of the threshold (CS-601, CS-602)."""
    return tuple(threshold * count for count in range(1, last + 1))


@cache
def level_of(count: int) -> Level:
    """The level of so many wounds (CS-620)."""
    return next((level for level in reversed(_LEVELS) if count >= _rows()[level].first), "none")


def boxes() -> tuple[tuple[str, int], ...]:
    """The levels with their numbers of boxes, and last the tenth wound by itself (CS-620, CS-624)."""
    first_boxes = [*(_rows()[level].first for level in _LEVELS), COLLAPSE_WOUNDS]
    sizes = ((level, after - first) for level, first, after in zip(_LEVELS, first_boxes, first_boxes[1:], strict=False))
    return (*sizes, ("tenth wound", 1))


def level_of_points(damage: int, most: int) -> Level:
    """The level of damage in Body Points; a boundary belongs to the lower level (CS-632, A-16)."""
    if most < 1:
        raise ValueError(f"can't have {most} Body Points; use 1 or more")
    if damage <= 0:
        return "none"
    share = Fraction(damage, most)
    ends = ((level, _rows()[level].bp_to) for level in _LEVELS)
    return next((level for level, end in ends if share <= end), "mortal")


def rank(level: Level) -> int:
    """The number of a level: 0 for none, Light 1 to Mortal 4."""
    return 0 if level == "none" else _rows()[level].rank


def strength_in_fight(
    strength: int, level: Level, *, rallied: bool = False, reading: Adrenaline = "str_loss_applies"
) -> Sum:
    """The exact STR left in the contest; rallying only helps the Grievous (CS-537, CS-621..623, CS-626, A-14)."""
    parts = [Part("STR", strength, "CS-537")]
    if level not in ("grievous", "mortal") or reading == "masks_all":
        return Sum(tuple(parts))
    if level == "grievous" and rallied:
        return Sum((*parts, Part("Grievous: rallied", 0, "CS-622")))
    rule = "CS-621" if level == "grievous" else "CS-623"
    return Sum((*parts, Part(f"{level.capitalize()} wounds", strength * (_rows()[level].in_fight - 1), rule)))


def strength_after(strength: int, level: Level, reading: AfterLoss = "linear") -> Sum:
    """The exact STR left after the contest, or at once when knocked out and roused (CS-627, A-14)."""
    parts = [Part("STR", strength, "CS-627")]
    if level != "none" and reading == "compound":
        loss = strength * (1 - (1 - _A_LEVEL) ** rank(level))
        parts.append(Part(f"{level.capitalize()}: a quarter of what is left, each level", -loss, "CS-627"))
    elif level != "none":
        parts.append(Part(f"{level.capitalize()}: a quarter a level", strength * (_rows()[level].after - 1), "CS-627"))
    return Sum(tuple(parts))


def rally_dv(count: int, scale: Progressive = "triangular") -> Sum:
    """The DV of the HRT check for full STR in one Action, when Grievous (CS-622)."""
    return Sum((Part(f"{count} wounds, Progressive", prog(count, scale), "CS-622"),))


def collapse_checks(before: int, after: int) -> int:
    """The number of P-RES checks against death after a blow (CS-624, CS-628, A-15).

    One for reaching or passing the tenth wound, and one for each wound after that.
    """
    if after <= before or after < COLLAPSE_WOUNDS:
        return 0
    if before < COLLAPSE_WOUNDS:
        return 1
    return after - before


def collapse_checks_by_points(before: int, after: int, most: int) -> int:
    """That number with Body Points: one if the blow spends the last or comes after that (A-15)."""
    return int(after > before and after >= most)


def segments_to_live(cnd: int) -> int:
    """The segments to live after surviving the tenth wound: CND minutes (CS-625)."""
    return cnd * _SEGMENTS_A_MINUTE


_LEVELS: tuple[Level, ...] = get_args(Level)[1:]


@cache
def _rows() -> Mapping[str, _Row]:
    return formulas.records(_Row, "wound_levels")


@frozen
class Stun:
    """A stun by pain: its exact penalty at first, and the segment of the blow."""

    base: Number
    segment: int

    def penalty(self, segment: int) -> int:
        """The rounded penalty in a segment: full until the one after the blow, then halved each time (CS-613, 616)."""
        if segment < self.segment:
            return 0
        return rhu(halve(self.base, max(0, segment - self.segment - 1)))

    @property
    def last_segment(self) -> int:
        """The last segment with a penalty; the one before the blow for a stun of 0."""
        last = self.segment - 1
        while self.penalty(last + 1) > 0:
            last += 1
        return last


def excess(through: int, pres: int) -> int:
    """By how much a blow exceeds P-RES, 0 or more, after clothing and armour, barrier included (CS-563, CS-610)."""
    return max(0, through - pres)


def pain_dv(beyond: int, scale: Progressive = "triangular") -> Sum:
    """The DV of the P-RES check against fainting and of the HRT check after it; none at 0 (CS-610, CS-612)."""
    return Sum((Part(f"{beyond} POT above P-RES, Progressive", prog(beyond, scale), "CS-610"),))


def stun(beyond: int, segment: int, *, managed: bool, scale: Progressive = "triangular") -> Stun:
    """The stun of a blow without fainting, halved if it is managed (CS-613, CS-614)."""
    full = prog(beyond, scale)
    return Stun(halve(full) if managed else full, segment)


def stun_penalty(stuns: Iterable[Stun], segment: int, reading: MultiStun = "sum") -> Sum:
    """The penalty of several stuns in a segment, each with its own decay (CS-618, A-50)."""
    parts = [Part(f"stun of segment {stun.segment}", stun.penalty(segment), "CS-613") for stun in stuns]
    penalties = sorted((part for part in parts if part.value), key=lambda part: part.value, reverse=True)
    return Sum(tuple(penalties[:1] if reading == "highest" else penalties))


def slowed_dv(dv: Number, penalty: int) -> Sum:
    """The DV from which the time of a task is taken when stunned (CS-613)."""
    return Sum((Part("DV of the task", dv, "CS-613"), Part("stun", penalty, "CS-613")))


Care: TypeAlias = Literal["none", "ordinary_days", "rest_and_healer", "very_skilled_healer"]
"""The care needed to heal at all."""

DAYS_A_WEEK = 7


@frozen
class Step:
    """The healing of one wound or Body Point: how many there were, the days it takes, the day after the fight."""

    before: int
    days: int
    day: int

    def on(self, fought: date) -> date:
        """The date on which it heals, by the date of the fight."""
        return fought + timedelta(days=self.day)


def care(level: Level) -> Care:
    """The care without which wounds do not heal, and Mortal ones kill (CS-661, CS-662, CS-669)."""
    by_level: Mapping[Level, Care] = {"none": "none", "light": "ordinary_days", "mortal": "very_skilled_healer"}
    return by_level.get(level, "rest_and_healer")


def days_for_wound(total: int, healer_sl: int = 0, before: int | None = None) -> int:
    """The days until the next wound heals, at least 1 (CS-663, CS-665, A-41).

    As many weeks as there are wounds, less 1 for each 4 levels of the healer. Below one week it is counted in days: 7,
    6, 5... By the reading `day_less`, a day less than for the wound before.
    """
    if total < 1:
        raise ValueError(f"no wounds to heal: {total}")
    if before is not None:
        return max(1, before - 1)
    weeks = total - healer_sl // 4
    return max(weeks * DAYS_A_WEEK, DAYS_A_WEEK - 1 + weeks, 1)


def days_for_point(damage: int, cnd: int, healer_sl: int = 0) -> int:
    """The days until the next Body Point heals, at least 1 (CS-666)."""
    if damage < 1:
        raise ValueError(f"no damage to heal: {damage}")
    return max(1, damage - cnd - healer_sl // 4)


def wound_plan(
    total: int, healer_sl: int = 0, from_day: int = 0, pace: HealingPace = "weeks", before: int | None = None
) -> tuple[Step, ...]:
    """The healing of each wound, from the fight on, or from the day of a strenuous act (CS-664, CS-667, A-41)."""
    days: list[int] = []
    for wounds_left in range(total, 0, -1):
        last = days[-1] if days else before
        days.append(days_for_wound(wounds_left, healer_sl, last if pace == "day_less" else None))
    return _steps(days, from_day)


def point_plan(damage: int, cnd: int, healer_sl: int = 0, from_day: int = 0) -> tuple[Step, ...]:
    """The healing of each Body Point; for arguments see `days_for_point` and `wound_plan` (CS-666)."""
    return _steps([days_for_point(left, cnd, healer_sl) for left in range(damage, 0, -1)], from_day)


def _steps(days: Sequence[int], from_day: int) -> tuple[Step, ...]:
    ends = accumulate(days, initial=from_day)
    next(ends)
    return tuple(Step(len(days) - place, each, end) for place, (each, end) in enumerate(zip(days, ends, strict=True)))


def recovery_factor(level: Level) -> int:
    """The factor on the time in which END returns: doubled for each level (CS-660, M-26)."""
    return 1 << rank(level)


def wounds_from_moving(feet: Number, str_modifier: int, cnd_modifier: int) -> int:
    """The wounds that the Mortally wounded add by moving so far without help (CS-670)."""
    return max(0, floor(feet / max(1, str_modifier + cnd_modifier)))
