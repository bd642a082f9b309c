"""Handling objects: missing numbers, checks, hands; taking, handing over and struggling (CS-146, CS-200 to CS-212).

A number that a difficulty needs is asked for in the middle. Those with hands on an object that several hold check at
the end of each segment after the one in which it began, by command or by a question; those who fail let go.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import TypeVar, cast

from fightcall_engine.kit.decision import Decision, record_roll, whole
from fightcall_engine.kit.records import combatant_of
from fightcall_engine.kit.views import Check, enforce
from fightcall_engine.model.errors import Accepted, FieldValue, Refused
from fightcall_engine.model.state import Choice, Combatant, FightState, fields_of_record
from fightcall_engine.model.values import remembered, replace, with_fields
from fightcall_engine.systems.segments.rules import attacks
from fightcall_engine.systems.segments.rules.formulas import Part, Sum, exact, halved_by_time, simplify
from fightcall_engine.systems.segments.state import commands, condition, items, paths, places, queries, rolls
from fightcall_engine.systems.segments.state.records import Struggle, fighter_of, profile_of
from fightcall_engine.systems.segments.state.rolls import HandleCheck

NUMBER_PROMPT = "object"
"""The kind of the question for a number that a difficulty needs."""

MOST_MEASURE = 100_000
"""The largest measure that is accepted, in any unit."""

HALVED_BY_TIME = ("snatch", "leap", "find", "throw")
"""Deeds whose difficulty is halved if their Action is given twice its time (CS-129)."""

T = TypeVar("T")


class MissingNumber(Exception):
    """A number, or one of some people, is needed and not given: its field, the question, and the rule that needs it."""

    def __init__(self, name: str, question: str, rule: str, people: tuple[Choice, ...] = ()) -> None:
        super().__init__(question)
        self.name, self.question, self.rule, self.people = name, question, rule, people


class NeverMind(Exception):
    """Nobody can tell a number that a deed needs: nothing more comes of it."""


def measure_of(command: commands.Handle, name: str, question: str, rule: str, default: float | None = None) -> Fraction:
    """A measure that the command gives, or the default, exact to a thousandth; MissingNumber if there is neither."""
    given = cast("float | None", fields_of_record(command)[name])
    value = default if given is None else given
    if value is None:
        raise MissingNumber(name, question, rule)
    if not (isfinite(value) and 0 <= value <= MOST_MEASURE):
        raise Refused(rule, f"{name} can't be {value}", (f"0 to {MOST_MEASURE}",), final=True)
    return exact(value)


def whole_number_of(command: commands.Handle, name: str, question: str, rule: str) -> int:
    """A count or points that the command gives; MissingNumber if it does not."""
    value = measure_of(command, name, question, rule)
    if value.denominator != 1:
        raise Refused(rule, f"{name}: {float(value):g} is not a whole number", ("0 or more",), final=True)
    return int(value)


def with_numbers(
    decision: Decision,
    command: commands.Handle,
    combatant: Combatant,
    reckon: Callable[[commands.Handle], T],
    *,
    asks: bool = True,
) -> tuple[commands.Handle, T]:
    """What a deed reckons with, and the command with the numbers asked for it; NeverMind if one is not given."""
    while True:
        try:
            return command, reckon(command)
        except MissingNumber as missing:
            if not asks:
                raise
            command = _ask_number(decision, command, combatant, missing)
        except ValueError as error:
            raise Refused("M-03", str(error), ("a longer scale (progressive_values)",), final=True) from error


def with_difficulty(
    decision: Decision, command: commands.Handle, combatant: Combatant, reckon: Callable[[commands.Handle], Sum | None]
) -> tuple[commands.Handle, Sum | None]:
    """The same for a difficulty; None if it lacks a number and the command gives the chance or outcome anyway."""
    is_given = command.hit is not None or command.chance is not None
    try:
        return with_numbers(decision, command, combatant, reckon, asks=not is_given)
    except MissingNumber:
        return command, None


def _ask_number(
    decision: Decision, command: commands.Handle, combatant: Combatant, missing: MissingNumber
) -> commands.Handle:
    skip = "skip:it can't break" if missing.name == "stp" else "skip:never mind"
    answer = decision.ask_about(
        combatant, NUMBER_PROMPT, missing.rule, missing.question, *missing.people, skip,
        amount="" if missing.people else missing.name, about=tuple(filter(None, (command.other, *command.people))),
    )  # fmt: skip
    if answer.choice in ("", "skip"):
        raise NeverMind
    if missing.people:
        return replace(command, other=answer.choice)
    value = answer.value if answer.amount is None else answer.amount
    try:
        number = float(str(value))
    except ValueError:
        number = float("nan")
    if isinstance(value, bool) or not isfinite(number):
        raise Refused(missing.rule, f"{value!r} is not a number", ("0 or more",), final=True)
    return with_fields(command, {missing.name: int(number) if number == int(number) else number})


def _moving_at(state: FightState, combatant: Combatant) -> float:
    """The speed in mph of the last movement in this segment; 0 after stopping in an earlier Pulse (CS-212)."""
    return float(paths.speed_now(state, combatant)) if fighter_of(combatant).rate != "still" else 0.0


def attribute_sum(state: FightState, combatant: Combatant, name: str, rule: str) -> Sum:
    """An attribute as it is rolled, less waning Surprise and pain."""
    plain = condition.score_sum(state, combatant, name, rule)
    return condition.subtract_penalties(state, combatant, plain, defensive=False)


def value_of(state: FightState, combatant: Combatant, name: str, rule: str, command: commands.Handle) -> Sum:
    """An attribute as it is rolled, or set by the GM, with the command's modifier."""
    given = None if command.av is None else Sum((Part("set by the GM", command.av, rule),))
    return (given or attribute_sum(state, combatant, name, rule)).add("modifier", command.modifier, "M-07")


