"""The round: one block of steps a participant, offers in their order, and its end (ST-06, ST-08, ST-13, ST-21)."""

from collections.abc import Sequence

from fightcall_engine.kit import effects as lasting
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt, Step
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns import order

TITLES: tuple[tuple[str, str], ...] = (
    (fg.OFFER, "Offer"),
    (fg.NEGATIVE, "Negative"),
    (fg.COSTS, "Costs"),
    (fg.EXPIRIES, "Expiries"),
    (fg.POSITIVE, "Positive"),
    (fg.ACTING, "Acting"),
    (fg.END, "Turn end"),
)
"""The steps of a turn, always in this order (ST-22), the offer before them. The text has lost their titles (Q-T6)."""

LEAST_S, MOST_S = 30, 60
"""ST-08: seconds of a round."""


# The agenda


def block(combatant: Combatant, taken: Sequence[Step] = ()) -> tuple[Step, ...]:
    """The steps of one participant's turn; a second turn in a round gets ids of its own."""
    turns = sum(step.phase == fg.OFFER and step.actor == combatant.id for step in taken)
    tail = f"{combatant.id}.{turns + 1}" if turns else combatant.id
    return tuple(
        Step(f"{phase}.{tail}", fg.TURN, phase, title, combatant.side, combatant.id) for phase, title in TITLES
    )


def block_end(state: FightState) -> int:
    """The index of the running block's last step, -1 before the first block."""
    steps, cursor = state.agenda.steps, state.agenda.cursor
    if cursor < 0:
        return -1
    return next((at for at in range(cursor, len(steps)) if steps[at].phase == fg.END), len(steps) - 1)


def ahead(state: FightState) -> tuple[tuple[int, str], ...]:
    """The blocks still to come: where each begins, and whose it is."""
    steps = state.agenda.steps
    return tuple((at, steps[at].actor) for at in range(block_end(state) + 1, len(steps)) if steps[at].phase == fg.OFFER)


def block_of(state: FightState, combatant_id: str) -> int | None:
    """Where somebody's block begins, the running one included; None where it has none to come."""
    start = block_start(state)
    if start is not None and state.agenda.steps[start].actor == combatant_id:
        return start
    return next((at for at, other in ahead(state) if other == combatant_id), None)


def block_start(state: FightState) -> int | None:
    """The index of the running block's offer; None before the first block and after the last."""
    if state.step is None or not fg.in_rounds(state):
        return None
    end = block_end(state)
    return end - len(TITLES) + 1


def without(state: FightState, combatant_id: str) -> tuple[tuple[Step, ...], int]:
    """The agenda without somebody's block, and where the cursor then stands: a running block is left."""
    steps, cursor = state.agenda.steps, state.agenda.cursor
    start = block_of(state, combatant_id)
    if start is None:
        return steps, cursor
    rest = (*steps[:start], *steps[start + len(TITLES) :])
    running = start <= cursor < start + len(TITLES)
    return rest, start - 1 if running else cursor


def without_ahead(state: FightState, people: Sequence[str]) -> tuple[Step, ...]:
    """The agenda without what is still to come of some people's turns."""
    gone = {
        at for start, combatant_id in ahead(state) if combatant_id in people for at in range(start, start + len(TITLES))
    }
    return tuple(step for at, step in enumerate(state.agenda.steps) if at not in gone)


def rearrange_round(state: FightState, steps: Sequence[Step], cursor: int, reason: str) -> ev.Events:
    """The event that makes these the steps of the round."""
    return (ev.AgendaChanged(steps=tuple(steps), cursor=cursor, reason=reason),)


def someone_later(state: FightState, combatant_id: str) -> bool:
    """ST-17: somebody who can act has a place after this one in the round; delayers have none of their own."""
    return any(
        other != combatant_id
        and state.combatants[other].able
        and fg.text_trait(state.combatants[other], "turn") not in (fg.DELAYED, *fg.OVER)
        for _, other in ahead(state)
        if other in state.combatants
    )


