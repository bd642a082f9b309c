"""The journal: the append-only file of one fight, from which all else about the fight is derived.

One program writes it, under a lock on the file; any number can read it meanwhile. A record is on disk before
`Journal.append` returns. A crash can leave a torn last line, which is moved to another file and reported; other
damage is refused, with its line number, until `repair` is called.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal, NoReturn, TypeAlias

from fightcall_engine.archive.follow import Follower
from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, HeldFile, LockedByAnother, keep_aside, write_new
from fightcall_engine.archive.lines import (
    LARGEST_JOURNAL,
    BadLine,
    BadRecord,
    Chain,
    DamagedJournal,
    Problem,
    Reading,
    Record,
    TornTail,
    decode_line,
    encode_journal,
    encode_record,
    judge,
    misfit,
    read_prefix,
)
from fightcall_engine.archive.repair import RepairReport, Report, check_journal, read_trustworthy, repair
from fightcall_engine.files.texts import open_file, read_bytes
from fightcall_engine.model.errors import FightCallError

__all__ = [
    "AppendFailed",
    "BadLine",
    "BadRecord",
    "DamagedJournal",
    "Follower",
    "Journal",
    "JournalBroken",
    "LockedByAnother",
    "Problem",
    "Reading",
    "Record",
    "RepairReport",
    "Report",
    "TornTail",
    "check_journal",
    "decode_line",
    "encode_record",
    "last_record",
    "read_journal",
    "read_trustworthy",
    "repair",
]

Sync: TypeAlias = Literal["command", "none"]
"""When records are synced to disk: with every append, or never explicitly (for tests)."""

_BLOCK = 16 * 1024


class AppendFailed(FightCallError):
    """A record could not be written, and no part of it is left; the journal is still usable.

    Attributes:
        path: the journal.
        why: the operating system's message.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: not saved, nothing changed: {why}")
        self.path = path
        self.why = why


