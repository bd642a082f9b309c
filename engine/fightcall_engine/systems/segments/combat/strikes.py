"""Strikes, from the roll to hit or miss (CS-262, CS-412, CS-443, CS-475 to CS-482).

Every strike goes through `strike_now`: of the due Action, as an Opportunity Action, as a Reprisal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.records import resume_of
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.segments.combat import (
    attack_values,
    bows,
    costs,
    defence_choice,
    feats,
    follow_ups,
    impacts,
    potence,
    presence_attacks,
    reprisal_offers,
    shots,
    snipers,
    stray_fire,
    weapon_holds,
)
from fightcall_engine.systems.segments.combat.defences import Defence
from fightcall_engine.systems.segments.rules import checks
from fightcall_engine.systems.segments.rules.attacks import HurledRoll, MeleeRoll, roll_kind
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.rules.ranges import at_least, without_floor
from fightcall_engine.systems.segments.rules.tasks import halved_by_time
from fightcall_engine.systems.segments.state import commands, events, items, rolls
from fightcall_engine.systems.segments.state.action import action_of
from fightcall_engine.systems.segments.state.battle import HURLED, NONE, Blow, Overrides
from fightcall_engine.systems.segments.state.blows import people_of
from fightcall_engine.systems.segments.state.questions import LostStrike, StrikeCheck, Thrown
from fightcall_engine.systems.segments.state.rolls import Verdict
from fightcall_engine.systems.segments.state.settings import settings_of

STRIKE, DEFENDER = "strike", "strike_defence"
"""What follows the answer to a missing percentage: the attacker's, and in a contested roll the defender's."""

LOST = "heroic_lost"
"""The kind of the question about a Heroic Effect that lost a Contested Roll."""

MOST_REROLLS = 50
"""Rerolled ties after which the defender wins (A-17)."""


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
    """Roll a strike: a weapon's AV against a defence's DV."""
    state, dice, referee = decision.state, decision.dice, decision.referee
    defence = defence_choice.choose_defence(state, blow, referee)
    blow = replace(blow, guard=defence.guard)
    av_sum, dv_sum = value_of(state, blow, overrides), difficulty_of(state, blow, defence, overrides)
    av, dv = (None if sum is None else rolls.rounded(sum) for sum in (av_sum, dv_sum))
    parts = rolls.parts_of(*(sum for sum in (av_sum, dv_sum) if sum is not None))
    decision.emit(rolls.request_check(blow.attacker, check_name(blow), av, dv, parts, blow.target))
    verdict = rolls.settle_check(
        state, blow.attacker, check_name(blow), av=av, dv=dv, chance=overrides.chance, hit=overrides.hit, dice=dice,
        target=blow.target,
    )  # fmt: skip
    if verdict is None:
        name, defender = blow.attacker, _defender_of(state, blow)
        both = is_contested(state, blow)
        rolls_so_far = rolls.kept_dice(name, defender, dice) if both else rolls.kept_die(name, dice)
        decision.offer(_chance_prompt(state, blow, defence.label, av, dv, overrides, rolls_so_far))
        return
    decision.emit(*verdict.events)
    _roll_defence(decision, blow, av, dv, overrides.dv_chance, verdict)


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


def _chance_prompt(
    state: FightState,
    blow: Blow,
    defence: str,
    av: int | None,
    dv: int | None,
    overrides: Overrides,
    rolls_so_far: Thrown,
) -> Prompt:
    combatant, target = people_of(state, blow)
    how = f" ({defence})" if defence != NONE else ", undefended"
    flight = shots.describe_flight(state, blow) if blow.ranged else ""
    flight_text = f", {flight}" if flight else ""
    bare = f" with {items.BARE}" if blow.weapon == items.BARE else ""
    question = f"{combatant.name} against {target.name}{bare}{how}{flight_text}: {format_numbers(av, dv)}"
    check = StrikeCheck(
        then=STRIKE, what=check_name(blow), av=av, dv=dv, target=target.id, thrown=rolls_so_far, blow=blow,
        dv_chance=overrides.dv_chance,
    )  # fmt: skip
    return rolls.check_prompt(state, combatant, "CS-475", check, message=question)


@rolls.on_check_result(STRIKE)
def _on_strike_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """Roll with the percentage that was missing."""
    strike_check = resume_of(prompt, StrikeCheck)
    rolls.add_kept_dice(strike_check.thrown, decision.dice, "defence")
    _roll_defence(decision, strike_check.blow, strike_check.av, strike_check.dv, strike_check.dv_chance, verdict)


# Contested rolls


def is_check_contested(state: FightState, blow: Blow, verdict: Verdict) -> bool:
    """CS-262, CS-480: whether the defender rolls too; never without a defence or with a given outcome."""
    return verdict.roll is not None and is_contested(state, blow)


def is_contested(state: FightState, blow: Blow) -> bool:
    """CS-262, CS-480: whether the fight's readings let the defender roll too."""
    if blow.is_met_by(NONE, shots.STILL, shots.ACTIVE):
        return False
    melee: MeleeRoll = settings_of(state).melee_roll
    hurled_roll: HurledRoll = settings_of(state).hurled_roll
    return roll_kind(blow.roll, melee, hurled_roll) == "contested"


