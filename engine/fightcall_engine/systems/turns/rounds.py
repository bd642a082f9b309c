"""Initiative, the order and the round (ST-12..21): a block of steps for each participant."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from fightcall_engine.kit import agenda
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import AgendaChanged, StepBegan
from fightcall_engine.model.state import Combatant, FightState, Step
from fightcall_engine.systems.turns import entries, records
from fightcall_engine.systems.turns.records import clear_progress, participant_of, scene_of, settings_of, turn_state

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


def roll_initiative(decision: Decision, combatant_id: str, face: int | None = None) -> None:
    """ST-12: d20 + Speed; `face` is the result of the d20 if it was typed."""
    combatant = decision.state.combatants[combatant_id]
    die, speed = (
        decision.roll("d20", f"initiative.{combatant_id}", combatant_id, face).total,
        records.speed_of(combatant),
    )
    before, total = participant_of(combatant).init_roll, die + speed
    decision.emit(
        entries.InitiativeRolled(who=combatant_id, before=before, value=die, die=die, speed=speed, total=total)
    )


def _roll_tie_die(decision: Decision, combatant_id: str) -> None:
    """ST-15: roll a d6 to break a tie."""
    roll = decision.roll("d6", f"tie.{combatant_id}", combatant_id)
    before = _tie_dice(decision, combatant_id)
    decision.emit(entries.TieDieRolled(who=combatant_id, before=before, value=(*before, roll.total), die=roll.total))


def _tie_dice(decision: Decision, combatant_id: str) -> tuple[int, ...]:
    return participant_of(decision.state.combatants[combatant_id]).tie_d6


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
    if settings_of(decision.state).d6_tie == "speed":
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
        if fewest > 0 and settings_of(decision.state).d6_tie == "speed":
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
    if not settings_of(state).delay_persists and not scene_of(state).standing:
        decision.set_facts(standing=state.order)
    decision.emit(entries.OrderChanged(order=after, before=state.order, reason=reason))


def put_before(state: FightState, movers: Sequence[str], offered_id: str) -> tuple[str, ...]:
    """ST-19: the order with some moved directly before the combatant who was offered the turn."""
    rest = [combatant_id for combatant_id in state.order if combatant_id not in movers]
    place = rest.index(offered_id) if offered_id in rest else len(rest)
    return (*rest[:place], *movers, *rest[place:])


def put_last(state: FightState, *movers: str) -> tuple[str, ...]:
    """ST-21: the order with some in the last places."""
    return (*(other for other in state.order if other not in movers), *movers)


def restore_order(decision: Decision) -> None:
    """Q-T4: restore the order if delays last for one round; newcomers keep their neighbours."""
    state = decision.state
    before = scene_of(state).standing
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
    starts = [start for start, combatant_id in later_blocks(state) if combatant_id in people]
    indexes = {start + number for start in starts for number in range(len(TITLES))}
    return tuple(step for at, step in enumerate(state.agenda.steps) if at not in indexes)


def rearrange_round(decision: Decision, steps: Sequence[Step], cursor: int, reason: str) -> None:
    """Replace the steps of the round."""
    decision.emit(AgendaChanged(steps=tuple(steps), cursor=cursor, reason=reason))


def has_turns_after(state: FightState, combatant_id: str) -> bool:
    """ST-17: a combatant who can act has a place after this one in the round; delayers have none of their own."""
    others = records.still_here(state, (other for _, other in later_blocks(state) if other != combatant_id))
    return any(other.able and turn_state(other) not in (records.DELAYED, *records.OVER) for other in others)


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
    decision.emit(entries.TurnBegan(who=combatant.id, before=turn_state(combatant)))
    clear_progress(decision)
    if settings_of(decision.state).dice_recovered != "after_step_4":
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
        due = agenda.due(state, bearer, moment, owner)
        decision.emit(*agenda.count_down(state, bearer, due, tick_type=entries.EffectCounted))
        if moment == records.ROUND_END:
            still = agenda.effects_on_stopped_clocks(state, bearer, records.CLOCKS["own"].values(), keeps_time)
            tick_type = entries.EffectCounted
            decision.emit(*agenda.count_down(state, bearer, still, tick_type=tick_type, standing_still=True))
