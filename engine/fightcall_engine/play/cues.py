"""Making cues from the plain JSON of commands, and reading the commands that they propose."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fightcall_engine.kit.cues import (
    DO,
    condition_words,
    free_id,
    proposal_of,
    read_then,
    read_when,
    resolve_names,
    selector_of,
)
from fightcall_engine.kit.registry import find_system
from fightcall_engine.model.commands import Command, SetCue
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.state import Cue, FightState, Interruption, Json, Outcome, Propose
from fightcall_engine.model.values import copy_with
from fightcall_engine.play.codec import codec_of

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem


def command_named(state: FightState, name: str, fields: Mapping[str, Json]) -> Command:
    """The command that a cue proposes, from its name and its fields in plain JSON.

    Raises:
        Refused: there is none of this name.
        BadInput: a field is wrong.
    """
    return codec_of(find_system(state.system)).command(name, fields)


def command_of(state: FightState, data: Mapping[str, Json]) -> Command:
    """The command that a cue proposes, from plain JSON with its name under `DO`."""
    return command_named(state, str(data[DO]), {key: value for key, value in data.items() if key != DO})


def cue_of(system: BaseSystem, state: FightState, command: SetCue) -> Cue:
    """The cue that a command sets, with its people and places resolved.

    Raises:
        BadInput: what is wrong with it.
    """
    when = resolve_names(system, state, read_when(command.when))
    outcome = _filled_in(state, read_then(command.then))
    name = command.name or condition_words(system, state, when)
    cue_id = free_id(state, command.id, name)
    return Cue(id=cue_id, name=name, when=when, then=outcome, each_time=command.each_time)


def _filled_in(state: FightState, then: Outcome) -> Outcome:
    """An outcome with its command checked. A join `like` another combatant gets its sheet."""
    if not isinstance(then, Propose | Interruption):
        return then
    data = dict(proposal_of(then))
    model = data.pop("like", None)
    if model is not None:
        like = state.combatants.get(selector_of(state, str(model)))
        if like is None:
            raise BadInput("then", (f"like: no one is named {model!r}; accepted: {', '.join(state.combatants)}",))
        stem, _, number = like.name.rpartition(" ")
        plain = stem if like.squad and number.isdecimal() else like.name
        data = {"name": f"Late {plain}", "side": like.side, "sheet": like.sheet, **data}
    try:
        command_of(state, data)
    except Refused as no:
        raise BadInput("then", (f"do: {no.message}",)) from no
    except BadInput as bad:
        raise BadInput("then", bad.problems) from bad
    field = "propose" if isinstance(then, Propose) else "hold"
    return copy_with(then, **{field: data})
