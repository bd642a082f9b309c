"""Strikes and Contested Rolls, further blows, and Reprisals (CS-340 to CS-371, CS-475 to CS-487)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeAlias

from fightcall_engine.board.base import Location
from fightcall_engine.kit.checks import Check, Referee, enforce
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.movement import chosen_way, contacts_of_move, facing_after, is_on_board
from fightcall_engine.kit.prompts import prompt_for, question_check, record_answer
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer, Move
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import ContactLeft, Events, TraitsChanged
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.combat import (
    attack_values,
    blow_effects,
    defences,
    feats,
    hit_effects,
    shots,
    stray_fire,
    wound_effects,
)
from fightcall_engine.systems.segments.combat.attack_values import KICK
from fightcall_engine.systems.segments.combat.defences import Defence
from fightcall_engine.systems.segments.rules import attacks, numbers
from fightcall_engine.systems.segments.rules.attacks import HurledRoll, MeleeRoll, Trade, roll_kind
from fightcall_engine.systems.segments.rules.clock import halved_by_time
from fightcall_engine.systems.segments.rules.numbers import Number, Part, Sum, exact
from fightcall_engine.systems.segments.rules.ranges import Field, at_least, without_floor
from fightcall_engine.systems.segments.state import (
    commands,
    condition,
    events,
    items,
    paths,
    places,
    queries,
    rolls,
    settings,
    small_acts,
    weapon_uses,
)
from fightcall_engine.systems.segments.state.records import (
    CONCERT,
    HURLED,
    MIXED,
    NONE,
    REPRISAL,
    Action,
    Blow,
    Overrides,
    fighter_of,
    profile_of,
)
from fightcall_engine.systems.segments.state.rolls import AskedBlow, Verdict
from fightcall_engine.systems.segments.state.settings import settings_of
from fightcall_engine.systems.segments.state.weapon_uses import bare_if_unarmed, item_of, people_of, with_harm

Winner: TypeAlias = Literal["attacker", "defender", "nobody"]
"""The winner of a Contested Roll."""

LOST_CONTEST = "heroic_contest"
"""The kind of the question about a Heroic Effect that lost."""

MOST_REROLLS = 50
"""Rerolled ties after which the defender wins (A-17)."""

LOST = "heroic_lost"
"""The kind of the question about a Heroic Effect that lost a Contested Roll."""

MOVING_OFF = "moving_off"
"""The kind of the question where a combatant moves who has traded a Reprisal."""


@frozen
class Duel:
    """The rolls of both sides that count, and who wins by the margins."""

    winner: Winner
    first: Verdict
    second: Verdict


def compare(decision: Decision, first: Verdict, second: Verdict, attacker: str, defender: str) -> Duel:
    """M-02, A-17: the larger margin wins, ties by the fight's reading; after a reroll only the last rolls count."""
    tie = settings_of(decision.state).contested_tie
    for _ in range(MOST_REROLLS):
        winner = numbers.contest(first.numbers, second.numbers, tie)
        if winner != "reroll":
            return Duel(winner, first, second)
        first = _again(decision, attacker, first, defender, "check")
        second = _again(decision, defender, second, attacker, "defence")
    return Duel("defender", first, second)


def _again(decision: Decision, combatant_id: str, before: Verdict, target: str, purpose: str) -> Verdict:
    chance = before.numbers.chance
    return rolls.roll_check(decision, combatant_id, before.what, chance, purpose=purpose, target=target) or before


@frozen
class Outcome:
    """The result of a Contested Roll: the winner, and the attacker's margin of success."""

    winner: Winner
    margin: int = 0


@frozen
class ContestPlan:
    """A Contested Roll of body against body to be made, with its name as a check and in words."""

    blow: Blow
    name: str
    label: str
    rule: str
    av: Sum
    dv: Sum | None
    answer: str


