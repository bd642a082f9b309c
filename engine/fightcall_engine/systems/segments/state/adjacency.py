"""How foes about somebody stand, where the board does not tell."""

from __future__ import annotations

from collections.abc import Mapping

from fightcall_engine.model.events import Events
from fightcall_engine.model.state import Combatant, FightState, fields_of_record
from fightcall_engine.systems.segments.rules.melee import FIELDS, Field
from fightcall_engine.systems.segments.state import figures
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


def close_in(state: FightState, name: str, other: str) -> Events:
    """Two who stand at close quarters from now on, each within the other's guard (CS-460, CS-468)."""
    both = ((state.combatants[name], state.combatants[other]), (state.combatants[other], state.combatants[name]))
    return tuple(
        event
        for first, second in both
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
