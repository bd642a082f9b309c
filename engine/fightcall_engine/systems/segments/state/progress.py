"""The slot of an Action: continued work, what needs no dice, and what is passed over (CS-093, CS-098, CS-102)."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from fightcall_engine.model.events import Events
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.rules import clock
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION, quarters
from fightcall_engine.systems.segments.state import events, queries, small_acts
from fightcall_engine.systems.segments.state.action import (
    ABORTED,
    ATTACKS,
    COMMITTED,
    DEFEND,
    DONE,
    FAILED,
    LOST,
    action_of,
    changed_parts,
    is_due,
    past_actions,
)
from fightcall_engine.systems.segments.state.fighter import Action

GIVEN_UP = "given up"
"""The default reason for giving up an Action."""
AT_WORK = "at work"
"""The beginning of the reason for skipping a step in which work continues."""


def describe_activity(combatant: Combatant) -> str:
    """A combatant's Action in words, else its kind."""
    action = action_of(combatant)
    return action.text or action.kind


def abort_action(combatant: Combatant, reason: str) -> Events:
    """The events of giving up an Action."""
    action = action_of(combatant)
    if not action.is_open:
        return ()
    aborted = replace(action, state=ABORTED, outcome=reason)
    traits: dict[str, Json] = {"past": past_actions(combatant, aborted)}
    if action.kind == DEFEND:
        traits["full_defence"] = None
    return (
        events.ActionAborted(
            who=combatant.id, traits=traits,
            within=changed_parts(combatant, state=ABORTED, outcome=reason),
            text=describe_activity(combatant), reason=reason,
        ),
    )  # fmt: skip


def use_slot(combatant: Combatant, left: int, purpose: str) -> Events:
    """The event of using an Action of this segment."""
    if queries.slots_left(combatant) <= left:
        return ()
    pool = combatant.pool(queries.SLOTS)
    slot_event = events.SlotUsed(who=combatant.id, before=pool.now, left=max(0, left), max=pool.max, purpose=purpose)
    return (slot_event,)


def task_progress(state: FightState, combatant: Combatant) -> int:
    """CS-102: quarter-actions done on an open task, including the fraction of an Action not yet owed."""
    action = action_of(combatant)
    rate, own_segment = queries.rate_of_action(combatant), queries.own_segment(state, combatant)
    part = int(clock.QA_AN_ACTION * own_segment * rate) - clock.QA_AN_ACTION * clock.owed_until(own_segment, rate)
    return min(action.need, action.done + part)


# When an Action is settled


def due_slot(state: FightState, combatant: Combatant, action: Action) -> clock.Slot | None:
    """The segment and pass in which an Action is resolved (CS-133, CS-149); None if no Action comes."""
    rate, own_segment = queries.rate_of_action(combatant), queries.own_segment(state, combatant)
    slots_spent = queries.actions_owed(combatant) - queries.slots_left(combatant)
    counts = chain(
        (queries.actions_owed(combatant),), (clock.slots(own_segment + later, rate) for later in range(1, 2000))
    )
    slot = clock.due_among(action.left, counts, slots_spent)
    if slot is None:
        return None
    number = slot.pass_number
    if queries.order_reading(state) == queries.COUNTDOWN and slot.segment == 1:
        number = queries.actions_owed(combatant) - number + 1
    return clock.Slot(state.round + slot.segment - 1, number)


def is_of_this_pass(state: FightState, combatant: Combatant) -> bool:
    """True where a combatant's Action is due in the running pass, or was resolved in it (CS-093, CS-102)."""
    number = queries.pass_number(state)
    has_slot = queries.has_slot(state, combatant, number)
    if action_of(combatant).is_open:
        return has_slot and is_due(combatant)
    is_spent = 1 <= queries.own_pass(state, combatant, number) <= queries.actions_owed(combatant) and not has_slot
    return is_spent and action_of(combatant).state in (DONE, FAILED)


def due_text(state: FightState, combatant: Combatant, action: Action) -> str:
    """The time when an Action is resolved, in words: ``now``, ``pass 2``, ``CS 4``."""
    slot = due_slot(state, combatant, action)
    if slot is None:
        return ""
    if slot.segment == state.round:
        return "now" if slot.pass_number == queries.pass_number(state) else f"pass {slot.pass_number}"
    return f"CS {slot.segment}" + (f" pass {slot.pass_number}" if slot.pass_number > 1 else "")


def resolution_without_dice(state: FightState, combatant: Combatant, number: int) -> tuple[str, Events]:
    """The reason why a Resolution needs no input, and its events; the reason is empty if it does."""
    action = action_of(combatant)
    if not queries.has_slot(state, combatant, number):
        return "this Action is used", ()
    if action.state != COMMITTED:
        return "nothing declared", ()
    if action.left > QA_AN_ACTION:
        return _work_on_task(state, combatant)
    if action.rolled:
        return "", ()
    return "done", settle_action(state, combatant, DONE, "done")


def _work_on_task(state: FightState, combatant: Combatant) -> tuple[str, Events]:
    """CS-102: the events of one Action's work on a longer task."""
    action = action_of(combatant)
    qa_done = action.done + QA_AN_ACTION
    spent = spend_action(state, combatant, "work")
    after = fold_all(state, spent)
    due = due_text(after, after.combatants[combatant.id], replace(action, done=qa_done))
    progressed = events.ActionProgressed(
        who=combatant.id, within=changed_parts(combatant, done=qa_done), done=qa_done, need=action.need, due=due
    )
    return f"{AT_WORK}: {qa_done} of {quarters(action.need)}, due {due}", (*spent, progressed)


def spend_action(state: FightState, combatant: Combatant, purpose: str) -> Events:
    """The event of using the Action of the running pass."""
    return use_slot(
        combatant,
        queries.actions_owed(combatant) - queries.own_pass(state, combatant, queries.pass_number(state)),
        purpose,
    )


def settle_action(state: FightState, combatant: Combatant, how: str, outcome: str) -> Events:
    """CS-092: the events of resolving an Action and using its slot."""
    action = action_of(combatant)
    settled = replace(action, state=how, outcome=outcome, done=action.need)
    traits = {"past": past_actions(combatant, settled)}
    within = changed_parts(combatant, state=how, outcome=outcome, done=action.need)
    posture_events = small_acts.apply_posture(combatant, action, last=True) if how in (DONE, FAILED) else ()
    return (
        events.Resolved(who=combatant.id, traits=traits, within=within, outcome=outcome),
        *posture_events,
        *spend_action(state, combatant, action.text or action.kind),
    )


def is_lost_if_skipped(action: Action) -> bool:
    """Whether an open attack or check would be lost if play went on."""
    return action.is_open and not action.struck and (action.kind in ATTACKS or action.dv is not None)


def pass_over_events(state: FightState, combatant: Combatant) -> Events:
    """The events of play going on: work without dice is done, an attack that was not rolled is lost."""
    action = action_of(combatant)
    if not action.is_open:
        return ()
    if action.struck:
        return settle_action(state, combatant, DONE, action.outcome or "done")
    if is_lost_if_skipped(action):
        return settle_action(state, combatant, LOST, "not carried out")
    return settle_action(state, combatant, DONE, "done")
