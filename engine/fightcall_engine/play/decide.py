"""From a command to all its events, for one combatant or for all alike; and trying one out without a change."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import IntEnum
from functools import reduce
from itertools import accumulate
from operator import and_, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from fightcall_engine.board.base import Location, Terrain
from fightcall_engine.board.kinds import grid_board
from fightcall_engine.kit.cues import DO, SystemReactions
from fightcall_engine.kit.decision import (
    LONGEST_CHAIN,
    Decision,
    choices,
    is_typed,
    prompts_by_kind,
    record_answer,
    record_default,
    record_ruling,
    throw,
)
from fightcall_engine.kit.movement import CollectingReferee, Preview, Trial, taken_places, text_field, together
from fightcall_engine.kit.plugins import system_of
from fightcall_engine.kit.records import combatant_of, harm
from fightcall_engine.kit.system import BaseSystem, ways_of
from fightcall_engine.kit.views import Check, Referee
from fightcall_engine.model.commands import Advance, Answer, Command, Join, squeeze
from fightcall_engine.model.dice import Dice, subject_of
from fightcall_engine.model.errors import (
    Accepted,
    BadInput,
    FieldValue,
    FightCallError,
    NeedsDice,
    Refused,
    RollNeeded,
    RulingWanted,
    Runaway,
)
from fightcall_engine.model.events import (
    ActsSkipped,
    CueFired,
    Event,
    Events,
    GroundHurt,
    Moved,
    RoundEnded,
    RulingAsked,
    RulingRecorded,
    StepEnded,
)
from fightcall_engine.model.fold import evolve
from fightcall_engine.model.json_data import command_json
from fightcall_engine.model.state import CUE, FightState, Interruption, Json, Prompt, Proposed
from fightcall_engine.model.values import field_names, remembered_of, replace, required_fields, with_fields
from fightcall_engine.play import core_commands
from fightcall_engine.play.codec import Codec, codec_of
from fightcall_engine.play.core_commands import resolve_command
from fightcall_engine.play.cues import command_named
from fightcall_engine.play.newcomers import free_name, who_act_together

if TYPE_CHECKING:
    from collections.abc import Collection


IMPOSSIBLE = "not_possible"
"""The recorded answer to a question about a held act that cannot be done."""
_PLAIN_ADVANCE = Advance()

Happened = tuple[Events, list[FightState]]
"""Events in order, and the state after each of them."""


def decide(system: BaseSystem, state: FightState, command: Command, dice: Dice) -> Happened:
    """The events of a command, with all reactions, and with the steps that it makes the agenda take.

    Raises:
        Refused: nothing has changed.
        NeedsDice: the table owes a throw.
        BadInput: it is given for all alike, and has no actor.
        SystemFault: the system emits something that it does not list, so that the journal could not be read again.
    """
    if state.prompts or command != _PLAIN_ADVANCE:
        return _decide(system, state, command, dice)
    known = _known_advances(system, state)
    if not known:
        happened = _decide(system, state, command, dice)
        if dice.asked or any(after.prompts for after in happened[1][-1:]):
            return happened
        known.append(happened)
    return known[0]


@remembered_of(256)
def _known_advances(system: BaseSystem, state: FightState) -> list[Happened]:
    """Keeps where going on leads if no dice and no answers decide it: it is first foreseen, then done."""
    return []


def _decide(system: BaseSystem, state: FightState, command: Command, dice: Dice) -> Happened:
    carry_out = _carry_out_for_all_alike if command.alike else _carry_out
    events, states = carry_out(system, state, command, dice)
    if states and states[-1].rules_text != state.rules_text:
        system = system_of(states[-1])
    # The agenda's own rolls belong to no member of a squad.
    more_events, more_states = settle(system, states[-1] if states else state, events, dice.of_member(""))
    events, states = (*events, *more_events), [*states, *more_states]
    if state.prompts and states and states[-1].agenda is not state.agenda:
        more_events, more_states = follow(system, states[-1], _lapse_remarks(state, events, states[-1]))
        events, states = (*events, *more_events), [*states, *more_states]
    codec = codec_of(system)
    for event in events:
        codec.check_listed(event)
    return events, states


def _lapse_remarks(before: FightState, events: Events, after: FightState) -> Events:
    """The events that close cues' remarks when a step ends that began with them open, unless something was asked."""
    if before.is_blocked() or not any(isinstance(event, StepEnded) for event in events):
        return ()
    remarks = {prompt.id for prompt in prompts_by_kind(before.prompts).get(CUE, ()) if prompt.is_remark}
    return tuple(record_default(prompt) for prompt in after.prompts if prompt.id in remarks)


