"""Fate: a roll can wait for the question whether a combatant spends a token on it (CS-653).

The command or answer is held back with its dice until the question is answered; then it is carried out, with the roll
as it was or as changed by the token, as one entry of the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import rules_on
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.kit.referee import Referee
from fightcall_engine.kit.rulings import read_flag, record_ruling
from fightcall_engine.model.commands import Answer, Command, Rule
from fightcall_engine.model.dice import Dice
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import DiceRolled, Event, Events, RulingAsked
from fightcall_engine.model.state import Choice, FightState, Prompt, fields_of_record
from fightcall_engine.model.values import copy_with, frozen
from fightcall_engine.systems.segments.rules import heroics
from fightcall_engine.systems.segments.state import events, queries, tokens
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.questions import AskedCheck, HeldRoll, without_dice
from fightcall_engine.systems.segments.state.settings import settings_of

FATE = "fate"
"""The kind of the question for a token."""

STANDS, SPEND = "stands", "spend"

GOOD, BAD = ("white", "fate"), ("black",)
"""Token colours that help their holder, and that harm others."""


@frozen
class Handlers:
    """How to carry out what was held back, without asking about tokens.

    Attributes:
        decide: carries out a command.
        answer: applies an answer.
    """

    decide: Callable[[Decision, Command], Events]
    answer: Callable[[Decision, Prompt, Answer], None]


@frozen
class Turn:
    """A roll that a token can change.

    Attributes:
        nth: the index of its check in the command, from 0.
        check: the roll.
        place: the index of its dice event.
        by: who can spend a token on it: pairs of id and colour.
    """

    nth: int
    check: events.CheckResolved
    place: int
    by: tuple[tuple[str, str], ...]


def is_asked(state: FightState) -> bool:
    """Whether a combatant holds a token and should be asked."""
    is_on = settings_of(state).fate_tokens and not battle_of(state).fate_quiet
    return is_on and any(fighter_of(combatant).tokens for combatant in state.combatants.values())


@rules_on("fate")
def rule_fate(decision: Decision, rule: Rule) -> None:
    """CS-653: set whether rolls wait for tokens; if not, tokens are spent by GM ruling alone."""
    state = decision.state
    is_asked_about = read_flag("CS-653", rule.value)
    record = record_ruling("CS-653", "Ask token holders about rolls", is_asked_about, rule.note)
    decision.emit(record, *queries.set_fact(state, "fate_quiet", not is_asked_about))


# Finding the roll


def find_turn(state: FightState, new_events: Sequence[Event], first: int = 0) -> Turn | None:
    """The first roll from check `first` on that a token can change, or None."""
    nth = -1
    for place, event in enumerate(new_events):
        if not isinstance(event, events.CheckResolved):
            continue
        nth += 1
        follows_dice = place and isinstance(new_events[place - 1], DiceRolled)
        if nth < first or not follows_dice or event.chance is None or event.roll is None:
            continue
        holders = _token_holders(state, event)
        if holders and turn_roll(event.chance, succeeds=not event.ok) is not None:
            return Turn(nth, event, place - 1, holders)
    return None


def _token_holders(state: FightState, check: events.CheckResolved) -> tuple[tuple[str, str], ...]:
    """Who has a token that would change it: for their own failure or a foe's success; a black one the reverse."""
    holders = []
    for combatant_id, is_own in ((check.who, True), (check.target, False)):
        combatant = state.combatants.get(combatant_id)
        colours = BAD if check.ok is is_own else GOOD
        own_colours = (
            () if combatant is None else tuple(dict.fromkeys(colour for colour, _ in fighter_of(combatant).tokens))
        )
        holders += [(combatant_id, colour) for colour in own_colours if colour in colours]
    return tuple(holders)


