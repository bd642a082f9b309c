"""Looking through a damaged journal, and saving what can be trusted of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fightcall_engine.archive.fsutil import REAL_FILES, FileLayer, Lock, keep_aside, write_atomically
from fightcall_engine.archive.lines import (
    DamagedJournal,
    Problem,
    Reading,
    TornTail,
    all_problems,
    decode_line,
    judge,
    misfit,
    read_prefix,
    records_within,
    torn_tail,
)


def read_trustworthy(path: Path) -> Reading:
    """Read a journal as far as it can be trusted, whatever comes after.

    Raises:
        OSError: the file cannot be read.
        DamagedJournal: not even the header can be trusted.
    """
    data = path.read_bytes()
    prefix = read_prefix(data)
    if not prefix.records:
        return judge(path, data)
    return Reading(path, prefix.records[0], tuple(prefix.records[1:]), torn_tail(data, prefix), prefix.size)


@dataclass(frozen=True, slots=True)
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


def check(path: Path) -> Report:
    """Look at every line of a journal, without changing it.

    Raises:
        OSError: the file cannot be read.
    """
    data = path.read_bytes()
    prefix = read_prefix(data)
    torn = torn_tail(data, prefix)
    problems = () if torn is not None else tuple(all_problems(data))
    return Report(path, torn is None and not problems, len(prefix.records), torn, problems)


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What `repair` did.

    Attributes:
        path: the journal.
        kept: how many records it has now, the header among them.
        dropped: how many whole records were found but could not be placed.
        problems: what was wrong, line by line in the original.
        original: where the original was kept, whole; None where nothing needed repair.
    """

    path: Path
    kept: int
    dropped: int
    problems: tuple[Problem, ...]
    original: Path | None


def repair(path: Path, *, files: FileLayer = REAL_FILES) -> RepairReport:
    """Rewrite a journal with all records that can be trusted; the original stays as ``<name>.damaged-<k>``.

    Records are found wherever they are in the file, for each checks itself, and are put in the order of their
    numbers. The journal ends before the first number that is missing or that two different records claim.

    Raises:
        OSError: the file cannot be read or written.
        LockedByAnother: another program has it.
        DamagedJournal: there is no header of a known version; nothing was changed.
    """
    with Lock(path):
        report = check(path)
        if report.ok:
            return RepairReport(path, report.lines, 0, (), None)
        data = path.read_bytes()
        kept, spare = _gather(data)
        if not kept:
            raise DamagedJournal(path, read_prefix(data).problem or report.problems[0])
        original = keep_aside(path, data, "damaged", files)
        write_atomically(path, b"".join(line + b"\n" for line in kept), keep_previous=False, files=files)
    return RepairReport(path, len(kept), spare, tuple(all_problems(data)), original)


def _gather(data: bytes) -> tuple[list[bytes], int]:
    found: dict[object, set[bytes]] = {}
    for line in data.split(b"\n"):
        for whole in records_within(line):
            found.setdefault(decode_line(whole).get("n"), set()).add(whole)
    kept: list[bytes] = []
    while len(found.get(len(kept), ())) == 1:
        (line,) = found[len(kept)]
        if misfit(decode_line(line), len(kept)) is not None:
            break
        kept.append(line)
    return kept, sum(map(len, found.values())) - len(kept)
