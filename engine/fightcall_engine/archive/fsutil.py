"""File operations that survive a crash, behind a seam where tests put faults.

The rules come from what trusted logs do: data is synced before a name points at it, and a folder is synced
after a name in it changed.
"""

from __future__ import annotations

import errno
import itertools
import os
import sys
import time
from pathlib import Path
from typing import Protocol

from fightcall_engine.errors import FightCallError

_BINARY: int = getattr(os, "O_BINARY", 0)
_serial = itertools.count()


class LockedByAnother(FightCallError):
    """Another program holds the file.

    Attributes:
        path: the file that was wanted.
        who: the holder in words, e.g. ``process 4711 on laptop``.
    """

    def __init__(self, path: Path, who: str) -> None:
        super().__init__(f"{path} is open in another program ({who}); close it there first")
        self.path = path
        self.who = who


class FileLayer(Protocol):
    """The changing file operations; all of them raise OSError."""

    def open(self, path: Path, flags: int) -> int:
        """Open and return a descriptor; ``flags`` as in ``os.open``."""

    def write(self, fd: int, data: bytes) -> int:
        """Write once and return how many bytes were taken."""

    def sync(self, fd: int) -> None:
        """Return when everything written to ``fd`` would survive a power cut."""

    def truncate(self, fd: int, size: int) -> None:
        """Cut the file to ``size`` bytes."""

    def close(self, fd: int) -> None:
        """Give the descriptor back."""

    def replace(self, source: Path, target: Path) -> None:
        """Move ``source`` over ``target`` in one step."""

    def unlink(self, path: Path) -> None:
        """Remove a name."""

    def sync_folder(self, folder: Path) -> None:
        """Return when the names in ``folder`` would survive a power cut."""


class RealFiles:
    """The operating system's files."""

    def open(self, path: Path, flags: int) -> int:
        """Open with the user's default permissions; never translates line ends."""
        return os.open(path, flags | _BINARY, 0o666)

    def write(self, fd: int, data: bytes) -> int:
        """Write with one call of ``os.write``."""
        return os.write(fd, data)

    def sync(self, fd: int) -> None:
        """See `durable_sync`."""
        durable_sync(fd)

    def truncate(self, fd: int, size: int) -> None:
        """Cut with ``os.ftruncate``."""
        os.ftruncate(fd, size)

    def close(self, fd: int) -> None:
        """Close with ``os.close``."""
        os.close(fd)

    def replace(self, source: Path, target: Path) -> None:
        """Move with ``os.replace``."""
        os.replace(source, target)

    def unlink(self, path: Path) -> None:
        """Remove with ``os.unlink``."""
        os.unlink(path)

    def sync_folder(self, folder: Path) -> None:
        """See `sync_folder`."""
        sync_folder(folder)


REAL_FILES = RealFiles()


def durable_sync(fd: int) -> None:
    """Push a file's content through to the medium.

    ``fdatasync`` where there is one: it flushes the size too when that grew. On macOS only F_FULLFSYNC
    empties the drive's own cache.

    Raises:
        OSError: the data may be lost, and a second try cannot tell.
    """
    if sys.platform == "darwin":
        import fcntl

        try:
            fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
        except OSError as problem:
            # Network and some FAT volumes do not know the request; an I/O error is one.
            if problem.errno not in (errno.ENOTSUP, errno.EINVAL, errno.ENOTTY):
                raise
            os.fsync(fd)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(fd)
    else:
        os.fsync(fd)


def sync_folder(folder: Path) -> None:
    """Push a folder's names through to the medium; does nothing on Windows, which has no such call."""
    if sys.platform == "win32":
        return
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    except OSError as problem:
        # Some network file systems cannot sync a folder; there is nothing better to do on them.
        if problem.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(fd)


def write_fully(files: FileLayer, fd: int, data: bytes) -> None:
    """Write all of ``data``, however many calls it takes."""
    left = memoryview(data)
    while left:
        taken = files.write(fd, bytes(left))
        if taken <= 0:
            raise OSError(errno.EIO, "nothing was written")
        left = left[taken:]