def _carry_out(
    system: BaseSystem, state: FightState, command: Command, dice: Dice, *, out_of_turn: bool = False
) -> Happened:
    """The events of a command before the agenda moves, with those of cues' proposals that the GM accepts by it."""
    events, states = _carry_out_to_hold(system, state, state, command, dice, out_of_turn=out_of_turn)
    for prompt, proposal in accepted_proposals(state, events):
        here = states[-1]
        if not can_go_on(here, proposal):
            continue
        why = "" if command.force else why_impossible(system, here, prompt)
        if why:
            # Another proposal that was accepted with it has made it impossible.
            lapsed = (record_ruling(CUE, prompt.question, IMPOSSIBLE, why),)
            more_events, more_states = follow(system, here, lapsed)
        else:
            proposed = proposed_command(system, here, proposal)
            proposed = replace(proposed, force=proposed.force or command.force)
            more_events, more_states = _carry_out(system, here, proposed, dice, out_of_turn=proposal.held)
        events, states = (*events, *more_events), [*states, *more_states]
    return events, states


def _carry_out_to_hold(
    system: BaseSystem,
    state: FightState,
    checked_state: FightState,
    command: Command,
    dice: Dice,
    member: str = "",
    *,
    out_of_turn: bool = False,
) -> Happened:
    """The events of a command; of a walk that a cue interrupts, only those up to that place.

    If the walk cannot end there, the held act is impossible there, or the command is not the walker's own, the walk
    is carried out in full.
    `checked_state` is the one to decide in: without the questions that other members have just opened. `member` is the
    one of a squad who rolls; empty for a command of a single combatant.
    """
    events, states = _carry_out_in_full(system, state, checked_state, command, dice, out_of_turn)
    for walk, steps in _held_walks(state, events) if state.cues else ():
        if not is_walk(command) or _find_doer(state, command) != walk.who:
            continue
        way = walk.path[:steps]
        # The command of a walk that ends early, without what was to happen at its end.
        ends: dict[str, object] = {name: "" for name in ("meets", "cover") if name in field_names(type(command))}
        cut = with_fields(command, {"path": way, "to": None, **ends})
        own_dice = dice.fresh().of_member(member)
        try:
            events_short, states_short = _carry_out_in_full(system, state, checked_state, cut, own_dice, out_of_turn)
        except (Refused, NeedsDice):
            continue
        here = states_short[-1]
        if not any(isinstance(event, Moved) and event.path == way for event in events_short):
            continue
        if any(_is_possible_hold(system, here, event) for event in events_short):
            rest = system.rest_of_walk(state, with_fields(command, {"path": walk.path, "to": None}), steps)
            question = RulingAsked(prompt=_ask_to_go_on(here, rest, walk.who, walk.path[-1]))
            more_events, more_states = follow(system, here, (question,))
            return (*events_short, *more_events), [*states_short, *more_states]
    return events, states


def _carry_out_in_full(
    system: BaseSystem, state: FightState, checked_state: FightState, command: Command, dice: Dice, out_of_turn: bool
) -> Happened:
    referee = Referee(command.type, command.subject_id, command.force, out_of_turn=out_of_turn)
    decision = Decision(checked_state, dice, referee, SystemReactions(system))
    core_commands.decide_command(system, decision, command)
    events, states = happened_in(decision)
    return events, states if checked_state is state else [*accumulate(events, evolve, initial=state)][1:]


def _is_possible_hold(system: BaseSystem, state: FightState, event: Event) -> bool:
    proposal = event.prompt.resume if isinstance(event, RulingAsked) else None
    is_held = isinstance(proposal, Proposed) and proposal.held
    return is_held and isinstance(event, RulingAsked) and not why_impossible(system, state, event.prompt)


def _held_walks(state: FightState, events: Events) -> Iterator[tuple[Moved, int]]:
    holds = {cue.id for cue in state.cues if isinstance(cue.then, Interruption)}
    walk: Moved | None = None
    for event in events:
        if isinstance(event, Moved):
            walk = event
        elif isinstance(event, CueFired) and event.cue in holds and walk is not None and event.at in walk.path:
            yield walk, walk.path.index(event.at) + 1


