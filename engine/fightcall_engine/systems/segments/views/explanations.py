"""Explanations of numbers in Combat Segments, with their rules."""

from __future__ import annotations

from fractions import Fraction

from fightcall_engine.kit.views import Trail, TrailPart, Trails
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.actions import surprises
from fightcall_engine.systems.segments.combat import attack_values, defences, shots, strikes
from fightcall_engine.systems.segments.positions import ways
from fightcall_engine.systems.segments.round import order, steps
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION, distance_share, quarters
from fightcall_engine.systems.segments.state import (
    commands,
    health,
    items,
    pieces,
    progress,
    queries,
    relations,
    rolls,
    scores,
    small_acts,
    surprise_limits,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.action import ATTACKS, action_of, targets_of
from fightcall_engine.systems.segments.state.battle import Blow, battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.views import harm_cards, marks

_DEGREES = {queries.READY: "CS-057", queries.CHECKED: "CS-058", queries.OVERWHELMED: "CS-059", queries.WANING: "CS-068"}


# Surprise


def surprise_trail(combatant: Combatant) -> tuple[TrailPart, ...]:
    """The parts of a combatant's Surprise, and how long it lasts."""
    degree = surprise_limits.degree_of(combatant)
    if degree == queries.NONE:
        return ()
    parts = [
        TrailPart(degree, f"since Segment {fighter_of(combatant).surprise_launch}", _DEGREES.get(degree, "CS-059")),
        TrailPart("to the end of", f"Segment {fighter_of(combatant).surprise_until}", "CS-060"),
    ]
    penalty = surprise_limits.penalty_of(combatant, defensive=True)
    if penalty:
        is_waning = surprise_limits.is_waning(combatant)
        whose = "off every AV" if is_waning else "off defences and noticing"
        parts.append(TrailPart(whose, f"-{penalty}", "CS-068" if is_waning else "CS-061"))
    return tuple(parts)


# Objects


def _struggled_things(state: FightState, combatant: Combatant) -> Trail:
    """The objects a combatant holds, and with whom it struggles for them (CS-200, CS-203)."""
    names = items.things_held_by(state, combatant.id)
    parts = [TrailPart(name, "in hand", "CS-200") for name in names]
    for going_on in items.struggles_of(state):
        if combatant.id in going_on.all_hands:
            others = ", ".join(
                state.combatants[combatant_id].name
                for combatant_id in going_on.all_hands
                if combatant_id != combatant.id
            )
            parts.append(TrailPart(f"{going_on.thing}, with {others}", f"segment {going_on.due}", "CS-203"))
    return Trail("things", ", ".join(names) or "nothing", tuple(parts))


STRUGGLE_TRAILS: Trails = {"things": _struggled_things}
"""The explanations about objects in play."""


def _initiative(state: FightState, combatant: Combatant) -> Trail:
    total, die = queries.initiative_of(combatant), fighter_of(combatant).d10
    if total is None:
        return Trail("initiative", "not rolled", (TrailPart("d10 + AWA + HRT modifiers", "", "CS-021"),))
    parts: tuple[TrailPart, ...] = (TrailPart("the GM's ruling", str(total), "CS-021"),)
    if isinstance(die, int) and 1 <= die <= 10:
        parts = rolls.trail_of("initiative", str(total), order.initiative_sum(state, combatant, die)).parts
    if battle_of(state).first == combatant.id:
        parts = (*parts, TrailPart("started the contest: declares first", "", "CS-072"))
    return Trail("initiative", str(total), parts)


def _slots(state: FightState, combatant: Combatant) -> Trail:
    slots_by_gm = fighter_of(combatant).slots_ruled
    parts = [
        TrailPart("Rate of Action", str(queries.rate_of_action(combatant)), "CS-007"),
        TrailPart("segment since joining", str(queries.own_segment(state, combatant)), "CS-007"),
    ]
    if slots_by_gm is not None:
        parts.append(TrailPart("the GM's ruling", str(slots_by_gm), "CS-007"))
    gone = queries.actions_owed(combatant) - queries.slots_left(combatant)
    parts += [TrailPart("used or lost", f"-{gone}", "CS-098")] if gone else []
    return Trail("slots", f"{queries.slots_left(combatant)} of {queries.actions_owed(combatant)}", tuple(parts))


def _feet(state: FightState, combatant: Combatant) -> Trail:
    partial = ways.partial_moves(state)
    acts = [
        (pieces.piece_label(piece), distance_share((small,), partial))
        for piece, small in small_acts.small_pieces(small_acts.running_action(state, combatant))
    ]
    earlier = Fraction(fighter_of(combatant).shortened, QA_AN_ACTION)
    acts = [("acts of earlier Actions", 1 - earlier), *acts] if earlier else acts
    return Trail(
        "feet",
        f"{ways.feet_left(state, combatant):g} ft",
        (
            TrailPart("full speed", f"{float(profile_of(combatant).full_speed):g} mph", "CS-183"),
            TrailPart("in a whole segment", f"{ways.whole_segment(state, combatant)} ft", "CS-186"),
            *(TrailPart(label, f"-{1 - share}" if share < 1 else "free", "CS-144") for label, share in acts),
            *((TrailPart("with smaller acts", f"{ways.feet_allowed(state, combatant)} ft", "CS-144"),) if acts else ()),
            TrailPart("moved", f"-{fighter_of(combatant).moved:g} ft", "CS-097"),
        ),
    )


def _stun(state: FightState, combatant: Combatant) -> Trail:
    return rolls.trail_of("stun", str(health.stun_penalty(state, combatant)), health.stun_sum(state, combatant))


def _due(state: FightState, combatant: Combatant) -> Trail:
    action = action_of(combatant)
    if not action.is_open:
        return Trail("due", "nothing declared", ())
    parts = [
        TrailPart(pieces.piece_label(piece), quarters(piece.qa), pieces.rule_of(piece)) for piece in action.components
    ]
    return Trail(
        "due",
        progress.due_text(state, combatant, action),
        (
            *parts,
            TrailPart("quarter-actions needed", str(action.need), "CS-149"),
            TrailPart("done", str(progress.task_progress(state, combatant)), "CS-133"),
            TrailPart("Rate of Action", str(queries.rate_of_action(combatant)), "CS-007"),
        ),
    )


def _noticing(state: FightState, combatant: Combatant) -> Trail:
    total = scores.noticing_sum(state, combatant)
    return rolls.trail_of("noticing", str(rolls.rounded(total)), total)


def _surprise(state: FightState, combatant: Combatant) -> Trail:
    penalty = surprise_limits.penalty_of(combatant, defensive=True)
    return Trail("surprise", f"-{penalty}" if penalty else "0", surprise_trail(combatant))


def _surprise_dv(state: FightState, combatant: Combatant) -> Trail:
    """CS-050: what a combatant adds to the DV of a Surprise, alone and without the awareness check."""
    total = surprises.plotters_sum([combatant], 0)
    return rolls.trail_of("surprise_dv", f"{rolls.rounded(total):+d}", total)


def _blow(state: FightState, combatant: Combatant) -> Blow:
    """The declared blow, else one with the best weapon in hand at the first foe."""
    action = action_of(combatant)
    if action.is_open and action.kind in ATTACKS and targets_of(state, action):
        return steps.declared_blow(state, combatant, action, commands.Resolve(who=combatant.id))
    known = relations.others_known(state, combatant)
    foe = next((other for other in known if state.are_foes(combatant.id, other.id)), combatant)
    return Blow(combatant.id, foe.id, weapon=strikes.best_weapon(state, combatant, foe))


def _attack(state: FightState, combatant: Combatant) -> Trail:
    """The AV of the declared attack, or with the best weapon in hand."""
    blow = _blow(state, combatant)
    total = attack_values.av_of(state, blow)
    if total is None:
        return Trail("attack", "?", (TrailPart(f"the skill with {blow.weapon} is not on the sheet", "", "CS-475"),))
    return rolls.trail_of("attack", str(rolls.rounded(total)), total)


def _difficulty(state: FightState, combatant: Combatant) -> Trail:
    """The DV of that attack: the target's best defence or its awareness of a shot, with the range (CS-475, CS-505)."""
    blow = _blow(state, combatant)
    if blow.target == combatant.id or not combatant.able:
        return Trail("difficulty", "no one to attack", ())
    defence = defences.list_defences(state, blow)[0]
    if defence.total is None:
        why = shots.describe_flight(state, blow) if blow.ranged else "its skill is not on the sheet"
        return Trail("difficulty", "?", (TrailPart(f"{defence.label}, {why}", "", "CS-475"),))
    return rolls.trail_of("difficulty", f"{rolls.rounded(defence.total)}, {defence.label}", defence.total)


def _defence(state: FightState, combatant: Combatant) -> Trail:
    """CS-169: the defences left, and the parts of the next Dodge."""
    defences_left = defences.list_defences_left(state, combatant)
    values: dict[str, list[str]] = {}
    for means, av in defences_left:
        values.setdefault(means, []).append(str(av))
    parts = [TrailPart(means, ", then ".join(avs[:3]), "CS-415") for means, avs in values.items()]
    dodge = weapon_uses.dodge_worth(state, combatant)
    dodge_parts = rolls.trail_of("", "", dodge).parts if dodge is not None else ()
    return Trail("defence", str(defences_left[0]) if defences_left else "none", (*parts, *dodge_parts))


TRAILS: Trails = {
    "attack": _attack,
    "difficulty": _difficulty,
    "defence": _defence,
    "initiative": _initiative,
    "slots": _slots,
    "feet": _feet,
    "stun": _stun,
    "due": _due,
    "noticing": _noticing,
    "surprise": _surprise,
    "surprise_dv": _surprise_dv,
    **marks.SCALE_TRAILS,
    **harm_cards.TRAILS,
    **STRUGGLE_TRAILS,
    **marks.RANGE_TRAILS,
}


def explain_asked(state: FightState, combatant_id: str, what: str) -> Trail | None:
    """The explanation of a number that needs an argument, such as a distance; None for others."""
    head, space, rest = what.partition(" ")
    if not space or head not in marks.ARGUMENT_TRAILS:
        return None
    return marks.ARGUMENT_TRAILS[head](state, state.combatants[combatant_id], rest)
