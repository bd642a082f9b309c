r"""The text of a journal: one JSON line with a checksum per record, and checks of the whole file. No file access.

A line is a compact JSON object in ASCII whose last field is the CRC-32 of the bytes before it,
then a line feed::

    {"n":3,"t":"head","to":1,"prev":"90b3a1c7","crc":"5c0f6d1e"}\n

Each record has its own checksum, so that valid records after a damaged one are recognised. The numbers are
contiguous from 0, so that lost, repeated or moved lines are detected. Record 0 is the header (``"t":"fight"``, ``"v"``
the version of the format). ``on`` and ``to``, if present, refer to an earlier record.

A record is bound to its fight and its place: its CRC starts from that of the header, so that lines of other fights are
rejected, and ``prev`` repeats the CRC of the line before, so that lines of other copies of the same fight are rejected.

Independent checksums with numbers, and the distinction of torn tails from damage, follow LevelDB's log and Redis's
append-only file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice, product
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias
from zlib import crc32

from fightcall_engine.model import __version__
from fightcall_engine.model.errors import FightCallError, TooOld
from fightcall_engine.model.values import frozen

FORMAT = 2
"""The format version of journals."""

OLDEST_READABLE = (0, 2)
"""The oldest version of Fight Call whose journals can be read."""

LARGEST_JOURNAL = 200_000_000
"""The largest size of a journal in bytes; a fight of 10 000 entries has about 10 million."""

TYPES = ("fight", "cmd", "head", "mark")

Record: TypeAlias = dict[str, object]
"""A journal record: plain JSON, keys are strings."""

_CRC_FIELD = b',"crc":"'
_TAIL = len(_CRC_FIELD) + 8 + len(b'"}')
_WHOLE_TAIL = re.compile(rb',"crc":"([0-9a-f]{8})"\}')
_MOST_TRIES = 4096  # positions of a damaged line


class Chain(NamedTuple):
    """Binds the next line of a journal to its fight and to the line before it.

    Attributes:
        fight: the CRC of the header, from which the CRC of every later record starts.
        last: the CRC of the line before, as written; empty for a header.
    """

    fight: int = 0
    last: str = ""

    def after(self, line: bytes) -> Chain:
        """The chain after the line of a record."""
        return self._replace(last=check_of(line))


UNBOUND = Chain()
"""The chain of a header."""


class BadRecord(FightCallError, ValueError):
    """A record that a journal cannot hold; nothing was written."""


class BadLine(FightCallError, ValueError):
    """A line that is not a valid record."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Problem(NamedTuple):
    """A problem in a journal: the line (from 1), what is wrong, and what was expected."""

    line: int
    problem: str
    expected: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem} (expected {self.expected})"


class DamagedJournal(FightCallError):
    """A journal that cannot be appended to before a repair, unchanged. `line` is its first invalid one, from 1."""

    def __init__(self, path: Path, problem: Problem) -> None:
        super().__init__(f"{path}, {problem}")
        self.path = path
        self.line, self.problem, self.expected = problem


@frozen
class TornTail:
    """An incomplete last line: its write was interrupted, or the file was truncated.

    Attributes:
        line: its line number, from 1.
        offset: its start in bytes.
        data: its bytes.
        reason: how it was recognised.
        kept_as: the file to which its bytes were moved; None before that.
    """

    line: int
    offset: int
    data: bytes
    reason: str
    kept_as: Path | None = None


@frozen
class Reading:
    """The content of a journal.

    Attributes:
        header: record 0.
        records: the records after it; ``records[i]`` has number ``i + 1``.
        torn: the incomplete line of an interrupted write at the end, if any.
        size_ok: the size of the header and the valid records in bytes.
        chain: the chain for the next record.
    """

    path: Path
    header: Record
    records: tuple[Record, ...]
    torn: TornTail | None
    size_ok: int
    chain: Chain

    @property
    def last_number(self) -> int:
        """The number of the last record; 0 if there is only the header."""
        return len(self.records)


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and infinities, which are no JSON."""
    raise ValueError(f"{name} is not JSON")


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=True).encode
_decode = json.JSONDecoder(parse_constant=refuse_constant).decode


def encode_record(record: Mapping[str, object], chain: Chain = UNBOUND) -> bytes:
    """The line of a record, with its line feed.

    Raises BadRecord: it is not JSON (an object, NaN, a circular reference), or has a ``crc`` or ``prev`` already.
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
    """A complete journal of the current version, from numbered records. Raises BadRecord: one of them is not valid."""
    line = encode_record({**header, "v": FORMAT})
    lines = [line]
    chain = chain_of(line)
    for record in records:
        line = encode_record(record, chain)
        chain = chain.after(line)
        lines.append(line)
    return b"".join(lines)


