"""Body against body: Body Checks, tackles, overbearing, and an arm in a runner's way (CS-447, CS-455 to CS-470)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.checks import Check, enforce, first_broken
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.combat import attack_values, blow_effects, defences, hit_effects, shots, strikes
from fightcall_engine.systems.segments.combat.blow_effects import Force
from fightcall_engine.systems.segments.combat.defences import (
    DODGING,
    Defence,
    defence_less_doubt,
    dodge_checks,
    dodge_defence,
)
from fightcall_engine.systems.segments.combat.strikes import ContestPlan, Outcome
from fightcall_engine.systems.segments.rules import attacks
from fightcall_engine.systems.segments.rules.attacks import Body, Tackler
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum, exact, rhu
from fightcall_engine.systems.segments.rules.wounds import knock_back_of
from fightcall_engine.systems.segments.state import condition, events, harm_events, items, paths, places, queries, rolls
from fightcall_engine.systems.segments.state.condition import strength_of
from fightcall_engine.systems.segments.state.records import (
    DODGE,
    OPPORTUNITY,
    STAND,
    Blow,
    Guard,
    Overrides,
    fighter_of,
    profile_of,
)
from fightcall_engine.systems.segments.state.weapon_uses import people_of

BODY_CHECK = "body_check"
ANSWERS = (STAND, DODGE)
"""The target's responses (CS-456)."""

PHASE_PULSES = 9
"""Pulses at full rate in a run through a whole movement phase; its first one is at half (CS-232)."""


THROWN, REBOUND, DODGED, HALTED = "thrown", "rebound", "dodged", "halted"


# Numbers


def _body_of(state: FightState, combatant: Combatant) -> Body:
    """A combatant's body for the formulas; STR is less wounds (CS-537)."""
    return Body(
        profile_of(combatant).mods.agl,
        profile_of(combatant).msta,
        profile_of(combatant).mods.str,
        strength_of(state, combatant).total,
    )


def own_mph(state: FightState, blow: Blow) -> Number:
    """The attacker's speed in mph, set by the GM or as it moves (CS-455)."""
    if blow.charge is not None:
        return exact(blow.charge)
    return paths.speed_now(state, state.combatants[blow.attacker])


def _foe_mph(state: FightState, blow: Blow) -> Number:
    """The target's speed in mph, if it moves (CS-458)."""
    return paths.speed_now(state, state.combatants[blow.target])


def _attack_sum(state: FightState, blow: Blow, overrides: Overrides) -> Sum | None:
    """CS-455: the AV of a Body Check; None if the GM's scale does not reach it."""
    if overrides.av is not None:
        return overrides.add_modifier(Sum((Part("AV set by the GM", overrides.av, "CS-455"),)))
    combatant = state.combatants[blow.attacker]
    shields = [thing for thing in items.items_in_hand(combatant).values() if items.is_shield(thing)]
    size = max((_size(thing.get("size")) for thing in shields), default=exact(0))
    layers = len(items.worn_by(combatant))
    total = condition.dv_of(
        state,
        lambda scale: attacks.attack_av(
            _body_of(state, combatant), own_mph(state, blow), shield_size=size, layers=layers, scale=scale
        ),
    )
    if total is None:
        return None
    less = condition.subtract_penalties(state, combatant, total, defensive=False)
    return overrides.add_modifier(condition.add_deed(combatant, condition.AV, less, blow.target))


def _size(value: object) -> Number:
    return exact(value) if isinstance(value, int | float) and not isinstance(value, bool) else exact(0)


def _body_check_defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    """CS-456: the target's responses, the better one first; a Dodge only if possible."""
    combatant, target = people_of(state, blow)
    stand = condition.subtract_penalties(state, target, attacks.stand_av(_body_of(state, target)), defensive=True)
    defences = [Defence(STAND, stand, Guard(STAND))]
    dodge = dodge_defence(state, blow).total
    if dodge is not None and first_broken(dodge_checks(state, blow)) is None:
        better = attacks.evade_av(dodge.total, profile_of(target).msta, profile_of(combatant).msta).parts[1:]
        defences.append(Defence(DODGE, Sum((*dodge.parts, *better)), DODGING))
    defences = [defence_less_doubt(state, blow, each) for each in defences]
    return tuple(sorted(defences, key=lambda defence: defence.worth or 0, reverse=True))


