r"""The text of a journal: one self-checking JSON line a record, and the judgement of a whole file. Pure.

A line is a compact JSON object in ASCII whose last field is the CRC-32 of the bytes before it,
then a line feed::

    {"n":3,"t":"head","to":1,"crc":"5c0f6d1e"}\n

Every record checks itself, so that good records after a bad one are recognised; the numbers are contiguous
from 0, so that a lost, doubled or moved line shows. Record 0 is the header (``"t":"fight"``, ``"v"`` the
version of the form). ``on`` and ``to``, where present, name an earlier record.

The idea of independent checks plus numbers, and of telling a torn tail from damage, is that of LevelDB's log
and Redis's append-only file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias
from zlib import crc32

from fightcall_engine.errors import FightCallError

FORMAT = 1
"""The version of the journal's form that this program writes, and the only one it reads."""

TYPES = ("fight", "cmd", "head", "mark")

Record: TypeAlias = dict[str, object]
"""A journal record: plain JSON, keys are strings."""

_CRC_FIELD = b',"crc":"'
_TAIL = len(_CRC_FIELD) + 8 + len(b'"}')


class BadRecord(FightCallError, ValueError):
    """A record that a journal cannot hold; nothing was written."""


class BadLine(FightCallError, ValueError):
    """A line that is no record.

    Attributes:
        reason: what is wrong with it.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Problem(NamedTuple):
    """One thing wrong in a journal: the line (from 1), what it is, and what belongs there."""

    line: int
    problem: str
    expected: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem} (expected {self.expected})"


class DamagedJournal(FightCallError):
    """A journal that must not be continued as it is. The file was left as it was found.

    Attributes:
        path: the journal.
        line: the first line that is wrong, from 1.
        problem: what is wrong with it.
        expected: what belongs there.
    """

    def __init__(self, path: Path, problem: Problem) -> None:
        super().__init__(f"{path}, {problem}")
        self.path = path
        self.line, self.problem, self.expected = problem


@dataclass(frozen=True, slots=True)
class TornTail:
    """The remains of a last line whose writing was cut off; it was never acknowledged.

    Attributes:
        line: its line, from 1.
        offset: where it begins, in bytes.
        data: its bytes.
        reason: how it shows.
        kept_as: the file its bytes were moved to, once that has happened.
    """

    line: int
    offset: int
    data: bytes
    reason: str
    kept_as: Path | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What a journal holds.

    Attributes:
        path: the journal.
        header: record 0.
        records: the records after it; ``records[i]`` has number ``i + 1``.
        torn: what a cut-off write left at the end, if anything.
        size_ok: how many bytes of the file hold the header and the records.
    """

    path: Path
    header: Record
    records: tuple[Record, ...]
    torn: TornTail | None
    size_ok: int

    @property
    def last_number(self) -> int:
        """The number of the last record; 0 where there is only the header."""
        return len(self.records)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=True).encode
_decode = json.JSONDecoder(parse_constant=_refuse_constant).decode


def encode_record(record: Mapping[str, object]) -> bytes:
    """The line of a record, with its line feed.

    Raises:
        BadRecord: it is not JSON (an object of a class, NaN, an endless nest), or has a ``crc`` of its
            own.
    """
    if not record or "crc" in record:
        raise BadRecord("a record is a filled object without a field 'crc'; the journal adds that itself")
    try:
        body = _encode(dict(record))[:-1].encode("ascii")
    except (TypeError, ValueError, RecursionError) as problem:
        raise BadRecord(f"not JSON: {problem}") from problem
    return b'%b%b%08x"}\n' % (body, _CRC_FIELD, crc32(body))


