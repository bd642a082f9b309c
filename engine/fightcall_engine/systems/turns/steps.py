"""The steps of a turn (ST-22..29, ST-33): effects that harm, cost, end and help; then the owner acts."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import cast

from fightcall_engine.kit.decision import Decision, Waiting, choices, prompt_for, record_moot, throw
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.records import change_pool, effect_data_of, sheet_entries
from fightcall_engine.kit.views import Check
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import bounds
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EffectBegan, EffectEnded, Restored, StepBegan
from fightcall_engine.model.state import Choice, Combatant, Effect, FightState, Prompt
from fightcall_engine.model.values import copy_with
from fightcall_engine.systems.turns import entries, records, rounds
from fightcall_engine.systems.turns.records import (
    WORDS,
    EffectInStep,
    EffectTerms,
    OrderAsked,
    mark_handled,
    participant_of,
    scene_of,
    settings_of,
)

POLARITIES = ("negative", "positive", "")


@handles(entries.Affect)
def begin_effect(decision: Decision, command: entries.Affect) -> None:
    """Begin an effect. Harm is stored as a negative magnitude, as the screen shows it."""
    combatant = decision.combatant(command.who)
    _check_words(command)
    anchor = decision.combatant(command.anchor) if command.anchor else combatant
    payer = decision.combatant(command.payer) if command.payer else combatant
    pool = ""
    if command.polarity and command.amount:
        pool = records.find_pool(combatant, command.pool) if command.pool != "hp" else "hp"
        is_tracked = pool in combatant.pools or command.polarity == "negative"
        accepts = tuple(combatant.pools)
        decision.require(Check(is_tracked, "ST-27", f"{combatant.name} has no {pool} to recover", accepts))
    resource = records.find_pool(payer, command.resource or "mana") if command.upkeep else ""
    payer_id = payer.id if command.upkeep and payer is not combatant else ""
    effect = _make_effect(replace(command, name=command.name.strip()), anchor.id, pool, resource, payer_id)
    decision.emit(EffectBegan(who=combatant.id, effect=effect))


def _make_effect(command: entries.Affect, anchor_id: str, pool: str, resource: str, payer_id: str = "") -> Effect:
    ticks = records.TURN_START if command.ends_at_turn_start else command.ticks
    dice = command.amount if isinstance(command.amount, str) else ""
    return Effect(
        id="",
        name=command.name,
        left=1 if command.ends_at_turn_start else command.rounds,
        ticks=ticks,
        clock="round" if ticks in records.CLOCKS["round"].values() else anchor_id,
        magnitude=_magnitude(command.polarity, command.amount),
        note=command.note,
        kind=command.polarity,
        data=_terms(pool, dice, command.upkeep, resource, payer_id),
    )


def _check_words(command: entries.Affect) -> None:
    if not command.name.strip():
        raise Refused("name", "an effect needs a name", ("any text",), final=True)
    if command.polarity not in POLARITIES:
        raise Refused("polarity", f"{command.polarity!r} isn't a polarity", ("negative", "positive", ""), final=True)
    if command.ticks not in records.TICKS:
        raise Refused("ticks", f"{command.ticks!r} isn't a moment", records.TICKS, final=True)
    if command.rounds is not None and command.rounds < 1:
        raise Refused("rounds", f"{command.rounds} rounds", ("1 or more", "leave out: until ended"), final=True)
    if command.upkeep < 0:
        raise Refused("upkeep", "upkeep can't be below zero", ("0 or more",), final=True)
    _check_amount(command.amount)


def _check_amount(amount: int | str) -> None:
    if isinstance(amount, int) and amount < 0:
        raise Refused("amount", "the amount can't be below zero", ("0 or more",), final=True)
    if isinstance(amount, str):
        try:
            most = bounds(amount)[1]
        except ValueError as error:
            raise Refused("amount", str(error), ("a number", "dice such as d4"), final=True) from error
        if most < 0:
            raise Refused("amount", f"{amount} is below zero", ("0 or more", "dice such as d4"), final=True)


def make_harmful(bearer: Combatant, effect: Effect, amount: int | str, heals: bool) -> Effect:
    """The effect, changed to take or restore hit points as its bearer's turns start (ST-23, ST-27), if it can."""
    _check_amount(amount)
    if heals:
        records.find_pool(bearer, "hp")
    polarity = "positive" if heals else "negative"
    dice = amount if isinstance(amount, str) else ""
    size, data = _magnitude(polarity, amount), EffectTerms(pool="hp", dice=dice)
    return replace(effect, kind=polarity, magnitude=size, data=data, ticks=records.TURN_START, clock=bearer.id)


