"""Rounds (ST-12..29, ST-33): Initiative, the order, a block of steps for each participant, and what happens in them."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import cast

from fightcall_engine.kit import agenda
from fightcall_engine.kit.decision import Decision, Waiting, prompt_for, record_moot, throw
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.records import change_pool, effect_data_of, sheet_entries
from fightcall_engine.kit.views import Check
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.dice import bounds
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import AgendaChanged, EffectBegan, EffectEnded, Restored, StepBegan
from fightcall_engine.model.state import Choice, Combatant, Effect, FightState, Prompt, Step
from fightcall_engine.model.values import replace
from fightcall_engine.systems.turns import entries, records

STEPS = (records.OFFER, *records.START_STEPS, records.ACTING, records.END)
"""The phases of the steps of a turn in order (ST-22), after the offer."""


def roll_initiative(decision: Decision, combatant_id: str, face: int | None = None) -> None:
    """ST-12: d20 + Speed; `face` is the result of the d20 if it was typed."""
    combatant = decision.state.combatants[combatant_id]
    die = decision.roll("d20", f"initiative.{combatant_id}", combatant_id, face).total
    before, speed = records.participant_of(combatant).init_roll, records.speed_of(combatant)
    total = die + speed
    decision.emit(
        entries.InitiativeRolled(who=combatant_id, before=before, value=die, die=die, speed=speed, total=total)
    )


def _roll_tie_die(decision: Decision, combatant_id: str) -> None:
    roll = decision.roll("d6", f"tie.{combatant_id}", combatant_id)
    before = _tie_dice(decision, combatant_id)
    decision.emit(entries.TieDieRolled(who=combatant_id, before=before, value=(*before, roll.total), die=roll.total))


def _tie_dice(decision: Decision, combatant_id: str) -> tuple[int, ...]:
    return records.participant_of(decision.state.combatants[combatant_id]).tie_d6


def rank_combatants(decision: Decision) -> tuple[str, ...]:
    """The order by total, Speed and d6, which is rolled if needed. Those who are down without a result come last."""
    order: list[str] = []
    roster = decision.state.roster
    ranked_people = [combatant for combatant in roster if records.initiative_of(combatant) is not None]
    ranked_combatants = sorted(ranked_people, key=lambda combatant: records.rank_key(combatant)[:2], reverse=True)
    for _, same_total in groupby(ranked_combatants, key=records.initiative_of):
        tied_combatants = list(same_total)
        speeds = tuple(records.speed_of(combatant) for combatant in tied_combatants)
        if len(set(speeds)) > 1:
            decision.emit(entries.TieBrokenBySpeed(figures=tuple(each.id for each in tied_combatants), speeds=speeds))
        for _, same_speed in groupby(tied_combatants, key=records.speed_of):
            order += _rank_by_die(decision, [combatant.id for combatant in same_speed])
    return (*order, *(combatant.id for combatant in roster if combatant not in ranked_people))


def _rank_by_die(decision: Decision, tied_ids: list[str]) -> list[str]:
    """ST-15, ST-16: the highest d6 goes first; ties roll again (Q-T7)."""
    if len(tied_ids) < 2:
        return tied_ids
    for combatant_id in tied_ids:
        _roll_tie_die(decision, combatant_id)
    dice = {combatant_id: _tie_dice(decision, combatant_id)[-1] for combatant_id in tied_ids}
    tied_ids = sorted(tied_ids, key=lambda combatant_id: dice[combatant_id], reverse=True)
    if len(set(dice.values())) > 1:
        decision.emit(entries.TieBrokenByDie(figures=tuple(tied_ids), dice=tuple(dice[each] for each in tied_ids)))
    if records.settings_of(decision.state).d6_tie == "speed":
        return tied_ids
    ranked_ids: list[str] = []
    for _, same_die in groupby(tied_ids, key=lambda combatant_id: dice[combatant_id]):
        ranked_ids += _rank_by_die(decision, list(same_die))
    return ranked_ids


# Newcomers


def place_newcomer(decision: Decision, newcomer: str) -> tuple[str, ...]:
    """Q-T12: the order with a newcomer inserted before the first lower result; ties roll a d6."""
    combatants = decision.state.combatants
    others = [other.id for other in decision.state.roster if other.id != newcomer]
    total_and_speed = records.rank_key(combatants[newcomer])[:2]
    for other in others:
        if records.rank_key(combatants[other])[:2] == total_and_speed:
            _break_tie(decision, newcomer, other)
    combatants = decision.state.combatants
    result = records.rank_key(combatants[newcomer])
    later = (at for at, other in enumerate(others) if records.rank_key(combatants[other]) < result)
    place = next(later, len(others))
    return (*others[:place], newcomer, *others[place:])


def _break_tie(decision: Decision, newcomer: str, other: str) -> None:
    while True:
        dice = {combatant_id: _tie_dice(decision, combatant_id) for combatant_id in (newcomer, other)}
        fewest = min(len(faces) for faces in dice.values())
        if dice[newcomer][:fewest] != dice[other][:fewest]:
            return
        if fewest > 0 and records.settings_of(decision.state).d6_tie == "speed":
            return
        for combatant_id, faces in dice.items():
            if len(faces) == fewest:
                _roll_tie_die(decision, combatant_id)


# Changes


def change_order(decision: Decision, order: Iterable[str], reason: str) -> None:
    """ST-19..21: set a new order, if it differs. It is permanent unless delays last for one round (Q-T4)."""
    state, after = decision.state, tuple(order)
    if after == state.order:
        return
    if not records.settings_of(state).delay_persists and not records.scene_of(state).standing:
        decision.set_facts(standing=state.order)
    decision.emit(entries.OrderChanged(order=after, before=state.order, reason=reason))


def put_last(state: FightState, *movers: str) -> tuple[str, ...]:
    """ST-21: the order with some in the last places."""
    return (*(other for other in state.order if other not in movers), *movers)


def restore_order(decision: Decision) -> None:
    """Q-T4: restore the order if delays last for one round; newcomers keep their neighbours."""
    state = decision.state
    before = records.scene_of(state).standing
    if not before:
        return
    order = [combatant_id for combatant_id in before if combatant_id in state.combatants]
    for place, combatant_id in enumerate(state.order):
        if combatant_id not in order:
            after = next((other for other in state.order[place + 1 :] if other in order), None)
            order.insert(order.index(after) if after else len(order), combatant_id)
    decision.set_facts(standing=())
    if tuple(order) != state.order:
        reason = "a delay is for one round"
        decision.emit(entries.OrderChanged(order=tuple(order), before=state.order, reason=reason))


# The agenda of a round (ST-13, ST-18, ST-21)


def block(combatant: Combatant, past_steps: Sequence[Step] = ()) -> tuple[Step, ...]:
    """The steps of a participant's turn. A second turn in a round gets other ids."""
    turns = sum(step.phase == records.OFFER and step.actor == combatant.id for step in past_steps)
    tail = f"{combatant.id}.{turns + 1}" if turns else combatant.id
    who, side, titles = combatant.id, combatant.side, records.WORDS.phases
    return tuple(Step(f"{phase}.{tail}", records.TURN, phase, titles[phase], side, who) for phase in STEPS)


