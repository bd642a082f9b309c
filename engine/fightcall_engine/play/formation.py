"""Walking as a squad by one command: each member goes as near as possible to the goal of the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.movement import taken_places
from fightcall_engine.kit.ways import ways_of
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.values import copy_with, field_names

if TYPE_CHECKING:
    from collections.abc import Collection

    from fightcall_engine.board.base import Location
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.commands import Command
    from fightcall_engine.model.state import FightState


def goal_of(state: FightState, command: Command) -> Location | None:
    """The goal of a walk on a grid; None for any other command, or if it names no goal."""
    if grid_board(state.board) is None or not {"path", "to"} <= set(field_names(type(command))):
        return None
    path: tuple[Location, ...] = command.path  # type: ignore[attr-defined]
    to: Location | None = command.to  # type: ignore[attr-defined]
    return path[-1] if path else to


def walk_along(
    system: BaseSystem, state: FightState, combatant_id: str, command: Command, goals: Collection[Location]
) -> Command:
    """The walk of a member who follows others: to the place in reach nearest to their goals.

    Args:
        system: the fight's rules.
        state: the fight.
        combatant_id: the member.
        command: the command of the first member.
        goals: the goals of the members before this one, in order.

    Raises:
        Refused: no free place in reach is nearer to the goals than its own.
    """
    mode = _mode_of(system, state, combatant_id, command)
    closed_places = taken_places(state, combatant_id, enemies_only=True)
    ways = ways_of(system, state, combatant_id, mode, closed_places) if mode is not None else None
    if ways is None:
        return command
    board, here, goal, in_reach = ways.board, ways.start, next(iter(goals)), ways.in_reach()
    free = in_reach.keys() - taken_places(state, combatant_id) - set(goals)
    nearest = min(free, key=lambda place: (board.distance(place, goal), in_reach[place], place), default=here)
    if nearest == here:
        name = state.combatants[combatant_id].name
        raise Refused("path", f"{name} gets no nearer to {board.name_of(goal)}", ("another place",), final=True)
    return copy_with(command, path=ways.way_to(nearest) or (), to=None)


def _mode_of(system: BaseSystem, state: FightState, combatant_id: str, command: Command) -> str | None:
    """The mode of movement of a command; None if it is not among the combatant's options."""
    return next(
        (
            field.mode
            for option in system.options(state, combatant_id)
            for field in option.inputs
            if option.command == command.type and field.kind == "path"
        ),
        None,
    )
