"""A live fight: commands in, events out, on disk before anybody is told, and every moment of it within reach."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.movement import check_facing, check_place, with_places
from fightcall_engine.kit.preview import Preview
from fightcall_engine.kit.referee import Referee
from fightcall_engine.kit.registry import find_system
from fightcall_engine.kit.rolls import is_typed
from fightcall_engine.kit.settings import starting_settings
from fightcall_engine.kit.views import Option, Trail
from fightcall_engine.model.commands import Command, Join
from fightcall_engine.model.dice import Dice, UnusedDice
from fightcall_engine.model.errors import BadInput, FightCallError, NeedsDice, Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.json_data import check_numbers, command_json, json_object
from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.play import core_commands as basics
from fightcall_engine.play import decide as deciding
from fightcall_engine.play import preview as previewing
from fightcall_engine.play.calls import Call, next_call
from fightcall_engine.play.codec import Codec
from fightcall_engine.play.remedies import Remedies
from fightcall_engine.play.setup import Start
from fightcall_engine.play.timeline import Entry, Timeline
from fightcall_engine.play.upcast import upcast_event, upcasts_from

if TYPE_CHECKING:
    from fightcall_engine.archive.journal import Follower, Journal, Reading
    from fightcall_engine.board.base import AnyBoard

Clock = Callable[[], str]


def utc_now() -> str:
    """The time of day as journals write it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Change:
    """What a subscriber is told, once for each thing done: the entry concerned, and the states around it.

    `kind` is ``do``, ``undo``, ``redo``, ``jump`` or ``mark``; `events` holds what a ``do`` or ``redo`` brought.
    """

    kind: str
    entry: Entry | None
    before: FightState
    after: FightState
    events: Events = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A named moment: the entry it stands after."""

    name: str
    on: int


@dataclass(frozen=True, slots=True)
class Branch:
    """A line of play that was left by an undo: where it parted, its last entry, and how many entries it has."""

    parted: int
    tip: int
    length: int


class Fight:
    """One fight, live or reopened.

    Examples:
        >>> fight = Fight.new("stage", seed="7")
        >>> _ = fight.give("join", name="Ash", sheet={"agility": 13})
        >>> fight.state.combatants["ash"].pools["beats"].max
        14
    """

    def __init__(self, start: Start, journal: Journal | None = None, clock: Clock = utc_now) -> None:
        self.start = start
        self.system = find_system(start.system)
        self.codec = Codec(self.system)
        self._upcasts = upcasts_from(self.system, start.version)
        self.marks: list[Mark] = []
        self._journal = journal
        self._clock = clock
        self._line = Timeline(start.state())
        self._all: dict[int, Entry] = {}
        self._last_child: dict[int, int] = {}
        self._number = 0
        self._head_wanted = 0
        self._subscribers: list[Callable[[Change], None]] = []
        self._follower: Follower | None = None

    # Opening

    @classmethod
    def new(
        cls,
        system: str,
        *,
        id: str = "fight",
        name: str = "A fight",
        seed: str = "1",
        settings: Mapping[str, Scalar] | None = None,
        board: AnyBoard | None = None,
        joins: Iterable[Join] = (),
        story: str = "",
        path: Path | None = None,
        clock: Clock = utc_now,
    ) -> Fight:
        """Begin a fight, with a journal where `path` is given, and a story for the GM to read in play.

        Raises:
            BadInput: a setting or a sheet that will not do.
            Refused: a combatant that will not do.
        """
        found = find_system(system)
        start = Start(id, name, system, seed, starting_settings(found, settings), board, story=story)
        for join in joins:
            state = start.state()
            join = with_places(state, join)
            made = basics.new_combatants(found, state, join)
            check_facing(state, join.facing)
            for combatant in made:
                check_place(state, combatant.id, combatant.at, Referee("Join", combatant.id, force=False))
            start = replace(start, combatants=(*start.combatants, *made))
        journal = None
        if path is not None:
            from fightcall_engine.archive.journal import Journal

            journal = Journal.create(path, start.header(found, clock()))
        return cls(start, journal, clock)

    @classmethod
    def open(cls, path: Path, clock: Clock = utc_now) -> Fight:
        """Take up a saved fight exactly where it was. This program then holds its lock.

        Raises:
            LockedByAnother: another program plays it; `watch` still works.
            DamagedJournal: naming the line.
        """
        from fightcall_engine.archive.journal import Journal

        journal = Journal.open(path)
        try:
            fight = cls(Start.from_header(journal.reading.header), journal, clock)
            fight._replay(journal.reading)
        except BaseException:
            journal.close()
            raise
        return fight

    @classmethod
    def watch(cls, path: Path) -> Fight:
        """Open a saved fight to look at, while another program may be playing it. It takes no commands."""
        from fightcall_engine.archive.journal import Follower, read_journal

        reading = read_journal(path)
        fight = cls(Start.from_header(reading.header))
        fight._replay(reading)
        fight._follower = Follower(path, reading)
        return fight

    def close(self) -> None:
        """Let go of the journal and its lock."""
        if self._journal is not None:
            self._journal.close()

    @property
    def watching(self) -> bool:
        """True where the fight may be looked at but not played."""
        return self._follower is not None

    @property
    def torn(self) -> bool:
        """True where the last line of the journal had been cut short, and was put aside when it was opened."""
        return self._journal is not None and self._journal.reading.torn is not None

    @property
    def unsaved(self) -> str:
        """Why what happened last is not safe in the journal; empty where it is, or where there is none."""
        return self._journal.trouble if self._journal is not None else ""

    def save_as(self, path: Path) -> None:
        """Write the whole fight from memory into a new journal, every branch of it, and go on with that one.

        Raises:
            FileExistsError: there is a file already; it was not touched.
            AppendFailed, OSError: it cannot be written; the fight stays where it is.
        """
        from fightcall_engine.archive.journal import Journal

        header = {"n": 0, "t": "fight", "v": None, **self.start.header(self.system, self._clock())}
        records = list(self._records())
        journal = Journal.create_whole(path, header, records)
        if self._journal is not None:
            self._journal.close()
        self._journal, self._number = journal, len(records)

    def _records(self) -> Iterator[Mapping[str, object]]:
        """Everything that has happened as a journal has it; entries keep their numbers, bookmarks come at the end."""
        moment = self._clock()
        newest = max(self._all, default=0)
        for number in range(1, newest + 1):
            entry = self._all.get(number)
            if entry is not None:
                yield {"n": number, **_entry_record(entry)}
            else:
                # The head was moved here, or a bookmark was set: what comes next says where the head was.
                following = next(self._all[later] for later in range(number, newest + 1) if later in self._all)
                yield {"n": number, "t": "head", "to": following.on, "at": moment}
        number = newest
        for mark in self.marks:
            number += 1
            yield {"n": number, "t": "mark", "on": mark.on, "name": mark.name, "at": moment}
        # Along the way that redo would go and back, so that it still does.
        tip = self.head_number
        while tip in self._last_child:
            tip = self._last_child[tip]
        for to in (tip, self.head_number):
            number += 1
            yield {"n": number, "t": "head", "to": to, "at": moment}

    @property
    def path(self) -> Path | None:
        """Where the journal is, None where there is none."""
        source = self._journal or self._follower
        return source.path if source is not None else None

    def poll(self) -> bool:
        """Take in what another program has written since; true where there was something."""
        records = self._follower.poll() if self._follower else []
        for record in records:
            before = self.state
            kind, entry = self._take(record)
            self._rewind_to(self._head_wanted)
            brought = entry.events if entry is not None and kind in ("do", "redo") else ()
            self._publish(Change(kind, entry, before, self.state, brought))
        return bool(records)

    # Reading

    @property
    def state(self) -> FightState:
        """The state now."""
        return self._line.head

    @property
    def line(self) -> Timeline:
        """The line of play that leads here."""
        return self._line

    @property
    def head(self) -> Entry | None:
        """The newest entry on the line, None at the start."""
        count = self._line.entry_count()
        return self._line.entry(count - 1) if count else None

    @property
    def head_number(self) -> int:
        """The number of the newest entry on the line, 0 at the start."""
        return self.head.number if self.head else 0

    def seek(self, position: int) -> FightState:
        """The state after the first `position` events of the line."""
        return self._line.seek(position)

    def options(self, combatant_id: str) -> tuple[Option, ...]:
        """What a combatant can do now, with price and reason; after the fight only what belongs there."""
        options = self.system.options(self.state, combatant_of(self.state, combatant_id).id)
        if self.state.status != "closed":
            return options
        kinds = {kind.type: kind for kind in self.codec.command_kinds.values()}
        return tuple(option for option in options if kinds[option.command].AFTER_CLOSE)

    def explain(self, combatant_id: str, what: str) -> Trail:
        """Where a number comes from."""
        return self.system.explain(self.state, combatant_of(self.state, combatant_id).id, what)

    def next_call(self) -> Call:
        """What going on does now, and the command that does it."""
        return next_call(self.system, self.state, self._dice())

    def subscribe(self, hear: Callable[[Change], None]) -> Callable[[], None]:
        """Be told of every change, after it is saved. Returns a function that ends it."""
        self._subscribers.append(hear)
        return lambda: self._subscribers.remove(hear)

    # Doing

    def give(self, name: str, /, **data: object) -> Entry:
        """Do a command given by name and plain data, as a script would."""
        return self.do(self.codec.command(name, data))

    def decide(self, command: Command) -> tuple[Events, list[FightState]]:
        """What a command would cause, without doing it.

        Raises:
            Refused, NeedsDice, BadInput: as `do`.
        """
        events, states, _ = self._judged(self._resolved(command))
        return events, states

    def preview(self, command: Command) -> Preview:
        """What a command needs, what stands against it and what is thrown for it; nothing happens, and no die falls.

        Raises:
            BadInput: a field that cannot be read.
        """
        return previewing.preview(self.system, self.state, self._resolved(command))

    def _resolved(self, command: Command) -> Command:
        """The command with the people, places and directions in it as this fight has them."""
        return with_places(self.state, basics.with_people(self.state, command))

    def _decided(self, command: Command) -> tuple[Events, list[FightState], tuple[UnusedDice, ...]]:
        state, place, dice = self.state, self._line.entry_count(), self._dice(command.rolls)
        try:
            events, states = deciding.decide(self.system, state, command, dice)
        except NeedsDice as owed:
            raise deciding.all_owed(self.system, state, command, place, owed) from None
        return events, states, dice.unused()

    def _dice(self, rolls: Mapping[str, tuple[int, ...]] | None = None) -> Dice:
        """The dice of the next command."""
        typed = partial(is_typed, self.state, self.system.sides)
        return Dice(self.state.seed, self._line.entry_count(), rolls, is_typed=typed)

    def _judged(self, command: Command) -> tuple[Events, list[FightState], tuple[UnusedDice, ...]]:
        """What a command would cause; where it is refused, only what would be accepted is offered instead."""
        try:
            return self._decided(command)
        except Refused as no:
            remedies = Remedies(self.state, self.codec, self._try, self._is_offered)
            raise remedies.keep_possible(no, command) from None

    def _is_offered(self, kind: type[Command]) -> bool:
        """True where the options of somebody list a kind of command as possible."""
        people = self.state.combatants
        return any(
            option.legal and option.command == kind.__name__
            for combatant_id in people
            for option in self.system.options(self.state, combatant_id)
        )

    def _try(self, command: Command) -> None:
        dice = Dice(self.state.seed, self._line.entry_count(), command.rolls)
        deciding.decide(self.system, self.state, self._resolved(command), dice)

    def do(self, command: Command, by: str = "gm") -> Entry:
        """Decide a command, save it with its events, and only then make it so and tell the subscribers.

        Raises:
            Refused: the rules say no; nothing has changed.
            NeedsDice: the table owes a throw; nothing has changed.
            BadInput: a number that no journal can hold, or `alike` where nobody does it; nothing has changed.
            AppendFailed, JournalBroken: it could not be saved; nothing has changed.
        """
        self._check_playing()
        before = self.state
        command = self._resolved(command)
        written = command_json(command)
        check_numbers(written, command.type)
        events, states, unused = self._judged(command)
        entry = Entry(self._number + 1, self.head_number, self._clock(), by, written, events, unused)
        self._save(_entry_record(entry))
        self._all[entry.number] = entry
        self._last_child[entry.on] = entry.number
        self._line.append(entry, states)
        self._publish(Change("do", entry, before, self.state, events))
        return entry

    # Going back and forth

    def undo(self, steps: int = 1) -> Entry:
        """Take back the newest entries of the line. Returns the oldest one taken back.

        Raises:
            Refused: there is nothing to undo.
        """
        count = self._line.entry_count()
        if not 1 <= steps <= count:
            accepts = f"1 to {count} steps" if count else "any command"
            raise Refused("undo", "there is nothing to undo", (accepts,), final=True)
        taken = self._line.entry(count - steps)
        self._move_head("undo", taken.on, taken)
        return taken

    def redo(self) -> Entry:
        """Go forward again along the line last played.

        Raises:
            Refused: there is nothing to redo.
        """
        entry = self.ahead
        if entry is None:
            raise Refused("redo", "there is nothing to redo", ("any command",), final=True)
        self._move_head("redo", entry.number, entry)
        return entry

    @property
    def ahead(self) -> Entry | None:
        """What a redo would bring back, None where there is nothing."""
        number = self._last_child.get(self.head_number)
        return None if number is None else self._all[number]

    def can_redo(self) -> bool:
        """True where something has been undone and nothing else done since."""
        return self.ahead is not None

    def jump(self, number: int) -> None:
        """Make an entry the newest one: back on the line, or over to another branch; 0 is the start.

        Raises:
            Refused: there is no such entry.
        """
        if number and number not in self._all:
            raise Refused("entry", f"there is no entry {number}", (f"0 to {self._number}",), final=True)
        if number != self.head_number:
            self._move_head("jump", number, self._all.get(number))

    def mark(self, name: str, on: int | None = None) -> Mark:
        """Name a moment: just after an entry of any line of play, or after the newest.

        Raises:
            Refused: somebody else plays this fight, or it has no such entry.
        """
        self._check_playing()
        if on is not None and on != 0 and on not in self._all:
            raise Refused("history", f"there is no entry {on}", (f"0 to {max(self._all, default=0)}",), final=True)
        mark = Mark(name, self.head_number if on is None else on)
        self._save({"t": "mark", "on": mark.on, "name": name, "at": self._clock()})
        self.marks.append(mark)
        self._publish(Change("mark", self.head, self.state, self.state))
        return mark

    def branches(self) -> tuple[Branch, ...]:
        """The lines of play that were left, oldest first."""
        ours = {0, *(entry.number for entry in self._line.entries)}
        parents = {entry.on for entry in self._all.values()}
        found = []
        for tip in sorted(number for number in self._all if number not in parents and number not in ours):
            here, length = tip, 0
            while here not in ours:
                here, length = self._all[here].on, length + 1
            found.append(Branch(here, tip, length))
        return tuple(found)

    # Inside

    def _check_playing(self) -> None:
        if self.watching:
            raise Refused(
                "watching", "this fight is open for watching only", ("play it in its own window",), final=True
            )

    def _save(self, record: Mapping[str, object]) -> None:
        if self._journal is not None:
            self._number = self._journal.append(record)
        else:
            self._number += 1

    def _move_head(self, kind: str, number: int, entry: Entry | None) -> None:
        self._check_playing()
        before = self.state
        self._save({"t": "head", "to": number, "at": self._clock()})
        self._lay_way(self.head_number, number)
        self._rewind_to(number)
        self._publish(Change(kind, entry, before, self.state, entry.events if entry and kind == "redo" else ()))

    def _lay_way(self, here: int, there: int) -> tuple[str, Entry | None]:
        """Have redo lead from the fork of two entries to the second. Returns what that step is and its entry.

        An entry has a higher number than the one it follows, so that going down from the higher one meets the fork.
        """
        taken: Entry | None = None
        steps = 0
        goal = self._all.get(there)
        while here != there:
            if here > there:
                taken = self._all[here]
                here = taken.on
            else:
                before = self._all[there].on
                self._last_child[before] = there
                there, steps = before, steps + 1
        if not steps:
            return "undo", taken
        return ("redo" if taken is None and steps == 1 else "jump"), goal

    def _rewind_to(self, number: int) -> None:
        """Make the line end with this entry, by the shortest way."""
        missing: list[Entry] = []
        while number and self._line.index_of(number) is None:
            missing.append(self._all[number])
            number = self._all[number].on
        place = self._line.index_of(number)
        keep = 0 if place is None else place + 1
        if keep < self._line.entry_count():
            self._line.truncate(keep)
        for entry in reversed(missing):
            self._line.append(entry)

    def _replay(self, reading: Reading) -> None:
        for record in reading.records:
            self._take(record)
        self._rewind_to(self._head_wanted)

    def _take(self, record: Mapping[str, Json]) -> tuple[str, Entry | None]:
        """Take in a line of the journal. Returns what it does, and the entry concerned.

        Raises:
            BadInput: naming the line and what is wrong with it.
        """
        number = cast(int, record["n"])
        try:
            taken = self._taken(number, record)
        except BadInput as bad:
            raise BadInput(f"line {number + 1}, {bad.where}", bad.problems) from bad
        except (KeyError, TypeError) as wrong:
            raise BadInput(f"line {number + 1}", (f"a {record['t']} without its {wrong}",)) from wrong
        self._number = number
        return taken

    def _taken(self, number: int, record: Mapping[str, Json]) -> tuple[str, Entry | None]:
        kind = record["t"]
        if kind == "mark":
            self.marks.append(Mark(str(record["name"]), self._known(record["on"])))
            return "mark", self._all.get(self._head_wanted)
        if kind == "head":
            before, self._head_wanted = self._head_wanted, self._known(record["to"])
            return self._lay_way(before, self._head_wanted)
        on = self._known(record["on"])
        events = tuple(
            self.codec.event(upcast_event(self._upcasts, cast(Mapping[str, Json], item)), self.start.board)
            for item in cast(list[Json], record["ev"])
        )
        command = cast(Mapping[str, Json], record["cmd"])
        entry = Entry(number, on, str(record["at"]), str(record["by"]), command, events)
        self._all[number] = entry
        self._last_child[on] = number
        self._head_wanted = number
        return "do", entry

    def _known(self, number: object) -> int:
        if number != 0 and number not in self._all:
            raise BadInput("entry", (f"{number!r} is no entry before this line",))
        return number

    def _publish(self, change: Change) -> None:
        for hear in tuple(self._subscribers):
            hear(change)


def _entry_record(entry: Entry) -> dict[str, object]:
    """An entry as a journal has it, but for its number, which the journal gives."""
    events = [json_object(event) for event in entry.events]
    return {"t": "cmd", "on": entry.on, "at": entry.at, "by": entry.by, "cmd": entry.command, "ev": events}


def playing_problem(reading: Reading) -> str:
    """What keeps the records of a journal from being played, on any of their lines; empty where nothing does."""
    try:
        fight = Fight(Start.from_header(reading.header))
        fight._replay(reading)
        for branch in fight.branches():
            fight._rewind_to(branch.tip)
    except FightCallError as error:
        return str(error)
    except Exception as error:  # Facts whose ground was lost with a damaged line may fail in any way.
        return f"{type(error).__name__}: {error}"
    return ""


def can_be_played(reading: Reading) -> bool:
    """True where the records of a journal can be played from beginning to end; see `playing_problem`."""
    return not playing_problem(reading)