def chain_of(line: bytes) -> Chain:
    """Return the chain after the line of a header."""
    check = check_of(line)
    return Chain(int(check, 16), check)


def check_of(line: bytes) -> str:
    """The CRC written in a line, whether it is correct or not; empty if there is none."""
    match = _WHOLE_TAIL.fullmatch(line.removesuffix(b"\n")[-_TAIL:])
    return match[1].decode("ascii") if match else ""


def decode_line(line: bytes, fight: int = 0) -> Record:
    """The record of a line; its ``crc`` is verified and removed. Raises BadLine: it is cut, changed or foreign."""
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


def misfit(record: Record, number: int, last: str = "") -> tuple[str, str] | None:
    """What is wrong with a record as record ``number``, and what was expected; None if it is the expected one.

    `last` is the CRC of the line before, see `Chain`. Raises TooOld: the header of a fight before `OLDEST_READABLE`.
    """
    position = record.get("n")
    if position != number or type(position) is not int:
        return (f"number {position!r:.40}", f"number {number}")
    kind = record.get("t")
    if (kind == "fight") != (number == 0) or kind not in TYPES:
        return (f"a record of type {kind!r:.40}", "'fight'" if number == 0 else "'cmd', 'head' or 'mark'")
    if number == 0:
        engine = str(record.get("engine"))
        release = re.match(r"(\d{1,9})\.(\d{1,9})", engine)
        if release is not None and (int(release[1]), int(release[2])) < OLDEST_READABLE:
            raise TooOld(f"Fight Call {engine:.20}", f"Fight Call {__version__}")
        if record.get("v") != FORMAT or type(record.get("v")) is not int:
            return (f"format version {record.get('v')!r:.40}", f"format version {FORMAT}")
    for name in ("on", "to"):
        if name in record:
            parent = record[name]
            if type(parent) is not int or not 0 <= parent < number:
                return (f"{name!r} names record {parent!r:.40}", f"an earlier record, 0 to {number - 1}")
    if record.get("prev", "") != last:
        return ("it was written after another line", f"the record that follows record {number - 1}")
    return None


class Prefix(NamedTuple):
    """The valid beginning of a journal: its records, their size in bytes, and the problem that ends it."""

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
        mismatch = misfit(record, number, last)
        if mismatch is not None:
            problem = Problem(number + 1, *mismatch)
            break
        if not number:
            fight, last = chain_of(line)
        else:
            del record["prev"]
            last = check_of(line)
        records.append(record)
        size += len(line) + 1
    else:
        if lines[-1]:
            problem = Problem(len(lines), "the line has no end", f"record {len(records)} and a line feed")
    return Prefix(records, size, problem, Chain(fight, last))


def torn_tail(data: bytes, prefix: Prefix) -> TornTail | None:
    """The torn tail that ends a journal; None if the problem is damage.

    There is only one write at a time, so a torn tail is a single invalid line, the last one; or the remaining lines of
    an amendment, which is written in one go and has no effect before the record after it. Its end is missing, or
    blocks that never reached the disk are zeros. A complete but changed line is damage, because it may have been
    acknowledged; so is a valid record, unless it is the next one and only its line feed is missing.
    """
    if prefix.problem is None or not prefix.records:
        return None
    tail = data[prefix.size :]
    if _is_half_amended(prefix.records) and _has_blank_blocks(tail) and not _TAKES.search(tail):
        return TornTail(prefix.problem.line, prefix.size, tail, prefix.problem.problem)
    line = tail.removesuffix(b"\n")
    number = len(prefix.records)
    expected = b'{"n":%d,' % number
    is_beginning = line == tail and (tail.startswith(expected) or expected.startswith(tail))
    if b"\n" in line or not (_has_blank_blocks(tail) or is_beginning):
        return None
    fight, last = prefix.chain
    records = list(records_within(line, fight))
    if records and (records != [tail] or misfit(decode_line(tail, fight), number, last) is not None):
        return None
    return TornTail(prefix.problem.line, prefix.size, tail, prefix.problem.problem)


_TAKES = re.compile(rb'"do": ?"take"')


