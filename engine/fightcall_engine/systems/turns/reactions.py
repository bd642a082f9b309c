"""What follows from events at once, newcomers and leavers (Q-T12), and rulings that the GM makes unasked."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.decision import (
    Decision,
    question_check,
    read_flag,
    record_moot,
    record_ruling,
    renew_questions,
    whole,
)
from fightcall_engine.kit.handlers import reacts_to, rules_on
from fightcall_engine.kit.phrases import names_of
from fightcall_engine.kit.records import ids_listed, sheet_int
from fightcall_engine.kit.views import Check, first_broken, require_always
from fightcall_engine.model import events
from fightcall_engine.model.commands import Rule
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.model.values import replace
from fightcall_engine.systems.turns import entries, offers, records, rounds, scenes
from fightcall_engine.systems.turns.records import participant_of, scene_of, settings_of, turn_state


def is_arrival(prompt: Prompt, combatant_id: str = "") -> bool:
    """True for the question when any combatant, or this one, has a first turn."""
    return prompt.kind == "arrival" and combatant_id in ("", prompt.who)


def _ask_for_initiative(decision: Decision, combatant: Combatant) -> None:
    """ST-12: ask for a roll; in rounds, also when the combatant has its first turn."""
    decision.emit(entries.InitiativeAsked(who=combatant.id, before=participant_of(combatant).init_roll))
    if records.is_in_rounds(decision.state):
        turn = turn_state(combatant)
        if turn not in records.OVER:
            decision.emit(entries.TurnPassed(who=combatant.id, before=turn, cause="no initiative yet"))
        decision.spawn(_ask_when_to_act, combatant.id)


def _ask_when_to_act(decision: Decision, combatant_id: str) -> None:
    combatant = decision.combatant(combatant_id)
    question = f"{combatant.name} joins late (d20 {records.speed_of(combatant):+d}). When is the first turn?"
    answers = ("roll:decided by the roll", "now:in this round", "later:in the next round")
    answer = decision.ask_about(
        combatant, "arrival", "Q-T12", question, *answers, default="roll", dice="d20", purpose="initiative"
    )
    if not answer.choice:
        return
    rounds.roll_initiative(decision, combatant_id, answer.amount if isinstance(answer.amount, int) else None)
    new_order, before = rounds.place_newcomer(decision, combatant_id), decision.state.order
    if new_order != before:
        decision.emit(entries.OrderChanged(order=new_order, before=before, reason="joins late"))
    is_running = records.is_in_rounds(decision.state) and decision.state.step is not None
    is_owed_turn = turn_state(decision.combatant(combatant_id)) == records.PASSED
    if is_running and (answer.choice == "now" or (answer.choice != "later" and is_owed_turn)):
        _put_into_round(decision, combatant_id, by_roll=answer.choice != "now")
    combatant = decision.combatant(combatant_id)
    if is_running and combatant.able and turn_state(combatant) == records.PASSED:
        cause = f"first turn in round {decision.state.round + 1}"
        decision.emit(entries.TurnPassed(who=combatant.id, before=records.PASSED, cause=cause))


def _put_into_round(decision: Decision, combatant_id: str, by_roll: bool) -> None:
    state = decision.state
    actor, place = records.actor_of(state), state.order.index(combatant_id)
    actor_place = state.order.index(actor.id) if actor is not None and actor.id in state.order else -1
    has_gone_by = records.is_last_offer(state) or place < actor_place
    if has_gone_by and by_roll:
        return
    combatant = state.combatants[combatant_id]
    steps = rounds.without_later_blocks(state, (combatant_id,))
    index = len(steps)
    if has_gone_by:
        index = rounds.block_end(state) + 1
    else:
        state_without = replace(state, agenda=replace(state.agenda, steps=steps))
        # Delayers have no place in the order any more: theirs is at the end.
        blocks = [each for each in rounds.later_blocks(state_without) if each[1] in state.combatants]
        delayed_ids = [each.id for each in state.combatants.values() if turn_state(each) == records.DELAYED]
        later = (start for start, other in blocks if other in delayed_ids or state.order.index(other) > place)
        index = next(later, index)
    decision.set_traits(combatant.id, turn=records.WAITING)
    steps_with_block = (*steps[:index], *rounds.block(combatant, steps), *steps[index:])
    rounds.rearrange_round(decision, steps_with_block, state.agenda.cursor, f"{combatant.name} joins late")


def initiative_checks(state: FightState, combatant_id: str) -> tuple[Check, ...]:
    """ST-12: once, when Initiative is asked for."""
    combatant = state.combatants.get(combatant_id)
    if any(is_arrival(prompt, combatant_id) for prompt in state.prompts):
        return ()
    has_rolled = combatant is not None and participant_of(combatant).init_roll is not None
    name = combatant.name if combatant is not None else ""
    return (
        Check(not has_rolled, "ST-12", f"{name} has already rolled", ("a combatant without a result",)),
        question_check(state, "arrival"),
    )


# Leaving


def _strike_out(decision: Decision, leaver_id: str) -> None:
    """Remove a leaver from the agenda; if its turn was running, play continues after the turn before it."""
    state = decision.state
    steps, cursor = state.agenda.steps, state.agenda.cursor
    remaining = tuple(step for step in steps if step.actor != leaver_id)
    if not remaining:
        scenes.end_scene(decision, None, "no one is left")
        return
    start = rounds.block_start(state)
    if start is not None and steps[start].actor == leaver_id:
        decision.emit(*record_moot(offers.prompts_of_offer(state)))
        cursor = sum(step.actor != leaver_id for step in steps[:start]) - 1
    elif cursor >= 0:
        cursor = sum(step.actor != leaver_id for step in steps[:cursor])
    decision.emit(events.AgendaChanged(steps=remaining, cursor=cursor, reason="left the fight"))


# Reactions to events


@reacts_to(events.Spent)
def fall_by_spending(decision: Decision, event: events.Spent) -> None:
    """Put down a combatant who spends the last hit points."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None and combatant.able and event.pool == "hp" and event.left == 0:
        decision.emit(events.Downed(who=event.who))


