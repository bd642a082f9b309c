"""Strikes, from the roll to hit or miss (CS-262, CS-412, CS-443, CS-475 to CS-482).

Every strike goes through `strike_now`: of the due Action, as an Opportunity Action, as a Reprisal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.segments.combat import (
    attack_values,
    bows,
    contests,
    costs,
    defences,
    feats,
    follow_ups,
    hit_effects,
    potence,
    presence_attacks,
    reprisal_offers,
    shots,
    stray_fire,
)
from fightcall_engine.systems.segments.combat.defences import Defence
from fightcall_engine.systems.segments.rules.attacks import HurledRoll, MeleeRoll, roll_kind
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.rules.ranges import at_least, without_floor
from fightcall_engine.systems.segments.rules.tasks import halved_by_time
from fightcall_engine.systems.segments.state import commands, events, items, rolls
from fightcall_engine.systems.segments.state.action import action_of
from fightcall_engine.systems.segments.state.battle import HURLED, NONE, Blow, Overrides
from fightcall_engine.systems.segments.state.blows import people_of
from fightcall_engine.systems.segments.state.settings import settings_of

LOST = "heroic_lost"
"""The kind of the question about a Heroic Effect that lost a Contested Roll."""


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
    """Make an attack whose checks have passed: numbers, dice, and all that follows (CS-475 to CS-482).

    Args:
        decision: the decision.
        blow: the attack.
        overrides: numbers set by the GM.
    """
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
    if own.roll is None or not is_contested(decision.state, blow):
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
    duel = contests.compare(decision, own, other, blow.attacker, defender)
    if not {blow.attacker, blow.target} <= decision.state.combatants.keys():
        return
    blow = _unguarded_by_leavers(decision.state, blow)
    _end_duel(decision, replace(blow, heroic=duel.first.heroic), duel, defender, av)


def _unguarded_by_leavers(state: FightState, blow: Blow) -> Blow:
    """The blow without the defence of a friend who has left since."""
    is_gone = blow.guard is not None and bool(blow.guard.by) and blow.guard.by not in state.combatants
    return replace(blow, guard=None) if is_gone else blow


def _end_duel(decision: Decision, blow: Blow, duel: contests.Duel, defender: str, av: int | None) -> None:
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
    if is_overturned and hit and reprisal_offers.open_offer(decision.state, target) is None:
        decision.emit(*reprisal_offers.offer_reprisal(decision.state, blow, always=True))
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
    if blow.in_turn and action_of(state.combatants[blow.attacker]).double_time:
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


def is_contested(state: FightState, blow: Blow) -> bool:
    """CS-262, CS-480: whether the fight's readings let the defender roll too."""
    if blow.is_met_by(NONE, shots.STILL, shots.ACTIVE):
        return False
    melee: MeleeRoll = settings_of(state).melee_roll
    hurled_roll: HurledRoll = settings_of(state).hurled_roll
    return roll_kind(blow.roll, melee, hurled_roll) == "contested"


# Costs and results


def apply_roll(decision: Decision, blow: Blow, hit: bool, margin: int, av: int | None = None) -> None:
    """Apply a roll: uses and Endurance, hit or miss, and the end of its Action.

    Args:
        decision: the decision.
        blow: the attack.
        hit: whether it hit.
        margin: the margin.
        av: the value rolled, for those whom a shot that misses may hit.
    """
    state = decision.state
    defence = _defence_of(state, blow)
    costs.count_uses(decision, blow, defence)
    hit_effects.release_used(decision, blow.attacker, blow.weapons)
    hit_effects.release_used(decision, defence.by or blow.target, defence.items)
    costs.pay(decision, blow, defence)
    if hit:
        stray_fire.land_blow(decision, blow, margin)
    else:
        decision.emit(events.Missed(who=blow.attacker, attacker=blow.attacker, target=blow.target, weapon=blow.weapon))
        decision.emit(*presence_attacks.miss_presence(blow))
    decision.emit(*bows.empty_crossbow(decision.state, blow))
    if not hit:
        decision.emit(*reprisal_offers.offer_reprisal(decision.state, blow))
    follow_ups.end_attack(decision, blow, hit)
    if blow.kind == HURLED:
        decision.emit(*items.drop_events(decision.state.combatants[blow.attacker], blow.weapon))
    if blow.ranged and not hit:
        # It flies on with the STR it was loosed with, though its Action is settled by now (CS-526, CS-622).
        stray_fire.begin_stray_fire(decision, potence.with_strength(state, blow), av)
    decision.emit(*stray_fire.notice_archer(decision.state, blow))
    stray_fire.search_sniper(decision, blow)


def _defence_of(state: FightState, blow: Blow) -> Defence:
    """The defence that was chosen before the roll."""
    return defences.choose_defence(state, blow, Referee("", "", True))
