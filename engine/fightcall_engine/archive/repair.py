"""Looking through a damaged journal, and saving what can be trusted of it."""

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
    """Read a journal as far as it can be trusted, whatever comes after.

    Raises:
        OSError: the file cannot be read.
        DamagedJournal: not even the header can be trusted.
    """
    data = read_bytes(path, LARGEST_JOURNAL)
    prefix = read_prefix(data)
    if not prefix.records:
        return judge(path, data)
    return reading_of(path, prefix, torn_tail(data, prefix))


@frozen
class Report:
    """What `check` found.

    Attributes:
        path: the journal.
        ok: nothing is wrong at all.
        lines: how many records can be trusted from the start, the header among them.
        torn: the remains of a cut-off write, if that is all that is wrong.
        problems: everything else that is wrong.
    """

    path: Path
    ok: bool
    lines: int
    torn: TornTail | None
    problems: tuple[Problem, ...]


def check_journal(path: Path) -> Report:
    """Look at every line of a journal, without changing it.

    Raises:
        OSError: the file cannot be read.
    """
    data = read_bytes(path, LARGEST_JOURNAL)
    prefix = read_prefix(data)
    torn = torn_tail(data, prefix)
    problems = () if torn is not None else tuple(all_problems(data))
    return Report(path, torn is None and not problems, len(prefix.records), torn, problems)


Plays: TypeAlias = Callable[[Reading], bool]
"""Says whether what a journal holds can be played from its beginning to its end."""

_MOST_LOOKED_THROUGH = 4 * LONGEST_CORRECTED
"""Bytes of bad lines in which a changed bit is looked for; where more is bad, something else happened."""

_LONGEST_GAP = 1000
"""How many records may be lost; a number that is farther ahead is no record of this course of the fight."""


@frozen
class RepairReport:
    """What `repair` did.

    Attributes:
        path: the journal.
        kept: how many records it has now, the header among them.
        corrected: how many of them had one changed bit, which was changed back.
        lost: how many could not be read and were given up, with a note in their place.
        dropped: how many whole records were found but could not be placed.
        problems: what was wrong, line by line in the original.
        original: where the original was kept, whole; None where nothing needed repair.
    """

    path: Path
    kept: int
    corrected: int
    lost: int
    dropped: int
    problems: tuple[Problem, ...]
    original: Path | None


def repair(path: Path, plays: Plays | None = None, *, files: FileLayer = REAL_FILES) -> RepairReport:
    """Rewrite a journal with all records that can be trusted; the original stays as ``<name>.damaged-<k>``.

    Records are found wherever they are in the file, for each checks itself; a single changed bit is changed back.
    They are put in the order of their numbers. A number that is missing is given up, and what follows it is kept as
    far as it can be played without it. The journal ends before the first number that two different records claim.

    Args:
        path: the journal.
        plays: tells how far what follows a missing record stands without it; where left out, none of it is kept.
        files: where the operations go.

    Raises:
        OSError: the file cannot be read or written.
        LockedByAnother: another program has it.
        DamagedJournal: there is no header of a known version; nothing was changed.
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
            held_file.release()  # Windows puts nothing in the place of an open file.
        write_atomically(path, encode_journal(result.header, records), keep_previous=False, files=files)
    intact = len(records) + 1
    dropped_count = max(result.count + lost_count - intact, 0)
    return RepairReport(path, intact, result.corrected, lost_count, dropped_count, tuple(all_problems(data)), original)


@frozen
class _Found:
    """What can be read of a damaged journal.

    Attributes:
        header: record 0.
        first: the check of its line, empty in version 1.
        lines: the other records by their numbers, each with its line; several where they differ.
        corrected: how many records had a bit changed back.
    """

    header: Record
    first: str
    lines: dict[int, dict[bytes, Record]]
    corrected: int

    @property
    def count(self) -> int:
        """How many records there are, the header among them."""
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
        whole = list(records_within(line, prefix.chain.fight))
        if not whole and line and line != header_line and left > 0:
            left -= len(before) + len(line)
            # A changed bit may have made a line feed in the middle of a record.
            new_line = correct_line(line, prefix.chain.fight)
            if new_line is None and before:
                new_line = correct_line(before + b"\n" + line, prefix.chain.fight)
            whole = [new_line] if new_line is not None and b"\n" not in new_line else []
            corrected_count += len(whole)
        before = b"" if whole else line
        for item in whole:
            with suppress(BadLine):
                record = decode_line(item, prefix.chain.fight)
                number = record.get("n")
                if type(number) is int and number > 0:
                    records_at.setdefault(number, {})[item] = record
    return _Found(prefix.records[0], prefix.chain.last, records_at, corrected_count)


def _find_header(lines: list[bytes]) -> tuple[bytes, int]:
    """The line of record 0, and how many bits had to be changed back in it; else the first line as it is."""
    for line in lines:
        for whole in records_within(line):
            if misfit(decode_line(whole), 0) is None:
                return whole, 0
    for line in (lines[0], b"\n".join(lines[:2])):
        new_line = correct_line(line)
        if new_line is not None:
            return new_line, 1
    return lines[0], 0


def _put_in_order(result: _Found) -> tuple[list[Record], list[int]]:
    """The records after the header with notes in place of those that are missing, and the numbers of the notes."""
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
            if misfit(record, number, last if last and number - 1 not in gaps else str(record.get("prev", ""))) is None
        }
        if len(fitting) > 1:
            break
        if fitting:
            ((line, record),) = fitting.items()
            record = {key: value for key, value in record.items() if key != "prev"}
            last = check_of(line) if result.first else ""
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
    """The entry that is the newest of the line after a record."""
    head_number = {"cmd": record.get("n"), "head": record.get("to")}.get(str(record.get("t")), head)
    return head_number if isinstance(head_number, int) else head


def _stand_in(number: int, head: int, records: _Found) -> Record:
    """What stands in place of a lost record: a note, or just a move of the head where nothing goes back to it."""
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
    """As many of the records as can be played; at least those before the first gap."""
    sure, most = gap - 1, len(records) if plays is not None else gap - 1
    while sure < most:
        middle = (sure + most + 1) // 2
        if plays is not None and plays(Reading(path, header, tuple(records[:middle]), None, 0, UNBOUND)):
            sure = middle
        else:
            most = middle - 1
    return records[:sure]
