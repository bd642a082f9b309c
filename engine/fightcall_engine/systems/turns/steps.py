"""A turn's steps (ST-22..29, ST-33): harm, costs, endings and benefits run by themselves; then the owner acts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, data_text
from fightcall_engine.kit.rolls import throw
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.state import Choice, Combatant, Effect, FightState, Prompt
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns import rounds

PULSES: Mapping[str, str] = {fg.NEGATIVE: "negative", fg.POSITIVE: "positive"}
"""The kind of effect that works in a step."""


def settle(state: FightState) -> ev.Events:
    """What the running step does by itself; nothing where it waits for somebody."""
    combatant = fg.actor(state)
    if combatant is None:
        return ()
    if state.phase == fg.OFFER:
        return () if combatant.able else _withdrawn(state, combatant)
    if fg.text_trait(combatant, "turn") != fg.BEGUN:
        return rounds.open_next(state)
    return _RUN[state.phase](state, combatant)


def _withdrawn(state: FightState, combatant: Combatant) -> ev.Events:
    """Who can no longer act is not waited for."""
    stale = [prompt for prompt in state.prompts if prompt.kind in ("step_in", "last_offer")]
    before = fg.text_trait(combatant, "turn")
    passed = tev.TurnPassed(who=combatant.id, before=before, cause="cannot act")
    course = Decision(state)
    course.emit(*fg.moot(stale), passed)
    course.emit(*rounds.open_next(course.state))
    return course.events


def _next(state: FightState, combatant: Combatant) -> ev.StepBegan:
    index = state.agenda.cursor + 1
    return ev.StepBegan(index=index, phase=state.agenda.steps[index].phase, side=combatant.side)


def close(state: FightState, combatant: Combatant, cause: str) -> ev.Events:
    """ST-33, ST-04: the end of the turn, with a step for what falls there; then the turn is over."""
    end = rounds.block_end(state)
    course = Decision(state)
    course.emit(ev.StepBegan(index=end, phase=fg.END, side=combatant.side))
    for other in fg.in_order(state):
        course.emit(*rounds.count_down(course.state, other, fg.TURN_END, combatant.id))
    unused = fg.actions(combatant).now
    course.emit(tev.TurnEnded(who=combatant.id, before=fg.BEGUN, cause=cause, unused=unused))
    return course.events


# Harm and benefit (steps 1 and 4)


def arrange_effects(combatant: Combatant, effects: Iterable[Effect]) -> tuple[Effect, ...]:
    """Q-T23: as listed, unless the GM has ruled on the order of this one's effects."""
    first = fg.ids_in(fg.text_trait(combatant, "effect_order"))
    listed = tuple(effects)
    return tuple(sorted(listed, key=lambda effect: first.index(effect.id) if effect.id in first else len(first)))


def pulsing(state: FightState, combatant: Combatant, phase: str) -> tuple[Effect, ...]:
    """The effects that work on a participant in a step and have not yet in this turn."""
    done = fg.words_of_turn(state)
    kind = PULSES[phase]
    working = (
        effect
        for effect in combatant.effects
        if effect.kind == kind and (effect.magnitude or effect.data.get("dice")) and _word(phase, effect) not in done
    )
    return arrange_effects(combatant, working)


def _word(phase: str, effect: Effect) -> str:
    return f"{fg.STEP_NUMBERS[phase]}:{effect.id}"


def _pulses(state: FightState, combatant: Combatant) -> ev.Events | None:
    """What works in this step, up to the first that needs the GM; None when nothing is left to work.

    It is noted as seen to before it works: what follows from harm may note more, such as a fall (Q-T10).
    """
    phase = state.phase
    left = pulsing(state, combatant, phase)
    if not left:
        return None
    asking = _which_first(state, combatant, left)
    if asking:
        return asking
    thrown = next((effect for effect in left if effect.data.get("dice")), None)
    plain = left if thrown is None else left[: left.index(thrown)]
    now = (*plain, thrown) if thrown is not None else plain
    course = Decision(state)
    course.emit(*fg.settle_word(state, *(_word(phase, effect) for effect in now)))
    for effect in plain:
        course.emit(*_apply_effect(course.state.combatants[combatant.id], effect, abs(effect.magnitude)))
    if thrown is not None:
        course.emit(ev.RulingAsked(prompt=_pulse_prompt(combatant, thrown, phase)))
    return course.events


