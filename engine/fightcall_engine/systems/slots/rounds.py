"""The Full Round: bands open and close, slots come and go, the Final Phase, Hesitation (AP-10..18, AP-22..28)."""

from fightcall_engine.kit.prompts import choices, record_answer
from fightcall_engine.model import events as ev
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt, Scalar, Step
from fightcall_engine.systems.slots import cycle, interrupts, prices, upkeep
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.cycle import BAND, CLOSE, VOLUNTEER
from fightcall_engine.systems.slots.figures import ACTIVE, DONE, RESERVED, SLOTS, WAITING

CLOSING, SPENDING = "close", "spend"
"""Values of the fact ``last_call``, the GM's answer: the round closes, or reserves are spent first."""


# The round


def start_round(state: FightState) -> ev.Events:
    """AP-11, AP-15: a fresh round; places that were changed for one round only are taken up again (Q-A3)."""
    burning = fg.slow_burning(state)
    caused: list[ev.Event] = []
    home = cycle.without_stays(state) if state.settings.get("stay_mode") == "per_round" else state
    if home.combatants != state.combatants:
        caused.extend(cycle.order_cycle(state, cycle.bands(home), "Stay was for one round"))
    afresh: dict[str, Scalar] = {"ap": WAITING, "stay": "", "doing": "", "done_in": "", "interrupted": False, "lost": 0}
    for name, value in afresh.items():
        caused.extend(fg.reset(state.combatants.values(), name, value))
    number = state.round + 1
    fresh = fold_all(state, caused)
    kind = sev.SlowBurnRoundBegan if burning else sev.FullRoundBegan
    steps = cycle.round_steps(fold_all(fresh, (kind(number=number, steps=()),)))
    return (*caused, kind(number=number, steps=steps))


def open_next(state: FightState, index: int) -> ev.Events:
    """Open the first step from `index` on in which somebody has an Active Phase; say why each other one passes."""
    caused: list[ev.Event] = []
    steps = state.agenda.steps
    while index < len(steps):
        step = steps[index]
        if step.kind == CLOSE:
            return (*caused, *close_round(state, index))
        ready = cycle.still_to_act(state, step)
        if step.kind == VOLUNTEER:
            ready = tuple(combatant.id for combatant in fg.pcs(state) if combatant.able)
        if ready:
            return (*caused, *_open(state, index, step, ready))
        had = any(
            fg.text_trait(state.combatants[combatant_id], "ap") != WAITING
            for combatant_id in cycle.members(state, step)
        )
        why = "had its Active Phase before" if had else "cannot act"
        reason = f"{cycle.names(state, cycle.step_band(state, step)) or step.title} {why}"
        caused.append(sev.BandSkipped(index=index, phase=step.phase, side=step.side, reason=reason))
        index += 1
    return tuple(caused)


def _open(state: FightState, index: int, step: Step, ready: tuple[str, ...]) -> ev.Events:
    """AP-03, AP-14: everybody of the band gains slots at one and the same time."""
    caused: list[ev.Event] = [
        sev.ActivePhaseBegan(index=index, phase=step.phase, side=step.side, band=ready),
        *_past(state),
        *fg.reset(fg.npcs(state), "interrupted", False),
        ev.TraitsReset(figures=ready, trait="ap", value=ACTIVE),
    ]
    caused.extend(gain_slots(state, state.combatants[combatant_id]) for combatant_id in ready)
    if step.phase == "final":
        caused.append(sev.FinalPhaseBegan(figures=ready))
    if index > 0:
        caused.extend(npc_reminder(state))
    return tuple(caused)


def _past(state: FightState) -> ev.Events:
    """AP-29: what was done in the band before can be interrupted until somebody does something else."""
    busy = (combatant for combatant in state.combatants.values() if fg.text_trait(combatant, "doing"))
    before = state.phase
    return (
        fg.reset((combatant for combatant in busy if not fg.text_trait(combatant, "done_in")), "done_in", before)
        if before
        else ()
    )


