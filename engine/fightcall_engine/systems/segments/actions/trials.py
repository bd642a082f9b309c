"""Handling objects: missing numbers, checks, and hands (CS-146, CS-200..227).

A `Handle` that lacks something is kept in the question for it, so that the answer can resume it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import isfinite

from fightcall_engine.kit.checks import Check
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.records import resume_of
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Accepted, FieldValue, Refused
from fightcall_engine.model.events import Events, RulingAsked
from fightcall_engine.model.state import Choice, Combatant, FightState, Prompt
from fightcall_engine.model.values import frozen
from fightcall_engine.systems.segments.positions import meetings, places
from fightcall_engine.systems.segments.rules.numbers import Part, Sum, exact
from fightcall_engine.systems.segments.rules.tasks import halved_by_time
from fightcall_engine.systems.segments.state import commands, items, queries, relations, rolls, scores, things
from fightcall_engine.systems.segments.state.action import ACT, BODY, OBJECT, action_of, is_due
from fightcall_engine.systems.segments.state.fighter import fighter_of
from fightcall_engine.systems.segments.state.questions import AskedHandling, HandleCheck, without_dice

NUMBER_PROMPT = "object"
"""The kind of the question for a number that a difficulty needs."""

_MOST = 100_000
"""The largest measure that is accepted, in any unit."""


class MissingNumber(Exception):
    """A number, or one of some people, is needed and not given: its field, the question, and the rule that needs it."""

    def __init__(self, name: str, question: str, rule: str, people: tuple[Choice, ...] = ()) -> None:
        super().__init__(question)
        self.name, self.question, self.rule, self.people = name, question, rule, people


# Resuming a command


def command_of(prompt: Prompt) -> commands.Handle:
    """The command that a question is about."""
    resume = prompt.resume
    return resume.command if isinstance(resume, HandleCheck) else resume_of(prompt, AskedHandling).command


# Numbers

NUMBERS: Mapping[str, Callable[[commands.Handle], float | None]] = {
    "others": lambda command: command.others,
    "feet": lambda command: command.feet,
    "size": lambda command: command.size,
    "pounds": lambda command: command.pounds,
    "stp": lambda command: command.stp,
    "speed": lambda command: command.speed,
    "other_speed": lambda command: command.other_speed,
    "to_start": lambda command: command.to_start,
    "to_landing": lambda command: command.to_landing,
    "leap": lambda command: command.leap,
}
"""The numbers that a command can give for a difficulty, by its field."""


def measure_of(command: commands.Handle, name: str, question: str, rule: str, default: float | None = None) -> Fraction:
    """A measure that the command gives, or the default, exact to a thousandth.

    Raises:
        MissingNumber: there is neither.
        Refused: it is below 0 or not a number.
    """
    value = NUMBERS[name](command)
    value = default if value is None else value
    if value is None:
        raise MissingNumber(name, question, rule)
    if not (isfinite(value) and 0 <= value <= _MOST):
        raise Refused(rule, f"{name} can't be {value}", (f"0 to {_MOST}",), final=True)
    return exact(value)


def whole_number_of(command: commands.Handle, name: str, question: str, rule: str) -> int:
    """A count or points that the command gives.

    Raises:
        MissingNumber: it does not.
        Refused: it is below 0.
    """
    value = measure_of(command, name, question, rule)
    if value.denominator != 1:
        raise Refused(rule, f"{name}: {float(value):g} is not a whole number", ("0 or more",), final=True)
    return int(value)


def known_difficulty(command: commands.Handle, reckon: Callable[[], Sum | None]) -> Sum | None:
    """A difficulty; None if it lacks a number and the command gives the chance or outcome anyway.

    Raises:
        MissingNumber: it lacks a number, and the command gives neither.
    """
    try:
        return reckon()
    except MissingNumber:
        if command.hit is None and command.chance is None:
            raise
        return None


def moving_at(state: FightState, combatant: Combatant) -> float:
    """A combatant's speed in mph by its last movement in this segment; 0 for standing still.

    A combatant who has stopped in an earlier Pulse stands still (CS-212).
    """
    return float(meetings.speed_now(state, combatant)) if fighter_of(combatant).rate != "still" else 0.0


def ask_missing(command: commands.Handle, combatant: Combatant, missing: MissingNumber) -> Events:
    """Ask for a missing number; the answer resumes the command."""
    skip = "skip:it can't break" if missing.name == "stp" else "skip:never mind"
    prompt = prompt_for(
        combatant,
        kind=NUMBER_PROMPT,
        question=missing.question,
        rule=missing.rule,
        choices=choices(*missing.people, skip),
        amount="" if missing.people else missing.name,
        resume=AskedHandling(command=without_dice(command), missing=missing.name),
    )
    return (RulingAsked(prompt=prompt),)


def fill_number(prompt: Prompt, answer: Answer) -> commands.Handle | None:
    """The command with the number of an answer; None if it is cancelled.

    Raises:
        Refused: the answer is not a number.
    """
    question = resume_of(prompt, AskedHandling)
    command, name = question.command, question.missing
    if answer.choice == "skip":
        return None
    if not prompt.amount:
        return replace(command, other=answer.choice)
    value = answer.value if answer.amount is None else answer.amount
    try:
        number = float(str(value))
    except ValueError:
        number = float("nan")
    if isinstance(value, bool) or not isfinite(number):
        raise Refused(prompt.rule, f"{value!r} is not a number", ("0 or more",), final=True)
    number_field: dict[str, float] = {name: int(number) if number == int(number) else number}
    return replace(command, **number_field)  # type: ignore[arg-type]


def attribute_sum(state: FightState, combatant: Combatant, name: str, rule: str) -> Sum:
    """An attribute as it is rolled, less waning Surprise and pain."""
    return scores.subtract_penalties(state, combatant, scores.score_sum(state, combatant, name, rule), defensive=False)


def value_of(state: FightState, combatant: Combatant, name: str, rule: str, command: commands.Handle) -> Sum:
    """An attribute as it is rolled, or set by the GM, with the command's modifier."""
    base = (
        attribute_sum(state, combatant, name, rule)
        if command.av is None
        else Sum((Part("set by the GM", command.av, rule),))
    )
    if not command.modifier:
        return base
    return Sum((*base.parts, Part("modifier", command.modifier, "M-07")))


