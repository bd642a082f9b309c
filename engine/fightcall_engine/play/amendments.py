"""Amending a fight: changing an earlier entry, and replaying all later entries with the same dice. Pure.

From the first change on, the commands of the line are decided again in order, each with its dice. Answers are matched
by their question and not by its id, because ids shift. An `Advance` that is no longer needed is left out, and a missing
one is inserted, but only up to the step in which the next command was given. A question that was not asked before takes
its default. The new line never gets further than the old one: a command that would go on to a step that play had not
reached is refused, unless the GM forces it. All of this is reported, and so are commands that are refused now. The GM
can change each of them by a further edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, cast

from fightcall_engine.kit.decision import is_typed, record_moot
from fightcall_engine.kit.phrases import phrase
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.model.commands import Advance, Answer, Command
from fightcall_engine.model.dice import Dice, seed_of
from fightcall_engine.model.errors import FightCallError, NeedsDice, Refused
from fightcall_engine.model.events import DiceRolled, Event, Events, RoundBegan, RulingAsked, RulingRecorded
from fightcall_engine.model.fold import evolve, fold_all
from fightcall_engine.model.json_data import command_json, to_json
from fightcall_engine.model.state import CUE, Agenda, Combatant, Effect, FightState, Json, Prompt, Step
from fightcall_engine.model.values import frozen, replace, with_fields
from fightcall_engine.play import core_commands
from fightcall_engine.play.codec import codec_of
from fightcall_engine.play.core_commands import resolve_command
from fightcall_engine.play.decide import decide
from fightcall_engine.play.history import Entry, History, Mark, entry_record
from fightcall_engine.play.story import part_of

if TYPE_CHECKING:
    from fightcall_engine.play.codec import Codec
    from fightcall_engine.play.history import Timeline

Fate = Literal["same", "differs", "changed", "added", "left out", "refused"]
"""The result of the replay for an entry.

``same`` and ``differs`` have the same command with equal and other events; ``changed`` has another command. ``added``
was not on the line; ``left out`` is not repeated; ``refused`` cannot be, and is left out unless the GM changes it.
"""

NO_CHANGES: Mapping[str, Json] = {}
MOST_PUT_IN = 20
"""The most answers and steps that are inserted before one entry."""

Functions = Mapping[str, object]
"""The functions that wait in the questions after an entry, by question; None in an offer."""

DOWN = "down"
NOTHING = "-"
"""What stands for something that is not there."""


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
        return compare_states(self.then, self.now)


def amend(line: Timeline, edits: Iterable[Edit]) -> Amendment:
    """Replay a line of play with edits. Raises Refused: there are none, or one names no entry of this line."""
    by_entry = {edit.entry: edit for edit in edits}
    indexes = {number: _index_of(line, number) for number in by_entry}
    if not indexes:
        raise Refused("edits", "nothing to change", ("at least one change",), final=True)
    first = min(indexes.values())
    places = [line.place_of(index) for index in range(line.entry_count())]
    start = with_waiting(line, line.seek(line.span(first)[0]), first)
    end = _Place(start).after(event for later in range(first, line.entry_count()) for event in line.entry(later).events)
    replay = _Replay(start, end, min(0, *places) - 1)
    for index in range(first, line.entry_count()):
        entry = line.entry(index)
        replay.take(entry, places[index], by_entry.get(entry.number, Edit(entry.number)))
    head = line.entry(line.entry_count() - 1).number
    sorted_edits = tuple(sorted(by_entry.values(), key=lambda edit: indexes[edit.entry]))
    return Amendment(head, line.entry(first).on, sorted_edits, start, tuple(replay.done), line.head, replay.state)


def change_command(codec: Codec, line: Timeline, number: int, changes: Mapping[str, Json]) -> Command:
    """The command of an entry with some of its fields changed; dice for which ``rolls`` has no faces keep theirs.

    Raises Refused: there is no such entry on the line; BadInput: a field is invalid.
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
            key = purpose if times[purpose] == 1 else f"{purpose}.{times[purpose]}"
            dice.append(FallenDice(key, event.dice, event.faces or (event.total,)))
    return tuple(dice)


def _is_said(purpose: str, rolls: Mapping[str, Json]) -> bool:
    head, _, tail = purpose.partition(".")
    return purpose in rolls or head in rolls or (bool(tail) and tail in rolls)