def _ask_to_go_on(state: FightState, command: Command, walker_id: str, goal: Location) -> Prompt:
    walker = state.combatants[walker_id]
    name = state.board.name_of(goal) if state.board is not None else str(goal)
    fields = {key: value for key, value in command_json(command).items() if key not in ("type", "force", "rolls")}
    return Prompt(
        id="",
        kind=CUE,
        question=f"Continue {walker.name}'s move to {name}?",
        rule=CUE,
        choices=choices(f"{DO}:yes", "no"),
        default=DO,
        who=walker_id,
        side=walker.side,
        resume=Proposed(command=command.type, fields=fields, walker=walker_id, here=walker.at),
    )


TRIALS = 8
"""How often a command is tried with random dice to find the rolls that it asks for in any case."""


def all_owed(system: BaseSystem, state: FightState, command: Command, place: int, first_need: NeedsDice) -> NeedsDice:
    """The rolls that the table owes for a command: the first ones, and those that follow whatever the dice show.

    A roll that is almost always asked for may be included: dice that are not needed do no harm.
    """
    throws: list[list[RollNeeded]] = []
    for trial in range(TRIALS):
        dice = Dice(f"{state.seed}.{trial}", place, command.rolls)
        try:
            decide(system, state, command, dice)
        except FightCallError:
            return first_need
        throws.append(dice.thrown)
    common = reduce(and_, map(Counter, throws))
    more, owed = common - Counter(first_need.rolls), list(first_need.rolls)
    # One that may come before could take the faces that were typed for a roll of the same name.
    uncertain_names = {subject_of(roll.purpose) for trial in throws for roll in Counter(trial) - common}
    for roll in throws[-1]:
        if more[roll] > 0 and roll.purpose not in uncertain_names and is_typed(state, system.sides, roll):
            more[roll] -= 1
            owed.append(roll)
    return NeedsDice(tuple(owed))


def _carry_out_for_all_alike(system: BaseSystem, state: FightState, command: Command, dice: Dice) -> Happened:
    """The events of a command for all alike: for one member after the other, all of them or none.

    Those who come after the one that fells the common target keep their act. Reactions to an act happen at once, but
    the agenda waits until all have acted, as it must not close a step before. A question opened by one member does not
    block the next ones: all questions are answered at the end.
    """
    doer = _find_doer(state, command)
    asked_before = frozenset(prompt.id for prompt in state.prompts)
    events: list[Event] = []
    states: list[FightState] = []
    needs: list[RollNeeded] = []
    before, first = state, goal_of(state, command)
    goals = [first] if first is not None else []
    skipped: tuple[str, ...] = ()
    reason = ""
    for combatant_id in who_act_together(system, state, doer, command):
        member_command = with_fields(command, {"who": combatant_id, "alike": False})
        if goals and combatant_id != doer:
            member_command = walk_along(system, state, combatant_id, member_command, goals)
            goals += [goal for goal in (goal_of(state, member_command),) if goal is not None]
        old_prompts = tuple(prompt for prompt in state.prompts if prompt.id in asked_before)
        without_new_prompts = replace(state, prompts=old_prompts)
        try:
            more_events, more_states = _carry_out_to_hold(
                system, state, without_new_prompts, member_command, dice.of_member(combatant_id), combatant_id
            )
        except NeedsDice as need:
            needs.extend(need.rolls)
            continue
        except Refused as no:
            if not _has_fallen(before, state, text_field(command, "target")):
                name = state.combatants[combatant_id].name if combatant_id in state.combatants else combatant_id
                message = no.message if name in no.message else f"{name}: {no.message}"
                raise Refused(no.rule, message, no.alternatives, final=no.final) from no
            skipped, reason = (*skipped, combatant_id), no.message
            continue
        state = more_states[-1] if more_states else state
        events += more_events
        states += more_states
    if needs:
        raise NeedsDice(tuple(needs))
    if skipped:
        more_events, more_states = follow(system, state, (ActsSkipped(figures=skipped, reason=reason),))
        events += more_events
        states += more_states
    return tuple(events), states


def _has_fallen(before: FightState, state: FightState, target_id: str) -> bool:
    first, now = before.combatants.get(target_id), state.combatants.get(target_id)
    return first is not None and first.able and (now is None or not now.able)