@frozen
class Trial:
    """A check in handling an object.

    Attributes:
        who: the one who checks.
        kind: ``AGL``, ``CRD``, ``STR``, or ``STP`` for the object's own structure.
        rule: the rule that calls for it.
        then: what follows: a name in `rolls.CHECK_FOLLOW_UPS`.
        av: the value with its parts; None if the GM must give the chance.
        dv: the difficulty, likewise.
        chance: the typed percentage, or None.
        hit: whether it succeeds, by GM ruling.
        message: the question in other words.
    """

    who: Combatant
    kind: str
    rule: str
    then: str
    av: Sum | None = None
    dv: Sum | None = None
    chance: int | None = None
    hit: bool | None = None
    message: str = ""


def is_resolution_of_deed(state: FightState, combatant: Combatant) -> bool:
    """Whether a combatant is in the Resolution of an Action that handles an object, or is given in words only."""
    action, whose = action_of(combatant), queries.actor_of(state)
    is_own_turn = queries.kind_of(state) == queries.RESOLVE and whose is not None and whose.id == combatant.id
    return is_own_turn and action.kind in (OBJECT, ACT) and is_due(combatant)


def _apply_double_time(state: FightState, trial: Trial) -> Trial:
    """CS-129: the check with half the difficulty, if its Action is given twice its time."""
    is_deed = trial.then in ("snatched", "found", "thrown") and is_resolution_of_deed(state, trial.who)
    if trial.dv is None or not is_deed or not action_of(trial.who).double_time:
        return trial
    return replace(trial, dv=halved_by_time(trial.dv))


def call_check(decision: Decision, command: commands.Handle, trial: Trial) -> None:
    """Call for a check: roll it if its chance is known, else ask; then do what follows."""
    state, dice = decision.state, decision.dice
    trial = _apply_double_time(state, trial)
    av = None if trial.av is None else rolls.rounded(trial.av)
    dv = None if trial.dv is None else rolls.rounded(trial.dv)
    sums = tuple(total for total in (trial.av, trial.dv) if total is not None)
    decision.emit(rolls.request_check(trial.who.id, trial.kind, av, dv, rolls.parts_of(*sums)))
    prompt = trial_prompt(state, trial, command)
    verdict = rolls.settle_check(
        decision.state, trial.who.id, trial.kind, av=av, dv=dv, chance=trial.chance, hit=trial.hit, dice=dice
    )
    if verdict is None:
        decision.offer(prompt)
        return
    decision.emit(*verdict.events)
    rolls.follow_check(decision, prompt, verdict)