def block_end(state: FightState) -> int:
    """The index of the running block's last step; -1 before the first block."""
    steps, cursor = state.agenda.steps, state.agenda.cursor
    if cursor < 0:
        return -1
    return next((at for at in range(cursor, len(steps)) if steps[at].phase == records.END), len(steps) - 1)


def later_blocks(state: FightState) -> tuple[tuple[int, str], ...]:
    """The remaining blocks: the index of each, and its participant."""
    steps = state.agenda.steps
    return tuple(
        (at, steps[at].actor) for at in range(block_end(state) + 1, len(steps)) if steps[at].phase == records.OFFER
    )


def block_of(state: FightState, combatant_id: str) -> int | None:
    """The index of a participant's running or next block; None for none."""
    start = block_start(state)
    if start is not None and state.agenda.steps[start].actor == combatant_id:
        return start
    return next((at for at, other in later_blocks(state) if other == combatant_id), None)


def block_start(state: FightState) -> int | None:
    """The index of the running block's offer; None before the first block and after the last."""
    if state.step is None or not records.is_in_rounds(state):
        return None
    end = block_end(state)
    return end - len(STEPS) + 1


def without_block(state: FightState, combatant_id: str) -> tuple[tuple[Step, ...], int]:
    """The agenda without a participant's block, and the new cursor, which leaves a running block."""
    steps, cursor = state.agenda.steps, state.agenda.cursor
    start = block_of(state, combatant_id)
    if start is None:
        return steps, cursor
    rest = (*steps[:start], *steps[start + len(STEPS) :])
    running = start <= cursor < start + len(STEPS)
    return rest, start - 1 if running else cursor


