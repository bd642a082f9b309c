"""What follows from what happened: harm, falling, effects, newcomers (AP-36, Q-A7, Q-A26)."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.prompts import choices, data_text, record_answer
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots import interrupts, kinds, preparing, several, upkeep


def _react_to_harm(state: FightState, event: ev.DamageApplied) -> ev.Events:
    """Whoever has no hit points left is down; after pulses of Upkeep the GM is asked instead (AP-45)."""
    combatant = state.combatants.get(event.who)
    out = combatant is not None and combatant.able and event.tracked and event.left == 0
    return (ev.Downed(who=event.who),) if out and not isinstance(event, sev.DamagePulsed) else ()


def _react_to_heal(state: FightState, event: ev.Healed) -> ev.Events:
    combatant = state.combatants.get(event.who)
    if combatant is None or combatant.able or event.left == 0 or fg.trait(combatant, "dead") is True:
        return ()
    return (ev.Restored(who=event.who),) if event.before == 0 else ()


def _react_to_down(state: FightState, event: ev.Downed) -> ev.Events:
    """AP-36: what was in progress is lost. Q-A7: who has not had an Active Phase is skipped, or keeps the place."""
    combatant = state.combatants.get(event.who)
    if combatant is None:
        return ()
    lost = several.drop_action(combatant, f"{combatant.name} is {event.how}")
    waits = fg.is_pc(combatant) and fg.is_locked(state) and state.phase in fg.ROUND_PHASES
    if not waits or fg.text_trait(combatant, "ap") != fg.WAITING or not fg.number_trait(combatant, "place"):
        return lost
    prompt = Prompt(
        id="",
        kind="dropout",
        question=f"{combatant.name} is {event.how} before its Active Phase: skip it?",
        rule="Q-A7",
        choices=choices("skip", "keep:keep the place"),
        default="skip",
        who=combatant.id,
        side=combatant.side,
        blocking=False,
    )
    return (*lost, ev.RulingAsked(prompt=prompt))


def _react_to_restore(state: FightState, event: ev.Restored) -> ev.Events:
    """Whoever is back needs no place kept and is not dead; questions about it are moot."""
    combatant = state.combatants.get(event.who)
    if combatant is None:
        return ()
    stale = [prompt for prompt in state.prompts if prompt.who == combatant.id and prompt.kind in ("dropout", "zero")]
    moot = tuple(record_answer(prompt, "moot", default=True) for prompt in stale)
    return (*moot, *fg.reset((combatant,), "dead", False), *fg.reset((combatant,), "keep_place", False))


def _effect(state: FightState, event: ev.EffectBegan) -> ev.Events:
    combatant = state.combatants.get(event.who)
    effect = event.effect
    if (
        combatant is None
        or not fg.text_trait(combatant, "action")
        or not several.hampering(effect.kind, effect.magnitude)
    ):
        return ()
    return (ev.RulingAsked(prompt=several.finish_prompt(combatant, effect.name)),)


def _react_to_join(state: FightState, event: ev.Joined) -> ev.Events:
    combatant = state.combatants.get(event.who)
    return preparing.prepare_newcomer(state, combatant) if combatant is not None and state.status == "running" else ()


def _react_to_hesitation(state: FightState, event: sev.HesitationLost) -> ev.Events:
    """AP-25, AP-27: how much of the round's slots went unused is remembered until the next round."""
    combatant = state.combatants.get(event.who)
    if combatant is None or not event.amount:
        return ()
    return (fg.set_trait(combatant, "lost", fg.number_trait(combatant, "lost") + event.amount),)


def _react_to_leave(state: FightState, cause: ev.LeftFight) -> ev.Events:
    """What is asked about somebody who has left needs no answer any more, and nothing meant or done names him."""
    gone = cause.who
    strikers = (combatant for combatant in state.combatants.values() if fg.text_trait(combatant, "struck") == gone)
    forgotten = (event for striker in strikers for event in interrupts.forget_harm(striker))
    moot = [
        prompt
        for prompt in state.prompts
        if data_text(prompt, "target") == gone or gone in data_text(prompt, "partners").split("\n")
    ]
    named = [
        (combatant, trait)
        for combatant in state.combatants.values()
        for trait in ("action_target", "combo_of", "stay")
        if fg.text_trait(combatant, trait) == gone
    ]
    return (
        *(record_answer(prompt, "moot", default=True, note="the one concerned has left") for prompt in moot),
        *forgotten,
        *(fg.set_trait(combatant, trait, "") for combatant, trait in named),
    )


def _phase_began(state: FightState, cause: sev.ActivePhaseBegan) -> ev.Events:
    return tuple(event for combatant_id in cause.band for event in upkeep.at_phase(state, combatant_id, fg.PHASE_START))


def _phase_ended(state: FightState, event: sev.ActivePhaseEnded) -> ev.Events:
    passed = interrupts.pass_moment(state, "") if event.cause != "spent" else ()
    return (*passed, *upkeep.at_phase(state, event.who, fg.PHASE_END))


def _did_something(state: FightState, event: ev.Event) -> ev.Events:
    """AP-29: once somebody does something else, what was done before cannot be interrupted any more."""
    return interrupts.pass_moment(state, getattr(event, "who", ""))


def _trait_changed(state: FightState, event: ev.TraitChanged) -> ev.Events:
    return kinds.on_kind_changed(state, event) if event.trait == "kind" else ()


def _paid(state: FightState, event: sev.MultiRoundPaid) -> ev.Events:
    return (*_did_something(state, event), *several.work_ticked(state, event))


_REACTIONS: Mapping[type[ev.Event], Callable[..., ev.Events]] = {
    ev.DamageApplied: _react_to_harm,
    ev.Healed: _react_to_heal,
    ev.Downed: _react_to_down,
    ev.Restored: _react_to_restore,
    ev.EffectBegan: _effect,
    ev.Joined: _react_to_join,
    ev.TraitChanged: _trait_changed,
    ev.LeftFight: _react_to_leave,
    sev.HesitationLost: _react_to_hesitation,
    sev.ActivePhaseBegan: _phase_began,
    sev.ActivePhaseEnded: _phase_ended,
    sev.ActionInterrupted: interrupts.on_interrupted,
    **dict.fromkeys(
        (sev.ActionActivated, sev.NpcActed, sev.ComboStarted, sev.MinorActDone, ev.Moved),
        _did_something,
    ),
    sev.MultiRoundPaid: _paid,
}


def react(state: FightState, event: ev.Event) -> ev.Events:
    """What follows from one event; `state` already holds it."""
    for kind in type(event).__mro__:
        if kind in _REACTIONS:
            return _REACTIONS[kind](state, event)
    return ()
