"""Walking: an Action like any other (ST-28). The text says nothing of distances, so how far is the GM's to say."""

from fightcall_engine import events as ev
from fightcall_engine.basics import combatant_of
from fightcall_engine.board.hexboard import HexBoard
from fightcall_engine.board.hexes import Hex
from fightcall_engine.board.paths import path as find_path
from fightcall_engine.checks import enforce
from fightcall_engine.commands import Move
from fightcall_engine.contacts import contact_events
from fightcall_engine.dice import Dice
from fightcall_engine.errors import Refused
from fightcall_engine.referee import Referee
from fightcall_engine.state import Combatant, FightState
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns.deeds import act_checks, paid

FAR = 99
"""Places that a walk may take: more than a table has."""


def decide_move(state: FightState, command: Move, dice: Dice, referee: Referee) -> ev.Events:
    """Walk for one Action."""
    one = combatant_of(state, command.who)
    enforce(act_checks(state, one), referee)
    board, here = state.board, one.at
    if board is None or here is None:
        if command.path or command.to is not None:
            raise Refused("path", "without a board a move is a number of places", ("hexes",), final=True)
        if command.hexes < 1:
            raise Refused("hexes", f"{command.hexes} places", ("1 or more",), final=True)
        way: tuple[Hex, ...] = ()
        count, contacts, facing = command.hexes, _met(state, one, command.meets), one.facing
    else:
        way = _way(state, board, here, one, command)
        _check_way(state, board, here, one, way, referee)
        count, contacts = len(way), contact_events(state, one.id, way[-1])
        facing = board.bearing(way[-2] if len(way) > 1 else here, way[-1])
    scale = board.scale if board is not None else 5.0
    cost: ev.Event = paid(one, 1, f"move {count}")
    if fg.mode(state) == fg.FREE:
        cost = tev.TurnTaken(who=one.id, what=f"move {count}")
    moved = ev.Moved(who=one.id, hexes=count, feet=count * scale, path=way, facing=facing)
    return (cost, moved, *contacts)


def _met(state: FightState, one: Combatant, meets: str) -> ev.Events:
    if not meets:
        return ()
    enemy = combatant_of(state, meets)
    if enemy.side == one.side:
        raise Refused("meets", f"{enemy.name} is no enemy", ("an enemy",), final=True)
    return () if state.in_contact(one.id, enemy.id) else (ev.ContactMade(who=one.id, enemy=enemy.id),)


def _way(state: FightState, board: HexBoard, here: Hex, one: Combatant, command: Move) -> tuple[Hex, ...]:
    if command.path:
        return command.path
    if command.to is None or not board.contains(command.to):
        raise Refused("path", "on a board a move needs a path", ("path", "to"), final=True)
    enemies = {other.at for other in state.combatants.values() if other.at and other.able and other.side != one.side}
    found = find_path(board, here, command.to, closed=enemies - {command.to})
    if not found:
        raise Refused("path", f"there is no way to {board.name_of(command.to)}", ("another place",), final=True)
    return found


def _check_way(
    state: FightState, board: HexBoard, here: Hex, one: Combatant, way: tuple[Hex, ...], referee: Referee
) -> None:
    """Every step is to a neighbour that can be entered, and past nobody but friends."""
    for place in way:
        if not board.contains(place) or place not in board.neighbours(here):
            near = tuple(board.name_of(other) for other in board.neighbours(here))
            raise Refused("path", f"{place} is not next to {board.name_of(here)}", near, final=True)
        name = board.name_of(place)
        referee.require(board.cost_of(place) is not None, "path", f"{name} cannot be entered", "another way")
        other = state.standing_at(place)
        free = other is None or other == one.id or (place != way[-1] and not state.opposed(one.id, other))
        referee.require(free, "path", f"{name} is taken by {other}", "a free place")
        here = place
