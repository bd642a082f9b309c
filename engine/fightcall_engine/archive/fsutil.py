"""Crash-safe file operations, behind an interface that tests use to inject faults; and the library's errors.

Data is synced before a name points at it, and a folder is synced after a name in it has changed.
"""

from __future__ import annotations

import errno
import itertools
import os
import re
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from fightcall_engine.model.errors import FightCallError

_BINARY: int = getattr(os, "O_BINARY", 0)
_serial = itertools.count()

REPAIR = "fightcall repair --library"
"""The advice for a damaged library."""


class LockedByAnother(FightCallError):
    """Another program holds the file: `holder` in words, such as ``process 4711 on laptop``."""

    def __init__(self, path: Path, holder: str) -> None:
        super().__init__(f"{path} is open in another program ({holder}); close it there first")
        self.path = path
        self.holder = holder


class FileLayer:
    """File operations that change something; all of them raise OSError. Tests derive from it."""

    write = staticmethod(os.write)
    truncate = staticmethod(os.ftruncate)
    close = staticmethod(os.close)
    replace = staticmethod(os.replace)
    unlink = staticmethod(os.unlink)

    def open(self, path: Path, flags: int) -> int:
        """Open with the user's default permissions; never translates line ends."""
        return os.open(path, flags | _BINARY, 0o666)

    def sync(self, fd: int) -> None:
        """``fdatasync`` if available, which also syncs a grown size; after an error, trying again does not help."""
        if sys.platform == "darwin":
            import fcntl

            # Only this empties the drive's cache.
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

    def place(self, source: Path, target: Path) -> None:
        """Move by a second name, which never takes the place of a file."""
        try:
            os.link(source, target)
        except FileExistsError:
            raise
        except OSError:
            # FAT and some network volumes give a file no second name.
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
            os.rename(source, target)
        else:
            os.unlink(source)

    def sync_folder(self, folder: Path) -> None:
        """Sync a folder's names to the storage medium; does nothing on Windows, which has no such call."""
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


REAL_FILES = FileLayer()


def write_fully(files: FileLayer, fd: int, data: bytes) -> None:
    """Write all of ``data``, in several calls if necessary."""
    rest = memoryview(data)
    while rest:
        count = files.write(fd, bytes(rest))
        if count <= 0:
            raise OSError(errno.EIO, "nothing was written")
        rest = rest[count:]


