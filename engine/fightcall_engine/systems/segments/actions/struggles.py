"""Struggles of several combatants for one object (CS-203 to CS-208).

Those with hands on an object check at the end of each segment after the one in which it began, by command or by a
question; those who fail let go.
"""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers
from fightcall_engine.kit.prompts import choices, prompt_for
from fightcall_engine.kit.rolls import record_roll
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import trials
from fightcall_engine.systems.segments.actions.trials import Trial
from fightcall_engine.systems.segments.rules import objects
from fightcall_engine.systems.segments.rules.numbers import Part, Sum
from fightcall_engine.systems.segments.state import commands, items, queries, rolls, things
from fightcall_engine.systems.segments.state.battle import Struggle
from fightcall_engine.systems.segments.state.profile import profile_of
from fightcall_engine.systems.segments.state.questions import AskedHandling, HandleCheck
from fightcall_engine.systems.segments.state.rolls import Verdict

STRUCTURE = "structure"
"""The kind of the question for an object's STP (CS-208)."""


# Joining


def reach_object(decision: Decision, combatant: Combatant, command: commands.Handle, how: str) -> None:
    """Take an object; if another has taken it in this segment too, both have hands on it (CS-203)."""
    state = decision.state
    name = things.clean_name(command.thing)
    going_on = things.struggle_for(state, name)
    if going_on is not None and combatant.id not in going_on.all_hands:
        join_struggle(decision, going_on, combatant)
        return
    holder = things.holder_of(state, name)
    if holder and holder != combatant.id and things.has_changed_hands_now(state, name):
        begin_struggle(decision, name, (holder, combatant.id), command.stp)
        return
    decision.emit(things.move_object(state, combatant.id, name, how, combatant.id))
    decision.emit(*items.pick_up_events(decision.state, combatant.id, name, command.hand))


def begin_struggle(decision: Decision, thing: str, people: tuple[str, ...], stp: int | None) -> None:
    """CS-203: begin a struggle; its first contest is in the next segment."""
    state = decision.state
    decision.emit(things.move_object(state, people[-1], thing, "is held by several", other=people[0]))
    decision.emit(things.change_struggle(decision.state, Struggle(thing, state.round + 1, people, stp=stp)))
    _strain_object(decision, thing)


def join_struggle(decision: Decision, struggle: Struggle, *people: Combatant) -> None:
    """CS-204: join a struggle; those who join in the segment of a contest take part in the next one."""
    state = decision.state
    more = tuple(combatant.id for combatant in people)
    is_late = state.round >= struggle.due
    struggle = replace(struggle, lost=tuple(each for each in struggle.lost if each not in more))
    if is_late:
        new_struggle = replace(struggle, late=(*struggle.late, *more))
    else:
        new_struggle = replace(struggle, hands=(*struggle.hands, *more))
    decision.emit(things.change_struggle(state, new_struggle))
    _strain_object(decision, struggle.thing)


def taking_checks(state: FightState, combatant: Combatant, command: commands.Handle) -> tuple[Check, ...]:
    """CS-203, CS-205: taking an object that another already held is a struggle; a struggle has limited room."""
    name = things.clean_name(command.thing)
    holder = things.holder_of(state, name)
    free = not holder or holder == combatant.id or things.has_changed_hands_now(state, name)
    holder_name = state.combatants[holder].name if holder else ""
    going_on = things.struggle_for(state, name)
    hands = {combatant.id, *(going_on.all_hands if going_on is not None else ())}
    return (
        Check(free, "CS-203", f"{holder_name} has {name}", ("struggle", "hand_over")),
        room_check(len(hands), command.most),
        lost_hold_check(going_on, combatant),
    )


def lost_hold_check(struggle: Struggle | None, combatant: Combatant) -> Check:
    """CS-206: a combatant who has lost hold of an object is out of the struggle until a winner has it."""
    is_out = struggle is not None and combatant.id in struggle.lost
    return Check(not is_out, "CS-206", f"{combatant.name} is out of the contest", ("the others", "the GM's ruling"))


def room_check(count: int, most: int) -> Check:
    """CS-205: at most eight people have hands on an object, or fewer by the GM's ruling for a small one."""
    most = min(most, objects.MOST_HANDS)
    return Check(count <= most, "CS-205", f"only {most} can hold it at once", (f"{most} at most",))


