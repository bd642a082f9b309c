"""Health: stunning pain, wounds and their level, and the condition of a combatant."""

from collections.abc import Mapping
from fractions import Fraction

from fightcall_engine.kit.records import effect_data_of
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import Downed, Events, Restored
from fightcall_engine.model.state import Combatant, Effect, FightState, Scalar
from fightcall_engine.systems.segments.rules import wounds as wound_rules
from fightcall_engine.systems.segments.rules.numbers import Sum, rhu
from fightcall_engine.systems.segments.rules.wounds import Level, level_of, level_of_points
from fightcall_engine.systems.segments.state import events, harm_events, queries
from fightcall_engine.systems.segments.state.fighter import StunData, fighter_of
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.settings import settings_of

# Stun


def stun_of(state: FightState, effect: Effect) -> wound_rules.Stun:
    """The stun of an effect: its exact penalty, and the segment of the blow."""
    data = effect_data_of(effect, StunData)
    return wound_rules.Stun(Fraction(data.half_points, 2), state.round if data.since is None else data.since)


def is_managed(effect: Effect) -> bool:
    """Whether a combatant fights through the stun of an effect (CS-614)."""
    return effect_data_of(effect, StunData).managed


def stun_sum(state: FightState, combatant: Combatant) -> Sum:
    """The present stun penalty on every AV and Initiative, with a part for each blow (CS-613, CS-618)."""
    reading: wound_rules.MultiStun = settings_of(state).multi_stun
    return wound_rules.stun_penalty(
        (stun_of(state, effect) for effect in queries.stuns_of(combatant)), state.round, reading
    )


def stun_penalty(state: FightState, combatant: Combatant) -> int:
    """The present stun penalty on every AV and Initiative (CS-613, CS-618)."""
    return rhu(stun_sum(state, combatant).total)


def apply_stun(
    state: FightState, combatant: Combatant, penalty: Fraction | int, *, since: int | None = None, managed: bool = False
) -> events.StunApplied:
    """The event that pain stuns a combatant (CS-613), or is managed (CS-614); the penalty is kept exact."""
    amount = rhu(penalty)
    effect = Effect(
        id="",
        name="pain",
        kind="stun",
        ticks=queries.CS_END,
        data=StunData(int(2 * penalty), state.round if since is None else since, managed),
    )
    return events.StunApplied(who=combatant.id, effect=effect, penalty=amount)


# Condition

_FALLS: Mapping[str, type[events.LifeChanged]] = {
    queries.UNCONSCIOUS: harm_events.FellUnconscious,
    queries.COLLAPSED: harm_events.Collapsed,
    queries.DEAD: harm_events.Died,
}


def life_events(combatant: Combatant, life: str, *, until: int = 0) -> Events:
    """The events that change a combatant's condition, and with it whether it can act."""
    if life not in queries.LIVES:
        raise Refused("CS-625", f"{life!r} is not a state of life", queries.LIVES, final=True)
    kind = _FALLS.get(life, events.LifeChanged)
    change = kind(who=combatant.id, traits={**life_traits(combatant, life), "life_until": until}, life=life)
    if life == queries.UP:
        return (change,) if combatant.able else (change, Restored(who=combatant.id))
    return (change, Downed(who=combatant.id, how=life)) if combatant.able else (change,)


def life_traits(combatant: Combatant, life: str) -> Mapping[str, Scalar]:
    """The record of a condition: those knocked out and roused feel their wounds (CS-627)."""
    knocked_out = fighter_of(combatant).life == queries.UNCONSCIOUS
    return {"life": life, **({"roused": True} if knocked_out and life == queries.UP else {})}


# Wounds and Body Points


def wounds_of(combatant: Combatant) -> int:
    """The number of wounds (CS-620)."""
    return fighter_of(combatant).wounds


def body_points(state: FightState, combatant: Combatant) -> int | None:
    """The maximum of Body Points; None if wounds are counted, without the option or without a number (M-12)."""
    most = profile_of(combatant).body_points
    return most if settings_of(state).body_points else None


def damage_of(combatant: Combatant) -> int:
    """Body Points lost (CS-550)."""
    pool = combatant.pool(queries.BP)
    return max(0, pool.max - pool.now)


def damage_level(state: FightState, combatant: Combatant) -> Level:
    """The level of wounding, by wounds or by Body Points: none, light, serious, grievous, mortal (CS-620, CS-632)."""
    most = body_points(state, combatant)
    return level_of(wounds_of(combatant)) if most is None else level_of_points(damage_of(combatant), most)


def has_last_wound(state: FightState, combatant: Combatant) -> bool:
    """Whether a combatant has the tenth wound, or no Body Points left (CS-624, A-15)."""
    most = body_points(state, combatant)
    if most is None:
        return wounds_of(combatant) >= wound_rules.COLLAPSE_WOUNDS
    return damage_of(combatant) >= most


def add_wounds(combatant: Combatant, count: int) -> Events:
    """The event that adds wounds; below 0, removes them."""
    total = wounds_of(combatant) + count
    return (
        events.WoundsInflicted(who=combatant.id, traits={"wounds": total}, n=count, total=total, level=level_of(total)),
    )
