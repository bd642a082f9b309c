"""Turns: taking, delaying and ending one (ST-04, ST-13, ST-17..21), and the acts in and out of it (ST-28..32)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from fightcall_engine.kit.decision import (
    Decision,
    damage_prompt,
    lapse_offers,
    prompt_for,
    question_check,
    record_answer,
    record_moot,
    total_check,
)
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import line_to, plan_walk, ruled_ground, take_walk
from fightcall_engine.kit.records import as_amount, as_int, sheet_entries
from fightcall_engine.kit.views import Check, first_broken, require_always
from fightcall_engine.model.commands import Answer, Command, Move, Strike
from fightcall_engine.model.dice import chance_of
from fightcall_engine.model.errors import Accepted, FieldValue, Refused, RulingWanted
from fightcall_engine.model.state import Choice, Combatant, FightState, Json, Prompt, Step
from fightcall_engine.model.values import field_values, remembered
from fightcall_engine.systems.turns import entries, records, rounds
from fightcall_engine.systems.turns.entries import Act, React, ReactionStrike
from fightcall_engine.systems.turns.records import participant_of, turn_state
from fightcall_engine.systems.turns.rounds import throw_amount


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
    """The check that a participant isn't down."""
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


@handles(entries.Take)
def take_turn(decision: Decision, command: entries.Take) -> None:
    """Take the turn that is offered; in free order, have a turn."""
    combatant = decision.combatant(command.who)
    is_free = records.mode_of(decision.state) == records.FREE
    if not is_free:
        require_always(round_check(decision.state))
    decision.require(*take_checks(decision.state, combatant))
    if is_free:
        decision.emit(entries.TurnTaken(who=combatant.id))
    elif records.is_offered(decision.state, combatant.id):
        begin_offered_turn(decision, combatant)
    else:
        _bring_forward(decision, (combatant.id,), "GM override")


def begin_offered_turn(decision: Decision, combatant: Combatant) -> None:
    """Begin the offered turn. A delayer who takes it at the end of the round moves to the last place (ST-21)."""
    close_offer(decision, "act")
    if turn_state(combatant) == records.DELAYED:
        rounds.change_order(decision, rounds.put_last(decision.state, combatant.id), "delayed to the end of the round")
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


def waive_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-10: in free order an opportunity can be waived, once."""
    is_free = state.step is not None and state.step.kind == records.FREE
    return (
        question_check(state),
        Check(is_free, "ST-10", "this Scene isn't in free order", ("set_mode free",)),
        Check(combatant.id not in state.agenda.waived, "ST-10", f"{combatant.name} has passed", ("take",)),
    )


# Delay


def delay_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-17: at the combatant's own offer, if another comes later."""
    actor = records.actor_of(state)
    can_actor = actor is not None and not records.is_last_offer(state) and rounds.has_turns_after(state, actor.id)
    is_last = records.is_last_offer(state) and records.is_offered(state, combatant.id)
    none_later = f"{combatant.name} can't delay: no turn comes later this round"
    delayed = f"{combatant.name} has already delayed to the end of the round"
    return (
        *offer_checks(state, combatant, for_actor=can_actor),
        Check(not is_last, "ST-17", delayed, ("take", "forfeit")),
        Check(is_last or rounds.has_turns_after(state, combatant.id), "ST-17", none_later, ("take",)),
    )


def delay_turn(decision: Decision, command: entries.Delay) -> None:
    """Delay the turn: it moves to the end unless its owner steps in before. No start steps run (Q-T13)."""
    combatant = decision.combatant(command.who)
    require_always(round_check(decision.state))
    decision.require(*delay_checks(decision.state, combatant))
    if rounds.block_of(decision.state, combatant.id) is None:
        raise Refused("ST-17", f"{combatant.name} has no turn left this round to delay", (), final=True)
    close_offer(decision, "later")
    _, cursor = rounds.without_block(decision.state, combatant.id)
    decision.emit(entries.TurnDelayed(who=combatant.id, before=turn_state(combatant)))
    later = rounds.with_block_put_off(decision.state, combatant.id)
    rounds.rearrange_round(decision, later, cursor, f"{combatant.name} delays")


# Stepping in


