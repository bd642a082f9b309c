"""What follows from what has happened, before anybody is asked: falling and rising, losses, leavers, cover, armour."""

from collections.abc import Callable, Mapping

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import FightState
from fightcall_engine.systems.stage import events as sev
from fightcall_engine.systems.stage import figures as fg
from fightcall_engine.systems.stage import moment, strikes, walking


def _damaged(state: FightState, happened: ev.DamageApplied) -> ev.Events:
    """SB-37: whose hit points are gone goes down."""
    one = state.combatants.get(happened.who)
    hurt = happened.tracked and happened.pool == "hp" and happened.left == 0
    return (ev.Downed(who=happened.who),) if one is not None and one.able and hurt else ()


def _healed(state: FightState, happened: ev.Healed) -> ev.Events:
    """Who has hit points again comes back."""
    one = state.combatants.get(happened.who)
    healed = happened.pool == "hp" and happened.before == 0 and happened.left > 0
    return (ev.Restored(who=happened.who),) if one is not None and not one.able and healed else ()


def _downed(state: FightState, happened: ev.Downed) -> ev.Events:
    """SB-38: losses in a strike phase may lead to a morale check."""
    if state.phase not in fg.STRIKE_PHASES:
        return ()
    before = fg.text_fact(state, "losses")
    side = state.combatants[happened.who].side
    return (sev.LossCounted(before=before, value=f"{before} {side}".strip()),)


def _left(state: FightState, happened: ev.LeftFight) -> ev.Events:
    """Whoever leaves is gone from every question, and from the pairs of a Melee that runs (SB-50)."""
    return (*strikes.moot_questions(state, happened.who), *moment.pairs_without(state, happened.who))


def _joined(state: FightState, happened: ev.Joined) -> ev.Events:
    """SB-66: the ground gives its cover to who joins on it, unless their sheet brings some."""
    one = state.combatants[happened.who]
    return walking.cover_found(state, one, None) if fg.text_trait(one, "cover") == "open" else ()


def _placed(state: FightState, happened: ev.Placed) -> ev.Events:
    one = state.combatants.get(happened.who)
    return walking.cover_found(state, one, happened.before) if one is not None else ()


def _set(state: FightState, happened: ev.SettingChanged) -> ev.Events:
    """SB-29: another reading of armour changes everybody's beats."""
    if happened.setting != "armor_beats":
        return ()
    found: list[ev.Event] = []
    for one in state.combatants.values():
        pool, total = fg.beats(one), fg.total_beats(one.sheet, state.settings)
        if total != pool.max:
            now = min(pool.now, total)
            reason = "armour (SB-29)"
            found.append(
                ev.PoolAdjusted(who=one.id, pool="beats", before=pool.now, left=now, max=total, reason=reason)
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


def react(state: FightState, happened: ev.Event) -> ev.Events:
    """What follows from one event; `state` already holds it."""
    reaction = _REACTIONS.get(type(happened))
    return reaction(state, happened) if reaction is not None else ()
