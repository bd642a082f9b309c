"""The moments of a fight: the list to go back to, where play stands, and the position and speed of a replay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from fightcall.flows.amend_flow import change_entry, comparison, put_in_before, strike_entry
from fightcall.flows.base import Become, Bookmark, Jump, KeysInForce, Reply, Say, Travel
from fightcall.flows.lists import Item, ListFlow, ListKey
from fightcall.flows.questions import AskFlow
from fightcall.flows.text_fields import TextField
from fightcall.paint.happening import entry_sentence, entry_words, sentence
from fightcall.paint.prompt_bar import Tone
from fightcall.paint.runs import time_text
from fightcall.table import Table
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.errors import BadInput
from fightcall_engine.model.events import CueFired, Event, RoundBegan, RulingRecorded, StepBegan
from fightcall_engine.model.state import FightState
from fightcall_engine.model.values import frozen, remembered
from fightcall_engine.play.amendments import compare_states
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.history import Branch, Mark
from fightcall_engine.play.story import BEFORE_ALL, Paragraph, Part, Telling, answers, part_of, tell
from fightcall_engine.play.timeline import Timeline

NO_TRIAL = "This is not a what-if"
BOOKMARK = "*"
"""The prefix of a bookmark's name."""

BEFORE_START = "the set-up"

Stop = Literal["event", "entry", "step", "phase", "round", "actor"]

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)
SECONDS_PER_EVENT = 1.0
"""The time per event at speed 1."""


