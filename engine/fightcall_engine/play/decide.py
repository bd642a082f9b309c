"""From a command to all that comes of it: by one combatant, or by all who are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.referee import Referee
from fightcall_engine.kit.rolls import is_typed
from fightcall_engine.kit.squads import alike
from fightcall_engine.model.commands import Command
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import BadInput, FightCallError, NeedsDice, Refused, RollNeeded
from fightcall_engine.model.events import Event, Events
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import copy_with, field_names
from fightcall_engine.play import core_commands as basics
from fightcall_engine.play.settle import follow, settle

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

Decided = tuple[Events, list[FightState]]
"""All that comes of a command, and the state after each event."""


def decide(system: BaseSystem, state: FightState, command: Command, dice: Dice) -> Decided:
    """What comes of a command, until all is quiet again.

    Raises:
        Refused: nothing has changed.
        NeedsDice: the table owes a throw.
        BadInput: it is to be done by all who are alike, and is done by nobody.
    """
    if command.alike:
        return _by_all_alike(system, state, command, dice)
    decision = _decision_of(state, command, dice)
    events = basics.decide(system, decision, command)
    return settle(system, state, events, decision.folds)


TRIALS = 8
"""How often a command is tried out to see which of its throws never depend on how the ones before them fall."""


def all_owed(system: BaseSystem, state: FightState, command: Command, place: int, owed: NeedsDice) -> NeedsDice:
    """What the table owes for a command: the throws asked for first, and those that are asked for whatever falls.

    What is asked for almost always may be among them; dice that then are not needed do no harm.
    """
    certain: Counter[RollNeeded] | None = None
    for trial in range(TRIALS):
        dice = Dice(f"{state.seed}.{trial}", place, command.rolls)
        try:
            decide(system, state, command, dice)
        except FightCallError:
            return owed
        thrown = Counter(dice.thrown)
        in_order = dice.thrown
        certain = thrown if certain is None else certain & thrown
    more = (certain or Counter()) - Counter(owed.rolls)
    more = Counter({roll: count for roll, count in more.items() if is_typed(state, system.sides, roll)})
    return NeedsDice((*owed.rolls, *_taken_from(more, in_order)))


def _taken_from(counted: Counter[RollNeeded], ordered: Iterable[RollNeeded]) -> Iterator[RollNeeded]:
    """As many of each as are counted, in order."""
    left = Counter(counted)
    for roll in ordered:
        if left[roll] > 0:
            left[roll] -= 1
            yield roll


def _decision_of(state: FightState, command: Command, dice: Dice) -> Decision:
    return Decision(state, dice, Referee(command.type, str(getattr(command, "who", "")), command.force))


def _by_all_alike(system: BaseSystem, state: FightState, command: Command, dice: Dice) -> Decided:
    """One after the other, each as the ones before left things, all of them or none.

    What follows from an act happens at once, but the agenda waits for the last of them: it must not close a step in
    which the others still have to act. Nor does a question that the act of one opens stand in the way of the next;
    the questions are answered when all have acted.
    """
    asked_before = frozenset(prompt.id for prompt in state.prompts)
    events: list[Event] = []
    states: list[FightState] = []
    owed: list[RollNeeded] = []
    for combatant_id in alike(state, _doer(state, command)):
        own = copy_with(command, who=combatant_id, alike=False)
        unasked = copy_with(state, prompts=tuple(prompt for prompt in state.prompts if prompt.id in asked_before))
        try:
            decision = _decision_of(unasked, own, dice.of_member(combatant_id))
            brought = basics.decide(system, decision, own)
        except NeedsDice as needed:
            owed.extend(needed.rolls)
            continue
        except Refused as no:
            raise _name_in_refusal(state, combatant_id, no) from no
        then, after = follow(system, state, brought)
        state = after[-1] if after else state
        events += then
        states += after
    if owed:
        raise NeedsDice(tuple(owed))
    then, after = settle(system, state, ())
    return (*events, *then), [*states, *after]


def _doer(state: FightState, command: Command) -> str:
    who = getattr(command, "who", "") if "who" in field_names(type(command)) else ""
    if not who:
        problem = f"alike: nobody does this {command.type}; accepted: true with a command that has a who"
        raise BadInput(f"command {command.type}", (problem,))
    return combatant_of(state, who).id


def _name_in_refusal(state: FightState, combatant_id: str, no: Refused) -> Refused:
    name = state.combatants[combatant_id].name if combatant_id in state.combatants else combatant_id
    message = no.message if name in no.message else f"{name}: {no.message}"
    return Refused(no.rule, message, no.accepts, final=no.final)
