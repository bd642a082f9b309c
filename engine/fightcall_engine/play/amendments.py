"""Amending a fight: changing an earlier entry, and replaying all later entries with the same dice. Pure.

From the first change on, the commands of the line are decided again in order, each with its dice. Answers are matched
by their question and not by its id, because ids shift. An `Advance` that is no longer needed is left out, and a missing
one is inserted. A question that was not asked before takes its default. All of this is reported, and so are commands
that are refused now. The GM can change each of them by a further edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, cast

from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.rolls import is_typed
from fightcall_engine.model.commands import Advance, Answer, Command
from fightcall_engine.model.dice import Dice, seed_of
from fightcall_engine.model.errors import FightCallError, NeedsDice, Refused
from fightcall_engine.model.events import DiceRolled, Events
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.json_data import command_json
from fightcall_engine.model.state import FightState, Json, Prompt
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.play import core_commands
from fightcall_engine.play.comparison import NOTHING, Difference, compare_states
from fightcall_engine.play.decide import decide

if TYPE_CHECKING:
    from fightcall_engine.kit.system import BaseSystem
    from fightcall_engine.play.codec import Codec
    from fightcall_engine.play.timeline import Entry, Timeline

Fate = Literal["same", "differs", "changed", "added", "left out", "refused"]
"""The result of the replay for an entry.

``same`` and ``differs`` have the same command with equal and other events; ``changed`` has another command. ``added``
was not on the line; ``left out`` is not repeated; ``refused`` cannot be, and is left out unless the GM changes it.
"""

NO_CHANGES: Mapping[str, Json] = {}
MOST_PUT_IN = 20
"""The most answers and steps that are inserted before one entry."""


@frozen
class Edit:
    """A change at an entry.

    Attributes:
        entry: the number of the entry.
        before: commands to insert before it.
        instead: the command that replaces its own; None to keep that.
        is_struck: whether it is left out.
        is_forced: whether it is given with force, and dice that the table would type are rolled.
    """

    entry: int
    before: tuple[Command, ...] = ()
    instead: Command | None = None
    is_struck: bool = False
    is_forced: bool = False


@frozen
class Replayed:
    """The result of the replay for an entry, or for an inserted command.

    Attributes:
        entry: the number of the entry; for an inserted command, that of the entry after it.
        command: as JSON, with its ``type``.
        events: its events now; empty if it is not given.
        why: why it is refused or left out; else empty.
        rule: the rule that refuses it, or the name of a check.
        accepts: what would be accepted.
        place: its place in history, which seeds its dice.
        dice_number: the number of its dice, see `Branch.dice`.
        dice: the rolls with other results than before.
    """

    entry: int
    fate: Fate
    command: Mapping[str, Json]
    events: Events = ()
    why: str = ""
    rule: str = ""
    accepts: tuple[str, ...] = ()
    place: int = 0
    dice_number: int = 0
    dice: tuple[Difference, ...] = ()

    @property
    def is_given(self) -> bool:
        """Whether it is on the new line."""
        return self.fate not in ("left out", "refused")


@dataclass(frozen=True)
class Amendment:
    """The result of an amendment: the new line, not yet taken.

    Attributes:
        head: the newest entry of the amended line; the amendment is only valid there.
        parted: the entry after which the new line branches off.
        edits: the changes.
        start: the state after that entry, which both lines have in common.
        replayed: all entries after that in order, with inserted ones.
        then: the state at the end of the old line.
        now: the state at the end of the new line.
    """

    system: BaseSystem
    head: int
    parted: int
    edits: tuple[Edit, ...]
    start: FightState
    replayed: tuple[Replayed, ...]
    then: FightState
    now: FightState

    @property
    def is_idle(self) -> bool:
        """Whether it changes nothing."""
        return all(each.fate == "same" for each in self.replayed)

    @property
    def refused(self) -> tuple[Replayed, ...]:
        """The commands that are refused on the new line."""
        return tuple(each for each in self.replayed if each.fate == "refused")

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The differences between the ends of the old and the new line."""
        return compare_states(self.system, self.then, self.now)


