"""The Cycle and the Full Round: bands, slots, the Final Phase, Hesitation (AP-02, AP-10..18, AP-22..28)."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby

from fightcall_engine.kit.decision import Decision, choices, prompt_for, record_answer, renew_questions
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.phrases import list_names
from fightcall_engine.kit.records import change_pool
from fightcall_engine.model.commands import Waive
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import AgendaChanged, RoundBegan, TraitsReset
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.state import Combatant, FightState, Prompt, Step
from fightcall_engine.model.values import remembered
from fightcall_engine.systems.slots import entries, records, upkeep, works
from fightcall_engine.systems.slots.ongoing import Deed, interrupting_deeds, lose_work, phase_of_deed
from fightcall_engine.systems.slots.records import (
    ACTIVE,
    CLOSE,
    RESERVED,
    SLOTS,
    SPEND,
    WAITING,
    abilities,
    encounter_of,
    fighter_of,
    settings_of,
)

Bands = tuple[tuple[str, ...], ...]
BAND, CLOSING, UPKEEP, VOLUNTEER = "band", "close", "upkeep", "volunteer"


# Bands


@remembered
def bands(state: FightState) -> Bands:
    """The ids of the PCs in the Cycle, by band, from first to last."""
    return _bands_by(state, lambda fighter: fighter.place or None)


def _bands_by(state: FightState, rank: Callable[[records.Fighter], int | None]) -> Bands:
    """The PCs with a rank, by rising rank; those of the same rank share a band."""
    ranks = [(rank(fighter_of(combatant)), combatant.id) for combatant in records.pcs(state)]
    ranked = sorted(((number, name) for number, name in ranks if number is not None), key=lambda each: each[0])
    return tuple(tuple(name for _, name in band) for _, band in groupby(ranked, key=lambda each: each[0]))


def bands_by_result(state: FightState) -> Bands:
    """AP-02, AP-03: the PCs from the highest result to the lowest; equal results share a band."""
    return _bands_by(state, lambda fighter: None if fighter.awareness is None else -fighter.awareness)


def band_of(listed_bands: Bands, combatant_id: str) -> int:
    """The index of a PC's band, or -1."""
    return next((index for index, band in enumerate(listed_bands) if combatant_id in band), -1)


def band_names(state: FightState, band: Sequence[str]) -> str:
    """The names of a band, such as ``Ivo + Mara``."""
    return " + ".join(state.combatants[combatant_id].name for combatant_id in band if combatant_id in state.combatants)


def order_cycle(decision: Decision, new_bands: Bands, reason: str) -> None:
    """AP-02: list the Cycle in this order, and change the places that differ."""
    for place, band in enumerate(new_bands, 1):
        people = decision.state.combatants
        movers = tuple(each for each in band if fighter_of(people[each]).place != place)
        if movers:
            decision.emit(entries.BandFormed(figures=movers, value=place))
    first = [combatant_id for band in new_bands for combatant_id in band]
    rest = [combatant.id for combatant in decision.state.roster if combatant.id not in first]
    decision.emit(entries.CycleOrdered(order=(*first, *rest), bands=new_bands, reason=reason))


def with_newcomer(state: FightState, bands_now: Bands, combatant_id: str) -> Bands:
    """Q-A26: the bands with a newcomer placed by result; the others keep their order."""
    others = without(bands_now, combatant_id)
    result = _result(state, combatant_id)
    for index, band in enumerate(others):
        best = max(_result(state, name) for name in band)
        if best == result:
            return (*others[:index], (*band, combatant_id), *others[index + 1 :])
        if best < result:
            return (*others[:index], (combatant_id,), *others[index:])
    return (*others, (combatant_id,))


def place_newcomer(decision: Decision, combatant_id: str, reason: str) -> None:
    """Q-A26, AP-07: give a newcomer its place, among the locked places too."""
    order_cycle(decision, with_newcomer(decision.state, bands(decision.state), combatant_id), reason)
    locked_bands = _bands_by(decision.state, lambda fighter: fighter.home or None)
    record_homes(decision, with_newcomer(decision.state, locked_bands, combatant_id))


