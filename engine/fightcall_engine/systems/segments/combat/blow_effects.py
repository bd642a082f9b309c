"""The effects of a blow that has landed, as one visible chain, and knock-back (CS-530 to CS-603)."""

from __future__ import annotations

from itertools import pairwise
from math import ceil

from fightcall_engine.board.base import Location
from fightcall_engine.kit.contacts import contact_events
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for, whole
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.combat import wound_effects
from fightcall_engine.systems.segments.rules import wounds
from fightcall_engine.systems.segments.rules.gear import Layer, shield_layer
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, exact, rhu
from fightcall_engine.systems.segments.rules.wounds import KnockBack, Passage, Striking, knock_back_of
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    events,
    harm_events,
    items,
    paths,
    places,
    queries,
    rolls,
)
from fightcall_engine.systems.segments.state.records import fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import FeetCheck
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.weapon_uses import STRIKINGS

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
    """Apply a blow that lands, the whole chain, and return the POT that got through (CS-530 to CS-632).

    `by` dealt it; empty for a fall, a trap and the like. The GM may rule the feet to a barrier. `feet_by_gm` are feet
    thrown by a rule of its own, which also decides who keeps their feet (CS-457, CS-463).
    """
    target = decision.state.combatants[combatant_id]
    decision.emit(
        harm_events.BlowLanded(
            who=combatant_id, attacker=by, pot=force.pot, struck=force.struck, passage=force.passage, bonus=force.bonus,
            parts=_force_parts(force),
        )
    )  # fmt: skip
    feet = _driven_feet(target, force.pot) if feet_by_gm is None else feet_by_gm
    way = way_for(decision.state, target, by, feet, barrier)
    result = wounds.harm(
        _ruled_blow(force, target, way, feet_by_gm), _target(decision.state, target, shields), _options(decision.state)
    )
    if result.driven is not None:
        knock_back(decision, combatant_id, by, result.driven, way, parts_of(force.pot, target, feet_by_gm))
    _emit_armour(decision, combatant_id, result, shields)
    _emit_threshold(decision, combatant_id, result)
    wound_effects.emit_harm(decision, combatant_id, result.wounds, result.lost, by)
    _ask_checks(decision, combatant_id, result, way, target.at, feet_by_gm is None)
    return result.met.through


def _driven_feet(target: Combatant, force: int) -> int:
    """Feet that a blow's POT drives a combatant back, or 0 (CS-560)."""
    driven = knock_back_of(force, profile_of(target).msta)
    return 0 if driven is None else driven.feet


def way_for(state: FightState, target: Combatant, by: str, feet: int, barrier: int | None) -> Way:
    """The way back for so many feet: by the board, with a barrier by GM ruling (CS-563)."""
    if feet <= 0:
        return Way()
    way = way_back(state, target, by, feet)
    if barrier is None:
        return way
    return Way(way.places, way.feet, barrier, way.against or "a barrier")


def _ruled_blow(force: Force, target: Combatant, way: Way, feet_by_gm: int | None) -> wounds.Blow:
    return wounds.Blow(
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


def _target(state: FightState, combatant: Combatant, shields: tuple[Layer, ...]) -> wounds.Target:
    return wounds.Target(
        msta=profile_of(combatant).msta,
        cnd=profile_of(combatant).scores.cnd,
        pres=wound_effects.bearable_pot(combatant),
        layers=(*shields, *items.worn_by(combatant)),
        clothing=items.clothing_of(state, combatant),
        wounds=condition.wounds_of(combatant),
        damage=condition.damage_of(combatant),
        body_points=condition.body_points(state, combatant),
    )


def _options(state: FightState) -> wounds.Options:
    settings = settings_of(state)
    return wounds.Options(
        armour_wear=settings.armour_wear,
        armour_grades=settings.armour_grades,
        wt_rounding=wound_effects.rounding_of(state),
    )


def _emit_armour(decision: Decision, combatant_id: str, result: wounds.Harm, shields: tuple[Layer, ...]) -> None:
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
    items.emit_wear(decision, combatant_id, result.met.worn, result.met.layers, bool(shields))


def _emit_threshold(decision: Decision, combatant_id: str, harm: wounds.Harm) -> None:
    """CS-600 to CS-603: emit what got through and the Wound Threshold; nothing if Body Points are counted."""
    combatant = decision.state.combatants[combatant_id]
    if harm.met.through <= 0 or condition.body_points(decision.state, combatant) is not None:
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
    result: wounds.Harm,
    way: Way,
    start: Location | None,
    feet: bool,
) -> None:
    """CS-562, CS-610, CS-619: ask about footing and pain; not of those who collapse with the tenth wound."""
    combatant = decision.state.combatants[combatant_id]
    if result.collapse:
        return
    driven: KnockBack | None = result.driven
    if driven is not None and feet and driven.moved > 0:
        decision.spawn(_keep_feet_after, combatant_id, driven.moved, "back", start)
    decision.spawn(wound_effects.suffer_pain, combatant_id, result.met.through)
    if driven is not None and driven.stopped and combatant.able:
        decision.spawn(wound_effects.ask_barrier, combatant, way.against or "a barrier")


