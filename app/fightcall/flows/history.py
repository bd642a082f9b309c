"""The moments of a fight: the list to go back to, what is changed in the past, and the position of a replay."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Literal

from fightcall.flows import toolbox
from fightcall.flows.base import STAY, Become, Bookmark, Flow, Jump, KeyNames, Overlay, Reply, Say, Travel
from fightcall.flows.command_line import CommandLineFlow, value_of
from fightcall.flows.lists import Item, ListFlow, ListKey
from fightcall.flows.questions import Answers, AskFlow
from fightcall.flows.text_fields import TextField
from fightcall.paint.happening import entry_sentence, entry_words, sentence
from fightcall.paint.prompt_bar import PromptView, Tone
from fightcall.paint.runs import time_text
from fightcall.table import Give, Table
from fightcall_engine.archive.encounter import replace_path_by_text
from fightcall_engine.board.base import Location
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.system import BaseSystem
from fightcall_engine.model.commands import ChangeRules, Command
from fightcall_engine.model.dice import subject_of
from fightcall_engine.model.errors import BadInput, Refused
from fightcall_engine.model.events import CueFired, Event, RoundBegan, RulingRecorded, StepBegan
from fightcall_engine.model.fold import fold_all
from fightcall_engine.model.json_data import command_json
from fightcall_engine.model.state import FightState, Json
from fightcall_engine.model.values import frozen, remembered, replace
from fightcall_engine.play.amendments import (
    Amendment,
    Difference,
    Edit,
    Replayed,
    change_command,
    compare_states,
    dice_of,
)
from fightcall_engine.play.codec import word_lists
from fightcall_engine.play.core_commands import people_fields
from fightcall_engine.play.fight import Fight
from fightcall_engine.play.history import Branch, Entry, Mark, Timeline
from fightcall_engine.play.story import BEFORE_ALL, Paragraph, Part, Telling, answers, part_of, tell

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
    """The moment after an entry, 0 for the beginning; `branch` begins here, or is the what-if that is being played."""

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
    """The list of moments, with the present one marked, and the branches as a tree in the margin."""
    entries = moments(table.fight)
    here = table.fight.head_number
    start = next((at for at, moment in enumerate(entries) if moment.number == here and moment.branch is None), 0)
    has_branches = any(moment.branch is not None for moment in entries)
    works: dict[str, tuple[str, Callable[[Table, Moment], Reply]]] = {
        "t": ("keep branch", _take),
        "c": ("compare", _compare),
        "e": ("change", _change),
        "x": ("delete", _strike_or_drop),
        "b": ("insert before", _put_in),
        "n": ("name", _ask_name),
    }

    def list_key(words: str, work: Callable[[Table, Moment], Reply]) -> ListKey:
        return ListKey(words, lambda place: work(table, entries[place]))

    return ListFlow(
        "History",
        [replace(_item(table, each), group=each.part.title, section=each.part.name) for each in entries],
        start=start,
        keys={key: list_key(*work) for key, work in works.items() if has_branches or key not in "tc"},
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
        return Item(f"{BOOKMARK} {moment.mark}", partial(Jump, moment.number), tone="named")
    number = f"#{moment.number}" if moment.number else ""
    what = cache(lambda: entry_words(table.fight, moment.number) if number else "the beginning")
    return Item(what, partial(Jump, moment.number), number=number)


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
    return f"{left}. Last: {entry_sentence(system_of(before), before, entry).text}"


def _go_to(table: Table, branch: Branch) -> Callable[[], Reply]:
    has_tip = not branch.is_trial if branch.id == table.fight.branch.id else branch.length
    return partial(Jump, branch.tip) if has_tip else lambda: Travel(lambda: table.fight.go_to_branch(branch.id))


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
    items = _difference_items(differences, "Here and there", _go_to(table, other))
    return Become(ListFlow(f"Here and in {branch_name(other)}", items, picks=("go there", "goes there")))


def _strike_or_drop(table: Table, moment: Moment) -> Reply:
    branch = moment.branch
    if branch is None:
        if not moment.number:
            return Say("The beginning can't be deleted")
        return _preview(table, (Edit(moment.number, is_struck=True),))
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
    keeping = Travel(table.fight.take, "Kept: players see this now. The line you left is kept as a branch.")
    return keeping if table.fight.branch.is_trial else Say(NO_TRIAL)


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


# Away from the present: where play stands, and the keys that lead back


def away_notice(fight: Fight, names: KeyNames) -> str:
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
    began, earlier = line.event(position - 1), (line.event(index) for index in range(position - 2, -1, -1))
    if not isinstance(began, StepBegan):
        return False
    before = next((event for event in earlier if isinstance(event, StepBegan | RoundBegan)), None)
    return not isinstance(before, StepBegan) or before.phase != began.phase


def _actor(line: Timeline, entry: int) -> str:
    return str(line.entry(entry).command.get("who") or "")


def _is_at_actor(line: Timeline, position: int) -> bool:
    entry = line.entry_at(position)
    actor = _actor(line, entry) if _is_at_entry(line, position) else ""
    earlier = (_actor(line, index) for index in range(entry - 1, -1, -1))
    return bool(actor) and next(filter(None, earlier), "") != actor


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
    """Read a typed position: ``120`` an event, ``#12`` an entry, ``r3`` a round, ``50%``, ``end``; else a BadInput."""
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
    """The state of a replay: the `position` is the number of events from the beginning."""

    position: int = 0
    speed: float = 1.0
    playing: bool = False

    @property
    def seconds(self) -> float:
        return SECONDS_PER_EVENT / self.speed

    def go(self, position: int) -> Playback:
        """Go to a position, and stop playing."""
        return replace(self, position=position, playing=False)

    def speed_up(self, by: int) -> Playback:
        """Play faster by steps of the speed; slower if negative."""
        at = SPEEDS.index(self.speed) + by
        return replace(self, speed=SPEEDS[max(0, min(at, len(SPEEDS) - 1))])

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


