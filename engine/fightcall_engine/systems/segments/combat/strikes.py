"""Strikes, contests of body against body, and further blows (CS-340 to CS-371, CS-447 to CS-480)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Check, enforce, first_broken
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import TraitsChanged
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.systems.segments.combat import attack_values, blow_effects, defences, feats, hit_effects, shooting
from fightcall_engine.systems.segments.combat.attack_values import KICK
from fightcall_engine.systems.segments.combat.blow_effects import Force
from fightcall_engine.systems.segments.combat.defences import Defence, defence_less_doubt, dodge_checks, dodge_defence
from fightcall_engine.systems.segments.combat.wound_effects import end_rally
from fightcall_engine.systems.segments.rules import attacks, formulas
from fightcall_engine.systems.segments.rules.attacks import Body, Tackler, roll_kind
from fightcall_engine.systems.segments.rules.formulas import Number, Part, Sum, exact, halved_by_time
from fightcall_engine.systems.segments.rules.ranges import at_least, without_floor
from fightcall_engine.systems.segments.rules.wounds import knock_back_of
from fightcall_engine.systems.segments.state import condition, events, items, paths, places, queries, records, rolls
from fightcall_engine.systems.segments.state.commands import Opportunity, Reprise, Resolve
from fightcall_engine.systems.segments.state.records import Action, Blow, Guard, Overrides, fighter_of, profile_of
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.small_acts import settle_action
from fightcall_engine.systems.segments.state.weapon_uses import item_of, people_of

Winner: TypeAlias = Literal["attacker", "defender", "nobody"]
"""The winner of a Contested Roll."""

MOST_REROLLS = 50
"""Rerolled ties after which the defender wins (A-17)."""


# Strikes, from the roll to hit or miss (CS-262, CS-412, CS-443, CS-475 to CS-482)


def strike_now(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """Make an attack whose checks have passed: numbers, dice, and all that follows (CS-475 to CS-482)."""
    if overrides.chance is not None:
        rolls.valid_chance(overrides.chance)
    SPECIAL_ATTACKS.get(blow.attack, resolve_strike)(decision, blow, overrides)


def resolve_strike(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """Roll a strike: a weapon's AV against a defence's DV; the defender rolls too if it is contested (A-04, A-05)."""
    state = decision.state
    defence = defences.choose_defence(state, blow, decision.referee)
    blow = replace(blow, guard=defence.guard)
    av_sum, dv_sum = value_of(state, blow, overrides), difficulty_of(state, blow, defence, overrides)
    av, dv = (None if total is None else rolls.rounded(total) for total in (av_sum, dv_sum))
    own = rolls.make_check(
        decision, blow.attacker, "attack" if blow.in_turn else blow.kind, av_sum, dv_sum, "CS-475",
        _question(state, blow, defence.label, format_numbers(av, dv)),
        target=blow.target, chance=overrides.chance, hit=overrides.hit,
    )  # fmt: skip
    if own is None:
        return
    blow = replace(_unguarded_by_leavers(decision.state, blow), heroic=own.heroic)
    # The fight's readings may let the defender roll too (CS-262, CS-480).
    is_undefended, settings = (
        blow.is_met_by(records.NONE, attack_values.STILL, attack_values.ACTIVE),
        settings_of(state),
    )
    is_contested = roll_kind(blow.roll, settings.melee_roll, settings.hurled_roll) == "contested"
    if own.roll is None or is_undefended or not is_contested:
        apply_roll(decision, blow, own.ok, own.margin, av)
        return
    people, defender = decision.state.combatants, _guard_against(decision.state, blow).by or blow.target
    other = rolls.make_check(
        decision, defender, "defence", dv, av, "M-02",
        f"{people[defender].name} defends against {people[blow.attacker].name}: {format_numbers(dv, av)}",
        requested=False, target=blow.attacker, about=(blow.target,), chance=overrides.dv_chance, purpose="defence",
    )  # fmt: skip
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    blow = _unguarded_by_leavers(decision.state, blow)
    if other is None or other.roll is None:
        apply_roll(decision, blow, own.ok and (other is None or not other.ok), own.margin, av)
        return
    duel = compare(decision, own, other, blow.attacker, defender)
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    blow = _unguarded_by_leavers(decision.state, blow)
    _end_duel(decision, replace(blow, heroic=duel.first.heroic), duel, defender, av)


def _unguarded_by_leavers(state: FightState, blow: Blow) -> Blow:
    is_gone = blow.guard is not None and bool(blow.guard.by) and blow.guard.by not in state.combatants
    return replace(blow, guard=None) if is_gone else blow


def _guard_against(state: FightState, blow: Blow) -> Guard:
    """The defence that a blow was rolled against; the best one if that friend has left."""
    return blow.guard or defences.choose_defence(state, blow).guard


@frozen
class Duel:
    """The rolls of both sides that count, and who wins by the margins."""

    winner: Winner
    first: rolls.Verdict
    second: rolls.Verdict


def compare(decision: Decision, first: rolls.Verdict, second: rolls.Verdict, attacker: str, defender: str) -> Duel:
    """M-02, A-17: the larger margin wins, ties by the fight's reading; after a reroll only the last rolls count."""
    tie = settings_of(decision.state).contested_tie
    for _ in range(MOST_REROLLS):
        winner = formulas.contest(first.numbers, second.numbers, tie)
        if winner != "reroll":
            return Duel(winner, first, second)
        first = _again(decision, attacker, first, defender, "check")
        second = _again(decision, defender, second, attacker, "defence")
    return Duel("defender", first, second)