def parse_pot(value: int | str | None) -> int:
    """A typed POT, or Refused."""
    return whole("CS-530", value, 0, "POT", most=MOST_POT)


@handles(commands.LandBlow)
def decide_blow(decision: Decision, command: commands.LandBlow) -> None:
    """CS-530: apply a blow that is no attack of this fight: a fall, a trap, a falling beam, magick."""
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
    items.check_chosen(combatant, command.shield)
    total = Sum((Part(command.reason or "POT set by the GM", parse_pot(command.pot), "CS-530"),))
    force = Force(total, command.struck, command.passage, max(0, command.bonus), command.in_short)  # type: ignore[arg-type]
    shields = shield_layer(items.shield_of(combatant), failed_block=False, in_way_by_gm=command.shield)
    apply_blow(decision, force, combatant.id, by, barrier=_parse_barrier(command.barrier), shields=shields)


PASSAGES = ("common", "thrust", "slash", "piercing_missile")
"""The ways in which a blow can meet armour."""


def _parse_barrier(value: int | None) -> int | None:
    """Typed feet to something solid, or None."""
    return None if value is None else whole("CS-563", value, 0, "distance to a barrier", most=MOST_POT)


@frozen
class Force:
    """A blow as it lands: POT or Body Points of damage; `bonus` is the part that wears armour (CS-555, CS-580)."""

    total: Sum
    struck: Striking = "edge"
    passage: Passage = "common"
    bonus: int = 0
    in_short: bool = False

    @property
    def pot(self) -> int:
        """The POT, rounded once, at least 0."""
        return max(0, rhu(self.total.total))


def _force_parts(force: Force) -> rolls.Parts:
    return rolls.parts_of(force.total)


# Knock-back


CHECK, FALL, NOTHING = "check", "fall", "nothing"


@frozen
class Way:
    """The straight way back from a blow, on the board.

    `places` are free ones, nearest first, as far as the blow can drive the victim; `feet` those to each of them and to
    the place that ends the way (L357). `barrier` is feet to something solid, whose name is `against`; `room` feet to a
    combatant.
    """

    places: tuple[Location, ...] = ()
    feet: tuple[float, ...] = ()
    barrier: int | None = None
    against: str = ""
    room: int | None = None
    person: str = ""

    def places_within(self, feet: int) -> int:
        """Return how many places so many feet lead, to the nearest whole one (CS-564)."""
        return sum(near + far <= 2 * feet for near, far in pairwise((0.0, *self.feet)))


def way_back(state: FightState, combatant: Combatant, by: str, feet: int) -> Way:
    """What lies straight behind a combatant, seen from the attacker; nothing without a board (CS-563, CS-564).

    Ground that cannot be entered is a barrier. A combatant in the way is none, but ends the way, as does the edge of
    the map.
    """
    board, other = state.board, state.combatants.get(by)
    here, there = combatant.at, None if other is None else other.at
    if board is None or board.cell is None or isinstance(here, str | None) or isinstance(there, str | None):
        return Way()
    step = places.feet_per_place(state.board)
    count = ceil(feet / step)
    times = ceil((count + 1) / max(1, board.distance(there, here)))
    aim = board.cell(here[0] + times * (here[0] - there[0]), here[1] + times * (here[1] - there[1]))
    free: list[Location] = []
    feet_to: list[float] = []
    for before, place in pairwise(board.line(here, aim)[: count + 1]):
        walked = feet_to[-1] if feet_to else 0.0
        if walked >= feet:
            break
        feet_to.append(walked + round(float(step) * board.length(before, place) / board.scale, 3))
        if not board.contains(place):
            return Way(tuple(free), tuple(feet_to), None, "the edge of the map")
        if board.cost_of(place) is None:
            return Way(tuple(free), tuple(feet_to), rhu(exact(walked)), board.terrain_at(place).name)
        stander = state.standing_at(place)
        if stander is not None and stander != combatant.id:
            name = state.combatants[stander].name
            return Way(tuple(free), tuple(feet_to), None, name, rhu(exact(walked)), stander)
        free.append(place)
    return Way(tuple(free), tuple(feet_to))


# Effects


def parts_of(force: int, target: Combatant, feet_by_gm: int | None = None) -> rolls.Parts:
    """The parts of knock-back: POT beyond modified STA; none if another rule gives the feet (CS-560)."""
    if feet_by_gm is not None:
        return ()
    return rolls.parts_of(Sum((Part("POT", force, "CS-561"), Part("modified STA", -profile_of(target).msta, "CS-560"))))