def trial_prompt(state: FightState, trial: Trial, command: commands.Handle) -> Prompt:
    """The question for a check."""
    check = HandleCheck(
        then=trial.then,
        what=trial.kind,
        av=None if trial.av is None else rolls.rounded(trial.av),
        dv=None if trial.dv is None else rolls.rounded(trial.dv),
        command=without_dice(command),
    )
    return rolls.check_prompt(state, trial.who, trial.rule, check, message=trial.message)


# Hands that take, hold and let go of objects


def hand_checks(combatant: Combatant, hand: str = "", taken: str = "") -> tuple[Check, ...]:
    """CS-146: using a hand needs one that no declaration binds; taking `taken` needs an empty one."""
    bound_parts = items.parts_in_use(combatant)
    if BODY in bound_parts:
        bound_parts = (*bound_parts, *items.HANDS)
    hands = (hand,) if hand in items.HANDS else items.HANDS
    free_hands = [other for other in items.HANDS if other not in bound_parts]
    free = any(item in free_hands for item in hands)
    message = f"{combatant.name}'s hands are busy: {action_of(combatant).text or 'an Action is declared'}"
    return (
        Check(free, "CS-146", message, (*(FieldValue("hand", other) for other in free_hands), "abort")),
        *_room_checks(combatant, taken, hand),
    )


def _room_checks(combatant: Combatant, taken: str, hand: str) -> tuple[Check, ...]:
    """CS-146: an item of the sheet needs hands that hold nothing else; for other objects hands are not tracked."""
    name = things.clean_name(taken)
    item = items.lost_item(combatant, name) or items.item_named(combatant, name)
    if item is None or items.hands_holding(combatant, items.name_of(item)):
        return ()
    empty = items.empty_hands(combatant)
    fits = len(empty) == len(items.HANDS) if item.get("two_handed") else hand in empty if hand else bool(empty)
    held = dict.fromkeys(map(items.name_of, items.items_in_hand(combatant).values()))
    message = f"{combatant.name} has no hand free for {items.name_of(item)}: {', '.join(held)} in hand"
    accepts: tuple[Accepted, ...] = (
        *(FieldValue("hand", other) for other in empty if not item.get("two_handed")),
        *(f"drop {name} first" for name in held),
    )
    return (Check(fits, "CS-146", message, accepts),)


def reach_check(state: FightState, combatant: Combatant, other: Combatant) -> Check:
    """CS-211: the other must be within close or common melee distance; without a board the GM decides."""
    near = not places.can_measure(state, combatant, other) or places.is_engaged(state, combatant, other)
    return Check(near, "CS-211", f"{other.name} is not within reach of {combatant.name}", ("throw it", "come nearer"))


def find_partner(state: FightState, command: commands.Handle, combatant: Combatant, rule: str) -> Combatant:
    """The other who takes part.

    Raises:
        MissingNumber: nobody is named.
        Refused: it is the combatant itself, or there is nobody else.
    """
    others = tuple(Choice(other.id, other.name) for other in relations.others_known(state, combatant))
    if not command.other and others:
        question = {"catch": f"Who throws {command.thing}?"}.get(command.what, f"Who takes {command.thing}?")
        raise MissingNumber("other", question, rule, others)
    if not command.other:
        raise Refused(rule, "no one else is here", ("someone to take it",), final=True)
    other = combatant_of(state, command.other)
    if other.id == combatant.id:
        raise Refused(
            rule,
            f"{combatant.name} can't do this alone",
            tuple(combatant_id for combatant_id in state.combatants if combatant_id != combatant.id),
            final=True,
        )
    return other


def pass_object(decision: Decision, combatant: Combatant, other: Combatant, command: commands.Handle, how: str) -> None:
    """Move an object from one hand into another's."""
    decision.emit(*items.drop_events(combatant, command.thing))
    decision.emit(things.move_object(decision.state, combatant.id, command.thing, how, other.id, other=other.id))
    decision.emit(*items.pick_up_events(decision.state, other.id, things.clean_name(command.thing), ""))