def step_in_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-18: for delayers, at another combatant's offer; not during a turn (Q-T15)."""
    others = tuple(delayer.id for delayer in records.delayers(state) if not records.is_offered(state, delayer.id))
    can_delay = turn_state(combatant) != records.DELAYED and first_broken(delay_checks(state, combatant)) is None
    accepts = (*(("delay",) if can_delay else ()), *(others if state.phase == records.OFFER else ()))
    own_place = f"it is already {combatant.name}'s place, the last one"
    return (
        round_check(state),
        able_check(combatant, "ST-18"),
        Check(turn_state(combatant) == records.DELAYED, "ST-18", f"{combatant.name} isn't delaying", accepts),
        Check(state.phase == records.OFFER, "ST-18", f"{_actor_name(state)}'s turn is running", ("the next offer",)),
        Check(not records.is_offered(state, combatant.id), "ST-18", own_place, ("take", "forfeit")),
        question_check(state, "last_offer"),
    )


@handles(entries.StepIn)
def step_in(decision: Decision, command: entries.StepIn) -> None:
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
        return
    answer, stepper_ids = Answer(), [combatant.id for combatant in people]
    _answer_step_in(decision, stepper_ids)
    # The better roll goes first, or they are reversed. If one of them leaves, it is asked again about the others.
    while not answer.choice:
        asked = records.still_here(decision.state, stepper_ids)
        if not asked:
            return
        best = sorted(asked, key=records.rank_key, reverse=True)
        names, stepper_ids = [combatant.name for combatant in best], [combatant.id for combatant in best]
        question = f"{' and '.join(combatant.name for combatant in asked)} step in together. In which order?"
        orders = (f"roll:{', '.join(names)}, by the better roll", f"swap:{', '.join(reversed(names))}")
        about = tuple(stepper_ids)
        answer = decision.ask_about(None, "together", "Q-T9", question, *orders, default="roll", about=about)
    actor, past = records.actor_of(decision.state), (records.BEGUN, *records.OVER)
    present = records.still_here(decision.state, stepper_ids)
    able_ids = [each.id for each in present if each.able and turn_state(each) not in past]
    stepper_ids = [each for each in able_ids if actor is not None and actor.id != each]
    if answer.choice == "swap":
        stepper_ids.reverse()
    if stepper_ids:
        _step_in_before_offer(decision, stepper_ids)


def _answer_step_in(decision: Decision, people: Sequence[str]) -> None:
    for prompt in decision.state.prompts:
        if prompt.kind == "step_in":
            decision.emit(record_answer(prompt, ", ".join(people), default=False))


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


def ask_who_steps_in(decision: Decision, prompt: Prompt) -> None:
    """ST-18: ask whether delayers step in before the offered turn, and let the chosen one."""
    answer = decision.ask(prompt)
    combatant = decision.state.combatants.get(answer.choice) if answer is not None else None
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
        decision.emit(entries.SteppedIn(who=combatant_id, before=turn_state(combatant), ahead_of=ahead_of))
        blocks = (*blocks, *rounds.block(combatant, (*later, *blocks)))
    rounds.rearrange_round(decision, (*later[:place], *blocks, *later[place:]), cursor, reason)
    if is_offer:
        # ST-19: directly before the one who was offered the turn. The last place comes after everybody, wherever the
        # delayer was before.
        rest = [combatant_id for combatant_id in state.order if combatant_id not in people]
        index = len(rest) if is_last or actor.id not in rest else rest.index(actor.id)
        rounds.change_order(decision, (*rest[:index], *people, *rest[index:]), reason)


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


@handles(entries.EndTurn)
def end_turn(decision: Decision, command: entries.EndTurn) -> None:
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
    rounds.close_turn(decision, running, "voluntary" if running.id == combatant.id else "gm")


# Acts in one's own turn (ST-28, ST-29)