# Amending: an entry is changed, struck out, or put in before another; then the consequences are shown


LIKELY = ("amount", "value", "damage", "needs", "modifier", "rounds", "magnitude")
"""Fields that are changed most often, most likely first."""
MARKS = ("force", "alike")
"""Fields that say how a command is given, not what it does."""


@frozen
class _Field:
    """Something of an entry that can be changed: a field of its command, or a roll."""

    name: str
    value: Json
    is_die: bool = False

    @property
    def text(self) -> str:
        if self.value is None or self.value == "":
            return "-"
        if isinstance(self.value, str):
            return self.value
        if isinstance(self.value, list | tuple) and all(isinstance(part, str | int) for part in self.value):
            return " ".join(map(str, self.value)) or "-"
        return json.dumps(self.value, ensure_ascii=False)

    def label_in(self, state: FightState) -> str:
        return f"die: {_roll_words(self.name, state)}" if self.is_die else self.name.replace("_", " ")

    def text_in(self, state: FightState) -> str:
        """The value on the screen, with the name of a combatant for the id."""
        combatant = state.combatants.get(self.text)
        return combatant.name if combatant is not None else self.text

    @property
    def is_set(self) -> bool:
        return self.is_die or (self.value not in (None, "", 0, False) and self.value != [] and self.value != {})


def _roll_words(purpose: str, state: FightState) -> str:
    """A roll by its subject and whose it is: ``check of Aldous Bray``; the second of a kind is ``check 2``."""
    words = subject_of(purpose).replace("_", " ")
    for part in purpose.split(".")[1:]:
        words += f" of {state.combatants[part].name}" if part in state.combatants else f" {part}"
    return words


# Changing an entry


def change_entry(table: Table, number: int) -> ListFlow:
    """The list of fields and rolls of an entry. A digit begins the new number of the marked one at once."""
    entry = table.fight.line.entry(_index_of(table, number))
    fields = [_Field(name, value) for name, value in entry.command.items() if name not in ("type", "rolls", *MARKS)]
    fields += [_Field(die.purpose, list(die.faces), is_die=True) for die in dice_of(entry)]
    fields.sort(key=lambda field: not field.is_set)
    state = table.state
    keys = {
        digit: ListKey("" if place else "new number", partial(_begin_number, table, entry, fields, digit), "0-9")
        for place, digit in enumerate("0123456789")
    }
    items = [
        Item(
            field.label_in(state),
            lambda field=field: Become(_new_value(table, entry, field)),  # type: ignore[misc]
            number=field.text_in(state),
            tone="plain" if field.is_set else "quiet",
        )
        for field in fields
    ]
    title = f"Change #{number}: {entry_words(table.fight, number)}"
    return ListFlow(
        title,
        items,
        start=_likeliest(fields),
        keys=keys,
        empty="nothing in this entry can be changed",
        picks=("change", "changes it"),
    )


def _index_of(table: Table, number: int) -> int:
    index = table.fight.line.index_of(number)
    assert index is not None
    return index


def _likeliest(fields: Sequence[_Field]) -> int:
    """The index of the number most likely to be changed: a field with a value, else a roll."""
    for name in LIKELY:
        for place, field in enumerate(fields):
            if field.name == name and not field.is_die and field.is_set:
                return place
    return next((place for place, field in enumerate(fields) if field.is_die), 0)


def _begin_number(table: Table, entry: Entry, fields: Sequence[_Field], digit: str, place: int) -> Reply:
    flow = _new_value(table, entry, fields[place])
    flow.press(digit)
    return Become(flow)


