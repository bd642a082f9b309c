"""What an act costs, by the time at which it is done (AP-21, AP-23, AP-24; rules digest, section 2.5)."""

from fightcall_engine.kit.checks import Check
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.slots import figures
from fightcall_engine.systems.slots.abilities import Ability
from fightcall_engine.systems.slots.figures import RESERVED, SLOTS
from fightcall_engine.systems.slots.records import DONE
from fightcall_engine.systems.slots.settings import settings_of

FINAL_TIMES = 4
ACTIVE_TIME, RESERVED_TIME, FINAL_TIME = "active", "reserved", "final"


@frozen
class Price:
    """A price and how it comes about.

    Attributes:
        total: slots to pay.
        base: the price before it is taken four times.
        time: which column it is from: active, reserved or final.
        pool: what it is paid from: ``slots`` or ``reserved``.
        stated: the ability states a Final price itself, which is not taken four times (Q-A11).
    """

    total: int
    base: int
    time: str
    pool: str
    stated: bool = False


def is_dear(state: FightState, pool: str, phase: str = "") -> bool:
    """True where an act paid from a pool costs four times as much (AP-23; Q-A2 says whom it hits).

    `phase` is the one it counts as done in; left out, the one that runs.
    """
    if (phase or state.phase) != "final":
        return False
    return pool == RESERVED or settings_of(state).final_scope == "everyone"


def price_of(state: FightState, ability: Ability, pool: str, phase: str = "") -> Price:
    """The price of an ability, paid from a pool: now, or in the phase that it counts as done in."""
    reserved_cost = ability.cost_reserved if ability.cost_reserved is not None else ability.cost
    base = reserved_cost if pool == RESERVED else ability.cost
    time = RESERVED_TIME if pool == RESERVED else ACTIVE_TIME
    if not is_dear(state, pool, phase):
        return Price(base, base, time, pool)
    if ability.cost_final is not None:
        return Price(ability.cost_final, base, FINAL_TIME, pool, stated=True)
    if settings_of(state).final_base == "active_price":
        base = ability.cost
    return Price(FINAL_TIMES * base, base, FINAL_TIME, pool)


def plain_price(state: FightState, slots: int, pool: str) -> Price:
    """The price of something that costs the same number of slots at any time (Q-A29: four times in the Final Phase)."""
    return price_of(state, Ability("", slots), pool)


def affordable(combatant: Combatant, price: Price, rule: str = "") -> Check:
    """AP-16, AP-21, AP-23: enough slots of the right sort."""
    slots_left = combatant.pool(price.pool).now
    what = "in reserve" if price.pool == RESERVED else "left"
    final = price.time == FINAL_TIME
    four = f" ({FINAL_TIMES} x {price.base} in the Final Phase)" if final and not price.stated else ""
    usual = "AP-23" if final else "AP-21" if price.pool == RESERVED else "AP-16"
    return Check(
        price.total <= slots_left,
        rule or usual,
        f"costs {price.total}{four}, {combatant.name} has {slots_left} {what}",
        (f"at most {slots_left} slots",),
    )


def next_pool(combatant: Combatant) -> str:
    """What a PC's next act is paid from: the reserve once its Active Phase is over, else Action Slots."""
    return RESERVED if figures.fighter(combatant).ap == DONE else SLOTS


def pool_of(combatant: Combatant) -> str:
    """What a PC pays from now: its Action Slots in its own Active Phase, else its reserve."""
    return SLOTS if figures.is_active(combatant) else RESERVED