def _apply_effect(combatant: Combatant, effect: Effect, amount: int) -> ev.Events:
    """ST-23, ST-27: harm down to 0, good up to the maximum."""
    pool = str(effect.data.get("pool") or "hp")
    held = combatant.pool(pool)
    if effect.kind == "negative":
        harm = tev.NegativeApplied(
            who=combatant.id,
            pool=pool,
            before=held.now,
            left=max(0, held.now - amount),
            max=held.max,
            amount=amount,
            tracked=pool in combatant.pools,
            effect=effect.id,
            name=effect.name,
        )
        return (harm,)
    if pool not in combatant.pools:
        return ()
    left = min(held.max, held.now + amount)
    good = tev.PositiveApplied(
        who=combatant.id,
        pool=pool,
        before=held.now,
        left=left,
        max=held.max,
        amount=left - held.now,
        effect=effect.id,
        name=effect.name,
    )
    return (good,)


def _pulse_prompt(combatant: Combatant, effect: Effect, phase: str) -> Prompt:
    dice = str(effect.data.get("dice"))
    return Prompt(
        id="",
        kind="pulse",
        question=f"{combatant.name}: {effect.name}, {dice}?",
        rule="ST-23" if phase == fg.NEGATIVE else "ST-27",
        choices=choices(f"roll:roll {dice}", "none:nothing this time"),
        default="roll",
        who=combatant.id,
        side=combatant.side,
        amount="amount",
        purpose="pulse",
        data={"effect": effect.id, "dice": dice},
    )


def answer_pulse(state: FightState, prompt: Prompt, given: Answer, dice: Dice) -> ev.Events:
    """An effect whose strength is thrown, or said by the GM."""
    found = fg.find_effect(state, data_text(prompt, "effect"))
    if found is None or given.choice == "none":
        return ()
    combatant, effect = found
    wanted = given.amount if given.amount is not None else data_text(prompt, "dice")
    amount, thrown = throw(wanted, dice, "pulse", combatant.id)
    return (*thrown, *_apply_effect(combatant, effect, amount))


def _which_first(state: FightState, combatant: Combatant, left: tuple[Effect, ...]) -> ev.Events:
    """Q-T23: with the setting, the GM is asked which of several comes first."""
    word = f"{fg.STEP_NUMBERS[state.phase]}:{len(left)}first"
    if state.settings.get("effect_order") != "ask" or len(left) < 2 or word in fg.words_of_turn(state):
        return ()
    keys = "abcdefghijkmnopqrstuvwxyz"
    offers = (Choice(effect.id, f"{effect.name} first", key) for effect, key in zip(left, keys, strict=False))
    prompt = Prompt(
        id="",
        kind="effect_order",
        question=f"{combatant.name}: {', '.join(effect.name for effect in left)}. In this order?",
        rule="Q-T23",
        choices=(Choice("listed", "as listed", "l"), *offers),
        default="listed",
        who=combatant.id,
        side=combatant.side,
    )
    return (*fg.settle_word(state, word), ev.RulingAsked(prompt=prompt))


