"""The errors of the library. None leaves a change behind."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fightcall_engine.archive.fsutil import backup_of
from fightcall_engine.model.errors import FightCallError

REPAIR = "fightcall repair --library"
"""The advice for a damaged library."""


class LibraryDamaged(FightCallError):
    """The library's file cannot be read. It was not touched.

    Attributes:
        path: the file.
        line: the line that is wrong, from 1; None where the whole file is.
        problem: what is wrong.
        expected: what belongs there.
        backup: the previous generation, where there is one.
    """

    def __init__(self, path: Path, line: int | None, problem: str, expected: str) -> None:
        self.path = path
        self.line = line
        self.problem = problem
        self.expected = expected
        backup = backup_of(path)
        self.backup = backup if backup.exists() else None
        where = f"{path}, line {line}" if line is not None else str(path)
        source = f"from {backup}" if self.backup else "from the fights; there is no backup"
        super().__init__(
            f"{where}: {problem} (expected {expected})\n{REPAIR} makes it again {source}; the damaged file is kept"
        )


class LibraryChanged(FightCallError):
    """Another program changed the library since it was read; nothing was written. Read again, then change."""


class NotStorable(FightCallError, ValueError):
    """A document that JSON cannot hold; nothing was written."""


class LibraryTooNew(FightCallError):
    """The library was written by a newer Fight Call."""

    def __init__(self, path: Path, version: object, own_schema: int) -> None:
        super().__init__(
            f"{path}: schema {version!r:.40}; this Fight Call reads schema {own_schema}\n"
            f"{REPAIR} makes it again from the fights and keeps the file; or use a newer Fight Call"
        )
        self.path = path
        self.found = version


class UnknownRecord(FightCallError, LookupError):
    """The library has no such record.

    Attributes:
        kind: what was looked for, such as ``fight``.
        key: by which id or name.
        accepts: what there is.
    """

    def __init__(self, kind: str, key: str, accepts: Iterable[str]) -> None:
        self.kind = kind
        self.key = key
        self.accepts = tuple(accepts)
        some = ", ".join(self.accepts[:8]) + (", ..." if len(self.accepts) > 8 else "")
        super().__init__(f"no {kind} {key!r}; there are: {some or 'none'}")
