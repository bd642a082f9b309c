"""Prices of acts, by phase and pool (AP-21, AP-23, AP-24; rules digest, section 2.5)."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.slots import queries
from fightcall_engine.systems.slots.abilities import Ability
from fightcall_engine.systems.slots.queries import RESERVED, SLOTS
from fightcall_engine.systems.slots.records import DONE, fighter_of
from fightcall_engine.systems.slots.settings import settings_of

FINAL_MULTIPLIER = 4
ACTIVE_TIME, RESERVED_TIME, FINAL_TIME = "active", "reserved", "final"


@frozen
class Price:
    """A price in slots.

    Attributes:
        total: slots to pay.
        base: the price before it is multiplied for the Final Phase.
        time: the price column: ``active``, ``reserved`` or ``final``.
        pool: what pays: ``slots`` or ``reserved``.
        stated: whether the ability states its own Final price, which is not multiplied (Q-A11).
    """

    total: int
    base: int
    time: str
    pool: str
    stated: bool = False


def is_quadrupled(state: FightState, pool: str, phase: str = "") -> bool:
    """Whether acts paid from a pool cost four times as much (AP-23; Q-A2), in `phase` or in the running one."""
    if (phase or state.phase) != "final":
        return False
    return pool == RESERVED or settings_of(state).final_scope == "everyone"


def price_of(state: FightState, ability: Ability, pool: str, phase: str = "") -> Price:
    """The price of an ability paid from a pool, in `phase` or in the running one."""
    reserved_cost = ability.cost_reserved if ability.cost_reserved is not None else ability.cost
    base = reserved_cost if pool == RESERVED else ability.cost
    time = RESERVED_TIME if pool == RESERVED else ACTIVE_TIME
    if not is_quadrupled(state, pool, phase):
        return Price(base, base, time, pool)
    if ability.cost_final is not None:
        return Price(ability.cost_final, base, FINAL_TIME, pool, stated=True)
    if settings_of(state).final_base == "active_price":
        base = ability.cost
    return Price(FINAL_MULTIPLIER * base, base, FINAL_TIME, pool)


def price_of_slots(state: FightState, slots: int, pool: str) -> Price:
    """The price of an act with one price for all phases (Q-A29: times four in the Final Phase)."""
    return price_of(state, Ability("", slots), pool)


def affordable_check(combatant: Combatant, price: Price, rule: str = "") -> Check:
    """AP-16, AP-21, AP-23: the check that a combatant has the slots for a price."""
    slots_left = combatant.pool(price.pool).now
    what = "in reserve" if price.pool == RESERVED else "left"
    final = price.time == FINAL_TIME
    sum_note = f" ({FINAL_MULTIPLIER} x {price.base} in the Final Phase)" if final and not price.stated else ""
    default_rule = "AP-23" if final else "AP-21" if price.pool == RESERVED else "AP-16"
    return Check(
        price.total <= slots_left,
        rule or default_rule,
        f"costs {price.total}{sum_note}; {combatant.name} has {slots_left} {what}",
        (f"at most {slots_left} slots",),
    )


def next_pool(combatant: Combatant) -> str:
    """The pool for a PC's next act: the reserve once its Active Phase is over, else Action Slots."""
    return RESERVED if fighter_of(combatant).ap == DONE else SLOTS


def pool_of(combatant: Combatant) -> str:
    """The pool that a PC pays from now: Action Slots in its Active Phase, else the reserve."""
    return SLOTS if queries.is_active(combatant) else RESERVED