def act_checks(state: FightState, combatant: Combatant, price: int = 1) -> tuple[Check, ...]:
    """ST-28: in step 5 of its own turn, with Actions left; in free order at any time (ST-09)."""
    if records.mode_of(state) == records.FREE:
        return (able_check(combatant, "ST-09"), question_check(state))
    actor, what = records.actor_of(state), "is offered" if state.phase == records.OFFER else "runs"
    number = records.STEP_NUMBERS.get(state.phase, 0)
    now = f"step {number} of the turn comes first" if number else "the turn is only offered"
    actions_left, question = combatant.pool(records.ACTIONS).now, question_check(state)
    whose = f"{_actor_name(state)}'s turn {what}"
    short = f"needs {price} Actions; {combatant.name} has {actions_left}"
    return (
        round_check(state),
        able_check(combatant, "ST-28"),
        Check(actor is not None and actor.id == combatant.id, "ST-13", whose, ("react", "free"), is_turn=True),
        # When the questions of earlier steps are answered, the turn reaches the acting step.
        Check(
            state.phase == records.ACTING,
            "ST-22",
            f"{combatant.name} can't act yet: {now}",
            ("take",) if question_check(state, "last_offer").holds else question.accepts,
            is_turn=True,
        ),
        question,
        Check(price <= actions_left, "ST-29", short, (f"at most {actions_left}",)),
    )


def spend_actions(
    decision: Decision, combatant: Combatant, price: int, what: str, target_id: str = "", *, walked: bool = False
) -> None:
    """ST-28: spend Actions. In free order it only counts as having had a turn (ST-09)."""
    if records.mode_of(decision.state) == records.FREE:
        decision.emit(entries.TurnTaken(who=combatant.id, what=what, target=target_id, walked=walked))
        return
    event_type = entries.WalkPaid if walked else entries.ActionTaken
    records.spend(decision, event_type, combatant, records.ACTIONS, price, what=what, target=target_id)


@handles(entries.Act)
def act(decision: Decision, command: entries.Act) -> None:
    """Spend Actions on something (ST-28)."""
    combatant = decision.combatant(command.who)
    if command.actions < 1:
        raise Refused("ST-28", f"{command.actions} Actions", ("1 or more", "free: a Free Action"), final=True)
    decision.require(*act_checks(decision.state, combatant, command.actions))
    target_id = decision.combatant(command.target).id if command.target else ""
    spend_actions(decision, combatant, command.actions, command.what, target_id)
    if command.dice:
        # The GM says what they mean.
        decision.roll(command.dice, "act", combatant.id)


@handles(Move)
def move(decision: Decision, command: Move) -> None:
    """Walk for one Action, or for as many as the GM says; the rules give no distances."""
    combatant = decision.combatant(command.who)
    price = ruled_ground(command.ground, 1)
    decision.require(*act_checks(decision.state, combatant, price))
    walk = plan_walk(decision, command)
    spend_actions(decision, combatant, price, f"move {walk.places}", walked=True)
    take_walk(decision, walk)


# Acts out of turn (ST-30..32)


def react_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-30: not in its own turn, and with a Reaction left."""
    running = records.running_turn(state)
    reactions_left = records.reactions_of(state, combatant)
    own_turn = f"it is already {combatant.name}'s turn"
    return (
        round_check(state),
        able_check(combatant, "ST-30"),
        Check(running is None or running.id != combatant.id, "ST-30", own_turn, ("act",), is_turn=True),
        Check(reactions_left.now > 0, "ST-30", f"{combatant.name} has no Reactions left", ("again on your next turn",)),
    )


def spend_reaction(decision: Decision, combatant: Combatant, what: str, target_id: str) -> None:
    """ST-30: one Reaction, from its own pool or from the Actions (Q-T2)."""
    pool = records.reaction_pool(decision.state)
    records.spend(decision, entries.ReactionTaken, combatant, pool, 1, what=what, target=target_id)


@handles(entries.React)
def react_to_act(decision: Decision, command: entries.React) -> None:
    """React in another combatant's turn (ST-30)."""
    combatant = decision.combatant(command.who)
    decision.require(*react_checks(decision.state, combatant))
    target_id = decision.combatant(command.target).id if command.target else ""
    spend_reaction(decision, combatant, command.what, target_id)
    if command.dice:
        decision.roll(command.dice, "react", combatant.id)


def free_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """ST-32: in the acting step of its own turn, or outside it, unless the GM forbids it."""
    running = records.running_turn(state)
    is_own_turn = running is not None and running.id == combatant.id
    early = f"finish the start of {combatant.name}'s turn first"
    forbidden = f"the GM doesn't allow {combatant.name} any Free Actions"
    return (
        Check(records.has_open_scene(state), "ST-32", "no Scene is open", ("open_scene",)),
        able_check(combatant, "ST-32"),
        Check(not is_own_turn or state.phase == records.ACTING, "ST-22", early, ("from step 5 on",)),
        Check(not participant_of(combatant).no_free, "ST-32", forbidden, (RulingWanted("free"),)),
    )


