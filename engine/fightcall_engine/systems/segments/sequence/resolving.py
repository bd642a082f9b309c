"""The slot of an Action: work that goes on, what needs no word, and what is passed over (CS-093, CS-098, CS-102)."""

from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import events as sev
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.declaration import pairs
from fightcall_engine.systems.segments.formulas.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.sequence import segment


def without_a_word(state: FightState, combatant: Combatant, number: int) -> tuple[str, ev.Events]:
    """Why a Resolution needs nobody's word, empty where it does, and what it brings all the same."""
    action = act.action_of(combatant)
    if not fg.has_slot(state, combatant, number):
        return "this Action is used", ()
    if action.state != act.COMMITTED:
        return "nothing declared", ()
    if action.left > QA_AN_ACTION:
        return _work_on_task(state, combatant)
    if action.rolled:
        return "", ()
    return "done", settle_action(state, combatant, act.DONE, "done")


def _work_on_task(state: FightState, combatant: Combatant) -> tuple[str, ev.Events]:
    """CS-102: an Action's worth of a longer task is done."""
    action = act.action_of(combatant)
    done = action.done + QA_AN_ACTION
    course = Decision(state)
    course.emit(*spend_action(state, combatant, "work"))
    here = course.state.combatants[combatant.id]
    due = segment.due_text(course.state, here, replace(action, done=done))
    course.emit(
        sev.ActionProgressed(
            who=combatant.id, traits=act.changed_traits(combatant, done=done), done=done, need=action.need, due=due
        )
    )
    return f"at work: {done} of {action.need} qa, due {due}", course.events


def spend_action(state: FightState, combatant: Combatant, purpose: str) -> ev.Events:
    """The Action of the running pass is gone."""
    return segment.use_slot(
        combatant, fg.actions_owed(combatant) - fg.own_pass(state, combatant, fg.pass_number(state)), purpose
    )


def settle_action(state: FightState, combatant: Combatant, how: str, outcome: str) -> ev.Events:
    """CS-092: an Action is settled: what came of it, and its slot is gone."""
    action = act.action_of(combatant)
    over = replace(action, state=how, outcome=outcome, done=action.need)
    traits = {
        **act.changed_traits(combatant, state=how, outcome=outcome, done=action.need),
        "past": act.past_actions(combatant, over),
    }
    up = pairs.risen(combatant, action, last=True) if how in (act.DONE, act.FAILED) else ()
    return (
        sev.Resolved(who=combatant.id, traits=traits, outcome=outcome),
        *up,
        *spend_action(state, combatant, action.text or action.kind),
    )


def would_be_lost(action: act.Action) -> bool:
    """True for an open attack or check of which nothing would come where play goes on over it."""
    return action.is_open and not action.struck and (action.kind in act.ATTACKS or action.dv is not None)


def passed_over(state: FightState, combatant: Combatant) -> ev.Events:
    """Play goes on: what needs no dice is done, an attack that nobody rolled is lost."""
    action = act.action_of(combatant)
    if not action.is_open:
        return ()
    if action.struck:
        return settle_action(state, combatant, act.DONE, action.outcome or "done")
    if would_be_lost(action):
        return settle_action(state, combatant, act.LOST, "not carried out")
    return settle_action(state, combatant, act.DONE, "done")