def is_resolution_of_deed(state: FightState, combatant: Combatant) -> bool:
    """Whether a combatant is in the Resolution of an Action that handles an object, or is given in words only."""
    action, whose = queries.action_of(combatant), queries.actor_of(state)
    is_own_turn = queries.kind_of(state) == queries.RESOLVE and whose is not None and whose.id == combatant.id
    return is_own_turn and action.kind in (queries.OBJECT, queries.ACT) and queries.is_due(combatant)


def make_trial(
    decision: Decision,
    command: commands.Handle,
    combatant_id: str,
    what: str,
    rule: str,
    av: Sum | None,
    dv: Sum | None,
    question: str = "",
    *,
    requested: bool = True,
) -> rolls.Verdict | None:
    """Make a check in handling an object, or of its own structure (STP); None if somebody who takes part has left."""
    combatant = decision.state.combatants[combatant_id]
    is_own_deed = combatant_id == command.who and command.what in HALVED_BY_TIME
    if dv is not None and is_own_deed and is_resolution_of_deed(decision.state, combatant):
        dv = halved_by_time(dv) if queries.action_of(combatant).double_time else dv
    people = tuple(filter(None, (command.who, command.other, *command.people)))
    return rolls.make_check(
        decision, combatant_id, what, av, dv, rule, question, requested=requested,
        chance=command.chance, hit=command.hit, asked=HandleCheck(people=people),
    )  # fmt: skip


# Hands that take, hold and let go of objects


