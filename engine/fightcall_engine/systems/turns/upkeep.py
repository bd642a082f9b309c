"""Upkeep of effects (ST-24, ST-25): who pays, and what happens if nobody does."""

from dataclasses import replace

from fightcall_engine.kit.decision import Decision, Waiting
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for, record_moot
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import EffectBegan, EffectEnded
from fightcall_engine.model.state import Combatant, Effect, FightState, Prompt
from fightcall_engine.systems.turns import commands, effects, events, records
from fightcall_engine.systems.turns.records import WORDS, EffectInStep, mark_handled, progress_of


def upkeeps_due(state: FightState, payer: Combatant) -> tuple[tuple[Combatant, Effect], ...]:
    """ST-24: what a combatant must pay in step 2 and has not, each with its bearer; effects on itself first."""
    handled_effects = progress_of(state).handled
    bearers = (payer, *(other for other in state.roster if other.id != payer.id))
    return tuple(
        (bearer, effect)
        for bearer in bearers
        for effect in effects.arrange_effects(bearer, bearer.effects)
        if effects.upkeep_of(effect)[0]
        and effects.payer_of(state, bearer, effect) == payer.id
        and EffectInStep(records.COSTS, effect.id) not in handled_effects
    )


def questions_about(state: FightState, effect_id: str) -> tuple[Prompt, ...]:
    """The open questions about an effect."""
    return tuple(prompt for prompt in state.prompts if _effect_of(prompt) == effect_id)


def _effect_of(prompt: Prompt) -> str:
    """The id of the effect that a question is about: the last argument of the function that asks; empty for none."""
    waiting = prompt.waiting
    return str(waiting.args[-1]) if isinstance(waiting, Waiting) and prompt.kind in _ABOUT_EFFECTS else ""


def ask_for_upkeep(decision: Decision, payer: Combatant, bearer: Combatant, effect: Effect) -> None:
    """ST-24: ask whether the upkeep is paid; if it cannot be, end the effect."""
    price, resource = effects.upkeep_of(effect)
    decision.emit(
        events.UpkeepAsked(
            payer=payer.id, bearer=bearer.id, effect=effect.id, name=effect.name, resource=resource, amount=price
        )
    )
    if payer.pool(resource).now < price:
        _end_unpaid(decision, payer, bearer, effect, "more than is left")
    else:
        decision.spawn(_ask_to_pay, payer.id, effect.id)


def _ask_to_pay(decision: Decision, payer_id: str, effect_id: str) -> None:
    """ST-24, ST-25: ask whether the upkeep is paid, or the effect ends at once."""
    payer, match = decision.combatant(payer_id), records.find_effect(decision.state, effect_id)
    if match is None:
        return
    bearer, effect = match
    price, resource = effects.upkeep_of(effect)
    whose = "" if bearer.id == payer_id else f" on {bearer.name}"
    there_is = f"{payer.pool(resource).now} {WORDS.pool(resource)}"
    answer = decision.ask(
        prompt_for(
            payer,
            kind="upkeep",
            question=f"Pay {price} of {payer.name}'s {there_is} for {effect.name}{whose}? If not, it ends.",
            rule="ST-24",
            choices=choices("pay", "decline:no, it ends"),
            default="pay",
            about=(bearer.id,),
        )
    )
    match = records.find_effect(decision.state, effect_id)
    if answer is not None and match is not None:
        _settle_upkeep(decision, decision.combatant(payer_id), *match, answer.choice)


_ABOUT_EFFECTS = ("pulse", "upkeep", "down_payer", "gone_payer")
_QUESTIONS_OF_STEP = ("upkeep", "effect_order")


@handles(commands.Pay, commands.Decline)
def answer_by_command(decision: Decision, command: commands.Pay | commands.Decline) -> None:
    """ST-24, ST-25: answer the question for an upkeep, or settle another one that is due in this step, by its name."""
    choice = "pay" if isinstance(command, commands.Pay) else "decline"
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
    """Whether a question is about an effect, by name or id; any question if none is named."""
    match = records.find_effect(decision.state, _effect_of(prompt))
    return match is not None and (not effect or _is_called(match[1], effect))


def _settle_upkeep(decision: Decision, payer: Combatant, bearer: Combatant, effect: Effect, choice: str) -> None:
    """ST-24, ST-25: pay the upkeep, or end the effect at once."""
    price, resource = effects.upkeep_of(effect)
    if choice != "pay":
        _end_unpaid(decision, payer, bearer, effect, "declined")
    elif payer.pool(resource).now < price:
        _end_unpaid(decision, payer, bearer, effect, "more than is left")
    else:
        mark_handled(decision, records.COSTS, (effect.id,))
        details = {"bearer": bearer.id, "effect": effect.id, "name": effect.name}
        purpose = f"upkeep of {effect.name}"
        records.spend(decision, events.UpkeepPaid, payer, resource, price, purpose=purpose, **details)


