"""How foes about somebody stand, where the board does not tell: the trait ``adjacent``, such as ``orc:RS:close``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from fightcall_engine.model import events as ev
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.rules.melee import FIELDS, Field, MeleeMode
from fightcall_engine.systems.segments.state import figures as fg
from fightcall_engine.systems.segments.state.fighter import fighter_of

CLOSE, COMMON = "close", "common"

MODES = (CLOSE, COMMON)


# What the GM has said of a pair


@dataclass(frozen=True, slots=True)
class Pair:
    """How a foe stands to somebody, where the board does not tell.

    Attributes:
        field: the Field of Approach he is in; None where nobody has said.
        mode: close where he has got inside the guard, or the mode the GM has ruled; None for what weapons make it.
    """

    field: Field | None = None
    mode: MeleeMode | None = None


UNTOLD = Pair()


def pairs_of(combatant: Combatant) -> dict[str, Pair]:
    """What has been said of the foes about somebody: the trait ``adjacent``, such as ``orc:RS:close goblin:R``."""
    found: dict[str, Pair] = {}
    for word in fighter_of(combatant).adjacent.split():
        combatant_id, field, mode, *_ = (*word.split(":"), "", "")
        pair = Pair(
            cast(Field, field.upper()) if field.upper() in FIELDS else None,
            cast(MeleeMode, mode) if mode in MODES else None,
        )
        if combatant_id and pair != UNTOLD:
            found[combatant_id] = pair
    return found


def with_pair(combatant: Combatant, foe: str, pair: Pair) -> ev.Events:
    """The fact that a foe stands so to somebody from now on; none where he does already."""
    told = pairs_of(combatant)
    if pair == UNTOLD:
        told.pop(foe, None)
    else:
        told[foe] = pair
    return with_pairs(combatant, told)


def with_pairs(combatant: Combatant, told: Mapping[str, Pair]) -> ev.Events:
    """The fact that all foes of whom something is known stand so to somebody from now on."""
    return fg.set_traits(combatant, adjacent=_words(told))


def brought_close(state: FightState, name: str, other: str) -> ev.Events:
    """Two who stand at close quarters from now on, each within the other's guard (CS-460, CS-468)."""
    both = ((state.combatants[name], state.combatants[other]), (state.combatants[other], state.combatants[name]))
    return tuple(
        event
        for first, second in both
        for event in with_pair(first, second.id, Pair(pair_of(first, second).field, "close"))
    )


def _word(combatant_id: str, pair: Pair) -> str:
    return f"{combatant_id}:{pair.field or ''}:{pair.mode or ''}".rstrip(":")


def pair_of(combatant: Combatant, foe: Combatant) -> Pair:
    """What has been said of one foe."""
    return pairs_of(combatant).get(foe.id, UNTOLD)


def restore_distance(combatant: Combatant) -> ev.Events:
    """A step of one's own restores the space before a foe who had got inside (CS-322)."""
    told = pairs_of(combatant)
    if not any(pair.mode == CLOSE for pair in told.values()):
        return ()
    left = {combatant_id: Pair(pair.field) for combatant_id, pair in told.items() if pair.mode == CLOSE}
    return with_pairs(combatant, {**told, **left})


def _words(told: Mapping[str, Pair]) -> str:
    return " ".join(_word(combatant_id, pair) for combatant_id, pair in told.items() if pair != UNTOLD)


def shut_fields(combatant: Combatant) -> frozenset[Field]:
    """The fields that comrades at his side or back close (CS-308): the trait ``shut_fields``, such as ``RS RR``."""
    words = fighter_of(combatant).shut_fields.upper().replace(",", " ").split()
    return frozenset(word for word in words if word in FIELDS)
