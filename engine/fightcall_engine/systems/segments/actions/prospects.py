"""Whether a declared attack can come to anything, judged as it is ordered: CS-250, CS-251, CS-306, CS-318, CS-340.

Each condition is the one that its Resolution meets. What movement after the declaration brings nearer counts as near;
all else as it stands once the order is committed, with what it draws and how it turns (CS-090, CS-123, CS-306).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.paths import find_path
from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import attack_types, attack_values, shots
from fightcall_engine.systems.segments.positions import places, ways
from fightcall_engine.systems.segments.rules.melee import zone_gap
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.state import progress
from fightcall_engine.systems.segments.state.action import ATTACKS, COMBINATION, STRIKE, targets_of
from fightcall_engine.systems.segments.state.battle import MIXED, SEPARATE, Blow
from fightcall_engine.systems.segments.state.blows import flight_of, item_of
from fightcall_engine.systems.segments.state.fighter import Action
from fightcall_engine.systems.segments.state.profile import profile_of


def prospect_checks(state: FightState, combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """What stands against a declared attack; `state` is as it will be once it is committed.

    Of one that is due in a later segment nobody knows yet who stands where, with what in hand.
    """
    due = progress.due_slot(state, combatant, action)
    if due is None or due.segment != state.round:
        return ()
    blows = declared_blows(state, combatant, action)
    return tuple(check for blow in blows for check in _checks_of(state, blow, action))


def declared_blows(state: FightState, combatant: Combatant, action: Action) -> tuple[Blow, ...]:
    """The blows that were declared, each at whom its weapon is meant for (CS-342)."""
    if action.kind not in ATTACKS:
        return ()
    strikes = [(action.weapon, action.second)]
    if action.second and action.mode != MIXED:
        strikes.append((action.second, action.weapon))
    aims = [target.id for target in targets_of(state, action)]
    # A Combination whose mode is still to be said may be used in the one that reaches farther (CS-364, CS-365).
    mode = action.mode or (SEPARATE if action.kind == COMBINATION else "")
    return tuple(
        Blow(
            combatant.id, aims[min(place, len(aims) - 1)], kind=flight_of(action.kind), weapon=weapon,
            second=second if mode else "", mode=mode,
            attack=action.attack if place == 0 else _usual_weapon(state, combatant, weapon),
        )
        for place, (weapon, second) in enumerate(strikes)
        if aims
    )  # fmt: skip


def _usual_weapon(state: FightState, combatant: Combatant, weapon: str) -> str:
    """The type of attack of what strikes beside the weapon that was named (CS-341)."""
    return attack_types.usual_for(state, combatant, STRIKE, item_of(combatant, weapon))


def _checks_of(state: FightState, blow: Blow, action: Action) -> tuple[Check, ...]:
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    here = (
        attack_values.standing_check(target), *attack_values.held_checks(combatant, blow),
        *attack_values.weapon_checks(combatant, blow)
    )  # fmt: skip
    if blow.ranged:
        return (*here, *shots.line_checks(state, combatant, target, blow, walk=_feet_left(state, combatant)))
    gap = nearest_gap(state, combatant, target)
    # Who has to walk up to a foe faces them on arrival.
    is_met_here = gap == places.zone_gap(state, combatant, target)
    fields = attack_values.field_checks(state, combatant, target, blow) if is_met_here else ()
    return (*here, *fields, *attack_values.reach_checks(state, combatant, target, blow, gap=gap, inside=action.inside))


def walks_up(state: FightState, blow: Blow) -> bool:
    """True where the movement that is still to come brings the attacker nearer to the target than now."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    return nearest_gap(state, combatant, target) != places.zone_gap(state, combatant, target)


def _feet_left(state: FightState, combatant: Combatant) -> Fraction:
    """Feet that somebody can still go before the blow; none once the Pulses are over (CS-240)."""
    if ways.are_pulses_over(state):
        return Fraction(0)
    return exact(ways.feet_left(state, combatant))


def nearest_gap(state: FightState, combatant: Combatant, target: Combatant) -> Fraction | None:
    """Feet between two Zones when somebody has gone as near as this segment lets him; None where no board tells."""
    gap, board = places.zone_gap(state, combatant, target), state.board
    if gap is None or gap <= 0 or board is None or combatant.at is None or target.at is None:
        return gap
    feet, here = places.feet_a_place(state), combatant.at
    left = _feet_left(state, combatant) // feet
    for place in _way_to(board, combatant.at, target.at):
        left -= board.cost_of(place) or 1
        if left < 0 or place == target.at:
            break
        here = place
    apart = exact(board.length(here, target.at) / board.scale) * feet
    return min(gap, zone_gap(apart, profile_of(combatant).height, profile_of(target).height))


@lru_cache
def _way_to(board: AnyBoard, here: Location, there: Location) -> tuple[Location, ...]:
    """The way between two places, whoever stands on it; every kind of attack on a foe is judged by the same one."""
    return find_path(board, here, there) or ()
