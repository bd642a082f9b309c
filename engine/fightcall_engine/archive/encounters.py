"""Prepared encounters: where they are, reading one by its name, and beginning a fight from it.

`encounter_file` reads one file, `encounter_text` writes one.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import cast

from fightcall_engine.archive.encounter_file import Encounter, read_encounter
from fightcall_engine.archive.encounter_text import encounter_to_toml
from fightcall_engine.files.texts import parse_toml, read_text
from fightcall_engine.kit.cues import written
from fightcall_engine.kit.registry import find_system, system_names
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join, SetCue
from fightcall_engine.model.cues import Cue
from fightcall_engine.model.errors import BadInput, SystemFault
from fightcall_engine.model.labels import free_label
from fightcall_engine.model.state import Combatant, FightState, Json
from fightcall_engine.play.fight import Fight

__all__ = [
    "Encounter",
    "EncounterFile",
    "encounter_of",
    "encounter_path",
    "encounter_to_toml",
    "file_stem",
    "find_encounters",
    "load_encounter",
    "read_encounter",
    "shipped_encounters",
    "start_fight",
]

SUFFIX = ".toml"
LARGEST_FILE = 4_000_000
"""Bytes; no encounter that a person wrote comes near it."""


@dataclass(frozen=True, slots=True)
class EncounterFile:
    """An encounter as a list shows it, without its fight having been looked at.

    Attributes:
        system: the id that the file gives, empty where there is none.
        problem: why the file cannot even be listed properly, None where it can.
    """

    name: str
    path: Path
    system: str = ""
    story: str = ""
    problem: str | None = None


def find_encounters(folders: Iterable[Path]) -> tuple[EncounterFile, ...]:
    """The encounter files in some folders, by name; folders that are not there count as empty."""
    paths = {path.resolve() for folder in folders for path in folder.glob(f"*{SUFFIX}") if path.is_file()}
    return tuple(
        sorted(
            (_read_listing(path) for path in paths),
            key=lambda encounter_file: (encounter_file.name.casefold(), str(encounter_file.path)),
        )
    )


def file_stem(name: str) -> str:
    """A file's name, without its ending, for an encounter of a name; empty where that has no letter and no digit."""
    return "-".join(re.findall(r"[^\W_]+", name.casefold()))[:60].strip("-")


def encounter_path(folder: Path, name: str) -> Path:
    """Where an encounter of a name is kept."""
    return folder / f"{file_stem(name) or 'encounter'}{SUFFIX}"


def shipped_encounters() -> tuple[EncounterFile, ...]:
    """The encounters that come with the installed systems.

    Raises:
        SystemFault: a system of another package is broken.
    """
    found, faults = _shipped()
    if faults:
        raise faults[0]
    return found


def _shipped() -> tuple[tuple[EncounterFile, ...], list[SystemFault]]:
    """The encounters of the systems that can be used, and what is wrong with the others."""
    folders: list[Path] = []
    faults: list[SystemFault] = []
    for name in system_names():
        try:
            folders.append(find_system(name).encounters())
        except SystemFault as fault:
            faults.append(fault)
    return find_encounters(folders), faults