def run_contest(
    decision: Decision,
    plan: ContestPlan,
    ending: Callable[[Decision, Blow, Outcome], None],
    *,
    chance: int | None = None,
    dv_chance: int | None = None,
    hit: bool | None = None,
) -> None:
    """Roll for both sides and resolve the contest, with any numbers by the GM, then call `ending`.

    CS-639: a Heroic Effect that lost may count before the margins do; one that won may bring more.
    """
    for percentage in (chance, dv_chance):
        if percentage is not None:
            rolls.valid_chance(percentage)
    blow, (combatant, foe) = plan.blow, people_of(decision.state, plan.blow)
    av, dv = rolls.rounded(plan.av), None if plan.dv is None else rolls.rounded(plan.dv)
    meets = f"{plan.answer} {'?' if dv is None else dv}"
    first = rolls.make_check(
        decision, combatant.id, plan.name, plan.av, plan.dv, plan.rule,
        f"{combatant.name}, {plan.label} {av}, on {foe.name}, who {meets}",
        target=foe.id, chance=chance, hit=hit,
    )  # fmt: skip
    if first is None:
        return
    if hit is not None:
        ending(decision, blow, Outcome("attacker" if hit else "defender"))
        return
    second = rolls.make_check(
        decision, foe.id, plan.answer, dv, av, plan.rule, f"{foe.name} {meets} against {combatant.name}'s {av}",
        requested=False, target=combatant.id, chance=dv_chance, purpose="defence",
    )  # fmt: skip
    if second is None:
        return
    duel = compare(decision, first, second, combatant.id, foe.id)
    if not {combatant.id, foe.id} <= decision.state.combatants.keys():
        return
    won = duel.winner == "attacker"
    outcome, at_once = Outcome(duel.winner, duel.first.margin), feats.has_immediate_effect(decision.state)
    best, worst = (duel.first, duel.second) if won else (duel.second, duel.first)
    winner, loser = (combatant.id, foe.id) if won else (foe.id, combatant.id)
    if at_once and worst.heroic and not best.heroic:
        choice = feats.ask_overturn(decision, loser, winner, LOST_CONTEST, attacks=not won)
        if choice is None:
            return
        if choice in ("achieved", "incapacitated"):
            outcome = Outcome("defender" if won else "attacker")
        ending(decision, blow, outcome)
        if choice != "achieved":
            feats.apply_pick(decision, loser, choice, winner)
        return
    ending(decision, blow, outcome)
    if at_once and best.heroic:
        decision.spawn(feats.offer_contest_feat, winner, loser)


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
    """End an attack: of the due Action, or out of turn after a rally (CS-340, CS-622)."""
    if blow.in_turn:
        _mark_struck(decision, blow, hit)
    else:
        decision.emit(*wound_effects.end_rally(decision.state, blow.attacker))


def _mark_struck(decision: Decision, blow: Blow, hit: bool) -> None:
    """Record that a weapon of the declared Action has struck, and resolve it after the last (CS-340, CS-341)."""
    state = decision.state
    combatant = state.combatants[blow.attacker]
    action = queries.action_of(combatant)
    if not action.is_open:
        return
    extra = is_extra(action, blow)
    hands = (
        (KICK,) if extra else tuple(attack_values.hand_of(combatant, item_of(combatant, name)) for name in blow.weapons)
    )
    struck_hands = tuple(dict.fromkeys((*action.struck, *hands)))
    outcome = "; ".join(filter(None, (action.outcome, _describe_strike(state, blow, hit))))
    has_hit = hit or action.has_hit
    # With a single weapon, the one struck at may be another than was declared (CS-111).
    targets = action.targets if action.second else (blow.target,)
    within = queries.changed_parts(combatant, struck=struck_hands, has_hit=has_hit, outcome=outcome, targets=targets)
    decision.emit(TraitsChanged(who=combatant.id, within=within))
    if not more_to_strike(decision.state, decision.state.combatants[combatant.id]):
        how = queries.DONE if has_hit else queries.FAILED
        decision.emit(*small_acts.settle_action(decision.state, decision.state.combatants[combatant.id], how, outcome))


def _describe_strike(state: FightState, blow: Blow, hit: bool) -> str:
    return f"{'hit' if hit else 'missed'} {state.combatants[blow.target].name}"


