"""The steps of a segment's agenda: which of them open, which are passed over and why, and when one is over."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.systems.segments.combat import impacts
from fightcall_engine.systems.segments.round import segment
from fightcall_engine.systems.segments.state import action as act
from fightcall_engine.systems.segments.state import events as sev
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state import progress
from fightcall_engine.systems.segments.state.fighter import fighter_of


def go_on(state: FightState) -> ev.Events:
    """The running step is over; the next one that has something in it begins."""
    step, cursor = state.step, state.agenda.cursor
    if step is None:
        return ()
    course = Decision(state)
    course.emit(ev.StepEnded(index=cursor, phase=step.phase, side=step.side))
    course.emit(*open_from(course.state, cursor + 1))
    return course.events


def open_from(state: FightState, index: int) -> ev.Events:
    """The first step from here on that has something in it begins; those without are passed over, with the reason."""
    course = Decision(state)
    at = index
    while at < len(course.state.agenda.steps):
        step = course.state.agenda.steps[at]
        course.emit(*_pass_of(course.state, step))
        if step.kind == fg.CLOSE:
            course.emit(ev.StepBegan(index=at, phase=step.phase, side=step.side))
            course.emit(*segment.end(course.state))
            return course.events
        reason, caused = _passed_over(course.state, step)
        course.emit(*caused)
        if not reason:
            course.emit(ev.StepBegan(index=at, phase=step.phase, side=step.side))
            if step.kind == fg.IMPACTS:
                course.emit(*impacts.land_shots(course.state))
            if step.kind == fg.PULSE:
                number = int(step.id.rpartition(".")[2])
                course.emit(sev.PulseTicked(before=fg.fact(course.state, "pulse"), value=number))
            return course.events
        course.emit(ev.StepSkipped(index=at, phase=step.phase, side=step.side, reason=reason))
        at += 1
    return course.events


def _pass_of(state: FightState, step: Step) -> ev.Events:
    """CS-095: another pass begins, and the one before it is over."""
    number, now = fg.step_pass(step), fg.pass_number(state)
    if step.kind == fg.CLOSE:
        return segment.end_pass(state)
    if not number or number == now:
        return ()
    course = Decision(state)
    course.emit(*segment.end_pass(state))
    course.emit(*segment.begin_pass(course.state, number))
    return course.events


def _passed_over(state: FightState, step: Step) -> tuple[str, ev.Events]:
    """Why nothing happens in a step, empty where something does; and what is settled without a word."""
    if step.kind == fg.IMPACTS:
        return ("" if impacts.due(state) else "nothing lands"), ()
    if step.kind == fg.WAITS:
        return ("" if fg.waiters(state) else "nobody waits"), ()
    if step.kind not in (fg.DECLARE, fg.RESOLVE):
        return "", ()
    combatant = state.combatants.get(step.actor)
    if combatant is None:
        return "has left", ()
    if not fg.acts(combatant):
        return "down", ()
    if step.kind == fg.DECLARE:
        return why_no_declaring(state, combatant), ()
    return progress.without_a_word(state, combatant, fg.step_pass(step))


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
