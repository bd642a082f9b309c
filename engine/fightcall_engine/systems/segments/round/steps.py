"""The steps of a segment's agenda: which of them open, which are passed over and why, and when one is over."""

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.systems.segments.combat import impacts
from fightcall_engine.systems.segments.rules.clock import quarters
from fightcall_engine.systems.segments.state import figures, progress
from fightcall_engine.systems.segments.state.action import COMMITTED, SPRING, action_of
from fightcall_engine.systems.segments.state.fighter import fighter_of


def why_skipped(state: FightState, step: Step) -> str:
    """Why nothing happens in a step; empty where something does."""
    if step.kind == figures.IMPACTS:
        return "" if impacts.is_impact_due(state) else "nothing lands"
    if step.kind == figures.WAITS:
        return "" if figures.waiters(state) else "nobody waits"
    if step.kind not in (figures.DECLARE, figures.RESOLVE):
        return ""
    combatant = state.combatants.get(step.actor)
    if combatant is None:
        return "has left"
    if not figures.can_act(combatant):
        return "down"
    if step.kind == figures.DECLARE:
        return why_no_declaring(state, combatant, figures.step_pass(step))
    return progress.resolution_without_dice(state, combatant, figures.step_pass(step))[0]


def settle_unasked(state: FightState, step: Step) -> Events:
    """What a Resolution brings that passes by itself: an Action without dice, an Action's worth of a long task."""
    combatant = state.combatants.get(step.actor)
    if step.kind != figures.RESOLVE or combatant is None or not figures.can_act(combatant):
        return ()
    return progress.resolution_without_dice(state, combatant, figures.step_pass(step))[1]


def why_no_declaring(state: FightState, combatant: Combatant, number: int) -> str:
    """Why somebody has nothing to declare in the pass of this number; empty where he has."""
    action = action_of(combatant)
    if action.state == COMMITTED and figures.pass_number(state) == number:
        # What is due in this pass may be over by the next.
        return f"at work on {action.text or action.kind}: {action.done} of {quarters(action.need)}"
    if figures.has_slot_to_come(state, combatant):
        return ""
    if figures.actions_owed(combatant) and not figures.has_slot(state, combatant, number):
        # Whoever sprang a Surprise has completed the first Action by it, and still moves in its turn (CS-052, CS-072).
        first = figures.own_pass(state, combatant, number) == 1
        return "" if first and (action.kind, action.cs) == (SPRING, state.round) else "this Action is used"
    return ""


def is_over(state: FightState) -> bool:
    """True where nothing is left to happen in the running step."""
    step, kind = state.step, figures.kind_of(state)
    if step is None:
        return False
    if kind == figures.INITIATIVE:
        return step != state.agenda.steps[-1] and not figures.all_unrolled(state)
    if kind == figures.WAITS:
        return not figures.waiters(state)
    if kind == figures.IMPACTS:
        return not impacts.is_impact_due(state) and not state.prompts
    if kind not in (figures.DECLARE, figures.RESOLVE):
        return False
    combatant = state.combatants.get(step.actor)
    if combatant is None or not figures.can_act(combatant):
        return True
    if kind == figures.DECLARE:
        return fighter_of(combatant).waiting
    return not state.prompts and not action_of(combatant).is_open
