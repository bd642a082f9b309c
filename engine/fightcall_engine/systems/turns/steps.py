"""The steps of a turn (ST-22..29, ST-33): harm, costs, endings and benefits run by themselves; then the owner acts."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.combatants import change_pool
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model.events import Restored, StepBegan
from fightcall_engine.model.state import Choice, Combatant, Effect, FightState, Prompt
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.turns import effects, events, records, rounds, upkeep
from fightcall_engine.systems.turns.records import (
    EffectInStep,
    OrderAsked,
    mark_asked,
    mark_handled,
    progress_of,
    settings_of,
)

WORKING_KINDS: Mapping[str, str] = {records.NEGATIVE: "negative", records.POSITIVE: "positive"}
"""The kind of effects that run in each step."""


def has_work(decision: Decision, combatant: Combatant) -> bool:
    """Run the automatic part of the running step. False if the step is finished and waits for nobody."""
    return _RUN[decision.state.phase](decision, combatant)


def close_turn(decision: Decision, combatant: Combatant, cause: str) -> None:
    """ST-33, ST-04: end the turn, with a step for effects that end then."""
    end = rounds.block_end(decision.state)
    decision.emit(StepBegan(index=end, phase=records.END, side=combatant.side))
    rounds.count_down(decision, records.TURN_END, combatant.id)
    unused_actions = records.actions_of(combatant).now
    decision.emit(events.TurnEnded(who=combatant.id, before=records.BEGUN, cause=cause, unused=unused_actions))


# Negative and positive effects (steps 1 and 4)


def effects_to_run(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    """The effects on a participant that run in this step and have not run yet in this turn."""
    handled_effects = progress_of(state).handled
    running_effects = (
        effect
        for effect in combatant.effects
        if effect.kind == WORKING_KINDS[state.phase]
        and effects.changes_pool(effect)
        and EffectInStep(state.phase, effect.id) not in handled_effects
    )
    return effects.arrange_effects(combatant, running_effects)


def _run_effects(decision: Decision, combatant: Combatant, effects_left: tuple[Effect, ...]) -> None:
    """Run the effects of this step, up to the first that needs the GM.

    Each is marked as handled before it runs, because its consequences may change the progress, such as a fall (Q-T10).
    """
    phase = decision.state.phase
    if ask_which_first(decision, combatant, effects_left):
        return
    first_with_dice = next((effect for effect in effects_left if effects.dice_of(effect)), None)
    plain = effects_left if first_with_dice is None else effects_left[: effects_left.index(first_with_dice)]
    now = (*plain, first_with_dice) if first_with_dice is not None else plain
    mark_handled(decision, phase, (effect.id for effect in now))
    for effect in plain:
        _apply_effect(decision, combatant.id, effect, abs(effect.magnitude))
    if first_with_dice is not None:
        decision.spawn(_run_by_dice, phase, combatant.id, first_with_dice.id)


def _apply_effect(decision: Decision, combatant_id: str, effect: Effect, amount: int) -> None:
    """ST-23, ST-27: harm down to 0, good up to the maximum."""
    combatant, pool = decision.state.combatants[combatant_id], effects.pool_of(effect)
    if effect.kind == "negative":
        left, is_tracked = max(0, combatant.pool(pool).now - amount), pool in combatant.pools
        details = {"amount": amount, "tracked": is_tracked, "effect": effect.id, "name": effect.name}
        decision.emit(change_pool(events.NegativeApplied, combatant, pool, left, **details))
    else:
        records.heal(decision, events.PositiveApplied, combatant, pool, amount, effect=effect.id, name=effect.name)


def _run_by_dice(decision: Decision, phase: str, combatant_id: str, effect_id: str) -> None:
    """ST-23, ST-27: run an effect whose strength is rolled, or given by the GM."""
    match = records.find_effect(decision.state, effect_id)
    if match is None:
        return
    combatant, effect = match
    dice = effects.dice_of(effect)
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="pulse",
            question=f"{effect.name} on {combatant.name}: roll {dice}?",
            rule="ST-23" if phase == records.NEGATIVE else "ST-27",
            choices=choices(f"roll:roll {dice}", "none:skip it this time"),
            default="roll",
            amount="amount",
            purpose="pulse",
        )
    )
    match = records.find_effect(decision.state, effect_id)
    if answer is None or match is None or answer.choice == "none":
        return
    effect = match[1]
    strength = effects.dice_of(effect) if answer.amount is None else answer.amount
    amount = throw_amount(decision, strength, "pulse", combatant_id)
    _apply_effect(decision, combatant_id, effect, amount)


def ask_which_first(decision: Decision, combatant: Combatant, effects_left: tuple[Effect, ...]) -> bool:
    """Q-T23: if the setting says so, ask the GM which effect comes first, once for each number left. True if asked."""
    state = decision.state
    if settings_of(state).effect_order != "ask" or len(effects_left) < 2:
        return False
    if OrderAsked(state.phase, len(effects_left)) in progress_of(state).asked:
        return False
    keys = "abcdefghijkmnopqrstuvwxyz"
    first = (Choice(effect.id, f"{effect.name} first", key) for effect, key in zip(effects_left, keys, strict=False))
    mark_asked(decision, state.phase, len(effects_left))
    prompt = prompt_for(
        combatant,
        kind="effect_order",
        question=f"{combatant.name}: {', '.join(effect.name for effect in effects_left)}. In this order?",
        rule="Q-T23",
        choices=(Choice("listed", "as listed", "l"), *first),
        default="listed",
    )
    decision.spawn(_put_first, prompt)
    return True


def _put_first(decision: Decision, prompt: Prompt) -> None:
    """Q-T23: ask which effect runs first, and let it."""
    answer = decision.ask(prompt)
    if answer is None or answer.choice == "listed":
        return
    combatant = decision.combatant(prompt.who)
    in_order = effects.arrange_effects(combatant, combatant.effects)
    rest = (effect.id for effect in in_order if effect.id != answer.choice)
    decision.set_traits(combatant.id, effect_order=(answer.choice, *rest))


def _run_negative(decision: Decision, combatant: Combatant) -> bool:
    to_run = effects_to_run(decision.state, combatant)
    fell = progress_of(decision.state).fell
    if to_run:
        _run_effects(decision, combatant, to_run)
    elif fell and settings_of(decision.state).down_in_start_steps == "turn_over":
        close_turn(decision, combatant, "down")
    else:
        return False
    return True


def _run_positive(decision: Decision, combatant: Combatant) -> bool:
    to_run = effects_to_run(decision.state, combatant)
    progress = progress_of(decision.state)
    if to_run:
        _run_effects(decision, combatant, to_run)
        return True
    if progress.fell and not progress.asked_to_act:
        decision.set_facts(progress=copy_with(progress, asked_to_act=True))
        decision.spawn(_ask_whether_able, combatant.id)
        return True
    if settings_of(decision.state).dice_recovered == "after_step_4":
        rounds.recover_dice(decision, combatant)
    return False


def _ask_whether_able(decision: Decision, combatant_id: str) -> None:
    """Q-T10: ask whether an owner who went down in the start steps acts; if not, the turn ends."""
    combatant = decision.combatant(combatant_id)
    hp = combatant.pool("hp")
    now = f"{hp.now} HP" if "hp" in combatant.pools else "hit points aren't tracked"
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="down",
            question=f"{combatant.name} went down at the start of the turn ({now}). Can {combatant.name} still act?",
            rule="Q-T10",
            choices=choices("act:yes, act", "end:no, end the turn"),
            default="act" if combatant.able else "end",
        )
    )
    if answer is None:
        return
    combatant = decision.combatant(combatant_id)
    if answer.choice == "act":
        if not combatant.able:
            decision.emit(Restored(who=combatant.id))
    elif records.running_turn(decision.state) is combatant:
        close_turn(decision, combatant, "down")


def throw_amount(decision: Decision, amount: int | str, purpose: str, combatant_id: str) -> int:
    """The number, or the total of rolled dice; at least 0."""
    total, dice_events = throw(amount, decision.dice, purpose, combatant_id)
    decision.emit(*dice_events)
    return total


# Costs, endings and acting (steps 2, 3 and 5)


def _run_costs(decision: Decision, combatant: Combatant) -> bool:
    """ST-24: handle one upkeep after the other, until there is a question."""
    due = upkeep.upkeeps_due(decision.state, combatant)
    own_effects = tuple(effect for bearer, effect in due if bearer is combatant)
    if due and not ask_which_first(decision, combatant, own_effects):
        upkeep.ask_for_upkeep(decision, combatant, *due[0])
    return bool(due)


def _run_expiries(decision: Decision, combatant: Combatant) -> bool:
    """ST-26: end the effects that stop at the start of this turn."""
    rounds.count_down(decision, records.TURN_START, combatant.id)
    return False


def _run_acting(decision: Decision, combatant: Combatant) -> bool:
    """ST-29: whether the turn is over, because no Actions are left."""
    if records.actions_of(combatant).now == 0:
        close_turn(decision, combatant, "no Actions")
    return True


def _run_end(decision: Decision, combatant: Combatant) -> bool:
    close_turn(decision, combatant, "gm")
    return True


_RUN: Mapping[str, Callable[[Decision, Combatant], bool]] = {
    records.NEGATIVE: _run_negative,
    records.COSTS: _run_costs,
    records.EXPIRIES: _run_expiries,
    records.POSITIVE: _run_positive,
    records.ACTING: _run_acting,
    records.END: _run_end,
}
