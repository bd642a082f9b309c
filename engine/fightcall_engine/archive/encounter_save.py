"""Saving encounters: as a new file, over their file, as a copy, under another name, or as a draft.

Only imported where something is saved, because it imports tomlkit, which preserves the comments of a changed file.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from fightcall_engine.archive.encounter import Encounter
from fightcall_engine.archive.encounter_reading import read_encounter
from fightcall_engine.archive.encounter_writing import edit_encounter, encounter_to_toml
from fightcall_engine.archive.encounters import LARGEST_FILE, encounter_path
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, backup_of, write_atomically, write_new
from fightcall_engine.files.texts import read_bytes
from fightcall_engine.model.errors import BadInput, FightCallError

_MARK = "\ufeff"


class EncounterChanged(FightCallError):
    """The file was changed since it was read; nothing was written."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} was changed by another program in the meantime")
        self.path = path


def save_new(
    encounter: Encounter,
    path: Path,
    like: Path | None = None,
    setting_folder: Path | None = None,
    files: FileLayer = REAL_FILES,
) -> None:
    """Save an encounter as a new file. `like` is the file that it is a copy of, whose comments and order are kept.

    Raises:
        FileExistsError: the file exists; it is unchanged.
        BadInput: the encounter could not be read back; nothing is written.
        OSError: the file cannot be written; none is left behind.
    """
    text = encounter_to_toml(encounter, path.stem)
    if like is not None:
        text = edit_encounter(_read(like)[0], encounter, like.parent, setting_folder)
        # A path relative to the old file may not exist relative to the new one.
        if _try_read(text, path, setting_folder) != replace(encounter, user_settings={}):
            text = encounter_to_toml(encounter, path.stem)
    # Refuse what could not be opened again, such as a cue that names a removed combatant.
    read_encounter(text, path.name, path.parent, setting_folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_new(path, text.encode(), files)


def save_over(
    encounter: Encounter,
    path: Path,
    before: Encounter | None = None,
    setting_folder: Path | None = None,
    files: FileLayer = REAL_FILES,
) -> None:
    """Save an encounter over its file: only differences are written, and the previous content is kept as ``.bak``.

    `before` is the encounter as read from the file; None to overwrite even a changed file.

    Raises:
        EncounterChanged: the file no longer holds `before`.
        BadInput, OSError: the file cannot be read or written; it is unchanged.
    """
    if not path.exists():
        save_new(encounter, path, setting_folder=setting_folder, files=files)
        return
    text, mark, ends = _read(path)
    before_edit = _try_read(text, path, setting_folder)
    if before is not None and before_edit != replace(before, user_settings={}):
        raise EncounterChanged(path)
    new_text = (
        edit_encounter(text, encounter, path.parent, setting_folder)
        if before_edit is not None
        else encounter_to_toml(encounter)
    )
    if new_text != text:
        read_encounter(new_text, path.name, path.parent, setting_folder)
        write_atomically(path, (mark + new_text.replace("\n", ends)).encode(), keep_previous=True, files=files)


def rename_encounter(path: Path, name: str, setting_folder: Path | None = None, files: FileLayer = REAL_FILES) -> Path:
    """Rename an encounter and its file, with its ``.bak``; without one, the old file becomes the ``.bak``.

    Returns the new path, which is the old one if both names give the same file name.

    Raises:
        FileExistsError: there is a file of the new name; nothing has changed.
        BadInput, OSError: the file cannot be read or written; it is unchanged.
    """
    text, mark, ends = _read(path)
    before = read_encounter(text, str(path), path.parent, setting_folder)
    target = encounter_path(path.parent, name)
    if target == path:
        save_over(replace(before, name=name), path, before, setting_folder, files)
        return path
    new_text = edit_encounter(text, replace(before, name=name), path.parent, setting_folder)
    # The comments name the command that plays the file.
    for old, now in ((f"fightcall play {path.stem}\n", f"fightcall play {target.stem}\n"), (str(path), str(target))):
        new_text = new_text.replace(old, now)
    read_encounter(new_text, target.name, target.parent, setting_folder)
    write_new(target, (mark + new_text.replace("\n", ends)).encode(), files)
    backup = backup_of(path)
    if backup.exists():
        files.replace(backup, backup_of(target))
        files.unlink(path)
    else:
        files.replace(path, backup_of(target))
    return target


def _read(path: Path) -> tuple[str, str, str]:
    """The text of a file with LF line ends, its byte order mark if any, and its original line ends."""
    try:
        raw = read_bytes(path, LARGEST_FILE).decode()
    except UnicodeDecodeError as error:
        raise BadInput(str(path), (f"is not UTF-8 text (byte {error.start})",)) from error
    ends = "\r\n" if "\r\n" in raw else "\n"
    mark = _MARK if raw.startswith(_MARK) else ""
    return raw.removeprefix(_MARK).replace("\r\n", "\n"), mark, ends


def _try_read(text: str, path: Path, setting_folder: Path | None) -> Encounter | None:
    try:
        return replace(read_encounter(text, str(path), path.parent, setting_folder), user_settings={})
    except BadInput:
        return None


# Drafts on disk


class DraftFile:
    """The file of a draft, created when it is first written, or when another program has changed the old one.

    `path` is the file of a draft that is continued. The folder is created when needed.
    """

    def __init__(self, folder: Path, path: Path | None = None, files: FileLayer = REAL_FILES) -> None:
        self._folder = folder
        self._path = path
        self._files = files
        self._written: Encounter | None = None
        self._known_data = _data_of(path)

    def write(self, draft: Encounter) -> None:
        """Write a draft, unless the file already has the same content.

        Raises:
            BadInput: it contains something that a file cannot hold.
            OSError: it cannot be written; the file is unchanged.
        """
        if draft == self._written:
            return
        data = encounter_to_toml(draft).encode()
        if self._path is None or self._is_of_another():
            self._path = self._write_new(data)
        else:
            write_atomically(self._path, data, keep_previous=False, files=self._files)
        self._written, self._known_data = draft, data

    def remove(self) -> None:
        """Delete the file, if there is one and it is still ours. If that fails, the draft is just offered again."""
        if self._path is not None and not self._is_of_another():
            with suppress(OSError):
                self._files.unlink(self._path)
        self._path = self._written = self._known_data = None

    def _is_of_another(self) -> bool:
        """Whether another program has changed or removed the file since it was read or written here."""
        return self._path is not None and _data_of(self._path) != self._known_data

    def _write_new(self, data: bytes) -> Path:
        """Create a new file, named after the time, because the draft's own name may change."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.toml"
        write_new(path, data, self._files)
        return path


def _data_of(path: Path | None) -> bytes | None:
    """The data of a file; None if there is no such file, or it cannot be read."""
    try:
        return path.read_bytes() if path is not None else None
    except OSError:
        return None