def _find_doer(state: FightState, command: Command) -> str:
    if not command.subject_id:
        problem = f"alike: {command.type} is not done by a combatant; accepted: true with a command that has a who"
        raise BadInput(f"command {command.type}", (problem,))
    return combatant_of(state, command.subject_id).id


# Previewing a command


def preview_command(system: BaseSystem, state: FightState, command: Command) -> Preview:
    """What a command needs and what stands against it, without doing it. Names and places in it are resolved.

    Raises BadInput: a field cannot be read.
    """
    command = core_commands.resolve_command(state, command)
    actor_id = text_field(command, "who")
    is_known = command.alike and actor_id in state.combatants
    members = who_act_together(system, state, actor_id, command) if is_known else ()
    if len(members) < 2:
        return _preview_one(system, state, replace(command, alike=False))
    commands = [with_fields(command, {"who": member_id, "alike": False}) for member_id in members]
    return together(state, [_preview_one(system, state, member_command) for member_command in commands])


def _preview_one(system: BaseSystem, state: FightState, command: Command) -> Preview:
    if isinstance(command, Answer | Advance) and any(isinstance(each.resume, Proposed) for each in state.prompts):
        proposed = _preview_proposal(system, state, command)
        if proposed is not None:
            return proposed
    return system.preview(state, command, try_command(system, state, command))


def _preview_proposal(system: BaseSystem, state: FightState, answer: Command) -> Preview | None:
    decision = Decision(state, Dice(state.seed, 0, answer.rolls), None, SystemReactions(system))
    try:
        core_commands.decide_command(system, decision, answer)
        events, answered = decision.events, decision.state
    except (Refused, NeedsDice):
        return None
    for _, proposal in accepted_proposals(state, events):
        if can_go_on(answered, proposal):
            command = proposed_command(system, answered, proposal)
            command = replace(command, rolls=answer.rolls, force=command.force or answer.force)
            trial = try_command(system, answered, command, out_of_turn=proposal.held)
            return _as_answer(system.preview(answered, command, trial))
    return None


def _as_answer(preview: Preview) -> Preview:
    """The preview of a proposed command as that of the answer, which has none of the command's fields."""
    rows = tuple(
        replace(row, field="", number="", remedies=tuple(each for each in row.remedies if not each.field))
        for row in preview.rows
    )
    return replace(preview, rows=rows)


# What cues propose


def accepted_proposals(state: FightState, events: Iterable[Event]) -> Iterator[tuple[Prompt, Proposed]]:
    """Yield the proposals that these events accept, each with its question."""
    for event in events if state.prompts else ():
        if isinstance(event, RulingRecorded) and event.prompt and event.choice == DO:
            prompt = state.prompt(event.prompt)
            if prompt is not None and isinstance(prompt.resume, Proposed):
                yield prompt, prompt.resume


def can_go_on(state: FightState, proposal: Proposed) -> bool:
    """Return False for a proposal to resume a walk if the walker is down, or no longer where they stopped."""
    walker = state.combatants.get(proposal.walker)
    return not proposal.walker or (walker is not None and walker.able and walker.at == proposal.here)


def proposed_command(system: BaseSystem, state: FightState, proposal: Proposed) -> Command:
    """Return the proposed command, with people and places resolved, and with a free name for a newcomer."""
    command = resolve_command(state, command_named(state, proposal.command, proposal.fields))
    if isinstance(command, Join) and command.count == 1:
        command = replace(command, name=free_name(state, command.name))
    return system.out_of_turn(state, command) if proposal.held else command


def why_impossible(system: BaseSystem, state: FightState, prompt: Prompt) -> str:
    """Return why the act of a held cue cannot be done now; empty if it can, and for every other question."""
    proposal = prompt.resume
    if not isinstance(proposal, Proposed) or not proposal.held:
        return ""
    command = proposed_command(system, state, proposal)
    if command.force:
        return ""
    broken = try_command(system, state, command, out_of_turn=True).broken
    return broken[0].message if broken else ""


# Trying out a command