def without(bands_now: Bands, combatant_id: str) -> Bands:
    """The bands without a PC."""
    rest = (tuple(name for name in band if name != combatant_id) for band in bands_now)
    return tuple(band for band in rest if band)


def _result(state: FightState, combatant_id: str) -> int:
    return fighter_of(state.combatants[combatant_id]).awareness or 0


def place_stayer(
    state: FightState, bands_now: Bands, combatant_id: str, band: tuple[str, ...], together: bool
) -> Bands:
    """AP-06: the bands with a PC directly after another band, or in it (`together`)."""
    rest = list(without(bands_now, combatant_id))
    index = rest.index(tuple(name for name in band if name != combatant_id))
    if together:
        mates = (*rest[index], combatant_id)
        rest[index] = tuple(sorted(mates, key=lambda name: -_result(state, name)))
    else:
        rest.insert(index + 1, (combatant_id,))
    return tuple(rest)


def arrange_bands(state: FightState) -> Bands:
    """AP-02, AP-06, Q-A22: the bands by result, with the Stays applied in the order of their declaration."""
    order = bands_by_result(state)
    stayers = [(combatant.id, fighter_of(combatant)) for combatant in records.pcs(state) if fighter_of(combatant).stay]
    for combatant_id, fighter in sorted(stayers, key=lambda pair: pair[1].stay_number):
        own_index, goal = band_of(order, combatant_id), band_of(order, fighter.stay)
        if goal >= 0 and own_index >= 0 and starts_later(order, combatant_id, goal, together=fighter.stay_together):
            order = place_stayer(state, order, combatant_id, order[goal], fighter.stay_together)
    return order


def starts_later(listed_bands: Bands, combatant_id: str, goal: int, *, together: bool) -> bool:
    """AP-06: whether moving directly after the band at `goal`, or into it (`together`), makes a PC start later."""
    own_index = band_of(listed_bands, combatant_id)
    alone = len(listed_bands[own_index]) == 1 if own_index >= 0 else True
    return goal > own_index or (goal == own_index and not alone and not together)


# The steps of a round


def step_band(state: FightState, step: Step) -> tuple[str, ...]:
    """The present members of the band that a step stands for."""
    if step.kind == VOLUNTEER:
        return tuple(combatant.id for combatant in records.pcs(state))
    named = frozenset(step.members)
    return next((band for band in bands(state) if not named.isdisjoint(band)), ())


def members_gaining_slots(state: FightState, step: Step) -> tuple[str, ...]:
    """AP-14, AP-48: the ids of those who gain slots as a step begins; in Slow Burn all able PCs."""
    if step.kind == VOLUNTEER:
        return tuple(combatant.id for combatant in records.pcs(state) if combatant.able)
    return members_to_act(state, step)


def members(state: FightState, step: Step) -> tuple[str, ...]:
    """The ids of those in a step's band who have an Active Phase in this round."""
    people = state.combatants
    return tuple(each for each in step_band(state, step) if records.is_in_round(state, people[each]))


def members_to_act(state: FightState, step: Step) -> tuple[str, ...]:
    """AP-15: the ids of those in a step's band whose Active Phase of this round is still to come."""
    people = state.combatants
    return tuple(each for each in step_band(state, step) if records.awaits_phase(state, people[each]))


def _band_steps(state: FightState, listed_bands: Sequence[Sequence[str]], *, is_under_way: bool = False) -> list[Step]:
    """AP-22: the steps of these bands; the last that can act is the Final Phase.

    A single band has no Final Phase (Q-A2), unless others have acted before it in this round (`is_under_way`).
    """
    # The first slots of a newcomer may come later (Q-A26).
    people, number = state.combatants, max(state.round, 1)
    here = [tuple(each for each in band if fighter_of(people[each]).from_round <= number) for band in listed_bands]
    here = [band for band in here if band]
    able = [band for band in here if any(records.awaits_phase(state, people[each]) for each in band)]
    several = is_under_way or len(able) >= 2 or settings_of(state).final_single_band == "on"
    last = able[-1] if able and several else None
    steps = []
    for band in here:
        step_id, title = f"band.{'+'.join(band)}", band_names(state, band)
        actor = band[0] if len(band) == 1 and band is not last else ""
        side = people[actor].side if actor else ""
        phase, title = ("final", f"Final: {title}") if band is last else ("active", title)
        steps.append(Step(step_id, BAND, phase, title, side, actor, band))
    return steps