def put_off(state: FightState, combatant_id: str) -> tuple[Step, ...]:
    """The agenda with a delayer's block at the end, among other delayers' the best roll first (ST-21)."""
    steps, _ = without(state, combatant_id)
    combatant = state.combatants[combatant_id]
    place = len(steps)
    while place > 0:
        actor = state.combatants.get(steps[place - 1].actor)
        delayed = actor is not None and fg.text_trait(actor, "turn") == fg.DELAYED
        if not delayed or actor is None or fg.standing(actor) >= fg.standing(combatant):
            break
        place -= len(TITLES)
    return (*steps[:place], *block(combatant, steps), *steps[place:])


# Rounds


def begin_round(state: FightState, number: int) -> ev.Events:
    """ST-06, ST-13: offers from the highest to the lowest; everybody waits for a turn."""
    carried = _carried_delayers(state)
    people = [combatant for combatant in fg.in_order(state) if combatant.id not in carried]
    steps = [
        step
        for combatant in (*people, *(state.combatants[combatant_id] for combatant_id in carried))
        for step in block(combatant)
    ]
    return (
        ev.RoundBegan(number=number, steps=tuple(steps)),
        *(event for combatant in fg.in_order(state) for event in count_down(state, combatant, fg.ROUND_START)),
        *fg.reset(people, "turn", fg.WAITING),
        *fg.set_fact(state, "settled", ""),
    )


def _carried_delayers(state: FightState) -> tuple[str, ...]:
    """Q-T5: who carries a delay into this round, if the setting has it so and anybody else is left to act."""
    if state.settings.get("unreturned_delay") != "carries":
        return ()
    found = tuple(combatant.id for combatant in fg.delayers(state))
    return found if len(found) < len(fg.able(state)) else ()


def open_next(state: FightState) -> ev.Events:
    """The next offer: the first in the agenda who waits for a turn and can act. After the last, the round ends."""
    course = Decision(state)
    for start, combatant_id in ahead(state):
        combatant = course.state.combatants.get(combatant_id)
        turn = fg.text_trait(combatant, "turn") if combatant is not None else fg.PASSED
        end = start + len(TITLES) - 1
        if combatant is None or turn in fg.OVER:
            course.emit(_skip_step(course.state, end, "no turn left"))
        elif not combatant.able:
            passed = tev.TurnPassed(who=combatant_id, before=turn, cause="cannot act")
            course.emit(_skip_step(course.state, end, "cannot act"), passed)
        elif turn == fg.STEPPING:
            course.emit(*begin_turn(course.state, start, combatant))
            return course.events
        elif turn == fg.DELAYED and state.settings.get("unreturned_delay") == "carries":
            course.emit(_skip_step(course.state, end, "carries the delay over"))
        elif turn == fg.DELAYED and state.settings.get("unreturned_delay") == "lost":
            lost = tev.TurnForfeited(who=combatant_id, before=turn, cause="never stepped in")
            course.emit(_skip_step(course.state, end, "never stepped in"), lost)
            course.emit(
                *order.change_order(course.state, order.put_last(course.state, combatant_id), "never stepped in")
            )
        else:
            course.emit(*_offer_turn(course.state, start, combatant, last=turn == fg.DELAYED))
            return course.events
    return (*course.events, *end_round(course.state))


def _skip_step(state: FightState, index: int, reason: str) -> ev.StepSkipped:
    step = state.agenda.steps[index]
    return ev.StepSkipped(index=index, phase=fg.OFFER, side=step.side, reason=reason)


def _offer_turn(state: FightState, start: int, combatant: Combatant, last: bool) -> ev.Events:
    offered = tev.TurnOffered(index=start, phase=fg.OFFER, side=combatant.side, who=combatant.id, last=last)
    others = [other for other in fg.delayers(state) if other.id != combatant.id]
    asking = [ev.RulingAsked(prompt=last_prompt(combatant))] if last else []
    asking += [ev.RulingAsked(prompt=step_in_prompt(combatant, others))] if others else []
    return (offered, *asking)