def _index_of(line: Timeline, number: int) -> int:
    index = line.index_of(number)
    if index is None:
        accepts = tuple(str(entry.number) for entry in line.entries[-6:])
        raise Refused("entry", f"there is no entry {number} on this branch", accepts, final=True)
    return index


@frozen
class _Place:
    """A moment in the course of play: its state, and how many rounds have begun since the replay's start."""

    state: FightState
    rounds: int = 0

    def after(self, events: Iterable[Event]) -> _Place:
        """The moment after some events."""
        events = tuple(events)
        return _Place(fold_all(self.state, events), self.rounds + sum(isinstance(item, RoundBegan) for item in events))

    def is_past(self, other: _Place) -> bool:
        """Whether it comes in a later step."""
        return self._distance(other) > 0

    def is_before(self, other: _Place) -> bool:
        """Whether it comes in an earlier step."""
        return self._distance(other) < 0

    def _distance(self, other: _Place) -> int:
        """How many rounds, or else steps, it comes after another moment; below 0 before it, 0 in the same step.

        If the order of steps is another one, that of one of the two moments is taken.
        """
        statuses = _STATUSES.index(self.state.status) - _STATUSES.index(other.state.status)
        if statuses or self.rounds != other.rounds:
            return statuses or self.rounds - other.rounds
        own, theirs = self.state.agenda, other.state.agenda
        if own.current is None or theirs.current is None:
            return _progress(own) - _progress(theirs)
        index = _index_in(own, theirs.current)
        if index is not None:
            return own.cursor - index
        index = _index_in(theirs, own.current)
        return 1 if index is None else index - theirs.cursor


_STATUSES = ("setup", "running", "closed")


def _progress(agenda: Agenda) -> int:
    """-1 before the first step of the round, 0 in one, 1 after the last."""
    return 0 if agenda.current is not None else -1 if agenda.cursor < 0 else 1


def _index_in(agenda: Agenda, step: Step) -> int | None:
    """Where a step stands in an agenda that may be another one; by its phase if it is not there itself."""
    if agenda.current is not None and agenda.current.id == step.id:
        return agenda.cursor
    indexes = {each.phase: index for index, each in reversed(tuple(enumerate(agenda.steps)))}
    if agenda.current is not None:
        indexes[agenda.current.phase] = agenda.cursor
    own = {each.id: index for index, each in enumerate(agenda.steps)}
    return own.get(step.id, indexes.get(step.phase))


