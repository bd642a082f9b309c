"""Shots that land, at once or in the next segment (CS-285, CS-477)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.combat import feats, potence, shots
from fightcall_engine.systems.segments.state import events
from fightcall_engine.systems.segments.state.battle import Blow, Flying, battle_of
from fightcall_engine.systems.segments.state.blows import people_of


def is_impact_due(state: FightState) -> bool:
    """Whether a shot lands in this segment."""
    return any(shot.due <= state.round for shot in battle_of(state).impacts)


def schedule_impact(state: FightState, blow: Blow, margin: int) -> events.ImpactScheduled:
    """The event that a shot has hit and will land in the next segment."""
    combatant, target = people_of(state, blow)
    feet = shots.distance_of(state, combatant, target, blow)
    flying_blow = replace(
        potence.with_strength(state, blow),
        feet=blow.feet if feet is None else float(feet),
        rise=float(shots.rise_of(state, blow)),
    )
    shot = Flying(state.round + 1, margin, flying_blow)
    return events.ImpactScheduled(
        before=battle_of(state).impacts,
        value=(*battle_of(state).impacts, shot),
        who=blow.attacker,
        target=blow.target,
        due=shot.due,
    )


def land_shots(decision: Decision) -> None:
    """Land all shots that are due, in the order in which they were made."""
    state = decision.state
    for shot in battle_of(state).impacts:
        if shot.due <= state.round:
            _land_blow(decision, shot)


def _land_blow(decision: Decision, shot: Flying) -> None:
    state, blow = decision.state, shot.blow
    rest = list(battle_of(state).impacts)
    rest.remove(shot)
    fact = events.ImpactDue(
        before=battle_of(state).impacts,
        value=tuple(rest),
        who=blow.attacker,
        target=blow.target,
    )
    decision.emit(fact)
    combatant_id = blow.attacker
    if combatant_id not in state.combatants or blow.target not in state.combatants:
        return
    decision.emit(
        events.Hit(who=combatant_id, attacker=combatant_id, target=blow.target, weapon=blow.weapon, margin=shot.margin)
    )
    decision.spawn(feats.resolve_hit, blow, True)


def land_blow(decision: Decision, blow: Blow, margin: int, hit: type[events.Hit] = events.Hit) -> None:
    """CS-477: land a blow now; a distant shot lands in the next segment (CS-285)."""
    if blow.ranged and shots.lands_late(decision.state, blow):
        decision.emit(schedule_impact(decision.state, blow, margin))
        return
    name = blow.attacker
    decision.emit(hit(who=name, attacker=name, target=blow.target, weapon=blow.weapon, margin=margin))
    decision.spawn(feats.resolve_hit, blow)