@reacts_to(entries.PoolsRestored)
def rise_by_restoring(decision: Decision, event: entries.PoolsRestored) -> None:
    """Restore a combatant who has hit points again."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None and not combatant.able and event.pool == "hp" and event.before == 0 < event.left:
        decision.emit(events.Restored(who=event.who))


@reacts_to(events.Downed)
def settle_fall(decision: Decision, event: events.Downed) -> None:
    """ST-13, ST-18: close questions about turns of a combatant who is down.

    Q-T10: a fall in the start steps of its own turn is remembered until step 5.
    """
    asked = [each for each in decision.state.prompts if (each.kind, each.who) == ("free_action", event.who)]
    decision.emit(*record_moot(asked, f"{event.who} can't act"))
    if records.is_offered(decision.state, event.who):
        decision.emit(*record_moot(offers.prompts_of_offer(decision.state)))
    decision.emit(*renew_questions(decision.state, f"{event.who} can't act", {"step_in": _step_in}))
    running = records.running_turn(decision.state)
    if running is not None and running.id == event.who and decision.state.phase in records.START_STEPS:
        decision.set_facts(progress=replace(scene_of(decision.state).progress, fell=True))


@reacts_to(events.Restored)
def take_up_again(decision: Decision, event: events.Restored) -> None:
    """Let a combatant who can act again pay after all, and roll Initiative (ST-12): nobody waited while it was down."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is None:
        return
    rounds.ask_to_pay_after_all(decision, combatant)
    state = decision.state
    if records.mode_of(state) != records.INITIATIVE or participant_of(combatant).init_roll is not None:
        return
    has_place = records.is_in_rounds(state) and (
        records.actor_of(state) is combatant or any(is_arrival(prompt, combatant.id) for prompt in state.prompts)
    )
    if not has_place:
        _ask_for_initiative(decision, combatant)


@reacts_to(events.Joined)
def admit_newcomer(decision: Decision, event: events.Joined) -> None:
    """Admit a newcomer to a running fight: its effects begin; under Initiative it must roll, and gets Reactions (Q-T3).

    One who is back has spent the Reactions that it has spent.
    """
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or decision.state.status != "running":
        return
    rounds.begin_sheet_effects(decision, combatant)
    if records.mode_of(decision.state) == records.INITIATIVE:
        if not isinstance(event, events.Returned):
            scenes.set_reactions(decision, combatant)
        _ask_for_initiative(decision, combatant)


@reacts_to(events.LeftFight)
def settle_departure(decision: Decision, event: events.LeftFight) -> None:
    """Close the questions about a leaver, remove them from the round, and ask about the effects they paid for."""
    decision.withdraw_about(event.who)
    rounds.ask_for_upkeeps_of_leaver(decision, event.who)
    standing = scene_of(decision.state).standing
    decision.set_facts(standing=tuple(each for each in standing if each != event.who))
    if any(step.actor == event.who for step in decision.state.agenda.steps):
        _strike_out(decision, event.who)
    decision.emit(*renew_questions(decision.state, f"{event.who} has left", _RENEWED))