class _Replay:
    """The replay of a line with changes. `done` has the results for the entries so far."""

    def __init__(self, start: FightState, end: _Place, free_place: int) -> None:
        self.done: list[Replayed] = []
        self._here = self._old = _Place(start)
        self._end = end
        self._free_place = free_place

    @property
    def state(self) -> FightState:
        """The current state of the replay."""
        return self._here.state

    def take(self, entry: Entry, place: int, edit: Edit) -> None:
        """Replay an entry of the old line, with its edit."""
        before, self._old = self._old, self._old.after(entry.events)
        for command in edit.before:
            self._put_in(entry, command)
        replay = Replayed(entry.number, "same", entry.command, place=place, dice_number=entry.dice)
        if edit.is_struck:
            self.done.append(replace(replay, fate="left out", why="struck out"))
            return
        instead = edit.instead
        if instead is not None and command_json(instead) == entry.command:
            instead = None
        if instead is None and not edit.is_forced and self._here == before:
            self.done.append(replace(replay, events=entry.events))
            self._here = self._old
            return
        needless = self._needless(entry, before) if instead is None else ""
        if needless:
            self.done.append(replace(replay, fate="left out", why=needless))
            return
        self._give(entry, before, replay, instead, edit.is_forced)

    def _give(self, entry: Entry, before: _Place, replay: Replayed, instead: Command | None, is_forced: bool) -> None:
        here = self._here, len(self.done), self._free_place
        try:
            command = instead or self._translate(_read(codec_of(system_of(self.state)), entry), before.state)
            command = replace(command, force=True) if is_forced else command
            command, events, after = self._decided_with_help(entry, before, replay, command, is_forced)
        except FightCallError as error:
            self._here, count, self._free_place = here
            del self.done[count:]
            self.done.append(_refuse(replay, error))
            return
        told_then, told_now = _tell(before.state, entry.events), _tell(self.state, events)
        dice = tuple(_dice_differences(before.state, entry.events, events))
        fate: Fate = "changed" if instead is not None else "same" if told_then == told_now and not dice else "differs"
        self.done.append(replace(replay, fate=fate, command=command_json(command), events=events, dice=dice))
        self._here = after

    def _decided_with_help(
        self, entry: Entry, before: _Place, replay: Replayed, command: Command, is_forced: bool
    ) -> tuple[Command, Events, _Place]:
        refusal: Refused | None = None
        for _ in range(MOST_PUT_IN):
            try:
                decided = self._decide(command, replay.place, replay.dice_number, is_free=is_forced)
            except Refused as no:
                refusal = refusal or no
                if not self._help(entry, before):
                    raise refusal from None
            else:
                self._check_reach(decided[2], self._end, command)
                return decided
        raise refusal or Refused("amend", "this would never end")

    def _help(self, entry: Entry, before: _Place) -> bool:
        """Bring the replay closer to the old line: by a default answer, or the next step. False if it cannot be."""
        new_prompts = (
            prompt
            for prompt in self.state.prompts
            if prompt.blocking and prompt.default and _counterpart(prompt, before.state.prompts) is None
        )
        prompt = next(new_prompts, None)
        if prompt is not None:
            command: Command = Answer(prompt=prompt.id)
        elif self._here.is_before(before) and self.state.status == "running" and not self.state.is_blocked():
            command = Advance()
        else:
            return False
        try:
            self._put_in_within(entry, command, before)
        except Refused:
            return False
        return True

    def _needless(self, entry: Entry, before: _Place) -> str:
        kind = entry.command.get("type")
        goes_on = kind == "Advance" or (kind == "Waive" and not entry.command.get("who"))
        if goes_on and self._here.is_past(before) and not self._here.is_before(self._old):
            return "play is already there"
        if kind == "Answer":
            prompt = before.state.prompt(str(entry.command.get("prompt", ""))) or before.state.asked_first
            if prompt is not None and _counterpart(prompt, self.state.prompts) is None:
                return "this question isn't open now"
        return ""

    def _put_in(self, entry: Entry, command: Command) -> None:
        try:
            self._put_in_within(entry, command, self._end)
        except FightCallError as error:
            self.done.append(_refuse(self._added(entry, command), error))

    def _put_in_within(self, entry: Entry, command: Command, furthest: _Place) -> None:
        """Insert a command that does not go on further than to a moment."""
        replay = self._added(entry, command)
        command, events, after = self._decide(command, self._free_place, entry.dice)
        self._check_reach(after, furthest, command)
        self._free_place -= 1
        self.done.append(replace(replay, command=command_json(command), events=events))
        self._here = after

    def _added(self, entry: Entry, command: Command) -> Replayed:
        return Replayed(entry.number, "added", command_json(command), place=self._free_place, dice_number=entry.dice)

    def _check_reach(self, after: _Place, furthest: _Place, command: Command) -> None:
        """Check that a command does not go on to where play had not come, or that it stays in its step."""
        if command.force or not after.is_past(furthest) or not after.is_past(self._here):
            return
        name = part_of(system_of(after.state), after.state).heading or "the end"
        raise Refused("amend", f"this would play on into {name}, which hadn't been reached", ('"force":true',))

    def _decide(
        self, command: Command, place: int, dice_number: int, *, is_free: bool = False
    ) -> tuple[Command, Events, _Place]:
        state = self.state
        command = core_commands.resolve_command(state, command)
        system = system_of(state)
        is_typed_by = partial(is_typed, state, system.sides)
        seed = seed_of(state.seed, dice_number)
        dice = Dice(seed, place, command.rolls) if is_free else Dice(seed, place, command.rolls, is_typed=is_typed_by)
        events, _ = decide(system, state, command, dice)
        return command, events, self._here.after(events)

    def _translate(self, command: Command, before: FightState) -> Command:
        names = dict(_match_names(before, self.state))
        if isinstance(command, Answer) and not command.prompt and before.asked_first is not None:
            prompt_id = before.asked_first.id
            return replace(command, prompt=names.get(prompt_id, prompt_id))
        if not names:
            return command
        texts = ((name, str(value)) for name, value in command_json(command).items() if name != "type")
        changes = {name: names[text] for name, text in texts if text in names}
        return with_fields(command, changes) if changes else command