def gain_slots(state: FightState, combatant: Combatant) -> sev.SlotsGained:
    """AP-12, AP-13: base 5, Agility, each modifier."""
    total = fg.slots_per_round(combatant, state.settings)
    return sev.SlotsGained(
        who=combatant.id,
        before=fg.slots(combatant).now,
        left=total,
        max=total,
        base=fg.BASE_SLOTS,
        agility=fg.agility(combatant),
        modifiers=fg.modifiers(combatant),
        total=total,
    )


def npc_reminder(state: FightState) -> ev.Events:
    """AP-05: between bands, who outside the Cycle has not acted in this round yet."""
    caused: list[ev.Event] = [
        record_answer(prompt, "none", default=True) for prompt in state.prompts if prompt.kind == "npc"
    ]
    idle = [
        combatant
        for combatant in fg.npcs(state)
        if combatant.able and fg.number_trait(combatant, "acted_round") < state.round
    ]
    if not idle:
        return tuple(caused)
    named = ", ".join(combatant.name for combatant in idle[:4]) + (
        f" and {len(idle) - 4} more" if len(idle) > 4 else ""
    )
    prompt = Prompt(
        id="",
        kind="npc",
        question=f"Does an NPC act now? Not yet: {named}.",
        rule="AP-05",
        choices=(
            Choice("none", "nobody", "-"),
            *(Choice(combatant.id, combatant.name, combatant.label.lower(), combatant.id) for combatant in idle[:8]),
        ),
        default="none",
        blocking=False,
    )
    return (*caused, ev.RulingAsked(prompt=prompt))


# The end of an Active Phase


def end_ap(state: FightState, combatant_id: str, cause: str) -> ev.Events:
    """AP-16, AP-17, AP-25: a PC is done; what it has left is kept, or lost where nothing can be kept."""
    combatant = state.combatants[combatant_id]
    caused: list[ev.Event] = []
    busy = fg.text_trait(combatant, "action")
    if busy and fg.number_trait(combatant, "action_round") < state.round:
        caused.append(interrupts.lose_action(combatant, "nothing was paid for it"))
    left, most = fg.slots(combatant).now, fg.slots(combatant).max
    if left and state.phase in ("final", "slow_burn"):
        caused.append(sev.SlotsDiscarded(who=combatant_id, amount=left))
        caused.append(sev.HesitationLost(who=combatant_id, pool=SLOTS, before=left, left=0, max=most, amount=left))
    elif left:
        kept = fg.reserve(combatant).now
        whole = max(most, kept + left)
        caused.append(sev.SlotsConverted(who=combatant_id, before=left, left=0, max=most))
        caused.append(sev.SlotsReserved(who=combatant_id, before=kept, left=kept + left, max=whole, amount=left))
    caused.append(sev.ActivePhaseEnded(who=combatant_id, before=ACTIVE, cause=cause))
    return tuple(caused)


def end_all(state: FightState, cause: str) -> ev.Events:
    """Everybody whose Active Phase it is, is done."""
    return tuple(event for combatant in fg.actives(state) for event in end_ap(state, combatant.id, cause))


# The close of a band and of the round


def could_use_reserve(state: FightState) -> tuple[str, ...]:
    """Q-A16: who holds enough to do anything: to move, to act as no sheet lists it, or what the sheet allows.

    An interrupt has the price of what it breaks into, which may be cheaper than anything else is now (AP-29).
    """
    anything = prices.plain_price(state, 1, RESERVED).total
    found = []
    for combatant in fg.holders(state):
        allowed = [entry for entry in fg.abilities(combatant) if entry.from_reserve and not entry.init_only]
        listed = [prices.price_of(state, entry, RESERVED).total for entry in allowed]
        earlier = [
            prices.price_of(state, deed.ability, RESERVED, interrupts.phase_of(state, deed)).total
            for entry in allowed
            for deed in interrupts.aims_of(state, combatant, entry, RESERVED)
        ]
        cheapest = min((anything, *listed, *earlier))
        if combatant.able and cheapest <= fg.reserve(combatant).now:
            found.append(combatant.id)
    return tuple(found)


