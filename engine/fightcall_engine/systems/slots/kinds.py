"""A combatant that is no PC any more, or is one from now on (AP-04, Q-A26)."""

from fightcall_engine.kit.prompts import answered
from fightcall_engine.model import events as ev
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import cycle, preparing, several
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.figures import RESERVED, SLOTS

_ASKED_OF_PCS = ("awareness", "late", "dropout", "finish", *fg.OF_AN_ACT)
"""The questions that only a PC is asked."""


def on_kind_changed(state: FightState, happened: ev.TraitChanged) -> ev.Events:
    """Whoever leaves the Cycle has no slots any more; whoever comes into it is placed as a newcomer is."""
    one = state.combatants.get(happened.who)
    if one is None or happened.value == happened.before or state.status != "running":
        return ()
    return _enter_cycle(state, one) if fg.is_pc(one) else _leave_cycle(state, one)


def _leave_cycle(state: FightState, one: Combatant) -> ev.Events:
    """AP-04: its slots are lost, its Active Phase is over, and what only a PC is asked needs no answer."""
    happened: list[ev.Event] = [
        answered(prompt, "moot", default=True, note=f"{one.name} is no PC now")
        for prompt in state.prompts
        if prompt.who == one.id and prompt.kind in _ASKED_OF_PCS
    ]
    for name in (SLOTS, RESERVED):
        held = one.pool(name)
        if held.now:
            lost = sev.HesitationLost(
                who=one.id, pool=name, before=held.now, left=0, max=held.max, amount=held.now
            )
            happened.append(lost)
    if fg.text_trait(one, "ap") == fg.ACTIVE:
        happened.append(sev.ActivePhaseEnded(who=one.id, before=fg.ACTIVE, cause="npc"))
    return (*happened, *several.dropped(one, f"{one.name} is no PC now"), *_stays_asked_again(state))


def _enter_cycle(state: FightState, one: Combatant) -> ev.Events:
    """Q-A26: with a place already it takes that up again; else it owes an Awareness check, or is given a place."""
    whole = fg.slots_per_round(one, state.settings)
    happened: list[ev.Event] = [
        ev.PoolAdjusted(who=one.id, pool=name, before=0, left=0, max=whole, reason="a PC now")
        for name in (SLOTS, RESERVED)
        if name not in one.pools
    ]
    happened += [*fg.reset((one,), "interrupted", False), *several.dropped(one, f"{one.name} is a PC now")]
    later = fold_all(state, happened)
    if fg.trait(one, "awareness") is None:
        asked = sev.CheckAsked(prompt=preparing.awareness_prompt(later, one))
        return (*happened, asked, *_stays_asked_again(later))
    if not fg.number_trait(one, "place"):
        return (*happened, *preparing.place_by_result(later, one.id))
    return (*happened, *_own_place(later, one), *_stays_asked_again(later))


def _own_place(state: FightState, one: Combatant) -> ev.Events:
    """The place it had, unless others have been given that meanwhile: then the one that its result gives."""
    place = fg.number_trait(one, "place")
    if all(fg.number_trait(other, "place") != place for other in fg.pcs(state) if other.id != one.id):
        return ()
    listed = cycle.ordered(state, cycle.with_newcomer(state, one.id), f"{one.name} is a PC again")
    return (*listed, *cycle.homes(state, cycle.with_newcomer(state, one.id, "home")))


def _stays_asked_again(state: FightState) -> ev.Events:
    """AP-06: of those who stand in the Cycle now."""
    stale = [prompt for prompt in state.prompts if prompt.kind in ("stay", "stay_place")]
    if not stale:
        return ()
    again = preparing.ask_stay(state, cycle.bands(state))
    return (*(answered(prompt, "moot", default=True) for prompt in stale), *again)