def more_to_strike(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """Weapons of the due Action that have yet to strike; after a Combination a Brawler's extra (CS-341, CS-370)."""
    action = queries.action_of(combatant)
    used_hands = action.struck
    if not action.is_open:
        return ()
    weapons = [action.weapon]
    if action.second and action.mode not in (CONCERT, MIXED):
        weapons.append(action.second)
    waiting = (name for name in weapons if attack_values.hand_of(combatant, item_of(combatant, name)) not in used_hands)
    weapons_left = tuple(waiting) if len(used_hands) < len(weapons) else ()
    if weapons_left or action.kind != queries.COMBINATION or not is_brawler(combatant) or KICK in used_hands:
        return weapons_left
    targets = queries.targets_of(state, action)
    blow = Blow(combatant.id, targets[0].id, weapon=items.BARE) if targets else None
    return (items.BARE,) if blow is not None and targets[0].able and is_in_close(state, blow) else ()


# Strikes, from the roll to hit or miss (CS-262, CS-412, CS-443, CS-475 to CS-482)


def overrides_of(command: commands.Resolve | commands.Opportunity | commands.Reprise) -> Overrides:
    """The overrides of a command."""
    return Overrides(
        av=command.av,
        dv=command.dv,
        modifier=command.modifier,
        dv_modifier=command.dv_modifier,
        reason=command.reason,
        chance=command.chance,
        dv_chance=None if isinstance(command, commands.Reprise) else command.dv_chance,
        hit=command.hit,
    )


Settling = Callable[[Decision, Blow, Overrides], None]
SPECIAL_ATTACKS: dict[str, Settling] = {}
"""Types of attack that are resolved in a way of their own, by key; modules register theirs."""


def settles_attack(attack: str) -> Callable[[Settling], Settling]:
    """Register a function in `SPECIAL_ATTACKS`."""

    def register(settling: Settling) -> Settling:
        SPECIAL_ATTACKS[attack] = settling
        return settling

    return register


# Rolling


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
        decision, blow.attacker, check_name(blow), av_sum, dv_sum, "CS-475",
        _question(state, blow, defence.label, format_numbers(av, dv)),
        target=blow.target, chance=overrides.chance, hit=overrides.hit,
    )  # fmt: skip
    if own is None:
        return
    blow = replace(_unguarded_by_leavers(decision.state, blow), heroic=own.heroic)
    if own.roll is None or not _is_contested(decision.state, blow):
        apply_roll(decision, blow, own.ok, own.margin, av)
        return
    people, defender = decision.state.combatants, _defence_of(decision.state, blow).by or blow.target
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


def _end_duel(decision: Decision, blow: Blow, duel: Duel, defender: str, av: int | None) -> None:
    """CS-639: a Heroic Effect of one side counts before the margins do, unless both have one."""
    hit, margin, great = duel.winner == "attacker", duel.first.margin, duel.second.heroic
    at_once = feats.has_immediate_effect(decision.state)
    if not (at_once and blow.heroic != great and (great if hit else blow.heroic)):
        apply_roll(decision, blow, hit, margin, av)
        if at_once and great and not hit:
            decision.spawn(feats.offer_defence_feat, blow)
        return
    loser, other = (defender, blow.attacker) if hit else (blow.attacker, blow.target)
    choice = feats.ask_overturn(decision, loser, other, LOST, attacks=not hit, doubles=not hit)
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    is_overturned = choice in ("achieved", "double", "incapacitated")
    blow = replace(_unguarded_by_leavers(decision.state, blow), heroic=False, doubled=choice == "double")
    apply_roll(decision, blow, hit != is_overturned, 0 if is_overturned else margin, av)
    target = decision.state.combatants[blow.target]
    if is_overturned and hit and blow_effects.open_offer(decision.state, target) is None:
        decision.emit(*blow_effects.offer_reprisal(decision.state, blow, always=True))
    if choice not in ("achieved", None):
        feats.apply_pick(decision, loser, choice, blow.target if loser == blow.attacker else blow.attacker)


def check_name(blow: Blow) -> str:
    """The name of the check of an attack."""
    return "attack" if blow.in_turn else blow.kind


def value_of(state: FightState, blow: Blow, overrides: Overrides) -> Sum | None:
    """The AV rolled, as computed or set by the GM, or None."""
    ruling = None if overrides.av is None else Sum((Part("AV set by the GM", overrides.av, "CS-475"),))
    total = ruling or attack_values.av_of(state, blow)
    return None if total is None else overrides.add_modifier(total)


