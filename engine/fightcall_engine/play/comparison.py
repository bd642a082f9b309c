"""Two states of a fight side by side: who stands where, with how much, and under which effects. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fightcall_engine.model.state import Combatant, Effect, FightState
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem

DOWN = "down"
NOTHING = "-"
"""What stands for something that is not there."""


@frozen
class Difference:
    """Something that is not the same in two states.

    Attributes:
        who: the id of the combatant, empty for the fight itself.
        name: the combatant's name, empty for the fight.
        what: ``place``, ``facing``, ``state``, ``effects`` or the name of a pool; of the fight ``status``, ``round``,
            ``now`` or ``time``.
        then: how it is in the first state, in words.
        now: how it is in the second.
    """

    who: str
    name: str
    what: str
    then: str
    now: str


def compare_states(system: BaseSystem, then: FightState, now: FightState) -> tuple[Difference, ...]:
    """What differs between two states of a fight, the fight first, then each combatant."""
    differences = list(_differences("", "", _describe_fight(then), _describe_fight(now)))
    first, second = _describe_all(system, then), _describe_all(system, now)
    for combatant_id in dict.fromkeys((*first, *second)):
        combatant = then.combatants.get(combatant_id) or now.combatants[combatant_id]
        differences += _differences(
            combatant_id, combatant.name, first.get(combatant_id, {}), second.get(combatant_id, {})
        )
    return tuple(differences)


def _differences(combatant_id: str, name: str, then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Difference]:
    for what in dict.fromkeys((*then, *now)):
        before, after = then.get(what, NOTHING), now.get(what, NOTHING)
        if before != after:
            yield Difference(combatant_id, name, what, before, after)


def _describe_fight(state: FightState) -> Mapping[str, str]:
    step = state.step
    return {
        "status": state.status,
        "round": str(state.round),
        "now": step.title if step is not None else NOTHING,
        "time": f"{state.clock_s} s",
    }


def _describe_all(system: BaseSystem, state: FightState) -> Mapping[str, Mapping[str, str]]:
    fields: dict[str, Mapping[str, str]] = {}
    for combatant in state.combatants.values():
        pools = {name: f"{pool.now}/{pool.max}" for name, pool in combatant.pools.items()}
        effects = [_effect_words(effect) for effect in combatant.effects]
        badges = [badge.text for badge in system.card(state, combatant.id).badges if badge.text != DOWN]
        fields[combatant.id] = {
            "state": _state_words(combatant),
            **_place_words(state, combatant),
            **pools,
            "effects": ", ".join((*effects, *badges)) or NOTHING,
        }
    return fields


def _state_words(combatant: Combatant) -> str:
    return ("up" if combatant.able else DOWN) + (", hidden" if combatant.hidden else "")


def _place_words(state: FightState, combatant: Combatant) -> Mapping[str, str]:
    if state.board is None:
        return {}
    place = NOTHING if combatant.at is None else state.board.name_of(combatant.at)
    directions = state.board.directions
    faces = NOTHING
    if combatant.facing is not None:
        faces = directions[combatant.facing] if combatant.facing < len(directions) else str(combatant.facing)
    return {"place": place, "facing": faces}


def _effect_words(effect: Effect) -> str:
    magnitude = f" {effect.magnitude:+d}" if effect.magnitude else ""
    return f"{effect.name}{magnitude}" + (f" ({effect.left})" if effect.left is not None else "")
