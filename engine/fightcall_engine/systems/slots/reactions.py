"""What follows from what happened: harm, falling, effects, newcomers (AP-36, Q-A7, Q-A26)."""

from collections.abc import Callable, Mapping
from typing import Any

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, close_moot, prompt_for, record_answer, renew_questions
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.events import (
    DamageApplied,
    Downed,
    EffectBegan,
    EntryChanged,
    Event,
    Events,
    Healed,
    Joined,
    LeftFight,
    Moved,
    Restored,
    TraitChanged,
)
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.slots import (
    enrolment,
    events,
    figures,
    interrupts,
    outro,
    preparation,
    rounds,
    upkeep,
    works,
)
from fightcall_engine.systems.slots.records import WAITING


def on_harm(decision: Decision, event: DamageApplied) -> None:
    """Whoever has no hit points left is down; after pulses of Upkeep the GM is asked instead (AP-45)."""
    combatant = decision.state.combatants.get(event.who)
    is_out = combatant is not None and combatant.able and event.tracked and event.left == 0
    if is_out and not isinstance(event, events.DamagePulsed):
        decision.emit(Downed(who=event.who))


def on_heal(decision: Decision, event: Healed) -> None:
    """Whoever was at 0 and is not dead is back."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is None or combatant.able or figures.fighter(combatant).dead:
        return
    if event.before == 0 and event.left > 0:
        decision.emit(Restored(who=event.who))


def on_downed(decision: Decision, event: Downed) -> None:
    """AP-36: what was in progress is lost. Q-A7: who has not had an Active Phase is skipped, or keeps the place."""
    state, combatant = decision.state, decision.state.combatants.get(event.who)
    if combatant is None:
        return
    interrupts.lose_work(decision, combatant.id, f"{combatant.name} is {event.how}")
    fighter = figures.fighter(combatant)
    in_cycle = (
        figures.is_pc(combatant) and fighter.place and figures.is_locked(state) and state.phase in figures.ROUND_PHASES
    )
    if in_cycle and fighter.ap == WAITING:
        decision.ask(
            prompt_for(
                combatant,
                kind="dropout",
                question=f"{combatant.name} is {event.how} before its Active Phase: skip it?",
                rule="Q-A7",
                choices=choices("skip", "keep:keep the place"),
                default="skip",
                blocking=False,
            )
        )


@answers("dropout")
def answer_dropout(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """Q-A7: the place is kept, or passes by."""
    if answer.choice == "keep":
        decision.set_traits(prompt.who, keep_place=True)


def on_restored(decision: Decision, event: Restored) -> None:
    """Whoever is back needs no place kept and is not dead; questions about it are moot."""
    if event.who not in decision.state.combatants:
        return
    for prompt in decision.state.prompts:
        if prompt.who == event.who and prompt.kind in ("dropout", "zero"):
            decision.emit(record_answer(prompt, "moot", default=True))
    decision.set_traits(event.who, dead=False, keep_place=False)


def on_effect(decision: Decision, event: EffectBegan) -> None:
    """AP-36: what hampers somebody may keep it from finishing what it has in progress."""
    combatant, effect = decision.state.combatants.get(event.who), event.effect
    if combatant is None or figures.fighter(combatant).work is None:
        return
    if works.hampers(effect.kind, effect.magnitude):
        works.ask_whether_finished(decision, combatant.id, effect.name)


def on_lost(decision: Decision, event: events.HesitationLost) -> None:
    """AP-25, AP-27: how much of the round's slots went unused is remembered until the next round."""
    combatant = decision.state.combatants.get(event.who)
    if combatant is not None:
        decision.set_traits(combatant.id, lost=figures.fighter(combatant).lost + event.amount)


def on_left(decision: Decision, event: LeftFight) -> None:
    """What is asked about somebody who has left needs no answer any more, and nothing meant or done names him."""
    leaver_id = event.who
    decision.emit(*close_moot(decision.state, leaver_id))
    decision.emit(*renew_questions(decision.state, leaver_id, _RENEWED))
    for combatant_id, combatant in decision.state.combatants.items():
        fighter = figures.fighter(combatant)
        if fighter.last_harm is not None and fighter.last_harm.target == leaver_id:
            decision.set_traits(combatant_id, last_harm=None)
        if fighter.work is not None and fighter.work.target == leaver_id:
            decision.emit(EntryChanged(who=combatant_id, field="work", part="target", before=leaver_id, value=""))
        if fighter.combo_of == leaver_id:
            decision.set_traits(combatant_id, combo_of="")
        if fighter.stay == leaver_id:
            decision.set_traits(combatant_id, stay="")


_RENEWED: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    "outro": lambda state, _: outro.end_prompt(state),
    "init": preparation.renew_init,
    "npc": lambda state, _: rounds.npc_prompt(state),
    "stay": lambda state, _: preparation.stay_prompt(state),
    "stay_place": lambda state, asked: preparation.stay_place_prompt(state, asked.who),
    "late": lambda state, asked: preparation.late_prompt(state, asked.who),
    "last_call": lambda state, _: rounds.last_call_prompt(state) if rounds.could_use_reserve(state) else None,
}


def on_phase_began(decision: Decision, event: events.ActivePhaseBegan) -> None:
    """What counts by the beginning of somebody's Active Phase counts."""
    for combatant_id in event.band:
        upkeep.count_at_phase(decision, combatant_id, figures.PHASE_START)


def on_phase_ended(decision: Decision, event: events.ActivePhaseEnded) -> None:
    """Somebody else is to act now; and what counts by the end of that Active Phase counts."""
    if event.cause != "spent":
        interrupts.pass_moment(decision, "")
    upkeep.count_at_phase(decision, event.who, figures.PHASE_END)


def on_act(
    decision: Decision,
    event: events.ActionActivated | events.NpcActed | events.ComboStarted | events.MinorActDone | Moved,
) -> None:
    """AP-29: once somebody does something else, what was done before cannot be interrupted any more."""
    interrupts.pass_moment(decision, event.who)


def on_instalment(decision: Decision, event: events.MultiRoundPaid) -> None:
    """An instalment is an act; the last one of somebody without slots brings the effect."""
    interrupts.pass_moment(decision, event.who)
    works.on_paid(decision, event)


def on_field_changed(decision: Decision, event: TraitChanged) -> None:
    """AP-04: who is a PC is known by the GM, and may change."""
    if event.trait == "kind":
        enrolment.on_kind_changed(decision, event)


_REACTIONS: Mapping[type[Event], Callable[[Decision, Any], None]] = {
    DamageApplied: on_harm,
    Healed: on_heal,
    Downed: on_downed,
    Restored: on_restored,
    EffectBegan: on_effect,
    Joined: enrolment.on_joined,
    TraitChanged: on_field_changed,
    LeftFight: on_left,
    events.HesitationLost: on_lost,
    events.ActivePhaseBegan: on_phase_began,
    events.ActivePhaseEnded: on_phase_ended,
    events.ActionInterrupted: interrupts.on_interrupted,
    events.ActionActivated: on_act,
    events.NpcActed: on_act,
    events.ComboStarted: on_act,
    events.MinorActDone: on_act,
    Moved: on_act,
    events.MultiRoundPaid: on_instalment,
}


def react(state: FightState, event: Event) -> Events:
    """What follows from one event; `state` already holds it."""
    reaction = next((_REACTIONS[kind] for kind in type(event).__mro__ if kind in _REACTIONS), None)
    if reaction is None:
        return ()
    decision = Decision(state)
    reaction(decision, event)
    return decision.events
