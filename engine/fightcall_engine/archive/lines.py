r"""The text of a journal: one self-checking JSON line a record, and the judgement of a whole file. Pure.

A line is a compact JSON object in ASCII whose last field is the CRC-32 of the bytes before it,
then a line feed::

    {"n":3,"t":"head","to":1,"prev":"90b3a1c7","crc":"5c0f6d1e"}\n

Every record checks itself, so that good records after a bad one are recognised; the numbers are contiguous
from 0, so that a lost, doubled or moved line shows. Record 0 is the header (``"t":"fight"``, ``"v"`` the
version of the form). ``on`` and ``to``, where present, name an earlier record.

Since version 2 a record belongs to its fight and to its place: its CRC begins with that of the header, so that
no line of another fight passes, and ``prev`` repeats the check of the line before, so that no line of another
course of the same fight does. Version 1 had neither; its journals are read and continued as they are.

The idea of independent checks plus numbers, and of telling a torn tail from damage, is that of LevelDB's log
and Redis's append-only file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias
from zlib import crc32

from fightcall_engine.model.errors import FightCallError
from fightcall_engine.model.values import frozen

FORMAT = 2
"""The version of the journal's form that new journals have."""

LARGEST_JOURNAL = 200_000_000
"""Bytes of a journal; a fight of ten thousand entries has some ten million."""

READABLE = (1, FORMAT)
"""The versions that this program reads and goes on with."""

TYPES = ("fight", "cmd", "head", "mark")

Record: TypeAlias = dict[str, object]
"""A journal record: plain JSON, keys are strings."""

_CRC_FIELD = b',"crc":"'
_TAIL = len(_CRC_FIELD) + 8 + len(b'"}')
_WHOLE_TAIL = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
_MOST_TRIES = 4096
"""How many places of a spoilt line are tried for a record at most; more of them than that is no accident."""


class Chain(NamedTuple):
    """What binds the next line of a journal to its fight and to the line before it.

    Attributes:
        fight: the check of the header, with which the CRC of every record after it begins.
        last: the check of the line before as it is written there; empty for a header and all over version 1.
    """

    fight: int = 0
    last: str = ""

    def after(self, line: bytes) -> Chain:
        """The chain behind a record's line."""
        return self._replace(last=check_of(line)) if self.last else self


UNBOUND = Chain()
"""Of a header, and of everything in version 1."""


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