def decide_struggle(decision: Decision, command: commands.Handle, combatant: Combatant) -> None:
    """CS-203 to CS-206: seize an object that others hold, or check to keep hold of it."""
    state, referee = decision.state, decision.referee
    name = things.clean_name(command.thing)
    going_on = things.struggle_for(state, name)
    people = dict.fromkeys((combatant.id, *(combatant_of(state, combatant_id).id for combatant_id in command.people)))
    if going_on is not None and combatant.id in going_on.all_hands and len(people) == 1:
        _attempt_contest(decision, command, going_on, combatant)
        return
    before = going_on.all_hands if going_on is not None else tuple(filter(None, (things.holder_of(state, name),)))
    new = tuple(state.combatants[combatant_id] for combatant_id in people if combatant_id not in before)
    checks = [
        check
        for other in new
        for check in (queries.able_check(other, "CS-111"), *trials.hand_checks(other), lost_hold_check(going_on, other))
    ]
    enforce((*checks, room_check(len(before) + len(new), command.most)), referee)
    if going_on is not None:
        if command.stp is not None:
            going_on = replace(going_on, stp=command.stp)
        join_struggle(decision, going_on, *new)
        return
    everyone = (*before, *(other.id for other in new))
    if len(everyone) < 2:
        raise Refused("CS-203", f"no one else is holding {name}", ("take", "people: who else"), final=True)
    begin_struggle(decision, name, everyone, command.stp)


# Contests


def contest_checks(state: FightState, struggle: Struggle, combatant: Combatant) -> tuple[Check, ...]:
    """CS-203, CS-206: one checks once in each contest, from the segment after laying hands on the object."""
    return (
        Check(state.round >= struggle.due, "CS-203", f"they roll in segment {struggle.due}", ("advance",)),
        Check(
            combatant.id not in struggle.late,
            "CS-204",
            f"{combatant.name} joined late and rolls in the next segment",
            ("advance",),
        ),
        Check(
            combatant.id not in (*struggle.made, *struggle.lost),
            "CS-206",
            f"{combatant.name} has already rolled",
            ("the others",),
        ),
    )


def _attempt_contest(decision: Decision, command: commands.Handle, going_on: Struggle, combatant: Combatant) -> None:
    state, referee = decision.state, decision.referee
    enforce(contest_checks(state, going_on, combatant), referee)
    trials.call_check(decision, command, _struggle_trial(state, command, combatant))


def _struggle_trial(state: FightState, command: commands.Handle, combatant: Combatant) -> Trial:
    """A check of STR or CRD, as the GM decides: the text has no number for it, so the chance is the GM's."""
    av = None if command.av is None else trials.value_of(state, combatant, "str", "CS-203", command)
    question = f"{combatant.name} struggles for {things.clean_name(command.thing)} ({_scores(state, combatant)})"
    return Trial(combatant, "STR/CRD", "CS-203", "struggled", av, None, command.chance, command.hit, question)


def _scores(state: FightState, combatant: Combatant) -> str:
    scores = (
        (name.upper(), rolls.rounded(trials.attribute_sum(state, combatant, name, "CS-203"))) for name in ("str", "crd")
    )
    return ", ".join(f"{name} {score}" for name, score in scores)


@rolls.on_check_result("struggled")
def _on_struggle_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    state = decision.state
    going_on = things.struggle_for(state, trials.command_of(prompt).thing)
    if going_on is None or prompt.who not in going_on.hands or prompt.who in (*going_on.made, *going_on.lost):
        return
    if verdict.ok:
        going_on = replace(going_on, made=(*going_on.made, prompt.who))
    else:
        going_on = replace(going_on, lost=(*going_on.lost, prompt.who))
    decision.emit(things.change_struggle(state, going_on))
    _settle_struggle(decision, going_on)


def _settle_struggle(decision: Decision, going_on: Struggle) -> None:
    """CS-206, CS-207: when all have checked, one has the object, several go on, or it flies off."""
    state = decision.state
    if any(combatant_id not in (*going_on.made, *going_on.lost) for combatant_id in going_on.hands):
        return
    outcome = objects.struggle({combatant_id: combatant_id in going_on.made for combatant_id in going_on.hands})
    holding = (*outcome.holding, *going_on.late)
    if not holding:
        _flies_off(decision, going_on)
        return
    if len(holding) == 1:
        _win_struggle(decision, going_on, holding[0])
        return
    next_contest = replace(going_on, due=state.round + 1, hands=holding, late=(), made=())
    decision.emit(things.change_struggle(state, next_contest))


def _flies_off(decision: Decision, going_on: Struggle) -> None:
    """CS-207: the object flies off in a random direction."""
    state = decision.state
    roll = decision.dice.roll("d8", "direction")
    octant = objects.flies_to(roll.total)
    decision.emit(record_roll(roll), things.change_struggle(state, replace(going_on, hands=(), late=()), over=True))
    decision.emit(things.move_object(decision.state, going_on.hands[0], going_on.thing, "flies off", octant=octant))