def _defender_of(state: FightState, blow: Blow) -> str:
    """The id of whose defence meets a blow: the target's, or that of a friend who steps in (CS-414)."""
    return _defence_of(state, blow).by or blow.target


def _roll_defence(
    decision: Decision, blow: Blow, av: int | None, dv: int | None, dv_chance: int | None, verdict: Verdict
) -> None:
    """After the attacker's roll: roll for the defender if the roll is contested."""
    state, dice = decision.state, decision.dice
    if feats.is_heroic(verdict.events):
        blow = replace(blow, heroic=True)
    if not is_check_contested(state, blow, verdict):
        apply_roll(decision, blow, verdict.ok, verdict.margin, av)
        return
    chance = rolls.chance_against(state, dv, av) if dv_chance is None else dv_chance
    if chance is None:
        rolls_so_far = rolls.kept_die(_defender_of(state, blow), dice, "defence")
        decision.offer(_defender_prompt(state, blow, av, dv, verdict, rolls_so_far))
        return
    first = checks.Check(verdict.chance or 0, verdict.roll or 1)
    _settle_contest(decision, blow, first, rolls.valid_chance(chance), None, av)


def _defender_prompt(
    state: FightState, blow: Blow, av: int | None, dv: int | None, verdict: Verdict, rolls_so_far: Thrown
) -> Prompt:
    combatant, defender = state.combatants[blow.attacker], state.combatants[_defender_of(state, blow)]
    question = f"{defender.name} defends against {combatant.name}: {format_numbers(dv, av)}"
    check = StrikeCheck(
        then=DEFENDER, what="defence", av=dv, dv=av, target=blow.attacker, purpose="defence",
        thrown=rolls_so_far, blow=blow, first_chance=verdict.chance, first_roll=verdict.roll,
    )  # fmt: skip
    return rolls.check_prompt(state, defender, "M-02", check, message=question)


@rolls.on_check_result(DEFENDER)
def _on_defender_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    strike_check = resume_of(prompt, StrikeCheck)
    # The defender is asked, and rolls against the attacker's value.
    blow, av = strike_check.blow, strike_check.dv
    first = checks.Check(strike_check.first_chance or 0, strike_check.first_roll or 1)
    if verdict.roll is None or verdict.chance is None:
        apply_roll(decision, blow, first.succeeded and (not verdict.ok), first.margin, av)
        return
    _settle_contest(decision, blow, first, verdict.chance, verdict, av)