def _is_half_amended(records: list[Record]) -> bool:
    """Whether the records end within an amendment, whose first record has the number of its records."""
    for number in range(len(records) - 1, 0, -1):
        deed = records[number].get("branch")
        if isinstance(deed, dict) and deed.get("do") == "amend":
            count = deed.get("records")
            return isinstance(count, int) and len(records) < number + count
    return False


def _has_blank_blocks(tail: bytes) -> bool:
    """Whether a line has zeros that cannot result from a single changed bit."""
    return tail.startswith(b"\0") or tail.endswith(b"\0") or b"\0\0" in tail


def records_within(line: bytes, fight: int = 0) -> Iterator[bytes]:
    """The valid records in a line in order, even if there is no line feed between them or other text around them."""
    ends = [at + _TAIL for at in _places(line, _CRC_FIELD)]
    free_from = 0
    for start, end in islice(product(_places(line, b'{"n":'), ends), _MOST_TRIES):
        if free_from <= start < end:
            with suppress(BadLine):
                decode_line(line[start:end], fight)
                free_from = end
                yield line[start:end]


def _places(line: bytes, word: bytes) -> Iterator[int]:
    at = line.find(word)
    while at >= 0:
        yield at
        at = line.find(word, at + 1)


LONGEST_CORRECTED = 1_000_000
"""The longest line in bytes in which a changed bit is searched for, which takes a fraction of a second."""

_CHANGES = [crc32(bytes([byte])) ^ crc32(b"\0") for byte in range(256)]
"""How the CRC-32 of a text changes with changed bits of its last byte."""
_CHANGES_OF_BIT = {_CHANGES[1 << bit]: 1 << bit for bit in range(8)}
_BYTE_BEFORE = {change >> 24: change << 8 & 0xFFFFFFFF | byte for byte, change in enumerate(_CHANGES)}
"""By the highest byte of a change of the CRC: how to get the change by the same bits one byte nearer to the end."""


def correct_line(line: bytes, fight: int = 0) -> bytes | None:
    """A line with its single changed bit corrected; None if more than one bit was changed.

    None, too, for lines of more than `LONGEST_CORRECTED` bytes.

    The CRC identifies the bit: each bit of a text changes the CRC differently, depending only on its distance from the
    end.
    """
    body, tail = line[:-_TAIL], line[-_TAIL:]
    correct_end = b'%b%08x"}' % (_CRC_FIELD, crc32(body, fight))
    if len(tail) != _TAIL or len(line) > LONGEST_CORRECTED:
        return None
    if sum((item ^ other).bit_count() for item, other in zip(tail, correct_end, strict=True)) == 1:
        return body + correct_end
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
    """Read a whole journal's bytes. Raises DamagedJournal: something other than a torn tail is wrong."""
    prefix = read_prefix(data)
    torn = torn_tail(data, prefix)
    if prefix.problem is not None and torn is None:
        raise DamagedJournal(path, prefix.problem)
    if not prefix.records:
        raise DamagedJournal(path, Problem(1, "the file is empty", "the header of a fight"))
    return reading_of(path, prefix, torn)


def reading_of(path: Path, prefix: Prefix, torn: TornTail | None) -> Reading:
    """The content of a journal, from its valid beginning."""
    return Reading(path, prefix.records[0], tuple(prefix.records[1:]), torn, prefix.size, prefix.chain)


def all_problems(data: bytes) -> list[Problem]:
    """All problems of a journal by line; after a wrong number, counting continues from that number.

    If the header is invalid, that is the only problem, because no line can be checked without it.
    """
    prefix = read_prefix(data)
    if prefix.problem is None:
        return [] if data else [Problem(1, "the file is empty", "the header of a fight")]
    if not prefix.records:
        return [prefix.problem]
    problems: list[Problem] = []
    number, chain = len(prefix.records), prefix.chain
    line_count = data.count(b"\n")
    *lines, rest = data[prefix.size :].split(b"\n")
    for at, line in enumerate([*lines, rest] if rest else lines, start=number + 1):
        try:
            record = decode_line(line, chain.fight)
        except BadLine as bad:
            problems.append(Problem(at, bad.reason, f"record {number}"))
            number += 1
        else:
            # After a line without a readable CRC, the expected `prev` of the next one is unknown.
            mismatch = misfit(record, number, chain.last or str(record.get("prev", "")))
            if mismatch is not None:
                problems.append(Problem(at, *mismatch))
            elif at > line_count:
                problems.append(Problem(at, "the line has no end", "a line feed"))
            position = record.get("n")
            number = position + 1 if type(position) is int else number + 1
        chain = chain.after(line)
    return problems
