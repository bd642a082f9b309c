"""What has happened in a fight is kept: in its journal first, where it has one, and then in its history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

from fightcall_engine.play.history import History, Mark, entry_record
from fightcall_engine.play.timeline import Entry

if TYPE_CHECKING:
    from fightcall_engine.archive.journal import Follower, Journal
    from fightcall_engine.model.state import Json
    from fightcall_engine.play.amendments import Amendment
    from fightcall_engine.play.codec import Codec

Clock = Callable[[], str]
"""The time of day as journals write it."""


class SavedHistory:
    """The history of one fight, with the journal it is saved in. What cannot be saved has not happened.

    Args:
        history: all that has happened, in memory.
        journal: the same on disk; None where it is not saved, or only looked at.
        clock: the time that is written beside it.

    Attributes:
        follower: reads what another program writes, where the fight is only looked at.
    """

    def __init__(self, history: History, journal: Journal | None, clock: Clock) -> None:
        self.history = history
        self.journal = journal
        self.clock = clock
        self.follower: Follower | None = None

    def copy(self, codec: Codec) -> SavedHistory:
        """Another with the same past, without a journal, that shares this codec."""
        return SavedHistory(deepcopy(self.history, {id(codec): codec}), None, self.clock)

    def close(self) -> None:
        """Let go of the journal and its lock."""
        if self.journal is not None:
            self.journal.close()

    # The journal

    @property
    def path(self) -> Path | None:
        """Where the journal is, None where there is none."""
        source = self.journal or self.follower
        return source.path if source is not None else None

    @property
    def is_torn(self) -> bool:
        """True where the last line of the journal had been cut short, and was put aside when it was opened."""
        return self.journal is not None and self.journal.reading.torn is not None

    @property
    def unsaved(self) -> str:
        """Why what happened last is not safe in the journal; empty where it is, or where there is none."""
        return self.journal.trouble if self.journal is not None else ""

    def save_as(self, path: Path, header: Mapping[str, Json]) -> None:
        """Write everything into a new journal, and go on with that one.

        Raises:
            FileExistsError: there is a file already; it was not touched.
            AppendFailed, OSError: it cannot be written; the fight stays where it is.
        """
        from fightcall_engine.archive.journal import Journal

        journal = Journal.create_whole(path, {"n": 0, "t": "fight", "v": None, **header}, list(self.history.records()))
        self.close()
        self.journal = journal

    # What happens

    def read_all(self, records: Iterable[Mapping[str, Json]]) -> None:
        """Take in what a journal holds."""
        for record in records:
            self.history.read(record)

    def add(self, entry: Entry) -> None:
        """A command, with what came of it."""
        if self.journal is not None:
            self.journal.append(entry_record(entry))
        self.history.add(entry)

    def add_mark(self, mark: Mark) -> None:
        """A bookmark."""
        self._save_and_read(self._mark_record(mark))

    def move_head(self, number: int) -> None:
        """Play stands after another entry."""
        self._save_and_read({"t": "head", "to": number, "at": self.clock()})

    def change_branch(self, deed: Mapping[str, object], to: int) -> None:
        """Something is done to a branch, after which play stands at an entry."""
        self._save_and_read(self._branch_record(deed, to))

    def add_amendment(self, amendment: Amendment) -> None:
        """Save the new line as one, and stand at its end; the old one has a name from now on.

        Bookmarks of the old line stand on the new one, too, after the same acts.
        """
        tree = self.history.tree
        moment, old, on = self.clock(), tree.branch(tree.current_id), amendment.parted
        records: list[Mapping[str, object]] = [{}]
        entries: dict[int, Entry] = {}
        numbers: dict[int, int] = {}
        count = len(tree.way_to(on))
        for each in amendment.replayed:
            if each.is_given:
                number, place = self.history.number + len(records) + 1, None if each.place == count else each.place
                entry = Entry(number, on, moment, "gm", each.command, each.events, place=place, dice=each.dice_number)
                entries[number] = entry
                records.append(entry_record(entry))
                on, count = number, count + 1
            numbers[each.entry] = on
        if not old.name:
            name = f"before #{amendment.edits[0].entry} was changed"
            records.append(self._branch_record({"do": "name", "id": old.id, "name": name}, on))
        marks = (Mark(mark.name, numbers[mark.on]) for mark in self.history.marks if mark.on in numbers)
        records += [self._mark_record(mark) for mark in marks]
        records[0] = self._branch_record({"do": "amend", "records": len(records)}, amendment.parted)
        # On the disk before the others, so that what a crash leaves of them is known to be a part.
        first = self._save(records[0])
        self.history.keep(first, records[0])
        if len(records) > 1:
            self._save(*records[1:])
        for number, record in enumerate(records, first):
            if number in entries:
                self.history.add(entries[number])
            else:
                self.history.read({"n": number, **record})

    def _mark_record(self, mark: Mark) -> Mapping[str, object]:
        return {"t": "mark", "on": mark.on, "name": mark.name, "at": self.clock()}

    def _branch_record(self, deed: Mapping[str, object], to: int) -> Mapping[str, object]:
        return {"t": "head", "to": to, "at": self.clock(), "branch": deed}

    def _save_and_read(self, record: Mapping[str, object]) -> None:
        self.history.read({"n": self._save(record), **record})

    def _save(self, *records: Mapping[str, object]) -> int:
        """Write records; the number of the last of them."""
        return self.history.number + len(records) if self.journal is None else self.journal.append(*records)
