"""Springing a Surprise: when it may be done, what it costs, who then declares first (CS-040, CS-052 to CS-074)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import answers, handles
from fightcall_engine.kit.prompts import choices, prompt_for, question_check
from fightcall_engine.model.commands import Answer
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import AgendaChanged, Detected, Event, Events, Moved, RulingAsked
from fightcall_engine.model.state import Combatant, FightState, Prompt
from fightcall_engine.systems.segments.actions import declarations, surprise_rolls
from fightcall_engine.systems.segments.actions.facing import NOTICED
from fightcall_engine.systems.segments.actions.plots import KINDS, MUTUAL, TRAPS, Plot, plot_difficulty
from fightcall_engine.systems.segments.combat import snipers
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.state import commands, events, figures, progress, relations, roster
from fightcall_engine.systems.segments.state.action import (
    ACT,
    ATTACKS,
    DONE,
    MOVE,
    SPRING,
    action_of,
    is_busy,
    past_actions,
    targets_of,
)
from fightcall_engine.systems.segments.state.fighter import Action, fighter_of
from fightcall_engine.systems.segments.state.questions import ShotFromHiding

MOMENTS = (figures.INITIATIVE, figures.IMPACTS, figures.DECLARE, figures.WAITS, figures.PULSE)
"""Kinds of steps in which a Surprise can be sprung: before Resolution (section 4.1, S4)."""

LEAP = "leap"
"""The kind of the offer to somebody who leaves cover."""

SPRUNG = "springs a Surprise"
"""Why an Action is gone, or somebody is hidden no more (CS-052)."""

# When


def spring_checks(state: FightState, plotters: tuple[Combatant, ...]) -> tuple[Check, ...]:
    """CS-040, CS-052: while things are declared and done, by those who stand and have an Action left to complete."""
    kind = figures.kind_of(state)
    return (
        Check(bool(kind), "CS-040", "no segment is running", ("start",)),
        Check(kind in MOMENTS or not kind, "CS-040", "Resolution has begun", ("the next pass", "the next segment")),
        *(figures.able_check(combatant, "CS-111") for combatant in plotters),
        *(
            Check(
                may_complete(combatant),
                "CS-052",
                f"{combatant.name} has no Action left to complete by it",
                ("the next segment",),
            )
            for combatant in plotters
        ),
        question_check(state),
    )


def may_complete(combatant: Combatant) -> bool:
    """CS-052: an Action is left, or none is owed yet."""
    return not figures.actions_owed(combatant) or figures.slots_left(combatant) > 0


@handles(commands.Spring)
def decide_spring(decision: Decision, command: commands.Spring) -> None:
    """CS-040: a threat nobody knew of shows itself; then each victim's check is asked for."""
    spring_surprise(decision, command)


def spring_surprise(decision: Decision, command: commands.Spring, line: str = "") -> None:
    """The same, also for a `line` that is raised or dropped before somebody: ``trip`` or ``clothesline`` (CS-446).

    Raises:
        Refused: not now, or not by or on these people.
    """
    state = decision.state
    if not figures.kind_of(state):
        raise Refused("CS-040", "no segment is running", ("start",), final=True)
    plot = build_plot(state, command)
    plotters = tuple(state.combatants[combatant_id] for combatant_id in plot.plotters)
    enforce(spring_checks(state, plotters if plot.kind != MUTUAL else ()), decision.referee)
    dv, parts = plot_difficulty(state, plot, command.base, command.dv)
    plot = replace(plot, dv=dv, line=line)
    event = events.SurpriseTriggered(aggressors=plot.plotters, targets=plot.victims, kind=plot.kind, dv=dv, parts=parts)
    decision.emit(event)
    if plot.kind != MUTUAL:
        _open_ambush(decision, plot)
        for combatant in plotters:
            _complete_action(decision, decision.state.combatants[combatant.id])
    # Who shoots from where he hides is still to be found (CS-265).
    exposed_plotters = [combatant for combatant in plotters if combatant.hidden and not snipers.is_sniping(combatant)]
    decision.emit(*(Detected(who=combatant.id, cause=SPRUNG) for combatant in exposed_plotters))
    decision.emit(*surprise_rolls.ask_first_rolls(decision.state, plot))


