"""Fate: whoever holds a token is asked before a roll that goes against him takes effect (CS-653).

The command, or the answer, that rolled is held back with its dice until the question is answered; then it is carried
out as the dice fell, or as the token has changed them. With the token it is one entry, and undone as one.
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
from fightcall_engine.systems.segments.state import events, figures, tokens
from fightcall_engine.systems.segments.state.battle import battle_of
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.questions import AskedCheck, AskedReach, HeldBlow, HeldRoll, without_dice
from fightcall_engine.systems.segments.state.settings import settings_of

FATE = "fate"
"""The kind of the prompt that asks for a token."""

STANDS, SPEND = "stands", "spend"

GOOD, BAD = ("white", "fate"), ("black",)
"""Tokens that turn a roll to their holder's good, and to his harm."""


@frozen
class Handlers:
    """What carries out a command or an answer that was held back, whatever tokens might turn in it.

    Attributes:
        decide: carries a command out.
        answer: brings what follows an answer.
    """

    decide: Callable[[Decision, Command], Events]
    answer: Callable[[Decision, Prompt, Answer], None]


@frozen
class Turn:
    """A roll that a token can turn.

    Attributes:
        nth: which check of the command it is, from 0.
        check: the roll.
        place: where its throw stands among the events.
        by: who may spend a token on it: ids and colours.
    """

    nth: int
    check: events.CheckResolved
    place: int
    by: tuple[tuple[str, str], ...]


def is_asked(state: FightState) -> bool:
    """True where somebody holds a token that he may be asked about."""
    on = settings_of(state).fate_tokens and not battle_of(state).fate_quiet
    return on and any(fighter_of(combatant).tokens for combatant in state.combatants.values())


@rules_on("fate")
def rule_fate(decision: Decision, rule: Rule) -> None:
    """CS-653: whether rolls are held up for tokens; if not, they are spent by the GM's word alone."""
    state = decision.state
    asks = read_flag("CS-653", rule.value)
    record = record_ruling("CS-653", "Whoever holds a token is asked about rolls", asks, rule.note)
    decision.emit(record, *figures.set_fact(state, "fate_quiet", not asks))


# Which roll it is


def turn_in(state: FightState, new_events: Sequence[Event], first: int = 0) -> Turn | None:
    """The first roll of so many that went against the holder of a token, from the check `first` on."""
    nth = -1
    for place, event in enumerate(new_events):
        if not isinstance(event, events.CheckResolved):
            continue
        nth += 1
        follows_dice = place and isinstance(new_events[place - 1], DiceRolled)
        if nth < first or not follows_dice or event.chance is None or event.roll is None:
            continue
        by = _token_holders(state, event)
        if by and turn_roll(event.chance, succeeds=not event.ok) is not None:
            return Turn(nth, event, place - 1, by)
    return None


def _token_holders(state: FightState, check: events.CheckResolved) -> tuple[tuple[str, str], ...]:
    """Who has a token that would turn it: his own failure or a foe's success, and with a black one the reverse."""
    holders = []
    for combatant_id, own in ((check.who, True), (check.target, False)):
        combatant = state.combatants.get(combatant_id)
        colours = BAD if check.ok is own else GOOD
        own_colours = (
            () if combatant is None else tuple(dict.fromkeys(colour for colour, _ in fighter_of(combatant).tokens))
        )
        holders += [(combatant_id, colour) for colour in own_colours if colour in colours]
    return tuple(holders)


def turn_roll(chance: int, *, succeeds: bool) -> int | None:
    """The roll that a token makes of it: a clear success or failure, but no Heroic Effect and no Bumble.

    None where no roll can be one.
    """
    marks = heroics.thresholds(chance)
    if succeeds:
        return min(chance, marks.heroic_most + 1) if chance > 0 else None
    return max(chance + 1, min(100, marks.bumble_least - 1)) if chance < 100 else None


# Holding back


def after_command(state: FightState, command: Command, new_events: Events) -> Events:
    """What a command causes; where a token may turn a roll of it, only the question for now."""
    turn = turn_in(state, new_events) if is_asked(state) else None
    if turn is None:
        return new_events
    return (RulingAsked(prompt=_question(state, turn, new_events, HeldRoll(command=without_dice(command)))),)


def after_answer(state: FightState, prompt: Prompt, answer: Answer, new_events: Events) -> Events:
    """What an answer causes, likewise."""
    turn = turn_in(state, new_events) if is_asked(state) else None
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
        question=f"{roller}, {check.kind}: {check.roll} against {check.chance} % {how}. Does a token change it?",
        choices=choices(f"{STANDS}:it stands", *spending), default=STANDS, amount="the number it becomes",
        resume=copy_with(
            held_roll, nth=turn.nth, rolls=_rolls(new_events), seeded=tuple(sorted(_seed_purposes(new_events))),
            target=check.target,
        ),
    )  # fmt: skip


def _rolls(new_events: Events) -> dict[str, tuple[int, ...]]:
    """All that was thrown, by its purpose."""
    rolls_given: dict[str, tuple[int, ...]] = {}
    for event in new_events:
        if isinstance(event, DiceRolled):
            rolls_given[event.purpose] = (*rolls_given.get(event.purpose, ()), *event.faces)
    return rolls_given