def turn_roll(chance: int, *, succeeds: bool) -> int | None:
    """The roll after a token: a clear success or failure, but neither Heroic Effect nor Bumble.

    None if there is no such roll.
    """
    marks = heroics.thresholds(chance)
    if succeeds:
        return min(chance, marks.heroic_most + 1) if chance > 0 else None
    return max(chance + 1, min(100, marks.bumble_least - 1)) if chance < 100 else None


# Holding back


def after_command(state: FightState, command: Command, new_events: Events) -> Events:
    """The events of a command, or the question whether a token changes a roll of it."""
    turn = find_turn(state, new_events) if is_asked(state) else None
    if turn is None:
        return new_events
    return (RulingAsked(prompt=_question(state, turn, new_events, HeldRoll(command=without_dice(command)))),)


def after_answer(state: FightState, prompt: Prompt, answer: Answer, new_events: Events) -> Events:
    """The events of an answer, or the question whether a token changes a roll of it."""
    turn = find_turn(state, new_events) if is_asked(state) else None
    if turn is None:
        return new_events
    held_roll = HeldRoll(command=without_dice(answer), prompt=prompt)
    return (RulingAsked(prompt=_question(state, turn, new_events, held_roll)),)


def _question(state: FightState, turn: Turn, new_events: Events, held_roll: HeldRoll) -> Prompt:
    check = turn.check
    combatant = state.combatants[turn.by[0][0]]
    how, other = ("succeeds", "fails") if check.ok else ("fails", "succeeds")
    spending = tuple(
        Choice(answer, f"{state.combatants[combatant_id].name}'s {colour} token: it {other}")
        for answer, (combatant_id, colour) in _spenders_of(turn).items()
    )
    roller = state.combatants[check.who].name
    return prompt_for(
        combatant, kind=FATE, rule="CS-653",
        question=f"{roller}, {check.kind}: {check.roll} against {check.chance} % {how}. Change it with a token?",
        choices=choices(f"{STANDS}:keep the roll", *spending), default=STANDS, amount="the number it becomes",
        resume=copy_with(
            held_roll, nth=turn.nth, rolls=_rolls(new_events), seeded=tuple(sorted(_seed_purposes(new_events))),
            target=check.target,
        ),
    )  # fmt: skip


def _rolls(new_events: Events) -> dict[str, tuple[int, ...]]:
    """All faces rolled, by purpose."""
    rolls_given: dict[str, tuple[int, ...]] = {}
    for event in new_events:
        if isinstance(event, DiceRolled):
            rolls_given[event.purpose] = (*rolls_given.get(event.purpose, ()), *event.faces)
    return rolls_given


def _seed_purposes(new_events: Events) -> set[str]:
    """The purposes of the engine's rolls."""
    return {event.purpose for event in new_events if isinstance(event, DiceRolled) and event.source == "seed"}


# Going on


def settle_fate(decision: Decision, prompt: Prompt, answer: Answer, handlers: Handlers) -> None:
    """Carry out what was held back, with the roll as it was or as changed by a token.

    Args:
        decision: the decision.
        prompt: the question, with what it holds back.
        answer: the answer.
        handlers: how to carry out what was held back.

    Raises:
        Refused: the typed number is not a d100 roll.
    """
    state, dice = decision.state, decision.dice
    held_roll = resume_of(prompt, HeldRoll)
    try:
        before = _mark_engine_dice(held_roll, _replay(state, held_roll, Dice("", 0, held_roll.rolls), handlers))
    except Refused:
        # Since the question, the combatant has gone down or left, or the like: the roll has no effect.
        return
    turn = find_turn(state, before, held_roll.nth)
    if answer.choice == STANDS or turn is None:
        decision.emit(*_next_question(state, held_roll, before, turn))
        return
    spenders = _spenders_of(turn)
    number = _changed_roll(answer, turn.check, spends=answer.choice in spenders)
    holder, colour = spenders.get(answer.choice, turn.by[0])
    combatant = state.combatants[holder]
    roll_text = f"{turn.check.kind}, {turn.check.roll} becomes {number}"
    decision.emit(*tokens.spend_token(combatant, colour, roll_text))
    new_rolls, held_roll = _change_rolls(held_roll, before, turn, number)
    new_events = _replay(decision.state, held_roll, dice.with_faces(new_rolls), handlers)
    decision.emit(*_mark_engine_dice(held_roll, new_events, besides=turn))