def difficulty_of(state: FightState, blow: Blow, defence: Defence, overrides: Overrides) -> Sum | None:
    """The DV, as computed or set by the GM, with the GM's modifier; at least 1 against the still.

    CS-129: it is halved for an attack that is given twice its time.
    """
    ruling = None if overrides.dv is None else Sum((Part("DV set by the GM", overrides.dv, "CS-475"),))
    total = ruling or defence.total
    if total is None:
        return None
    is_still = defence.label == shots.STILL
    total = overrides.add_dv_modifier(without_floor(total) if is_still else total)
    if blow.in_turn and queries.action_of(state.combatants[blow.attacker]).double_time:
        total = halved_by_time(total)
    return at_least(total) if is_still else total


def format_numbers(av: int | None, dv: int | None) -> str:
    """AV and DV in words, with a question mark for an unknown one."""
    return f"AV {'?' if av is None else av} against DV {'?' if dv is None else dv}"


def _question(state: FightState, blow: Blow, defence: str, numbers: str) -> str:
    combatant, target = people_of(state, blow)
    how = f" ({defence})" if defence != NONE else ", undefended"
    flight = shots.describe_flight(state, blow) if blow.ranged else ""
    bare = f" with {items.BARE}" if blow.weapon == items.BARE else ""
    return f"{combatant.name} against {target.name}{bare}{how}{f', {flight}' if flight else ''}: {numbers}"


# Contested rolls


def _is_contested(state: FightState, blow: Blow) -> bool:
    """CS-262, CS-480: whether the fight's readings let the defender roll too."""
    if blow.is_met_by(NONE, shots.STILL, shots.ACTIVE):
        return False
    melee: MeleeRoll = settings_of(state).melee_roll
    hurled_roll: HurledRoll = settings_of(state).hurled_roll
    return roll_kind(blow.roll, melee, hurled_roll) == "contested"


# Costs and results


def apply_roll(decision: Decision, blow: Blow, hit: bool, margin: int, av: int | None = None) -> None:
    """Apply a roll: uses and Endurance, hit or miss, and the end of its Action; `av` counts for a stray shot."""
    state = decision.state
    defence = _defence_of(state, blow)
    defences.count_uses(decision, blow, defence)
    hit_effects.release_used(decision, blow.attacker, blow.weapons)
    hit_effects.release_used(decision, defence.by or blow.target, defence.items)
    defences.pay(decision, blow, defence)
    if hit:
        stray_fire.land_blow(decision, blow, margin)
    else:
        decision.emit(events.Missed(who=blow.attacker, attacker=blow.attacker, target=blow.target, weapon=blow.weapon))
        decision.emit(*blow_effects.miss_presence(blow))
    decision.emit(*shots.empty_crossbow(decision.state, blow))
    if not hit:
        decision.emit(*blow_effects.offer_reprisal(decision.state, blow))
    end_attack(decision, blow, hit)
    if blow.kind == HURLED:
        decision.emit(*items.drop_events(decision.state.combatants[blow.attacker], blow.weapon))
    if blow.ranged and not hit:
        # It flies on with the STR it was loosed with, though its Action is settled by now (CS-526, CS-622).
        stray_fire.begin_stray_fire(decision, hit_effects.with_strength(state, blow), av)
    decision.emit(*stray_fire.notice_archer(decision.state, blow))
    stray_fire.search_sniper(decision, blow)


def _defence_of(state: FightState, blow: Blow) -> Defence:
    return defences.choose_defence(state, blow, Referee("", "", True))


# Answers to a miss


AWAY, STAY = "away", "stay"


