"""The list of a fight's moments to go back to, by round and phase, with what was done in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from fightcall.flows.amend_flow import change_entry, comparison, put_in_before, strike_entry
from fightcall.flows.ask_flow import AskFlow
from fightcall.flows.base import Become, Bookmark, Jump, Reply, Say, Travel
from fightcall.flows.list_flow import Item, ListFlow, ListKey
from fightcall.flows.text_fields import TextField
from fightcall.flows.way_back import BEFORE_START
from fightcall.paint.happening import entry_sentence, entry_words, sentence
from fightcall.paint.prompt_bar import Tone
from fightcall.user_files import time_text
from fightcall_engine.model.events import CueFired, Event, RulingRecorded, StepBegan
from fightcall_engine.model.values import frozen
from fightcall_engine.play.comparison import compare_states
from fightcall_engine.play.story import BEFORE_ALL, Paragraph, Part, Telling, answers, part_of, tell

if TYPE_CHECKING:
    from fightcall.table import Table
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.model.state import FightState
    from fightcall_engine.play.branches import Branch
    from fightcall_engine.play.fight import Fight

NO_TRIAL = "This is not a what-if"
BOOKMARK = "*"
"""The prefix of a bookmark's name."""


@frozen
class Moment:
    """A moment to go to: the one after an entry.

    Attributes:
        number: the entry's number; 0 for the beginning.
        part: its part of the fight.
        mark: the name of its bookmark; empty for none.
        branch: a branch that begins here, or the what-if that is being played.
        depth: for a branch, how many branches it is nested in.
    """

    number: int
    part: Part = BEFORE_ALL
    mark: str = ""
    branch: Branch | None = None
    depth: int = -1


def moments(fight: Fight) -> tuple[Moment, ...]:
    """All moments of the line of play in order, each followed by its bookmarks and the branches that begin there."""
    branches = _in_order(fight)
    moments = [*_with_remarks(fight, branches, Moment(0))]
    telling = Telling((), fight.seek(0), Paragraph())
    for entry in fight.line.entries:
        before = telling.state
        telling = tell(fight.system, before, entry.events, telling.paragraph)
        part = _part_led_to(fight.system, before, entry.events, telling)
        part = part or next((remark.part for remark in telling.remarks if remark.tone != "heading"), None)
        now = part_of(fight.system, telling.state)
        part = part or (part_of(fight.system, before) if answers(entry.events) else now)
        # What comes before the first step of a round belongs to it.
        part = now if not part.name and part.round == now.round else part
        moments += _with_remarks(fight, branches, Moment(entry.number, part))
    return tuple(moments)


def _part_led_to(system: BaseSystem, before: FightState, events: Sequence[Event], telling: Telling) -> Part | None:
    """The part of the fight that events lead to, if they tell nothing else; else None."""
    after, began = telling.state, next((event for event in reversed(events) if isinstance(event, StepBegan)), None)
    if began is None or began.index >= len(after.agenda.steps) or _tells_deed(telling, events):
        return None
    if not sentence(system, before, events).deed:
        return None
    name = system.part_name(after, after.agenda.steps[began.index])
    return Part(after.round, system.round_title(after), name)


def _tells_deed(telling: Telling, events: Sequence[Event]) -> bool:
    """Whether events certainly tell something else: a quick test, since telling them takes time."""
    if any(isinstance(event, CueFired | RulingRecorded) for event in events):
        return False
    lines = [remark for remark in telling.remarks if remark.tone != "heading"]
    return any(remark.part == lines[0].part and remark.tone not in ("dim", "aside") for remark in lines)


def _in_order(fight: Fight) -> tuple[tuple[int, Branch], ...]:
    """The other branches, and a what-if that is being played, each after its parent, with its nesting depth."""
    here = fight.branch
    by_id = {branch.id: branch for branch in fight.branches()}
    if here.is_trial and here.id not in by_id:
        by_id[here.id] = here

    def parent_of(branch: Branch) -> int | None:
        parent = by_id.get(branch.parent)
        own = fight.find_branch(branch.id).parted
        return parent.id if parent is not None and parent.id != here.id and own > parent.parted else None

    def below(parent: int | None, depth: int) -> Iterator[tuple[int, Branch]]:
        for branch in by_id.values():
            if parent_of(branch) == parent:
                yield depth, branch
                yield from below(branch.id, depth + 1)

    return tuple(below(None, 0))


