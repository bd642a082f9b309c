"""Encounters thrown away: files in a folder ``trash`` beside the others, until it is emptied."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from fightcall_engine.archive.encounters import EncounterFile, find_encounters
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, backup_of

TRASH = "trash"
"""The folder's name."""


def trashed_encounters(folder: Path) -> tuple[EncounterFile, ...]:
    """What has been thrown away of a folder of encounters, by name."""
    return find_encounters([folder / TRASH])


def trash_encounter(path: Path, folder: Path, files: FileLayer = REAL_FILES) -> Path:
    """Throw an encounter away, into the trash of a folder of encounters. Returns where its file is now.

    Raises:
        OSError: it cannot be moved; it is where it was.
    """
    return _move(path, folder / TRASH, files)


def restore_encounter(path: Path, files: FileLayer = REAL_FILES) -> Path:
    """Take an encounter out of the trash: under its file's name, or the next free one. Returns where it is now.

    Raises:
        OSError: it cannot be moved; it is where it was.
    """
    return _move(path, path.parent.parent, files)


def empty_encounter_trash(folder: Path, files: FileLayer = REAL_FILES) -> int:
    """Delete for good what has been thrown away of a folder of encounters. Returns how many there were.

    Raises:
        OSError: one cannot be deleted; it and those after it are still there.
    """
    trashed_files = trashed_encounters(folder)
    for encounter_file in trashed_files:
        backup_of(encounter_file.path).unlink(missing_ok=True)
        files.unlink(encounter_file.path)
    return len(trashed_files)


def _move(path: Path, folder: Path, files: FileLayer) -> Path:
    """Move a file and its backup to a folder, where neither takes the place of another."""
    folder.mkdir(parents=True, exist_ok=True)
    names = (path.stem if number == 1 else f"{path.stem}-{number}" for number in count(1))
    free = (folder / f"{name}{path.suffix}" for name in names)
    backup = backup_of(path)
    for target in free:
        try:
            files.place(path, target)
        except FileExistsError:
            continue
        if backup.exists():
            files.replace(backup, backup_of(target))
        files.sync_folder(folder)
        return target
    raise AssertionError("unreachable")
