"""File layers that fail on purpose, and a small journal to spoil."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fightcall_engine.archive.fsutil import FileLayer
from fightcall_engine.archive.journal import Journal
from fightcall_engine.archive.lines import encode_record, read_prefix

HEADER = {"system": "stage", "name": "Bridge", "seed": "7", "at": "2024-05-01T18:00:00+00:00"}
RECORDS = (
    {"t": "cmd", "on": 0, "cmd": {"type": "Move", "path": [[4, 4]]}, "ev": [{"type": "Moved", "n": 1}]},
    {"t": "cmd", "on": 1, "cmd": {"type": "Name"}, "ev": [{"name": 'Jo\n\u2028é\ud800 "q" 🐉'}]},
    {"t": "head", "to": 1},
    {"t": "mark", "on": 1, "name": "before the bridge"},
)


class FaultyFiles(FileLayer):
    """Real files on which the next operations can be made to fail.

    `faults` maps an operation's name to what happens to it, once each, in order: an error, a number of bytes
    that a write takes at most, or None for nothing.
    """

    def __init__(self) -> None:
        self.faults: dict[str, list[object]] = {}
        self.calls: list[str] = []

    def _fault(self, operation: str) -> object:
        self.calls.append(operation)
        waiting = self.faults.get(operation)
        fault = waiting.pop(0) if waiting else None
        if isinstance(fault, OSError):
            raise fault
        return fault

    def write(self, fd: int, data: bytes) -> int:
        most = self._fault("write")
        return super().write(fd, data[:most] if isinstance(most, int) else data)

    def sync(self, fd: int) -> None:
        self._fault("sync")
        super().sync(fd)

    def truncate(self, fd: int, size: int) -> None:
        self._fault("truncate")
        super().truncate(fd, size)

    def replace(self, source: Path, target: Path) -> None:
        self._fault("replace")
        super().replace(source, target)

    def place(self, source: Path, target: Path) -> None:
        self._fault("place")
        super().place(source, target)


class Tape(FileLayer):
    """Real files, and a record of every operation from which the disk after a power cut is worked out.

    Content survives once its file was synced, a name once its folder was.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.operations: list[tuple[object, ...]] = []
        self._open: dict[int, int] = {}
        self._names: dict[Path, int] = {}
        self._serial = 0
        for path in root.rglob("*") if root.exists() else ():
            if path.is_file():
                self._begin(path, path.read_bytes())
        self._start = len(self.operations)

    def _begin(self, path: Path, content: bytes) -> None:
        self._serial += 1
        self._names[path] = self._serial
        self.operations.append(("exists", path, self._serial, content))

    def note(self, what: object) -> None:
        """Put a remark on the tape, such as what has been acknowledged by now."""
        self.operations.append(("note", what))

    def open(self, path: Path, flags: int) -> int:
        fd = super().open(path, flags)
        if path not in self._names:
            self._serial += 1
            self._names[path] = self._serial
            self.operations.append(("create", path, self._serial))
        elif flags & os.O_TRUNC:
            self.operations.append(("truncate", self._names[path], 0))
        self._open[fd] = self._names[path]
        return fd

    def write(self, fd: int, data: bytes) -> int:
        taken = super().write(fd, data)
        self.operations.append(("write", self._open[fd], data[:taken]))
        return taken

    def sync(self, fd: int) -> None:
        super().sync(fd)
        self.operations.append(("sync", self._open[fd]))

    def truncate(self, fd: int, size: int) -> None:
        super().truncate(fd, size)
        self.operations.append(("truncate", self._open[fd], size))

    def replace(self, source: Path, target: Path) -> None:
        super().replace(source, target)
        self._names[target] = self._names.pop(source)
        self.operations.append(("replace", source, target))

    def place(self, source: Path, target: Path) -> None:
        super().place(source, target)
        self._names[target] = self._names.pop(source)
        self.operations.append(("replace", source, target))

    def sync_folder(self, folder: Path) -> None:
        super().sync_folder(folder)
        self.operations.append(("sync_folder", folder))

    def disks(self) -> Iterator[tuple[list[object], dict[Path, bytes]]]:
        """After each operation, the disks that a power cut may leave: (remarks so far, path -> content)."""
        for end in range(self._start, len(self.operations) + 1):
            yield from _disks(self.operations[:end])


def _disks(operations: list[tuple[object, ...]]) -> Iterator[tuple[list[object], dict[Path, bytes]]]:
    remarks: list[object] = []
    names: dict[Path, int] = {}
    safe_names: dict[Path, int] = {}
    content: dict[int, bytes] = {}
    safe_content: dict[int, bytes] = {}
    for word, *rest in operations:
        if word == "note":
            remarks.append(rest[0])
        elif word == "exists":
            path, inode, data = rest
            names[path] = safe_names[path] = inode
            content[inode] = safe_content[inode] = data
        elif word == "create":
            names[rest[0]] = rest[1]
            content[rest[1]] = safe_content[rest[1]] = b""
        elif word == "write":
            content[rest[0]] += rest[1]
        elif word == "truncate":
            content[rest[0]] = content[rest[0]][: rest[1]]
        elif word == "sync":
            safe_content[rest[0]] = content[rest[0]]
        elif word == "replace":
            names[rest[1]] = names.pop(rest[0])
        elif word == "sync_folder":
            safe_names = {path: inode for path, inode in safe_names.items() if path.parent != rest[0]}
            safe_names |= {path: inode for path, inode in names.items() if path.parent == rest[0]}
    for which in (names, safe_names):
        for kept in (content, safe_content):
            yield remarks, {path: kept[inode] for path, inode in which.items()}


@pytest.fixture
def faulty_files() -> FaultyFiles:
    return FaultyFiles()


@pytest.fixture
def make_tape() -> type[Tape]:
    return Tape


@pytest.fixture
def header() -> dict[str, object]:
    return dict(HEADER)


@pytest.fixture
def records() -> tuple[dict[str, object], ...]:
    return RECORDS


@pytest.fixture
def no_space() -> OSError:
    return OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def io_error() -> OSError:
    return OSError(errno.EIO, "Input/output error")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A journal of a header and four records."""
    path = tmp_path / "small.jsonl"
    with Journal.create(path, HEADER, sync="none") as journal:
        for record in RECORDS:
            journal.append(record)
    return path


@pytest.fixture
def bound() -> Callable[[list[bytes], dict[str, object]], bytes]:
    """The line of a record that follows some lines of a journal, as the journal would write it."""
    return lambda lines, record: encode_record(record, read_prefix(b"".join(lines)).chain)