def _with_remarks(fight: Fight, branches: Sequence[tuple[int, Branch]], moment: Moment) -> Iterator[Moment]:
    """The rows of a moment: itself, and its bookmarks and branches."""
    yield moment
    for mark in fight.marks:
        if mark.on == moment.number:
            yield replace(moment, mark=mark.name)
    for depth, branch in branches:
        if branch.parted == moment.number:
            yield replace(moment, branch=branch, depth=depth)


def history(table: Table) -> ListFlow:
    """The list of moments, with the present one marked, and the branches as a tree in the margin.

    A letter marks its row, and Enter goes there. `n` names the marked moment or branch, `e` changes an entry, `x`
    strikes it out or drops a branch, `b` puts a change before an entry, `c` compares a branch with the present, `t`
    takes it.
    """
    entries = moments(table.fight)
    here = table.fight.head_number
    start = next((at for at, moment in enumerate(entries) if moment.number == here and moment.branch is None), 0)
    has_branches = any(moment.branch is not None for moment in entries)
    keys = {
        "e": ListKey("change", lambda place: _change(table, entries[place])),
        "x": ListKey("delete", lambda place: _strike_or_drop(table, entries[place])),
        "b": ListKey("insert before", lambda place: _put_in(table, entries[place])),
        "n": ListKey("name", lambda place: _ask_name(table, entries[place])),
    }
    of_branches = {
        "t": ListKey("keep branch", lambda place: _take(table, entries[place])),
        "c": ListKey("compare", lambda place: _compare(table, entries[place])),
    }
    return ListFlow(
        "History",
        [_item(table, moment) for moment in entries],
        start=start,
        keys={**of_branches, **keys} if has_branches else keys,
        shortest_last=True,
        picks=("go to", "go there"),
        letters_mark=True,
    )


def _item(table: Table, moment: Moment) -> Item:
    return replace(_unplaced_item(table, moment), group=moment.part.title, section=moment.part.name)


def _unplaced_item(table: Table, moment: Moment) -> Item:
    branch = moment.branch
    if branch is not None:
        tone: Tone = "quiet" if branch.is_dropped else "aside"
        words = _cached(lambda: branch_words(table.fight, branch))
        return Item(words, _go_to(table, branch), tone=tone, depth=moment.depth)
    if moment.mark:
        return Item(lambda: f"{BOOKMARK} {moment.mark}", _jump(moment.number), tone="named")
    number = f"#{moment.number}" if moment.number else ""
    what = _cached(lambda: entry_words(table.fight, moment.number) if number else "the beginning")
    return Item(what, _jump(moment.number), number=number)


def branch_words(fight: Fight, branch: Branch) -> str:
    """A branch in words: its name and status, when it was left, and the last that was done in it."""
    here = fight.branch
    remarks = (
        (branch.is_dropped, "dropped"),
        (branch.id == here.id and branch.is_trial, "you are here"),
        (branch.is_real and here.is_trial, "players see it"),
        (branch.dice != 0, "its own dice"),
    )
    applicable = [words for holds, words in remarks if holds]
    return f"{', '.join((branch_name(branch), *applicable))}: {_end_words(fight, branch)}"


def branch_name(branch: Branch) -> str:
    """The name of a branch, or its kind if it has none."""
    return branch.name or ("what if" if branch.is_trial else "branch")


def _end_words(fight: Fight, branch: Branch) -> str:
    """When a branch was left, in the fight and by the clock, and the last that was done in it."""
    index = fight.line.index_of(branch.tip)
    line = fight.line if index is not None else fight.line_of(branch)
    index = line.entry_count() - 1 if index is None else index
    if index < 0 or (branch.is_trial and not branch.length):
        return "nothing done in it"
    entry, (start, end) = line.entry(index), line.span(index)
    before, after = line.seek(start), line.seek(end)
    where = part_of(fight.system, after).heading or BEFORE_START
    is_here = branch.is_trial and branch.id == fight.branch.id
    left = f"now in {where}" if is_here else f"left in {where} at {time_text(entry.at)}"
    return f"{left}. Last: {entry_sentence(fight.system, before, entry)}"