def build_plot(state: FightState, command: commands.Spring) -> Plot:
    """What a command asks for.

    Raises:
        Refused: there is no such kind; nobody springs it, or nobody is there to be surprised.
    """
    if command.kind not in KINDS:
        raise Refused("CS-040", f"{command.kind!r} is no kind of Surprise", KINDS, final=True)
    people = tuple(dict.fromkeys(combatant_of(state, combatant_id).id for combatant_id in command.aggressors))
    if not people and command.kind not in (*TRAPS, MUTUAL):
        raise Refused("CS-040", "who springs it?", ("aggressors: those who spring it",), final=True)
    target_ids = tuple(dict.fromkeys(combatant_of(state, combatant_id).id for combatant_id in command.targets))
    if command.kind == MUTUAL:
        everybody = tuple(dict.fromkeys((*people, *target_ids)))
        people, target_ids = (), everybody if target_ids else _both_sides(state, everybody)
    victims = target_ids or tuple(
        combatant.id for combatant in figures.all_able(state) if people and state.are_foes(combatant.id, people[0])
    )
    both = set(people) & set(victims)
    if both:
        name = state.combatants[min(both)].name
        raise Refused("CS-040", f"{name} cannot be both surprised and plotter", ("mutual", "other targets"), final=True)
    if not victims:
        raise Refused(
            "CS-040", "whom does it surprise?", tuple(combatant.id for combatant in figures.all_able(state)), final=True
        )
    wary = tuple(combatant_of(state, combatant_id).id for combatant_id in command.wary)
    return Plot(command.kind, people, victims, craft=command.craft, wary=wary)


def _both_sides(state: FightState, named_ids: tuple[str, ...]) -> tuple[str, ...]:
    """CS-048: who blunders into each other: those who are named, everybody where that is one side or nobody.

    Raises:
        Refused: one side is all there is.
    """
    for people in (named_ids, tuple(combatant.id for combatant in figures.all_able(state))):
        if len({state.combatants[combatant_id].side for combatant_id in people}) > 1:
            return people
    raise Refused("CS-048", "it takes two sides to blunder into each other", ("ambush", "trap"), final=True)


# What it costs, and who goes first


def _complete_action(decision: Decision, combatant: Combatant) -> None:
    """CS-052, CS-053: it completes one Action: an attack declared is its blow, settled in Resolution as usual.

    Other work that was declared is given up for it.
    """
    state = decision.state
    action = action_of(combatant)
    is_declared = action.is_open and not is_busy(state, combatant)
    if is_declared and action.kind in ATTACKS:
        declarations.commit_action(decision, combatant)
        return
    if is_declared and _is_plain_act(action):
        decision.emit(*progress.settle_action(state, combatant, DONE, SPRUNG))
        return
    if is_declared:
        decision.emit(*progress.abort_action(combatant, SPRUNG))
        combatant = decision.state.combatants[combatant.id]
        action = action_of(combatant)
    slot_events = progress.use_slot(combatant, figures.slots_left(combatant) - 1, SPRUNG)
    if action.is_open:
        decision.emit(*slot_events)
        return
    sprung = Action(
        state=DONE,
        kind=SPRING,
        text="the Surprise",
        need=4,
        done=4,
        cs=state.round,
        in_pass=figures.pass_number(state),
        rolled=False,
        outcome="sprung",
    )
    traits = {"action": sprung, "past": past_actions(combatant, sprung), "waiting": False}
    decision.emit(events.Resolved(who=combatant.id, traits=traits, outcome="sprung"), *slot_events)


def _is_plain_act(action: Action) -> bool:
    """True for what may be the springing itself, such as a drop from the tree: no work, and no dice."""
    is_rolled = action.dv is not None or action.skill is not None
    return action.kind in (ACT, MOVE) and action.need <= QA_AN_ACTION and not is_rolled


