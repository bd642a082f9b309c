"""The effects of a blow that has landed, as one visible chain (section 4.1).

POT, knock-back, clothing and armour, wear, wounds or Body Points, then checks, each as a question.
"""

from __future__ import annotations

from fightcall_engine.board.base import Location
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.rulings import whole
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.injury import knock_back, wound_effects
from fightcall_engine.systems.segments.rules import hits
from fightcall_engine.systems.segments.rules.armour import Layer, shield_layer
from fightcall_engine.systems.segments.rules.hits import KnockBack, Passage, knock_back_of
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, rhu
from fightcall_engine.systems.segments.rules.wounds import Striking
from fightcall_engine.systems.segments.state import commands, harm_events, health, rolls, worn_armour
from fightcall_engine.systems.segments.state.blows import STRIKINGS
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

MOST_POT = 9999


# The chain


def apply_blow(
    decision: Decision,
    force: Force,
    combatant_id: str,
    by: str = "",
    *,
    barrier: int | None = None,
    shields: tuple[Layer, ...] = (),
    feet_by_gm: int | None = None,
) -> int:
    """Apply a blow that lands: the whole chain (CS-530 to CS-632).

    Args:
        decision: the decision.
        force: the force of the blow.
        combatant_id: the victim.
        by: the id of who dealt it; empty for a fall, a trap and the like.
        barrier: feet to something solid behind the victim, by GM ruling; None for what the board shows.
        shields: the shield in the way, if any.
        feet_by_gm: feet thrown by a rule of its own, which also decides who keeps their feet (CS-457, CS-463).

    Returns:
        The POT that got through.
    """
    target = decision.state.combatants[combatant_id]
    decision.emit(
        harm_events.BlowLanded(
            who=combatant_id, attacker=by, pot=force.pot, struck=force.struck, passage=force.passage, bonus=force.bonus,
            parts=force_parts(force),
        )
    )  # fmt: skip
    feet = driven_feet(target, force.pot) if feet_by_gm is None else feet_by_gm
    way = way_for(decision.state, target, by, feet, barrier)
    result = hits.harm(
        _ruled_blow(force, target, way, feet_by_gm), _target(decision.state, target, shields), _options(decision.state)
    )
    if result.driven is not None:
        knock_back.knock_back(
            decision, combatant_id, by, result.driven, way, knock_back.parts_of(force.pot, target, feet_by_gm)
        )
    _emit_armour(decision, combatant_id, result, shields)
    _emit_threshold(decision, combatant_id, result)
    wound_effects.emit_harm(decision, combatant_id, result.wounds, result.lost, by)
    _ask_checks(decision, combatant_id, result, way, target.at, feet_by_gm is None)
    return result.met.through


def driven_feet(target: Combatant, force: int) -> int:
    """Feet that a blow's POT drives a combatant back, or 0 (CS-560)."""
    driven = knock_back_of(force, profile_of(target).msta)
    return 0 if driven is None else driven.feet


def way_for(state: FightState, target: Combatant, by: str, feet: int, barrier: int | None) -> knock_back.Way:
    """The way back for so many feet: by the board, with a barrier by GM ruling (CS-563)."""
    if feet <= 0:
        return knock_back.Way()
    way = knock_back.way_back(state, target, by, feet)
    if barrier is None:
        return way
    return knock_back.Way(way.places, way.feet, barrier, way.against or "a barrier")


def _ruled_blow(force: Force, target: Combatant, way: knock_back.Way, feet_by_gm: int | None) -> hits.Blow:
    return hits.Blow(
        pot=force.pot,
        striking=force.struck,
        passage=force.passage,
        bonus=force.bonus,
        in_short=force.in_short,
        first=not fighter_of(target).clothes_cut,
        barrier=way.barrier,
        room=way.room,
        thrown=feet_by_gm,
    )


def _target(state: FightState, combatant: Combatant, shields: tuple[Layer, ...]) -> hits.Target:
    return hits.Target(
        msta=profile_of(combatant).msta,
        cnd=profile_of(combatant).scores.cnd,
        pres=wound_effects.bearable_pot(combatant),
        layers=(*shields, *worn_armour.worn_by(combatant)),
        clothing=worn_armour.clothing_of(state, combatant),
        wounds=health.wounds_of(combatant),
        damage=health.damage_of(combatant),
        body_points=health.body_points(state, combatant),
    )


def _options(state: FightState) -> hits.Options:
    settings = settings_of(state)
    return hits.Options(
        armour_wear=settings.armour_wear,
        armour_grades=settings.armour_grades,
        wt_rounding=wound_effects.rounding_of(state),
    )