def without_later_blocks(state: FightState, people: Sequence[str]) -> tuple[Step, ...]:
    """The agenda without the remaining turns of some participants."""
    starts = [start for start, combatant_id in later_blocks(state) if combatant_id in people]
    indexes = {start + number for start in starts for number in range(len(STEPS))}
    return tuple(step for at, step in enumerate(state.agenda.steps) if at not in indexes)


def rearrange_round(decision: Decision, steps: Sequence[Step], cursor: int, reason: str) -> None:
    """Replace the steps of the round."""
    decision.emit(AgendaChanged(steps=tuple(steps), cursor=cursor, reason=reason))


def has_turns_after(state: FightState, combatant_id: str) -> bool:
    """ST-17: a combatant who can act has a place after this one in the round; delayers have none of their own."""
    others = records.still_here(state, (other for _, other in later_blocks(state) if other != combatant_id))
    return any(other.able and records.turn_state(other) not in (records.DELAYED, *records.OVER) for other in others)


def with_block_put_off(state: FightState, combatant_id: str) -> tuple[Step, ...]:
    """The agenda with a delayer's block at the end, among other delayers' the best roll first (ST-21)."""
    steps, _ = without_block(state, combatant_id)
    combatant = state.combatants[combatant_id]
    place = len(steps)
    while place > 0:
        actor = state.combatants.get(steps[place - 1].actor)
        if actor is None or records.turn_state(actor) != records.DELAYED:
            break
        if records.rank_key(actor) >= records.rank_key(combatant):
            break
        place -= len(STEPS)
    return (*steps[:place], *block(combatant, steps), *steps[place:])


def carried_delayers(state: FightState) -> tuple[str, ...]:
    """Q-T5: those who carry a delay into this round, if the setting says so and others are left to act."""
    if records.settings_of(state).unreturned_delay != "carries":
        return ()
    ids = tuple(combatant.id for combatant in records.delayers(state))
    return ids if len(ids) < len(records.able_participants(state)) else ()


def why_passed_over(state: FightState, combatant_id: str) -> str:
    """Why a participant's place is skipped; empty if a turn is offered, begins or goes on."""
    combatant = state.combatants.get(combatant_id)
    turn = records.turn_state(combatant) if combatant is not None else records.PASSED
    if turn == records.BEGUN:
        # A combatant who falls in the start steps of its own turn still goes through all of them (Q-T10).
        return ""
    if combatant is None or turn in records.OVER:
        return "no turn left"
    if not combatant.able:
        return "can't act"
    delay_setting = records.settings_of(state).unreturned_delay if turn == records.DELAYED else None
    return {"carries": "keeps delaying into the next round", "lost": "never stepped in"}.get(str(delay_setting), "")


# Beginning turns


def begin_turn(decision: Decision, start: int, combatant: Combatant) -> None:
    """ST-07, ST-22: begin the turn: refill Action Dice, and run step 1."""
    decision.emit(entries.TurnBegan(who=combatant.id, before=records.turn_state(combatant)))
    records.clear_progress(decision)
    if records.settings_of(decision.state).dice_recovered != "after_step_4":
        recover_dice(decision, combatant)
    decision.emit(StepBegan(index=start + 1, phase=records.NEGATIVE, side=combatant.side))


def recover_dice(decision: Decision, combatant: Combatant) -> None:
    """ST-07, Q-T3: refill Action Dice, and Reactions with them."""
    records.refill(decision, entries.ActionDiceRecovered, combatant, records.ACTIONS)
    records.refill(decision, entries.ReactionsRecovered, combatant, records.REACTIONS)


# Durations