def reprise_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-441, CS-481: a Reprisal must be offered."""
    return (
        queries.able_check(combatant, "CS-111"),
        Check(
            blow_effects.open_offer(state, combatant) is not None,
            "CS-481",
            f"no one has just missed {combatant.name}",
            ("a miss",),
        ),
        question_check(state),
    )


def trade_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """CS-104, CS-484: moving away needs feet to stand on and free legs."""
    return (*reprise_checks(state, combatant), *paths.footing_checks(combatant))


def strike_back_checks(state: FightState, blow: Blow) -> tuple[Check, ...]:
    """CS-340, CS-483: the checks of the attack; earlier uses in this Action do not matter."""
    combatant = state.combatants[blow.attacker]
    reason = condition.why_restricted(state, combatant)
    return (
        Check(
            not reason,
            condition.surprise_rule(combatant),
            f"{combatant.name} is {reason}",
            (blow_effects.TRADE, blow_effects.DECLINE),
        ),
        *condition.line_checks(combatant, blow.line),
        *attack_values.blow_checks(state, blow),
    )


@handles(commands.Reprise)
def decide_reprise(decision: Decision, command: commands.Reprise) -> None:
    """CS-481: take the Reprisal, trade it, or decline."""
    state, referee = decision.state, decision.referee
    combatant = decision.combatant(command.who)
    if command.choice not in (blow_effects.TAKE, blow_effects.TRADE, blow_effects.DECLINE):
        raise Refused(
            "CS-481",
            f"unknown answer to a miss: {command.choice!r}",
            (blow_effects.TAKE, blow_effects.TRADE, blow_effects.DECLINE),
            final=True,
        )
    trade_prompt = open_trade_question(state, combatant)
    if trade_prompt is not None:
        _move_to(decision, trade_prompt, command)
        return
    prompt = blow_effects.open_offer(state, combatant)
    enforce(reprise_checks(state, combatant), referee)
    if prompt is None:
        raise Refused("CS-481", f"no one has just missed {combatant.name}", ("an Opportunity Action",), final=True)
    record = record_answer(prompt, command.choice, default=False)
    if command.choice == blow_effects.DECLINE:
        decision.emit(record, *_decline_reprisal(prompt))
    elif command.choice == blow_effects.TRADE:
        decision.emit(record)
        _trade_reprisal(decision, prompt, command)
    else:
        decision.emit(record)
        _take_reprisal(decision, blow_for(state, prompt, command), command)


@answers(blow_effects.REPRISAL_PROMPT)
def answer_reprisal(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Answer the offer: a common strike with the best weapon, moving away, or nothing."""
    state = decision.state
    command = commands.Reprise(who=prompt.who, choice=answer.choice)
    if answer.choice == blow_effects.TAKE:
        _take_reprisal(decision, blow_for(state, prompt, command), command)
        return
    if answer.choice == blow_effects.TRADE:
        _trade_reprisal(decision, prompt, command)
    else:
        decision.emit(*_decline_reprisal(prompt))


def _decline_reprisal(prompt: Prompt) -> Events:
    return (events.ReprisalDeclined(who=prompt.who, target=resume_of(prompt, AskedBlow).blow.target),)


def blow_for(state: FightState, prompt: Prompt, command: commands.Reprise) -> Blow:
    """The strike of a Reprisal."""
    blow = resume_of(prompt, AskedBlow).blow
    combatant, foe = people_of(state, blow)
    weapon = (
        items.name_of(items.find_item(combatant, command.weapon))
        if command.weapon
        else best_weapon(state, combatant, foe)
    )
    attack = settings.attack_key(state, command.attack) or attacks.COMMON_STRIKE
    if weapon == items.BARE and attack == attacks.COMMON_STRIKE:
        attack = "brawl"
    plain_blow = Blow(
        attacker=combatant.id,
        target=foe.id,
        kind=REPRISAL,
        weapon=weapon,
        attack=attack,
        missed=blow.missed,
        undodged=blow.undodged,
    )
    plain_blow = bare_if_unarmed(state, plain_blow)
    guard = defences.read_guard(state, plain_blow, command.defence)
    return with_harm(state, replace(plain_blow, guard=guard), command)


