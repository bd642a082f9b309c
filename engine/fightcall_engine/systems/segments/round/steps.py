"""The steps of a segment's agenda: which of them open, which are passed over and why, and when one is over."""

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.systems.segments.combat import impacts
from fightcall_engine.systems.segments.state import action as act
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state import progress
from fightcall_engine.systems.segments.state.fighter import fighter_of


def why_skipped(state: FightState, step: Step) -> str:
    """Why nothing happens in a step; empty where something does."""
    if step.kind == fg.IMPACTS:
        return "" if impacts.due(state) else "nothing lands"
    if step.kind == fg.WAITS:
        return "" if fg.waiters(state) else "nobody waits"
    if step.kind not in (fg.DECLARE, fg.RESOLVE):
        return ""
    combatant = state.combatants.get(step.actor)
    if combatant is None:
        return "has left"
    if not fg.acts(combatant):
        return "down"
    if step.kind == fg.DECLARE:
        return why_no_declaring(state, combatant)
    return progress.without_a_word(state, combatant, fg.step_pass(step))[0]


def settle_unasked(state: FightState, step: Step) -> ev.Events:
    """What a Resolution brings that passes by itself: an Action without dice, an Action's worth of a long task."""
    combatant = state.combatants.get(step.actor)
    if step.kind != fg.RESOLVE or combatant is None or not fg.acts(combatant):
        return ()
    return progress.without_a_word(state, combatant, fg.step_pass(step))[1]


def why_no_declaring(state: FightState, combatant: Combatant) -> str:
    """Why somebody has nothing to declare in this pass; empty where he has."""
    action = act.action_of(combatant)
    if action.state == act.COMMITTED:
        return f"at work on {action.text or action.kind}: {action.done} of {action.need} qa"
    number = fg.pass_number(state)
    if fg.has_slot_to_come(state, combatant):
        return ""
    if fg.actions_owed(combatant) and not fg.has_slot(state, combatant, number):
        # Whoever sprang a Surprise has completed the first Action by it, and still moves in its turn (CS-052, CS-072).
        first = fg.own_pass(state, combatant, number) == 1
        return "" if first and (action.kind, action.cs) == (act.SPRING, state.round) else "this Action is used"
    return ""


def is_over(state: FightState) -> bool:
    """True where nothing is left to happen in the running step."""
    step, kind = state.step, fg.kind_of(state)
    if step is None:
        return False
    if kind == fg.INITIATIVE:
        return len(state.agenda.steps) > state.agenda.cursor + 1 and not fg.missing(state)
    if kind == fg.WAITS:
        return not fg.waiters(state)
    if kind == fg.IMPACTS:
        return not impacts.due(state) and not state.prompts
    if kind not in (fg.DECLARE, fg.RESOLVE):
        return False
    combatant = state.combatants.get(step.actor)
    if combatant is None or not fg.acts(combatant):
        return True
    if kind == fg.DECLARE:
        return fighter_of(combatant).waiting
    return not state.prompts and not act.action_of(combatant).is_open
