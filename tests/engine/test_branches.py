"""What if: forks, trials, and branches that are taken, dropped and brought back."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fightcall_engine import Fight
from fightcall_engine.archive.journal import AppendFailed, read_journal
from fightcall_engine.model.commands import Join
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.fold import fold_all
from fightcall_engine.play.amendments import compare_states
from fightcall_engine.play.fight import playing_problem

NOW = "2026-01-02T03:04:05+00:00"
PAIR = (Join(name="Ash", sheet={"hp": 9}), Join(name="Orc", side="foe", sheet={"hp": 50}))


def fresh(path: Path | None = None) -> Fight:
    return Fight.new("stage", seed="7", joins=PAIR, path=path, clock=lambda: NOW)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "one.jsonl"


@pytest.fixture
def fight(path):
    fight = fresh(path)
    yield fight
    fight.close()


def hurt(fight, amount="1d6"):
    return fight.give("damage", who="orc", amount=amount)


def hp(fight):
    return fight.state.combatants["orc"].pools["hp"].now


def reopened(path):
    """The fight as another program finds it, while this one holds its lock."""
    return Fight.watch(path)


# The tree


def test_a_fork_leaves_the_branch_it_parts_from_and_goes_on_in_another(fight, path):
    hurt(fight, 1)
    trial = fight.fork("the door holds")
    assert (trial.name, trial.is_trial, trial.is_real, fight.is_fresh_trial) == ("the door holds", True, False, True)
    assert fight.head_number == 1
    mine = hurt(fight, 5)
    assert not fight.is_fresh_trial
    (base,) = fight.branches()
    assert (base.id, base.parted, base.tip, base.length, base.is_real) == (0, 1, 1, 0, True)
    assert (fight.branch.parted, fight.branch.tip, fight.branch.parent) == (1, mine.number, 0)
    twin = reopened(path)
    assert (twin.state, twin.branches(), twin.branch) == (fight.state, fight.branches(), fight.branch)


def test_the_same_act_throws_the_same_dice_in_a_fork(fight):
    hurt(fight, 1)
    fight.fork()
    first = hurt(fight)
    fight.drop()
    assert hurt(fight).events == first.events


def test_a_fork_throws_dice_of_its_own_where_that_is_asked_for(fight, path):
    thrown = [hurt(fight, "6d6").events for _ in range(2)]
    fight.jump(0)
    fight.fork(new_dice=True)
    new = [hurt(fight, "6d6").events for _ in range(2)]
    assert all(mine != theirs for mine, theirs in zip(new, thrown, strict=True))
    fight.close()
    again = Fight.open(path)
    again.undo()
    assert hurt(again, "6d6").events == new[1]
    again.close()


def test_dice_are_renewed_right_after_a_fork(fight):
    thrown = hurt(fight, "6d6").events
    fight.undo()
    fight.fork()
    fight.renew_dice()
    assert fight.is_fresh_trial
    assert hurt(fight, "6d6").events != thrown


def test_what_a_redo_leads_to_is_taken_by_the_number_of_its_branch(fight):
    """Put right 43: a real branch that is listed is what was undone of it; without a number nothing changes."""
    hurt(fight, 3)
    hurt(fight, 4)
    fight.undo(2)
    fight.take()
    assert (hp(fight), [branch.length for branch in fight.branches()]) == (50, [2])
    fight.take(fight.branches()[0].id)
    assert (hp(fight), fight.branches(), fight.branch.is_real) == (43, (), True)


def test_a_trial_is_taken_and_the_other_branch_stays(fight):
    hurt(fight, 1)
    trial = fight.fork()
    hurt(fight, 5)
    assert fight.take().id == trial.id
    assert (fight.branch.is_trial, fight.branch.is_real, hp(fight)) == (False, True, 44)
    fight.take(0)
    assert (hp(fight), fight.branch.id, fight.branches()[0].id) == (49, 0, trial.id)


def test_a_dropped_branch_is_left_and_can_be_brought_back(fight):
    hurt(fight, 1)
    hurt(fight, 1)
    fight.undo()
    trial = fight.fork()
    hurt(fight, 5)
    fight.drop()
    assert (hp(fight), fight.branch.id, fight.ahead.number) == (49, 0, 2)
    dropped = next(branch for branch in fight.branches() if branch.id == trial.id)
    assert (dropped.is_dropped, dropped.length) == (True, 1)
    fight.restore(trial.id)
    assert not any(branch.is_dropped for branch in fight.branches())
    fight.go_to_branch(trial.id)
    assert (hp(fight), fight.branch.is_trial) == (44, True)


def test_the_real_branch_is_not_dropped(fight):
    hurt(fight, 1)
    fight.fork()
    with pytest.raises(Refused, match="in play"):
        fight.drop(0)
    for act in (fight.take, fight.drop, fight.restore, fight.go_to_branch):
        with pytest.raises(Refused, match="no branch 99"):
            act(99)


def test_branches_have_names_that_are_typed_later(fight, path):
    hurt(fight, 1)
    trial = fight.fork()
    fight.rename_branch(trial.id, "the bridge burns")
    assert fight.branch.name == reopened(path).branch.name == "the bridge burns"


def test_undo_goes_on_in_a_fork_beyond_its_beginning_and_changes_nothing_elsewhere(fight):
    hurt(fight, 1)
    hurt(fight, 1)
    trial = fight.fork()
    hurt(fight, 5)
    fight.undo(3)
    assert (hp(fight), fight.branch.id) == (50, trial.id)
    for _ in range(3):
        fight.redo()
    assert hp(fight) == 43
    fight.undo(3)
    mine = hurt(fight, 9)
    assert (fight.branch.tip, fight.branch.parted) == (mine.number, 0)
    fight.take(0)
    assert hp(fight) == 48


def test_what_is_undone_in_a_trial_stays_one(fight, path):
    """A jump to what a trial has undone shows it to no player either."""
    hurt(fight, 1)
    fight.fork()
    left = hurt(fight, 5)
    fight.undo()
    hurt(fight, 6)
    fight.jump(left.number)
    assert fight.branch.is_trial
    assert hp(Fight.watch(path, real_branch=True)) == 49


# The present


def test_from_however_far_back_one_step_returns_to_the_present(fight, path):
    """At the table 2: undo and jumps leave the present; returning leads to where something was done last."""
    for _ in range(5):
        hurt(fight, 1)
    assert not fight.is_away
    for leave in (lambda: fight.undo(), lambda: fight.undo(3), lambda: fight.jump(0)):
        leave()
        assert fight.is_away
        assert reopened(path).is_away
    fight.return_to_present()
    assert (hp(fight), fight.is_away, fight.ahead) == (45, False, None)
    data = path.read_bytes()
    fight.return_to_present()
    assert path.read_bytes() == data, "there is nothing to return to"
    twin = reopened(path)
    assert (twin.state, twin.branch, twin.is_away) == (fight.state, fight.branch, False)


def test_a_look_at_another_branch_leaves_the_present_and_an_act_there_begins_a_new_one(fight, path):
    """At the table 2: players see what they saw before, too."""
    hurt(fight, 1)
    old = hurt(fight, 2)
    fight.undo()
    hurt(fight, 5)
    present = fight.branch.id
    fight.jump(old.number)
    assert (fight.is_away, fight.present.id, hp(fight)) == (True, present, 47)
    fight.undo(2)
    fight.return_to_present()
    assert (fight.branch.id, hp(fight), hp(Fight.watch(path, real_branch=True))) == (present, 44, 44)
    fight.jump(old.number)
    hurt(fight, 3)
    assert not fight.is_away
    fight.jump(0)
    fight.return_to_present()
    assert hp(fight) == 44


def test_a_what_if_is_returned_to_and_players_still_see_the_line_it_parts_from(fight, path):
    """At the table 2: also where another branch that players see was looked at meanwhile."""
    hurt(fight, 1)
    old = hurt(fight, 2)
    fight.undo()
    hurt(fight, 5)
    trial = fight.fork()
    hurt(fight, 9)
    fight.jump(old.number)
    assert hp(Fight.watch(path, real_branch=True)) == 47
    fight.return_to_present()
    assert (fight.branch.id, hp(fight), hp(Fight.watch(path, real_branch=True))) == (trial.id, 35, 44)
    fight.undo(2)
    fight.drop()
    assert (fight.is_away, hp(fight)) == (False, 44)


def test_a_branch_that_is_taken_is_the_present(fight):
    """At the table 2: taking is a decision, also for the branch that is being looked at."""
    hurt(fight, 1)
    old = hurt(fight, 2)
    fight.undo()
    hurt(fight, 5)
    fight.jump(old.number)
    fight.take(fight.branch.id)
    assert (fight.is_away, hp(fight)) == (False, 47)


# Who looks on


def test_players_see_nothing_of_a_trial_until_it_is_taken(fight, path):
    hurt(fight, 1)
    players = Fight.watch(path, real_branch=True)
    told = []
    players.subscribe(told.append)
    fight.fork()
    hurt(fight, 5)
    hurt(fight, 5)
    players.poll()
    assert (hp(players), players.line.entry_count()) == (49, 1)
    assert all(change.before is change.after for change in told)
    fight.take()
    players.poll()
    assert (players.state, told[-1].kind) == (fight.state, "jump")
    assert hp(Fight.watch(path, real_branch=True)) == 39


def test_a_second_screen_of_the_gm_follows_into_a_trial(fight, path):
    hurt(fight, 1)
    watcher = Fight.watch(path)
    fight.fork()
    hurt(fight, 5)
    watcher.poll()
    assert (watcher.state, watcher.branch) == (fight.state, fight.branch)


# Side by side


def test_two_branches_are_compared(fight):
    fight.give("place", who="ash", at=None)
    fight.fork()
    hurt(fight, 50)
    fight.give("effect", who="ash", name="afraid", rounds=2)
    (base,) = fight.branches()
    found = compare_states(fight.state_of(base), fight.state)
    told = [(each.who, each.what, each.then, each.now) for each in found]
    assert ("orc", "hp", "50/50", "0/50") in told
    assert ("orc", "state", "up", "down") in told
    assert ("ash", "effects", "-", "afraid (2)") in told
    assert compare_states(fight.state, fight.state) == ()


# On disk


def test_fork_act_and_drop_leave_every_byte_of_the_other_line(fight, path):
    for _ in range(3):
        hurt(fight)
    before, state, entries = path.read_bytes(), fight.state, fight.line.entries
    fight.fork()
    for _ in range(4):
        hurt(fight)
    fight.drop()
    assert path.read_bytes().startswith(before)
    assert (fight.state, fight.line.entries) == (state, entries)
    plain = fresh()
    for _ in range(4):
        hurt(plain)
    assert hurt(fight).events == plain.line.entries[3].events


def test_a_fight_saved_elsewhere_has_the_same_tree(fight, tmp_path):
    hurt(fight, 1)
    fight.fork("a")
    hurt(fight, 2)
    fight.mark("here")
    fight.fork("b", new_dice=True)
    hurt(fight, 3)
    fight.drop()
    before = fight.branches(), fight.branch, fight.state, fight.marks
    fight.save_as(tmp_path / "other.jsonl")
    twin = reopened(tmp_path / "other.jsonl")
    assert (twin.branches(), twin.branch, twin.state, twin.marks) == before


@pytest.mark.parametrize(
    "deed",
    [
        {"do": "burn"}, {"do": "take", "id": 9}, {"do": "take", "id": "x"}, {"do": "go", "id": True}, {}, 5,
        {"do": "drop", "id": 9},
    ],
)  # fmt: skip
def test_what_nothing_can_do_to_a_branch_is_named_with_its_line(fight, path, deed):
    hurt(fight, 1)
    fight._history.journal.append({"t": "head", "to": 1, "at": NOW, "branch": deed})
    with pytest.raises(BadInput, match="line 3"):
        reopened(path)
    assert "line 3" in playing_problem(read_journal(path))


def test_a_fork_that_cannot_be_saved_is_none(fight, monkeypatch):
    hurt(fight, 1)

    def refuse(fd, data):
        raise OSError("the disk is full")

    monkeypatch.setattr(fight._history.journal._files, "write", refuse, raising=False)
    with pytest.raises(AppendFailed):
        fight.fork()
    assert (fight.branch.id, fight.branches()) == (0, ())
    monkeypatch.undo()
    assert fight.fork().is_trial


class Forks(RuleBasedStateMachine):
    """Forks, acts, jumps and changes of mind in any order, against a plain record of what each entry left behind."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="forks-"))
        self.path = self.folder / "one.jsonl"
        self.known: dict[int, object] = {}

    @initialize()
    def begin(self) -> None:
        self.fight = fresh(self.path)
        self.players = Fight.watch(self.path, real_branch=True)
        self.known[0] = self.fight.state

    @rule(amount=st.sampled_from(["1d6", 1, 2]))
    def act(self, amount: object) -> None:
        entry = hurt(self.fight, amount)
        self.known[entry.number] = self.fight.state

    @rule(new_dice=st.booleans())
    def fork(self, new_dice: bool) -> None:
        before = self.fight.state
        self.fight.fork(new_dice=new_dice)
        assert self.fight.state is before

    @rule(data=st.data(), do=st.sampled_from(("take", "drop", "restore", "go_to_branch")))
    def change(self, data: st.DataObject, do: str) -> None:
        ids = [branch.id for branch in (*self.fight.branches(), self.fight.branch)]
        with contextlib.suppress(Refused):
            getattr(self.fight, do)(data.draw(st.sampled_from(ids)))

    @rule(data=st.data())
    def jump(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.known)))
        self.fight.jump(number)
        assert self.fight.state == self.known[number]

    @precondition(lambda self: self.fight.line.entry_count())
    @rule()
    def undo(self) -> None:
        head = self.fight.head_number
        self.fight.undo()
        assert self.fight.redo().number == head
        self.fight.undo()

    @precondition(lambda self: self.fight.is_away)
    @rule()
    def return_to_present(self) -> None:
        present = self.fight.present
        self.fight.return_to_present()
        assert self.fight.state == self.known[present.tip]
        assert (self.fight.branch.id, self.fight.is_away) == (present.id, False)

    @rule()
    def reopen(self) -> None:
        old = self.fight
        old.close()
        self.fight = Fight.open(self.path, clock=lambda: NOW)
        assert (self.fight.branches(), self.fight.branch) == (old.branches(), old.branch)

    @invariant()
    def nothing_is_lost(self) -> None:
        """Every entry is on some branch, and its state is what it was; so it is for whoever reads the file."""
        fight = self.fight
        assert fight.state == self.known[fight.head_number]
        assert fold_all(fight.line.seek(0), fight.line.events()) == fight.state
        found = {entry.number for entry in fight.line.entries}
        for branch in fight.branches():
            assert fight.state_of(branch) == self.known[branch.tip]
            number = branch.tip
            while number:
                found.add(number)
                number = fight._history.entry(number).on
        assert found | {0} == set(self.known)
        assert len({branch.id for branch in fight.branches()}) == len(fight.branches())
        twin = Fight.watch(self.path)
        assert (twin.state, twin.branches(), twin.branch, twin.ahead, twin.present, twin.is_away) == (
            fight.state,
            fight.branches(),
            fight.branch,
            fight.ahead,
            fight.present,
            fight.is_away,
        )

    @invariant()
    def players_stay_out_of_trials(self) -> None:
        self.players.poll()
        assert self.players.state == Fight.watch(self.path, real_branch=True).state
        if not self.fight.branch.is_trial:
            assert self.players.state == self.fight.state

    def teardown(self) -> None:
        if hasattr(self, "fight"):
            self.fight.close()
        shutil.rmtree(self.folder)


Forks.TestCase.settings = settings(stateful_step_count=25)
TestForks = Forks.TestCase
