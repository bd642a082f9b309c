"""The Full Round: bands begin and end, slots come and go, the Final Phase, Hesitation (AP-10..18, AP-22..28)."""

from fightcall_engine.kit.combatants import change_pool
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.prompts import choices, prompt_for, record_answer, renew_questions
from fightcall_engine.model.commands import Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import RoundBegan, TraitsReset
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step
from fightcall_engine.systems.slots import commands, cycle, events, npcs, prices, queries, upkeep
from fightcall_engine.systems.slots.abilities import abilities
from fightcall_engine.systems.slots.cycle import BAND
from fightcall_engine.systems.slots.interrupts import Deed, interrupting_deeds, lose_work, phase_of_deed
from fightcall_engine.systems.slots.queries import RESERVED, SLOTS
from fightcall_engine.systems.slots.records import ACTIVE, CLOSE, DONE, SPEND, WAITING, encounter_of, fighter_of
from fightcall_engine.systems.slots.settings import settings_of

# Beginning a round and a band


def prepare_round(decision: Decision) -> tuple[Step, ...]:
    """AP-11, AP-15: reset all combatants for the next round, and return its steps."""
    state = decision.state
    for combatant_id in state.combatants:
        decision.set_traits(combatant_id, ap=WAITING, stay="", doing="", done_in="", interrupted=False, lost=0)
    return cycle.round_steps(evolve(decision.state, RoundBegan(number=state.round + 1, steps=())))


def end_stays(decision: Decision) -> None:
    """Q-A3: return to the locked places after Stays for one round, before anybody Stays in the next."""
    state = decision.state
    if settings_of(state).stay_mode == "per_round":
        home = cycle.without_stays(state)
        if home.combatants != state.combatants:
            cycle.order_cycle(decision, cycle.bands(home), "Stay was for one round")


def begin_band(decision: Decision, index: int) -> None:
    """AP-03, AP-14: begin a band's Active Phase; all its PCs gain slots at once."""
    step = decision.state.agenda.steps[index]
    ready, phase_before = cycle.members_gaining_slots(decision.state, step), decision.state.phase
    # AP-26: an earlier answer to a last call is void, since the round has gone on.
    decision.set_facts(last_call="", closer="")
    decision.emit(events.ActivePhaseBegan(index=index, phase=step.phase, side=step.side, band=ready))
    if phase_before:
        _keep_interruptible(decision, phase_before)
    for combatant in queries.npcs(decision.state):
        decision.set_traits(combatant.id, interrupted=False)
    decision.emit(TraitsReset(figures=ready, trait="ap", value=ACTIVE))
    for combatant_id in ready:
        gain_slots(decision, combatant_id)
    if step.phase == "final":
        decision.emit(events.FinalPhaseBegan(figures=ready))
    if index > 0:
        npcs.remind_of_npcs(decision)


def _keep_interruptible(decision: Decision, phase: str) -> None:
    """AP-29: acts of the last band can be interrupted until a combatant does something else."""
    for combatant_id, combatant in decision.state.combatants.items():
        fighter = fighter_of(combatant)
        if fighter.doing and not fighter.done_in:
            decision.set_traits(combatant_id, done_in=phase)


def gain_slots(decision: Decision, combatant_id: str) -> None:
    """AP-12, AP-13: a PC gains its slots of the round."""
    combatant = decision.state.combatants[combatant_id]
    total = queries.slots_per_round(combatant, settings_of(decision.state))
    decision.emit(
        events.SlotsGained(
            who=combatant_id,
            before=queries.slots(combatant).now,
            left=total,
            max=total,
            base=queries.BASE_SLOTS,
            agility=fighter_of(combatant).agility,
            modifiers=queries.modifiers(combatant),
            total=total,
        )
    )
    follow_total(decision, combatant_id)


def follow_total(decision: Decision, combatant_id: str) -> None:
    """AP-12, AP-13: let the maximum of a PC's pools follow the slots of a round; what it has, it keeps (AP-14)."""
    combatant = decision.state.combatants.get(combatant_id)
    if combatant is None or not queries.is_pc(combatant):
        return
    total = queries.slots_per_round(combatant, settings_of(decision.state))
    for name in (SLOTS, RESERVED):
        pool = combatant.pool(name)
        most = max(total, pool.now)
        if name in combatant.pools and pool.max != most:
            event_type = events.SlotTotalChanged
            decision.emit(event_type(who=combatant.id, pool=name, before=pool.now, left=pool.now, max=most))


def open_phase(decision: Decision, combatant_id: str) -> None:
    """AP-14: open a PC's Active Phase while others have theirs; the round goes on, so a last call is void (AP-26)."""
    decision.set_facts(last_call="", closer="")
    decision.set_traits(combatant_id, ap=ACTIVE)
    gain_slots(decision, combatant_id)
    upkeep.count_at_phase(decision, combatant_id, queries.PHASE_START)


# Ending an Active Phase