def _write_and_swap(files: FileLayer, path: Path, data: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{next(_serial)}.tmp")
    try:
        fd = files.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            write_fully(files, fd, data)
            files.sync(fd)
        finally:
            files.close(fd)
        files.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_atomically(path: Path, data: bytes, keep_previous: bool, files: FileLayer = REAL_FILES) -> None:
    """Give ``path`` new content such that a crash leaves the old or the new, whole.

    A link is followed, so that the file it points at is renewed. Two writers need a lock of their own.

    Args:
        path: an existing or new file in an existing folder.
        data: the whole new content.
        keep_previous: keep what was there as ``<name>.bak``.
        files: where the operations go.

    Raises:
        OSError: nothing changed, except that the ``.bak`` may already be the present content; or, where only
            the last sync of the folder failed, the new content is there but not yet safe.
    """
    path = path.resolve()
    if keep_previous and path.exists():
        _write_and_swap(files, backup_of(path), path.read_bytes())
    _write_and_swap(files, path, data)
    files.sync_folder(path.parent)


def backup_of(path: Path) -> Path:
    """Where `write_atomically` keeps the previous content of ``path``."""
    path = path.resolve()
    return path.with_name(path.name + ".bak")


def keep_aside(path: Path, data: bytes, word: str, files: FileLayer = REAL_FILES) -> Path:
    """Save ``data`` beside ``path`` as ``<name>.<word>-<k>``, k the first free number from 1, and sync it."""
    for k in itertools.count(1):
        aside = path.with_name(f"{path.name}.{word}-{k}")
        try:
            fd = files.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            continue
        try:
            try:
                write_fully(files, fd, data)
                files.sync(fd)
            finally:
                files.close(fd)
        except BaseException:
            aside.unlink(missing_ok=True)
            raise
        files.sync_folder(path.parent)
        return aside
    raise AssertionError("unreachable")


_LOCK_PAUSE_S = 0.02


def _lock_file(fd: int) -> None:
    """Take the system's own lock on an open file; OSError where another program has it."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(fd, 1 << 30, os.SEEK_SET)  # Beyond the text, which others may read.
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """A lock on a file that programs agree on; the system frees it when its holder dies.

    It is a second file, ``<name>.lock``, because the file itself may be replaced. Its text names the holder. (The lock
    libraries take longer to import than a small command of the program takes to run.)
    """

    def __init__(self, path: Path, timeout: float = 0.0) -> None:
        """Describe the lock of ``path``; ``timeout`` is how many seconds `take` waits for another holder."""
        self.path = path
        self._file = path.with_name(path.name + ".lock")
        self._timeout = timeout
        self._fd: int | None = None

    def take(self) -> None:
        """Take the lock.

        Raises:
            LockedByAnother: somebody else kept it.
        """
        import socket

        deadline = time.monotonic() + self._timeout
        while self._fd is None:
            self._fd = self._try()
            if self._fd is None:
                if time.monotonic() >= deadline:
                    raise LockedByAnother(self.path, self._holder())
                time.sleep(_LOCK_PAUSE_S)
        os.ftruncate(self._fd, 0)
        os.lseek(self._fd, 0, os.SEEK_SET)
        os.write(self._fd, f"process {os.getpid()} on {socket.gethostname()}".encode())

    def _try(self) -> int | None:
        """The descriptor that holds the lock, None where another has it."""
        fd = os.open(self._file, os.O_RDWR | os.O_CREAT | _BINARY, 0o666)
        try:
            _lock_file(fd)
            # Its last holder may have taken the name away meanwhile: then this is the lock of nothing.
            if os.path.samestat(os.fstat(fd), os.stat(self._file)):
                return fd
        except OSError:
            pass
        os.close(fd)
        return None

    def release(self) -> None:
        """Free the lock; again does no harm."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def remove(self) -> None:
        """Free the lock and take its file away, for a file that leaves its place."""
        try:
            self._file.unlink(missing_ok=True)
        except PermissionError:
            pass  # Windows keeps the name of an open file; an idle lock file does no harm.
        finally:
            self.release()

    def _holder(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8") or "name unknown"
        except (OSError, ValueError):
            return "name unknown"

    def __enter__(self) -> Lock:
        self.take()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.release()
