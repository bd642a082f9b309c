"""The library's file: a TinyDB storage that is safe against crashes, faults and concurrent programs.

TinyDB's own JSON storage writes in place, so that a crash can leave the file unreadable or, worse, readable
and wrong; it takes a blank file for a new database; and two programs overwrite each other's changes. Here the new
content is complete before it atomically replaces the old, and is refused if the file has changed since it was
read. Each read parses the file, so that results share no data.
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

from fightcall_engine.archive.fsutil import (
    REAL_FILES,
    FileLayer,
    LibraryChanged,
    LibraryDamaged,
    Lock,
    NotStorable,
    backup_of,
    resolve_link,
    write_atomically,
)
from fightcall_engine.files.texts import read_bytes

__all__ = ["LibraryChanged", "LibraryDamaged", "NotStorable", "SafeStorage", "Tables", "parse", "serialise"]

Tables: TypeAlias = dict[str, dict[str, dict[str, object]]]
"""Table name -> document number -> document."""

LARGEST_LIBRARY = 50_000_000
"""The largest size of a library in bytes; a fight's card has about 300."""

LOCK_WAIT_S = 5.0
"""How long a writer waits for another program's change, in seconds."""


class SafeStorage(Storage):
    """Stores TinyDB's tables in one JSON file, one document per line. The file is created by the first write.

    Threads can share it if each change is made within `transaction`.
    """

    def __init__(self, path: Path, *, files: FileLayer = REAL_FILES, lock_wait_s: float = LOCK_WAIT_S) -> None:
        """Set the file; ``lock_wait_s`` is how long a change waits for another program's."""
        self.path = resolve_link(path)
        self._files = files
        self._lock = Lock(self.path, timeout=lock_wait_s)
        self._turn = threading.RLock()
        self._depth = 0
        self._seen: bytes | None = None

    def read(self) -> Tables | None:
        """The tables as they are on disk; None if the file does not exist.

        Raises:
            OSError: the file cannot be read.
            LibraryDamaged: its content is not a library.
        """
        data = self._bytes()
        tables = None if data is None else parse(self.path, data)
        self._seen = data
        return tables

    def write(self, data: Tables) -> None:
        """Replace the file, and keep the previous one as ``.bak``.

        Raises:
            NotStorable: the tables are not JSON.
            LibraryChanged: the file has changed since it was last read.
            OSError: the file cannot be written.
        """
        new = serialise(data)
        with self.transaction():
            if self._bytes() != self._seen:
                raise LibraryChanged(f"{self.path} was changed by another program; nothing was written")
            write_atomically(self.path, new, keep_previous=True, files=self._files)
            self._seen = new

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Exclude writes of other programs and threads, to read and change the tables safely.

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
    """The tables as JSON, one document per line, so that line numbers in errors are meaningful.

    Raises:
        NotStorable: a value is not JSON, such as NaN, an object, or a circular reference.
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
    """Parse the tables from a file's bytes.

    Raises:
        LibraryDamaged: the bytes are blank, not JSON, or JSON of another structure.
    """
    if not data.strip(b" \t\r\n\0"):
        raise LibraryDamaged(path, 1, "the file is blank", "a JSON object")
    try:
        tables: Tables = _decode(data.decode("utf-8"))
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise LibraryDamaged(path, line, "not UTF-8 text", "a JSON object") from problem
    except json.JSONDecodeError as problem:
        problem_text = f"not JSON: {problem.msg}"
        raise LibraryDamaged(path, problem.lineno, problem_text, "a JSON object") from problem
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
