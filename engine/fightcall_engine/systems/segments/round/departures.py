"""Combatants who leave, or are displaced: what must be forgotten."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.agenda import drop_steps_of
from fightcall_engine.kit.decision import Decision, Waiting
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import concerns, record_moot
from fightcall_engine.model.commands import Leave
from fightcall_engine.model.events import Events, LeftFight, TraitsChanged
from fightcall_engine.model.state import Combatant, FightState, Json, Prompt
from fightcall_engine.systems.segments.actions import declarations, opportunities
from fightcall_engine.systems.segments.combat import feats, reprisal_offers
from fightcall_engine.systems.segments.positions import meetings, places, ways
from fightcall_engine.systems.segments.state import events, progress, queries, relations, things
from fightcall_engine.systems.segments.state.action import action_of, changes_without
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import FullDefence, fighter_of
from fightcall_engine.systems.segments.state.questions import Question

# Leaving


@handles(Leave)
def decide_leave(decision: Decision, command: Leave) -> None:
    """Remove a combatant, with the questions it was asked."""
    decision.emit(LeftFight(who=decision.combatant(command.who).id, reason=command.reason))


def forget_departed(decision: Decision, combatant_id: str) -> None:
    """Remove all references to a combatant who has left."""
    state = decision.state
    attacker_ids = declarations.attackers_of(state, combatant_id)
    _drop_questions(decision, combatant_id)
    for combatant in state.roster:
        _drop_targets(decision, decision.state.combatants[combatant.id], combatant_id)
        decision.emit(*_forget_in_record(decision.state.combatants[combatant.id], combatant_id))
    decision.emit(*feats.after_departure(decision.state, combatant_id))
    _forget_in_battle(decision, combatant_id)
    decision.emit(*drop_steps_of(state, combatant_id))
    declarations.ask_about_target(decision, attacker_ids, "has left")


def _drop_questions(decision: Decision, combatant_id: str) -> None:
    """Close the questions about a combatant who has left; questions about several go on about the others."""
    decision.withdraw((each for each in decision.state.prompts if _waits_for(each, combatant_id)), "has left")
    for prompt in decision.state.prompts:
        if isinstance(prompt.waiting, Waiting):
            continue
        question = prompt.resume
        question_left = question.without(combatant_id) if isinstance(question, Question) else question
        if question_left == question:
            continue
        decision.emit(*record_moot((prompt,), "has left"))
        if question_left is not None:
            decision.offer(replace(prompt, resume=question_left))


def _waits_for(prompt: Prompt, combatant_id: str) -> bool:
    return combatant_id in (concerns(prompt) if isinstance(prompt.waiting, Waiting) else prompt.about)


def _drop_targets(decision: Decision, combatant: Combatant, combatant_id: str) -> None:
    """Remove a combatant who has left from an Action's targets and helpers."""
    action = action_of(combatant)
    if action.helper == combatant_id or fighter_of(combatant).helps == combatant_id:
        why = "the helper is gone" if action.helper == combatant_id else "there is nothing left to help with"
        decision.emit(*progress.abort_action(combatant, why))
    here = decision.state.combatants[combatant.id]
    within = changes_without(here, combatant_id)
    if within:
        decision.emit(TraitsChanged(who=here.id, within=within))


def _forget_in_record(combatant: Combatant, combatant_id: str) -> Events:
    """Remove what a combatant knows of, owes to, and holds of another who has left."""
    fighter = fighter_of(combatant)
    lists: dict[str, Json] = {
        "aware_of": relations.noticed_without(combatant, combatant_id),
        "pinned": tuple(pin for pin in fighter.pinned if pin.by != combatant_id),
        "doubts": tuple(doubt for doubt in fighter.doubts if doubt.by != combatant_id),
        "reprisal_due": tuple(miss for miss in fighter.reprisal_due if miss.attacker != combatant_id),
    }
    names = {
        "engage": fighter.engage,
        "halted_by": fighter.halted_by,
        "helps": fighter.helps,
    }
    empty_fields: dict[str, Json] = {name: "" for name, value in names.items() if value == combatant_id}
    if fighter.full_defence == FullDefence(combatant_id):
        empty_fields["full_defence"] = None
    return (
        *queries.set_traits(combatant, **lists, **empty_fields),
        *relations.set_pair(combatant, combatant_id, relations.UNTOLD),
    )


def _forget_in_battle(decision: Decision, combatant_id: str) -> None:
    """Update the order, meetings, and objects; a shot in the air still lands (CS-285)."""
    state = decision.state
    decision.emit(*relations.remove_met_pairs(state, combatant_id))
    groups = (tuple(each for each in group if each != combatant_id) for group in battle_of(state).at_once)
    decision.emit(*queries.set_simultaneous(state, (group for group in groups if len(group) > 1)))
    if battle_of(state).first == combatant_id:
        decision.emit(*queries.set_fact(state, "first", ""))
    things.leave_struggles(decision, combatant_id)
    decision.emit(*things.drop_holder(state, combatant_id))


# Displacement


def forget_old_place(decision: Decision, combatant_id: str) -> None:
    """End the movement, charge and holds of a displaced combatant, and offers near its old place (CS-322).

    Questions about a blow that has landed stay open.
    """
    state = decision.state
    combatant = state.combatants.get(combatant_id)
    if combatant is None:
        return
    stale = [prompt for prompt in state.prompts if _is_out_of_reach(state, prompt, combatant_id)]
    decision.emit(*record_moot(stale, "is somewhere else"))
    if fighter_of(combatant).plan or fighter_of(combatant).plan_feet:
        decision.emit(events.WayPlanned(who=combatant_id, traits=ways.NO_WAY, feet=0.0, mph=0.0))
    decision.emit(
        *queries.set_traits(
            decision.state.combatants[combatant_id], rest=0.0, carry=0.0, streak=0, sprint=0, halted_by=""
        )
    )
    things.leave_struggles(decision, combatant_id)
    decision.emit(*places.drop_lost_pairs(decision.state), *meetings.forget_parted_pairs(decision.state))


NEAR = (meetings.OFFER, opportunities.REACH, reprisal_offers.REPRISAL_PROMPT)
"""Offers that need a combatant near."""


def _is_out_of_reach(state: FightState, prompt: Prompt, combatant_id: str) -> bool:
    if prompt.kind not in NEAR or combatant_id not in concerns(prompt):
        return False
    other = next((person for person in concerns(prompt) if person != prompt.who), "")
    taker, foe = state.combatants.get(prompt.who), state.combatants.get(other)
    return taker is None or foe is None or meetings.reach_of(state, taker, foe) == "out"
