"""Offers of Reprisals after a miss, at once or after the combatant's own attack (CS-371, CS-481, CS-486)."""

from __future__ import annotations

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import prompt_for
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.systems.segments.rules import attacks
from fightcall_engine.systems.segments.rules.attacks import ReprisalChain
from fightcall_engine.systems.segments.state import events, queries
from fightcall_engine.systems.segments.state.action import ATTACKS, COMBINATION, COMMITTED, action_of, is_due
from fightcall_engine.systems.segments.state.battle import MIXED, REPRISAL, Blow
from fightcall_engine.systems.segments.state.blows import people_of, type_of
from fightcall_engine.systems.segments.state.fighter import Postponed, fighter_of
from fightcall_engine.systems.segments.state.questions import AskedBlow
from fightcall_engine.systems.segments.state.settings import settings_of


def postpone_reprisal(combatant: Combatant, miss: Postponed) -> Events:
    """The event that a Reprisal is postponed."""
    return queries.set_traits(combatant, reprisal_due=(*fighter_of(combatant).reprisal_due, miss))


def clear_postponed(combatant: Combatant) -> Events:
    """The event that no Reprisal is postponed any more."""
    return queries.set_traits(combatant, reprisal_due=())


REPRISAL_PROMPT = "reprisal"
"""The kind of the question that offers one."""

TAKE, TRADE, DECLINE = "take", "trade", "decline"

# Offering


def offer_reprisal(state: FightState, blow: Blow, *, always: bool = False, why: str = "") -> Events:
    """CS-481: the offer to the target of a miss; none after a shot, or by the fight's reading (A-32).

    With `always` a rule of the attack gives it, even out of turn (CS-462); `why` is its reason if there was no miss.

    CS-371: between those who fight with an Attack/Defence Combination it waits until both have attacked.
    """
    combatant, target = people_of(state, blow)
    chain: ReprisalChain = settings_of(state).reprisal_chain
    is_offered = always or attacks.offers_reprisal(blow.roll, chain)
    if not is_offered or not (combatant.able and target.able):
        return ()
    miss = _miss_of(state, blow)
    if blow.in_turn and _has_yet_to_attack(target, combatant):
        return postpone_reprisal(target, miss)
    return (_offer(state, target, miss, why),)


def _offer(state: FightState, combatant: Combatant, miss: Postponed, why: str = "") -> events.ReprisalOffered:
    foe = state.combatants[miss.attacker]
    blow = Blow(combatant.id, foe.id, kind=REPRISAL, missed=miss.weapons, undodged=miss.whole_body)
    return events.ReprisalOffered(prompt=_prompt(combatant, foe, blow, why))


def is_postponed(state: FightState, blow: Blow) -> bool:
    """CS-371: whether the Reprisal for this miss waits for its target's own attack."""
    return _miss_of(state, blow) in fighter_of(state.combatants[blow.target]).reprisal_due


def offer_at_once(state: FightState, blow: Blow) -> Events:
    """CS-639: offer a postponed Reprisal now."""
    target, miss = state.combatants[blow.target], _miss_of(state, blow)
    others = list(fighter_of(target).reprisal_due)
    others.remove(miss)
    return (*queries.set_traits(target, reprisal_due=tuple(others)), _offer(state, target, miss))


def _has_yet_to_attack(combatant: Combatant, foe: Combatant) -> bool:
    """CS-371: whether either uses an Attack/Defence Combination, and the other's attack comes in this segment."""
    own_action, foe_action = action_of(combatant), action_of(foe)
    is_mixed = any(action.kind == COMBINATION and action.mode == MIXED for action in (own_action, foe_action))
    is_to_come = own_action.state == COMMITTED and is_due(combatant) and queries.slots_left(combatant) > 0
    return is_mixed and is_to_come and own_action.kind in ATTACKS and foe.id in own_action.targets


def _miss_of(state: FightState, blow: Blow) -> Postponed:
    if type_of(state, blow).whole_body:
        return Postponed(blow.attacker, whole_body=True)
    return Postponed(blow.attacker, tuple(blow.weapons))


def offer_postponed(decision: Decision, combatant_id: str) -> None:
    """CS-371: offer the postponed Reprisals of a combatant who has attacked, or will not any more."""
    state = decision.state
    combatant = state.combatants.get(combatant_id)
    due = () if combatant is None else fighter_of(combatant).reprisal_due
    if combatant is None or not due or action_of(combatant).is_open:
        return
    decision.emit(*clear_postponed(combatant))
    for miss in due:
        foe = state.combatants.get(miss.attacker)
        if foe is not None and foe.able and combatant.able:
            decision.emit(_offer(state, combatant, miss))


_ANSWERS = (Choice(TAKE, "Reprisal", "y"), Choice(TRADE, "move away", "t"), Choice(DECLINE, "let it be", "n"))
"""The answers; moving away and declining have the keys of the options that do the same."""


def _prompt(combatant: Combatant, foe: Combatant, blow: Blow, why: str = "") -> Prompt:
    return prompt_for(
        combatant,
        kind=REPRISAL_PROMPT,
        question=f"{why or f'{foe.name} missed {combatant.name}'}. A Reprisal, move away instead, or let it be?",
        rule="CS-481",
        choices=_ANSWERS,
        default=DECLINE,
        blocking=False,
        resume=AskedBlow(blow=blow),
    )


# The open offer


def open_offer(state: FightState, combatant: Combatant) -> Prompt | None:
    """The oldest offer of a Reprisal to a combatant, or None."""
    return next(
        (prompt for prompt in state.prompts if prompt.kind == REPRISAL_PROMPT and prompt.who == combatant.id), None
    )
