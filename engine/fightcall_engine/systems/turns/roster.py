"""Newcomers and leavers (Q-T12): a newcomer rolls and is inserted; the round does not wait for a leaver."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for, record_moot
from fightcall_engine.model.events import AgendaChanged
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.turns import events, offers, order, records, rounds, scenes, steps
from fightcall_engine.systems.turns.records import participant_of, scene_of, turn_state


def admit_newcomer(decision: Decision, combatant: Combatant, *, is_back: bool) -> None:
    """Admit a newcomer to a fight: its effects begin; under Initiative it must roll, and gets Reactions (Q-T3).

    One who is back has spent the Reactions that it has spent.
    """
    steps.begin_sheet_effects(decision, combatant)
    if records.mode_of(decision.state) == records.INITIATIVE:
        if not is_back:
            scenes.set_reactions(decision, combatant)
        before = participant_of(combatant).init_roll
        decision.emit(events.InitiativeAsked(who=combatant.id, before=before))
        if records.is_in_rounds(decision.state):
            if turn_state(combatant) not in records.OVER:
                _pass_turn(decision, combatant)
            decision.spawn(_ask_when_to_act, combatant.id)


def ask_for_initiative(decision: Decision, combatant: Combatant) -> None:
    """ST-12: ask for the roll of a combatant who can act again; while it was down, nobody waited for that."""
    state = decision.state
    if records.mode_of(state) != records.INITIATIVE or participant_of(combatant).init_roll is not None:
        return
    in_rounds = records.is_in_rounds(state)
    if in_rounds and records.actor_of(state) is combatant:
        return
    if in_rounds and any(is_arrival(prompt, combatant.id) for prompt in state.prompts):
        return
    decision.emit(events.InitiativeAsked(who=combatant.id))
    if in_rounds:
        if turn_state(combatant) not in records.OVER:
            _pass_turn(decision, combatant)
        decision.spawn(_ask_when_to_act, combatant.id)


def is_arrival(prompt: Prompt, combatant_id: str = "") -> bool:
    """True for the question when any combatant, or this one, has a first turn."""
    return prompt.kind == "arrival" and combatant_id in ("", prompt.who)


def _pass_turn(decision: Decision, combatant: Combatant) -> None:
    decision.emit(events.TurnPassed(who=combatant.id, before=turn_state(combatant), cause="no initiative yet"))


def _ask_when_to_act(decision: Decision, combatant_id: str) -> None:
    """Q-T12: roll for the newcomer, who acts in this round if its place is still ahead, or as the GM says."""
    combatant = decision.combatant(combatant_id)
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="arrival",
            question=f"{combatant.name} joins late (d20 {records.speed_of(combatant):+d}). When is the first turn?",
            rule="Q-T12",
            choices=choices("roll:decided by the roll", "now:in this round", "later:in the next round"),
            default="roll",
            dice="d20",
            purpose="initiative",
        )
    )
    if answer is None:
        return
    order.roll_initiative(decision, combatant_id, answer.amount if isinstance(answer.amount, int) else None)
    new_order, before = order.place_newcomer(decision, combatant_id), decision.state.order
    if new_order != before:
        decision.emit(events.OrderChanged(order=new_order, before=before, reason="joins late"))
    is_running = records.is_in_rounds(decision.state) and decision.state.step is not None
    is_owed_turn = turn_state(decision.combatant(combatant_id)) == records.PASSED
    if is_running and (answer.choice == "now" or (answer.choice != "later" and is_owed_turn)):
        _put_into_round(decision, combatant_id, by_roll=answer.choice != "now")
    combatant = decision.combatant(combatant_id)
    if is_running and combatant.able and turn_state(combatant) == records.PASSED:
        cause = f"first turn in round {decision.state.round + 1}"
        decision.emit(events.TurnPassed(who=combatant.id, before=records.PASSED, cause=cause))


def _put_into_round(decision: Decision, combatant_id: str, by_roll: bool) -> None:
    """The index among the remaining turns: before the first with a later place in the order."""
    state = decision.state
    actor, place = records.actor_of(state), state.order.index(combatant_id)
    actor_place = state.order.index(actor.id) if actor is not None and actor.id in state.order else -1
    has_gone_by = records.is_last_offer(state) or place < actor_place
    if has_gone_by and by_roll:
        return
    combatant = state.combatants[combatant_id]
    steps = rounds.without_later_blocks(state, (combatant_id,))
    index = len(steps)
    if has_gone_by:
        index = rounds.block_end(state) + 1
    else:
        state_without = copy_with(state, agenda=copy_with(state.agenda, steps=steps))
        later = (start for start, other in rounds.later_blocks(state_without) if _comes_after(state, other, place))
        index = next(later, index)
    decision.set_traits(combatant.id, turn=records.WAITING)
    steps_with_block = (*steps[:index], *rounds.block(combatant, steps), *steps[index:])
    rounds.rearrange_round(decision, steps_with_block, state.agenda.cursor, f"{combatant.name} joins late")


def _comes_after(state: FightState, other: str, place: int) -> bool:
    """Whether a place in the order is later; those of delayers are at the end."""
    if other not in state.combatants:
        return False
    return turn_state(state.combatants[other]) == records.DELAYED or state.order.index(other) > place


# Leaving


def settle_departure(decision: Decision, leaver_id: str) -> None:
    """Remove a leaver from the round, and ask the GM about the effects it paid for."""
    state = decision.state
    steps.ask_for_upkeeps_of_leaver(decision, leaver_id)
    standing = scene_of(state).standing
    decision.set_facts(standing=tuple(combatant_id for combatant_id in standing if combatant_id != leaver_id))
    if any(step.actor == leaver_id for step in state.agenda.steps):
        _strike_out(decision, leaver_id)


def _strike_out(decision: Decision, leaver_id: str) -> None:
    """Remove a leaver from the agenda; if its turn was running, play continues after the turn before it."""
    state = decision.state
    steps, cursor = state.agenda.steps, state.agenda.cursor
    remaining = tuple(step for step in steps if step.actor != leaver_id)
    if not remaining:
        scenes.end_scene(decision, None, "no one is left")
        return
    start = rounds.block_start(state)
    if start is not None and steps[start].actor == leaver_id:
        decision.emit(*record_moot(offers.prompts_of_offer(state)))
        cursor = sum(step.actor != leaver_id for step in steps[:start]) - 1
    elif cursor >= 0:
        cursor = sum(step.actor != leaver_id for step in steps[:cursor])
    decision.emit(AgendaChanged(steps=remaining, cursor=cursor, reason="left the fight"))
