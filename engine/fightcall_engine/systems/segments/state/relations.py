"""Relations between foes: fields and distance the board does not tell, meetings, and hidden foes noticed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from fightcall_engine.kit.checks import ANOTHER_TARGET, Check
from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, fields_of_record
from fightcall_engine.systems.segments.rules.ranges import FIELDS, Field
from fightcall_engine.systems.segments.state import queries
from fightcall_engine.systems.segments.state.battle import MetPair, battle_of
from fightcall_engine.systems.segments.state.fighter import Pair, fighter_of

CLOSE, COMMON = "close", "common"

MODES = (CLOSE, COMMON)


# The GM's word on a pair


UNTOLD = Pair()


def set_pair(combatant: Combatant, foe: str, pair: Pair) -> Events:
    """The event that sets where a foe stands relative to a combatant; none without a change."""
    adjacent = dict(fighter_of(combatant).adjacent)
    if pair == UNTOLD:
        adjacent.pop(foe, None)
    else:
        adjacent[foe] = pair
    return set_pairs(combatant, adjacent)


def set_pairs(combatant: Combatant, adjacent: Mapping[str, Pair]) -> Events:
    """The event that sets where all foes stand relative to a combatant."""
    return queries.set_traits(combatant, adjacent={foe: pair for foe, pair in adjacent.items() if pair != UNTOLD})


def close_quarters_events(state: FightState, combatant_id: str, other_id: str) -> Events:
    """The events that put two at close quarters, each within the other's guard (CS-460, CS-468)."""
    pair = state.combatants[combatant_id], state.combatants[other_id]
    return tuple(
        event
        for first, second in (pair, pair[::-1])
        for event in set_pair(first, second.id, Pair(pair_of(first, second).field, "close"))
    )


def pair_of(combatant: Combatant, foe: Combatant) -> Pair:
    """Where a foe stands relative to a combatant, by GM ruling."""
    return fighter_of(combatant).adjacent.get(foe.id, UNTOLD)


def restore_distance(combatant: Combatant) -> Events:
    """The events of a combatant stepping back from foes who had got inside its guard (CS-322)."""
    adjacent = fighter_of(combatant).adjacent
    if not any(pair.mode == CLOSE for pair in adjacent.values()):
        return ()
    restored_pairs = {combatant_id: Pair(pair.field) for combatant_id, pair in adjacent.items() if pair.mode == CLOSE}
    return set_pairs(combatant, {**adjacent, **restored_pairs})


def shut_fields(combatant: Combatant) -> frozenset[Field]:
    """The fields that comrades at the combatant's side or back close (CS-308)."""
    shut = fields_of_record(fighter_of(combatant).shut_fields)
    return frozenset(field for field in FIELDS if shut[field])


# Foes who have met and not parted since (CS-236)


def sorted_pair(name: str, other: str) -> MetPair:
    """Two foes as a pair."""
    return (name, other) if name < other else (other, name)


def set_met_pairs(state: FightState, pairs: Iterable[MetPair]) -> Events:
    """The event that these are all the pairs who have met."""
    return queries.set_fact(state, "met", tuple(pairs))


def remove_met_pairs(state: FightState, combatant_id: str) -> Events:
    """The events that remove a combatant who has left from the pairs."""
    return (
        *set_met_pairs(state, (pair for pair in battle_of(state).met if combatant_id not in pair)),
        *set_chances(state, (pair for pair in battle_of(state).chances if combatant_id not in pair)),
    )


def foes_met(state: FightState, combatant: Combatant) -> frozenset[str]:
    """The ids of the foes whom a combatant has met and not parted from."""
    pairs = (pair for pair in battle_of(state).met if combatant.id in pair)
    return frozenset(second if first == combatant.id else first for first, second in pairs)


# Opportunity Actions that have been offered since their paths met (L2549)


def set_chances(state: FightState, pairs: Iterable[tuple[str, str]]) -> Events:
    """The events that these have had their chance, each with the foe."""
    return queries.set_fact(state, "chances", tuple(dict.fromkeys(pairs)))


def use_chance(state: FightState, combatant_id: str, foe_id: str) -> Events:
    """The events that a combatant has its one chance to act on a passing foe."""
    return set_chances(state, (*battle_of(state).chances, (combatant_id, foe_id)))


def renew_chances(state: FightState, combatant_id: str, foe_id: str) -> Events:
    """The events that two whose paths meet again have a new chance."""
    two = {combatant_id, foe_id}
    return set_chances(state, (pair for pair in battle_of(state).chances if set(pair) != two))


# Hidden foes who have been noticed (CS-265)


def make_aware(combatant: Combatant, foe: Combatant) -> Events:
    """The event that a combatant knows where a foe hides."""
    aware_of = fighter_of(combatant).aware_of
    return () if foe.id in aware_of else queries.set_traits(combatant, aware_of=(*aware_of, foe.id))


def noticed_without(combatant: Combatant, combatant_id: str) -> tuple[str, ...]:
    """The hidden foes that a combatant has noticed, without one of them."""
    return tuple(aware_id for aware_id in fighter_of(combatant).aware_of if aware_id != combatant_id)


# Queries


def has_noticed(combatant: Combatant, foe: Combatant) -> bool:
    """CS-265: whether a foe is in the open, or has been noticed in hiding by this combatant."""
    return not foe.hidden or foe.id in fighter_of(combatant).aware_of


def aware_check(state: FightState, combatant: Combatant, target: Combatant) -> Check:
    """CS-265: check that a combatant knows where a hidden target is; friends do."""
    return Check(
        has_noticed(combatant, target) or not state.are_foes(combatant.id, target.id),
        "CS-265",
        f"{combatant.name} doesn't know where {target.name} is",
        (ANOTHER_TARGET, "an Awareness check after a shot"),
    )


def others_known(state: FightState, combatant: Combatant) -> tuple[Combatant, ...]:
    """CS-265: all others who are up, without the hidden foes whom a combatant has not found."""
    others = (other for other in queries.all_able(state) if other.id != combatant.id)
    return tuple(other for other in others if aware_check(state, combatant, other).holds)
