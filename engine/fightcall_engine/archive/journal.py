"""The journal: the append-only file of one fight, from which all else about the fight is derived.

One program writes it, under a lock on the file; any number can read it meanwhile. A record is on disk before
`Journal.append` returns, or `Journal.synced_together` ends. A crash can leave a torn last line, which is moved to
another file and reported; other damage is refused, with its line number, until `repair` is called.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, NoReturn, TypeAlias

from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, HeldFile, keep_aside, write_atomically, write_new
from fightcall_engine.archive.lines import (
    LARGEST_JOURNAL,
    LONGEST_CORRECTED,
    UNBOUND,
    BadLine,
    BadRecord,
    DamagedJournal,
    Problem,
    Reading,
    Record,
    TornTail,
    all_problems,
    chain_of,
    check_of,
    correct_line,
    decode_line,
    encode_journal,
    encode_record,
    judge,
    misfit,
    read_prefix,
    reading_of,
    records_within,
    torn_tail,
)
from fightcall_engine.files import open_file, read_bytes
from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.values import frozen, replace

Sync: TypeAlias = Literal["command", "none"]
"""When records are synced to disk: with every append, or never explicitly (for tests)."""

_BLOCK = 16 * 1024


class AppendFailed(FightCallError):
    """A record could not be written, and no part of it is left; the journal is still usable."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: not saved, nothing changed: {why}")
        self.path = path
        self.why = why