def _read(codec: Codec, entry: Entry, changes: Mapping[str, Json] = NO_CHANGES) -> Command:
    data = {key: value for key, value in entry.command.items() if key != "type"}
    return codec.command(str(entry.command["type"]), {**data, **changes})


def _refuse(replay: Replayed, error: FightCallError) -> Replayed:
    if isinstance(error, Refused):
        return replace(replay, fate="refused", why=error.message, rule=error.rule, accepts=error.accepts)
    return replace(replay, fate="refused", why=str(error), rule="dice" if isinstance(error, NeedsDice) else "")


def _counterpart(prompt: Prompt, among: Iterable[Prompt]) -> Prompt | None:
    """The open prompt that asks the same, whatever its id and the numbers in its words."""
    candidates = [each for each in among if (each.kind, each.who) == (prompt.kind, prompt.who)]
    return next((each for each in candidates if each.question == prompt.question), next(iter(candidates), None))


def _match_names(before: FightState, now: FightState) -> Iterator[tuple[str, str]]:
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


def _tell(state: FightState, events: Events) -> tuple[str, ...]:
    sentences = []
    for event in events:
        words = phrase(system_of(state), event, state)
        sentences.append(words.words if words is not None else "")
        state = evolve(state, event)
    return tuple(sentences)


def _dice_differences(state: FightState, then: Events, now: Events) -> Iterator[Difference]:
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


def save_amendment(history: History, amendment: Amendment) -> None:
    """Save an amendment as a new branch, and move to its end. The old branch gets a name if it has none.

    Bookmarks of the old line are copied to the new one, after the same acts. None of it counts before the last
    record, which takes the new branch.
    """
    moment, old, on = history.clock(), history.tree.current, amendment.parted
    branch_id = history.number + 1
    records: list[Mapping[str, object]] = []
    numbers: dict[int, int] = {}
    count = len(history.tree.way_to(on))
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
        records.append(history.branch_record({"do": "name", "id": old.id, "name": name}, on))
    marks = (Mark(mark.name, numbers[mark.on]) for mark in history.marks if mark.on in numbers)
    records += [history.mark_record(mark) for mark in marks]
    # Written before the others, so that after a crash an incomplete amendment is recognised as such.
    history.save_records(history.branch_record({"do": "amend", "records": len(records) + 1}, amendment.parted))
    if records:
        history.save_records(*records)
    history.save_records(history.branch_record({"do": "take", "id": branch_id}, on))


# Two states of a fight side by side


@frozen
class Difference:
    """Something that is not the same in two states.

    Attributes:
        who: the id of the combatant, empty for the fight itself.
        name: the combatant's name, empty for the fight.
        what: ``place``, ``facing``, ``state``, ``effects`` or the name of a pool; of the fight ``status``, ``round``,
            ``now``, ``time`` or a pool that a side shares.
        then: how it is in the first state, in words.
        now: how it is in the second.
    """

    who: str
    name: str
    what: str
    then: str
    now: str


def compare_states(then: FightState, now: FightState) -> tuple[Difference, ...]:
    """What differs between two states of a fight, the fight first, then each combatant."""
    differences = list(_differences("", "", _describe_fight(then), _describe_fight(now)))
    first, second = _describe_all(then), _describe_all(now)
    for combatant_id in dict.fromkeys((*first, *second)):
        combatant = then.combatants.get(combatant_id) or now.combatants[combatant_id]
        differences += _differences(
            combatant_id, combatant.name, first.get(combatant_id, {}), second.get(combatant_id, {})
        )
    return tuple(differences)


