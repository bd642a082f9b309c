"""The routes open to a combatant on a grid: what they cost, how far they go, and where they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fightcall_engine.board.base import Location
from fightcall_engine.board.kinds import AnyGrid, grid_board
from fightcall_engine.board.paths import find_path, reach
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState


@frozen
class Ways:
    """Where a combatant can walk on a grid in one mode of movement, and at what cost.

    Attributes:
        board: the map.
        start: where they stand.
        price: what a place of open ground costs.
        budget: what they can spend.
        closed_places: the places that they cannot enter, whatever the ground.
        stops: the places where a walk ends.
    """

    board: AnyGrid
    start: Location
    price: int
    budget: int
    closed_places: frozenset[Location]
    stops: frozenset[Location]

    def cost(self, place: Location) -> int | None:
        """What it costs to enter a place; None if that is impossible."""
        ground = self.board.cost_of(place)
        return None if ground is None else ground * self.price

    def in_reach(self) -> dict[Location, int]:
        """Every place within the budget, with the least cost of getting there."""
        return reach(
            self.board, self.start, self.budget, cost=self.cost, closed_places=self.closed_places, stops=self.stops
        )

    def way_to(self, place: Location) -> tuple[Location, ...] | None:
        """The places entered on the cheapest way; None if there is no way."""
        return find_path(
            self.board, self.start, place, cost=self.cost, closed_places=self.closed_places, stops=self.stops
        )


def ways_of(
    system: BaseSystem, state: FightState, combatant_id: str, mode: str, closed_places: frozenset[Location]
) -> Ways | None:
    """The ways of a combatant in a mode of movement; None if the board is no grid."""
    board, start = grid_board(state.board), state.combatants[combatant_id].at
    if board is None or start is None:
        return None
    budget, stops = system.travel(state, combatant_id, mode)
    halts = frozenset(place for place in stops if isinstance(place, board.cell))
    return Ways(board, start, system.step_price(state, combatant_id, mode), budget, closed_places, halts)
