"""Walking: an Action like any other (ST-28). The text says nothing of distances, so how far is the GM's to say."""

from fightcall_engine.kit.checks import enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.movement import (
    chosen_way,
    contacts_of_move,
    facing_after,
    ground_of,
    is_on_board,
    ruled_ground,
)
from fightcall_engine.model import events as ev
from fightcall_engine.model.commands import Move
from fightcall_engine.model.errors import Refused
from fightcall_engine.systems.turns import events as tev
from fightcall_engine.systems.turns import figures as fg
from fightcall_engine.systems.turns.deeds import act_checks, pay_actions

FAR = 99
"""Places that a walk may take: more than a table has."""


def decide_move(decision: Decision, command: Move) -> ev.Events:
    """Walk for one Action, or for as many as the GM says that the ground asks."""
    state, referee = decision.state, decision.referee
    combatant = combatant_of(state, command.who)
    price = ruled_ground(command.ground, 1)
    enforce(act_checks(state, combatant, price), referee)
    way = chosen_way(state, combatant, command.path, command.to)
    if is_on_board(state, combatant):
        ground_of(state, combatant, way, referee)
        count = len(way)
    else:
        if command.path or command.to is not None:
            raise Refused("path", "without a board a move is a number of places", ("hexes",), final=True)
        if command.hexes < 1:
            raise Refused("hexes", f"{command.hexes} places", ("1 or more",), final=True)
        count = command.hexes
    contacts = contacts_of_move(state, combatant, way, command.meets)
    scale = state.board.scale if state.board is not None else 5.0
    cost: ev.Event = pay_actions(combatant, price, f"move {count}")
    if fg.mode(state) == fg.FREE:
        cost = tev.TurnTaken(who=combatant.id, what=f"move {count}")
    moved = ev.Moved(
        who=combatant.id, hexes=count, feet=count * scale, path=way, facing=facing_after(state, combatant, way)
    )
    return (cost, moved, *contacts)