def update_agenda(decision: Decision) -> bool:
    """Update the steps of the round to who can act now and where their places are; return whether they have changed.

    Past steps and the running one do not change (Q-A7: a band's Final Phase is settled as its Active Phase begins).
    A PC who waits at a place that is past, which only a ruling can cause, comes next, so that no Active Phase is lost.
    """
    state = decision.state
    steps, cursor = state.agenda.steps, state.agenda.cursor
    if not 0 <= cursor < len(steps) or steps[cursor].kind != BAND:
        return False
    past_steps = steps[: cursor + 1]
    # A newcomer who shares the running place has begun with it.
    running_band = (state.combatants[combatant_id] for combatant_id in step_band(state, steps[cursor]))
    joined = {combatant.id for combatant in running_band if fighter_of(combatant).ap != WAITING}
    past_members = ids_reached(state) | joined
    ahead = [tuple(combatant_id for combatant_id in band if combatant_id not in past_members) for band in bands(state)]
    rest = tuple(step for step in steps if step.kind in (CLOSING, UPKEEP))
    new_steps = (*past_steps, *_band_steps(state, ahead, is_under_way=True), *rest)
    if new_steps == steps:
        return False
    decision.emit(AgendaChanged(steps=new_steps, cursor=cursor, reason="who can act has changed"))
    return True


def ids_reached(state: FightState) -> frozenset[str]:
    """The ids of those whose place in this round has been reached, whether they have acted or been skipped."""
    past_steps = state.agenda.steps[: state.agenda.cursor + 1]
    return frozenset(combatant_id for step in past_steps for combatant_id in step.members)


@remembered
def later_members(state: FightState) -> tuple[str, ...]:
    """The ids of those whose Active Phase of this round is in a later step."""
    ahead = state.agenda.steps[state.agenda.cursor + 1 :]
    return tuple(combatant_id for step in ahead if step.kind == BAND for combatant_id in members_to_act(state, step))


# Locking the Cycle


def lock(decision: Decision) -> None:
    """AP-07, AP-09: lock the places of the Cycle."""
    locked_bands = bands(decision.state)
    record_homes(decision, locked_bands)
    decision.emit(entries.CycleLocked(before=False, bands=locked_bands))


def record_homes(decision: Decision, locked_bands: Bands) -> None:
    """Record the locked places, to which a Stay for one round returns (Q-A3)."""
    for place, band in enumerate(locked_bands, 1):
        people = decision.state.combatants
        movers = tuple(each for each in band if fighter_of(people[each]).home != place)
        if movers:
            decision.emit(TraitsReset(figures=movers, trait="home", value=place))


# Beginning a round and a band


def prepare_round(decision: Decision) -> tuple[Step, ...]:
    """AP-11, AP-15: reset all combatants for the next round, and return its steps."""
    state = decision.state
    for combatant_id in state.combatants:
        decision.set_traits(combatant_id, ap=WAITING, stay="", doing="", done_in="", interrupted=False, lost=0)
    state = evolve(decision.state, RoundBegan(number=state.round + 1, steps=()))
    if records.is_slow_burn(state) and settings_of(state).slow_burn_order == "together":
        first = [Step(VOLUNTEER, VOLUNTEER, "slow_burn", "Slow Burn")]
    else:
        first = _band_steps(state, bands(state))
    return (*first, Step(CLOSING, CLOSING, "close", "Hesitation"), Step(UPKEEP, UPKEEP, "upkeep", "Upkeep"))