def _new_value(table: Table, entry: Entry, field: _Field) -> AskFlow:
    kind: type = table.kind_of(str(entry.command["type"]))
    people = tuple(table.state.combatants) if field.name in people_fields(kind) else ()
    label, text = field.label_in(table.state), field.text_in(table.state)
    value_field = TextField(f"#{entry.number} {label} from {text} to", suggestions=people)
    new_edits: list[Edit] = []

    def read_answer(answers: Answers) -> None:
        """Check the value before the field is done, so that it can be corrected."""
        try:
            new_edits[:] = [Edit(entry.number, instead=_change_command(table, entry, field, str(answers[0])))]
        except BadInput as bad:
            raise Refused(bad.where, "; ".join(bad.problems), final=True) from bad

    return AskFlow([value_field, read_answer], lambda answers: _preview(table, tuple(new_edits)))


def _change_command(table: Table, entry: Entry, field: _Field, text: str) -> Command:
    fight = table.fight
    value: Json = text
    if field.is_die:
        value = {field.name: [value_of(word) for word in text.replace(",", " ").split()]}
    elif field.name not in word_lists(table.kind_of(str(entry.command["type"]))):
        if isinstance(field.value, list | tuple | Mapping):
            with suppress(ValueError):
                value = json.loads(text)
        else:
            value = value_of(text)
    changes = {"rolls" if field.is_die else field.name: value}
    return replace_path_by_text(fight.system, change_command(fight.codec, fight.line, entry.number, changes), Path())


def _with(edits: tuple[Edit, ...], edit: Edit) -> tuple[Edit, ...]:
    """The edits with a new one instead of the one for the same entry, except for commands to insert before it."""
    old = next((each for each in edits if each.entry == edit.entry), Edit(edit.entry))
    others = tuple(each for each in edits if each.entry != edit.entry)
    instead = edit.instead or (old.instead if edit.is_forced else None)
    return (*others, replace(edit, before=(*old.before, *edit.before), instead=instead))


# Putting something in


class CaptureFlow(Flow):
    """A wrapper of a flow that captures its command instead of giving it."""

    def __init__(self, table: Table, inner: Flow, then: Callable[[Command], Reply]) -> None:
        self._table, self._inner, self._then = table, inner, then

    @property
    def is_typing(self) -> bool:
        return self._inner.is_typing

    @property
    def call_words(self) -> str:
        return self._inner.call_words

    def view(self) -> PromptView:
        return self._inner.view()

    def overlay(self) -> Overlay:
        return self._inner.overlay()

    def press(self, key: str) -> Reply:
        return self._hand_on(self._inner.press(key))

    def point(self, place: Location) -> Reply:
        return self._hand_on(self._inner.point(place))

    def pick(self, combatant_id: str) -> Reply:
        return self._hand_on(self._inner.pick(combatant_id))

    def complain(self, what: str) -> Reply:
        return self._inner.complain(what)

    def _hand_on(self, reply: Reply) -> Reply:
        if not isinstance(reply, Give):
            return reply
        fight, marks = self._table.fight, {"force": reply.force, "alike": reply.alike}
        data = {**reply.data, **{name: True for name, is_set in marks.items() if is_set}}
        try:
            return self._then(replace_path_by_text(fight.system, fight.codec.command(reply.command, data), Path()))
        except (Refused, BadInput) as no:
            return self._inner.complain(str(no))


def put_in_before(table: Table, number: int) -> Flow:
    """Change a number or a word by the GM's hand, as if it had been done before an entry."""
    line = table.fight.line
    state = line.seek(line.span(_index_of(table, number))[0])
    inner = toolbox.adjust(state, table.selected if table.selected in state.combatants else "")
    return CaptureFlow(table, inner, lambda command: _preview(table, (Edit(number, before=(command,)),)))


# Other rules


def change_rules(table: Table) -> Reply:
    """Read the file of the game again, and choose whether its rules hold from now on or from the beginning."""
    try:
        command = replace_path_by_text(table.system, ChangeRules(), Path())
    except BadInput as bad:
        mistakes = [Item(each, lambda: STAY) for each in bad.problems]
        return Become(ListFlow(f"{Path(bad.where).name} has mistakes", mistakes))
    if command == ChangeRules(text=table.state.rules_text):
        return Say("The file hasn't changed since the fight read it")
    data = {name: value for name, value in command_json(command).items() if name != "type"}
    items = [Item("from now on", lambda: Give("ChangeRules", data))]
    if table.fight.line.entry_count():
        first = table.fight.line.entry(0).number
        show = partial(_preview, table, (Edit(first, before=(command,)),))
        explain = "Shows what comes out differently before anything changes"
        items.append(Item("from the beginning: show what changes", show, explain=explain))
    return Become(ListFlow("Use the changed rules", items))


# What comes of it