class JournalBroken(FightCallError):
    """The journal refuses more records, because the content of the file is uncertain. Close and reopen it.

    Attributes:
        path: the journal.
        why: the first error.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} takes no more records: {why}; close the fight and open it again")
        self.path = path
        self.why = why


class Journal:
    """The writer of one journal. It locks the file until `close`; not thread-safe.

    Attributes:
        path: the file.
        reading: the content of the file when it was opened.
    """

    def __init__(self, held_file: HeldFile, reading: Reading, sync: Sync, files: FileLayer) -> None:
        """Use `create` or `open`."""
        self.path = held_file.path
        self.reading = reading
        self._held = held_file
        self._sync = sync
        self._files = files
        self._next = reading.last_number + 1
        self._size = reading.size_ok
        self._chain = reading.chain
        self._trouble: str | None = None
        self._failure = ""

    @classmethod
    def create(
        cls,
        path: Path,
        header: Mapping[str, object],
        *,
        sync: Sync = "command",
        files: FileLayer = REAL_FILES,
    ) -> Journal:
        """Create a journal, and its folder if necessary. ``n``, ``t`` and ``v`` are added to the header.

        Raises:
            FileExistsError: the file exists; it is unchanged.
            BadRecord: the header is not JSON, or already has ``n``, ``t`` or ``v``.
            LockedByAnother: another program has it.
        """
        _refuse_fields(header, ("n", "t", "v"))
        return cls.create_whole(path, {"n": 0, "t": "fight", "v": None, **header}, (), sync=sync, files=files)

    @classmethod
    def create_whole(
        cls,
        path: Path,
        header: Mapping[str, object],
        records: Iterable[Mapping[str, object]],
        *,
        sync: Sync = "command",
        files: FileLayer = REAL_FILES,
    ) -> Journal:
        """Create a journal with records, and open it.

        Args:
            path: the file; its folder is created if necessary.
            header: the complete record 0.
            records: the records after it, with their numbers.
            sync: see `Sync`.
            files: the file operations, for tests.

        Raises:
            FileExistsError: the file exists; it is unchanged.
            BadRecord: a record is not JSON.
        """
        data = encode_journal(header, records)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Moved into place when complete, so that a crash never leaves a journal without a header.
        write_new(path, data, files)
        return cls.open(path, sync=sync, files=files)

    @classmethod
    def open(cls, path: Path, *, sync: Sync = "command", files: FileLayer = REAL_FILES) -> Journal:
        """Open a journal to append to it. A torn tail is moved to ``<name>.torn-<k>`` and reported in ``reading.torn``.

        Raises:
            FileNotFoundError: the file does not exist.
            LockedByAnother: another program has it.
            DamagedJournal: it must be repaired first; the file is unchanged.
            TooOld: a version before 0.2 wrote it; the file is unchanged.
        """
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such journal")
        held_file = HeldFile(path, files)
        try:
            reading = read_journal(path)
            if reading.torn is not None:
                reading = _quarantine(held_file, reading, reading.torn, files)
            return cls(held_file, reading, sync, files)
        except BaseException:
            held_file.release()
            raise

    @property
    def last_number(self) -> int:
        """The number of the last record that is safe on disk."""
        return self._next - 1

    def append(self, *records: Mapping[str, object]) -> int:
        """Number records, write them in one go, sync as ``sync`` says, and return the last number.

        Raises:
            BadRecord: one is not a valid record; nothing was written.
            AppendFailed: writing failed, and no part of them is left.
            JournalBroken: this append or an earlier one failed, and the content of the file is uncertain.
        """
        if self._trouble is not None:
            raise JournalBroken(self.path, self._trouble)
        chain, lines = self._chain, list[bytes]()
        for number, record in enumerate(records, self._next):
            _refuse_fields(record, ("n",))
            full_record: Record = {"n": number, **record}
            problem = misfit(full_record, number)
            if problem is not None:
                raise BadRecord(f"{problem.what}; expected {problem.expected}")
            lines.append(encode_record(full_record, chain))
            chain = chain.after(lines[-1])
        stranger = self._find_stranger()
        if stranger:
            self._stop(stranger)
        # Set first and cleared last, so that an interrupt in between stops the journal instead of
        # leaving it uncertain.
        self._trouble = "a write was interrupted"
        data = b"".join(lines)
        self._write(data)
        self._make_safe()
        self._trouble = None
        self._failure = ""
        self._next += len(lines)
        self._size += len(data)
        self._chain = chain
        return self.last_number

    @property
    def trouble(self) -> str:
        """Why the last records are not safe on disk; empty if they are."""
        return self._trouble or self._failure or self._find_stranger()

    def _find_stranger(self) -> str:
        """What another program did to the file; empty if it is unchanged."""
        try:
            on_path, held = os.stat(self.path), os.fstat(self._held.fd)
        except OSError as problem:
            return f"the file is gone ({problem.strerror})"
        if not os.path.samestat(on_path, held):
            return "another file was put in its place"
        if on_path.st_size != self._size:
            return f"another program changed the file ({on_path.st_size} bytes, expected {self._size})"
        return ""

    def _write(self, data: bytes) -> None:
        """Write all of the data, or remove the part that was written."""
        try:
            count = self._files.write(self._held.fd, data)
            why = f"only {count} of {len(data)} bytes were taken; is the disk full?"
        except OSError as problem:
            count, why = -1, str(problem)
        if count == len(data):
            return
        try:
            self._files.truncate(self._held.fd, self._size)
        except OSError as problem:
            self._stop(f"{why}; and taking it back failed: {problem}")
        self._trouble = None
        self._failure = why
        raise AppendFailed(self.path, why)

    def _make_safe(self) -> None:
        """Sync the file to disk."""
        if self._sync == "none":
            return
        try:
            self._files.sync(self._held.fd)
        except OSError as problem:
            # After a failed sync the system may have dropped the data, and the next sync may still succeed.
            self._stop(f"the disk did not confirm record {self._next}: {problem}")

    def _stop(self, why: str) -> NoReturn:
        """Refuse more records, because the content of the file is uncertain."""
        self._trouble = why
        raise JournalBroken(self.path, why)

    def close(self) -> None:
        """Close and unlock the file; may be called again."""
        self._trouble = self._trouble or "it is closed"
        self._held.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()


def _refuse_fields(record: Mapping[str, object], names: tuple[str, ...]) -> None:
    for name in names:
        if name in record:
            raise BadRecord(f"the journal sets {name!r} itself; leave it out")


def _quarantine(held_file: HeldFile, reading: Reading, torn: TornTail, files: FileLayer) -> Reading:
    aside = keep_aside(held_file.path, torn.data, "torn", files)
    files.truncate(held_file.fd, reading.size_ok)
    files.sync(held_file.fd)
    return replace(reading, torn=replace(torn, kept_as=aside))


def read_journal(path: Path) -> Reading:
    """Read a journal without locking or changing it.

    Raises:
        OSError: the file cannot be read.
        DamagedJournal: it has damage other than a torn tail.
        TooOld: a version before 0.2 wrote it.
    """
    return judge(path, read_bytes(path, LARGEST_JOURNAL))


def last_record(path: Path) -> Record:
    """Read the last complete record without checking the others, except the header. A torn tail is ignored.

    Raises:
        OSError: the file cannot be read.
        DamagedJournal: the header, or each of the last two complete lines, is not a record.
        TooOld: a version before 0.2 wrote it.
    """
    with open_file(path) as file:
        header = file.readline(LARGEST_JOURNAL)
        size = file.seek(0, os.SEEK_END)
        reach = _BLOCK
        while True:
            start = max(0, size - reach)
            file.seek(start)
            lines = file.read(size - start).split(b"\n")[:-1]
            if start:
                lines = lines[1:]
            if not start or len(lines) >= 2 or reach > LARGEST_JOURNAL:
                break
            reach *= 4
    for line in lines[:-3:-1]:
        fight = _chain_behind(path, header).fight
        try:
            record = decode_line(line, 0 if line == header.removesuffix(b"\n") else fight)
        except BadLine:
            continue
        record.pop("prev", None)
        return record
    raise DamagedJournal(path, Problem(0, "the end holds no record", "a record in the last two lines"))


def _chain_behind(path: Path, header: bytes) -> Chain:
    prefix = read_prefix(header)
    if not prefix.records:
        raise DamagedJournal(path, prefix.problem or Problem(1, "the file is empty", "the header of a fight"))
    return prefix.chain