def best_weapon(state: FightState, combatant: Combatant, foe: Combatant) -> str:
    """The best weapon out of turn: of those in hand that reach the foe, the one with the highest AV now.

    Bare hands if no weapon is in a free hand that reaches the foe, but another hand does (CS-146, CS-302).
    """
    worth_of_name: dict[str, Number] = {}
    for thing in items.items_in_hand(combatant).values():
        if not (items.is_missile(thing) or items.is_shield(thing)):
            total = weapon_uses.worth_of(state, combatant, thing, "attack")
            worth_of_name[items.name_of(thing)] = -1 if total is None else total.total

    def merit(name: str) -> tuple[bool, bool, Number]:
        blow = Blow(combatant.id, foe.id, kind=REPRISAL, weapon=name)
        checks = (
            *attack_values.idle_checks(combatant, blow),
            *attack_values.field_checks(state, combatant, foe, blow),
        )
        in_field = all(check.holds for check in checks)
        reaches = all(check.holds for check in attack_values.reach_checks(state, combatant, foe, blow))
        return in_field, reaches and name in worth_of_name, worth_of_name.get(name, -2)

    return max((*worth_of_name, items.BARE), key=merit)


def _take_reprisal(decision: Decision, blow: Blow, command: commands.Reprise) -> None:
    """CS-482: strike at once, out of turn, with a simple roll."""
    state, referee = decision.state, decision.referee
    enforce(strike_back_checks(state, blow), referee)
    decision.emit(events.ReprisalTaken(who=blow.attacker, target=blow.target, attack=blow.attack))
    strike_now(decision, blow, overrides_of(command))


# Trading


def trade_of(state: FightState, combatant: Combatant) -> Trade:
    """CS-484, CS-485: the movement left, or without any a step as wide as its own Zone."""
    left = exact(paths.feet_left(state, combatant))
    return attacks.trade(left, profile_of(combatant).height)


def _trade_reprisal(decision: Decision, prompt: Prompt, command: commands.Reprise) -> None:
    """CS-484, CS-485: move at once, out of turn; on a board ask where to first."""
    state = decision.state
    combatant, foe = people_of(state, resume_of(prompt, AskedBlow).blow)
    enforce(paths.footing_checks(combatant), decision.referee)
    if command.to is None and places.can_measure(state, combatant):
        decision.offer(_where_prompt(combatant, foe, trade_of(state, combatant), prompt))
        return
    _move_off(decision, prompt, command)


def _where_prompt(combatant: Combatant, foe: Combatant, trade: Trade, question: Prompt) -> Prompt:
    return prompt_for(
        combatant,
        kind=MOVING_OFF,
        question=f"{combatant.name} moves away from {foe.name}, up to {float(trade.feet):g} ft. Where to?",
        rule="CS-484" if trade.kind == "move" else "CS-485",
        choices=(Choice(AWAY, "move to a place", "t", who=combatant.id), Choice(STAY, "stay in place", "n")),
        resume=resume_of(question, AskedBlow),
    )


def open_trade_question(state: FightState, combatant: Combatant) -> Prompt | None:
    """The open question where a combatant moves who has traded a Reprisal; play waits for it."""
    return next((prompt for prompt in state.prompts if prompt.kind == MOVING_OFF and prompt.who == combatant.id), None)


def take_traded_move(decision: Decision, command: Move) -> bool:
    """CS-484: move after trading, by the command that moves anybody; return False if no Reprisal was traded."""
    state = decision.state
    combatant = decision.combatant(command.who)
    trade_prompt, board = open_trade_question(state, combatant), state.board
    to = command.path[-1] if command.path else command.to
    if trade_prompt is None or board is None:
        return False
    traded = commands.Reprise(who=combatant.id, choice=blow_effects.TRADE, to=to)
    _move_to(decision, trade_prompt, traded, command.path)
    return True


def _move_to(decision: Decision, prompt: Prompt, command: commands.Reprise, path: tuple[Location, ...] = ()) -> None:
    state = decision.state
    stays = command.choice == blow_effects.DECLINE
    if command.to is None and not stays:
        combatant_id = state.combatants[prompt.who].name
        raise Refused("CS-484", f"where does {combatant_id} move to?", ("to: a place", STAY), final=True)
    decision.emit(record_answer(prompt, STAY if stays else AWAY, default=False))
    final_command = replace(command, feet=0.0, to=None) if stays else command
    _move_off(decision, prompt, final_command, path)