def step_in_prompt(combatant: Combatant, others: Sequence[Combatant]) -> Prompt:
    """ST-18: who delays may come back before the one that is offered."""
    people = (Choice(other.id, f"{other.name} steps in", other.label.lower()) for other in others)
    names = " or ".join(other.name for other in others)
    return Prompt(
        id="",
        kind="step_in",
        question=f"{combatant.name} is about to go. Does {names} step in?",
        rule="ST-18",
        choices=(Choice("nobody", "nobody", "-"), *people),
        default="nobody",
        blocking=False,
        data={"about": combatant.id},
    )


def last_prompt(combatant: Combatant) -> Prompt:
    """ST-21: who never stepped in has the last place, or lets it go."""
    return Prompt(
        id="",
        kind="last_offer",
        question=f"{combatant.name} has delayed to the end: does {combatant.name} act now?",
        rule="ST-21",
        choices=choices("act", "forfeit"),
        default="act",
        who=combatant.id,
        side=combatant.side,
    )


def begin_turn(state: FightState, start: int, combatant: Combatant) -> ev.Events:
    """ST-07, ST-22: the turn begins, the dice come back, and step 1 runs."""
    began = tev.TurnBegan(who=combatant.id, before=fg.text_trait(combatant, "turn"))
    early = recover_dice(combatant) if state.settings.get("dice_recovered") != "after_step_4" else ()
    step = ev.StepBegan(index=start + 1, phase=fg.NEGATIVE, side=combatant.side)
    return (began, *fg.set_fact(state, "settled", ""), *early, step)


def recover_dice(combatant: Combatant) -> ev.Events:
    """ST-07, Q-T3: all Action Dice, and the Reactions with them."""
    dice, reactions = fg.actions(combatant), combatant.pool(fg.REACTIONS)
    return (
        tev.ActionDiceRecovered(who=combatant.id, before=dice.now, left=dice.max, max=dice.max),
        tev.ReactionsRecovered(who=combatant.id, before=reactions.now, left=reactions.max, max=reactions.max),
    )


def end_round(state: FightState) -> ev.Events:
    """ST-06, ST-08: everybody has had a turn: the round closes, the clock moves, and the next round begins."""
    course = Decision(state)
    course.emit(ev.RoundEnded(number=state.round))
    for combatant in fg.in_order(state):
        course.emit(*count_down(course.state, combatant, fg.ROUND_END))
    course.emit(ev.ClockAdvanced(seconds=LEAST_S, total=course.state.clock_s + LEAST_S))
    spare = fg.number_fact(course.state, "clock_spare_s")
    more = spare + MOST_S - LEAST_S
    course.emit(tev.ClockRangeAdvanced(before=spare, value=more, least_s=LEAST_S, most_s=MOST_S))
    course.emit(*order.restore_order(course.state))
    if fg.able(course.state):
        course.emit(*begin_round(course.state, state.round + 1))
    else:
        course.emit(ev.RulingAsked(prompt=stalled_prompt()))
    return course.events


def count_down(state: FightState, combatant: Combatant, ticks: str, clock: str = "") -> ev.Events:
    """The durations on one participant that follow this moment, of anybody or of `clock`, drop by one; some end.

    At the end of the round those drop too that follow the turns of somebody who is down and has had none.
    """
    caused = lasting.count_down(state, combatant, lasting.due(state, combatant, ticks, clock), ticked=tev.EffectCounted)
    if ticks != fg.ROUND_END:
        return caused
    still = lasting.effects_on_stopped_clocks(state, combatant, fg.CLOCKS["own"].values(), fg.keeps_time)
    return (*caused, *lasting.count_down(state, combatant, still, ticked=tev.EffectCounted, standing_still=True))


def stalled_prompt() -> Prompt:
    """Rounds without anybody to act would go on for ever."""
    return Prompt(
        id="",
        kind="stalled",
        question="Nobody can act any more. Is the Scene over?",
        rule="ST-06",
        choices=choices("close:yes, close it", "stay:not yet"),
        default="close",
    )