def _again(decision: Decision, combatant_id: str, before: rolls.Verdict, target: str, purpose: str) -> rolls.Verdict:
    chance = before.numbers.chance
    return rolls.roll_check(decision, combatant_id, before.what, chance, purpose=purpose, target=target) or before


def _end_duel(decision: Decision, blow: Blow, duel: Duel, defender: str, av: int | None) -> None:
    """CS-639: a Heroic Effect of one side counts before the margins do, unless both have one."""
    hit, margin, great = duel.winner == "attacker", duel.first.margin, duel.second.heroic
    at_once = feats.token_mode(decision.state) != "token"
    if not (at_once and blow.heroic != great and (great if hit else blow.heroic)):
        apply_roll(decision, blow, hit, margin, av)
        if at_once and great and not hit:
            decision.spawn(feats.offer_defence_feat, blow)
        return
    loser, other = (defender, blow.attacker) if hit else (blow.attacker, blow.target)
    choice = feats.ask_overturn(decision, loser, other, "heroic_lost", attacks=not hit, doubles=not hit)
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    is_overturned = choice in ("achieved", "double", "incapacitated")
    blow = replace(_unguarded_by_leavers(decision.state, blow), heroic=False, doubled=choice == "double")
    apply_roll(decision, blow, hit != is_overturned, 0 if is_overturned else margin, av)
    target = decision.state.combatants[blow.target]
    if is_overturned and hit and blow_effects.open_offer(decision.state, target) is None:
        decision.emit(*blow_effects.offer_reprisal(decision.state, blow, always=True))
    if choice not in ("achieved", ""):
        feats.apply_pick(decision, loser, choice, blow.target if loser == blow.attacker else blow.attacker)


def apply_roll(decision: Decision, blow: Blow, hit: bool, margin: int, av: int | None = None) -> None:
    """Apply a roll: uses and Endurance, hit or miss, and the end of its Action; `av` counts for a stray shot."""
    state = decision.state
    guard = _guard_against(state, blow)
    defences.count_uses(decision, blow, guard, *defences.BOTH)
    hit_effects.release_used(decision, (blow.attacker, blow.weapons), (guard.by or blow.target, guard.items))
    defences.pay(decision, blow, guard, *defences.BOTH)
    if hit:
        shooting.land_blow(decision, blow, margin)
    else:
        decision.emit(_missed_by(blow))
        decision.emit(*blow_effects.lose_presence(blow))
    decision.emit(*shooting.empty_crossbow(decision.state, blow))
    if not hit:
        decision.emit(*blow_effects.offer_reprisal(decision.state, blow))
    end_attack(decision, blow, hit)
    if blow.kind == records.HURLED:
        decision.emit(*items.drop_events(decision.state.combatants[blow.attacker], blow.weapon))
    if blow.ranged and not hit:
        # It flies on with the STR it was loosed with, though its Action is settled by now (CS-526, CS-622).
        shooting.begin_stray_fire(decision, hit_effects.with_strength(state, blow), av)
    shooting.notice_shooter(decision, blow)


