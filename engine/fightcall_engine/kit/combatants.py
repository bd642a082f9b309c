"""Finding the combatant that is meant; harm that lands on one, what heals, and what is spent."""

from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DamageApplied, Healed, Refilled, Spent
from fightcall_engine.model.state import Combatant, FightState


def ids_called(state: FightState, name: str) -> tuple[str, ...]:
    """The ids of those whom a text names: by id, else by label, else by name in any case; several may share a name."""
    if name in state.combatants:
        return (name,)
    folded_name = name.strip().casefold()
    people = state.combatants.values()
    by_label = tuple(combatant.id for combatant in people if combatant.label.casefold() == folded_name)
    return by_label or tuple(combatant.id for combatant in people if combatant.name.casefold() == folded_name)


def combatant_of(state: FightState, name: str) -> Combatant:
    """The combatant with this id, label, or name that nobody else has.

    Raises:
        Refused: listing those who fight, or those who share the name.
    """
    matches = ids_called(state, name)
    if len(matches) == 1:
        return state.combatants[matches[0]]
    if matches:
        raise Refused("who", f"{len(matches)} are called {name!r}", matches, final=True)
    somebody = tuple(state.combatants) or ("join Ash",)
    raise Refused("who", f"nobody here is {name!r}", somebody, final=True)


def harm(state: FightState, combatant_id: str, amount: int, pool: str, by: str = "") -> DamageApplied:
    """The fact that harm lands on a combatant; recorded even where there is no pool to take it from."""
    combatant = state.combatants[combatant_id]
    points = combatant.pool(pool)
    left = max(0, points.now - amount)
    return DamageApplied(
        who=combatant_id,
        pool=pool,
        before=points.now,
        left=left,
        max=points.max,
        amount=amount,
        by=by,
        tracked=pool in combatant.pools,
    )


def healing(state: FightState, combatant_id: str, amount: int, pool: str) -> Healed:
    """The fact that a combatant gets back so much of a pool, up to its most."""
    points = state.combatants[combatant_id].pool(pool)
    left = min(points.max, points.now + amount)
    return Healed(who=combatant_id, pool=pool, before=points.now, left=left, max=points.max, amount=left - points.now)


def spending(state: FightState, combatant_id: str, amount: int, pool: str, purpose: str = "") -> Spent:
    """The fact that a combatant spends so much of a pool, or all that is left of it."""
    points = state.combatants[combatant_id].pool(pool)
    left = max(0, points.now - amount)
    return Spent(
        who=combatant_id,
        pool=pool,
        before=points.now,
        left=left,
        max=points.max,
        amount=points.now - left,
        purpose=purpose,
    )


def refilling(state: FightState, combatant_id: str, pool: str) -> Refilled:
    """The fact that a combatant has all of a pool again."""
    points = state.combatants[combatant_id].pool(pool)
    return Refilled(who=combatant_id, pool=pool, before=points.now, left=points.max, max=points.max)