def amend(system: BaseSystem, codec: Codec, line: Timeline, edits: Iterable[Edit]) -> Amendment:
    """Replay a line of play with some of its entries changed.

    Raises:
        Refused: an edit names no entry of this line, or there are no edits.
    """
    by_entry = {edit.entry: edit for edit in edits}
    indexes = {number: _index_of(line, number) for number in by_entry}
    if not indexes:
        raise Refused("edits", "nothing is to be changed", ("one change or more",), final=True)
    first = min(indexes.values())
    places = [line.place_of(index) for index in range(line.entry_count())]
    start = line.seek(line.span(first)[0])
    replay = _Replay(system, codec, start, min(0, *places) - 1)
    for index in range(first, line.entry_count()):
        entry = line.entry(index)
        replay.take(entry, places[index], by_entry.get(entry.number, Edit(entry.number)))
    head = line.entry(line.entry_count() - 1).number
    sorted_edits = tuple(sorted(by_entry.values(), key=lambda edit: indexes[edit.entry]))
    return Amendment(
        system, head, line.entry(first).on, sorted_edits, start, tuple(replay.done), line.head, replay.state
    )


def change_command(codec: Codec, line: Timeline, number: int, changes: Mapping[str, Json]) -> Command:
    """The command of an entry with some of its fields changed.

    If ``rolls`` has faces for some of its dice, the others keep theirs.

    Raises:
        Refused: there is no such entry on the line.
        BadInput: a field is invalid; says what was expected.
    """
    entry = line.entry(_index_of(line, number))
    rolls = changes.get("rolls")
    if isinstance(rolls, Mapping):
        typed_dice = {roll.purpose: list(roll.faces) for roll in dice_of(entry) if not _is_said(roll.purpose, rolls)}
        own_rolls = cast("Mapping[str, Json]", entry.command.get("rolls") or {})
        changes = {**changes, "rolls": {**own_rolls, **typed_dice, **rolls}}
    return _read(codec, entry, changes)


@frozen
class FallenDice:
    """A roll of an entry: its key in ``rolls``, and its result."""

    purpose: str
    dice: str
    faces: tuple[int, ...]


def dice_of(entry: Entry) -> tuple[FallenDice, ...]:
    """The rolls of an entry, in order."""
    dice: list[FallenDice] = []
    times: dict[str, int] = {}
    for event in entry.events:
        if isinstance(event, DiceRolled):
            purpose = f"{event.purpose}.{event.who}" if entry.command.get("alike") and event.who else event.purpose
            times[purpose] = times.get(purpose, 0) + 1
            dice.append(
                FallenDice(purpose if times[purpose] == 1 else f"{purpose}.{times[purpose]}", event.dice, event.faces)
            )
    return tuple(dice)


def _is_said(purpose: str, rolls: Mapping[str, Json]) -> bool:
    head, _, tail = purpose.partition(".")
    return purpose in rolls or head in rolls or (bool(tail) and tail in rolls)


def _index_of(line: Timeline, number: int) -> int:
    index = line.index_of(number)
    if index is None:
        accepts = tuple(str(entry.number) for entry in line.entries[-6:])
        raise Refused("entry", f"there is no entry {number} on this line of play", accepts, final=True)
    return index


