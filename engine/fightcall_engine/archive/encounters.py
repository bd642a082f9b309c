"""Encounters on disk: finding them, reading one by name, starting a fight from one, and throwing them away."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from itertools import count
from pathlib import Path

from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, backup_of
from fightcall_engine.files import parse_toml, read_text
from fightcall_engine.kit.plugins import find_system, game_of, system_names
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput, SystemFault
from fightcall_engine.model.fold import free_label
from fightcall_engine.model.state import Scalar
from fightcall_engine.model.values import frozen, replace
from fightcall_engine.play.fight import Fight

SUFFIX = ".toml"
LARGEST_FILE = 4_000_000
"""The largest file in bytes, far more than any handwritten encounter."""

TRASH = "trash"
"""The folder of encounters thrown away, within that of the encounters."""


@frozen
class EncounterFile:
    """An entry of a list of encounters, read without checking the fight.

    Attributes:
        system: the system's id as in the file; may be empty.
        problem: why the file is unreadable; None if it is readable.
        minutes: how long the fight takes at a table; None if nobody has said.
    """

    name: str
    path: Path
    system: str = ""
    story: str = ""
    problem: str | None = None
    minutes: int | None = None


def find_encounters(folders: Iterable[Path]) -> tuple[EncounterFile, ...]:
    """The encounter files in some folders, sorted by name. Missing folders count as empty."""
    return _list_files(_files_in(folders))


def _files_in(folders: Iterable[Path], plain_name: str | None = None) -> set[Path]:
    """The encounter files in some folders, or those called so."""
    paths = (path for folder in folders for path in folder.glob(f"[!.]*{SUFFIX}"))
    called = (path for path in paths if plain_name is None or normalize_name(path.stem) == plain_name)
    return {path.resolve() for path in called if path.is_file()}


def _list_files(paths: Iterable[Path]) -> tuple[EncounterFile, ...]:
    return tuple(sorted(map(_read_listing, paths), key=lambda each: (each.name.casefold(), str(each.path))))


def file_stem(name: str) -> str:
    """The file name without suffix for an encounter's name; empty if it has no letter or digit."""
    return "-".join(re.findall(r"[^\W_]+", name.casefold()))[:60].strip("-")


def encounter_path(folder: Path, name: str) -> Path:
    """The path for an encounter with a name."""
    return folder / f"{file_stem(name) or 'encounter'}{SUFFIX}"


def shipped_encounters() -> tuple[EncounterFile, ...]:
    """The encounters of the installed systems. Raises SystemFault: a system of another package is broken."""
    folders, faults = _shipped_folders()
    if faults:
        raise faults[0]
    return find_encounters(folders)


def _shipped_folders() -> tuple[list[Path], list[SystemFault]]:
    folders: list[Path] = []
    faults: list[SystemFault] = []
    for name in system_names():
        try:
            game = game_of(name)
            folders.append(find_system(name).encounters() if game is None else game.encounters)
        except SystemFault as fault:
            faults.append(fault)
    return folders, faults


