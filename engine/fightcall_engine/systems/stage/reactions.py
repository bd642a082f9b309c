"""What follows from what has happened, before anybody is asked: falling and rising, losses, leavers, cover, armour."""

from collections.abc import Callable, Mapping

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage import moment, strikes, walking


def _damaged(state: FightState, event: ev.DamageApplied) -> ev.Events:
    """SB-37: whose hit points are gone goes down."""
    combatant = state.combatants.get(event.who)
    hurt = event.tracked and event.pool == "hp" and event.left == 0
    return (ev.Downed(who=event.who),) if combatant is not None and combatant.able and hurt else ()


def _healed(state: FightState, event: ev.Healed) -> ev.Events:
    """Who has hit points again comes back."""
    combatant = state.combatants.get(event.who)
    healed = event.pool == "hp" and event.before == 0 and event.left > 0
    return (ev.Restored(who=event.who),) if combatant is not None and not combatant.able and healed else ()


def _downed(state: FightState, event: ev.Downed) -> ev.Events:
    """SB-38: losses in a strike phase may lead to a morale check."""
    if state.phase not in fg.STRIKE_PHASES:
        return ()
    before = fg.text_fact(state, "losses")
    side = state.combatants[event.who].side
    return (sev.LossCounted(before=before, value=f"{before} {side}".strip()),)


def _left(state: FightState, event: ev.LeftFight) -> ev.Events:
    """Whoever leaves is gone from every question, and from the pairs of a Melee that runs (SB-50)."""
    return (*strikes.moot_questions(state, event.who), *moment.pairs_without(state, event.who))


def _joined(state: FightState, event: ev.Joined) -> ev.Events:
    """SB-66: the ground gives its cover to who joins on it, unless their sheet brings some."""
    combatant = state.combatants[event.who]
    return walking.cover_found(state, combatant, None) if fg.text_trait(combatant, "cover") == "open" else ()


def _placed(state: FightState, event: ev.Placed) -> ev.Events:
    combatant = state.combatants.get(event.who)
    return walking.cover_found(state, combatant, event.before) if combatant is not None else ()


def _set(state: FightState, event: ev.SettingChanged) -> ev.Events:
    """SB-29: another reading of armour changes everybody's beats."""
    if event.setting != "armor_beats":
        return ()
    found: list[ev.Event] = []
    for combatant in state.combatants.values():
        pool, total = fg.beats(combatant), fg.total_beats(combatant.sheet, state.settings)
        if total != pool.max:
            now = min(pool.now, total)
            reason = "armour (SB-29)"
            found.append(
                ev.PoolAdjusted(who=combatant.id, pool="beats", before=pool.now, left=now, max=total, reason=reason)
            )
    return tuple(found)


_REACTIONS: Mapping[type[ev.Event], Callable[..., ev.Events]] = {
    ev.DamageApplied: _damaged,
    ev.Healed: _healed,
    ev.Downed: _downed,
    ev.LeftFight: _left,
    ev.Joined: _joined,
    ev.Placed: _placed,
    ev.SettingChanged: _set,
}


def react(state: FightState, event: ev.Event) -> ev.Events:
    """What follows from one event; `state` already holds it."""
    reaction = _REACTIONS.get(type(event))
    return reaction(state, event) if reaction is not None else ()
