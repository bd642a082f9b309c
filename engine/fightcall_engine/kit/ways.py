"""The routes open to a combatant on a grid: what they cost, how far they go, and where they end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fightcall_engine.board.base import Location, find_path, reach
from fightcall_engine.board.kinds import AnyGrid, grid_board
from fightcall_engine.model.values import frozen

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState

FINE = 1000
"""The parts of a unit in which measured steps are counted."""


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
        is_measured: whether a step costs its length, so that it is farther across a square's corner.
    """

    board: AnyGrid
    start: Location
    price: int
    budget: int
    closed_places: frozenset[Location]
    stops: frozenset[Location]
    is_measured: bool = False

    def cost(self, place: Location) -> int | None:
        """What it costs to enter a place over its edge; None if that is impossible."""
        ground = self.board.cost_of(place)
        return None if ground is None else ground * self.price

    def _fine_cost(self, place: Location) -> int | None:
        cost = self.cost(place)
        return None if cost is None else cost * FINE

    def _extra(self, here: Location, there: Location) -> int:
        """What a step costs more than one over an edge, in fine parts."""
        cost = self.cost(there)
        longer = self.board.length(here, there) / self.board.scale - 1
        return round((self.price if cost is None else cost) * longer * FINE)

    def in_reach(self) -> dict[Location, int]:
        """Every place within the budget, with the least cost of getting there, rounded up."""
        if not self.is_measured:
            return reach(
                self.board, self.start, self.budget, cost=self.cost, closed_places=self.closed_places, stops=self.stops
            )
        costs = reach(
            self.board,
            self.start,
            self.budget * FINE,
            cost=self._fine_cost,
            extra=self._extra,
            closed_places=self.closed_places,
            stops=self.stops,
        )
        return {place: -(-cost // FINE) for place, cost in costs.items()}

    def way_to(self, place: Location) -> tuple[Location, ...] | None:
        """The places entered on the cheapest way; None if there is no way."""
        return find_path(
            self.board,
            self.start,
            place,
            cost=self._fine_cost if self.is_measured else self.cost,
            extra=self._extra if self.is_measured else None,
            closed_places=self.closed_places,
            stops=self.stops,
        )

    def costs_along(self, way: Iterable[Location]) -> tuple[int, ...]:
        """The cost of a way up to each of its places, rounded up. Blocked ground counts as open."""
        totals, total, here = [], 0, self.start
        for place in way:
            cost = self.cost(place)
            total += (self.price if cost is None else cost) * FINE
            total += self._extra(here, place) if self.is_measured else 0
            totals.append(-(-total // FINE))
            here = place
        return tuple(totals)


def ways_of(
    system: BaseSystem, state: FightState, combatant_id: str, mode: str, closed_places: frozenset[Location]
) -> Ways | None:
    """The ways of a combatant in a mode of movement; None if the board is no grid."""
    board, start = grid_board(state.board), state.combatants[combatant_id].at
    if board is None or start is None:
        return None
    budget, stops = system.travel(state, combatant_id, mode)
    halts = frozenset(place for place in stops if isinstance(place, board.cell))
    price = system.step_price(state, combatant_id, mode)
    return Ways(board, start, price, budget, closed_places, halts, is_measured=system.measures_steps)
