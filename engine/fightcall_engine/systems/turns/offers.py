"""Offers (ST-13, ST-17..21): taking a turn, delaying it, stepping in; and ending a turn (ST-04)."""

from collections.abc import Sequence

from fightcall_engine.kit.checks import Check, first_broken, require_always
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, lapse_offers, prompt_for, question_check, record_answer, record_moot
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt, Step
from fightcall_engine.systems.turns import commands, events, order, records, rounds, steps
from fightcall_engine.systems.turns.records import turn_state


def round_check(state: FightState) -> Check:
    """ST-12: turns in order need Initiative, with all rolls made."""
    now = {
        "": ("no Scene is open", "open_scene"),
        records.FREE: ("this Scene is in free order", "set_mode initiative"),
        records.REST: ("they are resting", "complete_rest"),
    }
    why, instead = now.get(records.mode_of(state), ("Initiative hasn't been rolled yet", "initiative"))
    return Check(records.is_in_rounds(state) and state.step is not None, "ST-12", why, (instead,), is_turn=True)


def able_check(combatant: Combatant, rule: str) -> Check:
    """A participant who is down can't act."""
    return Check(combatant.able, rule, f"{combatant.name} can't act", ("a combatant who can",))


def _actor_name(state: FightState) -> str:
    combatant = records.actor_of(state)
    return combatant.name if combatant is not None else "nobody"


# Taking the turn


def offer_checks(state: FightState, combatant: Combatant, *, for_actor: bool = True) -> tuple[Check, ...]:
    """ST-13: the combatant's turn must be offered, and no turn be running.

    `for_actor`: whether the one who is offered the turn could do it instead.
    """
    actor, name = records.actor_of(state), _actor_name(state)
    has_begun = state.phase != records.OFFER
    is_own = actor is not None and actor.id == combatant.id
    return (
        round_check(state),
        able_check(combatant, "ST-13"),
        Check(not has_begun or not is_own, "ST-22", f"{combatant.name}'s turn has already started", ("end_turn",)),
        Check(not has_begun, "ST-13", f"{name}'s turn is running", ("the next offer",)),
        Check(is_own, "ST-13", f"it is {name}'s turn to decide", (actor.id,) if actor and for_actor else ()),
        question_check(state, "last_offer"),
    )


def take_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-09, ST-13: in free order at any time, else when the turn is offered."""
    if records.mode_of(state) == records.FREE:
        return (able_check(combatant, "ST-09"), question_check(state))
    return offer_checks(state, combatant)


@handles(commands.Take)
def take_turn(decision: Decision, command: commands.Take) -> None:
    """Take the turn that is offered; in free order, have a turn."""
    combatant = decision.combatant(command.who)
    is_free = records.mode_of(decision.state) == records.FREE
    if not is_free:
        require_always(round_check(decision.state))
    decision.require(*take_checks(decision.state, combatant))
    if is_free:
        decision.emit(events.TurnTaken(who=combatant.id))
    elif records.is_offered(decision.state, combatant.id):
        begin_offered_turn(decision, combatant)
    else:
        _bring_forward(decision, (combatant.id,), "GM override")


def begin_offered_turn(decision: Decision, combatant: Combatant) -> None:
    """Begin the offered turn. A delayer who takes it at the end of the round moves to the last place (ST-21)."""
    close_offer(decision, "act")
    if turn_state(combatant) == records.DELAYED:
        order.change_order(decision, order.put_last(decision.state, combatant.id), "delayed to the end of the round")
    start = rounds.block_start(decision.state)
    assert start is not None
    rounds.begin_turn(decision, start, combatant)


def prompts_of_offer(state: FightState) -> tuple[Prompt, ...]:
    """The questions around an offer."""
    return tuple(prompt for prompt in state.prompts if prompt.kind in ("step_in", "last_offer"))


def close_offer(decision: Decision, choice: str) -> None:
    """Close the questions around an offer; the one for the last place is answered by `choice`."""
    for prompt in decision.state.prompts:
        if prompt.kind == "last_offer":
            decision.emit(record_answer(prompt, choice, default=False))
    decision.emit(*lapse_offers(decision.state))


# Delay


def delay_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-17: at the combatant's own offer, if another comes later."""
    actor = records.actor_of(state)
    can_actor = actor is not None and not records.is_last_offer(state) and rounds.has_turns_after(state, actor.id)
    is_last = records.is_last_offer(state) and records.is_offered(state, combatant.id)
    return (
        *offer_checks(state, combatant, for_actor=can_actor),
        Check(
            not is_last, "ST-17", f"{combatant.name} has already delayed to the end of the round", ("take", "forfeit")
        ),
        Check(
            is_last or rounds.has_turns_after(state, combatant.id),
            "ST-17",
            f"{combatant.name} can't delay: no one acts later this round",
            ("take",),
        ),
    )