def _win_struggle(decision: Decision, going_on: Struggle, combatant_id: str) -> None:
    state = decision.state
    decision.emit(things.change_struggle(state, replace(going_on, hands=(combatant_id,), late=()), over=True))
    decision.emit(things.move_object(decision.state, combatant_id, going_on.thing, "is won", combatant_id))
    decision.emit(*items.pick_up_events(decision.state, combatant_id, going_on.thing, ""))


def at_end(decision: Decision) -> None:
    """CS-203, CS-206: ask those who have yet to check, as the segment ends."""
    state = decision.state
    for going_on in things.struggles_of(state):
        _end_struggle(decision, going_on)


def _end_struggle(decision: Decision, going_on: Struggle) -> None:
    state = decision.state
    if len(going_on.all_hands) < 2:
        rest = going_on.all_hands
        if rest:
            _win_struggle(decision, going_on, rest[0])
        else:
            decision.emit(things.change_struggle(state, going_on, over=True))
        return
    if state.round < going_on.due:
        return
    owing = [combatant_id for combatant_id in going_on.hands if combatant_id not in (*going_on.made, *going_on.lost)]
    questions = []
    for combatant_id in owing:
        combatant = state.combatants[combatant_id]
        command = commands.Handle(who=combatant_id, what="struggle", thing=going_on.thing)
        trial = _struggle_trial(state, command, combatant)
        questions.append(RulingAsked(prompt=trials.trial_prompt(state, trial, command)))
    decision.emit(*questions)


# Strain


def _strain_object(decision: Decision, thing: str) -> None:
    """CS-208: if the combined STR reaches the object's structure it may break; ask for the structure."""
    state = decision.state
    going_on = things.struggle_for(state, thing)
    if going_on is None or going_on.strained or not going_on.hands:
        return
    combatant = state.combatants[going_on.hands[0]]
    command = commands.Handle(who=combatant.id, what="struggle", thing=thing)
    if going_on.stp is None:
        decision.offer(_structure_prompt(combatant, command))
        return
    people = tuple(state.combatants[combatant_id] for combatant_id in going_on.all_hands)
    mods = tuple(profile_of(other).mods.str for other in people)
    if not objects.strains(mods, going_on.stp):
        return
    parts = (Part(f"{other.name}'s STR modifier", mod, "CS-208") for other, mod in zip(people, mods, strict=True))
    decision.emit(things.change_struggle(state, replace(going_on, strained=True)))
    decision.emit(rolls.request_check(combatant.id, "STP", going_on.stp, None, rolls.parts_of(Sum(tuple(parts)))))
    question = f"{thing}, STP {going_on.stp}, between hands of STR {sum(mods):+d}: does it hold"
    check = HandleCheck(then="strained", what="STP", av=going_on.stp, command=command)
    decision.offer(rolls.check_prompt(decision.state, combatant, "CS-208", check, message=question))


def _structure_prompt(combatant: Combatant, command: commands.Handle) -> Prompt:
    return prompt_for(
        combatant,
        kind=STRUCTURE,
        question=f"How many STP does {command.thing} have? The struggle may break it.",
        rule="CS-208",
        choices=choices("skip:it can't break"),
        default="skip",
        amount="stp",
        blocking=False,
        resume=AskedHandling(command=command),
    )


@answers(STRUCTURE)
def answer_structure(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-208, M-14: check the object by its structure."""
    state = decision.state
    going_on = things.struggle_for(state, trials.command_of(prompt).thing)
    if answer.choice == "skip" or going_on is None:
        return
    if not isinstance(answer.amount, int) or isinstance(answer.amount, bool) or answer.amount < 0:
        raise Refused("CS-208", f"{answer.amount!r} is not a number of STP", ("0 or more", "skip"), final=True)
    decision.emit(things.change_struggle(state, replace(going_on, stp=answer.amount)))
    _strain_object(decision, going_on.thing)


@rolls.on_check_result("strained")
def _on_strain_result(decision: Decision, prompt: Prompt, verdict: Verdict) -> None:
    """CS-208: it holds, or it breaks and the struggle is over."""
    state = decision.state
    going_on = things.struggle_for(state, trials.command_of(prompt).thing)
    if verdict.ok or going_on is None:
        return
    decision.emit(things.change_struggle(state, replace(going_on, hands=(), late=()), over=True))
    decision.emit(things.move_object(decision.state, prompt.who, going_on.thing, "breaks"))
