"""What follows from what happened: harm, falling, effects, newcomers (AP-36, Q-A7, Q-A26)."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.prompts import answered, choices, data_text
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.slots import events as sev
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots import interrupts, kinds, preparing, several, upkeep


def _harmed(state: FightState, happened: ev.DamageApplied) -> ev.Events:
    """Whoever has no hit points left is down; after pulses of Upkeep the GM is asked instead (AP-45)."""
    one = state.combatants.get(happened.who)
    out = one is not None and one.able and happened.tracked and happened.left == 0
    return (ev.Downed(who=happened.who),) if out and not isinstance(happened, sev.DamagePulsed) else ()


def _healed(state: FightState, happened: ev.Healed) -> ev.Events:
    one = state.combatants.get(happened.who)
    if one is None or one.able or happened.left == 0 or fg.trait(one, "dead") is True:
        return ()
    return (ev.Restored(who=happened.who),) if happened.before == 0 else ()


def _downed(state: FightState, happened: ev.Downed) -> ev.Events:
    """AP-36: what was in progress is lost. Q-A7: who has not had an Active Phase is skipped, or keeps the place."""
    one = state.combatants.get(happened.who)
    if one is None:
        return ()
    lost = several.dropped(one, f"{one.name} is {happened.how}")
    waits = fg.is_pc(one) and fg.locked(state) and state.phase in fg.ROUND_PHASES
    if not waits or fg.text_trait(one, "ap") != fg.WAITING or not fg.number_trait(one, "place"):
        return lost
    prompt = Prompt(
        id="",
        kind="dropout",
        question=f"{one.name} is {happened.how} before its Active Phase: skip it?",
        rule="Q-A7",
        choices=choices("skip", "keep:keep the place"),
        default="skip",
        who=one.id,
        side=one.side,
        blocking=False,
    )
    return (*lost, ev.RulingAsked(prompt=prompt))


def _restored(state: FightState, happened: ev.Restored) -> ev.Events:
    """Whoever is back needs no place kept and is not dead; questions about it are moot."""
    one = state.combatants.get(happened.who)
    if one is None:
        return ()
    stale = [
        prompt for prompt in state.prompts if prompt.who == one.id and prompt.kind in ("dropout", "zero")
    ]
    moot = tuple(answered(prompt, "moot", default=True) for prompt in stale)
    return (*moot, *fg.reset((one,), "dead", False), *fg.reset((one,), "keep_place", False))


def _effect(state: FightState, happened: ev.EffectBegan) -> ev.Events:
    one = state.combatants.get(happened.who)
    effect = happened.effect
    if (
        one is None
        or not fg.text_trait(one, "action")
        or not several.hampering(effect.kind, effect.magnitude)
    ):
        return ()
    return (ev.RulingAsked(prompt=several.finish_prompt(one, effect.name)),)


def _joined(state: FightState, happened: ev.Joined) -> ev.Events:
    one = state.combatants.get(happened.who)
    return preparing.joined(state, one) if one is not None and state.status == "running" else ()


def _hesitated(state: FightState, happened: sev.HesitationLost) -> ev.Events:
    """AP-25, AP-27: how much of the round's slots went unused is remembered until the next round."""
    one = state.combatants.get(happened.who)
    if one is None or not happened.amount:
        return ()
    return (fg.set_trait(one, "lost", fg.number_trait(one, "lost") + happened.amount),)


def _left(state: FightState, happened: ev.LeftFight) -> ev.Events:
    """What is asked about somebody who has left needs no answer any more, and nothing meant or done names him."""
    gone = happened.who
    strikers = (one for one in state.combatants.values() if fg.text_trait(one, "struck") == gone)
    forgotten = (event for striker in strikers for event in interrupts.forget_harm(striker))
    moot = [
        prompt
        for prompt in state.prompts
        if data_text(prompt, "target") == gone or gone in data_text(prompt, "partners").split("\n")
    ]
    named = [
        (one, trait)
        for one in state.combatants.values()
        for trait in ("action_target", "combo_of", "stay")
        if fg.text_trait(one, trait) == gone
    ]
    return (
        *(answered(prompt, "moot", default=True, note="the one concerned has left") for prompt in moot),
        *forgotten,
        *(fg.set_trait(one, trait, "") for one, trait in named),
    )


def _phase_began(state: FightState, happened: sev.ActivePhaseBegan) -> ev.Events:
    return tuple(event for who in happened.band for event in upkeep.at_phase(state, who, fg.PHASE_START))


def _phase_ended(state: FightState, happened: sev.ActivePhaseEnded) -> ev.Events:
    passed = interrupts.pass_moment(state, "") if happened.cause != "spent" else ()
    return (*passed, *upkeep.at_phase(state, happened.who, fg.PHASE_END))


def _did_something(state: FightState, happened: ev.Event) -> ev.Events:
    """AP-29: once somebody does something else, what was done before cannot be interrupted any more."""
    return interrupts.pass_moment(state, getattr(happened, "who", ""))


def _trait_changed(state: FightState, happened: ev.TraitChanged) -> ev.Events:
    return kinds.on_kind_changed(state, happened) if happened.trait == "kind" else ()


def _paid(state: FightState, happened: sev.MultiRoundPaid) -> ev.Events:
    return (*_did_something(state, happened), *several.work_ticked(state, happened))


_REACTIONS: Mapping[type[ev.Event], Callable[..., ev.Events]] = {
    ev.DamageApplied: _harmed,
    ev.Healed: _healed,
    ev.Downed: _downed,
    ev.Restored: _restored,
    ev.EffectBegan: _effect,
    ev.Joined: _joined,
    ev.TraitChanged: _trait_changed,
    ev.LeftFight: _left,
    sev.HesitationLost: _hesitated,
    sev.ActivePhaseBegan: _phase_began,
    sev.ActivePhaseEnded: _phase_ended,
    sev.ActionInterrupted: interrupts.on_interrupted,
    **dict.fromkeys(
        (sev.ActionActivated, sev.NpcActed, sev.ComboStarted, sev.MinorActDone, ev.Moved),
        _did_something,
    ),
    sev.MultiRoundPaid: _paid,
}


def react(state: FightState, happened: ev.Event) -> ev.Events:
    """What follows from one event; `state` already holds it."""
    for kind in type(happened).__mro__:
        if kind in _REACTIONS:
            return _REACTIONS[kind](state, happened)
    return ()
