"""Whether a declared attack can succeed, judged when it is declared: CS-250, CS-251, CS-306, CS-318, CS-340.

The conditions are those of its Resolution, after it is confirmed with what it draws and its Turn (CS-090, CS-123,
CS-306). Movement after the declaration counts as bringing the attacker as near as it can.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from functools import lru_cache

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.board.paths import find_path, reach
from fightcall_engine.kit.checks import Check, first_broken
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import asked_once
from fightcall_engine.systems.segments.combat import attack_types, attack_values, shots, snipers
from fightcall_engine.systems.segments.positions import places, ways
from fightcall_engine.systems.segments.rules.melee import is_outreached
from fightcall_engine.systems.segments.rules.numbers import exact
from fightcall_engine.systems.segments.state import progress, relations
from fightcall_engine.systems.segments.state.action import ATTACKS, COMBINATION, STRIKE, targets_of
from fightcall_engine.systems.segments.state.battle import MIXED, SEPARATE, Blow
from fightcall_engine.systems.segments.state.blows import flight_of, item_of, type_of
from fightcall_engine.systems.segments.state.fighter import Action
from fightcall_engine.systems.segments.state.pieces import DRAW


def prospect_checks(state: FightState, combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """The checks of a declared attack, in the `state` after it is confirmed.

    For an attack of a later segment only that the target is known, as nobody knows who will stand where. A hidden
    target that is about to shoot may be found then (CS-265).
    """
    due = _due_segment(state, combatant, action.left)
    blows = declared_blows(state, combatant, action)
    targets = (state.combatants[blow.target] for blow in blows)
    known = tuple(
        relations.aware_check(state, combatant, target) for target in targets if not snipers.is_sniping(target)
    )
    if due != state.round:
        return known
    return (*known, *(check for blow in blows for check in _checks_of(state, blow, action)))


def easy_targets(state: FightState, combatant: Combatant, action: Action, targets: Iterable[str]) -> frozenset[str]:
    """Those of some targets for whom all of `prospect_checks` surely hold: nothing about them hinders a blow in melee.

    They are in the open, not beside the attacker but within a walk, without a longer weapon, a formation, or a ruling.
    """
    blows = declared_blows(state, combatant, action)
    if len(blows) != 1 or blows[0].ranged or _due_segment(state, combatant, action.left) != state.round:
        return frozenset()
    blow, board, here = blows[0], state.board, combatant.at
    own = _own_checks(state, combatant, blow.kind, blow.weapon, blow.second, blow.mode, blow.attack)
    if board is None or here is None or first_broken(own) is not None or type_of(state, blow).close:
        return frozenset()
    walkable = _walkable_places(board, here, ways.in_thousandths(_feet_left(state, combatant)))
    long, beside = attack_values.weapon_length(combatant, blow), places.feet_of(board, places.LONGEST_STEP)
    people = (state.combatants[target] for target in targets)
    return frozenset(
        each.id
        for each in people
        if each.at is not None
        and each.at in walkable
        and each.able
        and not each.hidden
        and board.length(here, each.at) > places.LONGEST_STEP * board.scale
        and places.gap_at(beside, combatant, each) < places.RANGED_GAP
        and not is_outreached(long, places.longest_ready(each))
        and not relations.shut_fields(each)
        and relations.pair_of(combatant, each) == relations.pair_of(each, combatant) == relations.UNTOLD
    )


@asked_once
def _due_segment(state: FightState, combatant: Combatant, left: int) -> int:
    """The segment in which an Action with so much left to do is resolved; -1 if no Action comes."""
    due = progress.due_slot(state, combatant, Action(need=left))
    return -1 if due is None else due.segment


def draw_checks(combatant: Combatant, action: Action) -> tuple[Check, ...]:
    """CS-123, CS-340: what is drawn beside anything but an attack is in hand, in the state after it is confirmed."""
    draws = any(piece.key == DRAW for piece in action.components)
    if action.kind in ATTACKS or not draws or not action.weapon:
        return ()
    return attack_values.held_checks(combatant, Blow(combatant.id, "", weapon=action.weapon))


def declared_blows(state: FightState, combatant: Combatant, action: Action) -> tuple[Blow, ...]:
    """The blows of a declared attack, each with its target (CS-342)."""
    if action.kind not in ATTACKS:
        return ()
    strikes = [(action.weapon, action.second)]
    if action.second and action.mode != MIXED:
        strikes.append((action.second, action.weapon))
    aims = [target.id for target in targets_of(state, action)]
    # A Combination without a mode may be used in the one that reaches farther (CS-364, CS-365).
    mode = action.mode or (SEPARATE if action.kind == COMBINATION else "")
    return tuple(
        Blow(
            combatant.id, aims[min(place, len(aims) - 1)], kind=flight_of(action.kind), weapon=weapon,
            second=second if mode else "", mode=mode,
            attack=action.attack if place == 0 else _usual_attack_type(state, combatant, weapon),
        )
        for place, (weapon, second) in enumerate(strikes)
        if aims
    )  # fmt: skip


def _usual_attack_type(state: FightState, combatant: Combatant, weapon: str) -> str:
    """The usual type of attack of a second weapon (CS-341)."""
    return attack_types.default_type(state, combatant, STRIKE, item_of(combatant, weapon))


def _checks_of(state: FightState, blow: Blow, action: Action) -> tuple[Check, ...]:
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    here = (
        attack_values.standing_check(target, knowingly=action.on_fallen),
        *_own_checks(state, combatant, blow.kind, blow.weapon, blow.second, blow.mode, blow.attack),
    )
    if blow.ranged:
        return (*here, *shots.line_checks(state, combatant, target, blow, walk=_feet_left(state, combatant)))
    gap = nearest_gap(state, combatant, target)
    # An attacker who has to walk up to a foe faces it on arrival.
    is_met_here = gap == places.zone_gap(state, combatant, target)
    fields = attack_values.field_checks(state, combatant, target, blow) if is_met_here else ()
    return (*here, *fields, *attack_values.reach_checks(state, combatant, target, blow, gap=gap, inside=action.inside))


@asked_once
def _own_checks(
    state: FightState, combatant: Combatant, kind: str, weapon: str, second: str, mode: str, attack: str
) -> tuple[Check, ...]:
    blow = Blow(combatant.id, "", kind=kind, weapon=weapon, second=second, mode=mode, attack=attack)
    return (
        *attack_values.held_checks(combatant, blow),
        *attack_values.hand_checks(state, combatant, blow),
        *attack_values.weapon_checks(combatant, blow),
    )


def is_walking_up(state: FightState, blow: Blow) -> bool:
    """Whether movement still to come brings the attacker nearer to the target."""
    combatant, target = state.combatants[blow.attacker], state.combatants[blow.target]
    return nearest_gap(state, combatant, target) != places.zone_gap(state, combatant, target)


@asked_once
def _feet_left(state: FightState, combatant: Combatant) -> Fraction:
    """Feet that a combatant can still move before the blow; none after the Pulses (CS-240)."""
    if ways.are_pulses_over(state):
        return Fraction(0)
    return exact(ways.feet_left(state, combatant))


def nearest_gap(state: FightState, combatant: Combatant, target: Combatant) -> Fraction | None:
    """The distance in feet between two Zones that this segment's movement allows; None without a board.

    It is the smallest, or one that is near enough for melee.
    """
    gap, board = places.zone_gap(state, combatant, target), state.board
    if gap is None or gap <= 0 or board is None or combatant.at is None or target.at is None:
        return gap
    here, beside = combatant.at, places.gap_at(places.feet_of(board, places.LONGEST_STEP), combatant, target)
    left = ways.in_thousandths(_feet_left(state, combatant))
    if beside < gap and beside < places.RANGED_GAP and target.at in _walkable_places(board, here, left):
        return beside
    for place in _path_between(board, here, target.at):
        left -= ways.price_of_step(state, here, place)
        if left < 0 or place == target.at:
            break
        here = place
    return min(
        gap, places.gap_at(places.feet_of(board, board.length(here, target.at) / board.scale), combatant, target)
    )


@lru_cache
def _walkable_places(board: AnyBoard, here: Location, left: int) -> Collection[Location]:
    """The places to which a walk of so many thousandths of a foot leads by any of the cheapest paths."""
    return reach(board, here, left // ways.in_thousandths(places.feet_of(board, places.LONGEST_STEP)))


@lru_cache(1024)
def _path_between(board: AnyBoard, here: Location, there: Location) -> tuple[Location, ...]:
    """The path between two places, even through occupied ones; cached, as all kinds of attack on a foe use it."""
    return find_path(board, here, there) or ()
