"""Bringing a combatant down: tackles, overbearing, and an arm in a runner's way (CS-447, CS-467..470)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import (
    attack_values,
    collisions,
    contests,
    costs,
    follow_ups,
    hit_effects,
    presence_attacks,
    reprisal_offers,
    shots,
    strikes,
)
from fightcall_engine.systems.segments.combat.contests import ContestPlan, Outcome
from fightcall_engine.systems.segments.combat.defences import Defence
from fightcall_engine.systems.segments.injury.blow_effects import Force
from fightcall_engine.systems.segments.positions import meetings, ways
from fightcall_engine.systems.segments.rules import body_checks
from fightcall_engine.systems.segments.rules.body_checks import Tackler
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum
from fightcall_engine.systems.segments.state import events, items, morale, queries, relations, scores
from fightcall_engine.systems.segments.state.battle import OPPORTUNITY, STAND, Blow, Guard, Overrides
from fightcall_engine.systems.segments.state.blows import people_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of

TACKLE, OVERBEAR = "tackle", "overbear"

PHASE_PULSES = 9
"""Pulses at full rate in a run through a whole movement phase; its first one is at half (CS-232)."""


# Checks


def is_at_full_rate(state: FightState, combatant: Combatant) -> bool:
    """CS-467: whether the combatant has moved at the maximum rate through the movement phase before."""
    if ways.uses_pulses(state):
        return fighter_of(combatant).sprint >= PHASE_PULSES
    return fighter_of(combatant).rate == "full" and fighter_of(combatant).speed > 0


def run_check(state: FightState, combatant: Combatant, foe: Combatant, drop: float) -> Check:
    """CS-467, CS-702: a tackle needs the maximum rate through the movement phase before, or a drop from above."""
    is_above = drop > 0 or shots.elevation(state, combatant) > shots.elevation(state, foe)
    return Check(
        body_checks.may_tackle(is_at_full_rate(state, combatant), is_above),
        "CS-467",
        f"{combatant.name} didn't run at full rate through the movement before",
        ("a run at full rate", "drop: feet from above", OVERBEAR),
    )


def is_slow(state: FightState, combatant: Combatant) -> bool:
    """CS-470: whether the combatant stands still, or moves at most at a quarter of its full rate."""
    return meetings.speed_now(state, combatant) * 4 <= profile_of(combatant).full_speed


def all_tacklers(state: FightState, blow: Blow) -> tuple[Combatant, ...]:
    """All who tackle, the attacker first (CS-469)."""
    ids = dict.fromkeys((blow.attacker, *blow.people))
    return tuple(combatant_of(state, combatant_id) for combatant_id in ids)


def friend_checks(state: FightState, blow: Blow, friend: Combatant) -> tuple[Check, ...]:
    """CS-469: those who tackle together are of one side and can reach the target."""
    combatant, target = people_of(state, blow)
    is_comrade = friend.id != target.id and not state.are_foes(combatant.id, friend.id)
    reach = attack_values.reach_checks(state, friend, target, replace(blow, attacker=friend.id))
    return (
        queries.able_check(friend, "CS-111"),
        Check(is_comrade, "CS-469", f"{friend.name} isn't tackling with {combatant.name}", ("a comrade",)),
        *reach,
    )


def kind_checks(
    state: FightState, combatant: Combatant, foe: Combatant, kind: str, drop: float = 0.0
) -> tuple[Check, ...]:
    """Further checks of a tackle or overbearing (CS-467, CS-470); none for other types of attack."""
    if kind == TACKLE:
        return (run_check(state, combatant, foe, drop),)
    if kind == OVERBEAR:
        problem = f"{foe.name} isn't standing still, or nearly still"
        return (Check(is_slow(state, foe), "CS-470", problem, (TACKLE,)),)
    return ()


# The roll


@strikes.settles_attack(TACKLE)
@strikes.settles_attack(OVERBEAR)
def settle_tackle(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """CS-467 to CS-470: a contest of bodies, with the difference in speed; overbearing, if the target stands."""
    state, referee = decision.state, decision.referee
    target = state.combatants[blow.target]
    people = all_tacklers(state, blow)
    for combatant in people[1:]:
        enforce(friend_checks(state, blow, combatant), referee)
    for combatant in people:
        enforce(kind_checks(state, combatant, target, blow.attack, blow.drop), referee)
    ours, theirs = tackle_sums(state, blow)
    av = Sum((Part("AV set by the GM", overrides.av, "CS-468"),)) if overrides.av is not None else ours
    dv = Sum((Part("DV set by the GM", overrides.dv, "CS-468"),)) if overrides.dv is not None else theirs
    label = "Tackle" if blow.attack == TACKLE else "Overbearing"
    contest = ContestPlan(
        blow, blow.attack, label, "CS-468", overrides.add_modifier(av), overrides.add_dv_modifier(dv), STAND
    )
    contests.run_contest(
        decision, contest, _end_tackle, chance=overrides.chance, dv_chance=overrides.dv_chance, hit=overrides.hit
    )


def tackle_sums(state: FightState, blow: Blow) -> tuple[Sum, Sum]:
    """Both values of the Contested Roll, each less pain and Surprise (CS-468, CS-469)."""
    people, target = all_tacklers(state, blow), state.combatants[blow.target]
    many = len(people) > 1
    ours = [
        _tackler(state, combatant, _mph(state, blow, combatant), combatant.name if many else "", defensive=False)
        for combatant in people
    ]
    theirs = _tackler(state, target, meetings.speed_now(state, target), target.name, defensive=True)
    totals = body_checks.tackle(ours, theirs)
    our_sum = scores.add_deed(people[0], scores.AV, totals.attackers, target.id)
    return our_sum, morale.subtract_doubt(state, target, blow.attacker, totals.target)


def _tackler(state: FightState, combatant: Combatant, mph: Number, name: str, *, defensive: bool) -> Tackler:
    plain = body_checks.base_av(collisions.body_of(state, combatant), "CS-468")
    total = scores.subtract_penalties(state, combatant, plain, defensive=defensive)
    return Tackler(total.total, mph, name, total.parts)


def _mph(state: FightState, blow: Blow, combatant: Combatant) -> Number:
    return collisions.own_mph(state, blow) if combatant.id == blow.attacker else meetings.speed_now(state, combatant)


# Results


def _end_tackle(decision: Decision, blow: Blow, outcome: Outcome) -> None:
    """CS-468: the target is held and brought down, or the attackers miss."""
    state = decision.state
    for combatant in all_tacklers(state, blow):
        costs.pay(decision, replace(blow, attacker=combatant.id), Defence("", None, Guard()))
    costs.pay_defence(decision, blow, Defence(STAND, None, Guard(STAND)))
    combatant_id, is_hit = blow.attacker, outcome.winner == "attacker"
    if is_hit:
        decision.emit(
            events.Hit(
                who=combatant_id, attacker=combatant_id, target=blow.target, weapon=blow.weapon, margin=outcome.margin
            )
        )
        decision.emit(*hit_effects.fall_events(decision.state.combatants[blow.target]))
        decision.emit(*relations.close_quarters_events(decision.state, blow.attacker, blow.target))
        meetings.stop_movement(decision, decision.state.combatants[blow.target])
        presence_attacks.judge_words(decision, blow, 0)
    else:
        decision.emit(events.Missed(who=combatant_id, attacker=combatant_id, target=blow.target, weapon=blow.weapon))
        decision.emit(*presence_attacks.miss_presence(blow), *reprisal_offers.offer_reprisal(decision.state, blow))
    follow_ups.end_attack(decision, blow, is_hit)


SHOVE, CLOTHESLINE, TRIP = "shove", "clothesline", "trip"


# Stopping a combatant with an arm or a shoulder

LINES = (TRIP, CLOTHESLINE)
"""Attacks that can be prepared as a line; a combatant who is surprised by one runs into it (CS-446)."""

LINE = "a line"
"""The weapon of a prepared trip or clothesline."""


@strikes.settles_attack(SHOVE)
@strikes.settles_attack(CLOTHESLINE)
def settle_limb_strike(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """CS-447: a strike with a limb; against twice the size and STR, except by trip or weapon, ask the GM first."""
    limb = blow.weapon == items.BARE
    if limb and overrides.hit is None and collisions.is_much_larger(decision.state, blow):
        bounces = hit_effects.bounces_off(decision, blow, "CS-447")
        if bounces:
            strikes.apply_roll(decision, blow, False, 0)
        if bounces is not False:
            return
    strikes.resolve_strike(decision, blow, overrides)


def run_into_line(decision: Decision, by: str, combatant_id: str, line: str) -> None:
    """CS-444, CS-446: a combatant surprised by a line runs into it at their own speed; ask whether they fall."""
    state = decision.state
    target = state.combatants[combatant_id]
    speed = Part("target's speed in mph", meetings.speed_now(state, target), "CS-444")
    decision.emit(events.Hit(who=by, attacker=by, target=combatant_id, weapon=LINE))
    blow = Blow(by, combatant_id, kind=OPPORTUNITY, weapon=LINE, attack=line)
    hit_effects.apply_line(decision, blow, Force(Sum((speed,)), "blunt"))
