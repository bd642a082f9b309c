"""How foes about somebody stand, where the board does not tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, fields_of_record
from fightcall_engine.systems.segments.rules.melee import FIELDS, Field
from fightcall_engine.systems.segments.state import figures
from fightcall_engine.systems.segments.state.battle import MetPair, battle_of
from fightcall_engine.systems.segments.state.fighter import Pair, fighter_of

CLOSE, COMMON = "close", "common"

MODES = (CLOSE, COMMON)


# What the GM has said of a pair


UNTOLD = Pair()


def with_pair(combatant: Combatant, foe: str, pair: Pair) -> Events:
    """The fact that a foe stands so to somebody from now on; none where he does already."""
    adjacent = dict(fighter_of(combatant).adjacent)
    if pair == UNTOLD:
        adjacent.pop(foe, None)
    else:
        adjacent[foe] = pair
    return with_pairs(combatant, adjacent)


def with_pairs(combatant: Combatant, adjacent: Mapping[str, Pair]) -> Events:
    """The fact that all foes of whom something is known stand so to somebody from now on."""
    return figures.set_traits(combatant, adjacent={foe: pair for foe, pair in adjacent.items() if pair != UNTOLD})


def close_in(state: FightState, combatant_id: str, other_id: str) -> Events:
    """Two who stand at close quarters from now on, each within the other's guard (CS-460, CS-468)."""
    pair = state.combatants[combatant_id], state.combatants[other_id]
    return tuple(
        event
        for first, second in (pair, pair[::-1])
        for event in with_pair(first, second.id, Pair(pair_of(first, second).field, "close"))
    )


def pair_of(combatant: Combatant, foe: Combatant) -> Pair:
    """What has been said of one foe."""
    return fighter_of(combatant).adjacent.get(foe.id, UNTOLD)


def restore_distance(combatant: Combatant) -> Events:
    """A step of one's own restores the space before a foe who had got inside (CS-322)."""
    adjacent = fighter_of(combatant).adjacent
    if not any(pair.mode == CLOSE for pair in adjacent.values()):
        return ()
    restored_pairs = {combatant_id: Pair(pair.field) for combatant_id, pair in adjacent.items() if pair.mode == CLOSE}
    return with_pairs(combatant, {**adjacent, **restored_pairs})


def shut_fields(combatant: Combatant) -> frozenset[Field]:
    """The fields that comrades at his side or back close (CS-308)."""
    shut = fields_of_record(fighter_of(combatant).shut_fields)
    return frozenset(field for field in FIELDS if shut[field])


# Foes who have come upon each other and not parted since (CS-236)


def sorted_pair(name: str, other: str) -> MetPair:
    """Two foes as a pair."""
    return (name, other) if name < other else (other, name)


def keep_pairs(state: FightState, pairs: Iterable[MetPair]) -> Events:
    """Only these have come upon each other and not parted."""
    return figures.set_fact(state, "met", tuple(pairs))


def forget_pairs(state: FightState, combatant_id: str) -> Events:
    """Somebody has left, and has come upon nobody."""
    return keep_pairs(state, (pair for pair in battle_of(state).met if combatant_id not in pair))


def known_to(state: FightState, combatant: Combatant) -> frozenset[str]:
    """The foes whom somebody has come upon and not parted from."""
    pairs = (pair for pair in battle_of(state).met if combatant.id in pair)
    return frozenset(second if first == combatant.id else first for first, second in pairs)


# Foes made out in their hiding places (CS-265)


def make_aware(combatant: Combatant, foe: Combatant) -> Events:
    """Somebody knows from now on where a foe hides."""
    aware_of = fighter_of(combatant).aware_of
    return () if foe.id in aware_of else figures.set_traits(combatant, aware_of=(*aware_of, foe.id))


def people_without(combatant: Combatant, combatant_id: str) -> tuple[str, ...]:
    """Those whom somebody has made out, once one of them is forgotten."""
    return tuple(aware_id for aware_id in fighter_of(combatant).aware_of if aware_id != combatant_id)


# Questions


def knows_of(combatant: Combatant, foe: Combatant) -> bool:
    """CS-265: true for a foe who is in the open, or whom this one has made out in his hiding place."""
    return not foe.hidden or foe.id in fighter_of(combatant).aware_of