def decode_line(line: bytes) -> Record:
    """The record in a line, with or without its line feed; its check is verified and left out.

    Raises:
        BadLine: it is unfinished, changed or no record.
    """
    line = line.removesuffix(b"\n")
    body = line[:-_TAIL]
    if line[-_TAIL:] != b'%b%08x"}' % (_CRC_FIELD, crc32(body)):
        raise BadLine("empty line" if not line.strip() else "its check does not fit")
    try:
        record = _decode((body + b"}").decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise BadLine(f"not JSON: {problem}") from problem
    if not isinstance(record, dict):
        raise BadLine("not a JSON object")
    return record


def misfit(record: Record, number: int) -> tuple[str, str] | None:
    """What is wrong with a record in place ``number``, and what was expected; None if it fits."""
    found = record.get("n")
    if found != number or type(found) is not int:
        return f"number {found!r}", f"number {number}"
    kind = record.get("t")
    if (kind == "fight") != (number == 0) or kind not in TYPES:
        return f"a record of type {kind!r}", "'fight'" if number == 0 else "'cmd', 'head' or 'mark'"
    if number == 0 and (record.get("v") != FORMAT or type(record.get("v")) is not int):
        return f"format version {record.get('v')!r}", f"format version {FORMAT}"
    for name in ("on", "to"):
        if name in record:
            parent = record[name]
            if type(parent) is not int or not 0 <= parent < number:
                return f"{name!r} names record {parent!r}", f"an earlier record, 0 to {number - 1}"
    return None


class Prefix(NamedTuple):
    """The trustworthy beginning of a journal: its records, their size in bytes, the problem that ends it."""

    records: list[Record]
    size: int
    problem: Problem | None


def read_prefix(data: bytes) -> Prefix:
    """Read records up to the first that is not the expected one."""
    lines = data.split(b"\n")
    records: list[Record] = []
    size = 0
    problem = None
    for number, line in enumerate(lines[:-1]):
        try:
            record = decode_line(line)
        except BadLine as bad:
            problem = Problem(number + 1, bad.reason, f"record {number}")
            break
        wrong = misfit(record, number)
        if wrong is not None:
            problem = Problem(number + 1, *wrong)
            break
        records.append(record)
        size += len(line) + 1
    else:
        if lines[-1]:
            problem = Problem(len(lines), "the line has no end", f"record {len(records)} and a line feed")
    return Prefix(records, size, problem)


def torn_tail(data: bytes, prefix: Prefix) -> TornTail | None:
    """The torn write that ends a journal, if its problem is no worse than that.

    Only one write can be under way, so a torn tail is one bad line, the last. A bad line that holds a whole
    valid record is no torn write either, unless it is the next record and only its line feed is missing.
    """
    if prefix.problem is None or not prefix.records:
        return None
    tail = data[prefix.size :]
    line = tail.removesuffix(b"\n")
    if b"\n" in line:
        return None
    whole = list(records_within(line))
    unfinished = line == tail and whole == [line] and misfit(decode_line(line), len(prefix.records)) is None
    if whole and not unfinished:
        return None
    return TornTail(prefix.problem.line, prefix.size, tail, prefix.problem.problem)


def records_within(line: bytes) -> Iterator[bytes]:
    """The valid records in a line, even where they run into each other or into rubbish, in order."""
    ends = [at + _TAIL for at in _places(line, _CRC_FIELD)]
    free_from = 0
    for start in _places(line, b"{"):
        if start < free_from:
            continue
        for end in ends:
            if end > start and _is_record(line[start:end]):
                yield line[start:end]
                free_from = end
                break


def _places(line: bytes, word: bytes) -> Iterator[int]:
    at = line.find(word)
    while at >= 0:
        yield at
        at = line.find(word, at + 1)


def _is_record(line: bytes) -> bool:
    try:
        decode_line(line)
    except BadLine:
        return False
    return True


def judge(path: Path, data: bytes) -> Reading:
    """Read a whole journal's bytes.

    Raises:
        DamagedJournal: something other than a torn tail is wrong.
    """
    prefix = read_prefix(data)
    torn = torn_tail(data, prefix)
    if prefix.problem is not None and torn is None:
        raise DamagedJournal(path, prefix.problem)
    if not prefix.records:
        raise DamagedJournal(path, Problem(1, "the file is empty", "the header of a fight"))
    return Reading(path, prefix.records[0], tuple(prefix.records[1:]), torn, prefix.size)


def all_problems(data: bytes) -> list[Problem]:
    """Everything wrong in a journal, line by line; after a wrong number the count goes on from it."""
    lines = data.split(b"\n")
    problems: list[Problem] = []
    number = 0
    for at, line in enumerate(lines, start=1):
        last = at == len(lines)
        if last and not line:
            break
        try:
            record = decode_line(line)
        except BadLine as bad:
            problems.append(Problem(at, bad.reason, f"record {number}"))
            number += 1
            continue
        wrong = misfit(record, number)
        if wrong is not None:
            problems.append(Problem(at, *wrong))
        elif last:
            problems.append(Problem(at, "the line has no end", "a line feed"))
        found = record.get("n")
        number = found + 1 if type(found) is int else number + 1
    return problems or ([] if data else [Problem(1, "the file is empty", "the header of a fight")])