def end_phase(decision: Decision, combatant_id: str, cause: str) -> None:
    """AP-16, AP-17, AP-25: end a PC's Active Phase; slots left are kept, or lost if nothing can be kept."""
    combatant = decision.state.combatants[combatant_id]
    work = fighter_of(combatant).work
    if work is not None and work.paid_in < decision.state.round:
        lose_work(decision, combatant_id, "nothing was paid for it")
    slots_left, most = queries.slots(combatant).now, queries.slots(combatant).max
    if slots_left and decision.state.phase in ("final", "slow_burn"):
        decision.emit(events.SlotsDiscarded(who=combatant_id, amount=slots_left))
        lose_pool(decision, combatant, SLOTS)
    elif slots_left:
        slots_in_reserve = queries.reserve(combatant).now
        whole = max(most, slots_in_reserve + slots_left)
        decision.emit(events.SlotsConverted(who=combatant_id, before=slots_left, left=0, max=most))
        decision.emit(
            events.SlotsReserved(
                who=combatant_id,
                before=slots_in_reserve,
                left=slots_in_reserve + slots_left,
                max=whole,
                amount=slots_left,
            )
        )
    decision.emit(events.ActivePhaseEnded(who=combatant_id, before=ACTIVE, cause=cause))
    if not queries.actives(decision.state) and not cycle.later_members(decision.state):
        decision.set_facts(closer=combatant_id)
    if _is_other_band_missing(decision.state):
        npcs.remind_of_npcs(decision)


def _is_other_band_missing(state: FightState) -> bool:
    """Whether the first band is over and no later one can act, so that none will ask about NPCs as it begins."""
    is_alone = [step.kind for step in state.agenda.steps].count(BAND) < 2
    if is_alone or state.step is None or state.step.kind != BAND or state.agenda.cursor:
        return False
    return not (queries.actives(state) or cycle.later_members(state) or encounter_of(state).until)


def lose_pool(decision: Decision, combatant: Combatant, pool: str) -> None:
    """AP-25, AP-27: lose all slots of one pool to Hesitation."""
    amount = combatant.pool(pool).now
    if amount:
        decision.emit(change_pool(events.HesitationLost, combatant, pool, 0, amount=amount))


def end_all(decision: Decision, cause: str) -> bool:
    """End the Active Phase of all active PCs; return whether there were any."""
    active = queries.actives(decision.state)
    for combatant in active:
        end_phase(decision, combatant.id, cause)
    return bool(active)


@handles(commands.EndAP)
def end_own_phase(decision: Decision, command: commands.EndAP) -> None:
    """AP-16, AP-17: end a PC's Active Phase at its own wish."""
    combatant = decision.combatant(command.who)
    decision.require(*queries.end_checks(decision.state, combatant))
    if queries.is_active(combatant):
        end_phase(decision, combatant.id, "ended")


@handles(Waive)
def waive(decision: Decision, command: Waive) -> None:
    """Waiving the rest of an Active Phase ends it."""
    if command.who:
        end_own_phase(decision, commands.EndAP(who=command.who))
        return
    active = [other for other in queries.actives(decision.state) if not command.side or other.side == command.side]
    if not active:
        raise Refused("AP-17", "no Active Phase is running", ("advance",), final=True)
    for combatant in active:
        end_phase(decision, combatant.id, "ended")


# Closing a band and the round


def reserve_users(state: FightState) -> tuple[str, ...]:
    """Q-A16: the ids of those whose reserve pays for anything: moving, an unlisted act, or one the sheet allows.

    Not the one who closes the round: the end of that Active Phase ends it at once (AP-26, L11).
    An interrupt is priced by the phase of its aim, and may be cheaper than all else now (AP-29).
    """
    lowest_price = prices.price_of_slots(state, 1, RESERVED).total
    names = []
    for combatant in queries.holders(state):
        usable = [entry for entry in abilities(combatant) if entry.is_usable_from_reserve]
        cheapest = min((lowest_price, *(prices.price_of(state, entry, RESERVED).total for entry in usable)))
        can_pay = cheapest <= queries.reserve(combatant).now or bool(_affordable_interrupts(state, combatant))
        if combatant.able and can_pay and combatant.id != encounter_of(state).closer:
            names.append(combatant.id)
    return tuple(names)


def _affordable_interrupts(state: FightState, combatant: Combatant) -> list[Deed]:
    """AP-29: the interrupts on the sheet that a PC's slots pay for now."""
    pool = prices.pool_of(combatant)
    usable = [entry for entry in abilities(combatant) if not (entry.init_only or entry.partners)]
    return [
        deed
        for entry in usable
        if combatant.pool(pool).now and (pool == SLOTS or entry.from_reserve)
        for deed in interrupting_deeds(state, combatant, entry, pool)
        if prices.affordable_check(combatant, prices.price_of(state, entry, pool, phase_of_deed(state, deed))).holds
    ]


