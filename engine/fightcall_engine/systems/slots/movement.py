"""Movement, paid with slots (AP-16, AP-19). The text prints no price for it (Q-A21)."""

from math import ceil

from fightcall_engine.board.base import Location
from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.movement import plan_walk, take_walk
from fightcall_engine.kit.records import sheet_int
from fightcall_engine.model.commands import Move
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.slots import queries
from fightcall_engine.systems.slots.acts import reserve_checks, spend
from fightcall_engine.systems.slots.interrupts import record_act
from fightcall_engine.systems.slots.prices import (
    FINAL_MULTIPLIER,
    Price,
    affordable_check,
    is_quadrupled,
    pool_of,
    price_of_slots,
)
from fightcall_engine.systems.slots.queries import SLOTS
from fightcall_engine.systems.slots.settings import settings_of
from fightcall_engine.systems.slots.zone_marks import entry_price


def stride(state: FightState, combatant: Combatant) -> int:
    """Places of open ground for one slot."""
    sheet_stride = sheet_int(combatant, "stride")
    return max(1, sheet_stride if sheet_stride is not None else settings_of(state).places_per_slot)


def move_price(state: FightState, combatant: Combatant, ground: int, extra: int = 0) -> Price:
    """The price of a walk over so much ground, and of entering marked zones (`extra` slots), now (AP-21, AP-23)."""
    return price_of_slots(state, ceil(ground / stride(state, combatant)) + extra, pool_of(combatant))


def _cost_of(state: FightState, combatant: Combatant, place: Location) -> int | None:
    """The cost of entering a place, in ground, with the slots for its marks: going round a fire may be cheaper."""
    ground = state.board.cost_of(place) if state.board is not None else None
    return None if ground is None else ground + entry_price(state, (place,)) * stride(state, combatant)


def range_of(state: FightState, combatant: Combatant) -> int:
    """The open ground that a combatant's slots pay for now, in places; NPCs have no limit to speak of (AP-05)."""
    if not queries.is_pc(combatant):
        return 99
    pool = pool_of(combatant)
    times = FINAL_MULTIPLIER if is_quadrupled(state, pool) else 1
    return combatant.pool(pool).now // times * stride(state, combatant)


def ground_left(state: FightState, command: Move, step_count: int) -> int:
    """The ground still to be paid for when a walk is stopped after `step_count` places; a begun slot is used up."""
    combatant, board = state.combatants[command.who], state.board
    if board is None:
        return 0
    costs = [
        (board.cost_of(place) or 1) + entry_price(state, (place,)) * stride(state, combatant) for place in command.path
    ]
    ground_paid = ceil(sum(costs[:step_count]) / stride(state, combatant)) * stride(state, combatant)
    return max(0, sum(costs) - ground_paid)


def move_checks(state: FightState, combatant: Combatant) -> tuple[Check, ...]:
    """AP-19: the checks of moving: in one's Active Phase or from reserve (Q-A21); NPCs at any time (AP-05)."""
    if not queries.is_pc(combatant):
        return (Check(combatant.able, "AP-05", f"{combatant.name} can't act", ("an able combatant",)),)
    if pool_of(combatant) == SLOTS:
        return queries.active_checks(state, combatant)
    free = settings_of(state).reserved_moves == "yes"
    return (
        *reserve_checks(state, combatant),
        Check(free, "AP-20", "Reserved Slots can't pay for moving", ("a setting: reserved_moves",)),
    )


@handles(Move)
def move(decision: Decision, command: Move) -> None:
    """Walk, and spend the slots for it."""
    state, combatant = decision.state, decision.combatant(command.who)
    decision.require(*move_checks(state, combatant))
    walk = plan_walk(decision, command, cost=lambda place: _cost_of(state, combatant, place))
    if not queries.is_pc(combatant):
        take_walk(decision, walk)
        return
    extra = entry_price(state, walk.path) if command.ground is None else 0
    price = move_price(state, combatant, walk.ground, extra)
    decision.require(affordable_check(combatant, price))
    record_act(decision, combatant.id, price.pool)
    decision.set_traits(combatant.id, doing=f"move {walk.places}")
    take_walk(decision, walk)
    spend(decision, combatant.id, price, f"move {walk.places}")
