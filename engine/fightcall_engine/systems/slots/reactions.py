"""Consequences of events: damage, going down, effects, newcomers, leaving (AP-04, AP-36, Q-A7, Q-A26)."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles, reacts_to
from fightcall_engine.kit.prompts import choices, prompt_for, record_moot, renew_questions
from fightcall_engine.model.commands import Leave
from fightcall_engine.model.events import (
    DamageApplied,
    Downed,
    EffectBegan,
    EffectEnded,
    EntryChanged,
    Healed,
    Joined,
    LeftFight,
    Moved,
    PoolAdjusted,
    Restored,
    Returned,
    TraitChanged,
)
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.slots import events, ongoing, preparation, queries, rounds, upkeep, works
from fightcall_engine.systems.slots.ongoing import lose_work
from fightcall_engine.systems.slots.queries import RESERVED, SLOTS
from fightcall_engine.systems.slots.records import ACTIVE, WAITING, encounter_of, fighter_of, settings_of

_ASKED_OF_PCS = ("awareness", "late", "dropout", "finish", *queries.OF_AN_ACT)
"""The kinds of questions that are asked of PCs only."""


@reacts_to(DamageApplied)
def put_down_at_zero(decision: Decision, event: DamageApplied) -> None:
    """AP-45: a combatant at 0 hit points is down; after pulses of Upkeep the GM is asked instead."""
    combatant = decision.state.combatants.get(event.who)
    is_out = combatant is not None and combatant.able and event.tracked and event.left == 0
    if is_out and not isinstance(event, events.DamagePulsed):
        decision.emit(Downed(who=event.who))


@reacts_to(Healed)
def restore_when_healed(decision: Decision, event: Healed) -> None:
    """A combatant who was at 0 and is not dead gets up."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or combatant.able or fighter_of(combatant).dead:
        return
    if event.before == 0 and event.left > 0:
        decision.emit(Restored(who=event.who))


@reacts_to(Downed)
def lose_work_when_down(decision: Decision, event: Downed) -> None:
    """AP-36: lose work in progress, with the questions about it.

    Q-A7: ask whether a PC who has not had an Active Phase keeps its place.
    """
    state, combatant = decision.state, decision.state.combatants.get(event.who)
    if combatant is None:
        return
    asked = (each for each in state.prompts if each.who == combatant.id)
    moot = (each for each in asked if each.kind == "finish" or (each.kind, each.default) == ("finished", "down"))
    decision.emit(*record_moot(moot, event.how))
    ongoing.lose_work(decision, combatant.id, f"{combatant.name} is {event.how}")
    fighter = fighter_of(combatant)
    in_cycle = (
        queries.is_pc(combatant) and fighter.place and queries.is_locked(state) and state.phase in queries.ROUND_PHASES
    )
    if in_cycle and fighter.ap == WAITING:
        decision.spawn(_ask_about_place, combatant.id, event.how)


def _ask_about_place(decision: Decision, combatant_id: str, how: str) -> None:
    """Q-A7: ask whether the fallen keeps its place."""
    combatant = decision.combatant(combatant_id)
    answer = decision.ask(
        prompt_for(
            combatant,
            kind="dropout",
            question=f"{combatant.name} is {how} before the Active Phase. Skip it?",
            rule="Q-A7",
            choices=choices("skip", "keep:no, keep the place"),
            default="skip",
            blocking=False,
        )
    )
    if answer is not None and answer.choice == "keep":
        decision.set_traits(combatant_id, keep_place=True)


@reacts_to(Restored)
def clear_fall(decision: Decision, event: Restored) -> None:
    """Clear the consequences of going down, and close the questions about them."""
    if event.who not in decision.state.combatants:
        return
    moot = (
        prompt for prompt in decision.state.prompts if prompt.who == event.who and prompt.kind in ("dropout", "zero")
    )
    decision.emit(*record_moot(moot))
    decision.set_traits(event.who, dead=False, keep_place=False)


@reacts_to(EffectBegan)
def ask_about_hampered_work(decision: Decision, event: EffectBegan) -> None:
    """AP-36: ask whether a hindering effect keeps a combatant from finishing the action in progress."""
    renew_upkeep(decision, event)
    rounds.follow_total(decision, event.who)
    combatant, effect = decision.state.combatants.get(event.who), event.effect
    if combatant is None or fighter_of(combatant).work is None:
        return
    if effect.kind in ("debuff", "other", "") or (effect.kind == queries.SLOT_MOD and effect.magnitude < 0):
        decision.spawn(works.ask_whether_finished, combatant.id, effect.name)


