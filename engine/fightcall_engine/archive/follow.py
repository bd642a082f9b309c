"""Following a journal while another program writes it."""

from __future__ import annotations

import os
from pathlib import Path

from fightcall_engine.archive.lines import (
    LARGEST_JOURNAL,
    UNBOUND,
    BadLine,
    DamagedJournal,
    Problem,
    Reading,
    Record,
    chain_of,
    decode_line,
    misfit,
    records_within,
)
from fightcall_engine.files.texts import open_file


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
        """Records that are new and whole since last time, the header first; none while there is no file.

        A last line that is unfinished or does not check is left for later, as its writer may still be at it.

        Raises:
            DamagedJournal: a record that does not belong there, or the file was cut or replaced.
        """
        try:
            file = open_file(self.path)
        except FileNotFoundError:
            return []
        with file:
            stat = os.fstat(file.fileno())
            self._recognise(stat)
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

    def _recognise(self, stat: os.stat_result) -> None:
        inode = (stat.st_dev, stat.st_ino)
        if self._inode is not None and (inode != self._inode or stat.st_size < self._offset):
            raise self._damage("the file was cut or replaced", "the file that was followed; open it again")
        if stat.st_size < self._offset:
            raise self._damage("the file was cut", f"at least {self._offset} bytes")
        self._inode = inode

    def _damage(self, problem: str, expected: str) -> DamagedJournal:
        return DamagedJournal(self.path, Problem(self._next + 1, problem, expected))
