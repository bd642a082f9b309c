"""The round (ST-13, ST-18, ST-21): a block of steps for each participant, which begins with an offer."""

from collections.abc import Sequence

from fightcall_engine.kit import effects
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import AgendaChanged, StepBegan
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.systems.turns import events, records
from fightcall_engine.systems.turns.records import clear_progress, settings_of, turn_state

TITLES: tuple[tuple[str, str], ...] = (
    (records.OFFER, "Offer"),
    (records.NEGATIVE, "Negative"),
    (records.COSTS, "Costs"),
    (records.EXPIRIES, "Expiries"),
    (records.POSITIVE, "Positive"),
    (records.ACTING, "Acting"),
    (records.END, "Turn end"),
)
"""The steps of a turn in order (ST-22), after the offer. Their titles are ours, as the rules have none (Q-T6)."""


# The agenda


def block(combatant: Combatant, past_steps: Sequence[Step] = ()) -> tuple[Step, ...]:
    """The steps of a participant's turn. A second turn in a round gets other ids."""
    turns = sum(step.phase == records.OFFER and step.actor == combatant.id for step in past_steps)
    tail = f"{combatant.id}.{turns + 1}" if turns else combatant.id
    return tuple(
        Step(f"{phase}.{tail}", records.TURN, phase, title, combatant.side, combatant.id) for phase, title in TITLES
    )


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
    return end - len(TITLES) + 1


def without_block(state: FightState, combatant_id: str) -> tuple[tuple[Step, ...], int]:
    """The agenda without a participant's block, and the new cursor, which leaves a running block."""
    steps, cursor = state.agenda.steps, state.agenda.cursor
    start = block_of(state, combatant_id)
    if start is None:
        return steps, cursor
    rest = (*steps[:start], *steps[start + len(TITLES) :])
    running = start <= cursor < start + len(TITLES)
    return rest, start - 1 if running else cursor


def without_later_blocks(state: FightState, people: Sequence[str]) -> tuple[Step, ...]:
    """The agenda without the remaining turns of some participants."""
    indexes = {
        at
        for start, combatant_id in later_blocks(state)
        if combatant_id in people
        for at in range(start, start + len(TITLES))
    }
    return tuple(step for at, step in enumerate(state.agenda.steps) if at not in indexes)


def rearrange_round(decision: Decision, steps: Sequence[Step], cursor: int, reason: str) -> None:
    """Replace the steps of the round."""
    decision.emit(AgendaChanged(steps=tuple(steps), cursor=cursor, reason=reason))


def has_turns_after(state: FightState, combatant_id: str) -> bool:
    """ST-17: a combatant who can act has a place after this one in the round; delayers have none of their own."""
    return any(
        other != combatant_id
        and state.combatants[other].able
        and turn_state(state.combatants[other]) not in (records.DELAYED, *records.OVER)
        for _, other in later_blocks(state)
        if other in state.combatants
    )


def with_block_put_off(state: FightState, combatant_id: str) -> tuple[Step, ...]:
    """The agenda with a delayer's block at the end, among other delayers' the best roll first (ST-21)."""
    steps, _ = without_block(state, combatant_id)
    combatant = state.combatants[combatant_id]
    place = len(steps)
    while place > 0:
        actor = state.combatants.get(steps[place - 1].actor)
        if actor is None or turn_state(actor) != records.DELAYED:
            break
        if records.rank_key(actor) >= records.rank_key(combatant):
            break
        place -= len(TITLES)
    return (*steps[:place], *block(combatant, steps), *steps[place:])


def carried_delayers(state: FightState) -> tuple[str, ...]:
    """Q-T5: those who carry a delay into this round, if the setting says so and others are left to act."""
    if settings_of(state).unreturned_delay != "carries":
        return ()
    ids = tuple(combatant.id for combatant in records.delayers(state))
    return ids if len(ids) < len(records.able_participants(state)) else ()


def why_passed_over(state: FightState, combatant_id: str) -> str:
    """Why a participant's place is skipped; empty if a turn is offered, begins or goes on."""
    combatant = state.combatants.get(combatant_id)
    turn = turn_state(combatant) if combatant is not None else records.PASSED
    if turn == records.BEGUN:
        # A combatant who falls in the start steps of its own turn still goes through all of them (Q-T10).
        return ""
    if combatant is None or turn in records.OVER:
        return "no turn left"
    if not combatant.able:
        return "can't act"
    delay_setting = settings_of(state).unreturned_delay if turn == records.DELAYED else None
    return {"carries": "keeps delaying into the next round", "lost": "never stepped in"}.get(str(delay_setting), "")


# Beginning turns


def begin_turn(decision: Decision, start: int, combatant: Combatant) -> None:
    """ST-07, ST-22: begin the turn: refill Action Dice, and run step 1."""
    decision.emit(events.TurnBegan(who=combatant.id, before=turn_state(combatant)))
    clear_progress(decision)
    if settings_of(decision.state).dice_recovered != "after_step_4":
        recover_dice(decision, combatant)
    decision.emit(StepBegan(index=start + 1, phase=records.NEGATIVE, side=combatant.side))


def recover_dice(decision: Decision, combatant: Combatant) -> None:
    """ST-07, Q-T3: refill Action Dice, and Reactions with them."""
    records.refill(decision, events.ActionDiceRecovered, combatant, records.ACTIONS)
    records.refill(decision, events.ReactionsRecovered, combatant, records.REACTIONS)


# Durations


def keeps_time(state: FightState, combatant_id: str) -> bool:
    """Whether a participant's clock runs: they can take turns, or have had one in this round."""
    combatant = state.combatants[combatant_id]
    return combatant.able or turn_state(combatant) in (records.BEGUN, records.DONE)


def has_passed(state: FightState, combatant: Combatant, moment: str) -> bool:
    """Whether the start or the end of a participant's turn has been in this round."""
    past = (records.DONE,) if moment == records.TURN_END else (records.BEGUN, records.DONE)
    return turn_state(combatant) in past


def count_down(decision: Decision, moment: str, owner: str = "") -> None:
    """Count down the effects that are due at a moment, of any clock or only of `owner`'s.

    At the end of the round, this includes those that follow the turns of a combatant who is down and has had none.
    """
    state = decision.state
    for bearer in state.roster:
        due = effects.due(state, bearer, moment, owner)
        decision.emit(*effects.count_down(state, bearer, due, tick_type=events.EffectCounted))
        if moment == records.ROUND_END:
            stopped_effects = effects.effects_on_stopped_clocks(
                state, bearer, records.CLOCKS["own"].values(), keeps_time
            )
            decision.emit(
                *effects.count_down(state, bearer, stopped_effects, tick_type=events.EffectCounted, standing_still=True)
            )