@reacts_to(EffectEnded)
def clear_effect(decision: Decision, event: EffectEnded) -> None:
    """AP-13, AP-43: bring the slots of a round and the open question of Upkeep up to date."""
    renew_upkeep(decision, event)
    rounds.follow_total(decision, event.who)


@reacts_to(events.ZoneMarked, events.ZoneCleared)
def renew_upkeep(decision: Decision, event: EffectBegan | EffectEnded | events.ZoneMarked | events.ZoneCleared) -> None:
    """AP-43: update the open question of Upkeep to what is due now."""
    decision.emit(*renew_questions(decision.state, "something else is due", _OF_UPKEEP))


@reacts_to(events.HesitationLost)
def count_lost_slots(decision: Decision, event: events.HesitationLost) -> None:
    """AP-25, AP-27: count the slots of this round that went unused."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None:
        decision.set_traits(combatant.id, lost=fighter_of(combatant).lost + event.amount)


@handles(Leave)
def leave(decision: Decision, command: Leave) -> None:
    """AP-36: remove a combatant from the fight; an action in progress is lost."""
    combatant = decision.combatant(command.who)
    ongoing.lose_work(decision, combatant.id, f"{combatant.name} leaves")
    decision.emit(LeftFight(who=combatant.id, reason=command.reason))


@reacts_to(LeftFight)
def clear_leaver(decision: Decision, event: LeftFight) -> None:
    """Close or update the questions about a combatant who has left, and clear references to them."""
    leaver_id = event.who
    decision.withdraw_about(leaver_id)
    preparation.ask_again_without(decision, leaver_id)
    decision.emit(*renew_questions(decision.state, f"{leaver_id} has left", _RENEWED))
    if encounter_of(decision.state).closer == leaver_id:
        decision.set_facts(closer="")
    for combatant_id, combatant in decision.state.combatants.items():
        fighter = fighter_of(combatant)
        if fighter.last_harm is not None and fighter.last_harm.target == leaver_id:
            decision.set_traits(combatant_id, last_harm=None)
        if fighter.work is not None and fighter.work.target == leaver_id:
            decision.emit(EntryChanged(who=combatant_id, field="work", part="target", before=leaver_id, value=""))
        if fighter.combo_of == leaver_id:
            decision.set_traits(combatant_id, combo_of="")
        if fighter.stay == leaver_id:
            decision.set_traits(combatant_id, stay="")


_OF_UPKEEP: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    "upkeep": lambda state, _: upkeep.outside_prompt(state),
}
_RENEWED: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    **_OF_UPKEEP,
    "outro": lambda state, _: upkeep.end_prompt(state),
    "npc": lambda state, _: works.npc_prompt(state),
    "stay": lambda state, _: preparation.stay_prompt(state),
    "stay_place": lambda state, asked: preparation.stay_place_prompt(state, asked.who),
    "late": lambda state, asked: preparation.late_prompt(state, asked.who),
    "last_call": lambda state, _: rounds.last_call_prompt(state),
}


@reacts_to(events.ActivePhaseBegan)
def begin_active_phase(decision: Decision, event: events.ActivePhaseBegan) -> None:
    """Count down the effects that count by the beginning of these PCs' Active Phases."""
    for combatant_id in event.band:
        upkeep.count_at_phase(decision, combatant_id, queries.PHASE_START)


@reacts_to(events.ActivePhaseEnded)
def end_active_phase(decision: Decision, event: events.ActivePhaseEnded) -> None:
    """End the chance to interrupt earlier acts; count down effects that count by the end of this Active Phase."""
    if event.cause != "spent":
        ongoing.end_interrupt_window(decision, "")
    upkeep.count_at_phase(decision, event.who, queries.PHASE_END)


@reacts_to(events.ActionActivated, events.NpcActed, events.ComboStarted, events.MinorActDone, Moved)
def end_chance_to_interrupt(
    decision: Decision,
    event: events.ActionActivated | events.NpcActed | events.ComboStarted | events.MinorActDone | Moved,
) -> None:
    """AP-29: an act ends the chance to interrupt those before it."""
    ongoing.end_interrupt_window(decision, event.who)


@reacts_to(events.MultiRoundPaid)
def take_instalment(decision: Decision, event: events.MultiRoundPaid) -> None:
    """Treat an instalment as an act; complete the work of an NPC with the last one."""
    ongoing.end_interrupt_window(decision, event.who)
    works.complete_npc_work(decision, event)


# Combatants who enter or leave the Cycle during the encounter


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
        rounds.place_newcomer(decision, combatant.id, f"{combatant.name} is a PC again")