def _open_ambush(decision: Decision, plot: Plot) -> None:
    """CS-072: where a contest opens with a Surprise, whoever springs it declares first instead of the roster's top.

    Those who lie hidden have opened nothing, whatever they have told the GM.
    """
    state = decision.state
    has_begun = any(
        action_of(combatant).state or fighter_of(combatant).waiting
        for combatant in state.roster
        if not combatant.hidden
    )
    if state.round != 1 or has_begun or not plot.plotters or plot.kind in TRAPS:
        return
    decision.emit(*figures.set_fact(state, "first", plot.plotters[0]))
    steps, cursor = state.agenda.steps, state.agenda.cursor
    if figures.kind_of(state) == figures.DECLARE:
        before = steps[:cursor]
        known_ids = {step.id for step in before}
        rest = tuple(step for step in roster.build_agenda(decision.state) if step.id not in known_ids)
        if rest != steps[cursor:]:
            decision.emit(AgendaChanged(steps=(*before, *rest), cursor=cursor, reason=SPRUNG))


def victims_check(state: FightState, combatant: Combatant) -> Check:
    """CS-040: somebody is there who can be surprised."""
    there = any(state.are_foes(combatant.id, other.id) for other in figures.all_able(state))
    return Check(there, "CS-040", "nobody is there to be surprised", ("a foe",))


def react_to_leap(state: FightState, event: Event) -> Events:
    """CS-074: somebody hidden leaps from cover: a chance to surprise."""
    if isinstance(event, Detected):
        leaps = event.cause not in (SPRUNG, NOTICED)
    elif isinstance(event, events.Confirmed):
        return _start_sniping(state, event.who)
    elif isinstance(event, Moved):
        leaps = event.who in state.combatants and state.combatants[event.who].hidden
    else:
        return ()
    combatant = state.combatants.get(event.who)
    if (
        combatant is None
        or not leaps
        or any(prompt.kind == LEAP and prompt.who == combatant.id for prompt in state.prompts)
    ):
        return ()
    if not all(check.holds for check in (*spring_checks(state, (combatant,)), victims_check(state, combatant))):
        return ()
    prompt = prompt_for(
        combatant,
        kind=LEAP,
        question=f"{combatant.name} leaves cover. Does it surprise anybody (Padfoot, Skulker)?",
        rule="CS-074",
        choices=choices("no", "spring:yes, spring it"),
        default="no",
        blocking=False,
    )
    return (RulingAsked(prompt=prompt),)


def _start_sniping(state: FightState, combatant_id: str) -> Events:
    """CS-264: a shot from hiding may surprise whoever it is meant for."""
    combatant = state.combatants.get(combatant_id)
    if (
        combatant is None
        or not snipers.is_sniping(combatant)
        or not all(check.holds for check in spring_checks(state, (combatant,)))
    ):
        return ()
    targets = action_of(combatant).targets
    own_targets = targets_of(state, action_of(combatant))
    if own_targets and all(relations.has_noticed(target, combatant) for target in own_targets):
        return ()
    prompt = prompt_for(
        combatant,
        kind=LEAP,
        question=f"{combatant.name} shoots from hiding. Is it a Surprise?",
        rule="CS-264",
        choices=choices("no", "spring:yes, spring it"),
        default="no",
        blocking=False,
        resume=ShotFromHiding(targets=targets),
    )
    return (RulingAsked(prompt=prompt),)


@answers(LEAP)
def answer_leap(decision: Decision, prompt: Prompt, answer: Answer) -> None:
    """CS-074: a leap from cover, used for Surprise or not."""
    state = decision.state
    if answer.choice != "spring":
        return
    target_ids = prompt.resume.targets if isinstance(prompt.resume, ShotFromHiding) else ()
    targets = tuple(combatant_id for combatant_id in target_ids if combatant_id in state.combatants)
    decide_spring(decision, commands.Spring(aggressors=(prompt.who,), targets=targets))
