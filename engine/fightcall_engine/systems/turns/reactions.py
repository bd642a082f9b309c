"""What follows from what happened: harm, falling, newcomers and leavers, chances and pools that belong together."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.prompts import data_text
from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns import newcomers, scenes, steps


def _react_to_harm(state: FightState, event: ev.DamageApplied) -> ev.Events:
    combatant = state.combatants.get(event.who)
    out = combatant is not None and combatant.able and event.tracked and event.pool == "hp" and event.left == 0
    return (ev.Downed(who=event.who),) if out else ()


def _react_to_spending(state: FightState, event: ev.Spent) -> ev.Events:
    """Whoever pays with the last hit points falls by it."""
    combatant = state.combatants.get(event.who)
    out = combatant is not None and combatant.able and event.pool == "hp" and event.left == 0
    return (ev.Downed(who=event.who),) if out else ()


def _better(state: FightState, event: ev.PoolChanged) -> ev.Events:
    """Whoever had no hit points and has some again can act."""
    combatant = state.combatants.get(event.who)
    back = combatant is not None and not combatant.able and event.pool == "hp" and event.before == 0 < event.left
    return (ev.Restored(who=event.who),) if back else ()


def _react_to_down(state: FightState, event: ev.Downed) -> ev.Events:
    """Q-T10: who falls in the steps at the start of its own turn is remembered until step 5."""
    running = fg.turn_of(state)
    if running is None or running.id != event.who or state.phase not in fg.START_STEPS:
        return ()
    return fg.settle_word(state, "fell")


def _react_to_restore(state: FightState, event: ev.Restored) -> ev.Events:
    combatant = state.combatants.get(event.who)
    return (*_goes_on(state), *newcomers.ask_initiative(state, combatant)) if combatant is not None else ()


def _goes_on(state: FightState) -> ev.Events:
    """ST-06: somebody can act again, and nobody need say any more whether the Scene is over."""
    return fg.moot([prompt for prompt in state.prompts if prompt.kind == "stalled"], "somebody can act again")


def _turn_lost(state: FightState, event: tev.TurnPassed) -> ev.Events:
    """ST-24: who is down has no step 2 to pay in."""
    combatant = state.combatants.get(event.who)
    return steps.costs_unpaid(state, combatant) if combatant is not None and not combatant.able else ()


def _react_to_join(state: FightState, event: ev.Joined) -> ev.Events:
    combatant = state.combatants.get(event.who)
    if combatant is None or state.status != "running":
        return ()
    return (*_goes_on(state), *newcomers.admit_newcomer(state, combatant))


def _react_to_leave(state: FightState, event: ev.LeftFight) -> ev.Events:
    return newcomers.settle_departure(state, event.who)


def _effect_ended(state: FightState, event: ev.EffectEnded) -> ev.Events:
    """Nothing is asked any more about an effect that is over."""
    stale = [prompt for prompt in state.prompts if data_text(prompt, "effect") == event.effect]
    return fg.moot(stale, "the effect is over")


def _chance_had(state: FightState, event: tev.TurnTaken | ev.Waived) -> ev.Events:
    """ST-10: nobody is left without an opportunity."""
    if fg.mode(state) != fg.FREE or fg.waiting(state) or fg.fact(state, "everyone") is True:
        return ()
    return (tev.EveryoneHadAChance(before=fg.fact(state, "everyone")),)


def _react_to_adjustment(state: FightState, event: ev.PoolAdjusted) -> ev.Events:
    """ST-31: as many Reactions a round as Actions a turn."""
    combatant = state.combatants.get(event.who)
    if combatant is None or event.pool != fg.ACTIONS:
        return ()
    held = combatant.pool(fg.REACTIONS)
    if held.max == event.max:
        return ()
    full = held.now == held.max
    left = event.max if full else min(held.now, event.max)
    reason = "as many as Actions (ST-31)"
    return (
        ev.PoolAdjusted(who=combatant.id, pool=fg.REACTIONS, before=held.now, left=left, max=event.max, reason=reason),
    )


def _setting(state: FightState, cause: ev.SettingChanged) -> ev.Events:
    """Q-T1: the usual number of Actions holds for all whose sheets give none."""
    if cause.setting != "actions_default":
        return ()
    most = fg.actions_of({}, state.settings)
    lacking = (combatant for combatant in fg.in_order(state) if fg.number(combatant, "actions") is None)
    return tuple(event for combatant in lacking for event in scenes.set_actions(combatant, most, "Q-T1"))


_REACTIONS: Mapping[type[ev.Event], Callable[..., ev.Events]] = {
    ev.DamageApplied: _react_to_harm,
    ev.Spent: _react_to_spending,
    ev.Healed: _better,
    tev.PoolsRestored: _better,
    ev.Downed: _react_to_down,
    ev.Restored: _react_to_restore,
    ev.Joined: _react_to_join,
    ev.LeftFight: _react_to_leave,
    ev.EffectEnded: _effect_ended,
    tev.TurnPassed: _turn_lost,
    tev.TurnTaken: _chance_had,
    ev.Waived: _chance_had,
    ev.PoolAdjusted: _react_to_adjustment,
    ev.SettingChanged: _setting,
}


def react(state: FightState, event: ev.Event) -> ev.Events:
    """What follows from one event; `state` already holds it."""
    for kind in type(event).__mro__:
        if kind in _REACTIONS:
            return _REACTIONS[kind](state, event)
    return ()