@answers(MOVING_OFF)
def answer_where(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Answer the question: a place by its name, or none."""
    state = decision.state
    text, board = answer.value if answer.amount is None else answer.amount, state.board
    if answer.choice == STAY or board is None:
        _move_off(decision, prompt, commands.Reprise(who=prompt.who, choice=blow_effects.TRADE, feet=0.0))
        return
    try:
        place = board.parse(str(text or ""))
    except ValueError:
        raise Refused(
            "CS-484", f"unknown place: {text!r}", (f"move {prompt.who} to a place", STAY), final=True
        ) from None
    _move_off(decision, prompt, commands.Reprise(who=prompt.who, choice=blow_effects.TRADE, to=place))


def _move_off(decision: Decision, prompt: Prompt, command: commands.Reprise, path: tuple[Location, ...] = ()) -> None:
    state = decision.state
    combatant, foe = people_of(state, resume_of(prompt, AskedBlow).blow)
    trade = trade_of(state, combatant)
    way = chosen_way(state, combatant, path, command.to, rule="CS-484") if command.to is not None else ()
    feet = _feet_of_way(state, combatant, command, way, trade)
    rule = "CS-484" if trade.kind == "move" else "CS-485"
    limit = float(trade.feet)
    behind = trade.kind == "step" and _is_behind(state, foe, command)
    message = f"{combatant.name} can go {limit:g} ft, not {feet:g}"
    decision.referee.require(feet <= limit or behind, rule, message, f"at most {limit:g} ft")
    feet_moved = limit if command.feet is None and not way else feet
    decision.emit(events.ReprisalTraded(who=combatant.id, target=foe.id, kind=trade.kind, feet=feet_moved))
    decision.emit(*_walk_away(decision.state, combatant, way, feet, trade))
    decision.emit(*places.restore_distance(decision.state.combatants[combatant.id]))
    if not is_on_board(state, combatant):
        decision.emit(*_break_contact(decision.state, combatant, foe))
        # The mover is no longer inside that foe's guard (CS-322).
        decision.emit(*places.set_pair(decision.state.combatants[foe.id], combatant.id, places.UNTOLD))
    decision.emit(*places.drop_lost_pairs(decision.state))


def _feet_of_way(
    state: FightState, combatant: Combatant, command: commands.Reprise, way: tuple[Location, ...], trade: Trade
) -> float:
    if command.feet is not None and command.feet < 0:
        raise Refused("CS-484", f"can't move {command.feet:g} ft", (f"0 to {float(trade.feet):g} ft",), final=True)
    if way and is_on_board(state, combatant):
        return paths.in_feet(paths.Ground(state).price_of_way(combatant.at, way))
    return 0.0 if command.feet is None else command.feet


def _is_behind(state: FightState, foe: Combatant, command: commands.Reprise) -> bool:
    """CS-485: whether the path goes through the foe's Zone to its rear."""
    rear: Field = "R"
    return command.to is not None and places.field_at(state, foe, command.to) == rear and state.board is not None


def _walk_away(state: FightState, combatant: Combatant, way: tuple[Location, ...], feet: float, trade: Trade) -> Events:
    if not way and not feet:
        return ()
    feet_used = fighter_of(combatant).moved + (feet if trade.kind == "move" else 0)
    path = way if is_on_board(state, combatant) else ()
    footwork = feet <= profile_of(combatant).height  # A Back-step or Side-step does not turn the mover (CS-189).
    move_event = events.SegmentMoved(
        who=combatant.id,
        hexes=len(way),
        feet=feet,
        path=path,
        facing=combatant.facing if trade.kind == "step" or footwork else facing_after(state, combatant, way),
        mph=fighter_of(combatant).speed,
        left=max(0.0, float(trade.feet) - feet) if trade.kind == "move" else 0.0,
    )
    trait_events = queries.set_traits(combatant, moved=feet_used)
    return (move_event, *trait_events, *contacts_of_move(state, combatant, way, ""))


def _break_contact(state: FightState, combatant: Combatant, foe: Combatant) -> Events:
    """Without a board: the mover no longer touches the foe."""
    pair = {combatant.id, foe.id}
    has_contact = any(set(contact) == pair for contact in state.contacts)
    return (ContactLeft(who=combatant.id, enemy=foe.id),) if has_contact else ()
