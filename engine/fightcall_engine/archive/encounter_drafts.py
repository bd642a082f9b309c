"""Drafts on disk: written after every change, and kept until they are saved, begun or dropped."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from fightcall_engine.archive.encounter_file import Encounter
from fightcall_engine.archive.encounter_writing import encounter_to_toml
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, write_atomically, write_new


class DraftFile:
    """The file of a draft, created when it is first written, or when another program has changed the old one.

    Args:
        folder: the folder of drafts, created when needed.
        path: the file of a draft that is continued.
        files: the file operations.
    """

    def __init__(self, folder: Path, path: Path | None = None, files: FileLayer = REAL_FILES) -> None:
        self._folder = folder
        self._path = path
        self._files = files
        self._written: Encounter | None = None
        self._known_data = _read(path)

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
        return self._path is not None and _read(self._path) != self._known_data

    def _write_new(self, data: bytes) -> Path:
        """Create a new file, named after the time, because the draft's own name may change."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.toml"
        write_new(path, data, self._files)
        return path


def _read(path: Path | None) -> bytes | None:
    """The data of a file; None if there is no such file, or it cannot be read."""
    try:
        return path.read_bytes() if path is not None else None
    except OSError:
        return None