def _emit_armour(decision: Decision, combatant_id: str, result: hits.Harm, shields: tuple[Layer, ...]) -> None:
    """CS-566, CS-570: emit what clothing and armour took, and their wear."""
    clothes = [part for part in result.effect.parts if part.rule == "CS-566"]
    parts = (*result.effect.parts, *result.met.sum.parts[1:])
    before = sum(part.value for part in result.effect.parts if part.rule != "CS-566")
    decision.emit(
        harm_events.ArmourApplied(
            who=combatant_id,
            traits={"clothes_cut": True} if clothes else {},
            pot_in=int(before),
            dr=int(before) - result.met.through,
            out=result.met.through,
            parts=rolls.parts_of(Sum(tuple(parts))),
        )
    )
    worn_armour.emit_wear(decision, combatant_id, result.met.worn, result.met.layers, bool(shields))


def _emit_threshold(decision: Decision, combatant_id: str, harm: hits.Harm) -> None:
    """CS-600 to CS-603: emit what got through and the Wound Threshold; nothing if Body Points are counted."""
    combatant = decision.state.combatants[combatant_id]
    if harm.met.through <= 0 or health.body_points(decision.state, combatant) is not None:
        return
    decision.emit(
        harm_events.WoundsReckoned(
            who=combatant_id, through=harm.met.through, threshold=float(harm.threshold), counts=harm.threshold_counts,
            wounds=harm.wounds, parts=wound_effects.wound_parts(combatant, harm),
        )
    )  # fmt: skip


def _ask_checks(
    decision: Decision,
    combatant_id: str,
    result: hits.Harm,
    way: knock_back.Way,
    start: Location | None,
    feet: bool,
) -> None:
    """CS-562, CS-610, CS-619: ask about footing and pain; not of those who collapse with the tenth wound."""
    combatant = decision.state.combatants[combatant_id]
    if result.collapse:
        return
    driven: KnockBack | None = result.driven
    if driven is not None and feet and driven.moved > 0:
        decision.spawn(knock_back.keep_feet_after, combatant_id, driven.moved, "back", start)
    decision.spawn(wound_effects.suffer_pain, combatant_id, result.met.through)
    if driven is not None and driven.stopped and combatant.able:
        decision.spawn(wound_effects.ask_barrier, combatant, way.against or "a barrier")


def parse_pot(value: int | str | None) -> int:
    """A typed POT.

    Raises:
        Refused: it is not one.
    """
    return whole("CS-530", value, 0, "POT", most=MOST_POT)


@handles(commands.LandBlow)
def decide_blow(decision: Decision, command: commands.LandBlow) -> None:
    """CS-530: apply a blow that is no attack of this fight: a fall, a trap, a falling beam, magick.

    Raises:
        Refused: it is not a valid blow.
    """
    state = decision.state
    combatant = decision.combatant(command.who)
    by = decision.combatant(command.by).id if command.by else ""
    if command.struck not in STRIKINGS:
        raise Refused("CS-603", f"unknown part of a weapon: {command.struck!r}", STRIKINGS, final=True)
    if command.passage not in PASSAGES:
        raise Refused("CS-574", f"unknown way through armour: {command.passage!r}", PASSAGES, final=True)
    slash = command.passage == "slash" and not settings_of(state).armour_wear
    if slash:
        raise Refused("CS-590", "a Slash needs the option armour_wear", ("common",), final=True)
    worn_armour.check_chosen(combatant, command.shield)
    total = Sum((Part(command.reason or "POT set by the GM", parse_pot(command.pot), "CS-530"),))
    force = Force(total, command.struck, command.passage, max(0, command.bonus), command.in_short)  # type: ignore[arg-type]
    shields = shield_layer(worn_armour.shield_of(combatant), failed_block=False, in_way_by_gm=command.shield)
    apply_blow(decision, force, combatant.id, by, barrier=parse_barrier(command.barrier), shields=shields)


PASSAGES = ("common", "thrust", "slash", "piercing_missile")
"""The ways in which a blow can meet armour."""


def parse_barrier(value: int | None) -> int | None:
    """Typed feet to something solid, or None.

    Raises:
        Refused: they are not valid.
    """
    return None if value is None else whole("CS-563", value, 0, "distance to a barrier", most=MOST_POT)


@frozen
class Force:
    """A blow as it lands.

    Attributes:
        total: its POT, or Body Points of damage, with all parts.
        struck: edge, point or blunt.
        passage: how it meets armour.
        bonus: the part that wears armour (CS-580, CS-555).
        in_short: whether it is a missile at point-blank or short range (CS-577).
    """

    total: Sum
    struck: Striking = "edge"
    passage: Passage = "common"
    bonus: int = 0
    in_short: bool = False

    @property
    def pot(self) -> int:
        """The POT, rounded once, at least 0."""
        return max(0, rhu(self.total.total))


def force_parts(force: Force) -> rolls.Parts:
    """The parts of a POT for events."""
    return rolls.parts_of(force.total)