def _magnitude(polarity: str, amount: int | str) -> int:
    if isinstance(amount, str):
        return 0
    return -amount if polarity == "negative" else amount


def _terms(pool: str, dice: str, upkeep: int, resource: str, payer: str = "") -> EffectTerms | None:
    terms_said = EffectTerms(pool, dice, upkeep, resource, payer)
    return None if terms_said == EffectTerms() else terms_said


# What an effect changes and costs


def terms_of(effect: Effect) -> EffectTerms:
    """What an effect changes, and what it costs."""
    return effect_data_of(effect, EffectTerms)


def changes_pool(effect: Effect) -> bool:
    """Whether an effect changes a pool in its step."""
    return bool(effect.magnitude or terms_of(effect).dice)


def pool_of(effect: Effect) -> str:
    """The pool that an effect changes."""
    return terms_of(effect).pool or "hp"


def upkeep_of(effect: Effect) -> tuple[int, str]:
    """ST-24: the price of keeping an effect up, and the pool it is paid from."""
    return terms_of(effect).upkeep, terms_of(effect).resource


def payer_of(state: FightState, bearer: Combatant, effect: Effect) -> str:
    """The payer: the named one, or the bearer if none is named or the payer has left."""
    payer = terms_of(effect).payer
    return payer if payer in state.combatants else bearer.id


