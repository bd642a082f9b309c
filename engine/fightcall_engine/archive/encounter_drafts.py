"""What is being set up, on disk after every change: a file of its own until it is saved, begun or given up."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from fightcall_engine.archive.encounter_file import Encounter
from fightcall_engine.archive.encounter_text import encounter_to_toml
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, write_atomically, write_new


class DraftFile:
    """The file of one draft; it is made at the first change that is written.

    Args:
        folder: where drafts are; made when needed.
        path: the file of a draft that is taken up again.
        files: where the operations go.
    """

    def __init__(self, folder: Path, path: Path | None = None, files: FileLayer = REAL_FILES) -> None:
        self._folder = folder
        self._path = path
        self._files = files
        self._written: Encounter | None = None

    def write(self, draft: Encounter) -> None:
        """Put a draft on disk, whole; nothing is done where it is there already.

        Raises:
            BadInput: it has something that a file cannot hold.
            OSError: it cannot be written; what was written before is there.
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
        """Delete the file, if there is one. Where it cannot be deleted, the draft is merely offered once more."""
        if self._path is not None:
            with suppress(OSError):
                self._files.unlink(self._path)
        self._path = self._written = None

    def _write_new(self, data: bytes) -> Path:
        """A new file, named by the moment, for what is being set up may change its name at every line."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{datetime.now():%Y-%m-%d-%H%M%S-%f}.toml"
        write_new(path, data, self._files)
        return path