def knock_back(
    decision: Decision, combatant_id: str, by: str, driven: KnockBack, way: Way, parts: rolls.Parts = ()
) -> None:
    """CS-560: drive a combatant back, on the board as far as the way is free."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    count = min(len(way.places), way.places_within(driven.moved))
    at = way.places[count - 1] if count else combatant.at
    stopped_by = way.against if driven.stopped or count < way.places_within(driven.feet) else ""
    contacts = contact_events(state, combatant_id, at) if at != combatant.at else ()
    decision.emit(
        harm_events.KnockedBack(
            who=combatant_id,
            before=combatant.at,
            at=at,
            feet=driven.feet,
            moved=driven.moved,
            barrier=driven.stopped,
            stopped_at=stopped_by or ("a barrier" if driven.stopped else ""),
            by=by,
            parts=parts,
        ),
        *contacts,
    )
    if at != combatant.at:
        _drop_plans(decision, combatant_id)
    feet_left = driven.feet - driven.moved - driven.stopped
    if way.person and feet_left > 0:
        decision.spawn(_run_into, combatant_id, way.person, feet_left, driven.moved > 0)


def _run_into(decision: Decision, combatant_id: str, other_id: str, feet_left: int, has_moved: bool) -> None:
    """Ask what comes of it if a combatant is driven into another, which the text does not say (L2821-2833).

    A victim that has been driven some way keeps its feet or not for that (CS-562).
    """
    state = decision.state
    combatant, other = state.combatants[combatant_id], state.combatants[other_id]
    checks = other.name if has_moved else f"{combatant.name} and {other.name}"
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="run_into",
            question=f"{combatant.name} is driven into {other.name} with {feet_left} ft left. What happens?",
            rule="CS-562",
            choices=choices(
                f"{CHECK}:{checks} must keep their feet against {feet_left} ft", f"{FALL}:both fall",
                f"{NOTHING}:nothing",
            ),
            default=CHECK,
            about=(other_id,),
        )
    )  # fmt: skip
    if answer is None or answer.choice == NOTHING:
        return
    for each in (other_id,) if answer.choice == CHECK and has_moved else (combatant_id, other_id):
        combatant = decision.state.combatants[each]
        if answer.choice == CHECK:
            decision.spawn(_keep_feet_after, each, feet_left, "run into")
        elif combatant.able and fighter_of(combatant).posture != queries.PRONE:
            decision.emit(harm_events.Fell(who=each, traits={"posture": queries.PRONE}, posture=queries.PRONE))


def _drop_plans(decision: Decision, combatant_id: str) -> None:
    state = decision.state
    combatant = state.combatants[combatant_id]
    if fighter_of(combatant).plan:
        decision.emit(events.WayPlanned(who=combatant_id, traits=paths.NO_WAY, feet=0.0, mph=0.0))
    decision.emit(*queries.set_traits(decision.state.combatants[combatant_id], carry=0.0, rest=0.0))
    decision.emit(*places.drop_lost_pairs(decision.state))


def _keep_feet_after(
    decision: Decision, combatant_id: str, feet: int, how: str = "back", start: Location | None = None
) -> None:
    """CS-562: make the AGL check to stay upright after being driven so many feet.

    The way from `start` is drawn while the question is open.
    """
    state = decision.state
    combatant, board = state.combatants[combatant_id], state.board
    total = condition.value_of(state, combatant, "AGL", "CS-562")
    dv = condition.dv_of(state, lambda scale: wounds.keep_feet_dv(feet, scale))
    is_elsewhere = board is not None and start is not None and start != combatant.at
    start_name = board.name_of(start) if board is not None and start is not None and is_elsewhere else ""
    keep_feet(decision, combatant_id, total, dv, "CS-562", f"stays up, {feet} ft {how}", start_name)


def keep_feet(
    decision: Decision, combatant_id: str, total: Sum, dv: Sum | None, rule: str, words: str, start: str = ""
) -> None:
    """Make the AGL check to stay upright, unless the combatant is down or lying (CS-461, CS-463, CS-562)."""
    combatant = decision.state.combatants[combatant_id]
    if not combatant.able or fighter_of(combatant).posture == queries.PRONE:
        return
    difficulty = condition.describe_difficulty(condition.rounded_or_none(dv))
    question = f"{combatant.name} {words}: AGL {rolls.rounded(total)}{difficulty}"
    check = FeetCheck(start=start)
    verdict = rolls.make_check(decision, combatant_id, "AGL", total, dv, rule, question, owed=True, asked=check)
    if verdict is None or verdict.ok or fighter_of(decision.state.combatants[combatant_id]).posture == queries.PRONE:
        return
    decision.emit(harm_events.Fell(who=combatant_id, traits={"posture": queries.PRONE}, posture=queries.PRONE))


def knocked_back_paths(state: FightState) -> tuple[tuple[Combatant, tuple[Location, ...]], ...]:
    """Combatants who have just been driven back, and the places from their old to their new one."""
    board = state.board
    crossings = []
    for prompt in state.prompts if board is not None else ():
        combatant, check = state.combatants.get(prompt.who), prompt.resume
        if board is None or combatant is None or combatant.at is None or not isinstance(check, FeetCheck):
            continue
        if check.start:
            crossings.append((combatant, board.line(board.parse(check.start), combatant.at)[:-1]))
    return tuple(crossings)
