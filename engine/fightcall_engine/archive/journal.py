"""The journal: the append-only file of one fight, and the only truth about it.

One program writes it, under a lock on the file itself; any number may read or follow it. A record is on disk
before `Journal.append` returns. What a crash may leave is a torn last line, which is moved beside the file and
reported; anything else that is wrong is refused with its line named, until somebody asks for `repair`.
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
"""When a record is pushed to the medium: with every append, or when the system likes (for tests)."""

_BLOCK = 16 * 1024


class AppendFailed(FightCallError):
    """A record could not be written and nothing of it is left; the journal can go on.

    Attributes:
        path: the journal.
        why: what the system said.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: not saved, nothing changed: {why}")
        self.path = path
        self.why = why


class JournalBroken(FightCallError):
    """The journal takes no more records: it cannot tell what is on the disk. Close it and open it again.

    Attributes:
        path: the journal.
        why: what happened first.
    """

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} takes no more records: {why}; close the fight and open it again")
        self.path = path
        self.why = why


class Journal:
    """The writer of one journal. It holds the file until `close`; one thread at a time may use it.

    Attributes:
        path: the file.
        reading: what the file held when it was opened.
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
        """Begin a journal; its folder is made if need be. The header gets ``n``, ``t`` and ``v`` from here.

        Raises:
            FileExistsError: there is a file already; it was not touched.
            BadRecord: the header is not JSON, or has ``n``, ``t`` or ``v``.
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
        """Write a journal that is already full, and go on with it.

        Args:
            path: where to; its folder is made if need be.
            header: record 0, whole.
            records: those after it, with their numbers.
            sync: see `Sync`.
            files: where the operations go.

        Raises:
            FileExistsError: there is a file already; it was not touched.
            BadRecord: something in it is not JSON.
        """
        data = encode_journal(header, records)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Moved into place, so that no crash leaves a journal without a header.
        write_new(path, data, files)
        return cls.open(path, sync=sync, files=files)

    @classmethod
    def open(cls, path: Path, *, sync: Sync = "command", files: FileLayer = REAL_FILES) -> Journal:
        """Continue a journal. A torn tail is moved to ``<name>.torn-<k>`` and reported in ``reading.torn``.

        Raises:
            FileNotFoundError: there is none.
            LockedByAnother: another program has it.
            DamagedJournal: it must be repaired first; the file was not touched.
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
        """The number of the last record that is safe."""
        return self._next - 1

    def append(self, *records: Mapping[str, object]) -> int:
        """Number records, write them as one, and return the last number once all are safe (as far as ``sync`` asks).

        Raises:
            BadRecord: one is no record; nothing was written.
            AppendFailed: the disk refused them, and nothing of them is left.
            JournalBroken: this append or an earlier one failed in a way that leaves the file in doubt.
        """
        if self._trouble is not None:
            raise JournalBroken(self.path, self._trouble)
        chain, lines = self._chain, list[bytes]()
        for number, record in enumerate(records, self._next):
            _refuse_fields(record, ("n",))
            full_record: Record = {"n": number, **record}
            wrong = misfit(full_record, number)
            if wrong is not None:
                raise BadRecord(f"{wrong.what}; expected {wrong.expected}")
            lines.append(encode_record(full_record, chain))
            chain = chain.after(lines[-1])
        stranger = self._find_stranger()
        if stranger:
            self._stop(stranger)
        # Set first and cleared last: an interrupt anywhere in between leaves the journal stopped, not
        # guessing.
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
        """Why what happened last is not safe on the disk; empty where it is."""
        return self._trouble or self._failure or self._find_stranger()

    def _find_stranger(self) -> str:
        """What somebody else did to the file, empty where nobody did anything."""
        try:
            theirs, ours = os.stat(self.path), os.fstat(self._held.fd)
        except OSError as problem:
            return f"the file is gone ({problem.strerror})"
        if not os.path.samestat(theirs, ours):
            return "another file was put in its place"
        if theirs.st_size != self._size:
            return f"another program changed the file ({theirs.st_size} bytes, expected {self._size})"
        return ""

    def _write(self, data: bytes) -> None:
        """Write all of it, or take back what of it was written."""
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
        """Have the disk confirm it."""
        if self._sync == "none":
            return
        try:
            self._files.sync(self._held.fd)
        except OSError as problem:
            # After a failed sync the system may have dropped the data and call the next sync good.
            self._stop(f"the disk did not confirm record {self._next}: {problem}")

    def _stop(self, why: str) -> NoReturn:
        """Take no more records: what is on the disk is in doubt."""
        self._trouble = why
        raise JournalBroken(self.path, why)

    def close(self) -> None:
        """Give up the file; again does no harm."""
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
    """Read a journal without its lock and without touching it.

    Raises:
        OSError: the file cannot be read.
        DamagedJournal: something other than a torn tail is wrong.
    """
    return judge(path, read_bytes(path, LARGEST_JOURNAL))


def last_record(path: Path) -> Record:
    """Read the last whole record from the end of the file, past a torn tail; of the rest only the header is checked.

    Raises:
        OSError: the file cannot be read.
        DamagedJournal: the last whole line is no record, nor the one before it; or the header is none.
    """
    with open_file(path) as file:
        header = file.readline(LARGEST_JOURNAL)
        size = file.seek(0, os.SEEK_END)
        reach = _BLOCK
        while True:
            start = max(0, size - reach)
            file.seek(start)
            whole = file.read(size - start).split(b"\n")[:-1]
            if start:
                whole = whole[1:]
            if not start or len(whole) >= 2 or reach > LARGEST_JOURNAL:
                break
            reach *= 4
    for line in whole[:-3:-1]:
        fight = 0 if line == header.removesuffix(b"\n") else _chain_behind(path, header).fight
        try:
            record = decode_line(line, fight)
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