def _can_be_averted(state: FightState, fallen: Combatant) -> bool:
    """AP-29: whether an act that has harmed a combatant can still be interrupted, which takes the harm back."""
    harmed_by = {other.id for other in state.roster if queries.has_harmed(other, fallen.id)}
    others = [other for other in queries.pcs(state) if other.able and harmed_by]
    return any(deed.target in harmed_by for other in others for deed in _affordable_interrupts(state, other))


def settle_band(decision: Decision, step: Step) -> None:
    """AP-18, AP-26: end the next Active Phase that is over; if none is running, ask the last call that is due."""
    active = queries.actives(decision.state)
    for combatant in active:
        is_out = not combatant.able and not fighter_of(combatant).keep_place
        if is_out and not _can_be_averted(decision.state, combatant):
            end_phase(decision, combatant.id, "down")
            return
        if queries.slots(combatant).now == 0:
            end_phase(decision, combatant.id, "spent")
            return
    call = last_call_prompt(decision.state)
    if not active and call and _owes_last_call(decision.state, step) and not encounter_of(decision.state).last_call:
        decision.spawn(_ask_last_call, call)


def is_band_over(state: FightState, step: Step) -> bool:
    """Whether all of a band are done, with no last call and no question about NPCs to come."""
    return not (queries.actives(state) or _owes_last_call(state, step) or _is_npc_asked(state, step))


def _is_npc_asked(state: FightState, step: Step) -> bool:
    """AP-05: whether the round is about to close and it is still open whether an NPC acts."""
    is_last = step.kind == BAND and not cycle.later_members(state)
    return is_last and bool(queries.idle_npcs(state)) and any(prompt.kind == "npc" for prompt in state.prompts)


def _owes_last_call(state: FightState, step: Step) -> bool:
    """AP-26: whether the round closes with this band while a combatant could still use reserves."""
    last = step.kind == BAND and not cycle.later_members(state) and encounter_of(state).last_call != CLOSE
    return last and bool(reserve_users(state))


def last_call_prompt(state: FightState) -> Prompt | None:
    """AP-26: the question whether those with reserves use them first; None if nobody can."""
    people = [state.combatants[combatant_id] for combatant_id in reserve_users(state)]
    if not people:
        return None
    holders = ", ".join(f"{combatant.name} {queries.reserve(combatant).now}" for combatant in people)
    price_note = " (prices x4)" if queries.is_final(state) else ""
    # With a single band there is no question between bands whether NPCs act; this one names them.
    idle = [combatant.name for combatant in queries.idle_npcs(state)] if len(cycle.bands(state)) < 2 else []
    unacted = f" Still to act: {list_names(idle)}." if idle else ""
    return prompt_for(
        None,
        kind="last_call",
        question=f"Close the Full Round? Last call for reserves{price_note}: {holders}.{unacted}",
        rule="AP-26",
        choices=choices(CLOSE, f"{SPEND}:spend first"),
        default=CLOSE,
    )


def _ask_last_call(decision: Decision, prompt: Prompt) -> None:
    """AP-26: close the round, or wait until reserves are spent or the GM goes on."""
    answer = decision.ask(prompt)
    if answer is not None:
        decision.set_facts(last_call=SPEND if answer.choice == SPEND else CLOSE)


def renew_last_call(decision: Decision) -> None:
    """AP-26: bring the last call up to date; close it if nobody could act any more, or if the round goes on."""
    state = decision.state
    is_over = not (queries.actives(state) or cycle.later_members(state))
    call = last_call_prompt(state) if is_over else None
    why = "the reserves have changed" if call else "no one has enough left" if is_over else "the round continues"
    decision.emit(*renew_questions(state, why, {"last_call": lambda _, __: call}))


def close_by_gm(decision: Decision) -> None:
    """End all Active Phases of the running band; if play waits for reserves to be spent, close the round."""
    if not end_all(decision, "closed") and encounter_of(decision.state).last_call == SPEND:
        decision.set_facts(last_call=CLOSE)


def lose_all_slots(decision: Decision) -> None:
    """AP-26..28: lose all slots left as the round closes, and let offers lapse."""
    # Only a number typed by the GM leaves Action Slots to a PC whose Active Phase is over.
    for combatant in queries.pcs(decision.state):
        lose_pool(decision, combatant, SLOTS)
        lose_pool(decision, combatant, RESERVED)
    for prompt in decision.state.prompts:
        if prompt.kind in ("npc", "last_call", "dropout"):
            decision.emit(record_answer(prompt, prompt.default, default=True, note=queries.UNASKED))
    decision.set_facts(last_call="", closer="")


def has_begun(combatant: Combatant) -> bool:
    """Whether a PC's Active Phase of this round has begun or is over."""
    return fighter_of(combatant).ap != WAITING


def is_done(combatant: Combatant) -> bool:
    """Whether a PC's Active Phase of this round is over."""
    return fighter_of(combatant).ap == DONE