def keeps_time(state: FightState, combatant_id: str) -> bool:
    """Whether a participant's clock runs: they can take turns, or have had one in this round."""
    combatant = state.combatants[combatant_id]
    return combatant.able or records.turn_state(combatant) in (records.BEGUN, records.DONE)


def has_passed(state: FightState, combatant: Combatant, moment: str) -> bool:
    """Whether the start or the end of a participant's turn has been in this round."""
    past = (records.DONE,) if moment == records.TURN_END else (records.BEGUN, records.DONE)
    return records.turn_state(combatant) in past


def count_down(decision: Decision, moment: str, owner: str = "") -> None:
    """Count down the effects that are due at a moment, of any clock or only of `owner`'s.

    At the end of the round, this includes those that follow the turns of a combatant who is down and has had none.
    """
    state = decision.state
    for bearer in [each for each in state.roster if each.effects]:
        due = agenda.due(state, bearer, moment, owner)
        decision.emit(*agenda.count_down(state, bearer, due, tick_type=entries.EffectCounted))
        if moment == records.ROUND_END:
            still = agenda.effects_on_stopped_clocks(state, bearer, records.CLOCKS["own"].values(), keeps_time)
            tick_type = entries.EffectCounted
            decision.emit(*agenda.count_down(state, bearer, still, tick_type=tick_type, standing_still=True))


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
    size, data = _magnitude(polarity, amount), records.EffectTerms(pool="hp", dice=dice)
    return replace(effect, kind=polarity, magnitude=size, data=data, ticks=records.TURN_START, clock=bearer.id)


def _magnitude(polarity: str, amount: int | str) -> int:
    if isinstance(amount, str):
        return 0
    return -amount if polarity == "negative" else amount


def _terms(pool: str, dice: str, upkeep: int, resource: str, payer: str = "") -> records.EffectTerms | None:
    terms_said = records.EffectTerms(pool, dice, upkeep, resource, payer)
    return None if terms_said == records.EffectTerms() else terms_said


# What an effect changes and costs


def terms_of(effect: Effect) -> records.EffectTerms:
    """What an effect changes, and what it costs."""
    return effect_data_of(effect, records.EffectTerms)


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
    first = records.participant_of(combatant).effect_order
    all_effects = tuple(effects)
    return tuple(sorted(all_effects, key=lambda effect: first.index(effect.id) if effect.id in first else len(first)))


