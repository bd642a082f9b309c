"""The file under the library: a TinyDB storage that a crash, a fault or a second program cannot spoil.

TinyDB's own JSON storage writes in place, so that a crash can leave the file unreadable or, worse, readable
and wrong; it takes a blank file for a new database; and two programs undo each other's changes. Here the new
content is complete before the disk is touched, replaces the old in one step, and is refused when the file is
no longer the one that was read. What is read is parsed afresh each time: no result shares data with another.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import NoReturn, TypeAlias

from tinydb.storages import Storage

from fightcall_engine.archive.errors import LibraryChanged, LibraryDamaged, NotStorable
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, Lock, backup_of, resolve_link, write_atomically
from fightcall_engine.files.texts import read_bytes

__all__ = ["LibraryChanged", "LibraryDamaged", "NotStorable", "SafeStorage", "Tables", "parse", "serialise"]

Tables: TypeAlias = dict[str, dict[str, dict[str, object]]]
"""Table name -> document number -> document."""

LARGEST_LIBRARY = 50_000_000
"""Bytes of a library; a card of a fight has some three hundred."""

LOCK_WAIT_S = 5.0
"""How long a writer waits for another program's change to end, in seconds."""


class SafeStorage(Storage):
    """Keeps TinyDB's tables in one JSON file, a document a line. Nothing is created before the first write.

    Threads may share it where each change is made inside `changing`.
    """

    def __init__(self, path: Path, *, files: FileLayer = REAL_FILES, lock_wait_s: float = LOCK_WAIT_S) -> None:
        """Describe the file; ``lock_wait_s`` is how long a change waits for another program's."""
        self.path = resolve_link(path)
        self._files = files
        self._lock = Lock(self.path, timeout=lock_wait_s)
        self._turn = threading.RLock()
        self._depth = 0
        self._seen: bytes | None = None

    def read(self) -> Tables | None:
        """The tables as they are on disk now; None where there is no library yet.

        Raises:
            OSError: the file cannot be read.
            LibraryDamaged: it can, but is no library.
        """
        data = self._bytes()
        tables = None if data is None else parse(self.path, data)
        self._seen = data
        return tables

    def write(self, data: Tables) -> None:
        """Replace the file, keeping the previous one as ``.bak``.

        Raises:
            NotStorable: the tables are not JSON.
            LibraryChanged: the file is not the one that was last read.
            OSError: it could not be written.
        """
        new = serialise(data)
        with self.transaction():
            if self._bytes() != self._seen:
                raise LibraryChanged(f"{self.path} was changed by another program; nothing was written")
            write_atomically(self.path, new, keep_previous=True, files=self._files)
            self._seen = new

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Exclude other programs and threads from writing, so that what is read here can be changed safely.

        Raises:
            LockedByAnother: another program did not finish its change in time.
        """
        with self._turn:
            if not self._depth:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._lock.take()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if not self._depth:
                    self._lock.release()

    def _bytes(self) -> bytes | None:
        try:
            return read_bytes(self.path, LARGEST_LIBRARY)
        except FileNotFoundError:
            if backup_of(self.path).exists():
                raise LibraryDamaged(self.path, None, "the file is gone", "a library beside its .bak") from None
            return None
        except OSError as problem:
            raise LibraryDamaged(self.path, None, problem.strerror or str(problem), "a JSON object") from problem


def serialise(tables: Tables) -> bytes:
    """The text of the tables: JSON with a document a line, so that an error's line says something.

    Raises:
        NotStorable: something in them is not JSON: NaN, an object of a class, an endless nest.
    """
    try:
        blocks = []
        for name, documents in tables.items():
            rows = [f"{_encode(str(key))}:{_encode(document)}" for key, document in documents.items()]
            blocks.append(f"{_encode(name)}:{{\n" + ",\n".join(rows) + "\n}")
    except (TypeError, ValueError, RecursionError) as problem:
        raise NotStorable(f"not JSON: {problem}") from problem
    return ("{\n" + ",\n".join(blocks) + "\n}\n").encode("ascii")


def parse(path: Path, data: bytes) -> Tables:
    """The tables in a file's bytes.

    Raises:
        LibraryDamaged: the bytes are blank, no JSON, or JSON of another shape.
    """
    if not data.strip(b" \t\r\n\0"):
        raise LibraryDamaged(path, 1, "the file is blank", "a JSON object")
    try:
        tables: Tables = _decode(data.decode("utf-8"))
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise LibraryDamaged(path, line, "not UTF-8 text", "a JSON object") from problem
    except json.JSONDecodeError as problem:
        wrong = f"not JSON: {problem.msg}"
        raise LibraryDamaged(path, problem.lineno, wrong, "a JSON object") from problem
    except (ValueError, RecursionError) as problem:
        raise LibraryDamaged(path, None, f"not JSON: {problem}", "a JSON object") from problem
    documents = [document for table in _values(tables) for document in _values(table)]
    for content in (tables, *_values(tables), *documents):
        if not isinstance(content, dict):
            raise LibraryDamaged(path, None, f"{content!r:.40}", "tables of numbered documents")
    for number in (number for table in tables.values() for number in table):
        if re.fullmatch("[0-9]{1,15}", number) is None:
            raise LibraryDamaged(path, None, f"a document numbered {number!r:.40}", "a whole number")
    return tables


def _values(document: object) -> list[object]:
    return list(document.values()) if isinstance(document, dict) else []


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(f"{digits:.40} is too large a number")
    return number


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_decode = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite).decode
