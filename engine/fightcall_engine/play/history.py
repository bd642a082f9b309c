"""The history of a fight: its line of play, all its branches as its journal records them, and saving it.

States are immutable, so a keyframe of the line is only a reference. Finding a state takes at most `EVERY` folds.

A fight starts with one branch. A fork makes another one, and so does a new entry after an undo: the undone entries are
then a branch of their own. Entries never change. Which of them belong to which branch, and where each branch ends,
follows from the order of the records, so that reading a journal again gives the same tree.

A fork begins a trial: play goes on in it, while players and replays stay with the branch it was forked from, until the
trial is taken. A dropped branch stays in the journal and can be restored.

The present is the end of the branch in which something was done last. Undo, jumps and a look at another branch leave
it; a new entry, a fork and a branch that is taken begin a new present.

Every change goes into the journal first, if there is one, and then into the history.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, cast

from fightcall_engine.kit.plugins import system_with_rules
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model import __version__
from fightcall_engine.model.dice import UnusedDice
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import BoardChanged, Event, Events
from fightcall_engine.model.fold import begin, evolve, fold_all, with_combatant
from fightcall_engine.model.json_data import json_object, place_on_board, read, to_json
from fightcall_engine.model.state import Combatant, Cue, FightState, Json, Scalar
from fightcall_engine.model.values import frozen
from fightcall_engine.play.codec import codec_of, upcast_event, upcast_header, upcasts_from

if TYPE_CHECKING:
    from fightcall_engine.archive.journal import Follower, Journal
    from fightcall_engine.board.base import AnyBoard
    from fightcall_engine.play.codec import Codec


EVERY = 32
RECENT = 64
"""Of how many of the newest entries the states are kept, for undo and for telling them."""


@frozen
class Entry:
    """A command with all its events: one line of the journal, and the unit of undo.

    Attributes:
        on: the number of the entry it follows; 0 for the start of the fight.
        at: when it was given, in ISO 8601.
        command: the command as JSON, with its ``type``.
        unused: typed dice that it did not need; reported, but not saved.
        place: the place in history that seeds its dice, if that is not its index on the line; amendments keep it.
        dice: the number of its dice, 0 for those of the fight; see `Branch.dice`.
        is_read: whether it was read from a journal, so that its questions have lost the functions that wait in them.
    """

    number: int
    on: int
    at: str
    by: str
    command: Mapping[str, Json]
    events: Events
    unused: tuple[UnusedDice, ...] = field(default=(), compare=False)
    place: int | None = None
    dice: int = 0
    is_read: bool = field(default=False, compare=False)


class Timeline:
    """The entries and events from the start of a fight to its head."""

    def __init__(self, start: FightState) -> None:
        self._frames = [start]
        self._events: list[Event] = []
        self._entries: list[Entry] = []
        self._ends: list[int] = []
        self._highest: list[int] = []
        self._places: dict[int, int] = {}
        self._recent: deque[tuple[FightState, ...]] = deque(maxlen=RECENT)
        self._undone: dict[int, tuple[FightState, ...]] = {}
        self.head = start

    def __len__(self) -> int:
        return len(self._events)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entries on the line, oldest first."""
        return tuple(self._entries)

    def entry_count(self) -> int:
        """How many entries the line holds."""
        return len(self._entries)

    def entry(self, index: int) -> Entry:
        """The entry at an index of the line."""
        return self._entries[index]

    @property
    def newest(self) -> Entry | None:
        """The last entry; None at the start."""
        return self._entries[-1] if self._entries else None

    def index_of(self, number: int) -> int | None:
        """The index of the entry with this number; None if it is not on the line."""
        return self._places.get(number)

    def span(self, index: int) -> tuple[int, int]:
        """The positions before and after the entry at an index of the line."""
        return (self._ends[index - 1] if index else 0), self._ends[index]

    def place_of(self, index: int) -> int:
        """The place in history that seeds the dice of the entry at an index."""
        place = self._entries[index].place
        return index if place is None else place

    @property
    def next_place(self) -> int:
        """The place in history of the next command, which no entry of the line has."""
        return self._highest[-1] + 1 if self._highest else 0

    @property
    def own_place(self) -> int | None:
        """The place of the next command if it differs from its index on the line, else None."""
        place = self.next_place
        return None if place == len(self._entries) else place

    def entry_at(self, position: int) -> int:
        """The index of the entry whose events include the one that leads to `position`; -1 at the start."""
        return min(bisect_right(self._ends, position - 1), len(self._ends) - 1) if position > 0 else -1

    def event(self, position: int) -> Event:
        """The event after a position."""
        return self._events[position]

    def events(self) -> Iterator[Event]:
        """All events, oldest first."""
        return iter(self._events)

    def append(self, entry: Entry, states: Iterable[FightState] | None = None) -> None:
        """Append an entry. `states` are those after each of its events, if the caller has them."""
        if states:
            recent = (self.head, *states)
            self._undone.clear()
        else:
            # What is remembered of the states of an undone entry holds when it is redone.
            recent = self._undone.pop(entry.number, ())
            if not recent or recent[0] is not self.head:
                recent = tuple(accumulate(entry.events, evolve, initial=self.head))
        if len(recent) != len(entry.events) + 1:
            raise ValueError(f"{len(recent) - 1} states after {len(entry.events)} events")
        self.head = recent[-1]
        # The first keyframe is that of the start, so the next one is due after as many events as are left of `EVERY`.
        self._frames += recent[EVERY - len(self._events) % EVERY :: EVERY]
        self._events += entry.events
        self._recent.append(recent)
        index = self._places[entry.number] = len(self._entries)
        place = index if entry.place is None else entry.place
        self._entries.append(entry)
        self._ends.append(len(self._events))
        self._highest.append(max(self._highest[-1], place) if self._highest else place)

    def states_of(self, index: int, count: int = 1) -> tuple[FightState, ...]:
        """The states before `count` entries from an index of the line, and after each of their events."""
        later, start, end = len(self._entries) - index, self.span(index)[0], self.span(index + count - 1)[1]
        if later <= len(self._recent):
            first, *others = (self._recent[at - later] for at in range(count))
            return (*first, *(state for states in others for state in states[1:]))
        return tuple(accumulate(self._events[start:end], evolve, initial=self.seek(start)))

    def last_events(self, count: int) -> tuple[Events, tuple[FightState, ...]]:
        """The events of the newest `count` entries, and the states before them and after each."""
        start = len(self._entries) - count
        return tuple(self._events[self.span(start)[0] :]), self.states_of(start, count)

    def truncate(self, entries: int) -> None:
        """Keep only the first `entries` entries."""
        position = self._ends[entries - 1] if entries else 0
        state = self.seek(position)
        for entry in reversed(self._entries[entries:]):
            del self._places[entry.number]
            if self._recent:
                self._undone[entry.number] = self._recent.pop()
        del self._entries[entries:], self._ends[entries:], self._highest[entries:], self._events[position:]
        del self._frames[position // EVERY + 1 :]
        self.head = state

    def seek(self, position: int) -> FightState:
        """The state after the first `position` events. Raises IndexError: a position outside 0..len."""
        if not 0 <= position <= len(self._events):
            raise IndexError(f"position {position} of a line of {len(self._events)} events")
        index = bisect_left(self._ends, position)
        later = len(self._ends) - 1 - index
        if 0 <= later < len(self._recent) and self._ends[index] == position:
            return self._recent[-1 - later][-1]
        frame = min(position // EVERY, len(self._frames) - 1)
        return fold_all(self._frames[frame], self._events[frame * EVERY : position])


# The start of a fight


@frozen
class Start:
    """Everything that a fight starts with: the content of its journal's header.

    Attributes:
        story: text for the GM, which players never see.
        rules_text: the text of the file that the rules come from; empty if `system` is written in Python.
        version: the version of the rule system that wrote the journal; empty for a new fight.
    """

    id: str
    name: str
    system: str
    seed: str
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    board: AnyBoard | None = None
    combatants: tuple[Combatant, ...] = ()
    story: str = ""
    cues: tuple[Cue, ...] = ()
    rules_text: str = ""
    version: str = field(default="", compare=False)

    @property
    def rules(self) -> BaseSystem:
        """The rule system that the fight begins with."""
        return system_with_rules(self.system, self.rules_text)

    def state(self) -> FightState:
        """The state before the first entry."""
        system = self.rules
        record_type = system.fight_record
        state = FightState(
            id=self.id,
            name=self.name,
            system=self.system,
            seed=self.seed,
            board=self.board,
            settings=dict(self.settings),
            order=tuple(combatant.id for combatant in self.combatants),
            record=record_type() if record_type is not None else None,
            cues=self.cues,
            rules_text=self.rules_text,
            side_pools=system.starting_side_pools(self.settings),
        )
        for combatant in self.combatants:
            state = with_combatant(state, combatant)
        return begin(state)

    def header(self, now: str) -> dict[str, object]:
        """The start as the journal's first line."""
        return {
            "id": self.id,
            "name": self.name,
            "system": self.system,
            "system_version": self.rules.version,
            "engine": __version__,
            "seed": self.seed,
            "settings": dict(self.settings),
            "board": to_json(self.board),
            "combatants": to_json(self.combatants),
            **({"story": self.story} if self.story else {}),
            **({"cues": to_json(self.cues)} if self.cues else {}),
            **({"rules": self.rules_text} if self.rules_text else {}),
            "at": now,
        }

    @classmethod
    def from_header(cls, header: Mapping[str, Json]) -> Start:
        """Read a start from a journal's first line. Raises BadInput: naming what is wrong in it."""
        from fightcall_engine.board.kinds import board_from_json

        missing = [key for key in ("id", "name", "system", "seed") if key not in header]
        if missing:
            raise BadInput("header", tuple(f"{key}: missing" for key in missing))
        board = header.get("board")
        try:
            board_read = board_from_json(board) if board else None
        except ValueError as error:
            raise BadInput("header board", (str(error),)) from error
        rules_text, version = str(header.get("rules", "")), str(header.get("system_version", ""))
        system = system_with_rules(str(header["system"]), rules_text)
        header = upcast_header(upcasts_from(system, version), header)
        combatants = read(tuple[Combatant, ...], header["combatants"], "header combatants")
        codec = codec_of(system)
        return cls(
            id=str(header["id"]),
            name=str(header["name"]),
            system=str(header["system"]),
            seed=str(header["seed"]),
            settings=read(dict[str, Scalar], header.get("settings", {}), "header settings"),
            board=board_read,
            story=str(header.get("story", "")),
            rules_text=rules_text,
            version=version,
            combatants=place_on_board(tuple(codec.combatant(combatant) for combatant in combatants), board_read),
            cues=place_on_board(read(tuple[Cue, ...], header["cues"], "header cues"), board_read),
        )


# Branches

Deed = Literal["fork", "amend", "take", "drop", "restore", "name", "dice", "go", "back"]
"""What a record does to a branch. `amend` is a fork that is taken by a later record, or never was; see `History`."""

DEEDS: tuple[Deed, ...] = ("fork", "amend", "take", "drop", "restore", "name", "dice", "go", "back")

Clock = Callable[[], str]
"""Returns the present time as journals write it."""


@frozen
class Branch:
    """A line of play other than the one to the present.

    Attributes:
        parted: the entry of the current line after which it branches off.
        length: the number of its entries after that.
        id: its permanent number; 0 for the first branch.
        name: the GM's name for it; may be empty.
        parent: the id of the branch that it was forked from; -1 for the first.
        is_trial: whether it is a what-if that has not been taken.
        is_dropped: whether it was dropped; it can be restored.
        is_real: whether players and replays see it.
        dice: the number of its dice, 0 for those of the fight: branches with equal numbers roll equally for equal acts.
    """

    parted: int
    tip: int
    length: int
    id: int = 0
    name: str = ""
    parent: int = -1
    is_trial: bool = False
    is_dropped: bool = False
    is_real: bool = False
    dice: int = 0


@dataclass(slots=True)
class _OpenBranch:
    """A branch in the making: where it parted, its last entry, and its head."""

    id: int
    parted: int = 0
    tip: int = 0
    head: int = 0
    name: str = ""
    dice: int = 0
    is_trial: bool = False
    is_dropped: bool = False
    amends: int | None = None


class BranchTree:
    """All branches of a fight, and which is current. `head` is the entry at which play stands, 0 for the start."""

    def __init__(self) -> None:
        self._branches = {0: _OpenBranch(0)}
        self._before: dict[int, int] = {}
        self._owner: dict[int, int] = {}
        self._current = self._real = self._branches[0]
        self._present, self._real_at_present = self._current, self._real
        self.head = 0

    # What there is

    @property
    def current(self) -> Branch:
        """The current branch, in which play goes on."""
        return self.branch(self._current.id)

    @property
    def is_fresh_trial(self) -> bool:
        """True right after a fork, before anything is done in it."""
        current = self._current
        return current.is_trial and current.head == current.tip == current.parted == self.head

    @property
    def dice(self) -> int:
        """The number of the dice in use, 0 for those of the fight."""
        return self._current.dice

    @property
    def real_head(self) -> int:
        """The head of the branch that players and replays see."""
        return self._real.head

    @property
    def ahead(self) -> int | None:
        """The entry that a redo leads to; None if there is none."""
        number, following = self._current.tip, None
        while number > self.head:
            number, following = self._before[number], number
        return following if number == self.head else None

    @property
    def present(self) -> Branch:
        """The branch whose end is the present."""
        return self.branch(self._present.id)

    @property
    def is_away(self) -> bool:
        """True if play stands before the present, or in another branch."""
        return self._current is not self._present or self.head != self._present.tip

    def head_of(self, branch_id: int) -> int:
        """The head of a branch: the entry at which play in it stands. Raises Refused: there is no such branch."""
        return self._find(branch_id).head

    def branch(self, branch_id: int) -> Branch:
        """A branch by its id, also the current one; `parted` is where it left its parent. Raises Refused: none."""
        branch = self._find(branch_id)
        return self._as_branch(branch, branch.parted)

    def branches(self) -> tuple[Branch, ...]:
        """All branches but the present line, oldest first, also dropped ones and what a redo would lead to."""
        ours = {0, *self.way_to(self.head)}
        branches = []
        for branch in self._branches.values():
            if branch is self._current and branch.tip in ours:
                continue
            number = branch.tip
            while number not in ours:
                number = self._before[number]
            branches.append(self._as_branch(branch, number))
        return tuple(sorted(branches, key=lambda branch: (branch.tip, branch.id)))

    def way_to(self, number: int) -> tuple[int, ...]:
        """The entries that lead to an entry, with itself, newest first."""
        way = []
        while number:
            way.append(number)
            number = self._before[number]
        return tuple(way)

    def _as_branch(self, branch: _OpenBranch, parted: int) -> Branch:
        number, length = branch.tip, 0
        while number > parted:
            number, length = self._before[number], length + 1
        parent = -1 if branch.id == 0 else self._owner.get(branch.parted, 0)
        return Branch(
            parted, branch.tip, length, branch.id, branch.name, -1 if parent == branch.id else parent,
            branch.is_trial, branch.is_dropped, branch is self._real, branch.dice,
        )  # fmt: skip

    def _find(self, branch_id: int) -> _OpenBranch:
        branch = self._branches.get(branch_id)
        if branch is None:
            ids = tuple(map(str, self._branches))
            raise Refused("branch", f"there is no branch {branch_id}", ids, final=True)
        return branch

    # What is done

    def add(self, number: int, on: int) -> None:
        """Add an entry with this number that follows entry `on`."""
        if on != self.head:
            self.move(on)
        if self._current.tip != on:
            # Turn what the current branch has after entry `on` into a branch of its own.
            branch = self._current
            start = max(on, branch.parted)
            rest = [each for each in self.way_to(branch.tip) if each > start and self._owner[each] == branch.id]
            if rest:
                self._branches[number] = _OpenBranch(
                    number, start, branch.tip, branch.tip, dice=branch.dice, is_trial=branch.is_trial
                )
                self._owner |= dict.fromkeys(rest, number)
            branch.parted = min(branch.parted, on)
        self._before[number] = on
        self._owner[number] = self._current.id
        self._current.tip = self._current.head = self.head = number
        self._begin_present()

    def _begin_present(self) -> None:
        self._present, self._real_at_present = self._current, self._real

    def back(self) -> None:
        """Return to the present. Players and replays see the branch again that they saw there."""
        for branch in (self._present, self._real_at_present):
            branch.is_dropped = False
        self._current, self._real = self._present, self._real_at_present
        self.head = self._current.head = self._current.tip

    def move(self, to: int) -> None:
        """Move play to an entry: in the current branch if it contains the entry, else in the entry's branch."""
        number = self._current.tip
        while number > to:
            number = self._before[number]
        if number != to:
            self._enter(self._branches[self._owner[to]])
        self.head = self._current.head = to

    def _enter(self, branch: _OpenBranch) -> None:
        self._current = branch
        branch.is_dropped = False
        if not branch.is_trial:
            self._real = branch

    def fork(self, number: int, at: int, name: str = "", *, new_dice: bool = False, is_amendment: bool = False) -> None:
        """Begin a trial after an entry. `number` is that of the record; the current branch keeps its head."""
        source = self._current if at == self.head else self._branches[self._owner.get(at, 0)]
        dice = number if new_dice else source.dice
        amends = self._current.id if is_amendment else None
        self._branches[number] = self._current = _OpenBranch(
            number, at, at, at, name, dice, is_trial=True, amends=amends
        )
        self.head = at
        self._begin_present()

    def go(self, branch_id: int) -> None:
        """Make a branch current, at its head. One that was dropped is restored, and is the present again."""
        branch = self._find(branch_id)
        is_restored = branch.is_dropped
        self._enter(branch)
        self.head = branch.head
        if is_restored:
            self._begin_present()

    def take(self, branch_id: int) -> None:
        """Make a branch the real and the current one. An amendment is a trial if the line it amends was one."""
        branch = self._find(branch_id)
        branch.is_trial = branch.amends is not None and self._branches[branch.amends].is_trial
        branch.amends = None
        self._enter(branch)
        self.head = branch.head
        self._begin_present()

    def check_drop(self, branch_id: int) -> None:
        """Check that a branch can be dropped. Raises Refused: there is no such branch, or it is the real one."""
        if self._find(branch_id) is self._real:
            raise Refused("branch", "this branch is the one in play", ("switch to another branch first",), final=True)

    def drop(self, branch_id: int) -> None:
        """Drop a branch. If it is the current one, play returns to the real one."""
        branch = self._find(branch_id)
        branch.is_dropped = True
        if branch is self._current:
            self._current = self._real
            self.head = self._real.head
        if branch in (self._present, self._real_at_present):
            self._begin_present()

    def follow(self, number: int, to: int, deed: Mapping[str, Json]) -> None:
        """Apply a record that changes a branch: ``do`` with its ``id``, ``name``, ``dice``. Play is at entry `to` then.

        Raises BadInput: it cannot be read, or does not fit the branches of this fight.
        """
        do, branch_id, name = deed.get("do"), deed.get("id", 0), str(deed.get("name", ""))
        if type(branch_id) is not int or do not in DEEDS:
            raise BadInput(
                "branch", (f"{do!r} isn't something you can do with a branch; accepted: {', '.join(DEEDS)}",)
            )
        try:
            if do in ("fork", "amend"):
                self.fork(number, to, name, new_dice=deed.get("dice") == "new", is_amendment=do == "amend")
            elif do == "name":
                self._find(branch_id).name = name
            elif do == "dice":
                self._find(branch_id).dice = number
            elif do == "restore":
                self._find(branch_id).is_dropped = False
            elif do == "back":
                self.back()
            else:
                {"take": self.take, "drop": self.drop, "go": self.go}[str(do)](branch_id)
        except Refused as no:
            raise BadInput("branch", (no.message,)) from no
        if self.head != to:
            raise BadInput("branch", (f"the branch is at entry {self.head}, not at {to}",))


# The history


@frozen
class Mark:
    """A named moment: the entry it stands after."""

    name: str
    on: int


class History:
    """The entries of all lines of play, how they branch, and the bookmarks.

    A change that cannot be saved does not happen.

    Attributes:
        codec: reads what was written of it.
        journal: None for a fight that is not saved, or open read-only.
        clock: gives the time stamps.
        follower: reads what another program writes; None unless the fight is open read-only.
        line: the line of play that leads to the present.
        tree: the branches: which entry follows which, and where play stands.
        marks: the bookmarks, in the order in which they were set.
        number: the number of the newest record.
    """

    def __init__(self, start: Start, codec: Codec, journal: Journal | None, clock: Clock) -> None:
        self.line = Timeline(start.state())
        self.tree = BranchTree()
        self.marks: list[Mark] = []
        self.number = 0
        self._boards: dict[int, AnyBoard | None] = {0: start.board}
        self.codec = codec
        self.journal = journal
        self.clock = clock
        self.follower: Follower | None = None
        self._upcasts = upcasts_from(start.rules, start.version)
        self._entries: dict[int, Entry] = {}
        self._moves: dict[int, Mapping[str, object]] = {}
        self._draft: list[Mapping[str, Json]] = []
        """The records of an amendment that has not been taken, with their numbers."""

    def copy(self) -> History:
        """A copy without a journal, sharing the codec."""
        shared: dict[int, object] = {id(self.codec): self.codec, id(self.clock): self.clock}
        return deepcopy(self, {**shared, id(self.journal): None, id(self.follower): None})

    def entry(self, number: int) -> Entry:
        """The entry with a number, on any branch. `check_entry` checks that there is one."""
        return self._entries[number]

    def mark_called(self, name: str) -> Mark:
        """The newest bookmark with this name, in any case. Raises Refused: there is none; lists the bookmarks."""
        mark = next((mark for mark in reversed(self.marks) if mark.name.casefold() == name.strip().casefold()), None)
        if mark is None:
            names = tuple(dict.fromkeys(mark.name for mark in self.marks)) or ("the number of an entry",)
            raise Refused("to", f"there is no bookmark {name!r}", names, final=True)
        return mark

    def check_entry(self, number: int) -> None:
        """Check that there is an entry with this number; 0 is the start. Raises Refused: there is none."""
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
        board = self._boards[entry.on]
        for event in entry.events:
            board = event.board if isinstance(event, BoardChanged) else board
        self._boards[entry.number] = board
        self.tree.add(entry.number, entry.on)
        self.number = entry.number

    @property
    def unfinished(self) -> int | None:
        """The number of an amendment that has not been taken: it is being written, or was cut off. Else None."""
        return cast(int, self._draft[0]["n"]) if self._draft else None

    def read(self, record: Mapping[str, Json]) -> None:
        """Apply a record of the journal without moving the line; those of an amendment together when it is taken.

        Raises BadInput: naming the line and what is wrong with it.
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
            if record["t"] == "mark":
                self.marks.append(Mark(str(record["name"]), self._check_known(record["on"])))
            elif record["t"] != "head":
                self.add(self._read_entry(number, record))
                return
            elif "branch" in record:
                deed = read(dict[str, Scalar], record["branch"], "branch")
                self.tree.follow(number, self._check_known(record["to"]), deed)
            else:
                self.tree.move(self._check_known(record["to"]))
            self._keep(record)
        except BadInput as bad:
            raise BadInput(f"line {number + 1}, {bad.where}", bad.problems) from bad
        except (KeyError, TypeError) as wrong:
            raise BadInput(f"line {number + 1}", (f"a {record['t']} without its {wrong}",)) from wrong

    def _read_entry(self, number: int, record: Mapping[str, Json]) -> Entry:
        parent = self._check_known(record["on"])
        events: list[Event] = []
        board = self._boards[parent]
        for item in cast(list[Json], record["ev"]):
            event = self.codec.event(upcast_event(self._upcasts, cast(Mapping[str, Json], item)), board)
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

    # Saving

    def save(self, entry: Entry) -> None:
        """Save an entry."""
        if self.journal is not None:
            self.journal.append(entry_record(entry))
        self.add(entry)

    def move_head(self, number: int) -> None:
        """Save that play stands after another entry."""
        self.save_records({"t": "head", "to": number, "at": self.clock()})

    def change_branch(self, deed: Mapping[str, object], to: int) -> None:
        """Save a change of a branch, and the entry at which play then stands."""
        self.save_records(self.branch_record(deed, to))

    def mark_record(self, mark: Mark) -> Mapping[str, object]:
        """A bookmark as a journal has it."""
        return {"t": "mark", "on": mark.on, "name": mark.name, "at": self.clock()}

    def branch_record(self, deed: Mapping[str, object], to: int) -> Mapping[str, object]:
        """A change of a branch as a journal has it."""
        return {"t": "head", "to": to, "at": self.clock(), "branch": deed}

    def save_records(self, *records: Mapping[str, object]) -> None:
        """Save records in one go, and apply them."""
        first = self.number + 1
        if self.journal is not None:
            self.journal.append(*records)
        for number, record in enumerate(records, first):
            self.read({"n": number, **record})

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
