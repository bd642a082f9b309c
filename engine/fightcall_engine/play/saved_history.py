"""Saving a fight: every change goes into its journal first, if there is one, and then into its history."""

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
"""Returns the present time as journals write it."""


class SavedHistory:
    """The history of a fight with its journal. A change that cannot be saved does not happen.

    Args:
        history: the history in memory.
        journal: the same on disk; None for a fight that is not saved, or open read-only.
        clock: gives the time stamps.

    Attributes:
        follower: reads what another program writes; None unless the fight is open read-only.
    """

    def __init__(self, history: History, journal: Journal | None, clock: Clock) -> None:
        self.history = history
        self.journal = journal
        self.clock = clock
        self.follower: Follower | None = None

    def copy(self, codec: Codec) -> SavedHistory:
        """A copy of the history without a journal, sharing this codec."""
        return SavedHistory(deepcopy(self.history, {id(codec): codec}), None, self.clock)

    def close(self) -> None:
        """Close the journal and release its lock."""
        if self.journal is not None:
            self.journal.close()

    # The journal

    @property
    def path(self) -> Path | None:
        """The journal's path; None if there is none."""
        source = self.journal or self.follower
        return source.path if source is not None else None

    @property
    def is_torn(self) -> bool:
        """True if the last line of the journal was cut off, and was set aside when it was opened."""
        return self.journal is not None and self.journal.reading.torn is not None

    @property
    def unsaved(self) -> str:
        """Why the latest change is not saved; empty if it is, or if there is no journal."""
        return self.journal.trouble if self.journal is not None else ""

    def save_as(self, path: Path, header: Mapping[str, Json]) -> None:
        """Write everything into a new journal, and continue with that.

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
        """Apply the records of a journal."""
        for record in records:
            self.history.read(record)

    def add(self, entry: Entry) -> None:
        """Save an entry."""
        if self.journal is not None:
            self.journal.append(entry_record(entry))
        self.history.add(entry)

    def add_mark(self, mark: Mark) -> None:
        """Save a bookmark."""
        self._save_and_read(self._mark_record(mark))

    def move_head(self, number: int) -> None:
        """Save that play stands after another entry."""
        self._save_and_read({"t": "head", "to": number, "at": self.clock()})

    def change_branch(self, deed: Mapping[str, object], to: int) -> None:
        """Save a change of a branch, and the entry at which play then stands."""
        self._save_and_read(self._branch_record(deed, to))

    def add_amendment(self, amendment: Amendment) -> None:
        """Save an amendment as a new branch, and move to its end. The old branch gets a name if it has none.

        Bookmarks of the old line are copied to the new one, after the same acts. None of it counts before the last
        record, which takes the new branch.
        """
        tree = self.history.tree
        moment, old, on = self.clock(), tree.branch(tree.current_id), amendment.parted
        branch_id = self.history.number + 1
        records: list[Mapping[str, object]] = []
        numbers: dict[int, int] = {}
        count = len(tree.way_to(on))
        for each in amendment.replayed:
            if each.is_given:
                number, place = branch_id + len(records) + 1, None if each.place == count else each.place
                entry = Entry(
                    number, on, moment, "gm", each.command, each.events,
                    place=place, dice=each.dice_number, is_read=True,
                )  # fmt: skip
                records.append(entry_record(entry))
                on, count = number, count + 1
            numbers[each.entry] = on
        if not old.name:
            name = f"before #{amendment.edits[0].entry} was changed"
            records.append(self._branch_record({"do": "name", "id": old.id, "name": name}, on))
        marks = (Mark(mark.name, numbers[mark.on]) for mark in self.history.marks if mark.on in numbers)
        records += [self._mark_record(mark) for mark in marks]
        # Written before the others, so that after a crash an incomplete amendment is recognised as such.
        self._save_and_read(self._branch_record({"do": "amend", "records": len(records) + 1}, amendment.parted))
        if records:
            self._save_and_read(*records)
        self._save_and_read(self._branch_record({"do": "take", "id": branch_id}, on))

    def _mark_record(self, mark: Mark) -> Mapping[str, object]:
        return {"t": "mark", "on": mark.on, "name": mark.name, "at": self.clock()}

    def _branch_record(self, deed: Mapping[str, object], to: int) -> Mapping[str, object]:
        return {"t": "head", "to": to, "at": self.clock(), "branch": deed}

    def _save_and_read(self, *records: Mapping[str, object]) -> None:
        """Save records in one go, and apply them."""
        first = self.history.number + 1
        if self.journal is not None:
            self.journal.append(*records)
        for number, record in enumerate(records, first):
            self.history.read({"n": number, **record})
