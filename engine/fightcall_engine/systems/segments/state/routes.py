"""The way that somebody has planned: the trait ``plan``, names of places parted by blanks (CS-230)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fightcall_engine.board.base import Location
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.state.fighter import fighter_of


def way_text(state: FightState, way: tuple[Location, ...]) -> str:
    """A way as the trait ``plan`` keeps it: the names of its places."""
    board = state.board
    return "" if board is None else " ".join(board.name_of(place) for place in way)


def way_read(state: FightState, text: str) -> Iterator[Location]:
    """The places of such a text, read one by one, up to the first that is none."""
    board = state.board
    if board is None:
        return
    for word in text.split():
        try:
            yield board.parse(word)
        except ValueError:
            return


def way_left(text: str, walked: int) -> str:
    """What is left of such a text when so many places of it have been walked."""
    return " ".join(text.split()[walked:])


def has_plan(combatant: Combatant) -> bool:
    """True for somebody who has a way planned."""
    return bool(fighter_of(combatant).plan) or fighter_of(combatant).plan_feet > 0


NO_WAY: Mapping[str, str | float] = {"plan": "", "plan_feet": 0.0, "plan_speed": 0.0, "following": ""}
"""The traits of who has planned no way."""
