"""Work done by a helper: putting on plate armour, and sleeves, while the wearer waits (CS-136, 137).

The helper has an Action of its own meanwhile, which binds both hands; `Fighter.helps` is the id of the wearer.
"""

from __future__ import annotations

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.referee import Referee
from fightcall_engine.model.errors import RulingWanted
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules import clock
from fightcall_engine.systems.segments.rules.clock import Slot
from fightcall_engine.systems.segments.state import commands, events, progress, queries
from fightcall_engine.systems.segments.state.action import COMMITTED, LEFT, LEGS, RIGHT, TASK, action_of
from fightcall_engine.systems.segments.state.fighter import Action, Piece, fighter_of
from fightcall_engine.systems.segments.state.pieces import SLEEVE, find_component, piece_label

TIED = "tied"


def check_helper(
    state: FightState, combatant: Combatant, command: commands.Declare, pieces: tuple[Piece, ...], referee: Referee
) -> None:
    """CS-135 to CS-137: check that the helper is there and free, and that sleeves are tied on with their jerkin.

    Raises:
        Refused: a helper is needed and missing, or is at work.
    """
    for piece in pieces:
        if piece.key == SLEEVE and fighter_of(combatant).sleeves == TIED:
            problem = f"{combatant.name}'s sleeves are tied to the jerkin and go on with it"
            referee.require(False, "CS-135", problem, "don_coat", RulingWanted("sleeves"))
        component_of_task = find_component(piece.key)
        if component_of_task is not None and component_of_task.helper:
            problem = f"{piece_label(piece)}: someone else must do this"
            others = tuple(combatant_id for combatant_id in state.combatants if combatant_id != combatant.id)
            referee.require(bool(command.helper), component_of_task.rule, problem, "helper", *others)
    if command.helper:
        _check_hands(combatant, combatant_of(state, command.helper), referee)


def _check_hands(combatant: Combatant, helper: Combatant, referee: Referee) -> None:
    referee.require(helper.id != combatant.id, "CS-136", f"{combatant.name} can't be the helper too", "someone else")
    referee.require(helper.able, "CS-136", f"{helper.name} is down", "someone who isn't down")
    busy = action_of(helper)
    is_helping_already = fighter_of(helper).helps == combatant.id
    referee.require(
        not busy.is_open or is_helping_already,
        "CS-146",
        f"{helper.name} is busy: {busy.text or busy.kind}",
        "abort",
        "another",
    )


def need_with_helper(state: FightState, combatant: Combatant, helper: Combatant, need: int) -> int:
    """CS-136, CS-137: the wearer's quarter-actions for work that takes the helper `need` of its own."""
    return _qa_until(state, combatant, progress.due_slot(state, helper, Action(need=need)), need)


def _qa_until(state: FightState, combatant: Combatant, end: Slot | None, need: int) -> int:
    """The quarter-actions that a combatant has left up to the segment of a slot."""
    if end is None:
        return need
    own_segment, rate = queries.own_segment(state, combatant), queries.rate_of_action(combatant)
    to_come = clock.owed_until(own_segment + end.segment - state.round, rate) - clock.owed_until(own_segment, rate)
    return clock.QA_AN_ACTION * max(1, queries.slots_left(combatant) + to_come)


def helper_events(state: FightState, combatant: Combatant, action: Action) -> Events:
    """CS-136: the event that puts the helper to work for as long as it takes."""
    helper = state.combatants.get(action.helper)
    if helper is None or helper.id == combatant.id:
        return ()
    help_action = Action(
        state=COMMITTED,
        kind=TASK,
        text=f"help {combatant.name}: {action.text}",
        components=action.components,
        parts=(RIGHT, LEFT, LEGS),
        need=_qa_until(state, helper, progress.due_slot(state, combatant, action), action.need),
        cs=state.round,
        in_pass=queries.pass_number(state),
        rolled=False,
    )
    return (
        events.Declared(
            who=helper.id,
            traits={"action": help_action, "waiting": False, "helps": combatant.id},
            shown=help_action.text,
            action=help_action.kind,
            qa_need=help_action.need,
            due=progress.due_text(state, helper, help_action),
        ),
    )


def helpers_of(state: FightState, combatant_id: str) -> tuple[Combatant, ...]:
    """The combatants at work for this one."""
    return tuple(
        other
        for other in state.combatants.values()
        if fighter_of(other).helps == combatant_id and action_of(other).is_open
    )


def helped_by(state: FightState, helper: Combatant) -> Combatant | None:
    """The combatant whom this one helps."""
    combatant = state.combatants.get(fighter_of(helper).helps)
    return (
        combatant
        if combatant is not None and action_of(combatant).is_open and action_of(combatant).helper == helper.id
        else None
    )
