"""Shots from hiding: a Surprise, and then the search for the shooter (CS-264, CS-265)."""

from __future__ import annotations

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import shots
from fightcall_engine.systems.segments.state import queries, relations, rolls, scores, surprise_limits
from fightcall_engine.systems.segments.state.action import RANGED, action_of
from fightcall_engine.systems.segments.state.battle import Blow
from fightcall_engine.systems.segments.state.blows import people_of
from fightcall_engine.systems.segments.state.fighter import fighter_of


def is_sniping(combatant: Combatant) -> bool:
    """CS-264: whether a hidden combatant means to shoot or hurl."""
    action = action_of(combatant)
    return combatant.hidden and action.is_open and action.kind in RANGED


def search_sniper(decision: Decision, blow: Blow) -> None:
    """CS-265: after each shot, a target that is not surprised makes an AWA check to find the shooter."""
    state = decision.state
    sniper, combatant = people_of(state, blow)
    if (
        not blow.ranged
        or relations.has_noticed(combatant, sniper)
        or not combatant.able
        or not state.are_foes(sniper.id, combatant.id)
    ):
        return
    if surprise_limits.degree_of(combatant) in surprise_limits.RESTRICTED_DEGREES:
        return
    decision.spawn(_look_for, combatant.id, sniper.id)


def _look_for(decision: Decision, combatant_id: str, sniper_id: str) -> None:
    """CS-265: those who find the shooter can shoot back; to others it stays hidden."""
    combatant = decision.state.combatants[combatant_id]
    total = scores.noticing_sum(decision.state, combatant)
    verdict = rolls.make_check(
        decision, combatant_id, "AWA", total, None, "CS-265",
        f"{combatant.name} looks for the shooter: {total.parts[0].label} {rolls.rounded(total)}",
        owed=True, blocking=False, about=(sniper_id,),
    )  # fmt: skip
    if verdict is None or not verdict.ok:
        return
    sniper, combatant = decision.state.combatants[sniper_id], decision.state.combatants[combatant_id]
    if not relations.has_noticed(combatant, sniper):
        decision.emit(*relations.make_aware(combatant, sniper))


def notice_archer(state: FightState, blow: Blow) -> Events:
    """CS-501: a combatant who has dodged a shot is aware of the shooter from then on, even behind."""
    archer, combatant = people_of(state, blow)
    is_seen = (
        blow.ranged
        and combatant.able
        and state.are_foes(archer.id, combatant.id)
        and relations.has_noticed(combatant, archer)
    )
    return relations.make_aware(combatant, archer) if is_seen and shots.case_of(state, blow) == shots.AWARE else ()


def clear_noticed(decision: Decision, combatant_id: str) -> None:
    """Clear who has noticed a combatant that shows itself, or hides again: then all see it, or nobody does."""
    state = decision.state
    for combatant in state.combatants.values():
        if combatant_id in fighter_of(combatant).aware_of:
            decision.emit(*queries.set_traits(combatant, aware_of=relations.noticed_without(combatant, combatant_id)))