def _step_in(state: FightState, prompt: Prompt) -> Prompt | None:
    """ST-18: renew the question for the remaining delayers."""
    combatant = state.combatants.get(prompt.about[0])
    ids = {choice.id for choice in prompt.choices}
    others = [delayer for delayer in records.delayers(state) if delayer.id in ids]
    return offers.step_in_prompt(combatant, others) if combatant is not None and others else None


_RENEWED: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    "left_out": lambda state, _: (
        scenes.left_out_prompt(left) if (left := records.participants_left_out(state)) else None
    ),
    # How a Scene continues, rather than how it opens: then it may be closed.
    "mode": lambda state, prompt: (
        scenes.going_on_prompt(state) if any(choice.id == "close" for choice in prompt.choices) else prompt
    ),
    "step_in": _step_in,
}


@reacts_to(events.EffectEnded)
def drop_questions_about_effect(decision: Decision, event: events.EffectEnded) -> None:
    """Close the questions about an effect that is over."""
    stale = rounds.questions_about(decision.state, event.effect)
    decision.emit(*record_moot(stale, "the effect has ended"))


@reacts_to(entries.TurnTaken, events.Waived)
def give_everyone_a_chance(decision: Decision, event: entries.TurnTaken | events.Waived) -> None:
    """ST-10: record that all have had an opportunity."""
    state = decision.state
    everyone = scene_of(state).everyone
    if records.mode_of(state) == records.FREE and not records.waiting(state) and not everyone:
        decision.emit(entries.EveryoneHadAChance(before=everyone))


@reacts_to(events.PoolAdjusted)
def adjust_reactions(decision: Decision, event: events.PoolAdjusted) -> None:
    """ST-31: set the number of Reactions to that of Actions."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or event.pool != records.ACTIONS:
        return
    points = combatant.pool(records.REACTIONS)
    if points.max == event.max:
        return
    left = event.max if points.now == points.max else min(points.now, event.max)
    records.adjust(decision, combatant, records.REACTIONS, left, event.max, "as many as Actions (ST-31)")


@reacts_to(events.SettingChanged)
def adjust_actions(decision: Decision, event: events.SettingChanged) -> None:
    """Q-T1: apply a changed default number of Actions to all whose sheets give none."""
    if event.setting != "actions_default":
        return
    most = records.actions_per_turn({}, settings_of(decision.state))
    for combatant in decision.state.roster:
        if sheet_int(combatant, "actions") is None:
            scenes.set_actions(decision, combatant, most, "Q-T1")


# Rulings that the GM can make unasked (rules digest, section 5)


@rules_on("mode")
def rule_mode(decision: Decision, command: Rule) -> None:
    """ST-11: set free order or Initiative."""
    scenes.set_mode(decision, entries.SetMode(mode=str(command.value or ""), reason=command.note))


@rules_on("order")
def rule_order(decision: Decision, command: Rule) -> None:
    """ST-13: set the order, also for the remaining turns of this round, the offered one included."""
    before = decision.state.order
    order = ids_listed(decision.state, str(command.value or ""))
    if sorted(order) != sorted(before):
        raise Refused("ST-13", "the order must name everyone once", (" ".join(before),), final=True)
    decision.emit(
        record_ruling("ST-13", "The order", names_of(decision.state, order), command.note),
        entries.OrderChanged(order=order, before=before, reason="GM override"),
    )
    state = decision.state
    start, actor = rounds.block_start(state), records.actor_of(state)
    if start is None:
        return
    delayed_ids = {combatant.id for combatant in records.delayers(state)}
    offer = ((start, actor.id),) if actor is not None and state.phase == records.OFFER else ()
    later = [each for each in (*offer, *rounds.later_blocks(state)) if each[1] in state.combatants]
    later.sort(key=lambda block: (block[1] in delayed_ids, order.index(block[1]) if block[1] not in delayed_ids else 0))
    length = len(rounds.STEPS)
    blocks = [step for at, _ in later for step in state.agenda.steps[at : at + length]]
    if offer and later[0] != offer[0]:
        decision.emit(*record_moot(offers.prompts_of_offer(state), "the order has changed"))
        rounds.rearrange_round(decision, (*state.agenda.steps[:start], *blocks), start - 1, "GM override")
        return
    past_steps = state.agenda.steps[: start if offer else rounds.block_end(state) + 1]
    rounds.rearrange_round(decision, (*past_steps, *blocks), state.agenda.cursor, "GM override")


def turn_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-13: an extra turn is for a combatant who has no turn to come."""
    if not records.is_in_rounds(state) or state.step is None:
        return (Check(False, "ST-13", "no round is running", ("initiative",)),)
    is_to_come = any(combatant_id == combatant.id for _, combatant_id in rounds.later_blocks(state))
    is_to_come = is_to_come or records.is_offered(state, combatant.id)
    is_running = records.running_turn(state) is combatant
    ways = {"take": offers.take_checks, "step_in": offers.step_in_checks}
    accepts = tuple(name for name, checks in ways.items() if first_broken(checks(state, combatant)) is None)
    can_end = first_broken(offers.end_checks(state, combatant)) is None
    return (
        Check(not is_to_come, "ST-13", f"{combatant.name} still has a turn this round", accepts),
        Check(not is_running, "ST-13", f"{combatant.name}'s turn is running", ("end_turn",) if can_end else ()),
    )