class JournalBroken(FightCallError):
    """The journal refuses more records, because the content of the file is uncertain. Close and reopen it."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} takes no more records: {why}; close the fight and open it again")
        self.path = path
        self.why = why


class Journal:
    """The writer of one journal, locked until `close`; not thread-safe. `reading` is what it held when opened."""

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
        records: Iterable[Mapping[str, object]] = (),
        *,
        sync: Sync = "command",
        files: FileLayer = REAL_FILES,
    ) -> Journal:
        """Create a journal, and its folder if necessary, and open it.

        ``n``, ``t`` and ``v`` are added to the header; the records have their numbers.

        Raises:
            FileExistsError: the file exists; it is unchanged.
            BadRecord: the header already has ``n``, ``t`` or ``v``, or a record is not JSON.
            LockedByAnother: another program has it.
        """
        _refuse_fields(header, ("n", "t", "v"))
        data = encode_journal({"n": 0, "t": "fight", "v": None, **header}, records)
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
                aside = keep_aside(path, reading.torn.data, "torn", files)
                files.truncate(held_file.fd, reading.size_ok)
                files.sync(held_file.fd)
                reading = replace(reading, torn=replace(reading.torn, kept_as=aside))
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
                raise BadRecord("{}; expected {}".format(*problem))
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
        if self._sync == "command":
            self._confirm(self._next)
        self._trouble = None
        self._failure = ""
        self._next += len(lines)
        self._size += len(data)
        self._chain = chain
        return self.last_number

    @contextmanager
    def synced_together(self) -> Iterator[None]:
        """Sync what is appended within once, at its end; until then none of it may be acknowledged.

        Raises:
            JournalBroken: the disk did not confirm it.
        """
        sync, first = self._sync, self._next
        self._sync = "none"
        try:
            yield
        finally:
            self._sync = sync
            if sync == "command" and self._next > first:
                self._confirm(first)

    def _confirm(self, first: int) -> None:
        try:
            self._files.sync(self._held.fd)
        except OSError as problem:
            # After a failed sync the system may have dropped the data, and the next sync may still succeed.
            self._stop(f"the disk did not confirm record {first}: {problem}")

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

    def _stop(self, why: str) -> NoReturn:
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


def read_journal(path: Path) -> Reading:
    """Read a journal without locking or changing it.

    Raises:
        OSError: the file cannot be read.
        DamagedJournal: it has damage other than a torn tail.
        TooOld: a version before 0.2 wrote it.
    """
    return judge(path, read_bytes(path, LARGEST_JOURNAL))


def keeps_rules(path: Path) -> bool:
    """Whether a journal keeps the rules of its fight, so that their file isn't needed. False if it can't be read."""
    try:
        with open_file(path) as file:
            return bool(decode_line(file.readline(LARGEST_JOURNAL).removesuffix(b"\n"), 0).get("rules"))
    except (OSError, BadLine):
        return False


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
        prefix = read_prefix(header)
        if not prefix.records:
            raise DamagedJournal(path, prefix.problem or Problem(1, "the file is empty", "the header of a fight"))
        try:
            record = decode_line(line, 0 if line == header.removesuffix(b"\n") else prefix.chain.fight)
        except BadLine:
            continue
        record.pop("prev", None)
        return record
    raise DamagedJournal(path, Problem(0, "the end holds no record", "a record in the last two lines"))


# Following


class Follower:
    """A reader that keeps up with a journal which another program writes."""

    def __init__(self, path: Path, after: Reading | None = None) -> None:
        """Follow ``path`` from its header on, or from behind what ``after`` has read."""
        self.path = path
        self._next = 0 if after is None else after.last_number + 1
        self._chain = UNBOUND if after is None else after.chain
        self._offset = 0 if after is None else after.size_ok
        self._inode: tuple[int, int] | None = None

    def poll(self) -> list[Record]:
        """Records that are new and whole, the header first; an unfinished last line is left for later.

        Raises DamagedJournal: a record that does not belong there, or the file was cut or replaced.
        """
        try:
            file = open_file(self.path)
        except FileNotFoundError:
            return []
        with file:
            stat = os.fstat(file.fileno())
            inode = (stat.st_dev, stat.st_ino)
            if self._inode is not None and (inode != self._inode or stat.st_size < self._offset):
                raise self._damage("the file was cut or replaced", "the file that was followed; open it again")
            if stat.st_size < self._offset:
                raise self._damage("the file was cut", f"at least {self._offset} bytes")
            self._inode = inode
            file.seek(self._offset)
            fresh = file.read(max(0, min(stat.st_size - self._offset, LARGEST_JOURNAL)))
        records: list[Record] = []
        lines = fresh.split(b"\n")
        for at, line in enumerate(lines[:-1]):
            try:
                record = decode_line(line, self._chain.fight)
            except BadLine as bad:
                if any(records_within(b"".join(lines[at + 1 :]), self._chain.fight)):
                    raise self._damage(bad.reason, f"record {self._next}") from bad
                break
            problem = misfit(record, self._next, self._chain.last)
            if problem is not None:
                raise self._damage(*problem)
            self._chain = self._chain.after(line) if self._next else chain_of(line)
            record.pop("prev", None)
            records.append(record)
            self._next += 1
            self._offset += len(line) + 1
        return records

    def _damage(self, problem: str, expected: str) -> DamagedJournal:
        return DamagedJournal(self.path, Problem(self._next + 1, problem, expected))


# Repair


def read_trustworthy(path: Path) -> Reading:
    """Read the valid beginning of a journal. Raises OSError: it cannot be read; DamagedJournal: nor can its header."""
    data = read_bytes(path, LARGEST_JOURNAL)
    prefix = read_prefix(data)
    if not prefix.records:
        return judge(path, data)
    return reading_of(path, prefix, torn_tail(data, prefix))


@frozen
class Report:
    """The result of `check`.

    Attributes:
        lines: the number of valid records from the start, including the header.
        torn: the torn tail, if that is the only problem.
        problems: all other problems.
    """

    path: Path
    ok: bool
    lines: int
    torn: TornTail | None
    problems: tuple[Problem, ...]


def check_journal(path: Path) -> Report:
    """Check every line of a journal, without changing it. Raises OSError: the file cannot be read."""
    data = read_bytes(path, LARGEST_JOURNAL)
    prefix = read_prefix(data)
    torn = torn_tail(data, prefix)
    problems = () if torn is not None else tuple(all_problems(data))
    return Report(path, torn is None and not problems, len(prefix.records), torn, problems)


Plays: TypeAlias = Callable[[Reading], bool]
"""Tells whether the content of a journal can be played from beginning to end."""

_MOST_LOOKED_THROUGH = 4 * LONGEST_CORRECTED
"""The most bytes of invalid lines in which changed bits are searched for; more damage has another cause."""

_LONGEST_GAP = 1000
"""The most records that can be lost in a row; a record with a higher number does not belong to this journal."""


@frozen
class RepairReport:
    """The result of `repair`.

    Attributes:
        kept: the number of records now, including the header.
        corrected: how many of them had a changed bit that was corrected.
        lost: how many were unreadable and replaced by a note.
        dropped: how many valid records did not fit in.
        problems: the problems by line of the original.
        original: the copy of the original; None if no repair was necessary.
    """

    path: Path
    kept: int
    corrected: int
    lost: int
    dropped: int
    problems: tuple[Problem, ...]
    original: Path | None


def repair(path: Path, plays: Plays | None = None, *, files: FileLayer = REAL_FILES) -> RepairReport:
    """Rewrite a journal with all its valid records; the original is kept as ``<name>.damaged-<k>``.

    Records are found anywhere in the file, because each has its own checksum; single changed bits are corrected. They
    are sorted by number. Missing records are replaced by notes, and later records are kept as far as they can be
    played without them. The journal ends before the first number that two different records have.
    `plays` tells whether a journal can be played; without it, nothing after a missing record is kept.

    Raises:
        OSError: the file cannot be read or written.
        LockedByAnother: another program has it.
        DamagedJournal: there is no header of a known version; the file is unchanged.
        TooOld: a version before 0.2 wrote it; the file is unchanged.
    """
    with HeldFile(path, files) as held_file:
        report = check_journal(path)
        if report.ok:
            return RepairReport(path, report.lines, 0, 0, 0, (), None)
        data = read_bytes(path, LARGEST_JOURNAL)
        result = _find_records(path, data)
        records, gaps = _put_in_order(result)
        if gaps:
            # The longest playable beginning of the records; at least those before the first gap.
            gap = gaps[0]
            sure, most = gap - 1, len(records) if plays is not None else gap - 1
            while sure < most:
                middle = (sure + most + 1) // 2
                if plays is not None and plays(Reading(path, result.header, tuple(records[:middle]), None, 0, UNBOUND)):
                    sure = middle
                else:
                    most = middle - 1
            records = records[:sure]
        lost_count = sum(number <= len(records) for number in gaps)
        original = keep_aside(path, data, "damaged", files)
        if sys.platform == "win32":
            held_file.release()  # Windows cannot replace an open file.
        write_atomically(path, encode_journal(result.header, records), keep_previous=False, files=files)
    intact = len(records) + 1
    dropped_count = max(result.count + lost_count - intact, 0)
    return RepairReport(path, intact, result.corrected, lost_count, dropped_count, tuple(all_problems(data)), original)


@frozen
class _Found:
    """The readable records of a damaged journal.

    Attributes:
        header: record 0.
        first: the CRC of its line.
        lines: the other records with their lines, by number; several if they differ.
        corrected: how many records had a changed bit that was corrected.
    """

    header: Record
    first: str
    lines: dict[int, dict[bytes, Record]]
    corrected: int

    @property
    def count(self) -> int:
        """The number of records, including the header."""
        return 1 + sum(map(len, self.lines.values()))


def _find_records(path: Path, data: bytes) -> _Found:
    lines = data.split(b"\n")
    header_line, corrected_count = _find_header(lines)
    prefix = read_prefix(header_line + b"\n")
    if not prefix.records:
        raise DamagedJournal(path, read_prefix(data).problem or prefix.problem or Problem(1, "empty", "a header"))
    records_at: dict[int, dict[bytes, Record]] = {}
    before = b""
    left = _MOST_LOOKED_THROUGH
    for line in lines:
        records = list(records_within(line, prefix.chain.fight))
        if not records and line and line != header_line and left > 0:
            left -= len(before) + len(line)
            # A changed bit may have created a line feed within a record.
            new_line = correct_line(line, prefix.chain.fight)
            if new_line is None and before:
                new_line = correct_line(before + b"\n" + line, prefix.chain.fight)
            records = [new_line] if new_line is not None and b"\n" not in new_line else []
            corrected_count += len(records)
        before = b"" if records else line
        for item in records:
            with suppress(BadLine):
                record = decode_line(item, prefix.chain.fight)
                number = record.get("n")
                if type(number) is int and number > 0:
                    records_at.setdefault(number, {})[item] = record
    return _Found(prefix.records[0], prefix.chain.last, records_at, corrected_count)


def _find_header(lines: list[bytes]) -> tuple[bytes, int]:
    for line in lines:
        for record in records_within(line):
            if misfit(decode_line(record), 0) is None:
                return record, 0
    for line in (lines[0], b"\n".join(lines[:2])):
        new_line = correct_line(line)
        if new_line is not None:
            return new_line, 1
    return lines[0], 0


def _put_in_order(result: _Found) -> tuple[list[Record], list[int]]:
    """The records after the header with notes in place of missing ones, and the numbers of the notes."""
    records: list[Record] = []
    gaps: list[int] = []
    last, newest = result.first, max(result.lines, default=0)
    head = 0
    while len(records) < newest and len(gaps) <= _LONGEST_GAP:
        number = len(records) + 1
        rivals = result.lines.get(number, {})
        fitting = {
            line: record
            for line, record in rivals.items()
            if misfit(record, number, last if number - 1 not in gaps else str(record.get("prev", ""))) is None
        }
        if len(fitting) > 1:
            break
        if fitting:
            ((line, record),) = fitting.items()
            record = {key: value for key, value in record.items() if key != "prev"}
            last = check_of(line)
        else:
            record = _stand_in(number, head, result)
            gaps.append(number)
        new_head = {"cmd": record.get("n"), "head": record.get("to")}.get(str(record.get("t")))
        head = new_head if isinstance(new_head, int) else head
        records.append(record)
    while gaps and gaps[-1] == len(records):
        gaps.pop()
        records.pop()
    return records, gaps


def _stand_in(number: int, head: int, records: _Found) -> Record:
    """The replacement of a lost record: a note, or only a move of the head if no later record refers back to it."""
    is_needed = any(
        number in (record.get("on"), record.get("to")) for lines in records.lines.values() for record in lines.values()
    )
    if not is_needed:
        return {"n": number, "t": "head", "to": head, "at": ""}
    text = f"Line {number + 1} of the file was damaged and is lost. Check the numbers that it may have changed."
    note = {"type": "Note", "text": text}
    event = {"type": "NoteAdded", "text": text}
    return {"n": number, "t": "cmd", "on": head, "at": "", "by": "repair", "cmd": note, "ev": [event]}
