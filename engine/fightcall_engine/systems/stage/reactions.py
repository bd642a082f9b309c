"""What follows from what has happened, before anybody is asked: losses, leavers, cover, armour."""

from collections.abc import Callable, Mapping

from fightcall_engine.kit.prompts import renew_questions
from fightcall_engine.model.events import (
    Downed,
    Event,
    Events,
    FactChanged,
    Joined,
    LeftFight,
    Placed,
    PoolAdjusted,
    SettingChanged,
)
from fightcall_engine.model.state import FightState, Prompt
from fightcall_engine.systems.stage import figures, meeting, morale, walking
from fightcall_engine.systems.stage.figures import figure, scene


def _on_fall(state: FightState, event: Downed) -> Events:
    return morale.count_loss(state, state.combatants[event.who].side)


def _on_leave(state: FightState, event: LeftFight) -> Events:
    """Whoever leaves is gone from questions about others, and from the pairs of a Melee that runs (SB-50)."""
    before = scene(state).melee_pairs
    pairs = tuple(pair for pair in before if event.who not in pair)
    pair_events = (FactChanged(fact="melee_pairs", before=before, value=pairs),) if pairs != before else ()
    return (*renew_questions(state, event.who, _RENEWED), *pair_events)


_RENEWED: Mapping[str, Callable[[FightState, Prompt], Prompt | None]] = {
    "talks": meeting.renew_talks,
    "perception": lambda state, _: meeting.perception_prompt(state),
}


def _on_join(state: FightState, event: Joined) -> Events:
    """SB-66: the ground gives its cover to who joins on it, unless their sheet brings some."""
    combatant = state.combatants[event.who]
    return walking.cover_found(state, combatant, None) if figure(combatant).cover == "open" else ()


def _on_place(state: FightState, event: Placed) -> Events:
    combatant = state.combatants.get(event.who)
    return walking.cover_found(state, combatant, event.before) if combatant is not None else ()


def _on_setting(state: FightState, event: SettingChanged) -> Events:
    """SB-29: another reading of armour changes everybody's beats."""
    if event.setting != "armor_beats":
        return ()
    events: list[Event] = []
    for combatant in state.combatants.values():
        pool, total = figures.beats(combatant), figures.total_beats(combatant.sheet, state.settings)
        if total != pool.max:
            now = min(pool.now, total)
            reason = "armour (SB-29)"
            events.append(
                PoolAdjusted(who=combatant.id, pool="beats", before=pool.now, left=now, max=total, reason=reason)
            )
    return tuple(events)


_REACTIONS: Mapping[type[Event], Callable[..., Events]] = {
    Downed: _on_fall,
    LeftFight: _on_leave,
    Joined: _on_join,
    Placed: _on_place,
    SettingChanged: _on_setting,
}


def react(state: FightState, event: Event) -> Events:
    """What follows from one event; `state` already holds it."""
    reaction = _REACTIONS.get(type(event))
    return reaction(state, event) if reaction is not None else ()