def choose_defence(state: FightState, blow: Blow) -> Defence:
    """The named response, or the better one."""
    options = _body_check_defences(state, blow)
    if blow.guard is None:
        return options[0]
    match = next((defence for defence in options if blow.is_met_by(defence.guard.way) and not blow.guard.items), None)
    if match is not None:
        return match
    target = state.combatants[blow.target]
    if blow.guard != DODGING:
        raise Refused("CS-456", f"{str(blow.guard)!r} doesn't answer a Body Check", ANSWERS, final=True)
    broken = first_broken(dodge_checks(state, blow))
    if broken is not None:
        raise Refused(broken.rule, broken.message, (STAND,), final=True)
    better = max(0, profile_of(state.combatants[blow.attacker]).msta - profile_of(target).msta)
    raise Refused(
        "CS-456", f"{target.name} has no Dodge on the sheet: enter dv (Dodge + {better} for size)", (STAND,), final=True
    )


# The roll


@strikes.settles_attack(BODY_CHECK)
def settle_body_check(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """CS-455, CS-456: resolve a Body Check by a Contested Roll; against a much larger target, ask the GM first."""
    state = decision.state
    if overrides.dv is None or blow.guard != DODGING:
        defence = choose_defence(state, blow)
    else:
        defence = Defence(DODGE, None, DODGING)
    if overrides.dv is not None:
        defence = replace(defence, total=Sum((Part(f"{defence.label} set by the GM", overrides.dv, "CS-456"),)))
    blow = replace(blow, guard=defence.guard)
    if overrides.hit is None and _is_much_larger(state, blow):
        bounces = hit_effects.bounces_off(decision, blow, "CS-466")
        if bounces is None:
            return
        if bounces:
            _end_body_check(decision, blow, Outcome("defender"), wall=True)
            return
        if overrides.dv is None:
            guard, options = _response_of(blow), _body_check_defences(decision.state, blow)
            defence = next((each for each in options if each.guard == guard), Defence(guard.way, None, guard))
    av = _attack_sum(decision.state, blow, overrides)
    if av is None:
        raise Refused(
            "M-03", "the Progressive scale is too short for the layers of armour", ("av by hand",), final=True
        )
    dv = None if defence.total is None else overrides.add_dv_modifier(defence.total)
    contest = ContestPlan(blow, BODY_CHECK, "Body Check", "CS-455", av, dv, _response_of(blow).way)
    strikes.run_contest(
        decision, contest, _end_body_check, chance=overrides.chance, dv_chance=overrides.dv_chance, hit=overrides.hit
    )


def _is_much_larger(state: FightState, blow: Blow) -> bool:
    """CS-466: whether the target has at least twice the attacker's STR and STA."""
    combatant, target = people_of(state, blow)
    return _body_of(state, target).weight >= 2 * _body_of(state, combatant).weight


def _response_of(blow: Blow) -> Guard:
    return blow.guard or Guard(STAND)


# Results


def _end_body_check(decision: Decision, blow: Blow, outcome: Outcome, *, wall: bool = False) -> None:
    """CS-457 to CS-465: the target is thrown back, dodges, the attacker bounces off, or both halt."""
    answer = _response_of(blow)
    dodges, defence = answer.dodges, Defence(answer.way, None, answer)
    defences.count_defence(decision, blow, defence)
    defences.pay(decision, blow, defence)
    won = outcome.winner == "attacker"
    if won:
        _throw_back(decision, blow, outcome.margin)
    elif outcome.winner == "nobody" and not wall:
        _halt_both(decision, blow)
    elif dodges and not wall:
        _apply_dodge(decision, blow)
    else:
        _rebound_body(decision, blow)
    if not won:
        decision.emit(
            *blow_effects.miss_presence(blow), *blow_effects.offer_reprisal(decision.state, blow, always=True)
        )
    strikes.end_attack(decision, blow, won)


def _emit_meeting(decision: Decision, blow: Blow, how: str, feet: Sum | None = None) -> None:
    parts = () if feet is None else rolls.parts_of(feet)
    worth = 0 if feet is None else rolls.rounded(feet)
    decision.emit(harm_events.BodiesMet(who=blow.attacker, target=blow.target, outcome=how, feet=worth, parts=parts))


def _feet(state: FightState, blow: Blow, mover: str, thrown_id: str) -> Sum:
    """CS-457 to CS-459: how far one of them throws the other."""
    people = state.combatants
    return attacks.thrown_feet(
        own_mph(state, blow),
        profile_of(people[mover]).msta,
        profile_of(people[thrown_id]).msta,
        _foe_mph(state, blow),
    )


def _throw_back(decision: Decision, blow: Blow, margin: int) -> None:
    """CS-457, CS-463 to CS-465: throw the target back and hurt it; the lesser body must keep its feet."""
    state = decision.state
    combatant, target = people_of(state, blow)
    feet = _feet(state, blow, combatant.id, target.id)
    mph = own_mph(state, blow) or _foe_mph(state, blow)
    attacker_body, target_body = _body_of(state, combatant), _body_of(state, target)
    decision.emit(
        events.Hit(who=combatant.id, attacker=combatant.id, target=target.id, weapon=blow.weapon, margin=margin)
    )
    _emit_meeting(decision, blow, THROWN, feet)
    if blow.harm:
        hit_effects.apply_hit(decision, blow)
    else:
        total = attacks.damage_pot(mph, attacker_body, target_body)
        if blow.pot is not None:
            total = Sum((Part("POT set by the GM", blow.pot, "CS-530"),))
        shields = hit_effects.shield_in_way(state, blow)
        force = Force(total, "blunt")
        through = blow_effects.apply_blow(
            decision,
            force,
            target.id,
            combatant.id,
            barrier=blow.barrier,
            shields=shields,
            feet_by_gm=rolls.rounded(feet),
        )
        blow_effects.judge_words(decision, blow, through)
    _halt(decision, target.id)
    lesser = attacks.who_keeps_footing(attacker_body, target_body)
    if lesser in ("both", "target"):
        _check_footing(decision, target.id, mph, target_body, attacker_body, blow)
    if lesser in ("both", "attacker"):
        _check_footing(decision, combatant.id, mph, attacker_body, target_body, blow)


def _check_footing(decision: Decision, combatant_id: str, mph: Number, own: Body, other: Body, blow: Blow) -> None:
    """CS-463, CS-464: the AGL check to stay upright, with levels as Acrobat and Dancer."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    levels = (_level(combatant, "acrobat"), _level(combatant, "dancer")) if combatant_id == blow.target else (0, 0)
    agl = condition.value_of(state, combatant, "AGL", "CS-463")
    total = Sum((*agl.parts, *attacks.footing_av(0, *levels).parts[1:]))
    dv = condition.dv_of(state, lambda scale: attacks.footing_dv(mph, own, other, scale))
    decision.spawn(blow_effects.keep_feet, combatant_id, total, dv, "CS-463", "stays on the feet")


def _level(combatant: Combatant, trade: str) -> int:
    return max(profile_of(combatant).skill(trade) or 0, profile_of(combatant).trade_sl(trade))


def _rebound_body(decision: Decision, blow: Blow) -> None:
    """CS-459, A-34: the attacker bounces off, by the mirrored formula; nobody is hurt."""
    combatant, target = people_of(decision.state, blow)
    feet = _feet(decision.state, blow, target.id, combatant.id)
    decision.emit(_build_miss(blow))
    _emit_meeting(decision, blow, REBOUND, feet)
    worth = rhu(feet.total)
    way = blow_effects.way_for(decision.state, combatant, target.id, worth, None)
    driven = knock_back_of(worth, 0, way.barrier)
    if driven is not None:
        blow_effects.knock_back(decision, combatant.id, target.id, driven, way)
    _halt(decision, combatant.id)


def _apply_dodge(decision: Decision, blow: Blow) -> None:
    """CS-461, M-24: the target dodges; the attacker must keep its own feet."""
    combatant = decision.state.combatants[blow.attacker]
    decision.emit(_build_miss(blow))
    _emit_meeting(decision, blow, DODGED)
    agl = condition.value_of(decision.state, combatant, "AGL", "CS-461")
    dv = attacks.balance_dv(own_mph(decision.state, blow))
    decision.spawn(blow_effects.keep_feet, combatant.id, agl, dv, "CS-461", "meets no one")


def _halt_both(decision: Decision, blow: Blow) -> None:
    """CS-460: both halt, in close melee."""
    combatant, target = people_of(decision.state, blow)
    decision.emit(_build_miss(blow))
    _emit_meeting(decision, blow, HALTED)
    decision.emit(*places.close_quarters_events(decision.state, combatant.id, target.id))
    for each in (combatant, target):
        _halt(decision, each.id)


def _build_miss(blow: Blow) -> events.Missed:
    return events.Missed(who=blow.attacker, attacker=blow.attacker, target=blow.target, weapon=blow.weapon)


def _halt(decision: Decision, combatant_id: str) -> None:
    paths.stop_movement(decision, decision.state.combatants[combatant_id])


# Bringing a combatant down


TACKLE, OVERBEAR = "tackle", "overbear"


# Checks


def _is_at_full_rate(state: FightState, combatant: Combatant) -> bool:
    """CS-467: whether the combatant has moved at the maximum rate through the movement phase before."""
    if paths.uses_pulses(state):
        return fighter_of(combatant).sprint >= PHASE_PULSES
    return fighter_of(combatant).rate == "full" and fighter_of(combatant).speed > 0


def run_check(state: FightState, combatant: Combatant, foe: Combatant, drop: float) -> Check:
    """CS-467, CS-702: a tackle needs the maximum rate through the movement phase before, or a drop from above."""
    is_above = drop > 0 or shots.elevation(state, combatant) > shots.elevation(state, foe)
    return Check(
        attacks.may_tackle(_is_at_full_rate(state, combatant), is_above),
        "CS-467",
        f"{combatant.name} didn't run at full rate through the movement before",
        ("a run at full rate", "drop: feet from above", OVERBEAR),
    )


def _all_tacklers(state: FightState, blow: Blow) -> tuple[Combatant, ...]:
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
        return (Check(paths.speed_now(state, foe) * 4 <= profile_of(foe).full_speed, "CS-470", problem, (TACKLE,)),)
    return ()


# The roll


@strikes.settles_attack(TACKLE)
@strikes.settles_attack(OVERBEAR)
def settle_tackle(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """CS-467 to CS-470: a contest of bodies, with the difference in speed; overbearing, if the target stands."""
    state, referee = decision.state, decision.referee
    target = state.combatants[blow.target]
    people = _all_tacklers(state, blow)
    for combatant in people[1:]:
        enforce(friend_checks(state, blow, combatant), referee)
    for combatant in people:
        enforce(kind_checks(state, combatant, target, blow.attack, blow.drop), referee)
    ours, theirs = _tackle_sums(state, blow)
    av = Sum((Part("AV set by the GM", overrides.av, "CS-468"),)) if overrides.av is not None else ours
    dv = Sum((Part("DV set by the GM", overrides.dv, "CS-468"),)) if overrides.dv is not None else theirs
    label = "Tackle" if blow.attack == TACKLE else "Overbearing"
    contest = ContestPlan(
        blow, blow.attack, label, "CS-468", overrides.add_modifier(av), overrides.add_dv_modifier(dv), STAND
    )
    strikes.run_contest(
        decision, contest, _end_tackle, chance=overrides.chance, dv_chance=overrides.dv_chance, hit=overrides.hit
    )


def _tackle_sums(state: FightState, blow: Blow) -> tuple[Sum, Sum]:
    """Both values of the Contested Roll, each less pain and Surprise (CS-468, CS-469)."""
    people, target = _all_tacklers(state, blow), state.combatants[blow.target]
    many = len(people) > 1
    ours = []
    for combatant in people:
        mph = own_mph(state, blow) if combatant.id == blow.attacker else paths.speed_now(state, combatant)
        ours.append(_tackler(state, combatant, mph, combatant.name if many else "", defensive=False))
    theirs = _tackler(state, target, paths.speed_now(state, target), target.name, defensive=True)
    totals = attacks.tackle(ours, theirs)
    our_sum = condition.add_deed(people[0], condition.AV, totals.attackers, target.id)
    return our_sum, condition.subtract_doubt(state, target, blow.attacker, totals.target)


def _tackler(state: FightState, combatant: Combatant, mph: Number, name: str, *, defensive: bool) -> Tackler:
    plain = attacks.base_av(_body_of(state, combatant), "CS-468")
    total = condition.subtract_penalties(state, combatant, plain, defensive=defensive)
    return Tackler(total.total, mph, name, total.parts)


# Results


def _end_tackle(decision: Decision, blow: Blow, outcome: Outcome) -> None:
    """CS-468: the target is held and brought down, or the attackers miss."""
    state = decision.state
    for combatant in _all_tacklers(state, blow):
        defences.pay(decision, replace(blow, attacker=combatant.id), Defence("", None, Guard()))
    defences.pay_defence(decision, blow, Defence(STAND, None, Guard(STAND)))
    combatant_id, is_hit = blow.attacker, outcome.winner == "attacker"
    if is_hit:
        decision.emit(
            events.Hit(
                who=combatant_id, attacker=combatant_id, target=blow.target, weapon=blow.weapon, margin=outcome.margin
            )
        )
        decision.emit(*hit_effects.fall_events(decision.state.combatants[blow.target]))
        decision.emit(*places.close_quarters_events(decision.state, blow.attacker, blow.target))
        paths.stop_movement(decision, decision.state.combatants[blow.target])
        blow_effects.judge_words(decision, blow, 0)
    else:
        decision.emit(events.Missed(who=combatant_id, attacker=combatant_id, target=blow.target, weapon=blow.weapon))
        decision.emit(*blow_effects.miss_presence(blow), *blow_effects.offer_reprisal(decision.state, blow))
    strikes.end_attack(decision, blow, is_hit)


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
    if limb and overrides.hit is None and _is_much_larger(decision.state, blow):
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
    speed = Part("target's speed in mph", paths.speed_now(state, target), "CS-444")
    decision.emit(events.Hit(who=by, attacker=by, target=combatant_id, weapon=LINE))
    blow = Blow(by, combatant_id, kind=OPPORTUNITY, weapon=LINE, attack=line)
    hit_effects.apply_line(decision, blow, Force(Sum((speed,)), "blunt"))