def _go_to(table: Table, branch: Branch) -> Callable[[], Reply]:
    if branch.length and branch.id != table.fight.branch.id:
        return _jump(branch.tip)
    if branch.id == table.fight.branch.id and not branch.is_trial:
        return _jump(branch.tip)
    return lambda: Travel(lambda: table.fight.go_to_branch(branch.id))


def _branch_of(table: Table, moment: Moment) -> Branch | None:
    """The branch that a key applies to: the marked one, else the what-if being played if a moment of it is marked."""
    here = table.fight.branch
    return moment.branch or (here if here.is_trial and moment.number >= here.parted else None)


def _take(table: Table, moment: Moment) -> Reply:
    branch = _branch_of(table, moment)
    if branch is None:
        return Say("No branch is marked. Use up and down to mark one")
    here = table.fight.branch
    name = branch.name or ("the what-if" if branch.id == here.id else "the marked branch")
    message = f"Players now see {name}. The other line is kept as a branch"
    if branch.id == here.id and not here.is_trial:
        message = "You are at the end of this line again"
    return Travel(lambda: table.fight.take(branch.id), message, back=table.way_back())


def _compare(table: Table, moment: Moment) -> Reply:
    branch, fight = _branch_of(table, moment), table.fight
    if branch is None:
        return Say("There is no branch to compare")
    other = branch
    if branch.id == fight.branch.id:
        other = next((each for each in fight.branches() if each.is_real), branch)
    differences = compare_states(fight.system, fight.state, fight.state_of(other))
    return Become(comparison(f"Here and in {branch_name(other)}", differences, _go_to(table, other)))


def _strike_or_drop(table: Table, moment: Moment) -> Reply:
    branch = moment.branch
    if branch is None:
        if not moment.number:
            return Say("The beginning can't be deleted")
        return strike_entry(table, moment.number)
    if branch.is_dropped:
        return Travel(lambda: table.fight.restore(branch.id), following=lambda: history(table))
    if branch.is_real:
        return Say("You can't drop the branch that players see. Keep another one first, with t")
    is_here = branch.id == table.fight.branch.id
    drop_words = "Dropped. H still lists it, and x restores it"
    return Travel(
        lambda: table.fight.drop(branch.id),
        drop_words if is_here else "",
        following=None if is_here else lambda: history(table),
    )


def _change(table: Table, moment: Moment) -> Reply:
    if moment.branch is not None or not moment.number:
        return Say("Only an entry can be changed")
    return Become(change_entry(table, moment.number))


def _put_in(table: Table, moment: Moment) -> Reply:
    if moment.branch is not None or not moment.number:
        return Say("A change can only be inserted before an entry")
    return Become(put_in_before(table, moment.number))


def _cached(make: Callable[[], str]) -> Callable[[], str]:
    """Return a function for words that are made only once, when they are shown."""
    return lru_cache(maxsize=1)(make)


def keep_trial(table: Table) -> Reply:
    """Keep the what-if that is being played."""
    fight = table.fight
    if not fight.branch.is_trial:
        return Say(NO_TRIAL)
    return Travel(fight.take, "Kept: players see this now. The line you left is kept as a branch.")


def drop_trial(table: Table) -> Reply:
    """Drop the what-if that is being played; undo right after it goes back into it."""
    fight, trial = table.fight, table.fight.branch
    if not trial.is_trial:
        return Say(NO_TRIAL)
    return Travel(fight.drop, "What-if dropped. Undo brings it back.", back=lambda: fight.go_to_branch(trial.id))


def _ask_name(table: Table, moment: Moment) -> Reply:
    branch = moment.branch
    if branch is not None:
        name_field = TextField("Name this branch", default=branch.name)

        def rename(name: str) -> Reply:
            return Travel(lambda: table.fight.rename_branch(branch.id, name), following=lambda: history(table))

        return Become(AskFlow([name_field], lambda answers: rename(str(answers[0]))))
    field = TextField(f"Name this moment (#{moment.number})" if moment.number else "Name the beginning")
    return Become(AskFlow([field], lambda answers: Bookmark(str(answers[0]), on=moment.number)))


def _jump(number: int) -> Callable[[], Reply]:
    return lambda: Jump(number)
