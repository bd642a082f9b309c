"""Getting inside a longer weapon, and a GM ruling on where a foe stands (CS-300, CS-319 to CS-323)."""

from __future__ import annotations

from typing import cast

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import question_check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.rules.melee import FIELDS, MeleeMode
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, exact
from fightcall_engine.systems.segments.state import (
    commands,
    items,
    morale,
    progress,
    queries,
    relations,
    rolls,
    scores,
    small_acts,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.action import ATTACKS, DONE, FAILED, action_of
from fightcall_engine.systems.segments.state.fighter import Pair, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of

WAYS = ("dodge", "acrobat", "agl")
"""The skills for getting inside (CS-319)."""


# The GM's word


@handles(commands.Approach)
def decide_approach(decision: Decision, command: commands.Approach) -> None:
    """CS-300, CS-321, CS-323: set the field in which a foe stands, and the mode of their melee."""
    combatant, foe = decision.combatant(command.who), decision.combatant(command.foe)
    if combatant.id == foe.id:
        raise Refused(
            "CS-300", "choose two different combatants: no one approaches themselves", ("two combatants",), final=True
        )
    field, mode = command.field.upper(), command.mode.lower()
    if field and field not in FIELDS:
        raise Refused("CS-300", f"unknown Field of Approach: {command.field!r}", FIELDS, final=True)
    if mode and mode not in relations.MODES:
        raise Refused("CS-250", f"unknown mode of melee: {command.mode!r}", relations.MODES, final=True)
    pair = Pair(next((name for name in FIELDS if name == field), None), cast(MeleeMode, mode) if mode else None)
    decision.emit(*relations.set_pair(combatant, foe.id, pair))


# Getting inside


def inside_checks(state: FightState, combatant: Combatant, foe: Combatant) -> tuple[Check, ...]:
    """CS-319, CS-320: one gets inside in Resolution, with the due Action, against a weapon that keeps one away."""
    near = places.is_engaged(state, combatant, foe) or places.zone_gap(state, combatant, foe) is None
    keeps = places.keep_off_feet(state, foe, combatant) > 0
    is_outreached = places.is_outreached(state, combatant, foe, places.longest_ready(combatant))
    inside = relations.pair_of(foe, combatant).mode == relations.CLOSE
    keeps = keeps or has_pinned(combatant, foe)
    return queries.turn_last(
        *small_acts.due_checks(state, combatant),
        relations.aware_check(state, combatant, foe),
        Check(near, "CS-319", f"{foe.name} is out of reach", ("a foe in melee",)),
        Check(not inside, "CS-319", f"{combatant.name} is already inside {foe.name}'s guard", ("an attack",)),
        Check(
            inside or keeps or is_outreached,
            "CS-319",
            f"{foe.name} has no weapon that keeps {combatant.name} away",
            ("an attack",),
        ),
        question_check(state),
    )


def has_pinned(combatant: Combatant, foe: Combatant) -> bool:
    """CS-321: whether a combatant has pinned a weapon of a foe, and so steps inside without a roll."""
    return any(pin.by == combatant.id for pin in fighter_of(foe).pinned)


def manoeuvre_sum(state: FightState, combatant: Combatant, by: str) -> Sum | None:
    """The value for getting inside: Dodge, Acrobat, or AGL; None if not on the sheet (CS-319)."""
    profile = profile_of(combatant)
    values = {"dodge": profile.dodge, "acrobat": profile.skill("acrobat"), "agl": profile.scores.agl}
    known = {name: value for name, value in values.items() if value is not None}
    best = by or max(known, key=lambda name: known[name])
    if best not in known:
        return None
    return scores.attack_value(state, combatant, best, known[best], "CS-319")


def guard_sum(state: FightState, foe: Combatant, combatant: Combatant) -> Sum | None:
    """The DV that the foe's weapon provides against it; None if unknown (CS-319).

    It is the weapon's AV, less what Surprise, pain and doubt take from the foe's defences (CS-061, CS-519, CS-613).
    """
    covering = [
        thing
        for thing in items.items_in_hand(foe).values()
        if exact(_space_of(thing.get("size"))) == places.guard_distance(state, foe, combatant)
    ]
    total = weapon_uses.skill_sum(state, foe, covering[0], "defence") if covering else None
    return None if total is None else morale.subtract_doubt(state, foe, combatant.id, total)


def _space_of(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0


@handles(commands.GetInside)
def decide_get_inside(decision: Decision, command: commands.GetInside) -> None:
    """CS-319, CS-320: get inside a longer weapon, before an attack coupled with it."""
    state, referee = decision.state, decision.referee
    combatant, foe = decision.combatant(command.who), decision.combatant(command.foe)
    if combatant.id == foe.id:
        raise Refused("CS-319", "choose a foe: no one gets inside their own guard", ("a foe",), final=True)
    skill_name = command.by.strip().lower()
    if skill_name and skill_name not in WAYS:
        raise Refused("CS-319", f"unknown manoeuvre: {command.by!r}", WAYS, final=True)
    enforce(inside_checks(state, combatant, foe), referee)
    if has_pinned(combatant, foe):
        _settle_step_inside(decision, combatant.id, foe.id, True)
        return
    av_sum, dv_sum = manoeuvre_sum(state, combatant, skill_name), guard_sum(state, foe, combatant)
    if av_sum is not None and command.modifier:
        av_sum = Sum((*av_sum.parts, Part("modifier", command.modifier, "CS-276")))
    shown_av = "?" if av_sum is None else rolls.rounded(av_sum)
    question = f"{combatant.name} steps past {foe.name}'s weapon: AV {shown_av}"
    verdict = rolls.make_check(
        decision, combatant.id, "getting inside", av_sum, dv_sum, "CS-319", question, target=foe.id,
        chance=command.chance, hit=command.hit,
    )  # fmt: skip
    if verdict is not None:
        _settle_step_inside(decision, combatant.id, foe.id, verdict.ok)


def _settle_step_inside(decision: Decision, combatant_id: str, foe_id: str, ok: bool) -> None:
    """CS-319, CS-320: on success the mode is close; on failure an attack coupled with it is lost."""
    combatant, foe = decision.state.combatants[combatant_id], decision.state.combatants[foe_id]
    action = action_of(combatant)
    if ok:
        decision.emit(*relations.set_pair(foe, combatant_id, Pair(relations.pair_of(foe, combatant).field, "close")))
        if action.kind not in ATTACKS:
            decision.emit(*progress.settle_action(decision.state, combatant, DONE, f"inside {foe.name}'s guard"))
    else:
        decision.emit(*progress.settle_action(decision.state, combatant, FAILED, f"kept off by {foe.name}"))