def _mark_engine_dice(held_roll: HeldRoll, new_events: Events, besides: Turn | None = None) -> Events:
    """The events with the engine's dice marked as such, except for the one that a token has changed."""
    return tuple(
        replace(event, source="seed")
        if isinstance(event, DiceRolled)
        and event.purpose in held_roll.seeded
        and (besides is None or place != besides.place)
        else event
        for place, event in enumerate(new_events)
    )


def _changed_roll(answer: Answer, check: events.CheckResolved, *, spends: bool) -> int:
    """The changed roll: as typed, else a clear success or failure."""
    if spends:
        return turn_roll(check.chance or 0, succeeds=not check.ok) or 1
    number = answer.amount
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 100:
        raise Refused("CS-653", f"{number!r} is not a roll", ("1 to 100", STANDS, SPEND), final=True)
    return number


def _spenders_of(turn: Turn) -> Mapping[str, tuple[str, str]]:
    """The answers that spend a token, each with its holder's id and its colour."""
    return {f"{SPEND}{place + 1 if place else ''}": spender for place, spender in enumerate(turn.by)}


def _next_question(state: FightState, held_roll: HeldRoll, new_events: Events, turn: Turn | None) -> Events:
    """Carry out what was held back, or ask about the next roll that a token can change."""
    later = None if turn is None else find_turn(state, new_events, turn.nth + 1)
    if later is None:
        return new_events
    return (RulingAsked(prompt=_question(state, later, new_events, held_roll)),)


def _change_rolls(
    held_roll: HeldRoll, new_events: Events, turn: Turn, number: int
) -> tuple[dict[str, tuple[int, ...]], HeldRoll]:
    """The faces with the changed one; a die rolled before the question is changed in the question itself."""
    roll = new_events[turn.place]
    purpose = roll.purpose if isinstance(roll, DiceRolled) else ""
    earlier = [
        event for event in new_events[: turn.place] if isinstance(event, DiceRolled) and event.purpose == purpose
    ]
    place = sum(len(event.faces) for event in earlier)
    faces = held_roll.rolls[purpose]
    new_rolls = {**held_roll.rolls, purpose: (*faces[:place], number, *faces[place + 1 :])}
    return new_rolls, copy_with(
        held_roll, prompt=_change_kept_die(held_roll.prompt, number)
    ) if turn.nth == 0 else held_roll


def _change_kept_die(prompt: Prompt | None, number: int) -> Prompt | None:
    """A question with its earlier die changed; other questions unchanged."""
    resume = None if prompt is None else prompt.resume
    if prompt is None or not isinstance(resume, AskedCheck) or resume.thrown.check is None:
        return prompt
    return replace(prompt, resume=copy_with(resume, thrown=replace(resume.thrown, check=number)))


def _replay(state: FightState, held_roll: HeldRoll, dice: Dice, handlers: Handlers) -> Events:
    """Carry out what was held back with these dice."""
    command, held_prompt = held_roll.command, held_roll.prompt
    if held_prompt is not None and isinstance(command, Answer):
        replay = Decision(state, dice, Referee(command.type, held_prompt.who, command.force))
        handlers.answer(replay, held_prompt, command)
        return replay.events
    who = fields_of_record(command).get("who")
    judge = Referee(command.type, str(who or ""), command.force)
    # It was given before what has come up since, which does not count against it.
    free = replace(state, prompts=tuple(prompt for prompt in state.prompts if not prompt.blocking))
    return handlers.decide(Decision(free, dice, judge), command)
