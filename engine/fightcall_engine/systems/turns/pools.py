"""How pools change: spent, refilled, healed, or set by the GM's word; never below 0, nor above what they hold."""

from fightcall_engine.kit.combatants import change_pool
from fightcall_engine.kit.decision import Decision
from fightcall_engine.model.events import Healed, PoolAdjusted, Refilled, Spent
from fightcall_engine.model.state import Combatant, Json


def spend(
    decision: Decision, event: type[Spent], combatant: Combatant, pool: str, amount: int, **details: Json
) -> None:
    """So much of a pool is spent, nothing where there is no such pool; `details` are the event's own fields."""
    if pool in combatant.pools:
        left = max(0, combatant.pool(pool).now - amount)
        decision.emit(change_pool(event, combatant, pool, left, amount=amount, **details))


def heal(
    decision: Decision, event: type[Healed], combatant: Combatant, pool: str, amount: int, **details: Json
) -> None:
    """So much of a pool comes back, as far as there is room for it; nothing where there is no such pool."""
    points = combatant.pool(pool)
    if pool in combatant.pools:
        left = min(points.max, points.now + amount)
        decision.emit(change_pool(event, combatant, pool, left, amount=left - points.now, **details))


def refill(decision: Decision, event: type[Refilled], combatant: Combatant, pool: str) -> None:
    """All of a pool comes back."""
    decision.emit(change_pool(event, combatant, pool, combatant.pool(pool).max))


def adjust(decision: Decision, combatant: Combatant, pool: str, left: int, most: int, reason: str) -> None:
    """A pool has another maximum, or holds another number."""
    before = combatant.pool(pool).now
    decision.emit(PoolAdjusted(who=combatant.id, pool=pool, before=before, left=left, max=most, reason=reason))