@remembered
def hand_checks(combatant: Combatant, hand: str = "", taken: str = "") -> tuple[Check, ...]:
    """CS-146: using a hand needs one that no declaration binds; taking `taken` needs an empty one."""
    bound_parts = items.parts_in_use(combatant)
    if queries.BODY in bound_parts:
        bound_parts = (*bound_parts, *items.HANDS)
    hands = (hand,) if hand in items.HANDS else items.HANDS
    free_hands = [other for other in items.HANDS if other not in bound_parts]
    free = any(item in free_hands for item in hands)
    message = f"{combatant.name}'s hands are busy: {queries.action_of(combatant).text or 'an Action is declared'}"
    busy_check = Check(free, "CS-146", message, (*(FieldValue("hand", other) for other in free_hands), "abort"))
    # An item of the sheet needs hands that hold nothing else; for other objects hands are not tracked.
    name = items.clean_name(taken)
    item = items.lost_item(combatant, name) or items.item_named(combatant, name)
    if item is None or items.hands_holding(combatant, items.name_of(item)):
        return (busy_check,)
    empty = items.empty_hands(combatant)
    fits = len(empty) == len(items.HANDS) if item.get("two_handed") else hand in empty if hand else bool(empty)
    held = dict.fromkeys(map(items.name_of, items.items_in_hand(combatant).values()))
    message = f"{combatant.name} has no hand free for {items.name_of(item)}: {', '.join(held)} in hand"
    accepts: tuple[Accepted, ...] = (
        *(FieldValue("hand", other) for other in empty if not item.get("two_handed")),
        *(f"drop {name} first" for name in held),
    )
    return (busy_check, Check(fits, "CS-146", message, accepts))


def with_partner(
    decision: Decision, command: commands.Handle, combatant: Combatant, rule: str
) -> tuple[commands.Handle, Combatant]:
    """The other who takes part, asked for if nobody is named, and the command with it."""
    others = tuple(Choice(other.id, other.name) for other in places.others_known(decision.state, combatant))
    if not command.other and others:
        question = f"Who {'throws' if command.what == 'catch' else 'takes'} {command.thing}?"
        command = _ask_number(decision, command, combatant, MissingNumber("other", question, rule, others))
    if not command.other:
        raise Refused(rule, "no one else is here", ("someone to take it",), final=True)
    other = decision.combatant(command.other)
    if other.id == combatant.id:
        accepts = tuple(each for each in decision.state.combatants if each != combatant.id)
        raise Refused(rule, f"{combatant.name} can't do this alone", accepts, final=True)
    return command, other


def _hand_over(decision: Decision, combatant: Combatant, other: Combatant, command: commands.Handle) -> None:
    decision.emit(*items.drop_events(combatant, command.thing))
    decision.emit(
        items.move_object(decision.state, combatant.id, command.thing, "is handed over", other.id, other=other.id)
    )
    decision.emit(*items.pick_up_events(decision.state, other.id, items.clean_name(command.thing), ""))


