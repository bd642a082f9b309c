"""A combatant that is no PC any more, or is one from now on (AP-04, Q-A26)."""

from fightcall_engine.kit.prompts import record_answer
from fightcall_engine.model import events as ev
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import cycle, preparing, several
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.figures import RESERVED, SLOTS

_ASKED_OF_PCS = ("awareness", "late", "dropout", "finish", *fg.OF_AN_ACT)
"""The questions that only a PC is asked."""


def on_kind_changed(state: FightState, event: ev.TraitChanged) -> ev.Events:
    """Whoever leaves the Cycle has no slots any more; whoever comes into it is placed as a newcomer is."""
    combatant = state.combatants.get(event.who)
    if combatant is None or event.value == event.before or state.status != "running":
        return ()
    return _enter_cycle(state, combatant) if fg.is_pc(combatant) else _leave_cycle(state, combatant)


def _leave_cycle(state: FightState, combatant: Combatant) -> ev.Events:
    """AP-04: its slots are lost, its Active Phase is over, and what only a PC is asked needs no answer."""
    caused: list[ev.Event] = [
        record_answer(prompt, "moot", default=True, note=f"{combatant.name} is no PC now")
        for prompt in state.prompts
        if prompt.who == combatant.id and prompt.kind in _ASKED_OF_PCS
    ]
    for name in (SLOTS, RESERVED):
        held = combatant.pool(name)
        if held.now:
            lost = sev.HesitationLost(
                who=combatant.id, pool=name, before=held.now, left=0, max=held.max, amount=held.now
            )
            caused.append(lost)
    if fg.text_trait(combatant, "ap") == fg.ACTIVE:
        caused.append(sev.ActivePhaseEnded(who=combatant.id, before=fg.ACTIVE, cause="npc"))
    return (*caused, *several.drop_action(combatant, f"{combatant.name} is no PC now"), *_stays_asked_again(state))


def _enter_cycle(state: FightState, combatant: Combatant) -> ev.Events:
    """Q-A26: with a place already it takes that up again; else it owes an Awareness check, or is given a place."""
    whole = fg.slots_per_round(combatant, state.settings)
    caused: list[ev.Event] = [
        ev.PoolAdjusted(who=combatant.id, pool=name, before=0, left=0, max=whole, reason="a PC now")
        for name in (SLOTS, RESERVED)
        if name not in combatant.pools
    ]
    caused += [
        *fg.reset((combatant,), "interrupted", False),
        *several.drop_action(combatant, f"{combatant.name} is a PC now"),
    ]
    later = fold_all(state, caused)
    if fg.trait(combatant, "awareness") is None:
        asked = sev.CheckAsked(prompt=preparing.awareness_prompt(later, combatant))
        return (*caused, asked, *_stays_asked_again(later))
    if not fg.number_trait(combatant, "place"):
        return (*caused, *preparing.place_by_result(later, combatant.id))
    return (*caused, *_own_place(later, combatant), *_stays_asked_again(later))


def _own_place(state: FightState, combatant: Combatant) -> ev.Events:
    """The place it had, unless others have been given that meanwhile: then the one that its result gives."""
    place = fg.number_trait(combatant, "place")
    if all(fg.number_trait(other, "place") != place for other in fg.pcs(state) if other.id != combatant.id):
        return ()
    listed = cycle.order_cycle(state, cycle.with_newcomer(state, combatant.id), f"{combatant.name} is a PC again")
    return (*listed, *cycle.homes(state, cycle.with_newcomer(state, combatant.id, "home")))


def _stays_asked_again(state: FightState) -> ev.Events:
    """AP-06: of those who stand in the Cycle now."""
    stale = [prompt for prompt in state.prompts if prompt.kind in ("stay", "stay_place")]
    if not stale:
        return ()
    again = preparing.ask_stay(state, cycle.bands(state))
    return (*(record_answer(prompt, "moot", default=True) for prompt in stale), *again)
