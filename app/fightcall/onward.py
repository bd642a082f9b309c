"""Who can really act, and where going on stops for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fightcall.waiting import waited_for
from fightcall_engine.model.commands import Command, squeeze
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.state import FightState, Step
from fightcall_engine.play.calls import next_call, step_words
from fightcall_engine.play.codec import codec_of
from fightcall_engine.play.decide import decide

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.kit.views import Option

MOST_STEPS = 60
"""The most steps that one key press goes on."""
AFTER_ROLL = "the step after the roll"
"""Where going on leads if dice decide it."""
UNKNOWN = "the next stop"

IsEnemy = Callable[[FightState, str, str], bool]
"""Whether a combatant may be proposed as another one's target."""


def able_ids(system: BaseSystem, state: FightState, is_enemy: IsEnemy) -> tuple[str, ...]:
    """Return who can attack an enemy in the running step, or move with an enemy in sight."""
    if state.step is None:
        return ()
    return tuple(each for each in waited_for(state, system) if can_really_act(system, state, each, is_enemy))


def is_open_question(system: BaseSystem, state: FightState, is_enemy: IsEnemy) -> bool:
    """Return whether a question stops play. An offer to act does not, if none of those it is made to can really act."""
    prompt = state.asked_first
    if prompt is None or prompt.is_remark:
        return False
    people = [choice.who for choice in prompt.choices if choice.who in state.combatants]
    is_offer = not prompt.blocking and prompt.default and people
    return not is_offer or any(can_really_act(system, state, each, is_enemy) for each in people)


def can_really_act(system: BaseSystem, state: FightState, combatant_id: str, is_enemy: IsEnemy) -> bool:
    """Return whether a combatant can attack an enemy now, or move with an enemy in sight."""
    enemies = {each for each in state.combatants if is_enemy(state, combatant_id, each)}
    seen = {each for each in enemies if _sees(state, combatant_id, each)}
    options = [*system.options(state, combatant_id), *_options_ahead(system, state, combatant_id)]
    return any(_is_real(option, seen) for option in options if option.legal and not _passes(system, option))


def _is_real(option: Option, seen: set[str]) -> bool:
    """Whether an option is an attack on somebody in sight, the end of one, or a walk while somebody is in sight."""
    if option.is_due:
        return True
    if option.is_unlikely or not option.key:
        return False
    targets = next((field.choices for field in option.inputs if field.kind == "target"), None)
    if targets is not None:
        return bool(seen & set(targets) if targets else seen)
    return bool(seen) and any(field.kind == "path" for field in option.inputs)


def _passes(system: BaseSystem, option: Option) -> bool:
    return codec_of(system).command_kinds.get(squeeze(option.command), Command).PASSES


def _sees(state: FightState, combatant_id: str, other_id: str) -> bool:
    """Whether nothing on the board blocks the view; without places, everybody sees everybody."""
    at, to = state.combatants[combatant_id].at, state.combatants[other_id].at
    return state.board is None or at is None or to is None or state.board.sight(at, to).clear


def _options_ahead(system: BaseSystem, state: FightState, combatant_id: str) -> tuple[Option, ...]:
    """A combatant's options in the turn that it is offered."""
    if state.step is None or state.step.actor != combatant_id:
        return ()
    ahead = next_call(system, state, Dice(state.seed, 0)).ahead
    is_theirs = ahead is not None and ahead.step is not None and ahead.step.actor == combatant_id
    return system.options(ahead, combatant_id) if is_theirs and ahead is not None else ()


def is_stop(system: BaseSystem, before: Step | None, state: FightState, is_enemy: IsEnemy) -> bool:
    """Return whether going on stops after a step, because somebody else can really act.

    In steps after which people can still do the same, such as declarations that may be late, only the first one stops.
    """
    step = state.step
    if step is None:
        return False
    if before is not None and step != before:
        is_same_turn = bool(step.actor) and step.actor == before.actor
        if is_same_turn or (step.kind == before.kind and step.kind in system.deferring):
            return False
        if step.kind == system.substep != before.kind and next_call(system, state, Dice(state.seed, 0)).idle is None:
            # Somebody moves in the Pulses, and can still be halted.
            return True
    return bool(able_ids(system, state, is_enemy))


def where_it_stops(system: BaseSystem, state: FightState, is_enemy: IsEnemy) -> str:
    """Return where going on stops: the next step in which somebody can really act, a question, or the next round."""
    if state.status != "running" or state.step is None:
        return ""
    start = state.round
    for _ in range(MOST_STEPS):
        dice = Dice(state.seed, 0)
        call = next_call(system, state, dice)
        if dice.thrown:
            return AFTER_ROLL
        if call.command is None:
            return UNKNOWN
        before = state.step
        try:
            _, states = decide(system, state, call.command, dice)
        except FightCallError:
            return UNKNOWN
        state = states[-1] if states else state
        if is_open_question(system, state, is_enemy):
            return "the next question"
        if state.step is None or state.status != "running":
            return UNKNOWN
        if state.round != start:
            return f"{system.words(state.settings).round} {state.round}"
        if call.loses or is_stop(system, before, state, is_enemy):
            return step_words(system, state, state.step)
    return UNKNOWN
