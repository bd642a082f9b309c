"""Reading the cues of an encounter file (``[[cue]]``), and checking them against its fight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from fightcall_engine.files.texts import Complaints, KeyPath
from fightcall_engine.kit.cues import read_then, read_when, write_part
from fightcall_engine.model.commands import SetCue
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.state import Json
from fightcall_engine.play.cue_checks import names_of_joiners, problems_of
from fightcall_engine.play.cues import cue_of

if TYPE_CHECKING:
    from fightcall_engine.model.cues import Cue
    from fightcall_engine.play.fight import Fight


def read_cues(tables: Iterable[Mapping[str, object]], complaints: Complaints) -> tuple[SetCue, ...]:
    """The cues of a file in order. Errors are reported with their lines."""
    from fightcall_engine.archive.encounter_models import EncounterCue

    cues: list[SetCue] = []
    for number, item in enumerate(tables):
        path: KeyPath = ("cue", number)
        cue = complaints.part(EncounterCue, item, path)
        for key, reader in (("when", read_when), ("then", read_then)):
            if isinstance(item.get(key, {}), Mapping):
                _try(reader, item.get(key), (*path, key), complaints)
        when, outcome = cast("Mapping[str, Json]", cue.when), cast("Mapping[str, Json]", cue.then)
        cues.append(SetCue(id=cue.id, name=cue.name, when=when, then=outcome, each_time=cue.each_time))
    return tuple(cues)


def check_cues(
    set_cues: tuple[SetCue, ...], fight: Fight, complaints: Complaints, warnings: Complaints
) -> tuple[SetCue, ...]:
    """Check cues against their fight.

    Args:
        set_cues: the cues.
        fight: the fight of the encounter, without them.
        complaints: collects errors that make the file invalid: commands that can never be given.
        warnings: collects warnings: cues that can never fire.

    Returns:
        The cues. Joins `like` another combatant get its present sheet, which may be edited before the fight.
    """
    cues: dict[int, Cue] = {}
    for number, command in enumerate(set_cues):
        try:
            cues[number] = cue_of(fight.system, fight.state, command)
        except BadInput as bad:
            for problem in bad.problems:
                complaints.add(("cue", number, bad.where), f"cue.{bad.where}: {problem}")
    coming = names_of_joiners(cues.values())
    for number, cue in cues.items():
        for problem in problems_of(fight.system, fight.state, cue, coming):
            warnings.add(("cue", number), f"cue {cue.name!r}: {problem}")
    return tuple(
        replace(command, then=write_part(cues[number].then)) if number in cues and _is_like(command) else command
        for number, command in enumerate(set_cues)
    )


def _is_like(command: SetCue) -> bool:
    return any(isinstance(proposal, Mapping) and "like" in proposal for proposal in command.then.values())


def _try(read: Callable[[object], object], data: object, path: KeyPath, complaints: Complaints) -> None:
    try:
        read(data)
    except BadInput as bad:
        for problem in bad.problems:
            complaints.add(path, f"cue.{bad.where}: {problem}")