def overrides_of(command: Resolve | Opportunity | Reprise) -> Overrides:
    """The overrides of a command."""
    return Overrides(
        av=command.av, dv=command.dv, modifier=command.modifier, dv_modifier=command.dv_modifier, reason=command.reason,
        chance=command.chance, dv_chance=None if isinstance(command, Reprise) else command.dv_chance,
        hit=command.hit,
    )  # fmt: skip


def value_of(state: FightState, blow: Blow, overrides: Overrides) -> Sum | None:
    """The AV rolled, as computed or set by the GM, or None."""
    return overrides.ruled_av(attack_values.av_of(state, blow))


def difficulty_of(state: FightState, blow: Blow, defence: Defence, overrides: Overrides) -> Sum | None:
    """The DV, computed or by GM ruling; at least 1 against the still, halved for twice the time (CS-129)."""
    is_still, plain = defence.label == attack_values.STILL, defence.total
    total = overrides.ruled_dv(without_floor(plain) if is_still and plain is not None else plain)
    if total is None:
        return None
    if blow.in_turn and queries.action_of(state.combatants[blow.attacker]).double_time:
        total = halved_by_time(total)
    return at_least(total) if is_still else total


def format_numbers(av: int | None, dv: int | None) -> str:
    """AV and DV in words, with a question mark for an unknown one."""
    return f"AV {'?' if av is None else av} against DV {'?' if dv is None else dv}"


def _question(state: FightState, blow: Blow, defence: str, numbers: str) -> str:
    combatant, target = people_of(state, blow)
    how = f" ({defence})" if defence != records.NONE else ", undefended"
    flight = attack_values.describe_flight(state, blow) if blow.ranged else ""
    bare = f" with {items.BARE}" if blow.weapon == items.BARE else ""
    return f"{combatant.name} against {target.name}{bare}{how}{f', {flight}' if flight else ''}: {numbers}"


# Further blows of a declared attack


def is_extra(action: Action, blow: Blow) -> bool:
    """Whether a blow is a Brawler's kick, stomp or knee beside a Combination (CS-370)."""
    return action.kind == queries.COMBINATION and blow.weapon not in (action.weapon, action.second)


def is_brawler(combatant: Combatant) -> bool:
    """CS-370: whether a combatant has the Brawling skill."""
    return profile_of(combatant).skill("brawling", "brawl", "brawler") is not None


def is_in_close(state: FightState, blow: Blow) -> bool:
    """Whether attacker and target fight at close quarters (CS-315)."""
    combatant, target = people_of(state, blow)
    return places.melee_mode(state, combatant, target) == places.CLOSE


def end_attack(decision: Decision, blow: Blow, hit: bool) -> None:
    """End an attack of the due Action, resolved after its last weapon (CS-340), or a rally out of turn (CS-622)."""
    state = decision.state
    if not blow.in_turn:
        decision.emit(*end_rally(state, blow.attacker))
        return
    combatant = state.combatants[blow.attacker]
    action = queries.action_of(combatant)
    if not action.is_open:
        return
    hands = (attack_values.hand_of(combatant, item_of(combatant, name)) for name in blow.weapons)
    struck_hands = tuple(dict.fromkeys((*action.struck, *((KICK,) if is_extra(action, blow) else hands))))
    strike = f"{'hit' if hit else 'missed'} {state.combatants[blow.target].name}"
    outcome, has_hit = "; ".join(filter(None, (action.outcome, strike))), hit or action.has_hit
    # With a single weapon, the one struck at may be another than was declared (CS-111).
    targets = action.targets if action.second else (blow.target,)
    within = queries.changed_parts(combatant, struck=struck_hands, has_hit=has_hit, outcome=outcome, targets=targets)
    decision.emit(TraitsChanged(who=combatant.id, within=within))
    combatant = decision.state.combatants[combatant.id]
    if not more_to_strike(decision.state, combatant):
        how = queries.DONE if has_hit else queries.FAILED
        decision.emit(*settle_action(decision.state, combatant, how, outcome))