def _settle_contest(
    decision: Decision,
    blow: Blow,
    first: checks.Check,
    chance: int,
    second: Verdict | None,
    av: int | None,
) -> None:
    """M-02, A-17: each rolls against its own chance; the larger margin wins; ties by the fight's reading.

    After a reroll, only the last rolls can be Heroic Effects (CS-635).
    """
    state = decision.state
    tie = settings_of(state).contested_tie
    for _ in range(MOST_REROLLS):
        if second is None:
            defender = _defender_of(state, blow)
            second = _roll_side(decision, defender, "defence", chance, blow.attacker, decision.dice)
        winner = checks.contest(first, _check_of(second), tie)
        if winner != "reroll":
            break
        reroll = _roll_side(decision, blow.attacker, check_name(blow), first.chance, blow.target, decision.dice)
        first, blow = _check_of(reroll), replace(blow, heroic=feats.is_heroic(reroll.events))
        second = None
    defender_was_great = second is not None and feats.is_heroic(second.events)
    _compare_feats(decision, blow, winner == "attacker", first.margin, defender_was_great, av)


def _roll_side(decision: Decision, combatant_id: str, kind: str, chance: int, target: str, dice: Dice) -> Verdict:
    purpose = "defence" if kind == "defence" else "check"
    check = rolls.roll_check(combatant_id, kind, chance, dice, purpose=purpose, target=target, state=decision.state)
    decision.emit(*check.events)
    return check


def _check_of(verdict: Verdict) -> checks.Check:
    return checks.Check(verdict.chance or 0, verdict.roll or 1)


def _compare_feats(decision: Decision, blow: Blow, hit: bool, margin: int, great: bool, av: int | None) -> None:
    """CS-639: a Heroic Effect of one side counts before the margins do, unless both have one.

    Args:
        decision: the decision.
        blow: the attack; `heroic` if the attacker rolled a Heroic Effect.
        hit: whether the attacker has the larger margin.
        margin: the attacker's margin.
        great: whether the defender rolled a Heroic Effect.
        av: the value that the attacker rolled.
    """
    state = decision.state
    at_once = feats.has_immediate_effect(state)
    loser_was_great = great if hit else blow.heroic
    if at_once and loser_was_great and blow.heroic != great:
        defender = _defender_of(state, blow)
        combatant_id, other = (defender, blow.attacker) if hit else (blow.attacker, blow.target)
        lost_strike = LostStrike(blow=blow, hit=hit, margin=margin, av=av)
        decision.offer(
            feats.overturn_prompt(state, combatant_id, other, LOST, lost_strike, attacks=not hit, doubles=not hit)
        )
        return
    apply_roll(decision, blow, hit, margin, av)
    if at_once and great and not hit:
        feats.offer_defence_feat(decision, blow)


@answers(LOST)
def answer_lost(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-639: the Heroic Effect prevails, or the margins count."""
    lost_strike = resume_of(prompt, LostStrike)
    is_overturned, hit = answer.choice in ("achieved", "double", "incapacitated"), lost_strike.hit
    blow = replace(lost_strike.blow, heroic=False, doubled=answer.choice == "double")
    margin = 0 if is_overturned else lost_strike.margin
    hits = hit != is_overturned
    apply_roll(decision, blow, hits, margin, lost_strike.av)
    if (
        is_overturned
        and hit
        and reprisal_offers.open_offer(decision.state, decision.state.combatants[blow.target]) is None
    ):
        decision.emit(*reprisal_offers.offer_reprisal(decision.state, blow, always=True))
    if answer.choice != "achieved":
        other = blow.target if prompt.who == blow.attacker else blow.attacker
        feats.apply_pick(decision, prompt, answer.choice, other)


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
    weapon_holds.release_used(decision, blow.attacker, blow.weapons)
    weapon_holds.release_used(decision, defence.by or blow.target, defence.items)
    costs.pay(decision, blow, defence)
    if hit:
        impacts.land_blow(decision, blow, margin, decision.dice)
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
    decision.emit(*snipers.notice_archer(decision.state, blow))
    snipers.search_sniper(decision, blow)


def _defence_of(state: FightState, blow: Blow) -> Defence:
    """The defence that was chosen before the roll."""
    return defence_choice.choose_defence(state, blow, Referee("", "", True))