def end_stays(decision: Decision) -> None:
    """Q-A3: return to the locked places after Stays for one round, before anybody Stays in the next."""
    state = decision.state
    away = [each for each in map(fighter_of, records.pcs(state)) if each.home and each.place != each.home]
    if away and settings_of(state).stay_mode == "per_round":
        home = _bands_by(state, lambda fighter: fighter.home or fighter.place or None)
        order_cycle(decision, home, "Stay was for one round")


def begin_band(decision: Decision, index: int) -> None:
    """AP-03, AP-14: begin a band's Active Phase; all its PCs gain slots at once."""
    step = decision.state.agenda.steps[index]
    ready, phase_before = members_gaining_slots(decision.state, step), decision.state.phase
    # AP-26: an earlier answer to a last call is void, since the round has gone on.
    decision.set_facts(last_call="", closer="")
    decision.emit(entries.ActivePhaseBegan(index=index, phase=step.phase, side=step.side, band=ready))
    if phase_before:
        # AP-29: acts of the last band can be interrupted until a combatant does something else.
        for combatant_id, combatant in decision.state.combatants.items():
            if fighter_of(combatant).doing and not fighter_of(combatant).done_in:
                decision.set_traits(combatant_id, done_in=phase_before)
    for combatant in records.npcs(decision.state):
        if fighter_of(combatant).interrupted:
            decision.set_traits(combatant.id, interrupted=False)
    decision.emit(TraitsReset(figures=ready, trait="ap", value=ACTIVE))
    for combatant_id in ready:
        gain_slots(decision, combatant_id)
    if step.phase == "final":
        decision.emit(entries.FinalPhaseBegan(figures=ready))
    if index > 0:
        works.remind_of_npcs(decision)


def gain_slots(decision: Decision, combatant_id: str) -> None:
    """AP-12, AP-13: a PC gains its slots of the round."""
    combatant = decision.state.combatants[combatant_id]
    total = records.slots_per_round(combatant, settings_of(decision.state))
    gain = partial(entries.SlotsGained, who=combatant_id, before=combatant.pool(SLOTS).now, left=total, max=total)
    agility, modifiers = fighter_of(combatant).agility, records.modifiers(combatant)
    decision.emit(gain(base=records.BASE_SLOTS, agility=agility, modifiers=modifiers, total=total))
    follow_total(decision, combatant_id)


def follow_total(decision: Decision, combatant_id: str) -> None:
    """AP-12, AP-13: let the maximum of a PC's pools follow the slots of a round; what it has, it keeps (AP-14)."""
    combatant = decision.state.combatants.get(combatant_id)
    if combatant is None or not records.is_pc(combatant):
        return
    total = records.slots_per_round(combatant, settings_of(decision.state))
    for name in (SLOTS, RESERVED):
        pool = combatant.pool(name)
        most = max(total, pool.now)
        if name in combatant.pools and pool.max != most:
            event_type = entries.SlotTotalChanged
            decision.emit(event_type(who=combatant.id, pool=name, before=pool.now, left=pool.now, max=most))


def open_phase(decision: Decision, combatant_id: str) -> None:
    """AP-14: open a PC's Active Phase while others have theirs; the round goes on, so a last call is void (AP-26)."""
    decision.set_facts(last_call="", closer="")
    decision.set_traits(combatant_id, ap=ACTIVE)
    gain_slots(decision, combatant_id)
    upkeep.count_at_phase(decision, combatant_id, records.PHASE_START)


# Ending an Active Phase