def take_item(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-200: take a loose object within the combatant's Zone, without a check."""
    enforce(_taking_checks(decision.state, combatant, command), decision.referee)
    _reach_object(decision, combatant, command, "is taken")


def snatch_item(decision: Decision, command: commands.Handle, combatant: Combatant) -> rolls.Verdict | None:
    """CS-201: snatch an object on the run, with a CRD check against speed and Size."""
    enforce(_taking_checks(decision.state, combatant, command), decision.referee)

    def snatch_dv(command: commands.Handle) -> Sum:
        question, default = f"How fast does {combatant.name} move, in mph?", _moving_at(decision.state, combatant)
        speed = measure_of(command, "speed", question, "CS-201", default or None)
        size = measure_of(command, "size", f"What is the Size of {command.thing}, in feet?", "CS-201")
        return attacks.snatch_dv(simplify(speed), simplify(size))

    command, dv = with_difficulty(decision, command, combatant, snatch_dv)
    av = value_of(decision.state, combatant, "crd", "CS-201", command)
    return _snatch(decision, command, make_trial(decision, command, combatant.id, "CRD", "CS-201", av, dv))


def leap_for_item(decision: Decision, command: commands.Handle, combatant: Combatant) -> rolls.Verdict | None:
    """CS-202: leap for an object, with an AGL check against the distance."""
    leap = float(profile_of(combatant).leap_feet) if command.leap is None else command.leap
    problem = f"{combatant.name} leaps {leap:g} ft, {command.thing} is {command.feet or 0:g} ft away"
    near = Check(not leap or (command.feet or 0) <= leap, "CS-202", problem, (f"feet {leap:g}",))
    enforce((*_taking_checks(decision.state, combatant, command), near), decision.referee)
    question = f"How far is {command.thing} from {combatant.name}, in feet?"
    command, dv = with_difficulty(
        decision, command, combatant,
        lambda command: attacks.leap_dv(simplify(measure_of(command, "feet", question, "CS-202"))),
    )  # fmt: skip
    av = value_of(decision.state, combatant, "agl", "CS-202", command)
    return _snatch(decision, command, make_trial(decision, command, combatant.id, "AGL", "CS-202", av, dv))


def _snatch(decision: Decision, command: commands.Handle, verdict: rolls.Verdict | None) -> rolls.Verdict | None:
    if verdict is None:
        return None
    combatant = decision.combatant(command.who)
    if verdict.ok:
        _reach_object(decision, combatant, command, "is snatched")
    else:
        holder = items.holder_of(decision.state, command.thing)
        decision.emit(items.move_object(decision.state, combatant.id, command.thing, "is missed", holder))
    return verdict


def find_item(decision: Decision, command: commands.Handle, combatant: Combatant) -> rolls.Verdict | None:
    """CS-209: find an object, with a CRD check if other things are in the way or one moves."""
    enforce(_taking_checks(decision.state, combatant, command), decision.referee)
    question = f"How many other things are with {command.thing} in the container?"

    def container_dv(command: commands.Handle) -> Sum:
        others = whole_number_of(command, "others", question, "CS-209")
        speed = measure_of(command, "speed", "", "CS-209", _moving_at(decision.state, combatant))
        return attacks.container_dv(others, simplify(speed), rolls.scale_of(decision.state))

    command, dv = with_difficulty(decision, command, combatant, container_dv)
    combatant = decision.combatant(command.who)
    if dv is not None and not any(part.value for part in dv.parts):
        _reach_object(decision, combatant, command, "is found")
        return None
    av = value_of(decision.state, combatant, "crd", "CS-209", command)
    verdict = make_trial(decision, command, combatant.id, "CRD", "CS-209", av, dv)
    if verdict is not None and verdict.ok:
        _reach_object(decision, decision.combatant(command.who), command, "is found")
    elif verdict is not None:
        decision.spawn(_ask_what_comes_out, command)
    return verdict


def _ask_what_comes_out(decision: Decision, command: commands.Handle) -> None:
    """CS-210: nothing comes out of the container, or something else, named by the answer's value or note."""
    combatant = decision.combatant(command.who)
    answer = decision.ask_about(
        combatant, "wrong_item", "CS-210",
        f"{combatant.name} doesn't find {command.thing}. Does something else come out? (type its name)",
        "nothing", "something:something else", default="nothing",
    )  # fmt: skip
    state = decision.state
    if answer.choice == "nothing":
        holder = items.holder_of(state, command.thing)
        decision.emit(items.move_object(state, combatant.id, command.thing, "is not found", holder))
    elif answer.choice:
        name_text = answer.value if isinstance(answer.value, str) else answer.note
        name = items.clean_name(name_text or "") or "something else"
        how = f"comes out instead of {items.clean_name(command.thing)}"
        decision.emit(items.move_object(state, combatant.id, name, how, combatant.id))


def hand_over(decision: Decision, command: commands.Handle, combatant: Combatant) -> rolls.Verdict | None:
    """CS-211, CS-212: hand over an object; if either moves, the receiver makes a CRD check."""
    command, other = with_partner(decision, command, combatant, "CS-211")
    state = decision.state
    combatant = decision.combatant(command.who)
    # Without a board the GM decides.
    is_near = not places.can_measure(state, combatant, other) or places.is_engaged(state, combatant, other)
    problem = f"{other.name} is not within reach of {combatant.name}"
    checks = (
        *giving_checks(state, command, combatant, other, "CS-211"),
        Check(is_near, "CS-211", problem, ("throw it", "come nearer")),
    )
    enforce(checks, decision.referee)
    own_speed = measure_of(command, "speed", "", "CS-212", _moving_at(state, combatant))
    theirs = measure_of(command, "other_speed", "", "CS-212", _moving_at(state, other))
    dv = attacks.hand_over_dv(simplify(own_speed), simplify(theirs))
    if dv is None:
        _hand_over(decision, combatant, other, command)
        return None
    av = value_of(state, other, "crd", "CS-212", command)
    verdict = make_trial(decision, command, other.id, "CRD", "CS-212", av, dv)
    if verdict is None:
        return None
    combatant, other = decision.combatant(command.who), decision.combatant(other.id)
    if verdict.ok:
        _hand_over(decision, combatant, other, command)
        return verdict
    decision.emit(*items.drop_events(combatant, command.thing))
    decision.emit(items.move_object(decision.state, other.id, command.thing, "is fumbled", "", other=combatant.id))
    return verdict


def giving_checks(
    state: FightState, command: commands.Handle, combatant: Combatant, other: Combatant | None, rule: str
) -> tuple[Check, ...]:
    """CS-211, CS-213, CS-227: nobody else has the object, and the one who gets it, if any, has a hand for it."""
    holder = items.holder_of(state, command.thing)
    name = state.combatants[holder].name if holder else ""
    free_check = Check(holder in ("", combatant.id), rule, f"{name} has {command.thing}", (name,))
    if other is None:
        return (free_check,)
    return (free_check, queries.able_check(other, "CS-111"), *hand_checks(other, "", command.thing))


# Struggles: joining (CS-203 to CS-208)


def _reach_object(decision: Decision, combatant: Combatant, command: commands.Handle, how: str) -> None:
    """Take an object; if another has taken it in this segment too, both have hands on it (CS-203)."""
    state = decision.state
    name = items.clean_name(command.thing)
    going_on = items.struggle_for(state, name)
    if going_on is not None and combatant.id not in going_on.all_hands:
        _join_struggle(decision, going_on, combatant)
        return
    holder = items.holder_of(state, name)
    if holder and holder != combatant.id and items.has_changed_hands_now(state, name):
        _begin_struggle(decision, name, (holder, combatant.id), command.stp)
        return
    decision.emit(items.move_object(state, combatant.id, name, how, combatant.id))
    decision.emit(*items.pick_up_events(decision.state, combatant.id, name, command.hand))


def _begin_struggle(decision: Decision, thing: str, people: tuple[str, ...], stp: int | None) -> None:
    """CS-203: begin a struggle; its first contest is in the next segment."""
    state = decision.state
    decision.emit(items.move_object(state, people[-1], thing, "is held by several", other=people[0]))
    decision.emit(items.change_struggle(decision.state, Struggle(thing, state.round + 1, people, stp=stp)))
    decision.spawn(_strain_object, thing)


def _join_struggle(decision: Decision, struggle: Struggle, *people: Combatant) -> None:
    """CS-204: join a struggle; those who join in the segment of a contest take part in the next one."""
    state = decision.state
    more = tuple(combatant.id for combatant in people)
    struggle = replace(struggle, lost=tuple(each for each in struggle.lost if each not in more))
    if state.round >= struggle.due:
        struggle = replace(struggle, late=(*struggle.late, *more))
    else:
        struggle = replace(struggle, hands=(*struggle.hands, *more))
    decision.emit(items.change_struggle(state, struggle))
    decision.spawn(_strain_object, struggle.thing)


def _taking_checks(state: FightState, combatant: Combatant, command: commands.Handle) -> tuple[Check, ...]:
    """CS-203, CS-205: taking an object that another already held is a struggle; a struggle has limited room."""
    name = items.clean_name(command.thing)
    holder = items.holder_of(state, name)
    free = not holder or holder == combatant.id or items.has_changed_hands_now(state, name)
    holder_name = state.combatants[holder].name if holder else ""
    going_on = items.struggle_for(state, name)
    hands = {combatant.id, *(going_on.all_hands if going_on is not None else ())}
    return (
        Check(free, "CS-203", f"{holder_name} has {name}", ("struggle", "hand_over")),
        _room_check(len(hands), command.most),
        _lost_hold_check(going_on, combatant),
    )


def _lost_hold_check(struggle: Struggle | None, combatant: Combatant) -> Check:
    """CS-206: a combatant who has lost hold of an object is out of the struggle until a winner has it."""
    is_out = struggle is not None and combatant.id in struggle.lost
    return Check(not is_out, "CS-206", f"{combatant.name} is out of the contest", ("the others", "the GM's ruling"))


def _room_check(count: int, most: int) -> Check:
    most = min(most, attacks.MOST_HANDS)
    return Check(count <= most, "CS-205", f"only {most} can hold it at once", (f"{most} at most",))


def decide_struggle(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-203 to CS-206: seize an object that others hold, or check to keep hold of it."""
    state, name = decision.state, items.clean_name(command.thing)
    going_on = items.struggle_for(state, name)
    people = dict.fromkeys((combatant.id, *(combatant_of(state, combatant_id).id for combatant_id in command.people)))
    if going_on is not None and combatant.id in going_on.all_hands and len(people) == 1:
        is_late, has_rolled = combatant.id in going_on.late, combatant.id in (*going_on.made, *going_on.lost)
        late = f"{combatant.name} joined late and rolls in the next segment"
        decision.require(
            Check(state.round >= going_on.due, "CS-203", f"they roll in segment {going_on.due}", ("advance",)),
            Check(not is_late, "CS-204", late, ("advance",)),
            Check(not has_rolled, "CS-206", f"{combatant.name} has already rolled", ("the others",)),
        )
        _contest(decision, command, combatant.id, True)
        return
    before = going_on.all_hands if going_on is not None else tuple(filter(None, (items.holder_of(state, name),)))
    new = tuple(state.combatants[combatant_id] for combatant_id in people if combatant_id not in before)
    for other in new:
        decision.require(queries.able_check(other, "CS-111"), *hand_checks(other), _lost_hold_check(going_on, other))
    decision.require(_room_check(len(before) + len(new), command.most))
    if going_on is not None:
        if command.stp is not None:
            going_on = replace(going_on, stp=command.stp)
        _join_struggle(decision, going_on, *new)
        return
    everyone = (*before, *(other.id for other in new))
    if len(everyone) < 2:
        raise Refused("CS-203", f"no one else is holding {name}", ("take", "people: who else"), final=True)
    _begin_struggle(decision, name, everyone, command.stp)


# Struggles: contests


def _contest(decision: Decision, command: commands.Handle, combatant_id: str, requested: bool) -> None:
    """CS-203: check STR or CRD, as the GM decides: the text has no number for it, so the chance is the GM's."""
    state = decision.state
    combatant = state.combatants[combatant_id]
    av = None if command.av is None else value_of(state, combatant, "str", "CS-203", command)
    strength, coordination = (rolls.rounded(attribute_sum(state, combatant, x, "CS-203")) for x in ("str", "crd"))
    scores = f"STR {strength}, CRD {coordination}"
    question = f"{combatant.name} struggles for {items.clean_name(command.thing)} ({scores})"
    verdict = make_trial(decision, command, combatant_id, "STR/CRD", "CS-203", av, None, question, requested=requested)
    going_on = items.struggle_for(decision.state, command.thing)
    if verdict is None or going_on is None or combatant_id not in going_on.hands:
        return
    if combatant_id in (*going_on.made, *going_on.lost):
        return
    if verdict.ok:
        going_on = replace(going_on, made=(*going_on.made, combatant_id))
    else:
        going_on = replace(going_on, lost=(*going_on.lost, combatant_id))
    decision.emit(items.change_struggle(decision.state, going_on))
    # When all have checked, one has the object, several go on, or it flies off (CS-206).
    state = decision.state
    if any(combatant_id not in (*going_on.made, *going_on.lost) for combatant_id in going_on.hands):
        return
    outcome = attacks.struggle({combatant_id: combatant_id in going_on.made for combatant_id in going_on.hands})
    holding = (*outcome.holding, *going_on.late)
    if not holding:
        # It flies off in a random direction (CS-207).
        roll = decision.dice.roll("d8", "direction")
        octant = attacks.flies_to(roll.total)
        decision.emit(record_roll(roll), items.change_struggle(state, replace(going_on, hands=(), late=()), over=True))
        decision.emit(items.move_object(decision.state, going_on.hands[0], going_on.thing, "flies off", octant=octant))
        return
    if len(holding) == 1:
        _win_struggle(decision, going_on, holding[0])
        return
    next_contest = replace(going_on, due=state.round + 1, hands=holding, late=(), made=())
    decision.emit(items.change_struggle(state, next_contest))


def _win_struggle(decision: Decision, going_on: Struggle, combatant_id: str) -> None:
    decision.emit(items.change_struggle(decision.state, replace(going_on, hands=(combatant_id,), late=()), over=True))
    decision.emit(items.move_object(decision.state, combatant_id, going_on.thing, "is won", combatant_id))
    decision.emit(*items.pick_up_events(decision.state, combatant_id, going_on.thing, ""))


def at_end(decision: Decision) -> None:
    """CS-203, CS-206: ask those who have yet to check, as the segment ends."""
    for going_on in items.struggles_of(decision.state):
        hands = going_on.all_hands
        if not hands:
            decision.emit(items.change_struggle(decision.state, going_on, over=True))
        elif len(hands) == 1:
            _win_struggle(decision, going_on, hands[0])
        elif decision.state.round >= going_on.due:
            for combatant_id in going_on.hands:
                if combatant_id not in (*going_on.made, *going_on.lost):
                    command = commands.Handle(who=combatant_id, what="struggle", thing=going_on.thing)
                    decision.spawn(_contest, command, combatant_id, False)


# Struggles: strain


def _strain_object(decision: Decision, thing: str) -> None:
    """CS-208: if the combined STR reaches the object's structure it may break; ask for the structure (M-14)."""
    state = decision.state
    going_on = items.struggle_for(state, thing)
    if going_on is None or going_on.strained or not going_on.hands:
        return
    combatant = state.combatants[going_on.hands[0]]
    if going_on.stp is None:
        answer = decision.ask_about(
            combatant, "structure", "CS-208", f"How many STP does {thing} have? The struggle may break it.",
            "skip:it can't break", default="skip", amount="stp", blocking=False,
        )  # fmt: skip
        going_on = items.struggle_for(decision.state, thing)
        if answer.choice not in ("", "skip") and going_on is not None:
            stp = whole("CS-208", answer.amount, 0, "number of STP", besides=("skip",))
            decision.emit(items.change_struggle(decision.state, replace(going_on, stp=stp)))
            _strain_object(decision, thing)
        return
    people = tuple(state.combatants[combatant_id] for combatant_id in going_on.all_hands)
    mods = tuple(profile_of(other).mods.str for other in people)
    if not attacks.strains(mods, going_on.stp):
        return
    parts = (Part(f"{other.name}'s STR modifier", mod, "CS-208") for other, mod in zip(people, mods, strict=True))
    decision.emit(items.change_struggle(state, replace(going_on, strained=True)))
    question = f"{thing}, STP {going_on.stp}, between hands of STR {sum(mods):+d}: does it hold"
    verdict = rolls.make_check(
        decision, combatant.id, "STP", going_on.stp, None, "CS-208", question, owed=True,
        parts=rolls.parts_of(Sum(tuple(parts))),
    )  # fmt: skip
    going_on = items.struggle_for(decision.state, thing)
    if verdict is None or verdict.ok or going_on is None:
        return
    decision.emit(items.change_struggle(decision.state, replace(going_on, hands=(), late=()), over=True))
    decision.emit(items.move_object(decision.state, combatant.id, going_on.thing, "breaks"))