def _seed_purposes(new_events: Events) -> set[str]:
    """For what the engine has thrown the dice itself."""
    return {event.purpose for event in new_events if isinstance(event, DiceRolled) and event.source == "seed"}


# Going on


def settle_fate(decision: Decision, prompt: Prompt, answer: Answer, handlers: Handlers) -> None:
    """The roll stands, or a token changes it; then all that hangs on it follows.

    Args:
        decision: what is decided; this emits into it.
        prompt: the question, with what it holds back.
        answer: the answer.
        handlers: what carries out that which was held back.

    Raises:
        Refused: what was typed is no number of a d100.
    """
    state, dice = decision.state, decision.dice
    held_roll = resume_of(prompt, HeldRoll)
    try:
        before = _as_thrown(held_roll, _ask_again(state, held_roll, Dice("", 0, held_roll.rolls), handlers))
    except Refused:
        # Since it was asked, whoever was to do this has fallen or left, or the like: nothing comes of the roll.
        return
    turn = turn_in(state, before, held_roll.nth)
    if answer.choice == STANDS or turn is None:
        decision.emit(*_next_question(state, held_roll, before, turn))
        return
    spenders = _spenders_of(turn)
    number = _number_of(answer, turn.check, spends=answer.choice in spenders)
    holder, colour = spenders.get(answer.choice, turn.by[0])
    combatant = state.combatants[holder]
    on = f"{turn.check.kind}, {turn.check.roll} becomes {number}"
    decision.emit(*tokens.spend_token(combatant, colour, on))
    new_rolls, held_roll = _change_rolls(held_roll, before, turn, number)
    new_events = _ask_again(decision.state, held_roll, dice.with_faces(new_rolls), handlers)
    decision.emit(*_as_thrown(held_roll, new_events, besides=turn))


def _as_thrown(held_roll: HeldRoll, new_events: Events, besides: Turn | None = None) -> Events:
    """The same with dice of the engine told as such, but for the one that a token has changed."""
    return tuple(
        replace(event, source="seed")
        if isinstance(event, DiceRolled)
        and event.purpose in held_roll.seeded
        and (besides is None or place != besides.place)
        else event
        for place, event in enumerate(new_events)
    )


def _number_of(answer: Answer, check: events.CheckResolved, *, spends: bool) -> int:
    """The roll as it becomes: as typed, else clearly the other way."""
    if spends:
        return turn_roll(check.chance or 0, succeeds=not check.ok) or 1
    number = answer.amount
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= 100:
        raise Refused("CS-653", f"{number!r} is no roll", ("1 to 100", STANDS, SPEND), final=True)
    return number


def _spenders_of(turn: Turn) -> Mapping[str, tuple[str, str]]:
    """The answers by which a token is spent, each with whose it is and its colour."""
    return {f"{SPEND}{place + 1 if place else ''}": spender for place, spender in enumerate(turn.by)}


def _next_question(state: FightState, held_roll: HeldRoll, new_events: Events, turn: Turn | None) -> Events:
    """It stands: carried out, unless another roll of it may be turned."""
    later = None if turn is None else turn_in(state, new_events, turn.nth + 1)
    if later is None:
        return new_events
    return (RulingAsked(prompt=_question(state, later, new_events, held_roll)),)


def _change_rolls(
    held_roll: HeldRoll, new_events: Events, turn: Turn, number: int
) -> tuple[dict[str, tuple[int, ...]], HeldRoll]:
    """The throws with the one that the token has changed; one thrown before is kept in the question itself."""
    roll = new_events[turn.place]
    purpose = roll.purpose if isinstance(roll, DiceRolled) else ""
    earlier = [
        event for event in new_events[: turn.place] if isinstance(event, DiceRolled) and event.purpose == purpose
    ]
    place = sum(len(event.faces) for event in earlier)
    faces = held_roll.rolls[purpose]
    new_rolls = {**held_roll.rolls, purpose: (*faces[:place], number, *faces[place + 1 :])}
    return new_rolls, copy_with(held_roll, prompt=_with_die(held_roll.prompt, number)) if turn.nth == 0 else held_roll


def _with_die(prompt: Prompt | None, number: int) -> Prompt | None:
    """A question whose die was thrown before it, with another number on it; any other as it is."""
    resume = None if prompt is None else prompt.resume
    if prompt is None or not isinstance(resume, AskedCheck | HeldBlow | AskedReach) or resume.thrown.check is None:
        return prompt
    return replace(prompt, resume=copy_with(resume, thrown=replace(resume.thrown, check=number)))


def _ask_again(state: FightState, held_roll: HeldRoll, dice: Dice, handlers: Handlers) -> Events:
    """What was held back, carried out with these dice."""
    command, held_prompt = held_roll.command, held_roll.prompt
    if held_prompt is not None and isinstance(command, Answer):
        again = Decision(state, dice, Referee(command.type, held_prompt.who, command.force))
        handlers.answer(again, held_prompt, command)
        return again.events
    who = fields_of_record(command).get("who")
    judge = Referee(command.type, str(who or ""), command.force)
    # What has come up since does not stand in its way: it was given before.
    free = replace(state, prompts=tuple(prompt for prompt in state.prompts if not prompt.blocking))
    return handlers.decide(Decision(free, dice, judge), command)