def end_phase(decision: Decision, combatant_id: str, cause: str) -> None:
    """AP-16, AP-17, AP-25: end a PC's Active Phase; slots left are kept, or lost if nothing can be kept."""
    combatant = decision.state.combatants[combatant_id]
    work = fighter_of(combatant).work
    if work is not None and work.paid_in < decision.state.round:
        lose_work(decision, combatant_id, "nothing was paid for it")
    slots_left, most = combatant.pool(SLOTS).now, combatant.pool(SLOTS).max
    if slots_left and decision.state.phase in ("final", "slow_burn"):
        decision.emit(entries.SlotsDiscarded(who=combatant_id, amount=slots_left))
        lose_pool(decision, combatant, SLOTS)
    elif slots_left:
        before = combatant.pool(RESERVED).now
        after, top = before + slots_left, max(most, before + slots_left)
        decision.emit(entries.SlotsConverted(who=combatant_id, before=slots_left, left=0, max=most))
        decision.emit(entries.SlotsReserved(who=combatant_id, before=before, left=after, max=top, amount=slots_left))
    decision.emit(entries.ActivePhaseEnded(who=combatant_id, before=ACTIVE, cause=cause))
    if not records.actives(decision.state) and not later_members(decision.state):
        decision.set_facts(closer=combatant_id)
    state = decision.state
    goes_on = records.actives(state) or later_members(state) or encounter_of(state).until
    is_first_of_several = state.agenda.cursor == 0 and [step.kind for step in state.agenda.steps].count(BAND) > 1
    if is_first_of_several and state.agenda.steps[0].kind == BAND and not goes_on:
        # No later band will ask about NPCs as it begins.
        works.remind_of_npcs(decision)


def lose_pool(decision: Decision, combatant: Combatant, pool: str) -> None:
    """AP-25, AP-27: lose all slots of one pool to Hesitation."""
    amount = combatant.pool(pool).now
    if amount:
        decision.emit(change_pool(entries.HesitationLost, combatant, pool, 0, amount=amount))


def end_all(decision: Decision, cause: str, side: str = "") -> bool:
    """End the Active Phase of all active PCs, or of those of a side; return whether there were any."""
    active = [other for other in records.actives(decision.state) if side in ("", other.side)]
    for combatant in active:
        end_phase(decision, combatant.id, cause)
    return bool(active)


@handles(entries.EndAP)
def end_own_phase(decision: Decision, command: entries.EndAP) -> None:
    """AP-16, AP-17: end a PC's Active Phase at its own wish."""
    combatant = decision.combatant(command.who)
    decision.require(*records.end_checks(decision.state, combatant))
    if records.is_active(combatant):
        end_phase(decision, combatant.id, "ended")


@handles(Waive)
def waive(decision: Decision, command: Waive) -> None:
    """Waiving the rest of an Active Phase ends it."""
    if command.who:
        end_own_phase(decision, entries.EndAP(who=command.who))
    elif not end_all(decision, "ended", command.side):
        raise Refused("AP-17", "no Active Phase is running", ("advance",), final=True)


# Closing a band and the round


def reserve_users(state: FightState) -> tuple[str, ...]:
    """Q-A16: the ids of those whose reserve pays for anything: moving, an unlisted act, or one the sheet allows.

    Not the one who closes the round: the end of that Active Phase ends it at once (AP-26, L11).
    An interrupt is priced by the phase of its aim, and may be cheaper than all else now (AP-29).
    """
    lowest_price = records.price_of_slots(state, 1, RESERVED).total
    names = []
    for combatant in records.holders(state):
        usable = [entry for entry in abilities(combatant) if entry.is_usable_from_reserve]
        cheapest = min((lowest_price, *(records.price_of(state, entry, RESERVED).total for entry in usable)))
        can_pay = cheapest <= combatant.pool(RESERVED).now or bool(_affordable_interrupts(state, combatant))
        if combatant.able and can_pay and combatant.id != encounter_of(state).closer:
            names.append(combatant.id)
    return tuple(names)


def _affordable_interrupts(state: FightState, combatant: Combatant) -> list[Deed]:
    """AP-29: the interrupts on the sheet that a PC's slots pay for now."""
    pool = records.pool_of(combatant)
    usable = [entry for entry in abilities(combatant) if not (entry.init_only or entry.partners)]
    return [
        deed
        for entry in usable
        if combatant.pool(pool).now and (pool == SLOTS or entry.from_reserve)
        for deed in interrupting_deeds(state, combatant, entry, pool)
        if records.affordable_check(combatant, records.price_of(state, entry, pool, phase_of_deed(state, deed))).holds
    ]


