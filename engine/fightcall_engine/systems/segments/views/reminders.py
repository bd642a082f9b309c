"""Reminders: bows, morale, further attacks, Surprise."""

from __future__ import annotations

from fightcall_engine.kit.phrases import list_names
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.actions import ambushes, surprises
from fightcall_engine.systems.segments.positions import places
from fightcall_engine.systems.segments.state import archery, items, morale, queries, surprise_limits
from fightcall_engine.systems.segments.state.action import COMBINATION, SHOOT, action_of, targets_of
from fightcall_engine.systems.segments.state.fighter import Action, fighter_of
from fightcall_engine.systems.segments.state.weapon_uses import Item


def morale_reminders(state: FightState) -> tuple[str, ...]:
    """What Surprise and morale leave a combatant on its turn, and a foe's advantage (CS-057, CS-516)."""
    combatant = queries.actor_of(state)
    if combatant is None or queries.kind_of(state) not in (queries.DECLARE, queries.RESOLVE) or not combatant.able:
        return ()
    text = {
        morale.SHAKEN: "is shaken: backs away and looks for a chance to break off (CS-516)",
        morale.BROKEN: "has surrendered: fights no more (CS-517)",
        morale.IN_TEARS: "has broken down in tears: can do nothing else (CS-517)",
    }.get(morale.state_of(combatant))
    lines = [f"{combatant.name} {text}"] if text else []
    if held := surprise_limits.why_restricted(state, combatant):
        ways = "only defends" if surprise_limits.degree_of(combatant) == queries.READY else "defends or moves away"
        lines.append(f"{combatant.name} is {held}: {ways} ({surprise_limits.rule_of(combatant)})")
    for other in queries.all_able(state):
        loss = morale.doubt_of(state, other, combatant.id)
        if loss:
            lines.append(f"{other.name} has doubts against {combatant.name}: DVs -{loss} in this segment (CS-519)")
    return tuple(lines)


def attack_reminder(state: FightState, combatant: Combatant) -> tuple[str, ...]:
    """CS-372: both weapons on one foe leave none for others who are near."""
    action = action_of(combatant)
    foes = [
        other
        for other in queries.all_able(state)
        if state.are_foes(combatant.id, other.id) and other.id in places.ids_engaged(state, combatant)
    ]
    if action.kind != COMBINATION or not action.is_open or len(foes) < 2:
        return ()
    return (f"{combatant.name} fights {len(foes)} foes: both weapons can be tied up by one of them",)


# Effects and bows


def feat_reminders(state: FightState) -> tuple[str, ...]:
    """Effects of this segment that the GM describes."""
    lines = []
    for combatant in state.roster:
        feat = fighter_of(combatant).feat
        if feat is not None and feat.segment == state.round:
            lines.append(f"{combatant.name}, {feat.label}: decide how")
    return tuple(lines)


def bow_reminders(state: FightState) -> tuple[str, ...]:
    """CS-256, CS-403: bows and crossbows that are not ready as a scene begins; the limits of crossbows."""
    if not queries.kind_of(state):
        shooters = [
            combatant.name
            for combatant in queries.all_able(state)
            if any(map(_needs_readying, items.items_of(combatant)))
        ]
        return (f"Is the bow strung or cocked, and for how many days? {list_names(shooters, 4)}",) if shooters else ()
    combatant = queries.actor_of(state)
    if combatant is None or queries.kind_of(state) != queries.DECLARE:
        return ()
    action = action_of(combatant)
    thing = items.item_named(combatant, action.weapon) if action.is_open and action.kind == SHOOT else None
    is_joined = any(
        state.are_foes(combatant.id, foe.id) and foe.id in places.ids_engaged(state, combatant)
        for foe in queries.all_able(state)
    )
    if thing is None or not archery.is_crossbow(thing) or not (is_joined or _is_in_the_way(state, action)):
        return ()
    return ("Crossbow in a melee: a friend may be in the way, and reloading is slow",)


def _is_in_the_way(state: FightState, action: Action) -> bool:
    """Whether a target is in melee with a combatant."""
    targets = targets_of(state, action)
    return any(
        state.are_foes(combatant.id, target.id) and combatant.id in places.ids_engaged(state, target)
        for target in targets
        for combatant in queries.all_able(state)
        if combatant.id != target.id
    )


def _needs_readying(thing: Item) -> bool:
    return archery.is_crossbow(thing) or archery.is_bow(thing)


def surprise_urgent_reminders(state: FightState) -> tuple[str, ...]:
    """The first reminders while a Surprise is resolved."""
    if not surprises.is_being_settled(state):
        return ()
    # CS-042, CS-073, CS-047
    return (
        "Marching order? How many abreast? Who carries the light?",
        "Surprised at rest: no armour, perhaps asleep",
        "Victims roll Savvy, Sentry or AWA; plotters Stealth, Player or Silver Tongue",
    )


def surprise_reminders(state: FightState) -> tuple[str, ...]:
    """Other reminders of Surprise: the unaware, the hidden, the dazed (CS-009, CS-074, CS-063)."""
    lines = []
    if queries.kind_of(state) == queries.INITIATIVE and state.round == 1:
        lines.append("Is one side unaware? AWA or Perception against Stealth: discovery, ambush, or no conflict")
    hidden = [combatant.name for combatant in queries.all_able(state) if combatant.hidden]
    if hidden and queries.kind_of(state) in ambushes.MOMENTS:
        lines.append(f"Hidden, can leap out with Surprise: {', '.join(hidden[:4])}")
    names = [
        combatant.name for combatant in queries.all_able(state) if fighter_of(combatant).surprise == queries.OVERWHELMED
    ]
    if names and queries.kind_of(state):
        lines.append(f"Need a warning to notice threats from behind: {', '.join(names[:4])}")
    return tuple(lines)
