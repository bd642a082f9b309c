"""The history of a fight, with all branches, as its journal records it, and saving it.

Every change goes into the journal first, if there is one, and then into the history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from fightcall_engine.kit.registry import find_system
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import BoardChanged, Event
from fightcall_engine.model.json_data import json_object, read
from fightcall_engine.model.state import Json, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.play.branches import BranchTree
from fightcall_engine.play.codec import upcast_event, upcasts_from
from fightcall_engine.play.timeline import Entry, Timeline

if TYPE_CHECKING:
    from fightcall_engine.archive.journal import Follower, Journal
    from fightcall_engine.board.base import AnyBoard
    from fightcall_engine.play.amendments import Amendment
    from fightcall_engine.play.codec import Codec
    from fightcall_engine.play.timeline import Start

Clock = Callable[[], str]
"""Returns the present time as journals write it."""


@frozen
class Mark:
    """A named moment: the entry it stands after."""

    name: str
    on: int


class History:
    """The entries of all lines of play, how they branch, and the bookmarks.

    Args:
        start: how the fight began.
        codec: reads what was written of it.

    Attributes:
        line: the line of play that leads to the present.
        tree: the branches: which entry follows which, and where play stands.
        marks: the bookmarks, in the order in which they were set.
        number: the number of the newest record.
    """

    def __init__(self, start: Start, codec: Codec) -> None:
        self.line = Timeline(start.state())
        self.tree = BranchTree()
        self.marks: list[Mark] = []
        self.number = 0
        self._boards: dict[int, AnyBoard | None] = {0: start.board}
        self._codec = codec
        self._upcasts = upcasts_from(find_system(start.system), start.version)
        self._entries: dict[int, Entry] = {}
        self._moves: dict[int, Mapping[str, object]] = {}
        self._draft: list[Mapping[str, Json]] = []
        """The records of an amendment that has not been taken, with their numbers."""

    def entry(self, number: int) -> Entry:
        """The entry with a number, on any branch. `check_entry` checks that there is one."""
        return self._entries[number]

    def mark_called(self, name: str) -> Mark:
        """The newest bookmark with this name, in any case.

        Raises:
            Refused: there is none; lists the bookmarks.
        """
        mark = next((mark for mark in reversed(self.marks) if mark.name.casefold() == name.strip().casefold()), None)
        if mark is None:
            names = tuple(dict.fromkeys(mark.name for mark in self.marks)) or ("the number of an entry",)
            raise Refused("to", f"there is no bookmark {name!r}", names, final=True)
        return mark

    def check_entry(self, number: int) -> None:
        """Check that there is an entry with this number; 0 is the start.

        Raises:
            Refused: there is none.
        """
        if number and number not in self._entries:
            accepts = (f"0 to {max(self._entries, default=0)}",)
            raise Refused("entry", f"there is no entry {number}", accepts, final=True)

    # Records

    def records(self) -> Iterator[Mapping[str, object]]:
        """The records of the whole history, as in a journal."""
        for number in range(1, self.number + 1):
            entry = self._entries.get(number)
            yield {"n": number, **(self._moves[number] if entry is None else entry_record(entry))}

    def add(self, entry: Entry) -> None:
        """Add an entry that has been saved, without moving the line."""
        self._entries[entry.number] = entry
        changes = (event.board for event in reversed(entry.events) if isinstance(event, BoardChanged))
        self._boards[entry.number] = next(changes, self._boards[entry.on])
        self.tree.add(entry.number, entry.on)
        self.number = entry.number

    @property
    def unfinished(self) -> int | None:
        """The number of an amendment that has not been taken: it is being written, or was cut off. Else None."""
        return cast(int, self._draft[0]["n"]) if self._draft else None

    def read(self, record: Mapping[str, Json]) -> None:
        """Apply a record of the journal, without moving the line.

        The records of an amendment are kept, and applied together when it is taken.

        Raises:
            BadInput: naming the line and what is wrong with it.
        """
        draft, deed = self._draft, _deed_of(record)
        if deed.get("do") == "amend" or (draft and _is_part(record, draft)):
            self._keep(record)
            self._draft = [record] if deed.get("do") == "amend" else [*draft, record]
            return
        self._draft = []
        if draft and deed.get("id") == draft[0]["n"]:
            if deed.get("do") == "drop":
                self._keep(record)
                return
            for each in draft:
                self._apply(each)
        self._apply(record)

    def _keep(self, record: Mapping[str, Json]) -> None:
        """Keep a record that is no entry, or is not applied."""
        self.number = cast(int, record["n"])
        self._moves[self.number] = {name: value for name, value in record.items() if name != "n"}

    def _apply(self, record: Mapping[str, Json]) -> None:
        number = cast(int, record["n"])
        try:
            if record["t"] in ("head", "mark"):
                self._read_move(number, record)
            else:
                self.add(self._read_entry(number, record))
        except BadInput as bad:
            raise BadInput(f"line {number + 1}, {bad.where}", bad.problems) from bad
        except (KeyError, TypeError) as wrong:
            raise BadInput(f"line {number + 1}", (f"a {record['t']} without its {wrong}",)) from wrong

    def _read_move(self, number: int, record: Mapping[str, Json]) -> None:
        """Apply a bookmark, or a move of the head."""
        if record["t"] == "mark":
            self.marks.append(Mark(str(record["name"]), self._check_known(record["on"])))
        else:
            to, deed = self._check_known(record["to"]), record.get("branch")
            if deed is None:
                self.tree.move(to)
            else:
                self.tree.follow(number, to, read(dict[str, Scalar], deed, "branch"))
        self._keep(record)

    def _read_entry(self, number: int, record: Mapping[str, Json]) -> Entry:
        parent = self._check_known(record["on"])
        events: list[Event] = []
        board = self._boards[parent]
        for item in cast(list[Json], record["ev"]):
            event = self._codec.event(upcast_event(self._upcasts, cast(Mapping[str, Json], item)), board)
            board = event.board if isinstance(event, BoardChanged) else board
            events.append(event)
        command = cast(Mapping[str, Json], record["cmd"])
        place = cast("int | None", record.get("place"))
        dice = cast(int, record.get("dice", 0))
        at, by = str(record["at"]), str(record["by"])
        return Entry(number, parent, at, by, command, tuple(events), place=place, dice=dice, is_read=True)

    def _check_known(self, number: object) -> int:
        if number != 0 and number not in self._entries:
            raise BadInput("entry", (f"{number!r} isn't an entry before this line",))
        return number

    # Lines of play

    def rewind_to(self, number: int) -> None:
        """Make the line end with this entry, reusing what it has in common with the present one."""
        missing = self._missing(number)
        place = self.line.index_of(missing[0].on if missing else number)
        keep = 0 if place is None else place + 1
        if keep < self.line.entry_count():
            self.line.truncate(keep)
        for entry in missing:
            self.line.append(entry)

    def line_to(self, number: int) -> Timeline:
        """The line of play to an entry, beginning where it parts from the present line."""
        missing = self._missing(number)
        index = self.line.index_of(missing[0].on if missing else number)
        line = Timeline(self.line.seek(self.line.span(index)[1] if index is not None else 0))
        for entry in missing:
            line.append(entry)
        return line

    def _missing(self, number: int) -> list[Entry]:
        """The entries up to one that are not on the line, oldest first."""
        entries: list[Entry] = []
        while number and self.line.index_of(number) is None:
            entries.append(self._entries[number])
            number = self._entries[number].on
        return entries[::-1]

    def way(self, here: int, there: int) -> tuple[Literal["undo", "redo", "jump"], Entry | None]:
        """The kind of a move from one entry to another (undo, redo or jump), and the entry that it concerns.

        An entry has a higher number than the one it follows, so that descending from the higher one finds the fork.
        """
        last: Entry | None = None
        steps = 0
        goal = self._entries.get(there)
        while here != there:
            if here > there:
                last = self._entries[here]
                here = last.on
            else:
                there, steps = self._entries[there].on, steps + 1
        if not steps:
            return "undo", last
        return ("redo" if last is None and steps == 1 else "jump"), goal


def _deed_of(record: Mapping[str, Json]) -> Mapping[str, Json]:
    """What a record does to a branch; empty if nothing."""
    deed = record.get("branch")
    return deed if isinstance(deed, Mapping) else {}


def _is_part(record: Mapping[str, Json], draft: Sequence[Mapping[str, Json]]) -> bool:
    """Whether a record continues an amendment, rather than follow one that could not be written to its end."""
    count = _deed_of(draft[0]).get("records")
    if isinstance(count, int) and len(draft) >= count:
        return False
    end = next((each["n"] for each in reversed(draft) if each["t"] == "cmd"), draft[0]["to"])
    if record["t"] == "cmd":
        return record["on"] == end
    return record["t"] == "mark" or _deed_of(record).get("do") == "name"


def entry_record(entry: Entry) -> dict[str, object]:
    """An entry as a journal has it, without its number, which the journal assigns."""
    events = [json_object(event) for event in entry.events]
    optional_fields = {"place": entry.place} if entry.place is not None else {}
    optional_fields |= {"dice": entry.dice} if entry.dice else {}
    return {
        "t": "cmd",
        "on": entry.on,
        "at": entry.at,
        "by": entry.by,
        **optional_fields,
        "cmd": entry.command,
        "ev": events,
    }


# Saving a fight


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