def try_command(system: BaseSystem, state: FightState, command: Command, *, out_of_turn: bool = False) -> Trial:
    """Run a command up to its first roll, and collect every check that does not hold on the way.

    The checks are those of `decide`, in its order. After a broken one, the trial goes on as it would with the GM's
    force. `out_of_turn` leaves out the checks on whose turn it is.
    """
    referee = CollectingReferee(command.type, text_field(command, "who"), out_of_turn=out_of_turn)
    dice = Dice(state.seed, 0, command.rolls, is_typed=lambda roll: True)
    decision = Decision(state, dice, referee, SystemReactions(system))
    try:
        core_commands.decide_command(system, decision, command)
        events = decision.events
    except Refused as no:
        referee.add(Check(False, no.rule, no.message, no.alternatives))
        return Trial(tuple(referee.broken), final=no.final)
    except NeedsDice as need:
        first = need.rolls[0]
        return Trial(tuple(referee.broken), owed=replace(first, who=first.who or text_field(command, "who")))
    prompts = tuple(replace(event.prompt, id="") for event in events if isinstance(event, RulingAsked))
    return Trial(tuple(referee.broken), asked=prompts)


# Walking as a squad by one command


def is_walk(command: Command) -> bool:
    """Whether a command names a way or a goal."""
    return {"path", "to"} <= set(field_names(type(command)))


def goal_of(state: FightState, command: Command) -> Location | None:
    """The goal of a walk on a grid; None for any other command, or if it names no goal."""
    if grid_board(state.board) is None or not is_walk(command):
        return None
    path: tuple[Location, ...] = command.path  # type: ignore[attr-defined]
    to: Location | None = command.to  # type: ignore[attr-defined]
    return path[-1] if path else to


def walk_along(
    system: BaseSystem, state: FightState, combatant_id: str, command: Command, goals: Collection[Location]
) -> Command:
    """The walk of a member who follows others: to the place in reach nearest to their `goals`, in order.

    Raises Refused: no free place in reach is nearer to the goals than its own.
    """
    options = (option for option in system.options(state, combatant_id) if option.command == command.type)
    mode = next((field.mode for option in options for field in option.inputs if field.kind == "path"), None)
    closed_places = taken_places(state, combatant_id, enemies_only=True)
    ways = ways_of(system, state, combatant_id, mode, closed_places) if mode is not None else None
    if ways is None:
        return command
    board, here, goal, in_reach = ways.board, ways.start, next(iter(goals)), ways.in_reach()
    free = in_reach.keys() - taken_places(state, combatant_id) - set(goals)
    nearest = min(free, key=lambda place: (board.distance(place, goal), in_reach[place], place), default=here)
    if nearest == here:
        name = state.combatants[combatant_id].name
        raise Refused("path", f"{name} gets no nearer to {board.name_of(goal)}", ("another place",), final=True)
    return with_fields(command, {"path": ways.way_to(nearest) or (), "to": None})


# Applying events with all their reactions


def settle(system: BaseSystem, state: FightState, happened: Events, dice: Dice) -> Happened:
    """What happens by itself after these events, which have been applied already.

    Raises Runaway: a chain that does not end; NeedsDice: the table owes a roll of the agenda's.
    """
    new_events: Events = ()
    states: list[FightState] = []
    while True:
        by_itself = Decision(states[-1] if states else state, dice, None, SystemReactions(system))
        by_itself.spawn(_go_on, system, happened)
        if not by_itself.events:
            return new_events, states
        if len(new_events) > LONGEST_CHAIN:
            raise Runaway(tuple(event.type for event in new_events))
        happened, more_states = happened_in(by_itself)
        new_events, states = (*new_events, *happened), [*states, *more_states]


def _go_on(decision: Decision, system: BaseSystem, happened: Events) -> None:
    """Let harmful ground do its harm, or else the agenda move, or else close what cannot be done."""
    for event in happened if decision.state.board is not None else ():
        for combatant_id, ground in _due(decision.state, event):
            amount, rolled = throw(decision, ground.harm, ground.name, combatant_id)
            decision.emit(GroundHurt(who=combatant_id, ground=ground.name), *rolled)
            decision.emit(harm(decision.state, combatant_id, amount, system.health))
    if not decision.events:
        system.settle_step(decision)
    if decision.state.is_blocked() and not decision.events:
        _close_impossible(decision, system)


def _close_impossible(decision: Decision, system: BaseSystem) -> None:
    """Close the questions about held acts that cannot be done, each with the reason."""
    for prompt in prompts_by_kind(decision.state.prompts).get(CUE, ()):
        why = why_impossible(system, decision.state, prompt)
        if why and decision.state.prompt(prompt.id) is not None:
            decision.emit(record_answer(prompt, IMPOSSIBLE, default=False, note=why))


