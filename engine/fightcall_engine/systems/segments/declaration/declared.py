"""The declaration board: who has declared what, what it binds and costs, when it is settled, and what came of it."""

from fightcall_engine.kit.views import Declaration, Progress
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments import action as act
from fightcall_engine.systems.segments import figures as fg
from fightcall_engine.systems.segments.declaration import meaning
from fightcall_engine.systems.segments.formulas.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.movement import planning
from fightcall_engine.systems.segments.sequence import segment

_STATUS = {act.DRAFT: "draft", act.COMMITTED: "declared", act.DONE: "done", act.FAILED: "failed"}


def declarations(state: FightState) -> tuple[Declaration, ...]:
    """One line for each combatant in the order of the roster; earlier Actions of this segment before it."""
    return tuple(line for one in fg.in_order(state) for line in (*_earlier(one), _now(state, one)))


def _earlier(one: Combatant) -> tuple[Declaration, ...]:
    """Actions of this segment that are over and have been followed by another."""
    past = act.past_of(one)
    told = past if act.action_of(one).is_open else past[:-1]
    return tuple(Declaration(one.id, each.text, public=each.public, status="done", done=each.outcome) for each in told)


def _now(state: FightState, one: Combatant) -> Declaration:
    action, on = act.action_of(one), planning.runs_on(state, one)
    if not action.state:
        waits = fg.trait(one, "waiting") is True
        status = "cannot" if not one.able else "waits" if waits else "busy" if on else ""
        return Declaration(one.id, on, status=status)
    longer = action.is_open and action.need > QA_AN_ACTION
    busy = action.state == act.COMMITTED and act.is_busy(state, one)
    return Declaration(
        one.id,
        "; ".join(filter(None, (action.text or action.kind, on))),
        public=meaning.shown(action) if action.secret else "",
        parts=" ".join(action.bound),
        cost=f"{action.need} qa",
        due=segment.due_text(state, one, action) if action.is_open else "",
        status="busy" if busy else _STATUS.get(action.state, action.state),
        done=action.outcome,
        progress=Progress(action.text or action.kind, segment.worked(state, one), action.need) if longer else None,
    )