@rules_on("turn")
def rule_turn(decision: Decision, command: Rule) -> None:
    """ST-13: insert an extra turn after the running one."""
    state = decision.state
    combatant = decision.combatant(command.who)
    require_always(*turn_checks(state, combatant))
    place, steps = rounds.block_end(state) + 1, state.agenda.steps
    steps_with_block = (*steps[:place], *rounds.block(combatant, steps), *steps[place:])
    decision.emit(record_ruling("ST-13", "Next turn", combatant.name, command.note))
    decision.set_traits(combatant.id, turn=records.WAITING)
    rounds.rearrange_round(decision, steps_with_block, state.agenda.cursor, f"a turn for {combatant.name}")


@rules_on("actions")
def rule_actions(decision: Decision, command: Rule) -> None:
    """Q-T1: set the number of Actions per turn."""
    combatant = decision.combatant(command.who)
    most = scenes.check_actions(command.value)
    decision.emit(record_ruling("Q-T1", f"{combatant.name}'s Actions per turn", most, command.note))
    scenes.set_actions(decision, combatant, most, "ruling")


@rules_on("effects")
def rule_effects(decision: Decision, command: Rule) -> None:
    """Q-T23: set the order in which effects run in a step, by their names or ids."""
    combatant = decision.combatant(command.who)
    words = [part.strip().lower() for part in str(command.value or "").split(",") if part.strip()]
    ids_by_word = {key: effect.id for effect in combatant.effects for key in (effect.name.lower(), effect.id)}
    if not words or any(word not in ids_by_word for word in words):
        names = tuple(effect.name for effect in combatant.effects) or ("no effects",)
        message = f"{command.value!r} doesn't match {combatant.name}'s effects"
        raise Refused("Q-T23", message, names, final=True)
    first = tuple(dict.fromkeys(ids_by_word[word] for word in words))
    in_order = rounds.arrange_effects(combatant, combatant.effects)
    rest = (effect.id for effect in in_order if effect.id not in first)
    decision.emit(record_ruling("Q-T23", f"Order of {combatant.name}'s effects", ", ".join(words), command.note))
    decision.set_traits(combatant.id, effect_order=(*first, *rest))


@rules_on("free")
def rule_free_actions(decision: Decision, command: Rule) -> None:
    """ST-32: set whether a combatant's Free Actions are allowed."""
    combatant = decision.combatant(command.who)
    is_allowed = read_flag("ST-32", command.value)
    choice = "allowed" if is_allowed else "forbidden"
    decision.emit(record_ruling("ST-32", f"{combatant.name}'s Free Actions", choice, command.note))
    decision.set_traits(combatant.id, no_free=not is_allowed)


@rules_on("hp_per_resolve")
def rule_hp_per_resolve(decision: Decision, command: Rule) -> None:
    """ST-38: set the hit points per Resolve."""
    each = whole("ST-38", command.value, 0, "number of hit points")
    decision.emit(record_ruling("ST-38", "HP per Resolve", each))
    decision.set_facts(hp_per_resolve=each)


@rules_on("awake")
def rule_awake(decision: Decision, command: Rule) -> None:
    """ST-34: set for how many hours all have been awake."""
    hours = whole("ST-34", command.value, 0, "number of hours")
    decision.emit(record_ruling("ST-34", "Awake for", f"{hours} h", command.note))
    decision.set_facts(awake_h=hours)


@rules_on("chance")
def rule_chance(decision: Decision, command: Rule) -> None:
    """ST-10: waive a combatant's opportunity in free order, or that of all who have had none."""
    state = decision.state
    people = (decision.combatant(command.who),) if command.who else records.participants_left_out(state)
    if records.mode_of(state) != records.FREE:
        raise Refused("ST-10", "the Scene isn't in free order", ("set_mode free",), final=True)
    names = ", ".join(combatant.name for combatant in people) or "nobody"
    decision.emit(record_ruling("ST-10", f"{names} had a chance to act", "waived"))
    decision.emit(*(events.Waived(who=combatant.id) for combatant in people))