def follow(system: BaseSystem, state: FightState, events: Iterable[Event]) -> Happened:
    """Apply events and their reactions, without moving the agenda. Raises Runaway: a chain that does not end."""
    decision = Decision(state, None, None, SystemReactions(system))
    decision.spawn(Decision.emit, *events)
    return happened_in(decision)


def happened_in(decision: Decision) -> Happened:
    """The events of a decision and the state after each of them; first the GM's overrides of its checks."""
    overrides = decision.referee.overrides
    return (*overrides, *decision.events), [*[decision.start] * len(overrides), *decision.states]


def _due(state: FightState, event: Event) -> Iterator[tuple[str, Terrain]]:
    """Who is harmed by harmful ground: those who come into it, once by each ground, or stand in it as a round ends."""
    board = state.board
    if board is None:
        return
    if isinstance(event, RoundEnded):
        for combatant in state.roster:
            if combatant.at is not None:
                ground = board.terrain_at(combatant.at)
                if ground.harm and ground.harm_at == "round":
                    yield combatant.id, ground
    elif isinstance(event, Moved) and event.who in state.combatants:
        grounds = dict.fromkeys(board.terrain_at(place) for place in event.path)
        yield from ((event.who, ground) for ground in grounds if ground.harm and ground.harm_at == "enter")


Attempt = Callable[[Command], object]
"""Decides a command without doing it; raises as `Fight.decide` does."""
IsOffered = Callable[[type[Command]], bool]
"""Whether a class of commands is among a combatant's legal options."""


class _Outcome(IntEnum):
    """The result of trying an alternative, the best of all its readings."""

    REFUSED = 0
    INCOMPLETE = 1
    OTHER_FAULT = 2
    DONE = 3


class _Reading(NamedTuple):
    """A command that an alternative may stand for, or what is missing for one.

    Attributes:
        request: the command; None if fields are missing.
        mends: it is the refused command with the alternative in it.
        is_guess: the alternative may also mean something else, so that a refusal of the request proves nothing.
    """

    request: Command | None
    kind: type[Command]
    mends: bool = False
    is_guess: bool = False
    missing: str = ""


