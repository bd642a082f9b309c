"""Springing a Surprise: when it can be done, its cost, and who then declares first (CS-040, CS-052 to CS-074)."""

from __future__ import annotations

from dataclasses import replace

from fightcall_engine.kit.checks import Check, enforce
from fightcall_engine.kit.combatants import combatant_of
from fightcall_engine.kit.decision import Decision
from fightcall_engine.kit.handlers import handles
from fightcall_engine.kit.prompts import choices, prompt_for, question_check
from fightcall_engine.model.errors import Refused
from fightcall_engine.model.events import AgendaChanged, Detected, Event, Moved
from fightcall_engine.model.state import Combatant, FightState
from fightcall_engine.systems.segments.actions import declarations, surprise_rolls
from fightcall_engine.systems.segments.actions.facing import NOTICED
from fightcall_engine.systems.segments.actions.surprises import KINDS, MUTUAL, TRAPS, Plot, plot_difficulty
from fightcall_engine.systems.segments.combat import snipers
from fightcall_engine.systems.segments.rules.clock import QA_AN_ACTION
from fightcall_engine.systems.segments.state import commands, events, progress, queries, relations, roster
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

MOMENTS = (queries.INITIATIVE, queries.IMPACTS, queries.DECLARE, queries.WAITS, queries.PULSE)
"""The kinds of steps in which a Surprise can be sprung: those before Resolution (section 4.1, S4)."""

LEAP = "leap"
"""The kind of the offer to a hidden combatant who leaves cover."""

SPRUNG = "springs a Surprise"
"""The reason why an Action is used, or a combatant is no longer hidden (CS-052)."""

# When it can be done


def spring_checks(state: FightState, plotters: tuple[Combatant, ...]) -> tuple[Check, ...]:
    """CS-040, CS-052: a Surprise is sprung before Resolution, by combatants with an Action to complete who are up."""
    kind = queries.kind_of(state)
    return (
        Check(bool(kind), "CS-040", "no segment is running", ("start",)),
        Check(kind in MOMENTS or not kind, "CS-040", "Resolution has begun", ("the next pass", "the next segment")),
        *(queries.able_check(combatant, "CS-111") for combatant in plotters),
        *(
            Check(
                can_complete_action(combatant),
                "CS-052",
                f"{combatant.name} has no Action left to spend on it",
                ("the next segment",),
            )
            for combatant in plotters
        ),
        question_check(state),
    )


def can_complete_action(combatant: Combatant) -> bool:
    """CS-052: whether the combatant has an Action left, or is not owed one yet."""
    return not queries.actions_owed(combatant) or queries.slots_left(combatant) > 0


@handles(commands.Spring)
def decide_spring(decision: Decision, command: commands.Spring) -> None:
    """CS-040: spring a Surprise, and ask for the checks."""
    spring_surprise(decision, command)


def spring_surprise(decision: Decision, command: commands.Spring, line: str = "") -> None:
    """Spring a Surprise, perhaps with a `line` between two, ``trip`` or ``clothesline`` (CS-446).

    Raises:
        Refused: it cannot be sprung now, or not by or on these combatants.
    """
    state = decision.state
    if not queries.kind_of(state):
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
    # Those who shoot from hiding stay hidden until they are noticed (CS-265).
    exposed_plotters = [combatant for combatant in plotters if combatant.hidden and not snipers.is_sniping(combatant)]
    decision.emit(*(Detected(who=combatant.id, cause=SPRUNG) for combatant in exposed_plotters))
    decision.spawn(surprise_rolls.settle, plot)


def build_plot(state: FightState, command: commands.Spring) -> Plot:
    """The Surprise that a command describes.

    Raises:
        Refused: there is no such kind, nobody springs it, or nobody can be surprised.
    """
    if command.kind not in KINDS:
        raise Refused("CS-040", f"unknown kind of Surprise: {command.kind!r}", KINDS, final=True)
    people = tuple(dict.fromkeys(combatant_of(state, combatant_id).id for combatant_id in command.aggressors))
    if not people and command.kind not in (*TRAPS, MUTUAL):
        raise Refused("CS-040", "who springs it?", ("aggressors: those who spring it",), final=True)
    target_ids = tuple(dict.fromkeys(combatant_of(state, combatant_id).id for combatant_id in command.targets))
    if command.kind == MUTUAL:
        known_ids = tuple(dict.fromkeys((*people, *target_ids)))
        people, target_ids = (), known_ids if target_ids else _both_sides(state, known_ids)
    victims = target_ids or tuple(
        combatant.id for combatant in queries.all_able(state) if people and state.are_foes(combatant.id, people[0])
    )
    both = set(people) & set(victims)
    if both:
        name = state.combatants[min(both)].name
        raise Refused(
            "CS-040", f"{name} can't both spring a Surprise and be surprised", ("mutual", "other targets"), final=True
        )
    if not victims:
        raise Refused(
            "CS-040", "who is surprised?", tuple(combatant.id for combatant in queries.all_able(state)), final=True
        )
    wary = tuple(combatant_of(state, combatant_id).id for combatant_id in command.wary)
    return Plot(command.kind, people, victims, craft=command.craft, wary=wary)


