"""Drafts on disk: written after every change, and kept until they are saved, begun or dropped."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from fightcall_engine.archive.encounter_file import Encounter
from fightcall_engine.archive.encounter_text import encounter_to_toml
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, write_atomically, write_new


class DraftFile:
    """The file of a draft, created when it is first written.

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

    def write(self, draft: Encounter) -> None:
        """Write a draft, unless the file already has the same content.

        Raises:
            BadInput: it contains something that a file cannot hold.
            OSError: it cannot be written; the file is unchanged.
        """
        if draft == self._written:
            return
        data = encounter_to_toml(draft).encode()
        if self._path is None:
            self._path = self._write_new(data)
        else:
            write_atomically(self._path, data, keep_previous=False, files=self._files)
        self._written = draft

    def remove(self) -> None:
        """Delete the file, if there is one. If that fails, the draft is just offered again."""
        if self._path is not None:
            with suppress(OSError):
                self._files.unlink(self._path)
        self._path = self._written = None

    def _write_new(self, data: bytes) -> Path:
        """Create a new file, named after the time, because the draft's own name may change."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.toml"
        write_new(path, data, self._files)
        return path