class _Replay:
    """The replay of a line with changes.

    Attributes:
        state: the current state of the replay.
        done: the results for the entries so far.
    """

    def __init__(self, system: BaseSystem, codec: Codec, start: FightState, free_place: int) -> None:
        self.state = start
        self.done: list[Replayed] = []
        self._old = start
        self._system, self._codec = system, codec
        self._free_place = free_place

    def take(self, entry: Entry, place: int, edit: Edit) -> None:
        """Replay an entry of the old line, with its edit."""
        before, self._old = self._old, fold_all(self._old, entry.events)
        for command in edit.before:
            self._put_in(entry, command)
        replay = _as_it_was(entry, place)
        if edit.is_struck:
            self.done.append(replace(replay, fate="left out", why="struck out"))
            return
        instead = edit.instead
        if instead is not None and command_json(instead) == entry.command:
            instead = None
        if instead is None and not edit.is_forced and (self.state is before or self.state == before):
            self.done.append(replace(replay, events=entry.events))
            self.state = self._old
            return
        needless = self._needless(entry, before) if instead is None else ""
        if needless:
            self.done.append(replace(replay, fate="left out", why=needless))
            return
        self._give(entry, before, replay, instead, edit.is_forced)

    def _give(
        self, entry: Entry, before: FightState, replay: Replayed, instead: Command | None, is_forced: bool
    ) -> None:
        here = self.state, len(self.done), self._free_place
        try:
            command = instead or self._translate(_read(self._codec, entry), before)
            command = copy_with(command, force=True) if is_forced else command
            command, events, after = self._decided_with_help(entry, before, replay, command, is_forced)
        except FightCallError as error:
            self.state, count, self._free_place = here
            del self.done[count:]
            self.done.append(_refuse(replay, error))
            return
        told_then, told_now = _tell(self._system, before, entry.events), _tell(self._system, self.state, events)
        dice = tuple(_dice_differences(before, entry.events, events))
        fate: Fate = "changed" if instead is not None else "same" if told_then == told_now and not dice else "differs"
        self.done.append(replace(replay, fate=fate, command=command_json(command), events=events, dice=dice))
        self.state = after

    def _decided_with_help(
        self, entry: Entry, before: FightState, replay: Replayed, command: Command, is_forced: bool
    ) -> tuple[Command, Events, FightState]:
        """Decide a command, after answering new questions and ending steps that prevent it."""
        refusal: Refused | None = None
        for _ in range(MOST_PUT_IN):
            try:
                return self._decide(command, replay.place, replay.dice_number, is_free=is_forced)
            except Refused as no:
                refusal = refusal or no
                helpful = self._help(before)
                if helpful is None:
                    raise refusal from None
                self._put_in(entry, helpful, is_help=True)
        raise refusal or Refused("amend", "this does not come to an end")

    def _help(self, before: FightState) -> Command | None:
        """The command that brings the replay closer to the old line: a default answer, or the next step."""
        for prompt in self.state.prompts:
            if prompt.blocking and prompt.default and _counterpart(prompt, before.prompts) is None:
                return Answer(prompt=prompt.id)
        behind = _position(self.state) != _position(before) and not self.state.is_blocked()
        return Advance() if behind and before.status == self.state.status == "running" else None

    def _needless(self, entry: Entry, before: FightState) -> str:
        """Why an entry is not needed in the replay; empty if it is."""
        kind = entry.command.get("type")
        if kind == "Advance" and _position(before) != _position(self.state) == _position(self._old):
            return "play is there already"
        if kind == "Answer":
            prompt = before.prompt(str(entry.command.get("prompt", ""))) or before.asked_first
            if prompt is not None and _counterpart(prompt, self.state.prompts) is None:
                return "this is not asked now"
        return ""

    def _put_in(self, entry: Entry, command: Command, *, is_help: bool = False) -> None:
        replay = Replayed(entry.number, "added", command_json(command), place=self._free_place, dice_number=entry.dice)
        try:
            command, events, after = self._decide(command, self._free_place, entry.dice)
        except FightCallError as error:
            if is_help:
                raise
            self.done.append(_refuse(replay, error))
            return
        self._free_place -= 1
        self.done.append(replace(replay, command=command_json(command), events=events))
        self.state = after

    def _decide(
        self, command: Command, place: int, dice_number: int, *, is_free: bool = False
    ) -> tuple[Command, Events, FightState]:
        state = self.state
        command = core_commands.resolve_command(state, command)
        is_typed_by = partial(is_typed, state, self._system.sides)
        seed = seed_of(state.seed, dice_number)
        dice = Dice(seed, place, command.rolls) if is_free else Dice(seed, place, command.rolls, is_typed=is_typed_by)
        events, states = decide(self._system, state, command, dice)
        return command, events, states[-1] if states else state

    def _translate(self, command: Command, before: FightState) -> Command:
        """A command with the ids of questions and effects replaced by those of the replay."""
        names = dict(_match_names(before, self.state))
        if isinstance(command, Answer) and not command.prompt and before.asked_first is not None:
            prompt_id = before.asked_first.id
            return copy_with(command, prompt=names.get(prompt_id, prompt_id))
        if not names:
            return command
        changes = {name: names[value] for name, value in _texts(command) if value in names}
        return copy_with(command, **changes) if changes else command


