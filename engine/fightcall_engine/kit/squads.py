"""Squads: identical combatants who joined together, for as long as they stay identical.

Nothing is recorded when a combatant splits off: it follows from the state. Members that differ from the others in what
matters are apart, until they are alike again.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fightcall_engine.kit.plugins import system_of
from fightcall_engine.model.commands import Command, Join
from fightcall_engine.model.sight import unique_id
from fightcall_engine.model.state import Combatant, Effect, FightState, Json, Pool
from fightcall_engine.model.values import copy_with

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def alike(state: FightState, combatant_id: str) -> tuple[str, ...]:
    """The members of a combatant's squad that do not differ from it in what matters, itself included, in roster order.

    What matters: whether they are able and hidden, their sheets, pools, traits and effects. What does not: names,
    labels, places, wounds and the system's `BaseSystem.own_traits`. A combatant without a squad, or unknown, is alone.

    Args:
        state: the fight.
        combatant_id: a combatant's id.
    """
    combatant = state.combatants.get(combatant_id)
    if combatant is None or not combatant.squad:
        return (combatant_id,)
    system = system_of(state)
    return tuple(
        other.id for other in state.combatants.values() if other is combatant or _is_same(combatant, other, system)
    )


def who_act_together(system: "BaseSystem", state: FightState, combatant_id: str, command: Command) -> tuple[str, ...]:
    """The members of a squad who do a command given for all alike: of an act of the running step, those still to act.

    What the GM does to them, or forces, applies to all of them.

    Args:
        system: the fight's rules.
        state: the fight.
        combatant_id: whose command it is.
        command: the command for all.
    """
    members = alike(state, combatant_id)
    waiting = system.waiting(state)
    if command.force or combatant_id not in waiting:
        return members
    is_act = any(option.command == command.type for option in system.options(state, combatant_id))
    return tuple(member for member in members if member in waiting) if is_act else members


def why_apart(state: FightState, combatant_id: str, other: str) -> str:
    """Why a member of a squad does not act together with another; empty if they are alike."""
    if are_alike(state, combatant_id, other):
        return ""
    two, combatant, system = state.combatants[other], state.combatants[combatant_id], system_of(state)
    if not two.able:
        return "down"
    if two.hidden != combatant.hidden:
        return "hidden" if two.hidden else "in sight"
    if [effect.name for effect in two.effects] != [effect.name for effect in combatant.effects]:
        return ", ".join(effect.name for effect in two.effects) or f"not {combatant.effects[0].name}"
    if _pools(two, system) != _pools(combatant, system):
        name = _first_difference(_pools(two, system), _pools(combatant, system))
        pool_name = system.words(state.settings).pool(name)
        return f"{two.pools[name].now} of {two.pools[name].max} {pool_name}"
    if two.side != combatant.side:
        return f"of the {system.words(state.settings).sides.get(two.side, two.side)}"
    if two.sheet != combatant.sheet:
        return f"other {_first_difference(two.sheet, combatant.sheet).replace('_', ' ')} on the sheet"
    differences = [each for each, like in zip(_impersonal(two), _impersonal(combatant), strict=True) if each != like]
    if differences:
        return (
            f"{differences[0].name}, {differences[0].left} left"
            if differences[0].left is not None
            else f"another {differences[0].name}"
        )
    traits = _shared_traits(two.remembered, system.own_traits)
    name = _first_difference(traits, _shared_traits(combatant.remembered, system.own_traits))
    value, name = traits.get(name), name.replace("_", " ")
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {value}" if isinstance(value, str | int) and value != "" else f"other {name}"


def _first_difference(values: Mapping[str, object], others: Mapping[str, object]) -> str:
    """The key of the first value in which two mappings differ."""
    return next(name for name in (*values, *others) if values.get(name) != others.get(name))


def are_alike(state: FightState, combatant_id: str, other: str) -> bool:
    """True if two belong to one squad and do not differ in what matters; see `alike`."""
    combatant, two = state.combatants[combatant_id], state.combatants[other]
    return bool(combatant.squad) and _is_same(combatant, two, system_of(state))


def _is_same(combatant: Combatant, other: Combatant, system: "BaseSystem") -> bool:
    own_traits = system.own_traits
    return (
        combatant.squad == other.squad
        and combatant.side == other.side
        and combatant.able == other.able
        and combatant.hidden == other.hidden
        and _pools(combatant, system) == _pools(other, system)
        and combatant.sheet == other.sheet
        and _shared_traits(combatant.remembered, own_traits) == _shared_traits(other.remembered, own_traits)
        and _impersonal(combatant) == _impersonal(other)
    )


def _pools(combatant: Combatant, system: "BaseSystem") -> Mapping[str, Pool]:
    """The pools that matter: all but the one of health, for the hurt still act with the others."""
    return {name: pool for name, pool in combatant.pools.items() if name != system.health}


def _shared_traits(traits: Mapping[str, Json], own: frozenset[str]) -> Mapping[str, Json]:
    return {name: value for name, value in traits.items() if name not in own} if own else traits


def _impersonal(combatant: Combatant) -> tuple[Effect, ...]:
    """A combatant's effects without their ids, and without its own id as their clock."""
    return tuple(
        copy_with(effect, id="", clock="bearer" if effect.clock == combatant.id else effect.clock)
        for effect in combatant.effects
    )


def squad_of(name: str, count: int, others: Iterable[Combatant | Join]) -> str:
    """An unused squad for `count` combatants who join under a name; empty for a single one."""
    return unique_id(name, {other.squad for other in others}) if count > 1 else ""