def begin_sheet_effects(decision: Decision, combatant: Combatant) -> None:
    """Begin the effects on a participant's sheet, once."""
    if records.participant_of(combatant).prepared:
        return
    decision.set_traits(combatant.id, prepared=True)
    for entry in sheet_entries(combatant, "effects"):
        listed = entries.Affect(
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
        pool = (records.pool_named(combatant, pool) or pool) if listed.polarity and listed.amount else ""
        resource = (records.pool_named(combatant, resource) or resource) if listed.upkeep else ""
        decision.emit(EffectBegan(who=combatant.id, effect=_make_effect(listed, combatant.id, pool, resource)))


# Upkeep of effects (ST-24, ST-25)


def upkeeps_due(state: FightState, payer: Combatant) -> tuple[tuple[Combatant, Effect], ...]:
    """ST-24: what a combatant must pay in step 2 and has not, each with its bearer; effects on itself first."""
    handled_effects = records.scene_of(state).progress.handled
    bearers = (payer, *(other for other in state.roster if other.effects and other.id != payer.id))
    costly = [
        (each, effect) for each in bearers for effect in arrange_effects(each, each.effects) if upkeep_of(effect)[0]
    ]
    owed = (each for each in costly if payer_of(state, *each) == payer.id)
    return tuple(each for each in owed if records.EffectInStep(records.COSTS, each[1].id) not in handled_effects)


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
    points, unit = payer.pool(resource).now, records.WORDS.pool(resource)
    if is_down:
        question = f"{payer.name} is down and can't pay {price} of {points} {unit} for {what}. End it?"
        pay = ("pay:no, pay for it",) if points >= price else ()
        kind, answers = "down_payer", ("end:yes, it ends", *pay, "unpaid:no, keep it unpaid this round")
    else:
        question = f"Pay {price} of {payer.name}'s {points} {unit} for {what}? If not, it ends."
        kind, answers = "upkeep", ("pay", "decline:no, it ends")
    default = "end" if is_down else "pay"
    answer = decision.ask_about(payer, kind, "ST-24", question, *answers, default=default, about=(bearer.id,))
    match = records.find_effect(decision.state, effect_id)
    if match is None or answer.choice in ("", "unpaid"):
        return
    if answer.choice == "end":
        _end_unpaid(decision, decision.combatant(payer_id), *match, "down")
    else:
        _settle_upkeep(decision, decision.combatant(payer_id), *match, answer.choice)


_ABOUT_EFFECTS = ("pulse", "upkeep", "down_payer", "gone_payer")
_QUESTIONS_OF_STEP = ("upkeep", "effect_order")


@handles(entries.Pay, entries.Decline)
def answer_by_command(decision: Decision, command: entries.Pay) -> None:
    """ST-24, ST-25: answer the question for an upkeep, or settle another one that is due in this step, by its name."""
    choice = "decline" if isinstance(command, entries.Decline) else "pay"
    payer_id = decision.combatant(command.who).id if command.who else ""
    for prompt in decision.state.prompts:
        asked = records.find_effect(decision.state, _effect_of(prompt))
        is_called = asked is not None and (not command.effect or _is_called(asked[1], command.effect))
        if prompt.kind == "upkeep" and payer_id in ("", prompt.who) and is_called:
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


def _settle_upkeep(decision: Decision, payer: Combatant, bearer: Combatant, effect: Effect, choice: str) -> None:
    """ST-24, ST-25: pay the upkeep, or end the effect at once."""
    price, resource = upkeep_of(effect)
    if choice != "pay":
        _end_unpaid(decision, payer, bearer, effect, "declined")
    elif payer.pool(resource).now < price:
        _end_unpaid(decision, payer, bearer, effect, "more than is left")
    else:
        records.mark_handled(decision, records.COSTS, (effect.id,))
        details = {"bearer": bearer.id, "effect": effect.id, "name": effect.name}
        purpose = f"upkeep of {effect.name}"
        records.spend(decision, entries.UpkeepPaid, payer, resource, price, purpose=purpose, **details)


def _end_unpaid(decision: Decision, payer: Combatant, bearer: Combatant, effect: Effect, cause: str) -> None:
    price, resource = upkeep_of(effect)
    details = {"bearer": bearer.id, "effect": effect.id, "name": effect.name, "resource": resource}
    decision.emit(entries.UpkeepUnpaid(who=payer.id, amount=price, cause=cause, **details))
    decision.emit(EffectEnded(who=bearer.id, effect=effect.id, name=effect.name))


# A payer who is down, or has left


@reacts_to(entries.TurnPassed)
def ask_downed_for_upkeep(decision: Decision, event: entries.TurnPassed) -> None:
    """ST-24: ask the GM about the upkeeps of a combatant who is down, and so has no step 2."""
    payer = decision.state.combatants.get(event.who)
    if payer is None or payer.able:
        return
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
    unit = records.WORDS.pool(resource)
    question = f"The one paying {price} {unit} for {effect.name} on {bearer.name} has left. End it?"
    answers = ("end:yes, it ends", *pay, "free:no, it continues for free")
    answer = decision.ask_about(bearer, "gone_payer", "ST-24", question, *answers, default="end")
    match = records.find_effect(decision.state, effect_id)
    if match is None or answer.choice in ("", "bearer"):
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
    end = block_end(decision.state)
    decision.emit(StepBegan(index=end, phase=records.END, side=combatant.side))
    count_down(decision, records.TURN_END, combatant.id)
    unused_actions = combatant.pool(records.ACTIONS).now
    decision.emit(entries.TurnEnded(who=combatant.id, before=records.BEGUN, cause=cause, unused=unused_actions))


# Negative and positive effects (steps 1 and 4)


def effects_to_run(state: FightState, combatant: Combatant) -> tuple[Effect, ...]:
    """The effects on a participant that run in this step and have not run yet in this turn."""
    handled_effects = records.scene_of(state).progress.handled
    kind = "negative" if state.phase == records.NEGATIVE else "positive"
    due = [effect for effect in combatant.effects if effect.kind == kind and changes_pool(effect)]
    left = (each for each in due if records.EffectInStep(state.phase, each.id) not in handled_effects)
    return arrange_effects(combatant, left)


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
    records.mark_handled(decision, phase, (effect.id for effect in now))
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
    rule = "ST-23" if phase == records.NEGATIVE else "ST-27"
    answer = decision.ask_about(
        combatant, "pulse", rule, f"{effect.name} on {combatant.name}: roll {dice}?",
        f"roll:roll {dice}", "none:skip it this time", default="roll", amount="amount", purpose="pulse",
    )  # fmt: skip
    match = records.find_effect(decision.state, effect_id)
    if match is None or answer.choice in ("", "none"):
        return
    effect = match[1]
    strength = terms_of(effect).dice if answer.amount is None else answer.amount
    amount = throw_amount(decision, strength, "pulse", combatant_id)
    _apply_effect(decision, combatant_id, effect, amount)


def ask_which_first(decision: Decision, combatant: Combatant, effects_left: tuple[Effect, ...]) -> bool:
    """Q-T23: if the setting says so, ask the GM which effect comes first, once for each number left. True if asked."""
    state, progress = decision.state, records.scene_of(decision.state).progress
    asked = records.OrderAsked(state.phase, len(effects_left))
    if records.settings_of(state).effect_order != "ask" or len(effects_left) < 2 or asked in progress.asked:
        return False
    keys = "abcdefghijkmnopqrstuvwxyz"
    first = (Choice(effect.id, f"{effect.name} first", key) for effect, key in zip(effects_left, keys, strict=False))
    decision.set_facts(progress=replace(progress, asked=(*progress.asked, asked)))
    question = f"{combatant.name}: {', '.join(effect.name for effect in effects_left)}. In this order?"
    menu = (Choice("listed", "as listed", "l"), *first)
    prompt = prompt_for(combatant, kind="effect_order", question=question, rule="Q-T23", choices=menu, default="listed")
    decision.spawn(_put_first, prompt)
    return True


def _put_first(decision: Decision, prompt: Prompt) -> None:
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
    question = f"{combatant.name} went down at the start of the turn ({now}). Can {combatant.name} still act?"
    default, answers = "act" if combatant.able else "end", ("act:yes, act", "end:no, end the turn")
    answer = decision.ask_about(combatant, "down", "Q-T10", question, *answers, default=default)
    if not answer.choice:
        return
    combatant = decision.combatant(combatant_id)
    if answer.choice == "act":
        if not combatant.able:
            decision.emit(Restored(who=combatant.id))
    elif records.running_turn(decision.state) is combatant:
        close_turn(decision, combatant, "down")


def throw_amount(decision: Decision, amount: int | str, purpose: str, combatant_id: str) -> int:
    """The number, or the total of rolled dice; at least 0."""
    total, dice_events = throw(decision, amount, purpose, combatant_id)
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
    phase, progress, chosen = (
        decision.state.phase,
        records.scene_of(decision.state).progress,
        records.settings_of(decision.state),
    )
    to_run = effects_to_run(decision.state, combatant) if phase in (records.NEGATIVE, records.POSITIVE) else ()
    match phase:
        case records.NEGATIVE | records.POSITIVE if to_run:
            _run_effects(decision, combatant, to_run)
        case records.NEGATIVE if progress.fell and chosen.down_in_start_steps == "turn_over":
            close_turn(decision, combatant, "down")
        case records.COSTS:
            return _run_costs(decision, combatant)
        case records.EXPIRIES:
            count_down(decision, records.TURN_START, combatant.id)
            return False
        case records.POSITIVE if progress.fell and not progress.asked_to_act:
            decision.set_facts(progress=replace(progress, asked_to_act=True))
            decision.spawn(_ask_whether_able, combatant.id)
        case records.ACTING if combatant.pool(records.ACTIONS).now == 0:
            close_turn(decision, combatant, "no Actions")
        case records.END:
            close_turn(decision, combatant, "gm")
        case _:
            if phase == records.POSITIVE and chosen.dice_recovered == "after_step_4":
                recover_dice(decision, combatant)
            return phase == records.ACTING
    return True
