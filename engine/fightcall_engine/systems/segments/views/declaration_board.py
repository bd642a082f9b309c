"""The declaration board: each declared Action, what it binds and costs, when it is due, and its outcome."""

from fightcall_engine.kit.views import Declaration, Progress
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.actions import interpretation, plans
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION, quarters
from fightcall_engine.systems.segments.state import progress
from fightcall_engine.systems.segments.state.action import COMMITTED, DONE, DRAFT, FAILED, action_of, is_busy
from fightcall_engine.systems.segments.state.fighter import fighter_of

_STATUS = {DRAFT: "draft", COMMITTED: "declared", DONE: "done", FAILED: "failed"}


def declarations(state: FightState) -> tuple[Declaration, ...]:
    """A line for each combatant in roster order, after its earlier Actions of this segment."""
    if state.status == "closed":
        return ()
    return tuple(
        line
        for combatant in state.roster
        for line in (*_earlier_declarations(combatant), _present_declaration(state, combatant))
    )


def _earlier_declarations(combatant: Combatant) -> tuple[Declaration, ...]:
    """Settled Actions of this segment before the last."""
    past = fighter_of(combatant).past
    earlier = past if action_of(combatant).is_open else past[:-1]
    return tuple(
        Declaration(combatant.id, each.text, public=each.public, status="done", done=each.outcome) for each in earlier
    )


def _present_declaration(state: FightState, combatant: Combatant) -> Declaration:
    action, run_text = action_of(combatant), plans.continued_run(state, combatant)
    if not action.state:
        waits = fighter_of(combatant).waiting
        status = "cannot" if not combatant.able else "waits" if waits else "busy" if run_text else ""
        return Declaration(combatant.id, run_text, status=status)
    longer = action.is_open and action.need > QA_AN_ACTION
    busy = action.state == COMMITTED and is_busy(state, combatant)
    return Declaration(
        combatant.id,
        "; ".join(filter(None, (action.text or action.kind, run_text))),
        public=interpretation.public_text(action) if action.secret else "",
        parts=" ".join(action.bound),
        cost=quarters(action.need),
        due=progress.due_text(state, combatant, action) if action.is_open else "",
        status="busy" if busy else _STATUS.get(action.state, action.state),
        done=action.outcome,
        progress=Progress(action.text or action.kind, progress.task_progress(state, combatant), action.need)
        if longer
        else None,
    )
