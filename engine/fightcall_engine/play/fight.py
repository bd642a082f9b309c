"""`Fight`: commands in, events out, saved before anybody is told; with undo, branches and access to every moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from fightcall_engine.kit.decision import is_typed
from fightcall_engine.kit.movement import Preview, check_facing, check_place, with_places
from fightcall_engine.kit.plugins import find_system, game_of, system_of
from fightcall_engine.kit.records import combatant_of, starting_settings
from fightcall_engine.kit.views import Option, Referee, Trail
from fightcall_engine.model.commands import Answer, Command, Join, SetCue
from fightcall_engine.model.dice import Dice, UnusedDice, seed_of
from fightcall_engine.model.errors import FightCallError, NeedsDice, Refused
from fightcall_engine.model.events import Events
from fightcall_engine.model.fold import with_combatant
from fightcall_engine.model.json_data import check_numbers, command_json
from fightcall_engine.model.state import FightState, Json, Scalar
from fightcall_engine.model.values import frozen, replace, utc_now
from fightcall_engine.play.amendments import Amendment, Edit, Functions, amend, close_lost, save_amendment, with_waiting
from fightcall_engine.play.calls import Call, next_call, pass_idle_steps
from fightcall_engine.play.codec import codec_of
from fightcall_engine.play.core_commands import resolve_command
from fightcall_engine.play.cues import cue_of
from fightcall_engine.play.decide import Happened, Remedies, all_owed, decide, follow, preview_command
from fightcall_engine.play.history import Branch, Clock, Entry, History, Mark, Start, Timeline
from fightcall_engine.play.newcomers import new_combatants

if TYPE_CHECKING:
    from fightcall_engine.archive.journal import Journal
    from fightcall_engine.archive.lines import Reading
    from fightcall_engine.board.base import AnyBoard
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.play.codec import Codec


ChangeKind = Literal["do", "undo", "redo", "jump", "mark", "branch"]


@frozen
class Change:
    """What subscribers receive for each change of the fight: the entry concerned, and the states before and after.

    A ``mark`` or ``branch`` leaves the state as it is. `events` are those of a ``do`` or ``redo``.
    """

    kind: ChangeKind
    entry: Entry | None
    before: FightState
    after: FightState
    events: Events = ()


_Decided = tuple[Events, list[FightState], tuple[UnusedDice, ...]]
"""The events of a command, the states after each of them, and the typed dice that it did not need."""

KEPT_DECISIONS = 8  # of commands that have been decided, and may be done


class Fight:
    """A fight, new or reopened.

    Examples:
        >>> fight = Fight.new("stage", seed="7")
        >>> _ = fight.give("join", name="Ash", sheet={"agility": 13})
        >>> fight.state.combatants["ash"].pools["beats"].max
        14
    """

    def __init__(
        self, start: Start, journal: Journal | None = None, clock: Clock = utc_now, *, real_branch: bool = False
    ) -> None:
        self.start = start
        self._history = History(start, codec_of(start.rules), journal, clock)
        self._follows_real_branch = real_branch
        self._subscribers: list[Callable[[Change], None]] = []
        self._read_state = self._state = self._history.line.head
        self._decided: tuple[tuple[FightState, tuple[Command, int, int], _Decided], ...] = ()
        self._waiting: dict[int, Functions] = {}

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
        cues: Iterable[SetCue] = (),
        path: Path | str | None = None,
        clock: Clock = utc_now,
    ) -> Fight:
        """Begin a fight, saved in a journal if `path` is given. `story` is text for the GM.

        Raises BadInput: a setting, a sheet or a cue is wrong; Refused: a combatant is not accepted.
        """
        rules = find_system(system)
        game = game_of(system)
        rules_text = game.rules_text if game is not None else ""
        start = Start(
            id, name, system, seed, starting_settings(rules, settings), board, story=story, rules_text=rules_text
        )
        state = start.state()
        for join in joins:
            join = with_places(state, join)
            combatants = new_combatants(rules, state, join)
            check_facing(state, join.facing)
            for combatant in combatants:
                check_place(state, combatant.id, combatant.at, Referee("Join", combatant.id, force=False))
            for combatant in combatants:
                state = with_combatant(state, combatant)
        start = replace(start, combatants=tuple(state.combatants.values()))
        state = start.state()
        for cue in cues:
            state = replace(state, cues=(*state.cues, cue_of(rules, state, cue)))
        start = replace(start, cues=state.cues)
        journal = None
        if path is not None:
            from fightcall_engine.archive.journal import Journal

            journal = Journal.create(Path(path), start.header(clock()))
        return cls(start, journal, clock)

    @classmethod
    def open(cls, path: Path | str, clock: Clock = utc_now) -> Fight:
        """Open a saved fight where it was left, and lock its journal.

        Raises LockedByAnother: another program plays it, `watch` is still possible; DamagedJournal: a line is damaged.
        """
        from fightcall_engine.archive.journal import Journal

        journal = Journal.open(Path(path))
        try:
            fight = cls(Start.from_header(journal.reading.header), journal, clock)
            fight._read_all(journal.reading)
            fight._drop_unfinished()
            closed = close_lost(fight.line, fight.state)
            if closed:
                answer = command_json(Answer(prompt=closed[0].prompt))
                fight._keep(answer, "program", *follow(fight.system, fight.state, closed))
        except BaseException:
            journal.close()
            raise
        return fight

    @classmethod
    def watch(cls, path: Path | str, *, real_branch: bool = False) -> Fight:
        """Open a saved fight read-only, even while it is played. `real_branch` ignores what-ifs that are not taken."""
        from fightcall_engine.archive.journal import Follower, read_journal

        path = Path(path)
        reading = read_journal(path)
        fight = cls(Start.from_header(reading.header), real_branch=real_branch)
        fight._read_all(reading)
        fight._history.follower = Follower(path, reading)
        return fight

    def copy(self) -> Fight:
        """An independent copy with the same history and without a journal."""
        fight = copy(self)
        fight._history = self._history.copy()
        fight._subscribers = []
        return fight

    def for_players(self) -> Fight:
        """The fight as players see it: while a what-if is tried, a copy that stands where the real branch does."""
        if self._history.tree.real_head == self.head_number:
            return self
        fight = self.copy()
        fight._history.rewind_to(fight._history.tree.real_head)
        return fight

    def close(self) -> None:
        """Close the journal and release its lock."""
        if self._history.journal is not None:
            self._history.journal.close()

    @property
    def is_watching(self) -> bool:
        """True for a fight that is open read-only."""
        return self._history.follower is not None

    @property
    def is_torn(self) -> bool:
        """True if the last line of the journal was cut off, and was set aside when it was opened."""
        journal = self._history.journal
        return journal is not None and journal.reading.torn is not None

    @property
    def unsaved(self) -> str:
        """Why the latest change is not saved; empty if it is, or if there is no journal."""
        return self._history.journal.trouble if self._history.journal is not None else ""

    def saved_together(self) -> AbstractContextManager[None]:
        """Wait for the disk only once, at the end, for all that is done within; nobody may be told of it before.

        Raises:
            JournalBroken: at its end, the disk did not confirm it.
        """
        journal = self._history.journal
        return journal.synced_together() if journal is not None else nullcontext()

    def save_as(self, path: Path | str) -> None:
        """Write the whole fight with all branches into a new journal, and continue with that.

        Raises FileExistsError, AppendFailed, OSError: it cannot be written; the fight stays where it is.
        """
        from fightcall_engine.archive.journal import Journal

        journal = Journal.create(Path(path), self.start.header(self._history.clock()), self._history.records())
        self.close()
        self._history.journal = journal

    @property
    def path(self) -> Path | None:
        """The journal's path; None if there is none."""
        source = self._history.journal or self._history.follower
        return source.path if source is not None else None

    def poll(self) -> bool:
        """Read what another program has written since; True if there was anything."""
        follower = self._history.follower
        records = follower.poll() if follower is not None else []
        for record in records:
            before, here = self.state, self.head_number
            self._history.read(record)
            if self._history.unfinished is not None:
                continue
            new_head = self._shown_head()
            kind: ChangeKind = "branch"
            entry = self.head
            if here != new_head:
                kind, entry = self._history.way(here, new_head)
            if record["t"] == "mark":
                kind = "mark"
            elif record["t"] == "cmd":
                if here == new_head:
                    continue
                kind = "do"
            self._history.rewind_to(new_head)
            events = entry.events if entry is not None and kind in ("do", "redo") else ()
            self._publish(Change(kind, entry, before, self.state, events))
        return bool(records)

    def _shown_head(self) -> int:
        """The entry that a watched fight shows: the head of the real branch, or of the one that is played."""
        return self._history.tree.real_head if self._follows_real_branch else self._history.tree.head

    # Reading

    @property
    def state(self) -> FightState:
        """The present state."""
        head = self._history.line.head
        if head is not self._read_state:
            self._read_state = head
            self._state = with_waiting(self.line, head, self.line.entry_count(), self._waiting)
        return self._state

    @property
    def system(self) -> BaseSystem:
        """The rules at present, which the GM can change if they come from a file."""
        return system_of(self._history.line.head)

    @property
    def codec(self) -> Codec:
        """Reads the commands of these rules."""
        return codec_of(self.system)

    @property
    def line(self) -> Timeline:
        """The line of play that leads to the present."""
        return self._history.line

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The bookmarks, in the order in which they were set."""
        return tuple(self._history.marks)

    @property
    def head(self) -> Entry | None:
        """The newest entry of the line; None at the start."""
        return self.line.newest

    @property
    def head_number(self) -> int:
        """The number of the newest entry of the line; 0 at the start."""
        head = self.line.newest
        return head.number if head is not None else 0

    def options(self, combatant_id: str, state: FightState | None = None) -> tuple[Option, ...]:
        """What a combatant can do, now or in a `state` to come, with prices and reasons; less after the fight."""
        state = state or self.state
        options = self.system.options(state, combatant_of(state, combatant_id).id)
        if state.status != "closed":
            return options
        kinds = {kind.type: kind for kind in self.codec.command_kinds.values()}
        return tuple(option for option in options if kinds[option.command].AFTER_CLOSE)

    def explain(self, combatant_id: str, what: str) -> Trail:
        """Explain where a number comes from."""
        return self.system.explain(self.state, combatant_of(self.state, combatant_id).id, what)

    def next_call(self, state: FightState | None = None, *, in_words: bool = True) -> Call:
        """What going on does, now or in a `state` to come, with the command for it."""
        return next_call(self.system, state or self.state, self._dice(), in_words=in_words)

    def call_past_idle_steps(self, state: FightState | None = None, *, in_words: bool = True) -> Call:
        """The same, through all the parts of a phase in which nothing happens."""
        return pass_idle_steps(self.system, self.next_call(state, in_words=in_words), self._dice())

    def subscribe(self, hear: Callable[[Change], None]) -> Callable[[], None]:
        """Call `hear` for every change, after it is saved. Returns a function that unsubscribes."""
        self._subscribers.append(hear)
        return lambda: self._subscribers.remove(hear)

    # Doing

    def give(self, name: str, /, **data: object) -> Entry:
        """Do a command by its name and plain data, as a script would."""
        return self.do(self.codec.command(name, data, self.state))

    def decide(self, command: Command) -> Happened:
        """The events of a command and the states after them, without doing it, which then takes less time.

        Raises the same as `do`, but sooner: what a refusal names instead has not been tried, and of the dice that are
        owed it names the first.
        """
        command = resolve_command(self.state, command)
        decided = self._find_decided(command)
        if decided is None:
            dice = self._dice(command.rolls)
            decided = (*decide(self.system, self.state, command, dice), dice.unused())
            question = command, self._history.tree.dice, self.line.next_place
            self._decided = (*self._decided[1 - KEPT_DECISIONS :], (self.state, question, decided))
        return decided[:2]

    def _find_decided(self, command: Command) -> _Decided | None:
        for state, question, decided in self._decided:
            if state is self.state and question == (command, self._history.tree.dice, self.line.next_place):
                return decided
        return None

    def preview(self, command: Command) -> Preview:
        """What a command needs, what stands against it and what is rolled. Raises BadInput: a field cannot be read."""
        return preview_command(self.system, self.state, command)

    def _dice(self, rolls: Mapping[str, tuple[int, ...]] | None = None) -> Dice:
        state = self.state
        seed, place = seed_of(state.seed, self._history.tree.dice), self.line.next_place
        return Dice(seed, place, rolls, is_typed=lambda roll: is_typed(state, system_of(state).sides, roll))

    def _decide(self, command: Command) -> _Decided:
        """Decide a command. A refusal names only alternatives that would be accepted."""
        if (decided := self._find_decided(command)) is not None:
            return decided
        dice = self._dice(command.rolls)
        try:
            events, states = decide(self.system, self.state, command, dice)
        except NeedsDice as need:
            raise all_owed(self.system, self.state, command, self.line.next_place, need) from None
        except Refused as no:
            remedies = Remedies(self.state, self.codec, self.try_out, self._is_offered)
            raise remedies.keep_possible(no, command) from None
        return events, states, dice.unused()

    def _is_offered(self, kind: type[Command]) -> bool:
        people = self.state.combatants
        return any(
            option.legal and option.command == kind.__name__
            for combatant_id in people
            for option in self.system.options(self.state, combatant_id)
        )

    def try_out(self, command: Command) -> None:
        """Raise what stands against a command; no dice are owed, and alternatives are not tried in turn."""
        dice = Dice(seed_of(self.state.seed, self._history.tree.dice), self.line.next_place, command.rolls)
        decide(self.system, self.state, resolve_command(self.state, command), dice)

    def do(self, command: Command, by: str = "gm") -> Entry:
        """Decide a command, save it with its events, and only then change the state and tell the subscribers.

        Raises:
            Refused: the rules say no; nothing has changed.
            NeedsDice: the table owes a throw; nothing has changed.
            BadInput: a number that no journal can hold, or `alike` without an actor; nothing has changed.
            AppendFailed, JournalBroken: it could not be saved; nothing has changed.
        """
        self._check_playing()
        command = resolve_command(self.state, command)
        data = command_json(command)
        check_numbers(data, command.type)
        return self._keep(data, by, *self._decide(command))

    def _keep(
        self,
        data: Mapping[str, Json],
        by: str,
        events: Events,
        states: list[FightState],
        unused_dice: tuple[UnusedDice, ...] = (),
    ) -> Entry:
        line, before, head = self.line, self.state, self.head_number
        number, dice = self._history.number + 1, self._history.tree.dice
        moment, place = self._history.clock(), line.own_place
        entry = Entry(number, head, moment, by, data, events, unused_dice, place=place, dice=dice)
        self._history.save(entry)
        line.append(entry, states)
        if states:
            # They follow on `state`, in which questions know the functions that wait for their answers.
            self._read_state = self._state = states[-1]
        self._publish(Change("do", entry, before, self._state, events))
        return entry

    # Going back and forth

    def undo(self, steps: int = 1) -> Entry:
        """Take back the newest entries. Returns the oldest of them. Raises Refused: there is nothing to undo."""
        count = self.line.entry_count()
        if not 1 <= steps <= count:
            raise Refused("undo", "nothing to undo", (f"1 to {count} steps",) if count else (), final=True)
        undone_entry = self.line.entry(count - steps)
        self._move_head("undo", undone_entry.on, undone_entry)
        return undone_entry

    def redo(self) -> Entry:
        """Go forward again along the line last played. Raises Refused: there is nothing to redo."""
        entry = self.ahead
        if entry is None:
            raise Refused("redo", "nothing to redo", (), final=True)
        self._move_head("redo", entry.number, entry)
        return entry

    @property
    def ahead(self) -> Entry | None:
        """The entry that a redo would bring back; None if there is none."""
        number = self._history.tree.ahead
        return None if number is None else self._history.entry(number)

    def jump(self, to: int | str) -> None:
        """Go to an entry of any branch (0 is the start) or to a bookmark by its name. Raises Refused: there is none."""
        number = self._history.mark_called(to).on if isinstance(to, str) else to
        self._history.check_entry(number)
        if number != self.head_number:
            self._move_head("jump", number, self._history.entry(number) if number else None)

    def mark(self, name: str, on: int | None = None) -> Mark:
        """Bookmark the moment after an entry, by default the newest. Raises Refused: read-only, or no such entry."""
        self._check_playing()
        mark = Mark(name, self.head_number if on is None else on)
        self._history.check_entry(mark.on)
        self._history.save_records(self._history.mark_record(mark))
        self._publish(Change("mark", self.head, self.state, self.state))
        return mark

    # Branches

    def branches(self) -> tuple[Branch, ...]:
        """All lines of play but the present one, oldest first, with those that were dropped."""
        return self._history.tree.branches()

    @property
    def branch(self) -> Branch:
        """The current branch, in which play goes on."""
        return self._history.tree.current

    def find_branch(self, branch_id: int) -> Branch:
        """A branch by its id. Raises Refused: there is none."""
        return self._history.tree.branch(branch_id)

    @property
    def is_fresh_trial(self) -> bool:
        """True right after a fork, before anything is done in it."""
        return self._history.tree.is_fresh_trial

    def state_of(self, branch: Branch) -> FightState:
        """The state at the end of a branch."""
        return self.line_of(branch).head

    def fork(self, name: str = "", *, on: int | None = None, new_dice: bool = False) -> Branch:
        """Begin a what-if: the present branch stays as it is, and play goes on in a new one.

        It begins after the entry `on`, by default the present one. With `new_dice` it has its own dice; otherwise the
        same act rolls the same as in the present branch.

        Raises Refused: the fight is read-only, or has no such entry.
        """
        self._check_playing()
        at = self.head_number if on is None else on
        self._history.check_entry(at)
        deed: dict[str, object] = {"do": "fork", "name": name, **({"dice": "new"} if new_dice else {})}
        self._change_branch(deed, at)
        return self.branch

    def take(self, branch_id: int | None = None) -> Branch:
        """Make a branch the real one, by default the current one, and play on in it.

        One that is real already is what a redo leads to: play goes on at its end. Raises Refused: there is none.
        """
        self._check_playing()
        here = self.branch
        tip_id = here.id if branch_id is None else branch_id
        if branch_id == here.id and not here.is_trial:
            self.jump(here.tip)
            if not self.is_away:
                return self.branch
        self._change_branch({"do": "take", "id": tip_id}, self._history.tree.head_of(tip_id))
        return self.branch

    def drop(self, branch_id: int | None = None) -> None:
        """Drop a branch, by default the current one. Raises Refused: there is no such branch, or it is the real one."""
        self._check_playing()
        tree, here = self._history.tree, self.branch.id
        tip_id = here if branch_id is None else branch_id
        tree.check_drop(tip_id)
        to = tree.real_head if tip_id == here else self.head_number
        self._change_branch({"do": "drop", "id": tip_id}, to)

    def restore(self, branch_id: int) -> None:
        """Restore a dropped branch. Raises Refused: there is no such branch."""
        self._change_known("restore", branch_id)

    def rename_branch(self, branch_id: int, name: str) -> None:
        """Rename a branch. Raises Refused: there is no such branch."""
        self._change_known("name", branch_id, name=name)

    def renew_dice(self) -> None:
        """Give the current branch new dice from here on. Raises Refused: the fight is read-only."""
        self._change_known("dice", self.branch.id)

    def go_to_branch(self, branch_id: int) -> None:
        """Play on in a branch; players do not see it while it is a what-if. Raises Refused: there is none."""
        self._check_playing()
        self._change_branch({"do": "go", "id": branch_id}, self._history.tree.head_of(branch_id))

    @property
    def is_away(self) -> bool:
        """True if play stands before the present, or in another branch; see `return_to_present`."""
        return self._history.tree.is_away

    @property
    def present(self) -> Branch:
        """The branch whose end is the present."""
        return self._history.tree.present

    def return_to_present(self) -> None:
        """Return to where something was done last, from anywhere. Raises Refused: the fight is read-only."""
        self._check_playing()
        if self.is_away:
            self._change_branch({"do": "back"}, self.present.tip)

    def line_of(self, branch: Branch) -> Timeline:
        """The line of play to the end of a branch, from where it parts from the present line."""
        return self._history.line_to(branch.tip)

    def _change_known(self, do: str, branch_id: int, **more: object) -> None:
        self._check_playing()
        self._history.tree.branch(branch_id)
        self._change_branch({"do": do, "id": branch_id, **more}, self.head_number)

    def _change_branch(self, deed: Mapping[str, object], to: int) -> None:
        before, here = self.state, self.head_number
        self._history.change_branch(deed, to)
        self._history.rewind_to(to)
        self._publish(Change("branch" if here == to else "jump", self.head, before, self.state))

    def _drop_unfinished(self) -> None:
        branch_id = self._history.unfinished
        if branch_id is not None:
            self._history.change_branch({"do": "drop", "id": branch_id}, self.head_number)

    # Amending

    def amend(self, edits: Iterable[Edit]) -> Amendment:
        """Report how the line of play would be with some entries changed. The fight does not change before `adopt`.

        Raises Refused: an edit names no entry of the line, or nothing is to be changed.
        """
        return amend(self.line, edits)

    def adopt(self, amendment: Amendment) -> None:
        """Adopt an amendment: play goes on at the end of the new line, and the old one is kept as a branch.

        It only counts once all of it is saved. An amendment without a change does nothing.

        Raises:
            Refused: the fight has gone on since, or is read-only.
            AppendFailed, JournalBroken: it could not be saved; nothing has changed.
        """
        self._check_playing()
        if amendment.head != self.head_number:
            raise Refused(
                "amend", "the fight has moved on since then", (f"amend entry {self.head_number}",), final=True
            )
        if amendment.is_idle:
            return
        before = self.state
        save_amendment(self._history, amendment)
        self._history.rewind_to(self._history.tree.head)
        self._publish(Change("jump", self.head, before, self.state))

    # Inside

    def _check_playing(self) -> None:
        if self.is_watching:
            raise Refused("watching", "this fight is open read-only", ("play it in its own window",), final=True)
        self._drop_unfinished()

    def _move_head(self, kind: ChangeKind, number: int, entry: Entry | None) -> None:
        self._check_playing()
        before = self.state
        self._history.move_head(number)
        self._history.rewind_to(number)
        self._publish(Change(kind, entry, before, self.state, entry.events if entry and kind == "redo" else ()))

    def _read_all(self, reading: Reading) -> None:
        for record in reading.records:
            self._history.read(record)
        self._history.rewind_to(self._shown_head())

    def _publish(self, change: Change) -> None:
        for hear in tuple(self._subscribers):
            hear(change)


def playing_problem(reading: Reading) -> str:
    """Why the records of a journal cannot be played, on any of their branches; empty if they can."""
    try:
        fight = Fight(Start.from_header(reading.header))
        fight._read_all(reading)
        for branch in fight.branches():
            fight._history.rewind_to(branch.tip)
    except FightCallError as error:
        return str(error)
    except Exception as error:  # Events that depended on a lost line may fail in any way.
        return f"{type(error).__name__}: {error}"
    return ""


def can_be_played(reading: Reading) -> bool:
    """Whether the records of a journal can be played from beginning to end; see `playing_problem`."""
    return not playing_problem(reading)