def _write_beside(files: FileLayer, path: Path, data: bytes, move: Callable[[Path, Path], None]) -> None:
    clear_stale(path.parent, path.name)
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{next(_serial)}.tmp")
    try:
        fd = files.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            write_fully(files, fd, data)
            files.sync(fd)
        finally:
            files.close(fd)
        move(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


_TEMPORARY = re.compile(r"\..+\.(\d+)-\d+\.tmp")
_STALE_AFTER_S = 3600.0


def clear_stale(folder: Path, name: str = "*") -> None:
    """Remove temporary files left by programs that died; ignores files that cannot be removed.

    `name` is that of the target file, or a glob pattern; the folder need not exist.
    """
    for path in folder.glob(f".{name}.*.tmp"):
        match = _TEMPORARY.fullmatch(path.name)
        with suppress(OSError):
            if match and (_is_dead(int(match[1])) or time.time() - path.lstat().st_mtime > _STALE_AFTER_S):
                path.unlink()


def _is_dead(process: int) -> bool:
    """True if no process of this id runs here; always False on Windows, where asking would end the process."""
    if sys.platform == "win32":
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return False


def resolve_link(path: Path) -> Path:
    """The target of a link, if it is a file or does not exist; the path itself for loops and other targets."""
    target = Path(os.path.realpath(path))
    return target if target.is_file() or not target.exists() else path.absolute()


def write_atomically(path: Path, data: bytes, keep_previous: bool, files: FileLayer = REAL_FILES) -> None:
    """Replace the content of ``path``; after a crash it is either the old or the new content.

    Links are followed. Concurrent writers need a lock.
    With `keep_previous`, the previous content is kept as ``<name>.bak``.

    Raises:
        OSError: nothing changed, except that the ``.bak`` may already be the present content; or only the last sync of
            the folder failed, and the new content is written but may not survive a crash.
    """
    path = resolve_link(path)
    if keep_previous and path.exists():
        _write_beside(files, backup_of(path), path.read_bytes(), files.replace)
    _write_beside(files, path, data, files.replace)
    files.sync_folder(path.parent)


def write_new(path: Path, data: bytes, files: FileLayer = REAL_FILES) -> None:
    """Create a file; after a crash or with a full disk it is either complete or does not exist.

    Raises FileExistsError: unchanged; OSError: not created, or the folder is not synced: it may not survive a crash.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    _write_beside(files, path, data, files.place)
    files.sync_folder(path.parent)


def backup_of(path: Path) -> Path:
    """The path under which `write_atomically` keeps the previous content of ``path``."""
    path = resolve_link(path)
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


def _try_lock(fd: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(fd, 1 << 30, os.SEEK_SET)  # Lock a byte beyond the text, which others may read.
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        if problem.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        raise
    return True


class HeldFile:
    """A file that this program has open and locked; the lock ends with the program.

    The lock is on the file itself, whatever its name. (Lock libraries take longer to import than a small command
    takes to run.) As long as it is held, ``<name>.lock`` names the holder; it is only for people to read.

    Attributes:
        fd: its descriptor for reading and appending; -1 after the release.
    """

    def __init__(self, path: Path, files: FileLayer = REAL_FILES) -> None:
        """Open and lock a file. Raises FileNotFoundError, OSError, or LockedByAnother: another process holds it."""
        self.path = path
        self._files = files
        self._note = _note_beside(path)
        self.fd = files.open(path, os.O_RDWR | os.O_APPEND)
        try:
            if not _try_lock(self.fd):
                raise LockedByAnother(path, read_holder(path))
            # The last holder may have replaced the file after it was opened here.
            if not os.path.samestat(os.fstat(self.fd), os.stat(path)):
                raise LockedByAnother(path, "it was just replaced")
        except BaseException:
            files.close(self.fd)
            raise
        with suppress(OSError):
            self._note.write_text(_holder_here(), encoding="utf-8")

    def release(self) -> None:
        """Unlock and close the file; may be called again."""
        if self.fd < 0:
            return
        fd, self.fd = self.fd, -1
        with suppress(OSError):
            self._note.unlink()
        self._files.close(fd)

    def __enter__(self) -> HeldFile:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.release()


def _note_beside(path: Path) -> Path:
    path = resolve_link(path)
    return path.with_name(path.name + ".lock")


def _holder_here() -> str:
    import socket  # Slow to import, and not needed to read.

    return f"process {os.getpid()} on {socket.gethostname()}"


def read_holder(path: Path) -> str:
    """The holder of a file according to its ``.lock``."""
    try:
        return _note_beside(path).read_text(encoding="utf-8")[:200] or "name unknown"
    except (OSError, ValueError):
        return "name unknown"


class Lock:
    """A lock on the path of a file that is replaced as a whole, so that the file itself cannot be locked."""

    def __init__(self, path: Path, timeout: float = 0.0) -> None:
        """Create the lock of ``path`` without taking it; `take` waits up to ``timeout`` seconds for another holder."""
        self.path = path
        self._file = path.with_name(path.name + ".lock")
        self._timeout = timeout
        self._fd: int | None = None

    def take(self) -> None:
        """Take the lock. Raises LockedByAnother: another process did not release it in time."""
        deadline = time.monotonic() + self._timeout
        while self._fd is None:
            self._fd = self._try_acquire()
            if self._fd is None:
                if time.monotonic() >= deadline:
                    raise LockedByAnother(self.path, read_holder(self.path))
                time.sleep(_LOCK_PAUSE_S)
        with suppress(OSError):
            os.ftruncate(self._fd, 0)
            os.lseek(self._fd, 0, os.SEEK_SET)
            os.write(self._fd, _holder_here().encode())

    def _try_acquire(self) -> int | None:
        fd = os.open(self._file, os.O_RDWR | os.O_CREAT | _BINARY, 0o666)
        try:
            # If the lock file was removed or replaced meanwhile, this lock is void.
            if _try_lock(fd) and os.path.samestat(os.fstat(fd), os.stat(self._file)):
                return fd
        except BaseException as problem:
            os.close(fd)
            if isinstance(problem, FileNotFoundError):
                return None
            raise
        os.close(fd)
        return None

    def release(self) -> None:
        """Release the lock; may be called again."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


# The errors of the library


class LibraryDamaged(FightCallError):
    """The library's file cannot be read, and was not touched: the wrong `line`, if it is one, and the `backup`."""

    def __init__(self, path: Path, line: int | None, problem: str, expected: str) -> None:
        self.path = path
        self.line = line
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


class UnknownRecord(FightCallError, LookupError):
    """The library has no such fight."""

    def __init__(self, fight: str, fights: Collection[str]) -> None:
        some = ", ".join([*fights][:8]) + (", ..." if len(fights) > 8 else "")
        super().__init__(f"no fight {fight!r}; there are: {some or 'none'}")