def delay_turn(decision: Decision, command: commands.Delay) -> None:
    """Delay the turn: it moves to the end unless its owner steps in before. No start steps run (Q-T13)."""
    combatant = decision.combatant(command.who)
    require_always(round_check(decision.state))
    decision.require(*delay_checks(decision.state, combatant))
    if rounds.block_of(decision.state, combatant.id) is None:
        raise Refused("ST-17", f"{combatant.name} has no turn left this round to delay", (), final=True)
    close_offer(decision, "later")
    _, cursor = rounds.without_block(decision.state, combatant.id)
    decision.emit(events.TurnDelayed(who=combatant.id, before=turn_state(combatant)))
    later = rounds.with_block_put_off(decision.state, combatant.id)
    rounds.rearrange_round(decision, later, cursor, f"{combatant.name} delays")


# Stepping in


def step_in_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-18: for delayers, at another combatant's offer; not during a turn (Q-T15)."""
    others = tuple(delayer.id for delayer in records.delayers(state) if not records.is_offered(state, delayer.id))
    can_delay = turn_state(combatant) != records.DELAYED and first_broken(delay_checks(state, combatant)) is None
    accepts = (*(("delay",) if can_delay else ()), *(others if state.phase == records.OFFER else ()))
    return (
        round_check(state),
        able_check(combatant, "ST-18"),
        Check(turn_state(combatant) == records.DELAYED, "ST-18", f"{combatant.name} isn't delaying", accepts),
        Check(state.phase == records.OFFER, "ST-18", f"{_actor_name(state)}'s turn is running", ("the next offer",)),
        Check(
            not records.is_offered(state, combatant.id),
            "ST-18",
            f"it is already {combatant.name}'s place, the last one",
            ("take", "forfeit"),
        ),
        question_check(state, "last_offer"),
    )


@handles(commands.StepIn)
def step_in(decision: Decision, command: commands.StepIn) -> None:
    """Act before the offered turn. If several do, the GM is asked who goes first (Q-T9)."""
    people = [decision.combatant(name) for name in (command.who, *command.together)]
    if len({combatant.id for combatant in people}) < len(people):
        raise Refused("together", "you named the same combatant twice", ("others who are delaying",), final=True)
    require_always(round_check(decision.state))
    for combatant in people:
        decision.require(*step_in_checks(decision.state, combatant))
    _require_others(decision.state, [combatant.id for combatant in people])
    if len(people) == 1:
        _step_in_before_offer(decision, (people[0].id,))
    else:
        _answer_step_in(decision, [combatant.id for combatant in people])
        decision.spawn(_ask_in_which_order, tuple(combatant.id for combatant in people))


def _answer_step_in(decision: Decision, people: Sequence[str]) -> None:
    for prompt in decision.state.prompts:
        if prompt.kind == "step_in":
            decision.emit(record_answer(prompt, ", ".join(people), default=False))


def _ask_in_which_order(decision: Decision, steppers: Sequence[str]) -> None:
    """Q-T9: ask in which order those act who step in together, the better roll first or reversed; then they do.

    It is asked again about those who are left if one of them leaves.
    """
    answer, people = None, list(steppers)
    while answer is None:
        state = decision.state
        asked = [state.combatants[combatant_id] for combatant_id in people if combatant_id in state.combatants]
        if not asked:
            return
        best = sorted(asked, key=records.rank_key, reverse=True)
        names, people = [combatant.name for combatant in best], [combatant.id for combatant in best]
        answer = decision.ask(
            prompt_for(
                None,
                kind="together",
                question=f"{' and '.join(combatant.name for combatant in asked)} step in together. In which order?",
                rule="Q-T9",
                choices=choices(f"roll:{', '.join(names)}, by the better roll", f"swap:{', '.join(reversed(names))}"),
                default="roll",
                about=tuple(people),
            )
        )
    people = [combatant_id for combatant_id in people if _can_still_step_in(decision.state, combatant_id)]
    if answer.choice == "swap":
        people.reverse()
    if people:
        _step_in_before_offer(decision, people)


def _can_still_step_in(state: FightState, combatant_id: str) -> bool:
    """Whether a combatant has neither left nor fallen nor had a turn since the question was asked."""
    combatant, actor = state.combatants.get(combatant_id), records.actor_of(state)
    return (
        combatant is not None
        and actor is not None
        and actor.id != combatant_id
        and combatant.able
        and turn_state(combatant) not in (records.BEGUN, *records.OVER)
    )


