"""The way that somebody has planned: names of places, as the board has them (CS-230)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fightcall_engine.board.base import Location
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.systems.segments.state.fighter import fighter_of


def names_of_way(state: FightState, way: tuple[Location, ...]) -> tuple[str, ...]:
    """A way as a `Fighter` keeps it."""
    board = state.board
    return () if board is None else tuple(board.name_of(place) for place in way)


def places_of_way(state: FightState, names: tuple[str, ...]) -> Iterator[Location]:
    """The places of such a way, found one by one, up to the first that is none."""
    board = state.board
    if board is None:
        return
    for name in names:
        try:
            yield board.parse(name)
        except ValueError:
            return


def has_plan(combatant: Combatant) -> bool:
    """True for somebody who has a way planned."""
    return bool(fighter_of(combatant).plan) or fighter_of(combatant).plan_feet > 0


NO_WAY: Mapping[str, Json] = {"plan": (), "plan_feet": 0.0, "plan_speed": 0.0, "following": ""}
"""The traits of who has planned no way."""