@frozen
class TornTail:
    """The remains of a last line that ends too early: its writing was cut off, or the file was since.

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


@frozen
class Reading:
    """What a journal holds.

    Attributes:
        path: the journal.
        header: record 0.
        records: the records after it; ``records[i]`` has number ``i + 1``.
        torn: what a cut-off write left at the end, if anything.
        size_ok: how many bytes of the file hold the header and the records.
        chain: what binds the record that comes next.
    """

    path: Path
    header: Record
    records: tuple[Record, ...]
    torn: TornTail | None
    size_ok: int
    chain: Chain

    @property
    def last_number(self) -> int:
        """The number of the last record; 0 where there is only the header."""
        return len(self.records)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=True).encode
_decode = json.JSONDecoder(parse_constant=_refuse_constant).decode


def encode_record(record: Mapping[str, object], chain: Chain = UNBOUND) -> bytes:
    """The line of a record, with its line feed.

    Raises:
        BadRecord: it is not JSON (an object of a class, NaN, an endless nest), or has a ``crc`` or ``prev`` of
            its own.
    """
    if not record or "crc" in record or "prev" in record:
        raise BadRecord("a record is a filled object without 'crc' and 'prev'; the journal adds those itself")
    bound_record = {**record, "prev": chain.last} if chain.last else dict(record)
    try:
        body = _encode(bound_record)[:-1].encode("ascii")
    except (TypeError, ValueError, RecursionError) as problem:
        raise BadRecord(f"not JSON: {problem}") from problem
    return b'%b%b%08x"}\n' % (body, _CRC_FIELD, crc32(body, chain.fight))


def encode_journal(header: Mapping[str, object], records: Iterable[Mapping[str, object]]) -> bytes:
    """A whole journal of the present version.

    Args:
        header: record 0; its version is put in here.
        records: those after it, with their numbers.

    Raises:
        BadRecord: one of them is no record.
    """
    line = encode_record({**header, "v": FORMAT})
    lines = [line]
    chain = chain_of({"v": FORMAT}, line)
    for record in records:
        line = encode_record(record, chain)
        chain = chain.after(line)
        lines.append(line)
    return b"".join(lines)


def chain_of(header: Record, line: bytes) -> Chain:
    """The chain behind a header, given with its line."""
    check = check_of(line)
    return UNBOUND if header.get("v") == 1 else Chain(int(check, 16), check)


def check_of(line: bytes) -> str:
    """The check that a line says it has, whether it fits or not; empty where it says none."""
    match = _WHOLE_TAIL.fullmatch(line.removesuffix(b"\n")[-_TAIL:])
    return match[1].decode("ascii") if match else ""


def decode_line(line: bytes, fight: int = 0) -> Record:
    """The record in a line, with or without its line feed; its check is verified and left out, ``prev`` is not.

    Args:
        line: the bytes.
        fight: see `Chain`.

    Raises:
        BadLine: it is unfinished, changed, of another fight or no record.
    """
    line = line.removesuffix(b"\n")
    body = line[:-_TAIL]
    if line[-_TAIL:] != b'%b%08x"}' % (_CRC_FIELD, crc32(body, fight)):
        raise BadLine("empty line" if not line.strip() else "its check does not fit")
    try:
        record = _decode((body + b"}").decode("utf-8"))
    except (ValueError, RecursionError) as problem:
        raise BadLine(f"not JSON: {problem}") from problem
    if not isinstance(record, dict):
        raise BadLine("not a JSON object")
    return record


class Misfit(NamedTuple):
    """What is wrong with a record, and what was expected in its place."""

    what: str
    expected: str


def misfit(record: Record, number: int, last: str = "") -> Misfit | None:
    """What is wrong with a record in place ``number``; None if it fits.

    Args:
        record: as `decode_line` gives it.
        number: of its place, from 0.
        last: the check of the line before it, see `Chain`.
    """
    position = record.get("n")
    if position != number or type(position) is not int:
        return Misfit(f"number {position!r:.40}", f"number {number}")
    kind = record.get("t")
    if (kind == "fight") != (number == 0) or kind not in TYPES:
        return Misfit(f"a record of type {kind!r:.40}", "'fight'" if number == 0 else "'cmd', 'head' or 'mark'")
    if number == 0 and (record.get("v") not in READABLE or type(record.get("v")) is not int):
        return Misfit(f"format version {record.get('v')!r:.40}", f"format version {' or '.join(map(str, READABLE))}")
    for name in ("on", "to"):
        if name in record:
            parent = record[name]
            if type(parent) is not int or not 0 <= parent < number:
                return Misfit(f"{name!r} names record {parent!r:.40}", f"an earlier record, 0 to {number - 1}")
    if record.get("prev", "") != last:
        return Misfit("it was written after another line", f"the record that follows record {number - 1}")
    return None


class Prefix(NamedTuple):
    """The trustworthy beginning of a journal: its records, their size in bytes, the problem that ends it."""

    records: list[Record]
    size: int
    problem: Problem | None
    chain: Chain


def read_prefix(data: bytes) -> Prefix:
    """Read records up to the first that is not the expected one."""
    lines = data.split(b"\n")
    records: list[Record] = []
    size = 0
    problem = None
    fight, last = UNBOUND
    for number, line in enumerate(lines[:-1]):
        try:
            record = decode_line(line, fight)
        except BadLine as bad:
            problem = Problem(number + 1, bad.reason, f"record {number}")
            break
        wrong = misfit(record, number, last)
        if wrong is not None:
            problem = Problem(number + 1, *wrong)
            break
        if not number:
            fight, last = chain_of(record, line)
        elif last:
            del record["prev"]
            last = check_of(line)
        records.append(record)
        size += len(line) + 1
    else:
        if lines[-1]:
            problem = Problem(len(lines), "the line has no end", f"record {len(records)} and a line feed")
    return Prefix(records, size, problem, Chain(fight, last))


def torn_tail(data: bytes, prefix: Prefix) -> TornTail | None:
    """The torn write that ends a journal, if its problem is no worse than that.

    Only one write can be under way, so a torn tail is one bad line, the last; or all from there on where they are the
    rest of an amendment, which is written as one and counts for nothing before the line after it takes it. What is
    missing of it is its end, or blocks that never reached the disk and read as zeros; a line that is all there but
    changed is damage, for it may have been acknowledged. So is a valid record, unless it is the next one and only its
    line feed is missing.
    """
    if prefix.problem is None or not prefix.records:
        return None
    tail = data[prefix.size :]
    if _is_half_amended(prefix.records) and _has_blank_blocks(tail) and not _TAKES.search(tail):
        return TornTail(prefix.problem.line, prefix.size, tail, prefix.problem.problem)
    line = tail.removesuffix(b"\n")
    number = len(prefix.records)
    if b"\n" in line or not (_has_blank_blocks(tail) or _is_beginning(tail, number)):
        return None
    fight, last = prefix.chain
    whole = list(records_within(line, fight))
    if whole and (whole != [tail] or misfit(decode_line(tail, fight), number, last) is not None):
        return None
    return TornTail(prefix.problem.line, prefix.size, tail, prefix.problem.problem)


_TAKES = re.compile(rb'"do": ?"take"')


def _is_half_amended(records: list[Record]) -> bool:
    """True where the records end within an amendment: its first one says how many are written with it."""
    for number in range(len(records) - 1, 0, -1):
        deed = records[number].get("branch")
        if isinstance(deed, dict) and deed.get("do") == "amend":
            count = deed.get("records")
            return isinstance(count, int) and len(records) < number + count
    return False


def _has_blank_blocks(tail: bytes) -> bool:
    """True where zeros stand that no single changed bit of a line can have made."""
    return tail.startswith(b"\0") or tail.endswith(b"\0") or b"\0\0" in tail


def _is_beginning(tail: bytes, number: int) -> bool:
    """True where a text has no end and begins as a record of this number does."""
    usual = b'{"n":%d,' % number
    return not tail.endswith(b"\n") and (tail.startswith(usual) or usual.startswith(tail))


def records_within(line: bytes, fight: int = 0) -> Iterator[bytes]:
    """The valid records in a line, even where they run into each other or into rubbish, in order."""
    ends = [at + _TAIL for at in _places(line, _CRC_FIELD)]
    free_from = 0
    for start, end in islice(product(_places(line, b'{"n":'), ends), _MOST_TRIES):
        if free_from <= start < end and _is_record(line[start:end], fight):
            yield line[start:end]
            free_from = end


def _places(line: bytes, word: bytes) -> Iterator[int]:
    at = line.find(word)
    while at >= 0:
        yield at
        at = line.find(word, at + 1)


def _is_record(line: bytes, fight: int) -> bool:
    try:
        decode_line(line, fight)
    except BadLine:
        return False
    return True


LONGEST_CORRECTED = 1_000_000
"""Bytes of a line whose changed bit is looked for, which takes a fraction of a second."""

_CHANGES = [crc32(bytes([byte])) ^ crc32(b"\0") for byte in range(256)]
"""How the CRC-32 of a text changes with the bits of its last byte."""
_CHANGES_OF_BIT = {_CHANGES[1 << bit]: 1 << bit for bit in range(8)}
_BYTE_BEFORE = {change >> 24: change << 8 & 0xFFFFFFFF | byte for byte, change in enumerate(_CHANGES)}
"""By the highest byte of a change, what leads to the change that the same bits make one byte nearer to the end."""


def correct_line(line: bytes, fight: int = 0) -> bytes | None:
    """A line with the one bit that was changed in it changed back; None where that is not what happened to it.

    Nor is a line of more than `LONGEST_CORRECTED` bytes looked through.

    Which bit it was follows from the check: each bit of a text changes the CRC in a way of its own, which depends
    only on how far it is from the end.
    """
    body, tail = line[:-_TAIL], line[-_TAIL:]
    right = b'%b%08x"}' % (_CRC_FIELD, crc32(body, fight))
    if len(tail) != _TAIL or len(line) > LONGEST_CORRECTED:
        return None
    if sum((item ^ other).bit_count() for item, other in zip(tail, right, strict=True)) == 1:
        return body + right
    check = check_of(line)
    if not check:
        return None
    change = crc32(body, fight) ^ int(check, 16)
    for at in range(len(body) - 1, -1, -1):
        if change in _CHANGES_OF_BIT:
            new_line = bytearray(line)
            new_line[at] ^= _CHANGES_OF_BIT[change]
            return bytes(new_line)
        change = change << 8 & 0xFFFFFFFF ^ _BYTE_BEFORE[change >> 24]
    return None


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
    return reading_of(path, prefix, torn)


def reading_of(path: Path, prefix: Prefix, torn: TornTail | None) -> Reading:
    """What a journal holds, by its trustworthy beginning."""
    return Reading(path, prefix.records[0], tuple(prefix.records[1:]), torn, prefix.size, prefix.chain)


def all_problems(data: bytes) -> list[Problem]:
    """Everything wrong in a journal, line by line; after a wrong number the count goes on from it.

    Without its header no line of a journal can be checked, so that its problem stands alone.
    """
    prefix = read_prefix(data)
    if prefix.problem is None:
        return [] if data else [Problem(1, "the file is empty", "the header of a fight")]
    if not prefix.records:
        return [prefix.problem]
    problems: list[Problem] = []
    number, chain = len(prefix.records), prefix.chain
    whole = data.count(b"\n")
    *lines, rest = data[prefix.size :].split(b"\n")
    for at, line in enumerate([*lines, rest] if rest else lines, start=number + 1):
        try:
            record = decode_line(line, chain.fight)
        except BadLine as bad:
            problems.append(Problem(at, bad.reason, f"record {number}"))
            number += 1
        else:
            # Behind a line whose check cannot be read, nobody knows which check the next one should name.
            wrong = misfit(record, number, chain.last or str(record.get("prev", "")))
            if wrong is not None:
                problems.append(Problem(at, *wrong))
            elif at > whole:
                problems.append(Problem(at, "the line has no end", "a line feed"))
            position = record.get("n")
            number = position + 1 if type(position) is int else number + 1
        chain = chain._replace(last=check_of(line)) if prefix.chain.last else chain
    return problems