def _differences(combatant_id: str, name: str, then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[Difference]:
    for what in dict.fromkeys((*then, *now)):
        before, after = then.get(what, NOTHING), now.get(what, NOTHING)
        if before != after:
            yield Difference(combatant_id, name, what, before, after)


def _describe_fight(state: FightState) -> Mapping[str, str]:
    step, words = state.step, system_of(state).words(state.settings)
    return {
        "status": state.status,
        "round": str(state.round),
        "now": step.title if step is not None else NOTHING,
        "time": f"{state.clock_s} s",
        **{
            words.side_pool(side, name): f"{pool.now}/{pool.max}"
            for side, pools in state.side_pools.items()
            for name, pool in pools.items()
        },
    }


def _describe_all(state: FightState) -> Mapping[str, Mapping[str, str]]:
    fields: dict[str, Mapping[str, str]] = {}
    system = system_of(state)
    for combatant in state.combatants.values():
        pools = {name: f"{pool.now}/{pool.max}" for name, pool in combatant.pools.items()}
        effects = [_effect_words(effect) for effect in combatant.effects]
        badges = [badge.text for badge in system.card(state, combatant.id).badges if badge.text != DOWN]
        fields[combatant.id] = {
            "state": ("up" if combatant.able else DOWN) + (", hidden" if combatant.hidden else ""),
            **_place_words(state, combatant),
            **pools,
            "effects": ", ".join((*effects, *badges)) or NOTHING,
        }
    return fields


def _place_words(state: FightState, combatant: Combatant) -> Mapping[str, str]:
    if state.board is None:
        return {}
    place = NOTHING if combatant.at is None else state.board.name_of(combatant.at)
    directions = state.board.directions
    faces = NOTHING
    if combatant.facing is not None:
        faces = directions[combatant.facing] if combatant.facing < len(directions) else str(combatant.facing)
    return {"place": place, "facing": faces}


def _effect_words(effect: Effect) -> str:
    magnitude = f" {effect.magnitude:+d}" if effect.magnitude else ""
    return f"{effect.name}{magnitude}" + (f" ({effect.left})" if effect.left is not None else "")


# Open questions of a fight that was read from its journal
#
# A journal keeps commands, dice and events, but no function that was left at a question. The entry that asked is
# decided again, from the state before it and with its dice. If that gives the same events, the question goes on as if
# the program had never been closed. If the rules have changed since, it does not: the question is lost, and can only
# be closed.


def with_waiting(
    line: Timeline, state: FightState, entry_count: int, known: dict[int, Functions] | None = None
) -> FightState:
    """A state of a line, after so many of its entries, in which functions wait for the answers to its questions.

    `known` keeps what waited after each entry that has been decided again, by its number.
    """
    missing = {prompt.id for prompt in state.prompts if prompt.waiting is None and prompt.kind != CUE}
    known = {} if known is None else known
    waiting: dict[str, object] = {}
    for index in reversed(range(entry_count)):
        if not missing:
            break
        entry = line.entry(index)
        asked = _asked_in(entry) & missing
        missing -= asked
        if asked and entry.is_read:
            if entry.number not in known:
                known[entry.number] = _waiting_after(line, index, known)
            waiting |= known[entry.number]
    if not waiting:
        return state
    prompts = [replace(each, waiting=each.waiting or waiting.get(each.id)) for each in state.prompts]
    return replace(state, prompts=tuple(prompts))


def close_lost(line: Timeline, state: FightState) -> tuple[RulingRecorded, ...]:
    """The events that close the questions of a line whose rules have changed, each with the act to give again."""
    system, closed = system_of(state), list[RulingRecorded]()
    for prompt in (each for each in state.prompts if not system.can_follow(each)):
        asking = next(entry for entry in reversed(line.entries) if prompt.id in _asked_in(entry))
        act = str(asking.command["type"])
        note = f"the rules have changed since {act} asked this: u goes back to before it, to give it again"
        closed += record_moot((prompt,), note)
    return tuple(closed)


def _asked_in(entry: Entry) -> set[str]:
    return {event.prompt.id for event in entry.events if isinstance(event, RulingAsked)}


def _waiting_after(line: Timeline, index: int, known: dict[int, Functions]) -> Functions:
    entry = line.entry(index)
    before = with_waiting(line, line.seek(line.span(index)[0]), index, known)
    system = system_of(before)
    seed, place = seed_of(before.seed, entry.dice), line.place_of(index)
    # With dice of the table, a rule may ask for what it would roll otherwise. Amendments may have rolled all the same.
    for is_typed_by in (partial(is_typed, before, system.sides), lambda roll: False):
        with suppress(FightCallError):
            command = resolve_command(before, _read(codec_of(system), entry))
            events, states = decide(system, before, command, Dice(seed, place, command.rolls, is_typed=is_typed_by))
            if [to_json(event) for event in events] == [to_json(event) for event in entry.events]:
                return {prompt.id: prompt.waiting for prompt in states[-1].prompts}
    return {}
