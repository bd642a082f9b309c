"""One blow from landing to the checks it asks, in the order in which a GM is shown it (section 4.1, hit chain).

The harm of a blow depends on no roll after the hit: the checks only tell whether he falls, faints, is stunned or dies.
So all of it is reckoned here at once, each step with its sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fightcall_engine.systems.segments.formulas.armour import (
    USUAL,
    Layer,
    Met,
    Readings,
    common_strike,
    piercing_missile,
    slash,
    thrust,
)
from fightcall_engine.systems.segments.formulas.checks import Progressive
from fightcall_engine.systems.segments.formulas.knock_back import (
    KnockBack,
    clothing_part,
    keep_feet_dv,
    knock_back,
    pot_for_effect,
)
from fightcall_engine.systems.segments.formulas.pain import excess, pain_dv
from fightcall_engine.systems.segments.formulas.rounding import Number
from fightcall_engine.systems.segments.formulas.sums import Part, Sum
from fightcall_engine.systems.segments.formulas.wounds import (
    BeyondTenth,
    Boundary,
    EdgeThreshold,
    Level,
    Striking,
    WtRounding,
    collapse_checks,
    collapse_checks_by_points,
    level_of,
    level_of_points,
    threshold_counts,
    wound_threshold,
    wounds,
)

Passage: TypeAlias = Literal["common", "thrust", "slash", "piercing_missile"]
"""How a blow goes at armour."""


@dataclass(frozen=True, slots=True)
class Blow:
    """A blow that has landed.

    Attributes:
        pot: its whole POT, or Body Points of damage, rounded.
        striking: edge, point or blunt.
        passage: how it goes at armour.
        bonus: Damage Bonus or multiplied share of the weapon, which wears armour (CS-580).
        in_short: a missile from point-blank or short range (CS-577).
        first: the first blow with an edge that this target takes (CS-566).
        barrier: feet to something solid behind the target; None for open ground (CS-563).
        room: feet to somebody who stands in the way; None for nobody.
        thrown: feet that it throws the target by a rule of its own (CS-457); None for what its POT comes to.
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


@dataclass(frozen=True, slots=True)
class Target:
    """Of the one who is hit, what counts.

    Attributes:
        msta: modified STA.
        cnd: CND score.
        pres: P-RES; None where the GM must say.
        layers: armour, outermost first, with a shield in the way before it (CS-597).
        clothing: layers of street clothes.
        wounds: wounds so far.
        damage: Body Points lost so far.
        body_points: all Body Points, with the option `body_points`; None to count wounds.
    """

    msta: int
    cnd: int
    pres: int | None = None
    layers: tuple[Layer, ...] = ()
    clothing: int = 0
    wounds: int = 0
    damage: int = 0
    body_points: int | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """The options and readings that have a part in it.

    Attributes:
        armour_wear: layers wear (CS-580).
        armour_grades: Proof armour is not pierced (CS-577).
        wt_rounding: whether the Wound Threshold is rounded (A-12).
        progressive: the Progressive scale in use (R-4).
        armour: what armour does, where the text leaves it open (A-29 to A-31).
        edge_threshold: whether the Wound Threshold counts against an edge in flesh (A-13).
        beyond_tenth: what wounds beyond the tenth ask (A-15).
        boundary: which level the boundary of two is (A-16).
    """

    armour_wear: bool = False
    armour_grades: bool = False
    wt_rounding: WtRounding = "rhu"
    progressive: Progressive = "triangular"
    armour: Readings = USUAL
    edge_threshold: EdgeThreshold = "first_point"
    beyond_tenth: BeyondTenth = "each"
    boundary: Boundary = "lower"


@dataclass(frozen=True, slots=True)
class Harm:
    """What a blow does, step by step.

    Attributes:
        driven: the knock-back; None without one.
        keep_feet: DV of the AGL check to keep his feet; None where he is not moved.
        effect: POT with what a barrier adds and clothing takes.
        met: what armour took of it, and what became of the armour.
        threshold: the Wound Threshold, and whether it counted against this blow.
        threshold_counts: whether it did.
        wounds: wounds made; 0 with Body Points.
        lost: Body Points lost; 0 without them.
        level: the level of wounding after it.
        beyond: POT through beyond P-RES; None where P-RES is not known.
        pain: DV of the P-RES check, and of the HRT check after it; None where none is asked or P-RES is not known.
        collapse: P-RES checks against death (CS-624).
    """

    driven: KnockBack | None
    keep_feet: Sum | None
    effect: Sum
    met: Met
    threshold: Number
    threshold_counts: bool
    wounds: int
    lost: int
    level: Level
    beyond: int | None
    pain: Sum | None
    collapse: int


def harm(blow: Blow, target: Target, options: Options | None = None) -> Harm:
    """Return what a blow does to its target (CS-560 to CS-632).

    Args:
        blow: the blow.
        target: who takes it.
        options: the options and readings of the fight; all defaults where it is left out.

    Raises:
        ValueError: a Slash without the option `armour_wear`, which it needs (CS-590).
    """
    chosen = options or Options()
    if blow.thrown is None:
        driven = knock_back(blow.pot, target.msta, blow.barrier, blow.room)
    else:
        driven = knock_back(blow.thrown, 0, blow.barrier, blow.room)
    keep_feet = keep_feet_dv(driven.moved, chosen.progressive) if driven and driven.moved else None
    effect = _after_clothing(blow, target, pot_for_effect(blow.pot, driven))
    met = _at_armour(blow, target.layers, int(effect.total), chosen)
    threshold = wound_threshold(target.msta, target.cnd, chosen.wt_rounding)
    counts = threshold_counts(blow.striking, met.breached, chosen.edge_threshold)
    made, lost, level, collapse = _count_harm(target, met.through, threshold, counts, chosen)
    beyond = None if target.pres is None else excess(met.through, target.pres)
    pain = pain_dv(beyond, chosen.progressive) if beyond else None
    return Harm(driven, keep_feet, effect, met, threshold, counts, made, lost, level, beyond, pain, collapse)


def _after_clothing(blow: Blow, target: Target, effect: Sum) -> Sum:
    armoured = any(layer.family != "shield" for layer in target.layers)
    saved = clothing_part(target.clothing, armoured=armoured, edged=blow.striking == "edge", first=blow.first)
    if saved is None:
        return effect
    return Sum((*effect.parts, Part(saved.label, max(saved.value, -effect.total), saved.rule)))


def _at_armour(blow: Blow, layers: Sequence[Layer], pot: int, options: Options) -> Met:
    wear = blow.bonus if options.armour_wear else None
    if blow.passage == "slash":
        if not options.armour_wear:
            raise ValueError("a Slash needs the option armour_wear (CS-590); a common strike is always possible")
        return slash(layers, pot, options.armour)
    if blow.passage == "piercing_missile":
        return piercing_missile(
            layers, pot, in_short=blow.in_short, graded=options.armour_grades, wear=wear, readings=options.armour
        )
    through = thrust if blow.passage == "thrust" else common_strike
    return through(layers, pot, wear, options.armour)


def _count_harm(
    target: Target, through: int, threshold: Number, counts: bool, options: Options
) -> tuple[int, int, Level, int]:
    if target.body_points is not None:
        damage = target.damage + through
        checks = collapse_checks_by_points(target.damage, damage, target.body_points, options.beyond_tenth)
        return 0, through, level_of_points(damage, target.body_points, options.boundary), checks
    made = wounds(through, threshold, counts)
    total = target.wounds + made
    return made, 0, level_of(total), collapse_checks(target.wounds, total, options.beyond_tenth)
