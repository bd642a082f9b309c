"""The branches of a fight, rebuilt from the records of its journal.

A fight starts with one branch. A fork makes another one, and so does a new entry after an undo: the undone entries are
then a branch of their own. Entries never change. Which of them belong to which branch, and where each branch ends,
follows from the order of the records, so that reading a journal again gives the same tree.

A fork begins a trial: play goes on in it, while players and replays stay with the branch it was forked from, until the
trial is taken. A dropped branch stays in the journal and can be restored.

The present is the end of the branch in which something was done last. Undo, jumps and a look at another branch leave
it; a new entry, a fork and a branch that is taken begin a new present.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.state import Json
from fightcall_engine.model.values import frozen

Deed = Literal["fork", "amend", "take", "drop", "restore", "name", "dice", "go", "back"]
"""What a record does to a branch. `amend` is a fork that is taken by a later record, or never was; see `History`."""

DEEDS: tuple[Deed, ...] = ("fork", "amend", "take", "drop", "restore", "name", "dice", "go", "back")


@frozen
class Branch:
    """A line of play other than the one to the present.

    Attributes:
        parted: the entry of the current line after which it branches off.
        tip: its last entry.
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
    """All branches of a fight, and which of them is current.

    Attributes:
        head: the entry at which play stands, 0 for the start.
    """

    def __init__(self) -> None:
        self._branches = {0: _OpenBranch(0)}
        self._before: dict[int, int] = {}
        self._owner: dict[int, int] = {}
        self._current = self._real = self._branches[0]
        self._present, self._real_at_present = self._current, self._real
        self.head = 0

    # What there is

    @property
    def current_id(self) -> int:
        """The id of the current branch, in which play goes on."""
        return self._current.id

    @property
    def is_trial(self) -> bool:
        """True if the current branch is a what-if that has not been taken."""
        return self._current.is_trial

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
    def present_id(self) -> int:
        """The id of the branch whose end is the present."""
        return self._present.id

    @property
    def present(self) -> int:
        """The entry at the present."""
        return self._present.tip

    @property
    def is_away(self) -> bool:
        """True if play stands before the present, or in another branch."""
        return self._current is not self._present or self.head != self._present.tip

    def entry_before(self, number: int) -> int:
        """The entry that an entry follows."""
        return self._before[number]

    def head_of(self, branch_id: int) -> int:
        """The head of a branch: the entry at which play in it stands.

        Raises:
            Refused: there is no such branch.
        """
        return self._find(branch_id).head

    def branch(self, branch_id: int) -> Branch:
        """A branch by its id, which may be the current one. `parted` is where it left its parent.

        Raises:
            Refused: there is no such branch.
        """
        branch = self._find(branch_id)
        return self._as_branch(branch, branch.parted)

    def branches(self) -> tuple[Branch, ...]:
        """All branches but the present line, with the dropped ones, oldest first.

        They include what a redo would lead to: the rest of the current branch.
        """
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
            parted,
            branch.tip,
            length,
            branch.id,
            branch.name,
            -1 if parent == branch.id else parent,
            branch.is_trial,
            branch.is_dropped,
            branch is self._real,
            branch.dice,
        )

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
            self._leave_rest(number, on)
        self._before[number] = on
        self._owner[number] = self._current.id
        self._current.tip = self._current.head = self.head = number
        self._begin_present()

    def _begin_present(self) -> None:
        """Make the end of the current branch the present."""
        self._present, self._real_at_present = self._current, self._real

    def back(self) -> None:
        """Return to the present. Players and replays see the branch again that they saw there."""
        for branch in (self._present, self._real_at_present):
            branch.is_dropped = False
        self._current, self._real = self._present, self._real_at_present
        self.head = self._current.head = self._current.tip

    def _leave_rest(self, number: int, on: int) -> None:
        """Turn what the current branch has after entry `on` into a branch of its own."""
        branch = self._current
        start = max(on, branch.parted)
        rest = [each for each in self.way_to(branch.tip) if each > start and self._owner[each] == branch.id]
        if rest:
            self._branches[number] = _OpenBranch(
                number, start, branch.tip, branch.tip, dice=branch.dice, is_trial=branch.is_trial
            )
            self._owner |= dict.fromkeys(rest, number)
        branch.parted = min(branch.parted, on)

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
        """Check that a branch can be dropped.

        Raises:
            Refused: there is no such branch, or it is the real one.
        """
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

    def restore(self, branch_id: int) -> None:
        """Restore a dropped branch."""
        self._find(branch_id).is_dropped = False

    def rename(self, branch_id: int, name: str) -> None:
        """Rename a branch."""
        self._find(branch_id).name = name

    def renew_dice(self, number: int, branch_id: int) -> None:
        """Give a branch new dice from here on, numbered by this record."""
        self._find(branch_id).dice = number

    def follow(self, number: int, to: int, deed: Mapping[str, Json]) -> None:
        """Apply a record that changes a branch.

        Args:
            number: of the record.
            to: the entry at which play stands after it.
            deed: what it does: ``do`` with the branch's ``id``, ``name``, ``dice``.

        Raises:
            BadInput: it cannot be read, or does not fit the branches of this fight.
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
                self.rename(branch_id, name)
            elif do == "dice":
                self.renew_dice(number, branch_id)
            elif do == "back":
                self.back()
            else:
                {"take": self.take, "drop": self.drop, "restore": self.restore, "go": self.go}[str(do)](branch_id)
        except Refused as no:
            raise BadInput("branch", (no.message,)) from no
        if self.head != to:
            raise BadInput("branch", (f"the branch is at entry {self.head}, not at {to}",))