def _both_sides(state: FightState, named_ids: tuple[str, ...]) -> tuple[str, ...]:
    """CS-048: the ids of those who meet by chance: those named, or everybody if these are of one side or none.

    Raises:
        Refused: there is only one side.
    """
    for people in (named_ids, tuple(combatant.id for combatant in queries.all_able(state))):
        if len({state.combatants[combatant_id].side for combatant_id in people}) > 1:
            return people
    raise Refused("CS-048", "two sides are needed to blunder into each other", ("ambush", "trap"), final=True)


# Cost, and who declares first


def _complete_action(decision: Decision, combatant: Combatant) -> None:
    """CS-052, CS-053: complete an Action: a declared attack is the blow of the Surprise, resolved in Resolution.

    Other declared work is given up.
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
    slot_events = progress.use_slot(combatant, queries.slots_left(combatant) - 1, SPRUNG)
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
        in_pass=queries.pass_number(state),
        rolled=False,
        outcome="sprung",
    )
    traits = {"action": sprung, "past": past_actions(combatant, sprung), "waiting": False}
    decision.emit(events.Resolved(who=combatant.id, traits=traits, outcome="sprung"), *slot_events)


def _is_plain_act(action: Action) -> bool:
    """Whether an Action can itself be the springing, such as a drop from a tree: neither work nor dice."""
    is_rolled = action.dv is not None or action.skill is not None
    return action.kind in (ACT, MOVE) and action.need <= QA_AN_ACTION and not is_rolled


def _open_ambush(decision: Decision, plot: Plot) -> None:
    """CS-072: if the contest opens with a Surprise, those who spring it declare first.

    Hidden combatants have not opened the contest by what they have told the GM.
    """
    state = decision.state
    has_begun = any(
        action_of(combatant).state or fighter_of(combatant).waiting
        for combatant in state.roster
        if not combatant.hidden
    )
    if state.round != 1 or has_begun or not plot.plotters or plot.kind in TRAPS:
        return
    decision.emit(*queries.set_fact(state, "first", plot.plotters[0]))
    steps, cursor = state.agenda.steps, state.agenda.cursor
    if queries.kind_of(state) == queries.DECLARE:
        before = steps[:cursor]
        known_ids = {step.id for step in before}
        rest = tuple(step for step in roster.build_agenda(decision.state) if step.id not in known_ids)
        if rest != steps[cursor:]:
            decision.emit(AgendaChanged(steps=(*before, *rest), cursor=cursor, reason=SPRUNG))


def victims_check(state: FightState, combatant: Combatant) -> Check:
    """CS-040: the check that there is a foe to surprise."""
    has_victims = any(state.are_foes(combatant.id, other.id) for other in queries.all_able(state))
    return Check(has_victims, "CS-040", "no one is here to surprise", ("a foe",))


def react_to_leap(decision: Decision, event: Event) -> None:
    """CS-074, CS-264: offer a Surprise to a hidden combatant who leaps from cover, or shoots from hiding."""
    state = decision.state
    if isinstance(event, events.Confirmed):
        _start_sniping(decision, event.who)
        return
    if isinstance(event, Detected):
        leaps = event.cause not in (SPRUNG, NOTICED)
    else:
        leaps = isinstance(event, Moved) and event.who in state.combatants and state.combatants[event.who].hidden
    combatant = state.combatants.get(event.who) if isinstance(event, Detected | Moved) else None
    if not leaps or combatant is None or any(each.kind == LEAP and each.who == combatant.id for each in state.prompts):
        return
    if all(check.holds for check in (*spring_checks(state, (combatant,)), victims_check(state, combatant))):
        question = f"{combatant.name} leaves cover. Spring a Surprise (Padfoot, Skulker)?"
        decision.spawn(_offer_surprise, combatant, question, "CS-074")


def _start_sniping(decision: Decision, combatant_id: str) -> None:
    state = decision.state
    combatant = state.combatants.get(combatant_id)
    if combatant is None or not snipers.is_sniping(combatant):
        return
    if not all(check.holds for check in spring_checks(state, (combatant,))):
        return
    targets = targets_of(state, action_of(combatant))
    if targets and all(relations.has_noticed(target, combatant) for target in targets):
        return
    question = f"{combatant.name} shoots from hiding. Is it a Surprise?"
    decision.spawn(_offer_surprise, combatant, question, "CS-264", action_of(combatant).targets)


def _offer_surprise(
    decision: Decision, combatant: Combatant, question: str, rule: str, target_ids: tuple[str, ...] = ()
) -> None:
    """Offer a Surprise, on these targets if any are named, as long as one of them is there."""
    targets = target_ids
    while combatant.id in decision.state.combatants and (targets or not target_ids):
        answer = decision.ask(
            prompt_for(
                combatant,
                kind=LEAP,
                question=question,
                rule=rule,
                choices=choices("no", "spring:yes, spring it"),
                default="no",
                about=targets,
                blocking=False,
            )
        )
        targets = tuple(target_id for target_id in targets if target_id in decision.state.combatants)
        if answer is not None:
            if answer.choice == "spring":
                decide_spring(decision, commands.Spring(aggressors=(combatant.id,), targets=targets))
            return