def _as_it_was(entry: Entry, place: int) -> Replayed:
    """An entry as it was, with the place that seeds its dice."""
    return Replayed(entry.number, "same", entry.command, place=place, dice_number=entry.dice)


def _read(codec: Codec, entry: Entry, changes: Mapping[str, Json] = NO_CHANGES) -> Command:
    data = {key: value for key, value in entry.command.items() if key != "type"}
    return codec.command(str(entry.command["type"]), {**data, **changes})


def _refuse(replay: Replayed, error: FightCallError) -> Replayed:
    """The result for an entry that is refused, with the reason."""
    if isinstance(error, Refused):
        return replace(replay, fate="refused", why=error.message, rule=error.rule, accepts=error.accepts)
    if isinstance(error, NeedsDice):
        return replace(replay, fate="refused", why=str(error), rule="dice")
    return replace(replay, fate="refused", why=str(error))


def _position(state: FightState) -> tuple[int, str]:
    return state.round, state.step.id if state.step is not None else ""


def _counterpart(prompt: Prompt, among: Iterable[Prompt]) -> Prompt | None:
    """The open prompt that asks the same, whatever its id and the numbers in its words."""
    candidates = [each for each in among if (each.kind, each.who) == (prompt.kind, prompt.who)]
    return next((each for each in candidates if each.question == prompt.question), next(iter(candidates), None))


def _match_names(before: FightState, now: FightState) -> Iterator[tuple[str, str]]:
    """The ids of questions and effects that changed, each old id with the new one."""
    for prompt in before.prompts:
        counterpart = _counterpart(prompt, now.prompts)
        if counterpart is not None and counterpart.id != prompt.id:
            yield prompt.id, counterpart.id
    for combatant_id, combatant in before.combatants.items():
        others = now.combatants[combatant_id].effects if combatant_id in now.combatants else ()
        for effect in combatant.effects:
            same = next((other for other in others if other.name == effect.name), None)
            if same is not None and same.id != effect.id:
                yield effect.id, same.id


def _texts(command: Command) -> Iterator[tuple[str, str]]:
    """The string fields of a command."""
    for name, value in command_json(command).items():
        if name != "type" and isinstance(value, str):
            yield name, value


def _tell(system: BaseSystem, state: FightState, events: Events) -> tuple[str, ...]:
    """Events in the words of the log."""
    sentences = []
    for event in events:
        words = phrase(system, event, state)
        sentences.append(words.words if words is not None else "")
        state = evolve(state, event)
    return tuple(sentences)


def _dice_differences(state: FightState, then: Events, now: Events) -> Iterator[Difference]:
    """The rolls of one entry that came out differently."""
    first, second = _totals(then), _totals(now)
    for key in dict.fromkeys((*first, *second)):
        purpose, combatant_id, _ = key
        if first.get(key) != second.get(key):
            combatant = state.combatants.get(combatant_id)
            totals = (str(each[key]) if key in each else NOTHING for each in (first, second))
            yield Difference(combatant_id, combatant.name if combatant is not None else "", purpose, *totals)


def _totals(events: Events) -> Mapping[tuple[str, str, int], int]:
    totals: dict[tuple[str, str, int], int] = {}
    for event in events:
        if isinstance(event, DiceRolled):
            nth = sum(key[:2] == (event.purpose, event.who) for key in totals)
            totals[event.purpose, event.who, nth] = event.total
    return totals