def arrange_effects(combatant: Combatant, effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Effects in order: as listed, unless the GM has ruled on the order of this bearer's effects (Q-T23)."""
    first = participant_of(combatant).effect_order
    all_effects = tuple(effects)
    return tuple(sorted(all_effects, key=lambda effect: first.index(effect.id) if effect.id in first else len(first)))


def begin_sheet_effects(decision: Decision, combatant: Combatant) -> None:
    """Begin the effects on a participant's sheet, once."""
    if participant_of(combatant).prepared:
        return
    decision.set_traits(combatant.id, prepared=True)
    for entry in sheet_entries(combatant, "effects"):
        begun = entries.Affect(
            who=combatant.id,
            name=str(entry["name"]),
            polarity=str(entry.get("polarity") or ""),
            amount=cast(int | str, entry.get("amount") or 0),
            upkeep=cast(int, entry.get("upkeep") or 0),
            rounds=cast(int | None, entry.get("rounds")),
            ends_at_turn_start=entry.get("ends_at_turn_start") is True,
            note=str(entry.get("note") or ""),
        )
        pool, resource = str(entry.get("pool") or "hp"), str(entry.get("resource") or "mana")
        pool = (records.pool_named(combatant, pool) or pool) if begun.polarity and begun.amount else ""
        resource = (records.pool_named(combatant, resource) or resource) if begun.upkeep else ""
        decision.emit(EffectBegan(who=combatant.id, effect=_make_effect(begun, combatant.id, pool, resource)))


# Upkeep of effects (ST-24, ST-25)


def upkeeps_due(state: FightState, payer: Combatant) -> tuple[tuple[Combatant, Effect], ...]:
    """ST-24: what a combatant must pay in step 2 and has not, each with its bearer; effects on itself first."""
    handled_effects = scene_of(state).progress.handled
    bearers = (payer, *(other for other in state.roster if other.id != payer.id))
    return tuple(
        (bearer, effect)
        for bearer in bearers
        for effect in arrange_effects(bearer, bearer.effects)
        if upkeep_of(effect)[0]
        and payer_of(state, bearer, effect) == payer.id
        and EffectInStep(records.COSTS, effect.id) not in handled_effects
    )


def questions_about(state: FightState, effect_id: str) -> tuple[Prompt, ...]:
    """The open questions about an effect."""
    return tuple(prompt for prompt in state.prompts if _effect_of(prompt) == effect_id)


def _effect_of(prompt: Prompt) -> str:
    """The id of the effect that a question is about: the last argument of the function that asks; empty for none."""
    waiting = prompt.waiting
    return str(waiting.args[-1]) if isinstance(waiting, Waiting) and prompt.kind in _ABOUT_EFFECTS else ""


def _ask_to_pay(decision: Decision, payer_id: str, is_down: bool, effect_id: str) -> None:
    """ST-24, ST-25: ask whether the upkeep is paid, or the effect ends at once.

    The effect of a payer who is down (`is_down`) can also go on unpaid until the next round.
    """
    payer, match = decision.combatant(payer_id), records.find_effect(decision.state, effect_id)
    if match is None:
        return
    bearer, effect = match
    price, resource = upkeep_of(effect)
    what = effect.name if bearer.id == payer_id else f"{effect.name} on {bearer.name}"
    points, unit = payer.pool(resource).now, WORDS.pool(resource)
    prompt = partial(prompt_for, payer, rule="ST-24", about=(bearer.id,))
    if is_down:
        question = f"{payer.name} is down and can't pay {price} of {points} {unit} for {what}. End it?"
        pay = ("pay:no, pay for it",) if points >= price else ()
        menu = choices("end:yes, it ends", *pay, "unpaid:no, keep it unpaid this round")
        answer = decision.ask(prompt(kind="down_payer", question=question, choices=menu, default="end"))
    else:
        question = f"Pay {price} of {payer.name}'s {points} {unit} for {what}? If not, it ends."
        menu = choices("pay", "decline:no, it ends")
        answer = decision.ask(prompt(kind="upkeep", question=question, choices=menu, default="pay"))
    match = records.find_effect(decision.state, effect_id)
    if answer is None or match is None or answer.choice == "unpaid":
        return
    if answer.choice == "end":
        _end_unpaid(decision, decision.combatant(payer_id), *match, "down")
    else:
        _settle_upkeep(decision, decision.combatant(payer_id), *match, answer.choice)


_ABOUT_EFFECTS = ("pulse", "upkeep", "down_payer", "gone_payer")
_QUESTIONS_OF_STEP = ("upkeep", "effect_order")


@handles(entries.Pay, entries.Decline)
def answer_by_command(decision: Decision, command: entries.Pay | entries.Decline) -> None:
    """ST-24, ST-25: answer the question for an upkeep, or settle another one that is due in this step, by its name."""
    choice = "pay" if isinstance(command, entries.Pay) else "decline"
    payer_id = decision.combatant(command.who).id if command.who else ""
    asked = [prompt for prompt in decision.state.prompts if prompt.kind == "upkeep" and payer_id in ("", prompt.who)]
    prompt = next((each for each in asked if _is_about(decision, each, command.effect)), None)
    if prompt is not None:
        decision.answer(prompt, Answer(prompt=prompt.id, choice=choice))
        return
    payer = records.running_turn(decision.state)
    is_payers_step = payer is not None and decision.state.phase == records.COSTS and payer_id in ("", payer.id)
    if payer is None or not is_payers_step or not command.effect:
        raise Refused("ST-24", "no upkeep is due now", ("step 2 of the payer's turn",), final=True)
    due = upkeeps_due(decision.state, payer)
    match = next(((bearer, effect) for bearer, effect in due if _is_called(effect, command.effect)), None)
    if match is None:
        names = tuple(dict.fromkeys(effect.name for _, effect in due))
        raise Refused("ST-24", f"{payer.name} owes no upkeep for {command.effect!r} now", names, final=True)
    # What was asked is asked again for the rest, with what is left.
    questions = [each for each in decision.state.prompts if each.who == payer.id and each.kind in _QUESTIONS_OF_STEP]
    decision.emit(*record_moot(questions, f"{match[1].name} comes first"))
    _settle_upkeep(decision, payer, *match, choice)


def _is_called(effect: Effect, name: str) -> bool:
    return name == effect.id or name.strip().casefold() == effect.name.casefold()


def _is_about(decision: Decision, prompt: Prompt, effect: str) -> bool:
    match = records.find_effect(decision.state, _effect_of(prompt))
    return match is not None and (not effect or _is_called(match[1], effect))


def _settle_upkeep(decision: Decision, payer: Combatant, bearer: Combatant, effect: Effect, choice: str) -> None:
    """ST-24, ST-25: pay the upkeep, or end the effect at once."""
    price, resource = upkeep_of(effect)
    if choice != "pay":
        _end_unpaid(decision, payer, bearer, effect, "declined")
    elif payer.pool(resource).now < price:
        _end_unpaid(decision, payer, bearer, effect, "more than is left")
    else:
        mark_handled(decision, records.COSTS, (effect.id,))
        details = {"bearer": bearer.id, "effect": effect.id, "name": effect.name}
        purpose = f"upkeep of {effect.name}"
        records.spend(decision, entries.UpkeepPaid, payer, resource, price, purpose=purpose, **details)


def _end_unpaid(decision: Decision, payer: Combatant, bearer: Combatant, effect: Effect, cause: str) -> None:
    price, resource = upkeep_of(effect)
    details = {"bearer": bearer.id, "effect": effect.id, "name": effect.name, "resource": resource}
    decision.emit(entries.UpkeepUnpaid(who=payer.id, amount=price, cause=cause, **details))
    decision.emit(EffectEnded(who=bearer.id, effect=effect.id, name=effect.name))


# A payer who is down, or has left


def ask_for_upkeeps_of_downed(decision: Decision, payer: Combatant) -> None:
    """ST-24: ask the GM about the upkeeps of a combatant who is down, and so has no step 2."""
    for _, effect in upkeeps_due(decision.state, payer):
        if not questions_about(decision.state, effect.id):
            decision.spawn(_ask_to_pay, payer.id, True, effect.id)


def ask_to_pay_after_all(decision: Decision, payer: Combatant) -> None:
    """ST-24: let a combatant who is up again pay or decline an upkeep that the GM was asked about."""
    stale = [prompt for prompt in decision.state.prompts if prompt.kind == "down_payer" and prompt.who == payer.id]
    decision.emit(*record_moot(stale, "can act again"))
    for prompt in stale:
        decision.spawn(_ask_to_pay, payer.id, False, _effect_of(prompt))


def ask_for_upkeeps_of_leaver(decision: Decision, payer_id: str) -> None:
    """ST-24: ask the GM about each upkeep of a combatant who has left."""
    for bearer in decision.state.roster:
        for effect in bearer.effects:
            if terms_of(effect).payer == payer_id and upkeep_of(effect)[0]:
                decision.spawn(_ask_about_unpaid, bearer.id, effect.id)


def _ask_about_unpaid(decision: Decision, bearer_id: str, effect_id: str) -> None:
    """ST-24, ST-25: end the effect of a payer who has left, or let its bearer or nobody pay from now on."""
    match = records.find_effect(decision.state, effect_id)
    if match is None:
        return
    bearer, effect = match
    price, resource = upkeep_of(effect)
    pay = (f"bearer:no, {bearer.name} pays for it",) if resource in bearer.pools else ()
    question = f"The one paying {price} {WORDS.pool(resource)} for {effect.name} on {bearer.name} has left. End it?"
    menu = choices("end:yes, it ends", *pay, "free:no, it continues for free")
    answer = decision.ask(
        prompt_for(bearer, kind="gone_payer", question=question, rule="ST-24", choices=menu, default="end")
    )
    match = records.find_effect(decision.state, effect_id)
    if answer is None or match is None or answer.choice == "bearer":
        return
    effect, is_free = match[1], answer.choice != "end"
    reason = "it continues for free" if is_free else "no one is left to pay for it"
    decision.emit(EffectEnded(who=bearer_id, effect=effect.id, name=effect.name, reason=reason))
    if is_free:
        unpriced = _terms(terms_of(effect).pool, terms_of(effect).dice, 0, "")
        decision.emit(EffectBegan(who=bearer_id, effect=replace(effect, id="", data=unpriced)))


# The steps of a turn (ST-22..29, ST-33)


def close_turn(decision: Decision, combatant: Combatant, cause: str) -> None:
    """ST-33, ST-04: end the turn, with a step for effects that end then."""
    end = rounds.block_end(decision.state)
    decision.emit(StepBegan(index=end, phase=records.END, side=combatant.side))
    rounds.count_down(decision, records.TURN_END, combatant.id)
    unused_actions = combatant.pool(records.ACTIONS).now
    decision.emit(entries.TurnEnded(who=combatant.id, before=records.BEGUN, cause=cause, unused=unused_actions))


# Negative and positive effects (steps 1 and 4)


def effects_to_run(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    """The effects on a participant that run in this step and have not run yet in this turn."""
    handled_effects = scene_of(state).progress.handled
    kind = "negative" if state.phase == records.NEGATIVE else "positive"
    running_effects = (
        effect
        for effect in combatant.effects
        if effect.kind == kind and changes_pool(effect) and EffectInStep(state.phase, effect.id) not in handled_effects
    )
    return arrange_effects(combatant, running_effects)


def _run_effects(decision: Decision, combatant: Combatant, effects_left: tuple[Effect, ...]) -> None:
    """Run the effects of this step, up to the first that needs the GM.

    Each is marked as handled before it runs, because its consequences may change the progress, such as a fall (Q-T10).
    """
    phase = decision.state.phase
    if ask_which_first(decision, combatant, effects_left):
        return
    first_with_dice = next((effect for effect in effects_left if terms_of(effect).dice), None)
    plain = effects_left if first_with_dice is None else effects_left[: effects_left.index(first_with_dice)]
    now = plain if first_with_dice is None else (*plain, first_with_dice)
    mark_handled(decision, phase, (effect.id for effect in now))
    for effect in plain:
        _apply_effect(decision, combatant.id, effect, abs(effect.magnitude))
    if first_with_dice is not None:
        decision.spawn(_run_by_dice, phase, combatant.id, first_with_dice.id)


def _apply_effect(decision: Decision, combatant_id: str, effect: Effect, amount: int) -> None:
    """ST-23, ST-27: harm down to 0, good up to the maximum."""
    combatant, pool = decision.state.combatants[combatant_id], pool_of(effect)
    if effect.kind == "negative":
        left, is_tracked = max(0, combatant.pool(pool).now - amount), pool in combatant.pools
        details = {"amount": amount, "tracked": is_tracked, "effect": effect.id, "name": effect.name}
        decision.emit(change_pool(entries.NegativeApplied, combatant, pool, left, **details))
    else:
        records.heal(decision, entries.PositiveApplied, combatant, pool, amount, effect=effect.id, name=effect.name)


def _run_by_dice(decision: Decision, phase: str, combatant_id: str, effect_id: str) -> None:
    match = records.find_effect(decision.state, effect_id)
    if match is None:
        return
    combatant, effect = match
    dice = terms_of(effect).dice
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
    strength = terms_of(effect).dice if answer.amount is None else answer.amount
    amount = throw_amount(decision, strength, "pulse", combatant_id)
    _apply_effect(decision, combatant_id, effect, amount)


def ask_which_first(decision: Decision, combatant: Combatant, effects_left: tuple[Effect, ...]) -> bool:
    """Q-T23: if the setting says so, ask the GM which effect comes first, once for each number left. True if asked."""
    state, progress = decision.state, scene_of(decision.state).progress
    asked = OrderAsked(state.phase, len(effects_left))
    if settings_of(state).effect_order != "ask" or len(effects_left) < 2 or asked in progress.asked:
        return False
    keys = "abcdefghijkmnopqrstuvwxyz"
    first = (Choice(effect.id, f"{effect.name} first", key) for effect, key in zip(effects_left, keys, strict=False))
    decision.set_facts(progress=copy_with(progress, asked=(*progress.asked, asked)))
    question = f"{combatant.name}: {', '.join(effect.name for effect in effects_left)}. In this order?"
    menu = (Choice("listed", "as listed", "l"), *first)
    prompt = prompt_for(combatant, kind="effect_order", question=question, rule="Q-T23", choices=menu, default="listed")
    decision.spawn(_put_first, prompt)
    return True


def _put_first(decision: Decision, prompt: Prompt) -> None:
    """Q-T23: ask which effect runs first, and let it."""
    answer = decision.ask(prompt)
    if answer is None or answer.choice == "listed":
        return
    combatant = decision.combatant(prompt.who)
    in_order = arrange_effects(combatant, combatant.effects)
    rest = (effect.id for effect in in_order if effect.id != answer.choice)
    decision.set_traits(combatant.id, effect_order=(answer.choice, *rest))


def _ask_whether_able(decision: Decision, combatant_id: str) -> None:
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
    due = upkeeps_due(decision.state, combatant)
    own_effects = tuple(effect for bearer, effect in due if bearer is combatant)
    if not due or ask_which_first(decision, combatant, own_effects):
        return bool(due)
    bearer, effect = due[0]
    price, resource = upkeep_of(effect)
    details = {"bearer": bearer.id, "effect": effect.id, "name": effect.name, "resource": resource}
    decision.emit(entries.UpkeepAsked(payer=combatant.id, amount=price, **details))
    if combatant.pool(resource).now < price:
        _end_unpaid(decision, combatant, bearer, effect, "more than is left")
    else:
        decision.spawn(_ask_to_pay, combatant.id, False, effect.id)
    return True


def run_step(decision: Decision, combatant: Combatant) -> bool:
    """Run the step of a turn; false if it is finished and waits for nobody."""
    phase, progress, chosen = decision.state.phase, scene_of(decision.state).progress, settings_of(decision.state)
    to_run = effects_to_run(decision.state, combatant) if phase in (records.NEGATIVE, records.POSITIVE) else ()
    match phase:
        case records.NEGATIVE | records.POSITIVE if to_run:
            _run_effects(decision, combatant, to_run)
        case records.NEGATIVE if progress.fell and chosen.down_in_start_steps == "turn_over":
            close_turn(decision, combatant, "down")
        case records.COSTS:
            return _run_costs(decision, combatant)
        case records.EXPIRIES:
            rounds.count_down(decision, records.TURN_START, combatant.id)
            return False
        case records.POSITIVE if progress.fell and not progress.asked_to_act:
            decision.set_facts(progress=copy_with(progress, asked_to_act=True))
            decision.spawn(_ask_whether_able, combatant.id)
        case records.ACTING if combatant.pool(records.ACTIONS).now == 0:
            close_turn(decision, combatant, "no Actions")
        case records.END:
            close_turn(decision, combatant, "gm")
        case _:
            if phase == records.POSITIVE and chosen.dice_recovered == "after_step_4":
                rounds.recover_dice(decision, combatant)
            return phase == records.ACTING
    return True