class Remedies:
    """Tries the alternatives of refusals in one state."""

    def __init__(self, state: FightState, codec: Codec, attempt: Attempt, is_offered: IsOffered) -> None:
        self._state, self._codec = state, codec
        self._attempt, self._is_offered = attempt, is_offered

    def keep_possible(self, no: Refused, command: Command) -> Refused:
        """The refusal without those alternatives that would be refused in turn.

        An alternative is tried if it can be read as a request: the name of a command, alone or with its first field
        (``set_mode free``); a choice of an open question; a value for the field that the refusal names or quotes, or
        for one that it begins with (``modifier 0``); another actor. Other words are kept, and so is what mends this
        fault if the command has another one, except that of people only those remain who can do it, if there are any.
        Missing fields of a possible command are added: ``rest with kind``.
        """
        if no.rule == "command":
            return no
        people = self._state.combatants
        fates = {entry: self._fares(entry, no, command) for entry in no.alternatives}
        can_somebody = any(fate and fate[0] is _Outcome.DONE for entry, fate in fates.items() if entry in people)
        possible: list[Accepted] = []
        for entry, fate in fates.items():
            outcome, text = fate or (_Outcome.DONE, entry)
            least = _Outcome.DONE if entry in people and can_somebody else _Outcome.INCOMPLETE
            if outcome >= least:
                possible.append(text)
        return Refused(no.rule, no.message, tuple(possible), final=no.final)

    def _fares(self, entry: Accepted, no: Refused, command: Command) -> tuple[_Outcome, Accepted] | None:
        """The result of an alternative, and how to word it; None if it cannot be read as a request."""
        if isinstance(entry, RulingWanted):
            return None
        if isinstance(entry, FieldValue):
            mended = self._mend(command, entry.field, entry.value)
            return max((self._outcome(reading, entry, no) for reading in mended), key=itemgetter(0), default=None)
        if entry in field_names(type(command)):
            return None
        best: tuple[_Outcome, Accepted] | None = None
        for reading in self._readings(entry, no, command):
            outcome = self._outcome(reading, entry, no)
            if outcome[0] is _Outcome.DONE:
                return outcome
            if not reading.is_guess:
                best = outcome if best is None else max(best, outcome, key=itemgetter(0))
        # Several words that are refused as a value were probably none.
        return None if best is not None and best[0] is _Outcome.REFUSED and " " in entry else best

    def _outcome(self, reading: _Reading, entry: Accepted, no: Refused) -> tuple[_Outcome, Accepted]:
        missing = reading.missing
        if reading.request is not None:
            try:
                self._attempt(reading.request)
            except NeedsDice:
                pass
            except Refused as again:
                if reading.mends and self._without_names(again) != self._without_names(no):
                    return _Outcome.OTHER_FAULT, entry
                missing = "" if reading.mends or again.rule not in field_names(reading.kind) else again.rule
            except BadInput:
                return _Outcome.REFUSED, entry
            else:
                return _Outcome.DONE, entry
        if missing and missing != "who" and self._is_offered(reading.kind):
            return _Outcome.INCOMPLETE, f"{entry} with {missing}"
        return _Outcome.REFUSED, entry

    def _without_names(self, no: Refused) -> tuple[str, str]:
        """A refusal's rule and message without names, to recognise the same fault of another combatant."""
        message = no.message
        for combatant in self._state.combatants.values():
            message = message.replace(combatant.name, "")
        return no.rule, re.sub(r"'[^']*'", "", message)

    def _readings(self, entry: str, no: Refused, command: Command) -> Iterator[_Reading]:
        for prompt in self._state.prompts:
            if any(choice.id == entry for choice in prompt.choices):
                yield _Reading(Answer(prompt=prompt.id, choice=entry), Answer)
        first, _, rest = entry.partition(" ")
        if " " not in rest:
            yield from self._read_name(first, rest, command)
        names = field_names(type(command))
        texts = [field for field in names if isinstance(getattr(command, field), str) and getattr(command, field)]
        refused_fields = [field for field in names if field == no.rule]
        refused_fields += [field for field in texts if repr(getattr(command, field)) in no.message and field != no.rule]
        if rest and first.removesuffix(":") in names:
            refused_fields, entry = [first.removesuffix(":")], rest
        for field in refused_fields:
            yield from self._mend(command, field, _as_json(entry))
        if not refused_fields and entry in self._state.combatants:
            for field in ("who", "target"):
                if field in names:
                    yield from self._mend(command, field, _as_json(entry))
        elif not refused_fields:
            for field in texts:
                yield from (reading._replace(is_guess=True) for reading in self._mend(command, field, _as_json(entry)))

    def _read_name(self, name: str, value: str, command: Command) -> Iterator[_Reading]:
        kind = self._codec.command_kinds.get(squeeze(name))
        if kind is None:
            return
        names = field_names(kind)
        fixed_fields = self._codec.fixed_fields(name)
        required_names = [name for name in required_fields(kind) if name not in fixed_fields]
        values: dict[str, Json] = {}
        if value:
            field_name = next(
                (field for field in (*required_names, *names) if field not in ("who", *field_names(Command))), ""
            )
            if not field_name:
                return
            values[field_name] = _as_json(value)
        missing = [field for field in required_names if field not in ("who", *values)]
        if missing:
            yield _Reading(None, kind, missing=", ".join(missing))
            return
        step = self._state.step
        people = (command.subject_id, step.actor if step is not None else "", *self._state.order)
        doers: list[dict[str, Json]] = [] if "who" in required_names else [{}]
        doers += [{"who": doer} for doer in dict.fromkeys(people) if doer and "who" in names]
        if not doers:
            yield _Reading(None, kind, missing="who")
        for doer in doers:
            yield from (_Reading(request, kind) for request in _read(self._codec, name, {**doer, **values}))

    def _mend(self, command: Command, field: str, value: Json) -> Iterator[_Reading]:
        """The command with another value in a field, if the field accepts it."""
        plain = dict(command_json(command))
        name = str(plain.pop("type"))
        for request in _read(self._codec, name, {**plain, field: value}):
            yield _Reading(request, type(command), mends=True)


def _read(codec: Codec, name: str, data: Mapping[str, Json]) -> Iterator[Command]:
    with contextlib.suppress(BadInput):
        yield codec.command(name, data)


def _as_json(text: str) -> Json:
    """A word as a JSON value: a number, true, false, or the word itself."""
    try:
        value: Json = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, int | float) else text