@handles(entries.Free)
def take_free_action(decision: Decision, command: entries.Free) -> None:
    """Take a Free Action; outside one's own running or offered turn, the GM can forbid it (ST-32)."""
    state = decision.state
    combatant, actor = decision.combatant(command.who), records.actor_of(state)
    decision.require(*free_checks(state, combatant))
    decision.emit(entries.FreeActionTaken(who=combatant.id, what=command.what))
    is_own_turn = actor is not None and actor.id == combatant.id
    if not records.is_in_rounds(state) or is_own_turn:
        return
    question = f"Allow {combatant.name} this out of turn: {command.what or 'a Free Action'}?"
    answers = ("yes", "no:no, it doesn't happen")
    answer = decision.ask_about(combatant, "free_action", "ST-32", question, *answers, default="yes", blocking=False)
    if answer.choice == "no":
        decision.emit(entries.FreeActionForbidden(who=combatant.id, what=command.what))


@handles(entries.Spend)
def spend_pool(decision: Decision, command: entries.Spend) -> None:
    """Spend a pool, or a use of a daily ability (ST-42); Actions and Reactions when they may be used (ST-28, ST-30)."""
    combatant = decision.combatant(command.who)
    pool = records.find_pool(combatant, command.pool)
    if command.amount < 1:
        raise Refused("amount", f"you can't spend {command.amount}", ("1 or more",), final=True)
    points = combatant.pools[pool]
    rule = "ST-42" if pool.startswith(records.DAILY) else "pool"
    short = f"{combatant.name} has {points.now} of {pool.removeprefix(records.DAILY)}, not {command.amount}"
    decision.require(
        *(act_checks(decision.state, combatant, command.amount) if pool == records.ACTIONS else ()),
        *(react_checks(decision.state, combatant) if pool == records.REACTIONS else ()),
        Check(command.amount <= points.now, rule, short, (f"at most {points.now}",)),
    )
    records.spend(decision, entries.PoolSpent, combatant, pool, command.amount, what=command.what)


# Attacks (ST-28)


def target_checks(combatant: Combatant, target: Combatant) -> tuple[Check, ...]:
    """The checks of a target."""
    return (
        Check(target.id != combatant.id, "ST-28", "you can't attack yourself", ("someone else",)),
        Check(target.able, "ST-28", f"{target.name} is already down", ("someone who isn't down",)),
    )


def is_in_reach(state: FightState, combatant: Combatant, target: Combatant, weapon: Mapping[str, Json]) -> bool:
    """Whether a target is within the reach on the sheet, if a board can tell."""
    reach, board, here, there = as_int(weapon.get("reach")), state.board, combatant.at, target.at
    return reach is None or board is None or here is None or there is None or board.distance(here, there) <= reach


@remembered
def combatants_in_reach(state: FightState, combatant: Combatant, weapon: Mapping[str, Json]) -> tuple[Combatant, ...]:
    """The able participants in reach of an attack, foes first."""
    others = (other for other in records.able_participants(state) if other.id != combatant.id)
    near = (other for other in others if is_in_reach(state, combatant, other, weapon))
    return tuple(sorted(near, key=lambda other: other.side == combatant.side))


def has_foe(combatant: Combatant, others: Iterable[Combatant]) -> bool:
    """Whether a combatant of another side is among these."""
    return any(other.side != combatant.side for other in others)


def reach_check(state: FightState, combatant: Combatant, target: Combatant, weapon: Mapping[str, Json]) -> Check:
    """The check that the target is in reach; the alternatives are a walk, another attack, another enemy."""
    line = line_to(state, combatant.id, target.id)
    if line.distance is None or is_in_reach(state, combatant, target, weapon):
        return Check(True, "ST-28", "")
    near = combatants_in_reach(state, combatant, weapon)
    others = [other for other in sheet_entries(combatant, "strikes") if is_in_reach(state, combatant, target, other)]
    accepts: tuple[Accepted, ...] = (
        "move",
        *(FieldValue("weapon", str(other["name"])) for other in others),
        *(other.id for other in near if other.side != combatant.side),
    )
    message = f"{target.name} is {line.apart} away; {weapon['name']} reaches {weapon['reach']}"
    return Check(False, "ST-28", message, accepts)


