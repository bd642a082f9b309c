"""Checking a damaged journal, and rescuing its valid records."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, HeldFile, keep_aside, write_atomically
from fightcall_engine.archive.lines import (
    LARGEST_JOURNAL,
    LONGEST_CORRECTED,
    UNBOUND,
    BadLine,
    DamagedJournal,
    Problem,
    Reading,
    Record,
    TornTail,
    all_problems,
    check_of,
    correct_line,
    decode_line,
    encode_journal,
    judge,
    misfit,
    read_prefix,
    reading_of,
    records_within,
    torn_tail,
)
from fightcall_engine.files.texts import read_bytes
from fightcall_engine.model.values import frozen


def read_trustworthy(path: Path) -> Reading:
    """Read the valid beginning of a journal, and ignore the rest.

    Raises:
        OSError: the file cannot be read.
        DamagedJournal: the header is invalid.
    """
    data = read_bytes(path, LARGEST_JOURNAL)
    prefix = read_prefix(data)
    if not prefix.records:
        return judge(path, data)
    return reading_of(path, prefix, torn_tail(data, prefix))


@frozen
class Report:
    """The result of `check`.

    Attributes:
        path: the journal.
        ok: whether there are no problems.
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
    """Check every line of a journal, without changing it.

    Raises:
        OSError: the file cannot be read.
    """
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
        path: the journal.
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

    Args:
        path: the journal.
        plays: tells whether a journal can be played; without it, nothing after a missing record is kept.
        files: the file operations, for tests.

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
            records = _playable(path, result.header, records, gaps[0], plays)
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
    """The line of record 0 and the number of bits corrected in it; else the first line unchanged."""
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
        head = _head_after(record, head)
        records.append(record)
    while gaps and gaps[-1] == len(records):
        gaps.pop()
        records.pop()
    return records, gaps


def _head_after(record: Record, head: int) -> int:
    """The newest entry of the line of play after a record."""
    head_number = {"cmd": record.get("n"), "head": record.get("to")}.get(str(record.get("t")), head)
    return head_number if isinstance(head_number, int) else head


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


def _playable(path: Path, header: Record, records: list[Record], gap: int, plays: Plays | None) -> list[Record]:
    """The longest playable beginning of the records; at least those before the first gap."""
    sure, most = gap - 1, len(records) if plays is not None else gap - 1
    while sure < most:
        middle = (sure + most + 1) // 2
        if plays is not None and plays(Reading(path, header, tuple(records[:middle]), None, 0, UNBOUND)):
            sure = middle
        else:
            most = middle - 1
    return records[:sure]