def step_in_prompt(combatant: Combatant, others: Sequence[Combatant]) -> Prompt:
    """ST-18: the question whether delayers step in before the offered turn."""
    keys = ("y",) if len(others) == 1 else tuple(other.label.lower() for other in others)
    steppers = (Choice(other.id, f"{other.name} steps in", key) for other, key in zip(others, keys, strict=True))
    names = " or ".join(other.name for other in others)
    return prompt_for(
        None,
        kind="step_in",
        question=f"{combatant.name} is next. Does {names} step in?",
        rule="ST-18",
        choices=(Choice("nobody", "nobody", "-" if "n" in keys else "n"), *steppers),
        default="nobody",
        blocking=False,
        about=(combatant.id,),
    )


@answers("step_in")
def answer_step_in(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """ST-18: let the chosen delayer step in."""
    combatant = decision.state.combatants.get(answer.choice)
    if combatant is None:
        return
    broken = first_broken(step_in_checks(decision.state, combatant))
    if broken is not None and broken.rule == "ST-18":
        raise Refused(broken.rule, broken.message, broken.accepts, final=True)
    _step_in_before_offer(decision, (combatant.id,))


def _step_in_before_offer(decision: Decision, people: Sequence[str]) -> None:
    """Let delayers act before the offered turn, and move them directly ahead of it in the order (ST-18, ST-19)."""
    _answer_step_in(decision, people)
    last_offers = (prompt for prompt in decision.state.prompts if prompt.kind == "last_offer")
    decision.emit(*record_moot(last_offers, "someone steps in"))
    decision.emit(*lapse_offers(decision.state))
    _bring_forward(decision, people, "stepped in")


def _require_others(state: FightState, people: Sequence[str]) -> None:
    """Refuse those whose turn it is already, even for the GM."""
    actor = records.actor_of(state)
    if actor is not None and actor.id in people:
        raise Refused("ST-18", f"it is already {actor.name}'s turn", ("take", "end_turn"), final=True)


def _bring_forward(decision: Decision, people: Sequence[str], reason: str) -> None:
    """Move turns to the front: before the offer, or after the running turn if the GM forces one during it."""
    state = decision.state
    actor, start = records.actor_of(state), rounds.block_start(state)
    assert actor is not None
    assert start is not None
    _require_others(state, people)
    is_offer, is_last = state.phase == records.OFFER, records.is_last_offer(state)
    place = start if is_offer else rounds.block_end(state) + 1
    cursor = start - 1 if is_offer else state.agenda.cursor
    later = rounds.without_later_blocks(state, people)
    blocks: tuple[Step, ...] = ()
    for combatant_id in people:
        combatant = state.combatants[combatant_id]
        ahead_of = actor.id if is_offer else ""
        decision.emit(events.SteppedIn(who=combatant_id, before=turn_state(combatant), ahead_of=ahead_of))
        blocks = (*blocks, *rounds.block(combatant, (*later, *blocks)))
    rounds.rearrange_round(decision, (*later[:place], *blocks, *later[place:]), cursor, reason)
    if is_offer:
        # The last place comes after everybody in the order, wherever the delayer was before.
        new_order = order.put_last(state, *people) if is_last else order.put_before(state, people, actor.id)
        order.change_order(decision, new_order, reason)


# The end of a turn


def forfeit_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-21: a delayer who is offered the last place can give it up."""
    is_last = records.is_last_offer(state)
    return (
        *offer_checks(state, combatant, for_actor=is_last),
        Check(is_last, "ST-21", f"{combatant.name} hasn't delayed to the end of the round", ("take",)),
    )


def end_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-04: the combatant's turn must have reached the acting step."""
    running, question = records.running_turn(state), question_check(state)
    whose = running.name if running is not None else "nobody"
    if running is not None:
        accepts = (running.id,) if state.phase == records.ACTING and question.holds else question.accepts
    else:
        accepts = ("take",) if records.is_offered(state, combatant.id) else ()
    first = "finish the start of the turn first"
    return (
        round_check(state),
        Check(running is not None and running.id == combatant.id, "ST-04", f"{whose}'s turn is running", accepts),
        Check(state.phase == records.ACTING, "ST-22", first, question.accepts),
        question,
    )


@handles(commands.EndTurn)
def end_turn(decision: Decision, command: commands.EndTurn) -> None:
    """ST-04, ST-29: end the turn; remaining Actions are lost (ST-07)."""
    require_always(round_check(decision.state))
    actor = records.actor_of(decision.state)
    if actor is None:
        raise Refused("ST-04", "no turn is running", ("advance",), final=True)
    combatant = decision.combatant(command.who) if command.who else actor
    decision.require(*end_checks(decision.state, combatant))
    running = records.running_turn(decision.state)
    if running is None:
        raise Refused("ST-04", "no turn is running", ("take",), final=True)
    decision.emit(*lapse_offers(decision.state))
    steps.close_turn(decision, running, "voluntary" if running.id == combatant.id else "gm")