def answer_effect_order(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """Q-T23: one of several effects comes first."""
    combatant = state.combatants[prompt.who]
    if given.choice == "listed":
        return ()
    rest = [effect.id for effect in arrange_effects(combatant, combatant.effects) if effect.id != given.choice]
    return (fg.set_trait(combatant, "effect_order", " ".join([given.choice, *rest])),)


def _negative(state: FightState, combatant: Combatant) -> ev.Events:
    pulses = _pulses(state, combatant)
    if pulses is not None:
        return pulses
    if "fell" in fg.words_of_turn(state) and state.settings.get("down_in_start_steps") == "turn_over":
        return close(state, combatant, "down")
    return (_next(state, combatant),)


def _positive(state: FightState, combatant: Combatant) -> ev.Events:
    pulses = _pulses(state, combatant)
    if pulses is not None:
        return pulses
    done = fg.words_of_turn(state)
    if "fell" in done and "asked5" not in done:
        return (*fg.settle_word(state, "asked5"), ev.RulingAsked(prompt=_down_prompt(combatant)))
    late = rounds.recover_dice(combatant) if state.settings.get("dice_recovered") == "after_step_4" else ()
    return (*late, _next(state, combatant))


def _down_prompt(combatant: Combatant) -> Prompt:
    """Q-T10: steps 2 to 4 have run; whether the owner acts is the GM's to say."""
    hp = combatant.pool("hp")
    now = f"{hp.now} hp now" if "hp" in combatant.pools else "hit points are not counted"
    return Prompt(
        id="",
        kind="down",
        question=f"{combatant.name} went down at the start of the turn ({now}). Does step 5 happen?",
        rule="Q-T10",
        choices=choices("act:go on and act", "end:the turn is over"),
        default="act" if combatant.able else "end",
        who=combatant.id,
        side=combatant.side,
    )


def answer_down(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """Q-T10: the GM decides on step 5."""
    combatant = state.combatants[prompt.who]
    if given.choice == "act":
        return () if combatant.able else (ev.Restored(who=combatant.id),)
    return close(state, combatant, "down") if fg.turn_of(state) is combatant else ()


# Costs (step 2)


def upkeep(effect: Effect) -> tuple[int, str]:
    """ST-24: the price of keeping an effect up, and the pool it is paid from."""
    price = effect.data.get("upkeep")
    price = price if isinstance(price, int) and not isinstance(price, bool) else 0
    return price, str(effect.data.get("resource") or "")


def payer_of(state: FightState, bearer: Combatant, effect: Effect) -> str:
    """Who pays: the one named, or the bearer where nobody is, or that one is gone."""
    payer = str(effect.data.get("payer") or "")
    return payer if payer in state.combatants else bearer.id


def due(state: FightState, combatant: Combatant) -> tuple[tuple[Combatant, Effect], ...]:
    """ST-24: what somebody must pay in step 2 and has not; effects on itself first."""
    done = fg.words_of_turn(state)
    bearers = (combatant, *(other for other in fg.in_order(state) if other.id != combatant.id))
    return tuple(
        (bearer, effect)
        for bearer in bearers
        for effect in arrange_effects(bearer, bearer.effects)
        if upkeep(effect)[0] and payer_of(state, bearer, effect) == combatant.id and _word(fg.COSTS, effect) not in done
    )


def _costs(state: FightState, combatant: Combatant) -> ev.Events:
    owed = due(state, combatant)
    if not owed:
        return (_next(state, combatant),)
    mine = tuple(effect for bearer, effect in owed if bearer is combatant)
    asking = _which_first(state, combatant, mine)
    if asking:
        return asking
    bearer, effect = owed[0]
    price, resource = upkeep(effect)
    asked = tev.UpkeepAsked(
        payer=combatant.id, bearer=bearer.id, effect=effect.id, name=effect.name, resource=resource, amount=price
    )
    if combatant.pool(resource).now < price:
        return (asked, *_unpaid(combatant, bearer, effect, "more than there is"))
    return (asked, ev.RulingAsked(prompt=_upkeep_prompt(combatant, bearer, effect)))


def _upkeep_prompt(combatant: Combatant, bearer: Combatant, effect: Effect) -> Prompt:
    price, resource = upkeep(effect)
    whose = "" if bearer is combatant else f" on {bearer.name}"
    held = combatant.pool(resource).now
    return Prompt(
        id="",
        kind="upkeep",
        question=f"{combatant.name}: pay {price} of {held} {resource} for {effect.name}{whose}? Unpaid, it ends.",
        rule="ST-24",
        choices=choices("pay", "decline:decline, it ends"),
        default="pay",
        who=combatant.id,
        side=combatant.side,
        data={"effect": effect.id, "about": bearer.id},
    )


def answer_upkeep(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-24, ST-25: the price is paid, or the effect ends at once."""
    found = fg.find_effect(state, data_text(prompt, "effect"))
    combatant = state.combatants[prompt.who]
    if found is None:
        return ()
    bearer, effect = found
    price, resource = upkeep(effect)
    held = combatant.pool(resource)
    if given.choice != "pay":
        return _unpaid(combatant, bearer, effect, "declined")
    if held.now < price:
        return _unpaid(combatant, bearer, effect, "more than there is")
    paid = tev.UpkeepPaid(
        who=combatant.id,
        pool=resource,
        before=held.now,
        left=held.now - price,
        max=held.max,
        amount=price,
        purpose=f"upkeep of {effect.name}",
        bearer=bearer.id,
        effect=effect.id,
        name=effect.name,
    )
    return (*fg.settle_word(state, _word(fg.COSTS, effect)), paid)


def costs_unpaid(state: FightState, payer: Combatant) -> ev.Events:
    """ST-24: the turn of somebody who is down brings no step 2; whether what it keeps up goes on is the GM's to say."""
    asked = {data_text(prompt, "effect") for prompt in state.prompts}
    unpaid = [(bearer, effect) for bearer, effect in due(state, payer) if effect.id not in asked]
    return tuple(ev.RulingAsked(prompt=_down_payer_prompt(payer, bearer, effect)) for bearer, effect in unpaid)


def _down_payer_prompt(payer: Combatant, bearer: Combatant, effect: Effect) -> Prompt:
    price, resource = upkeep(effect)
    whose = "" if bearer is payer else f" on {bearer.name}"
    held = payer.pool(resource).now
    pay = ("pay:no, it is paid for",) if held >= price else ()
    return Prompt(
        id="",
        kind="down_payer",
        question=f"{payer.name} is down and does not pay {price} of {held} {resource} for {effect.name}{whose}. "
        "Does it end?",
        rule="ST-24",
        choices=choices("end:yes, it ends", *pay, "unpaid:no, it goes on unpaid this round"),
        default="end",
        who=payer.id,
        side=payer.side,
        data={"effect": effect.id, "about": bearer.id},
    )


def gone_payer_prompt(bearer: Combatant, effect: Effect) -> Prompt:
    """ST-24: who kept an effect up has left."""
    price, resource = upkeep(effect)
    pay = (f"bearer:no, {bearer.name} pays for it",) if resource in bearer.pools else ()
    return Prompt(
        id="",
        kind="gone_payer",
        question=f"Who paid {price} {resource} for {effect.name} on {bearer.name} has left. Does it end?",
        rule="ST-24",
        choices=choices("end:yes, it ends", *pay, "free:no, it goes on without a price"),
        default="end",
        who=bearer.id,
        side=bearer.side,
        data={"effect": effect.id},
    )


def answer_down_payer(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-24, ST-25: it ends, is paid for, or goes on unpaid until the next round."""
    found = fg.find_effect(state, data_text(prompt, "effect"))
    if found is None or given.choice == "unpaid":
        return ()
    if given.choice == "pay":
        return answer_upkeep(state, prompt, given)
    return _unpaid(state.combatants[prompt.who], *found, "down")


def answer_gone_payer(state: FightState, prompt: Prompt, given: Answer) -> ev.Events:
    """ST-24, ST-25: it ends, its bearer pays from now on, or nobody does."""
    found = fg.find_effect(state, data_text(prompt, "effect"))
    if found is None or given.choice == "bearer":
        return ()
    bearer, effect = found
    if given.choice == "end":
        reason = "nobody is left to pay for it"
        return (ev.EffectEnded(who=bearer.id, effect=effect.id, name=effect.name, reason=reason),)
    priced = ("upkeep", "resource", "payer")
    kept = replace(effect, id="", data={key: value for key, value in effect.data.items() if key not in priced})
    ended = ev.EffectEnded(who=bearer.id, effect=effect.id, name=effect.name, reason="it goes on without a price")
    return (ended, ev.EffectBegan(who=bearer.id, effect=kept))


def _unpaid(combatant: Combatant, bearer: Combatant, effect: Effect, cause: str) -> ev.Events:
    price, resource = upkeep(effect)
    unpaid = tev.UpkeepUnpaid(
        who=combatant.id,
        bearer=bearer.id,
        effect=effect.id,
        name=effect.name,
        resource=resource,
        amount=price,
        cause=cause,
    )
    reason = "upkeep not paid"
    return (unpaid, ev.EffectEnded(who=bearer.id, effect=effect.id, name=effect.name, reason=reason))


# Endings and acting (steps 3 and 5)


def _expiries(state: FightState, combatant: Combatant) -> ev.Events:
    """ST-26: what is worded to stop at the start of this turn stops now."""
    course = Decision(state)
    for other in fg.in_order(state):
        course.emit(*rounds.count_down(course.state, other, fg.TURN_START, combatant.id))
    return (*course.events, _next(state, combatant))


def _acting(state: FightState, combatant: Combatant) -> ev.Events:
    """ST-29: over when the Actions have run out."""
    return close(state, combatant, "no Actions") if fg.actions(combatant).now == 0 else ()


def _end(state: FightState, combatant: Combatant) -> ev.Events:
    return close(state, combatant, "gm")


_RUN: Mapping[str, Callable[[FightState, Combatant], ev.Events]] = {
    fg.NEGATIVE: _negative,
    fg.COSTS: _costs,
    fg.EXPIRIES: _expiries,
    fg.POSITIVE: _positive,
    fg.ACTING: _acting,
    fg.END: _end,
}