def more_to_strike(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """Weapons of the due Action that have yet to strike; after a Combination a Brawler's extra (CS-341, CS-370)."""
    action = queries.action_of(combatant)
    used_hands = action.struck
    if not action.is_open:
        return ()
    weapons = [action.weapon]
    if action.second and action.mode not in (records.CONCERT, records.MIXED):
        weapons.append(action.second)
    waiting = (name for name in weapons if attack_values.hand_of(combatant, item_of(combatant, name)) not in used_hands)
    weapons_left = tuple(waiting) if len(used_hands) < len(weapons) else ()
    if weapons_left or action.kind != queries.COMBINATION or not is_brawler(combatant) or KICK in used_hands:
        return weapons_left
    targets = queries.targets_of(state, action)
    blow = Blow(combatant.id, targets[0].id, weapon=items.BARE) if targets else None
    return (items.BARE,) if blow is not None and targets[0].able and is_in_close(state, blow) else ()


# Contests of body against body


Ending = Callable[[Decision, Blow, Winner, int], None]
"""What ends a contest: by its winner, and the attacker's margin of success."""


def run_contest(
    decision: Decision,
    blow: Blow,
    overrides: Overrides,
    av: Sum | None,
    dv: Sum | None,
    ending: Ending,
    *,
    label: str,
    rule: str,
    answer: str,
) -> None:
    """Roll for both bodies, then call `ending`; a Heroic Effect may overturn the result, or add to it (CS-639)."""
    if av is None:
        problem = "the Progressive scale is too short for the layers of armour"
        raise Refused("M-03", problem, ("av by hand",), final=True)
    for percentage in (overrides.chance, overrides.dv_chance):
        if percentage is not None:
            rolls.valid_chance(percentage)
    combatant, foe = people_of(decision.state, blow)
    own_av, own_dv = rolls.rounded(av), condition.rounded_or_none(dv)
    meets = f"{answer} {'?' if own_dv is None else own_dv}"
    first = rolls.make_check(
        decision, combatant.id, blow.attack, av, dv, rule,
        f"{combatant.name}, {label} {own_av}, on {foe.name}, who {meets}",
        target=foe.id, chance=overrides.chance, hit=overrides.hit,
    )  # fmt: skip
    if first is None:
        return
    if overrides.hit is not None:
        ending(decision, blow, "attacker" if overrides.hit else "defender", 0)
        return
    second = rolls.make_check(
        decision, foe.id, answer, own_dv, own_av, rule, f"{foe.name} {meets} against {combatant.name}'s {own_av}",
        requested=False, target=combatant.id, chance=overrides.dv_chance, purpose="defence",
    )  # fmt: skip
    if second is None:
        return
    duel = compare(decision, first, second, combatant.id, foe.id)
    if not {combatant.id, foe.id} <= decision.state.combatants.keys():
        return
    won, at_once = duel.winner == "attacker", feats.token_mode(decision.state) != "token"
    best, worst = (duel.first, duel.second) if won else (duel.second, duel.first)
    winner, loser = (combatant.id, foe.id) if won else (foe.id, combatant.id)
    if not (at_once and worst.heroic and not best.heroic):
        ending(decision, blow, duel.winner, duel.first.margin)
        if at_once and best.heroic:
            decision.spawn(feats.offer_contest_feat, winner, loser)
        return
    choice = feats.ask_overturn(decision, loser, winner, "heroic_contest", attacks=not won)
    if choice in ("achieved", "incapacitated"):
        ending(decision, blow, "defender" if won else "attacker", 0)
    elif choice:
        ending(decision, blow, duel.winner, duel.first.margin)
    if choice not in ("achieved", ""):
        feats.apply_pick(decision, loser, choice, winner)


BODY_CHECK = "body_check"

PHASE_PULSES = 9
"""Pulses at full rate in a run through a whole movement phase; its first one is at half (CS-232)."""


def _body_of(state: FightState, combatant: Combatant) -> Body:
    profile = profile_of(combatant)
    return Body(profile.mods.agl, profile.msta, profile.mods.str, condition.strength_of(state, combatant).total)


def own_mph(state: FightState, blow: Blow) -> Number:
    """The attacker's speed in mph, set by the GM or as it moves (CS-455)."""
    if blow.charge is not None:
        return exact(blow.charge)
    return paths.speed_now(state, state.combatants[blow.attacker])


def _body_check_defences(state: FightState, blow: Blow) -> tuple[Defence, ...]:
    """CS-456: the target's responses, the better one first; a Dodge only if possible."""
    combatant, target = people_of(state, blow)
    stand = condition.subtract_penalties(state, target, attacks.base_av(_body_of(state, target)), defensive=True)
    answers = [Defence(records.STAND, stand, Guard(records.STAND))]
    dodge = dodge_defence(state, blow).total
    if dodge is not None and first_broken(dodge_checks(state, blow)) is None:
        better = attacks.evade_av(dodge.total, profile_of(target).msta, profile_of(combatant).msta).parts[1:]
        answers.append(Defence(records.DODGE, Sum((*dodge.parts, *better)), defences.DODGING))
    answers = [defence_less_doubt(state, blow, each) for each in answers]
    return tuple(sorted(answers, key=lambda defence: defence.worth or 0, reverse=True))


def choose_defence(state: FightState, blow: Blow) -> Defence:
    """The named response, or the better one."""
    options = _body_check_defences(state, blow)
    if blow.guard is None:
        return options[0]
    match = next((defence for defence in options if blow.is_met_by(defence.guard.way) and not blow.guard.items), None)
    if match is not None:
        return match
    target = state.combatants[blow.target]
    if blow.guard != defences.DODGING:
        raise Refused(
            "CS-456", f"{str(blow.guard)!r} doesn't answer a Body Check", (records.STAND, records.DODGE), final=True
        )
    broken = first_broken(dodge_checks(state, blow))
    if broken is not None:
        raise Refused(broken.rule, broken.message, (records.STAND,), final=True)
    better = max(0, profile_of(state.combatants[blow.attacker]).msta - profile_of(target).msta)
    problem = f"{target.name} has no Dodge on the sheet: enter dv (Dodge + {better} for size)"
    raise Refused("CS-456", problem, (records.STAND,), final=True)


def settle_body_check(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """CS-455, CS-456: resolve a Body Check by a Contested Roll; against a much larger target, ask the GM first."""
    state = decision.state
    dodges_by_gm = overrides.dv is not None and blow.guard == defences.DODGING
    defence = Defence(records.DODGE, None, defences.DODGING) if dodges_by_gm else choose_defence(state, blow)
    guard = defence.guard
    blow = replace(blow, guard=guard)
    if overrides.hit is None and _is_much_larger(state, blow):
        bounces = hit_effects.bounces_off(decision, blow, "CS-466")
        if bounces is None:
            return
        if bounces:
            _end_body_check(decision, blow, "defender", 0, wall=True)
            return
        options = _body_check_defences(decision.state, blow)
        defence = next((each for each in options if each.guard == guard), Defence(guard.way, None, guard))
    # The AV is unknown if the GM's scale does not reach it.
    state = decision.state
    combatant = state.combatants[blow.attacker]
    sizes = (thing.get("size") for thing in items.items_in_hand(combatant).values() if items.is_shield(thing))
    shield_size = max((exact(size) for size in sizes if isinstance(size, int | float)), default=exact(0))
    body, mph, layers = _body_of(state, combatant), own_mph(state, blow), len(fighter_of(combatant).armour)
    total = condition.dv_of(
        state, lambda scale: attacks.attack_av(body, mph, shield_size=shield_size, layers=layers, scale=scale)
    )
    if total is not None:
        less = condition.subtract_penalties(state, combatant, total, defensive=False)
        total = condition.add_deed(combatant, condition.AV, less, blow.target)
    av = overrides.ruled_av(total, "CS-455")
    dv = overrides.ruled_dv(defence.total, "CS-456", defence.label)
    run_contest(decision, blow, overrides, av, dv, _end_body_check, label="Body Check", rule="CS-455", answer=guard.way)


def _is_much_larger(state: FightState, blow: Blow) -> bool:
    combatant, target = people_of(state, blow)
    return _body_of(state, target).weight >= 2 * _body_of(state, combatant).weight


def _end_body_check(decision: Decision, blow: Blow, winner: Winner, margin: int, *, wall: bool = False) -> None:
    """CS-457 to CS-465: the target is thrown back, dodges, the attacker bounces off, or both halt."""
    answer = blow.guard or STANDING
    defences.count_uses(decision, blow, answer, "defence")
    defences.pay(decision, blow, answer, *defences.BOTH)
    if winner == "attacker":
        _throw_back(decision, blow, margin)
    else:
        decision.emit(_missed_by(blow))
        if wall or (winner == "defender" and not answer.dodges):
            # The attacker bounces off, by the mirrored formula; nobody is hurt (CS-459, A-34).
            combatant, target = people_of(decision.state, blow)
            feet = _feet(decision.state, blow, target.id, combatant.id)
            _emit_meeting(decision, blow, "rebound", feet)
            way = blow_effects.way_for(decision.state, combatant, target.id, rolls.rounded(feet), None)
            driven = knock_back_of(rolls.rounded(feet), 0, way.barrier)
            if driven is not None:
                blow_effects.knock_back(decision, combatant.id, target.id, driven, way)
            _halt(decision, combatant.id)
        elif winner == "defender":
            # The attacker must keep its own feet (M-24).
            _emit_meeting(decision, blow, "dodged")
            agl = condition.value_of(decision.state, decision.state.combatants[blow.attacker], "AGL", "CS-461")
            dv = attacks.balance_dv(own_mph(decision.state, blow))
            decision.spawn(blow_effects.keep_feet, blow.attacker, agl, dv, "CS-461", "meets no one")
        else:
            _emit_meeting(decision, blow, "halted")
            decision.emit(*places.close_quarters_events(decision.state, blow.attacker, blow.target))
            _halt(decision, blow.attacker)
            _halt(decision, blow.target)
        decision.emit(
            *blow_effects.lose_presence(blow), *blow_effects.offer_reprisal(decision.state, blow, always=True)
        )
    end_attack(decision, blow, winner == "attacker")


def _emit_meeting(decision: Decision, blow: Blow, how: str, feet: Sum | None = None) -> None:
    parts = () if feet is None else rolls.parts_of(feet)
    worth = 0 if feet is None else rolls.rounded(feet)
    decision.emit(condition.BodiesMet(who=blow.attacker, target=blow.target, outcome=how, feet=worth, parts=parts))


def _feet(state: FightState, blow: Blow, mover: str, thrown_id: str) -> Sum:
    people = state.combatants
    mover_sta, thrown_sta = profile_of(people[mover]).msta, profile_of(people[thrown_id]).msta
    return attacks.thrown_feet(own_mph(state, blow), mover_sta, thrown_sta, paths.speed_now(state, people[blow.target]))


def _throw_back(decision: Decision, blow: Blow, margin: int) -> None:
    """CS-457, CS-463 to CS-465: throw the target back and hurt it; the lesser body must keep its feet."""
    state = decision.state
    combatant, target = people_of(state, blow)
    feet = _feet(state, blow, combatant.id, target.id)
    mph = own_mph(state, blow) or paths.speed_now(state, target)
    attacker_body, target_body = _body_of(state, combatant), _body_of(state, target)
    decision.emit(_hit_by(blow, margin))
    _emit_meeting(decision, blow, "thrown", feet)
    if blow.harm:
        hit_effects.apply_hit(decision, blow)
    else:
        total = attacks.damage_pot(mph, attacker_body, target_body)
        if blow.pot is not None:
            total = Sum((Part("POT set by the GM", blow.pot, "CS-530"),))
        shields = hit_effects.shield_in_way(state, blow)
        through = blow_effects.apply_blow(
            decision, Force(total, "blunt"), target.id, combatant.id, barrier=blow.barrier, shields=shields,
            feet_by_gm=rolls.rounded(feet),
        )  # fmt: skip
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
    profile, agl = profile_of(combatant), condition.value_of(state, combatant, "AGL", "CS-463")
    acrobat, dancer = (max(profile.skill(trade) or 0, profile.trade_sl(trade)) for trade in ("acrobat", "dancer"))
    footing = attacks.footing_av(0, acrobat, dancer) if combatant_id == blow.target else attacks.footing_av(0)
    total = Sum((*agl.parts, *footing.parts[1:]))
    dv = condition.dv_of(state, lambda scale: attacks.footing_dv(mph, own, other, scale))
    decision.spawn(blow_effects.keep_feet, combatant_id, total, dv, "CS-463", "stays on the feet")


def _hit_by(blow: Blow, margin: int) -> events.Hit:
    return events.Hit(who=blow.attacker, attacker=blow.attacker, target=blow.target, weapon=blow.weapon, margin=margin)


def _missed_by(blow: Blow) -> events.Missed:
    return events.Missed(who=blow.attacker, attacker=blow.attacker, target=blow.target, weapon=blow.weapon)


def _halt(decision: Decision, combatant_id: str) -> None:
    paths.stop_movement(decision, decision.state.combatants[combatant_id])


# Bringing a combatant down


TACKLE, OVERBEAR = "tackle", "overbear"
STANDING = Guard(records.STAND)


def _all_tacklers(state: FightState, blow: Blow) -> tuple[Combatant, ...]:
    ids = dict.fromkeys((blow.attacker, *blow.people))
    return tuple(combatant_of(state, combatant_id) for combatant_id in ids)


def kind_checks(
    state: FightState, combatant: Combatant, foe: Combatant, kind: str, drop: float = 0.0
) -> tuple[Check, ...]:
    """Further checks of a tackle or overbearing (CS-467, CS-470); none for other types of attack."""
    if kind == TACKLE:
        # It needs the maximum rate through the movement phase before, or a drop from above (CS-702).
        fighter = fighter_of(combatant)
        is_at_full_rate = fighter.rate == "full" and fighter.speed > 0
        if settings_of(state).pulse_movement:
            is_at_full_rate = fighter.sprint >= PHASE_PULSES
        is_above = drop > 0 or attack_values.elevation(state, combatant) > attack_values.elevation(state, foe)
        problem = f"{combatant.name} didn't run at full rate through the movement before"
        accepts = ("a run at full rate", "drop: feet from above", OVERBEAR)
        return (Check(attacks.may_tackle(is_at_full_rate, is_above), "CS-467", problem, accepts),)
    if kind == OVERBEAR:
        problem = f"{foe.name} isn't standing still, or nearly still"
        return (Check(paths.speed_now(state, foe) * 4 <= profile_of(foe).full_speed, "CS-470", problem, (TACKLE,)),)
    return ()


def settle_tackle(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """CS-467 to CS-470: a contest of bodies, with the difference in speed; overbearing, if the target stands."""
    state, referee = decision.state, decision.referee
    target = state.combatants[blow.target]
    leader, *friends = people = _all_tacklers(state, blow)
    for friend in friends:
        is_comrade = friend.id != target.id and not state.are_foes(leader.id, friend.id)
        stranger = f"{friend.name} isn't tackling with {leader.name}"
        reach = attack_values.reach_checks(state, friend, target, replace(blow, attacker=friend.id))
        comrade_check = Check(is_comrade, "CS-469", stranger, ("a comrade",))
        enforce((queries.able_check(friend, "CS-111"), comrade_check, *reach), referee)
    for combatant in people:
        enforce(kind_checks(state, combatant, target, blow.attack, blow.drop), referee)
    # Both values are less pain and Surprise.
    ours = []
    for combatant in people:
        mph = own_mph(state, blow) if combatant is leader else paths.speed_now(state, combatant)
        ours.append(_tackler(state, combatant, mph, combatant.name if friends else "", defensive=False))
    theirs = _tackler(state, target, paths.speed_now(state, target), target.name, defensive=True)
    totals = attacks.tackle(ours, theirs)
    av = overrides.ruled_av(condition.add_deed(leader, condition.AV, totals.attackers, target.id), "CS-468")
    dv = overrides.ruled_dv(condition.subtract_doubt(state, target, leader.id, totals.target), "CS-468")
    run_contest(
        decision, blow, overrides, av, dv, _end_tackle,
        label="Tackle" if blow.attack == TACKLE else "Overbearing", rule="CS-468", answer=records.STAND,
    )  # fmt: skip


def _tackler(state: FightState, combatant: Combatant, mph: Number, name: str, *, defensive: bool) -> Tackler:
    plain = attacks.base_av(_body_of(state, combatant), "CS-468")
    total = condition.subtract_penalties(state, combatant, plain, defensive=defensive)
    return Tackler(total.total, mph, name, total.parts)


def _end_tackle(decision: Decision, blow: Blow, winner: Winner, margin: int) -> None:
    for combatant in _all_tacklers(decision.state, blow):
        defences.pay(decision, replace(blow, attacker=combatant.id), STANDING, "attack")
    defences.pay(decision, blow, STANDING, "defence")
    if winner == "attacker":
        decision.emit(_hit_by(blow, margin))
        decision.emit(*blow_effects.fall_events(decision.state.combatants[blow.target]))
        decision.emit(*places.close_quarters_events(decision.state, blow.attacker, blow.target))
        _halt(decision, blow.target)
        blow_effects.judge_words(decision, blow, 0)
    else:
        decision.emit(_missed_by(blow))
        decision.emit(*blow_effects.lose_presence(blow), *blow_effects.offer_reprisal(decision.state, blow))
    end_attack(decision, blow, winner == "attacker")


SHOVE, CLOTHESLINE, TRIP = "shove", "clothesline", "trip"


# Stopping a combatant with an arm or a shoulder

LINES = (TRIP, CLOTHESLINE)
"""Attacks that can be prepared as a line; a combatant who is surprised by one runs into it (CS-446)."""


def settle_limb_strike(decision: Decision, blow: Blow, overrides: Overrides) -> None:
    """CS-447: a strike with a limb; against twice the size and STR, except by trip or weapon, ask the GM first."""
    limb = blow.weapon == items.BARE
    if limb and overrides.hit is None and _is_much_larger(decision.state, blow):
        bounces = hit_effects.bounces_off(decision, blow, "CS-447")
        if bounces:
            apply_roll(decision, replace(blow, guard=defences.choose_defence(decision.state, blow).guard), False, 0)
        if bounces is not False:
            return
    resolve_strike(decision, blow, overrides)


def run_into_line(decision: Decision, by: str, combatant_id: str, line: str) -> None:
    """CS-444, CS-446: a combatant surprised by a line runs into it at their own speed; ask whether they fall."""
    state = decision.state
    target = state.combatants[combatant_id]
    speed = Part("target's speed in mph", paths.speed_now(state, target), "CS-444")
    blow = Blow(by, combatant_id, kind=records.OPPORTUNITY, weapon="a line", attack=line)
    decision.emit(events.Hit(who=by, attacker=by, target=combatant_id, weapon=blow.weapon))
    force = Force(Sum((speed,)), "blunt")
    if force.pot:
        blow_effects.apply_blow(decision, force, combatant_id, by, feet_by_gm=0)
    decision.spawn(hit_effects.ask_fall, blow)


SPECIAL_ATTACKS: Mapping[str, Callable[[Decision, Blow, Overrides], None]] = {
    BODY_CHECK: settle_body_check,
    TACKLE: settle_tackle,
    OVERBEAR: settle_tackle,
    SHOVE: settle_limb_strike,
    CLOTHESLINE: settle_limb_strike,
}
"""Types of attack that are resolved in a way of their own."""
