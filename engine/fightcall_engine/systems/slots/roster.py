"""Combatants who enter or leave the Cycle during the encounter: newcomers, and PCs who become NPCs (AP-04, Q-A26)."""

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import reacts_to
from fightcall_engine.kit.prompts import record_moot
from fightcall_engine.model.events import Joined, PoolAdjusted, Returned, TraitChanged
from fightcall_engine.model.state import Combatant
from fightcall_engine.systems.slots import cycle, events, preparation, queries, rounds, upkeep
from fightcall_engine.systems.slots.interrupts import lose_work
from fightcall_engine.systems.slots.queries import RESERVED, SLOTS
from fightcall_engine.systems.slots.records import ACTIVE, fighter_of
from fightcall_engine.systems.slots.settings import settings_of

_ASKED_OF_PCS = ("awareness", "late", "dropout", "finish", *queries.OF_AN_ACT)
"""The kinds of questions that are asked of PCs only."""


@reacts_to(Joined)
def admit_newcomer(decision: Decision, event: Joined) -> None:
    """Q-A26: begin the effects on a newcomer's sheet, and ask for Awareness if it is a PC."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or decision.state.status != "running":
        return
    if not isinstance(event, Returned):
        upkeep.begin_sheet_effects(decision, combatant)
    if queries.is_pc(combatant):
        decision.spawn(preparation.ask_awareness, combatant.id)


@reacts_to(TraitChanged)
def follow_change(decision: Decision, event: TraitChanged) -> None:
    """AP-04, AP-12: apply the GM's change of a combatant to a PC or an NPC, or of its Agility."""
    if event.trait == "agility":
        rounds.follow_total(decision, event.who)
    if event.trait != "kind":
        return
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or event.value == event.before or decision.state.status != "running":
        return
    if queries.is_pc(combatant):
        _enter_cycle(decision, combatant)
    else:
        _leave_cycle(decision, combatant)


def _leave_cycle(decision: Decision, combatant: Combatant) -> None:
    """AP-04: end the Active Phase and the slots of a combatant who is an NPC now, and withdraw the questions of PCs."""
    moot = (prompt for prompt in decision.state.prompts if prompt.who == combatant.id and prompt.kind in _ASKED_OF_PCS)
    decision.emit(*record_moot(moot, f"{combatant.name} is no longer a PC"))
    rounds.lose_pool(decision, combatant, SLOTS)
    rounds.lose_pool(decision, combatant, RESERVED)
    if fighter_of(combatant).ap == ACTIVE:
        decision.emit(events.ActivePhaseEnded(who=combatant.id, before=ACTIVE, cause="npc"))
    lose_work(decision, combatant.id, f"{combatant.name} is no longer a PC")
    preparation.ask_stay_again(decision)


def _enter_cycle(decision: Decision, combatant: Combatant) -> None:
    """Q-A26: give a combatant who is now a PC slots and a place; ask for Awareness if there is no result."""
    total = queries.slots_per_round(combatant, settings_of(decision.state))
    for name in (SLOTS, RESERVED):
        if name not in combatant.pools:
            decision.emit(PoolAdjusted(who=combatant.id, pool=name, before=0, left=0, max=total, reason="a PC now"))
    decision.set_traits(combatant.id, interrupted=False)
    lose_work(decision, combatant.id, f"{combatant.name} is now a PC")
    if fighter_of(combatant).awareness is None:
        decision.spawn(preparation.ask_awareness, combatant.id)
    elif not fighter_of(combatant).place:
        preparation.place_by_result(decision, combatant.id)
        return
    else:
        _take_own_place(decision, combatant)
    preparation.ask_stay_again(decision)


def _take_own_place(decision: Decision, combatant: Combatant) -> None:
    """Keep the former place, or take one by result if another PC has it now."""
    place = fighter_of(combatant).place
    others = (other for other in queries.pcs(decision.state) if other.id != combatant.id)
    if any(fighter_of(other).place == place for other in others):
        cycle.place_newcomer(decision, combatant.id, f"{combatant.name} is a PC again")