@frozen
class Moment:
    """A moment to go to: the one after an entry.

    Attributes:
        number: the entry's number; 0 for the beginning.
        branch: a branch that begins here, or the what-if that is being played.
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
    telling = Telling((), fight.line.seek(0), Paragraph())
    for entry in fight.line.entries:
        before = telling.state
        telling = tell(system_of(before), before, entry.events, telling.paragraph)
        part = _part_led_to(system_of(before), before, entry.events, telling)
        part = part or next((remark.part for remark in telling.remarks if remark.tone != "heading"), None)
        now = part_of(system_of(telling.state), telling.state)
        part = part or (part_of(system_of(before), before) if answers(entry.events) else now)
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
        [replace(_item(table, each), group=each.part.title, section=each.part.name) for each in entries],
        start=start,
        keys={**of_branches, **keys} if has_branches else keys,
        shortest_last=True,
        picks=("go to", "go there"),
        letters_mark=True,
    )


def _item(table: Table, moment: Moment) -> Item:
    branch = moment.branch
    if branch is not None:
        tone: Tone = "quiet" if branch.is_dropped else "aside"
        words = cache(lambda: branch_words(table.fight, branch))
        return Item(words, _go_to(table, branch), tone=tone, depth=moment.depth)
    if moment.mark:
        return Item(lambda: f"{BOOKMARK} {moment.mark}", _jump(moment.number), tone="named")
    number = f"#{moment.number}" if moment.number else ""
    what = cache(lambda: entry_words(table.fight, moment.number) if number else "the beginning")
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
    index = fight.line.index_of(branch.tip)
    line = fight.line if index is not None else fight.line_of(branch)
    index = line.entry_count() - 1 if index is None else index
    if index < 0 or (branch.is_trial and not branch.length):
        return "nothing done in it"
    entry, (start, end) = line.entry(index), line.span(index)
    before, after = line.seek(start), line.seek(end)
    where = part_of(system_of(after), after).heading or BEFORE_START
    is_here = branch.is_trial and branch.id == fight.branch.id
    left = f"now in {where}" if is_here else f"left in {where} at {time_text(entry.at)}"
    return f"{left}. Last: {entry_sentence(system_of(before), before, entry)}"


def _go_to(table: Table, branch: Branch) -> Callable[[], Reply]:
    has_tip = not branch.is_trial if branch.id == table.fight.branch.id else branch.length
    return _jump(branch.tip) if has_tip else lambda: Travel(lambda: table.fight.go_to_branch(branch.id))


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
    differences = compare_states(fight.state, fight.state_of(other))
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


# Away from the present: where play stands, and the keys that lead back


def away_notice(fight: Fight, names: KeysInForce) -> str:
    """Say that play is in the past, on another branch or in a what-if, with the keys that lead out; empty if not."""
    keep, drop = names.label("fight.keep-trial"), names.label("fight.drop-trial")
    trial = f"WHAT IF: {keep} keeps, {drop} drops" if fight.branch.is_trial else ""
    if not fight.is_away:
        return trial
    where = "In the past" if fight.branch.id == fight.present.id else "On another branch"
    past = f"{where}: {names.label('fight.present')} returns"
    return f"{trial}. {past}" if trial else f"{past} to {_present_words(fight, fight.state, str(fight.present.tip))}"


@remembered
def _present_words(fight: Fight, now: FightState, tip: str) -> str:
    """The present, by what tells it from here: its round, else its phase. Remembered by where both stand."""
    here, there = part_of(system_of(now), now), _present_part(fight)
    if here.round != there.round:
        return there.title or BEFORE_START
    return there.name if there.name and here.name != there.name else "the present"


def _present_part(fight: Fight) -> Part:
    present = fight.state_of(fight.present)
    return part_of(system_of(present), present)


def return_to_present(fight: Fight) -> Reply:
    """Return to the present."""
    if not fight.is_away:
        return Say("This is the present")
    return Travel(fight.return_to_present, f"Back in the present: {_present_part(fight).heading or BEFORE_START}")


# The position and speed of a replay


def _is_at_entry(line: Timeline, position: int) -> bool:
    return line.span(line.entry_at(position))[1] == position


def _is_at_phase(line: Timeline, position: int) -> bool:
    began = line.event(position - 1)
    if not isinstance(began, StepBegan):
        return False
    for index in range(position - 2, -1, -1):
        before = line.event(index)
        if isinstance(before, StepBegan):
            return before.phase != began.phase
        if isinstance(before, RoundBegan):
            return True
    return True


def _actor(line: Timeline, entry: int) -> str:
    return str(line.entry(entry).command.get("who") or "")


def _is_at_actor(line: Timeline, position: int) -> bool:
    if not _is_at_entry(line, position):
        return False
    entry = line.entry_at(position)
    actor = _actor(line, entry)
    if not actor:
        return False
    before = next((combatant_id for index in range(entry - 1, -1, -1) if (combatant_id := _actor(line, index))), "")
    return before != actor


STOPS: Mapping[Stop, Callable[[Timeline, int], bool]] = {
    "event": lambda line, position: True,
    "entry": _is_at_entry,
    "step": lambda line, position: isinstance(line.event(position - 1), StepBegan),
    "phase": _is_at_phase,
    "round": lambda line, position: isinstance(line.event(position - 1), RoundBegan),
    "actor": _is_at_actor,
}


def is_stop(line: Timeline, position: int, stop: Stop) -> bool:
    """Whether a kind of step stops at a position. All stop at the beginning and at the present."""
    return position in (0, len(line)) or STOPS[stop](line, position)


def onward(line: Timeline, position: int, stop: Stop) -> int:
    """The next position where a kind of step stops, at the latest the present."""
    return next((at for at in range(position + 1, len(line)) if is_stop(line, at, stop)), len(line))


def backward(line: Timeline, position: int, stop: Stop) -> int:
    """The previous position where a kind of step stops, at the earliest the beginning."""
    return next((at for at in range(position - 1, 0, -1) if is_stop(line, at, stop)), 0)


def end_of_entry(line: Timeline, number: int) -> int | None:
    """The position after the entry with a number; None if it is not on the line. 0 is the beginning."""
    if number == 0:
        return 0
    index = line.index_of(number)
    return None if index is None else line.span(index)[1]


def entry_before(line: Timeline, position: int) -> int:
    """The number of the last complete entry at a position, from which play can go on; 0 at the beginning."""
    index = line.entry_at(position)
    if index >= 0 and line.span(index)[1] != position:
        index -= 1
    return line.entry(index).number if index >= 0 else 0


def mark_positions(line: Timeline, marks: Iterable[Mark]) -> dict[int, str]:
    """The positions of the bookmarks on the line, in order, with their names."""
    positions: dict[int, str] = {}
    for mark in marks:
        position = end_of_entry(line, mark.on)
        if position is not None:
            positions[position] = f"{positions[position]}, {mark.name}" if position in positions else mark.name
    return dict(sorted(positions.items()))


def next_mark(line: Timeline, marks: Iterable[Mark], position: int) -> int | None:
    """The position of the next bookmark, wrapping around; None if there is none."""
    positions = list(mark_positions(line, marks))
    return next((at for at in positions if at > position), positions[0] if positions else None)


def find_position(line: Timeline, entry: str) -> int:
    """Read a typed position: ``120`` an event, ``#12`` an entry, ``r3`` a round, ``50%``, ``end``.

    Raises:
        BadInput: with what would be accepted.
    """
    text = entry.strip().lower()
    if text in ("end", "start"):
        return len(line) if text == "end" else 0
    prefix, digits = (text[0], text[1:]) if text[:1] in ("#", "r") else ("", text)
    percent = digits.endswith("%") and not prefix
    digits = digits.removesuffix("%") if percent else digits
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 10):
        raise _bad(f"{entry!r} is not a moment of the fight", line)
    number = int(digits)
    if percent:
        return len(line) * min(number, 100) // 100
    position = {"#": end_of_entry, "r": _round_began}[prefix](line, number) if prefix else number
    if position is None or position > len(line):
        raise _bad(f"there is no {'entry' if prefix == '#' else 'round' if prefix else 'event'} {number} here", line)
    return position


def _round_began(line: Timeline, number: int) -> int | None:
    for position, event in enumerate(line.events(), start=1):
        if isinstance(event, RoundBegan) and event.number == number:
            return position
    return 0 if number == 0 else None


def _bad(message: str, line: Timeline) -> BadInput:
    rounds = line.head.round
    accepts = f"0 to {len(line)}, #1 to #{line.entry(line.entry_count() - 1).number}" if len(line) else "0"
    return BadInput("go to", (f"{message}; accepted: {accepts}, r1 to r{rounds}, 50%, start, end",))


@frozen
class Playback:
    """The state of a replay.

    Attributes:
        position: the number of events from the beginning.
    """

    position: int = 0
    speed: float = 1.0
    playing: bool = False

    @property
    def seconds(self) -> float:
        return SECONDS_PER_EVENT / self.speed

    def go(self, position: int) -> Playback:
        """Go to a position, and stop playing."""
        return replace(self, position=position, playing=False)

    def faster(self) -> Playback:
        return replace(self, speed=next((speed for speed in SPEEDS if speed > self.speed), SPEEDS[-1]))

    def slower(self) -> Playback:
        return replace(self, speed=next((speed for speed in reversed(SPEEDS) if speed < self.speed), SPEEDS[0]))

    def toggle(self, length: int) -> Playback:
        """Play or pause. At the end, play again from the start."""
        if self.playing:
            return replace(self, playing=False)
        return replace(self, playing=length > 0, position=0 if self.position >= length else self.position)

    def tick(self, length: int) -> Playback:
        """Advance by one event if it is playing; stop at the end."""
        if not self.playing:
            return self
        position = min(self.position + 1, length)
        return replace(self, position=position, playing=position < length)

    def follow(self, before: int, now: int) -> Playback:
        """Adapt to a line whose length changed from `before` to `now`. At its end, stay at the end."""
        position = now if self.position >= before else min(self.position, now)
        return replace(self, position=position, playing=self.playing and position < now)
