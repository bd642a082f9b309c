"""The way from one map to the next in the same fight: the fields of `ChangeMap` from an encounter."""

from collections.abc import Collection, Iterator, Mapping

from fightcall_engine.archive.encounter_file import Encounter
from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.kit.registry import find_system
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.json_data import command_json, to_json
from fightcall_engine.model.labels import without_number
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.play.newcomers import free_names


def fields_of_next_map(encounter: Encounter, state: FightState, along: Collection[str]) -> Mapping[str, Json]:
    """The fields of the command by which a fight goes on with an encounter's map, people and cues.

    The encounter's own player characters stay out: those who come along take their places, in order.

    Args:
        encounter: where the fight goes on.
        state: the fight.
        along: the ids of those who come along.

    Raises:
        Refused: it is an encounter of another system.
    """
    if encounter.system != state.system:
        message = f"{encounter.name} is an encounter of {encounter.system}"
        raise Refused("map", message, (f"one of {state.system}",), final=True)
    players = find_system(state.system).sides[0]
    board, others = encounter.board, [join for join in encounter.joins if join.side not in ("", players)]
    starts = [join.at for join in encounter.joins if join.side in ("", players) and join.at is not None]
    coming = [each.id for each in state.roster if each.id in along]
    places = dict(zip(coming, _start_places(board, starts, others), strict=False)) if board is not None else {}
    return {
        "name": encounter.name,
        "board": to_json(board) if board is not None else {},
        "along": coming,
        "places": {combatant_id: board.name_of(at) for combatant_id, at in places.items()} if board is not None else {},
        "joins": list(_newcomers(others, state, coming, board)),
        "cues": [_fields(cue) for cue in encounter.cues],
    }


def _start_places(board: AnyBoard, starts: list[Location], others: list[Join]) -> Iterator[Location]:
    """The places for those who come along: the start places, then free ones nearest to the first of them."""
    yield from starts
    if board.holds_several:
        while starts:
            yield starts[0]
        return
    taken = {*starts, *(join.at for join in others)}
    free = [place for place in board.places() if place not in taken and board.cost_of(place) is not None]
    yield from sorted(free, key=lambda place: board.distance(starts[0], place)) if starts else free


def _newcomers(
    joins: list[Join], state: FightState, along: Collection[str], board: AnyBoard | None
) -> Iterator[Mapping[str, Json]]:
    """The encounter's people, with other names and no ids where those are taken."""
    names = {state.combatants[combatant_id].name for combatant_id in along}
    for join in joins:
        fields = {key: value for key, value in _fields(join).items() if key not in ("id", "label")}
        if join.name in names:
            stem = without_number(join.name)
            fields["name"] = next(name for name in free_names(state, stem) if name not in names)
        names.add(str(fields["name"]))
        if board is not None and join.at is not None:
            fields["at"] = board.name_of(join.at)
        yield fields


def _fields(command: object) -> Mapping[str, Json]:
    return {key: value for key, value in command_json(command).items() if key != "type"}  # type: ignore[arg-type]