def _end_unpaid(decision: Decision, payer: Combatant, bearer: Combatant, effect: Effect, cause: str) -> None:
    price, resource = effects.upkeep_of(effect)
    decision.emit(
        events.UpkeepUnpaid(
            who=payer.id,
            bearer=bearer.id,
            effect=effect.id,
            name=effect.name,
            resource=resource,
            amount=price,
            cause=cause,
        ),
        EffectEnded(who=bearer.id, effect=effect.id, name=effect.name),
    )


# A payer who is down, or has left


def ask_for_upkeeps_of_downed(decision: Decision, payer: Combatant) -> None:
    """ST-24: ask the GM about the upkeeps of a combatant who is down, and so has no step 2."""
    for _, effect in upkeeps_due(decision.state, payer):
        if not questions_about(decision.state, effect.id):
            decision.spawn(_ask_about_downed, payer.id, effect.id)


def ask_to_pay_after_all(decision: Decision, payer: Combatant) -> None:
    """ST-24: let a combatant who is up again pay or decline an upkeep that the GM was asked about."""
    stale = [prompt for prompt in decision.state.prompts if prompt.kind == "down_payer" and prompt.who == payer.id]
    decision.emit(*record_moot(stale, "can act again"))
    for prompt in stale:
        decision.spawn(_ask_to_pay, payer.id, _effect_of(prompt))


def _ask_about_downed(decision: Decision, payer_id: str, effect_id: str) -> None:
    """ST-24, ST-25: end the effect of a payer who is down, pay for it, or keep it unpaid until the next round."""
    payer, match = decision.combatant(payer_id), records.find_effect(decision.state, effect_id)
    if match is None:
        return
    bearer, effect = match
    price, resource = effects.upkeep_of(effect)
    whose = "" if bearer.id == payer_id else f" on {bearer.name}"
    points = payer.pool(resource).now
    pay = ("pay:no, pay for it",) if points >= price else ()
    answer = decision.ask(
        prompt_for(
            payer,
            kind="down_payer",
            question=f"{payer.name} is down and can't pay {price} of {points} {WORDS.pool(resource)} for {effect.name}"
            f"{whose}. End it?",
            rule="ST-24",
            choices=choices("end:yes, it ends", *pay, "unpaid:no, keep it unpaid this round"),
            default="end",
            about=(bearer.id,),
        )
    )
    match = records.find_effect(decision.state, effect_id)
    if answer is None or match is None or answer.choice == "unpaid":
        return
    if answer.choice == "pay":
        _settle_upkeep(decision, decision.combatant(payer_id), *match, answer.choice)
    else:
        _end_unpaid(decision, decision.combatant(payer_id), *match, "down")


def ask_for_upkeeps_of_leaver(decision: Decision, payer_id: str) -> None:
    """ST-24: ask the GM about each upkeep of a combatant who has left."""
    for bearer in decision.state.roster:
        for effect in bearer.effects:
            if effects.terms_of(effect).payer == payer_id and effects.upkeep_of(effect)[0]:
                decision.spawn(_ask_about_unpaid, bearer.id, effect.id)


def _ask_about_unpaid(decision: Decision, bearer_id: str, effect_id: str) -> None:
    """ST-24, ST-25: end the effect of a payer who has left, or let its bearer or nobody pay from now on."""
    match = records.find_effect(decision.state, effect_id)
    if match is None:
        return
    bearer, effect = match
    price, resource = effects.upkeep_of(effect)
    pay = (f"bearer:no, {bearer.name} pays for it",) if resource in bearer.pools else ()
    answer = decision.ask(
        prompt_for(
            bearer,
            kind="gone_payer",
            question=f"The one paying {price} {WORDS.pool(resource)} for {effect.name} on {bearer.name} has left."
            " End it?",
            rule="ST-24",
            choices=choices("end:yes, it ends", *pay, "free:no, it continues for free"),
            default="end",
        )
    )
    match = records.find_effect(decision.state, effect_id)
    if answer is None or match is None or answer.choice == "bearer":
        return
    effect, is_free = match[1], answer.choice != "end"
    reason = "it continues for free" if is_free else "no one is left to pay for it"
    decision.emit(EffectEnded(who=bearer_id, effect=effect.id, name=effect.name, reason=reason))
    if is_free:
        decision.emit(EffectBegan(who=bearer_id, effect=replace(effects.without_price(effect), id="")))
