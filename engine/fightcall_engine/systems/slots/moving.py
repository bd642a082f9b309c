"""Moving, as one of the things that slots buy (AP-16, AP-19; Q-A21: the text prints no price)."""

from math import ceil

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.paths import path as find_path
from fightcall_engine.checks import Check, enforce
from fightcall_engine.commands import Move
from fightcall_engine.contacts import contact_events
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.slots import figures as fg
from fightcall_engine.systems.slots.acting import reserve_checks, spend
from fightcall_engine.systems.slots.figures import SLOTS
from fightcall_engine.systems.slots.prices import (
    FINAL_TIMES,
    Price,
    affordable,
    is_dear,
    plain_price,
    pool_of,
)


def stride(state: FightState, one: Combatant) -> int:
    """Places of open ground that one slot buys."""
    own = fg.number(one, "stride")
    usual = state.settings.get("places_per_slot", 2)
    return max(1, own if own is not None else usual if isinstance(usual, int) else 2)


def move_price(state: FightState, one: Combatant, ground: int) -> Price:
    """The slots for so much ground, by the time at which it is walked (AP-21, AP-23)."""
    return plain_price(state, ceil(ground / stride(state, one)), pool_of(one))


def range_of(state: FightState, one: Combatant) -> int:
    """How many places of open ground a combatant's slots are good for now; an NPC goes where the GM wants (AP-05)."""
    if not fg.is_pc(one):
        return 99
    pool = pool_of(one)
    times = FINAL_TIMES if is_dear(state, pool) else 1
    return one.pool(pool).now // times * stride(state, one)


def move_checks(state: FightState, one: Combatant) -> tuple[Check, ...]:
    """AP-19: in one's own Active Phase, or with Reserved Slots (Q-A21); NPCs at any time (AP-05)."""
    if not fg.is_pc(one):
        return (Check(one.able, "AP-05", f"{one.name} cannot act", ("an able combatant",)),)
    if pool_of(one) == SLOTS:
        return fg.active_checks(state, one)
    free = state.settings.get("reserved_moves", "yes") == "yes"
    return (
        *reserve_checks(state, one),
        Check(free, "AP-20", "Reserved Slots do not pay for moving", ("a setting: reserved_moves",)),
    )


def _way(state: FightState, one: Combatant, command: Move) -> tuple[Hex, ...]:
    board = state.board
    if board is None or one.at is None:
        return ()
    if command.path:
        return command.path
    if command.to is None or not board.contains(command.to):
        raise Refused("path", "on a board a move needs a path", ("path", "to"), final=True)
    enemies = {
        other.at for other in state.combatants.values() if other.at and other.able and other.side != one.side
    }
    found = find_path(board, one.at, command.to, closed=enemies - {command.to})
    if found is None:
        raise Refused(
            "path", f"there is no way to {board.name_of(command.to)}", ("another place",), final=True
        )
    return found


def _ground(state: FightState, one: Combatant, way: tuple[Hex, ...], referee: Referee) -> int:
    """What the way asks of whoever walks it; every step is to a free or friendly neighbour."""
    board, here = state.board, one.at
    if board is None or here is None or not way:
        raise Refused("path", "no places to walk", ("path", "to"), final=True)
    total = 0
    for place in way:
        if not board.contains(place) or place not in board.neighbours(here):
            near = tuple(board.name_of(one) for one in board.neighbours(here))
            raise Refused(
                "path", f"{board.name_of(place)} is not next to {board.name_of(here)}", near, final=True
            )
        cost = board.cost_of(place)
        referee.require(cost is not None, "path", f"{board.name_of(place)} cannot be entered", "another way")
        other = state.standing_at(place)
        free = other is None or other == one.id or (place != way[-1] and not state.opposed(one.id, other))
        referee.require(free, "path", f"{board.name_of(place)} is taken by {other}", "a free place")
        total, here = total + (1 if cost is None else cost), place
    return total


def decide_move(state: FightState, command: Move, dice: Dice, referee: Referee) -> ev.Events:
    """Walk, and pay the slots for it."""
    one = combatant_of(state, command.who)
    enforce(move_checks(state, one), referee)
    way = _way(state, one, command)
    on_board = state.board is not None and one.at is not None
    if not on_board and (command.path or command.to):
        raise Refused("path", "without a board a move is a number of places", ("hexes",), final=True)
    if not on_board and command.hexes < 1:
        raise Refused("hexes", f"{command.hexes} places", ("1 or more",), final=True)
    ground = _ground(state, one, way, referee) if on_board else command.hexes
    count = len(way) if on_board else command.hexes
    paid: ev.Events = ()
    if fg.is_pc(one):
        price = move_price(state, one, ground)
        enforce((affordable(one, price),), referee)
        paid = spend(one, price, f"move {count}")
    scale = state.board.scale if state.board else 5.0
    moved = ev.Moved(who=one.id, hexes=count, feet=count * scale, path=way, facing=_facing(state, one, way))
    contacts = contact_events(state, one.id, way[-1]) if way else ()
    return (moved, *paid, *contacts)


def _facing(state: FightState, one: Combatant, way: tuple[Hex, ...]) -> int | None:
    if not way or one.at is None or state.board is None:
        return one.facing
    return state.board.bearing(way[-2] if len(way) > 1 else one.at, way[-1])
