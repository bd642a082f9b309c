"""Changing pools: spending, refilling, healing and adjusting, never below 0 or above the maximum."""

from fightcall_engine.kit.combatants import change_pool
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import Healed, PoolAdjusted, Refilled, Spent
from fightcall_engine.model.state import Combatant, Json


def spend(
    decision: Decision, event: type[Spent], combatant: Combatant, pool: str, amount: int, **details: Json
) -> None:
    """The event of spending a pool, none without such a pool; `details` are the event's own fields."""
    if pool in combatant.pools:
        left = max(0, combatant.pool(pool).now - amount)
        decision.emit(change_pool(event, combatant, pool, left, amount=amount, **details))


def heal(
    decision: Decision, event: type[Healed], combatant: Combatant, pool: str, amount: int, **details: Json
) -> None:
    """The events of restoring an amount of a pool, up to its maximum; none without such a pool."""
    points = combatant.pool(pool)
    if pool in combatant.pools:
        left = min(points.max, points.now + amount)
        decision.emit(change_pool(event, combatant, pool, left, amount=left - points.now, **details))


def refill(decision: Decision, event: type[Refilled], combatant: Combatant, pool: str) -> None:
    """The event of refilling a pool."""
    decision.emit(change_pool(event, combatant, pool, combatant.pool(pool).max))


def adjust(decision: Decision, combatant: Combatant, pool: str, left: int, most: int, reason: str) -> None:
    """The event of changing a pool's maximum or value."""
    before = combatant.pool(pool).now
    decision.emit(PoolAdjusted(who=combatant.id, pool=pool, before=before, left=left, max=most, reason=reason))