def numbers_of(combatant: Combatant, command: Strike) -> tuple[Mapping[str, Json], int | None, int | str | None]:
    """The attack of the sheet, the number needed and the damage: as in the command, else as on the sheet.

    Raises:
        Refused: the sheet lists no attack of this name.
    """
    weapons, name = sheet_entries(combatant, "strikes"), command.weapon.strip().lower()
    weapon: Mapping[str, Json] = {}
    if command.weapon:
        match = next((weapon for weapon in weapons if str(weapon["name"]).lower() == name), None)
        if match is None:
            names = tuple(str(weapon["name"]) for weapon in weapons) or ("none on the sheet",)
            raise Refused("weapon", f"{combatant.name} has no attack {command.weapon!r}", names, final=True)
        weapon = match
    elif weapons and command.hit is None and command.needs is None:
        weapon = weapons[0]
    needs = command.needs if command.needs is not None else as_int(weapon.get("needs"))
    damage = command.damage if command.damage is not None else as_amount(weapon.get("damage"))
    return weapon, needs, damage


def as_reaction(state: FightState, command: Command) -> Command:
    """ST-30: return an act as the Reaction that it is outside its actor's own turn; in free order the act itself."""
    running = records.running_turn(state)
    is_own_turn = running is not None and running.id == command.subject_id
    if is_own_turn or records.mode_of(state) == records.FREE:
        return command
    if type(command) is Strike:
        return ReactionStrike(**cast("dict[str, Any]", field_values(command)))
    if isinstance(command, Act):
        return React(who=command.who, what=command.what, target=command.target, dice=command.dice)
    return command


@handles(Strike, ReactionStrike)
def strike(decision: Decision, command: Strike | ReactionStrike) -> None:
    """Attack for one Action; in another combatant's turn it is a Reaction (ST-30)."""
    combatant, is_reaction = decision.combatant(command.who), isinstance(command, ReactionStrike)
    decision.require(*(react_checks if is_reaction else act_checks)(decision.state, combatant))
    if not command.target:
        others = tuple(other for other in decision.state.order if other != combatant.id)
        raise Refused("target", "choose a target", others, final=True)
    target = decision.combatant(command.target)
    decision.require(*target_checks(combatant, target))
    weapon, needs, damage = numbers_of(combatant, command)
    is_dealt = total_check(command.damage, as_amount(weapon.get("damage")), "ST-28")
    decision.require(reach_check(decision.state, combatant, target, weapon), is_dealt)
    what = command.note or str(weapon.get("name") or "strike")
    if is_reaction:
        spend_reaction(decision, combatant, what, target.id)
    else:
        spend_actions(decision, combatant, 1, what, target.id)
    resolved = partial(entries.StrikeResolved, who=combatant.id, target=target.id)
    if command.hit is not None:
        _resolve_strike(decision, resolved(hit=command.hit), damage)
    elif needs is None:
        question = f"{combatant.name} attacks {target.name}. Did it hit?"
        answer = decision.ask_about(combatant, "outcome", "ST-28", question, "hit", "miss", about=(target.id,))
        if answer.choice:
            # A number given with a hit is the damage.
            decision.require(total_check(answer.amount, damage, "ST-28"))
            damage = answer.amount if answer.amount is not None else damage
            _resolve_strike(decision, resolved(hit=answer.choice == "hit"), damage)
    else:
        dice = command.dice if command.dice != "d20" else str(weapon.get("dice") or "d20")
        total = decision.roll(dice, "attack", combatant.id).total + command.modifier
        chance = chance_of(dice, needs - command.modifier, at_least=True)
        _resolve_strike(decision, resolved(hit=total >= needs, total=total, needs=needs, chance=chance), damage)


def _resolve_strike(decision: Decision, outcome: entries.StrikeResolved, damage: int | str | None) -> None:
    decision.emit(outcome)
    if not outcome.hit:
        return
    is_asked = damage is None
    if damage is None:
        combatant, target = decision.combatant(outcome.who), decision.combatant(outcome.target)
        answer = decision.ask(damage_prompt(combatant, target, "ST-28"))
        if answer is None or answer.choice == "none" or answer.amount is None:
            return
        damage = answer.amount
    amount = throw_amount(decision, damage, "damage", outcome.who)
    if amount or is_asked:
        decision.hurt(outcome.target, amount, "hp", outcome.who)