def last_call_prompt(state: FightState, could: tuple[str, ...]) -> Prompt:
    """AP-26, AP-27: before the round closes and all reserves are lost."""
    combatant_id = ", ".join(
        f"{state.combatants[name].name} {fg.reserve(state.combatants[name]).now}" for name in could
    )
    four = " (prices x4)" if fg.is_final(state) else ""
    return Prompt(
        id="",
        kind="last_call",
        question=f"Close the Full Round? Last call for reserves{four}: {combatant_id}.",
        rule="AP-26",
        choices=choices("close", "spend:spend first"),
        default="close",
    )


def settle_band(state: FightState, step: Step) -> ev.Events:
    """AP-18, AP-26: what a running band does by itself. Its PCs are done one by one, and then so is the band."""
    for combatant in fg.actives(state):
        if not combatant.able and fg.trait(combatant, "keep_place") is not True:
            return end_ap(state, combatant.id, "down")
        if fg.slots(combatant).now == 0:
            return end_ap(state, combatant.id, "spent")
    if fg.actives(state):
        return ()
    if step.kind == BAND and not cycle.later_members(state):
        asked = _last_call(state)
        if asked is not None:
            return asked
    return close_band(state)


def _last_call(state: FightState) -> ev.Events | None:
    """The question before a round closes; nothing while play rests on it, None where the round may close."""
    call = fg.text_fact(state, "last_call")
    could = could_use_reserve(state)
    if not could or call == CLOSING:
        return None
    if call == SPENDING:
        return ()
    return (ev.RulingAsked(prompt=last_call_prompt(state, could)),)


def moot_call(state: FightState) -> ev.Events:
    """The last call needs no answer any more once nobody has enough left."""
    call = state.prompt("last_call")
    if call is None or could_use_reserve(state):
        return ()
    return (record_answer(call, "moot", default=True, note="nobody has enough left"),)


def close_band(state: FightState) -> ev.Events:
    """The running band is over; the next opens, or the round closes."""
    step, index = state.step, state.agenda.cursor
    if step is None:
        return ()
    kind = sev.FinalPhaseEnded if step.phase == "final" else sev.BandEnded
    ended = kind(index=index, phase=step.phase, side=step.side, reason="all have spent or converted")
    return (ended, *open_next(state, index + 1))


def close_round(state: FightState, index: int) -> ev.Events:
    """AP-10, AP-26..28: what is left of slots is lost, the clock goes on, Upkeep begins."""
    caused: list[ev.Event] = [sev.HesitationBegan(index=index, phase="close")]
    # Only a number that the GM has typed leaves Action Slots to somebody whose Active Phase is over.
    held = ((combatant, name) for combatant in fg.pcs(state) for name in (SLOTS, RESERVED))
    for combatant, name in held:
        kept = combatant.pool(name)
        if kept.now:
            caused.append(
                sev.HesitationLost(who=combatant.id, pool=name, before=kept.now, left=0, max=kept.max, amount=kept.now)
            )
    for prompt in state.prompts:
        if prompt.kind in ("npc", "last_call", "dropout"):
            caused.append(record_answer(prompt, prompt.default, default=True))
    if fg.text_fact(state, "last_call"):
        caused.append(fg.set_fact(state, "last_call", ""))
    caused.append(sev.FullRoundEnded(number=state.round))
    caused.append(ev.ClockAdvanced(seconds=fg.ROUND_SECONDS, total=state.clock_s + fg.ROUND_SECONDS))
    return (*caused, *upkeep.begin(state, index + 1))


def done_with(combatant: Combatant) -> bool:
    """True where a PC's Active Phase is over."""
    return fg.text_trait(combatant, "ap") == DONE