def load_encounter(
    name_or_path: str | Path, folders: Iterable[Path] = (), setting_folder: Path | None = None
) -> Encounter:
    """Read an encounter by its path, or by its name: a file in one of `folders`, or else a shipped one.

    A name is the file's name without suffix, or the name in it. Case does not matter, and spaces, hyphens and
    underscores are equivalent. `setting_folder` is the user's folder of setting files.

    Raises:
        BadInput: there is no encounter of this name, or the file is unreadable or invalid.
        SystemFault: it was not found, and a system of another package that might have it is broken.
    """
    # Reading takes pydantic, which is slow to load.
    from fightcall_engine.archive.encounter_reading import read_encounter

    path = Path(name_or_path)
    if isinstance(name_or_path, Path) or path.suffix == SUFFIX or os.sep in name_or_path or "/" in name_or_path:
        return read_encounter(_content(path), str(path), path.parent, setting_folder)
    plain_name = normalize_name(name_or_path)
    own_folders = tuple(folders)
    shipped_folders, faults = _shipped_folders()
    file = _find_called(plain_name, own_folders) or _find_called(plain_name, shipped_folders)
    all_files: tuple[EncounterFile, ...] = ()
    if file is None:
        all_files = (*find_encounters(own_folders), *find_encounters(shipped_folders))
        by_name = (entry.path for entry in all_files if normalize_name(entry.name) == plain_name)
        file = next(by_name, None)
    if file is not None:
        return read_encounter(_content(file), str(file), file.parent, setting_folder)
    if faults:
        raise faults[0]
    names = tuple(dict.fromkeys(encounter_file.path.stem for encounter_file in all_files))
    near = get_close_matches(plain_name, [normalize_name(name) for name in names], n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise BadInput("encounter", (f"there is no {name_or_path!r}; {hint}accepted: {', '.join(names)}, or a path",))


def _find_called(plain_name: str, folders: Iterable[Path]) -> Path | None:
    """The first file with a name; found by file name if possible, because reading all files is slow."""
    paths = _files_in(folders, plain_name)
    return paths.pop() if len(paths) == 1 else next((entry.path for entry in _list_files(paths)), None)


def start_fight(
    encounter: Encounter,
    *,
    id: str,
    name: str | None = None,
    seed: str | None = None,
    settings: Mapping[str, Scalar] | None = None,
    path: Path | None = None,
) -> Fight:
    """Start a fight from an encounter, with its own name, seed and settings unless others are given.

    Raises BadInput, Refused: a setting or a combatant is invalid; never for an encounter read from a file.
    """
    return Fight.new(
        encounter.system,
        id=id,
        name=name or encounter.name,
        seed=seed or encounter.seed or os.urandom(8).hex(),
        settings={**encounter.user_settings, **encounter.settings, **(settings or {})},
        board=encounter.board,
        joins=_add_labels(encounter.joins, find_system(encounter.system)),
        story=encounter.story,
        cues=encounter.cues,
        path=path,
    )


def _add_labels(joins: tuple[Join, ...], system: BaseSystem) -> Iterable[Join]:
    """Assign missing labels, distinct from all labels in the file. ``Goblin 2`` gets 2 before any Orc does."""
    used_labels = {join.label.upper() for join in joins if join.label}
    for number, join in enumerate(joins):
        if join.label or join.count > 1:
            yield join
            continue
        later = {digit for other in joins[number + 1 :] if (digit := _own_digit(other, system))}
        label = free_label(
            join.name, used_labels | later - {_own_digit(join, system)}, numbers_first=_is_numbered(join, system)
        )
        used_labels.add(label)
        yield replace(join, label=label)


def _is_numbered(join: Join, system: BaseSystem) -> bool:
    return join.side not in ("", system.sides[0])


def _own_digit(join: Join, system: BaseSystem) -> str:
    """The digit at the end of a name that its label is to be; empty for none."""
    ending = re.search(r"(?<!\d)[1-9]$", join.name) if not join.label and _is_numbered(join, system) else None
    return ending.group() if ending else ""


def normalize_name(name: str) -> str:
    """A name for comparison: lower case, with hyphens for spaces and underscores."""
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _content(path: Path) -> str:
    try:
        return read_text(path, LARGEST_FILE)
    except UnicodeDecodeError as error:
        raise BadInput(str(path), (f"is not UTF-8 text (byte {error.start})",)) from error
    except OSError as error:
        raise BadInput(str(path), (f"can't be read: {error.strerror or error}",)) from error


def _read_listing(path: Path) -> EncounterFile:
    try:
        return _listing_of(path, _content(path))
    except BadInput as error:
        return EncounterFile(path.stem, path, problem="; ".join(error.problems))
    except ValueError as error:
        return EncounterFile(path.stem, path, problem=f"not readable as TOML: {error}")


@lru_cache(maxsize=256)
def _listing_of(path: Path, text: str) -> EncounterFile:
    data = parse_toml(text)
    name, system, story = (data.get(key, "") for key in ("name", "system", "story"))
    minutes = data.get("minutes")
    missing = [key for key, value in (("name", name), ("system", system)) if not isinstance(value, str) or not value]
    return EncounterFile(
        name=name if isinstance(name, str) and name else path.stem,
        path=path,
        system=system if isinstance(system, str) else "",
        story=story if isinstance(story, str) else "",
        problem=f"has no {' and no '.join(missing)}" if missing else None,
        minutes=minutes if isinstance(minutes, int) else None,
    )


# Encounters thrown away


def empty_encounter_trash(folder: Path, files: FileLayer = REAL_FILES) -> int:
    """Delete the encounters thrown away. Returns their number. Raises OSError: the rest is still there."""
    trashed_files = find_encounters([folder / TRASH])
    for encounter_file in trashed_files:
        backup_of(encounter_file.path).unlink(missing_ok=True)
        files.unlink(encounter_file.path)
    return len(trashed_files)


def move_encounter(path: Path, folder: Path, files: FileLayer = REAL_FILES) -> Path:
    """Move an encounter, as to `TRASH`, under a free name. Returns its path. Raises OSError: it is where it was."""
    folder.mkdir(parents=True, exist_ok=True)
    backup = backup_of(path)
    for number in count(1):
        target = folder / (path.name if number == 1 else f"{path.stem}-{number}{path.suffix}")
        try:
            files.place(path, target)
        except FileExistsError:
            continue
        if backup.exists():
            files.replace(backup, backup_of(target))
        files.sync_folder(folder)
        return target
    raise AssertionError("unreachable")
