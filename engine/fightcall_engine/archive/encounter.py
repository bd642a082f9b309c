"""An encounter, a fight that has not begun, and the way to its map from another fight."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field

from fightcall_engine.board.base import AnyBoard, Location
from fightcall_engine.kit.registry import find_system
from fightcall_engine.model.commands import Join, SetCue
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.json_data import command_json, to_json
from fightcall_engine.model.sight import without_number
from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.play.newcomers import free_names

COUNT_SUFFIX = re.compile(r"(?P<name>.*\S)\s+[x×](?P<count>\d{1,4})", re.IGNORECASE | re.DOTALL)
"""A name with a count suffix: ``Goblin x3`` stands for three combatants."""


@frozen
class Encounter:
    """A fight that has not begun: everything that `start_fight` needs.

    Attributes:
        seed: the seed of the dice; None to draw a new one for each fight.
        story: an introduction for the GM; may have several lines.
        minutes: how long the fight takes at a table; None if nobody has said.
        settings: the system's settings that the file sets.
        joins: the combatants, one each, in the order of the roster.
        user_settings: settings from the user's setting files that the encounter does not set; not saved in its file.
        cues: reminders for the GM, each with its condition.
        warnings: problems that do not prevent playing, with line numbers: cues that can never fire.
    """

    name: str
    system: str
    seed: str | None = None
    story: str = ""
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    board: AnyBoard | None = None
    joins: tuple[Join, ...] = ()
    user_settings: Mapping[str, Scalar] = field(default_factory=dict)
    cues: tuple[SetCue, ...] = ()
    minutes: int | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)


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
