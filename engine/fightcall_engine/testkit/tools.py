"""Random requests of the GM's toolbox, for random play and state machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from fightcall_engine.board.base import AnyBoard
from fightcall_engine.board.kinds import zone_board
from fightcall_engine.model.json_data import to_json
from fightcall_engine.play.fight import Fight
from fightcall_engine.testkit.grounds import GROUNDS

T = TypeVar("T")
Tool = tuple[str, Mapping[str, object]]
"""A command of the toolbox by its name, with its fields."""


class Pick(Protocol):
    """Picks one of several values at random."""

    def __call__(self, values: Sequence[T], /) -> T:
        """Return one of the values; there is at least one."""


def random_tool(fight: Fight, pick: Pick, most: int) -> Tool | None:
    """Pick a command of the toolbox that makes sense now; None if there is none.

    Args:
        fight: the fight.
        pick: picks a value.
        most: the most combatants; nobody is copied or comes back beyond.
    """
    tools = list(_tools(fight, pick, most))
    return pick(tools) if tools else None


def _tools(fight: Fight, pick: Pick, most: int) -> Iterator[Tool]:
    state, board = fight.state, fight.state.board
    people = list(state.combatants)
    rounds = {"rounds": pick((1, 2))} if pick((True, False)) else {}
    if not people:
        return
    who = pick(people)
    health = fight.system.health
    sides = [side for side in (*fight.system.sides, "watch") if side != state.combatants[who].side]
    yield "change_side", {"who": who, "side": pick(sides), **rounds}
    yield "skip_time", {"seconds": pick((5, 60, 600, 86400))}
    yield "area_damage", {"targets": [who], "amount": pick((1, 4)), "by": pick(people), "halved": pick(([], [who]))}
    if len(people) < most:
        pools = {health: 2} if health in state.combatants[who].pools and pick((True, False)) else {}
        yield "copy", {"who": who, "pools": pools, "split": pick((True, False)), **rounds}
        for departed in state.departed.values():
            back = departed.combatant
            yield "join", {"id": back.id, "name": back.name, "at": to_json(back.at), **rounds}
    if len(people) > 1:
        along = [each for each in people if pick((True, True, False))]
        yield "change_map", _next_map(pick(list(GROUNDS.values())), along or [who], pick)
    if board is None:
        return
    if len(people) > 1:
        yield "swap", {"who": who, "target": pick([each for each in people if each != who])}
    places = list(board.places())
    here = [board.name_of(place) for place in (pick(places), pick(places))]
    yield "paint", {"places": here, **pick(_PAINTS)}
    yield "area_damage", {"area": here, "amount": pick((1, "d4"))}
    if zone_board(board) is not None:
        yield "set_passage", {"zone": here[0], "other": here[1], "kind": pick(("open", "door", "none"))}


_PAINTS: Sequence[Mapping[str, object]] = (
    {},
    {"terrain": "mud", "cost": 2},
    {"terrain": "wall", "blocks": True, "blocks_sight": True},
    {"terrain": "fire", "harm": "d4", "harm_at": "enter"},
    {"terrain": "acid", "harm": 1, "harm_at": "round"},
)


def _next_map(board: AnyBoard, along: Sequence[str], pick: Pick) -> Mapping[str, object]:
    """Lead those who come along to different places of a board; a few of them find none."""
    free = list(board.places())
    places: dict[str, object] = {}
    for each in along[: len(free) - 1]:
        place = pick(free)
        places[each] = to_json(place)
        if not board.holds_several:
            free.remove(place)
    return {"board": board.to_json(), "along": list(along), "places": places}