def load_encounter(name_or_path: str | Path, folders: Iterable[Path] = (), own: Path | None = None) -> Encounter:
    """Read an encounter by its path, or by its name: a file in one of `folders`, or else a shipped one.

    A name is the file's name without its ending, or the name in it; case does not matter, and spaces, hyphens
    and underscores are alike. `own` is the folder of the GM's own files for settings.

    Raises:
        BadInput: there is none of this name, the file cannot be read, or what is wrong in it.
        SystemFault: there is none of this name, and a system of another package that might have it is broken.
    """
    path = Path(name_or_path)
    if isinstance(name_or_path, Path) or path.suffix == SUFFIX or os.sep in name_or_path or "/" in name_or_path:
        return read_encounter(_content(path), str(path), path.parent, own)
    wanted = _normalize_name(name_or_path)
    shipped, faults = _shipped()
    known = (*find_encounters(folders), *shipped)
    by_file = (encounter_file for encounter_file in known if _normalize_name(encounter_file.path.stem) == wanted)
    by_name = (encounter_file for encounter_file in known if _normalize_name(encounter_file.name) == wanted)
    found = next(chain(by_file, by_name), None)
    if found is not None:
        return read_encounter(_content(found.path), str(found.path), found.path.parent, own)
    if faults:
        raise faults[0]
    names = tuple(dict.fromkeys(encounter_file.path.stem for encounter_file in known))
    near = get_close_matches(wanted, [_normalize_name(name) for name in names], n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise BadInput("encounter", (f"there is no {name_or_path!r}; {hint}accepted: {', '.join(names)}, or a path",))


def start_fight(
    encounter: Encounter,
    *,
    id: str,
    name: str | None = None,
    seed: str | None = None,
    path: Path | None = None,
) -> Fight:
    """Begin a fight from an encounter, with a journal where `path` is given.

    Args:
        encounter: what was prepared.
        id: the fight's own id.
        name: of the fight, else the encounter's.
        seed: of its dice, else the encounter's, else a new one.
        path: where its journal will be.

    Raises:
        BadInput, Refused: a setting or a combatant that will not do; a file's encounter was checked before.
    """
    return Fight.new(
        encounter.system,
        id=id,
        name=name or encounter.name,
        seed=seed or encounter.seed or secrets.token_hex(8),
        settings={**encounter.usual, **encounter.settings},
        board=encounter.board,
        joins=_add_labels(encounter.joins, find_system(encounter.system)),
        story=encounter.story,
        cues=encounter.cues,
        path=path,
    )


def encounter_of(state: FightState, story: str = "") -> Encounter:
    """What a fight could begin with to stand as it does now: for keeping what was set up on the screen.

    Only what differs from the system's defaults is kept. Harm, effects and spent pools are not.
    """
    system = find_system(state.system)
    defaults = {setting.key: setting.default for setting in system.settings}
    settings = {key: value for key, value in state.settings.items() if key in defaults and defaults[key] != value}
    plain = _default_sheet(system)
    here = (state.combatants[combatant_id] for combatant_id in state.order if combatant_id in state.combatants)
    joins = tuple(_as_join(combatant, plain) for combatant in here)
    cues = tuple(map(_as_command, state.cues))
    return Encounter(state.name, state.system, None, story, settings, board=state.board, joins=joins, cues=cues)


def _as_command(cue: Cue) -> SetCue:
    return SetCue(id=cue.id, name=cue.name, when=written(cue.when), then=written(cue.then), each_time=cue.each_time)


def _as_join(combatant: Combatant, plain: Mapping[str, Json]) -> Join:
    changed = {key: value for key, value in combatant.sheet.items() if key not in plain or plain[key] != value}
    sheet = cast("Mapping[str, Json]", _without_none(changed))
    return Join(
        name=combatant.name,
        side=combatant.side,
        sheet=sheet,
        at=combatant.at,
        facing=combatant.facing,
        hidden=combatant.hidden,
        label=combatant.label,
        squad=combatant.squad,
    )


def _without_none(value: Json) -> Json:
    """The same without what says nothing, as a file would have it."""
    if isinstance(value, Mapping):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_without_none(item) for item in value]
    return value


def _default_sheet(system: BaseSystem) -> Mapping[str, Json]:
    try:
        return system.check_sheet({}, "nobody")
    except BadInput:
        return {}


def _add_labels(joins: tuple[Join, ...], system: BaseSystem) -> Iterable[Join]:
    """Labels for those without one, so that none takes a label that the file gives to somebody after it."""
    taken = {join.label.upper() for join in joins if join.label}
    for join in joins:
        if join.label or join.count > 1:
            yield join
            continue
        label = free_label(join.name, taken, numbers_first=join.side not in ("", system.sides[0]))
        taken.add(label)
        yield replace(join, label=label)


def _normalize_name(name: str) -> str:
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _content(path: Path) -> str:
    try:
        return read_text(path, LARGEST_FILE)
    except UnicodeDecodeError as error:
        raise BadInput(str(path), (f"is not UTF-8 text (byte {error.start})",)) from error
    except OSError as error:
        raise BadInput(str(path), (f"cannot be read: {error.strerror or error}",)) from error


def _read_listing(path: Path) -> EncounterFile:
    try:
        data = parse_toml(_content(path))
    except BadInput as error:
        return EncounterFile(path.stem, path, problem="; ".join(error.problems))
    except ValueError as error:
        return EncounterFile(path.stem, path, problem=f"not readable as TOML: {error}")
    name, system, story = (data.get(key, "") for key in ("name", "system", "story"))
    missing = [key for key, value in (("name", name), ("system", system)) if not isinstance(value, str) or not value]
    return EncounterFile(
        name=name if isinstance(name, str) and name else path.stem,
        path=path,
        system=system if isinstance(system, str) else "",
        story=story if isinstance(story, str) else "",
        problem=f"has no {' and no '.join(missing)}" if missing else None,
    )