def _can_be_averted(state: FightState, fallen: Combatant) -> bool:
    """AP-29: whether an act that has harmed a combatant can still be interrupted, which takes the harm back."""
    harms = {other.id: fighter_of(other).last_harm for other in state.roster}
    harmed_by = {other_id for other_id, harm in harms.items() if harm is not None and harm.target == fallen.id}
    others = [other for other in records.pcs(state) if other.able and harmed_by]
    return any(deed.target in harmed_by for other in others for deed in _affordable_interrupts(state, other))


def settle_band(decision: Decision, step: Step) -> None:
    """AP-18, AP-26: end the next Active Phase that is over; if none is running, ask the last call that is due."""
    active = records.actives(decision.state)
    for combatant in active:
        is_out = not combatant.able and not fighter_of(combatant).keep_place
        if is_out and not _can_be_averted(decision.state, combatant):
            end_phase(decision, combatant.id, "down")
            return
        if combatant.pool(SLOTS).now == 0:
            end_phase(decision, combatant.id, "spent")
            return
    state = decision.state
    is_due = not active and not encounter_of(state).last_call and _owes_last_call(state, step)
    if is_due and (call := last_call_prompt(state)) is not None:
        decision.spawn(_ask_last_call, call)


def is_band_over(state: FightState, step: Step) -> bool:
    """Whether all of a band are done, with no last call to come, and no open question whether an NPC acts (AP-05)."""
    is_npc_asked = bool(records.idle_npcs(state)) and any(prompt.kind == "npc" for prompt in state.prompts)
    is_last = step.kind == BAND and not later_members(state)
    return not (records.actives(state) or _owes_last_call(state, step) or (is_last and is_npc_asked))


def _owes_last_call(state: FightState, step: Step) -> bool:
    """AP-26: whether the round closes with this band while a combatant could still use reserves."""
    last = step.kind == BAND and not later_members(state) and encounter_of(state).last_call != CLOSE
    return last and bool(reserve_users(state))


def last_call_prompt(state: FightState) -> Prompt | None:
    """AP-26: the question whether those with reserves use them first; None if nobody can."""
    people = [state.combatants[combatant_id] for combatant_id in reserve_users(state)]
    if not people:
        return None
    holders = ", ".join(f"{combatant.name} {combatant.pool(RESERVED).now}" for combatant in people)
    price_note = " (prices x4)" if records.is_final(state) else ""
    # With a single band there is no question between bands whether NPCs act; this one names them.
    idle = [combatant.name for combatant in records.idle_npcs(state)] if len(bands(state)) < 2 else []
    unacted = f" Still to act: {list_names(idle)}." if idle else ""
    question = f"Close the Full Round? Last call for reserves{price_note}: {holders}.{unacted}"
    menu = choices(CLOSE, f"{SPEND}:spend first")
    return prompt_for(None, kind="last_call", question=question, rule="AP-26", choices=menu, default=CLOSE)


def _ask_last_call(decision: Decision, prompt: Prompt) -> None:
    """AP-26: close the round, or wait until reserves are spent or the GM goes on."""
    answer = decision.ask(prompt)
    if answer is not None:
        decision.set_facts(last_call=SPEND if answer.choice == SPEND else CLOSE)


def renew_last_call(decision: Decision) -> None:
    """AP-26: bring the last call up to date; close it if nobody could act any more, or if the round goes on."""
    state = decision.state
    is_over = not (records.actives(state) or later_members(state))
    call = last_call_prompt(state) if is_over else None
    why = "the reserves have changed" if call else "no one has enough left" if is_over else "the round continues"
    decision.emit(*renew_questions(state, why, {"last_call": lambda _, __: call}))


def lose_all_slots(decision: Decision) -> None:
    """AP-26..28: lose all slots left as the round closes, and let offers lapse."""
    # Only a number typed by the GM leaves Action Slots to a PC whose Active Phase is over.
    for combatant in records.pcs(decision.state):
        lose_pool(decision, combatant, SLOTS)
        lose_pool(decision, combatant, RESERVED)
    for prompt in decision.state.prompts:
        if prompt.kind in ("npc", "last_call", "dropout"):
            decision.emit(record_answer(prompt, prompt.default, default=True, note=records.UNASKED))
    decision.set_facts(last_call="", closer="")