def _preview(table: Table, edits: tuple[Edit, ...]) -> Reply:
    try:
        return Become(_show_amendment(table, table.fight.amend(edits)))
    except Refused as no:
        return Say(no.message)


def _show_amendment(table: Table, amendment: Amendment) -> ListFlow:
    """What comes out differently: Enter on the first row takes it all, Escape leaves everything as it is."""
    refused_rows, later_rows = _replayed_rows(table, amendment)
    count = sum(each.fate != "same" for each in amendment.replayed)
    changes = "entry changes" if count == 1 else "entries change"
    summary = "nothing changes" if amendment.is_idle else f"{count} {changes}"
    refused_count = len(amendment.refused)
    refused_text = f", {refused_count} no longer possible" if refused_count else ""
    message = "Changed. The old line is kept as a branch" if not amendment.is_idle else "Nothing has changed"
    back = None if amendment.is_idle else table.way_back()
    take = Item(
        f"accept: {summary}{refused_text}",
        lambda: Travel(lambda: table.fight.adopt(amendment), message, back=back),
        tone="named",
    )
    ends = _difference_items(amendment.differences, "At the end: before, now")
    return ListFlow("Change the past", [take, *refused_rows, *ends, *later_rows])


def _difference_items(
    differences: Sequence[Difference], group: str, pick: Callable[[], Reply] = lambda: STAY
) -> list[Item]:
    if not differences:
        return [Item("no differences", pick, tone="quiet", group=group)]
    return [
        Item(f"{each.name} {each.what}".strip(), pick, number=f"{each.then} → {each.now}", group=group)
        for each in differences
    ]


def _replayed_rows(table: Table, amendment: Amendment) -> tuple[list[Item], list[Item]]:
    state = amendment.start
    refused_items: list[Item] = []
    later: list[Item] = []
    for each in amendment.replayed:
        before, state = state, fold_all(state, each.events)
        pick = partial(_choose_fate, table, amendment, each, before)
        if each.fate == "refused":
            label = f"{_refused_words(table, each, before)}. {each.why[:1].upper()}{each.why[1:]}"
            rule = "" if each.rule.islower() else each.rule
            accepts = f"accepted: {', '.join(each.accepts)}" if each.accepts else ""
            item = Item(label, pick, f"#{each.entry}", rule, group="No longer possible", explain=accepts)
            refused_items.append(item)
        elif each.fate != "same":
            number = "" if each.fate == "added" else f"#{each.entry}"
            words = partial(_then_and_now, table, each, before)
            later.append(Item(words, pick, number, group="Different results", explain=each.why))
    return refused_items, later


def _then_and_now(table: Table, each: Replayed, before: FightState) -> str:
    then = "" if each.fate == "added" else entry_words(table.fight, each.entry)
    now = sentence(system_of(before), before, each.events).text if each.events else "nothing"
    if now == then and not each.dice:
        return f"{then} (some details differ)"
    if each.fate in ("added", "left out"):
        return f"inserted: {now}" if each.fate == "added" else f"left out: {then}"
    dice = "; ".join(f"{_roll_words(die.what, before)} {die.then} → {die.now}" for die in each.dice)
    return f"{then}. Now: {now}" + (f" ({dice})" if dice else "")


def _refused_words(table: Table, each: Replayed, state: FightState) -> str:
    if each.command == table.fight.line.entry(_index_of(table, each.entry)).command:
        return entry_words(table.fight, each.entry)
    combatant_id = each.command.get("who")
    combatant = state.combatants.get(combatant_id) if isinstance(combatant_id, str) else None
    return f"{each.command['type']} {combatant.name if combatant is not None else combatant_id or ''}".strip()


def _choose_fate(table: Table, amendment: Amendment, each: Replayed, before: FightState) -> Reply:
    """What is to become of an entry that cannot be given as it was: left out, forced, or another command."""

    def with_edit(edit: Edit) -> Reply:
        return _preview(table, _with(amendment.edits, edit))

    def type_command(make: Callable[[Command], Edit]) -> Reply:
        line = CommandLineFlow(before, table.fight.codec)
        return Become(CaptureFlow(table, line, lambda command: with_edit(make(command))))

    number = each.entry
    items = [
        Item("leave it out", lambda: with_edit(Edit(number, is_struck=True))),
        Item("override the rule", lambda: with_edit(Edit(number, is_forced=True)), rule=each.rule),
        Item("replace it with another command", lambda: type_command(lambda command: Edit(number, instead=command))),
        Item("insert a command before it", lambda: type_command(lambda command: Edit(number, before=(command,)))),
        Item("back to the changes", lambda: Become(_show_amendment(table, amendment))),
    ]
    why = f": {each.why}" if each.why else ""
    return Become(ListFlow(f"#{number}{why}", items))
